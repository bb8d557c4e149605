/* fld.c - reads and writes AutoGrid's .maps.fld, .maps.xyz and the lines that describe a box. */
#include "formats/autodock/fld.h"

#include <berth/build.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/file.h"
#include "base/memory.h"

static const double LARGEST_SPACING = 10.0;   /* Angstrom */
static const double LARGEST_CENTER = 99999.0; /* Angstrom */

/* -------------------------------------------------------------------------------- lines that describe a box -- */

static bt_status parse_spacing(bt_span arguments, bt_where where, double *ret_spacing, bt_error *opt_error) {
  bt_span word = bt_span_word(&arguments);
  if (bt_parse_double(word, ret_spacing) && *ret_spacing >= 0.001 && *ret_spacing <= LARGEST_SPACING) return BT_OK;
  return bt_fail(opt_error, BT_ERR_INPUT, where, "write the distance between grid points in Angstrom, usually 0.375",
                 "the spacing is not a number from 0.001 to %g", LARGEST_SPACING);
}

static bt_status parse_elements(bt_span arguments, bt_where where, int ret_npts[3], bt_error *opt_error) {
  for (int k = 0; k < 3; k++) {
    bt_span word = bt_span_word(&arguments);
    if (!bt_parse_int(word, &ret_npts[k]) || ret_npts[k] < 2)
      return bt_fail(opt_error, BT_ERR_INPUT, where, "write three even numbers of intervals, at least 2",
                     "NELEMENTS is not three positive numbers");
    if (ret_npts[k] % 2 != 0)
      return bt_fail(opt_error, BT_ERR_INPUT, where, "compute the maps again with an even number of intervals",
                     "NELEMENTS is odd: %d", ret_npts[k]);
  }
  return BT_OK;
}

static bt_status parse_center(bt_span arguments, bt_where where, double ret_center[3], bt_error *opt_error) {
  for (int k = 0; k < 3; k++) {
    bt_span word = bt_span_word(&arguments);
    if (!bt_parse_double(word, &ret_center[k]) || fabs(ret_center[k]) > LARGEST_CENTER)
      return bt_fail(opt_error, BT_ERR_INPUT, where, "write x, y and z in Angstrom",
                     "the center is not three coordinates");
  }
  return BT_OK;
}

bt_status bt_box_parse_line(bt_span key, bt_span arguments, bt_where where, bt_box *box, unsigned *found,
                            bt_error *opt_error) {
  bool spacing = bt_span_equals(key, "SPACING"), elements = bt_span_equals(key, "NELEMENTS");
  bool center = bt_span_equals(key, "CENTER");
  *found |= (spacing ? 1u : 0u) | (elements ? 2u : 0u) | (center ? 4u : 0u);
  if (spacing) return parse_spacing(arguments, where, &box->spacing, opt_error);
  if (elements) return parse_elements(arguments, where, box->npts, opt_error);
  return center ? parse_center(arguments, where, box->center, opt_error) : BT_OK;
}

/* ------------------------------------------------------------------------------------------------ reading -- */

typedef struct fld_parser {
  const char *label;
  bt_fld *fld;
  size_t room;
  int n_files; /* variable lines so far */
  int dims[3]; /* 0: not given */
  unsigned found; /* bits of bt_box_parse_line */
  bool scoring_named;
  bt_error *opt_error;
} fld_parser;

static bt_status store(char **text, bt_span value, bt_error *opt_error) {
  value = bt_span_trim(value);
  free(*text);
  *text = bt_copy_text(value.text, value.size);
  return *text != NULL ? BT_OK : bt_fail_memory(opt_error);
}

/* The map of the index-th label or variable, whichever is set first; NULL when memory is exhausted. */
static bt_fld_map *map_at(fld_parser *parser, int index) {
  bt_fld *fld = parser->fld;
  if (index < fld->n_maps) return &fld->maps[index];
  bool added = BT_APPEND(fld->maps, fld->n_maps, &parser->room, (bt_fld_map){.role = BT_FLD_OTHER});
  return added ? &fld->maps[index] : NULL;
}

/* "C-affinity" is a type; "Electrostatics" and "Desolvation" are known by their first letter, as in AutoDock-GPU. */
static bt_status parse_label(fld_parser *parser, bt_span value, int index, bt_where where) {
  bt_fld_map *map = map_at(parser, index);
  if (map == NULL) return bt_fail_memory(parser->opt_error);
  map->label_line = where.line;
  bt_span word = bt_span_word(&value);
  const char *hash = word.size > 0 ? memchr(word.text, '#', word.size) : NULL;
  if (hash != NULL) word.size = (size_t)(hash - word.text);
  const char *dash = word.size > 0 ? memchr(word.text, '-', word.size) : NULL;
  if (dash == NULL) {
    char first = word.size > 0 ? word.text[0] : '\0';
    if (first == 'E' || first == 'e') map->role = BT_FLD_ELECTROSTATIC;
    if (first == 'D' || first == 'd') map->role = BT_FLD_DESOLVATION;
    return BT_OK;
  }
  map->role = BT_FLD_AFFINITY;
  word.size = (size_t)(dash - word.text);
  if (word.size > 0 && bt_span_copy(word, map->type, sizeof map->type)) return BT_OK;
  return bt_fail(parser->opt_error, BT_ERR_INPUT, where, "write label=TYPE-affinity with a type of 1 to 7 characters",
                 "the label names no atom type");
}

