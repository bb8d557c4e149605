/* test_gpf.c - AutoGrid's grid parameter file. */
#include "formats/autodock/gpf.h"

#include "unit/support.h"

#define GPF                                                                                       \
  "npts 60 61 62     # intervals\ngridfld rec.maps.fld\nspacing 0.4\nreceptor_types A C HD\n"     \
  "ligand_types C OA\nreceptor rec.pdbqt\ngridcenter 1.5 -2.5 3.25\nsmooth 0.25\nmap rec.C.map\n" \
  "map rec.OA.map\nelecmap rec.e.map\ndsolvmap rec.d.map\ndielectric -0.1465\n"

static void parse(const char *text, bt_gpf *gpf) {
  bt_error error;
  support_ok(bt_gpf_parse("x.gpf", text, strlen(text), gpf, &error), &error);
}

static void keywords_are_read(void **state) {
  (void)state;
  bt_gpf gpf;
  parse("# comment\n\n" GPF, &gpf);
  assert_int_equal(gpf.npts[0], 60);
  assert_int_equal(gpf.npts[1], 60); /* odd numbers are lowered */
  assert_int_equal(gpf.npts[2], 62);
  assert_int_equal(gpf.warnings.count, 1);
  assert_non_null(strstr(gpf.warnings.items[0], "61"));
  assert_true(gpf.spacing == 0.4 && gpf.smooth == 0.25 && gpf.dielectric == -0.1465 && gpf.has_dielectric);
  assert_true(!gpf.center_auto && gpf.center[0] == 1.5 && gpf.center[2] == 3.25);
  assert_int_equal(gpf.receptor_types.count, 3);
  assert_string_equal(gpf.receptor_types.items[2], "HD");
  assert_int_equal(gpf.ligand_types.count, 2);
  assert_string_equal(gpf.maps.items[1], "rec.OA.map");
  assert_string_equal(gpf.fld, "rec.maps.fld");
  assert_string_equal(gpf.receptor, "rec.pdbqt");
  assert_string_equal(gpf.opt_electrostatic, "rec.e.map");
  assert_string_equal(gpf.opt_desolvation, "rec.d.map");
  assert_null(gpf.opt_parameter_file);
  bt_gpf_destroy(&gpf);
}

static void defaults_are_autogrids(void **state) {
  (void)state;
  bt_gpf gpf;
  parse("NPTS 2 2 2\nGridFld f\nligand_types C\nreceptor r\nGRIDCENTER auto\nmap m\n", &gpf);
  assert_true(gpf.center_auto && gpf.spacing == 0.375 && gpf.smooth == 0.5 && gpf.solvation_charge == 0.01097);
  assert_false(gpf.has_dielectric);
  assert_non_null(strstr(gpf.warnings.items[0], "dielectric"));
  bt_gpf_destroy(&gpf);
}

static void rare_keywords_are_read(void **state) {
  (void)state;
  bt_gpf gpf;
  parse(GPF
        "parameter_file p.dat\nnbp_r_eps 0.25 23.2135 12 6 NA TZ\nnbp_coeffs 1e5 2e3 12 10 OA HD\n"
        "covalentmap 5.0 1000.0 1 2 3\nqasp 0.00679\nfmap rec.f.map\ndisorder_h\noutlev 1\nsol_par x\nconstant y\n",
        &gpf);
  assert_string_equal(gpf.opt_parameter_file, "p.dat");
  assert_int_equal(gpf.n_pairs, 2);
  assert_true(!gpf.pairs[0].coefficients && gpf.pairs[0].first == 0.25 && gpf.pairs[0].second == 23.2135);
  assert_int_equal(gpf.pairs[0].n, 6);
  assert_string_equal(gpf.pairs[0].types[1], "TZ");
  assert_true(gpf.pairs[1].coefficients && gpf.pairs[1].m == 12 && gpf.pairs[1].n == 10);
  assert_true(gpf.has_covalent && gpf.covalent_half_width == 5.0 && gpf.covalent_center[2] == 3.0);
  assert_true(gpf.solvation_charge == 0.00679 && gpf.disorder_h);
  assert_string_equal(gpf.opt_floating, "rec.f.map");
  bt_gpf_destroy(&gpf);
}

static void unsupported_keywords_are_told(void **state) {
  (void)state;
  bt_gpf gpf;
  parse(GPF "map_receptor_interior 1\n", &gpf);
  assert_int_equal(gpf.warnings.count, 2);
  assert_non_null(strstr(gpf.warnings.items[1], "map_receptor_interior"));
  bt_gpf_destroy(&gpf);
}

static void fails(const char *text, long line, const char *words) {
  bt_gpf gpf;
  bt_error error = {0};
  support_failed(bt_gpf_parse("x.gpf", text, strlen(text), &gpf, &error), BT_ERR_INPUT, &error, words);
  assert_string_equal(error.file, "x.gpf");
  if (error.line != line) fail_msg("%s: line %ld instead of %ld", words, error.line, line);
}

static void broken_files_are_refused(void **state) {
  (void)state;
  fails("", 0, "no gridfld line");
  fails("gridfld f\nnpts 2 2 2\ngridcenter auto\nligand_types C\nmap m\n", 0, "no receptor line");
  fails("npts 0 2 2\n", 1, "'0' is not a number of intervals");
  fails("npts 60 60\n", 1, "npts lacks a number");
  fails("npts 99999999999999999999 2 2\n", 1, "is not a number of intervals");
  fails("spacing 0\n", 1, "spacing: '0'");
  fails("spacing\n", 1, "spacing lacks");
  fails("gridcenter 1 2 nan\n", 1, "'nan' is not z");
  fails("gridfld\n", 1, "gridfld lacks a file");
  fails("ligand_types\n", 1, "lacks an atom type");
  fails("ligand_types TOOLONGTYPE\n", 1, "is not an atom type");
  fails("\nfoo bar\n", 2, "'foo' is not a keyword");
  fails(GPF "map another\n", 0, "2 ligand types but 3 map lines");
  fails(GPF "ligand_types C C\n", 0, "type C is named twice");
  fails("nbp_r_eps 1 2 6 6 A B\n", 1, "exponents are equal");
  fails("nbp_r_eps 1 2 12 6 A\n", 1, "lacks an atom type");
  fails("dielectric inf\n", 1, "is not a dielectric constant");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(keywords_are_read),        cmocka_unit_test(defaults_are_autogrids),
      cmocka_unit_test(rare_keywords_are_read),   cmocka_unit_test(unsupported_keywords_are_told),
      cmocka_unit_test(broken_files_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
