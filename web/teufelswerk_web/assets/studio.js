// The studio's page: the text on the left, what it means on the right, and one socket that brings the news.
// @ts-check
import { byId, make } from "./dom.js";
import { Sheet, differences, examples, figures } from "./panes.js";
import { Writing } from "./writing.js";

/** @typedef {import("./studio-types").Told} Told */

const PANES = ["book", "examples", "table", "figures", "differences", "flow"];
const UNKNOWN = 4404;
const NOTE = 6000; // milliseconds

class Studio {
  constructor() {
    this.token = location.hash.slice(1);
    /** @type {import("./studio-types").Hello | null} */
    this.hello = null;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.waits = 500;
    this.n = 0;
    this.players = 4;
    /** @type {string | null} What is being saved. */
    this.saving = null;
    this.saveAgain = false;
    this.known = false; // whether anything of this file could be read
    this.name = this.stamp = this.savedText = this.tableToken = "";
    this.pane = PANES.includes(sessionStorage.getItem("pane") ?? "") ? /** @type {string} */ (sessionStorage.getItem("pane")) : "book";
    this.frames = /** @type {Record<string, HTMLIFrameElement>} */ (Object.fromEntries(["book", "table", "flow"].map((pane) => [pane, byId(`pane-${pane}`).querySelector("iframe")])));
    this.book = new Sheet(this.frames.book);
    this.flow = new Sheet(this.frames.flow);
    /** @type {Writing | null} */
    this.writing = null;
    byId("save").addEventListener("click", () => this.save());
    byId("files").addEventListener("click", () => this.showFiles());
    byId("mistakes").addEventListener("click", () => this.writing?.nextMistake());
    addEventListener("keydown", (event) => this.pressed(event));
    addEventListener("beforeunload", (event) => { if (this.isUnsaved()) event.preventDefault(); });
    addEventListener("hashchange", () => location.reload());
    this.connect();
  }

  get words() {
    return this.hello?.words ?? {};
  }

  // ---- the connection ---------------------------------------------------------------------------------------------

  connect() {
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/studio`);
    this.socket = socket;
    const language = localStorage.getItem("language") ?? navigator.language;
    socket.onopen = () => {
      this.waits = 500;
      this.ask("hello", { token: this.token, language, book: localStorage.getItem("book") ?? language });
    };
    socket.onmessage = (event) => this.heard(JSON.parse(event.data));
    socket.onclose = (event) => {
      if (this.socket !== socket) return;
      if (event.code === UNKNOWN) {
        this.warn(this.words.gone ?? "This link leads nowhere. · Dieser Link führt nirgendwohin. · Эта ссылка никуда не ведёт.");
        return;
      }
      this.warn(this.words.lost ?? "…");
      setTimeout(() => this.connect(), this.waits);
      this.waits = Math.min(this.waits * 1.6, 8000);
    };
  }

  /** @param {string} ask @param {Record<string, unknown>} [rest] */
  ask(ask, rest = {}) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ ask, ...rest }));
  }

  /** @param {string} text */
  warn(text) {
    byId("lost").textContent = text;
    byId("lost").hidden = !text;
  }

  /** @param {string} text */
  note(text) {
    byId("note").textContent = text;
    clearTimeout(this.noted);
    this.noted = setTimeout(() => (byId("note").textContent = ""), NOTE);
  }

  // ---- what is heard ----------------------------------------------------------------------------------------------

  /** @param {Told} told */
  heard(told) {
    switch (told.type) {
      case "hello":
        this.hello = told;
        this.saving = null; // whatever was under way when the line was lost
        this.warn("");
        this.furnish();
        this.resume();
        break;
      case "file":
        this.open(told.name, told.uri, told.text, told.stamp);
        break;
      case "saved":
        this.stamp = told.stamp;
        this.savedText = this.saving ?? this.savedText;
        this.saving = null;
        if (this.hello) this.hello.files = told.files;
        byId("outside").hidden = true;
        this.showState();
        this.note(this.words.saved);
        if (this.saveAgain) this.save();
        break;
      case "changed":
        this.changedOutside(told.text, told.stamp);
        break;
      case "refused":
        this.saving = null;
        this.note(told.words);
        break;
      case "late":
        this.note(this.words.late);
        break;
      case "example":
        this.addExample(told.lines);
        break;
      default:
        this.means(told);
    }
  }

  /** What the text means. @param {Extract<Told, { n: number }>} told */
  means(told) {
    if (told.n !== this.n) return;
    switch (told.type) {
      case "wrong":
        this.showStale(true);
        break;
      case "base":
        this.offerSections(told.sections);
        break;
      case "rules":
        this.showStale(false);
        document.title = `${told.title} · ${this.words.studio}`;
        break;
      case "book":
        this.book.show(told.page, told.sections);
        if (this.writing?.line) this.book.go(this.writing.line);
        break;
      case "flow":
        this.flow.show(`<html><head><style>body{margin:1rem;background:#fffdf7}svg{display:block;margin:auto;width:min(100%,34rem)}</style></head><body>${told.picture}</body></html>`);
        break;
      case "differences":
        byId("pane-differences").replaceChildren(...differences(told.of, this.words));
        break;
      case "figures":
        byId("pane-figures").querySelector(".drawn")?.replaceChildren(...figures(told, this.words, this.hello?.language ?? "en", (line) => this.writing?.go(line)));
        break;
      case "table":
        this.seat(told);
        break;
    }
  }

