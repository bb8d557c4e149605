/* test_library.c - one order over all sources: ordinals, names, rejects, seeking; stored ligands score as their files
 * do. */
#include "library/library.h"

#include <berth/berth.h>
#include <berth/grid.h>
#include <math.h>
#include <pthread.h>
#include <sys/stat.h>

#include "base/files/file.h"
#include "btl_cases.h"
#include "library/btl.h"

/* "ordinal:name" of each ligand, "ordinal!name" of what is rejected. */
static void outcomes(bt_library *library, char *out, size_t size) {
  bt_library_item item;
  size_t at = 0;
  out[0] = '\0';
  while (case_next(library, &item)) {
    at += (size_t)snprintf(out + at, size - at, "%lld%c%s ", (long long)item.ordinal, item.molecule != NULL ? ':' : '!',
                           item.name);
    bt_library_item_clear(&item);
  }
}

static void expect(const char *path, const char *expected) {
  char out[4096];
  bt_library *library = case_open(path);
  outcomes(library, out, sizeof out);
  assert_string_equal(out, expected);
  bt_library_close(library);
}

static void test_pdbqt_files(void **state) {
  (void)state;
  char folder[512], path[600], text[16384];
  support_folder(folder, sizeof folder);
  case_write(path, sizeof path, folder, "one.pdbqt", case_plain);
  expect(path, "0:one ");
  snprintf(text, sizeof text,
           "REMARK set of three\nMODEL 1\n%sENDMDL\nREMARK between\nMODEL 2\nROOT\nATOM  broken\nENDMDL\n"
           "MODEL 3\n%sENDMDL\nMODEL 4\n%sMODEL 5\n%sENDMDL\nEND\n",
           case_plain, case_single, case_plain, case_odd);
  case_write(path, sizeof path, folder, "set.pdbqt", text);
  expect(path, "0:set_1 1!set_2 2:set_3 3!set_4 4:set_5 ");
  bt_library *library = case_open(path);
  bt_library_item item;
  bt_error error;
  support_ok(bt_library_seek(library, 1, &error), &error);
  assert_true(case_next(library, &item));
  assert_int_equal(item.error.line, 24); /* of the file, not of the record */
  bt_library_item_clear(&item);
  assert_true(case_next(library, &item));
  assert_int_equal(item.molecule->model, 3);
  assert_non_null(strstr(item.source, "set.pdbqt:record 3"));
  bt_library_item_clear(&item);
  bt_library_close(library);
  case_write(path, sizeof path, folder, "bad.pdbqt", "ATOM x\n");
  case_write(path, sizeof path, folder, "empty.pdbqt", "\n\n");
  case_write(path, sizeof path, folder, "notes.txt", "nothing\n");
  expect(folder, "0!bad 1!empty 2:one 3:set_1 4!set_2 5:set_3 6!set_4 7:set_5 ");
}

static void test_paths(void **state) {
  (void)state;
  char folder[512], path[600], inner[700], pattern[600];
  support_folder(folder, sizeof folder);
  snprintf(inner, sizeof inner, "%s/b", folder);
  assert_int_equal(mkdir(inner, 0777), 0);
  case_write(path, sizeof path, folder, "a.pdbqt", case_plain);
  case_write(path, sizeof path, folder, "c.pdbqt", case_plain);
  case_write(path, sizeof path, inner, "x.pdbqt", case_single);
  expect(folder, "0:a 1:x 2:c ");
  snprintf(pattern, sizeof pattern, "%s/*.pdbqt", folder);
  expect(pattern, "0:a 1:c ");
  snprintf(pattern, sizeof pattern, "%s/absent.sdf", folder);
  expect(pattern, "0!absent ");
  expect(inner, "0:x ");
  bt_library *library = NULL;
  bt_error error;
  bt_prepare_options options = bt_prepare_options_default();
  const char *none = inner, *odd = "ligand.xyz", *missing = "absent.btl";
  assert_int_equal(remove(strcat(strcpy(path, inner), "/x.pdbqt")), 0);
  support_failed(bt_library_open(&none, 1, &options, &library, &error), BT_ERR_USAGE, &error, "no .pdbqt");
  support_failed(bt_library_open(&none, 0, &options, &library, &error), BT_ERR_USAGE, &error, "no ligands");
  support_failed(bt_library_open(&missing, 1, &options, &library, &error), BT_ERR_IO, &error, "cannot read");
  expect(odd, "0!ligand ");
  options.conformers = 2;
  support_failed(bt_library_open(&odd, 1, &options, &library, &error), BT_ERR_USAGE, &error, "conformers");
}

