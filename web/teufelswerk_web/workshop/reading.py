"""A text → its rulebook, first what the rules say, then with its examples; its flow as a picture; what differs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from teufelswerk.base.budget import Deadline
from teufelswerk.base.texts import Text
from teufelswerk.editing.opened import opened
from teufelswerk.language.i18n import Translator, edition_in
from teufelswerk.model import Model, title_of
from teufelswerk.rulebook.content import Book, anchor, book_of
from teufelswerk.rulebook.course_picture import flow_svg
from teufelswerk.rulebook.render import render
from teufelswerk.rulebook.wording import Wording

from teufelswerk_web.workshop.changes import differences, sections_to_take

Message = dict[str, Any]
SECONDS_OF_BOOK = 15.0


def work(job: Message) -> Iterator[Message]:
    path = Path(job["path"])
    file = opened(path, job["text"])
    rules = file.loaded.model
    yield {"type": "base", "sections": list(sections_to_take(file))}
    if rules is None:
        yield {"type": "wrong", "errors": sum(finding.is_error for finding in file.found)}
        return
    own = [path.resolve().parent]
    book_words = Translator(job["book"], own, job["text"])
    yield {"type": "rules", "title": book_words(title_of(rules)), "players": [rules.min_players, rules.max_players]}
    book = book_of(rules, [])
    examples, book.examples = book.examples, []
    yield pages(book, rules, book_words, path)
    yield {"type": "flow", "picture": flow(book, book_words)}
    yield {"type": "differences", "of": list(differences(file, Translator(job["language"], own, job["text"])))}
    if examples:
        whole = book_of(rules, file.loaded.scenes, edition_in(job["book"]), Deadline(SECONDS_OF_BOOK))
        yield pages(whole, rules, book_words, path)


def pages(book: Book, rules: Model, words: Translator, path: Path) -> Message:
    """The book as a page, and at which line of the file which of its sections begins."""
    sections = [
        [section.span.line, anchor(section.index)]
        for section in rules.sections
        if section.span.source.path == str(path)
    ]
    return {"type": "book", "page": render(book, "html", words).decode(), "sections": sections}


def flow(book: Book, words: Translator) -> str:
    wording = Wording(words)
    return flow_svg(book.flow, wording.say, wording.say(Text("The course of the game")))