  // ---- files ------------------------------------------------------------------------------------------------------

  /** After the first hello: what the studio was started with; later: what is on the page. */
  resume() {
    if (this.name) {
      this.ask("resume", { name: this.name, stamp: this.stamp });
      this.written();
    } else if (this.hello?.begins) {
      this.ask("begin");
    } else {
      this.showFiles();
    }
    this.ask("show", { pane: this.pane });
  }

  /** @param {string} name @param {string} uri @param {string} text @param {string} stamp */
  open(name, uri, text, stamp) {
    /** @type {HTMLDialogElement} */ (byId("dialog")).close();
    this.writing ??= new Writing(byId("editor"), {
      token: this.token, language: this.hello?.language ?? "en", label: this.words.rules,
      nonce: /** @type {HTMLMetaElement} */ (document.querySelector("meta[name=nonce]")).content,
    }, {
      text: () => this.written(), line: (line) => this.book.go(line), save: () => this.save(),
      verdicts: (found) => byId("pane-examples").replaceChildren(...examples(found, this.words, (line) => this.writing?.go(line))),
      mistakes: (errors, all) => this.showMistakes(errors, all),
    });
    [this.name, this.stamp, this.tableToken, this.known] = [name, stamp, "", false];
    this.savedText = stamp ? text : "\0"; // what was never saved is not saved, whatever stands there
    for (const pane of ["examples", "differences"]) byId(`pane-${pane}`).replaceChildren();
    this.frames.table.removeAttribute("src");
    this.book.anchor = "";
    byId("name").textContent = `${name}.rules.md`;
    byId("outside").hidden = true;
    this.writing.open(uri, text);
    this.written();
    this.ask("show", { pane: this.pane });
  }

  written() {
    this.n += 1;
    this.ask("text", { n: this.n, text: this.writing?.text ?? "" });
    this.showState();
  }

  isUnsaved() {
    return Boolean(this.name) && this.writing?.text !== this.savedText;
  }

  save() {
    if (!this.name) return;
    this.saveAgain = this.saving !== null; // one at a time: the next one needs the stamp that comes of this one
    if (this.saveAgain) return;
    this.saving = this.writing?.text ?? "";
    this.ask("save", { text: this.saving, stamp: this.stamp });
  }

  showState() {
    byId("state").textContent = this.isUnsaved() ? `● ${this.words.unsaved}` : "";
  }

  /** @param {string} text @param {string} stamp */
  changedOutside(text, stamp) {
    const take = () => {
      [this.stamp, this.savedText] = [stamp, text];
      this.writing?.replace(text);
      byId("outside").hidden = true;
      this.showState();
    };
    if (text === this.writing?.text || !this.isUnsaved()) {
      take();
      return;
    }
    const keep = () => {
      this.stamp = stamp;
      byId("outside").hidden = true;
    };
    byId("outside").replaceChildren(this.words.changedOutside, " ",
      make("button", { text: this.words.takeTheirs, onclick: take }), " ", make("button", { text: this.words.keepMine, onclick: keep }));
    byId("outside").hidden = false;
  }

