/* page.c - one HTML file from templates, data and the viewer. */
#include <stdlib.h>
#include <string.h>

#include "base/files/file.h"
#include "base/memory.h"
#include "report/embedded.h"
#include "report/report_internal.h"

const char *bt_embedded(const char *name) {
  for (const bt_embedded_file *file = bt_embedded_files; file->name != NULL; file++)
    if (strcmp(file->name, name) == 0) return file->text;
  return NULL;
}

/* The data stand in a script element, which "</script" or "<!--" would end or change. */
static void add_data(bt_text *page, const bt_text *data) {
  const char *at = data->data;
  for (const char *next; (next = strchr(at, '<')) != NULL; at = next + 1) {
    bt_text_add(page, at, (size_t)(next - at));
    bt_text_add_string(page, "\\u003c");
  }
  bt_text_add_string(page, at);
}

/* The same for a program. */
static void add_program(bt_text *page, const char *program) {
  const char *at = program;
  for (const char *next; (next = strchr(at, '<')) != NULL; at = next + 1) {
    bt_text_add(page, at, (size_t)(next - at + 1));
    if (strncmp(next, "</script", 8) == 0 || strncmp(next, "<!--", 4) == 0) bt_text_add_char(page, '\\');
  }
  bt_text_add_string(page, at);
}

static void add_escaped(bt_text *page, const char *text) {
  for (; *text != '\0'; text++) {
    if (*text == '<')
      bt_text_add_string(page, "&lt;");
    else if (*text == '&')
      bt_text_add_string(page, "&amp;");
    else
      bt_text_add_char(page, *text);
  }
}

/* *ret_text, NULL before, is to be freed also after a failure. */
static bt_status read_viewer(const bt_report *report, char **ret_text, bt_error *opt_error) {
  size_t size;
  if (report->options->opt_viewer == NULL) return BT_OK;
  BT_TRY(bt_file_read(report->options->opt_viewer, ret_text, &size, opt_error));
  if (strlen(*ret_text) == size) return BT_OK;
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = report->options->opt_viewer},
                 "use ngl.js; scripts/install-deps report fetches it", "this is not JavaScript");
}

static void add_scripts(bt_text *page) {
  for (const bt_embedded_file *file = bt_embedded_files; file->name != NULL; file++) {
    if (strcmp(file->name, "ngl.js") != 0 && bt_report_ends_with(file->name, ".js"))
      add_program(page, file->text);
  }
}

/* The template has a word @LIKE_THIS@ where something belongs. */
static bt_status fill(bt_text *page, const bt_report *report, const char *viewer, bt_error *opt_error) {
  const char *at = bt_embedded("page.html");
  for (const char *mark; (mark = strchr(at, '@')) != NULL;) {
    const char *end = strchr(mark + 1, '@');
    bt_text_add(page, at, (size_t)(mark - at));
    if (end == NULL) break;
    bt_span word = {mark + 1, (size_t)(end - mark - 1)};
    if (bt_span_equals(word, "TITLE"))
      add_escaped(page, report->title);
    else if (bt_span_equals(word, "STYLE"))
      bt_text_add_string(page, bt_embedded("style.css"));
    else if (bt_span_equals(word, "DATA"))
      add_data(page, &report->text);
    else if (bt_span_equals(word, "VIEWER"))
      add_program(page, viewer);
    else if (bt_span_equals(word, "SCRIPT"))
      add_scripts(page);
    at = end + 1;
  }
  bt_text_add_string(page, at);
  return bt_text_status(page, opt_error);
}

bt_status bt_report_page(bt_report *report, const char *path, bt_error *opt_error) {
  BT_SCOPED char *given = NULL;
  BT_TRY(read_viewer(report, &given, opt_error));
  const char *viewer = given != NULL ? given : bt_embedded("ngl.js");
  report->summary->viewer = viewer != NULL;
  BT_ENDED_BY(bt_text_destroy) bt_text page = {0};
  bt_status status = fill(&page, report, viewer != NULL ? viewer : "", opt_error);
  if (status == BT_OK) status = bt_file_write_text(path, &page, opt_error);
  report->summary->bytes = page.size;
  return status;
}
