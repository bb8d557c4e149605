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

/* ---- Sets of atoms: bit a of the words is atom a. ---- */

typedef uint64_t word;

static bool holds(const word *set, int a) { return set[a >> 6] >> (a & 63) & 1; }
static void put(word *set, int a) { set[a >> 6] |= (word)1 << (a & 63); }
static void drop(word *set, int a) { set[a >> 6] &= ~((word)1 << (a & 63)); }

/* Sums of neighboring bits, then of pairs and of fours, then of all bytes. */
static int count_bits(word x) {
  x -= x >> 1 & 0x5555555555555555u;
  x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
  return (int)(((x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu) * 0x0101010101010101u >> 56);
}

/* ---- 1. The cover ---- */

typedef struct visit {
  int j, tile;
  const bt_kernel_pair *pairs[BT_TILE_ATOMS]; /* NULL: padding */
} visit;

/* The atoms j of its visits ascend. */
typedef struct cover_tile {
  int i[BT_TILE_ATOMS];
  int kind;
  int first, end; /* visits */
  int open;       /* visits not yet packed */
} cover_tile;

typedef struct cover {
  int n, words, n_tiles, n_visits;
  const bt_kernel_pair **which; /* [n][n] the open pair of two atoms, or NULL */
  word *partners;               /* [n][words] atoms with an open pair with this one */
  int *degree;                  /* [n] open pairs of each atom */
  cover_tile *tiles;
  visit *visits;
  word *fixed, *visited, *open; /* [n_tiles][words] atoms i and j of each tile, and those j that are not yet packed */
} cover;

static const word *partners(const cover *c, int a) { return c->partners + (size_t)a * (size_t)c->words; }

static word partners_of_any(const cover *c, const int *atoms, int count, int w) {
  word any = 0;
  for (int k = 0; k < count; k++) any |= partners(c, atoms[k])[w];
  return any;
}

/* The atom that shares the most open partners with those chosen so far; the first of those if none does. */
static int best_companion(const cover *c, const int *chosen, int n_chosen) {
  int best = chosen[0], most = 0;
  for (int a = 0; a < c->n; a++) {
    bool taken = false;
    for (int k = 0; k < n_chosen; k++) taken |= chosen[k] == a;
    if (taken || c->degree[a] == 0) continue;
    int both = 0;
    for (int w = 0; w < c->words; w++) both += count_bits(partners(c, a)[w] & partners_of_any(c, chosen, n_chosen, w));
    int shared = 2 * both - (c->degree[a] - both); /* a visit of its own costs padding */
    if (shared > most) {
      most = shared;
      best = a;
    }
  }
  return best;
}

static void close_pair(cover *c, int i, int j) {
  c->which[i * c->n + j] = NULL;
  drop(c->partners + (size_t)i * (size_t)c->words, j);
  c->degree[i]--;
}

static void open_pair(cover *c, int i, int j, const bt_kernel_pair *pair) {
  c->which[i * c->n + j] = pair;
  put(c->partners + (size_t)i * (size_t)c->words, j);
  c->degree[i]++;
}

static void take_visit(cover *c, cover_tile *tile, int j) {
  visit *v = &c->visits[c->n_visits++];
  *v = (visit){.j = j, .tile = (int)(tile - c->tiles)};
  put(c->visited + (size_t)v->tile * (size_t)c->words, j);
  for (int k = 0; k < BT_TILE_ATOMS; k++) {
    int i = tile->i[k];
    if (!holds(partners(c, i), j)) continue;
    v->pairs[k] = c->which[i * c->n + j];
    close_pair(c, i, j);
    close_pair(c, j, i);
  }
}

/* From the row *first on, which moves on to the next kind's. */
static void cover_kind(cover *c, const bt_kernel_data *data, int kind, int *first) {
  int begin = *first, end = *first += data->n_rows[kind];
  for (int r = begin; r < end; r++)
    for (int p = data->rows[r].first; p < data->rows[r].end; p++) {
      int i = data->rows[r].i, j = data->pairs[p].j;
      if (i == j) continue; /* padding */
      open_pair(c, i, j, &data->pairs[p]);
      open_pair(c, j, i, &data->pairs[p]);
    }
  for (;;) {
    int seed = 0;
    for (int a = 1; a < c->n; a++)
      if (c->degree[a] > c->degree[seed]) seed = a;
    if (c->degree[seed] == 0) return;
    cover_tile *tile = &c->tiles[c->n_tiles++];
    *tile = (cover_tile){.i = {seed}, .kind = kind, .first = c->n_visits};
    for (int k = 1; k < BT_TILE_ATOMS; k++) tile->i[k] = best_companion(c, tile->i, k);
    for (int w = 0; w < c->words; w++) /* a visit may close pairs of later ones, so the set is formed again */
      for (word left = ~(word)0, any; (any = left & partners_of_any(c, tile->i, BT_TILE_ATOMS, w)) != 0;) {
        int bit = __builtin_ctzll(any);
        take_visit(c, tile, 64 * w + bit);
        left = ~(word)0 << bit << 1;
      }
    tile->end = c->n_visits;
  }
}

/* Its arrays are the arena's. */
static bt_status cover_make(const bt_kernel_data *data, bt_arena *arena, cover *c, bt_error *opt_error) {
  int rows = bt_kernel_rows(data), n = data->sizes.n_atoms, pairs = 0;
  for (int r = 0; r < rows; r++) pairs += data->rows[r].end - data->rows[r].first;
  *c = (cover){.n = n, .words = (n + 63) / 64};
  BT_NEW(arena, c->which, (size_t)n * (size_t)n);
  BT_NEW(arena, c->partners, (size_t)n * (size_t)c->words);
  BT_NEW(arena, c->degree, n);
  BT_NEW(arena, c->tiles, pairs + 1);
  BT_NEW(arena, c->visits, pairs + 1);
  BT_NEW(arena, c->visited, ((size_t)pairs + 1) * (size_t)c->words);
  BT_TRY(bt_arena_status(arena, opt_error));
  for (int kind = 0, row = 0; kind < BT_PAIR_KINDS; kind++) cover_kind(c, data, kind, &row);
  BT_NEW(arena, c->fixed, ((size_t)c->n_tiles + 1) * (size_t)c->words);
  BT_NEW(arena, c->open, ((size_t)c->n_tiles + 1) * (size_t)c->words);
  BT_TRY(bt_arena_status(arena, opt_error));
  for (int b = 0; b < c->n_tiles; b++)
    for (int k = 0; k < BT_TILE_ATOMS; k++) put(c->fixed + (size_t)b * (size_t)c->words, c->tiles[b].i[k]);
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
  bool limited; /* by its length: longer phases would be different */
  long cost;
  piece *pieces; /* phase after phase, rank after rank */
  int *order;    /* [n_visits] visits as they are done */
} packing;

/* Scratch of the phase being packed. */
typedef struct phase {
  word *free;      /* [copies][words] atoms that no rank touches */
  word *own;       /* [team][words] atoms that each rank touches */
  word *allowed;   /* [words] either of them, of the rank whose turn it is */
  bool *exhausted; /* [copies] no tile is left for a rank that has none yet */
  int *busy;       /* [team] ranks that may find another visit */
  int n_busy;
  int *now;        /* [team] tile that each rank works on, or NO_TILE */
  int *count;      /* [team] visits of each rank */
  int *taken, *by; /* [n_visits] visits in the order in which ranks have taken them */
  int n_taken;
  int *start, *mine; /* [team], [n_visits]: the same rank by rank */
} phase;

enum { NO_TILE = -1 };

/* Sets of most ligands are single words, for which loops over words are compiled away (see pack). */
#define INLINE static inline __attribute__((always_inline))

/* Visits of the tile that the rank may do now; -1 if it may not touch the tile's atoms i. */
INLINE int allowed_visits(const cover *c, int words, const word *allowed, int tile) {
  const word *fixed = c->fixed + (size_t)tile * (size_t)words, *open = c->open + (size_t)tile * (size_t)words;
  int visits = 0;
  for (int w = 0; w < words; w++) {
    if ((fixed[w] & ~allowed[w]) != 0) return -1;
    visits += count_bits(open[w] & allowed[w]);
  }
  return visits;
}

/* The tile with the most remaining visits whose atoms i are free for the rank; -1 if none can start. */
INLINE int choose_tile(const cover *c, int words, const word *allowed) {
  int best = -1, most = 0;
  for (int b = 0; b < c->n_tiles; b++) {
    int visits = c->tiles[b].open > most ? allowed_visits(c, words, allowed, b) : -1;
    if (visits <= most) continue;
    most = visits;
    best = b;
  }
  return best;
}

/* The first open visit of the tile to an atom that the rank may touch; -1 if there is none. */
INLINE int first_visit(const cover *c, int words, const word *allowed, int tile) {
  const word *open = c->open + (size_t)tile * (size_t)words, *visited = c->visited + (size_t)tile * (size_t)words;
  int before = c->tiles[tile].first;
  for (int w = 0; w < words; w++) {
    word any = open[w] & allowed[w];
    if (any != 0) return before + count_bits(visited[w] & ((any & (0 - any)) - 1));
    before += count_bits(visited[w]);
  }
  return -1;
}

static void touch(word *free, word *own, int atom) {
  put(own, atom);
  drop(free, atom);
}

/* Assigns one more visit to the rank, from its own tile or another; false if there is none. There will be none until
 * the next phase, since atoms are only claimed, never released, within a phase. */
INLINE bool take_one(cover *c, int words, phase *ph, const packing *p, int rank) {
  int copy = rank & (p->copies - 1); /* both are powers of two */
  word *free = ph->free + (size_t)copy * (size_t)words, *own = ph->own + (size_t)rank * (size_t)words;
  bool starts = ph->now[rank] == NO_TILE;
  if (starts && ph->exhausted[copy]) return false;
  for (int w = 0; w < words; w++) ph->allowed[w] = free[w] | own[w];
  int b = ph->now[rank], v = starts ? -1 : first_visit(c, words, ph->allowed, b);
  if (v < 0) {
    b = ph->now[rank] = choose_tile(c, words, ph->allowed);
    if (b < 0) {
      ph->exhausted[copy] |= starts;
      return false;
    }
    for (int k = 0; k < BT_TILE_ATOMS; k++) touch(free, own, c->tiles[b].i[k]);
    v = first_visit(c, words, ph->allowed, b);
  }
  drop(c->open + (size_t)b * (size_t)words, c->visits[v].j);
  c->tiles[b].open--;
  touch(free, own, c->visits[v].j);
  ph->by[ph->n_taken] = rank;
  ph->taken[ph->n_taken++] = v;
  ph->count[rank]++;
  return true;
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

/* A lower bound for what is left, with this and any longer length: all ranks busy all the time. */
static long least_cost(const packing *p, int left, int length) {
  long rounds = (left + p->team - 1) / p->team, phases = p->limited ? (rounds + length - 1) / length : 1;
  return VISIT_COST * rounds + (TILE_COST + PHASE_COST) * phases;
}

static void open_phase(const cover *c, phase *ph, const packing *p) {
  memset(ph->free, -1, (size_t)p->copies * (size_t)c->words * sizeof *ph->free);
  memset(ph->own, 0, (size_t)p->team * (size_t)c->words * sizeof *ph->own);
  memset(ph->exhausted, 0, (size_t)p->copies * sizeof *ph->exhausted);
  memset(ph->count, 0, (size_t)p->team * sizeof *ph->count);
  for (int rank = 0; rank < p->team; rank++) {
    ph->now[rank] = NO_TILE;
    ph->busy[rank] = rank;
  }
  ph->n_busy = p->team;
  ph->n_taken = 0;
}

INLINE void fill_phase(cover *c, int words, phase *ph, const packing *p, int length) {
  for (int step = 0; step < length && ph->n_busy > 0; step++) {
    int still = 0;
    for (int k = 0; k < ph->n_busy; k++)
      if (take_one(c, words, ph, p, ph->busy[k])) ph->busy[still++] = ph->busy[k];
    ph->n_busy = still;
  }
}

/* Packs all visits into phases of at most that many visits per rank. Gives up when the cost will reach the limit. */
static void pack(cover *c, phase *ph, int length, long limit, packing *p) {
  int left = c->n_visits;
  p->n_phases = p->n_pieces = p->n_order = 0;
  p->cost = 0;
  p->limited = false;
  for (int b = 0; b < c->n_tiles; b++) c->tiles[b].open = c->tiles[b].end - c->tiles[b].first;
  memcpy(c->open, c->visited, (size_t)c->n_tiles * (size_t)c->words * sizeof *c->open);
  while (left > 0 && p->cost + least_cost(p, left, length) < limit) {
    open_phase(c, ph, p);
    if (c->words == 1)
      fill_phase(c, 1, ph, p, length);
    else
      fill_phase(c, c->words, ph, p, length);
    close_phase(c, ph, p);
    left -= ph->n_taken;
    p->limited |= left > 0 && ph->n_busy > 0;
  }
  if (left > 0) p->cost = limit;
}

/* ---- 3. The best length, and the result ---- */

/* The most visits per rank and phase that are tried. */
static const int lengths[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 17, 21, 26, 33, 1 << 20};
enum { N_LENGTHS = sizeof lengths / sizeof lengths[0], USUAL_BEST = 4 };

/* Where most find their best first, from there to both sides, so that most others are given up early. */
static int nth_length(int nth) {
  int side = nth % 2 == 1 ? USUAL_BEST + (nth + 1) / 2 : USUAL_BEST - nth / 2;
  return nth <= 2 * USUAL_BEST ? side : nth;
}

/* The shortest of the best lengths. Its arrays are the arena's. */
static bt_status best_packing(cover *c, int team, bt_arena *arena, packing *ret_packing, bt_error *opt_error) {
  int copies = bt_schedule_gradients(c->n, team);
  size_t visits = (size_t)c->n_visits + 1;
  phase ph;
  BT_NEW(arena, ph.free, (size_t)copies * (size_t)c->words);
  BT_NEW(arena, ph.own, (size_t)team * (size_t)c->words);
  BT_NEW(arena, ph.allowed, c->words);
  BT_NEW(arena, ph.exhausted, copies);
  BT_NEW(arena, ph.busy, team);
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
  int best = 0, best_length = N_LENGTHS, longest = N_LENGTHS - 1;
  for (int nth = 0; nth < N_LENGTHS; nth++) {
    int k = nth_length(nth);
    if (team == 1 && k < N_LENGTHS - 1) continue; /* a single rank waits for no other */
    if (k > longest) continue;
    long limit = tries[best].cost + (k < best_length);
    pack(c, &ph, lengths[k], limit, &tries[1 - best]);
    if (!tries[1 - best].limited) longest = k;
    if (tries[1 - best].cost >= limit) continue;
    best = 1 - best;
    best_length = k;
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

static bt_status create_one(cover *c, int team, bt_schedule *s, bt_error *opt_error) {
  BT_ENDED_BY(bt_arena_destroy) bt_arena arena = {0};
  packing p;
  BT_TRY(best_packing(c, team, &arena, &p, opt_error));
  return write_schedule(c, &p, s, opt_error);
}

bt_status bt_schedules_of_ligand(const bt_kernel_data *data, const int *teams, int n_teams, bt_schedule *ret_schedules,
                                 bt_error *opt_error) {
  BT_ENDED_BY(bt_arena_destroy) bt_arena arena = {0};
  cover c;
  for (int k = 0; k < n_teams; k++) ret_schedules[k] = (bt_schedule){0};
  BT_TRY(cover_make(data, &arena, &c, opt_error));
  for (int k = 0; k < n_teams; k++) BT_TRY(create_one(&c, teams[k], &ret_schedules[k], opt_error));
  return BT_OK;
}
