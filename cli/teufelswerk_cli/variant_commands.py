"""Commands for changing rules: what can be changed, what a change comes to, and one layout for all files."""

from __future__ import annotations

import re

import click
from teufelswerk.library import known, load, shipped, variants
from teufelswerk.texts import Text, fill, placeholders
from teufelswerk.value_ranges import Range, Value

from teufelswerk_cli.commands import cli, opened, with_language, with_settings
from teufelswerk_cli.speech import _, say, translator

# ---- variants and values --------------------------------------------------------------------------------------------


def show_variants() -> None:
    """Below the games: their variants, and the games in the user's own folder."""
    own = {name: path for name, path in known().items() if name not in shipped()}
    upon = variants()
    for name, path in sorted(own.items(), key=lambda item: (upon.get(item[0], [""])[-1], item[0])):
        model = load(path).model
        if model is None:
            click.echo(f"  {name:18} {_('cannot be read; see `check {name}`', name=name)}")
            continue
        title = say(Text(model.title, msgctxt=f"{model.family}: heading"))
        if name in upon:
            click.echo(f"  {name:18} {title:34} {_('a variant of {game}', game=upon[name][-1])}")
        else:
            players = _("{low}–{high} players", low=model.min_players, high=model.max_players)
            click.echo(f"{name:18} {title:22} {players}")


@cli.command(help=_("Lists the values of a game: what each means, and from when to when it can be changed."))
@click.argument("game")
@with_settings
@with_language
def values(game: str, settings: tuple[dict[str, int], ...]) -> None:
    from teufelswerk.value_ranges import values_of

    loaded = opened(game, settings)
    assert loaded.model and loaded.assembled
    for value in values_of(loaded.model, loaded.assembled):
        click.echo(_("{name} = {number}, {range}", name=value.name, number=value.number, range=_range(value)))
        if value.told is not None:
            click.echo(f"    {_sentence(value.told, value.name)}")


def _range(value: Value) -> Text:
    everywhere = value.range
    if everywhere is None:
        return Text("which works with no number of players")
    if len(set(value.ranges.values())) == 1:
        return _bounds(everywhere)
    single = [
        Text("with {players} players {range}", players=players, range=_bounds(range))
        for players, range in value.ranges.items()
    ]
    return Text("{range} ({single})", range=_bounds(everywhere), single=single)


def _bounds(range: Range) -> Text:
    if range.high is None:
        return Text("at least {low}", low=range.low)
    return Text("from {low} to {high}", low=range.low, high=range.high)


def _sentence(told: Text, name: str) -> str:
    """The sentence of a paragraph that tells a value, in the language of this run."""
    template = translator().translate(told.msgid, told.context)
    sentences = re.split(r"(?<=[.!?]) +", template)
    chosen = next((s for s in sentences if name in {figure for figure, _ in placeholders(s)}), template)
    return fill(chosen, told.values, translator().plural, lambda value, form: translator().show(value, (), form))


@cli.command(help=_("Says what differs between two games, or between a game and a variant of it."))
@click.argument("first", metavar="GAME")
@click.argument("second", metavar="GAME")
@with_settings
@with_language
def diff(first: str, second: str, settings: tuple[dict[str, int], ...]) -> None:
    from teufelswerk_cli.diff import show_diff

    one, other = opened(first), opened(second, settings)
    assert one.model and other.model
    show_diff(one.model, other.model)
