/* test_vina.c - classes, laws and pair energies of Vina and Vinardo. */
#include "unit/support.h"

#include <berth/score.h>
#include <math.h>

#include "forcefield/vina.h"
#include "unit/assert_near.h"

static void classes_are_consistent(void **state) {
  (void)state;
  const bt_vina_class *classes = bt_vina_classes();
  for (int c = 0; c < BT_VINA_CLASSES; c++) {
    assert_int_equal(classes[c].index, c);
    assert_ptr_equal(bt_vina_class_find(classes[c].name), &classes[c]);
    assert_false(classes[c].hydrophobic && (classes[c].donor || classes[c].acceptor));
    if (!bt_vina_has_class(&classes[c])) continue;
    const bt_vina_class *map = bt_vina_class_find(classes[c].map);
    assert_non_null(map);
    assert_string_equal(map->map, map->name);
    for (int scoring = BT_SCORING_VINA; scoring < BT_SCORING_COUNT; scoring++)
      assert_true(map->radius[bt_vina_law_of((bt_scoring)scoring)->column] > 0);
  }
  assert_null(bt_vina_class_find("C"));
}

static const char *class_of(const char *type, bool hetero, bool polar) {
  const bt_vina_input *input = bt_vina_input_find(type);
  assert_non_null(input);
  const bt_vina_class *class = bt_vina_classify(input, hetero, polar);
  assert_non_null(class);
  return class->name;
}

static void types_become_classes(void **state) {
  (void)state;
  assert_string_equal(class_of("C", false, false), "C_H");
  assert_string_equal(class_of("A", true, false), "C_P");
  assert_string_equal(class_of("N", true, true), "N_D");
  assert_string_equal(class_of("NA", true, false), "N_A");
  assert_string_equal(class_of("NA", false, true), "N_DA");
  assert_string_equal(class_of("O", true, false), "O_P");
  assert_string_equal(class_of("OA", false, true), "O_DA");
  assert_string_equal(class_of("SA", true, true), "S_P");
  assert_string_equal(class_of("HD", true, false), "none");
  assert_string_equal(class_of("W", true, false), "none");
  assert_string_equal(class_of("CG0", true, false), "CG_P");
  assert_string_equal(class_of("CG3", false, false), "CG3_H");
  assert_string_equal(class_of("G2", true, false), "G");
  assert_string_equal(class_of("Cl", true, false), "Cl_H");
}

/* What AutoDock 4 knows and Vina does not. */
static void types_that_vina_lacks_have_stand_ins(void **state) {
  (void)state;
  static const char *const same[][2] = {{"OS", "OA"}, {"NS", "NA"}, {"MG", "Mg"}, {"ZN", "Zn"}, {"CL", "Cl"},
                                        {"BR", "Br"}, {"CX", "C"},  {"GA", "A"},  {"HS", "HD"}, {"CG7", "CG0"}};
  for (size_t k = 0; k < sizeof same / sizeof *same; k++) {
    const bt_vina_input *a = bt_vina_input_find(same[k][0]), *b = bt_vina_input_find(same[k][1]);
    assert_true(a->kind == b->kind && a->covalent == b->covalent && a->acceptor == b->acceptor);
    assert_string_equal(a->stem, b->stem);
  }
  assert_null(bt_vina_input_find("B"));
  assert_null(bt_vina_input_find("cl"));
}

/* Every type of the tables must end in a class, whatever its neighbors. */
static void every_type_has_a_class(void **state) {
  (void)state;
  static const char *const types[] = {"H",  "HD", "HS", "C",  "A",  "N",  "NA",  "NS", "O",  "OA", "OS", "S",
                                      "SA", "Se", "P",  "F",  "Cl", "Br", "I",   "Si", "At", "Mg", "Mn", "Zn",
                                      "Ca", "Fe", "Cu", "Na", "K",  "Hg", "Co",  "U",  "Cd", "Ni", "W",  "TZ",
                                      "J",  "Q",  "G",  "NX", "OX", "G0", "CG1", "G9", "FE", "MN", "CA"};
  for (size_t k = 0; k < sizeof types / sizeof *types; k++)
    for (int n = 0; n < 4; n++) class_of(types[k], n & 1, n & 2);
}

typedef struct row {
  const char *first, *second;
  bt_scoring scoring;
  double formula[6], staircase[6];
} row;

