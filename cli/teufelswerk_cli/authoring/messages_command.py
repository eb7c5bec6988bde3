"""The command that writes the texts of a rule file into catalogs beside it, and says how far each language is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import click
from teufelswerk import own_catalogs as catalogs
from teufelswerk.base.texts import Text
from teufelswerk.language.catalogs import Unusable
from teufelswerk.language.i18n import languages

from teufelswerk_cli.console.new_file import new_file
from teufelswerk_cli.console.speech import _, command, say

Refuse = Callable[[Text], Exception]


def write_catalogs(name: str, rule_file: Path, into: Sequence[str], refuse: Refuse) -> None:
    """Brings the catalogs beside a rule file up to date; begins those that are not there yet."""
    folder = rule_file.parent
    wanted = list(dict.fromkeys([*into, *catalogs.written_beside(folder)]))
    if not wanted:
        raise refuse(
            Text("into which language? Write it behind the command, as in `{command}`",
                 command=f"{command()} messages {name} --into de")
        )  # fmt: skip
    for language in checked(wanted, refuse):
        path = catalogs.place_of(folder, language)
        try:
            catalog = catalogs.updated(rule_file, language, catalogs.catalog_at(path, language))
        except Unusable as problem:
            raise refuse(problem.message) from None
        put(path, catalogs.as_po(catalog), refuse)
        tell(str(path), catalogs.progress(catalog))
        if language not in languages():
            click.echo(_("The program itself does not speak `{language}` yet.", language=language))


def begin_language(into: Sequence[str], refuse: Refuse) -> None:
    """Begins catalogs of the program, and says how far each of its languages is."""
    for language in checked(into, refuse):
        if not catalogs.template().exists():
            raise refuse(Text("a new language is begun in a checkout of the program, where its texts are"))
        path = catalogs.place_of(catalogs.template().parents[1], language)
        if not path.exists():
            put(path, catalogs.as_po(catalogs.begun(language)), refuse)
    for language, done in catalogs.spoken():
        tell(language, done)


def checked(wanted: Sequence[str], refuse: Refuse) -> Sequence[str]:
    for language in wanted:
        if not catalogs.known_language(language):
            raise refuse(Text("`{language}` is no language; write its code, as in `de` or `pt_BR`", language=language))
    return wanted


def put(path: Path, written: bytes, refuse: Refuse) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        reason = problem.strerror or str(problem)
        raise refuse(Text("`{path}` cannot be written: {reason}", path=str(path), reason=reason)) from None
    with new_file(path) as part:
        part.write_bytes(written)


def tell(name: str, done: catalogs.Progress) -> None:
    click.echo(_("{name}: {done} of {n} {n:text|texts} translated", name=name, done=done.translated, n=done.texts))
    if done.doubtful:
        suggestions = Text(
            "{n} {n:suggestion|suggestions} to look at: whoever takes `fuzzy` away says that it fits", n=done.doubtful
        )
        click.echo(f"  {say(suggestions)}")
