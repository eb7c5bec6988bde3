"""A model → what is wrong with its flow: circles, loops without end, things nobody uses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, assert_never

from teufelswerk import model
from teufelswerk.analysis.absence_checks import check_presence
from teufelswerk.analysis.call_checks import check_calls
from teufelswerk.analysis.next_checks import check_next
from teufelswerk.analysis.use_checks import check_use
from teufelswerk.base.diagnostics import Diagnostic
from teufelswerk.base.texts import Text
from teufelswerk.model.walk import all_statements, called_steps, expressions, reachable, statements

FIRST_STEP = "game"
EVERY_PLACE = "*"


def check_flow(rules: model.Model, scenes: Sequence[Any]) -> list[Diagnostic]:
    """Everything about the flow; if steps run in a circle, only that."""
    circles = _circles(rules)
    if circles:
        return circles
    if misplaced := [*check_next(rules), *check_calls(rules)]:
        return misplaced
    found = [*_endless(rules), *_nobody_passes(rules), *_no_winner(rules), *_unused(rules, scenes)]
    return found + check_use(rules) + check_presence(rules)


def _circles(rules: model.Model) -> list[Diagnostic]:
    found: list[Diagnostic] = []
    done: set[str] = set()

    def visit(name: str, path: list[str]) -> None:
        for call in called_steps(rules, rules.steps[name].body):
            if call.step in path:
                circle = " → ".join([*path[path.index(call.step) :], call.step])
                message = Text("the steps run in a circle: {path}", path=circle)
                help = Text("use `repeat until …` for what happens again and again")
                found.append(Diagnostic("circle", message, call.span, help=help))
            elif call.step not in done and call.step in rules.steps:
                visit(call.step, [*path, call.step])
        done.add(name)

    for name in rules.steps:
        if name not in done:
            visit(name, [name])
    return found


# ---- loops ----------------------------------------------------------------------------------------------------------


def _endless(rules: model.Model) -> Iterable[Diagnostic]:
    """A loop whose end depends on nothing that happens in it never ends."""
    for step in rules.steps.values():
        for statement in statements(step.body):
            if not isinstance(statement, (model.Until, model.GoRound)):
                continue
            condition = statement.condition
            if any(isinstance(e, (model.AllPass, model.Random)) for e in expressions(condition)):
                continue
            if _reads(rules, condition) & _writes(rules, statement.body):
                continue
            if EVERY_PLACE in _writes(rules, statement.body) and any(
                r.startswith("place ") for r in _reads(rules, condition)
            ):
                continue
            message = Text("this goes on for ever: nothing that happens in it changes the condition")
            yield Diagnostic(
                "endless", message, statement.span, related=((condition.span, Text("this never changes")),)
            )


def _nobody_passes(rules: model.Model) -> Iterable[Diagnostic]:
    """A lap that ends when all pass, with no move in it that is a pass."""
    for step in rules.steps.values():
        for lap in statements(step.body):
            if not isinstance(lap, model.GoRound):
                continue
            asked = [e for e in expressions(lap.condition) if isinstance(e, model.AllPass)]
            turns = [s for s in reachable(rules, lap.body) if isinstance(s, model.Turn)]
            moves = [rules.moves[verb] for turn in turns for group in turn.groups for verb in group]
            if asked and not any(move.is_pass for move in moves):
                message = Text("nobody can pass in this lap, so `all pass` never holds")
                help = Text("call the move with which a player passes `{name}`", name=model.PASSES)
                yield Diagnostic("nobody-passes", message, asked[0].span, help=help, severity="warning")


def _reads(rules: model.Model, root: Any, seen: frozenset[str] = frozenset()) -> set[str]:
    """The places and kept things that a value depends on."""
    found: set[str] = set()
    for expr in expressions(root):
        asked: list[model.Definition] = []
        match expr:
            case model.KeepOf():
                found.add(f"keep {expr.keep.name}")
            case model.PlaceOf():
                found.add(f"place {expr.place.name}")
            case model.Defined():
                asked = [expr.definition]
            case model.WasChosen():
                found.add(f"choice {expr.slot}")
            case model.Everything() if expr.type.kind == "place":
                found.add(f"place {expr.type.of}")
            case model.Neighbour() | model.Everything() | model.Around():
                asked = [rules.definitions["out"]] if "out" in rules.definitions else []
            case model.Nobody():
                pass
            case model.Const() | model.Person() | model.Local() | model.AttributeOf() | model.PlayerOf() | model.Nth():
                pass
            case model.PlaceHolding():
                found.add(f"place {expr.type.of}")
            case model.EndOf() | model.CardAt() | model.NthOfEach():
                pass
            case model.Numbers() | model.Members() | model.Few() | model.Best() | model.Random():
                pass
            case (
                model.LeastLeft()
                | model.Total()
                | model.Count()
                | model.Quantify()
                | model.Compare()
                | model.Exists()
                | model.AllPass()
            ):
                pass
            case model.Logic() | model.Not() | model.Arith() | model.Alternatives() | model.Decision():
                pass
            case (
                model.Together()
                | model.KeyOf()
                | model.Applied()
                | model.Pair()
                | model.Listing()
                | model.Joined()
                | model.SetsOf()
            ):
                pass
            case _:
                assert_never(expr)
        for definition in asked:
            if definition.name not in seen:
                found |= _reads(rules, definition.value, seen | {definition.name})
    return found


def _writes(rules: model.Model, body: model.Block) -> set[str]:
    """What a block may change. A card that goes somewhere may come from any place."""
    found: set[str] = set()
    for statement in reachable(rules, body):
        match statement:
            case model.Becomes():
                found.add(f"keep {statement.target.keep.name}")
            case model.Turns():
                found.add(f"keep {model.FACES}")
            case model.Pays():
                found |= {f"keep {statement.payer.keep.name}", f"keep {statement.receiver.keep.name}"}
            case model.Goes() | model.Deal():
                found.add(EVERY_PLACE)
            case model.Turn():
                found.add(f"choice {statement.chosen}")
            case model.Shuffle() | model.SetLocal() | model.Tell() | model.Call() | model.If():
                pass
            case model.Repeat() | model.Until() | model.Each() | model.GoRound() | model.Wins():
                pass
            case _:
                assert_never(statement)
    return found


def _no_winner(rules: model.Model) -> Iterable[Diagnostic]:
    step = rules.steps[FIRST_STEP]
    if not any(isinstance(s, model.Wins) for s in reachable(rules, step.body)):
        message = Text("the game never ends: no step says who wins, as in `highest … wins`")
        help = Text("write `nobody wins` where it is lost")
        yield Diagnostic("no-winner", message, step.span, help=help)


# ---- unused things --------------------------------------------------------------------------------------------------


def _unused(rules: model.Model, scenes: Sequence[Any]) -> Iterable[Diagnostic]:
    """What is declared and never used is a slip of the pen, or a rule that does not work."""
    called = {s.step for s in all_statements(rules) if isinstance(s, model.Call)} | {FIRST_STEP}
    asked = {
        verb
        for step in rules.steps.values()
        for s in statements(step.body)
        if isinstance(s, model.Turn)
        for group in s.groups
        for verb in group
    }
    used: set[str] = {"out"}
    roots: list[Any] = [step.body for step in rules.steps.values()]
    roots += list(rules.moves.values())
    roots += [definition.value for definition in rules.definitions.values()]
    roots += [keep.initial for keep in rules.keeps.values() if keep.initial]
    roots += [value for scene in scenes for line in scene.lines for value in vars(line).values()]
    for expr in expressions(roots):
        if isinstance(expr, (model.Defined, model.Applied)):
            used.add(expr.definition.name)
    for name, step in rules.steps.items():
        if name not in called:
            yield _warn("unused", Text("the step `{name}` is never run", name=name), step.span)
    for name, move in rules.moves.items():
        if name not in asked:
            yield _warn("unused", Text("nobody is ever asked for the move `{name}`", name=name), move.span)
    told = [prose.figures for section in rules.sections for prose in section.prose]
    in_words = {e.definition.name for e in expressions(told) if isinstance(e, model.Defined)}
    for name, definition in rules.definitions.items():
        if name not in used | in_words:
            yield _warn("unused", Text("`{name}` is defined and never used", name=name), definition.span)
        elif name not in used | rules.figures_of_cards and isinstance(definition.value, model.Const):
            message = Text("the words tell `{name}`, but no rule depends on it", name=name)
            help = Text("use it in the rules too, or write the number out in letters")
            yield Diagnostic("only-told", message, definition.span, help=help, severity="warning")


def _warn(code: str, message: Text, span: Any) -> Diagnostic:
    return Diagnostic(code, message, span, severity="warning")
