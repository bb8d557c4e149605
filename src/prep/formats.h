/* formats.h - the table of formats (berth/format.h), for those who read them. */
#ifndef BERTH_PREP_FORMATS_H
#define BERTH_PREP_FORMATS_H

#include "formats/format.h"

extern const bt_format bt_format_sdf, bt_format_mol2, bt_format_smiles, bt_format_pdb, bt_format_pdbqt;

/* `before`, and the usual endings of the formats that are any of this and none of that: "name it .sdf or .btl". */
typedef struct bt_format_advice {
  char text[160];
} bt_format_advice;
bt_format_advice bt_format_advise(const char *before, unsigned any, unsigned none);

#endif
