/* small.h - a synthetic receptor and ligands, small enough to be read in a test. */
#ifndef BERTH_TESTS_UNIT_ENGINE_BUDE_SMALL_H
#define BERTH_TESTS_UNIT_ENGINE_BUDE_SMALL_H

#include "unit/support.h"

#include <berth/bude.h>

/* Acetamide as an asymmetric ligand with two conformers that differ. */
static const char small_ligand[] =
    "@<TRIPOS>MOLECULE\nacetamide\n 9 8\nSMALL\nUSER_CHARGES\n@<TRIPOS>ATOM\n"
    "1 C1 0 0 0 C.3\n2 C2 1.5 0 0 C.2\n3 O1 2.1 1.1 0 O.2\n4 N1 2.1 -1.2 0 N.am\n"
    "5 H1 -0.4 1 0 H\n6 H2 -0.4 -0.5 0.9 H\n7 H3 -0.4 -0.5 -0.9 H\n8 H4 3.1 -1.2 0 H\n9 H5 1.6 -2 0 H\n"
    "@<TRIPOS>BOND\n1 1 2 1\n2 2 3 2\n3 2 4 am\n4 1 5 1\n5 1 6 1\n6 1 7 1\n7 4 8 1\n8 4 9 1\n"
    "@<BUDE>CONF 2\n0 0 0\n1.5 0 0.2\n2.1 1.1 0.2\n2.1 -1.2 0.4\n-0.4 1 0\n-0.4 -0.5 0.9\n-0.4 -0.5 -0.9\n3.1 -1.2 "
    "0.4\n"
    "1.6 -2 0.4\n";

/* A cup of atoms around the origin, open to +z, with a charged spot. */
static inline void small_receptor(const char *path) {
  FILE *stream = fopen(path, "w");
  assert_non_null(stream);
  fprintf(stream, "@<TRIPOS>MOLECULE\ncup\n\n@<TRIPOS>ATOM\n");
  const char *const types[] = {"C.3", "O.co2", "C.ar", "N.am", "C.2", "N.4"};
  int n = 0;
  for (int x = -8; x <= 8; x += 2)
    for (int y = -8; y <= 8; y += 2)
      for (int z = -8; z <= 2; z += 2) {
        int square = x * x + y * y + z * z;
        if (square < 36 || square > 100) continue;
        fprintf(stream, "%d A%d %d %d %d %s 1 CUP1 0\n", n + 1, n + 1, x, y, z,
                types[(x + 2 * y + 3 * z + 96) / 2 % 6]);
        n++;
      }
  fclose(stream);
}

static inline bt_bude_options small_options(void) {
  bt_bude_options options = bt_bude_options_default();
  options.opt_device = "cpu";
  options.threads = 1;
  options.population = 512;
  options.generations = 4;
  options.parents = 20;
  options.ligands.conformers = 0;
  options.size[0] = options.size[1] = options.size[2] = 6;
  return options;
}

static inline bt_bude *small_open(const bt_bude_options *options) {
  char folder[256], path[300];
  bt_error error;
  bt_bude *bude;
  support_folder(folder, sizeof folder);
  snprintf(path, sizeof path, "%s/cup.mol2", folder);
  small_receptor(path);
  support_ok(bt_bude_open(path, NULL, options, &bude, &error), &error);
  unlink(path);
  rmdir(folder);
  return bude;
}

static inline bt_bude_reader *small_reader(bt_bude *bude, const char *text, char path[300]) {
  char folder[256];
  bt_error error;
  bt_bude_reader *reader;
  support_folder(folder, sizeof folder);
  snprintf(path, 300, "%s/small.mol2", folder);
  FILE *stream = fopen(path, "w");
  assert_non_null(stream);
  fputs(text, stream);
  fclose(stream);
  const char *paths[] = {path};
  support_ok(bt_bude_reader_open(bude, paths, 1, NULL, &reader, &error), &error);
  return reader;
}

static inline void small_reader_close(bt_bude_reader *reader, char path[300]) {
  bt_bude_reader_close(reader);
  unlink(path);
  *strrchr(path, '/') = '\0';
  rmdir(path);
}

static inline bt_bude_compound *small_compound(bt_bude *bude, const char *text) {
  char path[300];
  bt_error error;
  bt_bude_compound *compound;
  bt_bude_reader *reader = small_reader(bude, text, path);
  support_ok(bt_bude_reader_next(reader, &compound, &error), &error);
  assert_non_null(compound);
  small_reader_close(reader, path);
  return compound;
}

#endif
