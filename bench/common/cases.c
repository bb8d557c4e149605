/* cases.c - see cases.h. */
#include "bench/common/cases.h"

#include <berth/grid.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/common/output.h"
#include "formats/pdbqt.h"
#include "grid/map_types.h"
#include "input/inputs.h"
#include "pose/ligand.h"

/* Room around the ligand's input pose when maps are computed, Angstrom. */
static const double padding = 8.0, spacing = 0.375;

void bench_case_free(bench_case *c) {
  bt_maps_destroy(c->maps);
  bt_ligand_destroy(c->ligand);
  bt_molecule_list_destroy(c->molecules, c->n_molecules);
  free(c->name);
  *c = (bench_case){0};
}

void bench_cases_free(bench_cases *cases) {
  for (int i = 0; i < cases->count; i++) bench_case_free(&cases->items[i]);
  free(cases->items);
}

void bench_case_print(const bench_case *of) {
  printf("%s: %d atoms, %d torsions, %d pairs", of->name, of->ligand->n_atoms, of->ligand->n_torsions,
         of->ligand->n_pairs);
}

static bt_status compute_maps(bench_case *c, const bt_molecule *receptor, const bt_box *opt_box, int threads,
                              const char **types, int n_types, bt_error *opt_error) {
  bt_grid_options options = bt_grid_options_default();
  options.threads = threads;
  if (opt_box != NULL) {
    options.box = *opt_box;
  } else {
    double low[3], high[3], middle[3], edges[3];
    BT_TRY(bt_molecule_extent(c->molecules[0], NULL, low, high, opt_error));
    for (int k = 0; k < 3; k++) {
      middle[k] = 0.5 * (low[k] + high[k]);
      edges[k] = high[k] - low[k] + 2.0 * padding;
    }
    options.box = bt_box_from_size(middle, edges, spacing);
  }
  return bt_maps_compute(receptor, types, cli_map_types_needed(types, n_types), &options, &c->maps, opt_error);
}

/* The case's molecules become a ligand and its maps. A receptor is a path, or its own text. */
static bt_status finish(bench_case *c, const char *receptor, const bt_text *opt_text, const bt_box *opt_box,
                        int threads, bt_error *opt_error) {
  BT_TRY(bt_ligand_create(c->molecules[0], NULL, &c->ligand, opt_error));
  int n_types = bt_ligand_type_count(c->ligand), count = 0;
  BT_SCOPED const char **types = bench_allocate((size_t)n_types, sizeof *types);
  for (int i = 0; i < n_types; i++) types[i] = bt_ligand_type(c->ligand, i);
  bt_molecule **list = NULL;
  if (opt_text == NULL && !cli_path_ends(receptor, ".pdbqt"))
    return bt_maps_read(receptor, types, n_types, &c->maps, opt_error);
  bt_status status = opt_text == NULL ? bt_molecule_read(receptor, BT_MOLECULE_RECEPTOR, &list, &count, opt_error)
                                      : bt_molecule_from_memory(receptor, opt_text->data, opt_text->size,
                                                                BT_MOLECULE_RECEPTOR, &list, &count, opt_error);
  if (status == BT_OK) status = compute_maps(c, list[0], opt_box, threads, types, n_types, opt_error);
  bt_molecule_list_destroy(list, count);
  return status;
}

bt_status bench_case_load(const char *receptor, const char *ligand, const bt_box *opt_box, int threads,
                          bench_case *ret_case, bt_error *opt_error) {
  BT_TRY(bt_molecule_read(ligand, BT_MOLECULE_LIGAND, &ret_case->molecules, &ret_case->n_molecules, opt_error));
  if (ret_case->name == NULL) ret_case->name = strdup(bt_molecule_name(ret_case->molecules[0]));
  return finish(ret_case, receptor, NULL, opt_box, threads, opt_error);
}

/* NAME=RECEPTOR:LIGAND */
static bt_status load_word(bench_case *c, const char *word, bt_error *opt_error) {
  const char *equal = strchr(word, '='), *colon = strrchr(word, ':');
  if (equal == NULL || equal == word || colon == NULL || colon <= equal + 1 || colon[1] == '\0')
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "write it as NAME=RECEPTOR.maps.fld:LIGAND.pdbqt",
                   "--case '%.200s' is not valid", word);
  BT_SCOPED char *receptor = strndup(equal + 1, (size_t)(colon - equal - 1));
  c->name = strndup(word, (size_t)(equal - word));
  return receptor == NULL ? bt_fail_memory(opt_error) : bench_case_load(receptor, colon + 1, NULL, 0, c, opt_error);
}

/* As many atoms and torsions as 1ac8, 7cpa and 3er5 have. */
static const struct {
  const char *name;
  int atoms, torsions;
} synthetic[] = {{"small", 8, 0}, {"medium", 43, 15}, {"large", 108, 31}};

static bt_status load_synthetic(int index, bench_case *c, bt_error *opt_error) {
  BT_ENDED_BY(bt_text_destroy) bt_text receptor = {0}, ligand = {0};
  bench_synthetic_add(synthetic[index].atoms, synthetic[index].torsions, &receptor, &ligand);
  c->name = strdup(synthetic[index].name);
  BT_TRY(bt_text_status(&receptor, opt_error));
  BT_TRY(bt_text_status(&ligand, opt_error));
  BT_TRY(bt_molecule_from_memory(c->name, ligand.data, ligand.size, BT_MOLECULE_LIGAND, &c->molecules,
                                 &c->n_molecules, opt_error));
  return finish(c, "receptor", &receptor, NULL, 0, opt_error);
}

bt_status bench_cases_load(const cli_list *words, bench_cases *ret_cases, bt_error *opt_error) {
  int count = words->count > 0 ? words->count : CLI_COUNT(synthetic);
  *ret_cases = (bench_cases){bench_allocate((size_t)count, sizeof *ret_cases->items), count};
  for (int i = 0; i < count; i++)
    BT_TRY(words->count > 0 ? load_word(&ret_cases->items[i], words->items[i], opt_error)
                            : load_synthetic(i, &ret_cases->items[i], opt_error));
  return BT_OK;
}
