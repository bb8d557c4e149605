/* geometry.c - tests of the molecule alone: bounds of distances, planes, configurations, internal energy. */
#include <math.h>

#include "base/memory.h"
#include "base/vector.h"
#include "results/checks/checks.h"

enum { MEAN_CONFORMERS = 50, MEAN_SEED = 42 };
static const double mean_seconds = 60.0; /* conformers of a large ring system may take for ever */

typedef enum pair_kind { PAIR_BOND, PAIR_ANGLE, PAIR_OTHER } pair_kind;

/* Two heavy atoms. */
typedef struct pair {
  int a, b;
  pair_kind kind;
  double lower, upper; /* Angstrom */
} pair;

/* Atoms that share a plane, or must not. */
typedef struct plane {
  int atoms[6], n;
  bt_check check;
} plane;

struct bt_check_geometry {
  const bt_chemistry *chemistry;
  int n_atoms, n_bonds;
  bt_rdatom *atoms;
  bt_rdbond *bonds;
  bool bounded; /* bounds are known */
  pair *pairs;
  size_t n_pairs, pair_room;
  plane *planes;
  size_t n_planes, plane_room;
  bt_rdmol *opt_isomer; /* with the stated configurations */
  double mean;          /* energy of relaxed conformers, kcal/mol; NaN: not asked for, or not known */
};

/* ---- 1. pairs ---- */

/* 1: neighbors, 2: they share one, 0: neither. marks[n * n] */
static void mark_neighbors(const bt_check_geometry *g, unsigned char *marks) {
  size_t n = (size_t)g->n_atoms;
  for (int p = 0; p < g->n_bonds; p++)
    for (int q = 0; q < p; q++) {
      const bt_rdbond *one = &g->bonds[p], *other = &g->bonds[q];
      int ends[2] = {-1, -1};
      if (one->a == other->a) ends[0] = one->b, ends[1] = other->b;
      if (one->a == other->b) ends[0] = one->b, ends[1] = other->a;
      if (one->b == other->a) ends[0] = one->a, ends[1] = other->b;
      if (one->b == other->b) ends[0] = one->a, ends[1] = other->a;
      if (ends[0] >= 0) marks[(size_t)ends[0] * n + (size_t)ends[1]] = marks[(size_t)ends[1] * n + (size_t)ends[0]] = 2;
    }
  for (int p = 0; p < g->n_bonds; p++) {
    size_t a = (size_t)g->bonds[p].a, b = (size_t)g->bonds[p].b;
    marks[a * n + b] = marks[b * n + a] = 1;
  }
}

static bt_status add_pairs(bt_check_geometry *g, bt_error *opt_error) {
  size_t n = (size_t)g->n_atoms;
  BT_SCOPED double *bounds = bt_allocate(n * n, sizeof *bounds);
  BT_SCOPED unsigned char *marks = bt_allocate(n * n, 1);
  if (bounds == NULL || marks == NULL) return bt_fail_memory(opt_error);
  BT_TRY(bt_rdmol_bounds(g->chemistry->mol, bounds, &g->bounded, opt_error));
  mark_neighbors(g, marks);
  for (int a = 0; a < g->n_atoms; a++)
    for (int b = a + 1; b < g->n_atoms; b++) {
      size_t ab = (size_t)a * n + (size_t)b, ba = (size_t)b * n + (size_t)a;
      if (g->atoms[a].element == 1 || g->atoms[b].element == 1) continue;
      const pair made = {.a = a,
                         .b = b,
                         .kind = marks[ab] == 1 ? PAIR_BOND
                               : marks[ab] == 2 ? PAIR_ANGLE
                                                : PAIR_OTHER,
                         .lower = bounds[ba],
                         .upper = bounds[ab]};
      if (!BT_APPEND(g->pairs, g->n_pairs, &g->pair_room, made)) return bt_fail_memory(opt_error);
    }
  return BT_OK;
}

static bool is_terminal(const bt_check_geometry *g, int atom, int *ret_center, int *ret_order) {
  int element = g->atoms[atom].element, found = 0;
  *ret_center = *ret_order = -1;
  if (element != 7 && element != 8) return false;
  for (int p = 0; p < g->n_bonds; p++) {
    const bt_rdbond *bond = &g->bonds[p];
    if (bond->a != atom && bond->b != atom) continue;
    *ret_center = bond->a == atom ? bond->b : bond->a;
    *ret_order = bond->order;
    found++;
  }
  return found == 1;
}

