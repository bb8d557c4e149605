/* vina.h - Vina's and Vinardo's terms in closed form: one lane is one pair. The equations are those of
 * kernel/lga/vina.h, where one lane is one pose.
 */
#ifndef BERTH_GRID_KERNEL_VINA_H
#define BERTH_GRID_KERNEL_VINA_H

#include "grid/kernel/job.h"
#include "grid/kernel/lanes.h"
#include "kernel/lane/lane_math.h"

typedef struct vina_terms {
  bt_real energy, slope; /* kcal/mol, and per A */
} vina_terms;

/* As bt_grid_vina_pairs. */
typedef struct vina_lanes {
  bt_real radii, ramp, top, width;
} vina_lanes;

/* Pairs at distances r; nothing from the cutoff on. */
BT_FUNCTION vina_terms vina_evaluate(const bt_grid_vina_law *law, vina_lanes of, bt_real r) {
  bt_real zero = bt_splat(0.0f), d = r - of.radii;
  bt_real from1 = d - bt_splat(law->offset[0]), from2 = d - bt_splat(law->offset[1]);
  bt_real sharp1 = bt_splat(law->sharpness[0]) * from1, sharp2 = bt_splat(law->sharpness[1]) * from2;
  bt_real near1 = bt_splat(law->weight[0]) * bt_exp_minus(sharp1 * from1);
  bt_real near2 = bt_splat(law->weight[1]) * bt_exp_minus(sharp2 * from2);
  bt_real overlap = bt_min(d, zero), spring = bt_splat(law->repulsion) * overlap;
  bt_real below = of.top - d;
  bt_mask within = bt_lt(r, bt_splat(law->cutoff)), slanted = bt_and(bt_lt(zero, below), bt_lt(below, of.width));
  bt_real energy = near1 + near2 + spring * overlap + of.ramp * bt_min(bt_max(below, zero), of.width);
  bt_real halved = spring - sharp1 * near1 - sharp2 * near2;
  bt_real slope = halved + halved - bt_select_zero(slanted, of.ramp);
  return (vina_terms){bt_select_zero(within, energy), bt_select_zero(within, slope)};
}

BT_FUNCTION float sum_of_lanes(bt_real value) {
  float sum = 0.0f;
  for (int l = 0; l < BT_LANES; l++) sum += value[l];
  return sum;
}

/* Squares below this are those of atoms in one place, which push each other in no direction. */
#define VINA_LEAST_SQUARE 1e-12f

static void vina_point(const bt_grid_vina_law *law, const bt_grid_vina_point *of, const float point[3],
                       float *ret_energy, float ret_gradient[3]) {
  bt_real energy = bt_splat(0.0f), force[3] = {energy, energy, energy};
  for (int first = 0; first < of->count; first += BT_LANES) {
    bt_real d[3];
    BT_UNROLL for (int k = 0; k < 3; k++) d[k] = bt_splat(point[k]) - bt_load(of->x[k] + first);
    bt_real square = bt_max(d[0] * d[0] + d[1] * d[1] + d[2] * d[2], bt_splat(VINA_LEAST_SQUARE));
    bt_real inverse = reciprocal_root(square);
    vina_lanes near = {bt_splat(of->radius) + bt_load(of->radii + first), bt_load(of->ramp + first),
                       bt_load(of->top + of->step * first), bt_load(of->width + of->step * first)};
    vina_terms terms = vina_evaluate(law, near, square * inverse);
    energy = energy + terms.energy;
    bt_real slope = terms.slope * inverse;
    BT_UNROLL for (int k = 0; k < 3; k++) force[k] = force[k] + slope * d[k];
  }
  *ret_energy = sum_of_lanes(energy);
  for (int k = 0; k < 3; k++) ret_gradient[k] = sum_of_lanes(force[k]);
}

static float vina_pairs(const bt_grid_vina_law *law, const bt_grid_vina_pairs *of, const float *squares,
                        float *ret_slopes) {
  bt_real energy = bt_splat(0.0f), limit = bt_splat(law->curl);
  for (int first = 0; first < of->count; first += BT_LANES) {
    bt_real square = bt_max(bt_load(squares + first), bt_splat(VINA_LEAST_SQUARE)), inverse = reciprocal_root(square);
    vina_lanes near = {bt_load(of->radii + first), bt_load(of->ramp + first), bt_load(of->top + first),
                       bt_load(of->width + first)};
    vina_terms terms = vina_evaluate(law, near, square * inverse);
    bt_real factor = limit * bt_rcp(limit + bt_max(terms.energy, bt_splat(0.0f)));
    energy = energy + factor * terms.energy;
    bt_store(ret_slopes + first, factor * factor * terms.slope * inverse);
  }
  return sum_of_lanes(energy);
}

#endif
