// Plays one duel against a server's agent: node duel.mjs http://127.0.0.1:8000 [level:apprentice]
// Start the server with: fm-env serve
const [base, agent = "level:apprentice"] = process.argv.slice(2);

async function call(path, body, token) {
  const headers = { "content-type": "application/json" };
  if (token) headers.authorization = `Bearer ${token}`;
  const method = body ? "POST" : "GET";
  const answer = await fetch(`${base}/v1/${path}`, { method, headers, body: body && JSON.stringify(body) });
  const message = await answer.json();
  if (message.type === "error") throw new Error(`${message.code}: ${message.message}`);
  return message;
}

const seats = [{ kind: "human", name: "Node" }, { kind: "agent", agent }];
const { game_id, tokens } = await call("games", { game: "fairy_meat", scenario: "duel", seats });
let view = await call(`games/${game_id}?parts=actions,events`, null, tokens[0]);
while (view.status !== "over") {
  const action = view.actions[Math.floor(Math.random() * view.actions.length)];
  const act = { action: action.id, version: view.version, since: view.next_event, parts: ["actions", "events"] };
  view = await call(`games/${game_id}/act`, act, tokens[0]);
  for (const event of view.events) console.log(event.words);
}
console.log(JSON.stringify(view.outcome));
