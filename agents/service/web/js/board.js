// The table from above as SVG: terrain, loot, fairies with their counters, flights; zoom and pan.
// Lengths are inches; y grows to the north on the table and to the south on the screen.
import { h, plural, seatColour, title } from "./dom.js";

const CELLS = 12, SPOTS = 4;

export class Board {
  constructor() {
    this.side = 36;
    this.scene = h("g");
    this.svg = h("svg.board", { role: "group", "aria-label": "The table from above", tabindex: -1, preserveAspectRatio: "xMidYMid meet" }, this.scene);
    const button = (label, words, does) => h("button.icon", { "aria-label": words, title: words, onclick: does }, label);
    this.element = h("div.board-box", {}, this.svg, h("div.zoom", {}, button("+", "Closer", () => this.zoom(0.7)), button("−", "Farther", () => this.zoom(1 / 0.7)), button("⤢", "The whole table", () => this.whole())));
    this.pointers = new Map();
    this.listen();
  }

  // ------------------------------------------------------------------------------ looking around
  fit() {
    const { clientWidth, clientHeight } = this.svg;
    const edge = Math.max(1, this.side * 0.035, (18 * this.side) / (Math.min(clientWidth, clientHeight) || 600)); // room for numbers
    this.view = { x: -edge, y: -edge, size: this.side + 2 * edge };
    this.look();
  }

  whole() {
    this.fit();
    if (this.last) this.draw(...this.last);
  }

  look() {
    const { x, y, size } = this.view;
    this.svg.setAttribute("viewBox", `${x} ${y} ${size} ${size}`);
    this.svg.style.setProperty("--px", size / (this.svg.clientWidth || 600));
  }

  zoom(factor, at = null) {
    const old = this.view;
    const size = Math.min(this.side * 1.3, Math.max(4, old.size * factor));
    const [cx, cy] = at ?? [old.x + old.size / 2, old.y + old.size / 2];
    const share = size / old.size;
    this.view = { x: cx - (cx - old.x) * share, y: cy - (cy - old.y) * share, size };
    this.look();
    if (this.last && Math.abs(this.disc - Math.max(this.last[0].board.radius, size * 0.02)) > 0.02) this.draw(...this.last);
  }

  place(event) {
    const matrix = this.svg.getScreenCTM().inverse();
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
    return [point.x, point.y];
  }

  listen() {
    const { svg, pointers } = this;
    svg.addEventListener("wheel", (event) => { event.preventDefault(); this.zoom(event.deltaY < 0 ? 0.85 : 1 / 0.85, this.place(event)); }, { passive: false });
    svg.addEventListener("pointerdown", (event) => { pointers.set(event.pointerId, [event.clientX, event.clientY]); this.dragged = 0; });
    svg.addEventListener("pointermove", (event) => {
      const before = pointers.get(event.pointerId);
      if (!before) return;
      const scale = this.view.size / Math.min(svg.clientWidth, svg.clientHeight || svg.clientWidth);
      const now = [event.clientX, event.clientY];
      if (pointers.size === 2) {
        const other = [...pointers].find(([id]) => id !== event.pointerId)[1];
        const far = (a) => Math.hypot(a[0] - other[0], a[1] - other[1]);
        if (far(now) > 10) this.zoom(far(before) / far(now), this.place({ clientX: (now[0] + other[0]) / 2, clientY: (now[1] + other[1]) / 2 }));
      } else {
        this.dragged += Math.hypot(now[0] - before[0], now[1] - before[1]);
        if (this.dragged > 6) {
          if (!svg.hasPointerCapture(event.pointerId)) svg.setPointerCapture(event.pointerId);
          this.view.x -= (now[0] - before[0]) * scale;
          this.view.y -= (now[1] - before[1]) * scale;
          this.look();
        }
      }
      pointers.set(event.pointerId, now);
    });
    const end = (event) => pointers.delete(event.pointerId);
    ["pointerup", "pointercancel", "pointerleave"].forEach((name) => svg.addEventListener(name, end));
    svg.addEventListener("click", (event) => { if (this.dragged > 6) { event.stopPropagation(); event.preventDefault(); } }, true);
  }

