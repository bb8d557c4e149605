/* bude.c - `berth bude`: docking with the BUDE engine. */
#include <assert.h>
#include <berth/berth.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bude/bude.h"
#include "commands.h"
#include "common/report.h"
#include "input/box.h"
#include "output/guard.h"
#include "output/outputs.h"
#include "signals/interrupt.h"

static_assert(BT_BUDE_A == 0 && BT_BUDE_B == 1 && BT_BUDE_DECK == 2, "order of --rules");

static const char details[] =
    "Rigid conformers of each ligand against the rigid receptor, atom by atom, without maps: BUDE's empirical\n"
    "free-energy force field and an evolutionary Monte Carlo search over three angles and three translations.\n"
    "The box limits the center of the ligand. A single conformer is replaced by generated ones (RDKit); several\n"
    "are read from @<BUDE>CONF blocks of MOL2, or from consecutive records of the same name.\n"
    "Atom types are read from MOL2 files, and otherwise assigned from bonds and residues.\n"
    "Writes FOLDER/poses.mol2, poses.sdf, ranking.csv, and rejects.csv if there are rejects; with --format also\n"
    "poses.pdbqt, for programs that take AutoDock's types, and poses.json; inputs.txt names the input files. Results\n"
    "of other inputs are replaced only with --overwrite.\n"
    "--rescore scores the poses of the --top ligands, whose bonds turn then, and ranks them by --rank-by;\n"
    "BUDE's energies are on a scale of their own, so ranks are the default.\n"
    "Exit code: 0 success, 1 invalid input or nothing docked, 2 some ligands were rejected, 3 device or memory.";

static const char examples[] =
    "  berth bude -r protein.mol2 -l ligands.sdf -o docked --center 12,4,-7\n"
    "  berth bude -r 1hpv.pdb -l drugs.smi -o docked --autobox 478 --conformers 50\n"
    "  berth bude -r protein.pdbqt -l crystal.mol2 --autobox crystal.mol2 --conformers 0 --reference crystal.mol2\n"
    "      rigid redocking of the given conformer\n"
    "  berth bude -r protein.mol2 -l pose.mol2 --score\n"
    "      energies of poses at their given coordinates";

static bool parse_formats(bude_state *state) {
  const char *usual = *bt_rdkit_version() != '\0' ? "mol2,sdf,csv" : "mol2,csv";
  const char *words = state->format != NULL ? state->format : usual;
  state->mol2 = cli_words_have(words, "mol2");
  state->sdf = cli_words_have(words, "sdf");
  state->pdbqt = cli_words_have(words, "pdbqt");
  state->json_file = cli_words_have(words, "json");
  state->csv = cli_words_have(words, "csv");
  return cli_words_check(state->program, "format", words, "mol2|sdf|pdbqt|json|csv");
}

bool bude_check_place(const cli_spec *spec, const char *receptor, const char *opt_autobox, bool needed) {
  const char *program = spec->program;
  if (!cli_path_ends(receptor, ".mol2") && !cli_path_ends(receptor, ".pdbqt") && !bt_is_structure_file(receptor))
    return cli_refuse(program, "%s: the receptor must be a .mol2, .pdb, .cif or .pdbqt file", receptor);
  bool center = cli_given(spec, "center");
  if (center && opt_autobox != NULL)
    return cli_refuse(program, "--center and --autobox both define the box; use only one of the two");
  if (needed && !center && opt_autobox == NULL)
    return cli_box_refuse(program, receptor, 1, "--center x,y,z or --autobox FILE[:RES]");
  return true;
}

static bool check_rescorers(const cli_spec *spec, bude_state *state) {
  cli_protocol *p = &state->protocol;
  if (!cli_rescore_check(spec, state->receptor, p)) return false;
  if (p->opt_rescore == NULL) return true;
  if (!cli_given(spec, "rank-by")) p->rank_by = BT_RANK_RANKS; /* no sum of two scales */
  return !cli_path_ends(state->receptor, ".mol2") ||
         cli_refuse(spec->program, "--rescore needs AutoDock's types of the receptor; use a .pdb, .cif or .pdbqt file");
}

