"""Requests while one writes: words that may stand there, what a move is given, hints and lenses."""

from __future__ import annotations

from typing import Any

from lsprotocol import types
from teufelswerk.base.diagnostics import Span
from teufelswerk.base.texts import Text
from teufelswerk.editing.completion import OfferKind, offers
from teufelswerk.editing.hints import hints
from teufelswerk.editing.lenses import Lens, lenses, verdicts
from teufelswerk.editing.names import names_of
from teufelswerk.editing.signature import signature

from teufelswerk_cli.editor.places import path_of, uri_of
from teufelswerk_cli.editor.server import RuleServer

KINDS: dict[OfferKind, types.CompletionItemKind] = {
    "keyword": types.CompletionItemKind.Keyword,
    "heading": types.CompletionItemKind.Reference,
    "game": types.CompletionItemKind.File,
    "base": types.CompletionItemKind.File,
    "figure": types.CompletionItemKind.Variable,
    "attribute": types.CompletionItemKind.Property,
    "cards": types.CompletionItemKind.Class,
    "place": types.CompletionItemKind.Folder,
    "keep": types.CompletionItemKind.Variable,
    "value": types.CompletionItemKind.Constant,
    "step": types.CompletionItemKind.Function,
    "move": types.CompletionItemKind.Method,
    "member": types.CompletionItemKind.EnumMember,
    "card": types.CompletionItemKind.EnumMember,
    "local": types.CompletionItemKind.Variable,
    "person": types.CompletionItemKind.Value,
    "word": types.CompletionItemKind.Keyword,
}
RUN, PLAY, SHOW = "teufelswerk.run", "teufelswerk.play", "teufelswerk.show"
"""What a lens does: the first the server knows, the others an editor's extension."""


VERDICTS = "teufelswerk/verdicts"
"""How each example came out, for whoever wants to show that elsewhere than above its lines."""


def add_assisting(server: RuleServer) -> None:
    """The server answers what is asked while somebody writes."""
    add_words(server)
    add_margins(server)


def add_words(server: RuleServer) -> None:
    """What may stand there, and what a move is given."""

    @server.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=["{", " "]))
    def completion(params: types.CompletionParams) -> types.CompletionList:
        sheet = server.desk.sheets.get(params.text_document.uri)
        file = server.desk.lately(params.text_document.uri)
        if sheet is None or file is None:
            return types.CompletionList(False, [])
        line, column = server.places.column_in(sheet.text, params.position)
        found = offers(names_of(file), sheet.text, line, column)
        items = [
            types.CompletionItem(offer.word, kind=KINDS[offer.kind], sort_text=f"{number:04}")
            for number, offer in enumerate(found)
        ]
        return types.CompletionList(True, items)

    @server.feature(types.TEXT_DOCUMENT_SIGNATURE_HELP, types.SignatureHelpOptions(trigger_characters=[" ", ","]))
    def signature_help(params: types.SignatureHelpParams) -> types.SignatureHelp | None:
        sheet = server.desk.sheets.get(params.text_document.uri)
        file = server.desk.lately(params.text_document.uri)
        if sheet is None or file is None:
            return None
        found = signature(file, sheet.text, *server.places.column_in(sheet.text, params.position))
        if found is None:
            return None
        choices = [types.ParameterInformation(choice) for choice in found.choices]
        label = f"{found.verb} {', '.join(found.choices)}".rstrip()
        shown = types.SignatureInformation(label, found.invitation, choices, found.now)
        return types.SignatureHelp([shown], 0, found.now)


def add_margins(server: RuleServer) -> None:
    """What stands between the words and above the lines."""

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    def inlay_hint(params: types.InlayHintParams) -> list[types.InlayHint]:
        file = server.file(params.text_document)
        asked = range(params.range.start.line + 1, params.range.end.line + 2)
        return [
            types.InlayHint(
                server.places.position(Span(file.source, hint.line, hint.column, hint.column), hint.column),
                hint.words,
                tooltip="\n".join(map(server.say, hint.told)) or None,
            )
            for hint in (hints(file) if file else ())
            if file and hint.line in asked
        ]

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    def code_lens(params: types.CodeLensParams) -> list[types.CodeLens]:
        uri = params.text_document.uri
        file = server.file(params.text_document)
        sheet = server.desk.sheets.get(uri)
        if file is None or sheet is None:
            return []
        results = sheet.judged.results if sheet.judged and sheet.judged_file is file else []
        found = [shown(server, uri, file.source.path, lens) for lens in lenses(file, results)]
        if file.loaded.model is not None:
            start = types.Range(types.Position(0, 0), types.Position(0, 0))
            play = types.Command(server.say(Text("play this game")), PLAY, arguments=[str(path_of(uri))])
            found.insert(0, types.CodeLens(start, play))
        return found

    @server.feature(VERDICTS)
    def ask_verdicts(params: Any) -> list[dict[str, Any]]:
        uri = params.textDocument.uri
        sheet, file = server.desk.sheets.get(uri), server.desk.now(uri)
        if sheet is None or file is None:
            return []
        results = sheet.judged.results if sheet.judged and sheet.judged_file is file else []
        rules = file.loaded.checked.model
        context = f"{rules.family}: heading" if rules is not None else None
        return [
            {
                "line": found.line,
                "heading": server.say(Text(found.heading, msgctxt=context)),
                "holds": found.holds,
                "found": [[line, server.say(words)] for line, words in found.found],
            }
            for found in verdicts(file, results)
        ]

    @server.command(RUN)
    def run(ls: RuleServer, uri: str, *rest: Any) -> None:
        """Runs the examples of a file now."""
        sheet = server.desk.sheets.get(uri)
        if sheet is not None:
            server.desk.look_at(sheet)


def shown(server: RuleServer, uri: str, path: str, lens: Lens) -> types.CodeLens:
    line = types.Position(lens.line - 1, 0)
    places = [types.Location(uri_of(span.source.path), server.places.range(span)) for span in lens.places]
    if lens.run:
        command = types.Command(server.say(lens.title), RUN, arguments=[uri])
    else:
        converted: list[Any] = [
            {"uri": p.uri, "line": p.range.start.line, "character": p.range.start.character} for p in places
        ]
        arguments = [uri, lens.line - 1, converted]
        command = types.Command(server.say(lens.title), SHOW if places else "", arguments=arguments)
    return types.CodeLens(types.Range(line, line), command)
