/* poses.c - a prepared ligand in other coordinates, as SDF on its own topology and as PDBQT text. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "chem/chemistry.h"
#include "chem/molecule.h"

bt_status bt_molecule_pdbqt(const bt_molecule *molecule, char **ret_text, bt_error *opt_error) {
  bt_text text = {0};
  for (int i = 0; i < molecule->n_lines; i++) {
    bt_text_add_string(&text, molecule->lines[i]);
    bt_text_add_char(&text, '\n');
  }
  if (molecule->n_lines == 0) bt_text_add_string(&text, "");
  BT_TRY(bt_text_status(&text, opt_error));
  *ret_text = text.data;
  return BT_OK;
}

bt_status bt_molecule_write_pdbqt(const bt_molecule *molecule, const char *path, bt_error *opt_error) {
  char *text;
  BT_TRY(bt_molecule_pdbqt(molecule, &text, opt_error));
  bt_status status = bt_file_write(path, text, strlen(text), opt_error);
  free(text);
  return status;
}

bt_status bt_molecule_sdf(const bt_molecule *molecule, const double (*opt_coordinates)[3], const bt_sdf_tag *tags,
                          int n_tags, char **ret_text, bt_error *opt_error) {
  const bt_chemistry *chemistry = molecule->chemistry;
  if (!bt_molecule_has_chemistry(molecule))
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = molecule->path},
                   "give the ligand as SDF, MOL2 or SMILES, or as PDBQT with Meeko's REMARK SMILES lines",
                   "the bonds of this ligand are not known");
  (void)opt_coordinates;
  return bt_rdmol_write_sdf(chemistry->mol, (const double(*)[3])chemistry->x, tags, n_tags, ret_text, opt_error);
}

bt_status bt_molecule_find_chemistry(bt_molecule *molecule, bt_error *opt_error) {
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = molecule->path}, "", "not yet");
}
