/* report.c - what was done to every residue, as text and as JSON. */
#include <math.h>
#include <string.h>

#include "base/files/file.h"
#include "base/text/json.h"
#include "prep/receptor/receptor.h"

static const char *const kinds[] = {"amino acid", "nucleotide", "cap",   "water",   "ion",
                                    "ion",        "additive",   "sugar", "cofactor", "lipid"};

/* Name of the protonation state, from the template. */
static const char *state_of(const bt_receptor_residue *r) {
  return r->template != NULL ? r->template->name : "as prepared";
}

static int count_atoms(const bt_receptor_residue *r, bool hydrogens) {
  int count = 0;
  for (int a = 0; a < r->n_atoms; a++) count += (r->atoms[a].element == 1) == hydrogens;
  return count;
}

static double charge_of(const bt_receptor_residue *r) {
  double sum = 0.0;
  for (int a = 0; a < r->n_atoms; a++) sum += r->atoms[a].charge;
  return round(sum * 1000.0) / 1000.0 + 0.0;
}

static const char *fate_word(bt_fate fate) {
  return fate == BT_FATE_KEPT ? "kept" : fate == BT_FATE_LIGAND ? "ligand" : "deleted";
}

static void write_totals(bt_receptor_work *prep) {
  int kept = 0, deleted = 0, heavy = 0, hydrogens = 0;
  double charge = 0.0;
  for (int i = 0; i < prep->n_residues; i++) {
    const bt_receptor_residue *r = &prep->residues[i];
    if (r->fate != BT_FATE_KEPT) {
      deleted++;
      continue;
    }
    kept++;
    heavy += count_atoms(r, false);
    hydrogens += count_atoms(r, true);
    charge += charge_of(r);
  }
  bt_text_printf(&prep->report, "%s: %d residue%s kept, %d left out; %d heavy atoms, %d polar hydrogens, charge %+.3f\n",
                 prep->label, kept, kept == 1 ? "" : "s", deleted, heavy, hydrogens, charge);
  if (prep->structure->n_models > 1)
    bt_text_printf(&prep->report, "model %d of %d\n", prep->structure->model, prep->structure->n_models);
}

static void write_text(bt_receptor_work *prep) {
  char name[40];
  write_totals(prep);
  if (prep->notes.size > 0) {
    bt_text_add_string(&prep->report, "\nNotes\n");
    bt_lines lines = bt_lines_of(prep->notes.data, prep->notes.size);
    for (bt_span line; bt_lines_next(&lines, &line);)
      bt_text_printf(&prep->report, "  %.*s\n", (int)line.size, line.text);
  }
  bt_text_add_string(&prep->report, "\nResidues\n");
  for (int i = 0; i < prep->n_residues; i++) {
    const bt_receptor_residue *r = &prep->residues[i];
    const char *state = r->fate == BT_FATE_KEPT ? state_of(r) : "-";
    bt_text_printf(&prep->report, "  %-14s %-8s %s\n", bt_receptor_name(prep, i, name), state,
                   r->notes.data != NULL ? r->notes.data : "");
  }
}

static void write_residue(bt_receptor_work *prep, bt_json *json, int i) {
  const bt_receptor_residue *r = &prep->residues[i];
  const bt_structure_residue *source = bt_receptor_source(prep, i);
  char icode[2] = {source->icode == ' ' ? '\0' : source->icode, '\0'};
  bt_json_printf(json, "{ chain %s name %s number %d insertion_code %s fate %s", source->chain, source->name,
                 source->number, icode, fate_word(r->fate));
  if (prep->options->box_size[0] > 0.0) bt_json_printf(json, "near_box %hhd", bt_receptor_is_near(prep, i));
  if (r->fate == BT_FATE_KEPT)
    bt_json_printf(json, "kind %s state %s heavy_atoms %d polar_hydrogens %d charge %g flexible %hhd",
                   r->template != NULL ? kinds[r->template->kind] : r->perceived ? "perceived" : "template", state_of(r), count_atoms(r, false),
                   count_atoms(r, true), charge_of(r), r->flexible);
  const bt_water_hold *w = &r->water;
  if (w->judged)
    bt_json_printf(json,
                   "water { bound %hhd hydrogen_bonds %d atoms_around %d occupancy %.2f b_factor %.2f b_ratio %.2f }",
                   w->bound, w->bonds, w->around, w->occupancy, w->b_factor, w->b_ratio);
  bt_json_printf(json, "notes [");
  const char *at = r->notes.data != NULL ? r->notes.data : "";
  while (*at != '\0') {
    const char *end = strstr(at, "; ");
    size_t size = end != NULL ? (size_t)(end - at) : strlen(at);
    char note[400];
    bt_span_copy((bt_span){at, size}, note, sizeof note);
    bt_json_string(json, note);
    at += size + (end != NULL ? 2 : 0);
  }
  bt_json_printf(json, "] }");
}

static void write_json(bt_receptor_work *prep) {
  bt_json json = {.text = &prep->json, .pretty = 2};
  double charge = 0.0;
  for (int i = 0; i < prep->n_residues; i++)
    if (prep->residues[i].fate == BT_FATE_KEPT) charge += charge_of(&prep->residues[i]);
  bt_json_printf(&json, "{ file %s model %d models %d charge %.3f hydrogens %s pseudo_atoms %d notes [", prep->label,
                 prep->structure->model, prep->structure->n_models, charge, prep->has_hydrogens ? "file" : "placed",
                 prep->n_pseudo);
  bt_lines lines = bt_lines_of(prep->notes.data != NULL ? prep->notes.data : "", prep->notes.size);
  for (bt_span line; bt_lines_next(&lines, &line);) {
    char note[600];
    bt_span_copy(line, note, sizeof note);
    bt_json_string(&json, note);
  }
  bt_json_printf(&json, "] residues [");
  for (int i = 0; i < prep->n_residues; i++) write_residue(prep, &json, i);
  bt_json_printf(&json, "] }");
  bt_text_add_char(&prep->json, '\n');
}

bt_status bt_receptor_report(bt_receptor_work *prep) {
  write_text(prep);
  write_json(prep);
  BT_TRY(bt_text_status(&prep->report, prep->opt_error));
  return bt_text_status(&prep->json, prep->opt_error);
}
