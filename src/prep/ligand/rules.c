/* rules.c - reads the tables of data/chem, which the build embeds as text. */
#include "prep/ligand/rules.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static const char types_csv[] =
#include "atom_types.inc"
    ;
static const char ions_csv[] =
#include "ionization.inc"
    ;

enum { FIELD_SIZE = 1024 };

/* The next field of a line of CSV; quotes may enclose one. False when it is too long. */
static bool next_field(bt_span *rest, char field[FIELD_SIZE]) {
  size_t n = 0, at = 0;
  bool quoted = false;
  for (; at < rest->size && (quoted || rest->text[at] != ','); at++) {
    if (rest->text[at] == '"')
      quoted = !quoted;
    else if (n + 1 < FIELD_SIZE)
      field[n++] = rest->text[at];
    else
      return false;
  }
  field[n] = '\0';
  if (at < rest->size) at++;
  *rest = (bt_span){rest->text + at, rest->size - at};
  return true;
}

static bt_status fail_row(const char *table, long line, const char *what, bt_error *opt_error) {
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = table, .line = line}, "correct the table", "%s", what);
}

static bt_status read_types(bt_rules *rules, bt_error *opt_error) {
  const char *table = "data/chem/atom-types.csv";
  bt_lines lines = bt_lines_of(types_csv, sizeof types_csv - 1);
  bt_span line;
  size_t room = 0;
  char type[FIELD_SIZE], smarts[FIELD_SIZE];
  while (bt_lines_next(&lines, &line)) {
    if (lines.number == 1 || line.size == 0) continue;
    if (!next_field(&line, type) || !next_field(&line, smarts) || strlen(type) >= sizeof rules->types->type)
      return fail_row(table, lines.number, "a row needs a type and a pattern", opt_error);
    if (!BT_GROW(rules->types, &room, rules->n_types + 1)) return bt_fail_memory(opt_error);
    rules->types[rules->n_types] = (bt_type_rule){0};
    memcpy(rules->types[rules->n_types].type, type, strlen(type) + 1);
    BT_TRY(bt_smarts_create(smarts, &rules->types[rules->n_types].smarts, opt_error));
    rules->n_types++;
  }
  return BT_OK;
}

static bt_status read_ions(bt_rules *rules, bt_error *opt_error) {
  const char *table = "data/chem/ionization.csv";
  bt_lines lines = bt_lines_of(ions_csv, sizeof ions_csv - 1);
  bt_span line;
  size_t room = 0;
  char group[FIELD_SIZE], pka[FIELD_SIZE], acid[FIELD_SIZE], base[FIELD_SIZE];
  while (bt_lines_next(&lines, &line)) {
    if (lines.number == 1 || line.size == 0) continue;
    double value;
    if (!next_field(&line, group) || !next_field(&line, pka) || !next_field(&line, acid) || !next_field(&line, base) ||
        !bt_parse_double(bt_span_from(pka), &value))
      return fail_row(table, lines.number, "a row needs a name, a pKa and two patterns", opt_error);
    if (!BT_GROW(rules->ions, &room, rules->n_ions + 1)) return bt_fail_memory(opt_error);
    bt_ion_rule *rule = &rules->ions[rules->n_ions++];
    *rule = (bt_ion_rule){.group = bt_copy_text(group, strlen(group)), .pka = value};
    if (rule->group == NULL) return bt_fail_memory(opt_error);
    BT_TRY(bt_smarts_create(acid, &rule->acid, opt_error));
    BT_TRY(bt_smarts_create(base, &rule->base, opt_error));
  }
  return BT_OK;
}

static bt_status read_all(bt_rules *rules, bt_error *opt_error) {
  BT_TRY(read_types(rules, opt_error));
  BT_TRY(read_ions(rules, opt_error));
  BT_TRY(bt_smarts_create("[NX3]-[CX3]=[O,N]", &rules->amide, opt_error));
  BT_TRY(bt_smarts_create("[NX3]-[CX3]=[O,N,S]", &rules->thioamide, opt_error));
  BT_TRY(bt_smarts_create("[NX3]([!#1])([!#1])-[CX3]=[O,N]", &rules->tertiary_amide, opt_error));
  BT_TRY(bt_smarts_create("[NX3]([!#1])([!#1])-[CX3]=[O,N,S]", &rules->tertiary_thioamide, opt_error));
  BT_TRY(bt_smarts_create("[*]-[*]#[*]-[*]", &rules->alkyne, opt_error));
  BT_TRY(bt_smarts_create("[*]-[*]#[*X1]", &rules->nitrile, opt_error));
  BT_TRY(bt_smarts_create("*=*[*]=,#,:[*]", &rules->conjugated, opt_error));
  BT_TRY(bt_smarts_create("[$([+;!H0;!$(*~[-])]),$([#7,#8,#16;-;!$(*~[+])])]", &rules->ion, opt_error));
  BT_TRY(bt_smarts_create("[#1]", &rules->hydrogen, opt_error));
  BT_TRY(bt_smarts_create("[!#1;h]", &rules->lacking, opt_error));
  return bt_smarts_create("[#7,#8,#16]-[#1]", &rules->polar_hydrogen, opt_error);
}

bt_status bt_rules_create(bt_rules **ret_rules, bt_error *opt_error) {
  bt_rules *rules = bt_allocate(1, sizeof *rules);
  if (rules == NULL) return bt_fail_memory(opt_error);
  bt_status status = read_all(rules, opt_error);
  return BT_HAND_OVER(status, rules, ret_rules, bt_rules_destroy);
}

void bt_rules_destroy(bt_rules *opt_rules) {
  bt_rules *rules = opt_rules;
  if (rules == NULL) return;
  for (int i = 0; i < rules->n_types; i++) bt_smarts_destroy(rules->types[i].smarts);
  for (int i = 0; i < rules->n_ions; i++) {
    free(rules->ions[i].group);
    bt_smarts_destroy(rules->ions[i].acid);
    bt_smarts_destroy(rules->ions[i].base);
  }
  bt_filter_destroy(rules->opt_filter);
  bt_tautomer_rules_destroy(rules->opt_tautomers);
  free(rules->types);
  free(rules->ions);
  bt_smarts *const patterns[] = {rules->amide,    rules->thioamide, rules->tertiary_amide, rules->tertiary_thioamide,
                                 rules->alkyne,   rules->nitrile,   rules->conjugated,     rules->ion,
                                 rules->hydrogen, rules->lacking,   rules->polar_hydrogen};
  for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) bt_smarts_destroy(patterns[i]);
  free(rules);
}
