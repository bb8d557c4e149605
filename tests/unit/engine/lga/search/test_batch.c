/* test_batch.c - a ligand's result does not depend on its batch, on how work is shared, or on failures.
 *
 * The devices of these tests are the processor's plain back end under other names, made to fail on purpose. */
#include <math.h>
#include <stdatomic.h>

#include "grid/maps/maps.h"
#include "pose/ligand.h"
#include "results/result.h"
#include "engine/lga/engine.h"
#include "kernel/lga/launch.h"
#include "unit/chain.h"

enum { FAKES = 3, LIGANDS = 5, RUNS = 4 };

/* What a fake device does. */
static struct fake {
  int most_ligands;        /* more are out of memory; 0: any number */
  int most_atoms;          /* a larger ligand is too large; 0: any */
  int fails_in_generation; /* counted over all jobs; 0: never */
  atomic_int generations, jobs, opened;
} fakes[FAKES];

static const bt_backend *plain;
static int fake_cores; /* each wants 16 poses; 0: a GPU, which wants all that there are */

static bt_status open_fake(int fake, bt_runtime_device **ret_device, bt_error *opt_error) {
  fakes[fake].opened++;
  return plain->runtime->open(plain->device, ret_device, opt_error);
}

/* One launch of a job makes the first individuals of all its ligands, and one of each generation makes offspring. */
static bt_status launch_fake(int fake, bt_runtime_device *device, bt_runtime_program *program, int entry,
                             bt_launch_size size, const bt_runtime_buffer *arena, const bt_runtime_buffer *maps,
                             const void *launched, bt_error *opt_error) {
  struct fake *f = &fakes[fake];
  const bt_launch *launch = launched;
  const char *memory = arena->handle;
  const bt_launch_ligand *ligands = (const void *)(memory + launch->ligands);
  const bt_launch_block *blocks = (const void *)(memory + launch->blocks);
  f->jobs += entry == BT_LAUNCH_INITIAL;
  for (size_t b = 0; b < size.blocks && entry == BT_LAUNCH_INITIAL; b++)
    if (f->most_atoms > 0 && ligands[blocks[b].ligand].sizes.n_atoms > f->most_atoms)
      return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){0}, "none", "a ligand is too large");
  for (size_t b = 0; b < size.blocks && entry == BT_LAUNCH_INITIAL; b++)
    if (f->most_ligands > 0 && blocks[b].ligand >= f->most_ligands)
      return bt_fail(opt_error, BT_ERR_MEMORY, (bt_where){0}, "none", "too many ligands");
  if (entry == BT_LAUNCH_OFFSPRING && ++f->generations == f->fails_in_generation)
    return bt_fail(opt_error, BT_ERR_DEVICE, (bt_where){0}, "none", "the card fell out");
  return plain->runtime->launch(device, program, entry, size, arena, maps, launched, opt_error);
}

#define FAKE_FUNCTIONS(n)                                                                                             \
  static bt_status open_##n(int index, bt_runtime_device **ret_device, bt_error *opt_error) {                         \
    return (void)index, open_fake(n, ret_device, opt_error);                                                          \
  }                                                                                                                   \
  static bt_status launch_##n(bt_runtime_device *device, bt_runtime_program *program, int entry, bt_launch_size size, \
                              const bt_runtime_buffer *arena, const bt_runtime_buffer *maps, const void *launch,      \
                              bt_error *opt_error) {                                                                  \
    return launch_fake(n, device, program, entry, size, arena, maps, launch, opt_error);                              \
  }
FAKE_FUNCTIONS(0)
FAKE_FUNCTIONS(1)
FAKE_FUNCTIONS(2)

/* A GPU; or a processor, which wants to be given fewer poses at once. */
static void describe(int index, bt_runtime_properties *ret_properties) {
  plain->runtime->device_properties(index, ret_properties);
  ret_properties->cpu = fake_cores > 0;
  ret_properties->cores = fake_cores > 0 ? fake_cores : 100;
}

