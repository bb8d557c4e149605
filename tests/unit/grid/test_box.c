/* test_box.c - boxes of given edges, around corners, and enlarged. */
#include <berth/place.h>
#include <math.h>

#include "chem/molecule.h"
#include "unit/assert_near.h"
#include "unit/support.h"

static const double low[3] = {1, 2, 3}, high[3] = {5, 4, 9};

static void around_corners(void **state) {
  (void)state;
  bt_box box;
  bt_error error;
  support_ok(bt_box_around(low, high, NULL, 2.5, 0.375, &box, &error), &error);
  const double middle[3] = {3, 3, 6}, edges[3] = {9, 7, 11};
  for (int k = 0; k < 3; k++) {
    assert_near(box.center[k], middle[k], 1e-12);
    assert_true(box.npts[k] % 2 == 0 && box.npts[k] * 0.375 >= edges[k] && (box.npts[k] - 2) * 0.375 < edges[k]);
  }
  support_ok(bt_box_around(low, high, (double[]){6, 6, 12}, 2.5, 0.375, &box, &error), &error); /* no padding then */
  assert_int_equal(box.npts[0], 16);
  assert_int_equal(box.npts[2], 32);
  assert_near(box.center[1], 3, 1e-12);
}

static void edges_have_limits(void **state) {
  (void)state;
  bt_box box;
  bt_error error;
  support_failed(bt_box_around(low, low, NULL, 0, 0.375, &box, &error), BT_ERR_USAGE, &error, "between 0 and 1000");
  support_failed(bt_box_at(low, (double[]){1, 1, 1000.5}, 0.375, &box, &error), BT_ERR_USAGE, &error,
                 "1000.500 Angstrom");
  support_failed(bt_box_at(low, (double[]){NAN, 1, 1}, 0.375, &box, &error), BT_ERR_USAGE, &error, "an edge");
  support_ok(bt_box_at(low, (double[]){1000, 1, 1}, 1.0, &box, &error), &error);
}

static void room_for_more(void **state) {
  (void)state;
  bt_box box;
  bt_error error;
  support_ok(bt_box_at((double[]){0, 0, 0}, (double[]){12, 12, 12}, 0.5, &box, &error), &error);
  assert_false(bt_box_include(&box, (double[]){-3, -3, -3}, (double[]){3, 3, 3}, 3));
  assert_int_equal(box.npts[0], 24);
  assert_true(bt_box_include(&box, (double[]){-5, -3, -3}, (double[]){3, 3, 3}, 3)); /* to -8 on one side alone */
  assert_near(box.center[0], -1, 1e-12);
  assert_int_equal(box.npts[0], 28);
  assert_int_equal(box.npts[1], 24);
}

static void distance_of_the_nearest_atom(void **state) {
  (void)state;
  bt_box box;
  bt_error error;
  bt_atom atoms[] = {{.x = {9, 0, 0}}, {.x = {-9, 8, 10}}}; /* the second one is beside an edge */
  bt_molecule molecule = {.n_atoms = 2, .atoms = atoms};
  support_ok(bt_box_at((double[]){0, 0, 0}, (double[]){12, 12, 12}, 0.5, &box, &error), &error);
  assert_near(bt_box_distance(&box, &molecule), 3, 1e-12);
  atoms[0].x[0] = 20;
  assert_near(bt_box_distance(&box, &molecule), sqrt(9 + 4 + 16), 1e-12);
  atoms[0].x[0] = 5;
  assert_near(bt_box_distance(&box, &molecule), 0, 1e-12);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(around_corners), cmocka_unit_test(edges_have_limits),
                                     cmocka_unit_test(room_for_more), cmocka_unit_test(distance_of_the_nearest_atom)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
