/* dpf.c - reads AutoDock 4's docking parameter file: files, search parameters, one job per ga_run. */
#include "formats/autodock/dpf.h"

#include <berth/berth.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/file.h"
#include "base/memory.h"
#include "formats/autodock/keywords.h"

/* What a .dpf can set: the member of bt_dock_options, and which kind of number; a table below says how it is read. */
#define DPF_PARAMETERS(X) \
  X(RUNS, runs, integer) X(POPULATION, population, integer) X(GENERATIONS, generations, integer) \
  X(EVALUATIONS, evaluations, integer) X(MUTATION_RATE, mutation_rate, real) X(CROSSOVER_RATE, crossover_rate, real) \
  X(ELITISM, elitism, integer) X(LOCAL_SEARCH_ITERATIONS, local_search_iterations, integer) \
  X(SW_LIMIT, sw_limit, integer) X(SW_RHO_LIMIT, sw_rho_limit, real) X(RMSD_TOLERANCE, rmsd_tolerance, real) \
  X(SEED, seed, integer) X(SELECTION, selection, integer)

typedef enum dpf_parameter {
#define DPF_ENUM(name, member, kind) DPF_##name,
  DPF_PARAMETERS(DPF_ENUM) DPF_PARAMETER_COUNT
} dpf_parameter;

typedef struct dpf_value {
  bool given;
  int64_t integer;
  double real;
} dpf_value;

/* Everything read so far; a copy of it is a job. */
typedef struct dpf_state {
  const char *fld, *ligand, *flexible; /* of bt_dpf.names */
  dpf_value values[DPF_PARAMETER_COUNT];
  int n_words; /* of bt_dpf.words */
} dpf_state;

