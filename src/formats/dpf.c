/* dpf.c - reads AutoDock 4's docking parameter file: files, search parameters, one job per ga_run. */
#include "formats/dpf.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "formats/keywords.h"

/* The numbers that a .dpf can set; the table below says how each is read. */
typedef enum dpf_parameter {
  DPF_RUNS,
  DPF_POPULATION,
  DPF_GENERATIONS,
  DPF_EVALUATIONS,
  DPF_MUTATION_RATE,
  DPF_CROSSOVER_RATE,
  DPF_ELITISM,
  DPF_LOCAL_SEARCH_ITERATIONS,
  DPF_SW_LIMIT,
  DPF_SW_RHO_LIMIT,
  DPF_RMSD_TOLERANCE,
  DPF_SEED,
  DPF_SELECTION,
  DPF_PARAMETER_COUNT
} dpf_parameter;

typedef struct dpf_value {
  bool given;
  int64_t integer;
  double real;
} dpf_value;

/* Everything read so far; a copy of it is a job. */
typedef struct dpf_state {
  char *fld, *ligand, *flexible;
  dpf_value values[DPF_PARAMETER_COUNT];
  int n_words; /* of bt_dpf.words */
} dpf_state;

struct bt_dpf {
  int n_jobs;
  dpf_state *jobs;
  bt_text_list words; /* of "# --option value", in file order */
  bt_text_list warnings;
};

typedef struct dpf_parser {
  bt_dpf *dpf;
  const char *label;
  dpf_state state;
  size_t job_room;
  bt_text_list types; /* ligand_types */
  int n_maps;         /* map lines since */
  bool warned_start;  /* of tran0, quaternion0 or dihe0 */
  bt_error *opt_error;
} dpf_parser;

/* ------------------------------------------------------------------------------------------------- numbers -- */

static const struct {
  const char *keyword;
  dpf_parameter parameter;
  bool real;
  double low, high;
} number_table[] = {
    {"runs", DPF_RUNS, false, 1, 1e6},
    {"ga_run", DPF_RUNS, false, 1, 1e6},
    {"gals_run", DPF_RUNS, false, 1, 1e6},
    {"ga_pop_size", DPF_POPULATION, false, 2, 1e6},
    {"ga_num_generations", DPF_GENERATIONS, false, 1, 1e15},
    {"ga_num_evals", DPF_EVALUATIONS, false, 1, 1e15},
    {"ga_mutation_rate", DPF_MUTATION_RATE, true, 0, 1},
    {"ga_crossover_rate", DPF_CROSSOVER_RATE, true, 0, 1},
    {"ga_elitism", DPF_ELITISM, false, 0, 1e6},
    {"sw_max_its", DPF_LOCAL_SEARCH_ITERATIONS, false, 1, 1e9},
    {"sw_max_succ", DPF_SW_LIMIT, false, 1, 1 << 20},
    {"sw_max_fail", DPF_SW_LIMIT, false, 1, 1 << 20},
    {"sw_lb_rho", DPF_SW_RHO_LIMIT, true, 0, 1},
    {"rmstol", DPF_RMSD_TOLERANCE, true, 1e-3, 1e3},
};

/* Steer AutoDock's output, memory, simulated annealing or terms that do not exist here. */
static const char silent_keywords[] =
    "autodock_parameter_version about ndihe torsdof outlev extnrg e0max set_ga set_sw1 set_psw1 analysis "
    "ga_window_size ga_cauchy_alpha ga_cauchy_beta sw_rho ls_search_freq output_pop_file elecmap desolvmap "
    "dsolvmap tstep qstep dstep rt0 rtrf trnrf quarf dihrf linear_schedule schedule_linear "
    "geometric_schedule schedule_geometric cycles accs rejs select trjfrq trjbeg trjend trjout trjsel "
    "write_all write_all_cluster_members watch charmap psw_trans_scale psw_rot_scale psw_tors_scale quiet "
    "output_resnum_as";

