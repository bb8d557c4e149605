/* receptor.c - prepares a receptor: the steps in their order, and the result. */
#include "prep/receptor/receptor.h"

#include <berth/berth.h>

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/file.h"
#include "base/memory.h"
#include "prep/receptor/superpose.h"

struct bt_prepared_receptor {
  bt_molecule *rigid, *opt_flexible;
  bt_tether *opt_tether;
  char *rigid_text, *flexible_text, *pdb, *report, *json;
  int n_waters;
  bt_text_list notes;
};

bt_receptor_options bt_receptor_options_default(void) {
  return (bt_receptor_options){.model = 1, .ph = (double)NAN, .pka_seconds = 600};
}

/* ----------------------------------------------------------------------------------------- Names and failures -- */

const char *bt_receptor_name(const bt_receptor_work *prep, int residue, char buffer[40]) {
  return bt_structure_residue_text(bt_receptor_source(prep, residue), buffer, 40);
}

bt_status bt_receptor_fail(const bt_receptor_work *prep, const char *remedy, const char *format, ...) {
  char text[480];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return bt_fail(prep->opt_error, BT_ERR_INPUT, (bt_where){.file = prep->label}, remedy, "%s", text);
}

/* -------------------------------------------------------------------------------------------------------- Steps -- */

/* PDBQT has one letter for a chain: longer names get unused letters. */
static bt_status choose_letters(bt_receptor_work *prep) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  const bt_structure *s = prep->structure;
  prep->letters = bt_allocate((size_t)s->n_residues, 1);
  if (prep->letters == NULL) return bt_fail_memory(prep->opt_error);
  bool used[256] = {false};
  for (int i = 0; i < s->n_residues; i++)
    if (strlen(s->residues[i].chain) == 1) used[(unsigned char)s->residues[i].chain[0]] = true;
  for (int i = 0; i < s->n_residues; i++) {
    const char *chain = s->residues[i].chain;
    prep->letters[i] = chain[0] == '\0' ? ' ' : chain[0];
    if (strlen(chain) < 2) continue;
    int same = i - 1;
    while (same >= 0 && strcmp(s->residues[same].chain, chain) != 0) same--;
    if (same >= 0) {
      prep->letters[i] = prep->letters[same];
      continue;
    }
    const char *free_letter = letters;
    while (*free_letter != '\0' && used[(unsigned char)*free_letter]) free_letter++;
    prep->letters[i] = *free_letter != '\0' ? *free_letter : ' ';
    used[(unsigned char)prep->letters[i]] = true;
    bt_text_printf(&prep->notes, "chain %s is written as '%c'\n", chain, prep->letters[i]);
  }
  return BT_OK;
}

/* `A:57:HID` */
static bt_status set_state(bt_receptor_work *prep, bt_span word) {
  size_t cut = word.size;
  while (cut > 0 && word.text[cut - 1] != ':') cut--;
  bt_selector selector;
  char state[8];
  if (cut < 2 || !bt_selector_find(prep->structure, (bt_span){word.text, cut - 1}, &selector) ||
      !bt_span_copy((bt_span){word.text + cut, word.size - cut}, state, sizeof state))
    return bt_receptor_fail(prep, "write residue and state, as in A:57:HID", "'%.*s' is not a residue and a state",
                            (int)(word.size < 60 ? word.size : 60), word.text);
  for (char *c = state; *c != '\0'; c++) *c = (char)toupper((unsigned char)*c);
  const char *known = NULL;
  for (int k = 0; k < prep->templates->n_items && known == NULL; k++)
    if (strcmp(prep->templates->items[k].family, state) == 0) known = prep->templates->items[k].family;
  if (known == NULL)
    return bt_receptor_fail(prep,
                            "write residue and state, as in A:57:HID; states are HID, HIE, HIP, ASH, GLH, LYN, CYS, "
                            "CYX, CYM, TYM and names of residues",
                            "there is no state %s", state);
  int count = 0;
  for (int i = 0; i < prep->n_residues; i++)
    if (bt_selector_fits(&selector, bt_receptor_source(prep, i))) {
      prep->residues[i].forced = known;
      bt_receptor_note(&prep->residues[i], "state %s as requested", known);
      count++;
    }
  return count > 0 ? BT_OK : bt_selector_fail(prep->structure, prep->label, &selector, prep->opt_error);
}

/* The one residue of the receptor that a word names. */
static bt_status find_kept(bt_receptor_work *prep, bt_span word, int *ret_residue) {
  bt_selector selector;
  int count = 0, chosen = 0;
  if (bt_selector_find(prep->structure, word, &selector))
    for (int i = 0; i < prep->n_residues; i++)
      if (bt_selector_fits(&selector, bt_receptor_source(prep, i))) {
        chosen = i;
        count++;
      }
  if (count != 1) return bt_selector_fail(prep->structure, prep->label, &selector, prep->opt_error);
  if (prep->residues[chosen].fate != BT_FATE_KEPT)
    return bt_receptor_fail(prep, "keep it with --keep, or name another one", "%.*s is not part of the receptor",
                            (int)(word.size < 60 ? word.size : 60), word.text);
  *ret_residue = chosen;
  return BT_OK;
}

