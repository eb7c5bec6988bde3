"""A line that does not read → the one thing that would make it read: a word, quotes, indentation, a second line."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from dataclasses import dataclass

from teufelswerk.base.diagnostics import Diagnostic, Span
from teufelswerk.base.texts import Text
from teufelswerk.syntax.grammar import reads
from teufelswerk.syntax.help.sayings import ARTICLE, SMALL_WORDS, changed_words, in_our_words
from teufelswerk.syntax.keywords import KEYWORDS
from teufelswerk.syntax.source import CLAUSE_INDENT, Line

NAME = r"[a-z][\w-]*"
WHOSE = re.compile(r"keep +([a-z][\w-]*) +of +(?!each\b)([a-z][\w-]*)")
OWNERS = frozenset("card player end it left right".split())
"""Words behind which something is looked for when an `of` is forgotten before them."""
EVERYONE = re.compile(
    r"(?:for )?(?:each|every|all) (?!cards?\b|the\b|other\b)([a-z][\w-]*?)s? (?!from\b|at\b|of\b)(.+)"
    r"|(?:everyone|everybody) (.+)"
)
OF_EACH = re.compile(r"([a-z][\w-]*) of each ([a-z][\w-]*) (.+)")
FOR_EVERYONE = re.compile(r"(.+) for (?:everyone|everybody|(?:each|every) player|all(?: players)?)")
CURLY = re.compile("[“”„«»‟]")
LOOKING = re.compile(r"\b(?:count|sum|some|no|exactly|at least|at most|highest|lowest|first|last)\b")
"""With such a word begins what is looked for with a `where`."""
MOST_WORDS_TO_REPAIR = 12


@dataclass(frozen=True)
class Unread:
    """A line that the grammar refuses: what kind of line it should be, and from where to where it stops to read."""

    line: Line
    start: str
    column: int
    end: int

    @property
    def text(self) -> str:
        return self.line.text

    def part(self, first: int, last: int) -> Span:
        """A stretch of the line, counted from 0."""
        column = self.line.span.column
        return Span(self.line.span.source, self.line.span.line, first + column, last + column)


def repaired(unread: Unread) -> Diagnostic | None:
    """The first repair that will do."""
    return next((found for repair in REPAIRS if (found := repair(unread))), None)


# ---- words ----------------------------------------------------------------------------------------------------------


WORDS_OF_THEIR_OWN = ("for", "reset")
"""Words that look like keywords and mean something else, for which there is a saying."""


def misspelt(unread: Unread) -> Diagnostic | None:
    """A keyword that, put in the place of a word that looks like it, makes the line read."""
    text = unread.text
    words = [match for match in re.finditer(r"[A-Za-z][\w-]*", text) if match.start() < unread.end]
    for match in words[-MOST_WORDS_TO_REPAIR:]:
        word = match[0]
        if word in KEYWORDS or word in WORDS_OF_THEIR_OWN:
            continue
        for keyword in difflib.get_close_matches(word.lower(), KEYWORDS, n=3, cutoff=0.7):
            if reads(text[: match.start()] + keyword + text[match.end() :], unread.start):
                message = Text("`{word}` is not a word of the rule language here", word=word)
                help = Text("write `{word}`", word=keyword)
                return Diagnostic("misspelt", message, unread.part(match.start(), match.end()), help=help)
    return None


def said_otherwise(unread: Unread) -> Diagnostic | None:
    """What everybody would say, and the rule language says in its own words."""
    text = unread.text
    if (article := ARTICLE.search(text)) and reads(ARTICLE.sub("", text), unread.start):
        message = Text("the rule language does without `{word}`", word=article[0].strip())
        return Diagnostic(
            "article", message, unread.part(article.start(), article.end() - 1), help=Text("leave it out")
        )
    ours = in_our_words(text, unread.start)
    if ours is None:
        return None
    first, last = changed_words(text, ours)
    message = Text("the rule language has other words for `{words}`", words=text[first:last])
    return Diagnostic("other-words", message, unread.part(first, last), help=Text("write `{words}`", words=ours))


def of_forgotten(unread: Unread) -> Diagnostic | None:
    """`colour card`: an `of` between two words makes the line read, and they stand so elsewhere, or belong together."""
    text, source = unread.text, unread.line.span.source.text
    for match in _pairs(unread):
        first, second = match[1], match[2]
        likely = second in OWNERS or f"{first} of {second}" in source
        if likely and f"{first}-{second}" not in source:
            right = f"{first} of {second}"
            if reads(text[: match.start(1)] + right + text[match.end(2) :], unread.start):
                message = Text("between `{first}` and `{second}` an `of` is missing", first=first, second=second)
                place = unread.part(match.start(1), match.end(2))
                return Diagnostic("of-missing", message, place, help=Text("write `{words}`", words=right))
    return None


def two_words(unread: Unread) -> Diagnostic | None:
    """Two words that, joined by a hyphen, make the line read: where something is named, or is named so elsewhere."""
    text, source = unread.text, unread.line.span.source.text
    for match in _pairs(unread):
        name = f"{match[1]}-{match[2]}"
        named_here = unread.start == "declaration" and text[: match.start(1)].strip() in ("", "place", "keep")
        if (named_here or re.search(rf"(?<![\w-]){name}(?![\w-])", source)) and reads(
            text[: match.start(1)] + name + text[match.end(2) :], unread.start
        ):
            message = Text("these are two words, where one name could stand")
            place = unread.part(match.start(1), match.end(2))
            return Diagnostic("two-words", message, place, help=Text("write `{name}`", name=name))
    return None


def _pairs(unread: Unread) -> list[re.Match[str]]:
    """Two words side by side that are no keywords, the last ones first."""
    pairs = re.finditer(r"(?=(?<![\w-])([a-z][a-z0-9-]*) +([a-z][a-z0-9-]*))", unread.text)
    found = [match for match in pairs if match.start(2) < unread.end]
    return [
        match
        for match in reversed(found)
        if match[1] not in KEYWORDS and match[2] not in KEYWORDS and not SMALL_WORDS.match(f"{match[1]} ")
    ]


def sign(unread: Unread) -> Diagnostic | None:
    """A comparison with a sign."""
    text = unread.text
    signs = r"<=|>=|==|[<>]" if unread.start == "declaration" else r"<=|>=|==|[<>=]"
    found = re.search(signs, text)
    if found is None or found.start() + 1 < unread.column - 1:
        return None
    words = {"<": "is below", ">": "is above", "<=": "is at most", ">=": "is at least", "==": "is", "=": "is"}
    in_words = words[found[0]]
    short = in_words.removeprefix("is ")
    if reads(text[: found.start()] + short + text[found.end() :], unread.start):
        in_words = short  # behind `must be`
    message, help = Text("comparisons are written in words"), Text("write `{words}`", words=in_words)
    whole = re.sub(signs, lambda sign: words[sign[0]], text)
    if unread.start == "declaration" and not reads(whole, unread.start):  # `size > 3` declares nothing
        help = Text("give the condition a name: write `{words}`", words=f"fits = {whole}")
    return Diagnostic("sign", message, unread.part(found.start(), found.end()), help=help)


def each_forgotten(unread: Unread) -> Diagnostic | None:
    """`keep score of player: 0`"""
    whose = WHOSE.match(unread.text)
    if whose is None:
        return None
    message = Text("`{word}` cannot stand here", word=whose[2])
    help = Text(
        "write `keep {what} of each {word}` for one each, or `keep {word}` for a single one",
        what=whose[1], word=whose[2],
    )  # fmt: skip
    return Diagnostic("unexpected", message, unread.part(whose.start(2), whose.end(2)), help=help)


# ---- lines ----------------------------------------------------------------------------------------------------------


def without_quotes(unread: Unread) -> Diagnostic | None:
    """A sentence for people whose quotation marks are missing, or not straight."""
    text = unread.text
    place = unread.part(0, len(text))
    if curly := CURLY.search(text):
        message = Text("a sentence stands between straight quotation marks")
        return Diagnostic("quotes", message, unread.part(curly.start(), curly.end()), help=Text('write `"…"`'))
    is_sentence = re.match(r"[A-Z{][\w'{}-]* \w.*[.!?…]$", text) or re.match(r"\{[\w-]+\} \w+", text)
    if unread.start in ("statement", "alternative") and is_sentence:
        message = Text("a sentence for people stands between quotation marks")
        return Diagnostic("quotes", message, place, help=Text("write `{words}`", words=f'"{text}"'))
    return None


def two_lines(unread: Unread) -> Diagnostic | None:
    """What is said in one breath and takes two lines: for whom or when, and below it what happens."""
    if unread.start != "statement":
        return None
    above, below = "", ""
    if everyone := EVERYONE.fullmatch(unread.text):
        thing, rest = everyone[1] or "player", everyone[2] or everyone[3]
        above, below = f"each {thing}", f"{thing} {rest}"
        if reads(f"{above} {rest}", "statement"):
            return None  # `for each card in hand`
        if rest.startswith("where "):
            below = f"if {rest.removeprefix('where ')}"
    elif behind := FOR_EVERYONE.fullmatch(unread.text):
        above, below = "each player", behind[1]
    elif each := OF_EACH.fullmatch(unread.text):
        above, below = f"each {each[2]}", f"{each[1]} {each[3]}"
    elif (parts := re.split(r",? if (?!able\b|possible\b)", unread.text)) and len(parts) == 2:
        above, below = f"if {parts[1]}", parts[0]
        if re.fullmatch(NAME, below) and f"{below}:" not in unread.line.span.source.text:
            return None  # `skip if …`: there is no such step
    if below and not reads(below, "statement"):
        below = re.sub(r" (?:an?|one|the) [a-z]+$", "", below)  # `player plays a card`
    if not above:
        return None
    both = [line if reads(line, "statement") else in_our_words(line, "statement") for line in (above, below)]
    if not all(both):
        return None
    message = Text("this takes two lines")
    help = Text("write `{above}`, and below it, indented, `{below}`", above=both[0], below=both[1])
    return Diagnostic("two-lines", message, unread.part(0, len(unread.text)), help=help)


def this_or_that(unread: Unread) -> Diagnostic | None:
    """`… must be … or … must be …`: a condition of several parts stands in brackets."""
    able = " if able" if unread.text.endswith(" if able") else ""
    either = re.fullmatch(r"(.+?) must be (.+? or .+)", unread.text.removesuffix(able))
    if either is None or unread.start != "statement":
        return None
    parts = [part.replace(" must be ", " is ") for part in either[2].split(" or ")]
    parts = [part if " is " in part else f"{either[1]} is {part}" for part in parts]
    line = f"({' or '.join(parts)}) must hold{able}"
    if not reads(line, "statement"):
        return None
    message = Text("this or that must be so: such a condition stands in brackets")
    help = Text("write `{words}`", words=line)
    return Diagnostic("this-or-that", message, unread.part(0, len(unread.text)), help=help)


def others(unread: Unread) -> Diagnostic | None:
    """`each other player`: `player` means another one there, so the first one has to be remembered."""
    found = re.match(r"(?:each|every|all) other (?:player|people)s?\b", unread.text)
    if found is None or unread.start != "statement":
        return None
    message = Text("everyone but one: say who that one is")
    lines = "`keep doer: player`", "`doer becomes player`", "`each player from left of doer to right of doer`"
    help = Text(
        "write {keep} in the section, {becomes} here, and then {each}", keep=lines[0], becomes=lines[1], each=lines[2]
    )
    return Diagnostic("others", message, unread.part(found.start(), found.end()), help=help)


def unseen_place(unread: Unread) -> Diagnostic | None:
    """`place deck`"""
    named = re.match(f"place +({NAME})", unread.text)
    if named is None or unread.start != "declaration" or not reads(f"{unread.text}, seen by all", "declaration"):
        return None
    message = Text("the place does not say who sees its cards")
    help = Text("write `, seen by all`, `, seen by owner` or `, seen by nobody`")
    return Diagnostic("seen-by", message, unread.part(*named.span(1)), help=help)


def broken_number(unread: Unread) -> Diagnostic | None:
    """`10.5`"""
    broken = re.search(r"\d+[.,]\d+", unread.text)
    if broken is None or not reads(f"{unread.text[: broken.start()]}1{unread.text[broken.end() :]}", unread.start):
        return None
    help = Text("count in smaller parts, so that none is broken")
    return Diagnostic("unexpected", Text("numbers are whole"), unread.part(*broken.span()), help=help)


def elsewhere(unread: Unread) -> Diagnostic | None:
    """A line that reads, but not as what can stand here: a colon is missing, it is indented too little or too far."""
    text, place = unread.text, unread.part(0, len(unread.text))
    if unread.start == "declaration" and re.match(r"(?:if|else)\b", text):
        help = Text("a step or move ends where a paragraph begins: put the paragraph above it")
        return Diagnostic("wrong-indent", Text("such a line cannot stand here"), place, help=help)
    if unread.start == "declaration" and unread.line.children and reads(f"{text}:", "declaration"):
        message = Text("a step or move begins with a line that ends with a colon")
        return Diagnostic("no-colon", message, place, help=Text("write `{words}`", words=f"{text}:"))
    message = Text("such a line cannot stand here")
    if unread.start == "declaration" and reads(text, "statement"):
        help = Text("indent it below the step or move that it belongs to")
        return Diagnostic("wrong-indent", message, place, help=help)
    if unread.start == "statement" and reads(text, "declaration"):
        help = Text("put it above the step or move, indented by {n} spaces only", n=CLAUSE_INDENT)
        return Diagnostic("wrong-indent", message, place, help=help)
    return None


def base_by_title(unread: Unread) -> Diagnostic | None:
    """`variant of Plain Rows`: a base is called by the name of its file."""
    named = re.match(r"variant of (.+)", unread.text)
    if named is None:
        return None
    words = re.sub(r"(\.rules)?\.md$", "", named[1]).lower().replace("'", "")
    name = re.sub(r"[^a-z0-9]+", "-", words).strip("-")
    message = Text("a base is called by the name of its file, without `.rules.md`")
    help = Text("let the name of that file begin with a letter")
    if reads(f"variant of {name}", unread.start):
        help = Text("write `{words}`", words=f"variant of {name}")
    return Diagnostic("base-name", message, unread.part(named.start(1), named.end(1)), help=help)


def of_three(unread: Unread) -> Diagnostic | None:
    """`held of player and suit and rank = …`"""
    named = re.match(rf"({NAME}) of ({NAME} and {NAME})((?: and {NAME})+) =", unread.text)
    if named is None or unread.start != "declaration":
        return None
    message = Text("a definition belongs to two things at most")
    help = Text("ask for the third where it is used, with `where`, as in `count cards in hand where …`")
    return Diagnostic("unexpected", message, unread.part(*named.span(3)), help=help)


def open_where(unread: Unread) -> Diagnostic | None:
    """A `where` in the middle of a comparison or sum."""
    if unread.text[unread.column - 1 : unread.end - 1] != "where":
        return None
    message = Text("a `where` stands last, or in brackets")
    help = Text("write `(… where …)`, or give what is looked for a name of its own")
    return Diagnostic("unexpected", message, unread.part(unread.column - 1, unread.end - 1), help=help)


def bracketed_where(unread: Unread) -> Diagnostic | None:
    """What is looked for with a `where` in the middle of a line, if brackets around it make the line read."""
    text = unread.text
    ends = [len(text), *(match.start() for match in re.finditer(r" (?:is|and|or|if|else|must)\b", text))]
    for start in reversed([match.start() for match in LOOKING.finditer(text[: unread.end])]):
        for end in sorted({end for end in ends if " where " in text[start:end]}, reverse=True):
            words = f"({text[start:end]})"
            if reads(text[:start] + words + text[end:], unread.start):
                message = Text("a `where` stands last, or in brackets")
                help = Text("write `{words}`", words=words)
                return Diagnostic("unexpected", message, unread.part(start, end), help=help)
    return None


REPAIRS: tuple[Callable[[Unread], Diagnostic | None], ...] = (
    misspelt, without_quotes, unseen_place, broken_number, this_or_that, others, two_lines, said_otherwise, elsewhere,
    of_forgotten, two_words, sign, each_forgotten, base_by_title, of_three,
    bracketed_where, open_where,
)  # fmt: skip
