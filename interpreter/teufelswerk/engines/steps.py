"""Compiled rules that can be put into any position: its legal moves, one of them made, random play on from there.

    steps = Steps(rules, players=4)
    position = steps.position(state)            # an array of 64-bit numbers; `steps.state(position)` gives the state
    steps.legal(position)                       # the legal moves, in the order of `game.legal_moves`
    following = steps.apply(position, 2)        # the position after the third of them
    steps.playout(following, seed=7, to="round")    # random moves; `steps.ahead` gives the position they lead to
    steps.trials(position, seed=7, count=100)   # what every legal move comes to in a hundred games

Everything comes out as the reference interpreter has it, which is also asked where the rules are at fault.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from teufelswerk.base.limits import MAX_MOVES_IN_GAME
from teufelswerk.compiled.context import ABSENT
from teufelswerk.compiled.modes import DESCRIBE, LEGAL, PC, PLAY, ROUND, SHOWN, STEP
from teufelswerk.compiled.targets.memory import Memory
from teufelswerk.compiled.whole_game import written
from teufelswerk.core.lower_game import core_of
from teufelswerk.engines.care import CARE, Care
from teufelswerk.engines.positions import Numbers, Position, Positions, picked, put, value
from teufelswerk.engines.random_games import has_native
from teufelswerk.engines.tally import Outcomes
from teufelswerk.engines.thinking import Thought
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.state import Move, State
from teufelswerk.model import Model

End: TypeAlias = Literal["round", "game"]
"""How far a random game is played on: to the first decision of another round, or to its end."""
Weights: TypeAlias = Mapping[str, Mapping[str, int]]
"""By move, what each of the numbers that can be told of it weighs; without any move, all are told and none weighs."""
COMPILED = ("python", "native")
WIDE = 200
"""Of more choices than so many each would list all of them anew: the reference interpreter tells them."""


@dataclass(frozen=True)
class Playout:
    """What came of a position: after how many moves, who won (None: it is not over), what is kept of each player."""

    moves: int
    winners: tuple[int, ...] | None
    keeps: tuple[tuple[int | None, ...], ...]
    """In the order of the rule file, for each thing that is kept of each player: the values, seat by seat."""


@dataclass(frozen=True)
class Trial:
    """What a move came to in some random games, all added up."""

    move: Move
    moves: int
    over: int
    """How many of the games came to their end."""
    wins: tuple[int, ...]
    """Seat by seat: how many of them the player won, alone or with others."""
    keeps: tuple[tuple[int, ...], ...]
    """As in `Playout`. What was never set counts nothing."""


class Runner(Protocol):
    """What an engine does with positions. A result below 0 says that the rules are at fault."""

    def begin(self, position: Position, seed: int) -> int:
        """Fills in the position of a game's first decision."""

    def run(self, position: Position, mode: int, given: int, left: int) -> int:
        """Does what the mode asks for, as `turns` has it."""

    def described(self) -> Sequence[int]:
        """The choice that was described last."""

    def think(self, position: Position, seat: int, option: int, seed: int, care: Care) -> Thought:
        """What a choice is worth to the player on a seat."""

    def weigh(self, weights: Sequence[int]) -> None:
        """From now on these are the learned weights."""

    def score(self, position: Position, seat: int) -> int:
        """What the move that was shown last promises a player, in the position after it."""

    def numbers(self) -> Sequence[int]:
        """The numbers that were weighed for that."""

    def playouts(
        self, position: Position, seed: int, count: int, mode: int, given: int, left: int
    ) -> tuple[Numbers, Numbers]:
        """For so many seeds the number of moves, and in a row for each what came of it."""


def runner(name: str, positions: Positions) -> Runner:
    if name not in COMPILED:
        raise ValueError(name)
    if name == "native":
        from teufelswerk.engines.native_steps import NativeRunner

        return NativeRunner(positions.game, positions.memory)
    from teufelswerk.engines.python_steps import PythonRunner

    return PythonRunner(positions)


