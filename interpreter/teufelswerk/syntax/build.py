"""The parse tree of one line → nodes with their places in the file."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from lark import Token

from teufelswerk.base.diagnostics import Span
from teufelswerk.syntax import nodes


def whole(text: str) -> int:
    """A number as it is written; beyond all bounds it is only known to be too large."""
    digits = text.removeprefix("-").lstrip("0")[:12] or "0"
    return -int(digits) if text.startswith("-") else int(digits)


def is_whole(text: str) -> bool:
    return text.removeprefix("-").isdigit()


class Builder:
    """Turns the parse tree of one line into nodes with places in the file."""

    def __init__(self, line: Span) -> None:
        self.line = line

    def span(self, tree: Any) -> Span:
        if isinstance(tree, Token):
            start, end = tree.column, tree.end_column
        else:
            start, end = getattr(tree.meta, "column", None), getattr(tree.meta, "end_column", None)
        if start is None or end is None:
            return self.line
        offset = self.line.column - 1
        return Span(self.line.source, self.line.line, start + offset, end + offset)

    def word(self, token: Any) -> nodes.Word:
        return nodes.Word(str(token), self.span(token))

    def maybe_word(self, token: Any) -> nodes.Word | None:
        return self.word(token) if token is not None else None

    def maybe(self, tree: Any) -> nodes.Expr | None:
        return self.expr(tree) if tree is not None else None

    def integer(self, token: Any) -> int:
        return whole(str(token))

    def extreme(self, tree: Any) -> nodes.Extreme:
        return "highest" if str(tree.children[0]) == "highest" else "lowest"

    def stretch(self, tree: Any) -> nodes.Stretch:
        first = tree.children[0].children[0]
        last = tree.children[1]
        return nodes.Stretch(str(first), str(last) if last is not None else None, self.span(tree))

    # ---- expressions ----------------------------------------------------------------------------------------------

    def figure(self, token: Any) -> nodes.Expr:
        """A number that is written in digits, or by its name."""
        word = self.word(token)
        return nodes.Number(word.span, whole(word.text)) if word.text.isdigit() else nodes.Name(word.span, word.text)

    def expr(self, tree: Any) -> nodes.Expr:
        kids: list[Any] = tree.children
        span = self.span(tree)
        match tree.data:
            case "name":
                return nodes.Name(span, str(kids[0]))
            case "person":
                return nodes.Person(span, str(kids[0]))
            case "number":
                return nodes.Number(span, self.integer(kids[0]))
            case "of" | "of_each":
                return (nodes.Of if tree.data == "of" else nodes.OfEach)(span, self.word(kids[0]), self.expr(kids[1]))
            case "members":
                return nodes.Members(span, self.word(kids[0]), self.maybe(kids[1]), self.where(kids, 2))
            case "few":
                amount, noun, source = self.expr(kids[1]), self.word(kids[2]), self.expr(kids[3])
                return nodes.Few(span, kids[0] == "last", amount, noun, source, self.where(kids, 4))
            case "best" | "total" | "least_left":
                return self.measured(tree, span)
            case "random":
                return nodes.Random(span, self.word(kids[0]), self.maybe(kids[1]), self.where(kids, 2))
            case "thrown":
                return nodes.Thrown(span, *map(self.figure, kids))
            case "count":
                return nodes.Count(span, self.word(kids[0]), self.maybe(kids[1]), self.where(kids, 2))
            case "quantify" | "quantify_seated":
                return self.quantify(tree, span)
            case "equal" | "unequal":
                relation: nodes.Relation = "is" if tree.data == "equal" else "is_not"
                return nodes.Compare(span, relation, self.expr(kids[0]), self.expr(kids[1]))
            case "compare" | "not_compare":
                compared = nodes.Compare(span, kids[1].data, self.expr(kids[0]), self.expr(kids[2]))
                return compared if tree.data == "compare" else nodes.Not(span, compared)
            case "exists":
                return nodes.Exists(span, kids[0] is not None, self.expr(kids[1]))
            case "face":
                return nodes.Face(span, self.expr(kids[0]), self.is_up(kids[1]))
            case "within":
                found = nodes.Within(span, self.expr(kids[0]), self.expr(kids[2]))
                return found if kids[1] is None else nodes.Not(span, found)
            case "all_pass" | "at_table":
                return nodes.AllPass(span) if tree.data == "all_pass" else nodes.AtTable(span)
            case "was_chosen":
                return nodes.WasChosen(span, self.word(kids[0]), kids[1] is not None)
            case "listing":
                return nodes.Listing(span, tuple((self.expr(k.children[0]), self.maybe(k.children[1])) for k in kids))
            case "and_" | "or_":
                return nodes.Logic(span, tree.data[:-1], self.expr(kids[0]), self.expr(kids[1]))
            case "not_":
                return nodes.Not(span, self.expr(kids[0]))
            case "arith" | "times" | "divide" | "remainder" | "sized_of":
                return self.calculation(tree, span)
            case "negative":
                operand = self.expr(kids[0])
                if isinstance(operand, nodes.Number):
                    return nodes.Number(span, -operand.value)
                return nodes.Arith(span, "-", nodes.Number(span, 0), operand)
            case "otherwise" | "only_if":
                return self.alternatives(tree, span)
        raise AssertionError(tree.data)

    def measured(self, tree: Any, span: Span) -> nodes.Best | nodes.Total | nodes.LeastLeft:
        """What is highest, lowest or least, or adds up."""
        match tree.data, tree.children:
            case "best", [extreme, by, source, *where]:
                best = self.extreme(extreme)
                return nodes.Best(span, best, self.word(by), self.expr(source), self.where(where, 0))
            case "total", [by, source, *where]:
                return nodes.Total(span, self.word(by), self.expr(source), self.where(where, 0))
            case "least_left", [by, source, sets]:
                return nodes.LeastLeft(span, self.word(by), self.expr(source), self.word(sets))
        raise AssertionError(tree.data)

    def calculation(self, tree: Any, span: Span) -> nodes.Arith:
        match tree.data, tree.children:
            case "arith", [left, sign, right]:
                op: Any = str(sign.children[0])
            case "times", [left, right]:
                op = "*"
            case "divide", [left, right, rounding]:
                op = f"/{rounding.children[0]}"
            case "remainder", [left, right]:
                op = "remainder"
            case "sized_of", [sized, left, right]:
                op = str(sized.children[0])
            case _:
                raise AssertionError(tree.data)
        return nodes.Arith(span, op, self.expr(left), self.expr(right))

    @staticmethod
    def is_up(tree: Any) -> bool:
        """Of `face up`, `turns down` and the like."""
        return str(tree.children[0]).endswith("up")

    def where(self, kids: list[Any], index: int) -> nodes.Expr | None:
        return self.maybe(kids[index]) if len(kids) > index else None

    def quantify(self, tree: Any, span: Span) -> nodes.Quantify:
        if tree.data == "quantify":
            quantity, noun, which, source, *where = tree.children
        else:
            quantity, noun, source, *where = tree.children
            which = None
        amount = self.expr(quantity.children[0]) if quantity.children else None
        condition = self.maybe(where[0]) if where else None
        in_which: Any = str(which.children[0]) if which is not None else None
        return nodes.Quantify(span, quantity.data, amount, self.word(noun), in_which, self.maybe(source), condition)

    def alternatives(self, tree: Any, span: Span) -> nodes.Expr:
        branches: list[nodes.Branch] = []
        rest: Any = tree
        while rest is not None and rest.data in ("otherwise", "only_if"):
            kids = rest.children
            conditional = rest.data == "only_if"
            condition = self.expr(kids[1]) if conditional else None
            branches.append(nodes.Branch(self.expr(kids[0]), condition, (), self.span(kids[0])))
            position = 2 if conditional else 1
            rest = kids[position] if len(kids) > position else None
        if len(branches) == 1 and branches[0].condition is None:
            return branches[0].value
        return nodes.Alternatives(span, tuple(branches))

    # ---- statements and clauses -----------------------------------------------------------------------------------

    def statement(self, tree: Any, told: tuple[nodes.Sentence, ...]) -> nodes.Statement | None:
        kids: list[Any] = tree.children
        span = self.line
        match tree.data:
            case "choose":
                return self.choose(kids, told)
            case "must_be":
                relation: nodes.Relation = kids[1].data if kids[1] is not None else "is"
                condition = nodes.Compare(span, relation, self.expr(kids[0]), self.expr(kids[2]))
                return nodes.Must(span, condition, kids[3] is not None, told=told)
            case "must_not_be":
                refused: nodes.Expr = nodes.Compare(span, "is_not", self.expr(kids[0]), self.expr(kids[2]))
                if kids[1] is not None:
                    refused = nodes.Not(span, nodes.Compare(span, kids[1].data, self.expr(kids[0]), self.expr(kids[2])))
                return nodes.Must(span, refused, kids[3] is not None, told=told)
            case "must_be_in" | "must_not_be_in":
                within: nodes.Expr = nodes.Within(span, self.expr(kids[0]), self.expr(kids[1]))
                within = within if tree.data == "must_be_in" else nodes.Not(span, within)
                return nodes.Must(span, within, kids[2] is not None, told=told)
            case "must_exist" | "must_hold":
                return nodes.Must(span, self.expr(kids[0]), kids[1] is not None, told=told)
            case "turns":
                return nodes.Turns(span, self.expr(kids[0]), self.is_up(kids[1]), told=told)
            case "goes":
                return nodes.Goes(span, self.expr(kids[0]), self.expr(kids[1]), told=told)
            case "pays":
                payer, amount, what, receiver = kids
                return nodes.Pays(
                    span, self.expr(payer), self.expr(amount), self.word(what), self.expr(receiver), told=told
                )
            case "deal":
                portion, source, each, to = kids
                kind = str(portion.data).removeprefix("portion_")
                amount = self.expr(portion.children[0]) if portion.children else None
                return nodes.Deal(
                    span, kind, amount, self.expr(source), each is not None, self.expr(to), told=told  # type: ignore[arg-type]
                )  # fmt: skip
            case "shuffle":
                return nodes.Shuffle(span, self.expr(kids[0]), told=told)
            case "turn":
                groups = tuple(tuple(self.word(name) for name in group.children) for group in kids[1:])
                return nodes.Turn(span, self.expr(kids[0]), groups, told=told)
            case "best_wins":
                extreme, word, outcome, *ties = kids
                criteria = ((extreme, word), *(tie.children for tie in ties))
                by = tuple((self.extreme(extreme), self.word(word)) for extreme, word in criteria)
                return nodes.Wins(span, None, by, outcome.data == "lose", told=told)
            case "these_win":
                return nodes.Wins(span, self.expr(kids[0]), (), kids[1].data == "lose", told=told)
            case "table_wins":
                return nodes.Wins(span, None, (), str(kids[0].children[0]) == "nobody", told=told)
            case "call":
                called = self.expr(kids[0])
                if isinstance(called, nodes.Name):
                    return nodes.Call(span, nodes.Word(called.name, called.span), None, told=told)
                if isinstance(called, nodes.Of):
                    return nodes.Call(span, called.name, called.owner, told=told)
                return None
        raise AssertionError(tree.data)

    def among(self, tree: Any) -> tuple[nodes.Expr | None, nodes.Expr | None, nodes.Expr | None, nodes.Expr | None]:
        """What a loop goes through: from where, up to where, among which, and which of them."""
        match (tree.data, tree.children) if tree is not None else (None, []):
            case None, []:
                return None, None, None, None
            case "among_from", [first, last, where]:
                end = self.expr(last.children[-1]) if last is not None else None
                return self.expr(first), end, None, self.maybe(where)
            case "among_in", [source, where]:
                return None, None, self.expr(source), self.maybe(where)
            case "among_where", [where]:
                return None, None, None, self.expr(where)
        raise AssertionError(tree.data)

    def choose(self, kids: list[Any], told: tuple[nodes.Sentence, ...]) -> nodes.Choose:
        amount, noun, blind, source = kids
        base: nodes.Expr | None = None
        upper: nodes.Expr | None = None
        where: nodes.Expr | None = None
        if source is not None and source.data == "from_where":
            where = self.expr(source.children[0])
        elif source is not None:
            base = self.expr(source.children[0])
            upper = self.expr(source.children[1]) if len(source.children) > 1 else None
        return nodes.Choose(
            self.line, self.word(noun), self.amount(amount), base, upper, where, blind is not None, told=told
        )

    def amount(self, tree: Any) -> tuple[nodes.Word | None, nodes.Word | None] | None:
        """How many things are chosen, at least and at most."""
        if tree is None:
            return None
        words = [self.word(token) for token in tree.children]
        match tree.data:
            case "exactly":
                return words[0], words[0]
            case "between":
                return words[0], words[1]
            case "up_to":
                return nodes.Word("0", words[0].span), words[0]
            case "at_will":
                return None, None
        raise AssertionError(tree.data)

    def clause(self, tree: Any) -> nodes.Clause:
        kids: list[Any] = tree.children
        span = self.line
        match tree.data:
            case "variant":
                return nodes.Variant(span, self.word(kids[0]))
            case "players":
                low, high, sides = (self.integer(kid) if kid is not None else None for kid in kids)
                assert low is not None
                return nodes.Players(span, low, low if high is None else high, sides)
            case "list_definition":
                return nodes.Definition(span, self.word(kids[0]), None, self.expr(kids[1]))
            case "place":
                return self.place(kids)
            case "keep":
                return self.keep(kids)
            case "scene":
                return nodes.Scene(span, self.word(kids[0]), self.maybe_word(kids[1]), tuple(map(self.word, kids[2:])))
            case "given_is":
                return nodes.GivenIs(span, self.expr(kids[0]), self.arguments(kids[1]))
            case "given":
                return nodes.Given(span, self.expr(kids[0]))
            case "act_line":
                return nodes.ActLine(span, self.act(kids[0]), self.maybe_word(kids[1]), self.arguments(kids[2]))
            case "claim_outcome":
                return nodes.WinnersClaim(span, tuple(map(self.word, kids[:-1])), kids[-1].data == "lose")
            case "claim_table":
                return nodes.WinnersClaim(span, (), str(kids[0].children[0]) == "everyone")
            case "claim":
                return nodes.Claim(span, str(kids[0].children[0]), self.expr(kids[1]))  # type: ignore[arg-type]
            case "claim_legal":
                return nodes.LegalClaim(span, str(kids[0].children[0]) == "allowed", self.act(kids[1]))
        raise AssertionError(tree.data)

    def family(self, tree: Any) -> nodes.Family | None:
        match (tree.data, tree.children) if tree is not None else (None, []):
            case None, []:
                return None
            case "family", [first, second]:
                family = self.family(first)
                return replace(family, second=self.family(second)) if family is not None else None
            case "each_value", [of]:
                return nodes.Family(self.word(of))
            case "each_number", [low, high]:
                return nodes.Family(None, self.integer(low), self.integer(high))
        raise AssertionError(tree.data)

    def place(self, kids: list[Any]) -> nodes.Place:
        properties: list[Any] = kids[2:]
        seen = tuple(self.word(p.children[0]) for p in properties if p.data in ("seen", "seen_until"))
        turned = any(p.data == "seen_until" for p in properties)
        backs = tuple(self.word(p.children[0]) for p in properties if p.data == "backs")
        two_ended = any(p.data == "two_ended" for p in properties)
        return nodes.Place(self.line, self.word(kids[0]), self.family(kids[1]), seen, backs, two_ended, turned)

    def keep(self, kids: list[Any]) -> nodes.Keep:
        name, family, kept, *privacy = kids
        names = tuple(map(self.word, kept.children)) if kept.data == "kept_names" else ()
        or_nobody = kept.data == "kept_or_nobody"
        word = self.word(kept.children[0]) if or_nobody else None
        initial = None if names else nodes.Name(word.span, word.text) if word else self.expr(kept.children[0])
        seen = tuple(self.word(p.children[0]) for p in privacy if p.data == "seen")
        shown = all(p.data != "unshown" for p in privacy)
        return nodes.Keep(self.line, self.word(name), self.family(family), names, initial, seen, shown, or_nobody)

    def act(self, tree: Any) -> nodes.Act:
        person, verb, arguments = tree.children
        return nodes.Act(self.word(person), self.word(verb), self.arguments(arguments), self.span(tree))

    def arguments(self, tree: Any) -> tuple[nodes.Argument, ...]:
        return tuple(self.argument(kid) for kid in tree.children) if tree is not None else ()

    def argument(self, tree: Any) -> nodes.Argument:
        if tree.data == "arg_pair":
            both = " and ".join(str(value.children[0]) for value in tree.children)
            return nodes.Argument(both, None, self.span(tree))
        if tree.data == "laid_up":
            return nodes.Argument(str(tree.children[0].children[0]), None, self.span(tree), up=True)
        where = self.expr(tree.children[1]) if tree.data == "arg_where" else None
        return nodes.Argument(str(tree.children[0]), where, self.span(tree))
