/* pockets.c - where a ligand may bind: places beside the receptor where a carbon probe is held well and from all sides.
 *
 * The map of a carbon on a coarse grid around the whole receptor is the start, as in An, Totrov and Abagyan, Mol. Cell.
 * Proteomics 4, 752 (2005), weighed by how many directions end at the receptor (Hendlich, Rippmann and Barnickel, J. Mol.
 * Graph. Model. 15, 359 (1997)). docs/decisions/019-pockets.md has the measurements behind the numbers.
 */
#include <berth/grid.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "grid/maps.h"

static const double spacing = 1.0;        /* Angstrom */
static const double smallest = 60.0;      /* Angstrom^3, of a pocket */
static const double margin = 5.0;         /* Angstrom around the receptor */
static const double clash = 0.5;          /* kcal/mol of a carbon inside the receptor */
static const double blur = 2.0;           /* Angstrom, standard deviation of the smoothing */
static const double reach = 8.0;          /* Angstrom that a direction goes to meet the receptor */
static const double open_share = 0.5;     /* of the directions: points that meet fewer are no part of a pocket */
static const double lowest_depth = 0.08;  /* smoothed depth of a pocket's points, kcal/mol */
static const double valley = 0.85;        /* two places are one pocket where the depth between them is that of the
                                           * shallower one, times this */

typedef struct field {
  const bt_maps *maps;
  int n[3];      /* points per axis */
  size_t points; /* all */
  float *depth;  /* smoothed */
  float *buried; /* share of directions that meet the receptor */
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

/* The 26 directions to the neighbours in a cube. */
static double burial(const field *f, const int from[3]) {
  int met = 0;
  for (int d = 0; d < 27; d++) {
    const int step[3] = {d % 3 - 1, d / 3 % 3 - 1, d / 9 - 1};
    met += d != 13 && meets(f, from, step);
  }
  return met / 26.0;
}

/* Of points outside the receptor that a carbon likes; the others keep zero. */
static void find_depths(field *f) {
  for (size_t p = 0; p < f->points; p++) {
    double energy = (double)f->maps->values[0][p];
    if (energy >= 0) continue;
    int at[3];
    place_of(f, p, at);
    double share = burial(f, at);
    f->buried[p] = (float)share;
    if (share >= open_share) f->depth[p] = (float)(-energy * share);
  }
}

/* ---- 2. smoothing ---- */

/* Along one axis. */
static void smooth_line(const float *from, float *to, int n, size_t stride, const double *weights, int width) {
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int k = -width; k <= width; k++)
      if (i + k >= 0 && i + k < n) sum += weights[abs(k)] * (double)from[(size_t)(i + k) * stride];
    to[(size_t)i * stride] = (float)sum;
  }
}

static bt_status smooth(field *f, bt_error *opt_error) {
  double sigma = blur / f->maps->box.spacing, sum = 0;
  int width = (int)ceil(3 * sigma);
  double *weights;
  float *other;
  BT_NEW(&f->arena, weights, width + 1);
  BT_NEW(&f->arena, other, f->points);
  BT_TRY(bt_arena_status(&f->arena, opt_error));
  for (int k = 0; k <= width; k++) sum += (k == 0 ? 1 : 2) * (weights[k] = exp(-0.5 * k * k / (sigma * sigma)));
  for (int k = 0; k <= width; k++) weights[k] /= sum;
  size_t stride = 1;
  for (int axis = 0; axis < 3; axis++) {
    for (size_t p = 0; p < f->points; p++)
      if (p / stride % (size_t)f->n[axis] == 0)
        smooth_line(f->depth + p, other + p, f->n[axis], stride, weights, width);
    float *swap = f->depth;
    f->depth = other;
    other = swap;
    stride *= (size_t)f->n[axis];
  }
  return BT_OK;
}

/* ---- 3. basins ---- */

typedef struct member {
  size_t point;
  double depth;
} member;

static int by_depth(const void *a, const void *b) {
  const member *p = a, *q = b;
  if (p->depth != q->depth) return p->depth > q->depth ? -1 : 1;
  return p->point < q->point ? -1 : p->point > q->point;
}

/* Points from the deepest on: each joins the basins that it touches, or opens one. */
typedef struct basins {
  member *members; /* [count] */
  int count;
  int *of_point;   /* [points] position among the members + 1; 0: none or not yet */
  int *parent;     /* [count] towards the deepest of its basin */
} basins;

static int root_of(basins *b, int m) {
  while (b->parent[m] != m) m = b->parent[m] = b->parent[b->parent[m]];
  return m;
}

static void join(basins *b, int a, int c, double depth) {
  int first = root_of(b, a), second = root_of(b, c);
  if (first == second) return;
  int deeper = first < second ? first : second, other = first < second ? second : first;
  if (depth >= valley * b->members[other].depth) b->parent[other] = deeper;
}

