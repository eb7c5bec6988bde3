"""Whole games in a real browser: clicks, drags, keys, three languages, a phone, a lost connection, a killed server."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

import pytest
from shipped import rules
from teufelswerk import Game, State
from teufelswerk.sessions.journal import parse, play_again
from web_browser import CHROMIUM, Broken, Browser, Page, chromium

pytestmark = [pytest.mark.slow, pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")]
GAMES = [
    ("hols-der-teufel", 4, []),
    ("little-devils", 4, ["--set", "target=10"]),
    ("leduc", 2, []),
    ("schwarzer-peter", 4, []),
    ("go-fish", 4, []),
    ("hanabi", 4, []),
]
LANGUAGES = ("de", "en", "ru")
PHONE, LAPTOP = (360, 740), (1280, 800)
SECONDS = 600
MOST_MISSED = 5
EXPECTED = "ERR_CONNECTION_REFUSED"
STEP = """(() => {
  if (document.getElementById("dialog").open) return "#dialog .primary";
  if (document.body.classList.contains("your-turn") === false) return "";
  const marked = document.querySelector("[data-next]");
  if (marked) marked.removeAttribute("data-next");
  const find = (where) => [...document.querySelectorAll(where)];
  const buttons = find("#ask > .buttons:not(.quiet) button");
  const things = find("#game .usable:not(.chosen)");
  const from = buttons.length ? buttons : things.filter((e) => !things.some((o) => o !== e && e.contains(o)));
  if (!from.length) return "";
  from[Math.floor(CHANCE * from.length)].setAttribute("data-next", "");
  return "[data-next]";
})()"""


class Server:
    """`teufelswerk host` in a process of its own, which can be killed and started again."""

    def __init__(self, folder: Path, words: Sequence[str]) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.environment = {**os.environ, "XDG_DATA_HOME": str(folder)}
        self.link = self.start(words)

    def start(self, words: Sequence[str]) -> str:
        command = [sys.executable, "-m", "teufelswerk_cli", "host", *words, "--port", str(self.port)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=self.environment)
        assert self.process.stdout
        for line in self.process.stdout:
            if found := re.search(r"http://\S+#\S+", line):
                return found[0]
        raise AssertionError("no link was said")

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


@contextmanager
def serving(folder: Path, *words: str) -> Iterator[Server]:
    server = Server(folder, words)
    try:
        yield server
    finally:
        server.kill()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


def seated(browser: Browser, link: str, players: int) -> list[Page]:
    """Everyone at the table, in turn in all languages, the last one at a phone; the game has begun."""
    pages = []
    for seat in range(players):
        phone = seat == players - 1 and players > 2
        page = browser.page(*(PHONE if phone else LAPTOP), language=LANGUAGES[seat % 3], calm=True)
        page.open(link)
        page.until("document.querySelector('.seats button')")
        page.type("#name", f"Person {seat}")
        page.click(".seats button")
        page.until("document.querySelector('.join .primary')")
        pages.append(page)
    pages[0].click(".join .primary")
    for page in pages:
        page.until("!document.getElementById('game').hidden")
    return pages


def is_over(page: Page) -> bool:
    return bool(page.run("document.querySelectorAll('#ask > .asked').length && !document.querySelector('#game .turn')"))


def step(page: Page, rng: random.Random) -> bool:
    """One click, if there is anything to click."""
    selector = page.run(STEP.replace("CHANCE", str(rng.random())))
    if not selector:
        return False
    try:
        page.click(selector, 1.0)
    except Broken:  # it has just been drawn anew
        page.faults.append("nothing to click")
        assert page.faults.count("nothing to click") < MOST_MISSED, page.faults
        return False
    return True


def final_state(name: str, players: int, words: Sequence[str], folder: Path, monkeypatch: pytest.MonkeyPatch) -> State:
    """What the choices that were saved come to when they are made once more, as `play --resume` makes them."""
    monkeypatch.setenv("XDG_DATA_HOME", str(folder))
    saved = next((folder / "teufelswerk" / "games").iterdir())
    lines, _size = parse(saved.read_bytes())
    from teufelswerk import load_game

    changed = dict(word.split("=") for word in words if "=" in word)
    model = load_game(name, {key: int(value) for key, value in changed.items()}) if changed else rules(name)
    state, missing = play_again(Game(model, players), lines, lambda *_: None)
    assert not missing
    return state


@pytest.mark.each_game
@pytest.mark.parametrize(("name", "players", "words"), GAMES, ids=[name for name, *_ in GAMES])
def test_a_whole_game_in_three_languages_with_a_lost_connection_and_a_killed_server(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, players: int, words: list[str]
) -> None:
    rng, end, moves = random.Random(7), monotonic() + SECONDS, 0
    with serving(tmp_path, name, "--players", str(players), "--seed", "3", *words) as server:
        pages = seated(browser, server.link, players)
        while not all(map(is_over, pages)):
            assert monotonic() < end, [page.run("document.getElementById('turn').textContent") for page in pages]
            stepped = [step(page, rng) for page in pages]
            moves += any(stepped)
            if moves == 1:
                pages[1].send("Page.reload")
                pages[1].until("document.readyState === 'complete' && !document.getElementById('game')?.hidden")
                moves += 1
            if moves == (3 if players == 2 else 12):
                server.kill()
                pages[0].until("!document.getElementById('lost').hidden")
                server.start(["--resume"])
                for page in pages:
                    page.until("document.getElementById('lost').hidden")
                moves += 1
        shown = {page.run("[...document.querySelectorAll('#ask > .asked')].length") for page in pages}
        faults = [fault for page in pages for fault in page.faults if EXPECTED not in fault]
        languages = [page.run("document.documentElement.lang") for page in pages]
        widths = [page.run("document.documentElement.scrollWidth <= innerWidth") for page in pages]
    state = final_state(name, players, words, tmp_path, monkeypatch)
    assert state.winners is not None and len(shown) == 1 and not faults and all(widths)
    assert languages == [LANGUAGES[seat % 3] for seat in range(players)]


def test_a_card_is_dragged_and_a_whole_game_played_by_keys_alone(browser: Browser, tmp_path: Path) -> None:
    rng, end = random.Random(1), monotonic() + SECONDS
    with serving(
        tmp_path, "little-devils", "--players", "3", "--bots", "random", "--set", "target=1", "--seed", "2"
    ) as server:
        page = seated(browser, server.link, 1)[0]
        page.until("document.querySelector('#own .card.usable')")
        before = page.run("document.querySelectorAll('#own .card').length")
        page.drag("#own .card.usable", "#middle .slot, #middle .card")
        page.until(f"document.querySelectorAll('#own .card').length < {before}")
        while not is_over(page):
            assert monotonic() < end
            if page.run("document.getElementById('dialog').open"):
                page.key("Enter")
            elif page.run("document.querySelectorAll('#own .card.usable').length"):
                for _ in range(200):
                    if page.run("document.activeElement.matches('#own .card')"):
                        break
                    page.key("Tab")
                for _ in range(rng.randrange(1, 20)):
                    page.key("ArrowRight")
                while not page.run("document.activeElement.matches('#own .card.usable')"):
                    page.key("ArrowRight")
                page.key("Enter")
                page.until("!document.querySelector('#own .card.usable') || document.getElementById('dialog').open")
        assert not page.faults


@pytest.fixture(scope="module")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The checker of accessibility, from npm."""
    npm, folder = shutil.which("npm"), tmp_path_factory.mktemp("axe")
    if (
        npm is None
        or subprocess.run([npm, "pack", "axe-core@4", "--silent"], cwd=folder, capture_output=True).returncode
    ):
        pytest.skip("axe-core cannot be fetched")
    subprocess.run(["tar", "xf", next(folder.glob("*.tgz")).name], cwd=folder, check=True)
    return (folder / "package" / "axe.min.js").read_text(encoding="utf-8")


