// verdicts.js - what a pose fails and meets: checks of its geometry and contacts, constraints; scores of re-scorers.

function words(name) {
  return name.replaceAll("_", " ");
}

// --- columns of tables ---

// Of ligands: values of re-scorers stand behind the fixed ones of a row.
function scoreColumns(data) {
  return (data.scores || []).map(([name, energy], k) => ({
    key: "score-" + k, label: energy ? "by " + name : name, number: energy ? 2 : 3,
    title: "best pose by a re-scorer" + (energy ? ", kcal/mol" : ", without a unit"),
  })).filter((column) => data.rows.some((row) => isNumber(row[column.key]) && row[column.key] !== row.free));
}

const STRAIN_COLUMN = { key: "strain", label: "Strain", number: 1,
  title: "of the best pose of a cluster: energy above the relaxed conformer, MMFF94s or UFF, kcal/mol" };

// Of ligands: how many tests their best pose fails, and how many constraints it meets.
const LIGAND_VERDICTS = [
  { key: "failed", label: "Checks", wide: true, title: "tests of geometry and surroundings that the best pose fails",
    text: (row) => (isNumber(row.failed) ? (row.failed === 0 ? "pass" : "fails " + row.failed) : "") },
  { key: "constraints", label: "Constraints", wide: true, title: "that the best pose meets", down: true,
    get: (row) => (isNumber(row.constraints) ? row.met / row.constraints : null),
    text: (row) => (isNumber(row.constraints) ? row.met + " of " + row.constraints : "") },
];

function failedChecks(pose) {
  return pose.checks ? pose.checks.map(words).join(", ") || "pass" : "";
}

// Those that are preferred in parentheses.
function missedConstraints(pose) {
  const missed = (pose.constraints || []).filter((c) => !c[2]).map((c) => (c[1] ? c[0] : "(" + c[0] + ")"));
  return !pose.constraints ? "" : missed.length === 0 ? "met" : "misses " + missed.join(", ");
}

// The verdict on one constraint, or several: a preferred one that is missed is no fault.
function constraintClass(constraints) {
  return constraints.every((c) => c[2]) ? "good" : constraints.some((c) => c[1] && !c[2]) ? "bad" : "fair";
}

const POSE_VERDICTS = [
  { key: "checks", label: "Checks", style: "verdict", get: failedChecks,
    cell: (pose) => verdictMark(failedChecks(pose), pose.checks && pose.checks.length ? "bad" : "good"),
    title: "of the best pose of a cluster: geometry, clashes and overlap with the receptor; those that it fails" },
  { key: "constraints", label: "Constraints", style: "verdict", get: missedConstraints,
    cell: (pose) => verdictMark(missedConstraints(pose), constraintClass(pose.constraints || [])),
    title: "what was known of the pose; what it lacks" },
];

// Not by color alone: the text says it, too.
function verdictMark(text, kind) {
  return text === "" ? "" : make("span", { class: kind, title: text }, text);
}

// --- beside the pose ---

function verdictTable(id, columns, rows, label) {
  const place = make("div", { id });
  makeTable(place, columns, rows, { label, size: 1000 });
  return place;
}

// The verdict is that of the docking; limits stand beside the values.
function showChecks(pose) {
  const place = byId("checks"), limits = state.data.limits || [];
  place.replaceChildren();
  if (!pose.checks) return;
  const rows = limits.map(([name, limit, least], k) => ({
    name: words(name), value: (pose.tested || [])[k], limit, least, failed: pose.checks.includes(name),
  })).filter((row) => isNumber(row.value) || row.failed);
  const failed = rows.filter((row) => row.failed);
  const sum = failed.length === 0 ? "Passes all " + plural(rows.length, "test") + "."
    : "Fails " + failed.length + " of " + plural(rows.length, "test") + ": " + failed.map((row) => row.name + " " +
      fixed(row.value, 2) + " (" + (row.least ? "at least " : "at most ") + row.limit + ")").join(", ") + ".";
  rows.sort((a, b) => b.failed - a.failed);
  place.append(make("h3", {}, "Checks"), make("p", {}, verdictMark(sum, failed.length ? "bad" : "good")),
    make("details", { open: failed.length > 0 }, make("summary", {}, "All tests"), verdictTable("check-table", [
      { key: "name", label: "Test" },
      { key: "value", label: "Value", number: 3 },
      { key: "limit", label: "Limit", get: (row) => (row.least ? "\u2265 " : "\u2264 ") + row.limit },
      { key: "failed", label: "Verdict", get: (row) => (row.failed ? "fails" : "passes"),
        cell: (row) => verdictMark(row.failed ? "fails" : "passes", row.failed ? "bad" : "good") },
    ], rows, "Checks of this pose")));
}

function showConstraints(pose) {
  const place = byId("constraints");
  place.replaceChildren();
  if (!pose.constraints) return;
  const met = pose.constraints.filter((c) => c[2]).length;
  const sum = "Meets " + met + " of " + plural(pose.constraints.length, "constraint") + ".";
  place.append(make("h3", {}, "Constraints"), make("p", {}, verdictMark(sum, constraintClass(pose.constraints))),
    verdictTable("constraint-table", [
      { key: 0, label: "Constraint", style: "text", get: (c) => c[0] + (c[1] ? "" : " (preferred)") },
      { key: 2, label: "Met", get: (c) => (c[2] ? "yes" : "no"),
        cell: (c) => verdictMark(c[2] ? "yes" : "no", constraintClass([c])) },
      { key: 3, label: "Distance", number: 2, title: "of the nearest contact, of a core its farthest atom, Angstrom" },
      { key: 4, label: "Miss", number: 2, wide: true, title: "how far it is from being made, Angstrom" },
      { key: 5, label: "Energy", number: 2, wide: true, title: "of the force, kcal/mol; no other energy contains it" },
    ], pose.constraints, "Constraints of this pose"));
}

// Facts of the best pose for the head of the ligand.
function verdictFacts(row, data) {
  return [...scoreColumns(data).map((column) => [column.label, fixed(row[column.key], column.number)]),
    ["Strain", isNumber(row.strain) ? fixed(row.strain, 1) + " kcal/mol" : ""],
    ...LIGAND_VERDICTS.map((column) => [column.label, column.text(row)])];
}
