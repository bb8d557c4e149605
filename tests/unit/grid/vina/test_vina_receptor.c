/* test_vina_receptor.c - exact sums over a receptor: against all atoms one by one, whatever their order. */
#include "unit/support.h"

#include <berth/berth.h>
#include <math.h>

#include "grid/maps/maps.h"
#include "grid/vina/vina_receptor.h"
#include "pose/bonds.h"
#include "unit/assert_near.h"
#include "unit/grid/vina/receptor.h"

#include <berth/grid.h>
#include <berth/score.h>

static bt_vina_receptor *create(bt_scoring scoring) {
  bt_vina_receptor *receptor;
  bt_error error;
  support_ok(bt_vina_receptor_create(list[0], scoring, BT_STAND_INS_AUTOGRID, &receptor, &error), &error);
  return receptor;
}

static void shuffle(bt_molecule *molecule, uint64_t seed) {
  for (int i = molecule->n_atoms - 1; i > 0; i--) {
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    int j = (int)((seed >> 33) % (uint64_t)(i + 1));
    bt_atom atom = molecule->atoms[i];
    molecule->atoms[i] = molecule->atoms[j];
    molecule->atoms[j] = atom;
  }
}

/* Places in and around the receptor. */
static void point_of(int k, double point[3]) {
  const bt_atom *atom = &list[0]->atoms[k * 37 % list[0]->n_atoms];
  for (int axis = 0; axis < 3; axis++) point[axis] = atom->x[axis] + 3 * sin(1.7 * k + axis) + (k % 7 == 0 ? 6 : 0);
}

static double slowly(const bt_vina_receptor *receptor, const bt_vina_class *class, const double point[3],
                     bt_energy_form form) {
  double sum = 0;
  for (int i = 0; i < receptor->n_atoms; i++) {
    bt_vina_pair pair = bt_vina_pair_of(receptor->law, class, &bt_vina_classes()[receptor->atoms[i].class_index]);
    double r2 = 0;
    for (int k = 0; k < 3; k++) r2 += pow(point[k] - receptor->atoms[i].x[k], 2);
    sum += form == BT_FORM_TABULATED ? bt_vina_pair_staircase(receptor->law, &pair, r2)
                                     : bt_vina_pair_energy(receptor->law, &pair, sqrt(r2), NULL);
  }
  return sum;
}

static void sums_are_over_all_atoms(void **state) {
  (void)state;
  for (int scoring = BT_SCORING_VINA; scoring < BT_SCORING_COUNT; scoring++) {
    bt_vina_receptor *receptor = create((bt_scoring)scoring);
    for (int k = 0; k < 60; k++) {
      double point[3];
      const bt_vina_class *class = &bt_vina_classes()[k % (BT_VINA_CLASSES - 2)];
      point_of(k, point);
      for (int form = BT_FORM_TABULATED; form <= BT_FORM_CONTINUOUS; form++) {
        double expected = slowly(receptor, class, point, (bt_energy_form)form);
        assert_near(bt_vina_receptor_sum(receptor, class, point, (bt_energy_form)form, NULL), expected,
                    1e-9 * (1 + fabs(expected)));
      }
    }
    bt_vina_receptor_destroy(receptor);
  }
}

static void sums_have_gradients(void **state) {
  (void)state;
  const double h = 1e-5;
  const bt_vina_class *class = bt_vina_class_find("S_P"); /* no ramps: no corners */
  bt_vina_receptor *receptor = create(BT_SCORING_VINARDO);
  for (int k = 0; k < 60; k++) {
    double point[3], gradient[3];
    point_of(k, point);
    bt_vina_receptor_sum(receptor, class, point, BT_FORM_CONTINUOUS, gradient);
    for (int axis = 0; axis < 3; axis++) {
      double middle = point[axis], ends[2];
      for (int side = 0; side < 2; side++) {
        point[axis] = middle + (side == 0 ? -h : h);
        ends[side] = bt_vina_receptor_sum(receptor, class, point, BT_FORM_CONTINUOUS, NULL);
      }
      point[axis] = middle;
      assert_near(gradient[axis], (ends[1] - ends[0]) / (2 * h), 1e-4 * (1 + fabs(gradient[axis])));
    }
  }
  bt_vina_receptor_destroy(receptor);
}

static void the_order_of_atoms_does_not_matter(void **state) {
  (void)state;
  const bt_vina_class *class = bt_vina_class_find("N_DA");
  bt_vina_receptor *before = create(BT_SCORING_VINA);
  int tally[2][BT_VINA_CLASSES] = {{0}};
  shuffle(list[0], 5);
  bt_vina_receptor *after = create(BT_SCORING_VINA);
  assert_int_equal(before->n_atoms, after->n_atoms);
  for (int i = 0; i < before->n_atoms; i++) {
    tally[0][before->atoms[i].class_index]++;
    tally[1][after->atoms[i].class_index]++;
  }
  assert_memory_equal(tally[0], tally[1], sizeof tally[0]);
  for (int k = 0; k < 40; k++) {
    double point[3];
    point_of(k, point);
    double expected = bt_vina_receptor_sum(before, class, point, BT_FORM_TABULATED, NULL);
    assert_near(bt_vina_receptor_sum(after, class, point, BT_FORM_TABULATED, NULL), expected,
                1e-9 * (1 + fabs(expected)));
  }
  bt_vina_receptor_destroy(before);
  bt_vina_receptor_destroy(after);
}

