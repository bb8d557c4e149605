/* near.c - which residues are near the box of the docking. */
#include <math.h>

#include "base/vector.h"
#include "prep/receptor/receptor.h"

/* Of the residue's nearest atom, Angstrom; 0 inside the box; -1: no box is known. */
static double distance_to_box(const bt_receptor_work *prep, int residue) {
  const bt_receptor_options *o = prep->options;
  const bt_structure_residue *source = bt_receptor_source(prep, residue);
  double nearest = INFINITY;
  if (!(o->box_size[0] > 0.0 && o->box_size[1] > 0.0 && o->box_size[2] > 0.0)) return -1.0;
  for (int a = source->first_atom; a < source->end_atom; a++) {
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
      double beyond = fabs(prep->structure->atoms[a].x[k] - o->box_center[k]) - 0.5 * o->box_size[k];
      if (beyond > 0.0) sum += beyond * beyond;
    }
    nearest = fmin(nearest, sqrt(sum));
  }
  return nearest;
}

bool bt_receptor_is_far(const bt_receptor_work *prep, int residue) {
  return distance_to_box(prep, residue) > BT_NEAR_BOX;
}

bool bt_receptor_is_near(const bt_receptor_work *prep, int residue) {
  double distance = distance_to_box(prep, residue);
  return distance >= 0.0 && distance <= BT_NEAR_BOX;
}

bool bt_receptor_is_inside(const bt_receptor_work *prep, int residue) {
  const bt_receptor_options *o = prep->options;
  const bt_structure_residue *source = bt_receptor_source(prep, residue);
  int count = source->end_atom - source->first_atom;
  for (int k = 0; k < 3; k++) {
    double sum = 0.0;
    for (int a = source->first_atom; a < source->end_atom; a++) sum += prep->structure->atoms[a].x[k];
    if (count == 0 || !(fabs(sum / count - o->box_center[k]) < 0.5 * o->box_size[k])) return false;
  }
  return true;
}

/* In a box of the size of a site, and not of a whole protein or of several sites, the ligand goes into the middle. */
static bool is_site(const bt_receptor_options *o) {
  const double largest = 36.0; /* Angstrom */
  for (int k = 0; k < 3; k++)
    if (!(o->box_size[k] > 0.0 && o->box_size[k] <= largest)) return false;
  return true;
}

/* A molecule of its own that may be the ligand of a crystal; of those with a template cofactors, sugars and lipids. */
static bool may_be_ligand(const bt_receptor_work *prep, int residue, bool *ret_known) {
  const bt_receptor_residue *r = &prep->residues[residue];
  const char *residue_name = bt_receptor_source(prep, residue)->name;
  if (r->fate != BT_FATE_KEPT || r->held || r->bonds >= 0 || r->n_atoms < 6) return false;
  bt_residue_name name = bt_templates_families(prep->templates, residue_name);
  *ret_known = name.n_families > 0;
  if (!*ret_known) return true;
  const bt_template *t = bt_templates_find(prep->templates, name.families[0], BT_CHAIN_SINGLE);
  return t != NULL && bt_receptor_is_ligand_name(residue_name) &&
         (t->kind == BT_CLASS_COFACTOR || t->kind == BT_CLASS_SUGAR || t->kind == BT_CLASS_LIPID);
}

/* Is an atom at the center of the box and, of a cofactor, its own center as well? */
static bool is_central(const bt_receptor_work *prep, int residue, bool known) {
  const double reach = 2.0, middle = 3.0; /* Angstrom; other molecules keep more distance from a ligand */
  const bt_receptor_residue *r = &prep->residues[residue];
  double nearest = INFINITY, mean[3] = {0.0, 0.0, 0.0};
  for (int a = 0; a < r->n_atoms; a++) {
    nearest = fmin(nearest, bt_v3_distance(r->atoms[a].x, prep->options->box_center));
    for (int k = 0; k < 3; k++) mean[k] += r->atoms[a].x[k] / r->n_atoms;
  }
  return nearest < reach && (!known || bt_v3_distance(mean, prep->options->box_center) < middle);
}

void bt_receptor_take_central(bt_receptor_work *prep) {
  if (!is_site(prep->options)) return;
  for (int i = 0; i < prep->n_residues; i++) {
    bool known;
    char name[40];
    if (!may_be_ligand(prep, i, &known) || !is_central(prep, i, known)) continue;
    if (!known && (prep->options->strict || prep->options->delete_unknown))
      continue; /* these have rules of their own */
    prep->residues[i].fate = BT_FATE_LIGAND;
    bt_receptor_warn(prep, i, "taken out as the ligand: the box is around it; --keep %s keeps it",
                     bt_receptor_name(prep, i, name));
  }
}
