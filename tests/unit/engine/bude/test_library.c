/* test_library.c - libraries of conformers: written, read again, damaged; compounds from records of one name. */
#include "unit/engine/bude/small.h"

#include <math.h>

#include "base/file.h"
#include "engine/bude/compound.h"

typedef struct scene {
  char folder[200], path[256];
  bt_bude *bude;
  char *data;
  size_t size;
} scene;

static int set_up(void **state) {
  scene *s = calloc(1, sizeof *s);
  bt_error error;
  bt_bude_library *library;
  bt_bude_options options = small_options();
  support_folder(s->folder, sizeof s->folder);
  snprintf(s->path, sizeof s->path, "%s/a.bude", s->folder);
  support_ok(bt_bude_open_forcefield(&options, &s->bude, &error), &error);
  support_ok(bt_bude_library_create(s->bude, s->path, &library, &error), &error);
  for (int i = 0; i < 3; i++) {
    bt_bude_compound *compound = small_compound(s->bude, small_ligand);
    support_ok(bt_bude_library_add(library, compound, &error), &error);
    bt_bude_compound_destroy(compound);
  }
  support_ok(bt_bude_library_commit(library, &error), &error);
  support_ok(bt_file_read(s->path, &s->data, &s->size, &error), &error);
  *state = s;
  return 0;
}

static int tear_down(void **state) {
  scene *s = *state;
  bt_bude_close(s->bude);
  unlink(s->path);
  rmdir(s->folder);
  free(s->data);
  free(s);
  return 0;
}

/* Reads all; the status of the end, and how many compounds came before it. */
static bt_status read_all(scene *s, int *ret_count, bt_error *error) {
  bt_bude_reader *reader;
  *ret_count = 0;
  bt_status status = bt_bude_reader_open(s->bude, s->path, &reader, error);
  if (status != BT_OK) return status;
  for (;;) {
    bt_bude_compound *compound;
    status = bt_bude_reader_next(reader, &compound, error);
    if (status != BT_OK || compound == NULL) break;
    ++*ret_count;
    bt_bude_compound_destroy(compound);
  }
  bt_bude_reader_close(reader);
  return status;
}

static void write_bytes(scene *s, size_t size) {
  bt_error error;
  support_ok(bt_file_write(s->path, s->data, size, &error), &error);
}

static void test_sizes(void **state) {
  scene *s = *state;
  /* header; 6 records of 4 heavy atoms; offsets; 3 names and their bonds between heavy atoms */
  assert_int_equal(s->size, 32 + 6 * (8 + 4 * 16) + 6 * 8 + 4 + 3 * (6 + 9 + 3 * 6));
  assert_memory_equal(s->data, "BUDELIB1", 8);
}

static void test_read_again(void **state) {
  scene *s = *state;
  bt_error error;
  bt_bude_reader *reader;
  bt_bude_compound *original = small_compound(s->bude, small_ligand), *compound;
  support_ok(bt_bude_reader_open(s->bude, s->path, &reader, &error), &error);
  for (int i = 0; i < 3; i++) {
    support_ok(bt_bude_reader_next(reader, &compound, &error), &error);
    assert_string_equal(bt_bude_compound_name(compound), "acetamide");
    assert_int_equal(bt_bude_compound_conformer_count(compound), 2);
    assert_int_equal(bt_bude_compound_atom_count(compound), 4);
    assert_int_equal(compound->mol2->n_bonds, 3);
    assert_string_equal(compound->mol2->atoms[3].type, "N.am");
    assert_string_equal(compound->mol2->bonds[2].order, "am");
    for (int c = 0; c < 2; c++) {
      bt_bude_atom a[9], b[9];
      bt_bude_compound_atoms(original, c, a);
      bt_bude_compound_atoms(compound, c, b);
      for (int k = 0; k < 4; k++) {
        assert_int_equal(a[k].type, b[k].type);
        assert_true(fabsf(a[k].x - b[k].x) + fabsf(a[k].y - b[k].y) + fabsf(a[k].z - b[k].z) < 1e-5f);
      }
    }
    bt_bude_compound_destroy(compound);
  }
  support_ok(bt_bude_reader_next(reader, &compound, &error), &error);
  assert_null(compound);
  bt_bude_reader_close(reader);
  bt_bude_compound_destroy(original);
}

