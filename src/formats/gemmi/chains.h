/* chains.h - chains that share a name, or have none, told apart (C++).
 *
 * Frames of molecular dynamics and assemblies hold several chains of one name; gemmi and users know residues by chain
 * and number, so that the second chain would vanish in the first.
 */
#ifndef BERTH_FORMATS_GEMMI_CHAINS_H
#define BERTH_FORMATS_GEMMI_CHAINS_H

#include <string>
#include <vector>

namespace berth {

/* What the file says of an atom, in its order. */
struct AtomRow {
  std::string chain, number, residue, atom; /* number with the insertion code */
  char altloc = ' ';
  bool hetero = false;
  bool after_end = false; /* a TER stands between this atom and the one before it */
  int model = 1;
  double x[3] = {0, 0, 0};
};

/* Consecutive atoms of one residue. */
struct AtomBlock {
  std::size_t first = 0, end = 0; /* rows */
  std::string chain;              /* its own name from now on */
  int piece = 0;                  /* which chain of the name that it had in the file, from 0 */
  bool polymer = false;
};

struct ChainNotes {
  std::vector<std::string> lines; /* for the user */
};

/* Finds where chains begin: at a TER or another model, where numbers begin anew, where a residue stands a second time,
 * and behind a terminal residue. A chain whose residues would be mistaken for those of an earlier one gets a free
 * letter as its name; all others keep theirs. */
std::vector<AtomBlock> separate_chains(const std::vector<AtomRow> &rows, ChainNotes *notes);

}  // namespace berth

#endif
