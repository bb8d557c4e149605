/* judge.c - what networks say of poses, and the order of poses by that. */
#include <berth/berth.h>
#include <stdlib.h>

#include "base/memory.h"
#include "gnina/gnina.h"

/* Of the affinities by all networks, around their mean. */
static double variance_of(const bt_network_score *each, int count, double mean) {
  double sum = 0.0;
  for (int k = 0; k < count; k++) sum += (each[k].affinity - mean) * (each[k].affinity - mean);
  return sum / count;
}

/* xyz: [n_poses] their coordinates. */
static bt_status ask(gnina_state *state, gnina_item *item, const bt_ligand *ligand, const double *const *xyz,
                     bt_error *error) {
  if (state->networks == NULL) return BT_OK;
  int n = item->n_poses, count = bt_networks_count(state->networks);
  BT_SCOPED bt_network_score *means = bt_allocate((size_t)n, sizeof *means);
  BT_SCOPED bt_network_score *each = bt_allocate((size_t)n * (size_t)count, sizeof *each);
  if (means == NULL || each == NULL) return bt_fail_memory(error);
  BT_TRY(bt_networks_score_poses(state->networks, ligand, xyz, n, means, each, error));
  for (int p = 0; p < n; p++) {
    item->poses[p].score = means[p];
    item->poses[p].variance = variance_of(each + (ptrdiff_t)p * count, count, means[p].affinity);
  }
  return BT_OK;
}

/* Falling scores; equal ones by energy, in whose order poses come. */
static int compare(const gnina_pose *a, const gnina_pose *b, double of_a, double of_b) {
  return of_a > of_b ? -1 : of_a < of_b ? 1 : a->index - b->index;
}

static int by_score(const void *a, const void *b) {
  const gnina_pose *p = a, *q = b;
  return compare(p, q, p->score.score, q->score.score);
}

static int by_affinity(const void *a, const void *b) {
  const gnina_pose *p = a, *q = b;
  return compare(p, q, p->score.affinity, q->score.affinity);
}

static bt_status make_room(gnina_item *item, int n, bt_error *error) {
  item->poses = bt_allocate((size_t)n, sizeof *item->poses);
  item->n_poses = n;
  return item->poses != NULL ? BT_OK : bt_fail_memory(error);
}

bt_status gnina_judge_result(gnina_state *state, gnina_item *item, const bt_result *result, bt_error *error) {
  const gnina_settings *s = &state->settings;
  int most = bt_result_written(result), n = 0;
  BT_SCOPED const double **xyz = bt_allocate((size_t)most, sizeof *xyz);
  if (xyz == NULL) return bt_fail_memory(error);
  BT_TRY(make_room(item, most, error));
  for (int at = 0; n < most && at < bt_result_pose_count(result); at++) {
    bt_run_summary run = bt_result_ranked(result, at);
    if (run.rank_in_cluster != 1) continue;
    xyz[n] = bt_result_coordinates(result, at);
    item->poses[n] = (gnina_pose){.index = n, .energy = run.energy.free_energy, .moved = run.reference_rmsd};
    n++;
  }
  item->n_poses = n;
  BT_TRY(ask(state, item, bt_result_ligand(result), xyz, error));
  if (s->order == GNINA_BY_SCORE) qsort(item->poses, (size_t)n, sizeof *item->poses, by_score);
  if (s->order == GNINA_BY_AFFINITY) qsort(item->poses, (size_t)n, sizeof *item->poses, by_affinity);
  if (item->n_poses > s->num_modes && !s->given) item->n_poses = s->num_modes;
  return BT_OK;
}

bt_status gnina_judge_given(gnina_state *state, gnina_item *item, const bt_ligand *ligand, double energy,
                            bt_error *error) {
  BT_TRY(make_room(item, 1, error));
  item->poses[0] = (gnina_pose){.energy = energy};
  if (state->networks == NULL) return BT_OK;
  int count = bt_networks_count(state->networks);
  BT_SCOPED bt_network_score *each = bt_allocate((size_t)count, sizeof *each);
  if (each == NULL) return bt_fail_memory(error);
  BT_TRY(bt_networks_score(state->networks, ligand, NULL, &item->poses[0].score, each, error));
  item->poses[0].variance = variance_of(each, count, item->poses[0].score.affinity);
  return BT_OK;
}
