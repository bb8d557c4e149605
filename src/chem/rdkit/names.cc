/* names.cc - atoms and bonds in messages, as users count them. */
#include "chem/rdkit/rdmol.h"

using namespace RDKit;

namespace berth {

static const char *const number_property = "_berthNumber";

long number_of(const Atom &atom) {
  int number = static_cast<int>(atom.getIdx()) + 1;
  atom.getPropIfPresent(number_property, number);
  return number;
}

void number_atoms(RWMol &mol) {
  for (Atom *atom : mol.atoms()) atom->setProp(number_property, static_cast<int>(atom->getIdx()) + 1);
}

std::string name_of(const Atom &atom) { return atom.getSymbol() + std::to_string(number_of(atom)); }

std::string name_of(const Bond &bond) { return name_of(*bond.getBeginAtom()) + "=" + name_of(*bond.getEndAtom()); }

std::string list_of(const std::vector<std::string> &names) {
  std::string text;
  for (std::size_t k = 0; k < names.size(); k++)
    text += (k == 0 ? "" : k + 1 < names.size() ? ", " : " and ") + names[k];
  return text;
}

}  // namespace berth
