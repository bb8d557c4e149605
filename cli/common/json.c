/* json.c - the few pieces of JSON that the programs print themselves (RFC 8259). */
#include "common/json.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

/* Length of the UTF-8 sequence that starts here, 0 when it is malformed. */
static int sequence_length(const unsigned char *s) {
  int length = s[0] < 0x80 ? 1 : (s[0] & 0xe0) == 0xc0 ? 2 : (s[0] & 0xf0) == 0xe0 ? 3 : (s[0] & 0xf8) == 0xf0 ? 4 : 0;
  for (int i = 1; i < length; i++)
    if ((s[i] & 0xc0) != 0x80) return 0;
  bool overlong = (length == 2 && s[0] < 0xc2) || (length == 3 && s[0] == 0xe0 && s[1] < 0xa0) ||
                  (length == 4 && s[0] == 0xf0 && s[1] < 0x90);
  bool surrogate = length == 3 && s[0] == 0xed && s[1] >= 0xa0;
  bool too_large = length == 4 && (s[0] > 0xf4 || (s[0] == 0xf4 && s[1] >= 0x90));
  return overlong || surrogate || too_large ? 0 : length;
}

void cli_json_string(FILE *stream, const char *text) {
  fputc('"', stream);
  const unsigned char *s = (const unsigned char *)text;
  while (*s != '\0') {
    int length = sequence_length(s);
    if (length == 0) {
      fputs("\\ufffd", stream);
      s++;
      continue;
    }
    if (*s == '"' || *s == '\\')
      fprintf(stream, "\\%c", *s);
    else if (*s < 0x20 || *s == 0x7f)
      fprintf(stream, "\\u%04x", *s);
    else
      fwrite(s, 1, (size_t)length, stream);
    s += length;
  }
  fputc('"', stream);
}

void cli_json_number(FILE *stream, double value) {
  if (isfinite(value))
    fprintf(stream, "%.15g", value);
  else
    fputs("null", stream);
}

/* One conversion, whose text ends with its letter. */
static void print_value(FILE *stream, const char *conversion, va_list *arguments) {
  char letter = conversion[strlen(conversion) - 1];
  if (letter == 's')
    cli_json_string(stream, va_arg(*arguments, const char *));
  else if (letter == 'g')
    cli_json_number(stream, va_arg(*arguments, double));
  else if (letter == 'f')
    fprintf(stream, conversion, va_arg(*arguments, double));
  else if (strcmp(conversion, "%hhd") == 0)
    fputs(va_arg(*arguments, int) != 0 ? "true" : "false", stream);
  else if (strstr(conversion, "ll") != NULL)
    fprintf(stream, conversion, va_arg(*arguments, long long));
  else if (strchr(conversion, 'l') != NULL)
    fprintf(stream, conversion, va_arg(*arguments, long));
  else
    fprintf(stream, conversion, va_arg(*arguments, int));
}

void cli_jsonf(FILE *stream, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  for (const char *c = format; *c != '\0'; c++) {
    if (*c != '%') {
      fputc(*c == '\'' ? '"' : *c, stream);
      continue;
    }
    char conversion[16];
    size_t size = strcspn(c, "dfgsu") + 1;
    snprintf(conversion, sizeof conversion, "%.*s", (int)size, c);
    print_value(stream, conversion, &arguments);
    c += size - 1;
  }
  va_end(arguments);
}
