"""The studio: what a text means while it is written, files, the table of its author; and who is let in."""

from __future__ import annotations

import asyncio
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from shipped import NAMES, SAMPLE, rules
from starlette.websockets import WebSocketDisconnect
from studio_clients import Place, Talk, studio_in
from teufelswerk.base.find_files import shipped
from teufelswerk.engines.random_games import has_native
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.state import Move
from teufelswerk.language.i18n import languages
from teufelswerk_web.server.limits import MOST_MISTAKES
from teufelswerk_web.server.sockets import UNKNOWN
from teufelswerk_web.tables.house import House
from teufelswerk_web.tables.rehearsal import Rehearsal
from teufelswerk_web.wire.studio_requests import FORMS, read_studio
from teufelswerk_web.workshop import figures, reading
from teufelswerk_web.workshop.example_of_position import example_of
from teufelswerk_web.workshop.papers import NO_FILE, Folder, Refused
from teufelswerk_web.workshop.workers import Worker

GAME = "little-devils"
TEXT = shipped()[GAME].read_text(encoding="utf-8")
SHORTER = TEXT.replace("target = 100", "target = 60")
ROOT = Path(__file__).parents[2]


def job(text: str, folder: Path, **parts: Any) -> dict[str, Any]:
    path = str(folder / f"{GAME}.rules.md")
    return {"n": 1, "path": path, "text": text, "language": "en", "book": "de", "players": 4, **parts}


# ---- what a text means ----------------------------------------------------------------------------------------------


def test_a_page_is_told_what_its_text_means_and_nothing_of_an_earlier_one(tmp_path: Path) -> None:
    (tmp_path / f"{GAME}.rules.md").write_text(TEXT, encoding="utf-8")
    with studio_in(tmp_path) as place, place.page() as page:
        assert page.hear()["files"] == [GAME]
        page.ask("open", name=GAME)
        assert page.until("type", "file")["text"] == TEXT
        page.write(1, SHORTER)
        assert page.until("type", "rules")["players"] == [3, 6]
        book = page.until("type", "book")
        assert "60" in book["page"] and '<html lang="de">' in book["page"]
        assert [line for line, _ in book["sections"]][:2] == [1, 7]
        differs = page.until("type", "differences")["of"]
        assert differs == [{"from": "saved", "parts": [{"heading": "Values", "lines": [["", "target: 100 → 60"]]}]}]
        assert len(page.until("type", "book")["page"]) > len(book["page"]), "the examples follow"
        page.write(2, TEXT.replace("player leads:", "player leads"))
        assert page.until("type", "wrong")["n"] == 2
        page.ask("show", pane="figures")
        page.write(3, SHORTER)
        while (found := page.hear())["type"] != "figures":
            assert found["n"] == 3
        assert found["games"] >= 10


@pytest.mark.parametrize("name", [pytest.param(n, marks=() if n in SAMPLE else pytest.mark.slow) for n in NAMES])
def test_every_game_has_a_book_in_every_language_and_figures(name: str) -> None:
    path = shipped()[name]
    text = path.read_text(encoding="utf-8")
    for language in languages():
        asked = {"n": 1, "path": str(path), "text": text, "language": language, "book": language, "players": 4}
        kinds = [found["type"] for found in reading.work(asked)]
        assert kinds[:5] == ["base", "rules", "book", "flow", "differences"]
    found = next(figures.work({**asked, "players": 4}))
    assert found["games"] > 0 and len(found["wins"]) == found["players"] and found["rules"]


def test_figures_are_those_of_the_report(tmp_path: Path) -> None:
    """What is played by machine code is counted as the reference counts it."""
    from teufelswerk.engines.random_games import make_engine
    from teufelswerk.engines.tally import Tally
    from teufelswerk.report.gathering import sample_of

    few, *more = figures.work(job(TEXT, tmp_path))
    engine, tally = make_engine(rules(GAME), 4, "reference", counting=True), Tally()
    tally.add(engine.outcomes(0, few["games"]).from_beginner(4), 4)
    sample = sample_of(engine, tally)
    assert [win["value"] for win in few["wins"]] == [sample.won(seat).value for seat in range(4)]
    assert few["moves"]["value"] == pytest.approx(sum(n * k for n, k in sample.moves.items()) / few["games"])
    if has_native():
        assert more[-1]["games"] > few["games"]
        assert more[-1]["moves"]["low"] < few["moves"]["high"] and more[-1]["moves"]["high"] > few["moves"]["low"]