static bt_status parse_variable(fld_parser *parser, bt_span line, int index, bt_where where) {
  for (bt_span word; (word = bt_span_word(&line)).size > 0;) {
    if (!bt_span_starts(word, "file=")) continue;
    bt_fld_map *map = map_at(parser, index);
    if (map == NULL) return bt_fail_memory(parser->opt_error);
    bt_status status = store(&map->file, bt_span_columns(word, 5, word.size), parser->opt_error);
    if (status != BT_OK || map->file[0] != '\0') return status;
    break;
  }
  return bt_fail(parser->opt_error, BT_ERR_INPUT, where, "write file=NAME", "the variable names no file");
}

static bt_status parse_scoring(fld_parser *parser, bt_span words, bt_where where) {
  char name[16] = "";
  bt_span_copy(bt_span_word(&words), name, sizeof name);
  parser->scoring_named = true;
  if (bt_scoring_find(name, &parser->fld->scoring)) return BT_OK;
  char remedy[64];
  snprintf(remedy, sizeof remedy, "write one of %s", bt_scoring_choices());
  return bt_fail(parser->opt_error, BT_ERR_INPUT, where, remedy, "'%s' is not a scoring function", name);
}

/* Without a scoring function line, type names such as C_H tell; Vinardo's are the same, but Vina is more likely. */
static void deduce_scoring(fld_parser *parser) {
  bt_fld *fld = parser->fld;
  if (parser->scoring_named) return;
  for (int i = 0; i < fld->n_maps; i++)
    if (fld->maps[i].role == BT_FLD_AFFINITY && strchr(fld->maps[i].type, '_') != NULL) fld->scoring = BT_SCORING_VINA;
}

static bt_status parse_line(fld_parser *parser, bt_span line, int *labels, long number) {
  bt_where where = {.file = parser->label, .line = number};
  bt_span rest = line, word = bt_span_word(&rest);
  bt_fld *fld = parser->fld;
  if (bt_span_starts(word, "#"))
    BT_TRY(bt_box_parse_line(bt_span_columns(word, 1, word.size), rest, where, &fld->box, &parser->found,
                             parser->opt_error));
  if (bt_span_equals(word, "#") && bt_span_starts(bt_span_trim(rest), "Scoring function ")) {
    bt_span_word(&rest);
    bt_span_word(&rest);
    return parse_scoring(parser, rest, where);
  }
  if (bt_span_equals(word, "#MACROMOLECULE")) return store(&fld->receptor_file, rest, parser->opt_error);
  if (bt_span_equals(word, "#GRID_PARAMETER_FILE")) return store(&fld->gpf_name, rest, parser->opt_error);
  if (bt_span_starts(word, "label="))
    return parse_label(parser, bt_span_columns(line, (size_t)(word.text - line.text) + 6, line.size), (*labels)++,
                       where);
  if (bt_span_equals(word, "variable")) return parse_variable(parser, rest, parser->n_files++, where);
  if (word.size > 5 && bt_span_starts(word, "dim") && word.text[3] >= '1' && word.text[3] <= '3' &&
      word.text[4] == '=') {
    int *dim = &parser->dims[word.text[3] - '1'];
    if (!bt_parse_int(bt_span_columns(word, 5, word.size), dim) || *dim < 1)
      return bt_fail(parser->opt_error, BT_ERR_INPUT, where, "compute the maps again", "dim%c is not a positive number",
                     word.text[3]);
  }
  return BT_OK;
}

static bt_status check_maps(const fld_parser *parser, int labels) {
  const bt_fld *fld = parser->fld;
  bt_where where = {.file = parser->label};
  if (labels != parser->n_files)
    return bt_fail(parser->opt_error, BT_ERR_INPUT, where, "write one label line for each map and one variable line",
                   "%d labels but %d map files", labels, parser->n_files);
  bool has_electrostatic = false, has_desolvation = false;
  for (int i = 0; i < fld->n_maps; i++) {
    const bt_fld_map *map = &fld->maps[i];
    where.line = map->label_line;
    for (int j = 0; j < i && map->role != BT_FLD_OTHER; j++)
      if (fld->maps[j].role == map->role && strcmp(fld->maps[j].type, map->type) == 0)
        return bt_fail(parser->opt_error, BT_ERR_INPUT, where, "remove one of the two label and variable lines",
                       "the map of this label is already named in line %ld", fld->maps[j].label_line);
    has_electrostatic = has_electrostatic || map->role == BT_FLD_ELECTROSTATIC;
    has_desolvation = has_desolvation || map->role == BT_FLD_DESOLVATION;
  }
  where.line = 0;
  if (has_electrostatic && has_desolvation) return BT_OK;
  return bt_fail(parser->opt_error, BT_ERR_INPUT, where, "compute the maps again", "no %s map",
                 has_electrostatic ? "desolvation" : "electrostatic");
}

