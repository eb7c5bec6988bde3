"""What catalogs remember of the lines that their texts tell, and what becomes of it in other programs' hands."""

from __future__ import annotations

import shutil
import subprocess
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po
from teufelswerk.language.true_of import Noted, looked_over, notes_in, other_comments, read_note, with_notes

KEY, OTHER = ("Paying", "You pay {n} {n:chip|chips} to the right."), ("Paying", 'Says "no".')
PO = r"""msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\n"

# of a person
# true of: aaaabbbb
#. TRANSLATORS: player pays 1 chips to right
#: rules/laying/game.rules.md
msgctxt "game: Paying"
msgid ""
"You pay {n} {n:chip|chips} "
"to the right."
msgstr "Du zahlst nach rechts."

# true of: cccc, now: dddd
#, fuzzy
msgctxt "game: Paying"
msgid "Says \"no\"."
msgstr "Sagt „nein“."

# true of: eeee
msgctxt "other-game: Paying"
msgid "Says \"no\"."
msgstr "Sagt „nein“."
"""


@pytest.mark.parametrize(
    ("noted", "is_fuzzy", "becomes"),
    [
        (None, False, (Noted("now2"), False)),
        (None, True, (Noted("now2"), True)),
        (Noted("now2"), False, (Noted("now2"), False)),
        (Noted("old2"), False, (Noted("old2", "now2"), True)),
        (Noted("old2"), True, (Noted("now2"), True)),
        (Noted("old2", "mid2"), True, (Noted("old2", "now2"), True)),
        (Noted("old2", "now2"), True, (Noted("old2", "now2"), True)),
        (Noted("old2", "now2"), False, (Noted("now2"), False)),
        (Noted("old2", "mid2"), False, (Noted("mid2", "now2"), True)),
        (Noted("now2", "mid2"), True, (Noted("now2"), False)),
    ],
    ids=[
        "new words", "words suggested for a changed text", "nothing has changed", "the lines have changed",
        "words suggested, and other lines", "the lines have changed again", "nobody has looked",
        "somebody has looked", "somebody has looked, then the lines changed again", "the lines are back",
    ],
)  # fmt: skip
def test_when_an_entry_is_in_doubt(noted: Noted | None, is_fuzzy: bool, becomes: tuple[Noted, bool]) -> None:
    assert looked_over(noted, is_fuzzy, "now2") == becomes


def test_a_catalog_is_asked_about_one_game() -> None:
    assert notes_in(PO, "game") == {KEY: "aaaabbbb", OTHER: "cccc"}
    assert notes_in(PO.replace("#, fuzzy\n", ""), "game")[OTHER] == "dddd", "somebody has looked"


def test_what_is_still_true_is_noted_and_nothing_else_changes() -> None:
    noted = with_notes(PO, "game", {KEY: "aaaaffff", OTHER: "dddd"})
    expected = PO.replace("aaaabbbb", "aaaaffff").replace("cccc, now: dddd\n#, fuzzy", "dddd")
    assert noted == expected
    assert with_notes(noted, "game", {KEY: "aaaaffff"}) == noted


def test_other_programs_keep_it(tmp_path: Path) -> None:
    """Babel writes and updates it; gettext merges it with a template, and accepts it."""
    marks = "abcd" * 40
    catalog = read_po(BytesIO(with_notes(PO, "game", {KEY: marks}).encode()), locale="de")
    template = Catalog()
    template.add(KEY[1], context="game: Paying", auto_comments=["another line"])
    template.add(OTHER[1], context="game: Paying")
    catalog.update(template, no_fuzzy_matching=True)
    written = BytesIO()
    write_po(written, catalog, width=80)
    po, pot = tmp_path / "de.po", tmp_path / "all.pot"
    po.write_bytes(written.getvalue())
    pot.write_bytes(b"")
    with pot.open("wb") as file:
        write_po(file, template)
    texts = [po.read_text("utf-8")]
    if shutil.which("msgmerge"):
        merged = subprocess.run(["msgmerge", "-q", po, pot], stdout=subprocess.PIPE, check=True).stdout.decode()
        texts.append(merged)
        assert subprocess.run(["msgfmt", "-c", "-o", "/dev/null", po], check=False).returncode == 0
    for text in texts:
        assert notes_in(text, "game") == {KEY: marks, OTHER: "cccc"}
        assert "of a person" in text and "#, fuzzy" in text


def test_what_people_write_stays() -> None:
    comments = ["see the booklet", "true of: aaaa", "of 1998"]
    assert read_note(comments) == Noted("aaaa") and other_comments(comments) == ["see the booklet  of 1998"]
    assert read_note(["see the booklet"]) is None and other_comments(["see the booklet"]) == ["see the booklet"]
