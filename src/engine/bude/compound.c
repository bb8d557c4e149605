/* compound.c - a ligand in memory. */
#include "engine/bude/compound.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/sybyl.h"

/* ------------------------------------------------------------------------------------------------- typing -- */

static int find_row(const bt_bude_typing *typing, const char *type) {
  return bt_bude_type_find(typing->forcefield, typing->forcefield->n_groups > 1 ? "WLD" : NULL, type);
}

/* The type that the user gave for one that the force field lacks, as a copy in buffer. */
static const char *find_alias(const bt_bude_typing *typing, const char *type, char buffer[16]) {
  size_t length = strlen(type);
  for (int i = 0; i < typing->n_aliases; i++) {
    const char *word = typing->aliases[i];
    if (strncmp(word, type, length) != 0 || word[length] != '=') continue;
    return bt_span_copy(bt_span_from(word + length + 1), buffer, 16) ? buffer : NULL;
  }
  return NULL;
}

int bt_bude_typing_find(const bt_bude_typing *typing, const char *type, bool automatic) {
  char buffer[16];
  for (int row; type != NULL; type = automatic ? bt_sybyl_parent(type) : NULL) {
    if ((row = find_row(typing, type)) >= 0) return row;
    const char *alias = find_alias(typing, type, buffer);
    if (alias != NULL && (row = find_row(typing, alias)) >= 0) return row;
  }
  return -1;
}

int bt_bude_typing_find_residue(const bt_bude_typing *typing, const char *residue, const char *name, const char *type,
                                bool automatic) {
  char group[4] = "";
  snprintf(group, sizeof group, "%s", residue);
  if (typing->forcefield->n_groups > 1) {
    int row = bt_bude_type_find(typing->forcefield, group, name);
    if (row >= 0) return row;
  }
  return type != NULL ? bt_bude_typing_find(typing, type, automatic) : -1;
}

bt_status bt_bude_typing_fail(const bt_bude_typing *typing, bt_where where, const char *type, const char *name,
                              bt_error *opt_error) {
  return bt_fail(opt_error, BT_ERR_PARAMETER, where,
                 "correct the type, add a row for it to the force field, or use --alias TYPE=KNOWN",
                 "atom %.20s has the type '%.20s', which is not in %.200s", name, type, typing->label);
}

/* ----------------------------------------------------------------------------------------------- compound -- */

bt_status bt_bude_compound_create(bt_mol2 *mol2, const char *name, bool automatic, bt_bude_compound **ret_compound,
                                  bt_error *opt_error) {
  bt_bude_compound *c = bt_allocate(1, sizeof *c);
  if (c == NULL) {
    bt_mol2_destroy(mol2);
    return bt_fail_memory(opt_error);
  }
  *c = (bt_bude_compound){.name = bt_copy_text(name, strlen(name)), .mol2 = mol2, .automatic = automatic};
  if (c->name == NULL) {
    bt_bude_compound_destroy(c);
    return bt_fail_memory(opt_error);
  }
  *ret_compound = c;
  return BT_OK;
}

void bt_bude_compound_destroy(bt_bude_compound *opt_compound) {
  if (opt_compound == NULL) return;
  bt_mol2_destroy(opt_compound->mol2);
  bt_rdmol_destroy(opt_compound->opt_mol);
  bt_text_destroy(&opt_compound->notes);
  free(opt_compound->name);
  free(opt_compound->heavy);
  free(opt_compound->type);
  free(opt_compound);
}

bt_status bt_bude_compound_type(bt_bude_compound *c, const bt_bude_typing *typing, bt_error *opt_error) {
  const bt_mol2 *m = c->mol2;
  c->heavy = bt_allocate((size_t)m->n_atoms, sizeof *c->heavy);
  c->type = bt_allocate((size_t)m->n_atoms, sizeof *c->type);
  if (c->heavy == NULL || c->type == NULL) return bt_fail_memory(opt_error);
  for (int i = 0; i < m->n_atoms; i++) {
    if (bt_mol2_is_hydrogen(&m->atoms[i])) continue;
    int row = bt_bude_typing_find(typing, m->atoms[i].type, c->automatic);
    if (row < 0) {
      bt_where where = {.file = m->path, .line = m->atoms[i].line > 0 ? m->atoms[i].line : m->line, .atom = i + 1};
      return bt_bude_typing_fail(typing, where, m->atoms[i].type, m->atoms[i].name, opt_error);
    }
    c->heavy[c->n_heavy] = i;
    c->type[c->n_heavy++] = row;
  }
  if (c->n_heavy == 0)
    return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = m->path, .line = m->line},
                   "repair or leave out this record", "the ligand has no heavy atoms");
  return BT_OK;
}

