/* pose_plan.c - how a given pose is scored: what it records of its docking is used, or the pose is refused.
 *
 * Contents: 1. residues that the pose brings along; 2. the receptor must not have them too; 3. the plan.
 */
#include <berth/berth.h>
#include <berth/score.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text/text.h"
#include "chem/chemistry.h"
#include "chem/glue.h"
#include "chem/molecule.h"

/* The alpha and beta carbons, which come first, may be in the rigid part as well. */
enum { SHARED = 2 };

/* ---- 1. residues ---- */

static void add_word(bt_text *text, const bt_residue *residue, char icode) {
  if (text->size > 0) bt_text_add_char(text, ',');
  if (residue->chain != ' ') bt_text_add_char(text, residue->chain);
  bt_text_printf(text, ":%s%d", residue->name, residue->number);
  if (icode != ' ') bt_text_add_char(text, icode);
}

static void add_words(bt_text *text, const bt_molecule *opt_flexible) {
  bt_text_add_string(text, "");
  for (int r = 0; opt_flexible != NULL && r < opt_flexible->n_residues; r++) {
    const bt_residue *residue = &opt_flexible->residues[r];
    add_word(text, residue, opt_flexible->atoms[residue->first_atom].icode);
  }
}

bt_status bt_pose_residues(const bt_molecule *pose, char **ret_flexible, char **ret_covalent, bt_error *opt_error) {
  bt_molecule *flexible;
  *ret_flexible = *ret_covalent = NULL;
  BT_TRY(bt_molecule_docked_residues(pose, &flexible, opt_error));
  bt_text text = {0};
  add_words(&text, flexible);
  bt_molecule_destroy(flexible);
  char *covalent = bt_copy_text(pose->tether, strlen(pose->tether));
  bt_status status = bt_text_take(&text, ret_flexible, opt_error);
  if (status == BT_OK && covalent == NULL) status = bt_fail_memory(opt_error);
  return BT_HAND_OVER(status, covalent, ret_covalent, free);
}

static bool same_residue(const bt_molecule *a, const bt_residue *r, const bt_molecule *b, const bt_residue *s) {
  return r->number == s->number && r->chain == s->chain && strcmp(r->name, s->name) == 0 &&
         a->atoms[r->first_atom].icode == b->atoms[s->first_atom].icode;
}

static bool same_residues(const bt_molecule *a, const bt_molecule *b) {
  if (a->n_residues != b->n_residues) return false;
  for (int r = 0; r < a->n_residues; r++) {
    bool found = false;
    for (int s = 0; s < b->n_residues && !found; s++) found = same_residue(a, &a->residues[r], b, &b->residues[s]);
    if (!found) return false;
  }
  return true;
}

/* ---- 2. the receptor ---- */

/* Atoms of a moving residue, from that of number first on, which the receptor also has; its index there, -1: none. */
static int find_twin(const bt_molecule *receptor, const bt_atom *atoms, int first, int count) {
  for (int i = 0; i < receptor->n_atoms; i++) {
    const bt_atom *a = &receptor->atoms[i];
    for (int k = first; k < count; k++)
      if (a->resnum == atoms[k].resnum && a->chain == atoms[k].chain && a->icode == atoms[k].icode &&
          strcmp(a->resname, atoms[k].resname) == 0 && strcmp(a->name, atoms[k].name) == 0)
        return i;
  }
  return -1;
}

static bool is_main_chain(const char *name) {
  static const char *const names[] = {"N", "CA", "C", "O", "OXT", "H", "HN", "HA", "H1", "H2", "H3"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++)
    if (strcmp(name, names[k]) == 0) return true;
  return false;
}

/* Without names of the pose's atoms: any atom of the side chain beyond the beta carbon. */
static int find_side_chain(const bt_molecule *receptor, const char *word) {
  for (int i = 0; i < receptor->n_atoms; i++) {
    const bt_atom *a = &receptor->atoms[i];
    if (!is_main_chain(a->name) && strcmp(a->name, "CB") != 0 && bt_atom_residue_reading(a, bt_span_from(word)) > 0)
      return i;
  }
  return -1;
}

bt_status bt_molecule_check_bond(const bt_molecule *ligand, const bt_molecule *receptor, bt_error *opt_error) {
  if (ligand->tether[0] == '\0') return BT_OK;
  int n = 0;
  while (n < ligand->n_atoms && bt_atom_of_side_chain(ligand, &ligand->atoms[n])) n++;
  int twin = n > 0 ? find_twin(receptor, ligand->atoms, SHARED, n) : find_side_chain(receptor, ligand->tether);
  if (twin < 0) return BT_OK;
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = ligand->path},
                 "use --covalent with the .pdb or .cif receptor, or the receptor.pdbqt of the docking",
                 "the pose is bonded to %s, whose side chain the receptor still has: they would clash", ligand->tether);
}

