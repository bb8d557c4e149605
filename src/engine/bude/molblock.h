/* molblock.h - a MOL2 molecule as a molblock, with aromatic bonds as single and double ones and formal charges. */
#ifndef BERTH_ENGINE_BUDE_MOLBLOCK_H
#define BERTH_ENGINE_BUDE_MOLBLOCK_H

#include "formats/mol2.h"

/* Adds a V2000 record with the coordinates of the first conformer. Charges follow from valences where the record has
 * hydrogens. BT_ERR_INPUT when aromatic bonds cannot be shared out, BT_ERR_LIMIT beyond 999 atoms or bonds. */
bt_status bt_bude_molblock(const bt_mol2 *mol2, bt_text *text, bt_error *opt_error) BT_MUST_USE;

#endif
