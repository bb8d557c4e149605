/* jobs.c - from AutoDock-GPU's flags to a list of docking jobs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adgpu/adgpu.h"
#include "base/files/file.h"
#include "common/report.h"

adgpu_job *adgpu_jobs_add(adgpu_jobs *jobs, const adgpu_settings *settings) {
  if (!BT_GROW(jobs->items, &jobs->capacity, jobs->count + 1)) return NULL;
  adgpu_job *job = &jobs->items[jobs->count++];
  *job = (adgpu_job){.settings = *settings};
  job->settings.filelist = job->settings.xml2dlg = (cli_list){0};
  return job;
}

const char *adgpu_jobs_keep(adgpu_jobs *jobs, const char *text) {
  if (bt_text_list_add(&jobs->texts, bt_span_from(text), NULL) != BT_OK) return NULL;
  return jobs->texts.items[jobs->texts.count - 1];
}

const char *adgpu_jobs_path(adgpu_jobs *jobs, const char *file, const char *name) {
  BT_SCOPED char *folder = bt_path_folder(file);
  BT_SCOPED char *path = folder != NULL ? bt_path_join(folder, name) : NULL;
  return path != NULL ? adgpu_jobs_keep(jobs, path) : NULL;
}

void adgpu_jobs_free(adgpu_jobs *jobs) {
  bt_text_list_destroy(&jobs->texts);
  free(jobs->items);
  *jobs = (adgpu_jobs){0};
}

/* --- jobs of each kind of input ------------------------------------------------------------------------ */

static bt_status need(const char *opt_value, const char *message, const char *remedy, bt_error *opt_error) {
  return opt_value != NULL ? BT_OK : cli_fill_error(opt_error, BT_ERR_USAGE, NULL, remedy, "%s", message);
}

static bt_status add_ligand(adgpu_jobs *jobs, const adgpu_settings *s, const char *ligand, bt_error *opt_error) {
  adgpu_job *job = adgpu_jobs_add(jobs, s);
  if (job == NULL || ligand == NULL) return bt_fail_memory(opt_error);
  job->ligand = ligand;
  job->fld = s->ffile;
  job->opt_flexible = s->flexres;
  return BT_OK;
}

static bt_status add_single(const adgpu_settings *s, adgpu_jobs *jobs, bt_error *opt_error) {
  BT_TRY(need(s->ffile, "no grid maps", "use --ffile FILE.maps.fld", opt_error));
  if (s->lfile == NULL && s->flexres != NULL)
    return cli_fill_error(opt_error, BT_ERR_USAGE, NULL, "use --lfile FILE.pdbqt as well",
                          "flexible residues without a ligand (covalent docking) are not available");
  BT_TRY(need(s->lfile, "no ligand", "use --lfile FILE.pdbqt or --filelist FILE", opt_error));
  return add_ligand(jobs, s, s->lfile, opt_error);
}

/* True for the receptor named in the .fld and for the file of flexible residues. */
static bool is_no_ligand(const adgpu_settings *s, const char *receptor, const char *path) {
  const char *base = bt_path_base(path);
  size_t length = strlen(receptor);
  bool is_receptor = strncmp(base, receptor, length) == 0 && strcmp(base + length, ".pdbqt") == 0;
  return is_receptor || (s->flexres != NULL && cli_path_same(path, s->flexres));
}

static bt_status add_list(const adgpu_settings *s, adgpu_jobs *jobs, bt_error *opt_error) {
  BT_TRY(need(s->ffile, "no grid maps", "use --ffile FILE.maps.fld", opt_error));
  bt_text_list paths;
  BT_TRY(cli_inputs_expand(&s->filelist, false, NULL, 0, &paths, opt_error));
  bt_status status = BT_OK;
  bt_maps *maps = NULL; /* read without any map of a type: only the receptor's name matters here */
  const char *none[1] = {NULL};
  if (paths.count > 1 && bt_maps_read(s->ffile, none, 0, &maps, NULL) != BT_OK) maps = NULL;
  const char *receptor = maps != NULL ? bt_maps_receptor_name(maps) : NULL;
  for (int i = 0; status == BT_OK && i < paths.count; i++) {
    if (receptor != NULL && is_no_ligand(s, receptor, paths.items[i])) continue;
    if (cli_path_ends(paths.items[i], ".pdbqt"))
      status = add_ligand(jobs, s, adgpu_jobs_keep(jobs, paths.items[i]), opt_error);
    else
      status = cli_fill_error(opt_error, BT_ERR_USAGE, paths.items[i], "use .pdbqt files, or one batch list alone",
                              "not a ligand");
  }
  bt_maps_destroy(maps);
  bt_text_list_destroy(&paths);
  if (status == BT_OK && jobs->count == 0)
    status = cli_fill_error(opt_error, BT_ERR_USAGE, NULL, "use .pdbqt files of ligands", "--filelist: no ligand");
  return status;
}

