/* apply.c - results -> poses -> re-scorers -> results. */
#include <berth/networks.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text/text.h"
#include "rescore/rescorer.h"
#include "results/compare/rmsd.h"
#include "results/result.h"
#include "results/rigid_pose.h"

typedef struct opened {
  bt_rescorer_info info;
  const bt_rescorer_type *type;
  void **selves; /* [calls][n_receptors] */
} opened;

struct bt_rescoring {
  char *names;
  char *networks;
  char *hashes; /* of the networks; "": there are none */
  bt_grid_options grid;
  bt_box *boxes;
  bt_rescore_setting *settings; /* [n_receptors] one for each receptor of an ensemble, whose boxes they have */
  int n_receptors;
  bt_text_list devices; /* which calls use in turn; none: that of the setting, for all */
  opened *rescorers;    /* [count] */
  int count;
  int calls;            /* on all devices together */
  bool *taken;          /* [calls] by a call that is running */
  pthread_mutex_t lock; /* of these */
  pthread_cond_t returned;
};

/* ---- 1. opening ---- */

void bt_rescoring_close(bt_rescoring *r) {
  if (r == NULL) return;
  for (int k = 0; k < r->count; k++) {
    for (int i = 0; i < r->calls * r->n_receptors && r->rescorers[k].selves[i] != NULL; i++)
      r->rescorers[k].type->close(r->rescorers[k].selves[i]);
    free(r->rescorers[k].selves);
  }
  pthread_mutex_destroy(&r->lock);
  pthread_cond_destroy(&r->returned);
  free(r->taken);
  free(r->rescorers);
  free(r->boxes);
  free(r->settings);
  bt_text_list_destroy(&r->devices);
  free(r->names);
  free(r->networks);
  free(r->hashes);
  free(r);
}

/* Maps of scoring functions are large and soon done with; they serve one call at a time. */
static int calls_of(const char *names, int wanted, int devices) {
  bt_rescorer_info info;
  for (int k = 0; (info = bt_rescorer(names, k)).name != NULL; k++)
    if (!bt_rescorer_functions(info.name)->networks) return 1;
  return (wanted > 1 ? wanted : 1) * (devices > 1 ? devices : 1);
}

static bt_status list_devices(bt_rescoring *r, const char *opt_names, bt_error *opt_error) {
  if (opt_names == NULL) return BT_OK;
  for (const char *name = opt_names; *name != '\0'; name += *name == ',') {
    size_t size = strcspn(name, ",");
    BT_TRY(bt_text_list_add(&r->devices, (bt_span){name, size}, opt_error));
    name += size;
  }
  return BT_OK;
}

static bt_status open_one(bt_rescoring *r, const opened *of, int index, void **ret_self, bt_error *opt_error) {
  bt_rescore_setting *setting = &r->settings[index % r->n_receptors];
  int call = index / r->n_receptors;
  if (r->devices.count > 0) setting->opt_device = r->devices.items[call % r->devices.count];
  return of->type->open(of->info.name, setting, ret_self, opt_error);
}

static bt_status open_all(bt_rescoring *r, bt_error *opt_error) {
  size_t capacity = 0;
  for (bt_rescorer_info info; (info = bt_rescorer(r->names, r->count)).name != NULL; r->count++) {
    opened one = {.info = info, .type = bt_rescorer_functions(info.name)};
    if (!BT_GROW(r->rescorers, &capacity, r->count + 1)) return bt_fail_memory(opt_error);
    one.selves = bt_allocate((size_t)(r->calls * r->n_receptors), sizeof *one.selves);
    if (one.selves == NULL) return bt_fail_memory(opt_error);
    r->rescorers[r->count] = one;
    bt_status status = BT_OK;
    for (int i = 0; status == BT_OK && i < r->calls * r->n_receptors; i++)
      status = open_one(r, &one, i, &one.selves[i], opt_error);
    if (status == BT_OK) continue;
    r->count++; /* those that are open are closed */
    return status;
  }
  return BT_OK;
}

/* Each receptor of an ensemble has the setting; only its own poses are scored with it. */
static bt_status copy_setting(bt_rescoring *r, const bt_rescore_setting *setting, bt_error *opt_error) {
  const bt_molecule *const *receptors = setting->opt_receptors;
  r->n_receptors = receptors != NULL ? setting->n_boxes : 1;
  r->settings = bt_allocate((size_t)r->n_receptors, sizeof *r->settings);
  if (r->settings == NULL) return bt_fail_memory(opt_error);
  for (int i = 0; i < r->n_receptors; i++) {
    r->settings[i] = *setting;
    if (receptors != NULL) r->settings[i].receptor = receptors[i];
    r->settings[i].opt_receptors = NULL;
    r->settings[i].opt_networks = r->networks;
    r->settings[i].grid = &r->grid;
    r->settings[i].boxes = r->boxes;
  }
  return BT_OK;
}

