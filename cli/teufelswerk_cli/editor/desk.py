"""The files that are being written: opened again when the typing pauses, then tried out beside it."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from teufelswerk.base.diagnostics import Diagnostic, Source, Span
from teufelswerk.editing.one_clause import inherit
from teufelswerk.editing.opened import Opened, opened

from teufelswerk_cli.editor.judging import Judged, Judging
from teufelswerk_cli.editor.places import path_of

PAUSE = 0.25
"""Seconds without a keystroke after which a file is checked."""

REST, MOST_CHECKS = 3.0, 200
"""Seconds of rest, or so many checks, after which memory is tidied up: that takes longer than a keystroke may."""


@dataclass
class Sheet:
    """A file on the desk."""

    uri: str
    path: Path
    text: str
    version: int | None = None
    file: Opened | None = None
    """As it was opened last."""
    judging: Judging | None = None
    judged: Judged | None = None
    """How it came out when it was tried out last; a few lines may have changed since."""
    judged_file: Opened | None = None
    """As it was then."""
    waiting: asyncio.TimerHandle | None = None


class Desk:
    """All the files that are open in an editor. `tell` is called whenever something has been found about one,
    `concluded` when its examples have been run."""

    def __init__(
        self, tell: Callable[[Sheet, list[Diagnostic]], None], concluded: Callable[[], None], pause: float = PAUSE
    ) -> None:
        self.sheets: dict[str, Sheet] = {}
        self.tell, self.concluded = tell, concluded
        self.pause = pause
        self.resting: asyncio.TimerHandle | None = None
        self.checks = 0

    # ---- what is written ------------------------------------------------------------------------------------------

    def write(self, uri: str, text: str, version: int | None) -> None:
        """What a file says now. It is looked at at once if it is new, else when the typing pauses."""
        sheet = self.sheets.get(uri)
        if sheet is None:
            sheet = self.sheets[uri] = Sheet(uri, path_of(uri), text, version)
            self.look_at(sheet)
            return
        sheet.text, sheet.version = text, version
        self.call_off(sheet)
        if self.resting is not None:
            self.resting.cancel()
        self.resting = asyncio.get_running_loop().call_later(REST, self.tidy_up)
        sheet.waiting = asyncio.get_running_loop().call_later(self.pause, self.look_at, sheet)

    def tidy_up(self) -> None:
        self.checks = 0
        gc.collect()

    def put_away(self, uri: str) -> None:
        sheet = self.sheets.pop(uri, None)
        if sheet is not None:
            self.call_off(sheet)

    def call_off(self, sheet: Sheet) -> None:
        if sheet.waiting is not None:
            sheet.waiting.cancel()
        if sheet.judging is not None:
            sheet.judging.call_off()
        sheet.waiting = sheet.judging = None

    # ---- what it means --------------------------------------------------------------------------------------------

    def now(self, uri: str) -> Opened | None:
        """A file as it is written at this moment."""
        sheet = self.sheets.get(uri)
        if sheet is None:
            return None
        texts = self.texts()
        if sheet.file is None or not _is_current(sheet.file, sheet.text, texts):
            before, sheet.file = sheet.file, opened(sheet.path, sheet.text, texts)
            if before is not None:
                inherit(before, sheet.file)
        return sheet.file

    def lately(self, uri: str) -> Opened | None:
        """A file as it was looked at last: for what is asked at every keystroke."""
        sheet = self.sheets.get(uri)
        return self.now(uri) if sheet is None or sheet.file is None else sheet.file

    def texts(self) -> dict[Path, str]:
        return {sheet.path.resolve(): sheet.text for sheet in self.sheets.values()}

    def look_at(self, sheet: Sheet) -> None:
        """Checks a file and tells what was found, then tries it out; so too what is made from it."""
        self.call_off(sheet)
        if self.sheets.get(sheet.uri) is not sheet:
            return
        self.checks += 1
        if self.checks > MOST_CHECKS:
            self.tidy_up()
        before, file = sheet.file, self.now(sheet.uri)
        assert file is not None
        kept = still_there(sheet.judged.found, file.source) if sheet.judged else []
        is_wrong = any(d.is_error for d in file.found)
        self.tell(sheet, file.found + ([] if is_wrong else kept))
        if not is_wrong:
            loop = asyncio.get_running_loop()

            def done(judged: Judged) -> None:
                loop.call_soon_threadsafe(self.conclude, sheet, file, judged)

            sheet.judging = Judging(file, done)
        if before is not file:
            for other in list(self.sheets.values()):
                if other is not sheet and other.file is not None and _builds_upon(other.file, sheet.path):
                    other.waiting = asyncio.get_running_loop().call_later(self.pause, self.look_at, other)

    def conclude(self, sheet: Sheet, file: Opened, judged: Judged) -> None:
        """A file has been tried out; if it is still as it was, that is told."""
        if sheet.file is file and sheet.judging is not None and sheet.judging.file is file:
            sheet.judging, sheet.judged, sheet.judged_file = None, judged, file
            self.tell(sheet, file.found + judged.found)
            self.concluded()


def _is_current(file: Opened, text: str, texts: dict[Path, str]) -> bool:
    if file.source.text != text.replace("\r\n", "\n"):
        return False
    assert file.loaded.assembled
    _, *bases = file.loaded.assembled.sources
    return all(texts.get(Path(base.path).resolve(), base.text) == base.text for base in bases)


def _builds_upon(file: Opened, path: Path) -> bool:
    assert file.loaded.assembled
    return any(Path(base.path).resolve() == path.resolve() for base in file.loaded.assembled.sources[1:])


def still_there(found: list[Diagnostic], source: Source) -> list[Diagnostic]:
    """Findings about an earlier text, at the lines that are still the same, wherever these stand now."""
    moved = []
    for finding in found:
        span = finding.span
        if span is None or span.source.path != source.path:
            continue
        line = span.source.lines[span.line - 1]
        places = [number for number, other in enumerate(source.lines, 1) if other == line]
        if places:
            number = min(places, key=lambda place: abs(place - span.line))
            moved.append(replace(finding, span=Span(source, number, span.column, span.end), related=()))
    return moved
