"""Two games and a position where a step of both begins → the same scene in either, and what it comes to there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, TypeAlias

from teufelswerk import model
from teufelswerk.base.budget import Deadline
from teufelswerk.compare.same_position import transplant
from teufelswerk.examples.open_cards import clone
from teufelswerk.examples.open_games import OpenGame, OpenGames
from teufelswerk.examples.scene_start import begin_of, people, run_until, seat_argument
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.machine import BOX, Event, Machine, RuleError, RuleGap
from teufelswerk.interpreter.program import Program
from teufelswerk.interpreter.state import Move

Pair: TypeAlias = tuple[Machine, Machine]


@dataclass(frozen=True)
class Staging:
    """A scene of two games: where a step begins, in either of them, and what is played from there."""

    step: str
    argument: int | None
    """The seat of the player whom the step is for."""
    starts: Pair
    moves: tuple[tuple[Move, Move], ...]
    """The same moves, as each of the games numbers them."""
    onward: bool = False
    """Whether the game goes on where the step ends, up to the next decision."""
    people: tuple[str, ...] = ()
    chosen: frozenset[str | tuple[str, int]] = frozenset()
    """Cards, and things kept, that somebody has chosen for this scene, so that they stay in it."""


@dataclass
class Run:
    """A scene that has been played in one of the games: what came of the last move, and where it has stopped."""

    game: Game
    machine: Machine
    before: list[int | None]
    """What was kept before the last move."""
    events: list[Event]
    stop: Literal["decision", "end", "over"]
    player: int | None = None
    moves: list[Move] = field(default_factory=list)

    @cached_property
    def described(self) -> list[dict[str, Any]]:
        """The moves in the words of both games; they are asked for once the run has stopped."""
        return [self.game.describe(move) for move in self.moves]


class BothGames:
    """Two games for the same number of players, in which scenes are staged."""

    def __init__(self, first: model.Model, second: model.Model, players: int, deadline: Deadline | None = None) -> None:
        self.games = (Game(first, players, deadline), Game(second, players, deadline))
        self.players = players
        self.deadline = deadline
        self.open_games = (OpenGames(first, deadline), OpenGames(second, deadline))
        self._firsts: dict[tuple[int, str], Machine | None] = {}

    @cached_property
    def scene_games(self) -> tuple[OpenGame, OpenGame]:
        """The games as scenes play them: lots fall on the first."""
        names = people(self.players)
        return self.open_games[0].at(names), self.open_games[1].at(names)

    # ---- staging ----------------------------------------------------------------------------------------------------

    def first(self, number: int, step: str) -> Machine | None:
        """Where a scene of this step begins if nothing is given; None if one of the games never comes to it."""
        if (number, step) not in self._firsts:
            game, m = self.scene_games[number], None
            begin = begin_of(game.program, step)
            if begin is not None:
                try:
                    m = game.first(begin)
                except RuleError:
                    m = None
            if m is not None:
                game.set_initial_keeps(m)
            self._firsts[number, step] = m
        return self._firsts[number, step]

    def usable(self, number: int, step: str) -> set[str]:
        """The cards that a scene can give: those that do not stay in the box."""
        m, cards = self.first(number, step), self.games[number].rules.cards
        return {card.id for card in cards if m is not None and m.where[card.index] != BOX}

    def staged(self, number: int, step: str, position: Machine) -> Machine | None:
        """A position as a scene can give it; None if it cannot."""
        first = self.first(number, step)
        if first is None:
            return None
        m, layout, cards = clone(first), self.games[number].layout, self.games[number].rules.cards
        m.places = [list(place) for place in position.places]
        m.where, m.rng = list(position.where), position.rng
        m.owners = [layout.owner[place] for place in m.where]
        m.keeps = [kept if kept is not None else m.keeps[i] for i, kept in enumerate(position.keeps)]
        given = {card.id for card in cards if m.where[card.index] != BOX}
        return m if given <= self.usable(number, step) else None

    def stage(
        self, step: str, positions: Pair, moves: Sequence[tuple[Move, Move]] = (), lender: int = 0
    ) -> Staging | None:
        """A scene that begins in both games with the position of one, or else, if that does not fit, of the other.

        What only one of the games keeps is as it was there.
        """
        starts = [self.staged(number, step, positions[number]) for number in (0, 1)]
        if starts[0] is None or starts[1] is None:
            return None
        pair = (starts[0], starts[1])
        if not self.lent(lender, pair) and not self.lent(1 - lender, pair):
            return None
        for number, m in enumerate(pair):
            m.owners = [self.games[number].layout.owner[place] for place in m.where]
        argument = self._argument(step, positions[0])
        if (argument is None) != (self.games[0].rules.steps[step].parameter is None):
            return None
        return Staging(step, argument, pair, tuple(moves), people=people(self.players))

    def lent(self, lender: int, machines: Pair) -> bool:
        """Gives the position of one game to the other; False if that one lacks a place or a card for it."""
        borrower = 1 - lender
        return transplant(self.games[lender], machines[lender], self.games[borrower], machines[borrower])

    def _argument(self, step: str, position: Machine) -> int | None:
        """Whom the step is for, where the position stands at its beginning."""
        declared = self.games[0].rules.steps[step]
        if declared.parameter is None or declared.parameter.kind != "player":
            return None
        m, program = clone(position), self.games[0].program
        if m.pc in program.begins:
            program.step(m)
        seat = m.slots[declared.slot]
        return seat if isinstance(seat, int) else None

    # ---- playing a scene --------------------------------------------------------------------------------------------

    def run(self, staging: Staging) -> tuple[Run, Run] | None:
        """Plays the scene in both games; None if one of them does not come so far."""
        try:
            return self._run(0, staging), self._run(1, staging)
        except (RuleError, IndexError, _Unplayable):
            return None  # also a position that has been made too small to be played

    def _run(self, number: int, staging: Staging) -> Run:
        game, m = self.scene_games[number], clone(staging.starts[number])
        program = game.program
        game.meter.rest()
        end = program.ends[m.pc]
        run = Run(game, m, list(m.keeps), [], "end")
        m.log = run.events
        if staging.argument is not None:
            seat_argument(game.rules, program, m, staging.step, staging.argument)
        run_until(program, m, {end})
        for pair in staging.moves:
            self._leave(program, m, end)
            if m.winners is not None or pair[number] not in game.choices(m):
                raise _Unplayable
            if m.rng != staging.starts[number].rng:
                raise _Unplayable  # whether the cards have been dealt like that is luck
            run.before, run.events = list(m.keeps), []
            m.log = run.events
            if game.make_only(m, pair[number]):
                run_until(program, m, {end})
        if staging.onward:
            self._leave(program, m, end)
        return stopped(run, end)

    @staticmethod
    def _leave(program: Program, m: Machine, end: int) -> None:
        """Goes on behind the end of the step."""
        if m.winners is None and m.pc == end:
            m.pc = program.step(m)
            run_until(program, m, set())

    # ---- changing a scene -------------------------------------------------------------------------------------------

    def with_cards(self, staging: Staging, places: Mapping[str, str], lots: int | None = None) -> Staging:
        """The scene with some cards elsewhere, in each game that has the card and the place, and with other lots."""
        starts = []
        for game, start in zip(self.games, staging.starts, strict=True):
            m, layout = clone(start), game.layout
            m.rng = m.rng if lots is None else lots
            for card in game.rules.cards:
                target = layout.by_name.get(places.get(card.id, ""), m.where[card.index])
                if target != m.where[card.index]:
                    m.places[m.where[card.index]].remove(card.index)
                    m.places[target].append(card.index)
                    m.where[card.index], m.owners[card.index] = target, layout.owner[target]
                    if not layout.ordered[target]:
                        m.places[target].sort()
                    layout.lie(m.keeps, target, [card.index])
            starts.append(m)
        return replace(staging, starts=(starts[0], starts[1]))

    def with_kept(self, staging: Staging, name: str, key: int, value: int | None) -> Staging:
        """The scene with something else kept, in each game that keeps it."""
        starts = []
        for game, start in zip(self.games, staging.starts, strict=True):
            m, layout = clone(start), game.layout
            if name in layout.keep_base:
                keys = layout.keys(game.rules.keeps[name].key)
                if key in keys:
                    m.keeps[layout.keep_base[name] + keys.index(key)] = value
            starts.append(m)
        return replace(staging, starts=(starts[0], starts[1]))


class _Unplayable(Exception):
    """A move of the scene cannot be made in one of the games."""


def stopped(run: Run, end: int | None) -> Run:
    """Notes where a run has stopped, and what can be done there."""
    m = run.machine
    if m.winners is not None:
        run.stop = "over"
    elif m.pc == end:
        run.stop = "end"
    else:
        run.stop = "decision"
        run.player = run.game.mover(m)
        try:
            run.moves = run.game.choices(m)
        except RuleGap:
            run.moves = []
    return run
