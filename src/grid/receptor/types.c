/* types.c - parameters of a receptor's atoms, and what stands in for them where there are none.
 *
 * Types that PDBQT files give to ions are symbols of elements, spelled Hg or HG. In capitals some of them are also what
 * careless programs write for other atoms (CD and HG of a side chain) or what AutoDock calls something else (NA is
 * nitrogen, OS oxygen), so that capitals count for a residue of one kind of atom alone; where AutoDock has the name,
 * only if the residue is named like the element.
 */
#include "grid/receptor/types.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/text/text.h"

typedef struct typing {
  bt_grid_receptor *receptor;
  const bt_molecule *molecule;
  const bt_ad4_table *table;
  bt_stand_ins stand_ins;
  const bt_ad4_stand_in *rows;
  int n_rows, *counts; /* [n_rows] atoms for which others stand in */
  bool alone;          /* the last atom that is_alone was asked about */
  bt_error *opt_error;
} typing;

static bool same_residue(const bt_atom *a, const bt_atom *b) {
  return a->resnum == b->resnum && a->chain == b->chain && a->icode == b->icode && strcmp(a->resname, b->resname) == 0;
}

/* All atoms of its residue have this type. Atoms are asked about in their order, so that the answer for the one before
 * holds for the others of its kind. */
static bool is_alone(typing *t, int atom) {
  const bt_atom *first = &t->molecule->atoms[atom], *end = t->molecule->atoms + t->molecule->n_atoms;
  bool begins = atom == 0 || !same_residue(first - 1, first);
  if (!begins && strcmp(first[-1].type, first->type) == 0) return t->alone;
  t->alone = begins;
  for (const bt_atom *a = first; t->alone && a < end && same_residue(a, first); a++)
    t->alone = strcmp(a->type, first->type) == 0;
  return t->alone;
}

static bool same_parameters(const bt_ad4_type *a, const bt_ad4_type *b) {
  return a->radius_sum == b->radius_sum && a->epsilon == b->epsilon && a->volume == b->volume &&
         a->solvation == b->solvation && a->hbond_distance == b->hbond_distance &&
         a->hbond_epsilon == b->hbond_epsilon && a->hbond == b->hbond;
}

/* Does the atom's type mean the element of the row? opt_own are the parameters that go by the type's name. */
static bool means_element(typing *t, int atom, const bt_ad4_stand_in *row, const bt_ad4_type *opt_own) {
  const bt_atom *a = &t->molecule->atoms[atom];
  if (strcmp(a->type, row->element) == 0) return true;
  if (opt_own != NULL && (bt_ad4_find(a->type) == NULL || strcasecmp(a->resname, row->element) != 0)) return false;
  return is_alone(t, atom);
}

static bt_status refuse(const typing *t, const bt_atom *atom, const bt_ad4_stand_in *opt_row) {
  char remedy[160] = "correct the type, or define its parameters in a parameter file";
  if (opt_row != NULL && t->stand_ins == BT_STAND_INS_USE)
    snprintf(remedy, sizeof remedy, "correct the type; write %s if it is this element, not an atom of a side chain",
             opt_row->element);
  else if (opt_row != NULL && t->stand_ins == BT_STAND_INS_REFUSE)
    snprintf(remedy, sizeof remedy, "without --strict those of %s stand in; or define its own in a parameter file",
             opt_row->type);
  return bt_fail(t->opt_error, BT_ERR_PARAMETER, bt_atom_where(t->molecule, atom), remedy,
                 "the receptor has an atom of type '%s', which has no parameters%s%s", atom->type,
                 opt_row != NULL && bt_ad4_find(atom->type) != NULL ? " as the element " : "",
                 opt_row != NULL && bt_ad4_find(atom->type) != NULL ? opt_row->element : "");
}

static bt_status find_type(typing *t, int atom, const bt_ad4_type **ret_type) {
  const bt_atom *a = &t->molecule->atoms[atom];
  const bt_ad4_type *own = bt_ad4_table_find(t->table, a->type);
  const bt_ad4_stand_in *row = t->stand_ins == BT_STAND_INS_AUTOGRID ? NULL : bt_ad4_stand_in_find(a->type);
  *ret_type = own;
  if (row != NULL && means_element(t, atom, row, own)) {
    const bt_ad4_type *element = bt_ad4_table_find(t->table, row->element);
    const bt_ad4_type *other = bt_ad4_table_find(t->table, row->type);
    bool stands_in = element == NULL || same_parameters(element, other);
    if (stands_in && t->stand_ins == BT_STAND_INS_REFUSE) return refuse(t, a, row);
    if (stands_in) t->counts[row - t->rows]++;
    *ret_type = stands_in ? other : element; /* a parameter file may bring the element */
  }
  return *ret_type != NULL ? BT_OK : refuse(t, a, row);
}

static int index_of(bt_grid_receptor *receptor, const bt_ad4_type *type) {
  for (int k = 0; k < receptor->n_types; k++)
    if (receptor->types[k] == type) return k;
  receptor->types[receptor->n_types] = type;
  return receptor->n_types++;
}

static bt_status write_warning(const typing *t) {
  BT_ENDED_BY(bt_text_destroy) bt_text text = {0};
  for (int k = 0; k < t->n_rows; k++)
    if (t->counts[k] > 0)
      bt_text_printf(&text, "%s those of %s stand in for %s (%d atom%s)",
                     text.size > 0 ? "," : "the receptor has elements without AutoDock 4 parameters:", t->rows[k].type,
                     t->rows[k].element, t->counts[k], t->counts[k] > 1 ? "s" : "");
  if (text.size == 0) return bt_text_status(&text, t->opt_error);
  return bt_text_take(&text, &t->receptor->opt_warning, t->opt_error);
}

bt_status bt_grid_receptor_type(bt_grid_receptor *receptor, const bt_molecule *molecule, const bt_ad4_table *table,
                                bt_stand_ins stand_ins, bt_error *opt_error) {
  typing t = {.receptor = receptor,
              .molecule = molecule,
              .table = table,
              .stand_ins = stand_ins,
              .opt_error = opt_error};
  t.rows = bt_ad4_stand_ins(&t.n_rows);
  BT_SCOPED int *counts = t.counts = bt_allocate((size_t)t.n_rows, sizeof *t.counts);
  if (counts == NULL) return bt_fail_memory(opt_error);
  for (int i = 0; i < molecule->n_atoms; i++) {
    const bt_ad4_type *type;
    BT_TRY(find_type(&t, i, &type));
    receptor->atoms[i].type = index_of(receptor, type);
  }
  return write_warning(&t);
}
