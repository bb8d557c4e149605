/* score.c - `berth score`: the energy of given poses, every term. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "report.h"
#include "score_state.h"

static_assert(BT_LS_SOLIS_WETS == 1 && BT_LS_ADADELTA == 2 && BT_LS_ADAM == 3, "order of --local-search");
static_assert(BT_TORSIONAL_TORSDOF == 0 && BT_TORSIONAL_BRANCHES == 1, "order of --torsional");

static const char details[] =
    "Receptor: a .maps.fld file brings AutoGrid maps; for a .pdbqt file the maps are computed in the given\n"
    "box, or in the smallest box around all poses and --padding.\n"
    "Ligands: .pdbqt files, folders, patterns, - for standard input; every MODEL is a pose.\n"
    "\n"
    "inter is the ligand with the receptor (vdw+hbond, electrostatic and desolvation, and with flexible\n"
    "residues), intra is the ligand within itself (and the residues with the receptor and among\n"
    "themselves), torsional is 0.2983 per torsional degree of freedom. binding, AutoDock's estimated free\n"
    "energy, is inter + torsional; total is inter + intra + torsional.\n"
    "\n"
    "By default AutoDock 4.2.6's own tabulated arithmetic is used, to its last printed digit; --continuous\n"
    "evaluates the closed forms that the search uses.\n"
    "Exit code: 0 all scored, 1 nothing scored, 2 some poses rejected, 3 out of memory.";

static const char examples[] =
    "  berth score -r protein.maps.fld -l ligand.pdbqt\n"
    "  berth score -r protein.pdbqt -l pose.pdbqt --per-atom\n"
    "      maps are computed around the pose\n"
    "  berth score -r protein.pdbqt -l docked/ --json | jq '.ligand, .energy.free_energy'\n"
    "  berth score -r protein.pdbqt -l crystal.pdbqt --minimize\n"
    "      local search from the given pose\n"
    "  berth score -r rigid.maps.fld --flex sidechains.pdbqt -l ligand.pdbqt";

/* What the table of options cannot say about combinations. */
static bool check(const cli_spec *spec, score_state *state) {
  const char *program = spec->program;
  if (state->receptor == NULL) return cli_refuse(program, "no receptor; give -r FILE (.pdbqt or .maps.fld)");
  if (state->words.count == 0) return cli_refuse(program, "no ligand; give -l FILE, a folder, or - for stdin");
  bool fld = cli_path_ends(state->receptor, ".fld");
  if (!fld && !cli_path_ends(state->receptor, ".pdbqt"))
    return cli_refuse(program, "%s: the receptor must be a .pdbqt or .maps.fld file; prepare a .pdbqt first",
                      state->receptor);
  state->box_given = cli_box_given(spec);
  if (fld && (state->box_given || cli_given(spec, "spacing") || cli_given(spec, "padding")))
    return cli_refuse(program, "%s brings its own box; remove the options that describe one", state->receptor);
  if ((state->per_atom || state->per_pair) && state->minimize)
    return cli_refuse(program, "--%s shows the input pose; remove it or --minimize",
                      state->per_atom ? "per-atom" : "per-pair");
  if (state->continuous && state->minimize)
    return cli_refuse(program, "--minimize reports AutoDock 4's tabulated energies; remove it or --continuous");
  return true;
}

