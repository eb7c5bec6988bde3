"""Two versions of a rule file → the words in it that have not changed with their lines, for somebody to look at again.

A paragraph belongs to the lines below it, a sentence to the line above it. Where such a line has changed and the words
have not, they are in doubt. So are words elsewhere that tell what a changed line said before: the line says `highest`
now, and another paragraph still speaks of the fewest.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property, lru_cache
from itertools import islice

from teufelswerk.base.diagnostics import Diagnostic, Source, Span
from teufelswerk.base.texts import Text
from teufelswerk.syntax.keywords import KEYWORDS
from teufelswerk.syntax.source import Line, Part, split

TELLS = {
    "left": {"left"},
    "right": {"right"},
    "highest": {"highest", "most", "higher", "more", "greatest"},
    "lowest": {"lowest", "fewest", "fewer", "few", "least", "lower", "less", "smallest"},
    "above": {"above", "higher", "more", "over"},
    "below": {"below", "lower", "fewer", "less", "under"},
    "first": {"first"},
    "last": {"last"},
}
"""How paragraphs and sentences tell a word of the lines."""
CONTRARY = {
    a: b
    for x, y in (("left", "right"), ("highest", "lowest"), ("above", "below"), ("first", "last"))
    for a, b in ((x, y), (y, x))
}
GENERAL = set(
    "a an and at be by card cards choose else game goes if in is it must not of or player players the to where".split()
)
"""What so many lines say that it tells nothing about what a line is about."""
PLAIN_NUMBER = re.compile(r"([a-z][a-z0-9-]*) = \d+$")
WORD = re.compile(r"[a-z]+")
NAME = re.compile(r"[a-z][a-z0-9-]*")
ALIKE = 0.3
"""A line that came is the same one, changed, if they share so much."""
MOST_COMPARED = 60
"""So many changed lines are looked at one by one; who has changed more has written another game."""


@dataclass(frozen=True)
class Told:
    """Words for people, where they stand, and the lines that they tell."""

    heading: str
    words: str
    pieces: tuple[tuple[str, Span], ...]
    lines: tuple[tuple[str, Span], ...]

    @property
    def key(self) -> tuple[str, str]:
        return self.heading, self.words

    @cached_property
    def text(self) -> tuple[str, ...]:
        """The lines without their places."""
        return tuple(text for text, _ in self.lines)


@dataclass(frozen=True)
class Doubt:
    """Words under a heading that told `old`, which is `new` now: either may be nothing."""

    heading: str
    words: str
    old: str
    new: str

    @property
    def key(self) -> tuple[str, str]:
        return self.heading, self.words


# ---- what tells what ----------------------------------------------------------------------------------------------


def told_in(source: Source) -> list[Told]:
    """All paragraphs and sentences of a file, each with its lines."""
    found: list[Told] = []
    for section in split(source)[0]:
        whole = [line for part in section.parts for line in _clauses(part.lines)]
        for part in section.parts:
            found += _paragraph(section.heading, part, whole)
            found += _sentences(section.heading, part.lines, ())
    return found


def _paragraph(heading: str, part: Part, whole: list[tuple[str, Span]]) -> Iterator[Told]:
    """One with no lines below it tells of all that stand below its heading."""
    if part.paragraph is not None:
        pieces = part.paragraph.pieces or ((part.paragraph.text, part.paragraph.span),)
        yield Told(heading, part.paragraph.text, pieces, tuple(_clauses(part.lines) or whole))


def _clauses(lines: Iterable[Line]) -> list[tuple[str, Span]]:
    """The lines and those below them, without their sentences."""
    found: list[tuple[str, Span]] = []
    for line in lines:
        if not _is_sentence(line):
            found += [(" ".join(line.text.split()), line.span), *_clauses(line.children)]
    return found


def _sentences(heading: str, lines: Sequence[Line], above: tuple[Line, ...]) -> Iterator[Told]:
    """A sentence tells the line above it, and the conditions under which that line counts: those of an `if` around it,
    and those that do not hold where it stands below an `else`."""
    earlier: tuple[Line, ...] = ()
    for line in lines:
        if _is_sentence(line):
            around = [outer for outer in above[:-1] if outer.text.startswith(("if ", "else"))]
            told = tuple((" ".join(outer.text.split()), outer.span) for outer in (*around, *above[-1:]))
            yield Told(heading, line.text, ((line.text, line.span),), told)
            continue
        earlier = (*earlier, line) if line.text.startswith("else") else (line,)
        yield from _sentences(heading, line.children, (*above, *earlier))


def _is_sentence(line: Line) -> bool:
    return line.text.startswith('"')


# ---- what has changed ---------------------------------------------------------------------------------------------


def doubts_between(before: Source, now: Source) -> list[Doubt]:
    """The words of `now` that stood already in `before`, and told something else there."""
    then, today = told_in(before), told_in(now)
    names = _renamed(then, today)
    was: dict[tuple[str, str], list[list[str]]] = {}
    for told in then:
        was.setdefault(told.key, []).append([_with_names(text, names) for text in told.text])
    own = [doubt for told in today for doubt in _changed_under(told, was.get(told.key, []))]
    return list(dict.fromkeys([*own, *_told_elsewhere(then, today, names)]))


def _renamed(then: Sequence[Told], today: Sequence[Told]) -> dict[str, str]:
    """What has another name now, and the same everywhere: a name that nobody reads changes nothing for readers."""
    old, new = (
        {name for told in tolds for line in told.text for name in NAME.findall(line)} for tolds in (then, today)
    )
    spoken = {word for told in then for word in NAME.findall(told.words.lower())}
    gone, come = old - new - KEYWORDS - spoken, new - old - KEYWORDS
    found: dict[str, str] = {}
    lines = {line for told in today for line in told.text}
    for told in then if come else ():
        for line in told.text:
            for name in gone & set(NAME.findall(line)):
                fits = [other for other in come if _with_names(line, {name: other}) in lines]
                found.update({name: fits[0]} if len(fits) == 1 else {})
    return found


def _with_names(line: str, names: Mapping[str, str]) -> str:
    return NAME.sub(lambda found: names.get(found[0], found[0]), line) if names else line


def _changed_under(told: Told, then: list[list[str]]) -> Iterator[Doubt]:
    if then and all(Counter(told.text) != Counter(lines) for lines in then):
        for old, new in _pairs(then[0], told.text):
            if not tells_the_figure(told.words, old, new):
                yield Doubt(*told.key, old, new)


def _pairs(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each line that went with the one that came instead; what only changed its place is the same."""
    gone, come = Counter(old) - Counter(new), Counter(new) - Counter(old)
    left, right = [line for line in old if line in gone], [line for line in new if line in come]
    for line in left:
        like = max(right[:MOST_COMPARED], key=lambda other: _likeness(line, other), default="")
        if _likeness(line, like) < ALIKE:
            like = ""
        if like:
            right.remove(like)
        yield line, like
    yield from (("", line) for line in right)


