/* complex.c - which atoms make up the complex of a pose, and what they are called.
 *
 * Atoms are those of the PDBQT texts; elements come from the AutoDock types. Side chains that move, and those that a
 * covalent ligand carries, stand in their residues. Ligands are residues 1, 2, ... of a chain of their own, "L" or
 * another letter that the receptor does not use.
 */
#include "results/complex.h"

#include <stdio.h>
#include <string.h>

#include "chem/element.h"
#include "chem/graph.h"

static const char letters[] = "LXYZABCDEFGHIJKMNOPQRSTUVWabcdefghijklmnopqrstuvwxyz0123456789";

void bt_complex_clear(bt_complex *complex) {
  free(complex->atoms);
  free(complex->residues);
  free(complex->bonds);
  *complex = (bt_complex){0};
}

static bool has_letter(const bt_molecule *receptor, char letter) {
  for (int i = 0; i < receptor->n_atoms; i++)
    if (receptor->atoms[i].chain == letter) return true;
  return false;
}

/* The nth letter, from 0, that the receptor does not use. */
static char free_letter(const bt_molecule *receptor, int nth) {
  for (const char *c = letters; *c != '\0'; c++)
    if (!has_letter(receptor, *c) && nth-- == 0) return *c;
  return letters[0];
}

static bool is_residue(const bt_complex_residue *r, const bt_atom *atom) {
  return r->number == atom->resnum && r->chain == atom->chain && r->icode == atom->icode &&
         strncmp(r->name, atom->resname, sizeof r->name) == 0;
}

static bt_status add_residue(bt_complex *c, bt_complex_residue residue, bt_error *opt_error) {
  return BT_APPEND(c->residues, c->n_residues, &c->residue_room, residue) ? BT_OK : bt_fail_memory(opt_error);
}

static bt_status add_atom(bt_complex *c, int residue, const char *name, int element, const double x[3],
                          bt_error *opt_error) {
  bt_complex_atom atom = {.element = element, .residue = residue, .x = {x[0], x[1], x[2]}};
  snprintf(atom.name, sizeof atom.name, "%s", name);
  return BT_APPEND(c->atoms, c->n_atoms, &c->atom_room, atom) ? BT_OK : bt_fail_memory(opt_error);
}

/* A residue of the receptor for an atom: the last one, or an earlier one where side chains follow. */
static bt_status find_residue(bt_complex *c, const bt_atom *atom, bool anywhere, int *ret_residue,
                              bt_error *opt_error) {
  int last = c->n_residues - 1;
  for (int i = last; i >= 0 && (anywhere || i == last); i--)
    if (is_residue(&c->residues[i], atom)) return *ret_residue = i, BT_OK;
  bt_complex_residue residue = {
      .chain = atom->chain, .icode = atom->icode, .number = atom->resnum, .kind = BT_COMPLEX_OTHER};
  snprintf(residue.name, sizeof residue.name, "%s", atom->resname[0] != '\0' ? atom->resname : "UNK");
  *ret_residue = c->n_residues;
  return add_residue(c, residue, opt_error);
}

/* Atoms of the receptor, of its flexible side chains, or of those that a covalent ligand carries (of_ligand). */
static bt_status add_receptor(bt_complex *c, const bt_molecule *m, const double *opt_xyz, bool of_ligand,
                              bt_error *opt_error) {
  for (int i = 0; i < m->n_atoms; i++) {
    const bt_atom *atom = &m->atoms[i];
    int element = bt_element_of_type(atom->type), residue;
    if (element <= 0 || (of_ligand && !bt_atom_of_side_chain(m, atom))) continue; /* TZ, W, G */
    BT_TRY(find_residue(c, atom, opt_xyz != NULL, &residue, opt_error));
    const double *x = opt_xyz != NULL ? opt_xyz + 3 * (size_t)i : atom->x;
    BT_TRY(add_atom(c, residue, atom->name, element, x, opt_error));
  }
  return BT_OK;
}