/* Vina 1.2.7's energies at these distances, to four decimals. */
static void pair_energies_are_vinas(void **state) {
  (void)state;
  static const double r[] = {2.0, 2.8, 3.5, 4.0, 5.0, 7.9};
  static const row rows[] = {
      {"C_H",
       "C_H",
       BT_SCORING_VINA,
       {2.6873, 0.8044, 0.0154, -0.0661, -0.0129, -0.0038},
       {2.6755, 0.8080, 0.0141, -0.0660, -0.0129, -0.0038}},
      {"C_P",
       "O_A",
       BT_SCORING_VINA,
       {2.1510, 0.5349, -0.0262, -0.0197, -0.0027, -0.0034},
       {2.1405, 0.5378, -0.0267, -0.0196, -0.0027, -0.0034}},
      {"N_D",
       "O_A",
       BT_SCORING_VINA,
       {1.3031, -0.1809, -0.0361, -0.0142, -0.0029, -0.0032},
       {1.2933, -0.1781, -0.0361, -0.0141, -0.0029, -0.0032}},
      {"C_H",
       "C_H",
       BT_SCORING_VINARDO,
       {3.1649, 1.1123, 0.1346, -0.0800, -0.0304, 0},
       {3.1525, 1.1164, 0.1327, -0.0800, -0.0304, 0}},
      {"C_P",
       "O_A",
       BT_SCORING_VINARDO,
       {2.0472, 0.4954, -0.0363, -0.0350, -0.0021, 0},
       {2.0372, 0.4983, -0.0367, -0.0350, -0.0021, 0}},
      {"N_D",
       "O_A",
       BT_SCORING_VINARDO,
       {0.7488, -0.3304, -0.0423, -0.0209, -0.0005, 0},
       {0.7407, -0.3308, -0.0422, -0.0208, -0.0005, 0}},
  };
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    const bt_vina_law *law = bt_vina_law_of(rows[k].scoring);
    bt_vina_pair pair = bt_vina_pair_of(law, bt_vina_class_find(rows[k].first), bt_vina_class_find(rows[k].second));
    for (int i = 0; i < 6; i++) {
      assert_near(bt_vina_pair_energy(law, &pair, r[i], NULL), rows[k].formula[i], 5.1e-5);
      assert_near(bt_vina_pair_staircase(law, &pair, r[i] * r[i]), rows[k].staircase[i], 5.1e-5);
    }
    assert_near(bt_vina_pair_energy(law, &pair, 8.0, NULL), 0, 0);
    assert_near(bt_vina_pair_staircase(law, &pair, 64.0), 0, 0);
  }
}

static bool is_near_corner(const bt_vina_pair *pair, double r) {
  double d = r - pair->radii;
  return fabs(d - pair->ramp.good) < 0.001 || fabs(d - pair->ramp.bad) < 0.001 || fabs(r - BT_VINA_CUTOFF) < 0.001;
}

static void slopes_are_derivatives(void **state) {
  (void)state;
  const bt_vina_class *classes = bt_vina_classes();
  const double h = 1e-5;
  for (int scoring = BT_SCORING_VINA; scoring < BT_SCORING_COUNT; scoring++) {
    const bt_vina_law *law = bt_vina_law_of((bt_scoring)scoring);
    for (int a = 0; a < BT_VINA_CLASSES; a++)
      for (int b = 0; b < BT_VINA_CLASSES; b++) {
        bt_vina_pair pair = bt_vina_pair_of(law, &classes[a], &classes[b]);
        for (double r = 0.3; r < 9.0; r += 0.0517) {
          double slope;
          if (is_near_corner(&pair, r)) continue;
          bt_vina_pair_energy(law, &pair, r, &slope);
          double numerical =
              (bt_vina_pair_energy(law, &pair, r + h, NULL) - bt_vina_pair_energy(law, &pair, r - h, NULL)) / (2 * h);
          assert_near(slope, numerical, 1e-7 + 1e-5 * fabs(slope));
        }
      }
  }
}

