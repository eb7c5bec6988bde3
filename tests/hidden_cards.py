"""Another position that a seat cannot tell from this one: what it does not see lies somewhere else."""

from __future__ import annotations

import random

from shipped import Table
from teufelswerk import Move, State
from teufelswerk.model import UP


def is_seen(table: Table, place: int, seat: int, state: State, card: int) -> bool:
    faces = table.game.layout.faces
    if faces is not None and table.game.layout.place_of[place].turned and state.keeps[faces + card] == UP:
        return True
    seen_by, owner = table.game.layout.place_of[place].seen_by, table.game.layout.owner[place]
    return seen_by == "all" or (seen_by == "owner" and owner == seat) or (seen_by == "others" and owner != seat)


def with_hidden_cards_swapped(table: Table, state: State, seat: int, chance: random.Random) -> State:
    """Another position that the seat cannot tell from this one: hidden cards have changed places, as far as the backs
    that are seen allow; whatever was known of a card by where it lay holds for the one that lies there now."""
    game = table.game
    cards, layout = game.rules.cards, game.layout
    kept = {
        value for value, keep in zip(state.keeps, layout.keep_of, strict=True) if keep.type.kind == "card"
    }  # everyone knows what the game remembers
    hidden = [
        (place, at)
        for place, contents in enumerate(state.places)
        for at, card in enumerate(contents)
        if card not in kept and not is_seen(table, place, seat, state, card)
    ]
    unmarked = {place for place, _ in hidden if layout.place_of[place].backs_by != "all"}
    places = [list(place) for place in state.places]
    for _ in range(3 * len(hidden)):
        (here, at), (there, at_there) = chance.choice(hidden), chance.choice(hidden)
        one, other = places[here][at], places[there][at_there]
        if {here, there} <= unmarked or here == there or cards[one].back == cards[other].back:
            places[here][at], places[there][at_there] = other, one
    now_there = {
        old: new
        for before, after in zip(state.places, places, strict=True)
        for old, new in zip(before, after, strict=True)
    }
    owners, keeps = list(state.owners), list(state.keeps)
    for old, new in now_there.items():
        owners[new] = state.owners[old]
        if layout.faces is not None:
            keeps[layout.faces + new] = state.keeps[layout.faces + old]
    pending = tuple(move if move.player == seat else chosen_instead(table, move, now_there) for move in state.pending)
    sets = [sorted(place) if not ordered else place for place, ordered in zip(places, layout.ordered, strict=True)]
    return state._replace(
        places=tuple(map(tuple, sets)),
        owners=tuple(owners),
        keeps=tuple(keeps),
        pending=pending,
        rng=chance.getrandbits(64),
    )


def chosen_instead(table: Table, move: Move, now_there: dict[int, int]) -> Move:
    """A decision that nobody has seen yet, about the cards that now lie where the chosen ones lay."""
    picks = []
    for choice, pick in zip(table.game.rules.moves[move.verb].choices, move.picks, strict=True):
        if choice.source.type.kind != "card":
            picks.append(pick)
        elif isinstance(pick, tuple):
            picks.append(tuple(now_there[card] for card in pick))
        else:
            picks.append(now_there[pick])
    return move._replace(picks=tuple(picks))
