"""Help while one writes, through a real client: offers, what a move is given, hints, and lenses above lines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lsp_client import CURSOR, Editor, at_cursor
from lsprotocol import types
from wrong_files import BASE


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    editor = Editor(tmp_path_factory.mktemp("files"))
    yield editor
    editor.close()


def asked(editor: Editor, method: str, kind: Any, text: str) -> Any:
    """The answer about a place in a text that was fine before."""
    editor.findings(editor.open(BASE), times=2)
    text, position = at_cursor(text)
    uri = editor.open(text)
    return editor.ask(method, kind(text_document=types.TextDocumentIdentifier(uri), position=position))


def test_words_are_offered(editor: Editor) -> None:
    text = BASE.replace("card goes to table", f"card goes to ta{CURSOR}")
    found = asked(editor, types.TEXT_DOCUMENT_COMPLETION, types.CompletionParams, text)
    assert [(item.label, item.kind) for item in found.items] == [("table", types.CompletionItemKind.Folder)]


def test_a_move_says_what_it_is_given(editor: Editor) -> None:
    text = BASE.replace("Ida plays red-2", f"Ida plays {CURSOR}")
    found = asked(editor, types.TEXT_DOCUMENT_SIGNATURE_HELP, types.SignatureHelpParams, text)
    (shown,) = found.signatures
    assert shown.label == "plays card" and shown.documentation == "Play a card." and found.active_parameter == 0
    text = BASE.replace("size = 3", f"size = {CURSOR}3")
    assert asked(editor, types.TEXT_DOCUMENT_SIGNATURE_HELP, types.SignatureHelpParams, text) is None


def test_hints_say_whose_a_bare_name_is_and_what_a_value_comes_to(editor: Editor) -> None:
    text = BASE.replace("size = 3", "size = 12 / count players rounded down")
    uri = editor.open(text)
    end = types.Position(text.count("\n"), 0)
    everything = types.Range(types.Position(0, 0), end)
    found = editor.ask(
        types.TEXT_DOCUMENT_INLAY_HINT, types.InlayHintParams(types.TextDocumentIdentifier(uri), everything)
    )
    lines = text.split("\n")
    shown = {lines[h.position.line][: h.position.character].strip() + f"[{h.label}]": h.tooltip for h in found}
    assert "score[ of player]" in shown and "choose card from hand[ of player]" in shown
    value = shown["size = 12 / count players rounded down[ = 6 (2), 4 (3), 3 (4)]"]
    assert value == "with 2 players: 6\nwith 3 players: 4\nwith 4 players: 3"


def test_lenses_show_verdicts_and_which_examples_cover_a_rule(editor: Editor) -> None:
    uri = editor.open(BASE)
    editor.findings(uri, times=2)
    lenses = editor.ask(types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensParams(types.TextDocumentIdentifier(uri)))
    lines = BASE.split("\n")
    shown = {(lines[lens.range.start.line].strip(), lens.command.title) for lens in lenses}
    assert ("scene round: Ida, Tom", "✓ all 5 lines hold") in shown
    assert ("player plays:", "in 1 example") in shown and ("deal-out:", "in no example") in shown
    assert ("# Base", "play this game") in shown
    assert ("scene round: Ida, Tom", "play from here") in shown and ("round:", "play from here") in shown


def test_an_editor_without_a_terminal_is_told_what_to_type_and_where_to_look(editor: Editor) -> None:
    uri = editor.open(BASE)
    editor.findings(uri, times=2)
    lenses = editor.ask(types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensParams(types.TextDocumentIdentifier(uri)))
    line = next(n for n, text in enumerate(BASE.split("\n"), 1) if text.startswith("    scene round"))
    answers = {}
    for lens in lenses:
        if lens.command.command.startswith("teufelswerk.") and lens.command.command != "teufelswerk.run":
            params = types.ExecuteCommandParams(lens.command.command, lens.command.arguments)
            answers[lens.command.title, lens.range.start.line + 1] = editor.ask(types.WORKSPACE_EXECUTE_COMMAND, params)
    assert answers["play this game", 1].endswith("play " + str(editor.folder / "game.rules.md"))
    assert answers["play from here", line].endswith(f"game.rules.md --from {line}")
    heading = next(text for text in reversed(BASE.split("\n")[:line]) if text.startswith("#")).lstrip("# ")
    move = next(n for n, text in enumerate(BASE.split("\n"), 1) if text.startswith("    player plays:"))
    assert answers["in 1 example", move] == f"{heading} (line {line})"


def test_an_editor_with_an_extension_is_asked_to_open_the_terminal(tmp_path: Path) -> None:
    editor = Editor(tmp_path, initialization={"terminal": True})
    uri = editor.open(BASE)
    editor.findings(uri, times=2)
    lenses = editor.ask(types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensParams(types.TextDocumentIdentifier(uri)))
    asked = {(lens.command.title, lens.command.command) for lens in lenses}
    assert {("play from here", "teufelswerk.play"), ("in 1 example", "teufelswerk.show")} <= asked
    editor.close()


def test_a_lens_shows_what_was_found_instead(editor: Editor) -> None:
    uri = editor.open(BASE.replace("now some cards in table", "now no cards in table"))
    editor.findings(uri, times=2)
    lenses = editor.ask(types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensParams(types.TextDocumentIdentifier(uri)))
    (wrong,) = [lens for lens in lenses if lens.command.title.startswith("✗")]
    assert "there is 1 of them" in wrong.command.title
    editor.ask(types.WORKSPACE_EXECUTE_COMMAND, types.ExecuteCommandParams(wrong.command.command, [uri]))
    assert editor.findings(uri, times=4)
