/* study.h - `berth bench e50`: complexes, configurations, the traces of their runs, and the results. */
#ifndef BERTH_BENCH_E50_STUDY_H
#define BERTH_BENCH_E50_STUDY_H

#include <berth/berth.h>

#include "base/joules.h"
#include "bench/common/job.h"
#include "bench/common/json_read.h"
#include "bench/common/output.h"
#include "bench/e50/e50.h"

/* One complex of a set. */
typedef struct e50_complex {
  char *name;
  int atoms, torsions; /* from the table of the set */
  double known;        /* lowest inter + intra known, kcal/mol; NaN: unknown */
  bool proven;         /* known is that of the probable global minimum, not just the best so far */
  double known_rmsd;   /* of the known minimum to the crystal pose, Angstrom; NaN: unknown */
  double best;         /* the lowest found */
  double best_rmsd;    /* of that pose to the crystal pose, Angstrom */
  double minimum;      /* the lowest known or found, kcal/mol: the reference of success by score */
  double minimum_rmsd; /* of the minimum: best_rmsd, or that of the set if no run came near the minimum; NaN:
                          unknown */
  bool by_rmsd;        /* minimum_rmsd is within the radius, so that success by RMSD is meaningful */
  const bt_e50_reference_row *opt_reference; /* results of another program */
} e50_complex;

typedef struct e50_set {
  const char *folder;
  e50_complex *items; /* sorted by torsions, then atoms */
  size_t capacity;
  int count;
} e50_set;

/* set.c. A set is a folder with ligand_properties.csv (columns pdb, n_atoms, n_tors, score_of_probable_global_minimum,
 * rmsd_of_probable_global_minimum, best_score_so_far) and a folder per complex: protein.pdbqt, protein.maps.fld (only
 * its box is read), rand-0.pdbqt, flex-xray.pdbqt. opt_only: names between commas. Free the set also after a failure.
 */
bt_status e50_set_read(const char *folder, const char *opt_only, e50_set *ret_set, bt_error *opt_error) BT_MUST_USE;
void e50_set_free(e50_set *set);

/* Loads a complex ready for docking; free the case also after a failure. */
bt_status e50_case_load(const e50_set *set, const e50_complex *complex, int threads, bench_case *ret_case,
                        bt_error *opt_error) BT_MUST_USE;

typedef enum e50_criterion { E50_SCORE, E50_RMSD, E50_CRITERIA } e50_criterion;
extern const char *const e50_criteria[E50_CRITERIA]; /* keys of the JSON */

/* Comparison of two configurations over complexes, by evaluations and by seconds. */
typedef struct e50_contest {
  bt_e50_comparison of[E50_CRITERIA][2];
} e50_contest;

/* Geometric means of one configuration over the complexes in which any configuration succeeded. */
typedef struct e50_mean {
  int complexes;
  double e50;
  double seconds; /* to a probability of one half; NaN unless known for all of them */
} e50_mean;

/* A search configuration. */
typedef struct e50_config {
  char *name;
  bt_dock_options search;
  char settings[640]; /* all settings that affect the result, as text */
  e50_mean means[E50_CRITERIA];
  e50_contest contest;          /* against the first configuration; unused for the first itself */
  bt_e50_match_summary against; /* the program of the reference */
} e50_config;

/* config.c. Parses NAME or NAME:option=value,option=value...; a name alone is that of a local search. common: defaults
 * of every configuration. Prints a message and returns false if word is invalid. */
bool e50_config_parse(const char *program, const char *word, const bt_dock_options *common, e50_config *ret_config);

/* A new best pose of a run. */
typedef struct e50_step {
  int run;             /* from 0 */
  int64_t evaluations; /* of this run, at the end of the generation that found the pose */
  double energy;       /* inter + intra in double precision, closed forms, kcal/mol */
  double rmsd;         /* to the reference, Angstrom */
} e50_step;

/* How the energies of one configuration's runs on one complex fell. Improvements of less than 0.001 kcal/mol are left
 * out. */
typedef struct e50_trace {
  e50_step *steps; /* of all runs, in order of generations */
  size_t n_steps, capacity;
  int64_t *evaluations; /* [runs] */
  int runs;
  bench_subject subject;
  bool valid;                 /* the search's own energies of these poses agree with double precision */
  double worst_energy;        /* largest deviation, in tolerances */
  int64_t total, generations; /* evaluations of all runs */
  double seconds;             /* of the search and its analysis */
  double docking_seconds;     /* of the search alone, after warming up: the time of all these evaluations */
  bt_joules joules;           /* of the search and of the analysis between its generations */
  char commit[64];
} e50_trace;

/* trace.c: files of the state folder, one per complex and configuration, written atomically. *ret_found is false if
 * there is none; BT_ERR_USAGE if it has other settings. Free the steps also after a failure. */
