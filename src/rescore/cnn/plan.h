/* plan.h - a network as a list of kernels, with its weights as they read them. */
#ifndef BERTH_RESCORE_CNN_PLAN_H
#define BERTH_RESCORE_CNN_PLAN_H

#include "kernel/cnn/launch.h"
#include "rescore/cnn/weights/weights.h"

enum { BT_CNN_MOST_FIELDS = 8, BT_CNN_MOST_LAYERS = 24 };

/* A launch, whose offsets into the arena are filled in where there is one: those of its fields, by their numbers. */
typedef struct bt_cnn_layer {
  bt_cnn_kernel kernel;
  int from, to;
  bt_cnn_launch launch;
} bt_cnn_layer;

typedef struct bt_cnn_plan {
  bt_cnn_architecture architecture;
  int products;                            /* BT_CNN_SINGLE, ... */
  bool maxima;                             /* the first field, number 0, holds maxima of the densities, not means */
  bt_cnn_field fields[BT_CNN_MOST_FIELDS]; /* edge and stride */
  int n_fields;
  bt_cnn_layer layers[BT_CNN_MOST_LAYERS];
  int n_layers;
  float *weights; /* [n_weights], the second buffer of all launches */
  size_t n_weights;
} bt_cnn_plan;

/* Batch normalizations become part of the convolutions that follow them: scales of their weights, and biases that
 * differ at the edges, where zeros are padded after the normalization. */
bt_status bt_cnn_plan_create(const bt_cnn_weights *weights, int products, bt_cnn_plan **ret_plan,
                             bt_error *opt_error) BT_MUST_USE;
void bt_cnn_plan_destroy(bt_cnn_plan *opt_plan);

#endif
