"""Typed statements that need no decision → lines that change the places and what is kept."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from teufelswerk import model
from teufelswerk.compiled.carrying import Carrying
from teufelswerk.compiled.context import BAIL
from teufelswerk.compiled.emit import Code, NotCompiled
from teufelswerk.compiled.movements import left_in
from teufelswerk.limits import MAX_NUMBER
from teufelswerk.order import walk
from teufelswerk.texts import Text


class Actions(Carrying):
    """Writes statements one after the other."""

    def block(self, body: model.Block) -> None:
        skip = False
        for statement, following in zip(body, [*body[1:], None], strict=False):
            if skip:
                skip = False
            elif isinstance(statement, model.Shuffle) and self.is_dealt(statement, following):
                assert isinstance(following, model.Deal)
                self.shuffle_and_deal(statement, following)
                skip = True
            else:
                self.statement(statement)

    def statement(self, s: model.Statement) -> None:
        if not self.matters(s):
            return
        self.note(s)
        if not isinstance(s, model.If):
            self.ticks.unit(s.id, f"rule in line {s.span.line}")
        method: Callable[[Any], None] | None = getattr(self, "_" + type(s).__name__, None)
        if method is None:
            raise NotCompiled(Text("a statement of this kind"), s.span)
        method(s)

    def matters(self, s: model.Statement) -> bool:
        """Whether a statement can change anything: telling something does not."""
        if isinstance(s, model.Tell):
            return False
        if isinstance(s, model.If) and not any(isinstance(part, model.Random) for part in walk(s.condition)):
            return self.ticks.counts(s.id) or any(map(self.matters, (*s.then, *s.otherwise)))
        return True

    # ---- what is kept -----------------------------------------------------------------------------------------------

    def keep_text(self, target: model.KeepOf) -> str:
        index = self.index(target.key, target.keep.key)
        if index.present:
            with self.out.block(f"if not ({index.present}):"):
                self.out(BAIL)
        name = self.keep_names[target.keep.name]
        return name if target.keep.key is None else f"{name}[{index.text}]"

    def _Becomes(self, s: model.Becomes) -> None:
        target, keep = self.keep_text(s.target), s.target.keep
        with self.ticks.value():
            value = self.needed(s.value)
        self.out(f"{target} = {value.text}")
        if keep.key is None:
            self.assigned.add(keep.name)
        sure = value.low is not None and value.high is not None and max(-value.low, value.high) <= MAX_NUMBER
        if keep.type.kind == "number" and not sure:
            with self.out.block(f"if not -{MAX_NUMBER} <= {target} <= {MAX_NUMBER}:"):
                self.out(BAIL)

    def _Pays(self, s: model.Pays) -> None:
        payer, receiver = self.keep_text(s.payer), self.keep_text(s.receiver)
        if s.payer.keep.initial is None or s.receiver.keep.initial is None:
            raise NotCompiled(Text("paying from what may not have been set yet"), s.span)
        paid = self.variable(s.paid_slot, "paid")
        with self.ticks.value():
            amount = self.needed(s.amount).text
        self.out(f"{paid} = max(0, min({amount}, {payer}))")
        self.out(f"{payer} -= {paid}")
        self.out(f"{receiver} += {paid}")
        self.ticks.paid(s, paid, self.slots)

    def _SetLocal(self, s: model.SetLocal) -> None:
        with self.ticks.value():
            value = self.needed(s.value)
        name = self.out.let("value", value.text)
        self.slots[s.slot] = Code(name, None, value.low, value.high)

    # ---- blocks -----------------------------------------------------------------------------------------------------

    def _If(self, s: model.If) -> None:
        condition = self.test(s.condition)
        with self.branches() as branch:
            with branch(), self.out.block(f"if {condition}:"):
                self.ticks.unit(s.id, f"branch in line {s.span.line}")
                self.block(s.then)
            with branch():
                if self.ticks.counts(s.else_id) or any(map(self.matters, s.otherwise)):
                    with self.out.block("else:"):
                        self.ticks.unit(s.else_id, f"else of line {s.span.line}")
                        self.block(s.otherwise)

    @contextmanager
    def branches(self) -> Iterator[Callable[[], Any]]:
        """Several ways to go on from here: what is sure afterwards is what is sure after each of them."""
        assigned, least = set(self.assigned), dict(self.places.least)
        ends: list[tuple[set[str], dict[str, int]]] = []

        @contextmanager
        def branch() -> Iterator[None]:
            self.assigned, self.places.least = set(assigned), dict(least)
            yield
            ends.append((self.assigned, self.places.least))
            self.origin.clear()

        yield branch
        self.assigned = set.intersection(*(one for one, _ in ends))
        self.places.least = {name: min(some.get(name, 0) for _, some in ends) for name in least}

    @contextmanager
    def loop(self, body: model.Block, certain: bool = False) -> Iterator[None]:
        """A body that may run again, and unless it is certain maybe not at all."""
        assigned, leaving = set(self.assigned), left_in(self, body)
        least = {name: number for name, number in self.places.least.items() if name not in leaving}
        self.places.least = dict(least)
        self.origin.clear()
        yield
        after = self.places.least
        self.places.least = {name: min(number, after.get(name, 0)) for name, number in least.items()}
        if not certain:
            self.assigned = assigned

    def _Each(self, s: model.Each) -> None:
        if s.at_once:
            self.at_once(s)
            return
        if s.first is None:
            with self.loop(s.body), self.each(s.over) as item:
                self.slots[s.slot] = item
                self.block(s.body)
            return
        with self.loop(s.body), self.around(s.first, s.last) as seat:
            self.slots[s.slot] = seat
            self.block(s.body)

    @contextmanager
    def around(self, first: model.Expr, last: model.Expr | None) -> Iterator[Code]:
        """Goes through the players clockwise, from the first to the last."""
        seat = self.out.let("seat", self.needed(first).text)
        length = self.distance(first, last)
        if length is None:
            assert last is not None
            length = f"({self.needed(last).text} - {seat}) % {self.players} + 1"
        turn = self.out.name("turn")
        with self.out.block(f"for {turn} in range({length}):"):
            yield Code(seat, None, 0, self.players - 1)
            self.out(f"{seat} = {self.tables.neighbour('left')}[{seat}]")

    @abstractmethod
    def at_once(self, s: model.Each) -> None: ...

    def distance(self, first: model.Expr, last: model.Expr | None) -> str | None:
        """How many players there are from the first to the last, if that is always the same."""
        if last is None:
            return str(self.players)
        (start, offset), (other, end) = self.seat(first), self.seat(last)
        return str((end - offset) % self.players + 1) if start == other else None

    def seat(self, player: model.Expr) -> tuple[Any, int]:
        """A seat as so many to the left of another."""
        match player:
            case model.Neighbour():
                base, offset = self.seat(player.player)
                return base, offset + (1 if player.side == "left" else -1)
            case model.Defined(argument=None):
                return self.seat(player.definition.value)
            case model.KeepOf(key=None):
                return player.keep.name, 0
            case model.Local():
                return player.slot, 0
        return player, 0
