// What a text means → what is drawn of it on the right of the studio.
// @ts-check
import { make } from "./dom.js";

/** @typedef {import("./studio-types").Figures} Figures */
/** @typedef {import("./studio-types").Interval} Interval */
/** @typedef {Record<string, string>} Words */

// ---- pages in a frame that can do nothing -------------------------------------------------------------------------

export class Sheet {
  /** @param {HTMLIFrameElement} frame */
  constructor(frame) {
    this.frame = frame;
    /** @type {[number, string][]} */
    this.sections = [];
    this.anchor = "";
    this.waiting = "";
    frame.addEventListener("load", () => this.waiting && this.fill(this.waiting));
  }

  /** @param {string} page @param {[number, string][]} [sections] */
  show(page, sections = []) {
    this.sections = sections;
    this.waiting = page;
    if (this.frame.contentDocument?.readyState === "complete") this.fill(page);
  }

  /** In place of what was there, at the same height; examples stay until there are new ones. @param {string} page */
  fill(page) {
    const { contentDocument: doc, contentWindow: inside } = this.frame;
    if (!doc || !inside) return;
    const top = inside.scrollY;
    const examples = doc.querySelector("main > .examples");
    doc.documentElement.lang = /<html lang="([\w-]+)"/.exec(page)?.[1] ?? "";
    doc.documentElement.innerHTML = page.replace(/^[^]*?<html[^>]*>/, "");
    if (examples && !doc.querySelector("main > .examples")) doc.getElementById("course")?.after(examples);
    inside.scrollTo(0, top);
  }

  /** To the section that tells a line of the text. @param {number} line */
  go(line) {
    const at = this.sections.filter(([first]) => first <= line).pop();
    if (!at || at[1] === this.anchor) return;
    this.anchor = at[1];
    const doc = this.frame.contentDocument;
    const section = at[1] === "s0" ? doc?.body : doc?.getElementById(at[1]);
    section?.scrollIntoView({ block: "start" });
  }
}

// ---- examples -----------------------------------------------------------------------------------------------------

/** @param {import("./studio-types").Verdict[]} found @param {Words} words @param {(line: number) => void} go */
export function examples(found, words, go) {
  if (!found.length) return [make("p", { class: "empty", text: words.noExamples })];
  const items = found.map((verdict) => {
    const kind = verdict.holds === null ? "open" : verdict.holds ? "holds" : "fails";
    const told = verdict.holds === null ? words.notRun : verdict.holds ? words.holds : words.failsAt;
    const wrong = verdict.found.map(([line, text]) => make("li", {},
      make("button", { class: "link", text: words.line.replace("…", String(line)), onclick: () => go(line) }), ` ${text}`));
    return make("li", { class: kind },
      make("span", { class: "sign", "aria-hidden": "true", text: { open: "·", holds: "✓", fails: "✗" }[kind] }),
      make("div", {}, make("button", { class: "link", text: verdict.heading, onclick: () => go(verdict.line) }),
        make("small", { text: ` ${words.line.replace("…", String(verdict.line))}: ${told}` }), ...(wrong.length ? [make("ul", {}, ...wrong)] : [])));
  });
  return [make("ul", { class: "examples" }, ...items)];
}

// ---- differences --------------------------------------------------------------------------------------------------

/** @param {import("./studio-types").Difference[]} found @param {Words} words */
export function differences(found, words) {
  const parts = found.flatMap((one) => [
    make("h2", { text: one.from === "saved" ? words.fromSaved : words.fromBase }),
    ...(one.parts.length ? [] : [make("p", { class: "empty", text: words.noDifferences })]),
    ...one.parts.flatMap((part) => [
      make("h3", { text: part.heading }),
      make("ul", { class: "changes" }, ...part.lines.map(([sign, text]) => {
        const kind = sign.startsWith("-") ? "gone" : sign.startsWith("+") ? "new" : "";
        const inside = sign.endsWith("code") ? make("code", { text }) : make("span", { text });
        return make("li", { class: kind }, make("span", { class: "sign", text: kind === "gone" ? "−" : kind ? "+" : "" }), inside);
      })),
    ]),
  ]);
  return parts.length ? parts : [make("p", { class: "empty", text: words.noDifferences })];
}

// ---- figures ------------------------------------------------------------------------------------------------------

