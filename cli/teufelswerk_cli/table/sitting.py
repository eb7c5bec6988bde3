"""One sitting at the table: whose turn it is, what everyone is shown, and when the screen changes hands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from rich.text import Text as Styled
from teufelswerk.base.texts import Seat, Text
from teufelswerk.interpreter.machine import Event
from teufelswerk.interpreter.show import NOBODY
from teufelswerk.interpreter.state import Move, State
from teufelswerk.interpreter.view import View
from teufelswerk.sessions.session import HUMAN
from teufelswerk.sessions.stages import Stage, stages
from teufelswerk.sessions.standing import numbers_kept, ranking

from teufelswerk_cli.console.speech import _, say
from teufelswerk_cli.table.card_drawing import ink
from teufelswerk_cli.table.prompt import Turn
from teufelswerk_cli.table.scores import score_sheet, standings, turning_points
from teufelswerk_cli.table.shelf import aim
from teufelswerk_cli.table.shown_table import ShownTable
from teufelswerk_cli.table.side_questions import Asides, command

GLANCE, LOOK_AT_IT = 0.7, 1.8
"""Seconds to take in a move, and cards that lie together before they are taken away."""


LEAST_LESSONS, MOST_LESSONS = 6, 30
"""So many turns are explained at a guided table, of how many rounds ever they are, and in the first round."""


class Sitting(ShownTable):
    """Plays a session to its end: shows what happens and asks its people."""

    def run(self) -> None:
        """Plays to the end. Leaving the table raises Left; everything is saved."""
        while (seat := self.game.player(self.session.state)) is not None:
            before = self.session.state
            if self.session.seats[seat] != HUMAN:
                move = self.session.adviser(seat).choose(self.view(seat))
            else:
                if self.shared and not self.hand_over(seat):
                    continue
                chosen = self.asked_of(Turn(self, self.view(seat)))
                self.notes.clear()
                if chosen is None:
                    self.messages.append((_("The last move has been taken back."), "yellow"))
                    continue
                if self.shared:
                    self.screen.wipe()
                move = chosen
            self.happened(before, self.session.make(move))
        self.asked = None

    def asked_of(self, turn: Turn) -> Move | None:
        """A player's move, after all that they have not seen yet; None if an earlier one has been taken back."""
        turn.pending = self.catch_up(turn)
        if self.teaching and not turn.pending:
            self.teach(turn)
        chosen = turn.ask()
        self.opening = ""
        self.seen = len(self.messages)
        return chosen

    def teach(self, turn: Turn) -> None:
        """Begins a question with a lesson, until the first round is over and a few turns have been explained."""
        found = self.drawing.glance.round(turn.view)
        self.lessons += 1
        if self.lessons > (LEAST_LESSONS if found is None or found[0] > 1 else MOST_LESSONS):
            self.teaching = False
            self.messages.append((_("From here on you play on your own. `lesson` explains a turn."), "bold"))
        else:
            turn.lesson("")

    def catch_up(self, turn: Turn) -> str:
        """Shows what has happened page by page, if it does not fit above the question; what is typed there."""
        if not self.screen.fancy:
            return ""
        seat, below = turn.view.seat, [Styled()]
        while True:
            room = self.look().height - self.least(turn.view, seat) - len(turn.below()) - self.noted() - 3
            first = self.messages[self.seen : self.seen + 1]
            if self.unseen() <= max(room, 1) or not first:
                return ""
            page = self.look().height - self.least(turn.view, seat) - len(below) - 3
            later, lines = self.messages, 0
            end = self.seen
            while end < len(later) and (lines := lines + len(self.styled(*later[end]))) <= max(page, 1):
                end += 1
            end = max(end, self.seen + 1)
            self.messages = later[:end]
            redraw = partial(self.show, turn.view, seat, below)
            redraw()
            typed = self.screen.read(_("Enter goes on") + " > ", redraw, turn.words())
            self.messages, self.seen = later, end
            if typed:
                return typed

    def remark(self, remarks: Sequence[str]) -> None:
        """Says something before anything happens."""
        for words in remarks:
            self.messages.append((words, "bold"))
            if not self.screen.fancy:
                self.screen.print(words)

    def opened(self, events: list[Event]) -> None:
        """The first moment of a new game, headed by what everyone plays for."""
        words = aim(self.game)
        if self.watcher != NOBODY:
            self.opening = words
        else:
            self.messages.append((words, "bold"))
        if not self.screen.fancy:
            self.screen.print(words)
        self.happened(None, events)

    def happened(self, before: State | None, events: list[Event]) -> None:
        """Shows a move and what it led to, moment by moment."""
        earlier = self.game.view(before, self.watcher) if before is not None else None
        moments = stages(self.game, earlier, self.view(self.watcher), events)
        for moment in moments:
            if moment.taken is not None:
                self.taken = moment.taken, moment.view
            self.tell(moment, LOOK_AT_IT if moment is not moments[-1] else GLANCE)
            if self.take_back:
                break
        if self.take_back:
            self.take_back = False
            self.step_back()
        elif before is not None and (before.rng != self.session.state.rng or self.session.state.winners is not None):
            self.count(self.view(self.watcher), moments[-1])

    def tell(self, moment: Stage, seconds: float) -> None:
        new = [(say(text, self.names), "") for text in moment.told]
        self.messages += new
        if not self.screen.fancy:
            for words, _style in new:
                self.screen.print(words)
            return
        over = moment.view.to_move is None and moment.view.winners is not None
        yours = moment.view.to_move == self.watcher and not over
        if yours and not self.screen.step:
            return
        self.show(moment.view, self.seat_shown(), [])
        if self.screen.step and not over:
            self.hold(moment.view)
        elif not self.screen.pause(seconds):
            return
        self.seen = len(self.messages)

    def seat_shown(self) -> int | None:
        return self.watcher if self.watcher != NOBODY else None

    def hold(self, view: View) -> None:
        self.take_back = self.wait(_("Enter goes on"), view, lambda: self.show(view, self.seat_shown(), []))

    def wait(self, question: str, view: View, redraw: Callable[[], None]) -> bool:
        """Waits for Enter and obeys commands until then; True if the last move is to be taken back."""
        asides = Asides(self, view)
        while True:
            typed = asides.pending or self.screen.read(f"{question} > ", redraw, asides.words())
            asides.pending = ""
            found = command(typed)
            self.notes.clear()
            if not typed or (found is not None and found[0] == "undo"):
                return bool(typed)
            if found is not None:
                asides.obey(*found)
            elif not asides.short_for(typed):
                asides.note(_("There is no command `{word}`; ? helps.", word=typed))
            if not asides.pending:
                redraw()

    def step_back(self) -> None:
        """Takes back the last person's move, if that may be."""
        person = self.session.decisions[-1].seat if self.session.decisions else self.watcher
        reason = self.session.stands(person, self.watcher)
        if reason is None:
            self.session.undo()
            self.messages.append((_("The last move has been taken back."), "yellow"))
        else:
            self.messages.append((say(reason, self.names), "yellow"))

    def count(self, view: View, moment: Stage) -> None:
        """After a round: what everyone has now, if that has changed."""
        if numbers_kept(self.game, view) == numbers_kept(self.game, self.counted):
            return
        lines = standings(self.game, self.names, view, self.look(), self.counted)
        if len(self.session.sheet) > 2:
            lines += [Styled(), *score_sheet(self.game, self.names, self.session.sheet, self.look())]
        self.counted = view
        if not self.screen.fancy:
            for line in lines:
                self.screen.print(line)
        elif not self.screen.fast:
            told = [line for text in moment.told for line in self.screen.wrapped(say(text, self.names))]
            redraw = self.drawn([*told, Styled(), *lines])
            if self.wait(_("Enter goes on"), view, redraw):
                self.step_back()

    # ---- several people ---------------------------------------------------------------------------------------------

    def hand_over(self, seat: int) -> bool:
        """Waits until the player says that they are alone with the screen; False if a move was taken back instead."""
        self.notes.clear()
        self.screen.wipe()
        below = [ink(say(Text("{player}, it is your turn.", player=Seat(seat)), self.names), "bold")]
        last = self.session.decisions[-1].seat if self.session.decisions else None
        if last is not None and self.session.stands(last, NOBODY) is None:
            below.append(
                ink(say(Text("`undo` takes the move of {player} back.", player=Seat(last)), self.names), "dim")
            )

        def redraw() -> None:
            self.show(self.view(NOBODY), None, below)

        redraw()
        question = _("{player}, press Enter when you alone can see the screen", player=self.names[seat])
        if self.wait(question, self.view(NOBODY), redraw):
            self.step_back()
            return False
        return True

    def result(self) -> list[str]:
        """The last words of a game: what decided it, the ranking, and what it will be remembered for."""
        told = [words for words, _style in self.messages[-1:]] if self.screen.fancy else []
        points = turning_points(self.game, self.names, self.session.sheet)
        ranked = [say(line, self.names) for line in ranking(self.game, self.session.state)]
        return [*told, *ranked, *(["", *points] if points else [])]
