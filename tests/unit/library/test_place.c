/* test_place.c - what file names tell, and arguments that name files or residues of files. */
#include <berth/berth.h>
#include <berth/place.h>

#include "btl_cases.h"
#include "unit/assert_near.h"

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

static void names_of_files(void **state) {
  (void)state;
  static const struct {
    const char *path;
    const char *format;
    size_t ending;
    bool structure;
  } known[] = {
      {"a.sdf", "sdf", 4, false},       {"a.SDF.gz", "sdf", 7, false},
      {"a/b.sd", "sdf", 3, false},      {"a.mol", "sdf", 4, false},
      {"a.mol2.gz", "mol2", 8, false},  {"a.smi", "smiles", 4, false},
      {"a.smiles", "smiles", 7, false}, {"a.ism", "smiles", 4, false},
      {"a.pdbqt", "pdbqt", 6, false},   {"a.pdbqt.gz", "pdbqt", 9, false},
      {"a.pdb", "pdb", 4, true},        {"a.ENT.GZ", "pdb", 7, true},
      {"a.cif", NULL, 0, true},       {"a.mmcif.gz", NULL, 0, true},
      {"a.btl", NULL, 0, false},      {"a.tar.gz", NULL, 0, false},
      {"CCO", NULL, 0, false},        {".sdf", NULL, 0, false},
      {"", NULL, 0, false},           {"a.pdb.txt", NULL, 0, false},
  };
  for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
    const bt_format *format = bt_format_of(known[k].path);
    if (known[k].format != NULL) assert_ptr_equal(format, bt_format_find(known[k].format));
    assert_int_equal(bt_format_is(format, BT_FORMAT_LIGANDS), known[k].format != NULL);
    assert_int_equal(bt_ligand_file_ending(known[k].path), known[k].ending);
    assert_int_equal(bt_is_structure_file(known[k].path), known[k].structure);
  }
}

static void expect(const char *word, const char *opt_structure, const char *path, const char *opt_residues) {
  bt_place place;
  bt_error error;
  support_ok(bt_place_find(word, opt_structure, &place, &error), &error);
  assert_string_equal(place.path, path);
  if (opt_residues == NULL)
    assert_null(place.opt_residues);
  else
    assert_string_equal(place.opt_residues, opt_residues);
  bt_place_clear(&place);
}

static void words_name_files_and_residues(void **state) {
  (void)state;
  char word[700], odd[600], there[600];
  snprintf(there, sizeof there, "%s", file("there.pdb", "END\n"));
  snprintf(odd, sizeof odd, "%s", file("a:b.pdbqt", case_plain));
  expect("478", "r.pdb", "r.pdb", "478");
  expect("MK1:A:902,A:25", "r.pdb", "r.pdb", "MK1:A:902,A:25");
  expect("478", NULL, "478", NULL); /* no receptor has residues: a file, which is absent */
  expect("absent.sdf", "r.pdb", "absent.sdf", NULL);
  expect("absent.pdb:LIG", "r.pdb", "absent.pdb", "LIG");
  expect("x/absent:LIG", "r.pdb", "x/absent", "LIG");
  expect("x/absent", "r.pdb", "x/absent", NULL);
  expect("-", "r.pdb", "-", NULL);
  expect(there, "r.pdb", there, NULL);
  snprintf(word, sizeof word, "%s:LIG:A:201", there);
  expect(word, "r.pdb", there, "LIG:A:201");
  expect(odd, "r.pdb", odd, NULL); /* a colon in the name of a file that is there */
  snprintf(word, sizeof word, "%s:UNL", odd);
  expect(word, NULL, odd, "UNL");
}

static bt_status extent(const char *word, const char *opt_structure, double low[3], double high[3], bt_error *error) {
  bt_place place;
  bt_status status = bt_place_find(word, opt_structure, &place, error);
  if (status != BT_OK) return status;
  status = bt_place_extent(&place, 1, low, high, error);
  bt_place_clear(&place);
  return status;
}

