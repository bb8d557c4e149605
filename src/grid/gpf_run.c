/* gpf_run.c - runs a grid parameter file: reads the receptor, writes maps and a log. */
#include <berth/autodock.h>
#include <berth/berth.h>
#include <berth/grid.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/file.h"
#include "base/files/file_set.h"
#include "base/memory.h"
#include "chem/molecule.h"
#include "formats/autodock/gpf.h"
#include "grid/maps/maps.h"
#include "grid/maps/write.h"

typedef struct gpf_job {
  const char *path;
  bt_gpf gpf;
  bt_molecule **receptors;
  int n_receptors;
  bt_grid_options options;
  bt_grid_covalent covalent;
  bt_grid_override *overrides;
  bt_text log, warnings;
  bt_error *opt_error;
} gpf_job;

static void warn(gpf_job *job, const char *text) {
  bt_text_printf(&job->warnings, "%s\n", text);
  bt_text_printf(&job->log, "WARNING: %s\n", text);
}

/* ---------------------------------------------------------------------------------------------------------
 * Input
 * --------------------------------------------------------------------------------------------------------- */

/* The mean of the atoms, each counting the same, as AutoGrid's `gridcenter auto`. */
static void center_of(const bt_molecule *molecule, double center[3]) {
  for (int axis = 0; axis < 3; axis++) {
    double sum = 0.0;
    for (int i = 0; i < molecule->n_atoms; i++) sum += molecule->atoms[i].x[axis];
    center[axis] = molecule->n_atoms > 0 ? sum / molecule->n_atoms : 0.0;
  }
}

static bt_status read_receptor(gpf_job *job) {
  const bt_gpf *gpf = &job->gpf;
  BT_TRY(bt_molecule_read(gpf->receptor, BT_MOLECULE_RECEPTOR, &job->receptors, &job->n_receptors, job->opt_error));
  if (job->n_receptors != 1)
    return bt_fail(job->opt_error, BT_ERR_INPUT, (bt_where){.file = gpf->receptor}, "leave one model in the file",
                   "the file has %d models, but one receptor is needed", job->n_receptors);
  return BT_OK;
}

/* AutoGrid stops when a type of the receptor is not declared; the types are known without the declaration. */
static bt_status check_receptor_types(gpf_job *job) {
  const bt_molecule *molecule = job->receptors[0];
  const bt_text_list *declared = &job->gpf.receptor_types;
  BT_SCOPED char(*warned)[8] = NULL;
  size_t room = 0, n_warned = 0;
  for (int i = 0; declared->count > 0 && i < molecule->n_atoms; i++) {
    const char *type = molecule->atoms[i].type;
    bool known = false;
    for (int t = 0; t < declared->count && !known; t++) known = strcmp(declared->items[t], type) == 0;
    for (size_t t = 0; t < n_warned && !known; t++) known = strcmp(warned[t], type) == 0;
    if (known) continue;
    if (!BT_GROW(warned, &room, n_warned + 1)) return bt_fail_memory(job->opt_error);
    memcpy(warned[n_warned++], type, sizeof *warned);
    char text[128];
    snprintf(text, sizeof text, "the receptor has atoms of type %s, which receptor_types does not name", type);
    warn(job, text);
  }
  return BT_OK;
}

static bt_status set_options(gpf_job *job, int threads, const char *opt_isa) {
  const bt_gpf *gpf = &job->gpf;
  bt_grid_options *o = &job->options;
  *o = bt_grid_options_default();
  for (int axis = 0; axis < 3; axis++) {
    o->box.npts[axis] = gpf->npts[axis];
    o->box.center[axis] = gpf->center[axis];
  }
  if (gpf->center_auto) center_of(job->receptors[0], o->box.center);
  o->box.spacing = gpf->spacing;
  o->smooth = gpf->smooth;
  o->dielectric = gpf->dielectric;
  o->no_electrostatics = !gpf->has_dielectric;
  o->solvation_charge = gpf->solvation_charge;
  o->disorder_h = gpf->disorder_h;
  o->opt_parameter_file = gpf->opt_parameter_file;
  o->threads = threads;
  o->opt_isa = opt_isa;
  o->zinc = BT_ZINC_OFF; /* only what the file states */
  o->no_water_map = true;
  if (gpf->has_covalent) {
    job->covalent = (bt_grid_covalent){.half_width = gpf->covalent_half_width, .barrier = gpf->covalent_barrier};
    memcpy(job->covalent.point, gpf->covalent_center, sizeof job->covalent.point);
    o->opt_covalent = &job->covalent;
  }
  job->overrides = bt_allocate((size_t)gpf->n_pairs, sizeof *job->overrides);
  if (job->overrides == NULL) return bt_fail_memory(job->opt_error);
  for (int i = 0; i < gpf->n_pairs; i++) {
    const bt_gpf_pair *pair = &gpf->pairs[i];
    bt_grid_override *to = &job->overrides[i];
    *to = (bt_grid_override){.coefficients = pair->coefficients, .first = pair->first, .second = pair->second,
                             .m = pair->m, .n = pair->n};
    memcpy(to->type1, pair->types[0], sizeof to->type1);
    memcpy(to->type2, pair->types[1], sizeof to->type2);
  }
  o->overrides = job->overrides;
  o->n_overrides = gpf->n_pairs;
  return BT_OK;
}

