/* test_symmetry.c - graph automorphisms against trying every permutation. */
#include <math.h>

#include "chem/symmetry.h"
#include "unit/assert_near.h"
#include "unit/support.h"

enum { MOST = 64 };

typedef struct small_graph {
  bt_graph graph;
  int atom[MOST], element[MOST], first[MOST + 1], neighbor[MOST * MOST];
  bool bonded[MOST][MOST];
} small_graph;

static bt_graph *finish(small_graph *s, int n) {
  int count = 0;
  for (int i = 0; i < n; i++) {
    s->atom[i] = i;
    s->first[i] = count;
    for (int j = 0; j < n; j++)
      if (s->bonded[i][j]) s->neighbor[count++] = j;
  }
  s->first[n] = count;
  s->graph = (bt_graph){.n = n, .atom = s->atom, .element = s->element, .first = s->first, .neighbor = s->neighbor};
  return &s->graph;
}

static void bond(small_graph *s, int i, int j) { s->bonded[i][j] = s->bonded[j][i] = true; }

static unsigned long long random_state = 1;
static double random_number(void) {
  random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
  return (double)(random_state >> 33) / 2147483648.0;
}

/* Calls itself for every permutation that keeps elements and bonds. */
static void try_all(const small_graph *a, const small_graph *b, int *map, bool *used, int depth, const double *xa,
                    const double *xb, double sum, int *count, double *least) {
  int n = a->graph.n;
  if (depth == n) {
    ++*count;
    *least = fmin(*least, sum);
    return;
  }
  for (int j = 0; j < n; j++) {
    bool fits = !used[j] && a->element[depth] == b->element[j];
    for (int i = 0; fits && i < depth; i++) fits = a->bonded[depth][i] == b->bonded[j][map[i]];
    if (!fits) continue;
    double d2 = 0;
    for (int k = 0; k < 3; k++) d2 += (xa[3 * depth + k] - xb[3 * j + k]) * (xa[3 * depth + k] - xb[3 * j + k]);
    map[depth] = j;
    used[j] = true;
    try_all(a, b, map, used, depth + 1, xa, xb, sum + d2, count, least);
    used[j] = false;
  }
}

static bt_symmetry *find(const bt_graph *a, const bt_graph *b) {
  bt_symmetry *symmetry;
  bool too_many;
  bt_error error;
  support_ok(bt_symmetry_create(a, b, &symmetry, &too_many, &error), &error);
  assert_false(too_many);
  return symmetry;
}

static void compare_with_all(const small_graph *a, const small_graph *b) {
  int n = a->graph.n, count = 0, map[MOST];
  bool used[MOST] = {0};
  double xa[3 * MOST], xb[3 * MOST], least = INFINITY;
  for (int k = 0; k < 3 * n; k++) {
    xa[k] = random_number();
    xb[k] = random_number();
  }
  try_all(a, b, map, used, 0, xa, xb, 0.0, &count, &least);
  bt_symmetry *symmetry = find(&a->graph, &b->graph);
  assert_int_equal(symmetry != NULL, count > 0);
  if (symmetry == NULL) return;
  assert_near(bt_symmetry_count(symmetry), count, 0.0);
  assert_near(bt_symmetry_minimum(symmetry, xa, xb), least, 1e-12);
  bt_symmetry_mapping(symmetry, map);
  for (int i = 0; i < n; i++) {
    assert_int_equal(a->element[i], b->element[map[i]]);
    for (int j = 0; j < n; j++) assert_int_equal(a->bonded[i][j], b->bonded[map[i]][map[j]]);
  }
  bt_symmetry_destroy(symmetry);
}

static void random_graphs_have_the_mappings_that_trying_finds(void **state) {
  (void)state;
  int with_symmetry = 0;
  for (int trial = 0; trial < 600; trial++) {
    small_graph a = {0}, b = {0};
    int n = 1 + trial % 7, order[8]; /* eight equal atoms alone would be 8! mappings, which is too many */
    double density = random_number();
    for (int i = 0; i < n; i++) {
      order[i] = i;
      a.element[i] = random_number() < 0.8 ? 6 : 8;
      for (int j = 0; j < i; j++)
        if (random_number() < density) bond(&a, i, j);
    }
    for (int i = n - 1; i > 0; i--) { /* b: the same graph in another order */
      int j = (int)(random_number() * (i + 1)), kept = order[i];
      order[i] = order[j];
      order[j] = kept;
    }
    for (int i = 0; i < n; i++) {
      b.element[order[i]] = a.element[i];
      for (int j = 0; j < i; j++)
        if (a.bonded[i][j]) bond(&b, order[i], order[j]);
    }
    finish(&a, n);
    finish(&b, n);
    compare_with_all(&a, &a);
    compare_with_all(&a, &b);
    bt_symmetry *own = find(&a.graph, &a.graph);
    with_symmetry += bt_symmetry_count(own) > 1;
    bt_symmetry_destroy(own);
    if (n < 2) continue;
    bool had = b.bonded[0][1]; /* one bond more or less is another graph */
    b.bonded[0][1] = b.bonded[1][0] = !had;
    finish(&b, n);
    compare_with_all(&a, &b);
  }
  assert_true(with_symmetry > 100);
}

