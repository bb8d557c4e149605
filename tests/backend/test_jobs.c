/* test_jobs.c - jobs of several ligands, on every back end of this machine: the search of a ligand does not depend on
 * the others, nor a run on how many are docked together, nor on jobs before it on the same device, and an inactive
 * ligand is left unchanged.
 */
#include <math.h>

#include "engine/lga/search/job.h"
#include "engine/lga/device/devices.h"
#include "engine/lga/device/held_device.h"
#include "backend/fixed_team.h"
#include "backend/ligands.h"

enum { GENERATIONS = 3, MOST = 6 * 40 };

static const int atoms[LIGANDS] = {14, 3, 9}, runs[LIGANDS] = {2, 6, 3}, populations[LIGANDS] = {40, 13, 21};

typedef struct scene {
  ligand_set set;
  bt_search_parameters parameters[LIGANDS];
} scene;

static int setup(void **state) {
  scene *s = calloc(1, sizeof *s);
  char folder[512];
  bt_box box = {.center = {3, 0, 0}, .npts = {40, 36, 30}, .spacing = 0.5};
  support_folder(folder, sizeof folder);
  ligand_set_open(&s->set, &box, atoms, folder);
  for (int m = 0; m < 4; m++) {
    size_t at = 0;
    for (int k = 0; k <= box.npts[2]; k++)
      for (int j = 0; j <= box.npts[1]; j++)
        for (int i = 0; i <= box.npts[0]; i++)
          s->set.maps->values[m][at++] = (float)(sin(0.31 * i + m) + cos(0.27 * j) + sin(0.22 * k + 0.11 * i));
  }
  for (int l = 0; l < LIGANDS; l++) {
    bt_dock_options options = bt_dock_options_default();
    options.runs = runs[l];
    options.population = populations[l];
    options.seed = 4;
    options.local_search_iterations = 25;
    if (l == 1) options.selection = BT_SELECT_PROPORTIONAL;
    if (l == 2) options.local_search_rate = 0.4;
    s->parameters[l] = bt_search_parameters_make(&options, s->set.ligands[l]);
  }
  rmdir(folder);
  *state = s;
  return 0;
}

static int teardown(void **state) {
  scene *s = *state;
  ligand_set_close(&s->set);
  free(s);
  return 0;
}

/* A ligand's population after some generations. */
typedef struct outcome {
  float energies[MOST], genes[MOST * BT_GENES(16)];
  int64_t evaluations[8];
} outcome;

static bt_job *open_job_with(const bt_backend *backend, const scene *s, int first, int count, bt_job_maps maps,
                             bt_held_device *opt_held) {
  bt_error error;
  bt_job_ligand ligands[LIGANDS];
  for (int l = 0; l < count; l++) ligands[l] = (bt_job_ligand){&s->set.data[first + l]->kernel, &s->parameters[first + l]};
  bt_job_options how = {.threads = 2, .team = fixed_team(backend), .maps = maps, .opt_held = opt_held};
  bt_job *job;
  support_ok(bt_job_create(backend, ligands, count, &how, &job, &error), &error);
  return job;
}

static bt_job *open_job(const bt_backend *backend, const scene *s, int first, int count) {
  return open_job_with(backend, s, first, count, BT_JOB_MAPS_AUTO, NULL);
}

static void search(bt_job *job) {
  bt_error error;
  support_ok(bt_job_initialize(job, &error), &error);
  for (int g = 1; g <= GENERATIONS; g++) support_ok(bt_job_generation(job, (uint32_t)g, NULL, &error), &error);
}

static void read_outcome(bt_job *job, int ligand, outcome *o) {
  bt_error error;
  memset(o, 0, sizeof *o);
  support_ok(bt_job_read_energies(job, ligand, o->energies, o->evaluations, &error), &error);
  support_ok(bt_job_read_genes(job, ligand, o->genes, &error), &error);
}