static bool check(const cli_spec *spec, bude_state *state) {
  const char *program = spec->program;
  if (state->receptor == NULL) return cli_refuse(program, "no receptor; use -r FILE (.mol2, .pdb, .cif or .pdbqt)");
  if (state->words.count == 0) return cli_refuse(program, "no ligand; use -l FILE, a folder, or - for standard input");
  if (!cli_effects_check(spec, CLI_IF_RAW_RECEPTOR, bt_is_structure_file(state->receptor) ? CLI_IF_RAW_RECEPTOR : 0))
    return false;
  if (!bude_check_place(spec, state->receptor, state->opt_autobox, !state->score)) return false;
  if (state->output == NULL && !state->json && cli_given(spec, "format"))
    return cli_refuse(program, "--format needs an output folder; use -o FOLDER");
  return parse_formats(state) && check_rescorers(spec, state);
}

static bool parse(bude_state *state, int argc, char **argv, int *ret_exit_code) {
  bt_bude_options *o = &state->options;
  /* clang-format off */
  cli_option options[] = {
      {.group = "Input", OPT_STRING("receptor", 'r', &state->receptor, "FILE",
       "receptor: .mol2 (types as given), .pdb, .cif (also .gz, .bz2, .zst) or .pdbqt")},
      {OPT_LIST("ligand", 'l', &state->words, "FILE",
       "ligands: .mol2, .sdf, .smi (also .gz, .bz2, .zst), .btl, folders, patterns, or - for standard input")},
      CLI_PH_OPTION(state->prepare),
      {.group = "Box", OPT_VECTOR("center", 0, o->center, "X,Y,Z", -9999, 9999, "center of the box, Angstrom")},
      {OPT_STRING("autobox", 0, &state->opt_autobox, "FILE[:RES,RES]",
       "box around the center of the atoms of a file, or of a residue of a PDB, mmCIF or .pdbqt file or the receptor")},
      {OPT_VECTOR("size", 0, o->size, "X,Y,Z", 0, 1000,
       "edge lengths of the box in which the ligand's center moves, Angstrom")},
      {OPT_REAL("step", 0, &o->spacing, "A", 0.05, 10, "translation step, Angstrom")},
      {OPT_REAL("angle-step", 0, &o->angle_step, "DEGREES", 0.75, 180, "rotation step")},
      {.group = "Search", OPT_INT("generations", 0, &o->generations, "N", 1, 1e6, "generations scored")},
      {OPT_INT("population", 0, &o->population, "N", 1, 1 << 28, "poses of a generation, per conformer")},
      {OPT_INT("parents", 0, &o->parents, "N", 1, 1 << 28, "best poses kept for mutation")},
      {OPT_FLAG("duplicates", 0, &o->duplicates, "allow identical parents")},
      {OPT_SEED("seed", 0, &o->seed, "random seed of the search"), .opt_default = "42"},
      {OPT_FLAG("score", 0, &state->score, "no search: energies of all given conformers at their given coordinates")},
      BUDE_LIGAND_OPTIONS(state),
      {OPT_CHOICE("rules", 0, &o->rules, "a|b|deck",
       "which pairs have a charge term; deck: as in the benchmark")},
      CLI_RESCORE_OPTIONS("Re-ranking", state->protocol),
      {.group = "Output", OPT_STRING("output", 'o', &state->output, "FOLDER", "created if absent")},
      {CLI_OVERWRITE_OPTION(&state->overwrite)},
      {OPT_INT("top", 0, &state->top, "N", 1, 1e9, "number of best ligands kept")},
      {OPT_INT("poses", 0, &o->poses, "N", 1, 1e6, "poses per ligand")},
      {OPT_REAL("separation", 0, &o->separation, "A", 0, 100, "minimum RMSD between poses of a ligand, Angstrom")},
      {OPT_STRING("reference", 0, &state->opt_reference, "FILE",
       "SDF, MOL2 or PDBQT file of the reference pose for RMSDs")},
      {OPT_STRING("format", 0, &state->format, "LIST", "files in the folder"), .opt_default = "mol2,sdf,csv"},
      {OPT_FLAG("json", 0, &state->json, "one JSON object per ligand and line")},
      {OPT_FLAG("timing", 0, &o->timed, "report the fraction of time spent on the search rather than on energies")},
      {OPT_FLAG("quiet", 'q', &state->quiet, "print no progress and no notes")},
      {.group = "Device", OPT_STRING("device", 0, &o->opt_device, "NAME",
       "device to compute on: auto, cpu, cpu/avx2, cuda, opencl:0, ...; see berth devices; several, separated by "
       "commas, share the conformers"), .opt_default = "auto"},
      {OPT_THREADS('j', &o->threads, 4096, "CPU threads")},
      {OPT_INT("poses-per-item", 0, &o->poses_per_item, "N", 0, 128, "poses per work-item: 1, 2, 4, 8, 16 or 32"),
       .opt_default = "tuned"},
      {OPT_INT("group", 0, &o->group, "N", 0, 1024, "work-items per group"), .opt_default = "tuned"},
      {OPT_INT("batch", 0, &o->batch, "N", 0, 100000, "conformers on the device at once"), .opt_default = "16"},
      {OPT_INT64("memory", 0, &o->memory, "BYTES", 0, 9e15,
       "device memory that may be used; less memory means fewer conformers at once"), .opt_default = "all"},
      CLI_RECEPTOR_OPTIONS(state->prepare),
  };
  /* clang-format on */
  cli_spec spec = {state->program,
                   "dock rigid conformers with BUDE's force field",
                   "-r RECEPTOR -l LIGAND... -o FOLDER --center X,Y,Z [options]",
                   details,
                   examples,
                   CLI_TABLE(options),
                   NULL};
  if (!cli_parse(&spec, argc, argv, ret_exit_code)) return false;
  if (!check(&spec, state)) return false;
  if (state->score) o->ligands.conformers = 0;
  state->lists.quiet = state->quiet;
  return true;
}

