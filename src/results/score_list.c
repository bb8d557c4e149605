/* score_list.c - scores by the names of who gave them. */
#include "results/score_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Where the name is in the list, or belongs. */
static int place_of(const bt_score_list *list, const char *name) {
  int at = 0;
  while (at < list->count && strcmp(list->items[at].name, name) < 0) at++;
  return at;
}

const bt_named_score *bt_score_list_find(const bt_score_list *list, const char *name) {
  int at = place_of(list, name);
  return at < list->count && strcmp(list->items[at].name, name) == 0 ? &list->items[at] : NULL;
}

bool bt_score_list_add(bt_score_list *list, const char *name, double value) {
  int at = place_of(list, name);
  if (bt_score_list_find(list, name) != NULL) {
    list->items[at].value = value;
    return true;
  }
  char *copy = bt_copy_text(name, strlen(name));
  if (copy == NULL || !BT_GROW(list->items, &list->capacity, list->count + 1)) {
    free(copy);
    return false;
  }
  memmove(&list->items[at + 1], &list->items[at], (size_t)(list->count++ - at) * sizeof *list->items);
  list->items[at] = (bt_named_score){copy, value};
  return true;
}

void bt_score_list_clear(bt_score_list *list) {
  for (int k = 0; k < list->count; k++) free(list->items[k].name);
  free(list->items);
  *list = (bt_score_list){0};
}
