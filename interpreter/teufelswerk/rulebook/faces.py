"""Declarations → what stands on a card: the large number, the pips, the colour, the words; and what backs show."""

from __future__ import annotations

from collections.abc import Sequence

from teufelswerk import model
from teufelswerk.base.quick_dataclass import dataclass
from teufelswerk.base.texts import Text
from teufelswerk.model import COPIES, walk
from teufelswerk.rulebook.emblems import COLOURS, COURT, DEFAULT, INK, LETTERS, SUITS, colour_for, emblem_for
from teufelswerk.rulebook.index import is_spoken_of
from teufelswerk.rulebook.suited_cards import MOST
from teufelswerk.rulebook.words import term, value_term

MOST_PIPS = 10


@dataclass(frozen=True)
class Face:
    """One side of a card, ready to be drawn."""

    title: Text | str
    index: Text | str = ""
    """The large number or letter, also in the corners; `?` if it is left open."""
    pips: int = 0
    pip: str = DEFAULT
    ink: str = INK
    emblem: str | None = None
    suited: bool = False
    """Whether the emblem is a suit and stands in the corners too."""
    of_suit: int = 0
    """So many pips of its suit, in their usual places; 0 if there are none."""
    figure: str = ""
    """Which court card it is."""
    words: tuple[Text | str, ...] = ()
    back: bool = False


@dataclass(frozen=True)
class Roles:
    """What each attribute of a kind of cards is on the picture."""

    index: str | None
    colour: str | None
    suit: str | None
    pips: str | None
    words: tuple[str, ...]