/* Refinement alone cannot distinguish two triangles from a hexagon. */
static void two_triangles_are_no_hexagon(void **state) {
  (void)state;
  small_graph a = {0}, b = {0};
  for (int i = 0; i < 6; i++) {
    a.element[i] = b.element[i] = 6;
    bond(&a, i, (i + 1) % 6);
    bond(&b, i, i / 3 * 3 + (i + 1) % 3);
  }
  finish(&a, 6);
  finish(&b, 6);
  assert_null(find(&a.graph, &b.graph));
  bt_symmetry *hexagon = find(&a.graph, &a.graph), *triangles = find(&b.graph, &b.graph);
  assert_near(bt_symmetry_count(hexagon), 12, 0);
  assert_near(bt_symmetry_count(triangles), 72, 0);
  bt_symmetry_destroy(hexagon);
  bt_symmetry_destroy(triangles);
}

/* A chain whose ends differ, with a CF3 on each of nine carbons: 6^9 mappings, kept as nine choices of six. */
static void independent_groups_do_not_multiply(void **state) {
  (void)state;
  small_graph a = {0};
  int n = 0, groups = 9;
  for (int g = 0; g < groups; g++) {
    int carbon = n++;
    a.element[carbon] = 6;
    if (g > 0) bond(&a, carbon, carbon - 5);
    int cf3 = n++;
    a.element[cf3] = 6;
    bond(&a, carbon, cf3);
    for (int f = 0; f < 3; f++) {
      a.element[n] = 9;
      bond(&a, cf3, n++);
    }
  }
  a.element[n] = 7;
  bond(&a, n++, 0);
  finish(&a, n);
  bt_symmetry *symmetry = find(&a.graph, &a.graph);
  assert_non_null(symmetry);
  assert_near(bt_symmetry_count(symmetry), pow(6, groups), 0.5);
  /* two fluorines swapped in every group: another numbering of the same pose */
  double x[3 * MOST], y[3 * MOST];
  for (int k = 0; k < 3 * n; k++) x[k] = y[k] = random_number();
  for (int g = 0; g < groups; g++)
    for (int k = 0; k < 3; k++) {
      y[3 * (5 * g + 2) + k] = x[3 * (5 * g + 4) + k];
      y[3 * (5 * g + 4) + k] = x[3 * (5 * g + 2) + k];
    }
  assert_near(bt_symmetry_minimum(symmetry, x, y), 0.0, 1e-24);
  bt_symmetry_destroy(symmetry);
}

/* Buckminsterfullerene is one orbit of 60 atoms with 120 mappings. */
static void a_fullerene_has_120_mappings(void **state) {
  (void)state;
  /* truncated icosahedron: even permutations of (0, 1, 3p), (1, 2+p, 2p), (p, 2, 2p+1), all signs; edges have length 2
   */
  const double p = 1.6180339887498949, seed[3][3] = {{0, 1, 3 * p}, {1, 2 + p, 2 * p}, {p, 2, 2 * p + 1}};
  double x[60][3];
  int n = 0;
  for (int s = 0; s < 3; s++)
    for (int turn = 0; turn < 3; turn++)
      for (int sign = 0; sign < 8; sign++) {
        double v[3];
        bool again = false;
        for (int k = 0; k < 3; k++) v[k] = seed[s][(k + turn) % 3] * ((sign >> k & 1) ? -1 : 1);
        for (int k = 0; k < 3; k++) again = again || (v[k] == 0 && (sign >> k & 1));
        if (!again) memcpy(x[n++], v, sizeof v);
      }
  assert_int_equal(n, 60);
  small_graph a = {0};
  for (int i = 0; i < n; i++) {
    a.element[i] = 6;
    for (int j = 0; j < i; j++) {
      double d2 = 0;
      for (int k = 0; k < 3; k++) d2 += (x[i][k] - x[j][k]) * (x[i][k] - x[j][k]);
      if (d2 < 4.1) bond(&a, i, j);
    }
  }
  finish(&a, n);
  assert_int_equal(a.first[n], 180);
  bt_symmetry *symmetry = find(&a.graph, &a.graph);
  assert_near(bt_symmetry_count(symmetry), 120, 0);
  bt_symmetry_destroy(symmetry);
}

static void what_is_too_symmetric_is_given_up(void **state) {
  (void)state;
  small_graph a = {0};
  for (int i = 0; i < 20; i++) a.element[i] = 6; /* 20 single atoms: 20! mappings */
  finish(&a, 20);
  bt_symmetry *symmetry;
  bool too_many;
  bt_error error;
  support_ok(bt_symmetry_create(&a.graph, &a.graph, &symmetry, &too_many, &error), &error);
  assert_true(too_many);
  assert_null(symmetry);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_graphs_have_the_mappings_that_trying_finds),
      cmocka_unit_test(two_triangles_are_no_hexagon), cmocka_unit_test(independent_groups_do_not_multiply),
      cmocka_unit_test(a_fullerene_has_120_mappings), cmocka_unit_test(what_is_too_symmetric_is_given_up)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
