/* docked.h - what a written pose records of its docking, so that it can be rescored exactly. */
#ifndef BERTH_RESULTS_DOCKED_H
#define BERTH_RESULTS_DOCKED_H

#include <berth/score.h>

#include "base/text/text.h"
#include "results/result.h"

/* The remark of PDBQT, after REMARK, and the data item of SDF. */
#define BT_DOCKED_REMARK "BERTH grid"
#define BT_DOCKED_ITEM "berth_grid"

/* Adds, for example, "vina center 1.5 2 -3 npts 60 60 66 spacing 0.375 unbound -2.25", or for AutoDock 4 with
 * --torsional branches "ad4 center ... spacing 0.375 torsional branches". */
void bt_docked_text(bt_text *text, const bt_docked *docked);
bool bt_docked_parse(bt_span text, bt_docked *ret_docked);
/* Of a run; false for a result without maps. */
bool bt_docked_of(const bt_result *result, const bt_run *run, bt_docked *ret_docked);

/* Adds the ring bonds that are open in a molecule that has chemistry, for BT_OPENED_ITEM: "12 13 4 9" or "none". */
void bt_docked_opened_text(bt_text *text, const bt_molecule *molecule);
/* The same for BT_COVALENT_ITEM: "A:CYS145 27"; nothing for a free ligand. */
void bt_docked_covalent_text(bt_text *text, const bt_molecule *molecule);

/* Rounds coordinates [3 n_atoms] to the three decimals in which poses are written: the energy of a pose is that of what
 * the file says. No atom leaves the box by it. */
void bt_docked_round(const bt_ligand *ligand, const bt_maps *opt_maps, double *xyz);

#endif
