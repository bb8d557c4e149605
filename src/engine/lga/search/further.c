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

static int distinct_most(const bt_dock_options *options) {
  return options->poses > 1 ? options->poses + options->poses / 4 : 0;
}

/* Where networks choose among similar poses, as many again are kept, half as far apart (docs/decisions/
 * 030-staged-networks.md). */
int bt_further_most(const bt_dock_options *options) {
  return (options->variants == BT_VARIANTS_SIMILAR ? 2 : 1) * distinct_most(options);
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
static bt_status is_known(const pool *p, int others, double within, bool *ret_known, bt_error *opt_error) {
  const bt_result *result = p->task->result;
  size_t stride = 3 * (size_t)p->task->data->ligand->n_atoms;
  const double *last = p->xyz + stride * (size_t)(p->count - 1);
  *ret_known = false;
  for (int k = others - 1; k >= 0 && !*ret_known; k--) {
    double distance;
    BT_TRY(bt_rmsd_distance(result->rmsd, last, p->xyz + stride * (size_t)k, &distance, opt_error));
    *ret_known = distance <= within;
  }
  return BT_OK;
}

/* Adds minima farther than that from all others to *count ones, until there are as many as `most`. The runs' best poses
 * come first in the pool, but count as found only when their turn comes. */
static bt_status choose(pool *p, const candidate *candidates, size_t n, const bool *is_best, double distance, int most,
                        size_t *individuals, int *count, bt_error *opt_error) {
  double limit = fmin((double)candidates[0].energy + p->task->options->energy_range, 0.0);
  for (size_t i = 0; i < n && *count < most && (double)candidates[i].energy <= limit; i++) {
    bool known = false;
    if (is_best[candidates[i].individual]) continue;
    add(p, candidates[i].individual);
    BT_TRY(is_known(p, p->count - 1, distance, &known, opt_error));
    if (known) p->count--;
    if (!known) individuals[(*count)++] = candidates[i].individual;
  }
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
  if (count == 0) return BT_OK;
  BT_TRY(choose(&p, candidates, count, is_best, o->rmsd_tolerance, distinct_most(o), ret_individuals, ret_count,
                opt_error));
  if (o->variants != BT_VARIANTS_SIMILAR) return BT_OK;
  return choose(&p, candidates, count, is_best, 0.5 * o->rmsd_tolerance, (int)most, ret_individuals, ret_count,
                opt_error);
}