static void test_raw_files(void **state) {
  (void)state;
  if (*bt_rdkit_version() == '\0') {
    print_message("skipped: this build has no RDKit\n");
    skip();
  }
  char folder[512], path[600];
  support_folder(folder, sizeof folder);
  case_write(path, sizeof path, folder, "a.smi",
             "SMILES Name\nCCO ethanol\nC(C)(C)(C)(C)C wrong\n# no\nCCN\nCCS a\tb\n");
  case_write(path, sizeof path, folder, "b.sdf", "broken\n\n\n  x\n$$$$\n");
  expect(path, "0!broken ");
  expect(folder, "0:ethanol 1!wrong 2:a_3 3:a 4!broken ");
}

/* A header of tar and the content, filled up to records of 512 bytes. */
static void add_file(bt_text *tar, const char *name, const char *content, char type) {
  char header[512] = {0}, zero[512] = {0};
  size_t size = strlen(content);
  memcpy(header, name, strnlen(name, 100));
  snprintf(header + 124, 12, "%011o", (unsigned)size);
  header[156] = type;
  memcpy(header + 257, "ustar", 6);
  memset(header + 148, ' ', 8);
  unsigned sum = 0;
  for (int i = 0; i < 512; i++) sum += (unsigned char)header[i];
  snprintf(header + 148, 8, "%06o", sum);
  bt_text_add(tar, header, 512);
  bt_text_add(tar, content, size);
  bt_text_add(tar, zero, (512 - size % 512) % 512);
}

static void put(const char *path, const bt_text *bytes, size_t size) {
  bt_error error = {0};
  support_ok(bt_file_write(path, bytes->data, size, &error), &error);
}

static void test_archives(void **state) {
  (void)state;
  char folder[512], path[600], models[8192], expected[2048];
  bt_text tar = {0};
  support_folder(folder, sizeof folder);
  snprintf(path, sizeof path, "%s/all.tar", folder);
  snprintf(models, sizeof models, "MODEL 1\n%sENDMDL\nMODEL 2\n%sENDMDL\n", case_plain, case_odd);
  add_file(&tar, "set/", "", '5');
  add_file(&tar, "set/README", "hello\n", '0');
  add_file(&tar, "set/one.pdbqt", case_plain, '0');
  add_file(&tar, "././@LongLink", "set/a-name-that-did-not-fit.pdbqt", 'L');
  add_file(&tar, "set/a-name", case_single, '0');
  add_file(&tar, "pax", "32 path=set/from-pax-header.pdbqt\n", 'x');
  add_file(&tar, "set/b.pdbqt", models, '0');
  add_file(&tar, "set/._one.pdbqt", "resource fork", '0');
  size_t last = tar.size;
  add_file(&tar, "set/z.pdbqt", case_plain, '0');
  put(path, &tar, tar.size);
  /* the pax record says 32 bytes and has 34: the archive ends there with a reason */
  snprintf(expected, sizeof expected, "0:one 1:a-name-that-did-not-fit 2!all ");
  expect(path, expected);
  char *pax = memmem(tar.data, tar.size, "32 path", 7);
  memcpy(pax, "34", 2);
  put(path, &tar, tar.size);
  expect(path, "0:one 1:a-name-that-did-not-fit 2:from-pax-header_1 3:from-pax-header_2 4:z ");
  put(path, &tar, last + 512 + 300); /* cut within the last file */
  expect(path, "0:one 1:a-name-that-did-not-fit 2:from-pax-header_1 3:from-pax-header_2 4!z 5!all ");
  bt_library *library = case_open(path);
  bt_library_item item;
  bt_error error;
  support_ok(bt_library_seek(library, 3, &error), &error);
  assert_true(case_next(library, &item));
  assert_non_null(strstr(item.source, "all.tar:set/from-pax-header.pdbqt:record 2"));
  bt_library_item_clear(&item);
  bt_library_close(library);
  tar.data[last + 10] ^= 1; /* a wrong header */
  put(path, &tar, tar.size);
  expect(path, "0:one 1:a-name-that-did-not-fit 2:from-pax-header_1 3:from-pax-header_2 4!all ");
  bt_text_destroy(&tar);
}

