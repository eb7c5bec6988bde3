"""A game → what its cards, places and moves are called in one language, and where their pictures are."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from teufelswerk.base.texts import Text
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.machine import END_NAMES
from teufelswerk.interpreter.state import Move
from teufelswerk.language.i18n import Translator
from teufelswerk.model import SIDE, Choose, Keep, Model, title_of
from teufelswerk.rulebook.faces import Faces
from teufelswerk.rulebook.words import move_term, place_term, term
from teufelswerk.sessions.glance import Glance

BACK = "back-"


def translator_of(rules: Model, language: str) -> Translator:
    """Who speaks of a game; a rule file may bring words of its own."""
    source = rules.source
    return Translator(language, [Path(source.path).resolve().parent], "\n".join(source.lines))


class Lexicon:
    """The words of one game for those who read one language."""

    def __init__(self, game: Game, language: str, pictures: str) -> None:
        self.game = game
        self.rules = game.rules
        self.language = language
        self.pictures = pictures
        """Where the pictures of the cards are, without the language."""
        self.translator = translator_of(game.rules, language)
        self.faces = Faces(game.rules)
        self.glance = Glance(game)
        self.first = {card.id: card for card in reversed(game.rules.cards)}
        """Of identical cards the first one."""
        self._said: dict[tuple[str, str, Any], str] = {}

    def say(self, text: Text | str, names: Sequence[str] = ()) -> str:
        return self.translator(text, names)

    @cached_property
    def title(self) -> str:
        return self.say(title_of(self.rules))

    # ---- cards ------------------------------------------------------------------------------------------------------

    @cached_property
    def cards(self) -> dict[str, dict[str, Any]]:
        """Every card of the game by its id: what it is called, its picture, where it stands in a hand."""
        order = sorted(self.first, key=self.sort_key)
        place = {id: number for number, id in enumerate(order)}
        return {
            id: {"title": self.card(id), "face": self.picture(str(card.index)), "order": place[id]}
            for id, card in self.first.items()
        }

    def card(self, id: str) -> str:
        return self.say(self.faces.title(self.first[id]))

    def sort_key(self, id: str) -> tuple[int, ...]:
        """Hands are sorted by kind, colour and number, as the file declares them."""
        card = self.first[id]
        roles = self.faces.roles[card.kind]
        group = next((card.values[r] for r in (roles.suit, roles.colour) if r is not None and r in card.values), 0)
        kind = list(self.rules.kinds).index(card.kind)
        return kind, group, card.values.get(roles.index or "", 0), card.index

    @cached_property
    def backs(self) -> dict[str, dict[str, Any]]:
        """Every back that a card can have: what it is called, and its picture."""
        found: dict[str, dict[str, Any]] = {}
        for card in self.rules.cards:
            if card.back not in found:
                face = self.faces.back(card)
                words = " ".join(map(self.say, face.words))
                found[card.back] = {"title": words, "face": self.picture(f"{BACK}{card.index}")}
        return found

    def picture(self, name: str) -> str:
        return f"{self.pictures}/{self.language}/{name}.svg"

    # ---- places and what is kept ------------------------------------------------------------------------------------

    def family(self, name: str) -> str:
        """What all places of a family are called."""
        return self.capital(self.say(place_term(self.rules, name)))

    def place(self, index: int, names: Sequence[str]) -> str:
        """What a place is called beside those of its family; that it is somebody's is said where it is drawn."""
        layout = self.game.layout
        place = layout.place_of[index]
        if place.key is None or place.key.kind == "player":
            return self.family(place.name)
        members = layout.split(place.key, layout.place_key[index])
        shown = [
            self.say(Text("{value}", value=self.game.program.teller.member(key, value)), names)
            for key, value in members
            if not (place.key.of_one_player and key.kind == "player")
        ]
        words = ", ".join(shown)
        return f"{self.family(place.name)} {words}" if words.isdigit() else words

    def keep(self, keep: Keep) -> str:
        return self.capital(self.say(term(self.rules, keep.name, "keep")))

    def kept(self, keep: Keep, value: Any, names: Sequence[str]) -> str:
        match keep.type.kind:
            case "player":
                return names[int(value)]
            case "card":
                return self.card(str(value))
            case "name" if not keep.type.same(SIDE) and not str(value).isdigit():
                return self.say(Text(str(value), msgctxt=f"{self.rules.family}: {keep.type.of}"))
        return self.translator.show(value)

    # ---- moves ------------------------------------------------------------------------------------------------------

    def called(self, verb: str) -> str:
        return self.capital(self.say(move_term(self.rules, self.rules.moves[verb])))

    def move(self, move: Move, names: Sequence[str]) -> str:
        """All that a move chooses, in one line; without any choice, what it is called."""
        choices = self.rules.moves[move.verb].choices
        parts = [self.pick(choice, pick, names) for choice, pick in zip(choices, move.picks, strict=True)]
        return " · ".join(parts) if parts else self.called(move.verb)

    def pick(self, choice: Choose, pick: Any, names: Sequence[str]) -> str:
        if isinstance(pick, tuple):
            return self.translator.list([self.one(choice, item, names) for item in pick]) or self.say(Text("nothing"))
        return self.one(choice, pick, names)

    def one(self, choice: Choose, pick: Any, names: Sequence[str]) -> str:
        kind = choice.source.type.kind
        asked = kind, choice.source.type.of, pick
        if kind in ("player", "place"):  # names are known only at the table
            return self.drawn(kind, choice, pick, names)
        if asked not in self._said:
            self._said[asked] = self.drawn(kind, choice, pick, names)
        return self._said[asked]

    def drawn(self, kind: str, choice: Choose, pick: Any, names: Sequence[str]) -> str:
        if kind == "card":
            return self.card(self.rules.cards[pick].id)
        if kind == "end":
            there = self.game.layout.place_names[pick >> 1]
            end = self.say(Text("top") if pick & 1 else Text("bottom"))
            return f"{self.place(self.game.layout.by_name[there], names)}: {end}"
        return self.say(Text("{value}", value=self.game.program.teller.shown(choice.source.type.one(), pick)), names)

    @staticmethod
    def capital(words: str) -> str:
        return words[:1].upper() + words[1:]


def thing(game: Game, choice: Choose, pick: Any) -> str:
    """What one can point at to choose this, as the page names it: a card, an end, a place, a seat; else a word."""
    match choice.source.type.kind:
        case "card":
            return f"card:{game.rules.cards[pick].id}"
        case "end":
            return f"end:{game.layout.place_names[pick >> 1]}:{END_NAMES[pick & 1]}"
        case "place":
            return f"place:{game.layout.place_names[pick]}"
        case "player":
            return f"seat:{pick}"
    return f"word:{choice.name}:{pick}"
