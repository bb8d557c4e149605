/* ratios.c - do two configurations need the same number of evaluations? Paired over complexes. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "bench/e50/estimate.h"

typedef struct side {
  bt_e50_sampler sampler;
  bool interpolated;
} side;

typedef struct contest {
  side sides[2];
  double log_cost; /* logarithm of what an evaluation costs the second / the first */
} contest;

static double log_ratio(void *user, int pair, uint64_t *opt_state) {
  contest *c = (contest *)user + pair;
  double first = bt_e50_counted(&c->sides[0].sampler, c->sides[0].interpolated, opt_state);
  return log(bt_e50_counted(&c->sides[1].sampler, c->sides[1].interpolated, opt_state) / first) + c->log_cost;
}

/* Both sides by the curve when the model fits one of them badly and both curves cross one half; else both by the model.
 */
static bt_status open_contest(const bt_e50_pair *pair, contest *c, bool *ret_used, bt_error *opt_error) {
  const bt_e50_run *runs[2] = {pair->first, pair->second};
  int counts[2] = {pair->n_first, pair->n_second};
  bool bad = false, crossed = true;
  *ret_used = false;
  c->log_cost = pair->first_cost > 0 && pair->second_cost > 0 ? log(pair->second_cost / pair->first_cost) : 0.0;
  for (int k = 0; k < 2; k++) {
    bt_e50 e50;
    BT_TRY(bt_e50_estimate(runs[k], counts[k], 1, &e50, opt_error));
    bad = bad || e50.interpolated;
    crossed = crossed && isfinite(e50.by_curve);
    *ret_used = *ret_used || e50.successes > 0;
  }
  for (int k = 0; k < 2; k++) {
    c->sides[k].interpolated = bad && crossed;
    BT_TRY(bt_e50_sampler_create(runs[k], counts[k], &c->sides[k].sampler, opt_error));
  }
  return BT_OK;
}

bt_status bt_e50_compare(const bt_e50_pair *pairs, int count, uint64_t seed, double *opt_ratios,
                         bt_e50_comparison *ret_comparison, bt_error *opt_error) {
  BT_SCOPED contest *contests = bt_allocate((size_t)count, sizeof *contests);
  bt_status status = contests == NULL ? bt_fail_memory(opt_error) : BT_OK;
  int n = 0;
  for (int i = 0; i < count && status == BT_OK; i++) {
    bool used;
    status = open_contest(&pairs[i], &contests[n], &used, opt_error);
    if (opt_ratios != NULL) opt_ratios[i] = NAN;
    if (status == BT_OK && used) {
      if (opt_ratios != NULL) opt_ratios[i] = exp(log_ratio(contests, n, NULL));
      n++;
      continue;
    }
    for (int k = 0; k < 2; k++) bt_e50_sampler_destroy(&contests[n].sides[k].sampler);
  }
  *ret_comparison = (bt_e50_comparison){.ratio = NAN, .low = NAN, .high = NAN, .probability = NAN};
  if (status == BT_OK) status = bt_e50_judge(log_ratio, contests, n, seed, ret_comparison, opt_error);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 2; k++) bt_e50_sampler_destroy(&contests[i].sides[k].sampler);
  return status;
}
