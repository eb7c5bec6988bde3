// A window of VS Code that is only there for tests: as much of its module `vscode` as the client and the extension use.
// Documents, events and providers are real; what the editor would draw is kept to be looked at.

const { pathToFileURL, fileURLToPath } = require("url");

class Disposable {
  constructor(end) { this.end = end; }
  static from(...all) { return new Disposable(() => all.forEach((each) => each.dispose())); }
  dispose() { if (this.end) this.end(); }
}

class EventEmitter {
  constructor() {
    this.listeners = new Set();
    this.event = (listener, self) => {
      const heard = self ? listener.bind(self) : listener;
      this.listeners.add(heard);
      return new Disposable(() => this.listeners.delete(heard));
    };
  }
  fire(what) { return [...this.listeners].map((listener) => listener(what)); }
  dispose() { this.listeners.clear(); }
}

class CancellationTokenSource {
  constructor() { this.token = { isCancellationRequested: false, onCancellationRequested: new EventEmitter().event }; }
  cancel() { this.token.isCancellationRequested = true; }
  dispose() {}
}

class Uri {
  constructor(text) { this.text = text; }
  static parse(text) { return new Uri(text); }
  static file(name) { return new Uri(pathToFileURL(name).toString()); }
  get scheme() { return this.text.split(":")[0]; }
  get path() { return new URL(this.text).pathname; }
  get fsPath() { return fileURLToPath(this.text); }
  toString() { return this.text; }
}

class Position {
  constructor(line, character) { Object.assign(this, { line, character }); }
}

class Range {
  constructor(a, b, c, d) {
    [this.start, this.end] = typeof a === "number" ? [new Position(a, b), new Position(c, d)] : [a, b];
  }
}

// A class whose objects have what they are made with, under these names.
const made = (...names) => class {
  constructor(...given) { names.forEach((name, at) => { this[name] = given[at]; }); }
};
const numbered = (...names) => Object.fromEntries(names.flatMap((name, at) => [[name, at], [at, name]]));

class CodeActionKind {
  constructor(value) { this.value = value; }
  append(part) { return new CodeActionKind(this.value ? `${this.value}.${part}` : part); }
  contains(other) { return !this.value || `${other.value}.`.startsWith(`${this.value}.`); }
}
for (const [name, value] of [["Empty", ""], ["QuickFix", "quickfix"], ["Refactor", "refactor"], ["Source", "source"]]) {
  CodeActionKind[name] = new CodeActionKind(value);
}

class WorkspaceEdit {
  constructor() { this.files = new Map(); }
  set(uri, edits) { this.files.set(uri.toString(), edits.map((edit) => (Array.isArray(edit) ? edit[0] : edit))); }
}

class MarkdownString {
  constructor(value) { this.value = value || ""; }
  appendMarkdown(text) { this.value += text; return this; }
  appendCodeblock(text) { this.value += text; return this; }
}

class Document {
  constructor(name, text, languageId) {
    Object.assign(this, { uri: Uri.file(name), text, languageId, version: 1, isDirty: true, isClosed: false, eol: 1 });
    this.fileName = name;
  }
  get lineCount() { return this.text.split("\n").length; }
  getText() { return this.text; }
  async save() {
    require("fs").writeFileSync(this.uri.fsPath, this.text);
    this.isDirty = false;
    return true;
  }
}

// What is not listed is a class without anything of its own, or an event that never comes.
const others = (known, name) => new Proxy(known, {
  get: (object, key) => {
    if (key in object || typeof key === "symbol") return object[key];
    if (/^on(Did|Will)/.test(key)) return (object[key] = new EventEmitter().event);
    if (/^(register|create)/.test(key)) return (object[key] = () => new Disposable());
    return /^[A-Z]/.test(key) ? (object[key] = made()) : undefined;
  },
});

