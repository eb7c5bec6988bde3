"""Words that may stand somewhere: the one that was taken out is offered, and none breaks the line; it may need more."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from shipped import NAMES, PATHS, SAMPLE
from teufelswerk.editing.completion import Place as Where
from teufelswerk.editing.completion import how_read, offers
from teufelswerk.editing.names import Names, names_of
from teufelswerk.editing.opened import opened
from teufelswerk.editing.pieces import Piece
from teufelswerk.syntax.grammar import accepted, reads
from wrong_files import BASE

A_FEW = 60


def words_that_can_be_offered(names: Names) -> list[Piece]:
    """Keywords and names; but for those that get their name there, and the editions of other publishers."""
    known = {(o.span.line, o.span.column) for o in names.occurrences if not o.declares}
    return [p for p in names.pieces if p.sort == "keyword" or (p.span.line, p.span.column) in known]


def judge(name: str, count: int) -> None:
    names = names_of(opened(PATHS[name], PATHS[name].read_text(encoding="utf-8")))
    all_words = words_that_can_be_offered(names)
    for piece in random.Random(name).sample(all_words, min(count, len(all_words))):
        lines = names.file.source.text.split("\n")
        line, start, end = lines[piece.span.line - 1], piece.span.column - 1, piece.span.end - 1
        lines[piece.span.line - 1] = line[:start] + line[end:]
        found = [o.word for o in offers(names, "\n".join(lines), piece.span.line, piece.span.column)]
        assert any(piece.text == word.split()[0] for word in found), (piece.text, line)
        if line.startswith(" ") and not line.strip().startswith('"'):
            where = Where(lines, piece.span.line, line[:start], "", line[end:])
            read, _ = how_read(where)
            for word in found:
                taken = (line[:start] + word + line[end:]).strip()
                assert reads(taken, read) or (not line[end:].strip() and accepted(taken, read)), (word, line)


@pytest.mark.parametrize("name", SAMPLE)
def test_a_word_that_is_taken_out_is_offered_and_every_offer_reads(name: str) -> None:
    judge(name, A_FEW)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_every_word_that_is_taken_out_is_offered(name: str) -> None:
    judge(name, 100_000)


def offered(before: str, text: str = BASE, replaced: str = "        card goes to table") -> list[str]:
    """What is offered behind some words that stand instead of a line."""
    names = names_of(opened(Path("game.rules.md"), BASE))
    text = text.replace(replaced, before, 1)
    line = text[: text.index(before) + len(before)].count("\n") + 1
    return [o.word for o in offers(names, text, line, len(before.split("\n")[-1]) + 1)]


def test_only_what_fits_is_offered() -> None:
    places = offered("        card goes to ")
    assert {"table", "deck", "hand", "box"} <= set(places) and not {"score", "mood", "leader", "size", "player"} & set(
        places
    )
    assert "plays" not in places and "round" not in places


def test_what_is_typed_narrows_the_offers() -> None:
    assert offered("        card goes to ta") == ["table"]
    assert offered("        shuf") == ["shuffle"]


def test_a_move_is_offered_to_somebody_in_an_example() -> None:
    assert offered("    Ida pl", replaced="    Ida plays red-2") == ["plays"]
    assert "red-2" in offered("    Ida plays red", replaced="    Ida plays red-2")
    assert {"Ida", "Tom"} == {
        w for w in offered("    now score of ", replaced="    now some cards in table") if w[0].isupper()
    }


def test_figures_are_offered_in_braces() -> None:
    assert "size" in offered("Everyone gets {s", replaced="Everyone gets {size} {size:card|cards}.")
    assert "card" in offered('            "A {c', replaced='            "Low cards are kept to the end."')


def test_a_variant_is_offered_what_it_can_change(tmp_path: Path) -> None:
    (tmp_path / "base.rules.md").write_text(BASE, encoding="utf-8")
    text = "# Other\n\nAnother game.\n\n    variant of base\n    s\n\n## Va\n"
    names = names_of(opened(tmp_path / "other.rules.md", text))
    assert [o.word for o in offers(names, text, 6, 6)] == ["size", "scene"]
    assert [o.word for o in offers(names, text, 8, 6)] == ["Values"]
