/* resolve.c - checks of gnina's options, and what they are in the library. */
#include <assert.h>
#include <berth/berth.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/config.h"
#include "common/effort.h"
#include "common/report.h"
#include "gnina/gnina.h"

static const char no_refinement[] = "networks do not refine poses here";

/* Results of Berth do not depend on these. */
const gnina_other gnina_ignored[] = {
    {"approximation", true, NULL, "approximation of the function: it is evaluated exactly"},
    {"factor", true, NULL, "fineness of that approximation"},
    {"force_cap", true, NULL, "limit of forces in the minimization"},
    {"accurate_line", false, NULL, "line search of the minimization"},
    {"simple_ascent", false, NULL, "kind of the minimization"},
    {"minimize_early_term", false, NULL, "early end of the minimization"},
    {"cnn_update_min_frame", true, NULL, no_refinement},
    {"cnn_freeze_receptor", false, NULL, no_refinement},
    {"cnn_mix_emp_force", false, NULL, no_refinement},
    {"cnn_mix_emp_energy", false, NULL, no_refinement},
    {"cnn_empirical_weight", true, NULL, no_refinement},
    {"cnn_verbose", false, NULL, "more text"},
    {"stripH", true, NULL, "hydrogens of the output; written poses keep them"},
    {0},
};

const gnina_other gnina_refused[] = {
    {"no_lig", false, NULL, "side chains move together with a ligand alone"},
    {"custom_scoring", true, NULL, "use --scoring vina, vinardo or ad4_scoring"},
    {"custom_atoms", true, NULL, "atom types are those of the scoring function"},
    {"randomize_only", false, NULL, "use `berth vina --randomize_only`"},
    {"num_mc_steps", true, NULL, "use --exhaustiveness; the search is no Monte Carlo chain"},
    {"max_mc_steps", true, NULL, "use --exhaustiveness; the search is no Monte Carlo chain"},
    {"temperature", true, NULL, "the search is no Monte Carlo chain"},
    {"user_grid", true, NULL, "the scoring function has no further grid"},
    {"user_grid_lambda", true, "-1", "the scoring function has no further grid"},
    {"print_terms", false, NULL, "--scoring names the functions"},
    {"print_atom_types", false, NULL, "use `berth prep ligand`, which shows the types of a ligand"},
    {"atom_terms", true, NULL, "use `berth score --per-atom`"},
    {"atom_term_data", false, NULL, "use `berth score --per-atom --json`"},
    {"full_flex_output", false, NULL, "use --out_flex for the side chains, and `berth report` for complexes"},
    {"cnn_weights", true, NULL, "use --cnn with a name, or --cnn_model with a .pt or .btn file"},
    {"cnn_rotation", true, "0", "use 0: poses are scored in one orientation"},
    {"cnn_center_x", true, NULL, "the grid of networks is centered on each pose"},
    {"cnn_center_y", true, NULL, "the grid of networks is centered on each pose"},
    {"cnn_center_z", true, NULL, "the grid of networks is centered on each pose"},
    {"cnn_outputdx", false, NULL, "grids of networks are not written"},
    {"cnn_outputxyz", false, NULL, "gradients of networks are not written"},
    {"cnn_xyzprefix", true, NULL, "gradients of networks are not written"},
    {"cnn_gradient_check", false, NULL, no_refinement},
    {"covalent_rec_atom", true, NULL, "use `berth dock --covalent`"},
    {"covalent_lig_atom_pattern", true, NULL, "use `berth dock --covalent --warhead`"},
    {"covalent_lig_atom_position", true, NULL, "use `berth dock --covalent`"},
    {"covalent_fix_lig_atom_position", false, NULL, "use `berth dock --covalent`"},
    {"covalent_bond_order", true, NULL, "use `berth dock --covalent`"},
    {"covalent_optimize_lig", false, NULL, "use `berth dock --covalent`"},
    {0},
};

static_assert(sizeof gnina_refused / sizeof gnina_refused[0] <= GNINA_REFUSED, "room for their words");
static_assert(sizeof gnina_ignored / sizeof gnina_ignored[0] <= GNINA_IGNORED, "room for their words");

static bool harmless(const gnina_other *option, const char *word) {
  double value, allowed;
  return option->opt_harmless != NULL && word != NULL && cli_read_real(word, &value) &&
         cli_read_real(option->opt_harmless, &allowed) && fabs(value - allowed) < 1e-9;
}

