"""Expression nodes → typed expressions: one case for each construct, sets and comparisons included."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from teufelswerk import model
from teufelswerk.base import limits
from teufelswerk.base.diagnostics import Span
from teufelswerk.base.texts import Text
from teufelswerk.checker.names import at_the_table, seated_neighbour
from teufelswerk.checker.sameness import same_value, told_apart
from teufelswerk.checker.scope import Scope, Skip
from teufelswerk.checker.sets_of_cards import SetsOfCards
from teufelswerk.checker.symbols import singular, singulars
from teufelswerk.model import NUMBER, PLAYER, SIDE, TRUTH, Expr, Type
from teufelswerk.syntax import nodes

BARE = (nodes.Number, nodes.Name, nodes.Arith, nodes.Of)


class Expressions(SetsOfCards):
    """Turns expression nodes into typed ones; mistakes go to the symbols' list, the clause is skipped."""

    # ---- expressions ------------------------------------------------------------------------------------------------

    def expr(self, node: nodes.Expr, scope: Scope, expect: Type | None = None, section: int = 0) -> Expr:
        if scope.going_round and not isinstance(node, (nodes.Logic, nodes.Not, nodes.AllPass)):
            scope = replace(scope, going_round=False)
        match node:
            case nodes.Number():
                return self.number(node, expect)
            case nodes.Name():
                return self.name(node, scope, expect)
            case nodes.Person():
                return self.person(node, scope)
            case nodes.Of() | nodes.Members() if (bare := seated_neighbour(node)) is not None:
                return at_the_table(self.expr(bare, scope))
            case nodes.Of():
                narrowed = self.narrowed_place(node, scope)
                return self.of(node, scope) if narrowed is None else self.expr(narrowed, scope)
            case nodes.Members(noun=noun, source=None) if self.stands_for_cards(noun.text, scope):
                # `hand where suit is red`: the cards in that place, or of that name
                place = nodes.Name(noun.span, noun.text)
                return self.members(nodes.Word("cards", noun.span), place, node.where, scope, node.span)
            case nodes.Members():
                return self.members(node.noun, node.source, node.where, scope, node.span)
            case nodes.Few() | nodes.OfEach():
                return self.few(node, scope) if isinstance(node, nodes.Few) else self.of_each(node, scope)
            case nodes.Best():
                return self.best(node, scope)
            case nodes.Random() | nodes.Thrown():
                return self.random(node, scope) if isinstance(node, nodes.Random) else self.thrown(node, scope)
            case nodes.Total():
                members, by = self.measured(node.by, node.source, node.where, scope, node.span)
                self.want(by, NUMBER, node.by.span)
                return model.Total(NUMBER, node.span, by, members)
            case nodes.Count():
                return self.count(node, scope)
            case nodes.LeastLeft():
                return self.least_left(node, scope)
            case nodes.Quantify():
                return self.quantify(node, scope)
            case nodes.Compare():
                return self.compare(node, scope)
            case nodes.Exists():
                return model.Exists(TRUTH, node.span, node.negated, self.asked_about(node.thing, scope))
            case nodes.AllPass() | nodes.AtTable():
                return self.of_the_table(node, scope)
            case nodes.WasChosen() | nodes.Listing() | nodes.Lookup() | nodes.Face() | nodes.Within():
                return self.listed(node, scope, expect)
            case nodes.Logic():
                return self.joined(node, scope) or self.logic(node, scope)
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
                return self.decision(node, scope, expect, section)
            case _:
                assert_never(node)

    def count(self, node: nodes.Count, scope: Scope) -> Expr:
        members = self.members(node.noun, node.source, node.where, scope, node.span)
        return model.Count(NUMBER, node.span, members)

    def of_the_table(self, node: nodes.AllPass | nodes.AtTable, scope: Scope) -> Expr:
        if isinstance(node, nodes.AtTable):
            return model.Everything(PLAYER.all(), node.span, at_table=True)
        if not scope.going_round:
            message = Text("`all pass` stands only behind the `until` of `go round`, and not behind a `where`")
            raise self.fail("all-pass", message, node.span, help=Text("write `until all pass or …`"))
        return model.AllPass(TRUTH, node.span)

    def best(self, node: nodes.Best, scope: Scope) -> Expr:
        members, by = self.measured(node.by, node.source, node.where, scope, node.span)
        self.no_sets(members, node.span)
        return model.Best(members.type.one().maybe(), node.span, node.extreme, by, members)

    def few(self, node: nodes.Few, scope: Scope) -> Expr:
        amount = self.want(self.expr(node.amount, scope), NUMBER, node.amount.span)
        members = self.members(node.noun, node.source, node.where, scope, node.span)
        self.no_sets(members, node.span)
        return model.Few(members.type, node.span, node.last, amount, members)

    def person(self, node: nodes.Person, scope: Scope) -> Expr:
        """Somebody in an example."""
        if node.name not in scope.people:
            message = Text("`{name}` is nobody at this table", name=node.name)
            small = node.name.lower()
            known = small in scope.locals or small in self.symbols.all_names()
            help = Text("names in the rules have small letters: write `{name}`", name=small) if known else None
            raise self.fail("unknown-person", message, node.span, help=help)
        return model.Person(PLAYER, node.span, node.name)

    def random(self, node: nodes.Random, scope: Scope) -> Expr:
        members = self.members(node.noun, node.source, node.where, scope, node.span)
        self.no_sets(members, node.span)
        self.chance(node.span, scope)
        certain = node.source is None and node.where is None
        return model.Random(members.type.one().maybe(not certain), node.span, members)

    def thrown(self, node: nodes.Thrown, scope: Scope) -> Expr:
        """What a die shows, or a number between any others."""
        low = self.want(self.expr(node.low, scope), NUMBER, node.low.span)
        high = self.want(self.expr(node.high, scope), NUMBER, node.high.span)
        self.chance(node.span, scope)
        known = isinstance(low, model.Const) and isinstance(high, model.Const)
        if (
            isinstance(low, model.Const)
            and isinstance(high, model.Const)
            and not low.value <= high.value < low.value + limits.MAX_REPEATS
        ):
            message = Text("the range from {low} to {high} is empty or too long", low=low.value, high=high.value)
            help = Text("a range goes upwards and has at most {limit} numbers", limit=limits.MAX_REPEATS)
            raise self.fail("bad-range", message, node.span, help=help)
        return model.Random(NUMBER.maybe(not known), node.span, model.Numbers(NUMBER.all(), node.span, low, high))

    def chance(self, span: Span, scope: Scope) -> None:
        if not scope.random:
            message = Text("chance plays no part in conditions, definitions and moves")
            help = Text("let a step draw it before, as in `drawn = random …`, or remember it with `keep`")
            raise self.fail("random-here", message, span, help=help)

    def decision(self, node: nodes.Decision, scope: Scope, expect: Type | None, section: int) -> Expr:
        condition = self.truth(node.condition, scope)
        then = self.expr(node.then, scope, expect, section)
        self.no_sets(then, node.then.span)
        otherwise = self.expr(node.otherwise, scope, expect or then.type, section) if node.otherwise else None
        if otherwise and not then.type.same(otherwise.type):
            raise self.mismatch(then, otherwise, otherwise.span, either=True)
        optional = otherwise is None or then.type.optional or otherwise.type.optional
        type = one_of_kinds([then.type, *([otherwise.type] if otherwise else [])])
        return model.Decision(type.maybe(optional), node.span, condition, then, otherwise)

    def logic(self, node: nodes.Logic, scope: Scope) -> Expr:
        self.no_place_behind_or(node, scope)
        left = self.truth(node.left, scope)
        return model.Logic(TRUTH, node.span, node.op, left, self.second(node, left, scope))

    def second(self, node: nodes.Logic, left: Expr, scope: Scope) -> Expr:
        """What stands behind an `and` or `or`: a condition of its own. `x is 3 or 5` leaves half of it out."""
        before = left.right if isinstance(left, model.Logic) else left
        bare = node.right.left if isinstance(node.right, nodes.Logic) else node.right
        if not isinstance(before, model.Compare) or not isinstance(bare, BARE):
            return self.truth(node.right, scope)
        value = self.expr(bare, scope, before.left.type)
        if value.type.kind == "truth":
            return value if bare is node.right else self.truth(node.right, scope)
        message = Text("a condition is needed behind `{op}`, not {found}", op=node.op, found=self.type_name(value.type))
        start, end = before.span, bare.span
        text = start.source.lines[start.line - 1]
        first = text[start.column - 1 : before.right.span.end - 1]
        second = text[start.column - 1 : before.right.span.column - 1] + text[end.column - 1 : end.end - 1]
        joint = "and" if node.op == "or" and " not " in first else node.op
        help = Text("write `{words}`", words=f"{first} {joint} {second}")
        raise self.fail("half-a-condition", message, bare.span, help=help)

    def alternatives(self, node: nodes.Alternatives, scope: Scope, expect: Type | None, section: int) -> Expr:
        branches: list[model.Branch] = []
        for branch in node.branches:
            known = branches[0].value.type if branches else expect
            value = self.expr(branch.value, scope, known, section)
            self.no_sets(value, branch.value.span)
            if branches and not branches[0].value.type.same(value.type):
                raise self.mismatch(branches[0].value, value, branch.value.span, either=True)
            condition = self.truth(branch.condition, scope) if branch.condition else None
            told = tuple(self.sentence(s, scope, section) for s in branch.told) if self.sentence else ()
            branches.append(model.Branch(self.id(), value, condition, told, branch.span))
        last = branches[-1]
        optional = last.condition is not None or last.value.type.optional
        type = one_of_kinds([branch.value.type for branch in branches])
        return model.Alternatives(type.maybe(optional), node.span, tuple(branches))

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
        if isinstance(source, nodes.AtTable) and thing.kind != "player":
            raise self.not_at_table(source.span)
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
        named = self.named_set(noun, scope) if source is None else None
        if named is None and (name := self.condition_called(noun.text)) is not None:
            return self.sets_in(noun, name, source, where, scope, span)
        thing = named.type.one() if named else self.thing(noun)
        if thing.kind == "player" and source is not None and self.seating:
            found = self.expr(source, scope)
            if found.type.same(SIDE):
                return self.players_of(found, where, scope, span)
        base = named or self.base(source, thing, scope, span)
        if thing.kind == "end" and not named:
            if base.type.kind == "place":
                self.with_ends(base, span)
            thing = replace(thing, of=base.type.of)
        slot = self.slot()
        condition = self.condition(where, thing, slot, scope) if where else None
        return model.Members(thing.all(), span, base, condition, slot)

    def named_set(self, noun: nodes.Word, scope: Scope) -> Expr | None:
        """Several things that were chosen or named: `cards where …`, `limits where …` is then some of these."""
        found = (value for name, value in scope.locals.items() if name == noun.text or noun.text in singulars(name))
        if (here := next((value for value in found if value.type.many), None)) is not None:
            return replace(here, span=noun.span)
        node, _ = self.symbols.definitions.get(noun.text, (None, 0))
        if self.symbols.things(noun.text) and not (node and isinstance(node.value, nodes.Listing)):
            return None
        several = self.named_several(noun.text)
        return None if several is None else model.Defined(several.value.type, noun.span, several, None)

    def players_of(self, side: Expr, where: nodes.Expr | None, scope: Scope, span: Span) -> model.Members:
        """The players of a side."""
        slot = self.slot()
        theirs = self.apply("side", model.Local(PLAYER, span, slot, "it"), span)
        condition: Expr = model.Compare(TRUTH, span, "is", theirs, side)
        if where is not None:
            condition = model.Logic(TRUTH, span, "and", condition, self.condition(where, PLAYER, slot, scope))
        return model.Members(PLAYER.all(), span, model.Everything(PLAYER.all(), span), condition, slot)

    def measured(
        self, by: nodes.Word, source: nodes.Expr, where: nodes.Expr | None, scope: Scope, span: Span
    ) -> tuple[model.Members, Expr]:
        """The members of a set that `highest`, `lowest` or `sum` looks at, and what it looks for in each."""
        base = self.expr(source, scope)
        needed = self.owner_type(by.text)
        if by.text in ("card", "cards"):
            of_cards = [f"`{name}`" for name in self.symbols.attributes]
            message = Text("by what? A card can be compared by {attributes:or}", attributes=of_cards)
            help = Text("write it in the place of `{word}`", word=by.text)
            raise self.fail("by-what", message, by.span, help=help)
        itself = self.values_of_list(base, by.text)
        is_list = isinstance(base, model.Defined) and base.type.many and base.type.kind in ("number", "name")
        if needed is None and not itself and not is_list:
            self.symbols.unknown(
                by.text, by.span, {*self.symbols.attributes, *self.symbols.definitions, *self.symbols.keeps}
            )
            raise Skip
        if itself:
            thing = base.type.one()
        elif base.type.kind == "place" and needed and needed.kind == "card" and not needed.many:
            thing = Type("card", card_kinds=frozenset(self.symbols.kinds))
        elif base.type.many and (
            self.is_of_two(by.text) or (needed and self.can_own(by.text, needed, base.type.one()))
        ):
            thing = base.type.one()
        else:
            message = Text("nothing in {found} has `{name}`", found=self.type_name(base.type), name=by.text)
            kept = [n for n in self.symbols.keeps if (owner := self.owner_type(n)) and owner.same(base.type.one())]
            has = Text("each of them has {names}", names=[f"`{n}`" for n in kept[:7]]) if kept else None
            if is_list and isinstance(base, model.Defined):
                help = Text("write `{name}`", name=singular(base.definition.name))
                raise self.fail("wrong-type", message, by.span, help=help)
            raise self.fail("wrong-type", message, source.span, help=has)
        slot = self.slot()
        condition = self.condition(where, thing, slot, scope) if where else None
        it = self.looked_at(thing, by.span, slot)
        if itself:
            value: Expr = it
        elif self.is_of_two(by.text):
            value = self.of_one(by.text, it, scope, by.span)
        else:
            value = self.apply(by.text, it, by.span)
        return model.Members(thing.all(), span, base, condition, slot), value

    def values_of_list(self, base: Expr, noun: str) -> bool:
        """Whether the values of a list are compared, or added up, by themselves: `highest limit in limits`."""
        thing = base.type.one()
        if not base.type.many or thing.kind not in ("number", "name"):
            return False
        needed, listed = self.owner_type(noun), self.symbols.things(noun)
        if needed and self.can_own(noun, needed, thing):
            return False
        if listed is None and (several := self.named_several(noun)) is not None:
            listed = several.value.type.one()
        return listed is not None and listed.same(thing)

    def quantify(self, node: nodes.Quantify, scope: Scope) -> Expr:
        amount = self.want(self.expr(node.amount, scope), NUMBER, node.amount.span) if node.amount else None
        if node.which is None:
            members = self.members(node.noun, node.source, node.where, scope, node.span)
            self.swallowed(node, members)
            return model.Quantify(TRUTH, node.span, node.quantity, amount, members, None)
        assert node.source is not None
        family, everything = self.every_place(node.source, node.which, scope)
        slot = self.slot()
        place = nodes.Name(node.source.span, "every place")
        local = model.Local(family, node.source.span, slot, family.of)
        inner = replace(scope, locals={**scope.locals, "every place": local})
        members = self.members(node.noun, place, node.where, inner, node.span)
        if node.which == "every":
            return model.Quantify(TRUTH, node.span, node.quantity, amount, members, (everything, slot))
        holds = model.Quantify(TRUTH, node.span, node.quantity, amount, members, None)
        places = model.Members(family.all(), node.span, everything, holds, slot)
        return model.Quantify(TRUTH, node.span, "some", None, places, None)

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
        if right.type.many and left.type.same(right.type.one()) and isinstance(node.right, nodes.Name):
            raise self.compared_with_all(node, left, right)
        if not left.type.same(right.type) or left.type.many:
            raise self.mismatch(left, right, node.right.span)
        ordered = node.relation not in ("is", "is_not")
        if ordered and left.type.kind not in ("number", "name"):
            message = Text("{type} is neither above nor below another", type=self.type_name(left.type))
            numbers = [name for name, on_cards in self.symbols.attributes.items() if not on_cards.names]
            compared = Text("compare numbers of theirs, as in `{name} of …`", name=numbers[0]) if numbers else None
            help = compared if left.type.kind == "card" else None
            raise self.fail("no-order", message, node.span, help=help)
        if isinstance(right, model.Nobody) and not ordered:
            return model.Exists(TRUTH, node.span, node.relation == "is", left)  # whoever is not there is nobody
        if not self.copying and same_value(left, right):
            message = Text("both sides of the comparison are the same")
            raise self.fail("same-sides", message, node.span, help=told_apart(scope.outer))
        return model.Compare(TRUTH, node.span, node.relation, left, right)

    def compared_with_all(self, node: nodes.Compare, left: Expr, right: Expr) -> Skip:
        """`points is above limits`: one thing is compared with several at once."""
        first, last = self.type_name(left.type), self.type_name(right.type)
        message = Text("{first} and {second} do not go together", first=first, second=last)
        start, end = node.left.span, node.right.span
        line = start.source.lines[start.line - 1]
        words = f"some {line[end.column - 1 : end.end - 1]} where {line[start.column - 1 : end.column - 1]}it"
        return self.fail("types-differ", message, node.span, help=Text("write `{words}`", words=f"({words})"))


def one_of_kinds(types: list[Type]) -> Type:
    """The type of one of several values: a card may be of any of their kinds."""
    return replace(types[0], card_kinds=frozenset().union(*(type.card_kinds for type in types)))
