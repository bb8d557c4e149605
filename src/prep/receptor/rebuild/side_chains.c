/* side_chains.c - see side_chains.h.
 *
 * Lengths and angles: Engh, Huber, Acta Cryst. A 1991, 47, 392. Offsets are those of tetrahedral and planar atoms with
 * L chirality.
 */
#include "prep/receptor/rebuild/side_chains.h"

#include <stddef.h>
#include <string.h>

/* clang-format off */
static const bt_chain_atom atoms[] = {
    {"ARG", "CG", {"CB", "CA", "N"}, 1.520, 114.1, 1, 0},
    {"ARG", "CD", {"CG", "CB", "CA"}, 1.520, 111.3, 2, 0},
    {"ARG", "NE", {"CD", "CG", "CB"}, 1.461, 112.0, 3, 0},
    {"ARG", "CZ", {"NE", "CD", "CG"}, 1.329, 124.2, 4, 0},
    {"ARG", "NH1", {"CZ", "NE", "CD"}, 1.326, 120.0, 0, 0},
    {"ARG", "NH2", {"CZ", "NE", "CD"}, 1.326, 119.7, 0, 180},
    {"ASN", "CG", {"CB", "CA", "N"}, 1.516, 112.6, 1, 0},
    {"ASN", "OD1", {"CG", "CB", "CA"}, 1.231, 120.8, 2, 0},
    {"ASN", "ND2", {"CG", "CB", "CA"}, 1.328, 116.4, 2, 180},
    {"ASP", "CG", {"CB", "CA", "N"}, 1.516, 112.6, 1, 0},
    {"ASP", "OD1", {"CG", "CB", "CA"}, 1.249, 118.4, 2, 0},
    {"ASP", "OD2", {"CG", "CB", "CA"}, 1.249, 118.4, 2, 180},
    {"CYS", "SG", {"CB", "CA", "N"}, 1.808, 114.4, 1, 0},
    {"GLN", "CG", {"CB", "CA", "N"}, 1.520, 114.1, 1, 0},
    {"GLN", "CD", {"CG", "CB", "CA"}, 1.516, 112.6, 2, 0},
    {"GLN", "OE1", {"CD", "CG", "CB"}, 1.231, 120.8, 3, 0},
    {"GLN", "NE2", {"CD", "CG", "CB"}, 1.328, 116.4, 3, 180},
    {"GLU", "CG", {"CB", "CA", "N"}, 1.520, 114.1, 1, 0},
    {"GLU", "CD", {"CG", "CB", "CA"}, 1.516, 112.6, 2, 0},
    {"GLU", "OE1", {"CD", "CG", "CB"}, 1.249, 118.4, 3, 0},
    {"GLU", "OE2", {"CD", "CG", "CB"}, 1.249, 118.4, 3, 180},
    {"HIS", "CG", {"CB", "CA", "N"}, 1.497, 113.8, 1, 0},
    {"HIS", "ND1", {"CG", "CB", "CA"}, 1.378, 122.7, 2, 0},
    {"HIS", "CD2", {"CG", "CB", "CA"}, 1.354, 131.2, 2, 180},
    {"HIS", "CE1", {"ND1", "CG", "CB"}, 1.321, 109.0, 0, 180},
    {"HIS", "NE2", {"CD2", "CG", "CB"}, 1.374, 107.2, 0, 180},
    {"ILE", "CG1", {"CB", "CA", "N"}, 1.530, 110.4, 1, 0},
    {"ILE", "CG2", {"CB", "CA", "N"}, 1.521, 110.5, 1, -122},
    {"ILE", "CD1", {"CG1", "CB", "CA"}, 1.513, 113.8, 2, 0},
    {"LEU", "CG", {"CB", "CA", "N"}, 1.530, 116.3, 1, 0},
    {"LEU", "CD1", {"CG", "CB", "CA"}, 1.521, 110.7, 2, 0},
    {"LEU", "CD2", {"CG", "CB", "CA"}, 1.521, 110.7, 2, 122},
    {"LYS", "CG", {"CB", "CA", "N"}, 1.520, 114.1, 1, 0},
    {"LYS", "CD", {"CG", "CB", "CA"}, 1.520, 111.3, 2, 0},
    {"LYS", "CE", {"CD", "CG", "CB"}, 1.520, 111.3, 3, 0},
    {"LYS", "NZ", {"CE", "CD", "CG"}, 1.489, 111.9, 4, 0},
    {"MET", "CG", {"CB", "CA", "N"}, 1.520, 114.1, 1, 0},
    {"MET", "SD", {"CG", "CB", "CA"}, 1.803, 112.7, 2, 0},
    {"MET", "CE", {"SD", "CG", "CB"}, 1.791, 100.9, 3, 0},
    {"PHE", "CG", {"CB", "CA", "N"}, 1.502, 113.8, 1, 0},
    {"PHE", "CD1", {"CG", "CB", "CA"}, 1.384, 120.7, 2, 0},
    {"PHE", "CD2", {"CG", "CB", "CA"}, 1.384, 120.7, 2, 180},
    {"PHE", "CE1", {"CD1", "CG", "CB"}, 1.382, 120.7, 0, 180},
    {"PHE", "CE2", {"CD2", "CG", "CB"}, 1.382, 120.7, 0, 180},
    {"PHE", "CZ", {"CE1", "CD1", "CG"}, 1.382, 120.0, 0, 0},
    {"MSE", "CG", {"CB", "CA", "N"}, 1.520, 114.1, 1, 0},
    {"MSE", "SE", {"CG", "CB", "CA"}, 1.950, 112.7, 2, 0},
    {"MSE", "CE", {"SE", "CG", "CB"}, 1.950, 98.9, 3, 0},
    {"PRO", "CG", {"CB", "CA", "N"}, 1.492, 104.5, 1, 0},
    {"PRO", "CD", {"CG", "CB", "CA"}, 1.503, 106.1, 2, 0},
    {"SER", "OG", {"CB", "CA", "N"}, 1.417, 111.1, 1, 0},
    {"THR", "OG1", {"CB", "CA", "N"}, 1.433, 109.6, 1, 0},
    {"THR", "CG2", {"CB", "CA", "N"}, 1.521, 110.5, 1, -120},
    {"TRP", "CG", {"CB", "CA", "N"}, 1.498, 113.6, 1, 0},
    {"TRP", "CD1", {"CG", "CB", "CA"}, 1.365, 126.9, 2, 0},
    {"TRP", "CD2", {"CG", "CB", "CA"}, 1.433, 126.8, 2, 180},
    {"TRP", "NE1", {"CD1", "CG", "CB"}, 1.374, 110.2, 0, 180},
    {"TRP", "CE2", {"CD2", "CG", "CB"}, 1.409, 107.2, 0, 180},
    {"TRP", "CE3", {"CD2", "CG", "CB"}, 1.398, 133.9, 0, 0},
    {"TRP", "CZ2", {"CE2", "CD2", "CG"}, 1.394, 122.4, 0, 180},
    {"TRP", "CZ3", {"CE3", "CD2", "CG"}, 1.382, 118.6, 0, 180},
    {"TRP", "CH2", {"CZ2", "CE2", "CD2"}, 1.368, 117.5, 0, 0},
    {"TYR", "CG", {"CB", "CA", "N"}, 1.512, 113.8, 1, 0},
    {"TYR", "CD1", {"CG", "CB", "CA"}, 1.389, 120.8, 2, 0},
    {"TYR", "CD2", {"CG", "CB", "CA"}, 1.389, 120.8, 2, 180},
    {"TYR", "CE1", {"CD1", "CG", "CB"}, 1.382, 121.2, 0, 180},
    {"TYR", "CE2", {"CD2", "CG", "CB"}, 1.382, 121.2, 0, 180},
    {"TYR", "CZ", {"CE1", "CD1", "CG"}, 1.378, 119.6, 0, 0},
    {"TYR", "OH", {"CZ", "CE1", "CD1"}, 1.376, 119.9, 0, 180},
    {"VAL", "CG1", {"CB", "CA", "N"}, 1.521, 110.5, 1, 0},
    {"VAL", "CG2", {"CB", "CA", "N"}, 1.521, 110.5, 1, 122},
};
/* clang-format on */

