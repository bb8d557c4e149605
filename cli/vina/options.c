/* options.c - Vina's and Uni-Dock's options, their defaults, and their translation to the library's options. */
#include <math.h>
#include <string.h>

#include "common/config.h"
#include "common/report.h"
#include "common/effort.h"
#include "vina/vina.h"

/* clang-format off */
/* Weights are part of the scoring functions here; only their default values are accepted. */
static const struct {
  const char *name;
  double value;
} weights[VINA_WEIGHTS] = {
    {"weight_gauss1", -0.035579}, {"weight_gauss2", -0.005156}, {"weight_repulsion", 0.840245},
    {"weight_hydrophobic", -0.035069}, {"weight_hydrogen", -0.587439}, {"weight_rot", 0.05846},
    {"weight_vinardo_gauss1", -0.045}, {"weight_vinardo_repulsion", 0.8}, {"weight_vinardo_hydrophobic", -0.035},
    {"weight_vinardo_hydrogen", -0.6}, {"weight_vinardo_rot", 0.05846}, {"weight_ad4_vdw", 0.1662},
    {"weight_ad4_hb", 0.1209}, {"weight_ad4_elec", 0.1406}, {"weight_ad4_dsolv", 0.1322}, {"weight_ad4_rot", 0.2983},
    {"weight_glue", 50.0},
};
/* clang-format on */

/* Three of Uni-Dock, and those of Vina-GPU. */
static const char *const ignored[VINA_IGNORED] = {"max_step",     "refine_step", "max_gpu_memory",    "thread",
                                                  "search_depth", "rilc_bfgs",   "opencl_binary_path"};

static const char details[] =
    "A drop-in replacement for `vina`: same options, same files, same table. Poses come from --exhaustiveness runs of\n"
    "Berth's search, refined on the receptor's atoms; devices are chosen as in berth dock.\n"
    "A configuration file holds one `name = value` per line; options on the command line take precedence.\n"
    "--batch, --gpu_batch, --ligand_index and --ligand_directory dock one ligand after the other into --dir; those that\n"
    "cannot be docked are reported and skipped. Several --ligand are docked simultaneously, including the energy\n"
    "between them, into --out: a pose is one MODEL with all of them.\n"
    "--search_mode is `berth dock --effort`: fast screen, balance normal (default of --gpu_batch), detail thorough.\n"
    "Boxes have an even number of grid cells, as with --force_even_voxels.\n"
    "--rescore, --cnn and --rank-by are those of `berth dock`: they re-rank the modes, and the scores follow Vina's\n"
    "columns of the table and stand in REMARK BERTH lines of the poses. Without --rescore nothing is re-ranked.\n"
    "Exit code: 0 success (even if some ligands of a batch were skipped), 1 any error.";

static const char examples[] =
    "  berth vina --receptor protein.pdbqt --ligand ligand.pdbqt --center_x 15 --center_y 53 --center_z 17 \\\n"
    "    --size_x 20 --size_y 20 --size_z 20 --exhaustiveness 32 --out poses.pdbqt\n"
    "  berth vina --config box.txt --receptor protein.pdbqt --batch ligands/*.pdbqt --dir docked\n"
    "  berth vina --config vina-gpu.txt                         # a configuration file of Vina-GPU\n"
    "  berth vina --config box.txt --receptor protein.pdbqt --ligand ligand.pdbqt --rescore cnn\n"
    "  berth vina --config box.txt --receptor protein.pdbqt --ligand first.pdbqt second.pdbqt --out both.pdbqt\n"
    "  berth vina --receptor protein.pdbqt --ligand pose.pdbqt --score_only --autobox\n"
    "  berth vina --maps protein --ligand ligand.pdbqt --scoring ad4";

vina_settings vina_settings_default(void) {
  vina_settings s = {.prepare = cli_prepare_default(),
                     .protocol = cli_protocol_default(),
                     .spacing = 0.375,
                     .scoring = BT_SCORING_VINA,
                     .min_rmsd = 1.0,
                     .energy_range = 3.0,
                     .exhaustiveness = 8,
                     .num_modes = 9,
                     .verbosity = 1,
                     .search = bt_dock_options_default()};
  for (int i = 0; i < VINA_WEIGHTS; i++) s.weights[i] = weights[i].value;
  return s;
}

void vina_settings_free(vina_settings *settings) {
  cli_list_free(&settings->ligand);
  cli_list_free(&settings->batch);
  cli_list_free(&settings->gpu_batch);
  bt_text_list_destroy(&settings->texts);
  cli_prepare_free(&settings->prepare);
}

