/* complex_cif.c - the complex of a pose as mmCIF, with the mandatory items of PDBx.
 *
 * Every chain's polymer is one entity and one label_asym_id, its letter; every other residue is an asymmetric unit of
 * its own ("A1", "A2", ...), of the entity of its name. Author's chains and numbers are those of the receptor; a chain
 * without a letter gets one, as PDBx demands.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "chem/element.h"
#include "results/complex.h"
#include "results/write/pose_text.h"

typedef struct place {
  int entity, sequence; /* from 1; sequence 0: no polymer */
  char asym[16];
} place;

typedef struct cif_writer {
  const bt_complex *complex;
  place *places; /* [n_residues] */
  int n_entities;
  bt_text *text;
} cif_writer;

static char letter_of(const cif_writer *w, const bt_complex_residue *r) {
  return r->chain == ' ' ? w->complex->blank : r->chain;
}

/* An earlier residue that has the same entity; -1: none. */
static int find_same(const cif_writer *w, int residue) {
  const bt_complex_residue *r = &w->complex->residues[residue];
  for (int i = residue - 1; i >= 0; i--) {
    const bt_complex_residue *other = &w->complex->residues[i];
    if (r->kind != other->kind) continue;
    if (r->kind == BT_COMPLEX_POLYMER ? r->chain == other->chain
        : r->kind == BT_COMPLEX_WATER ? true
                                      : strcmp(r->name, other->name) == 0)
      return i;
  }
  return -1;
}

static void find_places(cif_writer *w) {
  const bt_complex *c = w->complex;
  int others[256] = {0}; /* of each letter */
  for (int k = 0; k < c->n_residues; k++) {
    const bt_complex_residue *r = &c->residues[k];
    place *p = &w->places[k];
    int same = find_same(w, k);
    char letter = letter_of(w, r);
    p->entity = same >= 0 ? w->places[same].entity : ++w->n_entities;
    if (r->kind == BT_COMPLEX_POLYMER) {
      p->sequence = same >= 0 ? w->places[same].sequence + 1 : 1;
      snprintf(p->asym, sizeof p->asym, "%c", letter);
    } else {
      snprintf(p->asym, sizeof p->asym, "%c%d", letter, ++others[(unsigned char)letter]);
    }
  }
}

/* A word of a CIF loop. */
static void add_word(bt_text *text, const char *word) {
  const char *quote = strpbrk(word, " \"#$'_[];") == NULL ? "" : strchr(word, '\'') != NULL ? "\"" : "'";
  bt_text_printf(text, "%s%s%s ", quote, word[0] != '\0' ? word : ".", quote);
}

static void begin_loop(cif_writer *w, const char *category, const char *const *items, size_t count) {
  bt_text_add_string(w->text, "loop_\n");
  for (size_t k = 0; k < count; k++) bt_text_printf(w->text, "_%s.%s\n", category, items[k]);
}

