"""A real editor's side of the language server protocol: a client, and a server in a process of its own."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.lsp.client import LanguageClient
from pygls.uris import from_fs_path

PATIENCE = 60.0
"""Seconds after which a server does not answer any more."""
CURSOR = "‸"


class Editor:
    """An editor with some files open; what the server says about them comes as it comes."""

    def __init__(
        self, folder: Path, *options: str, locale: str = "en", initialization: dict[str, Any] | None = None
    ) -> None:
        self.folder = folder
        self.loop = asyncio.new_event_loop()
        self.client = LanguageClient("an editor", "1")
        self.told: dict[str, list[tuple[int | None, list[types.Diagnostic]]]] = {}
        self.versions: dict[str, int] = {}
        self.texts: dict[str, str] = {}
        self.edits: list[types.ApplyWorkspaceEditParams] = []

        hears: Any = self.client.feature

        @hears(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)  # type: ignore[untyped-decorator]
        def published(params: types.PublishDiagnosticsParams) -> None:
            self.told.setdefault(params.uri, []).append((params.version, list(params.diagnostics)))

        @hears(types.WORKSPACE_CODE_LENS_REFRESH)  # type: ignore[untyped-decorator]
        def refreshed(params: Any) -> None:
            """Asked again when a test asks."""

        words = ("-m", "teufelswerk_cli", "lsp", *options)
        self.run(self.client.start_io(sys.executable, *words, cwd=str(folder)))
        capabilities = types.ClientCapabilities()
        params = types.InitializeParams(
            capabilities=capabilities,
            locale=locale,
            root_uri=from_fs_path(str(folder)),
            initialization_options=initialization,
        )
        self.capabilities = self.run(self.client.initialize_async(params)).capabilities
        self.client.initialized(types.InitializedParams())

    def run(self, work: Any) -> Any:
        return self.loop.run_until_complete(asyncio.wait_for(work, PATIENCE))

    def close(self) -> None:
        self.run(self.client.shutdown_async(None))
        self.client.exit(None)
        self.run(self.client.stop())  # type: ignore[no-untyped-call]
        self.loop.close()

    # ---- files ----------------------------------------------------------------------------------------------------

    def uri(self, name: str) -> str:
        return from_fs_path(str(self.folder / name)) or ""

    def open(self, text: str, name: str = "game.rules.md") -> str:
        """Opens a file, or writes another text in it."""
        uri = self.uri(name)
        version = self.versions[uri] = self.versions.get(uri, 0) + 1
        self.texts[uri] = text
        if version == 1:
            document = types.TextDocumentItem(uri, "teufelswerk", version, text)
            self.client.text_document_did_open(types.DidOpenTextDocumentParams(document))
        else:
            changed = types.VersionedTextDocumentIdentifier(version, uri)
            whole = types.TextDocumentContentChangeWholeDocument(text)
            self.client.text_document_did_change(types.DidChangeTextDocumentParams(changed, [whole]))
        return uri

    def type(self, uri: str, line: int, column: int, text: str) -> None:
        """Writes something at a place, from 0 on; the editor's own copy is the caller's business."""
        self.versions[uri] += 1
        where = types.Position(line, column)
        change = types.TextDocumentContentChangePartial(range=types.Range(where, where), text=text)
        changed = types.VersionedTextDocumentIdentifier(self.versions[uri], uri)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(changed, [change]))

    def findings(self, uri: str, times: int = 1) -> list[types.Diagnostic]:
        """What was last said about the text as it is, after so many times."""

        async def heard() -> list[types.Diagnostic]:
            while True:
                said = [found for version, found in self.told.get(uri, []) if version == self.versions[uri]]
                if len(said) >= times:
                    return said[-1]
                await asyncio.sleep(0.01)

        found = self.run(heard())
        assert isinstance(found, list)
        return found

    def ask(self, method: str, params: Any) -> Any:
        async def asked() -> Any:
            return await self.client.protocol.send_request_async(method, params)

        return self.run(asked())


def at_cursor(text: str) -> tuple[str, types.Position]:
    """The text without the mark, and where it stood."""
    before, _, after = text.partition(CURSOR)
    return before + after, types.Position(before.count("\n"), len(before) - before.rfind("\n") - 1)


def applied(text: str, edits: list[types.TextEdit]) -> str:
    """The text as an editor makes it of a server's edits; all its characters count one."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)

    def offset(position: types.Position) -> int:
        return starts[position.line] + min(position.character, len(lines[position.line]))

    for edit in sorted(edits, key=lambda e: offset(e.range.start), reverse=True):
        text = text[: offset(edit.range.start)] + edit.new_text + text[offset(edit.range.end) :]
    return text
