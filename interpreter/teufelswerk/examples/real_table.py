"""A real table → all the ways in which its cards may lie, and what everyone at it sees of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from teufelswerk import model
from teufelswerk.base.texts import Text
from teufelswerk.core import forms as f
from teufelswerk.core import statements as s
from teufelswerk.core.walk import asked as asked_by
from teufelswerk.core.walk import everything_in, happening
from teufelswerk.examples.heard_effects import heard_program_of
from teufelswerk.examples.heard_evaluator import HeardEvaluator
from teufelswerk.examples.hearing import ANYWHERE, Answer, Happened, Hearing, Question, ShownFirst, Wanted, Way
from teufelswerk.examples.open_cards import clone
from teufelswerk.examples.open_games import OpenGame
from teufelswerk.examples.worlds import Explorer, Forked, Split, SplitMany, TooOpen
from teufelswerk.interpreter.machine import Event, Machine, RuleError
from teufelswerk.interpreter.program import OVER, Program
from teufelswerk.interpreter.show import NOBODY

MOST_TRIED, MOST_JUDGED = 4000, 600
"""So many worlds are looked at for what happens, and for whether a move is allowed."""
MANY_WORLDS = 16
"""Of more worlds, those that differ only in hidden cards become one, in which these may lie in either way."""

Answers = Sequence[Answer | Way]
Seen = tuple[tuple[Any, ...], tuple[str, ...], Any]
"""What everyone sees: the cards in sight, what was told, and who has won."""


class NotFollowed(Exception):
    """Something that cannot be followed without knowing hidden cards, or that cannot be at all."""

    def __init__(self, message: Text) -> None:
        super().__init__(str(message))
        self.message = message


class RealGame(OpenGame):
    """A game as people play it who hold the cards themselves."""

    def __init__(self, rules: model.Model, people: Sequence[str]) -> None:
        super().__init__(rules, people)
        self.unseen = {verb for verb, move in self.program.core.moves.items() if self.goes_unseen(move)}
        """Moves of which the others do not see which cards were chosen."""

    def make_program(self) -> Program:
        return heard_program_of(self.rules, self.players)

    def goes_unseen(self, move: s.Move) -> bool:
        """Whether cards are chosen from a hand, go out of sight, and nothing else hangs on them."""
        if len(move.choices) != 1 or move.choices[0].type.kind != "card":
            return False
        choice = move.choices[0]
        if not any(
            self.rules.places[part.places.type.of].seen_by in ("owner", "nobody") for part in card_sets(choice.items)
        ):
            return False
        for statement in happening(move.effects):
            if isinstance(statement, s.Goes) and statement.to.type.kind == "place":
                cards = statement.cards.item if isinstance(statement.cards, f.Only) else statement.cards
                if isinstance(cards, f.Slot) and cards.slot == choice.slot:
                    if self.rules.places[statement.to.type.of].seen_by == "all":
                        return False
                    continue
            if any(isinstance(form, f.Slot) and form.slot == choice.slot
                   for form in everything_in(*asked_by(statement))):  # fmt: skip
                return False
        return True


def card_sets(items: f.Items | None) -> tuple[f.CardsIn, ...]:
    """The places from which cards are chosen, if nothing else is said of them."""
    if isinstance(items, f.Joined):
        return items.sets
    return (items,) if isinstance(items, f.CardsIn) else ()


class RealTable:
    """The worlds in which a game may be, as far as people have told."""

    def __init__(self, rules: model.Model, people: Sequence[str]) -> None:
        self.rules = rules
        self.game = RealGame(rules, people)
        self.layout = self.game.layout
        self.worlds: list[Machine] = []
        self.faces = [card.face for card in rules.cards]
        self.questions: list[Question | Happened] = []
        """What people have to be asked in some of the worlds."""
        self.gone_wrong: RuleError | None = None

    def asked(
        self, worlds: Sequence[Machine], work: Callable[[Machine], Any], answers: Answers = ()
    ) -> Iterator[tuple[Any, Machine]]:
        """What comes of a question in every world that its answer tells apart."""
        self.game.meter.rest()
        explorer = Explorer(self.game.meter, MOST_JUDGED)
        try:
            for world in worlds:
                start = clone(world)
                start.hearing = Hearing(answers)
                yield from explorer.explore(start, work)
        except Wanted as wanted:
            raise ShownFirst(wanted.question) from None
        except TooOpen as problem:
            raise self.too_open(problem) from None

    def too_open(self, problem: TooOpen) -> NotFollowed:
        place = self.layout.place_of[problem.place].name if problem.place is not None else ""
        return NotFollowed(Text("what happens now depends on hidden cards in `{place}`", place=place))

    def played(
        self, start: Machine, begin: Callable[[Machine], bool], answers: Answers
    ) -> Iterator[tuple[list[Event], Machine]]:
        """What is told, and the worlds that come of a beginning and, if it says so, all that follows by itself."""
        self.game.meter.rest()
        explorer, program = Explorer(self.game.meter, MOST_TRIED), self.game.program
        first = clone(start)
        first.hearing, first.log = Hearing(answers), []
        stack = [(first, False)]
        while stack:
            world, begun = stack.pop()
            explorer.one_more()
            self.game.meter.rest()
            while True:
                trial = clone(world)
                trial.log = list(world.log or ())
                try:
                    on = self.step(trial, program) if begun else begin(trial)
                except Wanted as wanted:
                    if wanted.question not in self.questions:
                        self.questions.append(wanted.question)
                    break
                except TooOpen:
                    raise
                except RuleError as problem:
                    self.gone_wrong = problem  # of a world that cannot be, as a rule
                    break
                except (Split, SplitMany, Forked) as fork:
                    ways = explorer.ways(world, fork)
                    for way in ways:
                        way.log = list(world.log or ())
                    stack += [(way, begun) for way in ways]
                    break
                world, begun = trial, True
                if not on:
                    if world.hearing.all_used():
                        yield world.log or [], world
                    break

    @staticmethod
    def step(m: Machine, program: Program) -> bool:
        """Carries out one instruction; whether others follow before somebody decides."""
        following = program.step(m)
        if following >= 0:
            m.pc = following
            return True
        if following == OVER:
            m.pc = len(program.code)
            m.winners = m.winners or ()
        return False

    def everywhere(
        self, works: Sequence[tuple[Machine, Callable[[Machine], bool]]], answers: Answers
    ) -> tuple[list[Machine], list[Event]]:
        """The worlds that come of doing something in each, as far as they show what people see; and what is told.

        Raises Wanted where people have to say more.
        """
        found: dict[Seen, list[tuple[list[Event], Machine]]] = {}
        self.questions, self.gone_wrong = [], None
        try:
            for start, begin in works:
                for events, world in self.played(start, begin, answers):
                    world.log = None
                    found.setdefault(self.seen(events, world), []).append((events, world))
        except TooOpen as problem:
            raise self.too_open(problem) from None
        for answer in answers:
            if isinstance(answer, Way) or answer.place == ANYWHERE:
                found = {seen: there for seen, there in found.items() if self.fits(seen, there[0][0], answer)}
        if self.questions:
            question = self.questions[0]
            perhaps = isinstance(question, Question) and (bool(found) or len(self.questions) > 1)
            raise Wanted(replace(question, perhaps=True) if perhaps and isinstance(question, Question) else question)
        if not found:
            raise self.gone_wrong or NotFollowed(Text("the cards cannot lie like that"))
        if len(found) > 1:
            raise Wanted(self.telling_apart(found))
        (there,) = found.values()
        return self.merged([world for _events, world in there]), there[0][0]

    # ---- what everyone sees -----------------------------------------------------------------------------------------

    def seen(self, events: Sequence[Event], world: Machine) -> Seen:
        lying = tuple(
            tuple(self.faces[card] for card in there if self.layout.shows(world.keeps, index, (card,)))
            for index, there in enumerate(world.places)
        )
        told = tuple(repr(event.told.to(NOBODY)) for event in events if event.told is not None)
        return lying, told, world.winners

    def fits(self, seen: Seen, events: Sequence[Event], answer: Answer | Way) -> bool:
        """Whether somebody who sees that answers so."""
        if isinstance(answer, Answer):
            return all(self.faces[card] in seen[0][answer.to] for card in answer.cards)
        return self.in_words(seen, events) == answer.told

    def in_words(self, seen: Seen, events: Sequence[Event]) -> tuple[Text, ...]:
        """What has happened, in words."""
        return tuple(event.told.to(NOBODY) for event in events if event.told is not None)

    def telling_apart(self, found: dict[Seen, list[tuple[list[Event], Machine]]]) -> Question | Happened:
        """What people have to say so that it is clear what has happened."""
        for index in range(len(self.layout.place_of)):
            rows = {seen[0][index] for seen in found}
            common = set.intersection(*map(set, rows))
            if len(rows) > 1 and all(set(row) - common for row in rows):
                among = dict.fromkeys(card for row in rows for card in row if card not in common)
                return Question(ANYWHERE, index, 1, tuple(among))
        ways = dict.fromkeys(self.in_words(seen, there[0][0]) for seen, there in found.items())
        if len(ways) == 1:
            raise NotFollowed(Text("what happens now depends on hidden cards"))
        return Happened(tuple(ways))

    # ---- fewer worlds -----------------------------------------------------------------------------------------------

    def merged(self, worlds: list[Machine]) -> list[Machine]:
        """The same worlds, fewer of them if there are many: then cards may lie in all the ways that any of them has."""
        kinds: dict[Any, list[Machine]] = {}
        for world in worlds:
            world.hearing = None
            kinds.setdefault(self.kind_of(world, len(worlds) > MANY_WORLDS), []).append(world)
        return [self.union(kind) if len(kind) > 1 else kind[0] for kind in kinds.values()]

    def kind_of(self, world: Machine, roughly: bool) -> Any:
        """What two worlds have in common that become one."""
        certain = tuple(
            tuple(there) for index, there in enumerate(world.places) if not roughly or not self.is_heap(index)
        )
        hidden = () if roughly else (tuple(sorted((world.open or {}).items())), tuple(sorted(world.sizes.items())))
        slots = tuple(repr(world.slots[slot]) for slot in self.game.program.core.persistent)
        flow = world.pc, slots, repr(world.pending), world.winners, world.passing
        return flow, tuple(world.keeps), certain, hidden

    def is_heap(self, index: int) -> bool:
        """Whether the cards in a place are hidden and have no order."""
        return self.layout.place_of[index].seen_by != "all" and not self.layout.ordered[index]

    def union(self, worlds: list[Machine]) -> Machine:
        """One world in which the hidden cards may lie in every way in which they lie in any of these."""
        one = clone(worlds[0])
        assert one.open is not None
        heaps = [index for index in range(len(one.places)) if self.is_heap(index)]
        total = {index: {self.amount(world, index) for world in worlds} for index in range(len(one.places))}
        for index in heaps:
            for card in {card for world in worlds for card in world.places[index]}:
                if all(card in world.places[index] for world in worlds):
                    continue
                one.open[card] = 0
                if card in one.places[index]:
                    one.places[index].remove(card)
        for world in worlds:
            for card in one.open:
                assert world.open is not None
                one.open[card] |= world.open.get(card, 1 << world.where[card] if card not in world.open else 0)
        for card, mask in one.open.items():
            one.where[card] = mask.bit_length() - 1 if mask & (mask - 1) == 0 else -1
        one.sizes = {
            index: known - len(one.places[index])
            for index, amounts in total.items()
            if len(amounts) == 1 and (known := next(iter(amounts))) is not None
            and any(mask >> index & 1 for mask in one.open.values())
        }  # fmt: skip
        return one

    @staticmethod
    def amount(world: Machine, index: int) -> int | None:
        """How many cards lie in a place, if that is known."""
        bit = 1 << index
        there = [mask for mask in (world.open or {}).values() if mask & bit]
        size = world.sizes.get(index, len(there) if all(mask == bit for mask in there) else None)
        return None if size is None else size + len(world.places[index])

    # ---- what is shown ----------------------------------------------------------------------------------------------

    def learn(self, answer: Answer) -> None:
        """People have shown what lies in a place."""
        evaluator = self.game.program.evaluator
        assert isinstance(evaluator, HeardEvaluator)
        found = [world for _, world in self.asked(self.worlds, lambda m: evaluator.show(m, answer.place), [answer])]
        if not found:
            raise NotFollowed(Text("the cards cannot lie like that"))
        self.worlds = self.merged(found)