/* Which of several ligands docked together, from 0. */
static int part_of(const bt_molecule *m, int atom) {
  int root = m->atoms[atom].fragment, part = -1;
  while (root >= 0 && m->fragments[root].parent >= 0) root = m->fragments[root].parent;
  for (int i = 0; i <= root; i++) part += m->fragments[i].parent < 0;
  return part > 0 ? part : 0;
}

/* Ligands from SDF and SMILES have the elements as names: then they are numbered, C1, C2, ... */
static void make_names_unique(bt_complex *c, const bt_complex_residue *r) {
  bool unique = true;
  for (int i = r->first; i < r->end && unique; i++) {
    unique = c->atoms[i].name[0] != '\0' && strlen(c->atoms[i].name) <= 4;
    for (int j = r->first; j < i && unique; j++) unique = strcmp(c->atoms[i].name, c->atoms[j].name) != 0;
  }
  for (int i = r->first; i < r->end && !unique; i++) {
    int number = 1;
    for (int j = r->first; j < i; j++) number += c->atoms[j].element == c->atoms[i].element;
    snprintf(c->atoms[i].name, sizeof c->atoms[i].name, "%.2s%u", bt_element_symbol(c->atoms[i].element),
             (unsigned)number % 10000U);
  }
}

/* place[n_atoms] of the molecule's atoms in the complex; -1: not there. */
static bt_status add_ligands(bt_complex *c, const bt_molecule *m, const double *xyz, char chain, int *place,
                             bt_error *opt_error) {
  int part = -1;
  for (int i = 0; i < m->n_atoms; i++) {
    const bt_atom *atom = &m->atoms[i];
    int element = bt_element_of_type(atom->type);
    place[i] = -1;
    if (element <= 0 || bt_atom_of_side_chain(m, atom)) continue;
    if (part_of(m, i) != part) {
      part = part_of(m, i);
      bt_complex_residue residue = {
          .chain = chain, .icode = ' ', .number = part + 1, .kind = BT_COMPLEX_LIGAND, .first = c->n_atoms};
      snprintf(residue.name, sizeof residue.name, "%s", atom->resname[0] != '\0' ? atom->resname : "LIG");
      BT_TRY(add_residue(c, residue, opt_error));
    }
    place[i] = c->n_atoms;
    BT_TRY(add_atom(c, c->n_residues - 1, atom->name, element, xyz + 3 * (size_t)i, opt_error));
    c->residues[c->n_residues - 1].end = c->n_atoms;
  }
  for (int k = 0; k < c->n_residues; k++)
    if (c->residues[k].kind == BT_COMPLEX_LIGAND) make_names_unique(c, &c->residues[k]);
  return BT_OK;
}

static bt_status add_bonds(bt_complex *c, const bt_molecule *m, const int *place, bt_error *opt_error) {
  bt_graph *graph;
  BT_TRY(bt_graph_create(m, true, &graph, opt_error));
  bool ok = true;
  for (int i = 0; i < graph->n; i++)
    for (int k = graph->first[i]; ok && k < graph->first[i + 1]; k++) {
      int a = place[graph->atom[i]], b = place[graph->atom[graph->neighbor[k]]];
      if (a < 0 || b <= a) continue;
      if ((ok = BT_GROW(c->bonds, &c->bond_room, c->n_bonds + 1))) {
        c->bonds[c->n_bonds][0] = a;
        c->bonds[c->n_bonds++][1] = b;
      }
    }
  bt_graph_destroy(graph);
  return ok ? BT_OK : bt_fail_memory(opt_error);
}

