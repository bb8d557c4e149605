/* options.c - gnina's options and their defaults. */
#include <string.h>

#include "common/report.h"
#include "gnina/gnina.h"

static const char details[] =
    "A drop-in replacement for `gnina`: same options, same items in the output, same table. Poses come from Berth's\n"
    "search with Vina's function, in --exhaustiveness runs; the networks of gnina 1.0 score and rank them\n"
    "(`berth networks` installs them). smina's options are among these: with --cnn_scoring none no network is needed.\n"
    "--cnn takes names of networks, \"default\" or \"gnina\" (the five of gnina 1.0), \"fast\" (the three small ones),\n"
    "and NAME_ensemble for all whose names begin so. Networks do not refine poses.\n"
    "Ligands of all files are docked one after the other into --out, .sdf or .pdbqt, also .gz, with "
    "minimizedAffinity,\n"
    "CNNscore, CNNaffinity, CNN_VS and CNNaffinity_variance; those that cannot be docked are reported and skipped.\n"
    "A configuration file holds one `name = value` per line; options on the command line take precedence.\n"
    "Exit code: 0 success (even if some ligands were skipped), 1 any error.";

static const char examples[] =
    "  berth gnina -r rec.pdb -l lig.sdf --autobox_ligand lig.sdf -o docked.sdf.gz\n"
    "  berth gnina -r rec.pdb -l lig.sdf --autobox_ligand lig.sdf --cnn fast --exhaustiveness 16 -o docked.sdf\n"
    "  berth gnina -r rec.pdb -l poses.sdf --score_only\n"
    "  berth gnina -r rec.pdb -l poses.sdf --minimize -o minimized.sdf\n"
    "  berth gnina -r rec.pdb -l lig.sdf --autobox_ligand x.sdf --flexdist_ligand x.sdf --flexdist 3.59 -o out.sdf";

gnina_settings gnina_settings_default(void) {
  return (gnina_settings){.prepare = cli_prepare_default(),
                          .margin = 4.0,
                          .flex_distance = -1.0,
                          .flex_limit = -1,
                          .flex_most = -1,
                          .min_rmsd = 1.0,
                          .energy_range = bt_dock_options_default().energy_range,
                          .cnn_scoring = 1,
                          .exhaustiveness = 8,
                          .num_modes = 9,
                          .num_mc_saved = 9,
                          .search = bt_dock_options_default()};
}

void gnina_settings_free(gnina_settings *settings) {
  cli_list_free(&settings->ligand);
  cli_list_free(&settings->cnn);
  cli_list_free(&settings->models);
  bt_text_list_destroy(&settings->texts);
  bt_text_destroy(&settings->networks);
  cli_prepare_free(&settings->prepare);
}

/* --- the table ----------------------------------------------------------------------------------------- */

enum { MOST = 160 };

typedef struct table {
  cli_option options[MOST];
  int count;
} table;

static void add(table *to, const cli_option *options, int count) {
  memcpy(to->options + to->count, options, (size_t)count * sizeof *options);
  to->count += count;
}

/* clang-format off */
#define AXES(word, target, text)                                                              \
  {OPT_REAL(word "_x", 0, &(target)[0], "A", -9999, 9999, text ", x"), .opt_default = ""},    \
  {OPT_REAL(word "_y", 0, &(target)[1], "A", -9999, 9999, text ", y"), .opt_default = ""},    \
  {OPT_REAL(word "_z", 0, &(target)[2], "A", -9999, 9999, text ", z"), .opt_default = ""}

