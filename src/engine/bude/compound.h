/* compound.h - a ligand as the second engine knows it: all atoms, bonds, conformers; the heavy atoms typed. */
#ifndef BERTH_ENGINE_BUDE_COMPOUND_H
#define BERTH_ENGINE_BUDE_COMPOUND_H

#include <berth/bude.h>

#include "chem/chemistry.h"
#include "chem/molecule.h"
#include "forcefield/bude.h"
#include "formats/mol2.h"
#include "kernel/bude/launch.h"

struct bt_bude_compound {
  bt_mol2 *mol2;         /* atoms, bonds, conformers */
  bt_molecule *molecule; /* the same atoms in the same order, with name, notes and, if they are known, bonds */
  bt_error no_bonds;     /* why they are not */
  bool automatic;        /* types are ours and may give way to simpler ones */
  int n_heavy;
  int *heavy, *type; /* [n_heavy] atoms of mol2; rows of the force field */
};

/* Which force field, and what to call types that it lacks. */
typedef struct bt_bude_typing {
  const bt_bude_forcefield *forcefield;
  const char *label; /* of the force field in messages */
  const char *const *aliases;
  int n_aliases;
} bt_bude_typing;

/* The row of a Tripos type; automatic: of the type that it refines where there is none. -1: none. */
int bt_bude_typing_find(const bt_bude_typing *typing, const char *type, bool automatic);
/* The row of an atom of a receptor: by residue and name where the force field has residues, else by type. */
int bt_bude_typing_find_residue(const bt_bude_typing *typing, const char *residue, const char *name, const char *type,
                                bool automatic);
/* BT_ERR_PARAMETER that says what is missing. */
bt_status bt_bude_typing_fail(const bt_bude_typing *typing, bt_where where, const char *type, const char *name,
                              bt_error *opt_error);

/* Makes a compound of the molecule and what RDKit knows of it, which it takes over also after a failure. */
bt_status bt_bude_compound_create(bt_mol2 *mol2, bt_rdmol *opt_mol, const char *name,
                                  bt_bude_compound **ret_compound, bt_error *opt_error) BT_MUST_USE;
/* Finds heavy atoms and their types. BT_ERR_PARAMETER, BT_ERR_INPUT without heavy atoms. */
bt_status bt_bude_compound_type(bt_bude_compound *compound, const bt_bude_typing *typing,
                                bt_error *opt_error) BT_MUST_USE;
/* Makes its molecule of the first conformer. */
bt_status bt_bude_compound_finish(bt_bude_compound *compound, bt_error *opt_error) BT_MUST_USE;
/* Conformers of one file with the same name, atoms, types and bonds in the same order? */
bool bt_bude_compound_same(const bt_bude_compound *a, const bt_bude_compound *b);
/* Moves the conformers of the second to the end of the first's. */
bt_status bt_bude_compound_join(bt_bude_compound *compound, const bt_bude_compound *more,
                                bt_error *opt_error) BT_MUST_USE;

/* Coordinates of all atoms of a conformer. */
const double (*bt_bude_compound_x(const bt_bude_compound *compound, int conformer))[3];
/* Middle of the heavy atoms. */
void bt_bude_compound_center(const bt_bude_compound *compound, int conformer, double ret_center[3]);
/* Heavy atoms about their middle; ret_atoms[n_heavy]. Returns the largest distance from it, Angstrom. */
double bt_bude_compound_atoms(const bt_bude_compound *compound, int conformer, bt_bude_atom *ret_atoms);
/* Key of a conformer's random numbers: of its name and number, not of its place in a file. */
uint32_t bt_bude_compound_id(const bt_bude_compound *compound, int conformer);

#endif
