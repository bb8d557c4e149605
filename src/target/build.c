/* build.c - a molecule from arrays of atoms and bonds: written as an SDF record, which is read and prepared. */
#include <berth/target.h>
#include <string.h>

#include "base/memory.h"
#include "base/text/text.h"

static bt_status check(const bt_atom_input *atoms, int n_atoms, const bt_bond_input *bonds, int n_bonds,
                       bt_error *opt_error) {
  for (int i = 0; i < n_bonds; i++) {
    const bt_bond_input *b = &bonds[i];
    if (b->from < 0 || b->to < 0 || b->from >= n_atoms || b->to >= n_atoms || b->from == b->to || b->order < 1 ||
        b->order > 4)
      return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.atom = b->from + 1}, "atoms count from 0, orders are 1 to 4",
                     "bond %d joins atoms %d and %d with order %d", i, b->from, b->to, b->order);
  }
  for (int i = 0; i < n_atoms; i++)
    if (atoms[i].element == NULL || strlen(atoms[i].element) - 1 > 2)
      return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.atom = i + 1}, "use symbols such as C or Cl",
                     "an atom has no element");
  return BT_OK;
}

bt_status bt_molecule_build(const char *name, const bt_atom_input *atoms, int n_atoms, const bt_bond_input *bonds,
                            int n_bonds, const bt_prepare_options *opt_options, bt_molecule **ret_molecule,
                            bt_error *opt_error) {
  *ret_molecule = NULL;
  BT_TRY(check(atoms, n_atoms, bonds, n_bonds, opt_error));
  bool flat = true;
  for (int i = 0; i < n_atoms; i++)
    for (int k = 0; k < 3; k++) flat = flat && atoms[i].x[k] == 0.0;
  bt_text text = {0};
  bt_text_printf(&text, "%s\n     berth          %s\n\n  0  0  0     0  0            999 V3000\n", name, flat ? "2D" : "3D");
  bt_text_printf(&text, "M  V30 BEGIN CTAB\nM  V30 COUNTS %d %d 0 0 0\nM  V30 BEGIN ATOM\n", n_atoms, n_bonds);
  for (int i = 0; i < n_atoms; i++)
    bt_text_printf(&text, "M  V30 %d %s %.6f %.6f %.6f 0 CHG=%d\n", i + 1, atoms[i].element, atoms[i].x[0],
                   atoms[i].x[1], atoms[i].x[2], atoms[i].charge);
  bt_text_printf(&text, "M  V30 END ATOM\nM  V30 BEGIN BOND\n");
  for (int i = 0; i < n_bonds; i++)
    bt_text_printf(&text, "M  V30 %d %d %d %d\n", i + 1, bonds[i].order, bonds[i].from + 1, bonds[i].to + 1);
  bt_text_printf(&text, "M  V30 END BOND\nM  V30 END CTAB\nM  END\n$$$$\n");
  BT_SCOPED char *record = NULL;
  BT_TRY(bt_text_take(&text, &record, opt_error));
  bt_prepare_options options = opt_options != NULL ? *opt_options : bt_prepare_options_default();
  options.opt_format = "sdf";
  bt_ligand_reader *reader;
  BT_TRY(bt_ligand_reader_open_text(record, strlen(record), name, &options, &reader, opt_error));
  bt_status status = bt_ligand_reader_next(reader, ret_molecule, opt_error);
  bt_ligand_reader_close(reader);
  return status;
}
