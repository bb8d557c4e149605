/* adadelta.h - ADADELTA local search (Zeiler 2012) in gene space, as AutoDock-GPU tunes it.
 *
 * Per gene: Eg <- 0.8 Eg + 0.2 g^2; d = -g sqrt((Ed + e)/(Eg + e)); Ed <- 0.8 Ed + 0.2 d^2; gene += d, e = 0.01. Every
 * iteration evaluates energy and gradient and counts as one evaluation; the best genes seen are kept. A lane stops at
 * the iteration limit, or when its control value, halved after every four consecutive failures, falls below 0.01.
 */
#ifndef BERTH_KERNEL_LGA_ADADELTA_H
#define BERTH_KERNEL_LGA_ADADELTA_H

#define BT_ADADELTA_DECAY 0.8f
#define BT_ADADELTA_EPSILON 0.01f
#define BT_ADADELTA_PATIENCE 4
#define BT_ADADELTA_CONTROL_LIMIT 0.01f

/* State: trial holds the best genes, first and second the running means of squared gradients and steps, scale the
 * control value. */

/* Lanes in mask start from genes, which the caller has set. */
BT_FUNCTION void bt_adadelta_begin(bt_search_state *state, int n_torsions, bt_mask mask, int rank) {
  bt_real zero = bt_splat(0.0f);
  BT_DOFS_FOR(k, n_torsions, rank) {
    BT_AT(state->first, k) = bt_select(mask, zero, BT_AT(state->first, k));
    BT_AT(state->second, k) = bt_select(mask, zero, BT_AT(state->second, k));
  }
  state->energy = bt_select(mask, bt_splat(3.0e38f), state->energy);
  state->scale = bt_select(mask, bt_splat(1.0f), state->scale);
  state->iteration = bt_select_int(mask, bt_splat_int(0), state->iteration);
  state->successes = bt_select_int(mask, bt_splat_int(0), state->successes);
  state->failures = bt_select_int(mask, bt_splat_int(0), state->failures);
}

/* Updates the running means of degree of freedom k; returns its step, in Angstrom (is_length) or radians. */
BT_FUNCTION bt_real bt_adadelta_dof(bt_search_state *state, const BT_GLOBAL bt_search_parameters *parameters, int k,
                                    int is_length, bt_real old_gradient, bt_real mean_step, bt_real gradient) {
  float scale = is_length ? parameters->gradient_move : parameters->gradient_angle;
  float unit = is_length ? parameters->unit_move : parameters->unit_angle;
  bt_real limit = bt_splat(parameters->gradient_limit), epsilon = bt_splat(BT_ADADELTA_EPSILON);
  bt_real keep = bt_splat(BT_ADADELTA_DECAY), add = bt_splat(1.0f - BT_ADADELTA_DECAY);
  bt_real g = bt_max(bt_min(gradient * bt_splat(scale), limit), bt_splat(0.0f) - limit);
#if BT_STUDY_UNGUARDED
  g = bt_select(bt_eq(gradient, gradient), g, gradient); /* minima and maxima drop what is not a number */
#endif
  bt_real mean_gradient = keep * old_gradient + add * g * g;
  bt_real d = bt_splat(0.0f) - g * bt_sqrt(mean_step + epsilon) * bt_rsqrt(mean_gradient + epsilon);
  BT_AT(state->first, k) = mean_gradient;
  BT_AT(state->second, k) = keep * mean_step + add * d * d;
  return d * bt_splat(unit);
}

/* One evaluation and one step of every lane; returns the lanes that continue. Genes must be visible to all ranks on
 * entry; after a sync by the caller they are again. */
BT_FUNCTION bt_mask bt_adadelta_step(bt_search_state *state, const bt_kernel_data *data,
                                     const BT_GLOBAL bt_search_parameters *parameters, bt_pose_scratch scratch) {
  int n_units = BT_UNITS(data->sizes.n_torsions);
  bt_real limit = bt_splat(parameters->force_limit);
  bt_real energy = bt_pose_energy_gradient(data, parameters, limit, state->genes, scratch);

  bt_mask better = bt_lt(energy, state->energy);
  state->energy = bt_select(better, energy, state->energy);
  bt_int zero = bt_splat_int(0), one = bt_splat_int(1), patience = bt_splat_int(BT_ADADELTA_PATIENCE);
  state->successes = bt_select_int(better, state->successes + one, zero);
  state->failures = bt_select_int(better, zero, state->failures + one);
  bt_mask widen = bt_eq_int(state->successes, patience), narrow = bt_eq_int(state->failures, patience);
  state->scale = bt_select(widen, state->scale + state->scale, state->scale);
  state->scale = bt_select(narrow, bt_splat(0.5f) * state->scale, state->scale);
  state->successes = bt_select_int(widen, zero, state->successes);
  state->failures = bt_select_int(narrow, zero, state->failures);
  state->iteration = state->iteration + one;

  bt_real cx = BT_AT(state->genes, 0), cy = BT_AT(state->genes, 1), cz = BT_AT(state->genes, 2);
  BT_SYNC(); /* the position is updated below; other ranks have just read it */
  BT_TEAM_FOR(unit, n_units, scratch.rank) {
    int dof = BT_UNIT_DOF(unit), is_length = bt_unit_is_length(data, unit); /* long-latency loads are issued first */
    bt_unit_genes genes = bt_unit_load(unit, state->genes);
    bt_real mean_gradient = BT_AT(state->first, dof), mean_step = BT_AT(state->second, dof);
    bt_unit_gradient g = bt_pose_gradient_unit(data, unit, cx, cy, cz, scratch);
    bt_unit_store_some(unit, BT_KEEPS(better, state->iteration), genes, state->trial);
    bt_real dx = bt_adadelta_dof(state, parameters, dof, is_length, mean_gradient, mean_step, g.x);
    bt_real dy = bt_splat(0.0f), dz = dy;
    if (unit == BT_UNIT_ORIENTATION) {
      dy = bt_adadelta_dof(state, parameters, dof + 1, 0, BT_AT(state->first, dof + 1), BT_AT(state->second, dof + 1),
                           g.y);
      dz = bt_adadelta_dof(state, parameters, dof + 2, 0, BT_AT(state->first, dof + 2), BT_AT(state->second, dof + 2),
                           g.z);
    }
    bt_unit_store(unit, bt_unit_step(unit, is_length, genes, dx, dy, dz), state->genes);
  }
  return bt_and(bt_lt_int(state->iteration, bt_splat_int(parameters->iterations)),
                bt_lt(bt_splat(BT_ADADELTA_CONTROL_LIMIT), state->scale));
}

#endif