exports.makeWindow = (folder, settings, language) => {
  const events = {}, providers = {}, commands = new Map(), seen = { terminals: [], messages: [], diagnostics: new Map(), ran: [] };
  const event = (name) => (events[name] = new EventEmitter()).event;
  const documents = [];
  const provide = (kind) => (...given) => {
    providers[kind] = given.find((each, at) => at && typeof each === "object");
    return new Disposable();
  };
  const kinds = ["CompletionItem", "Hover", "CodeLens", "CodeActions", "Rename", "Definition", "Reference", "DocumentSymbol",
    "InlayHints", "SignatureHelp", "FoldingRange", "DocumentFormattingEdit", "DocumentHighlight", "DocumentSemanticTokens"];
  const said = (level) => async (text) => { seen.messages.push([level, text]); };
  const vscode = others({
    __esModule: true, version: "1.120.0", Disposable, EventEmitter, CancellationTokenSource, Uri, Position, Range, CodeActionKind, WorkspaceEdit,
    MarkdownString, CancellationError: class extends Error {},
    Location: made("uri", "range"), Diagnostic: made("range", "message", "severity"),
    DiagnosticRelatedInformation: made("location", "message"), CompletionItem: made("label", "kind"), CompletionList: made("items", "isIncomplete"),
    Hover: made("contents", "range"), CodeLens: made("range", "command"), CodeAction: made("title", "kind"),
    TextEdit: Object.assign(made("range", "newText"), { replace: (range, newText) => ({ range, newText }) }),
    InlayHint: made("position", "label", "kind"), FoldingRange: made("start", "end", "kind"), SemanticTokens: made("data"),
    SemanticTokensLegend: made("types", "modifiers"), DocumentHighlight: made("range", "kind"),
    DocumentSymbol: made("name", "detail", "kind", "range", "selectionRange"), RelativePattern: made("base", "pattern"),
    DiagnosticSeverity: numbered("Error", "Warning", "Information", "Hint"), DiagnosticTag: { Unnecessary: 1, Deprecated: 2 },
    CompletionItemKind: {}, CompletionItemTag: { Deprecated: 1 }, SymbolKind: {}, SymbolTag: { Deprecated: 1 }, FoldingRangeKind: {},
    CompletionTriggerKind: numbered("Invoke", "TriggerCharacter"), CodeActionTriggerKind: { Invoke: 1, Automatic: 2 },
    DocumentHighlightKind: numbered("Text", "Read", "Write"), InlayHintKind: { Type: 1, Parameter: 2 }, ProgressLocation: {},
    TextDocumentSaveReason: { Manual: 1, AfterDelay: 2, FocusOut: 3 }, ViewColumn: { Beside: -2 }, LogLevel: numbered("Off", "Trace", "Debug", "Info"),
    FileType: { File: 1, Directory: 2 }, NotebookCellKind: { Markup: 1, Code: 2 }, TextDocumentChangeReason: { Undo: 1, Redo: 2 },
    env: others({ language, appName: "a window for tests" }),
    workspace: others({
      workspaceFolders: [{ uri: Uri.file(folder), name: "rules", index: 0 }],
      textDocuments: documents, notebookDocuments: [],
      getConfiguration: () => ({ get: (key, otherwise) => (key in settings ? settings[key] : otherwise) }),
      getWorkspaceFolder: () => undefined,
      openTextDocument: async (name) => documents.find((each) => each.uri.fsPath === name),
      createFileSystemWatcher: () => others({ dispose() {} }),
      onDidOpenTextDocument: event("opened"), onDidChangeTextDocument: event("changed"), onDidCloseTextDocument: event("closed"),
      fs: {},
    }),
    languages: others({
      match: (selector, document) => ([].concat(selector).some((each) => each.language === document.languageId) ? 10 : 0),
      createDiagnosticCollection: () => ({
        set: (uri, found) => { seen.diagnostics.set(uri.toString(), found); },
        delete: (uri) => seen.diagnostics.delete(uri.toString()), clear: () => seen.diagnostics.clear(), dispose() {},
      }),
      ...Object.fromEntries(kinds.map((kind) => [`register${kind}Provider`, provide(kind)])),
    }),
    window: others({
      visibleTextEditors: [], tabGroups: others({ all: [] }),
      showErrorMessage: said("error"), showWarningMessage: said("warning"), showInformationMessage: said("information"),
      createOutputChannel: () => others({ append() {}, appendLine() {}, show() {}, dispose() {}, error() {}, warn() {}, info() {}, debug() {}, trace() {} }),
      createTerminal: (how) => { seen.terminals.push(how); return { show() {} }; },
      createWebviewPanel: (id, title) => (seen.panel = { title, webview: {} }),
      withProgress: (how, work) => work({ report() {} }, new CancellationTokenSource().token),
    }),
    commands: {
      registerCommand: (name, work) => {
        if (commands.has(name)) throw new Error(`command '${name}' already exists`);
        commands.set(name, work);
        return new Disposable(() => commands.delete(name));
      },
      executeCommand: async (name, ...given) => {
        seen.ran.push([name, ...given]);
        return commands.has(name) ? commands.get(name)(...given) : undefined;
      },
    },
  });
  const open = (name, text) => {
    const document = new Document(name, text, "teufelswerk");
    documents.push(document);
    vscode.window.activeTextEditor = { document, selection: { active: new Position(0, 0) } };
    events.opened.fire(document);
    return document;
  };
  const type = (document, line, start, end, text) => {
    const lines = document.text.split("\n"), before = lines[line];
    lines[line] = before.slice(0, start) + text + before.slice(end);
    Object.assign(document, { text: lines.join("\n"), version: document.version + 1, isDirty: true });
    const change = { range: new Range(line, start, line, end), rangeLength: end - start, text };
    events.changed.fire({ document, contentChanges: [change], reason: undefined });
  };
  return { vscode, seen, providers, commands, open, type };
};
