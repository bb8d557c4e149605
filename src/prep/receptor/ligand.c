/* ligand.c - extracts one residue of a structure file as PDB text for the ligand readers. */
#include <stdio.h>
#include <string.h>

#include "base/files/file.h"
#include "base/memory.h"
#include "chem/element.h"
#include "prep/receptor/receptor.h"
#include "base/vector.h"

static bt_status find_one(const bt_structure *s, const char *label, const char *which, int *ret_residue,
                          bt_error *opt_error) {
  bt_selector selector;
  int count = 0;
  if (bt_selector_find(s, bt_span_from(which), &selector))
    for (int i = 0; i < s->n_residues; i++)
      if (bt_selector_fits(&selector, &s->residues[i])) {
        *ret_residue = i;
        count++;
      }
  return count == 1 ? BT_OK : bt_selector_fail(s, label, &selector, opt_error);
}

static bool bonded(const bt_structure_atom *a, const bt_structure_atom *b) {
  double longest = bt_element_radius(a->element) + bt_element_radius(b->element) + 0.4;
  return !(a->element == 1 && b->element == 1) && bt_v3_distance(a->x, b->x) < longest;
}

/* The atoms of one alternate location and those that have none. */
static int choose(const bt_structure *s, const bt_structure_residue *r, char altloc, int *chosen) {
  int n = 0;
  for (int i = r->first_atom; i < r->end_atom; i++)
    if (s->atoms[i].altloc == '\0' || s->atoms[i].altloc == altloc) chosen[n++] = i;
  return n;
}

/* Into how many pieces without bonds between them the atoms fall; reorders them. */
static int count_pieces(const bt_structure *s, int *atoms, int n) {
  int pieces = 0, reached = 0;
  for (int k = 0; k < n; k++) {
    if (k == reached) pieces++, reached++; /* nothing before is bonded to it */
    for (int m = reached; m < n; m++) {
      if (!bonded(&s->atoms[atoms[k]], &s->atoms[atoms[m]])) continue;
      int atom = atoms[m];
      atoms[m] = atoms[reached];
      atoms[reached++] = atom;
    }
  }
  return pieces;
}

/* The alternate location of the highest occupancy, unless another one leaves the ligand in fewer pieces: files hold
 * some whose bonds are too long to be any (1AKE, chain A). scratch has room for the atoms of the residue. */
static char whole_altloc(const bt_structure *s, const bt_structure_residue *r, int *scratch) {
  char best = bt_receptor_usual_altloc(s, r);
  int fewest = count_pieces(s, scratch, choose(s, r, best, scratch));
  for (int i = r->first_atom; i < r->end_atom && fewest > 1; i++) {
    char letter = s->atoms[i].altloc;
    if (letter == '\0' || letter == best) continue;
    int pieces = count_pieces(s, scratch, choose(s, r, letter, scratch));
    if (pieces >= fewest) continue;
    best = letter;
    fewest = pieces;
  }
  return best;
}

