"""A player's turn at the prompt: moves, and the commands that are about them."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text as Styled
from teufelswerk.bots.foresight import MOST_REASONS, Foresight
from teufelswerk.interpreter.state import Move
from teufelswerk.interpreter.view import View
from teufelswerk.rulebook.words import term

from teufelswerk_cli.console.speech import _, say
from teufelswerk_cli.table.card_drawing import ink
from teufelswerk_cli.table.lesson import Lesson
from teufelswerk_cli.table.rules_text import rules_text
from teufelswerk_cli.table.shown_table import ShownTable
from teufelswerk_cli.table.side_questions import Asides, command
from teufelswerk_cli.table.typed_moves import Moves

MOST_HINTS = 12
MOST_ON_PAGES = 2000
"""So many moves can be listed when somebody asks for all of them."""


class Turn(Asides):
    """Asks one player for one move."""

    commands = (*Asides.commands, "why", "hint", "lesson", "choices")

    def __init__(self, table: ShownTable, view: View) -> None:
        super().__init__(table, view)
        self.moves = Moves(table.game, table.names, table.drawing.drawer, table.screen.fancy)
        self.left: Sequence[Move] = view.moves
        """The moves that fit what has been typed so far."""
        self.taken_back = False

    def ask(self) -> Move | None:
        """The player's move, or None if an earlier one has been taken back."""
        while not self.taken_back:
            typed = self.pending or self.typed()
            self.pending = ""
            found = command(typed)
            if found is not None and not self.is_card(typed):
                self.obey(*found)
            elif not typed:
                if len(self.left) == 1:
                    return self.left[0]
                self.left = self.view.moves
            else:
                self.table.notes.clear()
                move = self.understand(typed)
                if move is not None:
                    return move
        return None

    def typed(self) -> str:
        self.show()
        return self.table.screen.read(self.question(), self.show, self.words())

    def words(self) -> list[str]:
        return [*self.moves.completions(self.left), *super().words()]

    def is_card(self, typed: str) -> bool:
        return any(typed.lower() in self.moves.names_of(move) for move in self.left)

    # ---- what is asked ----------------------------------------------------------------------------------------------

    def show(self) -> None:
        self.table.show(self.view, self.view.seat, self.below())

    def below(self) -> list[Styled]:
        """What may be done, under the table."""
        look, state = self.table.look(), self.session.state
        if self.moves.is_simple(self.left) and len(self.left) == len(self.view.moves):
            lines = [ink(self.moves.invitation(self.left[0].verb, state, self.view.seat), "italic")]
            if not self.table.screen.fancy:
                lines.append(ink(self.moves.would_do(self.left, self.view)))
        else:
            room = self.room() if self.table.screen.fancy else 0
            lines = self.moves.listed(self.left, state, self.view, look.width, room)
        if len(self.left) == 1:
            lines.append(ink(_("Nothing else is possible: press Enter."), "dim"))
        return lines

    def room(self) -> int:
        """The lines for a list: beside it the table and some of what has happened have to be seen."""
        look, told = self.table.look(), min(max(3, self.table.unseen()), 6)
        few = 2 * len({move.verb for move in self.left}) + 1
        return max(few, look.height - self.table.least(self.view, self.view.seat) - self.table.noted() - told - 3)

    def question(self) -> str:
        if len(self.left) < len(self.view.moves):
            return _("Which of these? Enter goes back") + " > "
        return _("{player}, your move (? helps)", player=self.table.names[self.view.seat]) + " > "

    def understand(self, typed: str) -> Move | None:
        """The move that the words mean. What names a card in full means it, even if it may not be played."""
        copied = self.moves.copied(typed, self.view.moves, self.view)
        if len(copied) == 1:
            return copied[0]
        if not self.moves.meant(typed, self.left):
            self.left = self.view.moves
        meant = self.moves.numbered(typed, self.left) or self.moves.named(typed, self.left)
        if not meant and (refused := self.moves.named(typed, self.moves.refused(typed, self.session.state, self.view))):
            self.explain(refused)
            return None
        if not meant and self.moves.is_a_card(typed):
            self.note(_("You have no `{word}` to play here.", word=typed))
            return None
        meant = meant or self.moves.begun(typed, self.left)
        if len(meant) == 1:
            return meant[0]
        if meant and len(meant) < len(self.left):
            self.left = meant
            return None
        refused = [] if meant else self.moves.tried(typed, self.session.state, self.view)
        if refused:
            self.explain(refused)
            for words in self.moves.exactly(refused, self.session.state):
                self.note(_("In exact words: {words}", words=words), "dim")
        elif meant:
            self.note(_("That leaves several moves; name a card or say more."))
        elif self.moves.names_a_card(typed) or not self.short_for(typed):
            self.note(_("There is nothing called `{word}` to play here; ? helps.", word=typed))
        return None

    def explain(self, refused: Sequence[Move]) -> None:
        for reason in self.moves.reasons(refused, self.session.state):
            self.note(reason, "yellow")
        self.note(self.moves.would_do(self.view.moves, self.view))

    # ---- commands ---------------------------------------------------------------------------------------------------

    def advice(self) -> list[str]:
        lines = [_("Type a card, as in {card}, or the beginning of its name.", card=self.example())]
        if not self.moves.is_simple(self.view.moves):
            number = "#1" if self.moves.is_marked(self.view.moves) else "1"
            lines.append(_("A number from the list will do as well, as in {number}.", number=number))
        return [*lines, _("Tab completes what you type."), ""]

    def example(self) -> str:
        usable = sorted(self.table.drawing.usable(self.view))
        id = usable[0] if usable else self.table.game.rules.cards[0].id
        return self.table.drawing.drawer.title(id)

    def why(self, rest: str) -> None:
        if not rest:
            self.note(_("Which card? Write it behind the command, as in `why {card}`.", card=self.example()))
            return
        moves = self.view.moves
        named = (
            self.moves.numbered(rest, moves)
            or self.moves.copied(rest, moves, self.view)
            or self.moves.named(rest, moves)
        )
        banned = [] if named else self.moves.named(rest, self.moves.refused(rest, self.session.state, self.view))
        allowed = named or ([] if banned else self.moves.begun(rest, self.view.moves))
        for move in allowed if len(allowed) < len(self.view.moves) or len(allowed) == 1 else ():
            words = self.moves.words(move, self.view).plain
            rule = rules_text(self.table.game, [self.table.game.rules.moves[move.verb].section])[0]
            self.note(_("{rule} allows it: {move}.", rule=rule[0], move=words), "green")
        if allowed and self.table.notes:
            return
        refused = banned or self.moves.tried(rest, self.session.state, self.view)
        if refused:
            self.explain(refused)
            for words in self.moves.exactly(refused, self.session.state):
                self.note(_("In exact words: {words}", words=words), "dim")
        elif not self.table.notes:
            self.note(_("You have no `{word}` to play here.", word=rest))

    def lesson(self, rest: str) -> None:
        """Why it is as it is: what has happened, the rule that applies, what each choice leads to."""
        table = self.table
        lesson = Lesson(table.game, table.names, self.session.adviser(self.view.seat), self.view, self.moves)
        told = self.session.told[self.session.decided_at(self.view.seat) :]
        self.pending = table.by_pages(lesson.lines(told, table.screen.wrapped), self.words())

    def choices(self, rest: str) -> None:
        """Everything that can be done now, with its number."""
        width = self.table.look().width
        self.page(self.moves.listed(self.left, self.session.state, self.view, width, 0, MOST_ON_PAGES))

    def hint(self, rest: str) -> None:
        adviser = self.session.adviser(self.view.seat)
        opinions = adviser.opinions(self.view)
        best = opinions[0]
        self.note(
            _("A careful player would choose: {move}.", move=self.moves.words(best.move, self.view).plain), "green"
        )
        if len(opinions) == 1 or best.expected is None:
            return
        self.note(
            _(
                "It deals the cards that you do not see as they may lie, and plays on. What you would have after this "
                "round ({what}), and how often no other move did better:",
                what=self.outcome_name(),
            )
        )
        shown = [opinion for opinion in opinions if opinion.trials][:MOST_HINTS]
        compared = [opinion.move for opinion in shown[:MOST_REASONS]]
        reasons = Foresight(self.table.game, adviser, self.view).outcomes(compared)
        for opinion in shown:
            self.note(
                _(
                    "{move}: {expected}; best in {n} of 10 deals",
                    move=self.moves.words(opinion.move, self.view).plain,
                    expected=float(opinion.expected or 0),
                    n=round(10 * (opinion.best or 0)),
                )
            )
            for foreseen in reasons.get(opinion.move, ()):
                self.note(f"  {say(foreseen.counted, self.table.names)}", "dim")
        if left := len(self.view.moves) - len(shown):
            self.note(_("And {n} more {n:move|moves}, seen to be worse, or not tried.", n=left), "dim")

    def outcome_name(self) -> str:
        """What the winner is found by, in words."""
        from teufelswerk.core.aim import aim_of
        from teufelswerk.core.forms import Kept

        aim = aim_of(self.table.game.program.core)
        if aim is not None and isinstance(aim.by, Kept):
            return say(term(self.table.game.rules, aim.by.keep.name, "keep"))
        return _("the result")

    def undo(self, rest: str) -> None:
        if len(self.left) < len(self.view.moves):
            self.left = self.view.moves
            return
        reason = self.session.stands(self.view.seat, self.view.seat)
        if reason is not None:
            self.note(say(reason, self.table.names), "yellow")
            return
        self.session.undo()
        self.taken_back = True
