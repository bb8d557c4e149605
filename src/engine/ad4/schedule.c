/* schedule.c - see schedule.h. First the pairs are covered by as few visits as possible (1), then visits are packed into
 * phases (2) of the length that makes the longest ranks of all phases together shortest (3).
 */
#include "engine/ad4/schedule.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* What a visit, the begin and end of a block, and a barrier cost, in instructions. */
enum { VISIT_COST = 190, BLOCK_COST = 120, PHASE_COST = 150 };

/* Atoms that each rank of one copy should find for itself: a block and some visits. */
enum { ATOMS_PER_RANK = 3 * BT_BLOCK_ATOMS };

int bt_schedule_gradients(int n_atoms, int team) {
  int ranks = 1;
  while (2 * ranks <= team && n_atoms >= 2 * ranks * ATOMS_PER_RANK) ranks *= 2;
  return team / ranks;
}

/* ---- 1. The cover ---- */

typedef struct visit {
  int j;
  const bt_kernel_pair *pairs[BT_BLOCK_ATOMS]; /* NULL: padding */
  bool done;
} visit;

typedef struct cover_block {
  int i[BT_BLOCK_ATOMS];
  bool hbond;
  int first, end; /* visits */
  int open;       /* visits not yet packed */
} cover_block;

typedef struct cover {
  int n, n_blocks, n_visits;
  const bt_kernel_pair **which; /* [n][n] the open pair of two atoms, or NULL */
  int *degree;                  /* [n] open pairs of each atom */
  cover_block *blocks;
  visit *visits;
} cover;

/* The atom that shares most open partners with those chosen so far; their first one again if none does. */
static int best_companion(const cover *c, const int *chosen, int n_chosen) {
  int best = chosen[0], most = 0;
  for (int a = 0; a < c->n; a++) {
    bool taken = false;
    for (int k = 0; k < n_chosen; k++) taken |= chosen[k] == a;
    if (taken || c->degree[a] == 0) continue;
    int shared = 0;
    const bt_kernel_pair **mine = c->which + (size_t)a * (size_t)c->n;
    for (int j = 0; j < c->n; j++) {
      if (mine[j] == NULL) continue;
      bool theirs = false;
      for (int k = 0; k < n_chosen; k++) theirs |= c->which[chosen[k] * c->n + j] != NULL;
      shared += theirs ? 2 : -1; /* a visit of its own costs padding */
    }
    if (shared > most) {
      most = shared;
      best = a;
    }
  }
  return best;
}

static void take_visit(cover *c, cover_block *block, int j) {
  visit *v = &c->visits[c->n_visits++];
  *v = (visit){.j = j};
  for (int k = 0; k < BT_BLOCK_ATOMS; k++) {
    int i = block->i[k];
    const bt_kernel_pair **at = &c->which[i * c->n + j];
    if (*at == NULL) continue;
    v->pairs[k] = *at;
    *at = c->which[j * c->n + i] = NULL;
    c->degree[i]--;
    c->degree[j]--;
  }
}

static void cover_kind(cover *c, const bt_kernel_data *data, bool hbond) {
  int begin = hbond ? data->n_rows_12_6 : 0;
  int end = hbond ? data->n_rows_12_6 + data->n_rows_12_10 : data->n_rows_12_6;
  for (int r = begin; r < end; r++)
    for (int p = data->rows[r].first; p < data->rows[r].end; p++) {
      int i = data->rows[r].i, j = data->pairs[p].j;
      if (i == j) continue; /* padding */
      c->which[i * c->n + j] = c->which[j * c->n + i] = &data->pairs[p];
      c->degree[i]++;
      c->degree[j]++;
    }
  for (;;) {
    int seed = 0;
    for (int a = 1; a < c->n; a++)
      if (c->degree[a] > c->degree[seed]) seed = a;
    if (c->degree[seed] == 0) return;
    cover_block *block = &c->blocks[c->n_blocks++];
    *block = (cover_block){.i = {seed}, .hbond = hbond, .first = c->n_visits};
    for (int k = 1; k < BT_BLOCK_ATOMS; k++) block->i[k] = best_companion(c, block->i, k);
    for (int j = 0; j < c->n; j++) {
      bool any = false;
      for (int k = 0; k < BT_BLOCK_ATOMS; k++) any |= c->which[block->i[k] * c->n + j] != NULL;
      if (any) take_visit(c, block, j);
    }
    block->end = c->n_visits;
  }
}

/* Its arrays are the arena's. */
static bt_status cover_make(const bt_kernel_data *data, bt_arena *arena, cover *c, bt_error *opt_error) {
  int rows = data->n_rows_12_6 + data->n_rows_12_10, n = data->sizes.n_atoms, pairs = 0;
  for (int r = 0; r < rows; r++) pairs += data->rows[r].end - data->rows[r].first;
  *c = (cover){.n = n};
  BT_NEW(arena, c->which, (size_t)n * (size_t)n);
  BT_NEW(arena, c->degree, n);
  BT_NEW(arena, c->blocks, pairs + 1);
  BT_NEW(arena, c->visits, pairs + 1);
  BT_TRY(bt_arena_status(arena, opt_error));
  cover_kind(c, data, false);
  cover_kind(c, data, true);
  return BT_OK;
}

