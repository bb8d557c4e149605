/* templates.c - reads the residue tables. They were validated when generated, so an error is internal. */
#include "prep/receptor/residues/templates.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/element.h"

extern const char bt_residues_templates[], bt_residues_atoms[], bt_residues_names[], bt_residues_atom_names[],
    bt_residues_additives[];

/* Called for each row after the title line. */
typedef bool row_reader(bt_templates *templates, const bt_span *fields);

enum { MAX_FIELDS = 8 };

/* The last of n_fields takes the rest of the line, commas included. */
static int split(bt_span line, int n_fields, bt_span fields[MAX_FIELDS]) {
  int count = 0;
  while (count < n_fields) {
    const char *comma = count + 1 < n_fields ? memchr(line.text, ',', line.size) : NULL;
    size_t size = comma != NULL ? (size_t)(comma - line.text) : line.size;
    fields[count++] = (bt_span){line.text, size};
    if (comma == NULL) break;
    line.text += size + 1;
    line.size -= size + 1;
  }
  return count;
}

static int count_rows(const char *table) {
  int rows = 0;
  for (const char *at = table; *at != '\0'; at++) rows += *at == '\n';
  return rows;
}

static bool read_rows(bt_templates *templates, const char *table, int n_fields, row_reader *reader) {
  bt_lines lines = bt_lines_of(table, strlen(table));
  bt_span line, fields[MAX_FIELDS];
  bool title = true;
  while (bt_lines_next(&lines, &line)) {
    if (line.size == 0) continue;
    if (!title && (split(line, n_fields, fields) < n_fields || !reader(templates, fields))) return false;
    title = false;
  }
  return true;
}

static bool read_template(bt_templates *templates, const bt_span *fields) {
  static const char *const places[] = {"inner",        "first",           "last",  "both", "first-neutral",
                                       "last-neutral", "first-phosphate", "single"};
  static const char *const kinds[] = {"amino",    "nucleic",  "cap",   "water",   "ion",
                                      "stand-in", "additive", "sugar", "cofactor", "lipid"};
  bt_template *t = &templates->items[templates->n_items++];
  int place = bt_span_index(fields[2], places, 8), kind = bt_span_index(fields[3], kinds, 10);
  t->place = (bt_chain_position)place;
  t->kind = (bt_residue_class)kind;
  t->title = fields[5];
  return place >= 0 && kind >= 0 && bt_span_copy(fields[0], t->name, sizeof t->name) &&
         bt_span_copy(fields[1], t->family, sizeof t->family) && bt_parse_int(fields[4], &t->charge);
}

static bool add_bond(bt_template *t, int a, int b, bool turns) {
  for (int end = 0; end < 2; end++) {
    bt_template_atom *atom = &t->atoms[end == 0 ? a : b];
    if (atom->n_bonds == BT_TEMPLATE_BONDS) return false;
    atom->turns[atom->n_bonds] = turns;
    atom->bonds[atom->n_bonds++] = end == 0 ? b : a;
  }
  return true;
}

/* Rows of one template are consecutive, in the order of templates.csv. n_items serves as the index of the template
 * being filled, plus 1. */
static bool read_atom(bt_templates *templates, const bt_span *fields) {
  bt_template *t = templates->n_items > 0 ? &templates->items[templates->n_items - 1] : NULL;
  if (t == NULL || !bt_span_equals(fields[0], t->name)) {
    t = &templates->items[templates->n_items++];
    if (!bt_span_equals(fields[0], t->name)) return false;
    t->atoms = t == templates->items ? templates->atoms : t[-1].atoms + t[-1].n_atoms;
  }
  int index = t->n_atoms++;
  bt_template_atom *a = &t->atoms[index];
  if (!bt_span_copy(fields[1], a->name, sizeof a->name) || !bt_span_copy(fields[2], a->symbol, sizeof a->symbol) ||
      !bt_span_copy(fields[3], a->type, sizeof a->type) || !bt_parse_double(fields[4], &a->charge))
    return false;
  a->element = bt_element_of_symbol(a->symbol);
  a->planar = bt_span_equals(fields[5], "1");
  bt_span rest = fields[6];
  for (bt_span word = bt_span_word(&rest); word.size > 0; word = bt_span_word(&rest)) {
    bool turns = word.text[word.size - 1] == '*';
    char name[8];
    if (!bt_span_copy((bt_span){word.text, word.size - turns}, name, sizeof name)) return false;
    int other = bt_template_find(t, name);
    if (other < 0 || other == index || !add_bond(t, index, other, turns)) return false;
    if (a->element == 1) t->atoms[other].hydrogens++;
  }
  return true;
}

static bool read_name(bt_templates *templates, const bt_span *fields) {
  bt_residue_name *n = &templates->names[templates->n_names++];
  bt_span rest = fields[1];
  for (bt_span word = bt_span_word(&rest); word.size > 0; word = bt_span_word(&rest))
    if (n->n_families == BT_MAX_FAMILIES || !bt_span_copy(word, n->families[n->n_families++], 8)) return false;
  return bt_span_copy(fields[0], n->name, sizeof n->name);
}

static bool read_alias(bt_templates *templates, const bt_span *fields) {
  bt_atom_alias *a = &templates->aliases[templates->n_aliases++];
  return bt_span_copy(fields[0], a->family, 8) && bt_span_copy(fields[1], a->alias, 8) &&
         bt_span_copy(fields[2], a->name, 8);
}

static bool read_additive(bt_templates *templates, const bt_span *fields) {
  return bt_span_copy(fields[0], templates->additives[templates->n_additives++].name, 8);
}