/* Those of all receptors are the same. */
static char *hashes_of(const bt_rescoring *r) {
  for (int k = 0; k < r->count; k++)
    if (r->rescorers[k].type->opt_hashes != NULL) return r->rescorers[k].type->opt_hashes(r->rescorers[k].selves[0]);
  return bt_copy_text("", 0);
}

bt_status bt_rescoring_open(const char *names, const bt_rescore_setting *setting, bt_rescoring **ret_rescoring,
                            bt_error *opt_error) {
  *ret_rescoring = NULL;
  BT_TRY(bt_rescorers_check(names, NULL, opt_error));
  bt_rescoring *r = bt_allocate(1, sizeof *r);
  if (r == NULL) return bt_fail_memory(opt_error);
  pthread_mutex_init(&r->lock, NULL);
  pthread_cond_init(&r->returned, NULL);
  bt_status status = list_devices(r, setting->opt_device, opt_error);
  r->calls = calls_of(names, setting->calls, r->devices.count);
  r->taken = bt_allocate((size_t)r->calls, sizeof *r->taken);
  size_t boxes = (size_t)setting->n_boxes;
  r->names = bt_copy_text(names, strlen(names));
  r->boxes = bt_allocate(boxes, sizeof *r->boxes);
  r->grid = *setting->grid;
  bool chosen = setting->opt_networks != NULL && *setting->opt_networks != '\0';
  const char *networks = chosen ? setting->opt_networks : bt_networks_default();
  r->networks = bt_copy_text(networks, strlen(networks));
  bool made = r->names != NULL && r->networks != NULL && r->boxes != NULL && r->taken != NULL;
  if (status == BT_OK && !made) status = bt_fail_memory(opt_error);
  if (status == BT_OK && boxes > 0) memcpy(r->boxes, setting->boxes, boxes * sizeof *r->boxes);
  if (status == BT_OK) status = copy_setting(r, setting, opt_error);
  if (status == BT_OK) status = open_all(r, opt_error);
  if (status == BT_OK && (r->hashes = hashes_of(r)) == NULL) status = bt_fail_memory(opt_error);
  return BT_HAND_OVER(status, r, ret_rescoring, bt_rescoring_close);
}

void bt_rescoring_measure(bt_rescoring *r, const char *device, bt_busy *opt_busy) {
  for (int k = 0; k < r->count; k++)
    for (int i = 0; r->rescorers[k].type->opt_measure != NULL && i < r->calls * r->n_receptors; i++)
      r->rescorers[k].type->opt_measure(r->rescorers[k].selves[i], device, opt_busy);
}

int bt_rescoring_calls(const bt_rescoring *rescoring) { return rescoring->calls; }

const char *bt_rescoring_names(const bt_rescoring *rescoring) { return rescoring->names; }

const char *bt_rescoring_networks(const bt_rescoring *rescoring) {
  for (int k = 0; k < rescoring->count; k++)
    if (rescoring->rescorers[k].type->networks) return rescoring->networks;
  return "";
}

const char *bt_rescoring_network_hashes(const bt_rescoring *rescoring) { return rescoring->hashes; }

/* ---- 2. poses ---- */

/* The best pose of a cluster of rigid conformers as a ligand of its own, whose bonds turn: re-scorers have torsions. */
typedef struct turning {
  int owner; /* index of its result */
  bt_molecule *molecule;
  bt_ligand *ligand;
  bt_genotype genotype; /* the pose as it was docked */
  double *xyz;
  bt_rmsd *rmsd;
} turning;

typedef struct job {
  bt_rescoring *by;
  bt_rank_by by_rank;
  bt_result *const *results; /* [n] */
  int n;
  bt_error *errors;     /* [n] */
  bt_rescored **scores; /* [n * by->count] */
  bt_rescore_pose
      *poses; /* [n_poses] of one re-scorer; result is beyond n for those of rigid conformers, each by itself */
  int n_poses;
  turning *turning; /* [n_turning] of all results of rigid conformers that have no error, cluster by cluster */
  int n_turning;
  int call; /* whose re-scorers this one uses */
} job;

