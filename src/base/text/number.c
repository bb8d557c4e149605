/* number.c - strict and fast reading of numbers.
 *
 * A decimal number whose digits form an integer below 2^53 and whose power of ten is at most 22 is the exact
 * quotient or product of two doubles, so that one division or multiplication rounds correctly (Clinger, "How to
 * read floating point numbers accurately", 1990). Everything else goes to strtod in the C locale.
 */
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#if defined(__APPLE__)
#include <xlocale.h>
#endif

#include "base/text/text.h"

static const double powers_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                       1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

enum { NUMBER_LENGTH = 512 }; /* longer texts are rejected */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* [at, end) is known to be a well-formed decimal number. */
static bool convert_slowly(const char *at, const char *end, double *ret_value) {
  char buffer[NUMBER_LENGTH];
  size_t size = (size_t)(end - at);
  if (size >= sizeof buffer) return false;
  memcpy(buffer, at, size);
  buffer[size] = '\0';
  locale_t c_locale = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
  if (c_locale == (locale_t)0) return false;
  *ret_value = strtod_l(buffer, NULL, c_locale);
  freelocale(c_locale);
  return isfinite(*ret_value);
}

/* Adds the digits at `at` to the mantissa, up to 19 significant ones; returns the position after them. */
static const char *take_digits(const char *at, const char *end, uint64_t *mantissa, long *digits) {
  for (; at < end && is_digit(*at); at++) {
    if (*digits < 19) *mantissa = *mantissa * 10 + (uint64_t)(*at - '0');
    *digits += *mantissa > 0;
  }
  return at;
}

const char *bt_scan_double(const char *at, const char *end, double *ret_value) {
  const char *start = at;
  bool negative = at < end && *at == '-';
  if (at < end && (*at == '-' || *at == '+')) at++;
  uint64_t mantissa = 0;
  long digits = 0;
  int exponent = 0; /* value = mantissa * 10^exponent */
  const char *first = at;
  at = take_digits(at, end, &mantissa, &digits);
  long count = at - first;
  if (at < end && *at == '.') {
    first = ++at;
    at = take_digits(at, end, &mantissa, &digits);
    count += at - first;
    exponent = -(int)(at - first < 1000 ? at - first : 1000);
  }
  if (count == 0) return NULL;
  bool plain = digits < 19 && exponent > -1000;
  if (at < end && (*at == 'e' || *at == 'E')) {
    const char *mark = at + 1;
    bool negative_exponent = mark < end && *mark == '-';
    if (mark < end && (*mark == '-' || *mark == '+')) mark++;
    if (mark < end && is_digit(*mark)) {
      int value = 0;
      for (; mark < end && is_digit(*mark); mark++)
        if (value < 100000) value = value * 10 + (*mark - '0');
      exponent += negative_exponent ? -value : value;
      at = mark;
    }
  }
  if (plain && mantissa <= (UINT64_C(1) << 53) && exponent >= -22 && exponent <= 22) {
    double value = (double)mantissa;
    value = exponent < 0 ? value / powers_of_ten[-exponent] : value * powers_of_ten[exponent];
    *ret_value = negative ? -value : value;
    return at;
  }
  return convert_slowly(start, at, ret_value) ? at : NULL;
}

bool bt_parse_double(bt_span span, double *ret_value) {
  span = bt_span_trim(span);
  const char *end = span.text + span.size;
  return span.size > 0 && bt_scan_double(span.text, end, ret_value) == end;
}

bool bt_parse_uint64(bt_span span, uint64_t *ret_value) {
  span = bt_span_trim(span);
  if (span.size > 0 && span.text[0] == '+') span.text++, span.size--;
  if (span.size == 0) return false;
  uint64_t value = 0;
  for (size_t i = 0; i < span.size; i++) {
    if (!is_digit(span.text[i])) return false;
    uint64_t digit = (uint64_t)(span.text[i] - '0');
    if (value > (UINT64_MAX - digit) / 10) return false;
    value = value * 10 + digit;
  }
  *ret_value = value;
  return true;
}

bool bt_parse_int64(bt_span span, int64_t *ret_value) {
  span = bt_span_trim(span);
  bool negative = span.size > 1 && span.text[0] == '-' && is_digit(span.text[1]);
  if (negative) span.text++, span.size--;
  uint64_t magnitude;
  if (!bt_parse_uint64(span, &magnitude)) return false;
  if (magnitude > (uint64_t)INT64_MAX) return false;
  *ret_value = negative ? -(int64_t)magnitude : (int64_t)magnitude;
  return true;
}

bool bt_parse_int(bt_span span, int *ret_value) {
  int64_t value;
  if (!bt_parse_int64(span, &value) || value > INT32_MAX || value < -INT32_MAX) return false;
  *ret_value = (int)value;
  return true;
}