typedef struct scene {
  bt_molecule **lists[LIGANDS];
  int n_lists[LIGANDS];
  bt_ligand *ligands[LIGANDS];
  bt_maps *maps;
  bt_dock_options options;
  bt_runtime runtimes[FAKES];
  bt_backend backends[FAKES];
  const bt_backend *devices[FAKES];
  char folder[512];
  bt_result *alone[LIGANDS]; /* what each gets by itself on the plain back end */
  int told[LIGANDS];
  bool stop;
  bool unknown, ahead; /* how many there are; they are read meanwhile */
} scene;

static bool progress(void *user, double fraction, int64_t evaluations, double best_energy) {
  const scene *s = user;
  assert_true(fraction >= 0 && fraction <= 1 && evaluations >= 0 && !isnan(best_energy));
  return !s->stop;
}

static bt_maps *make_maps(void) {
  bt_maps *maps;
  bt_error error;
  const char *types[] = {"C"};
  bt_box box = {.center = {3, 0, 0}, .npts = {40, 36, 30}, .spacing = 0.5};
  support_ok(bt_maps_create(&box, types, 1, &maps, &error), &error);
  for (int m = 0; m < 3; m++) {
    size_t at = 0;
    for (int k = 0; k <= box.npts[2]; k++)
      for (int j = 0; j <= box.npts[1]; j++)
        for (int i = 0; i <= box.npts[0]; i++)
          maps->values[m][at++] = (float)(sin(0.31 * i + m) + cos(0.27 * j) + sin(0.22 * k + 0.11 * i));
  }
  return maps;
}

static int setup(void **state) {
  scene *s = calloc(1, sizeof *s);
  bt_error error;
  support_folder(s->folder, sizeof s->folder);
  for (int l = 0; l < LIGANDS; l++) {
    char path[600];
    snprintf(path, sizeof path, "%s/lig%d.pdbqt", s->folder, l);
    chain_write(path, 4 + 2 * l, l == LIGANDS - 1 ? "Br" : "C"); /* the last one has no map */
    support_ok(bt_molecule_read(path, BT_MOLECULE_LIGAND, &s->lists[l], &s->n_lists[l], &error), &error);
    support_ok(bt_ligand_create(s->lists[l][0], NULL, &s->ligands[l], &error), &error);
    unlink(path);
  }
  rmdir(s->folder);
  s->maps = make_maps();
  s->options = bt_dock_options_default();
  s->options.runs = RUNS;
  s->options.population = 12;
  s->options.evaluations = 3000;
  s->options.heuristics = false;
  s->options.local_search_iterations = 20;
  s->options.seed = 11;
  s->options.threads = 2;
  s->options.opt_progress = progress;
  s->options.opt_progress_user = s;
  support_ok(bt_backend_find("cpu/scalar", &plain, &error), &error);
  memset(fakes, 0, sizeof fakes);
  fake_cores = 0;
  static const char *const names[FAKES] = {"fake:0", "fake:1", "fake:2"};
  for (int f = 0; f < FAKES; f++) {
    s->runtimes[f] = *plain->runtime;
    s->runtimes[f].device_properties = describe;
    s->runtimes[f].open = f == 0 ? open_0 : f == 1 ? open_1 : open_2;
    s->runtimes[f].launch = f == 0 ? launch_0 : f == 1 ? launch_1 : launch_2;
    s->backends[f] = (bt_backend){names[f], &s->runtimes[f], plain->device};
    s->devices[f] = &s->backends[f];
  }
  for (int l = 0; l + 1 < LIGANDS; l++) {
    bt_dock_options options = s->options;
    options.opt_device = "cpu/scalar";
    support_ok(bt_dock(s->ligands[l], s->maps, NULL, &options, &s->alone[l], &error), &error);
  }
  *state = s;
  return 0;
}

static int teardown(void **state) {
  scene *s = *state;
  for (int l = 0; l < LIGANDS; l++) {
    bt_result_destroy(s->alone[l]);
    bt_ligand_destroy(s->ligands[l]);
    bt_molecule_list_destroy(s->lists[l], s->n_lists[l]);
  }
  bt_maps_destroy(s->maps);
  free(s);
  return 0;
}

