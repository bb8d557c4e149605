/* test_dock.c - docking of a small ligand: energies against double precision, repetition, batches, generations, poses.
 */
#include "unit/engine/bude/small.h"

#include <math.h>
#include <string.h>

#include "engine/bude/state.h"

typedef struct pose {
  int conformer, index[6];
  double angles[3], translation[3], energy, sum, found_energy;
} pose;

static int take_poses(const bt_result *result, pose *poses) {
  for (int i = 0; i < bt_result_pose_count(result); i++) {
    const bt_placement *at = bt_bude_placement_of(result, i);
    const bt_run_summary run = bt_result_ranked(result, i);
    const bt_energy *e = &run.energy;
    poses[i] = (pose){.conformer = at->conformer,
                      .energy = e->free_energy,
                      .sum = e->inter_vdw_hbond + e->inter_electrostatic + e->inter_desolvation,
                      .found_energy = run.search_energy};
    memcpy(poses[i].index, at->index, sizeof at->index);
    memcpy(poses[i].angles, at->angles, sizeof at->angles);
    memcpy(poses[i].translation, at->translation, sizeof at->translation);
  }
  return bt_result_pose_count(result);
}

static bt_status dock_compound(bt_bude *bude, const bt_bude_compound *compound, pose *poses, int *ret_count,
                               bt_error *error) {
  bt_result *result;
  bt_status status = bt_bude_dock(bude, compound, NULL, &result, error);
  if (status != BT_OK) return status;
  *ret_count = take_poses(result, poses);
  bt_result_destroy(result);
  return BT_OK;
}

static int dock(const bt_bude_options *options, pose *poses) {
  bt_error error;
  bt_bude *bude = small_open(options);
  bt_bude_compound *compound = small_compound(bude, small_ligand);
  int count;
  support_ok(dock_compound(bude, compound, poses, &count, &error), &error);
  bt_bude_compound_destroy(compound);
  bt_bude_close(bude);
  return count;
}

static void test_poses_are_good_and_apart(void **state) {
  (void)state;
  bt_bude_options options = small_options();
  pose poses[5];
  options.poses = 5;
  int count = dock(&options, poses);
  assert_in_range(count, 1, 5);
  assert_true(poses[0].energy < -5);
  for (int i = 0; i < count; i++) {
    assert_true(fabs(poses[i].energy - poses[i].found_energy) < 2.5e-4 * fabs(poses[i].energy) + 1e-3);
    assert_true(fabs(poses[i].sum - poses[i].energy) < 1e-9);
    if (i > 0) assert_true(poses[i].found_energy >= poses[i - 1].found_energy);
    for (int k = 0; k < 3; k++) {
      assert_in_range(poses[i].index[k], 1, 36);
      assert_in_range(poses[i].index[k + 3], 1, 7);
      assert_true(poses[i].angles[k] == -180 + 10.0 * poses[i].index[k]);
      assert_true(poses[i].translation[k] == poses[i].index[k + 3] - 4);
    }
  }
}

static void test_seed_repeats_and_batch_does_not_matter(void **state) {
  (void)state;
  bt_bude_options options = small_options();
  pose first, second;
  dock(&options, &first);
  options.batch = 1;
  options.threads = 2;
  dock(&options, &second);
  assert_memory_equal(first.index, second.index, sizeof first.index);
  assert_true(first.energy == second.energy && first.conformer == second.conformer);
}

