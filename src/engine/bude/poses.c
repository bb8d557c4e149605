/* poses.c - a pose in the receptor's frame, as MOL2 and SDF, and its distance from a reference. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/bude/conformers.h"
#include "engine/bude/state.h"
#include "chem/element.h"
#include "chem/symmetry.h"
#include "score/bude.h"

void bt_bude_pose_coordinates(const bt_bude *bude, const bt_bude_compound *compound, const bt_bude_pose *pose,
                              double (*ret_x)[3]) {
  const double(*x)[3] = bt_bude_compound_x(compound, pose->conformer);
  const int n = compound->mol2->n_atoms;
  if (pose->in_place) {
    memcpy(ret_x, x, (size_t)n * sizeof *x);
    return;
  }
  double center[3], six[6];
  for (int k = 0; k < 3; k++) {
    six[k] = pose->angles[k] * 3.14159265358979323846 / 180.0;
    six[k + 3] = pose->translation[k] + bude->options.center[k];
  }
  bt_bude_compound_center(compound, pose->conformer, center);
  for (int i = 0; i < n; i++) {
    double from[3] = {x[i][0] - center[0], x[i][1] - center[1], x[i][2] - center[2]};
    bt_bude_transform(six, from, ret_x[i]);
  }
}

/* -------------------------------------------------------------------------------------------------- files -- */

bt_status bt_bude_pose_mol2(const bt_bude *bude, const bt_bude_compound *compound, const bt_bude_pose *pose, int rank,
                            char **ret_text, bt_error *opt_error) {
  BT_SCOPED double(*x)[3] = bt_allocate((size_t)compound->mol2->n_atoms, sizeof *x);
  if (x == NULL) return bt_fail_memory(opt_error);
  BT_ENDED_BY(bt_text_destroy) bt_text comment = {0};
  bt_text text = {0};
  bt_text_printf(&comment, "# %s\n# Rank: %d\n", compound->name, rank);
  if (!pose->in_place)
    bt_text_printf(&comment, "# Descriptor: %d %d %d %d %d %d\n", pose->index[0], pose->index[1], pose->index[2],
                   pose->index[3], pose->index[4], pose->index[5]);
  bt_text_printf(&comment, "# Energy: %.4f\n# Steric: %.4f\n# Charge: %.4f\n# Desolvation: %.4f\n# Conformer: %d\n",
                 pose->energy, pose->steric, pose->charge, pose->desolvation, pose->conformer);
  bt_bude_pose_coordinates(bude, compound, pose, x);
  bt_mol2_write(compound->mol2, (const double(*)[3])x, comment.data, &text);
  text.failed = text.failed || comment.failed;
  return bt_text_take(&text, ret_text, opt_error);
}

bt_status bt_bude_pose_sdf(const bt_bude *bude, const bt_bude_compound *compound, const bt_bude_pose *pose, int rank,
                           char **ret_text, bt_error *opt_error) {
  char values[6][32];
  snprintf(values[0], sizeof *values, "%.4f", pose->energy);
  snprintf(values[1], sizeof *values, "%.4f", pose->steric);
  snprintf(values[2], sizeof *values, "%.4f", pose->charge);
  snprintf(values[3], sizeof *values, "%.4f", pose->desolvation);
  snprintf(values[4], sizeof *values, "%d", pose->conformer);
  snprintf(values[5], sizeof *values, "%d", rank);
  const bt_sdf_tag tags[] = {{"berth_bude_energy", values[0]},    {"berth_bude_steric", values[1]},
                             {"berth_bude_charge", values[2]},    {"berth_bude_desolvation", values[3]},
                             {"berth_bude_conformer", values[4]}, {"berth_bude_rank", values[5]}};
  bt_rdmol *mol = NULL;
  BT_TRY(bt_bude_compound_chemistry(compound, &mol, opt_error));
  BT_SCOPED double(*x)[3] = bt_allocate((size_t)bt_rdmol_atom_count(mol), sizeof *x);
  bt_status status = x == NULL || !bt_rdmol_set_name(mol, compound->name) ? bt_fail_memory(opt_error) : BT_OK;
  if (status == BT_OK) {
    bt_bude_pose_coordinates(bude, compound, pose, x);
    status = bt_rdmol_write_sdf(mol, (const double(*)[3])x, tags, 6, ret_text, opt_error);
  }
  bt_rdmol_destroy(mol);
  return status;
}

/* --------------------------------------------------------------------------------------------------- RMSD -- */

