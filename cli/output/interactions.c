/* interactions.c - see interactions.h. */
#include "output/interactions.h"

#include <stdlib.h>

#include "output/outputs.h"
#include "common/report.h"

bt_status cli_interactions_check(const cli_interactions *interactions, bt_file_set *inputs, bt_error *opt_error) {
  const char *path = interactions->opt_table;
  if (path == NULL) return BT_OK;
  if (!cli_path_ends(path, ".csv"))
    return cli_fill_error(opt_error, BT_ERR_USAGE, path, "name a file that ends in .csv",
                          "the table of --interactions is CSV");
  return bt_file_set_spare(inputs, path, opt_error);
}

static bt_status find_reference(cli_interactions *interactions, const bt_molecule *reference, bt_scoring scoring,
                                bt_error *opt_error) {
  bt_ligand *ligand = NULL;
  BT_TRY(bt_ligand_create_as(reference, NULL, scoring, &ligand, opt_error));
  bt_status status = bt_interactions_find(interactions->site, ligand, NULL, &interactions->reference, opt_error);
  bt_ligand_destroy(ligand);
  return status;
}

bt_status cli_interactions_open(cli_interactions *interactions, const bt_molecule *receptor,
                                const bt_molecule *opt_reference, bt_scoring scoring, bt_error *opt_error) {
  BT_TRY(bt_interaction_site_open(receptor, NULL, &interactions->site, opt_error));
  if (interactions->opt_must != NULL)
    BT_TRY(bt_contact_filter_create(interactions->opt_must, receptor, &interactions->filter, opt_error));
  if (interactions->opt_table == NULL) return BT_OK;
  if (opt_reference != NULL) BT_TRY(find_reference(interactions, opt_reference, scoring, opt_error));
  return bt_interaction_table_create(true, false, &interactions->table, opt_error);
}

bt_status cli_interactions_add(cli_interactions *interactions, const char *ligand, int pose,
                               const bt_interactions *found, bt_error *opt_error) {
  if (interactions->table == NULL) return BT_OK;
  return bt_interaction_table_add(interactions->table, ligand, pose, found, interactions->reference, opt_error);
}

bt_status cli_interactions_write(const cli_interactions *interactions, bt_error *opt_error) {
  if (interactions->table == NULL) return BT_OK;
  return bt_interaction_table_write(interactions->table, interactions->opt_table, opt_error);
}

void cli_interactions_free(cli_interactions *interactions) {
  bt_interaction_table_destroy(interactions->table);
  bt_interactions_destroy(interactions->reference);
  bt_contact_filter_destroy(interactions->filter);
  bt_interaction_site_close(interactions->site);
}

bt_status cli_json_contacts(bt_json *json, const bt_interactions *found, bt_error *opt_error) {
  BT_SCOPED char *text = NULL;
  BT_TRY(bt_interactions_json(found, &text, opt_error));
  bt_json_key(json, "contacts");
  bt_json_raw(json, text);
  return BT_OK;
}
