/* perceive.h - residues that no template describes. */
#ifndef BERTH_PREP_RECEPTOR_RESIDUES_PERCEIVE_H
#define BERTH_PREP_RECEPTOR_RESIDUES_PERCEIVE_H

#include "prep/receptor/receptor.h"

/* Gives the residue's atoms types, charges and polar hydrogens by the chemistry that its coordinates show, with a note.
 * *ret_done is false, and reason says why, if they show none that can be prepared. */
bt_status bt_receptor_perceive(bt_receptor_work *prep, int residue, char *reason, size_t size,
                               bool *ret_done) BT_MUST_USE;
/* match.c: gives the residue's atoms the names that the atoms of a template with the same elements and bonds have;
 * false if there is no way to do so. */
bt_status bt_receptor_match(bt_receptor_work *prep, int residue, const bt_template *t, bool *ret_done) BT_MUST_USE;

#endif
