"""Spoiled rule files and variants, from a seed: each is accepted, or refused with diagnostics, and quickly."""

from __future__ import annotations

import gc
import time
from collections import Counter
from pathlib import Path

import pytest
from spoiling import FILES, KINDS, LOADED, spoiled
from teufelswerk.base.diagnostics import render
from teufelswerk.examples.findings import example_findings
from teufelswerk.examples.trial_games import try_out
from teufelswerk.loading.library import load

SECONDS = 2.0
NORMAL, SLOW = 240, 200_000
NORMAL_PARTS, SLOW_PARTS = 6, 200
FIRST_SLOW_SEED = 1_000_000
SLOWEST_TOLD = 3
EXAMPLES_RUN = 101
"""The examples of every so many files are run too, which takes longer than all the rest."""


def judge(seed: int, folder: Path, trial_seconds: float) -> tuple[str, float]:
    """What becomes of a spoiled file: refused, accepted, or accepted but for what shows in play; and the seconds."""
    kind, files = spoiled(seed)
    for name, lines in files.items():
        (folder / f"{name}.rules.md").write_text("\n".join(lines), encoding="utf-8", errors="surrogatepass")
    started = time.process_time()
    loaded = load(folder / f"{LOADED}.rules.md")
    found, verdict = loaded.diagnostics, "refused"
    if loaded.model is not None:
        found = try_out(loaded.model, seconds=trial_seconds)
        verdict = "fails in play" if found else "accepted"
    seconds = time.process_time() - started
    if verdict == "accepted" and loaded.model is not None and seed % EXAMPLES_RUN == 0:
        found = example_findings(loaded.model, loaded.scenes, seconds=trial_seconds)
    for diagnostic in found:
        assert render(diagnostic, str)
    assert verdict != "refused" or any(diagnostic.is_error for diagnostic in found)
    return f"{kind} {verdict}", seconds


def fuzz(seeds: range, folder: Path, trial_seconds: float) -> Counter[str]:
    """How many of each kind had which verdict; nothing crashes, and nothing takes too long."""
    verdicts: Counter[str] = Counter()
    load(FILES[0])  # the grammar is built once, and that is not what is timed
    gc.freeze()  # nor is the garbage of other tests
    times: list[tuple[float, int]] = []
    for seed in seeds:
        try:
            verdict, seconds = judge(seed, folder, trial_seconds)
        except Exception as problem:
            raise AssertionError(f"seed {seed}: {problem!r}") from problem
        assert seconds < SECONDS, f"seed {seed} took {seconds:.1f} s"
        verdicts[verdict] += 1
        times = sorted([*times, (seconds, seed)])[-SLOWEST_TOLD:]
    slowest = ", ".join(f"seed {seed} with {seconds:.2f} s" for seconds, seed in reversed(times))
    print(f"{dict(sorted(verdicts.items()))}; the slowest: {slowest}")  # noqa: T201
    return verdicts


def part_of(total: int, parts: int, part: int, first_seed: int = 0) -> range:
    size = total // parts
    return range(first_seed + part * size, first_seed + (part + 1) * size)


@pytest.mark.parametrize("part", range(NORMAL_PARTS))
def test_a_spoiled_file_is_accepted_or_refused_with_diagnostics(part: int, tmp_path: Path) -> None:
    verdicts = fuzz(part_of(NORMAL, NORMAL_PARTS, part), tmp_path, trial_seconds=0.2)
    assert all(verdicts[f"{kind.__name__} refused"] for kind in KINDS)
    assert verdicts.total() == NORMAL // NORMAL_PARTS


@pytest.mark.slow
@pytest.mark.parametrize("part", range(SLOW_PARTS))
def test_many_spoiled_files(part: int, tmp_path: Path) -> None:
    """Each part stands alone, so that processes share them; with `-rP` the verdicts of each are shown."""
    verdicts = fuzz(part_of(SLOW, SLOW_PARTS, part, FIRST_SLOW_SEED), tmp_path, trial_seconds=0.03)
    assert all(verdicts[f"{kind.__name__} {verdict}"] for kind in KINDS for verdict in ("refused", "accepted"))
