/* write.h - what writes a result as text, one function per format; the table of them is in write.c. */
#ifndef BERTH_RESULTS_WRITE_WRITE_H
#define BERTH_RESULTS_WRITE_WRITE_H

#include <berth/berth.h>

#include "base/text/text.h"

/* Of a result that bt_result_check has passed. */
typedef bt_status bt_result_writer(const bt_result *result, const bt_write_context *context, bt_text *text,
                                   bt_error *opt_error);

/* The words of formats, which are the endings of their files; word x is written by bt_write_x. Not all need maps, which
 * results of rigid conformers lack. */
#define BT_RESULT_FORMATS(X) \
  X(dlg, true) \
  X(xml, true) \
  X(pdbqt, false) \
  X(sdf, false) \
  X(json, true) \
  X(csv, true) \
  X(mol2, false)

#define BT_DECLARE_WRITER(word, maps) bt_result_writer bt_write_##word;
BT_RESULT_FORMATS(BT_DECLARE_WRITER)

#endif
