"""Bots that shall play a game → what the strongest of them has to learn of it first, if nobody has yet."""

from __future__ import annotations

from collections.abc import Sequence

import click
from teufelswerk.model import Model

from teufelswerk_cli.console.speech import _


def learn_first(rules: Model, players: int, kinds: Sequence[str]) -> None:
    """Before an expert sits down to a game of one's own that it does not know, it learns it for some seconds."""
    if not any(kind.startswith("expert") for kind in kinds):
        return
    from teufelswerk.bots.learned_weights import get_to_know, is_unknown

    if is_unknown(rules):
        click.echo(_("`expert` does not know this game yet, and learns it first; that takes some seconds."), err=True)
        get_to_know(rules, players)
