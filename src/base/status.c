/* status.c - names, texts and formatting of errors. */
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *bt_status_name(bt_status status) {
#define NAME(name, text) \
  if (status == name) return #name;
  BT_STATUS_LIST(NAME)
  return "BT_ERR_UNKNOWN";
}

const char *bt_status_text(bt_status status) {
#define TEXT(name, text) \
  if (status == name) return text;
  BT_STATUS_LIST(TEXT)
  return "unknown status";
}

bool bt_status_concerns_ligand(bt_status status) {
  return status == BT_ERR_INPUT || status == BT_ERR_PARAMETER || status == BT_ERR_BOX || status == BT_ERR_LIMIT ||
         status == BT_ERR_FILTERED;
}

bt_status bt_fail(bt_error *opt_error, bt_status status, bt_where where, const char *remedy,
                  const char *message_format, ...) {
  if (opt_error == NULL) return status;
  memset(opt_error, 0, sizeof *opt_error);
  opt_error->status = status;
  opt_error->line = where.line;
  opt_error->atom = where.atom;
  if (where.file != NULL) snprintf(opt_error->file, sizeof opt_error->file, "%s", where.file);
  if (remedy != NULL) snprintf(opt_error->remedy, sizeof opt_error->remedy, "%s", remedy);
  va_list arguments;
  va_start(arguments, message_format);
  vsnprintf(opt_error->message, sizeof opt_error->message, message_format, arguments);
  va_end(arguments);
  return status;
}

bt_status bt_fail_memory(bt_error *opt_error) {
  return bt_fail(opt_error, BT_ERR_MEMORY, (bt_where){0}, "free memory or dock a smaller input", "out of memory");
}

const char *bt_error_format(const bt_error *error, char *buffer, size_t size) {
  char place[600] = "";
  size_t used = 0;
  if (error->file[0] != '\0') {
    if (error->line > 0)
      snprintf(place, sizeof place, "%s:%ld: ", error->file, error->line);
    else
      snprintf(place, sizeof place, "%s: ", error->file);
    used = strlen(place);
  }
  if (error->atom > 0) snprintf(place + used, sizeof place - used, "atom %ld: ", error->atom);
  const char *message = error->message[0] != '\0' ? error->message : bt_status_text(error->status);
  snprintf(buffer, size, "%s%s%s%s", place, message, error->remedy[0] != '\0' ? "; " : "", error->remedy);
  return buffer;
}
