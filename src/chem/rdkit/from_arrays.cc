/* from_arrays.cc - a molecule of plain arrays. */
#include <GraphMol/MolOps.h>

#include "chem/rdkit/rdmol.h"

using namespace RDKit;

namespace {

std::unique_ptr<RWMol> make(const bt_rdatom *atoms, int n_atoms, const bt_rdbond *bonds, int n_bonds,
                            const double (*x)[3]) {
  auto mol = std::make_unique<RWMol>();
  auto conformer = std::make_unique<Conformer>(static_cast<unsigned>(n_atoms));
  for (int i = 0; i < n_atoms; i++) {
    auto atom = std::make_unique<Atom>(atoms[i].element);
    atom->setFormalCharge(atoms[i].charge);
    atom->setNoImplicit(true);
    atom->setNumExplicitHs(static_cast<unsigned>(atoms[i].hydrogens));
    atom->setProp("_TriposAtomName", std::string(atoms[i].name));
    atom->setProp("_TriposPartialCharge", std::to_string(atoms[i].file_charge));
    berth::set_number(*atom, atoms[i].number);
    mol->addAtom(atom.release(), false, true);
    conformer->setAtomPos(static_cast<unsigned>(i), RDGeom::Point3D(x[i][0], x[i][1], x[i][2]));
  }
  for (int i = 0; i < n_bonds; i++) {
    static const Bond::BondType types[] = {Bond::SINGLE, Bond::SINGLE, Bond::DOUBLE, Bond::TRIPLE};
    mol->addBond(static_cast<unsigned>(bonds[i].a), static_cast<unsigned>(bonds[i].b), types[bonds[i].order & 3]);
  }
  mol->addConformer(conformer.release(), true);
  return mol;
}

}  // namespace

extern "C" bt_status bt_rdmol_make(const bt_rdatom *atoms, int n_atoms, const bt_rdbond *bonds, int n_bonds,
                                   const double (*x)[3], const char *name, bt_where where, bt_rdmol **ret_mol,
                                   bt_error *opt_error) {
  return berth::guarded(where, "repair or leave out this record", opt_error, [&] {
    berth::silence();
    auto out = std::make_unique<bt_rdmol>();
    out->mol = make(atoms, n_atoms, bonds, n_bonds, x);
    out->name = name;
    berth::find_dimension(*out->mol);
    RWMol as_given(*out->mol);
    try {
      MolOps::sanitizeMol(*out->mol);
    } catch (const MolSanitizeException &error) {
      berth::refuse(as_given, error);
    }
    if (out->mol->getConformer().is3D())
      MolOps::assignStereochemistryFrom3D(*out->mol, -1, true);
    else
      MolOps::assignStereochemistry(*out->mol, true, true, true);
    berth::forget_pseudo_stereo(*out->mol);
    *ret_mol = out.release();
  });
}