/* -------------------------------------------------------------------------------------------------- seeking -- */

static void write_models(char *path, size_t size, const char *folder, const char *name, int count) {
  bt_text text = {0};
  for (int i = 0; i < count; i++) bt_text_printf(&text, "MODEL %d\n%sENDMDL\n", i + 1, i % 7 == 3 ? "x" : case_plain);
  case_write(path, size, folder, name, text.data);
  bt_text_destroy(&text);
}

static void check_seeks(bt_library *library, int64_t count) {
  static const int64_t ordinals[] = {5, 6, 1500, 1499, 0, 1023, 1024, 2999, 3000, 2};
  bt_error error;
  for (size_t i = 0; i < sizeof ordinals / sizeof *ordinals; i++) {
    bt_library_item item;
    support_ok(bt_library_seek(library, ordinals[i], &error), &error);
    if (ordinals[i] >= count) {
      assert_false(case_next(library, &item));
      continue;
    }
    for (int64_t k = ordinals[i]; k < ordinals[i] + 3 && k < count; k++) {
      assert_true(case_next(library, &item));
      assert_int_equal(item.ordinal, k);
      bt_library_item_clear(&item);
    }
  }
}

static void test_seek(void **state) {
  (void)state;
  enum { FIRST = 2000, SECOND = 1000, KEPT = FIRST - 286 };
  char folder[512], first[600], second[600], stored[600];
  bt_error error;
  int64_t count;
  support_folder(folder, sizeof folder);
  write_models(first, sizeof first, folder, "first.pdbqt", FIRST);
  write_models(second, sizeof second, folder, "second.pdbqt", SECOND);
  const char *paths[2] = {first, second};
  bt_prepare_options options = bt_prepare_options_default();
  bt_library *library;
  support_ok(bt_library_open(paths, 2, &options, &library, &error), &error);
  assert_int_equal(bt_library_count(library), -1);
  bt_library_item item;
  assert_true(case_next(library, &item));
  bt_library_item_clear(&item);
  support_ok(bt_library_count_all(library, &count, &error), &error);
  assert_int_equal(count, FIRST + SECOND);
  assert_true(case_next(library, &item));
  assert_int_equal(item.ordinal, 1); /* where it was */
  bt_library_item_clear(&item);
  check_seeks(library, FIRST + SECOND);
  bt_library_close(library);
  snprintf(stored, sizeof stored, "%s/first.btl", folder);
  bt_library_result result = case_make(first, stored);
  assert_int_equal(result.ligands, KEPT);
  assert_int_equal(result.rejected, 286);
  paths[0] = stored;
  support_ok(bt_library_open(paths, 2, &options, &library, &error), &error);
  check_seeks(library, KEPT + SECOND);
  bt_library_close(library);
  paths[1] = stored; /* twice the same file: all is known beforehand */
  support_ok(bt_library_open(paths, 2, &options, &library, &error), &error);
  assert_int_equal(bt_library_count(library), 2 * KEPT);
  check_seeks(library, 2 * KEPT);
  bt_library_close(library);
}

static void fingerprint_of(const char *path, const bt_prepare_options *options, char out[33]) {
  bt_library *library;
  bt_error error;
  support_ok(bt_library_open(&path, 1, options, &library, &error), &error);
  strcpy(out, bt_library_fingerprint(library));
  bt_library_close(library);
}

