/* atoms.c - what an atom of a PDBQT molecule can do, by its AutoDock type. */
#include "base/vector.h"
#include "chem/element.h"
#include "constrain/constrain.h"

static const double bond_of_hydrogen = 1.45; /* Angstrom, of S-H and some */

bool bt_atom_is_heavy(const bt_molecule *molecule, int atom) {
  return bt_element_of_type(molecule->atoms[atom].type) > 1 && !bt_atom_of_side_chain(molecule, &molecule->atoms[atom]);
}

static bool has_polar_hydrogen(const bt_molecule *molecule, int atom) {
  for (int i = 0; i < molecule->n_atoms; i++) {
    const bt_atom *h = &molecule->atoms[i];
    if (bt_element_of_type(h->type) != 1 || h->type[1] == '\0') continue; /* H: on carbon */
    if (bt_v3_distance2(h->x, molecule->atoms[atom].x) < bond_of_hydrogen * bond_of_hydrogen) return true;
  }
  return false;
}

static bool is_polar(const char *type) {
  int element = bt_element_of_type(type);
  return element == 7 || element == 8 || element == 16;
}

bool bt_atom_is_of_kind(const bt_molecule *molecule, int atom, bt_atom_kind kind) {
  const char *type = molecule->atoms[atom].type;
  if (!bt_atom_is_heavy(molecule, atom)) return false;
  switch (kind) {
    case BT_ATOMS_HEAVY: return true;
    case BT_ATOMS_DONOR: return is_polar(type) && has_polar_hydrogen(molecule, atom);
    case BT_ATOMS_ACCEPTOR: return is_polar(type) && type[1] != '\0'; /* NA, OA, SA, NS, OS */
    case BT_ATOMS_AROMATIC: return type[0] == 'A' && type[1] == '\0';
    case BT_ATOMS_BINDER: return is_polar(type);
    case BT_ATOMS_PATTERN: break;
  }
  return false;
}
