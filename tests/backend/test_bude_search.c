/* test_bude_search.c - the search of the BUDE engine on every usable device: the same first generation as on the plain
 * processor, parents in order and distinct, energies that never rise. */
#include "unit/engine/bude/small.h"

#include <berth/berth.h>
#include <math.h>

#include "engine/bude/compound.h"
#include "engine/bude/state.h"

enum { PARENTS = 30, CONFORMERS = 2 };

typedef struct outcome {
  bt_bude_found found[CONFORMERS * PARENTS];
  int counts[CONFORMERS];
} outcome;

/* False: this device has no BUDE kernels. */
static bool search(const char *device, int population, int generations, outcome *ret_outcome) {
  bt_bude_options options = small_options();
  bt_bude_engine *probe;
  bt_error error;
  options.opt_device = device;
  if (bt_bude_engine_create(device, NULL, &probe, &error) != BT_OK) return false;
  bt_bude_engine_destroy(probe);
  bt_bude *bude = small_open(&options);
  bt_bude_compound *compound = small_compound(bude, small_ligand);
  bt_bude_search_options search_options = {.grid = bude->grid,
                                           .generations = generations,
                                           .population = population,
                                           .parents = PARENTS,
                                           .distinct = true,
                                           .seed = 99};
  bt_bude_atom atoms[CONFORMERS * 4];
  size_t first[CONFORMERS + 1] = {0, 4, 8};
  uint32_t ids[CONFORMERS] = {5, 6};
  for (int i = 0; i < CONFORMERS; i++) bt_bude_compound_atoms(compound, i, atoms + 4 * i);
  support_ok(bt_bude_engine_set_receptor(bude->units[0].engine, bude->forcefield, bude->rules, bude->receptor->atoms,
                                         (size_t)bude->receptor->n_atoms, &error),
             &error);
  support_ok(bt_bude_search_run(bude->units[0].engine, &search_options, atoms, first, CONFORMERS, ids, NULL, NULL,
                                ret_outcome->found, ret_outcome->counts, &error),
             &error);
  bt_bude_compound_destroy(compound);
  bt_bude_close(bude);
  return true;
}

static bool near(float a, float b) { return fabsf(a - b) <= 2.5e-4f * fabsf(b) + 1e-3f; }

static void check_order(const outcome *o) {
  for (int c = 0; c < CONFORMERS; c++) {
    assert_int_equal(o->counts[c], PARENTS);
    for (int j = 1; j < PARENTS; j++) {
      const bt_bude_found *a = &o->found[c * PARENTS + j - 1], *b = a + 1;
      assert_true(a->energy <= b->energy);
      assert_memory_not_equal(a->index, b->index, sizeof a->index);
    }
  }
}

static void test_devices_agree(void **state) {
  (void)state;
  const int populations[] = {2000, 5000, 30};
  for (int p = 0; p < 3; p++) {
    outcome plain, other;
    assert_true(search("cpu/scalar", populations[p], 1, &plain));
    check_order(&plain);
    for (int i = 0; i < bt_device_count(); i++) {
      bt_device_info device = bt_device(i);
      if (!device.usable || !search(device.name, populations[p], 1, &other)) continue;
      check_order(&other);
      for (int j = 0; j < CONFORMERS * PARENTS; j++)
        if (!near(other.found[j].energy, plain.found[j].energy))
          fail_msg("%s: %g instead of %g", device.name, (double)other.found[j].energy, (double)plain.found[j].energy);
    }
  }
}

static void test_generations_only_help(void **state) {
  (void)state;
  for (int i = 0; i < bt_device_count(); i++) {
    bt_device_info device = bt_device(i);
    outcome before, after;
    if (!device.usable || !search(device.name, 2000, 1, &before)) continue;
    for (int generations = 2; generations <= 5; generations++, before = after) {
      assert_true(search(device.name, 2000, generations, &after));
      check_order(&after);
      for (int c = 0; c < CONFORMERS; c++)
        assert_true(after.found[c * PARENTS].energy <= before.found[c * PARENTS].energy);
    }
  }
}

/* All poses of both conformers. */
static int dock(const char *device, bt_placement *poses) {
  bt_bude_options options = small_options();
  bt_error error;
  bt_result *result;
  options.opt_device = device;
  options.poses_per_item = 4;
  options.poses = CONFORMERS * 20;
  options.separation = 0;
  bt_bude *bude = small_open(&options);
  bt_bude_compound *compound = small_compound(bude, small_ligand);
  support_ok(bt_bude_dock(bude, compound, NULL, &result, &error), &error);
  const int count = bt_result_pose_count(result);
  for (int i = 0; i < count; i++) poses[i] = *bt_bude_placement_of(result, i);
  bt_result_destroy(result);
  bt_bude_compound_destroy(compound);
  bt_bude_close(bude);
  return count;
}

static bool holds(const bt_placement *poses, int count, const bt_placement *pose) {
  for (int i = 0; i < count; i++)
    if (poses[i].conformer == pose->conformer && memcmp(poses[i].index, pose->index, sizeof pose->index) == 0)
      return true;
  return false;
}

/* A device together with the processor: each conformer's result is that of one of the two. */
static void devices_share(void **state) {
  (void)state;
  bt_placement processor[CONFORMERS * 20], other[CONFORMERS * 20], shared[CONFORMERS * 20];
  int n_processor = dock("cpu", processor);
  for (int i = 0; i < bt_device_count(); i++) {
    bt_device_info info = bt_device(i);
    outcome unused;
    char both[100];
    if (!info.usable || strncmp(info.name, "cpu", 3) == 0 || !search(info.name, 100, 1, &unused)) continue;
    snprintf(both, sizeof both, "cpu,%s", info.name);
    int n_other = dock(info.name, other), n_shared = dock(both, shared);
    assert_true(n_shared > 0);
    for (int k = 0; k < n_shared; k++)
      assert_true(holds(processor, n_processor, &shared[k]) || holds(other, n_other, &shared[k]));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_devices_agree),
      cmocka_unit_test(test_generations_only_help),
      cmocka_unit_test(devices_share),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
