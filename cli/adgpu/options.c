/* options.c - AutoDock-GPU's flags, their defaults and ranges, and their translation to the library's options. */
#include <stdlib.h>
#include <string.h>

#include "adgpu/adgpu.h"
#include "dock/device.h"
#include "common/report.h"
#include "common/seed.h"

adgpu_settings adgpu_settings_default(const bt_dpf *opt_dpf, int job) {
  adgpu_settings s = {.xmloutput = 1,
                      .dlgoutput = 1,
                      .clustering = 1,
                      .hsym = 1,
                      .heuristics = 1,
                      .autostop = 1,
                      .smooth = 0.5,
                      .elecmindist = -1.0,
                      .search = bt_dock_options_default()};
  s.search.torsional = BT_TORSIONAL_BRANCHES;
  s.search.evaluations = 0;
  s.search.local_search_iterations = 300; /* AutoDock-GPU's defaults that differ from ours */
  s.search.tournament_rate = 0.6;
  s.search.heuristics_share = 1.0;
  s.search.autostop_runs = 0;
  s.search.poses = 1; /* those of the runs */
  if (opt_dpf != NULL) bt_dpf_apply(opt_dpf, job, &s.search);
  s.search.population = 150;
  s.search.mutation_rate = 0.02;
  s.mrat = 100.0 * s.search.mutation_rate;
  s.crat = 100.0 * s.search.crossover_rate;
  s.lsrat = 100.0 * s.search.local_search_rate;
  s.trat = 100.0 * s.search.tournament_rate;
  return s;
}

void adgpu_settings_free(adgpu_settings *settings) {
  cli_list_free(&settings->filelist);
  cli_list_free(&settings->xml2dlg);
}

static cli_option *find(cli_spec *spec, const char *word) {
  const char *name = word + (word[1] == '-' ? 2 : 1);
  for (int i = 0; i < spec->n_options; i++) {
    cli_option *option = &spec->options[i];
    bool letter = word[1] != '-' && name[0] == option->letter && name[0] != '\0' && name[1] == '\0';
    if (letter || strcmp(name, option->name) == 0) return option;
  }
  return NULL;
}

static bool parse_pairs(cli_spec *spec, int argc, const char *const *argv) {
  for (int i = 0; i < argc;) {
    const char *word = argv[i++];
    if (word[0] != '-' || word[1] == '\0')
      return cli_refuse(spec->program, "unexpected word '%s'; options come in pairs --flag value", word);
    cli_option *option = find(spec, word);
    if (option == NULL) return cli_refuse_unknown(spec, word, strlen(word));
    if (i >= argc)
      return cli_refuse(spec->program, "--%s needs a value; use %s", option->name,
                        option->value != NULL ? option->value : option->choices);
    option->given++;
    if (option->kind != CLI_LIST) {
      if (!cli_option_set(spec, option, argv[i++])) return false;
      continue;
    }
    if (option->given > 1)
      return cli_refuse(spec->program, "--%s is given twice; list all its values at once", option->name);
    for (; i < argc && argv[i][0] != '-'; i++)
      if (!cli_option_set(spec, option, argv[i])) return false;
  }
  return true;
}

static const char details[] =
    "Writes NAME.dlg and NAME.xml as AutoDock-GPU does. --name, -name and the letter are equivalent.\n"
    "Lines of a batch list file: a .fld applies to the ligands that follow, .pdbqt is a ligand, .pdbqt- are\n"
    "flexible residues, .pdbqt* is a reference ligand, anything else is the name of the next result.\n"
    "A job that fails is reported and the others continue; the exit code is then 2, or 1 if none succeeded.";

static const char examples[] =
    "  berth-adgpu --ffile protein.maps.fld --lfile ligand.pdbqt --nrun 20\n"
    "  berth-adgpu -B ligands/*.pdbqt -M protein.maps.fld -N results/\n"
    "  berth-adgpu --filelist batch.txt --seed 42";

/* False: the word does not ask for help. */
static bool print_help(const cli_spec *spec, const char *word) {
  if (strcmp(word, "--help") == 0 || strcmp(word, "-help") == 0 || strcmp(word, "-h") == 0)
    cli_print_help(spec, stdout);
  else if (strcmp(word, "--help=man") == 0)
    cli_print_man(spec, BT_VERSION, stdout);
  else
    return false;
  return true;
}

#define SWITCH(word, letter, member, text) OPT_INT(word, letter, &s->member, "0|1", 0, 0, text)
#define OPEN_ENDS .open_low = true, .open_high = true

