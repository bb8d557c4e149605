/* cases.c - see cases.h. */
#include "bench/common/cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "input/inputs.h"
#include "grid/map_types.h"
#include "common/report.h"

/* Room around the ligand's input pose when maps are computed, Angstrom. */
static const double padding = 8.0, spacing = 0.375;

static bt_status out_of_memory(bt_error *opt_error) {
  return cli_fill_error(opt_error, BT_ERR_MEMORY, NULL, "", "out of memory");
}

void bench_cases_free(bench_cases *cases) {
  for (int i = 0; i < cases->count; i++) {
    bench_case *c = &cases->items[i];
    bt_maps_destroy(c->maps);
    bt_ligand_destroy(c->ligand);
    bt_molecule_list_destroy(c->molecules, c->n_molecules);
    free(c->name);
  }
  free(cases->items);
  *cases = (bench_cases){0};
}

static bt_status compute_maps(bench_case *c, const char *receptor, const char **types, int n_types,
                              bt_error *opt_error) {
  bt_molecule **list = NULL;
  int count = 0;
  double low[3], high[3], middle[3], edges[3];
  bt_grid_options options = bt_grid_options_default();
  bt_status status = bt_molecule_read(receptor, BT_MOLECULE_RECEPTOR, &list, &count, opt_error);
  if (status == BT_OK) status = bt_molecule_extent(c->molecules[0], NULL, low, high, opt_error);
  if (status == BT_OK) {
    for (int k = 0; k < 3; k++) {
      middle[k] = 0.5 * (low[k] + high[k]);
      edges[k] = high[k] - low[k] + 2.0 * padding;
    }
    options.box = bt_box_from_size(middle, edges, spacing);
    status = bt_maps_compute(list[0], types, cli_map_types_needed(types, n_types), &options, &c->maps, opt_error);
  }
  bt_molecule_list_destroy(list, count);
  return status;
}

static bt_status load(bench_case *c, const char *receptor, const char *ligand, bt_error *opt_error) {
  bt_status status = bt_molecule_read(ligand, BT_MOLECULE_LIGAND, &c->molecules, &c->n_molecules, opt_error);
  if (status == BT_OK) status = bt_ligand_create(c->molecules[0], NULL, &c->ligand, opt_error);
  if (status != BT_OK) return status;
  int n_types = bt_ligand_type_count(c->ligand);
  BT_SCOPED const char **types = calloc((size_t)n_types + 1, sizeof *types);
  if (types == NULL) return out_of_memory(opt_error);
  for (int i = 0; i < n_types; i++) types[i] = bt_ligand_type(c->ligand, i);
  if (cli_path_ends(receptor, ".pdbqt"))
    status = compute_maps(c, receptor, types, n_types, opt_error);
  else
    status = bt_maps_read(receptor, types, n_types, &c->maps, opt_error);
  return status;
}

/* NAME=RECEPTOR:LIGAND */
static bt_status load_word(bench_case *c, const char *word, bt_error *opt_error) {
  const char *equal = strchr(word, '='), *colon = strrchr(word, ':');
  if (equal == NULL || equal == word || colon == NULL || colon <= equal + 1 || colon[1] == '\0')
    return cli_fill_error(opt_error, BT_ERR_USAGE, NULL, "write it as NAME=RECEPTOR.maps.fld:LIGAND.pdbqt",
                          "--case '%.200s' is not valid", word);
  BT_SCOPED char *receptor = strndup(equal + 1, (size_t)(colon - equal - 1));
  c->name = strndup(word, (size_t)(equal - word));
  if (c->name == NULL || receptor == NULL) return out_of_memory(opt_error);
  return load(c, receptor, colon + 1, opt_error);
}

/* As many atoms and torsions as 1ac8, 7cpa and 3er5 have. */
static const struct {
  const char *name;
  int atoms, torsions;
} synthetic[] = {{"small", 8, 0}, {"medium", 43, 15}, {"large", 108, 31}};

static bt_status load_synthetic(bench_cases *cases, bt_error *opt_error) {
  const char *parent = getenv("TMPDIR");
  char folder[512], receptor[600], ligand[600];
  snprintf(folder, sizeof folder, "%s/berth-bench-XXXXXX", parent != NULL && parent[0] != '\0' ? parent : P_tmpdir);
  if (mkdtemp(folder) == NULL)
    return cli_fill_error(opt_error, BT_ERR_IO, folder, "set TMPDIR to a folder that can be written, or give --case",
                          "no folder can be made");
  bt_status status = BT_OK;
  for (int i = 0; i < CLI_COUNT(synthetic) && status == BT_OK; i++) {
    bench_case *c = &cases->items[cases->count++];
    snprintf(receptor, sizeof receptor, "%s/receptor.pdbqt", folder);
    snprintf(ligand, sizeof ligand, "%s/%s.pdbqt", folder, synthetic[i].name);
    c->name = strdup(synthetic[i].name);
    status = c->name == NULL ? out_of_memory(opt_error) : BT_OK;
    if (status == BT_OK)
      status = bench_synthetic_write(synthetic[i].atoms, synthetic[i].torsions, receptor, ligand, opt_error);
    if (status == BT_OK) status = load(c, receptor, ligand, opt_error);
    unlink(receptor);
    unlink(ligand);
  }
  rmdir(folder);
  return status;
}

bt_status bench_cases_load(const cli_list *words, bench_cases *ret_cases, bt_error *opt_error) {
  int count = words->count > 0 ? words->count : CLI_COUNT(synthetic);
  *ret_cases = (bench_cases){.items = calloc((size_t)count, sizeof *ret_cases->items)};
  if (ret_cases->items == NULL) return out_of_memory(opt_error);
  if (words->count == 0) return load_synthetic(ret_cases, opt_error);
  bt_status status = BT_OK;
  for (int i = 0; i < words->count && status == BT_OK; i++)
    status = load_word(&ret_cases->items[ret_cases->count++], words->items[i], opt_error);
  return status;
}
