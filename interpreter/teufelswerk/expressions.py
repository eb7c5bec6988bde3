"""Expression nodes → typed expressions: looks names up, finds what a bare name belongs to, checks types."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from teufelswerk import limits, model, nodes
from teufelswerk.diagnostics import Span
from teufelswerk.extent import nesting
from teufelswerk.model import NUMBER, PLAYER, TRUTH, Expr, Type
from teufelswerk.symbols import Symbols, key_of
from teufelswerk.texts import Text
from teufelswerk.walk import expressions

NEIGHBOURS = ("left", "right")
ORDINALS = ("first", "second", "last")
ENDS = ("bottom", "top")
MAX_OPEN = 6
"""Definitions that may be half understood at once. They come in such an order that only a circle needs several."""


class Skip(Exception):
    """The clause has a mistake that has been reported; the rest of it is passed over."""


@dataclass
class Scope:
    """What can be meant at some place in the file."""

    locals: dict[str, Expr] = field(default_factory=dict)
    sight: list[tuple[str, Expr]] = field(default_factory=list)
    """What a bare name can belong to, with the word for it."""
    people: frozenset[str] = frozenset()
    random: bool = False
    going_round: bool = False
    spoiled: frozenset[str] = frozenset()
    """Names that a line with a mistake would have given to something."""
    clear: frozenset[tuple[str, str]] = frozenset()
    """`number of card` said outright, so that a bare `number` beside it cannot mean the card's."""

    def with_local(self, name: str, value: Expr, in_sight: bool = True) -> Scope:
        sight = [*self.sight, (name, value)] if in_sight else self.sight
        return replace(
            self, locals={**self.locals, name: value}, sight=[s for s in sight if s[0] != name or s[1] is value]
        )


