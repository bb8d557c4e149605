/* test_pockets.c - pockets of receptors with known cavities. */
#include <berth/grid.h>
#include <math.h>

#include "unit/assert_near.h"
#include "unit/grid/receptors.h"

enum { ROOM = 4000 };

typedef struct lump {
  test_atom atoms[ROOM];
  int count;
} lump;

/* Carbons on a lattice within a ball, but for a well of the given radius that goes from its middle up to the surface. */
static void add_ball(lump *to, double x, double radius, double well) {
  for (int i = -20; i <= 20; i++)
    for (int j = -20; j <= 20; j++)
      for (int k = -20; k <= 20; k++) {
        double a = 2.0 * i, b = 2.0 * j, c = 2.0 * k, across = sqrt(a * a + b * b);
        if (a * a + b * b + c * c > radius * radius) continue;
        if (across < well && c > -0.5 * well) continue;
        assert_true(to->count < ROOM);
        to->atoms[to->count++] = (test_atom){"C", x + a, b, c, 0.0};
      }
}

static int find(const lump *from, bt_pocket **ret_pockets) {
  bt_molecule molecule = test_molecule(from->atoms, from->count);
  bt_grid_options options = bt_grid_options_default();
  bt_error error;
  int count;
  options.threads = 2;
  support_ok(bt_pockets_find(&molecule, &options, ret_pockets, &count, &error), &error);
  test_molecule_free(&molecule);
  return count;
}

static void a_ball_has_none(void **state) {
  (void)state;
  static lump ball;
  bt_pocket *pockets;
  add_ball(&ball, 0, 12, 0);
  assert_int_equal(find(&ball, &pockets), 0);
  free(pockets);
}

/* The receptor has no charges. */
static void a_well_is_one(void **state) {
  (void)state;
  static lump ball;
  bt_pocket *pockets;
  add_ball(&ball, 5, 12, 6);
  assert_int_equal(find(&ball, &pockets), 1);
  assert_near(pockets->center[0], 5, 0.5);
  assert_near(pockets->center[1], 0, 0.5);
  assert_true(pockets->center[2] > 0 && pockets->center[2] < 8);
  assert_true(pockets->buried > 0.6 && pockets->buried < 1);
  assert_true(pockets->low[0] > -2 && pockets->high[0] < 12);
  free(pockets);
}

static void the_larger_well_comes_first(void **state) {
  (void)state;
  static lump balls;
  bt_pocket *pockets;
  add_ball(&balls, 0, 12, 5);
  add_ball(&balls, 40, 12, 7);
  assert_int_equal(find(&balls, &pockets), 2);
  assert_near(pockets[0].center[0], 40, 0.5);
  assert_near(pockets[1].center[0], 0, 0.5);
  assert_true(pockets[0].score > pockets[1].score && pockets[0].volume > pockets[1].volume);
  free(pockets);
}

static void no_atoms_is_an_error(void **state) {
  (void)state;
  bt_molecule molecule = test_molecule(NULL, 0);
  bt_grid_options options = bt_grid_options_default();
  bt_pocket *pockets;
  bt_error error;
  int count;
  assert_int_not_equal(bt_pockets_find(&molecule, &options, &pockets, &count, &error), BT_OK);
  assert_null(pockets);
  test_molecule_free(&molecule);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_ball_has_none), cmocka_unit_test(a_well_is_one),
                                     cmocka_unit_test(the_larger_well_comes_first),
                                     cmocka_unit_test(no_atoms_is_an_error)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
