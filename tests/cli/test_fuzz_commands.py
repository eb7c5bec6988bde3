"""Spoiled rule files that are accepted, from a seed: whatever command they are given to says sentences, and in time."""

from __future__ import annotations

import random
import re
import shutil
import time
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path

import pytest
from bounded import Answer, Bounded
from spoiling import LOADED, ORIGINAL, Files, spoiled
from teufelswerk import Game
from teufelswerk.base import chance
from teufelswerk.base.find_files import SUFFIX
from teufelswerk.interpreter.machine import RuleError
from teufelswerk.loading.library import load
from teufelswerk.model import Model

CI_FILES, CI_PARTS = 100, 4
SLOW_FILES, SLOW_PARTS = 5_000, 100
SEEDS_OF_A_PART = 10_000
"""About one spoiled file in eight is accepted, so the parts never meet."""
FIRST_SEED, FIRST_SLOW_SEED = 10_000_000, 20_000_000
SECONDS = 20.0
KILLED_AFTER = 1_800
"""Seconds by the clock, for calls that wait: one that works may stand back behind others for long on a busy machine."""
MEMORY = 2 * 2**30
SECONDS_OF_A_GAME = 2.0
"""Games that take longer are not simulated: they may go on for very long, though each decision is quick."""
SECONDS_OF_A_DECISION = 5.0
SECONDS_TO_SHRINK = 60.0
LINES_TYPED = 20
IN_PAIRS = [words.split() for words in ("play rulebook", "report record") * 5]
IN_PAIRS[4] += ["values"]
IN_PAIRS[9] += ["diff"]
"""In the long run each file is simulated and goes through two of these; every fifth also through one that takes as long
as all the others together."""
IN_TURN = ("play", "rulebook", "report", "play", "record", "report") * 3 + ("values", "diff")
"""In the tests of every day each file is simulated and goes through one of these, rarely through a slow one."""
NATIVE_EVERY = 5
"""Every so many files are also played by machine code, which takes half a second to make."""
DATA = "XDG_DATA_HOME"
FINE, WRONG = 0, 2
SIGNALS = {-9: "it was killed", -14: "it hung", -24: "it took too much of the processor's time"}
MODULES = [
    *(f"teufelswerk.{name}" for name in "bots.players examples.findings report.page rulebook.render".split()),
    *(f"teufelswerk.compare.{name}" for name in "find_scenes value_ranges".split()),
    *(f"teufelswerk.engines.{name}" for name in "counting_reference machine_code random_games".split()),
    *(f"teufelswerk_cli.many.{name}" for name in "report_command simulate_and_bench simulation".split()),
    *(f"teufelswerk_cli.{name}" for name in "authoring.diff table.play table.replay".split()),
]
"""What the commands would import, each call anew."""


ENGINE = re.compile(rb"<dt>Engine</dt><dd>\w+</dd>")


class Harm(Exception):
    """What must not happen, in a few words that stay the same while the file is made smaller, and all that was said."""

    def __init__(self, what: str, details: str = "") -> None:
        super().__init__(what, details)
        self.what, self.details = what, details


# ---- one file through all commands ----------------------------------------------------------------------------------