/* --- combinations -------------------------------------------------------------------------------------- */

/* Some modes can do with a box around the input pose. */
static bool has_box(vina_settings *s) {
  bool some = false, sized = s->size[0] > 0 && s->size[1] > 0 && s->size[2] > 0;
  for (int k = 0; k < 3; k++) some = some || s->size[k] != 0 || s->center[k] != 0;
  s->autobox = s->autobox || (!some && (s->score_only || s->local_only));
  return s->autobox || sized;
}

static bool check_files(const cli_spec *spec, vina_settings *s) {
  const char *index = s->opt_ligand_index, *folder = s->opt_ligand_directory;
  if (folder != NULL && !cli_list_add(&s->gpu_batch, folder)) return cli_refuse(spec->program, "out of memory");
  if (s->opt_dir == NULL) s->opt_dir = s->opt_output_directory;
  if (index != NULL && !cli_words_read(spec->program, index, &s->texts, &s->gpu_batch)) return false;
  for (int i = 0; i < s->gpu_batch.count; i++)
    if (!cli_list_add(&s->batch, s->gpu_batch.items[i])) return cli_refuse(spec->program, "out of memory");
  s->many = s->batch.count > 0;
  s->given = s->score_only || s->local_only;
  s->prepare.ligands.as_docked = s->prepare.ligands.together = s->given;
  s->together = s->ligand.count > 1;
  bool receptor = s->receptor != NULL, maps = s->opt_maps != NULL;
  const struct {
    bool wrong;
    const char *message;
  } faults[] = {
      {s->score_only + s->local_only + s->randomize_only > 1,
       "use one of --score_only, --local_only and --randomize_only"},
      {s->ligand.count == 0 && !s->many, "no ligand; use --ligand FILE or --batch FILE..."},
      {s->ligand.count > 0 && s->many, "both --ligand and --batch are given; remove one of them"},
      {s->together && !s->score_only && s->opt_out == NULL,
       "several ligands docked simultaneously need an output name; use --out FILE, or dock them one after the "
       "other with --batch"},
      {s->many && !s->score_only && s->opt_dir == NULL, "a batch needs a folder; use --dir FOLDER"},
      {receptor && maps, "both --receptor and --maps are given; remove one of them"},
      {s->scoring == BT_SCORING_AD4 && !maps,
       "--scoring ad4 needs maps; use --maps PREFIX of maps from `berth grid` or autogrid4"},
      {!receptor && !maps, "no receptor; use --receptor FILE"},
      {s->opt_write_maps != NULL && maps, "--write_maps needs --receptor, not --maps; remove --write_maps"},
      {!maps && !has_box(s),
       "no box; use --center_x to --center_z and --size_x to --size_z, all sizes "
       "above 0, or --autobox"},
  };
  for (int i = 0; i < CLI_COUNT(faults); i++)
    if (faults[i].wrong) return cli_refuse(spec->program, "%s", faults[i].message);
  return true;
}

static bool check_weights(const cli_spec *spec, const vina_settings *s) {
  for (int i = 0; i < VINA_WEIGHTS; i++)
    if (fabs(s->weights[i] - weights[i].value) > 1e-9)
      return cli_refuse(spec->program, "--%s %g is not available; leave it out, or use the default, %g",
                        weights[i].name, s->weights[i], weights[i].value);
  return true;
}

static void warn(const cli_spec *spec) {
  char text[256] = "";
  for (int i = 0; i < VINA_IGNORED; i++) {
    if (!cli_given(spec, ignored[i])) continue;
    size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, "%s--%s", used > 0 ? ", " : "", ignored[i]);
  }
  if (text[0] != '\0') cli_warning(spec->program, "no effect in Berth: %s", text);
}

static void resolve_search(const cli_spec *spec, vina_settings *s) {
  bt_dock_options *search = &s->search;
  bool gpu = s->gpu_batch.count > 0 && !cli_given(spec, "exhaustiveness");
  int mode = s->mode != VINA_MODE_NONE ? s->mode : gpu ? VINA_MODE_BALANCE : VINA_MODE_NONE;
  search->heuristics_runs = search->runs; /* the evaluations of a run are independent of the number of runs */
  if (mode != VINA_MODE_NONE)
    cli_effort_apply(spec, BT_EFFORT_SCREEN + mode - VINA_MODE_FAST, BT_CHOSEN_LIMIT, search);
  else
    search->runs = s->exhaustiveness;
  s->exhaustiveness = search->runs;
  const cli_vina_effort effort = {
      .modes = s->num_modes, .threads = s->cpu, .evaluations = s->max_evals, .min_rmsd = s->min_rmsd, .seed = &s->seed};
  cli_vina_effort_apply(&effort, search);
}

