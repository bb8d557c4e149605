/* preparer.c - converts records to ligands. */
#include "prep/ligand/preparer.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/file.h"
#include "base/memory.h"
#include "formats/pdbqt/pdbqt.h"
#include "prep/ligand/ensemble.h"
#include "prep/ligand/ligand.h"

struct bt_preparer {
  bt_prepare_options options;
  bt_rules *rules;
};

bt_status bt_ligand_check_rdkit(const char *opt_label, bt_error *opt_error) {
  if (*bt_rdkit_version() != '\0') return BT_OK;
  return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = opt_label},
                 "install librdkit-dev and libboost-dev and build again, or use PDBQT", "this build has no RDKit");
}

/* Before any molecule is read. */
static bt_status check_filter(const char *text, bt_error *opt_error) {
  bt_filter *filter;
  BT_TRY(bt_ligand_check_rdkit(NULL, opt_error));
  BT_TRY(bt_filter_create(text, &filter, opt_error));
  bt_filter_destroy(filter);
  return BT_OK;
}

bt_status bt_filter_check_words(const char *text, bool library, bt_error *opt_error) {
  BT_TRY(check_filter(text, opt_error));
  if (library || !bt_filter_is_unique(text)) return BT_OK;
  return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0},
                 "make a library with it first: berth prep library --filter unique",
                 "filter: unique compares all ligands, which are not known here");
}

static bt_status check_protomers(const bt_prepare_options *options, bt_error *opt_error) {
  if (options->protomers < 0 || options->protomers > BT_PROTOMERS_MOST)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "use 1 to 32", "%d protomers", options->protomers);
  if (options->protomers > 1 && options->as_drawn)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "leave one of the two out",
                   "further protomers, and protonation as drawn");
  if (options->protomers > 1 && options->opt_tether != NULL)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "leave one of the two out",
                   "covalent ligands have one protomer only");
  return BT_OK;
}

bt_status bt_prepare_check(const bt_prepare_options *options, bt_error *opt_error) {
  if (!isnan(options->ph) && !(options->ph >= -2 && options->ph <= 16))
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "use a pH from 0 to 14", "pH %g", options->ph);
  if (!isnan(options->ph) && options->as_drawn)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "leave out --ph or --as-drawn",
                   "pH %g and protonation as drawn exclude each other", options->ph);
  if (options->conformers < 0 || options->conformers > 10000)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "use 1 to 10000", "%d conformers", options->conformers);
  if (options->opt_filter != NULL) BT_TRY(check_filter(options->opt_filter, opt_error));
  BT_TRY(check_protomers(options, opt_error));
  if (options->opt_warhead != NULL && options->opt_tether == NULL)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "name the residue as well",
                   "a warhead, but no residue to bond to");
  if (options->opt_tether != NULL && options->keep_hydrogens)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "leave one of the two out",
                   "a covalent ligand cannot keep hydrogens on carbon: those of the alpha carbon are the protein's");
  return BT_OK;
}

bt_status bt_preparer_create(const bt_prepare_options *options, bt_shapes *opt_shapes, bt_preparer **ret_preparer,
                             bt_error *opt_error) {
  BT_TRY(bt_ligand_check_rdkit(NULL, opt_error));
  bt_preparer *preparer = bt_allocate(1, sizeof *preparer);
  if (preparer == NULL) return bt_fail_memory(opt_error);
  preparer->options = *options;
  bt_status status = bt_rules_create(&preparer->rules, opt_error);
  if (status == BT_OK) preparer->rules->opt_shapes = opt_shapes;
  if (status == BT_OK && options->opt_filter != NULL)
    status = bt_filter_create(options->opt_filter, &preparer->rules->opt_filter, opt_error);
  if (status == BT_OK && options->protomers > 1)
    status = bt_tautomer_rules_create(&preparer->rules->opt_tautomers, opt_error);
  return BT_HAND_OVER(status, preparer, ret_preparer, bt_preparer_destroy);
}

void bt_preparer_destroy(bt_preparer *opt_preparer) {
  if (opt_preparer == NULL) return;
  bt_rules_destroy(opt_preparer->rules);
  free(opt_preparer);
}

/* A file whose lines all end in a bare CR reads as a single line: its other records would be lost as a part of the
 * first.
 */
static bt_status check_line_ends(const bt_record *record, bt_where where, bt_error *opt_error) {
  size_t size = record->size;
  while (size > 0 && isspace((unsigned char)record->text[size - 1])) size--;
  if (memchr(record->text, '\r', size) == NULL || memchr(record->text, '\n', size) != NULL) return BT_OK;
  return bt_fail(opt_error, BT_ERR_INPUT, where, "convert the file: tr '\\r' '\\n' <old >new",
                 "lines that end with a carriage return alone");
}

