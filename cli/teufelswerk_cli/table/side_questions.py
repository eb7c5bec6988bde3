"""What can be asked at the table at any time: help, rules, scores, the last cards, what has happened."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.text import Text as Styled
from teufelswerk.interpreter.view import View

from teufelswerk_cli.console.speech import _, say, translator
from teufelswerk_cli.console.speech import command as program
from teufelswerk_cli.table.card_drawing import ink
from teufelswerk_cli.table.rules_text import rules_text
from teufelswerk_cli.table.scores import score_sheet, standings
from teufelswerk_cli.table.screen import Left
from teufelswerk_cli.table.shown_table import ShownTable


def described() -> dict[str, str]:
    """The commands by their English names. The words before the colon are the command in the player's language."""
    return {
        "help": _("help: what you can type here; ? does the same"),
        "why": _("why: with a card, why it may or may not be played"),
        "hint": _("hint: what a careful player would do, and what to expect of each move"),
        "lesson": _("lesson: what has happened, which rule applies now, and what each choice leads to"),
        "choices": _("choices: all that you can do now, with its number"),
        "undo": _("undo: takes your last move back, as long as nobody has learned anything since"),
        "rules": _("rules: the rule that applies now; with `all`, the whole rulebook"),
        "scores": _("scores: how everyone stands, round by round"),
        "last": _("last: what lay on the table before it was taken away"),
        "history": _("history: what has happened so far"),
        "speed": _("speed: how long you see what the others do: slow, normal, quick, none; Enter or space skips"),
        "save": _("save: says where the game is saved, as it always is"),
        "quit": _("quit, exit: leaves the table; `{command} play --resume` goes on later", command=program()),
    }


def spelled(text: str) -> list[str]:
    """The words for a command, of what describes it; the first is the one to learn."""
    return [word.strip() for word in text.partition(":")[0].split(",")]


def command(typed: str) -> tuple[str, str] | None:
    """The command that the line begins with, in English or in the player's language, and the rest of the line."""
    word, _space, rest = typed.partition(" ")
    word = word.lower()
    if word == "?":
        return "help", rest
    for name, text in described().items():
        if word == name or word in [each.lower() for each in spelled(text)]:
            return name, rest.strip()
    return None


def begun(typed: str, commands: Sequence[str]) -> list[str]:
    """Those of some commands that begin with what is typed."""
    word = typed.partition(" ")[0].lower()
    words = {name: (name, *(each.lower() for each in spelled(described()[name]))) for name in commands}
    return [name for name, names in words.items() if any(each.startswith(word) for each in names)]


class Asides:
    """Obeys the commands that need no turn; `undo` is for whoever asks."""

    commands: tuple[str, ...] = ("help", "undo", "rules", "scores", "last", "history", "speed", "save", "quit")

    def __init__(self, table: ShownTable, view: View) -> None:
        self.table = table
        self.session = table.session
        self.view = view
        self.pending = ""
        """What was typed where Enter would have gone on: it counts as typed at the table."""

    def words(self) -> list[str]:
        """What Tab completes."""
        return [spelled(text)[0] for name, text in described().items() if name in self.commands]

    def short_for(self, typed: str) -> bool:
        """Obeys the one command that begins with what is typed, or asks which is meant; False if there is none."""
        names = begun(typed, self.commands)
        if len(names) == 1:
            self.obey(names[0], typed.partition(" ")[2].strip())
        elif names:
            words = [spelled(described()[name])[0] for name in names]
            self.note(_("`{word}` may mean {commands}.", word=typed, commands=translator().list(words, "or")))
        return bool(names)

    def obey(self, name: str, rest: str) -> None:
        self.table.notes.clear()
        if name == "quit":
            raise Left
        if name not in self.commands:
            self.note(_("That has to wait until it is your turn."))
            return
        act: Callable[[str], None] = getattr(self, name)
        act(rest)

    def note(self, words: str, style: str = "") -> None:
        if words:
            self.table.notes.append((words, style))

    def page(self, lines: list[Styled]) -> None:
        self.pending = self.table.page(lines, self.words())

    # ---- commands ---------------------------------------------------------------------------------------------------

    def help(self, rest: str) -> None:
        lines = [line for words in self.advice() for line in self.table.screen.wrapped(words)]
        texts = [text for name, text in described().items() if name in self.commands]
        width = max(len(text.partition(":")[0]) for text in texts) + 4
        for text in texts:
            word, _colon, meaning = text.partition(":")
            first, *others = self.table.screen.wrapped(meaning.strip(), " " * width)
            lines += [ink(f"  {word}".ljust(width), "bold") + ink(first.plain.lstrip()), *others]
        self.page(lines)

    def advice(self) -> list[str]:
        """What else than commands can be typed."""
        return []

    def rules(self, rest: str) -> None:
        verbs = dict.fromkeys(move.verb for move in self.view.moves)
        sections = None
        if verbs and rest.lower() not in ("all", _("all")):
            sections = list(dict.fromkeys(self.table.game.rules.moves[verb].section for verb in verbs))
        self.pending = self.table.book(rules_text(self.table.game, sections), sections is None, self.words())

    def scores(self, rest: str) -> None:
        look, sheet = self.table.look(), self.session.sheet
        stands = standings(self.table.game, self.table.names, self.view, look)
        rounds = score_sheet(self.table.game, self.table.names, sheet, look) if len(sheet) > 1 else []
        self.page([*stands, Styled(), *rounds] if rounds else stands)

    def last(self, rest: str) -> None:
        if self.table.taken is None:
            self.note(_("Nothing has been taken from the table so far."))
            return
        name, view = self.table.taken
        self.page(self.table.drawing.laid_together(name, view))

    def history(self, rest: str) -> None:
        told = [say(told.to(self.view.seat), self.table.names) for told in self.session.told]
        self.page([line for words in told for line in self.table.screen.wrapped(words)])

    def speed(self, rest: str) -> None:
        words = {"slow": _("slow"), "normal": _("normal"), "quick": _("quick"), "none": _("none")}
        start = rest.lower()
        found = [name for name, word in words.items() if start and (name.startswith(start) or word.startswith(start))]
        if len(found) == 1:
            self.table.screen.speed = found[0]
            self.note(_("From now on: {speed}.", speed=words[found[0]]))
        else:
            now, said = words[self.table.screen.speed], translator().list(list(words.values()), "or")
            self.note(_("The speed is `{now}`. It can be {speeds}: write it behind the command.", now=now, speeds=said))

    def save(self, rest: str) -> None:
        journal = self.session.journal
        if journal is None:
            self.note(_("This game is not saved."))
        else:
            self.note(_("Every move is saved as it is made, in {file}.", file=str(journal.path)))
