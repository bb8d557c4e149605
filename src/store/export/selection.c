/* selection.c - which ligands of a ranking are exported. */
#include "store/export/selection.h"

#include <berth/interactions.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/chemistry.h"
#include "formats/pdbqt/pdbqt.h"

struct bt_selector {
  const bt_screen_selection *options;
  bt_molecule **receptor; /* NULL: not needed */
  int n_receptor;
  bt_interaction_site *site;
  bt_contact_filter *filter;
  bt_interaction_table *table;
  bt_fingerprint *taken; /* [n_taken] of the ligands that were taken */
  size_t n_taken, room;
};

static bt_status open_receptor(bt_selector *s, bt_store *store, bt_error *opt_error) {
  BT_TRY(bt_store_receptor(store, &s->receptor, &s->n_receptor, opt_error));
  if (s->n_receptor == 0)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = bt_store_path(store)}, "export without interactions",
                   "the screen was run on map files, so that the database has no receptor");
  return bt_interaction_site_open(s->receptor[0], NULL, &s->site, opt_error);
}

static bt_status open(bt_selector *s, bt_store *store, bt_error *opt_error) {
  const bt_screen_selection *o = s->options;
  BT_SCOPED char *engine = NULL;
  BT_TRY(bt_store_get(store, "engine", &engine, opt_error));
  if (engine != NULL)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = bt_store_path(store)}, "export without the selection",
                   "poses of the engine %s are not selected by contacts or diversity", engine);
  if (o->opt_interactions != NULL || o->opt_must_contact != NULL) BT_TRY(open_receptor(s, store, opt_error));
  if (o->opt_must_contact != NULL)
    BT_TRY(bt_contact_filter_create(o->opt_must_contact, s->receptor[0], &s->filter, opt_error));
  return o->opt_interactions != NULL ? bt_interaction_table_create(true, false, &s->table, opt_error) : BT_OK;
}

bt_status bt_selector_create(bt_store *store, const bt_screen_selection *options, bt_selector **ret_selector,
                             bt_error *opt_error) {
  bt_selector *made = bt_allocate(1, sizeof *made);
  if (made == NULL) return bt_fail_memory(opt_error);
  made->options = options;
  bt_status status = open(made, store, opt_error);
  return BT_HAND_OVER(status, made, ret_selector, bt_selector_destroy);
}

void bt_selector_destroy(bt_selector *opt_selector) {
  if (opt_selector == NULL) return;
  bt_interaction_table_destroy(opt_selector->table);
  bt_contact_filter_destroy(opt_selector->filter);
  bt_interaction_site_close(opt_selector->site);
  bt_molecule_list_destroy(opt_selector->receptor, opt_selector->n_receptor);
  free(opt_selector->taken);
  free(opt_selector);
}

static bt_status find(const bt_selector *s, const bt_stored_result *stored, int k, bt_interactions **ret_found,
                      bt_error *opt_error) {
  return bt_interactions_find(s->site, stored->ligand, stored->result->runs[k].xyz, ret_found, opt_error);
}

bt_status bt_selector_takes_pose(const bt_selector *s, const bt_stored_result *stored, int k, bool *ret_takes,
                                 bt_error *opt_error) {
  bt_interactions *found;
  *ret_takes = true;
  if (s->filter == NULL) return BT_OK;
  BT_TRY(find(s, stored, k, &found, opt_error));
  *ret_takes = bt_interactions_miss(found, s->filter) == NULL;
  bt_interactions_destroy(found);
  return BT_OK;
}

/* Sphere exclusion in the order of the ranking: a ligand is taken unless it is as similar as the limit to one before.
 */
static bt_status judge_diversity(bt_selector *s, bt_molecule *molecule, bool *ret_taken, bool *ret_bonds,
                                 bt_error *opt_error) {
  bt_fingerprint own;
  if (s->options->diverse <= 0) return BT_OK;
  if (!bt_molecule_has_chemistry(molecule)) {
    bt_status status = bt_molecule_find_chemistry(molecule, opt_error);
    if (status == BT_ERR_MEMORY) return status;
    *ret_taken = *ret_bonds = status == BT_OK;
    if (!*ret_bonds) return BT_OK;
  }
  BT_TRY(bt_rdmol_fingerprint(molecule->chemistry->mol, &own, opt_error));
  for (size_t k = 0; k < s->n_taken && *ret_taken; k++)
    *ret_taken = bt_fingerprint_similarity(&own, &s->taken[k]) < s->options->diverse;
  if (*ret_taken && !BT_APPEND(s->taken, s->n_taken, &s->room, own)) return bt_fail_memory(opt_error);
  return BT_OK;
}

bt_status bt_selector_judge(bt_selector *s, const bt_store_row *row, bt_stored_result *stored, bool *ret_taken,
                            bool *ret_bonds, bt_error *opt_error) {
  *ret_bonds = true;
  *ret_taken = s->filter == NULL;
  for (int k = 0; k < row->n_poses && !*ret_taken; k++)
    BT_TRY(bt_selector_takes_pose(s, stored, k, ret_taken, opt_error));
  return *ret_taken ? judge_diversity(s, stored->list[0], ret_taken, ret_bonds, opt_error) : BT_OK;
}

bt_status bt_selector_note(bt_selector *s, const bt_store_row *row, const bt_stored_result *stored,
                           bt_error *opt_error) {
  for (int k = 0; s->table != NULL && k < row->n_poses; k++) {
    bt_interactions *found;
    BT_TRY(find(s, stored, k, &found, opt_error));
    bt_status status = BT_OK;
    if (s->filter == NULL || bt_interactions_miss(found, s->filter) == NULL)
      status = bt_interaction_table_add(s->table, row->name, k + 1, found, NULL, opt_error);
    bt_interactions_destroy(found);
    if (status != BT_OK) return status;
  }
  return BT_OK;
}

bt_status bt_selector_write(const bt_selector *s, bt_error *opt_error) {
  return s->table != NULL ? bt_interaction_table_write(s->table, s->options->opt_interactions, opt_error) : BT_OK;
}
