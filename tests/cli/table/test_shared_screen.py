"""Several people at one screen: nothing that one of them saw or typed can be had by the next."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from at_terminal import Person
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.state import Move
from teufelswerk.loading.model_cache import load_game, load_model
from teufelswerk.sessions.session import HUMAN, Session
from teufelswerk_cli.console.line_editor import EDITS, Line

LITTLE = ["little-devils", "--players", "3", "--human", "Eve", "--human", "Kim", "--bots", "random", "--fast"]
HAND_OVER = "alone can see the screen > "
KEYS_WITH_A_MEMORY = {
    "up": "\x1b[A", "up, otherwise": "\x1bOA", "previous": "\x10", "yank": "\x19", "yank pop": "\x19\x1by",
    "last argument": "\x1b.", "macro": "\x18e", "search": "\x12\x12", "undo": "\x1f", "undo all": "\x1br",
    "vi put": "\x1b\np", "vi redo": "\x1b\n.", "operate and get next": "\x0f", "quoted": "\x16\x19",
}  # fmt: skip


def held(seed: int, seat: int) -> set[str]:
    game = Game(load_game("little-devils"), 3)
    return set(game.view(game.start(seed), seat).places[f"hand[{seat}]"].cards or ())


def since(person: Person, mark: int) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", person.heard.getvalue()[mark:])


def at_hand_over_to_the_second() -> tuple[int, str, str]:
    """A seed with which two people decide one after the other: who is first, and who is next."""
    for seed in range(50):
        game = Game(load_game("little-devils"), 3)
        state = game.start(seed)
        first = game.player(state)
        if first == 0:
            return seed, "Eve", "Kim"
    raise AssertionError


@pytest.mark.parametrize("language", ["en", "de", "ru"])
def test_nothing_that_was_typed_is_left_for_the_next_player(language: str, tmp_path: Path) -> None:
    seed, first, second = at_hand_over_to_the_second()
    both = Person(tmp_path, *LITTLE, "--seed", str(seed), language=language)
    both.hears(f"{first}.* > ")
    both.says("")
    both.hears(r"\(.*\) > ")
    both.child.send("secretword\x15")  # typed, and taken back as a whole line
    both.child.send("\x18(macroword\x18)\x15")
    both.child.send("\x12searchword\x07\x15")
    both.child.send("wordone wordtwo\x17\x17")
    both.says("#1")
    both.hears(f"{second}.* > ")
    own, others = held(seed, 1), held(seed, 0)
    mark = len(both.heard.getvalue())
    both.child.send("\t")
    both.child.send("\t")
    for keys in KEYS_WITH_A_MEMORY.values():
        both.child.send(keys)
        both.child.send("\x15")
    both.says("?")
    both.hears(" > ")
    shown = since(both, mark)
    assert not re.search(r"secretword|macroword|searchword|wordone|wordtwo", shown.partition("?")[0])
    assert not others & set(re.findall(r"(?<![a-z])\d+", shown)), "`python3` is no card"
    both.says("")
    both.hears(f"{second}.* > ")
    both.says("")
    both.hears(r"\(.*\) > ")
    mark = len(both.heard.getvalue())
    for keys in ("\t", "\x19", *KEYS_WITH_A_MEMORY.values()):
        both.child.send(keys)
        both.child.send("\x15")
    both.says("rubbish")
    both.hears("rubbish")
    shown = since(both, mark).partition("rubbish")[0]
    assert own & set(re.findall(r"\d+", shown)), "Tab offers one's own cards"
    assert not others & set(re.findall(r"\d+", shown)) - own
    assert not re.search(r"secretword|macroword|searchword|wordone|wordtwo", shown)
    both.child.sendeof()
    both.child.sendintr()
    both.leaves()


def test_tab_on_the_page_between_two_players_completes_commands_and_nothing_else(tmp_path: Path) -> None:
    seed, first, second = at_hand_over_to_the_second()
    both = Person(tmp_path, *LITTLE, "--seed", str(seed))
    both.hears(f"{first}, press Enter.* > ")
    both.says("")
    both.asked()
    both.says("#1")
    both.hears(f"{second}, press Enter.* > ")
    both.child.send("\t\t")
    both.hears("help  undo  rules  scores  last  history  speed  save  quit\r\n")
    both.hears(HAND_OVER)
    both.says("sc\t")
    both.hears("Score")
    both.hears("Enter goes on > ")
    both.says("quit")
    both.leaves()


def test_what_was_typed_too_early_is_forgotten_between_two_players(tmp_path: Path) -> None:
    """A second Enter by mistake would otherwise show the next player's cards to the one before."""
    seed, first, second = at_hand_over_to_the_second()
    both = Person(tmp_path, *LITTLE, "--seed", str(seed))
    both.hears(f"{first}, press Enter.* > ")
    both.says("")
    both.asked()
    both.child.send("#1\r\r\r22\r")
    both.hears(f"{second}, press Enter.* > ")
    both.says("?")
    both.hears("Enter goes on > ")
    assert f"{second}, your move" not in both.heard.getvalue()
    assert "`22`" not in both.heard.getvalue()
    both.says("quit")
    both.leaves()


