/* twin.c - the networks in double precision, as they are defined: the reference of all kernels. See scorer.h. */
#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "rescore/cnn/scorer.h"

/* double [channels][edge][edge][edge] */
typedef struct volume {
  double *values;
  int channels, edge;
} volume;

static size_t size_of(int edge) { return (size_t)edge * (size_t)edge * (size_t)edge; }

static void destroy(volume *v) { free(v->values); }

static bt_status create(int channels, int edge, volume *ret_volume, bt_error *opt_error) {
  *ret_volume = (volume){bt_allocate((size_t)channels * size_of(edge), sizeof(double)), channels, edge};
  return ret_volume->values != NULL ? BT_OK : bt_fail_memory(opt_error);
}

/* ---- The grid ---- */

static double density(double distance, double radius) {
  double u = distance / radius;
  if (u <= 1.0) return exp(-2.0 * u * u);
  return u < 1.5 ? exp(-2.0) * (4.0 * u * u - 12.0 * u + 9.0) : 0.0;
}

static void add_site(volume *grid, const bt_cnn_site *site, const double center[3]) {
  double *to = grid->values + (size_t)site->channel * size_of(grid->edge);
  for (int x = 0; x < grid->edge; x++)
    for (int y = 0; y < grid->edge; y++)
      for (int z = 0; z < grid->edge; z++, to++) {
        const int index[3] = {x, y, z};
        double sum = 0.0;
        for (int k = 0; k < 3; k++) {
          double d = center[k] + 0.5 * (index[k] - 0.5 * (grid->edge - 1)) - site->x[k];
          sum += d * d;
        }
        *to += density(sqrt(sum), site->radius);
      }
}

/* ---- Layers ---- */

static bt_status pool(volume *v, bool maximum, bt_error *opt_error) {
  volume half;
  BT_TRY(create(v->channels, v->edge / 2, &half, opt_error));
  double *to = half.values;
  for (int c = 0; c < v->channels; c++)
    for (int x = 0; x < half.edge; x++)
      for (int y = 0; y < half.edge; y++)
        for (int z = 0; z < half.edge; z++, to++) {
          double sum = 0.0, peak = -HUGE_VAL;
          for (int k = 0; k < 8; k++) {
            int at = ((2 * x + k / 4) * v->edge + 2 * y + k / 2 % 2) * v->edge + 2 * z + k % 2;
            double value = v->values[(size_t)c * size_of(v->edge) + (size_t)at];
            sum += value;
            peak = fmax(peak, value);
          }
          *to = maximum ? peak : sum / 8.0;
        }
  destroy(v);
  *v = half;
  return BT_OK;
}

/* Adds filter * from, shifted by one tap, to a channel. */
static void add_tap(double *to, const double *from, int edge, const int shift[3], double filter) {
  for (int x = 0; x < edge; x++)
    for (int y = 0; y < edge; y++)
      for (int z = 0; z < edge; z++, to++) {
        int a = x + shift[0], b = y + shift[1], c = z + shift[2];
        if (a >= 0 && b >= 0 && c >= 0 && a < edge && b < edge && c < edge)
          *to += filter * from[(a * edge + b) * edge + c];
      }
}

static bt_status convolve(const bt_cnn_weights *weights, const char *name, const volume *from, volume *ret_to,
                          bt_error *opt_error) {
  char text[96];
  snprintf(text, sizeof text, "%s.weight", name);
  const bt_cnn_tensor *filter = bt_cnn_tensor_of(weights, text);
  snprintf(text, sizeof text, "%s.bias", name);
  const bt_cnn_tensor *bias = bt_cnn_tensor_of(weights, text);
  const int side = filter->shape[2], taps = side * side * side;
  const size_t size = size_of(from->edge);
  BT_TRY(create(filter->shape[0], from->edge, ret_to, opt_error));
  for (int out = 0; out < ret_to->channels; out++) {
    double *to = ret_to->values + (size_t)out * size;
    for (size_t i = 0; i < size; i++) to[i] = bias->values[out];
    for (int in = 0; in < from->channels; in++)
      for (int tap = 0; tap < taps; tap++) {
        const int shift[3] = {tap / (side * side) - side / 2, tap / side % side - side / 2, tap % side - side / 2};
        add_tap(to, from->values + (size_t)in * size, from->edge, shift,
                filter->values[(out * from->channels + in) * taps + tap]);
      }
    for (size_t i = 0; i < size; i++) to[i] = fmax(to[i], 0.0);
  }
  return BT_OK;
}

static bt_status replace(const bt_cnn_weights *weights, const char *name, volume *v, bt_error *opt_error) {
  volume to;
  bt_status status = convolve(weights, name, v, &to, opt_error);
  destroy(v);
  *v = to;
  return status;
}

