/* test_bound_waters.c - which waters of 1HPV stay, clause by clause of the rule in bound_waters.h. */
#include <berth/berth.h>

#include "unit/prep/receptor/receptor.h"

#define ENTRY BERTH_SOURCE_DIR "/examples/1hpv/1hpv.pdb"
#define FLAP "HETATM 1554  O   HOH   201       8.009  13.804   8.675  1.00 25.63"
#define WATER "HETATM 1559  O   HOH   206      17.115  19.592   4.022  1.00 24.13"
#define MORE "HETATM 1557  O   HOH   204      20.070  29.382   0.343  1.00 22.74"

/* Those of the rule, in the order of the file. */
static const char *const bound[] = {":HOH201", ":HOH202", ":HOH206", ":HOH218", ":HOH248", ":HOH261", ":HOH275"};
enum { BOUND = sizeof bound / sizeof bound[0], WATERS = 80 };

static bt_receptor_options site(bt_waters waters) {
  static const char *const places[] = {"478"};
  bt_receptor_options options = bt_receptor_options_default();
  const double center[3] = {9.357, 16.147, 9.207}, size[3] = {19.5, 18.0, 25.5};
  options.waters = waters;
  options.places = places;
  options.n_places = 1;
  memcpy(options.box_center, center, sizeof center);
  memcpy(options.box_size, size, sizeof size);
  return options;
}

/* The entry with a line in place of the one that begins so, and others behind it. */
static const char *entry_with(const char *line, const char *other) {
  char *text, *at, *end;
  size_t size;
  bt_error error = {0};
  support_ok(bt_file_read(ENTRY, &text, &size, &error), &error);
  assert_non_null(at = strstr(text, line));
  assert_non_null(end = strchr(at, '\n'));
  *at = '\0';
  bt_text all = {0};
  bt_text_printf(&all, "%s%s%s", text, other, end);
  assert_false(all.failed);
  const char *path = file_of("entry.pdb", all.data);
  bt_text_destroy(&all);
  free(text);
  return path;
}

static bool has_water(const bt_prepared_receptor *p, int number) {
  return atom_named(bt_prepared_receptor_rigid(p), number, "O") != NULL &&
         count_type(bt_prepared_receptor_rigid(p), number, "HD") == 2;
}

/* Is the water in the receptor of this file? As many are as are told. */
static bool stays(const char *path, int number, int waters) {
  bt_receptor_options options = site(BT_WATERS_BOUND);
  bt_prepared_receptor *p = prepared(path, &options);
  bool found = has_water(p, number);
  assert_int_equal(bt_prepared_receptor_water_count(p), waters);
  bt_prepared_receptor_destroy(p);
  return found;
}

static bool noted(const bt_prepared_receptor *p, const char *words) {
  bool found = false;
  for (int i = 0; i < bt_prepared_receptor_note_count(p); i++)
    found = found || strstr(bt_prepared_receptor_note(p, i), words) != NULL;
  return found;
}

static void the_flap_water_is_bound(void **state) {
  (void)state;
  needs_gemmi();
  bt_receptor_options options = site(BT_WATERS_BOUND);
  bt_prepared_receptor *p = prepared(ENTRY, &options);
  assert_int_equal(bt_prepared_receptor_water_count(p), BOUND);
  for (int k = 0; k < BOUND; k++) assert_true(reported(p, bound[k], "bound water; "));
  assert_true(reported(p, ":HOH201", "2 hydrogen bonds, 29 atoms within 6 Angstrom, B factor 25.6, 0.71 times theirs"));
  assert_true(reported(p, ":HOH203",
                       "deleted: water; 4 hydrogen bonds, 43 atoms within 6 Angstrom, B factor 39.1, 1.55 times"));
  assert_true(
      noted(p,
            "7 waters that the receptor holds are kept: :HOH201 (2 hydrogen bonds, B factor 25.6, 0.71 times that "
            "around), :HOH202 (5 hydrogen bonds, "));
  assert_true(noted(p, "49 waters within 8 Angstrom of the box are removed: "));
  assert_false(noted(p, "--waters bound"));
  const char *json = strstr(bt_prepared_receptor_report_json(p), "\"water\": {\"bound\": true");
  assert_non_null(json);
  assert_non_null(strstr(
      json, "\"hydrogen_bonds\": 2, \"atoms_around\": 29, \"occupancy\": 1, \"b_factor\": 25.63, \"b_ratio\": 0.71}"));
  bt_prepared_receptor_destroy(p);
}