static void search_alone(const bt_backend *backend, const scene *s, int ligand, outcome *o) {
  bt_job *job = open_job(backend, s, ligand, 1);
  search(job);
  read_outcome(job, 0, o);
  bt_job_destroy(job);
}

static void assert_equal(const outcome *a, const outcome *b) { assert_memory_equal(a, b, sizeof *a); }

static void check_company(const bt_backend *backend, scene *s) {
  static outcome alone, together;
  bt_error error;
  bt_job_progress progress[LIGANDS];
  bt_job *job = open_job(backend, s, 0, LIGANDS);
  search(job);
  support_ok(bt_job_read_progress(job, progress, &error), &error);
  for (int l = 0; l < LIGANDS; l++) {
    search_alone(backend, s, l, &alone);
    read_outcome(job, l, &together);
    assert_equal(&together, &alone);
    int64_t evaluations = 0;
    float best = INFINITY;
    for (int r = 0; r < runs[l]; r++) evaluations += together.evaluations[r];
    for (int i = 0; i < runs[l] * populations[l]; i++) best = fminf(best, together.energies[i]);
    assert_int_equal(progress[l].evaluations, evaluations);
    assert_true(progress[l].best_energy == best);
  }
  bt_job_destroy(job);
}

static void check_mask(const bt_backend *backend, scene *s) {
  static outcome before, after, alone;
  bt_error error;
  bool active[LIGANDS] = {true, false, true};
  bt_job_progress progress[LIGANDS];
  bt_job *job = open_job(backend, s, 0, LIGANDS);
  search(job);
  read_outcome(job, 1, &before);
  for (int g = 1; g <= 3; g++) { /* an odd number: populations are swapped */
    support_ok(bt_job_generation(job, (uint32_t)(GENERATIONS + g), active, &error), &error);
    support_ok(bt_job_read_progress(job, progress, &error), &error);
    read_outcome(job, 1, &after);
    assert_equal(&after, &before);
  }
  active[0] = false;
  support_ok(bt_job_generation(job, GENERATIONS + 4, active, &error), &error);
  read_outcome(job, 1, &after);
  assert_equal(&after, &before);
  read_outcome(job, 2, &after);
  bt_job_destroy(job);
  job = open_job(backend, s, 2, 1);
  support_ok(bt_job_initialize(job, &error), &error);
  for (int g = 1; g <= GENERATIONS + 4; g++) support_ok(bt_job_generation(job, (uint32_t)g, NULL, &error), &error);
  read_outcome(job, 0, &alone);
  assert_equal(&after, &alone);
  bt_job_destroy(job);
}

/* Any selection of ligands, of which one has been left behind by a generation and so lies elsewhere. */
static void check_selections(const bt_backend *backend, scene *s) {
  static outcome single, selected[LIGANDS], untouched;
  const bool active[LIGANDS] = {true, false, true};
  bt_error error;
  bt_job *job = open_job(backend, s, 0, LIGANDS);
  search(job);
  support_ok(bt_job_generation(job, GENERATIONS + 1, active, &error), &error);
  memset(&untouched, 0, sizeof untouched);
  for (int selection = 0; selection < 1 << LIGANDS; selection++) {
    bool wanted[LIGANDS];
    bt_job_population to[LIGANDS];
    memset(selected, 0, sizeof selected);
    for (int l = 0; l < LIGANDS; l++) {
      wanted[l] = selection >> l & 1;
      to[l] = (bt_job_population){selected[l].energies, selected[l].genes, selected[l].evaluations};
    }
    support_ok(bt_job_read_populations(job, wanted, to, &error), &error);
    for (int l = 0; l < LIGANDS; l++) {
      read_outcome(job, l, &single);
      assert_equal(&selected[l], wanted[l] ? &single : &untouched);
    }
  }
  bt_job_destroy(job);
}

