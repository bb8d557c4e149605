/* write.c - the prepared receptor as PDBQT and PDB text. */
#include <berth/build.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
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

static int number_of(const bt_structure_residue *source) {
  return source->number >= -999 && source->number <= 9999 ? source->number : ((source->number % 10000) + 10000) % 10000;
}

/* Up to the B factor. */
static void write_columns(const bt_receptor_work *prep, bt_text *text, int residue, const bt_receptor_atom *atom,
                          int serial) {
  const bt_structure_residue *source = bt_receptor_source(prep, residue);
  char name[5];
  padded_name(atom, name);
  double b = fmin(fmax(atom->b_factor, -99.99), 999.99), occupancy = fmin(fmax(atom->occupancy, 0.0), 99.99);
  bt_text_printf(text, "%s%5d %s %-3.3s %c%4d%c   %8.3f%8.3f%8.3f%6.2f%6.2f", source->hetero ? "HETATM" : "ATOM  ",
                 serial % 100000, name, source->name, bt_receptor_chain_letter(prep, source), number_of(source),
                 source->icode, atom->x[0], atom->x[1], atom->x[2], occupancy, b);
}

void bt_receptor_write_atom(const bt_receptor_work *prep, bt_text *text, int residue, const bt_receptor_atom *atom,
                            int serial) {
  write_columns(prep, text, residue, atom, serial);
  bt_text_printf(text, "          %2s\n", bt_element_symbol(atom->element));
}

bt_status bt_receptor_add_pdbqt(bt_receptor_work *prep, bool flexible, int residue, const bt_receptor_atom *atom) {
  const bt_structure_residue *source = bt_receptor_source(prep, residue);
  bt_molecule *molecule = flexible ? prep->flexible : prep->rigid;
  bt_text *text = flexible ? &prep->flexible_text : &prep->rigid_text;
  if (!BT_GROW(molecule->atoms, flexible ? &prep->flexible_room : &prep->rigid_room, molecule->n_atoms + 1))
    return bt_fail_memory(prep->opt_error);
  bt_atom *to = &molecule->atoms[molecule->n_atoms++];
  *to = (bt_atom){.charge = bt_pdbqt_round(atom->charge),
                  .serial = molecule->n_atoms % 100000,
                  .fragment = molecule->n_fragments - 1,
                  .resnum = number_of(source),
                  .chain = bt_receptor_chain_letter(prep, source),
                  .icode = source->icode};
  for (int k = 0; k < 3; k++) {
    to->x[k] = bt_pdbqt_round(atom->x[k]);
    if (!(atom->x[k] > -999.9 && atom->x[k] < 9999.9))
      return bt_receptor_fail(prep, "move the receptor towards the origin",
                              "a coordinate of %.3g does not fit the columns of PDBQT", atom->x[k]);
  }
  snprintf(to->name, sizeof to->name, "%.4s", atom->name);
  snprintf(to->resname, sizeof to->resname, "%.3s", source->name);
  memcpy(to->type, atom->type, sizeof to->type);
  write_columns(prep, text, residue, atom, molecule->n_atoms);
  bt_text_printf(text, "    %6.3f %-2s\n", atom->charge, atom->type);
  return BT_OK;
}

static bool comes_last(const bt_receptor_work *prep, int i) {
  const bt_receptor_residue *r = &prep->residues[i];
  return r->next < 0 && r->template != NULL &&
         (r->template->kind == BT_CLASS_AMINO || r->template->kind == BT_CLASS_NUCLEIC ||
          r->template->kind == BT_CLASS_CAP);
}

/* Heavy atoms in the file's order, each followed by its hydrogens. */
static bt_status write_residue(bt_receptor_work *prep, int i, int *serial_pdb) {
  const bt_receptor_residue *r = &prep->residues[i];
  for (int a = 0; a < r->n_atoms; a++) {
    if (r->atoms[a].parent >= 0) continue;
    for (int h = -1; h < r->n_atoms; h++) {
      const bt_receptor_atom *atom = h < 0 ? &r->atoms[a] : &r->atoms[h];
      if (h >= 0 && atom->parent != a) continue;
      bt_receptor_write_atom(prep, &prep->pdb, i, atom, ++*serial_pdb);
      if (!bt_receptor_moves(r, atom)) BT_TRY(bt_receptor_add_pdbqt(prep, false, i, atom));
    }
  }
  if (comes_last(prep, i)) bt_text_add_string(&prep->rigid_text, "TER\n");
  if (comes_last(prep, i)) bt_text_add_string(&prep->pdb, "TER\n");
  return BT_OK;
}

static bt_status set_lines(bt_molecule *molecule, const bt_text *text, bt_error *opt_error) {
  BT_TRY(bt_molecule_set_lines(molecule, text, opt_error));
  bt_molecule_index_lines(molecule);
  return BT_OK;
}

bt_status bt_receptor_write(bt_receptor_work *prep) {
  int serial_pdb = 0;
  BT_TRY(bt_molecule_create(BT_MOLECULE_RECEPTOR, prep->path, prep->options->opt_name, &prep->rigid, prep->opt_error));
  BT_TRY(bt_molecule_create(BT_MOLECULE_FLEXIBLE, prep->path, NULL, &prep->flexible, prep->opt_error));
  bt_text_printf(&prep->rigid_text, "REMARK  Receptor prepared by Berth %s from %.60s\n", BT_VERSION,
                 strrchr(prep->label, '/') != NULL ? strrchr(prep->label, '/') + 1 : prep->label);
  bt_text_add_string(&prep->flexible_text, "");
  for (int i = 0; i < prep->n_residues; i++)
    if (prep->residues[i].fate == BT_FATE_KEPT) BT_TRY(write_residue(prep, i, &serial_pdb));
  for (int k = 0; k < prep->n_pseudo; k++)
    BT_TRY(bt_receptor_add_pdbqt(prep, false, prep->pseudo_residue[k], &prep->pseudo[k]));
  bt_text_add_string(&prep->pdb, "END\n");
  if (prep->rigid->n_atoms == 0)
    return bt_receptor_fail(prep, "keep some residues (--keep), or use another file",
                            "the receptor has no atoms left");
  BT_TRY(bt_receptor_write_flexible(prep));
  BT_TRY(set_lines(prep->rigid, &prep->rigid_text, prep->opt_error));
  BT_TRY(set_lines(prep->flexible, &prep->flexible_text, prep->opt_error));
  return bt_text_status(&prep->pdb, prep->opt_error);
}