/* ------------------------------------------------------------------------------------------------ opening -- */

bt_status bude_center(const char *opt_autobox, const char *receptor, const cli_prepare *prepare, double center[3],
                      bt_error *error) {
  if (opt_autobox == NULL) return BT_OK;
  double low[3] = {0}, high[3] = {0};
  const char *opt_structure = bt_is_structure_file(receptor) ? receptor : NULL;
  bt_status status = cli_place_extent(opt_autobox, opt_structure, prepare->receptor.model, low, high, error);
  for (int k = 0; k < 3; k++) center[k] = 0.5 * (low[k] + high[k]);
  return status;
}

static bool show(void *user, double part) {
  bude_state *state = user;
  const bt_bude_options *o = &state->options;
  return cli_progress_show(&state->progress, part, (int64_t)(part * o->generations * o->population), NAN);
}

static bt_status open_receptor(bude_state *state, bt_error *error) {
  if (cli_path_ends(state->receptor, ".mol2"))
    return bt_bude_open(state->receptor, NULL, &state->options, &state->bude, error);
  if (bt_is_structure_file(state->receptor) &&
      !cli_prepare_take_out(state->program, &state->prepare, state->receptor, state->opt_autobox))
    return bt_fail_memory(error);
  bt_status status = cli_receptor_load(state->program, state->receptor, &state->prepare, state->quiet || state->json,
                                       &state->receptor_file, error);
  if (status == BT_OK) status = bt_bude_open(NULL, state->receptor_file.rigid, &state->options, &state->bude, error);
  return status;
}

static bt_status open_engine(bude_state *state, bt_error *error) {
  cli_prepare_resolve(&state->prepare);
  bt_bude_options *o = &state->options;
  o->aliases = state->aliases.items;
  o->n_aliases = state->aliases.count;
  o->ligands.ph = state->prepare.ph;
  o->ligands.opt_format = state->prepare.ligands.opt_format;
  o->opt_progress = show;
  o->user = state;
  if (o->opt_device != NULL && strcmp(o->opt_device, "auto") == 0) o->opt_device = NULL;
  bt_status status = bude_center(state->opt_autobox, state->receptor, &state->prepare, o->center, error);
  if (status == BT_OK) status = open_receptor(state, error);
  if (status == BT_OK && !state->quiet && *bt_bude_note(state->bude) != '\0')
    cli_message(state->program, "note: %s", bt_bude_note(state->bude));
  return status;
}

static bt_status read_reference(bude_state *state, bt_error *error) {
  if (state->opt_reference == NULL) return BT_OK;
  bt_place place;
  BT_TRY(bt_place_find(state->opt_reference, NULL, &place, error));
  bt_status status = bt_place_molecule(&place, state->prepare.receptor.model, NULL, NULL, &state->reference, error);
  bt_place_clear(&place);
  if (status != BT_OK || state->reference != NULL) return status;
  return cli_fill_error(error, BT_ERR_INPUT, state->opt_reference, "provide a pose", "no molecule");
}