/* Has the terminal atom a partner at its center by a bond of the other order: carboxylates, nitro groups, phosphates?
 */
static bool is_conjugated(const bt_check_geometry *g, int atom) {
  int center, order, other_center, other_order;
  if (!is_terminal(g, atom, &center, &order) || order < 1 || order > 2) return false;
  for (int k = 0; k < g->n_atoms; k++)
    if (k != atom && is_terminal(g, k, &other_center, &other_order) && other_center == center &&
        order + other_order == 3)
      return true;
  return false;
}

/* Which of two bonds is the double one is a matter of drawing: bonds of the same elements get the widest bounds. */
static bt_status widen_conjugated(bt_check_geometry *g, bt_error *opt_error) {
  BT_SCOPED bool *chosen = bt_allocate(g->n_pairs, sizeof *chosen);
  BT_SCOPED bool *conjugated = bt_allocate((size_t)g->n_atoms, sizeof *conjugated);
  if (chosen == NULL || conjugated == NULL) return bt_fail_memory(opt_error);
  for (int i = 0; i < g->n_atoms; i++) conjugated[i] = is_conjugated(g, i);
  for (size_t p = 0; p < g->n_pairs; p++)
    chosen[p] = g->pairs[p].kind == PAIR_BOND && (conjugated[g->pairs[p].a] || conjugated[g->pairs[p].b]);
  for (size_t p = 0; p < g->n_pairs; p++)
    for (size_t q = 0; chosen[p] && q < g->n_pairs; q++) {
      pair *one = &g->pairs[p];
      const pair *other = &g->pairs[q];
      int a = g->atoms[one->a].element, b = g->atoms[one->b].element;
      int c = g->atoms[other->a].element, d = g->atoms[other->b].element;
      if (!chosen[q] || !((a == c && b == d) || (a == d && b == c))) continue;
      one->lower = fmin(one->lower, other->lower);
      one->upper = fmax(one->upper, other->upper);
    }
  return BT_OK;
}

/* ---- 2. planes ---- */

#define AROMATIC5 "[ar5^2]"
#define AROMATIC6 "[ar6^2]"
#define ANY "[C,O,S,N;R1]"
#define CARBON "[C;R1]"

/* Rings of six that are not flat: with one double bond at most, or with two that share no atom and are not
 * conjugated to anything between them. */
static const struct {
  bt_check check;
  const char *pattern;
} patterns[] = {
    {BT_CHECK_AROMATIC_RING_FLATNESS, AROMATIC5 "1" AROMATIC5 AROMATIC5 AROMATIC5 AROMATIC5 "1"},
    {BT_CHECK_AROMATIC_RING_FLATNESS, AROMATIC6 "1" AROMATIC6 AROMATIC6 AROMATIC6 AROMATIC6 AROMATIC6 "1"},
    {BT_CHECK_RING_NONFLATNESS, ANY "~1" ANY ANY ANY ANY ANY "1"},
    {BT_CHECK_RING_NONFLATNESS, CARBON "~1" CARBON ANY "~" ANY CARBON CARBON "1"},
    {BT_CHECK_RING_NONFLATNESS, CARBON "~1" CARBON CARBON "~" CARBON ANY CARBON "1"},
    {BT_CHECK_RING_NONFLATNESS, CARBON "~1" CARBON CARBON ANY "~" ANY CARBON "1"},
    {BT_CHECK_RING_NONFLATNESS, CARBON "~1" CARBON ANY CARBON "~" CARBON CARBON "1"},
    {BT_CHECK_DOUBLE_BOND_FLATNESS, "[C;X3;^2](*)(*)=[C;X3;^2](*)(*)"},
};

static bool same_atoms(const plane *one, const plane *other) {
  int common = 0;
  if (one->n != other->n || one->check != other->check) return false;
  for (int i = 0; i < one->n; i++)
    for (int j = 0; j < other->n; j++) common += one->atoms[i] == other->atoms[j];
  return common == one->n;
}

static bt_status add_plane(bt_check_geometry *g, bt_check check, const int *match, int n, bt_error *opt_error) {
  plane made = {.n = n, .check = check};
  for (int i = 0; i < n; i++) made.atoms[i] = match[i];
  for (size_t k = 0; k < g->n_planes; k++)
    if (same_atoms(&g->planes[k], &made)) return BT_OK;
  return BT_APPEND(g->planes, g->n_planes, &g->plane_room, made) ? BT_OK : bt_fail_memory(opt_error);
}