/* Re-scorers judge what a search has found, of one ligand, by the receptor's atoms. */
static bool check_rescorers(const cli_spec *spec, vina_settings *s) {
  s->protocol.scoring = s->scoring;
  if (!cli_rescore_check(spec, s->opt_maps != NULL ? "maps.fld" : s->receptor, &s->protocol)) return false;
  if (s->protocol.opt_rescore == NULL) return true;
  const char *given = s->score_only     ? "--score_only"
                    : s->local_only     ? "--local_only"
                    : s->randomize_only ? "--randomize_only"
                                        : NULL;
  if (given != NULL) return cli_refuse(spec->program, "--rescore re-ranks poses of a search; remove it or %s", given);
  return !s->together || cli_refuse(spec->program,
                                    "--rescore does not support ligands docked simultaneously; dock them one after the "
                                    "other with --batch, or remove --rescore");
}

static bool resolve(const cli_spec *spec, vina_settings *s) {
  if (s->opt_config != NULL && !cli_config_read(spec, s->opt_config, "config", &s->texts)) return false;
  if (!check_files(spec, s) || !check_weights(spec, s) || !check_rescorers(spec, s)) return false;
  cli_prepare_resolve(&s->prepare);
  for (int k = 0; k < 3 && !s->autobox; k++)
    s->prepare.receptor.box_center[k] = s->center[k], s->prepare.receptor.box_size[k] = s->size[k];
  resolve_search(spec, s);
  bt_error error;
  if (cli_device_resolve(&s->device, &s->search, &error) != BT_OK) return cli_fail(spec->program, &error), false;
  cli_cache_warn(spec->program, s->search.opt_device);
  warn(spec);
  return true;
}

/* --- the table ----------------------------------------------------------------------------------------- */