class Faces:
    """Draws the plan of every card of a game."""

    def __init__(self, rules: model.Model) -> None:
        self.rules = rules
        self.read = _read_attributes(rules)
        self.roles = {name: self._roles(kind) for name, kind in rules.kinds.items()}

    def printed(self, kind: model.CardKind) -> list[str]:
        """The attributes that are on the cards; one that no rule reads and no name shows only tells copies apart, and
        one that follows from another and is never spoken of is there for the rules alone."""
        called = {name for name, _ in kind.called.figures} if kind.called else set(kind.attributes)
        shown = [name for name in kind.attributes if name != COPIES and (name in self.read or name in called)]
        return [name for name in shown if name in called or not self._is_helper(kind, name)]

    def _is_helper(self, kind: model.CardKind, name: str) -> bool:
        cards = [card.values for card in self.rules.cards if card.kind == kind.name and name in card.values]
        others = [other for other in kind.attributes if other not in (name, COPIES)]
        follows = any(len({(v.get(o), v[name]) for v in cards}) == len({v.get(o) for v in cards}) for o in others)
        return follows and not is_spoken_of(self.rules, name)

    def values(self, kind: str, attribute: str) -> list[int]:
        return sorted({c.values[attribute] for c in self.rules.cards if c.kind == kind and attribute in c.values})

    def _roles(self, kind: model.CardKind) -> Roles:
        left = self.printed(kind)
        names = {name: self.rules.attributes[name].names for name in left}
        suit = next((n for n in left if names[n] and all(word in SUITS for word in names[n])), None)
        colour = next((n for n in left if names[n] and sum(w in COLOURS for w in names[n]) * 2 > len(names[n])), None)
        if colour is None and suit is None:
            ranks = [n for n in left if names[n] and not _is_rank(names[n])]
            colour = next((n for n in ranks if len(ranks) == 1 and len(left) > 1), None)
        left = [name for name in left if name not in (suit, colour)]
        numbers = [name for name in left if not names[name] or _is_rank(names[name])]
        index = max(numbers, key=lambda n: len(self.values(kind.name, n)), default=None)
        left = [name for name in left if name != index]
        small = [name for name in left if not names[name] and self._countable(kind.name, name)]
        pips = small[0] if small else None
        return Roles(index, colour, suit, pips, tuple(name for name in left if name != pips))

    def _countable(self, kind: str, attribute: str) -> bool:
        """Whether the values are few enough to be drawn as pips."""
        values = self.values(kind, attribute)
        return min(values) >= 0 and max(values) <= MOST_PIPS

    def face(self, cards: Sequence[int]) -> Face:
        """The card, or what several cards have in common where an example leaves open which one it is."""
        first = self.rules.cards[cards[0]]
        kind, roles = self.rules.kinds[first.kind], self.roles[first.kind]
        title = self.title(first)
        if len(cards) > 1:
            title = Text("any card that fits")
            if any(self.rules.cards[card].kind != first.kind for card in cards):
                return Face(title, "?")
        known = {
            name: value
            for name, value in first.values.items()
            if all(self.rules.cards[card].values.get(name) == value for card in cards)
        }
        index = self._index(roles.index, known.get(roles.index)) if roles.index else ""
        emblem, ink, suited = emblem_for(kind.name), INK, False
        if roles.suit in known:
            word = self.rules.names[roles.suit][known[roles.suit]]
            emblem, ink, suited = emblem_for(word), COLOURS[SUITS[word]], True
        if roles.colour in known:
            ink = colour_for(self.rules.names[roles.colour][known[roles.colour]], known[roles.colour])
        pips = known.get(roles.pips, 0) if roles.pips else 0
        pip = (emblem_for(roles.pips) if roles.pips else None) or DEFAULT
        words = tuple(self._word(name, known[name]) for name in roles.words if name in known)
        if index == "" and not emblem and not words:
            words = (title,)
        of_suit, figure = self._middle(roles.index, known) if suited and not pips else (0, "")
        return Face(title, index, pips, pip, ink, emblem, suited, of_suit, figure, words)

    def _middle(self, attribute: str | None, known: dict[str, int]) -> tuple[int, str]:
        """How many pips of its suit a card has, and which figure it shows."""
        if attribute is None or attribute not in known:
            return 0, ""
        rank = self.rules.attributes[attribute].show(known[attribute])
        count = 1 if rank == "ace" else int(rank) if rank.isdigit() and int(rank) <= MOST else 0
        return count, COURT.get(rank, "")

    def _index(self, attribute: str | None, value: int | None) -> Text | str:
        if attribute is None or value is None:
            return "?"
        shown = self.rules.attributes[attribute].show(value)
        word = shown if shown.isdigit() else Text(shown, msgctxt=f"{self.rules.family}: {attribute}")
        return LETTERS.get(shown, word)

    def _word(self, attribute: str, value: int) -> Text | str:
        if self.rules.attributes[attribute].names:
            return value_term(self.rules, attribute, value)
        return Text("{what}: {n}", what=term(self.rules, attribute, "attribute"), n=value)

    def title(self, card: model.Card) -> Text | str:
        """How the card is called."""
        called = self.rules.kinds[card.kind].called
        if called is None:
            return card.id
        values = {
            name: value_term(self.rules, name, card.values[name])
            if self.rules.attributes[name].names
            else card.values[name]
            for name, _ in called.figures
            if name in card.values
        }
        return Text(called.msgid, msgctxt=called.context, **values)

    # ---- a choice of cards for pictures -----------------------------------------------------------------------------

    def samples(self, kind: str) -> list[Face]:
        """One card for each value of what is not its number, so that every sort of card is seen."""
        cards = [card for card in self.rules.cards if card.kind == kind and not card.copy]
        roles = self.roles[kind]
        by = roles.colour or roles.suit or roles.pips
        if by is None:
            if not cards:
                return []
            several = roles.index is not None and len(cards) > 1
            chosen = [cards[0], cards[len(cards) // 2], cards[-1]] if several else cards[:1]
            return [self.face([card.index]) for card in dict.fromkeys(chosen)]
        chosen = []
        values = self.values(kind, by)
        for number, value in enumerate(values):
            group = [card for card in cards if card.values.get(by) == value]
            chosen.append(group[number * (len(group) - 1) // max(len(values) - 1, 1)])
        return [self.face([card.index]) for card in chosen]

    def backs(self) -> list[Face]:
        """The different backs, if any of them shows something."""
        found: dict[str, Face] = {}
        for card in self.rules.cards:
            if card.back and card.back not in found:
                found[card.back] = self.back(card)
        return list(found.values())

    def back(self, card: model.Card) -> Face:
        """What its other side shows."""
        kind = self.rules.kinds[card.kind]
        ink, words = INK, []
        for name in kind.back:
            if name in card.values:
                word = value_term(self.rules, name, card.values[name])
                words.append(word)
                if name == self.roles[card.kind].colour:
                    ink = colour_for(self.rules.names[name][card.values[name]], card.values[name])
        title = Text("{what} (back)", what=words or [term(self.rules, kind.name, "card")])
        return Face(title, ink=ink, emblem=emblem_for(kind.name), words=tuple(words), back=True)


def _is_rank(names: Sequence[str]) -> bool:
    return any(name.isdigit() or name in LETTERS for name in names)


def _read_attributes(rules: model.Model) -> set[str]:
    """The attributes that some rule reads."""
    roots = [
        *(step.body for step in rules.steps.values()),
        *(definition.value for definition in rules.definitions.values()),
        *rules.moves.values(),
    ]
    found = {e.attribute for root in roots for e in walk.expressions(root) if isinstance(e, model.AttributeOf)}
    keys = [place.key for place in rules.places.values()] + [keep.key for keep in rules.keeps.values()]
    parts = [part for key in keys if key is not None for part in (key.parts or (key,))]
    return found | {part.of for part in parts if part.kind == "name"}