bool adgpu_settings_parse(adgpu_settings *settings, const char *program, int argc, const char *const *argv,
                          int *ret_exit_code) {
  adgpu_settings *s = settings;
  bt_dock_options *search = &s->search;
  /* clang-format off */
  cli_option options[] = {
      {.group = "Input", OPT_STRING("lfile", 'L', &s->lfile, "FILE", "ligand, .pdbqt")},
      {OPT_STRING("ffile", 'M', &s->ffile, "FILE", "grid maps, .maps.fld")},
      {OPT_STRING("flexres", 'F', &s->flexres, "FILE", "flexible residues, .pdbqt")},
      {OPT_LIST("filelist", 'B', &s->filelist, "FILE", "batch list file, folder, or many ligands")},
      {OPT_STRING("import_dpf", 'I', &s->import_dpf, "FILE", "AutoDock 4 parameter file")},
      {OPT_STRING("xraylfile", 'R', &s->xraylfile, "FILE",
       "reference ligand for the RMSD, .pdbqt; default: the ligand file")},
      {OPT_LIST("xml2dlg", 'X', &s->xml2dlg, "FILE", "not available")},
      {.group = "Output", OPT_STRING("resnam", 'N', &s->resnam, "NAME",
       "name of the output files, or a folder for them; default: next to the ligand")},
      {OPT_STRING("contact_analysis", 'C', &s->contact_analysis, "0|1|R,H,V",
       "analyze contacts; cutoffs of reactive, hydrogen-bond and other contacts, 2.1,3.7,4.0")},
      {SWITCH("xmloutput", 'x', xmloutput, "write NAME.xml")},
      {SWITCH("dlgoutput", 'd', dlgoutput, "write NAME.dlg")},
      {SWITCH("dlg2stdout", '2', dlg2stdout, "write the DLG to standard output instead")},
      {SWITCH("rlige", 0, rlige, "print the energies of the reference or input ligand")},
      {SWITCH("gfpop", 0, gfpop, "not available")},
      {OPT_INT("npdb", 0, &s->npdb, "N", 0, 2048, "not available")},
      {SWITCH("gbest", 0, gbest, "write the best pose of all runs to best.pdbqt")},
      {SWITCH("clustering", 0, clustering, "accepted, no effect: poses are always clustered")},
      {OPT_STRING("output-cluster-poses", 0, &s->output_cluster_poses, "N|all|auto",
       "accepted, no effect: all poses are written")},
      {SWITCH("hsym", 0, hsym, "RMSD of each atom to the nearest one of its type")},
      {OPT_REAL("rmstol", 0, &search->rmsd_tolerance, "A", 0, 1e4, "clustering tolerance, Angstrom"), .open_low = true},
      {.group = "Setup", OPT_STRING("devnum", 'D', &s->devnum, "N|all|auto",
       "GPUs, counted from 1; without a GPU, 1 is the CPU")},
      {OPT_STRING("loadxml", 'c', &s->loadxml, "FILE", "not available")},
      {OPT_STRING("seed", 's', &s->seed, "N[,N[,N]]", "seed of the random numbers"), .opt_default = "time, process id"},
      {OPT_THREADS(0, &search->threads, 65536, "threads (Berth only)")},
      {OPT_STRING("device", 0, &s->opt_device, "NAME",
       "device as `berth devices` names it, instead of --devnum (Berth only)")},
      {OPT_STRING("isa", 0, &s->opt_isa, "NAME", "vector instruction set (Berth only)")},
      {.group = "Search", SWITCH("heuristics", 'H', heuristics, "set evaluations by the number of torsions")},
      {OPT_INT64("heurmax", 'E', &search->heuristics_max, "N", 1, 1625000000, "asymptotic limit of the heuristics")},
      {SWITCH("autostop", 'A', autostop, "stop when converged")},
      {OPT_INT("asfreq", 'a', &search->autostop_interval, "N", 1, 100, "generations between autostop tests")},
      {OPT_INT("nrun", 'n', &search->runs, "N", 1, 8192, "LGA runs")},
      {OPT_INT64("nev", 'e', &search->evaluations, "N", 1, 2147483646,
       "evaluations per run; if given with heuristics, a cap"), .opt_default = "2500000"},
      {OPT_INT64("ngen", 'g', &search->generations, "N", 1, 16249999, "generations")},
      {OPT_CHOICE("lsmet", 'l', &s->lsmet, "ad|sw|sd|fire|adam", "local search; ad, sw and adam are available")},
      {OPT_INT("lsit", 'i', &search->local_search_iterations, "N", 1, 262143, "steps of local search")},
      {OPT_INT("psize", 'p', &search->population, "N", 2, 2048, "population")},
      {OPT_REAL("mrat", 0, &s->mrat, "%", 0, 100, "mutation rate"), .open_high = true},
      {OPT_REAL("crat", 0, &s->crat, "%", 0, 100, "crossover rate")},
      {OPT_REAL("lsrat", 0, &s->lsrat, "%", 0, 100, "local search rate")},
      {OPT_REAL("trat", 0, &s->trat, "%", 0, 100, "tournament rate")},
      {OPT_REAL("dmov", 0, &search->mutation_move, "A", 0, 10, "largest mutation of the position"), OPEN_ENDS},
      {OPT_REAL("dang", 0, &search->mutation_angle, "DEG", 0, 180, "largest mutation of an angle"), OPEN_ENDS},
      {OPT_REAL("rholb", 0, &search->sw_rho_limit, "X", 0, 1, "Solis-Wets: lower bound of rho"), .open_high = true},
      {OPT_REAL("lsmov", 0, &search->sw_move, "A", 0, 37, "Solis-Wets: spread of moves"), OPEN_ENDS},
      {OPT_REAL("lsang", 0, &search->sw_angle, "DEG", 0, 103, "Solis-Wets: spread of angles"), OPEN_ENDS},
      {OPT_INT("cslim", 0, &search->sw_limit, "N", 1, 255, "Solis-Wets: consecutive successes or failures")},
      {OPT_REAL("stopstd", 0, &search->autostop_tolerance, "KCAL", 0.01, 2, "autostop: spread of energies, kcal/mol"),
       .open_high = true},
      {OPT_INT("initswgens", 0, &s->initswgens, "N", 0, 16250000, "only 0 is available")},
      {.group = "Scoring", OPT_STRING("derivtype", 'T', &s->derivtype, "LIST", "not available")},
      {OPT_STRING("modpair", 'P', &s->modpair, "LIST", "not available")},
      {OPT_INT("ubmod", 'u', &s->ubmod, "0|1|2", 0, 2, "unbound model; only 0 (bound) is available")},
      {OPT_REAL("smooth", 0, &s->smooth, "A", 0, 0.5, "smoothing of pair potentials; only 0.5 is available")},
      {OPT_REAL("elecmindist", 0, &s->elecmindist, "A", 0, 2,
       "minimum distance in electrostatics; only 0.5 is available"), .open_high = true, .opt_default = "0.5"},
      {SWITCH("modqp", 0, modqp, "only 0 is available")},
  };
  /* clang-format on */
  cli_spec spec = {program, "Berth with AutoDock-GPU's command line",
                   "--ffile MAPS.fld --lfile LIGAND.pdbqt [--flag value]...", details, examples, CLI_TABLE(options),
                   NULL};
  for (int i = 0; i < argc; i++) {
    if (!print_help(&spec, argv[i])) continue;
    *ret_exit_code = CLI_EXIT_OK;
    return false;
  }
  *ret_exit_code = CLI_EXIT_BAD;
  return parse_pairs(&spec, argc, argv);
}

