/* settings.c - everything that `berth screen` is told: options, defaults, and how they combine. */
#include "screen/settings.h"

#include <string.h>

#include "dock/effort.h"
#include "input/inputs.h"
#include "common/report.h"

static const char details[] =
    "Receptor and box: as for berth dock. Maps are computed once, for all atom types of AutoDock 4.\n"
    "Library: .sdf, .mol2, .smi, .pdbqt (each also .gz), .btl (berth prep library), .tar.gz, folders, - for\n"
    "standard input; what is no PDBQT and no .btl is prepared on the way.\n"
    "Results: FOLDER/screen.db, an SQLite database (docs/screening.md); at the end the --top best ligands as\n"
    "FOLDER/top.csv and FOLDER/top.sdf (top.pdbqt where bonds are not known), and FOLDER/rejects.csv.\n"
    "\n"
    "Every ligand ends as docked, rejected or failed, with its reason. What is done is committed about once a\n"
    "second. After anything else than a clean end - a killed process, a full disk, a lost device - the same\n"
    "command with --resume goes on: no ligand is docked twice, none is lost, and the ranking is that of a\n"
    "screen that was never interrupted. --resume begins when there is nothing yet.\n"
    "Ctrl-C once finishes the ligands at work, twice stops now.\n"
    "\n"
    "--engine bude docks with the BUDE engine (berth bude --help): each record, MOL2, SDF or SMILES, is a compound\n"
    "with its conformers; the receptor may be MOL2; the box is that of the ligand's middle.\n"
    "\n"
    CLI_EFFORT_HELP
    "\n"
    "--shard i/N docks the i-th of N parts into FOLDER/shard-i-of-N.db, for job arrays; `berth merge` puts\n"
    "them together.\n"
    "Exit code: 0 all docked, 1 wrong input, 2 some ligands were not docked, 3 out of memory or no device\n"
    "left, 130 interrupted.";

static const char examples[] =
    "  berth screen -r protein.pdb -l library.smi --autobox crystal.sdf -o out\n"
    "  berth screen -r protein.pdb -l library.smi --autobox crystal.sdf -o out --resume\n"
    "  berth screen -r protein.pdbqt -l library.btl --center 10,2.5,-3 --size 22,22,22 -o out --devices all\n"
    "  berth screen -r protein.pdbqt -l library.btl --center 10,2.5,-3 --size 22,22,22 -o out \\\n"
    "      --shard $SLURM_ARRAY_TASK_ID/100 --seed 42 --resume\n"
    "  berth screen --export sdf -o out --top 500\n"
    "      out/results.sdf with the best 500 of a screen that is done, or under way\n"
    "  zcat huge.smi.gz | berth screen -r protein.pdbqt -l - --input-format smiles --autobox c.sdf -o out";

library_settings library_settings_default(void) {
  library_settings settings = {.box = cli_box_request_default(),
                               .prepare = cli_prepare_default(),
                               .search = bt_dock_options_default(),
                               .bude = bt_bude_options_default(),
                               .effort = CLI_EFFORT_SCREEN,
                               .shard = 1,
                               .shards = 1,
                               .poses = 1,
                               .keep = 100000,
                               .top = 100};
  settings.local_search = (int)settings.search.local_search;
  return settings;
}

void library_settings_free(library_settings *settings) {
  cli_list_free(&settings->ligands);
  cli_list_free(&settings->aliases);
  cli_prepare_free(&settings->prepare);
}

/* "3/100" */
static bool parse_shard(const char *program, library_settings *settings) {
  const char *text = settings->opt_shard, *slash = text != NULL ? strchr(text, '/') : NULL;
  int64_t shard = 0, shards = 0;
  char first[24] = "";
  if (text == NULL) return true;
  if (slash != NULL && slash - text < (int)sizeof first) memcpy(first, text, (size_t)(slash - text));
  if (slash == NULL || !cli_read_int64(first, &shard) || !cli_read_int64(slash + 1, &shards) || shards < 1 ||
      shards > 1000000 || shard < 1 || shard > shards)
    return cli_refuse(program, "--shard: '%s' is not valid; give i/N with i from 1 to N, such as 3/100", text);
  settings->shard = (int)shard;
  settings->shards = (int)shards;
  return true;
}