@lru_cache(10_000)
def _likeness(line: str, other: str) -> float:
    return SequenceMatcher(None, line.split(), other.split()).ratio()


def tells_the_figure(words: str, old: str, new: str) -> bool:
    """A number that the words take from the line by name is told rightly, whatever it is."""
    was, is_now = PLAIN_NUMBER.match(old), PLAIN_NUMBER.match(new)
    return bool(was and is_now and was[1] == is_now[1] and re.search(rf"{{{re.escape(was[1])}[:}}]", words))


def _told_elsewhere(then: Sequence[Told], today: Sequence[Told], names: Mapping[str, str]) -> Iterator[Doubt]:
    """Words far from a changed line that tell what it said before."""
    known = {told.key for told in then}
    others = [(told, _words(told.words)) for told in today if told.key in known]
    for gone, come, nearby in islice(_changes(then, today, names), MOST_COMPARED):
        for word in sorted(w for w in _words(gone) - _words(come) if CONTRARY.get(w) in _words(come)):
            telling = nearby & TELLS[word] or TELLS[word]
            about = {_stem(w) for w in _words(gone)} - GENERAL - set(TELLS)
            for told, words in others:
                if words & telling and {_stem(w) for w in words} & about and come not in told.text:
                    yield Doubt(*told.key, gone, come)


def _changes(
    then: Sequence[Told], today: Sequence[Told], names: Mapping[str, str]
) -> Iterator[tuple[str, str, set[str]]]:
    """The lines that changed under each heading, and all that was said there of the old one."""
    old, new = _by_heading(then), _by_heading(today)
    for heading in new.keys() & old.keys():
        before = [_with_names(text, names) for told in old[heading] for text in told.text]
        after = [text for told in new[heading] for text in told.text]
        for gone, come in _pairs(list(dict.fromkeys(before)), list(dict.fromkeys(after))):
            yield gone, come, {word for told in old[heading] if gone in told.text for word in _words(told.words)}


