/* seeds.c - seed poses of a ligand: minimized with the function of the docking, they join its poses. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "pose/restraints.h"
#include "results/flags.h"
#include "results/result.h"
#include "target/state.h"

static bool is_seed(const bt_ligand *ligand, int conformer) {
  return bt_ligand_conformer(ligand, conformer)->molecule->seed > 0;
}

/* A pose near a wall may still be moved inside; one whose center is outside is another site's. */
static bool has_center(const bt_box *box, const bt_ligand *seed) {
  for (int k = 0; k < 3; k++) {
    double center = 0;
    for (int i = 0; i < seed->n_ligand_atoms; i++) center += seed->xyz[3 * i + k] / seed->n_ligand_atoms;
    if (fabs(center - box->center[k]) > 0.5 * box->npts[k] * box->spacing) return false;
  }
  return true;
}

bt_status bt_target_check_seeds(const bt_ligand *ligand, const bt_box *boxes, int n_boxes, bt_error *opt_error) {
  const bt_molecule *outside = NULL;
  for (int c = 1; c <= ligand->n_conformers; c++) {
    if (!is_seed(ligand, c)) continue;
    outside = bt_ligand_conformer(ligand, c)->molecule;
    for (int b = 0; b < n_boxes; b++)
      if (has_center(&boxes[b], bt_ligand_conformer(ligand, c))) return BT_OK;
  }
  if (outside == NULL) return BT_OK;
  return bt_fail(opt_error, BT_ERR_BOX, (bt_where){.file = outside->path},
                 "superpose the complexes that they are from on the receptor, or move the box",
                 "the seed poses of the ligand lie outside the box");
}

/* Appends a clause to the result's warning. */
static void warn(bt_result *result, const bt_molecule *seed, const char *what) {
  size_t used = strlen(result->warning);
  snprintf(result->warning + used, sizeof result->warning - used, "%sseed pose %d (%.100s) %s", used > 0 ? "; " : "",
           seed->seed, seed->name, what);
}

/* NULL, with a warning: it cannot be minimized, or not inside the box. */
static bt_status minimize(const bt_ligand *ligand, int conformer, const bt_maps *maps, const bt_dock_options *search,
                          bt_result *result, bt_result **ret_seed, bt_error *opt_error) {
  const bt_ligand *seed = bt_ligand_conformer(ligand, conformer);
  bt_dock_options options = *search;
  options.opt_progress = NULL;
  options.opt_device = "cpu"; /* a GPU has nothing to gain from a single pose */
  options.opt_isa = NULL;
  bt_error error;
  *ret_seed = NULL;
  bt_status status = bt_minimize(seed, maps, &options, ret_seed, &error);
  if (status != BT_OK && !bt_status_concerns_ligand(status)) {
    if (opt_error != NULL) *opt_error = error;
    return status;
  }
  const bt_run *run = status == BT_OK ? &(*ret_seed)->runs[0] : NULL;
  const char *why = run == NULL            ? error.message
                  : bt_run_is_outside(run) ? "extends beyond the box after minimization and is left out"
                  : seed->restraints != NULL && !bt_restraints_met(seed->restraints, run->xyz)
                      ? "does not meet the constraints after minimization and is left out"
                      : NULL;
  if (why == NULL && bt_run_clashes(run)) warn(result, seed->molecule, "clashes with the receptor after minimization");
  if (why == NULL) return BT_OK;
  warn(result, seed->molecule, why);
  bt_result_destroy(*ret_seed);
  *ret_seed = NULL;
  return BT_OK;
}

bt_status bt_target_add_seeds(const bt_ligand *ligand, const bt_maps *maps, const bt_dock_options *search,
                              bt_result *result, bt_error *opt_error) {
  int count = 0;
  BT_SCOPED bt_result **seeds = bt_allocate((size_t)ligand->n_conformers + 1, sizeof *seeds);
  BT_SCOPED int *numbers = bt_allocate((size_t)ligand->n_conformers + 1, sizeof *numbers);
  if (seeds == NULL || numbers == NULL) return bt_fail_memory(opt_error);
  bt_status status = BT_OK;
  const bt_box box = bt_maps_box(maps);
  for (int c = 1; status == BT_OK && c <= ligand->n_conformers; c++) {
    if (!is_seed(ligand, c)) continue;
    if (!has_center(&box, bt_ligand_conformer(ligand, c))) {
      warn(result, bt_ligand_conformer(ligand, c)->molecule, "lies outside the box and is left out");
      continue;
    }
    status = minimize(ligand, c, maps, search, result, &seeds[count], opt_error);
    numbers[count] = c;
    count += seeds[count] != NULL;
  }
  if (status == BT_OK && count > 0) status = bt_result_add_seeds(result, seeds, numbers, count, opt_error);
  for (int i = 0; i < count; i++) bt_result_destroy(seeds[i]);
  return status;
}
