"""Cards whose place an example leaves open: where each may lie, and how many lie where, once a deal has told that."""

from __future__ import annotations

from collections.abc import Sequence

from teufelswerk.interpreter.machine import Machine


def clone(m: Machine) -> Machine:
    return Machine(
        [list(place) for place in m.places], list(m.where), list(m.owners), list(m.keeps), list(m.slots), m.rng,
        m.meter, m.pc, list(m.pending), m.winners, m.passing, None, m.fired,
        dict(m.open) if m.open is not None else None, dict(m.sizes),
        m.hearing.copy() if m.hearing is not None else None,
    )  # fmt: skip


def hold(m: Machine, card: int, place: int) -> bool:
    """Makes the machine a world in which the card lies there; False if it cannot."""
    assert m.open is not None
    if card not in m.open:
        return m.where[card] == place
    return bool(m.open[card] >> place & 1) and _narrow(m, card, 1 << place) and fitted(m)


def exclude(m: Machine, card: int, place: int) -> bool:
    """Makes the machine a world in which the card does not lie there; False if it must."""
    assert m.open is not None
    if card not in m.open:
        return m.where[card] != place
    return _narrow(m, card, m.open[card] & ~(1 << place)) and fitted(m)


def _narrow(m: Machine, card: int, mask: int) -> bool:
    """Leaves only some places to a card; False if that is none."""
    assert m.open is not None
    m.open[card] = mask
    if mask & (mask - 1) == 0:
        m.where[card] = mask.bit_length() - 1
    return mask != 0


# ---- how many cards lie in a place ----------------------------------------------------------------------------------


def may_lie(m: Machine, place: int) -> list[int]:
    """The open cards that may lie in a place."""
    return [card for card, mask in (m.open or {}).items() if mask >> place & 1]


def open_size(m: Machine, place: int) -> int | None:
    """How many open cards lie in a place, if that is known."""
    if place in m.sizes:
        return m.sizes[place]
    bit, cards = 1 << place, may_lie(m, place)
    return len(cards) if all((m.open or {})[card] == bit for card in cards) else None


def dealt(m: Machine, origin: int, places: Sequence[int], portion: int | None, exactly: bool) -> None:
    """Open cards go from one place to others: to each exactly or at most the portion, or all in equal parts."""
    assert m.open is not None
    waiting, stock, sizes = may_lie(m, origin), open_size(m, origin), [open_size(m, place) for place in places]
    for card in waiting:
        m.open[card] |= sum(1 << place for place in places)
        m.where[card] = -1
    for place in (origin, *places):
        m.sizes.pop(place, None)
    if stock is None and portion is not None and exactly and not m.places[origin]:
        m.sizes.update({place: size + portion for place, size in zip(places, sizes, strict=True) if size is not None})
        fitted(m)
    if stock is None or m.places[origin]:
        return
    each = stock // max(len(places), 1) if portion is None else portion
    if each * len(places) > stock:
        return
    m.sizes[origin] = stock - each * len(places)
    m.sizes.update({place: size + each for place, size in zip(places, sizes, strict=True) if size is not None})
    fitted(m)


def left(m: Machine, card: int) -> None:
    """An open card goes away; where nobody knows from where, nobody knows how many have stayed."""
    assert m.open is not None
    mask = m.open.pop(card)
    for place in [place for place in m.sizes if mask >> place & 1]:
        if mask == 1 << place:
            m.sizes[place] -= 1
        else:
            del m.sizes[place]


def fitted(m: Machine) -> bool:
    """Draws what follows from the sizes: a full place takes no other card, and who is needed there is there.

    False if the cards cannot lie like that.
    """
    assert m.open is not None
    again = bool(m.sizes)
    while again:
        again = False
        for place, size in m.sizes.items():
            bit, possible = 1 << place, may_lie(m, place)
            unsure = [card for card in possible if m.open[card] != bit]
            sure = len(possible) - len(unsure)
            if sure > size or len(possible) < size:
                return False
            if unsure and (sure == size or len(possible) == size):
                again = True
                for card in unsure:
                    if not _narrow(m, card, m.open[card] & ~bit if sure == size else bit):
                        return False
    return True
