"""The way to a decision → what everyone knows of what the game carries there: local names, loops, who a step is for.

Nobody is told a local name. It is known to everyone if its value follows from what everyone knows, or once the game has
shown it: the card goes where all see it, the player has a turn, a sentence says it, it is kept. All else is hidden, and
whoever wants to think ahead works it out anew in a world of their own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from typing import Literal, TypeAlias, assert_never

from teufelswerk.base.quick_dataclass import dataclass
from teufelswerk.core import forms as f
from teufelswerk.core import statements as s
from teufelswerk.core.looks import EVERYONE, Hidden, Known, Look, Looks
from teufelswerk.core.walk import blocks

Kind: TypeAlias = Literal["local", "argument", "each", "lap", "times", "idle", "passes", "chosen"]


@dataclass(frozen=True, eq=False)
class Way:
    """A statement on the way to a decision: one that has happened, or one that the decision stands in."""

    statement: s.Doing
    inside: bool
    before: Way | None


@dataclass(frozen=True)
class Carried:
    """Something that the game carries from one decision to the next."""

    kind: Kind
    slot: int
    statement: s.Doing
    rest: int = -1
    """Where a loop keeps what it has still to go through."""
    lies: f.Expr | None = None
    """Where the card of that name has been put since, out of sight."""
    known: bool = True
    """Whether everyone knows it."""
    place: Hidden | None = None
    """If not, the place that it comes from, if it is one."""

    @property
    def slots(self) -> tuple[int, ...]:
        return (self.slot,) if self.rest < 0 else (self.slot, self.rest)

    @property
    def is_card(self) -> bool:
        """Whether it is a card, or several."""
        match self.statement:
            case s.Let():
                return self.statement.value.type.kind == "card"
            case s.Call():
                return self.statement.argument is not None and self.statement.argument.type.kind == "card"
            case s.Each():
                return self.statement.items.type.kind == "card"
        return False


@dataclass(frozen=True)
class Frame:
    """What is carried at some point, in the order in which the game has come by it."""

    carried: tuple[Carried, ...] = ()
    secret_way: bool = False
    """Whether something has decided on the way that not everyone can know."""

    @cached_property
    def known(self) -> frozenset[int]:
        """The slots whose values everyone knows."""
        return frozenset(slot for c in self.carried if c.known for slot in (c.slot, c.rest) if slot >= 0)

    @cached_property
    def unknown(self) -> dict[int, Hidden | None]:
        return {slot: c.place for c in self.carried if not c.known for slot in (c.slot, c.rest) if slot >= 0}

    def looking(self) -> Known:
        return replace(EVERYONE, unknown=self.unknown)

    def carrying(self, *more: Carried) -> Frame:
        return replace(self, carried=(*self.carried, *more))

    def secret_if(self, looks: Iterable[Look]) -> Frame:
        return replace(self, secret_way=True) if any(True for _ in looks) else self

    def shown(self, slot: int) -> Frame:
        """After everyone has been shown what the slot holds."""
        return replace(self, carried=tuple(replace(c, known=True) if c.slot == slot else c for c in self.carried))

    def put(self, slot: int, to: f.Expr) -> Frame:
        """After the card of that name has gone somewhere out of sight."""
        return replace(self, carried=tuple(replace(c, lies=to) if c.slot == slot else c for c in self.carried))


class Frames:
    """The frames of a game's decisions, each found when somebody asks for it."""

    def __init__(self, core: s.Core) -> None:
        self.rules = core.rules
        self.looks = Looks(core)
        self.ways: dict[int, tuple[s.Turn, Way | None]] = {}
        """For each decision its turn and the way to it. It grows while the program is written."""
        self._after: dict[Way | None, Frame] = {None: Frame()}
        self._at: dict[int, Frame] = {}

    @cached_property
    def secret_ways(self) -> bool:
        """Whether the game anywhere goes one way or another, and players are asked, for a reason that is hidden."""
        return any(self.at(pc).secret_way for pc in self.ways)

    @cached_property
    def hidden_movers(self) -> frozenset[int]:
        """The decisions at which whose turn it is tells something that was hidden."""
        return frozenset(
            pc for pc, (turn, _) in self.ways.items() if any(self.looks.into(turn.player, self.at(pc).looking()))
        )

    def at(self, pc: int) -> Frame:
        """What is carried at a decision."""
        if pc not in self._at:
            self._at[pc] = self._found(self.ways[pc][1])
        return self._at[pc]

    def _found(self, way: Way | None) -> Frame:
        waiting: list[Way] = []
        while way not in self._after:
            assert way is not None
            waiting.append(way)
            way = way.before
        frame = self._after[way]
        for passed in reversed(waiting):
            happen = self._inside if passed.inside else self._past
            frame = happen(frame, passed.statement)
            self._after[passed] = frame
        return frame

    def _inside(self, frame: Frame, statement: s.Doing) -> Frame:
        """In a block of the statement."""
        looks, known = self.looks, frame.looking()
        match statement:
            case s.Branch():
                return frame.secret_if(looks.into(statement.condition, known))
            case s.Call(argument=argument, step=step) if argument is not None:
                return self._held(frame, Carried("argument", step.slot, statement), looks.into(argument, known))
            case s.Repeat():
                frame = self._held(
                    frame, Carried("times", statement.left, statement), looks.into(statement.times, known)
                )
                return frame.secret_if(looks.into(statement.times, known))
            case s.Until():
                frame = frame.secret_if(looks.into(statement.condition, known))
                return frame.carrying(Carried("passes", statement.laps, statement))
            case s.Each(items=items, slot=slot, rest=rest):
                frame = self._held(frame, Carried("each", slot, statement, rest), looks.into(items, known))
                if isinstance(items, f.Around) and items.last is None:
                    return frame.secret_if(looks.who_is_out(items, items.out))  # everyone has a turn, whoever begins
                return frame.secret_if(looks.into(items, known))
            case s.GoRound(first=first):
                frame = frame.secret_if(looks.into(statement.condition, known))
                begins = (*looks.into(first, known), *looks.who_is_out(first, statement.out))
                frame = self._held(frame, Carried("lap", statement.slot, statement), begins)
                idle = Carried("idle", statement.idle, statement, known=not _decides_at_once(statement.body))
                return frame.carrying(idle, Carried("passes", statement.laps, statement))
            case s.Call():
                return frame
            case (
                s.Goes() | s.Deal() | s.Shuffle() | s.Becomes() | s.Pays() | s.Let() | s.Tell() | s.Turn() | s.AtOnce()
            ):
                raise AssertionError("nothing stands inside these")
            case s.Wins():
                raise AssertionError("nothing stands inside this")
            case _:
                assert_never(statement)

    def _held(self, frame: Frame, carried: Carried, looks: Iterable[Look]) -> Frame:
        look = next(iter(looks), None)
        return frame.carrying(replace(carried, known=False, place=look.place) if look else carried)

    def _past(self, frame: Frame, statement: s.Doing) -> Frame:
        """After the statement has happened, in the same block."""
        match statement:
            case s.Let(slot=slot, value=value):
                frame = self._held(frame, Carried("local", slot, statement), self.looks.into(value, frame.looking()))
            case s.Goes(cards=f.Only(item=f.Slot(slot=slot)), to=to):
                seen = self.rules.places[to.type.of].seen_by == "all"
                frame = frame.shown(slot) if seen else frame.put(slot, to)
            case s.Becomes(target=target, value=f.Slot(slot=slot)):
                frame = frame.shown(slot) if target.keep.seen_by == "all" else frame
            case s.Turn(player=f.Slot(slot=slot)):
                frame = frame.shown(slot)
            case (
                s.Goes() | s.Deal() | s.Shuffle() | s.Becomes() | s.Pays() | s.Tell() | s.Turn() | s.AtOnce() | s.Call()
            ):
                pass
            case s.Repeat() | s.Until() | s.Each() | s.GoRound() | s.Branch() | s.Wins():
                pass
            case _:
                assert_never(statement)
        if isinstance(statement, s.Turn) and statement.chosen >= 0:
            frame = frame.carrying(Carried("chosen", statement.chosen, statement))
        for figure in (figure for sentence in statement.told for _, figure in sentence.figures):
            if isinstance(figure, f.Slot) and figure.type.kind != "card":
                frame = frame.shown(figure.slot)
        return frame


def _decides_at_once(body: s.Block) -> bool:
    """Whether everyone decides at once somewhere in a block, or in a step that it calls."""
    for statement in body:
        inner = [*blocks(statement), statement.step.body] if isinstance(statement, s.Call) else blocks(statement)
        if isinstance(statement, s.AtOnce) or any(map(_decides_at_once, inner)):
            return True
    return False
