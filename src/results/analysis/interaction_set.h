/* interaction_set.h - the interactions of one pose, with their own copies of names. */
#ifndef BERTH_RESULTS_ANALYSIS_INTERACTION_SET_H
#define BERTH_RESULTS_ANALYSIS_INTERACTION_SET_H

#include <berth/interactions.h>

#include "base/text/json.h"
#include "results/analysis/contacts.h"

/* A residue and a type: a column of tables, ordered by chain, number and letter. */
typedef struct bt_interaction_key {
  char chain, icode, letter;
  int number;
  char residue[8];
} bt_interaction_key;

struct bt_interactions {
  bt_contact_list list;     /* its atoms are these */
  bt_atom *atoms;           /* [3 list.count] of the receptor, of the ligand, the bridging water */
  bt_interaction_key *keys; /* [n_keys] ascending, each once */
  size_t n_keys;
};

/* "A:ASP25:B" */
void bt_interaction_key_add(bt_text *text, const bt_interaction_key *key);
/* Is its type one of AutoDock-GPU's: R, H or V? */
bool bt_interaction_key_is_autodock(const bt_interaction_key *key);
/* Of two keys, as qsort and bsearch need it. */
int bt_interaction_key_compare(const void *a, const void *b);
/* As bt_interactions_find, in a site of contacts. */
bt_status bt_interactions_in(const bt_contact_site *site, const bt_contact_options *options, const bt_ligand *ligand,
                             const double *xyz, bt_interactions **ret_interactions, bt_error *opt_error) BT_MUST_USE;
/* One contact as an object; ligand_name: of the ligand's atom. */
void bt_contact_add_json(bt_json *json, const bt_contact *contact, const char *ligand_name);

#endif
