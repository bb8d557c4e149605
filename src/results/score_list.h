/* score_list.h - scores by the names of who gave them. */
#ifndef BERTH_RESULTS_SCORE_LIST_H
#define BERTH_RESULTS_SCORE_LIST_H

#include <stdbool.h>
#include <stddef.h>

typedef struct bt_named_score {
  char *name; /* of a scoring function or another re-scorer */
  double value;
} bt_named_score;

/* Starts as {0}. */
typedef struct bt_score_list {
  bt_named_score *items; /* [count] in the order of the names */
  int count;
  size_t capacity;
} bt_score_list;

/* Adds a score, or replaces that of the same name. False when memory is exhausted. */
bool bt_score_list_add(bt_score_list *list, const char *name, double value);
/* NULL: there is none. */
const bt_named_score *bt_score_list_find(const bt_score_list *list, const char *name);
void bt_score_list_clear(bt_score_list *list);

#endif
