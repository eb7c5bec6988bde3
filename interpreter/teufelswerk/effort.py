"""A model → expressions that could take too long: how much there is to look at, at worst, for one value."""

from __future__ import annotations

from typing import Any

from teufelswerk import limits, model
from teufelswerk.diagnostics import Diagnostic
from teufelswerk.texts import Text

SKIPPED = frozenset({"type", "span", "keep", "place", "told", "slot", "invitation"})


def check_effort(rules: model.Model) -> list[Diagnostic]:
    """Sets within sets within sets: each that would have to look at more things than anybody can wait for."""
    meter = _Meter(rules)
    for root in (*rules.definitions.values(), *rules.moves.values(), *rules.steps.values()):
        meter.effort(vars(root))
    return list(meter.found.values())


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