/* The reason with the record's number and name: a line number alone says little in a library of compounds. */
static void name_record(const bt_record *record, bt_error *opt_error) {
  if (opt_error == NULL) return;
  BT_ENDED_BY(bt_text_destroy) bt_text text = {0};
  bt_text_printf(&text, "record %ld (%.80s): %s", record->number, record->name, opt_error->message);
  if (!text.failed) bt_span_copy((bt_span){text.data, text.size}, opt_error->message, sizeof opt_error->message);
}

bt_status bt_preparer_chemistry(bt_preparer *preparer, const bt_record *record, bt_rdmol **ret_mol, char **ret_notes,
                                bt_error *opt_error) {
  const bt_where where = {.file = bt_file_label(record->path), .line = record->line};
  const bt_deadline deadline = bt_ligand_deadline(&preparer->options);
  bt_prepare_options complete = preparer->options;
  complete.conformers = 0;
  *ret_notes = NULL;
  BT_TRY(record->format->read(record, true, where, ret_mol, opt_error));
  bt_status status = bt_record_check_atoms(bt_rdmol_atom_count(*ret_mol), where, opt_error);
  if (status == BT_OK)
    status = bt_ligand_complete(*ret_mol, preparer->rules, &complete, &deadline, where, ret_notes, opt_error);
  if (status != BT_OK) bt_rdmol_destroy(*ret_mol);
  return status;
}

bt_status bt_preparer_filter(const bt_preparer *preparer, const bt_molecule *molecule, bt_where where,
                             bt_error *opt_error) {
  BT_SCOPED bt_pdbqt_place *places = bt_allocate((size_t)molecule->n_atoms, sizeof *places);
  bt_span smiles;
  bt_rdmol *mol;
  if (places == NULL) return bt_fail_memory(opt_error);
  if (bt_pdbqt_find_remarks(molecule, &smiles, places) != NULL)
    return bt_fail(opt_error, BT_ERR_INPUT, where, "use it as SDF, MOL2 or SMILES, or leave out the filter",
                   "the bonds of %.80s, which the filter needs, are unknown", molecule->name);
  BT_TRY(bt_rdmol_read(BT_RD_SMILES, smiles.text, smiles.size, where, NULL, &mol, opt_error));
  bt_status status = bt_filter_check(preparer->rules->opt_filter, mol, where, opt_error);
  bt_rdmol_destroy(mol);
  return status;
}

/* A record in preparation. */
typedef struct job {
  const bt_preparer *preparer;
  const bt_record *record;
  const bt_deadline *deadline;
  bt_where where;
  bt_bound *opt_bound; /* NULL: a free ligand */
  bt_text remarks;     /* of all its ligands, a line each */
  bt_molecules *list;
  bt_error *opt_error;
} job;

/* Which of a record's ligands: its stereoisomer and its state, from 1 (0: it is the only one), and its conformer, from
 * 1. */
typedef struct variety {
  int isomer, state, conformer;
  bool numbered; /* the conformer is in its name */
} variety;

static bt_status make_conformer(job *j, bt_rdmol *mol, variety which, const char *notes, bt_molecule **ret_molecule) {
  const bt_preparer *preparer = j->preparer;
  BT_ENDED_BY(bt_text_destroy) bt_text name = {0};
  int conformer = which.conformer - 1;
  bt_text_add_string(&name, j->record->name);
  if (which.isomer > 0) bt_text_printf(&name, "_s%d", which.isomer);
  if (which.state > 0) bt_text_printf(&name, "_p%d", which.state);
  if (which.numbered) bt_text_printf(&name, "_c%d", which.conformer);
  BT_TRY(bt_text_status(&name, j->opt_error));
  if (j->opt_bound != NULL) BT_TRY(bt_covalent_align(mol, conformer, j->opt_bound, j->opt_error));
  BT_TRY(bt_ligand_from_conformer(mol, conformer, j->opt_bound, notes, preparer->rules, &preparer->options, j->deadline,
                                  j->where, name.data, ret_molecule, j->opt_error));
  if (which.isomer == 0 && which.state == 0) return BT_OK;
  (*ret_molecule)->opt_parent = bt_copy_text(j->record->name, strlen(j->record->name));
  if ((*ret_molecule)->opt_parent != NULL) return BT_OK;
  bt_molecule_destroy(*ret_molecule);
  return bt_fail_memory(j->opt_error);
}

/* Conformers as ligands of their own. */
static bt_status add_each(job *j, bt_rdmol *mol, variety which, int count, const char *notes) {
  which.numbered = count > 1;
  for (int i = 0; i == 0 || i < count; i++) {
    bt_molecule *molecule;
    which.conformer = i + 1;
    BT_TRY(make_conformer(j, mol, which, notes, &molecule));
    BT_TRY(bt_molecules_add(j->list, molecule, j->opt_error));
  }
  return BT_OK;
}

