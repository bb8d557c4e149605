/* plan.c - see plan.h. */
#include "rescore/cnn/plan.h"

#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "rescore/cnn/plan_matrix.h"

/* ---- 1. Weights ---- */

static float *add_floats(bt_cnn_plan *plan, size_t count, bt_cnn_offset *ret_at) {
  size_t rounded = (count + BT_CNN_GROUP - 1) / BT_CNN_GROUP * BT_CNN_GROUP; /* vectors are aligned */
  float *grown = realloc(plan->weights, (plan->n_weights + rounded) * sizeof *grown);
  if (grown == NULL) return NULL;
  plan->weights = grown;
  *ret_at = (bt_cnn_offset)plan->n_weights;
  memset(grown + plan->n_weights, 0, rounded * sizeof *grown);
  plan->n_weights += rounded;
  return grown + *ret_at;
}

static const bt_cnn_tensor *tensor(const bt_cnn_weights *weights, const char *layer, const char *what) {
  char name[96];
  snprintf(name, sizeof name, "%s.%s", layer, what);
  return bt_cnn_tensor_of(weights, name);
}

/* Of the input channels: scale x + shift. */
typedef struct normalization {
  double *scale, *shift; /* [n_in] */
} normalization;

static void destroy(normalization *norm) {
  free(norm->scale);
  free(norm->shift);
}

/* Without a layer: nothing is normalized. PyTorch's default epsilon. */
static bool make(const bt_cnn_weights *weights, const char *opt_layer, int n_in, normalization *ret_norm) {
  ret_norm->scale = bt_allocate((size_t)n_in, sizeof *ret_norm->scale);
  ret_norm->shift = bt_allocate((size_t)n_in, sizeof *ret_norm->shift);
  if (ret_norm->scale == NULL || ret_norm->shift == NULL) return false;
  for (int in = 0; in < n_in; in++) ret_norm->scale[in] = 1.0;
  if (opt_layer == NULL) return true;
  const float *weight = tensor(weights, opt_layer, "weight")->values, *bias = tensor(weights, opt_layer, "bias")->values;
  const float *mean = tensor(weights, opt_layer, "running_mean")->values;
  const float *variance = tensor(weights, opt_layer, "running_var")->values;
  for (int in = 0; in < n_in; in++) {
    ret_norm->scale[in] = weight[in] / sqrt(variance[in] + 1e-5);
    ret_norm->shift[in] = bias[in] - mean[in] * ret_norm->scale[in];
  }
  return true;
}

/* Whether a tap along one axis reads a voxel: edge 0: the first voxel, 1: inside, 2: the last. */
static bool reads(int edge, int tap) { return !(edge == 0 && tap == 0) && !(edge == 2 && tap == 2); }

/* What the shifts add to an output, for each of the 27 kinds of voxels at edges. */
static void add_edge_biases(const bt_cnn_tensor *filter, const normalization *norm, int out, double sums[27]) {
  double by_tap[27] = {0};
  for (int in = 0; in < filter->shape[1]; in++)
    for (int tap = 0; tap < 27; tap++)
      by_tap[tap] += norm->shift[in] * (double)filter->values[(out * filter->shape[1] + in) * 27 + tap];
  for (int kind = 0; kind < 27; kind++)
    for (int tap = 0; tap < 27; tap++)
      if (reads(kind / 9, tap / 9) && reads(kind / 3 % 3, tap / 3 % 3) && reads(kind % 3, tap % 3))
        sums[kind] += by_tap[tap];
}

/* ---- 2. Layers ---- */

/* Weight decay during training left up to 41 % of a network's weights below 1e-12, some at 1e-42. They do not affect
 * the score, but products with subnormal numbers are many times slower on Intel's processors. Weights below the first
 * limit are set to zero; an input whose weights are all below the second is skipped. */
static const double least_weight = 1e-15;
static const float least_input = 1e-9f;

static float flushed(double weight) { return fabs(weight) < least_weight ? 0.0f : (float)weight; }

/* Lists the inputs of a filter [out][in][tap] that are not skipped, unless these are all. */
static bool list_ranges(bt_cnn_plan *plan, const float *filter, bt_cnn_launch *launch) {
  int taps = launch->taps * launch->taps * launch->taps, count = 0, end = -1;
  BT_SCOPED bt_cnn_extent *ranges = bt_allocate((size_t)launch->n_in, sizeof *ranges);
  if (ranges == NULL) return false;
  for (int in = 0; in < launch->n_in; in++) {
    float largest = 0.0f;
    for (int out = 0; out < launch->n_out; out++)
      for (int tap = 0; tap < taps; tap++)
        largest = fmaxf(largest, fabsf(filter[(out * launch->n_in + in) * taps + tap]));
    if (largest < least_input) continue;
    if (in != end) ranges[count++] = (bt_cnn_extent){in, 0};
    ranges[count - 1].count++;
    end = in + 1;
  }
  if (count == 1 && ranges[0].count == launch->n_in) return true;
  size_t bytes = (size_t)count * sizeof *ranges;
  float *list = add_floats(plan, bytes / sizeof *list, &launch->ranges);
  if (list == NULL) return false;
  memcpy(list, ranges, bytes);
  launch->n_ranges = count;
  return true;
}