static const char two_models[] =
    "MODEL        1\n"
    "ATOM      1  N   ALA A   1       1.000   2.000   3.000  1.00  0.00           N\n"
    "HETATM    2  C1  LIG A 201      -4.000   5.500   6.000  1.00  0.00           C\n"
    "HETATM    3  C2  LIG A 201       4.000     broken6.000  1.00  0.00           C\n"
    "ENDMDL\nMODEL        2\n"
    "ATOM      1  N   ALA A   1      99.000  99.000  99.000  1.00  0.00           N\n"
    "ENDMDL\nEND\n";

static void the_first_model_of_a_pdb_file(void **state) {
  (void)state;
  double low[3], high[3];
  bt_error error;
  support_ok(extent(file("two.pdb", two_models), NULL, low, high, &error), &error);
  assert_near(low[0], -4, 1e-12);
  assert_near(low[1], 2, 1e-12);
  assert_near(high[0], 1, 1e-12);
  assert_near(high[2], 6, 1e-12);
}

static void all_molecules_of_a_file(void **state) {
  (void)state;
  double low[3], high[3];
  bt_error error;
  char text[4096];
  snprintf(text, sizeof text, "MODEL 1\n%sENDMDL\nMODEL 2\n%sENDMDL\n", case_plain, case_single);
  support_ok(extent(file("two.pdbqt", text), NULL, low, high, &error), &error);
  assert_near(low[0], -6.543, 1e-12);
  assert_near(high[0], 0, 1e-12);
  char word[700];
  snprintf(word, sizeof word, "%s:XYZ", file("odd.pdbqt", case_odd));
  support_ok(extent(word, NULL, low, high, &error), &error);
  assert_near(low[0], 1.9, 1e-12); /* of the residue alone */
  assert_near(high[0], 3.7, 1e-12);
}

static void residues_of_a_structure(void **state) {
  (void)state;
  double low[3], high[3];
  bt_error error;
  if (bt_gemmi_version()[0] == '\0') skip();
  const char *path = BERTH_SOURCE_DIR "/examples/1hpv/1hpv.pdb";
  support_ok(extent("478", path, low, high, &error), &error);
  double both_low[3], both_high[3];
  support_ok(extent("478,A:25", path, both_low, both_high, &error), &error);
  bool larger = false;
  for (int k = 0; k < 3; k++) {
    assert_true(both_low[k] <= low[k] && both_high[k] >= high[k]);
    larger = larger || both_low[k] < low[k] || both_high[k] > high[k];
  }
  assert_true(larger);
  support_failed(extent("XYZ", path, low, high, &error), BT_ERR_INPUT, &error, "XYZ");
}

static void what_is_in_no_place(void **state) {
  (void)state;
  double low[3], high[3];
  bt_error error;
  support_failed(extent(file("a.smi", "CCO\n"), NULL, low, high, &error), BT_ERR_USAGE, &error, "no coordinates");
  support_failed(extent("a.smi.gz", NULL, low, high, &error), BT_ERR_USAGE, &error, "no coordinates");
  support_failed(extent(file("a.cif", "data_x\n"), NULL, low, high, &error), BT_ERR_USAGE, &error, "name the residue");
  support_failed(extent(file("none.pdb", "END\n"), NULL, low, high, &error), BT_ERR_INPUT, &error, "no atoms");
  support_failed(extent("/absent/a.pdb", NULL, low, high, &error), BT_ERR_IO, &error, "/absent/a.pdb");
  support_failed(extent("/absent/a.pdbqt", NULL, low, high, &error), BT_ERR_IO, &error, "/absent/a.pdbqt");
}

static void the_first_molecule(void **state) {
  (void)state;
  bt_error error;
  bt_place place;
  bt_molecule *molecule = NULL;
  support_ok(bt_place_find(file("one.pdbqt", case_plain), NULL, &place, &error), &error);
  support_ok(bt_place_molecule(&place, 1, NULL, NULL, &molecule, &error), &error);
  bt_place_clear(&place);
  assert_int_equal(bt_molecule_atom_count(molecule), 7);
  bt_molecule_destroy(molecule);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_of_files),
      cmocka_unit_test(words_name_files_and_residues),
      cmocka_unit_test(the_first_model_of_a_pdb_file),
      cmocka_unit_test(all_molecules_of_a_file),
      cmocka_unit_test(residues_of_a_structure),
      cmocka_unit_test(what_is_in_no_place),
      cmocka_unit_test(the_first_molecule),
  };
  return cmocka_run_group_tests(tests, enter, NULL);
}
