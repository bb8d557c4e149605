/* schedule.c - see schedule.h. */
#include "backend/device/schedule.h"

#include <stdlib.h>
#include <string.h>

/* One pair that is still to be placed. */
typedef struct open_pair {
  const bt_kernel_pair *pair;
  int i, j;
  int unit; /* which list of work it belongs to */
  bool hbond;
} open_pair;

/* Ranks that can work side by side on one copy of the gradients: groups must not be smaller than a block. */
static int ranks_per_copy(int n_atoms, int team) {
  int ranks = 1;
  while (2 * ranks <= team && n_atoms >= 4 * ranks * BT_BLOCK_ATOMS) ranks *= 2;
  return ranks;
}

int bt_schedule_gradients(int n_atoms, int team) { return team / ranks_per_copy(n_atoms, team); }

/* All real pairs of the rows; padding stands for an atom with itself. */
static int collect(const bt_kernel_data *data, open_pair *opt_pairs) {
  int count = 0;
  for (int r = 0; r < data->n_rows_12_6 + data->n_rows_12_10; r++) {
    const bt_kernel_row *row = &data->rows[r];
    for (int p = row->first; p < row->end; p++) {
      if (data->pairs[p].j == row->i) continue;
      if (opt_pairs != NULL)
        opt_pairs[count] = (open_pair){&data->pairs[p], row->i, data->pairs[p].j, 0, r >= data->n_rows_12_6};
      count++;
    }
  }
  return count;
}

/* The round (0 .. groups - 2) and match (0 .. groups/2 - 1) in which two different groups meet: the circle method, with
 * the last group standing still. */
static void meeting(int a, int b, int groups, int *ret_round, int *ret_match) {
  int wheel = groups - 1;
  if (a == wheel || b == wheel) {
    *ret_round = (2 * (a == wheel ? b : a)) % wheel;
    *ret_match = 0;
    return;
  }
  *ret_round = (a + b) % wheel;
  int distance = ((a - b) % wheel + wheel) % wheel; /* partners lie at distances 1 .. (wheel - 1) / 2 from the middle */
  if (distance % 2 == 1) distance = wheel - distance;
  *ret_match = distance / 2;
}

/* Work units are (round, match). Pairs within a group go to the lightest unit of that group. */
static bt_status assign_units(const bt_kernel_data *data, int ranks, open_pair *pairs, int count, bt_error *opt_error) {
  int groups = 2 * ranks, rounds = groups - 1, n = data->sizes.n_atoms;
  int *load = calloc((size_t)(rounds * ranks), sizeof *load);
  if (load == NULL) return bt_fail_memory(opt_error);
  for (int within = 0; within < 2; within++)
    for (int p = 0; p < count; p++) {
      int a = (int)((long)pairs[p].i * groups / n), b = (int)((long)pairs[p].j * groups / n), round, match;
      if ((a == b) != (within == 1)) continue;
      if (a != b) {
        meeting(a, b, groups, &round, &match);
        pairs[p].unit = round * ranks + match;
      } else {
        int lightest = -1;
        for (int other = 0; other < groups; other++) {
          if (other == a) continue;
          meeting(a, other, groups, &round, &match);
          if (lightest < 0 || load[round * ranks + match] < load[lightest]) lightest = round * ranks + match;
        }
        pairs[p].unit = lightest;
      }
      load[pairs[p].unit]++;
    }
  free(load);
  return BT_OK;
}

/* Scratch for covering one unit's pairs: which[i * n + j] is 1 + the index of the open pair of atoms i and j. */
typedef struct cover {
  int n;
  int *which;
  int *degree; /* open pairs of each atom */
} cover;

static void place(cover *c, open_pair *pairs, int i, int j, bt_kernel_pair *to) {
  int index = c->which[i * c->n + j] - 1;
  *to = *pairs[index].pair;
  to->j = j;
  c->which[i * c->n + j] = c->which[j * c->n + i] = 0;
  c->degree[i]--;
  c->degree[j]--;
}

/* The atom that shares most open partners with the atoms chosen so far, or any repeat of the first. */
static int best_companion(const cover *c, const int *chosen, int n_chosen) {
  int best = chosen[0], most = 0;
  for (int a = 0; a < c->n; a++) {
    bool taken = false;
    for (int k = 0; k < n_chosen; k++) taken |= chosen[k] == a;
    if (taken || c->degree[a] == 0) continue;
    int shared = 0;
    for (int j = 0; j < c->n; j++) {
      bool theirs = false;
      for (int k = 0; k < n_chosen; k++) theirs |= c->which[chosen[k] * c->n + j] != 0;
      if (c->which[a * c->n + j] != 0) shared += theirs ? 2 : -1; /* a visit of its own costs padding */
    }
    if (shared > most) {
      most = shared;
      best = a;
    }
  }
  return best;
}

