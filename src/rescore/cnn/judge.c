/* judge.c - see judge.h. */
#include "rescore/cnn/judge.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "rescore/cnn/weights/known.h"

/* Half the edge of the grid, from the first point to the last, and the reach of a density in radii, Angstrom. */
static const double half_edge = 11.75, reach = 1.5;

struct bt_networks {
  bt_cnn_ensemble ensemble;
  bt_cnn_scorer *scorer;
  bt_cnn_site *receptor; /* [n_rigid + n_flexible] */
  int n_rigid, n_flexible;
};

/* ---- 1. Opening ---- */

void bt_networks_close(bt_networks *opt_networks) {
  if (opt_networks == NULL) return;
  bt_cnn_scorer_close(opt_networks->scorer);
  bt_cnn_ensemble_close(&opt_networks->ensemble);
  free(opt_networks->receptor);
  free(opt_networks);
}

static bt_status see_receptor(bt_networks *n, const bt_network_setting *setting, bt_error *opt_error) {
  const bt_molecule *molecules[] = {setting->receptor, setting->opt_flexible};
  n->n_rigid = setting->receptor->n_atoms;
  n->n_flexible = setting->opt_flexible != NULL ? setting->opt_flexible->n_atoms : 0;
  n->receptor = bt_allocate((size_t)(n->n_rigid + n->n_flexible), sizeof *n->receptor);
  if (n->receptor == NULL) return bt_fail_memory(opt_error);
  return bt_cnn_sites(molecules, setting->opt_flexible != NULL ? 2 : 1, false, n->receptor, opt_error);
}

bt_status bt_networks_open(const bt_network_setting *setting, bt_networks **ret_networks, bt_error *opt_error) {
  *ret_networks = NULL;
  bt_networks *n = bt_allocate(1, sizeof *n);
  if (n == NULL) return bt_fail_memory(opt_error);
  const bt_cnn_device device = {setting->opt_device, setting->threads, BT_CNN_QUICKEST, setting->sharers};
  bt_status status = bt_cnn_ensemble_open(setting->opt_names, &n->ensemble, opt_error);
  if (status == BT_OK) status = see_receptor(n, setting, opt_error);
  if (status == BT_OK)
    status = bt_cnn_scorer_open((const bt_cnn_weights *const *)n->ensemble.networks, n->ensemble.count, &device,
                                &n->scorer, opt_error);
  return BT_HAND_OVER(status, n, ret_networks, bt_networks_close);
}

void bt_networks_measure(bt_networks *networks, const char *device, bt_busy *opt_busy) {
  if (strcmp(bt_cnn_scorer_device(networks->scorer), device) == 0) bt_cnn_scorer_measure(networks->scorer, opt_busy);
}

int bt_networks_of_all_poses(const bt_networks *networks) { return networks->ensemble.of_all_poses; }
int bt_networks_count(const bt_networks *networks) { return networks->ensemble.count; }
const char *bt_networks_name(const bt_networks *networks, int index) { return networks->ensemble.networks[index]->name; }

uint64_t bt_networks_hash(const bt_networks *networks, int index) {
  return bt_cnn_hash(networks->ensemble.networks[index]);
}

/* ---- 2. What networks see of a pose ---- */

/* The poses of one batch. */
typedef struct batch {
  bt_cnn_range range;        /* of networks */
  bt_cnn_pose *poses;        /* [most] */
  bt_cnn_site **sites;       /* [most] */
  const bt_cnn_view **views; /* [most] */
  bt_cnn_output *outputs;    /* [most * networks] */
  int count, most;
} batch;

static void empty(batch *b) {
  for (int k = 0; k < b->count; k++) free(b->sites[k]);
  b->count = 0;
}

static bool within(const bt_cnn_site *site, const double center[3]) {
  bool in = site->channel >= 0;
  for (int k = 0; k < 3; k++) in = in && fabs(site->x[k] - center[k]) < half_edge + reach * site->radius;
  return in;
}

/* The mean of the atoms that a network sees; false: there is none. */
static bool center_of(const bt_cnn_site *sites, int n, double center[3]) {
  int count = 0;
  memset(center, 0, 3 * sizeof *center);
  for (int i = 0; i < n; i++) {
    if (sites[i].channel < 0) continue;
    for (int k = 0; k < 3; k++) center[k] += sites[i].x[k];
    count++;
  }
  for (int k = 0; k < 3 && count > 0; k++) center[k] /= count;
  return count > 0;
}

static void move(bt_cnn_site *site, const double *xyz) { memcpy(site->x, xyz, sizeof site->x); }

