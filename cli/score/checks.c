/* checks.c - `berth score --checks`: are the poses plausible? */
#include <berth/place.h>

#include "common/report.h"
#include "score/state.h"

bool score_checks_fit(const score_state *state, bool maps) {
  if (state->checks && state->minimize)
    return cli_refuse(state->program, "--checks is for the input pose; remove it or --minimize");
  if (!state->checks && state->checks_energy)
    return cli_refuse(state->program, "--checks-energy is a part of the checks; add --checks");
  if (!state->checks && state->opt_reference != NULL && state->interactions.opt_table == NULL)
    return cli_refuse(state->program,
                      "--reference is for the checks or the table of interactions; add --checks or "
                      "--interactions");
  if (state->checks && maps)
    return cli_refuse(state->program, "--checks needs the receptor's atoms; use a .pdb, .cif or .pdbqt receptor");
  if (state->checks && state->prepare.receptor.opt_covalent != NULL)
    return cli_refuse(state->program, "covalent ligands cannot be checked; remove --checks");
  return true;
}

static bt_status read_reference(score_state *state, bt_error *error) {
  bt_place place;
  if (state->opt_reference == NULL) return BT_OK;
  const char *structure = bt_is_structure_file(state->receptor) ? state->receptor : NULL;
  BT_TRY(bt_place_find(state->opt_reference, structure, &place, error));
  bt_status status = bt_place_molecule(&place, state->prepare.receptor.model, state->prepare.ligands.opt_template, NULL,
                                       &state->reference, error);
  bt_place_clear(&place);
  return status;
}

bt_status score_open_checker(score_state *state, bt_error *opt_error) {
  BT_TRY(read_reference(state, opt_error));
  if (!state->checks) return BT_OK;
  return bt_checker_open(state->receptor_file.rigid, state->reference, state->checks_energy, &state->checker,
                         opt_error);
}

bt_status score_check(const score_state *state, bt_molecule *molecule, bt_checks *ret_checks, score_line *line,
                      bt_error *opt_error) {
  if (state->checker == NULL) return BT_OK;
  if (!bt_molecule_has_chemistry(molecule)) BT_TRY(bt_molecule_find_chemistry(molecule, opt_error));
  BT_TRY(bt_checker_check(state->checker, molecule, state->plan.opt_flexible, ret_checks, opt_error));
  line->opt_checks = ret_checks;
  return BT_OK;
}
