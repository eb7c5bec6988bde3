"""What all parts of the compiler share: the source being written, the names in it, and what is known so far."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from teufelswerk import model
from teufelswerk.compiled.emit import Code, NotCompiled, Source
from teufelswerk.compiled.places import Family, Places
from teufelswerk.compiled.runtime import WORDS
from teufelswerk.compiled.tables import NONE, Tables
from teufelswerk.compiled.ticks import Ticks
from teufelswerk.evaluate import Evaluator
from teufelswerk.limits import MAX_NUMBER
from teufelswerk.machine import Layout
from teufelswerk.model import Expr
from teufelswerk.order import walk
from teufelswerk.texts import Text

if TYPE_CHECKING:
    from teufelswerk.compiled.counted import Counters

VARIABLES = "seed result trail play chance choices draws at moves options pick winners owner passing".split()
BAIL = "return -1"
"""What the compiled game does when the rules ask for something impossible: the reference interpreter will say what."""


class Context:
    """The state of one compilation, for one number of players."""

    def __init__(
        self, layout: Layout, read: frozenset[tuple[str, str]] | None, counters: Counters | None = None
    ) -> None:
        self.layout = layout
        self.rules = layout.model
        self.players = layout.players
        self.evaluator = Evaluator(layout)
        self.out = Source()
        for reserved in (*WORDS, *VARIABLES):
            self.out.name(reserved)
        if counters is not None:
            self.out.name("counts")
        self.ticks = Ticks(self.out, counters)
        self.keep_names = {keep.name: self.out.name(keep.name) for keep in self.rules.keeps.values()}
        self.tables = Tables(self.rules, self.players)
        self.places = Places(self.out, self.tables, layout, read)
        self.slots: dict[int, Code] = {}
        self.assigned: set[str] = set()
        """Kept things that surely have a value here."""
        self.origin: dict[int, tuple[Family, str]] = {}
        """Where the card in a slot lies, as far as that is known here."""
        self._used: dict[int, frozenset[int]] = {}
        self._alive: list[object] = []
        if (out := self.rules.definitions.get("out")) is not None and out.parameter == model.PLAYER:
            raise NotCompiled(Text("players who are out"), out.span)
        parts = walk([*self.rules.definitions.values(), *self.rules.steps.values(), *self.rules.moves.values()])
        self.asks_owner = any(isinstance(part, model.PlayerOf) for part in parts)

    # ---- slots ------------------------------------------------------------------------------------------------------

    def slots_in(self, expr: Expr) -> frozenset[int]:
        """The slots that an expression reads, its definitions included."""
        if id(expr) not in self._used:
            self._alive.append(expr)
            self._used[id(expr)] = frozenset(part.slot for part in walk(expr) if isinstance(part, model.Local))
        return self._used[id(expr)]

    def depends(self, expr: Expr, slot: int) -> bool:
        return slot in self.slots_in(expr)

    @contextmanager
    def bound(self, slot: int, code: Code) -> Iterator[None]:
        """While the slot stands for the value."""
        outer = self.slots.get(slot)
        self.slots[slot] = code
        yield
        if outer is None:
            self.slots.pop(slot, None)
        else:
            self.slots[slot] = outer

    def variable(self, slot: int, hint: str, type: model.Type | None = None) -> str:
        """A new variable for a slot."""
        name = self.out.name(hint)
        low, high = self.bounds(type) if type else (None, None)
        self.slots[slot] = Code(name, None, low, high)
        return name

    # ---- what values can be -----------------------------------------------------------------------------------------

    def bounds(self, type: model.Type) -> tuple[int | None, int | None]:
        match type.kind:
            case "player":
                return 0, self.players - 1
            case "card":
                return 0, len(self.rules.cards) - 1
            case "name":
                return 0, len(self.rules.names[type.of]) - 1
            case "number":
                return -MAX_NUMBER, MAX_NUMBER
            case "place":
                return 0, self.family(type).size - 1
            case "end":
                return 0, 2 * self.family(type).size - 1
        return None, None

    def absent(self, type: model.Type) -> int:
        return NONE if type.kind == "number" else -1

    def family(self, type: model.Type) -> Family:
        return self.places.families[type.of]

    def note(self, part: model.Statement | model.Move) -> None:
        """The line of the rule file, as a comment."""
        span = part.span
        self.out.comment(f"{span.line}: {span.source.lines[span.line - 1].strip()}")