void bt_bude_compound_add_note(bt_bude_compound *c, const char *format, ...) {
  char line[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  bt_text_add(&c->notes, line, strlen(line) + 1);
  c->n_notes++;
}

bool bt_bude_compound_same(const bt_bude_compound *a, const bt_bude_compound *b) {
  const bt_mol2 *m = a->mol2, *n = b->mol2;
  bool same = m->n_conformers > 0 && n->n_conformers > 0 && strcmp(m->path, n->path) == 0 &&
              strcmp(a->name, b->name) == 0 && m->n_atoms == n->n_atoms && m->n_bonds == n->n_bonds;
  for (int i = 0; same && i < m->n_atoms; i++) same = strcmp(m->atoms[i].type, n->atoms[i].type) == 0;
  for (int i = 0; same && i < m->n_bonds; i++)
    same = m->bonds[i].a == n->bonds[i].a && m->bonds[i].b == n->bonds[i].b &&
           strcmp(m->bonds[i].order, n->bonds[i].order) == 0;
  return same;
}

bt_status bt_bude_compound_join(bt_bude_compound *compound, const bt_bude_compound *more, bt_error *opt_error) {
  bt_mol2 *m = compound->mol2;
  size_t have = (size_t)m->n_conformers * (size_t)m->n_atoms,
         add = (size_t)more->mol2->n_conformers * (size_t)m->n_atoms;
  double(*x)[3] = realloc(m->x, (have + add) * sizeof *x);
  if (x == NULL) return bt_fail_memory(opt_error);
  m->x = x;
  memcpy(x + have, more->mol2->x, add * sizeof *x);
  m->n_conformers += more->mol2->n_conformers;
  return BT_OK;
}

const double (*bt_bude_compound_x(const bt_bude_compound *compound, int conformer))[3] {
  return (const double(*)[3])compound->mol2->x + (size_t)conformer * (size_t)compound->mol2->n_atoms;
}

void bt_bude_compound_center(const bt_bude_compound *compound, int conformer, double ret_center[3]) {
  const double(*x)[3] = bt_bude_compound_x(compound, conformer);
  for (int k = 0; k < 3; k++) {
    double sum = 0;
    for (int i = 0; i < compound->n_heavy; i++) sum += x[compound->heavy[i]][k];
    ret_center[k] = sum / compound->n_heavy;
  }
}

double bt_bude_compound_atoms(const bt_bude_compound *compound, int conformer, bt_bude_atom *ret_atoms) {
  const double(*x)[3] = bt_bude_compound_x(compound, conformer);
  double center[3], largest = 0;
  bt_bude_compound_center(compound, conformer, center);
  for (int i = 0; i < compound->n_heavy; i++) {
    const double *at = x[compound->heavy[i]];
    double d[3] = {at[0] - center[0], at[1] - center[1], at[2] - center[2]};
    ret_atoms[i] = (bt_bude_atom){(float)d[0], (float)d[1], (float)d[2], compound->type[i]};
    largest = fmax(largest, sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
  }
  return largest;
}

uint32_t bt_bude_compound_id(const bt_bude_compound *compound, int conformer) {
  uint32_t hash = 2166136261u; /* FNV-1a */
  for (const char *c = compound->name; *c != '\0'; c++) hash = (hash ^ (unsigned char)*c) * 16777619u;
  return hash + 0x9E3779B9u * (uint32_t)conformer;
}

/* ---------------------------------------------------------------------------------------- public accessors -- */

const char *bt_bude_compound_name(const bt_bude_compound *compound) { return compound->name; }
int bt_bude_compound_heavy_count(const bt_bude_compound *compound) { return compound->n_heavy; }
int bt_bude_compound_conformer_count(const bt_bude_compound *compound) { return compound->mol2->n_conformers; }
int bt_bude_compound_note_count(const bt_bude_compound *compound) {
  return compound->notes.failed ? 0 : compound->n_notes;
}

const char *bt_bude_compound_note(const bt_bude_compound *compound, int index) {
  const char *at = compound->notes.data;
  for (int i = 0; i < index; i++) at += strlen(at) + 1;
  return at;
}
