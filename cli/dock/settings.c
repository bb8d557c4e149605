/* settings.c - everything that `berth dock` is told: its options, their defaults and how they combine. */
#include "dock/settings.h"

#include <berth/autodock.h>
#include <berth/report.h>
#include <assert.h>
#include <string.h>

#include "dock/effort.h"
#include "input/inputs.h"
#include "common/report.h"


/* The order of the words in the choices below is the order of the library's enumerations. */
static_assert(BT_LS_NONE == 0 && BT_LS_SOLIS_WETS == 1 && BT_LS_ADADELTA == 2 && BT_LS_ADAM == 3,
              "order of --local-search");
static_assert(BT_SELECT_TOURNAMENT == 0 && BT_SELECT_PROPORTIONAL == 1, "order of --selection");
static_assert(BT_CROSS_TWO_POINT == 0 && BT_CROSS_UNIFORM == 1, "order of --crossover");
static_assert(BT_TORSIONAL_TORSDOF == 0 && BT_TORSIONAL_BRANCHES == 1, "order of --torsional");

static const char details[] =
    "Receptor: a PDB or mmCIF file is prepared first, and FOLDER/receptor-report.txt tells what was done to\n"
    "every residue. It, or a .pdbqt file, needs a box (--center and --size, or --autobox); maps are computed\n"
    "for exactly the atom types that the ligands have. A .maps.fld file brings maps and box along.\n"
    "Ligands: .sdf, .mol2 and .smi files of any length (also .gz) are prepared, .pdbqt files are taken as they\n"
    "are; folders, patterns, - for standard input. A ligand without 3D coordinates gets a conformer.\n"
    "--ligand-from docks a residue of the receptor's file; its bond orders come from --template. The box is\n"
    "then around it, unless another one is asked for.\n"
    "A residue that --ligand-from, --autobox or --reference names is no part of the receptor (--keep wins).\n"
    "A ligand that cannot be docked is reported in one line and in FOLDER/rejects.csv; the others go on.\n"
    "\n"
    CLI_EFFORT_HELP "A search ends with the generation that reaches its limit.\n"
    "--evals turns the heuristics off; with --heuristics on it is their upper limit.\n"
    "Numbers may be written 2500000, 2_500_000, 2.5M or 2.5e6.\n"
    "\n"
    "The same seed gives the same poses on the same kind of processor, whatever the number of threads.\n"
    "Exit code: 0 all docked, 1 wrong input or nothing docked, 2 some ligands rejected, 3 out of memory or\n"
    "device failure, 130 interrupted (what was finished is kept).";

static const char examples[] =
    "  berth dock -r 1hpv.pdb -l library.sdf --autobox crystal.sdf -o out\n"
    "      from raw files to poses: out/NAME.sdf has them on the bonds of library.sdf\n"
    "  berth dock -r 1hpv.pdb --ligand-from 478 --template 'CC(C)CN(...' --set-state B:25:ASH -o out\n"
    "      redocks the ligand that the entry comes with\n"
    "  berth dock -r 1hpv.cif -l ligand.smi --autobox 478 --flex A:ARG8,B:ARG8 --ph 7.4 -o out\n"
    "  berth dock -r protein.pdbqt -l ligand.pdbqt --autobox crystal.pdbqt -o out\n"
    "      box around the crystal ligand with 5 Angstrom on every side\n"
    "  berth dock -r protein.maps.fld -l library/ -o out --effort screen --format csv\n"
    "      every .pdbqt file of a folder, maps from AutoGrid or from berth grid\n"
    "  berth dock -r protein.pdbqt -l a.pdbqt b.pdbqt --center 10,2.5,-3 --size 22,22,22 -o out\n"
    "  berth dock -r rigid.pdbqt --flex sidechains.pdbqt -l ligand.pdbqt --autobox ligand.pdbqt -o out\n"
    "      residues of the flexible file move together with the ligand\n"
    "  berth dock -r protein.pdbqt -l ligand.pdbqt --autobox crystal.pdbqt --reference crystal.pdbqt \\\n"
    "      --seed 42 -o out --json | jq .best.free_energy";

