/* test_btl.c - .btl files: ligands come back bit for bit, damage is found and named, the rest stays readable. */
#include "library/btl.h"

#include <sys/stat.h>

#include "base/files/file.h"
#include "base/xxhash.h"
#include "formats/pdbqt/pdbqt.h"
#include "library/btl_layout.h"
#include "btl_cases.h"

static bt_molecule *parse(const char *name, const char *text, size_t size) {
  bt_molecule **list;
  int count;
  bt_error error = {0};
  support_ok(bt_molecule_from_memory(name, text, size, BT_MOLECULE_LIGAND, &list, &count, &error), &error);
  bt_molecule *molecule = list[0];
  for (int i = 1; i < count; i++) bt_molecule_destroy(list[i]);
  free(list);
  return molecule;
}

static void needs_zstd(void) {
  bt_btl_columns columns = {0};
  bt_text bytes = {0};
  bt_error error;
  bt_status status = bt_btl_compress(&columns, 0, &bytes, &error);
  bt_btl_columns_destroy(&columns);
  bt_text_destroy(&bytes);
  if (status == BT_OK) return;
  support_failed(status, BT_ERR_USAGE, &error, "zstd");
  print_message("skipped: this build has no zstd\n");
  skip();
}

static bt_btl *open_btl(const char *path) {
  bt_btl *btl = NULL;
  bt_error error = {0};
  support_ok(bt_btl_open(path, &btl, &error), &error);
  return btl;
}

static bt_molecule *get(bt_btl *btl, int64_t ordinal, bt_error *error) {
  bt_btl_block *block;
  int index;
  bt_molecule *molecule = NULL;
  if (bt_btl_block_of(btl, ordinal, &block, &index, error) != BT_OK) return NULL;
  support_ok(bt_btl_decode(block, index, "lib.btl", &molecule, error), error);
  bt_btl_block_release(block);
  return molecule;
}

/* How many types the file's index lists, and the last one. */
static void assert_index_lists(const char *path, unsigned count, const char *last) {
  char *data;
  size_t size, length = strlen(last) + 1;
  support_ok(bt_file_read(path, &data, &size, NULL), NULL);
  const char *index = data + bt_btl_get(data + BT_BTL_AT_INDEX, 8);
  assert_int_equal(bt_btl_get(index + BT_BTL_INDEX_TYPES, 4), count);
  assert_memory_equal(index + bt_btl_get(index + BT_BTL_INDEX_BYTES, 8) - length, last, length);
  free(data);
}

static void test_ligands_come_back(void **state) {
  (void)state;
  needs_zstd();
  static const char *const texts[] = {case_plain, case_odd, case_exact, case_single, case_plain};
  enum { N = sizeof texts / sizeof *texts };
  bt_molecule *molecules[N];
  char folder[512], path[600];
  bt_btl_writer *writer;
  bt_error error = {0};
  uint64_t bytes;
  support_folder(folder, sizeof folder);
  snprintf(path, sizeof path, "%s/lib.btl", folder);
  support_ok(bt_btl_writer_open(path, &writer, &error), &error);
  for (int i = 0; i < N; i++) {
    char name[16];
    snprintf(name, sizeof name, "lig%d.pdbqt", i);
    molecules[i] = parse(name, texts[i], strlen(texts[i]));
    support_ok(bt_btl_writer_add(writer, molecules[i], NULL, &error), &error);
  }
  support_ok(bt_btl_writer_commit(writer, &bytes, &error), &error);
  struct stat info;
  assert_int_equal(stat(path, &info), 0);
  assert_int_equal(info.st_size, bytes);
  bt_btl *btl = open_btl(path);
  assert_int_equal(bt_btl_count(btl), N);
  assert_index_lists(path, 10, "Zn");
  for (int i = 0; i < N; i++) {
    bt_molecule *back = get(btl, i, &error), *again;
    assert_non_null(back);
    case_assert_same(molecules[i], back);
    assert_string_equal(back->path, "lib.btl");
    char *text;
    support_ok(bt_molecule_pdbqt(back, &text, &error), &error);
    again = parse("again.pdbqt", text, strlen(text));
    assert_int_equal(again->n_atoms, back->n_atoms);
    for (int a = 0; a < again->n_atoms; a++) {
      assert_int_equal(again->atoms[a].line, back->atoms[a].line);
      assert_int_equal(again->atoms[a].serial, back->atoms[a].serial);
      assert_string_equal(again->atoms[a].name, back->atoms[a].name);
      assert_string_equal(again->atoms[a].type, back->atoms[a].type);
    }
    for (int f = 0; f < again->n_fragments; f++) assert_int_equal(again->fragments[f].line, back->fragments[f].line);
    free(text);
    bt_molecule_destroy(again);
    bt_molecule_destroy(back);
    bt_molecule_destroy(molecules[i]);
  }
  bt_btl_close(btl);
}

