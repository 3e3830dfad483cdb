// The script of all pages: charts over time, their legend, pictures that can be looked at closer, light and dark.
//
// Input: the JSON in #data: grids (times), legend (keys, names, colours) and charts (panels, series, marks). Output: SVG in every
// element with data-chart. Only what is to be seen is drawn, with at most four points per column of pixels. Nothing is loaded.
"use strict";
(() => {
const SVG = "http://www.w3.org/2000/svg";
const MOST = 1.6e308;
const DASHES = ["", "7 3", "2 3", "9 3 2 3", "13 4", "1 2"];
const TIP_ROWS = 16;
const data = JSON.parse(document.getElementById("data").textContent || "{}");
const shown = new Map((data.legend || []).map(item => [item.key, item.shown]));
const looks = new Map((data.legend || []).map(item => [item.key, item]));

function node(parent, name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const key in attributes) made.setAttribute(key, attributes[key]);
  if (text !== undefined) made.textContent = text;
  if (parent) parent.appendChild(made);
  return made;
}

function element(parent, name, attributes, text) {
  const made = document.createElement(name);
  for (const key in attributes) made.setAttribute(key, attributes[key]);
  if (text !== undefined) made.textContent = text;
  if (parent) parent.appendChild(made);
  return made;
}

const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
const digits = value => value === null || !isFinite(value) ? "–" : String(Number(value.toPrecision(7)));

// The first position whose value is not below (or, with `after`, above) x.
function position(values, x, after) {
  let low = 0, high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] < x || (after && values[middle] === x)) low = middle + 1; else high = middle;
  }
  return low;
}

function widened(low, high) {
  if (!(low <= high)) return [0, 1];
  [low, high] = [clamp(low, -MOST, MOST), clamp(high, -MOST, MOST)];
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (high - low > 1e-9 * size && high > low) return [low, high];
  const half = size === 0 ? 1 : size / 2;
  return [clamp(low - half, -MOST, MOST), clamp(high + half, -MOST, MOST)];
}

// Where a value lies between two others, as a part of their distance; halves, since the distance of large numbers is none.
const part = (value, [low, high]) => (value / 2 - low / 2) / (high / 2 - low / 2);
const between = (part, [low, high]) => low * (1 - part) + high * part;

function ticks(low, high, n) {
  n = Math.max(n, 1);
  const raw = high / n - low / n;
  const power = Math.pow(10, Math.floor(Math.log10(raw)));
  const step = [1, 2, 5, 10].map(k => k * power).find(s => s >= raw * 0.999) || raw;
  const first = Math.ceil(low / step - 1e-9), last = Math.floor(high / step + 1e-9);
  if (!(step > 0) || !isFinite(first) || !isFinite(last) || last - first > 99) return [low, high].map(v => [v, digits(v)]);
  const decimals = clamp(-Math.floor(Math.log10(step) + 1e-9), 0, 12);
  // All numbers of an axis are written alike.
  const largest = Math.max(Math.abs(low), Math.abs(high));
  const text = v => {
    const size = Math.abs(v);
    if (size < 1e-9 * step) return "0";
    if (largest >= 1e-3 && largest < 1e6) return v.toFixed(decimals);
    const digits = clamp(Math.floor(Math.log10(size) + 1e-9) - Math.floor(Math.log10(step) + 1e-9), 0, 8);
    return v.toExponential(digits).replace("e+", "e").replace(/\.0+e/, "e");
  };
  const all = [];
  for (let k = first; k <= last; k++) all.push([k * step, text(k * step)]);
  return all;
}

const pen = document.createElement("canvas").getContext("2d");
function textWidth(text) {
  pen.font = '12px system-ui, "DejaVu Sans", sans-serif';
  return pen.measureText(text).width;
}

const tip = element(document.body, "div", { class: "tip", role: "status" });
tip.hidden = true;
function placeTip(event) {
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  const x = event.clientX + 16 + box.width > innerWidth ? event.clientX - 16 - box.width : event.clientX + 16;
  const y = event.clientY + 16 + box.height > innerHeight ? event.clientY - 16 - box.height : event.clientY + 16;
  tip.style.left = Math.max(x, 2) + "px";
  tip.style.top = Math.max(y, 2) + "px";
}

