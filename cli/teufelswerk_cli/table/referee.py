"""A referee in words: what people say that is played with real cards → what is allowed and why, and the mistakes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rich.text import Text as Styled
from teufelswerk.base.texts import Text
from teufelswerk.examples.hearing import Answer, Happened, ShownFirst, Wanted
from teufelswerk.examples.real_table import Answers, NotFollowed
from teufelswerk.examples.refereeing import Mistake, Referee, Verdict
from teufelswerk.interpreter.machine import Event, RuleError
from teufelswerk.interpreter.show import NOBODY
from teufelswerk.interpreter.state import Move
from teufelswerk.interpreter.view import make_view
from teufelswerk.model import Model
from teufelswerk.rulebook.words import heading, person, term

from teufelswerk_cli.console.speech import _, say, translator
from teufelswerk_cli.table.card_drawing import Drawer
from teufelswerk_cli.table.referee_questions import Pending, answered, asked, asked_in, ways_in_words
from teufelswerk_cli.table.rules_text import rules_text
from teufelswerk_cli.table.screen import Screen
from teufelswerk_cli.table.typed_moves import Moves

MOST_NAMED = 12


class Unclear(Exception):
    """Words that are no move, or may be several; and what to say about that."""

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self.words = words


def described() -> dict[str, str]:
    """What one can say besides moves. The words before the colon are what is typed."""
    return {
        "help": _("help: what you can type here; ? does the same"),
        "may": _("may: whether a card may be played: `may CARD`, `may CARD on CARD, CARD with CARD, CARD`"),
        "stands": _("stands: leaves a mistake as it lies, and goes on with the card that showed it"),
        "undo": _("undo: takes back what was said last"),
        "scores": _("scores: how everyone stands"),
        "rules": _("rules: the rule that applies now"),
        "quit": _("quit: leaves; the same command with `--resume` goes on later"),
    }


class Desk:
    """One game with its referee, in words."""

    def __init__(self, rules: Model, names: Sequence[str], screen: Screen) -> None:
        self.rules = rules
        self.names = list(names)
        self.screen = screen
        self.referee = Referee(rules, names)
        self.moves = Moves(self.referee.game, self.names, Drawer(rules, screen.look()), arrows=False)
        self.found: tuple[Mistake, Move] | None = None
        """A mistake that is to be settled, and the move that showed it."""
        self.pending: Pending | None = None
        """A question that is to be answered before anything else."""
        self.held: list[Styled | str] | None = None
        """What is to be said, as long as it is held back."""
        self.quiet = False
        """Whether only what has been said before is gone through again."""

    def say(self, words: str) -> None:
        for line in self.screen.wrapped(words) if self.screen.fancy else [words]:
            self.tell(line)

    def tell(self, line: Styled | str) -> None:
        if not self.quiet:
            (self.held.append if self.held is not None else self.screen.print)(line)

    @contextmanager
    def noted_first(self) -> Iterator[None]:
        """Says nothing before it is over, and what is to be kept lies on the disk."""
        self.held, before = [], self.held
        try:
            yield
        finally:
            lines, self.held = self.held, before
            for line in lines or ():
                self.screen.print(line)

    # ---- what was meant ---------------------------------------------------------------------------------------------

    def whose(self, said: str, referee: Referee) -> tuple[int, str]:
        """Who plays, and the rest of the words."""
        movers = referee.movers()
        first, _space, rest = said.partition(" ")
        for seat, name in enumerate(self.names):
            if first.rstrip(":").lower() == name.lower() and rest:
                if seat not in movers:
                    turn = translator().list([self.names[each] for each in movers], "or")
                    raise Unclear(_("It is not the turn of {player}, but of {others}.", player=name, others=turn))
                return seat, rest.strip()
        if len(movers) > 1:
            example = f"{self.names[next(iter(movers))]} {said}"
            raise Unclear(_("Say who plays it, as in `{example}`.", example=example))
        return next(iter(movers)), said

    def meant(self, said: str, referee: Referee) -> Move:
        """The move that some words name, whether it is allowed or not."""
        seat, words = self.whose(said, referee)
        found: dict[Move, None] = {}
        for verb in referee.movers()[seat]:
            if verb in referee.game.unseen and (amount := self.as_unseen(verb, words)) is not None:
                return self.unseen(referee, seat, verb, amount)
            for move in self.candidates(referee, seat, verb, words):
                found[move] = None
        moves = list(found)
        fitting = self.moves.named(words, moves) or self.moves.as_many(words, self.moves.begun(words, moves))
        if len(fitting) == 1:
            return fitting[0]
        if not fitting:
            raise Unclear(_("There is nothing called `{word}` to play here; ? helps.", word=words))
        shown = [self.in_words(move) for move in fitting[:MOST_NAMED]]
        raise Unclear(_("That may be several: {moves}.", moves=translator().list(shown, "or")))

    def as_unseen(self, verb: str, words: str) -> int | None:
        """How many cards are chosen by words that name only the move; 0 if they do not say."""
        name, _space, amount = words.lower().rpartition(" ")
        names = self.moves.verb_names(verb)
        if words.lower() in names:
            return 0
        return int(amount) if name in names and amount.isdigit() else None

    def unseen(self, referee: Referee, seat: int, verb: str, amount: int) -> Move:
        found = referee.unseen(seat, verb, amount or None)
        if isinstance(found, Move):
            return found
        example = f"{self.moves.called(verb)} {found[0] if found else 1}"
        raise Unclear(_("Say how many cards, as in `{example}`.", example=example))

    def candidates(self, referee: Referee, seat: int, verb: str, words: str) -> Iterator[Move]:
        """What a verb can choose there; a single card may be any, also one that nobody can have now."""
        choices = self.rules.moves[verb].choices
        if len(choices) == 1 and choices[0].source.type.kind == "card" and choices[0].amount is None:
            yield from (Move(seat, verb, (card.index,)) for card in self.rules.cards)
            return
        together = None
        if any(choice.amount is not None for choice in choices):
            together = frozenset(self.cards(words.removeprefix(verb)))
        try:
            yield from referee.choices(seat, verb, together)
        except RuleError as problem:
            raise Unclear(say(problem.diagnostic.message)) from None

    def cards(self, words: str) -> list[int]:
        """The cards that are named, one after the other, with commas, blanks or an `and` between them."""
        left = " ".join(re.split(r"[\s,]+", words.lower()))
        both = {word.lower() for word in ("and", _("and"))}
        found: list[int] = []
        names = sorted(
            ((name.lower(), card.index) for card in self.rules.cards for name in self.moves.card_names(card)),
            key=lambda each: -len(each[0]),
        )
        while left := left.strip():
            index = next((i for name, i in names if left.startswith(name) and left[len(name) :][:1] in ("", " ")
                          and i not in found), None)  # fmt: skip
            word = left.partition(" ")[0]
            if index is None:
                if word not in both:
                    raise Unclear(_("There is no card called `{word}`.", word=word))
                left = left.partition(" ")[2]
                continue
            found.append(index)
            name = next(name for name, i in names if i == index and left.startswith(name))
            left = left[len(name) :].lstrip()
        return found

    def in_words(self, move: Move) -> str:
        choices = self.rules.moves[move.verb].choices
        game = self.referee.game
        if self.referee.is_unseen(move):
            return self.moves.called(move.verb)
        view = make_view(game.program, game.freeze(self.referee.worlds[0]), move.player, None, ())
        parts = [self.moves.pick(choice, pick, view).plain for choice, pick in zip(choices, move.picks, strict=True)]
        return " ".join(parts) or self.moves.called(move.verb)

    # ---- moves ------------------------------------------------------------------------------------------------------

    def begin(self) -> bool:
        """Begins the game, and tells of it; whether that was possible without a question."""

        def on(answers: Answers) -> bool:
            for words in told(self.referee.begin(answers)):
                self.say(say(words, self.names))
            self.referee.look_ahead()
            return True

        return self.attempt(Pending(Happened(()), on))

    def attempt(self, pending: Pending) -> bool:
        """Goes on with what has been answered; whether something has changed, if only that there is a question now."""
        self.pending = None
        try:
            return pending.on(tuple(pending.answers))
        except Wanted as wanted:
            pending.question, pending.named = wanted.question, []
            self.pending = pending
            if isinstance(wanted.question, Happened):
                for number, words in enumerate(ways_in_words(wanted.question, self.names), 1):
                    self.say(f"{number:3}  {words}")
            return True

    def answer(self, said: str) -> bool:
        """Takes in the answer to a question."""
        assert self.pending is not None
        pending = self.pending
        before = len(pending.named)
        problem = answered(self.referee, pending, said, self.cards, self.called_card)
        if problem is not None:
            self.say(problem)
            return len(pending.named) > before
        return self.attempt(pending)

    def called_card(self, card: int) -> str:
        return self.moves.drawer.title(self.rules.cards[card].id)

    def play(self, said: str) -> bool:
        """Takes in a move, and says what is to be said; whether it was accepted."""
        try:
            move = self.meant(said, self.referee)
            verdict = self.referee.verdict(move)
        except ShownFirst as wanted:
            return self.look_first(wanted, lambda: self.play(said))
        kept = self.referee.kept()

        def on(answers: Answers) -> bool:
            try:
                events = self.referee.tell(move, False, answers)
            except NotFollowed as problem:
                self.refuse(move, problem.message)
                return False
            self.found = None
            for words in told(events):
                self.say(say(words, self.names))
            if not verdict.certain and verdict.reason is not None:
                who = self.names[move.player]
                self.say(_("{player} can do this only for want of anything else. Otherwise: {reason}",
                           player=who, reason=self.reason(verdict)))  # fmt: skip
            if self.referee.kept() != kept:
                self.scores()
            return True

        return self.attempt(Pending(Happened(()), on))

    def look_first(self, wanted: Wanted, then: Callable[[], bool]) -> bool:
        """Asks what lies in a hidden place, and tries again."""

        def on(answers: Answers) -> bool:
            if not answers:
                raise Wanted(wanted.question)
            for answer in answers:
                if isinstance(answer, Answer):
                    self.referee.learn(answer)
            return then()

        return self.attempt(Pending(wanted.question, on))

    def refuse(self, move: Move, reason: Text) -> None:
        mistake = self.referee.mistake(move)
        if mistake is None:
            self.say(_("Not allowed: {reason}", reason=say(reason, self.names)))
            return
        self.found = mistake, move
        ago = len(self.referee.history) - mistake.number
        self.say(
            _(
                "There was a mistake {n} {n:move|moves} ago: {player} played {played}, and {holder} had {card} then."
                " {reason}",
                n=ago, card=self.moves.drawer.title(self.rules.cards[mistake.card].id),
                player=self.names[mistake.move.player], played=self.in_words(mistake.move),
                holder=person(self.names[mistake.player]), reason=say(mistake.reason, self.names),
            )
        )  # fmt: skip
        self.say(_("`undo` goes back step by step, `stands` leaves it as it lies."))

    def reason(self, verdict: Verdict) -> str:
        return say(verdict.reason, self.names) if verdict.reason is not None else ""

    def may(self, said: str, referee: Referee) -> bool:
        """Answers whether a card may be played: on others, and with others in hand."""
        card, on, held = asked_in(said)
        twin = referee.branch()
        for other in self.cards(on):
            seat = next(iter(twin.movers()))
            verbs = twin.movers()[seat]
            tried = [Move(seat, verb, (other,)) for verb in verbs if self.is_simple(verb)]
            if not tried:
                raise Unclear(_("No card is played now."))
            twin.tell(tried[0])
        move = self.meant(card, twin)
        cards = [*self.cards(held), *(pick for pick in move.picks if isinstance(pick, int))] if held else None
        verdict = twin.verdict(move, cards)
        rule = say(heading(self.rules, self.rules.moves[move.verb].section))
        if not verdict.allowed:
            reason = self.reason(verdict) or _("the cards cannot lie like that")
            self.say(_("No. {rule}: {reason}", rule=rule, reason=reason))
        elif verdict.certain:
            self.say(_("Yes. {rule} allows it.", rule=rule))
        else:
            self.say(
                _("Only for want of anything else. Otherwise {rule}: {reason}", rule=rule, reason=self.reason(verdict))
            )
        return verdict.allowed

    def known(self, said: str) -> None:
        """Raises Unclear if a question names cards that there are not."""
        card, on, held = asked_in(said)
        self.cards(f"{on} {held}")
        if not self.moves.names_a_card(card) and not self.moves.is_a_card(card):
            raise Unclear(_("There is no card called `{word}`.", word=card))

    def is_simple(self, verb: str) -> bool:
        choices = self.rules.moves[verb].choices
        return len(choices) == 1 and choices[0].source.type.kind == "card" and choices[0].amount is None

    # ---- words ------------------------------------------------------------------------------------------------------

    def obey(self, name: str, rest: str) -> bool:
        """Does what a word asks for; whether it changed anything."""
        match name:
            case "may":
                self.may(rest, self.referee)
            case "stands":
                return self.stand()
            case "undo" if self.pending is not None and self.referee.worlds:
                self.pending = None
                self.say(_("Taken back: {move}.", move=_("the last move")))
                return True
            case "undo":
                back = self.referee.take_back()
                self.found = None
                self.say(
                    _("Taken back: {move}.", move=self.in_words(back)) if back else _("Nothing has been said yet.")
                )
                return back is not None
            case "scores":
                self.scores()
            case "rules":
                verbs = dict.fromkeys(verb for verbs in self.referee.movers().values() for verb in verbs)
                sections = list(dict.fromkeys(self.rules.moves[verb].section for verb in verbs))
                for title, *paragraphs in rules_text(self.referee.game, sections):
                    self.say(title)
                    for line in [line for words in paragraphs for line in self.screen.wrapped(words, "  ")]:
                        self.tell(line)
            case _:
                for text in described().values():
                    for line in self.screen.wrapped(text, "  "):
                        self.tell(line)
                for line in self.screen.wrapped(
                    _("Of cards that go from hand to hand unseen, say only the name of the move."), "  "
                ):
                    self.tell(line)
        return False

    def stand(self) -> bool:
        if self.found is None:
            self.say(_("There is no mistake to be settled."))
            return False
        mistake, _move = self.found
        self.referee.stands(mistake)
        self.found = None
        self.say(_("It stands. Now say again what is played."))
        return True

    def scores(self) -> None:
        sides = [translator().list([self.names[seat] for seat in seats]) for seats in
                 self.rules.together(self.referee.game.players)]  # fmt: skip
        for name, values in self.referee.kept().items():
            heads = self.names if len(values) == len(self.names) else sides
            row = ", ".join(f"{head} {value}" for head, value in zip(heads, values, strict=True))
            self.say(f"{say(term(self.rules, name, 'keep'))}: {row}")

    def question(self) -> str:
        if self.pending is not None:
            return asked(self.referee, self.pending.question, self.names) + " > "
        movers = self.referee.movers()
        if len(movers) > 1:
            return _("Who plays what? (? helps)") + " > "
        ((seat, verbs),) = movers.items()
        if all(map(self.is_simple, verbs)):
            return _("{player} plays (? helps)", player=self.names[seat]) + " > "
        ways = translator().list([self.moves.called(verb) for verb in verbs], "or")
        return _("{player}: {ways}? (? helps)", player=self.names[seat], ways=ways) + " > "


def told(events: Sequence[Event]) -> list[Text]:
    """What everyone at the table is told."""
    return [event.told.to(NOBODY) for event in events if event.told is not None]
