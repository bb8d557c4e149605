/* adam.h - ADAM local search (Kingma and Ba 2015) in gene space, with AutoDock-GPU's constants.
 *
 * Per gene: m <- 0.9 m + 0.1 g; v <- 0.999 v + 0.001 g^2; gene -= m' / (sqrt(v') + 1e-8) with bias-corrected m', v', in
 * units of unit_move and unit_angle. Always runs to the iteration limit; the best genes seen are kept.
 *
 * With f = iteration / iterations, forces are capped at L0 + (L1 - L0) f^4 and steps are scaled by 1 - (1 - s) f^2.
 * Early on a clash counts hardly more than an attraction, so large steps take the pose out of it; towards the end
 * forces are true and steps small, so the pose settles into the minimum.
 */
#ifndef BERTH_KERNEL_LGA_ADAM_H
#define BERTH_KERNEL_LGA_ADAM_H

#define BT_ADAM_MEAN 0.9f
#define BT_ADAM_SQUARE 0.999f
#define BT_ADAM_EPSILON 1e-8f

/* State: trial holds the best genes, first and second the means m and v, scale and power 0.9^t and 0.999^t. */

/* Lanes in mask start from genes, which the caller has set. */
BT_FUNCTION void bt_adam_begin(bt_search_state *state, int n_torsions, bt_mask mask, int rank) {
  bt_real zero = bt_splat(0.0f), one = bt_splat(1.0f);
  BT_DOFS_FOR(k, n_torsions, rank) {
    BT_AT(state->first, k) = bt_select(mask, zero, BT_AT(state->first, k));
    BT_AT(state->second, k) = bt_select(mask, zero, BT_AT(state->second, k));
  }
  state->energy = bt_select(mask, bt_splat(3.0e38f), state->energy);
  state->scale = bt_select(mask, one, state->scale);
  state->power = bt_select(mask, one, state->power);
  state->iteration = bt_select_int(mask, bt_splat_int(0), state->iteration);
}

/* Step of degree of freedom k, in Angstrom (is_length) or radians. */
BT_FUNCTION bt_real bt_adam_dof(bt_search_state *state, const BT_GLOBAL bt_search_parameters *parameters, int k,
                                int is_length, bt_real gradient, bt_real step) {
  float scale = is_length ? parameters->gradient_move : parameters->gradient_angle;
  float unit = is_length ? parameters->unit_move : parameters->unit_angle;
  bt_real limit = bt_splat(parameters->gradient_limit), one = bt_splat(1.0f);
  bt_real g = bt_max(bt_min(gradient * bt_splat(scale), limit), bt_splat(0.0f) - limit);
  bt_real mean = bt_splat(BT_ADAM_MEAN) * BT_AT(state->first, k) + bt_splat(1.0f - BT_ADAM_MEAN) * g;
  bt_real square = bt_splat(BT_ADAM_SQUARE) * BT_AT(state->second, k) + bt_splat(1.0f - BT_ADAM_SQUARE) * g * g;
  BT_AT(state->first, k) = mean;
  BT_AT(state->second, k) = square;
  bt_real root = bt_sqrt(square * bt_rcp(one - state->power)) + bt_splat(BT_ADAM_EPSILON);
  return bt_splat(0.0f) - mean * bt_rcp(one - state->scale) * bt_rcp(root) * step * bt_splat(unit);
}

/* One evaluation and one step of every lane; returns the lanes that continue. */
BT_FUNCTION bt_mask bt_adam_step(bt_search_state *state, const bt_kernel_data *data,
                                 const BT_GLOBAL bt_search_parameters *parameters, bt_pose_scratch scratch) {
  bt_real f = bt_to_real(state->iteration) * bt_splat(1.0f / (float)parameters->iterations), f2 = f * f;
  bt_real limit =
      bt_splat(parameters->force_limit) + bt_splat(parameters->force_limit_end - parameters->force_limit) * (f2 * f2);
  bt_real step = bt_splat(1.0f) - bt_splat(1.0f - parameters->step_end) * f2;
  bt_real energy = bt_pose_energy_gradient(data, parameters, limit, state->genes, scratch);
  bt_mask better = bt_lt(energy, state->energy);
  state->energy = bt_select(better, energy, state->energy);
  state->scale = state->scale * bt_splat(BT_ADAM_MEAN);
  state->power = state->power * bt_splat(BT_ADAM_SQUARE);
  state->iteration = state->iteration + bt_splat_int(1);
  bt_real cx = BT_AT(state->genes, 0), cy = BT_AT(state->genes, 1), cz = BT_AT(state->genes, 2);
  BT_SYNC(); /* the position is updated below; other ranks have just read it */
  BT_TEAM_FOR(unit, BT_UNITS(data->sizes.n_torsions), scratch.rank) {
    bt_unit_genes genes = bt_unit_load(unit, state->genes);
    bt_unit_store_some(unit, BT_KEEPS(better, state->iteration), genes, state->trial);
    bt_unit_gradient g = bt_pose_gradient_unit(data, unit, cx, cy, cz, scratch);
    int dof = BT_UNIT_DOF(unit), is_length = bt_unit_is_length(data, unit);
    bt_real dx = bt_adam_dof(state, parameters, dof, is_length, g.x, step), dy = bt_splat(0.0f), dz = dy;
    if (unit == BT_UNIT_ORIENTATION) {
      dy = bt_adam_dof(state, parameters, dof + 1, 0, g.y, step);
      dz = bt_adam_dof(state, parameters, dof + 2, 0, g.z, step);
    }
    bt_unit_store(unit, bt_unit_step(unit, is_length, genes, dx, dy, dz), state->genes);
  }
  return bt_lt_int(state->iteration, bt_splat_int(parameters->iterations));
}

#endif