static void far_atoms_need_no_memory(void **state) {
  (void)state;
  double x[3], *moved = list[0]->atoms[0].x;
  memcpy(x, moved, sizeof x);
  moved[0] = 90000;
  moved[1] = -90000;
  bt_vina_receptor *receptor = create(BT_SCORING_VINA);
  assert_true((double)receptor->bricks[0] * receptor->bricks[1] * receptor->bricks[2] < 1e6);
  double place[3] = {90003, -90000, moved[2]}, nowhere[3] = {NAN, 0, 0}, away[3] = {-50000, 1e9, 0};
  assert_true(bt_vina_receptor_sum(receptor, bt_vina_class_find("C_H"), place, BT_FORM_CONTINUOUS, NULL) != 0);
  bt_vina_receptor_sum(receptor, bt_vina_class_find("C_H"), nowhere, BT_FORM_CONTINUOUS, NULL);
  assert_near(bt_vina_receptor_sum(receptor, bt_vina_class_find("C_H"), away, BT_FORM_CONTINUOUS, NULL), 0, 0);
  bt_vina_receptor_destroy(receptor);
  memcpy(moved, x, sizeof x);
}

static void an_unknown_type_is_named(void **state) {
  (void)state;
  bt_vina_receptor *receptor;
  bt_error error;
  char type[8];
  memcpy(type, list[0]->atoms[9].type, sizeof type);
  strcpy(list[0]->atoms[9].type, "Xx");
  bt_status status = bt_vina_receptor_create(list[0], BT_SCORING_VINA, BT_STAND_INS_USE, &receptor, &error);
  memcpy(list[0]->atoms[9].type, type, sizeof type);
  support_failed(status, BT_ERR_PARAMETER, &error, "atom type 'Xx'");
  assert_null(receptor);
}

static bt_status create_with(const char *type, int atom, bt_stand_ins stand_ins, char *ret_warning, bt_error *error) {
  bt_atom *a = &list[0]->atoms[atom], saved = *a;
  bt_vina_receptor *receptor;
  snprintf(a->type, sizeof a->type, "%s", type);
  if (stand_ins == BT_STAND_INS_USE && strcmp(type, "LI") == 0) a->resnum = 9999; /* an ion of its own */
  bt_status status = bt_vina_receptor_create(list[0], BT_SCORING_VINA, stand_ins, &receptor, error);
  *a = saved;
  ret_warning[0] = '\0';
  if (status == BT_OK && receptor->opt_warning != NULL) snprintf(ret_warning, 256, "%s", receptor->opt_warning);
  bt_vina_receptor_destroy(receptor);
  return status;
}

static void elements_unknown_to_vina_have_stand_ins(void **state) {
  (void)state;
  bt_error error;
  char warning[256];
  support_ok(create_with("Li", 9, BT_STAND_INS_USE, warning, &error), &error);
  assert_string_equal(warning, "the receptor has elements unknown to Vina: Mg stands in for Li");
  support_ok(create_with("LI", 9, BT_STAND_INS_USE, warning, &error), &error);
  assert_true(warning[0] != '\0');
  support_ok(create_with("Hg", 9, BT_STAND_INS_REFUSE, warning, &error), &error); /* Vina knows it */
  assert_string_equal(warning, "");
  support_failed(create_with("HG", 9, BT_STAND_INS_USE, warning, &error), BT_ERR_PARAMETER, &error, "'HG'");
  support_failed(create_with("Li", 9, BT_STAND_INS_REFUSE, warning, &error), BT_ERR_PARAMETER, &error, "'Li'");
  support_failed(create_with("Li", 9, BT_STAND_INS_AUTOGRID, warning, &error), BT_ERR_PARAMETER, &error, "'Li'");
}

static void a_receptor_alone_is_enough_for_scores(void **state) {
  (void)state;
  bt_grid_options options = bt_grid_options_default();
  bt_maps *maps;
  bt_error error;
  options.scoring = BT_SCORING_VINA;
  options.box.npts[0] = options.box.npts[1] = options.box.npts[2] = 2;
  support_ok(bt_maps_compute(list[0], NULL, 0, &options, &maps, &error), &error);
  assert_non_null(maps->receptor);
  assert_int_equal(maps->scoring, BT_SCORING_VINA);
  assert_string_equal(bt_maps_receptor_name(maps), "receptor");
  bt_maps_destroy(maps);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sums_are_over_all_atoms),
      cmocka_unit_test(sums_have_gradients),
      cmocka_unit_test(far_atoms_need_no_memory),
      cmocka_unit_test(elements_unknown_to_vina_have_stand_ins),
      cmocka_unit_test(an_unknown_type_is_named),
      cmocka_unit_test(a_receptor_alone_is_enough_for_scores),
      cmocka_unit_test(the_order_of_atoms_does_not_matter),
  };
  return cmocka_run_group_tests(tests, open_receptor, close_receptor);
}
