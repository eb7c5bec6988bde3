"""Commands for changing rules: what can be changed, what a change comes to, and one layout for all files."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
from teufelswerk.base.find_files import comes_along, find, is_path
from teufelswerk.base.texts import Text, fill, placeholders

from teufelswerk_cli.console.new_file import write_new
from teufelswerk_cli.console.options import (
    FAILED,
    WRONG,
    Refused,
    cli,
    complaining,
    opened,
    refuse,
    with_language,
    with_settings,
)
from teufelswerk_cli.console.speech import _, complain, translator
from teufelswerk_cli.console.speech import command as program

# ---- values --------------------------------------------------------------------------------------------


@cli.command(help=_("Lists the values of a game: what each means, and from when to when it can be changed."))
@click.argument("game")
@click.argument("names", nargs=-1, metavar="[" + _("NAME") + "]…")
@with_settings
@with_language
def values(game: str, names: tuple[str, ...], settings: tuple[dict[str, int], ...]) -> None:
    from teufelswerk.base.limits import SECONDS_OF_VALUES
    from teufelswerk.compare.value_ranges import numbers, range_in_words, values_of

    loaded = opened(game, settings)
    assert loaded.model and loaded.assembled
    known = numbers(loaded.model)
    for name in names:
        if name not in known:
            raise refuse(Text("there is no value called `{name}` that could be set", name=name))
    tried = 0
    for value in values_of(loaded.model, loaded.assembled, names):
        if value.ranges is None:
            click.echo(f"{value.name} = {value.number}")
            continue
        tried += 1
        range = range_in_words(value.ranges)
        if value.worked_out is None:
            click.echo(_("{name} = {number}, {range}", name=value.name, number=value.number, range=range))
        else:
            click.echo(
                _(
                    "{name} = {number} (`{clause}`), {range}",
                    name=value.name, number=value.number, clause=value.worked_out, range=range,
                )
            )  # fmt: skip
        if value.told is not None:
            click.echo(f"    {_sentence(value.told, value.name)}")
    if tried < len(names or known):
        command = f"`{program()} values {shlex.quote(game)} {_('NAME')}`"
        click.echo(
            _(
                "Stopped after {seconds} seconds: {tried} of {n} {n:value|values} were tried. {command} looks at one.",
                seconds=SECONDS_OF_VALUES, tried=tried, n=len(names or known), command=command,
            )
        )  # fmt: skip


def _sentence(told: Text, name: str) -> str:
    """The sentence of a paragraph that tells a value, in the language of this run."""
    template = translator().translate(told.msgid, told.context)
    sentences = re.split(r"(?<=[.!?]) +", template)
    chosen = next((s for s in sentences if name in {figure for figure, _ in placeholders(s)}), template)
    return fill(chosen, told.values, translator().plural, lambda value, form: translator().show(value, (), form))


# ---- what a change comes to -----------------------------------------------------------------------------------------


@cli.command(help=_("Says what differs between two games; `--variant` and `--set` change the second one."))
@click.argument("first", metavar=_("GAME"))
@click.argument("second", metavar="[" + _("GAME") + "]", required=False)
@with_settings
@with_language
def diff(first: str, second: str | None, settings: tuple[dict[str, int], ...]) -> None:
    from teufelswerk.loading.library import load

    from teufelswerk_cli.authoring.diff import show_diff

    one = load(located_plainly(first))
    if one.model is None:
        complain([d for d in one.diagnostics if d.is_error])
        raise Refused(WRONG)
    other = opened(second or first, settings)
    assert other.model
    own = other.model.sources[0]
    scenes = [(1, scene) for scene in other.scenes if scene.span.source is own]
    show_diff(one.model, other.model, scenes + [(0, scene) for scene in one.scenes])


def located_plainly(name: str) -> Path:
    """The file of a game as it is, whatever variant was asked for."""
    with complaining():
        return find(name)


# ---- one layout -----------------------------------------------------------------------------------------------------


@cli.command(help=_("Writes rule files in the one layout, or with --check only says which are not in it."))
@click.argument("paths", nargs=-1, required=True, metavar=_("FILE…"))
@click.option(
    "--check", "only_check", is_flag=True, help=_("Changes nothing; the exit code is 1 if a file would change.")
)
@with_language
def fmt(paths: tuple[str, ...], only_check: bool) -> None:
    from teufelswerk.syntax.one_layout import formatted
    from teufelswerk.syntax.source import read

    worst = 0
    for name in paths:
        path = located_plainly(name)
        source, found = read(path)
        text, problems = ("", found) if found else formatted(source)
        if problems:
            complain(problems)
            click.echo(_("{name}: cannot be formatted before this is put right", name=name))
            worst = WRONG
        elif text.encode() == path.read_bytes():
            click.echo(_("{name}: in order", name=name))
        elif not only_check and not is_path(name) and comes_along(path):
            click.echo(_("{name}: comes along with the program, so it stays as it is; format a copy of it", name=name))
            worst = WRONG
        elif only_check:
            click.echo(_("{name}: would be formatted", name=name))
            worst = max(worst, FAILED)
        else:
            write_new(path, text)
            click.echo(_("{name}: formatted", name=name))
    if worst:
        raise Refused(worst)
