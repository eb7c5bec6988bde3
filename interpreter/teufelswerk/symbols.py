"""Nodes → tables: what a file declares, each name once, the cards spelled out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import product

from teufelswerk import limits, nodes
from teufelswerk.build import whole
from teufelswerk.diagnostics import Diagnostic, Span, nearest
from teufelswerk.extent import check_extent, named_first, words_in
from teufelswerk.mistakes import RESERVED
from teufelswerk.model import PLAYER, Attribute, Card, Key, Place, Type
from teufelswerk.texts import Text

BUILT_IN = frozenset({"card", "player", "end", "number", "left", "right", "first", "second", "last", "it", "box"})
OTHERS = "others"
DEFAULT_KIND = "card"


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
    places: dict[str, Place] = field(default_factory=dict)
    keeps: dict[str, nodes.Keep] = field(default_factory=dict)
    names: dict[str, tuple[str, ...]] = field(default_factory=dict)
    definitions: dict[str, tuple[nodes.Definition, int]] = field(default_factory=dict)
    steps: dict[str, tuple[nodes.Step, int]] = field(default_factory=dict)
    moves: dict[str, tuple[nodes.Move, int]] = field(default_factory=dict)
    figures: dict[str, int] = field(default_factory=dict)
    """The definitions that are plain numbers: a list of cards can go up to one of them."""
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

    def unknown(self, word: str, span: Span, known: Iterable[str]) -> None:
        """Reports a name that means nothing, with the nearest one that does."""
        similar = self.nearest(word, known)
        related: tuple[tuple[Span, Text], ...] = ()
        if similar in self.declared:
            related = ((self.declared[similar], Text("this has a similar name")),)
        message = Text("there is nothing called `{name}`", name=word)
        help = Text("write `{name}`", name=similar) if similar else None
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
        if word in self.names:
            return Type("name", word)
        return None

    def things(self, word: str) -> Type | None:
        """The type that a noun names in the plural (or, after `each` and `every`, in the singular)."""
        return next((found for form in singulars(word) if (found := self.thing(form))), None)


def collect(clauses: Iterable[tuple[nodes.Clause, int]]) -> Symbols:
    """The tables for all clauses, each with the number of the section that it stands in."""
    symbols = Symbols()
    clauses = list(clauses)
    symbols.places["box"] = Place("box", 0, None, "nobody", "nobody", False, None)
    for clause, _ in clauses:
        if isinstance(clause, nodes.Definition) and isinstance(clause.value, nodes.Number) and not clause.parameter:
            symbols.figures.setdefault(clause.name.text, clause.value.value)
    for clause, _ in clauses:
        if isinstance(clause, nodes.Players):
            _players(symbols, clause)
        elif isinstance(clause, nodes.Cards):
            _cards(symbols, clause)
    _spell_out(symbols)
    named = (nodes.Keep, nodes.Definition, nodes.Step, nodes.Move, nodes.Place)
    clauses = [(c, section) for c, section in clauses if not isinstance(c, named) or _declare(symbols, c.name)]
    for clause, section in clauses:
        match clause:
            case nodes.Keep():
                symbols.keeps[clause.name.text] = clause
                if clause.names:
                    symbols.names[clause.name.text] = tuple(word.text for word in clause.names)
            case nodes.Definition():
                symbols.definitions[clause.name.text] = (clause, section)
            case nodes.Step():
                symbols.steps[clause.name.text] = (clause, section)
            case nodes.Move():
                symbols.moves[clause.name.text] = (clause, section)
                if clause.who.text != "player":
                    message = Text("a move is declared as `player {verb}:`", verb=clause.name.text)
                    symbols.report("move-of-player", message, clause.who.span)
    for clause, _ in clauses:
        if isinstance(clause, nodes.Place):
            _place(symbols, clause)
    _count_members(symbols, [clause for clause, _ in clauses if isinstance(clause, (nodes.Place, nodes.Keep))])
    symbols.found += check_extent({name: step for name, (step, _) in symbols.steps.items()})
    order = named_first({name: words_in(node.value) for name, (node, _) in symbols.definitions.items()})
    symbols.definitions = {name: symbols.definitions[name] for name in order}
    return symbols


def _count_members(symbols: Symbols, clauses: Iterable[nodes.Place | nodes.Keep]) -> None:
    """Refuses families that have too many members taken together."""
    total = 0
    for clause in clauses:
        family = clause.family
        size = 1
        if family is not None and family.of is None:
            size = max(0, family.high - family.low + 1)
        elif family is not None and family.of is not None:
            size = len(symbols.names.get(family.of.text, range(limits.MAX_PLAYERS)))
        if not 0 < size <= limits.MAX_PLACES:
            continue
        if total + size > limits.MAX_PLACES:
            message = Text("a game has at most {limit} places and things that it keeps", limit=limits.MAX_PLACES)
            symbols.report("too-many-places", message, clause.name.span)
            return
        total += size


def key_of(symbols: Symbols, family: nodes.Family | None, name: nodes.Word) -> Key | None:
    """What a family has one member for, reported if it is nothing that can be counted up."""
    if family is None:
        return None
    if family.of is None:
        if not family.low <= family.high < family.low + limits.MAX_PLACES or family.high > limits.MAX_NUMBER:
            message = Text("the range from {low} to {high} is empty or too long", low=family.low, high=family.high)
            help = Text("a range goes upwards and has at most {limit} numbers", limit=limits.MAX_PLACES)
            symbols.report("bad-range", message, name.span, help=help)
            return Key("number", "", 1, 1)
        return Key("number", "", family.low, family.high)
    if family.of.text == "player":
        return Key("player")
    if family.of.text in symbols.names:
        return Key("name", family.of.text)
    known = {"player", *symbols.names}
    message = Text("`of each` needs `player` or names, and `{name}` is neither", name=family.of.text)
    similar = symbols.nearest(family.of.text, known)
    suggestion = Text("write `{name}`", name=similar) if similar else None
    symbols.report("bad-family", message, family.of.span, help=suggestion)
    return Key("player")


def _declare(symbols: Symbols, word: nodes.Word) -> bool:
    """Whether the name is free; if so, it is taken now."""
    name = word.text
    if name in RESERVED or name in BUILT_IN - {"number"}:
        message = Text("`{name}` is a word of the rule language and cannot be a name", name=name)
        symbols.report("reserved", message, word.span, help=Text("choose another name"))
    elif name in symbols.declared:
        message = Text("there are two things called `{name}`", name=name)
        related = ((symbols.declared[name], Text("the first one")),)
        symbols.report("declared-twice", message, word.span, related=related)
    else:
        symbols.declared[name] = word.span
        return True
    return False


def _players(symbols: Symbols, clause: nodes.Players) -> None:
    if symbols.players:
        related = ((symbols.players.span, Text("the first one")),)
        symbols.report("declared-twice", Text("how many can play is said twice"), clause.span, related=related)
    elif clause.low < 1 or clause.high < clause.low or clause.high > limits.MAX_PLAYERS:
        message = Text("from {low} to {high} players makes no sense", low=clause.low, high=clause.high)
        help = Text("write two numbers from 1 to {limit}, the smaller one first", limit=limits.MAX_PLAYERS)
        symbols.report("player-range", message, clause.span, help=help)
        clause = nodes.Players(clause.span, 1, limits.MAX_PLAYERS)
    symbols.players = clause


def _stretch(symbols: Symbols, stretch: nodes.Stretch, limit: int) -> list[str]:
    """`1 to 9` spelled out; reported if it runs backwards or too far."""
    if stretch.last is None:
        return [stretch.first]
    if not stretch.first.isdigit():
        symbols.report("bad-range", Text("a range goes from a number to a number"), stretch.span)
        return [stretch.first]
    low = whole(stretch.first)
    if not stretch.last.isdigit():
        if stretch.last not in symbols.figures:
            message = Text("`{name}` is no plain number, such as `{name} = {n}`", name=stretch.last, n=9)
            similar = symbols.nearest(stretch.last, symbols.figures)
            help = Text("write `{name}`", name=similar) if similar else None
            symbols.report("no-figure", message, stretch.span, help=help)
            return [str(low)]
        if symbols.figures[stretch.last] == low - 1:
            return []  # none of them
    high = symbols.figures[stretch.last] if stretch.last in symbols.figures else whole(stretch.last)
    if high < low or high - low >= limit or high > limits.MAX_NUMBER:
        message = Text("the range from {low} to {high} is empty or too long", low=low, high=high)
        help = Text("a range goes upwards and has at most {limit} numbers", limit=limit)
        symbols.report("bad-range", message, stretch.span, help=help)
        return [str(low)]
    return [str(n) for n in range(low, high + 1)]


def _cards(symbols: Symbols, clause: nodes.Cards) -> None:
    kind = clause.kind.text if clause.kind else DEFAULT_KIND
    span = clause.kind.span if clause.kind else clause.span
    if kind in symbols.kinds:
        message = Text("there are two kinds of cards called `{name}`", name=kind)
        symbols.report("declared-twice", message, span, related=((symbols.kinds[kind].span, Text("the first one")),))
        return
    if clause.kind:
        _declare(symbols, clause.kind)
    symbols.kinds[kind] = clause
    own: list[str] = []
    for attribute in clause.attributes:
        name = attribute.name.text
        own.append(name)
        known = symbols.attributes.get(name)
        if own.count(name) > 1 or (known is None and name in symbols.declared):
            message = Text("there are two things called `{name}`", name=name)
            related = ((symbols.declared[name], Text("the first one")),) if name in symbols.declared else ()
            symbols.report("declared-twice", message, attribute.name.span, related=related)
            continue
        if isinstance(attribute, nodes.Table):
            symbols.attributes.setdefault(name, Attribute(name, (), attribute.name.span))
        else:
            values = _values(symbols, attribute)
            names = () if all(v.isdigit() for v in values) else tuple(values)
            if known and known.names != names:
                message = Text("`{name}` has other values on another kind of card", name=name)
                symbols.report(
                    "attribute-differs", message, attribute.name.span, related=((known.span, Text("there")),)
                )
            symbols.attributes.setdefault(name, Attribute(name, names, attribute.name.span))
            if names:
                symbols.names[name] = names
        if known is None:
            _declare(symbols, attribute.name)
    symbols.kind_attributes[kind] = tuple(own)
    for word in clause.back:
        if word.text not in own and word.text != kind:
            message = Text(
                "the back shows one of the card's attributes, or its kind; `{name}` is neither", name=word.text
            )
            similar = symbols.nearest(word.text, [*own, kind])
            symbols.report(
                "bad-back", message, word.span, help=Text("write `{name}`", name=similar) if similar else None
            )


def _values(symbols: Symbols, attribute: nodes.Attribute) -> list[str]:
    """The values of an attribute, each once."""
    first: dict[str, Span] = {}
    for stretch in attribute.values:
        values = _stretch(symbols, stretch, limits.MAX_CARDS)
        if stretch.last is None and stretch.first.isdigit():
            _check_size(symbols, whole(stretch.first), stretch.span)
        repeated = next((value for value in values if value in first), None)
        if repeated is not None:
            related = ((first[repeated], Text("here it is listed already")),)
            message = Text("`{value}` is listed twice", value=repeated)
            symbols.report("listed-twice", message, stretch.span, related=related)
        first |= {value: stretch.span for value in values if value not in first}
    return list(first)


def _check_size(symbols: Symbols, number: int, span: Span) -> None:
    if number > limits.MAX_NUMBER:
        symbols.report("large-number", Text("a number is at most {limit}", limit=limits.MAX_NUMBER), span)


def _spell_out(symbols: Symbols) -> None:
    """Makes the cards: one for every combination of listed attributes, the tables looked up."""
    for kind, clause in symbols.kinds.items():
        listed = [a for a in clause.attributes if isinstance(a, nodes.Attribute)]
        tables = [a for a in clause.attributes if isinstance(a, nodes.Table)]
        axes = [_values(Symbols(figures=symbols.figures), a) for a in listed]
        total = 1
        for axis in axes:
            total *= len(axis)
        if not listed:
            help = Text("list what is on the cards, as in `number: 1 to 54`")
            symbols.report("empty-cards", Text("nothing below tells these cards apart"), clause.span, help=help)
            continue
        if total + len(symbols.cards) > limits.MAX_CARDS:
            message = Text("a game has at most {limit} cards, and these lists make more", limit=limits.MAX_CARDS)
            related = tuple(
                (a.name.span, Text("{n} {n:value|values}", n=len(axis))) for a, axis in zip(listed, axes, strict=True)
            )
            symbols.report("too-many-cards", message, clause.span, related=related)
            continue
        lookups = {t.name.text: _table(symbols, t, listed, axes) for t in tables}
        for combination in product(*axes):
            values: dict[str, int] = {}
            for attribute, text in zip(listed, combination, strict=True):
                names = symbols.names.get(attribute.name.text)
                values[attribute.name.text] = names.index(text) if names and text in names else _number(text)
            spelled = dict(zip([a.name.text for a in listed], combination, strict=True))
            for table in tables:
                key = spelled.get(table.by.text)
                if key is not None and key in lookups[table.name.text]:
                    values[table.name.text] = lookups[table.name.text][key]
            prefix = [kind] if clause.kind and all(v.isdigit() for v in combination) else []
            id = "-".join([*prefix, *combination])
            back = "-".join(spelled.get(word.text, word.text) for word in clause.back)
            if id in symbols.card_ids:
                other = symbols.kinds[symbols.cards[symbols.card_ids[id]].kind]
                message = Text("there are two cards called `{name}`", name=id)
                related = ((other.span, Text("the first one is among these")),)
                help = Text("let their lists differ, or give them another one")
                symbols.report("declared-twice", message, clause.span, related=related, help=help)
                break
            symbols.card_ids[id] = len(symbols.cards)
            symbols.cards.append(Card(len(symbols.cards), id, kind, values, back))


def _number(text: str) -> int:
    return whole(text) if text.isdigit() else 0


def _table(
    symbols: Symbols, table: nodes.Table, listed: list[nodes.Attribute], axes: list[list[str]]
) -> dict[str, int]:
    """The table as a lookup; every key must stand in it exactly once, `others` is the rest."""
    position = next((i for i, a in enumerate(listed) if a.name.text == table.by.text), None)
    if position is None:
        symbols.unknown(table.by.text, table.by.span, [a.name.text for a in listed])
        return {}
    keys = axes[position]
    lookup: dict[str, int] = {}
    rows: dict[str, nodes.TableRow] = {}
    rest: nodes.TableRow | None = None
    for row in table.rows:
        _check_size(symbols, row.value, row.span)
        for stretch in row.keys:
            if stretch.first == OTHERS:
                rest = row
                continue
            for key in _stretch(symbols, stretch, limits.MAX_CARDS):
                if key not in keys:
                    message = Text("no card has `{value}` as its `{name}`", value=key, name=table.by.text)
                    symbols.report("table-key", message, stretch.span)
                elif key in rows:
                    message = Text("`{value}` stands in two rows of the table", value=key)
                    related = ((rows[key].span, Text("the first one")),)
                    symbols.report("table-overlap", message, stretch.span, related=related)
                else:
                    rows[key] = row
                    lookup[key] = row.value
    missing = [key for key in keys if key not in lookup]
    if rest is not None:
        lookup.update(dict.fromkeys(missing, rest.value))
    elif missing:
        message = Text("the table says nothing about {values}", values=[f"`{key}`" for key in missing[:5]])
        symbols.report("table-gap", message, table.name.span, help=Text("add a row such as `1: others`"))
    return lookup


def _place(symbols: Symbols, clause: nodes.Place) -> None:
    name = clause.name.text
    key = key_of(symbols, clause.family, clause.name)
    seen = _who(symbols, clause.seen_by, ("all", "owner", "nobody"))
    backs = _who(symbols, clause.backs_by, ("all", "nobody")) if clause.backs_by else "nobody"
    if not clause.seen_by:
        message = Text("the place does not say who sees its cards")
        help = Text("write `, seen by all`, `, seen by owner` or `, seen by nobody`")
        symbols.report("seen-by", message, clause.name.span, help=help)
    if seen == "owner" and (key is None or key.kind != "player"):
        message = Text("`{name}` has no owner, since it is not a place of each player", name=name)
        symbols.report("seen-by", message, clause.seen_by[0].span)
    index = len(symbols.places)
    symbols.places[name] = Place(name, index, key, seen, backs, clause.two_ended, clause.name.span)  # type: ignore[arg-type]


def _who(symbols: Symbols, words: tuple[nodes.Word, ...], known: tuple[str, ...]) -> str:
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
