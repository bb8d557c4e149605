/* cases.c - see cases.h. */
#include "bench/common/cases.h"

#include <berth/berth.h>
#include <berth/grid.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/common/output.h"
#include "formats/pdbqt/pdbqt.h"
#include "input/inputs.h"
#include "pose/ligand.h"

/* Margin around the ligand's input pose when maps are computed, Angstrom. */
static const double padding = 8.0, spacing = 0.375;

bt_status bench_molecule_read(const char *path, const bt_text *opt_text, bt_molecule_kind kind,
                              bt_molecule **ret_molecule, bt_error *opt_error) {
  bt_molecule **list;
  int count;
  if (opt_text == NULL)
    BT_TRY(bt_molecule_read(path, kind, &list, &count, opt_error));
  else
    BT_TRY(bt_molecule_from_memory(path, opt_text->data, opt_text->size, kind, &list, &count, opt_error));
  *ret_molecule = list[0];
  list[0] = NULL;
  bt_molecule_list_destroy(list, count);
  return BT_OK;
}

void bench_case_free(bench_case *c) {
  bt_maps_destroy(c->maps);
  bt_ligand_destroy(c->ligand);
  bt_molecule_destroy(c->molecule);
  bt_molecule_destroy(c->opt_reference);
  free(c->name);
  *c = (bench_case){0};
}

void bench_cases_free(bench_cases *cases) {
  for (int i = 0; i < cases->count; i++) bench_case_free(&cases->items[i]);
}

void bench_case_print(const bench_case *of) {
  printf("%s: %d atoms, %d torsions, %d pairs", of->name, of->ligand->n_atoms, of->ligand->n_torsions,
         of->ligand->n_pairs);
}

static bt_status box_around(const bt_molecule *molecule, bt_box *ret_box, bt_error *opt_error) {
  double low[3], high[3], middle[3], edges[3];
  BT_TRY(bt_molecule_extent(molecule, NULL, low, high, opt_error));
  for (int k = 0; k < 3; k++) {
    middle[k] = 0.5 * (low[k] + high[k]);
    edges[k] = high[k] - low[k] + 2.0 * padding;
  }
  *ret_box = bt_box_from_size(middle, edges, spacing);
  return BT_OK;
}

/* Makes the ligand from the case's molecule, and its maps. The receptor is read from the path, or from opt_text. */
static bt_status finish(bench_case *c, const char *receptor, const bt_text *opt_text, const bt_box *opt_box,
                        int threads, bt_error *opt_error) {
  bt_grid_options options = bt_grid_options_default();
  bt_molecule *molecule;
  BT_TRY(bt_ligand_create(c->molecule, NULL, &c->ligand, opt_error));
  int n_types = c->ligand->n_map_types;
  BT_SCOPED const char **types = bench_allocate((size_t)n_types, sizeof *types);
  for (int i = 0; i < n_types; i++) types[i] = c->ligand->map_types[i];
  if (opt_text == NULL && !cli_path_ends(receptor, ".pdbqt"))
    return bt_maps_read(receptor, types, n_types, &c->maps, opt_error);
  options.threads = threads;
  options.stand_ins = BT_STAND_INS_USE;
  if (opt_box != NULL)
    options.box = *opt_box;
  else
    BT_TRY(box_around(c->molecule, &options.box, opt_error));
  BT_TRY(bench_molecule_read(receptor, opt_text, BT_MOLECULE_RECEPTOR, &molecule, opt_error));
  bt_status status = bt_maps_compute(molecule, types, n_types, &options, &c->maps, opt_error);
  bt_molecule_destroy(molecule);
  return status;
}

bt_status bench_case_load(const char *receptor, const char *ligand, const bt_box *opt_box, int threads,
                          bench_case *ret_case, bt_error *opt_error) {
  BT_TRY(bench_molecule_read(ligand, NULL, BT_MOLECULE_LIGAND, &ret_case->molecule, opt_error));
  if (ret_case->name == NULL) ret_case->name = strdup(bt_molecule_name(ret_case->molecule));
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

/* The numbers of atoms and torsions are those of 1ac8, 7cpa and 3er5. */
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
  BT_TRY(bench_molecule_read(c->name, &ligand, BT_MOLECULE_LIGAND, &c->molecule, opt_error));
  return finish(c, "receptor", &receptor, NULL, 0, opt_error);
}

bt_status bench_cases_load(const cli_list *words, bench_cases *ret_cases, bt_error *opt_error) {
  int count = words->count > 0 ? words->count : CLI_COUNT(synthetic);
  *ret_cases = (bench_cases){bench_keep((size_t)count, sizeof *ret_cases->items), count};
  for (int i = 0; i < count; i++)
    BT_TRY(words->count > 0 ? load_word(&ret_cases->items[i], words->items[i], opt_error)
                            : load_synthetic(i, &ret_cases->items[i], opt_error));
  return BT_OK;
}