/* Conformers as one ligand: those that differ from each other where docking does not move atoms. */
static bt_status add_ensemble(job *j, bt_rdmol *mol, variety which, int count, const char *notes) {
  bt_molecule *molecule, *made;
  which.conformer = 1;
  BT_TRY(make_conformer(j, mol, which, notes, &molecule));
  bt_status status = BT_OK;
  for (int i = 1; status == BT_OK && i < count; i++) {
    which.conformer = i + 1;
    status = make_conformer(j, mol, which, notes, &made);
    if (status == BT_OK) status = bt_ensemble_add(molecule, made, j->opt_error);
  }
  if (status == BT_OK) return bt_molecules_add(j->list, molecule, j->opt_error);
  bt_molecule_destroy(molecule);
  return status;
}

/* All conformers of a molecule, of one of its stereoisomers or states; opt_remark is a note for each. */
static bt_status add_molecule(job *j, bt_rdmol *mol, variety which, const char *opt_remark) {
  const bt_preparer *preparer = j->preparer;
  bt_prepare_options options = preparer->options;
  BT_SCOPED char *notes = NULL;
  BT_ENDED_BY(bt_text_destroy) bt_text all = {0};
  if (which.state > 1) options.ph = NAN, options.as_drawn = true; /* it has its protons */
  BT_TRY(bt_ligand_complete(mol, preparer->rules, &options, j->deadline, j->where, &notes, j->opt_error));
  bt_text_add_string(&all, j->remarks.data != NULL ? j->remarks.data : "");
  bt_text_add_string(&all, opt_remark != NULL ? opt_remark : "");
  bt_text_add_string(&all, notes != NULL ? notes : "");
  BT_TRY(bt_text_status(&all, j->opt_error));
  int count = bt_rdmol_conformer_count(mol);
  return (preparer->options.ensemble ? add_ensemble : add_each)(j, mol, which, count, all.data);
}

/* Another state; one that cannot be prepared is left out, as long as the usual one can. */
static bt_status add_state(job *j, const bt_state *state, variety which, int count, const char *opt_remark) {
  BT_ENDED_BY(bt_text_destroy) bt_text remark = {0};
  bt_error error = {0}, *opt_error = j->opt_error;
  bt_text_printf(&remark, "%sstate %d of %d: %s\n", opt_remark != NULL ? opt_remark : "", which.state, count,
                 state->what);
  BT_TRY(bt_text_status(&remark, opt_error));
  j->opt_error = &error;
  bt_status status = add_molecule(j, state->mol, which, remark.data);
  j->opt_error = opt_error;
  if (status == BT_OK || bt_status_concerns_ligand(status)) return BT_OK;
  if (opt_error != NULL) *opt_error = error;
  return status;
}

/* A molecule, or one of its stereoisomers, in all its states. */
static bt_status add_states(job *j, bt_rdmol *mol, int isomer, const char *opt_remark) {
  const bt_preparer *preparer = j->preparer;
  bt_states states = {0};
  BT_ENDED_BY(bt_text_destroy) bt_text remark = {0};
  if (preparer->options.protomers > 1)
    BT_TRY(bt_ligand_states(mol, preparer->rules, &preparer->options, j->where, &states, j->opt_error));
  int count = (int)states.count + 1;
  bt_text_add_string(&remark, opt_remark != NULL ? opt_remark : "");
  if (count > 1) bt_text_printf(&remark, "state 1 of %d: the usual one\n", count);
  bt_status status = bt_text_status(&remark, j->opt_error);
  if (status == BT_OK) status = add_molecule(j, mol, (variety){.isomer = isomer, .state = count > 1}, remark.data);
  for (int k = 0; status == BT_OK && k + 1 < count; k++)
    status = add_state(j, &states.items[k], (variety){.isomer = isomer, .state = k + 2}, count, opt_remark);
  bt_states_clear(&states);
  return status;
}

