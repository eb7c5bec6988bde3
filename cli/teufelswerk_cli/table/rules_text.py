"""The rules in words: one section, or the whole book, with the figures of the game that is being played."""

from __future__ import annotations

from collections.abc import Sequence

from teufelswerk.interpreter.game import Game
from teufelswerk.rulebook.figures import UNKNOWN, Figures, filled
from teufelswerk.rulebook.words import game_heading, heading, term

from teufelswerk_cli.console.speech import _, say


def section_text(game: Game, index: int) -> list[str]:
    """The heading of a section and its paragraphs."""
    section, figures = game.rules.sections[index], Figures(game.rules, game)
    lines = [say(heading(game.rules, index))]
    base = None
    for prose in section.prose:
        if prose.base not in (None, base):
            base = prose.base
            lines.append(_("A variant of {title}", title=game_heading(game.rules, base)))
        values = {}
        for name, expr in prose.figures:
            value = figures.value(expr, game.players)
            values[name] = term(game.rules, name, "figure") if value is UNKNOWN else value
        words = say(filled(prose, values))
        lines.append(_("Ruling: {words}", words=words) if prose.paragraph.ruling else words)
    return lines


def rules_text(game: Game, sections: Sequence[int] | None = None) -> list[list[str]]:
    """These sections, or all that are not examples."""
    if sections is None:
        sections = [section.index for section in game.rules.sections if not section.is_example]
    return [section_text(game, index) for index in sections]
