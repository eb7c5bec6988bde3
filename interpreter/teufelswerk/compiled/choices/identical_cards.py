"""Identical cards → the one of each face that is offered: the first of those that lie there."""

from __future__ import annotations

from collections.abc import Callable

from teufelswerk.compiled import instructions as c
from teufelswerk.compiled.context import Several, Writer


def first_of_each(w: Writer, cards: c.Expr) -> c.Expr:
    """Of some cards as a mask, those before which no identical one is among them.

    Identical cards stand side by side, so each step carries what is there twice as far.
    """
    copies, steps = [card.copy for card in w.rules.cards], 1
    there: c.Expr = w.let("cards", cards)
    here = there

    def carried(mask: c.Expr, far: int) -> c.Expr:
        fitting = sum(1 << card for card, copy in enumerate(copies) if copy >= far)
        return c.binary("&", c.binary("<<", mask, c.Number(far, "m")), c.Number(fitting, "m"))

    while steps <= max(copies):
        there = w.let("there", c.binary("|", there, carried(there, steps)))
        steps *= 2
    return c.binary("&~", here, carried(there, 1))


def unless_seen(w: Writer, use: Callable[[c.Expr], None]) -> Callable[[c.Expr], None]:
    """Does something with each of some cards that is identical with none before it."""
    faces = w.table("faces", [card.face for card in w.rules.cards])
    seen = w.temp("seen", "m")
    w.set(seen, c.NOBODY)

    def once(card: c.Expr) -> None:
        item = w.let("item", card)
        face = w.let("face", c.bit(c.load(faces, item)))
        with w.when(c.inverse(c.some(c.binary("&", seen, face)))):
            w.set(seen, c.binary("|", seen, face))
            use(item)

    return once


def identical_before(w: Writer, found: Several, n: c.Expr, room: int) -> c.Array:
    """For each of some listed cards the last identical one before it, as a mask; nothing where there is none."""
    before = w.scratch_array("before", room, "m")
    last = w.scratch_array("last_of_face", w.cards, "m")
    faces = w.table("faces", [card.face for card in w.rules.cards])
    with w.count("face", c.ZERO, c.Number(w.cards)) as face:
        w.store(last, face, c.NOBODY)
    with w.count("i", c.ZERO, n) as i:
        card = w.let("card", c.load(found.row, c.add(found.start, i)))
        own = w.let("own", c.load(faces, card))
        w.store(before, i, c.load(last, own))
        w.store(last, own, c.bit(card))
    return before
