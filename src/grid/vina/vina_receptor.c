/* vina_receptor.c - the rigid receptor as Vina's and Vinardo's terms see it.
 *
 * Contents: 1. typed atoms; 2. bricks; 3. creation; 4. sums.
 */
#include "grid/vina/vina_receptor.h"

#include "base/vector.h"
#include "grid/vina/vina_cells.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/text.h"
#include "forcefield/ad4.h"
#include "pose/metal_binding.h"

/* ---- 1. typed atoms ---- */

static bool has_type_alone(const bt_molecule *molecule, int atom, int step) {
  const bt_atom *a = &molecule->atoms[atom];
  for (int i = atom + step; i >= 0 && i < molecule->n_atoms; i += step) {
    const bt_atom *b = &molecule->atoms[i];
    if (a->resnum != b->resnum || a->chain != b->chain || a->icode != b->icode) return true;
    if (strcmp(a->type, b->type) != 0) return false;
  }
  return true;
}

/* What an atom of a type unknown to Vina is: an element in its usual spelling, or in capitals where it is all that its
 * residue has (side chains have atoms that careless programs call CD and HG). NULL: nothing known. */
static const bt_vina_input *find_stand_in(const bt_molecule *molecule, int atom, bt_text *warning) {
  const char *type = molecule->atoms[atom].type;
  const bt_ad4_stand_in *row = bt_ad4_stand_in_find(type);
  if (row == NULL) return NULL;
  bool alone = has_type_alone(molecule, atom, -1) && has_type_alone(molecule, atom, 1);
  if (strcmp(row->element, type) != 0 && !alone) return NULL;
  const bt_vina_input *element = bt_vina_input_find(row->element);
  if (element != NULL) return element;
  const char *data = warning->size > 0 ? warning->data : "";
  char clause[64];
  snprintf(clause, sizeof clause, " %s stands in for %s", row->type, row->element);
  if (strstr(data, clause) == NULL)
    bt_text_printf(warning, "%s%s", warning->size > 0 ? "," : "the receptor has elements unknown to Vina:", clause);
  return bt_vina_input_find(row->type);
}

static bt_status find_input(const bt_molecule *molecule, int atom, bt_stand_ins stand_ins, const bt_vina_input **input,
                            bt_text *warning, bt_error *opt_error) {
  bt_status status = bt_vina_input_of(molecule, &molecule->atoms[atom], input, opt_error);
  if (status != BT_OK && stand_ins == BT_STAND_INS_USE) *input = find_stand_in(molecule, atom, warning);
  return *input != NULL ? BT_OK : status;
}

/* Atoms with a class, in the order of the file. */
static bt_status type_atoms(const bt_molecule *molecule, bt_stand_ins stand_ins, bt_vina_atom *atoms, int *ret_count,
                            bt_text *warning, bt_error *opt_error) {
  size_t n = (size_t)molecule->n_atoms;
  BT_SCOPED const bt_vina_input **inputs = bt_allocate(n, sizeof *inputs);
  BT_SCOPED double(*x)[3] = bt_allocate(n, sizeof *x);
  BT_ENDED_BY(bt_bonds_destroy) bt_bonds bonds = {0};
  if (inputs == NULL || x == NULL) return bt_fail_memory(opt_error);
  for (size_t i = 0; i < n; i++) {
    BT_TRY(find_input(molecule, (int)i, stand_ins, &inputs[i], warning, opt_error));
    memcpy(x[i], molecule->atoms[i].x, sizeof x[i]);
  }
  bt_vina_atoms all = {.count = molecule->n_atoms, .x = x, .inputs = inputs};
  BT_TRY(bt_vina_bonds(&all, &bonds, opt_error));
  *ret_count = 0;
  for (int i = 0; i < molecule->n_atoms; i++) {
    const bt_vina_class *class = bt_vina_class_of(&all, &bonds, i);
    if (!bt_vina_has_class(class)) continue;
    if (class->metal && !bt_is_binding_metal(molecule, i)) class = bt_vina_class_find("Alk_D"); /* equal but for that */
    bt_vina_atom *atom = &atoms[(*ret_count)++];
    *atom = (bt_vina_atom){.class_index = class->index, .input = i};
    memcpy(atom->x, x[i], sizeof atom->x);
  }
  return BT_OK;
}

/* ---- 2. bricks ---- */

static const double BRICK = 4.0; /* A: a sphere of the cutoff meets 25 rows of bricks at most */

static int brick_along(const bt_vina_receptor *receptor, int axis, double x) {
  double at = floor((x - receptor->low[axis]) / receptor->edge);
  return (int)fmin(fmax(at, 0.0), receptor->bricks[axis] - 1.0);
}

static int brick_of(const bt_vina_receptor *receptor, const double x[3]) {
  int at[3];
  for (int k = 0; k < 3; k++) at[k] = brick_along(receptor, k, x[k]);
  return (at[2] * receptor->bricks[1] + at[1]) * receptor->bricks[0] + at[0];
}

/* Bricks that cover all atoms; larger ones if atoms are so far apart that most would be empty. */
static double lay_out(bt_vina_receptor *receptor, const bt_vina_atom *atoms) {
  double high[3] = {0.0, 0.0, 0.0}, total;
  for (int i = 0; i < receptor->n_atoms; i++)
    for (int k = 0; k < 3; k++) {
      receptor->low[k] = i == 0 ? atoms[i].x[k] : fmin(receptor->low[k], atoms[i].x[k]);
      high[k] = i == 0 ? atoms[i].x[k] : fmax(high[k], atoms[i].x[k]);
    }
  for (receptor->edge = BRICK;; receptor->edge *= 2.0) {
    total = 1.0;
    for (int k = 0; k < 3; k++) {
      double count = floor((high[k] - receptor->low[k]) / receptor->edge) + 1.0;
      total *= count;
      receptor->bricks[k] = (int)fmin(count, 1e6);
    }
    if (total <= 16.0 * receptor->n_atoms + 4096.0) return total;
  }
}

