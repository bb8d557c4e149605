/* test_vina_cells.c - lists of the receptor's atoms near a cell: complete, in order, the same for all threads. */
#include "unit/support.h"

#include <berth/berth.h>
#include <math.h>

#include "base/threads.h"
#include "base/vector.h"
#include "chem/molecule.h"
#include "grid/vina/vina_cells.h"
#include "unit/assert_near.h"
#include "unit/grid/vina/receptor.h"

static const bt_box box = {{11.9, 20.7, 8.8}, {40, 40, 60}, 0.375};

static bt_vina_receptor *create(bt_scoring scoring, bool with_cells) {
  bt_vina_receptor *receptor;
  bt_error error;
  support_ok(bt_vina_receptor_create(list[0], scoring, BT_STAND_INS_AUTOGRID, &receptor, &error), &error);
  if (with_cells) support_ok(bt_vina_cells_create(receptor, &box, &receptor->opt_cells, &error), &error);
  return receptor;
}

/* In the box and a little around it. */
static void point_of(int k, double point[3]) {
  for (int axis = 0; axis < 3; axis++)
    point[axis] = box.center[axis] + (0.5 * box.npts[axis] * box.spacing + 3) * sin(1.7 * k * (axis + 1) + axis);
}

static void lists_are_complete(void **state) {
  (void)state;
  bt_vina_receptor *receptor = create(BT_SCORING_VINA, true);
  int listed = 0;
  for (int k = 0; k < 300; k++) {
    double point[3];
    point_of(k, point);
    const bt_vina_cell *cell = bt_vina_cells_at(receptor->opt_cells, point);
    assert_non_null(cell);
    assert_ptr_equal(cell, bt_vina_cells_at(receptor->opt_cells, point));
    int at = 0;
    for (int i = 0; i < receptor->n_atoms; i++) {
      bool is_listed = at < cell->count && cell->atoms[at] == i;
      at += is_listed;
      if (bt_v3_distance2(point, receptor->atoms[i].x) < BT_VINA_CUTOFF * BT_VINA_CUTOFF) assert_true(is_listed);
    }
    assert_int_equal(at, cell->count);
    listed += at;
  }
  assert_true(listed > 300);
  bt_vina_receptor_destroy(receptor);
}

/* What is reported does not depend on cells, not even in its last bit. */
static void sums_stay_the_same(void **state) {
  (void)state;
  const bt_scoring scorings[] = {BT_SCORING_VINA, BT_SCORING_VINARDO, BT_SCORING_VINA_METALS};
  for (int s = 0; s < 3; s++) {
    bt_vina_receptor *with = create(scorings[s], true), *without = create(scorings[s], false);
    for (int k = 0; k < 200; k++) {
      double point[3], slopes[2][3];
      point_of(k, point);
      const bt_vina_class *class = &bt_vina_classes()[k % BT_VINA_CLASSES];
      for (int form = 0; form < 2; form++)
        assert_near(bt_vina_receptor_sum(with, class, point, (bt_energy_form)form, NULL),
                    bt_vina_receptor_sum(without, class, point, (bt_energy_form)form, NULL), 0);
      bt_vina_receptor_sum(with, class, point, BT_FORM_CONTINUOUS, slopes[0]);
      bt_vina_receptor_sum(without, class, point, BT_FORM_CONTINUOUS, slopes[1]);
      assert_memory_equal(slopes[0], slopes[1], sizeof slopes[0]);
    }
    bt_vina_receptor_destroy(with);
    bt_vina_receptor_destroy(without);
  }
}

static float filled(const float *array, int k, int step) { return array[k * step]; }

/* The atom at a place of the arrays; they hold each once. */
static const bt_vina_atom *atom_at(const bt_vina_receptor *receptor, const bt_vina_cell *cell,
                                   const bt_grid_vina_point *pairs, int k) {
  const bt_vina_atom *found = NULL;
  for (int a = 0; a < cell->count; a++) {
    const bt_vina_atom *atom = &receptor->atoms[cell->atoms[a]];
    double away = 0;
    for (int c = 0; c < 3; c++) away += fabs((double)pairs->x[c][k] - (atom->x[c] - cell->center[c]));
    if (away > 1e-5) continue;
    assert_null(found);
    found = atom;
  }
  assert_non_null(found);
  return found;
}

