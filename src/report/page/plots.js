// plots.js - plots as SVG: axes, bars, lines, dots.

const PLOT = { width: 400, height: 240, left: 52, right: 12, top: 10, bottom: 42 };

function svg(name, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  setAll(element, attributes);
  for (const child of children) element.append(child);
  return element;
}

// Round numbers between low and high.
function ticks(low, high, count) {
  const raw = (high - low) / Math.max(1, count);
  const power = Math.pow(10, Math.floor(Math.log10(raw || 1)));
  const step = [1, 2, 5, 10].map((f) => f * power).find((s) => s >= raw * 0.999) || power;
  const list = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k++) list.push(Number((k * step).toPrecision(12)));
  return list;
}

function tickText(value) {
  const size = Math.abs(value);
  if (size >= 1e6) return Number((value / 1e6).toPrecision(3)) + "M";
  if (size >= 1e4) return Number((value / 1e3).toPrecision(3)) + "k";
  return String(value);
}

// Room that the longest of the numbers takes.
function widest(values) {
  return 7 * Math.max(1, ...values.map((value) => tickText(value).length));
}

// A frame with axes; x(value) and y(value) give places in it.
function plot(title, note, xLabel, yLabel, xRange, yRange, options) {
  const o = Object.assign({ xTicks: 5, yTicks: 5 }, options);
  const height = o.height || PLOT.height;
  const spread = (range) => (range[1] > range[0] ? range : [range[0] - 1, range[0] + 1]);
  const [x0, x1] = spread(xRange), [y0, y1] = spread(yRange);
  const yList = o.yNames ? [] : ticks(y0, y1, o.yTicks).filter((v) => !o.counts || Number.isInteger(v));
  const right = PLOT.width - PLOT.right, bottom = height - PLOT.bottom;
  const left = o.left || Math.max(PLOT.left, 28 + widest(yList)); // the name of the axis stands before the numbers
  let xList = ticks(x0, x1, o.xTicks);
  for (let count = o.xTicks - 1; count > 0 && xList.length * (widest(xList) + 10) > right - left; count--) xList = ticks(x0, x1, count);
  const x = (v) => left + ((v - x0) / (x1 - x0)) * (right - left);
  const y = (v) => bottom - ((v - y0) / (y1 - y0)) * (bottom - PLOT.top);
  const image = svg("svg", { class: "plot", viewBox: "0 0 " + PLOT.width + " " + height, role: "img", "aria-label": title + ". " + note });
  for (const value of yList) {
    image.append(svg("line", { class: "grid", x1: left, x2: right, y1: y(value), y2: y(value) }));
    image.append(svg("text", { x: left - 6, y: y(value) + 4, "text-anchor": "end" }, tickText(value)));
  }
  for (const value of xList) {
    image.append(svg("line", { class: "axis", x1: x(value), x2: x(value), y1: bottom, y2: bottom + 4 }));
    image.append(svg("text", { x: Math.min(x(value), PLOT.width - widest([value]) / 2 - 1), y: bottom + 17, "text-anchor": "middle" }, tickText(value)));
  }
  image.append(svg("path", { class: "axis", d: "M" + left + " " + PLOT.top + "V" + bottom + "H" + right }));
  image.append(svg("text", { x: (left + right) / 2, y: height - 6, "text-anchor": "middle" }, xLabel));
  image.append(svg("text", { transform: "translate(12 " + (PLOT.top + bottom) / 2 + ") rotate(-90)", "text-anchor": "middle" }, yLabel));
  return { image, x, y, left, right, bottom, top: PLOT.top,
    figure: make("figure", {}, image, make("figcaption", {}, make("b", {}, title), note)) };
}

function hover(element, text) {
  element.append(svg("title", {}, text));
  return element;
}

// Values into bars of equal width. bins: [[low, count], ...] of that width, when they are counted already.
function histogram(title, note, label, values, bins, width, marks) {
  if (!bins) {
    const low = Math.min(...values), high = Math.max(...values);
    width = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 25, 50, 100].find((w) => (high - low) / w <= 30) || (high - low) / 30;
    const counts = new Map();
    for (const value of values) counts.set(Math.floor(value / width), (counts.get(Math.floor(value / width)) || 0) + 1);
    bins = [...counts].map(([k, count]) => [k * width, count]);
  }
  const most = Math.max(...bins.map((b) => b[1]));
  const p = plot(title, note, label, "number", [Math.min(...bins.map((b) => b[0])), Math.max(...bins.map((b) => b[0])) + width], [0, most * 1.05], { counts: true });
  for (const [low, count] of bins)
    p.image.append(hover(svg("rect", { class: "bar", x: p.x(low) + 0.5, y: p.y(count), width: Math.max(0.5, p.x(low + width) - p.x(low) - 1),
      height: Math.max(0, p.bottom - p.y(count)) }), fixed(low, 2) + " to " + fixed(low + width, 2) + ": " + count));
  for (const mark of marks || []) p.image.append(svg("line", { class: "guide", x1: p.x(mark), x2: p.x(mark), y1: p.top, y2: p.bottom }));
  return p.figure;
}

function path(p, points) {
  return points.map(([a, b], k) => (k ? "L" : "M") + p.x(a).toFixed(1) + " " + p.y(b).toFixed(1)).join("");
}

