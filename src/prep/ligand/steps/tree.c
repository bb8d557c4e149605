/* tree.c - the molecule of a prepared ligand: atoms and fragments in the order of its torsion tree, Meeko's remarks.
 *
 * REMARK SMILES IDX and H PARENT let other programs find the molecule's atoms again: pairs of a place in the SMILES
 * (from 1) and a serial number.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "formats/pdbqt/pdbqt.h"
#include "prep/ligand/steps/steps.h"

typedef struct builder {
  bt_prep *prep;
  bt_chemistry *chemistry;
  bt_molecule *molecule;
  int *order; /* [n_atoms] atom of prep that became each atom of the molecule */
  bt_error *opt_error;
} builder;

static void copy_name(const char *name, size_t most, char *to, size_t size) {
  bt_span_copy(bt_span_trim((bt_span){name, strnlen(name, most)}), to, size);
}

static bt_status add_atom(builder *b, int index) {
  const bt_prep_atom *atom = &b->prep->atoms[index];
  int i = b->molecule->n_atoms++;
  bool named = atom->name[0] != '\0' && strlen(atom->name) <= 4, known = atom->residue[0] != '\0';
  bt_atom *to = &b->molecule->atoms[i];
  *to = (bt_atom){.serial = i + 1,
                  .fragment = b->molecule->n_fragments - 1,
                  .charge = fabs(atom->charge) < 0.0005 ? 0 : bt_pdbqt_round(atom->charge), /* no -0.000 */
                  .resnum = known ? atom->residue_number % 10000 : 1,
                  .chain = atom->chain != '\0' ? atom->chain : ' ',
                  .icode = atom->icode != '\0' ? atom->icode : ' '};
  memcpy(to->type, atom->type, sizeof to->type);
  copy_name(named ? atom->name : atom->symbol, 4, to->name, sizeof to->name);
  copy_name(known ? atom->residue : "UNL", 3, to->resname, sizeof to->resname);
  b->prep->atoms[index].serial = to->serial;
  b->order[i] = index;
  b->chemistry->entry[i] = index < b->prep->n_real ? index : -1;
  b->chemistry->body[i] = to->fragment;
  for (int k = 0; k < 3; k++) {
    to->x[k] = bt_pdbqt_round(atom->x[k]);
    if (!(atom->x[k] > -999.9 && atom->x[k] < 9999.9))
      return bt_fail(b->opt_error, BT_ERR_LIMIT, b->prep->where, "move the molecule towards the origin",
                     "a coordinate of %.3g does not fit the columns of PDBQT", atom->x[k]);
  }
  return BT_OK;
}

