"""The lists of what can be played: games and variants, and saved games."""

from __future__ import annotations

from pathlib import Path

import click
from teufelswerk.diagnostics import RuleFileError
from teufelswerk.model_cache import load_model
from teufelswerk.shelf import known, shipped, variants
from teufelswerk.show import title_of

from teufelswerk_cli.journal import folder, saved_games
from teufelswerk_cli.speech import _, say, translator


def show_games() -> None:
    """One line for each game that comes along, then those in the user's own folder, and all variants."""
    for name, path in shipped().items():
        _show_game(name, path)
    own = {name: path for name, path in known().items() if name not in shipped()}
    upon = variants()
    for name, path in sorted(own.items(), key=lambda item: (upon.get(item[0], [""])[-1], item[0])):
        _show_game(name, path, upon[name][-1] if name in upon else None)


def _show_game(name: str, path: Path, base: str | None = None) -> None:
    """One line; variants are indented."""
    try:
        rules = load_model(path)
    except RuleFileError:
        problem = _("cannot be read; see `check {name}`", name=name)
        click.echo(f"{name:18} {problem}")
        return
    title = say(title_of(rules))
    if base is not None:
        upon = _("a variant of {game}", game=base)
        click.echo(f"  {name:18} {title:34} {upon}")
    else:
        players = _("{low}–{high} players", low=rules.min_players, high=rules.max_players)
        click.echo(f"{name:18} {title:22} {players}")


def show_saved() -> None:
    """One line for each saved game; the name can be given to `play --resume`."""
    games = saved_games()
    if not games:
        click.echo(_("There are no saved games in {folder}.", folder=str(folder())))
    for saved in games:
        when = f"{saved.changed:%Y-%m-%d %H:%M}"
        if saved.damage is not None:
            click.echo(f"{saved.name:34} {when}  {say(saved.damage)}")
            continue
        state = _("finished") if saved.finished else _("{n} {n:move|moves}", n=saved.moves)
        click.echo(f"{saved.name:34} {when}  {state:12} {translator().list(saved.players)}")
