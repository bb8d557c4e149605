/* pseudo_stereo.cc - phosphates and the like, whose phosphorus or sulfur is a stereocenter in a drawing only. */
#include <GraphMol/MolOps.h>

#include "chem/rdkit/rdmol.h"

using namespace RDKit;

namespace {

/* =O, OH or O-, or the same of sulfur and selenium: 0 if it is not such an end, else the element with its isotope. */
unsigned terminal_kind(const Atom &atom) {
  int element = atom.getAtomicNum();
  if (element != 8 && element != 16 && element != 34) return 0;
  unsigned heavy = 0;
  for (const Atom *neighbor : atom.getOwningMol().atomNeighbors(&atom)) heavy += neighbor->getAtomicNum() != 1;
  return heavy == 1 ? static_cast<unsigned>(element) + 1000 * atom.getIsotope() : 0;
}

}  // namespace

namespace berth {

bool is_pseudo_center(const Atom &atom) {
  int element = atom.getAtomicNum();
  if (element != 15 && element != 16 && element != 33 && element != 34) return false;
  std::vector<unsigned> ends;
  for (const Atom *neighbor : atom.getOwningMol().atomNeighbors(&atom)) {
    unsigned kind = terminal_kind(*neighbor);
    for (unsigned other : ends)
      if (kind != 0 && other == kind) return true;
    ends.push_back(kind);
  }
  return false;
}

void forget_pseudo_stereo(RWMol &mol) {
  bool changed = false;
  for (Atom *atom : mol.atoms()) {
    if (atom->getChiralTag() == Atom::CHI_UNSPECIFIED || !is_pseudo_center(*atom)) continue;
    atom->setChiralTag(Atom::CHI_UNSPECIFIED);
    changed = true;
  }
  if (changed) MolOps::assignStereochemistry(mol, true, true, true);
}

}  // namespace berth
