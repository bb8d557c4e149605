/* forcefield.c - the scoring functions of searches as re-scorers: a pose is minimized, and has the energy of its
 * minimum.
 *
 * Functions that sum over the receptor's atoms need no maps; the others get maps for the types that turn up.
 */
#include <berth/berth.h>
#include <berth/place.h>
#include <berth/score.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/threads.h"
#include "rescore/rescorer.h"
#include "score/refine.h"

typedef struct forcefield {
  const bt_molecule *receptor;
  bt_grid_options grid;
  int threads;
  bt_maps *maps; /* NULL: no ligand has needed any */
} forcefield;

/* ---- 1. opening ---- */

static bool sums(bt_scoring scoring) { return bt_scoring_traits_of(scoring)->sums; }

/* The box around all, in which poses may move. Sums need no fine one. */
static bt_box join(const bt_box *boxes, int n, bool coarse) {
  bt_box all = boxes[0];
  double low[3], high[3], edges[3];
  for (int i = 1; i < n; i++) {
    for (int k = 0; k < 3; k++) {
      double half = 0.5 * boxes[i].npts[k] * boxes[i].spacing;
      low[k] = boxes[i].center[k] - half;
      high[k] = boxes[i].center[k] + half;
    }
    (void)bt_box_include(&all, low, high, 0.0);
  }
  for (int k = 0; k < 3; k++) edges[k] = all.npts[k] * all.spacing;
  return n > 1 && coarse ? bt_box_from_size(all.center, edges, 1.0) : all;
}

static void close(void *self) {
  forcefield *f = self;
  if (f != NULL) bt_maps_destroy(f->maps);
  free(f);
}

static bt_status open(const char *name, const bt_rescore_setting *setting, void **ret_self, bt_error *opt_error) {
  forcefield *f = bt_allocate(1, sizeof *f);
  if (f == NULL) return bt_fail_memory(opt_error);
  *f = (forcefield){.receptor = setting->receptor, .grid = *setting->grid};
  (void)bt_scoring_find(name, &f->grid.scoring);
  f->grid.box = join(setting->boxes, setting->n_boxes, sums(f->grid.scoring));
  f->grid.threads = setting->threads;
  f->threads = setting->threads > 0 ? setting->threads : bt_thread_count_default();
  bt_status status = sums(f->grid.scoring) ? bt_maps_add(&f->maps, f->receptor, NULL, 0, &f->grid, opt_error) : BT_OK;
  return BT_HAND_OVER(status, (void *)f, ret_self, close);
}

/* ---- 2. a ligand ---- */

/* The poses of a result. */
typedef struct group {
  bt_rescore_pose *poses; /* [n] */
  int n;
  bt_ligand *ligand; /* as this function sees it */
  bt_scorer *scorer;
  bt_error error;
} group;

static void free_group(group *g) {
  bt_scorer_destroy(g->scorer);
  bt_ligand_destroy(g->ligand);
}

static bt_status add_maps(forcefield *f, const group *g, bt_error *opt_error) {
  if (sums(f->grid.scoring) || g->ligand == NULL) return BT_OK;
  int n = g->ligand->n_map_types;
  BT_SCOPED const char **types = bt_allocate((size_t)n, sizeof *types);
  if (types == NULL) return bt_fail_memory(opt_error);
  for (int t = 0; t < n; t++) types[t] = g->ligand->map_types[t];
  return bt_maps_add(&f->maps, f->receptor, types, n, &f->grid, opt_error);
}

static bt_status minimize(const group *g, bt_rescore_pose *pose, bt_error *opt_error) {
  const bt_ligand *ligand = bt_ligand_conformer(g->ligand, pose->conformer);
  BT_ENDED_BY(bt_genotype_destroy) bt_genotype genotype = {0};
  BT_TRY(bt_genotype_create(ligand->n_torsions, &genotype, opt_error));
  bt_genotype_copy(pose->genotype, ligand->n_torsions, &genotype);
  BT_TRY(bt_refine(g->scorer, ligand, &genotype, pose->xyz, opt_error));
  bt_score_coordinates(g->scorer, pose->xyz, &pose->energy, NULL);
  pose->minimized = pose->has_energy = true;
  return BT_OK;
}

/* ---- 3. several, on all threads ---- */

typedef struct team {
  const forcefield *by;
  group *groups;
  void (*work)(struct team *team, int index);
  int count; /* indices */
  atomic_int next;
} team;

static void take_some(void *context, int thread) {
  (void)thread;
  team *t = context;
  for (int i; (i = atomic_fetch_add(&t->next, 1)) < t->count;) t->work(t, i);
}

static void share(team *t, void (*work)(team *team, int index), int count) {
  t->work = work;
  t->count = count;
  atomic_store(&t->next, 0);
  bt_parallel(t->by->threads < count ? t->by->threads : count, take_some, t);
}

static void make_ligand(team *t, int index) {
  group *g = &t->groups[index];
  const bt_ligand *docked = g->poses[0].ligand;
  g->error.status =
      bt_ligand_create_as(docked->molecule, docked->opt_flexible, t->by->grid.scoring, &g->ligand, &g->error);
}

static void make_scorer(team *t, int index) {
  group *g = &t->groups[index];
  if (g->error.status == BT_OK)
    g->error.status =
        bt_scorer_create(g->ligand, t->by->maps, BT_FORM_TABULATED, g->poses[0].torsional, &g->scorer, &g->error);
}

static void minimize_one(team *t, int index) {
  const group *g = t->groups;
  while (index >= g->n) index -= (g++)->n;
  bt_rescore_pose *pose = &g->poses[index];
  pose->error = g->error;
  if (pose->error.status == BT_OK) pose->error.status = minimize(g, pose, &pose->error);
}

static void set_scores(const group *g) {
  if (g->error.status == BT_OK) bt_refine_affinities(g->ligand, &g->poses->energy, g->n, sizeof *g->poses);
  for (int p = 0; p < g->n; p++) g->poses[p].score = g->poses[p].energy.free_energy;
}

static bt_status score_groups(forcefield *f, group *groups, int n, bt_error *opt_error) {
  team t = {.by = f, .groups = groups};
  int poses = 0;
  share(&t, make_ligand, n);
  for (int k = 0; k < n; k++) BT_TRY(add_maps(f, &groups[k], opt_error));
  share(&t, make_scorer, n);
  for (int k = 0; k < n; k++) poses += groups[k].n;
  share(&t, minimize_one, poses);
  for (int k = 0; k < n; k++) set_scores(&groups[k]);
  return BT_OK;
}

/* Some ligands at a time, since each has tables. */
static bt_status score(void *self, bt_rescore_pose *poses, int n, bt_error *opt_error) {
  forcefield *f = self;
  int most = 2 * f->threads;
  BT_SCOPED group *groups = bt_allocate((size_t)most, sizeof *groups);
  if (groups == NULL) return bt_fail_memory(opt_error);
  for (int p = 0; p < n;) {
    int count = 0;
    for (; count < most && p < n; count++) {
      group *g = &groups[count];
      *g = (group){.poses = &poses[p]};
      for (; p < n && poses[p].result == g->poses[0].result; p++) g->n++;
    }
    bt_status status = score_groups(f, groups, count, opt_error);
    for (int k = 0; k < count; k++) free_group(&groups[k]);
    if (status != BT_OK) return status;
  }
  return BT_OK;
}

const bt_rescorer_type bt_rescorer_of_forcefield; /* for the registry */
const bt_rescorer_type bt_rescorer_of_forcefield = {.open = open, .score = score, .close = close};
