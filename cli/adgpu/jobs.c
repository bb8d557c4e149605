/* jobs.c - from AutoDock-GPU's flags to a list of docking jobs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "adgpu/adgpu.h"
#include "common/report.h"

adgpu_job *adgpu_jobs_add(adgpu_jobs *jobs, const adgpu_settings *settings) {
  if (!CLI_GROW(jobs->items, jobs->count, &jobs->capacity)) return NULL;
  adgpu_job *job = &jobs->items[jobs->count++];
  *job = (adgpu_job){.settings = *settings};
  job->settings.filelist = job->settings.xml2dlg = (cli_list){0};
  return job;
}

void adgpu_jobs_free(adgpu_jobs *jobs) {
  for (int i = 0; i < jobs->count; i++) {
    adgpu_job *job = &jobs->items[i];
    free(job->fld);
    free(job->ligand);
    free(job->opt_flexible);
    free(job->opt_reference);
    free(job->resname);
  }
  free(jobs->items);
  *jobs = (adgpu_jobs){0};
}

static bool is_folder(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static bool copy(char **slot, const char *opt_text) {
  if (opt_text == NULL) return true;
  free(*slot);
  *slot = strdup(opt_text);
  return *slot != NULL;
}

/* --- jobs of each kind of input ------------------------------------------------------------------------ */

static bt_status need(const char *opt_value, const char *message, const char *remedy, bt_error *opt_error) {
  return opt_value != NULL ? BT_OK : cli_fill_error(opt_error, BT_ERR_USAGE, NULL, remedy, "%s", message);
}

static bt_status add_ligand(adgpu_jobs *jobs, const adgpu_settings *s, const char *ligand, bt_error *opt_error) {
  adgpu_job *job = adgpu_jobs_add(jobs, s);
  bool ok =
      job != NULL && copy(&job->ligand, ligand) && copy(&job->fld, s->ffile) && copy(&job->opt_flexible, s->flexres);
  return ok ? BT_OK : cli_no_memory(opt_error);
}

static bt_status add_single(const adgpu_settings *s, adgpu_jobs *jobs, bt_error *opt_error) {
  bt_status status = need(s->ffile, "no grid maps", "give --ffile FILE.maps.fld", opt_error);
  if (status == BT_OK && s->lfile == NULL && s->flexres != NULL)
    return cli_fill_error(opt_error, BT_ERR_USAGE, NULL, "give --lfile FILE.pdbqt as well",
                          "flexible residues without a ligand (covalent docking) are not available");
  if (status == BT_OK) status = need(s->lfile, "no ligand", "give --lfile FILE.pdbqt or --filelist FILE", opt_error);
  return status == BT_OK ? add_ligand(jobs, s, s->lfile, opt_error) : status;
}

/* Is this the receptor that the .fld names, or the file of flexible residues? */
static bool is_no_ligand(const adgpu_settings *s, const char *receptor, const char *path) {
  const char *base = cli_path_base(path);
  size_t length = strlen(receptor);
  bool is_receptor = strncmp(base, receptor, length) == 0 && strcmp(base + length, ".pdbqt") == 0;
  return is_receptor || (s->flexres != NULL && cli_path_same(path, s->flexres));
}

static bt_status add_list(const adgpu_settings *s, adgpu_jobs *jobs, bt_error *opt_error) {
  bt_status status = need(s->ffile, "no grid maps", "give --ffile FILE.maps.fld", opt_error);
  if (status != BT_OK) return status;
  cli_paths paths;
  status = cli_inputs_expand(&s->filelist, false, NULL, 0, &paths, opt_error);
  if (status != BT_OK) return status;
  bt_maps *maps = NULL; /* read without any map of a type: only the receptor's name matters here */
  const char *none[1] = {NULL};
  if (paths.count > 1 && bt_maps_read(s->ffile, none, 0, &maps, NULL) != BT_OK) maps = NULL;
  const char *receptor = maps != NULL ? bt_maps_receptor_name(maps) : NULL;
  for (int i = 0; status == BT_OK && i < paths.count; i++) {
    if (receptor != NULL && is_no_ligand(s, receptor, paths.items[i])) continue;
    if (cli_path_ends(paths.items[i], ".pdbqt"))
      status = add_ligand(jobs, s, paths.items[i], opt_error);
    else
      status = cli_fill_error(opt_error, BT_ERR_USAGE, paths.items[i], "give .pdbqt files, or one batch list alone",
                              "not a ligand");
  }
  bt_maps_destroy(maps);
  cli_paths_free(&paths);
  if (status == BT_OK && jobs->count == 0)
    status = cli_fill_error(opt_error, BT_ERR_USAGE, NULL, "give .pdbqt files of ligands", "--filelist: no ligand");
  return status;
}