/* Would have changed the result: skipped with a warning. */
static const struct {
  const char *keyword, *what;
} warned_keywords[] = {
    {"parameter_file", "Berth scores with its built-in AutoDock 4.2 parameters"},
    {"parameter_library", "Berth scores with its built-in AutoDock 4.2 parameters"},
    {"intnbp_r_eps", "pairs keep their standard law"},
    {"intnbp_coeffs", "pairs keep their standard law"},
    {"include_1_4_interactions", "1-4 pairs are left out, as by default"},
    {"unbound_energy", "the unbound state equals the bound one"},
    {"unbound_intnbp_coeffs", "the unbound state equals the bound one"},
    {"compute_unbound_extended", "the unbound state equals the bound one"},
    {"rmsref", "give the reference with --reference"},
    {"rmsmode", "symmetry of the molecule's graph is respected instead"},
    {"rmsnosym", "symmetry of the molecule's graph is respected instead"},
    {"cluster", "poses are clustered after docking only"},
    {"ga_linear_ranking_selection", "give --selection"},
    {"epdb", "use berth score for the energy of the input pose"},
    {"simanneal", "only ga_run is carried out"},
    {"ga_only_run", "only ga_run is carried out"},
    {"do_global_only", "only ga_run is carried out"},
    {"do_local_only", "use berth score --minimize for a local search"},
    {"do_pso", "only ga_run is carried out"},
    {"pso_c1", "only ga_run is carried out"},
    {"pso_c2", "only ga_run is carried out"},
    {"pso_k", "only ga_run is carried out"},
    {"pso_w_start", "only ga_run is carried out"},
    {"pso_w_end", "only ga_run is carried out"},
    {"investigate", "only ga_run is carried out"},
    {"torsion", "torsions come from the ligand"},
    {"gausstorcon", "torsions are not restrained"},
    {"hardtorcon", "torsions are not restrained"},
    {"barrier", "torsions are not restrained"},
    {"showtorpen", "torsions are not restrained"},
    {"covalentmap", "use flexible residues for a bound ligand"},
};

static bt_status warn(dpf_parser *p, const bt_keyword_line *line, const char *what) {
  return bt_text_list_printf(&p->dpf->warnings, p->opt_error, "line %ld: %.*s is skipped: %s", line->where.line,
                             (int)line->keyword.size, line->keyword.text, what);
}

/* ---------------------------------------------------------------------------------------------------- jobs -- */

static void state_clear(dpf_state *state) {
  free(state->fld);
  free(state->ligand);
  free(state->flexible);
  *state = (dpf_state){0};
}

static bool copy_name(const char *from, char **to) {
  *to = from != NULL ? bt_copy_text(from, strlen(from)) : NULL;
  return from == NULL || *to != NULL;
}

static bt_status add_job(dpf_parser *p) {
  bt_dpf *dpf = p->dpf;
  if (!BT_GROW(dpf->jobs, &p->job_room, dpf->n_jobs + 1)) return bt_fail_memory(p->opt_error);
  dpf_state *job = &dpf->jobs[dpf->n_jobs++];
  *job = p->state;
  job->n_words = dpf->words.count;
  job->fld = job->ligand = job->flexible = NULL;
  bool complete = copy_name(p->state.fld, &job->fld) && copy_name(p->state.ligand, &job->ligand);
  return complete && copy_name(p->state.flexible, &job->flexible) ? BT_OK : bt_fail_memory(p->opt_error);
}

/* ------------------------------------------------------------------------------------------------ keywords -- */

static bt_status read_number(dpf_parser *p, bt_keyword_line *line, size_t row) {
  dpf_value *value = &p->state.values[number_table[row].parameter];
  double low = number_table[row].low, high = number_table[row].high;
  value->given = true;
  if (number_table[row].real) return bt_keyword_double(line, "a number", low, high, &value->real, p->opt_error);
  return bt_keyword_int(line, "a whole number", (int64_t)low, (int64_t)high, &value->integer, p->opt_error);
}