struct bt_dpf {
  int n_jobs;
  dpf_state *jobs;
  bt_text_list names;
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

/* Control AutoDock's output, memory, simulated annealing or energy terms that do not exist here. */
static const char silent_keywords[] =
    "autodock_parameter_version about ndihe torsdof outlev extnrg e0max set_ga set_sw1 set_psw1 analysis "
    "ga_window_size ga_cauchy_alpha ga_cauchy_beta sw_rho ls_search_freq output_pop_file elecmap desolvmap "
    "dsolvmap tstep qstep dstep rt0 rtrf trnrf quarf dihrf linear_schedule schedule_linear "
    "geometric_schedule schedule_geometric cycles accs rejs select trjfrq trjbeg trjend trjout trjsel "
    "write_all write_all_cluster_members watch charmap psw_trans_scale psw_rot_scale psw_tors_scale quiet "
    "output_resnum_as";

/* Would change the result: ignored with a warning. */
static const struct {
  const char *what, *keywords;
} warned_keywords[] = {
    {"Berth scores with its built-in AutoDock 4.2 parameters", "parameter_file parameter_library"},
    {"pairs keep their standard potential", "intnbp_r_eps intnbp_coeffs"},
    {"1-4 pairs are left out, as by default", "include_1_4_interactions"},
    {"the unbound state equals the bound one", "unbound_energy unbound_intnbp_coeffs compute_unbound_extended"},
    {"name the reference with --reference", "rmsref"},
    {"symmetry of the molecule's graph is respected instead", "rmsmode rmsnosym"},
    {"poses are clustered only after docking", "cluster"},
    {"use --selection", "ga_linear_ranking_selection"},
    {"use berth score for the energy of the input pose", "epdb"},
    {"only ga_run is supported",
     "simanneal ga_only_run do_global_only do_pso pso_c1 pso_c2 pso_k pso_w_start pso_w_end investigate"},
    {"use berth score --minimize for a local search", "do_local_only"},
    {"torsions come from the ligand", "torsion"},
    {"torsions are not restrained", "gausstorcon hardtorcon barrier showtorpen"},
    {"use flexible residues for a bound ligand", "covalentmap"},
};

/* Is the keyword in a blank-separated list? */
static bool is_among(bt_span keyword, const char *keywords) {
  bt_span rest = bt_span_from(keywords), word;
  char name[40];
  while ((word = bt_span_word(&rest)).size > 0)
    if (bt_span_copy(word, name, sizeof name) && bt_span_equals_ignoring_case(keyword, name)) return true;
  return false;
}

static bt_status warn(dpf_parser *p, const bt_keyword_line *line, const char *what) {
  return bt_text_list_printf(&p->dpf->warnings, p->opt_error, "line %ld: %.*s is skipped: %s", line->where.line,
                             (int)line->keyword.size, line->keyword.text, what);
}

/* ---------------------------------------------------------------------------------------------------- jobs -- */

static bt_status add_job(dpf_parser *p) {
  bt_dpf *dpf = p->dpf;
  p->state.n_words = dpf->words.count;
  return BT_APPEND(dpf->jobs, dpf->n_jobs, &p->job_room, p->state) ? BT_OK : bt_fail_memory(p->opt_error);
}

/* ------------------------------------------------------------------------------------------------ keywords -- */

static bt_status read_number(dpf_parser *p, bt_keyword_line *line, size_t row) {
  dpf_value *value = &p->state.values[number_table[row].parameter];
  double low = number_table[row].low, high = number_table[row].high;
  value->given = true;
  if (number_table[row].real) return bt_keyword_double(line, "a number", low, high, &value->real, p->opt_error);
  return bt_keyword_int(line, "a whole number", (int64_t)low, (int64_t)high, &value->integer, p->opt_error);
}

/* Up to three numbers make one seed, the first alone is the seed itself; words such as time and pid leave it unset. */
static bt_status read_seed(dpf_parser *p, bt_keyword_line *line) {
  uint64_t seed = 0;
  for (int k = 0; k < 3; k++) {
    bt_span word = bt_span_word(&line->arguments);
    uint64_t part;
    if (word.size == 0) break;
    if (!bt_parse_uint64(word, &part)) return warn(p, line, "a seed that is not a number is replaced by a random one");
    seed = k == 0 ? part : (seed ^ (part << (k == 1 ? 32 : 16))) * 0x9e3779b97f4a7c15u;
  }
  p->state.values[DPF_SEED] = (dpf_value){.given = true, .integer = (int64_t)seed};
  return BT_OK;
}

/* The n-th map belongs to the n-th ligand type. Here maps are found by type in the .fld, so a file that is named after
 * another type (AutoDock-GPU's derived types) has no effect, which a warning says. */
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
  return bt_text_list_printf(&p->dpf->warnings, p->opt_error, "line %ld: type %s uses its map in the .fld, not %.*s",
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
  if (is_among(word, "extended compact value")) return warn(p, line, "the unbound state equals the bound one");
  return bt_fail(p->opt_error, BT_ERR_INPUT, line->where, "write unbound_model bound",
                 "unbound_model is not bound, extended or compact");
}

static bt_status read_other(dpf_parser *p, bt_keyword_line *line, bool *ret_known) {
  bt_span keyword = line->keyword;
  *ret_known = true;
#define IS(name) bt_span_equals_ignoring_case(keyword, name)
  if (IS("fld")) return bt_keyword_file(line, &p->dpf->names, &p->state.fld, p->opt_error);
  if (IS("move") || IS("ligand")) return bt_keyword_file(line, &p->dpf->names, &p->state.ligand, p->opt_error);
  if (IS("flexres") || IS("flexible_residues"))
    return bt_keyword_file(line, &p->dpf->names, &p->state.flexible, p->opt_error);
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

/* AutoDock-GPU reads "# --option value" as command-line arguments. */
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
  if (known || is_among(line->keyword, silent_keywords)) return BT_OK;
  for (size_t i = 0; i < sizeof warned_keywords / sizeof *warned_keywords; i++)
    if (is_among(line->keyword, warned_keywords[i].keywords)) return warn(p, line, warned_keywords[i].what);
  return bt_keyword_unknown(line, "a docking parameter file", p->opt_error);
}

bt_status bt_dpf_parse(const char *path, const char *data, size_t size, bt_dpf **ret_dpf, bt_error *opt_error) {
  *ret_dpf = NULL;
  bt_dpf *dpf = calloc(1, sizeof *dpf);
  if (dpf == NULL) return bt_fail_memory(opt_error);
  dpf_parser parser = {.dpf = dpf, .label = bt_file_label(path), .opt_error = opt_error};
  bt_status status =
      bt_keyword_each(parser.label, data, size, "use a docking parameter file", parse_line, &parser, opt_error);
  if (status == BT_OK && dpf->n_jobs == 0) status = add_job(&parser);
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
  free(dpf->jobs);
  bt_text_list_destroy(&dpf->names);
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
  const dpf_value *values = dpf->jobs[job].values;
#define DPF_APPLY(name, member, kind) \
  if (values[DPF_##name].given) options->member = (__typeof__(options->member))values[DPF_##name].kind;
  DPF_PARAMETERS(DPF_APPLY)
}
