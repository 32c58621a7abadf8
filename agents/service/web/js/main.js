// Which page is shown: the lobby, a game, or a replay; the tools in the bar.
import { $, dialog, h, kept, toast } from "./dom.js";
import { showGame } from "./game.js";
import { showLobby } from "./lobby.js";
import { showReplay } from "./replay.js";
import * as sound from "./sound.js";

let leave = null;

function theme(name) {
  const dark = name === "dark" || (!name && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
}

function tools() {
  const soundButton = h("button.icon", { "aria-label": "Sound", "aria-pressed": String(sound.on), title: "Sound" }, sound.on ? "♪" : "♪̸");
  soundButton.onclick = () => {
    sound.setSound(!sound.on);
    soundButton.setAttribute("aria-pressed", String(sound.on));
    soundButton.textContent = sound.on ? "♪" : "♪̸";
  };
  const dark = h("button.icon", { "aria-label": "Light or dark", title: "Light or dark", onclick: () => {
    const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    kept.set("theme", next);
    theme(next);
  } }, "◐");
  const help = h("button.icon", { "aria-label": "Help", title: "Help (?)", onclick: showHelp }, "?");
  $("#tools").replaceChildren(soundButton, dark, help);
}

export function showHelp() {
  if ($("dialog")) return;
  const keys = [["1 2 3 …", "make that choice"], ["← ↑ → ↓", "walk through choices and cards; Enter takes one"],
    ["h", "ask for a hint"], ["+ − 0", "zoom the table, show all of it"], ["l", "what happened so far"], ["Esc", "close a window"]];
  dialog("How to play",
    h("p", {}, "What you may do now is offered where it belongs: on your cards, on fairies, on the table, on the countdown. The same choices stand in the list below, with numbers. Drag the table or pinch it to look around."),
    h("p", {}, "In a fight both fighters first say whether their trumps (J Q K A) add or subtract, lay trumps and then a number face down, and turn the numbers over together. One colour: the higher total wins. Two colours: the lower. Trumps that don't match the colour of her number are caught, and the other side may use them."),
    h("p", {}, "Counters: ", h("span.pip.live", { "aria-hidden": "true" }), " Live (cards she defends with), ", h("span.pip.kill", { "aria-hidden": "true" }), " Kill (cards she attacks with), ", h("span.pip.twinkle", { "aria-hidden": "true" }), " Twinkle (magic, and Order Cards by Thinking). Hollow ones are spent or lost."),
    h("table", {}, keys.map(([key, what]) => h("tr", {}, h("td", {}, h("kbd", {}, key)), h("td", {}, what)))));
}

async function route() {
  leave?.();
  leave = null;
  document.querySelectorAll("dialog").forEach((box) => box.close());
  const [place, ...rest] = location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  $("#headline").textContent = "";
  try {
    if (place === "game" || place === "join") leave = await showGame($("#stage"), rest[0], place === "join");
    else if (place === "replay") leave = await showReplay($("#stage"), rest[0]);
    else leave = await showLobby($("#stage"));
  } catch (error) {
    $("#stage").replaceChildren(h("div.lobby", {}, h("div.panel", {}, h("h2", {}, "That didn't work"), h("p", {}, error.message),
      h("a.button.primary", { href: "#/" }, "To the lobby"))));
    if (!error.code) throw error;
    toast(error.message, true);
  }
}

addEventListener("hashchange", route);
document.addEventListener("keydown", (event) => {
  if (event.key === "?" && !/INPUT|SELECT|TEXTAREA/.test(event.target.tagName)) showHelp();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => theme(kept.get("theme")));
theme(kept.get("theme"));
tools();
route();
