// Watching a game again, step by step, from any seat's eyes or all-seeing, with the agents' thoughts.
import { Arena, thoughtBars } from "./arena.js";
import { picksOf } from "./choices.js";
import { $, h, playerName, seatColour, title, toast } from "./dom.js";
import { arrange } from "./game.js";
import { dropZone } from "./lobby.js";
import { get, post } from "./net.js";
import { callSeats, exchangePicture, lastExchange, painted, storyList } from "./story.js";

let waiting = null;

/** Show a replay file that was dropped or chosen. */
export async function openReplayFile(file) {
  try {
    if (file.size > 16 * 2 ** 20) throw new Error("This file is too big for a replay.");
    waiting = JSON.parse(await file.text());
  } catch (error) {
    toast(error instanceof SyntaxError ? "This file is not JSON." : error.message, true);
    return;
  }
  if (location.hash === "#/replay") dispatchEvent(new HashChangeEvent("hashchange"));
  else location.hash = "#/replay";
}

export async function showReplay(stage, gameId) {
  let content = waiting;
  waiting = null;
  if (gameId) content = await get(`/v1/games/${gameId}/record`);
  if (!content) {
    stage.replaceChildren(h("div.lobby", {}, h("section.panel", {}, h("h2", {}, "Watch a replay"), h("p.quiet", {}, "Files come from fm-env play, fm-env replay record, or a finished game on this server."), dropZone())));
    return () => {};
  }
  const viewer = new Viewer(stage, content);
  await viewer.load(null);
  return () => viewer.close();
}

class Viewer {
  constructor(stage, content) {
    Object.assign(this, { stage, content, at: 0, frames: [], seat: null, timer: null });
    this.onkey = (event) => this.key(event);
    this.onresize = () => { if (this.frames.length) arrange(this, this.frames[this.at].table); };
    addEventListener("resize", this.onresize);
    document.addEventListener("keydown", this.onkey);
  }

  close() {
    clearInterval(this.timer);
    removeEventListener("resize", this.onresize);
    document.removeEventListener("keydown", this.onkey);
  }

  async load(seat) {
    const data = await post("/v1/replay", { replay: this.content, seat });
    Object.assign(this, { data, seat, frames: unfolded(data.frames) });
    this.arena = new Arena((k) => playerName(data.players.find((p) => p.seat === k)?.name) ?? `Seat ${k}`, seat);
    callSeats(this.arena.names);
    this.build();
    this.show(Math.min(this.at, this.frames.length - 1));
  }

  build() {
    const { data } = this;
    const eyes = [[null, "all-seeing"], ...[...Array(data.num_seats).keys()].map((k) => [k, `eyes of ${this.arena.names(k)}`])];
    const button = (label, words, does) => h("button.icon", { "aria-label": words, title: words, onclick: does }, label);
    this.slider = h("input.scrub", { type: "range", min: 0, max: this.frames.length - 1, value: this.at, "aria-label": "Step", oninput: () => this.show(Number(this.slider.value)) });
    this.playing = button("▶", "Play", () => this.toggle());
    this.count = h("span.small.quiet", {});
    const bar = h("div.scrubber", { role: "group", "aria-label": "Replay" }, button("|◀", "To the beginning", () => this.show(0)), button("◀", "A step back", () => this.show(this.at - 1)), this.playing, button("▶|", "A step on", () => this.show(this.at + 1)), this.slider, this.count,
      h("select", { "aria-label": "Whose eyes", onchange: (event) => this.load(event.target.value === "" ? null : Number(event.target.value)).catch((error) => toast(error.message, true)) }, eyes.map(([k, words]) => h("option", { value: k ?? "", selected: k === this.seat }, words))));
    this.news = h("div.news", { "aria-live": "polite" });
    this.mind = h("section.mind", { "aria-label": "What the agent thought" });
    this.story = h("ol.story", {});
    this.dock = h("section.dock", {}, bar, this.news, h("div.dock-row", {}, this.arena.hand, this.mind));
    this.side = h("aside.side-panel", {}, this.arena.crew, h("section.story-box", { "aria-label": "What happened" }, h("h3", {}, "What happened"), this.story));
    this.frame = h("div.game.replay", {}, h("div.middle", {}, this.arena.field, this.arena.ring, this.dock), this.side);
    this.stage.replaceChildren(this.frame);
    $("#headline").textContent = `${title(data.game)} ${data.scenario}: ${data.players.map((p) => playerName(p.name)).join(" against ")}`;
  }

  show(step) {
    this.at = Math.max(0, Math.min(step, this.frames.length - 1));
    const frame = this.frames[this.at];
    const told = this.frames.slice(0, this.at + 1).map((one, n) => ({ n, seat: one.seat, words: one.words })).filter((event) => event.words);
    const found = lastExchange(told);
    const colourOf = (letter) => seatColour(frame.table?.fairies?.find((f) => f.name === letter)?.seat ?? 0);
    const exchange = found && found.at >= this.at - 40 ? exchangePicture(found, colourOf, found.at === this.at) : null;
    this.arena.draw(frame.table, picksOf([], () => {}, frame.table), { text: frame.text ?? "", exchange });
    arrange(this, frame.table);
    this.news.replaceChildren(...painted(frame.words || "…"));
    const next = this.frames[this.at + 1]?.thought;
    this.mind.replaceChildren(...(next ? [h("h3", {}, `${this.arena.names(next.seat)} weighs`), thoughtBars(next.alternatives, next.win_estimate)] : []));
    this.story.replaceChildren(...storyList(told.slice(-300), seatColour));
    this.story.scrollTop = this.story.scrollHeight;
    this.slider.value = this.at;
    this.slider.setAttribute("aria-valuetext", frame.words || `step ${this.at}`);
    this.count.textContent = `${this.at} / ${this.frames.length - 1}`;
    this.frame.dataset.step = this.at;
    this.frame.dataset.seat = this.seat ?? "all";
    if (this.at === this.frames.length - 1) this.toggle(false);
  }

  toggle(run = !this.timer) {
    clearInterval(this.timer);
    this.timer = run ? setInterval(() => this.show(this.at + 1), 900) : null;
    this.playing.textContent = run ? "⏸" : "▶";
    this.playing.setAttribute("aria-label", run ? "Pause" : "Play");
  }

  key(event) {
    if (/INPUT|SELECT|TEXTAREA/.test(event.target.tagName) || $("dialog")) return;
    if (event.key === "ArrowRight") this.show(this.at + 1);
    else if (event.key === "ArrowLeft") this.show(this.at - 1);
    else if (event.key === "Home") this.show(0);
    else if (event.key === "End") this.show(this.frames.length - 1);
    else if (event.key === " " && event.target.tagName !== "BUTTON") this.toggle();
    else return;
    event.preventDefault();
  }
}

/** Frames carry what changed since the one before: fields of the table, and of each fairy. */
function unfolded(frames) {
  let table = {}, text = null;
  return frames.map((frame) => {
    const { fairies, ...fields } = frame.table;
    table = { ...table, ...fields };
    if (fairies) table.fairies = Object.entries(fairies).reduce((all, [k, change]) => { all[k] = { ...all[k], ...change }; return all; }, [...(table.fairies ?? [])]);
    if (frame.text !== undefined && frame.text !== null) text = frame.text;
    return { ...frame, table, text };
  });
}
