"""A file → its index: where each name stands, what it means there, and where that is declared.

What a name means is decided as the checker does: what is declared is declared once and known everywhere, a name in a
list (`colour: red, blue`) belongs to that list, and what a step or move names for itself is known there alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from teufelswerk.base.diagnostics import Span
from teufelswerk.checker.collect import collect
from teufelswerk.checker.declared import OTHER
from teufelswerk.checker.scope import everything_said
from teufelswerk.checker.symbols import BUILT_IN, Symbols, plurals, singulars
from teufelswerk.editing.opened import Opened
from teufelswerk.editing.pieces import Piece, pieces
from teufelswerk.model import NEXT, Card
from teufelswerk.syntax import nodes

Kind = Literal[
    "attribute", "cards", "place", "keep", "value", "step", "move", "member", "local", "person", "card", "word", "base"
]
GENERAL = BUILT_IN | frozenset(
    f"{NEXT} side partner others owner all nobody nothing paid top bottom winners losers"
    " players min-players max-players".split()
)
"""Names that every game has, and those that stand for people and ends."""
Form = Literal["same", "plural", "singular"]


@dataclass(frozen=True)
class Meaning:
    """What a name stands for. `scope` is the line of the step, move or heading in which alone it means that."""

    kind: Kind
    name: str
    scope: int = 0


@dataclass(frozen=True)
class Occurrence:
    """A place where something is named; `part` if it is only a part of a card's id."""

    meaning: Meaning
    span: Span
    form: Form = "same"
    part: bool = False
    declares: bool = False
    piece: Piece | None = field(default=None, repr=False, compare=False)


