/* constraint.h - how poses meet the constraints of their ligand, as texts have it (berth/constrain.h). */
#ifndef BERTH_RESULTS_CONSTRAINT_H
#define BERTH_RESULTS_CONSTRAINT_H

#include "base/text/text.h"
#include "results/result.h"

/* "core 0.52; hbond:A:ASP25 4.10 missed": names and distances, Angstrom. Nothing without constraints. pose: index of
 * the run. */
void bt_constraints_add_text(bt_text *text, const bt_result *result, int pose);

#endif
