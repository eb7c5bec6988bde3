"""A sweep → a table and a map for the terminal, and a table for other programs."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence

import click
from babel.numbers import format_decimal
from rich.cells import cell_len
from rich.text import Text as Styled
from teufelswerk.model import title_of

from teufelswerk_cli.console.display import Display
from teufelswerk_cli.console.speech import _, say, translator
from teufelswerk_cli.many.measures import Measured
from teufelswerk_cli.many.sweep import Cell, Sweep

SHADES = ((0xEE, 0xF4, 0xFB), (0x9C, 0xC4, 0xE6), (0x3F, 0x86, 0xC4), (0x0B, 0x3C, 0x78))
"""From the least to the most."""
LEVELS = "▁▂▃▄▅▆▇█"
NONE = "–"


def title(sweep: Sweep) -> str:
    return _(
        "{title} with {players} {players:player|players}, {n} {n:game|games} for each combination, with the same seeds",
        title=title_of(sweep.rules),
        players=sweep.players,
        n=sweep.games,
    )


def decimal(number: float, digits: int) -> str:
    pattern = "#,##0" + ("." + "0" * digits if digits else "")
    return str(format_decimal(number, format=pattern, locale=translator().language))


def digits_for(reach: float) -> int:
    """So many places that a number of this size shows two figures."""
    return 1 if not reach or math.isinf(reach) else min(4, max(0, 1 - math.floor(math.log10(reach))))


def words(sweep: Sweep, measure: str, found: Measured | None) -> str:
    """`61.3 ± 0.4`, with as many places as the least certain figure of the column."""
    if found is None:
        return NONE
    column = [one.reach for cell in sweep.cells if (one := cell.measured(measure)) is not None]
    digits = digits_for(max(column))
    mean = decimal(found.mean, digits)
    return mean if math.isinf(found.reach) else f"{mean} ± {decimal(found.reach, digits)}"


def heads(sweep: Sweep) -> list[str]:
    return [*(over.name for over in sweep.overs), *(say(name) for name in sweep.measures.values())]


def lines(sweep: Sweep) -> list[list[str]]:
    """The table, row by row; a refused combination shows the number of its reason."""
    numbered = reasons(sweep)
    return [
        [
            *(decimal(number, 0) for number in cell.numbers),
            *(
                [_mark(cell, numbered)]
                if cell.refused
                else [words(sweep, name, cell.measured(name)) for name in sweep.measures]
            ),
        ]
        for cell in sweep.cells
    ]


def reasons(sweep: Sweep) -> list[str]:
    """Why combinations are refused, each reason once."""
    return list(dict.fromkeys(say(cell.refused) for cell in sweep.cells if cell.refused is not None))


def _mark(cell: Cell, numbered: Sequence[str]) -> str:
    assert cell.refused is not None
    return _("not possible ({number})", number=numbered.index(say(cell.refused)) + 1)


def show(sweep: Sweep, measure: str) -> None:
    """The table, for two ranges the map, and below it the reasons."""
    click.echo(title(sweep))
    rows = [heads(sweep), *lines(sweep)]
    whole = [row for row in rows if len(row) == len(rows[0])]
    widths = [max(cell_len(row[i]) for row in whole) for i in range(len(rows[0]))]
    for row in rows:
        parts = [_right(text, width) for text, width in zip(row, widths, strict=False)]
        if len(row) < len(widths):
            parts[-1] = row[-1]  # nothing follows a refusal, so it is as wide as it likes
        click.echo("  ".join(parts))
    if len(sweep.overs) == 2 and sweep.measures:
        show_map(sweep, measure)
    for number, reason in enumerate(reasons(sweep), 1):
        click.echo(f"({number}) {reason}")


def _right(text: str, width: int) -> str:
    return " " * (width - cell_len(text)) + text


# ---- the map --------------------------------------------------------------------------------------------------------


def level(sweep: Sweep, measure: str, found: Measured) -> float:
    """Where a mean lies between the lowest and the highest, from 0 to 1."""
    low, high = sweep.spread(measure)
    return (found.mean - low) / (high - low) if high > low else 0.5


def shade(level: float) -> tuple[int, int, int]:
    place = level * (len(SHADES) - 1)
    i = min(int(place), len(SHADES) - 2)
    red, green, blue = (round(a + (b - a) * (place - i)) for a, b in zip(SHADES[i], SHADES[i + 1], strict=True))
    return red, green, blue


def is_dark(colour: tuple[int, int, int]) -> bool:
    red, green, blue = colour
    return 0.299 * red + 0.587 * green + 0.114 * blue < 140


def map_words(sweep: Sweep, measure: str, found: Measured | None) -> str:
    """The mean alone, with as many places as tell the cells apart."""
    low, high = sweep.spread(measure)
    return NONE if found is None else decimal(found.mean, digits_for((high - low) / 10))


def show_map(sweep: Sweep, measure: str) -> None:
    """One value downwards, the other to the right; the bars tell where there are no colours."""
    down, right = sweep.overs
    click.echo("")
    click.echo(
        _(
            "{measure}: {down} downwards, {right} to the right",
            measure=sweep.measures[measure],
            down=down.name,
            right=right.name,
        )
    )
    found = [cell.measured(measure) for cell in sweep.cells]
    width = max(len(decimal(number, 0)) for number in right.numbers)
    width = max(width, *(len(map_words(sweep, measure, one)) + 2 for one in found)) + 2
    margin = max(len(decimal(number, 0)) for number in down.numbers)
    console = Display()
    heads = Styled(" " * margin + "".join(decimal(number, 0).center(width) for number in right.numbers).rstrip())
    console.print(heads, no_wrap=True, overflow="ignore", crop=False)
    for row, number in enumerate(down.numbers):
        line = Styled(_right(decimal(number, 0), margin))
        for one in found[row * len(right.numbers) : (row + 1) * len(right.numbers)]:
            text = map_words(sweep, measure, one)
            if one is None:
                line.append(text.center(width), "dim")
                continue
            place = level(sweep, measure, one)
            colour = shade(place)
            bar = LEVELS[min(int(place * len(LEVELS)), len(LEVELS) - 1)]
            ink = "white" if is_dark(colour) else "black"
            line.append(f"{text} {bar}".center(width), f"{ink} on rgb({colour[0]},{colour[1]},{colour[2]})")
        console.print(line, no_wrap=True, overflow="ignore", crop=False)


# ---- for other programs ---------------------------------------------------------------------------------------------


def csv_text(sweep: Sweep) -> str:
    """A line for each combination: plain names and plain numbers, the mean of each measure and where it lies."""
    columns = [f"{name}{end}" for name in sweep.measures for end in ("", "_low", "_high")]
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow([*(over.name for over in sweep.overs), "games", *columns, "refused"])
    for cell in sweep.cells:
        found = [cell.measured(name) for name in sweep.measures]
        figures = [figure for one in found for figure in ((one.mean, one.low, one.high) if one else ("", "", ""))]
        refused = "" if cell.refused is None else say(cell.refused)
        table.writerow([*cell.numbers, 0 if cell.refused else cell.tally.games, *figures, refused])
    return text.getvalue()
