"""Values → what people and records are shown: ids, names, and sentences with their figures filled in."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any

from teufelswerk import model
from teufelswerk.base.texts import Seat, Text, Told, Unnamed
from teufelswerk.core import forms as f
from teufelswerk.core import statements as s
from teufelswerk.core.looks import Looks
from teufelswerk.core.lower_game import asked_of
from teufelswerk.core.walk import parts
from teufelswerk.interpreter.evaluate import Evaluator
from teufelswerk.interpreter.machine import END_NAMES, Event, Machine
from teufelswerk.model import SIDE, Type

NOBODY = -1
"""The seat of those who only watch: they see what everyone sees."""


def raw(layout_model: model.Model, type: Type, value: Any, place_names: list[str]) -> Any:
    """A value as records have it: seats and numbers as numbers, everything else by its id."""
    if value is None:
        return None
    if isinstance(value, tuple):
        return [raw(layout_model, type.one(), item, place_names) for item in value]
    match type.kind:
        case "card":
            return layout_model.cards[value].id
        case "name":
            return layout_model.names[type.of][value]
        case "place":
            name, *members = place_names[value].replace("]", "").split("[")
            found = [int(member) if member.isdigit() else member for member in members] or [name]
            return found[0] if len(found) == 1 else found
        case "end":
            return END_NAMES[value & 1]
    return value


class Teller:
    """Makes functions that tell sentences in the event stream."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.layout = evaluator.layout
        self.core = evaluator.core
        self.rules = evaluator.rules
        self.looks = Looks(self.core)

    def raw(self, type: Type, value: Any) -> Any:
        return raw(self.rules, type, value, self.layout.place_names)

    def keep_record(self, index: int, value: int | None) -> dict[str, Any]:
        keep = self.layout.keep_of[index]
        record: dict[str, Any] = {"event": "keep", "name": keep.name}
        if keep.key is not None:
            record["of"] = self.layout.member_ids(keep.key, self.layout.keep_key[index])
        record["value"] = self.raw(keep.type, value)
        return record

    # ---- values for people ------------------------------------------------------------------------------------------

    def shown(self, type: Type, value: Any) -> Any:
        """A value for a sentence: a number, a seat, or a text that can be translated."""
        if isinstance(value, (list, tuple)):
            if not value and type.kind == "player":
                return Text("nobody")
            return [self.shown(type.one(), item) for item in value]
        if value is None:
            return Text("nobody") if type.kind == "player" else Text("nothing")
        match type.kind:
            case "player":
                return Seat(value)
            case "card":
                return self.card(value)
            case "name":
                return self.name(type.of, value)
            case "place":
                return self.place(value)
            case "end":
                return Text("top") if value & 1 else Text("bottom")
        return value

    def card(self, index: int) -> Any:
        """How a card is called."""
        card = self.rules.cards[index]
        kind = self.rules.kinds[card.kind]
        if kind.called is None:
            return card.id
        values = {}
        for name, _ in kind.called.figures:
            attribute = self.rules.attributes.get(name)
            if attribute and name in card.values:
                values[name] = self.name(name, card.values[name]) if attribute.names else card.values[name]
        return Text(kind.called.msgid, msgctxt=kind.called.context, **values)

    def name(self, owner: str, value: int) -> Any:
        if owner == SIDE.of:
            return [Seat(seat) for seat in range(value, self.layout.players, self.rules.sides)]
        word = self.rules.names[owner][value]
        return word if word.isdigit() else Text(word, msgctxt=f"{self.rules.family}: {owner}")

    def place(self, index: int) -> Any:
        place, key = self.layout.place_of[index], self.layout.place_key[index]
        if place.key is None:
            return Text(place.name, msgctxt=f"{self.rules.family}: place")
        return self.member(place.key, key)

    def member(self, key: model.Key, value: int) -> Any:
        """What a member of a family is for: one thing, or two of them."""
        found = [self.shown(part.type, one) for part, one in self.layout.split(key, value)]
        return found[0] if len(found) == 1 else found

    # ---- sentences --------------------------------------------------------------------------------------------------

    def sentence(self, sentence: f.Sentence) -> Callable[[Machine], Told]:
        """The sentence with its figures read from the machine."""
        figures = [
            (name, form.type, self.evaluator.value(form), form.type.kind == "card" and not self.is_public(form))
            for name, form in sentence.figures
        ]
        secrets = {name: knowing for name, form in sentence.figures if (knowing := self.knowing(form))}

        def tell(m: Machine) -> Told:
            fired, m.fired = m.fired, None
            values: dict[str, Any] = {}
            veiled: dict[str, tuple[frozenset[int], Any]] = {}
            for name, type, function, hidden in figures:
                value = function(m)
                values[name] = self.shown(type, value)
                if name in secrets and value is not None:
                    veiled[name] = secrets[name](m), Text("something")
                elif hidden and value is not None:
                    seats, instead = self.veil(m, value)
                    if NOBODY not in seats:
                        veiled[name] = seats, instead
            m.fired = fired
            return Told(Text(sentence.msgid, msgctxt=sentence.context, **values), veiled)

        return tell

    def knowing(self, form: f.Expr) -> Callable[[Machine], frozenset[int]] | None:
        """Who knows something that is kept in secret, or depends on that; None if it is no secret."""
        if not any(isinstance(look.place, model.Keep) for look in self.looks.into(form)):
            return None
        if not isinstance(form, f.Kept) or form.keep.seen_by != "owner" or form.key is None:
            return lambda m: frozenset()
        keep, key = form.keep, self.evaluator.value(form.key)
        return lambda m: frozenset(self.layout.holders(keep, key(m)))

    def is_public(self, card: f.Expr) -> bool:
        """Whether everyone can tell which card is meant, wherever it lies: it is kept, or lies where all see it."""
        if isinstance(card, (f.Kept, f.Constant)):
            return True
        return not names_something(card) and not any(self.looks.into(card))

    def veil(self, m: Machine, cards: int | tuple[int, ...]) -> tuple[frozenset[int], Any]:
        """Who may know these cards by name, and what the others are told.

        A seat knows a card that lies where it sees it, or that it has seen moving since the last decision.
        """
        several = cards if isinstance(cards, tuple) else (cards,)
        moved = self.moved(m)
        seats = [
            seat
            for seat in range(NOBODY, self.layout.players)
            if all(
                self.layout.sees_card(seat, m.keeps, m.where[c], c)
                or any(p is None or self.layout.seen_by(seat, p) for p in moved.get(c, ()))
                for c in several
            )
        ]
        if not isinstance(cards, tuple):
            return frozenset(seats), Text("a card")
        everyone_counted = all(card in moved for card in cards)
        return frozenset(seats), Unnamed(cards) if everyone_counted else Text("some cards")

    def moved(self, m: Machine) -> dict[int, list[int | None]]:
        """The cards that have moved since the last decision, and the places where they have been; None where all saw
        them, since they lay face up."""
        found: dict[int, list[int | None]] = {}
        for event in reversed(m.log or ()):
            if event.record["event"] == "move":
                break
            if event.record["event"] == "cards":
                for card in event.cards:
                    places = found.setdefault(card, [])
                    places += [self.layout.by_name[event.record["from"]], self.layout.by_name[event.record["to"]]]
                    places += [None] if event.record.get("face") == "up" else []
            if event.record["event"] == "turn":
                found.setdefault(event.cards[0], []).append(None)
        return found

    def invitation(self, m: Machine, verb: str, player: int) -> Told | None:
        """How a player is asked for a move, if the rules say that."""
        if verb not in self.invitations:
            return None
        m.slots[self.core.moves[verb].slot] = player
        return self.invitations[verb](m)

    @cached_property
    def invitations(self) -> dict[str, Callable[[Machine], Told]]:
        lowering = asked_of(self.rules)
        moves = self.rules.moves.values()
        return {move.name: self.sentence(lowering.sentence(move.invitation)) for move in moves if move.invitation}

    def announcement(self, statement: s.Doing) -> Callable[[Machine], None] | None:
        """A function that tells a statement's sentences, if it has any; conditions have theirs for refusals."""
        if not statement.told:
            return None
        tellers = [self.sentence(sentence) for sentence in statement.told]

        def announce(m: Machine) -> None:
            assert m.log is not None
            for tell in tellers:
                m.log.append(Event({"event": "told"}, statement.id, tell(m)))

        return announce

    @cached_property
    def reasons(self) -> dict[int, list[Callable[[Machine], Told]]]:
        """By branch, what is told when a value comes from it."""
        return {id: [self.sentence(told) for told in sentences] for id, sentences in self.core.reasons.items()}

    def tell_reasons(self, m: Machine, fired: Iterable[Any]) -> None:
        """Tells the sentences of the branches that decided."""
        assert m.log is not None
        for branch in fired:
            if isinstance(branch, model.Branch):
                for tell in self.reasons[branch.id]:
                    m.log.append(Event({"event": "told"}, branch.id, tell(m)))


def names_something(form: f.Expr) -> bool:
    """Whether a form reads a name, that of whoever is looked at included; definitions have names of their own."""
    return isinstance(form, f.Slot) or any(map(names_something, parts(form)))
