// main.js - what the page shows, and what a choice changes.

const state = { data: null, ligands: null, poses: null, row: null, detail: null, pose: null };

window.addEventListener("DOMContentLoaded", start);

async function start() {
  startTheme();
  const data = (state.data = JSON.parse(byId("data").textContent));
  data.rows = data.rows.map((values, index) => {
    const row = { rank: index + 1, detail: data.details[index], links: (data.links || [])[index] };
    data.columns.forEach((name, k) => (row[name] = values[k]));
    (data.scores || []).forEach((score, k) => (row["score-" + k] = values[data.columns.length + k]));
    return row;
  });
  byId("summary").textContent = summary(data);
  fillFacts(byId("fact-list"), data.facts || []);
  byId("footer").textContent = "Made by Berth " + data.version + ". Energies are kcal/mol, lengths Angstrom; docs/report.md explains every figure.";
  showLigands(data);
  await painted();
  performance.mark("table");
  showOverview(data);
  showCompared(data, data.other);
  showFiles(byId("folder-files"), (data.files || []).map((name) => [name, name]));
  showFingerprints(data);
  showRejects(data);
  if (data.details.length > 0) byId("ligand").hidden = false;
  try {
    if (data.details.length > 0) await startView(data);
  } catch (error) {
    viewNote("The 3D view could not start: " + error.message);
  }
  if (state.ligands) chooseRow(state.ligands, data.rows[0], false);
  else if (data.rows.length > 0) chooseLigand(data.rows[0]);
  performance.mark("ready");
  document.documentElement.dataset.ready = "1";
}

function summary(data) {
  const total = data.total || data.rows.length, parts = [plural(total, "ligand") + " docked"];
  if (data.rows.length < total) parts.push("the best " + grouped(data.rows.length) + " are listed");
  if (data.rejected) parts.push(grouped(data.rejected) + " not docked");
  if (data.rows.length > 0) parts.push("best " + scoreName(data) + (data.scoring ? "" : " of binding") + " " + fixed(data.rows[0].free, 2) + " kcal/mol");
  return parts.join("; ") + ".";
}

// AutoDock 4 estimates a free energy; page data name other scoring functions, which have affinities.
function scoreName(data) {
  return data.scoring ? "affinity by " + data.scoring : "free energy";
}

function scoreLabel() {
  return state.data.scoring ? "Affinity" : "Free energy";
}

function scoreAxis() {
  return scoreName(state.data) + ", kcal/mol";
}

// --- ligands ---

function rankedBy(data) {
  const fact = (data.facts || []).find((one) => one[0] === "Ranked by");
  return fact ? fact[1] : "";
}

function showLigands(data) {
  if (data.rows.length < 2) return;
  byId("ligands").hidden = false;
  const has = (key) => data.rows.some((row) => row[key] !== null && row[key] !== undefined && row[key] !== 0);
  const columns = [
    { key: "rank", label: "Rank", number: 0 },
    { key: "name", label: "Name", style: "name" },
    { key: "free", label: scoreLabel(), number: 2, title: (data.scoring ? scoreName(data) : "estimated free energy of binding") + ", kcal/mol" },
    { key: "ranked", label: data.index ? "Rank score" : "Rank energy", number: 2, title: "what ranks: " + (rankedBy(data) || scoreName(data)) + (data.index ? ", not an energy" : ", kcal/mol") },
    ...scoreColumns(data), STRAIN_COLUMN, ...LIGAND_VERDICTS,
    { key: "inter", label: "Inter", number: 2, wide: true, title: "ligand with receptor, kcal/mol" },
    { key: "intra", label: "Intra", number: 2, wide: true, title: "ligand within itself, kcal/mol" },
    ...["Steric", "Charge", "Desolvation"].map((label) => ({ key: label.toLowerCase(), label, number: 2, wide: true, title: "term of the BUDE engine" })),
    { key: "efficiency", label: "per atom", number: 3, wide: true, title: scoreName(data) + " per atom of the PDBQT file, kcal/mol", get: (row) => row.free / row.atoms },
    { key: "atoms", label: "Atoms", number: 0, wide: true },
    { key: "torsions", label: "Torsions", number: 0, wide: true },
    { key: "clusters", label: "Clusters", number: 0, wide: true },
    { key: "rmsd", label: "RMSD", number: 2, wide: true, title: "to the reference, or to the input pose, Angstrom" },
    { key: "evals", label: "Evaluations", number: 0, group: true, wide: true, down: true },
    { key: "seconds", label: "Seconds", number: 2, wide: true },
    { key: "active", label: "Active", get: (row) => (row.active ? "yes" : "") },
  ].filter((column) => column.key === "efficiency" || column.key === "rank" || has(column.key))
    .filter((column) => column.key !== "ranked" || data.rows.some((row) => row.ranked !== row.free)); // another function's
  state.ligands = makeTable(byId("ligand-table"), columns, data.rows, {
    label: "Ligands, the best first", search: "Search ligands", filter: true, size: 20, choose: chooseLigand,
    text: (row) => row.name + " " + (row.detail ? row.detail.smiles : "") + (row.active ? " active" : ""),
  });
}

