/* write.c - results as text or files: finds the writer of a format. */
#include "results/write/write.h"

#include <stdio.h>
#include <string.h>

#include "base/files/file.h"
#include "results/result.h"

#define ROW(word, maps) {#word, maps, bt_write_##word},
#define CHOICE(word, maps) "|" #word
static const struct {
  const char *word;
  bool maps;
  bt_result_writer *write;
} rows[] = {BT_RESULT_FORMATS(ROW)};
enum { ROWS = sizeof rows / sizeof *rows };

const char *bt_result_formats(void) { return &(BT_RESULT_FORMATS(CHOICE))[1]; }
const char *bt_result_format(int index) { return index >= 0 && index < ROWS ? rows[index].word : NULL; }

static bt_status add(const bt_result *result, const char *word, bt_where where, const bt_write_context *opt_context,
                     bt_text *text, bt_error *opt_error) {
  static const bt_write_context nothing = {0};
  for (int i = 0; i < ROWS; i++) {
    if (!bt_span_equals_ignoring_case(bt_span_from(word), rows[i].word)) continue;
    if (result->opt_rigid != NULL && rows[i].maps)
      return bt_fail(opt_error, BT_ERR_USAGE, where, "use SDF, MOL2 or PDBQT",
                     "poses of rigid conformers cannot be written as %s", word);
    BT_TRY(bt_result_check(result, opt_error));
    return rows[i].write(result, opt_context != NULL ? opt_context : &nothing, text, opt_error);
  }
  char remedy[96];
  snprintf(remedy, sizeof remedy, "use one of %s", bt_result_formats());
  return bt_fail(opt_error, BT_ERR_USAGE, where, remedy, "poses cannot be written as '%.40s'", word);
}

bt_status bt_result_text(const bt_result *result, const char *format, const bt_write_context *opt_context,
                         char **ret_text, bt_error *opt_error) {
  BT_ENDED_BY(bt_text_destroy) bt_text text = {0};
  BT_TRY(add(result, format, (bt_where){0}, opt_context, &text, opt_error));
  return bt_text_take(&text, ret_text, opt_error);
}

bt_status bt_result_write(const bt_result *result, const char *path, const char *opt_format,
                          const bt_write_context *opt_context, bt_error *opt_error) {
  BT_ENDED_BY(bt_text_destroy) bt_text text = {0};
  const char *dot = strrchr(bt_path_base(path), '.');
  const char *format = opt_format != NULL ? opt_format : dot != NULL ? dot + 1 : "";
  BT_TRY(add(result, format, (bt_where){.file = path}, opt_context, &text, opt_error));
  return bt_file_write_text(path, &text, opt_error);
}