class Chart {
  constructor(place, chart) {
    this.place = place;
    this.chart = chart;
    this.xs = null;
    this.ys = new Map();
    place.tabIndex = 0;
    const tools = element(place, "div", { class: "tools" });
    if (chart.detail) {
      element(tools, "button", { type: "button", "data-do": "detail" }, chart.detail.text).onclick = () => this.zoom(chart.detail.x, null);
    }
    this.reset = element(tools, "button", { type: "button", "data-do": "reset" }, "Show everything");
    this.reset.onclick = () => this.zoom(null, null);
    this.svg = node(place, "svg", { class: "plot", role: "img", "aria-label": chart.label || "curves over time" });
    this.svg.addEventListener("pointermove", event => this.move(event));
    this.svg.addEventListener("pointerdown", event => this.down(event));
    this.svg.addEventListener("pointerup", event => this.up(event));
    this.svg.addEventListener("pointercancel", () => this.leave());
    this.svg.addEventListener("pointerleave", () => { if (!this.from) this.leave(); });
    this.svg.addEventListener("dblclick", () => this.zoom(null, null));
    place.addEventListener("keydown", event => this.key(event));
    new ResizeObserver(() => { if (place.clientWidth && place.clientWidth !== this.width) this.draw(); }).observe(place);
    this.draw();
  }

  // The series that are to be seen.
  visible() {
    return this.chart.series.filter(series => shown.get(series.key));
  }

  // All times of this chart.
  whole() {
    let low = Infinity, high = -Infinity;
    for (const series of this.chart.series) {
      const grid = data.grids[series.grid];
      const first = position(grid, -MOST, false), last = position(grid, MOST, true) - 1;
      if (first <= last) [low, high] = [Math.min(low, grid[first]), Math.max(high, grid[last])];
    }
    return widened(low, high);
  }

  // The points of a series in the time span that is shown, and their neighbours.
  span(series) {
    const grid = data.grids[series.grid];
    return [Math.max(position(grid, this.x[0], false) - 1, 0), Math.min(position(grid, this.x[1], true) + 1, grid.length)];
  }

  range(list) {
    let low = Infinity, high = -Infinity;
    for (const series of list) {
      const [begin, end] = this.span(series);
      for (const values of [series.y, series.low, series.high]) {
        if (!values) continue;
        for (let k = begin; k < end; k++) {
          const value = values[k];
          if (value === null) continue;
          if (value < low) low = value;
          if (value > high) high = value;
        }
      }
    }
    const [a, b] = widened(low, high);
    const margin = 0.08 * (b / 2 - a / 2);
    return [a - margin, b + margin];
  }

  zoom(x, ys) {
    this.xs = x;
    this.ys = new Map(ys || []);
    this.draw();
  }

  // Lays the panels out and draws them.
  draw() {
    this.width = this.place.clientWidth;
    if (!this.width) return;
    this.x = this.xs || this.whole();
    const list = this.visible();
    this.panels = [];
    this.chart.panels.forEach((panel, number) => {
      const series = list.filter(one => one.panel === number);
      if (series.length) this.panels.push({ number, label: panel.label, series, y: this.ys.get(number) || this.range(series) });
    });
    const n = this.panels.length;
    const usual = n < 2 ? 380 : n === 2 ? 240 : 180;
    this.panels.forEach(panel => {
      panel.height = this.chart.panels[panel.number].height || usual;
      panel.ticks = ticks(panel.y[0], panel.y[1], panel.height / 42);
    });
    const texts = this.panels.flatMap(panel => panel.ticks.map(tick => textWidth(tick[1])));
    this.left = Math.ceil(Math.max(44, ...texts) + 34);
    this.right = this.width - 18;
    let top = 26;
    for (const panel of this.panels) {
      [panel.top, panel.bottom] = [top, top + panel.height];
      top = panel.bottom + 14;
    }
    this.height = top + 30;
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    this.svg.replaceChildren();
    this.panels.forEach(panel => this.panel(panel));
    this.times(top);
    this.over = node(this.svg, "g", { "pointer-events": "none" });
    this.reset.hidden = !this.xs && !this.ys.size;
  }