static void add_input(table *to, gnina_settings *s) {
  const cli_option options[] = {
      {.group = "Input", OPT_STRING("receptor", 'r', &s->receptor, "FILE",
       "receptor, .pdb, .cif or .pdbqt (also .gz, .bz2, .zst)")},
      {OPT_STRING("flex", 0, &s->prepare.opt_flex, "FILE", "flexible side chains, .pdbqt, or A:ARG8,A:ASP25")},
      {OPT_LIST("ligand", 'l', &s->ligand, "FILE",
       "ligands, .sdf, .mol2, .smi, .pdbqt (also .gz, .bz2, .zst); every molecule of every file")},
      {OPT_STRING("flexres", 0, &s->opt_flex_names, "RES,RES", "flexible side chains, as CHAIN:NUMBER")},
      {OPT_STRING("flexdist_ligand", 0, &s->opt_flex_around, "FILE", "ligand of --flexdist")},
      {OPT_REAL("flexdist", 0, &s->flex_distance, "A", 0, 100,
       "side chains with a heavy atom this close to that ligand are flexible, Angstrom"), .opt_default = ""},
      {OPT_INT("flex_limit", 0, &s->flex_limit, "N", 0, 10000, "refuse more flexible side chains"), .opt_default = ""},
      {OPT_INT("flex_max", 0, &s->flex_most, "N", 0, 10000,
       "at most the N closest flexible side chains"), .opt_default = ""},
  };
  add(to, CLI_TABLE(options));
}

static void add_space(table *to, gnina_settings *s) {
  const cli_option options[] = {
      {.group = "Search space", OPT_REAL("center_x", 0, &s->center[0], "A", -9999, 9999,
       "center of the box, Angstrom, x"), .opt_default = ""},
      {OPT_REAL("center_y", 0, &s->center[1], "A", -9999, 9999, "center of the box, Angstrom, y"), .opt_default = ""},
      {OPT_REAL("center_z", 0, &s->center[2], "A", -9999, 9999, "center of the box, Angstrom, z"), .opt_default = ""},
      AXES("size", s->size, "edge of the box, Angstrom"),
      {OPT_STRING("autobox_ligand", 0, &s->opt_autobox, "FILE",
       "box around the atoms of this file, or around a residue of the receptor")},
      {OPT_REAL("autobox_add", 0, &s->margin, "A", 0, 100, "its margin on every side, Angstrom")},
      {OPT_CHOICE("autobox_extend", 0, &s->extend, GNINA_BOOL,
       "enlarge it so that every ligand can rotate freely"), .value = "on|off"},
  };
  add(to, CLI_TABLE(options));
}

static void add_scoring(table *to, gnina_settings *s) {
  const cli_option options[] = {
      {.group = "Scoring and minimization", OPT_CHOICE("scoring", 0, &s->scoring_word, GNINA_SCORINGS,
       "scoring function of search and minimization; default is vina")},
      {OPT_FLAG("score_only", 0, &s->score_only, "score the poses of the ligand file as they are")},
      {OPT_FLAG("local_only", 0, &s->local_only, "the same as --minimize")},
      {OPT_FLAG("minimize", 0, &s->minimize, "minimize the poses of the ligand file")},
      {OPT_INT("minimize_iters", 0, &s->minimize_iterations, "N", 0, 1000000,
       "limit of the iterations of --minimize; 0: by the number of torsions")},
      {OPT_INT("num_mc_saved", 0, &s->num_mc_saved, "N", 1, 1000,
       "poses that networks score to choose --num_modes among them, if more")},
      {OPT_REAL("energy_range", 0, &s->energy_range, "KCAL", 0, 1e6,
       "maximum energy of a pose above the best, kcal/mol")},
  };
  add(to, CLI_TABLE(options));
}

static void add_networks(table *to, gnina_settings *s) {
  const cli_option options[] = {
      {.group = "Networks", OPT_LIST("cnn", 0, &s->cnn, "NAME", "networks, see below"), .opt_default = "default"},
      {OPT_LIST("cnn_model", 0, &s->models, "FILE", "networks from files, .pt or .btn, instead")},
      {OPT_CHOICE("cnn_scoring", 0, &s->cnn_scoring, GNINA_CNN_SCORINGS,
       "none: no networks; rescore: they score and rank docked poses; others are not available"),
       .value = "none|rescore"},
      {OPT_CHOICE("pose_sort_order", 0, &s->order, "CNNscore|CNNaffinity|Energy", "what ranks the poses of a ligand")},
  };
  add(to, CLI_TABLE(options));
}

