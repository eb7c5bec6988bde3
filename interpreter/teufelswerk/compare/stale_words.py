"""Two versions of a rule file → the words in it that have not changed with their lines, for somebody to look at again.

A paragraph belongs to the lines below it, a sentence to the line above it. Where such a line has changed and the words
have not, they are in doubt. So are words elsewhere that tell what a changed line said before: the line says `highest`
now, and another paragraph still speaks of the fewest.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import islice

from teufelswerk.base.diagnostics import Diagnostic, Source, Span
from teufelswerk.base.texts import Text
from teufelswerk.compare.told_elsewhere import Change, told_elsewhere
from teufelswerk.compare.told_lines import Doubt, Told, told_in
from teufelswerk.compare.words_that_tell import TELLS, words_in
from teufelswerk.syntax.keywords import KEYWORDS

PLAIN_NUMBER = re.compile(r"([a-z][a-z0-9-]*) = \d+$")
NAME = re.compile(r"[a-z][a-z0-9-]*")
ALIKE = 0.3
"""A line that came is the same one, changed, if they share so much."""
MOST_COMPARED = 60
"""So many changed lines are looked at one by one; who has changed more has written another game."""


# ---- what has changed ---------------------------------------------------------------------------------------------


def doubts_between(before: Source, now: Source) -> list[Doubt]:
    """The words of `now` that stood already in `before`, and told something else there."""
    then, today = told_in(before), told_in(now)
    names = _renamed(then, today)
    was: dict[tuple[str, str], list[list[str]]] = {}
    for told in then:
        was.setdefault(told.key, []).append([_with_names(text, names) for text in told.text])
    own = [doubt for told in today for doubt in _changed_under(told, was.get(told.key, []))]
    changes = islice(_changes(then, today, names), MOST_COMPARED)
    return list(dict.fromkeys([*own, *told_elsewhere(changes, before, now)]))


def _changes(then: Sequence[Told], today: Sequence[Told], names: Mapping[str, str]) -> Iterator[Change]:
    """The lines that changed under each heading, and all that was said there of the old one."""
    old, new = _by_heading(then), _by_heading(today)
    for heading in new.keys() & old.keys():
        before = [_with_names(text, names) for told in old[heading] for text in told.text]
        after = [text for told in new[heading] for text in told.text]
        for gone, come in _pairs(list(dict.fromkeys(before)), list(dict.fromkeys(after))):
            nearby = {word for told in old[heading] if gone in told.text for word in words_in(told.words)}
            yield Change(heading, gone, come, frozenset(nearby))


def _by_heading(tolds: Sequence[Told]) -> dict[str, list[Told]]:
    found: dict[str, list[Told]] = {}
    for told in tolds:
        found.setdefault(told.heading, []).append(told)
    return found


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
    for word in sorted(words_in(doubt.old) - words_in(doubt.new)):
        for telling in sorted(TELLS.get(word, {word})):
            for text, span in told.pieces:
                if found := re.search(rf"\b{telling}\b", text.lower()):
                    start = span.column + found.start()
                    return Span(span.source, span.line, start, start + len(telling))
    return told.pieces[0][1]
