/* autodock.h - parameter files of AutoDock 4 and AutoGrid 4.
 *
 * Contents
 *   1. Docking parameter files (.dpf)
 *   2. Grid parameter files (.gpf)
 *
 * Conventions and the example's error and options are those of berth.h.
 */
#ifndef BERTH_AUTODOCK_H
#define BERTH_AUTODOCK_H

#include <berth/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------------------------------------------------
 * 1. Docking parameter files (.dpf)
 *
 *     bt_dpf *dpf;
 *     if (bt_dpf_read("ligand.dpf", &dpf, &error) != BT_OK)
 *       goto failed;
 *     for (int job = 0; job < bt_dpf_job_count(dpf); job++) {
 *       bt_dpf_apply(dpf, job, &options);
 *       printf("%s in %s\n", bt_dpf_ligand(dpf, job), bt_dpf_fld(dpf, job));
 *     }
 *     bt_dpf_destroy(dpf);
 * --------------------------------------------------------------------------------------------------------- */

/* The jobs of an AutoDock 4 docking parameter file (.dpf): one per ga_run (or gals_run) line, with all settings read up
 * to there, and a single job if there is no such line. Paths are returned as written; relative ones are relative to the
 * folder of the .dpf, as in AutoDock-GPU. Jobs count from 0. */
typedef struct bt_dpf bt_dpf;

/* Keywords that only control AutoDock's own output or memory are skipped; unknown ones are BT_ERR_INPUT. */
bt_status bt_dpf_read(const char *path, bt_dpf **ret_dpf, bt_error *opt_error) BT_MUST_USE;
void bt_dpf_destroy(bt_dpf *dpf);
int bt_dpf_job_count(const bt_dpf *dpf);
const char *bt_dpf_fld(const bt_dpf *dpf, int job);      /* fld; NULL when absent */
const char *bt_dpf_ligand(const bt_dpf *dpf, int job);   /* move or ligand; NULL when absent, "empty": no ligand */
const char *bt_dpf_flexible(const bt_dpf *dpf, int job); /* flexres; NULL when absent */
/* Overwrites the options that the file sets for this job and leaves the others unchanged. */
void bt_dpf_apply(const bt_dpf *dpf, int job, bt_dock_options *options);
/* Words of its comments "# --option value", by which AutoDock-GPU takes options per job: "--option", "value", ... */
int bt_dpf_word_count(const bt_dpf *dpf, int job);
const char *bt_dpf_word(const bt_dpf *dpf, int job, int index);
/* Settings that were skipped although they would have mattered, one clause each. */
int bt_dpf_warning_count(const bt_dpf *dpf);
const char *bt_dpf_warning(const bt_dpf *dpf, int index);

/* ---------------------------------------------------------------------------------------------------------
 * 2. Grid parameter files (.gpf)
 *
 *     bt_gpf_result grids;
 *     bt_status status = bt_gpf_run("receptor.gpf", 0, NULL, &grids, &error);
 *     fputs(status == BT_OK ? grids.log : grids.warnings, stdout);
 *     bt_gpf_result_clear(&grids);
 * --------------------------------------------------------------------------------------------------------- */

/* The outcome of a grid parameter file; clear it after a failure, too. */
typedef struct bt_gpf_result {
  bt_maps *maps;
  char *fld_path;
  char *log;      /* the contents of AutoGrid's .glg: input, receptor, maps; without the final line on completion */
  char *warnings; /* one per line, "" when there are none */
} bt_gpf_result;

/* Reads a grid parameter file (.gpf) as AutoGrid 4.2.6 does, computes its maps and writes the files it names, relative
 * to the working directory. opt_isa as in bt_grid_options. */
bt_status bt_gpf_run(const char *gpf_path, int threads, const char *opt_isa, bt_gpf_result *ret_result,
                     bt_error *opt_error) BT_MUST_USE;
void bt_gpf_result_clear(bt_gpf_result *result);

#ifdef __cplusplus
}
#endif

#endif