/* Docks all ligands (or the last but one alone) on the first fakes. */
typedef struct outcome {
  bt_status status;
  int taken; /* so many of the ligands: a stream that is stopped asks for no more */
  bt_error error;
  bt_docking dockings[LIGANDS];
} outcome;

typedef struct flow {
  scene *scene;
  outcome *outcome;
  int count;
} flow;

static bt_docking *next(void *user) {
  const flow *f = user;
  outcome *o = f->outcome;
  return o->taken < f->count ? &o->dockings[o->taken++] : NULL;
}

static bool done(void *user, bt_docking *docking) {
  const flow *f = user;
  f->scene->told[docking - f->outcome->dockings]++;
  return true;
}

static outcome dock(scene *s, int n_devices, bool next_allowed, int first, int count) {
  outcome o = {.status = BT_OK};
  bt_lga_engine *engine;
  bt_device_list devices = {.count = n_devices, .next_allowed = next_allowed};
  devices.items = malloc(sizeof s->devices);
  memcpy(devices.items, s->devices, sizeof s->devices);
  memset(s->told, 0, sizeof s->told);
  support_ok(bt_lga_engine_open(s->maps, &s->options, &devices, &engine, &o.error), &o.error);
  for (int l = 0; l < count; l++) o.dockings[l].opt_ligand = s->ligands[first + l];
  flow f = {.scene = s, .outcome = &o, .count = count};
  bt_docking_stream stream = {
      .count = s->unknown ? -1 : count, .ahead = s->ahead, .next = next, .done = done, .user = &f};
  o.status = bt_engine_dock_stream(&engine->engine, &stream, &o.error);
  bt_engine_close(&engine->engine);
  return o;
}

static void outcome_free(outcome *o) {
  for (int l = 0; l < LIGANDS; l++) bt_result_destroy(o->dockings[l].result);
}

static void assert_same(const bt_result *a, const bt_result *b) {
  assert_non_null(a);
  assert_int_equal(a->evaluations, b->evaluations);
  assert_int_equal(a->generations, b->generations);
  for (int run = 0; run < RUNS; run++) {
    assert_true(a->runs[run].search_energy == b->runs[run].search_energy);
    assert_true(a->runs[run].energy.total == b->runs[run].energy.total);
    assert_int_equal(a->runs[run].evaluations, b->runs[run].evaluations);
  }
}

/* All ligands but the last have the same result as alone; each was reported once. */
static void assert_all_docked(const scene *s, const outcome *o) {
  support_ok(o->status, &o->error);
  for (int l = 0; l + 1 < LIGANDS; l++) {
    support_ok(o->dockings[l].error.status, &o->dockings[l].error);
    assert_same(o->dockings[l].result, s->alone[l]);
  }
  assert_null(o->dockings[LIGANDS - 1].result);
  support_failed(o->dockings[LIGANDS - 1].error.status, BT_ERR_PARAMETER, &o->dockings[LIGANDS - 1].error, "Br");
  for (int l = 0; l < LIGANDS; l++) assert_int_equal(s->told[l], 1);
}

static void company_changes_nothing(void **state) {
  outcome o = dock(*state, 1, false, 0, LIGANDS);
  assert_all_docked(*state, &o);
  assert_int_equal(fakes[0].jobs, 1);
  assert_string_equal(bt_result_warning(o.dockings[0].result), "");
  outcome_free(&o);
}

static void groups_follow_each_other(void **state) {
  fake_cores = 2 * RUNS * 12 / 16; /* two ligands */
  outcome o = dock(*state, 1, false, 0, LIGANDS);
  assert_all_docked(*state, &o);
  assert_in_range(fakes[0].jobs, 2, 4);
  assert_int_equal(fakes[0].opened, 1); /* the device is kept from batch to batch */
  outcome_free(&o);
}

