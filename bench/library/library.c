/* library.c - how fast ligands are read from a .btl file, compared with its source files.
 *
 * Usage: library SOURCE LIBRARY.btl [SECONDS]       cmake --build build/release --target library
 *
 * First all ligands of both are compared bit for bit; then each is read for at least SECONDS (2) on one thread:
 * records only, as the reader of a screen does, and molecules, as its workers do; then single ligands at random.
 */
#include <berth/build.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "chem/molecule.h"
#include "library/library.h"

static void stop(const bt_error *error) {
  char text[2048];
  fprintf(stderr, "library: %s\n", bt_error_format(error, text, sizeof text));
  exit(1);
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bt_library *open_library(const char *path) {
  bt_prepare_options options = bt_prepare_options_default();
  bt_library *library;
  bt_error error = {0};
  if (bt_library_open(&path, 1, &options, &library, &error) != BT_OK) stop(&error);
  return library;
}

static bool next(bt_library *library, bool prepare, bt_library_item *item) {
  bool found;
  bt_error error = {0};
  if (bt_library_next(library, item, &found, &error) != BT_OK) stop(&error);
  if (found && prepare && bt_library_prepare(library, item, &error) != BT_OK) stop(&error);
  return found;
}

/* The next ligand that was not rejected; the library does not contain rejected ones. */
static bool next_good(bt_library *library, bt_library_item *item) {
  bool found;
  while ((found = next(library, true, item)) && item->molecule == NULL) bt_library_item_clear(item);
  return found;
}

static bool same(const bt_molecule *a, const bt_molecule *b) {
  if (a->n_atoms != b->n_atoms || a->n_fragments != b->n_fragments || a->torsdof != b->torsdof) return false;
  for (int i = 0; i < a->n_atoms; i++) {
    const bt_atom *p = &a->atoms[i], *q = &b->atoms[i];
    for (int k = 0; k < 3; k++)
      if (p->x[k] != q->x[k]) return false;
    if (p->charge != q->charge || p->fragment != q->fragment || strcmp(p->type, q->type) != 0) return false;
  }
  return true;
}

static long compare(const char *source, const char *stored) {
  bt_library *first = open_library(source), *second = open_library(stored);
  bt_library_item a, b;
  long count = 0;
  for (; next_good(first, &a); count++) {
    if (!next_good(second, &b) || !same(a.molecule, b.molecule)) {
      fprintf(stderr, "library: ligand %ld differs: no speed is reported\n", count + 1);
      exit(1);
    }
    bt_library_item_clear(&a);
    bt_library_item_clear(&b);
  }
  bt_library_close(first);
  bt_library_close(second);
  return count;
}

static double rate(const char *path, bool prepare, double least) {
  double started = seconds();
  long count = 0;
  do {
    bt_library *library = open_library(path);
    bt_library_item item;
    for (; next(library, prepare, &item); count++) bt_library_item_clear(&item);
    bt_library_close(library);
  } while (seconds() - started < least);
  return (double)count / (seconds() - started);
}

static double seeks(const char *path, long ligands, double least) {
  bt_library *library = open_library(path);
  double started = seconds();
  unsigned long state = 1;
  long count = 0;
  for (; seconds() - started < least; count++) {
    bt_library_item item;
    bt_error error = {0};
    state = state * 6364136223846793005u + 1442695040888963407u;
    if (bt_library_seek(library, (int64_t)((state >> 33) % (unsigned long)ligands), &error) != BT_OK) stop(&error);
    if (next(library, true, &item)) bt_library_item_clear(&item);
  }
  bt_library_close(library);
  return 1e6 * least / (double)count;
}

int main(int argc, char **argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: library SOURCE LIBRARY.btl [SECONDS]\n");
    return 1;
  }
  double least = argc > 3 ? atof(argv[3]) : 2;
  struct stat source = {0}, stored = {0};
  long ligands = compare(argv[1], argv[2]);
  if (ligands == 0 || stat(argv[1], &source) != 0 || stat(argv[2], &stored) != 0) return 1;
  printf("commit %s, %s\n", bt_build_commit(), bt_build_compiler());
  printf("%ld ligands, equal bit for bit\n", ligands);
  printf("bytes per ligand: %.1f, source %.1f\n", (double)stored.st_size / (double)ligands,
         (double)source.st_size / (double)ligands);
  for (int k = 2; k > 0; k--)
    printf("%s: %.0f records per second, %.0f molecules per second\n", k == 2 ? "library" : "source",
           rate(argv[k], false, least), rate(argv[k], true, least));
  printf("one ligand at random: %.0f microseconds\n", seeks(argv[2], ligands, least));
  return 0;
}
