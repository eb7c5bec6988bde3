"""Rule files → what stands on their covers: title, what one plays for, how many play. No rules are read for it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from teufelswerk.base.diagnostics import Source
from teufelswerk.base.find_files import SUFFIX, base_name, base_path, bases, comes_along, known
from teufelswerk.base.texts import Text, placeholders
from teufelswerk.language.gist import gist
from teufelswerk.loading.families import by_family, heading
from teufelswerk.model import title_of
from teufelswerk.syntax.source import plain, split

from teufelswerk_cli.console.speech import _, translator

if TYPE_CHECKING:
    from teufelswerk.interpreter.game import Game
    from teufelswerk.rulebook.figures import Figures

PLAYERS = re.compile(r"^ {4}players ([0-9]+)(?: to ([0-9]+))?\b", re.MULTILINE)


@dataclass(frozen=True)
class Cover:
    """What one wants to know of a game before one opens it."""

    name: str
    title: Text
    introduction: Text | None
    low: int
    high: int
    upon: str | None = None
    """The game that this is a variant of."""

    @property
    def players(self) -> str:
        if self.low < self.high:
            return _("{low}–{high} players", low=self.low, high=self.high)
        return _("{n} {n:player|players}", n=self.low)

    @property
    def about(self) -> str:
        """What one plays for, in a sentence."""
        return gist(self.introduction, translator()) if self.introduction else ""


def cover(name: str, path: Path, named: Mapping[str, Path]) -> Cover:
    """The cover of a rule file. Those that come along are known to be fine, so a glance is enough; whatever is wrong
    with one of somebody's own is raised."""
    found = _at_a_glance(name, path, named) if comes_along(path) else None
    return found or _of_model(name, path, named)


def _at_a_glance(name: str, path: Path, named: Mapping[str, Path]) -> Cover | None:
    """As it is written, if all that the cover says is written plainly; `named` are the files that have names."""
    texts, here = [], path
    while True:
        texts.append(plain(here.read_bytes()))
        base = base_name(here)
        following = base_path(base, here, named) if base else None
        if following is None or len(texts) > len(named):
            break
        here = following
    family = here.name.removesuffix(SUFFIX)
    players = next((found for text in texts if (found := PLAYERS.search(text))), None)
    sections, wrong = split(Source(str(path), texts[0].partition("\n## ")[0]))
    if players is None or wrong:
        return None
    low, high = int(players[1]), int(players[2] or players[1])
    words = next((part.paragraph.text for part in sections[0].parts if part.paragraph), None)
    figures = {"min-players": low, "max-players": high, **({"players": low} if low == high else {})}
    shown = {figure: figures.get(figure) or _set_to(figure, texts) for figure, _form in placeholders(words or "")}
    if None in shown.values():
        return None
    title = sections[0].heading
    introduction = Text(words, msgctxt=f"{name}: {title}", **shown) if words else None
    upon = family if len(texts) > 1 else None
    return Cover(name, Text(title, msgctxt=f"{family}: heading"), introduction, low, high, upon)


def _set_to(figure: str, texts: Sequence[str]) -> int | None:
    """The number that a line gives to a figure; what a variant says counts before its base."""
    line = re.compile(rf"^ {{4}}{re.escape(figure)} = ([0-9]+) *$", re.MULTILINE)
    return next((int(found[1]) for text in texts if (found := line.search(text))), None)


def _of_model(name: str, path: Path, named: Mapping[str, Path]) -> Cover:
    from teufelswerk.loading.model_cache import load_model
    from teufelswerk.rulebook.figures import Figures

    rules = load_model(path)
    upon = bases(path, named)
    found = introductions(Figures(rules))
    return Cover(
        name, title_of(rules), found[0] if found else None, rules.min_players, rules.max_players,
        upon[-1] if upon else None,
    )  # fmt: skip


@dataclass(frozen=True)
class Shelved:
    """A game on the shelf with its variants; without a cover it cannot be read."""

    name: str
    path: Path
    cover: Cover | None
    variants: dict[str, Cover | None]


@dataclass(frozen=True)
class Family:
    """A folder of the shelf, or, under no name, the games of somebody's own that stand in none."""

    folder: str | None
    games: list[Shelved]

    @property
    def heading(self) -> str:
        return translator().show(Text("Your own games") if self.folder is None else heading(self.folder))


def shelf() -> list[Family]:
    """Everything that can be played by name."""
    named = known()
    upon = {name: found[-1] for name, path in named.items() if (found := bases(path, named))}
    covers = {name: readable(name, path, named) for name, path in named.items()}
    lost = {name for name, game in upon.items() if game not in named}
    games = {name: path for name, path in named.items() if name not in upon or name in lost}
    variants = {
        game: {name: covers[name] for name, other in upon.items() if other == game and name not in lost}
        for game in games
    }  # fmt: skip
    return [
        Family(folder, [Shelved(name, path, covers[name], variants[name]) for name, path in members.items()])
        for folder, members in by_family(games)
    ]


def readable(name: str, path: Path, named: Mapping[str, Path]) -> Cover | None:
    """The cover of a rule file, if it can be read."""
    try:
        return cover(name, path, named)
    except Exception:  # whatever is wrong with this one, also with us: the others are listed
        return None


def introductions(figures: Figures, players: int | None = None) -> list[Text]:
    """How a game introduces itself: in a variant, how the variant does, then how its base does."""
    from teufelswerk.rulebook.figures import UNKNOWN, filled
    from teufelswerk.rulebook.words import term

    rules, found, said = figures.rules, [], set[str | None]()
    for prose in rules.sections[0].prose if rules.sections else []:
        if prose.base in said:
            continue
        said.add(prose.base)
        values: dict[str, Any] = {}
        for name, expr in prose.figures:
            value = figures.everywhere(name, expr) if players is None else figures.value(expr, players)
            values[name] = term(rules, name, "figure") if value is UNKNOWN else value
        found.append(filled(prose, values))
    return found


def aim(game: Game) -> str:
    """What one plays for and, in a variant, what is different: a sentence each."""
    from teufelswerk.rulebook.figures import Figures

    found = introductions(Figures(game.rules, game), game.players)
    return " ".join(gist(text, translator()) for text in reversed(found))
