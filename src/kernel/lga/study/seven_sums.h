/* seven_sums.h - the seven sums of AutoDock-GPU's ADADELTA step (net force, torque, energy), for the study only.
 *
 * Where the compat header defines BT_TEAM_SEVEN these seven replace body 0's sums and the energy's; all other bodies
 * are summed as in pose.h, so strategies differ in the seven sums and in nothing else.
 *
 *   BT_TEAM_SEQUENTIAL       one sum after the other: shuffles in each wave, an atomic addition per wave, three barriers
 *                            and two device-wide fences per sum, as AutoDock-GPU reduces without tensor cores
 *   BT_TEAM_TWO_STEP_FP16    Schieffer and Peng (2023): four sums at a time as V += A P over tiles of 64 vectors, then
 *                            W = Q V, in half precision including the accumulators; no clamping or scaling
 *   BT_TEAM_TWO_STEP_EC      the same products in TF32 with error correction (Solis-Vasquez et al. 2025): high and low
 *                            parts of both operands, three products each
 *
 * In the two-step form column j of A holds vectors 4 j ... 4 j + 3, P is all ones, Q[i][j] = 1 where i = j (mod 4). One
 * wave multiplies, the others wait. Of the 16 equal columns of V and W only eight, the width of an instruction, are
 * computed.
 *
 * The compat header supplies BT_WAVE, bt_exchange, bt_wave_sync, bt_atomic_add, bt_device_fence, and the products of
 * backend/cuda/mma.h.
 */
#ifndef BERTH_KERNEL_LGA_STUDY_SEVEN_SUMS_H
#define BERTH_KERNEL_LGA_STUDY_SEVEN_SUMS_H

#if BT_TEAM_SEVEN

#define BT_SEVEN 7 /* force, moment about the ligand's center, energy */

/* A rank's summands: its atoms of body 0 and everything that moves with it. Atom gradients must be visible to all
 * ranks. */
BT_FUNCTION void bt_seven_partials(const bt_kernel_data *data, const BT_STATE bt_real *genes, bt_real energy,
                                   bt_pose_scratch scratch, bt_real seven[BT_SEVEN]) {
  int n = data->sizes.n_atoms, end = data->bodies[data->bodies[0].end_body - 1].end_atom;
  for (int s = 0; s < 6; s++) seven[s] = bt_splat(0.0f);
  seven[6] = energy;
  for (int i = data->bodies[0].first_atom + scratch.rank; i < end; i += BT_TEAM) {
    bt_real g[3], r[3];
    BT_UNROLL for (int c = 0; c < 3; c++) {
      g[c] = BT_AT(scratch.atom_gradient, 3 * i + c);
      for (int copy = 1; copy < data->sizes.n_gradients; copy++)
        g[c] = g[c] + BT_AT(scratch.atom_gradient, 3 * (i + n * copy) + c);
      r[c] = BT_AT(scratch.xyz, 3 * i + c) - BT_AT(genes, c);
      seven[c] = seven[c] + g[c];
    }
    BT_UNROLL for (int c = 0; c < 3; c++) {
      int u = (c + 1) % 3, v = (c + 2) % 3;
      seven[3 + c] = seven[3 + c] + bt_fma(r[u], g[v], bt_splat(0.0f) - r[v] * g[u]);
    }
  }
}

#if BT_TEAM_SEQUENTIAL

/* The sum itself needs no fence: a barrier orders the local memory of a block. */
BT_FUNCTION void bt_published_fence(void) {
#if !BT_STUDY_UNFENCED
  bt_device_fence();
#endif
}

BT_FUNCTION float bt_block_sum(float value, float *accumulator, int rank) {
  if (rank == 0) *accumulator = 0.0f;
  bt_published_fence();
  BT_SYNC();
  BT_UNROLL for (int step = 1; step < BT_WAVE; step *= 2) value += bt_exchange(value, step);
  if (rank % BT_WAVE == 0) bt_atomic_add(accumulator, value);
  bt_published_fence();
  BT_SYNC();
  float sum = *accumulator;
  BT_SYNC(); /* before the next sum resets the accumulator */
  return sum;
}

