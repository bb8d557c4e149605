/* covalent.c - see covalent.h. */
#include "input/covalent.h"

#include <berth/place.h>

#include "common/report.h"

bool cli_covalent_check(const cli_spec *spec, const cli_prepare *prepare, const char *receptor) {
  if (prepare->receptor.opt_covalent == NULL)
    return !cli_given(spec, "warhead") ||
           cli_refuse(spec->program, "--warhead needs a residue; name it with --covalent, or remove --warhead");
  if (!bt_structure_file_is(receptor))
    return cli_refuse(spec->program, "--covalent needs a receptor to be prepared; give a .pdb or .cif file");
  return true;
}

void cli_covalent_box(const cli_spec *spec, const cli_prepare *prepare, cli_box_request *box) {
  if (prepare->receptor.opt_covalent == NULL || cli_box_given(spec) || box->opt_autobox != NULL) return;
  box->opt_autobox = prepare->receptor.opt_covalent;
  if (!cli_given(spec, "padding")) box->padding = BT_BOX_COVALENT_PADDING;
}

void cli_covalent_bind(const cli_receptor *receptor, cli_prepare *prepare) {
  if (receptor->opt_prepared != NULL) prepare->ligands.opt_tether = bt_prepared_receptor_tether(receptor->opt_prepared);
}
