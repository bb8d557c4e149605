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

enum {
  RELAXATION_STEPS = 200,
  USUAL_ATTEMPTS = 30,
  RANDOM_ATTEMPTS = 60,
  SMALL = 100, /* heavy atoms: all attempts together take some seconds */
  MOST_HEAVY_ATOMS = 400
};

/* Throws when it is over. */
void check(const bt_deadline *opt_deadline, bt_where where) {
  bt_error error;
  if (bt_deadline_check(opt_deadline, where, &error) != BT_OK)
    throw berth::failure(error.status, error.message, error.remedy);
}

DGeomHelpers::EmbedParameters parameters_for(uint64_t seed) {
  DGeomHelpers::EmbedParameters parameters = DGeomHelpers::ETKDGv3;
  parameters.randomSeed = static_cast<int>((seed ^ seed >> 31) & 0x7fffffff);
  parameters.numThreads = 1;
  parameters.optimizerForceTol = 0.0135; /* a rough end suffices: a force field comes behind it */
  parameters.clearConfs = true;
  return parameters;
}

/* Molecules on which the usual start fails often succeed from random coordinates. */
bool embed_small(RWMol &mol, int count, uint64_t seed) {
  DGeomHelpers::EmbedParameters parameters = parameters_for(seed);
  INT_VECT made;
  parameters.maxIterations = USUAL_ATTEMPTS;
  DGeomHelpers::EmbedMultipleConfs(mol, made, static_cast<unsigned>(count), parameters);
  if (static_cast<int>(made.size()) == count) return true;
  parameters.useRandomCoords = true;
  parameters.maxIterations = RANDOM_ATTEMPTS;
  DGeomHelpers::EmbedMultipleConfs(mol, made, static_cast<unsigned>(count), parameters);
  return !made.empty();
}

/* The same attempt by attempt, as each may take seconds, and the deadline has to be looked at between them. */
bool embed_large(RWMol &mol, int count, uint64_t seed, const bt_deadline *opt_deadline, bt_where where) {
  mol.clearConformers();
  uint64_t own = seed;
  for (int conformer = 0; conformer < count; conformer++) {
    int id = -1;
    for (int attempt = 0; id < 0 && attempt < USUAL_ATTEMPTS + RANDOM_ATTEMPTS; attempt++) {
      check(opt_deadline, where);
      DGeomHelpers::EmbedParameters parameters = parameters_for(own);
      parameters.clearConfs = false;
      parameters.useRandomCoords = attempt >= USUAL_ATTEMPTS;
      parameters.maxIterations = 1;
      id = DGeomHelpers::EmbedMolecule(mol, parameters);
      own = own * 6364136223846793005U + 1442695040888963407U;
    }
  }
  return mol.getNumConformers() > 0;
}

void embed(RWMol &mol, int count, uint64_t seed, const bt_deadline *opt_deadline, bt_where where) {
  if (mol.getNumHeavyAtoms() > MOST_HEAVY_ATOMS) /* distance geometry would take minutes, and rarely succeed */
    throw berth::failure(BT_ERR_LIMIT, "too large to generate 3D coordinates for it (more than 400 heavy atoms)",
                         "give 3D coordinates");
  bool made = mol.getNumHeavyAtoms() <= SMALL ? embed_small(mol, count, seed)
                                              : embed_large(mol, count, seed, opt_deadline, where);
  if (!made)
    throw berth::failure(BT_ERR_INPUT, "no 3D coordinates could be generated for it",
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

extern "C" bool bt_rdmol_is_embedded(const bt_rdmol *mol) { return mol->embedded; }

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

extern "C" void bt_rdmol_move(bt_rdmol *mol, int conformer, const double rotation[3][3], const double from[3],
                              const double to[3]) {
  if (conformer < 0 || static_cast<unsigned>(conformer) >= mol->mol->getNumConformers()) return;
  auto at = mol->mol->beginConformers();
  std::advance(at, conformer);
  for (RDGeom::Point3D &p : (*at)->getPositions()) {
    const double r[3] = {p.x - from[0], p.y - from[1], p.z - from[2]};
    p.x = to[0] + rotation[0][0] * r[0] + rotation[0][1] * r[1] + rotation[0][2] * r[2];
    p.y = to[1] + rotation[1][0] * r[0] + rotation[1][1] * r[1] + rotation[1][2] * r[2];
    p.z = to[2] + rotation[2][0] * r[0] + rotation[2][1] * r[1] + rotation[2][2] * r[2];
  }
}

extern "C" bt_status bt_rdmol_draw(bt_rdmol *mol, bt_where where, bt_error *opt_error) {
  return berth::guarded(where, "give coordinates, or leave this molecule out", opt_error, [&] {
    if (mol->mol->getNumConformers() == 0) RDDepict::compute2DCoords(*mol->mol);
  });
}

extern "C" bt_status bt_rdmol_embed(bt_rdmol *mol, int count, uint64_t seed, const bt_deadline *opt_deadline,
                                    bt_where where, bool *ret_relaxed, bt_error *opt_error) {
  return berth::guarded(where, "give 3D coordinates, or leave this molecule out", opt_error, [&] {
    check(opt_deadline, where);
    embed(*mol->mol, count, seed, opt_deadline, where);
    mol->embedded = true;
    *ret_relaxed = relax(*mol->mol, opt_deadline, where);
  });
}
