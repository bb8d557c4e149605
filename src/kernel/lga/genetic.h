/* genetic.h - initial population, selection, crossover, mutation; one lane makes one individual.
 *
 * Populations are arrays of individuals, BT_GENES floats each. The orientation is one unit in crossover, so a child
 * never mixes two parents' quaternions. An individual outside the box is redrawn; the attempt is part of the random
 * counter.
 */
#ifndef BERTH_KERNEL_LGA_GENETIC_H
#define BERTH_KERNEL_LGA_GENETIC_H

/* Counter word of an attempt's step; attempt < 2^8. */
BT_FUNCTION bt_uint bt_attempt_step(unsigned int step, bt_uint attempt) {
  return bt_splat_uint(step) | (attempt << bt_splat_uint(24));
}

/* Positions uniform in the box, orientation uniform (Shoemake 1992), torsions and sliding positions uniform. Random
 * numbers are those of run first_run + run, so runs can be distributed over several jobs. */
BT_FUNCTION void bt_initial_genes(const bt_kernel_data *data,
                                  const BT_GLOBAL bt_search_parameters *parameters, bt_uint run, bt_uint individual,
                                  bt_uint attempt, BT_STATE bt_real *genes) {
  bt_random_key key = {parameters->key0, parameters->key1};
  run = run + bt_splat_uint((unsigned int)parameters->first_run);
  bt_uint generation = bt_splat_uint(0);
  bt_draw draw = bt_draw_words(key, BT_DRAW_INITIAL, run, generation, individual, bt_attempt_step(0, attempt));
  BT_AT(genes, 0) = bt_uniform(draw.w[0]) * bt_splat(data->box.size_x);
  BT_AT(genes, 1) = bt_uniform(draw.w[1]) * bt_splat(data->box.size_y);
  BT_AT(genes, 2) = bt_uniform(draw.w[2]) * bt_splat(data->box.size_z);
  bt_real u = bt_uniform(draw.w[3]);
  draw = bt_draw_words(key, BT_DRAW_INITIAL, run, generation, individual, bt_attempt_step(1, attempt));
  bt_real middle = bt_splat(0.5f), two = bt_splat(2.0f), s, c;
  bt_real a = bt_sqrt(bt_splat(1.0f) - u), b = bt_sqrt(u);
  bt_sincos_half((bt_uniform(draw.w[0]) - middle) * bt_splat(BT_TWO_PI), &s, &c);
  BT_AT(genes, BT_GENE_QUATERNION) = a * two * s * c;
  BT_AT(genes, BT_GENE_QUATERNION + 1) = a * (c * c - s * s);
  bt_sincos_half((bt_uniform(draw.w[1]) - middle) * bt_splat(BT_TWO_PI), &s, &c);
  BT_AT(genes, BT_GENE_QUATERNION + 2) = b * two * s * c;
  BT_AT(genes, BT_GENE_QUATERNION + 3) = b * (c * c - s * s);
  for (int first = 0; first < data->sizes.n_torsions; first += 4) {
    draw = bt_draw_words(key, BT_DRAW_INITIAL, run, generation, individual,
                         bt_attempt_step(2u + (unsigned int)first / 4, attempt));
    BT_UNROLL for (int word = 0; word < 4; word++) /* constant indices keep the words in registers */
      if (first + word < data->sizes.n_torsions)
        BT_AT(genes, BT_GENE_TORSION + first + word) = (bt_uniform(draw.w[word]) - middle) * bt_splat(BT_TWO_PI);
  }
  int first_slide = BT_GENES(data->sizes.n_torsions) - data->sizes.n_slides;
  for (int slide = 0; slide < data->sizes.n_slides; slide++) { /* map from [-pi, pi] to the box */
    float size = slide % 3 == 0 ? data->box.size_x : slide % 3 == 1 ? data->box.size_y : data->box.size_z;
    bt_real part = BT_AT(genes, first_slide + slide) * bt_splat(1.0f / BT_TWO_PI) + middle;
    BT_AT(genes, first_slide + slide) = part * bt_splat(size);
  }
}

