/* bude.c - reads BUDE's force fields and turns two types into the law of their pair.
 *
 * Contents: 1. Text (.bhff)  2. Decks  3. Looking up types  4. Laws
 */
#include "forcefield/bude.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/file.h"
#include "base/memory.h"

static const char wildcard[] = "WLD";

/* With charges of 22.5 a typical hydrogen bond contributes 2.5 kcal/mol; reaches in Angstrom. */
#define CHARGE_CONSTANT 22.5
#define CHARGE_REACH 2.0
#define FORMAL_REACH 4.0
#define DECK_HARDNESS 38.0
#define DECK_REACH_NONPOLAR 5.5
#define DECK_REACH_POLAR 1.0

static void add_word(uint32_t *hash, uint32_t word) {
  for (int byte = 0; byte < 4; byte++) *hash = (*hash ^ (word >> (8 * byte) & 255)) * 16777619u; /* FNV-1a */
}

/* Of what changes energies: classes and parameters, as single precision, in the order of the types. */
static uint32_t hash_of(const bt_bude_forcefield *forcefield) {
  uint32_t hash = 2166136261u;
  for (int t = 0; t < forcefield->n_types; t++) {
    const bt_bude_type *type = &forcefield->types[t];
    float values[] = {(float)type->radius,         (float)type->hydrophobic, (float)type->hardness,
                      (float)type->reach_nonpolar, (float)type->reach_polar, (float)type->charge};
    uint32_t words[sizeof values / sizeof values[0]];
    memcpy(words, values, sizeof words);
    add_word(&hash, (uint32_t)type->class);
    for (size_t v = 0; v < sizeof words / sizeof words[0]; v++) add_word(&hash, words[v]);
  }
  return hash;
}

void bt_bude_forcefield_destroy(bt_bude_forcefield *opt_forcefield) {
  if (opt_forcefield == NULL) return;
  free(opt_forcefield->types);
  free(opt_forcefield->groups);
  free(opt_forcefield);
}

/* ---- 1. Text ---- */

typedef struct reader {
  const char *label;
  bt_lines lines;
  bt_bude_forcefield *forcefield;
  size_t type_capacity, group_capacity;
  bt_error *opt_error;
} reader;

static const char *const row_remedy =
    "write: NAME CLASS radius potential hardness nn-reach np-reach radius-scale charge, with a class of - D E F P; all "
    "but potential and charge are 0.001 or more";

#define FAIL(r, remedy, ...) return bt_fail((r)->opt_error, BT_ERR_INPUT, here(r), remedy, __VA_ARGS__)

static bt_where here(const reader *r) { return (bt_where){.file = r->label, .line = r->lines.number}; }

/* The next line that is not blank or a comment, without its comment. */
static bool next_line(reader *r, bt_span *ret_line) {
  bt_span line;
  while (bt_lines_next(&r->lines, &line)) {
    const char *comment = memchr(line.text, '#', line.size);
    if (comment != NULL) line.size = (size_t)(comment - line.text);
    *ret_line = bt_span_trim(line);
    if (ret_line->size > 0) return true;
  }
  return false;
}

static bt_status read_header(reader *r) {
  bt_span line;
  bool binary = bt_text_is_binary(r->lines.at, (size_t)(r->lines.end - r->lines.at)); /* a NUL would end names */
  bool first = !binary && bt_lines_next(&r->lines, &line) && bt_span_starts(line, "%BUDE HEAVY ATOM");
  bool second = first && bt_lines_next(&r->lines, &line) && bt_span_starts(line, "%VERSION 2");
  if (second) return BT_OK;
  FAIL(r,
       "use a force field (.bhff) of version 2.00: its first lines are '%BUDE HEAVY ATOM ...' and "
       "'%VERSION 2.00'",
       "this is not a BUDE force field");
}

static bt_status read_number(const reader *r, bt_span *rest, const char *what, bool positive, double *ret_value) {
  bt_span word = bt_span_word(rest);
  /* kernels take reciprocals, and quotients of two, in single precision */
  const double smallest = 1e-3, largest = 1e6;
  if (bt_parse_double(word, ret_value) && fabs(*ret_value) < largest && (!positive || *ret_value >= smallest))
    return BT_OK;
  FAIL(r, row_remedy, "'%.*s' is not a valid %s", BT_SHOWN(word), what);
}

