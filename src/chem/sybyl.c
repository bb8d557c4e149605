/* sybyl.c - Tripos atom types by rules on the neighbors of an atom. */
#include "chem/sybyl.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text/text.h"

const char *bt_sybyl_parent(const char *type) {
  static const char *const pairs[][2] = {{"O.3h", "O.3"},  {"C.cat", "C.2"}, {"N.ani", "N.pl3"}, {"S.o", "S.O"},
                                         {"S.o2", "S.O2"}, {"S.O", "S.3"},   {"S.O2", "S.3"},    {"S.1", "S.2"},
                                         {"N.4", "N.3"},   {"Fe.2", "Fe"},   {"O.spc", "O.3"},   {"O.t3p", "O.3"}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    if (strcmp(type, pairs[i][0]) == 0) return pairs[i][1];
  return NULL;
}

typedef struct graph {
  const bt_rdatom *atoms;
  const bt_rdbond *bonds;
  int *first, *via; /* bonds of atom i: via[first[i]] ... via[first[i + 1] - 1] */
} graph;

static int other(const graph *g, int atom, int k) {
  const bt_rdbond *bond = &g->bonds[g->via[k]];
  return bond->a == atom ? bond->b : bond->a;
}

/* What types depend on. */
typedef struct surroundings {
  int neighbors, hydrogens; /* heavy ones; hydrogens, atoms or not */
  int doubles, triples, aromatics;
  int to_n, double_to_o;
} surroundings;

static surroundings look(const graph *g, int atom) {
  surroundings s = {.hydrogens = g->atoms[atom].hydrogens};
  for (int k = g->first[atom]; k < g->first[atom + 1]; k++) {
    int element = g->atoms[other(g, atom, k)].element, order = g->bonds[g->via[k]].order;
    if (element == 1) {
      s.hydrogens++;
      continue;
    }
    s.neighbors++;
    s.doubles += order == 2;
    s.triples += order == 3;
    s.aromatics += order == 4;
    s.to_n += element == 7;
    s.double_to_o += order == 2 && element == 8;
  }
  return s;
}

static bool is_terminal_o(const graph *g, int atom) {
  if (g->atoms[atom].element != 8) return false;
  surroundings s = look(g, atom);
  return s.neighbors == 1 && s.hydrogens == 0;
}

/* Terminal oxygens, and how many of them have a charge. */
static int terminal_oxygens(const graph *g, int atom, int *ret_charged) {
  int count = 0;
  *ret_charged = 0;
  for (int k = g->first[atom]; k < g->first[atom + 1]; k++) {
    int i = other(g, atom, k);
    if (!is_terminal_o(g, i)) continue;
    count++;
    *ret_charged += g->atoms[i].charge < 0;
  }
  return count;
}

/* Carbon between two or three nitrogens that share one positive charge. */
static bool is_cation_carbon(const graph *g, int atom) {
  surroundings s = look(g, atom);
  if (s.to_n < 2 || s.neighbors + s.hydrogens != 3 || g->atoms[atom].aromatic) return false;
  for (int k = g->first[atom]; k < g->first[atom + 1]; k++) {
    int i = other(g, atom, k);
    if (g->atoms[i].element == 7 && g->atoms[i].charge > 0 && g->bonds[g->via[k]].order == 2) return true;
  }
  return g->atoms[atom].charge > 0;
}

static const char *carbon(const graph *g, int atom, surroundings s) {
  if (g->atoms[atom].aromatic) return "C.ar";
  if (is_cation_carbon(g, atom)) return "C.cat";
  if (s.triples > 0 || s.doubles > 1) return "C.1";
  return s.doubles > 0 || s.aromatics > 0 ? "C.2" : "C.3";
}

static bool is_unsaturated(const graph *g, int atom) {
  surroundings s = look(g, atom);
  return g->atoms[atom].aromatic || s.doubles + s.triples + s.aromatics > 0;
}

/* A neighbor that draws the nitrogen's lone pair into a plane. */
typedef enum plane { PYRAMID, CONJUGATED, AMIDE } plane;

static plane plane_of(const graph *g, int atom) {
  plane found = PYRAMID;
  for (int k = g->first[atom]; k < g->first[atom + 1]; k++) {
    int i = other(g, atom, k), element = g->atoms[i].element;
    if (element == 6 && !g->atoms[i].aromatic && !is_cation_carbon(g, i))
      for (int m = g->first[i]; m < g->first[i + 1]; m++) {
        int end = g->atoms[other(g, i, m)].element;
        if (g->bonds[g->via[m]].order == 2 && (end == 8 || end == 16)) return AMIDE;
      }
    if ((element == 6 || element == 7) && is_unsaturated(g, i)) found = CONJUGATED;
    if (element == 16 && look(g, i).double_to_o == 2) found = CONJUGATED; /* a sulfonamide */
  }
  return found;
}

static const char *nitrogen(const graph *g, int atom, surroundings s) {
  const bt_rdatom *a = &g->atoms[atom];
  int connections = s.neighbors + s.hydrogens;
  if (a->charge < 0 && s.doubles + s.triples + s.aromatics == 0) return "N.ani";
  if (a->aromatic) return connections > 2 && a->charge <= 0 ? "N.pl3" : "N.ar";
  if (s.triples > 0 || s.doubles > 1) return s.double_to_o > 0 ? "N.pl3" : "N.1";
  if (s.doubles > 0) return connections > 2 ? "N.pl3" : "N.2"; /* a nitro group, an iminium */
  if (connections == 4 || a->charge > 0) return "N.4";
  plane p = plane_of(g, atom);
  return p == AMIDE ? "N.am" : p == CONJUGATED ? "N.pl3" : "N.3";
}

static const char *oxygen(const graph *g, int atom, surroundings s) {
  if (s.neighbors == 0 && s.hydrogens == 2) return "O.3";
  if (s.hydrogens > 0) return "O.3h";
  if (is_terminal_o(g, atom)) {
    int center = other(g, atom, g->first[atom]), charged, element;
    for (int k = g->first[atom]; k < g->first[atom + 1]; k++)
      if (g->atoms[other(g, atom, k)].element != 1) center = other(g, atom, k);
    element = g->atoms[center].element;
    int count = terminal_oxygens(g, center, &charged);
    bool acid = element == 6 ? count == 2 : element == 15 || element == 16;
    if (acid && charged > 0) return "O.co2";
    return s.doubles > 0 || g->atoms[atom].charge < 0 ? "O.2" : "O.3";
  }
  return g->atoms[atom].aromatic ? "O.2" : "O.3"; /* that of a furan accepts only */
}

static const char *sulfur(const graph *g, int atom, surroundings s) {
  int charged, oxygens = terminal_oxygens(g, atom, &charged);
  if (oxygens >= 2) return "S.o2";
  if (oxygens == 1 && s.neighbors == 3) return "S.o";
  return s.doubles > 0 || g->atoms[atom].aromatic ? "S.2" : "S.3";
}

static const char *type_of(const graph *g, int atom) {
  surroundings s = look(g, atom);
  switch (g->atoms[atom].element) {
    case 1: return "H";
    case 6: return carbon(g, atom, s);
    case 7: return nitrogen(g, atom, s);
    case 8: return oxygen(g, atom, s);
    case 15: return "P.3";
    case 16: return sulfur(g, atom, s);
    case 26: return "Fe.2";
    default: return g->atoms[atom].symbol;
  }
}

bt_status bt_sybyl_types(const bt_rdatom *atoms, int n_atoms, const bt_rdbond *bonds, int n_bonds, bt_sybyl *ret_types,
                         bt_error *opt_error) {
  BT_SCOPED int *first = bt_allocate((size_t)n_atoms + 2, sizeof *first);
  BT_SCOPED int *via = bt_allocate(2 * (size_t)n_bonds, sizeof *via);
  if (first == NULL || via == NULL) return bt_fail_memory(opt_error);
  for (int i = 0; i < n_bonds; i++) {
    first[bonds[i].a + 2]++;
    first[bonds[i].b + 2]++;
  }
  for (int i = 0; i < n_atoms; i++) first[i + 2] += first[i + 1];
  for (int i = 0; i < n_bonds; i++) {
    via[first[bonds[i].a + 1]++] = i;
    via[first[bonds[i].b + 1]++] = i;
  }
  for (int i = 0; i < n_atoms; i++)
    snprintf(ret_types[i].name, sizeof ret_types[i].name, "%s", type_of(&(graph){atoms, bonds, first, via}, i));
  return BT_OK;
}

/* ----------------------------------------------------------------------------------------------- residues -- */

/* "ATOM TYPE" pairs; the backbone and CB are common to all. */
static const struct {
  const char *residue, *atoms;
} side_chains[] = {
    {"ARG", "CG C.3 CD C.3 NE N.pl3 CZ C.2 NH1 N.pl3 NH2 N.pl3"},
    {"ASN", "CG C.2 OD1 O.2 ND2 N.am"},
    {"ASP", "CG C.2 OD1 O.co2 OD2 O.co2"},
    {"ASH", "CG C.2 OD1 O.2 OD2 O.3h"},
    {"CYS", "SG S.3"},
    {"GLN", "CG C.3 CD C.2 OE1 O.2 NE2 N.am"},
    {"GLU", "CG C.3 CD C.2 OE1 O.co2 OE2 O.co2"},
    {"GLH", "CG C.3 CD C.2 OE1 O.2 OE2 O.3h"},
    {"HID", "CG C.2 ND1 N.pl3 CD2 C.2 CE1 C.2 NE2 N.2"},
    {"HIE", "CG C.2 ND1 N.2 CD2 C.2 CE1 C.2 NE2 N.pl3"},
    {"HIP", "CG C.2 ND1 N.pl3 CD2 C.2 CE1 C.cat NE2 N.pl3"},
    {"HIS", "CG C.2 ND1 N.pl3 CD2 C.2 CE1 C.2 NE2 N.2"},
    {"ILE", "CG1 C.3 CG2 C.3 CD1 C.3 CD C.3"},
    {"LEU", "CG C.3 CD1 C.3 CD2 C.3"},
    {"LYN", "CG C.3 CD C.3 CE C.3 NZ N.3"},
    {"LYS", "CG C.3 CD C.3 CE C.3 NZ N.4"},
    {"MET", "CG C.3 SD S.3 CE C.3"},
    {"MSE", "CG C.3 SE Se CE C.3"},
    {"PHE", "CG C.ar CD1 C.ar CD2 C.ar CE1 C.ar CE2 C.ar CZ C.ar"},
    {"PRO", "CG C.3 CD C.3"},
    {"SER", "OG O.3h"},
    {"THR", "OG1 O.3h CG2 C.3"},
    {"TRP", "CG C.2 CD1 C.2 CD2 C.ar NE1 N.pl3 CE2 C.ar CE3 C.ar CZ2 C.ar CZ3 C.ar CH2 C.ar"},
    {"TYR", "CG C.ar CD1 C.ar CD2 C.ar CE1 C.ar CE2 C.ar CZ C.ar OH O.3h"},
    {"VAL", "CG1 C.3 CG2 C.3"},
    {"ALA", ""},
    {"GLY", ""},
};

static const char *const types[] = {"C.3", "C.2", "C.ar", "C.cat", "N.am",  "N.pl3", "N.2",
                                    "N.3", "N.4", "O.2",  "O.3h",  "O.co2", "S.3",   "Se"};

/* The type that follows the atom's name in a list of pairs, as a string constant. */
static const char *find_pair(const char *pairs, const char *atom) {
  bt_span rest = bt_span_from(pairs), name, type;
  while ((name = bt_span_word(&rest)).size > 0) {
    type = bt_span_word(&rest);
    if (!bt_span_equals(name, atom)) continue;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
      if (bt_span_equals(type, types[i])) return types[i];
  }
  return NULL;
}

static const char *find_side_chain(const char *residue) {
  if (strncmp(residue, "CY", 2) == 0 && (residue[2] == 'X' || residue[2] == 'M')) residue = "CYS";
  for (size_t i = 0; i < sizeof side_chains / sizeof *side_chains; i++)
    if (strcmp(side_chains[i].residue, residue) == 0) return side_chains[i].atoms;
  return NULL;
}

const char *bt_sybyl_of_residue(const char *residue, const char *atom) {
  static const struct {
    const char *residue, *type;
  } ions[] = {{"ZN", "Zn"},    {"MG", "Mg"}, {"CA", "Ca"}, {"NA", "Na"}, {"K", "K"},     {"FE", "Fe.2"},
              {"FE2", "Fe.2"}, {"CL", "Cl"}, {"BR", "Br"}, {"IOD", "I"}, {"HOH", "O.3"}, {"WAT", "O.3"}};
  for (size_t i = 0; i < sizeof ions / sizeof *ions; i++)
    if (strcmp(ions[i].residue, residue) == 0) return ions[i].type;
  const char *side_chain = find_side_chain(residue);
  if (side_chain == NULL) return NULL;
  const char *type = find_pair("N N.am CA C.3 C C.2 O O.2 OXT O.co2 CB C.3", atom);
  return type != NULL ? type : find_pair(side_chain, atom);
}
