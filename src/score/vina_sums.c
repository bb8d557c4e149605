/* vina_sums.c - see vina_sums.h. */
#include "score/vina_sums.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vector.h"
#include "grid/kernel/job.h"
#include "grid/vina/vina_cells.h"
#include "grid/vina/vina_receptor.h"
#include "score/scorer.h"

static const double skin = 1.0; /* A: a list holds the atoms within the cutoff and this much more */
enum { ARRAYS = 7 };            /* of a list */

/* The receptor's atoms near a moving one: those of its cell, or a list of its own where cells do not help. */
typedef struct near_list {
  const bt_vina_cell *cell; /* NULL: a list of its own, if any */
  double center[3];         /* A: of the cell, or where the atom was when its list was made */
  bt_grid_vina_point pairs; /* relative to the center */
  int capacity;
  float *arrays; /* [ARRAYS][capacity] of its own list; NULL: none */
} near_list;

typedef struct pair_ends {
  int i, j;
} pair_ends;

struct bt_vina_sums {
  const bt_grid_kernels *kernels;
  bt_grid_vina_law law;
  int n_atoms;
  near_list *lists; /* [n_atoms] */
  int *near;        /* of the receptor's atoms, while a list is made */
  size_t near_capacity;
  bt_grid_vina_pairs pairs; /* of moving atoms, without those of ring closures */
  pair_ends *ends;          /* [n_pairs] */
  int n_pairs;
  float *squares, *slopes;  /* [pairs.count] */
  double (*differences)[3]; /* [n_pairs] */
  bool failed;
  bt_arena arena;
};

/* ---- 1. creation ---- */

static bt_grid_vina_law law_of(const bt_vina_law *law) {
  bt_grid_vina_law to = {
      .repulsion = (float)law->repulsion, .cutoff = (float)BT_VINA_CUTOFF, .curl = (float)BT_VINA_CURL};
  for (int g = 0; g < 2; g++) {
    double width = law->gauss[g].width;
    to.weight[g] = (float)law->gauss[g].weight;
    to.offset[g] = (float)law->gauss[g].offset;
    to.sharpness[g] = law->gauss[g].weight != 0.0 ? (float)(1.0 / (width * width)) : 0.0F;
  }
  return to;
}

static void set_pair(const bt_grid_vina_pairs *pairs, int k, bt_vina_pair_single pair) {
  pairs->radii[k] = pair.radii;
  pairs->ramp[k] = pair.ramp;
  pairs->top[k] = pair.top;
  pairs->width[k] = pair.width;
}

static const bt_vina_pair_single no_pair;

static bt_status list_pairs(bt_vina_sums *s, const bt_scorer *scorer, bt_error *opt_error) {
  const bt_ligand *ligand = scorer->ligand;
  int room = bt_grid_padded(ligand->n_pairs);
  BT_NEW(&s->arena, s->ends, ligand->n_pairs);
  BT_NEW(&s->arena, s->differences, ligand->n_pairs);
  BT_NEW(&s->arena, s->squares, room);
  BT_NEW(&s->arena, s->slopes, room);
  BT_NEW(&s->arena, s->pairs.radii, room);
  BT_NEW(&s->arena, s->pairs.ramp, room);
  BT_NEW(&s->arena, s->pairs.top, room);
  BT_NEW(&s->arena, s->pairs.width, room);
  BT_TRY(bt_arena_status(&s->arena, opt_error));
  for (int p = 0; p < ligand->n_pairs; p++) {
    if (ligand->pairs[p].glue) continue;
    set_pair(&s->pairs, s->n_pairs, bt_vina_pair_single_of(bt_scorer_vina_constants(scorer, &ligand->pairs[p])));
    s->ends[s->n_pairs++] = (pair_ends){ligand->pairs[p].i, ligand->pairs[p].j};
  }
  s->pairs.count = bt_grid_padded(s->n_pairs);
  for (int k = s->n_pairs; k < s->pairs.count; k++) {
    set_pair(&s->pairs, k, no_pair);
    s->squares[k] = BT_GRID_FAR_AWAY * BT_GRID_FAR_AWAY;
  }
  return BT_OK;
}