class Names:
    """The index of one file."""

    def __init__(self, file: Opened) -> None:
        self.file = file

    @cached_property
    def symbols(self) -> Symbols:
        """What the whole game declares, also where something is wrong with it."""
        assembled = self.file.loaded.assembled
        sections = assembled.sections if assembled else []
        return collect((c, number) for number, s in enumerate(sections) for part in s.parts for c in part.clauses)

    @cached_property
    def declared(self) -> dict[str, list[tuple[Kind, Span]]]:
        """Everything that has a name of its own, with each place that gives it that name. A list's names may stand in
        several lists."""
        found: dict[str, list[tuple[Kind, Span]]] = {}
        assembled = self.file.loaded.assembled
        sections = [*(assembled.sections if assembled else ()), *self.file.parsed]
        for section in sections:
            for part in section.parts:
                for clause in part.clauses:
                    for name, kind, span in declarations(clause):
                        places = found.setdefault(name, [])
                        if (kind, span) not in places:
                            places.append((kind, span))
        return found

    @cached_property
    def locals(self) -> dict[int, dict[str, Span]]:
        """What each step, move and definition names for itself, by the number of its line."""
        return {
            number: {
                word.text: word.span
                for word in _own_names(clause)
                if word.text not in self.declared and word.text not in GENERAL and not self._known_form(word.text)
            }
            for number, clause in self.file.clauses.items()
            if isinstance(clause, (nodes.Step, nodes.Move, nodes.Definition))
        }

    @cached_property
    def people(self) -> dict[int, dict[str, Span]]:
        """Who sits at the tables of each section's scenes, by the line of its heading."""
        found: dict[int, dict[str, Span]] = {}
        for section in self.file.parsed:
            for part in section.parts:
                for clause in part.clauses:
                    if isinstance(clause, nodes.Scene):
                        people = found.setdefault(section.span.line, {})
                        for word in clause.people:
                            people.setdefault(word.text, word.span)
        return found

    # ---- what a name means ----------------------------------------------------------------------------------------

    def meaning(self, word: str, top: int, verb: bool = False) -> tuple[Meaning, Form] | None:
        """What a name means in the clause that begins in a line, perhaps where a move is named."""
        is_move = any(kind == "move" for kind, _ in self.declared.get(word, ()))
        if is_move and not verb and (found := self._known_form(word)):
            return Meaning(self.declared[found[0]][0][0], found[0]), found[1]
        if word in self.declared:
            return Meaning(self.declared[word][0][0], word), "same"
        if word in self.locals.get(top, {}):
            return Meaning("local", word, top), "same"
        if found := self._known_form(word):
            name, form = found
            return Meaning(self.declared[name][0][0], name), form
        for own in self.locals.get(top, {}):
            if word in plurals(own):
                return Meaning("local", own, top), "plural"
        if self.is_card(word):
            return Meaning("card", word), "same"
        if word in GENERAL or set(singulars(word)) & GENERAL:
            return Meaning("word", word), "same"
        return None

    @staticmethod
    def _counts(piece: Piece) -> bool:
        """Whether it says what is counted, as in `no cards in table`, also where a choice is called `cards`."""
        behind = piece.span.source.lines[piece.span.line - 1][piece.span.end - 1 :]
        return bool(set(singulars(piece.text)[1:]) & GENERAL) and behind.startswith(" in ")

    def _known_form(self, word: str) -> tuple[str, Form] | None:
        """A thing of which this is the plural, or several of which this is one."""
        for one in singulars(word)[1:]:
            if one in self.declared:
                return one, "plural"
        if word in GENERAL:
            return None
        for several in plurals(word)[1:]:
            if any(kind in ("value", "keep") for kind, _ in self.declared.get(several, ())):
                return several, "singular"
        return None

    # ---- where it stands ------------------------------------------------------------------------------------------

    @cached_property
    def pieces(self) -> list[Piece]:
        return list(pieces(self.file))

    @cached_property
    def occurrences(self) -> list[Occurrence]:
        """Every place where something is named, in the order of the file."""
        return [found for piece in self.pieces for found in self._of(piece)]

    @cached_property
    def by_line(self) -> dict[int, list[Occurrence]]:
        found: dict[int, list[Occurrence]] = {}
        for occurrence in self.occurrences:
            found.setdefault(occurrence.span.line, []).append(occurrence)
        return found

    def _of(self, piece: Piece) -> Iterator[Occurrence]:
        if piece.sort == "person":
            if piece.text in self.people.get(piece.section, {}):
                meaning = Meaning("person", piece.text, piece.section)
                declares = self.people[piece.section][piece.text] == piece.span
                yield Occurrence(meaning, piece.span, declares=declares, piece=piece)
            return
        if piece.sort not in ("name", "figure"):
            return
        if isinstance(self.file.clauses.get(piece.span.line), nodes.Variant):
            yield Occurrence(Meaning("base", piece.text), piece.span, piece=piece)
            return
        if piece.text.startswith(OTHER) and piece.text not in self.declared:
            rest, start = piece.text.removeprefix(OTHER), piece.span.column + len(OTHER)
            if inner := self.meaning(rest, piece.top):
                place = Span(piece.span.source, piece.span.line, start, piece.span.end)
                yield Occurrence(inner[0], place, inner[1], part=True, piece=piece)
            return
        found = self.meaning(piece.text, piece.top, piece.verb)
        if found and found[0].kind == "local" and self._counts(piece):
            found = Meaning("word", piece.text), "same"
        if found is None:
            return
        meaning, form = found
        declares = any(span == piece.span for _, span in self.places_of(meaning))
        yield Occurrence(meaning, piece.span, form, declares=declares, piece=piece)
        if meaning.kind == "card":
            card = self.card(meaning.name)
            column = piece.span.column
            for name, text in self.parts_of(card):
                if name is not None:
                    place = Span(piece.span.source, piece.span.line, column, column + len(text))
                    yield Occurrence(name, place, part=True, piece=piece)
                column += len(text) + 1

    def is_card(self, word: str) -> bool:
        """Whether a card is called so, or would be if it were not left out."""
        return word in self.symbols.card_ids or word in self.symbols.left_out

    def card(self, id: str) -> Card:
        if id in self.symbols.left_out:
            return self.symbols.left_out[id][0]
        return self.symbols.cards[self.symbols.card_ids[id]]

    def parts_of(self, card: Card) -> Iterator[tuple[Meaning | None, str]]:
        """What a card's id is made of: its kind, perhaps, and its values; numbers are no names."""
        clause = self.symbols.kinds[card.kind]
        values = []
        for attribute in clause.attributes:
            if isinstance(attribute, nodes.Attribute) and attribute.name.text in card.values:
                value = card.values[attribute.name.text]
                names = self.symbols.names.get(attribute.name.text)
                if attribute.name.text != "copies":
                    values.append(names[value] if names else str(value))
        if card.id == "-".join([card.kind, *values]) and clause.kind is not None:
            yield Meaning("cards", card.kind), card.kind
        for text in values:
            known = text in self.declared
            yield (Meaning(self.declared[text][0][0], text) if known else None), text

    def at(self, line: int, column: int) -> Occurrence | None:
        """What is named at a place; of a card's id the part, if that is one."""
        here = [o for o in self.by_line.get(line, ()) if o.span.column <= column <= o.span.end]
        return min(here, key=lambda o: (not o.span.column <= column < o.span.end, not o.part), default=None)

    def places_of(self, meaning: Meaning) -> list[tuple[Kind, Span]]:
        """Where something gets its name."""
        if meaning.kind == "local":
            return [("local", self.locals[meaning.scope][meaning.name])]
        if meaning.kind == "person":
            return [("person", self.people[meaning.scope][meaning.name])]
        if meaning.kind == "base":
            bases = self.file.loaded.assembled.sources[1:2] if self.file.loaded.assembled else []
            return [("base", Span(base, 1, 1, len(base.lines[0]) + 1)) for base in bases]
        if meaning.kind == "card":
            card = self.card(meaning.name)
            return [("cards", self.symbols.kinds[card.kind].span)]
        return self.declared.get(meaning.name, [])

    def all_of(self, meaning: Meaning) -> list[Occurrence]:
        """Every place of this file where the same thing is named."""
        return [o for o in self.occurrences if (o.meaning.name, o.meaning.scope) == (meaning.name, meaning.scope)]


