/* builder.h - coordinates of a molecule from those of its fragments, in well under a millisecond.
 *
 * Docking draws torsions at random; what it takes from a conformer is bond lengths, angles, the shapes of rings and
 * stereochemistry. These are the fragments' own. docs/preparation.md says what that costs in accuracy.
 */
#ifndef BERTH_CHEM_BUILDER_BUILDER_H
#define BERTH_CHEM_BUILDER_BUILDER_H

#include "base/status.h"
#include "chem/builder/shapes.h"

/* conformer: from 0; 0 has the lowest conformer of every ring system, further ones go through the others, with other
 * torsions. ret_x[n_atoms], Angstrom. *ret_built is false where a molecule has to be embedded as a whole:
 * very large ring systems, elements of no known kind, fragments without coordinates, atoms that lie on each other. */
bt_status bt_build_coordinates(bt_shapes *shapes, const bt_build_structure *structure, int conformer,
                               double (*ret_x)[3], bool *ret_built, bt_error *opt_error) BT_MUST_USE;

#endif
