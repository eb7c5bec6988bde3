"""Shows what differs between two games: cards, values, rules, moves, and positions that tell them apart."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

import click
from teufelswerk.base.limits import SECONDS_OF_DIFF
from teufelswerk.base.texts import Text
from teufelswerk.compare import differences as changes
from teufelswerk.compare.find_scenes import compare
from teufelswerk.model import Model
from teufelswerk.model.scenes import SceneModel
from teufelswerk.rulebook.words import verb_term

from teufelswerk_cli.authoring.diff_position import play
from teufelswerk_cli.console.speech import _, say

WIDTH = 100


def show_diff(first: Model, second: Model, scenes: Sequence[tuple[int, SceneModel]] = ()) -> None:
    """Prints everything that differs; says so if nothing does. `scenes` are examples of either game."""
    titles = [say(Text(rules.title, msgctxt=f"{rules.family}: heading")) for rules in (first, second)]
    if titles[0] == titles[1]:
        titles = [first.name, second.name]
    click.echo(f"- {titles[0]}\n+ {titles[1]}")
    found, played = False, compare(first, second, scenes)
    for heading, lines in (
        (Text("Cards"), cards(first, second)),
        (Text("Values"), values(first, second)),
        (Text("Rules"), rules(first, second)),
        (Text("Who may do what"), moves(first, second)),
        (Text("In play"), play(played, first, titles)),
    ):
        shown = list(lines)
        if shown:
            shown = shown if shown[0] else shown[1:]
            found = True
            click.echo(f"\n{say(heading)}")
            for line in shown:
                click.echo(f"  {line}" if line else "")
    if not found:
        click.echo(_("Nothing differs."))
    elif not shown and played.differs:
        click.echo(
            "\n" + _("They play differently, but no scene can show it: the step in which they do so also deals.")
        )
    elif not shown:
        click.echo("\n" + _("No scene was found that shows them play differently."))
    if played.stopped:
        click.echo(_("Stopped looking after {seconds} seconds.", seconds=SECONDS_OF_DIFF))


def term(rules: Model, name: str, sort: str) -> str:
    return say(Text(name.replace("-", " "), msgctxt=f"{rules.family}: {sort}"))


def cards(first: Model, second: Model) -> Iterator[str]:
    alone: dict[str, list[str]] = {"-": [], "+": []}
    for change in changes.card_changes(first, second):
        if change.attribute is None:
            alone["-" if change.first else "+"].append(change.id)
        else:
            attribute = term(first, change.attribute, "attribute")
            yield f"{change.id}: {attribute} {change.first or '–'} → {change.second or '–'}"
    for sign, ids in alone.items():
        if ids:
            yield f"{sign} {', '.join(ids)}"


def values(first: Model, second: Model) -> Iterator[str]:
    for change in changes.value_changes(first, second):
        before = "–" if change.first is None else change.first
        after = "–" if change.second is None else change.second
        line = f"{change.name}: {before} → {after}"
        if change.players is None:
            yield line
        else:
            yield _("{change} (with {players} players)", change=line, players=change.players)


def rules(first: Model, second: Model) -> Iterator[str]:
    for number, change in enumerate(changes.rule_changes(first, second)):
        if number:
            yield ""
        yield say(change.heading)
        for sign, texts in (("-", change.first), ("+", change.second)):
            for text in texts:
                lines = textwrap.wrap(say(text), WIDTH)
                yield from (f"  {sign if i == 0 else ' '} {line}" for i, line in enumerate(lines))
        for sign, line in change.clauses:
            yield f"  {sign}     {line}"
        if change.clauses and change.exact:
            yield _("In exact words:")
            for sign, text in change.exact:
                lines = textwrap.wrap(say(text), WIDTH)
                yield from (f"  {sign if i == 0 else ' '} {line}" for i, line in enumerate(lines))


def moves(first: Model, second: Model) -> Iterator[str]:
    for change in changes.move_changes(first, second):
        rules, sign = (first, "-") if change.in_first else (second, "+")
        verb = say(verb_term(rules, change.verb))
        if change.condition is None:
            yield f"{sign} {verb}"
        else:
            words = say(change.condition) if isinstance(change.condition, Text) else change.condition
            yield f"{sign} {verb}: {words}"
