/* properties.c - named values of a ligand, out of tables and SDF records. */
#include "formats/properties.h"

#include <string.h>

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c; }

static bool is_same(bt_span a, bt_span b) {
  if (a.size != b.size || a.size == 0) return false;
  for (size_t i = 0; i < a.size; i++)
    if (lower(a.text[i]) != lower(b.text[i])) return false;
  return true;
}

bool bt_properties_want(const char *list, bt_span name) {
  for (const char *at = list; *at != '\0'; at += *at == ',') {
    size_t size = strcspn(at, ",");
    bt_span word = bt_span_trim((bt_span){at, size});
    if (bt_span_equals(word, "all") || is_same(word, name)) return true;
    at += size;
  }
  return false;
}

/* Control characters count as blanks. */
static bt_span trim(bt_span text) {
  while (text.size > 0 && ((unsigned char)text.text[0] <= ' ' || text.text[0] == 127)) text.text++, text.size--;
  while (text.size > 0 && ((unsigned char)text.text[text.size - 1] <= ' ' || text.text[text.size - 1] == 127))
    text.size--;
  return text;
}

static void add(bt_text *properties, bt_span text, char end) {
  for (size_t i = 0; i < text.size; i++) {
    unsigned char c = (unsigned char)text.text[i];
    bt_text_add_char(properties, c < ' ' || c == 127 ? ' ' : (char)c);
  }
  bt_text_add_char(properties, end);
}

void bt_properties_add(bt_text *properties, bt_span name, bt_span value) {
  name = trim(name);
  value = trim(value);
  if (name.size == 0 || value.size == 0) return;
  add(properties, name, '\t');
  add(properties, value, '\n');
}

/* "> 25 <price> (7)": the name of a data item; empty for other lines. */
static bt_span name_of_item(bt_span line) {
  if (line.size == 0 || line.text[0] != '>') return (bt_span){0};
  const char *open = memchr(line.text, '<', line.size);
  if (open == NULL) return (bt_span){0};
  size_t left = line.size - (size_t)(open + 1 - line.text);
  const char *close = memchr(open + 1, '>', left);
  return close != NULL ? (bt_span){open + 1, (size_t)(close - open - 1)} : (bt_span){0};
}

void bt_properties_of_sdf(bt_span record, const char *list, const char *opt_except, bt_text *properties) {
  bt_lines lines = bt_lines_of(record.text, record.size);
  bt_span line;
  bool in_items = false;
  while (bt_lines_next(&lines, &line)) {
    in_items = in_items || bt_span_starts(line, "M  END"); /* a title may begin with > as well */
    bt_span name = in_items ? name_of_item(line) : (bt_span){0};
    if (name.size == 0) continue;
    bt_span value = {0}; /* up to a blank line */
    while (bt_lines_next(&lines, &line) && bt_span_trim(line).size > 0 && !bt_span_starts(line, "$$$$"))
      value = value.text == NULL ? line : (bt_span){value.text, (size_t)(line.text + line.size - value.text)};
    bool wanted = bt_properties_want(list, bt_span_trim(name));
    if (wanted && (opt_except == NULL || !bt_span_equals(name, opt_except))) bt_properties_add(properties, name, value);
  }
}

bool bt_properties_next(const char **at, bt_span *ret_name, bt_span *ret_value) {
  const char *tab = *at != NULL ? strchr(*at, '\t') : NULL, *end = tab != NULL ? strchr(tab, '\n') : NULL;
  if (end == NULL) return false;
  *ret_name = (bt_span){*at, (size_t)(tab - *at)};
  *ret_value = (bt_span){tab + 1, (size_t)(end - tab - 1)};
  *at = end + 1;
  return true;
}

void bt_properties_select(const char *others, const char *opt_list, bt_text *properties) {
  bt_span name, value;
  while (bt_properties_next(&others, &name, &value))
    if (opt_list == NULL || bt_properties_want(opt_list, name)) bt_properties_add(properties, name, value);
}

bool bt_properties_check(const char *properties) {
  while (*properties != '\0') {
    size_t name = strcspn(properties, "\t\n");
    if (name == 0 || properties[name] != '\t') return false;
    const char *value = properties + name + 1;
    size_t size = strcspn(value, "\t\n");
    if (size == 0 || value[size] != '\n') return false;
    for (const char *c = properties; c < value + size; c++)
      if (c != value - 1 && ((unsigned char)*c < ' ' || *c == 127)) return false;
    properties = value + size + 1;
  }
  return true;
}