/* The waters of hydrated docking that stay, as oxygens. */
static bt_status add_waters(bt_complex *c, const bt_run *run, char chain, int number, bt_error *opt_error) {
  for (size_t k = 0; k < run->waters.count; k++) {
    if (!bt_water_stays(&run->waters.items[k])) continue;
    BT_TRY(add_residue(c,
                       (bt_complex_residue){.name = "HOH",
                                            .chain = chain,
                                            .icode = ' ',
                                            .number = ++number,
                                            .kind = BT_COMPLEX_WATER,
                                            .first = c->n_atoms,
                                            .end = c->n_atoms + 1},
                       opt_error));
    BT_TRY(add_atom(c, c->n_residues - 1, "O", 8, run->waters.items[k].x, opt_error));
  }
  return BT_OK;
}

/* Side chains that were added last move behind the other atoms of their residues. */
static bt_status sort(bt_complex *c, bt_error *opt_error) {
  BT_SCOPED int *next = bt_allocate((size_t)c->n_residues + 1, sizeof *next);
  bt_complex_atom *sorted = bt_allocate((size_t)c->n_atoms, sizeof *sorted);
  if (next == NULL || sorted == NULL) {
    free(sorted);
    return bt_fail_memory(opt_error);
  }
  for (int i = 0; i < c->n_atoms; i++) next[c->atoms[i].residue + 1]++;
  for (int k = 0; k < c->n_residues; k++) {
    c->residues[k].first = next[k];
    next[k + 1] += next[k];
    c->residues[k].end = next[k + 1];
  }
  for (int i = 0; i < c->n_atoms; i++) sorted[next[c->atoms[i].residue]++] = c->atoms[i];
  free(c->atoms);
  c->atoms = sorted;
  c->atom_room = (size_t)c->n_atoms;
  return BT_OK;
}

static bool has_atom(const bt_complex *c, const bt_complex_residue *r, const char *name) {
  for (int i = r->first; i < r->end; i++)
    if (strcmp(c->atoms[i].name, name) == 0) return true;
  return false;
}

static void find_kinds(bt_complex *c) {
  static const char *const waters[] = {"HOH", "WAT", "DOD", "H2O", "TIP", "SOL"};
  for (int k = 0; k < c->n_residues; k++) {
    bt_complex_residue *r = &c->residues[k];
    bool amino = has_atom(c, r, "CA") && has_atom(c, r, "C") && has_atom(c, r, "N");
    if (amino || (has_atom(c, r, "C3'") && has_atom(c, r, "O3'") && has_atom(c, r, "C1'")))
      r->kind = BT_COMPLEX_POLYMER;
    for (size_t i = 0; i < sizeof waters / sizeof *waters; i++)
      if (strcmp(r->name, waters[i]) == 0) r->kind = BT_COMPLEX_WATER;
  }
}

bt_status bt_complex_collect(const bt_result *result, int position, const bt_molecule *receptor,
                             bt_complex *ret_complex, bt_error *opt_error) {
  const bt_ligand *ligand = result->ligand;
  const bt_molecule *m = ligand->molecule;
  const bt_run *run = &result->runs[result->ranking[position]];
  const char chain = free_letter(receptor, 0);
  bt_complex *c = ret_complex;
  *c = (bt_complex){.blank = free_letter(receptor, 1)};
  BT_SCOPED int *place = bt_allocate((size_t)m->n_atoms, sizeof *place);
  if (place == NULL) return bt_fail_memory(opt_error);
  BT_TRY(add_receptor(c, receptor, NULL, false, opt_error));
  if (ligand->opt_flexible != NULL)
    BT_TRY(add_receptor(c, ligand->opt_flexible, run->xyz + 3 * (size_t)ligand->n_ligand_atoms, false, opt_error));
  BT_TRY(add_receptor(c, m, run->xyz, true, opt_error));
  BT_TRY(sort(c, opt_error));
  find_kinds(c);
  int before = c->n_residues;
  BT_TRY(add_ligands(c, m, run->xyz, chain, place, opt_error));
  BT_TRY(add_bonds(c, m, place, opt_error));
  return add_waters(c, run, chain, c->n_residues - before, opt_error);
}
