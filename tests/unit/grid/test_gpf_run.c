/* A grid parameter file is executed as by AutoGrid: names, center, overrides, warnings. */
#include <berth/autodock.h>
#include <berth/berth.h>
#include <math.h>

#include "grid/maps/maps.h"
#include "unit/assert_near.h"
#include "unit/support.h"

static char folder[256], gpf[300];

static void write_file(const char *name, const char *text) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *stream = fopen(path, "w");
  assert_non_null(stream);
  fputs(text, stream);
  fclose(stream);
}

static int start(void **state) {
  (void)state;
  support_folder(folder, sizeof folder);
  snprintf(gpf, sizeof gpf, "%s/x.gpf", folder);
  write_file("rec.pdbqt",
             "ATOM      1  C   ALA A   1       0.000   0.000   0.000  1.00  0.00     0.200 C \n"
             "ATOM      2  O   ALA A   1       1.230   0.000   0.000  1.00  0.00    -0.300 OA\n"
             "ATOM      3  N   ALA A   1      -0.700   1.100   3.000  1.00  0.00    -0.100 N \n");
  return 0;
}

static int end(void **state) {
  (void)state;
  char command[300];
  snprintf(command, sizeof command, "rm -r '%s'", folder);
  return system(command);
}

/* Writes a gpf with files in the test's folder, for which the text has %1$s. */
static void write_gpf(const char *format) {
  char text[4096];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  snprintf(text, sizeof text, format, folder);
#pragma GCC diagnostic pop
  write_file("x.gpf", text);
}

static bool exists(const char *name) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return access(path, R_OK) == 0;
}

static void files_get_the_names_of_the_gpf(void **state) {
  (void)state;
  write_gpf("npts 5 4 4\ngridfld %1$s/out.maps.fld\nspacing 0.5\nligand_types C OA\nreceptor_types C N OA\n"
            "receptor %1$s/rec.pdbqt\ngridcenter auto\nsmooth 0.5\nmap %1$s/carbon.map\nmap %1$s/oxygen.map\n"
            "elecmap %1$s/el.map\ndsolvmap %1$s/ds.map\ndielectric -0.1465\n");
  bt_gpf_result result;
  bt_error error;
  support_ok(bt_gpf_run(gpf, 1, NULL, &result, &error), &error);
  static const char *const names[] = {"out.maps.fld", "out.maps.xyz", "carbon.map", "oxygen.map", "el.map", "ds.map"};
  for (int i = 0; i < 6; i++) assert_true(exists(names[i]));
  bt_box box = bt_maps_box(result.maps);
  assert_int_equal(box.npts[0], 4); /* 5 is lowered to 4 */
  assert_near(box.center[0], (1.23 - 0.7) / 3.0, 1e-12);
  assert_non_null(strstr(result.warnings, "npts 5"));
  assert_non_null(strstr(result.log, "3 atoms"));
  bt_maps *read;
  support_ok(bt_maps_read(result.fld_path, NULL, 0, &read, &error), &error); /* maps are found beside the .fld */
  assert_string_equal(bt_maps_type(read, 1), "OA");
  assert_memory_equal(read->values[1], result.maps->values[1], bt_maps_points(read) * sizeof(float));
  bt_maps_destroy(read);
  bt_gpf_result_clear(&result);
}

static void keywords_reach_the_maps(void **state) {
  (void)state;
  static const char common[] = "npts 4 4 4\ngridfld %1$s/out.maps.fld\nspacing 0.5\nligand_types C Z\n"
                               "receptor %1$s/rec.pdbqt\ngridcenter 0.1 0.2 3.0\nmap %1$s/c.map\nmap %1$s/z.map\n"
                               "covalentmap 1.0 500.0 0.1 0.2 3.0\n";
  char with[2048];
  bt_gpf_result plain, changed;
  bt_error error;
  write_gpf(common);
  support_ok(bt_gpf_run(gpf, 1, NULL, &plain, &error), &error);
  snprintf(with, sizeof with, "%snbp_r_eps 3.5 0.9 12 6 C N\nqasp 0.02\ndielectric 10\nfmap %%1$s/f.map\n", common);
  write_gpf(with);
  support_ok(bt_gpf_run(gpf, 1, NULL, &changed, &error), &error);
  size_t middle = (2 * 5 + 2) * 5 + 2;
  assert_near((double)plain.maps->values[1][middle], 0.0, 0.0);
  assert_near((double)plain.maps->values[1][middle + 2], 250.0, 0.001); /* half the barrier at 1 A */
  assert_true(changed.maps->values[0][0] != plain.maps->values[0][0]);
  assert_true(bt_maps_electrostatic(plain.maps)[0] == 0.0f); /* no dielectric line */
  assert_true(bt_maps_electrostatic(changed.maps)[0] != 0.0f);
  assert_near((double)bt_maps_desolvation(changed.maps)[0], (double)bt_maps_desolvation(plain.maps)[0] * 0.02 / 0.01097,
              0.002);
  assert_non_null(strstr(plain.warnings, "dielectric"));
  assert_non_null(strstr(plain.warnings, "elecmap"));
  assert_non_null(strstr(changed.warnings, "fmap"));
  assert_true(exists("out.e.map") && exists("out.d.map"));
  bt_gpf_result_clear(&plain);
  bt_gpf_result_clear(&changed);
}

static void undeclared_receptor_types_are_warned_of(void **state) {
  (void)state;
  write_gpf("npts 4 4 4\ngridfld %1$s/out.maps.fld\nreceptor_types C OA\nligand_types C\nreceptor %1$s/rec.pdbqt\n"
            "gridcenter 0 0 0\nmap %1$s/c.map\nelecmap %1$s/e.map\ndsolvmap %1$s/d.map\ndielectric -1\n");
  bt_gpf_result result;
  bt_error error;
  support_ok(bt_gpf_run(gpf, 1, NULL, &result, &error), &error);
  assert_non_null(strstr(result.warnings, "atoms of type N"));
  bt_gpf_result_clear(&result);
}

static void faults_name_the_file(void **state) {
  (void)state;
  bt_gpf_result result;
  bt_error error;
  support_failed(bt_gpf_run("/no/such.gpf", 1, NULL, &result, &error), BT_ERR_IO, &error, "/no/such.gpf");
  bt_gpf_result_clear(&result);
  write_gpf("npts 4 4 4\ngridfld %1$s/bad.maps.fld\nligand_types C\nreceptor %1$s/none.pdbqt\n"
            "gridcenter 0 0 0\nmap %1$s/c.map\n");
  support_failed(bt_gpf_run(gpf, 1, NULL, &result, &error), BT_ERR_IO, &error, "none.pdbqt");
  bt_gpf_result_clear(&result);
  write_gpf("npts 4 4 4\ngridfld %1$s/bad.maps.fld\nligand_types C\nreceptor %1$s/rec.pdbqt\n"
            "gridcenter 0 0 0\nmap %1$s/no/c.map\n");
  support_failed(bt_gpf_run(gpf, 1, NULL, &result, &error), BT_ERR_IO, &error, "no/c.map");
  assert_false(exists("bad.maps.fld")); /* all files or none */
  bt_gpf_result_clear(&result);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(files_get_the_names_of_the_gpf, start, end),
      cmocka_unit_test_setup_teardown(keywords_reach_the_maps, start, end),
      cmocka_unit_test_setup_teardown(undeclared_receptor_types_are_warned_of, start, end),
      cmocka_unit_test_setup_teardown(faults_name_the_file, start, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