/* Two devices that round alike: results do not show which device docked which conformer. */
static void test_devices_share_conformers(void **state) {
  (void)state;
  enum { TIMES = 40, CONFORMERS = 2, POSES = 40 };
  bt_bude_options options = small_options();
  pose alone[POSES], shared[POSES];
  bt_error error;
  options.poses = POSES;
  int expected = dock(&options, alone);
  options.opt_device = "cpu,cpu";
  bt_bude *bude = small_open(&options);
  bt_bude_compound *compound = small_compound(bude, small_ligand);
  for (int time = 0; time < TIMES; time++) {
    int count;
    support_ok(dock_compound(bude, compound, shared, &count, &error), &error);
    assert_int_equal(count, expected);
    for (int i = 0; i < count; i++) {
      assert_memory_equal(shared[i].index, alone[i].index, sizeof alone[i].index);
      assert_true(shared[i].energy == alone[i].energy && shared[i].conformer == alone[i].conformer);
    }
  }
  assert_null(bt_bude_device_of(bude, 2).name);
  assert_int_equal(bt_bude_device_of(bude, 0).conformers + bt_bude_device_of(bude, 1).conformers, TIMES * CONFORMERS);
  assert_non_null(strchr(bt_bude_device_name(bude), ','));
  bt_bude_compound_destroy(compound);
  bt_bude_close(bude);
}

/* Compounds that are announced have the results of those that are not, in any order and with any devices. */
static void test_announced_compounds(void **state) {
  (void)state;
  enum { TIMES = 20, COMPOUNDS = 3 };
  const char *const devices[] = {"cpu", "cpu,cpu", "cpu,cpu,cpu"};
  bt_bude_options options = small_options();
  pose alone, found;
  bt_error error;
  dock(&options, &alone);
  for (int d = 0; d < 3; d++) {
    options.opt_device = devices[d];
    bt_bude *bude = small_open(&options);
    bt_bude_compound *compounds[COMPOUNDS];
    for (int i = 0; i < COMPOUNDS; i++) compounds[i] = small_compound(bude, small_ligand);
    for (int time = 0; time < TIMES; time++) {
      int count;
      for (int i = 0; i < COMPOUNDS; i++) bt_bude_announce(bude, compounds[i]);
      bt_bude_announce(bude, compounds[0]); /* once is enough */
      for (int i = 0; i < COMPOUNDS; i++) {
        int which = time % 2 == 0 ? i : COMPOUNDS - 1 - i;
        support_ok(dock_compound(bude, compounds[which], &found, &count, &error), &error);
        assert_memory_equal(found.index, alone.index, sizeof alone.index);
        assert_true(found.energy == alone.energy && found.conformer == alone.conformer);
      }
    }
    int64_t all = 0;
    for (int k = 0; bt_bude_device_of(bude, k).name != NULL; k++) all += bt_bude_device_of(bude, k).conformers;
    assert_int_equal(all, TIMES * COMPOUNDS * 2);
    for (int i = 0; i < COMPOUNDS; i++) bt_bude_announce(bude, compounds[i]); /* and never docked */
    for (int i = 0; i < COMPOUNDS; i++) bt_bude_compound_destroy(compounds[i]);
    bt_bude_close(bude);
  }
}

/* When one device fails, the others stop and its error is reported. */
static void test_one_of_the_devices_lacks_memory(void **state) {
  (void)state;
  bt_bude_options options = small_options();
  bt_error error;
  pose found;
  int count;
  options.opt_device = "cpu,cpu";
  options.memory = 5000;
  bt_bude *bude = small_open(&options);
  bt_bude_compound *compound = small_compound(bude, small_ligand);
  assert_int_equal(dock_compound(bude, compound, &found, &count, &error), BT_ERR_MEMORY);
  assert_non_null(strstr(error.message, "512 poses of one conformer"));
  bt_bude_compound_destroy(compound);
  bt_bude_close(bude);
}