  // --------------------------------------------------------------------------------- the picture
  /** `picks` are actions by what they are about; `before` the table shown last, to draw who moved. */
  draw(table, picks, before = null) {
    const { board } = table;
    this.last = [table, picks, before];
    if (this.side !== board.side || !this.view) { this.side = board.side; this.fit(); }
    this.disc = Math.max(board.radius, this.view.size * 0.02);
    this.spots = apart(table.fairies.filter((f) => f.where === "table" && f.x !== null).map((f) => ({ id: f.id, x: f.x, y: f.y, r: f.alive ? this.disc : this.disc * 0.8 })));
    const near = this.side <= 20 ? 2 : 6;
    const parts = [this.ground(board, near), ...board.pieces.slice().sort((a, b) => a.top - b.top).map((piece) => this.piece(piece, picks.piece.get(piece.id)))];
    parts.push(...board.items.map((item) => this.item(item, picks.item.get(item.id))));
    parts.push(this.strips(picks), this.moves(table, before), this.flight(table, picks), this.shot(table));
    const here = table.fairies.filter((f) => f.where === "table" && f.x !== null);
    parts.push(...here.filter((f) => !f.alive).concat(here.filter((f) => f.alive)).map((f) => this.fairy(table, f, picks.fairy.get(f.id))));
    this.scene.replaceChildren(...parts.filter(Boolean));
    this.look();
  }

  /** Inches that take so many pixels on the screen. */
  pixels(n) {
    const { clientWidth, clientHeight } = this.svg;
    return (n * this.view.size) / (Math.min(clientWidth, clientHeight) || 600);
  }

  at(x, y) { return [x, this.side - y]; }

  ground(board, step) {
    const side = board.side, lines = [], labels = [];
    for (let k = step; k < side; k += step) {
      lines.push(h("line", { x1: k, y1: 0, x2: k, y2: side }), h("line", { x1: 0, y1: k, x2: side, y2: k }));
    }
    for (let k = 0; k <= side; k += step) {
      labels.push(h("text", { x: k, y: side + side * 0.026, "text-anchor": "middle" }, k), h("text", { x: -side * 0.008, y: side - k, "text-anchor": "end", dy: ".35em" }, k));
    }
    return h("g.ground", {}, h("rect", { x: 0, y: 0, width: side, height: side, rx: 0.15 }), h("g.grid", {}, lines), h("g.ruler", { "font-size": Math.max(side * 0.022, this.pixels(9.5)), "aria-hidden": "true" }, labels));
  }

  piece(piece, pick) {
    const [x, y] = this.at(piece.x, piece.y), { half_width: w, half_depth: d, top } = piece;
    const share = Math.min(1, top / 12);
    const shape = piece.form === "box" ? (more) => h("rect", { x: x - w, y: y - d, width: 2 * w, height: 2 * d, rx: 0.12, ...more }) : (more) => h("circle", { cx: x, cy: y, r: w, ...more });
    const drop = 0.12 + 0.05 * Math.min(8, top);
    const size = Math.max(this.pixels(10), Math.min(this.side * 0.022, 0.95 * d, 0.62 * w));
    return h("g.piece", { class: pick ? "pick" : "", style: { "--high": share }, ...this.clickable(pick, `piece ${piece.id}, ${top} inches high`) },
      h("title", {}, `Terrain, ${top} inches high`), h("g.shade", { transform: `translate(${drop} ${drop})` }, shape()), shape({ class: "top" }),
      h("text", { x, y, dy: ".35em", "text-anchor": "middle", "font-size": size }, `${top}″`));
  }

  item(item, pick) {
    const [x, y] = this.at(item.x, item.y), r = this.side * 0.016;
    return h("g.item", { class: pick ? "pick" : "", ...this.clickable(pick, `loot of weight ${item.weight}`) }, h("title", {}, `Loot of weight ${item.weight}`),
      h("rect", { x: x - r, y: y - r, width: 2 * r, height: 2 * r, rx: r / 3 }), h("text", { x, y, dy: ".35em", "text-anchor": "middle", "font-size": r * 1.4 }, item.weight));
  }

