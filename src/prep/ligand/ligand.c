/* ligand.c - the complete preparation of one ligand. */
#include "prep/ligand/ligand.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "chem/chemistry.h"
#include "chem/glue.h"

bt_prepare_options bt_prepare_options_default(void) {
  return (bt_prepare_options){
      .ph = NAN, .conformers = 1, .seed = 42, .smallest_macrocycle = 8, .protomers = 1, .record_seconds = 300};
}

bt_deadline bt_ligand_deadline(const bt_prepare_options *options) {
  int conformers = options->conformers > 1 ? options->conformers : 1;
  return bt_deadline_begin(options->record_seconds * conformers, options->opt_cancelled, options->opt_cancelled_user);
}

/* What the usual pH would change in a record that states its protonation. */
static bt_status compare_with_usual(const bt_rdmol *mol, const bt_rules *rules, bt_where where, bt_text *notes,
                                    bt_error *opt_error) {
  BT_SCOPED char *changes = NULL;
  bt_rdmol *copy = bt_rdmol_copy(mol);
  if (copy == NULL) return bt_fail_memory(opt_error);
  bt_status status = bt_prep_ionize(copy, rules, BT_USUAL_PH, where, &changes, opt_error);
  bt_rdmol_destroy(copy);
  if (status == BT_OK && changes != NULL)
    bt_text_printf(notes, "protonation kept as in the input; at pH %g: %s\n", BT_USUAL_PH, changes);
  return status == BT_OK ? bt_text_status(notes, opt_error) : status;
}

/* Ligands are treated as the receptor is: hydrogens and charges of the input count, else the usual states at pH 7.4. */
static bt_status protonate(bt_rdmol *mol, const bt_rules *rules, const bt_prepare_options *options, bt_where where,
                           bt_text *notes, bt_error *opt_error) {
  BT_SCOPED char *changes = NULL;
  if (!isnan(options->ph)) {
    BT_TRY(bt_prep_ionize(mol, rules, options->ph, where, &changes, opt_error));
    if (changes != NULL) bt_text_printf(notes, "pH %g: %s\n", options->ph, changes);
    return bt_text_status(notes, opt_error);
  }
  if (options->as_drawn || options->as_docked) return BT_OK;
  bool stated;
  BT_TRY(bt_prep_protonation_stated(mol, rules, &stated, opt_error));
  if (stated) return compare_with_usual(mol, rules, where, notes, opt_error);
  BT_TRY(bt_prep_ionize(mol, rules, BT_USUAL_PH, where, &changes, opt_error));
  if (changes != NULL) bt_text_printf(notes, "pH %g assumed: %s\n", BT_USUAL_PH, changes);
  return bt_text_status(notes, opt_error);
}

/* Those of an ensemble beside the coordinates of the record, which suffice where no others can be made. The atoms of a
 * residue stay where they are. */
static bt_status add_conformers(bt_rdmol *mol, const bt_prepare_options *options, const bt_deadline *deadline,
                                bt_where where, bt_text *notes, bt_error *opt_error) {
  bt_error error = {0};
  if (!options->ensemble || options->conformers < 2 || options->opt_tether != NULL)
    return bt_text_status(notes, opt_error);
  bt_status status = bt_rdmol_embed_more(mol, options->conformers - 1, options->seed, deadline, where, &error);
  if (status != BT_OK && !bt_status_concerns_ligand(status)) {
    if (opt_error != NULL) *opt_error = error;
    return status;
  }
  if (status != BT_OK) bt_text_printf(notes, "docked with its own conformer alone: %s\n", error.message);
  return bt_text_status(notes, opt_error);
}

static bt_status complete(bt_rdmol *mol, const bt_rules *rules, const bt_prepare_options *options,
                          const bt_deadline *deadline, bt_where where, bt_text *notes, bt_error *opt_error) {
  BT_SCOPED char *removed = NULL;
  BT_TRY(bt_deadline_check(deadline, where, opt_error));
  BT_TRY(bt_rdmol_keep_largest(mol, where, &removed, opt_error));
  if (removed != NULL) bt_text_printf(notes, "kept the largest fragment, left out %s\n", removed);
  BT_TRY(protonate(mol, rules, options, where, notes, opt_error));
  if (rules->opt_filter != NULL) BT_TRY(bt_filter_check(rules->opt_filter, mol, where, opt_error));
  if (options->conformers < 1) BT_TRY(bt_rdmol_draw(mol, where, opt_error));
  BT_TRY(bt_rdmol_add_hydrogens(mol, where, opt_error));
  BT_TRY(bt_deadline_check(deadline, where, opt_error));
  if (bt_rdmol_is_3d(mol)) return add_conformers(mol, options, deadline, where, notes, opt_error);
  if (options->conformers < 1) return bt_text_status(notes, opt_error);
  bool relaxed = true, built, drawn = bt_rdmol_conformer_count(mol) > 0; /* no note for a SMILES */
  BT_TRY(bt_prep_build_coordinates(mol, rules->opt_shapes, options->conformers, &built, opt_error));
  if (!built)
    BT_TRY((rules->opt_shapes != NULL ? bt_rdmol_embed_briefly : bt_rdmol_embed)(
        mol, options->conformers, options->seed, deadline, where, &relaxed, opt_error));
  if (drawn) bt_text_add_string(notes, "generated 3D coordinates\n");
  if (!relaxed) bt_text_add_string(notes, "the force field did not fully relax the generated coordinates\n");
  return bt_text_status(notes, opt_error);
}

