"""A model → the course of the game as a tree of boxes, in the words of its headings and paragraphs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, assert_never

from teufelswerk import model
from teufelswerk.base.texts import Text
from teufelswerk.model import walk
from teufelswerk.rulebook.figures import Figures, Several
from teufelswerk.rulebook.words import has_own_section, heading, move_term, term, verb_term


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


_SOMETIMES = Text("Sometimes")


def flow_of(rules: model.Model, figures: Figures) -> tuple[Box, ...]:
    """What follows what, from the first step to the end."""
    flow = _Flow(rules, figures)
    return flow.block(flow.whole.body, flow.whole)


class _Flow:
    def __init__(self, rules: model.Model, figures: Figures) -> None:
        self.rules = rules
        self.figures = figures
        self.whole = rules.steps["game"]

    def block(self, body: model.Block, step: model.Step) -> tuple[Box, ...]:
        """What the lines of a step come to, and nothing twice in a row: neither a box nor a heading."""
        found: list[Box] = []
        headed: Box | None = None
        for statement in body:
            is_below = step is not self.whole or body is not step.body
            for box in self.boxes(statement, step, is_below):
                repeats = headed is not None and _has_heading_of(box, headed)
                shown = [replace(box, title=None)] if repeats and box.detail else box.inside if repeats else [box]
                headed = headed if repeats else box
                for each in shown:
                    found += [each] if found[-1:] != [each] else []
        return tuple(found)

    def boxes(self, statement: model.Doing, step: model.Step, is_below: bool) -> Iterator[Box]:
        """`is_below`: the heading of the step stands above already, or above the loop around this line."""
        match statement:
            case model.Call():
                called = self.rules.steps[statement.step]
                box = self.step(called)
                if called.section != step.section:
                    yield box
                elif box.inside:
                    yield from box.inside
                elif not is_below or box.detail is None:
                    yield box
                elif box.detail != self.told(step):
                    yield replace(box, title=None)
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
            case model.Goes() | model.Turns() | model.Becomes() | model.Pays() | model.Deal() | model.Shuffle():
                pass  # the paragraph tells it
            case model.SetLocal() | model.Tell() | model.Wins():
                pass
            case _:
                assert_never(statement)

    def times(self, statement: model.Repeat) -> Text:
        if _depends_on_play(statement.times):
            return Text("Several times")
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
        inside = self.block(body, step)
        if inside:
            yield Box("loop", title, detail, None, inside)

    def branches(self, statement: model.If, step: model.Step) -> Iterator[Box]:
        """What happens in one case and in the other, each in a frame of its own."""
        then, otherwise = (self.block(body, step) for body in (statement.then, statement.otherwise))
        if then and otherwise and then != otherwise:
            yield Box("step", Text("Either"), None, None, then)
            yield Box("step", Text("Or"), None, None, otherwise)
        elif then and otherwise:
            yield from then
        elif then or otherwise:
            # what may be left out within what may be left out is told once
            inside = [b for box in then or otherwise for b in (box.inside if box.title == _SOMETIMES else [box])]
            yield Box("step", _SOMETIMES, None, None, tuple(inside))

    def step(self, step: model.Step) -> Box:
        inside = self.block(step.body, step)
        title, told = heading(self.rules, step.section), self.told(step)
        if not inside:
            return Box("step", title, self.winning(step) or told, step.section)
        only = inside[0] if len(inside) == 1 else None
        if only and only.kind == "choice" and only.section in (None, step.section):
            detail = only.detail if only.groups else told or only.detail
            return replace(only, title=title, detail=detail, section=step.section)
        if only and only.title == title:
            return only
        # What happens between the decisions has no box of its own; the paragraph tells it.
        return Box("step", title, None if told in set(_details(inside)) else told, step.section, inside)

    # ---- moves ------------------------------------------------------------------------------------------------------

    def turn(self, turn: model.Turn) -> Box:
        verbs = [self.rules.moves[verb] for group in turn.groups for verb in group]
        if len(verbs) > 1:
            groups = tuple(tuple(move_term(self.rules, self.rules.moves[v]) for v in group) for group in turn.groups)
            return Box("choice", Text("One of these"), None, None, (), groups)
        move, invited = verbs[0], self.invited(verbs[0])
        if has_own_section(self.rules, move):
            return Box("choice", heading(self.rules, move.section), self.told(move) or invited, move.section)
        return Box("choice", None if invited else verb_term(self.rules, move.name), invited)

    def invited(self, move: model.Move) -> Text | None:
        """What a player who can make the move is told, if that is the same in every position."""
        invited = move.invitation
        if invited is None or not all(_is_fixed(expr) for _, expr in invited.figures):
            return None
        values = {name: self.figures.everywhere(name, expr) for name, expr in invited.figures}
        return Text(invited.msgid, msgctxt=invited.context, **values)

    # ---- words ------------------------------------------------------------------------------------------------------

    def winning(self, step: model.Step) -> Text | None:
        for statement in step.body:
            if not isinstance(statement, model.Wins) or not statement.criteria:
                continue
            extreme, by = statement.criteria[0]
            if isinstance(by, model.KeepOf) and not statement.lose:
                name, highest = by.keep.name, extreme == "highest"
                what = term(self.rules, name, "keep")
                if not _is_plural(name):
                    if highest:
                        return Text("The highest {what} wins.", what=what)
                    return Text("The lowest {what} wins.", what=what)
                if highest:
                    return Text("Whoever has the most {what} wins.", what=what)
                return Text("Whoever has the fewest {what} wins.", what=what)
        return None

    def told(self, thing: model.Step | model.Move) -> Text | None:
        """The first of the paragraphs above a step or move: those between the lines before it and its own."""
        prose = self.rules.sections[thing.section].prose
        for index, paragraph in enumerate(prose):
            if thing.span.line in paragraph.clause_lines:
                while index and not prose[index - 1].clause_lines:
                    index -= 1
                return self.figures.fill(prose[index])
        return None


def _has_heading_of(box: Box, other: Box) -> bool:
    """Whether a step stands under the heading of the one before it, and has something to show without it."""
    same = box.section is not None and (box.section, box.title) == (other.section, other.title)
    return same and box.kind == other.kind == "step" and bool(box.detail or box.inside)


def _details(boxes: Sequence[Box]) -> Iterator[Text]:
    """The paragraphs that these boxes and those inside show."""
    for box in boxes:
        if box.detail is not None:
            yield box.detail
        yield from _details(box.inside)


def _is_fixed(expr: model.Expr) -> bool:
    """Whether a figure is a number that the file gives outright."""
    return isinstance(expr, model.Defined) and isinstance(expr.definition.value, model.Const)


def _is_plural(name: str) -> bool:
    """Whether a name counts things, `coins`, or is a measure, `score`: English says it differently."""
    return name.endswith("s") and not name.endswith(("ss", "us"))


def _depends_on_play(expr: model.Expr) -> bool:
    """Whether a value changes in the course of the game."""
    parts = list(walk.expressions(expr))
    if any(isinstance(part, (model.KeepOf, model.PlaceOf)) for part in parts):
        return True
    return any(_depends_on_play(part.definition.value) for part in parts if isinstance(part, model.Defined))