static bt_status fill(bt_vina_sums *s, const bt_scorer *scorer, const char *opt_isa, bt_error *opt_error) {
  s->kernels = bt_grid_kernels_find(opt_isa);
  s->law = law_of(scorer->vina);
  s->n_atoms = scorer->ligand->n_atoms;
  if (BT_NEW(&s->arena, s->lists, s->n_atoms) == NULL) return bt_fail_memory(opt_error);
  return list_pairs(s, scorer, opt_error);
}

bt_status bt_vina_sums_create(const bt_scorer *scorer, const char *opt_isa, bt_vina_sums **ret_sums,
                              bt_error *opt_error) {
  bt_vina_sums *s = bt_allocate(1, sizeof *s);
  if (s == NULL) return bt_fail_memory(opt_error);
  bt_status status = fill(s, scorer, opt_isa, opt_error);
  return BT_HAND_OVER(status, s, ret_sums, bt_vina_sums_destroy);
}

void bt_vina_sums_destroy(bt_vina_sums *opt_sums) {
  if (opt_sums == NULL) return;
  for (int i = 0; opt_sums->lists != NULL && i < opt_sums->n_atoms; i++) free(opt_sums->lists[i].arrays);
  free(opt_sums->near);
  bt_arena_destroy(&opt_sums->arena);
  free(opt_sums);
}

bt_status bt_vina_sums_status(const bt_vina_sums *opt_sums, bt_error *opt_error) {
  return opt_sums != NULL && opt_sums->failed ? bt_fail_memory(opt_error) : BT_OK;
}

/* ---- 2. lists ---- */

static bool make_room(near_list *list, int count) {
  if (list->arrays != NULL && bt_grid_padded(count) <= list->capacity) return true;
  int capacity = bt_grid_padded(count + count / 4 + 1);
  free(list->arrays);
  *list = (near_list){.arrays = bt_allocate((size_t)ARRAYS * (size_t)capacity, sizeof(float))};
  if (list->arrays == NULL) return false;
  list->capacity = capacity;
  return true;
}

/* What an atom of a class meets while it is within the skin of the point. */
static bool make_list(bt_vina_sums *s, near_list *list, const bt_vina_receptor *receptor, int class,
                      const double point[3]) {
  if (!BT_GROW(s->near, &s->near_capacity, receptor->n_atoms)) return false;
  int count = bt_vina_receptor_within(receptor, point, BT_VINA_CUTOFF + skin, s->near);
  if (!make_room(list, count)) return false;
  float *of[ARRAYS]; /* x, y, z, radii, ramp, top, width */
  for (int k = 0; k < ARRAYS; k++) of[k] = list->arrays + (size_t)k * (size_t)list->capacity;
  for (int k = 0; k < bt_grid_padded(count); k++) {
    const bt_vina_atom *atom = k < count ? &receptor->atoms[s->near[k]] : NULL;
    bt_vina_pair_single pair = atom != NULL ? receptor->singles[class][atom->class_index] : no_pair;
    for (int c = 0; c < 3; c++) of[c][k] = atom != NULL ? (float)(atom->x[c] - point[c]) : BT_GRID_FAR_AWAY;
    of[3][k] = pair.radii;
    of[4][k] = pair.ramp;
    of[5][k] = pair.top;
    of[6][k] = pair.width;
  }
  list->cell = NULL;
  memcpy(list->center, point, sizeof list->center);
  list->pairs = (bt_grid_vina_point){bt_grid_padded(count), {of[0], of[1], of[2]}, 0.0F, of[3], of[4], of[5], of[6], 1};
  return true;
}

