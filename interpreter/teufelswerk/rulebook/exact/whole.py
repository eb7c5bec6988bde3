"""A game → the exact words of all its lines, section by section, in the order of the file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from teufelswerk import model
from teufelswerk.base.diagnostics import Source
from teufelswerk.base.texts import Text
from teufelswerk.rulebook.exact import names
from teufelswerk.rulebook.exact.actions import Actions, Line, chain
from teufelswerk.rulebook.exact.values import NOBODY, Words
from teufelswerk.rulebook.words import term, value_term


def exact_words(rules: model.Model) -> list[Line]:
    """What each declaration, definition, step and move says, each once, in the order in which they stand."""
    found = [*_cards(rules), *_places(rules), *_kept(rules), *_defined(rules), *_steps(rules), *_moves(rules)]
    return sorted(found, key=lambda line: (line.span.source is rules.source, line.span.line))


def words_below(lines: Sequence[Line], source: Source, after: int, to_heading: bool = False) -> tuple[Line, ...]:
    """The words of the clauses that follow a line of a file, up to the next that is none, or to the next heading."""
    ends = "#" if to_heading else ""
    following = enumerate(source.lines[after:])
    end = next(
        (n for n, line in following if line.strip() and not line.startswith(" ") and line.startswith(ends)), None
    )
    last = len(source.lines) if end is None else after + end
    return tuple(line for line in lines if line.span.source is source and after < line.span.line <= last)


def words_of_section(rules: model.Model, section: model.Section) -> tuple[Line, ...]:
    """The words of all clauses below a heading."""
    return words_below(exact_words(rules), section.span.source, section.span.line, to_heading=True)


def words_of_part(rules: model.Model, verb: str, part: model.Choose | model.Must) -> Text:
    """What is chosen in a move, or what must hold in it."""
    move = Actions(rules, rules.moves[verb], rules.moves[verb].slot)
    return (move.choice(part) if isinstance(part, model.Choose) else move.must(part)).words


def in_a_row(lines: Sequence[Line], depth: int = 0) -> Iterator[tuple[int, Line]]:
    """The lines and those below them, each with how deep it stands."""
    for line in lines:
        yield depth, line
        yield from in_a_row(line.below, depth + 1)


# ---- cards, places, what is kept ------------------------------------------------------------------------------------


def _cards(rules: model.Model) -> Iterator[Line]:
    for kind in rules.kinds.values():
        cards = [card for card in rules.cards if card.kind == kind.name]
        below = tuple(_on_cards(rules, kind, cards))
        if len(rules.kinds) == 1:
            words = Text("There {n:is|are} {n} {n:card|cards}.", n=len(cards))
        else:
            name = term(rules, kind.name, "card")
            words = Text("Cards of the kind “{kind}”: {n}.", kind=name, n=len(cards))
        yield Line(words, kind.span, below)


def _on_cards(rules: model.Model, kind: model.CardKind, cards: list[model.Card]) -> Iterator[Line]:
    """What is on them: values of which there is every combination, and others that a table gives to some of these."""
    listed = _listed(kind, cards)
    for name in kind.attributes:
        noun = names.attribute(rules, name)
        if name in listed:
            values = _shown(rules, name, _values(cards, name))
            yield Line(Text("On each of them: {value}, one of {values}.", value=noun, values=values), kind.span)
        elif name != model.COPIES:
            yield Line(Text("Also {value}:", value=noun), kind.span, tuple(_rows(rules, name, kind, listed, cards)))
    if kind.back == (kind.name,):
        yield Line(Text("Their backs show that they are of this kind."), kind.span)
    elif kind.back:
        shown = [names.attribute(rules, name) for name in kind.back]
        yield Line(Text("Their backs show: {values}.", values=shown), kind.span)


def _listed(kind: model.CardKind, cards: list[model.Card]) -> list[str]:
    """What tells a card from all others; the rest stands in tables."""
    own = [card for card in cards if not card.copy]
    found = [name for name in kind.attributes if name != model.COPIES]
    for name in reversed(found):
        others = [other for other in found if other != name]
        if len({tuple(card.values.get(other) for other in others) for card in own}) == len(own) > 1 and others:
            found = others
    return found


def _values(cards: list[model.Card], name: str) -> list[int]:
    return sorted({card.values[name] for card in cards if name in card.values})


def _rows(
    rules: model.Model, name: str, kind: model.CardKind, listed: list[str], cards: list[model.Card]
) -> Iterator[Line]:
    """The rows of a table: a value, and what else is on the cards that have it."""
    by = next(
        other for other in [*listed, None]
        if other is None or all(len(_values([c for c in cards if c.values.get(other) == value], name)) == 1
                                for value in _values(cards, other))
    )  # fmt: skip
    for value in _values(cards, name):
        those = [card for card in cards if card.values.get(name) == value and not card.copy]
        said = _shown(rules, name, [value])[0]
        if by is None:
            alike: list[object] = [names.card(rules, card.index) for card in those]
            yield Line(Text("{value}: {cards}.", value=said, cards=alike), kind.span)
        else:
            found, noun = _shown(rules, by, _values(those, by)), names.attribute(rules, by)
            yield Line(Text("{value}, where {other} is {values:or}.", value=said, other=noun, values=found), kind.span)


def _shown(rules: model.Model, name: str, values: list[int]) -> list[Text | str | int]:
    if rules.attributes[name].names:
        return [value_term(rules, name, value) for value in values]
    if len(values) > 2 and values == list(range(values[0], values[-1] + 1)):
        return [Text("{first} to {last}", first=values[0], last=values[-1])]
    return list(values)


def _places(rules: model.Model) -> Iterator[Line]:
    for place in rules.places.values():
        if place.span is None:
            continue
        noun = names.place(rules, place.name)
        below = [Line(_seen(place), place.span)]
        if place.backs_by == "all":
            below.append(Line(Text("Everyone sees the backs of the cards there."), place.span))
        if place.turned:
            below.append(Line(Text("Cards that lie face up there are seen by everyone."), place.span))
        if place.two_ended:
            below.append(Line(Text("Cards are laid there at either end."), place.span))
        yield Line(_each(rules, noun, place.key), place.span, tuple(below))


def _each(rules: model.Model, noun: Text, key: model.Key | None) -> Text:
    if key is None:
        return Text("There is one place “{name}”.", name=noun)
    of = [_of_each(rules, part) for part in key.parts or (key,)]
    return Text("There is a place “{name}” for each {of}.", name=noun, of=of)


def _of_each(rules: model.Model, key: model.Key) -> Text:
    match key.kind:
        case "player":
            return Text("player")
        case "number":
            return Text("number from {first} to {last}", first=key.low, last=key.high)
        case "name":
            if key.type == model.SIDE:
                return Text("side")
            return Text("value of “{name}”", name=names.of_names(rules, key.of))
        case "pair":
            return Text(
                "{first} and {second}", first=_of_each(rules, key.parts[0]), second=_of_each(rules, key.parts[1])
            )
        case _:
            assert_never(key.kind)


def _seen(place: model.Place) -> Text:
    match place.seen_by:
        case "all":
            return Text("Everyone sees the cards there.")
        case "owner":
            return Text("Only the player whose place it is sees the cards there.")
        case "others":
            return Text("Everyone sees the cards there, but for the player whose place it is.")
        case "nobody":
            return Text("Nobody sees the cards there.")
        case _:
            assert_never(place.seen_by)


def _kept(rules: model.Model) -> Iterator[Line]:
    for keep in rules.keeps.values():
        if keep.name == model.NEXT or keep.span.line < 1:
            continue
        noun, below = term(rules, keep.name, "keep"), []
        if keep.key is None:
            words = Text("The game remembers “{name}”.", name=noun)
        else:
            of = [_of_each(rules, part) for part in keep.key.parts or (keep.key,)]
            words = Text("The game remembers “{name}” for each {of}.", name=noun, of=of)
        if keep.names:
            all_names = [value_term(rules, keep.name, value) for value in range(len(keep.names))]
            below.append(Line(Text("It is one of {values}, at first the first of them.", values=all_names), keep.span))
        elif keep.initial is not None:
            below.append(Line(Text("At first: {value}.", value=Words(rules).value(keep.initial)), keep.span))
        if keep.seen_by == "owner":
            below.append(Line(Text("Only the player whose it is knows it."), keep.span))
        elif keep.seen_by == "nobody":
            below.append(Line(Text("Nobody knows it."), keep.span))
        yield Line(words, keep.span, tuple(below))


# ---- definitions, steps, moves --------------------------------------------------------------------------------------


def _defined(rules: model.Model) -> Iterator[Line]:
    for definition in rules.definitions.values():
        words = Words(rules, definition.slot if definition.parameter else NOBODY)
        name = names.word(rules, definition.name)
        of = [names.owner(rules, type) for type in (definition.parameter, definition.second) if type is not None]
        yield _definition(words, definition, name, of)


def _definition(words: Words, definition: model.Definition, name: Text, of: list[Text]) -> Line:
    value, span = definition.value, definition.span
    if value.type.kind == "truth" and not isinstance(value, (model.Alternatives, model.Decision)):
        condition = words.condition(value)
        if of:
            return Line(Text("“{name}” holds for {of}, if {condition}.", name=name, of=of, condition=condition), span)
        return Line(Text("“{name}” holds, if {condition}.", name=name, condition=condition), span)
    below = chain(words, value)
    if below and of:
        return Line(Text("“{name}” of {of} is the first of these that fits:", name=name, of=of), span, below)
    if below:
        return Line(Text("“{name}” is the first of these that fits:", name=name), span, below)
    if of:
        return Line(Text("“{name}” of {of} is: {value}.", name=name, of=of, value=words.value(value)), span)
    return Line(Text("“{name}” is: {value}.", name=name, value=words.value(value)), span)


def _steps(rules: model.Model) -> Iterator[Line]:
    for step in rules.steps.values():
        lines = Actions(rules, step.body, step.slot if step.parameter else NOBODY)
        name = names.step(rules, step.name)
        if step.parameter is not None:
            words = Text("In “{step}” of {of}, this happens:", step=name, of=names.owner(rules, step.parameter))
        else:
            words = Text("In “{step}”, this happens:", step=name)
        yield Line(words, step.span, tuple(lines.block(step.body)))


def _moves(rules: model.Model) -> Iterator[Line]:
    for move in rules.moves.values():
        lines = tuple(Actions(rules, move, move.slot).move(move))
        name = names.move(rules, move.name)
        if lines:
            yield Line(Text("The move “{move}”:", move=name), move.span, lines)
        else:
            yield Line(Text("The move “{move}” changes nothing.", move=name), move.span)