bt_status bt_ligand_complete(bt_rdmol *mol, const bt_rules *rules, const bt_prepare_options *options,
                             const bt_deadline *deadline, bt_where where, char **ret_notes, bt_error *opt_error) {
  BT_ENDED_BY(bt_text_destroy) bt_text notes = {0};
  BT_TRY(complete(mol, rules, options, deadline, where, &notes, opt_error));
  return notes.size > 0 ? bt_text_take(&notes, ret_notes, opt_error) : BT_OK;
}

static bt_status find_states(bt_rdmol *mol, const bt_rules *rules, const bt_prepare_options *options, bt_where where,
                             bt_states *states, bt_error *opt_error) {
  BT_SCOPED char *removed = NULL;
  BT_ENDED_BY(bt_text_destroy) bt_text notes = {0};
  bool stated = false;
  BT_TRY(bt_rdmol_keep_largest(mol, where, &removed, opt_error));
  if (isnan(options->ph)) BT_TRY(bt_prep_protonation_stated(mol, rules, &stated, opt_error));
  BT_TRY(protonate(mol, rules, options, where, &notes, opt_error));
  double ph = stated ? NAN : isnan(options->ph) ? BT_USUAL_PH : options->ph;
  return bt_prep_states(mol, rules, ph, options->protomers - 1, where, states, opt_error);
}

bt_status bt_ligand_states(const bt_rdmol *mol, const bt_rules *rules, const bt_prepare_options *options,
                           bt_where where, bt_states *ret_states, bt_error *opt_error) {
  bt_rdmol *copy = bt_rdmol_copy(mol);
  if (copy == NULL) return bt_fail_memory(opt_error);
  bt_status status = find_states(copy, rules, options, where, ret_states, opt_error);
  bt_rdmol_destroy(copy);
  return status;
}

static bt_status take_notes(bt_chemistry *chemistry, const char *opt_notes, bt_error *opt_error) {
  if (opt_notes == NULL) return BT_OK;
  bt_lines lines = bt_lines_of(opt_notes, strlen(opt_notes));
  bt_span line;
  while (bt_lines_next(&lines, &line))
    if (line.size > 0) BT_TRY(bt_text_list_add(&chemistry->notes, line, opt_error));
  return BT_OK;
}

/* Fills prep, up to and including its bodies. was_ring[n_bonds]. */
static bt_status build_tree(bt_prep *prep, bt_chemistry *chemistry, const bt_rules *rules,
                            const bt_prepare_options *options, bool *was_ring, bt_error *opt_error) {
  bool too_many;
  BT_TRY(bt_prep_type(prep, rules, opt_error));
  BT_TRY(bt_prep_charge(prep, options->charges, opt_error));
  if (!options->keep_hydrogens) BT_TRY(bt_prep_merge(prep, opt_error));
  BT_TRY(bt_prep_find_rotors(prep, rules, options, opt_error));
  BT_TRY(bt_prep_find_rings(prep, &too_many, opt_error));
  if (too_many)
    BT_TRY(
        bt_text_list_printf(&chemistry->notes, opt_error, "its rings are too entangled to be opened: they stay rigid"));
  for (int i = 0; i < prep->n_bonds; i++) was_ring[i] = prep->bonds[i].ring;
  BT_TRY(bt_deadline_check(prep->deadline, prep->where, opt_error));
  if (options->hydrated) BT_TRY(bt_prep_add_waters(prep, opt_error));
  BT_TRY(bt_prep_open_macrocycles(prep, rules, options, &chemistry->notes, opt_error));
  return bt_prep_find_bodies(prep, options->old_rules, true, opt_error);
}

