"""A model → the source of one function that plays a whole game: steps written out where they are called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from teufelswerk import model
from teufelswerk.compiled.context import BAIL
from teufelswerk.compiled.emit import NotCompiled, harmless
from teufelswerk.compiled.moves import Moves
from teufelswerk.compiled.planes import Kept
from teufelswerk.effort import heavy
from teufelswerk.limits import MAX_INSTRUCTIONS, MAX_MOVES_IN_GAME, MAX_REPEATS
from teufelswerk.machine import Layout
from teufelswerk.texts import Text

if TYPE_CHECKING:
    from teufelswerk.compiled.counted import Counters


def compile_source(rules: model.Model, players: int, trail: bool = False, counters: Counters | None = None) -> str:
    """The game's source for a number of players, which counts if there are counters. Raises NotCompiled."""
    layout = Layout(rules, players)
    read: frozenset[tuple[str, str]] | None = None
    kept: tuple[Kept, ...] = ()
    while True:  # until nothing is kept that is not read; that is reached soon, since what is kept can only shrink
        flow = Flow(layout, read, kept=kept, trail=trail, counters=counters)
        source = flow.whole()
        found = frozenset(flow.places.read), tuple(flow.kept)
        if found == (read, kept):
            return source
        read, kept = found


class Flow(Moves):
    """Writes the flow of the game."""

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self.idle: str | None = None
        """In a lap: the variable that counts the players who passed one after the other."""

    def whole(self) -> str:
        """The tables, then the function. It counts no work, so there must not be too much of it."""
        if found := heavy(self.rules):
            raise NotCompiled(Text("a decision that may take very long"), found.span)
        self.out("chance = stream(seed, 0)")
        self.out("choices = stream(seed, 1)")
        self.out("draws = array(BLOCK)")
        self.out("at = BLOCK")
        self.out("moves = -BLOCK")
        self.out("looked_at = 0")
        if self.asks_owner:
            self.out(f"owner = filled({len(self.rules.cards)}, -1)")
        self.places.declare()
        self.keeps()
        self.declare_kept()
        self.ticks.declare(self.places.families, self.players)
        heads = len(self.out.lines)
        self._Call(model.Call(-1, self.rules.steps["game"].span, (), "game", None))
        self.finish("0")
        self.out.lines[heads:heads] = ["    " + line for line in self.heads]
        if len(self.out.lines) > MAX_INSTRUCTIONS:
            raise NotCompiled(Text("so long a game"), self.rules.steps["game"].span)
        title = f"{self.rules.title} for {self.players} players, made from {self.rules.source.name}.rules.md."
        return "\n".join(
            [
                f"# {harmless(title)}",
                *self.tables.lines,
                "",
                "",
                f"def play(seed, result, trail{', counts' if self.ticks.counters else ''}):",
                '    """Plays the game of a seed with random moves; gives their number, or -1 if it got stuck."""',
                *self.out.lines,
                "",
            ]
        )

    def keeps(self) -> None:
        """What is kept, as it is at the start."""
        for keep in self.rules.keeps.values():
            size = len(self.layout.keys(keep.key))
            initial = "0" if keep.names else str(self.absent(keep.type))
            if keep.initial is not None:
                initial = self.needed(keep.initial).text
            name = self.keep_names[keep.name]
            self.out(f"{name} = {initial}" if keep.key is None else f"{name} = filled({size}, {initial})")

    def finish(self, winners: str) -> None:
        """The end of the game: the winners as a mask, then what is kept of each player."""
        with self.out.block(f"if moves + at >= {MAX_MOVES_IN_GAME}:"):
            self.out(BAIL)
        self.out(f"result[0] = {winners}")
        position = 1
        for keep in self.rules.keeps.values():
            if keep.key is not None and keep.key.kind == "player":
                for seat in range(self.players):
                    self.out(f"result[{position}] = {self.keep_names[keep.name]}[{seat}]")
                    position += 1
        self.out("return moves + at")

    # ---- steps and loops --------------------------------------------------------------------------------------------

    def _Call(self, s: model.Call) -> None:
        step = self.rules.steps[s.step]
        self.ticks.step(s.step)
        if s.argument is not None:
            argument = self.needed(s.argument)
            name = self.variable(step.slot, step.name, step.parameter)
            self.out(f"{name} = {argument.text}")
        self.block(step.body)

    def _Repeat(self, s: model.Repeat) -> None:
        times = self.needed(s.times)
        if times.high is None or times.high > MAX_REPEATS:
            times = self.out.named("times", times)
            with self.out.block(f"if {times.text} > {MAX_REPEATS}:"):
                self.out(BAIL)
        time = self.out.name("time")
        certain = times.low is not None and times.low > 0
        with self.loop(s.body, certain), self.out.block(f"for {time} in range({times.text}):"):
            self.block(s.body)

    def _Until(self, s: model.Until) -> None:
        repeats = self.out.let("repeats", "0")
        with self.loop(s.body), self.out.block("while True:"):
            with self.out.block(f"if {self.test(s.condition)}:"):
                self.out("break")
            self.repeated(repeats)
            self.block(s.body)

    def repeated(self, repeats: str) -> None:
        """Counts the repeats of a loop, which may not go on for ever; decisions count the moves."""
        self.out(f"{repeats} += 1")
        with self.out.block(f"if {repeats} > {MAX_REPEATS}:"):
            self.out(BAIL)

    def _GoRound(self, s: model.GoRound) -> None:
        outer = self.idle
        player = self.variable(s.slot, "player", model.PLAYER)
        self.out(f"{player} = {self.needed(s.first).text}")
        repeats = self.out.let("repeats", "0")
        self.idle = self.out.let("idle", "0")
        with self.loop(s.body), self.out.block("while True:"):
            with self.out.block(f"if {self.test(s.condition)}:"):
                self.out("break")
            self.repeated(repeats)
            self.out("passing = 1")
            self.block(s.body)
            self.out(f"{self.idle} = {self.idle} + 1 if passing else 0")
            self.out(f"{player} = {self.tables.neighbour('left')}[{player}]")
        self.idle = outer

    def all_pass(self, expr: model.AllPass) -> str:
        if self.idle is None:
            return super().all_pass(expr)
        return f"{self.idle} >= {self.players}"

    def moved(self) -> None:
        if self.idle is not None:
            self.out("passing = 0")

    def _Wins(self, s: model.Wins) -> None:
        best = [self.out.let("best", "0") for _ in s.criteria]
        self.out("winners = 0")
        seat = self.variable(s.slot, "seat", model.PLAYER)
        with self.out.block(f"for {seat} in range({self.players}):"):
            values = [self.out.named("value", self.needed(by)).text for _, by in s.criteria]
            better, equal = [], "winners"
            for (extreme, _), value, so_far in zip(s.criteria, values, best, strict=True):
                better.append(f"{equal} and {value} {'<' if extreme == 'lowest' else '>'} {so_far}")
                equal = f"{equal} and {value} == {so_far}"
            with self.out.block(f"if winners == 0 or {' or '.join(better)}:"):
                for so_far, value in zip(best, values, strict=True):
                    self.out(f"{so_far} = {value}")
                self.out(f"winners = 1 << {seat}")
            with self.out.block(f"elif {equal}:"):
                self.out(f"winners |= 1 << {seat}")
        self.finish("winners")