#define BEGIN_LOOP(w, category, ...)                          \
  begin_loop(w, category, (const char *const[]){__VA_ARGS__}, \
             sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

static bool is_first_of_entity(const cif_writer *w, int residue) {
  return w->places[residue].sequence < 2 && find_same(w, residue) < 0;
}

static bool is_first_of_name(const cif_writer *w, int residue) {
  for (int i = 0; i < residue; i++)
    if (strcmp(w->complex->residues[i].name, w->complex->residues[residue].name) == 0) return false;
  return true;
}

static bool has_atom(const bt_complex *c, const bt_complex_residue *r, const char *name) {
  for (int i = r->first; i < r->end; i++)
    if (strcmp(c->atoms[i].name, name) == 0) return true;
  return false;
}

static const char *component_type(const bt_complex *c, const bt_complex_residue *r) {
  if (r->kind != BT_COMPLEX_POLYMER) return "non-polymer";
  if (has_atom(c, r, "CA")) return "L-peptide linking";
  return has_atom(c, r, "O2'") ? "RNA linking" : "DNA linking";
}

/* The categories that those of the atoms refer to. */
static void add_tables(cif_writer *w) {
  const bt_complex *c = w->complex;
  static const char *const kinds[] = {"polymer", "non-polymer", "non-polymer", "water"};
  BEGIN_LOOP(w, "entity", "id", "type");
  for (int k = 0; k < c->n_residues; k++)
    if (is_first_of_entity(w, k)) bt_text_printf(w->text, "%d %s\n", w->places[k].entity, kinds[c->residues[k].kind]);
  bt_text_add_string(w->text, "#\n");
  BEGIN_LOOP(w, "struct_asym", "id", "entity_id");
  for (int k = 0; k < c->n_residues; k++)
    if (w->places[k].sequence < 2) bt_text_printf(w->text, "%s %d\n", w->places[k].asym, w->places[k].entity);
  bt_text_add_string(w->text, "#\n");
  BEGIN_LOOP(w, "chem_comp", "id", "type");
  for (int k = 0; k < c->n_residues; k++) {
    if (!is_first_of_name(w, k)) continue;
    add_word(w->text, c->residues[k].name);
    bt_text_printf(w->text, "'%s'\n", component_type(c, &c->residues[k]));
  }
  bt_text_add_string(w->text, "#\n");
  bool polymer = false;
  for (int k = 0; k < c->n_residues; k++) {
    if (w->places[k].sequence == 0) continue;
    if (!polymer) BEGIN_LOOP(w, "entity_poly_seq", "entity_id", "num", "mon_id");
    polymer = true;
    bt_text_printf(w->text, "%d %d ", w->places[k].entity, w->places[k].sequence);
    add_word(w->text, c->residues[k].name);
    bt_text_add_char(w->text, '\n');
  }
  if (polymer) bt_text_add_string(w->text, "#\n");
  bool seen[256] = {false};
  BEGIN_LOOP(w, "atom_type", "symbol");
  for (int i = 0; i < c->n_atoms; i++) {
    if (!seen[c->atoms[i].element & 255]) bt_text_printf(w->text, "%s\n", bt_element_symbol(c->atoms[i].element));
    seen[c->atoms[i].element & 255] = true;
  }
  bt_text_add_string(w->text, "#\n");
}

static void add_atom(cif_writer *w, int index) {
  const bt_complex *c = w->complex;
  const bt_complex_atom *atom = &c->atoms[index];
  const bt_complex_residue *r = &c->residues[atom->residue];
  const place *p = &w->places[atom->residue];
  char sequence[16] = ".";
  if (p->sequence > 0) snprintf(sequence, sizeof sequence, "%d", p->sequence);
  bt_text_printf(w->text, "%s %d %s ", r->kind == BT_COMPLEX_POLYMER ? "ATOM" : "HETATM", index + 1,
                 bt_element_symbol(atom->element));
  add_word(w->text, atom->name);
  bt_text_add_string(w->text, ". ");
  add_word(w->text, r->name);
  bt_text_printf(w->text, "%s %d %s %c %.3f %.3f %.3f 1.00 0.00 ", p->asym, p->entity, sequence,
                 r->icode == ' ' ? '?' : r->icode, atom->x[0], atom->x[1], atom->x[2]);
  bt_text_printf(w->text, "%d ", r->number);
  add_word(w->text, r->name);
  bt_text_printf(w->text, "%c ", letter_of(w, r));
  add_word(w->text, atom->name);
  bt_text_add_string(w->text, "1\n");
}

bt_status bt_complex_cif(const bt_complex *complex, const bt_result *result, int position, bt_text *text,
                         bt_error *opt_error) {
  BT_SCOPED place *places = bt_allocate((size_t)complex->n_residues, sizeof *places);
  if (places == NULL) return bt_fail_memory(opt_error);
  cif_writer w = {.complex = complex, .places = places, .text = text};
  find_places(&w);
  bt_text_printf(text, "data_complex\n#\n_entry.id complex\n#\n_berth.free_energy_of_binding %.3f\n_berth.run %d\n#\n",
                 result->runs[result->ranking[position]].energy.free_energy, result->ranking[position] + 1);
  add_tables(&w);
  BEGIN_LOOP(&w, "atom_site", "group_PDB", "id", "type_symbol", "label_atom_id", "label_alt_id", "label_comp_id",
             "label_asym_id", "label_entity_id", "label_seq_id", "pdbx_PDB_ins_code", "Cartn_x", "Cartn_y", "Cartn_z",
             "occupancy", "B_iso_or_equiv", "auth_seq_id", "auth_comp_id", "auth_asym_id", "auth_atom_id",
             "pdbx_PDB_model_num");
  for (int i = 0; i < complex->n_atoms; i++) add_atom(&w, i);
  bt_text_add_string(text, "#\n");
  return bt_text_status(text, opt_error);
}
