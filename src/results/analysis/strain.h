/* strain.h - strain of poses, and faults of their geometry (chem/rdkit.h). */
#ifndef BERTH_RESULTS_ANALYSIS_STRAIN_H
#define BERTH_RESULTS_ANALYSIS_STRAIN_H

#include "base/text/text.h"
#include "results/result.h"

/* The kinds of faults: BT_FAULT_..., its word, and what a pose with it has. */
enum { BT_FAULTS = 3 };
unsigned bt_fault_bit(int index);
const char *bt_fault_word(int index);
const char *bt_fault_text(int index);

/* Adds the words of a pose's flags, each but the first after a blank: "outside_box clash twisted_amide open_ring
 * wrong_stereo". */
void bt_flags_add_text(bt_text *text, const bt_run *run);
/* Calls add(user, word) for each. */
void bt_flags_visit(const bt_run *run, void (*add)(void *user, const char *word), void *user);

#endif
