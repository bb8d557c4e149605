/* write.c - the prepared receptor as PDBQT and PDB text. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "chem/element.h"
#include "prep/receptor/receptor.h"

char bt_receptor_chain_letter(const bt_receptor_work *prep, const bt_structure_residue *residue) {
  return prep->letters[residue - prep->structure->residues];
}

/* Names of up to three letters begin in column 14, unless the element has two letters. */
static void padded_name(const bt_receptor_atom *atom, char text[5]) {
  bool wide = strlen(atom->name) > 3 || (atom->element > 10 && atom->element != 15 && atom->element != 16 &&
                                         atom->element != 19 && atom->element != 53 && strlen(atom->name) > 1);
  snprintf(text, 5, wide ? "%-4.4s" : " %-3.3s", atom->name);
}

void bt_receptor_write_atom(const bt_receptor_work *prep, bt_text *text, int residue, const bt_receptor_atom *atom,
                            int serial, bool pdbqt) {
  const bt_structure_residue *source = bt_receptor_source(prep, residue);
  char name[5];
  padded_name(atom, name);
  double b = fmin(fmax(atom->b_factor, -99.99), 999.99), occupancy = fmin(fmax(atom->occupancy, 0.0), 99.99);
  int number =
      source->number >= -999 && source->number <= 9999 ? source->number : ((source->number % 10000) + 10000) % 10000;
  bt_text_printf(text, "%s%5d %s %-3.3s %c%4d%c   %8.3f%8.3f%8.3f%6.2f%6.2f", source->hetero ? "HETATM" : "ATOM  ",
                 serial % 100000, name, source->name, bt_receptor_chain_letter(prep, source), number, source->icode,
                 atom->x[0], atom->x[1], atom->x[2], occupancy, b);
  if (pdbqt)
    bt_text_printf(text, "    %6.3f %-2s\n", atom->charge, atom->type);
  else
    bt_text_printf(text, "          %2s\n", bt_element_symbol(atom->element));
}

static bool comes_last(const bt_receptor_work *prep, int i) {
  const bt_receptor_residue *r = &prep->residues[i];
  return r->next < 0 && r->template != NULL &&
         (r->template->kind == BT_CLASS_AMINO || r->template->kind == BT_CLASS_NUCLEIC ||
          r->template->kind == BT_CLASS_CAP);
}

/* Heavy atoms in the file's order, each with its hydrogens behind it. */
static void write_residue(bt_receptor_work *prep, int i, int *serial_rigid, int *serial_pdb) {
  const bt_receptor_residue *r = &prep->residues[i];
  for (int a = 0; a < r->n_atoms; a++) {
    if (r->atoms[a].parent >= 0) continue;
    for (int h = -1; h < r->n_atoms; h++) {
      const bt_receptor_atom *atom = h < 0 ? &r->atoms[a] : &r->atoms[h];
      if (h >= 0 && atom->parent != a) continue;
      bt_receptor_write_atom(prep, &prep->pdb, i, atom, ++*serial_pdb, false);
      if (!bt_receptor_moves(r, atom)) bt_receptor_write_atom(prep, &prep->rigid, i, atom, ++*serial_rigid, true);
    }
  }
  if (comes_last(prep, i)) bt_text_add_string(&prep->rigid, "TER\n");
  if (comes_last(prep, i)) bt_text_add_string(&prep->pdb, "TER\n");
}

bt_status bt_receptor_write(bt_receptor_work *prep) {
  int serial_rigid = 0, serial_pdb = 0;
  bt_text_printf(&prep->rigid, "REMARK  Receptor prepared by Berth %s from %.60s\n", BT_VERSION,
                 strrchr(prep->label, '/') != NULL ? strrchr(prep->label, '/') + 1 : prep->label);
  bt_text_add_string(&prep->flexible, "");
  for (int i = 0; i < prep->n_residues; i++)
    if (prep->residues[i].fate == BT_FATE_KEPT) write_residue(prep, i, &serial_rigid, &serial_pdb);
  for (int k = 0; k < prep->n_pseudo; k++)
    bt_receptor_write_atom(prep, &prep->rigid, prep->pseudo_residue[k], &prep->pseudo[k], ++serial_rigid, true);
  bt_text_add_string(&prep->pdb, "END\n");
  if (serial_rigid == 0)
    return bt_receptor_fail(prep, "keep some residues (--keep), or give another file",
                            "no atoms are left in the receptor");
  BT_TRY(bt_receptor_write_flexible(prep));
  BT_TRY(bt_text_status(&prep->rigid, prep->opt_error));
  BT_TRY(bt_text_status(&prep->flexible, prep->opt_error));
  return bt_text_status(&prep->pdb, prep->opt_error);
}
