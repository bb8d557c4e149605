/* export_bude.h - poses of the BUDE engine out of a database. */
#ifndef BERTH_STORE_EXPORT_BUDE_H
#define BERTH_STORE_EXPORT_BUDE_H

#include "base/text.h"
#include "store/store.h"

/* Adds the poses that the row keeps as SDF, with what the screen knows of them as data items. Returns how many; 0 when
 * they could be kept as MOL2 only. */
int bt_export_bude_poses(bt_text *text, int64_t rank, const bt_store_row *row);

#endif