  fairy(table, f, pick) {
    const spot = this.spots.get(f.id), [x, y] = this.at(spot.x, spot.y), r = this.disc;
    const words = `${f.name}, ${f.alive ? `Live ${f.live}, Kill ${f.kill}, Twinkle ${f.twinkle}` : "dead"}${f.z ? `, ${f.z} inches up` : ""}`;
    const group = h("g.token", { class: [pick ? "pick" : "", f.alive ? "" : "dead", table.turn === f.id ? "turn" : "", table.attacker === f.id || table.defender === f.id ? "fights" : ""].join(" "),
      transform: `translate(${x} ${y})`, style: { "--who": seatColour(f.seat) }, "data-fairy": f.id, ...this.clickable(pick, words) }, h("title", {}, words));
    if (!f.alive) {
      group.append(h("circle", { r: r * 0.9, class: "body" }), h("path", { d: `M${-r * 0.6} ${-r * 0.6}L${r * 0.6} ${r * 0.6}M${r * 0.6} ${-r * 0.6}L${-r * 0.6} ${r * 0.6}`, class: "cross", "stroke-width": r * 0.16 }),
        h("text.under", { y: r * 1.9, "font-size": r * 0.8, "text-anchor": "middle" }, `${f.name} · ${plural(f.meat_live + f.meat_kill, "meat", "meat")}`));
      return group;
    }
    if (table.turn === f.id || pick) group.append(h("circle", { r: r * 1.45, class: "halo" }));
    for (const turn of [-40, 40]) group.append(h("ellipse", { cx: Math.sign(turn) * r * 0.85, cy: -r * 0.55, rx: r * 0.45, ry: r * 0.95, transform: `rotate(${turn} ${Math.sign(turn) * r * 0.85} ${-r * 0.55})`, class: "wing" }));
    group.append(h("circle", { r, class: "body" }), h("text", { dy: ".36em", "text-anchor": "middle", "font-size": r * 1.15, class: "name" }, f.name));
    const kinds = [["live", f.live], ["kill", f.kill], ["twinkle", f.twinkle]];
    const total = kinds.reduce((sum, [, n]) => sum + n, 0), step = Math.min(r * 0.46, (r * 3.6) / Math.max(1, total));
    let k = 0;
    for (const [kind, n] of kinds) for (let j = 0; j < n; j++, k++) group.append(h("circle", { cx: (k - (total - 1) / 2) * step, cy: r * 1.42, r: step * 0.42, class: `pip-${kind}` }));
    if (f.z) group.append(h("text.height", { x: r * 1.05, y: -r * 0.85, "font-size": r * 0.8 }, `${f.z}″`));
    return group;
  }

