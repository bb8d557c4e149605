/* pack.h - compression of texts for a database. */
#ifndef BERTH_STORE_PACK_H
#define BERTH_STORE_PACK_H

#include "base/status.h"

enum { BT_PACK_PLAIN, BT_PACK_ZLIB };

/* free() ret_data; *ret_encoding is the method used: zlib, if available and worthwhile. */
bt_status bt_pack(const char *text, size_t size, void **ret_data, size_t *ret_size, int *ret_encoding,
                  bt_error *opt_error) BT_MUST_USE;
/* size is that of the text; a NUL follows it. BT_ERR_INPUT for damage. */
bt_status bt_unpack(const void *data, size_t packed_size, int encoding, size_t size, char **ret_text,
                    bt_error *opt_error) BT_MUST_USE;

#endif
