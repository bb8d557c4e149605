// surface.js - the surface of the receptor around the pose, made when it is asked for.

const SURFACES = {
  "": { label: "no surface" },
  hydrophobicity: { label: "hydrophobicity", scale: ["#b5651d", "#f1ebdf", "#3f8fc0"], domain: [-1.2, 0.1, 1.4],
    note: "Surface: residues from hydrophobic (brown) to hydrophilic (blue), Wimley and White's scale." },
  electrostatic: { label: "charge", scale: ["#d62a1c", "#f5f5f5", "#1f4fd8"], domain: [-50, 0, 50],
    note: "Surface: potential of the receptor's charges within 12 \u00c5, from -50 (red) to 50 (blue) kcal/mol/e." },
};
const NEAR = 7, AROUND = 12; // Angstrom from the pose: what is shown, and what shapes it

function surfaceTool() {
  const choice = make("select", { id: "surface", "aria-label": "Surface of the pocket", onchange: () => {
    view.surface = choice.value;
    view.current && drawSurface();
  } });
  for (const [key, { label }] of Object.entries(SURFACES)) choice.append(make("option", { value: key }, label));
  return make("label", { class: "choice" }, "Surface ", choice);
}

// Charges of the receptor as it was docked into, for the potential; without them, none is offered.
function addCharges(receptor, charges) {
  const atoms = receptor.structure.atomStore;
  if (!charges || charges.length !== receptor.structure.atomCount) {
    document.querySelector("#surface option[value=electrostatic]").remove();
    return;
  }
  atoms.addField("partialCharge", 1, "float32");
  charges.forEach((hundredths, k) => (atoms.partialCharge[k] = hundredths / 100));
}

// Atoms of the receptor within a distance of any atom of the pose, in NGL's words.
function atomsWithin(distance) {
  const receptor = view.receptor.structure.atomStore, pose = view.pose.structure.atomStore, found = [];
  const near = (i) => {
    for (let k = 0; k < view.pose.structure.atomCount; k++) {
      const x = receptor.x[i] - pose.x[k], y = receptor.y[i] - pose.y[k], z = receptor.z[i] - pose.z[k];
      if (x * x + y * y + z * z <= distance * distance) return true;
    }
    return false;
  };
  for (let i = 0; i < view.receptor.structure.atomCount; i++) if (near(i)) found.push(i);
  return found.length > 0 ? "@" + found.join(",") : "none";
}

// The surface that stands stays until the next one is there; a later choice overtakes this one.
async function drawSurface() {
  const turn = (view.surfaceTurn = (view.surfaceTurn || 0) + 1), kind = SURFACES[view.surface];
  byId("surface-note").textContent = kind.note ? "Surface is being computed ..." : "";
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
  if (turn !== view.surfaceTurn || !view.pose) return;
  if (view.patch) view.receptor.removeRepresentation(view.patch);
  view.patch = view.surface === "" ? null : view.receptor.addRepresentation("surface", {
    sele: atomsWithin(AROUND), filterSele: atomsWithin(NEAR), surfaceType: "av", probeRadius: 1.4, scaleFactor: 2,
    colorScheme: view.surface, colorScale: kind.scale, colorDomain: kind.domain,
    opacity: 0.6, side: "front", opaqueBack: false, useWorker: false });
  byId("surface-note").textContent = kind.note || "";
}
