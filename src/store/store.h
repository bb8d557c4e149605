/* store.h - the database of a screen: SQLite tables whose rows appear batch by batch, each batch in one transaction.
 *
 * docs/screening.md describes the tables; they are part of the interface. One thread at a time uses a store; only
 * bt_store_limit may be asked by any. When a build has no SQLite, opening one fails and says so.
 */
#ifndef BERTH_STORE_STORE_H
#define BERTH_STORE_STORE_H

#include <berth/screen.h>

#include "base/text/text.h"
#include "results/score_list.h"

/* The settings are those of version 1. user_version is 3, or 4 with properties of ligands; early databases have 1, or 2
 * where the columns of terms are not called as in AutoDock, and no column rank_energy: what ranks is in free_energy. They get it when they are resumed. */
enum { BT_STORE_VERSION = 1, BT_STORE_NAMED_TERMS = 2, BT_STORE_RANK_ENERGY = 3, BT_STORE_PROPERTIES = 4,
       BT_STORE_TERMS = 3 };

#define BT_STORE_FILTERED "BT_ERR_FILTERED"
/* Values among the scores of a ligand that was docked in several states: which is the best, and how many there are. */
#define BT_STORE_STATE "protomer"
#define BT_STORE_STATES "protomers"

typedef struct bt_store bt_store;

typedef enum bt_store_mode {
  BT_STORE_CREATE, /* BT_ERR_USAGE when there is one already */
  BT_STORE_RESUME, /* created if absent; BT_ERR_USAGE if another process works on it */
  BT_STORE_READ    /* may be written by another process meanwhile */
} bt_store_mode;

/* A pose as the search left it: position 3 (Angstrom), quaternion 4 (x, y, z, w), torsions (radians), relative to the
 * molecule that is kept beside it. */
typedef struct bt_store_pose {
  int run, cluster, cluster_size; /* from 1 */
  double free_energy, terms[BT_STORE_TERMS];
  double *genotype; /* [n_genes] */
  int n_genes;
} bt_store_pose;

/* The outcome for a ligand. */
typedef struct bt_store_row {
  int64_t ordinal;
  char *name, *source;
  const char *state;                           /* "docked", "rejected", "failed" */
  const char *status; /* name of a bt_status; NULL when docked; those left out by a filter are "rejected" with
                       * BT_STORE_FILTERED */
  char *reason;                                /* NULL when docked */
  double free_energy, terms[BT_STORE_TERMS]; /* of the best pose; the terms are the engine's */
  double rank_energy; /* what ranks the ligand: with scores it may be that of another function */
  int atoms, torsions, runs, clusters;
  int64_t evaluations;
  double seconds;
  char device[64];
  bt_score_list scores; /* of the best cluster by re-scorers and the docking's function; empty without re-scorers */
  bt_store_pose *poses; /* [n_poses], the best first */
  int n_poses;
  char *molecule; /* PDBQT text; NULL: it and the poses are not kept */
  char *properties; /* of its table or record (formats/properties.h), whatever its state; NULL: none */
  struct bt_store_row *next;
} bt_store_row;

void bt_store_row_destroy(bt_store_row *opt_row);
/* NULL: memory is exhausted. state and status stay borrowed, next is NULL. */
bt_store_row *bt_store_row_copy(const bt_store_row *row);

typedef struct bt_store_counts {
  int64_t docked, rejected, failed, filtered, with_poses; /* filtered: left out, not among the rejected */
} bt_store_counts;

/* keep: number of best ligands whose poses and molecules are kept; -1: all. */
bt_status bt_store_open(const char *path, bt_store_mode mode, int64_t keep, bt_store **ret_store,
                        bt_error *opt_error) BT_MUST_USE;
void bt_store_close(bt_store *opt_store);
/* A local store that is closed at the end of its scope. */
#define BT_SCOPED_STORE __attribute__((cleanup(bt_store_close_scoped))) bt_store *
static inline void bt_store_close_scoped(bt_store **store) { bt_store_close(*store); }
/* Checkpoints the log into the database file and syncs it; otherwise bt_store_close does so if it can, and else leaves
 * the log, which belongs to the database. alone: a concurrent reader is an error. */
bt_status bt_store_seal(bt_store *store, bool alone, bt_error *opt_error) BT_MUST_USE;
const char *bt_store_path(const bt_store *store);

/* The columns of the engine's terms: inter, intra and torsional unless bt_store_name_terms says else. */
const char *bt_store_term(const bt_store *store, int index);
/* Names the columns of a database that has no rows yet; one with rows stays as it is. */
bt_status bt_store_name_terms(bt_store *store, const char *const names[BT_STORE_TERMS],
                              bt_error *opt_error) BT_MUST_USE;

