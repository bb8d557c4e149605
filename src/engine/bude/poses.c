/* poses.c - a pose in the receptor's frame, as MOL2 and SDF, and its distance from a reference. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/bude/conformers.h"
#include "engine/bude/state.h"
#include "results/rmsd.h"
#include "score/bude.h"

/* All atoms in the receptor's frame. */
static void move(const bt_bude *bude, const bt_bude_compound *compound, const bt_bude_pose *pose, double (*ret_x)[3]) {
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
  move(bude, compound, pose, x);
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
    move(bude, compound, pose, x);
    status = bt_rdmol_write_sdf(mol, (const double(*)[3])x, tags, 6, ret_text, opt_error);
  }
  bt_rdmol_destroy(mol);
  return status;
}

/* --------------------------------------------------------------------------------------------------- RMSD -- */

/* The heavy atoms in a pose, x[all atoms], as results know a ligand: of one rigid part. */
static bt_status place(const bt_bude_compound *c, const double (*x)[3], bt_molecule **ret_molecule,
                       bt_error *opt_error) {
  bt_molecule *molecule;
  BT_TRY(bt_molecule_create(BT_MOLECULE_LIGAND, c->mol2->path, c->name, &molecule, opt_error));
  molecule->atoms = bt_allocate((size_t)c->n_heavy, sizeof *molecule->atoms);
  for (int i = 0; molecule->atoms != NULL && i < c->n_heavy; i++) {
    const bt_mol2_atom *from = &c->mol2->atoms[c->heavy[i]];
    bt_atom *atom = &molecule->atoms[molecule->n_atoms++];
    memcpy(atom->x, x[c->heavy[i]], sizeof atom->x);
    bt_span_copy((bt_span){from->type, strcspn(from->type, ".")}, atom->type, sizeof atom->type);
    bt_span_copy(bt_span_from(from->name), atom->name, sizeof atom->name);
  }
  bt_status status = molecule->atoms != NULL ? BT_OK : bt_fail_memory(opt_error);
  return BT_HAND_OVER(status, molecule, ret_molecule, bt_molecule_destroy);
}

static bt_status measure(const bt_molecule *molecule, const bt_molecule *reference, double *ret_rmsd,
                         bt_error *opt_error) {
  const size_t n = (size_t)molecule->n_atoms;
  BT_SCOPED double *x = bt_allocate(3 * n, sizeof *x), *y = bt_allocate(3 * n, sizeof *y);
  if (x == NULL || y == NULL) return bt_fail_memory(opt_error);
  for (size_t i = 0; i < n; i++) memcpy(x + 3 * i, molecule->atoms[i].x, sizeof molecule->atoms[i].x);
  bt_rmsd *rmsd;
  BT_TRY(bt_rmsd_create(molecule, BT_RMSD_GRAPH, false, &rmsd, opt_error));
  bt_status status = bt_rmsd_reference(rmsd, reference, y, opt_error);
  if (status == BT_OK) status = bt_rmsd_distance(rmsd, x, y, ret_rmsd, opt_error);
  bt_rmsd_destroy(rmsd);
  return status;
}

bt_status bt_bude_pose_rmsd(const bt_bude *bude, const bt_bude_compound *compound, const bt_bude_pose *pose,
                            const bt_molecule *reference, double *ret_rmsd, bt_error *opt_error) {
  BT_SCOPED double(*x)[3] = bt_allocate((size_t)compound->mol2->n_atoms, sizeof *x);
  if (x == NULL) return bt_fail_memory(opt_error);
  move(bude, compound, pose, x);
  bt_molecule *molecule;
  BT_TRY(place(compound, (const double(*)[3])x, &molecule, opt_error));
  bt_status status = measure(molecule, reference, ret_rmsd, opt_error);
  bt_molecule_destroy(molecule);
  return status;
}
