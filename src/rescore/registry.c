/* registry.c - the re-scorers of this build. To add one: its line in RESCORERS. */
#include <stdio.h>
#include <string.h>

#include "base/text/text.h"
#include "rescore/rescorer.h"

/* Name in options, files and databases, of lower case letters, digits and underscores; title in text; functions. */
#define RESCORERS(X)                                \
  X("ad4", "AutoDock 4", bt_rescorer_of_forcefield) \
  X("vina", "Vina", bt_rescorer_of_forcefield)      \
  X("vinardo", "Vinardo", bt_rescorer_of_forcefield) \
  X("vina_metals", "Vina with metals", bt_rescorer_of_forcefield) \
  X("cnn", "CNN", bt_rescorer_of_networks)

/* Declared here because nothing else uses them. */
#define DECLARE(name, title, type) extern const bt_rescorer_type type;
RESCORERS(DECLARE)
#undef DECLARE

#define ROW(name, title, type) {name, title, &type},
static const struct {
  const char *name, *title;
  const bt_rescorer_type *type;
} known[] = {RESCORERS(ROW)};

enum { KNOWN = sizeof known / sizeof *known };

#define LISTED(name, title, type) ", " name

static int find(bt_span name) {
  for (int k = 0; k < KNOWN; k++)
    if (bt_span_equals(name, known[k].name)) return k;
  return -1;
}

static bt_rescorer_info info_of(int k) {
  bt_rescorer_info info = {.name = known[k].name,
                           .title = known[k].title,
                           .value_names = known[k].type->opt_values,
                           .unitless = known[k].type->unitless};
  while (info.value_names != NULL && info.value_names[info.n_values] != NULL) info.n_values++;
  return info;
}

/* The next name of a list, which is taken off it. */
static bt_span next_name(const char **names) {
  bt_span name = {*names, strcspn(*names, ",")};
  *names += name.size + ((*names)[name.size] == ',');
  return name;
}

bt_rescorer_info bt_rescorer(const char *names, int index) {
  bt_rescorer_info none = {.name = NULL};
  while (names[0] != '\0') {
    int k = find(next_name(&names));
    if (k >= 0 && index-- == 0) return info_of(k);
  }
  return none;
}

const bt_rescorer_type *bt_rescorer_functions(const char *name) {
  int k = find(bt_span_from(name));
  return k >= 0 ? known[k].type : NULL;
}

const char *bt_rescorer_title(const char *name) {
  int k = find(bt_span_from(name));
  return k >= 0 ? known[k].title : name;
}

bt_rank_by bt_rank_default(const char *rescorers) {
  bt_rescorer_info by;
  for (int k = 0; (by = bt_rescorer(rescorers, k)).name != NULL; k++)
    if (by.unitless) return BT_RANK_SUM;
  return BT_RANK_RANKS;
}

bool bt_rank_is_energy(const char *ranked_by) {
  int k = find(bt_span_from(ranked_by));
  return strcmp(ranked_by, bt_rank_name(BT_RANK_SUM)) != 0 && (k < 0 || !known[k].type->unitless);
}

bt_status bt_rescorers_check(const char *names, const char *opt_docking, bt_error *opt_error) {
  bool seen[KNOWN] = {false};
  char remedy[256];
  snprintf(remedy, sizeof remedy, "use a list of %s", &(RESCORERS(LISTED))[2]);
  int docking = opt_docking != NULL ? find(bt_span_from(opt_docking)) : -1;
  while (names[0] != '\0') {
    bt_span name = next_name(&names);
    int k = find(name), length = name.size < 40 ? (int)name.size : 40;
    if (k < 0)
      return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, remedy, "'%.*s' is not a re-scorer", length, name.text);
    if (k == docking)
      return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "leave it out",
                     "%s is the scoring function of the docking itself", known[k].name);
    if (seen[k])
      return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "name each re-scorer once", "%s is given twice",
                     known[k].name);
    seen[k] = true;
  }
  return BT_OK;
}