static const bt_run *leader_of(const bt_result *result, int cluster) {
  return &result->runs[result->clusters[cluster].leader];
}

/* A score of this name would be one of two. */
static bt_status check(const job *j, int i) {
  const bt_result *result = j->results[i];
  const char *docking =
      result->opt_rigid != NULL ? result->opt_rigid->engine : bt_scoring_name(result->ligand->scoring);
  for (int k = 0; k < j->by->count; k++) {
    const char *name = j->by->rescorers[k].info.name;
    bool known = strcmp(name, docking) == 0;
    for (int s = 0; s < result->n_rescored; s++) known = known || strcmp(result->rescored[s][0].name, name) == 0;
    if (known)
      return bt_fail(&j->errors[i], BT_ERR_USAGE, (bt_where){.file = result->ligand->molecule->path},
                     "name each re-scorer once, and not the docking's own function",
                     "the poses have already been scored by %s", name);
  }
  return BT_OK;
}

static void free_poses(job *j) {
  for (int p = 0; p < j->n_poses; p++) {
    free(j->poses[p].xyz);
    free(j->poses[p].values);
  }
  free(j->poses);
  j->poses = NULL;
  j->n_poses = 0;
}

/* Index of the result to which a pose belongs. */
static int owner_of(const job *j, const bt_rescore_pose *pose) {
  return pose->result < j->n ? pose->result : j->turning[pose->result - j->n].owner;
}

static turning *turning_of(const job *j, const bt_rescore_pose *pose) {
  return pose->result < j->n ? NULL : &j->turning[pose->result - j->n];
}

static void free_turning(job *j) {
  for (int t = 0; t < j->n_turning; t++) {
    turning *of = &j->turning[t];
    bt_rmsd_destroy(of->rmsd);
    free(of->xyz);
    bt_genotype_destroy(&of->genotype);
    bt_ligand_destroy(of->ligand);
    bt_molecule_destroy(of->molecule);
  }
  free(j->turning);
}

static bt_status turn(const bt_result *result, int cluster, turning *of, bt_error *error) {
  BT_TRY(bt_rigid_pose_prepare(result, cluster, &of->molecule, error));
  BT_TRY(bt_ligand_create_as(of->molecule, NULL, BT_SCORING_VINA, &of->ligand, error));
  BT_TRY(bt_genotype_create(of->ligand->n_torsions, &of->genotype, error));
  of->xyz = bt_allocate((size_t)of->ligand->n_atoms, 3 * sizeof *of->xyz);
  if (of->xyz == NULL) return bt_fail_memory(error);
  bt_genotype_identity(of->ligand, &of->genotype);
  bt_genotype_coordinates(of->ligand, &of->genotype, of->xyz);
  return bt_rmsd_create(of->molecule, BT_RMSD_GRAPH, false, &of->rmsd, error);
}

/* A ligand whose poses cannot be prepared has no scores. */
static bt_status turn_all(job *j, bt_error *opt_error) {
  size_t capacity = 0;
  for (int i = 0; i < j->n; i++) {
    const bt_result *result = j->results[i];
    for (int c = 0; result->opt_rigid != NULL && j->errors[i].status == BT_OK && c < result->n_clusters; c++) {
      if (!BT_GROW(j->turning, &capacity, j->n_turning + 1)) return bt_fail_memory(opt_error);
      j->turning[j->n_turning++] = (turning){.owner = i};
      bt_error reason;
      bt_status status = turn(result, c, &j->turning[j->n_turning - 1], &reason);
      if (status != BT_OK && !bt_status_concerns_ligand(status) && status != BT_ERR_USAGE) {
        if (opt_error != NULL) *opt_error = reason;
        return status;
      }
      if (status != BT_OK) j->errors[i] = reason;
    }
  }
  return BT_OK;
}

/* Copies the coordinates of the pose, and makes room for its values. */
static bt_status fill_pose(bt_rescore_pose *pose, const double *xyz, int n_values, bt_error *opt_error) {
  size_t size = 3 * (size_t)pose->ligand->n_atoms * sizeof(double);
  pose->xyz = malloc(size);
  pose->score = NAN;
  pose->values = bt_allocate((size_t)n_values, sizeof(double));
  if (pose->xyz == NULL || pose->values == NULL) return bt_fail_memory(opt_error);
  memcpy(pose->xyz, xyz, size);
  for (int v = 0; v < n_values; v++) pose->values[v] = NAN;
  return BT_OK;
}

