/* plan_matrix.h - weights of a convolution as tensor cores take them (kernel/cnn/convolve_matrix.h). */
#ifndef BERTH_RESCORE_CNN_PLAN_MATRIX_H
#define BERTH_RESCORE_CNN_PLAN_MATRIX_H

#include <stddef.h>

/* products: BT_CNN_TF32_EC, ... (kernel/cnn/launch.h); taps: of all axes together, 27 or 1. Words of 32 bits: */
size_t bt_cnn_matrix_words(int products, int n_out, int n_in, int taps);
/* filter: [out][in][tap]; words: zero before. */
void bt_cnn_matrix_pack(int products, const float *filter, int n_out, int n_in, int taps, unsigned int *words);

#endif