static void test_remarks_come_back(void **state) {
  (void)state;
  bt_btl_columns columns = {0};
  bt_molecule *molecule = parse("eta.pdbqt", case_odd, strlen(case_odd));
  bt_span smiles;
  bt_pdbqt_place places[16] = {0};
  assert_null(bt_pdbqt_find_remarks(molecule, &smiles, places));
  assert_true(bt_span_equals(smiles, "OCCN"));
  assert_int_equal(places[1].place, 1);
  assert_true(places[1].parent);
  assert_int_equal(places[6].place, 0);
  needs_zstd();
  bt_text bytes = {0};
  bt_error error = {0};
  bt_btl_block *block;
  support_ok(bt_btl_encode(&columns, molecule, NULL, &error), &error);
  support_ok(bt_btl_compress(&columns, 0, &bytes, &error), &error);
  support_ok(bt_btl_decompress(bytes.data, bytes.size, (bt_where){.file = "lib.btl"}, &block, &error), &error);
  bt_molecule *back;
  support_ok(bt_btl_decode(block, 0, "lib.btl", &back, &error), &error);
  assert_string_equal(back->lines[0], "REMARK SMILES OCCN");
  assert_string_equal(back->lines[1], "REMARK SMILES IDX 1 10 2 20 3 30 4 41");
  assert_string_equal(back->lines[2], "REMARK H PARENT 1 11 4 42");
  assert_string_equal(back->lines[3], "ROOT");
  assert_string_equal(back->lines[5],
                      "ATOM     11  HO1 ETA B  17A      0.500  -0.800   0.100  1.00  0.00    +0.210 HD");
  bt_btl_block_release(block);
  bt_molecule_destroy(molecule);
  bt_molecule_destroy(back);
  bt_btl_columns_destroy(&columns);
  bt_text_destroy(&bytes);
}

/* What cannot be kept of remarks is left out; the ligand stays. */
static void test_wrong_remarks(void **state) {
  (void)state;
  static const char *const remarks[] = {"REMARK SMILES CO\nREMARK SMILES IDX 1 1 2\n",
                                        "REMARK SMILES CO\nREMARK SMILES IDX 1 9\n",
                                        "REMARK SMILES CO\nREMARK SMILES IDX 1 1 2 1\n",
                                        "REMARK SMILES CO\nREMARK SMILES IDX 0 1\n", "REMARK SMILES IDX 1 1\n"};
  for (size_t i = 0; i < sizeof remarks / sizeof *remarks; i++) {
    char text[2048];
    snprintf(text, sizeof text, "%s%s", remarks[i], case_plain);
    bt_molecule *molecule = parse("x.pdbqt", text, strlen(text));
    bt_span smiles;
    bt_pdbqt_place places[16] = {0};
    assert_non_null(bt_pdbqt_find_remarks(molecule, &smiles, places));
    bt_molecule_destroy(molecule);
  }
}

/* ------------------------------------------------------------------------------------------------- damage -- */

enum { MANY = 2500 };

/* A library of three blocks, as bytes. */
static char *many(const char *folder, char *path, size_t path_size, size_t *ret_size) {
  bt_btl_writer *writer;
  bt_error error = {0};
  char *data;
  snprintf(path, path_size, "%s/many.btl", folder);
  support_ok(bt_btl_writer_open(path, &writer, &error), &error);
  bt_molecule *molecule = parse("x.pdbqt", case_plain, strlen(case_plain));
  for (int i = 0; i < MANY; i++) {
    free(molecule->name);
    if (asprintf(&molecule->name, "ligand %d", i) < 0) fail();
    molecule->atoms[i % 7].charge = i / 1000.0;
    support_ok(bt_btl_writer_add(writer, molecule, NULL, &error), &error);
  }
  support_ok(bt_btl_writer_commit(writer, NULL, &error), &error);
  bt_molecule_destroy(molecule);
  support_ok(bt_file_read(path, &data, ret_size, &error), &error);
  return data;
}