dock_settings dock_settings_default(void) {
  dock_settings settings = {.box = cli_box_request_default(),
                            .search = bt_dock_options_default(),
                            .effort = CLI_EFFORT_NORMAL,
                            .prepare = cli_prepare_default()};
  settings.local_search = (int)settings.search.local_search;
  bt_contact_options contacts = bt_contact_options_default();
  settings.contact_distances[0] = contacts.reactive;
  settings.contact_distances[1] = contacts.hbond;
  settings.contact_distances[2] = contacts.vdw;
  settings.selection = (int)settings.search.selection;
  settings.crossover = (int)settings.search.crossover;
  settings.torsional = (int)settings.search.torsional;
  settings.rmsd_mode = settings.search.rmsd_symmetry ? 0 : 1;
  return settings;
}

void dock_settings_free(dock_settings *settings) {
  cli_list_free(&settings->ligands);
  cli_prepare_free(&settings->prepare);
}

bool dock_settings_computes_maps(const dock_settings *settings) { return !cli_path_ends(settings->receptor, ".fld"); }

/* "dlg,xml" -> bits. */
static bool parse_formats(const char *program, const char *words, unsigned *ret_formats) {
  static const struct {
    const char *name;
    unsigned bit;
  } known[] = {{"dlg", CLI_FORMAT_DLG},
               {"xml", CLI_FORMAT_XML},
               {"pdbqt", CLI_FORMAT_PDBQT},
               {"json", CLI_FORMAT_JSON},
               {"csv", CLI_FORMAT_CSV},
               {"sdf", CLI_FORMAT_SDF}};
  *ret_formats = words == NULL ? CLI_FORMAT_DLG | CLI_FORMAT_PDBQT | CLI_FORMAT_CSV | CLI_FORMAT_AUTO : 0;
  for (const char *from = words; from != NULL;) {
    size_t length = strcspn(from, ",");
    unsigned bit = 0;
    for (int i = 0; i < CLI_COUNT(known); i++)
      if (strlen(known[i].name) == length && strncmp(known[i].name, from, length) == 0) bit = known[i].bit;
    if (bit == 0) {
      return cli_refuse(program, "--format: '%.*s' is not known; give a list of dlg, xml, pdbqt, sdf, json, csv",
                        (int)(length < 40 ? length : 40), from);
    }
    *ret_formats |= bit;
    from = from[length] == ',' ? from + length + 1 : NULL;
  }
  return true;
}

/* What the table of options cannot say about combinations. */
static bool check(const cli_spec *spec, dock_settings *settings) {
  const char *program = spec->program;
  if (settings->receptor == NULL) return cli_refuse(program, "no receptor; give -r FILE (.pdb, .cif, .pdbqt or .maps.fld)");
  if (settings->ligands.count == 0 && settings->opt_ligand_from == NULL)
    return cli_refuse(program, "no ligand; give -l FILE, a folder, or - for stdin");
  if (settings->folder == NULL) return cli_refuse(program, "no output folder; give -o FOLDER");
  bool fld = cli_path_ends(settings->receptor, ".fld");
  bool structure = cli_is_structure(settings->receptor);
  if (!fld && !structure && !cli_path_ends(settings->receptor, ".pdbqt"))
    return cli_refuse(program, "%s: the receptor must be a .pdb, .cif, .pdbqt or .maps.fld file", settings->receptor);
  if (settings->opt_ligand_from != NULL && !structure)
    return cli_refuse(program, "--ligand-from needs a .pdb or .cif receptor; give the ligand with -l");
  if (fld && settings->complex > 0)
    return cli_refuse(program, "--complex needs the receptor's atoms; give a .pdb, .cif or .pdbqt receptor");
  if (fld && (cli_box_given(spec) || cli_given(spec, "spacing")))
    return cli_refuse(program, "%s brings its own box; remove --center, --size, --autobox and --spacing",
                      settings->receptor);
  if (fld && settings->opt_write_maps != NULL)
    return cli_refuse(program, "--write-maps: %s is a set of maps already; remove one of the two", settings->receptor);
  if (!fld && !cli_box_given(spec) && settings->opt_ligand_from == NULL)
    return cli_refuse(program, "the box is not known; give --center x,y,z and --size x,y,z, or --autobox FILE");
  return parse_formats(program, settings->format, &settings->formats);
}

