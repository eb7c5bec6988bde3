"""Two games → small scenes that tell them apart: found by playing both with the same moves, and in their examples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from teufelswerk import model
from teufelswerk.base.budget import Deadline, OutOfTime
from teufelswerk.base.limits import SECONDS_OF_DIFF
from teufelswerk.compare.example_scenes import staged_examples
from teufelswerk.compare.outcomes import Comparer, Difference, Rank
from teufelswerk.compare.same_position import Beginning, differing
from teufelswerk.compare.shrink_scene import Judge, Shrinker, Telling, size
from teufelswerk.compare.side_by_side import SideBySide, last_steps
from teufelswerk.compare.staging import BothGames, Run, Staging
from teufelswerk.interpreter.machine import RuleError
from teufelswerk.interpreter.state import Move
from teufelswerk.model.scenes import SceneModel

DECISIONS = 400
SECONDS = 1.6
SECONDS_FOR_ENDS = 0.6
GAMES = 200
FIRST_SEEDS = 3
"""In so many games one looks at what happens before the first decision."""
GAMES_FOR_NEW_CARDS = 3
ENOUGH = 12
"""So many scenes that show a difference of the same rank leave a choice; more are not looked for."""
MADE_FOR_IT = 2
"""An example of the second game may be so many moves longer than another scene, since it was made to show the rule."""
TRIES = 4
"""How many of them are tried, the smallest first, until one does not depend on luck."""


@dataclass
class Comparison:
    """What playing two games side by side has shown."""

    beginnings: dict[int, list[Beginning]] = field(default_factory=dict)
    """For each number of players: what differs before the first decision."""
    allowed: Telling | None = None
    happens: Telling | None = None
    differs: bool = False
    """Whether they have been seen to play differently, even where no scene can show it."""
    stopped: bool = False
    """Whether the time was over before everything had been looked for."""


@dataclass
class _Found:
    """A scene that two games play differently, as it was come upon."""

    both: BothGames
    judge: Judge
    staging: Staging
    difference: Difference
    made_for_it: bool = False
    """Whether an author of the second game has made it for an example."""

    @property
    def size(self) -> int:
        return size(self.staging) - MADE_FOR_IT * self.made_for_it


def compare(
    first: model.Model,
    second: model.Model,
    scenes: Sequence[tuple[int, SceneModel]] = (),
    games: int = GAMES,
    seconds: float = SECONDS,
) -> Comparison:
    """Plays both games with every number of players that both allow, until enough has been seen.

    `scenes` are examples of the first (0) or the second game (1), in which to look as well.
    """
    counts = range(max(first.min_players, second.min_players), min(first.max_players, second.max_players) + 1)
    soon, deadline = Deadline(seconds), Deadline(SECONDS_OF_DIFF)
    comparison, found, searches = Comparison(), list[_Found](), dict[int, _Search]()
    try:
        for players in counts:
            searches[players] = _Search(BothGames(first, second, players, deadline))
        for number, scene in scenes:
            search = searches.get(len(scene.people))
            for one in search.in_example(number, scene) if search is not None else ():
                found.append(one)
        for one in _played(list(searches.values()), games, soon):
            found.append(one)
    except OutOfTime:
        comparison.stopped = True
    deadline.extend(SECONDS_OF_DIFF)
    comparison.beginnings = {players: search.beginning for players, search in searches.items() if search.beginning}
    comparison.differs = any(search.differs for search in searches.values())
    try:
        _choose(comparison, found, list(searches.values()))
    except OutOfTime:
        comparison.stopped = True
    return comparison


def _choose(comparison: Comparison, found: list[_Found], searches: list[_Search]) -> None:
    """What is shown: the smallest scenes, of what weighs most."""
    comparison.allowed = _best([f for f in found if f.difference.rank is None])
    comparison.happens = _best([f for f in found if f.difference.rank is Rank.HAPPENS])
    if comparison.allowed is None and comparison.happens is None:
        comparison.allowed = _new_cards(searches)
    if comparison.allowed is None and comparison.happens is None:
        soon = Deadline(SECONDS_FOR_ENDS)
        comparison.happens = _best([f for search in searches for f in search.at_the_end(soon)])
    for rank in (Rank.TOLD, Rank.OWN):
        if comparison.allowed is None and comparison.happens is None:
            comparison.happens = _best([f for f in found if f.difference.rank is rank])


def _played(searches: list[_Search], games: int, soon: Deadline) -> Iterator[_Found]:
    """Scenes from random games, the same number with each number of players."""
    counts: dict[Rank | None, int] = {}
    for seed in range(games):
        for search in searches:
            if soon.passed and seed > 0:
                return
            if all(counts.get(rank, 0) >= ENOUGH for rank in (None, Rank.HAPPENS)):
                return
            try:
                for found in search.in_a_game(seed, {rank for rank, count in counts.items() if count >= ENOUGH}):
                    counts[found.difference.rank] = counts.get(found.difference.rank, 0) + 1
                    yield found
            except RuleError:
                pass


def _best(found: list[_Found]) -> Telling | None:
    """The smallest scene that does not depend on luck, made smaller."""
    for candidate in sorted(found, key=lambda f: f.size)[:TRIES]:
        telling = Shrinker(candidate.both, candidate.judge).told(candidate.staging, candidate.difference)
        if telling is not None:
            return telling
    return None


class _Search:
    """Looks for differences between two games for one number of players."""

    def __init__(self, both: BothGames) -> None:
        self.both = both
        self.comparer = Comparer(both)
        self.beginning: list[Beginning] = []
        self.differs = False
        try:
            walk = SideBySide(both, 0)
            walk.begin()
            self.beginning = self.differing(walk)
        except RuleError:
            pass  # the rules cannot be played as they are, and whoever plays them is told why
        self.comparer.deals_differ = any(changed.sort == "place" for changed in self.beginning)

    def differing(self, walk: SideBySide) -> list[Beginning]:
        return list(differing(self.both.games[0], walk.machines[0], self.both.games[1], walk.machines[1]))

    def found(self, staging: Staging | None) -> _Found | None:
        """A staged scene, if the games play it differently."""
        runs = self.both.run(staging) if staging is not None else None
        if staging is None or runs is None:
            return None
        if self.comparer.deals_differ and any(
            run.machine.rng != m.rng for run, m in zip(runs, staging.starts, strict=True)
        ):
            return None  # the deal differs, which has been said already
        difference = self.comparer.difference(runs)
        return _Found(self.both, self.comparer.difference, staging, difference) if difference is not None else None

    # ---- in examples ------------------------------------------------------------------------------------------------

    def in_example(self, number: int, scene: SceneModel) -> Iterator[_Found]:
        for staging in staged_examples(self.both, number, scene):
            for onward in (False, True):
                found = self.found(replace(staging, onward=onward))
                if found is not None:
                    yield replace(found, made_for_it=number == 1)
                    break

    # ---- in play ----------------------------------------------------------------------------------------------------

    def in_a_game(self, seed: int, enough: set[Rank | None]) -> Iterator[_Found]:
        """One game with random moves that both allow, as long as both stand alike."""
        walk = SideBySide(self.both, seed)
        runs: tuple[Run, Run] | None = walk.begin()
        begun_differently = self.differing(walk)
        for number in range(DECISIONS):
            if runs is None:
                return
            difference = self.comparer.difference(runs)
            self.differs |= difference is not None and difference.rank in (None, Rank.HAPPENS)
            if difference is not None and difference.rank not in enough and (number > 0 or seed < FIRST_SEEDS):
                yield from self.located(walk, difference.rank)
            if number == 0 and begun_differently:
                runs = walk.made_alike()
            elif (difference is not None and difference.rank is Rank.HAPPENS) or self.dealt_anew(walk):
                return
            runs = walk.move(runs) if runs is not None else None

    def dealt_anew(self, walk: SideBySide) -> bool:
        """Whether cards lie differently because the games deal differently, which has been said already."""
        return self.comparer.deals_differ and bool(self.differing(walk))

    def located(self, walk: SideBySide, rank: Rank | None) -> Iterator[_Found]:
        """The smallest scene that shows a difference: of a step around the last move, or of one begun since."""
        stagings = []
        for step, starts, moves in walk.steps():
            staging = self.both.stage(step, starts, moves)
            if staging is not None:
                stagings += [staging, replace(staging, onward=True)]
        for staging in sorted(stagings, key=lambda s: (size(s), -s.starts[0].pc)):
            found = self.found(staging)
            if found is not None and found.difference.rank == rank:
                yield found
                return

    # ---- one game alone ---------------------------------------------------------------------------------------------

    def at_the_end(self, soon: Deadline) -> Iterator[_Found]:
        """The last steps of each game played alone: the other one may not be over there."""
        for number, game in enumerate(self.both.games):
            for step, start in last_steps(game, soon).items():
                first = self.both.first(1 - number, step)
                if first is not None:
                    staging = self.both.stage(step, (start, first) if number == 0 else (first, start), lender=number)
                    found = self.found(replace(staging, onward=True)) if staging is not None else None
                    if found is not None and found.difference.rank is Rank.HAPPENS:
                        yield found

    def new_cards(self) -> Iterator[tuple[int, _Found]]:
        """Scenes in which somebody may choose a card that only one of the games has, with the number of that game."""
        ids = [{card.id for card in game.rules.cards} for game in self.both.games]
        for number in (1, 0):
            new = ids[number] - ids[1 - number]
            for seed in range(GAMES_FOR_NEW_CARDS if new else 0):
                try:
                    yield from ((number, found) for found in self.new_card(self.both.games[number].rules, new, seed))
                except RuleError:
                    continue

    def new_card(self, rules: model.Model, new: set[str], seed: int) -> Iterator[_Found]:
        """Plays one of the games alone until somebody may choose one of the new cards."""
        both = BothGames(rules, rules, self.both.players, self.both.deadline)
        comparer = Comparer(both)

        def chosen(run: Run) -> list[Move]:
            return [move for move in run.moves if new & set(map(str, run.game.choice(move).values()))]

        def judge(runs: tuple[Run, Run]) -> Difference | None:
            if not chosen(runs[0]):
                return None
            runs = (replace(runs[0], moves=chosen(runs[0])), replace(runs[1], moves=chosen(runs[1])))
            return Difference(None, (comparer.outcome(runs[0]), comparer.outcome(runs[1])), runs, [], [])

        walk = SideBySide(both, seed)
        runs: tuple[Run, Run] | None = walk.begin()
        for _ in range(DECISIONS):
            if runs is None:
                return
            inner_first = sorted(walk.steps(), key=lambda start: -start[1][0].pc) if chosen(runs[0]) else ()
            for step, starts, moves in inner_first:
                staging = both.stage(step, starts, moves)
                staged = both.run(staging) if staging is not None else None
                found = judge(staged) if staged is not None else None
                if staging is not None and found is not None:
                    yield _Found(both, judge, staging, found)
                    return
            runs = walk.move(runs)


def _new_cards(searches: list[_Search]) -> Telling | None:
    """The smallest scene in which somebody may choose a card that only one of the games has."""
    found = [pair for search in searches for pair in search.new_cards()]
    for alone in (1, 0):
        telling = _best([f for number, f in found if number == alone])
        if telling is not None:
            return replace(telling, alone=alone)
    return None