bt_status bt_store_begin(bt_store *store, bt_error *opt_error) BT_MUST_USE;
bt_status bt_store_commit(bt_store *store, bt_error *opt_error) BT_MUST_USE;
/* A ligand that has a row already is an error: nothing is docked twice. */
bt_status bt_store_add(bt_store *store, const bt_store_row *row, bt_error *opt_error) BT_MUST_USE;
/* Poses with higher energies are not kept; INFINITY while there is room. */
double bt_store_limit(bt_store *store);

/* Settings: *ret_value is NULL for an unknown key; free() it. */
bt_status bt_store_set(bt_store *store, const char *key, const char *value, bt_error *opt_error) BT_MUST_USE;
bt_status bt_store_get(bt_store *store, const char *key, char **ret_value, bt_error *opt_error) BT_MUST_USE;
/* Texts of any size, compressed. */
bt_status bt_store_set_text(bt_store *store, const char *key, const char *text, bt_error *opt_error) BT_MUST_USE;
bt_status bt_store_get_text(bt_store *store, const char *key, char **ret_text, bt_error *opt_error) BT_MUST_USE;
/* The box of the maps in which a screen docks; BT_ERR_INPUT when it is missing. */
bt_status bt_store_box(bt_store *store, bt_box *ret_box, bt_error *opt_error) BT_MUST_USE;

/* A transaction: when it ended (seconds since 1970), how long after the one before of its process, what it holds. */
typedef struct bt_store_progress {
  double ended, seconds;
  int64_t ligands, evaluations;
} bt_store_progress;

bt_status bt_store_add_progress(bt_store *store, const bt_store_progress *progress, bt_error *opt_error) BT_MUST_USE;
typedef bt_status (*bt_store_progress_fn)(void *user, const bt_store_progress *progress, bt_error *opt_error);
/* In the order of their ends; nothing in a database that an early version made. */
bt_status bt_store_visit_progress(bt_store *store, bt_store_progress_fn visit, void *user,
                                  bt_error *opt_error) BT_MUST_USE;

/* Deletes the rows of ligands with these outcomes (bits of bt_screen_retry); the screen is then incomplete. */
bt_status bt_store_forget(bt_store *store, unsigned retry, bt_error *opt_error) BT_MUST_USE;
bt_status bt_store_count(bt_store *store, bt_store_counts *ret_counts, bt_error *opt_error) BT_MUST_USE;
/* How many a filter left out, by its conditions: "12 by weight, 3 by pains"; nothing is added if there are none. */
bt_status bt_store_list_filtered(bt_store *store, bt_text *text, bt_error *opt_error) BT_MUST_USE;
/* Rows of another database count as done, too. */
bt_status bt_store_attach_done(bt_store *store, const char *other, bt_error *opt_error) BT_MUST_USE;
/* Ordinals >= from that have a row, ascending; at most `most`. */
bt_status bt_store_done(bt_store *store, int64_t from, int64_t *ordinals, int most, int *ret_count,
                        bt_error *opt_error) BT_MUST_USE;
/* The best ones. */
bt_status bt_store_hits(bt_store *store, bt_screen_hit *hits, int most, int *ret_count,
                        bt_error *opt_error) BT_MUST_USE;

/* The energies of all ligands in a function of --rescore, in no order; free() them. NULL: no ligand has any. */
bt_status bt_store_scores(bt_store *store, const char *scoring, double **ret_scores, size_t *ret_count,
                          bt_error *opt_error) BT_MUST_USE;

/* Calls visit for the rows of a state by rank (docked), else by ordinal; at most `most`, -1: all. With poses, the row
 * brings its poses and its molecule where they are kept. Damaged ligands are passed over, and have no rank. */
typedef bt_status (*bt_store_visit_fn)(void *user, int64_t rank, const bt_store_row *row, bt_error *opt_error);
bt_status bt_store_visit(bt_store *store, bool docked, bool poses, int64_t most, bt_store_visit_fn visit, void *user,
                         bt_error *opt_error) BT_MUST_USE;

/* Every name and value of the ligands' properties, in their order; returns false when memory is exhausted. */
typedef bool (*bt_store_property_fn)(void *user, bt_span name, bt_span value);
bt_status bt_store_visit_properties(bt_store *store, bt_store_property_fn visit, void *user,
                                    bt_error *opt_error) BT_MUST_USE;

/* Copies all rows of another database; rows that both have must agree in state and energy. Damaged ligands are left
 * out. */
bt_status bt_store_absorb(bt_store *store, bt_store *from, bt_error *opt_error) BT_MUST_USE;

/* Ligands that were found damaged so far: left out by bt_store_visit, bt_store_absorb. */
const bt_screen_damage *bt_store_damage(const bt_store *store);
/* Finds all of them before the first visit, damaged poses too. */
bt_status bt_store_find_damage(bt_store *store, bt_error *opt_error) BT_MUST_USE;
/* Deletes their rows; the screen is then incomplete if there were any. Call in a transaction. */
bt_status bt_store_forget_damaged(bt_store *store, bt_error *opt_error) BT_MUST_USE;

#endif
