"""A model → expressions that could take too long: how much there is to look at, at worst, for one value."""

from __future__ import annotations

from math import prod
from typing import Any

from teufelswerk import limits, model
from teufelswerk.diagnostics import Diagnostic
from teufelswerk.texts import Text
from teufelswerk.walk import reachable

SKIPPED = frozenset({"type", "span", "keep", "place", "told", "slot", "invitation"})


def check_effort(rules: model.Model) -> list[Diagnostic]:
    """Sets within sets within sets: each that would have to look at more things than anybody can wait for."""
    meter = _Meter(rules)
    for root in (*rules.definitions.values(), *rules.moves.values(), *rules.steps.values()):
        meter.effort(vars(root))
    return list(meter.found.values())


def heavy(rules: model.Model) -> model.Move | model.Step | None:
    """A move or step that could, at worst, look at more things than anybody would do without counting."""
    meter = _Meter(rules)
    for move in rules.moves.values():
        if meter.move(move) > limits.MAX_WORK_UNCOUNTED:
            return move
    for step in rules.steps.values():
        if meter.block(step.body) > limits.MAX_WORK_UNCOUNTED:
            return step
    return None


def offered(rules: model.Model, turn: model.Turn) -> int:
    """At most so many choices there are at a turn."""
    meter = _Meter(rules)
    return sum(meter.choices(rules.moves[verb]) for group in turn.groups for verb in group)


class _Meter:
    def __init__(self, rules: model.Model) -> None:
        self.rules = rules
        self.found: dict[Any, Diagnostic] = {}
        self.known: dict[str, int] = {}

    def effort(self, item: Any) -> int:
        """At most so many things are looked at; what is inside a set counts for each of its members."""
        match item:
            case model.Defined():
                name = item.definition.name
                if name not in self.known:
                    self.known[name] = 1
                    self.known[name] = self.effort(item.definition.value)
                return 1 + self.known[name] + self.effort(item.argument)
            case model.Members():
                each = 1 + self.effort(item.where)
                return self.judge(item, self.effort(item.base) + self.size(item.base.type) * each)
            case model.Best() | model.Total():
                size = self.size(item.members.base.type)
                return self.judge(item, self.effort(item.members) + size * self.effort(item.by))
            case model.Quantify(every=(places, _)):
                return self.judge(
                    item, self.effort(item.amount) + self.family(places.type.of) * self.effort(item.members)
                )
            case model.Typed():
                return 1 + sum(self.effort(value) for key, value in vars(item).items() if key not in SKIPPED)
            case model.Statement() | model.Branch():
                return sum(self.effort(value) for key, value in vars(item).items() if key not in SKIPPED)
            case dict():
                return sum(self.effort(value) for key, value in item.items() if key not in SKIPPED)
            case tuple():
                return sum(map(self.effort, item))
        return 0

    def move(self, move: model.Move) -> int:
        """Every choice is looked at, with all that is asked about it."""
        choices, effort = 1, 0
        for choice in move.choices:
            effort += choices * self.effort(choice)
            choices = min(choices * self.width(choice), limits.MAX_CHOICES)
        return effort + choices * self.effort(move.musts) + self.block(move.effects)

    def choices(self, move: model.Move) -> int:
        return min(prod(self.width(choice) for choice in move.choices), limits.MAX_CHOICES)

    def width(self, choice: model.Choose) -> int:
        """Among how many things one is chosen."""
        plain = choice.amount is None and choice.upper is None
        return self.size(choice.source.type) if plain else limits.MAX_CHOICES

    def block(self, body: model.Block) -> int:
        """What happens from one end to the other; a loop that asks for moves comes to a decision each time."""
        return sum(self.statement(statement) for statement in body)

    def statement(self, statement: model.Statement) -> int:
        match statement:
            case model.If():
                return self.effort(statement.condition) + self.block((*statement.then, *statement.otherwise))
            case model.Repeat() | model.Until() | model.Each() | model.GoRound():
                once = self.effort(tuple(v for k, v in vars(statement).items() if k not in SKIPPED | {"body"}))
                once += self.block(statement.body)
                if any(isinstance(inner, model.Turn) for inner in reachable(self.rules, statement.body)):
                    return once
                times = self.size(statement.over.type) if isinstance(statement, model.Each) else limits.MAX_REPEATS
                return once * times
            case model.Call():
                return self.effort(statement.argument) + self.block(self.rules.steps[statement.step].body)
        return self.effort(statement)

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
                return max(len(self.rules.cards), self.family(type.of))
            case "end":
                return 2 * self.family(type.of)
        return 1

    def family(self, name: str) -> int:
        key = self.rules.places[name].key if name in self.rules.places else None
        if key is None:
            return 1
        if key.kind == "number":
            return key.high - key.low + 1
        return self.size(key.type)

    def judge(self, item: model.Typed, effort: int) -> int:
        if effort > limits.MAX_EFFORT:
            message = Text(
                "to work this out, more than {limit} things might have to be looked at", limit=limits.MAX_EFFORT
            )
            help = Text("put fewer `where` inside one another")
            self.found.setdefault(item.span, Diagnostic("too-slow", message, item.span, help=help))
            return limits.MAX_EFFORT
        return effort
