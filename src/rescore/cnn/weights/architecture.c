/* architecture.c - the tensors of default2018 and dense, and networks made of the tensors of a file. */
#include "rescore/cnn/weights/architecture.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/memory.h"

/* ------------------------------------------------------------------------------------------- architectures -- */

typedef struct shape {
  char name[96];
  int dimensions[5], rank;
} shape;

typedef struct shape_list {
  shape *items;
  size_t count, room;
  bool failed;
} shape_list;

static BT_PRINTF(4, 5) void add(shape_list *list, int rank, const int *dimensions, const char *format, ...) {
  shape s = {.rank = rank};
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(s.name, sizeof s.name, format, arguments);
  va_end(arguments);
  for (int k = 0; k < rank; k++) s.dimensions[k] = dimensions[k];
  list->failed = !BT_APPEND(list->items, list->count, &list->room, s) || list->failed;
}

/* A layer's weights, of an edge^3 convolution (edge 0: each output is a sum over all inputs), and its biases. */
static void add_layer(shape_list *list, const char *name, int out, int in, int edge) {
  add(list, edge > 0 ? 5 : 2, (int[]){out, in, edge, edge, edge}, "%s.weight", name);
  add(list, 1, &out, "%s.bias", name);
}

static void add_outputs(shape_list *list, int features) {
  add_layer(list, "pose_output", 2, features, 0);
  add_layer(list, "affinity_output", 1, features, 0);
}

static void list_default2018(shape_list *list) {
  static const int channels[] = {28, 32, 32, 64, 64, 128};
  for (int unit = 1; unit <= 5; unit++) {
    char name[32];
    snprintf(name, sizeof name, "unit%d_conv", unit);
    add_layer(list, name, channels[unit], channels[unit - 1], unit % 2 == 1 ? 3 : 1);
  }
  add_outputs(list, 128 * 6 * 6 * 6);
}

/* Three blocks of four convolutions, each of which adds 16 channels to those it reads. */
static void list_dense(shape_list *list) {
  static const char *const statistics[] = {"weight", "bias", "running_mean", "running_var"};
  char name[96];
  int channels = 32;
  add_layer(list, "data_enc_init_conv", channels, 28, 3);
  for (int block = 0; block < 3; block++) {
    for (int conv = 0; conv < 4; conv++, channels += 16) {
      for (int s = 0; s < 4; s++)
        add(list, 1, &channels, "dense_block_%d.data_enc_level%d_batchnorm_conv%d.%s", block, block, conv,
            statistics[s]);
      snprintf(name, sizeof name, "dense_block_%d.data_enc_level%d_conv%d", block, block, conv);
      add_layer(list, name, 16, channels, 3);
    }
    snprintf(name, sizeof name, "data_enc_level%d_bottleneck", block);
    if (block < 2) add_layer(list, name, channels, channels, 1);
  }
  add_outputs(list, channels);
}

static void shape_list_free(shape_list *list) { free(list->items); }

static const struct {
  const char *name;
  void (*list)(shape_list *list);
} architectures[] = {[BT_CNN_DEFAULT2018] = {"default2018", list_default2018}, [BT_CNN_DENSE] = {"dense", list_dense}};

enum { ARCHITECTURES = sizeof architectures / sizeof *architectures };

const char *bt_cnn_architecture_name(bt_cnn_architecture architecture) { return architectures[architecture].name; }

bool bt_cnn_shape_size(const int *dimensions, int rank, size_t *ret_size) {
  size_t size = 1;
  for (int k = 0; k < rank; k++) {
    if (dimensions[k] < 1 || (size_t)dimensions[k] > BT_CNN_MOST_SIZE / size) return false;
    size *= (size_t)dimensions[k];
  }
  *ret_size = size;
  return true;
}

/* --------------------------------------------------------------------------------------------- recognition -- */

