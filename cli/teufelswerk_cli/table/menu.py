"""The shelf → the name of the game that somebody wants to play: by a number for the family and one in it, or typed."""

from __future__ import annotations

import click

from teufelswerk_cli.console.speech import _, say
from teufelswerk_cli.table.listing import below, show_game
from teufelswerk_cli.table.shelf import Family, shelf

MARK = 2
"""The columns of a number."""


def ask_game() -> str:
    """The name of the game, or of the variant, that somebody wants to play."""
    menu = Menu()
    chosen: int | str = 0
    while chosen == 0:
        family = menu.ask_family()
        chosen = menu.ask_member(family) if isinstance(family, Family) else family
    return str(chosen)


class Menu:
    def __init__(self) -> None:
        self.families = shelf()
        games = [game for family in self.families for game in family.games]
        self.names = {name.casefold(): name for game in games for name in (game.name, *game.variants)}
        self.names |= {say(game.cover.title).casefold(): game.name for game in games if game.cover}

    def ask_family(self) -> Family | str:
        """A family or, at once, a game of any."""
        if len(self.families) == 1:
            return self.families[0]
        for number, family in enumerate(self.families, 1):
            click.echo(f"  {number:{MARK}}  {family.heading}")
            below(MARK, ", ".join(say(game.cover.title) if game.cover else game.name for game in family.games))
        click.echo()
        found = self.ask(_("Which games? A number, or the name of a game"), 1, len(self.families))
        return self.families[found - 1] if isinstance(found, int) else found

    def ask_member(self, family: Family) -> int | str:
        """A game; 0 if it should be another family."""
        click.echo(f"\n{family.heading}\n")
        for number, game in enumerate(family.games, 1):
            show_game(f"{number:{MARK}}", MARK, game)
        click.echo()
        several = len(self.families) > 1
        question = _("Which game? (0: others)") if several else _("Which game?")
        found = self.ask(question, 0 if several else 1, len(family.games))
        return family.games[found - 1].name if isinstance(found, int) and found else found

    def ask(self, question: str, least: int, most: int) -> int | str:
        """A number from these, or the name of a game."""

        def meant(typed: str) -> int | str:
            word = typed.strip().casefold()
            if word.isdecimal() and least <= int(word) <= most:
                return int(word)
            if word in self.names:
                return self.names[word]
            raise click.UsageError(_("There is no `{word}` here: type a number, or the name of a game.", word=typed))

        answer: int | str = click.prompt(question, default="1", value_proc=meant)
        return answer
