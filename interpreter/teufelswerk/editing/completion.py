"""A place in a text that is being written → the words that may stand there, by the grammar and by the checker.

What the file declares is known from when it was last looked at, the line itself is taken as it is being written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from lark.exceptions import UnexpectedInput

from teufelswerk.base.budget import Deadline
from teufelswerk.base.diagnostics import Source, Span
from teufelswerk.base.find_files import known
from teufelswerk.checker.sentences import PLAYER_FIGURES
from teufelswerk.editing.names import GENERAL, Kind, Names
from teufelswerk.editing.one_clause import one_clause_of
from teufelswerk.editing.pieces import BELOW, kind_of, line_pieces
from teufelswerk.editing.rename import in_form
from teufelswerk.syntax.grammar import accepted, begins, reads
from teufelswerk.syntax.source import CLAUSE_INDENT

OfferKind = Literal["keyword", "heading", "game", "figure"] | Kind
PREFIX = re.compile(r"[A-Za-z][\w-]*$|$")
REST = re.compile(r"[\w-]*")
ANY, ANYBODY = "zzz", "Zzz"
"""A name, and a person, that nobody would write."""
SECONDS = 0.04
"""Of so much work each offer is tried; what is left then is offered last, as the grammar allows it."""
ALIKE = 3
"""So many cards, or names of a list, are looked at; the others are like them."""
MOST_WORDS = 4
"""No keyword has more words."""
SEEING = ("all", "owner", "others", "nobody")


@dataclass(frozen=True)
class Offer:
    """A word that may stand somewhere."""

    word: str
    kind: OfferKind


@dataclass(frozen=True)
class Place:
    """Where somebody writes: what stands before and behind on the line, and how the line is read."""

    lines: Sequence[str]
    number: int
    before: str
    typed: str
    after: str

    @property
    def indent(self) -> int:
        return len(self.before) - len(self.before.lstrip()) if self.before.strip() else len(self.before)

    @property
    def clause(self) -> str:
        return self.before.lstrip()


def offers(names: Names, text: str, line: int, column: int) -> list[Offer]:
    """The words that may stand at a place, those that fit best first."""
    lines = text.split("\n")
    written = lines[line - 1] if line <= len(lines) else ""
    before = written[: column - 1]
    typed = PREFIX.search(before)[0]  # type: ignore[index]
    after = REST.sub("", written[column - 1 :], count=1)
    place = Place(lines, line, before.removesuffix(typed), typed, after)
    if written.startswith("#"):
        found = _headings(names, place)
    elif re.search(r"\{[^{}]*$", place.before) and (not written.startswith(" ") or written.strip()[:1] == '"'):
        found = _figures(names, place)
    elif written.startswith(" ") and written.strip()[:1] != '"':
        found = list(_in_clause(names, place))
    else:
        found = []
    return [offer for offer in dict.fromkeys(found) if offer.word.startswith(typed)]


# ---- beside clauses -------------------------------------------------------------------------------------------------


def _headings(names: Names, place: Place) -> list[Offer]:
    """In a variant, the headings of its base: a section that has one of these replaces that one."""
    assembled = names.file.loaded.assembled
    bases = assembled.sources[1:] if assembled else []
    return [
        Offer(found[1], "heading") for base in bases for found in re.finditer(r"^##+ +(.*\S)", base.text, flags=re.M)
    ]


def _figures(names: Names, place: Place) -> list[Offer]:
    """What can stand in braces: values, what is kept, and in a clause what it names itself."""
    above = _above(place)
    own = names.locals.get(above[0][0], {}) if above else {}
    known = [
        *own,
        *(n for n, ds in names.declared.items() if ds[0][0] in ("value", "keep", "attribute", "place", "member")),
    ]
    general = [
        *PLAYER_FIGURES,
        "player",
        "card",
        "cards",
        "winners",
        "losers",
        "paid",
        "left",
        "right",
        "first",
        "last",
        "side",
        "partner",
    ]
    heading = _heading_of(place)
    people = [*names.people.get(heading, {})]
    return [Offer(word, "figure") for word in [*known, *people, *general]]


def _heading_of(place: Place) -> int:
    return next((n for n in range(place.number, 0, -1) if place.lines[n - 1].startswith("#")), 0)


# ---- in a clause ----------------------------------------------------------------------------------------------------


def _above(place: Place) -> list[tuple[int, str]]:
    """The lines that a line is indented below, the outermost first."""
    found: list[tuple[int, str]] = []
    indent = place.indent
    for number in range(place.number - 1, 0, -1):
        line = place.lines[number - 1]
        if not line.strip():
            continue
        here = len(line) - len(line.lstrip())
        if here < CLAUSE_INDENT or indent <= CLAUSE_INDENT:
            break
        if here < indent:
            found.insert(0, (number, line.strip()))
            indent = here
    return found


def how_read(place: Place) -> tuple[str, int]:
    """The rule of the grammar by which a line is read, and the number of the outermost line above it."""
    start, top = "declaration", place.number
    for depth, (number, text) in enumerate(_above(place)):
        top = number if depth == 0 else top
        start = BELOW.get(kind_of(text, start), "statement" if start == "declaration" else start)
    return start, top


def _in_clause(names: Names, place: Place) -> Iterator[Offer]:
    start, top = how_read(place)
    try:
        terminals = accepted(place.clause, start)
    except UnexpectedInput:  # in the middle of several words that the grammar knows together
        terminals = set()
    words = {word for word in terminals if word.isalpha() or " " in word} - {"NAME", "PERSON", "INT", "SIGNED"}
    samples = {word: word for word in words} | {"NAME": ANY, "PERSON": ANYBODY}
    fitting = {word for word in (*words, "NAME", "PERSON") if word in terminals or word in words}
    parts = set(_parts(place, start))
    if place.after.strip():
        whole = {word for word in fitting if reads(f"{place.clause}{samples[word]}{place.after}".strip(), start)}
        fitting = whole if whole or parts else fitting
    if "NAME" in fitting:
        yield from _names(names, place, start, top)
    if "PERSON" in fitting:
        yield from (Offer(person, "person") for person in names.people.get(_heading_of(place), {}))
    yield from (Offer(word, "keyword") for word in sorted(fitting & words | parts))


def _parts(place: Place, start: str) -> Iterator[str]:
    """What lacks of several words that the grammar knows together, as in `turn up` or `at the table`, of which others
    stand there."""
    before, after = place.clause.split(), place.after.split()
    for count in range(min(MOST_WORDS, len(before) + 1)):
        head = "".join(f"{word} " for word in before[: len(before) - count])
        with suppress(UnexpectedInput):
            for words in (known.split(" ") for known in accepted(head, start)):
                if len(words) < max(2, count + 1) or words[:count] != before[len(before) - count :]:
                    continue
                rest = words[count + 1 :]
                if rest and after[: len(rest)] == rest:
                    lacking, behind = words[count], after[len(rest) :]
                elif count:
                    lacking, behind = " ".join(words[count:]), after
                else:
                    continue
                if reads(" ".join([head.strip(), *words, *behind]).strip(), start) or not behind:
                    yield lacking


def _names(names: Names, place: Place, start: str, top: int) -> Iterator[Offer]:
    """The names that may stand at a place, each tried there."""
    if start == "declaration" and place.clause in ("variant of ",):
        yield from (Offer(game, "game") for game in known())
        return
    if start == "declaration" and (place.clause in ("", "place ", "keep ", "cards ") or _declares(place)):
        yield from (Offer(word, "word") for word in ("player",) if not place.clause)
        yield from _values_of_base(names, place)
        return
    if re.search(r"\bseen by $", place.clause):
        yield from (Offer(word, "word") for word in SEEING)
        return
    trial, deadline, untried = _Trial(names, place, start, top), Deadline(SECONDS), list[Offer]()
    for kind, words, alike in _candidates(names, place, start, top):
        words = [word for word in words if word.startswith(place.typed)]
        if alike and len(words) > ALIKE and not deadline.passed:
            tried = [words[0], words[len(words) // 2], words[-1]]
            if any(trial.fits(word) for word in tried):
                yield from (Offer(word, kind) for word in words)
            continue
        for word in words:
            if deadline.passed:
                untried.append(Offer(word, kind))
            elif trial.fits(word):
                yield Offer(word, kind)
    yield from untried


def _declares(place: Place) -> bool:
    """Whether the word gets its name here."""
    return place.after.lstrip()[:1] in ("=", ":") and place.clause in ("", "player ")


def _values_of_base(names: Names, place: Place) -> Iterator[Offer]:
    """In the first section of a variant: the values that it can change."""
    assembled = names.file.loaded.assembled
    if place.clause or assembled is None or len(assembled.sources) < 2:
        return
    for name, places in names.declared.items():
        if places[0][0] == "value" and places[0][1].source is not names.file.source:
            yield Offer(name, "value")


def _candidates(names: Names, place: Place, start: str, top: int) -> Iterator[tuple[Kind, list[str], bool]]:
    """All names that there are, by kinds; of those that are alike only some need to be tried."""
    line = f"{place.clause}{ANY}{place.after}".strip()
    span = Span(Source("", line), 1, 1, len(line) + 1)
    if any(piece.text == ANY and piece.verb for piece in line_pieces(line, span, start)):
        yield "move", [name for name, ds in names.declared.items() if ds[0][0] == "move"], False
        return
    yield "local", list(names.locals.get(top, {})), False
    kinds: dict[Kind, list[str]] = {}
    for name, places in names.declared.items():
        kind = places[0][0]
        if kind == "member" or (kind == "step" and start == "declaration" and not place.clause.startswith("scene ")):
            continue
        forms = [name]
        if kind in ("cards", "place", "attribute", "keep", "value"):
            forms.append(in_form(name, "plural"))
            forms += [in_form(name, "singular")] if name.endswith("s") else []
        kinds.setdefault(kind, []).extend(forms)
    for kind, words in kinds.items():
        yield kind, words, False
    general = sorted(word for word in GENERAL if word not in PLAYER_FIGURES)
    general += ["players", "cards", "sides", "number", "ends", "other-number", "other-card"]
    yield (
        "word",
        [word for word in general if word.startswith(place.typed) and _is_name_here(word, place, start)],
        False,
    )
    for members in names.symbols.names.values():
        yield "member", [word for word in members if word[0].isalpha()], True
    left_out = names.symbols.left_out if place.clause.startswith("without ") else ()
    yield "card", [id for id in (*names.symbols.card_ids, *left_out) if id[0].isalpha()], True


def _is_name_here(word: str, place: Place, start: str) -> bool:
    """Whether a word that may be a keyword elsewhere is read as a name at a place."""
    if place.after.strip():
        return reads(f"{place.clause}{word}{place.after}".strip(), start)
    return begins(f"{place.clause}{word}", start)


class _Trial:
    """Puts words at a place, and asks the checker."""

    def __init__(self, names: Names, place: Place, start: str, top: int) -> None:
        self.place, self.start = place, start
        self.looking = one_clause_of(names.file)
        self.first, self.last = self._extent(top)
        line = f"{place.clause}{ANY}{place.after}".strip()
        self.can_tell = reads(line, start) and start in ("declaration", "statement", "alternative")

    def _extent(self, top: int) -> tuple[int, int]:
        """The lines of the clause; of an example, those from its scene up to here."""
        lines, here = self.place.lines, self.place.number
        if self.start == "declaration":
            for number in range(here, 0, -1):
                if lines[number - 1].startswith("    scene "):
                    return number, here
                if lines[number - 1].startswith("#"):
                    break
        last = top
        while last < len(lines) and (lines[last].startswith("     ") or (not lines[last].strip() and last < here)):
            last += 1
        return top, max(last, here)

    def fits(self, word: str) -> bool:
        """Whether nothing is wrong with the line if the word stands there; if it ends too early, nobody can tell."""
        place = self.place
        if not self.can_tell:
            return True
        lines = list(place.lines[self.first - 1 : self.last])
        lines[place.number - self.first] = f"{place.before}{word}{place.after}"
        kept = [(n, line) for n, line in enumerate(lines) if line.startswith(" ") and line.strip()]
        at = next((i for i, (n, _) in enumerate(kept) if n == place.number - self.first), 0)
        return not self.looking.errors([line for _, line in kept], at)