/* Proline's ring holds its beta carbon: 103 degrees at N-CA-CB, 110.5 in the others. */
static const bt_chain_atom beta = {"", "CB", {"CA", "C", "N"}, 1.530, 110.4, 0, 123},
                           beta_of_proline = {"", "CB", {"CA", "C", "N"}, 1.530, 110.1, 0, 114};

const bt_chain_atom *bt_chain_beta(const char *state) { return strcmp(state, "PRO") == 0 ? &beta_of_proline : &beta; }

bool bt_chain_is_mirrored(const char *residue) {
  static const char *const names[] = {"DAL", "DAR", "DAS", "DCY", "DGL", "DGN", "DHI", "DIL", "DLE", "DLY",
                                      "DPN", "DPR", "DSG", "DSN", "DTH", "DTR", "DTY", "DVA", "MED"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++)
    if (strcmp(names[k], residue) == 0) return true;
  return false;
}

const char *bt_chain_residue(const char *state) {
  static const char *const states[][2] = {{"ASH", "ASP"}, {"GLH", "GLU"}, {"HID", "HIS"},
                                          {"HIE", "HIS"}, {"HIP", "HIS"}, {"LYN", "LYS"},
                                          {"CYM", "CYS"}, {"CYX", "CYS"}, {"TYM", "TYR"}};
  for (size_t k = 0; k < sizeof states / sizeof *states; k++)
    if (strcmp(states[k][0], state) == 0) return states[k][1];
  return state;
}

