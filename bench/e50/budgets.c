/* budgets.c - the least seconds to a success over each program's budgets, and their ratio over complexes. */
#include "bench/e50/budgets.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "bench/common/output.h"

static const double chance = 0.99;

double bt_e50_seconds_of_hits(int hits, int runs, int fewest, double seconds) {
  double share = fmin(fmax(hits, 0.5) / runs, 1.0 - 0.5 / fewest);
  return seconds / runs * log1p(-chance) / log1p(-share);
}

/* Hits of the row, or of as many runs drawn with its share of hits. */
static int draw_hits(const bt_e50_budget *row, uint64_t *opt_state) {
  if (opt_state == NULL) return row->hits;
  int hits = 0;
  for (int i = 0; i < row->runs; i++) hits += bt_e50_draw_below(opt_state, row->runs) < row->hits;
  return hits;
}

static bool is_of(const bt_e50_budget *row, int program, const char *complex) {
  return row->program == program && strcmp(row->complex, complex) == 0;
}

/* Budgets without a hit are left out, unless no budget has one: half a hit of a short one would look like a success.
 * fewest: runs of the smallest row of either program, so that shares of 1 count the same on both sides. */
static bt_e50_least least_of(const bt_e50_budgets *t, int program, const char *complex, int fewest,
                             uint64_t *opt_state) {
  bt_e50_least least = {.seconds = NAN};
  const bt_e50_budget *shortest = NULL, *longest = NULL;
  for (int i = 0; i < t->n_rows; i++) {
    const bt_e50_budget *row = &t->rows[i];
    if (!is_of(row, program, complex)) continue;
    if (shortest == NULL || row->evaluations < shortest->evaluations) shortest = row;
    if (longest == NULL || row->evaluations > longest->evaluations) longest = row;
    least.budgets++;
    int hits = draw_hits(row, opt_state);
    double seconds = bt_e50_seconds_of_hits(hits, row->runs, fewest, row->seconds);
    if (hits == 0 || (least.row != NULL && seconds >= least.seconds)) continue;
    least.seconds = seconds;
    least.row = row;
  }
  least.bound = least.row == NULL && longest != NULL;
  if (least.bound) {
    least.row = longest;
    least.seconds = bt_e50_seconds_of_hits(0, longest->runs, fewest, longest->seconds);
  }
  least.at_edge = least.row == shortest || least.row == longest;
  return least;
}

typedef struct duels {
  const bt_e50_budgets *table;
  const bt_e50_budget_contest *contest;
  const int *having; /* pairs with a ratio */
} duels;

static int fewest_runs(const bt_e50_budgets *t, const bt_e50_budget_contest *c, const char *complex) {
  int fewest = INT_MAX;
  for (int i = 0; i < t->n_rows; i++)
    if ((is_of(&t->rows[i], c->first, complex) || is_of(&t->rows[i], c->second, complex)) && t->rows[i].runs < fewest)
      fewest = t->rows[i].runs;
  return fewest;
}

static double log_ratio(void *user, int at, uint64_t *opt_state) {
  const duels *d = user;
  const char *complex = d->contest->pairs[d->having[at]].complex;
  int fewest = fewest_runs(d->table, d->contest, complex);
  double first = least_of(d->table, d->contest->first, complex, fewest, opt_state).seconds;
  return log(least_of(d->table, d->contest->second, complex, fewest, opt_state).seconds / first);
}

static bool is_listed(const bt_e50_budgets *t, int first, int second, int row) {
  for (int i = 0; i < row; i++)
    if (is_of(&t->rows[i], first, t->rows[row].complex) || is_of(&t->rows[i], second, t->rows[row].complex))
      return true;
  return false;
}

static bt_status has_several(const bt_e50_budgets *t, const char *path, int program, const char *complex,
                             const bt_e50_least *least, bt_error *opt_error) {
  if (least->budgets != 1) return BT_OK;
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = path},
                 "measure each program with several budgets, so that each is judged at the one that suits it",
                 "%.60s has a single budget for %.60s", t->programs[program].name, complex);
}

static bt_status open_pairs(const bt_e50_budgets *t, const char *path, bt_e50_budget_contest *c, bt_error *opt_error) {
  for (int i = 0; i < t->n_rows; i++) {
    const char *complex = t->rows[i].complex;
    if ((t->rows[i].program != c->first && t->rows[i].program != c->second) || is_listed(t, c->first, c->second, i))
      continue;
    bt_e50_budget_pair pair = {.complex = complex};
    int fewest = fewest_runs(t, c, complex);
    for (int side = 0; side < 2; side++)
      pair.sides[side] = least_of(t, side == 0 ? c->first : c->second, complex, fewest, NULL);
    if (pair.sides[0].budgets == 0 || pair.sides[1].budgets == 0) {
      c->alone++;
      continue;
    }
    for (int side = 0; side < 2; side++)
      BT_TRY(has_several(t, path, side == 0 ? c->first : c->second, complex, &pair.sides[side], opt_error));
    bool hit = !pair.sides[0].bound || !pair.sides[1].bound;
    pair.ratio = hit ? pair.sides[1].seconds / pair.sides[0].seconds : NAN;
    c->pairs[c->n_pairs++] = pair;
  }
  if (c->n_pairs > 0) return BT_OK;
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = path}, "use the same complexes for both programs",
                 "%.60s and %.60s have no complex in common", t->programs[c->first].name, t->programs[c->second].name);
}

bt_status bt_e50_budgets_compare(const bt_e50_budgets *table, const char *path, int first, int second, uint64_t seed,
                                 bt_e50_budget_pair *pairs, bt_e50_budget_contest *ret_contest, bt_error *opt_error) {
  bt_e50_budget_contest c = {.first = first, .second = second, .pairs = pairs, .least = INFINITY, .largest = 0};
  BT_TRY(open_pairs(table, path, &c, opt_error));
  BT_SCOPED int *having = bench_allocate((size_t)c.n_pairs, sizeof *having);
  int n = 0;
  for (int i = 0; i < c.n_pairs; i++) {
    if (isnan(pairs[i].ratio)) continue;
    having[n++] = i;
    c.least = fmin(c.least, pairs[i].ratio);
    c.largest = fmax(c.largest, pairs[i].ratio);
  }
  c.mean = bt_e50_judge(log_ratio, &(duels){table, &c, having}, n, seed);
  *ret_contest = c;
  return BT_OK;
}
