/* write.h - what writes a result as text, one function per format; the table of them is in write.c. */
#ifndef BERTH_RESULTS_WRITE_H
#define BERTH_RESULTS_WRITE_H

#include <berth/berth.h>

#include "base/text.h"

/* Of a result that bt_result_check has passed. */
typedef bt_status bt_result_writer(const bt_result *result, const bt_write_context *context, bt_text *text,
                                   bt_error *opt_error);

/* The words of formats, which are the endings of their files; word x is written by bt_write_x. */
#define BT_RESULT_FORMATS(X) \
  X(dlg) \
  X(xml) \
  X(pdbqt) \
  X(sdf) \
  X(json) \
  X(csv)

#define BT_DECLARE_WRITER(word) bt_result_writer bt_write_##word;
BT_RESULT_FORMATS(BT_DECLARE_WRITER)

#endif
