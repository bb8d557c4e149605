/* architecture.h - which tensors a network has, and networks made of the tensors of a file. */
#ifndef BERTH_RESCORE_CNN_WEIGHTS_ARCHITECTURE_H
#define BERTH_RESCORE_CNN_WEIGHTS_ARCHITECTURE_H

#include "base/text/text.h"
#include "rescore/cnn/weights/weights.h"

/* A tensor in a file that was read. */
typedef struct bt_cnn_view {
  bt_span name;
  int shape[5], rank;
  size_t size;       /* product of the shape */
  const char *bytes; /* little-endian floats, of any alignment; borrowed */
} bt_cnn_view;

/* A file has so many at most; networks of known architecture have 82. */
enum { BT_CNN_MOST_TENSORS = 1000, BT_CNN_MOST_SIZE = 1 << 26 };

/* The product of a shape; false if it is not that of a tensor: a dimension below 1, or more than BT_CNN_MOST_SIZE
 * numbers. */
bool bt_cnn_shape_size(const int *dimensions, int rank, size_t *ret_size);

/* A network of those tensors, in any order, if they are exactly those of a known architecture. label is the file's
 * name in messages. */
bt_status bt_cnn_build(const char *label, const char *name, const char *source, const bt_cnn_view *views, int count,
                       bt_cnn_weights **ret_weights, bt_error *opt_error) BT_MUST_USE;

#endif
