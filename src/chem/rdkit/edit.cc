/* edit.cc - fragments, protons and hydrogens of a molecule. */
#include <GraphMol/MolOps.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>

#include "chem/rdkit/rdmol.h"

extern "C" {
#include "chem/element.h"
}

using namespace RDKit;

namespace {

const char *const remedy = "repair or leave out this record";

/* Metals whose bare ions are counter-ions of acids: groups 1 and 2 without Be and Ra, Zn and Al. */
bool makes_salts(int element) {
  for (int one : {3, 11, 19, 37, 55, 12, 20, 38, 56, 30, 13})
    if (element == one) return true;
  return false;
}

/* A carbanion that is not the anion of a C-H acid (charge beside C=O, C#N, NO2, SO2), of cyanide or of an ylide. */
bool is_carbanion(const ROMol &mol, const Atom &atom) {
  if (atom.getAtomicNum() != 6 || atom.getFormalCharge() >= 0) return false;
  for (const Bond *bond : mol.atomBonds(&atom)) {
    const Atom *next = bond->getOtherAtom(&atom);
    if (next->getFormalCharge() > 0 || (bond->getBondType() == Bond::TRIPLE && next->getAtomicNum() == 7)) return false;
    for (const Bond *further : mol.atomBonds(next)) {
      int element = further->getOtherAtom(next)->getAtomicNum();
      bool multiple = further->getBondType() == Bond::DOUBLE || further->getBondType() == Bond::TRIPLE;
      if (multiple && (element == 7 || element == 8 || element == 16)) return false;
    }
  }
  return true;
}

bool is_bonded_to_carbon(const ROMol &mol, const Atom &atom) {
  for (const Atom *neighbor : mol.atomNeighbors(&atom))
    if (neighbor->getAtomicNum() == 6) return true;
  return false;
}

[[noreturn]] void refuse_metal(const Atom &atom, const std::string &compound) {
  throw berth::failure(BT_ERR_INPUT, "its " + atom.getSymbol() + " is part of " + compound,
                       "metal compounds cannot be docked: leave out this record", berth::number_of(atom));
}

/* A metal in the fragment that is kept is a ligand's own atom only if it is an ion by itself. */
void check_bonded_metal(const ROMol &mol, const Atom &atom) {
  for (const Atom *neighbor : mol.atomNeighbors(&atom)) {
    bool carbon = is_bonded_to_carbon(mol, atom);
    if (!carbon && makes_salts(atom.getAtomicNum()) && atom.getDegree() == 1 && atom.getAtomicNum() != 13)
      throw berth::failure(
          BT_ERR_INPUT, "its " + atom.getSymbol() + " is bonded to " + neighbor->getSymbol() + " as in a metal complex",
          "if it is a salt, write its ions", berth::number_of(atom));
    refuse_metal(atom,
                 carbon ? "an organometallic compound" : "a metal complex (bonded to " + neighbor->getSymbol() + ")");
  }
}

/* Hydrogens that are missing, or an open shell: neither has types, charges or coordinates that mean anything. */
void check_radicals(const ROMol &mol) {
  for (const Atom *atom : mol.atoms()) {
    if (atom->getNumRadicalElectrons() == 0 || bt_element_is_metal(atom->getAtomicNum())) continue;
    throw berth::failure(BT_ERR_INPUT,
                         atom->getSymbol() +
                             " has unpaired electrons: a radical or a carbene, or hydrogens that are not "
                             "in the record",
                         "draw it with its hydrogens or its charge, or leave this molecule out",
                         berth::number_of(*atom));
  }
}

/* Refuses metal complexes and organometallic compounds; whole is the record with all fragments. */
void check_metals(const ROMol &whole, const std::vector<int> &fragment_of, int kept) {
  bool carbanion = false;
  for (const Atom *atom : whole.atoms()) carbanion = carbanion || is_carbanion(whole, *atom);
  for (const Atom *atom : whole.atoms()) {
    if (!bt_element_is_metal(atom->getAtomicNum())) continue;
    if (fragment_of[atom->getIdx()] == kept) {
      check_bonded_metal(whole, *atom);
      continue;
    }
    bool organometallic = carbanion || is_bonded_to_carbon(whole, *atom);
    if (makes_salts(atom->getAtomicNum()) && !organometallic) continue;
    refuse_metal(*atom, organometallic ? "an organometallic compound" : "a metal complex, not a simple counter-ion");
  }
}

}  // namespace

