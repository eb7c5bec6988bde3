"""The wire: who is let in, what is refused, who hears what; through the real application, without a browser."""

from __future__ import annotations

import asyncio
import json
import random
from pathlib import Path

import pytest
from shipped import FIXTURES, NAMES, SAMPLE, TABLES, Table, few, rules
from starlette.websockets import WebSocketDisconnect
from teufelswerk.language.i18n import languages
from teufelswerk.sessions.journal import find_saved
from teufelswerk_web.server.guard import POLICY
from teufelswerk_web.server.limits import BURST, MOST_MISTAKES, Allowance
from teufelswerk_web.server.sockets import UNKNOWN
from teufelswerk_web.tables.gathering import MOST_GUESTS
from teufelswerk_web.tables.house import House
from teufelswerk_web.wire.requests import MAX_REQUEST_BYTES, read
from teufelswerk_web.wire.scenes import plan
from web_clients import ORIGIN, Client, game_of, place, play_on
from web_clients import own_folder as own_folder

GAME = "little-devils"


# ---- games ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("table", [*TABLES, *few(FIXTURES)], ids=str)
def test_people_play_a_game_to_its_end(table: Table) -> None:
    """All hear the same end in their language, as the same choices would bring it about anywhere."""
    most = 60 if table.name in SAMPLE else 400
    with game_of(table.name, table.players, table.players) as (_, there, clients):
        play_on(clients, 1, most)
        assert there.session is not None
        assert all(client.frame["at"] == clients[0].frame["at"] for client in clients)
        if "over" in clients[0].frame:
            assert there.session.state.winners is not None
            assert clients[0].frame["over"]["winners"] == list(there.session.state.winners)


@pytest.mark.parametrize("people", [1, 2])
def test_bots_play_for_the_seats_that_are_free(people: int) -> None:
    with game_of("hols-der-teufel", 3, people) as (_, there, clients):
        play_on(clients, 2)
        assert all("over" in client.frame for client in clients)
        assert [chair.kind for chair in there.chairs.all] == ["human"] * people + ["random"] * (3 - people)


def test_who_only_watches_sees_what_everyone_sees_and_decides_nothing() -> None:
    with game_of(GAME, 3, 3) as (there, table, clients):
        guest = there.come(table.token)
        guest.until("game")
        assert guest.seat == -1 and "choices" not in guest.frame
        hands = [lying for name, lying in guest.frame["moments"][-1]["scene"]["places"].items() if "hand" in name]
        assert hands and not any("cards" in lying for lying in hands)
        guest.ask("move", at=guest.frame["at"], number=0)
        assert guest.refused()
        play_on([*clients], 1, 3)
        assert guest.until("game")["at"] == 2


def test_everyone_reads_their_own_language() -> None:
    with game_of(GAME, 3, 3) as (_, _table, clients):
        words = [client.heard[0]["words"]["yourTurn"] for client in clients]
        assert words == ["Du bist dran.", "It is your turn.", "Ваш ход."]
        clients[0].ask("speak", language="ru")
        assert clients[0].until("hello")["words"]["yourTurn"] == "Ваш ход."


def test_a_bots_seat_can_be_taken_while_the_game_goes_on() -> None:
    with game_of(GAME, 3, 1) as (there, table, clients):
        late = there.come(table.token)
        late.until("game")
        late.ask("sit", seat=2, name="Late")
        late.until("seated")
        play_on([clients[0], late], 1, 6)
        assert late.seat == 2 and table.chairs[2].is_person


# ---- what is refused ------------------------------------------------------------------------------------------------


def test_only_moves_that_are_offered_now_are_made() -> None:
    with game_of(GAME, 3, 3) as (_, table, clients):
        mover = next(client for client in clients if client.frame.get("choices"))
        other = next(client for client in clients if client is not mover)
        at, count = mover.frame["at"], len(mover.frame["choices"]["moves"])
        for client, number, when in ((other, 0, at), (mover, count, at), (mover, -1, at), (mover, 0, at - 1)):
            client.ask("move", at=when, number=number)
            assert client.refused()
        assert table.at == at


