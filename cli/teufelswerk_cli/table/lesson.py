"""A turn → a lesson: what has just happened by which rule, the rule that applies now, and what each choice leads to.

What a choice leads to is tried where the unseen cards lie as they may, for all that the seat knows; the others do there
whatever they can. So a lesson tells nothing that its reader could not know.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from rich.text import Text as Styled
from teufelswerk.base.texts import Seat, Text, Told
from teufelswerk.bots.inference import Knowledge
from teufelswerk.bots.players import Bot
from teufelswerk.interpreter.game import Game, IllegalMove
from teufelswerk.interpreter.machine import Event, RuleError
from teufelswerk.interpreter.state import Move, State
from teufelswerk.interpreter.view import View
from teufelswerk.rulebook.words import game_heading

from teufelswerk_cli.console.speech import _, say
from teufelswerk_cli.table.card_drawing import ink
from teufelswerk_cli.table.rules_text import rules_text
from teufelswerk_cli.table.typed_moves import Moves

Wrap = Callable[[str, str], list[Styled]]
MOST_TRIED = 12
"""So many choices are tried; of more, those that a careful player likes best."""
WORLDS = 12
"""In so many ways the unseen cards are dealt for each choice."""
MOST_STEPS = 8
"""So many moves of others are tried behind a choice."""
MOST_SAID = 3
"""So many things are said of each choice."""
OFTEN = 3
"""What comes about in fewer worlds is not worth a word."""


@dataclass
class Trials:
    """What has come of one choice, in so many worlds."""

    worlds: int = 0
    at_once: Counter[Text] = field(default_factory=Counter)
    later: Counter[Text] = field(default_factory=Counter)
    elsewhere: Counter[Text] = field(default_factory=Counter)
    """What is told of others."""


class Lesson:
    """Explains one player's turn."""

    def __init__(self, game: Game, names: Sequence[str], bot: Bot, view: View, moves: Moves) -> None:
        self.game = game
        self.names = names
        self.bot = bot
        self.view = view
        self.moves = moves

    def lines(self, happened: Sequence[Told], wrapped: Wrap) -> list[Styled]:
        """The whole lesson, in lines that fit."""

        def headed(words: str) -> list[Styled]:
            return [ink(line.plain, "bold") for line in wrapped(words, "")]

        found: list[Styled] = []
        told = list(self.happened(happened))
        if told:
            found += headed(_("What has just happened"))
            for words in told:
                found += wrapped(words, "  ")
        sections = dict.fromkeys(self.game.rules.moves[move.verb].section for move in self.view.moves)
        for title, *paragraphs in rules_text(self.game, list(sections)):
            found += headed(_("What you do now: {rule}", rule=title))
            for paragraph in paragraphs:
                found += wrapped(paragraph, "  ")
        found += headed(self.headline())
        for words in self.outcomes():
            found += wrapped(words, "  ")
        return found

    # ---- what has happened ------------------------------------------------------------------------------------------

    def happened(self, told: Sequence[Told]) -> Iterator[str]:
        """The sentences that were told, each behind the heading of its rule where that is another one."""
        last = ""
        for sentence in told:
            rule = (sentence.whole.context or "").partition(": ")[2]
            words = say(sentence.to(self.view.seat), self.names)
            heading = say(game_heading(self.game.rules, rule)) if rule else ""
            yield _("{rule}: {words}", rule=heading, words=words) if heading and heading != last else words
            last = heading

    # ---- what may come ----------------------------------------------------------------------------------------------

    def tried(self) -> list[Move]:
        """The moves that are worth a word."""
        if len(self.view.moves) <= MOST_TRIED:
            return list(self.view.moves)
        return [opinion.move for opinion in self.bot.opinions(self.view)[:MOST_TRIED]]

    def headline(self) -> str:
        if len(self.view.moves) == 1:
            return _("What it leads to")
        if len(self.view.moves) <= MOST_TRIED:
            return _("What each choice leads to, in {n} deals of the cards that you do not see", n=WORLDS)
        return _("The {n} choices that a careful player likes best, and what they lead to", n=MOST_TRIED)

    def outcomes(self) -> Iterator[str]:
        """The choices, those together that lead to the same."""
        moves = self.tried()
        trials, alike = self.trials(moves), dict[str, list[str]]()
        for move in moves:
            words = self.moves.words(move, self.view).plain + self.moves.price(move, self.view).plain
            alike.setdefault(" ".join(self.said(trials[move])), []).append(words)
        for outcome in sorted(alike, key=lambda each: not each):
            said = outcome or _("nothing that can be foreseen.")
            yield _("{move}: {outcome}", move="; ".join(alike[outcome]), outcome=said)

    def said(self, trials: Trials) -> Iterator[str]:
        """What is certain, and what comes about often."""
        certain = [text for text, n in trials.at_once.items() if n == trials.worlds]
        likely = trials.later + Counter({text: n for text, n in trials.at_once.items() if n < trials.worlds})
        for text in certain[:MOST_SAID]:
            yield say(text, self.names)
        often = [(text, n) for text, n in likely.most_common() if n >= OFTEN][: max(0, MOST_SAID - len(certain))]
        if not certain and not often:
            often = [(text, n) for text, n in trials.elsewhere.most_common(1) if n >= OFTEN]
        for text, n in often:
            words = say(text, self.names)
            yield words if n == trials.worlds else _("{words} ({n} of {all})", words=words, n=n, all=trials.worlds)

    def trials(self, moves: Sequence[Move]) -> dict[Move, Trials]:
        """Each choice in the same worlds."""
        found = {move: Trials() for move in moves}
        knowledge = getattr(self.bot, "knowledge", None)
        if not isinstance(knowledge, Knowledge):
            return found
        rng = self.bot.chance()
        for _n in range(WORLDS):
            world = knowledge.imagine(self.view, rng)
            seed = rng.getrandbits(32)
            for move in moves if world is not None else ():
                assert world is not None
                self.try_out(world, move, found[move], Random(seed))
        return found

    def try_out(self, world: State, move: Move, trials: Trials, rng: Random) -> None:
        events: list[Event] = []
        try:
            state = self.game.apply(world, move, events)
            at_once = self.worth_saying(events)
            later: list[Text] = []
            for _n in range(MOST_STEPS):
                player = self.game.player(state)
                if player is None or player == self.view.seat or state.rng != world.rng:
                    break
                events = []
                state = self.game.apply(state, rng.choice(self.game.legal_moves(state)), events)
                later += self.worth_saying(events)
        except (RuleError, IllegalMove):
            return  # a world that this turn cannot have come from
        trials.worlds += 1
        trials.at_once.update(set(at_once))
        trials.later.update({text for text in later if text not in at_once and self.about_me(text)})
        trials.elsewhere.update({text for text in later if not self.about_me(text)})

    def worth_saying(self, events: Sequence[Event]) -> list[Text]:
        """The sentences but for those that say no more than what was chosen."""
        chosen = {"player"}.union(*(event.record["choice"] for event in events if event.record["event"] == "move"))
        texts = [event.told.to(self.view.seat) for event in events if event.told is not None]
        return [text for text in texts if not chosen.issuperset(text.values)]

    def about_me(self, text: Text) -> bool:
        return any(value == Seat(self.view.seat) for value in text.values.values())
