/* run.c - docks AutoDock-GPU's jobs and writes the files that it writes. */
#include <berth/grid.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adgpu/adgpu.h"
#include "common/progress.h"
#include "common/report.h"
#include "output/guard.h"
#include "output/outputs.h"
#include "signals/interrupt.h"

/* A job being docked. */
typedef struct job_data {
  bt_docking docking; /* the first member */
  adgpu_job *job;
  bt_molecule **ligand_list, **flexible_list, **reference_list;
  int n_ligand, n_flexible, n_reference;
  bt_ligand *ligand;
} job_data;

typedef struct runner {
  const char *program, *command_line;
  cli_progress progress;
  adgpu_jobs *jobs;
  int first, next, end; /* of the jobs that are docked together: the first, the next one to read, the end */
  bt_maps *maps;     /* of the current jobs; NULL: see maps_error */
  bt_error maps_error;
  const char *fld;   /* of maps; a job's */
  bt_molecule **receptor; /* of maps, for contacts; NULL: not read yet */
  int n_receptor;
  bt_error error;    /* the reason to stop all jobs */
} runner;

static void job_data_free(job_data *data) {
  bt_result_destroy(data->docking.result);
  bt_ligand_destroy(data->ligand);
  bt_molecule_list_destroy(data->reference_list, data->n_reference);
  bt_molecule_list_destroy(data->flexible_list, data->n_flexible);
  bt_molecule_list_destroy(data->ligand_list, data->n_ligand);
  free(data);
}

static bt_status load_maps(runner *r, const char *fld, bt_error *error) {
  if (r->maps != NULL && strcmp(r->fld, fld) == 0) return BT_OK;
  bt_maps_destroy(r->maps);
  bt_molecule_list_destroy(r->receptor, r->n_receptor);
  r->maps = NULL;
  r->receptor = NULL;
  r->n_receptor = 0;
  r->fld = fld;
  return bt_maps_read(fld, NULL, 0, &r->maps, error);
}

static bt_status read_job(job_data *data, bt_error *opt_error) {
  const adgpu_job *job = data->job;
  BT_TRY(bt_molecule_read(job->ligand, BT_MOLECULE_LIGAND, &data->ligand_list, &data->n_ligand, opt_error));
  if (job->opt_flexible != NULL)
    BT_TRY(
        bt_molecule_read(job->opt_flexible, BT_MOLECULE_FLEXIBLE, &data->flexible_list, &data->n_flexible, opt_error));
  if (job->opt_reference != NULL)
    BT_TRY(
        bt_molecule_read(job->opt_reference, BT_MOLECULE_LIGAND, &data->reference_list, &data->n_reference, opt_error));
  return bt_ligand_create(data->ligand_list[0], data->n_flexible > 0 ? data->flexible_list[0] : NULL, &data->ligand,
                          opt_error);
}

/* --- the reference ------------------------------------------------------------------------------------------- */

