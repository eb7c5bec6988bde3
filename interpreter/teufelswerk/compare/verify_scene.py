"""A staged scene → whether it holds as an example: run as one, it must come to what is shown, however cards lie."""

from __future__ import annotations

from collections.abc import Iterator

from teufelswerk import model
from teufelswerk.base.limits import MAX_WORLDS
from teufelswerk.compare.outcomes import Difference
from teufelswerk.compare.scene_lines import given_keeps, named
from teufelswerk.compare.staging import BothGames, Staging
from teufelswerk.examples.run_scenes import SceneRunner
from teufelswerk.examples.scene_table import Failed
from teufelswerk.examples.worlds import Explorer
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.machine import BOX, Machine, RuleError
from teufelswerk.model.scenes import Act, Argument, GivenIs, Play, SceneModel

MOST_WORLDS = 500
"""An example that has to look at more of them takes too long for somebody who waits."""


class _QuickRunner(SceneRunner):
    """Gives up early."""

    def explorer(self) -> Explorer:
        explorer = super().explorer()
        explorer.worlds = MAX_WORLDS - MOST_WORLDS
        return explorer


def holds(both: BothGames, staging: Staging, found: Difference, places: set[str], keeps: set[tuple[str, int]]) -> bool:
    """Whether the scene can be pasted into the rule file of either game."""
    for number, game in enumerate(both.games):
        runner = _QuickRunner(game.rules, _scene(both, number, staging, places, keeps), None)
        try:
            if not runner.run().holds:
                return False
            if not runner.is_there:
                runner.worlds = [after for _, after in runner.everywhere(runner.advance)]
            if staging.onward:
                runner.worlds = [after for _, after in runner.everywhere(runner.resume)]
        except (RuleError, Failed):
            return False
        if not all(_stands_there(runner, world, found, number) for world in runner.worlds):
            return False
    return True


def _stands_there(runner: SceneRunner, world: Machine, found: Difference, number: int) -> bool:
    """Whether a world of the example has what is shown: what is kept, who has won, who is to move."""
    stopped, outcome = found.runs[number], found.outcomes[number]
    if world.winners != outcome.winners:
        return False
    for index, keep in runner.layout.declared:
        key = (keep.name, runner.layout.keep_key[index])
        if key in found.kept and runner.program.teller.raw(keep.type, world.keeps[index]) != outcome.kept[key]:
            return False
    return stopped.stop != "decision" or runner.game.mover(world) == stopped.player


def _scene(both: BothGames, number: int, staging: Staging, places: set[str], keeps: set[tuple[str, int]]) -> SceneModel:
    """The scene as it would be read from a file of this game."""
    span = both.games[number].rules.steps[staging.step].span
    argument = staging.people[staging.argument] if staging.argument is not None else None
    scene = SceneModel(0, "", staging.step, argument, staging.people, span)
    scene.lines = [*_given(both, number, staging, places, keeps), *_plays(both, number, staging)]
    return scene


def _given(
    both: BothGames, number: int, staging: Staging, places: set[str], keeps: set[tuple[str, int]]
) -> Iterator[GivenIs]:
    game, m = both.games[number], staging.starts[number]
    span, layout = game.rules.steps[staging.step].span, game.layout
    for index, keep in layout.declared:
        value, key = m.keeps[index], _key(game, keep.key, layout.keep_key[index])
        if value is not None and (keep.name, layout.keep_key[index]) in given_keeps(both, staging, keeps):
            words = named(game, keep.type, value, staging.people)
            yield GivenIs(span, 0, model.KeepOf(keep.type, span, keep, key), (Argument(words, None, span),))
    for index, place in enumerate(layout.place_of):
        if index == BOX or not (layout.place_names[index] in places or layout.shows(m.keeps, index, m.places[index])):
            continue
        target = model.PlaceOf(
            model.Type("place", place.name), span, place, _key(game, place.key, layout.place_key[index])
        )
        cards = ((game.rules.cards[c].id, layout.lies_up(m.keeps, c)) for c in m.places[index])
        yield GivenIs(span, 0, target, tuple(Argument(id, None, span, up) for id, up in cards))


def _key(game: Game, key: model.Key | None, value: int) -> model.Expr | None:
    if key is None:
        return None
    span = game.rules.steps["game"].span
    constants = [model.Const(part.type, span, one) for part, one in game.layout.split(key, value)]
    return constants[0] if len(constants) == 1 else model.Pair(model.NUMBER, span, key, *constants)


def _plays(both: BothGames, number: int, staging: Staging) -> Iterator[Play]:
    game = both.games[number]
    span = game.rules.steps[staging.step].span
    for pair in staging.moves:
        move, arguments = pair[number], list[Argument]()
        for choice, pick in zip(game.rules.moves[move.verb].choices, move.picks, strict=True):
            words = named(game, choice.source.type, pick, staging.people)
            arguments += [Argument(word, None, span) for word in words.split(", ")]
        yield Play(span, 0, Act(staging.people[move.player], move.verb, tuple(arguments), span), None, ())
