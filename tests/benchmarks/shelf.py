"""Sets every game of the shelf beside the same game in OpenSpiel: lines, agreement, moves a second, all in one run.

    python tests/benchmarks/shelf.py [--repeat 5] [--write] [GAME…]

Their moves are counted twice: driven from Python, as their documentation shows it, and by their own bots in C++, which
are told from Python what to play and nothing else. CPU time only, each figure as the fastest of some bursts, the ratios
as the median of the rounds. `--write` writes `docs/shelf.md` and its pictures.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(HERE.parent), str(ROOT / "interpreter"), str(ROOT / "cli")]

from measuring import Measure, engine_rate, rate  # noqa: E402
from other_programs import one_of  # noqa: E402
from peers.tables import PEERS  # noqa: E402
from peers.test_peers import MANY_DEALS  # noqa: E402
from teufelswerk.base.find_files import bases, shipped  # noqa: E402
from teufelswerk.language.gist import gist  # noqa: E402
from teufelswerk.language.i18n import Translator  # noqa: E402
from teufelswerk.loading.families import by_family, heading  # noqa: E402
from teufelswerk.loading.model_cache import load_game  # noqa: E402
from teufelswerk.model import Model  # noqa: E402
from teufelswerk.rulebook.faces import Faces  # noqa: E402
from teufelswerk.rulebook.figures import Figures  # noqa: E402
from teufelswerk.rulebook.pictures import HEIGHT, WIDTH, card_svg  # noqa: E402
from teufelswerk.rulebook.wording import Wording  # noqa: E402
from teufelswerk_cli.table.shelf import introductions  # noqa: E402

PAGE, PICTURES = ROOT / "docs" / "shelf.md", ROOT / "docs" / "screens"
THEIR_LINES = json.loads((HERE / "openspiel_lines.json").read_text(encoding="utf-8"))
"""The lines of their C++ sources and headers of a game, without tests."""
SAMPLES = 4
GAP = 3


class Row(NamedTuple):
    game: str
    players: int
    ours: float | None
    from_python: float | None
    in_cpp: float | None


def their_name(name: str) -> str | None:
    """The game that a table of ours is compared with, if it is the shipped one or a variant beside the tables."""
    found = {known.split()[0].removesuffix("-there"): peer.theirs for known, peer in reversed(PEERS.items())}
    return found.get(name)


def their_game(theirs: str) -> Any:
    import pyspiel

    game = pyspiel.load_game(theirs)
    at_once = game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
    return pyspiel.convert_to_turn_based(game) if at_once else game


def played(game: Any) -> int:
    state, moves = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(one_of(state.chance_outcomes())[0])
        else:
            state.apply_action(one_of(state.legal_actions()))
            moves += 1
    return moves


def from_python(theirs: str) -> Measure:
    game = their_game(theirs)
    return rate(lambda games: sum(played(game) for _ in range(games)))


def in_cpp(theirs: str) -> Measure:
    """Games that their own random bots play, times the moves that a game has: nothing of it is done by Python."""
    import pyspiel

    game = their_game(theirs)
    length = statistics.mean(played(game) for _ in range(60))

    bots = [pyspiel.make_uniform_random_bot(player, player + 1) for player in range(game.num_players())]

    def games_of_bots(games: int) -> int:
        for seed in range(games):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)
        return round(games * length)

    return rate(games_of_bots)


def measured(name: str, repeat: int) -> Row:
    """A game's rounds in turn: ours, theirs from Python, theirs in C++; the first, which warms up, is not counted."""
    rules, theirs = load_game(name), their_name(name)
    players = max(rules.min_players, min(4, rules.max_players))
    if theirs is not None:
        players = their_game(theirs).num_players()
    measures: list[Measure | None] = [engine_rate(rules, players, "native"), None, None]
    if theirs is not None:
        measures[1:] = [from_python(theirs), in_cpp(theirs)]
    rounds = [[measure() if measure else None for measure in measures] for _ in range(repeat + 1)][1:]
    middle = [statistics.median(column) if None not in column else None for column in zip(*rounds, strict=True)]
    return Row(name, players, *middle)


