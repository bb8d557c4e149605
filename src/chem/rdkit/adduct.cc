/* adduct.cc - the product of a ligand's warhead and a side chain. */
#include <GraphMol/MolOps.h>
#include <GraphMol/SmilesParse/SmilesParse.h>

#include "chem/rdkit/rdmol.h"

using namespace RDKit;

namespace {

/* Double bonds become single ones, triple bonds double ones; a single bond is broken. */
void lower_bond(RWMol &mol, unsigned a, unsigned b) {
  Bond *bond = mol.getBondBetweenAtoms(a, b);
  if (bond == nullptr)
    throw berth::failure(BT_ERR_USAGE, "the first two atoms of the warhead have no bond", "correct the pattern");
  if (bond->getBondType() == Bond::SINGLE) {
    mol.removeBond(a, b);
  } else if (bond->getBondType() == Bond::DOUBLE || bond->getBondType() == Bond::TRIPLE) {
    bond->setBondType(bond->getBondType() == Bond::DOUBLE ? Bond::SINGLE : Bond::DOUBLE);
    bond->setStereo(Bond::STEREONONE);
  } else {
    throw berth::failure(BT_ERR_USAGE, "the warhead's first bond is neither single, double nor triple",
                         "correct the pattern");
  }
}

/* What the broken bond has cut off from the atom that reacts leaves. */
void remove_leaving_group(RWMol &mol, unsigned attach) {
  std::vector<int> fragment;
  if (MolOps::getMolFrags(mol, fragment) < 2) return;
  mol.beginBatchEdit();
  for (unsigned i = 0; i < fragment.size(); i++)
    if (fragment[i] != fragment[attach]) mol.removeAtom(i);
  mol.commitBatchEdit();
}

std::unique_ptr<RWMol> read_chain(const char *smiles) {
  SmilesParserParams as_written; /* the nitrogen of a ring has no hydrogen in the product */
  as_written.sanitize = as_written.removeHs = false;
  std::unique_ptr<RWMol> chain(SmilesToMol(smiles, as_written));
  if (!chain) throw berth::failure(BT_ERR_USAGE, "the side chain is not a valid SMILES", "correct it");
  return chain;
}

/* Appends the side chain, bonded to the site by its first atom, which this returns. */
unsigned append_chain(RWMol &mol, const Atom *site, const RWMol &chain) {
  unsigned first = mol.getNumAtoms();
  mol.insertMol(chain);
  mol.addBond(site->getIdx(), first, Bond::SINGLE);
  return first;
}

}  // namespace

extern "C" bt_status bt_rdmol_join_side_chain(bt_rdmol *mol, int attach, int opened, const char *side_chain,
                                              bt_where where, int *ret_first, bt_error *opt_error) {
  return berth::guarded(where, "choose another warhead", opt_error, [&] {
    RWMol product(*mol->mol);
    std::unique_ptr<RWMol> chain = read_chain(side_chain);
    product.clearConformers();
    Atom *site = product.getAtomWithIdx(static_cast<unsigned>(attach));
    site->setChiralTag(Atom::CHI_UNSPECIFIED);
    if (opened >= 0) {
      Atom *other = product.getAtomWithIdx(static_cast<unsigned>(opened));
      other->setChiralTag(Atom::CHI_UNSPECIFIED);
      lower_bond(product, site->getIdx(), other->getIdx());
      if (other->getNoImplicit()) other->setNumExplicitHs(other->getNumExplicitHs() + 1);
    } else {
      site->setFormalCharge(site->getFormalCharge() - 1);
    }
    Atom *reacted = site; /* indices change below, atoms stay */
    remove_leaving_group(product, site->getIdx());
    unsigned first = append_chain(product, reacted, *chain);
    berth::renew(product);
    MolOps::assignStereochemistry(product, true, true, true);
    *mol->mol = product;
    *ret_first = static_cast<int>(first);
  });
}

extern "C" bt_status bt_rdmol_bond_side_chain(bt_rdmol *mol, int attach, const char *side_chain, const double (*x)[3],
                                              bt_where where, int *ret_first, bt_error *opt_error) {
  return berth::guarded(where, "provide the ligand as it is when bonded, with a hydrogen in the place of the residue",
                        opt_error, [&] {
                          RWMol product(*mol->mol);
                          std::unique_ptr<RWMol> chain = read_chain(side_chain);
                          auto *conformer = new Conformer(chain->getNumAtoms());
                          for (unsigned i = 0; i < chain->getNumAtoms(); i++)
                            conformer->setAtomPos(i, RDGeom::Point3D(x[i][0], x[i][1], x[i][2]));
                          conformer->set3D(true);
                          chain->addConformer(conformer, true);
                          Atom *site = product.getAtomWithIdx(static_cast<unsigned>(attach));
                          berth::take_hydrogen(product, site);
                          unsigned first = append_chain(product, site, *chain);
                          berth::renew(product);
                          MolOps::assignStereochemistryFrom3D(product);
                          *mol->mol = product;
                          *ret_first = static_cast<int>(first);
                        });
}
