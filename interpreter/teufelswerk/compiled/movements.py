"""How cards move in a game: which places they may leave, and where it has to be remembered whose they were."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from teufelswerk import model
from teufelswerk.order import walk

if TYPE_CHECKING:
    from teufelswerk.compiled.values import Values


def families(compiler: Values, cards: model.Expr) -> set[str]:
    """The families of places in which some cards may lie."""
    if cards.type.kind == "place":
        return {cards.type.of}
    if isinstance(cards, model.Local):
        for move in compiler.rules.moves.values():
            for choice in move.choices:
                if choice.slot == cards.slot:
                    return families(compiler, choice.source)
    family = compiler.family_of(cards)
    return set(compiler.rules.places) if family is None else {family.place.name}


def left_in(compiler: Values, body: model.Block) -> set[str]:
    """The families that cards may leave while a block runs, with the steps that it calls and the moves that it asks."""
    found: set[str] = set()
    for part in _everything_in(compiler.rules, body, set()):
        if isinstance(part, model.Goes):
            found |= families(compiler, part.what)
        elif isinstance(part, model.Deal):
            found.add(part.source.type.of)
    return found


def _everything_in(rules: model.Model, body: model.Block, seen: set[str]) -> Iterator[object]:
    for part in walk(body):
        yield part
        below: list[model.Step | model.Move] = []
        if isinstance(part, model.Call):
            below = [rules.steps[part.step]]
        elif isinstance(part, model.Turn):
            below = [rules.moves[verb] for group in part.groups for verb in group]
        for routine in below:
            if routine.name not in seen:
                seen.add(routine.name)
                inside = routine.body if isinstance(routine, model.Step) else routine.effects
                yield from _everything_in(rules, inside, seen)


def owners_read_in(compiler: Values) -> frozenset[str]:
    """The families without owners whose cards' last owners are asked for, now or after they have gone on."""
    rules = compiler.rules
    read: set[str] = set()
    flows: list[tuple[set[str], str]] = []
    for part in walk([*rules.definitions.values(), *rules.steps.values(), *rules.moves.values()]):
        match part:
            case model.PlayerOf():
                read |= families(compiler, part.card)
            case model.Goes():
                flows.append((families(compiler, part.what), part.to.type.of))
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
