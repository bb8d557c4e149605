/* set.c - reads a set of complexes with known minima. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/file.h"
#include "base/memory.h"
#include "bench/e50/study.h"
#include "formats/autodock/fld.h"
#include "base/text/csv.h"

enum { PDB, ATOMS, TORSIONS, MINIMUM, RMSD, BEST, N_COLUMNS };
static const char *const column_names[N_COLUMNS] = {"pdb",
                                                    "n_atoms",
                                                    "n_tors",
                                                    "score_of_probable_global_minimum",
                                                    "rmsd_of_probable_global_minimum",
                                                    "best_score_so_far"};

void e50_set_free(e50_set *set) {
  for (int i = 0; i < set->count; i++) free(set->items[i].name);
  free(set->items);
}

/* Whether the name is in the comma-separated list. */
static bool is_listed(const char *opt_list, const char *name) {
  size_t length = strlen(name);
  for (const char *at = opt_list; at != NULL && (at = strstr(at, name)) != NULL; at++)
    if ((at == opt_list || at[-1] == ',') && (at[length] == ',' || at[length] == '\0')) return true;
  return opt_list == NULL;
}

static bt_status add_row(e50_set *set, const int places[N_COLUMNS], const bt_csv_row *row, const char *opt_only,
                         bt_error *opt_error) {
  const char *name = (size_t)places[PDB] < row->count ? row->fields[places[PDB]] : "";
  double values[N_COLUMNS]; /* NaN: unknown */
  if (name[0] == '\0' || !is_listed(opt_only, name)) return BT_OK;
  for (int k = 0; k < N_COLUMNS; k++) {
    bool there = places[k] >= 0 && (size_t)places[k] < row->count;
    if (!there || !bt_parse_double(bt_span_from(row->fields[places[k]]), &values[k])) values[k] = NAN;
  }
  if (!BT_GROW(set->items, &set->capacity, set->count + 1)) return bt_fail_memory(opt_error);
  set->items[set->count++] =
      (e50_complex){.name = strdup(name), .atoms = isnan(values[ATOMS]) ? 0 : (int)values[ATOMS],
                    .torsions = isnan(values[TORSIONS]) ? 0 : (int)values[TORSIONS],
                    .known = isnan(values[MINIMUM]) ? values[BEST] : values[MINIMUM],
                    .proven = !isnan(values[MINIMUM]), .known_rmsd = values[RMSD]};
  return BT_OK;
}

static int by_torsions(const void *a, const void *b) {
  const e50_complex *p = a, *q = b;
  return p->torsions != q->torsions ? p->torsions - q->torsions : p->atoms - q->atoms;
}

bt_status e50_set_read(const char *folder, const char *opt_only, e50_set *set, bt_error *opt_error) {
  BT_SCOPED char *path = bt_path_join(folder, "ligand_properties.csv"), *text = NULL;
  size_t size = 0;
  bt_csv_row row;
  int places[N_COLUMNS] = {-1, -1, -1, -1, -1, -1};
  *set = (e50_set){.folder = folder};
  if (path == NULL) return bt_fail_memory(opt_error);
  BT_TRY(bt_file_read(path, &text, &size, opt_error));
  BT_ENDED_BY(bt_csv_end) bt_csv csv = bt_csv_of(text, size);
  if (bt_csv_next(&csv, &row))
    for (size_t place = 0; place < row.count; place++)
      for (int k = 0; k < N_COLUMNS; k++)
        if (strcmp(row.fields[place], column_names[k]) == 0) places[k] = (int)place;
  if (places[PDB] < 0)
    return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = path}, "name it in the first line",
                   "column pdb is missing");
  while (bt_csv_next(&csv, &row)) BT_TRY(add_row(set, places, &row, opt_only, opt_error));
  if (set->count == 0)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = path}, "check --only", "no complex is left");
  qsort(set->items, (size_t)set->count, sizeof *set->items, by_torsions);
  return BT_OK;
}

/* Reads the box of a .maps.fld, whose maps need not exist. */
static bt_status read_box(const char *path, bt_box *box, bt_error *opt_error) {
  BT_SCOPED char *text = NULL;
  size_t size;
  BT_TRY(bt_file_read(path, &text, &size, opt_error));
  bt_lines lines = bt_lines_of(text, size);
  unsigned found = 0;
  for (bt_span line; bt_lines_next(&lines, &line);) {
    bt_span word = bt_span_word(&line), key = bt_span_columns(word, 1, word.size);
    if (bt_span_starts(word, "#"))
      BT_TRY(bt_box_parse_line(key, line, (bt_where){.file = path, .line = lines.number}, box, &found, opt_error));
  }
  if (found == 7) return BT_OK;
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = path}, "use AutoGrid's .maps.fld",
                 "#SPACING, #NELEMENTS or #CENTER is missing");
}

bt_status e50_case_load(const e50_set *set, const e50_complex *complex, int threads, bench_case *ret_case,
                        bt_error *opt_error) {
  static const char *const files[] = {"protein.pdbqt", "protein.maps.fld", "rand-0.pdbqt", "flex-xray.pdbqt"};
  char paths[4][4096];
  bt_box box = {.spacing = 0};
  for (int k = 0; k < 4; k++) snprintf(paths[k], sizeof paths[k], "%s/%s/%s", set->folder, complex->name, files[k]);
  BT_TRY(bench_molecule_read(paths[3], NULL, BT_MOLECULE_LIGAND, &ret_case->opt_reference, opt_error));
  BT_TRY(read_box(paths[1], &box, opt_error));
  return bench_case_load(paths[0], paths[2], &box, threads, ret_case, opt_error);
}