def test_why_tells_the_rule_and_nothing_of_cards_that_are_not_seen() -> None:
    with game_of(GAME, 3, 3, seed=3) as (_, _table, clients):
        play_on(clients, 1, 2)
        mover = next(client for client in clients if client.frame.get("choices"))
        mover.ask("speak", language="en")
        mover.until("game")
        places = mover.frame["moments"][-1]["scene"]["places"]
        hand = places[f"hand[{mover.seat}]"]["cards"]
        usable = {things[0].removeprefix("card:") for _, things, _ in mover.frame["choices"]["moves"]}
        for card in hand:
            mover.ask("why", card=card)
            told = mover.until("note")["lines"]
            assert told and (card in usable) == ("allows it" in told[0])
        hidden = next(str(n) for n in range(1, 28) if str(n) not in json.dumps(places))
        mover.ask("why", card=hidden)
        mover.ask("move", at=-1, number=0)
        assert mover.hear()["style"] == "refused"  # of the move: nothing was said of the card


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "1", "null", '{"ask":1}', '{"ask":"move"}', '{"ask":"move","at":true,"number":0}',
        '{"ask":"move","at":1,"number":0,"more":1}', '{"ask":"sit","seat":"0","name":"A"}', '{"ask":"__class__"}',
        '{"ask":"start","x":1}', "[" * 5000, '{"ask":"why","card":"' + "x" * MAX_REQUEST_BYTES + '"}',
    ],
)  # fmt: skip
def test_what_is_no_request_is_nothing(text: str) -> None:
    assert read(text) is None


def test_hostile_messages_get_refusals_and_then_no_answer() -> None:
    rng = random.Random(1)
    with game_of(GAME, 3, 2, burst=BURST) as (there, table, clients):
        at = table.at
        for _ in range(20):
            guest = there.come(table.token)
            guest.until("game")
            for _ in range(2 * BURST):
                guest.socket.send_text(hostile(rng))
            with pytest.raises(WebSocketDisconnect):  # whoever sends so much is shown the door
                guest.until("seated")
        assert table.at == at
        play_on(clients, 1, 5)
        assert table.at == at + 5


def hostile(rng: random.Random) -> str:
    asks = ["move", "sit", "why", "start", "hint", "undo", "last", "again", "answer", "stand-in", "speak", "nothing"]
    values = [-1, 0, 10**30, "x", "", "\u202e", None, True, [], {}, 1.5, "../../etc", "<script>"]
    names = ["at", "number", "seat", "name", "card", "yes", "language", "token"]
    parts = {name: rng.choice(values) for name in rng.sample(names, rng.randrange(4))}
    return json.dumps({"ask": rng.choice(asks), **parts})


def test_mistakes_are_borne_for_a_while() -> None:
    with game_of(GAME, 3, 1) as (_, _table, clients):
        for _ in range(MOST_MISTAKES - 1):
            clients[0].socket.send_text("?")
            clients[0].refused()
        clients[0].socket.send_text("?")
        with pytest.raises(WebSocketDisconnect):
            clients[0].hear()


def test_an_allowance_comes_back_with_time() -> None:
    now = [0.0]
    allowance = Allowance(lambda: now[0])
    assert [allowance.spend() for _ in range(BURST + 1)] == [True] * BURST + [False]
    now[0] = 1.0
    assert allowance.spend()


# ---- who is let in --------------------------------------------------------------------------------------------------


def test_a_link_that_is_none_leads_nowhere() -> None:
    with place() as there:
        there.house.open(rules(GAME), 3, "random")
        with pytest.raises(WebSocketDisconnect) as closed:
            there.come("guessed").hear()
        assert closed.value.code == UNKNOWN


def test_links_cannot_be_guessed_and_differ() -> None:
    with place() as there:
        tables = [there.house.open(rules(GAME), 3, "random") for _ in range(20)]
        there.seated(tables[0], 3)
        tokens = [table.token for table in tables] + [chair.token for chair in tables[0].chairs.all]
        assert len(set(tokens)) == 23 and all(len(token) >= 22 for token in tokens)


def test_pages_of_other_hosts_get_no_socket() -> None:
    with place() as there:
        for headers in ({"origin": "http://evil.example"}, {"host": "evil.example", "origin": "http://evil.example"}):
            with (
                pytest.raises(WebSocketDisconnect),
                there.browser.websocket_connect("ws://localhost/socket", headers=headers) as socket,
            ):
                socket.receive_text()


