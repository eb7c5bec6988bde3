"""The words that stand on the studio's page, in one language."""

from __future__ import annotations

from collections.abc import Callable

from teufelswerk.base.texts import Text

Say = Callable[[Text], str]


def studio_words(say: Say) -> dict[str, str]:
    """All words of the page by the names that its program knows; `…` in them is filled in there."""
    texts = {**desk_words(), **pane_words(), **table_words()}
    return {name: say(text) for name, text in texts.items()}


def desk_words() -> dict[str, Text]:
    """Around the editor: files, saving, mistakes."""
    return {
        "studio": Text("Studio"),
        "rules": Text("The text of the rules"),
        "meaning": Text("What the rules mean now"),
        "files": Text("Files"),
        "openFile": Text("Open a file of this folder"),
        "newGame": Text("Begin a new game"),
        "newGameHelp": Text("A small whole game to begin with"),
        "variantOf": Text("Change a game of the shelf"),
        "variantHelp": Text("A variant says only what is different"),
        "variant": Text("Begin a variant"),
        "copy": Text("Copy its text"),
        "save": Text("Save"),
        "saved": Text("Saved."),
        "unsaved": Text("not saved"),
        "changedOutside": Text("Another program has changed this file."),
        "takeTheirs": Text("Take what lies on the disk"),
        "keepMine": Text("Keep what stands here"),
        "takeSection": Text("Change a section of the base"),
        "language": Text("Language"),
        "close": Text("Close"),
        "fine": Text("Nothing is wrong."),
        "mistakes": Text("Mistakes: …"),
        "nextMistake": Text("Go to the next mistake"),
        "lost": Text("The connection is lost. Trying again…"),
        "gone": Text("This link leads nowhere: the studio was started anew, or the link is not whole."),
        "leave": Text("What is not saved will be lost. Open another file all the same?"),
        "late": Text("That took too long and was stopped. It is tried again with the next change."),
    }


def pane_words() -> dict[str, Text]:
    """On the right: what the text means."""
    return {
        "book": Text("Rulebook"),
        "bookLanguage": Text("Language of the rulebook"),
        "examples": Text("Examples"),
        "table": Text("Table"),
        "figures": Text("Figures"),
        "differences": Text("Differences"),
        "flow": Text("Course of the game"),
        "stale": Text("As it was before the mistakes."),
        "notYet": Text("As soon as nothing is wrong with the text, it stands here."),
        "noExamples": Text("There are no examples yet."),
        "running": Text("The examples are being run."),
        "holds": Text("holds"),
        "failsAt": Text("does not hold"),
        "notRun": Text("not run yet"),
        "line": Text("line …"),
        "noDifferences": Text("Nothing differs from what is saved."),
        "fromSaved": Text("Since it was saved last"),
        "fromBase": Text("From the game that it is a variant of"),
        "players": Text("Players"),
        "gamesAtRandom": Text("… games, every choice at random. Seats are counted from whoever begins."),
        "counting": Text("Games are being played."),
        "moves": Text("Moves in a game"),
        "mostGames": Text("8 of 10 games: …"),
        "rounds": Text("Rounds in a game"),
        "wins": Text("Who wins"),
        "seat": Text("Seat …"),
        "even": Text("if the seat made no difference: …"),
        "fair": Text("No seat is better than another, as far as this many games can tell."),
        "unfair": Text("The seats are not alike."),
        "shared": Text("Shared wins"),
        "atEnd": Text("At the end, on average"),
        "eachRule": Text("How often each rule comes up in a game"),
        "never": Text("never"),
    }


def table_words() -> dict[str, Text]:
    """Above the table: what only the author of the rules can do."""
    return {
        "back": Text("One move back"),
        "forth": Text("One move forth"),
        "on": Text("Let the bots go on"),
        "deal": Text("Deal anew"),
        "openCards": Text("Show every card"),
        "makeExample": Text("Make an example of this position"),
        "exampleHeading": Text("Example: what may be done here"),
        "exampleAdded": Text("The example stands at the end of the text."),
        "exampleParagraph": Text("Say here what it shows."),
    }
