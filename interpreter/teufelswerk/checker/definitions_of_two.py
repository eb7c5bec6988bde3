"""What belongs to two things → the value, place or kept thing of the two that are named or in sight."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace

from teufelswerk import model
from teufelswerk.base.diagnostics import Span
from teufelswerk.base.texts import Text
from teufelswerk.checker.declared import Declared
from teufelswerk.checker.scope import Scope, Skip
from teufelswerk.model import NUMBER, PLAYER, SIDE, TRUTH, Expr, Type
from teufelswerk.model.walk import expressions
from teufelswerk.syntax import nodes


class OfTwo(Declared):
    """Finds what `worth of (Ida and red)` stands for, also where one of the two, or both, are left out."""

    @abstractmethod
    def owner_in_sight(self, name: str, needed: Type, scope: Scope, span: Span) -> Expr:
        """The one thing in sight that a name can belong to."""

    @abstractmethod
    def apply(self, name: str, owner: Expr, span: Span) -> Expr:
        """The name's value for its owner."""

    @abstractmethod
    def condition(self, where: nodes.Expr, thing: Type, slot: int, scope: Scope) -> Expr:
        """What stands behind a `where`."""

    @abstractmethod
    def owner_type(self, name: str) -> Type | None:
        """What a name must belong to, if it must belong to something."""

    @abstractmethod
    def holding(self, name: str, card: Expr, span: Span) -> Expr:
        """The place of a family in which a card lies."""

    def is_of_two(self, name: str) -> bool:
        if name in self.symbols.definitions:
            return self.symbols.definitions[name][0].second is not None
        return self.pair_of(name) is not None

    def pair_of(self, name: str) -> model.Key | None:
        """For what a place or a kept thing has members, if that is two things together."""
        key: model.Key | None = None
        if name in self.symbols.places:
            key = self.symbols.places[name].key
        elif self.symbols.of_places(name) is not None:
            return None  # it belongs to one thing: a place
        elif name in self.symbols.keeps and self.symbols.keeps[name].family is not None:
            key = self.keep(name).key
        return key if key is not None and key.kind == "pair" else None

    def both_types(self, name: str) -> tuple[Type, Type]:
        """What the two are to which a name belongs."""
        if (key := self.pair_of(name)) is not None:
            return key.parts[0].type, key.parts[1].type
        definition = self.definition(name)
        assert definition.parameter is not None and definition.second is not None
        return definition.parameter, definition.second

    def of_two(self, name: str, given: Sequence[nodes.Expr], scope: Scope, span: Span) -> Expr:
        """The value for two things; what is not given is the one thing of its type in sight."""
        first, second = self.both_types(name)
        if len(given) == 2:
            left, right = given
            ours, theirs = self.expr(left, scope, first), self.expr(right, scope, second)
            if not (first.same(SIDE) and ours.type.same(PLAYER)):  # what a side has, each of its players has
                ours = self.want(ours, first, left.span)
            return self.joined_by(name, (ours, self.want(theirs, second, right.span)), span)
        if not given:
            owners = (self.owner_in_sight(name, first, scope, span), self.owner_in_sight(name, second, scope, span))
            return self.joined_by(name, owners, span)
        return self.of_one(name, self.expr(given[0], scope), scope, span)

    def of_one(self, name: str, value: Expr, scope: Scope, span: Span) -> Expr:
        """… where one of the two is known."""
        first, second = self.both_types(name)
        if name in self.symbols.places and value.type.kind in ("card", "end") and not value.type.many:
            return self.holding(name, value, span)
        if first.same(second):
            raise self.of_which(name, span)
        if value.type.same(first) or (first.same(SIDE) and value.type.same(PLAYER)):
            return self.joined_by(name, (value, self.owner_in_sight(name, second, scope, span)), span)
        value = self.want(value, second, value.span)
        return self.joined_by(name, (self.owner_in_sight(name, first, scope, span), value), span)

    def of_which(self, name: str, span: Span) -> Skip:
        words = f"{name} of (… and …)"
        message = Text("`{name}` belongs to two things of the same kind", name=name)
        related = ((self.symbols.declared[name], Text("declared here")),)
        return self.fail("needs-of", message, span, related=related, help=Text("write `{words}`", words=words))

    def as_side(self, owner: Expr, wanted: Type) -> Expr:
        """What a side has, each of its players has."""
        is_player = wanted.same(SIDE) and owner.type.kind == "player"
        return self.apply("side", owner, owner.span) if is_player else owner

    def joined_by(self, name: str, owners: tuple[Expr, Expr], span: Span) -> Expr:
        """What belongs to these two under a name."""
        for owner in owners:
            self.asked_once(owner, span)
        first, second = map(self.as_side, owners, self.both_types(name))
        if (key := self.pair_of(name)) is None:
            return self.written_out(self.definition(name), (first, second), span)
        absent = first.type.optional or second.type.optional
        pair = model.Pair(NUMBER.maybe(absent), span, key, first, second)
        if name in self.symbols.places:
            return model.PlaceOf(Type("place", name, optional=absent), span, self.symbols.places[name], pair)
        keep = self.keep(name)
        return model.KeepOf(keep.type.maybe(absent or keep.type.optional), span, keep, pair)

    def asked_once(self, owner: Expr, span: Span) -> None:
        """Refuses chance in what is worked out more than once."""
        if any(isinstance(part, model.Random) for part in expressions(owner)):
            message = Text("chance is asked once here, and would be asked again and again")
            raise self.fail("random-here", message, span, help=Text("give it a name before, as in `drawn = random …`"))

    def family_of_two(self, word: str) -> Type | None:
        """The places of two things that a noun in the plural means."""
        family = None if self.symbols.thing(word) else self.symbols.things(word)
        return family if family is not None and family.kind == "place" and self.pair_of(family.of) else None

    def places_of_one(self, node: nodes.Of, scope: Scope) -> Expr | None:
        """`expeditions of player`: of places of two things, all that belong to one thing."""
        family = self.family_of_two(node.name.text)
        if family is None or (isinstance(node.owner, nodes.Logic) and node.owner.op == "and"):
            return None
        return self.all_of_one(family, node, scope)

    def all_of_one(self, family: Type, node: nodes.Of, scope: Scope) -> Expr:
        key = self.pair_of(family.of)
        assert key is not None
        if key.parts[0].type.same(key.parts[1].type):
            raise self.of_which(family.of, node.span)
        owner = self.expr(node.owner, scope)
        of_first = self.both_types(family.of)[0]
        is_first = owner.type.same(of_first) or (of_first.same(SIDE) and owner.type.same(PLAYER))
        other = key.parts[1 if is_first else 0]
        place_slot, slot, span = self.slot(), self.slot(), node.span
        it = model.Local(other.type, span, slot, "it")
        if is_first:
            one = self.joined_by(family.of, (owner, it), span)
        else:
            one = self.joined_by(family.of, (it, self.want(owner, key.parts[1].type, node.owner.span)), span)
        all_others: Expr = model.Everything(other.type.all(), span)
        if other.kind == "number":
            low, high = (model.Const(NUMBER, span, number) for number in (other.low, other.high))
            all_others = model.Numbers(NUMBER.all(), span, low, high)
        place = model.Local(family, span, place_slot, "it")
        same = model.Members(other.type.all(), span, all_others, model.Compare(TRUTH, span, "is", place, one), slot)
        belongs = model.Quantify(TRUTH, span, "some", None, same, None)
        return model.Members(family.all(), span, model.Everything(family.all(), span), belongs, place_slot)

    def written_out(self, definition: model.Definition, owners: tuple[Expr, Expr], span: Span) -> Expr:
        node, section = self.symbols.definitions[definition.name]
        assert node.parameter is not None and node.second is not None
        scope, types = self.everywhere(), (definition.parameter, definition.second)
        for word, owner, type in zip((node.parameter, node.second), owners, types, strict=True):
            assert type is not None
            scope = scope.with_local(word.text, replace(owner, type=type.maybe(owner.type.optional)))
        self.copying += 1
        value = self.expr(node.value, scope, section=section)
        self.copying -= 1
        for owner in owners:
            if owner.type.optional:
                there = model.Exists(TRUTH, span, False, owner)
                value = model.Decision(value.type.maybe(), span, there, value, None)
        return model.Applied(value.type, span, definition, value, tuple(owners))