static bt_status check_box(const fld_parser *parser) {
  bt_where where = {.file = parser->label};
  if (parser->found != 7)
    return bt_fail(parser->opt_error, BT_ERR_INPUT, where, "use the .maps.fld written by AutoGrid or berth grid",
                   "no #%s line",
                   !(parser->found & 1) ? "SPACING" : !(parser->found & 2) ? "NELEMENTS" : "CENTER");
  for (int k = 0; k < 3; k++)
    if (parser->dims[k] != 0 && parser->dims[k] - 1 != parser->fld->box.npts[k])
      return bt_fail(parser->opt_error, BT_ERR_INPUT, where, "compute the maps again",
                     "dim%d=%d disagrees with NELEMENTS %d", k + 1, parser->dims[k], parser->fld->box.npts[k]);
  return BT_OK;
}

static bt_status parse_all(fld_parser *parser, const char *data, size_t size) {
  BT_TRY(bt_text_check(parser->label, data, size, "use the .maps.fld written by AutoGrid or berth grid",
                       parser->opt_error));
  bt_lines lines = bt_lines_of(data, size);
  bt_span line;
  int labels = 0;
  while (bt_lines_next(&lines, &line)) BT_TRY(parse_line(parser, line, &labels, lines.number));
  BT_TRY(check_box(parser));
  deduce_scoring(parser);
  return check_maps(parser, labels);
}

bt_status bt_fld_parse(const char *path, const char *data, size_t size, bt_fld *ret_fld, bt_error *opt_error) {
  *ret_fld = (bt_fld){0};
  fld_parser parser = {.label = bt_file_label(path), .fld = ret_fld, .opt_error = opt_error};
  bt_status status = parse_all(&parser, data, size);
  if (status != BT_OK) bt_fld_destroy(ret_fld);
  return status;
}

void bt_fld_destroy(bt_fld *fld) {
  for (int i = 0; i < fld->n_maps; i++) free(fld->maps[i].file);
  free(fld->maps);
  free(fld->receptor_file);
  free(fld->gpf_name);
  *fld = (bt_fld){0};
}

/* ------------------------------------------------------------------------------------------------ writing -- */

/* AutoDock 4 takes the five lines from #SPACING on by position, and other programs the labels up to the first '-'. */
void bt_fld_format(bt_text *text, const bt_box *box, const char *receptor_file, const char *gpf_name,
                   const char *xyz_name, const char (*types)[8], int n_types, const char *const *file_names,
                   bt_scoring scoring) {
  bt_text_add_string(text, "# AVS field file\n#\n# AutoDock affinity, electrostatic and desolvation maps\n#\n");
  bt_text_printf(text, "# Created by Berth %s\n#", BT_VERSION);
  if (scoring != BT_SCORING_UNNAMED) bt_text_printf(text, " Scoring function %s", bt_scoring_name(scoring));
  bt_text_add_char(text, '\n');
  bt_text_printf(text, "#SPACING %.3f\n#NELEMENTS %d %d %d\n#CENTER %.3f %.3f %.3f\n", box->spacing, box->npts[0],
                 box->npts[1], box->npts[2], box->center[0], box->center[1], box->center[2]);
  bt_text_printf(text, "#MACROMOLECULE %s\n#GRID_PARAMETER_FILE %s\n#\n", receptor_file, gpf_name);
  bt_text_add_string(text, "ndim=3\t\t\t# 3-D field\n");
  for (int k = 0; k < 3; k++)
    bt_text_printf(text, "dim%d=%d\t\t\t# points along %c\n", k + 1, box->npts[k] + 1, "xyz"[k]);
  bt_text_printf(text, "nspace=3\t\t# coordinates of a point\nveclen=%d\t\t# values at a point\n", n_types + 2);
  bt_text_add_string(text, "data=float\t\t# kind of value\nfield=uniform\t\t# regular points\n");
  for (int k = 0; k < 3; k++)
    bt_text_printf(text, "coord %d file=%s filetype=ascii offset=%d\n", k + 1, xyz_name, 2 * k);
  for (int m = 0; m < n_types; m++) bt_text_printf(text, "label=%s-affinity\t# variable %d\n", types[m], m + 1);
  bt_text_printf(text, "label=Electrostatics\t# variable %d\nlabel=Desolvation\t# variable %d\n", n_types + 1,
                 n_types + 2);
  bt_text_add_string(text, "#\n# files of the maps\n#\n");
  for (int m = 0; m < n_types + 2; m++)
    bt_text_printf(text, "variable %d file=%s filetype=ascii skip=6\n", m + 1, file_names[m]);
}

void bt_xyz_format(bt_text *text, const bt_box *box) {
  for (int k = 0; k < 3; k++) {
    double half = box->npts[k] / 2 * box->spacing;
    bt_text_printf(text, "%.3f %.3f\n", box->center[k] - half, box->center[k] + half);
  }
}
