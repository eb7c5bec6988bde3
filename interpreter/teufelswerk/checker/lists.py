"""Lists, tables, places joined by `or`, and what was chosen in a turn → typed expressions."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, reduce
from typing import assert_never

from teufelswerk import model
from teufelswerk.base import limits
from teufelswerk.base.diagnostics import Span
from teufelswerk.base.texts import Text
from teufelswerk.checker.card_symbols import keys_of_rows, one_number_each
from teufelswerk.checker.names import Names
from teufelswerk.checker.scope import Scope, Skip
from teufelswerk.model import DOWN, NUMBER, TRUTH, UP, Expr, Place, Type, faces_in
from teufelswerk.syntax import nodes
from teufelswerk.syntax.build import is_whole, whole
from teufelswerk.syntax.keywords import ORDINALS


class Lists(Names):
    """Finds what stands in lists and tables."""

    @cached_property
    def faces(self) -> model.Keep | None:
        return faces_in(self.symbols.places, len(self.symbols.cards))

    def listed(
        self,
        node: nodes.WasChosen | nodes.Listing | nodes.Lookup | nodes.Face | nodes.Within,
        scope: Scope,
        expect: Type | None,
    ) -> Expr:
        match node:
            case nodes.WasChosen():
                return self.was_chosen(node, scope)
            case nodes.Listing():
                return self.listing(node, scope, expect)
            case nodes.Lookup():
                return self.lookup(node, scope)
            case nodes.Face():
                return self.face(node, scope)
            case nodes.Within():
                return self.within(node, scope)
            case _:
                assert_never(node)

    def was_chosen(self, node: nodes.WasChosen, scope: Scope) -> Expr:
        verb = node.verb.text
        if verb not in scope.chosen:
            message = Text(
                "no turn above this line, in the same block or around it, offers the move `{name}`", name=verb
            )
            similar = self.symbols.nearest(verb, scope.chosen or self.symbols.moves)
            help = Text("write `{name}`", name=similar) if similar and similar != verb else None
            raise self.fail("not-offered", message, node.verb.span, help=help)
        chosen = model.WasChosen(TRUTH, node.span, verb, scope.chosen[verb])
        return model.Not(TRUTH, node.span, chosen) if node.negated else chosen

    # ---- cards that are turned --------------------------------------------------------------------------------------

    def face(self, node: nodes.Face, scope: Scope) -> Expr:
        """Whether a card lies face up: whether everyone sees it."""
        card = self.expr(node.card, scope)
        if card.type.kind == "end" and not card.type.many:
            card = self.card_at(card)
        if card.type.kind != "card" or card.type.many:
            message = Text("one card lies face up or down, not {found}", found=self.type_name(card.type))
            help = Text("write `some cards in … where it is face up`")
            raise self.fail("wrong-type", message, node.card.span, help=help if card.type.many else None)
        faces = self.turned(card, node.span)
        face = model.KeepOf(NUMBER.maybe(card.type.optional), node.span, faces, card)
        relation: nodes.Relation = "at_least" if node.up else "at_most"
        return model.Compare(TRUTH, node.span, relation, face, model.Const(NUMBER, node.span, UP if node.up else DOWN))

    def within(self, node: nodes.Within, scope: Scope) -> Expr:
        """Whether one of several things, or of the cards in a place, is the one that is meant."""
        source = self.expr(node.source, scope)
        cards = source.type.kind == "place" and not source.type.many
        thing = self.expr(node.thing, scope, Type("card") if cards else source.type.one())
        self.asked_once(thing, node.thing.span)
        type = Type("card", card_kinds=frozenset(self.symbols.kinds)) if cards else source.type.one()
        if not (cards or source.type.many) or thing.type.many or not thing.type.same(type):
            things, found = self.type_name(thing.type), self.type_name(source.type)
            message = Text("{things} cannot be in {found}", things=things, found=found)
            raise self.fail("wrong-type", message, node.source.span)
        slot = self.slot()
        it = model.Local(type.maybe(False), node.span, slot, "it")
        same = model.Compare(TRUTH, node.span, "is", it, thing)
        members = model.Members(type.all(), node.span, source, same, slot)
        return model.Quantify(TRUTH, node.span, "some", None, members, None)

    def turned(self, what: Expr, span: Span) -> model.Keep:
        """What is remembered of the cards that are turned, if there are any, and these may be some of them."""
        if self.faces is None:
            message = Text("nowhere in this game are cards turned up")
            help = Text("say it where they lie: `place row, seen by nobody until turned up`")
            raise self.fail("not-turned", message, span, help=help)
        for place in places_of(what):
            if not place.turned:
                message = Text("cards in `{place}` are not turned: they lie as its line says", place=place.name)
                related = ((place.span, Text("who sees them is said here")),) if place.span else ()
                turned = [f"`{name}`" for name, other in self.symbols.places.items() if other.turned]
                help = Text("only cards in {places:or} are turned", places=turned)
                raise self.fail("not-turned", message, span, related=related, help=help)
        return self.faces

    # ---- lists ------------------------------------------------------------------------------------------------------

    def listing(self, node: nodes.Listing, scope: Scope, expect: Type | None) -> Expr:
        """`18, 20, 22 to 24` or `hearts, spades`: plain values of one type, each once."""
        values: dict[int, Span] = {}
        type = expect.one() if expect and expect.kind == "name" else None
        for first, last in node.items:
            value = self.expr(first, scope, type)
            low = self.plain(value, first.span)
            type = type or value.type.one().maybe(False)
            self.want(value, type, first.span)
            high = low if last is None else self.plain(self.want(self.expr(last, scope), NUMBER, last.span), last.span)
            if last is not None and (type.kind != "number" or not low <= high < low + limits.MAX_LISTED):
                message = Text("the range from {low} to {high} is empty or too long", low=low, high=high)
                help = Text("a range goes upwards and has at most {limit} numbers", limit=limits.MAX_LISTED)
                raise self.fail("bad-range", message, last.span, help=help)
            for number in range(low, high + 1):
                if number in values:
                    words = first.span.source.lines[first.span.line - 1][first.span.column - 1 : first.span.end - 1]
                    related = ((values[number], Text("here it is listed already")),)
                    message = Text("`{value}` is listed twice", value=words)
                    raise self.fail("listed-twice", message, first.span, related=related)
                values[number] = first.span
        if len(values) > limits.MAX_LISTED:
            message = Text("a list has at most {limit} values", limit=limits.MAX_LISTED)
            raise self.fail("bad-range", message, node.span)
        assert type is not None
        return model.Listing(type.all(), node.span, tuple(values))

    def plain(self, value: Expr, span: Span) -> int:
        """A value that stands in the file, or that a name there stands for."""
        plain = value
        while isinstance(plain, model.Defined) and plain.argument is None:
            plain = plain.definition.value
        if isinstance(plain, model.Const) and plain.type.kind in ("number", "name"):
            return plain.value
        message = Text("a list holds numbers, names of plain numbers, or names of one kind, as in `2, 4, top-value`")
        raise self.fail("bad-list", message, span)

    # ---- tables -----------------------------------------------------------------------------------------------------

    def lookup(self, node: nodes.Lookup, scope: Scope) -> Expr:
        """A table as a chain of decisions: which row is it?"""
        asked = scope.locals[node.by.text]
        possible = self.possible_keys(node.by, asked.type)
        rows = one_number_each(self.symbols, node.rows, possible)
        keys = keys_of_rows(self.symbols, node.name, node.by, rows, possible)
        value: Expr | None = None
        known = [(row, own) for row, own in zip(rows, keys, strict=True) if own]
        rest = [row for row, own in zip(rows, keys, strict=True) if own is None]
        if asked.type.kind == "name" and known and not rest:
            rest = [known.pop()[0]]  # all names stand in the table, so the last row is what is left
        own_words = node.name.text in self.symbols.names
        expected = Type("name", node.name.text) if own_words else None
        results: dict[int, Expr] = {}
        for row in rows:
            results[id(row)] = self.row_value(row, scope, expected)
            if expected is not None and not results[id(row)].type.same(expected):
                raise self.mismatch(results[id(rows[0])], results[id(row)], row.span)
            expected = expected or results[id(row)].type
        if rest:
            value = results[id(rest[0])]
        for row, own in reversed(known):
            optional = value is None or value.type.optional
            condition = self.one_of(asked, own, row.span)
            found = results[id(row)]
            value = model.Decision(found.type.maybe(optional), row.span, condition, found, value)
        if value is None:
            raise Skip  # its rows have been complained of
        return value

    def row_value(self, row: nodes.TableRow, scope: Scope, expect: Type | None) -> Expr:
        node: nodes.Expr = nodes.Name(row.span, row.value)
        if is_whole(row.value):
            node = nodes.Number(row.span, whole(row.value))
        return self.expr(node, scope, expect)

    def possible_keys(self, by: nodes.Word, type: Type) -> list[str] | None:
        """All that a table can be asked for; None if that is any number."""
        if type.kind == "name":
            return list(self.symbols.names[type.of])
        if type.kind != "number":
            message = Text("a table goes by names or numbers, not by {type}", type=self.type_name(type.all()))
            raise self.fail("wrong-type", message, by.span)
        values = {card.values[by.text] for card in self.symbols.cards if by.text in card.values}
        return [str(value) for value in sorted(values)] or None

    def one_of(self, asked: Expr, keys: Sequence[str], span: Span) -> Expr:
        """Whether what is asked for is one of the keys; numbers in a row are one comparison."""
        if asked.type.kind == "name":
            names = self.symbols.names[asked.type.of]
            consts = (model.Const(asked.type, span, names.index(key)) for key in keys)
            return any_of((model.Compare(TRUTH, span, "is", asked, const) for const in consts), span)
        return any_of((self.between(asked, low, high, span) for low, high in stretches(map(int, keys))), span)

    @staticmethod
    def between(asked: Expr, low: int, high: int, span: Span) -> Expr:
        first, last = model.Const(NUMBER, span, low), model.Const(NUMBER, span, high)
        if low == high:
            return model.Compare(TRUTH, span, "is", asked, first)
        least = model.Compare(TRUTH, span, "at_least", asked, first)
        return model.Logic(TRUTH, span, "and", least, model.Compare(TRUTH, span, "at_most", asked, last))

    # ---- places -----------------------------------------------------------------------------------------------------

    def joined(self, node: nodes.Logic, scope: Scope) -> Expr | None:
        """`hand or last of row`: all these cards; a `where` behind the last goes for all."""
        if node.op != "or" or not self.is_cards(node.left, scope):
            return None
        parts: list[nodes.Expr] = []
        rest: nodes.Expr = node
        while isinstance(rest, nodes.Logic) and rest.op == "or":
            parts.append(rest.left)
            rest = rest.right
        if isinstance(rest, nodes.Of):
            rest = self.narrowed_place(rest, scope) or rest
        last, where = without_where(rest)
        parts.append(last)
        if not all(self.is_cards(part, scope) for part in parts):
            return None
        found = [self.expr(part, scope) for part in parts]
        type = Type("card", card_kinds=frozenset(self.symbols.kinds), many=True)
        if any(part.type.kind != "place" for part in found):
            joined: Expr = model.Together(type, node.span, tuple(map(self.card_or_cards, found)))
        else:
            self.each_once(found, parts)
            joined = model.Joined(type, node.span, tuple(found))
        if where is None:
            return joined
        slot = self.slot()
        return model.Members(type, node.span, joined, self.condition(where, type.one(), slot, scope), slot)

    def each_once(self, places: Sequence[Expr], parts: Sequence[nodes.Expr]) -> None:
        for number, place in enumerate(places):
            alike = [other for other in places[:number] if other.type.of == place.type.of]
            if any(replace(other, span=place.span) == place or other.type.many or place.type.many for other in alike):
                message = Text("the cards of `{name}` stand here twice", name=place.type.of)
                raise self.fail("listed-twice", message, parts[number].span)

    def is_cards(self, node: nodes.Expr, scope: Scope) -> bool:
        """Whether something is a place, a card by its order there, or a set of cards, as far as its words tell."""
        match node:
            case nodes.Few() | nodes.Members() if isinstance(node, nodes.Few) or node.source is not None:
                return (things := self.symbols.things(node.noun.text)) is not None and things.kind == "card"
            case nodes.OfEach():
                return True
            case nodes.Of() if node.name.text in ORDINALS:
                return self.is_place(node.owner, scope)
            case nodes.Name() if node.name in scope.locals:
                return scope.locals[node.name].type.kind in ("place", "card")
        return self.is_place(node, scope) or (isinstance(node, nodes.Name) and self.stands_for_cards(node.name, scope))

    def card_or_cards(self, value: Expr) -> Expr:
        """A card by itself; some cards, or all those in a place."""
        return value if value.type.kind == "card" and not value.type.many else self.those_cards(value, value.span)

    @abstractmethod
    def stands_for_cards(self, name: str, scope: Scope) -> bool:
        """Whether a `where` behind a name asks for cards: those of a place, or of a definition of several."""

    def no_place_behind_or(self, node: nodes.Logic, scope: Scope) -> None:
        """Refuses `… in hand or table`: without brackets, a condition would have to follow."""
        first = node.right
        while isinstance(first, (nodes.Compare, nodes.Logic)):
            compared, first = first, first.left
            of_place = isinstance(compared, nodes.Compare) and self.is_place(first, scope)
            if of_place and self.expr(compared.right, scope).type.kind == "place":
                return  # two places are compared
        if isinstance(first, nodes.Members) and first.source is None:
            first = nodes.Name(first.noun.span, first.noun.text)
        if node.op == "or" and self.is_place(first, scope):
            message = Text("a condition is needed behind `{op}`, not {found}", op=node.op, found=Text("a place"))
            help = Text("places that belong together stand in brackets behind `in`, as in `in (hand or table)`")
            raise self.fail("half-a-condition", message, first.span, help=help)

    def is_place(self, node: nodes.Expr, scope: Scope) -> bool:
        if isinstance(node, nodes.Of):
            return node.name.text in self.symbols.places or self.family_of_two(node.name.text) is not None
        if not isinstance(node, nodes.Name):
            return False
        if node.name in scope.locals:
            return scope.locals[node.name].type.kind == "place"
        thing = self.symbols.things(node.name)
        return node.name in self.symbols.places or (thing is not None and thing.kind == "place")


def without_where(node: nodes.Expr) -> tuple[nodes.Expr, nodes.Expr | None]:
    """The last of several places or sets without its condition, and that; in brackets, it is its own."""
    span = node.span
    line = span.source.lines[span.line - 1]
    if line[: span.column - 1].endswith("("):
        return node, None
    match node:
        case nodes.Members(source=None):
            return nodes.Name(node.noun.span, node.noun.text), node.where
        case nodes.Members() if node.where is not None and isinstance(node.source, nodes.Name | nodes.Of):
            return replace(node, where=None), node.where
        case nodes.Few() if node.where is not None:
            return replace(node, where=None), node.where
        case nodes.Of(owner=nodes.Members(source=None) as inner) if inner.where is not None:
            return replace(node, owner=nodes.Name(inner.noun.span, inner.noun.text)), inner.where
    return node, None


def any_of(conditions: Iterable[Expr], span: Span) -> Expr:
    return reduce(lambda left, right: model.Logic(TRUTH, span, "or", left, right), conditions)


def stretches(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Numbers as stretches without gaps, each with its lowest and its highest."""
    low = high = None
    for number in sorted(numbers):
        if high is not None and low is not None and number != high + 1:
            yield low, high
            low = None
        low, high = number if low is None else low, number
    if low is not None and high is not None:
        yield low, high


def places_of(cards: Expr) -> Iterator[Place]:
    """The place, if the expression itself says where the cards lie."""
    match cards:
        case model.PlaceOf():
            yield cards.place
        case model.Nth():
            yield from places_of(cards.of)
        case model.Members():
            yield from places_of(cards.base)
        case model.Few() | model.Random() | model.Best():
            yield from places_of(cards.members)
