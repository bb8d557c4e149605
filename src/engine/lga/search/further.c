/* further.c - see further.h.
 *
 * A population that has not collapsed still holds individuals in other minima than its best one. Keeping them costs no
 * evaluation: among nine poses one is right about half as often again as among the best poses of the runs alone
 * (docs/decisions/027-pool-of-poses.md).
 */
#include "engine/lga/search/further.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

int bt_further_most(const bt_dock_options *options) {
  return options->poses > 1 ? options->poses + options->poses / 4 : 0;
}

typedef struct candidate {
  float energy;
  size_t individual;
} candidate;

static int by_energy(const void *a, const void *b) {
  const candidate *p = a, *q = b;
  if (p->energy != q->energy) return p->energy < q->energy ? -1 : 1;
  return p->individual < q->individual ? -1 : p->individual > q->individual;
}

typedef struct pool {
  const bt_dock_task *task;
  bt_genotype genotype;
  double *xyz; /* [poses][3 n_atoms] */
  int count;   /* poses */
} pool;

/* Appends the pose of an individual. */
static void add(pool *p, size_t individual) {
  const bt_ligand *ligand = p->task->data->ligand;
  size_t genes = (size_t)BT_GENES(ligand->n_torsions);
  bt_genes_to_genotype(p->task->data, p->task->genes + individual * genes, &p->genotype);
  bt_genotype_coordinates(ligand, &p->genotype, p->xyz + 3 * (size_t)ligand->n_atoms * (size_t)p->count++);
}

/* Is the last pose close to one of the first `others`? */
static bt_status is_known(const pool *p, int others, bool *ret_known, bt_error *opt_error) {
  const bt_result *result = p->task->result;
  size_t stride = 3 * (size_t)p->task->data->ligand->n_atoms;
  const double *last = p->xyz + stride * (size_t)(p->count - 1);
  *ret_known = false;
  for (int k = others - 1; k >= 0 && !*ret_known; k--) {
    double distance;
    BT_TRY(bt_rmsd_distance(result->rmsd, last, p->xyz + stride * (size_t)k, &distance, opt_error));
    *ret_known = distance <= result->options.rmsd_tolerance;
  }
  return BT_OK;
}

/* The runs' best poses come first in the pool, but count as found only when their turn comes. */
static bt_status choose(pool *p, const candidate *candidates, size_t n, const bool *is_best, size_t *ret_individuals,
                        int *ret_count, bt_error *opt_error) {
  const bt_dock_options *o = p->task->options;
  int most = bt_further_most(o), found = 0;
  double limit = fmin((double)candidates[0].energy + o->energy_range, 0.0);
  for (size_t i = 0; i < n && found < most && (double)candidates[i].energy <= limit; i++) {
    bool known = false;
    if (is_best[candidates[i].individual]) continue;
    add(p, candidates[i].individual);
    BT_TRY(is_known(p, p->count - 1, &known, opt_error));
    if (known) p->count--;
    if (!known) ret_individuals[found++] = candidates[i].individual;
  }
  *ret_count = found;
  return BT_OK;
}

bt_status bt_further_find(const bt_dock_task *task, const size_t *best, size_t *ret_individuals, int *ret_count,
                          bt_error *opt_error) {
  const bt_dock_options *o = task->options;
  const bt_ligand *ligand = task->data->ligand;
  size_t runs = (size_t)o->runs, n = runs * (size_t)o->population, most = (size_t)bt_further_most(o), count = 0;
  BT_ENDED_BY(bt_arena_destroy) bt_arena arena = {0};
  BT_ENDED_BY(bt_genotype_destroy) bt_genotype genotype = {0};
  BT_TRY(bt_genotype_create(ligand->n_torsions, &genotype, opt_error));
  pool p = {.task = task, .genotype = genotype};
  candidate *candidates = BT_NEW(&arena, candidates, n);
  bool *is_best = BT_NEW(&arena, is_best, n);
  BT_NEW(&arena, p.xyz, 3 * (size_t)ligand->n_atoms * (runs + most + 1));
  BT_TRY(bt_arena_status(&arena, opt_error));
  for (size_t i = 0; i < n; i++)
    if (isfinite(task->energies[i])) candidates[count++] = (candidate){task->energies[i], i};
  qsort(candidates, count, sizeof *candidates, by_energy);
  for (size_t r = 0; r < runs; r++) {
    is_best[best[r]] = true;
    add(&p, best[r]);
  }
  *ret_count = 0;
  return count > 0 ? choose(&p, candidates, count, is_best, ret_individuals, ret_count, opt_error) : BT_OK;
}
