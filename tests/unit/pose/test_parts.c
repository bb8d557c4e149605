/* test_parts.c - several ligands in one molecule: each is moved by its own genes, and all pairs between them count. */
#include <berth/berth.h>
#include <berth/score.h>
#include <berth/vina.h>
#include <math.h>

#include "molecule_fixture.h"
#include "pose/genotype.h"
#include "pose/vina.h"
#include "unit/assert_near.h"
#include "unit/support.h"

enum { FIRST = 6, SECOND = 5, ATOMS = FIRST + SECOND, TORSIONS = 3 + 2, GENES = TORSIONS + BT_PART_GENES };

/* A chain, and propanol, with two bonds that turn. */
static const fixture_atom propanol[SECOND] = {{"C", 0.00, 4.00, 0, 0},
                                              {"C", 1.26, 4.85, 0, 0},
                                              {"C", 2.52, 4.00, 0, 1},
                                              {"OA", 3.70, 4.80, 0, 2},
                                              {"HD", 4.50, 4.30, 0, 2}};
static int propanol_axes[][3] = {{-1, -1, -1}, {0, 1, 2}, {1, 2, 3}};

typedef struct subject {
  fixture chain, propanol;
  bt_molecule *joined;
  bt_ligand *ligand;
  bt_genotype genotype;
} subject;

static void open(subject *s, bt_scoring scoring) {
  bt_error error;
  const bt_molecule *both[] = {fixture_chain(&s->chain, FIRST),
                               fixture_molecule(&s->propanol, BT_MOLECULE_LIGAND, propanol, SECOND, propanol_axes, 3)};
  support_ok(bt_molecules_join(both, 2, &s->joined, &error), &error);
  support_ok(bt_ligand_create_as(s->joined, NULL, scoring, &s->ligand, &error), &error);
  support_ok(bt_genotype_create(s->ligand->n_torsions, &s->genotype, &error), &error);
  bt_genotype_identity(s->ligand, &s->genotype);
}

static void end(subject *s) {
  bt_genotype_destroy(&s->genotype);
  bt_ligand_destroy(s->ligand);
  bt_molecule_destroy(s->joined);
}

static double random_unit(uint64_t *state) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(*state >> 11) / 9007199254740992.0;
}

static double distance(const double *xyz, int i, int j) {
  double x = xyz[3 * i] - xyz[3 * j], y = xyz[3 * i + 1] - xyz[3 * j + 1], z = xyz[3 * i + 2] - xyz[3 * j + 2];
  return sqrt(x * x + y * y + z * z);
}

static void the_identity_is_the_input(void **state) {
  (void)state;
  subject s;
  double xyz[3 * ATOMS];
  open(&s, BT_SCORING_AD4);
  assert_int_equal(s.ligand->n_parts, 2);
  assert_int_equal(s.ligand->n_torsions, GENES);
  assert_int_equal(bt_ligand_torsion_count(s.ligand), TORSIONS);
  assert_int_equal(s.ligand->torsdof, TORSIONS); /* that of a file without the record: its branches */
  bt_genotype_coordinates(s.ligand, &s.genotype, xyz);
  for (int k = 0; k < 3 * ATOMS; k++) assert_near(xyz[k], s.ligand->xyz[k], 1e-12);
  end(&s);
}

static void each_moves_alone(void **state) {
  (void)state;
  subject s;
  double xyz[3 * ATOMS];
  open(&s, BT_SCORING_AD4);
  const bt_part *part = &s.ligand->parts[1];
  s.genotype.torsions[part->position + 1] += 2.5;
  s.genotype.torsions[part->turn + 2] = 1.57079632679489662; /* about z: x becomes y */
  bt_genotype_coordinates(s.ligand, &s.genotype, xyz);
  for (int k = 0; k < 3 * FIRST; k++) assert_near(xyz[k], s.ligand->xyz[k], 1e-12);
  for (int i = FIRST; i < ATOMS; i++) {
    const double *x = s.ligand->xyz + 3 * i, *c = part->center;
    assert_near(xyz[3 * i], c[0] - (x[1] - c[1]), 1e-9);
    assert_near(xyz[3 * i + 1], c[1] + 2.5 + (x[0] - c[0]), 1e-9);
    assert_near(xyz[3 * i + 2], x[2], 1e-9);
  }
  bt_genotype_identity(s.ligand, &s.genotype);
  s.genotype.position[0] += 3;
  bt_genotype_coordinates(s.ligand, &s.genotype, xyz);
  assert_near(xyz[0], s.ligand->xyz[0] + 3, 1e-9);
  for (int k = 3 * FIRST; k < 3 * ATOMS; k++) assert_near(xyz[k], s.ligand->xyz[k], 1e-12);
  end(&s);
}

/* Depends on every coordinate in a different way. */
static double toy_energy(const double *xyz, double *opt_gradient) {
  double sum = 0;
  for (int k = 0; k < 3 * ATOMS; k++) {
    double w = 0.3 + 0.1 * (k % 7);
    sum += sin(w * xyz[k]) + 0.01 * w * xyz[k] * xyz[k];
    if (opt_gradient != NULL) opt_gradient[k] = w * cos(w * xyz[k]) + 0.02 * w * xyz[k];
  }
  return sum;
}

