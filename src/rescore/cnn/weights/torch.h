/* torch.h - the tensors of a state dictionary as PyTorch's torch.save writes it: as a zip archive, or as the stream of
 * versions before 1.6. */
#ifndef BERTH_RESCORE_CNN_WEIGHTS_TORCH_H
#define BERTH_RESCORE_CNN_WEIGHTS_TORCH_H

#include "rescore/cnn/weights/architecture.h"

/* Do the bytes begin as the stream? */
bool bt_torch_is_stream(const char *data, size_t size);

/* The tensors of floats, which borrow from the data; free() them. label is the file's name in messages. */
bt_status bt_torch_read(const char *label, bt_span data, bt_cnn_view **ret_views, int *ret_count,
                        bt_error *opt_error) BT_MUST_USE;

#endif
