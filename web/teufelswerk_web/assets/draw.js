// A scene → the table on the page. What is drawn follows from what the rule file declares of its places.
// @ts-check
import { byId, make } from "./dom.js";

/** @typedef {import("./types").Hello} Hello */
/** @typedef {import("./types").Scene} Scene */
/** @typedef {import("./types").Place} Place */
/** @typedef {import("./types").Lying} Lying */
/** @typedef {import("./types").Chair} Chair */

const FEW = 8; // of so many rows the empty ones are shown too
/** Places that have held cards while this page was open keep their room. @type {Set<string>} */
const used = new Set();
/** Cards are moved and not made anew, so that they can glide. @type {Map<string, HTMLElement>} */
const kept = new Map();

/** @param {Hello} hello @param {Scene} scene @param {Chair[]} chairs */
export function drawTable(hello, scene, chairs) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  const drawn = new Drawing(hello, scene, chairs, counts);
  byId("players").replaceChildren(...drawn.players());
  byId("middle").replaceChildren(...drawn.middle());
  byId("own").replaceChildren(...drawn.own());
  fitHands();
}

class Drawing {
  /** @param {Hello} hello @param {Scene} scene @param {Chair[]} chairs @param {Map<string, number>} counts */
  constructor(hello, scene, chairs, counts) {
    this.hello = hello;
    this.scene = scene;
    this.chairs = chairs;
    this.counts = counts;
    this.words = hello.words;
  }

  // ---- cards ------------------------------------------------------------------------------------------------------

  /** @param {string | null} id @param {string} [back] @returns {HTMLElement} */
  card(id, back) {
    if (id === null) return this.back(back);
    const { title, face } = this.hello.cards[id];
    const number = this.counts.get(id) ?? 0;
    this.counts.set(id, number + 1);
    const key = `${face} ${number}`;
    let card = kept.get(key);
    if (!card) {
      card = make("div", { class: "card" }, make("img", { src: face, alt: "", draggable: "false", width: 63, height: 88 }));
      kept.set(key, card);
    }
    card.className = "card";
    for (const name of ["tabindex", "aria-pressed", "aria-disabled", "style"]) card.removeAttribute(name);
    card.setAttribute("role", "img");
    card.setAttribute("aria-label", title);
    card.dataset.thing = `card:${id}`;
    card.dataset.id = id;
    return card;
  }

  /** @param {string} [back] */
  back(back) {
    const shown = this.hello.backs[back ?? ""] ?? Object.values(this.hello.backs)[0];
    return make("div", { class: "card back", role: "img", "aria-label": `${shown.title} ${this.words.down}`.trim() },
      make("img", { src: shown.face, alt: "", draggable: "false", width: 63, height: 88 }));
  }

  /** Backs with how many there are of each. @param {Lying} lying */
  backs(lying) {
    const known = Object.keys(this.hello.backs);
    if (!lying.backs && known.length > 1) // which backs lie there is not seen
      return [make("span", { class: "backs" }, make("span", { class: "unknown" }), make("b", { text: `×${lying.count}` }))];
    const groups = lying.backs ? Object.entries(lying.backs) : [[known[0], lying.count]];
    return groups.map(([back, count]) => {
      const shown = this.hello.backs[/** @type {string} */ (back)] ?? Object.values(this.hello.backs)[0];
      return make("span", { class: "backs" },
        make("img", { src: shown.face, alt: Object.keys(this.hello.backs).length > 1 ? shown.title : "", width: 63, height: 88 }),
        make("b", { text: `×${count}` }));
    });
  }

  // ---- players ----------------------------------------------------------------------------------------------------

  players() {
    const { hello, scene } = this;
    return this.chairs.map((chair, seat) => {
      const marks = [seat === hello.seat ? this.words.you : chair.kind === "bot" || chair.standIn ? this.words.bot : chair.away ? this.words.away : ""];
      const facts = [...scene.seats[seat], ...(scene.sides.length ? scene.sides[seat % scene.sides.length] : [])];
      const panel = make("li", {
        class: `player${scene.turn === seat ? " turn" : ""}${seat === hello.seat ? " me" : ""}`,
        "data-thing": `seat:${seat}`, "data-owner": String(seat), "aria-current": scene.turn === seat ? "true" : undefined,
      },
        make("div", { class: "who" }, make("strong", { text: chair.name }), make("small", { text: marks.filter(Boolean).join(", ") })),
        make("div", { class: "facts" }, ...facts.map(([label, value]) => fact(label, value))),
        make("div", { class: "held" }, ...this.held(seat)));
      return panel;
    });
  }

  /** @param {number} seat */
  held(seat) {
    const found = [];
    for (const place of this.hello.places) {
      const lying = this.scene.places[place.name];
      if (place.owner !== seat || !lying || this.isOwn(place, lying)) continue;
      const open = lying.cards?.some((id) => id !== null);
      const inside = open ? (lying.cards ?? []).map((id) => this.card(id)) : this.backs(lying);
      found.push(make("div", { class: `place ${open ? "open" : "closed"}`, "data-place": place.name, title: place.label },
        make("small", { text: place.label }), make("div", { class: "cards" }, ...inside)));
    }
    return found;
  }

  // ---- the middle -------------------------------------------------------------------------------------------------

