"""A rule file → its texts for the catalogs, each with its context and a word for the translator."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

from teufelswerk.base.find_files import SUFFIX, data_folder
from teufelswerk.base.texts import placeholders
from teufelswerk.compare.catalogs_in_doubt import look_over
from teufelswerk.loading.library import Loaded, load
from teufelswerk.rulebook.terms import terms
from teufelswerk.syntax import nodes
from teufelswerk.syntax.parse import ParsedSection, parse
from teufelswerk.syntax.source import read

Message = tuple[int, str, tuple[str, str], list[str]]


def extract_rules(fileobj: BinaryIO, keywords: object, comment_tags: object, options: object) -> Iterator[Message]:
    """The extractor that Babel calls for `*.rules.md`."""
    for line, text, comments in texts_of(Path(fileobj.name)):
        yield line, "pgettext", text, comments


def texts_of(path: Path) -> Iterator[tuple[int, tuple[str, str], list[str]]]:
    """All texts of a rule file with their contexts; one that cannot be used is an error of its own."""
    for line, _, text, comments in _messages(path):
        yield line, text, comments


def _messages(path: Path) -> Iterator[Message]:
    loaded = load(path)
    if loaded.model is None:
        raise ValueError(f"{path} has mistakes; run `teufelswerk check` on it first")
    source, _ = read(path)
    sections, _ = parse(source)
    yield from _paragraphs(loaded, sections, source.name)
    yield from _sentences(loaded, sections, source.name)
    for text, span in terms(loaded.model, loaded.scenes):
        if span.source.path == str(path) and text.context is not None:
            yield span.line, "pgettext", (text.context, text.msgid), []


def _message(line: int, context: str, text: str, comments: list[str]) -> Message:
    return line, "pgettext", (context, text), [f"TRANSLATORS: {comment}" for comment in comments]


def _paragraphs(loaded: Loaded, sections: list[ParsedSection], game: str) -> Iterator[Message]:
    for section in sections:
        for part in section.parts:
            if part.paragraph is None:
                continue
            comments = ["ruling"] if part.paragraph.ruling else []
            comments += [_line(clause.span) for clause in part.clauses[:3]]
            comments += _figures(loaded, part.paragraph.text)
            context = f"{game}: {section.heading}"
            yield _message(part.paragraph.span.line, context, part.paragraph.text, comments)


def _sentences(loaded: Loaded, sections: list[ParsedSection], game: str) -> Iterator[Message]:
    for section in sections:
        for part in section.parts:
            for clause in part.clauses:
                for sentence in _told(clause):
                    above = _line_above(sentence)
                    comments = [above, *_figures(loaded, sentence.text)] if above else _figures(loaded, sentence.text)
                    yield _message(sentence.span.line, f"{game}: {section.heading}", sentence.text, comments)


def _told(node: Any) -> Iterator[nodes.Sentence]:
    """All sentences below a clause."""
    if isinstance(node, nodes.Sentence):
        yield node
    elif isinstance(node, tuple):
        for item in node:
            yield from _told(item)
    elif isinstance(node, (nodes.Clause, nodes.StatementNode, nodes.Node, nodes.Branch)):
        for key, value in vars(node).items():
            if key != "span":
                yield from _told(value)


def _line(span: Any) -> str:
    return str(span.source.lines[span.line - 1].strip())


def _line_above(sentence: nodes.Sentence) -> str:
    """The line that decides when the sentence is told."""
    lines = sentence.span.source.lines
    for number in range(sentence.span.line - 2, -1, -1):
        text = lines[number]
        if (
            text.strip()
            and not text.strip().startswith('"')
            and len(text) - len(text.lstrip()) < sentence.span.column - 1
        ):
            return text.strip()
    return ""


def _figures(loaded: Loaded, text: str) -> list[str]:
    """What each placeholder is, in the words of its declaration."""
    rules = loaded.model
    assert rules
    found = []
    for name in dict.fromkeys(name for name, _ in placeholders(text)):
        declared: Any = rules.definitions.get(name) or rules.keeps.get(name) or rules.attributes.get(name)
        if declared is not None:
            found.append(f"{{{name}}}: {_line(declared.span)}")
        elif name[0].isupper():
            found.append(f"{{{name}}}: a player of the example")
        elif name == "players":
            found.append("{players}: how many play")
        elif name in ("card", "player", "end"):
            found.append(f"{{{name}}}: a {name}")
    return found


def tidy_catalogs(folder: Path) -> None:
    """Drops what is no longer said from all catalogs, fills the English one with the texts as they stand, and notes of
    which lines the texts of rules are true."""
    from babel.messages.pofile import read_po, write_po

    for path in folder.glob("*.pot"):
        path.write_bytes(without_formats(path.read_bytes()))
    rules = [(path, read(path)[0]) for path in sorted(data_folder("rules").glob(f"*/*{SUFFIX}"))]
    for path in folder.glob("*/LC_MESSAGES/teufelswerk.po"):
        with path.open("rb") as file:
            catalog = read_po(file, locale=path.parents[1].name)
        catalog.obsolete.clear()
        look_over(catalog, rules)
        if path.parents[1].name == "en":
            for message in catalog:
                if message.id:
                    message.string = message.id
        written = BytesIO()
        write_po(written, catalog, width=120, ignore_obsolete=True)
        path.write_bytes(without_formats(written.getvalue()))


def without_formats(written: bytes) -> bytes:
    """Babel takes texts with braces for Python's. `{n:card|cards}` is none, and `msgfmt -c` would refuse it."""
    flags = re.compile(rb"^#, ([^\n]+)\n", re.MULTILINE)

    def others(line: re.Match[bytes]) -> bytes:
        left = [flag for flag in line[1].split(b", ") if flag not in (b"python-brace-format", b"python-format")]
        return b"#, " + b", ".join(left) + b"\n" if left else b""

    return flags.sub(others, written)


if __name__ == "__main__":
    tidy_catalogs(Path(sys.argv[1]))
