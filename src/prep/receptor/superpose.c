/* superpose.c - see superpose.h. Sequences are aligned by Needleman and Wunsch, J. Mol. Biol. 48, 443 (1970). */
#include "prep/receptor/superpose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/file.h"
#include "base/memory.h"
#include "base/text/text.h"
#include "base/vector.h"
#include "prep/ligand/rigid.h"

typedef struct alpha {
  double x[3];
  char residue[8], chain[8];
} alpha;

/* Consecutive C-alpha atoms of one chain. */
typedef struct stretch {
  int first, end;
  int near; /* of the fixed receptor: atoms around the box */
} stretch;

typedef struct trace {
  alpha *atoms;
  int n;
  stretch *chains;
  int n_chains;
} trace;

static void end_trace(trace *t) {
  free(t->atoms);
  free(t->chains);
}

/* ---- 1. chains ---- */

static bool add_alpha(trace *t, size_t *room, const double x[3], const char *residue, const char *chain) {
  alpha one = {.x = {x[0], x[1], x[2]}};
  bt_span_copy(bt_span_from(residue), one.residue, sizeof one.residue);
  bt_span_copy(bt_span_from(chain), one.chain, sizeof one.chain);
  return BT_APPEND(t->atoms, t->n, room, one);
}

static bt_status cut_chains(trace *t, bool good, bt_error *opt_error) {
  size_t room = 0;
  for (int i = 0; good && i < t->n; i++) {
    bool same = i > 0 && strcmp(t->atoms[i].chain, t->atoms[i - 1].chain) == 0;
    if (!same) good = BT_APPEND(t->chains, t->n_chains, &room, (stretch){.first = i});
    if (good) t->chains[t->n_chains - 1].end = i + 1;
  }
  return good ? BT_OK : bt_fail_memory(opt_error);
}

static bt_status trace_molecule(const bt_molecule *molecule, trace *t, bt_error *opt_error) {
  size_t room = 0;
  bool good = true;
  for (int i = 0; good && i < molecule->n_atoms; i++) {
    const bt_atom *a = &molecule->atoms[i];
    const char chain[] = {a->chain, '\0'};
    if (strcmp(a->name, "CA") == 0 && a->type[0] == 'C' && a->type[1] != 'A' && a->type[1] != 'a')
      good = add_alpha(t, &room, a->x, a->resname, chain);
  }
  return cut_chains(t, good, opt_error);
}

/* Of alternate locations the first. */
static bt_status trace_structure(const bt_structure *s, trace *t, bt_error *opt_error) {
  enum { CARBON = 6 };
  size_t room = 0;
  bool good = true;
  for (int r = 0; r < s->n_residues; r++)
    for (int a = s->residues[r].first_atom; good && a < s->residues[r].end_atom; a++) {
      if (strcmp(s->atoms[a].name, "CA") != 0 || s->atoms[a].element != CARBON) continue;
      good = add_alpha(t, &room, s->atoms[a].x, s->residues[r].name, s->residues[r].chain);
      break;
    }
  return cut_chains(t, good, opt_error);
}

/* ---- 2. alignment ---- */

enum { SAME = 2, OTHER = -1, GAP = -2 };

/* pair[i - a.first]: the atom of b that is aligned with atom i of a; -1: none. Returns the share of equal residues
 * among the shorter chain's. */
static double align(const trace *ta, stretch a, const trace *tb, stretch b, short *score, int *pair) {
  int n = a.end - a.first, m = b.end - b.first, w = m + 1, equal = 0;
  for (int j = 0; j <= m; j++) score[j] = 0; /* chains may be longer at both ends */
  for (int i = 1; i <= n; i++) {
    score[i * w] = 0;
    for (int j = 1; j <= m; j++) {
      bool same = strcmp(ta->atoms[a.first + i - 1].residue, tb->atoms[b.first + j - 1].residue) == 0;
      int best = score[(i - 1) * w + j - 1] + (same ? SAME : OTHER);
      int up = score[(i - 1) * w + j] + (j < m ? GAP : 0), left = score[i * w + j - 1] + (i < n ? GAP : 0);
      if (up > best) best = up;
      if (left > best) best = left;
      score[i * w + j] = (short)best;
    }
  }
  for (int i = 0; i < n; i++) pair[i] = -1;
  for (int i = n, j = m; i > 0 && j > 0;) {
    bool same = strcmp(ta->atoms[a.first + i - 1].residue, tb->atoms[b.first + j - 1].residue) == 0;
    if (score[i * w + j] == score[(i - 1) * w + j - 1] + (same ? SAME : OTHER)) {
      pair[--i] = b.first + --j;
      equal += same;
    } else if (score[i * w + j] == score[(i - 1) * w + j] + (j < m ? GAP : 0)) {
      i--;
    } else {
      j--;
    }
  }
  int shorter = n < m ? n : m;
  return shorter > 0 ? (double)equal / shorter : 0;
}

