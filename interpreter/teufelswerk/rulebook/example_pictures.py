"""Where an example stands → its picture: cards in order of play, who laid them, what may be played, who is named."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from teufelswerk import model
from teufelswerk.machine import END_NAMES
from teufelswerk.rulebook.faces import Face, Faces
from teufelswerk.rulebook.snapshots import Snapshot, is_public
from teufelswerk.rulebook.words import heading, person, place_term, term
from teufelswerk.scene_model import Act, Argument, Claim, GivenIs, LegalClaim, Line, Play, WinnersClaim
from teufelswerk.texts import Text

Mark: TypeAlias = Literal["", "earlier", "taken", "allowed", "refused"]
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
class Tally:
    """What players have of something; the marked ones have won."""

    label: Text
    entries: tuple[tuple[Text, int, bool], ...]


@dataclass(frozen=True)
class Picture:
    strips: tuple[Strip, ...]
    tallies: tuple[Tally, ...]


class Painter:
    """Makes the picture of a snapshot."""

    def __init__(self, rules: model.Model, faces: Faces, snapshot: Snapshot) -> None:
        self.rules = rules
        self.faces = faces
        self.snapshot = snapshot
        self.runner = snapshot.runner
        self.ids = {card.id: card.index for card in rules.cards}

    def picture(self, later: Sequence[Line] = ()) -> Picture | None:
        """`later`: lines of paragraphs without acts that follow; what they claim is marked here."""
        lines = self.snapshot.holding
        marked = set(self.claimed([*lines, *later]))
        strips = [*(self.table(marked) if self.snapshot.acts else ()), *self.given(lines), *self.attempts(lines)]
        tallies = tuple(self.tallies([*lines, *later]))
        return Picture(tuple(strips), tallies) if strips or tallies else None

    # ---- what lies on the table -------------------------------------------------------------------------------------

    def table(self, marked: set[int]) -> Iterator[Strip]:
        worlds, layout = self.snapshot.worlds, self.runner.layout
        for index, place in enumerate(layout.place_of):
            if not is_public(place) or not worlds:
                continue
            length = min(len(world.places[index]) for world in worlds)
            slots = [self.slot(index, position, marked) for position in range(length)]
            if slots:
                yield Strip(self.label(index, place), tuple(slots))

    def slot(self, place: int, position: int, marked: set[int]) -> Slot:
        worlds = self.snapshot.worlds
        cards = list(dict.fromkeys(world.places[place][position] for world in worlds))
        owners = {world.owners[world.places[place][position]] for world in worlds}
        owner = owners.pop() if len(owners) == 1 else -1
        below = (person(self.snapshot.people[owner]),) if owner >= 0 else ()
        mark: Mark = "earlier" if len(cards) == 1 and cards[0] in self.snapshot.before else ""
        if owner in marked:
            mark = "taken"
        return Slot(self.faces.face(cards), below, mark)

    def label(self, index: int, place: model.Place) -> tuple[Text | str, ...]:
        name = place_term(self.rules, place.name)
        if place.key is None:
            return (name,)
        member = self.snapshot.named(self.runner.program.teller.place(index))
        return (name, member if isinstance(member, Text) else str(member))

    # ---- hands, and what may be played ------------------------------------------------------------------------------

    def given(self, lines: Sequence[Line]) -> Iterator[Strip]:
        for line in lines:
            if not isinstance(line, GivenIs) or not isinstance(line.target, model.PlaceOf):
                continue
            place, key = line.target.place, line.target.key
            cards = [self.ids[value.text] for value in line.values if value.text in self.ids]
            if is_public(place) or not isinstance(key, model.Person) or not cards:
                continue
            verdicts = self.played(key.name, lines) | self.verdicts(key.name, lines)
            slots = tuple(Slot(self.faces.face([card]), (), verdicts.get(card, "")) for card in cards)
            yield Strip((person(key.name), place_term(self.rules, place.name)), slots)

    def claims(self, lines: Sequence[Line], name: str | None = None) -> list[LegalClaim]:
        return [x for x in lines if isinstance(x, LegalClaim) and name in (None, x.act.person)]

    def verdicts(self, name: str, lines: Sequence[Line]) -> dict[int, Mark]:
        """Which cards of a hand may be played, if the claims are about one move and these cards only."""
        claims = self.claims(lines, name)
        if len({claim.act.verb for claim in claims}) != 1:
            return {}
        found: dict[int, Mark] = {}
        for claim in claims:
            for card in self.cards(claim.act.arguments):
                found[card] = "allowed" if claim.allowed else "refused"
        return found

    def played(self, name: str, lines: Sequence[Line]) -> dict[int, Mark]:
        """The cards that a player lays: each of them may be laid."""
        acts = [line.act for line in lines if isinstance(line, Play) and line.act.person == name]
        return {card: "allowed" for act in acts for card in self.cards(act.arguments)}

    def held_by(self, name: str, lines: Sequence[Line]) -> set[int]:
        return {
            self.ids[value.text]
            for line in lines
            if isinstance(line, GivenIs) and isinstance(line.target, model.PlaceOf)
            if isinstance(line.target.key, model.Person) and line.target.key.name == name
            for value in line.values
            if value.text in self.ids
        }

    def attempts(self, lines: Sequence[Line]) -> Iterator[Strip]:
        """Cards that may or may not be played, by player and move, unless a hand shows it."""
        groups: dict[tuple[str, str], list[Slot]] = {}
        for claim in self.claims(lines):
            act, cards = claim.act, self.cards(claim.act.arguments)
            shown = self.verdicts(act.person, lines).keys() & self.held_by(act.person, lines)
            if not cards or set(cards) <= shown:
                continue
            mark: Mark = "allowed" if claim.allowed else "refused"
            slots = groups.setdefault((act.person, act.verb), [])
            slots += [Slot(self.faces.face([card]), self.where(act), mark) for card in cards]
        for (name, verb), slots in groups.items():
            yield Strip((person(name), heading(self.rules, self.rules.moves[verb].section)), tuple(slots))

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
                if key is not None and key.kind == "name":
                    found.append(Text(argument.text, msgctxt=f"{self.rules.family}: {key.of}"))
                else:
                    found.append(argument.text)
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

    def tallies(self, lines: Sequence[Line]) -> Iterator[Tally]:
        entries: dict[str, dict[str, tuple[int, bool]]] = {}
        for line in lines:
            condition = line.condition if isinstance(line, Claim) and line.modal == "now" else None
            left = condition.left if isinstance(condition, model.Compare) else None
            if isinstance(left, model.KeepOf) and isinstance(left.key, model.Person):
                value = self.snapshot.figure(left)
                if isinstance(value, int):
                    entries.setdefault(left.keep.name, {})[left.key.name] = (value, False)
            if isinstance(line, WinnersClaim):
                for keep in self.rules.keeps.values():
                    if keep.key is not None and keep.key.kind == "player" and keep.type.kind == "number":
                        base, keeps = self.runner.layout.keep_base[keep.name], self.snapshot.worlds[0].keeps
                        entries[keep.name] = {
                            name: (keeps[base + seat] or 0, name in line.people)
                            for seat, name in enumerate(self.snapshot.people)
                        }
        for name, values in entries.items():
            yield Tally(
                term(self.rules, name, "keep"),
                tuple((person(who), number, wins) for who, (number, wins) in values.items()),
            )