/* A ligand that stays is part of the receptor. */
static void the_ligand_counts_where_it_stays(void **state) {
  (void)state;
  needs_gemmi();
  if (*bt_rdkit_version() == '\0') skip();
  static const char *const keep[] = {"478"};
  bt_receptor_options options = site(BT_WATERS_BOUND);
  options.n_places = 0;
  options.keep = keep;
  options.n_keep = 1;
  bt_prepared_receptor *p = prepared(ENTRY, &options);
  assert_true(reported(p, ":HOH201", "4 hydrogen bonds, 53 atoms"));
  bt_prepared_receptor_destroy(p);
  options.n_keep = 0; /* taken out, as it is at the center of the box */
  p = prepared(ENTRY, &options);
  assert_true(reported(p, ":HOH201", "2 hydrogen bonds, 29 atoms"));
  bt_prepared_receptor_destroy(p);
}

/* By rule or by name, the receptor is the same. */
static void assert_kept(const bt_prepared_receptor *by_rule, const char *const *names, int count) {
  bt_receptor_options options = site(BT_WATERS_NONE);
  options.keep = names;
  options.n_keep = count;
  bt_prepared_receptor *by_name = prepared(ENTRY, &options);
  assert_int_equal(bt_prepared_receptor_water_count(by_name), 0); /* the user's, not the rule's */
  assert_string_equal(bt_prepared_receptor_rigid_pdbqt(by_rule), bt_prepared_receptor_rigid_pdbqt(by_name));
  bt_prepared_receptor_destroy(by_name);
}

static void none_and_all(void **state) {
  (void)state;
  needs_gemmi();
  bt_receptor_options options = site(BT_WATERS_NONE);
  bt_prepared_receptor *p = prepared(ENTRY, &options);
  assert_int_equal(bt_prepared_receptor_water_count(p), 0);
  assert_false(has_water(p, 201));
  assert_true(reported(p, ":HOH201", "deleted: water; 2 hydrogen bonds"));
  assert_true(noted(p, "--keep HOH keeps them, --waters bound the 7 that the receptor holds"));
  bt_prepared_receptor_destroy(p);
  static const char *const words[] = {"HOH"};
  options = site(BT_WATERS_ALL);
  p = prepared(ENTRY, &options);
  assert_int_equal(bt_prepared_receptor_water_count(p), WATERS);
  assert_true(noted(p, "80 waters of the file are kept"));
  assert_kept(p, words, 1);
  bt_prepared_receptor_destroy(p);
}

static void the_same_as_by_name(void **state) {
  (void)state;
  needs_gemmi();
  bt_receptor_options options = site(BT_WATERS_BOUND);
  bt_prepared_receptor *p = prepared(ENTRY, &options);
  assert_kept(p, bound, BOUND);
  bt_prepared_receptor_destroy(p);
}

static void words_come_first(void **state) {
  (void)state;
  needs_gemmi();
  static const char *const keep[] = {"HOH203"}, *const remove[] = {"HOH206"};
  bt_receptor_options options = site(BT_WATERS_BOUND);
  options.keep = keep;
  options.remove = remove;
  options.n_keep = options.n_remove = 1;
  options.opt_name = "wet";
  bt_prepared_receptor *p = prepared(ENTRY, &options);
  assert_true(has_water(p, 203) && !has_water(p, 206) && has_water(p, 201));
  assert_int_equal(bt_prepared_receptor_water_count(p), BOUND - 1);
  assert_string_equal(bt_molecule_name(bt_prepared_receptor_rigid(p)), "wet");
  bt_prepared_receptor_destroy(p);
  static const char *const every[] = {"HOH"};
  options = site(BT_WATERS_BOUND);
  options.keep = every;
  options.n_keep = 1;
  p = prepared(ENTRY, &options);
  assert_true(noted(p, "no further water is bound by the receptor"));
  bt_prepared_receptor_destroy(p);
  options.waters = BT_WATERS_ALL;
  p = prepared(ENTRY, &options);
  assert_true(noted(p, "80 waters of the file are kept"));
  bt_prepared_receptor_destroy(p);
}

