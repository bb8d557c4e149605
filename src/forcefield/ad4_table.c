/* ad4_table.c - reads parameter files and looks up types. */
#include "forcefield/ad4_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/files/file.h"
#include "base/memory.h"

typedef struct reader {
  const char *path;
  bt_lines lines;
  bt_ad4_table *result;
  size_t capacity;
  bt_ad4_weights now;          /* in force at the line being read */
  bt_ad4_weights *row_weights; /* of every type: the weights in force when its row was read */
  size_t row_capacity;
  bt_error *opt_error;
} reader;

static const char *const row_remedy =
    "write: atom_par TYPE Rii eps vol solpar Rij_hb eps_hb hbond rec_index map_index bond_index";

#define FAIL(r, ...) return bt_fail((r)->opt_error, BT_ERR_INPUT, here(r), row_remedy, __VA_ARGS__)

static bt_where here(const reader *r) { return (bt_where){.file = r->path, .line = r->lines.number}; }

/* Physical values lie far within these bounds; the coefficients of pairs overflow far beyond them. */
static const double LONGEST = 20.0 /* Angstrom */, DEEPEST = 1000.0 /* kcal/mol */, LARGEST = 1e6;
static const double LEAST_WEIGHT = 1e-6, MOST_WEIGHT = 1000.0;

static bt_status read_number(reader *r, bt_span *rest, const char *what, double low, double high, double *ret_value) {
  bt_span word = bt_span_word(rest);
  if (!bt_parse_double(word, ret_value)) FAIL(r, "'%.*s' is not a valid %s", BT_SHOWN(word), what);
  if (!(*ret_value >= low && *ret_value <= high))
    FAIL(r, "'%.*s' is not a valid %s: it has to lie between %g and %g", BT_SHOWN(word), what, low, high);
  return BT_OK;
}

static bt_status read_weight(reader *r, bt_span *rest, double *ret_value) {
  bt_span word = *rest;
  BT_TRY(read_number(r, rest, "weight", 0.0, MOST_WEIGHT, ret_value));
  word = bt_span_word(&word);
  if (*ret_value > 0.0 && *ret_value < LEAST_WEIGHT)
    FAIL(r, "'%.*s' is not a valid weight: use 0, or at least %g", BT_SHOWN(word), LEAST_WEIGHT);
  return BT_OK;
}

static bt_status read_code(reader *r, bt_span *rest, const char *what, int *ret_value) {
  bt_span word = bt_span_word(rest);
  if (!bt_parse_int(word, ret_value)) FAIL(r, "'%.*s' is not a valid %s", BT_SHOWN(word), what);
  return BT_OK;
}

static bt_status store_type(reader *r, const bt_ad4_type *type) {
  bt_ad4_table *table = r->result;
  int at = 0;
  while (at < table->n_types && strcmp(table->types[at].name, type->name) != 0) at++;
  if (at == table->n_types) {
    size_t needed = (size_t)table->n_types + 1;
    if (!BT_GROW(table->types, &r->capacity, needed)) return bt_fail_memory(r->opt_error);
    if (!BT_GROW(r->row_weights, &r->row_capacity, needed)) return bt_fail_memory(r->opt_error);
    table->n_types++;
  }
  table->types[at] = *type;
  r->row_weights[at] = r->now;
  return BT_OK;
}

static bt_status read_row(reader *r, bt_span rest) {
  bt_ad4_type type = {.name = ""};
  bt_span name = bt_span_word(&rest);
  if (name.size == 0 || !bt_span_copy(name, type.name, sizeof type.name))
    FAIL(r, "'%.*s' is not an atom type (1 to 7 characters)", BT_SHOWN(name));
  BT_TRY(read_number(r, &rest, "Rii", 0.0, LONGEST, &type.radius_sum));
  BT_TRY(read_number(r, &rest, "eps", 0.0, DEEPEST, &type.epsilon));
  BT_TRY(read_number(r, &rest, "vol", 0.0, LARGEST, &type.volume));
  BT_TRY(read_number(r, &rest, "solpar", -LARGEST, LARGEST, &type.solvation));
  BT_TRY(read_number(r, &rest, "Rij_hb", 0.0, LONGEST, &type.hbond_distance));
  BT_TRY(read_number(r, &rest, "eps_hb", 0.0, DEEPEST, &type.hbond_epsilon));
  BT_TRY(read_code(r, &rest, "hbond", &type.hbond));
  int unused;
  BT_TRY(read_code(r, &rest, "rec_index", &unused));
  BT_TRY(read_code(r, &rest, "map_index", &unused));
  BT_TRY(read_code(r, &rest, "bond_index", &type.bond_class));
  if (type.hbond < 0 || type.hbond > 5) type.hbond = 0; /* AutoGrid 4.2.6 has no other codes */
  return store_type(r, &type);
}

