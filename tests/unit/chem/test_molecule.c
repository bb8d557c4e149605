/* test_molecule.c - names, extents and the freeing of molecules. */
#include <berth/berth.h>

#include "chem/molecule.h"

#include "formats/pdbqt/pdbqt.h"
#include "unit/support.h"

static const char text[] =
    "ATOM      1  CA  ALA A   1       1.000   2.000   3.000  1.00  0.00     0.100 C \n"
    "ATOM      2  O   ALA A   1      -1.000   5.000   3.500  1.00  0.00    -0.100 OA\n"
    "HETATM    3  C1  LIG B   2      10.000   0.000  -4.000  1.00  0.00     0.000 C \n";

static bt_molecule **read_receptor(int *count) {
  bt_molecule **list;
  bt_error error;
  support_ok(
      bt_molecule_from_memory("a/b/rec.pdbqt", text, sizeof text - 1, BT_MOLECULE_RECEPTOR, &list, count, &error),
      &error);
  return list;
}

static void the_name_is_the_file_without_folder_and_extension(void **state) {
  (void)state;
  int count;
  bt_molecule **list = read_receptor(&count);
  assert_int_equal(count, 1);
  assert_string_equal(bt_molecule_name(list[0]), "rec");
  assert_int_equal(bt_molecule_atom_count(list[0]), 3);
  bt_molecule_list_destroy(list, count);
}

static void the_extent_is_that_of_all_atoms_or_of_one_residue(void **state) {
  (void)state;
  int count;
  bt_molecule **list = read_receptor(&count);
  double low[3], high[3];
  bt_error error;
  support_ok(bt_molecule_extent(list[0], NULL, low, high, &error), &error);
  assert_true(low[0] == -1.0 && low[1] == 0.0 && low[2] == -4.0);
  assert_true(high[0] == 10.0 && high[1] == 5.0 && high[2] == 3.5);
  support_ok(bt_molecule_extent(list[0], "LIG", low, high, &error), &error);
  assert_true(low[0] == 10.0 && high[0] == 10.0 && low[2] == -4.0 && high[2] == -4.0);
  support_failed(bt_molecule_extent(list[0], "XYZ", low, high, &error), BT_ERR_INPUT, &error, "residue XYZ");
  bt_molecule_list_destroy(list, count);
}

static void nothing_may_be_destroyed(void **state) {
  (void)state;
  bt_molecule_destroy(NULL);
  bt_molecule_list_destroy(NULL, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_name_is_the_file_without_folder_and_extension),
      cmocka_unit_test(the_extent_is_that_of_all_atoms_or_of_one_residue),
      cmocka_unit_test(nothing_may_be_destroyed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