/* Binary tournament: the better candidate wins with probability rate; on a tie the second counts as better. The run's
 * energies start at base. */
BT_FUNCTION bt_int bt_tournament(const BT_GLOBAL float *energies, bt_int base, bt_int first, bt_int second,
                                 bt_real lottery, float rate) {
  bt_mask first_better = bt_lt(bt_gather(energies, base + first), bt_gather(energies, base + second));
  bt_int winner = bt_select_int(first_better, first, second), loser = bt_select_int(first_better, second, first);
  return bt_select_int(bt_lt(lottery, bt_splat(rate)), winner, loser);
}

/* Roulette wheel: the first individual whose cumulative share (1 for the last) exceeds the lottery. The run's shares
 * start at first. */
BT_FUNCTION bt_int bt_roulette(const BT_GLOBAL float *cumulative, bt_int first, int population, bt_real lottery) {
  bt_int low = bt_splat_int(0), high = bt_splat_int(population - 1);
  for (int width = population; width > 1; width = (width + 1) / 2) {
    bt_int middle = (low + high) >> bt_splat_int(1);
    bt_mask above = bt_lt(lottery, bt_gather(cumulative, first + middle));
    bt_mask open = bt_lt_int(low, high);
    high = bt_select_int(bt_and(open, above), middle, high);
    low = bt_select_int(bt_and(open, bt_not(above)), middle + bt_splat_int(1), low);
  }
  return low;
}

/* Two individuals of a run, by number. */
typedef struct bt_parents {
  bt_int mother, father;
} bt_parents;

/* Selects the parents of one offspring per lane. energies and cumulative hold all runs; cumulative is read only with
 * proportional selection. */
BT_FUNCTION bt_parents bt_select_parents(const BT_GLOBAL bt_search_parameters *parameters,
                                         const BT_GLOBAL float *energies, const BT_GLOBAL float *cumulative,
                                         bt_uint run, bt_uint generation, bt_uint individual, bt_uint attempt) {
  bt_random_key key = {parameters->key0, parameters->key1};
  int count = parameters->population;
  bt_parents of;
  bt_int base = bt_uint_to_int(run) * bt_splat_int(count);
  run = run + bt_splat_uint((unsigned int)parameters->first_run);
  bt_draw draw = bt_draw_words(key, BT_DRAW_SELECT, run, generation, individual, bt_attempt_step(0, attempt));
  if (parameters->selection == BT_KERNEL_SELECT_TOURNAMENT) {
    bt_draw lottery = bt_draw_words(key, BT_DRAW_SELECT, run, generation, individual, bt_attempt_step(1, attempt));
    of.mother = bt_tournament(energies, base, bt_uniform_index(draw.w[0], count), bt_uniform_index(draw.w[1], count),
                              bt_uniform(lottery.w[0]), parameters->tournament_rate);
    of.father = bt_tournament(energies, base, bt_uniform_index(draw.w[2], count), bt_uniform_index(draw.w[3], count),
                              bt_uniform(lottery.w[1]), parameters->tournament_rate);
  } else {
    of.mother = bt_roulette(cumulative, base, count, bt_uniform(draw.w[0]));
    of.father = bt_roulette(cumulative, base, count, bt_uniform(draw.w[1]));
  }
  return of;
}