static void pairs_are_symmetric_and_glue_has_no_radius(void **state) {
  (void)state;
  const bt_vina_class *classes = bt_vina_classes();
  const bt_vina_law *law = bt_vina_law_of(BT_SCORING_VINA);
  for (int a = 0; a < BT_VINA_CLASSES; a++)
    for (int b = 0; b < BT_VINA_CLASSES; b++) {
      bt_vina_pair p = bt_vina_pair_of(law, &classes[a], &classes[b]),
                   q = bt_vina_pair_of(law, &classes[b], &classes[a]);
      assert_true(p.radii == q.radii && p.ramp.weight == q.ramp.weight && p.ramp.bad == q.ramp.bad);
    }
  bt_vina_pair glue = bt_vina_pair_of(law, bt_vina_class_find("G"), bt_vina_class_find("CG_P"));
  assert_true(glue.radii == 0 && glue.ramp.weight == 0);
  bt_vina_pair metal = bt_vina_pair_of(law, bt_vina_class_find("Met_D"), bt_vina_class_find("O_A"));
  assert_near(metal.radii, 2.9, 1e-12);
  assert_near(metal.ramp.weight, law->hbond.weight, 0);
}

static void metals_are_bound_by_groups_that_bind_them(void **state) {
  (void)state;
  const bt_vina_law *law = bt_vina_law_of(BT_SCORING_VINA_METALS), *vina = bt_vina_law_of(BT_SCORING_VINA);
  const bt_vina_class *metal = bt_vina_class_find("Met_D"), *alkali = bt_vina_class_find("Alk_D");
  static const char *const bases[] = {"N_A", "N_DA", "O_A", "O_DA", "S_P"};
  for (size_t k = 0; k < sizeof bases / sizeof *bases; k++) {
    const bt_vina_class *base = bt_vina_class_find(bases[k]), *bound = bt_vina_class_in_group(base);
    double contact = base->name[0] == 'S' ? 2.4 : 2.1;
    bt_vina_pair pair = bt_vina_pair_of(law, metal, bound);
    /* the ramp, and both gaussians of spheres in contact */
    assert_near(bt_vina_pair_energy(law, &pair, contact, NULL), -1.5 - 0.035579 - 0.005156 * exp(-2.25), 1e-12);
    assert_true(bt_vina_pair_energy(law, &pair, contact + 0.9, NULL) > -0.1);
    assert_true(bt_vina_pair_energy(law, &pair, 1.0, NULL) > bt_vina_pair_energy(law, &pair, contact, NULL) + 0.9);
    /* everywhere else, and without the term, it is as its base */
    for (int c = 0; c < BT_VINA_CLASSES; c++) {
      const bt_vina_class *other = &bt_vina_classes()[c];
      bt_vina_pair of_base = bt_vina_pair_of(vina, base, other), of_bound = bt_vina_pair_of(vina, bound, other);
      assert_memory_equal(&of_base, &of_bound, sizeof of_base);
      if (other == metal || other->binds_metals) continue;
      of_bound = bt_vina_pair_of(law, bound, other);
      assert_memory_equal(&of_base, &of_bound, sizeof of_base);
    }
    bt_vina_pair sodium = bt_vina_pair_of(law, alkali, bound), donor = bt_vina_pair_of(vina, metal, base);
    assert_memory_equal(&sodium, &donor, sizeof donor);
  }
  assert_ptr_equal(bt_vina_class_in_group(bt_vina_class_find("C_H")), bt_vina_class_find("C_H"));
}

static void curl_limits_what_is_positive(void **state) {
  (void)state;
  double factor;
  assert_near(bt_vina_curl(-5, 1000, &factor), -5, 0);
  assert_near(factor, 1, 0);
  assert_near(bt_vina_curl(10, 1000, NULL), 9.90099, 1e-5);
  assert_near(bt_vina_curl(100, 10, NULL), 9.0909, 1e-4);
  bt_vina_curl(300, 1000, &factor);
  assert_near(factor, (bt_vina_curl(300.001, 1000, NULL) - bt_vina_curl(299.999, 1000, NULL)) / 0.002, 1e-7);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(classes_are_consistent),
      cmocka_unit_test(types_become_classes),
      cmocka_unit_test(types_that_vina_lacks_have_stand_ins),
      cmocka_unit_test(every_type_has_a_class),
      cmocka_unit_test(pair_energies_are_vinas),
      cmocka_unit_test(slopes_are_derivatives),
      cmocka_unit_test(pairs_are_symmetric_and_glue_has_no_radius),
      cmocka_unit_test(metals_are_bound_by_groups_that_bind_them),
      cmocka_unit_test(curl_limits_what_is_positive),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
