"""What the game remembers stands above the table in the language of whoever plays."""

from __future__ import annotations

import pytest
from shipped import Table
from teufelswerk.language.i18n import Translator
from teufelswerk_cli.table.card_drawing import Look
from teufelswerk_cli.table.table_drawing import TableDrawing

SUITS = {"diamonds": "Karo", "hearts": "Herz", "spades": "Pik", "clubs": "Kreuz"}


def test_a_value_of_cards_is_named_as_it_is_on_the_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which suit is trump, though the name under which that is remembered is not the name of the suits."""
    monkeypatch.setattr("teufelswerk_cli.console.speech._Speaker.translator", Translator("de"))
    game = Table("skat", 3).game
    drawing = TableDrawing(game, ["Ida", "Tom", "Eva"], Look(100, 30))
    views = (game.view(state, 0) for state, _ in game.random_states(1))
    view = next(view for view in views if view.keeps["trump-suit"])
    heading = " ".join(line.plain for line in drawing.heading(view))
    assert f"Trumpf: {SUITS[view.keeps['trump-suit']]}" in heading
