/* tautomer.cc - other tautomers of a molecule. */
#include <GraphMol/MolStandardize/Tautomer.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "chem/rdkit/rdmol.h"

using namespace RDKit;

struct bt_tautomer_rules {
  std::unique_ptr<MolStandardize::TautomerEnumerator> enumerator;
};

namespace {

enum { MOST_TAUTOMERS = 100, MOST_TRANSFORMS = 200 }; /* some purines have thousands */

struct candidate {
  int score;
  std::string smiles;
  std::unique_ptr<RWMol> mol;
};

bool has_hydrogen_atoms(const ROMol &mol) {
  bool found = false;
  for (const Atom *atom : mol.atoms()) found = found || atom->getAtomicNum() == 1;
  return found;
}

/* Those that are scored at least as high as the molecule itself, the best first, equal ones by their SMILES. */
std::vector<candidate> candidates_of(const ROMol &mol, const MolStandardize::TautomerEnumerator &enumerator) {
  using MolStandardize::TautomerScoringFunctions::scoreTautomer;
  std::vector<candidate> found;
  const int own = scoreTautomer(mol);
  std::set<std::string> known{MolToSmiles(mol)};
  for (const ROMOL_SPTR &tautomer : enumerator.enumerate(mol)) {
    auto changed = std::make_unique<RWMol>(*tautomer);
    berth::renew(*changed);
    const int score = scoreTautomer(*changed);
    std::string smiles = MolToSmiles(*changed);
    if (score >= own && known.insert(smiles).second) found.push_back({score, smiles, std::move(changed)});
  }
  std::sort(found.begin(), found.end(), [](const candidate &a, const candidate &b) {
    return a.score != b.score ? a.score > b.score : a.smiles < b.smiles;
  });
  return found;
}

}  // namespace

extern "C" bt_status bt_tautomer_rules_create(bt_tautomer_rules **ret_rules, bt_error *opt_error) {
  return berth::guarded(bt_where{}, "", opt_error, [&] {
    auto rules = std::make_unique<bt_tautomer_rules>();
    rules->enumerator = std::make_unique<MolStandardize::TautomerEnumerator>();
    rules->enumerator->setMaxTautomers(MOST_TAUTOMERS);
    rules->enumerator->setMaxTransforms(MOST_TRANSFORMS);
    rules->enumerator->setRemoveSp3Stereo(false);
    rules->enumerator->setRemoveBondStereo(false);
    *ret_rules = rules.release();
  });
}

extern "C" void bt_tautomer_rules_destroy(bt_tautomer_rules *opt_rules) { delete opt_rules; }

extern "C" bt_status bt_rdmol_tautomers(const bt_rdmol *mol, const bt_tautomer_rules *rules, int most, bt_where where,
                                        bt_rdmol ***ret_tautomers, int *ret_count, bt_error *opt_error) {
  *ret_tautomers = nullptr;
  *ret_count = 0;
  return berth::guarded(where, "leave out this molecule, or its further states", opt_error, [&] {
    if (most < 1 || has_hydrogen_atoms(*mol->mol)) return;
    std::vector<candidate> found = candidates_of(*mol->mol, *rules->enumerator);
    std::vector<std::unique_ptr<bt_rdmol>> made;
    for (candidate &one : found) {
      if (static_cast<int>(made.size()) == most) break;
      made.emplace_back(bt_rdmol_copy(mol));
      if (!made.back()) throw std::bad_alloc();
      made.back()->mol = std::move(one.mol);
    }
    auto list = static_cast<bt_rdmol **>(std::calloc(made.size() + 1, sizeof(bt_rdmol *)));
    if (list == nullptr) throw std::bad_alloc();
    for (std::size_t k = 0; k < made.size(); k++) list[k] = made[k].release();
    *ret_tautomers = list;
    *ret_count = static_cast<int>(made.size());
  });
}