/* Ligands whose searches converge leave the batch, and the others go on without them. */
static void ligands_end_one_after_the_other(void **state) {
  scene *s = *state;
  bt_dock_options kept = s->options;
  bt_result *alone[LIGANDS];
  int64_t least = INT64_MAX, most = 0;
  s->options.autostop = true;
  s->options.autostop_interval = 2;
  s->options.autostop_tolerance = 0.5;
  s->options.evaluations = 30000;
  for (int l = 0; l + 1 < LIGANDS; l++) {
    bt_dock_options options = s->options;
    bt_error error;
    options.opt_device = "cpu/scalar";
    support_ok(bt_dock(s->ligands[l], s->maps, NULL, &options, &alone[l], &error), &error);
    if (alone[l]->generations < least) least = alone[l]->generations;
    if (alone[l]->generations > most) most = alone[l]->generations;
  }
  assert_true(least < most);
  for (int devices = 1; devices <= 2; devices++) {
    outcome o = dock(s, devices, false, 0, LIGANDS - 1);
    support_ok(o.status, &o.error);
    for (int l = 0; l + 1 < LIGANDS; l++) assert_same(o.dockings[l].result, alone[l]);
    outcome_free(&o);
  }
  for (int l = 0; l + 1 < LIGANDS; l++) bt_result_destroy(alone[l]);
  s->options = kept;
}

static void devices_share_ligands(void **state) {
  outcome o = dock(*state, 3, false, 0, LIGANDS);
  assert_all_docked(*state, &o);
  outcome_free(&o);
}

static void devices_share_runs(void **state) {
  const scene *s = *state;
  outcome o = dock(*state, 3, false, 2, 1);
  support_ok(o.status, &o.error);
  assert_same(o.dockings[0].result, s->alone[2]);
  assert_string_equal(bt_result_device(o.dockings[0].result), "fake:0,fake:1,fake:2");
  for (int f = 0; f < FAKES; f++) assert_int_equal(fakes[f].jobs, 1);
  outcome_free(&o);
}

static void too_many_for_the_memory_are_docked_in_halves(void **state) {
  fakes[0].most_ligands = 1;
  outcome o = dock(*state, 1, false, 0, LIGANDS);
  assert_all_docked(*state, &o);
  assert_int_equal(fakes[0].jobs, 1 + 2 + 4); /* four ligands, twice two, one by one */
  outcome_free(&o);
}

static void another_device_takes_over(void **state) {
  fakes[1].fails_in_generation = 3;
  outcome o = dock(*state, 2, false, 0, LIGANDS);
  assert_all_docked(*state, &o);
  int warned = 0;
  for (int l = 0; l + 1 < LIGANDS; l++) {
    assert_string_equal(bt_result_device(o.dockings[l].result), "fake:0");
    warned += strcmp(bt_result_warning(o.dockings[l].result),
                     "fake:1 failed: the card fell out; docked on fake:0 instead") == 0;
  }
  assert_true(warned > 0 || fakes[1].generations < 3); /* unless fake:0 was quicker */
  outcome_free(&o);
}

static void runs_of_a_failed_device_move(void **state) {
  const scene *s = *state;
  fakes[1].fails_in_generation = 2;
  outcome o = dock(*state, 3, false, 3, 1);
  support_ok(o.status, &o.error);
  assert_same(o.dockings[0].result, s->alone[3]);
  assert_string_equal(bt_result_device(o.dockings[0].result), "fake:0,fake:2");
  assert_non_null(strstr(bt_result_warning(o.dockings[0].result), "fake:1 failed"));
  outcome_free(&o);
}

static void auto_goes_on_to_the_next_device(void **state) {
  fakes[0].fails_in_generation = 1;
  outcome o = dock(*state, 1, true, 0, LIGANDS);
  support_ok(o.status, &o.error);
  for (int l = 0; l + 1 < LIGANDS; l++) {
    assert_non_null(o.dockings[l].result);
    assert_non_null(strstr(bt_result_warning(o.dockings[l].result), "fake:0 failed: the card fell out; docked on "));
  }
  outcome_free(&o);
}

