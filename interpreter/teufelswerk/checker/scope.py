"""What can be meant at some place in a rule file: names that are bound there, and what a bare name can belong to."""

from __future__ import annotations

from collections.abc import Iterator
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
    happening: bool = False
    """Whether this is a step or a move, which may belong to a lap: there `next` is a player."""
    going_round: bool = False
    """Whether this is the condition that ends a lap, and not something behind a `where` in it."""
    spoiled: frozenset[str] = frozenset()
    """Names that a line with a mistake would have given to something."""
    chosen: dict[str, int] = field(default_factory=dict)
    """The moves of the turns above, each with the slot that notes what was chosen."""
    ending: dict[str, int] = field(default_factory=dict)
    """The moves that end the loop around this, each with the slot in which turns note for it what was chosen."""
    outer: str = ""
    """Behind a `where` within another: the noun for what the outer one looks at, which has no word of its own here."""
    clear: frozenset[tuple[str, str]] = frozenset()
    """`number of card` said outright, so that a bare `number` beside it cannot mean the card's."""

    def with_local(self, name: str, value: Expr, in_sight: bool = True) -> Scope:
        sight = [*self.sight, (name, value)] if in_sight else self.sight
        return replace(
            self, locals={**self.locals, name: value}, sight=[s for s in sight if s[0] != name or s[1] is value]
        )


def everything_said(node: object) -> Iterator[object]:
    """All nodes, words and sentences in a node."""
    stack = [node]
    while stack:
        item = stack.pop()
        yield item
        if isinstance(item, tuple):
            stack.extend(item)
        elif isinstance(item, (nodes.Node, nodes.Branch, nodes.Statement)):
            stack.extend(value for key, value in vars(item).items() if key != "span")


def said_outright(node: object) -> frozenset[tuple[str, str]]:
    """Every `name of word` in the condition."""
    of = (item for item in everything_said(node) if isinstance(item, nodes.Of))
    return frozenset((item.name.text, item.owner.name) for item in of if isinstance(item.owner, nodes.Name))


def spoiled_by(node: nodes.Statement, scope: Scope) -> Scope:
    """The scope after a statement with a mistake: what it would have named is not complained of again."""
    name = (
        node.noun.text if isinstance(node, nodes.Choose) else node.name.text if isinstance(node, nodes.Local) else None
    )
    return replace(scope, spoiled=scope.spoiled | {name}) if name else scope


def announced(value: nodes.Expr) -> tuple[nodes.Expr, tuple[nodes.Sentence, ...]]:
    """A plain value and the sentences below it, which are told once it has been set; reasons stay with alternatives."""
    if isinstance(value, nodes.Alternatives) and len(value.branches) == 1 and value.branches[0].condition is None:
        return value.branches[0].value, value.branches[0].told
    return value, ()
