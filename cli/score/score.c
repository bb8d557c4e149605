/* score.c - `berth score`: the energies of given poses, term by term. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "commands.h"
#include "common/report.h"
#include "input/protocol.h"
#include "score/state.h"

static_assert(BT_LS_SOLIS_WETS == 1 && BT_LS_ADADELTA == 2 && BT_LS_ADAM == 3, "order of --local-search");
static_assert(BT_SCORING_COUNT == 4, "choices of --scoring: cnn follows the functions");
static_assert(BT_TORSIONAL_TORSDOF == 0 && BT_TORSIONAL_BRANCHES == 1, "order of --torsional");

static const char details[] =
    "Receptor: a .maps.fld file provides AutoGrid maps; for other files the maps are computed in the given\n"
    "box, in the grid in which berth dock or screen docked the pose, or in the smallest box around all\n"
    "other poses, enlarged by --padding. PDB and mmCIF files are prepared first, with the --flex and\n"
    "--covalent of the first pose's docking.\n"
    "Ligands: .pdbqt, .sdf, .mol2 files, folders, patterns, - for standard input; every MODEL or record is a\n"
    "pose, and so are several ligands in one MODEL that were docked together. Files other than .pdbqt are\n"
    "prepared first; hydrogens that they lack are added. What a pose of berth dock records of its docking\n"
    "is used, or the pose is refused.\n"
    "\n"
    "inter is the ligand with the receptor (vdw+hbond, electrostatic and desolvation, and with flexible\n"
    "residues), intra is the ligand within itself (and the residues with the receptor and among\n"
    "themselves), torsional is 0.2983 per torsional degree of freedom. binding, AutoDock's estimated free\n"
    "energy, is inter + torsional; total is inter + intra + torsional.\n"
    "\n"
    "A pose of berth dock is scored by the function of its docking, other poses by that of the maps or, like\n"
    "ligands that berth dock docks, by Vina; an option for AutoDock 4 only selects ad4. --scoring ad4 reproduces\n"
    "AutoDock 4.2.6's tabulated arithmetic to the last printed digit; --continuous evaluates the closed forms that\n"
    "the search uses.\n"
    "\n"
    "--scoring cnn adds what gnina's networks say of the pose as it is: CNNscore, the probability that it is right,\n"
    "and CNNaffinity in pK; --json has them of every network (docs/networks.md).\n"
    "\n"
    "--scoring vina and vinardo sum over the receptor's atoms, without maps or box, and give the\n"
    "values of --score_only in Vina 1.2. affinity is (inter + intra - unbound) / (1 + 0.05846 rotors);\n"
    "unbound is the intra of the pose itself. torsional is the penalty for rotors.\n"
    "Exit code: 0 all scored, 1 nothing scored, 2 some poses rejected, 3 out of memory.";

static const char examples[] =
    "  berth score -r protein.maps.fld -l ligand.pdbqt\n"
    "  berth score -r protein.pdbqt -l pose.pdbqt --per-atom\n"
    "      maps are computed around the pose\n"
    "  berth score -r protein.pdbqt -l pose.pdbqt --scoring vina\n"
    "  berth score -r protein.pdbqt -l docked/ --json | jq '.ligand, .energy.free_energy'\n"
    "  berth score -r protein.pdbqt -l crystal.pdbqt --minimize\n"
    "      local search from the given pose\n"
    "  berth score -r rigid.maps.fld --flex sidechains.pdbqt -l ligand.pdbqt";

/* Checks of combinations, which the table of options cannot express. */
static bool check(const cli_spec *spec, score_state *state) {
  const char *program = spec->program;
  if (!cli_receptor_check(program, state->receptor, true)) return false;
  if (state->words.count == 0) return cli_refuse(program, "no ligand; use -l FILE, a folder, or - for stdin");
  bool fld = cli_path_ends(state->receptor, ".fld");
  state->box_given = cli_box_given(spec);
  if (fld && (state->box_given || cli_given(spec, "spacing") || cli_given(spec, "padding")))
    return cli_refuse(program, "%s defines the box; remove the options of the box", state->receptor);
  state->own_grid =
      !fld && !state->ignore_docking && !state->box_given && !cli_given(spec, "spacing") && !cli_given(spec, "padding");
  state->own_torsional = !cli_given(spec, "torsional");
  bool networks = state->scoring_word == BT_SCORING_COUNT;
  state->default_scoring = networks || !cli_given(spec, "scoring");
  state->own_scoring = !state->ignore_docking && state->default_scoring && cli_ad4_option(spec) == NULL;
  state->scoring = networks ? bt_protocol_default().scoring : (bt_scoring)state->scoring_word;
  if (networks && state->opt_networks == NULL) state->opt_networks = bt_protocol_default().networks;
  if (state->opt_networks != NULL && fld)
    return cli_refuse(program, "networks need the receptor's atoms; use a .pdb, .cif or .pdbqt receptor");
  if (state->opt_networks != NULL && state->minimize)
    return cli_refuse(program, "networks score poses as they are; remove --minimize");
  state->prepare.ligands.as_docked =
      !state->ignore_docking && !cli_given(spec, "rigid-macrocycles") && !cli_given(spec, "macrocycle-size");
  state->prepare.ligands.together = true;
  if (!cli_covalent_check(spec, &state->prepare, state->receptor)) return false;
  cli_protocol protocol = {.scoring = state->scoring};
  if (!cli_protocol_choose(spec, state->receptor, NULL, &protocol)) return false;
  state->scoring = (bt_scoring)protocol.scoring;
  if ((state->per_atom || state->per_pair) && state->minimize)
    return cli_refuse(program, "--%s is for the input pose; remove it or --minimize",
                      state->per_atom ? "per-atom" : "per-pair");
  if (state->continuous && state->minimize)
    return cli_refuse(program, "--minimize reports AutoDock 4's tabulated energies; remove it or --continuous");
  return score_checks_fit(state, fld) && score_interactions_fit(state, fld);
}

