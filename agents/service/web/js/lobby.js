// The lobby: set up a game, join or watch one, open a replay.
import { h, kept, playerName, plural, title, toast } from "./dom.js";
import { get, post } from "./net.js";
import { openReplayFile } from "./replay.js";

const ABOUT = {
  "fairy_meat/duel": ["Duel", "Two fairies, eight rounds of cards and bluff. The best start; ten minutes."],
  "fairy_meat/skirmish-1v1": ["Skirmish, one a side", "The whole table for a first look: terrain, flight, spells, one fairy each."],
  "fairy_meat/skirmish-2v2": ["Skirmish, two a side", "A small war: two fairies each, terrain and magic."],
  "fairy_meat/skirmish": ["Skirmish", "The whole game: warbands of 75 points for two to six players."],
  "fairy_meat/clash": ["Clash", "A single exchange of cards. Half a minute."],
  "fairy_meat/scuffle": ["Scuffle", "Three fairies or more, all in contact."],
  "sword_and_shield/joust": ["Sword and Shield", "A joust of two knights; in words."],
  "angry_miniatures/skirmish": ["Angry Miniatures", "Three figures a side on a grid; in words."],
  "fairy_tale/expert": ["Fairy Tale", "Drafting cards for two to five players; in words."],
  "fairy_tale/basic": ["Fairy Tale, plain", "Without effects on other cards; in words."],
  "angry_miniatures/duel": ["Angry Miniatures, one a side", "A single figure each; in words."],
};
const PLAYERS = { "fairy_meat/skirmish": [2, 6], "fairy_meat/scuffle": [2, 4], "fairy_tale/expert": [2, 5], "fairy_tale/basic": [2, 5] };
const MORE = {
  combat: { label: "Fighting system", of: /^fairy_meat/, choices: [["", "UnclEvl's combat (bluff)"], ["fast_play", "Fast Play"]] },
  warbands: { label: "Warbands", of: /^fairy_meat\/skirmish/, choices: [["", "drawn by chance"], ["choose", "chosen by the players"]] },
  terrain: { label: "Terrain", of: /^fairy_meat\/skirmish/, choices: [["", "garden"], ["kitchen", "kitchen"], ["ruins", "ruins"], ["meadow", "meadow"]] },
};

export async function showLobby(stage) {
  const catalog = await get("/v1/catalog");
  const scenarios = catalog.games.flatMap((game) => game.scenarios.map((scenario) => ({ game: game.name, ...scenario })));
  const order = Object.keys(ABOUT);
  const rank = (one) => { const k = order.indexOf(`${one.game}/${one.name}`); return k < 0 ? 99 : k; };
  scenarios.sort((a, b) => rank(a) - rank(b));
  const wish = { key: kept.get("scenario", "fairy_meat/duel"), seat: 0, opponent: null, options: {} };
  if (!scenarios.some((one) => `${one.game}/${one.name}` === wish.key)) wish.key = `${scenarios[0].game}/${scenarios[0].name}`;

  const tiles = h("div.tiles", { role: "group", "aria-label": "Game" });
  const settings = h("div", { style: { display: "grid", gap: "14px" } });
  const running = h("ul.games", {});
  stage.replaceChildren(h("div.lobby", {},
    h("div.intro", {}, h("h1", {}, "Fairies, cards and bluff"),
      h("p", {}, "Play a fight of the miniatures game Fairy Meat against an agent or another person. Agents see no more of your cards than you see of theirs.")),
    h("div.two", {},
      h("div.side", {},
        h("section.panel", { "aria-label": "Game" }, h("h2", {}, "Choose a game"), tiles),
        h("section.panel", { "aria-label": "Games on this server" }, h("div.row.spread", {}, h("h2", {}, "On this server"), h("button.plain", { onclick: () => list(running) }, "Refresh")), running),
        h("section.panel", { "aria-label": "Replay" }, h("h2", {}, "Watch a replay"), dropZone())),
      h("section.panel.setup", { "aria-label": "New game" }, settings))));

  const choose = async () => {
    const scenario = scenarios.find((one) => `${one.game}/${one.name}` === wish.key);
    tiles.replaceChildren(...scenarios.map((one) => tile(one, wish, choose)));
    kept.set("scenario", wish.key);
    await fillSettings(settings, scenario, wish);
  };
  await choose();
  await list(running);
  const timer = setInterval(() => list(running), 15000);
  return () => clearInterval(timer);
}

function tile(one, wish, choose) {
  const key = `${one.game}/${one.name}`;
  const [name, about] = ABOUT[key] ?? [`${title(one.game)}: ${one.name}`, plural(one.num_seats, "player")];
  return h("button.tile", { "aria-pressed": String(key === wish.key), "data-scenario": key, onclick: () => { Object.assign(wish, { key, options: {}, opponent: null, players: null }); choose(); } },
    h("strong", {}, name), h("span", {}, about));
}

