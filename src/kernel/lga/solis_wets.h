/* solis_wets.h - Solis and Wets' random local search (Math. Oper. Res. 6, 19, 1981) with a bias, and AutoDock-GPU's
 * deviates.
 *
 * A trial moves by bias + deviate; if that is not an improvement, by the negative. Lanes of a vector may be in
 * different phases: a step evaluates one trial of each lane, forward or backward, and counts as one evaluation.
 */
#ifndef BERTH_KERNEL_LGA_SOLIS_WETS_H
#define BERTH_KERNEL_LGA_SOLIS_WETS_H

/* State: genes are the best so far, first is the bias, second the move (bias + deviate) of the current iteration, scale
 * is rho, backward 1 or 0. */

/* Lanes in mask start from genes and energy, which the caller has set. */
BT_FUNCTION void bt_solis_wets_begin(bt_search_state *state, int n_torsions, bt_mask mask, int rank) {
  BT_DOFS_FOR(k, n_torsions, rank)
  BT_AT(state->first, k) = bt_select(mask, bt_splat(0.0f), BT_AT(state->first, k));
  state->scale = bt_select(mask, bt_splat(1.0f), state->scale);
  state->iteration = bt_select_int(mask, bt_splat_int(0), state->iteration);
  state->successes = bt_select_int(mask, bt_splat_int(0), state->successes);
  state->failures = bt_select_int(mask, bt_splat_int(0), state->failures);
  state->backward = bt_select_int(mask, bt_splat_int(0), state->backward);
}

/* New deviates for the lanes in the forward phase: move = bias + deviate. */
BT_FUNCTION void bt_solis_wets_deviate(bt_search_state *state, int n_dofs, int n_slides,
                                       const BT_GLOBAL bt_search_parameters *parameters, bt_uint run,
                                       bt_uint generation, bt_uint individual, bt_mask forward, int rank) {
  bt_random_key key = {parameters->key0, parameters->key1};
  int blocks = (n_dofs + 3) / 4;
  bt_uint first = bt_int_to_uint(state->iteration) * bt_splat_uint((unsigned int)blocks);
  bt_real inclusion = bt_splat(parameters->sw_inclusion * 65536.0f);
  BT_TEAM_FOR(block, blocks, rank) {
    bt_draw draw =
        bt_draw_words(key, BT_DRAW_SOLIS_WETS, run, generation, individual, first + bt_splat_uint((unsigned int)block));
    BT_UNROLL for (int c = 0; c < 4; c++) { /* constant indices keep the words in registers */
      int dof = 4 * block + c;
      if (dof >= n_dofs) continue;
      int is_length = dof < 3 || dof >= n_dofs - n_slides;
      float width = is_length ? parameters->sw_move : dof < 6 ? parameters->sw_rotation : parameters->sw_torsion;
      /* upper half of the word: amplitude in (-1, 1); lower half: whether the gene takes part */
      bt_real amplitude = bt_to_real(bt_uint_to_int(draw.w[c] >> bt_splat_uint(16))) * bt_splat(1.0f / 32768.0f) -
                          bt_splat(1.0f - 0.5f / 32768.0f);
      bt_real lottery = bt_to_real(bt_uint_to_int(draw.w[c] & bt_splat_uint(0xFFFFu)));
      bt_real deviate = bt_select_zero(bt_lt(lottery, inclusion), state->scale * amplitude * bt_splat(width));
      BT_AT(state->second, dof) = bt_select(forward, BT_AT(state->first, dof) + deviate, BT_AT(state->second, dof));
    }
  }
}

/* The trial of every lane's next step; run (parameters->first_run included), generation and individual key the random
 * numbers. Genes and bias must be visible to all ranks on entry; on return the trial is. */
