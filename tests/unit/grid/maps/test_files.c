/* test_files.c - sets of maps are written to files and read back. */
#include <berth/berth.h>
#include <berth/grid.h>
#include <dirent.h>
#include <math.h>
#include <sys/stat.h>

#include "base/files/file.h"
#include "grid/maps/maps.h"
#include "unit/support.h"

static const char *const types[] = {"C", "OA", "HD"};
static char folder[256];

static int make_folder(void **state) {
  (void)state;
  support_folder(folder, sizeof folder);
  return 0;
}

static int remove_folder(void **state) {
  (void)state;
  DIR *directory = opendir(folder);
  char path[600];
  for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (entry->d_name[0] != '.') unlink(path);
  }
  closedir(directory);
  return rmdir(folder); /* fails if a temporary file was left */
}

static const char *in_folder(const char *name) {
  static char path[400];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

/* Values that identify map and point, rounded to three decimals as in the files. */
static float value_of(int map, size_t point) { return (float)((double)((int)(point % 4001) - 2000 + map) / 1000.0); }

static bt_maps *make_maps(void) {
  const bt_box box = {.center = {1.5, -2.25, 3.125}, .npts = {4, 6, 8}, .spacing = 0.375};
  bt_maps *maps;
  bt_error error;
  support_ok(bt_maps_create(&box, types, 3, &maps, &error), &error);
  maps->receptor_file = strdup("my.rec.pdbqt");
  maps->gpf_name = strdup("my.gpf");
  for (int m = 0; m < 5; m++)
    for (size_t i = 0; i < bt_maps_points(maps); i++) maps->values[m][i] = value_of(m, i);
  return maps;
}

static void write_maps(void) {
  bt_maps *maps = make_maps();
  bt_error error;
  support_ok(bt_maps_write(maps, in_folder("rec"), &error), &error);
  bt_maps_destroy(maps);
}

static void maps_survive_the_way_through_files(void **state) {
  (void)state;
  write_maps();
  bt_maps *maps;
  bt_error error;
  support_ok(bt_maps_read(in_folder("rec.maps.fld"), NULL, 0, &maps, &error), &error);
  assert_int_equal(maps->n_types, 3);
  for (int m = 0; m < 3; m++) assert_string_equal(bt_maps_type(maps, m), types[m]);
  for (int m = 0; m < 5; m++)
    for (size_t i = 0; i < bt_maps_points(maps); i++) assert_true(maps->values[m][i] == value_of(m, i));
  bt_box box = bt_maps_box(maps);
  assert_true(box.npts[0] == 4 && box.npts[1] == 6 && box.npts[2] == 8 && box.spacing == 0.375);
  assert_true(box.center[0] == 1.5 && maps->low[0] == 0.75 && maps->high[2] == 4.625);
  assert_string_equal(bt_maps_receptor_name(maps), "my.rec");
  assert_string_equal(maps->receptor_file, "my.rec.pdbqt");
  assert_string_equal(maps->gpf_name, "my.gpf");
  assert_string_equal(maps->fld_path, in_folder("rec.maps.fld"));
  bt_maps_destroy(maps);
}

static void only_wanted_maps_are_read(void **state) {
  (void)state;
  write_maps();
  const char *broken = in_folder("rec.C.map");
  bt_error error;
  support_ok(bt_file_write(broken, "rubbish\n", 8, &error), &error);
  const char *const wanted[] = {"HD", "G0", "HD"};
  bt_maps *maps;
  support_ok(bt_maps_read(in_folder("rec.maps.fld"), wanted, 3, &maps, &error), &error);
  assert_int_equal(maps->n_types, 1); /* ring-closure points need no map, repeated types one */
  assert_string_equal(maps->types[0], "HD");
  assert_true(maps->values[0][7] == value_of(2, 7));
  assert_true(bt_maps_electrostatic(maps)[7] == value_of(3, 7));
  assert_true(bt_maps_desolvation(maps)[7] == value_of(4, 7));
  bt_maps_destroy(maps);
  support_failed(bt_maps_read(in_folder("rec.maps.fld"), NULL, 0, &maps, &error), BT_ERR_INPUT, &error, "rec.C.map");
  assert_null(maps);
}

static void ring_closure_carbons_use_the_carbon_map(void **state) {
  (void)state;
  write_maps();
  const char *const wanted[] = {"CG0", "CG1"};
  bt_maps *maps;
  bt_error error;
  support_ok(bt_maps_read(in_folder("rec.maps.fld"), wanted, 2, &maps, &error), &error);
  assert_int_equal(maps->n_types, 1);
  assert_int_equal(bt_maps_find(maps, "CG1"), 0);
  bt_maps_destroy(maps);
}

static void a_missing_type_is_named(void **state) {
  (void)state;
  write_maps();
  const char *const wanted[] = {"C", "Br"};
  bt_maps *maps;
  bt_error error;
  support_failed(bt_maps_read(in_folder("rec.maps.fld"), wanted, 2, &maps, &error), BT_ERR_PARAMETER, &error,
                 "no map of atom type Br");
  assert_int_equal(unlink(in_folder("rec.e.map")), 0);
  support_failed(bt_maps_read(in_folder("rec.maps.fld"), wanted, 1, &maps, &error), BT_ERR_IO, &error,
                 "rec.e.map: cannot read");
}

/* AutoGrid writes names as its parameter file gave them, which may be relative to another folder. */
static void maps_beside_the_fld_are_found(void **state) {
  (void)state;
  write_maps();
  char *data;
  size_t size;
  bt_error error;
  support_ok(bt_file_read(in_folder("rec.maps.fld"), &data, &size, &error), &error);
  bt_text text = {0};
  for (char *at = data, *hit; at != NULL; at = hit) {
    hit = strstr(at + 1, "file=rec.");
    bt_text_add(&text, at, hit != NULL ? (size_t)(hit - at) : strlen(at));
    if (hit != NULL) {
      bt_text_add_string(&text, "file=out/of/sight/");
      hit += 5;
    }
  }
  support_ok(bt_file_write(in_folder("rec.maps.fld"), text.data, text.size, &error), &error);
  assert_non_null(strstr(text.data, "file=out/of/sight/rec.HD.map"));
  bt_maps *maps;
  support_ok(bt_maps_read(in_folder("rec.maps.fld"), NULL, 0, &maps, &error), &error);
  bt_maps_destroy(maps);
  bt_text_destroy(&text);
  free(data);
}

static int count_files(void) {
  DIR *directory = opendir(folder);
  int count = -2;
  while (readdir(directory) != NULL) count++;
  closedir(directory);
  return count;
}

static void a_failed_write_leaves_nothing(void **state) {
  (void)state;
  bt_maps *maps = make_maps();
  bt_error error;
  support_failed(bt_maps_write(maps, in_folder("no/such/rec"), &error), BT_ERR_IO, &error, "create the folder first");
  assert_int_equal(mkdir(in_folder("rec.e.map"), 0777), 0); /* the last but one file cannot be written */
  support_failed(bt_maps_write(maps, in_folder("rec"), &error), BT_ERR_IO, &error, "rec.e.map");
  assert_int_equal(count_files(), 1);
  assert_int_equal(rmdir(in_folder("rec.e.map")), 0);
  maps->values[1][3] = 0.0f / 0.0f;
  support_failed(bt_maps_write(maps, in_folder("rec"), &error), BT_ERR_LIMIT, &error, "not a finite number");
  assert_int_equal(count_files(), 0);
  bt_maps_destroy(maps);
}

/* Maps of AutoGrid 4, read and written, are the same text, but for the spelling of zero. */
static void autogrids_text_is_reproduced(void **state) {
  (void)state;
  const char *fld = "/usr/share/autodock/Tests/1pgp_rec.maps.fld";
  if (access(fld, R_OK) != 0) {
    print_message("skipped: the package autodock-test is not installed\n");
    skip();
  }
  bt_maps *maps;
  bt_error error;
  support_ok(bt_maps_read(fld, NULL, 0, &maps, &error), &error);
  support_ok(bt_maps_write(maps, in_folder("1pgp_rec"), &error), &error);
  bt_maps_destroy(maps);
  const char *names[] = {"C", "HD", "OA", "P", "e", "d"};
  for (int m = 0; m < 6; m++) {
    char path[200], name[64];
    char *original, *copy;
    size_t size, copy_size;
    snprintf(path, sizeof path, "/usr/share/autodock/Tests/1pgp_rec.%s.map", names[m]);
    snprintf(name, sizeof name, "1pgp_rec.%s.map", names[m]);
    support_ok(bt_file_read(path, &original, &size, &error), &error);
    support_ok(bt_file_read(in_folder(name), &copy, &copy_size, &error), &error);
    bt_lines lines = bt_lines_of(original, size), copies = bt_lines_of(copy, copy_size);
    bt_span line, other;
    while (bt_lines_next(&lines, &line)) {
      assert_true(bt_lines_next(&copies, &other));
      bool zero = (bt_span_equals(line, "0.000") || bt_span_equals(line, "-0.000")) && bt_span_equals(other, "0.");
      if (!zero && (line.size != other.size || memcmp(line.text, other.text, line.size) != 0))
        fail_msg("%s:%ld: %.*s became %.*s", path, lines.number, (int)line.size, line.text, (int)other.size,
                 other.text);
    }
    assert_false(bt_lines_next(&copies, &other));
    free(original);
    free(copy);
  }
}

static void differences_are_counted_in_tolerances(void **state) {
  (void)state;
  bt_maps *maps = make_maps(), *reference = make_maps();
  bt_maps_difference difference;
  bt_error error;
  support_ok(bt_maps_compare(maps, reference, &difference, &error), &error);
  assert_int_equal(difference.values, 5 * bt_maps_points(maps));
  assert_int_equal(difference.beyond, 0);
  assert_true(difference.worst == 0);
  maps->values[1][7] = reference->values[1][7] + 0.003F; /* of 0.002 */
  reference->values[4][3] = 1000.0F;
  maps->values[4][3] = 1000.5F; /* of 1 */
  support_ok(bt_maps_compare(maps, reference, &difference, &error), &error);
  assert_int_equal(difference.beyond, 1);
  assert_true(fabs(difference.worst - 1.5) < 1e-3);
  maps->values[0][0] = NAN;
  support_ok(bt_maps_compare(maps, reference, &difference, &error), &error);
  assert_int_equal(difference.beyond, 2);
  assert_true(isinf(difference.worst));
  strcpy(maps->types[0], "Br");
  support_failed(bt_maps_compare(maps, reference, &difference, &error), BT_ERR_PARAMETER, &error, "Br");
  maps->box.npts[0] += 2;
  support_failed(bt_maps_compare(maps, reference, &difference, &error), BT_ERR_INPUT, &error, "boxes");
  maps->box.npts[0] -= 2;
  bt_maps_destroy(maps);
  bt_maps_destroy(reference);
}

int main(void) {
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(differences_are_counted_in_tolerances),
      IN_FOLDER(maps_survive_the_way_through_files),
      IN_FOLDER(only_wanted_maps_are_read),
      IN_FOLDER(ring_closure_carbons_use_the_carbon_map),
      IN_FOLDER(a_missing_type_is_named),
      IN_FOLDER(maps_beside_the_fld_are_found),
      IN_FOLDER(a_failed_write_leaves_nothing),
      IN_FOLDER(autogrids_text_is_reproduced),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
