/* interactions.h - interactions of poses with the receptor: a table, similarity to a reference, a filter. */
#ifndef BERTH_CLI_OUTPUT_INTERACTIONS_H
#define BERTH_CLI_OUTPUT_INTERACTIONS_H

#include <berth/berth.h>
#include <berth/interactions.h>

#include "base/text/json.h"
#include "output/guard.h"

typedef struct cli_interactions {
  const char *opt_table;     /* --interactions FILE; NULL: no table */
  const char *opt_must;      /* --must-contact LIST; NULL: no filter */
  bt_interaction_site *site; /* NULL until it is opened */
  bt_contact_filter *filter;
  bt_interactions *reference;
  bt_interaction_table *table;
} cli_interactions;

/* BT_ERR_USAGE if the table would overwrite an input, or is no .csv file. */
bt_status cli_interactions_check(const cli_interactions *interactions, bt_file_set *inputs,
                                 bt_error *opt_error) BT_MUST_USE;
/* Opens the receptor, which is borrowed. opt_reference: a pose, to which others are compared in the table; its types
 * are those of the scoring function. */
bt_status cli_interactions_open(cli_interactions *interactions, const bt_molecule *receptor,
                                const bt_molecule *opt_reference, bt_scoring scoring, bt_error *opt_error) BT_MUST_USE;
/* A row of the table, if there is one. */
bt_status cli_interactions_add(cli_interactions *interactions, const char *ligand, int pose,
                               const bt_interactions *found, bt_error *opt_error) BT_MUST_USE;
/* Writes the table, if there is one. */
bt_status cli_interactions_write(const cli_interactions *interactions, bt_error *opt_error) BT_MUST_USE;
void cli_interactions_free(cli_interactions *interactions);

/* The member "contacts" of an object (docs/json.md). */
bt_status cli_json_contacts(bt_json *json, const bt_interactions *found, bt_error *opt_error) BT_MUST_USE;

#endif
