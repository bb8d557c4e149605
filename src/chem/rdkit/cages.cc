/* cages.cc - bridgeheads of cages, whose configuration follows from that of another one, or from the mirror plane. */
#include <algorithm>
#include <map>
#include <numeric>

#include <GraphMol/MolOps.h>
#include <GraphMol/new_canon.h>

#include "chem/rdkit/rdmol.h"

using namespace RDKit;

namespace {

/* Atoms between two bridgeheads, on all bridges together: larger bicycles may have one bridgehead turned inside out.
 * Where they are bonded, one isomer is known of two fused rings of 4 atoms, or of 3 with up to 6. */
enum { MOST_BETWEEN = 9, MOST_FUSED = 4, MOST_FUSED_TO_THREE = 5 };

bool is_rigid(int a, int b, int shared) {
  if (shared > 0) return a + b + shared <= MOST_BETWEEN;
  return a + b <= (std::min(a, b) == 1 ? MOST_FUSED_TO_THREE : MOST_FUSED);
}

/* The atoms of both rings, and of these the two that have a neighbor in one ring only: the bridgeheads. */
std::vector<int> bridgeheads(const ROMol &mol, const std::vector<int> &one, const std::vector<int> &other) {
  std::vector<int> shared, heads;
  for (int atom : one)
    if (std::find(other.begin(), other.end(), atom) != other.end()) shared.push_back(atom);
  if (shared.size() < 2) return {};
  for (int atom : shared) {
    int inside = 0;
    for (int neighbor : shared)
      inside += mol.getBondBetweenAtoms(static_cast<unsigned>(atom), static_cast<unsigned>(neighbor)) != nullptr;
    if (inside == 1) heads.push_back(atom);
  }
  int rest = static_cast<int>(shared.size());
  bool rigid = heads.size() == 2 &&
               is_rigid(static_cast<int>(one.size()) - rest, static_cast<int>(other.size()) - rest, rest - 2);
  return rigid ? heads : std::vector<int>{};
}

/* For each atom one of the bridgeheads that it is tied to; itself where it is none. */
std::vector<int> find_cages(const ROMol &mol) {
  std::vector<int> cage(mol.getNumAtoms());
  std::iota(cage.begin(), cage.end(), 0);
  VECT_INT_VECT rings = mol.getRingInfo()->atomRings();
  for (std::size_t i = 0; i < rings.size(); i++)
    for (std::size_t j = 0; j < i; j++) {
      std::vector<int> heads = bridgeheads(mol, rings[i], rings[j]);
      if (heads.empty()) continue;
      int from = cage[static_cast<std::size_t>(heads[0])], to = cage[static_cast<std::size_t>(heads[1])];
      std::replace(cage.begin(), cage.end(), from, to);
    }
  return cage;
}

bool has_equal_arms(const ROMol &mol, const Atom &atom, const std::vector<unsigned> &ranks) {
  std::vector<unsigned> seen;
  for (const Atom *neighbor : mol.atomNeighbors(&atom)) {
    unsigned rank = ranks[neighbor->getIdx()];
    if (std::find(seen.begin(), seen.end(), rank) != seen.end()) return true;
    seen.push_back(rank);
  }
  return false;
}

/* An atom on the bridge between two bridgeheads that are equal, and have a mirror plane of their own, as in
 * 7-norbornanol and 2-adamantanol: it has one configuration as well. */
bool is_on_mirror(const ROMol &mol, const Atom &atom, const std::vector<bool> &settled,
                  const std::vector<unsigned> &ranks) {
  std::vector<unsigned> seen;
  for (const Atom *neighbor : mol.atomNeighbors(&atom)) {
    if (!settled[neighbor->getIdx()] || !has_equal_arms(mol, *neighbor, ranks)) continue;
    unsigned rank = ranks[neighbor->getIdx()];
    if (std::find(seen.begin(), seen.end(), rank) != seen.end()) return true;
    seen.push_back(rank);
  }
  return false;
}

}  // namespace

namespace berth {

std::vector<bool> settled_bridgeheads(const ROMol &mol) {
  std::vector<bool> settled(mol.getNumAtoms(), false);
  if (mol.getRingInfo()->numRings() < 2) return settled;
  std::vector<int> cage = find_cages(mol);
  std::vector<unsigned> ranks;
  Canon::rankMolAtoms(mol, ranks, false);
  std::map<int, std::vector<unsigned>> members;
  for (unsigned i = 0; i < mol.getNumAtoms(); i++) members[cage[i]].push_back(i);
  for (const auto &entry : members) {
    const std::vector<unsigned> &heads = entry.second;
    if (heads.size() < 2) continue;
    bool given = false, mirrored = true;
    for (unsigned i : heads) {
      const Atom &atom = *mol.getAtomWithIdx(i);
      auto equal = std::count_if(heads.begin(), heads.end(), [&](unsigned other) { return ranks[other] == ranks[i]; });
      given = given || atom.getChiralTag() != Atom::CHI_UNSPECIFIED;
      mirrored = mirrored && (equal > 1 || has_equal_arms(mol, atom, ranks));
    }
    if (given || mirrored)
      for (unsigned i : heads) settled[i] = true;
  }
  const std::vector<bool> heads = settled;
  for (const Atom *atom : mol.atoms())
    if (!heads[atom->getIdx()] && is_on_mirror(mol, *atom, heads, ranks)) settled[atom->getIdx()] = true;
  return settled;
}

}  // namespace berth
