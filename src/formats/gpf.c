/* gpf.c - reads AutoGrid 4's grid parameter file. */
#include "formats/gpf.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"

typedef struct gpf_parser {
  bt_gpf *gpf;
  const char *label;
  bool has_npts, has_center;
  size_t pair_room;
  bt_error *opt_error;
} gpf_parser;

typedef bt_status (*gpf_action)(gpf_parser *parser, bt_keyword_line *line);

static const double FAR = 99999.0; /* Angstrom */

static bt_status read_position(bt_keyword_line *line, double position[3], bt_error *opt_error) {
  static const char *const what[3] = {"x", "y", "z"};
  for (int k = 0; k < 3; k++) BT_TRY(bt_keyword_double(line, what[k], -FAR, FAR, &position[k], opt_error));
  return BT_OK;
}

static bt_status read_list(bt_keyword_line *line, bt_text_list *list, bt_error *opt_error) {
  char type[8];
  bt_text_list_destroy(list);
  do {
    BT_TRY(bt_keyword_type(line, type, opt_error));
    BT_TRY(bt_text_list_add(list, bt_span_from(type), opt_error));
    line->arguments = bt_span_trim(line->arguments);
  } while (line->arguments.size > 0);
  return BT_OK;
}

static bt_status on_parameter_file(gpf_parser *p, bt_keyword_line *line) {
  return bt_keyword_copy(line, "a file", &p->gpf->opt_parameter_file, p->opt_error);
}
static bt_status on_fld(gpf_parser *p, bt_keyword_line *line) {
  return bt_keyword_copy(line, "a file", &p->gpf->fld, p->opt_error);
}
static bt_status on_receptor(gpf_parser *p, bt_keyword_line *line) {
  return bt_keyword_copy(line, "a file", &p->gpf->receptor, p->opt_error);
}
static bt_status on_electrostatic(gpf_parser *p, bt_keyword_line *line) {
  return bt_keyword_copy(line, "a file", &p->gpf->opt_electrostatic, p->opt_error);
}
static bt_status on_desolvation(gpf_parser *p, bt_keyword_line *line) {
  return bt_keyword_copy(line, "a file", &p->gpf->opt_desolvation, p->opt_error);
}
static bt_status on_floating(gpf_parser *p, bt_keyword_line *line) {
  return bt_keyword_copy(line, "a file", &p->gpf->opt_floating, p->opt_error);
}
static bt_status on_map(gpf_parser *p, bt_keyword_line *line) {
  bt_span word;
  BT_TRY(bt_keyword_word(line, "a file", &word, p->opt_error));
  return bt_text_list_add(&p->gpf->maps, word, p->opt_error);
}
static bt_status on_receptor_types(gpf_parser *p, bt_keyword_line *line) {
  return read_list(line, &p->gpf->receptor_types, p->opt_error);
}
static bt_status on_ligand_types(gpf_parser *p, bt_keyword_line *line) {
  return read_list(line, &p->gpf->ligand_types, p->opt_error);
}

static bt_status on_npts(gpf_parser *p, bt_keyword_line *line) {
  for (int k = 0; k < 3; k++) {
    int64_t count;
    BT_TRY(bt_keyword_int(line, "a number of intervals", 2, 1 << 20, &count, p->opt_error));
    p->gpf->npts[k] = (int)(count / 2 * 2);
    if (count % 2 != 0)
      BT_TRY(bt_text_list_printf(&p->gpf->warnings, p->opt_error, "npts %lld is odd and was lowered to %d",
                                 (long long)count, p->gpf->npts[k]));
  }
  p->has_npts = true;
  return BT_OK;
}

static bt_status on_spacing(gpf_parser *p, bt_keyword_line *line) {
  return bt_keyword_double(line, "the distance of grid points in Angstrom", 0.001, 10.0, &p->gpf->spacing,
                           p->opt_error);
}

static bt_status on_center(gpf_parser *p, bt_keyword_line *line) {
  bt_span rest = line->arguments;
  p->gpf->center_auto = bt_span_equals_ignoring_case(bt_span_word(&rest), "auto");
  p->has_center = true;
  return p->gpf->center_auto ? BT_OK : read_position(line, p->gpf->center, p->opt_error);
}

static bt_status on_smooth(gpf_parser *p, bt_keyword_line *line) {
  return bt_keyword_double(line, "a width in Angstrom", 0.0, 10.0, &p->gpf->smooth, p->opt_error);
}