/* BT_ERR_MEMORY takes the conformers in smaller batches; when not even one fits, the error says so. */
static void test_little_memory(void **state) {
  (void)state;
  bt_bude_options options = small_options();
  pose all, few;
  bt_error error;
  dock(&options, &all);
  int fits = 0, too_little = 0, smaller = 0;
  options.batch = 2;
  for (options.memory = 1 << 20; options.memory >= 1 << 12; options.memory = options.memory / 20 * 19) {
    bt_bude *bude = small_open(&options);
    bt_bude_compound *compound = small_compound(bude, small_ligand);
    int count;
    bt_status status = dock_compound(bude, compound, &few, &count, &error);
    if (status == BT_OK) {
      assert_int_equal(too_little, 0);
      assert_memory_equal(all.index, few.index, sizeof all.index);
      assert_true(all.energy == few.energy && all.conformer == few.conformer);
      fits++;
      smaller += bude->units[0].batch == 1;
    } else {
      assert_int_equal(status, BT_ERR_MEMORY);
      assert_non_null(strstr(error.message, "512 poses of one conformer"));
      assert_non_null(strstr(error.remedy, "population"));
      too_little++;
    }
    bt_bude_compound_destroy(compound);
    bt_bude_close(bude);
  }
  assert_true(fits > 0 && smaller > 0 && smaller < fits && too_little > 0);
}

static void test_energy_never_rises_with_generations(void **state) {
  (void)state;
  bt_bude_options options = small_options();
  double before = INFINITY;
  for (options.generations = 1; options.generations <= 6; options.generations++) {
    pose found;
    dock(&options, &found);
    assert_true(found.found_energy <= before);
    before = found.found_energy;
  }
}

static void test_small_and_odd_populations(void **state) {
  (void)state;
  bt_bude_options options = small_options();
  pose found;
  const int sizes[] = {1, 2, 37, 1025};
  for (int i = 0; i < 4; i++) {
    options.population = sizes[i];
    options.parents = 100; /* more than there are poses */
    assert_int_equal(dock(&options, &found), 1);
  }
}

static void test_a_pose_as_written_has_its_energy(void **state) {
  (void)state;
  bt_error error;
  bt_bude_options options = small_options();
  bt_bude *bude = small_open(&options);
  bt_bude_compound *compound = small_compound(bude, small_ligand), *written;
  bt_result *docked, *placed;
  char *text;
  support_ok(bt_bude_dock(bude, compound, NULL, &docked, &error), &error);
  support_ok(bt_result_text(docked, "mol2", NULL, &text, &error), &error);
  written = small_compound(bude, strstr(text, "@<TRIPOS>MOLECULE"));
  assert_int_equal(written->mol2->n_atoms, 9);
  const bt_molecule *reference = bt_bude_compound_molecule(written);
  support_ok(bt_bude_score_in_place(bude, written, NULL, &placed, &error), &error);
  double energy = bt_result_ranked(docked, 0).energy.free_energy;
  assert_true(fabs(bt_result_ranked(placed, 0).energy.free_energy - energy) < 0.02); /* four decimals of coordinates */
  assert_true(bt_bude_placement_of(placed, 0)->in_place);
  bt_result_destroy(docked);
  support_ok(bt_bude_dock(bude, compound, reference, &docked, &error), &error);
  assert_true(bt_result_ranked(docked, 0).reference_rmsd < 1e-3);
  bt_result_destroy(placed);
  bt_result_destroy(docked);
  free(text);
  bt_bude_compound_destroy(written);
  bt_bude_compound_destroy(compound);
  bt_bude_close(bude);
}

/* Without maps there is no docking log. PDBQT needs RDKit, as SDF does. */
static void test_what_needs_maps_is_refused(void **state) {
  (void)state;
  bt_error error;
  bt_bude_options options = small_options();
  bt_bude *bude = small_open(&options);
  bt_bude_compound *compound = small_compound(bude, small_ligand);
  bt_result *result;
  char *text;
  support_ok(bt_bude_dock(bude, compound, NULL, &result, &error), &error);
  for (int i = 0; bt_result_format(i) != NULL; i++) {
    const char *word = bt_result_format(i);
    if (strcmp(word, "mol2") == 0 || strcmp(word, "sdf") == 0 || strcmp(word, "pdbqt") == 0) continue;
    support_failed(bt_result_text(result, word, NULL, &text, &error), BT_ERR_USAGE, &error, "rigid conformers");
  }
  assert_null(bt_bude_placement_of(result, 1));
  bt_result_destroy(result);
  bt_bude_compound_destroy(compound);
  bt_bude_close(bude);
}