static bt_status write_pdb(const bt_structure *s, const bt_structure_residue *r, bt_text *text, bt_error *opt_error) {
  BT_SCOPED int *chosen = bt_allocate((size_t)(r->end_atom - r->first_atom), sizeof *chosen);
  if (chosen == NULL) return bt_fail_memory(opt_error);
  int n = choose(s, r, whole_altloc(s, r, chosen), chosen);
  for (int k = 0; k < n; k++) {
    const bt_structure_atom *a = &s->atoms[chosen[k]];
    const char *symbol = bt_element_symbol(a->element);
    bool wide = strlen(a->name) > 3 || strlen(symbol) > 1;
    char name[8], element[3] = {symbol[0], symbol[1] >= 'a' ? (char)(symbol[1] - 32) : symbol[1], '\0'};
    snprintf(name, sizeof name, wide ? "%-4.4s" : " %-3.3s", a->name);
    bt_text_printf(text, "HETATM%5d %s %-3.3s %c%4d%c   %8.3f%8.3f%8.3f%6.2f%6.2f          %2s\n", (k + 1) % 100000,
                   name, r->name, r->chain[0] == '\0' || r->chain[1] != '\0' ? ' ' : r->chain[0],
                   ((r->number % 10000) + 10000) % 10000, r->icode, a->x[0], a->x[1], a->x[2], 1.0, 0.0, element);
  }
  for (int k = 0; k < n && n < 100000; k++) {
    int count = 0;
    for (int m = 0; m < n; m++) {
      if (m == k || !bonded(&s->atoms[chosen[k]], &s->atoms[chosen[m]])) continue;
      if (count % 4 == 0) bt_text_printf(text, "%sCONECT%5d", count > 0 ? "\n" : "", k + 1);
      bt_text_printf(text, "%5d", m + 1);
      count++;
    }
    if (count > 0) bt_text_add_char(text, '\n');
  }
  bt_text_add_string(text, "END\n");
  return bt_text_status(text, opt_error);
}

/* Molecules that may be ligands: 2, those of no template; 1: cofactors; 0: none. */
static int rank_of(const bt_structure *s, const bt_templates *templates, const bt_structure_residue *r) {
  int heavy = 0;
  bool main_chain = false;
  for (int a = r->first_atom; a < r->end_atom; a++) {
    heavy += s->atoms[a].element != 1;
    main_chain = main_chain || strcmp(s->atoms[a].name, "OXT") == 0;
    main_chain = main_chain || (strcmp(s->atoms[a].name, "CA") == 0 && !r->hetero);
  }
  if (heavy < 6 || main_chain) return 0;
  bt_residue_name name = bt_templates_families(templates, r->name);
  if (name.n_families == 0) return bt_templates_is_additive(templates, r->name) ? 0 : 2;
  const bt_template *t = bt_templates_find(templates, name.families[0], BT_CHAIN_SINGLE);
  return t != NULL && t->kind == BT_CLASS_COFACTOR ? 1 : 0;
}

static bt_status list_ligands(const bt_structure *s, bt_text *text, bt_error *opt_error) {
  enum { MOST = 5 };
  bt_templates *templates;
  char name[40];
  int count = 0;
  BT_TRY(bt_templates_create(&templates, opt_error));
  for (int rank = 2; rank > 0; rank--)
    for (int i = 0; i < s->n_residues && count < MOST; i++)
      if (rank_of(s, templates, &s->residues[i]) == rank)
        bt_text_printf(text, "%s%s", count++ > 0 ? ", " : "",
                       bt_structure_residue_text(&s->residues[i], name, sizeof name));
  bt_text_add_string(text, "");
  bt_templates_destroy(templates);
  return bt_text_status(text, opt_error);
}

bt_status bt_receptor_ligands(const char *path, int model, char **ret_text, bt_error *opt_error) {
  *ret_text = NULL;
  bt_structure *structure;
  BT_TRY(bt_structure_read(path, model, &structure, opt_error));
  BT_ENDED_BY(bt_text_destroy) bt_text text = {0};
  bt_status status = list_ligands(structure, &text, opt_error);
  bt_structure_destroy(structure);
  return status == BT_OK ? bt_text_take(&text, ret_text, opt_error) : status;
}

bt_status bt_receptor_ligand_pdb(const char *path, int model, const char *which, char **ret_text, bt_error *opt_error) {
  *ret_text = NULL;
  bt_structure *structure;
  BT_TRY(bt_structure_read(path, model, &structure, opt_error));
  int residue = -1;
  BT_ENDED_BY(bt_text_destroy) bt_text text = {0};
  bt_status status = find_one(structure, bt_file_label(path), which, &residue, opt_error);
  if (status == BT_OK) status = write_pdb(structure, &structure->residues[residue], &text, opt_error);
  bt_structure_destroy(structure);
  return status == BT_OK ? bt_text_take(&text, ret_text, opt_error) : status;
}
