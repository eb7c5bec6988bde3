"""One move and its consequences → the pictures to show: what is taken away is seen whole before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from teufelswerk.base.texts import Text
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.machine import Event
from teufelswerk.interpreter.view import SeenPlace, View


@dataclass(frozen=True)
class Stage:
    """What lies on the table at a moment, and the sentences that tell how it came about."""

    view: View
    told: tuple[Text, ...]
    taken: str | None = None
    """The place from which the cards are taken away next."""


def stages(game: Game, before: View | None, after: View, events: Sequence[Event]) -> list[Stage]:
    """The moments between two positions, as the seat of the views sees them; the last one is the position after."""
    told: list[Text] = []
    found: list[Stage] = []
    places = dict(before.places) if before else {}
    laid: set[str] = set()
    for event in events:
        if event.told is not None:
            told.append(event.told.to(after.seat))
        record = event.record
        if record["event"] != "cards" or before is None:
            continue
        origin, target = record["from"], record["to"]
        if origin in laid and target not in laid and told:
            found.append(Stage(replace(before, places=dict(places), to_move=None, moves=()), tuple(told), origin))
            told, laid = [], set()
        _move(game, places, record["cards"], origin, target, record.get("end"))
        for name in (origin, target):
            if name in places and places[name].up is not None:
                places[name] = after.places[name]  # which of the cards that lie face down it was, nobody saw
        if _common(game, target):
            laid.add(target)
    return [*found, Stage(after, tuple(told))]


def _common(game: Game, name: str) -> bool:
    """Whether the place lies open in the middle of the table."""
    index = game.layout.by_name[name]
    return game.layout.place_of[index].seen_by == "all" and game.layout.owner[index] < 0


def _move(
    game: Game, places: dict[str, SeenPlace], ids: Sequence[str], origin: str, target: str, end: str | None
) -> None:
    holder = game.layout.owner[game.layout.by_name[origin]]
    backs = {card.id: card.back for card in game.rules.cards}
    owners: dict[str, int | None] = dict.fromkeys(ids, holder if holder >= 0 else None)
    if origin in places:
        place = places[origin]
        if place.cards is not None and place.owners is not None:
            gone, kept = list(ids), list[tuple[str, int | None]]()
            for c, o in zip(place.cards, place.owners, strict=True):
                if c in gone:
                    gone.remove(c)
                else:
                    kept.append((c, o))
            if holder < 0:
                owners |= {c: o for c, o in zip(place.cards, place.owners, strict=True) if c in owners}
            place = replace(place, cards=tuple(c for c, _ in kept), owners=tuple(o for _, o in kept))
        if place.backs is not None:
            left = list(place.backs)
            for id in ids:
                if backs[id] in left:
                    left.remove(backs[id])
            place = replace(place, backs=tuple(left))
        places[origin] = replace(place, count=place.count - len(ids))
    if target in places:
        place = places[target]
        lying, played_by = place.cards, place.owners
        if lying is not None and played_by is not None:
            new, by = tuple(ids), tuple(owners[id] for id in ids)
            if end == "bottom":
                place = replace(place, cards=new[::-1] + lying, owners=by[::-1] + played_by)
            else:
                place = replace(place, cards=lying + new, owners=played_by + by)
        if place.backs is not None:
            place = replace(place, backs=tuple(sorted([*place.backs, *(backs[id] for id in ids)])))
        places[target] = replace(place, count=place.count + len(ids))
