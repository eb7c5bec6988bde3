"""What is kept of each player, as a table with bars."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from rich.cells import cell_len
from rich.text import Text as Styled
from teufelswerk.core.aim import aim_of
from teufelswerk.core.forms import Kept
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.view import View
from teufelswerk.rulebook.words import term
from teufelswerk.sessions.standing import deciding, numbers_kept, sides_seated

from teufelswerk_cli.console.speech import _, say, translator
from teufelswerk_cli.table.card_drawing import Look, clipped, ink


def standings(game: Game, names: Sequence[str], view: View, look: Look, before: View | None = None) -> list[Styled]:
    """A line for each player and number, with what it has changed by and a bar; not where there was and is nothing."""
    lines: list[Styled] = []
    sides = sides_named(game, names)
    width = max(map(len, [*names, *sides]))
    then = numbers_kept(game, before) if before else {}
    for name, values in numbers_kept(game, view).items():
        if not any(values) and then.get(name) == values:
            continue
        lines.append(ink(heading_of(game, name), "bold"))
        most = max(1, *(abs(value) for value in values))
        room = max(10, look.width - width - 22)
        for holder, (who, value) in enumerate(zip(names if len(values) == len(names) else sides, values, strict=True)):
            change = value - then[name][holder] if name in then else 0
            line = ink(f"  {who.ljust(width)}  {value:5} ")
            line.append(f"{change:+5}" if change else "     ", "dim")
            line.append("  ")
            line.append(look.sign("█", "#") * round(abs(value) * room / most), "cyan")
            lines.append(line)
    return lines


def heading_of(game: Game, keep: str) -> str:
    """What is kept, as it stands above a table."""
    words = say(term(game.rules, keep, "keep"))
    return words[:1].upper() + words[1:]


def score_sheet(
    game: Game, names: Sequence[str], sheet: Sequence[dict[str, tuple[int, ...]]], look: Look
) -> list[Styled]:
    """What decides the game, round by round: by how much it changed for each, and what that makes together."""
    lines: list[Styled] = []
    for name in deciding(game, sheet[0]):
        rows = [row[name] for row in sheet]
        heads = list(names) if len(rows[0]) == len(names) else sides_named(game, names)
        width = min(max(6, *(cell_len(head) + 2 for head in heads)), max(6, (look.width - 6) // len(heads)))
        lines.append(ink(heading_of(game, name), "bold"))
        lines.append(ink(" " * 5 + "".join(clipped(head, width - 1).rjust(width) for head in heads), "dim"))
        if any(rows[0]):
            lines.append(ink(" " * 5 + "".join(str(value).rjust(width) for value in rows[0])))
        for number, (before, after) in enumerate(pairwise(rows), 1):
            changed = zip(before, after, strict=True)
            changes = [f"{now - then:+}" if now != then else look.sign("·", ".") for then, now in changed]
            lines.append(ink(f"{number:4} ", "dim").append("".join(change.rjust(width) for change in changes)))
        lines.append(ink(" " * 5 + look.sign("─", "-") * width * len(heads), "dim"))
        lines.append(ink(" " * 5 + "".join(str(value).rjust(width) for value in rows[-1]), "bold"))
    return lines


def sides_named(game: Game, names: Sequence[str]) -> list[str]:
    """The players of each side or, where there are none, of each player."""
    return [translator().show(seats, names) for seats in sides_seated(game)]


def turning_points(game: Game, names: Sequence[str], sheet: Sequence[dict[str, tuple[int, ...]]]) -> list[str]:
    """What a game of several rounds will be remembered for: the greatest change in one, and since when somebody led."""
    aim = aim_of(game.program.core)
    if aim is None or not isinstance(aim.by, Kept) or len(sheet) < 3 or aim.by.keep.name not in sheet[0]:
        return []
    rows = [row[aim.by.keep.name] for row in sheet]
    heads = names if len(rows[0]) == len(names) else sides_named(game, names)
    what = say(term(game.rules, aim.by.keep.name, "keep"))
    changes = [
        (abs(now - then), number, holder, now - then)
        for number, (before, after) in enumerate(pairwise(rows), 1)
        for holder, (then, now) in enumerate(zip(before, after, strict=True))
    ]
    size, number, holder, change = max(changes, key=lambda each: each[:2])
    lines = []
    if size:
        lines.append(
            _(
                "The most in one round: {player} in round {n}, {change} ({what}).",
                player=heads[holder], n=number, change=f"{change:+}", what=what,
            )
        )  # fmt: skip
    best = [max(row) if aim.highest else min(row) for row in rows[1:]]
    ahead = [[each for each, value in enumerate(row) if value == top] for row, top in zip(rows[1:], best, strict=True)]
    if len(ahead[-1]) == 1:
        winner = ahead[-1][0]
        since = next(n for n in range(len(ahead), 0, -1) if n == 1 or winner not in ahead[n - 2])
        lines.append(
            _("{player} led from the first round to the last.", player=heads[winner])
            if since == 1
            else _("{player} came to lead in round {n} and stayed there.", player=heads[winner], n=since)
        )
    return lines