function chooseLigand(row) {
  state.row = row;
  state.detail = row.detail || null;
  byId("ligand").hidden = false;
  byId("ligand-heading").textContent = row.name;
  const detail = state.detail;
  drawing(detail);
  fillFacts(byId("ligand-facts"), [["Rank", grouped(row.rank)], [scoreLabel(), fixed(row.free, 2) + " kcal/mol"], ["Atoms, torsions", row.atoms + ", " + row.torsions],
    ["Runs, clusters", row.runs + ", " + row.clusters], ...verdictFacts(row, state.data),
    ["Evaluations", grouped(row.evals)], ["Source", row.source]]);
  showFiles(byId("ligand-files"), row.links ? row.links.endings.map((ending) => [ending, row.links.stem + "." + ending]) : []);
  for (const part of document.querySelectorAll(".view, .poses, .pose")) part.hidden = !detail || detail.poses.length === 0;
  byId("ligand-plots").replaceChildren();
  if (!detail || detail.poses.length === 0) {
    byId("drawing").replaceChildren(make("p", { class: "note" }, "This page has poses of the best " + state.data.details.length + " ligands; `berth report --top` gives more."));
    return;
  }
  showPoses(detail);
}

// Links to files of the folder, which work as long as the page stands where it was written.
function showFiles(place, files) {
  place.replaceChildren();
  if (files.length > 0) place.append("Files: ");
  files.forEach(([label, name], k) => {
    const path = (state.data.prefix + name).split("/").map(encodeURIComponent).join("/");
    place.append(k ? ", " : "", make("a", { href: (path.startsWith("/") ? "file://" : "./") + path, title: name }, label));
  });
}

// RDKit's drawing: an image of its own, so that nothing in it can run.
function drawing(detail) {
  const open = detail && detail.isomer_of ? " (the docked isomer; the input leaves its stereochemistry undefined)" : "";
  byId("smiles").textContent = detail ? detail.smiles + open : "";
  byId("drawing").replaceChildren();
  if (detail && detail.svg)
    byId("drawing").append(make("img", { src: "data:image/svg+xml;charset=utf-8," + encodeURIComponent(detail.svg), alt: "Structure of " + state.row.name, width: 320, height: 220 }));
}

// --- poses ---

