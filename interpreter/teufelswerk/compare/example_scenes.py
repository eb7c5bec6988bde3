"""An example of one of two games → scenes that can be staged in both, as far as its moves can be made in both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from teufelswerk.base.texts import Text
from teufelswerk.compare.staging import BothGames, Run, Staging
from teufelswerk.examples.open_cards import clone
from teufelswerk.examples.open_games import OpenGames
from teufelswerk.examples.scene_table import Failed, SceneTable
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.machine import BOX, Machine, RuleError
from teufelswerk.interpreter.state import Move
from teufelswerk.model import KeepOf
from teufelswerk.model.scenes import Act, Argument, GivenIs, LegalClaim, Play, SceneModel


def staged_examples(both: BothGames, number: int, scene: SceneModel) -> Iterator[Staging]:
    """The example before its first move, after it, and so on. What it leaves open lies nowhere."""
    first = both.first(number, scene.step)
    if first is None or both.first(1 - number, scene.step) is None:
        return
    try:
        start, chosen = _given(both.games[number], both.open_games[number], scene, first)
    except (Failed, RuleError):
        return
    other = both.first(1 - number, scene.step)
    assert other is not None
    positions = (start, other) if number == 0 else (other, start)
    staging = both.stage(scene.step, positions, lender=number)
    if staging is None:
        return
    argument = scene.people.index(scene.argument) if scene.argument is not None else None
    staging = replace(staging, argument=argument, people=scene.people, chosen=frozenset(chosen))
    yield staging
    for line in scene.lines:
        if isinstance(line, Play):
            runs = both.run(staging)
            moves = _same_move(both, runs, scene, line.act) if runs is not None else None
            if moves is None:
                return
            staging = replace(staging, moves=(*staging.moves, moves))
            yield staging


def _given(
    game: Game, tables: OpenGames, scene: SceneModel, first: Machine
) -> tuple[Machine, set[str | tuple[str, int]]]:
    """The position with all cards that the example names, those of a move in places of who makes it.

    Beside it stands what the example gives by name.
    """
    table, m, chosen = (
        SceneTable(game.rules, scene, tables.at(scene.people)),
        clone(first),
        set[str | tuple[str, int]](),
    )
    usable = {card for card, place in enumerate(m.where) if place != BOX}
    m.places = [[] for _ in m.places]
    m.places[BOX] = list(range(len(m.where)))
    m.where = [BOX] * len(m.where)
    for line in scene.lines:
        if isinstance(line, GivenIs):
            target = line.target
            if isinstance(target, KeepOf):
                index = _there(table.kept_at(target)(m))
                m.keeps[index] = table.value(line.values[0], target.keep.type)
                chosen.add((target.keep.name, game.layout.keep_key[index]))
            else:
                chosen |= {argument.text for argument in line.values}
                _lay(game, m, _there(table.game.question(target)(m)), _cards(game, line.values))
    for line in scene.lines:
        if isinstance(line, Play | LegalClaim):
            owned = _own_place(game, table.seats[line.act.person])
            cards = [card for card in _cards(game, line.act.arguments) if card in usable and m.where[card] == BOX]
            if owned is not None:
                _lay(game, m, owned, cards)
    return m, chosen


def _there(number: int | None) -> int:
    """What an example names, if it is there before anything has happened."""
    if number is None:
        raise Failed(Text("there is no such thing"))
    return number


def _cards(game: Game, arguments: Sequence[Argument]) -> list[int]:
    wanted = [argument.text for argument in arguments if argument.members is None]
    before = [wanted[:at].count(text) for at, text in enumerate(wanted)]
    return [
        card.index
        for text, copy in zip(wanted, before, strict=True)
        for card in game.rules.cards
        if card.id == text and card.copy == copy
    ]


def _own_place(game: Game, seat: int) -> int | None:
    """A place where a player keeps cards that only they see."""
    layout = game.layout
    owned = [i for i, place in enumerate(layout.place_of) if layout.owner[i] == seat and place.seen_by == "owner"]
    return owned[0] if owned else None


def _lay(game: Game, m: Machine, place: int, cards: list[int]) -> None:
    for card in cards:
        m.places[m.where[card]].remove(card)
        m.places[place].append(card)
        m.where[card] = place
    if not game.layout.ordered[place]:
        m.places[place].sort()


def _same_move(both: BothGames, runs: tuple[Run, Run], scene: SceneModel, act: Act) -> tuple[Move, Move] | None:
    """The move that a line of the example stands for, if both games allow it."""
    seat, wanted = scene.people.index(act.person), [argument.text for argument in act.arguments]
    described = runs[1].described
    for move, words in zip(runs[0].moves, runs[0].described, strict=True):
        chosen = [
            str(item) for value in words["choice"].values() for item in (value if isinstance(value, list) else [value])
        ]
        if move.player == seat and move.verb == act.verb and chosen[: len(wanted)] == wanted and words in described:
            return move, runs[1].moves[described.index(words)]
    return None
