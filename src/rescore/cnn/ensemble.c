/* ensemble.c - see ensemble.h. */
#include "rescore/cnn/ensemble.h"

#include <berth/networks.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text/text.h"

/* The first is the default. gnina: the ensemble of gnina 1.0 (McNutt et al., 2021), whose order of networks this is.
 * staged: the same, but first only the one that ranks poses best among the small ones; fast: the small ones
 * (docs/networks.md). */
typedef struct named {
  const char *name, *networks;
  int of_all_poses; /* 0: all */
} named;
static const named ensembles[] = {
    {"staged", "redock_default2018_2,crossdock_default2018,general_default2018_3,dense,dense_3", 1},
    {"fast", "crossdock_default2018,general_default2018_3,redock_default2018_2", 0},
    {"gnina", "dense,general_default2018_3,dense_3,crossdock_default2018,redock_default2018_2", 0},
};

const char *bt_networks_default(void) { return ensembles[0].name; }

static const named *find_ensemble(bt_span name) {
  for (size_t k = 0; k < sizeof ensembles / sizeof *ensembles; k++)
    if (bt_span_equals(name, ensembles[k].name)) return &ensembles[k];
  return NULL;
}

static const char *ensemble_of(bt_span name) {
  const named *found = find_ensemble(name);
  return found != NULL ? found->networks : NULL;
}

static bool is_file(const char *name) {
  size_t n = strlen(name);
  return strchr(name, '/') != NULL || (n > 3 && strcmp(name + n - 3, ".pt") == 0) ||
         (n > 4 && strcmp(name + n - 4, ".btn") == 0);
}

static bool is_installed(const char *name) {
  char folder[4096];
  bool found = is_file(name) && access(name, R_OK) == 0;
  for (int k = 0; !found && !is_file(name) && bt_networks_folder(k, folder, sizeof folder); k++) {
    char path[sizeof folder + 256];
    snprintf(path, sizeof path, "%s/%s.btn", folder, name);
    found = access(path, R_OK) == 0;
  }
  return found;
}

static bool all_installed(const char *names, bool words) {
  bool all = true;
  for (size_t size; all && *names != '\0'; names += size + (names[size] == ',')) {
    size = strcspn(names, ",");
    const char *listed = words ? ensemble_of((bt_span){names, size}) : NULL;
    BT_SCOPED char *name = bt_copy_text(names, size);
    all = name != NULL && (listed != NULL ? all_installed(listed, false) : is_installed(name));
  }
  return all;
}

bool bt_networks_installed(const char *opt_names) {
  return all_installed(opt_names != NULL && *opt_names != '\0' ? opt_names : bt_networks_default(), true);
}

static bt_status add_network(bt_cnn_ensemble *to, const char *name, bt_error *opt_error) {
  size_t capacity = (size_t)to->count;
  bt_cnn_weights *weights;
  BT_TRY(is_file(name) ? bt_cnn_weights_read(name, &weights, opt_error)
                       : bt_cnn_weights_find(name, &weights, opt_error));
  bool twice = false;
  for (int k = 0; k < to->count; k++) twice = twice || strcmp(to->networks[k]->name, weights->name) == 0;
  if (!twice && BT_APPEND(to->networks, to->count, &capacity, weights)) return BT_OK;
  bt_cnn_weights_destroy(weights);
  if (!twice) return bt_fail_memory(opt_error);
  return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "name each network once", "the network %s is given twice", name);
}

static bt_status add_names(bt_cnn_ensemble *to, const char *names, bool words, bt_error *opt_error) {
  for (size_t size; *names != '\0'; names += size + (names[size] == ',')) {
    size = strcspn(names, ",");
    if (size == 0) return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "remove a comma", "a network has no name");
    const char *listed = words ? ensemble_of((bt_span){names, size}) : NULL;
    BT_SCOPED char *name = bt_copy_text(names, size);
    if (name == NULL) return bt_fail_memory(opt_error);
    BT_TRY(listed != NULL ? add_names(to, listed, false, opt_error) : add_network(to, name, opt_error));
  }
  return BT_OK;
}

bt_status bt_cnn_ensemble_open(const char *opt_names, bt_cnn_ensemble *ret_ensemble, bt_error *opt_error) {
  *ret_ensemble = (bt_cnn_ensemble){0};
  const char *names = opt_names != NULL && *opt_names != '\0' ? opt_names : bt_networks_default();
  bt_status status = add_names(ret_ensemble, names, true, opt_error);
  if (status == BT_OK && ret_ensemble->count == 0)
    status = bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "name a network", "'%s' names no network", names);
  const named *whole = find_ensemble((bt_span){names, strlen(names)});
  bool staged = whole != NULL && whole->of_all_poses > 0;
  ret_ensemble->of_all_poses = staged ? whole->of_all_poses : ret_ensemble->count;
  if (status != BT_OK) bt_cnn_ensemble_close(ret_ensemble);
  return status;
}

void bt_cnn_ensemble_close(bt_cnn_ensemble *ensemble) {
  for (int k = 0; k < ensemble->count; k++) bt_cnn_weights_destroy(ensemble->networks[k]);
  free(ensemble->networks);
  *ensemble = (bt_cnn_ensemble){0};
}

double bt_cnn_score(const bt_cnn_output *output) {
  return 1.0 / (1.0 + exp((double)output->logits[0] - (double)output->logits[1]));
}

void bt_cnn_means(const bt_cnn_output *outputs, int count, double *ret_score, double *ret_affinity) {
  *ret_score = *ret_affinity = 0.0;
  for (int k = 0; k < count; k++) {
    *ret_score += bt_cnn_score(&outputs[k]) / count;
    *ret_affinity += (double)outputs[k].affinity / count;
  }
}

double bt_cnn_log_odds_against(double score) {
  const double least = 1e-12; /* no network is as sure as that */
  double p = fmin(fmax(score, least), 1.0 - least);
  return log((1.0 - p) / p);
}
