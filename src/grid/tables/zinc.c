/* zinc.c - pair laws of AutoDock4Zn. */
#include "grid/tables/zinc.h"

#include <string.h>
#include <strings.h>

static const struct {
  char probe[4], partner[4];
  double distance, depth; /* Angstrom, kcal/mol without weight */
} laws[] = {{"NA", "TZ", 0.25, 23.2135}, {"OA", "ZN", 2.1, 3.8453}, {"SA", "ZN", 2.25, 7.5914},
            {"HD", "ZN", 1.0, 0.0},      {"NA", "ZN", 2.0, 0.0060}, {"N", "ZN", 2.0, 0.2966}};

bool bt_grid_zinc_holds(const bt_grid_options *options, const bt_grid_receptor *receptor) {
  if (options->zinc != BT_ZINC_AUTO) return options->zinc == BT_ZINC_ON;
  for (int t = 0; t < receptor->n_types; t++)
    if (strcmp(receptor->types[t]->name, "TZ") == 0) return true;
  return false;
}

bool bt_grid_zinc_pair(const char *probe, const char *partner, double weight, bt_ad4_pair *ret_pair) {
  for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
    if (strcmp(laws[k].probe, probe) != 0 || strcasecmp(laws[k].partner, partner) != 0) continue;
    *ret_pair = bt_ad4_pair_from_well(laws[k].distance, weight * laws[k].depth, 12, 6);
    return true;
  }
  return false;
}