/* Up to three numbers; a single one is the seed itself. */
static bool read_seed(const char *text, uint64_t *ret_seed) {
  uint64_t seed = 0;
  for (int k = 0; k < 3; k++) {
    char *end;
    if (text[0] < '0' || text[0] > '9') return false;
    uint64_t part = strtoull(text, &end, 10);
    seed = k == 0 ? part : (seed ^ (part << (k == 1 ? 32 : 16))) * 0x9e3779b97f4a7c15ULL;
    if (*end == '\0') {
      *ret_seed = seed;
      return true;
    }
    if (*end != ',') return false;
    text = end + 1;
  }
  return false;
}

/* 0, 1 or three distances. */
static bt_status read_contacts(adgpu_settings *s, bt_error *opt_error) {
  double values[3];
  s->contact_options = bt_contact_options_default();
  s->contact_options.gpu_donors = true; /* as readers of its output expect */
  if (s->contact_analysis == NULL || strcmp(s->contact_analysis, "0") == 0) return BT_OK;
  s->contacts = true;
  if (strcmp(s->contact_analysis, "1") == 0) return BT_OK;
  if (!cli_read_vector(s->contact_analysis, values) || values[0] < 0 || values[1] < 0 || values[2] < 0)
    return cli_fill_error(opt_error, BT_ERR_USAGE, NULL, "use 0, 1, or distances such as 2.1,3.7,4.0",
                          "--contact_analysis: '%s' is not valid", s->contact_analysis);
  s->contact_options.reactive = values[0];
  s->contact_options.hbond = values[1];
  s->contact_options.vdw = values[2];
  return BT_OK;
}

