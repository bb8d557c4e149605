/* schedule.c - see schedule.h. First the pairs are covered by as few visits as possible (1), then visits are packed
 * into phases (2) of the length that makes the longest ranks of all phases together shortest (3).
 */
#include "engine/lga/device/schedule.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* What a visit, the begin and end of a tile, and a barrier cost, in instructions. */
enum { VISIT_COST = 190, TILE_COST = 120, PHASE_COST = 150 };

/* Atoms that each rank of one copy should find for itself: a tile and some visits. */
enum { ATOMS_PER_RANK = 3 * BT_TILE_ATOMS };

int bt_schedule_gradients(int n_atoms, int team) {
  int ranks = 1;
  while (2 * ranks <= team && n_atoms >= 2 * ranks * ATOMS_PER_RANK) ranks *= 2;
  return team / ranks;
}

/* ---- 1. The cover ---- */

typedef struct visit {
  int j, tile;
  const bt_kernel_pair *pairs[BT_TILE_ATOMS]; /* NULL: padding */
  bool done;
} visit;

typedef struct cover_tile {
  int i[BT_TILE_ATOMS];
  int kind;
  int first, end; /* visits */
  int open;       /* visits not yet packed */
} cover_tile;

typedef struct cover {
  int n, n_tiles, n_visits;
  const bt_kernel_pair **which; /* [n][n] the open pair of two atoms, or NULL */
  int *degree;                  /* [n] open pairs of each atom */
  cover_tile *tiles;
  visit *visits;
} cover;

/* The atom that shares the most open partners with those chosen so far; the first of those if none does. */
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

static void take_visit(cover *c, cover_tile *tile, int j) {
  visit *v = &c->visits[c->n_visits++];
  *v = (visit){.j = j, .tile = (int)(tile - c->tiles)};
  for (int k = 0; k < BT_TILE_ATOMS; k++) {
    int i = tile->i[k];
    const bt_kernel_pair **at = &c->which[i * c->n + j];
    if (*at == NULL) continue;
    v->pairs[k] = *at;
    *at = c->which[j * c->n + i] = NULL;
    c->degree[i]--;
    c->degree[j]--;
  }
}

/* From the row *first on, which moves on to the next kind's. */
static void cover_kind(cover *c, const bt_kernel_data *data, int kind, int *first) {
  int begin = *first, end = *first += data->n_rows[kind];
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
    cover_tile *tile = &c->tiles[c->n_tiles++];
    *tile = (cover_tile){.i = {seed}, .kind = kind, .first = c->n_visits};
    for (int k = 1; k < BT_TILE_ATOMS; k++) tile->i[k] = best_companion(c, tile->i, k);
    for (int j = 0; j < c->n; j++) {
      bool any = false;
      for (int k = 0; k < BT_TILE_ATOMS; k++) any |= c->which[tile->i[k] * c->n + j] != NULL;
      if (any) take_visit(c, tile, j);
    }
    tile->end = c->n_visits;
  }
}

/* Its arrays are the arena's. */
static bt_status cover_make(const bt_kernel_data *data, bt_arena *arena, cover *c, bt_error *opt_error) {
  int rows = bt_kernel_rows(data), n = data->sizes.n_atoms, pairs = 0;
  for (int r = 0; r < rows; r++) pairs += data->rows[r].end - data->rows[r].first;
  *c = (cover){.n = n};
  BT_NEW(arena, c->which, (size_t)n * (size_t)n);
  BT_NEW(arena, c->degree, n);
  BT_NEW(arena, c->tiles, pairs + 1);
  BT_NEW(arena, c->visits, pairs + 1);
  BT_TRY(bt_arena_status(arena, opt_error));
  for (int kind = 0, row = 0; kind < BT_PAIR_KINDS; kind++) cover_kind(c, data, kind, &row);
  return BT_OK;
}

/* ---- 2. Packing ---- */

/* What one rank does in one phase is a run of pieces; a piece is some visits of one tile. */
typedef struct piece {
  int tile, rank, phase;
  int first, end; /* into packing.order */
} piece;

typedef struct packing {
  int team, copies, n_phases, n_pieces, n_order;
  long cost;
  piece *pieces; /* phase after phase, rank after rank */
  int *order;    /* [n_visits] visits as they are done */
} packing;