function showPoses(detail) {
  const reference = detail.poses.some((pose) => isNumber(pose.rmsd));
  detail.poses.forEach((pose, index) => (pose.rank = index + 1));
  const count = (pose, type) => (pose.contacts || []).filter((c) => c[0] === type).length;
  const others = [...new Set(detail.poses.flatMap((pose) => Object.keys(pose.others || {})))];
  const values = [...new Set(detail.poses.flatMap((pose) => Object.keys(pose.values || {})))];
  const columns = [
    { key: "rank", label: "Rank", number: 0 }, { key: "run", label: "Run", number: 0 }, { key: "cluster", label: "Cluster", number: 0 },
    ...(detail.poses.some((pose) => pose.site) ? [{ key: "site", label: "Site", number: 0, title: "the box that the pose lies in" }] : []),
    ...(detail.poses.some((pose) => pose.receptor) ? [{ key: "receptor", label: "Receptor", number: 0, title: "of the ensemble; the page shows the first, and contacts of its poses alone" }] : []),
    ...(detail.poses.some((pose) => pose.seed) ? [{ key: "seed", label: "Seed", number: 0, title: "the pose from another program that was minimized to this one" }] : []),
    { key: "free", label: scoreLabel(), number: 2 },
    ...others.map((name) => ({ key: "by-" + name, label: "by " + name, number: 2, get: (pose) => (pose.others || {})[name], title: "the best pose of a cluster, minimized in this scoring function, kcal/mol" })),
    ...values.map((name) => ({ key: "value-" + name, label: name, number: 3, get: (pose) => (pose.values || {})[name], title: "the best pose of a cluster by a re-scorer, without a unit" })),
    { key: "rmsd", label: "RMSD", number: 2, title: "to the reference, or to the input pose, Angstrom" },
    ...(detail.poses.some((pose) => isNumber(pose.strain)) ? [STRAIN_COLUMN] : []),
    ...(detail.poses.some((pose) => pose.faults) ? [{ key: "faults", label: "Geometry", get: (pose) => (pose.faults || []).join(", "), title: "faults of the pose's own geometry" }] : []),
    ...POSE_VERDICTS.filter((column) => detail.poses.some((pose) => pose[column.key])),
    { key: "inter", label: "Inter", number: 2, wide: true }, { key: "intra", label: "Intra", number: 2, wide: true },
    { key: "hbonds", label: "H-bonds", number: 0, down: true, get: (pose) => count(pose, "H") },
    { key: "vdw-contacts", label: "vdW", number: 0, down: true, wide: true, get: (pose) => count(pose, "V") },
  ].filter((column) => (column.key !== "rmsd" || reference) && (state.data.receptor || !/hbonds|vdw-/.test(column.key)));
  state.poses = makeTable(byId("pose-table"), columns, detail.poses, {
    label: "Poses of " + state.row.name + ", the best first", size: 1000, tall: true, filter: detail.poses.length > 3, choose: (pose) => choosePose(pose, false),
  });
  ligandPlots(detail);
  state.poses.chosen = detail.poses[0];
  drawRows(state.poses);
  choosePose(detail.poses[0], true);
}

function pickRun(run) {
  const pose = state.detail.poses.find((p) => p.run === run);
  if (pose) chooseRow(state.poses, pose, true);
  else say("the pose of run " + run + " is not in this page");
}

function choosePose(pose, first) {
  state.pose = pose;
  byId("pose-heading").textContent = "Pose " + pose.rank + ", run " + pose.run + (pose.cluster ? ", cluster " + pose.cluster : "") + (pose.site ? ", site " + pose.site : "") + (pose.receptor ? ", receptor " + pose.receptor : "") + (pose.seed ? ", from seed pose " + pose.seed : "");
  const inter = state.data.scoring ? [["intermolecular", pose.vdw]] : [["vdW, H-bond, solv.", pose.vdw], ["electrostatic", pose.elec]];
  const parts = isNumber(pose.vdw) ? [...inter, ...(pose.moving ? [["moving residues", pose.moving]] : [])] : [["intermolecular", pose.inter]];
  byId("terms").replaceChildren(termPlot("Energy terms", (state.data.scoring ? "Their sum, less the internal energy of the best pose, is the affinity by " + state.data.scoring + ", " : "Their sum without the internal energy is the estimated free energy of binding, ") + fixed(pose.free, 2) + " kcal/mol.",
    [...parts, ["torsional", pose.tors], ["internal", pose.intra]]));
  showChecks(pose);
  showConstraints(pose);
  showContacts(pose);
  showWaters(pose);
  drawLegend(pose);
  for (const dot of document.querySelectorAll("[data-pick]")) dot.classList.toggle("chosen", Number(dot.dataset.pick) === pose.run);
  say("pose " + pose.rank + ", " + fixed(pose.free, 2) + " kilocalories per mole");
  showPose(state.detail, pose, first).catch((error) => viewNote("This pose could not be shown: " + error.message));
}

function residueName(contact) {
  const name = contact[3]; // as options take it: A:ARG8, A:XK2:263
  return contact[5] + ":" + name + (/\d$/.test(name) ? ":" : "") + contact[4];
}

