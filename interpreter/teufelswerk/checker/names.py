"""Names → what they mean: looked up, given an owner where they need one, and read in one way only."""

from __future__ import annotations

from dataclasses import replace

from teufelswerk import model
from teufelswerk.base.diagnostics import Span
from teufelswerk.base.texts import Text
from teufelswerk.checker.places import ENDS, OfPlaces
from teufelswerk.checker.scope import Scope, Skip, said_outright
from teufelswerk.model import PLAYER, SIDE, Expr, Type
from teufelswerk.syntax import nodes
from teufelswerk.syntax.keywords import ORDINALS

NEIGHBOURS = ("left", "right")
NOBODY = "nobody"


class Names(OfPlaces):
    """Finds what a name, bare or with `of`, stands for."""

    # ---- names ------------------------------------------------------------------------------------------------------

    def name(self, node: nodes.Name, scope: Scope, expect: Type | None) -> Expr:
        name, span = node.name, node.span
        if name in scope.spoiled:
            raise Skip
        if name in scope.locals:
            return replace(scope.locals[name], span=span)
        if name in (model.NEXT, NOBODY):
            return self.next_player(span, scope) if name == model.NEXT else model.Nobody(PLAYER.maybe(), span)
        if expect and expect.kind == "name" and name in self.symbols.names[expect.of]:
            return model.Const(expect.one().maybe(False), span, self.symbols.names[expect.of].index(name))
        if name in self.symbols.definitions and self.definition(name).parameter is None:
            definition = self.definition(name)
            return model.Defined(definition.value.type, span, definition, None)
        if name in self.symbols.places and self.symbols.places[name].key is None:
            return model.PlaceOf(Type("place", name), span, self.symbols.places[name], None)
        if name in self.symbols.keeps and self.keep(name).key is None:
            return model.KeepOf(self.keep(name).type, span, self.keep(name), None)
        if self.is_of_two(name):
            return self.of_two(name, (), scope, span)
        if needed := self.owner_type(name):
            return self.belonging(name, needed, scope, span)
        if name in self.symbols.kinds and name in self.symbols.card_ids:
            return self.named_card(name, span)
        if self.symbols.thing(name) and name != "player":
            message = Text("no `{name}` has been chosen here, so it means none in particular", name=name)
            help = Text("choose one before, or say which one is meant; all of them are `{name}`", name=f"{name}s")
            raise self.fail("none-in-particular", message, span, help=help)
        if name != "player" and (thing := self.symbols.things(name)):
            if thing.kind == "end":
                raise self.fail("needs-in", Text("ends of which places?"), span, help=Text("write `ends in …`"))
            return model.Everything(thing.all(), span)
        if name in self.symbols.card_ids:
            return self.named_card(name, span)
        owners = [attribute for attribute, names in self.symbols.names.items() if name in names]
        if len(owners) == 1:
            names = self.symbols.names[owners[0]]
            return model.Const(Type("name", owners[0]), span, names.index(name))
        if owners:
            listed = [f"`{owner}`" for owner in owners]
            message = Text("`{name}` can be a value of {owners:or}", name=name, owners=listed)
            help = Text("say which: `{owner} of … is {name}`", owner=owners[0], name=name)
            raise self.fail("two-readings", message, span, help=help)
        if name == "player":
            message = Text("nobody is in turn here, so `player` means nobody")
            raise self.fail("no-player", message, span, help=Text("say which player is meant"))
        if name in ORDINALS or name in ENDS:
            raise self.of_what(name, span)
        if name in self.symbols.moves or name in self.symbols.steps:
            message = Text("`{name}` is something that happens, and no value", name=name)
            help = Text("let it remember what you want to know, with `keep` and `becomes`")
            raise self.fail("no-value", message, span, help=help)
        if (several := self.named_several(name)) is not None:
            message = Text("no `{name}` has been chosen here, so it means none in particular", name=name)
            help = Text("choose one before, or say which one is meant; all of them are `{name}`", name=several.name)
            raise self.fail("none-in-particular", message, span, help=help)
        happens = self.symbols.moves.keys() | self.symbols.steps.keys()
        self.symbols.unknown(name, span, (self.symbols.all_names() | set(scope.locals)) - happens)
        raise Skip

    def owner_type(self, name: str) -> Type | None:
        """What a name must belong to, if it must belong to something: `number` to a card, `hand` to a player."""
        if name in self.symbols.attributes:
            return Type("card")
        if name in NEIGHBOURS or name in self.seating:
            return PLAYER
        if name in self.symbols.places:
            key = self.symbols.places[name].key
            return (key.parts[0] if key.parts else key).type if key else None
        if (places := self.symbols.of_places(name)) is not None:
            return Type("place", places)
        if name in self.symbols.keeps:
            key = self.keep(name).key
            return (key.parts[0] if key.parts else key).type if key else None
        if name in self.symbols.definitions:
            return self.definition(name).parameter
        return None

    def belonging(self, name: str, needed: Type, scope: Scope, span: Span) -> Expr:
        """A bare name belongs to the one thing in sight that it can belong to."""
        return self.apply(name, self.owner_in_sight(name, needed, scope, span), span)

    def owner_in_sight(self, name: str, needed: Type, scope: Scope, span: Span) -> Expr:
        fitting = [(word, thing) for word, thing in scope.sight if self.can_own(name, needed, thing.type)]
        if len(fitting) > 1:
            nearest_word = fitting[-1][0]
            fitting = [f for f in fitting if f[0] == nearest_word or (name, f[0]) not in scope.clear]
        if not fitting:
            raise self.of_what(name, span)
        if len(fitting) > 1:
            readings = [f"`{name} of {word}`" for word, _ in fitting]
            message = Text("`{name}` can mean {readings:or}", name=name, readings=readings)
            help = Text("say which one is meant, as in {reading}", reading=readings[-1])
            raise self.fail("two-readings", message, span, help=help)
        return fitting[0][1]

    def of_what(self, name: str, span: Span) -> Skip:
        if name in ORDINALS:
            message = Text("the `{name}` card of what?", name=name)
            return self.fail("needs-of", message, span, help=Text("write `{name} of …`", name=name))
        message = Text("`{name}` of what? Nothing in sight has one", name=name)
        return self.fail("needs-of", message, span, help=Text("say whose it is: `{name} of …`", name=name))

    def can_own(self, name: str, needed: Type, found: Type) -> bool:
        if needed.many:
            return (found.kind == "card" and found.many) or found.kind == "set"
        if found.many:
            return False
        if needed.kind == "card":
            if found.kind == "end":
                return True
            if found.kind != "card":
                return False
            if name not in self.symbols.attributes:
                return True
            return any(name in self.symbols.kind_attributes[kind] for kind in found.card_kinds)
        # what a side has, each of its players has
        return (needed.kind == found.kind and needed.of == found.of) or (needed.same(SIDE) and found.kind == "player")

    def of(self, node: nodes.Of, scope: Scope) -> Expr:
        name, span = node.name.text, node.span
        if name in ORDINALS:
            return self.ordinal(node, scope)
        if name == "player" and (key := self.key_of_place(node, scope)) is not None:
            return key
        if name == "player":
            card = self.want(self.expr(node.owner, scope, Type("card")), Type("card"), node.owner.span)
            return model.PlayerOf(PLAYER.maybe(), span, card)
        if name == "random":
            help = Text("write `random player` or `random card in …`")
            raise self.fail(
                "unknown-name", Text("there is nothing called `{name}`", name=name), node.name.span, help=help
            )
        if (end := self.end_of_place(node, scope)) is not None:
            return end
        if self.is_of_two(name):
            both = isinstance(node.owner, nodes.Logic) and node.owner.op == "and"
            given = (node.owner.left, node.owner.right) if both else (node.owner,)  # type: ignore[union-attr]
            return self.of_two(name, given, scope, span)
        if (places := self.places_of_one(node, scope)) is not None:
            return places
        if (key := self.key_of_place(node, scope)) is not None:
            return key
        needed = self.owner_type(name)
        if needed is None:
            known = name in self.symbols.declared or name in scope.locals or name == model.NEXT
            if known:
                message = Text("`{name}` belongs to nothing, so it has no `of`", name=name)
                raise self.fail("no-of", message, node.name.span, help=Text("write `{name}` alone", name=name))
            owned = {*self.symbols.attributes, *self.symbols.places, *self.symbols.keeps, *self.symbols.definitions}
            self.symbols.unknown(name, node.name.span, owned | set(NEIGHBOURS) | set(ORDINALS) | {"player"})
            raise Skip
        if (there := self.where_it_lies(node, needed, scope)) is not None:
            return there
        if needed.many and isinstance(node.owner, nodes.Logic) and node.owner.op == "and":
            return self.apply(name, self.together(node.owner, scope), span)
        owner = self.expr(node.owner, scope, needed)
        if needed.kind == "card":
            wanted_type = Type("card")
            owner = (
                self.those_cards(owner, node.owner.span)
                if needed.many
                else self.want(owner, wanted_type, node.owner.span)
            )
        elif not self.can_own(name, needed, owner.type):
            wanted, found = self.type_name(needed), self.type_name(owner.type)
            message = Text("`{name}` belongs to {wanted}, not to {found}", name=name, wanted=wanted, found=found)
            raise self.fail("wrong-type", message, node.owner.span, help=self.as_needed(owner, needed))
        return self.apply(name, owner, span)

    def apply(self, name: str, owner: Expr, span: Span) -> Expr:
        """The name's value for its owner."""
        if owner.type.kind == "player" and self.owner_type(name) == SIDE:
            owner = self.apply("side", owner, owner.span)
        absent = owner.type.optional
        if name in self.symbols.attributes:
            card = self.want(owner, Type("card"), span)
            missing = [k for k in card.type.card_kinds if name not in self.symbols.kind_attributes[k]]
            if missing and len(missing) == len(card.type.card_kinds):
                message = Text("these cards have no `{name}`", name=name)
                raise self.fail("no-attribute", message, span)
            attribute = self.symbols.attributes[name]
            return model.AttributeOf(attribute.type.maybe(absent or bool(missing)), span, name, card)
        if name in NEIGHBOURS:
            side: object = name
            return model.Neighbour(PLAYER.maybe(absent), span, side, owner)  # type: ignore[arg-type]
        if name in self.symbols.places:
            return model.PlaceOf(Type("place", name, optional=absent), span, self.symbols.places[name], owner)
        if name in self.symbols.keeps:
            keep = self.keep(name)
            key = owner if owner.type.kind != "place" else self.place_as_key(owner, keep, span)
            return model.KeepOf(keep.type.maybe(absent or keep.type.optional), span, keep, key)
        definition = self.definition(name)
        type = definition.value.type
        return model.Defined(type.maybe(absent) if name in self.seating else type, span, definition, owner)

    def ordinal(self, node: nodes.Of, scope: Scope) -> Expr:
        owner = self.expr(node.owner, scope)
        in_order = ("card", "player", "place", "number", "name")
        if owner.type.kind not in in_order or not (owner.type.many or owner.type.kind == "place"):
            message = Text("`{name}` needs a place, a list or a set of cards or players", name=node.name.text)
            raise self.fail("wrong-type", message, node.owner.span)
        cards = Type("card", card_kinds=frozenset(self.symbols.kinds))
        type = owner.type.one() if owner.type.many else cards
        return model.Nth(type.maybe(), node.span, ORDINALS[node.name.text], owner)

    def not_at_table(self, span: Span) -> Skip:
        message = Text("only players sit at the table")
        help = Text("write `players at the table`, `each player at the table` or `left of … at the table`")
        return self.fail("not-at-table", message, span, help=help)

    # ---- behind `where` ----------------------------------------------------------------------------------------------

    def condition(self, where: nodes.Expr, thing: Type, slot: int, scope: Scope) -> Expr:
        return self.truth(where, self.looking(where, thing, slot, scope))

    def looking(self, where: nodes.Expr, thing: Type, slot: int, scope: Scope) -> Scope:
        """The scope behind a `where`: `it` is the thing looked at, and bare names belong to it."""
        it = self.looked_at(thing, where.span, slot)
        inner = scope.with_local("it", it)
        around = scope.locals.get("it")
        outer = around.type.of or around.type.kind if around is not None else ""
        return replace(inner, clear=scope.clear | said_outright(where), outer=outer)

    # ---- sets of cards ----------------------------------------------------------------------------------------------

    def some_cards(self) -> Type:
        return Type("card", card_kinds=frozenset(self.symbols.kinds), many=True)

    def those_cards(self, value: Expr, span: Span) -> Expr:
        """Some cards, or all those in a place."""
        if value.type.kind == "place":
            return model.Members(self.some_cards(), value.span, value, None, self.slot())
        return self.want(value, self.some_cards(), span)

    def together(self, node: nodes.Logic, scope: Scope) -> Expr:
        """`(meld and card)`: these cards, and those, each of them once."""
        parts: list[Expr] = []
        rest: nodes.Expr = node
        while True:
            more = isinstance(rest, nodes.Logic) and rest.op == "and"
            part = rest.left if isinstance(rest, nodes.Logic) and more else rest
            found = self.expr(part, scope, Type("card"))
            if found.type.kind == "card" and not found.type.many:
                parts.append(self.want(found, Type("card"), part.span))
            else:
                parts.append(self.those_cards(found, part.span))
            if not isinstance(rest, nodes.Logic) or not more:
                return model.Together(self.some_cards(), node.span, tuple(parts))
            rest = rest.right

    def looked_at(self, thing: Type, span: Span, slot: int) -> model.Local:
        """`it`: one of several things, or one of several sets."""
        type = self.some_cards() if thing.kind == "set" else thing.one().maybe(False)
        return model.Local(type, span, slot, "it")


def seated_neighbour(node: nodes.Of | nodes.Members) -> nodes.Expr | None:
    """`left of dealer at the table` as `left of dealer`, or `left at the table` as `left`."""
    if isinstance(node, nodes.Members):
        seated = isinstance(node.source, nodes.AtTable) and node.where is None and node.noun.text in NEIGHBOURS
        return nodes.Name(node.noun.span, node.noun.text) if seated else None
    if node.name.text not in NEIGHBOURS:
        return None
    owner = node.owner
    if isinstance(owner, nodes.Members) and isinstance(owner.source, nodes.AtTable) and owner.where is None:
        word = owner.noun
        whose: nodes.Expr | None = nodes.Name(word.span, word.text)
        whose = nodes.Person(word.span, word.text) if word.text[0].isupper() else whose
    else:
        whose = seated_neighbour(owner) if isinstance(owner, nodes.Of) else None
    return nodes.Of(node.span, node.name, whose) if whose is not None else None


def at_the_table(value: Expr) -> Expr:
    """The neighbours, whoever is out."""
    if isinstance(value, model.Neighbour):
        return replace(value, player=at_the_table(value.player), at_table=True)
    return value
