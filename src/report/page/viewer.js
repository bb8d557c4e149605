// viewer.js - receptor and pose in three dimensions, drawn by NGL (MIT license, Rose and Hildebrand 2015).

const CONTACTS = {
  R: { name: "reactive", color: [0.49, 0.24, 0.6] },
  H: { name: "hydrogen bond", color: [0.09, 0.39, 0.66] },
  V: { name: "van der Waals", color: [0.55, 0.6, 0.65] },
  P: { name: "pi stacking", color: [0.18, 0.49, 0.2] },
  S: { name: "salt bridge", color: [0.69, 0.21, 0.12] },
  C: { name: "cation-pi", color: [0.76, 0.45, 0.05] },
  B: { name: "hydrogen bond with angle", color: [0.02, 0.26, 0.52] },
  X: { name: "halogen bond", color: [0.0, 0.5, 0.5] },
  L: { name: "hydrophobic", color: [0.5, 0.5, 0.3] },
  W: { name: "water bridge", color: [0.2, 0.55, 0.75] },
  M: { name: "metal coordination", color: [0.45, 0.3, 0.65] },
};

// The script of the viewer is as large as all else, and so is run last, when the tables are there.
function runViewer() {
  performance.mark("viewer");
  document.head.append(make("script", {}, byId("viewer").textContent));
  byId("viewer").remove();
}

// The viewer's script either made window.NGL, or left modules for webpack, which are run here until one is the viewer.
function findViewer() {
  if (window.NGL && window.NGL.Stage) return window.NGL;
  const key = Object.keys(window).find((name) => name.startsWith("webpackChunk") && Array.isArray(window[name]));
  if (!key) return null;
  const modules = Object.assign({}, ...window[key].map((chunk) => chunk[1])), made = {};
  const process = { env: {}, nextTick: (call) => setTimeout(call, 0) };
  const owns = (object, name) => Object.prototype.hasOwnProperty.call(object, name);
  function need(id) {
    if (made[id]) return made[id].exports;
    const module = (made[id] = { id, exports: {}, loaded: false });
    if (!modules[id]) module.exports = process;
    else modules[id].call(module.exports, module, module.exports, need);
    return module.exports;
  }
  need.o = owns;
  need.g = window;
  need.nmd = (module) => module;
  need.r = (exports) => Object.defineProperty(exports, "__esModule", { value: true });
  need.d = (exports, getters) => {
    for (const name in getters) if (owns(getters, name) && !owns(exports, name)) Object.defineProperty(exports, name, { enumerable: true, get: getters[name] });
  };
  need.n = (module) => {
    const get = () => (module && module.__esModule ? module.default : module);
    return need.d(get, { a: get }), get;
  };
  for (const id of Object.keys(modules)) {
    const exports = need(id);
    if (exports && exports.Stage) return exports;
  }
  return null;
}

const view = {
  stage: null, receptor: null, pocket: null, pose: null, flexible: null, reference: null, shape: null, turn: 0,
  show: { cartoon: true, pocket: true, reference: true, hydrogens: false }, surface: "", hidden: new Set(["V", "L"]), // types of contacts
};

function viewNote(text) {
  const note = byId("view-note");
  note.textContent = text;
  note.hidden = text === "";
}

function hasWebGl() {
  try {
    const canvas = document.createElement("canvas");
    return Boolean(canvas.getContext("webgl2") || canvas.getContext("webgl"));
  } catch (error) {
    return false;
  }
}

async function startView(data) {
  const place = byId("view");
  if (hasWebGl()) runViewer();
  const library = hasWebGl() ? findViewer() : null;
  if (!library) {
    place.hidden = true;
    byId("view-tools").hidden = true;
    viewNote(hasWebGl() ? "This page was made without its viewer: `berth report --viewer ngl.js` adds it." : "This browser has no WebGL, so poses cannot be shown in 3D.");
    return;
  }
  view.ngl = library;
  view.stage = new library.Stage(place, { backgroundColor: themeColor("--page"), workerDefault: false, tooltip: true,
    clipDist: 0, fogNear: 60, sampleLevel: 1 });
  new ResizeObserver(() => view.stage.handleResize()).observe(place);
  place.addEventListener("keydown", turnByKey);
  makeTools(data);
  if (data.receptor) {
    view.receptor = await view.stage.loadFile(text(data.receptor), { ext: "pdb", name: "receptor" });
    addCharges(view.receptor, data.charges);
    view.cartoon = view.receptor.addRepresentation("cartoon", { colorScheme: "chainindex", colorScale: ["#a9bccb", "#d8c9a8"], opacity: 0.6, visible: view.show.cartoon });
  }
}

