/* residue_word.h - words by which users name residues, the same in every option.
 *
 *   XK2  263  XK2263        name, number, or both, in any chain
 *   A:  A:263  A:XK2        a chain; a number or a name in it
 *   A:HIS57  A:XK2:263      as reports and messages name residues
 *   XK2:A  XK2:263  XK2:A:263
 *
 * A number may have an insertion code (57B); * is any chain, nothing the chain without a letter. The first reading of
 * a word that fits any residue counts: 478 is the residue of that name where there is one.
 */
#ifndef BERTH_CHEM_RESIDUE_WORD_H
#define BERTH_CHEM_RESIDUE_WORD_H

#include "base/text/text.h"

typedef struct bt_residue_id {
  const char *chain, *name;
  int number;
  char icode; /* ' ': none */
} bt_residue_id;

/* False if the word cannot name any residue. */
bool bt_is_residue_word(bt_span word);
/* Which reading of the word matches the residue, from 1; 0: none. */
int bt_residue_word_fits(bt_span word, const bt_residue_id *residue);
/* Is the residue one that the word may have meant: of the same name or number? */
bool bt_residue_word_near(bt_span word, const bt_residue_id *residue);

#endif
