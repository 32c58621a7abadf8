// A hosted game: the view of one seat, kept up to date, with what may be chosen.
import { Arena, thoughtBars } from "./arena.js";
import { choicePanel, NumberKeys, picksOf, walk } from "./choices.js";
import { percent } from "./cards.js";
import { $, banner, dialog, h, kept, playerName, seatColour, toast } from "./dom.js";
import { GameLine, get, post } from "./net.js";
import { tick } from "./sound.js";
import { callSeats, condensed, exchangePicture, lastExchange, painted, storyList } from "./story.js";

export async function showGame(stage, gameId, joining) {
  let seat = kept.get(`seat.${gameId}`);
  if (joining && !seat) {
    const joined = await post(`/v1/games/${gameId}/join`, { seat: null, name: kept.get("name", "") });
    seat = { seat: joined.seat, token: joined.token };
    kept.set(`seat.${gameId}`, seat);
  }
  if (joining) history.replaceState(null, "", `#/game/${gameId}`);
  const game = new Game(stage, gameId, seat);
  return () => game.close();
}

class Game {
  constructor(stage, gameId, seat) {
    Object.assign(this, { stage, gameId, token: seat?.token ?? null, mine: seat?.seat ?? null, events: [], view: null, hint: new Map(), waiting: false });
    this.arena = new Arena((k) => this.name(k), this.mine);
    this.dock = h("section.dock", { "aria-label": "Your choice" });
    this.news = h("div.news", { "aria-live": "polite" });
    this.story = h("ol.story", {});
    this.side = h("aside.side-panel", {}, this.arena.crew, h("section.story-box", { "aria-label": "What happened" }, h("h3", {}, "What happened"), this.story));
    this.frame = h("div.game", {}, h("div.middle", {}, this.arena.field, this.arena.ring, this.dock), this.side);
    stage.replaceChildren(this.frame);
    this.keys = new NumberKeys((n) => this.choose(this.view?.actions[n - 1]));
    this.onkey = (event) => this.key(event);
    document.addEventListener("keydown", this.onkey);
    this.line = new GameLine(gameId, this.token, {
      onView: (view) => this.receive(view),
      onHint: (hint) => this.showHint(hint),
      onError: (error) => this.failed(error),
      onState: (state) => { banner(state === "lost" ? "The connection is lost; trying again …" : null); if (state === "lost") this.lock(true); },
    });
    this.onresize = () => { if (this.view) arrange(this, this.view.table); };
    addEventListener("resize", this.onresize);
    this.clockTimer = setInterval(() => this.showClock(), 500);
  }

  close() {
    this.line.close();
    banner(null);
    removeEventListener("resize", this.onresize);
    clearInterval(this.clockTimer);
    document.removeEventListener("keydown", this.onkey);
  }

  name(seat) {
    if (seat === this.mine) return "You";
    const info = this.view?.seats[seat];
    if (!info) return `Seat ${seat}`;
    return info.kind === "open" ? "Nobody yet" : playerName(info.name) || playerName(info.agent) || `Seat ${seat}`;
  }

  receive(view) {
    banner(null);
    const before = this.view;
    const fresh = view.events.filter((event) => event.n >= this.events.length);
    if (view.events.length && view.events[0].n > this.events.length) this.line.since = 0; // a gap: ask for all the next time
    this.events.push(...fresh);
    const last = (action) => Number(action.group === "Rest and end");
    view.actions.sort((a, b) => last(a) - last(b));
    this.view = view;
    callSeats((seat) => this.name(seat));
    this.lock(false);
    this.seen = Date.now();
    if (!before || before.version !== view.version) this.hint = new Map();
    if (view.table && view.table.kind !== "fairy_meat" && view.text == null) {
      view.text = before?.text ?? "";
      this.fetchText(view);
    }
    this.sounds(before, view, fresh);
    this.draw(fresh);
  }

  /** Games without a picture are shown by their words. */
  async fetchText(view) {
    try {
      const { text } = await get(`/v1/games/${this.gameId}?parts=text`, this.token);
      if (this.view === view) { view.text = text; this.draw([]); }
    } catch (error) { toast(error.message, true); }
  }

  sounds(before, view, fresh) {
    if (!before) return;
    const words = fresh.map((event) => event.words).join(" ");
    if (view.outcome && !before.outcome) tick("over");
    else if (/dies|has Live/.test(words)) tick("hurt");
    else if (/ shows /.test(words)) tick("reveal");
    else if (view.your_turn && !before.your_turn) tick("turn");
    else if (fresh.length) tick("lay");
  }

