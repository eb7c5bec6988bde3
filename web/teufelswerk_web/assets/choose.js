// Clicks, drags and keys on things → one of the moves that are offered.
// @ts-check
import { byId, make } from "./dom.js";

/** @typedef {import("./types").Choices} Choices */
/** @typedef {import("./types").Move} Move */

const MOST_BUTTONS = 300;
const FAR = 8; // pixels before a press is a drag

export class Chooser {
  /**
   * @param {(number: number) => void} choose
   * @param {(card: string) => void} why
   */
  constructor(choose, why) {
    this.choose = choose;
    this.why = why;
    /** @type {Choices | null} */
    this.choices = null;
    /** @type {Record<string, string>} */
    this.words = {};
    /** @type {Set<string>} */
    this.selected = new Set();
    /** What lies on the page and can be pointed at. @type {Set<string>} */
    this.visible = new Set();
    this.dragged = false;
    document.addEventListener("click", (event) => this.clicked(event));
    document.addEventListener("keydown", (event) => this.typed(event));
    document.addEventListener("pointerdown", (event) => this.pressed(event));
  }

  /** @param {Choices | null} choices @param {Record<string, string>} words */
  offer(choices, words) {
    this.choices = choices;
    this.words = words;
    this.selected.clear();
    this.show();
  }

  // ---- which moves fit --------------------------------------------------------------------------------------------

  /** What a move points at that lies on the page. @param {Move} move */
  things(move) {
    return move[1].flat().filter((thing) => this.visible.has(thing));
  }

  /** @param {Iterable<string>} wanted @returns {number[]} */
  fitting(wanted) {
    const all = [...wanted];
    const moves = this.choices?.moves ?? [];
    return moves.flatMap((move, number) => (all.every((thing) => move[1].flat().includes(thing)) ? [number] : []));
  }

  // ---- what is shown ----------------------------------------------------------------------------------------------