/* Up to three numbers make one seed, the first alone is the seed itself; words such as time and pid leave it open. */
static bt_status read_seed(dpf_parser *p, bt_keyword_line *line) {
  uint64_t seed = 0;
  for (int k = 0; k < 3; k++) {
    bt_span word = bt_span_word(&line->arguments);
    uint64_t part;
    if (word.size == 0) break;
    if (!bt_parse_uint64(word, &part)) return warn(p, line, "a seed of words is chosen anew for each run");
    seed = k == 0 ? part : (seed ^ (part << (k == 1 ? 32 : 16))) * 0x9e3779b97f4a7c15u;
  }
  p->state.values[DPF_SEED] = (dpf_value){.given = true, .integer = (int64_t)seed};
  return BT_OK;
}

/* The n-th map belongs to the n-th ligand type. Maps are found by type in the .fld, so a file that is named after
 * another type (AutoDock-GPU's derived types) would have mattered. */
static bt_status read_map(dpf_parser *p, bt_keyword_line *line) {
  bt_span word;
  BT_TRY(bt_keyword_word(line, "a file", &word, p->opt_error));
  int index = p->n_maps++;
  if (index >= p->types.count) return BT_OK; /* the electrostatic and desolvation maps of old files */
  const char *type = p->types.items[index];
  size_t length = strlen(type), tail = length + 5;
  bool named = word.size >= tail && word.text[word.size - tail] == '.' &&
               memcmp(word.text + word.size - tail + 1, type, length) == 0 &&
               memcmp(word.text + word.size - 4, ".map", 4) == 0;
  if (named) return BT_OK;
  return bt_text_list_printf(&p->dpf->warnings, p->opt_error, "line %ld: type %s uses its map of the .fld, not %.*s",
                             line->where.line, type, word.size < 200 ? (int)word.size : 200, word.text);
}

static bt_status read_random(dpf_parser *p, bt_keyword_line *line) {
  bt_span word = bt_span_word(&line->arguments);
  if (word.size == 0 || bt_span_equals_ignoring_case(word, "random") || p->warned_start) return BT_OK;
  p->warned_start = true;
  return warn(p, line, "searches start from random poses");
}

static bt_status read_unbound_model(dpf_parser *p, bt_keyword_line *line) {
  bt_span word;
  BT_TRY(bt_keyword_word(line, "bound, extended or compact", &word, p->opt_error));
  if (bt_span_equals_ignoring_case(word, "bound")) return BT_OK;
  static const char *const known[] = {"extended", "compact", "value"};
  for (int i = 0; i < 3; i++)
    if (bt_span_equals_ignoring_case(word, known[i])) return warn(p, line, "the unbound state equals the bound one");
  return bt_fail(p->opt_error, BT_ERR_INPUT, line->where, "write unbound_model bound",
                 "unbound_model is not bound, extended or compact");
}

