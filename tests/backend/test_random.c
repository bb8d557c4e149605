/* test_random.c - the random numbers are Philox4x32-10: the known answers of its authors. */
#define BT_CPU_ISA_scalar 1
#include "backend/cpu/lane.h"
#include "kernel/lga/kernel.h"

#include "unit/support.h"

static void known_answers(void **state) {
  (void)state;
  static const unsigned int table[3][10] = {
      /* counter, key, result */
      {0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
      {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0x408f276d, 0x41c83b0e, 0xa20bc7c6,
       0x6d5451fd},
      {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0xd16cfe09, 0x94fdcceb, 0x5001e420,
       0x24126ea1},
  };
  for (int t = 0; t < 3; t++) {
    const unsigned int *row = table[t];
    bt_random_key key = {row[4], row[5]};
    bt_draw draw = bt_philox(key, bt_splat_uint(row[0]), bt_splat_uint(row[1]), bt_splat_uint(row[2]),
                             bt_splat_uint(row[3]));
    for (int k = 0; k < 4; k++) assert_int_equal(draw.w[k][0], row[6 + k]);
  }
}

static void uniform_numbers_stay_inside(void **state) {
  (void)state;
  bt_real low = bt_uniform(bt_splat_uint(0)), high = bt_uniform(bt_splat_uint(0xffffffffu));
  assert_true(low[0] > 0.0f && high[0] < 1.0f);
  assert_int_equal(bt_uniform_index(bt_splat_uint(0xffffffffu), 150)[0], 149);
  assert_int_equal(bt_uniform_index(bt_splat_uint(0), 150)[0], 0);
}

static void sine_and_cosine_of_half_angles(void **state) {
  (void)state;
  for (int i = -1000; i <= 1000; i++) {
    float angle = (float)i * 3.14159265f / 1000.0f;
    bt_real s, c;
    bt_sincos_half(bt_splat(angle), &s, &c);
    assert_true(__builtin_fabs((double)s[0] - __builtin_sin(0.5 * (double)angle)) < 3e-7);
    assert_true(__builtin_fabs((double)c[0] - __builtin_cos(0.5 * (double)angle)) < 3e-7);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(known_answers), cmocka_unit_test(uniform_numbers_stay_inside),
                                     cmocka_unit_test(sine_and_cosine_of_half_angles)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