def found_by(axe: str, page: Page) -> list[str]:
    page.run(axe + "; 0")
    said = page.run(
        "axe.run().then(r => JSON.stringify(r.violations.filter(v => ['serious', 'critical'].includes(v.impact))"
        ".map(v => [v.id, v.nodes.map(n => n.html.slice(0, 120)).slice(0, 3)])))"
    )
    return [json.dumps(each) for each in json.loads(said)]


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
@pytest.mark.parametrize("name", ["little-devils", "hols-der-teufel"])
def test_nothing_keeps_anybody_from_using_it(
    browser: Browser, tmp_path: Path, axe: str, name: str, size: tuple[int, int]
) -> None:
    with serving(tmp_path, name, "--players", "3", "--bots", "random", "--seed", "2") as server:
        page = browser.page(*size, language="de", calm=True)
        page.open(server.link)
        page.until("document.querySelector('.seats button')")
        assert found_by(axe, page) == []
        page.type("#name", "Person")
        page.click(".seats button")
        page.until("document.querySelector('.join .primary')")
        assert found_by(axe, page) == []
        page.click(".join .primary")
        page.until("document.querySelector('#own .card.usable')")
        assert found_by(axe, page) == []
        page.key("s")
        page.until("document.getElementById('dialog').open")
        assert found_by(axe, page) == []


def test_the_program_of_the_page_is_well_typed(tmp_path: Path) -> None:
    npx = shutil.which("npx")
    folder = Path(__file__).parents[2] / "web" / "teufelswerk_web" / "assets"
    words = ["--allowJs", "--checkJs", "--noEmit", "--strict", "--target", "es2022", "--module", "esnext",
             "--moduleResolution", "bundler", "--lib", "es2023,dom,dom.iterable"]  # fmt: skip
    programs = [path for path in sorted(folder.glob("*.js")) if path.name != "codemirror.js"]  # that one is made
    if npx is None:
        pytest.skip("there is no node")
    said = subprocess.run(
        [npx, "--yes", "-p", "typescript@5", "tsc", *words, *map(str, programs)],
        cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    if "npm error" in said.stderr:
        pytest.skip("TypeScript cannot be fetched")
    assert said.stdout == ""
