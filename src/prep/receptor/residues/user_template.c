/* user_template.c - residues without a template, prepared like ligands from a SMILES of the user. */
#include <math.h>
#include <string.h>

#include "chem/element.h"
#include "prep/ligand/preparer.h"
#include "prep/receptor/receptor.h"
#include "base/vector.h"

/* SMILES of a residue's name among the words NAME=SMILES; NULL. */
static const char *smiles_of(const bt_receptor_work *prep, const char *name) {
  size_t size = strlen(name);
  for (int i = 0; i < prep->options->n_templates; i++) {
    const char *word = prep->options->templates[i];
    if (strncmp(word, name, size) == 0 && word[size] == '=') return word + size + 1;
  }
  return NULL;
}

static void write_pdb(const bt_receptor_work *prep, int residue, bt_text *text) {
  const bt_receptor_residue *r = &prep->residues[residue];
  for (int a = 0; a < r->n_atoms; a++) bt_receptor_write_atom(prep, text, residue, &r->atoms[a], a + 1);
  for (int a = 0; a < r->n_atoms; a++)
    for (int b = 0; b < r->n_atoms; b++) {
      double longest = bt_element_radius(r->atoms[a].element) + bt_element_radius(r->atoms[b].element) + 0.4;
      if (a != b && bt_v3_distance(r->atoms[a].x, r->atoms[b].x) < longest)
        bt_text_printf(text, "CONECT%5d%5d\n", a + 1, b + 1);
    }
  bt_text_add_string(text, "END\n");
}

/* Is any atom bonded to another residue? */
static bool is_bound(const bt_receptor_work *prep, int residue) { return prep->residues[residue].bonds >= 0; }

static bool is_linked(const bt_receptor_work *prep, int residue, int atom) {
  for (int k = prep->residues[residue].bonds; k >= 0; k = bt_receptor_next_bond(prep, residue, k))
    if (prep->bonds[k].atom[bt_receptor_end(prep, residue, k)] == atom) return true;
  return false;
}

/* Copies types, charges and polar hydrogens of the prepared molecule to the residue. */
static bt_status take(bt_receptor_work *prep, int residue, const bt_molecule *molecule) {
  bt_receptor_residue *r = &prep->residues[residue];
  int heavy = r->n_atoms, found = 0;
  for (int i = 0; i < molecule->n_atoms; i++) {
    const bt_atom *from = &molecule->atoms[i];
    bool hydrogen = bt_element_of_type(from->type) == 1;
    int at = bt_receptor_nearest(r, from->x, hydrogen ? 1.5 : 0.05);
    if (at < 0) continue;
    if (!hydrogen) {
      memcpy(r->atoms[at].type, from->type, sizeof from->type);
      r->atoms[at].charge = from->charge;
      found++;
      continue;
    }
    if (is_linked(prep, residue, at)) { /* replaced by the bond */
      r->atoms[at].charge += from->charge;
      continue;
    }
    bt_receptor_atom *h = bt_receptor_add_atom(r, prep->opt_error);
    if (h == NULL) return BT_ERR_MEMORY;
    bt_v3_copy(h->x, from->x);
    memcpy(h->type, from->type, sizeof h->type);
    memcpy(h->name, "H", 2);
    h->element = 1;
    h->parent = at;
    h->charge = from->charge;
  }
  char name[40];
  if (found == heavy) return BT_OK;
  return bt_receptor_fail(prep, "correct the template", "%d atoms of %s are not in its template", heavy - found,
                          bt_receptor_name(prep, residue, name));
}

bt_status bt_receptor_user_template(bt_receptor_work *prep, int residue, bool *ret_done) {
  const char *smiles = smiles_of(prep, bt_receptor_source(prep, residue)->name);
  *ret_done = smiles != NULL;
  if (smiles == NULL) return BT_OK;
  char name[40];
  bt_receptor_name(prep, residue, name);
  bt_prepare_options options = bt_prepare_options_default();
  options.rigid_macrocycles = true;
  options.ph = prep->options->ph;
  options.as_drawn = prep->options->as_drawn;
  BT_TRY(bt_prepare_check(&options, prep->opt_error));
  /* A group through which the residue is bonded no longer ionizes as it does in the template. */
  if (is_bound(prep, residue)) options.as_drawn = true, options.ph = (double)NAN;
  options.conformers = 0; /* keep the structure's coordinates */
  BT_ENDED_BY(bt_text_destroy) bt_text text = {0};
  write_pdb(prep, residue, &text);
  BT_TRY(bt_text_status(&text, prep->opt_error));
  bt_preparer *preparer = NULL;
  BT_ENDED_BY(bt_molecules_destroy) bt_molecules made = {0};
  bt_status status = bt_preparer_create(&options, NULL, &preparer, prep->opt_error);
  bt_record record = {&bt_format_pdb, .path = name, .name = name, .text = text.data, .size = text.size, 1, 1, smiles};
  if (status == BT_OK) status = bt_preparer_run(preparer, &record, &made, prep->opt_error);
  if (status == BT_OK && made.count == 0)
    status = bt_receptor_fail(prep, "correct the template", "%s has no atoms", name);
  if (status == BT_OK) status = take(prep, residue, made.items[0]);
  if (status == BT_OK) bt_receptor_note(&prep->residues[residue], "prepared by the template %s", smiles);
  for (int i = 0; status == BT_OK && i < bt_molecule_note_count(made.items[0]); i++)
    bt_receptor_warn(prep, residue, "%s", bt_molecule_note(made.items[0], i));
  if (status == BT_OK && is_bound(prep, residue) && !prep->options->as_drawn)
    bt_receptor_warn(prep, residue, "bonded to another residue: protonation as in its template");
  bt_preparer_destroy(preparer);
  return status;
}