static bt_status on_dielectric(gpf_parser *p, bt_keyword_line *line) {
  p->gpf->has_dielectric = true;
  return bt_keyword_double(line, "a dielectric constant", -1e6, 1e6, &p->gpf->dielectric, p->opt_error);
}

static bt_status on_solvation_charge(gpf_parser *p, bt_keyword_line *line) {
  return bt_keyword_double(line, "a solvation parameter", -10.0, 10.0, &p->gpf->solvation_charge, p->opt_error);
}

static bt_status on_disorder(gpf_parser *p, bt_keyword_line *line) {
  (void)line;
  p->gpf->disorder_h = true;
  return BT_OK;
}

static bt_status on_covalent(gpf_parser *p, bt_keyword_line *line) {
  BT_TRY(bt_keyword_double(line, "a half width in Angstrom", 1e-3, 1e3, &p->gpf->covalent_half_width, p->opt_error));
  BT_TRY(bt_keyword_double(line, "a barrier in kcal/mol", -1e9, 1e9, &p->gpf->covalent_barrier, p->opt_error));
  p->gpf->has_covalent = true;
  return read_position(line, p->gpf->covalent_center, p->opt_error);
}

static bt_status read_pair(gpf_parser *p, bt_keyword_line *line, bool coefficients) {
  bt_gpf *gpf = p->gpf;
  bt_gpf_pair pair = {.coefficients = coefficients, .line = line->where.line};
  int64_t m, n;
  BT_TRY(bt_keyword_double(line, coefficients ? "a coefficient" : "a distance in Angstrom", coefficients ? -1e15 : 0.0,
                           coefficients ? 1e15 : 100.0, &pair.first, p->opt_error));
  BT_TRY(bt_keyword_double(line, coefficients ? "a coefficient" : "a depth in kcal/mol", -1e15, 1e15, &pair.second,
                           p->opt_error));
  BT_TRY(bt_keyword_int(line, "an exponent", 1, 100, &m, p->opt_error));
  BT_TRY(bt_keyword_int(line, "an exponent", 1, 100, &n, p->opt_error));
  for (int i = 0; i < 2; i++) BT_TRY(bt_keyword_type(line, pair.types[i], p->opt_error));
  if (m == n)
    return bt_fail(p->opt_error, BT_ERR_INPUT, line->where, "give two different exponents, such as 12 and 6",
                   "the two exponents are equal");
  pair.m = (int)m;
  pair.n = (int)n;
  if (!BT_GROW(gpf->pairs, &p->pair_room, gpf->n_pairs + 1)) return bt_fail_memory(p->opt_error);
  gpf->pairs[gpf->n_pairs++] = pair;
  return BT_OK;
}

static bt_status on_pair_distance(gpf_parser *p, bt_keyword_line *line) { return read_pair(p, line, false); }
static bt_status on_pair_coefficients(gpf_parser *p, bt_keyword_line *line) { return read_pair(p, line, true); }

static bt_status on_skipped(gpf_parser *p, bt_keyword_line *line) {
  (void)p;
  (void)line;
  return BT_OK;
}

static bt_status on_unsupported(gpf_parser *p, bt_keyword_line *line) {
  return bt_text_list_printf(&p->gpf->warnings, p->opt_error, "line %ld: %.*s is not supported and has no effect",
                             line->where.line, (int)line->keyword.size, line->keyword.text);
}

static const struct {
  const char *name;
  gpf_action action;
} keyword_table[] = {
    {"parameter_file", on_parameter_file},
    {"parameter_library", on_parameter_file},
    {"npts", on_npts},
    {"gridfld", on_fld},
    {"spacing", on_spacing},
    {"receptor_types", on_receptor_types},
    {"ligand_types", on_ligand_types},
    {"types", on_ligand_types},
    {"receptor", on_receptor},
    {"gridcenter", on_center},
    {"smooth", on_smooth},
    {"map", on_map},
    {"elecmap", on_electrostatic},
    {"dsolvmap", on_desolvation},
    {"desolvmap", on_desolvation},
    {"dielectric", on_dielectric},
    {"qasp", on_solvation_charge},
    {"nbp_r_eps", on_pair_distance},
    {"nbp_coeffs", on_pair_coefficients},
    {"covalentmap", on_covalent},
    {"fmap", on_floating},
    {"disorder_h", on_disorder},
    {"disorder", on_disorder},
    {"outlev", on_skipped},
    {"constant", on_skipped}, /* AutoGrid 4 ignores these two itself */
    {"sol_par", on_skipped},
    {"cmap", on_unsupported},
    {"constriction_distance_cutoff", on_unsupported},
    {"separate_desolvation_maps", on_unsupported},
    {"map_receptor_interior", on_unsupported},
};

