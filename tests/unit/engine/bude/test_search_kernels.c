/* test_search_kernels.c - the search's kernels, compiled for one work-item, against plain code: sorting and choosing,
 * grids of generation 0, what mutation may change, known answers of Philox. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/bude/launch.h"

#define BT_FUNCTION static inline
#define BT_GLOBAL
#define BT_SCRATCH
#define BT_SYNC() ((void)0)
#define BT_ITEM 0
#define BT_ITEMS 1
#define BT_GROUP group
static int group;

static unsigned int bt_mulhi_scalar(unsigned int a, unsigned int b) {
  return (unsigned int)(((unsigned long long)a * b) >> 32);
}

#include "kernel/bude/search.h"

enum { POSES = 1000, LIGANDS = 2, STRIDE = 1024, BIN = 128, BINS = 8, PARENTS = 40, ARENA = 1 << 20 };

typedef struct scene {
  char *arena;
  bt_bude_launch launch;
  float *local, *energies, *poses, *best_energies;
  unsigned long *codes, *best;
  int *counts;
} scene;

static bt_bude_offset take(bt_bude_offset *at, size_t bytes) {
  bt_bude_offset mine = *at;
  *at += (bt_bude_offset)((bytes + 63) / 64 * 64);
  return mine;
}

static int set_up(void **state) {
  scene *s = calloc(1, sizeof *s);
  s->arena = calloc(1, ARENA);
  s->local = calloc(1, 1 << 16);
  bt_bude_offset at = 0;
  bt_bude_launch *l = &s->launch;
  l->n_ligands = LIGANDS;
  l->n_poses = POSES;
  l->stride = STRIDE;
  l->poses = take(&at, sizeof(float) * 6 * LIGANDS * STRIDE);
  l->energies = take(&at, sizeof(float) * LIGANDS * STRIDE);
  bt_bude_search *q = &l->search;
  *q = (bt_bude_search){.seed = {7, 0}, .parents = PARENTS, .bin = BIN, .grid = {36, 36, 36, 15, 1, 3}};
  q->table = take(&at, sizeof(float) * 127);
  q->ids = take(&at, sizeof(int) * LIGANDS);
  q->codes = take(&at, sizeof(long) * LIGANDS * STRIDE);
  q->keys = take(&at, sizeof(long) * LIGANDS * BINS * BIN);
  q->best = take(&at, sizeof(long) * LIGANDS * PARENTS);
  q->best_energies = take(&at, sizeof(float) * LIGANDS * PARENTS);
  q->counts = take(&at, sizeof(int) * LIGANDS);
  assert_true(at < ARENA);
  s->energies = (float *)(s->arena + l->energies);
  s->poses = (float *)(s->arena + l->poses);
  s->codes = (unsigned long *)(s->arena + q->codes);
  s->best = (unsigned long *)(s->arena + q->best);
  s->best_energies = (float *)(s->arena + q->best_energies);
  s->counts = (int *)(s->arena + q->counts);
  float *table = (float *)(s->arena + q->table);
  for (int i = 0; i < 127; i++) table[i] = (float)i;
  unsigned int *ids = (unsigned int *)(s->arena + q->ids);
  for (int i = 0; i < LIGANDS; i++) ids[i] = 11u * (unsigned int)i;
  *state = s;
  return 0;
}

static int tear_down(void **state) {
  scene *s = *state;
  free(s->arena);
  free(s->local);
  free(s);
  return 0;
}

static void run(scene *s, void (*kernel)(char *, const bt_bude_launch *, float *), int groups) {
  for (group = 0; group < groups; group++) kernel(s->arena, &s->launch, s->local);
}

static void select_best(scene *s) {
  run(s, bt_bude_sort_body, LIGANDS * BINS);
  run(s, bt_bude_best_body, LIGANDS);
}

static void test_philox_known_answers(void **state) {
  (void)state;
  bt_bude_search search = {.seed = {0, 0}};
  bt_bude_words w = bt_bude_random(&search, 0, 0, 0, 0);
  assert_int_equal(w.w[0], 0x6627e8d5u);
  assert_int_equal(w.w[3], 0x9b00dbd8u);
  search = (bt_bude_search){.seed = {0xa4093822u, 0x299f31d0u}};
  w = bt_bude_random(&search, 0x243f6a88, 0x85a308d3u, 0x13198a2eu, 0x03707344u);
  assert_int_equal(w.w[0], 0xd16cfe09u);
  assert_int_equal(w.w[1], 0x94fdccebu);
  assert_int_equal(w.w[2], 0x5001e420u);
  assert_int_equal(w.w[3], 0x24126ea1u);
}

static void test_codes_hold_six_indices(void **state) {
  (void)state;
  const int indices[6] = {511, 0, 300, 4095, 0, 2049};
  unsigned long code = BT_BUDE_NO_KEY >> 1;
  for (int k = 0; k < 6; k++) code = bt_bude_code_set(code, k, indices[k]);
  for (int k = 0; k < 6; k++) assert_int_equal(bt_bude_index(code, k), indices[k]);
}

static void test_keys_ascend_with_energies(void **state) {
  (void)state;
  const float energies[] = {-1e30f, -50.5f, -50.25f, -0.0f, 0.0f, 1e-20f, 3.0f, 1e30f};
  unsigned long before = 0;
  for (int i = 0; i < 8; i++) {
    unsigned int bits;
    memcpy(&bits, &energies[i], sizeof bits);
    unsigned long key = bt_bude_key(bits, 5);
    assert_true(key > before);
    assert_true(bt_bude_key(bits, 6) > key);
    before = key;
  }
}

static void test_first_generation_fills_the_grid(void **state) {
  scene *s = *state;
  run(s, bt_bude_first_body, LIGANDS * BINS);
  int seen[36] = {0}, equal = 0;
  for (int i = 0; i < POSES; i++) {
    int start = 0;
    for (int k = 0; k < 6; k++) {
      int index = bt_bude_index(s->codes[i], k);
      assert_in_range(index, 0, s->launch.search.grid[k] - 1);
      assert_true(s->poses[k * STRIDE + i] == (float)(start + index));
      start += s->launch.search.grid[k];
    }
    seen[bt_bude_index(s->codes[i], 1)]++;
    equal += s->codes[i] == s->codes[STRIDE + i];
  }
  for (int v = 0; v < 36; v++) assert_in_range(seen[v], 8, 60); /* 28 expected */
  assert_true(equal < 5);                                       /* conformations have numbers of their own */
}