/* What the table of options cannot say about combinations. */
static bool check(const cli_spec *spec, library_settings *settings) {
  const char *program = spec->program;
  if (settings->folder == NULL) return cli_refuse(program, "no output folder; give -o FOLDER");
  if (settings->opt_export != NULL) return true;
  if (settings->receptor == NULL)
    return cli_refuse(program, "no receptor; give -r FILE (.pdb, .cif, .pdbqt or .maps.fld)");
  if (settings->ligands.count == 0) return cli_refuse(program, "no library; give -l FILE, a folder, or - for stdin");
  if (!screen_check_engine(spec, settings)) return false;
  if (settings->engine == SCREEN_BUDE) return true;
  bool fld = cli_path_ends(settings->receptor, ".fld");
  if (!fld && !cli_is_structure(settings->receptor) && !cli_path_ends(settings->receptor, ".pdbqt"))
    return cli_refuse(program, "%s: the receptor must be a .pdb, .cif, .pdbqt or .maps.fld file", settings->receptor);
  if (fld && (cli_box_given(spec) || cli_given(spec, "spacing")))
    return cli_refuse(program, "%s brings its own box; remove --center, --size, --autobox and --spacing",
                      settings->receptor);
  if (!fld && !cli_box_given(spec))
    return cli_refuse(program, "the box is not known; give --center x,y,z and --size x,y,z, or --autobox FILE");
  if (settings->prepare.ligands.conformers < 1)
    return cli_refuse(program, "--conformers: 0 is for --engine bude");
  if (settings->prepare.ligands.conformers > 1)
    return cli_refuse(program, "--conformers: a ligand of a screen has one; make a library with more of them first");
  return true;
}

static bool resolve(const cli_spec *spec, library_settings *settings, int *ret_exit_code) {
  bt_error error;
  cli_prepare_resolve(&settings->prepare);
  if (cli_is_structure(settings->receptor)) {
    settings->box.opt_structure = settings->receptor;
    settings->box.model = settings->prepare.receptor.model;
    if (!cli_prepare_take_out(&settings->prepare, settings->receptor, settings->box.opt_autobox)) return false;
  }
  bt_status status = BT_OK;
  if (settings->engine == SCREEN_BUDE) {
    status = screen_resolve_bude(spec, settings, &error);
    if (status != BT_OK) *ret_exit_code = cli_fail(spec->program, &error);
    return status == BT_OK;
  }
  const char *devices = settings->device.opt_devices;
  bool all = devices != NULL && strcmp(devices, "all") == 0; /* also the processor, which others do not mean by it */
  if (!all) status = cli_device_resolve(&settings->device, &settings->search, &error);
  if (all) settings->search.opt_device = "all";
  if (status == BT_OK && !cli_path_ends(settings->receptor, ".fld"))
    status = cli_box_resolve(spec, &settings->box, &settings->resolved_box, &error);
  settings->autobox = settings->box.opt_autobox != NULL && !cli_given(spec, "size");
  if (status != BT_OK) *ret_exit_code = cli_fail(spec->program, &error);
  return status == BT_OK;
}

