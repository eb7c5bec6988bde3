"""A model → the course of the game as a tree of boxes, in the words of its headings and paragraphs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

from teufelswerk import model
from teufelswerk.rulebook.figures import Figures, Several
from teufelswerk.rulebook.words import heading, term
from teufelswerk.texts import Text, placeholders


@dataclass(frozen=True)
class Box:
    """A step, a loop around others, or a decision between moves."""

    kind: Literal["step", "loop", "choice"]
    title: Text | None
    detail: Text | None = None
    """A paragraph, of which the first sentence is shown."""
    section: int | None = None
    inside: tuple[Box, ...] = ()
    groups: tuple[tuple[Text, ...], ...] = field(default=())
    """The moves to choose from; those of a later group only if none of the earlier can be made."""


def flow_of(rules: model.Model, figures: Figures) -> tuple[Box, ...]:
    """What follows what, from the first step to the end."""
    flow = _Flow(rules, figures)
    return tuple(flow.block(rules.steps["game"].body, rules.steps["game"]))


class _Flow:
    def __init__(self, rules: model.Model, figures: Figures) -> None:
        self.rules = rules
        self.figures = figures

    def block(self, body: model.Block, step: model.Step) -> Iterator[Box]:
        for statement in body:
            match statement:
                case model.Call():
                    called = self.rules.steps[statement.step]
                    box = self.step(called)
                    if called.section != step.section:
                        yield box
                    elif box.inside:
                        yield from box.inside
                    else:
                        # Its heading stands above the whole loop already.
                        yield replace(box, title=None) if body is not step.body and box.detail else box
                case model.Turn():
                    yield self.turn(statement)
                case model.Repeat():
                    yield from self.loop(self.times(statement), None, statement.body, step)
                case model.Until():
                    yield from self.loop(Text("Again and again"), self.told(step), statement.body, step)
                case model.GoRound():
                    yield from self.loop(Text("Round and round the table"), self.told(step), statement.body, step)
                case model.Each():
                    yield from self.loop(self.each(statement), None, statement.body, step)
                case model.If():
                    yield from self.branches(statement, step)

    def times(self, statement: model.Repeat) -> Text:
        times = self.figures.everywhere("times", statement.times)
        if isinstance(times, Several):
            players = self.figures.players()
            return Text("{n} {n:time|times} with {players} players", n=times, players=players)
        return Text("{n} {n:time|times}", n=times) if isinstance(times, int) else Text("Several times")

    def each(self, statement: model.Each) -> Text:
        if statement.over.type.kind != "player":
            return Text("One after another")
        return Text("All players at once") if statement.at_once else Text("One player after another")

    def loop(self, title: Text, detail: Text | None, body: model.Block, step: model.Step) -> Iterator[Box]:
        """A frame around what is repeated, if that is anything to show."""
        inside = tuple(self.block(body, step))
        if inside:
            yield Box("loop", title, detail, None, inside)

    def branches(self, statement: model.If, step: model.Step) -> Iterator[Box]:
        """What happens in one case and in the other, each in a frame of its own."""
        then, otherwise = (tuple(self.block(body, step)) for body in (statement.then, statement.otherwise))
        if then and otherwise and then != otherwise:
            yield Box("step", Text("Either"), None, None, then)
            yield Box("step", Text("Or"), None, None, otherwise)
        elif then and otherwise:
            yield from then
        elif then or otherwise:
            yield Box("step", Text("Sometimes"), None, None, then or otherwise)

    def step(self, step: model.Step) -> Box:
        inside = tuple(self.block(step.body, step))
        title = heading(self.rules, step.section)
        if not inside:
            return Box("step", title, self.winning(step) or self.told(step), step.section)
        if len(inside) == 1 and inside[0].kind == "choice" and inside[0].section in (None, step.section):
            return replace(inside[0], title=title, section=step.section)
        if len(inside) == 1 and inside[0].title == title:
            return inside[0]
        return Box("step", title, None, step.section, inside)

    def turn(self, turn: model.Turn) -> Box:
        verbs = [self.rules.moves[verb] for group in turn.groups for verb in group]
        if len(verbs) == 1:
            move = verbs[0]
            return Box("choice", heading(self.rules, move.section), self.invited(move) or self.told(move), move.section)
        groups = tuple(tuple(self.move(self.rules.moves[verb], verbs) for verb in group) for group in turn.groups)
        return Box("choice", Text("One of these"), None, None, (), groups)

    def move(self, move: model.Move, beside: list[model.Move]) -> Text:
        """A move by its heading, or by its invitation where several moves share the heading."""
        if move.is_pass:
            return Text("Pass")
        shared = sum(other.section == move.section for other in beside) > 1
        return (self.invited(move) if shared else None) or heading(self.rules, move.section)

    def invited(self, move: model.Move) -> Text | None:
        """What a player who can make the move is told, if that is the same in every position."""
        invited = move.invitation
        if invited is None or list(placeholders(invited.msgid)):
            return None
        return Text(invited.msgid, msgctxt=invited.context)

    def winning(self, step: model.Step) -> Text | None:
        for statement in step.body:
            if isinstance(statement, model.Wins) and isinstance(statement.by, model.KeepOf):
                what = term(self.rules, statement.by.keep.name, "keep")
                if statement.extreme == "lowest":
                    return Text("Whoever has the least wins: {what}.", what=what)
                return Text("Whoever has the most wins: {what}.", what=what)
        return None

    def told(self, thing: model.Step | model.Move) -> Text | None:
        """The paragraph above a step or move; above a ruling, the printed rule that the ruling belongs to."""
        prose = self.rules.sections[thing.section].prose
        for index, paragraph in enumerate(prose):
            if thing.span.line in paragraph.clause_lines:
                while index and prose[index].paragraph.ruling and not prose[index - 1].clause_lines:
                    index -= 1
                return self.figures.fill(prose[index])
        return None
