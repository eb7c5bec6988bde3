"""What takes too long for every keystroke, a few games and all examples: run beside the editing, called off by it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event, Thread

from teufelswerk.base.budget import Deadline, OutOfTime, until_called_off
from teufelswerk.base.diagnostics import Diagnostic
from teufelswerk.base.limits import SECONDS_OF_EXAMPLES
from teufelswerk.editing.one_clause import prepare
from teufelswerk.editing.opened import Opened
from teufelswerk.examples.findings import findings_of
from teufelswerk.examples.run_scenes import SceneResult, run_scenes
from teufelswerk.whole_file import rule_findings, scenes_to_run

from teufelswerk_cli.authoring.words_in_doubt import words_in_doubt


@dataclass
class Judged:
    """What trying out a file has found, and how its examples came out."""

    found: list[Diagnostic]
    results: list[SceneResult] = field(default_factory=list)


class Judging:
    """One file that is being tried out, in a thread of its own."""

    def __init__(self, file: Opened, done: Callable[[Judged], None]) -> None:
        self.file = file
        self.done = done
        self.called_off = Event()
        Thread(target=self._work, name="judging", daemon=True).start()

    def call_off(self) -> None:
        """Ends it; what has been found is of no use to anybody now."""
        self.called_off.set()

    def _work(self) -> None:
        with until_called_off(self.called_off):
            try:
                prepare(self.file)
                judged = judge(self.file)
            except OutOfTime:
                return
        if not self.called_off.is_set():
            self.done(judged)


def judge(file: Opened) -> Judged:
    """All that is wrong with a file beyond what the checker says, and its examples run."""
    loaded = file.loaded
    found = rule_findings(loaded)
    more = [d for d in found if d not in file.found]
    more += words_in_doubt(file.path.name, loaded, remember=False)
    scenes = scenes_to_run(loaded, found)
    if loaded.model is None or not scenes:
        return Judged(more)
    results = list(run_scenes(loaded.model, scenes, Deadline(SECONDS_OF_EXAMPLES)))
    return Judged(more + findings_of(loaded.model, results), results)