  middle() {
    const common = this.hello.places.filter((place) => place.owner < 0);
    const piles = common.filter((place) => this.scene.places[place.name] && !this.scene.places[place.name].cards?.some((id) => id !== null));
    const open = common.filter((place) => !place.hidden && !piles.includes(place));
    const laid = open.filter((place) => !place.row);
    const rows = open.filter((place) => place.row);
    const parts = [];
    const facts = this.scene.keeps.map(([label, value]) => fact(label, value));
    const top = [...facts, ...piles.map((place) => this.pile(place))];
    if (top.length) parts.push(make("div", { class: "piles" }, ...top));
    const drawn = laid.map((place) => this.laid(place, laid.length)).filter(Boolean);
    if (drawn.length) parts.push(make("div", { class: "laids" }, .../** @type {Node[]} */ (drawn)));
    for (const family of new Set(rows.map((place) => place.family))) {
      const members = rows.filter((place) => place.family === family);
      const shown = members.filter((place) => members.length <= FEW || this.scene.places[place.name]);
      if (shown.length) parts.push(make("div", { class: members.length > 4 ? "rows many" : "rows" }, ...shown.map((place) => this.row(place))));
    }
    return parts;
  }

  /** @param {Place} place */
  pile(place) {
    const lying = this.scene.places[place.name];
    return make("div", { class: "pile", "data-place": place.name, "data-thing": `place:${place.name}` },
      ...this.backs(lying), make("small", { text: place.label }));
  }

  /** Cards in the order in which they were laid, with those who did. @param {Place} place @param {number} among */
  laid(place, among) {
    const lying = this.scene.places[place.name];
    if (lying) used.add(place.name);
    else if (among > 1 && !used.has(place.name)) return null;
    const cards = (lying?.cards ?? []).map((id, n) => {
      const owner = lying?.owners?.[n];
      const by = typeof owner === "number" ? this.chairs[owner].name : "";
      return make("figure", {}, this.card(id), make("figcaption", { text: by }));
    });
    return make("section", { class: "laid", "data-place": place.name, "data-thing": `place:${place.name}`, "aria-label": place.label },
      make("h2", { text: place.label }), make("div", { class: "cards" }, ...(cards.length ? cards : [make("div", { class: "slot" })])),
      make("p", { class: "facts" }, ...(lying?.facts ?? []).map(([label, value]) => fact(label, value))));
  }

  /** @param {Place} place */
  row(place) {
    const lying = this.scene.places[place.name];
    const cards = (lying?.cards ?? []).map((id) => this.card(id));
    const end = (/** @type {string} */ name, /** @type {string} */ sign) =>
      make("div", { class: "end", "data-thing": `end:${place.name}:${name}`, "aria-label": `${place.label} ${sign}`, text: sign });
    const inside = cards.length ? cards : [make("div", { class: "slot" })];
    return make("section", { class: "row", "data-place": place.name, "data-thing": `place:${place.name}`, "aria-label": place.label },
      make("h2", { text: place.label }),
      make("div", { class: "cards" }, ...(place.ends && cards.length ? [end("bottom", "◀"), ...inside, end("top", "▶")] : inside)));
  }

  // ---- the player's own cards -------------------------------------------------------------------------------------

  /** @param {Place} place @param {Lying} lying */
  isOwn(place, lying) {
    if (place.owner !== this.hello.seat || this.hello.seat < 0) return false;
    return Boolean(lying.cards) || place.family === "hand";
  }

  own() {
    const found = [];
    for (const place of this.hello.places) {
      const lying = this.scene.places[place.name];
      if (!lying || !this.isOwn(place, lying)) continue;
      const order = (/** @type {string | null} */ id) => (id === null ? -1 : this.hello.cards[id].order);
      const sorted = lying.cards ? [...lying.cards].sort((a, b) => order(a) - order(b)) : Array(lying.count).fill(null);
      const cards = sorted.map((id, n) => {
        const card = this.card(id);
        if (id === null) card.append(make("b", { text: String(n + 1) }));
        return card;
      });
      found.push(make("section", { class: "hand", "data-place": place.name, "aria-label": place.label },
        make("h2", { text: place.label }), make("div", { class: "fan" }, ...cards)));
    }
    return found;
  }
}

/** @param {string} label @param {string} value */
function fact(label, value) {
  return make("span", { class: "fact" }, make("small", { text: label }), value && " ", make("b", { text: value }));
}

/** Hands overlap as far as they must, and take as few lines as they can. */
export function fitHands() {
  for (const fan of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".fan"))) {
    const cards = fan.children.length;
    const size = /** @type {HTMLElement | null} */ (fan.firstElementChild)?.offsetWidth ?? 0;
    const width = fan.clientWidth;
    if (!cards || !width || !size) continue;
    const least = Math.max(26, size * 0.36);
    const most = Math.max(1, Math.floor((width - size) / least) + 1);
    const lines = Math.ceil(cards / most);
    const columns = Math.ceil(cards / lines);
    const step = columns > 1 ? Math.min(size + 6, (width - size) / (columns - 1)) : size;
    fan.style.setProperty("--step", `${step}px`);
    fan.style.setProperty("--columns", String(columns));
    fan.style.setProperty("--lines", String(lines));
    [...fan.children].forEach((card, n) => {
      const place = /** @type {HTMLElement} */ (card).style;
      place.setProperty("--column", String(n % columns));
      place.setProperty("--line", String(Math.floor(n / columns)));
      place.setProperty("--in-line", String(Math.min(columns, cards - Math.floor(n / columns) * columns)));
    });
  }
}