BT_FUNCTION void bt_seven_sums(float seven[BT_SEVEN], bt_pose_scratch scratch) {
  BT_UNROLL for (int s = 0; s < BT_SEVEN; s++) seven[s] = bt_block_sum(seven[s], scratch.sums, scratch.rank);
}

#else

#define BT_TILE_VECTORS 64

#if BT_TEAM_TWO_STEP_FP16

/* Vectors of four halves, two words each. */
BT_FUNCTION void bt_two_step_store(const float vector[4], float *memory, int rank) {
  memory[2 * rank] = bt_from_bits(bt_to_halves(vector[0], vector[1]));
  memory[2 * rank + 1] = bt_from_bits(bt_to_halves(vector[2], vector[3]));
}

/* Packs the halves at two indices into a word. */
BT_FUNCTION unsigned int bt_two_halves(const float *memory, int first, int second) {
  unsigned int low = bt_to_bits(memory[first / 2]) >> first % 2 * 16 & 0xFFFFu;
  return low | (bt_to_bits(memory[second / 2]) >> second % 2 * 16 & 0xFFFFu) << 16;
}

/* W's first column to memory[4], by one wave. */
BT_FUNCTION void bt_two_step_wave(float *memory, int lane) {
  const unsigned int ones[2] = {0x3C003C00u, 0x3C003C00u};
  int g = lane / 4, t = lane % 4;
  unsigned int v[2] = {0, 0}, w[2] = {0, 0}, a[4], b[2];
  for (int tile = 0; tile < BT_TEAM / BT_TILE_VECTORS; tile++) {
    int at = 4 * BT_TILE_VECTORS * tile + 32 * t + g; /* row g, column 2 t */
    a[0] = bt_two_halves(memory, at, at + 16);
    a[1] = bt_two_halves(memory, at + 8, at + 24);
    a[2] = bt_two_halves(memory, at + 128, at + 144);
    a[3] = bt_two_halves(memory, at + 136, at + 152);
    bt_mma_half(v, a, ones);
  }
  bt_wave_sync(); /* V overwrites A */
  memory[4 * g + t] = bt_from_bits(v[0]);
  memory[32 + 4 * g + t] = bt_from_bits(v[1]);
  bt_wave_sync();
  b[0] = bt_two_halves(memory, 16 * t + g, 16 * t + 8 + g);
  b[1] = bt_two_halves(memory, 64 + 16 * t + g, 64 + 16 * t + 8 + g);
  a[0] = (g % 4 == 2 * t % 4 ? 0x3C00u : 0u) | (g % 4 == (2 * t + 1) % 4 ? 0x3C000000u : 0u);
  a[1] = a[2] = a[3] = a[0];
  bt_mma_half(w, a, b);
  bt_wave_sync();
  float first, second;
  bt_from_halves(w[0], &first, &second);
  if (t == 0 && g < 4) memory[g] = first;
}

#else

BT_FUNCTION void bt_two_step_store(const float vector[4], float *memory, int rank) {
  BT_UNROLL for (int c = 0; c < 4; c++) memory[4 * rank + c] = vector[c];
}

BT_FUNCTION void bt_tf32_split(float x, unsigned int *ret_high, unsigned int *ret_low) {
  *ret_high = bt_to_tf32(x);
  *ret_low = bt_to_tf32(x - bt_from_bits(*ret_high));
}

/* One block of eight along the sum. The product of the high parts starts at zero and is added outside, rounded to
 * nearest; the product of the low parts is omitted. Parts known to be zero are multiplied as well, as the published
 * library does. */