/* What vectors are given is what each pair has, the nearest atoms first. */
static void check_pairs(const bt_vina_receptor *receptor, const bt_vina_class *class, const bt_vina_cell *cell,
                        const bt_grid_vina_point *pairs) {
  double before = 0;
  assert_true(pairs->count >= cell->count && pairs->count % BT_GRID_PADDING == 0);
  for (int k = 0; k < pairs->count; k++) {
    if (k >= cell->count) {
      assert_true(pairs->x[0][k] > 100 && pairs->ramp[k] == 0);
      continue;
    }
    const bt_vina_atom *atom = atom_at(receptor, cell, pairs, k);
    double distance = bt_v3_distance(atom->x, cell->center);
    assert_true(distance >= before - 1e-9);
    before = distance;
    bt_vina_pair_single single = receptor->singles[class->index][atom->class_index];
    assert_near(pairs->radius + pairs->radii[k], single.radii, 1e-6);
    assert_near(pairs->ramp[k], single.ramp, 0);
    if (single.ramp == 0) continue;
    assert_near(filled(pairs->top, k, pairs->step), single.top, 0);
    assert_near(filled(pairs->width, k, pairs->step), single.width, 0);
  }
}

/* Points meet the first atoms of a list only; none of the others is within the cutoff. */
static void near_points_meet_fewer_atoms(void **state) {
  (void)state;
  bt_vina_receptor *receptor = create(BT_SCORING_VINA, true);
  int met = 0, listed = 0;
  for (int k = 0; k < 200; k++) {
    double point[3];
    bt_grid_vina_point pairs;
    point_of(k, point);
    const bt_vina_cell *cell = bt_vina_cells_at(receptor->opt_cells, point);
    assert_true(bt_vina_cell_holds(cell, point));
    assert_true(bt_vina_cells_pairs(receptor->opt_cells, bt_vina_class_find("C_H"), cell, &pairs));
    int first = bt_vina_cell_met(cell, (float)bt_v3_distance(point, cell->center));
    assert_true(first <= pairs.count && first % BT_GRID_PADDING == 0);
    for (int a = first; a < cell->count; a++)
      assert_true(bt_v3_distance(point, atom_at(receptor, cell, &pairs, a)->x) >= BT_VINA_CUTOFF);
    met += first;
    listed += pairs.count;
  }
  assert_true(met < listed);
  bt_vina_receptor_destroy(receptor);
}

static void classes_find_their_pairs(void **state) {
  (void)state;
  const bt_scoring scorings[] = {BT_SCORING_VINA, BT_SCORING_VINARDO, BT_SCORING_VINA_METALS};
  for (int s = 0; s < 3; s++) {
    bt_vina_receptor *receptor = create(scorings[s], true);
    const bt_vina_cell *cell = bt_vina_cells_at(receptor->opt_cells, box.center);
    assert_true(cell != NULL && cell->count > 50);
    for (int c = 0; c < BT_VINA_CLASSES; c++) {
      bt_grid_vina_point pairs;
      const bt_vina_class *class = &bt_vina_classes()[c];
      bool known = bt_vina_cells_pairs(receptor->opt_cells, class, cell, &pairs);
      assert_int_equal(known, bt_vina_has_class(class));
      if (known) check_pairs(receptor, class, cell, &pairs);
    }
    bt_vina_receptor_destroy(receptor);
  }
}