/* The filter with the scales of its inputs, [out][in][tap], in the kernels' order. */
static bool add_weights(bt_cnn_plan *plan, const float *filter, bt_cnn_launch *launch) {
  int n_out = launch->n_out, n_in = launch->n_in, taps = launch->taps * launch->taps * launch->taps;
  if (plan->products != BT_CNN_SINGLE) {
    float *words = add_floats(plan, bt_cnn_matrix_words(plan->products, n_out, n_in, taps), &launch->weights);
    if (words != NULL) bt_cnn_matrix_pack(plan->products, filter, n_out, n_in, taps, (unsigned int *)(void *)words);
    return words != NULL;
  }
  float *packed = add_floats(plan, (size_t)(n_out * n_in * taps), &launch->weights);
  for (int out = 0; packed != NULL && out < n_out; out++)
    for (int in = 0; in < n_in; in++)
      for (int tap = 0; tap < taps; tap++)
        packed[((out / BT_CNN_GROUP * taps + tap) * n_in + in) * BT_CNN_GROUP + out % BT_CNN_GROUP] =
            filter[(out * n_in + in) * taps + tap];
  return packed != NULL;
}

static bool add_filter(bt_cnn_plan *plan, const bt_cnn_tensor *filter, const bt_cnn_tensor *bias,
                       const normalization *norm, bt_cnn_launch *launch) {
  int n_out = launch->n_out, n_in = launch->n_in, taps = launch->taps * launch->taps * launch->taps;
  BT_SCOPED float *scaled = bt_allocate(filter->size, sizeof *scaled);
  if (scaled == NULL) return false;
  for (size_t i = 0; i < filter->size; i++)
    scaled[i] = flushed(norm->scale[i / (size_t)taps % (size_t)n_in] * filter->values[i]);
  bool good = add_weights(plan, scaled, launch);
  if (good && plan->products == BT_CNN_SINGLE) good = list_ranges(plan, scaled, launch);
  float *biases = good ? add_floats(plan, (size_t)(launch->n_biases * n_out), &launch->bias) : NULL;
  for (int out = 0; biases != NULL && out < n_out; out++) {
    double sums[27] = {0};
    if (launch->n_biases > 1) add_edge_biases(filter, norm, out, sums);
    for (int kind = 0; kind < launch->n_biases; kind++)
      biases[kind * n_out + out] = flushed((double)bias->values[out] + sums[kind]);
  }
  return biases != NULL;
}

static bool add_convolution(bt_cnn_plan *plan, const bt_cnn_weights *weights, const char *name, const char *opt_norm,
                            int from, int to, int first_out) {
  const bt_cnn_tensor *filter = tensor(weights, name, "weight"), *bias = tensor(weights, name, "bias");
  bt_cnn_layer *layer = &plan->layers[plan->n_layers++];
  *layer = (bt_cnn_layer){.kernel = BT_CNN_CONVOLVE, .from = from, .to = to};
  layer->launch = (bt_cnn_launch){.n_in = filter->shape[1],
                                  .all_in = filter->shape[1],
                                  .n_out = filter->shape[0],
                                  .first_out = first_out,
                                  .taps = filter->shape[2],
                                  .channels = -1,
                                  .n_biases = opt_norm != NULL ? 27 : 1};
  normalization norm = {0};
  bool ok = make(weights, opt_norm, filter->shape[1], &norm) && add_filter(plan, filter, bias, &norm, &layer->launch);
  destroy(&norm);
  return ok;
}

static bool add_pool(bt_cnn_plan *plan, int from, int to, int channels) {
  bt_cnn_layer *layer = &plan->layers[plan->n_layers++];
  *layer = (bt_cnn_layer){.kernel = BT_CNN_POOL, .from = from, .to = to};
  layer->launch.n_in = channels;
  layer->launch.maximum = plan->maxima;
  return true;
}