static bt_status set_flexible(bt_receptor_work *prep, bt_span word) {
  int residue;
  BT_TRY(find_kept(prep, word, &residue));
  prep->residues[residue].flexible = true;
  return BT_OK;
}

static bt_status set_tethered(bt_receptor_work *prep, const char *opt_word) {
  int residue;
  if (opt_word == NULL) return BT_OK;
  BT_TRY(find_kept(prep, bt_span_from(opt_word), &residue));
  prep->residues[residue].tethered = true;
  bt_receptor_free_tethered(prep, residue);
  return BT_OK;
}

static bt_status run_steps(bt_receptor_work *prep) {
  const bt_receptor_options *o = prep->options;
  BT_TRY(choose_letters(prep));
  BT_TRY(bt_receptor_select(prep));
  BT_TRY(bt_receptor_overlaps(prep));
  BT_TRY(bt_receptor_words(prep, o->states, o->n_states, set_state));
  BT_TRY(bt_receptor_words(prep, o->flexible, o->n_flexible, set_flexible));
  BT_TRY(set_tethered(prep, o->opt_covalent));
  BT_TRY(bt_receptor_links(prep));
  bt_receptor_take_central(prep);
  BT_TRY(bt_receptor_bound_waters(prep));
  BT_TRY(bt_receptor_pka(prep));
  BT_TRY(bt_receptor_states(prep));
  BT_TRY(bt_receptor_rebuild(prep));
  BT_TRY(bt_receptor_hydrogens(prep));
  BT_TRY(bt_receptor_optimize(prep));
  if (o->zinc) BT_TRY(bt_receptor_zinc(prep));
  BT_TRY(bt_receptor_check_flexible(prep));
  BT_TRY(bt_receptor_check_tethered(prep));
  BT_TRY(bt_receptor_write(prep));
  bt_receptor_note_removed(prep);
  BT_TRY(bt_receptor_gather_notes(prep));
  return bt_receptor_report(prep);
}

/* ------------------------------------------------------------------------------------------------------- Result -- */

static bt_status make_result(bt_receptor_work *prep, bt_prepared_receptor *p) {
  BT_TRY(bt_text_status(&prep->notes, prep->opt_error));
  for (int i = 0; i < prep->n_residues; i++) BT_TRY(bt_text_status(&prep->residues[i].notes, prep->opt_error));
  bt_lines lines = bt_lines_of(prep->notes.data != NULL ? prep->notes.data : "", prep->notes.size);
  for (bt_span line; bt_lines_next(&lines, &line);) BT_TRY(bt_text_list_add(&p->notes, line, prep->opt_error));
  BT_TRY(bt_text_take(&prep->rigid_text, &p->rigid_text, prep->opt_error));
  BT_TRY(bt_text_take(&prep->flexible_text, &p->flexible_text, prep->opt_error));
  BT_TRY(bt_text_take(&prep->pdb, &p->pdb, prep->opt_error));
  BT_TRY(bt_text_take(&prep->report, &p->report, prep->opt_error));
  BT_TRY(bt_text_take(&prep->json, &p->json, prep->opt_error));
  for (int i = 0; prep->options->waters != BT_WATERS_NONE && i < prep->n_residues; i++) {
    const bt_receptor_residue *r = &prep->residues[i];
    p->n_waters += r->fate == BT_FATE_KEPT && !r->held && bt_receptor_is_water(prep, i);
  }
  p->rigid = prep->rigid;
  prep->rigid = NULL;
  p->opt_tether = prep->opt_tether;
  prep->opt_tether = NULL;
  if (prep->n_moved == 0) return BT_OK;
  p->opt_flexible = prep->flexible;
  prep->flexible = NULL;
  return BT_OK;
}

static void clear(bt_receptor_work *prep) {
  for (int i = 0; prep->residues != NULL && i < prep->n_residues; i++) {
    free(prep->residues[i].atoms);
    free(prep->residues[i].hydrogens);
    bt_text_destroy(&prep->residues[i].notes);
  }
  free(prep->residues);
  free(prep->bonds);
  free(prep->pseudo);
  free(prep->pseudo_residue);
  free(prep->letters);
  free(prep->opt_tether);
  bt_text_destroy(&prep->notes);
  bt_molecule_destroy(prep->rigid);
  bt_molecule_destroy(prep->flexible);
  bt_text_destroy(&prep->rigid_text);
  bt_text_destroy(&prep->flexible_text);
  bt_text_destroy(&prep->pdb);
  bt_text_destroy(&prep->report);
  bt_text_destroy(&prep->json);
}

static void note_models(bt_receptor_work *prep) {
  const bt_structure *s = prep->structure;
  if (s->n_models > 1 && s->model == 0)
    bt_text_printf(&prep->notes, "all %d models are joined\n", s->n_models);
  else if (s->n_models > 1)
    bt_text_printf(&prep->notes, "model %d of %d is used (%s)\n", s->model, s->n_models,
                   s->apart ? "the models do not overlap: an assembly, not an ensemble; --model all joins them"
                            : "--model chooses another, --model all joins those of an assembly");
  bt_text_add_string(&prep->notes, s->notes != NULL ? s->notes : "");
}

