/* removed.c - says which waters were kept by rule, which waters and additives were removed where they matter, and how
 * to keep them. */
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

/* "A:HOH301 (3 hydrogen bonds, B factor 19.8, 0.68 times that around), ..." */
static void list_bound(const bt_receptor_work *prep, bt_text *text) {
  char name[40];
  int named = 0;
  for (int i = 0; i < prep->n_residues; i++) {
    const bt_water_hold *w = &prep->residues[i].water;
    if (!w->bound || prep->residues[i].fate != BT_FATE_KEPT) continue;
    if (named == NAMED) {
      bt_text_add_string(text, ", ...");
      return;
    }
    bt_text_printf(text, "%s%s (%d hydrogen bonds, B factor %.1f, %.2f times that around)", named++ > 0 ? ", " : "",
                   bt_receptor_name(prep, i, name), w->bonds, w->b_factor, w->b_ratio);
  }
}

/* What options.waters did. */
static void note_kept(bt_receptor_work *prep) {
  bool bound = prep->options->waters == BT_WATERS_BOUND;
  int count = 0, held = 0; /* by rule; by name */
  BT_ENDED_BY(bt_text_destroy) bt_text residues = {0};
  if (prep->options->waters == BT_WATERS_NONE) return;
  for (int i = 0; i < prep->n_residues; i++) {
    const bt_receptor_residue *r = &prep->residues[i];
    bool here = r->fate == BT_FATE_KEPT && bt_receptor_is_water(prep, i);
    count += here && (!r->held || !bound);
    held += here && r->held;
  }
  if (bound) list_bound(prep, &residues);
  if (count == 0)
    bt_text_add_string(&prep->notes, !bound     ? "there are no waters\n"
                                     : held > 0 ? "no further water is bound by the receptor\n"
                                                : "no water is bound by the receptor: none is kept\n");
  else if (bound)
    bt_text_printf(&prep->notes, "%d water%s that the receptor holds %s kept: %s\n", count, count == 1 ? "" : "s",
                   count == 1 ? "is" : "are", residues.data != NULL ? residues.data : "");
  else
    bt_text_printf(&prep->notes, "%d water%s of the file %s kept\n", count, count == 1 ? "" : "s",
                   count == 1 ? "is" : "are");
}

/* Of those removed, how many would be kept by rule. */
static int count_bound(const bt_receptor_work *prep, bt_removal removal, bool by_box) {
  int count = 0;
  for (int i = 0; i < prep->n_residues; i++) count += counts(prep, i, removal, by_box) && prep->residues[i].water.bound;
  return count;
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
  int bound = count_bound(prep, removal, by_box);
  bt_text_printf(&prep->notes, "%d %s%s %s removed: %s%s; --keep %s keeps %s", count, count == 1 ? one : many, where,
                 count == 1 ? "is" : "are", residues.data != NULL ? residues.data : "", count > NAMED ? ",..." : "",
                 count > NAMED ? (names.data != NULL ? names.data : "") : (residues.data != NULL ? residues.data : ""),
                 count == 1 ? "it" : "them");
  if (bound > 0) bt_text_printf(&prep->notes, ", --waters bound the %d that the receptor holds", bound);
  bt_text_add_char(&prep->notes, '\n');
}

void bt_receptor_note_removed(bt_receptor_work *prep) {
  note_kept(prep);
  note(prep, BT_REMOVAL_WATER, "water", "waters");
  note(prep, BT_REMOVAL_ADDITIVE, "crystallization additive", "crystallization additives");
}
