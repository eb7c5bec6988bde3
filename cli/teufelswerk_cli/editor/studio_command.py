"""`teufelswerk studio`: opens the studio in the browser: the text of the rules, and beside it what it means."""

from __future__ import annotations

import errno
import sys
from collections.abc import AsyncIterable, Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click
from teufelswerk.base.find_files import SUFFIX, is_path
from teufelswerk.base.texts import Text

from teufelswerk_cli.console.options import FAILED, cli, need, refuse, with_language
from teufelswerk_cli.console.speech import _, say

if TYPE_CHECKING:
    from teufelswerk_web.server.studio import Folder, Paper

PORT = 8766
PAUSE = 0.08
"""Seconds without a keystroke after which the text is checked: what it means is looked at, and not only mistakes."""


@cli.command(help=_("Opens a studio in the browser: the rules as you write them, and beside them what they mean."))
@click.argument("file", required=False)
@click.option("--port", type=click.IntRange(1, 65535), default=PORT, show_default=True, help=_("Where to listen."))
@click.option("--no-browser", is_flag=True, help=_("Says the link, and opens no browser."))
@with_language
def studio(file: str | None, port: int, no_browser: bool) -> None:
    need("web")
    need("editor")
    from teufelswerk_web.server import host as serving
    from teufelswerk_web.server.studio import Refused, link_of, new_studio, run_studio

    from teufelswerk_cli.editor.serving import converse, quietly

    quietly()
    try:
        folder, paper = begun(file)
    except Refused as problem:
        raise refuse(problem.message) from None
    try:
        listening = serving.bound("127.0.0.1", port)
    except OSError as problem:
        taken = problem.errno == errno.EADDRINUSE
        reason = Text("something listens there already") if taken else problem.strerror or str(problem)
        raise refuse(Text("port {port} cannot be opened: {reason}", port=str(port), reason=reason), FAILED) from None
    opened = new_studio(folder, f"http://127.0.0.1:{port}", paper)

    def ready() -> None:
        click.echo(f"\n  {link_of(opened)}\n")
        click.echo(_("Open the link in a browser. Files are saved in `{folder}`.", folder=str(folder.path)))
        click.echo(_("Only this machine can reach it. Ctrl+C ends it."))
        if not no_browser and sys.stdout.isatty():
            import webbrowser  # it brings much along

            webbrowser.open(link_of(opened))

    async def speak(
        messages: AsyncIterable[str | bytes], send: Callable[[str], Awaitable[None]], language: str | None
    ) -> None:
        await converse(messages, send, language, PAUSE)

    run_studio(opened, speak, serving.LOOPBACK, listening, ready)


def begun(file: str | None) -> tuple[Folder, Paper | None]:
    """The folder in which is written, and what lies on the desk at first: a file, a variant of a game, or nothing."""
    from teufelswerk_web.server.studio import NO_FILE, Folder, Paper

    if file is None:
        return Folder(Path()), None
    if not is_path(file):
        folder = Folder(Path())
        if file in folder.names():
            return folder, folder.read(file)
        title = say(Text("{game}, my way", game=file.replace("-", " ").title()))
        return folder, folder.variant(file, title, say(Text("Say here what is different.")))
    path = Path(file)
    if not path.name.endswith(SUFFIX) or not path.parent.is_dir():
        raise refuse(Text("name a rule file in a folder that there is, as in `{name}`", name=f"my-game{SUFFIX}"))
    folder, name = Folder(path.parent), path.name.removesuffix(SUFFIX)
    if path.exists():
        return folder, folder.read(name)
    folder.file(name)
    return folder, Paper(name, folder.template().text, NO_FILE)
