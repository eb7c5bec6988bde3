"""A sweep → a web page of its own: the table, and a map for every measure, by day and by night."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from teufelswerk_cli.console.speech import _, say, translator
from teufelswerk_cli.many.sweep import Sweep
from teufelswerk_cli.many.sweep_shown import (
    decimal,
    heads,
    is_dark,
    level,
    lines,
    map_words,
    reasons,
    shade,
    title,
    words,
)

TILE_WIDTH, TILE_HEIGHT, MARGIN = 92, 40, 90


@dataclass
class Label:
    """A word beside a map."""

    x: float
    y: float
    text: str


@dataclass
class Tile:
    """A combination in a map; it has no colour if it has no figure."""

    x: int
    y: int
    text: str
    told: str
    colour: str
    ink: str


@dataclass
class Map:
    """A measure over all combinations."""

    title: str
    width: int
    height: int
    labels: list[Label] = field(default_factory=list)
    tiles: list[Tile] = field(default_factory=list)
    tile_width: int = TILE_WIDTH
    tile_height: int = TILE_HEIGHT


def page(sweep: Sweep, measure: str, command: str) -> str:
    """The whole page; the chosen measure comes first."""
    environment = Environment(
        loader=PackageLoader("teufelswerk_cli"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(_=_)
    order = sorted(sweep.measures, key=lambda name: name != measure)
    rows: list[dict[str, Any]] = []
    for cell, texts in zip(sweep.cells, lines(sweep), strict=True):
        numbers, figures = texts[: len(sweep.overs)], texts[len(sweep.overs) :]
        rows.append({"numbers": numbers, "figures": figures, "refused": figures[0] if cell.refused else ""})
    return environment.get_template("sweep.html.j2").render(
        lang=translator().language,
        title=title(sweep),
        command=command,
        heads=heads(sweep),
        rows=rows,
        width=max(1, len(sweep.measures)),
        reasons=reasons(sweep),
        maps=[_map(sweep, name) for name in order],
    )


def _map(sweep: Sweep, measure: str) -> Map:
    """One value downwards, the other to the right; a single one goes to the right."""
    *downwards, right = sweep.overs
    down = downwards[0].numbers if downwards else (None,)
    left = MARGIN if downwards else 0
    found = Map(say(sweep.measures[measure]), left + len(right.numbers) * TILE_WIDTH, (len(down) + 2) * TILE_HEIGHT)
    middle = left + len(right.numbers) * TILE_WIDTH / 2
    found.labels.append(Label(middle, TILE_HEIGHT / 2, right.name))
    for x, number in enumerate(right.numbers):
        found.labels.append(Label(left + (x + 0.5) * TILE_WIDTH, TILE_HEIGHT * 1.5, decimal(number, 0)))
    if downwards:
        found.labels.append(Label(MARGIN / 2, TILE_HEIGHT * 1.5, downwards[0].name))
    for y, name in enumerate(down):
        if name is not None:
            found.labels.append(Label(MARGIN / 2, (y + 2.5) * TILE_HEIGHT, decimal(name, 0)))
        for x in range(len(right.numbers)):
            cell = sweep.cells[y * len(right.numbers) + x]
            one = cell.measured(measure)
            told = words(sweep, measure, one) if cell.refused is None else say(cell.refused)
            values = ", ".join(f"{over.name}={n}" for over, n in zip(sweep.overs, cell.numbers, strict=True))
            colour = shade(level(sweep, measure, one)) if one else None
            found.tiles.append(
                Tile(
                    left + x * TILE_WIDTH,
                    (y + 2) * TILE_HEIGHT,
                    map_words(sweep, measure, one),
                    f"{values}: {told}",
                    "#{:02x}{:02x}{:02x}".format(*colour) if colour else "",
                    "axis" if colour is None else "light" if is_dark(colour) else "dark",
                )
            )
    return found
