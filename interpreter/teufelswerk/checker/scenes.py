"""Scene lines → typed scenes: an example's people, what is given, what is played, what is claimed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import assert_never

from teufelswerk import model
from teufelswerk.base.texts import Text
from teufelswerk.checker.expressions import Expressions
from teufelswerk.checker.scope import Scope, Skip
from teufelswerk.checker.sentences import Sentences
from teufelswerk.model.scenes import (
    Act,
    Argument,
    Claim,
    Given,
    GivenIs,
    LegalClaim,
    Misfit,
    Play,
    SceneLine,
    SceneModel,
    WinnersClaim,
)
from teufelswerk.syntax import nodes
from teufelswerk.syntax.parse import ParsedSection


def scenes_of(
    sections: Sequence[ParsedSection],
    clauses: Iterable[tuple[nodes.Clause, int]],
    built: model.Model,
    expressions: Expressions,
    sentences: Sentences,
) -> list[SceneModel]:
    """All scenes of the file; mistakes go to the symbols' list."""
    maker = _SceneMaker(built, expressions)
    for number, section in enumerate(sections):
        maker.current, maker.spoiled = None, False
        for index, part in enumerate(section.parts):
            for clause in part.clauses:
                if isinstance(clause, nodes.SceneLine):
                    maker.add(clause, number, section.heading, index)
    return maker.scenes


