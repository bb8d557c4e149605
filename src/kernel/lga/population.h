/* population.h - once per run and generation: elitism, roulette wheel. Plain scalar code, so that every back end picks
 * bitwise the same parents.
 */
#ifndef BERTH_KERNEL_LGA_POPULATION_H
#define BERTH_KERNEL_LGA_POPULATION_H

/* Copies the best individuals of one run into the first slots of the next population. All arrays belong to the run. */
BT_FUNCTION void bt_population_elite(int n_genes, int population, int elitism, const BT_GLOBAL float *genes,
                                     const BT_GLOBAL float *energies, BT_GLOBAL float *next_genes,
                                     BT_GLOBAL float *next_energies) {
  float last = -3.402823466e+38f;
  int last_index = -1;
  for (int e = 0; e < elitism; e++) {
    int best = -1; /* lowest (energy, index) above the last one taken */
    float lowest = 0.0f;
    for (int i = 0; i < population; i++) {
      float energy = energies[i];
      int above = energy > last || (energy == last && i > last_index);
      if (above && (best < 0 || energy < lowest)) {
        best = i;
        lowest = energy;
      }
    }
    if (best < 0) best = 0; /* only if all energies are NaN */
    for (int k = 0; k < n_genes; k++) next_genes[e * n_genes + k] = genes[best * n_genes + k];
    last = energies[best];
    next_energies[e] = last;
    last_index = best;
  }
}

/* AutoDock 4's proportional selection as a roulette wheel: share (W - E), W the mean of the last worst energies inside
 * the box. worst[BT_SELECTION_WINDOW] persists across generations (from 1 on); cumulative[population] is the result. */
BT_FUNCTION void bt_population_wheel(int population, unsigned int generation, const BT_GLOBAL float *energies,
                                     BT_GLOBAL float *worst, BT_GLOBAL float *cumulative) {
  float high = -3.0e38f, sum = 0.0f, total = 0.0f, reached = 0.0f;
  for (int i = 0; i < population; i++) high = energies[i] > high && energies[i] < BT_KERNEL_WALL ? energies[i] : high;
  if (high < -1.0e38f) high = BT_KERNEL_WALL; /* no individual is inside */
  worst[generation % BT_SELECTION_WINDOW] = high;
  unsigned int filled = generation < BT_SELECTION_WINDOW ? generation : BT_SELECTION_WINDOW;
  for (unsigned int k = 0; k < filled; k++) sum += worst[(generation - k) % BT_SELECTION_WINDOW];
  float scale = sum / (float)filled;
  for (int i = 0; i < population; i++) total += scale > energies[i] ? scale - energies[i] : 0.0f;
  for (int i = 0; i < population; i++) {
    float share = scale > energies[i] ? scale - energies[i] : 0.0f;
    reached += total > 0.0f ? share / total : 1.0f / (float)population;
    cumulative[i] = reached;
  }
}

/* Individuals per run that undergo local search. */
BT_FUNCTION int bt_population_searched(const BT_GLOBAL bt_search_parameters *parameters) {
  return BT_SEARCHED(parameters);
}

/* The individual of the task-th local search of a run: the first ones (children are exchangeable). The elite in slot 0
 * is searched with probability local_search_rate, otherwise the first individual left out takes its place. */
BT_FUNCTION bt_int bt_population_task(const BT_GLOBAL bt_search_parameters *parameters, bt_uint run,
                                      unsigned int generation, bt_int task) {
  float rate = parameters->local_search_rate;
  if (rate >= 1.0f) return task;
  bt_random_key key = {parameters->key0, parameters->key1};
  bt_draw draw = bt_draw_words(key, BT_DRAW_LOCAL_SUBSET, run + bt_splat_uint((unsigned int)parameters->first_run),
                               bt_splat_uint(generation), bt_splat_uint(0), bt_splat_uint(0));
  bt_mask replaced = bt_and(bt_eq_int(task, bt_splat_int(0)), bt_not(bt_lt(bt_uniform(draw.w[0]), bt_splat(rate))));
  return bt_select_int(replaced, bt_splat_int(bt_population_searched(parameters)), task);
}

#endif
