/* BUDE's force-field files and pair potentials, by hand; energies of one pair at characteristic distances. */
#include "forcefield/bude.h"

#include "score/bude.h"
#include "unit/assert_near.h"
#include "unit/support.h"

#define HEADER "%BUDE HEAVY ATOM AMINO-ACID FORCEFIELD LIBRARY\n%VERSION 2.00\n"

static bt_status parse(const char *text, bt_bude_forcefield **ret, bt_error *error) {
  return bt_bude_forcefield_parse(text, strlen(text), "some.bhff", ret, error);
}

static void rows_and_groups_are_read(void **state) {
  (void)state;
  bt_error error;
  bt_bude_forcefield *f;
  support_ok(parse(HEADER "# a comment\n\n 2 # groups\nALA 2\n N D 1.5 0.4 30 6.5 1.3 1.0 -0.3\n"
                          "CA - 2 -0.5 30 6.5 1.3 0.5 0 # scaled\nWLD 1\n CA E 1.25 0 38 5.5 1 1 1\nEND\nrubbish\n",
                   &f, &error), &error);
  assert_int_equal(f->n_types, 3);
  assert_int_equal(f->n_groups, 2);
  assert_true(f->complete);
  assert_string_equal(f->groups[1].name, "WLD");
  assert_int_equal(f->types[0].class, 'D');
  assert_near(f->types[1].radius, 1.0, 0);
  assert_near(f->types[0].charge, -0.3, 0);
  assert_int_equal(bt_bude_type_find(f, "ALA", "CA"), 1);
  assert_int_equal(bt_bude_type_find(f, "GLY", "CA"), 2);
  assert_int_equal(bt_bude_type_find(f, "GLY", "N"), -1);
  assert_int_equal(bt_bude_type_find(f, NULL, "N"), 0);
  assert_int_equal(bt_bude_type_find(f, "ALA", "ca"), -1);
  bt_bude_forcefield_destroy(f);
}

static void a_file_without_end_is_known_as_such(void **state) {
  (void)state;
  bt_error error;
  bt_bude_forcefield *f, *other;
  support_ok(parse(HEADER "1\nWLD 1\nC - 2 0 38 5.5 1 1 0\n", &f, &error), &error);
  assert_false(f->complete);
  support_ok(parse(HEADER "1\nWLD 1\nC - 2 0.0001 38 5.5 1 1 0\nEND\n", &other, &error), &error);
  assert_true(f->hash != other->hash);
  bt_bude_forcefield_destroy(f);
  bt_bude_forcefield_destroy(other);
}

