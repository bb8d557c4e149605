/* options.c - AutoDock-GPU's flags, their defaults and ranges, and what they mean for the library. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "adgpu/adgpu.h"
#include "dock/device.h"
#include "common/report.h"

enum { OPTION_ROOM = 80 };

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
  s.search.local_search_iterations = 300; /* AutoDock-GPU's, where they differ from ours */
  s.search.tournament_rate = 0.6;
  s.search.heuristics_share = 1.0;
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

static int fill_options(adgpu_settings *s, cli_option *to) {
  bt_dock_options *search = &s->search;
/* clang-format off */
#define TEXT(member) .kind = CLI_STRING, .target = &s->member
#define SWITCH(member) .kind = CLI_INT, .target = &s->member, .value = "0|1"
  const cli_option options[] = {
      {.group = "Input", .name = "lfile", .letter = 'L', TEXT(lfile), .value = "FILE", .help = "ligand, .pdbqt"},
      {.name = "ffile", .letter = 'M', TEXT(ffile), .value = "FILE", .help = "grid maps, .maps.fld"},
      {.name = "flexres", .letter = 'F', TEXT(flexres), .value = "FILE", .help = "flexible residues, .pdbqt"},
      {.name = "filelist", .letter = 'B', .kind = CLI_LIST, .target = &s->filelist, .value = "FILE",
       .help = "batch list file, folder, or many ligands"},
      {.name = "import_dpf", .letter = 'I', TEXT(import_dpf), .value = "FILE", .help = "AutoDock 4 parameter file"},
      {.name = "xraylfile", .letter = 'R', TEXT(xraylfile), .value = "FILE",
       .help = "reference ligand for the RMSD, .pdbqt; otherwise the ligand file"},
      {.name = "xml2dlg", .letter = 'X', .kind = CLI_LIST, .target = &s->xml2dlg, .value = "FILE",
       .help = "not available"},
      {.group = "Output", .name = "resnam", .letter = 'N', TEXT(resnam), .value = "NAME",
       .help = "name of the output files, or a folder for them; otherwise beside the ligand"},
      {.name = "contact_analysis", .letter = 'C', TEXT(contact_analysis), .value = "0|1|R,H,V",
       .help = "who touches whom; largest distances of reactive, hydrogen-bond and other contacts, 2.1,3.7,4.0"},
      {.name = "xmloutput", .letter = 'x', SWITCH(xmloutput), .help = "write NAME.xml"},
      {.name = "dlgoutput", .letter = 'd', SWITCH(dlgoutput), .help = "write NAME.dlg"},
      {.name = "dlg2stdout", .letter = '2', SWITCH(dlg2stdout), .help = "write the DLG to standard output instead"},
      {.name = "rlige", SWITCH(rlige), .help = "print the energies of the reference or input ligand"},
      {.name = "gfpop", SWITCH(gfpop), .help = "not available"},
      {.name = "npdb", .kind = CLI_INT, .target = &s->npdb, .value = "N", .high = 2048, .help = "not available"},
      {.name = "gbest", SWITCH(gbest), .help = "write the best pose of all runs to best.pdbqt"},
      {.name = "clustering", SWITCH(clustering), .help = "accepted without effect: poses are always clustered"},
      {.name = "output-cluster-poses", TEXT(output_cluster_poses), .value = "N|all|auto",
       .help = "accepted without effect: all poses are written"},
      {.name = "hsym", SWITCH(hsym), .help = "RMSD of each atom to the nearest one of its type"},
      {.name = "rmstol", .kind = CLI_REAL, .target = &search->rmsd_tolerance, .value = "A", .high = 1e4,
       .open_low = true, .help = "clustering tolerance, Angstrom"},
      {.group = "Setup", .name = "devnum", .letter = 'D', TEXT(devnum), .value = "N|all|auto",
       .help = "GPUs, counted from 1; without any the processor is 1"},
      {.name = "loadxml", .letter = 'c', TEXT(loadxml), .value = "FILE", .help = "not available"},
      {.name = "seed", .letter = 's', TEXT(seed), .value = "N[,N[,N]]", .opt_default = "time, process id",
       .help = "seed of the random numbers"},
      {.name = "threads", .kind = CLI_INT, .target = &search->threads, .value = "N", .high = 65536,
       .opt_default = "all cores", .help = "threads (a flag of Berth's own)"},
      {.name = "device", TEXT(opt_device), .value = "NAME",
       .help = "device as `berth devices` names it, instead of --devnum (a flag of Berth's own)"},
      {.name = "isa", TEXT(opt_isa), .value = "NAME", .help = "vector instructions (a flag of Berth's own)"},
      {.group = "Search", .name = "heuristics", .letter = 'H', SWITCH(heuristics),
       .help = "evaluations from the number of torsions"},
      {.name = "heurmax", .letter = 'E', .kind = CLI_INT64, .target = &search->heuristics_max, .value = "N", .low = 1,
       .high = 1625000000, .help = "what the heuristics tend to"},
      {.name = "autostop", .letter = 'A', SWITCH(autostop), .help = "stop when converged"},
      {.name = "asfreq", .letter = 'a', .kind = CLI_INT, .target = &search->autostop_interval, .value = "N", .low = 1,
       .high = 100, .help = "generations between autostop tests"},
      {.name = "nrun", .letter = 'n', .kind = CLI_INT, .target = &search->runs, .value = "N", .low = 1, .high = 8192,
       .help = "LGA runs"},
      {.name = "nev", .letter = 'e', .kind = CLI_INT64, .target = &search->evaluations, .value = "N", .low = 1,
       .high = 2147483646, .opt_default = "2500000", .help = "evaluations per run; with heuristics a cap when given"},
      {.name = "ngen", .letter = 'g', .kind = CLI_INT64, .target = &search->generations, .value = "N", .low = 1,
       .high = 16249999, .help = "generations"},
      {.name = "lsmet", .letter = 'l', .kind = CLI_CHOICE, .target = &s->lsmet, .choices = "ad|sw|sd|fire|adam",
       .help = "local search; ad, sw and adam are available"},
      {.name = "lsit", .letter = 'i', .kind = CLI_INT, .target = &search->local_search_iterations, .value = "N",
       .low = 1, .high = 262143, .help = "steps of local search"},
      {.name = "psize", .letter = 'p', .kind = CLI_INT, .target = &search->population, .value = "N", .low = 2,
       .high = 2048, .help = "population"},
      {.name = "mrat", .kind = CLI_REAL, .target = &s->mrat, .value = "%", .high = 100, .open_high = true,
       .help = "mutation rate"},
      {.name = "crat", .kind = CLI_REAL, .target = &s->crat, .value = "%", .high = 100, .help = "crossover rate"},
      {.name = "lsrat", .kind = CLI_REAL, .target = &s->lsrat, .value = "%", .high = 100, .help = "local search rate"},
      {.name = "trat", .kind = CLI_REAL, .target = &s->trat, .value = "%", .high = 100, .help = "tournament rate"},
      {.name = "dmov", .kind = CLI_REAL, .target = &search->mutation_move, .value = "A", .high = 10, .open_low = true,
       .open_high = true, .help = "largest mutation of the position"},
      {.name = "dang", .kind = CLI_REAL, .target = &search->mutation_angle, .value = "DEG", .high = 180,
       .open_low = true, .open_high = true, .help = "largest mutation of an angle"},
      {.name = "rholb", .kind = CLI_REAL, .target = &search->sw_rho_limit, .value = "X", .high = 1, .open_high = true,
       .help = "Solis-Wets: lower bound of rho"},
      {.name = "lsmov", .kind = CLI_REAL, .target = &search->sw_move, .value = "A", .high = 37, .open_low = true,
       .open_high = true, .help = "Solis-Wets: spread of moves"},
      {.name = "lsang", .kind = CLI_REAL, .target = &search->sw_angle, .value = "DEG", .high = 103, .open_low = true,
       .open_high = true, .help = "Solis-Wets: spread of angles"},
      {.name = "cslim", .kind = CLI_INT, .target = &search->sw_limit, .value = "N", .low = 1, .high = 255,
       .help = "Solis-Wets: consecutive successes or failures"},
      {.name = "stopstd", .kind = CLI_REAL, .target = &search->autostop_tolerance, .value = "KCAL", .low = 0.01,
       .high = 2, .open_high = true, .help = "autostop: spread of energies, kcal/mol"},
      {.name = "initswgens", .kind = CLI_INT, .target = &s->initswgens, .value = "N", .high = 16250000,
       .help = "only 0 is available"},
      {.group = "Scoring", .name = "derivtype", .letter = 'T', TEXT(derivtype), .value = "LIST",
       .help = "not available"},
      {.name = "modpair", .letter = 'P', TEXT(modpair), .value = "LIST", .help = "not available"},
      {.name = "ubmod", .letter = 'u', .kind = CLI_INT, .target = &s->ubmod, .value = "0|1|2", .high = 2,
       .help = "unbound model; only 0 (bound) is available"},
      {.name = "smooth", .kind = CLI_REAL, .target = &s->smooth, .value = "A", .high = 0.5,
       .help = "smoothing of pair potentials; only 0.5 is available"},
      {.name = "elecmindist", .kind = CLI_REAL, .target = &s->elecmindist, .value = "A", .high = 2, .open_high = true,
       .opt_default = "0.5", .help = "least distance in electrostatics; only 0.5 is available"},
      {.name = "modqp", SWITCH(modqp), .help = "only 0 is available"},
  };
#undef TEXT
#undef SWITCH
  /* clang-format on */
  static_assert(CLI_COUNT(options) <= OPTION_ROOM, "room for all options");
  memcpy(to, options, sizeof options);
  return CLI_COUNT(options);
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

static bool refuse_unknown(const cli_spec *spec, const char *word) {
  const char *known[OPTION_ROOM], *nearest;
  for (int i = 0; i < spec->n_options; i++) known[i] = spec->options[i].name;
  nearest = cli_nearest(word + strspn(word, "-"), known, spec->n_options);
  if (nearest != NULL) return cli_refuse(spec->program, "unknown option %s; did you mean --%s?", word, nearest);
  return cli_refuse(spec->program, "unknown option %s; see %s --help", word, spec->program);
}

static bool parse_pairs(cli_spec *spec, int argc, const char *const *argv) {
  for (int i = 0; i < argc;) {
    const char *word = argv[i++];
    if (word[0] != '-' || word[1] == '\0')
      return cli_refuse(spec->program, "unexpected word '%s'; options come in pairs --flag value", word);
    cli_option *option = find(spec, word);
    if (option == NULL) return refuse_unknown(spec, word);
    if (i >= argc)
      return cli_refuse(spec->program, "--%s needs a value; give %s", option->name,
                        option->value != NULL ? option->value : option->choices);
    option->given++;
    if (option->kind != CLI_LIST) {
      if (!cli_option_set(spec, option, argv[i++])) return false;
      continue;
    }
    if (option->given > 1)
      return cli_refuse(spec->program, "--%s stands twice; give all its values at once", option->name);
    for (; i < argc && argv[i][0] != '-'; i++)
      if (!cli_option_set(spec, option, argv[i])) return false;
  }
  return true;
}

bool adgpu_settings_parse(adgpu_settings *settings, const char *program, int argc, const char *const *argv,
                          int *ret_exit_code) {
  cli_option options[OPTION_ROOM];
  cli_spec spec = {
      .program = program,
      .summary = "Berth with AutoDock-GPU's command line",
      .usage = "--ffile MAPS.fld --lfile LIGAND.pdbqt [--flag value]...",
      .options = options,
      .n_options = fill_options(settings, options),
      .opt_details =
          "Writes NAME.dlg and NAME.xml as AutoDock-GPU does. --name, -name and the letter are equivalent.\n"
          "Lines of a batch list file: a .fld holds for the ligands that follow, .pdbqt is a ligand, .pdbqt- are\n"
          "flexible residues, .pdbqt* is a reference ligand, anything else names the next result.\n"
          "A job that fails is reported and the others go on; the exit code is then 2, or 1 if none succeeded.",
      .opt_examples =
          "  berth-adgpu --ffile protein.maps.fld --lfile ligand.pdbqt --nrun 20\n"
          "  berth-adgpu -B ligands/*.pdbqt -M protein.maps.fld -N results/\n"
          "  berth-adgpu --filelist batch.txt --seed 42",
  };
  for (int i = 0; i < argc; i++) {
    if (strcmp(argv[i], "--help") != 0 && strcmp(argv[i], "-help") != 0 && strcmp(argv[i], "-h") != 0) continue;
    cli_print_help(&spec, stdout);
    *ret_exit_code = CLI_EXIT_OK;
    return false;
  }
  *ret_exit_code = CLI_EXIT_BAD;
  return parse_pairs(&spec, argc, argv);
}

/* Up to three numbers; the first alone is the seed itself. */
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
  s->contact_options.gpu_donors = true; /* what its readers know */
  if (s->contact_analysis == NULL || strcmp(s->contact_analysis, "0") == 0) return BT_OK;
  s->contacts = true;
  if (strcmp(s->contact_analysis, "1") == 0) return BT_OK;
  if (!cli_read_vector(s->contact_analysis, values) || values[0] < 0 || values[1] < 0 || values[2] < 0)
    return cli_fill_error(opt_error, BT_ERR_USAGE, NULL, "give 0, 1, or distances such as 2.1,3.7,4.0",
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
  if (s->initswgens != 0) return unavailable(opt_error, "--initswgens", "leave it out, or give --lsmet sw");
  if (s->elecmindist >= 0 && s->elecmindist != 0.5 && s->elecmindist != 0.01)
    return unavailable(opt_error, "--elecmindist other than 0.5", "leave it out");
  if (s->lsmet == ADGPU_LS_SD || s->lsmet == ADGPU_LS_FIRE)
    return unavailable(opt_error, "this --lsmet", "give --lsmet ad, sw or adam");
  if (s->seed != NULL && !read_seed(s->seed, &s->search.seed))
    return cli_fill_error(opt_error, BT_ERR_USAGE, NULL, "give up to three whole numbers, as 11,23",
                          "--seed: '%s' is not valid", s->seed);
  bt_status status = read_contacts(s, opt_error);
  if (status == BT_OK) status = cli_isa_check(s->opt_isa, opt_error);
  if (status == BT_OK) status = adgpu_device_choose(s, opt_error);
  if (status != BT_OK) return status;
  if (s->search.seed == 0) s->search.seed = ((uint64_t)time(NULL) ^ ((uint64_t)getpid() << 16)) & 0x7fffffff;
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
    cli_warning(program, "--elecmindist 0.01 has no effect: AutoDock 4's 0.5 Angstrom are used");
  if (s->clustering == 0) cli_warning(program, "--clustering 0 has no effect: poses are always clustered");
  if (s->output_cluster_poses != NULL && strcmp(s->output_cluster_poses, "0") != 0 &&
      strcmp(s->output_cluster_poses, "all") != 0)
    cli_warning(program, "--output-cluster-poses has no effect: all poses are written");
  if (s->devnum_ignored)
    cli_warning(program, "--devnum %s: there is only device 1, the processor; it is used", s->devnum);
}