static void order(void **state) {
  (void)state;
  needs_gemmi();
  assert_true(stays(ENTRY, 206, BOUND));
  /* three bonds: the limit is 1.25 times 25.4 */
  assert_true(
      stays(entry_with(WATER, "HETATM 1559  O   HOH   206      17.115  19.592   4.022  1.00 31.50"), 206, BOUND));
  assert_false(
      stays(entry_with(WATER, "HETATM 1559  O   HOH   206      17.115  19.592   4.022  1.00 32.10"), 206, BOUND - 1));
  assert_true(
      stays(entry_with(WATER, "HETATM 1559  O   HOH   206      17.115  19.592   4.022  0.50 24.13"), 206, BOUND));
  assert_false(
      stays(entry_with(WATER, "HETATM 1559  O   HOH   206      17.115  19.592   4.022  0.49 24.13"), 206, BOUND - 1));
  /* two bonds: 0.8 times 36.1 */
  assert_true(
      stays(entry_with(FLAP, "HETATM 1554  O   HOH   201       8.009  13.804   8.675  1.00 28.50"), 201, BOUND));
  assert_false(
      stays(entry_with(FLAP, "HETATM 1554  O   HOH   201       8.009  13.804   8.675  1.00 29.30"), 201, BOUND - 1));
}

/* Another location without a letter, or a copy by symmetry: the one with the higher occupancy stays, or else the first.
 */
static void one_of_two_in_a_place(void **state) {
  (void)state;
  needs_gemmi();
  static const char copy[] = "\nHETATM 1999  O   HOH   999      17.365  19.592   4.022  %4.2f 24.13";
  for (int k = 0; k < 3; k++) {
    const double one[] = {1.0, 0.6, 1.0}, other[] = {0.6, 1.0, 1.0};
    char lines[240];
    int used =
        snprintf(lines, sizeof lines, "HETATM 1559  O   HOH   206      17.115  19.592   4.022  %4.2f 24.13", one[k]);
    (void)!snprintf(lines + used, sizeof lines - (size_t)used, copy, other[k]);
    const char *path = entry_with(WATER, lines);
    assert_int_equal(stays(path, 206, BOUND), k != 1);
    assert_int_equal(stays(path, 999, BOUND), k == 1);
  }
  /* one that the user keeps has the place */
  static const char *const keep[] = {"HOH999"};
  bt_receptor_options options = site(BT_WATERS_BOUND);
  options.keep = keep;
  options.n_keep = 1;
  char lines[240];
  snprintf(lines, sizeof lines, "%s\nHETATM 1999  O   HOH   999      17.365  19.592   4.022  0.60 24.13", WATER);
  bt_prepared_receptor *p = prepared(entry_with(WATER, lines), &options);
  assert_true(has_water(p, 999) && !has_water(p, 206));
  assert_true(reported(p, ":HOH206", "in the place of others"));
  bt_prepared_receptor_destroy(p);
}

/* On an atom of the protein: what is there is another location of it. */
static void not_on_the_protein(void **state) {
  (void)state;
  needs_gemmi();
  const char *path = entry_with(WATER, WATER "\nHETATM 1999  O   HOH   999      18.715  18.192   5.022  1.00 20.00");
  bt_receptor_options options = site(BT_WATERS_BOUND);
  bt_prepared_receptor *p = prepared(path, &options);
  assert_false(has_water(p, 999));
  assert_true(reported(p, ":HOH999", "in the place of others"));
  bt_prepared_receptor_destroy(p);
}

