/* plausible.cc - what checks of poses ask of RDKit beside bounds and patterns: configurations, energies in UFF. */
#include <limits>

#include <ForceField/ForceField.h>
#include <GraphMol/ForceFieldHelpers/UFF/AtomTyper.h>
#include <GraphMol/ForceFieldHelpers/UFF/Builder.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/Substruct/SubstructMatch.h>

#include "chem/rdkit/rdmol.h"

using namespace RDKit;

namespace {

enum { MOST_MAPPINGS = 1000, MEAN_STEPS = 200 };
const double uff_reach = 10.0; /* Angstrom, of non-bonded terms: RDKit's own */

Conformer *conformer_of(const double (*x)[3], unsigned n) {
  auto conformer = std::make_unique<Conformer>(n);
  conformer->set3D(true);
  for (unsigned i = 0; i < n; i++) conformer->setAtomPos(i, RDGeom::Point3D(x[i][0], x[i][1], x[i][2]));
  return conformer.release();
}

struct sides {
  int centers = 0, bonds = 0;
};

/* Amines invert, and protons come and go; a quaternary nitrogen stays as it is. */
bool inverts(const Atom &atom) {
  return atom.getAtomicNum() == 7 && (atom.getTotalNumHs(true) > 0 || atom.getDegree() < 4);
}

sides count_wrong(const ROMol &mol, const Conformer &conformer) {
  RWMol centers(mol), bonds(mol);
  for (Bond *bond : centers.bonds()) bond->setStereo(Bond::STEREONONE);
  for (Atom *atom : centers.atoms())
    if (inverts(*atom)) atom->setChiralTag(Atom::CHI_UNSPECIFIED);
  for (Atom *atom : bonds.atoms()) atom->setChiralTag(Atom::CHI_UNSPECIFIED);
  return {static_cast<int>(berth::wrong_sides(centers, conformer).size()),
          static_cast<int>(berth::wrong_sides(bonds, conformer).size())};
}

/* NaN where UFF lacks an atom. */
double uff_energy(ROMol &mol, int steps) {
  auto [types, found] = UFF::getAtomTypes(mol);
  if (!found) return std::numeric_limits<double>::quiet_NaN();
  std::unique_ptr<ForceFields::ForceField> field(UFF::constructForceField(mol, types, uff_reach));
  field->initialize();
  if (steps > 0) field->minimize(steps);
  return field->calcEnergy();
}

/* The heavy atoms, whose order stays, with the stereochemistry that they state. */
std::unique_ptr<ROMol> without_hydrogens(const ROMol &mol) {
  MolOps::RemoveHsParameters parameters;
  parameters.removeDefiningBondStereo = true;
  return std::unique_ptr<ROMol>(MolOps::removeHs(mol, parameters));
}

}  // namespace

extern "C" bt_status bt_rdmol_wrong_stereo(const bt_rdmol *mol, const double (*x)[3], int *ret_centers, int *ret_bonds,
                                           bt_error *opt_error) {
  return berth::guarded(bt_where{}, "leave this molecule out", opt_error, [&] {
    std::unique_ptr<Conformer> conformer(conformer_of(x, mol->mol->getNumAtoms()));
    sides wrong = count_wrong(*mol->mol, *conformer);
    *ret_centers = wrong.centers;
    *ret_bonds = wrong.bonds;
  });
}

extern "C" bt_status bt_rdmol_wrong_stereo_of(const bt_rdmol *stated, const bt_rdmol *mol, const double (*x)[3],
                                              bool *ret_same, int *ret_centers, int *ret_bonds, bt_error *opt_error) {
  return berth::guarded(bt_where{}, "use the molecule of the poses as the reference", opt_error, [&] {
    RWMol placed(*mol->mol);
    placed.clearConformers();
    placed.addConformer(conformer_of(x, placed.getNumAtoms()), true);
    std::unique_ptr<ROMol> query = without_hydrogens(*stated->mol), target = without_hydrogens(placed);
    SubstructMatchParameters parameters;
    parameters.uniquify = false;
    parameters.maxMatches = MOST_MAPPINGS;
    std::vector<MatchVectType> mappings;
    if (query->getNumAtoms() == target->getNumAtoms()) mappings = SubstructMatch(*target, *query, parameters);
    *ret_same = !mappings.empty();
    sides best{-1, 0};
    for (const MatchVectType &mapping : mappings) {
      Conformer conformer(query->getNumAtoms());
      for (auto [from, to] : mapping)
        conformer.setAtomPos(static_cast<unsigned>(from), target->getConformer().getAtomPos(static_cast<unsigned>(to)));
      sides wrong = count_wrong(*query, conformer);
      if (best.centers < 0 || wrong.centers + wrong.bonds < best.centers + best.bonds) best = wrong;
      if (best.centers + best.bonds == 0) break;
    }
    *ret_centers = best.centers < 0 ? 0 : best.centers;
    *ret_bonds = best.bonds;
  });
}

extern "C" bt_status bt_rdmol_uff_energy(const bt_rdmol *mol, const double (*x)[3], double *ret_energy,
                                         bt_error *opt_error) {
  return berth::guarded(bt_where{}, "leave this molecule out", opt_error, [&] {
    RWMol placed(*mol->mol);
    placed.clearConformers();
    placed.addConformer(conformer_of(x, placed.getNumAtoms()), true);
    *ret_energy = uff_energy(placed, 0);
  });
}

extern "C" bt_status bt_rdmol_uff_mean(const bt_rdmol *mol, int count, uint64_t seed, const bt_deadline *opt_deadline,
                                       double *ret_mean, bt_error *opt_error) {
  bt_rdmol *made = bt_rdmol_copy(mol);
  bool relaxed;
  if (made == nullptr) return bt_fail_memory(opt_error);
  bt_status status = bt_rdmol_embed(made, count, seed, opt_deadline, bt_where{}, &relaxed, opt_error);
  if (status == BT_OK)
    status = berth::guarded(bt_where{}, "leave this molecule out", opt_error, [&] {
      double sum = 0;
      for (auto at = made->mol->beginConformers(); at != made->mol->endConformers(); ++at) {
        berth::check_deadline(opt_deadline, bt_where{});
        RWMol one(*made->mol);
        auto *conformer = new Conformer(**at);
        one.clearConformers();
        one.addConformer(conformer, true);
        sum += uff_energy(one, MEAN_STEPS);
      }
      *ret_mean = sum / made->mol->getNumConformers();
    });
  bt_rdmol_destroy(made);
  return status;
}