static int find_view(const bt_cnn_view *views, int count, const char *name) {
  for (int v = 0; v < count; v++)
    if (bt_span_equals(views[v].name, name)) return v;
  return -1;
}

static bool same_shape(const bt_cnn_view *view, const shape *s) {
  return view->rank == s->rank && memcmp(view->shape, s->dimensions, (size_t)s->rank * sizeof(int)) == 0;
}

/* Are the tensors those of the list? order[list->count] receives the position of each; `why` says why not. */
static bool match(const shape_list *list, const bt_cnn_view *views, int count, int *order, char *why, size_t size) {
  for (size_t k = 0; k < list->count; k++) {
    const shape *s = &list->items[k];
    order[k] = find_view(views, count, s->name);
    if (order[k] >= 0 && same_shape(&views[order[k]], s)) continue;
    snprintf(why, size, order[k] < 0 ? "has no %s" : "has another shape of %s", s->name);
    return false;
  }
  if (list->count == (size_t)count) return true;
  snprintf(why, size, "has %d tensors, not %zu", count, list->count);
  return false;
}

static bool copy_values(const bt_cnn_view *view, float *values) {
  bool finite = true;
  for (size_t k = 0; k < view->size; k++) {
    const uint8_t *b = (const uint8_t *)view->bytes + 4 * k;
    uint32_t bits = (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
    memcpy(&values[k], &bits, sizeof bits);
    finite = finite && isfinite(values[k]);
  }
  return finite;
}

static bt_status fill(bt_cnn_weights *w, const char *label, const shape_list *list, const bt_cnn_view *views,
                      const int *order, bt_error *opt_error) {
  w->tensors = bt_allocate(list->count, sizeof *w->tensors);
  if (w->name == NULL || w->source == NULL || w->tensors == NULL) return bt_fail_memory(opt_error);
  for (size_t k = 0; k < list->count; k++) {
    const shape *s = &list->items[k];
    const bt_cnn_view *view = &views[order[k]];
    bt_cnn_tensor *t = &w->tensors[w->n_tensors++];
    *t = (bt_cnn_tensor){.name = bt_copy_text(s->name, strlen(s->name)), .rank = s->rank, .size = view->size};
    memcpy(t->shape, s->dimensions, sizeof t->shape);
    t->values = bt_allocate(t->size, sizeof *t->values);
    if (t->name == NULL || t->values == NULL) return bt_fail_memory(opt_error);
    if (!copy_values(view, t->values))
      return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = label}, "copy or download it again",
                     "the file is damaged: %s has values that are not finite", s->name);
  }
  return BT_OK;
}

bt_status bt_cnn_build(const char *label, const char *name, const char *source, const bt_cnn_view *views, int count,
                       bt_cnn_weights **ret_weights, bt_error *opt_error) {
  char why[ARCHITECTURES][160];
  for (int a = 0; a < ARCHITECTURES; a++) {
    BT_ENDED_BY(shape_list_free) shape_list list = {0};
    architectures[a].list(&list);
    BT_SCOPED int *order = bt_allocate(list.count, sizeof *order);
    if (list.failed || order == NULL) return bt_fail_memory(opt_error);
    if (!match(&list, views, count, order, why[a], sizeof why[a])) continue;
    bt_cnn_weights *w = bt_allocate(1, sizeof *w);
    if (w == NULL) return bt_fail_memory(opt_error);
    *w = (bt_cnn_weights){.name = bt_copy_text(name, strlen(name)),
                          .source = bt_copy_text(source, strlen(source)),
                          .architecture = (bt_cnn_architecture)a};
    bt_status status = fill(w, label, &list, views, order, opt_error);
    return BT_HAND_OVER(status, w, ret_weights, bt_cnn_weights_destroy);
  }
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = label}, "use a network of these architectures",
                 "the network is neither default2018 (it %s) nor dense (it %s)", why[BT_CNN_DEFAULT2018],
                 why[BT_CNN_DENSE]);
}