/* ---- 3. superposition ---- */

typedef struct work {
  trace fixed, moving;
  bool *near; /* [fixed.n] around the box */
  int *pairs; /* [moving.n_chains][fixed.n] aligned atoms of each chain; -1: none, or the sequences are not alike */
  double (*from)[3], (*to)[3];
} work;

static void gather(const work *w, int chain, int moving_chain, int *count) {
  const stretch *f = &w->fixed.chains[chain];
  for (int i = f->first; i < f->end; i++) {
    int j = w->pairs[(size_t)moving_chain * (size_t)w->fixed.n + (size_t)i];
    if (!w->near[i] || j < 0) continue;
    bt_v3_copy(w->from[*count], w->moving.atoms[j].x);
    bt_v3_copy(w->to[(*count)++], w->fixed.atoms[i].x);
  }
}

void bt_superposition_move(const bt_superposition *motion, double x[3]) {
  double d[3], moved[3];
  bt_v3_subtract(d, x, motion->from);
  for (int k = 0; k < 3; k++) moved[k] = motion->to[k] + bt_v3_dot(motion->rotation[k], d);
  bt_v3_copy(x, moved);
}

/* Of the points from `first` on. */
static double distance(const work *w, const bt_superposition *motion, int first, int count) {
  double sum = 0;
  for (int i = first; i < count; i++) {
    double x[3];
    bt_v3_copy(x, w->from[i]);
    bt_superposition_move(motion, x);
    sum += bt_v3_distance2(x, w->to[i]);
  }
  return count > first ? sqrt(sum / (count - first)) : INFINITY;
}

static void superpose(const work *w, int count, bt_superposition *motion) {
  *motion = (bt_superposition){.count = count, .rmsd = INFINITY};
  for (int i = 0; i < count; i++)
    for (int k = 0; k < 3; k++) {
      motion->from[k] += w->from[i][k] / count;
      motion->to[k] += w->to[i][k] / count;
    }
  if (count < 3) return;
  bt_rigid_rotation((const double(*)[3])w->from, (const double(*)[3])w->to, count, motion->rotation);
  motion->rmsd = distance(w, motion, 0, count);
}

/* The chain around most of the box on one of the moving chains, then each other chain on the one that comes to lie
 * there. */
static void try_chain(const work *w, int main_chain, int on, bool *used, bt_superposition *motion) {
  const double far = 8.0; /* Angstrom; a chain elsewhere */
  int count = 0;
  memset(used, 0, (size_t)w->moving.n_chains * sizeof *used);
  gather(w, main_chain, on, &count);
  superpose(w, count, motion);
  used[on] = true;
  if (count < 3) return;
  for (int f = 0; f < w->fixed.n_chains; f++) {
    int best = -1, first = count;
    double least = far;
    for (int m = 0; f != main_chain && m < w->moving.n_chains; m++) {
      int all = first;
      if (used[m]) continue;
      gather(w, f, m, &all);
      double rmsd = distance(w, motion, first, all);
      if (all > first && rmsd < least) best = m, least = rmsd;
    }
    if (best < 0) continue;
    used[best] = true;
    gather(w, f, best, &count);
  }
  superpose(w, count, motion);
}

/* Marks the atoms around the box. */
static void find_near(work *w, const double center[3], const double size[3]) {
  enum { ENOUGH = 10 };
  const double step = 4.0, most = 24.0; /* Angstrom */
  int count = 0;
  for (double margin = step; margin <= most && count < ENOUGH; margin += step) {
    count = 0;
    for (int c = 0; c < w->fixed.n_chains; c++) w->fixed.chains[c].near = 0;
    for (int c = 0; c < w->fixed.n_chains; c++)
      for (int i = w->fixed.chains[c].first; i < w->fixed.chains[c].end; i++) {
        w->near[i] = true;
        for (int k = 0; k < 3; k++)
          w->near[i] = w->near[i] && fabs(w->fixed.atoms[i].x[k] - center[k]) <= 0.5 * size[k] + margin;
        w->fixed.chains[c].near += w->near[i];
        count += w->near[i];
      }
  }
}

