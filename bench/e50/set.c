/* set.c - reading a set of complexes with known minima. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/e50/set.h"
#include "base/memory.h"
#include "input/inputs.h"
#include "grid/map_types.h"
#include "common/report.h"

enum { PDB, ATOMS, TORSIONS, MINIMUM, RMSD, BEST, N_COLUMNS };
static const char *const column_names[N_COLUMNS] = {"pdb",
                                                    "n_atoms",
                                                    "n_tors",
                                                    "score_of_probable_global_minimum",
                                                    "rmsd_of_probable_global_minimum",
                                                    "best_score_so_far"};

static bt_status out_of_memory(bt_error *opt_error) {
  return cli_fill_error(opt_error, BT_ERR_MEMORY, NULL, "", "out of memory");
}

void e50_set_free(e50_set *set) {
  for (int i = 0; i < set->count; i++) free(set->items[i].name);
  free(set->items);
  *set = (e50_set){0};
}

/* Cuts the next field off; NULL after the last one. */
static char *next_field(char **rest) {
  char *field = *rest;
  if (field == NULL) return NULL;
  char *comma = strchr(field, ',');
  if (comma != NULL) *comma = '\0';
  *rest = comma != NULL ? comma + 1 : NULL;
  return field;
}

/* Is the name one of those between commas? */
static bool is_listed(const char *opt_list, const char *name) {
  if (opt_list == NULL) return true;
  size_t length = strlen(name);
  for (const char *from = opt_list;; from++) {
    size_t word = strcspn(from, ",");
    if (word == length && strncmp(from, name, length) == 0) return true;
    from += word;
    if (*from == '\0') return false;
  }
}

static double number_or_nan(const char *opt_text) {
  double value;
  return opt_text != NULL && cli_read_real(opt_text, &value) ? value : NAN;
}

static bt_status add_row(e50_set *set, const int places[N_COLUMNS], char *line, const char *opt_only,
                         bt_error *opt_error) {
  const char *fields[N_COLUMNS] = {NULL};
  char *rest = line, *field;
  for (int place = 0; (field = next_field(&rest)) != NULL; place++)
    for (int k = 0; k < N_COLUMNS; k++)
      if (places[k] == place) fields[k] = field;
  if (fields[PDB] == NULL || fields[PDB][0] == '\0' || !is_listed(opt_only, fields[PDB])) return BT_OK;
  e50_complex *items = realloc(set->items, (size_t)(set->count + 1) * sizeof *items);
  if (items == NULL) return out_of_memory(opt_error);
  set->items = items;
  e50_complex *c = &items[set->count];
  double minimum = number_or_nan(fields[MINIMUM]), atoms = number_or_nan(fields[ATOMS]);
  double torsions = number_or_nan(fields[TORSIONS]);
  *c = (e50_complex){.name = strdup(fields[PDB]),
                     .atoms = isfinite(atoms) ? (int)atoms : 0,
                     .torsions = isfinite(torsions) ? (int)torsions : 0,
                     .known = isnan(minimum) ? number_or_nan(fields[BEST]) : minimum,
                     .proven = !isnan(minimum),
                     .known_rmsd = number_or_nan(fields[RMSD])};
  if (c->name == NULL) return out_of_memory(opt_error);
  set->count++;
  return BT_OK;
}

static void find_columns(char *line, int places[N_COLUMNS]) {
  char *rest = line, *field;
  for (int k = 0; k < N_COLUMNS; k++) places[k] = -1;
  for (int place = 0; (field = next_field(&rest)) != NULL; place++)
    for (int k = 0; k < N_COLUMNS; k++)
      if (strcmp(field, column_names[k]) == 0) places[k] = place;
}

static int by_torsions(const void *a, const void *b) {
  const e50_complex *p = a, *q = b;
  return p->torsions != q->torsions ? p->torsions - q->torsions : p->atoms - q->atoms;
}

static bt_status read_table(const char *path, const char *opt_only, e50_set *set, bt_error *opt_error) {
  FILE *stream = fopen(path, "r");
  if (stream == NULL)
    return cli_fill_error(opt_error, BT_ERR_IO, path, "give --set a folder that has it", "cannot be read: %s",
                          strerror(errno));
  char *line = NULL;
  size_t room = 0;
  int places[N_COLUMNS];
  bt_status status = BT_OK;
  for (long number = 1; status == BT_OK && getline(&line, &room, stream) > 0; number++) {
    line[strcspn(line, "\r\n")] = '\0';
    if (number > 1) {
      status = add_row(set, places, line, opt_only, opt_error);
      continue;
    }
    find_columns(line, places);
    if (places[PDB] < 0)
      status = cli_fill_error(opt_error, BT_ERR_INPUT, path, "name it in the first line", "there is no column pdb");
  }
  free(line);
  fclose(stream);
  if (status == BT_OK && set->count == 0)
    status = cli_fill_error(opt_error, BT_ERR_USAGE, path, "check --only", "no complex is left");
  return status;
}