static bt_status read_other(dpf_parser *p, bt_keyword_line *line, bool *ret_known) {
  bt_span keyword = line->keyword;
  *ret_known = true;
#define IS(name) bt_span_equals_ignoring_case(keyword, name)
  if (IS("fld")) return bt_keyword_copy(line, "a file", &p->state.fld, p->opt_error);
  if (IS("move") || IS("ligand")) return bt_keyword_copy(line, "a file", &p->state.ligand, p->opt_error);
  if (IS("flexres") || IS("flexible_residues"))
    return bt_keyword_copy(line, "a file", &p->state.flexible, p->opt_error);
  if (IS("ligand_types")) {
    p->n_maps = 0;
    return bt_keyword_types(line, &p->types, p->opt_error);
  }
  if (IS("map")) return read_map(p, line);
  if (IS("seed")) return read_seed(p, line);
  if (IS("tran0") || IS("axisangle0") || IS("quaternion0") || IS("quat0") || IS("dihe0")) return read_random(p, line);
  if (IS("unbound_model")) return read_unbound_model(p, line);
  if (IS("unbound")) {
    double value;
    bool zero = bt_parse_double(line->arguments, &value) && value == 0.0;
    return zero ? BT_OK : warn(p, line, "the unbound state equals the bound one");
  }
  if (IS("intelec")) {
    if (!bt_span_equals_ignoring_case(bt_span_word(&line->arguments), "off")) return BT_OK;
    return bt_fail(p->opt_error, BT_ERR_INPUT, line->where, "write intelec without off",
                   "docking without internal electrostatics is not supported");
  }
  if (IS("smooth")) {
    double value;
    BT_TRY(bt_keyword_double(line, "a width in Angstrom", 0.0, 10.0, &value, p->opt_error));
    return value == 0.5 ? BT_OK : warn(p, line, "pairs are smoothed over 0.5 Angstrom");
  }
  if (IS("ga_tournament_selection") || IS("ga_proportional_selection")) {
    bool tournament = IS("ga_tournament_selection");
    p->state.values[DPF_SELECTION] =
        (dpf_value){.given = true, .integer = tournament ? BT_SELECT_TOURNAMENT : BT_SELECT_PROPORTIONAL};
    return BT_OK;
  }
#undef IS
  *ret_known = false;
  return BT_OK;
}

static bool is_silent(bt_span keyword) {
  bt_span rest = bt_span_from(silent_keywords), word;
  char name[40];
  while ((word = bt_span_word(&rest)).size > 0)
    if (bt_span_copy(word, name, sizeof name) && bt_span_equals_ignoring_case(keyword, name)) return true;
  return false;
}

/* AutoDock-GPU takes "# --option value" for words of its command line. */
static bt_status parse_comment(dpf_parser *p, bt_span comment) {
  bt_span rest = comment, word = bt_span_word(&rest);
  bool blank = comment.size > 0 && (comment.text[0] == ' ' || comment.text[0] == '\t');
  if (!blank || word.size < 2 || word.text[0] != '-') return BT_OK;
  for (; word.size > 0; word = bt_span_word(&rest)) BT_TRY(bt_text_list_add(&p->dpf->words, word, p->opt_error));
  return BT_OK;
}

static bt_status parse_line(void *user, bt_keyword_line *line) {
  dpf_parser *p = user;
  if (line->keyword.size == 0) return parse_comment(p, line->comment);
  for (size_t i = 0; i < sizeof number_table / sizeof *number_table; i++) {
    if (!bt_span_equals_ignoring_case(line->keyword, number_table[i].keyword)) continue;
    BT_TRY(read_number(p, line, i));
    bool run = number_table[i].parameter == DPF_RUNS && strcmp(number_table[i].keyword, "runs") != 0;
    return run ? add_job(p) : BT_OK;
  }
  bool known;
  BT_TRY(read_other(p, line, &known));
  if (known) return BT_OK;
  if (is_silent(line->keyword)) return BT_OK;
  for (size_t i = 0; i < sizeof warned_keywords / sizeof *warned_keywords; i++)
    if (bt_span_equals_ignoring_case(line->keyword, warned_keywords[i].keyword))
      return warn(p, line, warned_keywords[i].what);
  return bt_keyword_unknown(line, "a docking parameter file", p->opt_error);
}

bt_status bt_dpf_parse(const char *path, const char *data, size_t size, bt_dpf **ret_dpf, bt_error *opt_error) {
  *ret_dpf = NULL;
  bt_dpf *dpf = calloc(1, sizeof *dpf);
  if (dpf == NULL) return bt_fail_memory(opt_error);
  dpf_parser parser = {.dpf = dpf, .label = bt_file_label(path), .opt_error = opt_error};
  bt_status status =
      bt_keyword_each(parser.label, data, size, "give a docking parameter file", parse_line, &parser, opt_error);
  if (status == BT_OK && dpf->n_jobs == 0) status = add_job(&parser);
  state_clear(&parser.state);
  bt_text_list_destroy(&parser.types);
  return BT_HAND_OVER(status, dpf, ret_dpf, bt_dpf_destroy);
}