  column(t) { return this.left + part(clamp(t, -MOST, MOST), this.x) * (this.right - this.left); }
  row(panel, y) { return panel.bottom - part(clamp(y, -MOST, MOST), panel.y) * (panel.bottom - panel.top); }
  time(x) { return between((x - this.left) / (this.right - this.left), this.x); }

  inside(panel, x, y) {
    return x >= this.left - 0.5 && x <= this.right + 0.5 && y >= panel.top - 0.5 && y <= panel.bottom + 0.5;
  }

  times(top) {
    const marks = ticks(this.x[0], this.x[1], (this.right - this.left) / 95);
    const bottom = top - 14;
    for (const [t, text] of marks) {
      node(this.svg, "text", { x: this.column(t), y: bottom + 16, "text-anchor": "middle" }, text);
    }
    node(this.svg, "text", { x: (this.left + this.right) / 2, y: bottom + 34, "text-anchor": "middle" }, "time [s]");
    if (!this.panels.length) node(this.svg, "text", { x: this.width / 2, y: 16, "text-anchor": "middle" }, "no curve is chosen");
  }

  panel(panel) {
    const id = "clip" + Math.random().toString(36).slice(2);
    const size = { x: this.left, y: panel.top, width: this.right - this.left, height: panel.height };
    node(node(this.svg, "clipPath", { id }), "rect", size);
    for (const [value, text] of panel.ticks) {
      const y = this.row(panel, value);
      node(this.svg, "path", { class: "grid", d: `M${this.left} ${y.toFixed(1)}H${this.right}` });
      node(this.svg, "text", { x: this.left - 6, y: y + 4, "text-anchor": "end" }, text);
    }
    for (const [t] of ticks(this.x[0], this.x[1], (this.right - this.left) / 95)) {
      node(this.svg, "path", { class: "grid", d: `M${this.column(t).toFixed(1)} ${panel.top}V${panel.bottom}` });
    }
    if (panel.label) {
      const y = (panel.top + panel.bottom) / 2;
      node(this.svg, "text", { transform: `translate(14 ${y}) rotate(-90)`, "text-anchor": "middle", class: "unit" }, panel.label);
    }
    const group = node(this.svg, "g", { "clip-path": `url(#${id})` });
    for (const series of panel.series.filter(one => one.low)) this.band(group, panel, series);
    for (const series of panel.series.filter(one => one.y)) this.line(group, panel, series);
    node(this.svg, "rect", { class: "frame", ...size });
    for (const mark of (this.chart.marks || []).filter(one => one.panel === panel.number)) {
      const [cx, cy] = [this.column(mark.t), this.row(panel, mark.y)];
      if (this.inside(panel, cx, cy)) node(node(this.svg, "circle", { class: "mark", cx, cy, r: 6 }), "title", {}, mark.text);
    }
  }

  // The pieces of a line in pixels, thinned to the extrema of each column.
  pieces(panel, series, values) {
    const grid = data.grids[series.grid];
    const [begin, end] = this.span(series);
    const pieces = [];
    let piece = null, column = null, first, low, high, last;
    const flush = () => {
      if (column === null) return;
      const kept = [first, low, high, last].sort((a, b) => a[2] - b[2]);
      kept.forEach((point, k) => { if (!k || kept[k - 1] !== point) piece.push(point); });
      column = null;
    };
    for (let k = begin; k < end; k++) {
      if (values[k] === null) { flush(); piece = null; continue; }
      if (!piece) pieces.push(piece = []);
      const point = [clamp(this.column(grid[k]), -1e5, 1e5), clamp(this.row(panel, values[k]), -1e5, 1e5), k];
      if (Math.floor(point[0]) !== column) {
        flush();
        [column, first, low, high] = [Math.floor(point[0]), point, point, point];
      }
      if (point[1] > low[1]) low = point;
      if (point[1] < high[1]) high = point;
      last = point;
    }
    flush();
    return pieces;
  }

