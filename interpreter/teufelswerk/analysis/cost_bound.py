"""A core → values that could take too long: how much there is to look at, at worst, for one of them."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import assert_never

from teufelswerk import model
from teufelswerk.analysis.known import constant
from teufelswerk.base import limits
from teufelswerk.base.diagnostics import Diagnostic, Span
from teufelswerk.base.texts import Text
from teufelswerk.core import forms as f
from teufelswerk.core import statements as s
from teufelswerk.core.lower_game import core_of
from teufelswerk.core.walk import asked, blocks, called, parts, roots


def check_effort(rules: model.Model) -> list[Diagnostic]:
    """Sets within sets within sets: each that would have to look at more things than anybody can wait for."""
    core = core_of(rules)
    estimate = _Estimate(core)
    for root in roots(core):
        estimate.effort(root)
    return list(estimate.found.values())


def heavy(rules: model.Model) -> s.Move | s.Step | None:
    """A move or step that could, at worst, look at more things than anybody would do without counting."""
    core = core_of(rules)
    estimate = _Estimate(core)
    for move in core.moves.values():
        if estimate.move(move) > limits.MAX_WORK_UNCOUNTED:
            return move
    for step in core.steps.values():
        if estimate.block(step.body) > limits.MAX_WORK_UNCOUNTED:
            return step
    return None


def offered(rules: model.Model, verbs: Iterator[str]) -> int:
    """At most so many choices some moves offer."""
    core = core_of(rules)
    estimate = _Estimate(core)
    return sum(estimate.choices(core.moves[verb]) for verb in verbs)


class _Estimate:
    def __init__(self, core: s.Core, of_sets: bool = False) -> None:
        self.core = core
        self.rules = core.rules
        self.found: dict[Span, Diagnostic] = {}
        self.known: dict[f.Definition, int] = {}
        self.of_sets = of_sets
        """Whether it is asked of one of many sets: what looks at these few cards counts as one thing."""
        self.within = self if of_sets else _Estimate(core, True)

    def effort(self, form: f.Expr) -> int:
        """At most so many things are looked at; what is inside a set counts for each of its members."""
        match form:
            case f.Fitting():
                return self.each(form, form.condition)
            case f.Extreme() | f.Sum():
                return self.each(form, form.by)
            case f.Subsets():
                asked = self.within.effort(form.condition)
                return self.judge(form.span, self.effort(form.items) + self.number(form) * asked)
            case f.LeastLeft():
                return self.judge(form.span, self.effort(form.sets) + self.number(form.sets))
            case f.Listed():
                own = len(form.values)
            case f.CardsIn() | f.Joined() | f.Together() | f.EndsOf() | f.Numbers() | f.Family() | f.Few():
                own = self.size(form.type)
            case f.Players() | f.Around() | f.Neighbour():
                own = self.rules.max_players * (1 + sum(map(self.definition, called(form))))
            case f.Needed() | f.Taken() | f.First():
                own = 0
            case f.Constant() | f.Slot() | f.Attribute() | f.PlaceAt() | f.Kept() | f.Defined() | f.OwnerOf() | f.Nth():
                own = 1 + sum(map(self.definition, called(form)))
            case f.PlaceHolding() | f.EndAt() | f.CardAt() | f.Drawn() | f.Count() | f.Arith() | f.If() | f.Only():
                own = 1
            case f.Compare() | f.OneOf() | f.Present() | f.Some() | f.Logic() | f.Not():
                own = 1
            case _:
                assert_never(form)
        return own + sum(map(self.effort, parts(form)))

    def each(self, form: f.Fitting | f.Extreme | f.Sum, question: f.Expr) -> int:
        """Something is asked of every member of a set; of which kind a card is takes no asking."""
        estimate = self.within if form.items.type.kind == "set" else self
        each = 0 if isinstance(question, f.OneOf) else estimate.effort(question)
        return self.judge(form.span, self.effort(form.items) + self.number(form.items) * each)

    def number(self, items: f.Items) -> int:
        """How many there are in a set, at most; of numbers, only a list says so."""
        match items:
            case f.Fitting():
                return self.number(items.items)
            case f.Listed() if items.type.kind in ("number", "name"):
                return len(items.values)
            case f.Defined() if items.type.kind in ("number", "name"):
                return self.number(items.definition.value)  # type: ignore[arg-type]
            case f.Few():
                amount = constant(items.amount)
                most = self.number(items.items)
                return most if amount is None else min(most, max(amount, 0))
            case f.Slot() if self.of_sets and items.type.kind == "card":
                return 1
            case f.Subsets():
                few = min(self.number(items.items), limits.MAX_CARDS_IN_SETS)
                return min(1 << few, limits.SETS_EXPECTED)
        return self.size(items.type)

    def definition(self, definition: f.Definition) -> int:
        if definition not in self.known:
            self.known[definition] = self.effort(definition.value)
        return self.known[definition]

    def move(self, move: s.Move) -> int:
        """Every choice is looked at, with all that is asked about it."""
        choices, effort = 1, 0
        for choice in move.choices:
            asking = (choice.items, choice.low, choice.high)
            effort += choices * sum(self.effort(form) for form in asking if form is not None)
            choices = min(choices * self.width(choice), limits.MAX_CHOICES)
        effort += choices * sum(self.effort(condition.holds) for condition in move.conditions)
        return effort + self.block(move.effects)

    def choices(self, move: s.Move) -> int:
        return min(prod(map(self.width, move.choices)), limits.MAX_CHOICES)

    def width(self, choice: s.Choice) -> int:
        """Among how many things one is chosen."""
        return limits.MAX_CHOICES if choice.low is not None else self.size(choice.type)

    def block(self, body: s.Block) -> int:
        """What happens from one end to the other; a loop that asks for moves comes to a decision each time."""
        return sum(map(self.statement, body))

    def statement(self, statement: s.Doing) -> int:
        effort = sum(map(self.effort, asked(statement))) + sum(map(self.block, blocks(statement)))
        match statement:
            case s.Call():
                return effort + self.block(statement.step.body)
            case s.Each() if not self.asks_for_moves(statement.body):
                return effort * self.number(statement.items)
            case s.Repeat() | s.Until() | s.GoRound() if not self.asks_for_moves(statement.body):
                return effort * limits.MAX_REPEATS
            case s.Each() | s.Repeat() | s.Until() | s.GoRound():
                return effort
            case (
                s.Goes() | s.Deal() | s.Shuffle() | s.Becomes() | s.Pays() | s.Let() | s.Tell() | s.Turn() | s.AtOnce()
            ):
                return effort
            case s.Branch() | s.Wins():
                return effort
            case _:
                assert_never(statement)

    def asks_for_moves(self, body: s.Block) -> bool:
        """Whether somebody decides on the way through a block."""
        for statement in body:
            if isinstance(statement, (s.Turn, s.AtOnce)) or any(map(self.asks_for_moves, blocks(statement))):
                return True
            if isinstance(statement, s.Call) and self.asks_for_moves(statement.step.body):
                return True
        return False

    def size(self, type: model.Type) -> int:
        """How many of a type there can be at once."""
        match type.kind:
            case "card":
                return len(self.rules.cards)
            case "player":
                return self.rules.max_players
            case "name":
                return len(self.rules.names[type.of])
            case "place":
                return self.family(type.of)
            case "end":
                return 2 * self.family(type.of)
            case "set":
                return limits.SETS_EXPECTED
            case "number":
                return max(limits.MAX_LISTED, limits.MAX_REPEATS)
            case "truth":
                return 1
            case _:
                assert_never(type.kind)

    def family(self, name: str) -> int:
        key = self.rules.places[name].key if name in self.rules.places else None
        return model.most_members(self.rules, key)

    def judge(self, span: Span, effort: int) -> int:
        if effort > limits.MAX_EFFORT:
            message = Text(
                "to work this out, more than {limit} things might have to be looked at", limit=limits.MAX_EFFORT
            )
            help = Text("put fewer `where` inside one another")
            self.found.setdefault(span, Diagnostic("too-slow", message, span, help=help))
            return limits.MAX_EFFORT
        return effort
