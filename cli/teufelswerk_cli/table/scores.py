"""What is kept of each player, as a table with bars, and who stands where at the end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from rich.cells import cell_len
from rich.text import Text as Styled
from teufelswerk.base.texts import won_by
from teufelswerk.bots.judge import Judge
from teufelswerk.core.aim import aim_of
from teufelswerk.core.forms import Kept
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.state import State
from teufelswerk.interpreter.view import View
from teufelswerk.rulebook.words import term

from teufelswerk_cli.console.speech import _, say, translator
from teufelswerk_cli.table.card_drawing import Look, clipped, ink


def numbers_kept(game: Game, view: View) -> dict[str, tuple[int, ...]]:
    """The numbers that are kept of each player, or of each side."""
    return {
        name: tuple(value or 0 for value in view.keeps[name])
        for name, keep in game.rules.keeps.items()
        if keep.counts and keep.seen_by == "all"
    }


def standings(game: Game, names: Sequence[str], view: View, look: Look, before: View | None = None) -> list[Styled]:
    """A line for each player and number, with what it has changed by and a bar."""
    lines: list[Styled] = []
    sides = sides_named(game, names)
    width = max(map(len, [*names, *sides]))
    then = numbers_kept(game, before) if before else {}
    for name, values in numbers_kept(game, view).items():
        lines.append(ink(say(term(game.rules, name, "keep")), "bold"))
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


def score_sheet(
    game: Game, names: Sequence[str], sheet: Sequence[dict[str, tuple[int, ...]]], look: Look
) -> list[Styled]:
    """What decides the game, round by round: by how much it changed for each, and what that makes together."""
    lines: list[Styled] = []
    for name in deciding(game, sheet[0]):
        rows = [row[name] for row in sheet]
        heads = list(names) if len(rows[0]) == len(names) else sides_named(game, names)
        width = min(max(6, *(cell_len(head) + 2 for head in heads)), max(6, (look.width - 6) // len(heads)))
        lines.append(ink(say(term(game.rules, name, "keep")), "bold"))
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


def deciding(game: Game, numbers: Iterable[str]) -> list[str]:
    """Of the numbers that are kept, the one that decides the game; all of them if it is none of them."""
    aim, found = aim_of(game.program.core), list(numbers)
    name = aim.by.keep.name if aim is not None and isinstance(aim.by, Kept) else ""
    return [name] if name in found else found


def sides_named(game: Game, names: Sequence[str]) -> list[str]:
    """The players of each side or, where there are none, of each player."""
    return [translator().list([names[seat] for seat in seats]) for seats in game.rules.together(game.players)]


def ranking(game: Game, names: Sequence[str], state: State) -> list[str]:
    """The players, or sides, in the order in which they have finished; equals share a place."""
    judge, machine = Judge(game), game.thaw(state)
    sides, winners = sides_named(game, names), state.winners or ()
    results = [judge.result(machine, side) for side in range(len(sides))]
    won, sign = [side for side in range(len(sides)) if side in winners], -1 if judge.highest else 1
    order = sorted(range(len(sides)), key=lambda side: sign * (results[side] or 0))
    if None in results or set(won) != set(order[: len(won)]):  # something else has decided
        return [say(won_by([names[seat] for seat in winners]))]
    lines, place = [], 0
    for position, side in enumerate(order):
        if position == 0 or results[side] != results[order[position - 1]]:
            place = position + 1
        lines.append(_("{place}. {player}: {result}", place=place, player=sides[side], result=results[side]))
    return lines
