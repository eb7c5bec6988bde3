"""One sitting at the table: whose turn it is, what everyone is shown, and when the screen changes hands."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.text import Text as Styled
from teufelswerk.machine import Event
from teufelswerk.show import NOBODY, Seat
from teufelswerk.state import State
from teufelswerk.texts import Text
from teufelswerk.unseen import harmless
from teufelswerk.view import View

from teufelswerk_cli.asides import Asides, command
from teufelswerk_cli.cards import Look, ink
from teufelswerk_cli.prompt import Turn
from teufelswerk_cli.scores import numbers_kept, ranking, standings
from teufelswerk_cli.screen import Screen
from teufelswerk_cli.session import HUMAN, Session
from teufelswerk_cli.speech import _, say
from teufelswerk_cli.stages import Stage, stages
from teufelswerk_cli.table import TableDrawing

GLANCE, LOOK_AT_IT = 0.7, 1.8
"""Seconds to take in a move, and cards that lie together before they are taken away."""
FEWEST_MESSAGES = 3


class Table:
    """Shows a session on a screen and asks its people."""

    def __init__(self, session: Session, screen: Screen) -> None:
        self.session = session
        self.game = session.game
        self.names = session.names
        self.screen = screen
        self.drawing = TableDrawing(self.game, self.names, screen.look())
        self.messages: list[tuple[str, str]] = []
        """What has happened, for everyone's eyes."""
        self.notes: list[tuple[str, str]] = []
        """Answers to the player whose turn it is."""
        self.shared = len(session.people) > 1
        self.watcher = session.people[0] if len(session.people) == 1 else NOBODY
        self.counted = self.view(self.watcher)
        """The position at the last table of numbers."""
        self.asked: View | None = None
        self.take_back = False

    def look(self) -> Look:
        look = self.screen.look()
        if look != self.drawing.look:
            self.drawing = TableDrawing(self.game, self.names, look)
        return look

    def view(self, seat: int) -> View:
        return self.game.view(self.session.state, seat)

    # ---- the game ---------------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Plays to the end. Leaving the table raises Left; everything is saved."""
        while (seat := self.game.player(self.session.state)) is not None:
            before = self.session.state
            if self.session.seats[seat] != HUMAN:
                move = self.session.adviser(seat).choose(self.view(seat))
            else:
                if self.shared and not self.hand_over(seat):
                    continue
                chosen = Turn(self, self.view(seat)).ask()
                self.notes.clear()
                if chosen is None:
                    self.messages.append((_("The last move has been taken back."), "yellow"))
                    continue
                if self.shared:
                    self.screen.wipe()
                move = chosen
            self.happened(before, self.session.make(move))
        self.asked = None

    def happened(self, before: State | None, events: list[Event]) -> None:
        """Shows a move and what it led to, moment by moment."""
        earlier = self.game.view(before, self.watcher) if before is not None else None
        moments = stages(self.game, earlier, self.view(self.watcher), events)
        for moment in moments:
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
        else:
            self.screen.pause(seconds)

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
            else:
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
            below.append(ink(_("`undo` takes the move of {player} back.", player=self.names[last]), "dim"))

        def redraw() -> None:
            self.show(self.view(NOBODY), None, below)

        redraw()
        question = _("{player}, press Enter when you alone can see the screen", player=self.names[seat])
        if self.wait(question, self.view(NOBODY), redraw):
            self.step_back()
            return False
        return True

    # ---- the screen -------------------------------------------------------------------------------------------------

    def show(self, view: View, own_seat: int | None, below: Sequence[Styled]) -> None:
        """The table, what has happened, and what is asked."""
        if not self.screen.fancy:
            self.print(view, own_seat, below)
            return
        look = self.look()
        below = [part for line in below for part in line.wrap(self.screen.console, look.width - 1)]
        notes = [line for words, style in self.notes for line in self.styled(words, style)]
        room = look.height - len(below) - len(notes) - FEWEST_MESSAGES - 2
        lines = self.drawing.lines(view, own_seat, room)
        left = max(0, look.height - len(lines) - len(below) - len(notes) - 3)
        rule = ink(look.sign("─", "-") * (look.width - 1), "dim")
        told = self.latest(left)
        self.screen.frame([*lines, rule, *told, *([Styled()] if left > len(told) else []), *notes, *below])

    def latest(self, room: int) -> list[Styled]:
        """The latest messages that fit, each of them whole; of a very long one at least the end."""
        lines: list[Styled] = []
        for words, style in reversed(self.messages):
            more = self.styled(words, style)
            if len(more) + len(lines) > room:
                return lines or (more[-room:] if room else [])
            lines = more + lines
        return lines

    def styled(self, words: str, style: str) -> list[Styled]:
        lines = self.screen.wrapped(words)
        for line in lines:
            line.stylize(style)
        return lines

    def print(self, view: View, own_seat: int | None, below: Sequence[Styled]) -> None:
        if view is not self.asked:
            self.asked = view
            self.screen.print()
            for line in self.drawing.lines(view, own_seat, 0):
                self.screen.print(line)
        for words, _style in self.notes:
            self.screen.print(words)
        for line in below:
            self.screen.print(line)

    def page(self, lines: Sequence[Styled], words: Sequence[str] = ()) -> str:
        """Something to read in between; what is typed instead of a mere Enter. Tab completes by the words."""
        if not self.screen.fancy:
            for line in lines:
                self.screen.print(line)
            return ""
        room = self.look().height - 3
        if len(lines) > room:
            return self.paged(lines, words)
        return self.screen.read(_("Enter goes on") + " > ", self.drawn(lines), words)

    def drawn(self, lines: Sequence[Styled]) -> Callable[[], None]:
        """Draws a page, and how to draw it again."""

        def draw() -> None:
            notes = [line for words, style in self.notes for line in self.styled(words, style)]
            self.screen.frame([*lines, Styled(), *notes])

        draw()
        return draw

    def paged(self, lines: Sequence[Styled], words: Sequence[str]) -> str:
        """More than fits on the screen; what is typed instead of a mere Enter."""
        from teufelswerk_cli.pager import Shown, show_long  # slow to import, and most games go without

        text = harmless("\n".join(line.plain for line in lines))
        with self.screen.lent():
            shown = show_long(text, _("q goes back to the table"))
            if shown is Shown.AT_ONCE:
                return self.screen.read(_("Enter goes on") + " > ", words=words)
        room = self.look().height - 3
        for start in range(0, len(lines) if shown is Shown.NOT else 0, room):
            redraw = self.drawn(lines[start : start + room])
            if typed := self.screen.read(_("Enter goes on") + " > ", redraw, words):
                return typed
        return ""

    def book(self, sections: list[list[str]], whole: bool, words: Sequence[str]) -> str:
        """Rules to read; what is typed instead of a mere Enter."""
        lines: list[Styled] = []
        for title, *paragraphs in sections:
            lines.append(ink(title, "bold"))
            for paragraph in paragraphs:
                lines += [*self.screen.wrapped(paragraph, "  "), Styled()]
        return self.paged(lines, words) if whole and self.screen.fancy else self.page(lines, words)

    def result(self) -> list[str]:
        """The last words of a game: what decided it, and the ranking."""
        told = [words for words, _style in self.messages[-1:]] if self.screen.fancy else []
        return told + ranking(self.game, self.names, self.session.state)
