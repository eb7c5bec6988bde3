"""Definitions and kept things → typed declarations; and the types that values must have where they are used."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace

from teufelswerk import model
from teufelswerk.base import limits
from teufelswerk.base.diagnostics import Span
from teufelswerk.base.texts import Text
from teufelswerk.checker.scope import Scope, Skip
from teufelswerk.checker.size_bounds import nesting
from teufelswerk.checker.symbols import Symbols, key_of, plurals, who_sees
from teufelswerk.model import NUMBER, PLAYER, SIDE, TRUTH, Expr, Type
from teufelswerk.model.walk import expressions
from teufelswerk.syntax import nodes

OTHER = "other-"
"""The second of two things of one kind is called so: `gap of number and other-number`."""
MAX_OPEN = 6
"""Definitions that may be half understood at once. They come in such an order that only a circle needs several."""


class Declared(ABC):
    """What the file declares, made when first asked for; mistakes go to the symbols' list, the clause is skipped."""

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
        self.seating = self.seated()
        """In a game with sides: on which one a player plays, and with whom."""
        self.copying = 0
        """How many definitions are being written out for things that are put in the places of their names."""
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
                "number": Text("a set of numbers"),
                "set": Text("sets of cards"),
            }.get(type.kind, Text("a set of names"))
        if type.kind == "name":
            return Text("a side") if type.same(SIDE) else Text("a `{name}`", name=type.of)
        return {
            "number": Text("a number"),
            "truth": Text("a condition"),
            "card": Text("a card"),
            "player": Text("a player"),
            "place": Text("a place"),
            "end": Text("an end"),
            "set": Text("a set of cards"),
        }[type.kind]

    def seated(self) -> dict[str, model.Definition]:
        players = self.symbols.players
        if players is None or SIDE.of not in self.symbols.names:
            return {}
        span, sides, found = players.span, len(self.symbols.names[SIDE.of]), {}
        for name, type, offset, modulus in (("side", SIDE, 0, sides), ("partner", PLAYER, sides, players.low)):
            if self.symbols.declared.get(name) == span:
                slot = self.slot()
                seat: Expr = model.Local(PLAYER, span, slot, "player")
                sum = model.Arith(NUMBER, span, "+", seat, model.Const(NUMBER, span, offset)) if offset else seat
                whole = model.Const(NUMBER, span, modulus)
                times = model.Arith(NUMBER, span, "*", model.Arith(NUMBER, span, "/down", sum, whole), whole)
                value = model.Arith(type, span, "-", sum, times)
                found[name] = model.Definition(name, PLAYER, slot, value, span, 0)
                self.extents[name] = len(list(expressions(value))), 1
        return found

    def everywhere(self) -> Scope:
        """What can be meant anywhere: in a game for one, `player` is always that one."""
        players = self.symbols.players
        if players is None or players.high > 1:
            return Scope()
        return Scope().with_local("player", model.Const(PLAYER, players.span, 0))

    # ---- declarations that are expressions --------------------------------------------------------------------------

    def definition(self, name: str) -> model.Definition:
        """The definition, elaborated when first used; a circle is reported once."""
        if name in self.seating:
            return self.seating[name]
        if name in self.definitions:
            return self.definitions[name]
        if name in self.spoiled or name not in self.symbols.definitions:  # it is said where it is spoiled or missing
            raise Skip
        node, section = self.symbols.definitions[name]
        if name in self.open:
            raise self.circle(name)
        if len(self.open) >= MAX_OPEN:
            raise self.too_deep(node.name.span)
        self.open[name] = node.name.span
        try:
            scope, locals = self.everywhere(), []
            if node.parameter and node.second and node.parameter.text == node.second.text:
                message = Text("there are two things called `{name}`", name=node.second.text)
                related = ((node.parameter.span, Text("the first one")),)
                raise self.fail("declared-twice", message, node.second.span, related=related)
            for word in filter(None, (node.parameter, node.second)):
                locals.append(model.Local(self.parameter(word), word.span, self.slot(), word.text))
                scope = scope.with_local(word.text, locals[-1])
            value = self.expr(node.value, scope, section=section)
            self.no_sets(value, node.value.span)
            parameter, slot = (locals[0].type, locals[0].slot) if locals else (None, -1)
            second = locals[1].type if len(locals) > 1 else None
            definition = model.Definition(name, parameter, slot, value, node.name.span, section, second)
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

    def too_long(self, name: nodes.Word) -> Skip:
        message = Text("with all that it names put in its place, the definition of `{name}` is too long",
                       name=name.text)  # fmt: skip
        help = Text("name the same thing less often, or keep it with `keep`")
        return self.fail("too-long", message, name.span, help=help)

    def measure(self, definition: model.Definition, node: nodes.Definition) -> None:
        """Refuses what would grow beyond bounds if all that it names stood in its place."""
        parts = list(expressions(definition.value))
        inner = [self.extents[part.definition.name] for part in parts if isinstance(part, model.Defined)]
        size = len(parts) + sum(size for size, _ in inner)
        depth = nesting(node.value) + max((depth for _, depth in inner), default=0)
        if depth > limits.MAX_DEFINITION_NESTING:
            raise self.too_deep(definition.span)
        if size > limits.MAX_DEFINITION_SIZE:
            raise self.too_long(node.name)
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
            if node.or_nobody and thing != PLAYER:
                message = Text("only a player can be nobody")
                raise self.fail("bad-keep", message, node.initial.span)
            type = thing.maybe(node.or_nobody)
        elif node.or_nobody:
            raise self.fail("bad-keep", Text("only a player can be nobody"), node.initial.span)  # type: ignore[union-attr]
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
        seen = who_sees(self.symbols, node.seen_by, ("nobody", "owner")) if node.seen_by else "all"
        if seen == "owner" and (key is None or key.owner is None):
            message = Text("`{name}` has no owner, since it is not kept of each player", name=name)
            self.symbols.report("seen-by", message, node.seen_by[0].span)
            seen = "nobody"
        return model.Keep(name, len(self.keeps), key, type, names, initial, node.name.span, seen, node.shown)  # type: ignore[arg-type]

    def next_player(self, span: Span, scope: Scope) -> Expr:
        """Whose turn comes after this one: kept by itself, wherever rules speak of it."""
        if not scope.happening:
            message = Text("`next` is whoever has the next turn when players go round, and nobody elsewhere")
            help = Text("say it below `go round`, in a step called there or in a move made there")
            raise self.fail("no-next", message, span, help=help)
        if model.NEXT not in self.keeps:
            first = model.Const(PLAYER, span, 0)
            self.keeps[model.NEXT] = model.Keep(
                model.NEXT, len(self.keeps), None, PLAYER, (), first, span, "all", False
            )
        return model.KeepOf(PLAYER, span, self.keeps[model.NEXT], None)

    def thing(self, word: nodes.Word) -> Type:
        """The type that a parameter's or a loop's name says."""
        if found := self.symbols.things(word.text):
            return found
        if (several := self.named_several(word.text)) is not None:
            return several.value.type.one()
        known = ["card", "player", "end", *self.symbols.kinds, *self.symbols.places, *self.symbols.names]
        known += [name for name, (node, _) in self.symbols.definitions.items() if isinstance(node.value, nodes.Listing)]
        self.symbols.unknown(word.text, word.span, known)
        raise Skip

    def named_several(self, noun: str) -> model.Definition | None:
        """The definition that names several things, such as `limits`; each of them is a `limit`."""
        for name in plurals(noun):
            node, _ = self.symbols.definitions.get(name, (None, 0))
            if node is None or node.parameter is not None or (name in self.open and name != noun):
                continue
            if (definition := self.definition(name)).value.type.many:
                return definition
        return None

    def parameter(self, word: nodes.Word) -> Type:
        """The type of what a definition is a value of: some thing, a set of cards, or a number."""
        if word.text == "cards":
            return Type("card", card_kinds=frozenset(self.symbols.kinds), many=True)
        if word.text.startswith(OTHER) and word.text not in self.symbols.declared:
            return self.parameter(replace(word, text=word.text.removeprefix(OTHER)))
        plain = word.text in self.symbols.attributes and not self.symbols.attributes[word.text].names
        is_number = self.symbols.things(word.text) is None and (plain or word.text == "number")
        unknown = self.symbols.things(word.text) is None and self.named_several(word.text) is None
        if unknown and not is_number and word.text in self.symbols.only_in:
            message = Text("there is nothing called `{name}` that a definition could be asked of", name=word.text)
            help = Text("behind `of` stands a thing, as in `of card` or `of player`, or `number` for any number")
            raise self.fail("unknown-name", message, word.span, help=help)
        return NUMBER if is_number else self.thing(word)

    @abstractmethod
    def expr(self, node: nodes.Expr, scope: Scope, expect: Type | None = None, section: int = 0) -> Expr:
        """The typed expression for a node."""

    @abstractmethod
    def no_sets(self, value: Expr, span: Span) -> Expr:
        """Refuses sets of cards where only one thing, or one set, can be meant."""

    # ---- the type that is needed -------------------------------------------------------------------------------------

    def mismatch(self, first: Expr, second: Expr, span: Span, either: bool = False) -> Skip:
        message = Text(
            "{first} and {second} do not go together",
            first=self.type_name(first.type),
            second=self.type_name(second.type),
        )
        if isinstance(second, (model.Alternatives, model.Decision)):
            span = origin(second).span
        related = ((origin(first).span, self.type_name(first.type)),)
        help = self.cards_of_either(first, second) if either else None
        return self.fail("types-differ", message, span, label=self.type_name(second.type), related=related, help=help)

    @staticmethod
    def cards_of_either(first: Expr, second: Expr) -> Text | None:
        """How to say on one line the cards in one of two places."""
        one, other = first.span, second.span
        alone = all(thing.type.kind == "place" and not thing.type.many for thing in (first, second))
        if not alone or one.line != other.line:
            return None
        line, places = one.source.lines[one.line - 1], (one.column - 1, other.column - 1)
        words = f"{line[: places[0]]}cards in {line[places[0] : places[1]]}cards in {line[places[1] :]}"
        return Text("a definition is no place, but it can be the cards in one: write `{words}`", words=words.strip())

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
        raise self.fail("wrong-type", message, span, help=self.as_needed(value, type))

    def as_needed(self, value: Expr, type: Type) -> Text | None:
        """What to write where another kind of value is needed."""
        words = value.span.source.lines[value.span.line - 1][value.span.column - 1 : value.span.end - 1]
        if value.type.many and value.type.one().same(type) and type.kind in ("card", "player", "place"):
            return Text("of several, say which one is meant: write `{words}`", words=f"first of {words}")
        key = self.symbols.places[value.type.of].key if value.type.kind == "place" else None
        if key is not None and key.type == type:
            return Text("write `{words}`", words=f"{type.of or type.kind} of {words}")
        if type == NUMBER and value.type.kind == "name" and not value.type.many and value.type != SIDE:
            return Text(
                "names are no numbers; a table gives them some: `{table}`, and below it `{row}`",
                table=f"height by {value.type.of}:",
                row=f"1 to {len(self.symbols.names[value.type.of])}: others",
            )
        return None

    def card_at(self, end: Expr) -> Expr:
        kinds = frozenset(self.symbols.kinds)
        return model.CardAt(Type("card", card_kinds=kinds, optional=end.type.optional), end.span, end)

    def number(self, node: nodes.Number, expect: Type | None) -> Expr:
        if abs(node.value) > limits.MAX_NUMBER:
            message = Text("a number is at most {limit}", limit=limits.MAX_NUMBER)
            raise self.fail("large-number", message, node.span)
        if expect and expect.kind == "name" and expect != SIDE and str(node.value) in self.symbols.names[expect.of]:
            return model.Const(
                expect.one().maybe(False), node.span, self.symbols.names[expect.of].index(str(node.value))
            )
        if expect and expect.kind in ("card", "end") and not expect.many and str(node.value) in self.symbols.card_ids:
            return self.named_card(str(node.value), node.span)
        return model.Const(NUMBER, node.span, node.value)

    def named_card(self, id: str, span: Span) -> model.Const:
        """A card by its id; of identical ones the first, where it makes no difference which one it is."""
        card = self.symbols.card_ids[id]
        return model.Const(Type("card", card_kinds=frozenset({self.symbols.cards[card].kind})), span, card)


def origin(value: Expr) -> Expr:
    """The first plain value among alternatives."""
    while isinstance(value, (model.Alternatives, model.Decision)):
        value = value.branches[0].value if isinstance(value, model.Alternatives) else value.then
    return value