def test_a_line_is_edited_by_the_usual_keys() -> None:
    line = Line()

    def press(*keys: str) -> str:
        for key in keys:
            EDITS[key](line) if key in EDITS else line.insert(key)
        return f"{line.text[: line.at]}|{line.text[line.at :]}"

    assert press(*"red 7") == "red 7|"
    assert press("\x1b[D", "\x7f") == "red|7"
    assert press("\x01", "\x1b[3~") == "|ed7"
    assert press("\x05", *" top card") == "ed7 top card|"
    assert press("\x1bb", "\x1bb") == "ed7 |top card"
    assert press("\x1bf") == "ed7 top| card"
    assert press("\x17") == "ed7 | card"
    assert press("\x0b") == "ed7 |"
    assert press("\x17", "\x17", "\x7f", "\x1b[D") == "|"
    assert press(*"äß", "\x15") == "|"


def test_tab_completes_as_far_as_it_is_plain() -> None:
    words = ["green-1", "green-12", "Grey-3", "hint"]
    line = Line()
    assert line.complete(words) == words
    line.insert("h")
    assert line.complete(words) == []
    assert line.text == "hint "
    line.insert("gree")
    assert line.complete(words) == []
    assert line.text == "hint green-1"
    assert line.complete(words) == ["green-1", "green-12"]
    line.insert("x")
    assert line.complete(words) == []
    assert (line.text, line.at) == ("hint green-1x", 13)


def test_a_long_line_and_another_size_of_the_window(tmp_path: Path) -> None:
    me = Person(tmp_path, "little-devils", "--players", "3", "--human", "Me", "--bots", "random", "--fast", columns=60)
    me.asked()
    me.child.send("wrong words " * 9)
    me.hears("wrong words wr")
    me.child.setwinsize(30, 100)
    me.asked()
    me.hears("wrong words ")
    me.says("\x15scores")
    me.hears("Score")
    me.hears("Enter goes on > ")
    me.says("quit")
    me.leaves()


# ---- taking back ----------------------------------------------------------------------------------------------------

PASSING = """# Passing

A game for {min-players} players.

    players 3

## The cards

There are numbers.

    cards
        number: 1 to 30

## The game

Everyone gives a card to the neighbour on the left, who keeps it secret. Then everyone lays one. The highest card wins.

    place deck, seen by nobody
    place hand of each player, seen by owner
    place table of each player, seen by all
    shown of player = number of first of table
    game:
        cards go to deck
        shuffle deck
        deal 4 from deck to each hand
        each player
            player gives
        each player
            player lays
        highest shown wins
            "{winners} {winners:wins|win}."

## Giving

Give a card.

    player gives:
        "Give a card."
        choose card from hand
        card goes to hand of left

## Laying

Lay a card.

    player lays:
        "Lay a card."
        choose card from hand
        card goes to table
            "{player} lays {card}."
"""


def passing(tmp_path: Path, seats: list[str]) -> Session:
    path = tmp_path / "passing.rules.md"
    path.write_text(PASSING, encoding="utf-8")
    session = Session(Game(load_model(path), 3), ["Eve", "Bob", "Kim"], seats, 1, None)
    session.begin()
    return session


def step(session: Session) -> Move:
    move = session.game.legal_moves(session.state)[0]
    session.make(move)
    return move


def test_undo_names_no_card_that_was_passed_between_two_others(tmp_path: Path) -> None:
    session = passing(tmp_path, [HUMAN, "random", HUMAN])
    step(session)  # Eve gives a card to Bob
    assert session.stands(0, -1) is None
    given = session.game.rules.cards[step(session).picks[0]].id  # Bob gives one to Kim
    everyone, eve, kim = (session.stands(0, reader) for reader in (-1, 0, 2))
    for reason in (everyone, eve):
        assert reason is not None and "card" not in reason.values
        assert "Somebody has seen a new card since" in str(reason)
        assert given not in str(reason)
    assert kim is not None and kim.values["card"] is not None, "only Kim has seen it"


def test_undo_names_a_card_that_everyone_has_seen(tmp_path: Path) -> None:
    session = passing(tmp_path, [HUMAN, "random", HUMAN])
    for _ in range(5):
        step(session)
    assert "has shown" in str(session.stands(0, -1))


def test_undo_between_two_players_tells_no_secret(tmp_path: Path) -> None:
    path = tmp_path / "passing.rules.md"
    path.write_text(PASSING, encoding="utf-8")
    both = Person(tmp_path, str(path), "--players", "3", "--human", "Eve", "--human", "Kim", "--bots", "random",
                  "--fast", "--seed", "1")  # fmt: skip
    for name in ("Eve", "Kim"):
        both.hears(f"{name}, press Enter.* > ")
        both.says("")
        both.asked()
        both.says("#1")
    both.hears("Eve, press Enter.* > ")  # the bot has given her a card
    mark = len(both.heard.getvalue())
    both.says("undo")
    both.hears("so the move stands")
    both.hears("Eve, press Enter.* > ")
    assert not re.search(r"\d has|has shown", since(both, mark))
    both.says("quit")
    both.leaves()
