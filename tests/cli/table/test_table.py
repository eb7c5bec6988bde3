"""The table: whole games at a real terminal, every command, several people, small and plain screens, pipes."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from itertools import combinations, product
from pathlib import Path

import pytest
from at_terminal import WIPE, Person, environment
from commands_in_process import Run
from commands_in_process import in_process as in_process
from rich.cells import cell_len
from teufelswerk.base.find_files import known
from teufelswerk.base.texts import Text
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.records import read, replay
from teufelswerk.interpreter.state import Move
from teufelswerk.language.i18n import Translator, languages
from teufelswerk.loading.model_cache import load_game, load_model
from teufelswerk.sessions.journal import Unusable
from teufelswerk.sessions.session import HUMAN, Session
from teufelswerk.sessions.stages import stages
from teufelswerk_cli.table.card_drawing import Look, abbreviated
from teufelswerk_cli.table.play import Options, Trouble, play_at_terminal
from teufelswerk_cli.table.prompt import Turn
from teufelswerk_cli.table.screen import Screen
from teufelswerk_cli.table.side_questions import command, described
from teufelswerk_cli.table.sitting import Sitting
from teufelswerk_cli.table.table_drawing import TableDrawing
from teufelswerk_cli.table.typed_moves import Moves

CHECKOUT = Path(__file__).parents[3]
FIXTURES = CHECKOUT / "tests" / "fixtures" / "games"
GAMES = ("little-devils", "hols-der-teufel", "hearts", str(FIXTURES / "six-nimmt.rules.md"))
COLOURS = re.compile(r"\x1b\[(?:\d+;)*(?:3[0-8]|9[0-7])[;\d]*m")
SHORT = ["--set", "hand-size=3", "--set", "target=8"]
NAMES = ["Me", "Anna", "Tom", "Ida"]


@cache
def game(name: str, players: int = 4) -> Game:
    return Game(load_game(name), players)


# ---- at a terminal --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "settings"), [("little-devils", SHORT), ("hols-der-teufel", ["--variant", "one-round"])]
)
@pytest.mark.parametrize("language", [language for language in languages() if language != "en"])
def test_a_whole_game_in_another_language(name: str, settings: list[str], language: str, tmp_path: Path) -> None:
    """Not a word of English from the first screen to the last."""
    say = Translator(language)
    asks = re.escape(say(Text("{player}, your move (? helps)", player="Jo")) + " > ")
    again = re.escape(say(Text("Another game with the same seats? (Enter: yes, n: no)")))
    rest = ["--players", "3", "--human", "Jo", "--bots", "random", "--seed", "3", "--fast", *settings]
    me = Person(tmp_path, name, *rest, language=language)
    onward, typed = re.escape(say(Text("Enter goes on")) + " > "), {0: "#1", 1: ""}
    while (asked := me.hears(asks, onward, again)) in typed:
        me.says(typed[asked])
    me.says("n")
    me.leaves()
    assert me.child.exitstatus == 0
    screens = "\n".join(me.frames())
    assert not re.search(r"\b(the|your|card|cards|leads|follows|begins|raises|wins|player)\b", screens)


@pytest.mark.parametrize(("name", "settings"), [("little-devils", SHORT), ("hols-der-teufel", [])])
def test_a_whole_game_on_a_small_screen(name: str, settings: list[str], tmp_path: Path) -> None:
    me = Person(
        tmp_path, name, "--players", "3", "--human", "Me", "--bots", "random", "--seed", "3", "--fast", *settings
    )
    typed = {0: "#1", 1: ""}
    while (asked := me.hears(r"helps\) > ", r"Enter goes on > ", r"Another game.*> ")) in typed:
        me.says(typed[asked])
    me.says("n")
    me.leaves()
    assert me.child.exitstatus == 0
    for frame in me.frames()[1:-1]:
        lines = frame.split("\n")
        assert len(lines) <= 24
        assert [line for line in lines if cell_len(line) > 80] == []
    drawn = "\n".join(me.frames())
    assert "┌─" in drawn
    assert "▶ Me" in drawn
    assert "1. " in me.frames()[-1]
    (record,) = (tmp_path / "teufelswerk" / "games").glob("*.jsonl")
    told = [words for words in replayed(record) if " " in words]
    screens = " ".join(drawn.split())
    assert len(told) > 20
    assert [words for words in told if words not in screens] == []


def replayed(record: Path) -> list[str]:
    """Every sentence of a recorded game."""
    lines = read(record.read_text(encoding="utf-8"))[0]
    settings = {key: value for key, value in lines[0]["set"].items() if isinstance(value, int)}
    rules = load_model(known()[lines[0]["game"]], settings)
    say, names = Translator("en"), lines[0]["players"]
    events = [event for _, each in replay(Game(rules, len(names)), lines) for event in each]
    return [say(event.told.to(0), names) for event in events if event.told is not None]


def test_it_asks_for_what_was_not_said(tmp_path: Path) -> None:
    me = Person(tmp_path, "--seed", "1", "--fast", "--bots", "random")
    me.hears("Which game")
    me.says("1")
    me.hears("Which game\\?")
    me.says("little-devils")
    me.hears("How many players")
    me.says("")
    me.hears("Your name")
    me.says("Eve")
    me.hears("Eve, your move")
    me.says("quit")
    me.leaves()


def restricted(beginning: bool = False) -> tuple[int, str, str]:
    """A seed with which the person's first decision is not free, with a card that will do and one that will not.

    With `beginning`, the names of several cards that would do begin like that of the one that will not.
    """
    for seed in range(100):
        session = Session(game("little-devils"), NAMES, [HUMAN, "random", "random", "random"], seed, None)
        session.begin()
        while (seat := session.game.player(session.state)) != 0:
            assert seat is not None
            session.make(session.adviser(seat).choose(session.game.view(session.state, seat)))
        view = session.game.view(session.state, 0)
        held, allowed = view.places["hand[0]"].cards or (), {session.game.choice(m)["card"] for m in view.moves}
        for card in set(held) - allowed:
            begun = {other for other in allowed if other.startswith(card)}
            if len(allowed - begun) > 1 and (len(begun) > 1 or not beginning):
                return seed, min(allowed - begun, key=int), card
    raise AssertionError


def test_every_command(tmp_path: Path) -> None:
    seed, good, bad = restricted()
    me = Person(tmp_path, "little-devils", "--players", "4", "--human", "Me", "--bots", "random", "--seed", str(seed),
                "--fast")  # fmt: skip
    me.asked()
    for typed, answers in {
        "?": ["Tab completes", "Enter goes on > "],
        "help": ["leaves the table", "Enter goes on > "],
        bad: [r"so you must play one|may be led only", f"This would do: .*{good}"],
        f"why {bad}": ["This would do"],
        f"why {good}": [f"allows it: {good}"],
        "why": ["Which card"],
        "hint": ["A careful player would choose", "how often no other move did better", "; best in "],
        "hin\t": ["A careful player would choose"],
        "undo": ["no move of yours"],
        "rules": ["Following|Leading", "Enter goes on > "],
        "rules all": ["Who takes the trick", "Enter goes on > "],
        "scores": ["Score", "Enter goes on > "],
        "history": ["is drawn as the first dealer", "Enter goes on > "],
        "save": [r"little-devils-.*\.jsonl"],
        "rubbish": ["nothing called `rubbish`"],
    }.items():
        me.says(typed)
        for answer in answers:
            me.hears(answer)
        if answers[-1].startswith("Enter goes on"):
            me.says("")
        me.asked()
    me.says(good)
    me.hears(f"Me (?:follows with|leads|answers with) {good}")
    me.asked()
    me.child.sendintr()
    me.hears("The game is saved")
    me.leaves()
    again = Person(tmp_path, "--resume", "--fast", rows=40, columns=120)
    again.asked()
    assert f"Me follows with {good}" in "".join(again.frames())
    again.child.setwinsize(30, 100)
    again.hears(WIPE.replace("[", r"\["))
    again.asked()
    assert "─" * 99 in again.frames()[-1]
    again.child.sendeof()
    again.hears("The game is saved")
    again.leaves()


def test_what_is_typed_where_enter_goes_on_is_not_lost(tmp_path: Path) -> None:
    seed, good, _bad = restricted()
    beginning = ["little-devils", "--players", "4", "--human", "Me", "--bots", "random", "--seed", str(seed)]
    me = Person(tmp_path, *beginning, "--fast")
    me.asked()
    for typed, answer in {"?": "Tab completes", "scores": "Score", "history": "first dealer"}.items():
        me.says(typed)  # each command but the first at the page of the one before it
        me.hears(answer)
        me.hears("Enter goes on > ")
    me.says(good)
    me.hears(f"Me (?:follows with|leads|answers with) {good}")
    me.asked()
    me.says("?")
    me.hears("Enter goes on > ")
    me.says("qu\t")
    me.hears("The game is saved")
    me.leaves()
    me = Person(tmp_path, *beginning, "--step")
    me.hears("Enter goes on > ")
    for typed, answer in {"rubbish": "no command `rubbish`", "hint": "until it is your turn", "?": "leaves"}.items():
        me.says(typed)
        me.hears(answer)
        me.hears("Enter goes on > ")
    me.says("quit")
    me.hears("The game is saved")
    me.leaves()


def test_help_is_cut_between_words(tmp_path: Path) -> None:
    me = Person(tmp_path, "little-devils", "--players", "3", "--human", "Me", "--fast", columns=50)
    me.asked()
    me.says("?")
    me.hears("Enter goes on > ")
    help = me.frames()[-1].splitlines()
    me.says("quit")
    me.leaves()
    assert max(map(len, help)) < 50
    words = " ".join(line.strip() for line in help)
    assert "takes your last move back, as long as nobody has learned anything since" in words


def test_nobody_sees_the_cards_of_another(tmp_path: Path) -> None:
    both = Person(tmp_path, "little-devils", "--players", "3", "--human", "Eve", "--human", "Kim", "--bots", "random",
                  "--seed", "4", "--fast", *SHORT)  # fmt: skip
    undone = False
    while (asked := both.hears(r"helps\) > ", r"alone can see the screen > ", r"Another game.*> ")) != 2:
        if asked == 1 and not undone and "undo" in both.frames()[-1]:
            undone = True
            both.says("undo")
        else:
            both.says("#1" if asked == 0 else "")
    both.says("n")
    both.leaves()
    assert undone
    laid: set[str] = set()
    checked = 0
    for frame in both.frames():
        laid |= set(re.findall(r"(?:leads|answers with|follows with) (\d+)", frame))
        own = set(re.findall(r"^(Eve|Kim): hand", frame, re.M))
        asked_for = set(re.findall(r"(Eve|Kim), your move", frame))
        assert own <= asked_for
        if not asked_for:
            assert set(re.findall(r"│ +(\d+) +│", frame)) <= laid
            checked += 1
    assert checked > 10


def test_without_colours_and_without_unicode(tmp_path: Path) -> None:
    for others in ({"NO_COLOR": "1"}, {"PYTHONIOENCODING": "ascii"}):
        me = Person(tmp_path, "hols-der-teufel", "--players", "3", "--human", "Me", "--bots", "random", "--seed", "3",
                    "--fast", others=others)  # fmt: skip
        me.asked()
        me.says("#1")
        me.asked()
        me.says("quit")
        me.leaves()
        heard = me.heard.getvalue()
        if "NO_COLOR" in others:
            assert not COLOURS.search(heard)
            assert "┌─" in heard
        else:
            assert COLOURS.search(heard)
            assert heard.isascii()
            assert "+---" in heard


# ---- without one ----------------------------------------------------------------------------------------------------


def test_a_card_named_in_full_is_meant_even_if_it_may_not_be_played(tmp_path: Path) -> None:
    """And whoever was asked which of several cards they mean may still name any other."""
    seed, good, bad = restricted(beginning=True)
    arguments = ["play", "little-devils", "--players", "4", "--human", "Me", "--bots", "random", "--seed", str(seed)]
    said = piped(tmp_path, *arguments, answers=f"{bad}\nwhy {bad}\n").stdout
    assert said.count("This would do") >= 3  # the question itself, and two explanations
    assert "Which of these" not in said
    view = game("little-devils").view(game("little-devils").start(seed), 0)
    several = [card for card in "123456789" if sum(id[0] == card for id in view.places["hand[0]"].cards or ()) > 1]
    said = piped(tmp_path, *arguments, answers="".join(f"{card}\n" for card in several) + f"{good}\n").stdout
    assert re.search(f"Me (?:follows with|leads|answers with) {good}", said)


def piped(data: Path, *arguments: str, answers: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "teufelswerk_cli", *arguments],
        input=answers, capture_output=True, text=True, env=environment(data, PYTHONIOENCODING="utf-8"), check=False,
    )  # fmt: skip


def test_a_pipe_gets_plain_lines_and_the_record_can_be_replayed(tmp_path: Path) -> None:
    arguments = ["play", "little-devils", "--players", "3", "--human", "Me", "--bots", "random", "--seed", "3", *SHORT]
    said = piped(tmp_path, *arguments, answers="40\n" + "#1\n" * 200)
    assert said.returncode == 0
    assert "\x1b" not in said.stdout
    assert "win" in said.stdout
    assert "1. " in said.stdout
    (record,) = (tmp_path / "teufelswerk" / "games").glob("*.jsonl")
    shown = piped(tmp_path, "replay", str(record))
    assert shown.returncode == 0
    told = [line for line in said.stdout.splitlines() if re.match(r"(Anna|Tom) (leads|answers|follows)", line)]
    assert told
    assert all(line in shown.stdout for line in told)
    lines = record.read_text().splitlines()
    number = next(i for i, line in enumerate(lines) if '"move": "follows"' in line)
    lines[number] = re.sub(r'"card": "\d+"', '"card": "53"', lines[number])
    record.write_text("\n".join(lines) + "\n")
    broken = piped(tmp_path, "replay", str(record))
    assert broken.returncode == 2
    assert f"line {number + 1}" in broken.stderr


def test_the_end_of_the_input_leaves_a_saved_game(tmp_path: Path) -> None:
    said = piped(tmp_path, "play", "hols-der-teufel", "--players", "3", "--human", "Me", "--seed", "3", answers="#1\n")
    assert said.returncode == 0
    assert "The game is saved" in said.stdout
    listed = piped(tmp_path, "games", "--saved").stdout
    assert "Hol's der Teufel: Me" in listed
    assert "moves" in listed


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (Options("little-devils", 3, ("Z",), bots="clever"), "no bot called `clever`"),
        (Options("little-devils", 3, ("Z",), bots="random,random,random"), "cannot sit"),
        (Options("little-devils", 3, ("A", "A")), "the same name"),
        (Options("little-devils", 3, ("A", "B", "C", "D")), "cannot sit"),
        (Options(resume="nothing"), "no saved game"),
    ],
)
def test_what_cannot_be_is_refused(
    tmp_path: Path, options: Options, complaint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with pytest.raises((Trouble, Unusable), match=complaint):
        play_at_terminal(options, lambda name, settings: load_game(name))


# ---- drawings and words ---------------------------------------------------------------------------------------------


def positions(name: str, players: int, moves: int) -> Iterator[Session]:
    session = Session(game(name, players), NAMES[:players], ["random"] * players, 5, None)
    session.begin()
    for _ in range(moves):
        seat = session.game.player(session.state)
        if seat is None:
            return
        session.make(session.adviser(seat).choose(session.game.view(session.state, seat)))
        yield session


@pytest.mark.each_game
@pytest.mark.parametrize("name", GAMES)
def test_every_drawing_fits(name: str) -> None:
    looks = (Look(80, 24, True), Look(80, 24, False), Look(120, 40, True), Look(60, 24, True), Look(44, 30, True))
    drawings = [TableDrawing(game(name), NAMES, look) for look in looks]
    for session in positions(name, 4, 30):
        for seat, drawing in product(range(4), drawings):
            look = drawing.look
            lines = drawing.lines(session.game.view(session.state, seat), seat, look.height - 8)
            assert all(line.cell_len <= look.width for line in lines)
            assert look.unicode or all(line.plain.isascii() for line in lines)
            assert len(lines) <= look.height - 2


def test_what_does_not_fit_beside_a_player_stands_below() -> None:
    """A long name on a narrow screen: nothing is cut off."""
    names = ["Maximiliane", *NAMES[1:]]
    wide, narrow = (TableDrawing(game("hols-der-teufel"), names, Look(width, 24)) for width in (80, 44))
    view = game("hols-der-teufel").view(game("hols-der-teufel").start(3), 0)
    lines = narrow.lines(view, 0, 16)
    assert max(line.cell_len for line in lines) < 44
    counts = [int(n) for line in wide.players(view, 0, {}) for n in re.findall(r"[a-z.]+ (\d+)", line.plain)]
    below = " ".join(line.plain.strip() for line in narrow.players(view, 0, {}))
    assert [int(n) for n in re.findall(r"[a-z.]+ +(\d+)", below) if n != "20"] == [n for n in counts if n != 20]
    open_hands = TableDrawing(game("goofspiel"), names, Look(40, 24))
    shown = open_hands.players(game("goofspiel").view(game("goofspiel").start(3), 0), 0, {})
    assert max(line.cell_len for line in shown) < 40
    assert len(re.findall(r"\d+[♣♦♥♠]", " ".join(line.plain for line in shown))) == 4 * 9


@pytest.mark.parametrize(
    ("word", "width", "short"),
    [
        ("rot", 4, "rot"),
        ("фиолетовый", 7, "фиолет."),
        ("фиолетовый", 4, "фио."),
        ("красный", 4, "кр."),
        ("зелёный", 5, "зел."),
        ("yellow", 4, "yel."),
        ("angel", 4, "ang."),
    ],
)
def test_words_are_abbreviated_as_people_do(word: str, width: int, short: str) -> None:
    assert abbreviated(word, width) == short


def test_a_trick_is_seen_whole_before_it_is_taken() -> None:
    table = game("little-devils")
    state = table.start(1)
    whole = 0
    for _ in range(40):
        before = table.view(state, 0)
        events: list[object] = []
        state = table.apply(state, table.legal_moves(state)[0], events)  # type: ignore[arg-type]
        shown = stages(table, before, table.view(state, 0), events)  # type: ignore[arg-type]
        assert shown[-1].view == table.view(state, 0)
        if len(before.places["trick"].cards or ()) == 3:
            trick = shown[0].view.places["trick"]
            assert len(shown) == 2
            assert len(trick.cards or ()) == 4
            assert sorted(owner for owner in trick.owners or () if owner is not None) == [0, 1, 2, 3]
            assert any("takes the trick" in str(text) for text in shown[0].told)
            whole += 1
    assert whole >= 9


def test_names_come_before_beginnings_and_numbers_of_the_list() -> None:
    table = game("little-devils")
    words = Moves(table, NAMES, TableDrawing(table, NAMES, Look()).drawer, arrows=True)
    state = table.parse_json(table.json(table.start(1)))
    by_id = {card.id: card.index for card in table.rules.cards}
    move = table.legal_moves(state)[0]
    held = [move._replace(picks=(by_id[id],)) for id in ("2", "22", "27", "31")]
    assert words.meant("2", held) == held[:1]
    assert words.meant("22", held) == held[1:2]
    assert words.meant("3", held) == []
    assert words.meant("#3", held) == held[2:3]
    assert words.meant("2", held[1:]) == []
    assert words.meant("4", held) == []
    other = game("hols-der-teufel")
    words = Moves(other, NAMES, TableDrawing(other, NAMES, Look()).drawer, arrows=True)
    for session in positions("hols-der-teufel", 4, 40):
        view = session.game.view(session.state, session.game.player(session.state) or 0)
        for number, option in enumerate(view.moves, 1):
            assert words.meant(f"#{number}", view.moves) == [option]
            assert words.is_marked(view.moves) or words.meant(str(number), view.moves) == [option]
            chosen = other.choice(option)
            typed = " ".join([option.verb, *(str(value) for value in chosen.values())])
            assert option in words.meant(typed, view.moves)
            assert len(words.meant(typed, view.moves)) == 1


def test_several_cards_are_named_one_by_one() -> None:
    table = Game(load_game("president"), 3)
    words = Moves(table, NAMES, TableDrawing(table, NAMES, Look()).drawer, arrows=True)
    by_id = {card.id: card.index for card in table.rules.cards}
    hand = [by_id[id] for id in ("clubs-7", "clubs-8", "hearts-7", "spades-7")]
    sets = [cards for size in range(3) for cards in combinations(hand, size)]
    gives = [Move(0, "gives", (cards,)) for cards in sets]

    def meant(typed: str) -> list[set[str]]:
        return [{table.rules.cards[card].id for card in move.picks[0]} for move in words.meant(typed, gives)]

    assert meant("clubs-7") == [{"clubs-7"}]
    assert meant("clubs-7, hearts-7") == [{"clubs-7", "hearts-7"}]
    assert meant("gives hearts-7 clubs-7") == [{"clubs-7", "hearts-7"}]
    assert meant("nothing") == meant("gives nothing") == [set()]
    assert meant("7 7") == [{"clubs-7", "hearts-7"}, {"clubs-7", "spades-7"}, {"hearts-7", "spades-7"}]
    assert meant("8 7") == [{"clubs-7", "clubs-8"}, {"clubs-8", "hearts-7"}, {"clubs-8", "spades-7"}]
    assert meant("7 clubs-7 hearts-7") == []
    assert len(meant("gives")) == len(gives)


@pytest.mark.parametrize("arrows", [True, False])
def test_whoever_types_a_move_as_it_is_listed_means_it(arrows: bool) -> None:
    table = game("hols-der-teufel")
    words = Moves(table, NAMES, TableDrawing(table, NAMES, Look()).drawer, arrows)
    for session in positions("hols-der-teufel", 4, 40):
        view = session.game.view(session.state, session.game.player(session.state) or 0)
        for option in view.moves:
            listed = words.words(option, view).plain
            assert words.copied(f" {listed.upper()} ", view.moves, view) == [option]


@pytest.mark.parametrize("language", ["de", "en", "ru"])
def test_what_a_hint_names_can_be_typed(run: Run, language: str) -> None:
    """Four turns, each as the hint says; among them some in which the end of a row is chosen too."""
    typed: list[str] = []
    for _ in range(4):
        words = ("play", "hols-der-teufel", "--players", "3", "--human", "Ada", "--seed", "4", "--lang", language)
        said = run(*words, "--bots", "random", typed="\n".join([*typed, "hint", ""])).out
        advised = {"de": "Umsichtig wäre: ", "en": "would choose: ", "ru": "Совет: "}[language]
        typed.append(said.split(advised)[1].split(".\n")[0])
        after = run(*words, "--bots", "random", typed="\n".join([*typed, ""])).out
        assert f"`{typed[-1]}`" not in after
    assert any(len(re.findall(r"\w+", move)) > 3 for move in typed)


def test_commands_are_understood_in_the_players_language_and_in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    spoken = Translator("en")
    german = {text: text.replace("hint:", "Tipp:") for text in described().values()}
    monkeypatch.setattr(spoken, "translate", lambda msgid, context=None: german.get(msgid, msgid))
    monkeypatch.setattr("teufelswerk_cli.console.speech._Speaker.translator", spoken)
    assert command("tipp") == ("hint", "")
    assert command("hint") == ("hint", "")
    assert command("? ") == ("help", "")
    assert command("WHY 40") == ("why", "40")
    assert command("40") is None


def test_a_long_list_of_moves_shows_some_of_every_kind() -> None:
    """Every invitation, and below it at least one move, with its number in the whole list."""
    other = game("hols-der-teufel")
    words = Moves(other, NAMES, TableDrawing(other, NAMES, Look()).drawer, arrows=True)
    cut = 0
    for session in positions("hols-der-teufel", 4, 60):
        view = session.game.view(session.state, session.game.player(session.state) or 0)
        verbs = list(dict.fromkeys(move.verb for move in view.moves))
        lines = [line.plain for line in words.listed(view.moves, session.state, view, 60, 8)]
        assert len(lines) <= 8
        if not lines[-1].startswith("…"):
            continue
        cut += 1
        heads = [words.invitation(verb, session.state, view.seat) for verb in verbs]
        assert [line for line in lines if line in heads] == heads
        assert all(re.match(r" *#?\d+ ", lines[lines.index(head) + 1]) for head in heads)
    assert cut > 3


def test_messages_are_shown_whole(tmp_path: Path) -> None:
    """The oldest one that does not fit any more is left out, not cut in the middle."""
    session = next(positions("little-devils", 4, 1))
    table = Sitting(session, Screen())
    table.messages = [("one two " * 30 + "end", ""), ("short", "")]
    width = table.look().width
    assert [line.plain for line in table.latest(2)] == ["short"]
    assert [line.plain for line in table.latest(9)][-1] == "short"
    assert len(table.latest(9)) == 2 + len("one two " * 30) // width
    table.messages.pop()
    assert [line.plain for line in table.latest(1)] == [table.latest(9)[-1].plain]


# ---- pace -----------------------------------------------------------------------------------------------------------


def test_enter_or_space_skips_what_others_do_and_anything_else_is_typed_early(monkeypatch: pytest.MonkeyPatch) -> None:
    keys, waited = ["", " ", "x"], list[float]()

    def key(seconds: float) -> str:
        waited.append(seconds)
        return keys.pop(0)

    monkeypatch.setattr("teufelswerk_cli.table.screen.key_within", key)
    monkeypatch.setattr("teufelswerk_cli.table.screen.time.monotonic", lambda: 100.0 * len(waited))
    screen = Screen("slow")
    screen.fancy = True
    assert screen.pause(1)
    assert waited == [2.5]
    monkeypatch.setattr("teufelswerk_cli.table.screen.time.monotonic", lambda: 0.0)
    assert not screen.pause(1)
    assert not screen.pause(1)
    assert len(waited) == 2
    assert screen.hurried
    keys += ["4s\r", " ", "\r"]
    screen.hurried = False
    with pytest.raises(IndexError):
        screen.pause(1)
    assert screen.typed == "x4s\n \n"
    monkeypatch.setattr("teufelswerk_cli.table.screen.steer", lambda sequence: None)
    assert screen.read("> ") == "x4s"
    assert screen.read("> ") == ""
    assert screen.typed == ""


def test_the_speed_can_be_changed_at_the_table(tmp_path: Path) -> None:
    me = Person(tmp_path, "little-devils", "--players", "3", "--human", "Me", "--seed", "3", "--speed", "slow")
    me.asked()
    for typed, answer in {
        "speed": "speed is `slow`",
        "speed q": "From now on: quick",
        "speed no": "speed is `quick`",
    }.items():
        me.says(typed)
        me.hears(answer)
        me.asked()
    me.says("quit")
    me.leaves()


def test_what_is_typed_while_others_play_is_not_on_the_screen_and_counts(tmp_path: Path) -> None:
    me = Person(tmp_path, "little-devils", "--players", "3", "--human", "Me", "--bots", "random", "--seed", "3")
    me.asked()
    me.child.send("#1\r#1\r#1\r")
    for _ in range(3):
        me.hears(r"(Me (?:leads|answers|follows))")
        me.hears("your move")
    me.says("quit")
    me.leaves()
    assert not re.search(r"^#1", "".join(me.frames()), re.M)


def test_long_lists_leave_room_for_what_has_happened(tmp_path: Path) -> None:
    """And `choices` lists all of them."""
    session = list(positions("hols-der-teufel", 4, 8))[-1]
    screen = Screen("none")
    screen.fancy = True
    seat = session.game.player(session.state)
    assert seat is not None
    turn = Turn(Sitting(session, screen), session.game.view(session.state, seat))
    look = turn.table.look()
    assert len(turn.below()) + turn.table.least(turn.view, seat) + 3 + 2 <= look.height
    everything = turn.moves.listed(turn.left, session.state, turn.view, 80, 0)
    assert len(re.findall(r"#?\d+ \w", "\n".join(line.plain for line in everything))) >= len(turn.view.moves)
