"""Which places' cards have to remember whose they were, because a rule asks it of them or of cards that come from there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from teufelswerk import model
from teufelswerk.order import walk

if TYPE_CHECKING:
    from teufelswerk.compiled.values import Values


def owners_read_in(compiler: Values) -> frozenset[str]:
    """The families without owners whose cards' last owners are asked for, now or after they have gone on."""
    rules = compiler.rules
    everywhere = set(rules.places)
    chosen: dict[int, model.Expr] = {
        choice.slot: choice.source for move in rules.moves.values() for choice in move.choices
    }

    def families(cards: model.Expr) -> set[str]:
        if cards.type.kind == "place":
            return {cards.type.of}
        if isinstance(cards, model.Local) and cards.slot in chosen:
            return families(chosen[cards.slot])
        family = compiler.family_of(cards)
        return everywhere if family is None else {family.place.name}

    read: set[str] = set()
    flows: list[tuple[set[str], str]] = []
    for part in walk([*rules.definitions.values(), *rules.steps.values(), *rules.moves.values()]):
        match part:
            case model.PlayerOf():
                read |= families(part.card)
            case model.Goes():
                flows.append((families(part.what), part.to.type.of))
            case model.Deal():
                flows.append(({part.source.type.of}, part.to.type.of))

    def is_owned(name: str) -> bool:
        key = rules.places[name].key
        return key is not None and key.kind == "player"

    read = {name for name in read if not is_owned(name)}
    while True:
        more = {name for sources, to in flows if to in read for name in sources if not is_owned(name)}
        if more <= read:
            return frozenset(read)
        read |= more