/* Reports options that cannot have an effect. */
static bool check_effects(const cli_spec *spec, const score_state *state) {
  unsigned holds = cli_prepare_holds(spec, &state->prepare, state->receptor, &state->words, false);
  if (!state->box_given || (state->box.opt_autobox != NULL && !cli_given(spec, "size"))) holds |= CLI_IF_AUTOBOX;
  if (state->minimize) holds |= CLI_IF_MINIMIZE;
  return cli_prepare_check(spec, &state->prepare) &&
         cli_effects_check(spec, CLI_IF_PREPARED | CLI_IF_AUTOBOX | CLI_IF_MINIMIZE, holds);
}

static bool parse(score_state *state, int argc, char **argv, int *ret_exit_code) {
  int local_search = 1;
  bt_dock_options *search = &state->search;
  cli_option options[] = {
      CLI_RECEPTOR_OPTION(&state->receptor),
      {OPT_LIST("ligand", 'l', &state->words, "FILE",
                "poses: .sdf, .mol2, .pdbqt (also .gz, .bz2, .zst); folders, patterns, or - for standard input")},
      CLI_FLEX_OPTION(state->prepare),
      {OPT_STRING("covalent", 0, &state->prepare.receptor.opt_covalent, "RES",
                  "residue that the poses are bonded to, such as A:SER62"),
       .opt_default = "that of the first pose"},
      CLI_PH_OPTION(state->prepare),
      CLI_PARAMETERS_OPTION(&state->opt_parameters),
      CLI_STRICT_OPTION(state->prepare),
      {.group = "Energy",
       OPT_CHOICE("scoring", 0, &state->scoring_word, "ad4|vina|vinardo|vina_metals|cnn",
                  "scoring function: AutoDock 4, Vina or Vinardo; cnn: that of the docking or Vina, and networks"),
       .opt_default = "that of the docking, else vina"},
      {OPT_STRING("cnn", 0, &state->opt_networks, "LIST",
                  "score by these networks too: gnina (the five of gnina 1.0), fast (the three small ones), names as "
                  "of berth networks, .pt or .btn files"),
       .opt_default = "those of gnina with --scoring cnn"},
      {OPT_FLAG("ignore-docking", 0, &state->ignore_docking,
                "score poses of berth dock like those of other programs, ignoring the function, grid and unbound "
                "energy of their docking")},
      {OPT_FLAG("continuous", 0, &state->continuous, "use closed forms instead of the original programs' tables")},
      {OPT_CHOICE("torsional", 0, &search->torsional, "torsdof|branches",
                  "torsional degrees of freedom: the TORSDOF record, or the number of BRANCH records")},
      {OPT_FLAG("minimize", 0, &state->minimize,
                "run a local search from each pose; report the energies of the minimum")},
      {OPT_CHOICE("local-search", 0, &local_search, "solis-wets|adadelta|adam", "method of --minimize")},
      {OPT_INT("local-search-iterations", 0, &search->local_search_iterations, "N", 1, 1e6, "steps of --minimize"),
       .opt_default = "300; adam: 100 or more"},
      {OPT_THREADS('j', &search->threads, 4096, "threads for computing maps")},
      CLI_BOX_OPTIONS(state->box),
      {.group = "Output", OPT_FLAG("json", 0, &state->json, "one JSON object per pose")},
      {OPT_FLAG("checks", 0, &state->checks,
                "check the poses as PoseBusters does: bonds, angles, planes, clashes, overlap with the receptor")},
      {OPT_FLAG("checks-energy", 0, &state->checks_energy,
                "with --checks: their internal energy as well, which takes seconds per pose")},
      {OPT_STRING("reference", 0, &state->opt_reference, "FILE",
                  "a file or residue; with --checks: the same molecule, whose stereochemistry the poses must have; "
                  "with --interactions: a pose of any molecule, to which the table has the similarity")},
      {OPT_FLAG("contacts", 0, &state->contacts, "contacts with the receptor; --json lists their atoms")},
      {OPT_STRING("interactions", 0, &state->interactions.opt_table, "FILE",
                  "write a table of interactions, a row for each pose, a column for each residue and type, as CSV")},
      {OPT_FLAG("per-atom", 0, &state->per_atom, "also print each atom's energy in the maps")},
      {OPT_FLAG("per-pair", 0, &state->per_pair,
                "also print the energy of each pair of moving atoms, numbered from 1, residues after the ligand")},
      CLI_LIGAND_OPTIONS(state->prepare),
      CLI_RECEPTOR_OPTIONS(state->prepare),
      CLI_DEVICE_OPTIONS(state->device),
  };
  cli_spec spec = {state->program,
                   "energies of given poses, term by term",
                   "-r RECEPTOR -l POSE... [options]",
                   details,
                   examples,
                   CLI_TABLE(options),
                   NULL};
  if (!cli_parse(&spec, argc, argv, ret_exit_code)) return false;
  if (!check(&spec, state) || !check_effects(&spec, state)) return false;
  cli_prepare_resolve(&state->prepare);
  if (!cli_box_in_receptor(state->program, &state->box, &state->prepare, state->receptor)) return false;
  search->local_search = (bt_local_search)(BT_LS_SOLIS_WETS + local_search);
  bt_error error;
  if (cli_device_resolve(&state->device, search, &error) != BT_OK)
    return *ret_exit_code = cli_fail(state->program, &error), false;
  if (state->box_given) {
    bt_status status = cli_box_resolve(&spec, &state->box, &state->resolved_box, &error);
    if (status != BT_OK) return *ret_exit_code = cli_fail(state->program, &error), false;
    bt_boxes_tell(&state->resolved_box, 1, &state->prepare.receptor);
  }
  return true;
}