class _SceneMaker:
    def __init__(self, built: model.Model, expressions: Expressions) -> None:
        self.model = built
        self.expressions = expressions
        self.symbols = expressions.symbols
        self.scenes: list[SceneModel] = []
        self.current: SceneModel | None = None
        self.spoiled = False
        """Whether the scene's first line has a mistake, so that nothing can be said of the others."""

    def add(self, clause: nodes.SceneLine, section: int, heading: str, part: int) -> None:
        try:
            if isinstance(clause, nodes.Scene):
                self.current, self.spoiled = None, True
                self.current = self.scene(clause, section, heading)
                self.scenes.append(self.current)
            elif self.current is None and not self.spoiled:
                message = Text("an example begins with a line such as `scene playing: Tom, Anna, Ida`")
                self.symbols.report("no-scene", message, clause.span)
            elif self.current is not None:
                self.current.lines.append(self.line(clause, part, self.current))
        except Skip:
            if self.current is not None and self.symbols.found:  # else a line that could not be read has said it
                self.current.lines.append(Misfit(clause.span, part, self.symbols.found[-1].message))

    def scene(self, clause: nodes.Scene, section: int, heading: str) -> SceneModel:
        name = clause.step.text
        if name not in self.symbols.steps:
            similar = self.symbols.nearest(name, self.symbols.steps)
            help = Text("write `{name}`", name=similar) if similar else None
            message = Text("there is no step called `{name}`", name=name)
            raise self.expressions.fail("unknown-step", message, clause.step.span, help=help)
        people = [word.text for word in clause.people]
        low, high = self.model.min_players, self.model.max_players
        if not low <= len(people) <= high:
            message = Text(
                "{n} {n:person sits|people sit} at this table, but the game is for {low} to {high}",
                n=len(people), low=low, high=high,
            )  # fmt: skip
            raise self.expressions.fail("player-count", message, clause.span)
        for index, word in enumerate(clause.people):
            if word.text in people[:index]:
                raise self.expressions.fail(
                    "listed-twice", Text("`{value}` is listed twice", value=word.text), word.span
                )
        step, _ = self.symbols.steps[name]
        if clause.argument and clause.argument.text not in people:
            message = Text("`{name}` is nobody at this table", name=clause.argument.text)
            raise self.expressions.fail("unknown-person", message, clause.argument.span)
        if (step.parameter is None) != (clause.argument is None) or (
            step.parameter and step.parameter.text != "player"
        ):
            message = (
                Text("the step `{name}` needs to know for whom: `{name} of …`", name=name)
                if step.parameter
                else Text("the step `{name}` takes no `of`", name=name)
            )
            raise self.expressions.fail(
                "step-of", message, clause.step.span, related=((step.span, Text("declared here")),)
            )
        argument = clause.argument.text if clause.argument else None
        return SceneModel(section, heading, name, argument, tuple(people), clause.span)

    def line(self, clause: nodes.LineOfScene, part: int, scene: SceneModel) -> SceneLine:
        scope, span = Scope(people=frozenset(scene.people), happening=model.NEXT in self.expressions.keeps), clause.span
        match clause:
            case nodes.GivenIs():
                target = self.expressions.expr(clause.target, scope)
                if not isinstance(target, (model.KeepOf, model.PlaceOf)):
                    message = Text(
                        "only a place or something kept can be given; `given` without a colon assumes a condition"
                    )
                    raise self.expressions.fail("bad-given", message, clause.target.span)
                for value in clause.values:
                    if value.up and not (isinstance(target, model.PlaceOf) and target.place.turned):
                        message = Text("only where cards are turned is one of them given face up")
                        raise self.expressions.fail("not-turned", message, value.span, help=Text("leave out `up`"))
                return GivenIs(span, part, target, tuple(self.argument(a, scope) for a in clause.values))
            case nodes.Given():
                return Given(span, part, self.expressions.truth(clause.condition, scope))
            case nodes.ActLine():
                edition = clause.edition.text if clause.edition else None
                other = tuple(self.argument(a, scope) for a in clause.edition_arguments)
                return Play(span, part, self.act(clause.act, scene, scope), edition, other)
            case nodes.Claim():
                return Claim(span, part, clause.modal, self.expressions.truth(clause.condition, scope))
            case nodes.LegalClaim():
                return LegalClaim(span, part, clause.allowed, self.act(clause.act, scene, scope))
            case nodes.WinnersClaim():
                for word in clause.people:
                    self.person(word, scene)
                people = tuple(word.text for word in clause.people)
                others = tuple(name for name in scene.people if name not in people)
                return WinnersClaim(span, part, others if clause.lose else people)
            case _:
                assert_never(clause)

    def person(self, word: nodes.Word, scene: SceneModel) -> str:
        if word.text not in scene.people:
            similar = self.symbols.nearest(word.text, scene.people)
            help = Text("write `{name}`", name=similar) if similar else None
            message = Text("`{name}` is nobody at this table", name=word.text)
            related = ((scene.span, Text("these people sit there")),)
            raise self.expressions.fail("unknown-person", message, word.span, help=help, related=related)
        return word.text

    def act(self, act: nodes.Act, scene: SceneModel, scope: Scope) -> Act:
        person = self.person(act.person, scene)
        if act.verb.text not in self.model.moves:
            similar = self.symbols.nearest(act.verb.text, self.model.moves)
            help = Text("write `{name}`", name=similar) if similar else None
            message = Text("there is no move called `{name}`", name=act.verb.text)
            raise self.expressions.fail("unknown-move", message, act.verb.span, help=help)
        choices = self.model.moves[act.verb.text].choices
        known = act.verb.text not in self.symbols.spoiled_moves
        if known and len(act.arguments) > len(choices) and not any(choice.amount for choice in choices):
            message = Text("`{name}` has {n} {n:choice|choices}, not more", name=act.verb.text, n=len(choices))
            raise self.expressions.fail("too-many-arguments", message, act.span)
        return Act(person, act.verb.text, tuple(self.argument(a, scope) for a in act.arguments), act.span)

    def argument(self, argument: nodes.Argument, scope: Scope) -> Argument:
        if argument.where is None:
            return Argument(argument.text, None, argument.span, argument.up)
        noun = nodes.Word(argument.text, argument.span)
        members = self.expressions.members(noun, None, argument.where, scope, argument.span)
        return Argument(argument.text, members, argument.span)