static void test_fingerprints(void **state) {
  (void)state;
  char folder[512], path[600], moved[600], a[33], b[33];
  bt_prepare_options options = bt_prepare_options_default();
  support_folder(folder, sizeof folder);
  case_write(path, sizeof path, folder, "a.pdbqt", case_plain);
  fingerprint_of(path, &options, a);
  assert_int_equal(strlen(a), 32);
  fingerprint_of(path, &options, b);
  assert_string_equal(a, b);
  options.ph = 7.4;
  fingerprint_of(path, &options, b);
  assert_string_not_equal(a, b);
  options.ph = bt_prepare_options_default().ph;
  strcat(strcpy(moved, folder), "/moved");
  assert_int_equal(mkdir(moved, 0777), 0);
  case_write(path, sizeof path, moved, "a.pdbqt", case_plain);
  fingerprint_of(path, &options, b);
  assert_string_equal(a, b);
  case_write(path, sizeof path, moved, "a.pdbqt", case_single);
  fingerprint_of(path, &options, b);
  assert_string_not_equal(a, b);
  char first[700], second[700];
  snprintf(first, sizeof first, "%s/1.btl", folder);
  snprintf(second, sizeof second, "%s/2.btl", folder);
  case_make(path, first);
  case_make(folder, second);
  fingerprint_of(first, &options, a);
  fingerprint_of(second, &options, b);
  assert_string_not_equal(a, b);
  case_make(first, second);
  fingerprint_of(second, &options, b);
  assert_string_equal(a, b); /* the same ligands, whatever they were made from */
}

/* -------------------------------------------------------------------------------------------------- threads -- */

typedef struct share {
  bt_library *library;
  bt_library_item *items;
  int count, next;
} share;

static void *prepare_some(void *user) {
  share *s = user;
  for (int i; (i = __atomic_fetch_add(&s->next, 1, __ATOMIC_RELAXED)) < s->count;) {
    bt_error error;
    if (bt_library_prepare(s->library, &s->items[i], &error) != BT_OK) return s;
  }
  return NULL;
}

static void test_threads(void **state) {
  (void)state;
  enum { COUNT = 400, THREADS = 4 };
  char folder[512], path[600], stored[700];
  support_folder(folder, sizeof folder);
  write_models(path, sizeof path, folder, "many.pdbqt", COUNT);
  case_write(stored, sizeof stored, folder, "some.smi", "CCO a\nCCCCN b\nc1ccccc1O c\nCC(=O)N d\nCCl e\nOCC f\n");
  bt_library *library = case_open(folder);
  bt_library_item items[COUNT + 6];
  share s = {.library = library, .items = items};
  for (bool found = true; found; s.count += found) {
    bt_error error;
    support_ok(bt_library_next(library, &items[s.count], &found, &error), &error);
    if (s.count == COUNT + 6 - 1) break;
  }
  assert_true(s.count >= COUNT);
  pthread_t threads[THREADS];
  for (int t = 0; t < THREADS; t++) assert_int_equal(pthread_create(&threads[t], NULL, prepare_some, &s), 0);
  for (int t = 0; t < THREADS; t++) {
    void *failed;
    pthread_join(threads[t], &failed);
    assert_null(failed);
  }
  int prepared = 0;
  for (int i = 0; i < s.count; i++) {
    prepared += items[i].molecule != NULL;
    assert_true((items[i].molecule != NULL) == (items[i].error.status == BT_OK));
  }
  assert_true(prepared >= COUNT - 57);
  for (int i = 0; i <= s.count && i < COUNT + 6; i++) bt_library_item_clear(&items[i]);
  bt_library_close(library);
}

/* ------------------------------------------------------------------------------------------------- energies -- */

