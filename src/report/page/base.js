// base.js - small helpers of all parts of the page.

function byId(id) {
  return document.getElementById(id);
}

// An element with attributes and children; texts are never read as HTML.
function make(name, attributes, ...children) {
  const element = document.createElement(name);
  setAll(element, attributes);
  for (const child of children.flat()) if (child !== null && child !== undefined) element.append(child);
  return element;
}

function setAll(element, attributes) {
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
}

function isNumber(value) {
  return typeof value === "number" && Number.isFinite(value);
}

function fixed(value, decimals) {
  return isNumber(value) ? value.toFixed(decimals) : "";
}

function grouped(value) {
  return isNumber(value) ? value.toLocaleString("en-US", { maximumFractionDigits: 0 }) : "";
}

function plural(count, word) {
  return grouped(count) + " " + word + (count === 1 ? "" : "s");
}

function fillFacts(list, facts) {
  list.replaceChildren();
  for (const [label, value] of facts) if (value !== "" && value !== null && value !== undefined) list.append(make("dt", {}, label), make("dd", {}, String(value)));
}

// What was drawn so far is on the screen.
function painted() {
  return new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
}

// Told to people who listen to the page.
function say(text) {
  byId("live").textContent = text;
}

function save(blob, name) {
  const link = make("a", { href: URL.createObjectURL(blob), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