static bool parse(score_state *state, int argc, char **argv, int *ret_exit_code) {
  int local_search = 1;
  bt_dock_options *search = &state->search;
  cli_option options[] = {
      {.group = "Input", .name = "receptor", .letter = 'r', .kind = CLI_STRING, .target = &state->receptor,
       .value = "FILE", .help = "receptor: .pdbqt, or .maps.fld with AutoGrid maps"},
      {.name = "ligand", .letter = 'l', .kind = CLI_LIST, .target = &state->words, .value = "FILE",
       .help = "poses: .pdbqt files, folders, patterns, or - for standard input"},
      {.name = "flex", .letter = 'f', .kind = CLI_STRING, .target = &state->opt_flex, .value = "FILE",
       .help = "side chains that belong to the poses, .pdbqt with BEGIN_RES"},
      {.name = "parameters", .kind = CLI_STRING, .target = &state->opt_parameters, .value = "FILE",
       .help = "AutoGrid parameter file (atom_par lines) for computing maps"},
      {.group = "Energy", .name = "continuous", .kind = CLI_FLAG, .target = &state->continuous,
       .help = "closed forms instead of AutoDock 4's tables"},
      {.name = "torsional", .kind = CLI_CHOICE, .target = &state->torsional, .choices = "torsdof|branches",
       .help = "torsional degrees of freedom: the TORSDOF record, or the number of BRANCH records"},
      {.name = "minimize", .kind = CLI_FLAG, .target = &state->minimize,
       .help = "local search from each pose; the energies are those of its end"},
      {.name = "local-search", .kind = CLI_CHOICE, .target = &local_search, .choices = "solis-wets|adadelta|adam",
       .help = "method of --minimize"},
      {.name = "local-search-iterations", .kind = CLI_INT, .target = &search->local_search_iterations, .value = "N",
       .low = 1, .high = 1e6, .help = "steps of --minimize"},
      {.name = "threads", .letter = 'j', .kind = CLI_INT, .target = &state->threads, .value = "N", .high = 4096,
       .opt_default = "all cores", .help = "threads for computing maps"},
      CLI_BOX_OPTIONS(state->box),
      {.group = "Output", .name = "json", .kind = CLI_FLAG, .target = &state->json, .help = "one JSON object per pose"},
      {.name = "per-atom", .kind = CLI_FLAG, .target = &state->per_atom, .help = "also each atom's energy in the maps"},
      {.name = "per-pair", .kind = CLI_FLAG, .target = &state->per_pair,
       .help = "also the energy of each pair of moving atoms; atoms are counted from 1, residues after the ligand"},
      CLI_DEVICE_OPTIONS(state->device),
  };
  cli_spec spec = {.program = state->program,
                   .summary = "energy of given poses, every term",
                   .usage = "-r RECEPTOR -l POSE... [options]",
                   .opt_details = details,
                   .opt_examples = examples,
                   .options = options,
                   .n_options = CLI_COUNT(options)};
  if (!cli_parse(&spec, argc, argv, ret_exit_code)) return false;
  *ret_exit_code = CLI_EXIT_BAD;
  if (!check(&spec, state)) return false;
  search->local_search = (bt_local_search)(BT_LS_SOLIS_WETS + local_search);
  search->threads = state->threads;
  search->torsional = (bt_torsional_count)state->torsional;
  bt_error error;
  if (cli_device_resolve(&state->device, search, &error) != BT_OK)
    return *ret_exit_code = cli_fail(state->program, &error), false;
  if (state->box_given) {
    bt_status status = cli_box_resolve(&spec, &state->box, &state->resolved_box, &error);
    if (status != BT_OK) return *ret_exit_code = cli_fail(state->program, &error), false;
  }
  return true;
}

/* Does the failure concern this pose alone? */
static bool concerns_pose(bt_status status) { return status != BT_OK && status != BT_ERR_MEMORY; }

bt_status score_reject(score_state *state, cli_ligand *item, const bt_error *error) {
  item->rejected = true;
  if (state->single) {
    state->single_exit_code = cli_fail(state->program, error);
    return BT_OK;
  }
  return cli_rejects_add(&state->rejects, item->name, error) ? BT_OK : BT_ERR_MEMORY;
}

