/* scoring.c - names of the scoring functions. */
#include <assert.h>
#include <berth/score.h>
#include <string.h>

/* All of them, in the order of bt_scoring. */
#define SCORING_FUNCTIONS(X) \
  X(BT_SCORING_AD4, "ad4", "AutoDock 4") X(BT_SCORING_VINA, "vina", "Vina") X(BT_SCORING_VINARDO, "vinardo", "Vinardo")

#define ROW(constant, name, title) [constant] = {name, title},
#define CHOICE(constant, name, title) "|" name

static const struct { const char *name, *title; } known[] = {SCORING_FUNCTIONS(ROW)};

static_assert(sizeof known / sizeof *known == BT_SCORING_COUNT, "one row per scoring function");

static const char choices[] = SCORING_FUNCTIONS(CHOICE);

const char *bt_scoring_choices(void) { return choices + 1; }

const char *bt_scoring_name(bt_scoring scoring) { return known[scoring].name; }
const char *bt_scoring_title(bt_scoring scoring) { return known[scoring].title; }

bool bt_scoring_find(const char *name, bt_scoring *ret_scoring) {
  for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
    if (strcmp(known[k].name, name) != 0) continue;
    *ret_scoring = (bt_scoring)k;
    return true;
  }
  return false;
}