/* Scratch of the phase being packed. A rank that finds no visit stays idle until the next phase, since atoms are only
 * claimed, never released, within a phase. */
enum { NO_TILE = -1, IDLE = -2 };

typedef struct phase {
  int *owner;      /* [copies][n] rank that touches the atom, or -1 */
  int *now;        /* [team] tile that each rank works on, NO_TILE or IDLE */
  int *count;      /* [team] visits of each rank */
  int *taken, *by; /* [n_visits] visits in the order in which ranks have taken them */
  int n_taken;
  int *start, *mine; /* [team], [n_visits]: the same rank by rank */
} phase;

static bool all_mine(const cover *c, const int *owner, const cover_tile *tile, int rank) {
  (void)c;
  for (int k = 0; k < BT_TILE_ATOMS; k++)
    if (owner[tile->i[k]] >= 0 && owner[tile->i[k]] != rank) return false;
  return true;
}

/* The tile with the most remaining visits whose atoms i are free for the rank; -1 if none can start. */
static int choose_tile(const cover *c, const int *owner, int rank) {
  int best = -1, most = 0;
  for (int b = 0; b < c->n_tiles; b++) {
    const cover_tile *tile = &c->tiles[b];
    if (tile->open <= most || !all_mine(c, owner, tile, rank)) continue;
    int free_visits = 0;
    for (int v = tile->first; v < tile->end; v++)
      free_visits += !c->visits[v].done && (owner[c->visits[v].j] < 0 || owner[c->visits[v].j] == rank);
    if (free_visits <= most) continue;
    most = free_visits;
    best = b;
  }
  return best;
}

/* Assigns one more visit to the rank, from its own tile or another; false if there is none. */
static bool take_one(cover *c, phase *ph, int *owner, int rank) {
  for (int attempt = 0; attempt < 2 && ph->now[rank] != IDLE; attempt++) {
    if (ph->now[rank] >= 0) {
      cover_tile *tile = &c->tiles[ph->now[rank]];
      for (int v = tile->first; v < tile->end; v++) {
        int holder = owner[c->visits[v].j];
        if (c->visits[v].done || (holder >= 0 && holder != rank)) continue;
        c->visits[v].done = true;
        tile->open--;
        owner[c->visits[v].j] = rank;
        ph->by[ph->n_taken] = rank;
        ph->taken[ph->n_taken++] = v;
        ph->count[rank]++;
        return true;
      }
    }
    ph->now[rank] = attempt == 0 ? choose_tile(c, owner, rank) : IDLE;
    if (ph->now[rank] < 0) break;
    for (int k = 0; k < BT_TILE_ATOMS; k++) owner[c->tiles[ph->now[rank]].i[k]] = rank;
  }
  ph->now[rank] = IDLE;
  return false;
}

/* The visits of each rank, in their own order: tile after tile. */
static void sort_by_rank(phase *ph, int team) {
  for (int rank = 0, at = 0; rank < team; rank++) {
    ph->start[rank] = at;
    at += ph->count[rank];
    ph->count[rank] = 0;
  }
  for (int k = 0; k < ph->n_taken; k++) {
    int rank = ph->by[k], *mine = ph->mine + ph->start[rank], at = ph->count[rank]++;
    for (; at > 0 && mine[at - 1] > ph->taken[k]; at--) mine[at] = mine[at - 1]; /* nearly sorted */
    mine[at] = ph->taken[k];
  }
}

/* Records what each rank has taken in this phase. */
static void close_phase(const cover *c, phase *ph, packing *p) {
  long longest = 0;
  sort_by_rank(ph, p->team);
  for (int rank = 0; rank < p->team; rank++) {
    int first = p->n_pieces;
    for (int k = 0, tile = NO_TILE; k < ph->count[rank]; k++) {
      int v = ph->mine[ph->start[rank] + k];
      if (c->visits[v].tile != tile) {
        tile = c->visits[v].tile;
        p->pieces[p->n_pieces++] = (piece){tile, rank, p->n_phases, p->n_order, p->n_order};
      }
      p->order[p->n_order++] = v;
      p->pieces[p->n_pieces - 1].end = p->n_order;
    }
    long cost = (long)TILE_COST * (p->n_pieces - first) + (long)VISIT_COST * ph->count[rank];
    if (cost > longest) longest = cost;
  }
  p->cost += longest + PHASE_COST;
  p->n_phases++;
}

