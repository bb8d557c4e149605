/* autostop.h - AutoDock-GPU's criterion for ending a docking early (Santos-Martins et al. 2021), recomputed at each
 * test.
 *
 * The individuals of all runs are pooled. The lowest energies are binned below a moving threshold; when their spread
 * over the last four tests stays below the tolerance and the best energy has not moved, the search has converged.
 *
 * Plain scalar C, for host and device. Call begin once. Each test makes bt_autostop_passes() passes: find the lowest
 * energy, gather every bin (by any work-item, in any order), call bt_autostop_pass; then call bt_autostop_judge.
 * Energies are relative to the lowest one, so single precision is enough.
 */
#ifndef BERTH_KERNEL_LGA_AUTOSTOP_H
#define BERTH_KERNEL_LGA_AUTOSTOP_H

#define BT_AUTOSTOP_WINDOW 4
/* Initial threshold: above the energy of any pose inside the box. */
#define BT_AUTOSTOP_THRESHOLD 16777216.0f
/* Allowed range of the best energies in the window, kcal/mol (AutoDock-GPU's variance limit of 2e-5 as a range). */
#define BT_AUTOSTOP_BEST_RANGE 0.009f

#ifndef BT_SCALAR_SQRT /* of a single float, whatever the lane type */
#define BT_SCALAR_SQRT(x) __builtin_sqrtf(x)
#endif

typedef struct bt_autostop_bin {
  float count, sum, squares; /* of energies above the lowest one */
} bt_autostop_bin;

typedef struct bt_autostop_record {
  float mean, deviation, count, best;
} bt_autostop_record;

typedef struct bt_autostop_state {
  float tolerance; /* kcal/mol */
  int bins;        /* population size */
  float threshold, spread, bin_width;
  float mean, deviation, count; /* of the pooled lowest energies */
  float lowest;                 /* over all individuals in this test */
  int started, records, converged;
  bt_autostop_record ring[BT_AUTOSTOP_WINDOW];
} bt_autostop_state;

BT_FUNCTION void bt_autostop_begin(BT_GLOBAL bt_autostop_state *a, float tolerance, int population) {
  a->tolerance = tolerance;
  a->bins = population;
  a->threshold = a->spread = BT_AUTOSTOP_THRESHOLD;
  a->bin_width = 2.0f * BT_AUTOSTOP_THRESHOLD / (float)population;
  a->mean = a->deviation = a->count = a->lowest = 0.0f;
  a->started = a->records = a->converged = 0;
}

/* The first test has to find the scale and so takes more passes. */
BT_FUNCTION int bt_autostop_passes(const BT_GLOBAL bt_autostop_state *a) { return a->records == 0 ? 9 : 1; }

/* Minimum over every step-th energy from first on; 3e38 if all are NaN. */
BT_FUNCTION float bt_autostop_lowest(const BT_GLOBAL float *energies, int first, int count, int step) {
  float lowest = 3.0e38f;
  for (int i = first; i < count; i += step)
    if (energies[i] < lowest) lowest = energies[i];
  return lowest;
}

/* Gathers one bin. The first bin takes everything below its upper edge, the last everything above its lower edge. */
BT_FUNCTION bt_autostop_bin bt_autostop_gather(const BT_GLOBAL bt_autostop_state *a, const BT_GLOBAL float *energies,
                                               int count, int bin) {
  bt_autostop_bin b = {0.0f, 0.0f, 0.0f};
  float threshold = a->threshold, edge = threshold - 2.0f * a->spread, width = a->bin_width, lowest = a->lowest;
  float low = bin == 0 ? -3.0e38f : edge + (float)(bin - 1) * width;
  float high = bin == a->bins - 1 || (width <= 0.0f && bin == 0) ? threshold : edge + (float)bin * width;
  if (width <= 0.0f && bin > 0) return b;
  if (high > threshold) high = threshold;
  for (int i = 0; i < count; i++) {
    float e = energies[i];
    if (!(e >= low && e < high)) continue;
    e -= lowest;
    b.count += 1.0f;
    b.sum += e;
    b.squares += e * e;
  }
  return b;
}

BT_FUNCTION float bt_autostop_deviation(bt_autostop_bin all) {
  float mean = all.sum / all.count, variance = all.squares / all.count - mean * mean;
  return all.count > 1.0f && variance > 0.0f ? BT_SCALAR_SQRT(variance) : 0.0f;
}

BT_FUNCTION bt_autostop_bin bt_autostop_add(bt_autostop_bin to, bt_autostop_bin more) {
  to.count += more.count;
  to.sum += more.sum;
  to.squares += more.squares;
  return to;
}

/* Combines all bins: updates mean, spread, threshold and bin width. */
BT_FUNCTION void bt_autostop_pass(BT_GLOBAL bt_autostop_state *a, const BT_GLOBAL bt_autostop_bin *bins) {
  int quota = a->bins / 10 > 0 ? a->bins / 10 : 1, taken = 0;
  bt_autostop_bin all = {0.0f, 0.0f, 0.0f}, pool = all;
  for (int k = 0; k < a->bins; k++) all = bt_autostop_add(all, bins[k]);
  if (all.count < 1.0f) return;
  for (int k = 0; a->started && k < a->bins && taken < quota; k++) {
    if (bins[k].count < 1.0f) continue;
    float apart = pool.count < 4.0f ? 0.0f : pool.sum / pool.count - bins[k].sum / bins[k].count;
    if ((apart < 0.0f ? -apart : apart) >= 2.0f * a->tolerance) continue;
    pool = bt_autostop_add(pool, bins[k]);
    taken++;
  }
  if (pool.count > 0.0f) all = pool;
  a->mean = a->lowest + all.sum / all.count;
  a->deviation = a->spread = bt_autostop_deviation(all);
  a->count = all.count;
  if (a->started && a->deviation < 0.5f * a->tolerance) a->spread = a->tolerance;
  a->threshold = a->mean + (a->started ? (float)quota * a->spread / all.count : a->spread);
  a->bin_width = 2.0f * a->spread / (float)(a->bins > 1 ? a->bins - 1 : 1);
  a->started = 1;
}

/* Ends a test: records it and decides whether the search has converged. */
BT_FUNCTION void bt_autostop_judge(BT_GLOBAL bt_autostop_state *a) {
  BT_GLOBAL bt_autostop_record *record = &a->ring[a->records % BT_AUTOSTOP_WINDOW];
  record->mean = a->mean;
  record->deviation = a->deviation;
  record->count = a->count;
  record->best = a->lowest;
  a->records++;
  a->converged = 0;
  if (a->records <= BT_AUTOSTOP_WINDOW || !a->started) return;
  float low = a->lowest, high = low, count = 0.0f, sum = 0.0f, squares = 0.0f, base = a->ring[0].mean;
  for (int k = 0; k < BT_AUTOSTOP_WINDOW; k++) {
    float n = a->ring[k].count, mean = a->ring[k].mean - base, deviation = a->ring[k].deviation;
    count += n;
    sum += n * mean;
    squares += n * (deviation * deviation + mean * mean);
    low = a->ring[k].best < low ? a->ring[k].best : low;
    high = a->ring[k].best > high ? a->ring[k].best : high;
  }
  bt_autostop_bin all = {count, sum, squares};
  a->converged = bt_autostop_deviation(all) < a->tolerance && high - low <= BT_AUTOSTOP_BEST_RANGE;
}

#endif