static bt_status read_row(reader *r, bt_span rest, int group) {
  bt_bude_type type = {.group = group};
  double scale;
  bt_span name = bt_span_word(&rest);
  if (!bt_span_copy(name, type.name, sizeof type.name))
    FAIL(r, row_remedy, "'%.*s' is not an atom type (1 to 7 characters)", BT_SHOWN(name));
  bt_span class = bt_span_word(&rest);
  if (class.size != 1 || strchr("-DEFP", class.text[0]) == NULL)
    FAIL(r, row_remedy, "'%.*s' is not a class", BT_SHOWN(class));
  type.class = class.text[0];
  BT_TRY(read_number(r, &rest, "radius", true, &type.radius));
  BT_TRY(read_number(r, &rest, "hydrophobic potential", false, &type.hydrophobic));
  BT_TRY(read_number(r, &rest, "hardness", true, &type.hardness));
  BT_TRY(read_number(r, &rest, "reach of non-polar pairs", true, &type.reach_nonpolar));
  BT_TRY(read_number(r, &rest, "reach of polar pairs", true, &type.reach_polar));
  BT_TRY(read_number(r, &rest, "radius scale", true, &scale));
  BT_TRY(read_number(r, &rest, "charge", false, &type.charge));
  if (bt_span_trim(rest).size > 0) FAIL(r, row_remedy, "there are more than nine columns");
  type.radius *= scale;
  bt_bude_forcefield *forcefield = r->forcefield;
  for (int t = forcefield->groups[group].first; t < forcefield->n_types; t++)
    if (strcmp(forcefield->types[t].name, type.name) == 0)
      FAIL(r, "keep one row of each name", "%s has a second row of %s", forcefield->groups[group].name, type.name);
  forcefield->groups[group].count++;
  bool added = BT_APPEND(forcefield->types, forcefield->n_types, &r->type_capacity, type);
  return added ? BT_OK : bt_fail_memory(r->opt_error);
}

static bt_status read_group(reader *r, bt_span rest, int *ret_rows) {
  static const char *const remedy = "write the residue's identifier and how many rows follow, as in 'ALA 5'";
  bt_bude_forcefield *forcefield = r->forcefield;
  bt_bude_group group = {.first = forcefield->n_types};
  bt_span name = bt_span_word(&rest), count = bt_span_word(&rest);
  if (!bt_span_copy(name, group.name, sizeof group.name) || !bt_parse_int(count, ret_rows) || *ret_rows < 0 ||
      bt_span_trim(rest).size > 0)
    FAIL(r, remedy, "'%.*s' does not open a group of rows", BT_SHOWN(name));
  for (int g = 0; g < forcefield->n_groups; g++)
    if (strcmp(forcefield->groups[g].name, group.name) == 0)
      FAIL(r, "keep one group of each name", "group %s is there twice", group.name);
  bool added = BT_APPEND(forcefield->groups, forcefield->n_groups, &r->group_capacity, group);
  return added ? BT_OK : bt_fail_memory(r->opt_error);
}

static bt_status read_groups(reader *r) {
  bt_span line;
  int n_groups = 0;
  if (!next_line(r, &line) || !bt_parse_int(line, &n_groups) || n_groups < 1)
    FAIL(r, "write the number of groups above the first one", "the number of groups is missing");
  for (int g = 0; g < n_groups; g++) {
    int rows = 0;
    if (!next_line(r, &line) || bt_span_equals(line, "END"))
      FAIL(r, "complete the file, or correct the number of groups", "there are %d of %d groups", g, n_groups);
    BT_TRY(read_group(r, line, &rows));
    for (int row = 0; row < rows; row++) {
      if (!next_line(r, &line) || bt_span_equals(line, "END"))
        FAIL(r, "complete the file, or correct the number of rows", "group %s has %d of %d rows",
             r->forcefield->groups[g].name, row, rows);
      BT_TRY(read_row(r, line, g));
    }
  }
  bool more = next_line(r, &line);
  r->forcefield->complete = more && bt_span_equals(line, "END");
  if (more && !r->forcefield->complete)
    FAIL(r, "correct the number of groups or of the last group's rows", "'%.*s' is behind the last group",
         BT_SHOWN(line));
  if (r->forcefield->n_types == 0) FAIL(r, row_remedy, "the force field has no types");
  return BT_OK;
}

bt_status bt_bude_forcefield_parse(const char *text, size_t size, const char *label,
                                   bt_bude_forcefield **ret_forcefield, bt_error *opt_error) {
  reader r = {.label = label, .lines = bt_lines_of(text, size), .opt_error = opt_error};
  r.forcefield = bt_allocate(1, sizeof *r.forcefield);
  if (r.forcefield == NULL) return bt_fail_memory(opt_error);
  bt_status status = read_header(&r);
  if (status == BT_OK) status = read_groups(&r);
  r.forcefield->hash = hash_of(r.forcefield);
  return BT_HAND_OVER(status, r.forcefield, ret_forcefield, bt_bude_forcefield_destroy);
}

bt_status bt_bude_forcefield_read(const char *path, bt_bude_forcefield **ret_forcefield, bt_error *opt_error) {
  BT_SCOPED char *text = NULL;
  size_t size;
  BT_TRY(bt_file_read(path, &text, &size, opt_error));
  return bt_bude_forcefield_parse(text, size, bt_file_label(path), ret_forcefield, opt_error);
}

/* ---- 2. Decks ---- */

