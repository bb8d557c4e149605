/* compound.c - a ligand in memory. */
#include "engine/bude/compound.h"

#include <math.h>
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

bt_status bt_bude_compound_create(bt_mol2 *mol2, bt_rdmol *opt_mol, const char *name,
                                  bt_bude_compound **ret_compound, bt_error *opt_error) {
  bt_bude_compound *c = bt_allocate(1, sizeof *c);
  bt_chemistry *chemistry = bt_allocate(1, sizeof *chemistry);
  bt_status status = c != NULL && chemistry != NULL ? BT_OK : bt_fail_memory(opt_error);
  if (status == BT_OK) status = bt_molecule_create(BT_MOLECULE_LIGAND, mol2->path, name, &c->molecule, opt_error);
  if (status != BT_OK) {
    bt_mol2_destroy(mol2);
    bt_rdmol_destroy(opt_mol);
    free(chemistry);
    free(c);
    return status;
  }
  c->mol2 = mol2;
  c->automatic = opt_mol != NULL;
  c->molecule->chemistry = chemistry;
  *chemistry = (bt_chemistry){.references = 1, .mol = opt_mol};
  *ret_compound = c;
  return BT_OK;
}

void bt_bude_compound_destroy(bt_bude_compound *opt_compound) {
  if (opt_compound == NULL) return;
  bt_mol2_destroy(opt_compound->mol2);
  bt_molecule_destroy(opt_compound->molecule);
  free(opt_compound->heavy);
  free(opt_compound->type);
  free(opt_compound);
}

/* Atoms of one rigid part, hydrogens too. */
static bt_status add_atoms(bt_molecule *molecule, const bt_mol2 *from, bt_error *opt_error) {
  molecule->atoms = bt_allocate((size_t)from->n_atoms, sizeof *molecule->atoms);
  molecule->fragments = bt_allocate(1, sizeof *molecule->fragments);
  if (molecule->atoms == NULL || molecule->fragments == NULL) return bt_fail_memory(opt_error);
  molecule->n_atoms = from->n_atoms;
  molecule->n_fragments = 1;
  molecule->record_line = from->line;
  molecule->fragments[0] = (bt_fragment){.parent = -1, .axis_from = -1, .axis_to = -1, .end_atom = from->n_atoms};
  for (int i = 0; i < from->n_atoms; i++) {
    const bt_mol2_atom *is = &from->atoms[i];
    bt_atom *atom = &molecule->atoms[i];
    *atom = (bt_atom){.charge = is->charge, .serial = i + 1, .resnum = is->residue_number, .chain = ' ', .icode = ' '};
    memcpy(atom->x, from->x[i], sizeof atom->x);
    bt_span_copy((bt_span){is->type, strcspn(is->type, ".")}, atom->type, sizeof atom->type);
    bt_span_copy(bt_span_from(is->name), atom->name, sizeof atom->name);
  }
  return BT_OK;
}

bt_status bt_bude_compound_finish(bt_bude_compound *c, bt_error *opt_error) {
  bt_chemistry *chemistry = c->molecule->chemistry;
  const size_t n = (size_t)c->mol2->n_atoms;
  BT_TRY(add_atoms(c->molecule, c->mol2, opt_error));
  if (chemistry->mol == NULL) return BT_OK;
  chemistry->x = bt_allocate(n, sizeof *chemistry->x);
  chemistry->entry = bt_allocate(n, sizeof *chemistry->entry);
  chemistry->body = bt_allocate(n, sizeof *chemistry->body);
  if (chemistry->x == NULL || chemistry->entry == NULL || chemistry->body == NULL ||
      !bt_rdmol_set_name(chemistry->mol, c->molecule->name))
    return bt_fail_memory(opt_error);
  chemistry->n_atoms = chemistry->n_entries = (int)n;
  memcpy(chemistry->x, c->mol2->x, n * sizeof *chemistry->x);
  for (size_t i = 0; i < n; i++) chemistry->entry[i] = (int)i;
  return BT_OK;
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

bool bt_bude_compound_same(const bt_bude_compound *a, const bt_bude_compound *b) {
  const bt_mol2 *m = a->mol2, *n = b->mol2;
  bool same = m->n_conformers > 0 && n->n_conformers > 0 && strcmp(m->path, n->path) == 0 &&
              strcmp(a->molecule->name, b->molecule->name) == 0 && m->n_atoms == n->n_atoms && m->n_bonds == n->n_bonds;
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
  for (const char *c = compound->molecule->name; *c != '\0'; c++) hash = (hash ^ (unsigned char)*c) * 16777619u;
  return hash + 0x9E3779B9u * (uint32_t)conformer;
}

/* ---------------------------------------------------------------------------------------- public accessors -- */

const bt_molecule *bt_bude_compound_molecule(const bt_bude_compound *compound) { return compound->molecule; }
int bt_bude_compound_heavy_count(const bt_bude_compound *compound) { return compound->n_heavy; }
int bt_bude_compound_conformer_count(const bt_bude_compound *compound) { return compound->mol2->n_conformers; }