static int element_of(const char *type) {
  char symbol[4] = "";
  bt_span_copy((bt_span){type, strcspn(type, ".")}, symbol, sizeof symbol);
  return bt_element_of_symbol(symbol);
}

static void free_graph(bt_graph *g) { bt_arena_destroy(&g->arena); }

static int compare_pairs(const void *a, const void *b) {
  const int *x = a, *y = b;
  return x[0] != y[0] ? x[0] - y[0] : x[1] - y[1];
}

/* Heavy atoms and the bonds between them. */
static bt_status make_graph(const bt_bude_compound *c, bt_graph *g, bt_error *opt_error) {
  const bt_mol2 *m = c->mol2;
  BT_SCOPED int *place = bt_allocate((size_t)m->n_atoms, sizeof *place);
  bt_pair_list bonds = {0};
  g->n = c->n_heavy;
  BT_NEW(&g->arena, g->atom, g->n);
  BT_NEW(&g->arena, g->element, g->n);
  bool ok = place != NULL && !g->arena.failed;
  for (int i = 0; ok && i < m->n_atoms; i++) place[i] = -1;
  for (int i = 0; ok && i < c->n_heavy; i++) {
    place[c->heavy[i]] = g->atom[i] = i;
    g->element[i] = element_of(m->atoms[c->heavy[i]].type);
  }
  for (int i = 0; ok && i < m->n_bonds; i++) {
    int a = place[m->bonds[i].a], b = place[m->bonds[i].b];
    if (a >= 0 && b >= 0) ok = bt_pair_list_add(&bonds, a < b ? a : b, a < b ? b : a);
  }
  if (ok && bonds.count > 0) qsort(bonds.items, bonds.count, sizeof *bonds.items, compare_pairs);
  ok = ok && bt_pair_list_neighbors(&bonds, g->n, &g->arena, &g->first, &g->neighbor);
  free(bonds.items);
  return ok ? BT_OK : bt_fail_memory(opt_error);
}

static bt_status smallest(const bt_bude_compound *c, const bt_bude_compound *reference, const double *x,
                          const double *y, double *ret_rmsd, bt_error *opt_error) {
  bt_graph a = {0}, b = {0};
  bt_symmetry *symmetry = NULL;
  bool too_many = false;
  bt_status status = make_graph(c, &a, opt_error);
  if (status == BT_OK) status = make_graph(reference, &b, opt_error);
  if (status == BT_OK) status = bt_symmetry_create(&a, &b, &symmetry, &too_many, opt_error);
  if (status == BT_OK && symmetry != NULL) {
    *ret_rmsd = sqrt(bt_symmetry_minimum(symmetry, x, y) / c->n_heavy);
  } else if (status == BT_OK && too_many && c->n_heavy == reference->n_heavy) {
    double sum = 0; /* an upper bound */
    for (int i = 0; i < 3 * c->n_heavy; i++) sum += (x[i] - y[i]) * (x[i] - y[i]);
    *ret_rmsd = sqrt(sum / c->n_heavy);
  } else if (status == BT_OK) {
    status =
        bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = reference->mol2->path, .line = reference->mol2->line},
                "provide a pose of the same molecule", "the reference is not the same molecule as %.100s", c->name);
  }
  bt_symmetry_destroy(symmetry);
  free_graph(&a);
  free_graph(&b);
  return status;
}

bt_status bt_bude_pose_rmsd(const bt_bude *bude, const bt_bude_compound *compound, const bt_bude_pose *pose,
                            const bt_bude_compound *reference, double *ret_rmsd, bt_error *opt_error) {
  double(*all)[3] = bt_allocate((size_t)compound->mol2->n_atoms, sizeof *all);
  BT_SCOPED double *x = bt_allocate((size_t)compound->n_heavy, 3 * sizeof *x);
  BT_SCOPED double *y = bt_allocate((size_t)reference->n_heavy, 3 * sizeof *y);
  bool ok = all != NULL && x != NULL && y != NULL;
  bt_status status = ok ? BT_OK : bt_fail_memory(opt_error);
  if (ok) {
    bt_bude_pose_coordinates(bude, compound, pose, all);
    for (int i = 0; i < compound->n_heavy; i++) memcpy(x + 3 * i, all[compound->heavy[i]], sizeof *all);
    const double(*from)[3] = bt_bude_compound_x(reference, 0);
    for (int i = 0; i < reference->n_heavy; i++) memcpy(y + 3 * i, from[reference->heavy[i]], sizeof *from);
    status = smallest(compound, reference, x, y, ret_rmsd, opt_error);
  }
  free(all);
  return status;
}