static bt_status read_records(const char *label, const char *data, size_t size, bt_bude_forcefield *forcefield,
                              bt_error *opt_error) {
  static const char *const remedy =
      "use a deck's forcefield.in: records of int32 class, float32 radius, potential, charge";
  enum { RECORD = 16, MOST = 1 << 20 };
  if (size == 0 || size % RECORD != 0 || size / RECORD > MOST)
    return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = label}, remedy,
                   "%zu bytes are not a whole number of %d-byte types, or too many", size, RECORD);
  forcefield->n_types = (int)(size / RECORD);
  forcefield->types = bt_allocate((size_t)forcefield->n_types, sizeof *forcefield->types);
  if (forcefield->types == NULL) return bt_fail_memory(opt_error);
  for (int t = 0; t < forcefield->n_types; t++) {
    int32_t class;
    float values[3];
    memcpy(&class, data + (size_t)t * RECORD, sizeof class);
    memcpy(values, data + (size_t)t * RECORD + sizeof class, sizeof values);
    for (int v = 0; v < 3; v++)
      if (!(fabsf(values[v]) < 1e6f) || values[0] < 0)
        return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = label}, remedy,
                       "type %d has parameters that cannot be used", t);
    forcefield->types[t] = (bt_bude_type){.group = -1,
                                          .class = class,
                                          .radius = values[0],
                                          .hydrophobic = values[1],
                                          .charge = values[2],
                                          .hardness = DECK_HARDNESS,
                                          .reach_nonpolar = DECK_REACH_NONPOLAR,
                                          .reach_polar = DECK_REACH_POLAR};
  }
  forcefield->complete = true;
  forcefield->hash = hash_of(forcefield);
  return BT_OK;
}

bt_status bt_bude_forcefield_read_deck(const char *path, bt_bude_forcefield **ret_forcefield, bt_error *opt_error) {
  BT_SCOPED char *data = NULL;
  size_t size;
  BT_TRY(bt_file_read(path, &data, &size, opt_error));
  bt_bude_forcefield *forcefield = bt_allocate(1, sizeof *forcefield);
  if (forcefield == NULL) return bt_fail_memory(opt_error);
  bt_status status = read_records(bt_file_label(path), data, size, forcefield, opt_error);
  return BT_HAND_OVER(status, forcefield, ret_forcefield, bt_bude_forcefield_destroy);
}

/* ---- 3. Looking up types ---- */

static int find_in(const bt_bude_forcefield *forcefield, const bt_bude_group *group, const char *name) {
  for (int t = group->first; t < group->first + group->count; t++)
    if (strcmp(forcefield->types[t].name, name) == 0) return t;
  return -1;
}

int bt_bude_type_find(const bt_bude_forcefield *forcefield, const char *opt_group, const char *name) {
  int found = -1;
  for (int g = 0; g < forcefield->n_groups && found < 0; g++)
    if (opt_group == NULL || strcmp(forcefield->groups[g].name, opt_group) == 0)
      found = find_in(forcefield, &forcefield->groups[g], name);
  for (int g = 0; g < forcefield->n_groups && found < 0; g++)
    if (strcmp(forcefield->groups[g].name, wildcard) == 0) found = find_in(forcefield, &forcefield->groups[g], name);
  return found;
}

/* ---- 4. Laws ---- */

bt_bude_law bt_bude_law_of(const bt_bude_type *receptor, const bt_bude_type *ligand, bt_bude_rules rules) {
  bool deck = rules == BT_BUDE_RULES_DECK;
  bt_bude_law law = {.radii = receptor->radius + ligand->radius,
                     .hardness = deck ? DECK_HARDNESS : 0.5 * (receptor->hardness + ligand->hardness),
                     .charge_reach = CHARGE_REACH,
                     .desolvation_reach = DECK_REACH_POLAR};

  bool formal = receptor->class == BT_BUDE_CLASS_FORMAL && ligand->class == BT_BUDE_CLASS_FORMAL;
  bool either = receptor->class == BT_BUDE_CLASS_EITHER || ligand->class == BT_BUDE_CLASS_EITHER;
  law.charge = CHARGE_CONSTANT * receptor->charge * ligand->charge;
  if (either) law.charge = -fabs(law.charge);
  if (formal) law.charge_reach = FORMAL_REACH;
  if (rules == BT_BUDE_RULES_B) {
    bool none = receptor->class == BT_BUDE_CLASS_NONE || ligand->class == BT_BUDE_CLASS_NONE;
    bool pi = receptor->class == BT_BUDE_CLASS_PI || ligand->class == BT_BUDE_CLASS_PI;
    bool any_formal = receptor->class == BT_BUDE_CLASS_FORMAL || ligand->class == BT_BUDE_CLASS_FORMAL;
    if (none || (pi && !any_formal)) law.charge = 0;
  }

  double hr = receptor->hydrophobic, hl = ligand->hydrophobic;
  if (hr < 0 && hl < 0) {
    law.desolvation = 0.5 * (hr + hl);
    law.desolvation_reach = deck ? DECK_REACH_NONPOLAR : 0.5 * (receptor->reach_nonpolar + ligand->reach_nonpolar);
  } else if ((hr < 0 && hl > 0) || (hr > 0 && hl < 0)) {
    law.desolvation = 0.5 * (fabs(hr) + fabs(hl));
    law.desolvation_reach = deck ? DECK_REACH_POLAR : 0.5 * (receptor->reach_polar + ligand->reach_polar);
  }
  return law;
}
