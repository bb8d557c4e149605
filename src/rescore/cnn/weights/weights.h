/* weights.h - the weights of a convolutional network: files of PyTorch and Berth's own .btn, read without PyTorch.
 *
 * Networks are those of gnina 1.0 (McNutt et al., J. Cheminform. 13, 43 (2021); Francoeur et al., J. Chem. Inf. Model.
 * 60, 4200 (2020)): default2018 and dense. docs/networks.md says where weights come from.
 */
#ifndef BERTH_RESCORE_CNN_WEIGHTS_WEIGHTS_H
#define BERTH_RESCORE_CNN_WEIGHTS_WEIGHTS_H

#include "base/status.h"

typedef enum bt_cnn_architecture { BT_CNN_DEFAULT2018, BT_CNN_DENSE } bt_cnn_architecture;

/* "default2018", "dense". */
const char *bt_cnn_architecture_name(bt_cnn_architecture architecture);

/* An array of a network, contiguous in PyTorch's order: the last index runs fastest. Weights of a convolution are
 * [out][in][x][y][z]. */
typedef struct bt_cnn_tensor {
  char *name; /* of the state dictionary: "unit1_conv.weight" */
  int shape[5], rank;
  size_t size; /* product of the shape */
  float *values;
} bt_cnn_tensor;

typedef struct bt_cnn_weights {
  char *name;   /* "dense_3" */
  char *source; /* where they come from and under which license, one line of text */
  bt_cnn_architecture architecture;
  bt_cnn_tensor *tensors; /* [n_tensors]; exactly those of the architecture, with its shapes */
  int n_tensors;
} bt_cnn_weights;

/* A .btn file, or a .pt file of a state dictionary in either format of PyTorch (zip archive or legacy stream). Nothing
 * that is pickled runs: only tensors of floats are rebuilt. BT_ERR_INPUT with the file if it is damaged or of another
 * architecture. */
bt_status bt_cnn_weights_read(const char *path, bt_cnn_weights **ret_weights, bt_error *opt_error) BT_MUST_USE;
/* The same from the bytes of a file. label: its name in messages, whose last part without .pt or .btn is the network's
 * name. */
bt_status bt_cnn_weights_parse(const char *label, const char *data, size_t size, bt_cnn_weights **ret_weights,
                               bt_error *opt_error) BT_MUST_USE;
/* Those installed under that name (NAME.btn), see bt_networks_folder in berth/networks.h; BT_ERR_INPUT says in one line
 * how to get them. */
bt_status bt_cnn_weights_find(const char *name, bt_cnn_weights **ret_weights, bt_error *opt_error) BT_MUST_USE;
bt_status bt_cnn_weights_write(const bt_cnn_weights *weights, const char *path, bt_error *opt_error) BT_MUST_USE;
void bt_cnn_weights_destroy(bt_cnn_weights *opt_weights);

/* The tensor of that name; there is one for every name of the architecture. */
const bt_cnn_tensor *bt_cnn_tensor_of(const bt_cnn_weights *weights, const char *name);

#endif