/* Alternate locations of one water: the one that is used is judged. */
static void alternate_locations(void **state) {
  (void)state;
  needs_gemmi();
  static const char two[] =
      "HETATM 1559  O  AHOH   206      17.115  19.592   4.022  0.60 24.13           O\n"
      "HETATM 1560  O  BHOH   206      17.115  19.592   9.022  0.40 24.13           O\n"
      "REMARK";
  const char *path = entry_with(WATER, two);
  bt_receptor_options options = site(BT_WATERS_BOUND);
  bt_prepared_receptor *p = prepared(path, &options);
  assert_true(has_water(p, 206) && fabs(atom_named(bt_prepared_receptor_rigid(p), 206, "O")->x[2] - 4.022) < 1e-3);
  bt_prepared_receptor_destroy(p);
  static const char *const altlocs[] = {"B"};
  options.altlocs = altlocs;
  options.n_altlocs = 1;
  p = prepared(path, &options);
  assert_false(has_water(p, 206));
  bt_prepared_receptor_destroy(p);
}

/* HOH 204 has two bonds; a metal within 2.8 Angstrom is the third. */
static void metals_hold_waters(void **state) {
  (void)state;
  needs_gemmi();
  static const char *const near[] = {
      "\nHETATM 1999 MG    MG   999      21.270  31.082   0.343  1.00 22.00          MG",
      "\nHETATM 1999 MG    MG   999      22.070  32.182   0.343  1.00 22.00          MG"};
  for (int k = 0; k < 2; k++) {
    char lines[240];
    snprintf(lines, sizeof lines, "%s%s", MORE, near[k]);
    bt_receptor_options options = site(BT_WATERS_BOUND);
    bt_prepared_receptor *p = prepared(entry_with(MORE, lines), &options);
    assert_int_equal(has_water(p, 204), k == 0);
    assert_true(reported(p, ":HOH204", k == 0 ? "3 hydrogen bonds" : "2 hydrogen bonds"));
    bt_prepared_receptor_destroy(p);
  }
}

static void only_near_the_box(void **state) {
  (void)state;
  needs_gemmi();
  bt_receptor_options options = site(BT_WATERS_BOUND);
  options.box_center[0] += 30.0;
  bt_prepared_receptor *p = prepared(ENTRY, &options);
  assert_false(has_water(p, 201));
  bt_prepared_receptor_destroy(p);
  options.box_center[0] += 900.0;
  p = prepared(ENTRY, &options);
  assert_int_equal(bt_prepared_receptor_water_count(p), 0);
  assert_true(noted(p, "no water is bound by the receptor"));
  bt_prepared_receptor_destroy(p);
}

/* Those of a model are all the same: only the bonds count. */
static void without_b_factors(void **state) {
  (void)state;
  needs_gemmi();
  char *text;
  size_t size;
  bt_error error = {0};
  support_ok(bt_file_read(ENTRY, &text, &size, &error), &error);
  for (char *line = text; *line != '\0';
       line = strchr(line, '\n') != NULL ? strchr(line, '\n') + 1 : line + strlen(line))
    if (strncmp(line, "ATOM", 4) == 0 || strncmp(line, "HETATM", 6) == 0) memcpy(line + 60, "  0.00", 6);
  const char *path = file_of("flat.pdb", text);
  free(text);
  bt_receptor_options options = site(BT_WATERS_BOUND);
  bt_prepared_receptor *p = prepared(path, &options);
  assert_true(has_water(p, 202) && has_water(p, 203) && !has_water(p, 201));
  assert_true(reported(p, ":HOH201", "1.00 times theirs"));
  bt_prepared_receptor_destroy(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_flap_water_is_bound),
      cmocka_unit_test(the_ligand_counts_where_it_stays),
      cmocka_unit_test(none_and_all),
      cmocka_unit_test(the_same_as_by_name),
      cmocka_unit_test(words_come_first),
      cmocka_unit_test(order),
      cmocka_unit_test(one_of_two_in_a_place),
      cmocka_unit_test(not_on_the_protein),
      cmocka_unit_test(alternate_locations),
      cmocka_unit_test(metals_hold_waters),
      cmocka_unit_test(only_near_the_box),
      cmocka_unit_test(without_b_factors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
