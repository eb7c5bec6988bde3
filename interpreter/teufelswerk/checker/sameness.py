"""Two sides of a comparison → whether they are one and the same value, said in one way or in two."""

from __future__ import annotations

from teufelswerk import model
from teufelswerk.base.texts import Text

SAID = ("type", "span", "name")
"""What tells how a value was said and not which one it is: a slot has several names."""
DECLARED = ("definition", "keep", "place")


def same_value(left: object, right: object) -> bool:
    """Whether two values are worked out alike, so that they are always equal; what chance brings is new each time."""
    if type(left) is not type(right) or isinstance(left, model.Random):
        return False
    if isinstance(left, tuple) and isinstance(right, tuple):
        return len(left) == len(right) and all(map(same_value, left, right))
    if isinstance(left, model.Person) and isinstance(right, model.Person):
        return left.name == right.name
    if not isinstance(left, model.Typed):
        return left == right
    others = vars(right)
    return all(
        mine is others[key] if key in DECLARED else same_value(mine, others[key])
        for key, mine in vars(left).items()
        if key not in SAID
    )


def told_apart(outer: str) -> Text:
    """How to mean two things; behind a `where` within another, the outer one may look at a thing of this name."""
    if not outer:
        return Text("say whose it is on one side: `… of …`")
    return Text(
        "behind the inner `where`, bare names belong to what that one looks at; say the condition of the outer one "
        "in a definition, as in `fits of {noun} = …`, and write `where fits of it` there",
        noun=outer,
    )
