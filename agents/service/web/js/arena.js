// A position as a whole: table or duel, the fight, the hand. Used by games and by replays alike.
import { Board } from "./board.js";
import { cardFace, fairyCard, fairyRow, heapAndDeck, laidBefore, percent } from "./cards.js";
import { track } from "./choices.js";
import { h, plural, seatColour } from "./dom.js";
import { painted, spoken } from "./story.js";

export class Arena {
  /** `names(seat)`: what to call a player. `mine`: the seat whose eyes these are, or null. */
  constructor(names, mine) {
    Object.assign(this, { names, mine, before: null });
    this.field = h("section.field", { "aria-label": "The table" });
    this.ring = h("section.ring", { "aria-label": "The fight" });
    this.hand = h("section.hand-box", { "aria-label": "Your cards" });
    this.crew = h("section.crew", { "aria-label": "Players and fairies" });
    this.board = null;
  }

  draw(table, picks, { text = "", hint = new Map(), exchange = null } = {}) {
    if (table.kind !== "fairy_meat") return this.drawText(text);
    if (table.board) {
      this.board ??= new Board();
      if (!this.board.element.isConnected) this.field.replaceChildren(this.board.element);
      this.board.draw(table, picks, this.before);
    } else if (table.warband) this.field.replaceChildren(h("pre.text", {}, table.warband.text));
    else this.drawDuel(table, picks);
    this.drawRing(table, picks, hint, exchange);
    this.drawHand(table, picks, hint);
    this.drawCrew(table, picks);
    this.before = table;
    return undefined;
  }

  drawText(text) {
    this.field.replaceChildren(h("pre.text", { tabindex: 0, "aria-label": "The position in words" }, text));
    for (const part of [this.ring, this.hand, this.crew]) part.replaceChildren();
  }

  who(fairy) {
    return `${this.names(fairy.seat)} (${fairy.name})`;
  }

  /** Two fairies or a few, large: others above, mine below. */
  drawDuel(table, picks) {
    if (table.play === "skirmish") return this.field.replaceChildren(h("p.quiet.calm", {}, spoken(table.asked)));
    const mine = this.mine ?? 0;
    const row = (fairies) => h("div.duelists", {}, fairies.map((f) => fairyCard(table, f, this.who(f), picks.fairy.get(f.id))));
    this.field.replaceChildren(h("div.duel", {}, row(table.fairies.filter((f) => f.seat !== mine)), h("div.duel-middle", {}, this.ring), row(table.fairies.filter((f) => f.seat === mine))));
    return undefined;
  }

  drawRing(table, picks, hint, exchange) {
    const parts = [];
    if (table.countdown !== null && table.round > 0) {
      const next = Math.min(26, Math.floor(table.slot / 2));
      parts.push(h("div.countdown", {}, h("span.small.quiet", {}, `Round ${table.round} of ${table.rounds}, countdown ${table.countdown.replace("T ", "10 ")}`), table.phase === "PLAN" && picks.call.size ? null : track([], hint, next)));
    }
    const [a, d] = [table.fairies[table.attacker], table.fairies[table.defender]];
    const fights = a && d && a !== d;
    const upper = fights ? (a.seat === this.mine ? d : a) : null, lower = fights ? (upper === a ? d : a) : null;
    const old = (f) => this.before?.fairies?.[f.id];
    const fresh = (f) => !old(f) || old(f).main !== f.main || old(f).laid.count !== f.laid.count || old(f).laid.up !== f.laid.up;
    const laid = fights ? h("div.laid-both", {}, laidBefore(upper, fresh(upper)), laidBefore(lower, fresh(lower))) : null;
    if (laid && exchange) exchange.classList.add("strip");
    parts.push(h("div.mat", {}, laid ?? exchange ?? h("p.quiet.calm", {}, table.phase === "OVER" ? "The game is over." : table.warband?.text ?? spoken(table.asked)), heapAndDeck(table)));
    if (laid && exchange) parts.push(exchange);
    this.ring.replaceChildren(...parts.filter(Boolean));
  }