bt_status score_reject(score_state *state, const cli_ligand *item, const bt_error *reason, bt_error *opt_error) {
  if (!state->single) return cli_lists_reject(&state->lists, item->name, reason, opt_error);
  state->single_exit_code = cli_fail(state->program, reason);
  return BT_OK;
}

/* Poses are scored with the function with which the first one was docked, unless one is given; without a record, with
 * that of berth dock. */
static bt_status plan_pose(score_state *state, const bt_molecule *pose, bt_error *error) {
  bt_docked docked;
  bool own = state->own_scoring && !state->chosen && bt_molecule_docked(pose, &docked);
  const bt_pose_request request = {.opt_receptor = state->receptor_file.rigid,
                                   .opt_flexible = state->receptor_file.opt_flexible,
                                   .opt_scoring = own ? NULL : &state->scoring,
                                   .opt_torsional = state->own_torsional ? NULL : &state->search.torsional,
                                   .ignore_docking = state->ignore_docking};
  bt_pose_plan_clear(&state->plan);
  BT_TRY(bt_pose_plan_make(pose, &request, &state->plan, error));
  state->scoring = state->plan.scoring;
  state->chosen = true;
  return BT_OK;
}

/* The next pose and its ligand; a faulty one has no ligand, and the reason is in item->error. */
static bt_status next_pose(score_state *state, cli_ligand *item, bt_ligand **ret_ligand, bool *ret_found,
                           bt_error *error) {
  *ret_ligand = NULL;
  bt_status status = cli_ligands_next(&state->ligands, item, ret_found, error);
  if (status != BT_OK || !*ret_found || item->molecule == NULL) return status;
  if (!bt_molecule_has_pose(item->molecule)) {
    (void)cli_fill_error(&item->error, BT_ERR_INPUT, state->paths.items[item->file],
                         "dock it with berth dock, or provide coordinates in 3D",
                         "%s has no 3D coordinates that could be scored", bt_molecule_name(item->molecule));
    return BT_OK;
  }
  status = plan_pose(state, item->molecule, &item->error);
  if (status == BT_OK)
    status = bt_ligand_create_as(item->molecule, state->plan.opt_flexible, state->scoring, ret_ligand, &item->error);
  if (status == BT_ERR_MEMORY) *error = item->error;
  return status == BT_ERR_MEMORY ? status : BT_OK;
}

