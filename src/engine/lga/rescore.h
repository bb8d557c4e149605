/* rescore.h - the ligands of a screen in further scoring functions. */
#ifndef BERTH_ENGINE_LGA_RESCORE_H
#define BERTH_ENGINE_LGA_RESCORE_H

#include "results/result.h"
#include "store/store.h"

typedef struct bt_rescore_plan {
  const bt_maps *maps[BT_SCREEN_RESCORE]; /* [count] each of another scoring function */
  int count;
  bt_rank_by by;
} bt_rescore_plan;

/* Scores the clusters of a docking in all functions of the plan, and orders them. */
bt_status bt_rescore_all(bt_result *result, const bt_rescore_plan *plan, int threads, bt_error *opt_error) BT_MUST_USE;
/* Puts the energies of the first cluster, and that by which ligands are ranked, into the row. */
void bt_rescore_describe(const bt_result *result, const bt_rescore_plan *plan, bt_store_row *row);
/* "vina,ad4"; text[32]. */
void bt_rescore_names(const bt_rescore_plan *plan, char *text);

#endif