static double energy_at(const subject *s, double *gene, double step) {
  double xyz[3 * ATOMS], saved = *gene;
  *gene += step;
  bt_genotype_coordinates(s->ligand, &s->genotype, xyz);
  *gene = saved;
  return toy_energy(xyz, NULL);
}

static void gene_gradients_are_derivatives(void **state) {
  (void)state;
  subject s;
  double xyz[3 * ATOMS], atoms[3 * ATOMS], gradient[6 + GENES];
  const double h = 1e-5;
  open(&s, BT_SCORING_AD4);
  for (uint64_t seed = 5; seed < 15; seed++) {
    uint64_t random = seed;
    for (int k = 0; k < 3; k++) s.genotype.position[k] = 9 * random_unit(&random);
    for (int k = 0; k < GENES; k++) s.genotype.torsions[k] = 6.28 * random_unit(&random);
    bt_genotype_coordinates(s.ligand, &s.genotype, xyz);
    assert_near(distance(xyz, FIRST, FIRST + 1), distance(s.ligand->xyz, FIRST, FIRST + 1), 1e-9);
    assert_near(distance(xyz, 0, 1), distance(s.ligand->xyz, 0, 1), 1e-9);
    toy_energy(xyz, atoms);
    bt_genotype_gradient(s.ligand, &s.genotype, xyz, atoms, gradient);
    for (int k = 0; k < 3 + GENES; k++) {
      double *gene = k < 3 ? &s.genotype.position[k] : &s.genotype.torsions[k - 3];
      double numerical = (energy_at(&s, gene, h) - energy_at(&s, gene, -h)) / (2 * h);
      assert_near(gradient[k < 3 ? k : k + 3], numerical, 1e-7 * (1 + fabs(numerical)));
    }
  }
  end(&s);
}

static void all_pairs_between_them_count(void **state) {
  (void)state;
  for (int scoring = BT_SCORING_AD4; scoring < BT_SCORING_COUNT; scoring++) {
    subject s;
    int between = 0;
    open(&s, (bt_scoring)scoring);
    for (int k = 0; k < s.ligand->n_pairs; k++) {
      const bt_pair *pair = &s.ligand->pairs[k];
      bool other = pair->i < FIRST && pair->j >= FIRST;
      assert_int_equal(pair->group, other ? BT_PAIR_LIGAND_FLEX : BT_PAIR_LIGAND);
      between += other;
    }
    assert_int_equal(between, FIRST * (scoring == BT_SCORING_AD4 ? SECOND : SECOND - 1)); /* Vina: no hydrogen */
    end(&s);
  }
}

/* Within a bond's length of each other they are still two molecules. */
static void neighbors_are_not_bonded(void **state) {
  (void)state;
  fixture chain;
  bt_molecule *joined;
  bt_ligand *ligand, *alone;
  bt_error error;
  const bt_molecule *one = fixture_chain(&chain, FIRST), *both[] = {one, one};
  support_ok(bt_molecules_join(both, 2, &joined, &error), &error);
  for (int i = FIRST; i < 2 * FIRST; i++) joined->atoms[i].x[2] += 1.5;
  for (int scoring = BT_SCORING_AD4; scoring < BT_SCORING_COUNT; scoring++) {
    support_ok(bt_ligand_create_as(joined, NULL, (bt_scoring)scoring, &ligand, &error), &error);
    support_ok(bt_ligand_create_as(one, NULL, (bt_scoring)scoring, &alone, &error), &error);
    assert_int_equal(ligand->n_pairs, 2 * alone->n_pairs + FIRST * FIRST);
    assert_near(ligand->n_rot, 2 * alone->n_rot, 0);
    bt_ligand_destroy(ligand);
    bt_ligand_destroy(alone);
  }
  bt_molecule_destroy(joined);
}

static void only_joined_molecules_have_two_roots(void **state) {
  (void)state;
  subject s;
  bt_ligand *ligand;
  bt_molecule *again;
  bt_error error;
  open(&s, BT_SCORING_VINA);
  const bt_molecule *twice[] = {s.joined, s.joined};
  support_failed(bt_molecules_join(twice, 2, &again, &error), BT_ERR_USAGE, &error, "not a single ligand");
  support_failed(bt_molecules_join(NULL, 0, &again, &error), BT_ERR_USAGE, &error, "no ligands");
  s.joined->n_joined = 0;
  support_failed(bt_ligand_create_as(s.joined, NULL, BT_SCORING_VINA, &ligand, &error), BT_ERR_INPUT, &error,
                 "second ROOT");
  end(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_identity_is_the_input),      cmocka_unit_test(each_moves_alone),
      cmocka_unit_test(gene_gradients_are_derivatives), cmocka_unit_test(all_pairs_between_them_count),
      cmocka_unit_test(neighbors_are_not_bonded),      cmocka_unit_test(only_joined_molecules_have_two_roots),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
