/* remarks.c - reading Meeko's remarks: the SMILES and the index of each atom in it. */
#include <string.h>

#include "base/text/text.h"
#include "formats/pdbqt/pdbqt.h"

static int find_serial(const bt_molecule *molecule, int serial) {
  if (serial >= 1 && serial <= molecule->n_atoms && molecule->atoms[serial - 1].serial == serial) return serial - 1;
  for (int i = 0; i < molecule->n_atoms; i++)
    if (molecule->atoms[i].serial == serial) return i;
  return -1;
}

static bool read_pairs(const bt_molecule *molecule, bt_span rest, bool parent, bt_pdbqt_place *places) {
  for (;;) {
    bt_span first = bt_span_word(&rest), second = bt_span_word(&rest);
    int place, serial, atom;
    if (first.size == 0) return true;
    if (!bt_parse_int(first, &place) || !bt_parse_int(second, &serial) || place < 1 || place > INT32_MAX / 4 ||
        (atom = find_serial(molecule, serial)) < 0 || places[atom].place != 0)
      return false;
    places[atom] = (bt_pdbqt_place){place, parent};
  }
}

const char *bt_pdbqt_find_remarks(const bt_molecule *molecule, bt_span *ret_smiles, bt_pdbqt_place *places) {
  *ret_smiles = (bt_span){0};
  for (int i = 0; i < molecule->n_lines; i++) {
    bt_span line = bt_span_from(molecule->lines[i]);
    if (!bt_span_starts(line, "REMARK ")) continue;
    bool parent = bt_span_starts(line, "REMARK H PARENT"), heavy = bt_span_starts(line, "REMARK SMILES IDX");
    if (parent || heavy) {
      size_t skip = strlen(parent ? "REMARK H PARENT" : "REMARK SMILES IDX");
      if (!read_pairs(molecule, (bt_span){line.text + skip, line.size - skip}, parent, places))
        return parent ? "REMARK H PARENT does not fit the SMILES" : "REMARK SMILES IDX does not name every atom once";
    } else if (bt_span_starts(line, "REMARK SMILES ") && ret_smiles->size == 0) {
      bt_span_word(&line);
      bt_span_word(&line);
      *ret_smiles = bt_span_word(&line);
    }
  }
  return ret_smiles->size > 0 ? NULL : "the file has no REMARK SMILES";
}