static bt_status add_turning(job *j, int index, int n_values, bt_error *opt_error) {
  const turning *of = &j->turning[index];
  bt_rescore_pose *pose = &j->poses[j->n_poses++];
  *pose = (bt_rescore_pose){.ligand = of->ligand,
                            .result = j->n + index,
                            .torsional = j->results[of->owner]->options.torsional,
                            .genotype = &of->genotype,
                            .rest = NAN};
  return fill_pose(pose, of->xyz, n_values, opt_error);
}

static bt_status add_pose(job *j, int i, int cluster, int n_values, bt_error *opt_error) {
  const bt_result *result = j->results[i];
  const bt_run *run = leader_of(result, cluster);
  bt_rescore_pose *pose = &j->poses[j->n_poses++];
  *pose = (bt_rescore_pose){.ligand = result->ligand,
                            .conformer = run->conformer,
                            .result = i,
                            .box = run->site > 0 ? run->site - 1 : 0,
                            .torsional = result->options.torsional,
                            .variants = result->options.variants != BT_VARIANTS_NONE,
                            .genotype = &run->genotype,
                            .rest = bt_result_rank_rest(result, cluster, j->by_rank)};
  return fill_pose(pose, run->xyz, n_values, opt_error);
}

/* The best pose of every cluster of the results that have no error so far. */
static bt_status list_poses(job *j, const bt_rescorer_info *by, bt_error *opt_error) {
  size_t count = 0;
  for (int i = 0; i < j->n; i++) count += j->errors[i].status == BT_OK ? (size_t)j->results[i]->n_clusters : 0;
  j->poses = bt_allocate(count, sizeof *j->poses);
  if (j->poses == NULL) return bt_fail_memory(opt_error);
  for (int i = 0; i < j->n; i++) {
    const bt_result *result = j->results[i];
    for (int c = 0; j->errors[i].status == BT_OK && result->opt_rigid == NULL && c < result->n_clusters; c++)
      BT_TRY(add_pose(j, i, c, by->n_values, opt_error));
  }
  for (int t = 0; t < j->n_turning; t++)
    if (j->errors[j->turning[t].owner].status == BT_OK) BT_TRY(add_turning(j, t, by->n_values, opt_error));
  return BT_OK;
}

/* ---- 3. scores ---- */

/* opt_turning: the pose is of this ligand, and its minimum none of the result's. */
static bt_status keep_pose(const bt_result *result, const bt_run *run, const turning *opt_turning,
                           bt_rescore_pose *pose, bt_rescored *to, bt_error *opt_error) {
  to->score = pose->score;
  to->minimized = pose->minimized;
  to->has_energy = pose->has_energy;
  to->energy = pose->energy;
  to->values = pose->values;
  pose->values = NULL;
  to->reference_rmsd = run->reference_rmsd;
  if (!pose->minimized) return BT_OK;
  if (opt_turning != NULL) {
    to->reference_rmsd = NAN;
    return bt_rmsd_distance(opt_turning->rmsd, pose->xyz, opt_turning->xyz, &to->moved, opt_error);
  }
  to->xyz = pose->xyz;
  pose->xyz = NULL;
  if (result->reference_xyz != NULL)
    BT_TRY(bt_rmsd_distance(result->rmsd, to->xyz, result->reference_xyz, &to->reference_rmsd, opt_error));
  return bt_rmsd_distance(result->rmsd, to->xyz, run->xyz, &to->moved, opt_error);
}

static bt_status judge(const opened *by, const bt_ligand *ligand, const bt_rescore_pose *pose, bt_error *error) {
  if (pose->error.status != BT_OK) *error = pose->error;
  const char *missing = isfinite(pose->score) ? NULL : "score";
  for (int v = 0; missing == NULL && v < by->info.n_values; v++)
    if (!isfinite(pose->values[v])) missing = by->info.value_names[v];
  if (error->status != BT_OK || missing == NULL) return error->status;
  return bt_fail(error, BT_ERR_INPUT, (bt_where){.file = ligand->molecule->path}, "leave this re-scorer out",
                 "%s gives a pose no finite %s", by->info.name, missing);
}

