"""The command that makes sheets of a game's cards, to print and cut out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click
from teufelswerk.base.texts import Text
from teufelswerk.model import Model
from teufelswerk.rulebook.sheets import sheet_svg, sheets_of, sheets_pdf
from teufelswerk.rulebook.typeset import NotTypeset
from teufelswerk.rulebook.wording import Wording

from teufelswerk_cli.console.new_file import new_file
from teufelswerk_cli.console.options import by_ending, need
from teufelswerk_cli.console.speech import say, translator

FORMS = ("pdf", "svg")


def write_cards(rules: Model, output: str, paper: str, backs: bool, refuse: Callable[[Text], Exception]) -> None:
    """A PDF with all sheets, or a numbered picture of each."""
    form, words = by_ending(output, FORMS), Wording(translator()).say
    sheets = [sheet for sheet in sheets_of(rules) if backs or not sheet.back]
    if form == "svg":
        path = Path(output)
        names = [str(path.with_name(f"{path.stem}-{number}{path.suffix}")) for number in range(1, len(sheets) + 1)]
        for name, sheet in zip(names, sheets, strict=True):
            with new_file(name) as part:
                part.write_text(sheet_svg(sheet, paper, words), encoding="utf-8")
        click.echo(say(Text("written to `{first}` up to `{last}`", first=names[0], last=names[-1])))
        return
    need("pdf")
    try:
        made = sheets_pdf(sheets, paper, words)
    except NotTypeset as problem:
        raise refuse(problem.message) from None
    with new_file(output) as part:
        part.write_bytes(made)
    click.echo(say(Text("written to `{path}`", path=output)))