BT_FUNCTION void bt_corrected_product(float high[4], float low[4], const float a[4], const float b[2]) {
  unsigned int a_high[4], a_low[4], b_high[2], b_low[2];
  float product[4] = {0, 0, 0, 0};
  BT_UNROLL for (int i = 0; i < 4; i++) bt_tf32_split(a[i], &a_high[i], &a_low[i]);
  BT_UNROLL for (int i = 0; i < 2; i++) bt_tf32_split(b[i], &b_high[i], &b_low[i]);
#if BT_STUDY_UNCORRECTED
  bt_mma_tf32(high, a_high, b_high);
  (void)product, (void)low, (void)a_low, (void)b_low;
#else
  bt_mma_tf32(product, a_high, b_high);
  bt_mma_tf32(low, a_low, b_high);
  bt_mma_tf32(low, a_high, b_low);
  BT_UNROLL for (int i = 0; i < 4; i++) high[i] += product[i];
#endif
}

/* W's first column to memory[4], by one wave. */
BT_FUNCTION void bt_two_step_wave(float *memory, int lane) {
  const float ones[2] = {1.0f, 1.0f};
  int g = lane / 4, t = lane % 4;
  float high[4] = {0, 0, 0, 0}, low[4] = {0, 0, 0, 0};
  for (int block = 0; block < BT_TEAM / BT_TILE_VECTORS * 2; block++) {
    const float *at = memory + 128 * block + 16 * t + g; /* row g, column t */
    float a[4] = {at[0], at[8], at[64], at[72]};
    bt_corrected_product(high, low, a, ones);
  }
  bt_wave_sync(); /* V overwrites A */
  BT_UNROLL for (int i = 0; i < 4; i++) {
    memory[8 * (g + 8 * (i / 2)) + 2 * t + i % 2] = high[i] + low[i];
    high[i] = low[i] = 0;
  }
  bt_wave_sync();
  float first = g % 4 == t ? 1.0f : 0.0f; /* Q has the same entries in rows g, g + 8 and columns t, t + 4 */
  const float q[4] = {first, first, first, first};
  BT_UNROLL for (int block = 0; block < 2; block++) {
    const float *at = memory + 64 * block + 8 * t + g; /* row t, column g of the block */
    float b[2] = {at[0], at[32]};
    bt_corrected_product(high, low, q, b);
  }
  bt_wave_sync();
  if (t == 0 && g < 4) memory[g] = high[0] + low[0];
}

#endif

/* Four sums at once, the same for all ranks. */
BT_FUNCTION void bt_two_step_sums(float vector[4], bt_pose_scratch scratch) {
  bt_two_step_store(vector, scratch.sums, scratch.rank);
  BT_SYNC();
  if (scratch.rank < BT_WAVE) bt_two_step_wave(scratch.sums, scratch.rank);
  BT_SYNC();
  BT_UNROLL for (int c = 0; c < 4; c++) vector[c] = scratch.sums[c];
  BT_SYNC(); /* before the next four overwrite them */
}

BT_FUNCTION void bt_seven_sums(float seven[BT_SEVEN], bt_pose_scratch scratch) {
  float torque_energy[4] = {seven[3], seven[4], seven[5], seven[6]}, force[4] = {seven[0], seven[1], seven[2], 0.0f};
  bt_two_step_sums(torque_energy, scratch);
  bt_two_step_sums(force, scratch);
  BT_UNROLL for (int c = 0; c < 3; c++) seven[c] = force[c];
  BT_UNROLL for (int c = 0; c < 4; c++) seven[3 + c] = torque_energy[c];
}

#endif

/* Overwrites what bt_pose_subtrees leaves out; the moments must be visible to all ranks. */
BT_FUNCTION void bt_seven_store(const bt_real seven[BT_SEVEN], bt_pose_scratch scratch) {
  if (scratch.rank != 0) return;
  BT_UNROLL for (int c = 0; c < 6; c++) BT_AT(scratch.subtrees, c) = seven[c];
}

#endif

#endif
