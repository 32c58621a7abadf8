// Making elements, and small things that all parts of the page share.

const SVG = "http://www.w3.org/2000/svg";
const IN_SVG = new Set(["svg", "g", "path", "circle", "ellipse", "rect", "line", "text", "use", "polygon", "title", "defs", "pattern", "marker", "radialGradient", "stop", "filter", "feDropShadow"]);

/** An element: `h("button.primary", {onclick, "aria-label": ...}, "text", child, [children], null)`. */
export function h(what, attributes, ...children) {
  const [tag, ...classes] = what.split(".");
  const element = IN_SVG.has(tag) ? document.createElementNS(SVG, tag) : document.createElement(tag);
  if (classes.length) element.setAttribute("class", classes.join(" "));
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.setAttribute("class", [...classes, value].join(" "));
    else if (name === "style" && typeof value === "object") Object.entries(value).forEach(([k, v]) => element.style.setProperty(k, v));
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  add(element, children);
  return element;
}

function add(element, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) add(element, child);
    else element.append(child instanceof Node ? child : String(child));
  }
}

export const $ = (selector) => document.querySelector(selector);

export function toast(words, bad = false) {
  const note = h("div.toast", { class: bad ? "bad" : "" }, words);
  $("#toasts").append(note);
  setTimeout(() => note.remove(), bad ? 7000 : 3500);
}

export function banner(words) {
  const element = $("#banner");
  element.textContent = words ?? "";
  element.hidden = !words;
}

/** Settings that stay in this browser. */
export const kept = {
  get(name, otherwise = null) {
    try { return JSON.parse(localStorage.getItem("fairy-meat." + name)) ?? otherwise; } catch { return otherwise; }
  },
  set(name, value) {
    try { localStorage.setItem("fairy-meat." + name, JSON.stringify(value)); } catch { /* private window */ }
  },
};

export const plural = (n, one, many = one + "s") => `${n} ${n === 1 ? one : many}`;
export const title = (name) => name.replaceAll("_", " ").replace(/(^|\s)\w/g, (c) => c.toUpperCase());
/** What to call an agent: `level:master` is Master, `policy:duel` is Duel (learned). */
export function playerName(spec) {
  const [kind, name] = (spec ?? "").split(/:(.*)/);
  if (kind === "level" && name) return title(name);
  return kind === "policy" && name ? `${title(name)} (learned)` : spec;
}

export const seatColour = (seat) => `var(--seat${seat % 6})`;

/** A dialog that closes with Escape, its button or a click beside it. */
export function dialog(heading, ...content) {
  const box = h("dialog", { "aria-label": heading },
    h("div.row.spread", {}, h("h2", {}, heading), h("button.icon.plain", { "aria-label": "Close", onclick: () => box.close() }, "✕")),
    ...content);
  box.addEventListener("close", () => box.remove());
  box.addEventListener("click", (event) => { if (event.target === box) box.close(); });
  document.body.append(box);
  box.showModal();
  return box;
}
