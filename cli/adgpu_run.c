/* adgpu_run.c - docks AutoDock-GPU's jobs one after the other and writes what it writes. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "adgpu.h"
#include "interrupt.h"
#include "outputs.h"
#include "progress.h"
#include "report.h"

/* What jobs share: the maps read last. */
typedef struct runner {
  const char *program, *command_line;
  cli_progress progress;
  bt_maps *maps;
  char *fld; /* of maps */
} runner;

/* What one job holds while it runs. */
typedef struct job_data {
  bt_molecule **ligand_list, **flexible_list, **reference_list;
  int n_ligand, n_flexible, n_reference;
  bt_ligand *ligand;
  bt_result *result;
} job_data;

static void job_data_free(job_data *data) {
  bt_result_destroy(data->result);
  bt_ligand_destroy(data->ligand);
  bt_molecule_list_destroy(data->reference_list, data->n_reference);
  bt_molecule_list_destroy(data->flexible_list, data->n_flexible);
  bt_molecule_list_destroy(data->ligand_list, data->n_ligand);
}

static bt_status load_maps(runner *r, const char *fld, bt_error *opt_error) {
  if (r->fld != NULL && strcmp(r->fld, fld) == 0) return BT_OK;
  bt_maps_destroy(r->maps);
  free(r->fld);
  r->maps = NULL;
  r->fld = strdup(fld);
  if (r->fld == NULL) return cli_fill_error(opt_error, BT_ERR_MEMORY, NULL, "", "out of memory");
  bt_status status = bt_maps_read(fld, NULL, 0, &r->maps, opt_error);
  if (status != BT_OK) {
    free(r->fld);
    r->fld = NULL;
  }
  return status;
}

static bt_status read_job(const adgpu_job *job, job_data *data, bt_error *opt_error) {
  bt_status status = bt_molecule_read(job->ligand, BT_MOLECULE_LIGAND, &data->ligand_list, &data->n_ligand, opt_error);
  if (status == BT_OK && job->opt_flexible != NULL)
    status =
        bt_molecule_read(job->opt_flexible, BT_MOLECULE_FLEXIBLE, &data->flexible_list, &data->n_flexible, opt_error);
  if (status == BT_OK && job->opt_reference != NULL)
    status =
        bt_molecule_read(job->opt_reference, BT_MOLECULE_LIGAND, &data->reference_list, &data->n_reference, opt_error);
  if (status == BT_OK)
    status = bt_ligand_create(data->ligand_list[0], data->n_flexible > 0 ? data->flexible_list[0] : NULL, &data->ligand,
                              opt_error);
  return status;
}

/* --- output -------------------------------------------------------------------------------------------- */

static char *with_ending(const char *name, const char *ending) {
  char *path = NULL;
  return asprintf(&path, "%s.%s", name, ending) < 0 ? NULL : path;
}

static bt_status out_of_memory(bt_error *opt_error) {
  return cli_fill_error(opt_error, BT_ERR_MEMORY, NULL, "", "out of memory");
}

/* Lets a writer fill a temporary file and opens that file for reading; it is unlinked already. */
typedef bt_status (*write_function)(const bt_result *result, const char *path, const bt_write_context *context,
                                    bt_error *opt_error);

static bt_status write_pdbqt(const bt_result *result, const char *path, const bt_write_context *context,
                             bt_error *opt_error) {
  (void)context;
  return bt_result_write_pdbqt(result, path, opt_error);
}

static bt_status write_temporary(write_function write, const bt_result *result, const bt_write_context *context,
                                 FILE **ret_stream, bt_error *opt_error) {
  const char *folder = getenv("TMPDIR");
  char *path = cli_path_join(folder != NULL && folder[0] != '\0' ? folder : "/tmp", "berth-XXXXXX");
  if (path == NULL) return out_of_memory(opt_error);
  int descriptor = mkstemp(path);
  bt_status status = BT_OK;
  if (descriptor < 0)
    status = cli_fill_error(opt_error, BT_ERR_IO, path, "set TMPDIR to a folder where you may write",
                            "cannot make a temporary file: %s", strerror(errno));
  else
    close(descriptor);
  if (status == BT_OK) status = write(result, path, context, opt_error);
  if (status == BT_OK && (*ret_stream = fopen(path, "r")) == NULL)
    status = cli_fill_error(opt_error, BT_ERR_IO, path, "check TMPDIR", "cannot read it: %s", strerror(errno));
  if (descriptor >= 0) unlink(path);
  free(path);
  return status;
}

static bt_status copy_to_stdout(FILE *from, bt_error *opt_error) {
  char buffer[65536];
  for (size_t size; (size = fread(buffer, 1, sizeof buffer, from)) > 0;)
    if (fwrite(buffer, 1, size, stdout) != size) break;
  if (fflush(stdout) != 0 || ferror(stdout))
    return cli_fill_error(opt_error, BT_ERR_IO, "standard output", "", "cannot write: %s", strerror(errno));
  return BT_OK;
}

