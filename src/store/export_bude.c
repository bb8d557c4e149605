/* export_bude.c - poses of the BUDE engine out of a database: records of SDF, as they were written when it docked. */
#include "store/export_bude.h"

#include <string.h>

static void add_items(bt_text *text, int64_t rank, const bt_store_row *row, int pose) {
  bt_text_printf(text, "> <docking_score>\n%.4f\n\n> <screen_rank>\n%lld\n\n> <ordinal>\n%lld\n\n> <pose>\n%d\n\n",
                 row->poses[pose].free_energy, (long long)rank, (long long)row->ordinal, pose + 1);
  bt_text_printf(text, "> <source>\n%s\n\n", row->source);
}

int bt_export_bude_poses(bt_text *text, int64_t rank, const bt_store_row *row) {
  const char *at = row->molecule;
  int n = 0;
  for (const char *end; n < row->n_poses && (end = strstr(at, "\n$$$$")) != NULL; n++) {
    bt_text_add(text, at, (size_t)(end + 1 - at));
    add_items(text, rank, row, n);
    bt_text_add_string(text, "$$$$\n");
    at = end + 5;
    at += strspn(at, "\r");
    if (*at == '\n') at++;
  }
  return n;
}
