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

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import NoReturn

NEEDED = (3, 11)
ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
# Says what `.venv` is good for. Empty while work on it goes on, so what an interrupted run leaves is never trusted.
STAMP = VENV / "teufelswerk.stamp"

TEXTS = {
    "set-up": {
        "en": "Setting up Teufelswerk in {venv}. This happens only once and takes about half a minute.",
        "de": "Teufelswerk wird in {venv} eingerichtet. Das geschieht nur einmal und dauert etwa eine halbe Minute.",
        "ru": "Teufelswerk устанавливается в {venv}. Это делается один раз и занимает около полминуты.",
    },
    "renew": {
        "en": "What Teufelswerk needs has changed: bringing {venv} up to date.",
        "de": "Teufelswerk braucht inzwischen andere Pakete: {venv} wird auf den neuen Stand gebracht.",
        "ru": "Состав нужных пакетов изменился: {venv} обновляется.",
    },
    "tools": {
        "en": "Installing the tools for tests and checks.",
        "de": "Die Werkzeuge für Tests und Prüfungen werden installiert.",
        "ru": "Устанавливаются инструменты для тестов и проверок.",
    },
    "fetch-pip": {
        "en": "This Python comes without pip; fetching it.",
        "de": "Dieses Python bringt kein pip mit; es wird geholt.",
        "ru": "В этом Python нет pip, он загружается.",
    },
    "wait": {
        "en": "Teufelswerk is already being set up by another command; waiting for it.",
        "de": "Ein anderer Aufruf richtet Teufelswerk gerade ein; sobald er fertig ist, geht es weiter.",
        "ru": "Teufelswerk уже устанавливается другой командой; ожидаем её завершения.",
    },
    "old-python": {
        "en": "Teufelswerk needs Python {needed} or newer, and this is Python {found}.\n"
        "Install a newer one and start with it, for example: python{needed} cli",
        "de": "Teufelswerk braucht Python {needed} oder neuer, und dies ist Python {found}.\n"
        "Mit einem neueren Python geht es, zum Beispiel: python{needed} cli",
        "ru": "Для Teufelswerk нужен Python {needed} или новее, а это Python {found}.\n"
        "Установите более новую версию и запустите с ней, например: python{needed} cli",
    },
    "not-ours": {
        "en": "{venv} was not made by this command, so it is left as it is.\nRename or delete it, then try again.",
        "de": "{venv} stammt nicht von diesem Befehl und bleibt deshalb unangetastet.\n"
        "Nach dem Umbenennen oder Löschen dieses Ordners geht es weiter.",
        "ru": "Папка {venv} создана не этой командой, поэтому она оставлена без изменений.\n"
        "Переименуйте или удалите её и повторите попытку.",
    },
    "no-environment": {
        "en": "Python could not make an environment in {venv}.\n"
        "On Debian or Ubuntu this helps: sudo apt install python3-venv",
        "de": "Python konnte in {venv} keine Umgebung anlegen.\n"
        "Unter Debian oder Ubuntu hilft: sudo apt install python3-venv",
        "ru": "Python не смог создать окружение в {venv}.\n"
        "В Debian и Ubuntu поможет команда: sudo apt install python3-venv",
    },
    "no-pip": {
        "en": "pip is missing and could not be fetched. Is there a network connection?\n"
        "On Debian or Ubuntu this helps too: sudo apt install python3-venv",
        "de": "pip fehlt und ließ sich nicht holen. Besteht eine Netzverbindung?\n"
        "Unter Debian oder Ubuntu hilft auch: sudo apt install python3-venv",
        "ru": "pip отсутствует, и загрузить его не удалось. Есть ли подключение к сети?\n"
        "В Debian и Ubuntu поможет и команда: sudo apt install python3-venv",
    },
    "no-packages": {
        "en": "The packages that Teufelswerk needs could not be installed; pip's own words stand above.\n"
        "Usually there is no network connection. Once there is one, try the same command again.",
        "de": "Die Pakete, die Teufelswerk braucht, ließen sich nicht installieren; pip meldet den Grund oben.\n"
        "Meist fehlt die Netzverbindung. Sobald sie besteht, hilft derselbe Befehl noch einmal.",
        "ru": "Не удалось установить нужные пакеты; сообщение pip приведено выше.\n"
        "Чаще всего причина в том, что нет сети. Когда она появится, повторите ту же команду.",
    },
    "no-access": {
        "en": "The folder {root} cannot be written to: {reason}.\n"
        "Copy Teufelswerk into a folder of your own and start it there.",
        "de": "In den Ordner {root} lässt sich nicht schreiben: {reason}.\n"
        "In einem eigenen Ordner geht es: Teufelswerk dorthin kopieren und dort starten.",
        "ru": "Нет возможности записи в папку {root}: {reason}.\n"
        "Скопируйте Teufelswerk в собственную папку и запустите его там.",
    },
    "interrupted": {
        "en": "Interrupted. The next start begins again.",
        "de": "Abgebrochen. Der nächste Start beginnt von vorn.",
        "ru": "Прервано. При следующем запуске всё начнётся заново.",
    },
    "messages-usage": {
        "en": "There is one command here: python3 cli messages update",
        "de": "Hier gibt es einen Befehl: python3 cli messages update",
        "ru": "Здесь есть одна команда: python3 cli messages update",
    },
}


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
        hand_over("-m", "pytest", "-n", "auto", *rest)
    elif command == "lint":
        prepare("dev")
        lint()
    elif command == "messages":
        if rest != ["update"]:
            raise Trouble("messages-usage")
        prepare()
        update_messages()
    else:
        prepare()
        hand_over("-P", "-m", "teufelswerk_cli", *args)