bt_status bt_dpf_read(const char *path, bt_dpf **ret_dpf, bt_error *opt_error) {
  BT_SCOPED char *data = NULL;
  size_t size;
  *ret_dpf = NULL;
  BT_TRY(bt_file_read(path, &data, &size, opt_error));
  return bt_dpf_parse(path, data, size, ret_dpf, opt_error);
}

void bt_dpf_destroy(bt_dpf *dpf) {
  if (dpf == NULL) return;
  for (int i = 0; i < dpf->n_jobs; i++) state_clear(&dpf->jobs[i]);
  free(dpf->jobs);
  bt_text_list_destroy(&dpf->words);
  bt_text_list_destroy(&dpf->warnings);
  free(dpf);
}

/* ------------------------------------------------------------------------------------------------ accessors -- */

int bt_dpf_job_count(const bt_dpf *dpf) { return dpf->n_jobs; }
const char *bt_dpf_fld(const bt_dpf *dpf, int job) { return dpf->jobs[job].fld; }
const char *bt_dpf_ligand(const bt_dpf *dpf, int job) { return dpf->jobs[job].ligand; }
const char *bt_dpf_flexible(const bt_dpf *dpf, int job) { return dpf->jobs[job].flexible; }
int bt_dpf_word_count(const bt_dpf *dpf, int job) { return dpf->jobs[job].n_words; }
const char *bt_dpf_word(const bt_dpf *dpf, int job, int index) {
  return index < dpf->jobs[job].n_words ? dpf->words.items[index] : NULL;
}
int bt_dpf_warning_count(const bt_dpf *dpf) { return dpf->warnings.count; }
const char *bt_dpf_warning(const bt_dpf *dpf, int index) { return dpf->warnings.items[index]; }

void bt_dpf_apply(const bt_dpf *dpf, int job, bt_dock_options *options) {
  const dpf_value *v = dpf->jobs[job].values;
  if (v[DPF_RUNS].given) options->runs = (int)v[DPF_RUNS].integer;
  if (v[DPF_POPULATION].given) options->population = (int)v[DPF_POPULATION].integer;
  if (v[DPF_GENERATIONS].given) options->generations = v[DPF_GENERATIONS].integer;
  if (v[DPF_EVALUATIONS].given) options->evaluations = v[DPF_EVALUATIONS].integer;
  if (v[DPF_MUTATION_RATE].given) options->mutation_rate = v[DPF_MUTATION_RATE].real;
  if (v[DPF_CROSSOVER_RATE].given) options->crossover_rate = v[DPF_CROSSOVER_RATE].real;
  if (v[DPF_ELITISM].given) options->elitism = (int)v[DPF_ELITISM].integer;
  if (v[DPF_LOCAL_SEARCH_ITERATIONS].given)
    options->local_search_iterations = (int)v[DPF_LOCAL_SEARCH_ITERATIONS].integer;
  if (v[DPF_SW_LIMIT].given) options->sw_limit = (int)v[DPF_SW_LIMIT].integer;
  if (v[DPF_SW_RHO_LIMIT].given) options->sw_rho_limit = v[DPF_SW_RHO_LIMIT].real;
  if (v[DPF_RMSD_TOLERANCE].given) options->rmsd_tolerance = v[DPF_RMSD_TOLERANCE].real;
  if (v[DPF_SEED].given) options->seed = (uint64_t)v[DPF_SEED].integer;
  if (v[DPF_SELECTION].given) options->selection = (bt_selection)v[DPF_SELECTION].integer;
}
