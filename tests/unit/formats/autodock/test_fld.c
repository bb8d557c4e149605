/* test_fld.c - AutoGrid's .maps.fld: the box, and which file holds which map. */
#include "formats/autodock/fld.h"

#include "unit/support.h"

#define BOX "#SPACING 0.375\n#NELEMENTS 10 12 14\n#CENTER 0.500 1.250 -3.000\n"
#define NAMES "#MACROMOLECULE my.rec.pdbqt\n#GRID_PARAMETER_FILE g.gpf\n"
#define LABELS "label=C-affinity\t# component label for variable 1\nlabel=Electrostatics\nlabel=Desolvation# x\n"
#define FILES                                                                                          \
  "variable 1 file=rec.C.map filetype=ascii skip=6\nvariable 2 file=rec.e.map filetype=ascii skip=6\n" \
  "variable 3 filetype=ascii file=rec.d.map skip=6\n"

static bt_status parse(const char *text, bt_fld *fld, bt_error *error) {
  return bt_fld_parse("rec.maps.fld", text, strlen(text), fld, error);
}

static void box_names_and_files_are_read(void **state) {
  (void)state;
  bt_fld fld;
  bt_error error;
  support_ok(parse("# AVS field file\r\n" BOX NAMES "dim1=11\t\t\t# x\r\ndim2=13\ndim3=15\nveclen=3\n" LABELS FILES,
                   &fld, &error),
             &error);
  assert_true(fld.box.spacing == 0.375 && fld.box.center[1] == 1.25 && fld.box.center[2] == -3.0);
  assert_int_equal(fld.box.npts[0], 10);
  assert_int_equal(fld.box.npts[2], 14);
  assert_string_equal(fld.receptor_file, "my.rec.pdbqt");
  assert_string_equal(fld.gpf_name, "g.gpf");
  assert_int_equal(fld.n_maps, 3);
  assert_string_equal(fld.maps[0].type, "C");
  assert_string_equal(fld.maps[0].file, "rec.C.map");
  assert_int_equal(fld.maps[0].role, BT_FLD_AFFINITY);
  assert_int_equal(fld.maps[1].role, BT_FLD_ELECTROSTATIC);
  assert_int_equal(fld.maps[2].role, BT_FLD_DESOLVATION);
  assert_string_equal(fld.maps[2].file, "rec.d.map");
  bt_fld_destroy(&fld);
}

static void maps_may_be_added_at_the_end(void **state) {
  (void)state;
  bt_fld fld;
  bt_error error;
  support_ok(parse(BOX NAMES "veclen=3\n" LABELS FILES "label=W-affinity\nvariable 4 file=w.map filetype=ascii skip=6\n"
                             "label=Floating\nvariable 5 file=rec.f.map\n",
                   &fld, &error),
             &error);
  assert_int_equal(fld.n_maps, 5);
  assert_string_equal(fld.maps[3].type, "W");
  assert_string_equal(fld.maps[3].file, "w.map");
  assert_int_equal(fld.maps[4].role, BT_FLD_OTHER);
  bt_fld_destroy(&fld);
}

static void fails(const char *text, long line, const char *words) {
  bt_fld fld;
  bt_error error = {0};
  support_failed(parse(text, &fld, &error), BT_ERR_INPUT, &error, words);
  assert_string_equal(error.file, "rec.maps.fld");
  if (error.line != line) fail_msg("%s: line %ld instead of %ld", words, error.line, line);
}

