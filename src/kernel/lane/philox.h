/* philox.h - counter-based random numbers, keyed by meaning and never by thread or launch geometry.
 *
 * Philox4x32-10 of Salmon, Moraes, Dror, Shaw, SC'11. Key: (seed, ligand). Counter: (step, generation, individual and
 * purpose, run). So run k of a job draws the same numbers whatever else runs alongside.
 */
#ifndef BERTH_KERNEL_LANE_PHILOX_H
#define BERTH_KERNEL_LANE_PHILOX_H

typedef struct bt_random_key {
  unsigned int k0, k1;
} bt_random_key;

/* Purpose of a draw; adding one does not change the numbers of another. */
#define BT_DRAW_INITIAL 1u
#define BT_DRAW_SELECT 2u
#define BT_DRAW_CROSS 3u
#define BT_DRAW_MUTATE 4u
#define BT_DRAW_SOLIS_WETS 5u
#define BT_DRAW_LOCAL_SUBSET 6u

typedef struct bt_draw {
  bt_uint w[4];
} bt_draw;

BT_FUNCTION bt_draw bt_philox(bt_random_key key, bt_uint c0, bt_uint c1, bt_uint c2, bt_uint c3) {
  unsigned int k0 = key.k0, k1 = key.k1;
  for (int round = 0; round < 10; round++) {
    bt_uint hi0 = bt_mulhi(c0, 0xD2511F53u), lo0 = c0 * bt_splat_uint(0xD2511F53u);
    bt_uint hi1 = bt_mulhi(c2, 0xCD9E8D57u), lo1 = c2 * bt_splat_uint(0xCD9E8D57u);
    c0 = hi1 ^ c1 ^ bt_splat_uint(k0);
    c1 = lo1;
    c2 = hi0 ^ c3 ^ bt_splat_uint(k1);
    c3 = lo0;
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  bt_draw draw = {{c0, c1, c2, c3}};
  return draw;
}

/* individual < 2^24. */
BT_FUNCTION bt_draw bt_draw_words(bt_random_key key, unsigned int purpose, bt_uint run, bt_uint generation,
                                  bt_uint individual, bt_uint step) {
  return bt_philox(key, step, generation, individual ^ bt_splat_uint(purpose << 24), run);
}

/* Uniform in (0, 1), ends excluded: the midpoints of 2^23 equal intervals. */
BT_FUNCTION bt_real bt_uniform(bt_uint word) {
  return bt_to_real(bt_uint_to_int(word >> bt_splat_uint(9))) * bt_splat(1.1920929e-7f) + bt_splat(5.9604645e-8f);
}

/* Uniform integer in 0 .. n-1, n < 2^24. */
BT_FUNCTION bt_int bt_uniform_index(bt_uint word, int n) {
  return bt_uint_to_int(bt_mulhi(word, (unsigned int)n));
}

#endif
