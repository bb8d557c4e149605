/* rescorer.c - convolutional networks as a re-scorer: poses stay where they are. See rescore/rescorer.h.
 *
 * The score is -ln(p / (1 - p)) of the probability p that the pose is right, the mean over the networks. With
 * --rank-by sum it is added to the docking's energy in kcal/mol.
 */
#include <math.h>

#include "base/memory.h"
#include "rescore/cnn/ensemble.h"
#include "rescore/rescorer.h"

/* Half the edge of the grid, from the first point to the last, Angstrom. */
static const double half_edge = 11.75, reach = 1.5;

typedef struct cnn {
  bt_cnn_ensemble ensemble;
  bt_cnn_scorer *scorer;
  bt_cnn_site *receptor; /* [n_rigid + n_flexible] */
  int n_rigid, n_flexible;
} cnn;

/* ---- 1. opening ---- */

static void close(void *self) {
  cnn *c = self;
  if (c == NULL) return;
  bt_cnn_scorer_close(c->scorer);
  bt_cnn_ensemble_close(&c->ensemble);
  free(c->receptor);
  free(c);
}

static bt_status see_receptor(cnn *c, const bt_rescore_setting *setting, bt_error *opt_error) {
  const bt_molecule *molecules[] = {setting->receptor, setting->opt_flexible};
  c->n_rigid = setting->receptor->n_atoms;
  c->n_flexible = setting->opt_flexible != NULL ? setting->opt_flexible->n_atoms : 0;
  c->receptor = bt_allocate((size_t)(c->n_rigid + c->n_flexible), sizeof *c->receptor);
  if (c->receptor == NULL) return bt_fail_memory(opt_error);
  return bt_cnn_sites(molecules, setting->opt_flexible != NULL ? 2 : 1, false, c->receptor, opt_error);
}

static bt_status open(const char *name, const bt_rescore_setting *setting, void **ret_self, bt_error *opt_error) {
  (void)name;
  cnn *c = bt_allocate(1, sizeof *c);
  if (c == NULL) return bt_fail_memory(opt_error);
  const bt_cnn_device device = {setting->opt_device, setting->threads, BT_CNN_QUICKEST};
  bt_status status = bt_cnn_ensemble_open(setting->opt_networks, &c->ensemble, opt_error);
  if (status == BT_OK) status = see_receptor(c, setting, opt_error);
  if (status == BT_OK)
    status = bt_cnn_scorer_open((const bt_cnn_weights *const *)c->ensemble.networks, c->ensemble.count, &device,
                                &c->scorer, opt_error);
  return BT_HAND_OVER(status, (void *)c, ret_self, close);
}

/* ---- 2. what a network sees of a pose ---- */

/* Sites of the poses of one batch. */
typedef struct view {
  bt_cnn_pose *poses; /* [batch] */
  bt_cnn_site **sites; /* [batch] */
  int *from;           /* [batch] the pose that each shows */
  int count;
} view;

static void empty(view *v) {
  for (int k = 0; k < v->count; k++) free(v->sites[k]);
  v->count = 0;
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

/* ligand: its sites, [n_ligand_atoms], in any pose. */
static bt_status look(const cnn *c, const bt_cnn_site *ligand, bt_rescore_pose *pose, bt_cnn_pose *ret_pose,
                      bt_cnn_site **ret_sites, bt_error *opt_error) {
  int n = pose->ligand->n_ligand_atoms, all = c->n_rigid + c->n_flexible;
  bt_cnn_site *sites = *ret_sites = bt_allocate((size_t)(n + all), sizeof *sites);
  if (sites == NULL) return bt_fail_memory(opt_error);
  for (int i = 0; i < n; i++) {
    sites[i] = ligand[i];
    memcpy(sites[i].x, pose->xyz + (ptrdiff_t)3 * i, sizeof sites[i].x);
  }
  *ret_pose = (bt_cnn_pose){.sites = sites, .n_sites = n};
  if (!center_of(sites, n, ret_pose->center))
    return bt_fail(&pose->error, BT_ERR_PARAMETER, (bt_where){.file = pose->ligand->molecule->path},
                   "leave cnn out of --rescore", "no atom of the ligand is one that networks see");
  for (int i = 0; i < all; i++) {
    bt_cnn_site site = c->receptor[i];
    if (i >= c->n_rigid) memcpy(site.x, pose->xyz + (ptrdiff_t)3 * (n + i - c->n_rigid), sizeof site.x);
    if (within(&site, ret_pose->center)) sites[ret_pose->n_sites++] = site;
  }
  return BT_OK;
}

/* ---- 3. scores ---- */

static bt_status score_view(cnn *c, view *v, bt_rescore_pose *poses, bt_cnn_output *outputs, bt_error *opt_error) {
  BT_TRY(bt_cnn_scorer_run(c->scorer, v->poses, v->count, outputs, opt_error));
  for (int k = 0; k < v->count; k++) {
    bt_rescore_pose *pose = &poses[v->from[k]];
    bt_cnn_means(outputs + (ptrdiff_t)k * c->ensemble.count, c->ensemble.count, &pose->values[0], &pose->values[1]);
    pose->score = bt_cnn_log_odds_against(pose->values[0]);
  }
  empty(v);
  return BT_OK;
}

static bt_status score_all(cnn *c, view *v, bt_rescore_pose *poses, int n, bt_cnn_output *outputs,
                           bt_error *opt_error) {
  int batch = bt_cnn_scorer_batch(c->scorer);
  for (int p = 0; p < n;) {
    const bt_ligand *ligand = poses[p].ligand;
    BT_SCOPED bt_cnn_site *sites = bt_allocate((size_t)ligand->molecule->n_atoms, sizeof *sites);
    if (sites == NULL) return bt_fail_memory(opt_error);
    BT_TRY(bt_cnn_sites(&ligand->molecule, 1, true, sites, opt_error));
    for (; p < n && poses[p].ligand == ligand; p++) {
      int k = v->count;
      bt_status status = look(c, sites, &poses[p], &v->poses[k], &v->sites[k], opt_error);
      v->from[v->count++] = p;
      if (poses[p].error.status != BT_OK) free(v->sites[--v->count]);
      else if (status != BT_OK) return status;
      if (v->count == batch) BT_TRY(score_view(c, v, poses, outputs, opt_error));
    }
  }
  return v->count > 0 ? score_view(c, v, poses, outputs, opt_error) : BT_OK;
}

static bt_status score(void *self, bt_rescore_pose *poses, int n, bt_error *opt_error) {
  cnn *c = self;
  size_t batch = (size_t)bt_cnn_scorer_batch(c->scorer);
  BT_ENDED_BY(bt_arena_destroy) bt_arena arena = {0};
  view v = {0};
  bt_cnn_output *outputs;
  BT_NEW(&arena, v.poses, batch);
  BT_NEW(&arena, v.sites, batch);
  BT_NEW(&arena, v.from, batch);
  BT_NEW(&arena, outputs, batch * (size_t)c->ensemble.count);
  BT_TRY(bt_arena_status(&arena, opt_error));
  bt_status status = score_all(c, &v, poses, n, outputs, opt_error);
  empty(&v);
  return status;
}

static const char *const values[] = {"CNNscore", "CNNaffinity", NULL};

const bt_rescorer_type bt_rescorer_of_networks; /* for the registry */
const bt_rescorer_type bt_rescorer_of_networks = {
    .open = open, .score = score, .close = close, .opt_values = values, .networks = true, .unitless = true};
