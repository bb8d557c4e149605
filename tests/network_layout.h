/* network_layout.h - the tensors of the architectures of networks, for tests. */
#ifndef BERTH_TESTS_NETWORK_LAYOUT_H
#define BERTH_TESTS_NETWORK_LAYOUT_H

#include <stdio.h>

enum { LAYOUT_MOST = 100 };

typedef struct network_layout {
  char names[LAYOUT_MOST][120];
  int shapes[LAYOUT_MOST][5], ranks[LAYOUT_MOST], sizes[LAYOUT_MOST];
  int count;
} network_layout;

static inline void layout_add(network_layout *l, const char *layer, const char *part, int rank, const int *shape) {
  int n = l->count++, size = 1;
  snprintf(l->names[n], sizeof l->names[n], "%s.%s", layer, part);
  for (int k = 0; k < rank; k++) size *= l->shapes[n][k] = shape[k];
  l->ranks[n] = rank;
  l->sizes[n] = size;
}

static inline void layout_add_layer(network_layout *l, const char *name, int rank, int out, int in, int edge) {
  layout_add(l, name, "weight", rank, (int[]){out, in, edge, edge, edge});
  layout_add(l, name, "bias", 1, &out);
}

static inline network_layout layout_default2018(void) {
  network_layout l = {0};
  layout_add_layer(&l, "unit1_conv", 5, 32, 28, 3);
  layout_add_layer(&l, "unit2_conv", 5, 32, 32, 1);
  layout_add_layer(&l, "unit3_conv", 5, 64, 32, 3);
  layout_add_layer(&l, "unit4_conv", 5, 64, 64, 1);
  layout_add_layer(&l, "unit5_conv", 5, 128, 64, 3);
  layout_add_layer(&l, "pose_output", 2, 2, 27648, 0);
  layout_add_layer(&l, "affinity_output", 2, 1, 27648, 0);
  return l;
}

static inline network_layout layout_dense(void) {
  network_layout l = {0};
  char name[96];
  layout_add_layer(&l, "data_enc_init_conv", 5, 32, 28, 3);
  for (int b = 0; b < 3; b++)
    for (int i = 0; i < 5; i++) {
      int channels = 32 + 64 * b + 16 * i;
      snprintf(name, sizeof name, "dense_block_%d.data_enc_level%d_batchnorm_conv%d", b, b, i);
      static const char *const parts[] = {"weight", "bias", "running_mean", "running_var"};
      for (int p = 0; p < 4 && i < 4; p++) layout_add(&l, name, parts[p], 1, &channels);
      snprintf(name, sizeof name, "dense_block_%d.data_enc_level%d_conv%d", b, b, i);
      if (i < 4) layout_add_layer(&l, name, 5, 16, channels, 3);
      snprintf(name, sizeof name, "data_enc_level%d_bottleneck", b);
      if (i == 4 && b < 2) layout_add_layer(&l, name, 5, channels, channels, 1);
    }
  layout_add_layer(&l, "pose_output", 2, 2, 224, 0);
  layout_add_layer(&l, "affinity_output", 2, 1, 224, 0);
  return l;
}

#endif