def test_every_answer_has_a_strict_policy_and_unknown_hosts_get_none() -> None:
    with place() as there:
        table = there.house.open(rules(GAME), 3, "random")
        card = there.come(table.token)
        face = card.hear()["cards"]["1"]["face"]
        for path in ("/", "/assets/main.js", "/assets/table.css", face, "/nothing", "/assets/../pyproject.toml"):
            answer = there.browser.get(path)
            assert answer.headers["content-security-policy"] == POLICY
            assert answer.headers["referrer-policy"] == "no-referrer"
            assert answer.headers["x-content-type-options"] == "nosniff"
        assert "unsafe" not in POLICY
        assert there.browser.get("/", headers={"host": "evil.example"}).status_code == 421
        for path in ("/assets/types.d.ts", "/cards/x/de/1.svg", face.replace("0.svg", "9999.svg"), "/book/x/de"):
            assert there.browser.get(path).status_code == 404


def test_the_rulebook_stands_beside_the_table_in_each_language() -> None:
    with place() as there:
        table = there.house.open(rules(GAME), 3, "random")
        for language in languages():
            book = there.come(table.token, language).hear()["book"]
            answer = there.browser.get(book)
            assert answer.status_code == 200 and f'lang="{language}"' in answer.text
            assert "<script" not in answer.text


def test_a_table_has_only_so_much_room() -> None:
    with place() as there:
        table = there.house.open(rules(GAME), 3, "random")
        for _ in range(MOST_GUESTS):
            there.come(table.token).until("room")
        with pytest.raises(WebSocketDisconnect):
            there.come(table.token).hear()


@pytest.mark.parametrize(
    ("seat", "name"),
    [(0, "Other"), (9, "Other"), (-1, "Other"), (1, ""), (1, "Person 0"), (1, "\u202e"), (1, "x" * 25)],
)
def test_a_seat_is_taken_once_and_under_a_name(seat: int, name: str) -> None:
    with place() as there:
        table = there.house.open(rules(GAME), 3, "random")
        there.seated(table, 1)
        guest = there.come(table.token)
        guest.until("room")
        guest.ask("sit", seat=seat, name=name)
        assert guest.refused()


# ---- taking back ----------------------------------------------------------------------------------------------------


def moved(clients: list[Client]) -> Client:
    mover = next(client for client in clients if client.frame.get("choices"))
    at = mover.frame["at"]
    mover.ask("move", at=at, number=0)
    for client in clients:
        client.until_at(at + 1)
    return mover


def test_a_move_is_taken_back_as_long_as_nobody_has_learned_anything() -> None:
    with game_of("hols-der-teufel", 3, 3) as (_, table, clients):
        assert table.session is not None
        before = table.session.state
        mover = moved(clients)
        mover.ask("undo")
        for client in clients:
            client.until("game")
        assert table.session.state == before and mover.frame["choices"]


@pytest.mark.parametrize("agree", [True, False])
def test_later_the_others_have_to_agree(agree: bool) -> None:
    with game_of("hols-der-teufel", 3, 3) as (_, table, clients):
        assert table.session is not None
        before = table.session.state
        first = moved(clients)
        moved(clients)
        after = table.session.state
        first.ask("undo")
        others = [client for client in clients if client is not first]
        for client in others:
            assert client.until("people")["question"]
            client.ask("answer", yes=agree)
        if agree:
            for client in clients:
                client.until("game")
            assert table.session.state == before and first.frame["choices"]
        else:
            first.until("note")
            assert first.until("note")["lines"] and table.session.state == after


# ---- nothing is lost ------------------------------------------------------------------------------------------------


def test_whoever_comes_back_finds_the_table_as_it_was() -> None:
    with game_of(GAME, 3, 3) as (there, _table, clients):
        play_on(clients, 1, 10)
        last = clients[1].frame
        clients[1].socket.close()
        assert [chair["away"] for chair in clients[0].until("people")["chairs"]] == [False, True, False]
        again = there.come(clients[1].token, "en")
        again.until("game")
        assert again.seat == 1 and again.frame["at"] == last["at"]
        assert again.frame["moments"][-1]["scene"] == last["moments"][-1]["scene"]


