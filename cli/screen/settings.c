/* settings.c - the options of `berth screen`, their defaults and valid combinations. */
#include "screen/settings.h"

#include <string.h>

#include "bude/bude.h"
#include "common/effort.h"
#include "input/inputs.h"
#include "common/report.h"
#include "ranks/mpi_ranks.h"

static const char details[] =
    "Receptor and box: as for berth dock. Maps are computed once, for all atom types that ligands may have.\n"
    CLI_CONSTRAIN_HELP
    CLI_PROTOCOL_HELP
    "Ligands are ranked by the free energy of the search; with --rank-by score by that of the last function of\n"
    "--rescore, with blend by the mean of all.\n"
    "Library: .sdf, .mol2, .smi, .pdbqt (each also .gz, .bz2, .zst), .btl (berth prep library), .tar.gz, folders, - for\n"
    "standard input; formats other than PDBQT and .btl are prepared as they are read.\n"
    "Results: FOLDER/screen.db, an SQLite database (docs/screening.md); at the end the --top best ligands as\n"
    "FOLDER/top.csv and FOLDER/top.sdf (top.pdbqt if bonds are unknown), and FOLDER/rejects.csv.\n"
    "\n"
    "Every ligand ends up as docked, rejected or failed, with the reason. Results are committed about once a\n"
    "second. After any interruption - a killed process, a full disk, a lost device - the same command with\n"
    "--resume continues: no ligand is docked twice, none is lost, and the ranking is that of an uninterrupted\n"
    "screen. If there is nothing to resume, --resume starts the screen.\n"
    "The first Ctrl-C or SIGTERM finishes the ligands being docked, the second one stops at once.\n"
    "\n"
    "--engine bude docks with the BUDE engine (berth bude --help): each record, MOL2, SDF, SMILES or .btl, is a compound\n"
    "with its conformers; the receptor may be MOL2; the box limits the center of the ligand.\n"
    "\n"
    CLI_EFFORT_HELP
    "\n"
    "--shard i/N docks the i-th of N parts into FOLDER/shard-i-of-N.db, for job arrays; `berth merge` merges\n"
    "the parts.\n"
    "Exit code: 0 all docked, 1 invalid input, 2 some ligands were not docked, 3 out of memory or no device\n"
    "left, 130 interrupted, 143 by SIGTERM.";

static const char examples[] =
    "  berth screen -r protein.pdb -l library.smi --autobox crystal.sdf -o out\n"
    "  berth screen -r protein.pdb -l library.smi --autobox crystal.sdf -o out --resume\n"
    "  berth screen -r protein.pdbqt -l library.btl --center 10,2.5,-3 --size 22,22,22 -o out --devices all\n"
    "  berth screen -r protein.pdbqt -l library.btl --center 10,2.5,-3 --size 22,22,22 -o out \\\n"
    "      --shard $SLURM_ARRAY_TASK_ID/100 --seed 42 --resume\n"
    "  berth screen --export sdf -o out --top 500\n"
    "      out/results.sdf with the best 500 of a finished or running screen\n"
    "  zcat huge.smi.gz | berth screen -r protein.pdbqt -l - --input-format smiles --autobox c.sdf -o out";

screen_settings screen_settings_default(void) {
  screen_settings settings = {.box = cli_box_request_default(),
                               .prepare = cli_prepare_default(),
                               .search = bt_dock_options_default(),
                               .bude = bt_bude_options_default(),
                               .effort = BT_EFFORT_SCREEN,
                               .protocol = cli_protocol_default(),
                               .constrain = cli_constrain_default(),
                               .shard = 1,
                               .shards = 1,
                               .poses = 1,
                               .keep = 100000,
                               .top = 100};
  return settings;
}

void screen_settings_free(screen_settings *settings) {
  cli_list_free(&settings->ligands);
  cli_list_free(&settings->ensemble);
  cli_list_free(&settings->aliases);
  cli_constrain_free(&settings->constrain);
  cli_prepare_free(&settings->prepare);
}