/* ---------------------------------------------------------------------------------------------------------
 * Output
 * --------------------------------------------------------------------------------------------------------- */

/* Text without its ending, with another one. */
static char *replace_ending(const char *text, const char *ending, const char *other) {
  size_t size = strlen(text), cut = strlen(ending);
  if (size > cut && strcmp(text + size - cut, ending) == 0) size -= cut;
  bt_text result = {0};
  bt_text_add(&result, text, size);
  bt_text_add_string(&result, other);
  if (!result.failed) return result.data;
  bt_text_destroy(&result);
  return NULL;
}

/* Readers look for maps next to the .fld, so a file of the same folder is named without it. */
static const char *name_beside(const char *fld, const char *path) {
  size_t folder = (size_t)(bt_path_base(fld) - fld);
  bool same = (size_t)(bt_path_base(path) - path) == folder && strncmp(fld, path, folder) == 0;
  return same ? bt_path_base(path) : path;
}

static bt_status add_output(gpf_job *job, bt_map_file *file, const char *opt_path, const char *ending) {
  const char *fld = job->gpf.fld;
  file->path = opt_path != NULL ? bt_copy_text(opt_path, strlen(opt_path))
                                : replace_ending(fld, strstr(fld, ".maps.fld") != NULL ? ".maps.fld" : ".fld", ending);
  if (file->path == NULL) return bt_fail_memory(job->opt_error);
  file->name = name_beside(fld, file->path);
  return BT_OK;
}

static bt_status name_outputs(gpf_job *job, bt_map_file *files) {
  const bt_gpf *gpf = &job->gpf;
  int n = gpf->ligand_types.count;
  BT_TRY(add_output(job, &files[0], gpf->fld, ""));
  files[1].path = replace_ending(gpf->fld, ".fld", ".xyz");
  if (files[1].path == NULL) return bt_fail_memory(job->opt_error);
  files[1].name = name_beside(gpf->fld, files[1].path);
  for (int m = 0; m < n; m++) BT_TRY(add_output(job, &files[2 + m], gpf->maps.items[m], ""));
  if (gpf->opt_electrostatic == NULL) warn(job, "there is no elecmap line; the map is named after the .fld");
  if (gpf->opt_desolvation == NULL) warn(job, "there is no dsolvmap line; the map is named after the .fld");
  BT_TRY(add_output(job, &files[2 + n], gpf->opt_electrostatic, ".e.map"));
  return add_output(job, &files[3 + n], gpf->opt_desolvation, ".d.map");
}

/* The file may choose any names for its outputs. */
static bt_status check_outputs(gpf_job *job, const bt_map_file *files) {
  const bt_gpf *gpf = &job->gpf;
  const char *inputs[] = {job->path, gpf->receptor, gpf->opt_parameter_file};
  BT_ENDED_BY(bt_file_set_destroy) bt_file_set set = {0};
  for (int k = 0; k < 3; k++) BT_TRY(bt_file_set_add(&set, inputs[k], job->opt_error));
  for (int f = 0; f < gpf->ligand_types.count + 4; f++)
    BT_TRY(bt_file_set_spare(&set, files[f].path, job->opt_error));
  return BT_OK;
}

static void log_input(gpf_job *job) {
  const bt_gpf *gpf = &job->gpf;
  const bt_molecule *receptor = job->receptors[0];
  const bt_box *box = &job->options.box;
  double charge = 0.0;
  for (int i = 0; i < receptor->n_atoms; i++) charge += receptor->atoms[i].charge;
  bt_text *log = &job->log;
  bt_text_printf(log, "Grid parameter file : %s\n", job->path);
  bt_text_printf(log, "Receptor            : %s, %d atoms, total charge %+.3f e\n", gpf->receptor, receptor->n_atoms,
                 charge);
  bt_text_printf(log, "Intervals           : %d %d %d, spacing %.3f Angstrom\n", box->npts[0], box->npts[1],
                 box->npts[2], box->spacing);
  bt_text_printf(log, "Center              : %.3f %.3f %.3f\n", box->center[0], box->center[1], box->center[2]);
  bt_text_printf(log, "Smoothing           : minimum within %.3f Angstrom\n", gpf->smooth);
  if (gpf->has_dielectric && gpf->dielectric < 0.0)
    bt_text_add_string(log, "Dielectric          : distance-dependent (Mehler and Solmajer)\n");
  else if (gpf->has_dielectric)
    bt_text_printf(log, "Dielectric          : constant, %g\n", gpf->dielectric > 0.0 ? gpf->dielectric : 40.0);
}