static bt_status print_reference_energy(const runner *r, const job_data *data, bt_error *opt_error) {
  const adgpu_job *job = data->job;
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

/* Marks a job as failed; false if the error concerns all jobs. */
static bool fail_job(runner *r, adgpu_job *job, const bt_error *error) {
  bt_status status = error->status;
  if (status == BT_ERR_MEMORY || status == BT_ERR_DEVICE || status == BT_ERR_CANCELLED) {
    if (r->error.status == BT_OK) r->error = *error;
    return false;
  }
  job->failed = true;
  bt_error_format(error, job->reason, sizeof job->reason);
  if (r->jobs->count > 1) cli_message(r->program, "job %d failed: %s", (int)(job - r->jobs->items) + 1, job->reason);
  return true;
}

static bt_status write_job(runner *r, const adgpu_job *job, bt_result *result, bt_error *error) {
  if (bt_result_warning(result)[0] != '\0')
    cli_warning(r->program, "%s: %s", job->ligand, bt_result_warning(result));
  if (job->settings.contacts)
    BT_TRY(bt_result_find_contacts(result, r->receptor[0], &job->settings.contact_options, error));
  BT_TRY(adgpu_job_write(job, r->command_line, result, error));
  if (job->settings.dlg2stdout) return BT_OK;
  bt_run_summary best = bt_result_ranked(result, 0);
  printf("Job #%d took %.3f sec: %s, best of %d runs %.2f kcal/mol in %d clusters, seed %llu\n",
         (int)(job - r->jobs->items) + 1, bt_result_seconds(result), job->resname, bt_result_run_count(result),
         best.energy.free_energy, bt_result_cluster_count(result), (unsigned long long)job->settings.search.seed);
  fflush(stdout);
  return BT_OK;
}

/* The sink: writes finished jobs. */
static bool done(void *user, bt_docking *docking) {
  runner *r = user;
  job_data *data = (job_data *)docking;
  cli_progress_clear(&r->progress);
  bt_error error = docking->error;
  bool good = error.status == BT_OK && write_job(r, data->job, docking->result, &error) == BT_OK;
  good = good || fail_job(r, data->job, &error);
  job_data_free(data);
  return good;
}

static bool show(void *user, double fraction, int64_t evaluations, double best_energy) {
  runner *r = user;
  double jobs = r->jobs->count, ended = r->first + fraction * (r->end - r->first);
  r->progress.before = r->first / jobs;
  return cli_progress_show(&r->progress, ended / jobs, evaluations, best_energy);
}

/* The receptor for contacts is expected next to its maps. */
static bt_status load_receptor(runner *r, const char *fld, bt_error *opt_error) {
  if (r->receptor != NULL) return BT_OK;
  BT_SCOPED char *path = bt_maps_receptor_path(r->maps);
  if (path == NULL)
    return cli_fill_error(opt_error, BT_ERR_USAGE, fld, "leave --contact_analysis out",
                          "the maps do not name their receptor");
  return bt_molecule_read(path, BT_MOLECULE_RECEPTOR, &r->receptor, &r->n_receptor, opt_error);
}

static bt_status check_outputs(const adgpu_job *job, bt_error *error) {
  const char *words[] = {job->ligand, job->fld, job->opt_flexible, job->opt_reference, job->opt_dpf_path};
  BT_SCOPED char *dlg = cli_format("%s.dlg", job->resname), *xml = cli_format("%s.xml", job->resname);
  if (dlg == NULL || xml == NULL) return bt_fail_memory(error);
  BT_ENDED_BY(bt_file_set_destroy) bt_file_set inputs = {0};
  BT_TRY(cli_guard_add(&inputs, words, CLI_COUNT(words), error));
  BT_TRY(bt_file_set_spare(&inputs, dlg, error));
  BT_TRY(bt_file_set_spare(&inputs, xml, error));
  return job->settings.gbest ? bt_file_set_spare(&inputs, "best.pdbqt", error) : BT_OK;
}

static bt_status open_job(runner *r, job_data *data, bt_error *error) {
  const adgpu_job *job = data->job;
  BT_TRY(cli_folder_check(job->resname, error));
  BT_TRY(check_outputs(job, error));
  BT_TRY(read_job(data, error));
  if (r->maps == NULL) return *error = r->maps_error, error->status;
  if (job->settings.contacts) BT_TRY(load_receptor(r, job->fld, error));
  if (job->settings.rlige) BT_TRY(print_reference_energy(r, data, error));
  data->docking.opt_ligand = data->ligand;
  if (data->n_reference > 0) data->docking.opt_reference = data->reference_list[0];
  return BT_OK;
}

/* The source: the next job whose files can be read. */
static bt_docking *next(void *user) {
  runner *r = user;
  while (r->next < r->end && r->error.status == BT_OK && cli_check_interrupt(&r->error) == BT_OK) {
    bt_error error = {0};
    job_data *data = calloc(1, sizeof *data);
    if (data == NULL) return (void)bt_fail_memory(&r->error), NULL;
    data->job = &r->jobs->items[r->next++];
    if (open_job(r, data, &error) == BT_OK) return &data->docking;
    fail_job(r, data->job, &error);
    job_data_free(data);
  }
  return NULL;
}

/* Jobs of a .dpf have individual settings; others differ only in their files. Returns the end of the range of jobs that
 * are docked with the next one. */
static int find_end(const runner *r) {
  enum { MOST = 1024 };
  const adgpu_job *first = &r->jobs->items[r->next], *job = first;
  const adgpu_job *last = r->jobs->items + r->jobs->count - 1;
  while (job < last && job - first < MOST - 1 && first->opt_dpf_path == NULL && job[1].opt_dpf_path == NULL &&
         strcmp(first->fld, job[1].fld) == 0)
    job++;
  return (int)(job - r->jobs->items) + 1;
}

static bt_status dock_some(runner *r, bt_error *error) {
  const adgpu_job *first = &r->jobs->items[r->next];
  bt_dock_options options = first->settings.search;
  options.opt_device = first->settings.devices[0] != '\0' ? first->settings.devices : NULL;
  options.opt_progress = show;
  options.opt_progress_user = r;
  r->first = r->next;
  r->end = find_end(r);
  const bt_docking_stream stream = {.count = r->end - r->next, .next = next, .done = done, .user = r};
  cli_progress_next(&r->progress, stream.count > 1 ? "ligands" : bt_path_base(first->ligand), r->next + 1,
                    r->jobs->count);
  if (load_maps(r, first->fld, &r->maps_error) != BT_OK) return next(r), BT_OK; /* each fails individually */
  bt_engine *engine = NULL;
  BT_TRY(bt_engine_open(r->maps, &options, &engine, error));
  bt_status status = bt_engine_dock_stream(engine, &stream, error);
  bt_engine_close(engine);
  cli_progress_clear(&r->progress);
  return status;
}

bt_status adgpu_jobs_run(const char *program, adgpu_jobs *jobs, const char *command_line, bt_error *opt_error) {
  runner r = {.program = program, .command_line = command_line, .jobs = jobs,
              .progress = cli_progress_start(program, false)};
  bt_error error = {0};
  bt_status status = BT_OK;
  cli_interrupt_watch(NULL);
  while (r.next < jobs->count && status == BT_OK) {
    status = dock_some(&r, &error);
    if (r.error.status != BT_OK) status = (error = r.error).status;
  }
  if (status != BT_OK && opt_error != NULL) *opt_error = error;
  bt_maps_destroy(r.maps);
  bt_molecule_list_destroy(r.receptor, r.n_receptor);
  return status;
}
