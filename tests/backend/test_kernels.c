/* test_kernels.c - every back end against the double-precision reference: energies and gradients of random poses.
 *
 * Tolerances, kcal/mol: an energy agrees within 0.005 + 0.00025 |E| (single precision, a polynomial for electrostatics
 * and desolvation, reciprocals good to 2^-14 in their argument); a gradient within 0.025 + 0.0006 of the largest
 * component. Poses come from the reference's own initial populations, so most of them clash and many leave the box.
 * Tested as plain energies and as in a search, with the wall and limited forces; with folded and shared maps.
 */
#include <berth/score.h>

#include "fixture.h"
#include "pose/restraints.h"

enum { POSES = 320 };

static const char *const ligands[] = {"1ac8", "1gkc", "1ig3", "1jyq", "1kzk", "1t46", "2bsm", "2vaa", "3er5", "7cpa"};

/* Random genotypes from the first population of the scalar back end. */
static float *random_genes(const fixture *f, bt_error *error) {
  const bt_backend *backend;
  bt_job *job;
  bt_dock_options options = bt_dock_options_default();
  options.runs = 1;
  options.population = POSES;
  options.seed = 20;
  bt_search_parameters parameters = bt_search_parameters_make(&options, f->ligand);
  parameters.redraws = 0;
  support_ok(bt_backend_find("cpu/scalar", &backend, error), error);
  bt_job_ligand one = {&f->data->kernel, &parameters};
  bt_job_options how = {.threads = 1};
  support_ok(bt_job_create(backend, &one, 1, &how, &job, error), error);
  support_ok(bt_job_initialize(job, error), error);
  int n_genes = BT_GENES(f->ligand->n_torsions);
  float *genes = calloc((size_t)POSES * (size_t)n_genes, sizeof *genes);
  support_ok(bt_job_read_genes(job, 0, genes, error), error);
  for (int i = 1; i < POSES; i += 2) fixture_near(f, genes + (size_t)i * (size_t)n_genes);
  bt_job_destroy(job);
  return genes;
}

/* The gradient of a trilinear map is discontinuous at cell faces, where rounding may pick the other cell. */
static bool on_cell_face(const fixture *f, const double *xyz) {
  for (int i = 0; i < 3 * f->ligand->n_atoms; i++) {
    double cell = (xyz[i] - f->maps->low[i % 3]) / f->maps->box.spacing;
    if (fabs(cell - rint(cell)) < 1e-4) return true;
  }
  return false;
}

static void compare(const fixture *f, const char *name, const bt_backend *backend, const float *genes, bool plainly,
                    bt_job_maps maps) {
  bt_error error;
  bt_job *job;
  bt_dock_options options = bt_dock_options_default();
  bt_search_parameters parameters = bt_search_parameters_make(&options, f->ligand);
  if (plainly) parameters = bt_search_parameters_bare(parameters);
  bt_search_law law = bt_search_law_of(&parameters);
  int n = f->ligand->n_atoms, n_genes = BT_GENES(f->ligand->n_torsions), n_dofs = BT_DOFS(f->ligand->n_torsions);
  float *energies = calloc(POSES, sizeof *energies), *plain = calloc(POSES, sizeof *plain);
  float *gradients = calloc((size_t)POSES * (size_t)n_dofs, sizeof *gradients);
  double *xyz = calloc(3 * (size_t)n, sizeof *xyz), *atom_gradient = calloc(3 * (size_t)n, sizeof *atom_gradient);
  double *expected = calloc((size_t)n_dofs, sizeof *expected), worst = 0, worst_gradient = 0;
  int gradients_compared = 0;
  bt_genotype genotype;
  support_ok(bt_genotype_create(f->ligand->n_torsions, &genotype, &error), &error);
  bt_job_ligand one = {&f->data->kernel, &parameters};
  bt_job_options how = {.threads = 2, .maps = maps};
  support_ok(bt_job_create(backend, &one, 1, &how, &job, &error), &error);
  support_ok(bt_job_evaluate(job, 0, POSES, genes, energies, gradients, &error), &error);
  support_ok(bt_job_evaluate(job, 0, POSES, genes, plain, NULL, &error), &error);
  for (int i = 0; i < POSES; i++) {
    bt_genes_to_genotype(f->data, genes + (size_t)i * (size_t)n_genes, &genotype);
    bt_genotype_coordinates(f->ligand, &genotype, xyz);
    double reference = bt_score_search(f->scorer, xyz, &law, atom_gradient);
    double off = fabs((double)energies[i] - reference) / (0.005 + 0.00025 * fabs(reference));
    double mode = fabs((double)plain[i] - reference) / (0.005 + 0.00025 * fabs(reference));
    worst = fmax(worst, fmax(off, mode));
    if (on_cell_face(f, xyz)) continue;
    gradients_compared++;
    bt_genotype_gradient(f->ligand, &genotype, xyz, atom_gradient, expected);
    double largest = 0, distance = 0;
    for (int k = 0; k < n_dofs; k++) {
      largest = fmax(largest, fabs(expected[k]));
      distance = fmax(distance, fabs((double)gradients[(size_t)i * (size_t)n_dofs + (size_t)k] - expected[k]));
    }
    worst_gradient = fmax(worst_gradient, distance / (0.025 + 0.0006 * largest));
  }
  print_message("%-10s %-12s %s, %s: energy %.3f, gradient %.3f of the tolerance\n", name, backend->name,
                plainly ? "plain" : "search", maps == BT_JOB_MAPS_SHARED ? "shared" : "folded", worst, worst_gradient);
  assert_true(worst <= 1.0);
  assert_true(gradients_compared > POSES / 2);
  assert_true(worst_gradient <= 1.0);
  bt_job_destroy(job);
  bt_genotype_destroy(&genotype);
  free(energies);
  free(plain);
  free(gradients);
  free(xyz);
  free(atom_gradient);
  free(expected);
}