/* "3/100" */
static bool parse_shard(const char *program, screen_settings *settings) {
  const char *text = settings->opt_shard, *slash = text != NULL ? strchr(text, '/') : NULL;
  int64_t shard = 0, shards = 0;
  char first[24] = "";
  if (text == NULL) return true;
  if (slash != NULL && slash - text < (int)sizeof first) memcpy(first, text, (size_t)(slash - text));
  if (slash == NULL || !cli_read_int64(first, &shard) || !cli_read_int64(slash + 1, &shards) || shards < 1 ||
      shards > 1000000 || shard < 1 || shard > shards)
    return cli_refuse(program, "--shard: '%s' is not valid; use i/N with i from 1 to N, such as 3/100", text);
  settings->shard = (int)shard;
  settings->shards = (int)shards;
  return true;
}

/* Answers options that cannot have an effect, of AutoDock's engine. */
static bool check_effects(const cli_spec *spec, const screen_settings *s) {
  unsigned holds = cli_prepare_holds(spec, &s->prepare, s->receptor, &s->ligands, false);
  bool around = s->box.opt_autobox != NULL || s->prepare.receptor.opt_covalent != NULL;
  if (around && !cli_given(spec, "size")) holds |= CLI_IF_AUTOBOX;
  if (s->search.local_search != BT_LS_NONE) holds |= CLI_IF_LOCAL_SEARCH;
  if (s->search.heuristics) holds |= CLI_IF_HEURISTICS;
  if (s->search.autostop) holds |= CLI_IF_AUTOSTOP;
  const unsigned known =
      CLI_IF_PREPARED | CLI_IF_AUTOBOX | CLI_IF_LOCAL_SEARCH | CLI_IF_HEURISTICS | CLI_IF_AUTOSTOP;
  return cli_prepare_check(spec, &s->prepare) && cli_effects_check(spec, known, holds);
}

static bool check_ensemble(const cli_spec *spec, const screen_settings *s) {
  const char *program = spec->program;
  static const char *const of_ensembles[] = {"no-superpose", "ensemble-rank"};
  for (int k = 0; s->ensemble.count == 0 && k < CLI_COUNT(of_ensembles); k++)
    if (cli_given(spec, of_ensembles[k]))
      return cli_refuse(program, "--%s has no effect without --ensemble; remove it", of_ensembles[k]);
  if (s->ensemble.count == 0) return true;
  const struct {
    bool given;
    const char *name;
  } others[] = {{s->prepare.opt_flex != NULL, "flex"},
                {s->prepare.receptor.opt_covalent != NULL, "covalent"},
                {s->opt_shard != NULL, "shard"},
                {cli_given(spec, "require"), "require"},
                {cli_given(spec, "prefer"), "prefer"},
                {cli_given(spec, "pharmacophore"), "pharmacophore"},
                {cli_given(spec, "core"), "core"}};
  for (int k = 0; k < CLI_COUNT(others); k++)
    if (others[k].given)
      return cli_refuse(program, "--%s supports only one receptor; screen each, then rank them by berth merge --ensemble best",
                        others[k].name);
  if (cli_ranks_launched() > 1)
    return cli_refuse(program, "mpirun supports only one receptor; screen each, then rank them by berth merge --ensemble best");
  for (int i = -1; i < s->ensemble.count; i++) {
    const char *path = i < 0 ? s->receptor : s->ensemble.items[i];
    if (cli_path_ends(path, ".fld"))
      return cli_refuse(program, "--ensemble needs receptors with atoms; use .pdb, .cif or .pdbqt files");
    if (!cli_receptor_check(program, path, false)) return false;
  }
  return true;
}