bool library_settings_parse(library_settings *settings, int argc, char **argv, int *ret_exit_code) {
  bt_dock_options *search = &settings->search;
  bt_bude_options *bude = &settings->bude;
  /* clang-format off */
  cli_option options[] = {
      {.group = "Input", .name = "receptor", .letter = 'r', .kind = CLI_STRING, .target = &settings->receptor,
       .value = "FILE", .help = "receptor: .pdb, .cif (also .gz) or .pdbqt, or .maps.fld with AutoGrid maps"},
      {.name = "library", .letter = 'l', .kind = CLI_LIST, .target = &settings->ligands, .value = "FILE",
       .help = "ligands: .sdf, .mol2, .smi, .pdbqt (also .gz), .btl, .tar.gz, folders, or - for standard input"},
      {.name = "flex", .letter = 'f', .kind = CLI_STRING, .target = &settings->prepare.opt_flex, .value = "RES,RES",
       .help = "side chains that move, such as A:ARG8,A:ASP25; or a .pdbqt file with BEGIN_RES"},
      {.name = "parameters", .kind = CLI_STRING, .target = &settings->opt_parameters, .value = "FILE",
       .help = "AutoGrid parameter file (atom_par lines) for computing maps"},
      CLI_PH_OPTION(settings->prepare),
      CLI_BOX_OPTIONS(settings->box),
      {.group = "Output", .name = "output", .letter = 'o', .kind = CLI_STRING, .target = &settings->folder,
       .value = "FOLDER", .help = "made if absent; holds the database"},
      {.name = "resume", .kind = CLI_FLAG, .target = &settings->resume,
       .help = "go on with what is there; begin if nothing is"},
      {.name = "shard", .kind = CLI_STRING, .target = &settings->opt_shard, .value = "i/N",
       .help = "dock the i-th of N parts of the library"},
      {.name = "top", .kind = CLI_INT64, .target = &settings->top, .value = "N", .high = 1e12,
       .help = "so many of the best ligands are written at the end; 0: none"},
      {.name = "poses", .kind = CLI_INT, .target = &settings->poses, .value = "N", .high = 1000,
       .help = "kept per ligand, from different clusters"},
      {.name = "keep", .kind = CLI_INT64, .target = &settings->keep, .value = "N", .low = -1, .high = 1e12,
       .help = "ligands whose poses are kept, the best so far; -1: all"},
      {.name = "export", .kind = CLI_STRING, .target = &settings->opt_export, .value = "csv|sdf|pdbqt|dlg|rejects",
       .help = "write the results of the database in FOLDER; all, or the --top best; docks nothing"},
      {.name = "json-progress", .kind = CLI_FLAG, .target = &settings->json_progress,
       .help = "one JSON object per second on standard output"},
      {.name = "quiet", .letter = 'q', .kind = CLI_FLAG, .target = &settings->quiet, .help = "no progress"},
      {.name = "engine", .kind = CLI_CHOICE, .target = &settings->engine, .choices = "autodock|bude",
       .help = "how ligands are docked: flexible with AutoDock's energies, or rigid conformers with BUDE's"},
      {.group = "Search", .name = "effort", .kind = CLI_CHOICE, .target = &settings->effort,
       .choices = CLI_EFFORT_CHOICES, .help = "a good choice of what follows"},
      {.name = "runs", .letter = 'n', .kind = CLI_INT, .target = &search->runs, .value = "N", .low = 1, .high = 1000000,
       .opt_default = "by effort", .help = "independent searches"},
      {.name = "seed", .letter = 's', .kind = CLI_SEED, .target = &search->seed, .value = "N",
       .help = "repeats a screen; chosen and printed when absent or 0"},
      {.name = "evals", .letter = 'e', .kind = CLI_INT64, .target = &search->evaluations, .value = "N", .low = 1,
       .high = 9e15, .opt_default = "by effort", .help = "limit of energy evaluations per run"},
      {.name = "generations", .letter = 'g', .kind = CLI_INT64, .target = &search->generations, .value = "N", .low = 1,
       .high = 9e15, .help = "limit of generations"},
      {.name = "heuristics", .kind = CLI_SWITCH, .target = &search->heuristics, .opt_default = "by effort",
       .help = "evaluations from the number of torsions"},
      {.name = "heuristics-max", .kind = CLI_INT64, .target = &search->heuristics_max, .value = "N", .low = 1,
       .high = 9e15, .help = "what the heuristics never exceed"},
      {.name = "autostop", .kind = CLI_SWITCH, .target = &search->autostop, .opt_default = "by effort",
       .help = "stop when the best energies no longer change"},
      {.name = "population", .letter = 'p', .kind = CLI_INT, .target = &search->population, .value = "N", .low = 2,
       .high = 1000000, .help = "individuals per run"},
      {.name = "local-search", .kind = CLI_CHOICE, .target = &settings->local_search,
       .choices = "none|solis-wets|adadelta|adam", .help = "method"},
      {.name = "local-search-iterations", .kind = CLI_INT, .target = &search->local_search_iterations, .value = "N",
       .low = 1, .high = 1000000, .opt_default = "adam: 100, with more than 12 torsions 200; others: 300",
       .help = "steps of one local search"},
      {.group = "With --engine bude", .name = "rules", .kind = CLI_CHOICE, .target = &settings->rules,
       .choices = "a|b|deck", .help = "which pairs have a charge term"},
      {.name = "forcefield", .kind = CLI_STRING, .target = &bude->opt_forcefield, .value = "FILE.bhff",
       .opt_default = "by atom, 2017", .help = "types and their parameters"},
      {.name = "alias", .kind = CLI_LIST, .target = &settings->aliases, .value = "TYPE=KNOWN",
       .help = "a type that the force field lacks is taken for one that it has"},
      {.name = "step", .kind = CLI_REAL, .target = &bude->spacing, .value = "A", .low = 0.05, .high = 10,
       .help = "between translations, Angstrom"},
      {.name = "angle-step", .kind = CLI_REAL, .target = &bude->angle_step, .value = "DEGREES", .low = 0.75,
       .high = 180, .help = "between rotations"},
      {.name = "parents", .kind = CLI_INT, .target = &bude->parents, .value = "N", .low = 1, .high = 1 << 28,
       .help = "best poses that are kept and mutated"},
      {.name = "duplicates", .kind = CLI_FLAG, .target = &bude->duplicates, .help = "parents may be equal poses"},
      {.name = "separation", .kind = CLI_REAL, .target = &bude->separation, .value = "A", .high = 100,
       .help = "RMSD between poses of a ligand, Angstrom"},
      {.name = "keep-conformer", .kind = CLI_FLAG, .target = &bude->keep_conformer,
       .help = "a given conformer is docked beside those that are made"},
      {.name = "memory", .kind = CLI_INT64, .target = &bude->memory, .value = "BYTES", .high = 9e15,
       .opt_default = "all", .help = "of the device that may be used"},
      CLI_LIGAND_OPTIONS(settings->prepare),
      CLI_RECEPTOR_OPTIONS(settings->prepare),
      CLI_DEVICE_OPTIONS(settings->device),
      {.name = "devices", .kind = CLI_STRING, .target = &settings->device.opt_devices, .value = "LIST|all",
       .opt_default = "every GPU of the best kind, else the processor",
       .help = "that share the ligands, such as cuda:0,cuda:1,cpu; all: also the processor"},
      {.name = "threads", .letter = 't', .kind = CLI_INT, .target = &search->threads, .value = "N", .high = 65536,
       .opt_default = "all cores", .help = "threads of the processor"},
      {.name = "batch", .kind = CLI_INT, .target = &settings->batch, .value = "N", .high = 65536,
       .opt_default = "512 for a GPU, 1 for a core", .help = "ligands that are taken at a time"},
  };
  /* clang-format on */
  for (int k = 0; k < CLI_COUNT(options); k++) /* the BUDE engine takes given conformers as they are, too */
    if (strcmp(options[k].name, "conformers") == 0) options[k].low = 0, options[k].opt_default = "1; bude: 20";
  cli_spec spec = {
      .program = "berth screen",
      .summary = "dock a library into one database, and go on after any break",
      .usage = "-r RECEPTOR -l LIBRARY... -o FOLDER [options]",
      .opt_details = details,
      .opt_examples = examples,
      .options = options,
      .n_options = CLI_COUNT(options),
      .opt_arguments = &settings->ligands,
  };
  if (!cli_parse(&spec, argc, argv, ret_exit_code)) return false;
  *ret_exit_code = CLI_EXIT_BAD;
  cli_effort_apply(&spec, settings->effort, search);
  if (search->heuristics && !cli_given(&spec, "evals")) search->evaluations = search->heuristics_max;
  search->local_search = (bt_local_search)settings->local_search;
  settings->top_given = cli_given(&spec, "top");
  if (!check(&spec, settings) || !parse_shard(spec.program, settings)) return false;
  return settings->opt_export != NULL || resolve(&spec, settings, ret_exit_code);
}