static int compare(const void *a, const void *b) {
  unsigned long x = *(const unsigned long *)a, y = *(const unsigned long *)b;
  return (x > y) - (x < y);
}

static void random_energies(scene *s, int values) {
  unsigned int r = 12345;
  for (int i = 0; i < LIGANDS * STRIDE; i++) {
    r = r * 1664525u + 1013904223u;
    s->energies[i] = (float)((int)(r >> 8) % values) - 0.5f * (float)values;
  }
}

static void test_best_are_those_of_a_full_sort(void **state) {
  scene *s = *state;
  run(s, bt_bude_first_body, LIGANDS * BINS);
  random_energies(s, 200); /* with many ties */
  select_best(s);
  for (int ligand = 0; ligand < LIGANDS; ligand++) {
    unsigned long keys[POSES];
    for (int i = 0; i < POSES; i++) {
      unsigned int bits;
      memcpy(&bits, &s->energies[ligand * STRIDE + i], sizeof bits);
      keys[i] = bt_bude_key(bits, i);
    }
    qsort(keys, POSES, sizeof *keys, compare);
    assert_int_equal(s->counts[ligand], PARENTS);
    for (int j = 0; j < PARENTS; j++) {
      int pose = ligand * STRIDE + (int)(keys[j] & 0xFFFFFFFFul);
      assert_true(s->best[ligand * PARENTS + j] == s->codes[pose]);
      assert_true(s->best_energies[ligand * PARENTS + j] == s->energies[pose]);
    }
  }
}

static void test_distinct_takes_a_pose_once(void **state) {
  scene *s = *state;
  run(s, bt_bude_first_body, LIGANDS * BINS);
  for (int i = 0; i < POSES; i++) { /* 25 poses, spread over all bins */
    s->codes[i] = (unsigned long)(i % 25);
    s->energies[i] = -(float)(i % 25 / 2);
  }
  s->launch.search.distinct = 1;
  select_best(s);
  assert_int_equal(s->counts[0], 25);
  for (int j = 0; j < 25; j++)
    for (int other = 0; other < j; other++) assert_true(s->best[j] != s->best[other]);
}

static void test_children_keep_parents_and_change_one_to_four_components(void **state) {
  scene *s = *state;
  run(s, bt_bude_first_body, LIGANDS * BINS);
  random_energies(s, 1 << 20);
  select_best(s);
  s->launch.search.generation = 1;
  run(s, bt_bude_children_body, LIGANDS * BINS);
  int changes[7] = {0}, touched[6] = {0};
  for (int i = 0; i < POSES; i++) {
    unsigned long parent = s->best[i % PARENTS], child = s->codes[i];
    if (i < PARENTS) {
      assert_true(child == parent);
      continue;
    }
    int count = 0;
    for (int k = 0; k < 6; k++) {
      assert_in_range(bt_bude_index(child, k), 0, s->launch.search.grid[k] - 1);
      bool changed = bt_bude_index(child, k) != bt_bude_index(parent, k);
      count += changed;
      touched[k] += changed;
    }
    changes[count]++;
  }
  assert_int_equal(changes[5] + changes[6], 0);
  for (int m = 1; m <= 4; m++) assert_true(changes[m] > 50); /* 240, less those of the grid of one value */
  assert_int_equal(touched[4], 0);                           /* a grid of one value */
  for (int k = 0; k < 6; k++)
    if (k != 4) assert_in_range(touched[k], 300, 500); /* 960 * 2.5 / 6 = 400 */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_philox_known_answers),
      cmocka_unit_test(test_codes_hold_six_indices),
      cmocka_unit_test(test_keys_ascend_with_energies),
      cmocka_unit_test_setup_teardown(test_first_generation_fills_the_grid, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_best_are_those_of_a_full_sort, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_distinct_takes_a_pose_once, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_children_keep_parents_and_change_one_to_four_components, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