  clickable(pick, words) {
    if (!pick) return {};
    return { role: "button", tabindex: 0, "aria-label": `${pick.words} (${words})`, "data-action": pick.id, onclick: pick.take, onkeydown: (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); pick.take(); } } };
  }

  /** Strips, cells and spots to be placed in. */
  strips(picks) {
    if (!picks.area.length) return null;
    const wide = this.side / CELLS, fine = wide / SPOTS;
    const box = { column: (k) => [k * wide, 0, wide, this.side], row: (k, cell) => [cell[0] * wide, k * wide, wide, wide], spot: ([c, r], cell) => [cell[0] * wide + c * fine, cell[1] * wide + r * fine, fine, fine] };
    return h("g.areas", {}, picks.area.map((pick) => {
      const kind = ["column", "row", "spot"].find((name) => pick.on[name] !== undefined);
      const cell = kind === "row" ? [pick.cell?.[0] ?? 0] : pick.cell ?? [0, 0];
      const [x, y, w, d] = box[kind](pick.on[kind], cell);
      const inset = Math.min(w, d) * 0.06;
      return h("rect.area", { x: x + inset, y: this.side - y - d + inset, width: w - 2 * inset, height: d - 2 * inset, rx: inset * 2, ...this.clickable(pick, title(kind)) }, h("title", {}, pick.words));
    }));
  }

  /** Arrows for who has moved since the table was shown last. */
  moves(table, before) {
    if (!before?.board) return null;
    const paths = table.fairies.filter((f) => {
      const old = before.fairies[f.id];
      return old?.x != null && f.x != null && Math.hypot(old.x - f.x, old.y - f.y) > 0.3;
    }).map((f) => {
      const [x0, y0] = this.at(before.fairies[f.id].x, before.fairies[f.id].y), [x1, y1] = this.at(f.x, f.y);
      return h("path.trail", { d: `M${x0} ${y0}L${x1} ${y1}`, style: { "--who": seatColour(f.seat) }, "stroke-width": this.side * 0.006 });
    });
    return h("g", {}, paths);
  }

  flight(table, picks) {
    const fly = table.flight;
    const who = fly ? table.fairies[fly.fairy] : null;
    const [x, y] = fly ? this.at(fly.x, fly.y) : [0, 0], parts = [];
    if (fly) {
      const [x0, y0] = this.at(...fly.from);
      parts.push(h("path.trail", { d: `M${x0} ${y0}L${x} ${y}`, style: { "--who": seatColour(who.seat) }, "stroke-width": this.side * 0.007 }), h("circle.flier", { cx: x, cy: y, r: this.side * 0.022, style: { "--who": seatColour(who.seat) }, "stroke-width": this.side * 0.005 }));
      const reach = Math.max(1.2, this.side * 0.075);
      for (const pick of picks.heading) {
        const a = (pick.on.heading * Math.PI) / 180, [dx, dy] = [Math.cos(a), -Math.sin(a)];
        const from = 0.55 * reach, tip = 1.15 * reach, half = 0.14 * reach;
        const points = [[from, -half / 2], [tip - half * 1.6, -half / 2], [tip - half * 1.6, -half * 1.3], [tip, 0], [tip - half * 1.6, half * 1.3], [tip - half * 1.6, half / 2], [from, half / 2]];
        parts.push(h("polygon.arrow", { points: points.map(([u, v]) => `${x + u * dx - v * dy},${y + u * dy + v * dx}`).join(" "), ...this.clickable(pick, "heading") }, h("title", {}, pick.words)));
      }
    }
    return h("g", {}, parts);
  }

  shot(table) {
    const [a, d] = [table.fairies[table.attacker], table.fairies[table.defender]];
    if (!a || !d || a === d || a.x == null || d.x == null) return null;
    const [from, to] = [this.spots.get(a.id), this.spots.get(d.id)];
    const [x0, y0] = this.at(from.x, from.y), [x1, y1] = this.at(to.x, to.y);
    return h("path.shot", { d: `M${x0} ${y0}L${x1} ${y1}`, "stroke-width": this.side * 0.007 });
  }
}

/** Places at which discs don't hide each other: those in contact are moved apart a little. */
function apart(discs) {
  const home = discs.map((disc) => ({ ...disc }));
  for (let turn = 0; turn < 40; turn++) {
    let moved = false;
    for (let i = 0; i < discs.length; i++) for (let j = 0; j < i; j++) {
      const [a, b] = [discs[i], discs[j]];
      let dx = a.x - b.x, dy = a.y - b.y;
      const far = Math.hypot(dx, dy), wanted = 1.12 * (a.r + b.r);
      if (far >= wanted) continue;
      if (far < 0.01) [dx, dy] = [Math.cos(i), Math.sin(i)];
      const push = (wanted - far) / 2 / (Math.hypot(dx, dy) || 1);
      a.x += dx * push; a.y += dy * push; b.x -= dx * push; b.y -= dy * push;
      moved = true;
    }
    if (!moved) break;
  }
  discs.forEach((disc, k) => {
    const away = Math.hypot(disc.x - home[k].x, disc.y - home[k].y), most = 2.5 * disc.r;
    if (away > most) { disc.x = home[k].x + ((disc.x - home[k].x) * most) / away; disc.y = home[k].y + ((disc.y - home[k].y) * most) / away; }
  });
  return new Map(discs.map((disc) => [disc.id, disc]));
}
