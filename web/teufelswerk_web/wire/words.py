"""The words that stand on the page itself, in one language."""

from __future__ import annotations

from collections.abc import Callable

from teufelswerk.base.texts import Text

Say = Callable[[Text], str]


def page_words(say: Say) -> dict[str, str]:
    """All words of the page by the names that its program knows; `…` in them is filled in there."""
    texts = {
        "yourTurn": Text("It is your turn."),
        "turnOf": Text("It is the turn of {player}.", player="…"),
        "over": Text("The game is over."),
        "players": Text("Players"),
        "table": Text("On the table"),
        "yourCards": Text("Your cards"),
        "yourMove": Text("Your move"),
        "happened": Text("What has happened"),
        "hint": Text("Hint"),
        "undo": Text("Take back"),
        "last": Text("Last cards"),
        "scores": Text("Scores"),
        "rules": Text("Rules"),
        "language": Text("Language"),
        "close": Text("Close"),
        "goOn": Text("Go on"),
        "keys": Text("Keys"),
        "nothingTaken": Text("Nothing has been taken from the table so far."),
        "lost": Text("The connection is lost. Trying again…"),
        "back": Text("The connection is back."),
        "gone": Text("This link leads nowhere: the table is no longer there, or the link is not whole."),
        "bot": Text("bot"),
        "you": Text("you"),
        "away": Text("away"),
        "free": Text("free"),
        "yourName": Text("Your name"),
        "sitDown": Text("Sit down"),
        "takeSeat": Text("Take a seat, or just watch."),
        "start": Text("Begin the game"),
        "startHelp": Text("Bots play for the seats that are free."),
        "wait": Text("You have a seat. As soon as everyone is there, anyone may begin the game."),
        "watching": Text("You are watching, and see what everyone sees."),
        "takeOver": Text("Play for this bot"),
        "standIn": Text("Let a bot play"),
        "allMoves": Text("All moves"),
        "clear": Text("Choose anew"),
        "agree": Text("Yes"),
        "refuse": Text("No"),
        "again": Text("Another game"),
        "round": Text("Round"),
        "sum": Text("Together"),
        "down": Text("face down"),
        "link": Text("Link for the others"),
        "copy": Text("Copy the link"),
        "copied": Text("The link is copied."),
        "ownLink": Text("This page is your seat: keep its address, and come back to it from anywhere."),
        "keysHelp": Text("Left and right: from card to card. Enter: choose. Escape: choose anew."),
        "why": Text("Why may this card not be played?"),
        "drop": Text("Drag a card to the table, or tap it."),
    }
    return {name: say(text) for name, text in texts.items()}
