/* ligands.c - the ligands of a docking: which file and MODEL each comes from, and a name of its own. */
#include "ligands.h"

#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

cli_ligands cli_ligands_start(const cli_paths *paths) {
  return (cli_ligands){.paths = paths, .loaded = -1, .stdin_file = -1};
}

static int by_text(const void *a, const void *b) { return strcmp(a, b); }

void cli_ligands_free(cli_ligands *ligands) {
  while (ligands->names != NULL) tdelete(*(char *const *)ligands->names, &ligands->names, by_text);
  for (int i = 0; i < ligands->count; i++) {
    free(ligands->items[i].name);
    free(ligands->items[i].types);
  }
  free(ligands->items);
  free(ligands->types);
  if (ligands->list != ligands->stdin_list) bt_molecule_list_destroy(ligands->list, ligands->list_count);
  bt_molecule_list_destroy(ligands->stdin_list, ligands->stdin_count);
  cli_ligands_release(ligands);
  free(ligands->held);
  *ligands = (cli_ligands){.loaded = -1, .stdin_file = -1};
}

void cli_ligands_hold(cli_ligands *ligands) { ligands->holding = true; }

void cli_ligands_release(cli_ligands *ligands) {
  for (int i = 0; i < ligands->n_held; i++) bt_molecule_list_destroy(ligands->held[i].list, ligands->held[i].count);
  ligands->n_held = 0;
  ligands->holding = false;
}

/* The file in memory makes room for another one. */
static bool leave_file(cli_ligands *ligands) {
  if (ligands->loaded == ligands->stdin_file) return true;
  if (!ligands->holding) {
    bt_molecule_list_destroy(ligands->list, ligands->list_count);
    return true;
  }
  if (ligands->n_held == ligands->held_capacity) {
    int capacity = ligands->held_capacity > 0 ? 2 * ligands->held_capacity : 64;
    struct cli_held *held = realloc(ligands->held, (size_t)capacity * sizeof *held);
    if (held == NULL) return false;
    ligands->held = held;
    ligands->held_capacity = capacity;
  }
  ligands->held[ligands->n_held++] = (struct cli_held){ligands->list, ligands->list_count};
  return true;
}

bt_status cli_ligands_load(cli_ligands *ligands, int file, int *ret_count, bt_error *opt_error) {
  if (file != ligands->loaded) {
    if (!leave_file(ligands)) return cli_fill_error(opt_error, BT_ERR_MEMORY, NULL, "", "out of memory");
    ligands->list = NULL;
    ligands->list_count = 0;
    ligands->loaded = -1;
    const char *path = ligands->paths->items[file];
    bool is_stdin = strcmp(path, "-") == 0;
    if (is_stdin && ligands->stdin_file >= 0) {
      ligands->list = ligands->stdin_list;
      ligands->list_count = ligands->stdin_count;
    } else {
      bt_status status = bt_molecule_read(path, BT_MOLECULE_LIGAND, &ligands->list, &ligands->list_count, opt_error);
      if (status != BT_OK) {
        ligands->list = NULL;
        ligands->list_count = 0;
        return status;
      }
      if (is_stdin) {
        ligands->stdin_file = file;
        ligands->stdin_list = ligands->list;
        ligands->stdin_count = ligands->list_count;
      }
    }
    ligands->loaded = file;
  }
  *ret_count = ligands->list_count;
  return BT_OK;
}

bt_status cli_ligands_molecule(cli_ligands *ligands, const cli_ligand *ligand, const bt_molecule **ret_molecule,
                               bt_error *opt_error) {
  int count = 0;
  bt_status status = cli_ligands_load(ligands, ligand->file, &count, opt_error);
  if (status != BT_OK) return status;
  if (ligand->model >= count)
    return cli_fill_error(opt_error, BT_ERR_INPUT, ligands->paths->items[ligand->file],
                          "leave the file alone while it is docked", "the file changed since it was first read");
  *ret_molecule = ligands->list[ligand->model];
  return BT_OK;
}

/* base, base-2, base-3, ...: the first that no other ligand has. */
static char *unique_name(cli_ligands *ligands, const char *base) {
  size_t size = strlen(base) + 16;
  char *name = malloc(size);
  if (name == NULL) return NULL;
  strcpy(name, base);
  for (int copy = 2; tfind(name, &ligands->names, by_text) != NULL; copy++) snprintf(name, size, "%s-%d", base, copy);
  if (tsearch(name, &ligands->names, by_text) == NULL) {
    free(name);
    return NULL;
  }
  return name;
}

cli_ligand *cli_ligands_add(cli_ligands *ligands, int file, int model) {
  if (ligands->count == ligands->capacity) {
    int capacity = ligands->capacity > 0 ? 2 * ligands->capacity : 16;
    cli_ligand *items = realloc(ligands->items, (size_t)capacity * sizeof *items);
    if (items == NULL) return NULL;
    ligands->items = items;
    ligands->capacity = capacity;
  }
  bool known = file == ligands->loaded && model < ligands->list_count;
  const char *stem = known ? bt_molecule_name(ligands->list[model]) : cli_path_base(ligands->paths->items[file]);
  if (stem[0] == '\0' || strcmp(stem, "-") == 0) stem = "stdin";
  char *base = malloc(strlen(stem) + 16);
  if (base == NULL) return NULL;
  strcpy(base, stem);
  if (!known && cli_path_ends(base, ".pdbqt") && strlen(base) > 6) base[strlen(base) - 6] = '\0';
  if (known && ligands->list_count > 1) sprintf(base, "%s_%d", stem, model + 1);
  cli_one_line(base);
  char *name = unique_name(ligands, base);
  free(base);
  if (name == NULL) return NULL;
  ligands->items[ligands->count] = (cli_ligand){.file = file, .model = model, .name = name};
  return &ligands->items[ligands->count++];
}

static int type_index(cli_ligands *ligands, const char *type) {
  for (int i = 0; i < ligands->n_types; i++)
    if (strcmp(ligands->types[i], type) == 0) return i;
  if (ligands->n_types == ligands->type_capacity) {
    int capacity = ligands->type_capacity > 0 ? 2 * ligands->type_capacity : 16;
    char(*types)[8] = realloc(ligands->types, (size_t)capacity * sizeof *types);
    if (types == NULL) return -1;
    ligands->types = types;
    ligands->type_capacity = capacity;
  }
  snprintf(ligands->types[ligands->n_types], sizeof ligands->types[0], "%s", type);
  return ligands->n_types++;
}

bool cli_ligands_add_types(cli_ligands *ligands, cli_ligand *item, const bt_ligand *ligand) {
  int count = bt_ligand_type_count(ligand);
  item->types = malloc((size_t)(count > 0 ? count : 1) * sizeof *item->types);
  if (item->types == NULL) return false;
  for (int i = 0; i < count; i++) {
    int index = type_index(ligands, bt_ligand_type(ligand, i));
    if (index < 0) return false;
    item->types[item->n_types++] = index;
  }
  return true;
}
