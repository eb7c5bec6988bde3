"""What people say that they have played with real cards → whether it is allowed, and whether something before was not.

Nobody tells the referee what is dealt: every card that is out of sight is open, and each move that is told leaves those
ways for them to lie in which it is allowed. So whoever does not follow suit has none of it; and when a card turns up
that its player cannot have had, the move that said so is the mistake.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeGuard

from teufelswerk import model
from teufelswerk.base.texts import Seat, Text
from teufelswerk.examples.heard_effects import unseen
from teufelswerk.examples.hearing import SHOWN, Answer, Happened, Question, Wanted, Way
from teufelswerk.examples.open_cards import clone, exclude, hold, may_lie
from teufelswerk.examples.real_table import Answers, NotFollowed, RealTable, card_sets
from teufelswerk.examples.scene_table import Failed, SceneTable
from teufelswerk.interpreter.legal import Condition
from teufelswerk.interpreter.machine import BOX, Event, Machine, RuleError
from teufelswerk.interpreter.state import Move
from teufelswerk.model.scenes import SceneModel

MOST_WORLDS = 400
"""More ways for the cards to lie are not followed."""
ALTERNATIVE = "else"


@dataclass(frozen=True)
class Verdict:
    """Whether a move is allowed, for certain or as far as anybody can know; else why not."""

    allowed: bool
    certain: bool = True
    reason: Text | None = None


MOST_SHOWN = 5
"""So many hidden cards people may be asked to show for a move with which everyone begins."""


@dataclass(frozen=True)
class Mistake:
    """A move that was told before, the card that its player had after all, and why it was not allowed."""

    number: int
    move: Move
    player: int
    card: int
    reason: Text


@dataclass
class Told:
    """A move that was told: the worlds before it, and whether it stands although it was not allowed."""

    worlds: list[Machine]
    move: Move
    forced: bool = False
    answers: tuple[Answer | Way, ...] = ()


def is_asked_for_all(question: Question | Happened) -> TypeGuard[Question]:
    """Whether people would have to lay their hands open to answer."""
    return isinstance(question, Question) and question.to == SHOWN and (question.amount or 0) > MOST_SHOWN


class Referee(RealTable):
    """Follows one game of people who hold the cards themselves."""

    def __init__(self, rules: model.Model, people: Sequence[str]) -> None:
        super().__init__(rules, people)
        self.history: list[Told] = []

    def begin(self, answers: Answers = ()) -> list[Event]:
        """Starts a game in which every card that is dealt is open; what is told of it. Raises Wanted if people have to
        say first which cards were turned up."""
        m = self.game.machine(0)
        m.open = {}
        self.worlds, events = self.everywhere([(m, lambda _: True)], answers)
        return events

    def begin_at(self, step: str) -> bool:
        """Starts where a step first begins, with all hidden cards open; False if there is no such start."""
        span = self.rules.steps[step].span
        scene = SceneModel(0, "", step, None, tuple(self.game.seats), span)
        table = SceneTable(self.rules, scene, self.game)
        try:
            m = table.first_world()
            self.worlds = [world for _, world in self.asked([m], table.advance)]
        except (Failed, RuleError, NotFollowed, Wanted):
            return False
        return all(world.winners is None and world.pc in self.game.program.turns for world in self.worlds)

    def look_ahead(self) -> None:
        """Raises NotFollowed if the game cannot be followed beyond the moves with which everyone begins, whatever they
        hold."""
        twin = self.branch()
        for _ in range(self.game.players):
            movers = twin.movers()
            verbs = next(iter(movers.values()))
            if len(movers) > 1 or len(verbs) > 1 or self.rules.moves[verbs[0]].choices:
                return
            try:
                twin.tell(Move(next(iter(movers)), verbs[0], ()))
            except Wanted as wanted:
                if is_asked_for_all(wanted.question):
                    place = self.layout.place_of[wanted.question.place].name
                    raise NotFollowed(
                        Text("what happens now depends on hidden cards in `{place}`", place=place)
                    ) from None
                return

    def branch(self) -> Referee:
        """Another referee at the same position, to try things out."""
        twin = copy(self)
        twin.history, twin.worlds = list(self.history), list(self.worlds)
        return twin

    # ---- who decides, and for what -----------------------------------------------------------------------------------

    @property
    def is_over(self) -> bool:
        return bool(self.worlds) and self.worlds[0].winners is not None

    def movers(self) -> dict[int, list[str]]:
        """Who may be to decide, and by which moves; more than one where a hidden card says who."""
        found: dict[int, list[str]] = {}
        for player, world in self.asked([w for w in self.worlds if w.winners is None], self.game.mover):
            verbs = [verb for group in self.game.turn(world).groups for verb in group]
            found[player] = list(dict.fromkeys([*found.get(player, []), *verbs]))
        return found

    def at_turn(self, player: int, verb: str) -> list[Machine]:
        """The worlds in which the player decides, for such a move among others."""
        asked = self.asked(self.worlds, self.game.mover)
        return [w for mover, w in asked if mover == player and any(verb in g for g in self.game.turn(w).groups)]

    def choices(self, player: int, verb: str, together: frozenset[int] | None) -> list[Move]:
        """All moves that could be chosen in some world, allowed or not; of several cards those that are named."""
        found: dict[Move, None] = {}
        ask = partial(self.game.open_moves.possible, verb=verb, player=player, together=together, refused=True)
        for combinations, _world in self.asked(self.at_turn(player, verb), ask):
            found |= {Move(player, verb, picks): None for picks, _doubts in combinations}
        return list(found)

    # ---- verdicts ---------------------------------------------------------------------------------------------------

    def judged(self, move: Move, worlds: Sequence[Machine]) -> Iterator[tuple[Condition | str | None, Move, Machine]]:
        """What refuses a move, or None, in every world in which it can be chosen, with the cards that it is there."""
        player, verb = move.player, move.verb
        together = next((frozenset(pick) for pick in move.picks if isinstance(pick, tuple)), None)
        possible = partial(
            self.game.open_moves.possible, verb=verb, player=player, together=together, refused=True, only=move.picks
        )
        try:
            choosing = list(self.asked(worlds, possible))
        except NotFollowed:  # what there is to choose hangs on so many hidden cards that it is left to people
            yield from ((None, move, world) for world in worlds)
            return
        for found, there in choosing:
            groups = self.game.turn(there).groups
            for picks, doubts in found:
                trial, meant = clone(there), Move(player, verb, picks)
                if self.key(meant) != self.key(move) or not all(hold(trial, card, place) for card, place in doubts):
                    continue
                ask = partial(self.game.open_moves.refused, groups=groups, verb=verb, player=player, picks=picks)
                try:
                    yield from [(refused, meant, world) for refused, world in self.asked([trial], ask)]
                except NotFollowed:  # and so does whether it is allowed
                    yield None, meant, trial

    def key(self, move: Move) -> tuple[Any, ...]:
        """What a move is for those who cannot tell identical cards apart, in whatever order several are named."""
        picks = self.game.as_seen(move).picks
        return move.verb, *(frozenset(pick) if isinstance(pick, tuple) else pick for pick in picks)

    def verdict(self, move: Move, held: Sequence[int] | None = None) -> Verdict:
        """Whether a player may do that, if they hold just these cards, or whatever they hold."""
        worlds = self.at_turn(move.player, move.verb)
        if held is not None:
            worlds = self.holding(worlds, move.player, held)
        reasons, allowed = [], 0
        for refused, meant, world in self.judged(move, worlds):
            if refused is None:
                allowed += 1
            else:
                reasons.append(self.why(meant, refused, world))
        if allowed:
            return Verdict(True, not reasons, reasons[0] if reasons else None)
        return Verdict(False, True, reasons[0] if reasons else None)

    def why(self, move: Move, refused: Condition | str, world: Machine) -> Text:
        if refused == ALTERNATIVE or isinstance(refused, str):
            return Text("this may be done only by a player who can do nothing else")
        m = clone(world)
        code = self.game.code(move.verb)
        m.slots[code.move.slot] = move.player
        code.assign(m, move.picks)
        try:
            return self.game.refusal_text(m, refused, move.player)
        except Exception:  # its words name a card of which nobody knows where it lies
            return Text("the rules do not allow it")

    def holding(self, worlds: Sequence[Machine], player: int, held: Sequence[int]) -> list[Machine]:
        """The worlds in which a player's hidden places hold just these cards."""
        places = [
            index
            for index, owner in enumerate(self.layout.owner)
            if owner == player and self.layout.place_of[index].seen_by == "owner"
        ]
        found = []
        for world in worlds:
            trial = clone(world)
            for place in places[:1]:
                trial.sizes.pop(place, None)
            if all(any(hold(trial, card, place) for place in places) for card in held) and all(
                exclude(trial, card, place) for place in places for card in may_lie(trial, place) if card not in held
            ):
                found.append(trial)
        if not found:
            raise NotFollowed(Text("{player} cannot hold these cards now", player=Seat(player)))
        return found

    # ---- going on ---------------------------------------------------------------------------------------------------

    def tell(self, move: Move, forced: bool = False, answers: Answers = ()) -> list[Event]:
        """Takes in what a player has done; what is told of it. Raises NotFollowed, with the reason, if it cannot be,
        and Wanted if people have to say more about it."""
        worlds = self.at_turn(move.player, move.verb)
        if self.is_unseen(move):
            self.worlds_after(move, [(move, world) for world in worlds], forced, answers)
            return self.told
        judged = list(self.judged(move, worlds))
        fitting = [(meant, world) for refused, meant, world in judged if refused is None or forced]
        if not fitting:
            reasons = [self.why(meant, refused, world) for refused, meant, world in judged if refused is not None]
            raise NotFollowed(reasons[0] if reasons else Text("{player} cannot have that", player=Seat(move.player)))
        self.worlds_after(move, fitting, forced, answers)
        return self.told

    def worlds_after(self, move: Move, fitting: Sequence[tuple[Move, Machine]], forced: bool, answers: Answers) -> None:
        """Goes on in all worlds in which a move fits."""
        meant = {id(world): each for each, world in fitting}
        works = [(world, partial(self.game.make_only, move=meant[id(world)])) for _each, world in fitting]
        worlds, self.told = self.everywhere(works, answers)
        if len(worlds) > MOST_WORLDS:
            raise NotFollowed(Text("too much is unknown to follow the game from here"))
        self.history.append(Told(self.worlds, move, forced, tuple(answers)))
        self.worlds = worlds

    def is_unseen(self, move: Move) -> bool:
        """Whether nobody has said which cards were chosen."""
        return move.verb in self.game.unseen and any(
            isinstance(card, int) and card < 0
            for pick in move.picks for card in (pick if isinstance(pick, tuple) else (pick,))
        )  # fmt: skip

    def unseen(self, player: int, verb: str, amount: int | None) -> Move | range:
        """A move of which nobody says which cards were chosen, or how many there can be."""
        code, (choice,) = self.game.code(verb), self.rules.moves[verb].choices
        lowered = code.move.choices[0]
        found: range | None = None
        for world in self.at_turn(player, verb)[:1]:
            m = clone(world)
            m.slots[code.move.slot] = player
            items = self.game.program.evaluator.items
            nameless = tuple(unseen(place) for part in card_sets(lowered.items) for place in items(part.places)(m))
            if choice.amount is None:
                return Move(player, verb, nameless[:1])
            there = [self.amount(m, unseen(place)) for place in nameless]
            found = code.sizes(lowered)(m, len(m.where) if None in there else sum(filter(None, there)))
            wanted = amount if amount is not None else found[0] if len(found) == 1 else None
            if wanted is not None and wanted in found:
                return Move(player, verb, ((*nameless[:wanted], *nameless[:1] * (wanted - len(nameless))),))
        return found if found is not None else range(0)

    def take_back(self) -> Move | None:
        """Forgets the last move that was told."""
        if not self.history:
            return None
        last = self.history.pop()
        self.worlds = last.worlds
        return last.move

    def mistake(self, move: Move) -> Mistake | None:
        """The move before, as a rule the player's own, that left no way for them to have the card that they play."""
        if not move.picks or not isinstance(move.picks[0], int) or self.kind(move) != "card":
            return None
        card = move.picks[0]
        for number in range(len(self.history) - 1, -1, -1):
            told = self.history[number]
            having = [world for world in map(clone, told.worlds) if self.has(world, card, move.player)]
            if not having:
                continue
            for refused, meant, world in self.judged(told.move, having):
                if refused is not None:
                    return Mistake(number, told.move, move.player, card, self.why(meant, refused, world))
            return None
        return None

    def kind(self, move: Move) -> str:
        return self.rules.moves[move.verb].choices[0].source.type.kind

    def has(self, world: Machine, card: int, player: int) -> bool:
        """Makes it a world in which the player holds the card, if that can be."""
        for place, owner in enumerate(self.layout.owner):
            if owner == player and place != BOX and self.layout.place_of[place].seen_by == "owner":
                trial = world.open.get(card, 0) if world.open else 0
                if trial >> place & 1:
                    return hold(world, card, place)
        return False

    def stands(self, mistake: Mistake) -> None:
        """Goes on as people do who leave a mistake as it lies: the moves since are told again, and it is not judged."""
        later = self.history[mistake.number :]
        self.worlds = [w for w in map(clone, later[0].worlds) if self.has(w, mistake.card, mistake.player)]
        del self.history[mistake.number :]
        for number, told in enumerate(later):
            self.tell(told.move, told.forced or number == 0, told.answers)

    # ---- how it stands ----------------------------------------------------------------------------------------------

    def kept(self) -> dict[str, tuple[Any, ...]]:
        """What is kept of each player for all to see, where every world says the same."""
        found: dict[str, tuple[Any, ...]] = {}
        for keep in self.rules.keeps.values():
            if keep.key is None or not keep.counts or keep.seen_by != "all":
                continue
            base = self.layout.keep_base[keep.name]
            there = range(base, base + len(self.layout.keys(keep.key)))
            rows = {tuple(world.keeps[index] or 0 for index in there) for world in self.worlds}
            if len(rows) == 1:
                found[keep.name] = rows.pop()
        return found
