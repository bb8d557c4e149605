// table.js - tables that can be sorted, searched and walked through with the keyboard.
//
// columns: {key, label, title, number: decimals or undefined, group: digits in groups, wide: only where there is room,
// get(row), text(row) -> what is shown, cell(row) -> node}. Rows keep their identity; options.choose(row) is called when
// one is selected. options.search: a field for words; options.filter: a button for fields below the headings.

const NAMES = new Intl.Collator("en", { numeric: true }); // lig9 before lig10

function makeTable(place, columns, rows, options) {
  const table = {
    columns, rows, options, place, size: options.size || 25, page: 0, key: null, down: false, chosen: null,
    shown: rows.slice(), texts: null, words: [], conditions: new Map(),
  };
  table.count = make("span", { class: "soft", role: "status" });
  table.head = make("tr");
  const tools = [options.search ? searchField(table) : null, options.filter ? makeFilters(table) : null].filter(Boolean);
  table.body = make("tbody");
  table.element = make("table", { role: options.choose ? "grid" : null, "aria-label": options.label },
    make("thead", {}, table.head), table.body);
  table.pager = make("div", { class: "tools pager" });
  place.replaceChildren();
  if (tools.length > 0) place.append(make("div", { class: "tools" }, tools, table.count));
  place.append(make("div", { class: options.tall ? "scroll tall" : "scroll", tabindex: "-1" }, table.element), table.pager);
  for (const column of columns) table.head.append(headCell(table, column));
  if (options.choose) table.body.addEventListener("keydown", (event) => walkRows(table, event));
  drawRows(table);
  return table;
}

function searchField(table) {
  const field = make("input", { type: "search", placeholder: table.options.search, "aria-label": table.options.search });
  field.addEventListener("input", () => {
    table.words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    filterRows(table);
    drawRows(table);
  });
  return field;
}

function headCell(table, column) {
  const numeric = column.number !== undefined;
  const cell = make("th", { scope: "col", class: (numeric ? "n " : "") + (column.wide ? "wide" : ""), title: column.title });
  if (table.options.fixed) cell.append(make("span", {}, column.label));
  else cell.append(make("button", { type: "button", onclick: () => sortBy(table, column) }, column.label));
  column.head = cell;
  return cell;
}

function valueOf(column, row) {
  return column.get ? column.get(row) : row[column.key];
}

function sortBy(table, column) {
  table.down = table.key === column.key ? !table.down : Boolean(column.down);
  table.key = column.key;
  sortRows(table);
  table.page = 0;
  drawRows(table);
  say("sorted by " + column.label + (table.down ? ", descending" : ", ascending"));
}

// Rows without a value come last, whatever the direction; equal ones keep their order.
function sortRows(table) {
  const column = table.columns.find((c) => c.key === table.key);
  if (!column) return;
  const sign = table.down ? -1 : 1;
  const place = new Map(table.rows.map((row, index) => [row, index]));
  const empty = (v) => v === null || v === undefined || v === "";
  table.shown.sort((a, b) => {
    const p = valueOf(column, a), q = valueOf(column, b);
    if (empty(p) || empty(q)) return empty(p) - empty(q) || place.get(a) - place.get(b);
    const order = typeof p === "number" ? p - q : NAMES.compare(p, q);
    return sign * order || place.get(a) - place.get(b);
  });
}

// Every word must occur somewhere in the row, and every column meet its condition.
function filterRows(table) {
  const words = table.words;
  if (words.length > 0 && !table.texts) table.texts = table.rows.map((row) => table.options.text(row).toLowerCase());
  table.shown = table.rows.filter((row, index) => words.every((word) => table.texts[index].includes(word)) &&
    meetsConditions(table, row));
  sortRows(table);
  table.page = 0;
}

function cellText(column, row) {
  if (column.text) return column.text(row);
  const value = valueOf(column, row);
  if (column.number === undefined) return value === null || value === undefined ? "" : String(value);
  return column.group ? grouped(value) : fixed(value, column.number);
}

function drawRows(table) {
  const first = table.page * table.size;
  for (const column of table.columns)
    setAll(column.head, { "aria-sort": table.key !== column.key ? "none" : table.down ? "descending" : "ascending" });
  table.drawn = table.shown.slice(first, first + table.size);
  table.body.replaceChildren(...table.drawn.map((row) => drawRow(table, row)));
  if (table.options.choose) {
    const chosen = table.drawn.indexOf(table.chosen);
    if (table.body.children.length > 0) table.body.children[Math.max(0, chosen)].tabIndex = 0;
  }
  table.count.textContent = grouped(table.shown.length) + " of " + grouped(table.rows.length);
  drawPager(table);
}

function drawRow(table, row) {
  const element = make("tr");
  for (const column of table.columns) {
    const numeric = column.number !== undefined;
    const classes = [numeric ? "n" : "", column.wide ? "wide" : "", column.style || ""].join(" ").trim();
    const cell = make("td", { class: classes || null });
    cell.append(column.cell ? column.cell(row) : cellText(column, row));
    if (column.style === "name") cell.title = cellText(column, row);
    element.append(cell);
  }
  if (!table.options.choose) return element;
  element.tabIndex = -1;
  element.setAttribute("aria-selected", String(row === table.chosen));
  element.addEventListener("click", () => chooseRow(table, row, true));
  return element;
}

function drawPager(table) {
  const pages = Math.max(1, Math.ceil(table.shown.length / table.size));
  table.pager.hidden = pages === 1;
  if (pages === 1) return;
  const go = (page) => () => {
    table.page = page;
    drawRows(table);
  };
  table.pager.replaceChildren(
    make("button", { type: "button", disabled: table.page === 0, onclick: go(0) }, "First"),
    make("button", { type: "button", disabled: table.page === 0, onclick: go(table.page - 1) }, "Previous"),
    make("span", {}, "page " + grouped(table.page + 1) + " of " + grouped(pages)),
    make("button", { type: "button", disabled: table.page === pages - 1, onclick: go(table.page + 1) }, "Next"),
    make("button", { type: "button", disabled: table.page === pages - 1, onclick: go(pages - 1) }, "Last"));
}

// Selects a row, turning to its page; focus stays with the table when it was there.
function chooseRow(table, row, focus) {
  const index = table.shown.indexOf(row);
  table.chosen = row;
  if (index >= 0) table.page = Math.floor(index / table.size);
  drawRows(table);
  const element = index >= 0 ? table.body.children[index - table.page * table.size] : null;
  if (element && focus) element.focus({ preventScroll: true });
  if (element && focus) element.scrollIntoView({ block: "nearest" });
  table.options.choose(row);
}

function walkRows(table, event) {
  const row = event.target.closest("tr");
  const at = table.shown.indexOf(table.drawn[[...table.body.children].indexOf(row)]);
  const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: table.size, PageUp: -table.size, Home: -Infinity, End: Infinity, Enter: 0, " ": 0 };
  if (at < 0 || !(event.key in steps) || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  const to = Math.min(table.shown.length - 1, Math.max(0, at + steps[event.key]));
  chooseRow(table, table.shown[to], true);
}
