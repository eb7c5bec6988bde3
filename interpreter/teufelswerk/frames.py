"""The way to a decision → what everyone knows of what the game carries there: local names, loops, who a step is for.

Nobody is told a local name. It is known to everyone if its value follows from what everyone knows, or once the game has
shown it: the card goes where all see it, the player has a turn, a sentence says it, it is kept. All else is hidden, and
whoever wants to think ahead works it out anew in a world of their own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, TypeAlias

from teufelswerk import model
from teufelswerk.looks import EVERYONE, Known, Look, Looks
from teufelswerk.walk import reachable

Kind: TypeAlias = Literal["local", "argument", "each", "lap", "times", "idle", "passes"]
EVERYBODY = model.PLAYER.all()


@dataclass(frozen=True, eq=False)
class Way:
    """A statement on the way to a decision: one that has happened, or one that the decision stands in."""

    statement: model.Statement
    slots: tuple[int, ...]
    """Where a loop counts, or what a step that is called is called for."""
    inside: bool
    before: Way | None


@dataclass(frozen=True)
class Carried:
    """Something that the game carries from one decision to the next."""

    kind: Kind
    slot: int
    statement: model.Statement
    rest: int = -1
    """Where a loop keeps what it has still to go through."""
    lies: model.Expr | None = None
    """Where the card of that name has been put since, out of sight."""
    known: bool = True
    """Whether everyone knows it."""
    place: model.Place | None = None
    """If not, the place that it comes from, if it is one."""


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
    def unknown(self) -> dict[int, model.Place | None]:
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

    def put(self, slot: int, to: model.Expr) -> Frame:
        """After the card of that name has gone somewhere out of sight."""
        return replace(self, carried=tuple(replace(c, lies=to) if c.slot == slot else c for c in self.carried))


class Frames:
    """The frames of a game's decisions, each found when somebody asks for it."""

    def __init__(self, rules: model.Model, ways: dict[int, tuple[model.Turn, Way | None]]) -> None:
        self.rules = rules
        self.looks = Looks(rules)
        self.ways = ways
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
            frame = self._inside(frame, passed) if passed.inside else self._past(frame, passed.statement)
            self._after[passed] = frame
        return frame

    def _inside(self, frame: Frame, way: Way) -> Frame:
        """In a block of the statement."""
        s, known = way.statement, frame.looking()
        match s:
            case model.If():
                return frame.secret_if(self.looks.into(s.condition, known))
            case model.Call() if s.argument is not None:
                return self._held(frame, Carried("argument", way.slots[0], s), s.argument)
            case model.Repeat():
                frame = self._held(frame, Carried("times", way.slots[0], s), s.times)
                return frame.secret_if(self.looks.into(s.times, known))
            case model.Until():
                frame = frame.secret_if(self.looks.into(s.condition, known))
                return frame.carrying(Carried("passes", way.slots[0], s))
            case model.Each():
                frame = self._held(frame, Carried("each", s.slot, s, way.slots[0]), (s.over, s.first, s.last))
                goes_all_around = s.first is not None and s.last is None
                return frame.secret_if(self.looks.into(s.over if goes_all_around else (s.over, s.last, s.first), known))
            case model.GoRound():
                idle, passes = way.slots
                secret = any(isinstance(part, model.Each) and part.at_once for part in reachable(self.rules, s.body))
                frame = frame.secret_if(self.looks.into(s.condition, known))
                frame = self._held(frame, Carried("lap", s.slot, s), (s.first, model.Everything(EVERYBODY, s.span)))
                return frame.carrying(Carried("idle", idle, s, known=not secret), Carried("passes", passes, s))
        return frame

    def _held(self, frame: Frame, carried: Carried, value: Any) -> Frame:
        look = next(self.looks.into(value, frame.looking()), None)
        return frame.carrying(replace(carried, known=False, place=look.place) if look else carried)

    def _past(self, frame: Frame, s: model.Statement) -> Frame:
        """After the statement has happened, in the same block."""
        match s:
            case model.SetLocal():
                frame = self._held(frame, Carried("local", s.slot, s), s.value)
            case model.Goes(what=model.Local(slot=slot)):
                seen = self.rules.places[s.to.type.of].seen_by == "all"
                frame = frame.shown(slot) if seen else frame.put(slot, s.to)
            case model.Becomes(value=model.Local(slot=slot)) | model.Turn(player=model.Local(slot=slot)):
                frame = frame.shown(slot)
        for figure in (figure for sentence in s.told for _, figure in sentence.figures):
            if isinstance(figure, model.Local) and figure.type.kind != "card":
                frame = frame.shown(figure.slot)
        return frame