static bt_status prepare(const char *path, const bt_structure *structure, const bt_templates *templates,
                         const bt_receptor_options *options, bt_prepared_receptor *p, bt_error *opt_error) {
  BT_ENDED_BY(clear)
  bt_receptor_work prep = {.options = options,
                           .structure = structure,
                           .templates = templates,
                           .path = path,
                           .label = bt_file_label(path),
                           .n_residues = structure->n_residues,
                           .opt_error = opt_error};
  prep.residues = bt_allocate((size_t)structure->n_residues, sizeof *prep.residues);
  if (prep.residues == NULL) return bt_fail_memory(opt_error);
  for (int i = 0; i < structure->n_residues; i++) prep.residues[i].source = i;
  note_models(&prep);
  BT_TRY(run_steps(&prep));
  return make_result(&prep, p);
}

/* Onto another receptor, as the options say. */
static bt_status superpose(bt_structure *s, const bt_receptor_options *options, bt_text *note, bt_error *opt_error) {
  bt_superposition motion;
  if (options->opt_onto == NULL) return BT_OK;
  BT_TRY(bt_superpose_structure(s, options->opt_onto, options->box_center, options->box_size, &motion, opt_error));
  for (int i = 0; i < s->n_atoms; i++) bt_superposition_move(&motion, s->atoms[i].x);
  bt_text_printf(note, "superposed on %s by %d C-alpha atoms around the box, RMSD %.2f Angstrom\n%s",
                 bt_molecule_name(options->opt_onto), motion.count, motion.rmsd, s->notes != NULL ? s->notes : "");
  free(s->notes);
  s->notes = NULL;
  return bt_text_take(note, &s->notes, opt_error);
}

bt_status bt_receptor_model_count(const char *path, int *ret_count, bt_error *opt_error) {
  bt_structure *structure;
  *ret_count = 0;
  BT_TRY(bt_structure_read(path, 1, &structure, opt_error));
  *ret_count = structure->n_models;
  bt_structure_destroy(structure);
  return BT_OK;
}

bt_status bt_receptor_prepare(const char *path, const bt_receptor_options *options, bt_prepared_receptor **ret_prepared,
                              bt_error *opt_error) {
  *ret_prepared = NULL;
  bt_structure *structure = NULL;
  bt_templates *templates = NULL;
  bt_prepared_receptor *p = calloc(1, sizeof *p);
  bt_status status = p == NULL ? bt_fail_memory(opt_error) : BT_OK;
  if (status == BT_OK) status = bt_structure_read(path, options->model, &structure, opt_error);
  BT_ENDED_BY(bt_text_destroy) bt_text note = {0};
  if (status == BT_OK) status = superpose(structure, options, &note, opt_error);
  if (status == BT_OK) status = bt_templates_create(&templates, opt_error);
  if (status == BT_OK) status = prepare(path, structure, templates, options, p, opt_error);
  bt_structure_destroy(structure);
  bt_templates_destroy(templates);
  return BT_HAND_OVER(status, p, ret_prepared, bt_prepared_receptor_destroy);
}

void bt_prepared_receptor_destroy(bt_prepared_receptor *opt_prepared) {
  if (opt_prepared == NULL) return;
  bt_molecule_destroy(opt_prepared->rigid);
  bt_molecule_destroy(opt_prepared->opt_flexible);
  bt_text_list_destroy(&opt_prepared->notes);
  free(opt_prepared->opt_tether);
  free(opt_prepared->rigid_text);
  free(opt_prepared->flexible_text);
  free(opt_prepared->pdb);
  free(opt_prepared->report);
  free(opt_prepared->json);
  free(opt_prepared);
}

const bt_molecule *bt_prepared_receptor_rigid(const bt_prepared_receptor *prepared) { return prepared->rigid; }
const bt_molecule *bt_prepared_receptor_flexible(const bt_prepared_receptor *prepared) {
  return prepared->opt_flexible;
}
const bt_tether *bt_prepared_receptor_tether(const bt_prepared_receptor *prepared) { return prepared->opt_tether; }
int bt_prepared_receptor_water_count(const bt_prepared_receptor *prepared) { return prepared->n_waters; }
const char *bt_prepared_receptor_rigid_pdbqt(const bt_prepared_receptor *prepared) { return prepared->rigid_text; }
const char *bt_prepared_receptor_flexible_pdbqt(const bt_prepared_receptor *prepared) {
  return prepared->flexible_text;
}
const char *bt_prepared_receptor_pdb(const bt_prepared_receptor *prepared) { return prepared->pdb; }
const char *bt_prepared_receptor_report(const bt_prepared_receptor *prepared) { return prepared->report; }
const char *bt_prepared_receptor_report_json(const bt_prepared_receptor *prepared) { return prepared->json; }
int bt_prepared_receptor_note_count(const bt_prepared_receptor *prepared) { return prepared->notes.count; }
const char *bt_prepared_receptor_note(const bt_prepared_receptor *prepared, int index) {
  return prepared->notes.items[index];
}
