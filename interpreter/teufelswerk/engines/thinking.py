"""What a move comes to if everyone after it plays well: each tries what they can do at random, and does the best.

That is worth more than random games alone: who follows throws nothing away. The numbers are the same in machine code,
which has all of this within itself (`compiled/targets/llvm_search.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from teufelswerk.base.chance import MASK, stream
from teufelswerk.compiled.context import ABSENT
from teufelswerk.compiled.modes import AHEAD, EFFORT, LEGAL, PC, SHOWN, STANDING
from teufelswerk.compiled.targets.llvm_policy import APART, WEIGHING
from teufelswerk.compiled.targets.memory import Memory
from teufelswerk.compiled.written import Written
from teufelswerk.core.aim import worth_of_one, worth_of_winning
from teufelswerk.engines.care import Care
from teufelswerk.engines.positions import Position, signed, value


class Thought(NamedTuple):
    """What came of thinking about a move once."""

    worth: int
    """How far it brings the player, as `core/aim.py` counts."""
    standing: int | None
    """What the player has then of what decides the end; None if nothing does, or the rules were found at fault."""
    looked_at: int
    """How many choices there were in all that was tried to find out."""


class Positioned(Protocol):
    """What thinking needs of an engine."""

    def run(self, position: Position, mode: int, given: int, left: int) -> int: ...

    def described(self) -> Sequence[int]: ...

    def score(self, position: Position, seat: int) -> int: ...


class Thinker:
    """Thinks ahead with an engine's single steps."""

    def __init__(self, game: Written, memory: Memory, runner: Positioned) -> None:
        self.memory = memory
        self.runner = runner
        self.players = game.writer.players
        self.pc, self.effort = memory.offset(PC), memory.offset(EFFORT)
        self.unit, self.winning = worth_of_one(game.core), worth_of_winning(self.players)
        self.looked_at = 0
        """How many choices there were in all that was tried."""
        self.standings = [ABSENT] * self.players
        """What everyone had of what decides the end when a position was judged last."""

    def think(self, position: Position, seat: int, option: int, seed: int, care: Care) -> Thought:
        """What one of the choices is worth to the player on that seat, by one game."""
        here, memory = position[:], self.memory
        for number in range(care.depth + 1):
            if self.runner.run(here, AHEAD, option, 1) < 0:
                return Thought(0, None, self.looked_at)
            if here[self.pc] < 0 or here[memory.winners] >= 0:
                return self.thought(self.worth(here, seat), seat)
            if number == care.depth or self.looked_at >= care.most:
                break
            option = self.best(here, seed + number * APART, care)
            if option < 0:
                return Thought(0, None, self.looked_at)
        return self.thought(self.game(here, seat, -1, seed, care), seat)

    def thought(self, worth: int, seat: int) -> Thought:
        return Thought(worth, value(self.standings[seat]), self.looked_at)

    def best(self, position: Position, seed: int, care: Care) -> int:
        """The choice that does best in random games, for whoever decides; below 0 if there is none."""
        options = self.runner.run(position, LEGAL, 0, 1)
        if options <= 1:
            return options - 1
        seat, wide = self.runner.described()[0], options > care.widest
        count = min(options, care.widest)
        turned = stream(seed & MASK, 2) % options
        chosen, top = -1, 0
        for number in range(count):
            index = (number * options // count + turned) % options if wide else number
            total = 0
            for again in range(care.tries):
                if self.looked_at >= care.most:
                    return max(chosen, 0)
                total += self.game(position, seat, index, seed + again, care)
            if chosen < 0 or total > top:
                chosen, top = index, total
        return chosen

    def game(self, position: Position, seat: int, option: int, seed: int, care: Care) -> int:
        """What a game comes to that is played on at random, or by learned weights."""
        if care.wild >= 0:
            return self.follow(position, seat, option, seed, care)
        return self.trial(position, seat, option, seed, care)

    def follow(self, position: Position, seat: int, option: int, seed: int, care: Care) -> int:
        """One game by learned weights, after one of the choices if its number is not below 0."""
        here, memory, number = position[:], self.memory, 0
        self.standings = [ABSENT] * self.players
        while True:
            if option >= 0:
                made = self.runner.run(here, AHEAD, option, 1)
                self.looked_at += 1
                if made < 0:
                    return 0
                ended = here[self.pc] < 0 or here[memory.winners] >= 0
                if ended or number >= care.longest or self.looked_at >= care.most:
                    return self.worth(here, seat)
            number += 1
            option = self.promising(here, stream(seed + number * APART & MASK, 2), care)
            if option < 0:
                return 0

    def promising(self, position: Position, lot: int, care: Care) -> int:
        """The choice that promises most, for whoever decides; below 0 if there is none."""
        options = self.runner.run(position, LEGAL, 0, 1)
        if options <= 1:
            return options - 1 if options >= 0 else -1
        self.looked_at += options * WEIGHING
        seat, turned = self.runner.described()[0], (lot >> 7) % options
        if lot & 127 < care.wild:
            return turned
        wide, count = options > care.widest, min(options, care.widest)
        chosen, top = -1, 0
        for number in range(count):
            index = (number * options // count + turned) % options if wide else number
            after = position[:]
            if self.runner.run(after, SHOWN, index, 1) < 0:
                continue
            self.looked_at += after[self.effort] - position[self.effort]
            score = self.runner.score(after, seat)
            if chosen < 0 or score > top:
                chosen, top = index, score
        return chosen

    def trial(self, position: Position, seat: int, option: int, seed: int, care: Care) -> int:
        """One random game, after one of the choices if its number is not below 0."""
        after = position[:]
        after[self.memory.CHOICES] = signed(stream(seed & MASK, 1))
        after[self.effort] = 0
        made = self.runner.run(after, AHEAD, option, care.longest)
        self.looked_at += 1 + (after[self.effort] if made >= 0 else 0)
        self.standings = [ABSENT] * self.players
        return self.worth(after, seat) if made >= 0 else 0

    def worth(self, position: Position, seat: int) -> int:
        """How far the player is ahead of the others, and at the end whether they have won."""
        self.runner.run(position, STANDING, 0, 0)
        self.standings = [*self.runner.described()[: self.players]]
        found = [value(number) or 0 for number in self.standings]
        ahead = found[seat] * self.players - sum(found) if self.players > 1 else found[seat]
        won = position[self.memory.winners]
        prize = self.winning // won.bit_count() if won >= 0 and won >> seat & 1 else 0
        return self.unit * ahead + prize