  line(group, panel, series) {
    const look = looks.get(series.key);
    const stroke = `var(--${look.colour})`;
    const path = [];
    for (const piece of this.pieces(panel, series, series.y)) {
      const [cx, cy] = piece[0];
      if (piece.length === 1 && this.inside(panel, cx, cy)) node(this.svg, "circle", { cx, cy, r: 2.6, fill: stroke });
      path.push(piece.map((point, k) => (k ? "L" : "M") + point[0].toFixed(1) + " " + point[1].toFixed(1)).join(""));
    }
    const attributes = { d: path.join(""), fill: "none", stroke, "stroke-width": 1.6, "stroke-linejoin": "round", "data-key": series.key };
    if (look.dash) attributes["stroke-dasharray"] = DASHES[look.dash];
    node(group, "path", attributes);
  }

  band(group, panel, series) {
    const text = point => point[0].toFixed(1) + " " + point[1].toFixed(1);
    const low = this.pieces(panel, series, series.low), high = this.pieces(panel, series, series.high);
    const d = low.map((piece, k) => "M" + piece.concat((high[k] || []).slice().reverse()).map(text).join("L") + "Z").join("");
    const colour = `var(--${looks.get(series.key).colour})`;
    node(group, "path", { d, fill: colour, "fill-opacity": 0.55, stroke: colour, "stroke-width": 0.7, "data-key": series.key });
  }

