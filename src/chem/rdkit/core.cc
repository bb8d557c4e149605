/* core.cc - the part that two molecules have in common. */
#include <cstdlib>

#include <GraphMol/FMCS/FMCS.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/SmilesParse/SmilesParse.h>
#include <GraphMol/Substruct/SubstructMatch.h>

#include "chem/rdkit/rdmol.h"

using namespace RDKit;

namespace {

constexpr unsigned time_limit = 10;       // seconds; what was found until then counts
constexpr unsigned most_matches = 10000;  // of a core in a molecule, with all its symmetry

/* Without hydrogens, which become counts of their neighbors; of[i] is the place of atom i in mol. */
boost::shared_ptr<ROMol> heavy_part(const ROMol &mol, std::vector<int> &of) {
  boost::shared_ptr<RWMol> part(new RWMol(mol));
  std::vector<unsigned> hydrogens;
  for (const Atom *atom : mol.atoms()) {
    if (atom->getAtomicNum() != 1) {
      of.push_back(static_cast<int>(atom->getIdx()));
      continue;
    }
    hydrogens.push_back(atom->getIdx());
    for (const Atom *next : mol.atomNeighbors(atom)) {
      Atom *heavy = part->getAtomWithIdx(next->getIdx());
      heavy->setNumExplicitHs(heavy->getNumExplicitHs() + 1);
      heavy->setNoImplicit(true);
    }
  }
  for (auto h = hydrogens.rbegin(); h != hydrogens.rend(); ++h) part->removeAtom(*h);
  part->updatePropertyCache(false);
  MolOps::fastFindRings(*part);
  return part;
}

std::unique_ptr<ROMol> common_pattern(const boost::shared_ptr<ROMol> &a, const boost::shared_ptr<ROMol> &b) {
  MCSParameters parameters;
  parameters.Timeout = time_limit;
  parameters.AtomCompareParameters.RingMatchesRingOnly = true;
  parameters.BondCompareParameters.RingMatchesRingOnly = true;
  parameters.BondCompareParameters.CompleteRingsOnly = true;
  MCSResult found = findMCS({a, b}, &parameters);
  if (found.SmartsString.empty()) return nullptr;
  return std::unique_ptr<ROMol>(SmartsToMol(found.SmartsString));
}

}  // namespace

extern "C" bt_status bt_rdmol_core(const bt_rdmol *with, const bt_rdmol *mol, const bt_smarts *opt_core,
                                   bt_where where, bt_core_pair **ret_pairs, int *ret_count, int *ret_size,
                                   bt_error *opt_error) {
  *ret_pairs = nullptr;
  *ret_count = *ret_size = 0;
  return berth::guarded(where, "leave this molecule out", opt_error, [&] {
    std::vector<int> of_a, of_b;
    auto a = heavy_part(*with->mol, of_a), b = heavy_part(*mol->mol, of_b);
    std::unique_ptr<ROMol> common;
    if (opt_core == nullptr) common = common_pattern(a, b);
    const ROMol *pattern = opt_core != nullptr ? opt_core->pattern.get() : common.get();
    if (pattern == nullptr) return;
    SubstructMatchParameters parameters;
    parameters.uniquify = false;
    parameters.maxMatches = most_matches;
    std::vector<MatchVectType> there = SubstructMatch(*a, *pattern, parameters);
    std::vector<MatchVectType> here = SubstructMatch(*b, *pattern, parameters);
    if (there.empty() || here.empty()) return;
    std::vector<std::pair<int, int>> pairs;
    for (const auto &match : here)
      for (std::size_t k = 0; k < match.size(); k++)
        pairs.emplace_back(of_a[static_cast<std::size_t>(there[0][k].second)],
                           of_b[static_cast<std::size_t>(match[k].second)]);
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    auto *out = static_cast<bt_core_pair *>(std::malloc(pairs.size() * sizeof(bt_core_pair)));
    if (out == nullptr) throw std::bad_alloc();
    for (std::size_t k = 0; k < pairs.size(); k++) out[k] = {pairs[k].first, pairs[k].second};
    *ret_pairs = out;
    *ret_count = static_cast<int>(pairs.size());
    *ret_size = static_cast<int>(pattern->getNumAtoms());
  });
}