static void check_runs(const bt_backend *backend, scene *s) {
  static outcome all, some;
  enum { LIGAND = 1, FIRST = 2, COUNT = 3 };
  search_alone(backend, s, LIGAND, &all);
  bt_search_parameters kept = s->parameters[LIGAND];
  s->parameters[LIGAND].first_run = FIRST;
  s->parameters[LIGAND].runs = COUNT;
  search_alone(backend, s, LIGAND, &some);
  s->parameters[LIGAND] = kept;
  size_t n_genes = (size_t)BT_GENES(s->set.ligands[LIGAND]->n_torsions), population = (size_t)populations[LIGAND];
  assert_memory_equal(some.energies, all.energies + FIRST * population, COUNT * population * sizeof(float));
  assert_memory_equal(some.genes, all.genes + FIRST * population * n_genes,
                      COUNT * population * n_genes * sizeof(float));
  assert_memory_equal(some.evaluations, all.evaluations + FIRST, COUNT * sizeof(int64_t));
}

static void check_methods(const bt_backend *backend, scene *s) {
  static const int methods[LIGANDS] = {BT_KERNEL_LS_SOLIS_WETS, BT_KERNEL_LS_NONE, BT_KERNEL_LS_ADAM};
  bt_search_parameters kept[LIGANDS];
  memcpy(kept, s->parameters, sizeof kept);
  for (int l = 0; l < LIGANDS; l++) s->parameters[l].local_search = methods[l];
  for (int l = 0; l < LIGANDS; l++) {
    static outcome once, again;
    search_alone(backend, s, l, &once);
    search_alone(backend, s, l, &again);
    assert_equal(&once, &again);
  }
  memcpy(s->parameters, kept, sizeof kept);
}

static void search_with(const bt_backend *backend, const scene *s, int ligand, bt_job_maps maps, bt_held_device *opt_held,
                        outcome *o) {
  bt_job *job = open_job_with(backend, s, ligand, 1, maps, opt_held);
  search(job);
  read_outcome(job, 0, o);
  bt_job_destroy(job);
}

/* The second ligand has a type that the first one lacks; the folded maps of the third take the place of shared ones. */
static void check_held(const bt_backend *backend, scene *s) {
  static const bt_job_maps maps[] = {BT_JOB_MAPS_SHARED, BT_JOB_MAPS_SHARED, BT_JOB_MAPS_FOLDED, BT_JOB_MAPS_SHARED};
  static const int turn[] = {1, 0, 2, 0};
  static outcome alone, after;
  bt_held_device held = {0};
  for (int k = 0; k < 4; k++) {
    search_with(backend, s, turn[k], maps[k], NULL, &alone);
    search_with(backend, s, turn[k], maps[k], &held, &after);
    assert_equal(&after, &alone);
    assert_int_equal(held.shared.has != NULL, maps[k] == BT_JOB_MAPS_SHARED);
  }
  bt_held_device_close(&held);
}

static void on_every_backend(scene *s, void (*check)(const bt_backend *, scene *)) {
  int used = 0;
  for (int b = 0; b < bt_backend_count(); b++) {
    const bt_backend *backend = bt_backend_get(b);
    if (!bt_device_describe(backend).usable) continue;
    print_message("%s\n", backend->name);
    check(backend, s);
    used++;
  }
  assert_true(used > 0);
}

static void company_changes_nothing(void **state) { on_every_backend(*state, check_company); }
static void inactive_ligands_stay_as_they_are(void **state) { on_every_backend(*state, check_mask); }
static void populations_are_read_together(void **state) { on_every_backend(*state, check_selections); }
static void runs_may_be_shared_out(void **state) { on_every_backend(*state, check_runs); }
static void searches_repeat(void **state) { on_every_backend(*state, check_methods); }
static void held_maps_serve_the_next_job(void **state) { on_every_backend(*state, check_held); }

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(company_changes_nothing),
                                     cmocka_unit_test(inactive_ligands_stay_as_they_are),
                                     cmocka_unit_test(populations_are_read_together),
                                     cmocka_unit_test(runs_may_be_shared_out), cmocka_unit_test(searches_repeat),
                                     cmocka_unit_test(held_maps_serve_the_next_job)};
  return cmocka_run_group_tests(tests, setup, teardown);
}