static bool stop(void *user, double part) {
  (void)user;
  (void)part;
  return false;
}

static void test_progress_can_stop(void **state) {
  (void)state;
  bt_error error;
  bt_bude_options options = small_options();
  options.opt_progress = stop;
  bt_bude *bude = small_open(&options);
  bt_bude_compound *compound = small_compound(bude, small_ligand);
  pose found;
  int count;
  assert_int_equal(dock_compound(bude, compound, &found, &count, &error), BT_ERR_CANCELLED);
  bt_bude_compound_destroy(compound);
  bt_bude_close(bude);
}

static bool stop_if_told(void *user, double part) {
  const bool *told = user;
  assert_true(part >= 0 && part <= 1);
  return !*told;
}

/* Also what was only announced; both can be docked afterwards. */
static void test_progress_stops_all_devices(void **state) {
  (void)state;
  bt_error error;
  bool told = true;
  bt_bude_options options = small_options();
  pose alone, found;
  int count;
  dock(&options, &alone);
  options.opt_progress = stop_if_told;
  options.user = &told;
  options.opt_device = "cpu,cpu";
  bt_bude *bude = small_open(&options);
  bt_bude_compound *first = small_compound(bude, small_ligand), *second = small_compound(bude, small_ligand);
  for (int time = 0; time < 10; time++) {
    told = true;
    bt_bude_announce(bude, first);
    bt_bude_announce(bude, second);
    bt_status status = dock_compound(bude, first, &found, &count, &error); /* it may be done already */
    assert_true(status == BT_ERR_CANCELLED || status == BT_OK);
    told = false;
    support_ok(dock_compound(bude, second, &found, &count, &error), &error);
    support_ok(dock_compound(bude, first, &found, &count, &error), &error);
    assert_memory_equal(found.index, alone.index, sizeof alone.index);
  }
  bt_bude_compound_destroy(first);
  bt_bude_compound_destroy(second);
  bt_bude_close(bude);
}

static void test_wrong_options(void **state) {
  (void)state;
  bt_error error;
  bt_bude *bude;
  bt_bude_options options = small_options();
  options.angle_step = 7;
  support_failed(bt_bude_open("/nowhere.mol2", NULL, &options, &bude, &error), BT_ERR_USAGE, &error, "7 degrees");
  options = small_options();
  options.size[1] = 1e6;
  support_failed(bt_bude_open("/nowhere.mol2", NULL, &options, &bude, &error), BT_ERR_USAGE, &error, "box");
  options = small_options();
  options.population = 0;
  support_failed(bt_bude_open("/nowhere.mol2", NULL, &options, &bude, &error), BT_ERR_USAGE, &error, "0 poses");
  options = small_options();
  options.opt_forcefield = "/nowhere.bhff";
  support_failed(bt_bude_open("/nowhere.mol2", NULL, &options, &bude, &error), BT_ERR_IO, &error, "/nowhere.bhff");
  options = small_options();
  support_failed(bt_bude_open("/nowhere.mol2", NULL, &options, &bude, &error), BT_ERR_IO, &error, "/nowhere.mol2");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_poses_are_good_and_apart),
      cmocka_unit_test(test_seed_repeats_and_batch_does_not_matter),
      cmocka_unit_test(test_devices_share_conformers),
      cmocka_unit_test(test_announced_compounds),
      cmocka_unit_test(test_one_of_the_devices_lacks_memory),
      cmocka_unit_test(test_little_memory),
      cmocka_unit_test(test_energy_never_rises_with_generations),
      cmocka_unit_test(test_small_and_odd_populations),
      cmocka_unit_test(test_a_pose_as_written_has_its_energy),
      cmocka_unit_test(test_what_needs_maps_is_refused),
      cmocka_unit_test(test_progress_can_stop),
      cmocka_unit_test(test_progress_stops_all_devices),
      cmocka_unit_test(test_wrong_options),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
