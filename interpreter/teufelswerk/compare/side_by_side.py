"""Two games → both played with the same random moves, and where each of their steps has begun."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from teufelswerk.base import chance
from teufelswerk.base.budget import Deadline
from teufelswerk.base.limits import MAX_STEPS
from teufelswerk.compare.staging import BothGames, Pair, Run, stopped
from teufelswerk.examples.open_cards import clone
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.machine import Machine, RuleError
from teufelswerk.interpreter.program import DECISION, OVER
from teufelswerk.interpreter.state import Move

Played: TypeAlias = list[tuple[Move, Move]]
Starts: TypeAlias = dict[str, tuple[Machine, Played]]
"""Where each step began last, and what has been played since then."""


class SideBySide:
    """One game in two versions."""

    def __init__(self, both: BothGames, seed: int) -> None:
        self.both = both
        self.machines: Pair = (both.games[0].machine(seed), both.games[1].machine(seed))
        self.rng = chance.stream(seed, 1)
        self.begun: tuple[Starts, Starts] = ({}, {})
        self.around: tuple[Starts, Starts] = ({}, {})
        """The steps around the last move, which ends what has been played since they began."""
        self.since: tuple[Starts, Starts] = ({}, {})
        """The steps that have begun since the last move."""

    def begin(self) -> tuple[Run, Run]:
        """To the first decision."""
        return self.run(0), self.run(1)

    def made_alike(self) -> tuple[Run, Run] | None:
        """Gives both games the position of one of them; None if the other one cannot have it, or another is to move."""
        if any(m.winners is not None for m in self.machines):
            return None
        lender = next((number for number in (0, 1) if self.both.lent(number, self.machines)), None)
        if lender is None:
            return None
        for step in self.begun[0]:
            if step in self.begun[1]:
                self.both.lent(lender, (self.begun[0][step][0], self.begun[1][step][0]))
        games = self.both.games
        if games[0].mover(self.machines[0]) != games[1].mover(self.machines[1]):
            return None  # a lot has fallen differently, and that is no difference between the games
        first, second = (Run(g, m, list(m.keeps), [], "end") for g, m in zip(games, self.machines, strict=True))
        return stopped(first, None), stopped(second, None)

    def move(self, runs: tuple[Run, Run]) -> tuple[Run, Run] | None:
        """Makes a random move that both games allow and runs on; None if there is none."""
        if any(run.stop == "over" for run in runs):
            return None
        common = _common(*runs)
        if not common:
            return None
        self.rng, index = chance.below(self.rng, len(common))
        return self.make(common[index])

    def make(self, pair: tuple[Move, Move]) -> tuple[Run, Run]:
        """Makes a move, as each of the games numbers it, and runs on."""
        for number, game in enumerate(self.both.games):
            pc, program, begun = self.machines[number].pc, game.program, self.begun[number]
            inside = {name for start, name in program.begins.items() if start < pc < program.ends[start]}
            for step, (start, moves) in begun.items():
                begun[step] = (start, [*moves, pair])
            self.around[number].clear()
            self.around[number].update({step: begun[step] for step in begun if step in inside})
            self.since[number].clear()
        return self.run(0, pair[0]), self.run(1, pair[1])

    def run(self, number: int, move: Move | None = None) -> Run:
        """Makes a move and runs to the next decision; remembers where steps began."""
        game, m = self.both.games[number], self.machines[number]
        run = Run(game, m, list(m.keeps), [], "end")
        m.log = run.events
        if move is not None and not game.make_only(m, move):
            return stopped(run, None)
        for step, start in begun_steps(game, m).items():
            self.begun[number][step] = self.since[number][step] = (start, [])
        return stopped(run, None)

    def steps(self) -> Iterator[tuple[str, Pair, Played]]:
        """Steps from which the last move, or what followed it, can be played again in both games."""
        for starts in (self.since, self.around):
            for step, (first, moves) in starts[0].items():
                if step in starts[1]:
                    yield step, (first, starts[1][step][0]), moves


def begun_steps(game: Game, m: Machine) -> dict[str, Machine]:
    """Runs to the next decision or to the end; gives where each step began on the way, the last time that it did."""
    program, begun = game.program, dict[str, Machine]()
    for _ in range(MAX_STEPS):
        if m.pc in program.begins:
            begun[program.begins[m.pc]] = clone(m)
        following = program.step(m)
        if following == DECISION:
            return begun
        if following == OVER:
            m.winners = m.winners or ()
            return begun
        m.pc = following
    return begun


def last_steps(game: Game, soon: Deadline) -> dict[str, Machine]:
    """A random game by itself: where the steps began that came after its last move; nothing if it takes too long."""
    m, rng = game.machine(0), chance.stream(0, 1)
    try:
        begun = begun_steps(game, m)
        while m.winners is None and not soon.passed:
            moves = game.choices(m)
            rng, index = chance.below(rng, len(moves))
            if game.make_only(m, moves[index]):
                begun = begun_steps(game, m)
    except RuleError:
        return {}
    return begun if m.winners is not None else {}


def _common(first: Run, second: Run) -> Played:
    """The moves that both games allow."""
    if first.described == second.described:
        return list(zip(first.moves, second.moves, strict=True))
    theirs = {str(words): move for words, move in zip(second.described, second.moves, strict=True)}
    ours = zip(first.described, first.moves, strict=True)
    return [(move, theirs[str(words)]) for words, move in ours if str(words) in theirs]
