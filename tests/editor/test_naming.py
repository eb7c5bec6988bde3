"""Names through a real client: where they are declared and used, what they are, another name, their colours."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lsp_client import Editor, applied
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from wrong_files import BASE


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    folder = tmp_path_factory.mktemp("files")
    (folder / "other.rules.md").write_text("# Other\n\nOf {size} cards.\n\n    variant of game\n    size = 4\n")
    (folder / "game.rules.md").write_text(BASE, encoding="utf-8")
    editor = Editor(folder)
    yield editor
    editor.close()


@pytest.fixture(name="game")
def opened_game(editor: Editor) -> str:
    return editor.open(BASE)


def at(words: str, text: str = BASE) -> types.Position:
    """Where the last of some words stands, the first time that they do."""
    for number, line in enumerate(text.split("\n")):
        if words in line:
            return types.Position(number, line.index(words) + max(words.rfind(" "), words.rfind("-")) + 1)
    raise AssertionError(words)


def asked(editor: Editor, method: str, uri: str, words: str, **more: Any) -> Any:
    kinds: dict[str, Any] = {
        types.TEXT_DOCUMENT_DEFINITION: types.DefinitionParams,
        types.TEXT_DOCUMENT_REFERENCES: types.ReferenceParams,
        types.TEXT_DOCUMENT_HOVER: types.HoverParams,
        types.TEXT_DOCUMENT_PREPARE_RENAME: types.PrepareRenameParams,
        types.TEXT_DOCUMENT_RENAME: types.RenameParams,
        types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: types.DocumentHighlightParams,
    }
    document = types.TextDocumentIdentifier(uri)
    return editor.ask(method, kinds[method](text_document=document, position=at(words, editor.texts[uri]), **more))


@pytest.mark.parametrize(
    ("used", "declared"),
    [
        ("goes to table", "place table"),
        ("to each hand", "place hand"),
        ("worth of card", "        worth"),
        ("{size", "    size"),
        ("player plays", "player plays"),
        ("Ida plays", "player plays"),
        ("from leader", "keep leader"),
        ("refused Ida", "round: Ida"),
    ],
)
def test_a_name_leads_to_where_it_is_declared(editor: Editor, game: str, used: str, declared: str) -> None:
    used = "gets {size" if used == "{size" else used
    place = at(used)
    if used == "gets {size":
        place = types.Position(place.line, place.character + 1)
    if used == "worth of card":
        place = types.Position(place.line, place.character - len("worth of "))
    params = types.DefinitionParams(types.TextDocumentIdentifier(game), place)
    (found,) = editor.ask(types.TEXT_DOCUMENT_DEFINITION, params)
    assert found.uri == game and found.range.start == at(declared)


def test_a_variant_leads_to_its_base(editor: Editor, game: str) -> None:
    text = (editor.folder / "other.rules.md").read_text()
    variant = editor.open(text, "other.rules.md")
    (found,) = asked(editor, types.TEXT_DOCUMENT_DEFINITION, variant, "variant of game")
    assert found.uri == game
    (found,) = asked(editor, types.TEXT_DOCUMENT_DEFINITION, variant, "    size")
    assert found.uri in (game, variant)


def test_all_uses_of_a_name_are_found_in_texts_examples_and_variants_too(editor: Editor, game: str) -> None:
    context = types.ReferenceContext(include_declaration=False)
    found = asked(editor, types.TEXT_DOCUMENT_REFERENCES, game, "    size", context=context)
    here = [place.range.start.line for place in found if place.uri == game]
    lines = [n for n, line in enumerate(BASE.split("\n")) for _ in range(line.count("size")) if "size =" not in line]
    assert here == lines
    assert [place.range.start.line for place in found if place.uri != game] == [2]


def test_a_rename_goes_through_all_files(editor: Editor, game: str) -> None:
    edit = asked(editor, types.TEXT_DOCUMENT_RENAME, game, "    size", new_name="hand-size")
    assert {Path(uri).name for uri in edit.changes} == {"game.rules.md", "other.rules.md"}
    text = applied(BASE, edit.changes[game])
    assert "deal hand-size from deck" in text and "{hand-size:card|cards}" in text and "    hand-size = 3" in text


def test_what_cannot_have_another_name_is_told_why(editor: Editor, game: str) -> None:
    with pytest.raises(JsonRpcException, match="means the same in every game"):
        asked(editor, types.TEXT_DOCUMENT_PREPARE_RENAME, game, "    game")
    with pytest.raises(JsonRpcException, match="stands in line 32 already"):
        asked(editor, types.TEXT_DOCUMENT_RENAME, game, "keep score", new_name="size")
    assert asked(editor, types.TEXT_DOCUMENT_PREPARE_RENAME, game, "keep score").placeholder == "score"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("goes to table", ["place table, seen by all", "a place", "declared in “Places”"]),
        ("    size", ["size = 3", "a value with a name", "now 3"]),
        ("colour: red", ["one of the names of `colour`"]),
        ("Ida: red-1", ["a card", "`colour` red · `number` 1 · `worth` 1"]),
        ("score becomes score", ["here it is `score of player`", "keep score of each player: 0"]),
        ("        shuffle", ["`shuffle`"]),
    ],
)
def test_a_word_tells_what_it_is(editor: Editor, game: str, words: str, told: list[str]) -> None:
    said = asked(editor, types.TEXT_DOCUMENT_HOVER, game, words).contents.value
    assert [words for words in told if words not in said] == []


def test_words_have_the_colour_of_what_they_mean(editor: Editor, game: str) -> None:
    legend = editor.capabilities.semantic_tokens_provider.legend
    params = types.SemanticTokensParams(types.TextDocumentIdentifier(game))
    data = editor.ask(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, params).data
    lines, found = BASE.split("\n"), set[tuple[str, str, str]]()
    line = column = 0
    for i in range(0, len(data), 5):
        row, start, length, kind, flags = data[i : i + 5]
        assert row > 0 or start > 0 or i == 0
        line, column = line + row, start if row else column + start
        words = lines[line][column : column + length]
        marks = " ".join(m for bit, m in enumerate(legend.token_modifiers) if flags >> bit & 1)
        found.add((words, legend.token_types[kind], marks))
    assert {
        ("place", "keyword", ""), ("hand", "type", "declaration"), ("hand", "type", ""), ("plays", "method", ""),
        ("round", "function", "declaration"), ("red", "enumMember", "declaration"), ("red-1", "enumMember", ""),
        ("size", "variable", "declaration readonly"), ("player", "variable", "defaultLibrary"), ("9", "number", ""),
        ("Ida", "event", "declaration"), ('"Play a card."', "string", ""), ("worth", "property", "declaration"),
    } <= found  # fmt: skip
