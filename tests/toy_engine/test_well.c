/* test_well.c - the toy engine docks from memory and into a database. */
#include "toy_engine/well.h"

#include <math.h>

#include "base/files/file.h"
#include "engine/registry.h"
#include "pose/ligand.h"
#include "unit/chain.h"

enum { LIGANDS = 7, LEFT_OUT = 3, TOO_LARGE = LIGANDS - 1 };

static const well_settings usual = {.middle = {1, -2, 3}, .stiffness = 0.5, .most_atoms = 4 + TOO_LARGE - 1};

static struct scene {
  char folder[400];
  bt_molecule *molecules[LIGANDS];
  bt_ligand *ligands[LIGANDS];
} scene;

static int make_scene(void **state) {
  (void)state;
  char path[500];
  bt_error error;
  support_folder(scene.folder, sizeof scene.folder);
  for (int i = 0; i < LIGANDS; i++) {
    snprintf(path, sizeof path, "%s/lig%d.pdbqt", scene.folder, i);
    chain_write(path, 4 + i, "C");
    bt_molecule **list;
    int count;
    support_ok(bt_molecule_read(path, BT_MOLECULE_LIGAND, &list, &count, &error), &error);
    scene.molecules[i] = list[0];
    free(list);
    support_ok(bt_ligand_create(scene.molecules[i], NULL, &scene.ligands[i], &error), &error);
  }
  return 0;
}

static int free_scene(void **state) {
  (void)state;
  for (int i = 0; i < LIGANDS; i++) {
    bt_ligand_destroy(scene.ligands[i]);
    bt_molecule_destroy(scene.molecules[i]);
  }
  return 0;
}

/* The middle of the ligand in that of the well. */
static double lowest(int i) {
  const bt_ligand *l = scene.ligands[i];
  double energy = 0;
  for (int c = 0; c < 3 * l->n_atoms; c++) energy += usual.stiffness * pow(l->xyz[c] - l->center[c % 3], 2);
  return energy;
}

/* --- from memory --------------------------------------------------------------------------------------- */

static void dock_all(int fails_at) {
  well_settings settings = usual;
  settings.fails_at = fails_at;
  bt_docking dockings[LIGANDS] = {0};
  bt_engine *engine;
  bt_error error;
  for (int i = 0; i < LIGANDS; i++) dockings[i].opt_ligand = i == LEFT_OUT ? NULL : scene.ligands[i];
  support_ok(well_open(&settings, &engine, &error), &error);
  support_ok(bt_engine_dock(engine, dockings, LIGANDS, &error), &error);
  bt_engine_close(engine);
  for (int i = 0; i < LIGANDS; i++) {
    if (i == LEFT_OUT || i == TOO_LARGE) {
      assert_null(dockings[i].result);
      continue;
    }
    support_ok(dockings[i].error.status, &dockings[i].error);
    assert_true(fabs(bt_result_ranked(dockings[i].result, 0).energy.free_energy - lowest(i)) < 1e-9);
    bt_result_destroy(dockings[i].result);
  }
  support_failed(dockings[TOO_LARGE].error.status, BT_ERR_BOX, &dockings[TOO_LARGE].error, "does not fit");
}

static void ligands_come_to_rest(void **state) {
  (void)state;
  dock_all(0);
}

static void devices_fail_over(void **state) {
  (void)state;
  for (int at = 1; at <= 3; at++) dock_all(at);
}

/* --- into a database ----------------------------------------------------------------------------------- */

static bt_status run(const char *database, const char *engine, const well_settings *settings, bool resume,
                     bt_screen_progress *progress, bt_error *error) {
  const char *folder = scene.folder;
  bt_screen_options options = bt_screen_options_default();
  options.database = database;
  options.resume = resume;
  options.ligands = &folder;
  options.n_ligands = 1;
  options.opt_engine = engine;
  options.opt_engine_settings = settings;
  return bt_screen_run(&options, progress, error);
}

static void read_export(const char *database, bt_screen_format format, bt_screen_exported *exported, char **ret_text) {
  char path[600];
  size_t size;
  bt_error error;
  snprintf(path, sizeof path, "%s.export", database);
  support_ok(bt_screen_export(database, format, 0, path, NULL, exported, &error), &error);
  support_ok(bt_file_read(path, ret_text, &size, &error), &error);
}

static bt_status compare(void *user, int64_t rank, const bt_store_row *row, bt_error *opt_error) {
  (void)user;
  (void)opt_error;
  assert_int_equal(row->ordinal, rank - 1); /* the more atoms, the more energy */
  assert_true(fabs(row->free_energy - lowest((int)row->ordinal)) < 1e-9);
  assert_int_equal(row->atoms, 4 + row->ordinal);
  return BT_OK;
}

static void screens_fill_a_database(void **state) {
  (void)state;
  if (bt_sqlite_version()[0] == '\0') skip();
  char base[400], database[500], *text;
  bt_screen_progress progress;
  bt_screen_exported exported;
  bt_store *store;
  bt_error error;
  support_folder(base, sizeof base);
  snprintf(database, sizeof database, "%s/well.db", base);
  well_settings settings = usual;
  settings.fails_at = 2;
  support_ok(run(database, "well", &settings, false, &progress, &error), &error);
  assert_int_equal(progress.docked, LIGANDS - 1);
  assert_int_equal(progress.failed + progress.rejected, 1);

  support_ok(bt_store_open(database, BT_STORE_READ, -1, &store, &error), &error);
  support_ok(bt_store_visit(store, true, false, -1, compare, NULL, &error), &error);
  bt_store_close(store);
  support_ok(bt_screen_setting(database, "engine", &text, &error), &error);
  assert_string_equal(text, "well");
  free(text);
  read_export(database, BT_SCREEN_CSV, &exported, &text);
  assert_int_equal(exported.ligands, LIGANDS - 1);
  assert_non_null(strstr(text, "free_energy,spring,intra,torsional,"));
  free(text);
  read_export(database, BT_SCREEN_SDF, &exported, &text);
  assert_int_equal(exported.poses, LIGANDS - 1);
  assert_non_null(strstr(text, "> <docking_score>"));
  free(text);

  settings.stiffness = 2;
  bt_status status = run(database, "well", &settings, true, &progress, &error);
  support_failed(status, BT_ERR_USAGE, &error, "stiffness 0.5, not 2");
}

static void engines_are_known_by_name(void **state) {
  (void)state;
  bt_screen_progress progress;
  bt_error error;
  assert_string_equal(bt_engine_find(NULL)->name, "autodock");
  assert_string_equal(bt_engine_find("bude")->name, "bude");
  assert_string_equal(bt_engine_find("well")->name, "well");
  support_failed(run("/nowhere", "crystal", NULL, false, &progress, &error), BT_ERR_USAGE, &error, "crystal");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ligands_come_to_rest), cmocka_unit_test(devices_fail_over),
                                     cmocka_unit_test(screens_fill_a_database),
                                     cmocka_unit_test(engines_are_known_by_name)};
  return cmocka_run_group_tests(tests, make_scene, free_scene);
}
