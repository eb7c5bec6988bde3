"""Nodes → model: brings the stages of checking together, and looks at the whole: flow, sight, wording, examples."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

from teufelswerk import model
from teufelswerk.analysis.copy_checks import check_copies
from teufelswerk.analysis.flow_checks import check_flow
from teufelswerk.analysis.sight_checks import check_sight
from teufelswerk.analysis.wording_checks import check_wording
from teufelswerk.base.diagnostics import Diagnostic, Source, Span, nearest
from teufelswerk.base.texts import Text
from teufelswerk.checker.collect import collect
from teufelswerk.checker.expressions import Expressions
from teufelswerk.checker.moves import Moves
from teufelswerk.checker.scenes import scenes_of
from teufelswerk.checker.scope import Scope, Skip
from teufelswerk.checker.sentences import Sentences
from teufelswerk.checker.statements import Statements
from teufelswerk.checker.symbols import Symbols
from teufelswerk.model.scenes import SceneModel
from teufelswerk.syntax import nodes
from teufelswerk.syntax.merge_variants import is_example
from teufelswerk.syntax.parse import ParsedSection
from teufelswerk.syntax.source import Paragraph

FIRST_STEP = "game"
MISFIT = "misfit"
"""An example that speaks of something that the rules in force do not have."""
Result = TypeVar("Result")


@dataclass
class Checked:
    """A model with its examples, if the file could be understood, and all that was found."""

    model: model.Model | None
    scenes: list[SceneModel] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)

    @property
    def errors(self) -> list[Diagnostic]:
        return [d for d in self.diagnostics if d.is_error]


def check(
    sections: Sequence[ParsedSection], sources: Sequence[Source], values: dict[str, int] | None = None
) -> Checked:
    """The model of a game, its examples, and everything that is wrong with it. `values` replace figures of the file."""
    return _Checker(sections, sources, values or {}).run()


class _Checker:
    def __init__(self, sections: Sequence[ParsedSection], sources: Sequence[Source], values: dict[str, int]) -> None:
        self.sections = sections
        self.sources = sources
        self.values = values
        clauses = [(c, number) for number, s in enumerate(sections) for p in s.parts for c in p.clauses]
        self.clauses = [(self.with_value(c), number) for c, number in clauses]
        self.symbols: Symbols = collect(self.clauses)
        self.expressions = Expressions(self.symbols)
        contexts = [f"{section.span.source.name}: {section.heading}" for section in sections]
        self.sentences = Sentences(self.expressions, contexts)
        self.statements = Statements(self.expressions, self.sentences)
        self.moves = Moves(self.statements)

    def with_value(self, clause: nodes.Clause) -> nodes.Clause:
        """The clause, with another number if one was asked for."""
        if not isinstance(clause, nodes.Definition) or clause.name.text not in self.values:
            return clause
        if not _is_number(clause.value) or clause.parameter:
            return clause
        number = nodes.Number(clause.value.span, self.values[clause.name.text])
        return nodes.Definition(clause.span, clause.name, None, number)

    def changeable(self) -> list[str]:
        return [
            c.name.text
            for c, _ in self.clauses
            if isinstance(c, nodes.Definition) and _is_number(c.value) and not c.parameter
        ]

    def run(self) -> Checked:
        top = self.sections[0].span if self.sections else Span(self.sources[0], 1, 1, 2)
        for name in self.values:
            if name not in self.changeable():
                self.symbols.found.append(self.unknown_value(name))
        missing = [self.symbols.players is None, not self.symbols.kinds, FIRST_STEP not in self.symbols.steps]
        if all(missing):
            message = Text("the file says neither how many can play, nor with which cards, nor how the game goes")
            help = Text("if it changes a game, write `variant of …` below the title; else begin with `players 3 to 6`")
            self.symbols.report("no-game", message, top, help=help)
            return Checked(None, [], self.symbols.found)
        if self.symbols.players is None:
            help = Text("write `players 3 to 6` below the title")
            self.symbols.report("no-players", Text("the file does not say how many can play"), top, help=help)
        if not self.symbols.kinds:
            self.symbols.report("no-cards", Text("the file declares no cards"), top, help=Text("begin with `cards`"))
        if FIRST_STEP not in self.symbols.steps:
            help = Text("declare the step `game:`, with which everything begins")
            self.symbols.report("no-game", Text("the file does not say how the game goes"), top, help=help)
        if self.symbols.players is None or not self.symbols.cards:
            return Checked(None, [], self.symbols.found)
        built = self.build()
        self.sentences.finish()
        before = len(self.symbols.found)
        scenes = scenes_of(self.sections, self.clauses, built, self.expressions, self.sentences)
        self.prose(built, scenes)
        self.symbols.found[before:] = [self.excused(d) for d in self.symbols.found[before:]]
        built.slots, built.persistent_slots = self.expressions.slots, tuple(self.expressions.persistent)
        built.ids = self.expressions.ids
        if not any(d.is_error for d in self.symbols.found):
            self.symbols.found += check_flow(built, scenes)
            self.symbols.found += check_sight(built)
            self.symbols.found += check_copies(built, scenes)
            self.symbols.found += check_wording(built, self.sections)
        return Checked(built, scenes, self.symbols.found)

    def unknown_value(self, name: str) -> Diagnostic:
        """About what somebody asks for, so it points at no line of the file."""
        known = self.changeable()
        similar = nearest(name, known)
        help = None
        if known:
            help = Text("write `{name}`", name=similar) if similar else Text("the values are: {names}", names=known)
        message = Text("there is no value called `{name}` that could be set", name=name)
        return Diagnostic("unknown-value", message, help=help)

    def excused(self, diagnostic: Diagnostic) -> Diagnostic:
        """With other values, or in a variant, an example of the base may fit no more; the game is none the worse."""
        span = diagnostic.span
        home = [s for s in self.sections if span and s.span.source is span.source and s.span.line <= span.line]
        section = max(home, key=lambda s: s.span.line) if home else None
        if section is None or not is_example(section):
            return diagnostic
        if section.span.source is self.sources[0] and not self.values:
            return diagnostic
        help = Text("replace or drop the section `{heading}` in a variant", heading=section.heading)
        return replace(diagnostic, code=MISFIT, severity="warning", help=help)

    def build(self) -> model.Model:
        symbols, made = self.symbols, self.expressions
        assert symbols.players
        for name in symbols.keeps:
            self.attempt(partial(made.keep, name))
        for name in symbols.definitions:
            self.attempt(partial(made.definition, name))
        kinds: dict[str, model.CardKind] = {}
        for name, clause in symbols.kinds.items():
            called = self.attempt(partial(self.called, clause, name))
            back = tuple(word.text for word in clause.back)
            kinds[name] = model.CardKind(name, symbols.kind_attributes.get(name, ()), back, called, clause.span)
        steps = {
            n: s for n, (c, at) in symbols.steps.items() if (s := self.attempt(partial(self.statements.step, c, at)))
        }
        moves = {n: m for n, (c, at) in symbols.moves.items() if (m := self.attempt(partial(self.moves.move, c, at)))}
        sections = [model.Section(i, s.heading, s.level, s.span) for i, s in enumerate(self.sections)]
        for i, section in enumerate(self.sections):
            sections[i].is_example = any(isinstance(c, nodes.Scene) for p in section.parts for c in p.clauses)
        return model.Model(
            name=self.sources[0].name,
            title=self.sections[0].heading,
            source=self.sources[0],
            sources=tuple(self.sources),
            min_players=symbols.players.low,
            max_players=symbols.players.high,
            cards=tuple(symbols.cards),
            kinds=kinds,
            attributes=symbols.attributes,
            names=symbols.names,
            places=symbols.places,
            keeps=made.keeps,
            definitions=made.definitions,
            steps=steps,
            moves=moves,
            sections=sections,
            persistent_slots=(),
            slots=0,
            ids=0,
            figures_of_cards=frozenset(symbols.figures_of_cards),
            changed_values=dict(self.values),
            side=made.seating.get("side"),
            variant=self.sources[0].name if len(self.sources) > 1 else None,
        )

    def attempt(self, work: Callable[[], Result]) -> Result | None:
        try:
            return work()
        except Skip:
            return None

    def called(self, clause: nodes.Cards, kind: str) -> model.Sentence | None:
        """How a card is called: a sentence whose figures are the card's attributes."""
        if clause.called is None:
            return None
        card = model.Local(
            model.Type("card", card_kinds=frozenset({kind})), clause.span, self.expressions.slot(), "card"
        )
        section = next(number for c, number in self.clauses if c is clause)
        return self.sentences.sentence(clause.called, Scope().with_local("card", card), section)

    def prose(self, built: model.Model, scenes: list[SceneModel]) -> None:
        for number, section in enumerate(self.sections):
            people = {name for scene in scenes if scene.section == number for name in scene.people}
            for part in section.parts:
                if part.paragraph and part.base:
                    self.introduction(built.sections[number], part.paragraph, part.base)
                elif part.paragraph:
                    lines = [clause.span.line for clause in part.clauses]
                    context = self.sentences.context(number)
                    built.sections[number].prose.append(self.sentences.prose(part.paragraph, context, people, lines))

    def introduction(self, title: model.Section, paragraph: Paragraph, base: str) -> None:
        """What the base says of itself, with its own translations; left out if the variant lacks what it tells."""
        before = len(self.symbols.found)
        prose = self.sentences.prose(paragraph, f"{paragraph.span.source.name}: {base}", (), (), base)
        if len(self.symbols.found) == before:
            title.prose.append(prose)
        del self.symbols.found[before:]