static bt_status align_all(work *w, bt_error *opt_error) {
  const double alike = 0.5; /* equal residues */
  int longest = 0, other = 0;
  for (int c = 0; c < w->fixed.n_chains; c++) {
    int n = w->fixed.chains[c].end - w->fixed.chains[c].first;
    longest = n > longest ? n : longest;
  }
  for (int c = 0; c < w->moving.n_chains; c++) {
    int n = w->moving.chains[c].end - w->moving.chains[c].first;
    other = n > other ? n : other;
  }
  BT_SCOPED short *score = bt_allocate((size_t)(longest + 1) * (size_t)(other + 1), sizeof *score);
  if (score == NULL) return bt_fail_memory(opt_error);
  for (int m = 0; m < w->moving.n_chains; m++)
    for (int f = 0; f < w->fixed.n_chains; f++) {
      stretch fixed = w->fixed.chains[f];
      int *pair = w->pairs + (size_t)m * (size_t)w->fixed.n + fixed.first;
      bool fits = fixed.near > 0 && align(&w->fixed, fixed, &w->moving, w->moving.chains[m], score, pair) >= alike;
      for (int i = 0; !fits && i < fixed.end - fixed.first; i++) pair[i] = -1;
    }
  return BT_OK;
}

static bt_status fit(work *w, const double center[3], const double size[3], const char *path,
                     bt_superposition *ret_motion, bt_error *opt_error) {
  enum { FEWEST = 5 };
  BT_ENDED_BY(bt_arena_destroy) bt_arena arena = {0};
  bool *used;
  BT_NEW(&arena, w->near, w->fixed.n + 1);
  BT_NEW(&arena, w->pairs, ((size_t)w->moving.n_chains + 1) * ((size_t)w->fixed.n + 1));
  BT_NEW(&arena, w->from, w->fixed.n + 1);
  BT_NEW(&arena, w->to, w->fixed.n + 1);
  BT_NEW(&arena, used, w->moving.n_chains + 1);
  BT_TRY(bt_arena_status(&arena, opt_error));
  find_near(w, center, size);
  BT_TRY(align_all(w, opt_error));
  int main_chain = 0;
  for (int c = 1; c < w->fixed.n_chains; c++)
    if (w->fixed.chains[c].near > w->fixed.chains[main_chain].near) main_chain = c;
  *ret_motion = (bt_superposition){.rmsd = INFINITY};
  for (int m = 0; w->fixed.n_chains > 0 && m < w->moving.n_chains; m++) {
    bt_superposition motion;
    try_chain(w, main_chain, m, used, &motion);
    if (motion.count < FEWEST || 5 * motion.count < 4 * ret_motion->count) continue;
    if (motion.rmsd < ret_motion->rmsd || 4 * motion.count > 5 * ret_motion->count) *ret_motion = motion;
  }
  if (ret_motion->count >= FEWEST) return BT_OK;
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = path},
                 "use structures of the same protein, or superpose them yourself and leave them where they are",
                 "no chain has the sequence of the first receptor around the box");
}

/* traced: what came of reading the moving chains. */
static bt_status superpose_traced(work *w, bt_status traced, const bt_molecule *fixed, const double center[3],
                                  const double size[3], const char *path, bt_superposition *ret_motion,
                                  bt_error *opt_error) {
  bt_status status = traced;
  if (status == BT_OK) status = trace_molecule(fixed, &w->fixed, opt_error);
  if (status == BT_OK) status = fit(w, center, size, bt_file_label(path), ret_motion, opt_error);
  end_trace(&w->fixed);
  end_trace(&w->moving);
  return status;
}

bt_status bt_superpose_structure(const bt_structure *moving, const bt_molecule *fixed, const double center[3],
                                 const double size[3], bt_superposition *ret_motion, bt_error *opt_error) {
  work w = {.near = NULL};
  bt_status traced = trace_structure(moving, &w.moving, opt_error);
  return superpose_traced(&w, traced, fixed, center, size, moving->path, ret_motion, opt_error);
}

bt_status bt_superpose_molecule(const bt_molecule *moving, const bt_molecule *fixed, const double center[3],
                                const double size[3], bt_superposition *ret_motion, bt_error *opt_error) {
  work w = {.near = NULL};
  bt_status traced = trace_molecule(moving, &w.moving, opt_error);
  return superpose_traced(&w, traced, fixed, center, size, moving->path, ret_motion, opt_error);
}