static bt_status unavailable(bt_error *opt_error, const char *flag, const char *remedy) {
  return cli_fill_error(opt_error, BT_ERR_USAGE, NULL, remedy, "%s is not available in Berth", flag);
}

bt_status adgpu_settings_finish(adgpu_settings *s, bt_error *opt_error) {
  if (s->xml2dlg.count > 0) return unavailable(opt_error, "--xml2dlg", "dock with --dlgoutput 1");
  if (s->loadxml != NULL) return unavailable(opt_error, "--loadxml", "leave it out");
  if (s->gfpop != 0) return unavailable(opt_error, "--gfpop", "leave it out");
  if (s->npdb != 0) return unavailable(opt_error, "--npdb", "leave it out; the DLG holds the best pose of every run");
  if (s->derivtype != NULL) return unavailable(opt_error, "--derivtype", "use types of the AutoDock 4 force field");
  if (s->modpair != NULL) return unavailable(opt_error, "--modpair", "leave it out");
  if (s->ubmod != 0) return unavailable(opt_error, "--ubmod other than 0", "leave it out");
  if (s->smooth != 0.5) return unavailable(opt_error, "--smooth other than 0.5", "leave it out");
  if (s->modqp != 0) return unavailable(opt_error, "--modqp 1", "leave it out");
  if (s->initswgens != 0) return unavailable(opt_error, "--initswgens", "leave it out, or use --lsmet sw");
  if (s->elecmindist >= 0 && s->elecmindist != 0.5 && s->elecmindist != 0.01)
    return unavailable(opt_error, "--elecmindist other than 0.5", "leave it out");
  if (s->lsmet == ADGPU_LS_SD || s->lsmet == ADGPU_LS_FIRE)
    return unavailable(opt_error, "this --lsmet", "use --lsmet ad, sw or adam");
  if (s->seed != NULL && !read_seed(s->seed, &s->search.seed))
    return cli_fill_error(opt_error, BT_ERR_USAGE, NULL, "use up to three whole numbers, as 11,23",
                          "--seed: '%s' is not valid", s->seed);
  BT_TRY(read_contacts(s, opt_error));
  BT_TRY(cli_isa_check(s->opt_isa, opt_error));
  BT_TRY(adgpu_device_choose(s, opt_error));
  if (s->search.seed == 0) s->search.seed = cli_choose_seed();
  bt_dock_options *search = &s->search;
  search->heuristics = s->heuristics != 0;
  search->autostop = s->autostop != 0;
  search->rmsd_symmetry = s->hsym != 0;
  search->rmsd_autodock = true;
  search->local_search = s->lsmet == ADGPU_LS_SW     ? BT_LS_SOLIS_WETS
                         : s->lsmet == ADGPU_LS_ADAM ? BT_LS_ADAM
                                                     : BT_LS_ADADELTA;
  search->mutation_rate = 0.01 * s->mrat;
  search->crossover_rate = 0.01 * s->crat;
  search->local_search_rate = 0.01 * s->lsrat;
  search->tournament_rate = 0.01 * s->trat;
  search->opt_isa = s->opt_isa;
  if (search->evaluations == 0) search->evaluations = search->heuristics ? search->heuristics_max : 2500000;
  return BT_OK;
}

void adgpu_settings_warn(const adgpu_settings *s, const char *program) {
  if (s->elecmindist == 0.01)
    cli_warning(program, "--elecmindist 0.01 has no effect: 0.5 Angstrom is used, as in AutoDock 4");
  if (s->clustering == 0) cli_warning(program, "--clustering 0 has no effect: poses are always clustered");
  if (s->output_cluster_poses != NULL && strcmp(s->output_cluster_poses, "0") != 0 &&
      strcmp(s->output_cluster_poses, "all") != 0)
    cli_warning(program, "--output-cluster-poses has no effect: all poses are written");
  if (s->devnum_ignored)
    cli_warning(program, "--devnum %s: there is no GPU; the CPU is used as device 1", s->devnum);
}