function showContacts(pose) {
  const place = byId("contacts");
  if (!pose.contacts) return place.replaceChildren();
  const order = "RMSBHXWPCLV";
  const rows = pose.contacts.slice().sort((a, b) => order.indexOf(a[0]) - order.indexOf(b[0]) || a[7] - b[7]);
  place.replaceChildren(make("h3", {}, "Contacts"), make("p", { class: "soft" }, contactSummary(pose)), make("div", { id: "contact-table" }));
  makeTable(byId("contact-table"), [
    { key: 0, label: "Type", get: (c) => CONTACTS[c[0]].name,
      cell: (c) => make("span", {}, make("span", { class: "contact c-" + c[0], title: CONTACTS[c[0]].name }, c[0]),
        make("span", { class: "wide" }, " " + CONTACTS[c[0]].name)) },
    { key: "residue", label: "Residue", get: residueName },
    { key: 6, label: "Atom" },
    { key: "ligand", label: "Ligand atom", get: (c) => c[2] + " (" + c[1] + ")" },
    { key: 7, label: "Distance", number: 2 },
  ], rows, { label: "Contacts of this pose", size: 1000, tall: true, filter: true });
}

// Waters of hydrated docking: what became of each.
function showWaters(pose) {
  const place = byId("waters");
  if (!pose.waters) return place.replaceChildren();
  const count = (state) => pose.waters.filter((w) => w[1] === state).length + " " + state;
  place.replaceChildren(make("h3", {}, "Waters"), make("p", { class: "soft" }, ["strong", "weak", "displaced"].map(count).join(", ") + "."), make("div", { id: "water-table" }));
  makeTable(byId("water-table"), [
    { key: 0, label: "Atom", number: 0 }, { key: 1, label: "State" },
    { key: 2, label: "Energy", number: 2, title: "of the W map, kcal/mol" },
    { key: 3, label: "Nearest atom", number: 2, title: "distance to the nearest heavy atom, Angstrom" },
  ], pose.waters, { label: "Waters of this pose", size: 1000, tall: true });
}

function contactSummary(pose) {
  const residues = (type) => [...new Set(pose.contacts.filter((c) => c[0] === type).map(residueName))];
  const parts = [];
  for (const type of ["R", "M", "S", "B", "H", "X", "W", "P", "C"]) if (residues(type).length) parts.push(CONTACTS[type].name + ": " + residues(type).join(", "));
  return parts.length ? parts.join("; ") + "." : "No polar contacts.";
}

function agreement(clusters, runs) {
  const first = clusters.get(1);
  if (!first || runs < 5) return "";
  return first.size === 1 ? "No other of the " + runs + " runs found the pose of cluster 1: search longer. " : first.size + " of " + runs + " runs agree on the pose of cluster 1. ";
}

function ligandPlots(detail) {
  const place = byId("ligand-plots"), runs = detail.runs || [], plots = [];
  const clusters = new Map();
  for (const [free, cluster, , run] of runs) {
    if (!cluster) continue;
    const known = clusters.get(cluster) || { cluster, size: 0, lowest: Infinity, pick: run };
    known.size++;
    if (free < known.lowest) Object.assign(known, { lowest: free, pick: run });
    clusters.set(cluster, known);
  }
  if (clusters.size > 0) plots.push(clusterPlot("Clusters", agreement(clusters, runs.length) + "Each bar is a cluster of similar poses. A tall one at the left, with a gap to the next, is the sign of a search that has converged.", [...clusters.values()], pickRun));
  if (runs.length > 2) {
    plots.push(linePlot("Convergence", "What the best of k runs finds on average, of the " + runs.length + " that were made. A curve that is flat at its end says that more runs would change little.",
      "runs", scoreAxis(), expectedBest(runs.map((r) => r[0]))));
    plots.push(histogram("Energies of runs", "Of all " + runs.length + " runs.", scoreAxis(), runs.map((r) => r[0])));
  }
  const dots = energyDots(detail);
  if (dots.length > 2) plots.push(dotPlot("Energy and RMSD", "Each dot is a run" + (dots.some((dot) => dot.ring) ?
    ", each ring a further minimum" : "") + "; choose one to see its pose.", "RMSD, Angstrom", scoreAxis(), dots, pickRun));
  place.replaceChildren(...plots);
}

