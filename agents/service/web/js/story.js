// What happened, in words; and the last exchange of cards as a picture, read from those words.
import { cardFace } from "./cards.js";
import { h } from "./dom.js";

const DRAW = /^(.+) (draws|is dealt) (a card|an Order Card|[2-9TJQKAX][rb]?|the Order Card \S+)\.$/;
/** A joker is an X where a card stands; there may be a fairy X, too. */
const CARD = /\b(?:10|[2-9TJQKA])[rb]\b|(?<=\b(?:[rb]|up|draws|shows|lays|Cards?|with) )X\b|\bX(?= (?:[2-9TJQKA][rb])\b)/g;

/** Draws in a row told at once: "B draws 4 cards.", "A draws 7r Kb 2b.". Events are `{seat, words}`. */
export function condensed(events) {
  const told = [];
  for (const event of events) {
    const found = DRAW.exec(event.words);
    const last = told.at(-1);
    if (found && last?.draw && last.draw[0] === found[1] && last.draw[1] === found[2] && last.draw[2].startsWith("a") === found[3].startsWith("a")) {
      last.cards.push(found[3]);
      const [who, verb, what] = last.draw;
      const faces = last.cards.map((text) => text.split(" ").at(-1)).join(" ");
      last.words = what.startsWith("a") ? `${who} ${verb} ${last.cards.length} ${what.replace(/^an? /, "")}s.` : `${who} ${verb} ${what.startsWith("the") ? "the Order Cards " : ""}${faces}.`;
    } else told.push({ ...event, draw: found ? found.slice(1) : null, cards: found ? [found[3]] : [] });
  }
  return told;
}

let called = null;

/** What to call the players in words from now on: `names(seat)`, "You" for one's own. */
export function callSeats(names) {
  called = names;
}

/** The rules' words for people: players by their names, a ten as 10. */
export function spoken(words) {
  return words.replace(/ \(seat \d+\)/g, "").replace(/\bT (down|up)\b/g, "10 $1").replace(/\b([Ss])eat (\d+)\b/g, (text, s, seat) => {
    const name = called?.(Number(seat));
    return !name || name === `Seat ${seat}` ? text : name === "You" ? (s === "S" ? "Your side" : "your side") : name;
  });
}

/** Words for people with the cards in them in colour. */
export function painted(said) {
  const words = spoken(said), parts = [];
  let at = 0;
  for (const found of words.matchAll(CARD)) {
    const red = found[0].endsWith("r"), joker = found[0] === "X";
    parts.push(words.slice(at, found.index), joker ? h("b.joker", {}, "joker") : h("b", { class: red ? "red" : "black" }, found[0].slice(0, -1).replace("T", "10") + (red ? "♦" : "♠")));
    at = found.index + found[0].length;
  }
  return [...parts, words.slice(at)];
}

export function storyList(events, colourOf) {
  return condensed(events).map((event) => h("li", { style: { "--who": event.seat === null ? "transparent" : colourOf(event.seat) } }, painted(event.words)));
}

const OUTCOME = /(\w) (-?\d+) against (\w)(?: (-?\d+)|, who counts (\d+))([^:]*): (.*)$/;

/** The last exchange that the events tell of: who showed what, the totals, who won. Null if there is none. */
export function lastExchange(events) {
  let shows = {}, caught = [], found = null, at = null;
  for (const event of events) {
    for (const sentence of event.words.split(/(?<=[.:]) (?=[A-Z])/)) {
      let m;
      if (/^\w (attacks|casts|starts to wrestle|wrestles|makes no further)/.test(sentence)) { shows = {}; caught = []; }
      if ((m = /^(\w) shows (.+?)( as a wild trump)?\.$/.exec(sentence))) {
        const cards = m[2].replace("a joker", "X").split(/ with | /).filter((text) => /^([2-9TJQKA][rb]|X)$/.test(text));
        (shows[m[1]] ??= []).push(...cards);
      } else if (/^\w is caught/.test(sentence)) caught.push(sentence);
    }
    const m = OUTCOME.exec(event.words);
    if (m) {
      const won = m[7].split(/(?<=\.) /).filter((s) => /wins|damage|nothing|takes/.test(s)).slice(0, 2).join(" ");
      found = { a: { name: m[1], cards: shows[m[1]] ?? [], total: Number(m[2]) }, b: { name: m[3], cards: shows[m[3]] ?? [], total: Number(m[4] ?? m[5]) }, how: m[6].replace(/^, /, ""), won, caught };
      at = event.n;
      shows = {};
      caught = [];
    }
  }
  return found && { ...found, at };
}

export function exchangePicture(exchange, colourOfName, fresh) {
  const side = (one) => h("div.shown-side", { style: { "--who": colourOfName(one.name) } },
    h("b.letter", {}, one.name), h("div.fan", { class: fresh ? "fresh" : "" }, one.cards.map((text) => cardFace(text, { small: true })), one.cards.length ? null : h("span.quiet", {}, "no card")),
    h("span.total", {}, one.total));
  return h("div.exchange", { role: "img", "aria-label": `Last exchange: ${exchange.a.name} ${exchange.a.total} against ${exchange.b.name} ${exchange.b.total}. ${exchange.won}` },
    h("h3", {}, "The last exchange"), h("div.shown-both", {}, side(exchange.a), h("span.versus", {}, exchange.how || "against"), side(exchange.b)),
    exchange.caught.map((words) => h("p.small", {}, words)), h("p.won", {}, exchange.won));
}
