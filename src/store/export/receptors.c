/* receptors.c - ligands of several screens, of one library against several receptors, in one ranking. */
#include <berth/screen.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/file.h"
#include "base/memory.h"
#include "base/text/text.h"
#include "store/store.h"

enum { BUFFER = 1 << 16 };

/* A ligand in one of the databases. */
typedef struct docked {
  int64_t ordinal;
  int database;
  double energy;
  char *name, *source; /* its own */
} docked;

/* A ligand: docked[first .. first + count). */
typedef struct ligand {
  size_t first;
  int count, best; /* best: index of the database */
  double energy;
} ligand;

typedef struct ranking {
  docked *docked; /* [n_docked], by ordinal and database */
  size_t n_docked, docked_room;
  ligand *ligands; /* [n_ligands], the best first */
  size_t n_ligands, ligand_room;
  int database; /* that is being read */
} ranking;

static void clear(ranking *r) {
  for (size_t k = 0; k < r->n_docked; k++) {
    free(r->docked[k].name);
    free(r->docked[k].source);
  }
  free(r->docked);
  free(r->ligands);
}

static bt_status take(void *user, int64_t rank, const bt_store_row *row, bt_error *opt_error) {
  ranking *r = user;
  (void)rank;
  docked d = {.ordinal = row->ordinal, .database = r->database, .energy = row->rank_energy,
              .name = bt_copy_text(row->name, strlen(row->name)),
              .source = bt_copy_text(row->source, strlen(row->source))};
  if (d.name != NULL && d.source != NULL && BT_APPEND(r->docked, r->n_docked, &r->docked_room, d)) return BT_OK;
  free(d.name);
  free(d.source);
  return bt_fail_memory(opt_error);
}

static int by_ordinal(const void *left, const void *right) {
  const docked *a = left, *b = right;
  if (a->ordinal != b->ordinal) return a->ordinal < b->ordinal ? -1 : 1;
  return a->database - b->database;
}

static int by_energy(const void *left, const void *right) {
  const ligand *a = left, *b = right;
  if (a->energy != b->energy) return a->energy < b->energy ? -1 : 1;
  return a->first < b->first ? -1 : a->first > b->first;
}

/* Energies are comparable only if they mean the same. */
static bt_status check_settings(bt_store *first, bt_store *other, bt_error *opt_error) {
  static const char *const keys[] = {"library", "engine", "scoring", "rescore", "rank_by", "networks", "ranked_by",
                                     "filter", "protomers"};
  for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
    BT_SCOPED char *a = NULL, *b = NULL;
    BT_TRY(bt_store_get(first, keys[k], &a, opt_error));
    BT_TRY(bt_store_get(other, keys[k], &b, opt_error));
    if (strcmp(a != NULL ? a : "", b != NULL ? b : "") != 0)
      return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = bt_store_path(other)},
                     "rank screens of the same library, with the same functions, against different receptors",
                     "its setting '%s' is not that of %s", keys[k], bt_store_path(first));
  }
  return BT_OK;
}

static bt_status read_all(const char *const *databases, int count, ranking *r, bt_error *opt_error) {
  BT_SCOPED_STORE first = NULL;
  for (r->database = 0; r->database < count; r->database++) {
    BT_SCOPED_STORE store = NULL;
    BT_TRY(bt_store_open(databases[r->database], BT_STORE_READ, -1, &store, opt_error));
    if (first != NULL) BT_TRY(check_settings(first, store, opt_error));
    BT_TRY(bt_store_visit(store, true, false, -1, take, r, opt_error));
    if (first == NULL) {
      first = store;
      store = NULL;
    }
  }
  return BT_OK;
}

static bt_status group(ranking *r, bt_receptor_rank by, const char *const *databases, bt_error *opt_error) {
  if (r->n_docked > 0) qsort(r->docked, r->n_docked, sizeof *r->docked, by_ordinal);
  for (size_t first = 0, next; first < r->n_docked; first = next) {
    const docked *d = &r->docked[first];
    ligand one = {.first = first, .best = d->database};
    double sum = 0, least = d->energy;
    for (next = first; next < r->n_docked && r->docked[next].ordinal == d->ordinal; next++) {
      const docked *here = &r->docked[next];
      if (strcmp(here->name, d->name) != 0)
        return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = databases[here->database]},
                       "rank screens of the same library", "ligand %lld is called %s, and %s in %s",
                       (long long)d->ordinal + 1, here->name, d->name, databases[d->database]);
      sum += here->energy;
      if (here->energy < least) least = here->energy, one.best = here->database;
      one.count++;
    }
    one.energy = by == BT_RECEPTOR_RANK_MEAN ? sum / one.count : least;
    if (!BT_APPEND(r->ligands, r->n_ligands, &r->ligand_room, one)) return bt_fail_memory(opt_error);
  }
  if (r->n_ligands > 0) qsort(r->ligands, r->n_ligands, sizeof *r->ligands, by_energy);
  return BT_OK;
}

/* Energies in the order of the databases, empty where the ligand was not docked. */
static void add_row(bt_text *text, const ranking *r, size_t rank, int count) {
  const ligand *one = &r->ligands[rank];
  const docked *d = &r->docked[one->first];
  bt_text_printf(text, "%zu,%lld,", rank + 1, (long long)d->ordinal);
  bt_text_csv(text, d->name);
  bt_text_printf(text, ",%.4f,%d,%d", one->energy, one->best + 1, one->count);
  for (int k = 0, at = 0; k < count; k++) {
    bt_text_add_char(text, ',');
    if (at < one->count && d[at].database == k) bt_text_printf(text, "%.4f", d[at++].energy);
  }
  bt_text_add_char(text, ',');
  bt_text_csv(text, d->source);
  bt_text_add_char(text, '\n');
}

static bt_status write(bt_file_writer *writer, const ranking *r, int count, int64_t top, bt_error *opt_error) {
  BT_ENDED_BY(bt_text_destroy) bt_text text = {0};
  bt_text_add_string(&text, "rank,ordinal,name,energy,receptor,receptors");
  for (int k = 0; k < count; k++) bt_text_printf(&text, ",energy_%d", k + 1);
  bt_text_add_string(&text, ",source\n");
  for (size_t rank = 0; rank < r->n_ligands && (top == 0 || (int64_t)rank < top); rank++) {
    add_row(&text, r, rank, count);
    if (text.size < BUFFER) continue;
    BT_TRY(bt_text_status(&text, opt_error));
    BT_TRY(bt_file_writer_add(writer, text.data, text.size, opt_error));
    text.size = 0;
  }
  BT_TRY(bt_text_status(&text, opt_error));
  return bt_file_writer_add(writer, text.data, text.size, opt_error);
}

bt_status bt_screen_rank_receptors(const char *const *databases, int count, bt_receptor_rank by, int64_t top,
                                   const char *path, int64_t *ret_ligands, bt_error *opt_error) {
  BT_ENDED_BY(clear) ranking r = {0};
  bt_file_writer *writer;
  *ret_ligands = 0;
  BT_TRY(read_all(databases, count, &r, opt_error));
  BT_TRY(group(&r, by, databases, opt_error));
  BT_TRY(bt_file_writer_open(path, &writer, opt_error));
  bt_status status = write(writer, &r, count, top, opt_error);
  if (status != BT_OK) {
    bt_file_writer_abandon(writer);
    return status;
  }
  *ret_ligands = (int64_t)r.n_ligands;
  return bt_file_writer_commit(writer, opt_error);
}
