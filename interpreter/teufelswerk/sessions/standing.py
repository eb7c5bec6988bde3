"""What is kept of each player → the numbers that count, round by round, and who stands where at the end."""

from __future__ import annotations

from collections.abc import Iterable

from teufelswerk.base.texts import Seat, Text
from teufelswerk.bots.judge import Judge
from teufelswerk.core.aim import aim_of
from teufelswerk.core.forms import Kept
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.state import State
from teufelswerk.interpreter.view import View


def numbers_kept(game: Game, view: View) -> dict[str, tuple[int, ...]]:
    """The numbers that are kept of each player, or of each side."""
    return {
        name: tuple(value or 0 for value in view.keeps[name])
        for name, keep in game.rules.keeps.items()
        if keep.counts and keep.seen_by == "all"
    }


def deciding(game: Game, numbers: Iterable[str]) -> list[str]:
    """Of the numbers that are kept, the one that decides the game; all of them if it is none of them."""
    aim, found = aim_of(game.program.core), list(numbers)
    name = aim.by.keep.name if aim is not None and isinstance(aim.by, Kept) else ""
    return [name] if name in found else found


def sides_seated(game: Game) -> list[list[Seat]]:
    """The players of each side or, where there are none, each player."""
    return [[Seat(seat) for seat in seats] for seats in game.rules.together(game.players)]


def ranking(game: Game, state: State) -> list[Text]:
    """The players, or sides, in the order in which they have finished; equals share a place."""
    judge, machine = Judge(game), game.thaw(state)
    sides, winners = sides_seated(game), state.winners or ()
    results = [judge.result(machine, side) for side in range(len(sides))]
    won, sign = [side for side in range(len(sides)) if side in winners], -1 if judge.highest else 1
    order = sorted(range(len(sides)), key=lambda side: sign * (results[side] or 0))
    if None in results or set(won) != set(order[: len(won)]):  # something else has decided
        seats = [Seat(seat) for seat in winners]
        return [Text("{winners} {winners:wins|win}.", winners=seats) if seats else Text("Nobody wins.")]
    lines, place = [], 0
    for position, side in enumerate(order):
        if position == 0 or results[side] != results[order[position - 1]]:
            place = position + 1
        lines.append(Text("{place}. {player}: {result}", place=place, player=sides[side], result=results[side]))
    return lines
