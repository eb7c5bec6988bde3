"""A scene, up to one of its lines → how it stands there with every card somewhere, so that the game can go on."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from teufelswerk import model
from teufelswerk.base import chance
from teufelswerk.base.budget import Deadline
from teufelswerk.base.limits import MAX_MOVES_TO_SCENE, MAX_WORK_TO_SCENE, SECONDS_OF_EXAMPLES
from teufelswerk.examples.one_world import Usual, dealt_out
from teufelswerk.examples.open_cards import clone
from teufelswerk.examples.open_games import OpenGame
from teufelswerk.examples.run_scenes import SceneRunner
from teufelswerk.examples.scene_start import run_until, seat_argument
from teufelswerk.examples.scene_table import Failed
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.machine import Machine, RuleError
from teufelswerk.interpreter.state import State
from teufelswerk.model.scenes import Given, GivenIs, Misfit, Play, SceneLine, SceneModel

GAMES = 2
"""So many games are looked through for a time at which players have as many cards as an example says."""
PLAYOUTS, MOVES_OF_PLAYOUT = 2, 60
"""A position is one if the game goes on from it: so many times, for so many moves."""


class Staged:
    """A scene that was played up to a moment: its worlds, and how many cards should lie where."""

    def __init__(self, rules: model.Model, scene: SceneModel, lines: Sequence[SceneLine]) -> None:
        self.scene, self.lines = scene, lines
        self.game = OpenGame(rules, scene.people, Deadline(SECONDS_OF_EXAMPLES))
        self.runner = SceneRunner(rules, scene, None, self.game)
        self.layout = self.runner.layout
        self.given: dict[int, int] = {}
        """How many cards were said to lie in a place."""
        self.gone: dict[int, int] = {}
        """How many open cards have left a place in the players' moves."""
        self.is_over = False
        self.play()
        if any(self.layout.owner[place] >= 0 for place in self.given) and (visit := self.like_given()) is not None:
            assert self.runner.begin is not None
            first = self.game.first(self.runner.begin)
            self.game.begins_as(self.runner.begin, visit)
            try:
                self.play_anew()
            except (Failed, RuleError):  # by then something that is given has left the game
                self.game.begins_as(self.runner.begin, first)
                self.play_anew()
        self.usual = Usual(self.layout, self.usually())

    def play_anew(self) -> None:
        self.given, self.gone = {}, {}
        self.runner = SceneRunner(self.game.rules, self.scene, None, self.game)
        self.play()

    def play(self) -> None:
        self.runner.worlds = [self.runner.first_world()]
        for line in self.lines:
            self.take_in(line)

    def like_given(self) -> Machine | None:
        """A later time at which a random game comes to the step, if players have as many cards as they are given only
        then: a round has to come to its end in as many laps as they have cards for."""
        begin, best = self.runner.begin, self.unlike(self.game.first(self.runner.begin or 0))
        assert begin is not None
        found: Machine | None = None
        for seed in range(GAMES):
            m, rng, before = self.game.machine(seed), chance.stream(seed, 1), self.game.meter.work
            try:
                for _ in range(MAX_MOVES_TO_SCENE):
                    while run_until(self.game.program, m, {begin}):
                        if (unlike := self.unlike(m)) < best:
                            best, found = unlike, clone(m)
                        m.pc = self.game.program.step(m)
                    if m.winners is not None or not best or self.game.meter.work - before > MAX_WORK_TO_SCENE:
                        break
                    moves = self.game.choices(m)
                    rng, index = chance.below(rng, len(moves))
                    self.game.make_only(m, moves[index])
            except RuleError:
                continue
        return found

    def unlike(self, m: Machine | None) -> int:
        """By how many cards it differs from what players are given, and whether it is somebody else's turn."""
        if m is None:
            return 0
        cards = sum(
            abs(len(m.places[place]) - size) for place, size in self.given.items() if self.layout.owner[place] >= 0
        )
        return 2 * cards + self.is_for_another(m)

    def is_for_another(self, m: Machine) -> bool:
        """Whether a step that is for one player begins for another one than the scene says."""
        if self.scene.argument is None:
            return False
        trial = clone(m)
        self.game.program.step(trial)
        return bool(trial.slots[self.game.rules.steps[self.scene.step].slot] != self.game.seats[self.scene.argument])

    def take_in(self, line: SceneLine) -> None:
        """One line of the scene; what it claims is of no interest here."""
        runner = self.runner
        self.game.meter.rest()
        match line:
            case GivenIs() | Given() | Misfit():
                runner.line(line)
                if isinstance(line, GivenIs) and isinstance(line.target, model.PlaceOf):
                    place = self.game.question(line.target)(clone(runner.worlds[0]))
                    self.given[place] = len(line.values)
            case Play():
                before = runner.worlds[0]
                runner.line(line)
                self.note_gone(before, runner.worlds[0], runner.seats[line.act.person])
            case _:
                self.begin()

    def begin(self) -> None:
        if not self.runner.is_there:
            self.runner.worlds = [after for _, after in self.runner.everywhere(self.runner.advance)]
            self.runner.is_there = True

    def note_gone(self, before: Machine, after: Machine, seat: int) -> None:
        for card, mask in (before.open or {}).items():
            if card not in (after.open or {}):
                own = [place for place, owner in enumerate(self.layout.owner) if owner == seat and mask >> place & 1]
                for place in own[:1]:
                    self.gone[place] = self.gone.get(place, 0) + 1

    def usually(self) -> Machine:
        """The same step in a game in which everything is known, at its beginning or at its first decision."""
        assert self.runner.begin is not None
        m = self.game.first(self.runner.begin)
        assert m is not None
        if self.runner.is_there:
            try:
                self.runner.advance(m)
            except RuleError:  # without what is given the step may not get there
                m = self.game.first(self.runner.begin) or m
        return m

    def wanted(self, alike: bool) -> list[int]:
        """How many cards should lie in each place: as usual or, if `alike`, as many as one player is said to have."""
        wanted = list(self.usual.sizes)
        families: dict[str, int] = {}
        for place, size in self.given.items():
            if self.layout.owner[place] >= 0 and wanted[place]:
                name = self.layout.place_of[place].name
                families[name] = max(families.get(name, 0), size)
        for place, size in enumerate(wanted):
            if alike and size and self.layout.owner[place] >= 0:
                wanted[place] = families.get(self.layout.place_of[place].name, size)
            wanted[place] = max(0, wanted[place] - self.gone.get(place, 0))
        return wanted

    def closed(self, rng: Random, number: int) -> Machine | None:
        """One world in which every card lies somewhere."""
        world = clone(rng.choice(self.runner.worlds))
        if not world.open:
            world.open = world.fired = None
            return world
        return dealt_out(world, self.usual, self.wanted(alike=number % 2 == 0), rng)

    def decision(self, game: Game, m: Machine, seed: int) -> State | None:
        """The next decision, if the game goes on from there; chance is drawn from the seed from here on."""
        m.rng, m.meter = chance.stream(seed, 0), game.meter
        try:
            if m.winners is None and not self.runner.is_there and self.scene.argument is not None:
                seat_argument(game.rules, game.program, m, self.scene.step, self.runner.seats[self.scene.argument])
            if m.winners is None and m.pc not in game.program.turns:
                game.run(m)
            if m.winners is not None:
                self.is_over = True
                return None
            state = game.freeze(m)
            for number in range(PLAYOUTS):
                game.playout(state, seed + number, to_round=True, most=MOVES_OF_PLAYOUT)
        except RuleError:
            return None
        return state
