/* gpf.c - reads AutoGrid 4's grid parameter file. */
#include "formats/autodock/gpf.h"

#include <stdlib.h>
#include <string.h>

#include "base/files/file.h"
#include "base/memory.h"

typedef struct gpf_parser {
  bt_gpf *gpf;
  const char *label;
  bool has_npts, has_center;
  size_t pair_room;
  bt_error *opt_error;
} gpf_parser;

static const double FAR = 99999.0; /* Angstrom */

static bt_status read_position(bt_keyword_line *line, double position[3], bt_error *opt_error) {
  static const char *const what[3] = {"x", "y", "z"};
  for (int k = 0; k < 3; k++) BT_TRY(bt_keyword_double(line, what[k], -FAR, FAR, &position[k], opt_error));
  return BT_OK;
}

static bt_status read_npts(gpf_parser *p, bt_keyword_line *line) {
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

static bt_status read_covalent(gpf_parser *p, bt_keyword_line *line) {
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
    return bt_fail(p->opt_error, BT_ERR_INPUT, line->where, "use two different exponents, such as 12 and 6",
                   "the two exponents are equal");
  pair.m = (int)m;
  pair.n = (int)n;
  return BT_APPEND(gpf->pairs, gpf->n_pairs, &p->pair_room, pair) ? BT_OK : bt_fail_memory(p->opt_error);
}

static bt_status parse_keyword(void *user, bt_keyword_line *line) {
  gpf_parser *p = user;
  bt_gpf *gpf = p->gpf;
  bt_span word;
  if (line->keyword.size == 0) return BT_OK; /* a comment */
#define IS(name) bt_span_equals_ignoring_case(line->keyword, name)
  if (IS("parameter_file") || IS("parameter_library"))
    return bt_keyword_file(line, &gpf->names, &gpf->opt_parameter_file, p->opt_error);
  if (IS("npts")) return read_npts(p, line);
  if (IS("gridfld")) return bt_keyword_file(line, &gpf->names, &gpf->fld, p->opt_error);
  if (IS("spacing"))
    return bt_keyword_double(line, "the grid spacing in Angstrom", 0.001, 10.0, &gpf->spacing, p->opt_error);
  if (IS("receptor_types")) return bt_keyword_types(line, &gpf->receptor_types, p->opt_error);
  if (IS("ligand_types") || IS("types")) return bt_keyword_types(line, &gpf->ligand_types, p->opt_error);
  if (IS("receptor")) return bt_keyword_file(line, &gpf->names, &gpf->receptor, p->opt_error);
  if (IS("gridcenter")) {
    bt_span rest = line->arguments;
    gpf->center_auto = bt_span_equals_ignoring_case(bt_span_word(&rest), "auto");
    p->has_center = true;
    return gpf->center_auto ? BT_OK : read_position(line, gpf->center, p->opt_error);
  }
  if (IS("smooth")) return bt_keyword_double(line, "a width in Angstrom", 0.0, 10.0, &gpf->smooth, p->opt_error);
  if (IS("map")) {
    BT_TRY(bt_keyword_word(line, "a file", &word, p->opt_error));
    return bt_text_list_add(&gpf->maps, word, p->opt_error);
  }
  if (IS("elecmap")) return bt_keyword_file(line, &gpf->names, &gpf->opt_electrostatic, p->opt_error);
  if (IS("dsolvmap") || IS("desolvmap")) return bt_keyword_file(line, &gpf->names, &gpf->opt_desolvation, p->opt_error);
  if (IS("dielectric")) {
    gpf->has_dielectric = true;
    return bt_keyword_double(line, "a dielectric constant", -1e6, 1e6, &gpf->dielectric, p->opt_error);
  }
  if (IS("qasp"))
    return bt_keyword_double(line, "a solvation parameter", -10.0, 10.0, &gpf->solvation_charge, p->opt_error);
  if (IS("nbp_r_eps") || IS("nbp_coeffs")) return read_pair(p, line, IS("nbp_coeffs"));
  if (IS("covalentmap")) return read_covalent(p, line);
  if (IS("fmap")) return bt_keyword_file(line, &gpf->names, &gpf->opt_floating, p->opt_error);
  if (IS("disorder_h") || IS("disorder")) {
    gpf->disorder_h = true;
    return BT_OK;
  }
  if (IS("outlev")) return BT_OK;
  if (IS("constant") || IS("sol_par")) return BT_OK; /* AutoGrid 4 ignores these two itself */
  if (IS("cmap") || IS("constriction_distance_cutoff") || IS("separate_desolvation_maps") ||
      IS("map_receptor_interior"))
    return bt_text_list_printf(&gpf->warnings, p->opt_error, "line %ld: %.*s is not supported and has no effect",
                               line->where.line, (int)line->keyword.size, line->keyword.text);
#undef IS
  return bt_keyword_unknown(line, "a grid parameter file", p->opt_error);
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
    return bt_fail(parser->opt_error, BT_ERR_INPUT, where, "add the line", "no %s line", missing);
  if (gpf->maps.count != gpf->ligand_types.count)
    return bt_fail(parser->opt_error, BT_ERR_INPUT, where, "use one map line per ligand type, in the same order",
                   "%d ligand types but %d map lines", gpf->ligand_types.count, gpf->maps.count);
  for (int i = 0; i < gpf->ligand_types.count; i++)
    for (int j = 0; j < i; j++)
      if (strcmp(gpf->ligand_types.items[i], gpf->ligand_types.items[j]) == 0)
        return bt_fail(parser->opt_error, BT_ERR_INPUT, where, "name each ligand type once",
                       "ligand type %s is named twice", gpf->ligand_types.items[i]);
  return BT_OK;
}

static bt_status parse_all(gpf_parser *parser, const char *data, size_t size) {
  BT_TRY(bt_keyword_each(parser->label, data, size, "use a grid parameter file", parse_keyword, parser,
                         parser->opt_error));
  BT_TRY(check(parser));
  if (parser->gpf->has_dielectric) return BT_OK;
  return bt_text_list_printf(&parser->gpf->warnings, parser->opt_error,
                             "no dielectric line; the electrostatic map is then zero, as in AutoGrid");
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
  free(gpf->pairs);
  bt_text_list_destroy(&gpf->names);
  bt_text_list_destroy(&gpf->receptor_types);
  bt_text_list_destroy(&gpf->ligand_types);
  bt_text_list_destroy(&gpf->maps);
  bt_text_list_destroy(&gpf->warnings);
  *gpf = (bt_gpf){0};
}
