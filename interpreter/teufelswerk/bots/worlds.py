"""What a seat knows and sees → positions for compiled rules, one after another, in which the unseen cards lie anew."""

from __future__ import annotations

from random import Random

from teufelswerk.base.chance import MASK
from teufelswerk.bots.dealing import Dealing
from teufelswerk.bots.inference import Knowledge
from teufelswerk.engines.positions import Position, signed
from teufelswerk.engines.steps import Steps
from teufelswerk.interpreter.view import View
from teufelswerk.model import FACES


class Worlds:
    """Ways in which everything that a seat does not know may be.

    As a rule that is only where cards lie: then a position is made once, and for every world the cards are moved in a
    copy of it. Where more has to be guessed, every world is imagined from the beginning.
    """

    def __init__(self, steps: Steps, knowledge: Knowledge, view: View) -> None:
        self.steps = steps
        self.knowledge = knowledge
        self.view = view
        self.template: Position | None = None
        self.is_plain = self.only_cards_are_hidden()
        self.places = Spots(steps)
        self.dealing: Dealing | None = None
        self.owners: dict[int, list[int]] = {}
        """For each place to which cards are dealt, whose they are, in order."""

    def only_cards_are_hidden(self) -> bool:
        layout, guesses, view = self.knowledge.game.layout, self.knowledge.guesses, self.view
        if layout.faces is not None or not guesses.is_sure(view) or view.winners is not None:
            return False
        if self.knowledge.game.program.turns[view.flow.pcs[0]].at_once is not None:
            return False
        keeps = enumerate(layout.keep_of)
        return all(layout.keep_seen_by(view.seat, index) for index, keep in keeps if keep.name != FACES)

    def draw(self, rng: Random) -> Position | None:
        """A world, or None if none was found this time."""
        if not self.is_plain or self.template is None:
            state = self.knowledge.imagine(self.view, rng)
            position = None if state is None else self.steps.position(state)
            if self.is_plain and position is not None:
                self.prepare(position)
            return position
        assert self.dealing is not None
        position = self.template[:]
        for place, cards in self.dealing.hidden(rng).items():
            self.places.put(position, place, cards, self.owners[place])
        return position

    def prepare(self, position: Position) -> None:
        self.template = position[:]
        self.dealing = dealing = Dealing(self.knowledge, self.view, {})
        layout = self.knowledge.game.layout
        for place in dealing.places:
            count = sum(room for at, _, room in dealing.bins if at == place)
            seen = self.view.places[layout.place_names[place]].owners if place else None
            last = seen or (None,) * count
            self.owners[place] = [layout.owner[place] if owner is None else owner for owner in last]


class Spots:
    """Where in a position it stands what lies in each place."""

    def __init__(self, steps: Steps) -> None:
        positions, memory = steps.positions, steps.memory
        self.words = positions.words
        self.cards = len(steps.game.rules.cards)
        places = positions.game.places
        assert places.owners is not None
        self.where = -1 if places.where is None else memory.offset(places.where)
        self.owned = memory.offset(places.owners)
        self.sets: dict[int, int] = {}
        self.rows: dict[int, int] = {}
        for family in positions.families:
            for index in range(family.count):
                if family.sets is not None:
                    self.sets[family.base + index] = memory.offset(family.sets) + index * self.words
                if family.row is not None:
                    self.rows[family.base + index] = memory.offset(family.row) + index * self.cards

    def put(self, position: Position, place: int, cards: list[int], owners: list[int]) -> None:
        """As many cards as lie there, and others."""
        at = self.sets.get(place)
        if at is not None:
            mask = 0
            for card in cards:
                mask |= 1 << card
            for word in range(self.words):
                position[at + word] = signed(mask >> 64 * word & MASK)
        at = self.rows.get(place)
        if at is not None:
            for card in cards:
                position[at] = card
                at += 1
        where, owned = self.where, self.owned
        for card, owner in zip(cards, owners, strict=True):
            position[owned + card] = owner
            if where >= 0:
                position[where + card] = place
