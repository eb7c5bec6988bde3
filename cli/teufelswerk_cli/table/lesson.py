"""A turn → a lesson: what has just happened by which rule, the rule that applies now, and what each choice leads to.

What a choice leads to is tried where the unseen cards lie as they may: a lesson tells nothing that one could not know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rich.text import Text as Styled
from teufelswerk.base.texts import Told
from teufelswerk.bots.foresight import WORLDS, Foresight
from teufelswerk.bots.players import Bot
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.state import Move
from teufelswerk.interpreter.view import View
from teufelswerk.rulebook.words import game_heading

from teufelswerk_cli.console.speech import _, say
from teufelswerk_cli.table.card_drawing import ink
from teufelswerk_cli.table.rules_text import rules_text
from teufelswerk_cli.table.typed_moves import Moves

Wrap = Callable[[str, str], list[Styled]]
MOST_TRIED, FEW_TRIED = 12, 4
"""So many choices are tried; of more, those that a careful player likes best."""


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
        return [opinion.move for opinion in self.bot.opinions(self.view)[: self.most()]]

    def most(self) -> int:
        """How many are worth it: of sets of cards, which take a line each, only the best."""
        several = any(isinstance(pick, tuple) for pick in self.view.moves[0].picks)
        return FEW_TRIED if several else MOST_TRIED

    def headline(self) -> str:
        if len(self.view.moves) == 1:
            return _("What it leads to")
        if len(self.view.moves) <= MOST_TRIED:
            return _("What each choice leads to, in {n} deals of the cards that you do not see", n=WORLDS)
        return _("The {n} choices that a careful player likes best, and what they lead to", n=self.most())

    def outcomes(self) -> Iterator[str]:
        """The choices, those together that lead to the same."""
        moves = self.tried()
        foreseen, alike = Foresight(self.game, self.bot, self.view).outcomes(moves), dict[str, list[str]]()
        for move in moves:
            words = self.moves.words(move, self.view).plain + self.moves.price(move, self.view).plain
            alike.setdefault(" ".join(say(each.counted, self.names) for each in foreseen[move]), []).append(words)
        for outcome in sorted(alike, key=lambda each: not each):
            said = outcome or _("nothing that can be foreseen.")
            yield _("{move}: {outcome}", move="; ".join(alike[outcome]), outcome=said)
