/* element.h - the element of an AutoDock atom type, and the lengths of its bonds. */
#ifndef BERTH_CHEM_ELEMENT_H
#define BERTH_CHEM_ELEMENT_H

#include <stdbool.h>

/* Atomic number of an AutoDock 4 type or an element symbol: C, A, CG0 -> 6; N, NA, NS -> 7; OA -> 8; HD -> 1. 0 for
 * types that are not atoms (glue points G0..G9, hydration water W) and for unknown names. */
int bt_element_of_type(const char *type);

/* Atomic number of an element's symbol in any case; 0 for unknown names. */
int bt_element_of_symbol(const char *symbol);
/* The symbol of an element; "X" outside the table. */
const char *bt_element_symbol(int element);

/* Whether an element is a metal; metalloids (B, Si, Ge, As, Sb, Te) are not. */
bool bt_element_is_metal(int element);

/* Single-bond covalent radius, Angstrom; 1.5 for elements outside the table. */
double bt_element_radius(int element);
/* The longest bond of two elements in a crystal structure, Angstrom: the sum of their radii and 0.4; of two of nitrogen and
 * oxygen, which are often in contact and seldom bonded, and 0.25. */
double bt_element_longest_bond(int one, int other);

#endif