/* Atoms of the side chain have its names; its alpha carbon stays where it is. */
static void hold(bt_prep *prep, const bt_bound *bound, bt_molecule *molecule) {
  const bt_tether *tether = bound->tether;
  for (int k = 0; k < tether->n_atoms; k++) {
    bt_prep_atom *atom = &prep->atoms[bound->atoms[k]];
    memcpy(atom->name, tether->atoms[k].name, sizeof atom->name);
    memcpy(atom->residue, tether->name, sizeof atom->residue);
    atom->residue_number = tether->number;
    atom->chain = tether->chain;
    atom->icode = tether->icode;
  }
  prep->held = bound->atoms[tether->n_atoms - 1];
  memcpy(molecule->tether, tether->residue, sizeof molecule->tether);
}

/* A written pose records its bond: the residue, and the index of the alpha carbon, from 1. */
static void hold_as_docked(bt_prep *prep, bt_molecule *molecule) {
  const char *item = bt_rdmol_item(prep->mol, BT_COVALENT_ITEM);
  bt_span rest = bt_span_from(item != NULL ? item : ""), residue = bt_span_word(&rest);
  int place;
  if (!bt_parse_int(bt_span_word(&rest), &place) || place < 1 || place > prep->n_real) return;
  if (prep->atoms[place - 1].element != 6) return;
  prep->held = place - 1;
  bt_span_copy(residue, molecule->tether, sizeof molecule->tether);
}

/* The atoms of the ligand, and all of chemistry but its molecule of RDKit. */
static bt_status describe(const bt_rdmol *mol, int conformer, const bt_bound *opt_bound, const bt_rules *rules,
                          const bt_prepare_options *options, const bt_deadline *deadline, bt_where where,
                          bt_molecule *molecule, bt_error *opt_error) {
  bt_prep *prep = NULL;
  BT_TRY(bt_deadline_check(deadline, where, opt_error));
  BT_TRY(bt_prep_create(mol, conformer, where, &prep, opt_error));
  prep->deadline = deadline;
  if (opt_bound != NULL)
    hold(prep, opt_bound, molecule);
  else
    hold_as_docked(prep, molecule);
  bt_chemistry *chemistry = molecule->chemistry;
  BT_SCOPED bool *was_ring = bt_allocate((size_t)prep->n_bonds, sizeof *was_ring);
  bt_status status =
      was_ring == NULL ? bt_fail_memory(opt_error) : build_tree(prep, chemistry, rules, options, was_ring, opt_error);
  if (status == BT_OK) status = bt_prep_build(prep, chemistry, was_ring, molecule, opt_error);
  bt_prep_destroy(prep);
  return status;
}

static bt_status keep_structure(bt_chemistry *chemistry, const bt_rdmol *mol, int conformer, const char *name,
                                bt_error *opt_error) {
  chemistry->mol = bt_rdmol_copy(mol);
  chemistry->n_atoms = bt_rdmol_atom_count(mol);
  chemistry->embedded = bt_rdmol_is_embedded(mol);
  chemistry->x = bt_allocate((size_t)chemistry->n_atoms, sizeof *chemistry->x);
  if (chemistry->mol == NULL || chemistry->x == NULL || !bt_rdmol_set_name(chemistry->mol, name))
    return bt_fail_memory(opt_error);
  bt_rdmol_coordinates(mol, conformer, chemistry->x);
  return BT_OK;
}

/* Do options other than the usual ones shape the ligand? Which rings are open is recorded with every pose. */
static bool is_special(const bt_prepare_options *options) {
  return options->charges != BT_CHARGES_GASTEIGER || options->flexible_amides || options->hydrated ||
         options->old_rules || options->keep_hydrogens || options->opt_tether != NULL;
}

bt_status bt_ligand_from_conformer(const bt_rdmol *mol, int conformer, const bt_bound *opt_bound, const char *opt_notes,
                                   const bt_rules *rules, const bt_prepare_options *options,
                                   const bt_deadline *deadline, bt_where where, const char *name,
                                   bt_molecule **ret_molecule, bt_error *opt_error) {
  bt_molecule *molecule;
  BT_TRY(bt_molecule_create(BT_MOLECULE_LIGAND, where.file, name, &molecule, opt_error));
  molecule->special = is_special(options);
  molecule->chemistry = bt_allocate(1, sizeof *molecule->chemistry);
  bt_chemistry_retain(molecule->chemistry);
  bt_status status =
      molecule->chemistry != NULL ? take_notes(molecule->chemistry, opt_notes, opt_error) : bt_fail_memory(opt_error);
  if (status == BT_OK)
    status = describe(mol, conformer, opt_bound, rules, options, deadline, where, molecule, opt_error);
  if (status == BT_OK) status = keep_structure(molecule->chemistry, mol, conformer, name, opt_error);
  return BT_HAND_OVER(status, molecule, ret_molecule, bt_molecule_destroy);
}
