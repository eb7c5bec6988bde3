"""Examples are run: each scene's moves are played and each claim is tested in every world that fits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from teufelswerk import chance, model
from teufelswerk.diagnostics import Span
from teufelswerk.game import Game
from teufelswerk.legal import Picks
from teufelswerk.limits import MAX_FUTURE_MOVES, MAX_MOVES_IN_GAME, MAX_STEPS
from teufelswerk.machine import BOX, END_NAMES, Machine, RuleError
from teufelswerk.program import DECISION, OVER, Program
from teufelswerk.scene_model import (
    Act,
    Argument,
    Claim,
    Given,
    GivenIs,
    LegalClaim,
    Line,
    Play,
    SceneModel,
    WinnersClaim,
)
from teufelswerk.show import Seat
from teufelswerk.state import Move
from teufelswerk.texts import Text
from teufelswerk.walk import statements
from teufelswerk.worlds import Explorer, OpenEffects, OpenEvaluator, OpenMoves, clone, exclude, hold, too_open


@dataclass(frozen=True)
class Verdict:
    """One line of a scene, as it was run: whether it holds, and if not, what was found instead."""

    line: Line
    edition: str | None
    holds: bool
    found: Text | None = None

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

    @property
    def holds(self) -> bool:
        return all(verdict.holds for verdict in self.verdicts)


class _Failed(Exception):
    """A line that does not hold."""

    def __init__(self, found: Text) -> None:
        super().__init__(str(found))
        self.found = found


def run_scenes(rules: model.Model, scenes: Sequence[SceneModel]) -> Iterator[SceneResult]:
    """Runs each scene, once for each printed edition that it names."""
    for scene in scenes:
        for edition in scene.editions:
            yield SceneRunner(rules, scene, edition).run()


class SceneRunner:
    """Runs one scene for one edition, line by line, over all worlds that are still possible."""

    def __init__(self, rules: model.Model, scene: SceneModel, edition: str | None) -> None:
        self.rules = rules
        self.scene = scene
        self.edition = edition
        self.result = SceneResult(scene, edition)
        self.seats = {name: seat for seat, name in enumerate(scene.people)}
        self.game = Game(rules, len(scene.people))
        self.evaluator = OpenEvaluator(self.game.layout)
        self.evaluator.seats = self.seats
        self.program = self.game.program = Program(OpenEffects(self.evaluator))
        self.moves = OpenMoves(self.evaluator, self.program.moves)
        self.layout = self.game.layout
        self.begin = next((pc for pc, name in self.program.begins.items() if name == scene.step), None)
        self.end = self.program.ends[self.begin] if self.begin is not None else -1
        self.worlds: list[Machine] = []
        self.begun = False

    # ---- the whole scene --------------------------------------------------------------------------------------------

    def run(self) -> SceneResult:
        for _ in self.steps():
            pass
        return self.result

    def steps(self) -> Iterator[tuple[Line, list[Machine]]]:
        """Runs line after line; yields each with the worlds after it."""
        try:
            self.worlds = [self.first_world()]
        except (RuleError, _Failed) as problem:
            self.fail(Line(self.scene.span, 0), problem)
            return
        for line in self.scene.lines:
            try:
                self.line(line)
                self.result.verdicts.append(Verdict(line, self.edition, True))
            except (RuleError, _Failed) as problem:
                self.fail(line, problem)
                if not isinstance(line, (Claim, LegalClaim, WinnersClaim)):
                    return
            yield line, self.worlds

    def fail(self, line: Line, problem: RuleError | _Failed) -> None:
        found = problem.found if isinstance(problem, _Failed) else problem.diagnostic.message
        self.result.verdicts.append(Verdict(line, self.edition, False, found))

    def note(self, m: Machine) -> None:
        """Remembers what a world has exercised."""
        for item in m.fired or ():
            self.result.fired.add(item if isinstance(item, int) else item.id)

    def line(self, line: Line) -> None:
        if isinstance(line, GivenIs):
            for world in self.worlds:
                self.give(world, line)
            return
        if isinstance(line, Given):
            self.worlds = [w for holds, w in self.everywhere(self.evaluator.function(line.condition)) if holds]
            if not self.worlds:
                raise _Failed(Text("no position that fits the example is like that"))
            return
        if not self.begun:
            self.begun = True
            self.worlds = [after for _, after in self.everywhere(self.advance)]
        match line:
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
                for world in self.worlds:
                    if world.winners is None:
                        raise _Failed(Text("the game is not over"))
                    if world.winners != wanted:
                        raise _Failed(Text("{winners} {winners:wins|win}", winners=[Seat(s) for s in world.winners]))

    def explorer(self) -> Explorer:
        return Explorer()

    def everywhere(self, work: Any) -> Iterator[tuple[Any, Machine]]:
        """Asks in every world, and notes what answering it exercised."""
        explorer = self.explorer()
        for world in self.worlds:
            for result, after in explorer.explore(world, work):
                self.note(after)
                yield result, after

    # ---- how a scene begins -----------------------------------------------------------------------------------------

    def first_world(self) -> Machine:
        """The position where the step first begins: hidden cards open, what has a start value at that value."""
        if self.begin is None:
            raise _Failed(Text("the game never comes to the step `{name}`", name=self.scene.step))
        m = self.game.machine(0)
        rng = chance.stream(0, 1)
        for _ in range(MAX_MOVES_IN_GAME):
            if self.run_until(m, {self.begin}):
                break
            if m.winners is not None:
                raise _Failed(Text("the game never comes to the step `{name}`", name=self.scene.step))
            moves = self.game.choices(m)
            rng, index = chance.below(rng, len(moves))
            self.game.make_only(m, moves[index])
        m.fired = []
        self.game.set_initial_keeps(m)
        hidden = sum(1 << i for i, p in enumerate(self.layout.place_of) if i != BOX and p.seen_by != "all")
        m.open = {card: hidden for card, place in enumerate(m.where) if place != BOX}
        if not hidden and m.open:
            m.open = {}
            return m
        for place in range(1, len(m.places)):
            m.places[place].clear()
        for card in m.open:
            m.where[card] = hidden.bit_length() - 1 if hidden & (hidden - 1) == 0 else -1
            m.owners[card] = -1
        return m

    def run_until(self, m: Machine, stops: set[int]) -> bool:
        """Runs on; True when it stands before one of the stops, False at a decision or at the end."""
        code = self.program.code
        for _ in range(MAX_STEPS):
            if m.pc in stops:
                return True
            following = code[m.pc](m)
            if following == DECISION:
                return False
            if following == OVER:
                m.winners = m.winners if m.winners is not None else ()
                return False
            m.pc = following
        raise RuleError("endless", Text("the rules ran for {limit} steps without a decision", limit=MAX_STEPS), None)

    def advance(self, m: Machine) -> None:
        """Plays on by itself to the next decision, pausing at the end of the step."""
        if m.winners is None and m.pc == self.begin and self.scene.argument is not None:
            self.seat_argument(m)
        if m.winners is None and m.pc not in self.program.turns:
            self.run_until(m, {self.end})

    def resume(self, m: Machine) -> None:
        """Leaves the pause at the end of the step, if the scene goes on after it."""
        if m.winners is None and m.pc == self.end:
            following = self.program.code[m.pc](m)
            m.pc = following
            self.run_until(m, set())

    def seat_argument(self, m: Machine) -> None:
        """A step for a player begins with the player that the scene names, also in the loop around it."""
        seat = self.seats[self.scene.argument or ""]
        for step in self.rules.steps.values():
            for statement in statements(step.body):
                if not isinstance(statement, model.Call) or statement.step != self.scene.step:
                    continue
                if isinstance(statement.argument, model.Local):
                    m.slots[statement.argument.slot] = seat
        following = self.program.code[m.pc](m)
        m.slots[self.rules.steps[self.scene.step].slot] = seat
        m.pc = following

    # ---- what is given ----------------------------------------------------------------------------------------------

    def give(self, m: Machine, line: GivenIs) -> None:
        target = line.target
        if isinstance(target, model.KeepOf):
            index = self.evaluator.keep_index(target)(m)
            values = [self.value(a, target.keep.type) for a in line.values]
            if index is None or len(values) != 1:
                raise _Failed(Text("one value is needed here"))
            m.keeps[index] = values[0]
            return
        place = self.evaluator.function(target)(m)
        cards = [self.value(a, model.Type("card")) for a in line.values]
        for other in list(m.places[place]):
            if other not in cards:
                raise _Failed(Text("`{card}` lies there already", card=self.rules.cards[other].id))
        for other in list(m.open or {}):
            if other not in cards and not exclude(m, other, place):
                raise _Failed(Text("`{card}` lies there already", card=self.rules.cards[other].id))
        for card in cards:
            self.put(m, card, place)
        m.places[place] = cards if self.layout.ordered[place] else sorted(cards)

    def put(self, m: Machine, card: int, place: int) -> None:
        id = self.rules.cards[card].id
        if m.open is not None and card in m.open:
            visible = self.layout.place_of[place].seen_by == "all"
            if not visible and not m.open[card] >> place & 1:
                raise _Failed(Text("`{card}` cannot lie there", card=id))
            del m.open[card]
            m.where[card] = place
            m.owners[card] = self.layout.owner[place]
        elif m.where[card] == BOX:
            raise _Failed(Text("`{card}` is not in play with {n} players", card=id, n=self.game.players))
        elif m.where[card] != place:
            raise _Failed(Text("`{card}` lies somewhere else", card=id))

    def value(self, argument: Argument, type: model.Type) -> int:
        """What an argument names, as a value of the type that is needed."""
        text = argument.text
        if type.kind == "card":
            for card in self.rules.cards:
                if card.id == text:
                    return card.index
        elif type.kind == "player" and text in self.seats:
            return self.seats[text]
        elif type.kind == "number" and text.isdigit():
            return int(text[:12])
        elif type.kind == "name" and text in self.rules.names[type.of]:
            return self.rules.names[type.of].index(text)
        elif type.kind == "place":
            name = f"{type.of}[{self.seats.get(text, text)}]"
            if name in self.layout.by_name:
                return self.layout.by_name[name]
        raise _Failed(Text("there is no `{thing}`", thing=text))

    # ---- moves ------------------------------------------------------------------------------------------------------

    def fitting(self, m: Machine, act: Act, arguments: tuple[Argument, ...]) -> list[tuple[Picks, list[Any]]]:
        """The choices that an act stands for: one, or each that fits where something is left out."""
        code = self.program.moves[act.verb]
        player = self.seats[act.person]
        choices = code.move.choices
        if choices and choices[-1].amount is not None:
            wanted: list[set[Any] | None] = [{tuple(self.value(a, choices[0].source.type.one()) for a in arguments)}]
            return [(p, d) for p, d in self.moves.possible(m, act.verb, player) if wanted[0] and _same(p, wanted[0])]
        wanted = [None] * len(choices)
        for index, argument in enumerate(arguments):
            wanted[index] = self.meant(m, argument, choices[index])
        return [
            (picks, doubts)
            for picks, doubts in self.moves.possible(m, act.verb, player)
            if all(w is None or self.is_meant(pick, w, c) for pick, w, c in zip(picks, wanted, choices, strict=True))
        ]

    def meant(self, m: Machine, argument: Argument, choice: model.Choose) -> set[Any]:
        type = choice.source.type.one()
        if argument.members is not None:
            return set(self.evaluator.function(argument.members)(m))
        if type.kind == "end":
            if argument.text not in END_NAMES:
                raise _Failed(Text("there is no `{thing}`", thing=argument.text))
            return {END_NAMES.index(argument.text)}
        return {self.value(argument, type)}

    @staticmethod
    def is_meant(pick: Any, wanted: set[Any], choice: model.Choose) -> bool:
        return (pick & 1 if choice.source.type.kind == "end" else pick) in wanted

    def at_turn(self, m: Machine, act: Act) -> None:
        """The person must be the one to decide, and the verb one of the moves in question."""
        self.resume(m)
        if m.winners is not None:
            raise _Failed(Text("the game is over"))
        mover = self.game.mover(m)
        if mover != self.seats[act.person]:
            raise _Failed(Text("it is the turn of {player}", player=Seat(mover)))
        verbs = [verb for group in self.program.turns[m.pc].groups for verb in group]
        if act.verb not in verbs:
            raise _Failed(Text("now one of these can be done: {moves}", moves=[f"`{verb}`" for verb in verbs]))

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
            raise _Failed(self.why(line.act, reason))
        self.worlds = later

    def make(self, m: Machine, move: Move) -> None:
        turn = self.program.turns[m.pc]
        if turn.at_once is not None:
            m.pending.append((move.player, move.verb, move.picks))
            if len(m.pending) < len(turn.at_once(m)):
                return
            waiting, m.pending = m.pending, []
            for player, verb, picks in waiting:
                self.perform(m, Move(player, verb, picks))
        else:
            self.perform(m, move)
        m.pc += 1
        self.run_until(m, {self.end})

    def perform(self, m: Machine, move: Move) -> None:
        code = self.program.moves[move.verb]
        if not code.move.is_pass:
            m.passing = False
        code.make(m, move.player, move.picks)

    def why(self, act: Act, reason: Any) -> Text:
        if reason is None:
            return Text("{player} cannot have that to choose", player=Seat(self.seats[act.person]))
        refused, m, picks = reason
        if refused == "else":
            return Text("this may be done only by a player who can do nothing else")
        code = self.program.moves[act.verb]
        m.slots[code.move.slot] = self.seats[act.person]
        code.assign(m, picks)
        try:
            return self.game.program.teller.sentence(refused.told[0])(m)
        except Exception:
            return Text("the rules do not allow it")

    # ---- claims -----------------------------------------------------------------------------------------------------

    def claim_now(self, line: Claim) -> None:
        for holds, world in self.everywhere(self.evaluator.function(line.condition)):
            if not holds:
                raise _Failed(self.found(line.condition, world))

    def found(self, condition: model.Expr, m: Machine) -> Text:
        """What a false condition should have been."""
        if isinstance(condition, model.Compare):
            left = condition.left
            try:
                value = self.evaluator.function(left)(clone(m))
            except Exception:
                value = None
            if value is not None:
                shown = self.program.teller.shown(left.type, value)
                words = left.span.source.lines[left.span.line - 1][left.span.column - 1 : left.span.end - 1]
                return Text("`{words}` is {value}", words=words, value=shown)
            return Text("there is no such thing")
        return Text("this does not hold")

    def claim_later(self, line: Claim) -> None:
        """`always` and `never`: at the end of the step, however it goes on."""
        condition, wanted = self.evaluator.function(line.condition), line.modal == "always"
        explorer = self.explorer()
        for world in self.worlds:
            for end in self.futures(world, explorer):
                for holds, after in explorer.explore(end, condition):
                    if bool(holds) is not wanted:
                        raise _Failed(self.counterexample(after))

    def futures(self, world: Machine, explorer: Explorer, depth: int = 0) -> Iterator[Machine]:
        """All ways in which the step can end."""
        if depth > MAX_FUTURE_MOVES:
            raise too_open(self.scene.span)
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

    def counterexample(self, m: Machine) -> Text:
        """The visible cards of a future in which the claim fails."""
        names, cards = self.layout.place_names, self.rules.cards
        shown = [
            f"{names[i]}: {', '.join(cards[c].id for c in place)}"
            for i, place in enumerate(m.places)
            if place and self.layout.place_of[i].seen_by == "all"
        ]
        return Text("not if it goes on like this: {position}", position="; ".join(shown))

    def claim_legal(self, line: LegalClaim) -> None:
        seen = False
        for picks, refused, world in self.decided(line.act, line.act.arguments):
            seen = True
            self.note(world)
            if line.allowed and refused is not None:
                raise _Failed(self.why(line.act, (refused, world, picks)))
            if not line.allowed and refused is None:
                raise _Failed(Text("the move is allowed"))
            if isinstance(refused, model.Must):
                self.result.fired.add(refused.id)
            elif refused is None:
                self.result.fired.add(move_id(self.rules, line.act.verb))
        if not seen:
            raise _Failed(self.why(line.act, None))


def _same(picks: Picks, wanted: set[Any]) -> bool:
    return any(set(picks[-1]) == set(group) for group in wanted)


def move_id(rules: model.Model, verb: str) -> int:
    """Moves are noted by their order, with numbers below those of all statements."""
    return -1 - list(rules.moves).index(verb)