/* Adds a pose to the batch, unless networks see nothing of it. ligand: its sites, in any pose. */
static bt_status look(const bt_networks *networks, const bt_cnn_site *ligand, const bt_cnn_view *view, batch *b,
                      bt_error *opt_error) {
  int n = view->ligand->n_ligand_atoms, all = networks->n_rigid + networks->n_flexible;
  if (view->ligand->n_atoms != n + networks->n_flexible) {
    (void)bt_fail(view->error, BT_ERR_USAGE, (bt_where){.file = view->ligand->molecule->path},
                  "score poses with the same flexible side chains together",
                  "the pose has other flexible side chains than those for which the networks were opened");
    return BT_OK;
  }
  bt_cnn_site *sites = bt_allocate((size_t)(n + all), sizeof *sites);
  if (sites == NULL) return bt_fail_memory(opt_error);
  memcpy(sites, ligand, (size_t)n * sizeof *sites);
  for (int i = 0; i < n; i++) move(&sites[i], view->xyz + (ptrdiff_t)3 * i);
  bt_cnn_pose pose = {.sites = sites, .n_sites = n};
  if (!center_of(sites, n, pose.center)) {
    free(sites);
    (void)bt_fail(view->error, BT_ERR_PARAMETER, (bt_where){.file = view->ligand->molecule->path},
                  "leave cnn out of --rescore", "the ligand has no atom that networks see");
    return BT_OK;
  }
  for (int i = 0; i < all; i++) {
    bt_cnn_site site = networks->receptor[i];
    if (i >= networks->n_rigid) move(&site, view->xyz + (ptrdiff_t)3 * (n + i - networks->n_rigid));
    if (within(&site, pose.center)) sites[pose.n_sites++] = site;
  }
  b->poses[b->count] = pose;
  b->sites[b->count] = sites;
  b->views[b->count++] = view;
  return BT_OK;
}

/* ---- 3. What they say ---- */

static bt_status run(bt_networks *networks, batch *b, bt_error *opt_error) {
  size_t each = (size_t)networks->ensemble.count;
  BT_TRY(bt_cnn_scorer_run(networks->scorer, b->range, b->poses, b->count, b->outputs, opt_error));
  size_t first = (size_t)b->range.first, count = (size_t)(b->range.end - b->range.first);
  for (int k = 0; k < b->count; k++)
    memcpy(b->views[k]->outputs + first, b->outputs + (size_t)k * each + first, count * sizeof *b->outputs);
  empty(b);
  return BT_OK;
}

static bt_status judge_all(bt_networks *networks, const bt_cnn_view *views, int n_views, batch *b,
                           bt_error *opt_error) {
  for (int v = 0; v < n_views;) {
    const bt_ligand *ligand = views[v].ligand;
    BT_SCOPED bt_cnn_site *sites = bt_allocate((size_t)ligand->molecule->n_atoms, sizeof *sites);
    if (sites == NULL) return bt_fail_memory(opt_error);
    BT_TRY(bt_cnn_sites(&ligand->molecule, 1, true, sites, opt_error));
    for (; v < n_views && views[v].ligand == ligand; v++) {
      BT_TRY(look(networks, sites, &views[v], b, opt_error));
      if (b->count == b->most) BT_TRY(run(networks, b, opt_error));
    }
  }
  return b->count > 0 ? run(networks, b, opt_error) : BT_OK;
}

bt_status bt_networks_judge(bt_networks *networks, bt_cnn_range range, const bt_cnn_view *views, int n_views,
                            bt_error *opt_error) {
  BT_ENDED_BY(bt_arena_destroy) bt_arena arena = {0};
  batch b = {.range = range, .most = bt_cnn_scorer_batch(networks->scorer)};
  BT_NEW(&arena, b.poses, b.most);
  BT_NEW(&arena, b.sites, b.most);
  BT_NEW(&arena, b.views, b.most);
  BT_NEW(&arena, b.outputs, b.most * networks->ensemble.count);
  BT_TRY(bt_arena_status(&arena, opt_error));
  bt_status status = judge_all(networks, views, n_views, &b, opt_error);
  empty(&b);
  return status;
}

bt_status bt_networks_score_poses(bt_networks *networks, const bt_ligand *ligand, const double *const *poses,
                                  int n_poses, bt_network_score *ret_means, bt_network_score *opt_each,
                                  bt_error *opt_error) {
  int n = networks->ensemble.count;
  bt_error error = {.status = BT_OK}; /* of the ligand, and thus of every pose */
  BT_ENDED_BY(bt_arena_destroy) bt_arena arena = {0};
  bt_cnn_output *outputs;
  bt_cnn_view *views;
  BT_NEW(&arena, outputs, n_poses * n);
  BT_NEW(&arena, views, n_poses);
  BT_TRY(bt_arena_status(&arena, opt_error));
  for (int p = 0; p < n_poses; p++) views[p] = (bt_cnn_view){ligand, poses[p], outputs + (ptrdiff_t)p * n, &error};
  BT_TRY(bt_networks_judge(networks, (bt_cnn_range){0, n}, views, n_poses, opt_error));
  if (error.status != BT_OK && opt_error != NULL) *opt_error = error;
  if (error.status != BT_OK) return error.status;
  for (int p = 0; p < n_poses; p++)
    bt_cnn_means(views[p].outputs, n, &ret_means[p].score, &ret_means[p].affinity);
  for (int k = 0; opt_each != NULL && k < n_poses * n; k++)
    opt_each[k] = (bt_network_score){bt_cnn_score(&outputs[k]), (double)outputs[k].affinity};
  return BT_OK;
}

bt_status bt_networks_score(bt_networks *networks, const bt_ligand *ligand, const double *opt_xyz,
                            bt_network_score *ret_mean, bt_network_score *opt_each, bt_error *opt_error) {
  const double *pose = opt_xyz != NULL ? opt_xyz : ligand->xyz;
  return bt_networks_score_poses(networks, ligand, &pose, 1, ret_mean, opt_each, opt_error);
}
