"""Requests about names: where they are declared and used, what they are, another name for them, their colours."""

from __future__ import annotations

from typing import Protocol

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from teufelswerk.base.diagnostics import Span
from teufelswerk.editing.colours import COLOURS, colours
from teufelswerk.editing.hover import hover, span_text
from teufelswerk.editing.names import Names, names_of
from teufelswerk.editing.rename import NotRenamed, family, rename, renameable

from teufelswerk_cli.editor.places import uri_of
from teufelswerk_cli.editor.server import RuleServer

MODIFIERS = ("declaration", "readonly", "defaultLibrary")
REFUSED = -32803
"""The protocol's number for a request that was understood, and cannot be granted."""


class Refused(JsonRpcException):
    CODE = REFUSED
    MESSAGE = "refused"


class Asked(Protocol):
    """What is asked about a place in a document."""

    @property
    def text_document(self) -> types.TextDocumentIdentifier: ...

    @property
    def position(self) -> types.Position: ...


def names_at(server: RuleServer, params: Asked) -> tuple[Names, int, int] | None:
    file = server.file(params.text_document)
    return (names_of(file), *server.places.column(file.source, params.position)) if file else None


def location(server: RuleServer, span: Span) -> types.Location:
    return types.Location(uri_of(span.source.path), server.places.range(span))


def add_naming(server: RuleServer) -> None:
    """The server answers requests about names."""
    add_jumps(server)
    add_renaming(server)
    add_looks(server)


def add_jumps(server: RuleServer) -> None:
    """To where a name is declared, and to where it is used."""

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    def definition(params: types.DefinitionParams) -> list[types.Location]:
        asked = names_at(server, params)
        here = asked[0].at(*asked[1:]) if asked else None
        return [location(server, span) for _, span in asked[0].places_of(here.meaning)] if asked and here else []

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    def references(params: types.ReferenceParams) -> list[types.Location]:
        asked = names_at(server, params)
        here = asked[0].at(*asked[1:]) if asked else None
        if asked is None or here is None:
            return []
        alone = here.meaning.kind in ("local", "person", "card", "word", "base")
        files = [asked[0]] if alone else family(asked[0], here.meaning)
        found = [o for names in files for o in names.all_of(here.meaning)]
        wanted = [o for o in found if params.context.include_declaration or not o.declares]
        return [location(server, span) for span in dict.fromkeys(o.span for o in wanted)]

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def highlight(params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
        asked = names_at(server, params)
        here = asked[0].at(*asked[1:]) if asked else None
        return [
            types.DocumentHighlight(
                server.places.range(o.span),
                types.DocumentHighlightKind.Write if o.declares else types.DocumentHighlightKind.Read,
            )
            for o in (asked[0].all_of(here.meaning) if asked and here else ())
        ]


def add_renaming(server: RuleServer) -> None:
    """Another name for something, or why not."""

    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepare_rename(params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
        asked = names_at(server, params)
        if asked is None:
            return None
        try:
            here = renameable(*asked)
        except NotRenamed as problem:
            raise Refused(server.say(problem.message)) from None
        return types.PrepareRenamePlaceholder(server.places.range(here.span), span_text(here.span))

    @server.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    def renaming(params: types.RenameParams) -> types.WorkspaceEdit | None:
        asked = names_at(server, params)
        if asked is None:
            return None
        try:
            found = rename(*asked, params.new_name.strip())
        except NotRenamed as problem:
            raise Refused(server.say(problem.message)) from None
        return types.WorkspaceEdit(
            changes={
                uri_of(path): [types.TextEdit(server.places.range(edit.span), edit.text) for edit in edits]
                for path, edits in found.items()
            }
        )


def add_looks(server: RuleServer) -> None:
    """What a word is, and its colour."""

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hovering(params: types.HoverParams) -> types.Hover | None:
        asked = names_at(server, params)
        told = hover(*asked) if asked else None
        if told is None:
            return None
        words = [f"```teufelswerk\n{told.code}\n```"] if told.code else []
        words += ["  \n".join(server.say(text) for text in told.told)]
        markdown = types.MarkupContent(types.MarkupKind.Markdown, "\n\n".join(words))
        return types.Hover(markdown, server.places.range(told.span))

    legend = types.SemanticTokensLegend(list(COLOURS), list(MODIFIERS))

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, legend)
    def semantic_tokens(params: types.SemanticTokensParams) -> types.SemanticTokens:
        file = server.file(params.text_document)
        data: list[int] = []
        line = column = 0
        for word in colours(names_of(file)) if file else ():
            where = server.places.range(word.span)
            row, start, end = where.start.line, where.start.character, where.end.character
            flags = word.declares | word.constant << 1 | word.general << 2
            data += [row - line, start - (column if row == line else 0), end - start, COLOURS.index(word.colour), flags]
            line, column = row, start
        return types.SemanticTokens(data)
