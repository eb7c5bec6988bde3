"""A rule file that was read → remarks on words that have not changed with their lines since somebody last looked.

The first time a file is compared with its last commit, with the game that it is a copy of, or with its base; from then
on with what it was at the look before. Of its translations, and of a game that comes along, the catalogs remember which
lines they were true of. A doubt stays until the words change, the line comes back, or somebody says that they are still
true.
"""

from __future__ import annotations

from collections.abc import Collection

from teufelswerk.base.diagnostics import Diagnostic, Source
from teufelswerk.base.texts import Text
from teufelswerk.compare.catalogs_in_doubt import Catalogued, in_doubt, said_still_true
from teufelswerk.compare.line_marks import catalog_key
from teufelswerk.compare.stale_words import carried_on, doubts_between, is_about_own_lines, stale_findings
from teufelswerk.compare.told_lines import Doubt
from teufelswerk.language.i18n import DEFAULT
from teufelswerk.loading.library import Loaded
from teufelswerk.loading.version_before import base_of, keep, version_before

from teufelswerk_cli.console.new_file import write_new
from teufelswerk_cli.console.speech import command

NOTHING = Catalogued(frozenset(), ())


def words_in_doubt(name: str, loaded: Loaded, remember: bool = True) -> list[Diagnostic]:
    """Nothing of a file that cannot be used: what was looked at before stays what it is compared with."""
    if loaded.model is None or loaded.assembled is None:
        return []
    now = loaded.assembled.sources[0]
    waiting = _since_the_last_look(loaded, now)
    if remember or version_before(loaded.path) is None:
        keep(now, loaded.path, [(doubt.heading, doubt.words, doubt.old, doubt.new) for doubt in waiting])
    catalogs = in_doubt(loaded.path, now)
    own = catalogs.pop(DEFAULT, NOTHING)
    far = [doubt for doubt in waiting if not is_about_own_lines(doubt, now)]
    doubts = [doubt for doubt in waiting if catalog_key(doubt.key) not in own.true or doubt in far]
    doubts += own.doubts
    help = Text(
        "write them anew or, if they are still true, say so: `{command} check {file} --still-true`",
        file=name,
        command=command(),
    )
    return stale_findings(doubts, now, help, {language: [*found.doubts, *far] for language, found in catalogs.items()})


def _since_the_last_look(loaded: Loaded, now: Source) -> list[Doubt]:
    before = version_before(loaded.path)
    if before is not None:
        return carried_on([Doubt(*row) for row in before.doubts], doubts_between(before.source, now), now)
    if (base := base_of(loaded.path)) is not None:
        # what a variant adds below words that it keeps was written with these words in sight
        return [doubt for doubt in doubts_between(base, now) if doubt.old]
    return []


def say_still_true(loaded: Loaded, languages: Collection[str] | None) -> None:
    """The words tell their lines rightly, in all languages or in these."""
    if loaded.model is None or loaded.assembled is None:
        return
    now = loaded.assembled.sources[0]
    if languages is None or DEFAULT in languages:
        keep(now, loaded.path, [])
    for path, text in said_still_true(loaded.path, now, languages):
        write_new(path, text)
