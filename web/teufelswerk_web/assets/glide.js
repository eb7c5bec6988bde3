// What lay where before → cards that glide to where they lie now.
// @ts-check
import { calm } from "./dom.js";

const MILLISECONDS = 380;
const NEAR = 3;

/** @typedef {{cards: Map<HTMLElement, DOMRect>, places: Map<string, DOMRect>, owners: Map<string, DOMRect>}} Before */

/** @returns {Before} */
export function remember() {
  /** @type {Before} */
  const found = { cards: new Map(), places: new Map(), owners: new Map() };
  for (const card of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#game .card[data-id]")))
    found.cards.set(card, card.getBoundingClientRect());
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-place]")))
    found.places.set(place.dataset.place ?? "", place.getBoundingClientRect());
  for (const panel of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-owner]")))
    found.owners.set(panel.dataset.owner ?? "", panel.getBoundingClientRect());
  return found;
}

/**
 * @param {Before} before
 * @param {import("./types").Game["flights"]} flights
 * @param {import("./types").Hello} hello
 */
export function glide(before, flights, hello) {
  if (calm() || document.hidden) return;
  const origin = new Map(flights.flatMap(([cards, , from]) => (cards ?? []).map((id) => [id, from])));
  let late = 0;
  for (const card of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#game .card[data-id]"))) {
    const now = card.getBoundingClientRect();
    const then = before.cards.get(card) ?? start(origin.get(card.dataset.id ?? ""));
    if (!then || !now.width) continue;
    const [x, y] = [then.left + then.width / 2 - now.left - now.width / 2, then.top + then.height / 2 - now.top - now.height / 2];
    const scale = before.cards.has(card) ? then.width / now.width : 0.5;
    if (Math.abs(x) < NEAR && Math.abs(y) < NEAR && Math.abs(scale - 1) < 0.05) continue;
    card.style.zIndex = "5";
    const moved = card.animate(
      [{ transform: `translate(${x}px, ${y}px) scale(${scale})` }, { transform: "none" }],
      { duration: MILLISECONDS, delay: before.cards.has(card) ? 0 : Math.min(late++ * 30, 300), easing: "cubic-bezier(.2,.7,.2,1)", fill: "backwards", composite: "replace" });
    moved.onfinish = () => card.style.removeProperty("z-index");
  }

  /** @param {string | undefined} name */
  function start(name) {
    if (name === undefined) return undefined;
    const owner = hello.places.find((place) => place.name === name)?.owner ?? -1;
    return before.places.get(name) ?? before.owners.get(String(owner));
  }
}
