/* map_format.c - writes the text of one AutoGrid map; with a custom formatter, since a map has 10^5 to 10^7 values. */
#include <math.h>
#include <string.h>

#include "formats/autodock/map.h"

enum { LONGEST_VALUE = 48, BATCH = 4096 };

/* "000\n" ... "999\n": three digits at once. */
typedef char three_digits[1000][4];

static void fill_digits(three_digits digits) {
  for (int i = 0; i < 1000; i++) {
    digits[i][0] = (char)('0' + i / 100);
    digits[i][1] = (char)('0' + i / 10 % 10);
    digits[i][2] = (char)('0' + i % 10);
    digits[i][3] = '\n';
  }
}

/* Writes thousandths as a number with three decimals and a line end, without '-' before zero. */
static inline char *put_thousandths(char *at, int64_t thousandths, const three_digits digits) {
  uint64_t magnitude = thousandths < 0 ? -(uint64_t)thousandths : (uint64_t)thousandths;
  uint64_t whole = magnitude / 1000;
  *at = '-';
  at += thousandths < 0;
  if (whole < 10) {
    *at++ = (char)('0' + whole);
  } else if (whole < 1000) {
    int skipped = whole < 100;
    memcpy(at, digits[whole] + skipped, 3);
    at += 3 - skipped;
  } else {
    char reversed[24];
    int count = 0;
    for (; whole > 0; whole /= 10) reversed[count++] = (char)('0' + whole % 10);
    while (count > 0) *at++ = reversed[--count];
  }
  *at++ = '.';
  memcpy(at, digits[magnitude % 1000], 4);
  return at + 4;
}

/* AutoGrid 4.2.6 rounds to floor(1000 v + 1/2) / 1000, converts to float and prints three decimals. Above 4096 the
 * spacing of floats approaches 0.001, and rounding again could give the next float: print the value as it is. */
static inline char *put_value(char *at, float value, const three_digits digits) {
  double magnitude = fabs((double)value);
  if (magnitude < 0.0001) {
    memcpy(at, "0.\n", 3);
    return at + 3;
  }
  if (magnitude < 4096.0) {
    const int64_t shift = INT64_C(1) << 23; /* makes the number positive, so that cutting it is floor() */
    return put_thousandths(at, (int64_t)(1000.0 * (double)value + (0.5 + (double)shift)) - shift, digits);
  }
  /* the product is exact, and ties go to even, as in printf */
  return put_thousandths(at, (int64_t)rint(1000.0 * (double)value), digits);
}

void bt_map_format_header(bt_text *text, const bt_map_header *header) {
  const bt_box *box = &header->box;
  bt_text_printf(text,
                 "GRID_PARAMETER_FILE %s\nGRID_DATA_FILE %s\nMACROMOLECULE %s\nSPACING %.3f\nNELEMENTS %d %d %d\n"
                 "CENTER %.3f %.3f %.3f\n",
                 header->gpf_name, header->fld_name, header->receptor_file, box->spacing, box->npts[0], box->npts[1],
                 box->npts[2], box->center[0], box->center[1], box->center[2]);
}

bt_status bt_map_format_values(bt_text *text, const float *values, size_t first, size_t end, bt_error *opt_error) {
  three_digits digits;
  fill_digits(digits);
  for (size_t i = first; i < end;) {
    size_t batch_end = end - i < BATCH ? end : i + BATCH;
    if (!bt_text_reserve(text, (batch_end - i) * LONGEST_VALUE)) return bt_fail_memory(opt_error);
    char *at = text->data + text->size;
    for (; i < batch_end; i++) {
      if (!(fabsf(values[i]) <= 1e15f))
        return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){0}, "check the receptor's coordinates and charges",
                       "value %zu of a map is not a finite number", i + 1);
      at = put_value(at, values[i], (const char(*)[4])digits);
    }
    text->size = (size_t)(at - text->data);
  }
  bt_text_add(text, "", 0);
  return bt_text_status(text, opt_error);
}