static bool check_refused(const cli_spec *spec, const gnina_settings *s) {
  static const char *const modes[] = {"refinement", "metrorescore", "metrorefine", "all"};
  for (int i = 0; gnina_refused[i].name != NULL; i++) {
    const gnina_other *option = &gnina_refused[i];
    if (cli_given(spec, option->name) && !harmless(option, s->refused_words[i]))
      return cli_refuse(spec->program, "--%s is not available: %s%s", option->name, option->remedy,
                        strncmp(option->remedy, "use ", 4) == 0 ? "" : "; leave it out");
  }
  if (s->cnn_scoring > 1)
    return cli_refuse(spec->program, "--cnn_scoring %s is not available: %s; use rescore, or none",
                      modes[s->cnn_scoring - 2], no_refinement);
  if (s->add_hydrogens % 2 == 1)
    return cli_refuse(spec->program,
                      "--addH off is not available; leave it out, as hydrogens decide what forms hydrogen bonds");
  return true;
}

static void warn_ignored(const cli_spec *spec) {
  char text[512] = "";
  for (int i = 0; gnina_ignored[i].name != NULL; i++) {
    if (!cli_given(spec, gnina_ignored[i].name)) continue;
    size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, "%s--%s", used > 0 ? ", " : "", gnina_ignored[i].name);
  }
  if (text[0] != '\0') cli_warning(spec->program, "no effect in Berth: %s", text);
}

/* --- networks ------------------------------------------------------------------------------------------ */

typedef struct family {
  const char *prefix;
  size_t size;
  bt_text *names;
  int found;
} family;

static void add_name(bt_text *names, const char *name) {
  if (names->size > 0) bt_text_add_char(names, ',');
  bt_text_add_string(names, name);
}

/* bt_network_fn: NAME itself, and NAME_1, NAME_2, ... */
static void add_member(void *user, const bt_network *network, const bt_error *opt_trouble) {
  family *of = user;
  if (opt_trouble != NULL || strncmp(network->name, of->prefix, of->size) != 0) return;
  const char *rest = network->name + of->size;
  if (*rest != '\0' && !(rest[0] == '_' && isdigit((unsigned char)rest[1]))) return;
  add_name(of->names, network->name);
  of->found++;
}

static bool add_network(const cli_spec *spec, bt_text *names, const char *word) {
  static const char ending[] = "_ensemble";
  size_t size = strlen(word), tail = sizeof ending - 1;
  if (strcmp(word, "default") == 0 || strcmp(word, "default1.0") == 0) return add_name(names, "gnina"), true;
  if (size <= tail || strcmp(word + size - tail, ending) != 0) return add_name(names, word), true;
  family of = {.prefix = word, .size = size - tail, .names = names};
  bt_error error;
  if (bt_networks_list(add_member, &of, &error) != BT_OK) return cli_fail(spec->program, &error), false;
  return of.found > 0 ||
         cli_refuse(spec->program, "no network whose name begins with '%.*s' is installed; see berth networks",
                    (int)of.size, word);
}

static bool find_networks(const cli_spec *spec, gnina_settings *s) {
  bool models = s->models.count > 0;
  if (models && cli_given(spec, "cnn"))
    return cli_refuse(spec->program, "both --cnn and --cnn_model are given; remove one of them");
  for (int i = 0; i < s->models.count; i++) add_name(&s->networks, s->models.items[i]);
  for (int i = 0; i < s->cnn.count; i++)
    if (!add_network(spec, &s->networks, s->cnn.items[i])) return false;
  if (s->networks.size == 0) add_name(&s->networks, "gnina");
  return !s->networks.failed || cli_refuse(spec->program, "out of memory");
}

/* --- the rest ------------------------------------------------------------------------------------------ */

