/* rescorer.c - convolutional networks as a re-scorer: poses stay where they are. See rescore/rescorer.h.
 *
 * The score is -ln(p / (1 - p)) of the probability p that the pose is right, the mean over the networks. With
 * --rank-by sum it is added to the docking's energy in kcal/mol.
 */
#include <inttypes.h>
#include <math.h>

#include "base/memory.h"
#include "base/text/text.h"
#include "base/vector.h"
#include "rescore/cnn/judge.h"
#include "rescore/rescorer.h"

static bt_status open(const char *name, const bt_rescore_setting *setting, void **ret_self, bt_error *opt_error) {
  (void)name;
  const bt_network_setting networks = {.opt_names = setting->opt_networks,
                                       .receptor = setting->receptor,
                                       .opt_flexible = setting->opt_flexible,
                                       .opt_device = setting->opt_device,
                                       .threads = setting->threads,
                                       .sharers = setting->calls};
  bt_networks *opened;
  BT_TRY(bt_networks_open(&networks, &opened, opt_error));
  *ret_self = opened;
  return BT_OK;
}

/* ---- Scores ---- */

typedef struct scores {
  bt_networks *networks;
  bt_rescore_pose *poses; /* [n] */
  bt_cnn_view *views;     /* [n], of the poses */
  bt_cnn_view *some;      /* [n], those to be judged */
  bool *final;            /* [n] all networks have scored the pose */
  int n;
} scores;

/* All networks score poses at most this far from the best, kcal/mol, and at least this far from a better one, Angstrom.
 * The first pose is right in as many of 694 dockings as if all scored all poses; a screen, which wants the score of the
 * best pose, enriches as well with fewer (docs/decisions/030-staged-networks.md). */
static const double margin_of_docking = 1.5, margin_of_screen = 0.5, same_pose = 1.0;

static double margin_of(const bt_rescore_pose *pose) { return pose->variants ? margin_of_docking : margin_of_screen; }

static double sum_of(const bt_rescore_pose *pose) { return pose->rest + pose->score; }

/* The means of the networks from the first one. */
static void set_score(scores *s, int p, int networks) {
  bt_rescore_pose *pose = &s->poses[p];
  if (pose->error.status != BT_OK) return;
  bt_cnn_means(s->views[p].outputs, networks, &pose->values[0], &pose->values[1]);
  pose->score = bt_cnn_log_odds_against(pose->values[0]);
}

/* In place, of all atoms of the ligand. */
static double rmsd_of(const bt_rescore_pose *a, const bt_rescore_pose *b) {
  double sum = 0;
  int n = a->ligand->n_ligand_atoms;
  for (int i = 0; i < n; i++) sum += bt_v3_distance2(a->xyz + (ptrdiff_t)3 * i, b->xyz + (ptrdiff_t)3 * i);
  return sqrt(sum / n);
}

/* Is there a better pose of the result, with poses [first, end), next to this one? */
static bool has_better_neighbor(const scores *s, int first, int end, int k) {
  for (int p = first; p < end; p++)
    if (sum_of(&s->poses[p]) < sum_of(&s->poses[k]) && rmsd_of(&s->poses[p], &s->poses[k]) < same_pose) return true;
  return false;
}

/* Lists poses of each result that may be its best one and were not scored by all networks: within the margin of the
 * best - again: the best itself - and not next to a better one. All, if the order is not that of a sum. */
static int list_candidates(scores *s, bool again) {
  int count = 0;
  for (int p = 0, end; p < s->n; p = end) {
    double best = INFINITY, margin = again ? 0.0 : margin_of(&s->poses[p]);
    for (end = p; end < s->n && s->poses[end].result == s->poses[p].result; end++)
      if (s->poses[end].error.status == BT_OK) best = fmin(best, sum_of(&s->poses[end]));
    for (int k = p; k < end; k++) {
      bool out = s->poses[k].error.status != BT_OK || sum_of(&s->poses[k]) > best + margin;
      if (out || s->final[k] || has_better_neighbor(s, p, end, k)) continue;
      s->some[count++] = s->views[k];
      s->final[k] = true;
    }
  }
  return count;
}

/* The first networks score all poses, the others those that may be the best. If these lose, the new best is scored by
 * all networks, too, until the best pose is one that all have scored. */
static bt_status score_all(scores *s, bt_error *opt_error) {
  int all = bt_networks_count(s->networks), first = bt_networks_of_all_poses(s->networks);
  BT_TRY(bt_networks_judge(s->networks, (bt_cnn_range){0, first}, s->views, s->n, opt_error));
  for (int p = 0; p < s->n; p++) set_score(s, p, first);
  bool again = false;
  for (int count; first < all && (count = list_candidates(s, again)) > 0; again = true) {
    BT_TRY(bt_networks_judge(s->networks, (bt_cnn_range){first, all}, s->some, count, opt_error));
    for (int p = 0; p < s->n; p++) set_score(s, p, s->final[p] ? all : first);
  }
  return BT_OK;
}

static bt_status score(void *self, bt_rescore_pose *poses, int n, bt_error *opt_error) {
  scores s = {.networks = self, .poses = poses, .n = n};
  int each = bt_networks_count(self);
  BT_ENDED_BY(bt_arena_destroy) bt_arena arena = {0};
  bt_cnn_output *outputs;
  BT_NEW(&arena, outputs, n * each);
  BT_NEW(&arena, s.views, n);
  BT_NEW(&arena, s.some, n);
  BT_NEW(&arena, s.final, n);
  BT_TRY(bt_arena_status(&arena, opt_error));
  for (int p = 0; p < n; p++)
    s.views[p] = (bt_cnn_view){poses[p].ligand, poses[p].xyz, outputs + (ptrdiff_t)p * each, &poses[p].error};
  return score_all(&s, opt_error);
}

static void close(void *self) { bt_networks_close(self); }

static void measure(void *self, const char *device, bt_busy *opt_busy) { bt_networks_measure(self, device, opt_busy); }

static char *hashes(const void *self) {
  bt_text text = {0};
  char *list = NULL;
  for (int k = 0; k < bt_networks_count(self); k++)
    bt_text_printf(&text, "%s%s:%016" PRIx64, k > 0 ? "," : "", bt_networks_name(self, k), bt_networks_hash(self, k));
  return bt_text_take(&text, &list, NULL) == BT_OK ? list : NULL;
}

static const char *const values[] = {"CNNscore", "CNNaffinity", NULL};

const bt_rescorer_type bt_rescorer_of_networks; /* for the registry */
const bt_rescorer_type bt_rescorer_of_networks = {.open = open,
                                                  .score = score,
                                                  .close = close,
                                                  .opt_hashes = hashes,
                                                  .opt_values = values,
                                                  .opt_measure = measure,
                                                  .networks = true,
                                                  .unitless = true};
