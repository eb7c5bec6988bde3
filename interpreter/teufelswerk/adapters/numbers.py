"""A game → numbers for learners: every move has one number in all positions, every view is a row of numbers.

A learner sees what its seat sees and nothing more, since all of this is made from views.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Literal, TypeAlias, assert_never

from teufelswerk.bots.judge import Judge
from teufelswerk.core import statements as s
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.state import Move, State
from teufelswerk.interpreter.view import View

Reward: TypeAlias = Literal["win", "score", "lead"]
OPEN = 500
"""So many numbers has a move whose choices cannot be counted beforehand, such as several cards together."""


class TooManyMoves(ValueError):
    """A position with more legal moves of one kind than there are numbers for them."""


class Actions:
    """Moves ↔ numbers from 0 on.

    A move with choices that can be counted beforehand (a card, a player, a name, a place, an end, a number of a fixed
    range) has a number for each combination of them. Any other has numbers for the first, second, third … of those
    that are legal in a position.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.ranges: dict[str, list[range] | None] = {}
        self.first: dict[str, int] = {}
        self.count = 0
        for verb, move in game.program.core.moves.items():
            self.ranges[verb] = self._ranges(move)
            self.first[verb] = self.count
            self.count += self._size(verb)

    def _size(self, verb: str) -> int:
        ranges = self.ranges[verb]
        return OPEN if ranges is None else prod(map(len, ranges))

    def _ranges(self, move: s.Move) -> list[range] | None:
        found = [self._range(choice) for choice in move.choices]
        ranges = [each for each in found if each is not None]
        return ranges if len(ranges) == len(found) else None

    def _range(self, choice: s.Choice) -> range | None:
        """What can ever be chosen, if that is known."""
        constant, layout = self.game.program.evaluator.constant, self.game.layout
        if choice.several:
            return None
        if choice.items is None:
            low = constant(choice.low) if choice.low is not None else None
            high = constant(choice.high) if choice.high is not None else None
            return None if low is None or high is None else range(low, max(low, high) + 1)
        match choice.type.kind:
            case "card":
                return range(len(self.game.rules.cards))
            case "player":
                return range(self.game.players)
            case "name":
                return range(len(self.game.rules.names[choice.type.of]))
            case "place":
                return layout.family(choice.type.of)
            case "end":
                family = layout.family(choice.type.of)
                return range(family.start * 2, family.stop * 2)
            case "number" | "truth" | "set":
                return None
            case _:
                assert_never(choice.type.kind)

    def numbers(self, moves: Sequence[Move]) -> dict[int, Move]:
        """The legal moves of a position by their numbers."""
        found: dict[int, Move] = {}
        rank: dict[str, int] = {}
        for move in moves:
            ranges, number = self.ranges[move.verb], 0
            if ranges is None:
                number = rank[move.verb] = rank.get(move.verb, -1) + 1
                if number >= OPEN:
                    raise TooManyMoves(f"more than {OPEN} ways to make the move `{move.verb}`")
            else:
                for each, pick in zip(ranges, self.game.as_seen(move).picks, strict=True):
                    number = number * len(each) + each.index(pick)
            found[self.first[move.verb] + number] = move
        return found


class Observations:
    """Views → rows of numbers, all of one length, in the order of `parts`."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.cards = {card.id: card.face for card in game.rules.cards}
        self.backs = {back: index for index, back in enumerate(sorted({card.back for card in game.rules.cards}))}
        self.places = game.layout.place_names[1:]
        self.turns = {pc: index for index, pc in enumerate(sorted(game.program.turns))}
        keeps = len(game.layout.keep_of)
        self.parts = {
            "seat": game.players,
            "to move": game.players,
            "where the game stands": len(self.turns),
            "what is kept": keeps,
            "how many lie where": len(self.places),
            "backs": len(self.places) * len(self.backs),
            "cards": len(self.places) * len(game.rules.cards),
            "who laid them": len(game.rules.cards),
        }
        self.length = sum(self.parts.values())

    def row(self, view: View) -> list[int]:
        """Cards that are seen have their position in their place, from 1; who laid them counts from 1 too."""
        backs = [0] * (len(self.places) * len(self.backs))
        cards = [0] * (len(self.places) * len(self.game.rules.cards))
        laid = [0] * len(self.game.rules.cards)
        found = dict.fromkeys(self.cards, 0)
        for number, name in enumerate(self.places):
            place = view.places[name]
            for back in place.backs or ():
                backs[number * len(self.backs) + self.backs[back]] += 1
            owners = place.owners or (None,) * place.count
            for position, (card, owner) in enumerate(zip(place.lying or (), owners, strict=False), 1):
                if card is None:
                    continue
                index = self.cards[card] + found[card]  # of identical cards, the one that comes first is the first
                found[card] += 1
                cards[number * len(self.game.rules.cards) + index] = position
                laid[index] = 0 if owner is None else owner + 1
        stands = set(view.flow.pcs)
        return [
            *(int(seat == view.seat) for seat in range(self.game.players)),
            *(int(seat == view.to_move) for seat in range(self.game.players)),
            *(int(pc in stands) for pc in self.turns),
            *(-1 if value is None else value for value in view.flow.keeps),
            *(view.places[name].count for name in self.places),
            *backs,
            *cards,
            *laid,
        ]


class Rewards:
    """What a game that is over was worth to each player.

    `win`: 1 for the winner, shared if several have won. `score`: what decides the game, with the sign that makes more
    better. `lead`: the same less what all have on average, so that everything that one wins is lost by the others.
    """

    def __init__(self, game: Game, by: Reward) -> None:
        self.game = game
        self.by = by
        self.judge = Judge(game)

    def of(self, state: State) -> list[float]:
        seats = range(self.game.players)
        if self.by == "win":
            winners = state.winners or ()
            return [1 / len(winners) if seat in winners else 0.0 for seat in seats]
        machine, sign = self.game.thaw(state), 1 if self.judge.highest else -1
        scores = [sign * (self.judge.result(machine, seat) or 0) for seat in seats]
        average = sum(scores) / len(scores) if self.by == "lead" else 0.0
        return [score - average for score in scores]