static void include_molecule(score_state *state, const bt_molecule *molecule) {
  double from[3], to[3];
  if (molecule == NULL || bt_molecule_extent(molecule, NULL, from, to, NULL) != BT_OK) return;
  for (int k = 0; k < 3; k++) {
    state->low[k] = fmin(state->low[k], from[k]);
    state->high[k] = fmax(state->high[k], to[k]);
  }
}

/* Records the extent of a pose, for the box, and whether it will be scored. */
static bt_status learn(score_state *state, const cli_ligand *item, const bt_ligand *opt_ligand, bt_error *error) {
  if (!BT_GROW(state->rejected, &state->capacity, state->count + 1)) return bt_fail_memory(error);
  state->rejected[state->count++] = opt_ligand == NULL;
  if (opt_ligand != NULL && !(state->own_grid && state->plan.recorded)) include_molecule(state, item->molecule);
  return BT_OK;
}

/* Reads all poses once: extents, errors. Only after the second one is it known whether there is more than
 * one, so reporting a faulty first pose is deferred. */
static bt_status read_poses(score_state *state, bt_error *error) {
  cli_ligand first;
  bt_status status = BT_OK;
  for (bool found = true; status == BT_OK;) {
    cli_ligand item;
    bt_ligand *ligand;
    status = next_pose(state, &item, &ligand, &found, error);
    if (status != BT_OK || !found) break;
    if (state->count == 1 && state->rejected[0]) status = score_reject(state, &first, &first.error, error);
    if (status == BT_OK) status = learn(state, &item, ligand, error);
    if (state->count == 1)
      first = item;
    else if (status == BT_OK && ligand == NULL)
      status = score_reject(state, &item, &item.error, error);
    bt_ligand_destroy(ligand);
    cli_ligand_clear(&item);
  }
  state->single = state->paths.count == 1 && state->count <= 1;
  if (status == BT_OK && state->count == 1 && state->rejected[0])
    status = score_reject(state, &first, &first.error, error);
  cli_ligands_rewind(&state->ligands);
  return status;
}

