/* pockets.c - where a ligand may bind: places at the receptor where a carbon probe binds well and is buried.
 *
 * The map of a carbon on a coarse grid around the whole receptor is the start, as in An, Totrov and Abagyan, Mol. Cell.
 * Proteomics 4, 752 (2005), weighed by how many directions end at the receptor (Hendlich, Rippmann and Barnickel, J.
 * Mol. Graph. Model. 15, 359 (1997)), and added up over balls of a ligand's size. docs/decisions/019-pockets.md has the
 * measurements behind the numbers.
 */
#include <berth/berth.h>
#include <berth/grid.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "grid/maps/maps.h"

static const double spacing = 1.0;         /* Angstrom */
static const double smallest = 60.0;       /* Angstrom^3, of a pocket */
static const double margin = 5.0;          /* Angstrom around the receptor */
static const double clash = 1.0;           /* kcal/mol of a carbon inside the receptor */
static const double reach = 10.0;          /* Angstrom within which a direction may meet the receptor */
static const double open_share = 0.5;      /* of the directions: points that meet fewer are not part of a pocket */
static const double exponent = 1.5;        /* of the share */
static const double lowest_share = 0.3;    /* of the best pocket's score */
enum { RADIUS = 6, APART = 8, MOVES = 2 }; /* grid points: of a ball; between two centers; of a center */

typedef struct field {
  const bt_maps *maps;
  int n[3];      /* points per axis */
  size_t points; /* all */
  float *depth;  /* what a point adds to a pocket */
  float *buried; /* share of directions that meet the receptor */
  double *sum;   /* depths within RADIUS of a point */
  bt_arena arena;
} field;

static void end_field(field *f) { bt_arena_destroy(&f->arena); }

static size_t point_at(const field *f, int x, int y, int z) {
  return ((size_t)z * (size_t)f->n[1] + (size_t)y) * (size_t)f->n[0] + (size_t)x;
}

static void place_of(const field *f, size_t point, int ret_index[3]) {
  ret_index[0] = (int)(point % (size_t)f->n[0]);
  ret_index[1] = (int)(point / (size_t)f->n[0] % (size_t)f->n[1]);
  ret_index[2] = (int)(point / (size_t)f->n[0] / (size_t)f->n[1]);
}

static bool is_inside(const field *f, size_t point) { return (double)f->maps->values[0][point] > clash; }

/* ---- 1. burial ---- */

/* Does the receptor lie in this direction? */
static bool meets(const field *f, const int from[3], const int step[3]) {
  double length = f->maps->box.spacing * sqrt(step[0] * step[0] + step[1] * step[1] + step[2] * step[2]);
  int at[3] = {from[0], from[1], from[2]};
  for (int i = 1; i * length <= reach; i++) {
    for (int k = 0; k < 3; k++) {
      at[k] += step[k];
      if (at[k] < 0 || at[k] >= f->n[k]) return false;
    }
    if (is_inside(f, point_at(f, at[0], at[1], at[2]))) return true;
  }
  return false;
}

/* The 26 directions to the neighbors in a cube. */
static double burial(const field *f, const int from[3]) {
  int met = 0;
  for (int d = 0; d < 27; d++) {
    const int step[3] = {d % 3 - 1, d / 3 % 3 - 1, d / 9 - 1};
    met += d != 13 && meets(f, from, step);
  }
  return met / 26.0;
}

/* Of points outside the receptor where a carbon binds; the others keep zero. */
static void find_depths(field *f) {
  for (size_t p = 0; p < f->points; p++) {
    double energy = (double)f->maps->values[0][p];
    if (energy >= 0) continue;
    int at[3];
    place_of(f, p, at);
    double share = burial(f, at);
    f->buried[p] = (float)share;
    if (share >= open_share) f->depth[p] = (float)(-energy * pow(share, exponent));
  }
}

/* ---- 2. balls ---- */

static int lower(int x) { return x < 0 ? 0 : x; }
static int upper(int x, int n) { return x < n ? x : n - 1; }

/* Depths within RADIUS of every point that has one: row by row of the ball, from sums along x. */
static bt_status add_up(field *f, bt_error *opt_error) {
  double *before; /* depths of all points before one */
  BT_NEW(&f->arena, before, f->points + 1);
  BT_TRY(bt_arena_status(&f->arena, opt_error));
  for (size_t p = 0; p < f->points; p++) before[p + 1] = before[p] + (double)f->depth[p];
  for (size_t p = 0; p < f->points; p++) {
    int at[3];
    if (f->depth[p] <= 0) continue;
    place_of(f, p, at);
    for (int z = lower(at[2] - RADIUS); z <= upper(at[2] + RADIUS, f->n[2]); z++)
      for (int y = lower(at[1] - RADIUS); y <= upper(at[1] + RADIUS, f->n[1]); y++) {
        int rest = RADIUS * RADIUS - (z - at[2]) * (z - at[2]) - (y - at[1]) * (y - at[1]);
        if (rest < 0) continue;
        int half = (int)sqrt((double)rest);
        f->sum[p] += before[point_at(f, upper(at[0] + half, f->n[0]), y, z) + 1] -
                     before[point_at(f, lower(at[0] - half), y, z)];
      }
  }
  return BT_OK;
}

static double apart(const field *f, size_t point, const double center[3]) {
  int at[3];
  place_of(f, point, at);
  double sum = 0;
  for (int k = 0; k < 3; k++) sum += (at[k] - center[k]) * (at[k] - center[k]);
  return sqrt(sum);
}

