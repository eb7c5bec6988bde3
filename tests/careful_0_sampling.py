"""A decision with very many choices → one of them at random, without a list of them all: for play in a bot's head."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from teufelswerk.core import statements as s
from teufelswerk.core.set_growth import growth_of_choice
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.legal import MoveCode, Picks
from teufelswerk.interpreter.machine import Machine
from teufelswerk.interpreter.state import Move

Random: TypeAlias = Callable[[], float]
Draw: TypeAlias = Callable[[Machine, Random], Any]
DRAWS = 12
"""So many choices are drawn for one move; `if able` leaves those of them that fit, if any do."""


class Sampler:
    """Draws moves that no condition refuses. What is to be done `if able` is done if it is found among some draws."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.draws = {
            verb: [_draw(code, n) for n in range(len(code.slots))] for verb, code in game.program.moves.items()
        }

    def move(self, m: Machine, random: Random) -> Move | None:
        """A move for whoever decides; None if none was come upon, though there may be some."""
        self.game.meter.rest()
        player = self.game.mover(m)
        for group in self.game.turn(m).groups:
            verbs = list(group)
            while verbs:
                verb = verbs.pop(int(random() * len(verbs)))
                found = self.picks(self.game.program.moves[verb], m, player, random)
                if found:
                    return Move(player, verb, found[int(random() * len(found))])
        return None

    def picks(self, code: MoveCode, m: Machine, player: int, random: Random) -> list[Picks]:
        """Some choices for a move."""
        m.slots[code.move.slot] = player
        if not all(holds(m) for holds in code.judged[0]):
            return []
        found: list[Picks] = []
        for _ in range(DRAWS):
            picks = self.drawn(code, m, random)
            if picks is not None:
                found.append(picks)
            if not code.slots or (found and not code.soft):
                break
        for condition in code.soft:
            found = code.fitting(m, condition, found) or found
        return found

    def drawn(self, code: MoveCode, m: Machine, random: Random) -> Picks | None:
        """One choice after the other, if none of them is refused."""
        picks: list[Any] = []
        for number, draw in enumerate(self.draws[code.move.name], 1):
            item = draw(m, random)
            if item is None:
                return None
            m.slots[code.slots[number - 1]] = item
            if not all(holds(m) for holds in code.judged[number]):
                return None
            picks.append(item)
        return tuple(picks)


def _draw(code: MoveCode, number: int) -> Draw:
    choice = code.move.choices[number]
    growth = growth_of_choice(code.move, choice, code.evaluator.rules) if choice.several else None
    if growth is None or growth.condition is not None:  # of sets that must be alike there are few
        return _one(code.sources[number])
    return _several(code, choice)


def _one(source: Callable[[Machine], Sequence[Any]]) -> Draw:
    def draw(m: Machine, random: Random) -> Any:
        items = source(m)
        return items[int(random() * len(items))] if items else None

    return draw


def _several(code: MoveCode, choice: s.Choice) -> Draw:
    assert choice.items is not None
    items, sizes = code.evaluator.items(choice.items), code.sizes(choice)

    def draw(m: Machine, random: Random) -> Any:
        """So many things, in the order in which they lie; few are drawn as often as many."""
        left, found = list(items(m)), list[Any]()
        possible = sizes(m, len(left))
        if not possible:
            return None
        wanted = possible[int(random() * len(possible))]
        for number, item in enumerate(left):
            if random() * (len(left) - number) < wanted - len(found):
                found.append(item)
        return tuple(found)

    return draw
