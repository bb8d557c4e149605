/* pattern.c - see pattern.h. */
#include "base/files/pattern.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text/text.h"

/* Length of the pattern's prefix that names an existing folder literally. */
static size_t plain_part(char *pattern) {
  size_t plain = 0;
  for (char *slash = strchr(pattern, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
    char next = slash[1];
    slash[1] = '\0'; /* with its slash only a folder has this name */
    bool there = access(pattern, F_OK) == 0;
    slash[1] = next;
    if (!there) break;
    plain = (size_t)(slash - pattern) + 1;
  }
  return plain;
}

int bt_pattern_find(const char *pattern, glob_t *ret_found) {
  *ret_found = (glob_t){0};
  char *copy = strdup(pattern);
  if (copy == NULL) return GLOB_NOSPACE;
  size_t plain = plain_part(copy);
  bt_text text = {0};
  for (size_t k = 0; k < plain; k++) {
    if (strchr("*?[]\\", copy[k]) != NULL) bt_text_add_char(&text, '\\');
    bt_text_add_char(&text, copy[k]);
  }
  bt_text_add_string(&text, pattern + plain);
  int code = text.failed ? GLOB_NOSPACE : glob(text.data, 0, NULL, ret_found);
  bt_text_destroy(&text);
  free(copy);
  return code;
}
