"""A language server for rule files: each request of the protocol is asked of `teufelswerk.editing`, and answered."""

from __future__ import annotations

from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from teufelswerk import __version__
from teufelswerk.base.diagnostics import Diagnostic, Span
from teufelswerk.base.find_files import SUFFIX
from teufelswerk.base.texts import Text
from teufelswerk.editing.opened import Opened
from teufelswerk.editing.outline import Entry, folds, outline
from teufelswerk.editing.repairs import Repair, repairs
from teufelswerk.language.i18n import Translator, choose_language, match
from teufelswerk.syntax.one_layout import formatted

from teufelswerk_cli.editor.desk import PAUSE, Desk, Sheet
from teufelswerk_cli.editor.places import Places, uri_of

NAME = "teufelswerk"
SEVERITY = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
}
SYMBOLS = {
    "section": types.SymbolKind.Namespace,
    "example": types.SymbolKind.Event,
    "cards": types.SymbolKind.Enum,
    "place": types.SymbolKind.Array,
    "keep": types.SymbolKind.Variable,
    "value": types.SymbolKind.Constant,
    "step": types.SymbolKind.Function,
    "move": types.SymbolKind.Method,
    "scene": types.SymbolKind.Event,
}


class RuleServer(LanguageServer):
    """The server for one editor. `language` is what was asked for on the command line, if anything was."""

    def __init__(self, language: str | None = None, pause: float = PAUSE) -> None:
        super().__init__(NAME, __version__, text_document_sync_kind=types.TextDocumentSyncKind.Incremental)
        self.asked_for = language
        self.say = Translator(choose_language(language))
        self.desk = Desk(self.publish, self.refresh, pause)
        self.has_terminals = False
        """Whether the editor has an extension of ours, which opens a terminal and shows places by itself."""

    @property
    def places(self) -> Places:
        return Places(self.workspace.position_codec)

    def speak(self, params: types.InitializeParams) -> None:
        """The language: the one of the command line, else of the editor's settings, else that the editor speaks."""
        options: Any = params.initialization_options
        wished = options.get("language") if isinstance(options, dict) else None
        self.has_terminals = isinstance(options, dict) and options.get("terminal") is True
        for wanted in (self.asked_for, wished, params.locale):
            if isinstance(wanted, str) and (known := match(wanted)):
                self.say = Translator(known)
                return

    def tell(self, words: str) -> None:
        """Shows a message to whoever sits at the editor."""
        self.window_show_message(types.ShowMessageParams(types.MessageType.Info, words))

    def file(self, document: types.TextDocumentIdentifier) -> Opened | None:
        return self.desk.now(document.uri)

    # ---- findings -------------------------------------------------------------------------------------------------

    def publish(self, sheet: Sheet, found: list[Diagnostic]) -> None:
        assert sheet.file
        shown = [self.diagnostic(sheet.file, finding) for finding in found]
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(sheet.uri, shown, sheet.version))

    def refresh(self) -> None:
        """The verdicts above examples are other ones now, if the editor shows any."""
        workspace = self.client_capabilities.workspace
        if workspace and workspace.code_lens and workspace.code_lens.refresh_support:
            self.workspace_code_lens_refresh(None)

    def diagnostic(self, file: Opened, finding: Diagnostic) -> types.Diagnostic:
        say, places, span = self.say, self.places, finding.span
        related = list(finding.related)
        if span is None:
            span = Span(file.source, 1, 1, len(file.source.lines[0]) + 1)
        elif span.source.path != file.source.path:  # in what the file builds upon
            related.insert(0, (span, finding.message))
            span = next((c.span for c in file.clauses.values() if _names_base(c)), Span(file.source, 1, 1, 1))
        words = [say(finding.message)]
        words += [say(finding.label)] if finding.label else []
        words += [f"{say(Text('help'))}: {say(finding.help)}"] if finding.help else []
        return types.Diagnostic(
            places.range(span),
            "\n".join(words),
            SEVERITY[finding.severity],
            code=finding.code,
            source=NAME,
            tags=[types.DiagnosticTag.Unnecessary] if finding.code == "unused" else None,
            related_information=[
                types.DiagnosticRelatedInformation(
                    types.Location(uri_of(where.source.path), places.range(where)), say(text)
                )
                for where, text in related
            ],
        )

    def fixes(self, params: types.CodeActionParams) -> list[types.CodeAction]:
        file = self.file(params.text_document)
        if file is None:
            return []
        asked = range(params.range.start.line + 1, params.range.end.line + 2)
        actions = []
        for finding in file.found:
            if finding.span is None or finding.span.source is not file.source or finding.span.line not in asked:
                continue
            mended = repairs(file, finding)
            for repair in mended:
                edit = self.edit(params.text_document.uri, repair)
                actions.append(
                    types.CodeAction(
                        self.say(repair.title),
                        types.CodeActionKind.QuickFix,
                        [self.diagnostic(file, finding)],
                        is_preferred=len(mended) == 1,
                        edit=edit,
                    )
                )
        return actions

    def edit(self, uri: str, repair: Repair) -> types.WorkspaceEdit:
        edits = [types.TextEdit(self.places.range(edit.span), edit.text) for edit in repair.edits]
        return types.WorkspaceEdit(changes={uri: edits})

    # ---- layout ---------------------------------------------------------------------------------------------------

    def symbols(self, file: Opened) -> list[types.DocumentSymbol]:
        return [self.symbol(file, entry) for entry in outline(file)]

    def symbol(self, file: Opened, entry: Entry) -> types.DocumentSymbol:
        return types.DocumentSymbol(
            entry.name,
            SYMBOLS[entry.kind],
            self.places.lines(file.source, entry.span.line, entry.last),
            self.places.range(entry.span),
            children=[self.symbol(file, child) for child in entry.children],
        )

    def format(self, file: Opened) -> list[types.TextEdit]:
        text, problems = formatted(file.source)
        if problems or text == file.source.text:
            return []
        return [types.TextEdit(self.places.all(file.source), text)]


def _names_base(clause: object) -> bool:
    return type(clause).__name__ == "Variant"


def make_server(language: str | None = None, pause: float = PAUSE) -> RuleServer:
    """A server that tells what it finds, and answers requests about the file as a whole."""
    server = RuleServer(language, pause)

    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        server.speak(params)

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(params: types.DidOpenTextDocumentParams) -> None:
        document = params.text_document
        if document.language_id == NAME or document.uri.endswith(SUFFIX):  # some editors tell of every Markdown file
            server.desk.write(document.uri, document.text, document.version)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(params: types.DidChangeTextDocumentParams) -> None:
        document = server.workspace.get_text_document(params.text_document.uri)
        if document.uri in server.desk.sheets:
            server.desk.write(document.uri, document.source, params.text_document.version)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: types.DidCloseTextDocumentParams) -> None:
        server.desk.put_away(params.text_document.uri)
        server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(params.text_document.uri, []))

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix])
    )
    def code_action(params: types.CodeActionParams) -> list[types.CodeAction]:
        return server.fixes(params)

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def document_symbol(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        file = server.file(params.text_document)
        return server.symbols(file) if file else []

    @server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    def folding_range(params: types.FoldingRangeParams) -> list[types.FoldingRange]:
        file = server.file(params.text_document)
        return [types.FoldingRange(fold.first - 1, fold.last - 1) for fold in folds(file)] if file else []

    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    def formatting(params: types.DocumentFormattingParams) -> list[types.TextEdit]:
        file = server.file(params.text_document)
        return server.format(file) if file else []

    return server
