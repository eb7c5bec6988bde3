"""Names behind which places stand: for what a place is there, its ends, the cards that lie there."""

from __future__ import annotations

from dataclasses import replace

from teufelswerk import model
from teufelswerk.base.diagnostics import Span
from teufelswerk.base.texts import Text
from teufelswerk.checker.definitions_of_two import OfTwo
from teufelswerk.checker.scope import Scope, Skip
from teufelswerk.model import NUMBER, Expr, Type
from teufelswerk.syntax import nodes
from teufelswerk.syntax.keywords import ORDINALS

ENDS = ("bottom", "top")
"""Of a place with two ends: where the first card lies, and where the last one."""


class OfPlaces(OfTwo):
    """Finds what is asked of a place."""

    def key_of_place(self, node: nodes.Of, scope: Scope) -> Expr | None:
        """`number of spot`, `colour of row`: what a place of a family is there for."""
        name = node.name.text
        wanted = NUMBER if name in ("number", "other-number") else self.symbols.thing(name)
        if wanted is None or not any(wanted in key_types(place) for place in self.symbols.places.values()):
            return None
        place = self.expr(node.owner, scope)
        if place.type.kind != "place" or place.type.many:
            return None
        parts = [part for part, type in enumerate(key_types(self.symbols.places[place.type.of])) if type == wanted]
        if name == "other-number":
            parts = parts[1:]
        if not parts:
            return None
        return model.KeyOf(wanted.maybe(place.type.optional), node.span, place, parts[0])

    def place_as_key(self, place: Expr, keep: model.Keep, span: Span) -> Expr:
        """Of something that is kept of each of some places, the one of this place."""
        assert keep.key is not None
        absent = place.type.optional
        if not keep.key.parts:
            return model.KeyOf(keep.key.type.maybe(absent), span, place, 0)
        self.asked_once(place, span)
        first, second = (
            model.KeyOf(part.type.maybe(absent), span, place, number) for number, part in enumerate(keep.key.parts)
        )
        return model.Pair(NUMBER.maybe(absent), span, keep.key, first, second)

    def end_of_place(self, node: nodes.Of, scope: Scope) -> Expr | None:
        """`top of row`: where cards can be laid, even if none lies there yet. A name of the game goes first."""
        name = node.name.text
        if name not in ENDS or (name in self.symbols.declared and self.owner_type(name) is not None):
            return None
        place = self.expr(node.owner, scope)
        if place.type.kind != "place":
            if name in self.symbols.declared or name in scope.locals:
                return None
            found = self.type_name(place.type)
            message = Text(
                "`{name}` belongs to {wanted}, not to {found}",
                name=name,
                wanted=self.type_name(Type("place")),
                found=found,
            )
            raise self.fail("wrong-type", message, node.owner.span)
        self.with_ends(place, node.span)
        if place.type.many:
            raise self.fail(
                "wrong-type",
                Text("a place is needed here, not {found}", found=self.type_name(place.type)),
                node.owner.span,
                help=self.as_needed(place, place.type.one()),
            )
        return model.EndOf(Type("end", place.type.of, optional=place.type.optional), node.span, place, name == "top")

    def with_ends(self, place: Expr, span: Span) -> None:
        """Refuses the ends of a place that has none."""
        if not self.symbols.places[place.type.of].two_ended:
            message = Text("`{name}` has no ends", name=place.type.of)
            raise self.fail("no-ends", message, span, help=Text("declare it `with two ends`"))

    def where_it_lies(self, node: nodes.Of, needed: Type, scope: Scope) -> Expr | None:
        """`column of card`: the column in which a card lies."""
        name = node.name.text
        if name not in self.symbols.places:
            return None
        card = self.expr(node.owner, scope, needed)
        return self.holding(name, card, node.span) if card.type.kind in ("card", "end") and not card.type.many else None

    def holding(self, name: str, card: Expr, span: Span) -> Expr:
        card = self.want(card, Type("card"), span)
        return model.PlaceHolding(Type("place", name, optional=True), span, card)

    @staticmethod
    def same_card(what: Expr, card: Expr) -> bool:
        return replace(what, span=card.span) == card

    def stays(self, place: model.PlaceHolding, span: Span) -> Skip:
        """Of a card that would go to where it lies."""
        name = place.type.of
        message = Text("`{words}` is where the card lies already", words=words_at(span))
        key = self.symbols.places[name].key
        on_cards = key is not None and key.type.of in self.symbols.attributes
        help = (
            Text("write `{words}`", words=f"{name} of {key.type.of} of {words_at(place.card.span)}")
            if key and on_cards
            else None
        )
        return self.fail("stays-there", message, span, help=help)

    def families(self) -> Text | None:
        """The families of places that there are."""
        names = [f"`{name}`" for name, place in self.symbols.places.items() if place.key is not None]
        return Text("these are families of places: {names}", names=names[:7]) if names else None

    def every_place(self, source: nodes.Expr, word: str, scope: Scope) -> tuple[Type, Expr]:
        """The family of places behind `every`, `some` and `of each`, and all those of it that are meant."""
        name = (
            source.name.text if isinstance(source, nodes.Of) else source.name if isinstance(source, nodes.Name) else ""
        )
        family = self.symbols.things(name)
        everything: Expr | None = None
        if isinstance(source, nodes.Of):
            of_two = family is not None and family.kind == "place" and self.is_of_two(family.of)
            everything = self.all_of_one(family, source, scope) if family is not None and of_two else None
            family = family if of_two else None
        if family is None or family.kind != "place":
            message = Text("behind `{word}` stands the name of a family of places", word=word)
            raise self.fail("bad-every", message, source.span, help=self.families())
        return family, everything or model.Everything(family.all(), source.span)

    def of_each(self, node: nodes.OfEach, scope: Scope) -> Expr:
        """`last of each pile`; a `where` behind it is one of the cards."""
        name, source, where = node.name.text, node.places, None
        if isinstance(source, nodes.Members) and source.source is None:
            where, source = source.where, nodes.Name(source.noun.span, source.noun.text)
        if name not in ORDINALS:
            message = Text("of each place, cards are meant by their order")
            raise self.fail(
                "of-each",
                message,
                node.name.span,
                help=Text("write `{words}`", words=f"last of each {words_at(node.places.span)}"),
            )
        _, places = self.every_place(source, "each", scope)
        cards = Type("card", card_kinds=frozenset(self.symbols.kinds), many=True)
        found = model.NthOfEach(cards, node.span, ORDINALS[name], places, self.slot(), self.slot())
        if where is None:
            return found
        slot = self.slot()
        return model.Members(cards, node.span, found, self.condition(where, cards.one(), slot, scope), slot)

    def asked_about(self, node: nodes.Expr, scope: Scope) -> Expr:
        """What `there is` asks about: of an end, the card that lies there, since cards can be laid at any."""
        thing = self.expr(node, scope)
        return self.card_at(thing) if isinstance(thing, model.EndOf) else thing

    def narrowed_place(self, node: nodes.Of, scope: Scope) -> nodes.Expr | None:
        """`hand of player where …` as the cards in that place: whose it is, is one thing and no set."""
        if node.name.text not in self.symbols.places:
            return None
        links, end = [node], node.owner
        while isinstance(end, nodes.Of) and end.name.text not in ORDINALS:
            links.append(end)
            end = end.owner
        if not isinstance(end, nodes.Members) or end.source is not None:
            return None
        word = end.noun.text
        if word not in scope.locals and self.symbols.things(word) and not self.symbols.thing(word):
            return None
        place: nodes.Expr = nodes.Name(end.noun.span, word)
        for link in reversed(links):
            place = nodes.Of(replace(link.span, end=end.noun.span.end), link.name, place)
        return nodes.Members(node.span, nodes.Word("cards", node.name.span), place, end.where)


def words_at(span: Span) -> str:
    return span.source.lines[span.line - 1][span.column - 1 : span.end - 1]


def key_types(place: model.Place) -> list[Type]:
    """What a family has one place for: a thing, or two."""
    return [part.type for part in place.key.parts or (place.key,)] if place.key is not None else []
