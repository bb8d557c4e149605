/* radii.c - radii of atoms, as RDKit has them.
 *
 * Van der Waals: the table of the Blue Obelisk data repository. Covalent: Cordero et al., Dalton Trans. 2832 (2008), as
 * in chem/element.c, but Mn, Fe and Co as low spin.
 */
#include "chem/element.h"
#include "results/checks/checks.h"

/* Of H to Cm, Angstrom. */
static const double vdw[] = {
    1.2,  1.4,  2.2,  1.9,  1.8, 1.7,  1.6,  1.55, 1.5,  1.54, 2.4,  2.2,  2.1,  2.1,  1.95, 1.8,
    1.8,  1.88, 2.8,  2.4,  2.3, 2.15, 2.05, 2.05, 2.05, 2.05, 2,    2,    2,    2.1,  2.1,  2.1,
    2.05, 1.9,  1.9,  2.02, 2.9, 2.55, 2.4,  2.3,  2.15, 2.1,  2.05, 2.05, 2,    2.05, 2.1,  2.2,
    2.2,  2.25, 2.2,  2.1,  2.1, 2.16, 3,    2.7,  2.5,  2.48, 2.47, 2.45, 2.43, 2.42, 2.4,  2.38,
    2.37, 2.35, 2.33, 2.32, 2.3, 2.28, 2.27, 2.25, 2.2,  2.1,  2.05, 2,    2,    2.05, 2.1,  2.05,
    2.2,  2.3,  2.3,  2,    2,   2,    2,    2,    2,    2.4,  2,    2.3,  2,    2,    2,    2,
};

double bt_check_vdw(int element) {
  int known = (int)(sizeof vdw / sizeof *vdw);
  return element >= 1 && element <= known ? vdw[element - 1] : 2.0;
}

double bt_check_covalent(int element) {
  switch (element) {
    case 25: return 1.39; /* Mn */
    case 26: return 1.32; /* Fe */
    case 27: return 1.26; /* Co */
    default: return bt_element_radius(element);
  }
}
