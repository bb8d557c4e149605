/* types.c - atom types from words or from ligand files. */
#include "grid/types.h"

#include <berth/berth.h>
#include <string.h>

#include "input/inputs.h"
#include "common/report.h"

bt_status cli_types_from_words(bt_text_list *types, const cli_list *words, bt_error *opt_error) {
  for (int i = 0; i < words->count; i++) {
    const char *at = words->items[i];
    for (size_t size;; at += size + 1) {
      size = strcspn(at, ",");
      if (size == 0 || size >= 8)
        return cli_fill_error(opt_error, BT_ERR_USAGE, NULL,
                              "atom types have 1 to 7 characters, as in --types A,C,OA,HD",
                              "'%.*s' is not an atom type", (int)(size < 40 ? size : 40), at);
      BT_TRY(bt_text_list_add_new(types, (bt_span){at, size}, opt_error));
      if (at[size] == '\0') break;
    }
  }
  return BT_OK;
}

bt_status cli_types_add_ligand(bt_text_list *types, const bt_ligand *ligand, bt_error *opt_error) {
  for (int i = 0; i < bt_ligand_type_count(ligand); i++)
    BT_TRY(bt_text_list_add_new(types, bt_span_from(bt_ligand_type(ligand, i)), opt_error));
  return BT_OK;
}

static bt_status add_all(bt_text_list *types, cli_ligands *ligands, const bt_molecule *opt_flexible, bt_scoring scoring,
                         bt_error *opt_error) {
  for (;;) {
    cli_ligand item;
    bt_ligand *ligand = NULL;
    bool found;
    bt_status status = cli_ligands_next(ligands, &item, &found, opt_error);
    if (status != BT_OK || !found) return status;
    if (item.molecule == NULL) {
      if (opt_error != NULL) *opt_error = item.error;
      return item.error.status;
    }
    status = bt_ligand_create_as(item.molecule, opt_flexible, scoring, &ligand, opt_error);
    if (status == BT_OK) status = cli_types_add_ligand(types, ligand, opt_error);
    bt_ligand_destroy(ligand);
    cli_ligand_clear(&item);
    if (status != BT_OK) return status;
  }
}

bt_status cli_types_from_ligands(bt_text_list *types, const cli_list *words, const cli_prepare *prepare,
                                 const bt_molecule *opt_flexible, bt_scoring scoring, bt_error *opt_error) {
  bt_text_list paths = {0};
  BT_TRY(cli_inputs_expand(words, true, &prepare->opt_flex, 1, &paths, opt_error));
  cli_ligands ligands = cli_ligands_start(&paths, &prepare->ligands);
  bt_status status = add_all(types, &ligands, opt_flexible, scoring, opt_error);
  if (status == BT_OK && types->count == 0)
    status = cli_fill_error(opt_error, BT_ERR_INPUT, NULL, "use a ligand with atoms", "the ligands have no atoms");
  cli_ligands_free(&ligands);
  bt_text_list_destroy(&paths);
  return status;
}