  // Pixels of the drawing under the pointer.
  at(event) {
    const box = this.svg.getBoundingClientRect();
    const scale = this.width / box.width;
    return [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
  }

  // The value of a series at a time; between points on the line through them.
  value(values, grid, t, side) {
    const after = position(grid, t, side > 0);
    if (grid[after] === t) return values[after];
    if (grid[after - 1] === t) return values[after - 1];
    if (after === 0 || after === grid.length) return null;
    const [a, b] = [values[after - 1], values[after]];
    if (a === null || b === null) return null;
    return between(part(t, [grid[after - 1], grid[after]]), [a, b]);
  }

  // The time of the point that is nearest to a column.
  nearest(x) {
    const t = this.time(x);
    let best = null;
    for (const series of this.panels.flatMap(panel => panel.series).filter(one => one.y)) {
      const grid = data.grids[series.grid];
      const k = position(grid, t, false);
      for (const near of [grid[k - 1], grid[k]]) {
        if (near !== undefined && (best === null || Math.abs(near - t) < Math.abs(best - t))) best = near;
      }
    }
    return [best, best !== null && t > best ? 1 : 0];
  }

  move(event) {
    const [x, y] = this.at(event);
    this.over.replaceChildren();
    if (this.from) return this.box(x, y);
    const [t, side] = this.nearest(clamp(x, this.left, this.right));
    if (t === null || !this.panels.length) return this.leave();
    const at = this.column(t);
    let rows = [];
    for (const panel of this.panels) {
      node(this.over, "path", { class: "cursor", d: `M${at.toFixed(1)} ${panel.top}V${panel.bottom}` });
      for (const series of [...panel.series].sort((a, b) => !!a.low - !!b.low)) {
        const grid = data.grids[series.grid], look = looks.get(series.key);
        const unit = series.unit ? " " + series.unit : "";
        if (series.low) {
          const [low, high] = [this.value(series.low, grid, t, side), this.value(series.high, grid, t, side)];
          // One of a page with several panels is enough.
          const told = low !== null && high !== null && panel === this.panels[0];
          if (told) rows.push([look.name, digits(low) + " … " + digits(high) + unit, "soft", 0]);
          continue;
        }
        const value = this.value(series.y, grid, t, side);
        if (value === null) continue;
        const cy = this.row(panel, value);
        if (this.inside(panel, at, cy)) node(this.over, "circle", { cx: at, cy, r: 3.5, fill: `var(--${look.colour})` });
        rows.push([look.name, digits(value) + unit, look.colour, Math.abs(cy - y)]);
      }
    }
    const more = rows.length - TIP_ROWS;
    if (more > 0) rows = rows.sort((a, b) => a[3] - b[3]).slice(0, TIP_ROWS);
    tip.replaceChildren();
    element(tip, "div", {}, "time " + digits(t) + " s");
    const table = element(tip, "table", {});
    for (const [name, text, colour] of rows) {
      const row = element(table, "tr", {});
      element(row, "td", { style: `color:var(--${colour})` }, name);
      element(row, "td", {}, text);
    }
    if (more > 0) element(tip, "div", {}, `and ${more} more`);
    placeTip(event);
  }

  leave() {
    this.from = null;
    tip.hidden = true;
    if (this.over) this.over.replaceChildren();
  }

  down(event) {
    if (event.button !== 0) return;
    const [x, y] = this.at(event);
    const panel = this.panels.find(one => y >= one.top && y <= one.bottom);
    if (!panel || x < this.left || x > this.right) return;
    this.from = { x, y, panel };
    tip.hidden = true;
    try { this.svg.setPointerCapture(event.pointerId); } catch { /* the pointer is gone */ }
  }

  // The rectangle that is being drawn: all heights if it is flat, all times if it is narrow.
  area(x, y) {
    const { from } = this;
    const clip = [clamp(x, this.left, this.right), clamp(y, from.panel.top, from.panel.bottom)];
    const [dx, dy] = [Math.abs(clip[0] - from.x), Math.abs(clip[1] - from.y)];
    if (Math.max(dx, dy) < 6) return null;
    const flat = dy < 20, narrow = !flat && dx < 20;
    return {
      x: narrow ? null : [Math.min(from.x, clip[0]), Math.max(from.x, clip[0])],
      y: flat ? null : [Math.min(from.y, clip[1]), Math.max(from.y, clip[1])],
    };
  }

  box(x, y) {
    const area = this.area(x, y);
    if (!area) return;
    const panels = area.y ? [this.from.panel] : this.panels;
    const [x0, x1] = area.x || [this.left, this.right];
    for (const panel of panels) {
      const [y0, y1] = area.y || [panel.top, panel.bottom];
      node(this.over, "rect", { class: "box", x: x0, y: y0, width: x1 - x0, height: y1 - y0 });
    }
  }

  up(event) {
    if (!this.from) return;
    const { panel } = this.from;
    const area = this.area(...this.at(event));
    this.leave();
    if (!area) return;
    const height = y => between((panel.bottom - y) / (panel.bottom - panel.top), panel.y);
    const ys = new Map(area.x && !area.y ? [] : this.ys);
    if (area.y) ys.set(panel.number, [height(area.y[1]), height(area.y[0])]);
    const x = area.x ? area.x.map(x => this.time(x)) : this.xs;
    if (x && !(x[1] > x[0])) return;
    this.zoom(x, ys);
  }

  key(event) {
    const span = this.x[1] - this.x[0], middle = (this.x[0] + this.x[1]) / 2;
    const to = {
      Escape: null, "0": null,
      ArrowLeft: [this.x[0] - span / 5, this.x[1] - span / 5], ArrowRight: [this.x[0] + span / 5, this.x[1] + span / 5],
      "+": [middle - span / 4, middle + span / 4], "-": [middle - span, middle + span],
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.zoom(to, null);
  }
}

// Charts are made when there is something to see of them.
const charts = new Map();
function drawVisible() {
  for (const place of document.querySelectorAll("[data-chart]")) {
    if (!charts.has(place) && place.clientWidth) charts.set(place, new Chart(place, data.charts[place.dataset.chart]));
  }
}

function setShown(keys, value) {
  for (const key of keys) shown.set(key, value);
  for (const button of document.querySelectorAll("#legend button[data-key]")) {
    button.setAttribute("aria-pressed", String(shown.get(button.dataset.key)));
  }
  for (const chart of charts.values()) chart.draw();
}

function key(look) {
  const svg = node(null, "svg", { width: 26, height: 12 });
  const stroke = `var(--${look.colour})`;
  if (look.band) node(svg, "rect", { x: 0, y: 1, width: 26, height: 10, fill: stroke, "fill-opacity": 0.55 });
  else node(svg, "path", { d: "M0 6H26", stroke, "stroke-width": 2.4, "stroke-dasharray": DASHES[look.dash || 0] });
  return svg;
}

function legend() {
  const place = document.getElementById("legend");
  if (!place) return;
  let unit = null;
  const many = data.legend.length > 12;
  place.classList.toggle("long", many);
  for (const look of data.legend) {
    if (look.unit !== undefined && look.unit !== unit) {
      unit = look.unit;
      element(place, "span", { class: "unit" }, unit ? `[${unit}]` : "no unit");
    }
    const button = element(place, "button", { type: "button", "data-key": look.key, "aria-pressed": String(look.shown) });
    button.title = "Click: show or hide; double-click: this one alone";
    button.append(key(look), look.name);
    button.onclick = () => setShown([look.key], !shown.get(look.key));
    button.ondblclick = () => { setShown([...shown.keys()], false); setShown([look.key], true); };
  }
  const choose = document.getElementById("choose");
  if (!choose) return;
  choose.hidden = !many;
  const field = choose.querySelector("input");
  const buttons = [...place.querySelectorAll("button")];
  field.oninput = () => {
    const wanted = field.value.toLowerCase();
    for (const button of buttons) button.hidden = !button.textContent.toLowerCase().includes(wanted);
    for (const label of place.querySelectorAll(".unit")) label.hidden = !!wanted;
  };
  choose.querySelector("[data-do=all]").onclick = () => setShown(buttons.filter(b => !b.hidden).map(b => b.dataset.key), true);
  choose.querySelector("[data-do=none]").onclick = () => setShown([...shown.keys()], false);
}

// Pictures that are drawn already: words under the pointer, dragging looks closer, a click on a group dims the others.
function picture(svg) {
  const whole = svg.getAttribute("viewBox");
  const at = event => new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  let from = null, box = null;
  const stop = () => { from = null; if (box) box.remove(); box = null; };
  svg.addEventListener("pointerdown", event => { if (event.button === 0) from = at(event); });
  svg.addEventListener("pointermove", event => {
    const told = event.target.closest("[data-tip]");
    if (told && !box) { tip.textContent = told.dataset.tip; placeTip(event); } else tip.hidden = true;
    if (!from) return;
    const to = at(event);
    const [w, h] = [Math.abs(to.x - from.x), Math.abs(to.y - from.y)];
    if (!box && Math.max(w, h) < 6) return;
    box = box || node(svg, "rect", { fill: "var(--accent)", "fill-opacity": 0.15, stroke: "var(--accent)" });
    for (const [name, value] of [["x", Math.min(to.x, from.x)], ["y", Math.min(to.y, from.y)], ["width", w], ["height", h]]) {
      box.setAttribute(name, value);
    }
  });
  svg.addEventListener("pointerup", () => {
    const area = box && ["x", "y", "width", "height"].map(name => Number(box.getAttribute(name)));
    stop();
    if (area && area[2] > 8 && area[3] > 8) svg.setAttribute("viewBox", area.join(" "));
  });
  svg.addEventListener("pointerleave", () => { stop(); tip.hidden = true; });
  svg.addEventListener("dblclick", () => svg.setAttribute("viewBox", whole));
}

function groups() {
  const buttons = [...document.querySelectorAll("button[data-group]")];
  for (const button of buttons) {
    button.onclick = () => {
      button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") !== "true"));
      const off = new Set(buttons.filter(b => b.getAttribute("aria-pressed") !== "true").map(b => b.dataset.group));
      for (const part of document.querySelectorAll("svg.picture [data-group]")) part.classList.toggle("dim", off.has(part.dataset.group));
    };
  }
}

function theme() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const set = value => { document.documentElement.dataset.theme = value ? "dark" : "light"; };
  set(dark.matches);
  dark.addEventListener("change", () => set(dark.matches));
  document.getElementById("theme").onclick = () => set(document.documentElement.dataset.theme !== "dark");
  document.getElementById("print").onclick = () => print();
}

theme();
legend();
groups();
document.querySelectorAll("svg.picture").forEach(picture);
document.addEventListener("toggle", drawVisible, true);
addEventListener("resize", drawVisible);
drawVisible();
document.documentElement.dataset.ready = "yes";
})();