/* Without a box that is given, the receptor is prepared for that in which the first pose was docked, or around it: a
 * ligand of the crystal that was taken out for the docking is taken out again. */
static void tell_place(score_state *state, const bt_molecule *pose) {
  bt_docked docked;
  double from[3], to[3], middle[3], edges[3];
  if (state->box_given) return;
  if (!state->ignore_docking && bt_molecule_docked(pose, &docked)) {
    bt_boxes_tell(&docked.box, 1, &state->prepare.receptor);
  } else if (bt_molecule_has_pose(pose) && bt_molecule_extent(pose, NULL, from, to, NULL) == BT_OK) {
    for (int k = 0; k < 3; k++) {
      middle[k] = 0.5 * (from[k] + to[k]);
      edges[k] = to[k] - from[k] + 2.0 * state->box.padding;
    }
    bt_box box = bt_box_from_size(middle, edges, state->box.spacing);
    bt_boxes_tell(&box, 1, &state->prepare.receptor);
  }
}

/* A receptor that is prepared here is prepared as for the docking of the first pose: for its place, and without the
 * side chains that the pose brings along. */
static bt_status fit_receptor(score_state *state, bt_error *error) {
  cli_ligand first;
  bool found;
  if (!bt_is_structure_file(state->receptor)) return BT_OK;
  bt_status status = cli_ligands_next(&state->ligands, &first, &found, error);
  while (status == BT_OK && found && first.molecule == NULL) /* such as the receptor in a folder of poses */
    status = cli_ligands_next(&state->ligands, &first, &found, error);
  if (status == BT_OK && found && first.molecule != NULL) tell_place(state, first.molecule);
  if (status == BT_OK && found && first.molecule != NULL &&
      bt_pose_residues(first.molecule, &state->opt_flexible, &state->opt_covalent, NULL) == BT_OK) {
    cli_prepare *prepare = &state->prepare;
    bool flexible = state->opt_flexible[0] != '\0' && prepare->opt_flex == NULL && !state->ignore_docking;
    bool covalent = state->opt_covalent[0] != '\0' && prepare->receptor.opt_covalent == NULL;
    if (flexible) prepare->opt_flex = state->opt_flexible;
    if (covalent) prepare->receptor.opt_covalent = state->opt_covalent;
    if (flexible && !state->json)
      cli_message(state->program, "note: flexible residues as in the docking: --flex %s", state->opt_flexible);
    if (covalent && !state->json)
      cli_message(state->program, "note: bonded to the receptor as in the docking: --covalent %s", state->opt_covalent);
  }
  if (status == BT_OK && found) cli_ligand_clear(&first);
  cli_ligands_rewind(&state->ligands);
  return status;
}

static bt_status read_inputs(score_state *state, bt_error *error) {
  const char *excluded[] = {state->receptor, state->prepare.opt_flex};
  BT_TRY(cli_inputs_expand(&state->words, true, excluded, CLI_COUNT(excluded), &state->paths, error));
  state->ligands = cli_ligands_start(&state->paths, &state->prepare.ligands);
  state->ligands.twice = true;
  BT_TRY(fit_receptor(state, error));
  BT_TRY(
      cli_receptor_load(state->program, state->receptor, &state->prepare, state->json, &state->receptor_file, error));
  BT_TRY(score_open_target(state, error));
  for (int k = 0; k < 3; k++) {
    state->low[k] = INFINITY;
    state->high[k] = -INFINITY;
  }
  include_molecule(state, state->receptor_file.opt_flexible);
  BT_TRY(score_open_checker(state, error));
  BT_TRY(score_open_interactions(state, error));
  return read_poses(state, error);
}

/* The energies of one pose, filled by score_one(). */
typedef struct pose_energies {
  bt_energy input;
  bt_atom_energy *opt_atoms;
  bt_pair_energy *opt_pairs;
  bt_network_score *opt_each;
  bt_checks checks;
  bt_interactions *contacts;
} pose_energies;

