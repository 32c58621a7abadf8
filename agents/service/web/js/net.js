// Talking to the server: requests over HTTP, a game's views over a WebSocket that comes back by itself.

export class ServerError extends Error {
  constructor(message, code) { super(message); this.code = code; }
}

export async function request(method, path, body, token) {
  const headers = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (token) headers.Authorization = `Bearer ${token}`;
  let answer;
  try {
    answer = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  } catch {
    throw new ServerError("The server can't be reached.", "offline");
  }
  let data = null;
  try { data = await answer.json(); } catch { /* said below */ }
  if (!answer.ok) {
    const detail = typeof data?.detail === "string" ? data.detail : null;
    throw new ServerError(data?.message ?? detail ?? `The server answered ${answer.status}.`, data?.code ?? "http");
  }
  return data;
}

export const get = (path, token) => request("GET", path, undefined, token);
export const post = (path, body, token) => request("POST", path, body, token);

const PARTS = ["events", "actions", "words", "table"];

/** The views of one game. Calls `onView(view)`, `onHint(hint)`, `onError(error)`, `onState("lost" | "back")`. */
export class GameLine {
  constructor(gameId, token, handlers) {
    Object.assign(this, { gameId, token, handlers, since: 0, tries: 0, closed: false, parts: PARTS });
    this.open();
    this.beat = setInterval(() => this.ping(), 20000);
    this.wake = () => { if (!document.hidden && this.socket?.readyState > 1) this.retry(0); };
    document.addEventListener("visibilitychange", this.wake);
    addEventListener("online", this.wake);
  }

  open() {
    const url = new URL(`/v1/games/${this.gameId}/ws`, location.href);
    url.protocol = url.protocol.replace("http", "ws");
    const socket = (this.socket = new WebSocket(url));
    socket.onopen = () => {
      this.send({ type: "subscribe", token: this.token ?? null, since: this.since, parts: this.parts });
    };
    socket.onmessage = (event) => this.receive(JSON.parse(event.data));
    socket.onclose = (event) => {
      if (this.closed || socket !== this.socket) return;
      clearTimeout(this.silence);
      if (event.code === 1008 || event.code === 4404) return; // refused for good, an error message came before
      this.handlers.onState?.("lost");
      this.retry(Math.min(4000, 300 * 2 ** this.tries++));
    };
  }

  retry(delay) {
    clearTimeout(this.again);
    this.again = setTimeout(() => { if (!this.closed) this.open(); }, delay);
  }

  receive(message) {
    clearTimeout(this.silence);
    if (message.type === "view") {
      if (this.tries) this.handlers.onState?.("back");
      this.tries = 0;
      this.since = message.next_event;
      this.handlers.onView(message);
    } else if (message.type === "hint") this.handlers.onHint?.(message);
    else if (message.type === "error") this.handlers.onError?.(message);
  }

  send(message) {
    if (this.socket.readyState !== 1) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  ping() {
    if (!this.send({ type: "ping" })) return;
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.socket.close(), 10000);
  }

  close() {
    this.closed = true;
    clearInterval(this.beat);
    clearTimeout(this.again);
    clearTimeout(this.silence);
    document.removeEventListener("visibilitychange", this.wake);
    removeEventListener("online", this.wake);
    this.socket.close();
  }
}
