/* known.h - the networks published with gnina 1.0, recognized by their values. */
#ifndef BERTH_RESCORE_CNN_WEIGHTS_KNOWN_H
#define BERTH_RESCORE_CNN_WEIGHTS_KNOWN_H

#include "rescore/cnn/weights/weights.h"

/* Can a network have that name? Letters, digits, '_', '-' and '.', which is not the first; at most 100. */
bool bt_cnn_name_check(const char *name);
/* Is it one of the published ones? */
bool bt_cnn_is_known(const char *name);

/* XXH64 of all values, tensor by tensor. */
uint64_t bt_cnn_hash(const bt_cnn_weights *weights);
/* Where the network comes from and under which license, one line; for one that is not known only the file that it was
 * read from. free() it; NULL when memory is exhausted. */
char *bt_cnn_source(const bt_cnn_weights *weights, const char *file);

#endif