static void add_output(table *to, gnina_settings *s) {
  const cli_option options[] = {
      {.group = "Output", OPT_STRING("out", 'o', &s->opt_out, "FILE",
       "poses of all ligands, .sdf or .pdbqt (also .gz)")},
      {OPT_STRING("out_flex", 0, &s->opt_out_flex, "FILE", "flexible side chains of the poses, .pdb, also .gz")},
      {OPT_STRING("log", 0, &s->opt_log, "FILE", "copy of standard output")},
      {OPT_FLAG("quiet", 'q', &s->quiet, "print no text but results of --score_only and --minimize")},
      {.group = "Misc", OPT_INT("cpu", 0, &s->cpu, "N", 0, 4096, "threads"), .opt_default = "all cores"},
      {OPT_INT64("seed", 0, &s->seed, "N", -9e15, 9e15, "random seed; repeats a docking; 0: chosen and printed")},
      {OPT_INT("exhaustiveness", 0, &s->exhaustiveness, "N", 1, 1000000, "independent runs of the search")},
      {OPT_INT("num_modes", 0, &s->num_modes, "N", 1, 1000, "maximum number of poses")},
      {OPT_REAL("min_rmsd_filter", 0, &s->min_rmsd, "A", 0, 1000, "minimum RMSD between poses, Angstrom")},
      {OPT_CHOICE("addH", 0, &s->add_hydrogens, GNINA_BOOL, "add hydrogens that ligands lack; always on"),
       .value = "on"},
      {OPT_STRING("device", 0, &s->device.opt_device, "N|NAME",
       "number of a GPU, from 0, or a device as of berth devices"), .opt_default = "the best"},
      {OPT_FLAG("no_gpu", 0, &s->no_gpu, "compute on the CPU")},
      {.group = "Configuration file", OPT_STRING("config", 0, &s->opt_config, "FILE", "options as name = value")},
      {.group = "Information", OPT_FLAG("help_hidden", 0, &s->help_hidden, "print this text")},
      {OPT_FLAG("version", 0, &s->version, "print the version")},
  };
  add(to, CLI_TABLE(options));
}
/* clang-format on */

/* Options that are known but not available, or without effect. */
static void add_others(table *to, const gnina_other *others, const char *group, const char **words, bool *flags) {
  for (int i = 0; others[i].name != NULL && to->count < MOST; i++) {
    cli_option option = {.name = others[i].name, .help = others[i].remedy, .opt_default = ""};
    if (i == 0) option.group = group;
    option.kind = others[i].value ? CLI_STRING : CLI_FLAG;
    option.value = others[i].value ? "X" : NULL;
    option.target = others[i].value ? (void *)&words[i] : (void *)&flags[i];
    to->options[to->count++] = option;
  }
}

bool gnina_settings_parse(gnina_settings *settings, const char *program, int argc, char **argv, int *ret_exit_code) {
  gnina_settings *s = settings;
  table all = {.count = 0};
  add_input(&all, s);
  add_space(&all, s);
  add_scoring(&all, s);
  add_networks(&all, s);
  add_output(&all, s);
  add_others(&all, gnina_ignored, "Accepted, no effect", s->ignored_words, s->ignored_flags);
  add_others(&all, gnina_refused, "Not available", s->refused_words, s->refused_flags);
  cli_spec spec = {program,
                   "docking with gnina's command line",
                   "-r FILE -l FILE --autobox_ligand FILE [-o FILE] [options]",
                   details,
                   examples,
                   all.options,
                   all.count,
                   NULL};
  if (!cli_parse(&spec, argc, argv, ret_exit_code)) return false;
  if (!s->help_hidden && !s->version) return gnina_resolve(&spec, s);
  if (s->help_hidden)
    cli_print_help(&spec, stdout);
  else
    printf("Berth %s (%s, with gnina 1.1's command line)\n", BT_VERSION, program);
  *ret_exit_code = CLI_EXIT_OK;
  return false;
}