/* ------------------------------------------------------------------------------------------------- all files -- */

/* The next compound, NULL at the end; records that cannot be read are rejected. */
static bt_status next_compound(bude_state *state, bt_bude_compound **ret_compound, bt_error *error) {
  for (bt_error reason;;) {
    BT_TRY(cli_check_interrupt(error));
    bt_status status = bt_bude_reader_next(state->reader, ret_compound, &reason);
    bt_bude_compound *found = *ret_compound;
    if (status == BT_OK && found != NULL)
      status = cli_lists_note(&state->lists, bude_name(found), bt_bude_compound_molecule(found), &reason);
    if (status == BT_OK) return BT_OK;
    if (status == BT_ERR_MEMORY) return *error = reason, status;
    BT_TRY(cli_lists_reject(&state->lists, bt_bude_reader_name(state->reader), &reason, error));
  }
}

/* ------------------------------------------------------------------------------------------------- docking -- */

/* Takes over the compound; the best ones are kept. */
static bt_status dock(bude_state *state, bt_bude_compound *compound, bt_error *error) {
  bt_error reason;
  bude_entry entry = {.compound = compound};
  bt_status status = (state->score ? bt_bude_score_in_place : bt_bude_dock)(state->bude, compound, state->reference,
                                                                            &entry.result, &reason);
  cli_progress_clear(&state->progress);
  if (status == BT_OK && state->json && state->protocol.opt_rescore == NULL)
    status = bude_entry_print_json(state, &entry, &reason);
  if (status == BT_OK) {
    state->docked++;
    return bude_rank_add(state, &entry, error);
  }
  if (bt_status_concerns_ligand(status))
    status = cli_lists_reject(&state->lists, bude_name(compound), &reason, error);
  else
    *error = reason;
  bude_entry_free(&entry);
  return status;
}

static void announce(bude_state *state, const bt_bude_compound *opt_compound) {
  if (opt_compound != NULL && !state->score) bt_bude_announce(state->bude, opt_compound);
}

/* Each is docked while the next one is being read. */
static bt_status dock_all(bude_state *state, bt_error *error) {
  bt_bude_compound *compound = NULL, *next = NULL;
  bt_error unread = {0};
  bt_status status = next_compound(state, &compound, error), reading = BT_OK;
  for (; status == BT_OK && compound != NULL; compound = next, next = NULL) {
    announce(state, compound);
    if (reading == BT_OK) reading = next_compound(state, &next, &unread);
    if (reading != BT_OK) next = NULL;
    announce(state, next);
    int number = (int)state->docked + 1;
    cli_progress_next(&state->progress, bude_name(compound), number, number);
    status = dock(state, compound, error);
  }
  bt_bude_compound_destroy(compound);
  if (status == BT_OK && reading != BT_OK) return *error = unread, reading;
  return status;
}

static void print_end(const bude_state *state, double seconds) {
  if (state->json) return;
  bude_rank_print(state);
  const bt_bude_totals totals = bt_bude_totals_of(state->bude);
  double rate = totals.interactions / totals.seconds;
  printf("%ld ligand%s %s, %d rejected, in %.2f seconds", state->docked, state->docked == 1 ? "" : "s",
         state->score ? "scored" : "docked", state->lists.n_rejects, seconds);
  if (!state->score && isfinite(rate))
    printf("; %.2f x 10^9 interactions/s on %s (%s)", rate * 1e-9, bt_bude_device_name(state->bude),
           bt_bude_device_description(state->bude));
  printf("\n");
  bool shared = !state->score && bt_bude_device_of(state->bude, 1).name != NULL;
  bt_bude_device device;
  for (int k = 0; shared && (device = bt_bude_device_of(state->bude, k)).name != NULL; k++)
    printf("%s%s %lld", k > 0 ? ", " : "conformers: ", device.name, (long long)device.conformers);
  if (shared) printf("\n");
  if (state->options.timed && !state->score)
    printf("search and selection: %.2f %% of the device's time\n", 100 * totals.search_share);
}