/* What the user names as ligand, box or reference is no part of the receptor. */
static bool resolve_places(dock_settings *settings) {
  cli_prepare *prepare = &settings->prepare;
  if (settings->opt_ligand_from != NULL) {
    prepare->receptor.opt_ligand = settings->opt_ligand_from;
    if (settings->box.opt_autobox == NULL) settings->box.opt_autobox = settings->opt_ligand_from;
  }
  if (!cli_is_structure(settings->receptor)) return true;
  settings->box.opt_structure = settings->receptor;
  settings->box.model = prepare->receptor.model;
  return cli_prepare_take_out(prepare, settings->receptor, settings->box.opt_autobox) &&
         cli_prepare_take_out(prepare, settings->receptor, settings->opt_reference);
}

/* Puts the search parameters of a .dpf below those of the command line, which is read again afterwards. */
static bool import_dpf(const cli_spec *spec, dock_settings *settings, int argc, char **argv, int *ret_exit_code) {
  bt_dpf *dpf = NULL;
  bt_error error;
  if (bt_dpf_read(settings->opt_dpf, &dpf, &error) != BT_OK) {
    *ret_exit_code = cli_fail(spec->program, &error);
    return false;
  }
  if (bt_dpf_job_count(dpf) > 1)
    cli_warning(spec->program, "%s holds %d jobs; the parameters of the first are taken", settings->opt_dpf,
                bt_dpf_job_count(dpf));
  for (int i = 0; i < bt_dpf_warning_count(dpf); i++)
    cli_warning(spec->program, "%s: %s", settings->opt_dpf, bt_dpf_warning(dpf, i));
  settings->search = bt_dock_options_default();
  settings->search.evaluations = 0;
  bt_dpf_apply(dpf, 0, &settings->search);
  settings->dpf_evaluations = settings->search.evaluations > 0;
  if (!settings->dpf_evaluations) settings->search.evaluations = bt_dock_options_default().evaluations;
  bt_dpf_destroy(dpf);
  settings->ligands.count = 0;
  for (int i = 0; i < spec->n_options; i++) spec->options[i].given = 0;
  return cli_parse(spec, argc, argv, ret_exit_code);
}