  showFiles() {
    if (!this.hello) return;
    const { hello, words } = this;
    const dialog = /** @type {HTMLDialogElement} */ (byId("dialog"));
    const ask = (/** @type {string} */ what, /** @type {Record<string, string>} */ rest) => {
      if (!this.isUnsaved() || confirm(words.leave)) this.ask(what, rest);
    };
    const chosen = make("select", { "aria-label": words.variantOf }, ...hello.games.map((text) => make("option", { text, value: text })));
    const files = hello.files.map((name) => make("li", {}, make("button", { class: "link", text: `${name}.rules.md`, onclick: () => ask("open", { name }) })));
    dialog.replaceChildren(
      make("h2", { id: "dialog-title", text: words.files }),
      make("section", {}, make("h3", { text: words.newGame }), make("div", { class: "row" },
        make("button", { class: "primary", text: words.newGame, onclick: () => ask("new", { kind: "template", of: "" }) }), make("small", { text: words.newGameHelp }))),
      make("section", {}, make("h3", { text: words.variantOf }), make("div", { class: "row" }, chosen,
        make("button", { class: "primary", text: words.variant, onclick: () => ask("new", { kind: "variant", of: chosen.value }) }),
        make("button", { text: words.copy, onclick: () => ask("new", { kind: "copy", of: chosen.value }) })),
      make("small", { text: words.variantHelp })),
      ...(files.length ? [make("section", {}, make("h3", { text: words.openFile }), make("ul", { class: "files" }, ...files))] : []),
      make("p", { class: "soft", text: hello.folder }),
      make("button", { text: words.close, onclick: () => dialog.close() }));
    dialog.setAttribute("aria-labelledby", "dialog-title");
    if (!dialog.open) dialog.showModal();
  }

  // ---- the panes --------------------------------------------------------------------------------------------------

  furnish() {
    if (!this.hello) return;
    const { hello, words } = this;
    document.documentElement.lang = hello.language;
    byId("save").textContent = words.save;
    byId("save").title = `${words.save} (Ctrl+S)`;
    byId("files").textContent = words.files;
    byId("left").setAttribute("aria-label", words.rules);
    byId("right").setAttribute("aria-label", words.meaning);
    byId("tabs").setAttribute("aria-label", words.meaning);
    this.languages(/** @type {HTMLSelectElement} */ (byId("language")), words.language, hello.language, (code) => this.speak(code));
    const bar = byId("pane-book");
    /** @type {HTMLElement} */ (bar.querySelector("label span")).textContent = words.bookLanguage;
    this.languages(/** @type {HTMLSelectElement} */ (bar.querySelector("select")), words.bookLanguage, hello.book, (code) => {
      localStorage.setItem("book", code);
      this.ask("book", { language: code });
    });
    for (const [pane, frame] of Object.entries(this.frames)) frame.title = words[pane];
    byId("tabs").replaceChildren(...PANES.map((pane) => make("button", {
      id: `tab-${pane}`, role: "tab", "aria-controls": `pane-${pane}`, text: words[pane], onclick: () => this.show(pane),
    })));
    for (const pane of PANES) byId(`pane-${pane}`).setAttribute("aria-labelledby", `tab-${pane}`);
    const counter = make("label", {}, `${words.players} `, make("input", { type: "number", min: 1, max: 20, value: this.players, onchange: (/** @type {Event} */ event) => {
      this.players = Number(/** @type {HTMLInputElement} */ (event.target).value);
      this.ask("players", { number: this.players });
    } }));
    byId("pane-figures").replaceChildren(make("div", { class: "bar" }, counter), make("div", { class: "drawn" }, make("p", { class: "empty", text: words.counting })));
    if (!byId("pane-examples").children.length) byId("pane-examples").replaceChildren(make("p", { class: "empty", text: words.running }));
    this.furnishTable();
    this.show(this.pane);
  }

  /** @param {HTMLSelectElement} select @param {string} label @param {string} now @param {(code: string) => void} chosen */
  languages(select, label, now, chosen) {
    select.setAttribute("aria-label", label);
    select.replaceChildren(...(this.hello?.languages ?? []).map(([value, text]) => make("option", { value, text, selected: value === now })));
    select.onchange = () => chosen(select.value);
  }

  /** @param {string} code */
  speak(code) {
    localStorage.setItem("language", code);
    if (!localStorage.getItem("book")) localStorage.setItem("book", this.hello?.book ?? code);
    this.frames.table.removeAttribute("src");
    this.tableToken = "";
    const before = this.socket;
    this.socket = null;
    before?.close();
    this.writing?.speak(code);
    this.connect();
  }

