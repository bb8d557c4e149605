/* test_tensor_sequential.c - seven sums one after another by emulated lanes equal the model's to the last bit. */
#define BT_TEAM 64
#define BT_TEAM_SEVEN 1
#define BT_TEAM_SEQUENTIAL 1
#include "tensor_emulated.h"

static void sums_are_those_of_the_model(void **state) {
  (void)state;
  team_agrees_on_many(BT_REDUCTION_SEQUENTIAL);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sums_are_those_of_the_model)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