// Of all runs, and of further minima that the page has.
function energyDots(detail) {
  const runs = detail.runs || [], made = new Set(runs.map((r) => r[3]));
  const dot = (free, rmsd, run, ring) => ({ x: rmsd, y: free, pick: run, ring,
    text: (ring ? "pose " : "run ") + run + ": " + fixed(free, 2) + " kcal/mol, " + fixed(rmsd, 2) + " A" });
  const further = runs.length ? detail.poses.filter((pose) => !made.has(pose.run)) : [];
  return [...runs.map((r) => dot(r[0], r[2], r[3], false)),
    ...further.map((pose) => dot(pose.free, pose.rmsd, pose.run, true))].filter((one) => isNumber(one.x));
}

// --- the whole ---

function showOverview(data) {
  const plots = [];
  if (data.histogram) plots.push(histogram(data.index ? "What ranks" : state.data.scoring ? "Affinities" : "Free energies", "Of all " + grouped(data.total) + " ligands that were docked.", data.index ? rankedBy(data) : scoreAxis(), null, data.histogram.bins, data.histogram.width));
  else if (data.rows.length > 2) plots.push(histogram(state.data.scoring ? "Affinities" : "Free energies", "The best of each of " + grouped(data.rows.length) + " ligands.", scoreAxis(), data.rows.map((r) => r.free)));
  if (data.rate && data.rate.length > 1) plots.push(linePlot("Rate", "Ligands finished per second, over the time that the screen took.", "minutes", "ligands per second",
    data.rate.map(([seconds, rate]) => [seconds / 60, rate]), { yRange: [0, Math.max(...data.rate.map((r) => r[1])) * 1.05] }));
  if (data.enrichment) plots.push(enrichmentPlot(data.enrichment));
  if (plots.length === 0) return;
  byId("overview").hidden = false;
  byId("overview-plots").replaceChildren(...plots);
}

// Two dockings: the ligands of both, beside each other.
function showCompared(data, other) {
  if (!other) return;
  const second = new Map(other.rows.map((values) => [values[other.columns.indexOf("name")], values]));
  const value = (name, key) => (second.has(name) ? second.get(name)[other.columns.indexOf(key)] : null);
  const both = data.rows.filter((row) => second.has(row.name)).map((row) => ({ name: row.name, a: row.free, b: value(row.name, "free"), ra: row.rmsd, rb: value(row.name, "rmsd") }));
  const names = [data.title === other.title ? data.title + " (first)" : data.title, data.title === other.title ? other.title + " (second)" : other.title];
  byId("compared").hidden = false;
  byId("compared-heading").textContent = names[0] + " and " + names[1];
  const alone = plural(data.rows.length - both.length, "ligand") + " in the first folder only, " + (second.size - both.length) + " in the second only.";
  const same = (data.scoring || "") === (other.scoring || "");
  const note = same ? "" : " They are scored by different functions (" + (data.scoring || "AutoDock 4") + ", " + (other.scoring || "AutoDock 4") + "): compare orders, not energies.";
  byId("compared-table").replaceChildren(make("p", { class: "soft" }, plural(both.length, "ligand") + " in both; " + alone + note), make("div", { id: "compared-rows" }));
  if (both.length === 0) return;
  const has = (key) => both.some((row) => isNumber(row[key]));
  makeTable(byId("compared-rows"), [
    { key: "name", label: "Name", style: "name" }, { key: "a", label: names[0], number: 2, title: "kcal/mol" }, { key: "b", label: names[1], number: 2, title: "kcal/mol" },
    ...(same ? [{ key: "d", label: "Difference", number: 2, get: (row) => row.b - row.a }] : []),
    ...(has("ra") ? [{ key: "ra", label: "RMSD", number: 2, title: names[0] + ", Angstrom" }] : []), ...(has("rb") ? [{ key: "rb", label: "RMSD", number: 2, title: names[1] + ", Angstrom" }] : []),
  ], both, {
    label: "Ligands of both folders", search: "Search ligands", filter: true, size: 20, text: (row) => row.name,
  });
  if (both.length > 2) byId("compared-plots").append(dotPlot("Energies", "Each dot is a ligand" + (same ? "; on the dashed line both are equal." : "."), names[0] + ", kcal/mol", names[1] + ", kcal/mol",
    both.map((row) => ({ x: row.a, y: row.b, text: row.name + ": " + fixed(row.a, 2) + ", " + fixed(row.b, 2) })), null, { wide: true, diagonal: same }));
}