static bool read_tables(bt_templates *templates) {
  if (!read_rows(templates, bt_residues_templates, 6, read_template)) return false;
  int count = templates->n_items;
  templates->n_items = 0;
  return read_rows(templates, bt_residues_atoms, 7, read_atom) && templates->n_items == count &&
         read_rows(templates, bt_residues_names, 2, read_name) &&
         read_rows(templates, bt_residues_atom_names, 3, read_alias) &&
         read_rows(templates, bt_residues_additives, 2, read_additive);
}

static int compare_families(const void *a, const void *b) {
  const bt_template *const *one = a, *const *two = b;
  int order = strcmp((*one)->family, (*two)->family);
  return order != 0 ? order : (*one > *two) - (*one < *two);
}

static int compare_names(const void *a, const void *b) {
  const bt_residue_name *one = a, *two = b;
  return strcmp(one->name, two->name);
}

static void sort_tables(bt_templates *templates) {
  for (int k = 0; k < templates->n_items; k++) templates->by_family[k] = &templates->items[k];
  qsort(templates->by_family, (size_t)templates->n_items, sizeof *templates->by_family, compare_families);
  qsort(templates->names, (size_t)templates->n_names, sizeof *templates->names, compare_names);
}

/* The templates of a family within by_family, and their number. */
static const bt_template **family_of(const bt_templates *templates, const char *family, int *ret_count) {
  int low = 0, high = templates->n_items;
  while (low < high) {
    int middle = (low + high) / 2;
    if (strcmp(templates->by_family[middle]->family, family) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  *ret_count = 0;
  while (low + *ret_count < templates->n_items && strcmp(templates->by_family[low + *ret_count]->family, family) == 0)
    ++*ret_count;
  return &templates->by_family[low];
}

bt_status bt_templates_create(bt_templates **ret_templates, bt_error *opt_error) {
  *ret_templates = NULL;
  bt_templates *templates = bt_allocate(1, sizeof *templates);
  if (templates == NULL) return bt_fail_memory(opt_error);
  BT_NEW(&templates->arena, templates->items, count_rows(bt_residues_templates) + 1);
  BT_NEW(&templates->arena, templates->by_family, count_rows(bt_residues_templates) + 1);
  BT_NEW(&templates->arena, templates->atoms, count_rows(bt_residues_atoms) + 1);
  BT_NEW(&templates->arena, templates->names, count_rows(bt_residues_names) + 1);
  BT_NEW(&templates->arena, templates->additives, count_rows(bt_residues_additives) + 1);
  BT_NEW(&templates->arena, templates->aliases, count_rows(bt_residues_atom_names) + 1);
  bt_status status = bt_arena_status(&templates->arena, opt_error);
  if (status == BT_OK && !read_tables(templates))
    status = bt_fail(opt_error, BT_ERR_PARAMETER, (bt_where){0}, "regenerate them with tools/residues.py",
                     "the built-in residue tables are damaged");
  if (status == BT_OK) sort_tables(templates);
  return BT_HAND_OVER(status, templates, ret_templates, bt_templates_destroy);
}

void bt_templates_destroy(bt_templates *opt_templates) {
  if (opt_templates == NULL) return;
  bt_arena_destroy(&opt_templates->arena);
  free(opt_templates);
}

bt_residue_name bt_templates_families(const bt_templates *templates, const char *residue) {
  bt_residue_name name = {0};
  int count;
  if (!bt_span_copy(bt_span_from(residue), name.name, sizeof name.name)) return (bt_residue_name){0};
  const bt_residue_name *listed =
      bsearch(&name, templates->names, (size_t)templates->n_names, sizeof *templates->names, compare_names);
  if (listed != NULL) return *listed;
  const bt_template **first = family_of(templates, residue, &count);
  if (count == 0) return (bt_residue_name){0};
  memcpy(name.families[name.n_families++], first[0]->family, 8);
  return name;
}

const bt_template *bt_templates_find(const bt_templates *templates, const char *family, bt_chain_position place) {
  int count;
  const bt_template **first = family_of(templates, family, &count);
  for (int k = 0; k < count; k++)
    if (first[k]->place == place) return first[k];
  return NULL;
}

bool bt_templates_is_additive(const bt_templates *templates, const char *residue) {
  for (int k = 0; k < templates->n_additives; k++)
    if (strcmp(templates->additives[k].name, residue) == 0) return true;
  bt_residue_name name = bt_templates_families(templates, residue);
  const bt_template *t =
      name.n_families > 0 ? bt_templates_find(templates, name.families[0], BT_CHAIN_SINGLE) : NULL;
  return t != NULL && t->kind == BT_CLASS_ADDITIVE;
}

int bt_template_find(const bt_template *template, const char *name) {
  for (int i = 0; i < template->n_atoms; i++)
    if (strcmp(template->atoms[i].name, name) == 0) return i;
  return -1;
}

int bt_templates_atom(const bt_templates *templates, const bt_template *template, const char *name) {
  int found = bt_template_find(template, name);
  char primed[8];
  bt_span_copy(bt_span_from(name), primed, sizeof primed);
  for (char *c = primed; found < 0 && *c != '\0'; c++)
    if (*c == '*') *c = '\'';
  if (found < 0) found = bt_template_find(template, primed);
  for (int k = 0; found < 0 && k < templates->n_aliases; k++) {
    const bt_atom_alias *a = &templates->aliases[k];
    if (strcmp(a->alias, primed) == 0 && (strcmp(a->family, "*") == 0 || strcmp(a->family, template->family) == 0))
      found = bt_template_find(template, a->name);
  }
  return found;
}