  /** @param {string} pane */
  show(pane) {
    this.pane = pane;
    sessionStorage.setItem("pane", pane);
    for (const other of PANES) {
      const tab = byId(`tab-${other}`);
      tab.setAttribute("aria-selected", String(other === pane));
      tab.tabIndex = other === pane ? 0 : -1;
      byId(`pane-${other}`).hidden = other !== pane;
    }
    this.ask("show", { pane });
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    if ((event.ctrlKey || event.metaKey) && event.key === "s") {
      event.preventDefault();
      this.save();
    }
    const tab = /** @type {HTMLElement} */ (event.target).id?.startsWith("tab-");
    if (tab && (event.key === "ArrowRight" || event.key === "ArrowLeft")) {
      const next = (PANES.indexOf(this.pane) + (event.key === "ArrowRight" ? 1 : PANES.length - 1)) % PANES.length;
      this.show(PANES[next]);
      byId(`tab-${PANES[next]}`).focus();
    }
  }

  /** @param {boolean} stale */
  showStale(stale) {
    this.known ||= !stale;
    byId("stale").textContent = this.known ? this.words.stale : this.words.notYet;
    byId("stale").hidden = !stale;
    byId("right").classList.toggle("stale", stale);
  }

  /** @param {number} errors @param {number} all */
  showMistakes(errors, all) {
    const button = byId("mistakes");
    button.textContent = all ? this.words.mistakes.replace("…", String(all)) : `✓ ${this.words.fine}`;
    button.className = errors ? "fails" : all ? "warns" : "holds";
    button.title = all ? this.words.nextMistake : "";
  }

  /** Whoever changes a rule of the base begins with its text. @param {[string, string][]} sections */
  offerSections(sections) {
    const select = /** @type {HTMLSelectElement} */ (byId("sections"));
    select.hidden = !sections.length;
    select.setAttribute("aria-label", this.words.takeSection);
    select.replaceChildren(make("option", { text: `${this.words.takeSection} …`, value: "" }), ...sections.map(([text], value) => make("option", { text, value })));
    select.onchange = () => {
      if (select.value) this.writing?.append(`\n\n${sections[Number(select.value)][1]}\n`);
      select.value = "";
      this.writing?.view.focus();
    };
  }

  // ---- the table --------------------------------------------------------------------------------------------------

  furnishTable() {
    const { words } = this;
    const step = (/** @type {string} */ name, /** @type {string} */ sign) =>
      make("button", { text: sign, title: words[name], "aria-label": words[name], onclick: () => this.ask("step", { step: name }) });
    const open = make("input", { type: "checkbox", checked: true, onchange: () => this.ask("step", { step: open.checked ? "open" : "closed" }) });
    this.seats = make("select", { "aria-label": words.players, onchange: () => {
      this.players = Number(this.seats?.value);
      this.ask("players", { number: this.players });
    } });
    /** @type {HTMLElement} */ (byId("pane-table").querySelector(".bar")).replaceChildren(
      step("back", "◀"), step("forth", "▶"), step("on", "▶▶"), make("button", { text: words.deal, onclick: () => this.ask("step", { step: "deal" }) }),
      make("label", {}, open, ` ${words.openCards}`), make("label", {}, `${words.players} `, this.seats),
      make("button", { text: words.makeExample, onclick: () => this.ask("example", { heading: "" }) }));
  }

  /** @param {Extract<Told, { type: "table" }>} told */
  seat(told) {
    this.showStale(!told.playable);
    if (!told.playable || !told.token || !told.range) return;
    const [least, most] = told.range;
    this.seats?.replaceChildren(...Array.from({ length: most - least + 1 }, (_, n) => make("option", { text: String(least + n), value: least + n, selected: least + n === told.players })));
    if (told.token === this.tableToken) return;
    this.tableToken = told.token;
    this.frames.table.src = `/table#${told.token}`;
  }

  /** @param {string[]} lines */
  addExample(lines) {
    const scene = lines.map((line) => `    ${line}\n`).join("");
    this.writing?.append(`\n\n## ${this.words.exampleHeading}\n\n${this.words.exampleParagraph}\n\n${scene}`);
    this.note(this.words.exampleAdded);
  }
}

new Studio();