static void sort_into_bricks(bt_vina_receptor *receptor, const bt_vina_atom *atoms, size_t n_bricks) {
  int *first = receptor->first; /* counts, then each brick's next free place, one element later */
  for (int i = 0; i < receptor->n_atoms; i++) first[brick_of(receptor, atoms[i].x) + 2]++;
  for (size_t b = 2; b < n_bricks + 2; b++) first[b] += first[b - 1];
  for (int i = 0; i < receptor->n_atoms; i++) receptor->atoms[first[brick_of(receptor, atoms[i].x) + 1]++] = atoms[i];
}

/* ---- 3. creation ---- */

bt_vina_pair_single bt_vina_pair_single_of(const bt_vina_pair *pair) {
  double span = pair->ramp.bad - pair->ramp.good;
  bt_vina_pair_single single = {.radii = (float)pair->radii};
  if (pair->ramp.weight == 0.0) return single;
  single.ramp = (float)(pair->ramp.weight / span);
  single.top = (float)pair->ramp.bad;
  single.width = (float)span;
  return single;
}

static bt_status build(bt_vina_receptor *receptor, const bt_molecule *molecule, bt_stand_ins stand_ins,
                       bt_error *opt_error) {
  BT_ENDED_BY(bt_text_destroy) bt_text warning = {0};
  BT_SCOPED bt_vina_atom *atoms = bt_allocate((size_t)molecule->n_atoms, sizeof *atoms);
  if (atoms == NULL) return bt_fail_memory(opt_error);
  BT_TRY(type_atoms(molecule, stand_ins, atoms, &receptor->n_atoms, &warning, opt_error));
  if (warning.size > 0) BT_TRY(bt_text_take(&warning, &receptor->opt_warning, opt_error));
  size_t n_bricks = (size_t)lay_out(receptor, atoms);
  BT_NEW(&receptor->arena, receptor->atoms, receptor->n_atoms);
  BT_NEW(&receptor->arena, receptor->first, n_bricks + 2);
  BT_TRY(bt_arena_status(&receptor->arena, opt_error));
  sort_into_bricks(receptor, atoms, n_bricks);
  const bt_vina_class *classes = bt_vina_classes();
  for (int a = 0; a < BT_VINA_CLASSES; a++)
    for (int b = 0; b < BT_VINA_CLASSES; b++) {
      receptor->pairs[a][b] = bt_vina_pair_of(receptor->law, &classes[a], &classes[b]);
      receptor->singles[a][b] = bt_vina_pair_single_of(&receptor->pairs[a][b]);
    }
  for (int i = 0; i < receptor->n_atoms; i++) receptor->occurs[receptor->atoms[i].class_index] = true;
  return BT_OK;
}

bt_status bt_vina_receptor_create(const bt_molecule *molecule, bt_scoring scoring, bt_stand_ins stand_ins,
                                  bt_vina_receptor **ret_receptor, bt_error *opt_error) {
  *ret_receptor = NULL;
  bt_vina_receptor *receptor = bt_allocate(1, sizeof *receptor);
  if (receptor == NULL) return bt_fail_memory(opt_error);
  receptor->scoring = scoring;
  receptor->law = bt_vina_law_of(scoring);
  receptor->opt_stairs = bt_vina_stairs_create(receptor->law);
  bt_status status = build(receptor, molecule, stand_ins, opt_error);
  return BT_HAND_OVER(status, receptor, ret_receptor, bt_vina_receptor_destroy);
}

void bt_vina_receptor_destroy(bt_vina_receptor *opt_receptor) {
  if (opt_receptor == NULL) return;
  bt_vina_cells_destroy(opt_receptor->opt_cells);
  bt_vina_stairs_destroy(opt_receptor->opt_stairs);
  bt_arena_destroy(&opt_receptor->arena);
  free(opt_receptor->opt_warning);
  free(opt_receptor);
}

/* ---- 4. neighbors ---- */

void bt_vina_receptor_near(const bt_vina_receptor *receptor, const double point[3], double reach, int ret_from[3],
                           int ret_to[3]) {
  for (int k = 0; k < 3; k++) {
    double last = receptor->bricks[k] - 1.0;
    double from = floor((point[k] - reach - receptor->low[k]) / receptor->edge);
    double to = floor((point[k] + reach - receptor->low[k]) / receptor->edge);
    ret_from[k] = (int)fmin(fmax(from, 0.0), last + 1.0);
    ret_to[k] = (int)fmin(fmax(to, -1.0), last) + 1;
  }
}

/* The next place is always written and kept if the atom counts: a branch would be guessed wrong for every other one. */
int bt_vina_receptor_within(const bt_vina_receptor *receptor, const double point[3], double reach, int *atoms) {
  int from[3], to[3], count = 0;
  bt_vina_receptor_near(receptor, point, reach, from, to);
  for (int z = from[2]; z < to[2] && from[0] < to[0]; z++)
    for (int y = from[1]; y < to[1]; y++) {
      const int *first = receptor->first + receptor->bricks[0] * (y + receptor->bricks[1] * z);
      for (int a = first[from[0]]; a < first[to[0]]; a++) { /* atoms of a row follow each other */
        atoms[count] = a;
        count += bt_v3_distance2(point, receptor->atoms[a].x) < reach * reach;
      }
    }
  return count;
}
