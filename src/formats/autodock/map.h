/* map.h - the text of one AutoGrid map: six header lines, then one value per line, x fastest, then y, then z. */
#ifndef BERTH_FORMATS_AUTODOCK_MAP_H
#define BERTH_FORMATS_AUTODOCK_MAP_H

#include <berth/types.h>

#include "base/text/text.h"

/* Header lines that go with the values. */
typedef struct bt_map_header {
  const char *gpf_name, *fld_name, *receptor_file;
  bt_box box;
} bt_map_header;

/* Checks that a map file has the box of its .fld and reads its values[points]; path is for messages. *ret_values is
 * allocated here, once the length of the text is known to allow that many values. */
bt_status bt_map_parse(const char *path, const char *data, size_t size, const bt_box *box, float **ret_values,
                       bt_error *opt_error) BT_MUST_USE;

/* Appends a map file in pieces: the header, and the values [first, end), so that a map need not be in memory as a whole
 * text. Values are printed as AutoGrid 4.2.6 prints them: `0.` below 0.0001, otherwise rounded to three decimals. Fails
 * on values that are not finite. */
void bt_map_format_header(bt_text *text, const bt_map_header *header);
bt_status bt_map_format_values(bt_text *text, const float *values, size_t first, size_t end,
                               bt_error *opt_error) BT_MUST_USE;

#endif