static void log_maps(gpf_job *job, const bt_maps *maps, const bt_map_file *files) {
  bt_text *log = &job->log;
  bt_text_add_string(log, "\nGrid\tAtom\tMinimum   \tMaximum\nMap \tType\tEnergy    \tEnergy\n"
                          "\t\t(kcal/mol)\t(kcal/mol)\n____\t____\t_____________\t_____________\n");
  for (int m = 0; m < maps->n_types + 2; m++) {
    double lowest, highest;
    bt_maps_range(maps, m, &lowest, &highest);
    const char *type = m < maps->n_types ? maps->types[m] : m == maps->n_types ? "e" : "d";
    const char *what = m < maps->n_types    ? ""
                       : m == maps->n_types ? "\tElectrostatic Potential"
                                            : "\tDesolvation Potential";
    bt_text_printf(log, " %d\t %s\t%8.2f\t%9.2e%s\n", m + 1, type, lowest, highest, what);
  }
  bt_text_add_string(log, "\nFiles:\n");
  for (int f = 0; f < maps->n_types + 4; f++) bt_text_printf(log, "  %s\n", files[f].path);
  bt_text_add_string(log, "\n * Note:  Every pairwise-atomic interaction was clamped at 100000.00\n\n");
}

/* ---------------------------------------------------------------------------------------------------------
 * Everything
 * --------------------------------------------------------------------------------------------------------- */

static bt_status compute_and_write(gpf_job *job, bt_gpf_result *result) {
  const bt_gpf *gpf = &job->gpf;
  BT_TRY(bt_maps_compute(job->receptors[0], (const char *const *)gpf->ligand_types.items, gpf->ligand_types.count,
                         &job->options, &result->maps, job->opt_error));
  const char *gpf_name = strcmp(job->path, "-") == 0 ? "stdin" : job->path;
  result->maps->gpf_name = bt_copy_text(gpf_name, strlen(gpf_name));
  BT_SCOPED bt_map_file *files = bt_allocate((size_t)gpf->ligand_types.count + 4, sizeof *files);
  bool complete = files != NULL && result->maps->gpf_name != NULL;
  bt_status status = complete ? name_outputs(job, files) : bt_fail_memory(job->opt_error);
  if (status == BT_OK) status = check_outputs(job, files);
  if (status == BT_OK) status = bt_maps_write_files(result->maps, files[0], files[1], files + 2, job->opt_error);
  if (status == BT_OK) log_maps(job, result->maps, files);
  for (int f = 0; files != NULL && f < gpf->ligand_types.count + 4; f++) free(files[f].path);
  return status;
}

static bt_status run(gpf_job *job, int threads, const char *opt_isa, bt_gpf_result *result) {
  for (int i = 0; i < job->gpf.warnings.count; i++) warn(job, job->gpf.warnings.items[i]);
  if (job->gpf.opt_floating != NULL) warn(job, "fmap is not supported; no floating grid is written");
  result->fld_path = bt_copy_text(job->gpf.fld, strlen(job->gpf.fld));
  if (result->fld_path == NULL) return bt_fail_memory(job->opt_error);
  BT_TRY(read_receptor(job));
  BT_TRY(check_receptor_types(job));
  BT_TRY(set_options(job, threads, opt_isa));
  log_input(job);
  return compute_and_write(job, result);
}

bt_status bt_gpf_run(const char *gpf_path, int threads, const char *opt_isa, bt_gpf_result *ret_result,
                     bt_error *opt_error) {
  *ret_result = (bt_gpf_result){0};
  gpf_job job = {.path = gpf_path, .opt_error = opt_error};
  BT_TRY(bt_gpf_read(gpf_path, &job.gpf, opt_error));
  bt_text_add(&job.log, "", 0);
  bt_text_add(&job.warnings, "", 0);
  bt_status status = run(&job, threads, opt_isa, ret_result);
  if (status == BT_OK) status = bt_text_status(&job.log, opt_error);
  if (status == BT_OK) status = bt_text_status(&job.warnings, opt_error);
  ret_result->log = job.log.data;
  ret_result->warnings = job.warnings.data;
  free(job.overrides);
  bt_molecule_list_destroy(job.receptors, job.n_receptors);
  bt_gpf_destroy(&job.gpf);
  return status;
}

void bt_gpf_result_clear(bt_gpf_result *result) {
  bt_maps_destroy(result->maps);
  free(result->fld_path);
  free(result->log);
  free(result->warnings);
  *result = (bt_gpf_result){0};
}