async function fillSettings(element, scenario, wish) {
  const { agents } = await get(`/v1/agents?game=${scenario.game}&scenario=${scenario.name}`);
  wish.opponent ??= (agents.filter((a) => a.level).at(2) ?? agents[0])?.spec;
  const levels = h("div.levels", { role: "group", "aria-label": "Opponent" });
  const person = { spec: "person", title: "Another person", about: "You get a link to send." };
  const show = () => levels.replaceChildren(...[person, ...agents].map((agent) =>
    h("button.level", { "aria-pressed": String(agent.spec === wish.opponent), "data-agent": agent.spec, onclick: () => { wish.opponent = agent.spec; show(); } },
      h("span.rank", { "aria-hidden": "true" }, agent.level ?? (agent.spec === "person" ? "☺" : "•")),
      h("span", {}, agent.title, h("small", {}, agent.about)))));
  show();
  const range = PLAYERS[wish.key];
  wish.players ??= range ? (scenario.game === "fairy_tale" ? scenario.num_seats : Math.max(range[0], Math.min(scenario.num_seats, range[1]))) : scenario.num_seats;
  const seats = h("div");
  const fillSeats = () => seats.replaceChildren(picker("Your seat", [...Array(wish.players).keys()].map((k) => [k, k === 0 ? "first" : ["second", "third", "fourth", "fifth", "sixth"][k - 1]]), wish.seat, (v) => { wish.seat = Number(v); }));
  wish.seat = Math.min(wish.seat, wish.players - 1);
  fillSeats();
  const fields = [field("Your name", h("input", { type: "text", maxlength: 40, value: kept.get("name", ""), placeholder: "Anonymous", oninput: (e) => kept.set("name", e.target.value) }))];
  if (range) fields.push(picker("Players", span(...range).map((n) => [n, n]), wish.players, (v) => { wish.players = Number(v); wish.seat = 0; fillSeats(); }));
  fields.push(seats);
  fields.push(picker("Time for a choice", [["", "no limit"], [20, "20 seconds"], [60, "a minute"]], wish.move ?? "", (v) => { wish.move = v ? Number(v) : null; }));
  for (const [name, more] of Object.entries(MORE)) {
    if (more.of.test(wish.key)) fields.push(picker(more.label, more.choices, wish.options[name] ?? "", (v) => { if (v) wish.options[name] = v; else delete wish.options[name]; }));
  }
  const start = h("button.primary", { id: "start", onclick: () => create(scenario, wish, start) }, "Start the game");
  element.replaceChildren(h("h2", {}, "Against"), levels, h("div.fields", {}, fields), h("div.row", {}, start));
  element.dataset.for = wish.key;
}

const span = (low, high) => Array.from({ length: high - low + 1 }, (_, k) => low + k);
const field = (name, input) => h("label.field", {}, h("span", {}, name), input);

function picker(name, choices, value, onpick) {
  return field(name, h("select", { onchange: (event) => onpick(event.target.value) },
    choices.map(([v, words]) => h("option", { value: v, selected: String(v) === String(value) }, String(words)))));
}

async function create(scenario, wish, button) {
  button.disabled = true;
  const options = { ...wish.options };
  if (PLAYERS[wish.key]) options.num_players = wish.players;
  const seats = [...Array(wish.players).keys()].map((seat) => {
    if (seat === wish.seat) return { kind: "human", name: kept.get("name", "") };
    return wish.opponent === "person" ? { kind: "open" } : { kind: "agent", agent: wish.opponent };
  });
  try {
    const made = await post("/v1/games", { game: scenario.game, scenario: scenario.name, options, seats, time: { move: wish.move ?? null, bank: 0 } });
    kept.set(`seat.${made.game_id}`, { seat: wish.seat, token: made.tokens[wish.seat] });
    location.hash = `#/game/${made.game_id}`;
  } catch (error) {
    toast(error.message, true);
    button.disabled = false;
  }
}

async function list(element) {
  let games = [];
  try { ({ games } = await get("/v1/games")); } catch (error) { toast(error.message, true); }
  const lines = games.slice(0, 12).map((one) => {
    const [name] = ABOUT[`${one.game}/${one.scenario}`] ?? [title(one.game)];
    const free = one.seats.some((seat) => seat.kind === "open");
    const mine = kept.get(`seat.${one.game_id}`);
    const words = one.status === "over" ? "Watch again" : mine ? "Go on" : free ? "Join" : "Watch";
    const place = one.status === "over" ? "replay" : free && !mine ? "join" : "game";
    const who = one.seats.map((seat) => playerName(seat.name) || (seat.kind === "open" ? "somebody?" : seat.kind === "human" ? "a person" : seat.kind)).join(" – ");
    return h("li", {}, h("span", {}, h("strong", {}, name), h("br"), h("span.small.quiet", {}, who)), h("a.button", { href: `#/${place}/${one.game_id}` }, words));
  });
  element.replaceChildren(...(lines.length ? lines : [h("li", {}, h("span.quiet", {}, "No games yet."))]));
}

export function dropZone() {
  const input = h("input", { type: "file", accept: "application/json,.json", class: "visually-hidden", id: "replay-file", onchange: () => input.files[0] && openReplayFile(input.files[0]) });
  const zone = h("div.drop", {}, h("p.quiet", {}, "Drop a replay file here, or"), h("label.button", { for: "replay-file" }, "choose a file"), input);
  zone.addEventListener("dragover", (event) => { event.preventDefault(); zone.classList.add("over"); });
  zone.addEventListener("dragleave", () => zone.classList.remove("over"));
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    if (event.dataTransfer.files[0]) openReplayFile(event.dataTransfer.files[0]);
  });
  return zone;
}

