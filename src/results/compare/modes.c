/* modes.c - binding modes as AutoDock Vina reports them: poses that differ, the best first, and how far they are from
 * it.
 */
#include <berth/vina.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "chem/element.h"
#include "results/result.h"

enum { METAL = 1000 }; /* the element of all metals */

/* The atoms that distances are measured over. */
typedef struct compared {
  int *atoms, *elements; /* [count] */
  int count;
} compared;

static bool is_metal(int element) {
  static const int metals[] = {11, 12, 19, 20, 25, 26, 27, 28, 29, 30, 48, 80, 92};
  for (size_t k = 0; k < sizeof metals / sizeof metals[0]; k++)
    if (metals[k] == element) return true;
  return false;
}

/* Of a flexible residue and of a covalent ligand, the root and the first atoms of its branches stay where they are. */
static bool moves(const bt_ligand *ligand, int atom) {
  const bt_body *body = &ligand->bodies[ligand->body[atom]];
  if (body->immobile) return false;
  return body->parent < 0 || !ligand->bodies[body->parent].immobile || body->axis_to != atom;
}

static void choose_atoms(const bt_ligand *ligand, compared *over) {
  for (int i = 0; i < ligand->n_atoms; i++) {
    int element = bt_element_of_type(bt_ligand_atom(ligand, i, NULL)->type);
    if (element == 1 || !moves(ligand, i)) continue;
    over->elements[over->count] = is_metal(element) ? METAL : element;
    over->atoms[over->count++] = i;
  }
}

static double squared(const double *p, const double *q) {
  double x = p[0] - q[0], y = p[1] - q[1], z = p[2] - q[2];
  return x * x + y * y + z * z;
}

static double rmsd_by_atom(const compared *over, const double *x, const double *y) {
  double sum = 0;
  for (int i = 0; i < over->count; i++) sum += squared(x + 3 * over->atoms[i], y + 3 * over->atoms[i]);
  return over->count > 0 ? sqrt(sum / over->count) : 0.0;
}

static double rmsd_to_nearest(const compared *over, const double *x, const double *y) {
  double sum = 0;
  for (int i = 0; i < over->count; i++) {
    double least = INFINITY;
    for (int j = 0; j < over->count; j++)
      if (over->elements[j] == over->elements[i])
        least = fmin(least, squared(x + 3 * over->atoms[i], y + 3 * over->atoms[j]));
    sum += least;
  }
  return over->count > 0 ? sqrt(sum / over->count) : 0.0;
}

static bool is_new(const bt_result *result, const compared *over, double min_rmsd, const bt_mode *modes, int count,
                   const bt_run *run) {
  for (int m = 0; m < count; m++)
    if (rmsd_by_atom(over, run->xyz, result->runs[modes[m].run - 1].xyz) < min_rmsd) return false;
  return true;
}

bt_status bt_result_modes(const bt_result *result, double min_rmsd, int most, bt_mode **ret_modes, int *ret_count,
                          bt_error *opt_error) {
  const bt_ligand *ligand = result->ligand;
  size_t n_atoms = (size_t)ligand->n_atoms, n_poses = (size_t)result->n_poses;
  BT_SCOPED int *order = bt_allocate(n_poses, sizeof *order);
  BT_SCOPED int *numbers = bt_allocate(2 * n_atoms, sizeof *numbers);
  BT_SCOPED bt_mode *modes = bt_allocate(n_poses, sizeof *modes);
  *ret_modes = NULL;
  *ret_count = 0;
  if (order == NULL || numbers == NULL || modes == NULL) return bt_fail_memory(opt_error);
  BT_TRY(bt_result_check(result, opt_error));
  BT_TRY(bt_result_order(result, order, opt_error));
  compared over = {.atoms = numbers, .elements = numbers + n_atoms};
  choose_atoms(ligand, &over);
  const double *best = result->runs[order[0]].xyz;
  int count = 0;
  for (int k = 0; k < result->n_poses && count < most; k++) {
    const bt_run *run = &result->runs[order[k]];
    if (!bt_run_is_ranked(result, run)) continue;
    if (!is_new(result, &over, min_rmsd, modes, count, run)) continue;
    double lower = fmax(rmsd_to_nearest(&over, run->xyz, best), rmsd_to_nearest(&over, best, run->xyz));
    modes[count++] = (bt_mode){.run = order[k] + 1,
                               .cluster = run->cluster,
                               .energy = run->energy,
                               .rmsd_upper = rmsd_by_atom(&over, run->xyz, best),
                               .rmsd_lower = lower};
  }
  *ret_modes = modes;
  *ret_count = count;
  modes = NULL;
  return BT_OK;
}
