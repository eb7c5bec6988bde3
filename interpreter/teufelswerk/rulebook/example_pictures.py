"""Where an example stands → its picture: cards in order of play, who laid them, what may be played, who is named."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal, TypeAlias

from teufelswerk import model
from teufelswerk.base.texts import Text
from teufelswerk.interpreter.machine import END_NAMES
from teufelswerk.model import walk
from teufelswerk.model.scenes import Act, Argument, Claim, GivenIs, LegalClaim, Line, Play
from teufelswerk.rulebook.faces import Face, Faces
from teufelswerk.rulebook.snapshots import Snapshot, is_public
from teufelswerk.rulebook.tallies import Tally, tallies_of
from teufelswerk.rulebook.words import move_term, person, place_term

Mark: TypeAlias = Literal["", "earlier", "taken", "allowed", "refused"]
MANY = 5
ARROWS = {"bottom": "←", "top": "→"}


@dataclass(frozen=True)
class Slot:
    """A card in a picture, who laid it or where it would lie, and how it is marked."""

    face: Face
    below: tuple[Text | str, ...] = ()
    mark: Mark = ""


@dataclass(frozen=True)
class Strip:
    """Cards side by side under a label."""

    label: tuple[Text | str, ...]
    slots: tuple[Slot, ...]


@dataclass(frozen=True)
class Picture:
    strips: tuple[Strip, ...]
    tallies: tuple[Tally, ...]


def heaped(slots: Sequence[Slot]) -> tuple[Slot, ...]:
    """Of many cards face down one after the other, and of nobody in particular, one, and how many they are."""
    found: list[Slot] = []
    for slot, alike in groupby(slots):
        cards = list(alike)
        if slot.face.back and not slot.below and len(cards) >= MANY:
            cards = [Slot(slot.face, (f"{len(cards)}×",), slot.mark)]
        found += cards
    return tuple(found)


class Painter:
    """Makes the picture of a snapshot."""

    def __init__(self, rules: model.Model, faces: Faces, snapshot: Snapshot) -> None:
        self.rules = rules
        self.faces = faces
        self.snapshot = snapshot
        self.runner = snapshot.runner
        self.ids = {card.id: card.face for card in rules.cards}

    def picture(self, later: Sequence[Line] = ()) -> Picture | None:
        """`later`: lines of paragraphs without acts that follow; what they claim is marked here."""
        lines = self.snapshot.holding
        marked = set(self.claimed([*lines, *later]))
        strips = [*(self.table(marked) if self.snapshot.acts else ()), *self.given(lines), *self.attempts(lines)]
        tallies = tuple(tallies_of(self.rules, self.snapshot, [*lines, *later]))
        return Picture(tuple(strips), tallies) if strips or tallies else None

    # ---- what lies on the table -------------------------------------------------------------------------------------

    def table(self, marked: set[int]) -> Iterator[Strip]:
        worlds, layout = self.snapshot.worlds, self.runner.layout
        for index, place in enumerate(layout.place_of):
            if not worlds or not (is_public(place) or self.lies_open(index)):
                continue
            length = min(len(world.places[index]) for world in worlds)
            slots = [self.slot(index, position, marked) for position in range(length)]
            if slots:
                yield Strip(self.label(index, place), heaped(slots))

    def lies_open(self, index: int) -> bool:
        """Whether what is in a hand has been laid on the table for all to see."""
        layout, worlds = self.runner.layout, self.snapshot.worlds
        cards = [(world, card) for world in worlds for card in world.places[index]]
        turned = bool(cards) and layout.place_of[index].turned
        return turned and all(layout.lies_up(world.keeps, card) for world, card in cards)

    def slot(self, place: int, position: int, marked: set[int]) -> Slot:
        worlds = self.snapshot.worlds
        cards = list(dict.fromkeys(world.places[place][position] for world in worlds))
        if len({self.rules.cards[card].face for card in cards}) == 1:
            cards = cards[:1]  # identical ones look the same
        owners = {world.owners[world.places[place][position]] for world in worlds}
        owner = owners.pop() if len(owners) == 1 else -1
        below = (person(self.snapshot.people[owner]),) if owner >= 0 else ()
        mark: Mark = "earlier" if len(cards) == 1 and cards[0] in self.snapshot.before else ""
        if owner in marked:
            mark = "taken"
        layout = self.runner.layout
        if layout.place_of[place].turned and not all(
            layout.lies_up(w.keeps, w.places[place][position]) for w in worlds
        ):
            return Slot(self.faces.back(self.rules.cards[cards[0]]), below, mark)
        return Slot(self.faces.face(cards), below, mark)

    def label(self, index: int, place: model.Place) -> tuple[Text | str, ...]:
        name = place_term(self.rules, place.name)
        if place.key is None:
            return (name,)
        member = self.snapshot.named(self.runner.program.teller.place(index))
        parts = member if isinstance(member, list) else [member]
        return (name, *(part if isinstance(part, Text) else str(part) for part in parts))

    # ---- hands, and what may be played ------------------------------------------------------------------------------

    def given(self, lines: Sequence[Line]) -> Iterator[Strip]:
        for name, place, cards in self.held(lines):
            played, verdicts = self.played(name, place, lines), self.verdicts(name, place, lines)
            label: tuple[Text, ...] = (person(name), place_term(self.rules, place.name))
            if played and verdicts:
                label = (*label, Text("before the move"))
            elif played:
                cards = [card for card in cards if card not in played]
            verdicts = played | verdicts
            slots = tuple(Slot(self.faces.face([card]), (), verdicts.get(card, "")) for card in cards)
            if slots:
                yield Strip(label, slots)

    def held(self, lines: Sequence[Line]) -> Iterator[tuple[str, model.Place, list[int]]]:
        """The cards that lie in somebody's hand, or in another place that not everyone sees."""
        for line in lines:
            if not isinstance(line, GivenIs) or not isinstance(line.target, model.PlaceOf):
                continue
            place, key = line.target.place, line.target.key
            key = key.first if isinstance(key, model.Pair) else key
            cards = [self.ids[value.text] for value in line.values if value.text in self.ids]
            if is_public(place) or not isinstance(key, model.Person) or not cards:
                continue
            if not self.lies_open(self.runner.layout.place_base[place.name] + self.runner.seats[key.name]):
                yield key.name, place, cards

    def chooses_from(self, verb: str, place: model.Place) -> bool:
        """Whether the cards of a move come from such a place, as far as the choice names any."""
        read = [e for choice in self.rules.moves[verb].choices for e in walk.expressions(choice.source)]
        places = {e.place.name for e in read if isinstance(e, model.PlaceOf)}
        return not places or place.name in places

    def verdicts(self, name: str, place: model.Place, lines: Sequence[Line]) -> dict[int, Mark]:
        """Which cards of a hand may be played, if the claims are about one move and these cards only."""
        claims = [
            line
            for line in lines
            if isinstance(line, LegalClaim) and line.act.person == name and self.chooses_from(line.act.verb, place)
        ]
        if len({claim.act.verb for claim in claims}) != 1 or any(len(self.cards(c.act.arguments)) > 1 for c in claims):
            return {}
        found: dict[int, Mark] = {}
        for claim in claims:
            for card in self.cards(claim.act.arguments):
                found[card] = "allowed" if claim.allowed else "refused"
        return found

    def played(self, name: str, place: model.Place, lines: Sequence[Line]) -> dict[int, Mark]:
        """The cards that a player lays: each of them may be laid."""
        acts = [line.act for line in lines if isinstance(line, Play) and line.act.person == name]
        acts = [act for act in acts if self.chooses_from(act.verb, place)]
        return {card: "allowed" for act in acts for card in self.cards(act.arguments)}

    def shown(self, act: Act, lines: Sequence[Line]) -> set[int]:
        """The cards whose verdict the picture of a hand shows."""
        return {
            card
            for name, place, cards in self.held(lines)
            if name == act.person and self.chooses_from(act.verb, place)
            for card in self.verdicts(name, place, lines).keys() & set(cards)
        }

    def attempts(self, lines: Sequence[Line]) -> Iterator[Strip]:
        """Cards that may or may not be played, by player and move, unless a hand shows it."""
        groups: dict[tuple[str, str, int], list[Slot]] = {}
        for number, claim in enumerate(lines):
            if not isinstance(claim, LegalClaim):
                continue
            act, cards = claim.act, self.cards(claim.act.arguments)
            if not cards or set(cards) <= self.shown(act, lines):
                continue
            mark: Mark = "allowed" if claim.allowed else "refused"
            # cards that are chosen together are shown together, and by themselves
            slots = groups.setdefault((act.person, act.verb, number if len(cards) > 1 else -1), [])
            slots += [Slot(self.faces.face([card]), self.where(act), mark) for card in cards]
        for (name, verb, _), slots in groups.items():
            yield Strip((person(name), move_term(self.rules, self.rules.moves[verb])), tuple(slots))

    def cards(self, arguments: Sequence[Argument]) -> list[int]:
        return [self.ids[a.text] for a in arguments if a.members is None and a.text in self.ids]

    def where(self, act: Act) -> tuple[Text | str, ...]:
        """The other choices of a move: an end as an arrow, anything else by its name."""
        found: list[Text | str] = []
        for choice, argument in zip(self.rules.moves[act.verb].choices, act.arguments, strict=False):
            kind = choice.source.type.kind
            if kind == "end" and argument.text in END_NAMES:
                found.append(ARROWS[argument.text])
            elif kind == "place":
                key = self.rules.places[choice.source.type.of].key
                parts = (key.parts or (key,)) if key is not None else ()
                for part, word in zip(parts, argument.text.split(" and "), strict=False):
                    named = part.kind == "name" and not part.of_players
                    found.append(Text(word, msgctxt=f"{self.rules.family}: {part.of}") if named else word)
        return tuple(found)

    # ---- results ----------------------------------------------------------------------------------------------------

    def claimed(self, lines: Sequence[Line]) -> Iterator[int]:
        """The seats that a claim such as `now taker is Peter` names."""
        for line in lines:
            if not isinstance(line, Claim) or line.modal != "now" or not isinstance(line.condition, model.Compare):
                continue
            left, right = line.condition.left, line.condition.right
            named = isinstance(left, (model.Defined, model.KeepOf)) and left.type.kind == "player"
            if named and line.condition.relation == "is" and isinstance(right, model.Person):
                yield self.runner.seats[right.name]
