"""A game → positions in which the rules name no move: found by play, made small, written as a scene."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from teufelswerk import model
from teufelswerk.base import chance
from teufelswerk.base.limits import MAX_MOVES_IN_GAME, MAX_STEPS, MAX_WORK_IN_GAME
from teufelswerk.examples.open_cards import clone
from teufelswerk.examples.scene_start import people
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.machine import BOX, Machine, RuleError, RuleGap, in_words
from teufelswerk.interpreter.program import DECISION, OVER
from teufelswerk.interpreter.state import Move


@dataclass
class Gap:
    """A position without a move: who is stuck, which moves were tried, and how it can be reached."""

    game: Game
    seed: int
    player: int
    tried: tuple[str, ...]
    position: str
    start: Machine
    """Where the step that holds the turn began."""
    moves: list[Move]
    """What was played since then."""

    @property
    def size(self) -> tuple[int, int]:
        """How much a reader has to take in: moves played, then cards on show or in the hand in question."""
        return len(self.moves), len(shown_cards(self.game, self.start, self.player))


def find_gaps(
    rules: model.Model, players: int, games: int, seed: int, tick: Callable[[], None] | None = None
) -> tuple[Gap | None, int]:
    """The shortest gap that random games come upon, made smaller, and how many games ran into one."""
    game = Game(rules, players)
    shortest: Gap | None = None
    stuck = 0
    for number in range(games):
        gap = _play(game, seed + number)
        if gap:
            stuck += 1
            if shortest is None or gap.size < shortest.size:
                shortest = gap
        if tick:
            tick()
    return (_shrunk(shortest) if shortest else None), stuck


def _play(game: Game, seed: int) -> Gap | None:
    """One random game; remembers where the innermost step began, so that a gap can be shown from there."""
    m, rng = game.machine(seed), chance.stream(seed, 1)
    begun: dict[int, tuple[Machine, list[Move]]] = {}
    work = game.meter.work
    for _ in range(MAX_MOVES_IN_GAME):
        game.still_bearable(work, MAX_WORK_IN_GAME)
        _run(game, m, begun)
        if m.winners is not None:
            return None
        try:
            moves = game.choices(m)
        except RuleGap as gap:
            start, played = begun[_step_around(game, m.pc)]
            return Gap(game, seed, gap.player, gap.tried, game.text(game.freeze(m)), start, played)
        rng, index = chance.below(rng, len(moves))
        for _, played in begun.values():
            played.append(moves[index])
        game.make_only(m, moves[index])
    return None


def _run(game: Game, m: Machine, begun: dict[int, tuple[Machine, list[Move]]]) -> None:
    begins = game.program.begins
    game.meter.rest()
    for steps in range(MAX_STEPS):
        if m.pc in begins:
            begun[m.pc] = (clone(m), [])
        following = game.program.step(m)
        if following in (DECISION, OVER):
            game.meter.work += steps
            if following == OVER:
                m.winners = m.winners or ()
            return
        m.pc = following
    raise game.no_decision()


def _step_around(game: Game, pc: int) -> int:
    """Where the innermost step around an instruction begins."""
    around = [start for start, end in game.program.ends.items() if start < pc < end]
    return max(around)


# ---- making it smaller ----------------------------------------------------------------------------------------------


def shown_cards(game: Game, m: Machine, player: int) -> list[int]:
    """The cards that a scene has to give: those on show, and the hand of the player who is stuck."""
    layout = game.layout
    return [
        card
        for index, cards in enumerate(m.places)
        for card in cards
        if index != BOX and layout.sees_card(player, m.keeps, index, card)
    ]


def _still_stuck(gap: Gap, start: Machine) -> bool:
    m = clone(start)
    try:
        _run(gap.game, m, {})
        for move in gap.moves:
            if m.winners is not None or move not in gap.game.choices(m):
                return False
            gap.game.make_only(m, move)
            _run(gap.game, m, {})
        if m.winners is not None:
            return False
        gap.game.choices(m)
    except RuleGap as found:
        return found.player == gap.player and found.tried == gap.tried
    except (RuleError, IndexError):
        return False
    return False


def _offered(gap: Gap, start: Machine) -> list[str]:
    """The moves for which the player who is stuck has something to choose, if only in vain."""
    m, offered = clone(start), []
    for verb in gap.tried:
        code = gap.game.code(verb)
        m.slots[code.move.slot] = gap.player
        try:
            if code.move.choices and code.combinations(m):
                offered.append(verb)
        except RuleError:
            offered.append(verb)  # for which there is very much to choose
    return offered


def _shrunk(gap: Gap) -> Gap:
    """The gap with every card taken away that it does not need."""
    start = clone(gap.start)
    offered = _offered(gap, start)
    again = True
    while again:
        again = False
        for card in shown_cards(gap.game, start, gap.player):
            if len(start.places[start.where[card]]) == 1:
                continue
            trial = clone(start)
            trial.places[trial.where[card]].remove(card)
            trial.places[BOX].append(card)
            trial.where[card] = BOX
            if _offered(gap, trial) == offered and _still_stuck(gap, trial):
                start, again = trial, True
    return Gap(gap.game, gap.seed, gap.player, gap.tried, gap.position, start, gap.moves)


# ---- writing it down ------------------------------------------------------------------------------------------------


def scene_of(gap: Gap) -> list[str]:
    """The gap as a scene that can be pasted into the rule file."""
    game, start, layout = gap.game, gap.start, gap.game.layout
    names = list(people(game.players))
    step = game.rules.steps[game.program.begins[start.pc]]
    argument = f" of {names[gap.player]}" if step.parameter is not None else ""
    lines = [f"scene {step.name}{argument}: {', '.join(names)}"]
    for index, keep in layout.declared:
        value = start.keeps[index]
        if value is not None and keep.key is None:
            lines.append(f"given {keep.name}: {_value(gap, keep, value, names)}")
    shown = set(shown_cards(game, start, gap.player))
    for index, cards in enumerate(start.places):
        if index != BOX and shown & set(cards):
            place = in_words(layout, index, names)
            ids = (game.rules.cards[c].id + " up" * layout.lies_up(start.keeps, c) for c in cards)
            lines.append(f"given {place}: {', '.join(ids)}")
    for move in gap.moves:
        choice = ", ".join(str(value) for value in game.choice(move).values())
        lines.append(f"{names[move.player]} {move.verb} {choice}".rstrip())
    return lines + [f"refused {names[gap.player]} {verb}" for verb in _offered(gap, start)]


def _value(gap: Gap, keep: model.Keep, value: int, names: list[str]) -> str:
    if keep.type.kind == "player" or keep.type.same(model.SIDE):
        return names[value]
    return str(gap.game.program.teller.raw(keep.type, value))
