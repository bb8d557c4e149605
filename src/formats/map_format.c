/* map_format.c - writes the text of one AutoGrid map; a formatter of its own, since a map has 10^5 to 10^7 values. */
#include <math.h>
#include <string.h>

#include "formats/map.h"

enum { LONGEST_VALUE = 48 };

/* Writes thousandths as a number with three decimals, without '-' before zero. */
static char *put_thousandths(char *at, int64_t thousandths) {
  uint64_t rest = thousandths < 0 ? -(uint64_t)thousandths : (uint64_t)thousandths;
  if (thousandths < 0) *at++ = '-';
  char digits[24];
  int count = 0;
  for (; rest > 0 || count < 4; rest /= 10) digits[count++] = (char)('0' + rest % 10);
  while (count > 3) *at++ = digits[--count];
  *at++ = '.';
  *at++ = digits[2];
  *at++ = digits[1];
  *at++ = digits[0];
  return at;
}

/* AutoGrid 4.2.6 rounds to floor(1000 v + 1/2) / 1000, converts to float and prints three decimals. Above 4096 the
 * spacing of floats comes near to 0.001 and rounding once more could move to the next float: print what there is. */
static char *put_value(char *at, float value) {
  double magnitude = fabs((double)value);
  if (magnitude < 0.0001) {
    *at++ = '0';
    *at++ = '.';
  } else if (magnitude < 4096.0) {
    at = put_thousandths(at, (int64_t)floor(1000.0 * (double)value + 0.5));
  } else {
    at = put_thousandths(at, (int64_t)rint(1000.0 * (double)value)); /* exact product, ties to even, as printf */
  }
  *at++ = '\n';
  return at;
}

bt_status bt_map_format(bt_text *text, const bt_map_header *header, const float *values, size_t points,
                        bt_error *opt_error) {
  const bt_box *box = &header->box;
  bt_text_printf(text,
                 "GRID_PARAMETER_FILE %s\nGRID_DATA_FILE %s\nMACROMOLECULE %s\nSPACING %.3f\nNELEMENTS %d %d %d\n"
                 "CENTER %.3f %.3f %.3f\n",
                 header->gpf_name, header->fld_name, header->receptor_file, box->spacing, box->npts[0], box->npts[1],
                 box->npts[2], box->center[0], box->center[1], box->center[2]);
  for (size_t i = 0; i < points;) {
    size_t end = points - i < 4096 ? points : i + 4096;
    if (!bt_text_reserve(text, (end - i) * LONGEST_VALUE)) return bt_fail_memory(opt_error);
    char *at = text->data + text->size;
    for (; i < end; i++) {
      if (!(fabsf(values[i]) <= 1e15f))
        return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){0}, "check the receptor's coordinates and charges",
                       "value %zu of a map is not a finite number", i + 1);
      at = put_value(at, values[i]);
    }
    text->size = (size_t)(at - text->data);
  }
  bt_text_add(text, "", 0);
  return bt_text_status(text, opt_error);
}
