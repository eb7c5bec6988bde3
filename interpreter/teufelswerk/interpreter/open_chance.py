"""A position and a move → what chance has to decide next, or, when all of it is decided, the position that follows.

Where chance is drawn, nobody needs this. But whoever searches a whole game wants every way in which it can go.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.lots import Lots, Shuffled
from teufelswerk.interpreter.lots import LotWanted as LotWanted
from teufelswerk.interpreter.machine import Machine
from teufelswerk.interpreter.state import Move, State


@dataclass(frozen=True)
class Stand:
    """A position in which a player decides, or with which the game is over."""

    state: State
    """In it, undecided cards lie in the order of the rule file."""
    undecided: tuple[tuple[int, frozenset[int]], ...]
    """Places that have been shuffled, with the positions of which nobody knows which card lies there."""
    moves: tuple[Move, ...]

    def __deepcopy__(self, memo: dict[int, Any]) -> Stand:
        return self


def following(game: Game, stand: Stand | None, move: Move | None, decided: Iterable[int]) -> Stand:
    """What follows a move, or, without one, what a game begins with. Raises LotWanted if more has to be decided."""
    machine = game.machine(0) if stand is None or move is None else game.thaw(stand.state)
    faces = [card.face for card in game.rules.cards]
    lots = machine.lots = Lots(decided, faces)
    for place, undecided in stand.undecided if stand else ():
        machine.places[place] = Shuffled(machine.places[place], undecided, lots)
    if move is None:
        game.run(machine)
    else:
        game.make(machine, move)
    moves = () if machine.winners is not None else tuple(game.choices(machine))
    left = tuple(_settled(machine))
    return Stand(game.freeze(machine), left, moves)


def _settled(machine: Machine) -> Iterator[tuple[int, frozenset[int]]]:
    """Makes ordinary places of the shuffled ones, and tells what was undecided in them."""
    for number, place in enumerate(machine.places):
        if isinstance(place, Shuffled):
            machine.places[number] = list(list.__iter__(place))
            if len(place.undecided) > 1:
                yield number, frozenset(place.undecided)
