"""Nodes → tables: what a file declares, each name once, its cards spelled out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import prod

from teufelswerk.base import limits
from teufelswerk.base.texts import Text
from teufelswerk.checker.card_symbols import declare_cards, spell_out
from teufelswerk.checker.size_bounds import check_extent, named_first, words_in
from teufelswerk.checker.symbols import Symbols, declare, key_of, refuse_reserved, who_sees
from teufelswerk.model import SIDE, Place
from teufelswerk.syntax import nodes
from teufelswerk.syntax.keywords import RESERVED


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
            _sides(symbols, clause)
        elif isinstance(clause, nodes.Cards):
            declare_cards(symbols, clause)
    spell_out(symbols)
    named = (nodes.Keep, nodes.Definition, nodes.Step, nodes.Move, nodes.Place)
    clauses = [(c, section) for c, section in clauses if not isinstance(c, named) or declare(symbols, c.name)]
    for clause, section in clauses:
        match clause:
            case nodes.Keep():
                for word in clause.names:
                    refuse_reserved(symbols, word, RESERVED)
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
    _words_of_tables(symbols)
    for clause, _ in clauses:
        if isinstance(clause, (nodes.Step, nodes.Move)):
            symbols.only_in |= dict.fromkeys(_own_names(clause.body), clause.name.text)
        if isinstance(clause, nodes.Place):
            _place(symbols, clause)
    _count_members(symbols, [clause for clause, _ in clauses if isinstance(clause, (nodes.Place, nodes.Keep))])
    symbols.found += check_extent({name: step for name, (step, _) in symbols.steps.items()})
    order = named_first({name: words_in(node.value) for name, (node, _) in symbols.definitions.items()})
    symbols.definitions = {name: symbols.definitions[name] for name in order}
    return symbols


def _words_of_tables(symbols: Symbols) -> None:
    """What the rows of a table give are names of its own, where all of them are words that nothing else is called."""
    known = symbols.all_names() | set(symbols.card_ids)
    for name, (node, _) in symbols.definitions.items():
        if isinstance(node.value, nodes.Lookup):
            words = tuple(dict.fromkeys(row.value for row in node.value.rows))
            if words and all(word[0].isalpha() and word not in known for word in words):
                for row in node.value.rows:
                    refuse_reserved(symbols, nodes.Word(row.value, row.span), RESERVED)
                symbols.names[name] = words


def _own_names(body: Iterable[nodes.Statement]) -> Iterator[str]:
    """What the lines of a step or move give a name to."""
    for statement in body:
        if isinstance(statement, nodes.Local):
            yield statement.name.text
        elif isinstance(statement, nodes.Choose) or (isinstance(statement, nodes.Each) and statement.last is not None):
            yield statement.noun.text
        for block in nodes.blocks(statement):
            yield from _own_names(block)


def _count_members(symbols: Symbols, clauses: Iterable[nodes.Place | nodes.Keep]) -> None:
    """Refuses families that have too many members taken together."""
    total, families = 0, {clause.name.text: clause.family for clause in clauses if isinstance(clause, nodes.Place)}
    for clause in clauses:
        sizes, family = [], clause.family
        if isinstance(clause, nodes.Keep) and family is not None and family.of is not None:
            family = families.get(family.of.text) or family  # kept of each of some places
        while family is not None:
            if family.of is None:
                sizes.append(max(0, family.high - family.low + 1))
            else:
                sizes.append(len(symbols.names.get(family.of.text, range(limits.MAX_PLAYERS))))
            family = family.second
        if not all(0 < size <= limits.MAX_PLACES for size in sizes):
            continue
        size = prod(sizes)
        if total + size > limits.MAX_PLACES:
            message = Text("a game has at most {limit} places and things that it keeps", limit=limits.MAX_PLACES)
            symbols.report("too-many-places", message, clause.name.span)
            return
        total += size


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


def _sides(symbols: Symbols, clause: nodes.Players) -> None:
    """Partners sit evenly apart, so that each side has equally many players."""
    if clause.sides is None or symbols.players is not clause:
        return
    low, high, sides = clause.low, clause.high, clause.sides
    if sides < 2 or low != high or low % sides or low // sides < 2:
        message = Text("sides are of equally many players, at least two of them")
        help = Text("write one number of players that can be divided, as in `players 4 in 2 sides`")
        symbols.report("uneven-sides", message, clause.span, help=help)
        sides = 2
    symbols.names[SIDE.of] = tuple(str(number + 1) for number in range(sides))
    symbols.declared["side"] = clause.span
    if low == 2 * sides:
        symbols.declared["partner"] = clause.span


def _place(symbols: Symbols, clause: nodes.Place) -> None:
    name = clause.name.text
    key = key_of(symbols, clause.family, clause.name)
    seen = who_sees(symbols, clause.seen_by, ("all", "owner", "others", "nobody"))
    backs = who_sees(symbols, clause.backs_by, ("all", "nobody")) if clause.backs_by else "nobody"
    if not clause.seen_by:
        message = Text("the place does not say who sees its cards")
        help = Text("write `, seen by all`, `, seen by owner` or `, seen by nobody`")
        symbols.report("seen-by", message, clause.name.span, help=help)
    if seen in ("owner", "others") and (key is None or not key.of_one_player):
        message = Text("`{name}` has no owner, since it is not a place of each player", name=name)
        symbols.report("seen-by", message, clause.seen_by[0].span)
    if clause.turned and seen == "all":
        message = Text("where everyone sees the cards, none of them lies face down")
        help = Text("say who sees them face down, as in `, seen by nobody until turned up`")
        symbols.report("seen-by", message, clause.seen_by[0].span, help=help)
    index = len(symbols.places)
    symbols.places[name] = Place(name, index, key, seen, backs, clause.two_ended, clause.name.span, clause.turned)  # type: ignore[arg-type]
