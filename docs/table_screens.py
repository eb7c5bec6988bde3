"""Plays whole games through a pseudo-terminal and keeps what is on the screen as pictures.

`.venv/bin/python docs/table_screens.py` draws the handful that stands in docs/screens/; with a folder behind it, every
screen of every game there, to be looked at.
"""

from __future__ import annotations

import io
import os
import random
import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pexpect
from rich.console import Console
from rich.text import Text

CHECKOUT = Path(__file__).parent.parent
SCREENS = Path(__file__).parent / "screens"
WIPE = "\x1b[H\x1b[2J\x1b[3J"
COLOURS = re.compile(r"\x1b\[[0-9;]*m")
OTHER = re.compile(r"\x1b\[\??[0-9;]*[A-LN-Za-ln-z]|\x1b[=>]|\r")
PROMPTS = (r"\(\? (?:helps|hilft|— помощь)\) > ", r"(?:Enter|Ввод)[^\n>]{0,60} > ")
NAMES = {"de": "Eva", "en": "Eve", "ru": "Ева"}
MOST_QUESTIONS = 600


@dataclass(frozen=True)
class Sitting:
    """A game at a terminal of some size, and which of its screens are kept."""

    game: str
    language: str
    columns: int
    rows: int
    colour: bool = True
    kept: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        return f"table-{self.game}-{self.language}-{self.columns}{'' if self.colour else '-plain'}"


SITTINGS = [
    Sitting(game, language, *size, colour)
    for game in ("skat", "durak", "gin-rummy", "klondike")
    for language in NAMES
    for size in ((80, 24), (120, 40), (40, 24))
    for colour in (True, False)
]
KEPT = [
    Sitting("skat", "de", 80, 24, kept=(0,)),
    Sitting("durak", "ru", 80, 24, kept=(4,)),
    Sitting("klondike", "en", 80, 24, False, kept=(3,)),
]


def screens(sitting: Sitting, data: Path) -> Iterator[str]:
    """Plays a game to its end, with moves at random, and gives the screen at every question."""
    plain = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "COLUMNS", "LINES")}
    paths = os.pathsep.join(str(CHECKOUT / part) for part in ("interpreter", "cli"))
    fixed = {"XDG_DATA_HOME": str(data), "PYTHONPATH": paths, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
    child = pexpect.spawn(
        sys.executable,
        ["-m", "teufelswerk_cli", "play", sitting.game, "--lang", sitting.language, "--seed", "7", "--bots", "random",
         "--human", NAMES[sitting.language], "--speed", "none"],
        env={**plain, **fixed, **({} if sitting.colour else {"NO_COLOR": "1"})},
        dimensions=(sitting.rows, sitting.columns), encoding="utf-8", timeout=60,
    )  # fmt: skip
    heard = io.StringIO()
    child.logfile_read, child.delaybeforesend = heard, None
    chance, over = random.Random(7), len(PROMPTS)
    for _ in range(MOST_QUESTIONS):
        found = child.expect([*PROMPTS, pexpect.EOF])
        screen = heard.getvalue().rsplit(WIPE, 1)[-1]
        yield screen
        if found == over:
            break
        last = COLOURS.sub("", screen).rstrip().rsplit("\n", 1)[-1]
        listed = re.findall(r"(?:^|\s)#?(\d{1,3}) ", COLOURS.sub("", screen).rsplit("──", 1)[-1])  # below the table
        cards = re.findall(r"(?<![(\w])(?:\d{1,2}|[A-ZА-Я])[♣♦♥♠]", COLOURS.sub("", screen))
        if found == 0:
            child.send((chance.choice([f"#{number}" for number in listed] or cards or ["#1"])) + "\r")
        else:
            child.send("n\r" if "n:" in last or "н:" in last else "\r")
    child.close(force=True)


def picture(screen: str, sitting: Sitting) -> str:
    """A screen as SVG, which loads nothing: a font of the reader's own machine will do."""
    console = Console(record=True, width=sitting.columns, file=io.StringIO(), force_terminal=True,
                      color_system="truecolor", no_color=not sitting.colour)  # fmt: skip
    for line in OTHER.sub("", screen).split("\n"):
        console.print(Text.from_ansi(line), no_wrap=True, crop=True, highlight=False)
    drawn = console.export_svg(title=sitting.game)
    return re.sub(r"@font-face \{.*?\}|<!--.*?-->", "", drawn, flags=re.DOTALL)


def main(folder: Path | None) -> None:
    with tempfile.TemporaryDirectory() as data:
        for sitting in SITTINGS if folder else KEPT:
            for number, screen in enumerate(screens(sitting, Path(data))):
                if folder or number in sitting.kept:
                    name = f"{sitting.name}-{number:03}.svg" if folder else f"{sitting.name}.svg"
                    ((folder or SCREENS) / name).write_text(picture(screen, sitting), encoding="utf-8")
                if not folder and number >= max(sitting.kept):
                    break


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    if target is not None:
        target.mkdir(parents=True, exist_ok=True)
    main(target)
