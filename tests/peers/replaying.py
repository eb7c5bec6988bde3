"""A random game of ours → the same one in OpenSpiel, decision by decision: who decides, what is legal, how it ends.

One of our games may be many deals, each of which is a whole game there. What is left to chance there happens as it has
happened with us; what players decide is compared before it is done in both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from random import Random
from typing import Any, TypeAlias

import pyspiel
from teufelswerk import Event, Game
from teufelswerk.interpreter.lots import Lots
from teufelswerk.interpreter.machine import Machine

Way: TypeAlias = tuple[int, ...] | frozenset[int]
"""How a move is made there: one action after the other, or these in any order."""


class Disagreement(AssertionError):
    """What they and we say of one position."""


@dataclass(frozen=True)
class Position:
    """All that there is on our table, which nobody sees as a whole."""

    places: dict[str, list[str]]
    keeps: dict[str, Any]
    """A number or name, or a list of them in the order of players, names or sides."""
    records: list[dict[str, Any]] = field(compare=False)
    """What has happened in this deal so far, as records tell it."""
    player: int | None
    """Whose decision it is, if anything is to be decided."""


class Peer:
    """The table of one game. Players have the same numbers here and there, unless `seat` says otherwise."""

    begins = "game"
    """The step with which a deal begins, and with it a game of theirs."""
    understood: frozenset[int] = frozenset()
    """What is asked there even where nothing else can be done, and goes without saying with us."""

    def __init__(self, theirs: str, *otherwise: str) -> None:
        self.theirs = theirs
        """What the game is called there, with its settings."""
        self.otherwise = otherwise
        """Settings under which their game is another one, so that it must be noticed."""

    @cached_property
    def game(self) -> Any:
        return pyspiel.load_game(self.theirs)

    def lots(self, game: Game, seed: int) -> Lots | None:
        """Who decides with us what is left to chance, where they decide it by themselves and cannot be told."""
        return None

    def start(self, before: Position) -> Any:
        """A deal of theirs, which may have to know something of the deals before it."""
        return self.game.new_initial_state()

    def lot(self, now: Position, theirs: Any) -> int:
        """What chance has done with us, where it is its turn there."""
        raise NotImplementedError

    def way(self, move: dict[str, Any], now: Position) -> Way:
        """How they make a move of ours. No action at all, if what we ask for goes without saying there."""
        raise NotImplementedError

    def worth(self, before: Position, after: Position) -> list[float]:
        """What a deal was worth to each of their players."""
        raise NotImplementedError

    def seat(self, player: int, now: Position) -> int:
        """The number that they give to a player of ours."""
        return player

    def pick(self, moves: list[dict[str, Any]], now: Position, lots: Random) -> int:
        """Which of the legal moves is made: any, unless then too little of the game would be seen."""
        return lots.randrange(len(moves))


def replay(game: Game, peer: Peer, first: int, deals: int) -> int:
    """So many deals, of the games from a first seed on, are replayed. How many decisions were compared."""
    seeds = range(first, first + deals)
    compared = (decisions for seed in seeds for decisions in _deals(game, peer, seed))
    found = list(islice(compared, deals))
    assert len(found) == deals
    return sum(found)


def _deals(game: Game, peer: Peer, seed: int) -> Iterator[int]:
    """How many decisions each deal of one game has had."""
    log: list[Event] = []
    machine, lots = game.machine(seed), Random(seed)
    machine.log, machine.lots = log, peer.lots(game, seed)
    game.run(machine)
    begun, number = _beginning(log, peer, 0), 0
    while machine.winners is None:
        assert begun is not None, f"no deal begins with the step `{peer.begins}`"
        number += 1
        deal = _Deal(peer, position(game, machine, log[begun:]), f"seed {seed}, deal {number}")
        following = None
        while machine.winners is None and following is None:
            moves, so_far = game.choices(machine), len(log)
            legal = [game.describe(each) for each in moves]
            now = position(game, machine, log[begun:], legal[0]["player"])
            picked = peer.pick(legal, now, lots)
            deal.decide(now, legal, legal[picked])
            game.make(machine, moves[picked])
            following = _beginning(log, peer, so_far)
        deal.end(position(game, machine, log[begun:following]))
        yield deal.decisions
        begun = following


def _beginning(log: list[Event], peer: Peer, start: int) -> int | None:
    """Where, from a line on, a deal begins."""
    wanted = {"event": "step", "name": peer.begins}
    return next((at for at in range(start, len(log)) if log[at].record == wanted), None)


def position(game: Game, m: Machine, log: list[Event], player: int | None = None) -> Position:
    layout, rules = game.layout, game.rules
    keeps: dict[str, Any] = {}
    for name, keep in rules.keeps.items():
        base = layout.keep_base[name]
        kept = [game.program.teller.raw(keep.type, m.keeps[base + at]) for at in range(len(layout.keys(keep.key)))]
        keeps[name] = kept[0] if keep.key is None else kept
    places = {
        name: [rules.cards[card].id for card in cards] for name, cards in zip(layout.place_names, m.places, strict=True)
    }
    return Position(places, keeps, [event.record for event in log if event.record["event"] != "told"], player)


class _Deal:
    """One game of theirs, which goes as a deal of ours does."""

    def __init__(self, peer: Peer, before: Position, name: str) -> None:
        self.peer, self.before, self.name = peer, before, name
        self.theirs = peer.start(before)
        self.decisions = 0

    def decide(self, now: Position, legal: list[dict[str, Any]], move: dict[str, Any]) -> None:
        """What can be decided is compared, and what is decided is done."""
        ways, chosen = [self.peer.way(each, now) for each in legal], self.peer.way(move, now)
        if not any(ways):
            return  # what comes of it may be left to chance, and has not happened yet
        self.catch_up(now)
        self.decisions += bool(chosen)
        seat = self.peer.seat(move["player"], now)
        done: list[int] = []
        for action in chosen if isinstance(chosen, tuple) else sorted(chosen):
            self.same("the player", seat, self.theirs.current_player())
            ours = {following for way in ways for following in _following(way, done)}
            self.same("the legal actions", *map(self.named, (ours, self.theirs.legal_actions())))
            self.theirs.apply_action(action)
            done.append(action)

    def end(self, after: Position) -> None:
        self.catch_up(after)
        self.same("that the deal is over", True, self.theirs.is_terminal())
        self.same("the result", self.peer.worth(self.before, after), self.theirs.returns())

    def catch_up(self, now: Position) -> None:
        """What chance has done with us, and what goes without saying, is done there."""
        while not self.theirs.is_terminal():
            legal = self.theirs.legal_actions()
            if self.theirs.is_chance_node():
                lot = self.peer.lot(now, self.theirs)
                self.same("what chance can do", True, lot in legal)
                self.theirs.apply_action(lot)
            elif len(legal) == 1 and legal[0] in self.peer.understood:
                self.theirs.apply_action(legal[0])
            else:
                break

    def named(self, actions: Iterable[int]) -> list[str]:
        player = self.theirs.current_player()
        return sorted(self.theirs.action_to_string(player, action) for action in actions)

    def same(self, what: str, ours: Any, theirs: Any) -> None:
        if ours != theirs:
            where = f"{self.peer.theirs}, {self.name}, decision {self.decisions}"
            raise Disagreement(f"{where}: {what}\n  ours   {ours}\n  theirs {theirs}\n{self.theirs}")


def _following(way: Way, done: list[int]) -> Iterable[int]:
    """What may be done next on a way."""
    if isinstance(way, frozenset):
        return way.difference(done) if way.issuperset(done) else ()
    return way[len(done) : len(done) + 1] if list(way[: len(done)]) == done else ()
