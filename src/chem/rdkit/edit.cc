/* edit.cc - fragments, protons and hydrogens of a molecule. */
#include <GraphMol/MolOps.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>

#include "chem/rdkit/rdmol.h"

using namespace RDKit;

namespace {

const char *const remedy = "repair or leave out this record";

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
    if (MolOps::getMolFrags(molecule, fragments) < 2) return;
    std::size_t best = 0;
    unsigned best_size = 0;
    for (std::size_t i = 0; i < fragments.size(); i++) {
      unsigned size = 0;
      for (int atom : fragments[i]) size += molecule.getAtomWithIdx(static_cast<unsigned>(atom))->getAtomicNum() > 1;
      if (size > best_size) best = i, best_size = size;
    }
    RWMol rest(molecule);
    rest.beginBatchEdit();
    molecule.beginBatchEdit();
    for (std::size_t i = 0; i < fragments.size(); i++)
      for (int atom : fragments[i]) (i == best ? rest : molecule).removeAtom(static_cast<unsigned>(atom));
    rest.commitBatchEdit();
    molecule.commitBatchEdit();
    berth::renew(molecule);
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