bt_status e50_trace_read(const char *path, const char *settings, int runs, e50_trace *ret_trace, bool *ret_found,
                         bt_error *opt_error) BT_MUST_USE;
bt_status e50_trace_write(const char *path, const char *complex, const char *config, const char *settings,
                          const e50_trace *trace, bt_error *opt_error) BT_MUST_USE;

typedef struct e50_limits {
  double enough;
  double window; /* kcal/mol */
  double radius; /* Angstrom */
} e50_limits;

/* search.c: searches until the limit, or until a fraction `enough` of all runs is within `window` of the known minimum
 * and, if that minimum is within `radius` of the reference pose, within `radius` too. */
bt_status e50_search(const bench_case *c, const e50_complex *complex, const e50_config *config,
                     const e50_limits *limits, e50_trace *ret_trace, bt_error *opt_error) BT_MUST_USE;

/* When each of the trace's runs was successful; allocated with their changes. A pose is a success if its energy and
 * RMSD are at most these; INFINITY: no limit. */
bt_e50_run *e50_runs_find(const e50_trace *trace, double energy, double rmsd);

/* One configuration on one complex. */
typedef struct e50_cell {
  e50_trace trace;
  bt_e50_run *runs[E50_CRITERIA];
  bt_e50 e50[E50_CRITERIA];
  double best, best_rmsd; /* lowest energy of all runs, kcal/mol, and the RMSD of that pose, Angstrom */
  double rate;            /* evaluations per second of docking, all runs together; NaN: unknown */
  bt_e50_match_result match; /* comparison with the reference of the complex */
  double ratios[E50_CRITERIA][2]; /* to the first configuration, of evaluations and of seconds; NaN: unknown */
} e50_cell;

typedef struct e50_study {
  e50_set set;
  e50_limits limits;
  e50_config *configs;
  int n_configs;
  e50_cell *cells;                    /* [complexes][configurations] */
  const char *opt_path, *opt_program; /* reference table (NULL: none) and the program whose columns are used (NULL: the
                                       * first) */
  int margin;                         /* so many hits fewer, of the table's runs, do not count as worse */
  bt_e50_reference *reference;
  int n_references; /* complexes in the table */
} e50_study;

/* study.c. Frees the contents. */
void e50_study_close(e50_study *study);
e50_cell *e50_study_cell(const e50_study *study, int complex, int config);
/* Evaluates the traces. */
void e50_study_evaluate(e50_study *study, uint64_t seed);
/* Whether success by this criterion is meaningful for the complex. */
bool e50_study_counts(const e50_study *study, int complex, e50_criterion criterion);
/* Whether all energies of all searches agree with double precision. */
bool e50_study_valid(const e50_study *study);

/* against.c. Reads the table of opt_path before any search; compares an evaluated study with it. */
bt_status e50_against_open(e50_study *study, bt_error *opt_error) BT_MUST_USE;
void e50_against_evaluate(e50_study *study, uint64_t seed);
/* Write the member "against" of the study's JSON, and tables. */
void e50_against_json(bt_json *json, const e50_study *study);
void e50_against_print(const e50_study *study);

/* budgets_report.c: if path is a table of budgets, compares its programs and writes the result; otherwise *ret_done is
 * false. */
bt_status e50_budgets_run(const char *path, const char *opt_program, bool has_set, uint64_t seed, bench_output *output,
                          bool *ret_done, bt_error *opt_error) BT_MUST_USE;

/* rows.c: writes the hits of every complex and configuration as rows of a table of budgets. */
bt_status e50_rows_write(const e50_study *study, const char *path, bt_error *opt_error) BT_MUST_USE;

/* table.c: prints a mean of ratios on one line, or nothing if there are none. */
void e50_ratio_print(const char *first, const char *second, const bt_e50_comparison *of, const char *criterion,
                     bool seconds);
void e50_contest_print(const char *first, const char *second, const e50_contest *contest);
void e50_study_print(const void *study);

/* plot.c: draws E50 as in the papers. */
void e50_study_draw(FILE *stream, const void *study);

/* report.c: write an object without its closing brace, a whole one, and the study's members. */
void e50_ratio_json(bt_json *json, const bt_e50_comparison *of);
void e50_contest_json(bt_json *json, const char *first, const char *second, const e50_contest *contest);
void e50_study_json(bt_json *json, const void *study);

/* files.c: compares two studies from their JSON. Success by score refers to each study's own minima, so these should
 * agree; a note lists those that differ by more than 0.1 kcal/mol. */
bt_status e50_files_compare(const cli_json *first, const cli_json *second, bench_output *output,
                            bt_error *opt_error) BT_MUST_USE;

#endif
