/* adgpu.h - the parts of `berth-adgpu`, which accepts AutoDock-GPU's command line.
 *
 * Flags come in pairs "flag value"; docs/user-guide.md, "Coming from AutoDock and AutoDock-GPU".
 */
#ifndef BERTH_CLI_ADGPU_ADGPU_H
#define BERTH_CLI_ADGPU_ADGPU_H

#include <berth/autodock.h>
#include <berth/berth.h>
#include <berth/report.h>

#include "input/inputs.h"
#include "common/options.h"

/* All settings of one job. Strings are borrowed from argv or from the .dpf. */
typedef struct adgpu_settings {
  const char *lfile, *ffile, *flexres, *import_dpf, *xraylfile, *resnam;
  cli_list filelist, xml2dlg;
  const char *contact_analysis, *output_cluster_poses, *devnum, *loadxml, *seed, *derivtype, *modpair;
  int xmloutput, dlgoutput, dlg2stdout, rlige, gfpop, npdb, gbest, clustering, hsym;
  int heuristics, autostop, lsmet, initswgens, ubmod, modqp;
  double mrat, crat, lsrat, trat; /* per cent */
  double smooth, elecmindist;     /* Angstrom; elecmindist is negative when not given */
  const char *opt_device, *opt_isa;
  char devices[512];   /* the devices of devnum by name; "": auto */
  bool devnum_ignored;
  bool contacts;
  bt_contact_options contact_options;
  bt_dock_options search; /* evaluations 0: not given */
} adgpu_settings;

/* In the order of the choices of --lsmet. */
enum { ADGPU_LS_AD, ADGPU_LS_SW, ADGPU_LS_SD, ADGPU_LS_FIRE, ADGPU_LS_ADAM };

/* options.c */

/* AutoDock-GPU's defaults; where a .dpf is given, with the parameters of one of its jobs. */
adgpu_settings adgpu_settings_default(const bt_dpf *opt_dpf, int job);
void adgpu_settings_free(adgpu_settings *settings);
/* Parses the flags into settings. False, with the exit code, if the program should exit. */
bool adgpu_settings_parse(adgpu_settings *settings, const char *program, int argc, const char *const *argv,
                          int *ret_exit_code);
/* Turns the flags into the library's options; BT_ERR_USAGE for a flag that is not supported. */
bt_status adgpu_settings_finish(adgpu_settings *settings, bt_error *opt_error) BT_MUST_USE;
/* Warns of flags that are accepted but have no effect. */
void adgpu_settings_warn(const adgpu_settings *settings, const char *program);

/* device.c */

/* Fills devices from devnum; BT_ERR_USAGE for a number without a GPU. */
bt_status adgpu_device_choose(adgpu_settings *settings, bt_error *opt_error) BT_MUST_USE;

/* jobs.c */

typedef struct adgpu_job {
  const char *fld, *ligand, *opt_flexible, *opt_reference;
  const char *resname;     /* output files without their endings */
  adgpu_settings settings; /* lists are empty */
  const char *opt_dpf_path;
  bool failed;
  char reason[1024];
} adgpu_job;

typedef struct adgpu_jobs {
  adgpu_job *items;
  int count;
  size_t capacity;
  bt_text_list texts; /* strings of the jobs that are neither in argv nor in the .dpf */
} adgpu_jobs;

/* One job, or those of the batch file, folder, list of ligands, or .dpf. */
bt_status adgpu_jobs_build(const char *program, const adgpu_settings *settings, const bt_dpf *opt_dpf, int argc,
                           const char *const *argv, adgpu_jobs *ret_jobs, bt_error *opt_error) BT_MUST_USE;
adgpu_job *adgpu_jobs_add(adgpu_jobs *jobs, const adgpu_settings *settings);
/* Copies with the lifetime of the jobs: of a text, and of a name resolved relative to the folder of a file. NULL when
 * memory is exhausted. */
const char *adgpu_jobs_keep(adgpu_jobs *jobs, const char *text);
const char *adgpu_jobs_path(adgpu_jobs *jobs, const char *file, const char *name);
void adgpu_jobs_free(adgpu_jobs *jobs);

/* batch.c */

/* Adds the jobs of a batch list file. */
bt_status adgpu_batch_read(const char *program, const char *path, const adgpu_settings *settings, const char *opt_fld,
                           const char *opt_flexible, adgpu_jobs *jobs, bt_error *opt_error) BT_MUST_USE;

/* write.c */

/* Writes NAME.dlg, NAME.xml and best.pdbqt, or the DLG to standard output, according to the job's settings. */
bt_status adgpu_job_write(const adgpu_job *job, const char *command_line, const bt_result *result,
                          bt_error *opt_error) BT_MUST_USE;

/* run.c */

/* Docks all jobs, those that share maps and settings in one batch; a failed one is marked and the others continue.
 * BT_ERR_CANCELLED after Ctrl-C. */
bt_status adgpu_jobs_run(const char *program, adgpu_jobs *jobs, const char *command_line,
                         bt_error *opt_error) BT_MUST_USE;

#endif
