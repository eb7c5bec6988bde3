// The page: a socket that comes back by itself, what it says, one after the other, and what the reader asks.
// @ts-check
import { Chooser } from "./choose.js";
import { byId, calm, make, pause, squareCode } from "./dom.js";
import { drawTable, fitHands } from "./draw.js";
import { glide, remember } from "./glide.js";

/** @typedef {import("./types").Incoming} Incoming */
/** @typedef {import("./types").Game} Game */

const GLANCE = 650, LOOK_AT_IT = 1600, HURRIED = 120, QUEUED = 3;
const MOST_LOGGED = 300;
const UNKNOWN = 4404;

class Page {
  constructor() {
    /** @type {WebSocket | null} */
    this.socket = null;
    this.waits = 500;
    this.lost = false;
    /** @type {import("./types").Hello | null} */
    this.hello = null;
    /** @type {import("./types").People} */
    this.people = { chairs: [], question: null };
    /** @type {Game | null} */
    this.game = null;
    /** @type {Game[]} */
    this.queue = [];
    this.busy = false;
    this.rounds = -1;
    this.at = 0;
    this.chooser = new Chooser((number) => this.choose(number), (card) => this.ask("why", { card }));
    addEventListener("resize", () => {
      fitHands();
      byId("log").scrollTop = byId("log").scrollHeight;
    });
    addEventListener("hashchange", () => location.reload());
    document.addEventListener("keydown", (event) => this.shortcut(event));
    this.connect();
  }

  get words() {
    return this.hello?.words ?? {};
  }

  // ---- the connection ---------------------------------------------------------------------------------------------

  get token() {
    const token = location.hash.slice(1);
    return localStorage.getItem(`seat ${token}`) ?? token;
  }

