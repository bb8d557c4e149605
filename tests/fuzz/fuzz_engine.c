/* fuzz_engine.c - the engine's C interface as a program uses it: maps of a receptor, a ligand, options, a search,
 * results and every writer. The input is lines "OPTION VALUE"; a line "ligand" ends them, and a PDBQT ligand follows.
 * Only the effort is limited; any other value of an option must be refused or work. */
#include <berth/berth.h>
#include <berth/grid.h>
#include <limits.h>

#include "base/text/text.h"
#include "formats/pdbqt/pdbqt.h"
#include "fuzz/folder.h"

enum { LONGEST = 1 << 14, MOST_ATOMS = 24 };

static const char receptor_text[] =
    "ATOM      1  C   ALA A   1       4.000   0.000   0.000  1.00  0.00     0.100 C \n"
    "ATOM      2  O   ALA A   1      -4.000   0.000   0.000  1.00  0.00    -0.300 OA\n"
    "ATOM      3  N   ALA A   1       0.000   4.000   0.000  1.00  0.00    -0.300 N \n"
    "ATOM      4  H   ALA A   1       0.000   3.000   0.000  1.00  0.00     0.200 HD\n";

static bt_molecule **read_receptor(int *ret_count) {
  bt_molecule **list = NULL;
  bt_error error;
  FUZZ_CHECK(bt_molecule_from_memory("receptor.pdbqt", receptor_text, sizeof receptor_text - 1, BT_MOLECULE_RECEPTOR,
                                     &list, ret_count, &error) == BT_OK);
  return list;
}

/* --- options ------------------------------------------------------------------------------------------- */

static bool set_count(bt_dock_options *o, bt_span key, bt_span value) {
  const struct {
    const char *name;
    int *target, most;
  } counts[] = {{"runs", &o->runs, 3},
                {"population", &o->population, 20},
                {"iterations", &o->local_search_iterations, 10},
                {"elitism", &o->elitism, INT_MAX},
                {"sw_limit", &o->sw_limit, INT_MAX},
                {"interval", &o->autostop_interval, INT_MAX},
                {"heuristics_runs", &o->heuristics_runs, INT_MAX},
                {"team", &o->team, INT_MAX},
                {"threads", &o->threads, 2}};
  int64_t number;
  if (!bt_parse_int64(value, &number)) return false;
  for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
    if (bt_span_equals(key, counts[k].name))
      return *counts[k].target = number > counts[k].most ? counts[k].most
                               : number < INT_MIN        ? INT_MIN
                                                         : (int)number,
             true;
  if (bt_span_equals(key, "evaluations")) return o->evaluations = number > 400 ? 400 : number, true;
  if (bt_span_equals(key, "generations")) return o->generations = number > 20 ? 20 : number, true;
  if (bt_span_equals(key, "seed")) return o->seed = (uint64_t)number, true;
  if (bt_span_equals(key, "search")) return o->local_search = (bt_local_search)((uint64_t)number % 4), true;
  if (bt_span_equals(key, "selection")) return o->selection = (bt_selection)(number & 1), true;
  if (bt_span_equals(key, "crossover")) return o->crossover = (bt_crossover)(number & 1), true;
  if (bt_span_equals(key, "torsional")) return o->torsional = (bt_torsional_count)(number & 1), true;
  if (bt_span_equals(key, "autostop")) return o->autostop = number & 1, true;
  if (bt_span_equals(key, "symmetry")) return o->rmsd_symmetry = number & 1, o->rmsd_autodock = number & 2, true;
  return false;
}

static void set_share(bt_dock_options *o, bt_span key, bt_span value) {
  const struct {
    const char *name;
    double *target;
  } shares[] = {{"search_rate", &o->local_search_rate},
                {"tournament", &o->tournament_rate},
                {"crossover_rate", &o->crossover_rate},
                {"mutation", &o->mutation_rate},
                {"move", &o->mutation_move},
                {"angle", &o->mutation_angle},
                {"sw_move", &o->sw_move},
                {"sw_angle", &o->sw_angle},
                {"sw_rho", &o->sw_rho_limit},
                {"tolerance", &o->autostop_tolerance},
                {"rmsd", &o->rmsd_tolerance}};
  double number;
  if (bt_span_equals(value, "nan"))
    number = NAN;
  else if (bt_span_equals(value, "inf"))
    number = INFINITY;
  else if (!bt_parse_double(value, &number))
    return;
  for (size_t k = 0; k < sizeof shares / sizeof *shares; k++)
    if (bt_span_equals(key, shares[k].name)) *shares[k].target = number;
}