def hand_over(*words: str) -> NoReturn:
    if os.name == "nt":  # where exec gives the prompt back at once
        import subprocess

        sys.exit(subprocess.call([PYTHON, *words]))
    os.environ["TEUFELSWERK_COMMAND"] = "python3 cli"  # what help and messages tell people to type
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

    def without_date(text: str) -> list[str]:
        return [line for line in text.splitlines() if not line.startswith('"POT-Creation-Date:')]

    template = ROOT / "locales" / "teufelswerk.pot"
    before = template.read_text("utf-8") if template.exists() else ""
    wording = ["--keyword=Text:1", "--add-comments=TRANSLATORS:", "--project=Teufelswerk", "--width=120"]
    pybabel(
        *("extract", "--mapping-file=pyproject.toml", *wording, "--copyright-holder=The Teufelswerk authors"),
        *("--sort-by-file", "--add-location=file", f"--output-file={template}", "."),
    )
    if without_date(template.read_text("utf-8")) == without_date(before):
        template.write_text(before, "utf-8")
    if any(ROOT.glob("locales/*/LC_MESSAGES/teufelswerk.po")):
        quietly = ["--no-fuzzy-matching", "--ignore-pot-creation-date", "--width=120"]
        pybabel("update", "--domain=teufelswerk", f"--input-file={template}", "--output-dir=locales", *quietly)
        subprocess.call([PYTHON, "-m", "teufelswerk.messages", str(ROOT / "locales")], cwd=ROOT)


def prepare(extra: str = "") -> None:
    """See to it that `.venv` holds the project and what it needs, with the packages of that extra if one is named."""
    if is_ready(extra):
        return
    with one_at_a_time():
        if is_ready(extra):
            return
        place, project, _ = read_stamp()
        if place != current_place() or not PYTHON.exists():
            make_environment()
        elif project != current_project():
            say("renew")
            STAMP.write_bytes(b"")
        if extra:
            say("tools")
        packages = f".[{extra}]" if extra else "."
        run("no-packages", PYTHON, "-I", "-m", "pip", "install", "--quiet", "--retries=2", "--editable", packages)
        write_stamp(f"{current_place()} {current_project()} {extra}")


def is_ready(extra: str) -> bool:
    place, project, installed = read_stamp()
    return place == current_place() and project == current_project() and extra in ("", installed) and PYTHON.exists()


def read_stamp() -> tuple[str, str, str]:
    text = STAMP.read_text("ascii", "replace") if STAMP.exists() else ""
    place, project, extra = [*text.split(" "), "", "", ""][:3]
    return place, project, extra


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
