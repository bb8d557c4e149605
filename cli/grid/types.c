/* types.c - atom types from words or from ligand files. */
#include "grid/types.h"

#include <berth/berth.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "input/inputs.h"
#include "common/report.h"

static bt_status add(cli_types *types, const char *name, size_t size, bt_error *opt_error) {
  if (size == 0 || size >= sizeof types->names[0])
    return cli_fill_error(opt_error, BT_ERR_USAGE, NULL, "atom types have 1 to 7 characters, as in --types A,C,OA,HD",
                          "'%.*s' is not an atom type", (int)(size < 40 ? size : 40), name);
  for (int i = 0; i < types->count; i++)
    if (strlen(types->names[i]) == size && memcmp(types->names[i], name, size) == 0) return BT_OK;
  if (!BT_GROW(types->names, &types->capacity, types->count + 1)) return bt_fail_memory(opt_error);
  memcpy(types->names[types->count], name, size);
  types->names[types->count++][size] = '\0';
  return BT_OK;
}

bt_status cli_types_from_words(cli_types *types, const cli_list *words, bt_error *opt_error) {
  for (int i = 0; i < words->count; i++) {
    const char *at = words->items[i];
    for (;;) {
      size_t size = strcspn(at, ",");
      BT_TRY(add(types, at, size, opt_error));
      if (at[size] == '\0') break;
      at += size + 1;
    }
  }
  return BT_OK;
}

/* CG0..CG9 and G0..G9 of opened macrocycles. */
static bool is_glue(const char *type, const char *letters) {
  size_t size = strlen(letters);
  return strncmp(type, letters, size) == 0 && isdigit((unsigned char)type[size]) && type[size + 1] == '\0';
}

bt_status cli_types_add_ligand(cli_types *types, const bt_ligand *ligand, bt_error *opt_error) {
  for (int i = 0; i < bt_ligand_type_count(ligand); i++)
    BT_TRY(add(types, bt_ligand_type(ligand, i), strlen(bt_ligand_type(ligand, i)), opt_error));
  return BT_OK;
}

/* Keeps the types that need maps: carbons of opened macrocycles use that of C; their ring-closure points need none. */
static bt_status keep_maps(cli_types *types, bt_error *opt_error) {
  bool carbon = false;
  int kept = 0;
  for (int i = 0; i < types->count; i++) {
    bool glued = is_glue(types->names[i], "CG");
    carbon = carbon || glued;
    if (!glued && !is_glue(types->names[i], "G")) memmove(types->names[kept++], types->names[i], sizeof *types->names);
  }
  types->count = kept;
  return carbon ? add(types, "C", 1, opt_error) : BT_OK;
}

static bt_status add_all(cli_types *types, cli_ligands *ligands, const bt_molecule *opt_flexible, bt_scoring scoring,
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

bt_status cli_types_from_ligands(cli_types *types, const cli_list *words, const cli_prepare *prepare,
                                 const bt_molecule *opt_flexible, bt_scoring scoring, bt_error *opt_error) {
  cli_paths paths = {0};
  BT_TRY(cli_inputs_expand(words, true, &prepare->opt_flex, 1, &paths, opt_error));
  cli_ligands ligands = cli_ligands_start(&paths, &prepare->ligands);
  bt_status status = add_all(types, &ligands, opt_flexible, scoring, opt_error);
  if (status == BT_OK) status = keep_maps(types, opt_error);
  if (status == BT_OK && types->count == 0)
    status = cli_fill_error(opt_error, BT_ERR_INPUT, NULL, "use a ligand with atoms", "the ligands have no atoms");
  cli_ligands_free(&ligands);
  cli_paths_free(&paths);
  return status;
}

const char **cli_types_list(const cli_types *types) {
  const char **names = calloc((size_t)types->count + 1, sizeof *names);
  for (int i = 0; names != NULL && i < types->count; i++) names[i] = types->names[i];
  return names;
}

void cli_types_free(cli_types *types) {
  free(types->names);
  *types = (cli_types){0};
}
