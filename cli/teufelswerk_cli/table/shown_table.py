"""A game in progress on a screen: the table, what has happened, answers, pages to read."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.text import Text as Styled
from teufelswerk.base.hidden_characters import harmless
from teufelswerk.interpreter.show import NOBODY
from teufelswerk.interpreter.view import View
from teufelswerk.sessions.session import Session

from teufelswerk_cli.console.speech import _
from teufelswerk_cli.table.card_drawing import Look, ink
from teufelswerk_cli.table.screen import Screen
from teufelswerk_cli.table.table_drawing import TableDrawing

FEWEST_MESSAGES = 3


class ShownTable:
    """Shows a session on a screen."""

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
        self.opening = ""
        """What everyone plays for, until the first question has been answered."""
        self.shared = len(session.people) > 1
        self.watcher = session.people[0] if len(session.people) == 1 else NOBODY
        self.counted = self.view(self.watcher)
        """The position at the last table of numbers."""
        self.taken: tuple[str, View] | None = None
        """The place from which cards were taken away last, and the table before."""
        self.asked: View | None = None
        self.take_back = False
        self.lessons = 0
        self.teaching = False
        """Whether every question begins with a lesson."""
        self.seen = 0
        """So many of the messages have been on the screen long enough."""

    def look(self) -> Look:
        look = self.screen.look()
        if look != self.drawing.look:
            self.drawing = TableDrawing(self.game, self.names, look)
        return look

    def view(self, seat: int) -> View:
        return self.game.view(self.session.state, seat)

    # ---- the screen -------------------------------------------------------------------------------------------------

    def show(self, view: View, own_seat: int | None, below: Sequence[Styled]) -> None:
        """The table, what has happened, and what is asked."""
        if not self.screen.fancy:
            self.print(view, own_seat, below)
            return
        look = self.look()
        below = [part for line in below for part in line.wrap(self.screen.console, look.width - 1)]
        notes = [line for words, style in self.notes for line in self.styled(words, style)]
        opening = self.styled(self.opening, "bold") if self.opening else []
        least = sum(1 for line in self.drawing.lines(view, own_seat, 0, self.session.heaps) if line.plain)
        if least + len(below) + len(notes) + len(opening) + 2 <= look.height:
            notes = [*opening, *notes]
        room = look.height - len(below) - len(notes) - max(FEWEST_MESSAGES, self.unseen()) - 2
        lines = self.drawing.lines(view, own_seat, room, self.session.heaps)
        while (blank := next((line for line in lines if not line.plain), None)) is not None and (
            len(lines) + len(below) + len(notes) + 2 > look.height
        ):
            lines.remove(blank)
        left = max(min(FEWEST_MESSAGES, self.unseen()), look.height - len(lines) - len(below) - len(notes) - 3)
        rule = ink(look.sign("─", "-") * (look.width - 1), "dim")
        told = self.latest(left)
        self.screen.frame([*lines, rule, *told, *([Styled()] if left > len(told) else []), *notes, *below])

    def unseen(self) -> int:
        """How many lines are taken by what nobody has had time to read."""
        return sum(len(self.styled(words, style)) for words, style in self.messages[self.seen :])

    def noted(self) -> int:
        """How many lines are taken by answers, and by what everyone plays for."""
        words = [*(words for words, _style in self.notes), *([self.opening] if self.opening else [])]
        return sum(len(self.styled(each, "")) for each in words)

    def least(self, view: View, own_seat: int | None) -> int:
        """The fewest lines that the table takes."""
        return len(self.drawing.lines(view, own_seat, 0, self.session.heaps))

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
            for line in self.drawing.lines(view, own_seat, 0, self.session.heaps):
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
        from teufelswerk_cli.console.pager import Shown, show_long  # slow to import, and most games go without

        text = harmless("\n".join(line.plain for line in lines))
        with self.screen.lent():
            shown = show_long(text, _("q goes back to the table"))
            if shown is Shown.AT_ONCE:
                return self.screen.read(_("Enter goes on") + " > ", words=words)
        return self.by_pages(lines, words) if shown is Shown.NOT else ""

    def by_pages(self, lines: Sequence[Styled], words: Sequence[str]) -> str:
        """As much as fits on the screen, and then the rest; what is typed instead of a mere Enter."""
        if not self.screen.fancy:
            return self.page(lines, words)
        room = self.look().height - 3 - self.noted()
        for start in range(0, len(lines), room):
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
