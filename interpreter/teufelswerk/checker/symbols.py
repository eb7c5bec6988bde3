"""The table of what a file declares: everything that a name can mean, and where it was declared."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from teufelswerk.base import limits
from teufelswerk.base.diagnostics import Diagnostic, Span, nearest
from teufelswerk.base.texts import Text
from teufelswerk.checker.unknown_names import meant_by
from teufelswerk.model import PLAYER, SIDE, Attribute, Card, Key, Place, Type
from teufelswerk.syntax import nodes
from teufelswerk.syntax.keywords import ORDINALS, RESERVED

BUILT_IN = frozenset({"card", "player", "end", "number", "left", "right", "next", "it", "box", *ORDINALS})


def singulars(noun: str) -> list[str]:
    """What an English noun may be the plural of, itself included."""
    forms = [noun]
    if noun.endswith("ies"):
        forms.append(noun[:-3] + "y")
    if noun.endswith("es"):
        forms.append(noun[:-2])
    if noun.endswith("s"):
        forms.append(noun[:-1])
    return forms


def plurals(noun: str) -> list[str]:
    """What may be the plural of an English noun, itself included."""
    return [noun, f"{noun}s", f"{noun}es", *([f"{noun[:-1]}ies"] if noun.endswith("y") else [])]


def singular(noun: str) -> str:
    """What one of several things is most likely called."""
    if noun.endswith("ies"):
        return f"{noun[:-3]}y"
    return noun[:-2] if noun.endswith(("ches", "shes", "sses", "xes")) else noun.removesuffix("s")


@dataclass
class Symbols:
    """Everything that a name can mean, and where it was declared."""

    players: nodes.Players | None = None
    declared: dict[str, Span] = field(default_factory=dict)
    attributes: dict[str, Attribute] = field(default_factory=dict)
    kinds: dict[str, nodes.Cards] = field(default_factory=dict)
    kind_attributes: dict[str, tuple[str, ...]] = field(default_factory=dict)
    cards: list[Card] = field(default_factory=list)
    card_ids: dict[str, int] = field(default_factory=dict)
    left_out: dict[str, tuple[Card, Span]] = field(default_factory=dict)
    """The cards that would be there if no line said that the pack is without them."""
    places: dict[str, Place] = field(default_factory=dict)
    keeps: dict[str, nodes.Keep] = field(default_factory=dict)
    names: dict[str, tuple[str, ...]] = field(default_factory=dict)
    definitions: dict[str, tuple[nodes.Definition, int]] = field(default_factory=dict)
    steps: dict[str, tuple[nodes.Step, int]] = field(default_factory=dict)
    moves: dict[str, tuple[nodes.Move, int]] = field(default_factory=dict)
    figures: dict[str, int] = field(default_factory=dict)
    """The definitions that are plain numbers: a list of cards can go up to one of them."""
    only_in: dict[str, str] = field(default_factory=dict)
    """What a step or move names for itself, and where."""
    figures_of_cards: set[str] = field(default_factory=set)
    """Those that the cards depend on."""
    spoiled_moves: set[str] = field(default_factory=set)
    """Moves with a mistake in them, of whose choices nothing can be said."""
    found: list[Diagnostic] = field(default_factory=list)

    def report(
        self,
        code: str,
        message: Text,
        span: Span,
        *,
        label: Text | None = None,
        related: tuple[tuple[Span, Text], ...] = (),
        help: Text | None = None,
        severity: str = "error",
    ) -> None:
        self.found.append(Diagnostic(code, message, span, label, related, help, severity))

    def nearest(self, word: str, known: Iterable[str]) -> str | None:
        """The known name that looks most like the word, as long as there are not too many findings to be read."""
        return nearest(word, known) if len(self.found) < limits.MAX_DIAGNOSTICS else None

    def unknown(self, word: str, span: Span, known: Iterable[str], otherwise: Text | None = None) -> None:
        """Reports a name that means nothing, with the nearest one that does or, without one, what else to do."""
        if word in self.declared:
            message = Text("`{name}` is something else than what is needed here", name=word)
            self.report("unknown-name", message, span, related=((self.declared[word], Text("declared here")),))
            return
        help = meant_by(word, self.names, self.card_ids, self.only_in)
        similar = self.nearest(word, known) if help is None else None
        related: tuple[tuple[Span, Text], ...] = ()
        if similar in self.declared:
            related = ((self.declared[similar], Text("this has a similar name")),)
        if word in self.left_out:
            similar, related = None, ((self.left_out[word][1], Text("here this card is left out")),)
        message = Text("there is nothing called `{name}`", name=word)
        help = Text("write `{name}`", name=similar) if similar else help or otherwise
        self.report("unknown-name", message, span, label=Text("not declared"), related=related, help=help)

    def all_names(self) -> set[str]:
        members = {name for names in self.names.values() for name in names}
        return set(self.declared) | BUILT_IN | members | {"players", "cards"}

    def thing(self, word: str) -> Type | None:
        """The type that a singular noun names: card, player, end, a kind of card, a family of places, names."""
        if word == "card":
            return Type("card", card_kinds=frozenset(self.kinds))
        if word == "player":
            return PLAYER
        if word == "end":
            return Type("end")
        if word in self.kinds:
            return Type("card", card_kinds=frozenset({word}))
        if word in self.places and self.places[word].key is not None:
            return Type("place", word)
        if word == "side" and SIDE.of in self.names:
            return SIDE
        if word in self.names:
            return Type("name", word)
        return None

    def of_places(self, name: str) -> str | None:
        """The family of places for each of which something is kept: `keep worth of each row: 0`."""
        family = self.keeps[name].family if name in self.keeps else None
        word = family.of.text if family is not None and family.of is not None else ""
        return word if word in self.places and self.places[word].key is not None else None

    def things(self, word: str) -> Type | None:
        """The type that a noun names in the plural (or, after `each` and `every`, in the singular)."""
        return next((found for form in singulars(word) if (found := self.thing(form))), None)


def key_of(symbols: Symbols, family: nodes.Family | None, name: nodes.Word) -> Key | None:
    """What a family has one member for, reported if it is nothing that can be counted up."""
    if family is None:
        return None
    if family.second is None:
        of_places = symbols.places[place].key if (place := symbols.of_places(name.text)) is not None else None
        return of_places or _key_of_one(symbols, family, name)
    parts = _key_of_one(symbols, family, name), _key_of_one(symbols, family.second, name)
    if parts[1].of_players:
        assert family.second.of is not None
        first, second = family.of, family.second.of
        span, help = second.span, None
        if first is not None and not parts[0].of_players:
            span = replace(span, column=first.span.column)
            help = Text("write `{words}`", words=f"{second.text} and {first.text}")
        symbols.report("bad-family", Text("whose it is stands first behind `of each`"), span, help=help)
        return parts[1]
    return Key("pair", parts=parts)


def _key_of_one(symbols: Symbols, family: nodes.Family, name: nodes.Word) -> Key:
    if family.of is None:
        if not family.low <= family.high < family.low + limits.MAX_PLACES or family.high > limits.MAX_NUMBER:
            message = Text("the range from {low} to {high} is empty or too long", low=family.low, high=family.high)
            help = Text("a range goes upwards and has at most {limit} numbers", limit=limits.MAX_PLACES)
            symbols.report("bad-range", message, name.span, help=help)
            return Key("number", "", 1, 1)
        return Key("number", "", family.low, family.high)
    if family.of.text == "player":
        return Key("player")
    if (thing := symbols.thing(family.of.text)) and thing.kind == "name":
        return Key("name", thing.of)
    known = {"player", *symbols.names}
    message = Text("`of each` needs `player` or names, and `{name}` is neither", name=family.of.text)
    similar = symbols.nearest(family.of.text, known)
    suggestion = Text("write `{name}`", name=similar) if similar else None
    symbols.report("bad-family", message, family.of.span, help=suggestion)
    return Key("player")


def refuse_reserved(symbols: Symbols, word: nodes.Word, words: frozenset[str]) -> bool:
    """Whether the name is one of some words of the rule language; reported if so."""
    if word.text not in words:
        return False
    message = Text("`{name}` is a word of the rule language and cannot be a name", name=word.text)
    symbols.report("reserved", message, word.span, help=Text("choose another name"))
    return True


def declare(symbols: Symbols, word: nodes.Word) -> bool:
    """Whether the name is free; if so, it is taken now."""
    name = word.text
    if refuse_reserved(symbols, word, RESERVED | BUILT_IN - {"number"}):
        return False
    if name in symbols.declared:
        message = Text("there are two things called `{name}`", name=name)
        related = ((symbols.declared[name], Text("the first one")),)
        help = Text("places, moves, steps and all else are called by names of their own: choose another one here")
        symbols.report("declared-twice", message, word.span, related=related, help=help)
    else:
        symbols.declared[name] = word.span
        return True
    return False


def who_sees(symbols: Symbols, words: tuple[nodes.Word, ...], known: tuple[str, ...]) -> str:
    """Who sees something, by the words behind `seen by`; reported if it is said twice, or is nobody."""
    if len(words) > 1:
        symbols.report("seen-by", Text("who sees it is said twice"), words[1].span)
    if words and words[0].text not in known:
        symbols.report(
            "seen-by",
            Text("`{name}` is nobody who could see a card", name=words[0].text),
            words[0].span,
            help=Text("one of these may stand here: {options:or}", options=[f"`{who}`" for who in known]),
        )
        return known[0]
    return words[0].text if words else "nobody"
