/* vina_cells.c - see vina_cells.h. */
#include "grid/vina/vina_cells.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/vector.h"

static const double finest = 1.0, margin = 4.0; /* A: edge of a cell, and around the box */
enum { MOST_CELLS = 1 << 22, MOST_PATTERNS = 8, ARRAYS = 4 /* of a cell, besides patterns */ };
static const size_t most_bytes = (size_t)128 << 20; /* of all lists */

/* How the atoms of a class meet the receptor: sums of radii, and one ramp with those receptor atoms that have one. */
typedef struct profile {
  bool regular; /* it is like that */
  int pattern;
  float radius, top[BT_GRID_PADDING], width[BT_GRID_PADDING];
} profile;

struct bt_vina_cells {
  const bt_vina_receptor *receptor;
  double low[3], edge, reach; /* A; reach: of a cell's atoms from its center */
  int n[3];
  int n_patterns;
  float patterns[MOST_PATTERNS][BT_VINA_CLASSES]; /* slopes by class of the receptor's atom, kcal/mol/A */
  profile profiles[BT_VINA_CLASSES];
  _Atomic(bt_vina_cell *) *cells; /* [n[0] n[1] n[2]], x fastest; NULL: not made yet */
  atomic_size_t bytes;            /* of those that are made */
};

/* ---- 1. creation ---- */

/* The pattern of the class, if it is a new one, becomes the last. */
static int pattern_of(bt_vina_cells *cells, const bt_vina_class *class) {
  const bt_vina_receptor *receptor = cells->receptor;
  float *last = cells->patterns[cells->n_patterns];
  for (int r = 0; r < BT_VINA_CLASSES; r++)
    last[r] = receptor->occurs[r] ? receptor->singles[class->index][r].ramp : 0.0F;
  int p = 0;
  while (memcmp(cells->patterns[p], last, sizeof cells->patterns[p]) != 0) p++;
  if (p == cells->n_patterns) cells->n_patterns++;
  return p;
}

static profile profile_of(bt_vina_cells *cells, const bt_vina_class *class) {
  const bt_vina_receptor *receptor = cells->receptor;
  int column = receptor->law->column;
  bt_vina_pair_single ramp = {0};
  profile result = {.radius = (float)class->radius[column]};
  if (!bt_vina_has_class(class) || cells->n_patterns == MOST_PATTERNS - 1) return result;
  for (int r = 0; r < BT_VINA_CLASSES; r++) {
    if (!receptor->occurs[r]) continue;
    bt_vina_pair_single with = receptor->singles[class->index][r];
    double sum = class->radius[column] + bt_vina_classes()[r].radius[column];
    if (fabs(receptor->pairs[class->index][r].radii - sum) > 1e-9) return result;
    if (with.ramp == 0.0F) continue;
    if (ramp.ramp != 0.0F && (with.top != ramp.top || with.width != ramp.width)) return result;
    ramp = with;
  }
  for (int k = 0; k < BT_GRID_PADDING; k++) result.top[k] = ramp.top, result.width[k] = ramp.width;
  result.pattern = pattern_of(cells, class);
  result.regular = true;
  return result;
}

static bt_status lay_out(bt_vina_cells *cells, const bt_box *box, bt_error *opt_error) {
  double half[3], total = INFINITY;
  for (int k = 0; k < 3; k++) {
    half[k] = 0.5 * box->npts[k] * box->spacing + margin;
    cells->low[k] = box->center[k] - half[k];
  }
  for (cells->edge = finest; total > MOST_CELLS; cells->edge *= 2.0) {
    total = 1.0;
    for (int k = 0; k < 3; k++) total *= ceil(2.0 * half[k] / cells->edge);
    if (total <= MOST_CELLS) break;
  }
  for (int k = 0; k < 3; k++) cells->n[k] = (int)ceil(2.0 * half[k] / cells->edge);
  cells->reach = BT_VINA_CUTOFF + 0.5 * sqrt(3.0) * cells->edge + 1e-6;
  cells->cells = calloc((size_t)total, sizeof *cells->cells);
  return cells->cells != NULL ? BT_OK : bt_fail_memory(opt_error);
}