static void broken_files_are_refused(void **state) {
  (void)state;
  fails("", 0, "no #SPACING");
  fails("#SPACING 0.375\n#CENTER 0 0 0\n" LABELS FILES, 0, "no #NELEMENTS");
  fails("#SPACING 0.375\n#NELEMENTS 2 2 2\n" LABELS FILES, 0, "no #CENTER");
  fails("#SPACING 0\n", 1, "spacing is not a number");
  fails("#SPACING -0.375\n", 1, "spacing is not a number");
  fails("#SPACING inf\n", 1, "spacing is not a number");
  fails("#NELEMENTS 10 11 12\n", 1, "NELEMENTS is odd: 11");
  fails("#NELEMENTS 0 2 2\n", 1, "not three positive");
  fails("#NELEMENTS 2147483648 2 2\n", 1, "not three positive");
  fails("#CENTER 0 nan 0\n", 1, "not three coordinates");
  fails(BOX "dim1=10\n" LABELS FILES, 0, "dim1=10 disagrees with NELEMENTS 10");
  fails(BOX "dim2=x\n" LABELS FILES, 4, "dim2 is not a positive number");
  fails(BOX LABELS, 0, "3 labels but 0 map files");
  fails(BOX LABELS FILES "label=OA-affinity\n", 0, "4 labels but 3 map files");
  fails(BOX "label=-affinity\n" FILES, 4, "no atom type");
  fails(BOX "label=MUCHTOOLONG-affinity\n" FILES, 4, "no atom type");
  fails(BOX "variable 1 filetype=ascii\n", 4, "names no file");
  fails(BOX "variable 1 file= filetype=ascii\n", 4, "names no file");
  fails(BOX "label=C-affinity\nvariable 1 file=a\n", 0, "no electrostatic map");
  fails(BOX "label=Electrostatics\nvariable 1 file=a\n", 0, "no desolvation map");
  fails(BOX LABELS FILES "label=C-affinity\nvariable 4 file=b\n", 10, "already named in line 4");
  fails("\x01\x02", 0, "binary");
}

/* By its line, or by the look of the types. */
static void maps_know_their_scoring_function(void **state) {
  (void)state;
  static const struct {
    const char *text;
    bt_scoring scoring;
  } cases[] = {
      {BOX LABELS FILES, BT_SCORING_AD4},
      {"# Scoring function ad4\n" BOX LABELS FILES, BT_SCORING_AD4},
      {"# Scoring function vina\n" BOX LABELS FILES, BT_SCORING_VINA},
      {"#  Scoring function   vinardo \r\n" BOX LABELS FILES, BT_SCORING_VINARDO},
      {"# Scoring functions are many\n" BOX LABELS FILES, BT_SCORING_AD4},
      {BOX "label=C_H-affinity\nvariable 4 file=d\n" LABELS FILES, BT_SCORING_VINA},
      {"# Scoring function vinardo\n" BOX "label=C_H-affinity\nvariable 4 file=d\n" LABELS FILES, BT_SCORING_VINARDO}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    bt_fld fld;
    bt_error error;
    support_ok(bt_fld_parse("x", cases[k].text, strlen(cases[k].text), &fld, &error), &error);
    assert_int_equal(fld.scoring, cases[k].scoring);
    bt_fld_destroy(&fld);
  }
  fails("#\n# Scoring function smina\n" BOX LABELS FILES, 2, "'smina' is not a scoring function");
}

static void what_is_written_is_read_back(void **state) {
  (void)state;
  const bt_box box = {.center = {23.5025, -1.0, 0.0}, .npts = {20, 10, 12}, .spacing = 0.375};
  const char types[2][8] = {"C", "OA"};
  const char *files[] = {"r.C.map", "r.OA.map", "r.e.map", "r.d.map"};
  bt_text text = {0};
  bt_fld_format(&text, &box, "r.pdbqt", "g.gpf", "r.maps.xyz", types, 2, files, BT_SCORING_AD4);
  assert_int_equal(bt_text_status(&text, NULL), BT_OK);
  bt_fld fld;
  bt_error error;
  support_ok(bt_fld_parse("x", text.data, text.size, &fld, &error), &error);
  assert_int_equal(fld.n_maps, 4);
  assert_string_equal(fld.maps[1].type, "OA");
  assert_string_equal(fld.maps[1].file, "r.OA.map");
  assert_int_equal(fld.maps[3].role, BT_FLD_DESOLVATION);
  assert_string_equal(fld.receptor_file, "r.pdbqt");
  /* AutoDock 4 takes these five lines by position */
  assert_non_null(strstr(text.data,
                         "\n#SPACING 0.375\n#NELEMENTS 20 10 12\n#CENTER 23.503 -1.000 0.000\n"
                         "#MACROMOLECULE r.pdbqt\n#GRID_PARAMETER_FILE g.gpf\n"));
  assert_non_null(strstr(text.data, "\nveclen=4\t"));
  bt_fld_destroy(&fld);
  text.size = 0;
  bt_xyz_format(&text, &box);
  assert_string_equal(text.data, "19.753 27.253\n-2.875 0.875\n-2.250 2.250\n");
  bt_text_destroy(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(box_names_and_files_are_read), cmocka_unit_test(maps_may_be_added_at_the_end),
      cmocka_unit_test(broken_files_are_refused),     cmocka_unit_test(maps_know_their_scoring_function),
      cmocka_unit_test(what_is_written_is_read_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
