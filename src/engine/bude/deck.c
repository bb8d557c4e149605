/* deck.c - reads decks as they are. */
#include "engine/bude/deck.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files/file.h"
#include "base/memory.h"

void bt_bude_deck_destroy(bt_bude_deck *opt_deck) {
  if (opt_deck == NULL) return;
  bt_bude_forcefield_destroy(opt_deck->forcefield);
  free(opt_deck->protein);
  free(opt_deck->ligand);
  free(opt_deck->poses);
  free(opt_deck->reference);
  free(opt_deck);
}

static bt_status read_atoms(const char *path, const bt_bude_forcefield *forcefield, bt_bude_atom **ret_atoms,
                            size_t *ret_n, bt_error *opt_error) {
  static const char *const remedy = "use a deck of the mini-app: records of float32 x, y, z, int32 type";
  char *data;
  size_t size;
  bt_status status = BT_OK;
  BT_TRY(bt_file_read(path, &data, &size, opt_error));
  if (size == 0 || size % sizeof(bt_bude_atom) != 0)
    status = bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = path}, remedy,
                     "%zu bytes are not a whole number of 16-byte atoms", size);
  bt_bude_atom *atoms = NULL;
  size_t n = size / sizeof *atoms;
  if (status == BT_OK) {
    atoms = bt_allocate(n, sizeof *atoms);
    if (atoms == NULL) status = bt_fail_memory(opt_error);
  }
  if (status == BT_OK) memcpy(atoms, data, size);
  free(data);
  for (size_t a = 0; status == BT_OK && a < n; a++) {
    const bt_bude_atom *atom = &atoms[a];
    bt_where where = {.file = path, .atom = (long)a + 1};
    if (atom->type < 0 || atom->type >= forcefield->n_types)
      status = bt_fail(opt_error, BT_ERR_INPUT, where, remedy, "type %d is not one of %d in forcefield.in", atom->type,
                       forcefield->n_types);
    else if (!isfinite(atom->x) || !isfinite(atom->y) || !isfinite(atom->z))
      status = bt_fail(opt_error, BT_ERR_INPUT, where, remedy, "its coordinates are not finite");
  }
  if (status != BT_OK) {
    free(atoms);
    return status;
  }
  *ret_atoms = atoms;
  *ret_n = n;
  return BT_OK;
}

static bt_status read_poses(const char *path, size_t most, bt_bude_deck *deck, bt_error *opt_error) {
  char *data;
  size_t size, record = 6 * sizeof(float);
  BT_TRY(bt_file_read(path, &data, &size, opt_error));
  size_t all = size / record, n = most > 0 && most < all ? most : all;
  deck->poses = size > 0 && size % record == 0 ? bt_allocate(6 * n, sizeof *deck->poses) : NULL;
  bt_status status = BT_OK;
  if (size == 0 || size % record != 0)
    status =
        bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = path}, "provide six arrays of float32, one after another",
                "%zu bytes are not a whole number of 24-byte poses", size);
  else if (deck->poses == NULL)
    status = bt_fail_memory(opt_error);
  for (size_t k = 0; status == BT_OK && k < 6; k++)
    memcpy(deck->poses + k * n, data + k * all * sizeof(float), n * sizeof(float));
  free(data);
  for (size_t i = 0; status == BT_OK && i < 6 * n; i++)
    if (!isfinite(deck->poses[i]))
      status =
          bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = path}, "correct it", "pose %zu is not finite", i % n + 1);
  deck->n_poses = n;
  return status;
}

static bt_status read_energies(const char *path, bt_bude_deck *deck, bt_error *opt_error) {
  BT_SCOPED char *text = NULL;
  size_t size, n = 0;
  bt_status status = BT_OK;
  BT_TRY(bt_file_read(path, &text, &size, opt_error));
  deck->reference = bt_allocate(deck->n_poses, sizeof *deck->reference);
  if (deck->reference == NULL) status = bt_fail_memory(opt_error);
  bt_lines lines = bt_lines_of(text, size);
  bt_span line;
  while (status == BT_OK && n < deck->n_poses && bt_lines_next(&lines, &line)) {
    double value;
    if (!bt_parse_double(line, &value) || fabs(value) > FLT_MAX)
      status = bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = path, .line = lines.number},
                       "write one energy per line", "not an energy");
    else
      deck->reference[n++] = (float)value;
  }
  if (status == BT_OK && n < deck->n_poses)
    status = bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = path}, "complete it, or ask for fewer poses",
                     "there are %zu energies for %zu poses", n, deck->n_poses);
  return status;
}

static bt_status read_deck(const char *folder, size_t most_poses, char *paths[5], bt_bude_deck *deck,
                           bt_error *opt_error) {
  static const char *const names[5] = {"forcefield.in", "protein.in", "ligand.in", "poses.in", "ref_energies.out"};
  for (int i = 0; i < 5; i++)
    if ((paths[i] = bt_path_join(folder, names[i])) == NULL) return bt_fail_memory(opt_error);
  BT_TRY(bt_bude_forcefield_read_deck(paths[0], &deck->forcefield, opt_error));
  BT_TRY(read_atoms(paths[1], deck->forcefield, &deck->protein, &deck->n_protein, opt_error));
  BT_TRY(read_atoms(paths[2], deck->forcefield, &deck->ligand, &deck->n_ligand, opt_error));
  BT_TRY(read_poses(paths[3], most_poses, deck, opt_error));
  return access(paths[4], F_OK) == 0 ? read_energies(paths[4], deck, opt_error) : BT_OK;
}

bt_status bt_bude_deck_read(const char *folder, size_t most_poses, bt_bude_deck **ret_deck, bt_error *opt_error) {
  char *paths[5] = {NULL};
  bt_bude_deck *deck = calloc(1, sizeof *deck);
  if (deck == NULL) return bt_fail_memory(opt_error);
  bt_status status = read_deck(folder, most_poses, paths, deck, opt_error);
  for (int i = 0; i < 5; i++) free(paths[i]);
  return BT_HAND_OVER(status, deck, ret_deck, bt_bude_deck_destroy);
}

double bt_bude_deck_deviation(const float *reference, const float *energies, size_t n_poses, size_t *opt_ret_pose) {
  double worst = 0;
  for (size_t i = 0; i < n_poses; i++) {
    double a = reference[i], b = energies[i], percent;
    if (isfinite(b) && fabs(a) < 1 && fabs(b) < 1) continue;
    percent = isfinite(b) && a != 0 ? 100 * fabs(a - b) / fabs(a) : INFINITY;
    if (percent <= worst) continue;
    worst = percent;
    if (opt_ret_pose != NULL) *opt_ret_pose = i;
  }
  return worst;
}
