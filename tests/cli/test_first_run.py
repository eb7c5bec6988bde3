"""`python3 cli` in a checkout: what it makes, what it trusts, and what it says when something is in the way."""

from __future__ import annotations

import importlib.util
import os
import string
import sys
from pathlib import Path
from types import ModuleType

import find_pip
import pytest

CHECKOUT = Path(__file__).parents[2]
PROJECT = """
[project.optional-dependencies]
pdf = ["typst>=0.13"]
sim = ["duckdb>=1.1"]
"""


class Checkout:
    """A checkout whose commands are only noted, but for the one that makes the environment's Python."""

    def __init__(self, root: Path) -> None:
        spec = importlib.util.spec_from_file_location("first_run", CHECKOUT / "cli" / "__main__.py")
        assert spec and spec.loader
        self.code: ModuleType = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.code)
        self.commands: list[str] = []
        self.offline = False
        venv = root / ".venv"
        for name, value in {"ROOT": root, "VENV": venv, "PYTHON": venv / "python", "STAMP": venv / "stamp"}.items():
            setattr(self.code, name, value)
        for name, stand_in in {"run": self.run, "install_pip": lambda: None}.items():
            setattr(self.code, name, stand_in)
        (root / "pyproject.toml").write_text(PROJECT)

    def run(self, trouble: str, *command: str | Path, environment: dict[str, str] | None = None) -> None:
        words = [str(word) for word in command]
        if "venv" in words:
            self.code.PYTHON.touch()
            self.commands.append("venv")
        else:
            if self.offline:
                raise self.code.Trouble(trouble)
            self.commands.append(words[-1])

    def prepare(self, extra: str = "") -> list[str]:
        self.commands = []
        self.code.prepare(extra)
        return self.commands


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Checkout:
    monkeypatch.setattr(sys, "argv", ["cli", "--lang", "en"])
    return Checkout(tmp_path)


def test_once_made_it_is_trusted(checkout: Checkout) -> None:
    assert checkout.prepare() == ["venv", "."]
    assert checkout.prepare() == []


def test_tools_come_on_top_and_include_the_game(checkout: Checkout) -> None:
    checkout.prepare()
    assert checkout.prepare("dev") == [".[dev]"]
    assert checkout.prepare("dev") == []
    assert checkout.prepare() == []


def test_other_requirements_are_installed(checkout: Checkout) -> None:
    checkout.prepare("dev")
    (checkout.code.ROOT / "pyproject.toml").write_text("[project] # changed\n")
    assert checkout.prepare() == [".[dev]"]
    assert checkout.prepare("dev") == []


def test_a_moved_checkout_gets_a_new_environment(checkout: Checkout, tmp_path: Path) -> None:
    checkout.prepare()
    moved = tmp_path / "moved"
    moved.mkdir()
    checkout.code.VENV.rename(moved / ".venv")
    assert Checkout(moved).prepare() == ["venv", "."]


def test_what_an_interrupted_run_left_is_made_again(checkout: Checkout) -> None:
    checkout.offline = True
    with pytest.raises(checkout.code.Trouble, match="no-packages"):
        checkout.prepare()
    (checkout.code.VENV / "lib").mkdir()
    (checkout.code.VENV / "lib" / "half-of-it").touch()
    checkout.offline = False
    assert checkout.prepare() == ["venv", "."]
    assert not (checkout.code.VENV / "lib").exists()


def test_tools_that_cannot_be_had_leave_the_game_playable(checkout: Checkout) -> None:
    checkout.prepare()
    checkout.offline = True
    with pytest.raises(checkout.code.Trouble, match="no-packages"):
        checkout.prepare("dev")
    assert checkout.prepare() == []


