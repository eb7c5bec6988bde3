"""A rule file that was read → all that is wrong with it, examples aside: one answer for `check` and `check --watch`."""

from __future__ import annotations

from teufelswerk.base.diagnostics import Diagnostic
from teufelswerk.compare.value_ranges import unfitting
from teufelswerk.examples.trial_games import try_out
from teufelswerk.loading.library import Loaded


def findings(loaded: Loaded, values: dict[str, int]) -> list[Diagnostic]:
    """What the checker and a few games have found; for values that do not fit the game, only that."""
    if values and (unfit := unfitting(loaded.path, values, loaded.model)):
        return unfit
    return loaded.diagnostics + (try_out(loaded.model) if loaded.model else [])