static void test_every_truncation_is_told(void **state) {
  scene *s = *state;
  for (size_t size = 8; size < s->size; size += 7) {
    bt_error error;
    int count;
    write_bytes(s, size);
    bt_status status = read_all(s, &count, &error);
    if (status == BT_OK) fail_msg("%zu bytes of %zu were read as %d compounds", size, s->size, count);
    support_failed(status, BT_ERR_INPUT, &error, "a.bude");
  }
}

static void test_damaged(void **state) {
  scene *s = *state;
  bt_error error;
  int count;
  s->data[12] ^= 1; /* the force field's hash */
  write_bytes(s, s->size);
  support_failed(read_all(s, &count, &error), BT_ERR_PARAMETER, &error, "another force field");
  s->data[12] ^= 1;
  s->data[8] = 9;
  write_bytes(s, s->size);
  support_failed(read_all(s, &count, &error), BT_ERR_INPUT, &error, "version 9");
  s->data[8] = 1;
  memset(s->data + 16, 0x7f, 8); /* 9e18 conformers */
  write_bytes(s, s->size);
  support_failed(read_all(s, &count, &error), BT_ERR_INPUT, &error, "too early");
  s->data[16] = 6;
  memset(s->data + 17, 0, 7);
  s->data[32 + 8 + 12] = 99; /* a type */
  write_bytes(s, s->size);
  support_failed(read_all(s, &count, &error), BT_ERR_INPUT, &error, "atom is damaged");
}

static void test_records_of_one_name_are_conformers(void **state) {
  scene *s = *state;
  bt_error error;
  char text[4 * sizeof small_ligand];
  snprintf(
      text, sizeof text, "%s%s%s", small_ligand, small_ligand,
      "@<TRIPOS>MOLECULE\nother\n@<TRIPOS>ATOM\n1 C 0 0 0 C.3\n@<TRIPOS>MOLECULE\nbad\n@<TRIPOS>ATOM\n1 X 0 0 0 X.x\n");
  bt_bude_reader *reader;
  bt_bude_compound *compound;
  support_ok(bt_bude_reader_open_text(s->bude, text, strlen(text), "x.mol2", "mol2", &reader, &error), &error);
  support_ok(bt_bude_reader_next(reader, &compound, &error), &error);
  assert_int_equal(bt_bude_compound_conformer_count(compound), 4);
  bt_bude_compound_destroy(compound);
  support_ok(bt_bude_reader_next(reader, &compound, &error), &error);
  assert_string_equal(bt_bude_compound_name(compound), "other");
  bt_bude_compound_destroy(compound);
  support_failed(bt_bude_reader_next(reader, &compound, &error), BT_ERR_PARAMETER, &error, "'X.x'");
  assert_string_equal(bt_bude_reader_name(reader), "bad");
  support_ok(bt_bude_reader_next(reader, &compound, &error), &error);
  assert_null(compound);
  bt_bude_reader_close(reader);
}

static void test_aliases(void **state) {
  (void)state;
  const char *const aliases[] = {"N.am=N.3", "X.x=C.3"};
  bt_bude_options options = small_options();
  options.aliases = aliases;
  options.n_aliases = 2;
  bt_error error;
  bt_bude *bude;
  support_ok(bt_bude_open_forcefield(&options, &bude, &error), &error);
  bt_bude_compound *c =
      small_compound(bude, "@<TRIPOS>MOLECULE\nx\n@<TRIPOS>ATOM\n1 X 0 0 0 X.x\n2 C 1 0 0 C.3\n3 N 2 0 0 N.am\n");
  assert_int_equal(c->type[0], c->type[1]);
  assert_int_not_equal(c->type[2], c->type[1]); /* what the force field has needs no alias */
  bt_bude_compound_destroy(c);
  bt_bude_close(bude);
}

#define WITH_SCENE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      WITH_SCENE(test_sizes),
      WITH_SCENE(test_read_again),
      WITH_SCENE(test_every_truncation_is_told),
      WITH_SCENE(test_damaged),
      WITH_SCENE(test_records_of_one_name_are_conformers),
      cmocka_unit_test(test_aliases),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
