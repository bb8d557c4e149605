/* constrain.h - constraints as they are kept: words, resolved against the receptor. */
#ifndef BERTH_CONSTRAIN_CONSTRAIN_H
#define BERTH_CONSTRAIN_CONSTRAIN_H

#include <berth/constrain.h>

#include "base/memory.h"
#include "base/text/text.h"
#include "chem/rdkit.h"
#include "pose/ligand.h"
#include "pose/restraints.h"

/* kcal/mol/Angstrom */
#define BT_REQUIRED_FORCE 10.0
#define BT_PREFERRED_FORCE 1.0

/* Atoms of a ligand that may meet a constraint. */
typedef enum bt_atom_kind {
  BT_ATOMS_HEAVY,
  BT_ATOMS_DONOR, /* with a polar hydrogen */
  BT_ATOMS_ACCEPTOR,
  BT_ATOMS_AROMATIC,
  BT_ATOMS_BINDER, /* N, O and S, which bind metals */
  BT_ATOMS_PATTERN /* the first atom of the spec's pattern */
} bt_atom_kind;

/* Atoms of one kind, and the points of which any should be near one of them. */
typedef struct bt_constraint_link {
  bt_atom_kind kind;
  double (*points)[3]; /* [n_points] Angstrom */
  int n_points;
  size_t room;
} bt_constraint_link;

/* One constraint that is not a core. */
typedef struct bt_constraint_spec {
  char *name; /* the word */
  bool required;
  bool every;         /* a restraint of each atom, not one for all */
  double least, most; /* Angstrom */
  bt_constraint_link links[2];
  int n_links;
  bt_smarts *pattern; /* of BT_ATOMS_PATTERN */
} bt_constraint_spec;

struct bt_constraints {
  bt_constraint_spec *specs; /* [n_specs] */
  size_t n_specs, room;
  bt_molecule *core; /* NULL: there is no core */
  bt_smarts *core_pattern;
  char *opt_core_smarts; /* its text */
  double core_tolerance;
  bool core_optional;
  char *words;
};

void bt_constraint_spec_clear(bt_constraint_spec *spec);
bt_status bt_constraint_add_point(bt_constraint_link *link, const double point[3], bt_error *opt_error) BT_MUST_USE;

/* Do any of them need to know the bonds of a ligand? */
bool bt_constraints_need_bonds(const bt_constraints *constraints);

/* words.c: one word; opt_receptor as for bt_constraints_create. */
bt_status bt_constraint_parse(bt_span word, bool required, const bt_molecule *opt_receptor,
                              bt_constraint_spec *ret_spec, bt_error *opt_error) BT_MUST_USE;
/* pharmacophore.c: all points of a file. */
bt_status bt_constraints_read_points(const char *path, bt_constraints *constraints, bt_error *opt_error) BT_MUST_USE;
/* site.c: fills the links of a word that names a residue. */
typedef enum bt_site_kind { BT_SITE_HBOND, BT_SITE_CONTACT, BT_SITE_METAL, BT_SITE_NEAR } bt_site_kind;
bt_status bt_constraint_find_site(bt_site_kind kind, bt_span residue, bt_span opt_atom, const bt_molecule *receptor,
                                  bt_constraint_spec *spec, bt_error *opt_error) BT_MUST_USE;
/* atoms.c: of a molecule's atoms [n_atoms], those of a kind. */
bool bt_atom_is_heavy(const bt_molecule *molecule, int atom);
bool bt_atom_is_of_kind(const bt_molecule *molecule, int atom, bt_atom_kind kind);
/* core.c */
bt_status bt_constraints_open_core(const bt_constraint_options *options, const bt_molecule *opt_receptor,
                                   bt_constraints *constraints, bt_error *opt_error) BT_MUST_USE;
bt_status bt_constraints_apply_core(const bt_constraints *constraints, const bt_ligand *ligand, bt_restraints *list,
                                    bt_error *opt_error) BT_MUST_USE;
/* restore.c: constraints of a screen, whose database keeps their words, the pattern of the core and its molecule. */

/* words as bt_constraints_words gave them. Without the PDBQT of its molecule the core is left out; ligands may lack it.
 * *ret_constraints is NULL where nothing is left. */
bt_status bt_constraints_restore(const char *words, const char *opt_core, const char *opt_core_smarts,
                                 const bt_molecule *opt_receptor, bt_constraints **ret_constraints,
                                 bt_error *opt_error) BT_MUST_USE;

#endif
