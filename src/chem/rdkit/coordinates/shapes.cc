/* shapes.cc - molecules as the coordinate builder sees them, and coordinates of its fragments (chem/builder). */
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <ForceField/ForceField.h>
#include <GraphMol/DistGeomHelpers/Embedder.h>
#include <GraphMol/ForceFieldHelpers/MMFF/AtomTyper.h>
#include <GraphMol/ForceFieldHelpers/MMFF/Builder.h>
#include <GraphMol/ForceFieldHelpers/UFF/AtomTyper.h>
#include <GraphMol/ForceFieldHelpers/UFF/Builder.h>
#include <GraphMol/MolOps.h>

#include "chem/rdkit/rdmol.h"

using namespace RDKit;

namespace {

enum {
  MOST_CONFORMERS = 8, /* of fragments with a ring that is not flat */
  MOST_VARIANTS = 4,
  FRAGMENT_STEPS = 1000,
  SEED = 42
};
const double FORCE_TOLERANCE = 1e-3, ENERGY_TOLERANCE = 1e-5;
const double least_gain = 0.1; /* kcal/mol */
const double highest = 4.0;    /* kcal/mol above the lowest conformer */
const double alike = 0.1;      /* Angstrom, root mean square of the differences between distances */
const double no_energy = 1e10; /* kcal/mol */

/* ---- the molecule ---- */

int hybridization_of(const Atom &atom) {
  switch (atom.getHybridization()) {
    case Atom::SP: return 1;
    case Atom::SP2: return 2;
    case Atom::SP3: return 3;
    default: return 0;
  }
}

/* Sign of the volume of the first three neighbors in ascending order of atoms; RDKit's tag is for the order of bonds.
 */
int parity_of(const ROMol &mol, const Atom &atom) {
  bool ccw = atom.getChiralTag() == Atom::CHI_TETRAHEDRAL_CCW;
  if (atom.getDegree() < 3 || (!ccw && atom.getChiralTag() != Atom::CHI_TETRAHEDRAL_CW)) return 0;
  std::vector<unsigned> order;
  for (const Bond *bond : mol.atomBonds(&atom)) order.push_back(bond->getOtherAtomIdx(atom.getIdx()));
  int parity = ccw ? 1 : -1;
  for (std::size_t i = 0; i < order.size(); i++)
    for (std::size_t j = 0; j < i; j++)
      if (order[j] > order[i]) parity = -parity;
  return parity;
}

/* The lowest neighbor of one end of a bond, beside the other end. */
const Atom *lowest_neighbor(const ROMol &mol, const Atom *end, const Atom *other) {
  const Atom *lowest = nullptr;
  for (const Atom *neighbor : mol.atomNeighbors(end))
    if (neighbor != other && (lowest == nullptr || neighbor->getIdx() < lowest->getIdx())) lowest = neighbor;
  return lowest;
}

int side_of(const ROMol &mol, const Bond &bond) {
  if (!berth::has_side(bond)) return 0;
  const Atom *x = lowest_neighbor(mol, bond.getBeginAtom(), bond.getEndAtom());
  const Atom *y = lowest_neighbor(mol, bond.getEndAtom(), bond.getBeginAtom());
  int lowest_side = 0;
  berth::for_substituents(mol, bond, [&](const Atom &a, const Atom &b, double side) {
    if (&a == x && &b == y) lowest_side = side > 0 ? 1 : -1;
  });
  return lowest_side;
}

/* ---- a fragment as a molecule ---- */

unsigned add_bare_atom(RWMol &mol, int element, int charge, bool aromatic) {
  auto atom = std::make_unique<Atom>(element);
  atom->setFormalCharge(charge);
  atom->setNoImplicit(true);
  atom->setIsAromatic(aromatic);
  return mol.addAtom(atom.release(), false, true);
}

void add_to(RWMol &mol, unsigned atom, int element, int charge, Bond::BondType order) {
  mol.addBond(atom, add_bare_atom(mol, element, charge, false), order);
}

int valence_of(int element, int charge, int doubles) {
  switch (element) {
    case 5: return 3 + (charge < 0);
    case 6: return charge == 0 ? 4 : 3;
    case 14: return 4;
    case 7: return 3 + charge;
    case 15: return 3 + charge + 2 * doubles;
    case 8: return 2 + charge;
    case 16:
    case 34: return 2 + charge + 2 * doubles;
    default: return 1;
  }
}

/* Completes the end of a double bond, or of a triple bond, with hydrogens. */
void add_partner(RWMol &mol, unsigned atom, int element, int hydrogens, Bond::BondType order) {
  unsigned partner = add_bare_atom(mol, element, 0, false);
  mol.addBond(atom, partner, order);
  for (int k = 0; k < hydrogens; k++) add_to(mol, partner, 1, 0, Bond::SINGLE);
}

/* Completes an aromatic ring of CH, beside an atom that is its first, and perhaps a nitrogen that is its last. */
void add_ring(RWMol &mol, unsigned atom, int size, bool nitrogen) {
  unsigned last = atom;
  mol.getAtomWithIdx(atom)->setIsAromatic(true);
  for (int k = 1; k <= size; k++) {
    bool is_nitrogen = nitrogen && k == size - 1;
    unsigned next = k == size ? atom : add_bare_atom(mol, is_nitrogen ? 7 : 6, 0, true);
    mol.addBond(last, next, Bond::AROMATIC);
    mol.getBondBetweenAtoms(last, next)->setIsAromatic(true);
    if (k < size && !is_nitrogen) add_to(mol, next, 1, 0, Bond::SINGLE);
    last = next;
  }
}

void end_cap(RWMol &mol, unsigned atom, const bt_fragment_atom &cap) {
  int used = 1, doubles = 0;
  switch (cap.cap) {
    case BT_CAP_ARYL: return add_ring(mol, atom, 6, false);
    case BT_CAP_PYRIDYL: return add_ring(mol, atom, 6, true);
    case BT_CAP_PYRROLYL: return add_ring(mol, atom, 5, false);
    case BT_CAP_VINYL: add_partner(mol, atom, 6, 2, Bond::DOUBLE), used += 2; break;
    case BT_CAP_CARBONYL: add_partner(mol, atom, 8, 0, Bond::DOUBLE), used += 2; break;
    case BT_CAP_AMIDINE: add_partner(mol, atom, 7, 1, Bond::DOUBLE), used += 2; break;
    case BT_CAP_ALKYNE: add_partner(mol, atom, 6, 1, Bond::TRIPLE), used += 3; break;
    case BT_CAP_OXIDE: doubles = 1; break;
    case BT_CAP_DIOXIDE: doubles = 2; break;
    case BT_CAP_NITRO:
      add_partner(mol, atom, 8, 0, Bond::DOUBLE), used += 3;
      add_to(mol, atom, 8, -1, Bond::SINGLE);
      break;
    default: break;
  }
  for (int k = 0; k < doubles; k++) add_partner(mol, atom, 8, 0, Bond::DOUBLE), used += 2;
  for (int valence = valence_of(cap.element, cap.charge, doubles); used < valence; used++)
    add_to(mol, atom, 1, 0, Bond::SINGLE);
}

/* Vertices have ascending atoms, then slots, then what ends the caps. */
void state_stereo(RWMol &mol, const bt_fragment_graph &graph) {
  for (int v = 0; v < graph.n_vertices; v++) {
    Atom &atom = *mol.getAtomWithIdx(static_cast<unsigned>(v));
    if (graph.atoms[v].parity == 0) continue;
    atom.setChiralTag(Atom::CHI_TETRAHEDRAL_CCW);
    if (parity_of(mol, atom) != graph.atoms[v].parity) atom.setChiralTag(Atom::CHI_TETRAHEDRAL_CW);
  }
  for (int k = 0; k < graph.n_bonds; k++) {
    const bt_fragment_bond &side = graph.bonds[k];
    if (side.side == 0) continue;
    Bond &bond = *mol.getBondBetweenAtoms(static_cast<unsigned>(side.a), static_cast<unsigned>(side.b));
    const Atom *x = lowest_neighbor(mol, bond.getBeginAtom(), bond.getEndAtom());
    const Atom *y = lowest_neighbor(mol, bond.getEndAtom(), bond.getBeginAtom());
    if (x == nullptr || y == nullptr) continue;
    bond.setStereoAtoms(x->getIdx(), y->getIdx());
    bond.setStereo(side.side > 0 ? Bond::STEREOCIS : Bond::STEREOTRANS);
  }
}

void make_molecule(const bt_fragment_graph &graph, RWMol &mol) {
  static const Bond::BondType orders[] = {Bond::ZERO, Bond::SINGLE, Bond::DOUBLE, Bond::TRIPLE, Bond::AROMATIC};
  for (int v = 0; v < graph.n_vertices; v++)
    add_bare_atom(mol, graph.atoms[v].element, graph.atoms[v].charge, graph.atoms[v].aromatic);
  for (int k = 0; k < graph.n_bonds; k++) {
    const bt_fragment_bond &bond = graph.bonds[k];
    mol.addBond(static_cast<unsigned>(bond.a), static_cast<unsigned>(bond.b), orders[bond.order]);
    if (bond.order == 4)
      mol.getBondBetweenAtoms(static_cast<unsigned>(bond.a), static_cast<unsigned>(bond.b))->setIsAromatic(true);
  }
  for (int v = 0; v < graph.n_vertices; v++)
    for (int k = 0; k < graph.atoms[v].slots; k++) add_to(mol, static_cast<unsigned>(v), 1, 0, Bond::SINGLE);
  for (int v = 0; v < graph.n_vertices; v++)
    if (graph.atoms[v].cap != BT_CAP_NONE) end_cap(mol, static_cast<unsigned>(v), graph.atoms[v]);
  MolOps::sanitizeMol(mol);
  state_stereo(mol, graph);
}

/* ---- its coordinates ---- */

bool is_flexible(const ROMol &mol) {
  for (const INT_VECT &ring : mol.getRingInfo()->atomRings())
    for (int atom : ring)
      if (ring.size() > 3 && mol.getAtomWithIdx(static_cast<unsigned>(atom))->getHybridization() == Atom::SP3)
        return true;
  return false;
}

/* Adds conformers. Returns whether any could be made. */
bool embed_fragment(RWMol &mol, unsigned count, int seed) {
  DGeomHelpers::EmbedParameters parameters = DGeomHelpers::ETKDGv3;
  INT_VECT made;
  parameters.randomSeed = seed;
  parameters.numThreads = 1;
  parameters.clearConfs = false;
  parameters.optimizerForceTol = 0.0135;
  parameters.useSymmetryForPruning = false;
  parameters.useExpTorsionAnglePrefs = false;
  parameters.maxIterations = 30;
  DGeomHelpers::EmbedMultipleConfs(mol, made, count, parameters);
  if (!made.empty()) return true;
  parameters.useRandomCoords = true;
  parameters.optimizerForceTol = DGeomHelpers::ETKDGv3.optimizerForceTol;
  DGeomHelpers::EmbedMultipleConfs(mol, made, count, parameters);
  return !made.empty();
}

/* Relaxes the conformers that have no energy yet, and adds theirs, kcal/mol. */
void relax_fragment(RWMol &mol, std::vector<double> &energies) {
  RWMol typed(mol); /* typing changes the aromaticity of what is typed to MMFF's */
  MMFF::MMFFMolProperties properties(typed, "MMFF94s");
  std::unique_ptr<ForceFields::ForceField> field(properties.isValid()
                                                     ? MMFF::constructForceField(typed, &properties, 100.0, -1, true)
                                                     : UFF::constructForceField(typed, 100.0, -1, true));
  auto at = mol.beginConformers();
  for (std::advance(at, energies.size()); at != mol.endConformers(); ++at) {
    for (unsigned i = 0; i < mol.getNumAtoms(); i++) field->positions()[i] = &(*at)->getAtomPos(i);
    field->initialize();
    field->minimize(FRAGMENT_STEPS, FORCE_TOLERANCE, ENERGY_TOLERANCE);
    energies.push_back(berth::wrong_sides(mol, **at).empty() ? field->calcEnergy() : no_energy);
  }
}

/* Conformers two by two, until two more are not lower than those before. */
std::vector<double> make_conformers(RWMol &mol) {
  std::vector<double> energies;
  if (!is_flexible(mol)) {
    if (embed_fragment(mol, 1, SEED)) relax_fragment(mol, energies);
    return energies;
  }
  double lowest = no_energy, before;
  do {
    before = lowest;
    if (!embed_fragment(mol, 2, SEED + static_cast<int>(energies.size()))) break;
    relax_fragment(mol, energies);
    lowest = *std::min_element(energies.begin(), energies.end());
  } while (energies.size() < MOST_CONFORMERS && (lowest >= no_energy || lowest < before - least_gain));
  return energies;
}

bool are_alike(const Conformer &a, const Conformer &b, unsigned n_rows) {
  double sum = 0;
  for (unsigned i = 0; i < n_rows; i++)
    for (unsigned j = 0; j < i; j++) {
      double d = (a.getAtomPos(i) - a.getAtomPos(j)).length() - (b.getAtomPos(i) - b.getAtomPos(j)).length();
      sum += d * d;
    }
  return std::sqrt(2 * sum / (n_rows * n_rows)) < alike;
}

/* The lowest conformers that differ, the lowest first. */
std::vector<const Conformer *> select_lowest(const ROMol &mol, const std::vector<double> &energies, unsigned n_rows) {
  std::vector<std::pair<double, const Conformer *>> all;
  for (auto at = mol.beginConformers(); at != mol.endConformers(); ++at)
    all.emplace_back(energies[all.size()], at->get());
  std::stable_sort(all.begin(), all.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
  std::vector<const Conformer *> selected;
  for (const auto &one : all) {
    if (one.first >= no_energy || one.first > all[0].first + highest || selected.size() == MOST_VARIANTS) break;
    bool is_new = std::none_of(selected.begin(), selected.end(),
                               [&](const Conformer *other) { return are_alike(*other, *one.second, n_rows); });
    if (is_new) selected.push_back(one.second);
  }
  return selected;
}

void copy_variants(const std::vector<const Conformer *> &selected, bt_shape &shape) {
  const std::size_t rows = static_cast<std::size_t>(shape.n_rows);
  shape.x = static_cast<float(*)[3]>(std::calloc(selected.size() * rows + 1, sizeof *shape.x));
  if (shape.x == nullptr) throw std::bad_alloc();
  shape.n_variants = static_cast<int>(selected.size());
  for (std::size_t v = 0; v < selected.size(); v++)
    for (std::size_t i = 0; i < rows; i++) {
      const RDGeom::Point3D &p = selected[v]->getAtomPos(static_cast<unsigned>(i));
      float *x = shape.x[v * rows + i];
      x[0] = static_cast<float>(p.x), x[1] = static_cast<float>(p.y), x[2] = static_cast<float>(p.z);
    }
}

}  // namespace

extern "C" void bt_rdmol_structure(const bt_rdmol *mol, bt_build_structure *structure) {
  const ROMol &m = *mol->mol;
  const RingInfo &rings = *m.getRingInfo();
  for (const Atom *atom : m.atoms())
    structure->atoms[atom->getIdx()] = bt_build_atom{atom->getAtomicNum(),
                                                     atom->getFormalCharge(),
                                                     hybridization_of(*atom),
                                                     atom->getIsAromatic(),
                                                     rings.numAtomRings(atom->getIdx()) > 0,
                                                     parity_of(m, *atom)};
  for (const Bond *bond : m.bonds())
    structure->bonds[bond->getIdx()] =
        bt_build_bond{static_cast<int>(bond->getBeginAtomIdx()), static_cast<int>(bond->getEndAtomIdx()),
                      berth::order_of(*bond), rings.numBondRings(bond->getIdx()) > 0, side_of(m, *bond)};
  structure->n_rings = static_cast<int>(rings.numRings());
}

extern "C" bt_status bt_rdkit_make_shape(const bt_fragment_graph *graph, bt_shape *ret_shape, bt_error *opt_error) {
  *ret_shape = bt_shape{graph->n_vertices + graph->n_slots, 0, nullptr};
  return berth::guarded(bt_where{}, "", opt_error, [&] {
    RWMol mol;
    try {
      make_molecule(*graph, mol);
      const std::vector<double> energies = make_conformers(mol);
      copy_variants(select_lowest(mol, energies, static_cast<unsigned>(ret_shape->n_rows)), *ret_shape);
    } catch (const std::bad_alloc &) {
      throw;
    } catch (const std::exception &) { /* what RDKit takes for impossible has no coordinates */
    }
  });
}

extern "C" bt_status bt_rdmol_set_built(bt_rdmol *mol, const double (*x)[3], bool add, bool *ret_right,
                                        bt_error *opt_error) {
  return berth::guarded(bt_where{}, "", opt_error, [&] {
    const unsigned n = mol->mol->getNumAtoms();
    auto conformer = std::make_unique<Conformer>(n);
    conformer->set3D(true);
    for (unsigned i = 0; i < n; i++) conformer->setAtomPos(i, RDGeom::Point3D(x[i][0], x[i][1], x[i][2]));
    *ret_right = berth::wrong_sides(*mol->mol, *conformer).empty();
    if (!*ret_right) return;
    if (!add) mol->mol->clearConformers();
    mol->mol->addConformer(conformer.release(), true);
    mol->embedded = true;
  });
}