bt_status e50_set_read(const char *folder, const char *opt_only, e50_set *ret_set, bt_error *opt_error) {
  *ret_set = (e50_set){.folder = folder};
  char *path = cli_path_join(folder, "ligand_properties.csv");
  bt_status status = path == NULL ? out_of_memory(opt_error) : read_table(path, opt_only, ret_set, opt_error);
  free(path);
  if (status == BT_OK) qsort(ret_set->items, (size_t)ret_set->count, sizeof *ret_set->items, by_torsions);
  return status;
}

/* The box of a .maps.fld, whose maps need not be there. */
static bt_status read_box(const char *path, bt_box *box, bt_error *opt_error) {
  FILE *stream = fopen(path, "r");
  if (stream == NULL)
    return cli_fill_error(opt_error, BT_ERR_IO, path, "the box is read from it", "cannot be read: %s", strerror(errno));
  char line[512];
  bool spacing = false, elements = false, center = false;
  while (fgets(line, sizeof line, stream) != NULL) {
    double *c = box->center;
    int *n = box->npts;
    spacing = spacing || sscanf(line, "#SPACING %lf", &box->spacing) == 1;
    elements = elements || sscanf(line, "#NELEMENTS %d %d %d", &n[0], &n[1], &n[2]) == 3;
    center = center || sscanf(line, "#CENTER %lf %lf %lf", &c[0], &c[1], &c[2]) == 3;
  }
  fclose(stream);
  if (!spacing || !elements || !center)
    return cli_fill_error(opt_error, BT_ERR_INPUT, path, "give AutoGrid's .maps.fld",
                          "#SPACING, #NELEMENTS or #CENTER is missing");
  return BT_OK;
}

static bt_status compute_maps(e50_case *c, const char *receptor, const bt_box *box, int threads, bt_error *opt_error) {
  bt_molecule **list = NULL;
  int count = 0, n_types = bt_ligand_type_count(c->ligand);
  BT_SCOPED const char **types = calloc((size_t)n_types + 1, sizeof *types);
  if (types == NULL) return out_of_memory(opt_error);
  for (int i = 0; i < n_types; i++) types[i] = bt_ligand_type(c->ligand, i);
  bt_grid_options options = bt_grid_options_default();
  options.box = *box;
  options.threads = threads;
  bt_status status = bt_molecule_read(receptor, BT_MOLECULE_RECEPTOR, &list, &count, opt_error);
  if (status == BT_OK)
    status = bt_maps_compute(list[0], types, cli_map_types_needed(types, n_types), &options, &c->maps, opt_error);
  bt_molecule_list_destroy(list, count);
  return status;
}

bt_status e50_case_load(const e50_set *set, const e50_complex *complex, int threads, e50_case *ret_case,
                        bt_error *opt_error) {
  static const char *const files[] = {"protein.pdbqt", "protein.maps.fld", "rand-0.pdbqt", "flex-xray.pdbqt"};
  char *paths[CLI_COUNT(files)] = {NULL};
  *ret_case = (e50_case){0};
  bt_status status = BT_OK;
  BT_SCOPED char *folder = cli_path_join(set->folder, complex->name);
  for (int k = 0; k < CLI_COUNT(files) && folder != NULL; k++) {
    paths[k] = cli_path_join(folder, files[k]);
    if (paths[k] == NULL) status = out_of_memory(opt_error);
  }
  bt_box box = {.spacing = 0};
  if (folder == NULL) status = out_of_memory(opt_error);
  if (status == BT_OK)
    status = bt_molecule_read(paths[2], BT_MOLECULE_LIGAND, &ret_case->molecules, &ret_case->n_molecules, opt_error);
  if (status == BT_OK)
    status = bt_molecule_read(paths[3], BT_MOLECULE_LIGAND, &ret_case->references, &ret_case->n_references, opt_error);
  if (status == BT_OK) status = bt_ligand_create(ret_case->molecules[0], NULL, &ret_case->ligand, opt_error);
  if (status == BT_OK) status = read_box(paths[1], &box, opt_error);
  if (status == BT_OK) status = compute_maps(ret_case, paths[0], &box, threads, opt_error);
  for (int k = 0; k < CLI_COUNT(files); k++) free(paths[k]);
  return status;
}

void e50_case_free(e50_case *c) {
  bt_maps_destroy(c->maps);
  bt_ligand_destroy(c->ligand);
  bt_molecule_list_destroy(c->molecules, c->n_molecules);
  bt_molecule_list_destroy(c->references, c->n_references);
  *c = (e50_case){0};
}