static bool check_combinations(const cli_spec *spec, const gnina_settings *s) {
  bool sized = s->size[0] > 0 && s->size[1] > 0 && s->size[2] > 0;
  bool around = s->opt_flex_around != NULL;
  const struct {
    bool wrong;
    const char *message;
  } faults[] = {
      {s->score_only && s->minimize, "use one of --score_only and --minimize"},
      {s->ligand.count == 0, "no ligand; use -l FILE"},
      {around != (s->flex_distance >= 0), "--flexdist and --flexdist_ligand need each other; give both"},
      {s->prepare.opt_flex != NULL && (around || s->opt_flex_names != NULL),
       "--flex names the side chains; remove --flexres and --flexdist"},
      {sized && s->opt_autobox != NULL, "both --size_x and --autobox_ligand are given; remove one of them"},
      {!s->given && !sized && s->opt_autobox == NULL,
       "no box; use --autobox_ligand FILE, or --center_x to --center_z and --size_x to --size_z, all sizes above 0"},
      {s->opt_out_flex != NULL && s->prepare.opt_flex == NULL && !around && s->opt_flex_names == NULL,
       "--out_flex needs flexible side chains; use --flexres or --flexdist"},
  };
  for (int i = 0; i < CLI_COUNT(faults); i++)
    if (faults[i].wrong) return cli_refuse(spec->program, "%s", faults[i].message);
  return cli_receptor_check(spec->program, s->receptor, false);
}

/* "N" of --device is the Nth of the GPUs of the best kind; without any, gnina computes on the CPU. */
static bool choose_device(const cli_spec *spec, gnina_settings *s) {
  const char *word = s->device.opt_device;
  static char name[sizeof((bt_device_info *)NULL)->name];
  size_t kind = 0;
  if (s->no_gpu && word != NULL && cli_given(spec, "device") && !isdigit((unsigned char)word[0]))
    return cli_refuse(spec->program, "both --device and --no_gpu are given; remove one of them");
  if (s->no_gpu) return s->device.opt_device = "cpu", true;
  if (word == NULL || strspn(word, "0123456789") != strlen(word)) return true;
  int wanted = atoi(word), seen = 0;
  for (int i = 0; i < bt_device_count(); i++) {
    bt_device_info device = bt_device(i);
    if (!device.accelerator || !device.usable) continue;
    if (seen == 0) kind = strcspn(device.name, ":");
    if (seen > 0 && strncmp(device.name, name, kind + 1) != 0) continue;
    memcpy(name, device.name, sizeof name);
    if (seen++ == wanted) return s->device.opt_device = name, true;
  }
  s->device.opt_device = NULL;
  if (seen == 0) cli_warning(spec->program, "no GPU can be used: computing on the CPU");
  return seen == 0 || cli_refuse(spec->program, "there is no GPU number %d; see berth devices", wanted);
}

static bool resolve_search(const cli_spec *spec, gnina_settings *s) {
  bt_dock_options *search = &s->search;
  bt_error error;
  int pool = s->judged && s->num_mc_saved > s->num_modes ? s->num_mc_saved : s->num_modes;
  search->heuristics_runs = search->runs; /* the evaluations of a run are independent of the number of runs */
  search->runs = s->exhaustiveness;
  search->energy_range = s->energy_range;
  if (s->minimize_iterations > 0 && s->given) search->local_search_iterations = s->minimize_iterations;
  const cli_vina_effort effort = {.modes = pool, .threads = s->cpu, .min_rmsd = s->min_rmsd, .seed = &s->seed};
  cli_vina_effort_apply(&effort, search);
  if (!choose_device(spec, s)) return false;
  if (cli_device_resolve(&s->device, search, &error) != BT_OK) return cli_fail(spec->program, &error), false;
  cli_cache_warn(spec->program, search->opt_device);
  return true;
}

bool gnina_resolve(const cli_spec *spec, gnina_settings *s) {
  static const bt_scoring functions[] = {BT_SCORING_VINA, BT_SCORING_VINA, BT_SCORING_VINARDO, BT_SCORING_AD4};
  if (s->opt_config != NULL && !cli_config_read(spec, s->opt_config, "config", &s->texts)) return false;
  s->minimize = s->minimize || s->local_only;
  s->given = s->score_only || s->minimize;
  s->judged = s->cnn_scoring != 0;
  s->scoring = functions[s->scoring_word];
  if (!s->judged && cli_given(spec, "pose_sort_order") && s->order != GNINA_BY_ENERGY)
    return cli_refuse(spec->program, "--pose_sort_order %s needs networks; remove --cnn_scoring none",
                      s->order == GNINA_BY_SCORE ? "CNNscore" : "CNNaffinity");
  if (!s->judged) s->order = GNINA_BY_ENERGY;
  if (!check_refused(spec, s) || !check_combinations(spec, s)) return false;
  if (s->judged && !find_networks(spec, s)) return false;
  cli_prepare_resolve(&s->prepare);
  s->prepare.ligands.as_docked = s->given;
  if (!resolve_search(spec, s)) return false;
  warn_ignored(spec);
  return true;
}
