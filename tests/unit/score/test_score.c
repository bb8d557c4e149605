/* test_score.c - energies of poses: maps, box, pairs, terms, gradients. */
#include "unit/score/scene.h"

#include "unit/pose/molecule_fixture.h"

typedef struct subject {
  fixture f, g;
  bt_ligand *ligand;
  bt_maps *maps;
  bt_scorer *tabulated, *continuous;
} subject;

static double linear(double x, double y, double z) { return 2.0 + 0.5 * x - 0.25 * y + 0.125 * z; }
static double bilinear(double x, double y, double z) { return 0.5 * x * y + z; }
static double constant(double x, double y, double z) { return (void)x, (void)y, (void)z, 0.75; }
static double wavy(double x, double y, double z) { return 3 * sin(1.1 * x) * cos(0.7 * y) + sin(0.9 * z + x); }

static void open_scorers(subject *s) {
  bt_error error;
  support_ok(bt_scorer_create(s->ligand, s->maps, BT_FORM_TABULATED, BT_TORSIONAL_TORSDOF, &s->tabulated, &error),
             &error);
  support_ok(bt_scorer_create(s->ligand, s->maps, BT_FORM_CONTINUOUS, BT_TORSIONAL_BRANCHES, &s->continuous, &error),
             &error);
}

/* A chain of 9 carbons in a box of 30 A. */
static void subject_chain(subject *s) {
  bt_error error;
  support_ok(bt_ligand_create(fixture_chain(&s->f, 9), NULL, &s->ligand, &error), &error);
  s->maps = scene_maps(s->ligand, s->ligand->center, 80);
  open_scorers(s);
}

static void subject_destroy(subject *s) {
  bt_scorer_destroy(s->tabulated);
  bt_scorer_destroy(s->continuous);
  bt_maps_destroy(s->maps);
  bt_ligand_destroy(s->ligand);
}

/* M_type + q M_e + |q| M_d, trilinear: exact for functions that are linear along each axis. */
static void maps_are_interpolated_and_weighted(void **state) {
  (void)state;
  subject s;
  bt_energy energy;
  bt_atom_energy atoms[9];
  subject_chain(&s);
  scene_fill(s.maps, 0, linear);
  scene_fill(s.maps, 1, bilinear);
  scene_fill(s.maps, 2, constant);
  bt_score_coordinates(s.tabulated, s.ligand->xyz, &energy, atoms);
  double sum[3] = {0};
  for (int i = 0; i < 9; i++) {
    const double *x = s.ligand->xyz + 3 * i, q = s.ligand->charge[i];
    assert_near(atoms[i].vdw_hbond, linear(x[0], x[1], x[2]), 1e-6);
    assert_near(atoms[i].electrostatic, q * bilinear(x[0], x[1], x[2]), 1e-5);
    assert_near(atoms[i].desolvation, fabs(q) * 0.75, 1e-7);
    sum[0] += atoms[i].vdw_hbond;
    sum[1] += atoms[i].electrostatic;
    sum[2] += atoms[i].desolvation;
  }
  assert_near(energy.inter_vdw_hbond, sum[0], 1e-12);
  assert_near(energy.inter_electrostatic, sum[1], 1e-12);
  assert_near(energy.inter_desolvation, sum[2], 1e-12);
  assert_near(energy.inter, sum[0] + sum[1] + sum[2], 1e-12);
  assert_int_equal(energy.atoms_outside, 0);
  subject_destroy(&s);
}

static void sums_are_sums_of_terms(void **state) {
  (void)state;
  subject s;
  bt_energy e;
  subject_chain(&s);
  scene_fill(s.maps, 0, wavy);
  for (int form = 0; form < 2; form++) {
    bt_scorer *scorer = form == 0 ? s.tabulated : s.continuous;
    bt_score_coordinates(scorer, s.ligand->xyz, &e, NULL);
    double pairs = 0;
    for (int p = 0; p < s.ligand->n_pairs; p++) {
      bt_pair_energy pair = bt_score_pair(scorer, s.ligand->xyz, p);
      pairs += pair.vdw + pair.hbond + pair.electrostatic + pair.desolvation;
    }
    assert_near(e.intra, pairs, 1e-12);
    assert_near(e.intra, e.intra_vdw + e.intra_hbond + e.intra_electrostatic + e.intra_desolvation, 1e-12);
    assert_near(e.torsional, 0.2983 * 6, 1e-12);
    assert_near(e.total, e.inter + e.intra + e.torsional, 1e-12);
    assert_near(e.free_energy, e.inter + e.torsional, 1e-12);
  }
  subject_destroy(&s);
}

