/* fuzz_report_folder.c - folders that berth report reads. The input is several files, each after a line "== NAME":
 * JSON and docking logs of ligands, tables, rejects, a receptor. */
#include <berth/report.h>
#include <ctype.h>

#include "fuzz/folder.h"

enum { LONGEST = 1 << 16, MOST_FILES = 12, LONGEST_NAME = 40 };

/* Nothing but a plain name in the folder. */
static bool take_name(const char *line, size_t size, char *name) {
  if (size == 0 || size >= LONGEST_NAME || line[0] == '.') return false;
  for (size_t k = 0; k < size; k++)
    if (!isalnum((unsigned char)line[k]) && memchr("._-", line[k], 3) == NULL) return false;
  memcpy(name, line, size);
  name[size] = '\0';
  return true;
}

static void write_files(const char *text, const char *end) {
  for (int k = 0; text < end && k < MOST_FILES; k++) {
    char name[LONGEST_NAME];
    const char *line = text + 3, *stop = memchr(text, '\n', (size_t)(end - text));
    if (stop == NULL || stop < line || memcmp(text, "== ", 3) != 0) return;
    const char *next = memmem(stop, (size_t)(end - stop), "\n== ", 4);
    if (next == NULL) next = end;
    if (take_name(line, (size_t)(stop - line), name) && next > stop)
      fuzz_write(name, stop + 1, (size_t)(next - stop - 1));
    text = next + 1;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char page[1024], table[1024];
  if (size > LONGEST) return 0;
  fuzz_folder_begin();
  fuzz_path(page, sizeof page, "report.html");
  fuzz_path(table, sizeof table, "contacts.csv");
  write_files((const char *)data, (const char *)data + size);
  bt_report_options options = bt_report_options_default();
  options.opt_actives = "^active";
  options.opt_fingerprints = table;
  bt_report_summary shown = {0};
  bt_error error;
  bt_status status = bt_report_write(fuzz_folder, &options, page, &shown, &error);
  if (status != BT_OK) {
    fuzz_check_failure(status, &error);
    FUZZ_CHECK(access(page, F_OK) != 0); /* complete, or not at all */
    return 0;
  }
  FUZZ_CHECK(access(page, R_OK) == 0 && shown.bytes > 0 && shown.detailed <= shown.rows);
  if (shown.unreadable > 0) FUZZ_CHECK(shown.trouble.message[0] != '\0');
  return 0;
}
