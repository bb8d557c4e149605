/* stereo_groups.cc - stereocenters that a record gives as racemic or relative: collections of V3000 files, CXSMILES, and the
 * chiral flag of drawings. */
#include "chem/rdkit/rdmol.h"

using namespace RDKit;

namespace {

bool is_marked(const Atom &atom) {
  return atom.getChiralTag() == Atom::CHI_TETRAHEDRAL_CW || atom.getChiralTag() == Atom::CHI_TETRAHEDRAL_CCW;
}

/* A group becomes a list of atoms by their numbers, which survive what happens to the molecule. */
void add_group(bt_rdmol &mol, bool racemic, const std::string &label, const std::vector<int> &numbers) {
  if (!numbers.empty()) mol.groups.push_back({racemic, label, numbers});
}

std::vector<Atom *> members(const bt_rdmol &mol, const berth::stereo_group &group) {
  std::vector<Atom *> atoms;
  for (Atom *atom : mol.mol->atoms())
    for (int number : group.atoms)
      if (number == berth::number_of(*atom) && is_marked(*atom)) atoms.push_back(atom);
  return atoms;
}

}  // namespace

namespace berth {

std::string stereo_block(const std::string &cxsmiles) {
  std::string kept, item;
  bool label = false, wanted = false;
  for (std::size_t i = 0; i < cxsmiles.size(); i++) {
    char c = cxsmiles[i];
    if (c == '$') label = !label;
    bool starts = i == 0 || cxsmiles[i - 1] == ',';
    if (!label && starts && !(c >= '0' && c <= '9'))
      wanted = c == '&' || (c == 'o' && i + 1 < cxsmiles.size() && cxsmiles[i + 1] >= '0' && cxsmiles[i + 1] <= '9');
    if (!label && wanted && c != '$') kept += c;
  }
  while (!kept.empty() && kept.back() == ',') kept.pop_back();
  return kept;
}

void take_groups(bt_rdmol &mol, bool flat_file) {
  int count[2] = {0, 0};
  for (const StereoGroup &group : mol.mol->getStereoGroups()) {
    if (group.getGroupType() == StereoGroupType::STEREO_ABSOLUTE) continue;
    bool racemic = group.getGroupType() == StereoGroupType::STEREO_AND;
    std::vector<int> numbers;
    for (const Atom *atom : group.getAtoms())
      if (is_marked(*atom)) numbers.push_back(static_cast<int>(number_of(*atom)));
    add_group(mol, racemic, (racemic ? "&" : "o") + std::to_string(++count[racemic]), numbers);
  }
  int flag = 0; /* RDKit keeps it only where it is 1 */
  mol.mol->getPropIfPresent(common_properties::_MolFileChiralFlag, flag);
  bool grouped = !mol.mol->getStereoGroups().empty();
  mol.mol->setStereoGroups({}); /* what is docked is one isomer, and its SMILES must not depend on groups */
  if (!flat_file || grouped || flag != 0) return;
  std::vector<int> numbers;
  for (const Atom *atom : mol.mol->atoms())
    if (is_marked(*atom)) numbers.push_back(static_cast<int>(number_of(*atom)));
  add_group(mol, true, "", numbers);
}

std::size_t count_groups(const bt_rdmol &mol) { return mol.groups.size(); }

void invert_group(bt_rdmol &mol, std::size_t index) {
  for (Atom *atom : members(mol, mol.groups[index]))
    atom->setChiralTag(atom->getChiralTag() == Atom::CHI_TETRAHEDRAL_CW ? Atom::CHI_TETRAHEDRAL_CCW
                                                                        : Atom::CHI_TETRAHEDRAL_CW);
}

}  // namespace berth

extern "C" bt_status bt_rdmol_grouped_stereo(const bt_rdmol *mol, char **ret_text, bt_error *opt_error) {
  return berth::guarded(bt_where{}, "leave this molecule out", opt_error, [&] {
    *ret_text = nullptr;
    std::string text;
    for (const berth::stereo_group &group : mol->groups) {
      std::vector<std::string> names;
      for (const Atom *atom : members(*mol, group)) names.push_back(berth::name_of(*atom));
      if (names.empty()) continue;
      text += berth::list_of(names) + " is " +
              (group.label.empty() ? "relative (chiral flag 0)"
                                   : (group.racemic ? "racemic (" : "relative (") + group.label + ")") +
              "\n";
    }
    if (!text.empty()) *ret_text = berth::copy_text(text);
  });
}