/* Coordination has a ramp and a distance of its own. */
static void metals_are_not_for_cells(void **state) {
  (void)state;
  int metal = list[0]->n_atoms / 2;
  char kept[sizeof list[0]->atoms[metal].type];
  memcpy(kept, list[0]->atoms[metal].type, sizeof kept);
  snprintf(list[0]->atoms[metal].type, sizeof kept, "Zn");
  bt_vina_receptor *receptor = create(BT_SCORING_VINA_METALS, true);
  memcpy(list[0]->atoms[metal].type, kept, sizeof kept);
  const bt_vina_cell *cell = bt_vina_cells_at(receptor->opt_cells, box.center);
  assert_non_null(cell);
  int binding = 0;
  for (int c = 0; c < BT_VINA_CLASSES; c++) {
    bt_grid_vina_point pairs;
    const bt_vina_class *class = &bt_vina_classes()[c];
    if (!class->binds_metals || !bt_vina_has_class(class)) continue;
    assert_false(bt_vina_cells_pairs(receptor->opt_cells, class, cell, &pairs));
    binding++;
  }
  assert_true(binding > 0);
  bt_vina_receptor_destroy(receptor);
}

static void cells_may_be_empty(void **state) {
  (void)state;
  bt_vina_receptor *receptor = create(BT_SCORING_VINA, false);
  const bt_box far = {{900, 900, 900}, {40, 40, 40}, 0.375};
  bt_grid_vina_point pairs;
  bt_error error;
  support_ok(bt_vina_cells_create(receptor, &far, &receptor->opt_cells, &error), &error);
  const bt_vina_cell *cell = bt_vina_cells_at(receptor->opt_cells, far.center);
  assert_non_null(cell);
  assert_int_equal(cell->count, 0);
  assert_true(bt_vina_cells_pairs(receptor->opt_cells, bt_vina_class_find("C_H"), cell, &pairs));
  assert_int_equal(pairs.count, 0);
  for (float distance = 0; distance < 1; distance += 0.1F) assert_int_equal(bt_vina_cell_met(cell, distance), 0);
  assert_int_equal(bt_vina_cell_met(cell, NAN), 0);
  assert_near(bt_vina_receptor_sum(receptor, bt_vina_class_find("C_H"), far.center, BT_FORM_TABULATED, NULL), 0, 0);
  bt_vina_receptor_destroy(receptor);
}

static void elsewhere_there_is_no_cell(void **state) {
  (void)state;
  bt_vina_receptor *receptor = create(BT_SCORING_VINA, true);
  const double places[][3] = {{1e3, 0, 0}, {box.center[0], -1e30, 0}, {NAN, 0, 0}, {INFINITY, 0, 0}};
  for (int k = 0; k < 4; k++) assert_null(bt_vina_cells_at(receptor->opt_cells, places[k]));
  bt_vina_receptor_destroy(receptor);
}

enum { THREADS = 4, PLACES = 200 };

typedef struct visitors {
  bt_vina_cells *cells;
  const bt_vina_cell *found[THREADS][PLACES];
} visitors;

static void visit(void *context, int thread) {
  visitors *v = context;
  for (int k = 0; k < PLACES; k++) {
    int place = thread % 2 == 0 ? k : PLACES - 1 - k;
    double point[3];
    point_of(place, point);
    v->found[thread][place] = bt_vina_cells_at(v->cells, point);
  }
}

static void threads_share_cells(void **state) {
  (void)state;
  static visitors v;
  bt_vina_receptor *receptor = create(BT_SCORING_VINA, true);
  v.cells = receptor->opt_cells;
  bt_parallel(THREADS, visit, &v);
  for (int t = 1; t < THREADS; t++) assert_memory_equal(v.found[t], v.found[0], sizeof v.found[0]);
  bt_vina_receptor_destroy(receptor);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lists_are_complete),           cmocka_unit_test(sums_stay_the_same),
      cmocka_unit_test(near_points_meet_fewer_atoms), cmocka_unit_test(classes_find_their_pairs),
      cmocka_unit_test(metals_are_not_for_cells),     cmocka_unit_test(elsewhere_there_is_no_cell),
      cmocka_unit_test(cells_may_be_empty),           cmocka_unit_test(threads_share_cells),
  };
  return cmocka_run_group_tests(tests, open_receptor, close_receptor);
}
