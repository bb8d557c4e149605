/* grid_types.c - atom types from words or from ligand files. */
#include "grid_types.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "inputs.h"
#include "report.h"

static bt_status add(cli_types *types, const char *name, size_t size, bt_error *opt_error) {
  if (size == 0 || size >= sizeof types->names[0])
    return cli_fill_error(opt_error, BT_ERR_USAGE, NULL, "atom types have 1 to 7 characters, as in --types A,C,OA,HD",
                          "'%.*s' is no atom type", (int)(size < 40 ? size : 40), name);
  for (int i = 0; i < types->count; i++)
    if (strlen(types->names[i]) == size && memcmp(types->names[i], name, size) == 0) return BT_OK;
  if (types->count == types->capacity) {
    int capacity = types->capacity > 0 ? 2 * types->capacity : 16;
    char(*names)[8] = realloc(types->names, (size_t)capacity * sizeof *names);
    if (names == NULL) return cli_fill_error(opt_error, BT_ERR_MEMORY, NULL, "", "out of memory");
    types->names = names;
    types->capacity = capacity;
  }
  memcpy(types->names[types->count], name, size);
  types->names[types->count++][size] = '\0';
  return BT_OK;
}

bt_status cli_types_from_words(cli_types *types, const cli_list *words, bt_error *opt_error) {
  for (int i = 0; i < words->count; i++) {
    const char *at = words->items[i];
    for (;;) {
      size_t size = strcspn(at, ",");
      bt_status status = add(types, at, size, opt_error);
      if (status != BT_OK) return status;
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

static bt_status add_ligand(cli_types *types, const bt_molecule *molecule, const bt_molecule *opt_flexible,
                            bt_error *opt_error) {
  bt_ligand *ligand;
  bt_status status = bt_ligand_create(molecule, opt_flexible, &ligand, opt_error);
  if (status != BT_OK) return status;
  for (int i = 0; status == BT_OK && i < bt_ligand_type_count(ligand); i++) {
    const char *type = bt_ligand_type(ligand, i);
    if (is_glue(type, "G")) continue;
    if (is_glue(type, "CG")) type = "C";
    status = add(types, type, strlen(type), opt_error);
  }
  bt_ligand_destroy(ligand);
  return status;
}

static bt_status add_file(cli_types *types, const char *path, const bt_molecule *opt_flexible, bt_error *opt_error) {
  bt_molecule **list;
  int count;
  bt_status status = bt_molecule_read(path, BT_MOLECULE_LIGAND, &list, &count, opt_error);
  if (status != BT_OK) return status;
  for (int i = 0; status == BT_OK && i < count; i++) status = add_ligand(types, list[i], opt_flexible, opt_error);
  bt_molecule_list_destroy(list, count);
  return status;
}

bt_status cli_types_from_ligands(cli_types *types, const cli_list *words, const char *opt_flex,
                                 bt_error *opt_error) {
  cli_paths paths = {0};
  bt_molecule **flexible = NULL;
  int n_flexible = 0;
  bt_status status = cli_inputs_expand(words, &opt_flex, 1, &paths, opt_error);
  if (status == BT_OK && opt_flex != NULL)
    status = bt_molecule_read(opt_flex, BT_MOLECULE_FLEXIBLE, &flexible, &n_flexible, opt_error);
  for (int i = 0; status == BT_OK && i < paths.count; i++)
    status = add_file(types, paths.items[i], n_flexible > 0 ? flexible[0] : NULL, opt_error);
  if (status == BT_OK && types->count == 0)
    status = cli_fill_error(opt_error, BT_ERR_INPUT, NULL, "give a ligand with atoms", "the ligands have no atoms");
  bt_molecule_list_destroy(flexible, n_flexible);
  cli_paths_free(&paths);
  return status;
}

void cli_types_free(cli_types *types) {
  free(types->names);
  *types = (cli_types){0};
}