// Background and labels in the colors of the page.
function viewTheme() {
  if (!view.stage) return;
  view.stage.setParameters({ backgroundColor: themeColor("--page") });
  drawPose();
}

function text(string) {
  return new Blob([string], { type: "text/plain" });
}

function drop(name) {
  if (view[name]) view.stage.removeComponent(view[name]);
  view[name] = null;
}

// Residues that the pose touches, in NGL's words.
function touched(pose) {
  const words = new Set();
  for (const c of pose.contacts || []) words.add(c[4] + (c[5] ? ":" + c[5] : ""));
  return words.size ? "(" + [...words].join(" or ") + ")" : "none";
}

async function showPose(detail, pose, first) {
  if (!view.stage) return;
  const turn = ++view.turn; // a later choice overtakes this one
  const found = await view.stage.loadFile(text(pose.sdf || pose.pdb), { ext: pose.sdf ? "sdf" : "pdb", name: "pose" });
  const flexible = pose.flexible ? await view.stage.loadFile(text(pose.flexible), { ext: "pdb", name: "flexible residues" }) : null;
  if (turn !== view.turn) {
    view.stage.removeComponent(found);
    if (flexible) view.stage.removeComponent(flexible);
    return;
  }
  for (const name of ["pose", "flexible", "shape"]) drop(name);
  view.pose = found;
  view.flexible = flexible;
  view.current = pose;
  if (flexible) flexible.addRepresentation("licorice", { colorScheme: "element", colorValue: "#c9a227", radius: 0.18 });
  if (first) {
    drop("reference");
    const reference = detail.reference || state.data.reference;
    if (reference) {
      view.reference = await view.stage.loadFile(text(reference), { ext: "pdb", name: "reference" });
      view.reference.addRepresentation("licorice", { colorScheme: "element", colorValue: "#e07b28", radius: 0.14 });
    }
  }
  drawPose();
  if (view.surface !== "") drawSurface();
  if (first) found.autoView(detail.zoomed ? 0 : 600);
  view.stage.viewer.requestRender();
}

function drawPose() {
  const pose = view.current;
  if (!view.stage || !pose || !view.pose) return;
  view.pose.removeAllRepresentations();
  view.pose.addRepresentation("licorice", { colorScheme: "element", colorValue: "#128a8a", radius: 0.22, multipleBond: "symmetric",
    sele: view.show.hydrogens ? "all" : "not _H or @" + polarHydrogens(view.pose.structure).join(",") });
  if (view.cartoon) view.cartoon.setVisibility(view.show.cartoon);
  if (view.receptor) {
    if (view.pocket) view.receptor.removeRepresentation(view.pocket);
    view.pocket = view.receptor.addRepresentation("licorice", { sele: touched(pose), colorScheme: "element", colorValue: "#8b98a5",
      radius: 0.12, visible: view.show.pocket });
    if (view.labels) view.receptor.removeRepresentation(view.labels);
    view.labels = view.receptor.addRepresentation("label", { sele: touched(pose) + " and (.CA or .O and water)", labelType: "format", labelFormat: "%(resname)s%(resno)s",
      color: themeColor("--ink"), fontWeight: "bold", sdf: false, radius: 0.9, zOffset: 2, attachment: "middle-center",
      showBackground: true, backgroundColor: themeColor("--page"), backgroundOpacity: 0.6, visible: view.show.pocket });
  }
  if (view.reference) view.reference.setVisibility(view.show.reference);
  drop("shape");
  drawContacts(pose);
}

// Hydrogens on nitrogen, oxygen and sulfur are worth looking at; NGL's @ takes numbers of atoms.
function polarHydrogens(structure) {
  const list = [];
  structure.eachBond((bond) => {
    const a = bond.atom1, b = bond.atom2;
    for (const [h, heavy] of [[a, b], [b, a]]) if (h.element === "H" && heavy.element !== "C" && heavy.element !== "H") list.push(h.index);
  });
  return list.length ? list : [-1];
}