/* Checks of combinations, which the table of options cannot express. */
static bool check(const cli_spec *spec, screen_settings *settings) {
  const char *program = spec->program;
  if (settings->folder == NULL) return cli_refuse(program, "no output folder; use -o FOLDER");
  const bt_screen_selection *selection = &settings->selection;
  bool selects = selection->opt_must_contact != NULL || selection->opt_interactions != NULL || selection->diverse > 0;
  const char *export = settings->opt_export != NULL ? settings->opt_export : "";
  if (selects && strcmp(export, "rejects") == 0)
    return cli_refuse(program, "rejects have no poses to select; remove --must-contact, --diverse and --interactions");
  if (selection->opt_interactions != NULL && !cli_path_ends(selection->opt_interactions, ".csv"))
    return cli_refuse(program, "--interactions: '%s' is written as CSV; name a file that ends in .csv",
                      selection->opt_interactions);
  if (settings->opt_export != NULL) return true;
  if (selects)
    return cli_refuse(program, "--%s selects from a finished screen; use it with --export",
                      selection->opt_must_contact != NULL  ? "must-contact"
                      : selection->opt_interactions != NULL ? "interactions"
                                                            : "diverse");
  if (settings->receptor == NULL)
    return cli_refuse(program, "no receptor; use -r FILE (.pdb, .cif, .pdbqt or .maps.fld)");
  if (settings->ligands.count == 0) return cli_refuse(program, "no library; use -l FILE, a folder, or - for stdin");
  if (!screen_check_engine(spec, settings) || !check_ensemble(spec, settings)) return false;
  if (settings->engine == SCREEN_BUDE) return true;
  bool fld = cli_path_ends(settings->receptor, ".fld");
  if (!cli_receptor_check(program, settings->receptor, true)) return false;
  if (fld && (cli_box_given(spec) || cli_given(spec, "spacing")))
    return cli_refuse(program, "%s defines the box; remove --center, --size, --autobox and --spacing",
                      settings->receptor);
  if (!cli_protocol_choose(spec, settings->receptor, NULL, &settings->protocol)) return false;
  if (!cli_covalent_check(spec, &settings->prepare, settings->receptor)) return false;
  if (!fld && !cli_box_given(spec) && settings->prepare.receptor.opt_covalent == NULL)
    return cli_box_refuse(program, settings->receptor, settings->prepare.receptor.model,
                          "--center x,y,z and --size x,y,z, or --autobox FILE");
  if (settings->prepare.ligands.conformers < 1)
    return cli_refuse(program, "--conformers 0 needs --engine bude; use 1 or leave it out");
  if (settings->prepare.ligands.stereo == BT_STEREO_ENUMERATE)
    return cli_refuse(program, "--stereo enumerate is not available here; first make a library with it by berth prep "
                               "library");
  if (settings->prepare.ligands.conformers > 1)
    return cli_refuse(program,
     "--conformers: a screen generates one per ligand; for more, first make a library with berth prep library");
  if (!cli_constrain_check(spec, &settings->constrain)) return false;
  return check_effects(spec, settings);
}

static bool resolve(const cli_spec *spec, screen_settings *settings, int *ret_exit_code) {
  bt_error error;
  cli_prepare_resolve(&settings->prepare);
  cli_covalent_box(spec, &settings->prepare, &settings->box);
  if (!cli_box_in_receptor(spec->program, &settings->box, &settings->prepare, settings->receptor) ||
      !cli_constrain_resolve(spec, &settings->constrain, settings->receptor, &settings->prepare))
    return false;
  bt_status status = BT_OK;
  if (settings->engine == SCREEN_BUDE) {
    status = screen_resolve_bude(spec, settings, &error);
    if (status != BT_OK) *ret_exit_code = cli_fail(spec->program, &error);
    return status == BT_OK;
  }
  const char *devices = settings->device.opt_devices;
  bool all = devices != NULL && strcmp(devices, "all") == 0; /* here, "all" includes the CPU */
  if (!all) status = cli_device_resolve(&settings->device, &settings->search, &error);
  if (all) settings->search.opt_device = "all";
  if (status == BT_OK) cli_cache_warn(spec->program, settings->search.opt_device);
  if (status == BT_OK && !cli_path_ends(settings->receptor, ".fld"))
    status = cli_box_resolve(spec, &settings->box, &settings->resolved_box, &error);
  if (status == BT_OK && !cli_path_ends(settings->receptor, ".fld"))
    bt_boxes_tell(&settings->resolved_box, 1, &settings->prepare.receptor);
  settings->autobox = settings->box.opt_autobox != NULL && !cli_given(spec, "size");
  if (status != BT_OK) *ret_exit_code = cli_fail(spec->program, &error);
  return status == BT_OK;
}

