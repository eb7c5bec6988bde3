"""Run from a checkout: make `.venv` the first time, install the project into it, and hand over to it.

It needs Python's standard library and nothing else. It starts quickly: what only the first run needs is imported there.
Its syntax stays such that an older Python gets as far as saying that it is too old.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from launcher_texts import TEXTS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import NoReturn

NEEDED = (3, 11)
ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
# Says what `.venv` is good for. Empty while work on it goes on, so what an interrupted run leaves is never trusted.
STAMP = VENV / "teufelswerk.stamp"


class Trouble(Exception):
    """Something that a person has to hear about: the name of a text, what fills it, and what was printed before it."""

    def __init__(self, text: str, printed: str = "", **values: str) -> None:
        super().__init__(text)
        self.text = text
        self.printed = printed
        self.values = values


def main(args: list[str]) -> None:
    if sys.version_info < NEEDED:
        raise Trouble("old-python", needed="{}.{}".format(*NEEDED), found="{}.{}".format(*sys.version_info))
    command, rest = (args[0], args[1:]) if args else ("", [])
    if command == "test":
        prepare("dev")
        os.chdir(ROOT)
        # tests start hundreds of processes: each would compile all that it imports
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        # neighbours stay together, and share what they have prepared; who is done first takes from the others
        hand_over("-m", "pytest", "-n", "auto", "--dist", "worksteal", *rest)
    elif command == "lint":
        prepare("dev")
        lint()
    elif command == "extra":
        name, words = (rest[0], rest[1:]) if rest else ("", [])
        add_extra(name)
        if words:
            fetched = os.environ.get("TEUFELSWERK_FETCHED", "")
            os.environ["TEUFELSWERK_FETCHED"] = f"{fetched} {name}"
            run_program(words)
        say("extra-there", packages=packages_of(name))
    elif [command, *rest] == ["messages", "update"]:
        prepare()
        update_messages()
    else:
        prepare()
        run_program(args)


def run_program(args: list[str]) -> NoReturn:
    os.environ["TEUFELSWERK_LAUNCHER"] = str(ROOT / "cli")  # it comes back here for packages that it finds missing
    hand_over("-P", "-m", "teufelswerk_cli", *args)


def hand_over(*words: str) -> NoReturn:
    os.environ["TEUFELSWERK_COMMAND"] = "python3 cli"  # what help and messages tell people to type
    if os.name == "nt":  # where exec gives the prompt back at once
        import subprocess

        sys.exit(subprocess.call([PYTHON, *words]))
    os.execv(PYTHON, [str(PYTHON), *words])


def lint() -> NoReturn:
    import subprocess

    checks = (["ruff", "check"], ["ruff", "format", "--check"], ["mypy"])
    results = [subprocess.call([PYTHON, "-m", *check], cwd=ROOT) for check in checks]
    sys.exit(1 if any(results) else 0)


def update_messages() -> None:
    """Bring locales/teufelswerk.pot and every catalog in line with the texts of code, templates and rules."""
    import subprocess

    def pybabel(*words: str | Path) -> None:
        if subprocess.call([PYTHON, "-m", "babel.messages.frontend", "--quiet", *words], cwd=ROOT):
            sys.exit(1)

    def texts_in(template: str) -> list[str]:
        """All but the date, and the flags that do not stay."""
        return [line for line in template.splitlines() if not line.startswith(('"POT-Creation-Date:', "#, "))]

    template = ROOT / "locales" / "teufelswerk.pot"
    before = template.read_text("utf-8") if template.exists() else ""
    wording = ["--keyword=Text:1", "--add-comments=TRANSLATORS:", "--project=Teufelswerk", "--width=120"]
    pybabel(
        *("extract", "--mapping-file=pyproject.toml", *wording, "--copyright-holder=The Teufelswerk authors"),
        *("--sort-by-file", "--add-location=file", f"--output-file={template}", "."),
    )
    if texts_in(template.read_text("utf-8")) == texts_in(before):
        template.write_text(before, "utf-8")
    if any(ROOT.glob("locales/*/LC_MESSAGES/teufelswerk.po")):
        quietly = ["--no-fuzzy-matching", "--ignore-pot-creation-date", "--width=120"]
        pybabel("update", "--domain=teufelswerk", f"--input-file={template}", "--output-dir=locales", *quietly)
        if subprocess.call([PYTHON, "-m", "teufelswerk.messages", str(ROOT / "locales")], cwd=ROOT):
            sys.exit(1)


def prepare(extra: str = "") -> None:
    """See to it that `.venv` holds the project and what it needs, with the packages of that extra if one is named."""
    if is_ready(extra):
        return
    with one_at_a_time():
        if not is_ready(extra):
            install(extra)


def add_extra(name: str) -> None:
    """Install the packages of an extra, also if they should be there: whoever asks has not found them."""
    if name not in extras():
        raise Trouble("extra-usage", names=", ".join(extras()))
    with one_at_a_time():
        install(name)


def install(extra: str) -> None:
    """The project as a link to this folder, never as a copy, with this extra and those that were there before."""
    place, project, installed = read_stamp()
    if place != current_place() or not PYTHON.exists():
        make_environment()
        installed = set()
    elif project != current_project():
        say("renew")
        STAMP.write_bytes(b"")
    elif is_copied():
        say("copy")
    if extra == "dev":
        say("tools")
    elif extra:
        say("extra", packages=packages_of(extra))
    wanted = ",".join(sorted(installed | {extra} - {""}))
    packages = f".[{wanted}]" if wanted else "."
    run("no-packages", PYTHON, "-I", "-m", "pip", "install", "--quiet", "--retries=2", "--editable", packages)
    write_stamp(f"{current_place()} {current_project()} {wanted}")


def extras() -> dict[str, list[str]]:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    found: dict[str, list[str]] = project.get("optional-dependencies", {})
    return found


def packages_of(extra: str) -> str:
    import re

    return ", ".join(re.split(r"[^\w.-]", package)[0] for package in extras()[extra])


def is_ready(extra: str) -> bool:
    place, project, installed = read_stamp()
    current = place == current_place() and project == current_project() and PYTHON.exists()
    return current and extra in ("", *installed) and not is_copied()


def is_copied() -> bool:
    """Whether somebody has put a copy in the place of the link to this folder, as `pip install .` does."""
    version = "python{}.{}".format(*sys.version_info)
    packages = VENV / "Lib" if os.name == "nt" else VENV / "lib" / version
    return (packages / "site-packages" / "teufelswerk").is_dir()


def read_stamp() -> tuple[str, str, set[str]]:
    text = STAMP.read_text("ascii", "replace") if STAMP.exists() else ""
    place, project, extras = [*text.split(" "), "", "", ""][:3]
    return place, project, {extra for extra in extras.split(",") if extra}


def write_stamp(text: str) -> None:
    unfinished = STAMP.with_suffix(".new")
    unfinished.write_text(text, "ascii")
    unfinished.replace(STAMP)


def current_place() -> str:
    """An environment works with one version of Python, and where it was made: other ones need a new environment."""
    return sha256(os.fsencode(f"{sys.implementation.cache_tag} {ROOT}")).hexdigest()


def current_project() -> str:
    return sha256((ROOT / "pyproject.toml").read_bytes()).hexdigest()


def make_environment() -> None:
    import shutil
    from importlib.util import find_spec

    empty = not VENV.exists() or (VENV.is_dir() and not any(VENV.iterdir()))
    if not empty and not STAMP.exists():
        raise Trouble("not-ours")
    say("set-up")
    VENV.mkdir(exist_ok=True)
    STAMP.write_bytes(b"")
    for old in VENV.iterdir():
        if old.is_dir() and not old.is_symlink():
            shutil.rmtree(old)
        elif old != STAMP:
            old.unlink()
    python = getattr(sys, "_base_executable", sys.executable)  # not the one of the environment just removed
    if find_spec("ensurepip"):
        run("no-environment", python, "-I", "-m", "venv", VENV)
    else:
        run("no-environment", python, "-I", "-m", "venv", "--without-pip", VENV)
        install_pip()


def install_pip() -> None:
    from tempfile import TemporaryDirectory

    import find_pip

    say("fetch-pip")
    with TemporaryDirectory() as folder:
        pip = find_pip.fetch(Path(folder))
        if pip is None:
            raise Trouble("no-pip")
        # without --ignore-installed it would find that it is there already: the one that is running
        itself = ["install", "--quiet", "--retries=2", "--ignore-installed", "pip"]
        run("no-packages", PYTHON, "-I", pip, *itself, environment=find_pip.certificates(pip))


def run(trouble: str, *command: str | Path, environment: dict[str, str] | None = None) -> None:
    import subprocess

    process = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "PIP_USER": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1", **(environment or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        close_fds=False,  # the lock is held until the last process that works on `.venv` has ended
    )
    if process.returncode:
        lines = process.stdout.strip().splitlines()
        telling = [line.strip() for line in lines if "error:" in line.lower()] or lines
        raise Trouble(trouble, printed="\n".join(telling[-4:]))


@contextmanager
def one_at_a_time() -> Iterator[None]:
    try:
        import fcntl
    except ImportError:  # Windows
        yield
        return
    folder = os.open(ROOT, os.O_RDONLY)
    try:
        os.set_inheritable(folder, True)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("wait")
            fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def say(text: str, **values: str) -> None:
    show(TEXTS[text][language(sys.argv[1:])].format(venv=VENV, root=ROOT, **values))


def show(text: str) -> None:
    """On the error stream; the name of a folder cannot steer the terminal."""
    print("".join(c if c.isprintable() or c == "\n" else "?" for c in text), file=sys.stderr, flush=True)  # noqa: T201


def language(args: list[str]) -> str:
    wanted = [after for word, after in zip(args, args[1:]) if word == "--lang"]  # noqa: B905, RUF007
    wanted += [word[len("--lang=") :] for word in args if word.startswith("--lang=")]
    wanted += os.environ.get("TEUFELSWERK_LANG", "").split() + os.environ.get("LANGUAGE", "").split(":")
    wanted += [os.environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG")]
    return next((tag[:2].lower() for tag in wanted if tag[:2].lower() in TEXTS["set-up"]), "en")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except Trouble as trouble:
        if trouble.printed:
            show(trouble.printed)
        say(trouble.text, **trouble.values)
        sys.exit(1)
    except OSError as error:
        say("no-access", reason=error.strerror or str(error))
        sys.exit(1)
    except KeyboardInterrupt:
        say("interrupted")
        sys.exit(130)