  show() {
    this.visible = new Set([...document.querySelectorAll("#game [data-thing]")].map((e) => /** @type {HTMLElement} */ (e).dataset.thing ?? ""));
    const moves = this.choices?.moves ?? [];
    const fitting = this.fitting(this.selected);
    const next = new Set(fitting.flatMap((number) => this.things(moves[number])));
    const usable = new Set(moves.flatMap((move) => this.things(move)));
    for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#game [data-thing]"))) {
      const thing = element.dataset.thing ?? "";
      const own = element.parentElement?.classList.contains("fan") ?? false;
      const can = usable.has(thing);
      element.classList.toggle("usable", can && next.has(thing));
      element.classList.toggle("chosen", this.selected.has(thing));
      element.classList.toggle("dimmed", own && moves.length > 0 && !next.has(thing));
      if (can || own) {
        element.tabIndex = 0;
        if (element.tagName !== "LI") element.setAttribute("role", "button");
        if (can && element.tagName !== "LI") element.setAttribute("aria-pressed", String(this.selected.has(thing)));
        if (own && moves.length && !can) element.setAttribute("aria-disabled", "true");
        else element.removeAttribute("aria-disabled");
      }
    }
    this.ask(fitting);
  }

  /** What is asked, and buttons for what cannot be pointed at. @param {number[]} fitting */
  ask(fitting) {
    const panel = byId("ask");
    if (!this.choices) {
      panel.replaceChildren();
      return;
    }
    const { moves, verbs } = this.choices;
    const complete = fitting.filter((n) => new Set(this.things(moves[n])).size === this.selected.size);
    const several = new Set(fitting.map((n) => moves[n][0])).size > 1;
    const asked = new Set(fitting.map((n) => verbs[moves[n][0]].invitation));
    const label = (/** @type {number} */ n) => {
      const [verb, things, words] = moves[n];
      return several && things.length ? `${verbs[verb].called}: ${words}` : words;
    };
    const button = (/** @type {number} */ n) => make("button", { text: label(n), onclick: () => this.choose(n) });
    /** @type {HTMLElement[]} */
    const parts = [...asked].slice(0, 4).map((text) => make("p", { class: "asked", text }));
    if (complete.length) parts.push(make("div", { class: "buttons" }, ...complete.slice(0, MOST_BUTTONS).map(button)));
    if (this.selected.size)
      parts.push(make("div", { class: "buttons quiet" }, make("button", { text: this.words.clear, onclick: () => this.forget() })));
    const pointing = fitting.filter((n) => !complete.includes(n));
    if (pointing.length && pointing.length <= MOST_BUTTONS && !this.selected.size) {
      const list = make("details", {}, make("summary", { text: this.words.allMoves }));
      list.addEventListener("toggle", () => {
        if (list.open && list.children.length === 1) list.append(make("div", { class: "buttons" }, ...pointing.map(button)));
      });
      parts.push(list);
    }
    panel.replaceChildren(...parts);
  }

  forget() {
    this.selected.clear();
    this.show();
  }

  // ---- pointing ---------------------------------------------------------------------------------------------------

  /** @param {string} thing */
  point(thing) {
    if (!this.choices) {
      if (thing.startsWith("card:")) this.why(thing.slice(5));
      return;
    }
    if (this.selected.has(thing)) {
      this.selected.delete(thing);
    } else if (this.fitting([...this.selected, thing]).length) {
      this.selected.add(thing);
    } else if (this.fitting([thing]).length) {
      this.selected = new Set([thing]);
    } else {
      if (thing.startsWith("card:")) this.why(thing.slice(5));
      return;
    }
    const left = this.fitting(this.selected);
    const move = this.choices.moves[left[0]];
    const sets = move?.[1].some(Array.isArray);
    if (this.selected.size && left.length === 1 && !sets) this.choose(left[0]);
    else this.show();
  }

  /** @param {Event} event */
  clicked(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (!target.closest || target.closest("button, summary, a, dialog")) return;
    let element = /** @type {HTMLElement | null} */ (target.closest("#game [data-thing]"));
    while (element && !element.classList.contains("usable") && !element.parentElement?.classList.contains("fan"))
      element = /** @type {HTMLElement | null} */ (element.parentElement?.closest("#game [data-thing]") ?? null);
    if (element && !this.dragged) this.point(element.dataset.thing ?? "");
  }

  /** @param {KeyboardEvent} event */
  typed(event) {
    const element = /** @type {HTMLElement} */ (event.target);
    if (event.key === "Escape" && this.selected.size) this.forget();
    if (!element.matches?.("[data-thing][tabindex]")) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.point(element.dataset.thing ?? "");
    } else if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
      event.preventDefault();
      const all = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("#game [data-thing][tabindex]")]);
      all[(all.indexOf(element) + (event.key === "ArrowRight" ? 1 : all.length - 1)) % all.length]?.focus();
    }
  }

  // ---- dragging ---------------------------------------------------------------------------------------------------

  /** @param {PointerEvent} event */
  pressed(event) {
    this.dragged = false;
    const card = /** @type {HTMLElement | null} */ (/** @type {HTMLElement} */ (event.target).closest?.("#own .card.usable, #middle .card.usable") ?? null);
    if (!card || !this.choices || event.button !== 0) return;
    const moved = (/** @type {PointerEvent} */ now) => {
      const [x, y] = [now.clientX - event.clientX, now.clientY - event.clientY];
      if (!this.dragged && Math.hypot(x, y) < FAR) return;
      this.dragged = true;
      card.classList.add("dragged");
      card.style.translate = `${x}px ${y}px`;
    };
    const end = (/** @type {PointerEvent} */ now) => {
      removeEventListener("pointermove", moved);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      card.classList.remove("dragged");
      card.style.removeProperty("translate");
      if (this.dragged && now.type === "pointerup") this.dropped(card, now);
      setTimeout(() => (this.dragged = false));
    };
    addEventListener("pointermove", moved);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  }

  /** @param {HTMLElement} card @param {PointerEvent} event */
  dropped(card, event) {
    const thing = card.dataset.thing ?? "";
    const under = document.elementsFromPoint(event.clientX, event.clientY);
    if (!under.some((element) => element.id === "middle" || element.id === "players")) return;
    if (!this.selected.has(thing)) this.point(thing);
    if (!this.selected.has(thing)) return; // it was the move, or is none
    for (const element of /** @type {HTMLElement[]} */ (under)) {
      const target = /** @type {HTMLElement | null} */ (element.closest("#game [data-thing].usable"));
      if (target && target !== card && this.fitting([...this.selected, target.dataset.thing ?? ""]).length) {
        this.point(target.dataset.thing ?? "");
        return;
      }
    }
  }
}