  connect() {
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket`);
    this.socket = socket;
    socket.onopen = () => {
      this.waits = 500;
      socket.send(JSON.stringify({ ask: "hello", token: this.token, language: localStorage.getItem("language") ?? navigator.language }));
    };
    socket.onmessage = (event) => this.heard(JSON.parse(event.data));
    socket.onclose = (event) => this.closed(event.code);
  }

  /** @param {number} code */
  closed(code) {
    if (code === UNKNOWN) {
      const token = location.hash.slice(1);
      if (localStorage.getItem(`seat ${token}`)) {
        localStorage.removeItem(`seat ${token}`); // the seat is gone; the table may still be there
      } else {
        this.warn(this.words.gone ?? "This link leads nowhere. · Dieser Link führt nirgendwohin. · Эта ссылка никуда не ведёт.");
        return;
      }
    }
    this.lost = true;
    this.chooser.offer(null, this.words);
    this.warn(this.words.lost ?? "…");
    setTimeout(() => this.connect(), this.waits);
    this.waits = Math.min(this.waits * 1.6, 8000);
  }

  /** @param {string} text */
  warn(text) {
    byId("lost").textContent = text;
    byId("lost").hidden = !text;
  }

  /** @param {string} ask @param {Record<string, unknown>} [rest] */
  ask(ask, rest = {}) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ ask, ...rest }));
  }

  /** A move is chosen once; until it is answered, nothing is asked any more. @param {number} number */
  choose(number) {
    this.ask("move", { at: this.at, number });
    this.chooser.offer(null, this.words);
  }

  // ---- what is heard ----------------------------------------------------------------------------------------------

  /** @param {Incoming} message */
  heard(message) {
    switch (message.type) {
      case "hello":
        this.hello = message;
        this.queue = [];
        document.documentElement.lang = message.language;
        this.warn("");
        if (this.lost) this.note([this.words.back], "");
        this.lost = false;
        this.furnish();
        break;
      case "room":
        this.people = message;
        this.showRoom(message.code);
        break;
      case "people":
        this.people = message;
        this.refresh();
        break;
      case "seated":
        localStorage.setItem(`seat ${location.hash.slice(1)}`, message.token);
        history.replaceState(null, "", `#${message.token}`);
        break;
      case "game":
        if (message.whole) this.queue = [];
        this.queue.push(message);
        void this.play();
        break;
      case "note":
        this.note(message.lines, message.style);
        if (message.style === "refused" && this.game && !this.busy) this.settle(this.game);
        break;
      case "last":
        this.showLast(message);
        break;
    }
  }

  /** Plays what has been heard, moment by moment. */
  async play() {
    if (this.busy) return;
    this.busy = true;
    while (this.queue.length) {
      const game = /** @type {Game} */ (this.queue.shift());
      this.chooser.offer(null, this.words);
      byId("room").hidden = true;
      byId("game").hidden = false;
      if (game.whole) byId("log").replaceChildren();
      this.people = game;
      for (const moment of game.moments) {
        this.draw(moment.scene, game);
        this.log(moment.told);
        const hurried = this.queue.length > QUEUED || game.whole;
        if (moment.taken !== undefined) await pause(hurried ? HURRIED : LOOK_AT_IT);
        else if (this.queue.length) await pause(hurried ? HURRIED : GLANCE);
      }
      this.game = game;
      this.at = game.at;
      await this.afterRound(game);
      if (!this.queue.length) this.settle(game);
    }
    this.busy = false;
  }

  /** @param {import("./types").Scene} scene @param {Game} game */
  draw(scene, game) {
    if (!this.hello) return;
    const before = remember();
    const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset?.thing;
    drawTable(this.hello, scene, game.chairs);
    glide(before, game.flights, this.hello);
    byId("turn").textContent = scene.turn === null ? (game.over ? this.words.over : byId("turn").textContent ?? "")
      : scene.turn === this.hello.seat ? this.words.yourTurn
      : this.words.turnOf.replace("…", game.chairs[scene.turn].name);
    document.body.classList.toggle("your-turn", scene.turn === this.hello.seat && this.hello.seat >= 0);
    this.chooser.show();
    if (focused) this.refocus(focused);
  }

  /** @param {string} thing */
  refocus(thing) {
    const same = /** @type {HTMLElement | null} */ (document.querySelector(`#own [data-thing="${CSS.escape(thing)}"]`));
    const other = /** @type {HTMLElement | null} */ (document.querySelector("#own .card"));
    (same ?? other)?.focus();
  }

  /** The last word: what may be chosen, or who has won. @param {Game} game */
  settle(game) {
    this.chooser.offer(game.choices ?? null, this.words);
    document.title = game.choices ? `● ${this.hello?.title}` : this.hello?.title ?? "";
    this.showQuestion();
    if (game.over) {
      const lines = game.over.ranking.map((text) => make("p", { class: "asked", text }));
      const again = make("button", { text: this.words.again, onclick: () => this.ask("again") });
      byId("ask").replaceChildren(...lines, ...(this.hello && this.hello.seat >= 0 ? [make("div", { class: "buttons" }, again)] : []));
    } else if (this.hello && this.hello.seat < 0) {
      byId("ask").replaceChildren(make("p", { class: "asked", text: this.words.watching }), ...this.takeOver());
    } else if (!game.choices) {
      byId("ask").replaceChildren(...this.standIns());
    }
  }

  /** After a round the score sheet lies on the table until the reader goes on. @param {Game} game */
  async afterRound(game) {
    const rounds = Math.max(0, ...game.sheet.map((sheet) => sheet.rows.length));
    const news = this.rounds >= 0 && rounds > this.rounds && rounds > 1 && !game.whole;
    this.rounds = rounds;
    if (news) {
      await pause(calm() ? 0 : GLANCE);
      await this.showSheet(game, this.words.goOn);
    }
  }

  refresh() {
    if (!byId("room").hidden) this.showRoom();
    else if (this.game && !this.busy) {
      this.game = { ...this.game, ...this.people };
      this.draw(this.game.moments[this.game.moments.length - 1].scene, this.game);
      if (!this.game.choices) this.settle(this.game);
      this.showQuestion();
    }
  }

  // ---- the room before the game -----------------------------------------------------------------------------------

  /** @param {string[]} [code] */
  showRoom(code) {
    if (!this.hello) return;
    const { hello, words } = this;
    this.code = code ?? this.code ?? [];
    byId("game").hidden = true;
    const room = byId("room");
    const typed = /** @type {HTMLInputElement | null} */ (room.querySelector("input"))?.value ?? localStorage.getItem("name") ?? "";
    const name = make("input", { id: "name", maxlength: 24, autocomplete: "nickname", value: typed, required: true });
    const seats = this.people.chairs.map((chair, seat) => {
      const free = chair.kind !== "human";
      const sit = make("button", { text: words.sitDown, "aria-label": `${words.sitDown}: ${seat + 1}`, onclick: () => this.sit(seat, name.value) });
      return make("li", { class: free ? "free" : seat === hello.seat ? "me" : "" },
        make("strong", { text: free ? `${seat + 1}: ${words.free}` : chair.name }),
        seat === hello.seat ? make("small", { text: words.you }) : free && hello.seat < 0 ? sit : make("small", { text: chair.away ? words.away : "" }));
    });
    const copy = make("button", { class: "quiet", text: words.copy, onclick: () => this.copyLink() });
    const link = make("div", { class: "invite" }, squareCode(this.code, words.link),
      make("p", {}, make("strong", { text: words.link }), make("br"), make("a", { href: hello.link, text: hello.link })), copy);
    const form = hello.seat < 0
      ? [make("p", { text: words.takeSeat }), make("label", { class: "name", for: "name", text: words.yourName }), name]
      : [make("p", { text: words.wait })];
    const start = hello.seat < 0 ? [] : [make("button", { class: "primary", text: words.start, onclick: () => this.ask("start") }), make("p", {}, make("small", { text: words.startHelp })), make("p", {}, make("small", { text: words.ownLink }))];
    const focused = document.activeElement === room.querySelector("input");
    room.replaceChildren(make("section", { class: "join" }, ...form, make("ul", { class: "seats" }, ...seats), ...start), link);
    room.hidden = false;
    if (focused) name.focus();
    byId("turn").textContent = "";
  }

  /** @param {number} seat @param {string} name */
  sit(seat, name) {
    if (!name.trim()) {
      byId("name").focus();
      return;
    }
    localStorage.setItem("name", name);
    this.ask("sit", { seat, name });
  }

  copyLink() {
    void navigator.clipboard?.writeText(this.hello?.link ?? "").then(() => this.note([this.words.copied], ""));
  }

  takeOver() {
    const bots = this.people.chairs.flatMap((chair, seat) => (chair.kind === "bot" ? [seat] : []));
    if (!bots.length) return [];
    const name = make("input", { "aria-label": this.words.yourName, placeholder: this.words.yourName, maxlength: 24, value: localStorage.getItem("name") ?? "" });
    const buttons = bots.map((seat) => make("button", {
      text: `${this.words.takeOver}: ${this.people.chairs[seat].name}`, onclick: () => (name.value.trim() ? this.sit(seat, name.value) : name.focus()),
    }));
    return [make("div", { class: "buttons" }, name, ...buttons)];
  }

  standIns() {
    const away = this.people.chairs.flatMap((chair, seat) => (chair.away && !chair.standIn ? [seat] : []));
    return away.map((seat) => make("div", { class: "buttons quiet" }, make("button", {
      text: `${this.words.standIn}: ${this.people.chairs[seat].name}`, onclick: () => this.ask("stand-in", { seat }),
    })));
  }

  // ---- notes, questions, the log ----------------------------------------------------------------------------------

  /** @param {string[]} lines @param {string} style */
  note(lines, style) {
    const note = make("div", { class: `note ${style}` }, ...lines.map((text) => make("p", { text })));
    const notes = byId("notes");
    notes.replaceChildren(note);
    clearTimeout(this.noted);
    this.noted = setTimeout(() => note.remove(), 4000 + 3000 * lines.length);
    if (byId("game").hidden) byId("room").append(notes);
    else byId("side").prepend(notes);
  }

  /** @param {string[]} told */
  log(told) {
    const log = byId("log");
    for (const text of told) log.append(make("p", { text }));
    while (log.children.length > MOST_LOGGED) log.firstElementChild?.remove();
    log.scrollTop = log.scrollHeight;
  }

  showQuestion() {
    const { question } = this.people;
    const panel = byId("question");
    panel.hidden = !question;
    panel.replaceChildren(...(question ? [
      make("p", { text: question }),
      make("div", { class: "buttons" },
        make("button", { text: this.words.agree, onclick: () => this.ask("answer", { yes: true }) }),
        make("button", { text: this.words.refuse, onclick: () => this.ask("answer", { yes: false }) })),
    ] : []));
  }

  // ---- tools ------------------------------------------------------------------------------------------------------

  furnish() {
    if (!this.hello) return;
    const { hello, words } = this;
    byId("title").textContent = hello.title;
    document.title = hello.title;
    byId("players").setAttribute("aria-label", words.players);
    byId("middle").setAttribute("aria-label", words.table);
    byId("own").setAttribute("aria-label", words.yourCards);
    byId("ask").setAttribute("aria-label", words.yourMove);
    byId("side").setAttribute("aria-label", words.happened);
    byId("log").setAttribute("aria-label", words.happened);
    const tool = (/** @type {string} */ name, /** @type {() => void} */ act, /** @type {string} */ key = "") =>
      make("button", { text: words[name], onclick: act, "aria-keyshortcuts": key || undefined, title: key ? `${words[name]} (${key})` : undefined });
    const playing = hello.seat >= 0;
    const language = make("select", { "aria-label": words.language, onchange: () => {
      localStorage.setItem("language", language.value);
      this.ask("speak", { language: language.value });
    } }, ...hello.languages.map(([code, name]) => make("option", { value: code, text: name, selected: code === hello.language })));
    byId("tools").replaceChildren(
      ...(playing ? [tool("hint", () => this.ask("hint"), "H"), tool("undo", () => this.ask("undo"), "U")] : []),
      tool("last", () => this.ask("last"), "L"),
      tool("scores", () => this.game && void this.showSheet(this.game, words.close), "S"),
      make("a", { href: hello.book, target: "_blank", rel: "noopener", text: words.rules }),
      tool("keys", () => this.showKeys(), "?"),
      language);
  }

  /** @param {KeyboardEvent} event */
  shortcut(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || target.matches?.("input, select") || byId("game").hidden) return;
    const dialog = /** @type {HTMLDialogElement} */ (byId("dialog"));
    if (dialog.open) return;
    const card = target.dataset?.thing?.startsWith("card:") ? target.dataset.thing.slice(5) : "";
    const key = event.key.toLowerCase();
    if (key === "w" && card) this.ask("why", { card });
    else if (key === "h") this.ask("hint");
    else if (key === "u") this.ask("undo");
    else if (key === "l") this.ask("last");
    else if (key === "s" && this.game) void this.showSheet(this.game, this.words.close);
    else if (key === "?") this.showKeys();
  }

  showKeys() {
    const { words } = this;
    const keys = Object.entries({ W: words.why, H: words.hint, U: words.undo, L: words.last, S: words.scores });
    const list = make("dl", {}, ...keys.flatMap(([key, text]) => [make("dt", {}, make("kbd", { text: key })), make("dd", { text })]));
    void this.showDialog(words.keys, [make("p", { text: words.drop }), make("p", { text: words.keysHelp }), list], words.close);
  }

  /** @param {string} title @param {Node[]} inside @param {string} close @returns {Promise<void>} */
  showDialog(title, inside, close) {
    const dialog = /** @type {HTMLDialogElement} */ (byId("dialog"));
    dialog.close();
    const button = make("button", { class: "primary", text: close, onclick: () => dialog.close() });
    dialog.replaceChildren(make("h2", { id: "dialog-title", text: title }), ...inside, button);
    dialog.setAttribute("aria-labelledby", "dialog-title");
    dialog.showModal();
    button.focus();
    return new Promise((done) => dialog.addEventListener("close", () => done(), { once: true }));
  }

  /** @param {Game} game @param {string} close */
  showSheet(game, close) {
    const tables = game.sheet.map((sheet) => {
      const head = make("tr", {}, make("th", { scope: "col", text: this.words.round }), ...sheet.heads.map((text) => make("th", { scope: "col", text })));
      const rows = sheet.rows.slice(1).map((row, n) => make("tr", {}, make("th", { scope: "row", text: String(n + 1) }),
        ...row.map((value, seat) => make("td", { text: signed(value - sheet.rows[n][seat]) }))));
      const sum = make("tr", { class: "sum" }, make("th", { scope: "row", text: this.words.sum }),
        ...sheet.rows[sheet.rows.length - 1].map((value) => make("td", { text: String(value) })));
      return make("table", {}, make("caption", { text: sheet.label }), make("thead", {}, head), make("tbody", {}, ...rows, sum));
    });
    return this.showDialog(this.words.scores, [make("div", { class: "sheets" }, ...tables)], close);
  }

  /** @param {import("./types").Moment} moment */
  showLast(moment) {
    if (!this.hello || moment.taken === undefined) return;
    const { hello } = this;
    const lying = moment.scene.places[moment.taken];
    const cards = (lying?.cards ?? []).flatMap((id, n) => {
      if (id === null) return [];
      const owner = lying?.owners?.[n];
      const { face, title } = hello.cards[id];
      return [make("figure", {}, make("div", { class: "card" }, make("img", { src: face, alt: title, width: 63, height: 88 })),
        make("figcaption", { text: typeof owner === "number" ? this.people.chairs[owner].name : "" }))];
    });
    void this.showDialog(this.words.last, [make("div", { class: "cards laid" }, ...cards), ...moment.told.map((text) => make("p", { text }))], this.words.close);
  }
}

/** @param {number} value */
const signed = (value) => (value > 0 ? `+${value}` : value < 0 ? `−${-value}` : "·");

new Page();