static void add_member(const field *f, basins *b, int m) {
  int at[3], best = -1;
  place_of(f, b->members[m].point, at);
  int touched[26], n_touched = 0;
  for (int d = 0; d < 27; d++) {
    const int x = at[0] + d % 3 - 1, y = at[1] + d / 3 % 3 - 1, z = at[2] + d / 9 - 1;
    if (d == 13 || x < 0 || y < 0 || z < 0 || x >= f->n[0] || y >= f->n[1] || z >= f->n[2]) continue;
    int other = b->of_point[point_at(f, x, y, z)] - 1;
    if (other < 0) continue;
    touched[n_touched++] = other;
    if (best < 0 || other < best) best = other;
  }
  b->parent[m] = best < 0 ? m : root_of(b, best);
  b->of_point[b->members[m].point] = m + 1;
  for (int i = 0; i < n_touched; i++) join(b, touched[i], m, b->members[m].depth);
}

static bt_status find_basins(field *f, basins *b, bt_error *opt_error) {
  for (size_t p = 0; p < f->points; p++) b->count += (double)f->depth[p] >= lowest_depth && !is_inside(f, p);
  BT_NEW(&f->arena, b->members, b->count);
  BT_NEW(&f->arena, b->parent, b->count);
  BT_NEW(&f->arena, b->of_point, f->points);
  BT_TRY(bt_arena_status(&f->arena, opt_error));
  int m = 0;
  for (size_t p = 0; p < f->points; p++)
    if ((double)f->depth[p] >= lowest_depth && !is_inside(f, p)) b->members[m++] = (member){p, (double)f->depth[p]};
  qsort(b->members, (size_t)b->count, sizeof *b->members, by_depth);
  for (m = 0; m < b->count; m++) add_member(f, b, m);
  return BT_OK;
}

/* ---- 4. pockets ---- */

static void position_of(const field *f, size_t point, double ret_x[3]) {
  int at[3];
  place_of(f, point, at);
  for (int k = 0; k < 3; k++) ret_x[k] = f->maps->low[k] + at[k] * f->maps->box.spacing;
}

static void add_to_pocket(const field *f, const member *m, bt_pocket *pocket) {
  double x[3], cell = pow(f->maps->box.spacing, 3);
  bool first = pocket->volume == 0;
  position_of(f, m->point, x);
  for (int k = 0; k < 3; k++) {
    pocket->center[k] += m->depth * x[k];
    if (first || x[k] < pocket->low[k]) pocket->low[k] = x[k];
    if (first || x[k] > pocket->high[k]) pocket->high[k] = x[k];
  }
  pocket->volume += cell;
  pocket->score += cell * m->depth;
  pocket->buried += (double)f->buried[m->point] * cell;
}

static void end_pocket(const field *f, bt_pocket *pocket) {
  double cell = pow(f->maps->box.spacing, 3);
  for (int k = 0; k < 3; k++) pocket->center[k] *= cell / pocket->score;
  pocket->buried /= pocket->volume;
}

static int by_score(const void *a, const void *b) {
  const bt_pocket *p = a, *q = b;
  if (p->score != q->score) return p->score > q->score ? -1 : 1;
  return memcmp(p->center, q->center, sizeof p->center);
}

static bt_status find_in(field *f, bt_pocket **ret_pockets, int *ret_count, bt_error *opt_error) {
  basins b = {0};
  find_depths(f);
  BT_TRY(smooth(f, opt_error));
  BT_TRY(find_basins(f, &b, opt_error));
  bt_pocket *pockets = bt_allocate((size_t)b.count, sizeof *pockets);
  if (pockets == NULL) return bt_fail_memory(opt_error);
  for (int m = 0; m < b.count; m++) add_to_pocket(f, &b.members[m], &pockets[root_of(&b, m)]);
  int kept = 0;
  for (int m = 0; m < b.count; m++) {
    if (pockets[m].volume < smallest) continue;
    pockets[kept] = pockets[m];
    end_pocket(f, &pockets[kept++]);
  }
  qsort(pockets, (size_t)kept, sizeof *pockets, by_score);
  *ret_pockets = pockets;
  *ret_count = kept;
  return BT_OK;
}

static bt_status find_in_maps(const bt_maps *maps, bt_pocket **ret_pockets, int *ret_count,
                              bt_error *opt_error) {
  BT_ENDED_BY(end_field) field f = {.maps = maps, .points = bt_maps_points(maps)};
  for (int k = 0; k < 3; k++) f.n[k] = maps->box.npts[k] + 1;
  BT_NEW(&f.arena, f.depth, f.points);
  BT_NEW(&f.arena, f.buried, f.points);
  BT_TRY(bt_arena_status(&f.arena, opt_error));
  return find_in(&f, ret_pockets, ret_count, opt_error);
}

/* ---- 5. the map ---- */

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
