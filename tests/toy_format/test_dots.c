/* test_dots.c - the toy format, a row and a line, is read by the library and by every command. */
#include <berth/berth.h>
#include <berth/prepare.h>

#include "base/files/file.h"
#include "prep/formats.h"
#include "unit/support.h"

static const char two[] = "one 1 2 3 2.5 2 3\n\ntwo 4 5 6\n", broken[] = "one 1 2 3\nbad 4 5\n";
static char folder[400], path[500];

static void write_file(const char *text) {
  bt_error error;
  support_folder(folder, sizeof folder);
  snprintf(path, sizeof path, "%s/some.dots", folder);
  support_ok(bt_file_write(path, text, strlen(text), &error), &error);
}

static void expect_two(bt_ligand_reader *reader) {
  bt_error error;
  const char *const names[] = {"one", "two"};
  bt_molecule *molecule;
  for (int i = 0; i < 2; i++) {
    support_ok(bt_ligand_reader_next(reader, &molecule, &error), &error);
    assert_non_null(molecule);
    assert_string_equal(bt_ligand_reader_name(reader), names[i]);
    assert_int_equal(bt_molecule_atom_count(molecule), 2 - i);
    bt_molecule_destroy(molecule);
  }
  support_ok(bt_ligand_reader_next(reader, &molecule, &error), &error);
  assert_null(molecule);
  bt_ligand_reader_close(reader);
}

static void read_by_its_ending_in_folders_and_by_its_word(void **state) {
  (void)state;
  bt_prepare_options options = bt_prepare_options_default();
  bt_ligand_reader *reader;
  bt_error error;
  write_file(two);
  const char *const places[] = {path, folder};
  for (int i = 0; i < 2; i++) {
    support_ok(bt_ligand_reader_open(places[i], &options, &reader, &error), &error);
    expect_two(reader);
  }
  options.opt_format = "dots";
  support_ok(bt_ligand_reader_open_text(two, strlen(two), "text", &options, &reader, &error), &error);
  expect_two(reader);
}

static void an_error_names_file_and_line(void **state) {
  (void)state;
  bt_prepare_options options = bt_prepare_options_default();
  bt_ligand_reader *reader;
  bt_molecule *molecule;
  bt_error error;
  write_file(broken);
  support_ok(bt_ligand_reader_open(path, &options, &reader, &error), &error);
  support_ok(bt_ligand_reader_next(reader, &molecule, &error), &error);
  bt_molecule_destroy(molecule);
  support_failed(bt_ligand_reader_next(reader, &molecule, &error), BT_ERR_INPUT, &error, "no coordinate");
  assert_string_equal(error.file, path);
  assert_int_equal(error.line, 2);
  bt_ligand_reader_close(reader);
}

static void advice_and_choices_list_it(void **state) {
  (void)state;
  assert_string_equal(bt_format_choices(), "pdbqt|sdf|mol2|smiles|csv|pdb|dots");
  assert_string_equal(bt_format_advise("name it", BT_FORMAT_PREPARED | BT_FORMAT_LIBRARY, 0).text,
                      "name it .pdbqt, .dots or .btl");
}

/* berth-dots: the program with that row. */
static int run(const char *command) {
  char line[1500];
  snprintf(line, sizeof line, "cd %s && %s >out.txt 2>&1", folder, command);
  return system(line);
}

static void the_program_reads_it_and_lists_it(void **state) {
  (void)state;
  bt_error error;
  char *text;
  size_t size;
  write_file(two);
  assert_int_equal(run(BERTH_DOTS " prep ligand some.dots -o files"), 0);
  assert_int_equal(run("test -s files/one_1.pdbqt -a -s files/two_2.pdbqt"), 0);
  assert_int_equal(run(BERTH_DOTS " prep ligand -l - --input-format dots -o piped <some.dots"), 0);
  assert_int_equal(run("cmp files/two_2.pdbqt piped/two_2.pdbqt"), 0);
  assert_int_equal(run(BERTH_DOTS " prep ligand --help"), 0);
  snprintf(path, sizeof path, "%s/out.txt", folder);
  support_ok(bt_file_read(path, &text, &size, &error), &error);
  assert_non_null(strstr(text, "dots"));
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(read_by_its_ending_in_folders_and_by_its_word),
      cmocka_unit_test(an_error_names_file_and_line),
      cmocka_unit_test(advice_and_choices_list_it),
      cmocka_unit_test(the_program_reads_it_and_lists_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