bool vina_settings_parse(vina_settings *settings, const char *program, int argc, char **argv, int *ret_exit_code) {
  vina_settings *s = settings;
  /* clang-format off */
#define AXES(word, target, text)                                                              \
  {OPT_REAL(word "_x", 0, &(target)[0], "A", -9999, 9999, text ", x"), .opt_default = ""},    \
  {OPT_REAL(word "_y", 0, &(target)[1], "A", -9999, 9999, text ", y"), .opt_default = ""},    \
  {OPT_REAL(word "_z", 0, &(target)[2], "A", -9999, 9999, text ", z"), .opt_default = ""}
#define IGNORED(i) {OPT_STRING(ignored[i], 0, &s->ignored[i], "X", "accepted, no effect")}
  cli_option options[] = {
      {.group = "Input", OPT_STRING("receptor", 0, &s->receptor, "FILE",
       "rigid part of the receptor, .pdbqt (also .pdb and .cif)")},
      {OPT_STRING("flex", 0, &s->prepare.opt_flex, "FILE", "flexible side chains, .pdbqt")},
      {OPT_LIST("ligand", 0, &s->ligand, "FILE",
       "ligand, .pdbqt (also .sdf, .mol2, .smi); several are docked simultaneously")},
      {OPT_LIST("batch", 0, &s->batch, "FILE", "many ligands, docked one after the other")},
      {OPT_CHOICE("scoring", 0, &s->scoring, bt_scoring_choices(), "scoring function")},
      {.group = "Search space", OPT_STRING("maps", 0, &s->opt_maps, "PREFIX",
       "affinity maps PREFIX.*.map instead of a receptor; required for ad4")},
      AXES("center", s->center, "center of the box, Angstrom"),
      AXES("size", s->size, "edge of the box, Angstrom"),
      {OPT_FLAG("autobox", 0, &s->autobox, "box around the ligands, with a margin of 4 Angstrom")},
      {.group = "Output", OPT_STRING("out", 0, &s->opt_out, "FILE", "poses"), .opt_default = "LIGAND_out.pdbqt"},
      {OPT_STRING("dir", 0, &s->opt_dir, "FOLDER", "folder for the poses of a batch; created if absent")},
      {OPT_STRING("write_maps", 0, &s->opt_write_maps, "PREFIX", "write the maps as PREFIX.maps.fld and PREFIX.*.map")},
      {.group = "Misc", OPT_INT("cpu", 0, &s->cpu, "N", 0, 4096, "threads; 0: all cores")},
      {OPT_INT64("seed", 0, &s->seed, "N", -9e15, 9e15, "random seed; repeats a docking; 0: chosen and printed")},
      {OPT_INT("exhaustiveness", 0, &s->exhaustiveness, "N", 1, 1000000, "independent runs of the search")},
      {OPT_INT64("max_evals", 0, &s->max_evals, "N", 0, 9e15,
       "evaluations per run; 0: by the number of torsions")},
      {OPT_INT("num_modes", 0, &s->num_modes, "N", 1, 1000000, "maximum number of binding modes")},
      {OPT_REAL("min_rmsd", 0, &s->min_rmsd, "A", 0, 1000, "minimum RMSD between modes, Angstrom")},
      {OPT_REAL("energy_range", 0, &s->energy_range, "KCAL", 0, 1e6,
       "maximum energy above the best mode, kcal/mol")},
      {OPT_REAL("spacing", 0, &s->spacing, "A", 0.05, 1, "grid spacing, Angstrom")},
      {OPT_INT("verbosity", 0, &s->verbosity, "0|1|2", 0, 2, "0: results only, 1: normal, 2: more digits")},
      CLI_RESCORE_OPTIONS("Re-ranking", s->protocol),
      {.group = "Configuration file", OPT_STRING("config", 0, &s->opt_config, "FILE", "options as name = value")},
      {.group = "Advanced", OPT_FLAG("score_only", 0, &s->score_only, "energies of the input pose")},
      {OPT_FLAG("local_only", 0, &s->local_only, "minimize the input pose")},
      {OPT_FLAG("randomize_only", 0, &s->randomize_only, "a random pose that does not clash with itself")},
      {OPT_FLAG("no_refine", 0, &s->no_refine, "all energies from the maps, not from sums over the receptor's atoms")},
      {OPT_FLAG("force_even_voxels", 0, &s->force_even_voxels, "accepted, no effect: voxels are always even")},
      {.group = "Uni-Dock", OPT_LIST("gpu_batch", 0, &s->gpu_batch, "FILE", "as --batch, with --search_mode balance")},
      {OPT_STRING("ligand_index", 0, &s->opt_ligand_index, "FILE", "a text file with the ligands of --gpu_batch")},
      {OPT_CHOICE("search_mode", 0, &s->mode, "|fast|balance|detail", "effort, instead of --exhaustiveness"),
       .value = "fast|balance|detail"},
      IGNORED(0),
      IGNORED(1),
      IGNORED(2),
      {.group = "Vina-GPU", OPT_STRING("ligand_directory", 0, &s->opt_ligand_directory, "FOLDER",
       "its ligands, as --gpu_batch")},
      {OPT_STRING("output_directory", 0, &s->opt_output_directory, "FOLDER", "as --dir")},
      IGNORED(3),
      IGNORED(4),
      IGNORED(5),
      IGNORED(6),
      CLI_DEVICE_OPTIONS(s->device),
      {.group = "Information", OPT_FLAG("help_advanced", 0, &s->help_advanced, "print this text")},
      {OPT_FLAG("version", 0, &s->version, "print the version")},
#define WEIGHT(i) {OPT_REAL(weights[i].name, 0, &s->weights[i], "W", 0, 0, "only this value is available")}
      {.group = "Weights", OPT_REAL(weights[0].name, 0, &s->weights[0], "W", 0, 0, "only this value is available")},
      WEIGHT(1), WEIGHT(2), WEIGHT(3), WEIGHT(4), WEIGHT(5), WEIGHT(6), WEIGHT(7), WEIGHT(8), WEIGHT(9), WEIGHT(10),
      WEIGHT(11), WEIGHT(12), WEIGHT(13), WEIGHT(14), WEIGHT(15), WEIGHT(16),
  };
  /* clang-format on */
#undef WEIGHT
#undef AXES
#undef IGNORED
  cli_spec spec = {program,
                   "docking with AutoDock Vina's command line",
                   "--receptor FILE --ligand FILE --center_x X ... --size_z Z [options]",
                   details,
                   examples,
                   CLI_TABLE(options),
                   NULL};
  if (!cli_parse(&spec, argc, argv, ret_exit_code)) return false;
  if (!s->help_advanced && !s->version) return resolve(&spec, s);
  if (s->help_advanced)
    cli_print_help(&spec, stdout);
  else
    printf("Berth %s (%s, with AutoDock Vina 1.2's command line)\n", BT_VERSION, program);
  *ret_exit_code = CLI_EXIT_OK;
  return false;
}
