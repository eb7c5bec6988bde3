"""The command that makes a game's rulebook, as Markdown, HTML or PDF."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import click
from teufelswerk.base.hidden_characters import harmless
from teufelswerk.base.texts import Text
from teufelswerk.language.i18n import edition_in
from teufelswerk.loading.library import Loaded
from teufelswerk.rulebook.content import book_of
from teufelswerk.rulebook.render import FORMS, Form, render
from teufelswerk.rulebook.typeset import NotTypeset

from teufelswerk_cli.console.new_file import new_file
from teufelswerk_cli.console.options import by_ending, need
from teufelswerk_cli.console.speech import say, translator
from teufelswerk_cli.console.terminal import put


def form_of(form: str | None, output: str | None) -> Form:
    """The format asked for, else the one that the file's name ends in, else Markdown."""
    if form is None and output is not None and Path(output).suffix:
        form = by_ending(output, FORMS)
    return next((known for known in FORMS if known == form), FORMS[0])


def write_rulebook(
    loaded: Loaded,
    form: str | None,
    output: str | None,
    clauses: bool,
    exact: bool,
    refuse: Callable[[Text], Exception],
) -> None:
    """Writes the rulebook to the file, or to the standard output."""
    assert loaded.model
    wanted = form_of(form, output)
    if wanted == "pdf" and output is None and sys.stdout.isatty():
        raise refuse(Text("a PDF cannot be shown here; name a file with `-o FILE`"))
    if wanted == "pdf":
        need("pdf")
    try:
        made = render(
            book_of(loaded.model, loaded.scenes, edition_in(translator().language)),
            wanted,
            translator(),
            clauses,
            exact,
        )
    except NotTypeset as problem:
        raise refuse(problem.message) from None
    if output is None:
        put(made if wanted == "pdf" else harmless(made.decode()).encode())
        return
    with new_file(output) as part:
        part.write_bytes(made)
    click.echo(say(Text("written to `{path}`", path=output)))