static void the_objective_is_the_continuous_energy(void **state) {
  (void)state;
  subject s;
  bt_energy e;
  double xyz[27];
  uint64_t seed = 7;
  subject_chain(&s);
  scene_fill(s.maps, 0, wavy);
  scene_fill(s.maps, 1, linear);
  for (int pose = 0; pose < 20; pose++) { /* with some atoms outside */
    for (int k = 0; k < 27; k++) xyz[k] = s.ligand->center[k % 3] + 34 * (scene_random(&seed) - 0.5);
    bt_score_coordinates(s.continuous, xyz, &e, NULL);
    double objective = bt_score_objective(s.tabulated, xyz, NULL); /* whatever the form */
    assert_near(objective, e.inter + e.intra, 1e-9 * fabs(objective));
  }
  subject_destroy(&s);
}

/* AutoDock 4: 2 * 500 d^2 from the middle of the box; the faces count as outside. */
static void atoms_outside_pay_as_in_autodock(void **state) {
  (void)state;
  subject s;
  bt_energy e, inside;
  bt_atom_energy atoms[9];
  subject_chain(&s);
  double *x = s.ligand->xyz;
  bt_score_coordinates(s.tabulated, x, &inside, NULL);
  x[0] = s.maps->high[0];
  bt_score_coordinates(s.tabulated, x, &e, atoms);
  double d2 = 0;
  for (int k = 0; k < 3; k++) d2 += (x[k] - s.maps->box.center[k]) * (x[k] - s.maps->box.center[k]);
  assert_int_equal(e.atoms_outside, 1);
  assert_near(e.inter, 1000 * d2, 1e-9 * e.inter);
  assert_near(atoms[0].vdw_hbond, 500 * d2, 1e-9 * e.inter);
  assert_near(atoms[0].electrostatic, 500 * d2, 1e-9 * e.inter);
  bt_score_coordinates(s.continuous, x, &e, NULL);
  assert_int_equal(e.atoms_outside, 0); /* the closed form's box is closed */
  subject_destroy(&s);
}

static void atoms_outside_are_pulled_back(void **state) {
  (void)state;
  subject s;
  double gradient[27];
  subject_chain(&s);
  scene_fill(s.maps, 0, linear);
  double *x = s.ligand->xyz;
  x[0] = s.maps->high[0] + 2.0;
  x[2] = s.maps->low[2] - 0.5;
  bt_energy e;
  bt_atom_energy atoms[9];
  bt_score_coordinates(s.continuous, x, &e, atoms);
  assert_int_equal(e.atoms_outside, 1);
  assert_near(atoms[0].vdw_hbond, linear(s.maps->high[0], x[1], s.maps->low[2]) + 100 * (4.0 + 0.25), 1e-4);
  bt_score_objective(s.continuous, x, gradient);
  assert_near(gradient[0], 2 * 100 * 2.0, 1.0); /* outward, so that a descent moves inward; the pairs add little */
  assert_near(gradient[2], -2 * 100 * 0.5, 1.0);
  subject_destroy(&s);
}

static double nothing(double x, double y, double z) {
  (void)x, (void)y, (void)z;
  return 0;
}