static bt_status make_room(const score_state *state, const bt_ligand *ligand, pose_energies *pose, bt_error *error) {
  if (state->per_atom) pose->opt_atoms = calloc((size_t)bt_ligand_atom_count(ligand), sizeof *pose->opt_atoms);
  if (state->per_pair) pose->opt_pairs = calloc((size_t)bt_ligand_pair_count(ligand) + 1, sizeof *pose->opt_pairs);
  if ((state->per_atom && pose->opt_atoms == NULL) || (state->per_pair && pose->opt_pairs == NULL))
    return bt_fail_memory(error);
  return BT_OK;
}

/* Scores the pose; with --minimize, runs a local search from it. */
static bt_status evaluate(score_state *state, const bt_ligand *ligand, pose_energies *pose, score_line *line,
                          bt_error *error) {
  bt_energy_form form = state->continuous ? BT_FORM_CONTINUOUS : BT_FORM_TABULATED;
  bt_status status = make_room(state, ligand, pose, error);
  if (state->minimize) state->plan.unbound = NAN; /* that of the pose before and after */
  if (status == BT_OK)
    status = bt_pose_score(ligand, state->maps, form, &state->plan, &pose->input, pose->opt_atoms, error);
  if (status == BT_OK && pose->opt_pairs != NULL)
    status = bt_score_pairs(ligand, state->maps, form, pose->opt_pairs, error);
  line->borrowed_ligand = ligand;
  line->energy = pose->input;
  line->opt_atoms = pose->opt_atoms;
  line->opt_pairs = pose->opt_pairs;
  if (status != BT_OK || !state->minimize) return status;
  bt_result *result;
  state->search.torsional = state->plan.torsional;
  BT_TRY(bt_minimize(ligand, state->maps, &state->search, &result, error));
  bt_run_summary end = bt_result_ranked(result, 0);
  bt_result_destroy(result);
  line->energy = end.energy;
  line->rmsd = end.reference_rmsd;
  line->opt_input = &pose->input;
  return BT_OK;
}

/* Printed once. */
static void tell_docked(score_state *state) {
  if (state->said || state->json) return;
  state->said = true;
  cli_message(state->program, "note: docked poses are scored in the grid%s%s of their docking; see --ignore-docking",
              state->own_scoring ? " and with the function " : "",
              state->own_scoring ? bt_scoring_name(state->scoring) : "");
}

/* Printed once; all energies of a table are by the same function. */
static void warn_of_other_function(score_state *state, const cli_ligand *item) {
  const bt_pose_plan *plan = &state->plan;
  if (state->said_function || !state->own_scoring || !plan->recorded || plan->docked_with == plan->scoring) return;
  state->said_function = true;
  cli_message(state->program,
              "warning: %s: docked with %s, but scored with %s like the poses before; score it separately", item->name,
              bt_scoring_name(plan->docked_with), bt_scoring_name(state->scoring));
}

/* The record of a pose does not tell how the receptor was prepared, nor what parameters its maps had; its energy does.
 * Printed once. */
static void warn_of_other_energy(score_state *state, const cli_ligand *item, const score_line *line) {
  const double tolerance = 0.005; /* kcal/mol; files have three decimals */
  const bt_pose_plan *plan = &state->plan;
  double docked;
  if (state->said_energy || !line->as_docked || state->minimize || state->continuous || !state->own_torsional ||
      plan->docked_with != plan->scoring || !bt_molecule_docked_energy(item->molecule, &docked))
    return;
  if (fabs(line->energy.free_energy - docked) <= tolerance + 1e-5 * fabs(docked)) return;
  state->said_energy = true;
  cli_message(state->program,
              "warning: %s, pose %d: %.3f here, but %.3f in its docking: provide the receptor, the options of its "
              "preparation (such as --keep or --ph) and --parameters of the docking",
              line->ligand, line->pose, line->energy.free_energy, docked);
}