/* Every stereoisomer that can be embedded: rings exclude some. */
static bt_status add_isomers(job *j, const bt_rdmol *mol) {
  bt_rdmol **isomers;
  int count, built = 0;
  bool all;
  bt_error first = {0}, error = {0}, *opt_error = j->opt_error;
  char remark[128];
  BT_TRY(bt_rdmol_isomers(mol, BT_STEREO_MOST, j->where, &isomers, &count, &all, opt_error));
  bt_status status = BT_OK;
  j->opt_error = &error;
  for (int k = 0; k < count && status == BT_OK; k++) {
    snprintf(remark, sizeof remark, "stereoisomer %d of %s%d\n", k + 1, all ? "" : "the first ", count);
    status = add_states(j, isomers[k], count > 1 ? k + 1 : 0, count > 1 ? remark : NULL);
    built += status == BT_OK;
    if (status == BT_OK) continue;
    if (first.status == BT_OK) first = error;
    if (status == BT_ERR_INPUT && count > 1) status = BT_OK;
  }
  j->opt_error = opt_error;
  if (status == BT_OK && built == 0) status = first.status;
  if (status != BT_OK && opt_error != NULL) *opt_error = first;
  for (int k = 0; k < count; k++) bt_rdmol_destroy(isomers[k]);
  free(isomers);
  return status;
}

static const char open_stereo_note[] = "stereochemistry of ";

bool bt_ligand_has_open_stereo(const bt_molecule *molecule) {
  for (int i = 0; i < bt_molecule_note_count(molecule); i++)
    if (strncmp(bt_molecule_note(molecule, i), open_stereo_note, sizeof open_stereo_note - 1) == 0) return true;
  return false;
}

/* Undefined stereochemistry, as a remark. */
static bt_status tell_open_stereo(job *j, const bt_rdmol *mol) {
  BT_SCOPED char *open = NULL;
  BT_TRY(bt_rdmol_open_stereo(mol, j->where, &open, j->opt_error));
  if (open == NULL) return BT_OK;
  bt_text_printf(&j->remarks, "%s%s is undefined: one isomer was generated (--stereo enumerate gives all)\n",
                 open_stereo_note, open);
  return bt_text_status(&j->remarks, j->opt_error);
}

/* Racemic and relative stereochemistry, as remarks. given: by 3D coordinates. */
static bt_status tell_grouped_stereo(job *j, const bt_rdmol *mol, bool given) {
  BT_SCOPED char *groups = NULL;
  BT_TRY(bt_rdmol_grouped_stereo(mol, &groups, j->opt_error));
  if (groups == NULL) return BT_OK;
  bt_lines lines = bt_lines_of(groups, strlen(groups));
  bt_span line;
  while (bt_lines_next(&lines, &line))
    if (line.size > 0)
      bt_text_printf(&j->remarks, "%s%.*s: %s\n", open_stereo_note, (int)line.size, line.text,
                     given ? "the isomer of the coordinates was taken"
                           : "the isomer as drawn was taken (--stereo enumerate gives both)");
  return bt_text_status(&j->remarks, j->opt_error);
}

static bt_status add_record(job *j, bt_rdmol *mol) {
  const bt_prepare_options *options = &j->preparer->options;
  bt_molecule *docked = NULL;
  if (options->as_docked) BT_TRY(bt_ligand_as_docked(mol, j->where, j->record->name, &docked, j->opt_error));
  if (docked != NULL) return bt_molecules_add(j->list, docked, j->opt_error);
  BT_TRY(bt_record_check_atoms(bt_rdmol_atom_count(mol), j->where, j->opt_error));
  if (options->opt_tether != NULL)
    BT_TRY(bt_covalent_bind(mol, options->opt_tether, options->opt_warhead, j->where, j->opt_bound, &j->remarks,
                            j->opt_error));
  bool made = !bt_rdmol_is_3d(mol) && options->conformers > 0;
  if (made && options->stereo == BT_STEREO_ENUMERATE) return add_isomers(j, mol);
  if (made) BT_TRY(tell_open_stereo(j, mol));
  if (options->conformers > 0) BT_TRY(tell_grouped_stereo(j, mol, !made));
  return add_states(j, mol, 0, NULL);
}

bt_status bt_preparer_run(bt_preparer *preparer, const bt_record *record, bt_molecules *list, bt_error *opt_error) {
  bt_where where = {.file = bt_file_label(record->path), .line = record->line};
  const bt_deadline deadline = bt_ligand_deadline(&preparer->options);
  bt_bound bound;
  job j = {.preparer = preparer,
           .record = record,
           .deadline = &deadline,
           .where = where,
           .opt_bound = preparer->options.opt_tether != NULL ? &bound : NULL,
           .list = list,
           .opt_error = opt_error};
  bt_rdmol *mol = NULL;
  bt_status status = check_line_ends(record, where, opt_error);
  bool to_embed = preparer->options.conformers > 0;
  if (status == BT_OK) status = record->format->read(record, to_embed, where, &mol, opt_error);
  if (status == BT_OK) status = add_record(&j, mol);
  bt_text_destroy(&j.remarks);
  bt_rdmol_destroy(mol);
  if (status == BT_ERR_INPUT || status == BT_ERR_PARAMETER || status == BT_ERR_LIMIT) name_record(record, opt_error);
  return status;
}
