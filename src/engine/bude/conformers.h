/* conformers.h - reads a compound from the text of a record, and generates conformers if it has only one. */
#ifndef BERTH_ENGINE_BUDE_CONFORMERS_H
#define BERTH_ENGINE_BUDE_CONFORMERS_H

#include "engine/bude/compound.h"
#include "library/library_internal.h"

/* Of a record of any format. MOL2: types as the file has them; of several fragments the largest. SDF and SMILES:
 * hydrogens are added, types follow from bonds. */
bt_status bt_bude_compound_read(bt_library *library, const bt_library_item *from, bt_bude_compound **ret_compound,
                                bt_error *opt_error) BT_MUST_USE;
/* Assigns types, finds bonds, and generates conformers where fewer than two are given. */
bt_status bt_bude_compound_complete(const bt_bude *bude, const bt_library *library, bt_bude_compound *compound,
                                    bt_error *opt_error) BT_MUST_USE;

#endif
