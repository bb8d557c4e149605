/* move_inside.h - moves a pose that rests against a face of the box just inside it. */
#ifndef BERTH_ENGINE_LGA_SEARCH_MOVE_INSIDE_H
#define BERTH_ENGINE_LGA_SEARCH_MOVE_INSIDE_H

#include "grid/maps/maps.h"
#include "pose/genotype.h"

/* The kernels' restraint is a spring, so a receptor that pulls outward leaves an atom a few hundredths of an Angstrom
 * outside; AutoDock 4 punishes any atom on or beyond a face by 10^5 kcal/mol. Shifts each ligand as a whole by at most
 * limit_angstrom per axis so that its atoms come to lie inside, if that is possible; xyz follows. Returns whether the
 * pose was moved. */
bool bt_move_inside(const bt_ligand *ligand, const bt_maps *maps, double limit_angstrom, bt_genotype *genotype,
                     double *xyz);

#endif
