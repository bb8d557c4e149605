/* stereo.cc - stereocenters and double bonds that a molecule leaves open, and its stereoisomers. */
#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <set>

#include <GraphMol/Chirality.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>

#include "chem/rdkit/rdmol.h"

using namespace RDKit;

namespace {

const char *const remedy = "repair or leave out this record";

/* Has an end of this double bond no side? It is linear where it has another one, as in an azide or an isocyanate, and
 * a pyramid at sulfur and phosphorus, as in a sulfoximine. */
bool is_without_sides(const RWMol &mol, const Bond &bond) {
  for (const Atom *end : {bond.getBeginAtom(), bond.getEndAtom()}) {
    if (end->getDegree() > 2 && end->getAtomicNum() > 10) return true;
    int doubles = 0;
    for (const Bond *neighbor : mol.atomBonds(end)) doubles += neighbor->getBondType() == Bond::DOUBLE;
    if (doubles > 1 && end->getDegree() == 2) return true;
  }
  return false;
}

bool is_double_bond(const Chirality::StereoInfo &info) { return info.type == Chirality::StereoType::Bond_Double; }

/* Centers of phosphorus, sulfur and silicon with four neighbors pass for square planar in RDKit 2022.09. */
bool is_center(const RWMol &mol, const Chirality::StereoInfo &info) {
  if (info.type == Chirality::StereoType::Atom_Tetrahedral) return true;
  if (is_double_bond(info) || info.centeredOn >= mol.getNumAtoms()) return false;
  static const int elements[] = {14, 15, 16, 32, 33, 34};
  const Atom &atom = *mol.getAtomWithIdx(info.centeredOn);
  return info.type == Chirality::StereoType::Atom_SquarePlanar && atom.getTotalDegree() == 4 &&
         std::find(std::begin(elements), std::end(elements), atom.getAtomicNum()) != std::end(elements);
}

/* Those of a kind that we can set, but for settled atoms. A wavy bond is open, too. */
std::vector<Chirality::StereoInfo> open_elements(const RWMol &mol, const std::vector<bool> &settled) {
  RWMol copy(mol); /* what is looked for is written into the molecule */
  std::vector<Chirality::StereoInfo> open;
  for (const Chirality::StereoInfo &info : Chirality::findPotentialStereo(copy, false)) {
    bool center = is_center(copy, info);
    bool known = center || (is_double_bond(info) && !is_without_sides(copy, *copy.getBondWithIdx(info.centeredOn)));
    bool one = center && (settled[info.centeredOn] || berth::is_pseudo_center(*copy.getAtomWithIdx(info.centeredOn)));
    if (known && !one && info.specified != Chirality::StereoSpecified::Specified) open.push_back(info);
  }
  return open;
}

std::string name_of(const RWMol &mol, const Chirality::StereoInfo &info) {
  return is_double_bond(info) ? berth::name_of(*mol.getBondWithIdx(info.centeredOn))
                              : berth::name_of(*mol.getAtomWithIdx(info.centeredOn));
}

void set_element(RWMol &mol, const Chirality::StereoInfo &info, bool first) {
  if (!is_double_bond(info)) {
    mol.getAtomWithIdx(info.centeredOn)->setChiralTag(first ? Atom::CHI_TETRAHEDRAL_CW : Atom::CHI_TETRAHEDRAL_CCW);
    return;
  }
  Bond &bond = *mol.getBondWithIdx(info.centeredOn);
  auto side = [&](std::size_t at) {
    unsigned atom = info.controllingAtoms[at];
    return static_cast<int>(atom != Chirality::StereoInfo::NOATOM ? atom : info.controllingAtoms[at + 1]);
  };
  bond.setBondDir(Bond::NONE);
  bond.setStereoAtoms(static_cast<unsigned>(side(0)), static_cast<unsigned>(side(2)));
  bond.setStereo(first ? Bond::STEREOCIS : Bond::STEREOTRANS);
}

}  // namespace

