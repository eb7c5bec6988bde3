"""Rulebooks of hostile files: a text stays a text in every format, nothing is read, and the bounds hold."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from bounded import ROOT
from commands_in_process import Run
from commands_in_process import in_process as in_process
from markdown_it import MarkdownIt
from shipped import PATHS
from teufelswerk.base import limits
from teufelswerk.language.i18n import Translator
from teufelswerk.loading.library import load
from teufelswerk.rulebook import markup, typesetter_process
from teufelswerk.rulebook.booklet import booklet_of
from teufelswerk.rulebook.content import Book, book_of
from teufelswerk.rulebook.render import FORMS, render
from teufelswerk.rulebook.typeset import NotTypeset, typeset
from teufelswerk.rulebook.wording import Wording

HOSTILE = ROOT / "tests" / "hostile"
TYPST = ["ty-read", "ty-dos", "ty1"]
ANCHOR = re.compile(r'<a id="s\d+">|</a>')
posix = pytest.mark.skipif(sys.platform == "win32", reason="there only the time is bounded")


def book_with(tmp_path: Path, *changes: tuple[str, str]) -> Book:
    text = (HOSTILE / "ty1.rules.md").read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = tmp_path / "own.rules.md"
    path.write_text(text, encoding="utf-8")
    loaded = load(path)
    assert loaded.model, [str(d.message) for d in loaded.diagnostics]
    return book_of(loaded.model, loaded.scenes)


# ---- a text is a text -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TYPST)
def test_a_text_is_no_program(run: Run, name: str, tmp_path: Path) -> None:
    """The same booklet, whether or not there is a file that the text would read."""
    made = []
    for secret in (False, True):
        shutil.copy(HOSTILE / f"{name}.rules.md", tmp_path)
        if secret:
            (tmp_path / "secret.txt").write_text("the secret")
        said = run("rulebook", tmp_path / f"{name}.rules.md", "-o", "book.pdf")
        assert said.code == 0, said.err
        made.append((tmp_path / "book.pdf").read_bytes())
    assert made[0] == made[1] and made[0].startswith(b"%PDF")


def test_the_booklet_has_its_texts_letter_by_letter() -> None:
    loaded = load(HOSTILE / "ty-dos.rules.md")
    assert loaded.model
    booklet = booklet_of(book_of(loaded.model, loaded.scenes), Wording(Translator("en")), clauses=False)
    runs = booklet["opening"][0]["runs"]
    assert [run["text"] for run in runs] == ["Hello ", "x", ".func()(repr(range(calc.pow(10, 9)).len())) there 3."]
    assert [run["em"] for run in runs] == [False, True, False]


SNIPPETS = (
    "*x*(foo) *x*[y] `x`.len() **x**.func() *x*; #read(a) $x$ <a> @a = x // x /* x \\\\u ```c _x_# ~~~ - x + x "
    "https://x.y/ 'x' a -- b ... [y"
)


@pytest.mark.parametrize("where", ["Hello *x*(foo)", "# T", "Show a card.", "## The cards", "{player} shows"])
def test_whatever_a_text_looks_like_there_is_a_booklet(where: str, tmp_path: Path) -> None:
    book = book_with(tmp_path, (where, f"{where} {SNIPPETS}"))
    for form in FORMS:
        for clauses in (False, True):
            assert render(book, form, Translator("de"), clauses)


def test_emphasis_is_still_there() -> None:
    found = markup.runs("a *b **c*** `d*` e\\*")
    shown = [(run["text"], run["em"], run["strong"], run["code"]) for run in found]
    assert shown == [
        ("a ", False, False, False), ("b ", True, False, False), ("c", True, True, False), (" ", False, False, False),
        ("d*", False, False, True), (" e*", False, False, False),
    ]  # fmt: skip


# ---- nothing is read, and the bounds hold ---------------------------------------------------------------------------


@posix
@pytest.mark.parametrize(
    "line",
    ['#read("secret.txt")', '#read("/secret.txt")', '#read("/etc/passwd")', '#include "secret.txt"',
     '#image("secret.txt")', '#import "@preview/a:0.1.0": *'],
)  # fmt: skip
def test_the_typesetter_opens_no_file(line: str, tmp_path: Path) -> None:
    """Not even if the layout itself asked for it, and not even where it stands."""
    program = Path(shutil.copy(typesetter_process.__file__, tmp_path))
    (tmp_path / "booklet.typ").write_text(line)
    (tmp_path / "secret.txt").write_text("the secret")
    command = [sys.executable, "-P", str(program), "5", str(10**9), "booklet.typ"]
    done = subprocess.run(command, cwd=tmp_path, input=b"{}", capture_output=True, check=False)
    assert done.returncode == typesetter_process.FAILED and not done.stdout, done.stderr


def long_book(tmp_path: Path) -> Book:
    """A file as large as files may be, with one paragraph."""
    line = "Everyone shows one card and then passes it on to the left. " * 16
    lines = "\n".join([line.strip()] * (limits.MAX_FILE_BYTES // len(line) - 2))
    return book_with(tmp_path, ("Numbered.\n", f"{lines}\n"))


@posix
def test_the_largest_paragraph_stays_within_its_bounds(tmp_path: Path) -> None:
    booklet = booklet_of(long_book(tmp_path), Wording(Translator("en")), clauses=False)
    assert typeset(booklet, memory=limits.MAX_PDF_MEMORY // 2).startswith(b"%PDF")
    with pytest.raises(NotTypeset, match="more than 150 MB of memory"):
        typeset(booklet, memory=150_000_000)
    for section in booklet["sections"]:
        section["paragraphs"] *= 20
    with pytest.raises(NotTypeset, match="more than 1 seconds"):
        typeset(booklet, seconds=1)


def test_what_is_too_large_ends_in_a_sentence(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def too_large(*_: object) -> bytes:
        raise NotTypeset(typeset_message)

    from teufelswerk.base.texts import Text
    from teufelswerk_cli.authoring import rulebook_command

    typeset_message = Text("the rulebook cannot be typeset: {reason}", reason="no \x1b[31mreason")
    monkeypatch.setattr(rulebook_command, "render", too_large)
    said = run("rulebook", "little-devils", "-o", "book.pdf")
    assert said.code == 2 and said.err == "the rulebook cannot be typeset: no <U+001B>[31mreason\n"
    assert not (tmp_path / "book.pdf").exists()


# ---- Markdown -------------------------------------------------------------------------------------------------------

ACTIVE = (
    '<script>alert()</script> <img src=x onerror=alert()> <!-- --> &lt;b&gt; [x](javascript:a) ![x](http://t/a.png) '
    '<http://x.y> **b** *i* `<c>` a|b \\<b> ` [x]: http://y'
)  # fmt: skip


def with_catalog(folder: Path, words: str) -> Translator:
    from babel.messages.pofile import read_po, write_po

    catalog = read_po((ROOT / "locales" / "teufelswerk.pot").open("rb"))
    for message in catalog:
        if isinstance(message.id, str) and message.id:
            message.string = words + message.id
    home = folder / "locales" / "en" / "LC_MESSAGES"
    home.mkdir(parents=True)
    with (home / "teufelswerk.po").open("wb") as file:
        write_po(file, catalog, width=0)
    return Translator("en", [folder])


def assert_passive(text: str) -> None:
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    for token in [inner for outer in tokens for inner in (outer, *(outer.children or ()))]:
        if token.type in ("html_inline", "html_block"):
            assert ANCHOR.sub("", token.content).strip() == ""
        if token.type == "link_open":
            assert re.fullmatch(r"#s\d+", str(token.attrs["href"]))
        assert token.type not in ("image", "fence", "code_block")


def test_markdown_carries_nothing_active_of_the_file(tmp_path: Path) -> None:
    book = book_with(
        tmp_path,
        ("# T\n", f"# T {ACTIVE}\n"),
        ("## The cards", f"## The cards {ACTIVE}"),
        ("Hello *x*(foo) {hand-size}.", f"{ACTIVE} {{hand-size}}.\n\n```{ACTIVE}\n\n- {ACTIVE}\n\nI. {ACTIVE}"),
    )
    text = render(book, "md", Translator("en")).decode()
    assert_passive(text)
    shown = MarkdownIt("commonmark").render(text)
    assert "&lt;script&gt;alert()&lt;/script&gt;" in shown
    assert "&amp;lt;b&amp;gt;" in shown and "<strong>b</strong> <em>i</em> <code>&lt;c&gt;</code>" in shown


@pytest.mark.parametrize("game", ["little-devils", "hols-der-teufel"])
def test_markdown_carries_nothing_active_of_a_catalog(game: str, tmp_path: Path) -> None:
    shutil.copy(PATHS[game], tmp_path)
    loaded = load(tmp_path / f"{game}.rules.md")
    assert loaded.model
    book = book_of(loaded.model, loaded.scenes)
    assert_passive(render(book, "md", with_catalog(tmp_path, f"{ACTIVE} ")).decode())


def test_a_catalog_with_control_characters_makes_a_booklet(tmp_path: Path) -> None:
    shutil.copy(PATHS["hols-der-teufel"], tmp_path)
    loaded = load(tmp_path / "hols-der-teufel.rules.md")
    assert loaded.model
    book, translator = book_of(loaded.model, loaded.scenes), with_catalog(tmp_path, "\x1b[31m\x01\u202e\uffff#x$ ")
    assert render(book, "pdf", translator).startswith(b"%PDF")
    page = render(book, "html", translator).decode()
    assert "\x1b" not in page and "\u202e" not in page


def test_a_block_of_code_ends_where_it_ends() -> None:
    assert markup.fenced("a\n```\nb") == "````\na\n```\nb\n````"
    assert markup.fenced("a") == "```\na\n```"