bool screen_settings_parse(screen_settings *settings, int argc, char **argv, int *ret_exit_code) {
  bt_dock_options *search = &settings->search;
  bt_bude_options *bude = &settings->bude;
  /* clang-format off */
  cli_option options[] = {
      CLI_RECEPTOR_OPTION(&settings->receptor),
      {OPT_LIST("ensemble", 0, &settings->ensemble, "FILE",
       "further structures of the receptor, and every model of each file: the library is docked into all of them, "
       "superposed by the C-alpha atoms around the box, and ranked in ensemble.csv")},
      {OPT_CHOICE("ensemble-rank", 0, &settings->ensemble_rank, "best|mean",
       "rank by a ligand's lowest energy over the structures, or by the mean")},
      {OPT_FLAG("no-superpose", 0, &settings->no_superpose, "leave the structures of --ensemble where they are")},
      {CLI_LIGANDS_OPTION("library", &settings->ligands, "ligands", ", .btl, .tar.gz")},
      CLI_FLEX_OPTION(settings->prepare),
      CLI_COVALENT_OPTIONS(settings->prepare),
      CLI_PROTOCOL_OPTIONS(settings->protocol),
      CLI_PARAMETERS_OPTION(&settings->opt_parameters),
      CLI_STRICT_OPTION(settings->prepare),
      CLI_PH_OPTION(settings->prepare),
      CLI_BOX_OPTIONS(settings->box),
      CLI_CONSTRAIN_OPTIONS(settings->constrain),
      {.group = "Output", OPT_STRING("output", 'o', &settings->folder, "FOLDER",
       "created if absent; holds the database")},
      {OPT_FLAG("resume", 0, &settings->resume, "continue an interrupted screen, or start it if there is none")},
      {OPT_CHOICE("retry", 0, &settings->retry, "none|rejected|failed|both",
       "resume, and dock ligands in this state again")},
      {OPT_STRING("shard", 0, &settings->opt_shard, "i/N", "dock the i-th of N parts of the library")},
      {OPT_INT64("top", 0, &settings->top, "N", 0, 1e12,
       "number of best ligands written at the end; 0: none")},
      {OPT_INT("poses", 0, &settings->poses, "N", 0, 1000, "poses kept per ligand, from different clusters")},
      {OPT_INT64("keep", 0, &settings->keep, "N", -1, 1e12, "number of best ligands whose poses are kept; -1: all")},
      {OPT_STRING("export", 0, &settings->opt_export, "csv|parquet|sdf|pdbqt|dlg|rejects",
       "only export results from the database in FOLDER: all, or the --top best")},
      {OPT_STRING("must-contact", 0, &settings->selection.opt_must_contact, "LIST",
       "with --export: only poses with these contacts, and ligands that have such poses: A:ASP25, or KIND:A:ASP25 with "
       "hbond, halogen, hydrophobic, water, metal, pi, salt or cation-pi; a comma between two")},
      {OPT_REAL("diverse", 0, &settings->selection.diverse, "T", 0.01, 1,
       "with --export: only ligands whose similarity to every one exported before is below T (Tanimoto coefficient of "
       "Morgan fingerprints, radius 2)"), .opt_default = "all ligands"},
      {OPT_STRING("interactions", 0, &settings->selection.opt_interactions, "FILE",
       "with --export: also write the interactions of the exported poses as CSV, a column per residue and type")},
      {OPT_FLAG("json-progress", 0, &settings->json_progress, "print one JSON object per second on standard output")},
      {OPT_FLAG("quiet", 'q', &settings->quiet, "print no progress")},
      {OPT_CHOICE("engine", 0, &settings->engine, "autodock|bude",
       "dock flexible ligands with the AutoDock engine, or rigid conformers with BUDE")},
      CLI_SEARCH_OPTIONS(&settings->effort, search, "screen", "by effort", "by effort"),
      {OPT_INT("population", 'p', &search->population, "N", 2, 1000000, "individuals per run")},
      {OPT_CHOICE("local-search", 0, &search->local_search, bt_local_search_choices(), "method")},
      {OPT_INT("local-search-iterations", 0, &search->local_search_iterations, "N", 1, 1000000,
       "steps of one local search"), .opt_default = "adam: 100, or 200 above 12 torsions; others: 300"},
      {.group = "With --engine bude", OPT_CHOICE("rules", 0, &bude->rules, "a|b|deck",
       "which pairs have a charge term")},
      BUDE_FORCEFIELD_OPTIONS(NULL, &bude->opt_forcefield, &settings->aliases),
      {OPT_REAL("step", 0, &bude->spacing, "A", 0.05, 10, "translation step, Angstrom")},
      {OPT_REAL("angle-step", 0, &bude->angle_step, "DEGREES", 0.75, 180, "rotation step")},
      {OPT_INT("parents", 0, &bude->parents, "N", 1, 1 << 28, "best poses kept for mutation")},
      {OPT_FLAG("duplicates", 0, &bude->duplicates, "allow identical parents")},
      {OPT_REAL("separation", 0, &bude->separation, "A", 0, 100, "minimum RMSD between poses of a ligand, Angstrom")},
      {OPT_FLAG("keep-conformer", 0, &bude->keep_conformer, "dock the given conformer as well as the generated ones")},
      {OPT_INT64("memory", 0, &bude->memory, "BYTES", 0, 9e15, "device memory that may be used"), .opt_default = "all"},
      CLI_LIGAND_OPTIONS(settings->prepare),
      CLI_PROTOMERS_OPTION(settings->prepare),
      CLI_KEEP_FIELDS_OPTION(settings->prepare),
      {.group = "Filter", CLI_FILTER_OPTION(settings->prepare, "; others are left out and counted")},
      CLI_RECEPTOR_OPTIONS(settings->prepare),
      CLI_DEVICE_OPTIONS(settings->device),
      {OPT_STRING("devices", 0, &settings->device.opt_devices, "LIST|all",
       "devices that share the ligands, such as cuda:0,cuda:1,cpu; all: GPUs and the CPU"),
       .opt_default = "every GPU of the best kind, else the CPU"},
      {OPT_THREADS('t', &search->threads, 65536, "CPU threads")},
      {OPT_INT("batch", 0, &settings->batch, "N", 0, 65536, "ligands passed to a device at a time"),
       .opt_default = "512 for a GPU, 1 for a core"},
  };
  /* clang-format on */
  for (int k = 0; k < CLI_COUNT(options); k++) /* 0: the BUDE engine docks only the given conformers */
    if (strcmp(options[k].name, "conformers") == 0) options[k].low = 0, options[k].opt_default = "1; bude: 20";
  cli_spec spec = {"berth screen", "dock a library into one database; resumable",
                   "-r RECEPTOR -l LIBRARY... -o FOLDER [options]", details, examples, CLI_TABLE(options),
                   &settings->ligands};
  if (!cli_parse(&spec, argc, argv, ret_exit_code)) return false;
  cli_effort_apply(&spec, settings->effort, 0, search);
  settings->top_given = cli_given(&spec, "top");
  settings->resume = settings->resume || settings->retry != 0;
  if (!check(&spec, settings) || !parse_shard(spec.program, settings)) return false;
  if (!cli_ligands_check(spec.program, &settings->prepare, ret_exit_code)) return false;
  return settings->opt_export != NULL || resolve(&spec, settings, ret_exit_code);
}
