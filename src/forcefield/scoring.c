/* scoring.c - the scoring functions: names, and what distinguishes them. */
#include <assert.h>
#include <berth/score.h>
#include <string.h>

#define AUTODOCK \
  { .charges = true, .energy = "free energy", .types = "A,C,OA" }
#define OF_VINAS_FORM \
  { .sums = true, .affinity = true, .energy = "affinity", .types = "C_H,N_D,O_A" }

/* All of them, in the order of bt_scoring: name, title, traits. */
#define SCORING_FUNCTIONS(X)                                 \
  X(BT_SCORING_AD4, "ad4", "AutoDock 4", AUTODOCK)           \
  X(BT_SCORING_VINA, "vina", "Vina", OF_VINAS_FORM)          \
  X(BT_SCORING_VINARDO, "vinardo", "Vinardo", OF_VINAS_FORM) \
  X(BT_SCORING_VINA_METALS, "vina_metals", "Vina with metals", OF_VINAS_FORM)

#define ROW(constant, name, title, traits) [constant] = {name, title, traits},
#define CHOICE(constant, name, title, traits) "|" name

static const struct {
  const char *name, *title;
  bt_scoring_traits traits;
} known[] = {SCORING_FUNCTIONS(ROW)};

static_assert(sizeof known / sizeof *known == BT_SCORING_COUNT, "one row per scoring function");

static const char choices[] = SCORING_FUNCTIONS(CHOICE);

const char *bt_scoring_choices(void) { return choices + 1; }

const char *bt_scoring_name(bt_scoring scoring) { return known[scoring].name; }
const char *bt_scoring_title(bt_scoring scoring) { return known[scoring].title; }
const bt_scoring_traits *bt_scoring_traits_of(bt_scoring scoring) { return &known[scoring].traits; }

bool bt_scoring_find(const char *name, bt_scoring *ret_scoring) {
  for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
    if (strcmp(known[k].name, name) != 0) continue;
    *ret_scoring = (bt_scoring)k;
    return true;
  }
  return false;
}