# ---- the page -----------------------------------------------------------------------------------------------------


def rule_lines(rules: Model) -> int:
    """The indented lines of a game outside its examples, sentences included."""
    sections = (section for section in rules.sections if not section.is_example)
    return sum(line.startswith("    ") for section in sections for line in section.lines)


def page(rows: list[Row]) -> str:
    about = (
        f"Measured on {date.today():%Y-%m-%d} with OpenSpiel {version('open_spiel')}, in CPU time and in one run, with"
        " random moves; `python tests/benchmarks/shelf.py --write` does it again. A *rule line* is an indented line"
        " outside the examples; their lines are those of the game's C++ sources and headers, without tests, at commit"
        f" `{THEIR_LINES['commit']}`. *Agreement* is how many deals of ours the slow tests replay there, decision by"
        " decision. Moves are decisions of players; whole games on our side, what they call a game on"
        " theirs, which is often one deal. Where they play otherwise than the books, a small variant of ours beside the"
        " tables in `tests/peers/games` says how, and that variant is compared."
    )
    parts = ["# The shelf", about]
    say = Translator("en")
    found = {row.game: row for row in rows}
    for folder, members in by_family(shipped()):
        names = [name for name in members if name in found]
        if names:
            parts += [f"## {say(heading(folder or ''))}", *(entry(found[name]) for name in names)]
            parts += [table([found[name] for name in names])]
    return "\n\n".join(parts) + "\n"


def entry(row: Row) -> str:
    rules = load_game(row.game)
    told = " ".join(gist(text, Translator("en")) for text in introductions(Figures(rules)))
    return f"**{rules.title}.** {told}\n\n![Some cards](screens/shelf-{row.game}.svg)"


def table(rows: list[Row]) -> str:
    lines = [
        "| game | players | rule lines | their C++ | shorter | agreement | our moves a second"
        " | beside theirs, from Python | in C++ |",
        "|" + " --- |" * 9,
    ]
    for row in rows:
        rules, theirs = load_game(row.game), their_name(row.game)
        own = rule_lines(rules)
        lines_there = THEIR_LINES["lines"].get(theirs.partition("(")[0]) if theirs else None
        players = f"{rules.min_players}" + (f" to {rules.max_players}" if rules.max_players > rules.min_players else "")
        cells = [
            rules.title, players, str(own), f"{lines_there:,}" if lines_there else "–",
            f"{lines_there / own:.0f} ×" if lines_there else "–",
            f"{MANY_DEALS:,} deals" if theirs else "a referee of its own",
            f"{row.ours:,.0f}" if row.ours else "–",
            beside(row.ours, row.from_python), beside(row.ours, row.in_cpp),
        ]  # fmt: skip
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def beside(ours: float | None, theirs: float | None) -> str:
    return f"{ours / theirs:,.1f} ×" if ours and theirs else "–"


def picture(name: str) -> str:
    """Some cards of a game, beside one another."""
    rules, say = load_game(name), Wording(Translator("en")).say
    faces = [face for kind in rules.kinds for face in Faces(rules).samples(kind)]
    chosen = faces[:: max(1, len(faces) // SAMPLES)][:SAMPLES]
    width = len(chosen) * (WIDTH + GAP) - GAP
    cards = "".join(
        card_svg(face, say, plain=True).replace("<svg ", f'<svg x="{place * (WIDTH + GAP)}" ', 1)
        for place, face in enumerate(chosen)
    )
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * 2}" height="{HEIGHT * 2}"'
    return f'{head} viewBox="0 0 {width} {HEIGHT}">{cards}</svg>\n'


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("games", nargs="*")
    given = parser.parse_args()
    names = given.games or [name for name, path in shipped().items() if not bases(path)]
    rows = []
    for name in names:
        rows.append(measured(name, given.repeat))
        sys.stdout.write(f"{rows[-1]}\n")
        sys.stdout.flush()
    if given.write:
        for name in names:
            (PICTURES / f"shelf-{name}.svg").write_text(picture(name), encoding="utf-8")
        PAGE.write_text(page(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