bt_status bt_vina_cells_create(const bt_vina_receptor *receptor, const bt_box *box, bt_vina_cells **ret_cells,
                               bt_error *opt_error) {
  bt_vina_cells *cells = calloc(1, sizeof *cells);
  if (cells == NULL) return bt_fail_memory(opt_error);
  cells->receptor = receptor;
  for (int c = 0; c < BT_VINA_CLASSES; c++) cells->profiles[c] = profile_of(cells, &bt_vina_classes()[c]);
  bt_status status = lay_out(cells, box, opt_error);
  return BT_HAND_OVER(status, cells, ret_cells, bt_vina_cells_destroy);
}

static void free_cell(bt_vina_cell *opt_cell) {
  if (opt_cell == NULL) return;
  free(opt_cell->atoms);
  free(opt_cell->arrays);
  free(opt_cell);
}

void bt_vina_cells_destroy(bt_vina_cells *opt_cells) {
  if (opt_cells == NULL) return;
  size_t total = (size_t)opt_cells->n[0] * (size_t)opt_cells->n[1] * (size_t)opt_cells->n[2];
  for (size_t c = 0; opt_cells->cells != NULL && c < total; c++) free_cell(atomic_load(&opt_cells->cells[c]));
  free(opt_cells->cells);
  free(opt_cells);
}

/* ---- 2. lists ---- */

static bool find_atoms(const bt_vina_cells *cells, bt_vina_cell *cell) {
  BT_SCOPED int *found = bt_allocate((size_t)cells->receptor->n_atoms, sizeof *found);
  if (found == NULL) return false;
  cell->count = bt_vina_receptor_within(cells->receptor, cell->center, cells->reach, found);
  cell->atoms = bt_allocate((size_t)cell->count, sizeof *cell->atoms);
  if (cell->atoms != NULL) memcpy(cell->atoms, found, (size_t)cell->count * sizeof *found);
  return cell->atoms != NULL;
}

/* NULL in an empty cell. */
static float *array_of(const bt_vina_cell *cell, int array) {
  return cell->arrays != NULL ? cell->arrays + (size_t)array * (size_t)cell->padded : NULL;
}

typedef struct distant {
  double square; /* of the distance from the center, A^2 */
  int atom;
} distant;

static int compare_distant(const void *a, const void *b) {
  const distant *x = a, *y = b;
  if (x->square < y->square) return -1;
  return x->square > y->square ? 1 : x->atom - y->atom;
}

/* order[count] becomes the cell's atoms, the nearest first. */
static void sort_atoms(const bt_vina_cells *cells, bt_vina_cell *cell, distant *order) {
  for (int k = 0; k < cell->count; k++)
    order[k] = (distant){bt_v3_distance2(cell->center, cells->receptor->atoms[cell->atoms[k]].x), cell->atoms[k]};
  qsort(order, (size_t)cell->count, sizeof *order, compare_distant);
  for (int shell = 0, met = 0; shell < BT_VINA_SHELLS; shell++) {
    double reach = BT_VINA_CUTOFF + (double)cell->shell * (shell + 1) + 1e-5;
    while (met < cell->count && order[met].square < reach * reach) met++;
    cell->met[shell] = bt_grid_padded(met);
  }
}

