"""`cards` blocks → attributes and cards: one card, or some identical ones, for every combination of what is listed."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

from teufelswerk.base import limits
from teufelswerk.base.diagnostics import Span
from teufelswerk.base.texts import Text
from teufelswerk.checker.symbols import Symbols, declare
from teufelswerk.model import COPIES, Attribute, Card
from teufelswerk.syntax import nodes
from teufelswerk.syntax.build import is_whole, whole

OTHERS = "others"
DEFAULT_KIND = "card"


def _figure(symbols: Symbols, word: str, span: Span) -> int | None:
    """A number, or the plain number that has this name; reported if there is none."""
    if is_whole(word):
        return whole(word)
    symbols.figures_of_cards.add(word)
    if word in symbols.figures:
        return symbols.figures[word]
    message = Text("`{name}` is no plain number, such as `{name} = {n}`", name=word, n=9)
    similar = symbols.nearest(word, symbols.figures)
    help = Text("write `{name}`", name=similar) if similar else None
    at = span.source.lines[span.line - 1].find(word, span.column - 1)
    symbols.report("no-figure", message, Span(span.source, span.line, at + 1, at + 1 + len(word)), help=help)
    return None


def _stretch(symbols: Symbols, stretch: nodes.Stretch, limit: int) -> list[str]:
    """`1 to 9` spelled out; reported if it runs backwards or too far."""
    if stretch.last is None:
        return [stretch.first]
    if not stretch.first.isdigit():
        symbols.report("bad-range", Text("a range goes from a number to a number"), stretch.span)
        return [stretch.first]
    low = whole(stretch.first)
    high = _figure(symbols, stretch.last, stretch.span)
    if high is None:
        return [str(low)]
    if high == low - 1 and stretch.last in symbols.figures:
        return []  # none of them
    if high < low or high - low >= limit or high > limits.MAX_NUMBER:
        message = Text("the range from {low} to {high} is empty or too long", low=low, high=high)
        help = Text("a range goes upwards and has at most {limit} numbers", limit=limit)
        symbols.report("bad-range", message, stretch.span, help=help)
        return [str(low)]
    return [str(n) for n in range(low, high + 1)]


def declare_cards(symbols: Symbols, clause: nodes.Cards) -> None:
    kind = clause.kind.text if clause.kind else DEFAULT_KIND
    span = clause.kind.span if clause.kind else clause.span
    if kind in symbols.kinds:
        message = Text("there are two kinds of cards called `{name}`", name=kind)
        symbols.report("declared-twice", message, span, related=((symbols.kinds[kind].span, Text("the first one")),))
        return
    if clause.kind:
        declare(symbols, clause.kind)
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
        if isinstance(attribute, nodes.Table) or name == COPIES:
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
            declare(symbols, attribute.name)
    symbols.kind_attributes[kind] = tuple(own)
    own = [name for name in own if name != COPIES]
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
    if abs(number) > limits.MAX_NUMBER:
        symbols.report("large-number", Text("a number is at most {limit}", limit=limits.MAX_NUMBER), span)


def spell_out(symbols: Symbols) -> None:
    """Makes the cards: one for every combination of listed attributes, the tables looked up."""
    too_many = Text("a game has at most {limit} cards, and these lists make more", limit=limits.MAX_CARDS)
    for kind, clause in symbols.kinds.items():
        listed = [a for a in clause.attributes if isinstance(a, nodes.Attribute) and a.name.text != COPIES]
        tables = [a for a in clause.attributes if isinstance(a, nodes.Table)]
        axes = [_values(Symbols(figures=symbols.figures), a) for a in listed]
        copies = next((_copies(symbols, a) for a in clause.attributes if _says_how_many(a)), None)
        total = 1
        for axis in axes:
            total *= len(axis)
        if not listed and not (clause.kind and copies is not None):
            help = Text("list what is on the cards, as in `number: 1 to 54`")
            symbols.report("empty-cards", Text("nothing below tells these cards apart"), clause.span, help=help)
            continue
        if total + len(symbols.cards) > limits.MAX_CARDS:
            related = tuple(
                (a.name.span, Text("{n} {n:value|values}", n=len(axis))) for a, axis in zip(listed, axes, strict=True)
            )
            symbols.report("too-many-cards", too_many, clause.span, related=related)
            continue
        lookups = {t.name.text: _table(symbols, t, listed, axes) for t in tables}
        called = {_id(clause, combination): combination for combination in product(*axes)}
        without = _without(symbols, clause, list(called))
        for id, combination in called.items():
            values: dict[str, int] = {}
            for attribute, text in zip(listed, combination, strict=True):
                names = symbols.names.get(attribute.name.text)
                values[attribute.name.text] = names.index(text) if names and text in names else _number(text)
            spelled = dict(zip([a.name.text for a in listed], combination, strict=True))
            for table in tables:
                key = spelled.get(table.by.text)
                if key is not None and key in lookups[table.name.text]:
                    values[table.name.text] = lookups[table.name.text][key]
            if copies is not None:
                values[COPIES] = copies
            back = "-".join(spelled.get(word.text, word.text) for word in clause.back)
            if id in without:
                symbols.left_out[id] = Card(-1, id, kind, values, back), without[id]
                continue
            if id in symbols.card_ids:
                other = symbols.kinds[symbols.cards[symbols.card_ids[id]].kind]
                message = Text("there are two cards called `{name}`", name=id)
                related = ((other.span, Text("the first one is among these")),)
                help = Text("let their lists differ, or give them another one")
                symbols.report("declared-twice", message, clause.span, related=related, help=help)
                break
            first, alike = len(symbols.cards), values.get(COPIES, 1)
            if first + alike > limits.MAX_CARDS:
                symbols.report("too-many-cards", too_many, clause.span)
                break
            if alike:
                symbols.card_ids[id] = first
            symbols.cards += [Card(first + copy, id, kind, values, back, copy) for copy in range(alike)]


def _id(clause: nodes.Cards, combination: tuple[str, ...]) -> str:
    """What a card is called: its values, after its kind if all of them are numbers."""
    prefix = [clause.kind.text] if clause.kind and all(v.isdigit() for v in combination) else []
    return "-".join([*prefix, *combination])


def _without(symbols: Symbols, clause: nodes.Cards, ids: list[str]) -> dict[str, Span]:
    """The cards that are left out, each with the place that says so; those from one to another lie in this order."""
    found: dict[str, Span] = {}
    for stretch in clause.without:
        ends = [stretch.first, stretch.last or stretch.first]
        unknown = next((end for end in ends if end not in ids), None)
        if unknown is not None:
            message = Text("`{name}` would be none of these cards", name=unknown)
            similar = symbols.nearest(unknown, ids)
            help = Text("write `{name}`", name=similar) if similar else None
            symbols.report("no-such-card", message, stretch.span, help=help)
            continue
        low, high = map(ids.index, ends)
        if high < low:
            message = Text("`{last}` comes before `{first}`", last=ends[1], first=ends[0])
            help = Text("a range goes upwards, in the order of the lists: write `{last} to {first}`",
                        last=ends[1], first=ends[0])  # fmt: skip
            symbols.report("bad-range", message, stretch.span, help=help)
        repeated = next((id for id in ids[low : high + 1] if id in found), None)
        if repeated is not None:
            related = ((found[repeated], Text("here it is listed already")),)
            symbols.report(
                "listed-twice", Text("`{value}` is listed twice", value=repeated), stretch.span, related=related
            )
        found |= dict.fromkeys(ids[low : high + 1], stretch.span)
    if ids and len(found) == len(ids):
        symbols.report("empty-cards", Text("this leaves out all the cards"), clause.without[0].span)
    return found


def _says_how_many(attribute: nodes.Attribute | nodes.Table) -> bool:
    """Whether it is the number of identical cards, the same for all of a kind."""
    return isinstance(attribute, nodes.Attribute) and attribute.name.text == COPIES


def _copies(symbols: Symbols, attribute: nodes.Attribute | nodes.Table) -> int:
    """How many identical cards there are of each."""
    assert isinstance(attribute, nodes.Attribute)
    stretch = attribute.values[0]
    if len(attribute.values) > 1 or stretch.last is not None:
        message = Text("`{name}` is a number: how many identical cards there are of each", name=COPIES)
        help = Text("write one number, as in `copies: 2`, or a table, as in `copies by …:`")
        symbols.report("copies", message, stretch.span, help=help)
        return 1
    return _figure(symbols, stretch.first, stretch.span) or 0


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
    plain = one_number_each(symbols, table.rows, axes[position])
    worth = [_figure(symbols, row.value, row.span) or 0 for row in plain]
    for number, row in zip(worth, plain, strict=True):
        _check_size(symbols, number, row.span)
    rows = keys_of_rows(symbols, table.name, table.by, plain, axes[position])
    rest = next((number for number, keys in zip(worth, rows, strict=True) if keys is None), None)
    lookup = {} if rest is None else dict.fromkeys(axes[position], rest)
    return lookup | {key: number for number, keys in zip(worth, rows, strict=True) for key in keys or ()}


def one_number_each(
    symbols: Symbols, table: tuple[nodes.TableRow, ...], keys: list[str] | None
) -> tuple[nodes.TableRow, ...]:
    """The rows with `1 to 13: others` spelled out: a row for each of these numbers, and one key in each."""
    spelled: list[nodes.TableRow] = []
    for row in table:
        if row.last is None:
            spelled.append(row)
            continue
        low, high = _figure(symbols, row.value, row.span), _figure(symbols, row.last, row.span)
        quiet = Symbols(figures=symbols.figures)  # what is wrong with the keys is told when they are looked up
        if any(stretch.first == OTHERS for stretch in row.keys):
            given = {key for other in table for key, _ in _keys(quiet, other, keys)}
            own = [(key, row.span) for key in keys or () if key not in given]
        else:
            own = _keys(quiet, row, keys)
        if low is None or high is None:
            high = low = 0
        elif high - low + 1 != len(own):
            message = Text(
                "`{low} to {high}` are {n} {n:number|numbers}, but {m} {m:value needs|values need} one each",
                low=row.value,
                high=row.last,
                n=max(high - low + 1, 0),
                m=len(own),
            )
            help = Text("write `{low} to {high}`", low=row.value, high=low + len(own) - 1) if own else None
            line, start = row.span.source.lines[row.span.line - 1], row.span.column
            place = replace(row.span, end=start + line[start - 1 :].find(":"))
            symbols.report("table-range", message, place, help=help)
        for number, (key, span) in enumerate(own, low):
            spelled.append(replace(row, value=str(number), keys=(nodes.Stretch(key, None, span),), last=None))
    return tuple(spelled)


def _keys(symbols: Symbols, row: nodes.TableRow, keys: list[str] | None) -> list[tuple[str, Span]]:
    """What is listed in a row, spelled out, and where."""
    return [
        (key, stretch.span)
        for stretch in row.keys
        if stretch.first != OTHERS
        for key in _stretch(symbols, plain_key(symbols, stretch, keys), limits.MAX_CARDS)
    ]


def plain_key(symbols: Symbols, stretch: nodes.Stretch, keys: list[str] | None) -> nodes.Stretch:
    """The plain number that a key which is no value of its own is the name of."""
    if stretch.last is not None or stretch.first in (keys or ()) or stretch.first not in symbols.figures:
        return stretch
    symbols.figures_of_cards.add(stretch.first)
    return replace(stretch, first=str(symbols.figures[stretch.first]))


def keys_of_rows(
    symbols: Symbols, name: nodes.Word, by: nodes.Word, table: tuple[nodes.TableRow, ...], keys: list[str] | None
) -> list[list[str] | None]:
    """What stands in each row of a table; None for `others`. Of the keys, each must stand in one row."""
    rows: dict[str, nodes.TableRow] = {}
    found: list[list[str] | None] = []
    for row in table:
        own: list[str] | None = []
        for stretch in row.keys:
            if stretch.first == OTHERS:
                own = None
                continue
            for key in _stretch(symbols, plain_key(symbols, stretch, keys), limits.MAX_CARDS):
                if key not in keys if keys is not None else not key.isdigit():
                    message = Text("`{value}` is no value of `{name}`", value=key, name=by.text)
                    similar = symbols.nearest(key, keys or ())
                    help = Text("write `{name}`", name=similar) if similar else None
                    symbols.report("table-key", message, stretch.span, help=help)
                elif key in rows:
                    message = Text("`{value}` stands in two rows of the table", value=key)
                    related = ((rows[key].span, Text("the first one")),)
                    symbols.report("table-overlap", message, stretch.span, related=related)
                else:
                    rows[key] = row
                    if own is not None:
                        own.append(key)
        found.append(own)
    missing = [key for key in keys or () if key not in rows]
    if missing and None not in found:
        message = Text("the table says nothing about {values}", values=[f"`{key}`" for key in missing[:5]])
        symbols.report("table-gap", message, name.span, help=Text("add a row such as `1: others`"))
    return found