def _is_number(value: nodes.Expr) -> bool:
    """Whether a definition is a number for sure, plain or worked out, so that it can be given another one."""
    if isinstance(value, nodes.Alternatives):
        return all(_is_number(branch.value) for branch in value.branches)
    return isinstance(value, (nodes.Number, nodes.Arith, nodes.Count))


class Standing:
    """A file whose declarations are known, so that single clauses can be looked at in it."""

    def __init__(self, checker: _Checker, built: model.Model) -> None:
        self.checker, self.built = checker, built

    def look_at(self, section: ParsedSection) -> list[Diagnostic]:
        """What is wrong with the clauses of a section that would stand in the file: of an example all, else each by
        itself."""
        checker = self.checker
        before = len(checker.symbols.found)
        clauses = [clause for part in section.parts for clause in part.clauses]
        if any(isinstance(clause, nodes.Scene) for clause in clauses):
            scenes_of([section], [(c, 0) for c in clauses], self.built, checker.expressions, checker.sentences)
        else:
            for clause in clauses:
                checker.attempt(partial(self._one, clause))
        found = checker.symbols.found[before:]
        del checker.symbols.found[before:]
        checker.sentences.waiting.clear()
        return found

    def _one(self, clause: nodes.Clause) -> None:
        checker = self.checker
        if isinstance(clause, nodes.Step):
            checker.statements.step(clause, 0)
        elif isinstance(clause, nodes.Move):
            checker.moves.move(clause, 0)
        elif isinstance(clause, nodes.Definition):
            name, made, declared = clause.name.text, checker.expressions, checker.symbols.definitions
            known, node = made.definitions.pop(name, None), declared.get(name)
            spoiled = name in made.spoiled
            declared[name] = clause, 0
            made.spoiled.discard(name)
            try:
                made.definition(name)
            finally:
                made.definitions.pop(name, None)
                declared.pop(name)
                made.spoiled.discard(name)
                if node is not None:
                    declared[name] = node
                if known is not None:
                    made.definitions[name] = known
                if spoiled:
                    made.spoiled.add(name)


def standing(sections: Sequence[ParsedSection], sources: Sequence[Source]) -> Standing | None:
    """A file for whoever looks at clauses one by one; nothing if it does not even say who plays with what."""
    checker = _Checker(sections, sources, {})
    if checker.symbols.players is None or not checker.symbols.cards:
        return None
    return Standing(checker, checker.build())