/* The objective of a search: a wall around the box, and no force above the limit; without both, the plain objective. */
static void a_search_sees_a_wall_and_limited_forces(void **state) {
  (void)state;
  subject s;
  double plain[27], limited[27];
  const bt_search_law law = {.wall = 16777216, .force_limit = 2}, none = {.wall = 0, .force_limit = INFINITY};
  uint64_t seed = 7;
  subject_chain(&s);
  scene_fill(s.maps, 0, wavy);
  for (int pose = 0; pose < 20; pose++) {
    double xyz[27];
    bt_energy e;
    for (int k = 0; k < 27; k++) /* in rows 4 A apart: pairs hardly push */
      xyz[k] = s.ligand->center[k % 3] + (k % 3 == 1 ? 4.0 * (k / 3 - 4) : 34 * (scene_random(&seed) - 0.5));
    bt_score_coordinates(s.continuous, xyz, &e, NULL);
    double energy = bt_score_search(s.continuous, xyz, &none, plain);
    assert_near(energy, bt_score_objective(s.continuous, xyz, NULL), 1e-9 * fabs(energy));
    assert_near(bt_score_search(s.continuous, xyz, &law, limited), energy + law.wall * e.atoms_outside, 1e-6);
    for (int k = 0; k < 27; k++) assert_near(limited[k], fmax(fmin(plain[k], 2), -2), 0.5);
  }
  for (int k = 0; k < 3; k++) s.ligand->xyz[3 * s.ligand->pairs[0].i + k] = s.ligand->xyz[3 * s.ligand->pairs[0].j + k];
  for (int k = 0; k < 27; k++)
    if (k / 3 != s.ligand->pairs[0].i && k / 3 != s.ligand->pairs[0].j)
      s.ligand->xyz[k] = s.ligand->center[k % 3] + (k % 3 == 1 ? 4.0 * (k / 3 - 4) : 0.0);
  s.ligand->xyz[3 * s.ligand->pairs[0].i] += 1.0; /* two that clash push with 2 kcal/mol/A and not with thousands */
  scene_fill(s.maps, 0, nothing);
  bt_score_search(s.continuous, s.ligand->xyz, &none, plain);
  bt_score_search(s.continuous, s.ligand->xyz, &law, limited);
  assert_true(plain[3 * s.ligand->pairs[0].i] < -100);
  assert_near(limited[3 * s.ligand->pairs[0].i], -2, 1.0);
  subject_destroy(&s);
}

/* Two carbons closer than half an Angstrom: the energy is finite and constant, and the gradient still parts them. */
static void nothing_comes_closer_than_the_floor(void **state) {
  (void)state;
  subject s;
  double gradient[27];
  subject_chain(&s);
  double *x = s.ligand->xyz;
  int i = s.ligand->pairs[0].i, j = s.ligand->pairs[0].j;
  for (int k = 0; k < 9; k++) x[3 * k + 1] = s.ligand->center[1] + 3.2 * (k - 4); /* everything else far away */
  for (int form = 0; form < 2; form++) {
    bt_scorer *scorer = form == 0 ? s.tabulated : s.continuous;
    for (int k = 0; k < 3; k++) x[3 * i + k] = x[3 * j + k];
    bt_pair_energy same = bt_score_pair(scorer, x, 0);
    assert_true(isfinite(same.vdw) && same.vdw > 1000);
    for (double r = 0.1; r <= 0.5; r += 0.1) {
      x[3 * i] = x[3 * j] + r;
      bt_pair_energy near = bt_score_pair(scorer, x, 0);
      assert_near(near.vdw, same.vdw, 1e-9 * same.vdw);
      assert_near(near.electrostatic, same.electrostatic, 1e-9 * fabs(same.electrostatic));
      assert_near(near.desolvation, same.desolvation, 1e-9 * fabs(same.desolvation));
    }
  }
  for (double r = 0.1; r <= 0.6; r += 0.1) {
    x[3 * i] = x[3 * j] + r;
    bt_score_objective(s.continuous, x, gradient);
    assert_true(gradient[3 * i] < -1000 && isfinite(gradient[3 * i]));
  }
  subject_destroy(&s);
}

static void not_a_number_gives_no_crash(void **state) {
  (void)state;
  subject s;
  bt_energy e;
  subject_chain(&s);
  s.ligand->xyz[4] = NAN;
  bt_score_coordinates(s.tabulated, s.ligand->xyz, &e, NULL);
  assert_true(isnan(e.inter) && e.atoms_outside == 1);
  bt_score_coordinates(s.continuous, s.ligand->xyz, &e, NULL);
  assert_true(isnan(e.inter) && e.atoms_outside == 1);
  s.ligand->xyz[4] = INFINITY;
  bt_score_coordinates(s.continuous, s.ligand->xyz, &e, NULL);
  assert_false(isfinite(e.inter));
  subject_destroy(&s);
}