extern "C" bt_status bt_rdmol_open_stereo(const bt_rdmol *mol, bt_where where, char **ret_text, bt_error *opt_error) {
  return berth::guarded(where, remedy, opt_error, [&] {
    *ret_text = nullptr;
    std::vector<std::string> names;
    for (const Chirality::StereoInfo &info : open_elements(*mol->mol, berth::settled_bridgeheads(*mol->mol)))
      names.push_back(name_of(*mol->mol, info));
    if (!names.empty()) *ret_text = berth::copy_text(berth::list_of(names));
  });
}

extern "C" bt_status bt_rdmol_isomers(const bt_rdmol *mol, int most, bt_where where, bt_rdmol ***ret_isomers,
                                      int *ret_count, bool *ret_all, bt_error *opt_error) {
  enum { MOST_OPEN = 60, TRIES = 64 /* times as many as wanted: symmetry makes some of them equal */ };
  *ret_isomers = nullptr;
  *ret_count = 0;
  *ret_all = true;
  return berth::guarded(where, remedy, opt_error, [&] {
    std::vector<Chirality::StereoInfo> open = open_elements(*mol->mol, berth::settled_bridgeheads(*mol->mol));
    if (!open.empty()) /* others may be known by their relation to bridgeheads only; impossible ones embed nowhere */
      open = open_elements(*mol->mol, std::vector<bool>(mol->mol->getNumAtoms(), false));
    if (open.size() + berth::count_groups(*mol) > MOST_OPEN)
      throw berth::failure(BT_ERR_LIMIT, "more than 60 open stereocenters", "draw the stereoisomer that is meant");
    std::vector<std::unique_ptr<bt_rdmol>> isomers;
    std::set<std::string> known;
    std::size_t n_open = open.size(), n_groups = berth::count_groups(*mol);
    unsigned long long ways = 1ULL << (n_open + n_groups), tries = static_cast<unsigned long long>(most) * TRIES,
                       way = 0;
    for (; way < ways && way < tries && static_cast<int>(isomers.size()) < most; way++) {
      std::unique_ptr<bt_rdmol> isomer(bt_rdmol_copy(mol));
      if (!isomer) throw std::bad_alloc();
      for (std::size_t k = 0; k < open.size(); k++) set_element(*isomer->mol, open[k], (way >> k & 1) == 0);
      for (std::size_t k = 0; k < n_groups; k++)
        if ((way >> (n_open + k) & 1) != 0) berth::invert_group(*isomer, k);
      isomer->groups.clear();
      isomer->mol->clearComputedProps(false);
      MolOps::setDoubleBondNeighborDirections(*isomer->mol); /* from which sides are found again */
      MolOps::assignStereochemistry(*isomer->mol, true, true, true);
      if (known.insert(MolToSmiles(*isomer->mol)).second) isomers.push_back(std::move(isomer));
    }
    *ret_all = way == ways;
    auto list = static_cast<bt_rdmol **>(std::calloc(isomers.size(), sizeof(bt_rdmol *)));
    if (list == nullptr) throw std::bad_alloc();
    for (std::size_t k = 0; k < isomers.size(); k++) list[k] = isomers[k].release();
    *ret_isomers = list;
    *ret_count = static_cast<int>(isomers.size());
  });
}

extern "C" bt_status bt_rdmol_isomer(const bt_rdmol *mol, const double (*x)[3], bt_rdmol **ret_isomer,
                                     bt_error *opt_error) {
  return berth::guarded(bt_where{}, remedy, opt_error, [&] {
    std::unique_ptr<bt_rdmol> isomer(bt_rdmol_copy(mol));
    if (!isomer) throw std::bad_alloc();
    if (bt_rdmol_place(isomer.get(), x, opt_error) != BT_OK) throw std::bad_alloc();
    MolOps::assignStereochemistryFrom3D(*isomer->mol, -1, true);
    berth::forget_pseudo_stereo(*isomer->mol);
    *ret_isomer = isomer.release();
  });
}
