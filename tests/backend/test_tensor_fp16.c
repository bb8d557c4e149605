/* test_tensor_fp16.c - half-precision sums by 64 emulated lanes equal the model's to the last bit. */
#define BT_TEAM 64
#define BT_TEAM_TENSOR_FP16 1
#include "tensor_emulated.h"

static void sums_are_those_of_the_model(void **state) {
  (void)state;
  team_agrees_on_many(BT_REDUCTION_TENSOR_FP16);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sums_are_those_of_the_model)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