/* One job of a .dpf; what the command line says wins. */
static bt_status add_dpf_job(const char *program, const adgpu_settings *s, const bt_dpf *dpf, int index, int argc,
                             const char *const *argv, adgpu_jobs *jobs, bt_error *opt_error) {
  adgpu_settings settings = adgpu_settings_default(dpf, index);
  int words = bt_dpf_word_count(dpf, index), exit_code;
  const char **list = calloc((size_t)words + 1, sizeof *list);
  if (list == NULL) return cli_no_memory(opt_error);
  for (int i = 0; i < words; i++) list[i] = bt_dpf_word(dpf, index, i);
  bool ok = adgpu_settings_parse(&settings, program, words, list, &exit_code);
  free(list);
  ok = ok && adgpu_settings_parse(&settings, program, argc, argv, &exit_code);
  bt_status status = ok ? adgpu_settings_finish(&settings, opt_error)
                        : cli_fill_error(opt_error, BT_ERR_USAGE, s->import_dpf, "correct the option named above",
                                         "job %d has an option that is not valid", index + 1);
  if (status == BT_OK) {
    adgpu_job *job = adgpu_jobs_add(jobs, &settings);
    char *folder = cli_path_folder(s->import_dpf);
    const char *fld = bt_dpf_fld(dpf, index), *ligand = bt_dpf_ligand(dpf, index), *flex = bt_dpf_flexible(dpf, index);
    if (job == NULL || folder == NULL) {
      status = cli_no_memory(opt_error);
    } else if (s->lfile == NULL && (ligand == NULL || strcmp(ligand, "empty") == 0)) {
      status = cli_fill_error(opt_error, BT_ERR_INPUT, s->import_dpf, "add a move line, or give --lfile",
                              "job %d has no ligand", index + 1);
    } else if (s->ffile == NULL && fld == NULL) {
      status = cli_fill_error(opt_error, BT_ERR_INPUT, s->import_dpf, "add a fld line, or give --ffile",
                              "job %d has no maps", index + 1);
    } else {
      job->opt_dpf_path = s->import_dpf;
      job->fld = s->ffile != NULL ? strdup(s->ffile) : cli_path_join(folder, fld);
      job->ligand = s->lfile != NULL ? strdup(s->lfile) : cli_path_join(folder, ligand);
      if (s->flexres != NULL || flex != NULL)
        job->opt_flexible = s->flexres != NULL ? strdup(s->flexres) : cli_path_join(folder, flex);
      if (job->fld == NULL || job->ligand == NULL) status = cli_no_memory(opt_error);
    }
    free(folder);
  }
  adgpu_settings_free(&settings);
  return status;
}

/* --- names of the results ------------------------------------------------------------------------------ */

/* The ligand's path, or its base in another folder, without .pdbqt. */
static char *default_name(const char *ligand, const char *opt_folder) {
  char *name = opt_folder != NULL ? cli_path_join(opt_folder, cli_path_base(ligand)) : strdup(ligand);
  if (name != NULL && cli_path_ends(name, ".pdbqt") && strlen(cli_path_base(name)) > 6) name[strlen(name) - 6] = '\0';
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
    bool plain = wanted != NULL && !is_folder(wanted);
    if (job->resname == NULL) {
      job->resname = plain ? strdup(wanted) : default_name(job->ligand, wanted);
      bool number = job->resname != NULL && ((plain && jobs->count > 1) || name_taken(jobs, i, job->resname));
      char *base = job->resname;
      if (number && asprintf(&job->resname, "%s_%d", base, i + 1) < 0) job->resname = NULL;
      if (number) free(base);
    }
    if (job->resname == NULL) return cli_no_memory(opt_error);
  }
  return BT_OK;
}

bt_status adgpu_jobs_build(const char *program, const adgpu_settings *settings, const bt_dpf *opt_dpf, int argc,
                           const char *const *argv, adgpu_jobs *ret_jobs, bt_error *opt_error) {
  *ret_jobs = (adgpu_jobs){0};
  const cli_list *list = &settings->filelist;
  bt_status status = BT_OK;
  adgpu_settings with_maps = *settings; /* a batch may get its maps from the .dpf */
  char *dpf_fld = NULL;
  if (opt_dpf != NULL && settings->ffile == NULL && bt_dpf_fld(opt_dpf, 0) != NULL) {
    char *folder = cli_path_folder(settings->import_dpf);
    dpf_fld = folder != NULL ? cli_path_join(folder, bt_dpf_fld(opt_dpf, 0)) : NULL;
    free(folder);
    if (dpf_fld == NULL) return cli_no_memory(opt_error);
    with_maps.ffile = dpf_fld;
  }
  if (list->count == 1 && !is_folder(list->items[0]) && !cli_path_ends(list->items[0], ".pdbqt"))
    status =
        adgpu_batch_read(program, list->items[0], settings, with_maps.ffile, settings->flexres, ret_jobs, opt_error);
  else if (list->count > 0)
    status = add_list(&with_maps, ret_jobs, opt_error);
  else if (opt_dpf != NULL)
    for (int i = 0; status == BT_OK && i < bt_dpf_job_count(opt_dpf); i++)
      status = add_dpf_job(program, settings, opt_dpf, i, argc, argv, ret_jobs, opt_error);
  else
    status = add_single(settings, ret_jobs, opt_error);
  for (int i = 0; status == BT_OK && i < ret_jobs->count; i++) {
    adgpu_job *job = &ret_jobs->items[i];
    if (job->opt_reference == NULL && !copy(&job->opt_reference, settings->xraylfile))
      status = cli_no_memory(opt_error);
  }
  if (status == BT_OK) status = name_results(ret_jobs, opt_error);
  free(dpf_fld);
  if (status != BT_OK) adgpu_jobs_free(ret_jobs);
  return status;
}