def test_what_is_written_in_an_editor_is_judged_over_a_socket(tmp_path: Path) -> None:
    uri = (tmp_path / "a.rules.md").as_uri()
    with studio_in(tmp_path) as place, place.socket("/language") as socket:
        talk = Talk(socket)
        talk.tell(token=place.studio.token, language="de")
        talk.tell(
            jsonrpc="2.0", id=1, method="initialize", params={"capabilities": {}, "processId": None, "rootUri": None}
        )
        assert talk.until("id", 1)["result"]["capabilities"]["hoverProvider"]
        document = {
            "uri": uri,
            "languageId": "teufelswerk",
            "version": 1,
            "text": TEXT.replace("to trick\n", "to trikc\n", 1),
        }
        talk.tell(jsonrpc="2.0", method="textDocument/didOpen", params={"textDocument": document})
        found = talk.until("method", "textDocument/publishDiagnostics")["params"]["diagnostics"]
        assert "trikc" in found[0]["message"] and "Hilfe" in found[0]["message"]
        talk.tell(jsonrpc="2.0", id=2, method="teufelswerk/verdicts", params={"textDocument": {"uri": uri}})
        verdicts = talk.until("id", 2)["result"]
        assert len(verdicts) > 5 and {verdict["holds"] for verdict in verdicts} == {None}


