"""What everyone sees happen → the cards that everyone knows to lie where nobody sees them, as what was won."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from teufelswerk.interpreter.seen_events import Seen
from teufelswerk.interpreter.view import View

Heaps = Mapping[str, tuple[str, ...]]
NONE: Heaps = MappingProxyType({})


def after(heaps: Heaps, seen: Iterable[Seen], view: View) -> Heaps:
    """The heaps when what everyone saw has led to a position; one of which not every card is known is forgotten."""
    found = {name: list(cards) for name, cards in heaps.items()}
    for record in seen:
        if record["event"] != "cards":
            continue
        if record["cards"] is None:
            found.pop(record["from"], None)
            found.pop(record["to"], None)
            continue
        moved = record["cards"]
        there = found.get(record["from"], [])
        for id in moved:
            if id in there:
                there.remove(id)
        found.setdefault(record["to"], []).extend(moved)
    counts = {name: seen.count for name, seen in view.places.items()}
    return MappingProxyType({name: tuple(cards) for name, cards in found.items() if counts.get(name) == len(cards) > 0})
