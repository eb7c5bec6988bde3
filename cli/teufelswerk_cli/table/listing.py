"""The lists of what can be played: games and variants, and saved games."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from teufelswerk.base.find_files import known, not_listed, shipped, variants
from teufelswerk.base.texts import Text
from teufelswerk.loading.families import by_family, heading
from teufelswerk.loading.model_cache import load_game, load_model
from teufelswerk.model import title_of

from teufelswerk_cli.console.speech import _, command, say, translator

if TYPE_CHECKING:
    from teufelswerk_cli.table.journal import Saved


def show_games() -> None:
    """The families of games that come along, a line for each game; then those in the user's own folder, and all
    variants."""
    for folder, members in by_family(shipped()):
        if folder is not None:
            click.echo(translator().show(heading(folder)))
        for name, path in members.items():
            _show_game(name, path)
        click.echo()
    own = {name: path for name, path in known().items() if name not in shipped()}
    upon = variants()
    for name, path in sorted(own.items(), key=lambda item: (upon.get(item[0], [""])[-1], item[0])):
        _show_game(name, path, upon[name][-1] if name in upon else None)
    if (unknown := not_listed()) is not None:
        click.echo(say(unknown), err=True)


def _show_game(name: str, path: Path, base: str | None = None) -> None:
    """One line; variants are indented."""
    try:
        rules = load_model(path)
    except Exception:  # whatever is wrong with this one, also with us: the others are listed
        problem = _("cannot be read; see `check {name}`", name=name)
        click.echo(f"{name:18} {problem}")
        return
    title = say(title_of(rules))
    if base is not None:
        upon = _("a variant of {game}", game=base)
        click.echo(f"  {name:18} {title:34} {upon}")
    else:
        low, high = rules.min_players, rules.max_players
        players = _("{low}–{high} players", low=low, high=high) if low < high else _("{n} {n:player|players}", n=low)
        click.echo(f"{name:18} {title:22} {players}")


def show_saved() -> None:
    """The saved games, the latest first: those to go on with, by number, then the finished and the damaged ones."""
    from teufelswerk_cli.table.journal import folder, saved_games  # which imports all that plays

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
