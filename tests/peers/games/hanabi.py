"""Hanabi. Who begins is the first player there, and all get as many points as there are cards in the fireworks."""

from __future__ import annotations

from random import Random
from typing import Any

from peers.replaying import Peer, Position, Way

COLOURS = "red yellow green white blue".split()
VALUES = 5


class Hanabi(Peer):
    def seat(self, player: int, now: Position) -> int:
        made: list[int] = [record["player"] for record in now.records if record["event"] == "move"]
        beginner = made[0] if made else now.player
        assert beginner is not None
        return (player - beginner) % self.players

    @property
    def players(self) -> int:
        players: int = self.game.num_players()
        return players

    def hands(self, now: Position) -> list[list[str]]:
        """In their order."""
        players = sorted(range(self.players), key=lambda player: self.seat(player, now))
        return [now.places[f"hand[{player}]"] for player in players]

    def lot(self, now: Position, theirs: Any) -> int:
        done, hands = len(theirs.history()), self.hands(now)
        size = len(hands[0])
        if done < size * self.players:
            return card(hands[done // size][done % size])
        drawn = next(record for record in reversed(now.records) if record.get("from") == "deck")
        return card(drawn["cards"][0])

    def way(self, move: dict[str, Any], now: Position) -> Way:
        choice, player = move["choice"], move["player"]
        size = 5 if self.players < 4 else 4
        match move["move"]:
            case "discards":
                return (choice["card"] - 1,)
            case "plays":
                return (size + choice["card"] - 1,)
            case "tells-colour":
                hints = 2 * size
                hint = COLOURS.index(choice["colour"])
            case _:
                hints = 2 * size + (self.players - 1) * len(COLOURS)
                hint = choice["told"] - 1
        return (hints + ((choice["friend"] - player) % self.players - 1) * 5 + hint,)

    def worth(self, before: Position, after: Position) -> list[float]:
        points = sum(len(cards) for place, cards in after.places.items() if place.startswith("firework"))
        return [float(points if after.keeps["lives"] else 0)] * self.players

    def pick(self, moves: list[dict[str, Any]], now: Position, lots: Random) -> int:
        """At random, all lives are lost at once. So mostly what is played fits."""
        wise = [number for number, move in enumerate(moves) if move["move"] != "plays" or fits(move, now)]
        playing = [number for number in wise if moves[number]["move"] == "plays"]
        if playing and lots.randrange(3):
            return lots.choice(playing)
        return lots.choice(wise) if wise and lots.randrange(30) else lots.randrange(len(moves))


def fits(move: dict[str, Any], now: Position) -> bool:
    colour, value = now.places[f"hand[{move['player']}]"][move["choice"]["card"] - 1].split("-")
    return len(now.places[f"firework[{colour}]"]) + 1 == int(value)


def card(name: str) -> int:
    colour, value = name.split("-")
    return COLOURS.index(colour) * VALUES + int(value) - 1


PEERS = {
    "hanabi": Hanabi(
        "hanabi(players=3)", "hanabi(players=3,max_life_tokens=2)", "hanabi(players=3,max_information_tokens=7)"
    )
} | {f"hanabi {players}": Hanabi(f"hanabi(players={players})") for players in (2, 4, 5)}
