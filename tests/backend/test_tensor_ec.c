/* test_tensor_ec.c - TF32 sums with error correction by 128 emulated lanes equal the model's to the last bit. */
#define BT_TEAM 128
#define BT_TEAM_TENSOR_EC 1
#include "tensor_emulated.h"

static void sums_are_those_of_the_model(void **state) {
  (void)state;
  team_agrees_on_many(BT_REDUCTION_TENSOR_EC);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sums_are_those_of_the_model)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