/* ---- 3. pockets ---- */

/* What lies within RADIUS of a center, which is in grid points and moves to the middle of the depths. */
static bt_pocket look(const field *f, double center[3]) {
  bt_pocket pocket = {0};
  double middle[3] = {0}, cell = pow(f->maps->box.spacing, 3);
  for (size_t p = 0; p < f->points; p++) {
    int at[3];
    if (f->depth[p] <= 0 || apart(f, p, center) > RADIUS) continue;
    place_of(f, p, at);
    for (int k = 0; k < 3; k++) {
      double x = f->maps->low[k] + at[k] * f->maps->box.spacing;
      if (pocket.volume == 0 || x < pocket.low[k]) pocket.low[k] = x;
      if (pocket.volume == 0 || x > pocket.high[k]) pocket.high[k] = x;
      middle[k] += (double)f->depth[p] * at[k];
    }
    pocket.volume += cell;
    pocket.score += cell * (double)f->depth[p];
    pocket.buried += cell * (double)f->buried[p];
  }
  if (pocket.volume > 0) pocket.buried /= pocket.volume;
  for (int k = 0; k < 3; k++) {
    if (pocket.volume > 0) center[k] = middle[k] * cell / pocket.score;
    pocket.center[k] = f->maps->low[k] + center[k] * f->maps->box.spacing;
  }
  return pocket;
}

static void forget(field *f, const double center[3]) {
  for (size_t p = 0; p < f->points; p++)
    if (f->sum[p] > 0 && apart(f, p, center) <= APART) f->sum[p] = 0;
}

static size_t highest(const field *f) {
  size_t best = 0;
  for (size_t p = 1; p < f->points; p++)
    if (f->sum[p] > f->sum[best]) best = p;
  return best;
}

static int by_score(const void *a, const void *b) {
  const bt_pocket *p = a, *q = b;
  if (p->score != q->score) return p->score > q->score ? -1 : 1;
  return memcmp(p->center, q->center, sizeof p->center);
}

static bt_status find_in(field *f, bt_pocket **ret_pockets, int *ret_count, bt_error *opt_error) {
  bt_pocket *pockets = bt_allocate(1, sizeof *pockets);
  size_t room = 1;
  int count = 0;
  if (pockets == NULL) return bt_fail_memory(opt_error);
  find_depths(f);
  bt_status status = add_up(f, opt_error);
  double best = 0;
  for (size_t p; status == BT_OK && f->sum[p = highest(f)] > lowest_share * best && f->sum[p] > 0;) {
    int at[3];
    place_of(f, p, at);
    double center[3] = {at[0], at[1], at[2]};
    bt_pocket pocket = {0};
    forget(f, center);
    for (int move = 0; move < MOVES; move++) pocket = look(f, center);
    forget(f, center);
    if (pocket.score > best) best = pocket.score;
    if (pocket.volume < smallest) continue;
    if (!BT_GROW(pockets, &room, count + 1))
      status = bt_fail_memory(opt_error);
    else
      pockets[count++] = pocket;
  }
  if (status != BT_OK) {
    free(pockets);
    return status;
  }
  qsort(pockets, (size_t)count, sizeof *pockets, by_score);
  *ret_pockets = pockets;
  *ret_count = count;
  return BT_OK;
}

static bt_status find_in_maps(const bt_maps *maps, bt_pocket **ret_pockets, int *ret_count, bt_error *opt_error) {
  BT_ENDED_BY(end_field) field f = {.maps = maps, .points = bt_maps_points(maps)};
  for (int k = 0; k < 3; k++) f.n[k] = maps->box.npts[k] + 1;
  BT_NEW(&f.arena, f.depth, f.points);
  BT_NEW(&f.arena, f.buried, f.points);
  BT_NEW(&f.arena, f.sum, f.points);
  BT_TRY(bt_arena_status(&f.arena, opt_error));
  return find_in(&f, ret_pockets, ret_count, opt_error);
}

/* ---- 4. the map ---- */

static bt_status carbon_map(const bt_molecule *receptor, const bt_grid_options *options, bt_maps **ret_maps,
                            bt_error *opt_error) {
  bt_grid_options coarse = *options;
  double low[3], high[3], middle[3], edges[3];
  BT_TRY(bt_molecule_extent(receptor, NULL, low, high, opt_error));
  for (int k = 0; k < 3; k++) {
    middle[k] = 0.5 * (low[k] + high[k]);
    edges[k] = high[k] - low[k] + 2 * margin;
  }
  coarse.scoring = BT_SCORING_AD4;
  coarse.no_electrostatics = true;
  coarse.box = bt_box_from_size(middle, edges, spacing);
  return bt_maps_compute(receptor, (const char *[]){"C"}, 1, &coarse, ret_maps, opt_error);
}

bt_status bt_pockets_find(const bt_molecule *receptor, const bt_grid_options *options, bt_pocket **ret_pockets,
                          int *ret_count, bt_error *opt_error) {
  bt_maps *maps = NULL;
  *ret_pockets = NULL;
  *ret_count = 0;
  BT_TRY(carbon_map(receptor, options, &maps, opt_error));
  bt_status status = find_in_maps(maps, ret_pockets, ret_count, opt_error);
  bt_maps_destroy(maps);
  return status;
}