/** @param {Figures} found @param {Words} words @param {string} language @param {(line: number) => void} go */
export function figures(found, words, language, go) {
  if (found.fault) return [make("p", { class: "empty", text: found.fault })];
  const whole = new Intl.NumberFormat(language);
  const number = (/** @type {number} */ value, digits = 1) => new Intl.NumberFormat(language, { maximumFractionDigits: digits, minimumFractionDigits: digits }).format(value);
  const share = (/** @type {number} */ value) => new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 1, minimumFractionDigits: 1 }).format(value);
  const seats = found.wins.map((_, seat) => words.seat.replace("…", String(seat + 1)));
  const fair = found.wins.every((win) => win.low <= found.even && found.even <= win.high);
  const facts = [
    [words.moves, number(found.moves.value), words.mostGames.replace("…", `${whole.format(found.moves.low10)}–${whole.format(found.moves.high90)}`)],
    ...(found.rounds ? [[words.rounds, number(found.rounds.value, 2), ""]] : []),
    [words.shared, share(found.shared.value), ""],
  ];
  const parts = [
    make("p", { class: "soft", text: words.gamesAtRandom.replace("…", whole.format(found.games)) }),
    make("dl", { class: "facts" }, ...facts.flatMap(([name, value, more]) => [
      make("dt", { text: name }), make("dd", {}, make("b", { text: value }), make("small", { text: more && ` ${more}` }))])),
  ];
  if (found.players > 1) {
    parts.push(make("h2", { text: words.wins }),
      bars(seats, found.wins, share, found.even),
      make("p", { class: fair ? "soft" : "soft unfair", text: `${fair ? words.fair : words.unfair} (${words.even.replace("…", share(found.even))})` }));
  }
  for (const { name, means } of found.kept) {
    parts.push(make("h2", { text: `${name}: ${words.atEnd}` }), bars(means.length === seats.length ? seats : means.map((_, n) => String(n + 1)), means, (value) => number(value)));
  }
  const most = Math.max(...found.rules.map(([, , times]) => times), 1e-9);
  const rows = found.rules.map(([line, text, times]) => make("tr", { class: times ? "" : "never" },
    make("td", {}, make("button", { class: "link", text: String(line), "aria-label": words.line.replace("…", String(line)), onclick: () => go(line) })),
    make("td", {}, make("code", { text })),
    make("td", { class: "number" }, times ? number(times, times < 0.1 ? 3 : times < 10 ? 2 : 1) : words.never),
    make("td", { class: "strip", "aria-hidden": "true" }, bar(Math.sqrt(times / most)))));
  parts.push(make("h2", { text: words.eachRule }), make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": words.eachRule }, make("table", {}, make("tbody", {}, ...rows))));
  return parts;
}

/** @param {number} part */
function bar(part) {
  const inside = make("i", {});
  inside.style.width = `${100 * part}%`;
  return inside;
}

/** Bars with the interval that holds the true value, and a line where all would be alike.
 * @param {string[]} names @param {Interval[]} values @param {(value: number) => string} shown @param {number} [even] */
function bars(names, values, shown, even) {
  const least = Math.min(0, ...values.map((v) => v.low)), most = Math.max(0, ...values.map((v) => v.high), even ?? 0) || 1;
  const at = (/** @type {number} */ value) => `${(100 * (value - least)) / (most - least)}%`;
  return make("ul", { class: "bars" }, ...values.map((value, n) => {
    const track = make("span", { class: "track", "aria-hidden": "true" });
    const [from, to] = [Math.min(0, value.value), Math.max(0, value.value)];
    const fill = make("i", {}), span = make("b", {});
    fill.style.left = at(from);
    fill.style.width = `calc(${at(to)} - ${at(from)})`;
    span.style.left = at(value.low);
    span.style.width = `calc(${at(value.high)} - ${at(value.low)})`;
    track.append(fill, span);
    if (even !== undefined) {
      const line = make("u", {});
      line.style.left = at(even);
      track.append(line);
    }
    const off = even !== undefined && (value.low > even || value.high < even);
    return make("li", { class: off ? "off" : "" }, make("span", { text: names[n] }), track,
      make("span", { class: "number" }, shown(value.value), make("small", { text: ` ±${shown((value.high - value.low) / 2)}` })));
  }));
}
