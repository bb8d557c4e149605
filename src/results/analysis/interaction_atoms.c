/* interaction_atoms.c - what atoms of receptors and ligands can take part in: donors, acceptors, halogens, metals. */
#include <stdlib.h>
#include <string.h>

#include "base/cells.h"
#include "base/memory.h"
#include "chem/element.h"
#include "chem/graph.h"
#include "results/analysis/interaction_roles.h"

static const double REACH = 2.6;         /* Angstrom; no bond of C, N, O, P, S or a halogen is longer */
static const double HYDROGEN_BOND = 1.4; /* Angstrom; the longest bond of a hydrogen, that to S, and a margin */

void bt_interaction_atoms_clear(bt_interaction_atoms *atoms) {
  free(atoms->atoms);
  free(atoms->xyz);
  free(atoms->roles);
  free(atoms->neighbor);
  free(atoms->hydrogens);
  *atoms = (bt_interaction_atoms){0};
}

static bt_status allocate(bt_interaction_atoms *a, int n, bt_error *opt_error) {
  size_t count = (size_t)n;
  *a = (bt_interaction_atoms){.n = n};
  a->atoms = bt_allocate(count, sizeof *a->atoms);
  a->xyz = bt_allocate(3 * count, sizeof *a->xyz);
  a->roles = bt_allocate(count, sizeof *a->roles);
  a->neighbor = bt_allocate(count, sizeof *a->neighbor);
  a->hydrogens = bt_allocate(count, sizeof *a->hydrogens);
  if (a->atoms != NULL && a->xyz != NULL && a->roles != NULL && a->neighbor != NULL && a->hydrogens != NULL)
    return BT_OK;
  return bt_fail_memory(opt_error);
}

static bool is_word(const char *word, const char *const *words, size_t n) {
  for (size_t k = 0; k < n; k++)
    if (strcmp(word, words[k]) == 0) return true;
  return false;
}

static bool is_water(const bt_atom *atom) {
  static const char *const names[] = {"HOH", "WAT", "DOD", "H2O", "TIP", "TP3", "SOL"};
  return is_word(atom->resname, names, sizeof names / sizeof *names);
}

static bool is_acceptor(const char *type) {
  static const char *const types[] = {"NA", "NS", "OA", "OS", "SA"};
  return is_word(type, types, sizeof types / sizeof *types);
}

/* The heavy neighbors of an atom; hydrogens only count. */
typedef struct bonds {
  int count, carbons, hydrogens;
  int linked, link; /* neighbors C, N, P or S, and one of them */
  int first;
} bonds;

static void note_neighbor(bonds *b, int atom, int element) {
  if (element == 1) {
    b->hydrogens++;
    return;
  }
  if (b->count++ == 0) b->first = atom;
  b->carbons += element == 6;
  if (element != 6 && element != 7 && element != 15 && element != 16) return;
  b->linked++;
  b->link = atom;
}

static void assign(bt_interaction_atoms *a, int i, const bonds *b) {
  const bt_atom *atom = a->atoms[i];
  int element = bt_element_of_type(atom->type);
  unsigned roles = 0;
  if (element == 6 && b->carbons == b->count) roles |= BT_ROLE_HYDROPHOBIC;
  if ((element == 17 || element == 35 || element == 53) && b->count == 1 && b->carbons == 1) roles |= BT_ROLE_HALOGEN;
  if (is_acceptor(atom->type)) roles |= BT_ROLE_ACCEPTOR;
  if (is_acceptor(atom->type) && b->linked == 1) roles |= BT_ROLE_HALOGEN_ACCEPTOR;
  if (bt_element_is_metal(element)) roles |= BT_ROLE_METAL;
  bool ammonium = element == 7 && b->count + b->hydrogens > 3;
  if ((element == 7 || element == 8 || element == 16) && !ammonium) roles |= BT_ROLE_BINDS_METAL;
  if (element == 8 && is_water(atom)) roles |= BT_ROLE_WATER;
  a->roles[i] = roles;
  a->neighbor[i] = (roles & BT_ROLE_HALOGEN_ACCEPTOR) != 0 ? b->link : b->first;
}

static bool donates(const bt_atom *heavy, const bt_atom *hydrogen) {
  int element = bt_element_of_type(heavy->type);
  return strcmp(hydrogen->type, "HD") == 0 && (element == 7 || element == 8 || element == 16);
}

static void add_hydrogen(bt_interaction_atoms *a, int donor, int hydrogen) {
  a->hydrogens[a->n_hydrogens][0] = donor;
  a->hydrogens[a->n_hydrogens++][1] = hydrogen;
}

