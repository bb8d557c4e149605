/* ratios.c - do two configurations need the same number of evaluations? Paired over complexes. */
#include <math.h>
#include <stdlib.h>

#include "bench/common/output.h"
#include "bench/e50/e50.h"

typedef struct contest {
  bt_e50_sampler sides[2];
  double log_cost; /* logarithm of what an evaluation costs the second / the first */
} contest;

static double log_ratio(void *user, int pair, uint64_t *opt_state) {
  contest *c = (contest *)user + pair;
  double first = bt_e50_counted(&c->sides[0], opt_state);
  return log(bt_e50_counted(&c->sides[1], opt_state) / first) + c->log_cost;
}

/* Both sides by the curve when the model fits one of them badly and both curves cross one half; else both by the model.
 * False: neither side has a success, or its seconds are not known. */
static bool open_contest(const bt_e50_pair *pair, bool seconds, contest *c) {
  const bt_e50_side *sides = pair->sides;
  bool bad = false, crossed = true, used = false;
  if (seconds && !(sides[0].rate > 0 && sides[1].rate > 0)) return false;
  c->log_cost = seconds ? log((1.0 / sides[1].rate) / (1.0 / sides[0].rate)) : 0.0;
  for (int k = 0; k < 2; k++) {
    bt_e50 e50 = bt_e50_estimate(sides[k].runs, sides[k].count, 1);
    bad = bad || e50.interpolated;
    crossed = crossed && isfinite(e50.by_curve);
    used = used || e50.successes > 0;
  }
  for (int k = 0; k < 2 && used; k++) c->sides[k] = bt_e50_sampler_make(sides[k].runs, sides[k].count, bad && crossed);
  return used;
}

bt_e50_comparison bt_e50_compare(const bt_e50_pair *pairs, int count, bool seconds, uint64_t seed, double *opt_ratios) {
  BT_SCOPED contest *contests = bench_allocate((size_t)count, sizeof *contests);
  int n = 0;
  for (int i = 0; i < count; i++) {
    bool used = open_contest(&pairs[i], seconds, &contests[n]);
    if (opt_ratios != NULL) opt_ratios[i] = used ? exp(log_ratio(contests, n, NULL)) : NAN;
    n += used;
  }
  bt_e50_comparison comparison = bt_e50_judge(log_ratio, contests, n, seed);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 2; k++) bt_e50_sampler_clear(&contests[i].sides[k]);
  return comparison;
}
