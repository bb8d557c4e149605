/* report_internal.h - what the parts of a report share. */
#ifndef BERTH_REPORT_REPORT_INTERNAL_H
#define BERTH_REPORT_REPORT_INTERNAL_H

#include <berth/interactions.h>

#include "base/text/json.h"
#include "report/detail.h"

/* A column of the ligands' table, of a re-scorer. */
typedef struct bt_report_score_column {
  char *name;
  bool energy; /* kcal/mol; else without a unit */
} bt_report_score_column;

typedef struct bt_report {
  const char *folder;
  char *prefix;   /* of links from the page to files of the folder; "": the page stands beside them */
  bool rows_only; /* beside another folder: no receptor, no poses */
  const bt_report_options *options;
  char *title;
  bt_report_summary *summary;
  bt_text text; /* the page's data: one JSON object */
  bt_json json;
  bt_molecule **receptor; /* NULL: there is none */
  int n_receptor;
  bt_contact_site *site;
  struct bt_interaction_table *fingerprints; /* NULL: not wanted */
  bt_report_score_column *score_columns; /* [n_score_columns] in the order in which rows brought them */
  int n_score_columns;
  size_t score_room;
} bt_report;

/* dock_folder.c, screen_folder.c: add all members of the page's object. */
bt_status bt_report_dock_folder(bt_report *report, bt_error *opt_error) BT_MUST_USE;
bt_status bt_report_screen_database(bt_report *report, const char *path, bt_error *opt_error) BT_MUST_USE;

/* report.c */

/* Reads the receptor from its PDBQT text, and adds it to the page. label is its name in messages. */
bt_status bt_report_receptor(bt_report *report, const char *label, const char *text, size_t size,
                             bt_error *opt_error) BT_MUST_USE;
bool bt_report_ends_with(const char *text, const char *end);
void bt_report_fact(bt_report *report, const char *label, const char *opt_value);
/* "kind", "title", and the other members common to all pages. */
void bt_report_begin(bt_report *report, const char *kind);
/* Adds a member: which of the files STEM.ENDING are in the folder, by their endings ("a b c"). */
bt_status bt_report_files(bt_report *report, const char *key, const char *stem, const char *endings,
                          bt_error *opt_error) BT_MUST_USE;
/* Names the scoring function, unless opt_name is that of AutoDock 4, or none. */
void bt_report_scoring(bt_report *report, const char *opt_name);
/* Says that what ranks is no energy, if that is so. */
void bt_report_rank(bt_report *report, const char *opt_ranked_by);
void bt_report_columns(bt_report *report, const char *names);
/* The tests of poses, in the order in which poses list their values. */
void bt_report_limits(bt_report *report);
/* Is the name one of the actives? opt_pattern as of bt_report_compile, NULL: no. */
bool bt_report_is_active(const void *opt_pattern, const char *name);
bt_status bt_report_compile(const bt_report *report, void **ret_pattern, bt_error *opt_error) BT_MUST_USE;
void bt_report_pattern_free(void *opt_pattern);

/* screen_details.c */

typedef struct bt_screen_poses {
  struct bt_store *store;
  bt_scoring scoring;
  const bt_molecule *opt_flexible;
  bool autodock; /* else no row has poses of a PDBQT molecule */
} bt_screen_poses;

/* Adds the elements of "details": the top ligands of the database, null for those without poses. */
bt_status bt_report_screen_details(bt_report *report, const bt_screen_poses *poses, int64_t top,
                                   bt_error *opt_error) BT_MUST_USE;

/* row_scores.c: what re-scorers say of a ligand, as the last values of its row */

/* Adds the values of one row. */
bt_status bt_report_row_scores(bt_report *report, const bt_score_list *energies, const bt_score_list *values,
                               bt_error *opt_error) BT_MUST_USE;
/* Puts a score of a database into one of the lists, or into none. False when memory is exhausted. */
bool bt_report_sort_score(const char *name, double score, bt_score_list *energies, bt_score_list *values);
/* After all rows: a member with name and kind of these columns. */
void bt_report_score_columns(bt_report *report);
void bt_report_forget_columns(bt_report *report);

/* fingerprints.c: which residues the best pose of each ligand touches, and how. */

/* Notes the first pose of the ligand; nothing without a receptor or where fingerprints are not wanted. */
bt_status bt_report_fingerprint(bt_report *report, const char *name, const bt_ligand *ligand, const double *xyz,
                                bt_error *opt_error) BT_MUST_USE;

/* page.c: inserts the data into the templates. */
bt_status bt_report_page(bt_report *report, const char *path, bt_error *opt_error) BT_MUST_USE;

#endif