/* Builds one pose's ligand; a faulty one is rejected and ret_ligand becomes NULL. */
static bt_status build(score_state *state, cli_ligand *item, bt_ligand **ret_ligand, bt_error *opt_error) {
  const bt_molecule *molecule;
  bt_error error = {0};
  *ret_ligand = NULL;
  bt_status status = cli_ligands_molecule(&state->ligands, item, &molecule, &error);
  if (status == BT_OK)
    status = bt_ligand_create(molecule, state->n_flexible > 0 ? state->flexible[0] : NULL, ret_ligand, &error);
  if (concerns_pose(status)) return score_reject(state, item, &error);
  *opt_error = error;
  return status;
}

/* Finds the poses of one file and the atom types that they need. */
static bt_status read_file(score_state *state, int file, bt_error *error) {
  int count = 0;
  bt_status status = cli_ligands_load(&state->ligands, file, &count, error);
  state->single = state->paths.count == 1 && count <= 1;
  if (concerns_pose(status)) {
    cli_ligand *item = cli_ligands_add(&state->ligands, file, 0);
    return item != NULL ? score_reject(state, item, error) : BT_ERR_MEMORY;
  }
  for (int model = 0; status == BT_OK && model < count; model++) {
    cli_ligand *item = cli_ligands_add(&state->ligands, file, model);
    if (item == NULL) return cli_fill_error(error, BT_ERR_MEMORY, NULL, "", "out of memory");
    bt_ligand *ligand;
    status = build(state, item, &ligand, error);
    if (ligand != NULL && !cli_ligands_add_types(&state->ligands, item, ligand))
      status = cli_fill_error(error, BT_ERR_MEMORY, NULL, "", "out of memory");
    bt_ligand_destroy(ligand);
  }
  return status;
}

static bt_status read_one(const char *opt_path, bt_molecule_kind kind, bt_molecule ***ret_list, int *ret_count,
                          bt_error *error) {
  if (opt_path == NULL) return BT_OK;
  bt_status status = bt_molecule_read(opt_path, kind, ret_list, ret_count, error);
  if (status == BT_OK && *ret_count != 1)
    status = cli_fill_error(error, BT_ERR_INPUT, opt_path, "leave one of them in the file", "%d models instead of one",
                            *ret_count);
  return status;
}

static bt_status read_inputs(score_state *state, bt_error *error) {
  const char *excluded[] = {state->receptor, state->opt_flex};
  bt_status status = cli_inputs_expand(&state->words, excluded, CLI_COUNT(excluded), &state->paths, error);
  if (status != BT_OK) return status;
  state->ligands = cli_ligands_start(&state->paths);
  status = read_one(state->opt_flex, BT_MOLECULE_FLEXIBLE, &state->flexible, &state->n_flexible, error);
  if (status == BT_OK && !cli_path_ends(state->receptor, ".fld"))
    status = read_one(state->receptor, BT_MOLECULE_RECEPTOR, &state->rigid, &state->n_rigid, error);
  for (int file = 0; status == BT_OK && file < state->paths.count; file++) status = read_file(state, file, error);
  return status;
}

/* What score_one() fills for one pose. */
typedef struct pose_energies {
  bt_energy input;
  bt_atom_energy *opt_atoms;
  bt_pair_energy *opt_pairs;
} pose_energies;

static bt_status make_room(const score_state *state, const bt_ligand *ligand, pose_energies *pose, bt_error *error) {
  if (state->per_atom) pose->opt_atoms = calloc((size_t)bt_ligand_atom_count(ligand), sizeof *pose->opt_atoms);
  if (state->per_pair) pose->opt_pairs = calloc((size_t)bt_ligand_pair_count(ligand) + 1, sizeof *pose->opt_pairs);
  if ((state->per_atom && pose->opt_atoms == NULL) || (state->per_pair && pose->opt_pairs == NULL))
    return cli_fill_error(error, BT_ERR_MEMORY, NULL, "", "out of memory");
  return BT_OK;
}

