// The text of the rules: CodeMirror and a language server at the other end of a socket.
// @ts-check
import {
  Decoration, EditorState, EditorView, GutterMarker, LSPClient, LSPPlugin, RangeSet, StateEffect, StateField, autocompletion,
  completionKeymap, defaultKeymap, drawSelection, findReferencesKeymap, formatKeymap, gutter, highlightActiveLine,
  highlightActiveLineGutter, highlightSelectionMatches, history, historyKeymap, hoverTooltips, indentUnit, jumpToDefinitionKeymap,
  keymap, lineNumbers, lintGutter, lintKeymap, nextDiagnostic, renameKeymap, searchKeymap, serverCompletion, setDiagnostics,
  signatureHelp,
} from "./codemirror.js";

/** @typedef {import("./studio-types").Verdict} Verdict */
/** @typedef {{ line: number, character: number }} Position */
/** @typedef {{ start: Position, end: Position }} Range */
/** @typedef {{ range: Range, message: string, severity?: number }} Finding */

const LANGUAGE = "teufelswerk";
const PAUSE = 60; // milliseconds without a keystroke before the server is told
const MOST_MENDED = 6; // so many lines are asked how they could be mended
const TAGS = new Set(["P", "CODE", "PRE", "EM", "STRONG", "BR", "UL", "OL", "LI", "SPAN", "DIV", "HR"]);

// ---- colours, by what a name stands for ---------------------------------------------------------------------------

/** @type {any} */
const colour = StateEffect.define();
const colours = StateField.define({
  create: () => Decoration.none,
  update(/** @type {any} */ value, /** @type {any} */ change) {
    let found = value.map(change.changes);
    for (const effect of change.effects) if (effect.is(colour)) found = effect.value;
    return found;
  },
  provide: (/** @type {any} */ field) => EditorView.decorations.from(field),
});

// ---- verdicts beside the lines ------------------------------------------------------------------------------------

class Mark extends GutterMarker {
  /** @param {string} sign @param {string} words */
  constructor(sign, words) {
    super();
    this.sign = sign;
    this.words = words;
  }

  /** @param {Mark} other */
  eq(other) {
    return other.sign === this.sign && other.words === this.words;
  }

  toDOM() {
    const mark = document.createElement("span");
    mark.className = { "✓": "mark holds", "✗": "mark fails" }[this.sign] ?? "mark";
    mark.textContent = this.sign;
    mark.title = this.words;
    return mark;
  }
}

/** @type {any} */
const mark = StateEffect.define();
const marks = StateField.define({
  create: () => RangeSet.empty,
  update(/** @type {any} */ value, /** @type {any} */ change) {
    let found = value.map(change.changes);
    for (const effect of change.effects) if (effect.is(mark)) found = effect.value;
    return found;
  },
});