/* A lower bound for what is left: all ranks busy all the time. */
static long least_cost(const packing *p, int left) {
  return (long)VISIT_COST * ((left + p->team - 1) / p->team) + TILE_COST + PHASE_COST;
}

/* Packs all visits into phases of at most that many visits per rank. Gives up when the cost exceeds limit. */
static void pack(cover *c, phase *ph, int length, long limit, packing *p) {
  int left = c->n_visits;
  p->n_phases = p->n_pieces = p->n_order = 0;
  p->cost = 0;
  for (int b = 0; b < c->n_tiles; b++) c->tiles[b].open = c->tiles[b].end - c->tiles[b].first;
  for (int v = 0; v < c->n_visits; v++) c->visits[v].done = false;
  while (left > 0 && p->cost + least_cost(p, left) < limit) {
    memset(ph->owner, -1, (size_t)p->copies * (size_t)c->n * sizeof *ph->owner);
    for (int rank = 0; rank < p->team; rank++) ph->now[rank] = NO_TILE;
    memset(ph->count, 0, (size_t)p->team * sizeof *ph->count);
    ph->n_taken = 0;
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
  BT_NEW(arena, ph.now, team);
  BT_NEW(arena, ph.count, team);
  BT_NEW(arena, ph.taken, visits);
  BT_NEW(arena, ph.by, visits);
  BT_NEW(arena, ph.start, team);
  BT_NEW(arena, ph.mine, visits);
  packing tries[2];
  for (int k = 0; k < 2; k++) {
    tries[k] = (packing){.team = team, .copies = copies, .cost = (long)1 << 60};
    BT_NEW(arena, tries[k].pieces, visits);
    BT_NEW(arena, tries[k].order, visits);
  }
  BT_TRY(bt_arena_status(arena, opt_error));
  int best = 0;
  size_t first = team == 1 ? sizeof lengths / sizeof lengths[0] - 1 : 0; /* a single rank waits for no other */
  for (size_t k = first; k < sizeof lengths / sizeof lengths[0]; k++) {
    pack(c, &ph, lengths[k], tries[best].cost, &tries[1 - best]);
    if (tries[1 - best].cost < tries[best].cost) best = 1 - best;
  }
  *ret_packing = tries[best];
  return BT_OK;
}

/* One piece as a tile of the schedule. */
static void write_piece(const cover *c, const packing *p, const piece *part, bt_schedule *s) {
  const cover_tile *from = &c->tiles[part->tile];
  bt_kernel_tile *to = &s->tiles[s->n_tiles++];
  memcpy(to->i, from->i, sizeof to->i);
  to->kind = from->kind;
  to->phase = part->phase;
  to->first = s->n_pairs;
  for (int o = part->first; o < part->end; o++) {
    const visit *v = &c->visits[p->order[o]];
    for (int a = 0; a < BT_TILE_ATOMS; a++) {
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
  BT_NEW(&s->memory, s->slots, p->team);
  BT_NEW(&s->memory, s->tiles, p->n_pieces + p->team);
  BT_NEW(&s->memory, s->pairs, BT_TILE_ATOMS * (size_t)c->n_visits);
  BT_TRY(bt_arena_status(&s->memory, opt_error));
  for (int rank = 0; rank < p->team; rank++) {
    s->slots[rank] = (bt_kernel_slot){s->n_tiles, s->n_pairs};
    for (int k = 0; k < p->n_pieces; k++)
      if (p->pieces[k].rank == rank) write_piece(c, p, &p->pieces[k], s);
    s->tiles[s->n_tiles++].phase = -1; /* never done */
  }
  return BT_OK;
}

void bt_schedule_destroy(bt_schedule *schedule) { bt_arena_destroy(&schedule->memory); }

bt_status bt_schedule_create(const bt_kernel_data *data, int team, bt_schedule *ret_schedule, bt_error *opt_error) {
  BT_ENDED_BY(bt_arena_destroy) bt_arena arena = {0};
  cover c;
  packing p;
  *ret_schedule = (bt_schedule){0};
  BT_TRY(cover_make(data, &arena, &c, opt_error));
  BT_TRY(best_packing(&c, team, &arena, &p, opt_error));
  return write_schedule(&c, &p, ret_schedule, opt_error);
}
