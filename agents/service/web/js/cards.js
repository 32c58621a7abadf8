// Playing cards, fairies with their counters, hands, and what lies before the fighters.
import { h, plural, seatColour, title } from "./dom.js";

const NAMES = { T: "10", J: "jack", Q: "queen", K: "king", A: "ace", X: "joker" };

export function cardName(text) {
  if (text === "X") return "joker";
  return `${text.endsWith("r") ? "red" : "black"} ${NAMES[text[0]] ?? text[0]}`;
}

/** One card: `cardFace("7r")`, or its back for null. `trump` cards have a gold corner. */
export function cardFace(text, { small = false, fresh = false, pick = null, number = null, chance = null, toggle = null } = {}) {
  const classes = [small ? "small" : "", fresh ? "fresh" : ""];
  let inside;
  if (text === null) { classes.push("back"); inside = null; }
  else if (text === "X") { classes.push("joker"); inside = [h("span.corner", {}, "★"), h("span.emblem", {}, "Jo")]; }
  else {
    const red = text.endsWith("r"), rank = text[0] === "T" ? "10" : text[0];
    classes.push(red ? "red" : "black", "JQKA".includes(text[0]) ? "trump" : "");
    inside = [h("span.corner", {}, rank), h("span.emblem", {}, red ? "♦" : "♠")];
  }
  const label = text === null ? "a card face down" : cardName(text);
  if (toggle) return h("button.card.pick", { class: classes.join(" "), "aria-pressed": "false", "aria-label": `Take the ${label} among the trumps to lay`, title: "Among the trumps to lay", onclick: toggle }, inside);
  if (!pick) return h("span.card", { class: classes.join(" "), role: "img", "aria-label": label, title: label }, inside);
  return h("button.card.pick", { class: classes.join(" "), "aria-label": `${pick.words} (${label})`, title: pick.words, "data-action": pick.id, onclick: pick.take },
    inside, number === null ? null : h("span.key", { "aria-hidden": "true" }, number), chance === null ? null : h("span.chance", {}, percent(chance)));
}

export const percent = (share) => `${Math.round(100 * share)}%`;

/** Faces if they are known, else as many backs. */
export const pile = (one, options = {}) => (one.cards ?? Array(one.count).fill(null)).map((text) => cardFace(text, { small: true, ...options }));

// ------------------------------------------------------------------------------------- counters
function pips(kind, left, gone) {
  const words = `${title(kind)} ${left}${gone ? `, ${gone} spent or lost` : ""}`;
  return h("span.pips", { role: "img", "aria-label": words, title: words },
    [...Array(left)].map(() => h("i.pip", { class: kind })), [...Array(gone)].map(() => h("i.pip.gone", { class: kind })));
}

export function counters(fairy) {
  return h("div.counters", {},
    h("span.count", {}, h("small", {}, "Live"), pips("live", fairy.live, fairy.meat_live)),
    h("span.count", {}, h("small", {}, "Kill"), pips("kill", fairy.kill, fairy.meat_kill)),
    h("span.count", {}, h("small", {}, "Twinkle"), pips("twinkle", fairy.twinkle, fairy.used_twinkle)));
}

export function portrait(fairy, size = 64) {
  const fallen = !fairy.alive;
  return h("svg", { viewBox: "0 0 64 64", width: size, height: size, class: fallen ? "portrait fallen" : "portrait", "aria-hidden": "true" },
    ...wings(), h("path", { d: "M32 26 L22 56 Q32 62 42 56 Z", fill: seatColour(fairy.seat) }),
    h("circle", { cx: 32, cy: 19, r: 9, fill: "#f3d6b6", stroke: "#0003" }),
    h("path", { d: hair(fairy.type), fill: ["#5a3a28", "#c9912a", "#3a3446"][["wild", "glitter", "seasoned"].indexOf(fairy.type)] ?? "#5a3a28" }),
    h("circle", { cx: 32, cy: 44, r: 9, fill: "var(--sheet)", opacity: .95 }), h("text", { x: 32, y: 49, "text-anchor": "middle", "font-size": 14, "font-weight": 800, fill: "var(--ink)" }, fairy.name),
    fallen ? h("path", { d: "M14 14 L50 54 M50 14 L14 54", stroke: "var(--bad)", "stroke-width": 4, "stroke-linecap": "round" }) : null);
}

const hair = (type) => ({ glitter: "M22 20 Q22 7 32 7 Q42 7 42 20 Q40 12 32 12 Q24 12 22 20 Z", seasoned: "M21 26 Q19 8 32 7 Q45 8 43 26 Q41 12 32 13 Q23 12 21 26 Z" })[type] ?? "M22 17 L24 6 L29 10 L32 4 L36 10 L41 6 L42 17 Q32 9 22 17 Z";

function wings() {
  return [[-38, 18, 26], [38, 46, 26]].flatMap(([turn, x, y]) => [
    h("ellipse", { cx: x, cy: y - 4, rx: 9, ry: 19, transform: `rotate(${turn} ${x} ${y - 4})`, class: "wing" }),
    h("ellipse", { cx: x + (x < 32 ? 3 : -3), cy: y + 16, rx: 6, ry: 12, transform: `rotate(${turn < 0 ? -125 : 125} ${x + (x < 32 ? 3 : -3)} ${y + 16})`, class: "wing low" })]);
}

// -------------------------------------------------------------------------------------- fairies
export function orderWords(fairy) {
  if (!fairy.alive) return "dead";
  if (fairy.acted) return "has acted";
  return plural(fairy.order.count, "Order Card");
}

