"""A core → what can be told of a move and the position after it, as the player who makes it: named numbers.

They are made of what the rules themselves name: what is on the cards, definitions, what is kept, places. Each has a
name that stays the same as long as the rules call things so: weights learned for a game fit its variants too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement

from teufelswerk.core import forms as f
from teufelswerk.core import statements as s
from teufelswerk.core.walk import all_forms, everything_in
from teufelswerk.model.types import NUMBER, PLAYER, SIDE, TRUTH, Key, Place, Type

WON = "you have won"
"""What no form can ask for: whoever works it out looks it up."""
FEW_NAMES = 8
"""So many names are told apart, each as a number of its own."""
FEW_TRUTHS = 4
"""So many truths are also taken two at a time."""
FEW_NUMBERS = 6
"""So many numbers of what was chosen are also multiplied with one another, and with themselves."""
MOST = 300
"""So many numbers there are at most for a move."""


@dataclass(frozen=True)
class Feature:
    """`parts`: what it is made of, by their names, if it is a product."""

    name: str
    value: f.Expr | None = None
    parts: tuple[str, ...] = ()
    is_truth: bool = False
    crosses: bool = True
    """Whether it can mean something else where a truth holds."""


class Features:
    """What can be told of each move. `me` and the slots behind it hold what the forms speak of."""

    def __init__(self, core: s.Core) -> None:
        self.core = core
        self.rules = core.rules
        self.span = core.game.span
        self.me, self.slot, self.other = core.slots, core.slots + 1, core.slots + 2
        """The slots of the player and, inside a form, of a card or of another player."""
        ranked = ranks(core)
        told_apart = {name: len(set(self.rules.on_cards(name)) - {None}) for name in self.rules.attributes}
        self.numeric = [
            name
            for name, attribute in self.rules.attributes.items()
            if told_apart[name] > 1 and (not attribute.names or name in ranked)
        ]
        self.named = [
            name for name, number in told_apart.items() if 1 < number <= FEW_NAMES and name not in self.numeric
        ]

    def of(self, move: s.Move) -> dict[str, Feature]:
        """All of a move, by their names."""
        found = {feature.name: feature for feature in (*self.chosen(move), *self.position())}
        truths = [feature for feature in found.values() if feature.is_truth]
        together = [] if len(truths) > FEW_TRUTHS else [self.product(a, b) for a, b in combinations(truths, 2)]
        numbers = [feature for feature in found.values() if feature.crosses and not feature.is_truth]
        crossed = [self.product(truth, number) for truth in (*truths, *together) for number in numbers]
        chosen = [feature for feature in self.chosen(move) if feature.crosses and not feature.is_truth][:FEW_NUMBERS]
        crossed += [self.product(a, b) for a, b in combinations_with_replacement(chosen, 2)]
        amounts = [found[choice.name] for choice in move.choices if choice.name in found]
        own = [feature for name, feature in found.items() if " in your " in name or feature in amounts]
        crossed += [self.product(amount, number) for amount in amounts for number in own]
        everything = [Feature(move.name), *found.values(), *together, *crossed]
        return {feature.name: feature for feature in everything[:MOST]}

    def product(self, a: Feature, b: Feature) -> Feature:
        parts = (*(a.parts or (a.name,)), *(b.parts or (b.name,)))
        return Feature(" & ".join(parts), parts=parts, is_truth=a.is_truth and b.is_truth)

    # ---- the choice -------------------------------------------------------------------------------------------------

    def chosen(self, move: s.Move) -> Iterator[Feature]:
        for choice in move.choices:
            kind, name = choice.type.kind, choice.name
            slot = f.Slot(choice.type.all() if choice.several else choice.type, self.span, choice.slot)
            if choice.several:
                yield Feature(f"count of {name}", f.Count(NUMBER, self.span, slot))
            if kind == "card":
                yield from self.cards(name, slot) if choice.several else self.card(name, slot)
            elif kind == "number" and not choice.several:
                yield Feature(name, slot)
            elif kind == "name" and not choice.several:
                names = self.rules.names[choice.type.of]
                for index, word in enumerate(names if len(names) <= FEW_NAMES else ()):
                    yield Feature(f"{name} is {word}", self.same(slot, f.Constant(choice.type, self.span, index)))

    def cards(self, name: str, several: f.Slot) -> Iterator[Feature]:
        one = f.Slot(several.type.one(), self.span, self.slot)
        for measure, by in self.measured(one).items():
            yield Feature(f"{measure} of {name}", f.Sum(NUMBER, self.span, by, several, self.slot))

    def card(self, name: str, card: f.Slot) -> Iterator[Feature]:
        for attribute in self.named:
            own = self.attribute(attribute, card)
            for index in sorted({value for value in self.rules.on_cards(attribute) if value is not None}):
                word = self.rules.attributes[attribute].names[index]
                here = self.same(own, f.Constant(own.type, self.span, index))
                yield Feature(f"{attribute} of {name} is {word}", here, crosses=False)
        measures = self.measured(card)
        for measure, value in measures.items():
            yield Feature(f"{measure} of {name}", value)
        for measure, value in list(measures.items())[-2:]:
            yield from self.rank(name, card, measure, value)
        yield from self.length(name, card)

    def measured(self, card: f.Slot) -> dict[str, f.Expr]:
        """All numbers of a card: what is on it, and what the rules define of it."""
        found: dict[str, f.Expr] = {name: self.attribute(name, card) for name in self.numeric}
        return found | {meant.name: f.Defined(NUMBER, self.span, meant, card) for meant in self.measures()}

    def measures(self) -> list[f.Definition]:
        """Numbers that the rules define of every card."""
        found = []
        for name, definition in self.rules.definitions.items():
            meant, of = self.meant(name), definition.parameter
            of_a_card = of is not None and of.kind == "card" and not of.many
            if of_a_card and definition.value.type.kind == "number" and meant is not None:
                found.append(meant)
        return found

    def meant(self, name: str) -> f.Definition | None:
        """A definition that somebody asks for."""
        found = self.core.shared.get((name, False))
        return None if found is None or self.rules.definitions[name].second is not None else found

    def rank(self, name: str, card: f.Slot, measure: str, value: f.Expr) -> Iterator[Feature]:
        """How many cards in hands are above it: in all hands, and in one's own."""
        other = f.Slot(card.type, self.span, self.slot)
        its: f.Expr
        if isinstance(value, f.Attribute):
            its = self.attribute(value.attribute, other)
        else:
            assert isinstance(value, f.Defined)
            its = f.Defined(NUMBER, self.span, value.definition, other)
        above: f.Expr = f.Compare(TRUTH, self.span, "above", its, value)
        for place in self.held():
            for whose, cards in (("all", self.all_in(place)), ("your", self.own_in(place))):
                for suit in ("", *self.named[:1]):
                    condition = above
                    if suit:
                        of_suit = self.same(self.attribute(suit, other), self.attribute(suit, card))
                        condition = f.Logic(TRUTH, self.span, "and", of_suit, above)
                    found = f.Fitting(cards.type, self.span, cards, self.slot, condition)
                    words = f" with its {suit}" if suit else ""
                    count = f.Count(NUMBER, self.span, found)
                    yield Feature(f"cards in {whose} {place.name}{words} above {name} in {measure}", count)

    def length(self, name: str, card: f.Slot) -> Iterator[Feature]:
        other = f.Slot(card.type, self.span, self.slot)
        for suit in self.named:
            same = self.same(self.attribute(suit, other), self.attribute(suit, card))
            for place in self.held():
                for whose, cards in (("all", self.all_in(place)), ("your", self.own_in(place))):
                    found = f.Fitting(cards.type, self.span, cards, self.slot, same)
                    count = f.Count(NUMBER, self.span, found)
                    yield Feature(f"cards in {whose} {place.name} with the {suit} of {name}", count)

    # ---- the position after it --------------------------------------------------------------------------------------

    def position(self) -> Iterator[Feature]:
        yield Feature(WON, is_truth=True, crosses=False)
        yield from self.kept()
        yield from self.defined()
        for place in list(self.rules.places.values())[1:]:
            yield from self.place(place)

    def kept(self) -> Iterator[Feature]:
        for keep in self.rules.keeps.values():
            kind = keep.type.kind
            if keep.key is None and kind in ("player", "number"):
                yield from self.told(keep.name, f.Kept(keep.type, self.span, keep, None))
            elif keep.key is not None and self.is_mine(keep.key) and kind == "number":
                mine = f.Kept(keep.type, self.span, keep, self.own(keep.key))
                yield Feature(f"{keep.name} of you", mine, crosses=False)
                theirs = f.Kept(keep.type, self.span, keep, self.own(keep.key, self.other))
                yield Feature(f"{keep.name} of all", self.of_all(theirs), crosses=False)

    def defined(self) -> Iterator[Feature]:
        for name, definition in self.rules.definitions.items():
            meant = self.meant(name)
            if meant is None or not changes(meant.value):
                continue
            type = definition.value.type
            if type.many or type.kind not in ("number", "truth", "player"):
                continue
            if definition.parameter is None:
                yield from self.told(name, f.Defined(type, self.span, meant, None))
            elif definition.parameter.kind == "player" and type.kind != "player":
                mine = f.Defined(type, self.span, meant, f.Slot(PLAYER, self.span, self.me))
                yield Feature(f"{name} of you", mine, crosses=False)
                theirs = f.Defined(type, self.span, meant, f.Slot(PLAYER, self.span, self.other))
                yield Feature(f"{name} of all", self.of_all(theirs), crosses=False)

    def told(self, name: str, value: f.Expr) -> Iterator[Feature]:
        if value.type.kind != "player":
            yield Feature(name, value, is_truth=value.type.kind == "truth")
            return
        yield Feature(f"{name} is you", self.same(value, f.Slot(PLAYER, self.span, self.me)), is_truth=True)
        side = self.side
        if side is not None:
            theirs, mine = (f.Defined(SIDE, self.span, side, who) for who in (value, self.mine))
            yield Feature(f"{name} is on your side", self.same(theirs, mine), is_truth=True)

    def place(self, place: Place) -> Iterator[Feature]:
        whose = [("", self.all_in(place))]
        if self.is_mine(place.key):
            whose = [("all ", self.all_in(place)), ("your ", self.own_in(place))]
        for words, cards in whose:
            shared = place.key is None
            yield Feature(f"cards in {words}{place.name}", f.Count(NUMBER, self.span, cards), crosses=shared)
            one = f.Slot(cards.type.one(), self.span, self.slot)
            for measure, by in self.measured(one).items():
                total = f.Sum(NUMBER, self.span, by, cards, self.slot)
                yield Feature(f"{measure} in {words}{place.name}", total, crosses=shared)

    # ---- forms ------------------------------------------------------------------------------------------------------

    @property
    def mine(self) -> f.Slot:
        return f.Slot(PLAYER, self.span, self.me)

    @property
    def side(self) -> f.Definition | None:
        return None if self.rules.side is None else self.core.shared.get((self.rules.side.name, False))

    def held(self) -> list[Place]:
        """Places of each player that only some look into."""
        places = self.rules.places.values()
        return [place for place in places if place.key is not None and place.key.kind == "player"
                and place.seen_by in ("owner", "others")][:1]  # fmt: skip

    def all_in(self, place: Place) -> f.CardsIn:
        type = Type("place", place.name)
        if place.key is None:
            return f.CardsIn(
                self.cards_type, self.span, f.Only(type.all(), self.span, f.PlaceAt(type, self.span, place, None))
            )
        return f.CardsIn(self.cards_type, self.span, f.Family(type.all(), self.span, place))

    def own_in(self, place: Place) -> f.CardsIn:
        type = Type("place", place.name)
        assert place.key is not None
        here = f.PlaceAt(type, self.span, place, self.own(place.key))
        return f.CardsIn(self.cards_type, self.span, f.Only(type.all(), self.span, here))

    def own(self, key: Key, slot: int | None = None) -> f.Expr:
        """What one has one's own place or number under: oneself or, where sides have them, one's side."""
        player = f.Slot(PLAYER, self.span, self.me if slot is None else slot)
        if key.kind == "player":
            return player
        assert self.side is not None
        return f.Defined(SIDE, self.span, self.side, player)

    def is_mine(self, key: Key | None) -> bool:
        """Whether everybody has one, of their own or with their side."""
        return key is not None and key.of_players and (key.kind == "player" or self.side is not None)

    def of_all(self, number: f.Expr) -> f.Expr:
        return f.Sum(NUMBER, self.span, number, f.Players(PLAYER.all(), self.span, None), self.other)

    def attribute(self, name: str, card: f.Expr) -> f.Attribute:
        type = self.rules.attributes[name].type.maybe(None in self.rules.on_cards(name))
        return f.Attribute(type, self.span, name, card)

    def same(self, left: f.Expr, right: f.Expr) -> f.Compare:
        return f.Compare(TRUTH, self.span, "is", left, right)

    @property
    def cards_type(self) -> Type:
        return Type("card", card_kinds=frozenset(self.rules.kinds), many=True)


def ranks(core: s.Core) -> set[str]:
    """What is on cards by which they are compared as higher and lower."""
    found: set[str] = set()
    for form in all_forms(core):
        sides: tuple[f.Expr, ...] = ()
        if isinstance(form, f.Extreme):
            sides = (form.by,)
        elif isinstance(form, f.Compare) and form.relation != "is":
            sides = form.left, form.right
        found |= {side.attribute for side in sides if isinstance(side, f.Attribute)}
    return found


def changes(form: f.Expr) -> bool:
    """Whether a value can be another one in another position, and is no lot and no long search."""
    found = list(everything_in(form))
    if any(isinstance(part, (f.Drawn, f.Subsets, f.LeastLeft)) for part in found):
        return False
    return any(isinstance(part, (f.Kept, f.CardsIn, f.PlaceAt, f.OwnerOf, f.PlaceHolding, f.CardAt)) for part in found)
