/* run.c - docks AutoDock-GPU's jobs and writes what it writes. */
#include <berth/grid.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adgpu/adgpu.h"
#include "common/interrupt.h"
#include "common/outputs.h"
#include "common/progress.h"
#include "common/report.h"

/* What jobs share: the maps read last. */
typedef struct runner {
  const char *program, *command_line;
  cli_progress progress;
  bt_maps *maps;
  const char *fld; /* of maps; a job's */
  bt_molecule **receptor; /* of maps, for contacts; NULL: not read yet */
  int n_receptor;
} runner;

/* What one job holds while it runs. */
typedef struct job_data {
  bt_molecule **ligand_list, **flexible_list, **reference_list;
  int n_ligand, n_flexible, n_reference;
  bt_ligand *ligand;
} job_data;

static void job_data_free(job_data *data) {
  bt_ligand_destroy(data->ligand);
  bt_molecule_list_destroy(data->reference_list, data->n_reference);
  bt_molecule_list_destroy(data->flexible_list, data->n_flexible);
  bt_molecule_list_destroy(data->ligand_list, data->n_ligand);
}

static bt_status load_maps(runner *r, const char *fld, bt_error *opt_error) {
  if (r->fld != NULL && strcmp(r->fld, fld) == 0) return BT_OK;
  bt_maps_destroy(r->maps);
  bt_molecule_list_destroy(r->receptor, r->n_receptor);
  r->maps = NULL;
  r->receptor = NULL;
  r->n_receptor = 0;
  bt_status status = bt_maps_read(fld, NULL, 0, &r->maps, opt_error);
  r->fld = status == BT_OK ? fld : NULL;
  return status;
}

static bt_status read_job(const adgpu_job *job, job_data *data, bt_error *opt_error) {
  CLI_TRY(bt_molecule_read(job->ligand, BT_MOLECULE_LIGAND, &data->ligand_list, &data->n_ligand, opt_error));
  if (job->opt_flexible != NULL)
    CLI_TRY(
        bt_molecule_read(job->opt_flexible, BT_MOLECULE_FLEXIBLE, &data->flexible_list, &data->n_flexible, opt_error));
  if (job->opt_reference != NULL)
    CLI_TRY(
        bt_molecule_read(job->opt_reference, BT_MOLECULE_LIGAND, &data->reference_list, &data->n_reference, opt_error));
  return bt_ligand_create(data->ligand_list[0], data->n_flexible > 0 ? data->flexible_list[0] : NULL, &data->ligand,
                          opt_error);
}

/* --- the reference ------------------------------------------------------------------------------------------- */

static bt_status print_reference_energy(const runner *r, const job_data *data, const adgpu_job *job,
                                        bt_error *opt_error) {
  bt_ligand *reference = NULL;
  bt_energy e;
  const bt_molecule *flexible = data->n_flexible > 0 ? data->flexible_list[0] : NULL;
  bt_status status = BT_OK;
  if (data->n_reference > 0) status = bt_ligand_create(data->reference_list[0], flexible, &reference, opt_error);
  if (status == BT_OK)
    status = bt_score(reference != NULL ? reference : data->ligand, r->maps, BT_FORM_TABULATED,
                      job->settings.search.torsional, &e, NULL, opt_error);
  if (status == BT_OK)
    printf("Energies of %s, kcal/mol: intermolecular %.2f, internal %.2f, torsional %.2f, free energy %.2f\n",
           reference != NULL ? job->opt_reference : job->ligand, e.inter, e.intra, e.torsional, e.free_energy);
  bt_ligand_destroy(reference);
  return status;
}

/* --- jobs ---------------------------------------------------------------------------------------------- */

/* Jobs that are docked together. */
enum { BATCH = 1024 };

typedef struct batch {
  runner *r;
  adgpu_jobs *jobs;
  int count;
  int index[BATCH]; /* of the job */
  job_data data[BATCH];
  bt_docking dockings[BATCH];
  bt_status status; /* what stops everything */
  bt_error error;
} batch;

/* Marks a job that failed; what concerns all jobs stops everything. */
static void fail_job(batch *b, int index, bt_status status, const bt_error *error) {
  adgpu_job *job = &b->jobs->items[index];
  if (status == BT_ERR_MEMORY || status == BT_ERR_DEVICE || status == BT_ERR_CANCELLED) {
    b->status = status;
    b->error = *error;
    return;
  }
  job->failed = true;
  bt_error_format(error, job->reason, sizeof job->reason);
  if (b->jobs->count > 1) cli_message(b->r->program, "job %d failed: %s", index + 1, job->reason);
}

static bt_status conclude(batch *b, int at, bt_error *error) {
  adgpu_job *job = &b->jobs->items[b->index[at]];
  bt_result *result = b->dockings[at].result;
  if (bt_result_warning(result)[0] != '\0')
    cli_warning(b->r->program, "%s: %s", job->ligand, bt_result_warning(result));
  if (job->settings.contacts)
    CLI_TRY(bt_result_find_contacts(result, b->r->receptor[0], &job->settings.contact_options, error));
  bt_status status = adgpu_job_write(job, b->r->command_line, result, error);
  if (status != BT_OK || job->settings.dlg2stdout) return status;
  bt_run_summary best = bt_result_ranked(result, 0);
  printf("Job #%d took %.3f sec: %s, best of %d runs %.2f kcal/mol in %d clusters, seed %llu\n", b->index[at] + 1,
         bt_result_seconds(result), job->resname, bt_result_run_count(result), best.energy.free_energy,
         bt_result_cluster_count(result), (unsigned long long)job->settings.search.seed);
  fflush(stdout);
  return BT_OK;
}

