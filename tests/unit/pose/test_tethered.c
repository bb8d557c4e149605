/* test_tethered.c - the root of a covalent ligand stays where it is, whatever its genes of position and orientation. */
#include <berth/berth.h>
#include <berth/grid.h>
#include <berth/score.h>
#include <math.h>

#include "engine/lga/device/kernel_data.h"
#include "molecule_fixture.h"
#include "pose/genotype.h"
#include "unit/assert_near.h"
#include "unit/support.h"

enum { ATOMS = 6, TORSIONS = 4 };

/* CA, CB, SG and a chain: every bond turns, the alpha carbon is the root. */
static const fixture_atom chain[ATOMS] = {{"C", 0.00, 0.0, 0.0, 0},  {"C", 1.26, 0.85, 0.0, 1},
                                          {"SA", 2.90, 0.2, 0.3, 2}, {"C", 4.10, 1.3, 0.9, 3},
                                          {"C", 5.40, 0.6, 1.3, 4},  {"OA", 6.40, 1.5, 1.8, 4}};
static int axes[][3] = {{-1, -1, -1}, {0, 0, 1}, {1, 1, 2}, {2, 2, 3}, {3, 3, 4}};

typedef struct subject {
  fixture f;
  bt_ligand *ligand;
  bt_genotype genotype;
} subject;

static void open(subject *s, bt_scoring scoring) {
  bt_error error;
  fixture_molecule(&s->f, BT_MOLECULE_LIGAND, chain, ATOMS, axes, 5);
  snprintf(s->f.molecule.tether, sizeof s->f.molecule.tether, "A:CYS145");
  support_ok(bt_ligand_create_as(&s->f.molecule, NULL, scoring, &s->ligand, &error), &error);
  support_ok(bt_genotype_create(s->ligand->n_torsions, &s->genotype, &error), &error);
  bt_genotype_identity(s->ligand, &s->genotype);
}

static void end(subject *s) {
  bt_genotype_destroy(&s->genotype);
  bt_ligand_destroy(s->ligand);
}

static void place_anywhere(bt_genotype *g) {
  for (int k = 0; k < 3; k++) g->position[k] = 20.0 * (k + 1);
  for (int k = 0; k < 4; k++) g->quaternion[k] = 0.5;
}

static void only_torsions_move_it(void **state) {
  (void)state;
  subject s;
  double xyz[3 * ATOMS];
  open(&s, BT_SCORING_AD4);
  assert_true(s.ligand->tethered);
  assert_true(s.ligand->bodies[0].immobile);
  assert_int_equal(bt_ligand_torsion_count(s.ligand), TORSIONS);
  place_anywhere(&s.genotype);
  bt_genotype_coordinates(s.ligand, &s.genotype, xyz);
  for (int k = 0; k < 3 * ATOMS; k++) assert_near(xyz[k], s.ligand->xyz[k], 1e-12);
  s.genotype.torsions[0] = 1.0;
  bt_genotype_coordinates(s.ligand, &s.genotype, xyz);
  for (int k = 0; k < 6; k++) assert_near(xyz[k], s.ligand->xyz[k], 1e-9);
  assert_true(fabs(xyz[6] - s.ligand->xyz[6]) + fabs(xyz[7] - s.ligand->xyz[7]) + fabs(xyz[8] - s.ligand->xyz[8]) >
              0.1);
  end(&s);
}

/* Forces on the atoms do not affect position and orientation; on torsions they act as usual. */
static void gradients_are_of_torsions(void **state) {
  (void)state;
  subject s;
  double xyz[3 * ATOMS], forces[3 * ATOMS], gradient[6 + TORSIONS];
  open(&s, BT_SCORING_AD4);
  for (int k = 0; k < 3 * ATOMS; k++) forces[k] = sin(1.7 * k + 0.3);
  place_anywhere(&s.genotype);
  for (int t = 0; t < TORSIONS; t++) s.genotype.torsions[t] = 0.4 * t - 0.7;
  bt_genotype_coordinates(s.ligand, &s.genotype, xyz);
  bt_genotype_gradient(s.ligand, &s.genotype, xyz, forces, gradient);
  for (int k = 0; k < 6; k++) assert_near(gradient[k], 0.0, 0.0);
  for (int t = 0; t < TORSIONS; t++) {
    double sums[2] = {0, 0}, h = 1e-5, moved[3 * ATOMS], was = s.genotype.torsions[t];
    for (int side = 0; side < 2; side++) {
      s.genotype.torsions[t] = was + (side ? h : -h);
      bt_genotype_coordinates(s.ligand, &s.genotype, moved);
      for (int k = 0; k < 3 * ATOMS; k++) sums[side] += forces[k] * moved[k];
    }
    s.genotype.torsions[t] = was;
    assert_near(gradient[6 + t], (sums[1] - sums[0]) / (2 * h), 1e-6);
  }
  end(&s);
}

/* The alpha and beta carbon are too close to the backbone and ignore its maps; Vina ignores atoms that never move. */
static void anchors_feel_no_maps(void **state) {
  (void)state;
  for (int scoring = BT_SCORING_AD4; scoring < BT_SCORING_COUNT; scoring++) {
    subject s;
    open(&s, (bt_scoring)scoring);
    for (int i = 0; i < ATOMS; i++) assert_int_equal(s.ligand->feels_maps[i], i >= 2);
    end(&s);
  }
}

/* The kernels' body for position and orientation has only a marker. */
static void kernels_have_a_marker(void **state) {
  (void)state;
  subject s;
  bt_error error;
  bt_maps *maps = NULL;
  bt_dock_data *data = NULL;
  open(&s, BT_SCORING_AD4);
  bt_box box = {.npts = {40, 40, 40}, .spacing = 0.375, .center = {3, 1, 0}};
  const char *types[] = {"C", "SA", "OA"};
  support_ok(bt_maps_create(&box, types, 3, &maps, &error), &error);
  support_ok(bt_dock_data_create(s.ligand, maps, &data, &error), &error);
  assert_int_equal(data->kernel.sizes.n_atoms, ATOMS + 1);
  assert_int_equal(data->kernel.sizes.n_bodies, s.ligand->n_bodies + 1);
  assert_int_equal(data->bodies[0].end_atom, 1);
  assert_int_equal(data->bodies[0].end_body, 1);
  assert_int_equal(data->atoms[0].map, -1);
  assert_int_equal(data->order[0], -1);
  assert_true(data->bodies[1].immobile);
  assert_int_equal(data->bodies[1].parent, -1);
  bt_dock_data_destroy(data);
  bt_maps_destroy(maps);
  end(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(only_torsions_move_it),
      cmocka_unit_test(gradients_are_of_torsions),
      cmocka_unit_test(anchors_feel_no_maps),
      cmocka_unit_test(kernels_have_a_marker),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
