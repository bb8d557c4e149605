/* test_networks.c - networks of random weights on every back end of this machine, against layers in double precision:
 * within the errors of each kind of products, and the same bits whatever else is in the call. */
#include <math.h>

#include "backend/backend.h"
#include "engine/lga/device/devices.h"
#include "kernel/cnn/launch.h"
#include "network_layout.h"
#include "rescore/cnn/scorer.h"
#include "rescore/cnn/weights/architecture.h"
#include "unit/support.h"

enum { ARCHITECTURES = 2, POSES = 3, PAIR = 2, MOST_SITES = 300, OUTPUTS = 3 };

static double uniform(unsigned int *seed, double low, double high) {
  *seed = *seed * 1664525u + 1013904223u;
  return low + (high - low) * (double)(*seed >> 8) / 16777216.0;
}

/* ---- what is computed ---- */

static bool ends_with(const char *text, const char *end) {
  size_t n = strlen(text), size = strlen(end);
  return n >= size && strcmp(text + n - size, end) == 0;
}

/* Numbers that keep activations near one: those of the grid are mostly small, and the outputs are sums of both signs.
 */
static double largest_weight(const network_layout *layout, int t) {
  double inputs = (double)layout->sizes[t] / layout->shapes[t][0];
  if (layout->ranks[t] < 5) return 5 * sqrt(3 / inputs);
  return (layout->shapes[t][1] == 28 ? 3 : 1) * sqrt(6 / inputs);
}

/* Inputs of a filter whose weights have decayed during training, as in the networks of gnina. */
static bool is_decayed(const network_layout *layout, int t, int i) {
  const int *shape = layout->shapes[t];
  return layout->ranks[t] == 5 && shape[1] > 28 && i / (shape[2] * shape[3] * shape[4]) % shape[1] % 5 == 1;
}

static void fill_tensor(const network_layout *layout, int t, unsigned int *seed, float *values) {
  const char *name = layout->names[t];
  bool factor = ends_with(name, "running_var") || (strstr(name, "batchnorm") != NULL && ends_with(name, "weight"));
  double high = factor ? 1.5 : layout->ranks[t] > 1 ? largest_weight(layout, t) : 0.1;
  for (int i = 0; i < layout->sizes[t]; i++) values[i] = (float)uniform(seed, factor ? 0.5 : -high, high);
  for (int i = 0; i < layout->sizes[t]; i++) values[i] *= is_decayed(layout, t, i) ? 1e-40f : 1.0f;
}

static bt_cnn_weights *random_network(bt_cnn_architecture architecture, unsigned int seed) {
  network_layout layout = architecture == BT_CNN_DENSE ? layout_dense() : layout_default2018();
  bt_cnn_view views[LAYOUT_MOST];
  float *values[LAYOUT_MOST];
  bt_cnn_weights *weights;
  bt_error error;
  for (int t = 0; t < layout.count; t++) {
    values[t] = calloc((size_t)layout.sizes[t], sizeof *values[t]);
    assert_non_null(values[t]);
    fill_tensor(&layout, t, &seed, values[t]);
    views[t] = (bt_cnn_view){.name = bt_span_from(layout.names[t]),
                             .rank = layout.ranks[t],
                             .size = (size_t)layout.sizes[t],
                             .bytes = (const char *)values[t]};
    memcpy(views[t].shape, layout.shapes[t], sizeof views[t].shape);
  }
  support_ok(bt_cnn_build("random", "random", "made up", views, layout.count, &weights, &error), &error);
  assert_int_equal(weights->architecture, architecture);
  for (int t = 0; t < layout.count; t++) free(values[t]);
  return weights;
}

/* A ligand in a shell of receptor atoms, some of them without a channel and some beyond the grid. */
static bt_cnn_pose random_pose(int n_ligand, int n_receptor, unsigned int seed, bt_cnn_site *sites) {
  bt_cnn_pose pose = {.sites = sites, .n_sites = n_ligand + n_receptor};
  for (int k = 0; k < 3; k++) pose.center[k] = uniform(&seed, -40, 40);
  for (int i = 0; i < pose.n_sites; i++) {
    double reach = i < n_ligand ? 6 : 15;
    sites[i].channel = uniform(&seed, 0, 1) < 0.1 ? -1 : (i < n_ligand ? 14 : 0) + (int)uniform(&seed, 0, 14);
    sites[i].radius = uniform(&seed, 1.2, 2.2);
    for (int k = 0; k < 3; k++) sites[i].x[k] = pose.center[k] + uniform(&seed, -reach, reach);
  }
  return pose;
}

