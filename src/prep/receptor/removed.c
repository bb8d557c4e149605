/* removed.c - says which waters and additives were removed where they matter, and how to keep them. */
#include <stdio.h>
#include <string.h>

#include "prep/receptor/receptor.h"

enum { NAMED = 6 }; /* residues, and names of residues */

static bool counts(const bt_receptor_work *prep, int i, bt_removal removal, bool by_box) {
  const bt_receptor_residue *r = &prep->residues[i];
  return r->fate == BT_FATE_DELETED && r->removal == removal && (!by_box || bt_receptor_is_near(prep, i));
}

/* "HOH,WAT": each name of such residues once. */
static void list_names(const bt_receptor_work *prep, bt_removal removal, bool by_box, bt_text *text) {
  int named = 0;
  for (int i = 0; i < prep->n_residues && named < NAMED; i++) {
    const char *name = bt_receptor_source(prep, i)->name;
    bool first = counts(prep, i, removal, by_box);
    for (int j = 0; first && j < i; j++)
      first = !(counts(prep, j, removal, by_box) && strcmp(bt_receptor_source(prep, j)->name, name) == 0);
    if (first) bt_text_printf(text, "%s%s", named++ > 0 ? "," : "", name);
  }
}

static void note(bt_receptor_work *prep, bt_removal removal, const char *one, const char *many) {
  const bt_receptor_options *o = prep->options;
  bool by_box = o->box_size[0] > 0.0;
  int count = 0;
  char name[40];
  BT_ENDED_BY(bt_text_destroy) bt_text residues = {0};
  BT_ENDED_BY(bt_text_destroy) bt_text names = {0};
  for (int i = 0; i < prep->n_residues; i++) {
    if (!counts(prep, i, removal, by_box)) continue;
    if (++count <= NAMED) bt_text_printf(&residues, "%s%s", count > 1 ? "," : "", bt_receptor_name(prep, i, name));
  }
  if (count == 0) return;
  list_names(prep, removal, by_box, &names);
  char where[64] = "";
  if (by_box) snprintf(where, sizeof where, " within %g Angstrom of the box", BT_NEAR_BOX);
  bt_text_printf(&prep->notes, "%d %s%s %s removed: %s%s; --keep %s keeps %s\n", count, count == 1 ? one : many, where,
                 count == 1 ? "is" : "are", residues.data != NULL ? residues.data : "", count > NAMED ? ",..." : "",
                 count > NAMED ? (names.data != NULL ? names.data : "") : (residues.data != NULL ? residues.data : ""),
                 count == 1 ? "it" : "them");
}

void bt_receptor_note_removed(bt_receptor_work *prep) {
  note(prep, BT_REMOVAL_WATER, "water", "waters");
  note(prep, BT_REMOVAL_ADDITIVE, "crystallization additive", "crystallization additives");
}
