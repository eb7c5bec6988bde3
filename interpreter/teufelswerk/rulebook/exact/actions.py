"""What is chosen, what must hold, what happens → lines of words, one below the other as in the rule file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias, assert_never

from teufelswerk import model
from teufelswerk.base.diagnostics import Span
from teufelswerk.base.texts import Text
from teufelswerk.model.walk import expressions
from teufelswerk.rulebook.exact import names
from teufelswerk.rulebook.exact.conditions import chosen
from teufelswerk.rulebook.exact.values import Words


@dataclass(frozen=True)
class Line:
    """A sentence, the line of the rule file that says it, and what stands below it."""

    words: Text
    span: Span
    below: tuple[Line, ...] = ()


Musts: TypeAlias = Sequence[tuple[model.Must, tuple[tuple[model.Expr, bool], ...]]]


class Actions:
    """Says the lines of one step or move; `near` is the slot of whoever it is about."""

    def __init__(self, rules: model.Model, body: object, near: int) -> None:
        self.rules = rules
        self.called = {e.slot: e.name for e in expressions(body) if isinstance(e, model.Local) and e.name != "it"}
        self.words = Words(rules, near, self.called)

    # ---- a move -----------------------------------------------------------------------------------------------------

    def choice(self, choice: model.Choose) -> Line:
        return Line(self.chosen(choice), choice.span)

    def chosen(self, choice: model.Choose) -> Text:
        value = self.words.value
        things = value(choice.source)
        if choice.upper is not None:
            name = names.figure(self.rules, choice.name, model.NUMBER)
            return Text("Choose {name} from {low} to {high}.", name=name, low=things, high=value(choice.upper))
        if choice.amount is None:
            return chosen(choice.source.type.kind, things)
        least, most = choice.amount
        if most is least:
            return Text("Choose exactly {n} of {things}.", n=value(least), things=things)
        if most is not None:
            return Text(
                "Choose at least {low} and at most {high} of {things}.",
                low=value(least), high=value(most), things=things,
            )  # fmt: skip
        return Text("Choose at least {n} of {things}.", n=value(least), things=things)

    def must(self, must: model.Must) -> Line:
        """A condition of a move."""
        condition = self.words.condition(must.condition)
        if must.if_able:
            words = Text("Unless no choice would be left, this must hold: {condition}.", condition=condition)
        else:
            words = Text("This must hold: {condition}.", condition=condition)
        return Line(words, must.span)

    def move(self, move: model.Move) -> Iterator[Line]:
        yield from (self.choice(choice) for choice in move.choices)
        yield from self.musts(move.musts)
        yield from self.block(move.effects)

    def musts(self, musts: Musts) -> Iterator[Line]:
        """Conditions of a move, those that count only where something holds below that."""
        at, before = 0, None
        while at < len(musts):
            must, guards = musts[at]
            if not guards:
                yield self.must(must)
                at, before = at + 1, None
                continue
            end = next((n for n in range(at, len(musts)) if guards[0] not in musts[n][1][:1]), len(musts))
            condition, holds = guards[0]
            below = tuple(self.musts([(inner, rest[1:]) for inner, rest in musts[at:end]]))
            if not holds and before == condition:
                words = Text("Otherwise:")
            elif holds:
                words = Text("If {condition}:", condition=self.words.condition(condition))
            else:
                words = Text("If this does not hold: {condition}:", condition=self.words.condition(condition))
            yield Line(words, must.span, below)
            at, before = end, condition if holds else None

    # ---- what happens -----------------------------------------------------------------------------------------------

    def block(self, body: model.Block) -> Iterator[Line]:
        for statement in body:
            yield from self.statement(statement)

    def below(self, body: model.Block, near: int | None = None) -> tuple[Line, ...]:
        if near is None:
            return tuple(self.block(body))
        around, self.words = self.words, self.words.of(near)
        found = tuple(self.block(body))
        self.words = around
        return found

    def statement(self, statement: model.Doing) -> Iterator[Line]:
        span = statement.span
        match statement:
            case model.Goes() | model.Turns() | model.Deal() | model.Shuffle():
                yield Line(self.with_cards(statement), span)
            case model.SetLocal():
                yield from self.set_local(statement)
            case model.Becomes():
                yield self.becomes(statement)
            case model.Pays():
                yield Line(self.pays(statement), span)
            case model.Tell():
                return
            case model.Turn():
                yield Line(self.turn(statement), span)
            case model.Call():
                yield Line(self.call(statement), span)
            case model.Repeat() | model.Until() | model.Each() | model.GoRound():
                yield self.loop(statement)
            case model.If():
                yield from self.decision(statement)
            case model.Wins():
                yield Line(self.wins(statement), span)
            case _:
                assert_never(statement)

    def with_cards(self, statement: model.Goes | model.Turns | model.Deal | model.Shuffle) -> Text:
        value = self.words.value
        match statement:
            case model.Goes():
                what, to = statement.what, value(statement.to)
                if what.type.kind == "place":
                    return Text("All cards out of {place} go to {to}.", place=value(what), to=to)
                if what.type.many:
                    return Text("These cards go to {to}: {cards}.", cards=value(what), to=to)
                return Text("{card} goes to {to}.", card=value(what), to=to)
            case model.Turns():
                cards = value(statement.what)
                return (
                    Text("Turned face up: {cards}.", cards=cards)
                    if statement.up
                    else Text("Turned face down: {cards}.", cards=cards)
                )
            case model.Shuffle():
                return Text("The cards in {place} are shuffled.", place=value(statement.place))
            case model.Deal():
                return self.deal(statement)
            case _:
                assert_never(statement)

    def deal(self, statement: model.Deal) -> Text:
        value = self.words.value
        source, to = value(statement.source), value(statement.to)
        amount = None if statement.amount is None else value(statement.amount)
        match statement.portion:
            case "exact":
                if statement.to.type.many:
                    return Text("From {source}, exactly {n} are dealt to each of {to}.", source=source, to=to, n=amount)
                return Text("From {source}, exactly {n} are dealt to {to}.", source=source, to=to, n=amount)
            case "up_to":
                if statement.to.type.many:
                    return Text("From {source}, up to {n} are dealt to each of {to}.", source=source, to=to, n=amount)
                return Text("From {source}, up to {n} are dealt to {to}.", source=source, to=to, n=amount)
            case "evenly":
                return Text("From {source}, equally many are dealt to each of {to}.", source=source, to=to)
            case _:
                assert_never(statement.portion)

    def set_local(self, statement: model.SetLocal) -> Iterator[Line]:
        name = self.called.get(statement.slot)
        if name is not None:
            said, below = names.figure(self.rules, name, statement.value.type), chain(self.words, statement.value)
            if below:
                yield Line(
                    Text("From here on, {name} is the first of these that fits:", name=said), statement.span, below
                )
            else:
                value = self.words.value(statement.value)
                yield Line(Text("From here on, {name} is: {value}.", name=said, value=value), statement.span)

    def becomes(self, statement: model.Becomes) -> Line:
        target, below = self.words.value(statement.target), chain(self.words, statement.value)
        if below:
            return Line(Text("Set {target} to the first of these that fits:", target=target), statement.span, below)
        value = self.words.value(statement.value)
        return Line(Text("Set {target} to: {value}.", target=target, value=value), statement.span)

    def pays(self, statement: model.Pays) -> Text:
        value = self.words.value
        return Text(
            "Paid from {payer} to {receiver}, but no more than is there: {amount}.",
            amount=value(statement.amount), payer=value(statement.payer), receiver=value(statement.receiver),
        )  # fmt: skip

    def turn(self, statement: model.Turn) -> Text:
        player = self.words.value(statement.player)
        groups = [[names.move(self.rules, verb) for verb in group] for group in statement.groups]
        words = Text("{player} has to do this: {moves:or}.", player=player, moves=groups[0])
        for group in groups[1:]:
            words = Text("{before} If that is impossible: {moves:or}.", before=words, moves=group)
        return words

    def call(self, statement: model.Call) -> Text:
        step = names.step(self.rules, statement.step)
        if statement.argument is None:
            return Text("Now comes “{step}”.", step=step)
        return Text("Now comes “{step}” of {thing}.", step=step, thing=self.words.value(statement.argument))

    def loop(self, loop: model.Repeat | model.Until | model.Each | model.GoRound) -> Line:
        words, span = self.words, loop.span
        match loop:
            case model.Repeat():
                return Line(Text("So many times: {n}.", n=words.value(loop.times)), span, self.below(loop.body))
            case model.Until():
                condition = words.condition(loop.condition)
                return Line(
                    Text("Again and again, until {condition}:", condition=condition), span, self.below(loop.body)
                )
            case model.Each():
                things = words.value(loop.over)
                said = (
                    Text("All of {things}, at once:", things=things)
                    if loop.at_once
                    else Text("For each of {things}, one after the other:", things=things)
                )
                return Line(said, span, self.below(loop.body, loop.slot))
            case model.GoRound():
                first, condition = words.value(loop.first), words.of(loop.slot).condition(loop.condition)
                said = Text(
                    "Turn after turn, clockwise, beginning with {first}, until {condition}:",
                    first=first, condition=condition,
                )  # fmt: skip
                return Line(said, span, self.below(loop.body, loop.slot))
            case _:
                assert_never(loop)

    def decision(self, statement: model.If, otherwise: bool = False) -> Iterator[Line]:
        condition, then = self.words.condition(statement.condition), self.below(statement.then)
        if then:
            words = (
                Text("Otherwise, if {condition}:", condition=condition)
                if otherwise
                else Text("If {condition}:", condition=condition)
            )
            yield Line(words, statement.span, then)
        rest = statement.otherwise
        if then and len(rest) == 1 and isinstance(rest[0], model.If):
            yield from self.decision(rest[0], True)
        elif below := self.below(rest):
            words = Text("Otherwise:") if then else Text("If this does not hold: {condition}:", condition=condition)
            yield Line(words, statement.span, below)

    def wins(self, statement: model.Wins) -> Text:
        who = None if statement.who is None else self.words.value(statement.who)
        if statement.criteria:
            return self.ranked(statement, Text("all players") if who is None else who)
        if statement.who is None:
            return Text("The game is over, and all lose.") if statement.lose else Text("The game is over, and all win.")
        if isinstance(statement.who, model.Listing) and not statement.who.values:
            return Text("The game is over, and nobody wins.")
        if statement.lose:
            return Text("The game is over. These lose, and all others win: {players}.", players=who)
        return Text("The game is over. These win, and nobody else: {players}.", players=who)

    def ranked(self, statement: model.Wins, who: object) -> Text:
        near = self.words.of(statement.slot)
        best = [
            Text("{value} is highest", value=near.value(by))
            if extreme == "highest"
            else Text("{value} is lowest", value=near.value(by))
            for extreme, by in statement.criteria
        ]
        words = Text("The game is over. Among {players}, those for whom {best} win.", players=who, best=best[0])
        if statement.lose:
            words = Text(
                "The game is over. Among {players}, those for whom {best} lose, and all others win.",
                players=who, best=best[0],
            )  # fmt: skip
        for other in best[1:]:
            words = Text(
                "{before} Among those who are equal in this, it is those for whom {best}.", before=words, best=other
            )
        return words


def chain(words: Words, value: model.Expr) -> tuple[Line, ...]:
    """Alternatives, or the rows of a table, one below the other; nothing where there is but one."""
    match value:
        case model.Alternatives() if len(value.branches) > 1:
            last = value.branches[-1]
            return tuple(
                _case(words, branch.value, branch.condition, branch.span, branch is last) for branch in value.branches
            )
        case model.Decision():
            first = _case(words, value.then, value.condition, value.span, False)
            rest = value.otherwise
            if rest is None:
                return (first,)
            if isinstance(rest, model.Decision):
                return (first, *chain(words, rest))
            return (first, _case(words, rest, None, rest.span, True))
    return ()


def _case(words: Words, value: model.Expr, condition: model.Expr | None, span: Span, last: bool) -> Line:
    """One of several alternatives, and when it is taken."""
    below = chain(words, value)
    when = None if condition is None else words.condition(condition)
    if below:
        if when is not None:
            return Line(Text("If {condition}, the first of these that fits:", condition=when), span, below)
        return Line(Text("Otherwise, the first of these that fits:"), span, below)
    said = words.value(value)
    if when is not None:
        return Line(Text("{value}, if {condition}.", value=said, condition=when), span)
    if last:
        return Line(Text("Otherwise: {value}.", value=said), span)
    return Line(Text("{value}, if that is there.", value=said), span)