/* best.pdbqt: the first MODEL of the ranked poses, without its MODEL and ENDMDL lines. */
static bt_status write_best(const bt_result *result, bt_error *opt_error) {
  FILE *poses = NULL;
  cli_file file;
  bt_status status = write_temporary(write_pdbqt, result, NULL, &poses, opt_error);
  if (status != BT_OK) return status;
  status = cli_file_open("best.pdbqt", &file, opt_error);
  if (status == BT_OK) {
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, poses) >= 0 && strncmp(line, "ENDMDL", 6) != 0)
      if (strncmp(line, "MODEL", 5) != 0) fputs(line, file.stream);
    free(line);
    status = cli_file_close(&file, opt_error);
  }
  fclose(poses);
  return status;
}

static bt_status write_job(const runner *r, const adgpu_job *job, const bt_result *result, bt_error *opt_error) {
  bt_write_context context = {.opt_command_line = r->command_line,
                              .opt_fld_path = job->fld,
                              .opt_ligand_path = job->ligand,
                              .opt_flexible_path = job->opt_flexible,
                              .opt_dpf_path = job->opt_dpf_path};
  char *dlg = with_ending(job->resname, "dlg"), *xml = with_ending(job->resname, "xml");
  bt_status status = dlg != NULL && xml != NULL ? BT_OK : out_of_memory(opt_error);
  if (status == BT_OK && job->settings.dlg2stdout) {
    FILE *stream = NULL;
    status = write_temporary(bt_result_write_dlg, result, &context, &stream, opt_error);
    if (status == BT_OK) status = copy_to_stdout(stream, opt_error);
    if (stream != NULL) fclose(stream);
  } else if (status == BT_OK && job->settings.dlgoutput) {
    status = bt_result_write_dlg(result, dlg, &context, opt_error);
  }
  const char *blank = context.opt_command_line != NULL ? strchr(context.opt_command_line, ' ') : NULL;
  context.opt_command_line = blank != NULL ? blank + 1 : ""; /* the XML holds the arguments alone */
  if (status == BT_OK && job->settings.xmloutput) status = bt_result_write_xml(result, xml, &context, opt_error);
  if (status == BT_OK && job->settings.gbest) status = write_best(result, opt_error);
  free(dlg);
  free(xml);
  return status;
}

/* --- one job ------------------------------------------------------------------------------------------- */

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

static bt_status run_job(runner *r, adgpu_job *job, int index, int total, bt_error *opt_error) {
  job_data data = {0};
  bt_dock_options *options = &job->settings.search;
  double started = cli_seconds();
  bt_status status = cli_folder_check(job->resname, opt_error);
  if (status == BT_OK) status = read_job(job, &data, opt_error);
  if (status == BT_OK) status = load_maps(r, job->fld, opt_error);
  if (status == BT_OK && job->settings.rlige) status = print_reference_energy(r, &data, job, opt_error);
  if (status == BT_OK) {
    cli_progress_next(&r->progress, cli_path_base(job->ligand), index + 1, total);
    options->opt_progress = cli_progress_show;
    options->opt_progress_user = &r->progress;
    status = bt_dock(data.ligand, r->maps, data.n_reference > 0 ? data.reference_list[0] : NULL, options, &data.result,
                     opt_error);
    cli_progress_clear(&r->progress);
  }
  if (status == BT_OK) status = write_job(r, job, data.result, opt_error);
  if (status == BT_OK && !job->settings.dlg2stdout) {
    bt_run_summary best = bt_result_ranked(data.result, 0);
    printf("Job #%d took %.3f sec: %s, best of %d runs %.2f kcal/mol in %d clusters, seed %llu\n", index + 1,
           cli_seconds() - started, job->resname, bt_result_run_count(data.result), best.energy.free_energy,
           bt_result_cluster_count(data.result), (unsigned long long)options->seed);
    fflush(stdout);
  }
  job_data_free(&data);
  return status;
}

bt_status adgpu_jobs_run(const char *program, adgpu_jobs *jobs, const char *command_line, bt_error *opt_error) {
  runner r = {.program = program, .command_line = command_line, .progress = cli_progress_start(program, false)};
  cli_interrupt_watch();
  bt_status stop = BT_OK;
  for (int i = 0; stop == BT_OK && i < jobs->count; i++) {
    bt_error error = {0};
    bt_status status = cli_interrupted() ? cli_fill_error(&error, BT_ERR_CANCELLED, NULL, "", "interrupted")
                                         : run_job(&r, &jobs->items[i], i, jobs->count, &error);
    if (status == BT_OK) continue;
    bool everyone = status == BT_ERR_MEMORY || status == BT_ERR_DEVICE || status == BT_ERR_CANCELLED;
    if (everyone) {
      stop = status;
      if (opt_error != NULL) *opt_error = error;
      break;
    }
    jobs->items[i].failed = true;
    bt_error_format(&error, jobs->items[i].reason, sizeof jobs->items[i].reason);
    if (jobs->count > 1) cli_message(program, "job %d failed: %s", i + 1, jobs->items[i].reason);
  }
  bt_maps_destroy(r.maps);
  free(r.fld);
  return stop;
}