/* Four atoms that give every map something to show. */
static const char receptor_text[] =
    "ATOM      1  O   SER A   1       4.000   1.000   0.500  1.00  0.00    -0.400 OA\n"
    "ATOM      2  HG  SER A   1       3.200   1.400   0.700  1.00  0.00     0.210 HD\n"
    "ATOM      3  C   SER A   1       5.100   0.200   0.100  1.00  0.00     0.200 C\n"
    "ATOM      4  N   LYS A   2      -5.100   3.200   2.100  1.00  0.00    -0.300 NA\n";

static bt_maps *make_maps(const char *folder) {
  static const char *const types[] = {"C", "A", "N", "NA", "OA", "S", "SA", "HD", "F", "Cl", "Br", "I", "P"};
  char path[600];
  int count;
  bt_molecule **receptor;
  bt_maps *maps;
  bt_error error = {0};
  case_write(path, sizeof path, folder, "receptor.pdbqt", receptor_text);
  support_ok(bt_molecule_read(path, BT_MOLECULE_RECEPTOR, &receptor, &count, &error), &error);
  bt_grid_options options = bt_grid_options_default();
  options.box = bt_box_from_size((double[3]){0, 0, 0}, (double[3]){40, 40, 40}, 1);
  support_ok(bt_maps_compute(receptor[0], types, sizeof types / sizeof *types, &options, &maps, &error), &error);
  bt_molecule_list_destroy(receptor, count);
  return maps;
}

static void assert_same_energy(const bt_molecule *a, const bt_molecule *b, const bt_maps *maps) {
  bt_ligand *first, *second;
  bt_energy e, f;
  bt_error error = {0};
  support_ok(bt_ligand_create(a, NULL, &first, &error), &error);
  support_ok(bt_ligand_create(b, NULL, &second, &error), &error);
  support_ok(bt_score(first, maps, BT_FORM_TABULATED, BT_TORSIONAL_TORSDOF, &e, NULL, &error), &error);
  support_ok(bt_score(second, maps, BT_FORM_TABULATED, BT_TORSIONAL_TORSDOF, &f, NULL, &error), &error);
  assert_true(isfinite(e.total) && e.inter != 0);
  assert_memory_equal(&e.inter, &f.inter, sizeof e.inter);
  assert_memory_equal(&e.intra, &f.intra, sizeof e.intra);
  assert_memory_equal(&e.total, &f.total, sizeof e.total);
  bt_ligand_destroy(first);
  bt_ligand_destroy(second);
}

/* Every ligand of a screen: nothing differs, so energies are equal to the last bit. */
static void test_screen_def(void **state) {
  (void)state;
  char path[1024], folder[512], stored[600];
  support_shared(path, sizeof path, "data/screen_def/ligands.tar.gz");
  support_folder(folder, sizeof folder);
  snprintf(stored, sizeof stored, "%s/def.btl", folder);
  bt_library_result result = case_make(path, stored);
  assert_int_equal(result.ligands, 5798);
  assert_int_equal(result.rejected, 0);
  assert_true(result.bytes < 200 * 5798);
  bt_library *first = case_open(path), *second = case_open(stored);
  bt_maps *maps = make_maps(folder);
  bt_library_item a, b;
  int64_t count = 0;
  while (case_next(first, &a)) {
    assert_true(case_next(second, &b));
    assert_string_equal(a.name, b.name);
    case_assert_same(a.molecule, b.molecule);
    assert_same_energy(a.molecule, b.molecule, maps);
    bt_library_item_clear(&a);
    bt_library_item_clear(&b);
    count++;
  }
  assert_false(case_next(second, &b));
  assert_int_equal(count, result.ligands);
  print_message("%lld ligands of %.1f bytes\n", (long long)count, (double)result.bytes / (double)count);
  bt_maps_destroy(maps);
  bt_library_close(first);
  bt_library_close(second);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_pdbqt_files), cmocka_unit_test(test_paths),
                                     cmocka_unit_test(test_raw_files),   cmocka_unit_test(test_archives),
                                     cmocka_unit_test(test_seek),        cmocka_unit_test(test_fingerprints),
                                     cmocka_unit_test(test_threads),     cmocka_unit_test(test_screen_def)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
