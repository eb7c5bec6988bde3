"""Two games → short positions that tell them apart: found by playing both with the same cards and the same moves."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from teufelswerk import chance, model
from teufelswerk.game import Game
from teufelswerk.gaps import Gap, scene_of, shown_cards
from teufelswerk.limits import MAX_STEPS
from teufelswerk.machine import BOX, Event, Machine, RuleError, RuleGap
from teufelswerk.open_cards import clone
from teufelswerk.program import DECISION, OVER
from teufelswerk.records import records
from teufelswerk.same_position import differing, transplant
from teufelswerk.state import Move

DECISIONS = 400
SECONDS = 2.0
GAMES = 200
GAMES_FOR_NEW_CARDS = 5


@dataclass
class Side:
    """One of the two games in a position: its moves, or what happened after the same move."""

    game: Game
    moves: list[Move]
    events: list[Event] = field(default_factory=list)

    @property
    def described(self) -> list[dict[str, Any]]:
        return [self.game.describe(move) for move in self.moves]


@dataclass
class Telling:
    """A position in which two games go different ways."""

    player: int
    start: Machine
    """Where the innermost step began, in the first game."""
    played: list[Move]
    sides: tuple[Side, Side]
    move: Move | None
    """After this move different things happen; None if different moves are allowed."""
    alone: int | None = None
    """The one of the two games that has the cards for this position, if the other one lacks them."""

    @property
    def size(self) -> tuple[int, int]:
        """How much a reader has to take in."""
        return len(self.played), sum(len(cards) for cards in self.start.places[1:])

    def scene(self) -> list[str]:
        """The position as lines of an example."""
        game = self.sides[self.alone or 0].game
        lines = scene_of(Gap(game, 0, self.player, (), "", self.start, self.played))
        names = lines[0].split(": ")[1].split(", ")
        return [lines[0], *_given(game, self.start, names), *lines[1:]]


def _given(game: Game, start: Machine, names: list[str]) -> Iterator[str]:
    """What is kept of the players, where it is no longer as at the beginning."""
    fresh = game.machine(0)
    for index, keep in enumerate(game.layout.keep_of):
        value = start.keeps[index]
        if keep.key is not None and keep.key.kind == "player" and value is not None and value != fresh.keeps[index]:
            shown = names[value] if keep.type.kind == "player" else game.program.teller.raw(keep.type, value)
            yield f"given {keep.name} of {names[game.layout.keep_key[index]]}: {shown}"


@dataclass
class Comparison:
    """What playing two games side by side has shown."""

    beginnings: dict[int, list[tuple[str, str, str]]] = field(default_factory=dict)
    """For each number of players: what differs before the first decision, in the first game and in the second."""
    allowed: Telling | None = None
    happens: Telling | None = None


def compare(first: model.Model, second: model.Model, games: int = GAMES, seconds: float = SECONDS) -> Comparison:
    """Plays both games with every number of players that both allow, until enough has been seen."""
    counts = range(max(first.min_players, second.min_players), min(first.max_players, second.max_players) + 1)
    pairs = {players: _Pair(Game(first, players), Game(second, players)) for players in counts}
    found = _played(pairs, games, time.monotonic() + seconds)
    if found.allowed is None and found.happens is None:
        found.allowed = _new_cards(list(pairs.values()), time.monotonic() + seconds)
    return found


def _played(pairs: dict[int, _Pair], games: int, until: float) -> Comparison:
    found = Comparison()
    for seed in range(games):
        for players, pair in pairs.items():
            if time.monotonic() > until and (seed > 0 or found.allowed or found.happens):
                return found
            try:
                telling = pair.play(seed)
            except RuleError:
                continue
            if seed == 0 and pair.beginning:
                found.beginnings[players] = pair.beginning
            if telling is None:
                continue
            if telling.move is None:
                if found.allowed is None or telling.size < found.allowed.size:
                    found.allowed = telling
            elif found.happens is None or telling.size < found.happens.size:
                found.happens = telling
    return found


def _new_cards(pairs: list[_Pair], until: float) -> Telling | None:
    """The smallest position in which somebody may choose a card that only one of the games has."""
    found: list[Telling] = []
    for pair in pairs:
        ids = [{card.id for card in game.rules.cards} for game in pair.games]
        for number in (1, 0):
            for seed in range(GAMES_FOR_NEW_CARDS if ids[number] - ids[1 - number] else 0):
                if time.monotonic() < until:
                    found += pair.new_card(number, ids[number] - ids[1 - number], seed)
    return min(found, key=lambda telling: telling.size, default=None)


class _Pair:
    """Two games side by side."""

    def __init__(self, first: Game, second: Game) -> None:
        self.games = (first, second)
        self.beginning: list[tuple[str, str, str]] = []
        self.begun: tuple[dict[str, Machine], dict[str, Machine]] = ({}, {})
        """Where each step began last, in either game."""
        self.played: dict[str, list[Move]] = {}
        """What has been played since then."""

    def play(self, seed: int) -> Telling | None:
        """One game with random moves that both allow; the first difference ends it."""
        first, second = self.games
        a, b, rng = first.machine(seed), second.machine(seed), chance.stream(seed, 1)
        self.begun, self.played = ({}, {}), {}
        self.run(0, a)
        self.run(1, b)
        self.beginning = list(differing(first, a, second, b))
        if a.winners is not None or b.winners is not None:
            return None
        if self.beginning and not (transplant(first, a, second, b) or transplant(second, b, first, a)):
            return None
        if self.beginning and first.mover(a) != second.mover(b):
            return None  # a lot has fallen differently, and that is no difference between the games
        if self.beginning:
            # From here on both stand alike, so that only the beginning of the innermost step can be shown.
            for name in list(self.begun[1]):
                if name in self.begun[0]:
                    transplant(first, self.begun[0][name], second, self.begun[1][name])
        for _ in range(DECISIONS):
            sides = self.sides(a, b)
            if sides[0].described != sides[1].described:
                return self.telling(a, sides, None, self.played)
            rng, index = chance.below(rng, len(sides[0].moves))
            move, before, played = sides[0].moves[index], clone(a), {k: list(v) for k, v in self.played.items()}
            begun = dict(self.begun[0]), dict(self.begun[1])
            for moves in self.played.values():
                moves.append(move)
            self.make(a, b, sides, index)
            if self.happened(sides[0]) != self.happened(sides[1]):
                self.begun = begun
                return self.telling(before, sides, move, played)
            if a.winners is not None or b.winners is not None or _all(sides[0]) != _all(sides[1]):
                return None
        return None

    def new_card(self, number: int, new: set[str], seed: int) -> Iterator[Telling]:
        """Plays one of the games alone until somebody may choose one of the new cards."""
        alone = _Pair(self.games[number], self.games[number])
        game, m, rng = self.games[number], self.games[number].machine(seed), chance.stream(seed, 1)
        alone.run(0, m)
        for _ in range(DECISIONS):
            if m.winners is not None:
                return
            moves = game.choices(m)
            chosen = [move for move in moves if new & set(map(str, game.choice(move).values()))]
            if chosen:
                sides = [Side(other, []) for other in self.games]
                sides[number].moves = chosen
                telling = alone.telling(m, (sides[0], sides[1]), None, alone.played)
                yield replace(telling, alone=number)
                return
            rng, index = chance.below(rng, len(moves))
            for played in alone.played.values():
                played.append(moves[index])
            if game.make_only(m, moves[index]):
                alone.run(0, m)

    def sides(self, a: Machine, b: Machine) -> tuple[Side, Side]:
        return Side(self.games[0], _moves(self.games[0], a)), Side(self.games[1], _moves(self.games[1], b))

    def make(self, a: Machine, b: Machine, sides: tuple[Side, Side], index: int) -> None:
        for number, machine in enumerate((a, b)):
            side = sides[number]
            machine.log = side.events
            if side.game.make_only(machine, side.moves[index]):
                self.run(number, machine)

    def run(self, number: int, m: Machine) -> None:
        """To the next decision; remembers where steps began."""
        program = self.games[number].program
        for _ in range(MAX_STEPS):
            if m.pc in program.begins:
                name = program.begins[m.pc]
                self.begun[number][name] = clone(m)
                if number == 0:
                    self.played[name] = []
            following = program.code[m.pc](m)
            if following == DECISION:
                return
            if following == OVER:
                m.winners = m.winners or ()
                return
            m.pc = following

    def happened(self, side: Side) -> list[object]:
        """What counts as a difference. If the games deal differently, what is dealt does not."""
        places = [place for game in self.games for place in game.rules.places.values()]
        hidden = {place.name for place in places if place.seen_by == "nobody"}
        return [
            record
            for record in _all(side)
            if not (self.beginning and record["event"] == "cards" and hidden & {record["from"], record["to"]})
        ]

    # ---- a position that shows it -----------------------------------------------------------------------------------

    def telling(
        self, m: Machine, sides: tuple[Side, Side], move: Move | None, played: dict[str, list[Move]]
    ) -> Telling:
        program = self.games[0].program
        around = [(start, name) for start, name in program.begins.items() if start < m.pc < program.ends[start]]
        _, name = max(around)
        player = self.games[0].mover(m)
        start, other = clone(self.begun[0][name]), self.begun[1].get(name)
        found = Telling(player, start, list(played[name]), sides, move)
        return self.shrunk(found, clone(other)) if other is not None else found

    def again(self, start: Machine, other: Machine, found: Telling) -> tuple[Side, Side] | None:
        """Plays the same moves from smaller positions; gives both sides if they still differ in the same way."""
        a, b = clone(start), clone(other)
        begun, kept, self.begun, self.played = self.begun, self.played, ({}, {}), {}
        try:
            self.run(0, a)
            self.run(1, b)
            for move in [*found.played, *([found.move] if found.move else [])]:
                sides = self.sides(a, b)
                if sides[0].described != sides[1].described or move not in sides[0].moves:
                    return None
                self.make(a, b, sides, sides[0].moves.index(move))
                if self.happened(sides[0]) != self.happened(sides[1]):
                    return sides if found.move is move else None
                if a.winners is not None or b.winners is not None:
                    return None
            sides = self.sides(a, b)
            differs = sides[0].described != sides[1].described and all(side.moves for side in sides)
            return sides if found.move is None and differs else None
        except (RuleError, IndexError, KeyError):
            return None
        finally:
            self.begun, self.played = begun, kept

    def shrunk(self, found: Telling, other: Machine) -> Telling:
        """The position without the cards that it does not need."""
        start, ids = found.start, {card.id: card.index for card in self.games[1].rules.cards}
        if self.again(start, other, found) is None:
            return found
        for card in shown_cards(self.games[0], start, found.player):
            id = self.games[0].rules.cards[card].id
            if id not in ids or len(start.places[start.where[card]]) == 1:
                continue
            trial, trial_other = clone(start), clone(other)
            _take_away(trial, card)
            _take_away(trial_other, ids[id])
            sides = self.again(trial, trial_other, found)
            if sides is not None:
                start, other = trial, trial_other
                found = Telling(found.player, start, found.played, sides, found.move)
        return found


def _take_away(m: Machine, card: int) -> None:
    if m.where[card] != BOX:
        m.places[m.where[card]].remove(card)
        m.places[BOX].append(card)
        m.where[card] = BOX


def _moves(game: Game, m: Machine) -> list[Move]:
    try:
        return game.choices(m)
    except RuleGap:
        return []


def _all(side: Side) -> list[dict[str, Any]]:
    return [record for record in records(side.events) if record["event"] in ("cards", "keep", "end")]