static bt_status parse_keyword(gpf_parser *parser, bt_keyword_line *line) {
  for (size_t i = 0; i < sizeof keyword_table / sizeof *keyword_table; i++)
    if (bt_span_equals_ignoring_case(line->keyword, keyword_table[i].name))
      return keyword_table[i].action(parser, line);
  int size = line->keyword.size < 40 ? (int)line->keyword.size : 40;
  return bt_fail(parser->opt_error, BT_ERR_INPUT, line->where, "correct or remove the line",
                 "'%.*s' is not a keyword of a grid parameter file", size, line->keyword.text);
}

static bt_status check(const gpf_parser *parser) {
  const bt_gpf *gpf = parser->gpf;
  const char *missing = gpf->fld == NULL             ? "gridfld"
                      : !parser->has_npts            ? "npts"
                      : !parser->has_center          ? "gridcenter"
                      : gpf->receptor == NULL        ? "receptor"
                      : gpf->ligand_types.count == 0 ? "ligand_types"
                                                     : NULL;
  bt_where where = {.file = parser->label};
  if (missing != NULL)
    return bt_fail(parser->opt_error, BT_ERR_INPUT, where, "add the line", "there is no %s line", missing);
  if (gpf->maps.count != gpf->ligand_types.count)
    return bt_fail(parser->opt_error, BT_ERR_INPUT, where, "give one map line per ligand type, in the same order",
                   "%d ligand types but %d map lines", gpf->ligand_types.count, gpf->maps.count);
  for (int i = 0; i < gpf->ligand_types.count; i++)
    for (int j = 0; j < i; j++)
      if (strcmp(gpf->ligand_types.items[i], gpf->ligand_types.items[j]) == 0)
        return bt_fail(parser->opt_error, BT_ERR_INPUT, where, "name each ligand type once",
                       "ligand type %s is named twice", gpf->ligand_types.items[i]);
  return BT_OK;
}

static bt_status parse_all(gpf_parser *parser, const char *data, size_t size) {
  if (bt_text_is_binary(data, size))
    return bt_fail(parser->opt_error, BT_ERR_INPUT, (bt_where){.file = parser->label}, "give a grid parameter file",
                   "this is a binary file, not text");
  bt_lines lines = bt_lines_of(data, size);
  bt_keyword_line line;
  while (bt_keyword_next(&lines, parser->label, &line))
    if (line.keyword.size > 0) BT_TRY(parse_keyword(parser, &line));
  BT_TRY(check(parser));
  if (parser->gpf->has_dielectric) return BT_OK;
  return bt_text_list_printf(&parser->gpf->warnings, parser->opt_error,
                             "there is no dielectric line; AutoGrid's electrostatic map is then zero");
}

bt_status bt_gpf_parse(const char *path, const char *data, size_t size, bt_gpf *ret_gpf, bt_error *opt_error) {
  *ret_gpf = (bt_gpf){.spacing = 0.375, .smooth = 0.5, .solvation_charge = 0.01097};
  gpf_parser parser = {.gpf = ret_gpf, .label = bt_file_label(path), .opt_error = opt_error};
  bt_status status = parse_all(&parser, data, size);
  if (status != BT_OK) bt_gpf_destroy(ret_gpf);
  return status;
}

bt_status bt_gpf_read(const char *path, bt_gpf *ret_gpf, bt_error *opt_error) {
  BT_SCOPED char *data = NULL;
  size_t size;
  BT_TRY(bt_file_read(path, &data, &size, opt_error));
  return bt_gpf_parse(path, data, size, ret_gpf, opt_error);
}

void bt_gpf_destroy(bt_gpf *gpf) {
  free(gpf->opt_parameter_file);
  free(gpf->fld);
  free(gpf->receptor);
  free(gpf->opt_electrostatic);
  free(gpf->opt_desolvation);
  free(gpf->opt_floating);
  free(gpf->pairs);
  bt_text_list_destroy(&gpf->receptor_types);
  bt_text_list_destroy(&gpf->ligand_types);
  bt_text_list_destroy(&gpf->maps);
  bt_text_list_destroy(&gpf->warnings);
  *gpf = (bt_gpf){0};
}