bool dock_settings_parse(dock_settings *settings, int argc, char **argv, int *ret_exit_code) {
  bt_dock_options *search = &settings->search;
  /* clang-format off */
  cli_option options[] = {
      {.group = "Input", .name = "receptor", .letter = 'r', .kind = CLI_STRING, .target = &settings->receptor,
       .value = "FILE", .help = "receptor: .pdb, .cif (also .gz) or .pdbqt, or .maps.fld with AutoGrid maps"},
      {.name = "ligand", .letter = 'l', .kind = CLI_LIST, .target = &settings->ligands, .value = "FILE",
       .help = "ligands: .sdf, .mol2, .smi (also .gz), .pdb with --template, .pdbqt; folders, patterns, or - for standard input"},
      {.name = "ligand-from", .kind = CLI_STRING, .target = &settings->opt_ligand_from,
       .value = "NAME[:chain[:number]]", .help = "dock this residue of the receptor's file"},
      {.name = "flex", .letter = 'f', .kind = CLI_STRING, .target = &settings->prepare.opt_flex, .value = "RES,RES",
       .help = "side chains that move, such as A:ARG8,A:ASP25; or a .pdbqt file with BEGIN_RES"},
      {.name = "reference", .kind = CLI_STRING, .target = &settings->opt_reference, .value = "FILE",
       .help = "pose from which the reference RMSD is measured, a file or a residue as in --autobox; otherwise the input pose"},
      {.name = "import-dpf", .kind = CLI_STRING, .target = &settings->opt_dpf, .value = "FILE",
       .help = "take search parameters from an AutoDock .dpf; options given here win"},
      {.name = "parameters", .kind = CLI_STRING, .target = &settings->opt_parameters, .value = "FILE",
       .help = "AutoGrid parameter file (atom_par lines) for computing maps"},
      CLI_PH_OPTION(settings->prepare),
      CLI_BOX_OPTIONS(settings->box),
      {.group = "Output", .name = "output", .letter = 'o', .kind = CLI_STRING, .target = &settings->folder,
       .value = "FOLDER", .help = "made if absent; one set of files per ligand"},
      {.name = "format", .kind = CLI_STRING, .target = &settings->format, .value = "LIST",
       .opt_default = "dlg,pdbqt,csv, and sdf where the bonds are known", .help = "any of dlg,xml,pdbqt,sdf,json,csv"},
      {.name = "complex", .kind = CLI_CHOICE, .target = &settings->complex, .choices = "none|pdb|cif",
       .help = "receptor and best pose in one file, NAME.complex.pdb or .cif"},
      {.name = "contacts", .kind = CLI_FLAG, .target = &settings->contacts,
       .help = "who touches whom: in DLG and XML as AutoDock-GPU has it, in JSON with distances"},
      {.name = "contact-distances", .kind = CLI_VECTOR, .target = settings->contact_distances, .value = "R,H,V",
       .high = 20, .opt_default = "2.1,3.7,4.0",
       .help = "largest distances of reactive, hydrogen-bond and van der Waals contacts"},
      {.name = "json", .kind = CLI_FLAG, .target = &settings->json,
       .help = "print one JSON object per ligand and line instead of tables"},
      {.name = "write-maps", .kind = CLI_STRING, .target = &settings->opt_write_maps, .value = "PREFIX",
       .help = "keep the computed maps as PREFIX.maps.fld and PREFIX.*.map"},
      {.name = "quiet", .letter = 'q', .kind = CLI_FLAG, .target = &settings->quiet, .help = "no progress"},
      {.group = "Search", .name = "effort", .kind = CLI_CHOICE, .target = &settings->effort,
       .choices = CLI_EFFORT_CHOICES, .help = "a good choice of what follows"},
      {.name = "runs", .letter = 'n', .kind = CLI_INT, .target = &search->runs, .value = "N", .low = 1, .high = 1000000,
       .help = "independent searches"},
      {.name = "seed", .letter = 's', .kind = CLI_SEED, .target = &search->seed, .value = "N",
       .help = "repeats a docking; chosen and printed when absent or 0"},
      {.name = "evals", .letter = 'e', .kind = CLI_INT64, .target = &search->evaluations, .value = "N", .low = 1,
       .high = 9e15, .opt_default = "by heuristics", .help = "limit of energy evaluations per run"},
      {.name = "generations", .letter = 'g', .kind = CLI_INT64, .target = &search->generations, .value = "N", .low = 1,
       .high = 9e15, .help = "limit of generations"},
      {.name = "heuristics", .kind = CLI_SWITCH, .target = &search->heuristics,
       .help = "evaluations from the number of torsions"},
      {.name = "heuristics-max", .kind = CLI_INT64, .target = &search->heuristics_max, .value = "N", .low = 1,
       .high = 9e15, .help = "what the heuristics never exceed"},
      {.name = "autostop", .kind = CLI_SWITCH, .target = &search->autostop,
       .help = "stop when the best energies no longer change"},
      {.name = "autostop-tolerance", .kind = CLI_REAL, .target = &search->autostop_tolerance, .value = "KCAL",
       .low = 0.0001, .high = 100, .help = "spread of the best energies that counts as no change, kcal/mol"},
      {.name = "autostop-interval", .kind = CLI_INT, .target = &search->autostop_interval, .value = "N", .low = 1,
       .high = 10000, .help = "generations between two looks"},
      {.group = "Genetic algorithm", .name = "population", .letter = 'p', .kind = CLI_INT,
       .target = &search->population, .value = "N", .low = 2, .high = 1000000, .help = "individuals per run"},
      {.name = "selection", .kind = CLI_CHOICE, .target = &settings->selection, .choices = "tournament|proportional",
       .help = "how parents are chosen"},
      {.name = "tournament-rate", .kind = CLI_REAL, .target = &search->tournament_rate, .value = "P", .high = 1,
       .help = "chance that the better one wins"},
      {.name = "crossover", .kind = CLI_CHOICE, .target = &settings->crossover, .choices = "two-point|uniform",
       .help = "how parents are mixed"},
      {.name = "crossover-rate", .kind = CLI_REAL, .target = &search->crossover_rate, .value = "P", .high = 1,
       .help = "chance per offspring"},
      {.name = "mutation-rate", .kind = CLI_REAL, .target = &search->mutation_rate, .value = "P", .high = 1,
       .opt_default = "0.2, with more than 12 torsions 0.05",
       .help = "chance per gene"},
      {.name = "mutation-move", .kind = CLI_REAL, .target = &search->mutation_move, .value = "A", .high = 1000,
       .help = "largest shift, Angstrom"},
      {.name = "mutation-angle", .kind = CLI_REAL, .target = &search->mutation_angle, .value = "DEG", .high = 180,
       .help = "largest turn, degrees"},
      {.name = "elitism", .kind = CLI_INT, .target = &search->elitism, .value = "N", .high = 1000000,
       .help = "best individuals that survive unchanged"},
      {.group = "Local search", .name = "local-search", .kind = CLI_CHOICE, .target = &settings->local_search,
       .choices = "none|solis-wets|adadelta|adam", .help = "method"},
      {.name = "local-search-rate", .kind = CLI_REAL, .target = &search->local_search_rate, .value = "P", .high = 1,
       .help = "share of the population per generation"},
      {.name = "local-search-iterations", .kind = CLI_INT, .target = &search->local_search_iterations, .value = "N",
       .low = 1, .high = 1000000000, .opt_default = "adam: 100, with more than 12 torsions 200; others: 300",
       .help = "steps of one local search"},
      {.name = "sw-move", .kind = CLI_REAL, .target = &search->sw_move, .value = "A", .high = 100, .open_low = true,
       .help = "first Solis-Wets spread, Angstrom"},
      {.name = "sw-angle", .kind = CLI_REAL, .target = &search->sw_angle, .value = "DEG", .high = 180, .open_low = true,
       .help = "first Solis-Wets spread, degrees"},
      {.name = "sw-rho-limit", .kind = CLI_REAL, .target = &search->sw_rho_limit, .value = "X", .high = 1,
       .open_high = true, .help = "Solis-Wets ends when its scale falls to this"},
      {.name = "sw-limit", .kind = CLI_INT, .target = &search->sw_limit, .value = "N", .low = 1, .high = 255,
       .help = "successes or failures in a row that change the scale"},
      {.group = "Results", .name = "torsional", .kind = CLI_CHOICE, .target = &settings->torsional,
       .choices = "torsdof|branches", .help = "count for the torsional energy: TORSDOF record or BRANCHes"},
      {.name = "rmsd-tolerance", .kind = CLI_REAL, .target = &search->rmsd_tolerance, .value = "A", .high = 1000,
       .open_low = true, .help = "radius of a cluster, Angstrom"},
      {.name = "rmsd", .kind = CLI_CHOICE, .target = &settings->rmsd_mode, .choices = "symmetry|index|autodock",
       .help = "heavy atoms by the molecule's symmetry or by position; autodock: nearest atom of a type"},
      CLI_LIGAND_OPTIONS(settings->prepare),
      CLI_RECEPTOR_OPTIONS(settings->prepare),
      CLI_DEVICE_OPTIONS(settings->device),
      CLI_DEVICES_OPTION(settings->device),
      {.name = "threads", .letter = 't', .kind = CLI_INT, .target = &search->threads, .value = "N", .high = 65536,
       .opt_default = "all cores", .help = "threads of the processor"},
  };
  /* clang-format on */
  cli_spec spec = {
      .program = "berth dock",
      .summary = "find where and how strongly ligands bind to a receptor",
      .usage = "-r RECEPTOR -l LIGAND... -o FOLDER [options]",
      .opt_details = details,
      .opt_examples = examples,
      .options = options,
      .n_options = CLI_COUNT(options),
      .opt_arguments = &settings->ligands,
  };
  if (!cli_parse(&spec, argc, argv, ret_exit_code)) return false;
  if (settings->opt_dpf != NULL && !import_dpf(&spec, settings, argc, argv, ret_exit_code)) return false;
  *ret_exit_code = CLI_EXIT_BAD;
  cli_effort_apply(&spec, settings->effort, search);
  if (search->heuristics && !cli_given(&spec, "evals") && !settings->dpf_evaluations)
    search->evaluations = search->heuristics_max; /* no lower cap */
  search->local_search = (bt_local_search)settings->local_search;
  search->selection = (bt_selection)settings->selection;
  search->crossover = (bt_crossover)settings->crossover;
  search->torsional = (bt_torsional_count)settings->torsional;
  search->rmsd_symmetry = settings->rmsd_mode != 1;
  search->rmsd_autodock = settings->rmsd_mode == 2;
  if (!check(&spec, settings)) return false;
  cli_prepare_resolve(&settings->prepare);
  if (!resolve_places(settings)) return false;
  bt_error error;
  bt_status status = cli_device_resolve(&settings->device, search, &error);
  if (status == BT_OK && dock_settings_computes_maps(settings))
    status = cli_box_resolve(&spec, &settings->box, &settings->resolved_box, &error);
  settings->autobox = settings->box.opt_autobox != NULL && !cli_given(&spec, "size");
  if (status != BT_OK) *ret_exit_code = cli_fail(spec.program, &error);
  return status == BT_OK;
}
