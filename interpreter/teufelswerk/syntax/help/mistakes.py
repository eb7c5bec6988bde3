"""A line that does not read → a diagnostic in plain words: the misspelt word, or what may stand here instead."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from teufelswerk.base.diagnostics import Diagnostic, Source, Span
from teufelswerk.base.hidden_characters import code_of
from teufelswerk.base.limits import MAX_DIAGNOSTICS
from teufelswerk.base.texts import Text
from teufelswerk.syntax.grammar import reads
from teufelswerk.syntax.help.repairs import Unread, repaired
from teufelswerk.syntax.help.sayings import in_our_words, such_a_line
from teufelswerk.syntax.keywords import NUMBER_WORDS
from teufelswerk.syntax.source import Line

EXPECTED: dict[str, Text] = {
    "INT": Text("a number"),
    "NAME": Text("a name"),
    "PERSON": Text("a player's name such as `Tom`"),
    "$END": Text("the end of the line"),
}
WHOLE = {"rounded": "rounded down", "seen": "seen by", "at": "at least"}
"""Keywords that are read more easily with the word behind them."""
MISSING = frozenset("unknown-name unknown-move unknown-step".split())
MOST_WORDS_TO_LIST = 7
LIKE_A_TURN = {"$END", "else", "or"}
"""What may follow a name and a verb that are taken for a player and a move."""


def explain_line(line: Line, start: str, where: tuple[int, int, list[str]], thorough: bool) -> Diagnostic:
    """What is wrong with a line that the grammar refuses; if there is time for that, with what would be right."""
    column, end, accepted = where
    unread = Unread(line, start, column, end)
    if thorough and (found := repaired(unread)):
        return found
    here = unread.part(column - 1, end - 1)
    options = _may_stand(accepted)
    if column > len(line.text):
        like = None if len(options) == 1 else _looks_like(line.text, start)
        return Diagnostic("unfinished", Text("the line ends too early"), here, help=like or _go_on(options))
    word = line.text[column - 1 : end - 1]
    if not word.isprintable() or word.isspace():
        message = Text("there is a character here that cannot be seen (U+{hex})", hex=code_of(word[0]))
        return Diagnostic("control-character", message, here, help=Text("delete it and type a plain space"))
    message = Text("`{word}` cannot stand here", word=word)
    help = _looks_like(line.text, start) or _instead(options, accepted)
    if word == "else":
        help = Text("write each alternative on a line of its own, or put what belongs together in brackets")
    return Diagnostic("unexpected", message, here, help=help)


def with_our_words(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Findings about names that mean nothing, with the right line where the whole line is a known saying."""
    found = list(found)
    few = [_meant(diagnostic) or diagnostic for diagnostic in found[:MAX_DIAGNOSTICS]]
    blamed = [_declaration(diagnostic) or diagnostic for diagnostic in few]
    used = {str(new.message.values["used"]) for old, new in zip(few, blamed, strict=True) if old is not new}
    kept = [new for old, new in zip(few, blamed, strict=True) if old is not new or not used & _words_of(old)]
    return list(dict.fromkeys(kept)) + found[MAX_DIAGNOSTICS:]


def _words_of(diagnostic: Diagnostic) -> set[str]:
    span = diagnostic.span
    return set(re.findall(r"[\w-]+", span.source.lines[span.line - 1])) if span and diagnostic.is_error else set()


def _declaration(diagnostic: Diagnostic) -> Diagnostic | None:
    """A name that is declared and then never used, while several lines use one like it: the declaration is misspelt."""
    span, help = diagnostic.span, diagnostic.help
    if diagnostic.code not in MISSING or span is None or help is None or help.msgid != "write `{name}`":
        return None
    used, name = str(diagnostic.message.values.get("name", "")), str(help.values["name"])
    places = _places(span.source, name)
    if (
        len(places) != 1
        or len(_places(span.source, used)) < 2
        or not re.match(r"    (?:keep |place |player )?$", places[0][1].string[: places[0][1].start()])
    ):
        return None
    number, match = places[0]
    message = Text("`{name}` is declared here, but the rules speak of `{used}`", name=name, used=used)
    place = Span(span.source, number, match.start() + 1, match.end() + 1)
    return Diagnostic("misspelt", message, place, help=Text("write `{name}`", name=used))


def _places(source: Source, name: str) -> list[tuple[int, re.Match[str]]]:
    """The lines in which a name stands, and where."""
    word = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
    return [(number, match) for number, line in enumerate(source.lines, 1) for match in word.finditer(line)]


def _meant(diagnostic: Diagnostic) -> Diagnostic | None:
    span, word = diagnostic.span, str(diagnostic.message.values.get("name", ""))
    if diagnostic.code not in MISSING or span is None or span.line > len(span.source.lines) or word in NUMBER_WORDS:
        return None
    text = span.source.lines[span.line - 1].strip()
    for start in ("statement", "declaration"):
        ours = in_our_words(text, start)
        if ours and word not in re.findall(r"[\w-]+", ours):
            return replace(diagnostic, help=Text("write `{words}`", words=ours))
    return None


def _go_on(options: list[Any]) -> Text | None:
    if len(options) == 1:
        return Text("go on with {option}", option=options[0])
    return Text("go on with one of these: {options:or}", options=options) if options else None


def _looks_like(text: str, start: str) -> Text | None:
    """A line of the kind that this one wants to be, by the word that makes it one."""
    if (example := such_a_line(text)) and reads(example[1], start):
        word, line = example
        return Text("a line with `{word}` looks like this: `{line}`", word=word, line=line)
    if text.endswith(":"):
        return Text("a move is declared like this: `player plays:`, and a step like this: `round:`")
    return None


def _instead(options: list[Any], accepted: list[str]) -> Text | None:
    if set(accepted) == LIKE_A_TURN:
        return Text("what happens is said with `becomes`, `goes to`, `pays`, `deal` or `shuffle`, or is a step or move")
    if set(accepted) == {"$END"}:
        return Text("the line is whole without it; say more in a line of its own")
    if options == [EXPECTED["$END"]] or {"$END", "is"} <= set(accepted):
        return Text("say it with `is`, `of`, `in` or `where`")
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