@dataclass
class Trial:
    """A file that was accepted, and where its commands run and write."""

    run: Bounded
    folder: Path
    rules: Model
    rng: random.Random
    data: Path
    """Where games are saved."""

    def __post_init__(self) -> None:
        self.file = self.folder / f"{LOADED}{SUFFIX}"
        self.players = self.rng.randint(self.rules.min_players, self.rules.max_players)

    def said(self, *words: str | Path, codes: Sequence[int] = (FINE,), typed: str = "") -> Answer:
        """What a command says: sentences, an exit code that it may have, nothing that steers a terminal."""
        answer = self.run.answer(*words, typed=typed)
        command, everything = str(words[0]), f"{' '.join(map(str, words))}\n{answer.out}\n{answer.err}"
        if "Traceback" in answer.err or answer.code not in (FINE, 1, WRONG):
            last = answer.err.strip().splitlines()[-1:] or [""]
            raise Harm(f"{command}: {SIGNALS.get(answer.code, last[0].partition(':')[0])}", everything)
        if answer.seconds > self.run.seconds:
            raise Harm(f"{command}: it took too long", f"{answer.seconds:.1f} s\n{everything}")
        if answer.code not in codes:
            raise Harm(f"{command}: exit code {answer.code}", everything)
        if (answer.code != FINE) > bool(answer.err.strip()):
            raise Harm(f"{command}: it does not say what is wrong", everything)
        if raw := steering(answer.out + answer.err):
            raise Harm(f"{command}: raw control characters", f"{raw}\n{everything}")
        return answer

    def written(self, name: str, begins: bytes, *words: str | Path, codes: Sequence[int] = (FINE,)) -> bytes | None:
        """What a command writes to a file: the file as it should be, or none and a sentence."""
        path = self.folder / name
        path.unlink(missing_ok=True)
        code = self.said(*words, path, codes=codes).code
        made = path.read_bytes() if path.exists() else None
        if (made is None) is (code == FINE) or not (made or begins).startswith(begins):
            raise Harm(f"{words[0]}: what it wrote is not right", " ".join(map(str, words)))
        return made

    # ---- the commands ------------------------------------------------------------------------------------------------

    def simulate(self, engine: str) -> tuple[str, bytes | None]:
        """What is said of some games, and the outcome of each."""
        words = ("simulate", self.file, "--players", str(self.players), "--games", "3", "--jobs", "1")
        rows = self.written("rows.csv", b"seed,", *words, "--engine", engine, "--rows", codes=(FINE, WRONG))
        return self.run.out.read_text(encoding="utf-8"), rows

    def report(self, engine: str) -> bytes | None:
        words = ("report", self.file, "--players", str(self.players), "--games", "2", "--jobs", "1")
        page = self.written("page.html", b"<!", *words, "--engine", engine, "-o", codes=(FINE, WRONG))
        return page and ENGINE.sub(b"", page)

    def engines_agree(self, engine: str) -> None:
        if self.simulate(engine) != self.simulate("reference"):
            raise Harm(f"simulate: {engine} plays other games than the reference")

    def reports_agree(self, engine: str) -> None:
        if self.report(engine) != self.report("reference"):
            raise Harm(f"report: {engine} counts otherwise than the reference")

    def record(self) -> None:
        """A game that was recorded can be shown again, and fits the rules."""
        words = ("simulate", self.file, "--players", str(self.players), "--games", "1", "--record")
        if self.written("game.jsonl", b"{", *words, codes=(FINE, WRONG)) is not None:
            self.said("replay", self.folder / "game.jsonl", "--fast")

    def play(self) -> None:
        """Somebody types whatever there is at the table, is called away, and goes on later."""
        shutil.rmtree(self.data, ignore_errors=True)  # other files' games are not what is gone on with
        people = ("--human", "Eve", "--players", str(self.players), "--bots", "random", "--seed", "1")
        sat = self.said("play", self.file, *people, codes=(FINE, WRONG), typed=self.typed(LINES_TYPED))
        if "The game is saved. To go on" in sat.out:
            self.said("play", "--resume", codes=(FINE, WRONG), typed=self.typed(LINES_TYPED // 3))

    def typed(self, lines: int) -> str:
        """Moves and questions, most of which fit as well as a guess can."""
        card = [card.id for card in self.rules.cards] or ["1"]
        asked = ["?", "undo", "rules", "scores", "history", "save", "why 1", "\x1b[2J", f"why {card[-1]}"]
        kinds = self.rng.choices([[""], list("1234"), card, asked], (3, 3, 3, 1), k=lines)
        return "".join(f"{self.rng.choice(kind)}\n" for kind in kinds)

    def rulebook(self) -> None:
        self.written("book.pdf", b"%PDF", "rulebook", self.file, "--format", "pdf", "-o")

    def values(self) -> None:
        self.said("values", self.file)

    def diff(self) -> None:
        """With its base, or with what it was before it was spoiled; neither need be fine by itself."""
        before = self.folder / f"{ORIGINAL}{SUFFIX}"
        other = self.rules.sources[-1].path if len(self.rules.sources) > 1 else before
        self.said("diff", other, self.file, codes=(FINE if load(other).model else WRONG,))

    def everything(self, commands: Sequence[str], engines: Sequence[str]) -> None:
        """Plays it by the engines, and does what else is asked for."""
        soon = self.ends_soon()
        for engine in engines if soon else ():
            self.engines_agree(engine)
        for command in commands:
            if command == "report" and soon:
                for engine in engines:
                    self.reports_agree(engine)
            elif command == "record" and soon:
                self.record()
            elif command in ("play", "rulebook", "values", "diff"):
                getattr(self, command)()

    def ends_soon(self) -> bool:
        """Whether a game is over soon, or the rules are found at fault; if not, no decision takes long."""
        game = Game(self.rules, self.players)
        machine, rng, began = game.machine(1), chance.stream(1, 1), time.process_time()
        try:
            game.run(machine)
            while machine.winners is None and time.process_time() < began + SECONDS_OF_A_GAME:
                started = time.process_time()
                moves = game.choices(machine)
                rng, index = chance.below(rng, len(moves))
                game.make(machine, moves[index])
                if time.process_time() > started + SECONDS_OF_A_DECISION:
                    raise Harm("a decision takes too long", f"{time.process_time() - started:.1f} s")
        except RuleError:
            pass
        return time.process_time() < began + SECONDS_OF_A_GAME


def steering(text: str) -> str:
    """Characters that a terminal obeys instead of showing them, or that change how others are shown."""
    return " ".join(
        sorted({ascii(c) for c in text if c not in "\n\t" and unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp")})
    )


# ---- many files ------------------------------------------------------------------------------------------------------


class Fuzz:
    """Spoils files, and gives those that are accepted to all commands."""

    def __init__(self, run: Bounded, folder: Path, commands: Sequence[Sequence[str]]) -> None:
        self.run, self.folder, self.commands = run, folder, commands

    def accepted(self, files: Files) -> Model | None:
        for name, lines in files.items():
            text = "\n".join(lines)
            (self.folder / f"{name}{SUFFIX}").write_text(text, encoding="utf-8", errors="surrogatepass")
        return load(self.folder / f"{LOADED}{SUFFIX}").model

    def verdict(self, files: Files, seed: int, number: int) -> Harm | str:
        """What harm a file does, or that it is refused, or harmless."""
        try:
            rules = self.accepted(files)
            if rules is None:
                return "refused"
            engines = ("python",) if number % NATIVE_EVERY else ("python", "native")
            trial = Trial(self.run, self.folder, rules, random.Random(seed), self.run.out.parent / DATA)
            trial.everything(self.commands[number % len(self.commands)], engines)
        except Harm as found:
            return found
        except Exception as problem:
            return Harm(f"check: {type(problem).__name__}", repr(problem))
        return "harmless"

    def __call__(self, first_seed: int, files: int) -> Counter[str]:
        """So many accepted files from a seed on, by kind; the first harm ends it, with a small file that does it."""
        kinds: Counter[str] = Counter()
        for seed in count(first_seed):
            kind, spoilt = spoiled(seed)
            found = self.verdict(spoilt, seed, kinds.total())
            if isinstance(found, Harm):
                small = self.shrunk(spoilt, partial(self.does, found.what, seed, kinds.total()))
                told = "\n".join(f"---- {name}{SUFFIX}\n" + "\n".join(lines) for name, lines in small.items())
                raise AssertionError(f"seed {seed}: {found.what}\n{found.details[-3000:]}\n{told[:6000]}")
            kinds[kind] += found == "harmless"
            if kinds.total() >= files:
                break
        return kinds

    def does(self, what: str, seed: int, number: int, files: Files) -> bool:
        found = self.verdict(files, seed, number)
        return isinstance(found, Harm) and found.what == what

    def shrunk(self, files: Files, fails: Callable[[Files], bool]) -> Files:
        """Lines are left out as long as the same harm is done, for a while."""
        until = time.monotonic() + SECONDS_TO_SHRINK
        for name in (LOADED, *(other for other in files if other not in (LOADED, ORIGINAL))):
            size = len(files[name]) // 2
            while size and time.monotonic() < until:
                at = 0
                while at < len(files[name]) and time.monotonic() < until:
                    less = {**files, name: files[name][:at] + files[name][at + size :]}
                    if fails(less):
                        files = less
                    else:
                        at += size
                size //= 2
        return files


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bounded]:
    folder = tmp_path_factory.mktemp("bounded")
    homes = {name: str(folder / name) for name in ("HOME", DATA, "XDG_CACHE_HOME")}
    with Bounded(folder, SECONDS, MEMORY, KILLED_AFTER, MODULES, homes) as bounded:
        yield bounded


@pytest.mark.parametrize("part", range(CI_PARTS))
def test_commands_say_sentences_of_spoiled_files(part: int, run: Bounded, tmp_path: Path) -> None:
    fuzz = Fuzz(run, tmp_path, [(command,) for command in IN_TURN])
    kinds = fuzz(FIRST_SEED + part * SEEDS_OF_A_PART, CI_FILES // CI_PARTS)
    assert kinds.total() == CI_FILES // CI_PARTS


@pytest.mark.slow
@pytest.mark.parametrize("part", range(SLOW_PARTS))
def test_commands_say_sentences_of_many_spoiled_files(part: int, run: Bounded, tmp_path: Path) -> None:
    fuzz = Fuzz(run, tmp_path, IN_PAIRS)
    kinds = fuzz(FIRST_SLOW_SEED + part * SEEDS_OF_A_PART, SLOW_FILES // SLOW_PARTS)
    assert kinds.total() == SLOW_FILES // SLOW_PARTS
