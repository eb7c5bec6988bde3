"""A line that does not read → a diagnostic in plain words: the misspelt word, or what may stand here instead."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from teufelswerk.diagnostics import Diagnostic, Span
from teufelswerk.grammar import reads
from teufelswerk.sayings import ARTICLE, changed_words, in_our_words, such_a_line
from teufelswerk.source import Line
from teufelswerk.texts import Text

RESERVED = frozenset(
    "above all allowed always and at back becomes below cards choose count deal each else evenly every exactly from"
    " given go goes highest if in is keep lowest must never no not now of or pays place players random refused repeat"
    " rounded scene shuffle some sum there times to until up variant where win wins".split()
)
"""Keywords that stand where a name could stand too, so that no name can be spelled like them."""

KEYWORDS = RESERVED | frozenset(
    "able backs be by down edition ends hold least most once pass round seen shows then two with".split()
)

EXPECTED: dict[str, Text] = {
    "INT": Text("a number"),
    "NAME": Text("a name"),
    "PERSON": Text("a player's name such as `Tom`"),
    "$END": Text("the end of the line"),
}
WHOLE = {"rounded": "rounded down", "seen": "seen by", "at": "at least"}
"""Keywords that are read more easily with the word behind them."""
WHOSE = re.compile(r"keep +([a-z][\w-]*) +of +(?!each\b)([a-z][\w-]*)")
ARTICLES = frozenset({"the", "a", "an"})
MISSING = frozenset("unknown-name unknown-move unknown-step".split())
MOST_WORDS_TO_LIST = 7
MOST_WORDS_TO_REPAIR = 12


LIKE_A_TURN = {"$END", "else", "or"}
"""What may follow a name and a verb that are taken for a player and a move."""


def explain_line(
    line: Line, start: str, where: tuple[int, int, list[str]], reads: Callable[[str, str], bool]
) -> Diagnostic:
    """What is wrong with a line that the grammar refuses; `reads` tries a corrected line."""
    column, end, accepted = where
    offset = line.span.column - 1
    here = Span(line.span.source, line.span.line, column + offset, end + offset)
    repaired = _repair(line.text, start, end, reads)
    if repaired:
        begin, finish, wrong, right = repaired
        span = Span(line.span.source, line.span.line, begin + 1 + offset, finish + 1 + offset)
        message = Text("`{word}` is not a word of the rule language here", word=wrong)
        return Diagnostic("misspelt", message, span, help=Text("write `{word}`", word=right))
    if otherwise := said_otherwise(line, start, reads):
        return otherwise
    joined = _joined(line.text, start, end, reads)
    if joined:
        begin, finish, name = joined
        span = Span(line.span.source, line.span.line, begin + 1 + offset, finish + 1 + offset)
        message = Text("these are two words, where one name could stand")
        return Diagnostic("two-words", message, span, help=Text("write `{name}`", name=name))
    signs = r"<=|>=|==|[<>]" if start == "declaration" else r"<=|>=|==|[<>=]"
    if re.search(signs, line.text):
        sign = re.search(signs, line.text)
        words = {"<": "is below", ">": "is above", "<=": "is at most", ">=": "is at least", "==": "is", "=": "is"}
        if sign and sign[0] in words and sign.start() + 1 >= column - 1:
            span = Span(line.span.source, line.span.line, sign.start() + 1 + offset, sign.end() + 1 + offset)
            message = Text("comparisons are written in words")
            in_words = words[sign[0]]
            short = in_words.removeprefix("is ")
            if reads(line.text[: sign.start()] + short + line.text[sign.end() :], start):
                in_words = short  # behind `must be`
            return Diagnostic("sign", message, span, help=Text("write `{words}`", words=in_words))
    if whose := WHOSE.match(line.text):
        span = Span(line.span.source, line.span.line, whose.start(2) + 1 + offset, whose.end(2) + 1 + offset)
        message = Text("`{word}` cannot stand here", word=whose[2])
        help = Text(
            "write `keep {what} of each {word}` for one each, or `keep {word}` for a single one",
            what=whose[1], word=whose[2],
        )  # fmt: skip
        return Diagnostic("unexpected", message, span, help=help)
    options = _may_stand(accepted)
    if column > len(line.text):
        like = None if len(options) == 1 else _looks_like(line.text)
        return Diagnostic("unfinished", Text("the line ends too early"), here, help=like or _go_on(options))
    found = line.text[column - 1 : end - 1]
    if not found.isprintable() or found.isspace():
        message = Text("there is a character here that cannot be seen (U+{hex})", hex=f"{ord(found[0]):04X}")
        return Diagnostic("control-character", message, here, help=Text("delete it and type a plain space"))
    message = Text("`{word}` cannot stand here", word=found)
    return Diagnostic("unexpected", message, here, help=_looks_like(line.text) or _instead(options, accepted))


def said_otherwise(line: Line, start: str, reads: Callable[[str, str], bool]) -> Diagnostic | None:
    """What everybody would say, and the rule language says in its own words."""
    offset = line.span.column
    if (article := ARTICLE.search(line.text)) and reads(ARTICLE.sub("", line.text), start):
        span = Span(line.span.source, line.span.line, article.start() + offset, article.end() - 1 + offset)
        message = Text("the rule language does without `{word}`", word=article[0].strip())
        return Diagnostic("article", message, span, help=Text("leave it out"))
    ours = in_our_words(line.text, start, reads)
    if ours is None:
        return None
    first, last = changed_words(line.text, ours)
    span = Span(line.span.source, line.span.line, first + offset, last + offset)
    message = Text("the rule language has other words for `{words}`", words=line.text[first:last])
    return Diagnostic("other-words", message, span, help=Text("write `{words}`", words=ours))


def with_our_words(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Findings about names that mean nothing, with the right line where the whole line is a known saying."""
    return [_meant(diagnostic) or diagnostic for diagnostic in found]


