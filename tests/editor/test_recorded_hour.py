"""The recorded hour of editing that the benchmark plays: it begins and ends with a game, and takes an hour."""

from __future__ import annotations

import sys
from pathlib import Path

from teufelswerk.editing.opened import opened

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))

from recorded_hour import BEGIN, HOUR, KEYS, played


def test_an_hour_of_keys_leads_from_one_game_to_another() -> None:
    lines = BEGIN.read_text(encoding="utf-8").split("\n")
    before, keys = "\n".join(lines), KEYS.read_text(encoding="utf-8")
    pressed = list(played(lines, keys))
    after = "\n".join(lines)
    assert len(pressed) > 3_500 and sum(key.rest for key in pressed) > 200
    assert HOUR * 0.9 < float(keys.splitlines()[-1].split()[0]) < HOUR
    assert before != after
    for text in (before, after):
        assert not [d for d in opened(Path("game.rules.md"), text).found if d.is_error]