static bt_status add_planes(bt_check_geometry *g, bt_error *opt_error) {
  for (size_t k = 0; k < sizeof patterns / sizeof patterns[0]; k++) {
    bt_smarts *smarts;
    BT_SCOPED int *matches = NULL;
    int count = 0;
    BT_TRY(bt_smarts_create(patterns[k].pattern, &smarts, opt_error));
    int n = bt_smarts_size(smarts);
    bt_status status = bt_smarts_match(smarts, g->chemistry->mol, &matches, &count, opt_error);
    bt_smarts_destroy(smarts);
    for (int m = 0; status == BT_OK && m < count; m++)
      status = add_plane(g, patterns[k].check, matches + m * n, n, opt_error);
    BT_TRY(status);
  }
  return BT_OK;
}

/* The unit vector along which the points, whose middle is the origin, extend least: an eigenvector of their covariance,
 * by Jacobi's rotations. */
static void normal_of(double (*points)[3], int n, double normal[3]) {
  double a[3][3] = {{0}}, v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int i = 0; i < n; i++)
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < 3; c++) a[r][c] += points[i][r] * points[i][c];
  for (int sweep = 0; sweep < 50 && fabs(a[0][1]) + fabs(a[0][2]) + fabs(a[1][2]) > 1e-14; sweep++)
    for (int p = 0; p < 2; p++)
      for (int q = p + 1; q < 3; q++) {
        if (fabs(a[p][q]) < 1e-300) continue;
        double theta = 0.5 * atan2(2 * a[p][q], a[q][q] - a[p][p]), c = cos(theta), s = sin(theta);
        for (int k = 0; k < 3; k++) {
          double kp = a[k][p], kq = a[k][q];
          a[k][p] = c * kp - s * kq, a[k][q] = s * kp + c * kq;
        }
        for (int k = 0; k < 3; k++) {
          double pk = a[p][k], qk = a[q][k], vp = v[k][p], vq = v[k][q];
          a[p][k] = c * pk - s * qk, a[q][k] = s * pk + c * qk;
          v[k][p] = c * vp - s * vq, v[k][q] = s * vp + c * vq;
        }
      }
  int least = a[1][1] < a[0][0] ? 1 : 0;
  if (a[2][2] < a[least][least]) least = 2;
  for (int k = 0; k < 3; k++) normal[k] = v[k][least];
}

/* Of the atom farthest from the plane that fits them best, Angstrom. */
static double distance_from_plane(const plane *of, const double (*x)[3]) {
  double points[6][3], middle[3] = {0}, normal[3], most = 0;
  for (int i = 0; i < of->n; i++) bt_v3_add(middle, middle, 1.0 / of->n, x[of->atoms[i]]);
  for (int i = 0; i < of->n; i++) bt_v3_subtract(points[i], x[of->atoms[i]], middle);
  normal_of(points, of->n, normal);
  for (int i = 0; i < of->n; i++) most = fmax(most, fabs(bt_v3_dot(points[i], normal)));
  return most;
}

/* ---- 3. before any pose ---- */

void bt_check_geometry_destroy(bt_check_geometry *opt_geometry) {
  if (opt_geometry == NULL) return;
  bt_rdmol_destroy(opt_geometry->opt_isomer);
  free(opt_geometry->atoms);
  free(opt_geometry->bonds);
  free(opt_geometry->pairs);
  free(opt_geometry->planes);
  free(opt_geometry);
}

/* What RDKit cannot make of this molecule is a test that is not made. */
bt_status bt_check_geometry_find_mean(bt_check_geometry *geometry, double *ret_mean, bt_error *opt_error) {
  const bt_deadline deadline = bt_deadline_begin(mean_seconds, NULL, NULL);
  bt_error error = {0};
  double mean = NAN;
  bt_status status = bt_rdmol_uff_mean(geometry->chemistry->mol, MEAN_CONFORMERS, MEAN_SEED, &deadline, &mean, &error);
  if (status != BT_OK) mean = NAN;
  *ret_mean = geometry->mean = mean;
  if (status == BT_OK || bt_status_concerns_ligand(status)) return BT_OK;
  if (opt_error != NULL) *opt_error = error;
  return status;
}

void bt_check_geometry_set_mean(bt_check_geometry *geometry, double mean) { geometry->mean = mean; }

