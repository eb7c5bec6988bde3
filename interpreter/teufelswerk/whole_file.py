"""A rule file that was read → all that is wrong with it: the one answer to whether a file is fine.

It is if it can be read and makes sense, a few games of it can be played with each number of players, and every line of
its examples holds. With other values than its own, its examples are not asked. `check`, `check --watch`, `examples` and
the plugin for pytest all go by this, and a file without errors here is fine for each of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from teufelswerk.base.diagnostics import Diagnostic
from teufelswerk.checker.check import MISFIT
from teufelswerk.compare.value_ranges import unfitting
from teufelswerk.examples.findings import example_findings
from teufelswerk.examples.trial_games import try_out
from teufelswerk.loading.library import Loaded
from teufelswerk.model.scenes import SceneModel


def rule_findings(loaded: Loaded, values: Mapping[str, int] | None = None) -> list[Diagnostic]:
    """What the checker and a few games have found; for values that do not fit the game, only that."""
    if values and (unfit := unfitting(loaded.path, dict(values), loaded.model)):
        return unfit
    found = [replace(d, severity="error") if d.code == MISFIT and not values else d for d in loaded.diagnostics]
    return found + (try_out(loaded.model) if loaded.model else [])


def scenes_to_run(loaded: Loaded, found: list[Diagnostic], values: Mapping[str, int] | None = None) -> list[SceneModel]:
    """The examples by which a file is judged, once its rules are: none where those are wrong."""
    wrong = any(d.is_error and d.code != MISFIT for d in found)
    return [] if values or wrong or loaded.model is None else loaded.scenes


def file_findings(loaded: Loaded, values: Mapping[str, int] | None = None) -> list[Diagnostic]:
    """All that is wrong with a file. It is fine if there is no error among it."""
    found = rule_findings(loaded, values)
    scenes = scenes_to_run(loaded, found, values)
    return found + example_findings(loaded.model, scenes) if loaded.model and scenes else found
