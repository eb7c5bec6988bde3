"""A table at which people play with real cards: they tell a referee what they do, and answer its questions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from teufelswerk.base import chance
from teufelswerk.examples.hearing import ANYWHERE, SHOWN, Answer, Happened, Question, Wanted, Way
from teufelswerk.examples.open_games import OpenGame
from teufelswerk.examples.real_table import Answers
from teufelswerk.examples.refereeing import Referee
from teufelswerk.examples.scene_start import people
from teufelswerk.interpreter.machine import Event
from teufelswerk.interpreter.show import NOBODY
from teufelswerk.interpreter.state import Move, State
from teufelswerk.model import Model

PLAYERS = 4
MOST_ANSWERS = 100


class RealPeople:
    """People who play at random, and say of it what all of them see, and what they are asked."""

    def __init__(self, rules: Model, seed: int) -> None:
        self.rules = rules
        self.names = people(max(rules.min_players, min(PLAYERS, rules.max_players)))
        self.game = OpenGame(rules, self.names)  # in which lots fall on the first, as a referee takes it
        self.referee = Referee(rules, self.names)
        self.rng = chance.stream(seed, 1)
        log: list[Event] = []
        self.state = self.game.start(seed, log)
        self.asked = 0
        self.say(self.referee.begin, self.state, log)

    def go_on(self) -> bool:
        """Somebody makes a move; False if the game is over."""
        moves = self.game.legal_moves(self.state)
        if not moves:
            return False
        self.rng, index = chance.below(self.rng, len(moves))
        before, move, log = self.state, moves[index], list[Event]()
        self.state = self.game.apply(before, move, log)
        said = self.as_told(move)
        self.say(lambda answers: self.referee.tell(said, False, answers), before, log)
        return True

    def as_told(self, move: Move) -> Move:
        """A move as all see it: of cards that go unseen only how many they are."""
        if move.verb not in self.referee.game.unseen:
            return move
        (pick,) = move.picks
        told = self.referee.unseen(move.player, move.verb, len(pick) if isinstance(pick, tuple) else None)
        assert isinstance(told, Move)
        return told

    def say(self, tell: Callable[[Answers], object], before: State, log: Sequence[Event]) -> None:
        """Tells it, and answers what is asked until nothing is asked any more."""
        answers: list[Answer | Way] = []
        while len(answers) < MOST_ANSWERS:
            try:
                tell(answers)
            except Wanted as wanted:
                answers.append(self.answer(wanted.question, before, log, answers))
                self.asked += 1
            else:
                return
        raise AssertionError("they are asked again and again")

    def answer(
        self, question: Question | Happened, before: State, log: Sequence[Event], given: Sequence[Answer | Way]
    ) -> Answer | Way:
        if isinstance(question, Happened):
            return Way(tuple(event.told.to(NOBODY) for event in log if event.told is not None))
        place, to = question.place, question.to
        if place == ANYWHERE:
            seen = [card for card in self.state.places[to] if card in question.among]
            return Answer(place, to, tuple(seen[:1]))
        if to == SHOWN:
            both = [[card for card in state.places[place] if card in question.among] for state in (before, self.state)]
            there = next(cards for cards in both if question.amount in (None, len(cards)))
            return Answer(place, to, tuple(there))
        done = {card for answer in given if isinstance(answer, Answer) for card in answer.cards}
        gone = [cards for cards in self.seen_going(place, to, log) if cards and not done & {*cards}]
        fitting = [cards for cards in gone if {*cards} <= {*question.among}]
        assert fitting or question.perhaps
        return Answer(place, to, fitting[0] if fitting else ())

    def seen_going(self, place: int, to: int, log: Sequence[Event]) -> list[tuple[int, ...]]:
        """The cards that were turned up in a place, or went from it to another one."""
        names = self.game.layout.place_names
        if place != to:
            return [
                event.cards for event in log
                if event.record["event"] == "cards"
                and (event.record["from"], event.record["to"]) == (names[place], names[to])
            ]  # fmt: skip
        turned = [e.cards for e in log if e.record["event"] == "turn" and e.record["place"] == names[place]]
        given: list[tuple[int, ...]] = [
            (card,) for e in log
            if e.record["event"] == "cards" and e.record["from"] == names[place]
            and self.game.layout.owner[self.game.layout.by_name[e.record["to"]]] >= 0
            for card in e.cards
        ]  # fmt: skip
        return turned or given