function enrichmentPlot(e) {
  const interval = (v) => fixed(v[0], 2) + " (" + fixed(v[1], 2) + " to " + fixed(v[2], 2) + ")";
  return linePlot("Enrichment", grouped(e.actives) + " actives among " + grouped(e.actives + e.decoys) + " ligands: ROC AUC " + interval(e.auc) + ", EF1% " + interval(e.ef1) +
    ", EF5% " + interval(e.ef5) + "; in brackets 95 % of 2,000 resamplings. The dashed line is chance.", "share of decoys", "share of actives", e.roc, { xRange: [0, 1], yRange: [0, 1], diagonal: true });
}

// Which residues the best poses of the best ligands touch, most often touched first.
function showFingerprints(data) {
  const ligands = data.rows.filter((row) => row.detail && row.detail.poses.length && row.detail.poses[0].contacts);
  if (ligands.length < 2) return;
  const counts = new Map(), rank = "VLCPWXHBSMR";
  const marks = ligands.map((row) => {
    const found = new Map();
    for (const c of row.detail.poses[0].contacts) {
      const name = residueName(c), before = found.get(name);
      if (!before || rank.indexOf(c[0]) > rank.indexOf(before)) found.set(name, c[0]);
    }
    for (const name of found.keys()) counts.set(name, (counts.get(name) || 0) + 1);
    return found;
  });
  const names = [...counts].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0])).slice(0, 40).map(([name]) => name);
  const head = make("tr", {}, make("td"), names.map((name) => make("th", { scope: "col", title: counts.get(name) + " of " + ligands.length }, name)));
  const body = ligands.slice(0, 50).map((row, k) => make("tr", {}, make("th", { scope: "row", title: row.name }, row.name),
    names.map((name) => make("td", {}, marks[k].has(name) ? make("span", { class: "contact c-" + marks[k].get(name), title: row.name + ", " + name + ": " + CONTACTS[marks[k].get(name)].name }, marks[k].get(name)) : ""))));
  byId("fingerprints").hidden = false;
  byId("fingerprint-table").replaceChildren(make("p", { class: "soft" }, "Best poses of the best " + body.length + " ligands and the residues touched most often: " +
    Object.entries(CONTACTS).map(([letter, c]) => letter + " " + c.name).join(", ") + "; the strongest of each residue. `berth report --fingerprints` writes all of it."),
    make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Contacts of the best ligands" }, make("table", { class: "matrix" }, make("thead", {}, head), make("tbody", {}, body))));
}

function showRejects(data) {
  const rejects = data.rejects || [];
  if (rejects.length === 0) return;
  byId("rejects").hidden = false;
  const reasons = data.reasons || [...rejects.reduce((map, r) => map.set(r[2], (map.get(r[2]) || 0) + 1), new Map())].sort((a, b) => b[1] - a[1]);
  const words = { BT_ERR_INPUT: "malformed", BT_ERR_PARAMETER: "atom type without parameters", BT_ERR_BOX: "does not fit the box", BT_ERR_LIMIT: "too large", BT_ERR_IO: "cannot be read", BT_ERR_DEVICE: "device failed" };
  byId("reject-reasons").replaceChildren(make("p", {}, reasons.map(([status, count]) => (words[status] || status) + ": " + grouped(count)).join("; ") + "."));
  makeTable(byId("reject-table"), [
    { key: 0, label: "Name", style: "name" }, { key: 1, label: "State", wide: true }, { key: 2, label: "Status", wide: true, get: (r) => words[r[2]] || r[2] }, { key: 3, label: "Reason", style: "text" },
  ], rejects, {
    label: "Ligands that were not docked", search: "Search rejects", filter: true, size: 10, text: (r) => r.join(" "),
  });
}