def test_a_copy_of_the_program_is_replaced_by_the_link_to_the_checkout(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    """`pip install '.[pdf]'` puts one there, and then edits of the rules do nothing any more."""
    checkout.prepare()
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    lib = checkout.code.VENV / ("Lib" if os.name == "nt" else f"lib/{version}")
    copy = lib / "site-packages" / "teufelswerk"
    copy.mkdir(parents=True)
    assert checkout.prepare() == ["."]
    assert "so that changes in" in capsys.readouterr().err
    copy.rmdir()
    assert checkout.prepare() == []


# ---- extras ---------------------------------------------------------------------------------------------------------


class Left(Exception):
    """Where the real program would be replaced by another one."""


@pytest.fixture
def handed_over(checkout: Checkout, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    words: list[str] = []

    def hand_over(*given: str) -> None:
        words[:] = given
        raise Left

    monkeypatch.setattr(checkout.code, "hand_over", hand_over)
    for name in ("TEUFELSWERK_LAUNCHER", "TEUFELSWERK_FETCHED"):
        monkeypatch.setenv(name, "")
    return words


def test_an_extra_is_installed_and_the_command_begins_again(
    checkout: Checkout, handed_over: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(Left):
        checkout.code.main(["extra", "pdf", "rulebook", "x", "--format", "pdf"])
    assert checkout.commands == ["venv", ".[pdf]"]
    assert handed_over == ["-P", "-m", "teufelswerk_cli", "rulebook", "x", "--format", "pdf"]
    assert os.environ["TEUFELSWERK_FETCHED"].split() == ["pdf"]
    assert os.environ["TEUFELSWERK_LAUNCHER"] == str(checkout.code.ROOT / "cli")
    assert "This needs typst" in capsys.readouterr().err


def test_extras_come_on_top_of_each_other_and_are_fetched_again_if_somebody_asks(checkout: Checkout) -> None:
    checkout.prepare()
    for name, installed in (("sim", ".[sim]"), ("pdf", ".[pdf,sim]"), ("pdf", ".[pdf,sim]")):
        checkout.commands = []
        checkout.code.main(["extra", name])
        assert checkout.commands == [installed]
    assert checkout.prepare() == []


@pytest.mark.parametrize("words", [["extra"], ["extra", "typst"]])
def test_an_extra_that_there_is_not(checkout: Checkout, words: list[str]) -> None:
    with pytest.raises(checkout.code.Trouble, match="extra-usage") as trouble:
        checkout.code.main(words)
    assert trouble.value.values == {"names": "pdf, sim"}


def test_an_extra_without_a_network_is_a_sentence_and_leaves_the_game_playable(checkout: Checkout) -> None:
    checkout.prepare()
    checkout.offline = True
    with pytest.raises(checkout.code.Trouble, match="no-packages"):
        checkout.code.main(["extra", "pdf", "rulebook", "x"])
    assert checkout.prepare() == []


def test_an_environment_of_somebody_else_is_left_alone(checkout: Checkout) -> None:
    checkout.code.VENV.mkdir()
    precious = checkout.code.VENV / "precious"
    precious.touch()
    with pytest.raises(checkout.code.Trouble, match="not-ours"):
        checkout.prepare()
    assert precious.exists()


def test_every_sentence_is_there_in_every_language_with_the_same_fields(checkout: Checkout) -> None:
    for sentences in checkout.code.TEXTS.values():
        assert set(sentences) == {"en", "de", "ru"}
        fields = [{field for _, field, _, _ in string.Formatter().parse(text) if field} for text in sentences.values()]
        assert fields[0] == fields[1] == fields[2]


@pytest.mark.parametrize(
    ("args", "environment", "language"),
    [
        (["play", "--lang", "ru"], {"LANG": "de_DE.UTF-8"}, "ru"),
        (["play", "--lang=de"], {"TEUFELSWERK_LANG": "ru"}, "de"),
        (["play"], {"TEUFELSWERK_LANG": "ru", "LANG": "de_DE.UTF-8"}, "ru"),
        (["play"], {"LANGUAGE": "fr:de", "LANG": "ru_RU.UTF-8"}, "de"),
        (["play"], {"LANG": "ru_RU.UTF-8"}, "ru"),
        (["play"], {"LANG": "C.UTF-8"}, "en"),
    ],
)
def test_language(
    checkout: Checkout,
    monkeypatch: pytest.MonkeyPatch,
    args: list[str],
    environment: dict[str, str],
    language: str,
) -> None:
    for name in ("TEUFELSWERK_LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert checkout.code.language(args) == language


def test_the_newest_pip_that_fits_is_taken_from_an_index() -> None:
    page = """
        <a href="../../files/pip-9.0-py3-none-any.whl">pip</a>
        <a href="../../files/pip-23.1-py3-none-any.whl#sha256=00" data-requires-python="&gt;=3.7">pip</a>
        <a href="../../files/pip-24.0-py3-none-any.whl" data-yanked="broken">pip</a>
        <a href="../../files/pip-99.0-py3-none-any.whl" data-requires-python="&gt;=3.99">pip</a>
        <a href="../../files/pip-25.0.tar.gz">pip</a>
    """
    base = "https://index.example/root/simple/pip/"
    assert find_pip.newest(page, base) == "https://index.example/root/files/pip-23.1-py3-none-any.whl#sha256=00"


def test_an_index_in_a_folder_is_read_and_its_digest_heeded(tmp_path: Path) -> None:
    page = tmp_path / "simple" / "pip" / "index.html"
    page.parent.mkdir(parents=True)
    (tmp_path / "pip-23.1-py3-none-any.whl").write_bytes(b"")
    digest_of_nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    for digest, accepted in ((digest_of_nothing, True), ("0" * 64, False)):
        page.write_text(f'<a href="../../pip-23.1-py3-none-any.whl#sha256={digest}">pip</a>')
        found = find_pip.from_index((tmp_path / "simple").as_uri(), tmp_path)
        assert (found is not None) is accepted


def test_pip_settings_come_from_the_environment_then_from_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = tmp_path / "pip.conf"
    settings.write_text("[global]\nindex-url = https://files.example/simple\n")
    monkeypatch.setenv("PIP_CONFIG_FILE", str(settings))
    monkeypatch.delenv("PIP_INDEX_URL", raising=False)
    assert find_pip.setting("index-url") == "https://files.example/simple"
    monkeypatch.setenv("PIP_INDEX_URL", "https://environment.example/simple")
    assert find_pip.setting("index-url") == "https://environment.example/simple"
