/* atoms.c - what an atom of a PDBQT molecule can do, by its AutoDock type. */
#include "base/vector.h"
#include "chem/glue.h"
#include "constrain/constrain.h"

static const double bond_of_hydrogen = 1.45; /* Angstrom, of S-H and some */

static bool is_hydrogen(const char *type) { return type[0] == 'H' && (type[1] == '\0' || type[1] == 'D' || type[1] == 'S'); }

bool bt_atom_is_heavy(const bt_molecule *molecule, int atom) {
  const char *type = molecule->atoms[atom].type;
  return !is_hydrogen(type) && bt_glue_point(type) < 0 && !bt_is_hydration_water(type) &&
         !bt_atom_of_side_chain(molecule, &molecule->atoms[atom]);
}

static bool has_polar_hydrogen(const bt_molecule *molecule, int atom) {
  for (int i = 0; i < molecule->n_atoms; i++) {
    const bt_atom *h = &molecule->atoms[i];
    if (!is_hydrogen(h->type) || h->type[1] == '\0') continue;
    if (bt_v3_distance2(h->x, molecule->atoms[atom].x) < bond_of_hydrogen * bond_of_hydrogen) return true;
  }
  return false;
}

/* N, NA, NS, OA, OS, O, SA, S; not Na, Si, Se. */
static bool is_polar(const char *type) {
  return (type[0] == 'N' || type[0] == 'O' || type[0] == 'S') &&
         (type[1] == '\0' || ((type[1] == 'A' || type[1] == 'S') && type[2] == '\0'));
}

bool bt_atom_is_of_kind(const bt_molecule *molecule, int atom, bt_atom_kind kind) {
  const char *type = molecule->atoms[atom].type;
  if (!bt_atom_is_heavy(molecule, atom)) return false;
  switch (kind) {
    case BT_ATOMS_HEAVY: return true;
    case BT_ATOMS_DONOR: return is_polar(type) && has_polar_hydrogen(molecule, atom);
    case BT_ATOMS_ACCEPTOR: return is_polar(type) && type[1] != '\0';
    case BT_ATOMS_AROMATIC: return type[0] == 'A' && type[1] == '\0';
    case BT_ATOMS_BINDER: return is_polar(type);
    case BT_ATOMS_PATTERN: break;
  }
  return false;
}
