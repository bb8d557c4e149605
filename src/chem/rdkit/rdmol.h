/* rdmol.h - what the files of the RDKit wrapper share (C++). */
#ifndef BERTH_CHEM_RDKIT_RDMOL_H
#define BERTH_CHEM_RDKIT_RDMOL_H

#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include <DistGeom/BoundsMatrix.h>
#include <GraphMol/GraphMol.h>
#include <GraphMol/SanitException.h>

extern "C" {
#include "chem/rdkit.h"
}

namespace berth {

/* Centers whose relation to each other is known, but not which of the two mirror images it is. */
struct stereo_group {
  bool racemic;           /* both are there, else one of them */
  std::string label;      /* &1, o1; empty: by the chiral flag */
  std::vector<int> atoms; /* numbers, see number_of */
};

}  // namespace berth

struct bt_rdmol {
  std::unique_ptr<RDKit::RWMol> mol;
  std::string name;
  /* Data items of an SDF record, in the order of the file. */
  std::vector<std::pair<std::string, std::string>> items;
  std::vector<berth::stereo_group> groups;
  bool embedded = false; /* its conformers were made, not read */
};

struct bt_smarts {
  std::unique_ptr<RDKit::ROMol> pattern;
};

namespace berth {

/* A reason of our own, with its remedy. */
struct failure : std::exception {
  bt_status status;
  std::string message, remedy;
  long atom; /* 1-based, 0: none */
  failure(bt_status status_, std::string message_, std::string remedy_, long atom_ = 0)
      : status(status_), message(std::move(message_)), remedy(std::move(remedy_)), atom(atom_) {}
  const char *what() const noexcept override { return message.c_str(); }
};

/* Converts the exception in flight to a bt_error; remedy is for failures of RDKit. */
bt_status report(bt_where where, const char *remedy, bt_error *opt_error) noexcept;

/* Throws failure with the reason in our own words, atoms by their numbers; mol is the molecule before it was changed. */
[[noreturn]] void refuse(const RDKit::ROMol &mol, const RDKit::MolSanitizeException &error);

/* The number by which users know an atom, the same in every message; 0: it is none of the record's. */
void set_number(RDKit::Atom &atom, long number);
long number_of(const RDKit::Atom &atom);
/* Numbers all atoms in their order, from 1. */
void set_numbers(RDKit::RWMol &mol);

/* RDKit prints nothing from here on. */
void silence();
/* Whatever its dimension code, a record whose atoms are all in the xy plane is a drawing. Throws failure. */
void find_dimension(RDKit::RWMol &mol);

/* Runs body and reports whatever it throws. */
template <typename Body>
bt_status guarded(bt_where where, const char *remedy, bt_error *opt_error, Body body) noexcept {
  try {
    body();
    return BT_OK;
  } catch (...) {
    return report(where, remedy, opt_error);
  }
}

/* Maps the template's heavy atoms onto those of mol by elements and bonds, takes over its bond orders and formal
 * charges, and checks valences. Hydrogens of mol stay if they are as many, atom by atom, as the template wants, and go
 * otherwise. Of several mappings, the one with the shortest double bonds is used. Throws failure. */
void apply_template(RDKit::RWMol &mol, const std::string &smiles);

/* Throws failure if the template is another stereoisomer than mol, whose stereochemistry is that of its
 * coordinates. */
void check_template_stereo(const RDKit::RWMol &mol, const std::string &smiles);

/* After a change of atoms or bonds: valences, aromatic rings and stereo anew. */
void renew(RDKit::RWMol &mol);

/* Removes one hydrogen of an atom: an explicit one, or one from its implicit count. */
void take_hydrogen(RDKit::RWMol &mol, RDKit::Atom *atom);

int order_of(const RDKit::Bond &bond); /* 1, 2, 3; 4: aromatic; 0: any other kind */

std::string name_of(const RDKit::Atom &atom);               /* C5 */
std::string name_of(const RDKit::Bond &bond);               /* C7=C8 */
std::string list_of(const std::vector<std::string> &names); /* C5, C9 and C11=C12 */

/* Stereocenters and double bonds that mol states and whose side is another one in the conformer, or hardly a side at
 * all. Hydrogens must be atoms. */
std::vector<std::string> wrong_sides(const RDKit::ROMol &mol, const RDKit::Conformer &conformer);
bool is_center(const RDKit::Atom &atom);
/* Of a center in coordinates: 1 as stated, -1 the other one, 0 flat. */
int side_of_center(const RDKit::ROMol &mol, const RDKit::Atom &center, const RDKit::Conformer &conformer);
/* Centers of a ring whose configurations it cannot have together, by conformers without stereochemistry; empty: none
 * that is known, or fewer conformers than that takes. For molecules that cannot be embedded at once. */
std::vector<std::string> excluded_by_rings(const RDKit::ROMol &mol, int seed);
/* Does mol state any? */
bool states_sides(const RDKit::ROMol &mol);
/* Does it state the configuration of a double bond in a ring? */
bool states_ring_sides(const RDKit::ROMol &mol);
/* Have the double bonds of other the sides that mol states? Atom i of mol is place[i] of other. */
bool same_sides(const RDKit::ROMol &mol, const RDKit::ROMol &other, const std::vector<unsigned> &place);
/* Has this double bond a stated side, and is it cis, for its own stereo atoms? */
bool has_side(const RDKit::Bond &bond);
bool is_cis(const RDKit::Bond &bond);
/* Calls body(x, y, side) for all substituents x of the first and y of the second atom; side: 1 cis, -1 trans. */
template <typename Body>
void for_substituents(const RDKit::ROMol &mol, const RDKit::Bond &bond, Body body) {
  for (const RDKit::Atom *x : mol.atomNeighbors(bond.getBeginAtom()))
    for (const RDKit::Atom *y : mol.atomNeighbors(bond.getEndAtom())) {
      if (x == bond.getEndAtom() || y == bond.getBeginAtom() || x == y) continue;
      bool other = (static_cast<int>(x->getIdx()) != bond.getStereoAtoms()[0]) !=
                   (static_cast<int>(y->getIdx()) != bond.getStereoAtoms()[1]);
      body(*x, *y, is_cis(bond) != other ? 1.0 : -1.0);
    }
}

/* Smoothed bounds of distances for embedding by ETKDGv3, as RDKit makes them. sided: double bonds have their sides,
 * also those of rings, where RDKit's bounds allow both. NULL: they contradict each other. */
DistGeom::BoundsMatPtr bounds_for(const RDKit::ROMol &mol, bool sided, const bt_deadline *opt_deadline, bt_where where);
/* Throws when it is over. */
void check_deadline(const bt_deadline *opt_deadline, bt_where where);

/* Runs body in a child process, which is ended when the deadline is over, and returns what it returns. What it throws
 * is thrown here. What it changes is lost. */
std::string run_apart(const std::function<std::string()> &body, const bt_deadline *opt_deadline, bt_where where);

/* Phosphorus and sulfur of which two neighbors differ only by where a drawing puts a proton, a charge or a double bond
 * (phosphates, sulfinates) are not stereocenters: any configuration that a record or coordinates assign to them is
 * dropped. */
void forget_pseudo_stereo(RDKit::RWMol &mol);
bool is_pseudo_center(const RDKit::Atom &atom);

/* By atom: bridgeheads of small cages that have one configuration only, as in norbornane, cubane and tropane, or whose
 * configuration is known by that of another bridgehead. */
std::vector<bool> settled_bridgeheads(const RDKit::ROMol &mol);

/* The stereo groups of a CXSMILES block, without its bars, as such a block. */
std::string stereo_block(const std::string &cxsmiles);
/* Takes RDKit's stereo groups, or those that chiral flag 0 of a flat molfile stands for, out of mol.mol. */
void take_groups(bt_rdmol &mol, bool flat_file);
std::size_t count_groups(const bt_rdmol &mol);
/* Its other mirror image. */
void invert_group(bt_rdmol &mol, std::size_t index);

/* For the C side, which frees it; throws std::bad_alloc. */
char *copy_text(const std::string &text);

}  // namespace berth

#endif
