/* filter.h - which molecules of a library are left out. */
#ifndef BERTH_PREP_LIGAND_FILTER_H
#define BERTH_PREP_LIGAND_FILTER_H

#include "chem/rdkit.h"

/* Conditions that a molecule has to meet. One thread at a time. */
typedef struct bt_filter bt_filter;

/* text: conditions with commas between: a property, one of < <= > >= = and a number, or the name of a catalog of
 * patterns. BT_ERR_USAGE names the condition that is none. */
bt_status bt_filter_create(const char *text, bt_filter **ret_filter, bt_error *opt_error) BT_MUST_USE;
void bt_filter_destroy(bt_filter *opt_filter);
/* BT_ERR_FILTERED for the first condition that the molecule does not meet, whose name is the message's first word. */
bt_status bt_filter_check(const bt_filter *filter, const bt_rdmol *mol, bt_where where,
                          bt_error *opt_error) BT_MUST_USE;
/* Does the text ask for each molecule only once? Whoever writes the library sees to that. */
bool bt_filter_is_unique(const char *opt_text);

#endif