/* Blocks until all open pairs in the cover are placed. */
static void make_blocks(cover *c, open_pair *pairs, bool hbond, bt_schedule *s) {
  for (;;) {
    int chosen[BT_BLOCK_ATOMS], seed = 0;
    for (int a = 1; a < c->n; a++)
      if (c->degree[a] > c->degree[seed]) seed = a;
    if (c->degree[seed] == 0) return;
    chosen[0] = seed;
    for (int k = 1; k < BT_BLOCK_ATOMS; k++) chosen[k] = best_companion(c, chosen, k);
    bt_kernel_block *block = &s->blocks[s->n_blocks++];
    block->hbond = hbond;
    block->first = s->n_pairs;
    memcpy(block->i, chosen, sizeof chosen);
    for (int j = 0; j < c->n; j++) {
      bool any = false;
      for (int k = 0; k < BT_BLOCK_ATOMS; k++) any |= c->which[chosen[k] * c->n + j] != 0;
      if (!any) continue;
      for (int k = 0; k < BT_BLOCK_ATOMS; k++) {
        bt_kernel_pair *to = &s->pairs[s->n_pairs++];
        *to = (bt_kernel_pair){.j = j};
        if (c->which[chosen[k] * c->n + j] != 0) place(c, pairs, chosen[k], j, to);
      }
    }
    block->end = s->n_pairs;
  }
}

/* The pairs of one unit from its part-th share on. */
static void cover_unit(cover *c, open_pair *pairs, int count, int unit, int part, int parts, bt_kernel_slot *slot,
                       bt_schedule *s) {
  slot->first = s->n_blocks;
  for (int hbond = 0; hbond < 2; hbond++) {
    int in_unit = 0, size = 0;
    for (int p = 0; p < count; p++) size += pairs[p].unit == unit && pairs[p].hbond == (hbond == 1);
    for (int p = 0; p < count; p++) {
      if (pairs[p].unit != unit || pairs[p].hbond != (hbond == 1)) continue;
      if ((int)((long)in_unit++ * parts / size) != part) continue;
      c->which[pairs[p].i * c->n + pairs[p].j] = c->which[pairs[p].j * c->n + pairs[p].i] = p + 1;
      c->degree[pairs[p].i]++;
      c->degree[pairs[p].j]++;
    }
    make_blocks(c, pairs, hbond == 1, s);
  }
  slot->end = s->n_blocks;
}

void bt_schedule_destroy(bt_schedule *schedule) {
  free(schedule->slots);
  free(schedule->blocks);
  free(schedule->pairs);
  memset(schedule, 0, sizeof *schedule);
}

bt_status bt_schedule_create(const bt_kernel_data *data, int team, bt_schedule *ret_schedule, bt_error *opt_error) {
  int n = data->sizes.n_atoms, ranks = ranks_per_copy(n, team), copies = team / ranks, rounds = 2 * ranks - 1;
  int parts = copies > rounds ? copies / rounds : 1; /* shares of one unit among copies */
  int count = collect(data, NULL);
  bt_schedule s = {.n_phases = (rounds * parts + copies - 1) / copies, .n_gradients = copies};
  s.n_slots = s.n_phases * team;
  s.slots = calloc((size_t)s.n_slots, sizeof *s.slots);
  s.blocks = calloc((size_t)count + 1, sizeof *s.blocks);
  s.pairs = calloc(BT_BLOCK_ATOMS * (size_t)count + 1, sizeof *s.pairs);
  open_pair *pairs = calloc((size_t)count + 1, sizeof *pairs);
  cover c = {n, calloc((size_t)n * (size_t)n, sizeof(int)), calloc((size_t)n, sizeof(int))};
  bt_status status = BT_OK;
  if (s.slots == NULL || s.blocks == NULL || s.pairs == NULL || pairs == NULL || c.which == NULL || c.degree == NULL)
    status = bt_fail_memory(opt_error);
  if (status == BT_OK) {
    collect(data, pairs);
    status = assign_units(data, ranks, pairs, count, opt_error);
  }
  for (int work = 0; work < rounds * parts && status == BT_OK; work++) {
    int round = work % rounds, part = work / rounds, phase = work / copies, copy = work % copies;
    for (int match = 0; match < ranks; match++) /* rank % copies is the copy that it writes to */
      cover_unit(&c, pairs, count, round * ranks + match, part, parts,
                 &s.slots[phase * team + match * copies + copy], &s);
  }
  free(pairs);
  free(c.which);
  free(c.degree);
  if (status != BT_OK) {
    bt_schedule_destroy(&s);
    return status;
  }
  *ret_schedule = s;
  return BT_OK;
}