/* Poses for which double precision is awaited, by architecture: dense takes a second. */
static const int compared[ARCHITECTURES] = {[BT_CNN_DEFAULT2018] = PAIR, [BT_CNN_DENSE] = 1};

typedef struct scene {
  bt_cnn_weights *networks[ARCHITECTURES];
  bt_cnn_site sites[POSES][MOST_SITES];
  bt_cnn_pose poses[POSES];
  double expected[PAIR][ARCHITECTURES][OUTPUTS];
} scene;

/* Poses differ in the channels that they have. */
static int open_scene(void **state) {
  static const int ligand[POSES] = {25, 4, 1}, receptor[POSES] = {270, 0, 150};
  scene *s = calloc(1, sizeof *s);
  bt_error error;
  assert_non_null(s);
  for (int a = 0; a < ARCHITECTURES; a++)
    s->networks[a] = random_network((bt_cnn_architecture)a, 101 + (unsigned int)a);
  for (int p = 0; p < POSES; p++) {
    s->poses[p] = random_pose(ligand[p], receptor[p], 7 + (unsigned int)p, s->sites[p]);
    s->sites[p][0].channel = 20; /* one at least */
  }
  s->sites[0][1] = (bt_cnn_site){.channel = 17, .radius = 1.9}; /* on a point of the grid */
  for (int k = 0; k < 3; k++) s->sites[0][1].x[k] = s->poses[0].center[k] + 0.25;
  for (int a = 0; a < ARCHITECTURES; a++)
    for (int p = 0; p < compared[a]; p++)
      support_ok(bt_cnn_twin(s->networks[a], &s->poses[p], s->expected[p][a], &error), &error);
  *state = s;
  return 0;
}

static int close_scene(void **state) {
  scene *s = *state;
  for (int a = 0; a < ARCHITECTURES; a++) bt_cnn_weights_destroy(s->networks[a]);
  free(s);
  return 0;
}

/* ---- scorers ---- */

/* NULL: the device has no such products. */
static bt_cnn_scorer *open_scorer(const scene *s, int first, int count, bt_cnn_device device) {
  bt_cnn_scorer *scorer;
  bt_error error;
  bt_status status =
      bt_cnn_scorer_open((const bt_cnn_weights *const *)s->networks + first, count, &device, &scorer, &error);
  if (status == BT_ERR_LIMIT && device.products != BT_CNN_SINGLE) return NULL;
  support_ok(status, &error);
  assert_string_equal(bt_cnn_scorer_device(scorer), device.opt_name);
  if (device.products != BT_CNN_QUICKEST) assert_int_equal(bt_cnn_scorer_products(scorer), device.products);
  assert_true(bt_cnn_scorer_batch(scorer) > 0);
  return scorer;
}

static void run(bt_cnn_scorer *scorer, int first, int end, const bt_cnn_pose *poses, int n, bt_cnn_output *outputs) {
  bt_error error;
  support_ok(bt_cnn_scorer_run(scorer, (bt_cnn_range){first, end}, poses, n, outputs, &error), &error);
}

static double deviation(const scene *s, const bt_cnn_output *outputs) {
  double worst = 0;
  for (int a = 0; a < ARCHITECTURES; a++)
    for (int p = 0; p < compared[a]; p++) {
      const bt_cnn_output *o = &outputs[p * ARCHITECTURES + a];
      const double mine[OUTPUTS] = {(double)o->logits[0], (double)o->logits[1], (double)o->affinity};
      for (int k = 0; k < OUTPUTS; k++) {
        double expected = s->expected[p][a][k];
        worst = isfinite(mine[k]) ? fmax(worst, fabs(mine[k] - expected) / fmax(1, fabs(expected))) : INFINITY;
      }
    }
  return worst;
}

