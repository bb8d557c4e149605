/* covalent.c - the residue that covalent ligands are bonded to. Its side chain is cut out like a flexible one, since it
 * becomes part of the ligands. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/vector.h"
#include "chem/warheads.h"
#include "prep/receptor/rebuild/side_chains.h"
#include "prep/receptor/receptor.h"

/* By the residue's standard name; its protonation state is not known yet. */
static const bt_side_chain *chain_of(const bt_receptor_work *prep, int residue) {
  bt_residue_name name = bt_templates_families(prep->templates, bt_receptor_source(prep, residue)->name);
  return name.n_families > 0 ? bt_side_chain_find(bt_chain_residue(name.families[0])) : NULL;
}

/* An amino acid, also a modified one; nucleic acids do not react. */
static bool has_backbone(const bt_receptor_residue *r) {
  return bt_receptor_find(r, "N") >= 0 && bt_receptor_find(r, "CA") >= 0 && bt_receptor_find(r, "C") >= 0 &&
         bt_receptor_find(r, "O") >= 0;
}

void bt_receptor_free_tethered(bt_receptor_work *prep, int residue) {
  const bt_side_chain *chain = chain_of(prep, residue);
  char first[8], own[40], name[40];
  if (chain == NULL) return;
  bt_span names = bt_span_from(chain->atoms);
  bt_span_copy(bt_span_word(&names), first, sizeof first);
  int atom = bt_receptor_find(&prep->residues[residue], first);
  for (int i = 0; atom >= 0 && i < prep->n_residues; i++) {
    bt_receptor_residue *r = &prep->residues[i];
    if (i == residue || r->fate != BT_FATE_KEPT || r->held || has_backbone(r)) continue;
    if (r->n_atoms < 2 || bt_receptor_nearest(r, prep->residues[residue].atoms[atom].x, BT_LONGEST_COVALENT_BOND) < 0) continue;
    r->fate = BT_FATE_LIGAND;
    r->n_atoms = 0;
    bt_receptor_note(r, "removed: the ligand");
    bt_text_printf(&prep->notes, "%s is left out: it is bonded to %s, as the ligands will be\n",
                   bt_receptor_name(prep, i, name), bt_receptor_name(prep, residue, own));
  }
}

/* Describes the side chain's atoms, by their names in the table. */
static bt_status describe(bt_receptor_work *prep, int i, const bt_side_chain *chain, bt_tether *tether) {
  const bt_receptor_residue *r = &prep->residues[i];
  const bt_structure_residue *source = bt_receptor_source(prep, i);
  char name[40];
  bt_receptor_name(prep, i, tether->residue);
  snprintf(tether->name, sizeof tether->name, "%.3s", chain->residue);
  tether->chain = bt_receptor_chain_letter(prep, source);
  tether->icode = source->icode;
  tether->number = source->number;
  bt_span names = bt_span_from(chain->atoms);
  for (bt_span word = bt_span_word(&names); word.size > 0; word = bt_span_word(&names)) {
    bt_tether_atom *to = &tether->atoms[tether->n_atoms++];
    bt_span_copy(word, to->name, sizeof to->name);
    int atom = bt_receptor_find(r, to->name);
    if (atom < 0)
      return bt_receptor_fail(prep, "complete the side chain, or name another residue",
                              "nothing can be bonded to %s: it has no atom %s", bt_receptor_name(prep, i, name),
                              to->name);
    bt_v3_copy(to->x, r->atoms[atom].x);
  }
  return BT_OK;
}

static bt_status check(bt_receptor_work *prep, int i) {
  bt_receptor_residue *r = &prep->residues[i];
  char name[40], remedy[120];
  bool error;
  const char *why = bt_receptor_obstacle(prep, i, &error);
  const bt_side_chain *chain = r->template != NULL ? bt_side_chain_find(bt_chain_residue(r->template->family)) : NULL;
  if (r->flexible)
    return bt_receptor_fail(prep, "leave it out of the flexible residues: it moves with the ligand",
                            "%s is flexible and has a ligand bonded to it", bt_receptor_name(prep, i, name));
  snprintf(remedy, sizeof remedy, "name one of %s", bt_side_chain_residues());
  if (chain == NULL && why == NULL) why = "no warhead reacts with its side chain";
  if (why != NULL)
    return bt_receptor_fail(prep, remedy, "nothing can be bonded to %s: %s", bt_receptor_name(prep, i, name), why);
  prep->opt_tether = bt_allocate(1, sizeof *prep->opt_tether);
  if (prep->opt_tether == NULL) return bt_fail_memory(prep->opt_error);
  bt_receptor_note(r, "covalent: its side chain is part of the ligands");
  return describe(prep, i, chain, prep->opt_tether);
}

bt_status bt_receptor_check_tethered(bt_receptor_work *prep) {
  for (int i = 0; i < prep->n_residues; i++)
    if (prep->residues[i].tethered) BT_TRY(check(prep, i));
  return BT_OK;
}
