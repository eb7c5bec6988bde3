"""A view → a machine that holds what the seat sees and nothing else, so that no answer of it tells more than that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.machine import Machine
from teufelswerk.interpreter.view import View


def seen_machine(game: Game, view: View, remembered: Mapping[str, Sequence[str]] | None = None) -> Machine:
    """All cards that the seat does not see are in the box; `remembered` are cards that everyone saw go out of sight."""
    layout, m = game.layout, game.machine(0)
    m.pc, m.winners, m.keeps = view.flow.pcs[0], view.winners, list(view.flow.keeps)
    for slot, value in zip(game.program.core.persistent, view.flow.slots, strict=True):
        m.slots[slot] = value
    left: dict[str, list[int]] = {}
    for each in reversed(game.rules.cards):
        left.setdefault(each.id, []).append(each.index)
    for name, seen in view.places.items():
        lying = seen.lying if seen.lying is not None else (remembered or {}).get(name, ())
        owners = seen.owners if seen.owners is not None else (None,) * len(lying)
        place = layout.by_name[name]
        for id, owner in zip(lying, owners, strict=True):
            if id is None or not left[id]:
                continue
            card = left[id].pop()
            m.places[m.where[card]].remove(card)
            m.places[place].append(card)
            m.where[card] = place
            m.owners[card] = layout.owner[place] if owner is None else owner
    return m