/* --- bonds from distances ------------------------------------------------------------------------------ */

typedef struct search {
  const bt_interaction_atoms *a;
  int first, of, element; /* atoms from `first` on; the atom whose neighbors are searched */
  bonds found;
  int nearest; /* heavy atom of a hydrogen */
  double shortest;
} search;

static void visit(void *context, int point, double distance2) {
  search *s = context;
  int other = s->first + point, element = bt_element_of_type(s->a->atoms[other]->type);
  if (other == s->of || element == 0 || bt_element_is_metal(element)) return;
  if (s->element == 1 || element == 1) {
    bool near = distance2 <= HYDROGEN_BOND * HYDROGEN_BOND && s->element != element;
    if (near && s->element == 1 && distance2 < s->shortest) {
      s->nearest = other;
      s->shortest = distance2;
    } else if (near && element == 1) {
      note_neighbor(&s->found, other, 1);
    }
    return;
  }
  double longest = bt_element_longest_bond(s->element, element);
  if (distance2 <= longest * longest && distance2 > 0.4 * 0.4) note_neighbor(&s->found, other, element);
}

/* Atoms [first, n). */
static bt_status perceive(bt_interaction_atoms *a, int first, bt_error *opt_error) {
  bt_cells *cells = NULL;
  const double(*x)[3] = (const double(*)[3])(const void *)(a->xyz + 3 * (size_t)first);
  if (a->n <= first) return BT_OK;
  BT_TRY(bt_cells_create(x, a->n - first, REACH, &cells, opt_error));
  for (int i = first; i < a->n; i++) {
    search s = {.a = a, .first = first, .of = i, .nearest = -1, .shortest = 9, .found = {.first = -1, .link = -1}};
    s.element = bt_element_of_type(a->atoms[i]->type);
    a->neighbor[i] = -1;
    if (s.element == 0) continue;
    bt_cells_near(cells, x[i - first], s.element == 1 ? HYDROGEN_BOND : REACH, visit, &s);
    if (s.element == 1 && s.nearest >= 0 && donates(a->atoms[s.nearest], a->atoms[i])) add_hydrogen(a, s.nearest, i);
    if (s.element > 1) assign(a, i, &s.found);
  }
  bt_cells_destroy(cells);
  return BT_OK;
}

bt_status bt_interaction_atoms_of_receptor(const bt_molecule *receptor, bt_interaction_atoms *ret_atoms,
                                           bt_error *opt_error) {
  BT_TRY(allocate(ret_atoms, receptor->n_atoms, opt_error));
  for (int i = 0; i < receptor->n_atoms; i++) {
    ret_atoms->atoms[i] = &receptor->atoms[i];
    memcpy(ret_atoms->xyz + 3 * (size_t)i, receptor->atoms[i].x, sizeof receptor->atoms[i].x);
  }
  return perceive(ret_atoms, 0, opt_error);
}

/* --- ligands ------------------------------------------------------------------------------------------- */

bt_status bt_interaction_atoms_of_ligand(const bt_ligand *ligand, bt_interaction_atoms *ret_atoms,
                                         bt_error *opt_error) {
  bt_graph *g = NULL;
  BT_TRY(allocate(ret_atoms, ligand->n_atoms, opt_error));
  for (int i = 0; i < ligand->n_atoms; i++) {
    ret_atoms->atoms[i] = bt_ligand_atom(ligand, i, NULL);
    ret_atoms->neighbor[i] = -1;
  }
  memcpy(ret_atoms->xyz, ligand->xyz, 3 * (size_t)ligand->n_atoms * sizeof *ligand->xyz);
  BT_TRY(bt_graph_create(ligand->molecule, true, &g, opt_error));
  for (int v = 0; v < g->n; v++) {
    bonds found = {.first = -1, .link = -1};
    for (int k = g->first[v]; k < g->first[v + 1]; k++) {
      int other = g->neighbor[k];
      note_neighbor(&found, g->atom[other], g->element[other]);
      if (g->element[v] == 1 && donates(ret_atoms->atoms[g->atom[other]], ret_atoms->atoms[g->atom[v]]))
        add_hydrogen(ret_atoms, g->atom[other], g->atom[v]);
    }
    if (g->element[v] > 1) assign(ret_atoms, g->atom[v], &found);
  }
  bt_graph_destroy(g);
  return perceive(ret_atoms, ligand->n_ligand_atoms, opt_error);
}