function orders(fairy) {
  if (!fairy.alive || (!fairy.order.count && !fairy.order.shown)) return h("span.small.quiet", {}, orderWords(fairy));
  if (fairy.acted) return h("span.small.quiet", {}, "has acted");
  return h("div.orders", { "aria-label": orderWords(fairy) }, h("small", {}, "Order"), pile(fairy.order));
}

const about = (fairy) => [fairy.type, fairy.magic !== "none" ? fairy.magic : "", ...fairy.weapons.map((w) => w.replaceAll("_", " "))].filter(Boolean).join(" · ");
const marks = (table, fairy) => [
  table.turn === fairy.id ? h("span.mark.turn", {}, "her turn") : null,
  table.attacker === fairy.id ? h("span.mark", {}, "attacks") : null,
  table.defender === fairy.id && table.attacker !== fairy.id ? h("span.mark", {}, "defends") : null,
  fairy.stance ? h("span.mark", {}, fairy.stance === "pose" ? "poses" : "flutters") : null,
  ...fairy.effects.map((words) => h("span.mark.magic", {}, words)),
  fairy.boost ? h("span.mark.magic", {}, `keeps ${plural(fairy.boost, "point")}`) : null,
  ...Object.entries(fairy.bank).map(([g, n]) => h("span.mark.magic", {}, `+${plural(n, "card")} against ${table.fairies[g].name}`)),
].filter(Boolean);

/** A fairy of a fight, large. `pick` makes her clickable. */
export function fairyCard(table, fairy, who, pick) {
  const box = h(pick ? "button.fairy.pick" : "div.fairy", { class: [fairy.alive ? "" : "dead", table.turn === fairy.id ? "turn" : ""].join(" "), style: { "--who": seatColour(fairy.seat) }, "data-fairy": fairy.id,
    "aria-label": pick ? pick.words : null, "data-action": pick?.id, onclick: pick?.take },
    portrait(fairy, 72),
    h("div.facts", {}, h("div.name", {}, h("strong", {}, who), marks(table, fairy)), h("div.small.quiet", {}, about(fairy)),
      table.play === "clash" ? null : counters(fairy), table.play === "clash" ? null : orders(fairy)));
  return box;
}

/** A fairy of the table as one line of a list. */
export function fairyRow(table, fairy, pick, onlook) {
  const where = { away: "to be placed", left: "left the field", gone: "eaten up" }[fairy.where];
  return h(pick ? "button.fairy-row.pick" : "div.fairy-row", { class: [fairy.alive ? "" : "dead", table.turn === fairy.id ? "turn" : ""].join(" "), style: { "--who": seatColour(fairy.seat) }, "data-fairy": fairy.id,
    "aria-label": pick ? pick.words : null, "data-action": pick?.id, onclick: pick?.take, onmouseenter: onlook, onfocus: pick ? onlook : null },
    portrait(fairy, 40), h("div.facts", {}, h("div.name", {}, h("span.small", {}, about(fairy)), marks(table, fairy)),
      fairy.alive ? counters(fairy) : h("span.small.quiet", {}, where ?? `dead, ${plural(fairy.meat_live + fairy.meat_kill, "point")} of meat`),
      where && fairy.alive ? h("span.small.quiet", {}, where) : fairy.alive ? orders(fairy) : null));
}

// ---------------------------------------------------------------------------------------- fights
/** What lies before a fighter: sign, trumps, number. */
export function laidBefore(fairy, fresh) {
  const cards = [...pile(fairy.laid, { small: false, fresh }), ...fairy.wild.map((text) => cardFace(text, { fresh }))];
  if (fairy.main && fairy.main !== "none") cards.push(h("span.main-card", {}, cardFace(fairy.main, { fresh })));
  const words = fairy.chosen.map((text) => h("span.mark", {}, `chosen: ${text}`));
  return h("div.laid", { style: { "--who": seatColour(fairy.seat) } },
    h("span.letter", {}, fairy.name), fairy.sign ? h("span.sign", { title: `her trumps ${fairy.sign}` }, fairy.sign === "add" ? "+" : "−") : h("span.sign.none", {}, "?"),
    h("span.fan", {}, cards, cards.length ? null : h("span.slot", { "aria-label": "nothing laid yet" })),
    fairy.points_wild ? h("span.mark.magic", {}, `${fairy.points_wild} points as wild trumps`) : null,
    fairy.main === "none" ? h("span.mark", {}, "no card") : null, words,
    fairy.total !== null ? h("span.total", {}, fairy.total) : null);
}

export function heapAndDeck(table) {
  const top = table.heap.up.at(-1);
  return h("div.piles", {},
    h("div.stack", { title: `The deck has ${plural(table.deck, "card")}` }, cardFace(null, { small: true }), h("small", {}, `deck ${table.deck}`)),
    h("details.heap", {}, h("summary", { "aria-label": `Spoils Heap of ${plural(table.heap.count, "card")}; open to see what lies face up` },
      h("div.stack", {}, top ? cardFace(top, { small: true }) : table.heap.count ? cardFace(null, { small: true }) : h("span.slot.small"), h("small", {}, `heap ${table.heap.count}`))),
      h("div.heap-list", {}, h("h3", {}, "Face up in the Spoils Heap"), h("div.fan.many", {}, table.heap.up.map((text) => cardFace(text, { small: true }))),
        table.heap.own_down.length ? [h("h3", {}, "Yours, face down"), h("div.fan.many", {}, table.heap.own_down.map((text) => cardFace(text, { small: true })))] : null)));
}