class Steps:
    """The positions of a game. Whatever is not asked for as a state stays an array."""

    def __init__(self, rules: Model, players: int, engine: str | None = None, weights: Weights | None = None) -> None:
        self.game = Game(rules, players)
        self.players = players
        self.engine = engine or ("native" if has_native() else "python")
        game = written(core_of(rules), self.game.layout, resumable=True, weighed=weights)
        self.weighing = game.weighing
        self.memory = Memory(game)
        self.positions = Positions(game, self.memory, self.game.program)
        self.verbs = list(game.core.moves.values())
        self.pc = self.memory.offset(PC)
        self.round = None if game.turns.round is None else self.memory.offset(game.turns.round)
        self.runner = runner(self.engine, self.positions)
        if weights is not None:
            self.weigh(weights)

    # ---- positions --------------------------------------------------------------------------------------------------

    def start(self, seed: int) -> Position:
        """The position of the first decision, everything before it drawn from the seed."""
        position = array("q", bytes(8 * self.memory.kept))
        return position if self.runner.begin(position, seed) >= 0 else self.position(self.game.start(seed))

    def position(self, state: State) -> Position:
        return self.positions.position(state)

    def state(self, position: Position) -> State:
        return self.positions.state(position)

    def is_over(self, position: Position) -> bool:
        return position[self.memory.winners] >= 0

    # ---- one decision -----------------------------------------------------------------------------------------------

    def count(self, position: Position) -> int:
        """How many legal moves there are; none when the game is over."""
        found = self.runner.run(position, LEGAL, 0, 1)
        return found if found >= 0 else len(self.game.legal_moves(self.state(position)))

    def legal(self, position: Position) -> list[Move]:
        """The legal moves; none when the game is over."""
        count = self.count(position)
        if count > WIDE:
            return self.game.legal_moves(self.state(position))
        return [self.move(position, index) for index in range(count)]

    def move(self, position: Position, index: int) -> Move:
        """The legal move with a number. Raises IndexError if there is none."""
        if index < 0:
            raise IndexError(index)
        if self.runner.run(position, DESCRIBE, index, 1) <= 0:
            return self.game.legal_moves(self.state(position))[index]
        told, at = self.runner.described(), 2
        move = self.verbs[told[1]]
        picks = []
        for choice in move.choices:
            picks.append(picked(told, choice, at))
            at += 1 + told[at] if choice.several else 1
        return Move(told[0], move.name, tuple(picks))

    def apply(self, position: Position, index: int) -> Position:
        """The position after the legal move with a number. Raises IndexError if there is none."""
        after = position[:]
        if index < 0 or self.is_over(position):
            raise IndexError(index)
        if self.runner.run(after, STEP, index, 1) >= 0:
            return after
        state = self.state(position)
        return self.position(self.game.apply(state, self.game.legal_moves(state)[index]))

    # ---- random play ------------------------------------------------------------------------------------------------

    def playout(self, position: Position, seed: int, to: End = "game", most: int = MAX_MOVES_IN_GAME) -> Playout:
        """Random legal moves from a position on, all chance drawn from the seed, as `game.playout` makes them."""
        found = self.playouts(position, seed, 1, to, most)
        won = found.winners[0]
        winners = None if won < 0 else tuple(seat for seat in range(self.players) if won >> seat & 1)
        return Playout(found.moves[0], winners, tuple(tuple(seat[0] for seat in kept) for kept in found.keeps))

    def ahead(self, position: Position, seed: int, to: End = "game", most: int = MAX_MOVES_IN_GAME) -> Position:
        """The position to which a playout comes."""
        this_round, after = self.round_of(position, to), position[:]
        self.positions.draw_from(after, seed)
        if self.is_over(position):
            return after
        mode, given = (PLAY, 0) if this_round is None else (ROUND, this_round)
        if self.runner.run(after, mode, given, min(most, MAX_MOVES_IN_GAME)) >= 0:
            return after
        return self.position(self.game.playout(self.state(position), seed, to == "round", most))

    def playouts(
        self, position: Position, seed: int, count: int, to: End = "game", most: int = MAX_MOVES_IN_GAME
    ) -> Outcomes:
        """The playouts of so many seeds. Who has won are bits, or -1 where the game is not over."""
        return self.played_on(position, seed, count, self.round_of(position, to), most)

    def trials(
        self, position: Position, seed: int, count: int, to: End = "game", most: int = MAX_MOVES_IN_GAME
    ) -> list[Trial]:
        """Every legal move, with what it comes to in the games of the same seeds; the round is that of the position
        before the move, which may be its last one."""
        moves, this_round = self.legal(position), self.round_of(position, to)
        return [
            self.trial(move, self.played_on(self.apply(position, index), seed, count, this_round, most))
            for index, move in enumerate(moves)
        ]

    def think(self, position: Position, seat: int, option: int, seed: int, care: Care = CARE) -> Thought:
        """What the legal move with a number comes to for the player on a seat, if everyone plays well after it, until
        chance is asked or the game is over."""
        return self.runner.think(position, seat, option, seed, care)

    # ---- learned weights --------------------------------------------------------------------------------------------

    def weigh(self, weights: Weights) -> None:
        """Other weights from now on; what was not weighed when this was made never is."""
        assert self.weighing is not None
        rows = self.weighing.rows.items()
        self.runner.weigh([weights.get(move, {}).get(name, 0) for move, names in rows for name in names])

    def seat(self, position: Position) -> int:
        """Who decides."""
        self.count(position)
        return self.runner.described()[0]

    def promised(self, position: Position, index: int) -> int | None:
        """What the legal move with a number promises whoever makes it, by the learned weights; None where the rules are
        at fault."""
        after = position[:]
        if self.runner.run(after, SHOWN, index, 1) < 0:
            return None
        return self.runner.score(after, self.runner.described()[0])

    def told(self, position: Position, index: int) -> tuple[str, list[int]] | None:
        """The name of the legal move with a number and what is told of it, in the order of `weighing.rows`."""
        if self.promised(position, index) is None or self.weighing is None:
            return None
        move = self.verbs[self.runner.described()[1]].name
        return move, list(self.runner.numbers()[: len(self.weighing.rows[move])])

    def round_of(self, position: Position, to: End) -> int | None:
        """What tells the round of a position from others; None if rounds do not matter."""
        return None if to == "game" or self.round is None else position[self.round]

    def played_on(self, position: Position, seed: int, count: int, this_round: int | None, most: int) -> Outcomes:
        mode, given = (PLAY, 0) if this_round is None else (ROUND, this_round)
        moves, rows = self.runner.playouts(position, seed, count, mode, given, min(most, MAX_MOVES_IN_GAME))
        if min(moves, default=0) < 0:
            state = self.state(position)
            for number in [number for number, made in enumerate(moves) if made < 0]:
                # compiled rules found themselves at fault: the reference interpreter says where, or plays on
                trail: list[tuple[int, int]] = []
                after = self.position(self.game.playout(state, seed + number, this_round is not None, most, trail))
                moves[number] = len(trail)
                row = [after[self.memory.winners], *self.memory.kept_of_players(after)]
                put(rows, number * self.memory.result_width, row)
        n, width = self.players, self.memory.result_width
        found = Outcomes(moves.tolist(), rows[::width].tolist())
        for first in range(1, width, n):
            columns = [rows[first + seat :: width] for seat in range(n)]
            found.keeps.append([list(map(value, column)) if ABSENT in column else list(column) for column in columns])
        return found

    def trial(self, move: Move, found: Outcomes) -> Trial:
        return Trial(
            move,
            sum(found.moves),
            sum(won >= 0 for won in found.winners),
            tuple(sum(won >= 0 and won >> seat & 1 for won in found.winners) for seat in range(self.players)),
            tuple(tuple(sum(value or 0 for value in seat) for seat in kept) for kept in found.keeps),
        )