/* Sets the options of the lines; returns where the ligand begins, or NULL. */
static const char *read_options(const char *text, const char *end, bt_dock_options *o, bt_scoring *ret_scoring) {
  while (text < end) {
    const char *next = memchr(text, '\n', (size_t)(end - text));
    if (next == NULL) return NULL;
    bt_span line = {text, (size_t)(next - text)}, key = bt_span_word(&line), value = bt_span_word(&line);
    text = next + 1;
    if (bt_span_equals(key, "ligand")) return text;
    if (bt_span_equals(key, "vina")) *ret_scoring = BT_SCORING_VINA;
    if (bt_span_equals(key, "vinardo")) *ret_scoring = BT_SCORING_VINARDO;
    if (!set_count(o, key, value)) set_share(o, key, value);
  }
  return NULL;
}

/* --- docking --------------------------------------------------------------------------------------------- */

static void check_file(bt_status status, const char *path, const bt_error *error) {
  if (status != BT_OK) fuzz_check_failure(status, error);
  FUZZ_CHECK((status == BT_OK) == (access(path, R_OK) == 0)); /* complete, or not at all */
  unlink(path);
}

static void check_result(const bt_result *result) {
  char path[1024], *table = NULL;
  bt_error error;
  bt_write_context context = {.opt_command_line = "fuzz"};
  int poses = bt_result_pose_count(result);
  FUZZ_CHECK(bt_result_run_count(result) > 0 && bt_result_run_count(result) <= poses);
  FUZZ_CHECK(bt_result_cluster_count(result) >= 1 && bt_result_cluster_count(result) <= poses);
  for (int k = 0; k < poses; k++) {
    bt_run_summary run = bt_result_ranked(result, k);
    FUZZ_CHECK(run.run >= 1 && run.run <= poses && run.cluster >= 1 && run.rank_in_cluster >= 1);
  }
  fuzz_path(path, sizeof path, "result");
  for (int k = 0; bt_result_format(k) != NULL; k++)
    check_file(bt_result_write(result, path, bt_result_format(k), &context, &error), path, &error);
  FUZZ_CHECK(bt_result_table(result, &table, &error) == BT_OK && table != NULL);
  free(table);
}

static void dock(const bt_ligand *ligand, const bt_maps *maps, const bt_dock_options *options) {
  bt_result *result = NULL;
  bt_error error;
  bt_energy energy;
  bt_status status = bt_score(ligand, maps, BT_FORM_TABULATED, options->torsional, &energy, NULL, &error);
  if (status != BT_OK) fuzz_check_failure(status, &error);
  status = bt_dock(ligand, maps, NULL, options, &result, &error);
  if (status != BT_OK)
    fuzz_check_failure(status, &error);
  else
    check_result(result);
  bt_result_destroy(result);
  result = NULL;
  status = bt_minimize(ligand, maps, options, &result, &error);
  if (status != BT_OK) fuzz_check_failure(status, &error);
  bt_result_destroy(result);
}

static bt_maps *make_maps(const bt_molecule *receptor, const bt_ligand *ligand, bt_scoring scoring) {
  const char *types[32];
  bt_maps *maps = NULL;
  bt_error error;
  bt_grid_options grid = bt_grid_options_default();
  int count = bt_ligand_type_count(ligand);
  if (count > (int)(sizeof types / sizeof *types)) return NULL;
  for (int k = 0; k < count; k++) types[k] = bt_ligand_type(ligand, k);
  grid.box = bt_box_from_size((double[]){0, 0, 0}, (double[]){8, 8, 8}, 1);
  grid.scoring = scoring;
  bt_status status = bt_maps_compute(receptor, types, count, &grid, &maps, &error);
  if (status != BT_OK) fuzz_check_failure(status, &error);
  return status == BT_OK ? maps : NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  bt_dock_options options = bt_dock_options_default();
  bt_scoring scoring = BT_SCORING_AD4;
  options.runs = 1;
  options.population = 6;
  options.evaluations = 60;
  options.generations = 5;
  options.local_search_iterations = 3;
  options.heuristics = false;
  options.threads = 1;
  options.opt_device = "cpu";
  if (size > LONGEST) return 0;
  const char *end = (const char *)data + size, *text = read_options((const char *)data, end, &options, &scoring);
  bt_molecule **ligands = NULL;
  bt_ligand *ligand = NULL;
  bt_error error;
  int count = 0, parts;
  if (text == NULL || bt_molecule_from_memory("fuzz.pdbqt", text, (size_t)(end - text), BT_MOLECULE_LIGAND, &ligands,
                                              &count, &error) != BT_OK)
    return 0;
  fuzz_folder_begin();
  bt_molecule **receptor = read_receptor(&parts);
  bt_status status = bt_ligand_create_as(ligands[0], NULL, scoring, &ligand, &error);
  if (status != BT_OK) fuzz_check_failure(status, &error);
  if (status == BT_OK && bt_ligand_atom_count(ligand) <= MOST_ATOMS) {
    bt_maps *maps = make_maps(receptor[0], ligand, scoring);
    if (maps != NULL) dock(ligand, maps, &options);
    bt_maps_destroy(maps);
  }
  bt_ligand_destroy(ligand);
  bt_molecule_list_destroy(ligands, count);
  bt_molecule_list_destroy(receptor, parts);
  return 0;
}