static void compare_on(fixture *f, const char *name) {
  bt_error error;
  float *genes = random_genes(f, &error);
  for (int b = 0; b < bt_backend_count(); b++) {
    const bt_backend *backend = bt_backend_get(b);
    if (!bt_device_describe(backend).usable) continue;
    compare(f, name, backend, genes, true, BT_JOB_MAPS_SHARED);
    compare(f, name, backend, genes, false, BT_JOB_MAPS_FOLDED);
    compare(f, name, backend, genes, false, BT_JOB_MAPS_SHARED);
  }
  free(genes);
}

static void compare_all(const char *path, const char *name, bt_scoring scoring, bool pair) {
  fixture f = fixture_open_number(path, NULL, (const int[]){60, 56, 50}, scoring, pair);
  compare_on(&f, name);
  fixture_close(&f);
}

static void every_backend_agrees_on_the_example(void **state) {
  (void)state;
  for (int scoring = BT_SCORING_AD4; scoring < BT_SCORING_COUNT; scoring++)
    compare_all(BERTH_SOURCE_DIR "/examples/1hpv/ligand.pdbqt", "1hpv", (bt_scoring)scoring, false);
}

static void every_backend_agrees_on_two_ligands_at_once(void **state) {
  (void)state;
  for (int scoring = BT_SCORING_AD4; scoring < BT_SCORING_VINARDO; scoring++)
    compare_all(BERTH_SOURCE_DIR "/examples/1hpv/ligand.pdbqt", "two", (bt_scoring)scoring, true);
}

static void every_backend_agrees_on_a_covalent_ligand(void **state) {
  (void)state;
  for (int scoring = BT_SCORING_AD4; scoring < BT_SCORING_COUNT; scoring++)
    compare_all(BERTH_SOURCE_DIR "/examples/covalent/ligand.pdbqt", "covalent", (bt_scoring)scoring, false);
}

/* Whose closures (CG0, G0) have the width of the search. */
static void every_backend_agrees_on_an_opened_ring(void **state) {
  (void)state;
  for (int scoring = BT_SCORING_AD4; scoring < BT_SCORING_COUNT; scoring++)
    compare_all(BERTH_SOURCE_DIR "/tests/data/lactone.pdbqt", "lactone", (bt_scoring)scoring, false);
}

/* Restraints of one contact each, of contacts of several atoms and points, and of an atom that should stay away. */
static bt_restraints *some_restraints(const bt_ligand *ligand) {
  bt_restraints *list;
  bt_error error;
  support_ok(bt_restraints_create(&list, &error), &error);
  support_ok(bt_restraints_add_constraint(list, "core", true, &error), &error);
  for (int i = 0; i < ligand->n_atoms; i += 3) {
    bt_restraint_contact contact = {.atom = i};
    for (int c = 0; c < 3; c++) contact.point[c] = ligand->xyz[3 * i + c] + 0.7 * c - 1.0;
    support_ok(bt_restraints_add(list, 10.0, 0.0, 1.0, &error), &error);
    support_ok(bt_restraints_add_contact(list, &contact, &error), &error);
  }
  for (int k = 0; k < 3; k++) {
    support_ok(bt_restraints_add_constraint(list, "near", true, &error), &error);
    support_ok(bt_restraints_add(list, 7.0 + k, k > 0 ? 2.0 * k : 0.0, k == 2 ? 1e6 : 3.4, &error), &error);
    for (int i = k; i < ligand->n_atoms; i += 5)
      for (int p = 0; p < 4; p++) {
        bt_restraint_contact contact = {.atom = i};
        for (int c = 0; c < 3; c++) contact.point[c] = ligand->center[c] + 3.0 * sin(1.0 + p + 2.0 * c + k);
        support_ok(bt_restraints_add_contact(list, &contact, &error), &error);
      }
  }
  return list;
}

static void every_backend_agrees_on_restraints(void **state) {
  (void)state;
  bt_error error;
  for (int scoring = BT_SCORING_AD4; scoring < BT_SCORING_VINARDO; scoring++) {
    fixture f = fixture_open_number(BERTH_SOURCE_DIR "/examples/1hpv/ligand.pdbqt", NULL, (const int[]){60, 56, 50},
                                    (bt_scoring)scoring, false);
    bt_ligand_set_restraints(f.ligand, some_restraints(f.ligand));
    bt_dock_data_destroy(f.data);
    support_ok(bt_dock_data_create(f.ligand, f.maps, &f.data, &error), &error);
    compare_on(&f, "restrained");
    fixture_close(&f);
  }
}

static void every_backend_agrees_with_double_precision(void **state) {
  (void)state;
  for (size_t l = 0; l < sizeof ligands / sizeof ligands[0]; l++) {
    char path[1024], name[64];
    snprintf(name, sizeof name, "data/set42/%s/flex-xray.pdbqt", ligands[l]);
    support_shared(path, sizeof path, name);
    compare_all(path, ligands[l], BT_SCORING_AD4, false);
    compare_all(path, ligands[l], l % 2 == 0 ? BT_SCORING_VINA : BT_SCORING_VINARDO, false);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_backend_agrees_on_the_example),
                                     cmocka_unit_test(every_backend_agrees_on_two_ligands_at_once),
                                     cmocka_unit_test(every_backend_agrees_on_a_covalent_ligand),
                                     cmocka_unit_test(every_backend_agrees_on_an_opened_ring),
                                     cmocka_unit_test(every_backend_agrees_on_restraints),
                                     cmocka_unit_test(every_backend_agrees_with_double_precision)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