static bt_status keep_poses(job *j, int k, bt_error *opt_error) {
  const opened *by = &j->by->rescorers[k];
  for (int p = 0, n; p < j->n_poses; p += n) {
    int i = owner_of(j, &j->poses[p]);
    const bt_result *result = j->results[i];
    n = result->n_clusters;
    bt_rescored *scores = bt_allocate((size_t)n, sizeof *scores);
    if (scores == NULL) return bt_fail_memory(opt_error);
    j->scores[i * j->by->count + k] = scores;
    for (int c = 0; c < n && judge(by, result->ligand, &j->poses[p + c], &j->errors[i]) == BT_OK; c++) {
      scores[c] = (bt_rescored){.name = by->info.name,
                                .title = by->info.title,
                                .unitless = by->info.unitless,
                                .n_values = by->info.n_values,
                                .value_names = by->info.value_names};
      BT_TRY(keep_pose(result, leader_of(result, c), turning_of(j, &j->poses[p + c]), &j->poses[p + c], &scores[c],
                       opt_error));
    }
  }
  return BT_OK;
}

/* The poses in each receptor of an ensemble by themselves, in their order. */
static bt_status score_poses(job *j, const opened *by, bt_error *opt_error) {
  if (j->n_poses == 0) return BT_OK;
  void **selves = by->selves + j->call * j->by->n_receptors;
  if (j->by->n_receptors == 1) return by->type->score(selves[0], j->poses, j->n_poses, opt_error);
  BT_SCOPED bt_rescore_pose *some = bt_allocate((size_t)j->n_poses, sizeof *some);
  if (some == NULL) return bt_fail_memory(opt_error);
  bt_status status = BT_OK;
  for (int i = 0; status == BT_OK && i < j->by->n_receptors; i++) {
    int n = 0;
    for (int p = 0; p < j->n_poses; p++)
      if (j->poses[p].box == i) some[n++] = j->poses[p];
    if (n > 0) status = by->type->score(selves[i], some, n, opt_error);
    for (int p = 0, k = 0; p < j->n_poses; p++)
      if (j->poses[p].box == i) j->poses[p] = some[k++];
  }
  return status;
}

static bt_status score_all(job *j, bt_error *opt_error) {
  for (int k = 0; k < j->by->count; k++) {
    const opened *by = &j->by->rescorers[k];
    bt_status status = list_poses(j, &by->info, opt_error);
    if (status == BT_OK) status = score_poses(j, by, opt_error);
    if (status == BT_OK) status = keep_poses(j, k, opt_error);
    free_poses(j);
    if (status != BT_OK) return status;
  }
  return BT_OK;
}

/* Waits until a call may run; which one it is. */
static int take_call(bt_rescoring *r) {
  int call = 0;
  pthread_mutex_lock(&r->lock);
  for (;;) {
    for (call = 0; call < r->calls && r->taken[call]; call++) continue;
    if (call < r->calls) break;
    pthread_cond_wait(&r->returned, &r->lock);
  }
  r->taken[call] = true;
  pthread_mutex_unlock(&r->lock);
  return call;
}

static void return_call(bt_rescoring *r, int call) {
  pthread_mutex_lock(&r->lock);
  r->taken[call] = false;
  pthread_cond_signal(&r->returned);
  pthread_mutex_unlock(&r->lock);
}

/* Hands the scores of a result over. */
static bt_status keep_scores(job *j, int i, bt_rank_by by, bt_error *opt_error) {
  for (int k = 0; k < j->by->count; k++) {
    bt_rescored **scores = &j->scores[i * j->by->count + k];
    BT_TRY(bt_result_add_scores(j->results[i], *scores, opt_error));
    *scores = NULL;
  }
  return bt_result_rank(j->results[i], by, opt_error);
}

bt_status bt_rescoring_apply(bt_rescoring *r, bt_result *const *results, int n, bt_rank_by by, bt_error *errors,
                             bt_error *opt_error) {
  job j = {.by = r, .by_rank = by, .results = results, .n = n, .errors = errors};
  for (int i = 0; i < n; i++) errors[i] = (bt_error){.status = BT_OK};
  for (int i = 0; i < n; i++) (void)check(&j, i);
  j.scores = bt_allocate((size_t)n * (size_t)r->count, sizeof *j.scores);
  if (j.scores == NULL) return bt_fail_memory(opt_error);
  bt_status status = turn_all(&j, opt_error);
  j.call = take_call(r);
  if (status == BT_OK) status = score_all(&j, opt_error);
  return_call(r, j.call);
  for (int i = 0; status == BT_OK && i < n; i++)
    if (errors[i].status == BT_OK) status = keep_scores(&j, i, by, opt_error);
  for (int s = 0; s < n * r->count; s++) bt_rescored_destroy(j.scores[s], results[s / r->count]->n_clusters);
  free(j.scores);
  free_turning(&j);
  return status;
}