static void bad_files_are_refused_with_the_line(void **state) {
  (void)state;
  static const struct {
    const char *text, *words;
  } bad[] = {
      {"", "not a BUDE force field"},
      {"%BUDE HEAVY ATOM X\n%VERSION 1.00\n", "not a BUDE force field"},
      {HEADER, "number of groups"},
      {HEADER "x\n", "number of groups"},
      {HEADER "1\nWLD\n", "some.bhff:4"},
      {HEADER "1\nWLD 2\nC - 2 0 38 5.5 1 1 0\nEND\n", "1 of 2 rows"},
      {HEADER "2\nWLD 1\nC - 2 0 38 5.5 1 1 0\nEND\n", "1 of 2 groups"},
      {HEADER "1\nWLD 1\nC X 2 0 38 5.5 1 1 0\n", "'X' is not a class"},
      {HEADER "1\nWLD 1\nC - 0 0 38 5.5 1 1 0\n", "radius"},
      {HEADER "1\nWLD 1\nC - 1e-40 0 38 5.5 1 1 0\n", "'1e-40' is not a valid radius"},
      {HEADER "1\nWLD 1\nC - 2 0 38 1e-40 1 1 0\n", "'1e-40' is not a valid reach of non-polar pairs"},
      {HEADER "1\nWLD 1\nC - 2 0 38 5.5 1e-4 1 0\n", "'1e-4' is not a valid reach of polar pairs"},
      {HEADER "1\nWLD 1\nC - 2 0 38 5.5 1 1e-40 0\n", "radius scale"},
      {HEADER "1\nWLD 1\nC - 2 0 38 5.5 1 1\n", "charge"},
      {HEADER "1\nWLD 1\nC - 2 nan 38 5.5 1 1 0\n", "hydrophobic"},
      {HEADER "1\nWLD 1\nC - 2 0 38 5.5 1 1 0 7\n", "nine columns"},
      {HEADER "1\nWLD 1\nLONGNAME - 2 0 38 5.5 1 1 0\n", "LONGNAME"},
      {HEADER "1\nWLD 2\nC - 2 0 38 5.5 1 1 0\nC - 2 0 38 5.5 1 1 0\n", "second row"},
      {HEADER "2\nWLD 1\nC - 2 0 38 5.5 1 1 0\nWLD 1\nN - 2 0 38 5.5 1 1 0\n", "twice"},
      {HEADER "1\nWLD 1\nC - 2 0 38 5.5 1 1 0\nN - 2 0 38 5.5 1 1 0\n", "behind the last group"},
      {HEADER "1\nWLD 0\nEND\n", "no types"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    bt_error error;
    bt_bude_forcefield *f = NULL;
    support_failed(parse(bad[i].text, &f, &error), BT_ERR_INPUT, &error, bad[i].words);
  }
  static const char binary[] = HEADER "1\nWLD 1\nC \0 2 0 38 5.5 1 1 0\nEND\n";
  bt_error error;
  bt_bude_forcefield *f = NULL;
  bt_status status = bt_bude_forcefield_parse(binary, sizeof binary - 1, "some.bhff", &f, &error);
  support_failed(status, BT_ERR_INPUT, &error, "not a BUDE force field");
}

/* class, radius, hydrophobic, hardness, two reaches, charge */
static bt_bude_type type(int class, double h, double q) {
  return (bt_bude_type){.class = class, .radius = 1.75, .hydrophobic = h, .hardness = 30, .reach_nonpolar = 6.5,
                        .reach_polar = 1.3, .charge = q};
}

static void laws_follow_the_rules(void **state) {
  (void)state;
  bt_bude_type plain = type('-', -0.8, 0.1), dipole = type('D', 0.4, -0.4), either = type('E', 0.6, 0.5);
  bt_bude_type formal = type('F', 0, 1), anion = type('F', 0.5, -1), pi = type('P', -0.4, -0.055);
  bt_bude_law law = bt_bude_law_of(&dipole, &either, BT_BUDE_RULES_A);
  assert_near(law.radii, 3.5, 0);
  assert_near(law.charge, -4.5, 1e-12);
  assert_near(law.charge_reach, 2, 0);
  assert_near(law.desolvation, 0, 0); /* both polar */
  law = bt_bude_law_of(&either, &either, BT_BUDE_RULES_A);
  assert_near(law.charge, -22.5 * 0.25, 1e-12); /* never repulsive */
  law = bt_bude_law_of(&formal, &anion, BT_BUDE_RULES_A);
  assert_near(law.charge, -22.5, 1e-12);
  assert_near(law.charge_reach, 4, 0);
  law = bt_bude_law_of(&plain, &pi, BT_BUDE_RULES_A);
  assert_near(law.desolvation, -0.6, 1e-12);
  assert_near(law.desolvation_reach, 6.5, 0);
  assert_near(law.hardness, 30, 0);
  law = bt_bude_law_of(&plain, &pi, BT_BUDE_RULES_DECK);
  assert_near(law.desolvation_reach, 5.5, 0);
  assert_near(law.hardness, 38, 0);
  law = bt_bude_law_of(&plain, &dipole, BT_BUDE_RULES_A);
  assert_near(law.desolvation, 0.6, 1e-12);
  assert_near(law.desolvation_reach, 1.3, 1e-12);
  assert_near(law.charge, -0.9, 1e-12); /* the class does not matter */
  assert_near(bt_bude_law_of(&plain, &dipole, BT_BUDE_RULES_B).charge, 0, 0);
  assert_near(bt_bude_law_of(&pi, &dipole, BT_BUDE_RULES_B).charge, 0, 0);
  assert_near(bt_bude_law_of(&pi, &formal, BT_BUDE_RULES_B).charge, -22.5 * 0.055, 1e-12);
  assert_near(bt_bude_law_of(&plain, &formal, BT_BUDE_RULES_A).desolvation, 0, 0); /* neutral */
}

static void ramps_begin_at_the_surface(void **state) {
  (void)state;
  bt_bude_law law = {.radii = 3.5, .hardness = 38, .charge = -4, .charge_reach = 2, .desolvation = -0.6,
                     .desolvation_reach = 5.5};
  bt_bude_energy e = bt_bude_pair_energy(&law, 0);
  assert_near(e.steric, 38, 0);
  assert_near(e.total, 38 - 4.6, 1e-12);
  e = bt_bude_pair_energy(&law, 3.5);
  assert_near(e.steric, 0, 0);
  assert_near(e.charge, -4, 0);
  e = bt_bude_pair_energy(&law, 4.5);
  assert_near(e.charge, -2, 1e-12);
  assert_near(e.desolvation, -0.6 * (1 - 1 / 5.5), 1e-12);
  assert_near(bt_bude_pair_energy(&law, 9.0).total, 0, 0);
}

static void poses_turn_about_x_then_y_then_z(void **state) {
  (void)state;
  const double quarter = 1.57079632679489662, from[3] = {1, 2, 3};
  double to[3];
  bt_bude_transform((double[6]){quarter, 0, 0, 10, 20, 30}, from, to);
  assert_near(to[0], 11, 1e-12);
  assert_near(to[1], 17, 1e-12);
  assert_near(to[2], 32, 1e-12);
  bt_bude_transform((double[6]){quarter, quarter, quarter, 0, 0, 0}, from, to);
  /* x: (1, -3, 2), y: (2, -3, -1), z: (3, 2, -1) */
  assert_near(to[0], 3, 1e-12);
  assert_near(to[1], 2, 1e-12);
  assert_near(to[2], -1, 1e-12);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_and_groups_are_read),
      cmocka_unit_test(a_file_without_end_is_known_as_such),
      cmocka_unit_test(bad_files_are_refused_with_the_line),
      cmocka_unit_test(laws_follow_the_rules),
      cmocka_unit_test(ramps_begin_at_the_surface),
      cmocka_unit_test(poses_turn_about_x_then_y_then_z),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