/* ---- 2. Packing ---- */

/* What one rank does in one phase is a run of pieces; a piece is some visits of one block. */
typedef struct piece {
  int block, first, end; /* end, first: into packing.order */
} piece;

typedef struct run_of_pieces {
  int first, end;
} run_of_pieces;

typedef struct packing {
  int team, copies, n_phases, n_pieces, n_order;
  long cost;
  piece *pieces;
  int *order;           /* [n_visits] visits as they are done */
  run_of_pieces *runs;  /* [phases][team] */
  int phase_capacity;
} packing;

/* Scratch of the phase that is being packed. */
typedef struct phase {
  int *owner;    /* [copies][n] rank that touches the atom, or -1 */
  int *chosen;   /* [n_visits] rank that has taken the visit in this phase, or -1 */
  int *now;      /* [team] block that each rank works on, or -1 */
  int *count;    /* [team] visits of each rank */
} phase;

static bool all_mine(const cover *c, const int *owner, const cover_block *block, int rank) {
  (void)c;
  for (int k = 0; k < BT_BLOCK_ATOMS; k++)
    if (owner[block->i[k]] >= 0 && owner[block->i[k]] != rank) return false;
  return true;
}

/* The block with most open visits whose atoms i are free for the rank; -1 when none can begin. */
static int choose_block(const cover *c, const int *owner, int rank) {
  int best = -1, most = 0;
  for (int b = 0; b < c->n_blocks; b++) {
    const cover_block *block = &c->blocks[b];
    if (block->open <= most || !all_mine(c, owner, block, rank)) continue;
    int free_visits = 0;
    for (int v = block->first; v < block->end; v++)
      free_visits += !c->visits[v].done && (owner[c->visits[v].j] < 0 || owner[c->visits[v].j] == rank);
    if (free_visits <= most) continue;
    most = free_visits;
    best = b;
  }
  return best;
}

/* One more visit for the rank, from its block or another one; false when there is none. */
static bool take_one(cover *c, phase *ph, int *owner, int rank) {
  for (int attempt = 0; attempt < 2; attempt++) {
    if (ph->now[rank] >= 0) {
      cover_block *block = &c->blocks[ph->now[rank]];
      for (int v = block->first; v < block->end; v++) {
        int holder = owner[c->visits[v].j];
        if (c->visits[v].done || (holder >= 0 && holder != rank)) continue;
        c->visits[v].done = true;
        block->open--;
        owner[c->visits[v].j] = rank;
        ph->chosen[v] = rank;
        ph->count[rank]++;
        return true;
      }
    }
    if (attempt == 1) return false;
    ph->now[rank] = choose_block(c, owner, rank);
    if (ph->now[rank] < 0) return false;
    for (int k = 0; k < BT_BLOCK_ATOMS; k++) owner[c->blocks[ph->now[rank]].i[k]] = rank;
  }
  return false;
}

/* Writes down what each rank has taken in this phase. */
static void close_phase(cover *c, const phase *ph, packing *p) {
  long longest = 0;
  for (int rank = 0; rank < p->team; rank++) {
    run_of_pieces *run = &p->runs[p->n_phases * p->team + rank];
    long cost = 0;
    run->first = p->n_pieces;
    for (int b = 0; b < c->n_blocks && ph->count[rank] > 0; b++) {
      piece next = {b, p->n_order, p->n_order};
      for (int v = c->blocks[b].first; v < c->blocks[b].end; v++)
        if (ph->chosen[v] == rank) p->order[next.end++] = v;
      if (next.end == next.first) continue;
      cost += BLOCK_COST + VISIT_COST * (next.end - next.first);
      p->n_order = next.end;
      p->pieces[p->n_pieces++] = next;
    }
    run->end = p->n_pieces;
    if (cost > longest) longest = cost;
  }
  p->cost += longest + PHASE_COST;
  p->n_phases++;
}

/* Packs all visits into phases of at most that many visits per rank. Gives up when it is dearer than limit. */
static void pack(cover *c, phase *ph, int length, long limit, packing *p) {
  int left = c->n_visits;
  p->n_phases = p->n_pieces = p->n_order = 0;
  p->cost = 0;
  for (int b = 0; b < c->n_blocks; b++) c->blocks[b].open = c->blocks[b].end - c->blocks[b].first;
  for (int v = 0; v < c->n_visits; v++) c->visits[v].done = false;
  while (left > 0 && p->cost < limit && p->n_phases < p->phase_capacity) {
    memset(ph->owner, -1, (size_t)p->copies * (size_t)c->n * sizeof *ph->owner);
    memset(ph->chosen, -1, (size_t)c->n_visits * sizeof *ph->chosen);
    memset(ph->now, -1, (size_t)p->team * sizeof *ph->now);
    memset(ph->count, 0, (size_t)p->team * sizeof *ph->count);
    bool any = true;
    for (int step = 0; step < length && any && left > 0; step++) {
      any = false;
      for (int rank = 0; rank < p->team; rank++) {
        if (!take_one(c, ph, ph->owner + (rank % p->copies) * c->n, rank)) continue;
        any = true;
        left--;
      }
    }
    close_phase(c, ph, p);
  }
  if (left > 0) p->cost = limit + 1;
}