/* Makes one offspring per lane from its parents in the population of its run; population holds all runs. */
BT_FUNCTION void bt_offspring_genes(const bt_kernel_data *data, const BT_GLOBAL bt_search_parameters *parameters,
                                    const BT_GLOBAL float *population, bt_parents of, bt_uint run, bt_uint generation,
                                    bt_uint individual, bt_uint attempt, BT_STATE bt_real *genes) {
  bt_random_key key = {parameters->key0, parameters->key1};
  int n_torsions = data->sizes.n_torsions, n_genes = BT_GENES(n_torsions), count = parameters->population;
  bt_int base = bt_uint_to_int(run) * bt_splat_int(count);
  run = run + bt_splat_uint((unsigned int)parameters->first_run);
  bt_draw cross = bt_draw_words(key, BT_DRAW_CROSS, run, generation, individual, bt_attempt_step(0, attempt));
  bt_draw draw = cross;
  bt_int from_mother = (base + of.mother) * bt_splat_int(n_genes);
  bt_int from_father = (base + of.father) * bt_splat_int(n_genes);

  /* Crossover on units: three positions, the orientation, each torsion. */
  int units = 4 + n_torsions;
  bt_mask crossed = bt_lt(bt_uniform(cross.w[0]), bt_splat(parameters->crossover_rate));
  bt_int cut1 = bt_uniform_index(cross.w[1], units - 1), cut2 = bt_uniform_index(cross.w[2], units - 1);
  bt_mask ordered = bt_lt_int(cut1, cut2), single = bt_eq_int(cut1, cut2);
  bt_int low = bt_select_int(ordered, cut1, cut2);
  bt_int high = bt_select_int(single, bt_splat_int(units), bt_select_int(ordered, cut2, cut1));
  for (int unit = 0; unit < units; unit++) {
    bt_mask inherit; /* from the father */
    if (parameters->crossover == BT_KERNEL_CROSS_TWO_POINT) {
      bt_int here = bt_splat_int(unit);
      inherit = bt_and(bt_lt_int(low, here), bt_not(bt_lt_int(high, here)));
    } else {
      if (unit % 32 == 0)
        draw = bt_draw_words(key, BT_DRAW_CROSS, run, generation, individual,
                             bt_attempt_step(1u + (unsigned int)unit / 32, attempt));
      bt_uint bit = (draw.w[0] >> bt_splat_uint((unsigned int)unit % 32)) & bt_splat_uint(1);
      inherit = bt_eq_int(bt_uint_to_int(bit), bt_splat_int(1));
    }
    bt_int from = bt_select_int(bt_and(crossed, inherit), from_father, from_mother);
    int first = unit < 3 ? unit : unit == 3 ? BT_GENE_QUATERNION : BT_GENE_TORSION + unit - 4;
    int end = unit == 3 ? BT_GENE_TORSION : first + 1;
    for (int gene = first; gene < end; gene++)
      BT_AT(genes, gene) = bt_gather(population + gene, from);
  }
}

/* Each degree of freedom mutates with probability mutation_rate, by a uniform step. */
BT_FUNCTION void bt_mutate_genes(const bt_kernel_data *data, const BT_GLOBAL bt_search_parameters *parameters,
                                 bt_uint run, bt_uint generation, bt_uint individual, bt_uint attempt,
                                 BT_STATE bt_real *genes) {
  bt_random_key key = {parameters->key0, parameters->key1};
  run = run + bt_splat_uint((unsigned int)parameters->first_run);
  bt_draw draw = {{bt_splat_uint(0), bt_splat_uint(0), bt_splat_uint(0), bt_splat_uint(0)}};
  for (int unit = 0; unit < BT_UNITS(data->sizes.n_torsions); unit++) {
    bt_real dx = bt_splat(0.0f), dy = dx, dz = dx;
    int is_length = bt_unit_is_length(data, unit);
    for (int k = BT_UNIT_DOF(unit); k < BT_UNIT_DOF_END(unit); k++) {
      if (k % 2 == 0)
        draw = bt_draw_words(key, BT_DRAW_MUTATE, run, generation, individual,
                             bt_attempt_step((unsigned int)k / 2, attempt));
      float width = is_length ? parameters->mutation_move : parameters->mutation_angle;
      bt_real lottery = bt_uniform(k % 2 ? draw.w[2] : draw.w[0]), amplitude = bt_uniform(k % 2 ? draw.w[3] : draw.w[1]);
      bt_real d = bt_select_zero(bt_lt(lottery, bt_splat(parameters->mutation_rate)),
                                 (amplitude + amplitude - bt_splat(1.0f)) * bt_splat(width));
      if (k == BT_DOF_ROTATION + 1)
        dy = d;
      else if (k == BT_DOF_ROTATION + 2)
        dz = d;
      else
        dx = d;
    }
    bt_unit_store(unit, bt_unit_step(unit, is_length, bt_unit_load(unit, genes), dx, dy, dz), genes);
  }
}

#endif
