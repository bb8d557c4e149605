/* set.h - `berth bench e50`: complexes, configurations, how their runs came down, and what follows from it. */
#ifndef BERTH_BENCH_E50_SET_H
#define BERTH_BENCH_E50_SET_H

#include "bench/common/results.h"

#include "dock/device.h"
#include "bench/common/json_read.h"
#include "common/options.h"

/* One complex of a set. */
typedef struct e50_complex {
  char *name;
  int atoms, torsions; /* as the table of the set says */
  double known;        /* lowest inter + intra known, kcal/mol; NaN: unknown */
  bool proven;         /* known is that of the probable global minimum, and not only the best so far */
  double known_rmsd;   /* of the known minimum to the crystal pose, Angstrom; NaN: unknown */
} e50_complex;

typedef struct e50_set {
  const char *folder;
  e50_complex *items; /* by torsions, then atoms */
  int count;
} e50_set;

/* bench_e50_set.c. A set is a folder with ligand_properties.csv (columns pdb, n_atoms, n_tors,
 * score_of_probable_global_minimum, rmsd_of_probable_global_minimum, best_score_so_far) and a folder per complex:
 * protein.pdbqt, protein.maps.fld (only its box is read), rand-0.pdbqt, flex-xray.pdbqt. opt_only: names between commas.
 * Free the set also after a failure. */
bt_status e50_set_read(const char *folder, const char *opt_only, e50_set *ret_set, bt_error *opt_error) BT_MUST_USE;
void e50_set_free(e50_set *set);

/* A complex ready to be docked. */
typedef struct e50_case {
  bt_molecule **molecules, **references;
  int n_molecules, n_references;
  bt_ligand *ligand;
  bt_maps *maps;
} e50_case;

bt_status e50_case_load(const e50_set *set, const e50_complex *complex, int threads, e50_case *ret_case,
                        bt_error *opt_error) BT_MUST_USE;
void e50_case_free(e50_case *c);

/* A way to search. */
typedef struct e50_config {
  char *name, *words; /* the search borrows from words */
  bt_dock_options search;
  char settings[640]; /* all that decides what is found, in words */
} e50_config;

/* bench_e50_config.c. NAME or NAME:option=value,option=value...; a name alone is that of a local search. common: where
 * every configuration starts from. A message and false when the word is wrong. */
bool e50_config_parse(const char *program, const char *word, const bt_dock_options *common, e50_config *ret_config);
void e50_config_free(e50_config *config);

/* How the runs of one complex came down with one configuration. */
typedef struct e50_trace {
  bt_bench_step *steps; /* of all runs, in the order of generations */
  size_t n_steps, capacity;
  int64_t *evaluations; /* [runs] */
  int runs;
  bt_bench_convergence_result result;
  char commit[64];
} e50_trace;

/* bench_e50_trace.c: files of the state folder, one per complex and configuration, complete or not at all. *ret_found is
 * false when there is none; BT_ERR_USAGE for one of other settings. Free the trace also after a failure. */
bt_status e50_trace_read(const char *path, const char *settings, int runs, e50_trace *ret_trace, bool *ret_found,
                         bt_error *opt_error) BT_MUST_USE;
bt_status e50_trace_write(const char *path, const char *complex, const char *config, const char *settings,
                          const e50_trace *trace, bt_error *opt_error) BT_MUST_USE;
void e50_trace_free(e50_trace *trace);

/* bench_e50_search.c: searches until the limit, or until the share `enough` of all runs is within `window` of the known
 * minimum and, if that one is a pose within `radius` of the reference, so is the run's. */
typedef struct e50_limits {
  double enough;
  double window; /* kcal/mol */
  double radius; /* Angstrom */
} e50_limits;

bt_status e50_search(const e50_case *c, const e50_complex *complex, const e50_config *config, const e50_limits *limits,
                     e50_trace *ret_trace, bt_error *opt_error) BT_MUST_USE;

#endif