def names_of(file: Opened) -> Names:
    """The index of a file, made once."""
    names = file.known.get("names")
    if not isinstance(names, Names):
        names = file.known["names"] = Names(file)
    return names


def declarations(clause: nodes.Clause) -> Iterator[tuple[str, Kind, Span]]:
    """The names that a clause gives to something, itself and in its lists."""
    if isinstance(clause, nodes.Cards):
        if clause.kind is not None:
            yield clause.kind.text, "cards", clause.kind.span
        for attribute in clause.attributes:
            yield attribute.name.text, "attribute", attribute.name.span
            if isinstance(attribute, nodes.Attribute):
                for stretch in attribute.values:
                    if not stretch.first[0].isdigit():
                        yield stretch.first, "member", _start(stretch.span, stretch.first)
    elif isinstance(clause, nodes.Keep):
        yield clause.name.text, "keep", clause.name.span
        for word in clause.names:
            yield word.text, "member", word.span
    elif isinstance(clause, nodes.Place):
        yield clause.name.text, "place", clause.name.span
    elif isinstance(clause, nodes.Definition):
        yield clause.name.text, "value", clause.name.span
        if isinstance(clause.value, nodes.Lookup):
            yield from _words_of_rows(clause.value.rows)
    elif isinstance(clause, nodes.Step):
        yield clause.name.text, "step", clause.name.span
    elif isinstance(clause, nodes.Move):
        yield clause.name.text, "move", clause.name.span


def _words_of_rows(rows: Iterable[nodes.TableRow]) -> Iterator[tuple[str, Kind, Span]]:
    """The words that the rows of a table give, which may be names of its own."""
    for row in rows:
        if row.value[0].isalpha():
            yield row.value, "member", _start(row.span, row.value)


def _start(span: Span, text: str) -> Span:
    return Span(span.source, span.line, span.column, span.column + len(text))


def _own_names(clause: nodes.Step | nodes.Move | nodes.Definition) -> Iterator[nodes.Word]:
    """What the lines of a step, move or definition give a name to."""
    found: list[nodes.Word] = []
    for item in everything_said(clause.value if isinstance(clause, nodes.Definition) else clause.body):
        if isinstance(item, nodes.Local):
            found.append(item.name)
        elif isinstance(item, (nodes.Choose, nodes.Each)):
            found.append(item.noun)
    yield from sorted(found, key=lambda word: (word.span.line, word.span.column), reverse=True)