  // ------------------------------------------------------------------------------------- drawing
  draw(fresh) {
    const { view } = this;
    const focused = this.frame.contains(document.activeElement) && document.activeElement.dataset.action !== undefined;
    const picks = picksOf(view.actions, (action) => this.choose(action), view.table);
    const found = lastExchange(this.events);
    const isNew = found && found.at >= this.events.length - fresh.length;
    const colourOf = (letter) => seatColour(view.table?.fairies?.find((f) => f.name === letter)?.seat ?? 0);
    const exchange = found && found.at >= this.events.length - 60 ? exchangePicture(found, colourOf, isNew) : null;
    this.arena.draw(view.table ?? { kind: "text" }, picks, { text: view.text ?? "", hint: this.hint, exchange });
    arrange(this, view.table);
    this.drawHeadline();
    this.drawDock(picks, fresh);
    this.story.replaceChildren(...storyList(this.events.slice(-400), seatColour));
    this.story.scrollTop = this.story.scrollHeight;
    if (focused) this.dock.querySelector("[data-action]")?.focus({ preventScroll: true });
    this.frame.dataset.version = view.version;
    this.frame.dataset.status = view.status;
    this.frame.dataset.turn = String(view.your_turn);
  }

  drawHeadline() {
    const { view } = this;
    const words = view.status === "open" ? "Waiting for players" : view.outcome ? this.outcomeWords() : view.your_turn ? h("span.your-turn", {}, this.task()) : this.mine === null ? "You are watching" : `Waiting for ${view.waiting_for.map((k) => this.name(k)).join(", ") || "the table"}`;
    $("#headline").replaceChildren(words);
    document.title = `${view.your_turn ? "● " : ""}Fairy Meat`;
  }

  task() {
    const { table } = this.view;
    const fairy = table?.fairies?.[table.asked_fairy];
    return fairy && table.task ? `${fairy.name} is to ${table.task}` : table?.phase === "BUILD" ? "Choose your warband" : "Your choice";
  }

  drawDock(picks, fresh) {
    const { view } = this;
    const parts = [];
    const last = fresh.at(-1);
    if (view.outcome) this.news.replaceChildren();
    else if (last) this.news.replaceChildren(...painted(storyText(fresh)));
    parts.push(this.news);
    if (view.status === "open") parts.push(this.invitation());
    else if (view.outcome) parts.push(this.ending());
    else {
      const asked = view.your_turn
        ? [h("div.row.spread.ask", {}, h("strong", {}, this.task()), h("span.row", {}, h("span.clock", { role: "timer" }), h("button.hint-button", { onclick: () => this.askHint(), "aria-keyshortcuts": "h" }, "✧ Hint"), h("button.plain", { onclick: () => this.resign() }, "Give up"))), choicePanel(picks, this.hint)]
        : h("p.quiet.wait", {}, this.mine === null ? "You watch with the eyes of the public." : `Waiting for ${view.waiting_for.map((k) => this.name(k)).join(" and ") || "the table"} …`);
      parts.push(h("div.dock-row", {}, this.arena.hand, h("div.asked", {}, asked)));
    }
    if (view.seeded && !view.outcome) parts.push(h("p.small.quiet", {}, "Whoever set this game up named its luck, and may know the cards."));
    this.dock.replaceChildren(...parts);
    this.showClock();
  }

  invitation() {
    const link = new URL(`#/join/${this.gameId}`, location.href).href;
    const copy = h("button.primary", { onclick: async () => {
      try { await navigator.clipboard.writeText(link); toast("The link is copied."); } catch { toast("Mark the link and copy it."); }
    } }, "Copy the link");
    return h("div.share", {}, h("h2", {}, "Send this link to the other player"), h("code", {}, link), copy, h("p.quiet.small", {}, "The game begins when all seats are taken. Keep this page open, or come back to it."));
  }

  outcomeWords() {
    const { outcome } = this.view;
    if (outcome.how === "abandoned") return "The game was closed.";
    const gaveUp = outcome.loser !== null && outcome.loser !== undefined ? `${this.name(outcome.loser)} gave up. ` : "";
    if (outcome.winners.length > 1) return `${gaveUp}A draw.`;
    const [winner] = outcome.winners;
    return gaveUp + (winner === undefined ? "The game is over." : winner === this.mine ? "You win!" : `${this.name(winner)} won.`);
  }

  ending() {
    const { view } = this;
    const lines = this.events.slice(-1).map((event) => h("p", {}, painted(event.words)));
    return h("div.ending", {}, h("h2", {}, this.outcomeWords()), lines, h("div.row", {}, h("a.button.primary", { href: `#/replay/${this.gameId}` }, "Watch it again, with the agents' thoughts"), h("a.button", { href: "#/" }, "Another game")),
      view.seats.some((s) => s.fallbacks) ? h("p.small.quiet", {}, view.seats.filter((s) => s.fallbacks).map((s) => `${this.name(s.seat)}: ${s.fallbacks} choices were made by the server (${s.status}).`).join(" ")) : null);
  }