BT_FUNCTION void bt_solis_wets_try(bt_search_state *state, const bt_kernel_data *data,
                                   const BT_GLOBAL bt_search_parameters *parameters, bt_uint run, bt_uint generation,
                                   bt_uint individual, int rank) {
  int n_torsions = data->sizes.n_torsions, n_dofs = BT_DOFS(n_torsions), n_units = BT_UNITS(n_torsions);
  bt_mask forward = bt_eq_int(state->backward, bt_splat_int(0)), backward = bt_not(forward);
  if (bt_any(forward))
    bt_solis_wets_deviate(state, n_dofs, data->sizes.n_slides, parameters, run, generation, individual, forward, rank);
  BT_SYNC();
  BT_TEAM_FOR(unit, n_units, rank) {
    int dof = BT_UNIT_DOF(unit);
    bt_real sign = bt_select(backward, bt_splat(-1.0f), bt_splat(1.0f));
    bt_real dx = sign * BT_AT(state->second, dof), dy = bt_splat(0.0f), dz = dy;
    if (unit == BT_UNIT_ORIENTATION) {
      dy = sign * BT_AT(state->second, dof + 1);
      dz = sign * BT_AT(state->second, dof + 2);
    }
    bt_unit_store(unit, bt_unit_step(unit, bt_unit_is_length(data, unit), bt_unit_load(unit, state->genes), dx, dy, dz),
                  state->trial);
  }
  BT_SYNC();
}

/* Accepts or rejects the trial by its energy. Returns the lanes that continue. */
BT_FUNCTION bt_mask bt_solis_wets_judge(bt_search_state *state, const bt_kernel_data *data,
                                        const BT_GLOBAL bt_search_parameters *parameters, bt_real energy, int rank) {
  int n_units = BT_UNITS(data->sizes.n_torsions);
  bt_mask backward = bt_not(bt_eq_int(state->backward, bt_splat_int(0)));
  bt_mask better = bt_lt(energy, state->energy);
  bt_mask finished = bt_or(better, backward); /* this iteration is over */
  bt_mask failed = bt_and(finished, bt_not(better));
  state->energy = bt_select(better, energy, state->energy);
  BT_TEAM_FOR(unit, n_units, rank) {
    bt_unit_store_some(unit, better, bt_unit_load(unit, state->trial), state->genes);
    for (int k = BT_UNIT_DOF(unit); k < BT_UNIT_DOF_END(unit); k++) {
      /* 0.6 b + 0.4 d, 0.6 b - 0.4 d or 0.5 b, with d = move - b */
      bt_real bias = BT_AT(state->first, k), move = bt_splat(0.4f) * BT_AT(state->second, k);
      bt_real success = bt_select(backward, bias - move, bt_splat(0.2f) * bias + move);
      bias = bt_select(better, success, bias);
      BT_AT(state->first, k) = bt_select(failed, bt_splat(0.5f) * bias, bias);
    }
  }
  bt_int zero = bt_splat_int(0), one = bt_splat_int(1), limit = bt_splat_int(parameters->sw_limit);
  state->successes = bt_select_int(better, state->successes + one, bt_select_int(failed, zero, state->successes));
  state->failures = bt_select_int(failed, state->failures + one, bt_select_int(better, zero, state->failures));
  bt_mask expand = bt_eq_int(state->successes, limit), contract = bt_eq_int(state->failures, limit);
  state->scale = bt_select(expand, state->scale + state->scale, state->scale);
  state->scale = bt_select(contract, bt_splat(0.5f) * state->scale, state->scale);
  state->successes = bt_select_int(expand, zero, state->successes);
  state->failures = bt_select_int(contract, zero, state->failures);
  state->iteration = bt_select_int(finished, state->iteration + one, state->iteration);
  state->backward = bt_select_int(finished, zero, one);
  return bt_and(bt_lt_int(state->iteration, bt_splat_int(parameters->iterations)),
                bt_lt(bt_splat(parameters->sw_rho_limit), state->scale));
}

/* One trial of every lane, keyed as in bt_solis_wets_try. Returns the lanes that continue. Genes, energy and bias must
 * be visible to all ranks on entry; after a sync by the caller they are again. */
BT_FUNCTION bt_mask bt_solis_wets_step(bt_search_state *state, const bt_kernel_data *data,
                                       const BT_GLOBAL bt_search_parameters *parameters, bt_uint run,
                                       bt_uint generation, bt_uint individual, bt_pose_scratch scratch) {
  bt_solis_wets_try(state, data, parameters, run, generation, individual, scratch.rank);
  bt_real energy = bt_pose_energy(data, parameters, state->trial, scratch);
  return bt_solis_wets_judge(state, data, parameters, energy, scratch.rank);
}

#endif
