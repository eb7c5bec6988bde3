"""Draws the screens and plots of the README and of docs/report.md: `.venv/bin/python docs/screens.py`."""

from __future__ import annotations

import io
import re
from importlib.resources import files
from pathlib import Path

from rich.console import Console
from teufelswerk.base import chance
from teufelswerk.base.find_files import shipped
from teufelswerk.base.texts import Text
from teufelswerk.engines.random_games import make_engine
from teufelswerk.engines.tally import Tally
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.machine import Event
from teufelswerk.language.i18n import Translator, languages
from teufelswerk.loading.model_cache import load_game
from teufelswerk.model import title_of
from teufelswerk.report.cards_section import cards_section
from teufelswerk.report.gathering import sample_of
from teufelswerk.report.parts import Named
from teufelswerk.report.wording import Words
from teufelswerk_cli.console.speech import say, say_in
from teufelswerk_cli.table.card_drawing import Look
from teufelswerk_cli.table.table_drawing import TableDrawing

FOLDER = Path(__file__).parent / "screens"
PEOPLE = ("Anna", "Tom", "Ida", "Peter")
SEED, MOVES, WIDTH, ROOM = 11, 22, 96, 30
GAMES = 2000


def draw(name: str, language: str) -> None:
    """One position of one game: the table as the player to move sees it, and what has just been told."""
    say_in(Translator(language))
    names = [say(Text(person, msgctxt="person")) for person in PEOPLE]
    game = Game(load_game(name), len(names))
    log: list[Event] = []
    state, rng = game.start(SEED, log), chance.stream(SEED, 1)
    for _ in range(MOVES):
        moves = game.legal_moves(state)
        rng, index = chance.below(rng, len(moves))
        state = game.apply(state, moves[index], log)
    seat = game.player(state)
    assert seat is not None
    drawing = TableDrawing(game, names, Look(WIDTH, ROOM))
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    for line in drawing.lines(game.view(state, seat), seat, ROOM):
        console.print(line)
    console.print()
    for told in [event.told for event in log if event.told is not None][-4:]:
        console.print(say(told.to(seat), names), highlight=False)
    picture = console.export_svg(title=say(title_of(game.rules)))
    # The picture must not load anything: a font of the reader's own machine will do.
    picture = re.sub(r"@font-face \{.*?\}|<!--.*?-->", "", picture, flags=re.DOTALL)
    (FOLDER / f"{name}-{language}.svg").write_text(picture, encoding="utf-8")


def draw_cards(name: str) -> None:
    """The plot of the cards from a game's report, with the style that it has on the page."""
    rules = load_game(name)
    engine, tally = make_engine(rules, len(PEOPLE), counting=True), Tally()
    tally.add(engine.outcomes(SEED, GAMES).from_beginner(engine.players), engine.players)
    section = cards_section([sample_of(engine, tally)], [Named("", "")], Words(Translator("en")))
    assert section
    style = files("teufelswerk.report").joinpath("templates/report.css").read_text(encoding="utf-8")
    sheet = f"<style>{style} svg {{ background: var(--sheet); }}</style>"
    picture = section.plots[0].svg.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)
    picture = re.sub(r'viewBox="0 0 (\S+) (\S+)"', lambda m: f'viewBox="-12 -8 424 {float(m[2]) + 16:g}"', picture)
    (FOLDER / f"report-{name}.svg").write_text(picture.replace(">", f">{sheet}", 1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for each in shipped():
        draw_cards(each)
        for language in languages():
            draw(each, language)
