"""Requests while one writes: words that may stand there, what a move is given, hints and lenses."""

from __future__ import annotations

import shlex
from typing import Any

from lsprotocol import types
from teufelswerk.base.diagnostics import Span
from teufelswerk.base.texts import Text
from teufelswerk.editing.completion import OfferKind, offers
from teufelswerk.editing.hints import hints
from teufelswerk.editing.lenses import Lens, lenses, verdicts
from teufelswerk.editing.names import names_of
from teufelswerk.editing.signature import signature

from teufelswerk_cli.console.speech import command
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
PLAY, SHOW = "teufelswerk.play", "teufelswerk.show"
"""What a lens does that only an editor's extension can, and does if it has said so: opens a terminal, shows places."""
RUN, HOW, NAME_THEM = "teufelswerk.run", "teufelswerk.howToPlay", "teufelswerk.nameThem"
"""What the server does: runs examples; tells other editors what to type in a terminal, and where to look."""


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

    add_lenses(server)
    add_commands(server)


def add_lenses(server: RuleServer) -> None:
    """What stands above the lines, and what a click on it does."""

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    def code_lens(params: types.CodeLensParams) -> list[types.CodeLens]:
        uri = params.text_document.uri
        file = server.file(params.text_document)
        sheet = server.desk.sheets.get(uri)
        if file is None or sheet is None:
            return []
        results = sheet.judged.results if sheet.judged and sheet.judged_file is file else []
        found = [shown(server, uri, lens) for lens in lenses(file, results)]
        if file.loaded.model is not None:
            found.insert(0, shown(server, uri, Lens(1, Text("play this game"), does="play"), whole=True))
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


def add_commands(server: RuleServer) -> None:
    """What a click on a lens does here."""

    @server.command(RUN)
    def run(ls: RuleServer, uri: str, *rest: Any) -> None:
        """Runs the examples of a file now."""
        sheet = server.desk.sheets.get(uri)
        if sheet is not None:
            server.desk.look_at(sheet)

    @server.command(HOW)
    def how_to_play(ls: RuleServer, path: str, line: int) -> str:
        """What to type in a terminal to play a game from a line of its file; from 0, the whole game."""
        words = shlex.join([*command().split(), "play", path, *(["--from", str(line)] if line else [])])
        server.tell(server.say(Text("Type this in a terminal: {command}", command=words)))
        return words

    @server.command(NAME_THEM)
    def name_them(ls: RuleServer, uri: str, line: int, places: list[Any]) -> str:
        """The examples that a lens speaks of, with their lines."""
        sheet = server.desk.sheets.get(uri)
        lines = sheet.text.split("\n") if sheet is not None else []
        found = []
        for number in (_of(place, "line") for place in places):
            heading = next((text for text in reversed(lines[:number]) if text.startswith("#")), "").lstrip("# ")
            found.append(server.say(Text("{example} (line {line})", example=heading, line=number + 1)))
        said = "; ".join(found)
        server.tell(said)
        return said


def _of(place: Any, name: str) -> int:
    return int(place[name] if isinstance(place, dict) else getattr(place, name))


def shown(server: RuleServer, uri: str, lens: Lens, whole: bool = False) -> types.CodeLens:
    line = types.Position(lens.line - 1, 0)
    arguments: list[Any]
    if lens.does == "run":
        name, arguments = RUN, [uri]
    elif lens.does == "play":
        name = PLAY if server.has_terminals else HOW
        arguments = [str(path_of(uri)), 0 if whole else lens.line]
    else:
        places = [types.Location(uri_of(span.source.path), server.places.range(span)) for span in lens.places]
        name = "" if not places else SHOW if server.has_terminals else NAME_THEM
        starts = [(place.uri, place.range.start) for place in places]
        converted = [{"uri": at, "line": start.line, "character": start.character} for at, start in starts]
        arguments = [uri, lens.line - 1, converted]
    return types.CodeLens(types.Range(line, line), types.Command(server.say(lens.title), name, arguments=arguments))