static bt_status normalize(const bt_cnn_weights *weights, const char *name, const volume *from, volume *ret_to,
                           bt_error *opt_error) {
  static const char *const parts[] = {"weight", "bias", "running_mean", "running_var"};
  const bt_cnn_tensor *of[4];
  BT_TRY(create(from->channels, from->edge, ret_to, opt_error));
  for (int k = 0; k < 4; k++) {
    char text[96];
    snprintf(text, sizeof text, "%s.%s", name, parts[k]);
    of[k] = bt_cnn_tensor_of(weights, text);
  }
  for (int c = 0; c < from->channels; c++)
    for (size_t i = (size_t)c * size_of(from->edge); i < (size_t)(c + 1) * size_of(from->edge); i++)
      ret_to->values[i] = (from->values[i] - of[2]->values[c]) / sqrt(of[3]->values[c] + 1e-5) * of[0]->values[c] +
                          of[1]->values[c];
  return BT_OK;
}

/* Appends the 16 channels of one convolution of a dense block. */
static bt_status grow(const bt_cnn_weights *weights, int block, int k, volume *v, bt_error *opt_error) {
  char name[64], norm[64];
  volume normal = {0}, added = {0}, all = {0};
  snprintf(name, sizeof name, "dense_block_%d.data_enc_level%d_conv%d", block, block, k);
  snprintf(norm, sizeof norm, "dense_block_%d.data_enc_level%d_batchnorm_conv%d", block, block, k);
  bt_status status = normalize(weights, norm, v, &normal, opt_error);
  if (status == BT_OK) status = convolve(weights, name, &normal, &added, opt_error);
  if (status == BT_OK) status = create(v->channels + added.channels, v->edge, &all, opt_error);
  if (status == BT_OK) {
    size_t old = (size_t)v->channels * size_of(v->edge);
    memcpy(all.values, v->values, old * sizeof *all.values);
    memcpy(all.values + old, added.values, (size_t)added.channels * size_of(v->edge) * sizeof *all.values);
  }
  destroy(&normal);
  destroy(&added);
  destroy(v);
  *v = all;
  return status;
}

/* ---- Networks ---- */

static bt_status run_default2018(const bt_cnn_weights *weights, volume *v, bt_error *opt_error) {
  for (int unit = 1; unit <= 5; unit++) {
    char name[32];
    snprintf(name, sizeof name, "unit%d_conv", unit);
    if (unit % 2 == 1) BT_TRY(pool(v, false, opt_error));
    BT_TRY(replace(weights, name, v, opt_error));
  }
  return BT_OK;
}

static bt_status run_dense(const bt_cnn_weights *weights, volume *v, bt_error *opt_error) {
  BT_TRY(pool(v, true, opt_error));
  BT_TRY(replace(weights, "data_enc_init_conv", v, opt_error));
  for (int block = 0; block < 3; block++) {
    char name[64];
    for (int k = 0; k < 4; k++) BT_TRY(grow(weights, block, k, v, opt_error));
    snprintf(name, sizeof name, "data_enc_level%d_bottleneck", block);
    if (block < 2) BT_TRY(replace(weights, name, v, opt_error));
    if (block < 2) BT_TRY(pool(v, true, opt_error));
  }
  for (int c = 0; c < v->channels; c++) { /* in place: channel c is not before its maximum */
    double peak = -HUGE_VAL;
    for (size_t i = 0; i < size_of(v->edge); i++) peak = fmax(peak, v->values[(size_t)c * size_of(v->edge) + i]);
    v->values[c] = peak;
  }
  v->edge = 1;
  return BT_OK;
}

bt_status bt_cnn_twin(const bt_cnn_weights *weights, const bt_cnn_pose *pose, double outputs[3], bt_error *opt_error) {
  volume v = {0};
  bool dense = weights->architecture == BT_CNN_DENSE;
  bt_status status = create(28, 48, &v, opt_error);
  for (int i = 0; status == BT_OK && i < pose->n_sites; i++)
    if (pose->sites[i].channel >= 0) add_site(&v, &pose->sites[i], pose->center);
  if (status == BT_OK) status = (dense ? run_dense : run_default2018)(weights, &v, opt_error);
  for (int k = 0; status == BT_OK && k < 3; k++) {
    const char *name = k < 2 ? "pose_output.weight" : "affinity_output.weight";
    size_t n = (size_t)v.channels * size_of(v.edge);
    const float *row = bt_cnn_tensor_of(weights, name)->values + (k == 1 ? n : 0);
    outputs[k] = bt_cnn_tensor_of(weights, k < 2 ? "pose_output.bias" : "affinity_output.bias")->values[k % 2];
    for (size_t i = 0; i < n; i++) outputs[k] += row[i] * v.values[i];
  }
  destroy(&v);
  return status;
}
