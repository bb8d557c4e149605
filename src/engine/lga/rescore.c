/* rescore.c - the ligands of a screen in further scoring functions: see rescore.h. */
#include "engine/lga/rescore.h"

#include <berth/score.h>
#include <string.h>

#include "pose/ligand.h"

bt_status bt_rescore_all(bt_result *result, const bt_rescore_plan *plan, int threads, bt_error *opt_error) {
  const bt_ligand *docked = result->ligand;
  for (int k = 0; k < plan->count; k++) {
    bt_ligand *ligand = NULL;
    BT_TRY(bt_ligand_create_as(docked->molecule, docked->opt_flexible, plan->maps[k]->scoring, &ligand, opt_error));
    bt_status status = bt_result_rescore(result, ligand, plan->maps[k], threads, opt_error);
    bt_ligand_destroy(ligand);
    if (status != BT_OK) return status;
  }
  return bt_result_rank(result, plan->by, opt_error);
}

void bt_rescore_describe(const bt_result *result, const bt_rescore_plan *plan, bt_store_row *row) {
  row->rank_energy = bt_result_rank_energy(result, 0);
  if (plan->count == 0) return;
  row->scores[result->ligand->scoring] = row->free_energy;
  row->scored = 1u << result->ligand->scoring;
  for (int k = 0; k < plan->count; k++) {
    bt_rescored of = bt_result_rescored(result, 0, k);
    row->scores[of.scoring] = of.energy.free_energy;
    row->scored |= 1u << of.scoring;
  }
}

void bt_rescore_names(const bt_rescore_plan *plan, char *text) {
  text[0] = '\0';
  for (int k = 0; k < plan->count; k++) strcat(strcat(text, k > 0 ? "," : ""), bt_scoring_name(plan->maps[k]->scoring));
}