def test_a_bot_plays_for_whoever_is_away_until_they_are_back() -> None:
    with game_of("hols-der-teufel", 3, 2) as (there, table, clients):
        clients[0].ask("stand-in", seat=1)
        assert clients[0].refused()
        clients[1].socket.close()
        clients[0].until("people")
        clients[0].ask("stand-in", seat=1)
        assert clients[0].until("people")["chairs"][1]["standIn"]
        play_on(clients[:1], 1, 8)
        there.come(clients[1].token).until("game")
        assert not table.chairs[1].stand_in


def test_after_a_restart_everyone_goes_on_under_the_same_links() -> None:
    with game_of(GAME, 3, 2, keeps=True) as (there, table, clients):
        play_on(clients, 1, 12)
        assert table.session is not None
        before, at_seat = table.session.state, {client.seat: client.token for client in clients}
        there.house.close()
        house = House(ORIGIN, pace=0)
        assert list(house.reopen()) == []
        again = house.find(at_seat[1])
        assert again is not None and again[1] == 1 and house.find(table.token) == (again[0], -1)
        assert again[0].session is not None and again[0].session.state == before
        assert [chair.name for chair in again[0].chairs.all] == [chair.name for chair in table.chairs.all]
        house.close()


def test_tables_without_anybody_or_with_a_game_that_is_over_are_not_kept(tmp_path: Path) -> None:
    kept = tmp_path / "data" / "teufelswerk" / "hosted"
    with game_of("leduc", 2, 2, keeps=True) as (there, _table, clients):
        there.house.open(rules(GAME), 3, "random")
        assert len(list(kept.glob("*.json"))) == 1
        play_on(clients, 1)
        there.house.close()
    house = House(ORIGIN, pace=0)
    assert list(house.reopen()) == [] and not house.tables and not list(kept.glob("*.json"))


def test_what_is_kept_is_for_its_owner_alone(tmp_path: Path) -> None:
    with game_of(GAME, 3, 1, keeps=True):
        kept = list((tmp_path / "data" / "teufelswerk" / "hosted").iterdir())
        assert [path.stat().st_mode & 0o777 for path in kept] == [0o600]
        assert kept[0].parent.stat().st_mode & 0o777 == 0o700
        assert find_saved("").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"token": 1}', '{"rules": "/nowhere", "token": "x"}'])
def test_a_damaged_table_is_told_and_the_others_are_opened(tmp_path: Path, text: str) -> None:
    with game_of(GAME, 3, 1, keeps=True) as (there, table, _):
        there.house.close()
        (tmp_path / "data" / "teufelswerk" / "hosted" / "damaged.json").write_text(text)
        house = House(ORIGIN, pace=0)
        assert len(list(house.reopen())) == 1 and list(house.tables) == [table.token]
        house.close()


def test_a_move_that_cannot_be_saved_is_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    with game_of(GAME, 3, 3, keeps=True) as (_, table, clients):
        assert table.session is not None and table.session.journal is not None
        before = table.session.state

        def full(*_: object) -> None:
            raise OSError(28, "no room")

        monkeypatch.setattr(table.session.journal, "write", full)
        mover = next(client for client in clients if client.frame.get("choices"))
        mover.ask("move", at=mover.frame["at"], number=0)
        assert "no room" in mover.until("note")["lines"][0]
        assert table.session.state == before and not table.session.decisions


# ---- every game -----------------------------------------------------------------------------------------------------


@pytest.mark.each_game
@pytest.mark.parametrize("name", NAMES)
def test_every_card_place_and_back_has_a_name_and_a_picture(name: str) -> None:
    with place() as there:
        table = there.house.open(rules(name), rules(name).min_players, "random")
        for language in languages():
            lexicon = there.house.lexicon(table.game, language)
            found = plan(lexicon, [f"P{seat}" for seat in range(table.game.players)])
            assert all(card["title"] for card in found["cards"].values())
            assert all(each["label"] for each in found["places"])
        for shown in [*list(found["cards"].values())[:3], *found["backs"].values()]:
            assert there.browser.get(shown["face"]).text.startswith("<svg")


def test_bots_think_beside_what_people_do() -> None:
    """A hint is asked while nobody else is kept waiting."""
    with game_of("hols-der-teufel", 3, 1) as (_, table, clients):
        if clients[0].frame.get("choices"):
            clients[0].ask("hint")
            assert clients[0].until("note")["style"] == "hint"
        assert asyncio.iscoroutinefunction(table.hint)