// Contacts in the order of drawing: a bond with an angle stands where one by distance does, too, and is drawn once.
function drawnContacts(pose) {
  const place = (c) => c.slice(8, 14).join(" ");
  const shown = (pose.contacts || []).filter((c) => !view.hidden.has(c[0]));
  const known = new Set(shown.filter((c) => c[0] === "H").map(place));
  return shown.filter((c) => c[0] !== "B" || !known.has(place(c)));
}

// Of dashes: the color of the type, on a dark ground halfway to white.
function contactColor(type) {
  return CONTACTS[type].color.map((part) => (isDark() ? (part + 1) / 2 : part));
}

// Dashes between the atoms of each contact; a bridge goes by its water.
function drawContacts(pose) {
  const shape = new view.ngl.Shape("contacts"), contacts = drawnContacts(pose);
  for (const c of contacts) {
    const radius = c[0] === "V" || c[0] === "L" ? 0.03 : 0.06, color = contactColor(c[0]);
    const label = CONTACTS[c[0]].name + " " + c[3] + c[4] + " " + c[7] + " A";
    const dashes = (from, to) => {
      const parts = Math.max(3, Math.round(Math.hypot(...from.map((v, k) => to[k] - v)) / 0.4));
      const at = (t) => from.map((v, k) => v + (to[k] - v) * t);
      for (let k = 0; k < parts; k++)
        shape.addCylinder(at((k + 0.2) / parts), at((k + 0.8) / parts), color, radius, label);
    };
    const [from, to, water] = [c.slice(8, 11), c.slice(11, 14), c.slice(14, 17)];
    if (water.length === 3) dashes(from, water), dashes(water, to);
    else dashes(from, to);
  }
  if (contacts.length === 0) return;
  view.shape = view.stage.addComponentFromObject(shape);
  view.shape.addRepresentation("buffer");
}

// The types of contacts that the pose has, each a button that shows or hides its dashes.
function drawLegend(pose) {
  const counts = new Map();
  for (const c of pose.contacts || []) counts.set(c[0], (counts.get(c[0]) || 0) + 1);
  const types = Object.keys(CONTACTS).filter((type) => counts.has(type));
  byId("legend").replaceChildren(...types.map((type) => make("button", { type: "button", "data-type": type,
    "aria-pressed": String(!view.hidden.has(type)), onclick: (event) => {
      if (!view.hidden.delete(type)) view.hidden.add(type);
      event.currentTarget.setAttribute("aria-pressed", String(!view.hidden.has(type)));
      drawPose();
    } }, make("span", { class: "contact c-" + type, "aria-hidden": "true" }, type),
    " " + CONTACTS[type].name + " " + counts.get(type))));
}

function makeTools(data) {
  const tools = byId("view-tools");
  const toggle = (key, label, there) => there && make("button", { type: "button", "aria-pressed": String(view.show[key]), onclick: (event) => {
    view.show[key] = !view.show[key];
    event.currentTarget.setAttribute("aria-pressed", String(view.show[key]));
    drawPose();
  } }, label);
  const reference = data.reference || data.details.some((d) => d && d.reference);
  const buttons = [toggle("cartoon", "Ribbon", data.receptor), toggle("pocket", "Residues", data.receptor),
    toggle("reference", "Reference", reference), toggle("hydrogens", "Hydrogens", true), data.receptor && surfaceTool(),
    make("button", { type: "button", onclick: () => view.pose && view.pose.autoView(300) }, "Center"),
    make("button", { type: "button", id: "png", onclick: savePng }, "Save PNG")];
  tools.append(...buttons.filter(Boolean));
}

// Three times the size on the screen, without background: for print.
async function savePng() {
  const blob = await view.stage.makeImage({ factor: 3, antialias: true, trim: false, transparent: true });
  save(blob, (state.row ? state.row.name : "pose") + (state.pose ? "-run" + state.pose.run : "") + ".png");
  say("saved a picture of this pose");
}

function turnByKey(event) {
  const step = 0.12, keys = { ArrowLeft: [0, 1, 0, -step], ArrowRight: [0, 1, 0, step], ArrowUp: [1, 0, 0, -step], ArrowDown: [1, 0, 0, step] };
  const controls = view.stage.viewerControls;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (keys[event.key]) {
    const [x, y, z, angle] = keys[event.key];
    controls.spin([x, y, z], angle);
  } else if (event.key === "+" || event.key === "=") controls.zoom(-0.1);
  else if (event.key === "-") controls.zoom(0.1);
  else if (event.key === "0") view.pose && view.pose.autoView(300);
  else return;
  event.preventDefault();
}
