/* fuzz_bude_deck.c - any bytes as a benchmark's deck, which is a folder: refused with the file's name, or read
 * completely. An input begins with five numbers of 16 bits, lowest byte first: sizes of forcefield.in, protein.in,
 * ligand.in and poses.in, and how many poses are wanted. Then come the files; what is left over is ref_energies.out,
 * which may be absent. */
#include <fcntl.h>
#include <unistd.h>

#include "engine/bude/deck.h"
#include "fuzz/fuzz.h"

enum { NUMBERS = 5, FILES = 5 };
static const char *const names[FILES] = {"forcefield.in", "protein.in", "ligand.in", "poses.in", "ref_energies.out"};

static void write_file(int folder, const char *name, const uint8_t *data, size_t size) {
  int file = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL, 0600);
  FUZZ_CHECK(file >= 0 && write(file, data, size) == (ssize_t)size);
  close(file);
}

static void write_deck(int folder, const uint8_t *data, size_t size, size_t *ret_most_poses) {
  size_t at = sizeof(uint16_t) * NUMBERS;
  for (int i = 0; i < FILES; i++) {
    size_t number = data[2 * i] + 256u * data[2 * i + 1], rest = size - at;
    bool energies = i == FILES - 1;
    if (energies) *ret_most_poses = number;
    size_t bytes = energies || number > rest ? rest : number;
    if (!energies || bytes > 0) write_file(folder, names[i], data + at, bytes);
    at += bytes;
  }
}

static void check_atoms(const bt_bude_deck *deck, const bt_bude_atom *atoms, size_t n) {
  FUZZ_CHECK(n > 0);
  for (size_t i = 0; i < n; i++) {
    FUZZ_CHECK(isfinite(atoms[i].x) && isfinite(atoms[i].y) && isfinite(atoms[i].z));
    FUZZ_CHECK(atoms[i].type >= 0 && atoms[i].type < deck->forcefield->n_types);
  }
}

static void check_deck(const bt_bude_deck *deck, size_t most_poses) {
  const bt_bude_forcefield *f = deck->forcefield;
  for (int t = 0; t < f->n_types; t++) {
    bt_bude_law law = bt_bude_law_of(&f->types[t], &f->types[f->n_types - 1 - t], BT_BUDE_RULES_DECK);
    FUZZ_CHECK(isfinite(law.radii) && law.radii >= 0 && isfinite(law.charge) && isfinite(law.desolvation));
  }
  check_atoms(deck, deck->protein, deck->n_protein);
  check_atoms(deck, deck->ligand, deck->n_ligand);
  FUZZ_CHECK(deck->n_poses > 0 && (most_poses == 0 || deck->n_poses <= most_poses));
  for (size_t i = 0; i < 6 * deck->n_poses; i++) FUZZ_CHECK(isfinite(deck->poses[i]));
  if (deck->reference == NULL) return;
  for (size_t i = 0; i < deck->n_poses; i++) FUZZ_CHECK(isfinite(deck->reference[i]));
  FUZZ_CHECK(bt_bude_deck_deviation(deck->reference, deck->reference, deck->n_poses, NULL) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < sizeof(uint16_t) * NUMBERS) return 0;
  char path[] = "/tmp/berth-fuzz-XXXXXX";
  FUZZ_CHECK(mkdtemp(path) != NULL);
  int folder = open(path, O_RDONLY | O_DIRECTORY);
  size_t most_poses = 0;
  FUZZ_CHECK(folder >= 0);
  write_deck(folder, data, size, &most_poses);
  bt_bude_deck *deck = NULL;
  bt_error error;
  bt_status status = bt_bude_deck_read(path, most_poses, &deck, &error);
  if (status == BT_OK) {
    check_deck(deck, most_poses);
    bt_bude_deck_destroy(deck);
  } else {
    fuzz_check_failure(status, &error);
    FUZZ_CHECK(strncmp(error.file, path, strlen(path)) == 0);
  }
  for (int i = 0; i < FILES; i++) unlinkat(folder, names[i], 0);
  close(folder);
  rmdir(path);
  return 0;
}