static void a_missing_map_is_named(void **state) {
  (void)state;
  subject s;
  bt_error error;
  bt_scorer *scorer;
  subject_chain(&s);
  fixture other;
  fixture_atom atoms[] = {{"C", 0, 0, 0, 0}, {"Br", 1.9, 0, 0, 0}};
  bt_ligand *ligand;
  const bt_molecule *molecule = fixture_molecule(&other, BT_MOLECULE_LIGAND, atoms, 2, (int[][3]){{-1, -1, -1}}, 1);
  support_ok(bt_ligand_create(molecule, NULL, &ligand, &error), &error);
  bt_status status = bt_scorer_create(ligand, s.maps, BT_FORM_TABULATED, BT_TORSIONAL_TORSDOF, &scorer, &error);
  support_failed(status, BT_ERR_PARAMETER, &error, "'Br'");
  assert_string_equal(error.file, "fixture.pdbqt");
  assert_int_equal(error.line, 3);
  assert_int_equal(error.atom, 2);
  assert_null(scorer);
  bt_ligand_destroy(ligand);
  subject_destroy(&s);
}

/* The glue of a broken ring: 50 kcal/mol/A, and a force along the line. */
static void glue_pulls_with_constant_force(void **state) {
  (void)state;
  subject s = {0};
  bt_error error;
  fixture_atom atoms[] = {{"C", 0, 0, 0, 0},        {"C", 1.5, 0, 0, 0},     {"CG0", 2.2, 1.3, 0, 1},
                          {"G0", 3.6, 1.3, 0.5, 1}, {"C", -0.7, -1.3, 0, 2}, {"CG0", -2.2, -1.3, 0, 3},
                          {"G0", -2.9, -2.5, 0, 3}};
  int axes[][3] = {{-1, -1, -1}, {0, 1, 2}, {0, 0, 4}, {2, 4, 5}};
  const bt_molecule *molecule = fixture_molecule(&s.f, BT_MOLECULE_LIGAND, atoms, 7, axes, 4);
  for (int k = 0; k < 7; k++) s.f.atoms[k].charge = 0;
  support_ok(bt_ligand_create(molecule, NULL, &s.ligand, &error), &error);
  s.maps = scene_maps(s.ligand, s.ligand->center, 80);
  open_scorers(&s);
  double expected = 0;
  for (int p = 0; p < s.ligand->n_pairs; p++) {
    const bt_pair *pair = &s.ligand->pairs[p];
    if (!pair->glue) continue;
    double r2 = 0;
    for (int k = 0; k < 3; k++) {
      double d = s.ligand->xyz[3 * pair->i + k] - s.ligand->xyz[3 * pair->j + k];
      r2 += d * d;
    }
    bt_pair_energy energy = bt_score_pair(s.tabulated, s.ligand->xyz, p);
    assert_near(energy.vdw, 50 * sqrt(r2), 1e-9);
    assert_near(energy.hbond + energy.electrostatic + energy.desolvation, 0, 0);
    expected += 50 * sqrt(r2);
  }
  assert_true(expected > 100);
  bt_energy e;
  bt_score_coordinates(s.continuous, s.ligand->xyz, &e, NULL);
  assert_true(e.intra_vdw > expected - 1 && e.intra_vdw < expected + 1);
  subject_destroy(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(maps_are_interpolated_and_weighted),
      cmocka_unit_test(sums_are_sums_of_terms),
      cmocka_unit_test(the_objective_is_the_continuous_energy),
      cmocka_unit_test(atoms_outside_pay_as_in_autodock),
      cmocka_unit_test(atoms_outside_are_pulled_back),
      cmocka_unit_test(a_search_sees_a_wall_and_limited_forces),
      cmocka_unit_test(nothing_comes_closer_than_the_floor),
      cmocka_unit_test(not_a_number_gives_no_crash),
      cmocka_unit_test(a_missing_map_is_named),
      cmocka_unit_test(glue_pulls_with_constant_force),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