def _by_heading(tolds: Sequence[Told]) -> dict[str, list[Told]]:
    found: dict[str, list[Told]] = {}
    for told in tolds:
        found.setdefault(told.heading, []).append(told)
    return found


def _words(text: str) -> set[str]:
    return set(WORD.findall(text.lower()))


def _stem(word: str) -> str:
    return word.removesuffix("s")


# ---- from one look to the next ------------------------------------------------------------------------------------


def carried_on(pending: Iterable[Doubt], fresh: Iterable[Doubt], now: Source) -> list[Doubt]:
    """The doubts of before that are left, and those that came: what was taken back is no doubt any more."""
    tolds = told_in(now)
    there, lines = {told.key for told in tolds}, {line for told in tolds for line in told.text}
    waiting = [doubt for doubt in pending if doubt.key in there]
    for doubt in fresh:
        earlier = next((w for w in waiting if w.key == doubt.key and w.new == doubt.old), None)
        if earlier is None:
            waiting.append(doubt)
        else:
            waiting[waiting.index(earlier)] = Doubt(*doubt.key, earlier.old, doubt.new)
    return [doubt for doubt in dict.fromkeys(waiting) if not _is_taken_back(doubt, lines)]


def _is_taken_back(doubt: Doubt, lines: set[str]) -> bool:
    return (not doubt.old or doubt.old in lines) and (not doubt.new or doubt.new not in lines or doubt.new == doubt.old)


def is_about_own_lines(doubt: Doubt, now: Source) -> bool:
    """Whether the line that changed is one of those that the words tell, and not one elsewhere."""
    own = {line for told in told_in(now) if told.key == doubt.key for line in told.text}
    return not doubt.new or doubt.new in own


# ---- told to whoever changed the lines ------------------------------------------------------------------------------


def stale_findings(
    doubts: Sequence[Doubt], now: Source, help: Text, translated: Mapping[str, Iterable[Doubt]] | None = None
) -> list[Diagnostic]:
    """One remark for each paragraph or sentence in doubt, or only in the languages that it is translated into."""
    at, first = {told.key: told for told in reversed(told_in(now))}, dict[tuple[str, str], Doubt]()
    languages: dict[tuple[str, str], dict[str, None]] = {}
    for language, theirs in (translated or {}).items():
        for doubt in theirs:
            languages.setdefault(doubt.key, {})[language] = None
    here = {doubt.key for doubt in doubts}
    for doubt in (*doubts, *(doubt for theirs in (translated or {}).values() for doubt in theirs)):
        if doubt.key in at:
            first.setdefault(doubt.key, doubt)
    return [_finding(at[key], doubt, help, list(languages.get(key, ())), key in here) for key, doubt in first.items()]


def _finding(told: Told, doubt: Doubt, help: Text, languages: Sequence[str], is_here: bool) -> Diagnostic:
    related = tuple((span, Text("this line has changed")) for text, span in told.lines if text == doubt.new)
    label = None
    if not is_here:
        label = Text("to look at again as they are translated: {languages}", languages=languages)
    elif languages:
        label = Text("to look at again, also as they are translated: {languages}", languages=languages)
    where = _to_look_at(told, doubt)
    return Diagnostic("same-words", _what_changed(doubt), where, label, related[:1], help, "warning")


def _what_changed(doubt: Doubt) -> Text:
    match bool(doubt.old), bool(doubt.new):
        case False, False:
            return Text("these words have not changed with their lines")
        case True, False:
            return Text("these words have not changed with their lines: `{old}` is gone", old=doubt.old)
        case False, True:
            return Text("these words have not changed with their lines: `{new}` has come", new=doubt.new)
    return Text("these words have not changed with their lines: `{old}` is now `{new}`", old=doubt.old, new=doubt.new)


def _to_look_at(told: Told, doubt: Doubt) -> Span:
    """The word that tells what the line said before or, without one, where the words begin."""
    for word in sorted(_words(doubt.old) - _words(doubt.new)):
        for telling in sorted(TELLS.get(word, {word})):
            for text, span in told.pieces:
                if found := re.search(rf"\b{telling}\b", text.lower()):
                    start = span.column + found.start()
                    return Span(span.source, span.line, start, start + len(telling))
    return told.pieces[0][1]