/* bt_docked_fn: writes what is done. */
static bool docked(void *user, int at) {
  batch *b = user;
  cli_progress_clear(&b->r->progress);
  bt_error error = b->dockings[at].error;
  bt_status status = error.status;
  if (status == BT_OK) status = conclude(b, at, &error);
  if (status != BT_OK) fail_job(b, b->index[at], status, &error);
  bt_result_destroy(b->dockings[at].result);
  b->dockings[at].result = NULL;
  return b->status == BT_OK;
}

static bool show(void *user, double fraction, int64_t evaluations, double best_energy) {
  return cli_progress_show(&((batch *)user)->r->progress, fraction, evaluations, best_energy);
}

/* For contacts: it lies beside its maps. */
static bt_status load_receptor(runner *r, const char *fld, bt_error *opt_error) {
  if (r->receptor != NULL) return BT_OK;
  CLI_SCOPED char *path = bt_maps_receptor_path(r->maps);
  if (path == NULL)
    return cli_fill_error(opt_error, BT_ERR_USAGE, fld, "leave --contact_analysis out",
                          "the maps do not say which receptor they are of");
  return bt_molecule_read(path, BT_MOLECULE_RECEPTOR, &r->receptor, &r->n_receptor, opt_error);
}

static bt_status open_job(batch *b, int index, bt_error *error) {
  adgpu_job *job = &b->jobs->items[index];
  job_data *data = &b->data[b->count];
  *data = (job_data){.n_ligand = 0};
  bt_status status = cli_folder_check(job->resname, error);
  if (status == BT_OK) status = read_job(job, data, error);
  if (status == BT_OK) status = load_maps(b->r, job->fld, error);
  if (status == BT_OK && job->settings.contacts) status = load_receptor(b->r, job->fld, error);
  if (status == BT_OK && job->settings.rlige) status = print_reference_energy(b->r, data, job, error);
  if (status != BT_OK) {
    job_data_free(data);
    return status;
  }
  b->index[b->count] = index;
  b->dockings[b->count++] = (bt_docking){
      .opt_ligand = data->ligand, .opt_reference = data->n_reference > 0 ? data->reference_list[0] : NULL};
  return BT_OK;
}

/* Jobs of one .dpf each have settings of their own; others differ in their files alone. */
static bool together(const adgpu_job *a, const adgpu_job *b) {
  return a->opt_dpf_path == NULL && b->opt_dpf_path == NULL && strcmp(a->fld, b->fld) == 0;
}

/* Reads the jobs from next on that belong together; returns the position behind them. */
static int fill(batch *b, int next) {
  b->count = 0;
  const adgpu_job *first = &b->jobs->items[next];
  while (next < b->jobs->count && b->count < BATCH && b->status == BT_OK) {
    const adgpu_job *job = &b->jobs->items[next];
    if (job != first && !together(first, job)) break;
    bt_error error = {0};
    bt_status status = open_job(b, next, &error);
    if (status != BT_OK) fail_job(b, next, status, &error);
    next++;
  }
  return next;
}

static void dock(batch *b) {
  const adgpu_job *first = &b->jobs->items[b->index[0]];
  bt_dock_options options = first->settings.search;
  options.opt_device = first->settings.devices[0] != '\0' ? first->settings.devices : NULL;
  options.opt_progress = show;
  options.opt_docked = docked;
  options.opt_progress_user = b;
  cli_progress_next(&b->r->progress, b->count > 1 ? "ligands" : cli_path_base(first->ligand), b->index[0] + 1,
                    b->jobs->count);
  bt_error error = {0};
  bt_engine *engine = NULL;
  bt_status status = bt_engine_open_ad4(b->r->maps, &options, &engine, &error);
  if (status == BT_OK) status = bt_engine_dock(engine, b->dockings, b->count, &error);
  bt_engine_close(engine);
  cli_progress_clear(&b->r->progress);
  if (status == BT_OK || b->status != BT_OK) return;
  b->status = status;
  b->error = error;
}

bt_status adgpu_jobs_run(const char *program, adgpu_jobs *jobs, const char *command_line, bt_error *opt_error) {
  runner r = {.program = program, .command_line = command_line, .progress = cli_progress_start(program, false)};
  batch *b = calloc(1, sizeof *b);
  if (b == NULL) return cli_no_memory(opt_error);
  b->r = &r;
  b->jobs = jobs;
  cli_interrupt_watch();
  for (int next = 0; next < jobs->count && b->status == BT_OK;) {
    next = fill(b, next);
    if (cli_interrupted()) b->status = cli_check_interrupt(&b->error);
    if (b->status == BT_OK && b->count > 0) dock(b);
    for (int i = 0; i < b->count; i++) {
      bt_result_destroy(b->dockings[i].result);
      job_data_free(&b->data[i]);
    }
  }
  bt_status status = b->status;
  if (status != BT_OK && opt_error != NULL) *opt_error = b->error;
  bt_maps_destroy(r.maps);
  bt_molecule_list_destroy(r.receptor, r.n_receptor);
  free(b);
  return status;
}