export class Writing {
  /**
   * @param {HTMLElement} place
   * @param {{ token: string, language: string, nonce: string, label: string }} setting
   * @param {{ text: (text: string) => void, line: (line: number) => void, verdicts: (found: Verdict[]) => void,
   *   mistakes: (errors: number, all: number) => void, save: () => void }} told
   */
  constructor(place, setting, told) {
    this.place = place;
    this.setting = setting;
    this.told = told;
    this.uri = "";
    /** @type {any} */
    this.view = null;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.client = new LSPClient({
      timeout: 20000,
      sanitizeHTML: harmless,
      extensions: [{
        clientCapabilities: { workspace: { codeLens: { refreshSupport: true } }, textDocument: { codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix"] } } } } },
        notificationHandlers: { "textDocument/publishDiagnostics": (/** @type {any} */ _client, /** @type {any} */ found) => this.diagnosed(found) },
      }],
    });
    this.connect();
  }

  // ---- the socket -------------------------------------------------------------------------------------------------

  connect() {
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/language`);
    /** @type {Set<(message: string) => void>} */
    const hearing = new Set();
    this.socket = socket;
    socket.onopen = () => {
      socket.send(JSON.stringify({ token: this.setting.token, language: this.setting.language }));
      this.client.connect({
        send: (/** @type {string} */ message) => { if (socket.readyState === WebSocket.OPEN) socket.send(message); },
        subscribe: (/** @type {(message: string) => void} */ hear) => hearing.add(hear),
        unsubscribe: (/** @type {(message: string) => void} */ hear) => hearing.delete(hear),
      });
    };
    socket.onmessage = (event) => {
      const message = JSON.parse(event.data);
      if (message.method && message.id !== undefined) { // the server asks: it has run the examples
        socket.send(JSON.stringify({ jsonrpc: "2.0", id: message.id, result: null }));
        if (message.method === "workspace/codeLens/refresh") void this.judge();
        return;
      }
      for (const hear of hearing) hear(event.data);
    };
    socket.onclose = () => {
      if (this.socket !== socket) return;
      this.client.disconnect();
      setTimeout(() => this.socket === socket && this.connect(), 1500);
    };
  }

  /** The same text, its mistakes told in another language. @param {string} language */
  speak(language) {
    this.setting = { ...this.setting, language };
    const before = this.socket;
    this.socket = null;
    before?.close();
    this.client.disconnect();
    this.connect();
  }

  // ---- the text ---------------------------------------------------------------------------------------------------

  /** @param {string} uri @param {string} text */
  open(uri, text) {
    this.view?.destroy();
    this.uri = uri;
    this.line = 1;
    this.view = new EditorView({ parent: this.place, state: EditorState.create({ doc: text, extensions: this.extensions() }) });
    this.view.focus();
  }

  get text() {
    return this.view?.state.doc.toString() ?? "";
  }

  /** @param {string} text */
  replace(text) {
    const { state } = this.view;
    this.view.dispatch({ changes: { from: 0, to: state.doc.length, insert: text }, selection: { anchor: Math.min(state.selection.main.head, text.length) } });
  }

  /** Adds lines at the end and goes there. @param {string} text */
  append(text) {
    const { length } = this.view.state.doc;
    const kept = this.text.trimEnd().length;
    this.view.dispatch({ changes: { from: kept, to: length, insert: text }, selection: { anchor: kept + 2 }, scrollIntoView: true });
  }

  /** @param {number} line */
  go(line) {
    const { doc } = this.view.state;
    const at = doc.line(Math.max(1, Math.min(line, doc.lines)));
    this.view.dispatch({ selection: { anchor: at.from }, effects: EditorView.scrollIntoView(at.from, { y: "center" }) });
    this.view.focus();
  }

  nextMistake() {
    nextDiagnostic(this.view);
    this.view.focus();
  }

  extensions() {
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    return [
      EditorView.cspNonce.of(this.setting.nonce),
      EditorView.contentAttributes.of({ "aria-label": this.setting.label, spellcheck: "false", tabindex: "0" }),
      EditorView.theme({}, { dark }),
      EditorView.lineWrapping,
      gutter({ class: "marks", markers: (/** @type {any} */ view) => view.state.field(marks), initialSpacer: () => new Mark("✓", "") }),
      lineNumbers(), lintGutter(), history(), drawSelection(), highlightActiveLine(), highlightActiveLineGutter(),
      highlightSelectionMatches(), autocompletion(), indentUnit.of("    "), colours, marks,
      serverCompletion(), hoverTooltips(), signatureHelp(),
      keymap.of([
        { key: "Mod-s", preventDefault: true, run: () => (this.told.save(), true) },
        ...completionKeymap, ...lintKeymap, ...renameKeymap, ...formatKeymap, ...jumpToDefinitionKeymap, ...findReferencesKeymap,
        ...searchKeymap, ...historyKeymap, ...defaultKeymap,
      ]),
      EditorView.updateListener.of((/** @type {any} */ update) => this.updated(update)),
      this.client.plugin(this.uri, LANGUAGE),
    ];
  }

  /** @param {any} update */
  updated(update) {
    if (update.docChanged) {
      clearTimeout(this.waiting);
      this.waiting = setTimeout(() => {
        this.client.sync();
        this.told.text(this.text);
      }, PAUSE);
    }
    const line = update.state.doc.lineAt(update.state.selection.main.head).number;
    if (line !== this.line) {
      this.line = line;
      this.told.line(line);
    }
  }

  // ---- what the server finds --------------------------------------------------------------------------------------

  /** @param {{ uri: string, version?: number, diagnostics: Finding[] }} found */
  diagnosed(found) {
    const file = this.client.workspace.getFile(found.uri);
    if (!file || found.uri !== this.uri || (found.version != null && found.version !== file.version)) return true;
    const shown = found.diagnostics.map((item) => ({ ...this.place_of(item.range), severity: severity(item.severity), message: item.message, actions: [] }));
    this.show(shown);
    const errors = shown.filter((item) => item.severity === "error").length;
    this.told.mistakes(errors, shown.filter((item) => item.severity !== "info").length);
    void this.paint();
    void this.judge();
    void this.mend(found.diagnostics, shown, file.version);
    return true;
  }

  /** @param {any[]} shown */
  show(shown) {
    this.view.dispatch(setDiagnostics(this.view.state, shown));
  }

  /** @param {Range} range @returns {{ from: number, to: number }} */
  place_of(range) {
    const plugin = LSPPlugin.get(this.view);
    const at = (/** @type {Position} */ place) => plugin.unsyncedChanges.mapPos(plugin.fromPosition(place, plugin.syncedDoc));
    return { from: at(range.start), to: at(range.end) };
  }

  /** Quick fixes, as buttons below what is wrong. @param {Finding[]} found @param {any[]} shown @param {number} version */
  async mend(found, shown, version) {
    const lines = new Set(found.map((item) => item.range.start.line));
    let mended = false;
    for (const line of [...lines].slice(0, MOST_MENDED)) {
      const range = { start: { line, character: 0 }, end: { line, character: 0 } };
      const offered = await this.ask("textDocument/codeAction", { range, context: { diagnostics: [] } });
      for (const action of offered ?? []) {
        const number = found.findIndex((item) => item.message === action.diagnostics?.[0]?.message && item.range.start.line === line);
        if (number < 0) continue;
        shown[number].actions.push({ name: action.title, apply: () => this.apply(action.edit?.changes?.[this.uri] ?? []) });
        mended = true;
      }
    }
    if (mended && this.client.workspace.getFile(this.uri)?.version === version) this.show(shown);
  }

  /** @param {{ range: Range, newText: string }[]} edits */
  apply(edits) {
    this.view.dispatch({ changes: edits.map((edit) => ({ ...this.place_of(edit.range), insert: edit.newText })) });
    this.view.focus();
  }

  async paint() {
    const legend = this.client.serverCapabilities?.semanticTokensProvider?.legend;
    const doc = LSPPlugin.get(this.view)?.syncedDoc;
    const found = legend && (await this.ask("textDocument/semanticTokens/full", {}));
    if (!found || LSPPlugin.get(this.view)?.syncedDoc !== doc) return;
    const ranges = [];
    let [line, column] = [0, 0];
    for (let n = 0; n < found.data.length; n += 5) {
      const [down, right, length, kind, flags] = found.data.slice(n, n + 5);
      column = down ? right : column + right;
      line += down;
      const from = doc.line(line + 1).from + column;
      const general = flags >> 2 & 1;
      ranges.push(Decoration.mark({ class: `of-${legend.tokenTypes[kind]}${general ? " general" : ""}` }).range(from, from + length));
    }
    const set = RangeSet.of(ranges, true).map(LSPPlugin.get(this.view).unsyncedChanges);
    this.view.dispatch({ effects: colour.of(set) });
  }

  async judge() {
    const doc = LSPPlugin.get(this.view)?.syncedDoc;
    /** @type {Verdict[] | null} */
    const found = doc && (await this.ask("teufelswerk/verdicts", {}));
    if (!found || LSPPlugin.get(this.view)?.syncedDoc !== doc) return;
    const ranges = [];
    for (const verdict of found) {
      const sign = verdict.holds === null ? "·" : verdict.holds ? "✓" : "✗";
      ranges.push(new Mark(sign, "").range(doc.line(verdict.line).from));
      for (const [line, words] of verdict.found) ranges.push(new Mark("✗", words).range(doc.line(line).from));
    }
    const set = RangeSet.of(ranges, true).map(LSPPlugin.get(this.view).unsyncedChanges);
    this.view.dispatch({ effects: mark.of(set) });
    this.told.verdicts(found);
  }

  /** @param {string} method @param {object} rest @returns {Promise<any>} */
  async ask(method, rest) {
    try {
      return await this.client.request(method, { textDocument: { uri: this.uri }, ...rest });
    } catch {
      return null; // called off by what was typed since, or the connection is gone
    }
  }
}

/** @param {number | undefined} number */
const severity = (number) => (number === 2 ? "warning" : number === 3 || number === 4 ? "info" : "error");

/** What a hover tells, as text with emphasis and nothing else. @param {string} html */
function harmless(html) {
  const found = new DOMParser().parseFromString(html, "text/html").body;
  for (const element of [...found.querySelectorAll("*")]) {
    if (!TAGS.has(element.tagName)) element.replaceWith(element.textContent ?? "");
    else for (const { name } of [...element.attributes]) if (name !== "class") element.removeAttribute(name);
  }
  return found.innerHTML;
}
