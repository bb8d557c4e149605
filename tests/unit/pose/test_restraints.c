/* test_restraints.c - energies, gradients and verdicts of restraints, in closed form and against differences. */
#include "pose/restraints.h"

#include <math.h>

#include "unit/assert_near.h"
#include "unit/support.h"

static bt_restraints *make(bool required) {
  bt_restraints *list;
  bt_error error;
  support_ok(bt_restraints_create(&list, &error), &error);
  support_ok(bt_restraints_add_constraint(list, "near", required, &error), &error);
  return list;
}

static void add_contact(bt_restraints *list, int atom, double x) {
  bt_error error;
  bt_restraint_contact contact = {.atom = atom, .point = {x, 0, 0}};
  support_ok(bt_restraints_add_contact(list, &contact, &error), &error);
}

static void a_contact_costs_nothing_within_its_limits(void **state) {
  (void)state;
  bt_error error;
  bt_restraints *list = make(true);
  support_ok(bt_restraints_add(list, 10.0, 2.0, 3.0, &error), &error);
  add_contact(list, 0, 0.0);
  const double within[] = {2.5, 0, 0}, above[] = {3.0 + 1.2, 0, 0}, below[] = {0.8, 0, 0}, slack[] = {0, 3.15, 0};
  assert_near(bt_restraints_energy(list, within, NULL), 0.0, 1e-12);
  double expected = 10.0 * (sqrt(1.2 * 1.2 + 0.25) - 0.5);
  assert_near(bt_restraints_energy(list, above, NULL), expected, 1e-12);
  assert_near(bt_restraints_energy(list, below, NULL), expected, 1e-12);
  assert_near(bt_restraints_judge(list, 0, above).miss, 1.2, 1e-12);
  assert_near(bt_restraints_judge(list, 0, above).distance, 4.2, 1e-12);
  assert_true(bt_restraints_met(list, within));
  assert_true(bt_restraints_met(list, slack));
  assert_false(bt_restraints_met(list, above));
  bt_restraints_destroy(list);
}

static void the_nearest_contact_counts_and_the_worst_restraint_judges(void **state) {
  (void)state;
  bt_error error;
  bt_restraints *list = make(true);
  support_ok(bt_restraints_add(list, 5.0, 0.0, 1.0, &error), &error);
  add_contact(list, 0, 0.0);
  add_contact(list, 1, 10.0);
  support_ok(bt_restraints_add(list, 5.0, 0.0, 2.0, &error), &error);
  add_contact(list, 1, 0.0);
  const double xyz[] = {4, 0, 0, 8, 0, 0}; /* misses: atom 0 by 3, atom 1 by 1; then atom 1 by 6 */
  double gradient[6] = {0};
  bt_restraints_energy(list, xyz, gradient);
  assert_near(gradient[0], 0.0, 1e-12);
  assert_near(gradient[3], 5.0 * 6 / sqrt(36.25) - 5.0 * 1 / sqrt(1.25), 1e-12);
  assert_near(bt_restraints_judge(list, 0, xyz).miss, 6.0, 1e-12);
  bt_restraints_destroy(list);
}

static void gradients_are_those_of_the_energy(void **state) {
  (void)state;
  bt_error error;
  bt_restraints *list = make(true);
  for (int k = 0; k < 6; k++) {
    support_ok(bt_restraints_add(list, 3.0 + k, k % 2 == 0 ? 0.0 : 6.0, 1.0 + 9 * k, &error), &error);
    for (int atom = 0; atom < 4; atom++) add_contact(list, atom, 2.0 * k - 5.0);
  }
  double xyz[12], gradient[12] = {0};
  for (int i = 0; i < 12; i++) xyz[i] = 4.0 * sin(3.0 * i + 1.0);
  bt_restraints_energy(list, xyz, gradient);
  double largest = 0;
  for (int i = 0; i < 12; i++) {
    const double step = 1e-6;
    xyz[i] += step;
    double high = bt_restraints_energy(list, xyz, NULL);
    xyz[i] -= 2 * step;
    double low = bt_restraints_energy(list, xyz, NULL);
    xyz[i] += step;
    assert_near(gradient[i], (high - low) / (2 * step), 1e-6);
    largest = fmax(largest, fabs(gradient[i]));
  }
  assert_true(largest > 1.0);
  bt_restraints_destroy(list);
}

static void what_is_preferred_is_not_required(void **state) {
  (void)state;
  bt_error error;
  const double away[] = {30, 0, 0};
  bt_restraints *list = make(false);
  support_ok(bt_restraints_add(list, 2.0, 0.0, 4.0, &error), &error);
  add_contact(list, 0, 0.0);
  assert_true(bt_restraints_met(list, away));
  assert_true(bt_restraints_judge(list, 0, away).energy > 40.0);
  assert_true(bt_restraints_met(NULL, away));
  assert_near(bt_restraints_energy(NULL, away, NULL), 0.0, 1e-15);
  bt_restraints_destroy(list);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_contact_costs_nothing_within_its_limits),
                                     cmocka_unit_test(the_nearest_contact_counts_and_the_worst_restraint_judges),
                                     cmocka_unit_test(gradients_are_those_of_the_energy),
                                     cmocka_unit_test(what_is_preferred_is_not_required)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
