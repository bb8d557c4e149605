/* map_parse.c - reads the text of one AutoGrid map in one pass. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/file.h"
#include "base/files/unpack.h"
#include "formats/autodock/fld.h"
#include "formats/autodock/map.h"

#define REGENERATE "compute the maps again"

static const double LARGEST_VALUE = 1e30; /* kcal/mol; clashes reach some 1e6 */

enum { MOST_HEADER_LINES = 64 };

/* SPACING and CENTER are printed with three decimals. */
static bool agrees(double a, double b) { return fabs(a - b) < 0.0011; }

static bt_status check_header_line(bt_span word, bt_span rest, const bt_box *box, bt_where where, bt_error *opt_error) {
  bt_box seen = *box;
  unsigned found = 0;
  BT_TRY(bt_box_parse_line(word, rest, where, &seen, &found, opt_error));
  bool same = agrees(seen.spacing, box->spacing);
  for (int k = 0; k < 3; k++) same = same && seen.npts[k] == box->npts[k] && agrees(seen.center[k], box->center[k]);
  if (same) return BT_OK;
  return bt_fail(opt_error, BT_ERR_INPUT, where, "keep only files of one AutoGrid run together, or " REGENERATE,
                 "%.*s differs from the .fld", (int)word.size, word.text);
}

/* Reads up to the line CENTER, as AutoDock-GPU does; lines->at is then the first value. */
static bt_status parse_header(const char *path, bt_lines *lines, const bt_box *box, bt_error *opt_error) {
  bt_span line;
  while (lines->number < MOST_HEADER_LINES && bt_lines_next(lines, &line)) {
    bt_where where = {.file = path, .line = lines->number};
    bt_span rest = line, word = bt_span_word(&rest);
    BT_TRY(check_header_line(word, rest, box, where, opt_error));
    if (bt_span_equals(word, "CENTER")) return BT_OK;
  }
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = path}, "use a map written by AutoGrid or berth grid",
                 "no CENTER line: this is not an AutoGrid map");
}

/* [-]ddd.ddd, which is nearly every value; at most nine digits, so that the quotient of two exact doubles is the
 * nearest double. NULL for anything else. */
static const char *scan_plain(const char *at, const char *end, double *ret_value) {
  static const double scale[] = {1e0, 1e1, 1e2, 1e3};
  if (end - at < 16) return NULL; /* room for every byte that is read below */
  bool negative = *at == '-';
  at += negative;
  unsigned mantissa = 0;
  int before = 0, after = 0;
  for (unsigned digit; (digit = (unsigned)(*at - '0')) < 10 && before < 6; at++, before++)
    mantissa = mantissa * 10 + digit;
  if (before == 0 || *at != '.') return NULL;
  at++;
  for (unsigned digit; (digit = (unsigned)(*at - '0')) < 10 && after < 3; at++, after++)
    mantissa = mantissa * 10 + digit;
  if (*at != '\n') return NULL;
  double value = (double)mantissa / scale[after];
  *ret_value = negative ? -value : value;
  return at;
}

static bt_status fail_value(const char *path, long line, const char *at, const char *end, bt_error *opt_error) {
  const char *stop = at;
  while (stop < end && stop - at < 30 && *stop != '\n' && *stop != '\r') stop++;
  bt_where where = {.file = path, .line = line};
  if (stop == at) return bt_fail(opt_error, BT_ERR_INPUT, where, REGENERATE, "an empty line where a value should be");
  return bt_fail(opt_error, BT_ERR_INPUT, where, REGENERATE, "the value is not a finite number: '%.*s'",
                 (int)(stop - at), at);
}

static bool only_space(const char *at, const char *end) {
  while (at < end && (*at == '\n' || *at == '\r' || *at == ' ' || *at == '\t' || *at == 26)) at++;
  return at == end;
}

static bt_status parse_values(const char *path, const bt_lines *lines, float *values, size_t points,
                              bt_error *opt_error) {
  const char *at = lines->at, *end = lines->end;
  for (size_t i = 0; i < points; i++) {
    double value;
    const char *stop = scan_plain(at, end, &value);
    if (stop == NULL) {
      const char *start = at;
      while (at < end && (*at == ' ' || *at == '\t')) at++;
      stop = bt_scan_double(at, end, &value);
      if (stop == NULL && only_space(at, end))
        return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = path, .line = lines->number + (long)i},
                       "the file seems to be truncated: copy it again or " REGENERATE,
                       "the map ends after %zu of %zu values", i, points);
      if (stop == NULL || fabs(value) > LARGEST_VALUE)
        return fail_value(path, lines->number + 1 + (long)i, start, end, opt_error);
      const char *number_end = stop;
      while (stop < end && (*stop == ' ' || *stop == '\t' || *stop == '\r')) stop++;
      if (stop < end && *stop != '\n')
        return fail_value(path, lines->number + 1 + (long)i, number_end == stop ? start : number_end, end, opt_error);
    }
    values[i] = (float)value;
    at = stop < end ? stop + 1 : end;
  }
  if (only_space(at, end)) return BT_OK;
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = path, .line = lines->number + 1 + (long)points},
                 "keep only files of one AutoGrid run together, or " REGENERATE,
                 "more values than the %zu given by NELEMENTS", points);
}

bt_status bt_map_parse(const char *path, const char *data, size_t size, const bt_box *box, float **ret_values,
                       bt_error *opt_error) {
  path = bt_file_label(path);
  bt_lines lines = bt_lines_of(data, size);
  if (bt_is_packed(data, size))
    return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = path}, "decompress it first (gunzip, bunzip2, unzstd)",
                   "the map is compressed");
  BT_TRY(parse_header(path, &lines, box, opt_error));
  size_t points = 1, room = (size_t)(lines.end - lines.at) / 2 + 1; /* a value has one character and a line end */
  for (int k = 0; k < 3; k++) {
    if (points > room / ((size_t)box->npts[k] + 1))
      return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = path},
                     "the file seems to be truncated: copy it again or " REGENERATE,
                     "the map is too short for %d x %d x %d points", box->npts[0] + 1, box->npts[1] + 1,
                     box->npts[2] + 1);
    points *= (size_t)box->npts[k] + 1;
  }
  float *values = malloc(points * sizeof *values);
  if (values == NULL) return bt_fail_memory(opt_error);
  bt_status status = parse_values(path, &lines, values, points, opt_error);
  return BT_HAND_OVER(status, values, ret_values, free);
}