  showClock() {
    const clock = this.view?.clock, element = this.dock.querySelector(".clock");
    if (!element || !clock || clock.move === null) return;
    const left = Math.max(0, clock.move + (clock.bank ?? 0) - (Date.now() - this.seen) / 1000);
    element.textContent = `${Math.ceil(left)} s`;
    element.classList.toggle("hurry", left < 6);
  }

  // ------------------------------------------------------------------------------------ choosing
  choose(action) {
    if (!action || this.waiting || !this.view.your_turn) return;
    this.lock(true);
    if (!this.line.send({ type: "act", action: action.id, version: this.view.version })) toast("Not connected; trying again.", true);
  }

  lock(locked) {
    this.waiting = locked;
    this.frame.classList.toggle("locked", locked);
    clearTimeout(this.unlock);
    if (locked) this.unlock = setTimeout(() => this.lock(false), 6000);
  }

  failed(error) {
    this.lock(false);
    if (error.code === "stale_version") return; // the new view is on its way
    toast(error.message, true);
    if (error.code === "unknown" || error.code === "forbidden") this.dock.replaceChildren(h("div.ending", {}, h("p", {}, error.message), h("a.button.primary", { href: "#/" }, "To the lobby")));
  }

  askHint() {
    if (!this.view?.your_turn) return;
    this.line.send({ type: "hint" });
  }

  showHint(message) {
    if (message.version !== this.view.version) return;
    const { choice } = message;
    const likely = (choice.alternatives ?? []).filter((one) => one.probability >= 0.005);
    const weighed = likely.length ? likely : [{ action: choice.action, text: choice.text, probability: 1 }];
    this.hint = new Map(weighed.map((one) => [one.action, one.probability]));
    this.draw([]);
    const words = new Map(this.view.actions.map((action) => [action.id, action.words ?? action.text]));
    const box = h("div.hint-box", { role: "status" }, h("h3", {}, "The agent would"), thoughtBars(weighed.slice(0, 5).map((one) => ({ ...one, words: words.get(one.action) })), choice.win_estimate),
      choice.belief ? h("p.small.quiet", {}, "That most of the cards hidden from you are red: ", h("b", {}, percent(choice.belief.red))) : null);
    this.dock.querySelector(".ask")?.after(box);
  }

  resign() {
    const box = dialog("Give up this game?", h("div.row", {}, h("button.primary", { onclick: () => { this.line.send({ type: "resign" }); box.close(); } }, "Give up"), h("button", { onclick: () => box.close() }, "Go on playing")));
  }

  key(event) {
    if ($("dialog") || event.ctrlKey || event.metaKey || event.altKey || /INPUT|SELECT|TEXTAREA/.test(event.target.tagName)) return;
    if (/^\d$/.test(event.key) && this.view?.your_turn && !(event.key === "0" && !this.keys.typed)) this.keys.press(event.key, this.view.actions.length);
    else if (event.key === "Enter" && this.dock.querySelector(".choice.ready") && document.activeElement?.dataset.action === undefined) {
      event.preventDefault();
      this.dock.querySelector(".choice.ready").click();
    } else if (event.key === "h") this.askHint();
    else if (event.key === "l") this.story.scrollIntoView({ behavior: "smooth" });
    else if (this.arena.board && event.key === "+") this.arena.board.zoom(0.7);
    else if (this.arena.board && event.key === "-") this.arena.board.zoom(1 / 0.7);
    else if (this.arena.board && event.key === "0") this.arena.board.whole();
    else walk(event, this.dock);
  }
}

/** Where the parts stand: beside a board there is room for the fight and the choices, else they go below. */
export function arrange({ frame, arena, dock, side }, table) {
  const board = Boolean(table?.board);
  frame.classList.toggle("text-game", table?.kind !== "fairy_meat");
  frame.classList.toggle("with-board", board);
  frame.classList.toggle("fighting", table?.attacker != null && table?.defender != null && table.attacker !== table.defender);
  const place = board && matchMedia("(min-width: 961px)").matches ? side : frame.querySelector(".middle");
  if (dock.parentNode === place) return;
  if (place === side) side.prepend(arena.ring, dock);
  else place.append(arena.ring, dock);
}

function storyText(events) {
  const words = condensed(events).map((event) => event.words).join(" ");
  return words.length > 320 ? "… " + words.slice(-320).replace(/^\S*\s/, "") : words;
}
