"""A rule file that was read → remarks on words that have not changed with their lines since somebody last looked.

The first time a file is compared with its last commit, with the game that it is a copy of, or with its base; from then
on with what it was at the look before. A doubt stays until the words change, the line comes back, or somebody says that
they are still true.
"""

from __future__ import annotations

from teufelswerk.base.diagnostics import Diagnostic
from teufelswerk.base.texts import Text
from teufelswerk.compare.stale_words import Doubt, carried_on, doubts_between, stale_findings
from teufelswerk.loading.library import Loaded
from teufelswerk.loading.version_before import base_of, keep, version_before

from teufelswerk_cli.console.speech import command


def words_in_doubt(name: str, loaded: Loaded, still_true: bool = False) -> list[Diagnostic]:
    """Nothing of a file that cannot be used: what was looked at before stays what it is compared with."""
    if loaded.model is None or loaded.assembled is None:
        return []
    now, before = loaded.assembled.sources[0], version_before(loaded.path)
    doubts: list[Doubt] = []
    if before is not None:
        doubts = carried_on([Doubt(*row) for row in before.doubts], doubts_between(before.source, now), now)
    elif (base := base_of(loaded.path)) is not None:
        # what a variant adds below words that it keeps was written with these words in sight
        doubts = [doubt for doubt in doubts_between(base, now) if doubt.old]
    if still_true:
        doubts = []
    keep(now, loaded.path, [(doubt.heading, doubt.words, doubt.old, doubt.new) for doubt in doubts])
    help = Text(
        "write them anew or, if they are still true, say so: `{command} check {file} --still-true`",
        file=name,
        command=command(),
    )
    return stale_findings(doubts, now, help)
