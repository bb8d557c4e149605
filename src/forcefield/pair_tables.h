/* pair_tables.h - AutoDock 4.2.6's arithmetic between moving atoms: everything tabulated against r^2 in steps of
 * 1/32 A^2.
 */
#ifndef BERTH_FORCEFIELD_PAIR_TABLES_H
#define BERTH_FORCEFIELD_PAIR_TABLES_H

#include "forcefield/ad4.h"

enum {
  BT_TABLE_SIZE = 2048,     /* van der Waals and hydrogen bonds: to 8 A */
  BT_TABLE_FAR_SIZE = 16384 /* electrostatics and desolvation: to 22.6 A, constant beyond */
};
#define BT_TABLE_PER_SQUARE_ANGSTROM 32.0

/* Table index of a squared distance, A^2. */
int bt_table_index(double r2);
/* The squared distance that an index stands for. */
double bt_table_square(int index);
/* Fills the smoothed table of one pair of types. */
void bt_table_fill(const bt_ad4_pair *law, double table[BT_TABLE_SIZE]);

/* Tables that ligands share, each filled when it is first wanted. Any number of threads may ask. */
typedef struct bt_pair_tables bt_pair_tables;

bt_pair_tables *bt_pair_tables_create(void); /* NULL: out of memory */
void bt_pair_tables_destroy(bt_pair_tables *opt_tables);
/* [BT_TABLE_SIZE]; NULL: out of memory. */
const double *bt_pair_tables_find(bt_pair_tables *tables, const bt_ad4_pair *law);

#endif