/* One job of a .dpf; the command line takes precedence. */
static bt_status add_dpf_job(const char *program, const adgpu_settings *s, const bt_dpf *dpf, int index, int argc,
                             const char *const *argv, adgpu_jobs *jobs, bt_error *opt_error) {
  adgpu_settings settings = adgpu_settings_default(dpf, index);
  int words = bt_dpf_word_count(dpf, index), exit_code;
  BT_SCOPED const char **list = calloc((size_t)words + 1, sizeof *list);
  if (list == NULL) return bt_fail_memory(opt_error);
  for (int i = 0; i < words; i++) list[i] = bt_dpf_word(dpf, index, i);
  bool ok = adgpu_settings_parse(&settings, program, words, list, &exit_code) &&
            adgpu_settings_parse(&settings, program, argc, argv, &exit_code);
  bt_status status = ok ? adgpu_settings_finish(&settings, opt_error)
                        : cli_fill_error(opt_error, BT_ERR_USAGE, s->import_dpf, "correct the option named above",
                                         "job %d has an option that is not valid", index + 1);
  const char *fld = bt_dpf_fld(dpf, index), *ligand = bt_dpf_ligand(dpf, index), *flex = bt_dpf_flexible(dpf, index);
  adgpu_job *job = status == BT_OK ? adgpu_jobs_add(jobs, &settings) : NULL;
  adgpu_settings_free(&settings);
  if (status != BT_OK) return status;
  if (job == NULL) return bt_fail_memory(opt_error);
  if (s->lfile == NULL && (ligand == NULL || strcmp(ligand, "empty") == 0))
    return cli_fill_error(opt_error, BT_ERR_INPUT, s->import_dpf, "add a move line, or use --lfile",
                          "job %d has no ligand", index + 1);
  if (s->ffile == NULL && fld == NULL)
    return cli_fill_error(opt_error, BT_ERR_INPUT, s->import_dpf, "add a fld line, or use --ffile",
                          "job %d has no maps", index + 1);
  job->opt_dpf_path = s->import_dpf;
  job->fld = s->ffile != NULL ? s->ffile : adgpu_jobs_path(jobs, s->import_dpf, fld);
  job->ligand = s->lfile != NULL ? s->lfile : adgpu_jobs_path(jobs, s->import_dpf, ligand);
  job->opt_flexible = s->flexres;
  if (s->flexres == NULL && flex != NULL) job->opt_flexible = adgpu_jobs_path(jobs, s->import_dpf, flex);
  bool kept = job->fld != NULL && job->ligand != NULL && (flex == NULL || job->opt_flexible != NULL);
  return kept ? BT_OK : bt_fail_memory(opt_error);
}

/* --- names of the results ------------------------------------------------------------------------------ */

/* The ligand's path, or its base in another folder, without .pdbqt. */
static char *default_name(const char *ligand, const char *opt_folder) {
  char *name = opt_folder != NULL ? bt_path_join(opt_folder, bt_path_base(ligand)) : strdup(ligand);
  if (name != NULL && cli_path_ends(name, ".pdbqt") && strlen(bt_path_base(name)) > 6) name[strlen(name) - 6] = '\0';
  return name;
}

static bool name_taken(const adgpu_jobs *jobs, int before, const char *name) {
  for (int i = 0; i < before; i++)
    if (strcmp(jobs->items[i].resname, name) == 0) return true;
  return false;
}

static bt_status name_results(adgpu_jobs *jobs, bt_error *opt_error) {
  for (int i = 0; i < jobs->count; i++) {
    adgpu_job *job = &jobs->items[i];
    const char *wanted = job->settings.resnam;
    bt_file_kind kind = BT_FILE_ABSENT;
    if (job->resname != NULL) continue;
    if (wanted != NULL) BT_TRY(bt_file_kind_of(wanted, &kind, opt_error));
    bool plain = wanted != NULL && kind != BT_FILE_FOLDER;
    BT_SCOPED char *base = plain ? strdup(wanted) : default_name(job->ligand, wanted);
    if (base == NULL) return bt_fail_memory(opt_error);
    bool number = (plain && jobs->count > 1) || name_taken(jobs, i, base);
    BT_SCOPED char *name = number ? cli_format("%s_%d", base, i + 1) : NULL;
    job->resname = number && name == NULL ? NULL : adgpu_jobs_keep(jobs, number ? name : base);
    if (job->resname == NULL) return bt_fail_memory(opt_error);
  }
  return BT_OK;
}

bt_status adgpu_jobs_build(const char *program, const adgpu_settings *settings, const bt_dpf *opt_dpf, int argc,
                           const char *const *argv, adgpu_jobs *ret_jobs, bt_error *opt_error) {
  *ret_jobs = (adgpu_jobs){0};
  const cli_list *list = &settings->filelist;
  bt_status status = BT_OK;
  adgpu_settings with_maps = *settings; /* a batch may take its maps from the .dpf */
  if (opt_dpf != NULL && settings->ffile == NULL && bt_dpf_fld(opt_dpf, 0) != NULL) {
    with_maps.ffile = adgpu_jobs_path(ret_jobs, settings->import_dpf, bt_dpf_fld(opt_dpf, 0));
    if (with_maps.ffile == NULL) return adgpu_jobs_free(ret_jobs), bt_fail_memory(opt_error);
  }
  bt_file_kind kind = BT_FILE_ABSENT;
  if (list->count == 1 && (status = bt_file_kind_of(list->items[0], &kind, opt_error)) != BT_OK)
    return adgpu_jobs_free(ret_jobs), status;
  if (list->count == 1 && kind != BT_FILE_FOLDER && !cli_path_ends(list->items[0], ".pdbqt"))
    status =
        adgpu_batch_read(program, list->items[0], settings, with_maps.ffile, settings->flexres, ret_jobs, opt_error);
  else if (list->count > 0)
    status = add_list(&with_maps, ret_jobs, opt_error);
  else if (opt_dpf != NULL)
    for (int i = 0; status == BT_OK && i < bt_dpf_job_count(opt_dpf); i++)
      status = add_dpf_job(program, settings, opt_dpf, i, argc, argv, ret_jobs, opt_error);
  else
    status = add_single(settings, ret_jobs, opt_error);
  for (int i = 0; i < ret_jobs->count; i++)
    if (ret_jobs->items[i].opt_reference == NULL) ret_jobs->items[i].opt_reference = settings->xraylfile;
  if (status == BT_OK) status = name_results(ret_jobs, opt_error);
  if (status != BT_OK) adgpu_jobs_free(ret_jobs);
  return status;
}
