/* conformers.cc - coordinates of a molecule, from its file or made by distance geometry and a force field. */
#include <ForceField/ForceField.h>
#include <GraphMol/Depictor/RDDepictor.h>
#include <GraphMol/DistGeomHelpers/Embedder.h>
#include <GraphMol/ForceFieldHelpers/MMFF/AtomTyper.h>
#include <GraphMol/ForceFieldHelpers/MMFF/Builder.h>
#include <GraphMol/ForceFieldHelpers/UFF/Builder.h>
#include <GraphMol/MolOps.h>

#include "chem/rdkit/rdmol.h"

using namespace RDKit;

namespace {

enum { RELAXATION_STEPS = 200, MOST_HEAVY_ATOMS = 400 };

/* Throws when it is over. */
void check(const bt_deadline *opt_deadline, bt_where where) {
  bt_error error;
  if (bt_deadline_check(opt_deadline, where, &error) != BT_OK)
    throw berth::failure(error.status, error.message, error.remedy);
}

/* RDKit's call before each attempt brings nothing that is ours; it comes on the thread that asked for conformers. */
thread_local const bt_deadline *deadline_of_thread;

void check_attempt(unsigned) { check(deadline_of_thread, bt_where{}); }

struct with_deadline {
  explicit with_deadline(const bt_deadline *opt_deadline) { deadline_of_thread = opt_deadline; }
  ~with_deadline() { deadline_of_thread = nullptr; }
  with_deadline(const with_deadline &) = delete;
  with_deadline &operator=(const with_deadline &) = delete;
};

/* Molecules on which the usual start fails often succeed from random coordinates. */
void embed(RWMol &mol, int count, uint64_t seed) {
  if (mol.getNumHeavyAtoms() > MOST_HEAVY_ATOMS) /* distance geometry would take minutes, and rarely succeed */
    throw berth::failure(BT_ERR_LIMIT, "too large to make 3D coordinates for it (more than 400 heavy atoms)",
                         "give 3D coordinates");
  DGeomHelpers::EmbedParameters parameters = DGeomHelpers::ETKDGv3;
  parameters.randomSeed = static_cast<int>((seed ^ seed >> 31) & 0x7fffffff);
  parameters.numThreads = 1;
  parameters.optimizerForceTol = 0.0135; /* a rough end suffices: a force field comes behind it */
  parameters.clearConfs = true;
  parameters.maxIterations = 30;
  parameters.callback = check_attempt;
  INT_VECT made;
  DGeomHelpers::EmbedMultipleConfs(mol, made, static_cast<unsigned>(count), parameters);
  if (static_cast<int>(made.size()) == count) return;
  parameters.useRandomCoords = true;
  parameters.maxIterations = 60;
  DGeomHelpers::EmbedMultipleConfs(mol, made, static_cast<unsigned>(count), parameters);
  if (made.empty())
    throw berth::failure(BT_ERR_INPUT, "no 3D coordinates could be made for it",
                         "check the stereo centres of its bridged rings, or give 3D coordinates");
}

/* One force field for all conformers, as RDKit does it; but between them the deadline is looked at. */
bool relax(RWMol &mol, const bt_deadline *opt_deadline, bt_where where) {
  const double reach = 10.0; /* Angstrom; RDKit's own */
  MMFF::MMFFMolProperties properties(mol, "MMFF94s");
  std::unique_ptr<ForceFields::ForceField> field(properties.isValid()
                                                     ? MMFF::constructForceField(mol, &properties, reach, -1, true)
                                                     : UFF::constructForceField(mol, reach, -1, true));
  bool ended = true;
  for (auto at = mol.beginConformers(); at != mol.endConformers(); ++at) {
    check(opt_deadline, where);
    for (unsigned i = 0; i < mol.getNumAtoms(); i++) field->positions()[i] = &(*at)->getAtomPos(i);
    field->initialize();
    if (field->minimize(RELAXATION_STEPS) != 0) ended = false;
  }
  return ended;
}

}  // namespace

extern "C" bool bt_rdmol_is_3d(const bt_rdmol *mol) {
  return mol->mol->getNumConformers() > 0 && mol->mol->getConformer().is3D();
}

extern "C" int bt_rdmol_conformer_count(const bt_rdmol *mol) { return static_cast<int>(mol->mol->getNumConformers()); }

extern "C" void bt_rdmol_coordinates(const bt_rdmol *mol, int conformer, double (*ret_x)[3]) {
  const ROMol &molecule = *mol->mol;
  unsigned n = molecule.getNumAtoms();
  if (conformer < 0 || conformer >= static_cast<int>(molecule.getNumConformers())) {
    for (unsigned i = 0; i < n; i++) ret_x[i][0] = ret_x[i][1] = ret_x[i][2] = 0;
    return;
  }
  auto at = molecule.beginConformers();
  std::advance(at, conformer);
  for (unsigned i = 0; i < n; i++) {
    const RDGeom::Point3D &point = (*at)->getAtomPos(i);
    ret_x[i][0] = point.x;
    ret_x[i][1] = point.y;
    ret_x[i][2] = point.z;
  }
}

extern "C" bt_status bt_rdmol_place(bt_rdmol *mol, const double (*x)[3], bt_error *opt_error) {
  return berth::guarded(bt_where{}, "", opt_error, [&] {
    auto conformer = std::make_unique<Conformer>(mol->mol->getNumAtoms());
    conformer->set3D(true);
    for (unsigned i = 0; i < mol->mol->getNumAtoms(); i++)
      conformer->setAtomPos(i, RDGeom::Point3D(x[i][0], x[i][1], x[i][2]));
    mol->mol->clearConformers();
    mol->mol->addConformer(conformer.release(), true);
  });
}

extern "C" bt_status bt_rdmol_draw(bt_rdmol *mol, bt_where where, bt_error *opt_error) {
  return berth::guarded(where, "give coordinates, or leave this molecule out", opt_error, [&] {
    if (mol->mol->getNumConformers() == 0) RDDepict::compute2DCoords(*mol->mol);
  });
}

extern "C" bt_status bt_rdmol_embed(bt_rdmol *mol, int count, uint64_t seed, const bt_deadline *opt_deadline,
                                    bt_where where, bool *ret_relaxed, bt_error *opt_error) {
  return berth::guarded(where, "give 3D coordinates, or leave this molecule out", opt_error, [&] {
    with_deadline scope(opt_deadline);
    check(opt_deadline, where);
    embed(*mol->mol, count, seed);
    *ret_relaxed = relax(*mol->mol, opt_deadline, where);
  });
}
