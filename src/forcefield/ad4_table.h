/* ad4_table.h - the table of atom types that a run uses: the built-in one, or that extended from a file.
 *
 * A parameter file has lines `atom_par TYPE Rii eps vol solpar Rij_hb eps_hb hbond rec_index map_index bond_index`
 * and `FE_coeff_vdW w` (hbond, estat, desolv, tors likewise). As in AutoGrid 4.2.6, a row replaces the built-in type
 * of its name or adds a new one, other types stay, and a row takes the weights of vdW and hbond that stand above it.
 */
#ifndef BERTH_FORCEFIELD_AD4_TABLE_H
#define BERTH_FORCEFIELD_AD4_TABLE_H

#include "forcefield/ad4.h"

typedef struct bt_ad4_table {
  bt_ad4_weights weights;
  int n_types;
  bt_ad4_type *types; /* well depths are scaled so that depth * weights is what the row's own weights gave */
} bt_ad4_table;

/* The built-in table, extended by a file unless opt_parameter_file is NULL. */
bt_status bt_ad4_table_create(const char *opt_parameter_file, bt_ad4_table **ret_table,
                                bt_error *opt_error) BT_MUST_USE;
void bt_ad4_table_destroy(bt_ad4_table *opt_table);

/* NULL if there is no such type; names are case-sensitive. */
const bt_ad4_type *bt_ad4_table_find(const bt_ad4_table *table, const char *name);

#endif
