"""The list of saved games."""

from __future__ import annotations

import click

from teufelswerk_cli.journal import folder, saved_games
from teufelswerk_cli.speech import _, say, translator


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