/* Cells are taken where they suffice. */
static const near_list *list_of(bt_vina_sums *s, const bt_scorer *scorer, int i, const double x[3]) {
  near_list *list = &s->lists[i];
  const bt_ligand *ligand = scorer->ligand;
  if (list->cell != NULL && bt_vina_cell_holds(list->cell, x)) return list;
  const bt_vina_receptor *receptor = scorer->maps->receptor;
  const bt_vina_class *class = ligand->vina[ligand->type[i]];
  const bt_vina_cell *cell = receptor->opt_cells != NULL ? bt_vina_cells_at(receptor->opt_cells, x) : NULL;
  if (cell != NULL && cell == list->cell) return list;
  if (cell != NULL && bt_vina_cells_pairs(receptor->opt_cells, class, cell, &list->pairs)) {
    list->cell = cell;
    memcpy(list->center, cell->center, sizeof list->center);
    return list;
  }
  if (list->cell == NULL && list->arrays != NULL && bt_v3_distance2(x, list->center) < skin * skin) return list;
  if (make_list(s, list, receptor, class->index, x)) return list;
  s->failed = true;
  return NULL;
}

/* ---- 3. energies ---- */

static bool in_box(const bt_maps *maps, const double x[3]) {
  bool in = true;
  for (int k = 0; k < 3; k++) in &= x[k] >= maps->low[k] && x[k] <= maps->high[k];
  return in;
}

static double atom_energy(bt_vina_sums *s, const bt_scorer *scorer, int i, const double x[3], double gradient[3]) {
  double nearest[3], away[3], factor;
  float point[3], energy, slope[3], square = 0.0F;
  const near_list *list = list_of(s, scorer, i, x);
  if (list == NULL) return NAN;
  for (int c = 0; c < 3; c++) {
    point[c] = (float)(x[c] - list->center[c]);
    square += point[c] * point[c];
  }
  bt_grid_vina_point pairs = list->pairs;
  if (list->cell != NULL) pairs.count = bt_vina_cell_met(list->cell, sqrtf(square));
  s->kernels->vina_point(&s->law, &pairs, point, &energy, slope);
  double curled = bt_vina_curl((double)energy, BT_VINA_CURL, &factor);
  for (int c = 0; c < 3; c++) gradient[c] = factor * (double)slope[c];
  if (in_box(scorer->maps, x)) return curled;
  (void)bt_scorer_nearest(scorer->maps, x, nearest, away);
  return curled + bt_scorer_spring(away, gradient);
}

static double pairs_energy(bt_vina_sums *s, const double *xyz, double *gradient) {
  for (int k = 0; k < s->n_pairs; k++) {
    double *difference = s->differences[k];
    bt_v3_subtract(difference, xyz + 3 * (size_t)s->ends[k].i, xyz + 3 * (size_t)s->ends[k].j);
    s->squares[k] = (float)bt_v3_dot(difference, difference);
  }
  float energy = s->kernels->vina_pairs(&s->law, &s->pairs, s->squares, s->slopes);
  for (int k = 0; k < s->n_pairs; k++) {
    if (s->slopes[k] == 0.0F) continue;
    double *i = gradient + 3 * (size_t)s->ends[k].i, *j = gradient + 3 * (size_t)s->ends[k].j;
    for (int c = 0; c < 3; c++) {
      double force = (double)s->slopes[k] * s->differences[k][c];
      i[c] += force;
      j[c] -= force;
    }
  }
  return (double)energy;
}

double bt_vina_sums_energy(bt_vina_sums *s, const bt_scorer *scorer, const double *xyz, double *gradient) {
  const bt_ligand *ligand = scorer->ligand;
  double energy = 0.0;
  memset(gradient, 0, 3 * (size_t)ligand->n_atoms * sizeof *gradient);
  for (int i = 0; i < ligand->n_atoms; i++)
    if (ligand->feels_maps[i]) energy += atom_energy(s, scorer, i, xyz + 3 * (size_t)i, gradient + 3 * (size_t)i);
  energy += pairs_energy(s, xyz, gradient);
  for (int p = 0; s->n_pairs < ligand->n_pairs && p < ligand->n_pairs; p++)
    if (ligand->pairs[p].glue) energy += bt_scorer_vina_exact_pair(scorer, xyz, &ligand->pairs[p], gradient);
  return energy;
}