static void put(const char *path, const char *data, size_t size) {
  bt_error error = {0};
  support_ok(bt_file_write(path, data, size, &error), &error);
}

/* How many ligands can be read; checks those, and the reasons for the others. */
static int readable(const char *path, int64_t *ret_count, const char *words) {
  bt_library *library = case_open(path);
  *ret_count = bt_library_count(library);
  bt_library_item item;
  int read = 0;
  int64_t ordinal = 0;
  for (; case_next(library, &item); ordinal++) {
    char name[32];
    snprintf(name, sizeof name, "ligand %lld", (long long)ordinal);
    assert_int_equal(item.ordinal, ordinal);
    if (item.molecule != NULL) {
      assert_string_equal(item.name, name);
      assert_true(case_same_bits(item.molecule->atoms[ordinal % 7].charge, (double)ordinal / 1000.0));
      read++;
    } else {
      support_failed(item.error.status, BT_ERR_INPUT, &item.error, words);
    }
    bt_library_item_clear(&item);
  }
  assert_int_equal(ordinal, *ret_count);
  bt_library_close(library);
  return read;
}

static size_t block_at(const char *data, size_t size, int number) {
  size_t at = BT_BTL_HEADER, bytes = 0;
  int64_t first;
  int ligands;
  for (int i = 0; i < number; i++, at += bytes)
    assert_true(bt_btl_check(data + at, size - at, &bytes, &first, &ligands));
  return at;
}

static void test_damage(void **state) {
  (void)state;
  needs_zstd();
  char folder[512], path[600];
  size_t size;
  int64_t count;
  support_folder(folder, sizeof folder);
  char *data = many(folder, path, sizeof path, &size);
  size_t second = block_at(data, size, 1), third = block_at(data, size, 2), index = block_at(data, size, 3);
  assert_int_equal(readable(path, &count, ""), MANY);
  /* one bit of the second block */
  data[(second + third) / 2] ^= 4;
  put(path, data, size);
  assert_int_equal(readable(path, &count, "block 2 (ligands 1025 to 2048) is damaged"), MANY - BT_BTL_LIGANDS);
  /* and of the index: the block is a gap now */
  data[index + 40] ^= 1;
  put(path, data, size);
  assert_int_equal(readable(path, &count, "block 2 (ligands 1025 to 2048) is missing"), MANY - BT_BTL_LIGANDS);
  assert_int_equal(count, MANY);
  /* and of the header: how many there were is known from the last block only */
  data[20] ^= 1;
  put(path, data, size);
  assert_int_equal(readable(path, &count, "is missing"), MANY - BT_BTL_LIGANDS);
  assert_int_equal(count, MANY);
  free(data);
}

static void test_truncation(void **state) {
  (void)state;
  needs_zstd();
  char folder[512], path[600];
  size_t size;
  int64_t count;
  support_folder(folder, sizeof folder);
  char *data = many(folder, path, sizeof path, &size);
  size_t second = block_at(data, size, 1), third = block_at(data, size, 2), index = block_at(data, size, 3);
  put(path, data, third + 100);
  assert_int_equal(readable(path, &count, "block 3 (ligands 2049 to 2500) is missing"), 2048);
  assert_int_equal(count, MANY);
  put(path, data, second);
  assert_int_equal(readable(path, &count, "is missing"), 1024);
  put(path, data, index + 10); /* only the index is cut */
  assert_int_equal(readable(path, &count, ""), MANY);
  put(path, data, BT_BTL_HEADER);
  assert_int_equal(readable(path, &count, "is missing"), 0);
  assert_int_equal(count, MANY);
  bt_btl *btl = NULL;
  bt_error error = {0};
  put(path, data, 10);
  support_failed(bt_btl_open(path, &btl, &error), BT_ERR_INPUT, &error, "too short");
  memset(data, 'x', size);
  put(path, data, size);
  support_failed(bt_btl_open(path, &btl, &error), BT_ERR_INPUT, &error, "not a Berth library");
  support_failed(bt_btl_open(folder, &btl, &error), BT_ERR_IO, &error, "cannot read");
  free(data);
}