const bt_chain_atom *bt_chain_atoms(const char *state, int *ret_count) {
  const size_t n = sizeof atoms / sizeof *atoms;
  const char *residue = bt_chain_residue(state);
  size_t first = 0;
  while (first < n && strcmp(atoms[first].residue, residue) != 0) first++;
  size_t end = first;
  while (end < n && strcmp(atoms[end].residue, residue) == 0) end++;
  *ret_count = (int)(end - first);
  return first < n || strcmp(residue, "ALA") == 0 ? &atoms[first < n ? first : 0] : NULL;
}

typedef struct special {
  const char *residue;
  int chi, count;
  double first, step;
} special;

/* Planar groups; symmetric ones need only half a turn. */
static const special specials[] = {
    {"ASN", 2, 12, -30, 30}, {"ASP", 2, 6, 0, 30},    {"GLN", 3, 12, 0, 30},  {"GLU", 3, 6, 0, 30},
    {"HIS", 2, 12, -90, 30}, {"PHE", 2, 6, 90, 30},   {"TYR", 2, 6, 90, 30},  {"TRP", 2, 12, 90, 30},
    {"ARG", 4, 3, 180, 90},  {"SER", 1, 3, 65, -125}, {"PRO", 1, 2, 29, -58}, {"PRO", 2, 2, -37, 74},
};

int bt_chain_values(const char *residue, int chi, bool strained, double ret_values[BT_CHAIN_VALUES]) {
  /* in order of frequency: Lovell et al., Proteins 2000, 40, 389 */
  static const double next[] = {-65, 180, 65, -85, -45, 160, 200, 45, 85},
                      far[] = {180, -65, 65, 160, 200, -85, -45, 45, 85};
  const int count = strained ? 9 : 3;
  for (size_t k = 0; k < sizeof specials / sizeof *specials; k++) {
    const special *s = &specials[k];
    if (strcmp(s->residue, residue) != 0 || s->chi != chi) continue;
    for (int v = 0; v < s->count; v++) ret_values[v] = s->first + v * s->step;
    return s->count;
  }
  memcpy(ret_values, chi == 1 ? next : far, (size_t)count * sizeof *next);
  return count;
}