/* Scores the pose; with --minimize searches from it. */
static bt_status evaluate(score_state *state, const bt_ligand *ligand, pose_energies *pose, score_line *line,
                          bt_error *error) {
  bt_energy_form form = state->continuous ? BT_FORM_CONTINUOUS : BT_FORM_TABULATED;
  bt_torsional_count torsional = (bt_torsional_count)state->torsional;
  bt_status status = make_room(state, ligand, pose, error);
  if (status == BT_OK)
    status = bt_score(ligand, state->maps, form, torsional, &pose->input, pose->opt_atoms, error);
  if (status == BT_OK && pose->opt_pairs != NULL)
    status = bt_score_pairs(ligand, state->maps, form, pose->opt_pairs, error);
  line->borrowed_ligand = ligand;
  line->energy = pose->input;
  line->opt_atoms = pose->opt_atoms;
  line->opt_pairs = pose->opt_pairs;
  if (status != BT_OK || !state->minimize) return status;
  bt_result *result;
  status = bt_minimize(ligand, state->maps, &state->search, &result, error);
  if (status != BT_OK) return status;
  bt_run_summary end = bt_result_ranked(result, 0);
  bt_result_destroy(result);
  line->energy = end.energy;
  line->rmsd = end.reference_rmsd;
  line->opt_input = &pose->input;
  return BT_OK;
}

static bt_status score_one(score_state *state, cli_ligand *item, bt_error *opt_error) {
  bt_ligand *ligand;
  bt_status status = build(state, item, &ligand, opt_error);
  if (status != BT_OK || ligand == NULL) return status;
  const bt_molecule *molecule;
  bt_error error = {0};
  pose_energies pose = {0};
  score_line line = {.pose = item->model + 1};
  status = cli_ligands_molecule(&state->ligands, item, &molecule, &error);
  if (status == BT_OK) status = evaluate(state, ligand, &pose, &line, &error);
  if (status == BT_OK) {
    line.ligand = bt_molecule_name(molecule);
    if (state->scored++ == 0) score_print_header(state);
    score_print(state, &line);
  }
  free(pose.opt_atoms);
  free(pose.opt_pairs);
  bt_ligand_destroy(ligand);
  if (concerns_pose(status)) return score_reject(state, item, &error);
  *opt_error = error;
  return status;
}

static int run(score_state *state) {
  bt_error error = {0};
  bt_status status = read_inputs(state, &error);
  int left = 0;
  for (int i = 0; i < state->ligands.count; i++) left += !state->ligands.items[i].rejected;
  if (status == BT_OK && left > 0) status = score_prepare_maps(state, &error);
  for (int i = 0; status == BT_OK && i < state->ligands.count; i++)
    if (!state->ligands.items[i].rejected) status = score_one(state, &state->ligands.items[i], &error);
  if (status != BT_OK) return cli_fail(state->program, &error);
  if (state->single) return state->scored == 1 ? CLI_EXIT_OK : state->single_exit_code;
  if (state->rejects.count > 0)
    cli_message(state->program, "%d poses scored, %d rejected", state->scored, state->rejects.count);
  return state->scored == 0 ? CLI_EXIT_BAD : state->rejects.count > 0 ? CLI_EXIT_REJECTED : CLI_EXIT_OK;
}

int cmd_score(int argc, char **argv) {
  score_state state = {.program = "berth score",
                       .box = cli_box_request_default(),
                       .search = bt_dock_options_default(),
                       .single_exit_code = CLI_EXIT_BAD};
  state.rejects.program = state.program;
  int exit_code;
  if (parse(&state, argc, argv, &exit_code)) exit_code = run(&state);
  bt_maps_destroy(state.maps);
  cli_ligands_free(&state.ligands);
  bt_molecule_list_destroy(state.flexible, state.n_flexible);
  bt_molecule_list_destroy(state.rigid, state.n_rigid);
  cli_rejects_free(&state.rejects);
  cli_paths_free(&state.paths);
  cli_list_free(&state.words);
  return exit_code;
}