/* Rows: two logits and the affinity; voxel-major, while the networks flatten channel by channel. */
static bool add_output(bt_cnn_plan *plan, const bt_cnn_weights *weights, int from, int channels) {
  const bt_cnn_field *field = &plan->fields[from];
  int voxels = plan->maxima ? 1 : field->edge * field->edge * field->edge;
  bt_cnn_layer *layer = &plan->layers[plan->n_layers++];
  *layer = (bt_cnn_layer){.kernel = BT_CNN_OUTPUT, .from = from, .to = from};
  layer->launch.n_in = channels;
  layer->launch.maximum = plan->maxima;
  float *packed = add_floats(plan, (size_t)(BT_CNN_OUTPUTS * voxels * channels), &layer->launch.weights);
  for (int row = 0; packed != NULL && row < BT_CNN_OUTPUTS; row++) {
    const bt_cnn_tensor *from_row = tensor(weights, row < 2 ? "pose_output" : "affinity_output", "weight");
    const float *values = from_row->values + (row == 1 ? channels * voxels : 0);
    for (int voxel = 0; voxel < voxels; voxel++)
      for (int c = 0; c < channels; c++) packed[(row * voxels + voxel) * channels + c] = values[c * voxels + voxel];
  }
  float *bias = packed != NULL ? add_floats(plan, BT_CNN_OUTPUTS, &layer->launch.bias) : NULL;
  if (bias == NULL) return false;
  memcpy(bias, tensor(weights, "pose_output", "bias")->values, 2 * sizeof *bias);
  bias[2] = tensor(weights, "affinity_output", "bias")->values[0];
  return true;
}

static int add_field(bt_cnn_plan *plan, int edge, int stride) {
  plan->fields[plan->n_fields] = (bt_cnn_field){.at = -1, .edge = edge, .stride = stride};
  return plan->n_fields++;
}

/* ---- 3. Architectures ---- */

static bool build_default2018(bt_cnn_plan *plan, const bt_cnn_weights *weights) {
  int first = add_field(plan, BT_CNN_EDGE, BT_CNN_FIRST_STRIDE);
  int a = add_field(plan, 24, 32), b = add_field(plan, 24, 32), c = add_field(plan, 12, 32);
  int d = add_field(plan, 12, 64), e = add_field(plan, 12, 64), f = add_field(plan, 6, 64);
  int last = add_field(plan, 6, 128);
  return add_convolution(plan, weights, "unit1_conv", NULL, first, a, 0) &&
         add_convolution(plan, weights, "unit2_conv", NULL, a, b, 0) && add_pool(plan, b, c, 32) &&
         add_convolution(plan, weights, "unit3_conv", NULL, c, d, 0) &&
         add_convolution(plan, weights, "unit4_conv", NULL, d, e, 0) && add_pool(plan, e, f, 64) &&
         add_convolution(plan, weights, "unit5_conv", NULL, f, last, 0) && add_output(plan, weights, last, 128);
}

/* Four convolutions to 16 channels, each of all channels before it, normalized. */
static bool add_block(bt_cnn_plan *plan, const bt_cnn_weights *weights, int block, int field, int channels) {
  bool ok = true;
  for (int k = 0; ok && k < 4; k++) {
    char name[64], norm[64];
    snprintf(name, sizeof name, "dense_block_%d.data_enc_level%d_conv%d", block, block, k);
    snprintf(norm, sizeof norm, "dense_block_%d.data_enc_level%d_batchnorm_conv%d", block, block, k);
    ok = add_convolution(plan, weights, name, norm, field, field, channels + 16 * k);
  }
  return ok;
}

static bool build_dense(bt_cnn_plan *plan, const bt_cnn_weights *weights) {
  int field = add_field(plan, BT_CNN_EDGE, BT_CNN_FIRST_STRIDE), channels = 32;
  int next = add_field(plan, 24, 96);
  bool ok = add_convolution(plan, weights, "data_enc_init_conv", NULL, field, next, 0);
  for (int block = 0, edge = 24; ok && block < 3; block++, edge /= 2) {
    char name[64];
    field = next;
    ok = add_block(plan, weights, block, field, channels);
    channels += 64;
    if (block == 2) break;
    snprintf(name, sizeof name, "data_enc_level%d_bottleneck", block);
    int narrow = add_field(plan, edge, channels);
    next = add_field(plan, edge / 2, channels + 64);
    ok = ok && add_convolution(plan, weights, name, NULL, field, narrow, 0) && add_pool(plan, narrow, next, channels);
  }
  return ok && add_output(plan, weights, field, channels);
}

bt_status bt_cnn_plan_create(const bt_cnn_weights *weights, int products, bt_cnn_plan **ret_plan,
                             bt_error *opt_error) {
  *ret_plan = NULL;
  bt_cnn_plan *plan = bt_allocate(1, sizeof *plan);
  if (plan == NULL) return bt_fail_memory(opt_error);
  plan->products = products;
  plan->architecture = weights->architecture;
  plan->maxima = weights->architecture == BT_CNN_DENSE;
  bool ok = plan->maxima ? build_dense(plan, weights) : build_default2018(plan, weights);
  return BT_HAND_OVER(ok ? BT_OK : bt_fail_memory(opt_error), plan, ret_plan, bt_cnn_plan_destroy);
}

void bt_cnn_plan_destroy(bt_cnn_plan *opt_plan) {
  if (opt_plan == NULL) return;
  free(opt_plan->weights);
  free(opt_plan);
}
