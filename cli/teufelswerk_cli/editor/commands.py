"""The command that an editor starts: `lsp`."""

from __future__ import annotations

import click

from teufelswerk_cli.console.options import cli, need, with_language
from teufelswerk_cli.console.speech import _


@cli.command(help=_("Serves an editor: mistakes under the line, jumps, renames (language server protocol)."))
@click.option("--web-socket", "port", type=click.IntRange(0, 65535), help=_("Serves web sockets at this port instead."))
@with_language
def lsp(port: int | None) -> None:
    need("editor")
    from teufelswerk_cli.editor.serving import serve

    serve(port)
