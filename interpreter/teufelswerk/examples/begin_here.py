"""A line of a rule file → a position from which a game can be played: after a line of an example, or in a rule.

An example leaves cards open: they are dealt by lot, as the example and the rules let them lie. A step or a move is
come to by playing at random.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

from teufelswerk import model
from teufelswerk.base import chance
from teufelswerk.base.budget import OutOfTime
from teufelswerk.base.limits import MAX_MOVES_TO_SCENE, MAX_WORK_TO_SCENE
from teufelswerk.base.texts import Text
from teufelswerk.examples.scene_start import begin_of, run_until
from teufelswerk.examples.scene_table import Failed
from teufelswerk.examples.staged_scene import Staged
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.machine import Machine, RuleError
from teufelswerk.interpreter.state import State
from teufelswerk.model.scenes import Given, GivenIs, SceneLine, SceneModel

TRIALS = 12
"""So many ways in which the open cards may lie are tried, and games that may come to a step."""


class NoBeginning(Exception):
    """A place where no game can begin, and why."""

    def __init__(self, message: Text) -> None:
        super().__init__(str(message))
        self.message = message


@dataclass(frozen=True)
class Moment:
    """A scene, up to one of its lines."""

    scene: SceneModel
    last: int
    """The number of the last line that counts."""

    @property
    def people(self) -> tuple[str, ...]:
        return self.scene.people

    @property
    def lines(self) -> list[SceneLine]:
        """What has happened; what is given at the beginning belongs to it."""
        found: list[SceneLine] = []
        for line in self.scene.lines:
            if line.span.line > self.last and not isinstance(line, GivenIs | Given):
                break
            if line.span.line > self.last and any(not isinstance(each, GivenIs | Given) for each in found):
                break
            found.append(line)
        return found


Where: TypeAlias = Moment | model.Step | model.Move


def found_at(rules: model.Model, scenes: Sequence[SceneModel], where: str) -> Where:
    """What is meant by the number of a line, the heading of an example, the name of a step or of a move."""
    if where.isdecimal() and len(where) < 9:
        return _at_line(rules, scenes, int(where))
    wanted = where.strip().casefold()
    for scene in scenes:
        heading = scene.heading.casefold()
        if wanted in (heading, heading.partition(":")[0].strip(), heading.partition(":")[2].strip()):
            return Moment(scene, scene.span.line)
    found = rules.steps.get(where) or rules.moves.get(where)
    if found is None:
        raise NoBeginning(Text("`{where}` is no line, no example, no step and no move of this game", where=where))
    return found


def _at_line(rules: model.Model, scenes: Sequence[SceneModel], number: int) -> Where:
    lines = rules.source.lines
    here = [scene for scene in scenes if scene.span.source.path == rules.source.path]
    for scene in here:
        if scene.span.line <= number <= max(line.span.line for line in [*scene.lines, scene]):
            return Moment(scene, number)
    for section in rules.sections:
        first, last = section.span.line, section.span.line + len(section.lines)
        if section.is_example and section.span.source.path == rules.source.path and first <= number <= last:
            for scene in sorted(here, key=lambda scene: (scene.span.line < number, scene.span.line)):
                if first <= scene.span.line <= last:
                    return Moment(scene, scene.span.line)
    top = number
    while 1 < top <= len(lines) and (lines[top - 1].startswith("     ") or not lines[top - 1].strip()):
        top -= 1
    rules_of_play: list[model.Step | model.Move] = [*rules.steps.values(), *rules.moves.values()]
    for rule in rules_of_play:
        if rule.span.source.path == rules.source.path and rule.span.line == top:
            return rule
    raise NoBeginning(Text("no example, no step and no move stands in line {line}", line=number))


# ---- a step or a move -----------------------------------------------------------------------------------------------


def come_to(game: Game, rule: model.Step | model.Move, seed: int) -> State:
    """The first decision in a step, or at which a move may be made, in a random game."""
    begin = begin_of(game.program, rule.name) if isinstance(rule, model.Step) else None
    if isinstance(rule, model.Step) and begin is None:
        raise NoBeginning(Text("the game never comes to the step `{name}`", name=rule.name))
    for trial in range(TRIALS):
        try:
            m = _played_to(game, rule, begin, seed + trial)
            if m is not None and m.winners is None:
                return game.freeze(m)
        except RuleError:  # what is wrong with the rules is what `check` says
            continue
    name = rule.name
    if isinstance(rule, model.Step):
        raise NoBeginning(Text("no game that was tried came to a decision in the step `{name}`", name=name))
    raise NoBeginning(Text("in no game that was tried anybody could choose `{name}`", name=name))


def _played_to(game: Game, rule: model.Step | model.Move, begin: int | None, seed: int) -> Machine | None:
    m, rng, before = game.machine(seed), chance.stream(seed, 1), game.meter.work
    for _ in range(MAX_MOVES_TO_SCENE):
        if begin is not None and run_until(game.program, m, {begin}):
            game.run(m)
            return m
        if begin is None:
            game.run(m)
        if m.winners is not None or game.meter.work - before > MAX_WORK_TO_SCENE:
            return None
        moves = game.choices(m)
        if begin is None and any(move.verb == rule.name for move in moves):
            return m
        rng, index = chance.below(rng, len(moves))
        game.make_only(m, moves[index])
    return None


# ---- an example -----------------------------------------------------------------------------------------------------


def go_on_from(rules: model.Model, moment: Moment, seed: int) -> tuple[Game, State]:
    """A position that fits the example up to there, at a decision, from which the game goes on."""
    game, rng = Game(rules, len(moment.people)), Random(seed)
    try:
        staged = Staged(rules, moment.scene, moment.lines)
        for number in range(TRIALS):
            m = staged.closed(rng, number)
            if m is not None and (state := staged.decision(game, m, seed)) is not None:
                return game, state
    except OutOfTime:
        raise NoBeginning(Text("the example takes too long")) from None
    except (Failed, RuleError) as problem:
        found = problem.found if isinstance(problem, Failed) else problem.diagnostic.message
        raise NoBeginning(Text("the example does not hold up to there: {found}", found=found)) from None
    if staged.is_over:
        raise NoBeginning(Text("the game is over there"))
    raise NoBeginning(Text("the cards that the example leaves open could not be dealt so that the game goes on"))
