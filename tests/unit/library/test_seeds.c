/* test_seeds.c - seed poses of a ligand from files. */
#include <berth/berth.h>
#include <berth/place.h>

#include "btl_cases.h"

static char folder[512];

static int enter(void **state) {
  (void)state;
  support_folder(folder, sizeof folder);
  return 0;
}

static const char *file(const char *name, const char *text) {
  static char path[600];
  case_write(path, sizeof path, folder, name, text);
  return path;
}

#define CARBON_MONOXIDE(x)                      \
  "ROOT\nATOM      1  C1  LIG     1      " x    \
  "   0.000   0.000  1.00  0.00     0.000 C \n" \
  "ATOM      2  O1  LIG     1      " x "   1.430   0.000  1.00  0.00     0.000 OA\nENDROOT\nTORSDOF 0\n"

static bt_molecule *ligand_of(const char *text, bt_molecule ***ret_list) {
  int count;
  bt_error error;
  support_ok(bt_molecule_read(file("ligand.pdbqt", text), BT_MOLECULE_LIGAND, ret_list, &count, &error), &error);
  assert_int_equal(count, 1);
  return (*ret_list)[0];
}

static void count_line(void *user, const char *text) {
  assert_null(strchr(text, '\n'));
  ++*(int *)user;
}

static void poses_of_a_file_are_added(void **state) {
  (void)state;
  bt_molecule **list;
  bt_molecule *ligand = ligand_of(CARBON_MONOXIDE(" 0.000"), &list);
  const char *path = file(
      "poses.pdbqt", "MODEL 1\n" CARBON_MONOXIDE(" 1.000") "ENDMDL\nMODEL 2\n" CARBON_MONOXIDE(" 2.000") "ENDMDL\n");
  int added, told = 0;
  bt_error error;
  support_ok(bt_molecule_read_seeds(ligand, path, NULL, count_line, &told, &added, &error), &error);
  assert_int_equal(added, 2);
  assert_int_equal(told, 0);
  assert_int_equal(bt_molecule_seed_count(ligand), 2);
  assert_int_equal(bt_molecule_conformer_count(ligand), 3);
  for (int k = 0; k < 2; k++) {
    assert_int_equal(ligand->conformers[k]->seed, k + 1);
    assert_true(ligand->conformers[k]->atoms[1].x[0] == k + 1.0);
  }
  bt_molecule_list_destroy(list, 1);
}

static void what_is_no_pose_of_it_is_told(void **state) {
  (void)state;
  bt_molecule **list;
  bt_molecule *ligand = ligand_of(CARBON_MONOXIDE(" 0.000"), &list);
  int added, told = 0;
  bt_error error;
  assert_int_equal(
      bt_molecule_read_seeds(ligand, file("other.pdbqt", case_plain), NULL, count_line, &told, &added, &error),
      BT_ERR_INPUT);
  assert_non_null(strstr(error.message, "heavy atoms"));
  assert_int_equal(told, 1);
  assert_int_equal(added, 0);
  assert_int_equal(bt_molecule_read_seeds(ligand, "absent.pdbqt", NULL, count_line, &told, &added, &error), BT_ERR_IO);
  assert_int_equal(bt_molecule_read_seeds(ligand, "complex.pdb:LIG", NULL, count_line, &told, &added, &error),
                   BT_ERR_USAGE);
  assert_non_null(strstr(error.remedy, "--template"));
  assert_int_equal(bt_molecule_seed_count(ligand), 0);
  bt_molecule_list_destroy(list, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test_setup(poses_of_a_file_are_added, enter),
                                     cmocka_unit_test_setup(what_is_no_pose_of_it_is_told, enter)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