static bt_status check_outputs(bude_state *state, bt_error *error) {
  static const char *const names[] = {"poses.mol2",  "poses.sdf",   "poses.pdbqt", "poses.json",
                                      "ranking.csv", "rejects.csv", "inputs.txt"};
  const char *words[] = {state->receptor, state->opt_reference, state->opt_autobox};
  BT_ENDED_BY(bt_file_set_destroy) bt_file_set inputs = {0};
  BT_TRY(cli_guard_add(&inputs, words, CLI_COUNT(words), error));
  BT_TRY(cli_guard_add_library(&inputs, &state->words, true, error));
  for (int k = 0; k < CLI_COUNT(names); k++) BT_TRY(cli_guard_check(&inputs, state->output, names[k], error));
  if ((state->record = bt_path_join(state->output, "inputs.txt")) == NULL) return bt_fail_memory(error);
  const cli_origin origin = {.record = state->record,
                             .opt_receptor = state->receptor,
                             .opt_ligands = &state->words,
                             .overwrite = state->overwrite};
  for (int k = 0; k < CLI_COUNT(names) - 1; k++) {
    BT_SCOPED char *path = bt_path_join(state->output, names[k]);
    if (path == NULL) return bt_fail_memory(error);
    BT_TRY(cli_origin_check(&origin, path, error));
  }
  return BT_OK;
}

static int run(bude_state *state) {
  bt_error error = {0}, write_error = {0}, rescore_error = {0};
  double started = bt_seconds();
  cli_cache_warn(state->program, state->options.opt_device);
  cli_interrupt_watch(NULL);
  bt_status status = BT_OK;
  for (int i = 0; status == BT_OK && i < state->words.count; i++)
    status = cli_inputs_check(state->words.items[i], &error);
  state->progress = cli_progress_start(state->program, state->quiet || state->score);
  state->progress.more = true;
  if (status == BT_OK && state->output != NULL) status = check_outputs(state, &error);
  if (status == BT_OK && state->output != NULL) status = cli_folder_make(state->output, &error);
  if (status == BT_OK) status = open_engine(state, &error);
  if (status == BT_OK) status = read_reference(state, &error);
  if (status == BT_OK)
    status = bt_bude_reader_open(state->bude, state->words.items, state->words.count, state->receptor, &state->reader,
                                 &error);
  if (status != BT_OK) return cli_fail(state->program, &error);
  status = dock_all(state, &error);
  bt_status rescored = state->docked > 0 ? bude_rescore(state, &rescore_error) : BT_OK;
  /* results are written also after a failure; without any, earlier files are kept */
  bt_status written = status == BT_OK || state->docked > 0 ? bude_rank_write(state, &write_error) : BT_OK;
  bool stopped = status == BT_ERR_CANCELLED;
  if (stopped) cli_message(state->program, "%s; results so far are written", cli_interrupt_words());
  int exit_code = stopped ? cli_interrupt_exit_code() : CLI_EXIT_OK;
  if (status != BT_OK && !stopped) exit_code = cli_fail(state->program, &error);
  if (written != BT_OK) return cli_fail(state->program, &write_error);
  if (status != BT_OK) return exit_code;
  if (rescored != BT_OK) return cli_fail(state->program, &rescore_error);
  print_end(state, bt_seconds() - started);
  return state->docked == 0 ? CLI_EXIT_BAD : state->lists.n_rejects > 0 ? CLI_EXIT_REJECTED : CLI_EXIT_OK;
}

static void clear(bude_state *state) {
  for (int i = 0; i < state->n_entries; i++) bude_entry_free(&state->entries[i]);
  free(state->entries);
  free(state->record);
  bt_bude_reader_close(state->reader);
  bt_molecule_destroy(state->reference);
  bt_bude_close(state->bude);
  cli_receptor_free(&state->receptor_file);
  cli_lists_free(&state->lists);
  cli_list_free(&state->words);
  cli_list_free(&state->aliases);
  cli_prepare_free(&state->prepare);
}

int cmd_bude(int argc, char **argv) {
  bude_state state = {.program = "berth bude",
                      .prepare = cli_prepare_default(),
                      .options = bt_bude_options_default(),
                      .protocol = cli_protocol_default(),
                      .top = 100};
  state.protocol.scoring = -1;
  state.lists.program = state.program;
  int exit_code;
  if (parse(&state, argc, argv, &exit_code)) exit_code = run(&state);
  clear(&state);
  return exit_code;
}