static bt_status check_residues(const bt_molecule *pose, const bt_molecule *residues, const bt_molecule *receptor,
                                bt_error *opt_error) {
  for (int r = 0; r < residues->n_residues; r++) {
    const bt_residue *residue = &residues->residues[r];
    int count = residue->end_atom - residue->first_atom;
    if (find_twin(receptor, residues->atoms + residue->first_atom, SHARED, count) < 0) continue;
    BT_ENDED_BY(bt_text_destroy) bt_text words = {0};
    add_words(&words, residues);
    BT_TRY(bt_text_status(&words, opt_error));
    return bt_fail(
        opt_error, BT_ERR_INPUT, (bt_where){.file = pose->path},
        "name these residues with --flex and use the .pdb or .cif receptor, or the receptor.pdbqt of the docking",
        "the pose was docked with flexible residues (%.200s), whose side chains the receptor still has", words.data);
  }
  return BT_OK;
}

static bt_status choose_residues(const bt_molecule *pose, const bt_pose_request *request, bt_pose_plan *plan,
                                 bt_error *opt_error) {
  plan->opt_flexible = request->opt_flexible;
  if (request->ignore_docking) return BT_OK;
  BT_TRY(bt_molecule_docked_residues(pose, &plan->opt_residues, opt_error));
  const bt_molecule *own = plan->opt_residues;
  if (own == NULL) return BT_OK;
  plan->opt_flexible = own;
  if (request->opt_receptor != NULL) BT_TRY(check_residues(pose, own, request->opt_receptor, opt_error));
  if (request->opt_flexible == NULL || same_residues(own, request->opt_flexible)) return BT_OK;
  BT_ENDED_BY(bt_text_destroy) bt_text words = {0}, given = {0};
  add_words(&words, own);
  add_words(&given, request->opt_flexible);
  BT_TRY(bt_text_status(&words, opt_error));
  BT_TRY(bt_text_status(&given, opt_error));
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = pose->path},
                 "name the residues of the docking with --flex",
                 "the pose was docked with flexible residues (%.150s), but the receptor has others (%.150s)",
                 words.data, given.data);
}

/* ---- 3. the plan ---- */

static bt_status make(const bt_molecule *pose, const bt_pose_request *request, bt_pose_plan *plan,
                      bt_error *opt_error) {
  bt_docked docked;
  plan->recorded = !request->ignore_docking && bt_molecule_docked(pose, &docked);
  if (plan->recorded) {
    plan->scoring = plan->docked_with = docked.scoring;
    plan->torsional = docked.torsional;
    plan->box = docked.box;
  }
  if (request->opt_scoring != NULL) plan->scoring = *request->opt_scoring;
  if (request->opt_torsional != NULL) plan->torsional = *request->opt_torsional;
  if (plan->recorded && plan->scoring == docked.scoring) plan->unbound = docked.unbound;
  if (request->opt_receptor != NULL) BT_TRY(bt_molecule_check_bond(pose, request->opt_receptor, opt_error));
  return choose_residues(pose, request, plan, opt_error);
}

bt_status bt_pose_plan_make(const bt_molecule *pose, const bt_pose_request *request, bt_pose_plan *ret_plan,
                            bt_error *opt_error) {
  const bt_chemistry *chemistry = pose->chemistry;
  *ret_plan = (bt_pose_plan){.scoring = BT_SCORING_UNNAMED, .torsional = BT_TORSIONAL_TORSDOF, .unbound = NAN};
  if (!request->ignore_docking && chemistry != NULL && bt_rdmol_item(chemistry->mol, BT_POSE_ITEM) != NULL)
    return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = pose->path},
                   "read it as docked, without options that prepare it otherwise, or ignore the docking",
                   "the record carries what was docked (" BT_POSE_ITEM "), but was prepared anew");
  bt_status status = make(pose, request, ret_plan, opt_error);
  if (status != BT_OK) bt_pose_plan_clear(ret_plan);
  return status;
}

void bt_pose_plan_clear(bt_pose_plan *plan) {
  if (plan->opt_flexible == plan->opt_residues) plan->opt_flexible = NULL;
  bt_molecule_destroy(plan->opt_residues);
  plan->opt_residues = NULL;
}

bt_status bt_pose_score(const bt_ligand *ligand, const bt_maps *maps, bt_energy_form form, const bt_pose_plan *plan,
                        bt_energy *ret_energy, bt_atom_energy *opt_atoms, bt_error *opt_error) {
  BT_TRY(bt_score(ligand, maps, form, plan->torsional, ret_energy, opt_atoms, opt_error));
  if (isfinite(plan->unbound)) bt_score_set_unbound(ligand, ret_energy, plan->unbound);
  return BT_OK;
}