static bt_status fill(bt_check_geometry *g, bool stereo, bt_error *opt_error) {
  const bt_rdmol *mol = g->chemistry->mol;
  g->n_atoms = bt_rdmol_atom_count(mol);
  g->n_bonds = bt_rdmol_bond_count(mol);
  g->atoms = bt_allocate((size_t)g->n_atoms, sizeof *g->atoms);
  g->bonds = bt_allocate((size_t)g->n_bonds, sizeof *g->bonds);
  if (g->atoms == NULL || g->bonds == NULL) return bt_fail_memory(opt_error);
  bt_rdmol_atoms(mol, g->atoms);
  bt_rdmol_bonds(mol, g->bonds);
  BT_TRY(add_pairs(g, opt_error));
  BT_TRY(widen_conjugated(g, opt_error));
  BT_TRY(add_planes(g, opt_error));
  if (!stereo) return BT_OK;
  BT_TRY(bt_chemistry_isomer(g->chemistry, &g->opt_isomer, opt_error));
  bt_rdmol_atoms(g->opt_isomer, g->atoms); /* the input may leave configurations open */
  bt_rdmol_bonds(g->opt_isomer, g->bonds);
  return BT_OK;
}

bt_status bt_check_geometry_create(const bt_chemistry *chemistry, bool stereo, bt_check_geometry **ret_geometry,
                                   bt_error *opt_error) {
  bt_check_geometry *made = bt_allocate(1, sizeof *made);
  if (made == NULL) return bt_fail_memory(opt_error);
  made->chemistry = chemistry;
  made->mean = NAN;
  bt_status status = fill(made, stereo, opt_error);
  if (status == BT_OK)
    *ret_geometry = made;
  else
    bt_check_geometry_destroy(made);
  return status;
}

/* ---- 4. a pose ---- */

static void judge_pairs(const bt_check_geometry *g, const double (*x)[3], bt_checks *checks) {
  double worst[PAIR_OTHER + 1] = {NAN, NAN, NAN};
  for (size_t p = 0; g->bounded && p < g->n_pairs; p++) {
    const pair *of = &g->pairs[p];
    double distance = bt_v3_distance(x[of->a], x[of->b]), beyond = 0;
    if (distance < of->lower) beyond = (of->lower - distance) / of->lower;
    if (distance > of->upper && of->kind != PAIR_OTHER) beyond = (distance - of->upper) / of->upper;
    worst[of->kind] = fmax(worst[of->kind], beyond);
  }
  bt_checks_set(checks, BT_CHECK_BOND_LENGTHS, worst[PAIR_BOND]);
  bt_checks_set(checks, BT_CHECK_BOND_ANGLES, worst[PAIR_ANGLE]);
  bt_checks_set(checks, BT_CHECK_INTERNAL_CLASH, worst[PAIR_OTHER]);
}

static void judge_planes(const bt_check_geometry *g, const double (*x)[3], bt_checks *checks) {
  for (size_t k = 0; k < g->n_planes; k++) {
    bt_check check = g->planes[k].check;
    double distance = distance_from_plane(&g->planes[k], x), before = checks->values[check];
    bt_checks_set(checks, check, check == BT_CHECK_RING_NONFLATNESS ? fmin(before, distance) : fmax(before, distance));
  }
}

static bool states_any(const bt_check_geometry *g, bool bonds) {
  for (int i = 0; !bonds && i < g->n_atoms; i++)
    if (g->atoms[i].stereo) return true;
  for (int p = 0; bonds && p < g->n_bonds; p++)
    if (g->bonds[p].stereo) return true;
  return false;
}

bt_status bt_check_geometry_judge(const bt_check_geometry *geometry, const double (*x)[3], bt_checks *checks,
                                  bt_error *opt_error) {
  judge_pairs(geometry, x, checks);
  judge_planes(geometry, x, checks);
  if (geometry->opt_isomer != NULL) {
    int centers, bonds;
    BT_TRY(bt_rdmol_wrong_stereo(geometry->opt_isomer, x, &centers, &bonds, opt_error));
    if (centers > 0 || states_any(geometry, false)) bt_checks_set(checks, BT_CHECK_TETRAHEDRAL_STEREO, centers);
    if (bonds > 0 || states_any(geometry, true)) bt_checks_set(checks, BT_CHECK_DOUBLE_BOND_STEREO, bonds);
  }
  if (!isnan(geometry->mean)) {
    double energy;
    BT_TRY(bt_rdmol_uff_energy(geometry->chemistry->mol, x, &energy, opt_error));
    bt_checks_set(checks, BT_CHECK_INTERNAL_ENERGY, energy / geometry->mean);
  }
  return BT_OK;
}