/* A pose by each network alone, beside or after another pose, on other numbers of threads. */
static void other_calls(const scene *s, bt_cnn_device device, const bt_cnn_output *outputs) {
  static const struct {
    bt_cnn_architecture network;
    int threads;
  } calls[] = {{BT_CNN_DEFAULT2018, 1}, {BT_CNN_DEFAULT2018, 3}, {BT_CNN_DENSE, 3}};
  const bt_cnn_pose poses[] = {s->poses[2], s->poses[0]};
  for (size_t k = 0; k < sizeof calls / sizeof *calls; k++) {
    device.threads = calls[k].threads;
    bt_cnn_scorer *single = open_scorer(s, (int)calls[k].network, 1, device);
    bt_cnn_output again[2];
    run(single, 0, 1, poses, 2, again);
    assert_memory_equal(&again[1], &outputs[calls[k].network], sizeof *outputs);
    bt_cnn_scorer_close(single);
  }
}

static const struct {
  const char *name;
  int products;
  double tolerance;
} kinds[] = {{"single precision", BT_CNN_SINGLE, 1e-5},
             {"TF32, three products", BT_CNN_TF32_EC, 1e-5},
             {"BF16, three products", BT_CNN_BF16_3, 1e-4},
             {"TF32", BT_CNN_TF32, 1e-2},
             {"FP16", BT_CNN_FP16, 1e-2}};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* False: the device has no such products. */
static bool check(const scene *s, const char *name, int k) {
  const bt_cnn_device device = {name, 2, kinds[k].products, 1};
  bt_cnn_output outputs[PAIR * ARCHITECTURES];
  bt_cnn_scorer *scorer = open_scorer(s, 0, ARCHITECTURES, device);
  if (scorer == NULL) return false;
  run(scorer, 0, ARCHITECTURES, s->poses, PAIR, outputs);
  double worst = deviation(s, outputs);
  print_message("%s, %s: off by %.2g\n", name, kinds[k].name, worst);
  if (!(worst < kinds[k].tolerance)) fail_msg("%s, %s: off by %g", name, kinds[k].name, worst);
  other_calls(s, device, outputs);
  bt_cnn_output one_by_one[PAIR * ARCHITECTURES];
  for (int a = ARCHITECTURES - 1; a >= 0; a--) run(scorer, a, a + 1, s->poses, PAIR, one_by_one);
  assert_memory_equal(one_by_one, outputs, sizeof outputs);
  bt_cnn_scorer_close(scorer);
  return true;
}

static void outputs_are_those_of_double_precision(void **state) {
  for (int b = 0; b < bt_backend_count(); b++) {
    const bt_backend *backend = bt_backend_get(b);
    if (!bt_device_describe(backend).usable) continue;
    bool found[KINDS]; /* by products */
    for (int k = 0; k < KINDS; k++) found[kinds[k].products] = check(*state, backend->name, k);
    assert_true(found[BT_CNN_SINGLE]);
    bt_cnn_scorer *quickest = open_scorer(*state, 0, 1, (bt_cnn_device){backend->name, 2, BT_CNN_QUICKEST, 1});
    assert_int_equal(bt_cnn_scorer_products(quickest), found[BT_CNN_BF16_3] ? BT_CNN_BF16_3 : BT_CNN_SINGLE);
    bt_cnn_scorer_close(quickest);
  }
}

/* Outputs of order one that differ, so that an error of a weight or an atom would show. */
static void the_scene_tells_errors(void **state) {
  const scene *s = *state;
  for (int k = 0; k < OUTPUTS; k++) {
    double one = s->expected[0][BT_CNN_DEFAULT2018][k], two = s->expected[1][BT_CNN_DEFAULT2018][k];
    double dense = s->expected[0][BT_CNN_DENSE][k];
    print_message("output %d: %.3f and %.3f, dense %.3f\n", k, one, two, dense);
    assert_true(fabs(one - two) > 0.01 && fabs(dense) > 1 && fabs(dense) < 20);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_scene_tells_errors),
      cmocka_unit_test(outputs_are_those_of_double_precision),
  };
  return cmocka_run_group_tests(tests, open_scene, close_scene);
}
