"""What an editor is told: findings and how to mend them, the outline, folds, one layout. All through a real client."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lsp_client import Editor, applied
from lsprotocol import types
from teufelswerk_cli.editor.serving import serve_web_sockets
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin
from wrong_files import BASE


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    editor = Editor(tmp_path_factory.mktemp("files"))
    yield editor
    editor.close()


@pytest.fixture(name="game")
def opened_game(editor: Editor) -> str:
    return editor.open(BASE)


def line_of(text: str, words: str) -> int:
    return next(number for number, line in enumerate(text.split("\n")) if words in line)


def test_a_file_that_is_fine_has_no_findings(editor: Editor, game: str) -> None:
    assert editor.findings(game, times=2) == []


def test_a_mistake_is_told_with_its_place_its_code_and_what_would_be_right(editor: Editor) -> None:
    text = BASE.replace("card goes to table", "card goes to tabel")
    uri = editor.open(text)
    (found,) = [d for d in editor.findings(uri) if d.severity == types.DiagnosticSeverity.Error]
    line = line_of(text, "tabel")
    start = text.split("\n")[line].index("tabel")
    assert found.range == types.Range(types.Position(line, start), types.Position(line, start + 5))
    assert found.code == "unknown-name" and "write `table`" in found.message
    assert [r.location.range.start.line for r in found.related_information or ()] == [line_of(text, "place table")]


def test_words_that_have_not_changed_with_their_lines(editor: Editor) -> None:
    game = editor.open(BASE, "words.rules.md")
    assert editor.findings(game, times=2) == []
    game = editor.open(BASE.replace("    highest score wins", "    lowest score wins"), "words.rules.md")
    found = [d for d in editor.findings(game, times=2) if d.code == "same-words"]
    assert found and all("`highest score wins` is now `lowest score wins`" in d.message for d in found)


def test_a_mistake_is_mended_by_one_click(editor: Editor) -> None:
    text = BASE.replace("card goes to table", "card goes to tabel")
    uri = editor.open(text)
    line = types.Position(line_of(text, "tabel"), 0)
    params = types.CodeActionParams(
        types.TextDocumentIdentifier(uri), types.Range(line, line), types.CodeActionContext([])
    )
    (action,) = editor.ask(types.TEXT_DOCUMENT_CODE_ACTION, params)
    assert action.title == "write `table`" and action.is_preferred
    assert applied(text, action.edit.changes[uri]) == BASE


def test_examples_are_run_when_the_typing_pauses(editor: Editor) -> None:
    text = BASE.replace("now some cards in table", "now no cards in table")
    assert text != BASE
    uri = editor.open(text)
    found = editor.findings(uri, times=2)
    assert [d.code for d in found] == ["does-not-hold"] and "there is 1 of them" in found[0].message


def test_what_is_typed_is_understood_where_it_is_typed(editor: Editor, game: str) -> None:
    line = line_of(BASE, "card goes to table")
    editor.type(game, line, BASE.split("\n")[line].index("table"), "x")
    assert [d.code for d in editor.findings(game) if d.severity == types.DiagnosticSeverity.Error] == ["unknown-name"]


def test_what_is_found_in_the_base_stands_at_the_line_that_names_it(editor: Editor) -> None:
    base = editor.open(BASE.replace("card goes to table", "card goes to tabel"), "base.rules.md")
    variant = editor.open("# Other\n\nAnother game.\n\n    variant of base\n", "other.rules.md")
    (found,) = [d for d in editor.findings(variant) if d.severity == types.DiagnosticSeverity.Error]
    assert found.range.start.line == 4
    assert found.related_information and found.related_information[0].location.uri == base


def test_a_variant_is_looked_at_again_when_its_base_is_changed(editor: Editor) -> None:
    editor.open(BASE, "upon.rules.md")
    variant = editor.open("# Other\n\nAnother game.\n\n    variant of upon\n", "another.rules.md")
    assert editor.findings(variant, times=2) == []
    editor.open(BASE.replace("card goes to table", "card goes to tabel"), "upon.rules.md")
    (found,) = editor.findings(variant, times=3)
    assert found.code == "unknown-name"


def test_the_outline_shows_sections_and_what_they_declare(editor: Editor, game: str) -> None:
    params = types.DocumentSymbolParams(types.TextDocumentIdentifier(game))
    (title,) = editor.ask(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, params)
    sections = {section.name: section for section in title.children}
    headings = [line[3:] for line in BASE.split("\n") if line.startswith("## ")]
    assert [child.name for child in title.children if child.name in headings] == headings
    names = {child.name for section in sections.values() for child in section.children or ()}
    assert {"hand", "table", "score", "round", "player plays"} <= names
    for section in sections.values():
        assert title.range.start <= section.range.start and section.range.end <= title.range.end


def test_sections_and_blocks_can_be_folded(editor: Editor, game: str) -> None:
    found = editor.ask(types.TEXT_DOCUMENT_FOLDING_RANGE, types.FoldingRangeParams(types.TextDocumentIdentifier(game)))
    lines = BASE.split("\n")
    move = line_of(BASE, "player plays:")
    assert any(fold.start_line == move and fold.end_line > move for fold in found)
    for fold in found:
        assert lines[fold.start_line].strip() and lines[fold.end_line].strip()


def test_formatting_is_the_one_layout(editor: Editor) -> None:
    text = BASE.replace("card goes to table", "card   goes to  table") + "\n\n\n"
    uri = editor.open(text)
    params = types.DocumentFormattingParams(
        types.TextDocumentIdentifier(uri), types.FormattingOptions(tab_size=4, insert_spaces=True)
    )
    edits = editor.ask(types.TEXT_DOCUMENT_FORMATTING, params)
    clean = editor.ask(types.TEXT_DOCUMENT_FORMATTING, types.DocumentFormattingParams(
        types.TextDocumentIdentifier(editor.open(applied(text, edits))), params.options))  # fmt: skip
    assert "    card goes to table\n" in applied(text, edits) and not clean


@pytest.mark.parametrize(
    ("options", "locale", "words"),
    [
        (("--lang", "ru"), "de", "имя `tabel` здесь неизвестно"),
        ((), "de-AT", "der Name `tabel` ist hier unbekannt"),
        ((), "xx", "there is nothing called `tabel`"),
    ],
)
def test_findings_speak_the_language_chosen_or_that_of_the_editor(
    tmp_path: Path, options: tuple[str, ...], locale: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("TEUFELSWERK_LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(variable, raising=False)
    editor = Editor(tmp_path, *options, locale=locale)
    uri = editor.open(BASE.replace("card goes to table", "card goes to tabel"))
    assert words in editor.findings(uri)[0].message
    editor.close()


def test_a_page_of_this_machine_is_answered_over_a_web_socket_and_others_are_not() -> None:
    """Each connection is an editor of its own; any page may try to connect."""

    async def talk() -> None:
        ready: asyncio.Queue[str] = asyncio.Queue()
        serving = asyncio.create_task(serve_web_sockets(0, "de", ready.put_nowait))
        address = await asyncio.wait_for(ready.get(), 10)
        with pytest.raises(InvalidStatus, match="403"):
            await connect(address, origin=Origin("http://elsewhere.example"))
        async with connect(address, origin=Origin("http://localhost")) as one, connect(address) as other:
            for socket, text in ((one, BASE.replace("card goes to table", "card goes to tabel")), (other, BASE)):
                document = {"uri": "file:///game.rules.md", "languageId": "teufelswerk", "version": 1, "text": text}
                initialize: dict[str, Any] = {"capabilities": {}, "processId": None, "rootUri": None}
                await socket.send("no message at all")
                for message in (
                    {"id": 1, "method": "initialize", "params": initialize},
                    {"method": "initialized", "params": {}},
                    {"method": "textDocument/didOpen", "params": {"textDocument": document}},
                ):
                    await socket.send(json.dumps({"jsonrpc": "2.0", **message}))
            assert "der Name `tabel` ist hier unbekannt" in await told(one)
            assert '"diagnostics": []' in await told(other)
        serving.cancel()

    async def told(socket: ClientConnection) -> str:
        while "publishDiagnostics" not in (message := str(await asyncio.wait_for(socket.recv(), 30))):
            pass
        return json.dumps(json.loads(message), ensure_ascii=False)

    asyncio.run(talk())
