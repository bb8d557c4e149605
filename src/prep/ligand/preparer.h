/* preparer.h - ligands from records that the caller has extracted from their files. */
#ifndef BERTH_PREP_LIGAND_PREPARER_H
#define BERTH_PREP_LIGAND_PREPARER_H

#include <berth/prepare.h>

#include "chem/molecule.h"
#include "chem/rdkit.h"
#include "formats/mol2.h"
#include "formats/records.h"
#include "prep/formats.h"

/* BT_ERR_USAGE in a build without RDKit; opt_label: the file that needs it. */
bt_status bt_ligand_check_rdkit(const char *opt_label, bt_error *opt_error) BT_MUST_USE;
/* BT_ERR_USAGE if an option is out of range. */
bt_status bt_prepare_check(const bt_prepare_options *options, bt_error *opt_error) BT_MUST_USE;

/* Options and compiled rules for many records. One thread at a time. */
typedef struct bt_preparer bt_preparer;

/* opt_shapes: for BT_COORDINATES_BUILT, must outlive the preparer. */
bt_status bt_preparer_create(const bt_prepare_options *options, bt_shapes *opt_shapes, bt_preparer **ret_preparer,
                             bt_error *opt_error) BT_MUST_USE;
void bt_preparer_destroy(bt_preparer *opt_preparer);
/* Adds the ligands of an SDF, MOL2, SMILES or PDB record, one per conformer, named NAME_c1, NAME_c2, ... when there are
 * several. A message about the record begins with its number and name. */
bt_status bt_preparer_run(bt_preparer *preparer, const bt_record *record, bt_molecules *list,
                          bt_error *opt_error) BT_MUST_USE;
/* All that is done before a record becomes ligands: its atoms with hydrogens and charges, in the coordinates that it
 * has. ret_notes: as of bt_ligand_complete. */
bt_status bt_preparer_chemistry(bt_preparer *preparer, const bt_record *record, bt_rdmol **ret_mol, char **ret_notes,
                                bt_error *opt_error) BT_MUST_USE;

/* bt_filter_check of a ligand that is used as it was prepared, by the SMILES of its remarks. BT_ERR_INPUT: it has none.
 */
bt_status bt_preparer_filter(const bt_preparer *preparer, const bt_molecule *molecule, bt_where where,
                             bt_error *opt_error) BT_MUST_USE;

/* Refuses an SDF record that claims more atoms or bonds than it has lines, or more atoms than are prepared:
 * RDKit would make room for them first. where: of its first line. */
bt_status bt_sdf_check(const char *text, size_t size, bt_where where, bt_error *opt_error) BT_MUST_USE;
/* Refuses an SDF record with query atoms or bonds, lists of elements or R groups. where: of its first line. */
bt_status bt_sdf_check_queries(const char *text, size_t size, bt_where where, bt_error *opt_error) BT_MUST_USE;
/* The same for what follows a SMILES, if that is a block of CXSMILES. */
bt_status bt_smiles_check_block(bt_span block, bt_where where, bt_error *opt_error) BT_MUST_USE;
/* As bt_sdf_check for the line of counts of a record of MOL2. */
bt_status bt_mol2_check_counts(bt_span line, const char *text, size_t size, bt_where where,
                               bt_error *opt_error) BT_MUST_USE;
/* Refuses a SMILES with more characters or ring closures than the largest molecule needs, and with more heavy atoms
 * than get coordinates if it has to_embed: parsing alone would take long. */
bt_status bt_smiles_check(bt_span smiles, bool to_embed, bt_where where, bt_error *opt_error) BT_MUST_USE;
/* Refuses more atoms than are prepared. */
bt_status bt_record_check_atoms(long n_atoms, bt_where where, bt_error *opt_error) BT_MUST_USE;
/* Refuses a record of MOL2 with counts that its lines cannot hold. where: of its first line. */
bt_status bt_mol2_check(const char *text, size_t size, bt_where where, bt_error *opt_error) BT_MUST_USE;
/* Orders of aromatic bonds, charges and missing hydrogens are found (chem/valence.h). where: of its first line. */
bt_status bt_mol2_molecule(const bt_mol2 *mol2, bt_where where, bt_rdmol **ret_mol, bt_error *opt_error) BT_MUST_USE;
/* The way back: Tripos types from bonds, coordinates of the first conformer if there is one; no charges. */
bt_status bt_mol2_describe(const bt_rdmol *mol, bt_where where, const char *name, bt_mol2 **ret_mol2,
                           bt_error *opt_error) BT_MUST_USE;
/* The same of a record. */
bt_status bt_mol2_read_molecule(const char *text, size_t size, bt_where where, bt_rdmol **ret_mol,
                                bt_error *opt_error) BT_MUST_USE;

/* True if a note says that stereochemistry is undefined and one isomer was generated. */
bool bt_ligand_has_open_stereo(const bt_molecule *molecule);

#endif
