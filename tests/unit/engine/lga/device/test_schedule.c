/* test_schedule.c - pairs of a ligand over the ranks of a team: each is done once, and no two ranks meet at an atom. */
#include "engine/lga/device/schedule.h"
#include "unit/support.h"

#include <stdlib.h>

enum { MOST_ATOMS = 140, MOST_PAIRS = MOST_ATOMS * MOST_ATOMS, MOST_TEAM = 128 };

/* Two of three pairs of some atoms, in rows of two kinds. Parameter a of each is its place plus one; padding has 0. */
typedef struct pairs {
  bt_kernel_row rows[BT_PAIR_KINDS * MOST_ATOMS];
  bt_kernel_pair pairs[MOST_PAIRS];
  bt_kernel_data data;
  int n, i[MOST_PAIRS], kind[MOST_PAIRS], seen[MOST_PAIRS];
} pairs;

static int kind_of(int i, int j) { return (i + j) % 3 == 2 ? -1 : (i * j) % 11 == 5; }

static void add_row(pairs *p, int kind, int i, bt_kernel_row *row) {
  *row = (bt_kernel_row){i, p->n, p->n};
  for (int j = i + 1; j < p->data.sizes.n_atoms; j++) {
    if (kind_of(i, j) != kind) continue;
    p->i[p->n] = i;
    p->kind[p->n] = kind;
    p->pairs[p->n] = (bt_kernel_pair){.j = j, .a = (float)(p->n + 1)};
    p->n++;
  }
  if (p->n == row->first) return;
  p->kind[p->n] = -1;
  p->pairs[p->n++] = (bt_kernel_pair){.j = i}; /* padding */
  row->end = p->n;
  p->data.n_rows[kind]++;
}

static void fill(pairs *p, int atoms) {
  memset(p, 0, sizeof *p);
  p->data.sizes.n_atoms = atoms;
  p->data.rows = p->rows;
  p->data.pairs = p->pairs;
  for (int kind = 0; kind < 2; kind++)
    for (int i = 0; i < atoms; i++) add_row(p, kind, i, &p->rows[p->data.n_rows[0] + p->data.n_rows[1]]);
}

static void see(pairs *p, const bt_kernel_tile *tile, int i, const bt_kernel_pair *pair) {
  if (pair->a == 0) return;
  int which = (int)pair->a - 1;
  assert_in_range(which, 0, p->n - 1);
  assert_int_equal(tile->kind, p->kind[which]);
  int first = p->i[which], second = p->pairs[which].j;
  assert_true((i == first && pair->j == second) || (i == second && pair->j == first));
  p->seen[which]++;
}

/* Does what a kernel does with them. toucher[phases][copies][atoms]: the rank that touches the atom, plus one. */
static void follow(pairs *p, const bt_schedule *s, int rank, int *toucher) {
  int copy = rank % s->n_gradients, at = s->slots[rank].pair, phase = 0;
  for (const bt_kernel_tile *tile = &s->tiles[s->slots[rank].tile]; tile->phase >= 0; tile++) {
    assert_in_range(tile->phase, phase, s->n_phases - 1);
    phase = tile->phase;
    assert_int_equal(tile->first, at);
    for (; at < tile->end; at++) {
      int touched[] = {tile->i[(at - tile->first) % BT_TILE_ATOMS], s->pairs[at].j};
      for (int k = 0; k < 2; k++) {
        int *by = toucher + (phase * s->n_gradients + copy) * p->data.sizes.n_atoms + touched[k];
        assert_true(*by == 0 || *by == rank + 1);
        *by = rank + 1;
      }
      see(p, tile, touched[0], &s->pairs[at]);
    }
  }
}

static void check(pairs *p, const bt_schedule *s, int team) {
  size_t places = (size_t)s->n_phases * (size_t)s->n_gradients * (size_t)p->data.sizes.n_atoms;
  int *toucher = calloc(places + 1, sizeof *toucher);
  assert_non_null(toucher);
  assert_int_equal(s->n_slots, team);
  assert_int_equal(s->n_gradients, bt_schedule_gradients(p->data.sizes.n_atoms, team));
  memset(p->seen, 0, sizeof p->seen);
  for (int rank = 0; rank < team; rank++) follow(p, s, rank, toucher);
  for (int k = 0; k < p->n; k++) assert_int_equal(p->seen[k], p->kind[k] >= 0);
  free(toucher);
}

static void ranks_share_pairs(void **state) {
  (void)state;
  static pairs p;
  const int sizes[] = {1, 2, 5, 31, 63, 64, 65, 128, 129, MOST_ATOMS}, teams[] = {1, 2, 4, 8, 16, 32, 64, MOST_TEAM};
  enum { N_TEAMS = sizeof teams / sizeof teams[0] };
  for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
    bt_schedule schedules[N_TEAMS];
    bt_error error;
    fill(&p, sizes[k]);
    support_ok(bt_schedules_of_ligand(&p.data, teams, N_TEAMS, schedules, &error), &error);
    for (int t = 0; t < N_TEAMS; t++) {
      check(&p, &schedules[t], teams[t]);
      bt_schedule_destroy(&schedules[t]);
    }
  }
}

/* A team's time is that of its slowest ranks: with 60 atoms, eight do no more than a fourth of all pairs each. */
static void ranks_share_evenly(void **state) {
  (void)state;
  static pairs p;
  bt_schedule schedule;
  bt_error error;
  const int team = 8;
  fill(&p, 60);
  support_ok(bt_schedules_of_ligand(&p.data, &team, 1, &schedule, &error), &error);
  for (int rank = 0; rank < team; rank++) {
    int end = rank + 1 < team ? schedule.slots[rank + 1].pair : schedule.n_pairs;
    assert_true(4 * (end - schedule.slots[rank].pair) <= schedule.n_pairs);
  }
  bt_schedule_destroy(&schedule);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ranks_share_pairs),
      cmocka_unit_test(ranks_share_evenly),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