def _meant(diagnostic: Diagnostic) -> Diagnostic | None:
    span, word = diagnostic.span, str(diagnostic.message.values.get("name", ""))
    if diagnostic.code not in MISSING or span is None or span.line > len(span.source.lines):
        return None
    text = span.source.lines[span.line - 1].strip()
    for start in ("statement", "declaration"):
        ours = in_our_words(text, start, reads)
        if ours and word not in re.findall(r"[\w-]+", ours):
            return replace(diagnostic, help=Text("write `{words}`", words=ours))
    return None


def _go_on(options: list[Any]) -> Text | None:
    if len(options) == 1:
        return Text("go on with {option}", option=options[0])
    return Text("go on with one of these: {options:or}", options=options) if options else None


def _looks_like(text: str) -> Text | None:
    """A line of the kind that this one wants to be, by the word that makes it one."""
    if example := such_a_line(text):
        word, line = example
        return Text("a line with `{word}` looks like this: `{line}`", word=word, line=line)
    if text.endswith(":"):
        return Text("a move is declared like this: `player plays:`, and a step like this: `round:`")
    return None


def _instead(options: list[Any], accepted: list[str]) -> Text | None:
    if set(accepted) == LIKE_A_TURN:
        return Text("what happens is said with `becomes`, `goes to`, `pays`, `deal` or `shuffle`, or is a step or move")
    if options == [EXPECTED["$END"]]:
        return Text("leave out what stands from here on, or say it with `of`, `in` or `where`")
    if len(options) == 1:
        return Text("{option} may stand here", option=options[0])
    return Text("one of these may stand here: {options:or}", options=options) if options else None


def _may_stand(accepted: list[str]) -> list[Any]:
    """What the grammar would take, in plain words; nothing if that is too much to be of use."""
    kinds = [EXPECTED[word] for word in accepted if word in EXPECTED]
    words = [f"`{WHOLE.get(word, word)}`" for word in accepted if word not in EXPECTED and word.isalpha()]
    signs = [f"`{word.replace(chr(92), '')}`" for word in accepted if word not in EXPECTED and not word.isalpha()]
    options = [*kinds, *words, *signs]
    if len(options) > MOST_WORDS_TO_LIST:
        return kinds if len(kinds) == 1 else []
    return options


def _repair(text: str, start: str, end: int, reads: Callable[[str, str], bool]) -> tuple[int, int, str, str] | None:
    """A keyword that, put in the place of a word that looks like it, makes the line read."""
    words = [match for match in re.finditer(r"[A-Za-z][\w-]*", text) if match.start() < end]
    for match in words[-MOST_WORDS_TO_REPAIR:]:
        word = match[0]
        if word in KEYWORDS:
            continue
        for keyword in difflib.get_close_matches(word.lower(), KEYWORDS, n=3, cutoff=0.7):
            if reads(text[: match.start()] + keyword + text[match.end() :], start):
                return match.start(), match.end(), word, keyword
    return None


def _joined(text: str, start: str, end: int, reads: Callable[[str, str], bool]) -> tuple[int, int, str] | None:
    """Two words that, joined by a hyphen, make the line read: names are one word."""
    pairs = list(re.finditer(r"(?=(?<![\w-])([a-z][a-z0-9-]*) +([a-z][a-z0-9-]*))", text))
    for match in reversed([match for match in pairs if match.start(2) < end]):
        if match[1] in KEYWORDS | ARTICLES or match[2] in KEYWORDS:
            continue
        name = f"{match[1]}-{match[2]}"
        if reads(text[: match.start(1)] + name + text[match.end(2) :], start):
            return match.start(1), match.end(2), name
    return None