static bt_status read_line(reader *r, bt_span line) {
  bt_ad4_weights *w = &r->now;
  struct {
    const char *keyword;
    double *weight;
  } weights[] = {{"FE_coeff_vdW", &w->vdw},
                 {"FE_coeff_hbond", &w->hbond},
                 {"FE_coeff_estat", &w->electrostatic},
                 {"FE_coeff_desolv", &w->desolvation},
                 {"FE_coeff_tors", &w->torsional}};
  const char *comment = memchr(line.text, '#', line.size);
  if (comment != NULL) line.size = (size_t)(comment - line.text);
  bt_span word = bt_span_word(&line);
  if (word.size == 0) return BT_OK;
  if (bt_span_equals_ignoring_case(word, "atom_par")) return read_row(r, line);
  for (size_t i = 0; i < sizeof weights / sizeof weights[0]; i++)
    if (bt_span_equals_ignoring_case(word, weights[i].keyword)) return read_weight(r, &line, weights[i].weight);
  return BT_OK; /* files carry keywords of other programs; they do not concern the energy */
}

static bt_status read_file(reader *r) {
  BT_SCOPED char *data = NULL;
  size_t size;
  BT_TRY(bt_file_read(r->path, &data, &size, r->opt_error));
  if (bt_text_is_binary(data, size))
    return bt_fail(r->opt_error, BT_ERR_INPUT, (bt_where){.file = r->path}, "use a text file of atom_par lines",
                   "this is not a parameter file");
  r->lines = bt_lines_of(data, size);
  for (bt_span line; bt_lines_next(&r->lines, &line);) BT_TRY(read_line(r, line));
  return BT_OK;
}

static void apply_row_weights(bt_ad4_table *table, const bt_ad4_weights *row_weights) {
  for (int i = 0; i < table->n_types; i++) {
    const bt_ad4_weights *row = &row_weights[i], *now = &table->weights;
    if (row->vdw != now->vdw && now->vdw > 0.0) table->types[i].epsilon *= row->vdw / now->vdw;
    if (row->hbond != now->hbond && now->hbond > 0.0) table->types[i].hbond_epsilon *= row->hbond / now->hbond;
  }
}

bt_status bt_ad4_table_create(const char *opt_parameter_file, bt_ad4_table **ret_table, bt_error *opt_error) {
  *ret_table = NULL;
  reader r = {.path = opt_parameter_file, .now = bt_ad4_default_weights(), .opt_error = opt_error};
  r.result = bt_allocate(1, sizeof *r.result);
  if (r.result == NULL) return bt_fail_memory(opt_error);
  int count;
  const bt_ad4_type *built_in = bt_ad4_types(&count);
  bt_status status = BT_OK;
  for (int i = 0; status == BT_OK && i < count; i++) status = store_type(&r, &built_in[i]);
  if (status == BT_OK && opt_parameter_file != NULL) status = read_file(&r);
  r.result->weights = r.now;
  if (status == BT_OK) apply_row_weights(r.result, r.row_weights);
  free(r.row_weights);
  return BT_HAND_OVER(status, r.result, ret_table, bt_ad4_table_destroy);
}

void bt_ad4_table_destroy(bt_ad4_table *opt_table) {
  if (opt_table == NULL) return;
  free(opt_table->types);
  free(opt_table);
}

const bt_ad4_type *bt_ad4_table_find(const bt_ad4_table *table, const char *name) {
  for (int i = 0; i < table->n_types; i++)
    if (strcmp(table->types[i].name, name) == 0) return &table->types[i];
  return NULL;
}
