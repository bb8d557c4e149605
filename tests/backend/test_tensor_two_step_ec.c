/* test_tensor_two_step_ec.c - the two products in TF32 with error correction, by emulated lanes: equal the model's to the last bit. */
#define BT_TEAM 128
#define BT_TEAM_SEVEN 1
#define BT_TEAM_TWO_STEP_EC 1
#include "tensor_emulated.h"

static void sums_are_those_of_the_model(void **state) {
  (void)state;
  team_agrees_on_many(BT_REDUCTION_TWO_STEP_EC);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sums_are_those_of_the_model)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
