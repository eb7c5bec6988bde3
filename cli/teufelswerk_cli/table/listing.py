"""The lists of what can be played: games and variants, and saved games."""

from __future__ import annotations

from shutil import get_terminal_size
from textwrap import wrap
from typing import TYPE_CHECKING

import click
from teufelswerk.base.find_files import SUFFIX, find, known, not_listed
from teufelswerk.base.texts import Text
from teufelswerk.loading.model_cache import load_game
from teufelswerk.model import title_of

from teufelswerk_cli.console.speech import _, command, say, translator
from teufelswerk_cli.table.shelf import Cover, Shelved, readable, shelf

if TYPE_CHECKING:
    from teufelswerk.sessions.journal import Saved


MOST_COLUMNS = 80


def show_games() -> None:
    """The shelf by families: of each game what it is about, how many play, and the names of its variants."""
    families = shelf()
    width = max((len(game.name) for family in families for game in family.games), default=0)
    for family in families:
        click.echo(f"{family.heading}\n")
        for game in family.games:
            show_game(game.name, width, game)
        click.echo()
    click.echo(_("A variant is played by its name, too."))
    click.echo(_("`{command} games GAME` says what the variants of a game change.", command=command()))
    if (unknown := not_listed()) is not None:
        click.echo(say(unknown), err=True)


def show_game(mark: str, width: int, game: Shelved) -> None:
    """A game behind its name or a number, and below it what it is about and its variants."""
    _show_cover(mark, width, game.name, game.cover)
    good = [name for name, cover in game.variants.items() if cover is not None]
    if good:
        below(width, _("{n:Variant|Variants}: {names}", n=len(good), names=", ".join(good)))
    for name, cover in game.variants.items():
        if cover is None:
            below(width, f"{name}: {_unreadable(name)}")


def show_one(name: str) -> None:
    """One game, and what each of its variants changes; a variant's name stands for its game."""
    path = find(name)
    stem = path.name.removesuffix(SUFFIX)
    games = [game for family in shelf() for game in family.games if stem in (game.name, *game.variants)]
    found = games[0] if games else Shelved(stem, path, readable(stem, path, known()), {})
    width = max(map(len, (found.name, *found.variants)))
    _show_cover(found.name, width, found.name, found.cover)
    for name, cover in found.variants.items():
        click.echo()
        _show_cover(name, width, name, cover)


def _show_cover(mark: str, width: int, name: str, cover: Cover | None) -> None:
    if cover is None:
        click.echo(f"  {mark:{width}}  {_unreadable(name)}")
        return
    click.echo(f"  {mark:{width}}  {say(cover.title)}, {cover.players}")
    below(width, cover.about)


def below(width: int, words: str) -> None:
    """Words below what stands behind a name, in lines that can be read."""
    columns = min(get_terminal_size().columns, MOST_COLUMNS)
    room = max(columns - width - 4, 20)
    for line in wrap(words, room, break_on_hyphens=False, break_long_words=False):
        click.echo(" " * (width + 4) + line)


def _unreadable(name: str) -> str:
    return _("cannot be read; see `{command} check {name}`", name=name, command=command())


def show_saved() -> None:
    """The saved games, the latest first: those to go on with, by number, then the finished and the damaged ones."""
    from teufelswerk.sessions.journal import folder, saved_games  # which imports all that plays

    games = saved_games()
    if not games:
        click.echo(_("There are no saved games in {folder}.", folder=str(folder())))
    unfinished = [saved for saved in games if saved.unfinished]
    for number, saved in enumerate(unfinished, 1):
        _show_saved(f"{number:3}", saved)
    if unfinished:
        click.echo(_("To go on with the first of them, type `{command} play --resume`.", command=command()))
    if len(unfinished) > 1:
        click.echo(_("With a number it is another one: `{command} play --resume {n}`.", command=command(), n=2))
    finished = [saved for saved in games if saved.winners is not None]
    if finished:
        click.echo(("\n" if unfinished else "") + _("Finished:"))
    for saved in finished:
        _show_saved("  -", saved)
    for saved in games:
        if saved.damage is not None:
            click.echo(f"\n{saved.path}\n     {say(saved.damage)}")


def _show_saved(mark: str, saved: Saved) -> None:
    click.echo(f"{mark}  " + _("{game}: {players}", game=_title(saved), players=saved.players))
    facts = [translator().moment(saved.changed), _("{n} {n:move|moves}", n=saved.moves)]
    if saved.winners is not None:
        facts.append(_("winner: {names}", names=saved.winners or Text("nobody")))
    click.echo("     " + ", ".join(facts))


def _title(saved: Saved) -> str:
    """The game's title, or its name if its rules cannot be had any more."""
    try:
        return say(title_of(load_game(saved.file or saved.game)))
    except Exception:  # whatever has become of its rules: the other games are listed
        return saved.game
