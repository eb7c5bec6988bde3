"""A staged scene → the lines of an example that comes to this very position."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from teufelswerk import model
from teufelswerk.compare.staging import BothGames, Staging
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.machine import BOX, members_in_words
from teufelswerk.interpreter.state import Move
from teufelswerk.model.types import NOTHING


@dataclass(frozen=True)
class SceneLine:
    """A line of an example, and the one of the two games (0 or 1) that alone can read it."""

    text: str
    only: int | None = None


def scene_lines(both: BothGames, staging: Staging, places: set[str], keeps: set[tuple[str, int]]) -> list[SceneLine]:
    """The scene with what it has to give: cards that all see, these places, and these and all unusual kept things."""
    argument = f" of {staging.people[staging.argument]}" if staging.argument is not None else ""
    lines = [SceneLine(f"scene {staging.step}{argument}: {', '.join(staging.people)}")]
    lines += _kept(both, staging, keeps)
    lines += _lying(both.games[0], staging, places)
    lines += [
        SceneLine(f"{staging.people[move.player]} {worded(both.games[0], move, staging.people)}")
        for move, _ in staging.moves
    ]
    return lines


def unusual(both: BothGames, staging: Staging) -> dict[tuple[str, int], set[int]]:
    """What is kept otherwise than where the scene begins if nothing is given, with the games that keep it."""
    found: dict[tuple[str, int], set[int]] = {}
    for number, game in enumerate(both.games):
        first = both.first(number, staging.step)
        for index, keep in game.layout.declared:
            usual = first is not None and first.keeps[index] == staging.starts[number].keeps[index]
            if not usual and staging.starts[number].keeps[index] is not None:
                found.setdefault((keep.name, game.layout.keep_key[index]), set()).add(number)
    return found


def given_keeps(both: BothGames, staging: Staging, keeps: set[tuple[str, int]]) -> set[tuple[str, int]]:
    """What a scene says to be kept."""
    return keeps | set(unusual(both, staging))


def _kept(both: BothGames, staging: Staging, keeps: set[tuple[str, int]]) -> Iterator[SceneLine]:
    given = given_keeps(both, staging, keeps)
    written: set[tuple[str, int]] = set()
    for number, game in enumerate(both.games):
        layout = game.layout
        for index, keep in layout.declared:
            key, value = (keep.name, layout.keep_key[index]), staging.starts[number].keeps[index]
            if key not in given or key in written or value is None:
                continue
            written.add(key)
            alone = keep.name not in both.games[1 - number].rules.keeps
            shown = named(game, keep.type, value, staging.people)
            yield SceneLine(f"given {keep.name}{_of(game, keep, key[1], staging)}: {shown}", number if alone else None)


def _lying(game: Game, staging: Staging, places: set[str]) -> Iterator[SceneLine]:
    layout, m = game.layout, staging.starts[0]
    for index, place in enumerate(layout.place_of):
        name, cards = layout.place_names[index], m.places[index]
        if index == BOX or not (name in places or layout.shows(m.keeps, index, cards)):
            continue
        words = f"{place.name}{_of(game, place, layout.place_key[index], staging)}"
        if cards:
            ids = (game.rules.cards[card].id + " up" * layout.lies_up(m.keeps, card) for card in cards)
            yield SceneLine(f"given {words}: {', '.join(ids)}")
        else:
            yield SceneLine(f"given no cards in {words}")


def _of(game: Game, family: model.Keep | model.Place, key: int, staging: Staging) -> str:
    """` of Ann`, ` of red`, or nothing for what there is only one of."""
    return "" if family.key is None else f" of {members_in_words(game.layout, family.key, key, staging.people)}"


def named(game: Game, type: model.Type, value: Any, people: tuple[str, ...]) -> str:
    """A value as a scene has it: people by their names, things by their ids."""
    if isinstance(value, tuple | list):
        return ", ".join(named(game, type.one(), item, people) for item in value)
    if type.kind == "player" or type.same(model.SIDE):
        return people[int(value)]
    if type.kind == "place" and (key := game.rules.places[type.of].key) is not None:
        return members_in_words(game.layout, key, game.layout.place_key[int(value)], people).strip("()")
    return str(game.program.teller.raw(type, value))


def worded(game: Game, move: Move, people: tuple[str, ...]) -> str:
    """A move as a scene has it, without who makes it: `lays 7, top`."""
    choices = zip(game.rules.moves[move.verb].choices, move.picks, strict=True)
    words = [named(game, choice.source.type, pick, people) or NOTHING for choice, pick in choices]
    return f"{move.verb} {', '.join(words)}".rstrip()