static void without_a_device_left_the_rest_fails(void **state) {
  const scene *s = *state;
  fakes[0].fails_in_generation = 1;
  outcome o = dock(*state, 1, false, 0, LIGANDS);
  support_failed(o.status, BT_ERR_DEVICE, &o.error, "fell out");
  for (int l = 0; l + 1 < LIGANDS; l++) {
    assert_null(o.dockings[l].result);
    assert_int_equal(o.dockings[l].error.status, BT_ERR_DEVICE);
    assert_int_equal(s->told[l], 1);
  }
  outcome_free(&o);
}

static void a_ligand_too_large_for_a_device_fails_alone(void **state) {
  scene *s = *state;
  fakes[0].most_atoms = 8;
  outcome o = dock(s, 1, false, 0, LIGANDS);
  support_ok(o.status, &o.error);
  for (int l = 0; l < 3; l++) assert_same(o.dockings[l].result, s->alone[l]);
  support_failed(o.dockings[3].error.status, BT_ERR_LIMIT, &o.dockings[3].error, "too large");
  outcome_free(&o);
  o = dock(s, 1, true, 0, LIGANDS); /* the next device may do it */
  support_ok(o.status, &o.error);
  assert_non_null(o.dockings[3].result);
  assert_non_null(
      strstr(bt_result_warning(o.dockings[3].result), "fake:0 cannot dock it: a ligand is too large; docked on "));
  outcome_free(&o);
}

static void the_user_can_stop_it(void **state) {
  scene *s = *state;
  s->stop = true;
  for (int devices = 1; devices <= 2; devices++) {
    outcome o = dock(s, devices, true, 0, LIGANDS);
    assert_int_equal(o.status, BT_ERR_CANCELLED);
    for (int l = 0; l < LIGANDS; l++) {
      assert_int_equal(s->told[l], l < o.taken);
      if (l < o.taken) assert_true(o.dockings[l].result != NULL || o.dockings[l].error.status != BT_OK);
    }
    if (!s->unknown) assert_int_equal(o.taken, LIGANDS);
    outcome_free(&o);
  }
}

/* Read before docking, meanwhile, or between two dockings: nothing changes. */
static void ligands_may_come_one_by_one(void **state) {
  scene *s = *state;
  s->unknown = true;
  for (int ahead = 0; ahead <= 1; ahead++) {
    s->ahead = ahead == 1;
    outcome o = dock(s, 1 + 2 * ahead, false, 0, LIGANDS);
    assert_all_docked(s, &o);
    outcome_free(&o);
    fakes[0].fails_in_generation = fakes[0].generations + 1;
    o = dock(s, 1, true, 0, LIGANDS);
    support_ok(o.status, &o.error);
    for (int l = 0; l + 1 < LIGANDS; l++) assert_non_null(o.dockings[l].result);
    outcome_free(&o);
    fakes[0].fails_in_generation = fakes[0].generations + 1;
    o = dock(s, 1, false, 0, LIGANDS);
    support_failed(o.status, BT_ERR_DEVICE, &o.error, "fell out");
    outcome_free(&o);
    fakes[0].fails_in_generation = 0;
  }
  the_user_can_stop_it(state);
}

int main(void) {
#define SCENE(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
  const struct CMUnitTest tests[] = {SCENE(company_changes_nothing),
                                     SCENE(ligands_end_one_after_the_other),
                                     SCENE(groups_follow_each_other),
                                     SCENE(devices_share_ligands),
                                     SCENE(devices_share_runs),
                                     SCENE(too_many_for_the_memory_are_docked_in_halves),
                                     SCENE(another_device_takes_over),
                                     SCENE(runs_of_a_failed_device_move),
                                     SCENE(auto_goes_on_to_the_next_device),
                                     SCENE(without_a_device_left_the_rest_fails),
                                     SCENE(a_ligand_too_large_for_a_device_fails_alone),
                                     SCENE(the_user_can_stop_it),
                                     SCENE(ligands_may_come_one_by_one)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
