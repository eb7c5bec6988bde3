"""What can be meant at some place in a rule file: names that are bound there, and what a bare name can belong to."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from teufelswerk.model import Expr
from teufelswerk.syntax import nodes


class Skip(Exception):
    """The clause has a mistake that has been reported; the rest of it is passed over."""


@dataclass
class Scope:
    """What can be meant at some place in the file."""

    locals: dict[str, Expr] = field(default_factory=dict)
    sight: list[tuple[str, Expr]] = field(default_factory=list)
    """What a bare name can belong to, with the word for it."""
    people: frozenset[str] = frozenset()
    random: bool = False
    going_round: bool = False
    """Whether this is the condition that ends a lap, and not something behind a `where` in it."""
    spoiled: frozenset[str] = frozenset()
    """Names that a line with a mistake would have given to something."""
    clear: frozenset[tuple[str, str]] = frozenset()
    """`number of card` said outright, so that a bare `number` beside it cannot mean the card's."""

    def with_local(self, name: str, value: Expr, in_sight: bool = True) -> Scope:
        sight = [*self.sight, (name, value)] if in_sight else self.sight
        return replace(
            self, locals={**self.locals, name: value}, sight=[s for s in sight if s[0] != name or s[1] is value]
        )


def said_outright(node: object) -> frozenset[tuple[str, str]]:
    """Every `name of word` in the condition."""
    found: set[tuple[str, str]] = set()
    stack = [node]
    while stack:
        item = stack.pop()
        if isinstance(item, nodes.Of) and isinstance(item.owner, nodes.Name):
            found.add((item.name.text, item.owner.name))
        if isinstance(item, tuple):
            stack.extend(item)
        elif isinstance(item, (nodes.Node, nodes.Branch)):
            stack.extend(value for key, value in vars(item).items() if key != "span")
    return frozenset(found)
