/* model.h - emulates on the host, rounding by rounding, how a team forms its sums, so that `berth bench reductions` and
 * the tests can compare them with double precision on any machine.
 *
 * A case is what bt_job_study_sums reports: values are [ranks] energies and the [n_atoms][6] gradient and moment of
 * each atom; sums are [n_bodies][6] and the energy. The order of additions is that of the kernels. Tensor cores are
 * assumed to add the products of one instruction exactly and to round once: toward zero to single precision, to nearest
 * to half precision (Fasi et al. 2021). Real ones also truncate addends during alignment.
 */
#ifndef BERTH_BENCH_REDUCTIONS_MODEL_H
#define BERTH_BENCH_REDUCTIONS_MODEL_H

#include <berth/types.h>

#include "base/status.h"
#include "engine/lga/studies.h"
#include "kernel/lga/data.h"

typedef struct bt_reduction_case {
  const bt_kernel_body *bodies;
  int n_bodies, n_atoms;
  int ranks; /* a multiple of 32 */
} bt_reduction_case;

/* Numbers of floats in values, and in sums. */
size_t bt_reduction_value_count(const bt_reduction_case *c);
size_t bt_reduction_sum_count(const bt_reduction_case *c);

/* sums as BT_REDUCTION_SIMT, _TENSOR_FP16 or _TENSOR_EC forms them. */
void bt_reduction_model(bt_reduction strategy, const bt_reduction_case *c, const float *values, float *sums);
/* Sums in double precision, and the same sums of the terms' absolute values. */
void bt_reduction_exact(const bt_reduction_case *c, const float *values, double *sums, double *magnitudes);

/* Rounding to the formats of tensor cores: TF32 to nearest with ties away from zero; half precision to nearest even,
 * infinite from 65520. */
float bt_round_tf32(float x);
float bt_round_half(double x);

#endif