void berth::renew(RWMol &mol) {
  if (mol.getRingInfo()->isInitialized()) mol.getRingInfo()->reset();
  mol.clearComputedProps(true);
  MolOps::sanitizeMol(mol);
  MolOps::assignStereochemistry(mol, true, true, false);
}

void berth::take_hydrogen(RWMol &mol, Atom *atom) {
  for (const Atom *neighbor : mol.atomNeighbors(atom))
    if (neighbor->getAtomicNum() == 1) return mol.removeAtom(neighbor->getIdx());
  if (atom->getNumExplicitHs() > 0) atom->setNumExplicitHs(atom->getNumExplicitHs() - 1);
}

extern "C" bt_status bt_rdmol_keep_largest(bt_rdmol *mol, bt_where where, char **ret_removed, bt_error *opt_error) {
  return berth::guarded(where, remedy, opt_error, [&] {
    *ret_removed = nullptr;
    RWMol &molecule = *mol->mol;
    std::vector<std::vector<int>> fragments;
    std::vector<int> fragment_of;
    MolOps::getMolFrags(molecule, fragments);
    MolOps::getMolFrags(molecule, fragment_of);
    std::size_t best = 0;
    unsigned best_size = 0;
    for (std::size_t i = 0; i < fragments.size(); i++) {
      unsigned size = 0;
      for (int atom : fragments[i]) size += molecule.getAtomWithIdx(static_cast<unsigned>(atom))->getAtomicNum() > 1;
      if (size > best_size) best = i, best_size = size;
    }
    check_metals(molecule, fragment_of, static_cast<int>(best));
    if (fragments.size() < 2) return check_radicals(molecule);
    RWMol rest(molecule);
    rest.beginBatchEdit();
    molecule.beginBatchEdit();
    for (std::size_t i = 0; i < fragments.size(); i++)
      for (int atom : fragments[i]) (i == best ? rest : molecule).removeAtom(static_cast<unsigned>(atom));
    rest.commitBatchEdit();
    molecule.commitBatchEdit();
    berth::renew(molecule);
    check_radicals(molecule);
    MolOps::removeHs(rest, false, false, false);
    *ret_removed = berth::copy_text(MolToSmiles(rest));
  });
}

extern "C" bt_status bt_rdmol_change_proton(bt_rdmol *mol, int atom, int delta, bt_where where, bt_error *opt_error) {
  return berth::guarded(where, remedy, opt_error, [&] {
    RWMol changed(*mol->mol);
    Atom *site = changed.getAtomWithIdx(static_cast<unsigned>(atom));
    site->setFormalCharge(site->getFormalCharge() + delta);
    changed.beginBatchEdit();
    if (delta < 0)
      berth::take_hydrogen(changed, site);
    else if (site->getNoImplicit() || site->getIsAromatic())
      site->setNumExplicitHs(site->getNumExplicitHs() + 1);
    changed.commitBatchEdit();
    berth::renew(changed);
    *mol->mol = changed;
  });
}

extern "C" bt_status bt_rdmol_add_hydrogens(bt_rdmol *mol, bt_where where, bt_error *opt_error) {
  return berth::guarded(where, remedy, opt_error, [&] {
    bool missing = false;
    for (const Atom *atom : mol->mol->atoms()) missing = missing || atom->getTotalNumHs(false) > 0;
    if (!missing) return;
    MolOps::addHs(*mol->mol, false, mol->mol->getNumConformers() > 0);
    MolOps::assignStereochemistry(*mol->mol, true, true, false);
  });
}