static int compare_ints(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

/* A fragment and its branches; depth first, without recursion, since chains may be long. */
typedef struct level {
  int body, from, next, fragment; /* next link to look at */
} level;

/* from and to: atoms of prep on the axis, of which to has to come first; -1 in the root. */
static bt_status add_body(builder *b, int body, int parent, int from, int to) {
  bt_prep_body *atoms = &b->prep->bodies[body];
  bt_molecule *molecule = b->molecule;
  molecule->fragments[molecule->n_fragments++] =
      (bt_fragment){.parent = parent,
                    .axis_from = from < 0 ? -1 : b->prep->atoms[from].serial - 1,
                    .axis_to = from < 0 ? -1 : molecule->n_atoms,
                    .first_atom = molecule->n_atoms};
  for (int i = 1; i < atoms->n_atoms; i++) {
    if (atoms->atoms[i] != to) continue;
    memmove(atoms->atoms + 1, atoms->atoms, (size_t)i * sizeof *atoms->atoms);
    atoms->atoms[0] = to;
  }
  for (int i = 0; i < atoms->n_atoms; i++) BT_TRY(add_atom(b, atoms->atoms[i]));
  return BT_OK;
}

static bt_status add_tree(builder *b, level *stack) {
  bt_prep *prep = b->prep;
  bt_molecule *molecule = b->molecule;
  bt_prep_body *root = &prep->bodies[prep->root];
  int height = 0;
  qsort(root->atoms, (size_t)root->n_atoms, sizeof *root->atoms, compare_ints);
  BT_TRY(add_body(b, prep->root, -1, -1, -1));
  stack[height++] = (level){prep->root, -1, 0, 0};
  while (height > 0) {
    level *top = &stack[height - 1];
    const bt_prep_body *body = &prep->bodies[top->body];
    if (top->next == body->n_links) {
      molecule->fragments[top->fragment].end_atom = molecule->n_atoms;
      height--;
      continue;
    }
    bt_prep_link link = body->links[top->next++];
    if (link.body == top->from) continue;
    stack[height++] = (level){link.body, top->body, 0, molecule->n_fragments};
    BT_TRY(add_body(b, link.body, top->fragment, link.from, link.to));
  }
  return BT_OK;
}

/* Torsions of the molecule with its rings closed. */
static int count_torsions(const bt_prep *prep, const bool *was_ring) {
  int count = 0;
  for (int i = 0; i < prep->n_bodies; i++)
    for (int l = 0; l < prep->bodies[i].n_links; l++) {
      bt_prep_link link = prep->bodies[i].links[l];
      if (link.body < i) continue; /* each axis once */
      for (int k = prep->first[link.from]; k < prep->first[link.from + 1]; k++)
        if (prep->neighbor[k] == link.to && !was_ring[prep->via[k]]) count++;
    }
  return count;
}

/* place[i] of atom i of prep in the SMILES, -1: left out of it. */
static bt_status write_lines(builder *b, const int *place) {
  const bt_prep *prep = b->prep;
  bt_molecule *molecule = b->molecule;
  char score[48];
  BT_SCOPED bt_pdbqt_place *places = bt_allocate((size_t)molecule->n_atoms, sizeof *places);
  if (places == NULL) return bt_fail_memory(b->opt_error);
  for (int i = 0; i < molecule->n_atoms; i++) {
    int atom = b->order[i];
    if (atom >= prep->n_real) continue;
    if (place[atom] >= 0)
      places[i].place = place[atom] + 1;
    else if (bt_prep_degree(prep, atom) > 0)
      places[i] = (bt_pdbqt_place){place[prep->neighbor[prep->first[atom]]] + 1, true};
  }
  snprintf(score, sizeof score, "Flexibility Score: %8.3f", prep->flexibility);
  bt_pdbqt_remarks remarks = {
      .smiles = b->chemistry->smiles, .places = places, .opt_line = isfinite(prep->flexibility) ? score : NULL};
  return bt_molecule_write_lines(molecule, &remarks, b->opt_error);
}

static bt_status build(builder *b, const int *place, const bool *was_ring, level *stack) {
  bt_molecule *molecule = b->molecule;
  BT_TRY(add_tree(b, stack));
  molecule->torsdof = b->prep->torsdof = count_torsions(b->prep, was_ring);
  b->chemistry->n_entries = molecule->n_atoms;
  BT_TRY(write_lines(b, place));
  for (int f = 1; f < molecule->n_fragments; f++) {
    const bt_fragment *fragment = &molecule->fragments[f];
    if (!bt_fragment_has_axis(molecule, f))
      return bt_fail(b->opt_error, BT_ERR_INPUT,
                     (bt_where){.file = b->prep->where.file, .line = molecule->first_line + fragment->line},
                     "correct their coordinates", "BRANCH %d %d: the two atoms coincide",
                     molecule->atoms[fragment->axis_from].serial, molecule->atoms[fragment->axis_to].serial);
  }
  return BT_OK;
}

bt_status bt_prep_build(bt_prep *prep, bt_chemistry *chemistry, const bool *was_ring, bt_molecule *molecule,
                        bt_error *opt_error) {
  size_t n = (size_t)prep->n_atoms;
  BT_SCOPED int *order = bt_allocate(n, sizeof *order);
  builder b = {prep, chemistry, molecule, order, opt_error};
  BT_SCOPED int *place = bt_allocate((size_t)prep->n_real, sizeof *place);
  BT_SCOPED level *stack = bt_allocate((size_t)prep->n_bodies + 1, sizeof *stack);
  chemistry->entry = bt_allocate(n, sizeof *chemistry->entry);
  chemistry->body = bt_allocate(n, sizeof *chemistry->body);
  molecule->atoms = bt_allocate(n, sizeof *molecule->atoms);
  molecule->fragments = bt_allocate((size_t)prep->n_bodies, sizeof *molecule->fragments);
  if (order == NULL || place == NULL || stack == NULL || chemistry->entry == NULL || chemistry->body == NULL ||
      molecule->atoms == NULL || molecule->fragments == NULL)
    return bt_fail_memory(opt_error);
  BT_TRY(bt_rdmol_smiles(prep->mol, &chemistry->smiles, place, opt_error));
  return build(&b, place, was_ring, stack);
}
