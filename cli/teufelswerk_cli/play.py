"""A game at the terminal with plain prompts: what you may see, what you may do, why not."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

import click
from teufelswerk import chance
from teufelswerk.game import Game
from teufelswerk.library import Loaded, shipped
from teufelswerk.machine import Event
from teufelswerk.model import PLAYER
from teufelswerk.show import Teller
from teufelswerk.state import Move, State
from teufelswerk.texts import Text
from teufelswerk.view import SeenPlace, View

from teufelswerk_cli.speech import _, say

PLAYER_TYPE = PLAYER
BOT_NAMES = ("Anna", "Tom", "Ida", "Peter", "Susan", "Sven", "David", "Cleo", "Ben", "Ann")


def play_at_terminal(
    name: str | None,
    players: int | None,
    humans: tuple[str, ...],
    seed: int | None,
    settings: tuple[dict[str, int], ...],
    opened: Callable[..., Loaded],
) -> None:
    """Asks for whatever has not been said, then plays."""
    name = name or ask_game()
    loaded = opened(name, settings)
    assert loaded.model
    rules = loaded.model
    if players is None:
        low, high = rules.min_players, rules.max_players
        default = max(low, min(high, 4, max(len(humans), low + 1)))
        question = _("How many players, from {low} to {high}?", low=low, high=high)
        players = low if low == high else click.prompt(question, default=default, type=click.IntRange(low, high))
    game = Game(rules, players)
    people = list(humans) or [click.prompt(_("Your name?"), default=_("You"))]
    names = [*people, *(bot for bot in BOT_NAMES if bot not in people)][:players]
    names += [_("Player {n}", n=seat + 1) for seat in range(len(names), players)]
    table = Table(game, names, set(range(min(len(people), players))))
    table.play(secrets.randbelow(2**32) if seed is None else seed)


def ask_game() -> str:
    games = list(shipped())
    for number, name in enumerate(games, 1):
        click.echo(f"  {number}  {name}")
    choice = click.prompt(_("Which game?"), default=1, type=click.IntRange(1, len(games)))
    return games[choice - 1]


class Table:
    """Shows views, asks for moves, tells what happens."""

    def __init__(self, game: Game, names: list[str], humans: set[int]) -> None:
        self.game = game
        self.names = names
        self.humans = humans
        self.teller: Teller = game.program.teller

    def say(self, text: Text) -> str:
        return say(text, self.names)

    def play(self, seed: int) -> None:
        events: list[Event] = []
        state = self.game.start(seed, events)
        self.tell(events)
        bot_chance = chance.stream(seed, 1)
        while not self.game.is_over(state):
            seat = self.game.player(state)
            assert seat is not None
            view = self.game.view(state, seat)
            if seat in self.humans:
                self.show(view)
                move = self.ask(state, view)
                if move is None:
                    return
            else:
                bot_chance, index = chance.below(bot_chance, len(view.moves))
                move = view.moves[index]
            events = []
            state = self.game.apply(state, move, events)
            self.tell(events)

    def tell(self, events: list[Event]) -> None:
        for event in events:
            if event.text is not None:
                click.echo(self.say(event.text))

    # ---- what a player sees -----------------------------------------------------------------------------------------

    def show(self, view: View) -> None:
        click.echo("")
        for place in view.places.values():
            line = self.place(place)
            if line:
                click.echo(line)
        click.echo(self.say(Text("{player}, it is your turn.", player=self.teller.shown(PLAYER_TYPE, view.seat))))

    def place(self, place: SeenPlace) -> str | None:
        if not place.count:
            return None
        name = self.place_name(place.name)
        if place.cards is not None:
            cards = [self.card(id, owner) for id, owner in zip(place.cards, place.owners or (), strict=True)]
            if self.is_own(place.name):
                cards.sort(key=self.order)
            return f"  {name}: {'  '.join(cards)}"
        if place.backs and any(place.backs):
            counts = {back: place.backs.count(back) for back in dict.fromkeys(place.backs)}
            return f"  {name}: {', '.join(f'{count} × {back}' for back, count in counts.items())}"
        return f"  {name}: {_('{n} {n:card|cards}', n=place.count)}"

    def is_own(self, name: str) -> bool:
        """A place of a player's own, whose order tells nothing."""
        return self.game.layout.place_of[self.game.layout.by_name[name]].seen_by == "owner"

    def order(self, text: str) -> tuple[int, str]:
        head = text.split()[0]
        return (int(head), text) if head.isdecimal() else (0, text)

    def place_name(self, name: str) -> str:
        index = self.game.layout.by_name[name]
        place = self.game.layout.place_of[index]
        words = self.say(Text(place.name, msgctxt=f"{self.game.rules.name}: place"))
        return words if place.key is None else f"{words} ({self.say_value(self.teller.place(index))})"

    def say_value(self, value: Any) -> str:
        return self.say(Text("{value}", value=value))

    def card(self, id: str, owner: int | None) -> str:
        card = next(card for card in self.game.rules.cards if card.id == id)
        return self.say_value(self.teller.card(card.index))

    # ---- what a player does -----------------------------------------------------------------------------------------

    def ask(self, state: State, view: View) -> Move | None:
        """The player's move; a refused one is explained, an empty line or `quit` leaves the table."""
        for verb in dict.fromkeys(move.verb for move in view.moves):
            move = self.game.rules.moves[verb]
            if move.invitation:
                machine = self.game.thaw(state)
                machine.slots[move.slot] = view.seat
                click.echo(self.say(self.teller.sentence(move.invitation)(machine)))
        for number, option in enumerate(view.moves, 1):
            click.echo(f"  {number:3}  {self.describe(option)}")
        while True:
            answer = click.prompt(_("Your choice (a number, a card, or `quit`)")).strip()
            if answer in ("q", "quit"):
                return None
            chosen = self.understand(answer, state, view)
            if chosen is not None:
                return chosen

    def describe(self, move: Move) -> str:
        choices = self.game.rules.moves[move.verb].choices
        parts = []
        for choice, pick in zip(choices, move.picks, strict=True):
            parts.append(self.say_value(self.teller.shown(choice.source.type.one(), pick)))
        return " ".join([self.say(Text(move.verb, msgctxt=f"{self.game.rules.name}: move")), *parts])

    def understand(self, answer: str, state: State, view: View) -> Move | None:
        by_card = [move for move in view.moves if answer in map(str, self.game.choice(move).values())]
        if len(by_card) == 1:
            return by_card[0]
        if not by_card and self.refused(answer, state, view):
            return None
        if answer.isdecimal() and 1 <= int(answer[:6]) <= len(view.moves):
            return view.moves[int(answer) - 1]
        click.echo(_("That is none of the choices."))
        return None

    def refused(self, answer: str, state: State, view: View) -> bool:
        """Explains why a card that the player holds may not be played."""
        machine = self.game.thaw(state)
        for verb in [verb for group in self.game.turn(machine).groups for verb in group]:
            code = self.game.code(verb)
            machine.slots[code.move.slot] = view.seat
            for picks in code.combinations(machine):
                move = Move(view.seat, verb, picks)
                if answer in map(str, self.game.choice(move).values()):
                    click.echo(self.say(self.game.refusal(state, move).reason))
                    return True
        return False