# ---- files ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["../a", "a/b", "/etc/a", "..", "", "A", "a.rules", "a\0", "ä", "a" * 100, "link", "folder"]
)
def test_nothing_is_written_outside_the_folder(name: str, tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    (inside / "folder.rules.md").mkdir(parents=True)
    outside = tmp_path / "outside.rules.md"
    outside.write_text("mine", encoding="utf-8")
    (inside / "link.rules.md").symlink_to(outside)
    before = sorted(path.name for path in tmp_path.rglob("*"))
    with pytest.raises(Refused):
        Folder(inside).save(name, "theirs", NO_FILE)
    assert outside.read_text(encoding="utf-8") == "mine"
    assert sorted(path.name for path in tmp_path.rglob("*")) == before


def test_what_another_program_has_written_is_not_lost(tmp_path: Path) -> None:
    file = tmp_path / f"{GAME}.rules.md"
    file.write_text(TEXT, encoding="utf-8")
    with studio_in(tmp_path) as place, place.page() as page:
        page.ask("open", name=GAME)
        stamp = page.until("type", "file")["stamp"]
        page.ask("save", text=SHORTER, stamp=stamp)
        stamp = page.until("type", "saved")["stamp"]
        assert file.read_text(encoding="utf-8") == SHORTER
        file.write_text("# Something else\n", encoding="utf-8")
        changed = page.until("type", "changed")
        assert changed["text"] == "# Something else\n"
        page.ask("save", text=TEXT, stamp=stamp)
        assert "another program" in page.until("type", "refused")["words"]
        page.ask("save", text=TEXT, stamp=changed["stamp"])
        page.until("type", "saved")
    assert file.read_text(encoding="utf-8") == TEXT
    assert [path.name for path in tmp_path.iterdir()] == [file.name], "nothing is left beside it"


def test_a_file_that_was_deleted_outside_is_saved_again(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    stamp = folder.save(GAME, TEXT, "")
    folder.file(GAME).unlink()
    folder.save(GAME, SHORTER, stamp)
    assert folder.read(GAME).text == SHORTER


def test_what_another_program_writes_while_a_file_is_saved_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, put = Folder(tmp_path), Path.replace

    def and_then(part: Path, file: Path) -> Path:
        put(part, file)
        file.write_text("# Theirs, which is longer\n" + TEXT, encoding="utf-8")
        return file

    monkeypatch.setattr(Path, "replace", and_then)
    assert folder.save(GAME, TEXT, "") != folder.stamp(GAME)


def test_a_file_that_is_not_utf8_is_not_opened_and_so_not_spoiled(tmp_path: Path) -> None:
    file = tmp_path / f"{GAME}.rules.md"
    file.write_bytes("# Grüße\n".encode("latin-1"))
    with pytest.raises(Refused, match="UTF-8"):
        Folder(tmp_path).read(GAME)


def test_nothing_of_the_folder_is_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module of a stranger's folder, in which the studio was started, is not taken for one of ours."""
    for name in ("teufelswerk_web", "json", "asyncio"):
        (tmp_path / f"{name}.py").write_text("open('harm', 'w')\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    async def work() -> None:
        news = asyncio.Event()
        worker = Worker("reading", lambda _: news.set(), seconds=60.0)
        await worker.send(job(SHORTER, tmp_path))
        await asyncio.wait_for(news.wait(), 60)
        worker.close()

    asyncio.run(work())
    assert not (tmp_path / "harm").exists()


def test_something_new_is_fine_from_the_beginning(tmp_path: Path) -> None:
    with studio_in(tmp_path) as place, place.page() as page:
        for kind, of in (("template", ""), ("variant", GAME), ("copy", GAME)):
            page.ask("new", kind=kind, of=of)
            file = page.until("type", "file")
            assert file["stamp"] == NO_FILE
            kinds = [
                found["type"] for found in reading.work(job(file["text"], tmp_path, path=str(tmp_path / file["name"])))
            ]
            assert "book" in kinds
    assert list(tmp_path.iterdir()) == [], "nothing is written before it is saved"


def test_a_variant_that_was_never_saved_is_set_beside_its_base(tmp_path: Path) -> None:
    text = Folder(tmp_path).variant(GAME, "Mine", "What is different.").text + "    target = 60\n"
    path = str(tmp_path / "mine.rules.md")
    found = {message["type"]: message for message in reading.work(job(text, tmp_path, path=path))}
    lines = [["", "target: 100 → 60"]]
    parts = found["differences"]["of"][0]["parts"]
    assert found["differences"]["of"][0]["from"] == "base" and [list(line) for line in parts[0]["lines"]] == lines
    taken = dict(found["base"]["sections"])
    assert taken["Leading"].startswith("## Leading\n") and "player leads:" in taken["Leading"]
    whole = f"{text}\n{taken['Leading']}\n"
    again = {message["type"]: message for message in reading.work(job(whole, tmp_path, path=path))}
    assert "book" in again and "Leading" not in dict(again["base"]["sections"])


# ---- the author's table ---------------------------------------------------------------------------------------------


def hands(table: Rehearsal) -> list[Any]:
    return [place.lying for name, place in table.view(0).places.items() if name.startswith("hand")]


def test_the_author_sees_every_card_and_goes_back_and_forth() -> None:
    async def play() -> None:
        table = Rehearsal(Game(rules(GAME), 4), "random", House("", keeps=False).arrangement, "Author", seed=3)
        assert all(hand and None not in hand for hand in hands(table))
        table.show(False)
        assert [hand is None for hand in hands(table)] == [False, True, True, True]
        table.show(True)
        assert table.session is not None
        states = [table.session.state]
        for _ in range(12):
            table.forth()
            states.append(table.session.state)
        for state in reversed(states[:-1]):
            table.back()
            assert table.session.state == state
        table.back()
        assert table.session.state == states[0], "there is nothing before the beginning"
        for state in states[1:]:
            table.forth()
            assert table.session.state == state, "forth means the same moves again"

    asyncio.run(play())


def test_a_changed_rule_leaves_the_game_on_the_table_as_far_as_it_can() -> None:
    from teufelswerk.editing.opened import opened

    async def play() -> None:
        table = Rehearsal(Game(rules(GAME), 4), "random", House("", keeps=False).arrangement, "Author", seed=3)
        for _ in range(9):
            table.forth()
        past, link = list(table.past), table.link
        shorter = opened(Path(f"{GAME}.rules.md"), SHORTER).loaded.model
        assert shorter is not None and table.change(Game(shorter, 4)) == 9
        assert table.past == past and table.link == link
        stricter = opened(Path(f"{GAME}.rules.md"), TEXT.replace("barred-count = 5", "barred-count = 1")).loaded.model
        assert stricter is not None
        made = table.change(Game(stricter, 4))
        assert table.past == past[:made]
        assert table.change(Game(shorter, 3)) == 0 and table.chairs[0].token == link

    asyncio.run(play())


@pytest.mark.slow  # it waits in vain for a step back, once in a while on a busy machine
def test_the_table_in_the_frame_is_played_at_as_any_other(tmp_path: Path) -> None:
    (tmp_path / f"{GAME}.rules.md").write_text(TEXT, encoding="utf-8")
    with studio_in(tmp_path) as place, place.page() as page:
        page.ask("open", name=GAME)
        page.write(1, TEXT)
        page.ask("show", pane="table")
        told = page.until("type", "table")
        assert told["playable"] and told["range"] == [3, 6]
        with place.socket("/socket") as socket:
            seat = Talk(socket)
            seat.tell(ask="hello", token=told["token"], language="ru")
            assert seat.until("type", "hello")["seat"] == 0
            game = seat.until("type", "game")
            while "choices" not in game:
                game = seat.until("type", "game")
            opened = [
                lying for name, lying in game["moments"][-1]["scene"]["places"].items() if name.startswith("hand")
            ]
            assert len(opened) == 4 and all("cards" in lying for lying in opened)
            page.ask("step", step="back")
            assert seat.until("whole", True)["at"] > game["at"]
            page.ask("example", heading="")
            found = page.hear()
            while found["type"] not in ("example", "refused"):
                found = page.hear()
            assert found["type"] == "refused" or found["lines"][0].startswith("scene ")
            page.write(2, "# Nothing\n")
            assert page.until("type", "table")["playable"] is False


@pytest.mark.parametrize("name", [pytest.param(n, marks=() if n in SAMPLE else pytest.mark.slow) for n in NAMES])
def test_an_example_of_a_position_is_there_or_not_but_never_wrong(name: str) -> None:
    """What is given has been run; in most positions there is one."""
    game = Game(rules(name), min(max(rules(name).min_players, 3), rules(name).max_players))
    rng = random.Random(1)
    state, moves = game.start(1), list[Move]()
    for _ in range(8):
        legal = game.legal_moves(state)
        move = rng.choice(legal)
        after = game.apply(state, move)
        if after.winners is not None:
            break
        state, moves = after, [*moves, move]
    lines = example_of(game, 1, moves)
    assert lines is not None if name in SAMPLE else True
    assert lines is None or (lines[0].startswith("scene ") and lines[-1].startswith("allowed "))


# ---- who is let in, and how much is done for them -------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/studio", "/language"])
def test_nobody_gets_in_without_the_link(path: str, tmp_path: Path) -> None:
    def turned_away(place: Place, hello: dict[str, Any], origin: str) -> int:
        with pytest.raises(WebSocketDisconnect) as closed, place.socket(path, origin) as socket:  # noqa: PT012
            talk = Talk(socket)
            talk.tell(**hello)
            while True:
                talk.hear()
        return closed.value.code

    with studio_in(tmp_path) as place:
        for token in ("", "x", place.studio.token[:-1], place.studio.token + "x"):
            hello = {"ask": "hello", "book": "de"} if path == "/studio" else {}
            assert turned_away(place, {**hello, "token": token, "language": "en"}, "http://localhost") == UNKNOWN
        good = {"ask": "hello", "book": "de", "token": place.studio.token, "language": "en"}
        assert turned_away(place, good, "http://elsewhere.example") == 1008
        assert place.browser.get("/", headers={"host": "elsewhere.example"}).status_code == 421


def test_the_pages_let_nothing_in(tmp_path: Path) -> None:
    with studio_in(tmp_path) as place:
        first, second = place.browser.get("/"), place.browser.get("/")
        policy = first.headers["content-security-policy"]
        assert "script-src 'self';" in policy and "unsafe" not in policy and "default-src 'none'" in policy
        nonce = policy.split("'nonce-")[1].split("'")[0]
        assert nonce in first.text and nonce not in second.text
        assert "<script>" not in first.text and " style=" not in first.text and "http" not in first.text
        sheet = place.browser.get("/sheet").headers["content-security-policy"]
        assert "script" not in sheet and sheet.startswith("default-src 'none'")
        assert "'self'" in place.browser.get("/table").headers["content-security-policy"]
        assert place.browser.get("/assets/codemirror.js").headers["content-type"].startswith("text/javascript")


def test_what_is_no_message_is_refused(tmp_path: Path) -> None:
    good = {"hello": {"token": "", "language": "", "book": ""}, "open": {"name": "a"}, "step": {"step": "back"}}
    for ask, parts in good.items():
        assert ask in FORMS
        whole = str({"ask": ask, **parts}).replace("'", '"')
        assert read_studio(whole) is not None
        assert read_studio(whole.replace("}", ', "more": 1}')) is None
        assert read_studio(whole.encode()) is None
    for nothing in ("", "[]", "1", '{"ask":"step","step":"jump"}', '{"ask":"text","n":"1","text":""}', "[" * 10**5):
        assert read_studio(nothing) is None
    with studio_in(tmp_path) as place, place.page() as page:
        page.hear()
        for _ in range(MOST_MISTAKES):
            page.tell(ask="jump")
            assert page.hear()["type"] == "refused"
        page.tell(ask="jump")
        with pytest.raises(WebSocketDisconnect):
            page.hear()


def test_work_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    async def work() -> list[dict[str, Any]]:
        heard: list[dict[str, Any]] = []
        news = asyncio.Event()

        def hear(message: dict[str, Any]) -> None:
            heard.append(message)
            news.set()

        worker = Worker("reading", hear, seconds=0.01)
        await worker.send(job(TEXT, tmp_path))
        process = worker.process
        assert process is not None
        await asyncio.wait_for(news.wait(), 60)
        await process.wait()
        worker.seconds = 60.0
        await worker.send(job(SHORTER, tmp_path, n=2))
        assert worker.process is not process, "the next one gets a new process"
        while heard[-1]["type"] != "book":
            news.clear()
            await asyncio.wait_for(news.wait(), 60)
        worker.close()
        return heard

    heard = asyncio.run(work())
    assert heard[0] == {"type": "late", "n": 1, "kind": "reading"}
    assert {message["n"] for message in heard[1:]} == {2}


# ---- the bundle -----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_editor_is_what_its_script_makes(tmp_path: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("there is no npm")
    for path in (ROOT / "web" / "studio").iterdir():
        if path.is_file():
            shutil.copy(path, tmp_path)
    fetched = subprocess.run([npm, "ci", "--no-audit", "--no-fund"], cwd=tmp_path, capture_output=True, text=True)
    if fetched.returncode:
        pytest.skip("the packages cannot be fetched")
    made = tmp_path / "made.js"
    subprocess.run(["node", "build.mjs", str(made)], cwd=tmp_path, check=True)
    kept = ROOT / "web" / "teufelswerk_web" / "assets" / "codemirror.js"
    assert made.read_bytes() == kept.read_bytes()


def test_a_worker_says_only_what_it_was_asked_for(tmp_path: Path) -> None:
    """A line for each message, the last one that it is done; and it ends when nobody listens any more."""
    import json

    command = [sys.executable, "-m", "teufelswerk_web.workshop.worker", "reading"]
    asked = json.dumps(job("# Nothing", tmp_path)) + "\n"
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin and process.stdout
        process.stdin.write(asked)
        process.stdin.flush()
        lines = [json.loads(process.stdout.readline()) for _ in range(3)]
        process.stdin.close()
        assert [line["type"] for line in lines] == ["base", "wrong", "done"]
        assert process.wait(30) == 0
