/* constrain.c - see constrain.h. */
#include "constrain/constrain.h"

#include <berth/place.h>

#include "common/report.h"

cli_constrain cli_constrain_default(void) {
  return (cli_constrain){.core_tolerance = bt_constraint_options_default().core_tolerance};
}

void cli_constrain_free(cli_constrain *constrain) {
  cli_list_free(&constrain->required);
  cli_list_free(&constrain->preferred);
}

bool cli_constrain_check(const cli_spec *spec, const cli_constrain *constrain) {
  static const char *const of_core[] = {"core-smarts", "core-tolerance", "core-missing"};
  for (int k = 0; k < CLI_COUNT(of_core); k++)
    if (cli_given(spec, of_core[k]) && constrain->opt_core == NULL)
      return cli_refuse(spec->program, "--%s has no effect without --core; add --core FILE or remove it", of_core[k]);
  return true;
}

bool cli_constrain_resolve(const cli_spec *spec, cli_constrain *constrain, const char *receptor, cli_prepare *prepare) {
  bt_place place;
  if (constrain->opt_core == NULL || receptor == NULL) return true;
  constrain->opt_core_structure = bt_is_structure_file(receptor) ? receptor : NULL;
  if (bt_place_find(constrain->opt_core, constrain->opt_core_structure, &place, NULL) != BT_OK)
    return cli_refuse(spec->program, "out of memory");
  if (place.opt_residues != NULL || bt_is_structure_file(place.path)) {
    constrain->opt_core_template = prepare->ligands.opt_template;
    prepare->ligands.opt_template = NULL;
  }
  bt_place_clear(&place);
  return constrain->opt_core_structure == NULL ||
         cli_prepare_take_out(spec->program, prepare, receptor, constrain->opt_core);
}

bt_status cli_constrain_open(const cli_constrain *constrain, const bt_receptor *receptor,
                             bt_constraints **ret_constraints, bt_error *opt_error) {
  bt_constraint_options options = bt_constraint_options_default();
  options.required = constrain->required.items;
  options.n_required = constrain->required.count;
  options.preferred = constrain->preferred.items;
  options.n_preferred = constrain->preferred.count;
  options.opt_pharmacophore = constrain->opt_pharmacophore;
  options.opt_core = constrain->opt_core;
  options.opt_core_structure = constrain->opt_core_structure;
  options.opt_core_template = constrain->opt_core_template;
  options.opt_core_smarts = constrain->opt_core_smarts;
  options.core_tolerance = constrain->core_tolerance;
  options.core_optional = constrain->core_missing == 1;
  return bt_constraints_create(&options, bt_receptor_rigid(receptor), ret_constraints, opt_error);
}
