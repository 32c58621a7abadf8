// The legal actions: grouped buttons with numbers, and sorted by what on the table they are about.
import { cardFace, percent } from "./cards.js";
import { h } from "./dom.js";
import { painted } from "./story.js";

const CALLS = [..."KQJT98765432A", ..."A23456789TJQK"];

/** Actions by what they are about: maps for fairies, pieces, items, cards, calls; lists for the rest. */
export function picksOf(actions, take, table) {
  const picks = { fairy: new Map(), piece: new Map(), item: new Map(), card: new Map(), call: new Map(), area: [], heading: [], trumps: [], any: new Map() };
  actions.forEach((action, k) => {
    const on = action.on ?? {};
    const pick = { ...action, on, words: action.words ?? action.text, number: k + 1, take: () => take(action) };
    picks.any.set(action.id, pick);
    for (const kind of ["fairy", "piece", "item", "card"]) if (on[kind] !== undefined && on[kind] !== null) picks[kind].set(on[kind], pick);
    if (on.call !== undefined) picks.call.set(`${on.joker ? "j" : ""}${on.call}`, pick);
    if (on.trumps) picks.trumps.push(pick);
    if (on.heading !== undefined) picks.heading.push(pick);
    if (on.column !== undefined || on.row !== undefined || on.spot !== undefined) picks.area.push({ ...pick, cell: table?.cell });
  });
  return picks;
}

/** The panel of all choices. `hint` maps action ids to probabilities. */
export function choicePanel(picks, hint = new Map()) {
  const groups = new Map();
  for (const pick of picks.any.values()) {
    const name = pick.group || (pick.on.call !== undefined ? "When to act" : "");
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(pick);
  }
  return h("div.choices", { role: "group", "aria-label": "What you may do now" }, [...groups].map(([name, list]) => group(name, list, hint)));
}

function group(name, list, hint) {
  const calls = list.filter((pick) => pick.on.call !== undefined);
  const headings = list.filter((pick) => pick.on.heading !== undefined);
  const places = list.filter((pick) => pick.on.column !== undefined || pick.on.row !== undefined || pick.on.spot !== undefined);
  const rest = list.filter((pick) => !calls.includes(pick) && !headings.includes(pick) && !places.includes(pick));
  const crowded = rest.length > 12;
  const box = h("div.buttons", { class: crowded ? "crowded" : "" }, rest.map((pick) => choiceButton(pick, hint)));
  return h("section.group", {}, name ? h("h3", {}, name) : null, crowded ? filter(box) : null, box,
    calls.length ? track(calls, hint) : null, headings.length ? compass(headings, hint) : null,
    places.length ? h("div.buttons.chips", {}, places.map((pick) => choiceButton(pick, hint))) : null);
}

export function choiceButton(pick, hint) {
  const chance = hint.get(pick.id);
  return h("button.choice", { "data-action": pick.id, onclick: pick.take, class: chance !== undefined ? "hinted" : "", style: chance !== undefined ? { "--chance": chance } : null },
    pick.number <= 99 ? h("span.key", { "aria-hidden": "true" }, pick.number) : null, icon(pick.on), h("span", {}, painted(pick.words)), chance === undefined ? null : h("span.chance", {}, percent(chance)));
}

function icon(on) {
  if (on.trumps && on.n) return h("span.fan.tiny", { "aria-hidden": "true" }, [...Array(Math.min(on.n, 5))].map(() => cardFace("K" + on.trumps, { small: true })));
  if (on.card) return h("span.fan.tiny", { "aria-hidden": "true" }, cardFace(on.card, { small: true }));
  if (on.wild) return h("span.fan.tiny", { "aria-hidden": "true" }, cardFace("K" + on.wild, { small: true }));
  return null;
}

function filter(box) {
  return h("input", { type: "text", placeholder: "Type to find a choice", "aria-label": "Find a choice", oninput: (event) => {
    const wanted = event.target.value.toLowerCase();
    for (const button of box.children) button.hidden = !button.textContent.toLowerCase().includes(wanted);
  } });
}

/** The countdown as a row of calls; those that may be planned are buttons. */
export function track(calls, hint = new Map(), next = null) {
  const of = (k, joker) => calls.find((pick) => pick.on.call === k && Boolean(pick.on.joker) === joker);
  return h("div.track", { role: "group", "aria-label": "The countdown, from king down to ace and up again" }, CALLS.map((rank, k) => {
    const plain = of(k, false), joker = of(k, true), words = rank === "T" ? "10" : rank;
    const state = next === null ? "" : k < next ? "past" : k === next ? "now" : "";
    const cell = plain ? h("button.call.pick", { class: state, "data-action": plain.id, "aria-label": plain.words, title: plain.words, onclick: plain.take, style: hint.has(plain.id) ? { "--chance": hint.get(plain.id) } : null }, words) : h("span.call", { class: state }, words);
    return h("span.call-box", { class: k === 13 ? "turn" : "" }, cell, joker ? h("button.call.joker.pick", { "data-action": joker.id, "aria-label": joker.words, title: joker.words, onclick: joker.take }, "★") : null);
  }));
}

function compass(headings, hint) {
  return h("div.compass", { role: "group", "aria-label": "Which way to fly" }, headings.map((pick) => {
    const a = (pick.on.heading * Math.PI) / 180;
    return h("button.way", { "data-action": pick.id, "aria-label": pick.words, title: pick.words, onclick: pick.take, style: { left: `${50 + 41 * Math.cos(a)}%`, top: `${50 - 41 * Math.sin(a)}%`, ...(hint.has(pick.id) ? { "--chance": hint.get(pick.id) } : {}) } },
      h("span", { style: { transform: `rotate(${-pick.on.heading}deg)` } }, "➤"));
  }), h("span.north", { "aria-hidden": "true" }, "N"));
}

/** Numbers typed on the keyboard: `1`, or two digits within a moment where there are more than nine. */
export class NumberKeys {
  constructor(take) { Object.assign(this, { take, typed: "", count: 0 }); }

  press(key, count) {
    clearTimeout(this.timer);
    this.typed += key;
    const settle = () => { const n = Number(this.typed); this.typed = ""; if (n >= 1 && n <= count) this.take(n); };
    if (Number(this.typed) * 10 > count || this.typed.length > 1) settle();
    else this.timer = setTimeout(settle, 650);
  }
}

/** Arrow keys walk through everything that can be chosen. */
export function walk(event, root) {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (!step || /INPUT|SELECT|TEXTAREA/.test(event.target.tagName)) return false;
  const stops = [...root.querySelectorAll(".choices [data-action]")].filter((one) => !one.hidden);
  if (!stops.length) return false;
  const at = stops.indexOf(document.activeElement);
  stops[(at + step + stops.length) % stops.length].focus();
  event.preventDefault();
  return true;
}
