/* docked.c - see docked.h. */
#include "results/docked.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chem/chemistry.h"
#include "chem/glue.h"
#include "formats/pdbqt/pdbqt.h"

/* ---- writing ---- */

/* The fewest digits that reproduce the number. */
static void add_number(bt_text *text, double value) {
  char digits[40];
  for (int precision = 15; precision <= 17; precision++) {
    double read;
    snprintf(digits, sizeof digits, "%.*g", precision, value);
    if (bt_parse_double(bt_span_from(digits), &read) && read == value) break;
  }
  bt_text_add_char(text, ' ');
  bt_text_add_string(text, digits);
}

void bt_docked_text(bt_text *text, const bt_docked *docked) {
  const bt_box *box = &docked->box;
  bt_text_printf(text, "%s center", bt_scoring_name(docked->scoring));
  for (int k = 0; k < 3; k++) add_number(text, box->center[k]);
  bt_text_printf(text, " npts %d %d %d spacing", box->npts[0], box->npts[1], box->npts[2]);
  add_number(text, box->spacing);
  if (docked->torsional == BT_TORSIONAL_BRANCHES) bt_text_add_string(text, " torsional branches");
  if (!bt_scoring_traits_of(docked->scoring)->affinity) return;
  bt_text_add_string(text, " unbound");
  add_number(text, docked->unbound);
}

/* Closures in the order of their numbers, which is that in which preparation opens them again. */
void bt_docked_opened_text(bt_text *text, const bt_molecule *molecule) {
  size_t before = text->size;
  for (int closure = 0; closure < 10; closure++)
    for (int i = 0; i < molecule->n_atoms; i++)
      if (bt_glue_carbon(molecule->atoms[i].type) == closure)
        bt_text_printf(text, "%s%d", text->size > before ? " " : "", molecule->chemistry->entry[i] + 1);
  if (text->size == before) bt_text_add_string(text, "none");
}

bool bt_docked_of(const bt_result *result, const bt_run *run, bt_docked *ret_docked) {
  const bt_maps *maps = bt_run_maps(result, run);
  if (maps == NULL) return false;
  *ret_docked = (bt_docked){.scoring = result->ligand->scoring,
                            .box = bt_maps_box(maps),
                            .unbound = run->energy.unbound,
                            .torsional = result->options.torsional};
  return true;
}

void bt_docked_round(const bt_ligand *ligand, const bt_maps *opt_maps, double *xyz) {
  for (int k = 0; k < 3 * ligand->n_atoms; k++) {
    double rounded = bt_pdbqt_round(xyz[k]);
    if (opt_maps != NULL && xyz[k] <= opt_maps->high[k % 3] && rounded > opt_maps->high[k % 3])
      rounded = bt_pdbqt_round(rounded - 0.001);
    if (opt_maps != NULL && xyz[k] >= opt_maps->low[k % 3] && rounded < opt_maps->low[k % 3])
      rounded = bt_pdbqt_round(rounded + 0.001);
    xyz[k] = rounded;
  }
}

/* ---- reading ---- */

static bool take_word(bt_span *rest, const char *word) { return bt_span_equals(bt_span_word(rest), word); }

static bool take_numbers(bt_span *rest, int count, double *ret_values) {
  for (int k = 0; k < count; k++)
    if (!bt_parse_double(bt_span_word(rest), &ret_values[k])) return false;
  return true;
}

static bool is_box(const bt_box *box) {
  bool good = box->spacing >= 0.01 && box->spacing <= 10;
  for (int k = 0; k < 3; k++)
    good = good && fabs(box->center[k]) < 1e5 && box->npts[k] >= 1 && box->npts[k] * box->spacing <= 1000;
  return good;
}

bool bt_docked_parse(bt_span text, bt_docked *ret_docked) {
  bt_docked docked = {.unbound = NAN};
  char name[16];
  if (!bt_span_copy(bt_span_word(&text), name, sizeof name) || !bt_scoring_find(name, &docked.scoring)) return false;
  if (!take_word(&text, "center") || !take_numbers(&text, 3, docked.box.center) || !take_word(&text, "npts"))
    return false;
  for (int k = 0; k < 3; k++)
    if (!bt_parse_int(bt_span_word(&text), &docked.box.npts[k])) return false;
  if (!take_word(&text, "spacing") || !take_numbers(&text, 1, &docked.box.spacing) || !is_box(&docked.box))
    return false;
  bt_span rest = text;
  if (take_word(&rest, "torsional")) {
    if (!take_word(&rest, "branches")) return false;
    docked.torsional = BT_TORSIONAL_BRANCHES;
    text = rest;
  }
  bool unbound = bt_scoring_traits_of(docked.scoring)->affinity;
  if (unbound && (!take_word(&text, "unbound") || !take_numbers(&text, 1, &docked.unbound))) return false;
  *ret_docked = docked;
  return bt_span_trim(text).size == 0;
}

bool bt_molecule_docked(const bt_molecule *molecule, bt_docked *ret_docked) {
  const bt_chemistry *chemistry = molecule->chemistry;
  if (chemistry != NULL && chemistry->embedded) return false; /* in coordinates of its own */
  const char *item = chemistry != NULL ? bt_rdmol_item(chemistry->mol, BT_DOCKED_ITEM) : NULL;
  if (item != NULL && bt_docked_parse(bt_span_from(item), ret_docked)) return true;
  static const char remark[] = "REMARK " BT_DOCKED_REMARK " ";
  for (int i = 0; i < molecule->n_lines; i++) {
    bt_span line = bt_span_from(molecule->lines[i]);
    if (!bt_span_starts(line, remark)) continue;
    return bt_docked_parse((bt_span){line.text + strlen(remark), line.size - strlen(remark)}, ret_docked);
  }
  return false;
}

bool bt_molecule_docked_energy(const bt_molecule *molecule, double *ret_energy) {
  const bt_chemistry *chemistry = molecule->chemistry;
  const char *item = chemistry != NULL ? bt_rdmol_item(chemistry->mol, "docking_score") : NULL;
  if (item != NULL) return bt_parse_double(bt_span_trim(bt_span_from(item)), ret_energy);
  static const char remark[] = "REMARK VINA RESULT:";
  for (int i = 0; i < molecule->n_lines; i++) {
    bt_span line = bt_span_from(molecule->lines[i]);
    if (!bt_span_starts(line, remark)) continue;
    line = (bt_span){line.text + strlen(remark), line.size - strlen(remark)};
    return bt_parse_double(bt_span_word(&line), ret_energy);
  }
  return false;
}

bt_status bt_molecule_docked_residues(const bt_molecule *molecule, bt_molecule **ret_flexible, bt_error *opt_error) {
  *ret_flexible = NULL;
  const char *text = molecule->opt_behind;
  if (text == NULL) return BT_OK;
  bt_molecule **list;
  int count;
  BT_TRY(bt_molecule_from_memory(molecule->path, text, strlen(text), BT_MOLECULE_FLEXIBLE, &list, &count, opt_error));
  *ret_flexible = list[0];
  list[0] = NULL;
  bt_molecule_list_destroy(list, count);
  return BT_OK;
}

void bt_docked_covalent_text(bt_text *text, const bt_molecule *molecule) {
  if (molecule->tether[0] == '\0' || !bt_molecule_has_chemistry(molecule)) return;
  bt_text_printf(text, "%s %d", molecule->tether, molecule->chemistry->entry[0] + 1);
}
