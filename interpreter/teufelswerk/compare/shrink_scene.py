"""A scene that two games play differently → as little of it as shows the same difference, however open cards lie."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from teufelswerk.base import chance
from teufelswerk.compare.outcomes import Difference
from teufelswerk.compare.scene_lines import SceneLine, scene_lines, unusual
from teufelswerk.compare.staging import BothGames, Run, Staging
from teufelswerk.compare.verify_scene import holds
from teufelswerk.interpreter.machine import BOX

Judge: TypeAlias = Callable[[tuple[Run, Run]], Difference | None]
WORLDS = 2
"""In how many random ways the open cards are strewn, to see whether they matter."""


@dataclass
class Telling:
    """A scene in which two games go different ways."""

    both: BothGames
    staging: Staging
    difference: Difference
    places: set[str]
    """Places that the scene has to give, besides those that everyone sees."""
    keeps: set[tuple[str, int]]
    """What the scene has to say although it may be so anyway."""
    moves_known: bool = True
    """Whether the scene tells which cards can be chosen, and not only which kinds of moves there are."""
    alone: int | None = None
    """The one of the two games that has the cards for this scene, if the other one lacks them."""

    def scene(self) -> list[SceneLine]:
        return scene_lines(self.both, self.staging, self.places, self.keeps)


MOST_SPARES = 2
"""How many places are tried as the one in which all cards lie that are not given."""
BEYOND_THE_END = 3
"""To look beyond the end of a step is as hard for a reader as to follow so many moves."""


def size(staging: Staging) -> int:
    """How much a reader has to follow."""
    return len(staging.moves) + BEYOND_THE_END * staging.onward


class Shrinker:
    """Makes scenes smaller as long as they show the same."""

    def __init__(self, both: BothGames, judge: Judge) -> None:
        self.both = both
        self.judge = judge

    def told(self, staging: Staging, found: Difference) -> Telling | None:
        """The small scene with all that it has to give; None if what it shows is a matter of luck."""
        staging, found = self.smaller(staging, found)
        for moves_known in (True, False) if found.rank is None else (True,):
            if not moves_known and found.shown(False)[2] == found.shown(False)[3]:
                continue
            keeps = self.needed(staging, found, moves_known)
            for places in self.pinned(staging, found, moves_known):
                if holds(self.both, staging, found, places, keeps):
                    return Telling(self.both, staging, found, places, keeps, moves_known)
        return None

    def again(self, staging: Staging) -> Difference | None:
        runs = self.both.run(staging)
        return self.judge(runs) if runs is not None else None

    # ---- smaller ----------------------------------------------------------------------------------------------------

    def smaller(self, staging: Staging, found: Difference) -> tuple[Staging, Difference]:
        for trial_of in self.trials(staging):
            trial = trial_of(staging)
            less = self.again(trial) if trial is not None else None
            if trial is not None and less is not None and less.kind == found.kind:
                staging, found = trial, less
        return staging, found

    def trials(self, staging: Staging) -> Iterator[Callable[[Staging], Staging | None]]:
        """What may be taken away: the cards of a place, each single card, and whatever is kept otherwise than usual."""
        played = self.played(staging) | staging.chosen
        for number, m in enumerate(staging.starts):
            cards = self.both.games[number].rules.cards
            for index, lying in enumerate(m.places):
                ids = [cards[card].id for card in lying if cards[card].id not in played]
                if index == BOX or not ids:
                    continue
                yield partial(self.boxed, ids=ids)
                for id in ids if len(ids) > 1 else ():
                    yield partial(self.boxed, ids=[id])
        for (name, key), numbers in unusual(self.both, staging).items():
            usual = {self.usual(number, staging.step, name, key) for number in numbers}
            if len(usual) == 1 and (name, key) not in staging.chosen:
                yield partial(self.both.with_kept, name=name, key=key, value=usual.pop())

    def boxed(self, staging: Staging, ids: list[str]) -> Staging | None:
        """The scene without some cards; None if they are gone already."""
        box = self.both.games[0].layout.place_names[BOX]
        there = any(
            card.id in ids and m.where[card.index] != BOX
            for game, m in zip(self.both.games, staging.starts, strict=True)
            for card in game.rules.cards
        )
        return self.both.with_cards(staging, dict.fromkeys(ids, box)) if there else None

    def usual(self, number: int, step: str, name: str, key: int) -> int | None:
        first, layout = self.both.first(number, step), self.both.games[number].layout
        keys = layout.keys(self.both.games[number].rules.keeps[name].key)
        return first.keeps[layout.keep_base[name] + keys.index(key)] if first is not None else None

    def played(self, staging: Staging) -> set[str]:
        """The cards that are chosen on the way."""
        ids: set[str] = set()
        for move, _ in staging.moves:
            for chosen in self.both.games[0].choice(move).values():
                ids |= set(map(str, chosen if isinstance(chosen, list) else [chosen]))
        return ids

    # ---- what has to be given ---------------------------------------------------------------------------------------

    def pinned(self, staging: Staging, found: Difference, moves_known: bool) -> Iterator[set[str]]:
        """The hidden places whose cards matter; then all but one, where an example would leave too much open.

        None at all if it is not settled even if all of those are given that matter.
        """
        shown = found.shown(moves_known)
        hidden, places = self.hidden(), set[str]()
        while not self.stable(staging, shown, moves_known, places, set(hidden) - places):
            wrong = {
                place
                for place in hidden
                if place not in places and not self.stable(staging, shown, moves_known, places, {place})
            }
            if not wrong:
                return
            places |= wrong
        yield places
        for spare in [place for place in hidden if place not in places][-MOST_SPARES:]:
            if self.stable(staging, shown, moves_known, set(hidden) - {spare}, {spare}):
                yield set(hidden) - {spare}

    def hidden(self) -> list[str]:
        """The places, of both games, in which cards may lie that an example leaves open."""
        layout, others = self.both.games[0].layout, self.both.games[1].layout.by_name
        return [
            name
            for index, name in enumerate(layout.place_names)
            if index != BOX and layout.place_of[index].seen_by != "all" and name in others
        ]

    def stable(
        self, staging: Staging, shown: tuple[object, ...], moves_known: bool, places: set[str], strewn: set[str]
    ) -> bool:
        """Whether the same is shown wherever among these places the cards lie that are not given."""
        everywhere = set(self.hidden()) - places
        loose = self.loose(staging, strewn)
        if loose and not everywhere:
            return False
        box = self.both.games[0].layout.place_names[BOX]
        targets = sorted(strewn) + [box] * (strewn != everywhere)
        for world in range(WORLDS + len(targets)):
            # First at random, then so that one of the places has none of them.
            allowed = [target for number, target in enumerate(targets) if number != world - WORLDS] or targets
            rng, lying = chance.stream(world, 1), {}
            for id in loose:
                rng, index = chance.below(rng, len(allowed))
                lying[id] = allowed[index]
            less = self.again(self.both.with_cards(staging, lying, lots=chance.stream(world, 0)))
            if less is None or less.shown(moves_known) != shown:
                return False
        return True

    def loose(self, staging: Staging, strewn: set[str]) -> list[str]:
        """The cards in play that the scene does not play, and that lie nowhere or in one of these places."""
        game, m = self.both.games[0], staging.starts[0]
        played, usable = self.played(staging), self.both.usable(0, staging.step)
        places = {game.layout.place_names[BOX], *strewn}
        return [
            card.id
            for card in game.rules.cards
            if card.id in usable - played and game.layout.place_names[m.where[card.index]] in places
        ]

    def needed(self, staging: Staging, found: Difference, moves_known: bool) -> set[tuple[str, int]]:
        """What has no value of its own at the beginning, and would make the scene another one if it were different."""
        shown, needed = found.shown(moves_known), set()
        for game in self.both.games:
            for index, keep in game.layout.declared:
                key = (keep.name, game.layout.keep_key[index])
                if keep.initial is not None or keep.type.kind != "player":
                    continue
                for seat in range(self.both.players):
                    less = self.again(self.both.with_kept(staging, *key, seat))
                    if less is None or less.shown(moves_known) != shown:
                        needed.add(key)
                        break
        return needed