/* ---- 3. The best length, and the result ---- */

/* Its arrays are the arena's. */
static bt_status best_packing(cover *c, int team, bt_arena *arena, packing *ret_packing, bt_error *opt_error) {
  static const int lengths[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 17, 21, 26, 33, 1 << 20};
  int copies = bt_schedule_gradients(c->n, team);
  size_t visits = (size_t)c->n_visits + 1;
  phase ph;
  BT_NEW(arena, ph.owner, (size_t)copies * (size_t)c->n);
  BT_NEW(arena, ph.chosen, visits);
  BT_NEW(arena, ph.now, team);
  BT_NEW(arena, ph.count, team);
  packing tries[2];
  for (int k = 0; k < 2; k++) {
    tries[k] = (packing){.team = team, .copies = copies, .cost = (long)1 << 60, .phase_capacity = c->n_visits};
    BT_NEW(arena, tries[k].pieces, visits);
    BT_NEW(arena, tries[k].order, visits);
    BT_NEW(arena, tries[k].runs, visits * (size_t)team);
  }
  BT_TRY(bt_arena_status(arena, opt_error));
  int best = 0;
  size_t first = team == 1 ? sizeof lengths / sizeof lengths[0] - 1 : 0; /* one rank waits for nobody */
  for (size_t k = first; k < sizeof lengths / sizeof lengths[0]; k++) {
    pack(c, &ph, lengths[k], tries[best].cost, &tries[1 - best]);
    if (tries[1 - best].cost < tries[best].cost) best = 1 - best;
  }
  *ret_packing = tries[best];
  return BT_OK;
}

/* One piece as a block of the schedule. */
static void write_piece(const cover *c, const packing *p, const piece *part, int when, bt_schedule *s) {
  const cover_block *from = &c->blocks[part->block];
  bt_kernel_block *to = &s->blocks[s->n_blocks++];
  memcpy(to->i, from->i, sizeof to->i);
  to->hbond = from->hbond;
  to->phase = when;
  to->first = s->n_pairs;
  for (int o = part->first; o < part->end; o++) {
    const visit *v = &c->visits[p->order[o]];
    for (int a = 0; a < BT_BLOCK_ATOMS; a++) {
      bt_kernel_pair *pair = &s->pairs[s->n_pairs++];
      if (v->pairs[a] != NULL) *pair = *v->pairs[a];
      pair->j = v->j;
    }
  }
  to->end = s->n_pairs;
}

/* Rank by rank: each reads its pairs from the first to the last. */
static bt_status write_schedule(const cover *c, const packing *p, bt_schedule *s, bt_error *opt_error) {
  s->n_phases = p->n_phases;
  s->n_gradients = p->copies;
  s->n_slots = p->team;
  s->slots = calloc((size_t)s->n_slots, sizeof *s->slots);
  s->blocks = calloc((size_t)(p->n_pieces + p->team), sizeof *s->blocks);
  s->pairs = calloc(BT_BLOCK_ATOMS * (size_t)c->n_visits + 1, sizeof *s->pairs);
  if (s->slots == NULL || s->blocks == NULL || s->pairs == NULL) {
    bt_schedule_destroy(s);
    return bt_fail_memory(opt_error);
  }
  for (int rank = 0; rank < p->team; rank++) {
    s->slots[rank] = (bt_kernel_slot){s->n_blocks, s->n_pairs};
    for (int f = 0; f < p->n_phases; f++) {
      const run_of_pieces *from = &p->runs[f * p->team + rank];
      for (int k = from->first; k < from->end; k++) write_piece(c, p, &p->pieces[k], f, s);
    }
    s->blocks[s->n_blocks++].phase = -1; /* never done */
  }
  return BT_OK;
}

void bt_schedule_destroy(bt_schedule *schedule) {
  free(schedule->slots);
  free(schedule->blocks);
  free(schedule->pairs);
  memset(schedule, 0, sizeof *schedule);
}

bt_status bt_schedule_create(const bt_kernel_data *data, int team, bt_schedule *ret_schedule, bt_error *opt_error) {
  BT_ENDED_BY(bt_arena_destroy) bt_arena arena = {0};
  cover c;
  packing p;
  *ret_schedule = (bt_schedule){0};
  BT_TRY(cover_make(data, &arena, &c, opt_error));
  BT_TRY(best_packing(&c, team, &arena, &p, opt_error));
  return write_schedule(&c, &p, ret_schedule, opt_error);
}
