/* constraint.c - how the poses of a result meet the constraints of their ligand. */
#include <berth/constrain.h>

#include "pose/restraints.h"
#include "results/constraint.h"

void bt_constraints_add_text(bt_text *text, const bt_result *result, int pose) {
  int count = bt_result_constraint_count(result);
  for (int k = 0; k < count; k++) {
    bt_constraint_verdict of = bt_result_constraint(result, pose, k);
    bt_text_printf(text, "%s%s %.2f%s", k > 0 ? "; " : "", of.name, of.distance, of.met ? "" : " missed");
  }
}

int bt_result_constraint_count(const bt_result *result) {
  const bt_restraints *restraints = result->ligand->restraints;
  return restraints != NULL ? restraints->n_constraints : 0;
}

bt_constraint_verdict bt_result_constraint(const bt_result *result, int pose, int constraint) {
  const bt_restraints *restraints = result->ligand->restraints;
  const bt_constraint_state *state = &restraints->constraints[constraint];
  bt_constraint_pose at = bt_restraints_judge(restraints, constraint, result->runs[pose].xyz);
  return (bt_constraint_verdict){.name = state->name,
                                 .required = state->required,
                                 .met = at.miss <= BT_RESTRAINT_SLACK,
                                 .distance = at.distance,
                                 .miss = at.miss,
                                 .energy = at.energy};
}
