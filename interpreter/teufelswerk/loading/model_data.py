"""A model ↔ plain data that JSON can hold: a closed list of classes, each field of the type that it is declared with.

Whoever reads such data need not trust it: nothing but models can come of it, and whatever does not fit is refused.
Data is a list of rows, the model first. A row is a class and its fields; where a field holds another object, there is
the number of its row. A place in a file is four numbers; the texts of the files themselves are not part of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import cache
from typing import Any, TypeAlias, get_args

from teufelswerk import model
from teufelswerk.base.diagnostics import Source, Span
from teufelswerk.model import Model, Statement
from teufelswerk.syntax.source import Paragraph

EXPRESSIONS: tuple[type, ...] = get_args(model.Expr)
STATEMENTS: tuple[type, ...] = tuple(Statement.__subclasses__())
OTHERS: tuple[type, ...] = (
    Model, Paragraph, model.Attribute, model.Branch, model.Card, model.CardKind, model.Definition, model.Keep,
    model.Key, model.Move, model.Place, model.Prose, model.Section, model.Sentence, model.Step, model.Type,
)  # fmt: skip
CLASSES = (*OTHERS, *EXPRESSIONS, *STATEMENTS)
NUMBERS = {found: number for number, found in enumerate(CLASSES)}
WORDS = {
    "Kind": ("number", "truth", "card", "player", "place", "end", "name", "set"),
    "Extreme": ("highest", "lowest"),
    "Operation": ("+", "-", "*", "/down", "/up", "remainder", "larger", "smaller"),
    "Quantity": ("some", "none", "at_least_n", "at_most_n", "exactly_n"),
    "Relation": ("is", "is_not", "above", "below", "at_least", "at_most", "just_above", "just_below"),
}
"""The names under which the model knows some closed lists of words."""

Rows: TypeAlias = list[list[Any]]


class NoModel(ValueError):
    """Data that is no model."""


# ---- model → data ---------------------------------------------------------------------------------------------------


def as_data(rules: Model) -> Rows:
    """The rows of a model; `read_data` makes the same model of them."""
    return _Writer(rules.sources).rows_of(rules)


class _Writer:
    def __init__(self, sources: Sequence[Source]) -> None:
        self.sources = list(sources)
        self.rows: Rows = []
        self.known: dict[Any, int] = {}

    def rows_of(self, rules: Model) -> Rows:
        self.plain(rules)
        return self.rows

    def plain(self, value: Any) -> Any:
        match value:
            case None | int() | str():
                return value
            case tuple() | list():
                return [self.plain(item) for item in value]
            case frozenset():
                return sorted(value)
            case Source():
                return self.sources.index(value)
            case Span():
                return [self.sources.index(value.source), value.line, value.column, value.end]
            case dict():
                return {key: self.plain(item) for key, item in value.items()}
        return self.number(value)

    def number(self, value: Any) -> int:
        """The row of an object; a type, of which many are alike, has one row for all of them."""
        key = value if isinstance(value, model.Type) else id(value)
        if key not in self.known:
            self.known[key] = len(self.rows)
            row = [NUMBERS[type(value)]]
            self.rows.append(row)
            row += [self.plain(getattr(value, field.name)) for field in fields(value)]
        return self.known[key]


# ---- data → model ---------------------------------------------------------------------------------------------------

Reader: TypeAlias = Callable[[Any, "_Objects"], Any]
"""Makes of a plain value what a field holds, or raises NoModel."""


class _Objects(list[Any]):
    """The objects of all rows, at first empty, and the files that they come from."""

    def __init__(self, rows: Rows, sources: Sequence[Source]) -> None:
        super().__init__(object.__new__(CLASSES[row[0]]) for row in rows)
        self.sources = tuple(sources)
        self.heights = [len(source.lines) for source in sources]


def read_data(rows: Any, sources: Sequence[Source]) -> Model:
    """The model of some rows that came from wherever; NoModel if they are none."""
    try:
        objects = _Objects(rows, sources)
        for row, found in zip(rows, objects, strict=True):
            readers = _readers(row[0])
            if len(row) != len(readers) + 1:
                raise NoModel(found)
            known = found.__dict__
            for (name, reader), value in zip(readers, row[1:], strict=True):
                known[name] = reader(value, objects)
    except (AttributeError, LookupError, TypeError, ValueError) as problem:
        raise NoModel(str(problem)) from problem
    if not objects or type(objects[0]) is not Model:
        raise NoModel("no model comes first")
    return objects[0]


@cache
def _readers(number: int) -> tuple[tuple[str, Reader], ...]:
    """What makes the fields of a class."""
    return tuple((field.name, reader_of(str(field.type))) for field in fields(CLASSES[number]))


@cache
def reader_of(declared: str) -> Reader:
    """What makes a value of a declared type: `int`, `Expr | None`, `tuple[Sentence, ...]` …"""
    if declared.endswith(" | None"):
        return _optional(reader_of(declared.removesuffix(" | None")))
    head, bracket, rest = declared.partition("[")
    parts = _split(rest.removesuffix("]")) if bracket else []
    match head, parts:
        case "Literal", _:
            return _one_of(tuple(part.strip("\"'") for part in parts))
        case "tuple", [each, "..."]:
            return _many(reader_of(each), tuple)
        case "tuple", _:
            return _some([reader_of(part) for part in parts])
        case "list", [each]:
            return _many(reader_of(each), list)
        case "frozenset", [each]:
            return _many(reader_of(each), frozenset)
        case (("dict" | "Mapping"), ["str", each]):
            return _by_name(reader_of(each))
        case "Expr", []:
            return _object(EXPRESSIONS)
        case "Block", []:
            return _many(_object(STATEMENTS), tuple)
        case _, []:
            return PLAIN.get(head) or _one_of(WORDS[head]) if head in PLAIN or head in WORDS else _named(head)
    raise KeyError(declared)


def _split(parts: str) -> list[str]:
    """At the commas that stand in no brackets."""
    found, depth = [""], 0
    for sign in parts:
        depth += (sign == "[") - (sign == "]")
        if sign == "," and not depth:
            found.append("")
        else:
            found[-1] += sign
    return [part.strip() for part in found]


def _number(value: Any, objects: _Objects) -> int:
    if type(value) is not int:
        raise NoModel(value)
    return value


def _text(value: Any, objects: _Objects) -> str:
    if type(value) is not str:
        raise NoModel(value)
    return value


def _truth(value: Any, objects: _Objects) -> bool:
    if type(value) is not bool:
        raise NoModel(value)
    return value


def _source(value: Any, objects: _Objects) -> Source:
    if type(value) is not int or value < 0:
        raise NoModel(value)
    return objects.sources[value]


def _span(value: Any, objects: _Objects) -> Span:
    source, line, column, end = value
    if not (type(source) is type(line) is type(column) is type(end) is int) or source < 0:
        raise NoModel(value)
    if not 1 <= line <= objects.heights[source] or not 1 <= column <= end:
        raise NoModel(value)
    found = object.__new__(Span)
    found.__dict__.update(source=objects.sources[source], line=line, column=column, end=end)
    return found


PLAIN: dict[str, Reader] = {"int": _number, "str": _text, "bool": _truth, "Source": _source, "Span": _span}


def _named(declared: str) -> Reader:
    """An object of the class of that name, or of one of several."""
    names = declared.split(" | ")
    found = tuple(each for each in CLASSES if each.__name__ in names)
    if len(found) != len(names):
        raise KeyError(declared)
    return _object(found)


def _object(classes: tuple[type, ...]) -> Reader:
    allowed = frozenset(classes)

    def read(value: Any, objects: _Objects) -> Any:
        if type(value) is not int or value < 0:
            raise NoModel(value)
        found = objects[value]
        if type(found) not in allowed:
            raise NoModel(value)
        return found

    return read


def _optional(reader: Reader) -> Reader:
    return lambda value, objects: None if value is None else reader(value, objects)


def _one_of(words: tuple[str, ...]) -> Reader:
    allowed = frozenset(words)

    def read(value: Any, objects: _Objects) -> Any:
        if value not in allowed:
            raise NoModel(value)
        return value

    return read


def _many(reader: Reader, made: Callable[[list[Any]], Any]) -> Reader:
    def read(value: Any, objects: _Objects) -> Any:
        if type(value) is not list:
            raise NoModel(value)
        return made([reader(item, objects) for item in value])

    return read


def _some(readers: list[Reader]) -> Reader:
    def read(value: Any, objects: _Objects) -> Any:
        if type(value) is not list:
            raise NoModel(value)
        return tuple(reader(item, objects) for reader, item in zip(readers, value, strict=True))

    return read


def _by_name(reader: Reader) -> Reader:
    def read(value: Any, objects: _Objects) -> Any:
        if type(value) is not dict:
            raise NoModel(value)
        return {name: reader(item, objects) for name, item in value.items()}

    return read
