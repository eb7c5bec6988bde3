"""Shows what differs between two games: cards, values, rules, moves, and positions that tell them apart."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

import click
from teufelswerk import differences as changes
from teufelswerk.machine import Event
from teufelswerk.model import Model
from teufelswerk.state import Move
from teufelswerk.telling import Comparison, Side, Telling, compare
from teufelswerk.texts import Text

from teufelswerk_cli.speech import _, say, translator

WIDTH = 100


def show_diff(first: Model, second: Model) -> None:
    """Prints everything that differs; says so if nothing does."""
    titles = [say(Text(rules.title, msgctxt=f"{rules.family}: heading")) for rules in (first, second)]
    if titles[0] == titles[1]:
        titles = [first.name, second.name]
    click.echo(f"- {titles[0]}\n+ {titles[1]}")
    found = False
    for heading, lines in (
        (Text("Cards"), cards(first, second)),
        (Text("Values"), values(first, second)),
        (Text("Rules"), rules(first, second)),
        (Text("Who may do what"), moves(first, second)),
        (Text("In play"), play(compare(first, second), titles)),
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
    elif not shown:
        click.echo("\n" + _("No position was found in which they play differently."))


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
        yield f"{change.name}: {before} → {after}"


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


def moves(first: Model, second: Model) -> Iterator[str]:
    for change in changes.move_changes(first, second):
        rules, sign = (first, "-") if change.in_first else (second, "+")
        verb = term(rules, change.verb, "move")
        if change.condition is None:
            yield f"{sign} {verb}"
        else:
            words = say(change.condition) if isinstance(change.condition, Text) else change.condition
            yield f"{sign} {verb}: {words}"


# ---- in play --------------------------------------------------------------------------------------------------------


def play(found: Comparison, titles: list[str]) -> Iterator[str]:
    for players, lines in list(found.beginnings.items())[:1]:
        yield _("At the beginning, with {players} players:", players=players)
        for name, before, after in lines:
            if before == after:
                yield "  " + _("{name}: other cards", name=name)
            else:
                yield f"  {name}: {before} → {after}"
    for telling in (found.allowed, found.happens):
        if telling is not None:
            yield ""
            yield from position(telling, titles)


def position(telling: Telling, titles: list[str]) -> Iterator[str]:
    scene = telling.scene()
    names = scene[0].split(": ")[1].split(", ")
    if telling.alone is not None:
        yield _("Here {player} may choose a card that only one of the games has:", player=names[telling.player])
    elif telling.move is None:
        yield _("Here {player} may do different things:", player=names[telling.player])
    else:
        yield _("Here the same move of {player} comes to something else:", player=names[telling.player])
    yield ""
    yield from (f"    {line}" for line in scene)
    if telling.move is not None:
        yield f"    {names[telling.player]} {worded(telling.sides[0], telling.move)}"
    yield ""
    for number, (sign, title, side) in enumerate(zip("-+", titles, telling.sides, strict=True)):
        if telling.alone not in (None, number):
            continue
        yield f"{sign} {title}"
        yield from (f"    {line}" for line in (outcome(telling, side, names) if telling.move else allowed(side)))


def worded(side: Side, move: Move) -> str:
    return f"{move.verb} {', '.join(str(value) for value in side.game.choice(move).values())}".rstrip()


def allowed(side: Side) -> Iterator[str]:
    for verb in dict.fromkeys(move.verb for move in side.moves):
        chosen = [" ".join(map(str, side.game.choice(m).values())) for m in side.moves if m.verb == verb]
        yield f"{term(side.game.rules, verb, 'move')}: {', '.join(chosen)}".rstrip(": ")
    if not side.moves:
        yield _("nothing")


def outcome(telling: Telling, side: Side, names: list[str]) -> Iterator[str]:
    """What is told; if that is the same in both games, what is recorded."""
    told = [[str(e.text) for e in s.events if e.text is not None] for s in telling.sides]
    if told[0] != told[1]:
        yield from (say(event.text, names) for event in side.events if event.text is not None)
        return
    other = telling.sides[1] if side is telling.sides[0] else telling.sides[0]
    theirs = [event.record for event in other.events]
    lines = [recorded(event, names) for event in side.events if event.record not in theirs]
    yield from [line for line in lines if line] or [_("nothing more")]


def recorded(event: Event, names: list[str]) -> str:
    record = event.record
    match record["event"]:
        case "keep":
            of = record.get("of")
            owner = f" ({names[of] if isinstance(of, int) else of})" if of is not None else ""
            return f"{record['name']}{owner} = {record['value']}"
        case "cards":
            return f"{', '.join(record['cards'])}: {record['from']} → {record['to']}"
        case "end":
            return _("{winners} {winners:wins|win}", winners=translator().list([names[s] for s in record["winners"]]))
    return ""