  /** The hand of my fighter, sorted by trumps and numbers; else the Order Cards of my fairies. */
  drawHand(table, picks, hint) {
    const eyes = this.mine;
    const mine = table.fairies.filter((f) => (eyes === null ? f.hand.count : f.seat === eyes && f.hand.count));
    const parts = mine.map((f) => {
      const cards = f.hand.cards ?? Array(f.hand.count).fill(null);
      const drawn = countNew(this.before?.fairies?.[f.id]?.hand.cards, f.hand.cards);
      const taken = new Set();
      return h("div.hand", { style: { "--who": seatColour(f.seat), "--n": cards.length } }, h("h3", {}, `${f.name} holds ${plural(cards.length, "card")}`),
        h("div.fan", {}, cards.map((text) => {
          const pick = text && !taken.has(text) && table.asked_fairy === f.id ? picks.card.get(text) : null;
          if (pick) taken.add(text);
          const isNew = text && drawn.get(text) > 0;
          if (isNew) drawn.set(text, drawn.get(text) - 1);
          const toggle = text && "JQKA".includes(text[0]) && table.asked_fairy === f.id && picks.trumps.some((one) => one.on.trumps === text[1]) ? (event) => this.takeTrump(event.currentTarget, picks) : null;
          return cardFace(text, { toggle, fresh: Boolean(isNew), pick: pick ?? null, number: pick ? pick.number : null, chance: pick && hint.has(pick.id) ? hint.get(pick.id) : null });
        })));
    });
    if (!parts.length && eyes !== null && ["PLAN", "THINK"].includes(table.phase)) {
      const holders = table.fairies.filter((f) => f.seat === eyes && f.alive && f.order.cards?.length && !f.acted);
      parts.push(...holders.map((f) => h("div.hand", { style: { "--who": seatColour(f.seat) } }, h("h3", {}, `${f.name}'s Order Cards`), h("div.fan", {}, f.order.cards.map((text) => cardFace(text))))));
    }
    this.hand.replaceChildren(...parts);
    this.hand.hidden = !parts.length;
  }

  /** Trumps are picked up one by one; the choice that fits is marked, and Enter or a click makes it. */
  takeTrump(card, picks) {
    const colour = card.classList.contains("red") ? "r" : "b";
    const cards = [...this.hand.querySelectorAll(".card[aria-pressed]")];
    const taken = card.getAttribute("aria-pressed") === "true";
    for (const other of cards) if (other.classList.contains("red") !== (colour === "r")) other.setAttribute("aria-pressed", "false");
    card.setAttribute("aria-pressed", String(!taken));
    const n = cards.filter((one) => one.getAttribute("aria-pressed") === "true").length;
    const fits = n ? picks.trumps.find((one) => one.on.trumps === colour && one.on.n === n) : [...picks.any.values()].find((one) => one.on.trumps === null);
    document.querySelectorAll(".choice.ready").forEach((one) => one.classList.remove("ready"));
    document.querySelector(`.choice[data-action="${fits?.id}"]`)?.classList.add("ready");
  }

  drawCrew(table, picks) {
    const skirmish = table.play === "skirmish";
    const order = [...table.scores].sort((x, y) => (y.seat === this.mine) - (x.seat === this.mine));
    const groups = order.map((score) => {
      const detail = skirmish ? `${plural(score.kills, "kill")}, ${score.eaten} meat` : "";
      const fairies = skirmish ? table.fairies.filter((f) => f.seat === score.seat) : [];
      return h("div.player", { style: { "--who": seatColour(score.seat) } }, h("div.row.spread", {}, h("strong.player-name", {}, this.names(score.seat)), h("span.score", {}, h("b", {}, plural(score.points, skirmish ? "point" : table.play === "clash" ? "point" : "Fairy Point")), detail ? h("span.small.quiet", {}, ` ${detail}`) : null)),
        fairies.map((f) => fairyRow(table, f, picks.fairy.get(f.id), () => this.look(f.id))));
    });
    const turn = table.turn_line ? h("p.small.turn-line", {}, table.turn_line) : null;
    this.crew.replaceChildren(...groups, ...(turn ? [turn] : []));
  }

  look(id) {
    this.board?.scene.querySelectorAll(".token").forEach((token) => token.classList.toggle("looked", token.dataset.fairy === String(id)));
  }
}

function countNew(before, now) {
  const fresh = new Map();
  for (const text of now ?? []) fresh.set(text, (fresh.get(text) ?? 0) + 1);
  for (const text of before ?? []) if (fresh.has(text)) fresh.set(text, fresh.get(text) - 1);
  return fresh;
}

/** What an agent weighs, as bars. */
export function thoughtBars(alternatives, winEstimate) {
  return h("div.thought", {}, winEstimate === null || winEstimate === undefined ? null : h("p", {}, "Chance to win: ", h("b", {}, percent(winEstimate))),
    alternatives.map((one) => h("div.weigh", { style: { "--chance": one.probability } }, h("span", {}, painted(one.words ?? one.text)), h("b", {}, percent(one.probability)))));
}

