"""Examples are run: each scene's moves are played and each claim is tested in every world that fits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, assert_never

from teufelswerk import model
from teufelswerk.base.budget import Deadline, OutOfTime
from teufelswerk.base.diagnostics import Span
from teufelswerk.base.limits import MAX_FUTURE_MOVES
from teufelswerk.base.texts import Seat, Text, won_by
from teufelswerk.examples.open_cards import clone, hold
from teufelswerk.examples.open_games import OpenGame, OpenGames
from teufelswerk.examples.scene_table import Failed, SceneTable
from teufelswerk.examples.worlds import Explorer, TooOpen
from teufelswerk.interpreter.legal import Condition, Picks
from teufelswerk.interpreter.machine import BOX, Machine, RuleError
from teufelswerk.interpreter.state import Move
from teufelswerk.model.scenes import (
    Act,
    Argument,
    Claim,
    Given,
    GivenIs,
    LegalClaim,
    Line,
    Misfit,
    Play,
    SceneLine,
    SceneModel,
    WinnersClaim,
)

UNDECIDED = frozenset({"too-open", "too-slow"})


@dataclass(frozen=True)
class Verdict:
    """One line of a scene, as it was run: whether it holds, and if not, what was found instead."""

    line: Line
    edition: str | None
    holds: bool
    found: Text | None = None
    decided: bool = True
    """Whether anything was found at all: an example may leave too much open."""

    @property
    def span(self) -> Span:
        return self.line.span


@dataclass
class SceneResult:
    """A scene that has been run, for one printed edition."""

    scene: SceneModel
    edition: str | None
    verdicts: list[Verdict] = field(default_factory=list)
    fired: set[int] = field(default_factory=set)
    """Statements, conditions and branches that the scene exercised."""
    stopped: bool = False
    """Whether the time was over before all of it had been run; then nothing behind it has been run either."""

    @property
    def holds(self) -> bool:
        return not self.stopped and all(verdict.holds for verdict in self.verdicts)


def run_scenes(
    rules: model.Model, scenes: Sequence[SceneModel], deadline: Deadline | None = None
) -> Iterator[SceneResult]:
    """Runs each scene, once for each printed edition that it names, until the time is over."""
    games = OpenGames(rules, deadline)
    for scene in scenes:
        for edition in scene.editions:
            result = run_scene(games, scene, edition)
            yield result
            if result.stopped:
                return


def run_scene(games: OpenGames, scene: SceneModel, edition: str | None) -> SceneResult:
    """Runs a scene for one edition."""
    result = SceneResult(scene, edition)
    try:
        runner = SceneRunner(games.rules, scene, edition, games.at(scene.people))
        result = runner.result
        runner.run()
    except OutOfTime:
        result.stopped = True
    return result


class SceneRunner(SceneTable):
    """Runs one scene for one edition, line by line, over all worlds that are still possible."""

    def __init__(
        self, rules: model.Model, scene: SceneModel, edition: str | None, game: OpenGame | None = None
    ) -> None:
        super().__init__(rules, scene, game)
        self.edition = edition
        self.result = SceneResult(scene, edition)
        self.worlds: list[Machine] = []
        self.is_there = False
        """Whether the scene has come to its first decision."""

    # ---- the whole scene --------------------------------------------------------------------------------------------

    def run(self) -> SceneResult:
        for _ in self.steps():
            pass
        return self.result

    def steps(self) -> Iterator[tuple[Line, list[Machine]]]:
        """Runs line after line; yields each with the worlds after it."""
        try:
            self.game.meter.rest()  # what the scene before looked at in vain is no work of this one
            self.worlds = [self.first_world()]
        except (RuleError, Failed) as problem:
            self.fail(Line(self.scene.span, 0), problem)
            return
        for line in self.scene.lines:
            try:
                self.line(line)
                self.result.verdicts.append(Verdict(line, self.edition, True))
            except (RuleError, Failed) as problem:
                self.fail(line, problem)
                if not self.is_there or not isinstance(line, (Claim, LegalClaim, WinnersClaim)):
                    return
            yield line, self.worlds

    def fail(self, line: Line, problem: RuleError | Failed) -> None:
        found = problem.found if isinstance(problem, Failed) else problem.diagnostic.message
        decided = not isinstance(problem, RuleError) or problem.diagnostic.code not in UNDECIDED
        if isinstance(problem, TooOpen):
            found = self.too_open(problem.place)
        elif not decided:
            found = Text("{reason}; give more of the example, or make the rule simpler", reason=found)
        self.result.verdicts.append(Verdict(line, self.edition, False, found, decided))

    def too_open(self, place: int | None) -> Text:
        if place is None:
            return Text("the example leaves too much open to be searched: give more of it, with `given`")
        return Text(
            "the example leaves too much open to be searched: give what matters, as in `given {place}: …`",
            place=self.place_in_words(place),
        )

    def note(self, m: Machine) -> None:
        """Remembers what a world has exercised."""
        for item in m.fired or ():
            self.result.fired.add(item if isinstance(item, int) else item.id)
        if m.fired:
            m.fired.clear()  # all worlds share it, and would note it again and again

    def line(self, line: SceneLine) -> None:
        self.game.meter.rest()
        if not self.is_there and not isinstance(line, Misfit | GivenIs | Given):
            self.worlds = [after for _, after in self.everywhere(self.advance)]
            self.is_there = True
        match line:
            case Misfit():
                raise Failed(line.found)
            case GivenIs():
                self.worlds = self.given(line)
            case Given():
                self.worlds = [w for holds, w in self.everywhere(self.game.question(line.condition)) if holds]
                if not self.worlds:
                    raise Failed(Text("no position that fits the example is like that"))
            case Play():
                self.play(line)
            case Claim(modal="now"):
                self.claim_now(line)
            case Claim():
                self.claim_later(line)
            case LegalClaim():
                self.claim_legal(line)
            case WinnersClaim():
                wanted = tuple(sorted(self.seats[name] for name in line.people))
                self.worlds = [after for _, after in self.everywhere(self.resume)]
                for world in self.worlds:
                    if world.winners is None:
                        raise Failed(Text("the game is not over"))
                    if world.winners != wanted:
                        raise Failed(won_by([Seat(seat) for seat in world.winners]))
            case _:
                assert_never(line)

    def given(self, line: GivenIs) -> list[Machine]:
        """The worlds that are like that; what was played may have told apart some that are not."""
        fitting: list[Machine] = []
        misfit: Failed | None = None
        for world in self.worlds:
            try:
                self.give(world, line)
                fitting.append(world)
            except Failed as problem:
                misfit = misfit or problem
        if misfit and not fitting:
            raise misfit
        return fitting

    def explorer(self) -> Explorer:
        return Explorer(self.game.meter)

    def everywhere(self, work: Any) -> Iterator[tuple[Any, Machine]]:
        """Asks in every world, and notes what answering it exercised."""
        explorer = self.explorer()
        for world in self.worlds:
            for result, after in explorer.explore(world, work):
                self.note(after)
                yield result, after

    # ---- moves ------------------------------------------------------------------------------------------------------

    def decided(self, act: Act, arguments: tuple[Argument, ...]) -> Iterator[tuple[Picks, Any, Machine]]:
        """Every choice that the act stands for, with what refuses it (or None), in every world that tells it apart."""
        explorer, player = self.explorer(), self.seats[act.person]

        def possible(m: Machine) -> list[tuple[Picks, list[Any]]]:
            self.at_turn(m, act)
            return self.fitting(m, act, arguments)

        for world in self.worlds:
            for found, there in explorer.explore(world, possible):
                groups = self.program.turns[there.pc].groups
                for picks, doubts in found:
                    trial = clone(there)
                    if not all(hold(trial, card, place) for card, place in doubts):
                        continue
                    ask = partial(self.moves.refused, groups=groups, verb=act.verb, player=player, picks=picks)
                    for reason, after in explorer.explore(trial, ask):
                        yield picks, reason, after

    def play(self, line: Play) -> None:
        other = self.edition is not None and line.edition == self.edition
        arguments = line.edition_arguments if other else line.act.arguments
        explorer, player, verb = self.explorer(), self.seats[line.act.person], line.act.verb
        later: list[Machine] = []
        reason: Any = None
        for picks, refused, world in self.decided(line.act, arguments):
            if refused is not None:
                reason = (refused, clone(world), picks)
                continue
            for _, after in explorer.explore(world, partial(self.make, move=Move(player, verb, picks))):
                self.note(after)
                self.result.fired.add(move_id(self.rules, verb))
                later.append(after)
        if not later:
            raise Failed(self.why(line.act, reason))
        self.worlds = later

    def why(self, act: Act, reason: Any) -> Text:
        if reason is None:
            return self.out_of_reach(act)
        refused, m, picks = reason
        if refused == "else":
            return Text("this may be done only by a player who can do nothing else")
        code = self.program.moves[act.verb]
        m.slots[code.move.slot] = self.seats[act.person]
        code.assign(m, picks)
        try:
            return self.program.teller.sentence(refused.told[0])(m).whole
        except Exception:
            return Text("the rules do not allow it")

    def out_of_reach(self, act: Act) -> Text:
        """Why nothing that the act names can be chosen: perhaps a card lies elsewhere."""
        for argument in act.arguments:
            cards = [card.index for card in self.rules.cards if card.id == argument.text]
            places = {world.where[card] for world in self.worlds for card in cards}
            if len(places) == 1 and (place := places.pop()) >= 0:
                if place == BOX:
                    return self.in_the_box(argument.text)
                if self.layout.owner[place] != self.seats[act.person]:
                    return Text("`{card}` lies in {place}", card=argument.text, place=f"`{self.place_in_words(place)}`")
        return Text("{player} cannot have that to choose", player=Seat(self.seats[act.person]))

    # ---- claims -----------------------------------------------------------------------------------------------------

    def claim_now(self, line: Claim) -> None:
        for holds, world in self.everywhere(self.game.question(line.condition)):
            if not holds:
                raise Failed(self.found(line.condition, world))

    def found(self, condition: model.Expr, m: Machine) -> Text:
        """What a false condition should have been."""
        match condition:
            case model.Compare(left=left):
                value = self.tried(left, m)
                if value is None:
                    return Text("there is no such thing")
                shown = self.program.teller.shown(left.type, value)
                words = left.span.source.lines[left.span.line - 1][left.span.column - 1 : left.span.end - 1]
                return Text("`{words}` is {value}", words=words, value=shown)
            case model.Logic(op="and", left=left, right=right):
                return self.found(left if self.tried(left, m) is False else right, m)
            case model.Quantify(members=members, every=None):
                count = self.tried(model.Count(model.NUMBER, condition.span, members), m)
                if count is not None:
                    return Text("there {n:is|are} {n} of them", n=count)
        return Text("this does not hold")

    def tried(self, expr: model.Expr, m: Machine) -> Any:
        """A value, if it can be told in this world."""
        try:
            return self.game.question(expr)(clone(m))
        except Exception:  # an open card that it depends on, or something that is not there
            return None

    def claim_later(self, line: Claim) -> None:
        """`always` and `never`: at the end of the step, however it goes on."""
        condition, wanted = self.game.question(line.condition), line.modal == "always"
        explorer = self.explorer()
        for world in self.worlds:
            for end in self.futures(world, explorer):
                for holds, after in explorer.explore(end, condition):
                    if bool(holds) is not wanted:
                        raise Failed(self.counterexample(line, after))

    def futures(self, world: Machine, explorer: Explorer, depth: int = 0) -> Iterator[Machine]:
        """All ways in which the step can end."""
        if depth > MAX_FUTURE_MOVES:
            raise TooOpen
        if world.winners is not None or world.pc not in self.program.turns:
            yield world
            return
        turn, player = self.program.turns[world.pc], self.game.mover(world)
        for verb in [verb for group in turn.groups for verb in group]:
            for found, there in explorer.explore(world, partial(self.moves.possible, verb=verb, player=player)):
                for picks, doubts in found:
                    trial = clone(there)
                    if not all(hold(trial, card, place) for card, place in doubts):
                        continue
                    ask = partial(self.moves.refused, groups=turn.groups, verb=verb, player=player, picks=picks)
                    for reason, legal in explorer.explore(trial, ask):
                        if reason is None:
                            make = partial(self.make, move=Move(player, verb, picks))
                            for _, after in explorer.explore(legal, make):
                                yield from self.futures(after, explorer, depth + 1)

    def counterexample(self, line: Claim, m: Machine) -> Text:
        """The visible cards of a future in which the claim fails, and what it comes to there."""
        cards = self.rules.cards
        shown = [
            f"{self.place_in_words(i)}: {', '.join(cards[c].id for c in place)}"
            for i, place in enumerate(m.places)
            if place and self.layout.place_of[i].seen_by == "all"
        ]
        position = "; ".join(shown)
        if not position:
            return self.found(line.condition, m) if line.modal == "always" else Text("this may come about")
        if line.modal == "never" or not isinstance(line.condition, model.Compare):
            return Text("not if it goes on like this: {position}", position=position)
        found = self.found(line.condition, m)
        return Text("not if it goes on like this: {position}; then {found}", position=position, found=found)

    def claim_legal(self, line: LegalClaim) -> None:
        offered = [found for found, _ in self.everywhere(partial(self.is_offered, act=line.act))]
        if not line.allowed and not any(offered):
            return
        seen = False
        for picks, refused, world in self.decided(line.act, line.act.arguments):
            seen = True
            self.note(world)
            if line.allowed and refused is not None:
                raise Failed(self.why(line.act, (refused, world, picks)))
            if not line.allowed and refused is None:
                raise Failed(Text("the move is allowed"))
            if isinstance(refused, Condition):
                self.result.fired.add(refused.must.id)
            elif refused is None:
                self.result.fired.add(move_id(self.rules, line.act.verb))
        if not seen:
            raise Failed(self.why(line.act, None))


def move_id(rules: model.Model, verb: str) -> int:
    """Moves are noted by their order, with numbers below those of all statements."""
    return -1 - list(rules.moves).index(verb)
