// filter.js - conditions on single columns of a table.
//
// Of numbers: <-8, <=-8, >5, >=5, =3, 2..4, or the digits that the number begins with. Of texts: what occurs in them,
// after ! what does not.

const NUMBER = "([-+]?\\d*\\.?\\d+(?:e[-+]?\\d+)?)";
const COMPARED = new RegExp("^(<=|>=|<|>|=)\\s*" + NUMBER + "$", "i");
const BETWEEN = new RegExp("^" + NUMBER + "?\\s*\\.\\.\\s*" + NUMBER + "?$", "i");
const COMPARISONS = {
  "<": (a, b) => a < b, "<=": (a, b) => a <= b, ">": (a, b) => a > b, ">=": (a, b) => a >= b, "=": (a, b) => a === b,
};

// A function of value and text of a cell; null: no condition; undefined: not understood.
function readCondition(text, numeric) {
  const words = text.trim().replaceAll("\u2212", "-"); // a typographic minus
  if (words === "") return null;
  const compared = COMPARED.exec(words), between = BETWEEN.exec(words);
  if (numeric && compared) {
    const limit = Number(compared[2]);
    return (value) => isNumber(value) && COMPARISONS[compared[1]](value, limit);
  }
  if (numeric && between && (between[1] || between[2])) {
    const low = between[1] ? Number(between[1]) : -Infinity, high = between[2] ? Number(between[2]) : Infinity;
    return (value) => isNumber(value) && value >= low && value <= high;
  }
  if (numeric && /^[<>=]|\.\./.test(words)) return undefined;
  const part = words.toLowerCase().replace(/^!/, "");
  if (part === "") return null;
  if (words.startsWith("!")) return (value, shown) => !shown.toLowerCase().includes(part);
  return (value, shown) => (numeric ? shown.startsWith(part) : shown.toLowerCase().includes(part));
}

// The row of fields below the headings, which a press on the button adds or takes away.
function makeFilters(table) {
  table.conditions = new Map();
  table.fields = make("tr", { class: "fields" });
  for (const column of table.columns) {
    const numeric = column.number !== undefined, hint = numeric ? "<, >, 2..4" : "contains";
    const field = make("input", { type: "text", placeholder: hint, "aria-label": "Filter " + column.label,
      title: numeric ? "such as <-8, >=2, 2..4" : "a part of the text; !part: what lacks it" });
    field.addEventListener("input", () => setCondition(table, column, field));
    table.fields.append(make("td", { class: column.wide ? "wide" : null }, field));
  }
  const button = make("button", { type: "button", "aria-expanded": "false", onclick: () => {
    const open = !table.fields.isConnected;
    button.setAttribute("aria-expanded", String(open));
    if (open) table.head.after(table.fields);
    else table.fields.remove();
    if (open) table.fields.querySelector("input").focus();
    else clearConditions(table);
  } }, "Filter columns");
  return button;
}

function setCondition(table, column, field) {
  const condition = readCondition(field.value, column.number !== undefined);
  field.setAttribute("aria-invalid", String(condition === undefined));
  if (condition) table.conditions.set(column, condition);
  else table.conditions.delete(column);
  filterRows(table);
  drawRows(table);
}

function clearConditions(table) {
  for (const field of table.fields.querySelectorAll("input")) {
    field.value = "";
    field.removeAttribute("aria-invalid");
  }
  table.conditions.clear();
  filterRows(table);
  drawRows(table);
}

function meetsConditions(table, row) {
  for (const [column, condition] of table.conditions)
    if (!condition(valueOf(column, row), cellText(column, row))) return false;
  return true;
}
