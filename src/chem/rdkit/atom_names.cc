/* atom_names.cc - atoms and bonds in messages, as users count them. */
#include "chem/rdkit/rdmol.h"

using namespace RDKit;

namespace berth {

static const char *const number_property = "_berthNumber";

void set_number(Atom &atom, long number) { atom.setProp(number_property, static_cast<int>(number)); }

long number_of(const Atom &atom) {
  int number = 0;
  return atom.getPropIfPresent(number_property, number) ? number : 0;
}

void set_numbers(RWMol &mol) {
  for (Atom *atom : mol.atoms()) set_number(*atom, static_cast<long>(atom->getIdx()) + 1);
}

std::string name_of(const Atom &atom) {
  long number = number_of(atom);
  return number > 0 ? atom.getSymbol() + std::to_string(number) : atom.getSymbol();
}

std::string name_of(const Bond &bond) { return name_of(*bond.getBeginAtom()) + "=" + name_of(*bond.getEndAtom()); }

std::string list_of(const std::vector<std::string> &names) {
  std::string text;
  for (std::size_t k = 0; k < names.size(); k++)
    text += (k == 0 ? "" : k + 1 < names.size() ? ", " : " and ") + names[k];
  return text;
}

}  // namespace berth
