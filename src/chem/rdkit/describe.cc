/* describe.cc - atoms, bonds, charges and symmetry classes of a molecule as plain numbers. */
#include <cmath>
#include <cstring>
#include <limits>

#include <DataStructs/ExplicitBitVect.h>
#include <GraphMol/Fingerprints/MorganFingerprints.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/MonomerInfo.h>
#include <GraphMol/PartialCharges/GasteigerCharges.h>
#include <GraphMol/new_canon.h>

#include "chem/rdkit/rdmol.h"

using namespace RDKit;

namespace {

template <std::size_t Size>
void copy_word(char (&out)[Size], const std::string &text) {
  std::size_t first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
  std::string word = first == std::string::npos ? "" : text.substr(first, last - first + 1);
  std::size_t count = word.size() < Size - 1 ? word.size() : Size - 1;
  std::memcpy(out, word.data(), count);
  out[count] = '\0';
}

char first_character(const std::string &text) { return text.empty() ? ' ' : text[0]; }

void describe_atom(const Atom &atom, bt_rdatom &out) {
  out = bt_rdatom{};
  out.element = atom.getAtomicNum();
  copy_word(out.symbol, atom.getSymbol());
  out.charge = atom.getFormalCharge();
  out.number = static_cast<int>(berth::number_of(atom));
  out.hydrogens = static_cast<int>(atom.getTotalNumHs(false));
  out.aromatic = atom.getIsAromatic();
  out.stereo = atom.getChiralTag() == Atom::CHI_TETRAHEDRAL_CW || atom.getChiralTag() == Atom::CHI_TETRAHEDRAL_CCW;
  out.file_charge = std::numeric_limits<double>::quiet_NaN();
  out.chain = out.icode = ' ';
  std::string text;
  if (atom.getPropIfPresent("_TriposPartialCharge", text)) out.file_charge = std::atof(text.c_str());
  if (atom.getPropIfPresent("_TriposAtomName", text)) copy_word(out.name, text);
  const AtomMonomerInfo *info = atom.getMonomerInfo();
  if (info == nullptr || info->getMonomerType() != AtomMonomerInfo::PDBRESIDUE) return;
  const auto *residue = static_cast<const AtomPDBResidueInfo *>(info);
  copy_word(out.name, residue->getName());
  copy_word(out.residue, residue->getResidueName());
  out.residue_number = residue->getResidueNumber();
  out.chain = first_character(residue->getChainId());
  out.icode = first_character(residue->getInsertionCode());
}

/* How unusual an atom is for Gasteiger's table, which has the common valences of H, C, N, O, F, P, S, Cl, Br, I. */
int strangeness(const Atom &atom) {
  unsigned bonds = atom.getTotalDegree();
  switch (atom.getAtomicNum()) {
    case 1: return 0;
    case 6: return atom.getFormalCharge() != 0 ? 2 : 0;
    case 7:
    case 8: return atom.getFormalCharge() != 0 ? 1 : 0;
    case 9:
    case 17:
    case 35:
    case 53: return bonds > 1 ? 4 : 0;
    case 15:
    case 16: return bonds > 4 ? 4 : 1;
    default: return 3;
  }
}

}  // namespace

namespace berth {

int order_of(const Bond &bond) {
  if (bond.getIsAromatic()) return 4;
  switch (bond.getBondType()) {
    case Bond::SINGLE: return 1;
    case Bond::DOUBLE: return 2;
    case Bond::TRIPLE: return 3;
    default: return 0;
  }
}

}  // namespace berth

extern "C" bool bt_rdmol_set_name(bt_rdmol *mol, const char *name) {
  try {
    mol->name = name;
    return true;
  } catch (...) {
    return false;
  }
}

extern "C" int bt_rdmol_atom_count(const bt_rdmol *mol) { return static_cast<int>(mol->mol->getNumAtoms()); }
extern "C" int bt_rdmol_bond_count(const bt_rdmol *mol) { return static_cast<int>(mol->mol->getNumBonds()); }

extern "C" void bt_rdmol_atoms(const bt_rdmol *mol, bt_rdatom *ret_atoms) {
  for (const Atom *atom : mol->mol->atoms()) describe_atom(*atom, ret_atoms[atom->getIdx()]);
}

extern "C" void bt_rdmol_bonds(const bt_rdmol *mol, bt_rdbond *ret_bonds) {
  for (const Bond *bond : mol->mol->bonds())
    ret_bonds[bond->getIdx()] = {static_cast<int>(bond->getBeginAtomIdx()), static_cast<int>(bond->getEndAtomIdx()),
                                 berth::order_of(*bond), bond->getStereo() > Bond::STEREOANY};
}

extern "C" bt_status bt_rdmol_gasteiger(const bt_rdmol *mol, bt_where where, double *ret_charges, bt_error *opt_error) {
  return berth::guarded(where, "leave this molecule out, or prepare it without charges", opt_error, [&] {
    const ROMol *molecule = mol->mol.get();
    std::unique_ptr<RWMol> changed;
    for (const Atom *atom : molecule->atoms()) {
      if (atom->getAtomicNum() != 34) continue;
      if (!changed) changed = std::make_unique<RWMol>(*mol->mol);
      changed->getAtomWithIdx(atom->getIdx())->setAtomicNum(16);
    }
    std::vector<double> charges(molecule->getNumAtoms());
    computeGasteigerCharges(changed ? *changed : *molecule, charges, 12, false);
    bool known = true;
    for (unsigned i = 0; i < molecule->getNumAtoms(); i++) {
      ret_charges[i] = charges[i];
      known = known && std::isfinite(charges[i]);
    }
    if (known) return;
    /* One atom without parameters leaves none of its molecule a charge: only that atom is named. */
    const Atom *culprit = molecule->getAtomWithIdx(0);
    for (const Atom *atom : molecule->atoms())
      if (strangeness(*atom) > strangeness(*culprit)) culprit = atom;
    for (unsigned i = 0; i < molecule->getNumAtoms(); i++) ret_charges[i] = 0;
    ret_charges[culprit->getIdx()] = std::numeric_limits<double>::quiet_NaN();
  });
}

extern "C" bt_status bt_rdmol_classes(const bt_rdmol *mol, bt_where where, int *ret_classes, bt_error *opt_error) {
  return berth::guarded(where, "leave this molecule out", opt_error, [&] {
    std::vector<unsigned> ranks;
    Canon::rankMolAtoms(*mol->mol, ranks, false);
    for (std::size_t i = 0; i < ranks.size(); i++) ret_classes[i] = static_cast<int>(ranks[i]);
  });
}

extern "C" bt_status bt_rdmol_fingerprint(const bt_rdmol *mol, bt_fingerprint *ret_fingerprint, bt_error *opt_error) {
  return berth::guarded(bt_where{}, "leave this molecule out", opt_error, [&] {
    constexpr unsigned radius = 2, bits = 8 * sizeof ret_fingerprint->bits;
    RWMol heavy(*mol->mol);
    MolOps::removeHs(heavy);
    std::unique_ptr<ExplicitBitVect> found(MorganFingerprints::getFingerprintAsBitVect(heavy, radius, bits));
    *ret_fingerprint = bt_fingerprint{};
    for (unsigned k = 0; k < bits; k++)
      if (found->getBit(k)) ret_fingerprint->bits[k / 64] |= std::uint64_t{1} << k % 64;
  });
}