/* Any single byte that is wrong is noticed, or does not matter. */
static void test_every_byte(void **state) {
  (void)state;
  needs_zstd();
  char folder[512], path[600];
  size_t size;
  bt_error error = {0};
  support_folder(folder, sizeof folder);
  snprintf(path, sizeof path, "%s/one.btl", folder);
  bt_btl_writer *writer;
  bt_molecule *molecule = parse("x.pdbqt", case_odd, strlen(case_odd));
  support_ok(bt_btl_writer_open(path, &writer, &error), &error);
  support_ok(bt_btl_writer_add(writer, molecule, NULL, &error), &error);
  support_ok(bt_btl_writer_commit(writer, NULL, &error), &error);
  char *data;
  support_ok(bt_file_read(path, &data, &size, &error), &error);
  int refused = 0;
  for (size_t i = 0; i < size; i++) {
    data[i] ^= 0x20;
    put(path, data, size);
    data[i] ^= 0x20;
    bt_btl *btl = NULL;
    if (bt_btl_open(path, &btl, &error) != BT_OK) {
      refused++;
      continue;
    }
    for (int64_t k = 0; k < bt_btl_count(btl); k++) {
      bt_molecule *back = get(btl, k, &error);
      if (back != NULL) case_assert_same(molecule, back);
      if (back == NULL) refused++;
      bt_molecule_destroy(back);
    }
    bt_btl_close(btl);
  }
  assert_true(refused > 200); /* all of the block */
  bt_molecule_destroy(molecule);
  free(data);
}

static void test_later_version(void **state) {
  (void)state;
  needs_zstd();
  char folder[512], path[600];
  size_t size;
  support_folder(folder, sizeof folder);
  char *data = many(folder, path, sizeof path, &size);
  bt_btl *btl = NULL;
  bt_error error = {0};
  bt_btl_put(data + 8, 4, 3);
  put(path, data, size);
  btl = open_btl(path); /* the checksum says that this is damage, not a version */
  bt_btl_close(btl);
  bt_btl_put(data + 56, 8, bt_xxh64(data, 56, 0));
  put(path, data, size);
  support_failed(bt_btl_open(path, &btl, &error), BT_ERR_INPUT, &error, "version 3");
  free(data);
}

/* Blocks have a column of properties only where a ligand has any. */
static void test_properties(void **state) {
  (void)state;
  needs_zstd();
  static const char *const properties[] = {NULL, "price\t12.5\nnote\ttwo words\n", ""};
  bt_molecule *molecule = parse("lig.pdbqt", case_plain, strlen(case_plain));
  bt_error error = {0};
  for (int n = 1; n <= 3; n++) {
    bt_btl_columns columns = {0};
    bt_text bytes = {0};
    bt_btl_block *block;
    for (int i = 0; i < n; i++) support_ok(bt_btl_encode(&columns, molecule, properties[i], &error), &error);
    support_ok(bt_btl_compress(&columns, 0, &bytes, &error), &error);
    assert_int_equal(bt_btl_get(bytes.data + 4, 4), n == 1 ? 14 : 15);
    support_ok(bt_btl_decompress(bytes.data, bytes.size, (bt_where){.file = "lib.btl"}, &block, &error), &error);
    for (int i = 0; i < n; i++) assert_string_equal(bt_btl_properties(block, i), i == 1 ? properties[1] : "");
    bt_btl_block_release(block);
    bt_text_destroy(&bytes);
    bt_btl_columns_destroy(&columns);
  }
  bt_btl_columns columns = {0};
  bt_text bytes = {0};
  bt_btl_block *block;
  support_ok(bt_btl_encode(&columns, molecule, "no tab\n", &error), &error);
  support_ok(bt_btl_compress(&columns, 0, &bytes, &error), &error);
  support_failed(bt_btl_decompress(bytes.data, bytes.size, (bt_where){.file = "lib.btl"}, &block, &error), BT_ERR_INPUT,
                 &error, "inconsistent");
  bt_text_destroy(&bytes);
  bt_btl_columns_destroy(&columns);
  bt_molecule_destroy(molecule);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_ligands_come_back), cmocka_unit_test(test_remarks_come_back),
                                     cmocka_unit_test(test_wrong_remarks),     cmocka_unit_test(test_damage),
                                     cmocka_unit_test(test_truncation),        cmocka_unit_test(test_every_byte),
                                     cmocka_unit_test(test_later_version),     cmocka_unit_test(test_properties)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