class Expressions:
    """Turns expression nodes into typed ones; mistakes go to the symbols' list, the clause is skipped."""

    def __init__(self, symbols: Symbols) -> None:
        self.symbols = symbols
        self.slots = 0
        self.persistent: list[int] = []
        self.ids = 0
        self.definitions: dict[str, model.Definition] = {}
        self.keeps: dict[str, model.Keep] = {}
        self.open: dict[str, Span] = {}
        """The definitions and kept things that are being looked at, in the order in which they name one another."""
        self.spoiled: set[str] = set()
        """Those in which a mistake has been reported."""
        self.extents: dict[str, tuple[int, int]] = {}
        self.sentence: Callable[[nodes.Sentence, Scope, int], model.Sentence] | None = None

    def slot(self, persistent: bool = False) -> int:
        self.slots += 1
        if persistent:
            self.persistent.append(self.slots - 1)
        return self.slots - 1

    def id(self) -> int:
        self.ids += 1
        return self.ids - 1

    def fail(self, code: str, message: Text, span: Span, **more: object) -> Skip:
        self.symbols.report(code, message, span, **more)  # type: ignore[arg-type]
        return Skip()

    # ---- what a type is called -------------------------------------------------------------------------------------

    def type_name(self, type: Type) -> Text:
        if type.many:
            return {
                "card": Text("a set of cards"),
                "player": Text("a set of players"),
                "place": Text("a set of places"),
                "end": Text("a set of ends"),
            }.get(type.kind, Text("a set of names"))
        if type.kind == "name":
            return Text("a `{name}`", name=type.of)
        return {
            "number": Text("a number"),
            "truth": Text("a condition"),
            "card": Text("a card"),
            "player": Text("a player"),
            "place": Text("a place"),
            "end": Text("an end"),
        }[type.kind]

    # ---- declarations that are expressions --------------------------------------------------------------------------

    def definition(self, name: str) -> model.Definition:
        """The definition, elaborated when first used; a circle is reported once."""
        if name in self.definitions:
            return self.definitions[name]
        if name in self.spoiled:
            raise Skip
        node, section = self.symbols.definitions[name]
        if name in self.open:
            raise self.circle(name)
        if len(self.open) >= MAX_OPEN:
            raise self.too_deep(node.name.span)
        self.open[name] = node.name.span
        try:
            scope, parameter, slot = Scope(), None, -1
            if node.parameter:
                parameter = self.thing(node.parameter)
                slot = self.slot()
                local = model.Local(parameter, node.parameter.span, slot, node.parameter.text)
                scope = scope.with_local(node.parameter.text, local)
            value = self.expr(node.value, scope, section=section)
            definition = model.Definition(name, parameter, slot, value, node.name.span, section)
            self.measure(definition, node)
        except Skip:
            self.spoiled.add(name)
            raise
        finally:
            del self.open[name]
        self.definitions[name] = definition
        return definition

    def circle(self, name: str) -> Skip:
        """Something that cannot be known before it is known itself."""
        names = list(self.open)
        path = names[names.index(name) :]
        first = min(range(len(path)), key=lambda index: self.open[path[index]].line)
        path = path[first:] + path[:first]
        name, span = path[0], self.open[path[0]]
        related = tuple((self.open[other], Text("`{name}` belongs to the circle", name=other)) for other in path[1:])
        message = (
            Text("`{name}` is defined by itself", name=name)
            if len(path) == 1
            else Text("the definition runs in a circle: {path}", path=" → ".join([*path, name]))
        )
        return self.fail("circle", message, span, related=related)

    def too_deep(self, span: Span) -> Skip:
        message = Text("too many definitions name one another in a row")
        return self.fail("too-deep", message, span, help=Text("put some of them together"))

    def measure(self, definition: model.Definition, node: nodes.Definition) -> None:
        """Refuses what would grow beyond bounds if all that it names stood in its place."""
        parts = list(expressions(definition.value))
        inner = [self.extents[part.definition.name] for part in parts if isinstance(part, model.Defined)]
        size = len(parts) + sum(size for size, _ in inner)
        depth = nesting(node.value) + max((depth for _, depth in inner), default=0)
        if depth > limits.MAX_DEFINITION_NESTING:
            raise self.too_deep(definition.span)
        if size > limits.MAX_DEFINITION_SIZE:
            message = Text("with all that it names put in its place, the definition of `{name}` is too long",
                           name=definition.name)  # fmt: skip
            help = Text("name the same thing less often, or keep it with `keep`")
            raise self.fail("too-long", message, definition.span, help=help)
        self.extents[definition.name] = size, depth

    def keep(self, name: str) -> model.Keep:
        if name in self.keeps:
            return self.keeps[name]
        if name in self.spoiled:
            raise Skip
        node = self.symbols.keeps[name]
        if name in self.open:
            raise self.circle(name)
        self.open[name] = node.name.span
        try:
            keep = self.made_keep(name, node)
        except Skip:
            self.spoiled.add(name)
            raise
        finally:
            del self.open[name]
        self.keeps[name] = keep
        return keep

    def made_keep(self, name: str, node: nodes.Keep) -> model.Keep:
        key = key_of(self.symbols, node.family, node.name)
        names = tuple(word.text for word in node.names)
        initial: Expr | None = None
        if names:
            type = Type("name", name)
        elif isinstance(node.initial, nodes.Name) and (thing := self.symbols.thing(node.initial.name)):
            type = thing
        else:
            assert node.initial is not None
            initial = self.expr(node.initial, Scope())
            type = initial.type
            if type.many or type.kind == "truth":
                message = Text(
                    "a game can remember a number, a thing or one of some names, but not {type}",
                    type=self.type_name(type),
                )
                raise self.fail("bad-keep", message, node.initial.span)
        return model.Keep(name, len(self.keeps), key, type, names, initial, node.name.span)

    def thing(self, word: nodes.Word) -> Type:
        """The type that a parameter's or a loop's name says."""
        found = self.symbols.things(word.text)
        if found is None:
            known = ["card", "player", "end", *self.symbols.kinds, *self.symbols.places, *self.symbols.names]
            self.symbols.unknown(word.text, word.span, known)
            raise Skip
        return found

    # ---- expressions ------------------------------------------------------------------------------------------------

    def expr(self, node: nodes.Expr, scope: Scope, expect: Type | None = None, section: int = 0) -> Expr:
        match node:
            case nodes.Number():
                return self.number(node, expect)
            case nodes.Name():
                return self.name(node, scope, expect)
            case nodes.Person():
                if node.name not in scope.people:
                    message = Text("`{name}` is nobody at this table", name=node.name)
                    raise self.fail("unknown-person", message, node.span)
                return model.Person(PLAYER, node.span, node.name)
            case nodes.Of():
                return self.of(node, scope)
            case nodes.Members():
                return self.members(node.noun, node.source, node.where, scope, node.span)
            case nodes.Best():
                members, by = self.measured(node.by, node.source, node.where, scope, node.span)
                return model.Best(members.type.one().maybe(), node.span, node.extreme, by, members)
            case nodes.Random():
                members = self.members(node.noun, node.source, node.where, scope, node.span)
                if not scope.random:
                    help = Text("let a step draw it, and remember it with `keep`")
                    raise self.fail("random-here", Text("chance can only play a part in a step"), node.span, help=help)
                certain = node.source is None and node.where is None
                return model.Random(members.type.one().maybe(not certain), node.span, members)
            case nodes.Total():
                members, by = self.measured(node.by, node.source, node.where, scope, node.span)
                self.want(by, NUMBER, node.by.span)
                return model.Total(NUMBER, node.span, by, members)
            case nodes.Count():
                members = self.members(node.noun, node.source, node.where, scope, node.span)
                return model.Count(NUMBER, node.span, members)
            case nodes.Quantify():
                return self.quantify(node, scope)
            case nodes.Compare():
                return self.compare(node, scope)
            case nodes.Exists():
                thing = self.expr(node.thing, scope)
                return model.Exists(TRUTH, node.span, node.negated, thing)
            case nodes.AllPass():
                if not scope.going_round:
                    message = Text("`all pass` can only stand behind the `until` of `go round`")
                    raise self.fail("all-pass", message, node.span)
                return model.AllPass(TRUTH, node.span)
            case nodes.Logic():
                left = self.truth(node.left, scope)
                return model.Logic(TRUTH, node.span, node.op, left, self.truth(node.right, scope))
            case nodes.Not():
                return model.Not(TRUTH, node.span, self.truth(node.operand, scope))
            case nodes.Arith():
                left = self.want(self.expr(node.left, scope), NUMBER, node.left.span)
                right = self.want(self.expr(node.right, scope), NUMBER, node.right.span)
                optional = left.type.optional or right.type.optional
                return model.Arith(NUMBER.maybe(optional), node.span, node.op, left, right)
            case nodes.Alternatives():
                return self.alternatives(node, scope, expect, section)
            case nodes.Decision():
                condition = self.truth(node.condition, scope)
                then = self.expr(node.then, scope, expect, section)
                otherwise = self.expr(node.otherwise, scope, expect or then.type, section) if node.otherwise else None
                if otherwise and not then.type.same(otherwise.type):
                    raise self.mismatch(then, otherwise, otherwise.span)
                optional = otherwise is None or then.type.optional or otherwise.type.optional
                return model.Decision(then.type.maybe(optional), node.span, condition, then, otherwise)
        raise AssertionError(node)

    def alternatives(self, node: nodes.Alternatives, scope: Scope, expect: Type | None, section: int) -> Expr:
        branches: list[model.Branch] = []
        for branch in node.branches:
            known = branches[0].value.type if branches else expect
            value = self.expr(branch.value, scope, known, section)
            if branches and not branches[0].value.type.same(value.type):
                raise self.mismatch(branches[0].value, value, branch.value.span)
            condition = self.truth(branch.condition, scope) if branch.condition else None
            told = tuple(self.sentence(s, scope, section) for s in branch.told) if self.sentence else ()
            branches.append(model.Branch(self.id(), value, condition, told, branch.span))
        last = branches[-1]
        optional = last.condition is not None or last.value.type.optional
        return model.Alternatives(branches[0].value.type.maybe(optional), node.span, tuple(branches))

    def mismatch(self, first: Expr, second: Expr, span: Span) -> Skip:
        message = Text(
            "{first} and {second} do not go together",
            first=self.type_name(first.type),
            second=self.type_name(second.type),
        )
        if isinstance(second, (model.Alternatives, model.Decision)):
            span = origin(second).span
        related = ((origin(first).span, self.type_name(first.type)),)
        return self.fail("types-differ", message, span, label=self.type_name(second.type), related=related)

    def truth(self, node: nodes.Expr, scope: Scope) -> Expr:
        return self.want(self.expr(node, scope), TRUTH, node.span)

    def want(self, value: Expr, type: Type, span: Span) -> Expr:
        """The value as the type that is needed here: an end stands for its card; anything else must fit."""
        if value.type.same(type):
            return value
        if type.kind == "card" and value.type.kind == "end" and not value.type.many:
            return self.card_at(value)
        message = Text(
            "{wanted} is needed here, not {found}", wanted=self.type_name(type), found=self.type_name(value.type)
        )
        raise self.fail("wrong-type", message, span)

    def card_at(self, end: Expr) -> Expr:
        kinds = frozenset(self.symbols.kinds)
        return model.CardAt(Type("card", card_kinds=kinds, optional=end.type.optional), end.span, end)

    def number(self, node: nodes.Number, expect: Type | None) -> Expr:
        if node.value > limits.MAX_NUMBER:
            message = Text("a number is at most {limit}", limit=limits.MAX_NUMBER)
            raise self.fail("large-number", message, node.span)
        if expect and expect.kind == "name" and str(node.value) in self.symbols.names[expect.of]:
            return model.Const(
                expect.one().maybe(False), node.span, self.symbols.names[expect.of].index(str(node.value))
            )
        if expect and expect.kind == "card" and not expect.many and str(node.value) in self.symbols.card_ids:
            return model.Const(self.card_type(str(node.value)), node.span, self.symbols.card_ids[str(node.value)])
        return model.Const(NUMBER, node.span, node.value)

    def card_type(self, id: str) -> Type:
        return Type("card", card_kinds=frozenset({self.symbols.cards[self.symbols.card_ids[id]].kind}))

    # ---- names ------------------------------------------------------------------------------------------------------

    def name(self, node: nodes.Name, scope: Scope, expect: Type | None) -> Expr:
        name, span = node.name, node.span
        if name in scope.spoiled:
            raise Skip
        if name in scope.locals:
            return replace(scope.locals[name], span=span)
        if expect and expect.kind == "name" and name in self.symbols.names[expect.of]:
            return model.Const(expect.one().maybe(False), span, self.symbols.names[expect.of].index(name))
        if name in self.symbols.definitions and self.definition(name).parameter is None:
            definition = self.definition(name)
            return model.Defined(definition.value.type, span, definition, None)
        if name in self.symbols.places and self.symbols.places[name].key is None:
            return model.PlaceOf(Type("place", name), span, self.symbols.places[name], None)
        if name in self.symbols.keeps and self.keep(name).key is None:
            return model.KeepOf(self.keep(name).type, span, self.keep(name), None)
        if needed := self.owner_type(name):
            return self.belonging(name, needed, scope, span)
        if self.symbols.thing(name) and name != "player":
            message = Text("no `{name}` has been chosen here, so it means none in particular", name=name)
            help = Text("choose one before, or say which one is meant; all of them are `{name}s`", name=name)
            raise self.fail("none-in-particular", message, span, help=help)
        if name != "player" and (thing := self.symbols.things(name)):
            if thing.kind == "end":
                raise self.fail("needs-in", Text("ends of which places?"), span, help=Text("write `ends in …`"))
            return model.Everything(thing.all(), span)
        if name in self.symbols.card_ids:
            return model.Const(self.card_type(name), span, self.symbols.card_ids[name])
        owners = [attribute for attribute, names in self.symbols.names.items() if name in names]
        if len(owners) == 1:
            names = self.symbols.names[owners[0]]
            return model.Const(Type("name", owners[0]), span, names.index(name))
        if owners:
            listed = [f"`{owner}`" for owner in owners]
            message = Text("`{name}` can be a value of {owners}", name=name, owners=listed)
            help = Text("say which: `{owner} of … is {name}`", owner=owners[0], name=name)
            raise self.fail("two-readings", message, span, help=help)
        if name == "player":
            message = Text("nobody is in turn here, so `player` means nobody")
            raise self.fail("no-player", message, span, help=Text("say which player is meant"))
        self.symbols.unknown(name, span, self.symbols.all_names() | set(scope.locals))
        raise Skip

    def owner_type(self, name: str) -> Type | None:
        """What a name must belong to, if it must belong to something: `number` to a card, `hand` to a player."""
        if name in self.symbols.attributes:
            return Type("card")
        if name in NEIGHBOURS:
            return PLAYER
        if name in self.symbols.places:
            key = self.symbols.places[name].key
            return key.type if key else None
        if name in self.symbols.keeps:
            key = self.keep(name).key
            return key.type if key else None
        if name in self.symbols.definitions:
            return self.definition(name).parameter
        return None

    def belonging(self, name: str, needed: Type, scope: Scope, span: Span) -> Expr:
        """A bare name belongs to the one thing in sight that it can belong to."""
        fitting = [(word, thing) for word, thing in scope.sight if self.can_own(name, needed, thing.type)]
        if len(fitting) > 1:
            nearest_word = fitting[-1][0]
            fitting = [f for f in fitting if f[0] == nearest_word or (name, f[0]) not in scope.clear]
        if not fitting:
            if needed.kind == "name" and needed.of in self.symbols.attributes:
                pass
            message = Text("`{name}` of what? Nothing in sight has one", name=name)
            help = Text("say whose it is: `{name} of …`", name=name)
            raise self.fail("needs-of", message, span, help=help)
        if len(fitting) > 1:
            readings = [f"`{name} of {word}`" for word, _ in fitting]
            message = Text("`{name}` can mean {readings}", name=name, readings=readings)
            help = Text("say which one is meant, as in {reading}", reading=readings[-1])
            raise self.fail("two-readings", message, span, help=help)
        return self.apply(name, fitting[0][1], span)

    def can_own(self, name: str, needed: Type, found: Type) -> bool:
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
        return needed.kind == found.kind and needed.of == found.of

    def of(self, node: nodes.Of, scope: Scope) -> Expr:
        name, span = node.name.text, node.span
        if name in ORDINALS:
            return self.ordinal(node, scope)
        if name == "player":
            card = self.want(self.expr(node.owner, scope, Type("card")), Type("card"), node.owner.span)
            return model.PlayerOf(PLAYER.maybe(), span, card)
        if name == "random":
            help = Text("write `random player` or `random card in …`")
            raise self.fail(
                "unknown-name", Text("there is nothing called `{name}`", name=name), node.name.span, help=help
            )
        needed = self.owner_type(name)
        if needed is None:
            known = name in self.symbols.declared or name in scope.locals
            if known:
                message = Text("`{name}` belongs to nothing, so it has no `of`", name=name)
                raise self.fail("no-of", message, node.name.span, help=Text("write `{name}` alone", name=name))
            owned = {*self.symbols.attributes, *self.symbols.places, *self.symbols.keeps, *self.symbols.definitions}
            self.symbols.unknown(name, node.name.span, owned | set(NEIGHBOURS) | set(ORDINALS) | {"player"})
            raise Skip
        owner = self.expr(node.owner, scope, needed)
        if needed.kind == "card":
            owner = self.want(owner, Type("card"), node.owner.span)
        elif not owner.type.one().same(needed) or owner.type.many:
            wanted, found = self.type_name(needed), self.type_name(owner.type)
            message = Text("`{name}` belongs to {wanted}, not to {found}", name=name, wanted=wanted, found=found)
            raise self.fail("wrong-type", message, node.owner.span)
        return self.apply(name, owner, span)

    def apply(self, name: str, owner: Expr, span: Span) -> Expr:
        """The name's value for its owner."""
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
            return model.KeepOf(keep.type.maybe(absent), span, keep, owner)
        definition = self.definition(name)
        return model.Defined(definition.value.type, span, definition, owner)

    def ordinal(self, node: nodes.Of, scope: Scope) -> Expr:
        owner = self.expr(node.owner, scope)
        if (owner.type.kind == "card" and owner.type.many) or (owner.type.kind == "place" and not owner.type.many):
            cards = owner
        else:
            message = Text("`{name}` needs a place or a set of cards", name=node.name.text)
            raise self.fail("wrong-type", message, node.owner.span)
        kinds = owner.type.card_kinds or frozenset(self.symbols.kinds)
        which: object = node.name.text
        return model.Nth(Type("card", card_kinds=kinds, optional=True), node.span, which, cards)  # type: ignore[arg-type]

    # ---- sets -------------------------------------------------------------------------------------------------------

    def base(self, source: nodes.Expr | None, thing: Type, scope: Scope, span: Span) -> Expr:
        """Where the members are looked for: everything of their type, a place, several places, or a set."""
        if source is None:
            if thing.kind == "end":
                raise self.fail("needs-in", Text("ends of which places?"), span, help=Text("write `ends in …`"))
            return model.Everything(
                replace(
                    thing, card_kinds=frozenset(self.symbols.kinds) if thing.kind == "card" else thing.card_kinds
                ).all(),
                span,
            )
        base = self.expr(source, scope)
        if thing.kind in ("card", "end") and base.type.kind == "place":
            return base
        if base.type.many and base.type.kind == thing.kind and base.type.of == thing.of:
            return base
        message = Text("there are no such things in {found}", found=self.type_name(base.type))
        raise self.fail("wrong-type", message, source.span)

    def members(
        self, noun: nodes.Word, source: nodes.Expr | None, where: nodes.Expr | None, scope: Scope, span: Span
    ) -> model.Members:
        thing = self.thing(noun)
        base = self.base(source, thing, scope, span)
        if thing.kind == "end":
            if base.type.kind == "place" and not self.symbols.places[base.type.of].two_ended:
                message = Text("`{name}` has no ends", name=base.type.of)
                help = Text("declare it `with two ends`")
                raise self.fail("no-ends", message, span, help=help)
            thing = replace(thing, of=base.type.of)
        slot = self.slot()
        condition = self.condition(where, thing, slot, scope) if where else None
        return model.Members(thing.all(), span, base, condition, slot)

    def condition(self, where: nodes.Expr, thing: Type, slot: int, scope: Scope) -> Expr:
        return self.truth(where, self.looking(where, thing, slot, scope))

    def looking(self, where: nodes.Expr, thing: Type, slot: int, scope: Scope) -> Scope:
        """The scope behind a `where`: `it` is the thing looked at, and bare names belong to it."""
        it = model.Local(thing.one().maybe(False), where.span, slot, "it")
        inner = scope.with_local("it", it)
        return replace(inner, clear=scope.clear | said_outright(where))

    def measured(
        self, by: nodes.Word, source: nodes.Expr, where: nodes.Expr | None, scope: Scope, span: Span
    ) -> tuple[model.Members, Expr]:
        """The members of a set that `highest`, `lowest` or `sum` looks at, and what it looks for in each."""
        base = self.expr(source, scope)
        needed = self.owner_type(by.text)
        if needed is None:
            self.symbols.unknown(
                by.text, by.span, {*self.symbols.attributes, *self.symbols.definitions, *self.symbols.keeps}
            )
            raise Skip
        if base.type.kind == "place" and needed.kind == "card":
            thing = Type("card", card_kinds=frozenset(self.symbols.kinds))
        elif base.type.many and self.can_own(by.text, needed, base.type.one()):
            thing = base.type.one()
        else:
            message = Text("nothing in {found} has `{name}`", found=self.type_name(base.type), name=by.text)
            raise self.fail("wrong-type", message, source.span)
        slot = self.slot()
        condition = self.condition(where, thing, slot, scope) if where else None
        it = model.Local(thing, by.span, slot, "it")
        return model.Members(thing.all(), span, base, condition, slot), self.apply(by.text, it, by.span)

    def families(self) -> Text | None:
        """The families of places that there are."""
        names = [f"`{name}`" for name, place in self.symbols.places.items() if place.key is not None]
        return Text("these are families of places: {names}", names=names[:7]) if names else None

    def quantify(self, node: nodes.Quantify, scope: Scope) -> Expr:
        amount = self.want(self.expr(node.amount, scope), NUMBER, node.amount.span) if node.amount else None
        if not node.every:
            members = self.members(node.noun, node.source, node.where, scope, node.span)
            return model.Quantify(TRUTH, node.span, node.quantity, amount, members, None)
        assert node.source is not None
        family = self.symbols.things(node.source.name) if isinstance(node.source, nodes.Name) else None
        if family is None or family.kind != "place":
            message = Text("behind `every` stands the name of a family of places")
            raise self.fail("bad-every", message, node.source.span, help=self.families())
        slot = self.slot()
        place = nodes.Name(node.source.span, "every place")
        local = model.Local(family, node.source.span, slot, family.of)
        inner = replace(scope, locals={**scope.locals, "every place": local})
        members = self.members(node.noun, place, node.where, inner, node.span)
        everything = model.Everything(family.all(), node.source.span)
        return model.Quantify(TRUTH, node.span, node.quantity, amount, members, (everything, slot))

    def compare(self, node: nodes.Compare, scope: Scope) -> Expr:
        if isinstance(node.left, nodes.Number):
            right = self.expr(node.right, scope)
            left = self.expr(node.left, scope, right.type)
        else:
            left = self.expr(node.left, scope)
            right = self.expr(node.right, scope, left.type)
        if left.type.kind == "card" and right.type.kind == "end":
            right = self.card_at(right)
        if left.type.kind == "end" and right.type.kind == "card":
            left = self.card_at(left)
        if not left.type.same(right.type) or left.type.many:
            raise self.mismatch(left, right, node.right.span)
        ordered = node.relation not in ("is", "is_not")
        if ordered and left.type.kind not in ("number", "name"):
            message = Text("{type} is neither above nor below another", type=self.type_name(left.type))
            raise self.fail("no-order", message, node.span)
        if replace(left, span=node.span) == replace(right, span=node.span):
            message = Text("both sides of the comparison are the same")
            raise self.fail("same-sides", message, node.span, help=Text("say whose it is on one side: `… of …`"))
        return model.Compare(TRUTH, node.span, node.relation, left, right)


def origin(value: Expr) -> Expr:
    """The first plain value among alternatives."""
    while isinstance(value, (model.Alternatives, model.Decision)):
        value = value.branches[0].value if isinstance(value, model.Alternatives) else value.then
    return value


def said_outright(node: object) -> frozenset[tuple[str, str]]:
    """Every `name of word` in the condition."""
    found: set[tuple[str, str]] = set()
    stack = [node]
    while stack:
        item = stack.pop()
        if isinstance(item, nodes.Of) and isinstance(item.owner, nodes.Name):
            found.add((item.name.text, item.owner.name))
        if isinstance(item, tuple):
            stack.extend(item)
        elif isinstance(item, (nodes.Node, nodes.Branch)):
            stack.extend(value for key, value in vars(item).items() if key != "span")
    return frozenset(found)