static bool fill_arrays(const bt_vina_cells *cells, bt_vina_cell *cell) {
  int column = cells->receptor->law->column, n_arrays = ARRAYS + cells->n_patterns;
  cell->padded = bt_grid_padded(cell->count);
  size_t bytes = (size_t)n_arrays * (size_t)cell->padded * sizeof *cell->arrays;
  if (bytes == 0) return true;
  cell->arrays = aligned_alloc(64, bytes); /* whole vectors of BT_GRID_PADDING floats, and of cache lines */
  BT_SCOPED distant *order = bt_allocate((size_t)cell->count, sizeof *order);
  if (cell->arrays == NULL || order == NULL) return false;
  sort_atoms(cells, cell, order);
  for (int k = 0; k < cell->padded; k++) {
    const bt_vina_atom *atom = k < cell->count ? &cells->receptor->atoms[order[k].atom] : NULL;
    for (int c = 0; c < 3; c++)
      array_of(cell, c)[k] = atom != NULL ? (float)(atom->x[c] - cell->center[c]) : BT_GRID_FAR_AWAY;
    array_of(cell, 3)[k] = atom != NULL ? (float)bt_vina_classes()[atom->class_index].radius[column] : 0.0F;
    for (int p = 0; p < cells->n_patterns; p++)
      array_of(cell, ARRAYS + p)[k] = atom != NULL ? cells->patterns[p][atom->class_index] : 0.0F;
  }
  return true;
}

static bt_vina_cell *make_cell(const bt_vina_cells *cells, const int at[3]) {
  bt_vina_cell *cell = bt_allocate(1, sizeof *cell);
  if (cell == NULL) return NULL;
  for (int k = 0; k < 3; k++) cell->center[k] = cells->low[k] + (at[k] + 0.5) * cells->edge;
  cell->half = 0.5 * cells->edge;
  cell->shell = (float)((cells->reach - BT_VINA_CUTOFF) / BT_VINA_SHELLS);
  if (find_atoms(cells, cell) && fill_arrays(cells, cell)) return cell;
  free_cell(cell);
  return NULL;
}

static size_t bytes_of(const bt_vina_cells *cells, const bt_vina_cell *cell) {
  size_t arrays = (size_t)(ARRAYS + cells->n_patterns) * (size_t)cell->padded * sizeof *cell->arrays;
  return sizeof *cell + (size_t)cell->count * sizeof *cell->atoms + arrays;
}

/* Puts a cell into its place, unless another thread was faster. */
static const bt_vina_cell *add_cell(bt_vina_cells *cells, _Atomic(bt_vina_cell *) *place, const int at[3]) {
  if (atomic_load_explicit(&cells->bytes, memory_order_relaxed) > most_bytes) return NULL;
  bt_vina_cell *mine = make_cell(cells, at), *others = NULL;
  if (mine == NULL) return NULL;
  if (!atomic_compare_exchange_strong_explicit(place, &others, mine, memory_order_acq_rel, memory_order_acquire)) {
    free_cell(mine);
    return others;
  }
  atomic_fetch_add_explicit(&cells->bytes, bytes_of(cells, mine), memory_order_relaxed);
  return mine;
}

const bt_vina_cell *bt_vina_cells_at(bt_vina_cells *cells, const double point[3]) {
  int at[3];
  for (int k = 0; k < 3; k++) {
    double cell = floor((point[k] - cells->low[k]) / cells->edge);
    if (!(cell >= 0.0 && cell < cells->n[k])) return NULL;
    at[k] = (int)cell;
  }
  size_t index = ((size_t)at[2] * (size_t)cells->n[1] + (size_t)at[1]) * (size_t)cells->n[0] + (size_t)at[0];
  const bt_vina_cell *made = atomic_load_explicit(&cells->cells[index], memory_order_acquire);
  return made != NULL ? made : add_cell(cells, &cells->cells[index], at);
}

bool bt_vina_cells_pairs(const bt_vina_cells *cells, const bt_vina_class *class, const bt_vina_cell *cell,
                         bt_grid_vina_point *ret_pairs) {
  const profile *mine = &cells->profiles[class->index];
  if (!mine->regular) return false;
  *ret_pairs = (bt_grid_vina_point){.count = cell->padded,
                                    .x = {array_of(cell, 0), array_of(cell, 1), array_of(cell, 2)},
                                    .radius = mine->radius,
                                    .radii = array_of(cell, 3),
                                    .ramp = array_of(cell, ARRAYS + mine->pattern),
                                    .top = mine->top,
                                    .width = mine->width};
  return true;
}