function linePlot(title, note, xLabel, yLabel, points, options) {
  const o = options || {};
  const xs = points.map((q) => q[0]), ys = points.map((q) => q[1]);
  const range = (list) => [list.reduce((a, b) => Math.min(a, b)), list.reduce((a, b) => Math.max(a, b))];
  const p = plot(title, note, xLabel, yLabel, o.xRange || range(xs), o.yRange || range(ys));
  if (o.diagonal) p.image.append(svg("line", { class: "guide", x1: p.x(0), y1: p.y(0), x2: p.x(1), y2: p.y(1) }));
  p.image.append(svg("path", { class: "line", d: path(p, points) }));
  return p.figure;
}

// Points that select something: {x, y, text, pick, ring: drawn as a ring}.
function dotPlot(title, note, xLabel, yLabel, points, pick, options) {
  const o = options || {}, xs = points.map((q) => q.x), ys = points.map((q) => q.y);
  const low = Math.min(...ys), high = Math.max(...ys), pad = (high - low) * 0.06 || 1;
  const left = Math.min(...xs), right = Math.max(...xs), room = (right - left) * 0.06 || 1;
  const p = plot(title, note, xLabel, yLabel, o.wide ? [left - room, right + room] : [0, right * 1.05 || 1], [low - pad, high + pad]);
  const from = Math.max(left - room, low - pad), to = Math.min(right + room, high + pad);
  if (o.diagonal && from < to) p.image.append(svg("line", { class: "guide", x1: p.x(from), y1: p.y(from), x2: p.x(to), y2: p.y(to) }));
  for (const point of points)
    p.image.append(hover(svg("circle", { class: point.ring ? "dot ring" : "dot", cx: p.x(point.x), cy: p.y(point.y), r: 4,
      ...(pick ? { "data-pick": point.pick, onclick: () => pick(point.pick) } : {}) }), point.text));
  return p.figure;
}

// Clusters where their best energies are, as high as they are large.
function clusterPlot(title, note, clusters, pick) {
  const energies = clusters.map((c) => c.lowest);
  const low = Math.min(...energies), high = Math.max(...energies), pad = Math.max(0.3, (high - low) * 0.04);
  const p = plot(title, note, "lowest " + scoreAxis(), "runs", [low - pad, high + pad], [0, Math.max(...clusters.map((c) => c.size)) * 1.12], { counts: true });
  const named = []; // places that have a number; the clusters come best first
  for (const c of clusters) {
    p.image.append(hover(svg("rect", { class: "bar", x: p.x(c.lowest) - 4, y: p.y(c.size), width: 8, height: p.bottom - p.y(c.size),
      "data-pick": c.pick, onclick: () => pick(c.pick) }), "cluster " + c.cluster + ": " + plural(c.size, "run") + ", " + fixed(c.lowest, 2)));
    const at = [p.x(c.lowest), p.y(c.size)];
    if (named.some(([x, y]) => Math.abs(x - at[0]) < 16 && Math.abs(y - at[1]) < 14)) continue;
    named.push(at);
    p.image.append(svg("text", { x: p.x(c.lowest), y: p.y(c.size) - 4, "text-anchor": "middle" }, String(c.cluster)));
  }
  return p.figure;
}

// Room for a number at both ends.
function padded(values) {
  const low = Math.min(0, ...values), high = Math.max(0, ...values), room = (high - low) * 0.34 || 1;
  return [low - room, high + room];
}

// Terms of an energy as bars to the left (favorable) and to the right.
function termPlot(title, note, terms) {
  const values = terms.map((t) => t[1]), room = 26;
  const height = PLOT.top + PLOT.bottom + room * terms.length;
  const p = plot(title, note, "kcal/mol", "", padded(values), [0, terms.length],
    { left: 128, yNames: true, height });
  terms.forEach(([name, value], k) => {
    const y = PLOT.top + room * k + 5, from = Math.min(p.x(0), p.x(value)), width = Math.abs(p.x(value) - p.x(0));
    p.image.append(svg("text", { x: 122, y: y + 13, "text-anchor": "end" }, name));
    p.image.append(svg("rect", { class: value < 0 ? "bar minus" : "bar plus", x: from, y, width, height: room - 8 }));
    p.image.append(svg("text", { x: value < 0 ? from - 4 : from + width + 4, y: y + 13, "text-anchor": value < 0 ? "end" : "start" }, fixed(value, 2)));
  });
  p.image.append(svg("line", { class: "axis", x1: p.x(0), x2: p.x(0), y1: p.top, y2: p.bottom }));
  return p.figure;
}

// What the best of k runs, drawn from those that were made, has on average: flat at its end when runs were enough.
function expectedBest(energies) {
  const sorted = energies.slice().sort((a, b) => a - b), n = sorted.length, points = [];
  for (let k = 1; k <= n; k++) {
    let chance = k / n, sum = 0;
    for (let i = 0; i < n && chance > 0; i++) {
      sum += chance * sorted[i];
      chance *= i + 1 < n ? Math.max(0, n - i - k) / (n - i - 1) : 0;
    }
    points.push([k, sum]);
  }
  return points;
}