static bt_status score_one(score_state *state, const cli_ligand *item, const bt_ligand *ligand, bt_error *opt_error) {
  bt_error error = {0};
  pose_energies pose = {0};
  BT_TRY(score_open_networks(state, opt_error));
  score_line line = {.pose = item->model + 1, .ligand = bt_molecule_name(item->molecule)};
  line.as_docked = state->plan.recorded && state->own_grid;
  if (line.as_docked) tell_docked(state);
  warn_of_other_function(state, item);
  bt_status status = score_find_maps(state, ligand, &error);
  if (status == BT_OK) status = evaluate(state, ligand, &pose, &line, &error);
  if (status == BT_OK) status = score_ask_networks(state, ligand, &pose.opt_each, &line, &error);
  if (status == BT_OK) status = score_check(state, item->molecule, &pose.checks, &line, &error);
  if (status == BT_OK) status = score_find_interactions(state, ligand, &pose.contacts, &line, &error);
  if (status == BT_OK) {
    warn_of_other_energy(state, item, &line);
    if (state->scored++ == 0) score_print_header(state);
    status = score_print(state, &line, &error);
  }
  free(pose.opt_atoms);
  free(pose.opt_pairs);
  free(pose.opt_each);
  bt_interactions_destroy(pose.contacts);
  if (bt_status_concerns_ligand(status)) return score_reject(state, item, &error, opt_error);
  *opt_error = error;
  return status;
}

static bt_status score_all(score_state *state, bt_error *error) {
  bt_status status = BT_OK;
  bool found = true;
  for (int i = 0; status == BT_OK && found; i++) {
    cli_ligand item;
    bt_ligand *ligand;
    status = next_pose(state, &item, &ligand, &found, error);
    if (status != BT_OK || !found) break;
    bool known_bad = i < state->count && state->rejected[i];
    if (!known_bad)
      status = ligand != NULL ? score_one(state, &item, ligand, error) : score_reject(state, &item, &item.error, error);
    bt_ligand_destroy(ligand);
    cli_ligand_clear(&item);
  }
  return status;
}

static int run(score_state *state) {
  bt_error error = {0};
  bt_status status = read_inputs(state, &error);
  int left = 0;
  for (int i = 0; i < state->count; i++) left += !state->rejected[i];
  if (status == BT_OK && left > 0) status = score_all(state, &error);
  if (status == BT_OK && state->scored > 0) status = cli_interactions_write(&state->interactions, &error);
  if (status != BT_OK) return cli_fail(state->program, &error);
  if (state->single) return state->scored == 1 ? CLI_EXIT_OK : state->single_exit_code;
  if (state->lists.n_rejects > 0)
    cli_message(state->program, "%d poses scored, %d rejected", state->scored, state->lists.n_rejects);
  return state->scored == 0 ? CLI_EXIT_BAD : state->lists.n_rejects > 0 ? CLI_EXIT_REJECTED : CLI_EXIT_OK;
}

int cmd_score(int argc, char **argv) {
  score_state state = {.program = "berth score",
                       .box = cli_box_request_default(),
                       .prepare = cli_prepare_default(),
                       .search = bt_dock_options_default(),
                       .single_exit_code = CLI_EXIT_BAD};
  state.lists.program = state.program;
  int exit_code;
  if (parse(&state, argc, argv, &exit_code)) exit_code = run(&state);
  bt_networks_close(state.networks);
  bt_target_close(state.target);
  bt_checker_close(state.checker);
  cli_interactions_free(&state.interactions);
  bt_molecule_destroy(state.reference);
  bt_pose_plan_clear(&state.plan);
  free(state.opt_flexible);
  free(state.opt_covalent);
  cli_ligands_free(&state.ligands);
  cli_receptor_free(&state.receptor_file);
  cli_prepare_free(&state.prepare);
  free(state.rejected);
  cli_lists_free(&state.lists);
  bt_text_list_destroy(&state.paths);
  cli_list_free(&state.words);
  return exit_code;
}
