/* ad4.h - parameters and pair laws of the AutoDock 4.2 force field ("bound" weights).
 *
 * Huey, Morris, Olson, Goodsell, J. Comput. Chem. 28, 1145 (2007); values as compiled into AutoDock 4.2.6.
 * Energies kcal/mol, distances Angstrom, volumes A^3, solvation parameters kcal/mol/A^3.
 */
#ifndef BERTH_FORCEFIELD_AD4_H
#define BERTH_FORCEFIELD_AD4_H

#include <berth/types.h>

/* Weights of the terms, the model "unbound = bound". */
#define BT_AD4_WEIGHT_VDW 0.1662
#define BT_AD4_WEIGHT_HBOND 0.1209
#define BT_AD4_WEIGHT_ELECTROSTATIC 0.1406
#define BT_AD4_WEIGHT_DESOLVATION 0.1322
#define BT_AD4_WEIGHT_TORSIONAL 0.2983

#define BT_AD4_COULOMB 332.06363          /* kcal A / mol / e^2, in AutoDock */
#define BT_AUTOGRID_COULOMB 332.0         /* the same in AutoGrid */
#define BT_AD4_SOLVATION_CHARGE 0.01097   /* solvation parameter per |e| */
#define BT_AD4_SOLVATION_SIGMA 3.6        /* A */
#define BT_AD4_CUTOFF 8.0                 /* A, van der Waals and hydrogen bonds */
#define BT_AD4_CLAMP 100000.0             /* kcal/mol, upper limit of one pair */
#define BT_AD4_SMOOTH 0.5                 /* A, width of the smoothing window */
#define BT_AD4_MIN_DISTANCE 0.5           /* A, floor of every pair distance */

typedef struct bt_ad4_weights {
  double vdw, hbond, electrostatic, desolvation, torsional;
} bt_ad4_weights;

/* Hydrogen-bond codes: 0 none, 1 spherical donor, 2 directional donor, 3 spherical acceptor, 4 nitrogen
 * acceptor (one lone pair), 5 oxygen or sulfur acceptor (two lone pairs). */
typedef struct bt_ad4_type {
  char name[8];
  double radius_sum;     /* Rii */
  double epsilon;        /* well depth, unweighted */
  double volume;
  double solvation;
  double hbond_distance; /* Rij_hb of an acceptor */
  double hbond_epsilon;  /* unweighted */
  int hbond;
  int bond_class;        /* 0 C, 1 N, 2 O, 3 H, 4 X, 5 P, 6 S */
} bt_ad4_type;

static inline bool bt_ad4_donates(int hbond) { return hbond == 1 || hbond == 2; }
static inline bool bt_ad4_accepts(int hbond) { return hbond >= 3 && hbond <= 5; }

/* V(r) = A r^-m - B r^-n with its minimum -depth at distance; m is 12, n is 6 or 10. */
typedef struct bt_ad4_pair {
  double distance, depth; /* A, kcal/mol, weighted */
  double a, b;
  int m, n;
  bool hbond;
} bt_ad4_pair;

/* Looks up a type by its case-sensitive name; NULL if there is none. */
const bt_ad4_type *bt_ad4_find(const char *name);
/* An element of receptors that AutoDock 4 has no parameters for, and the type whose parameters stand in. */
typedef struct bt_ad4_stand_in {
  char element[4], type[4];
} bt_ad4_stand_in;

/* The row of an element (data/forcefield/ad4-stand-ins.csv), however it is spelled: Hg, HG; NULL if there is none. */
const bt_ad4_stand_in *bt_ad4_stand_in_find(const char *element);
const bt_ad4_stand_in *bt_ad4_stand_ins(int *ret_count);
/* All built-in types, for listings. */
const bt_ad4_type *bt_ad4_types(int *ret_count);
/* Pair law of two moving atoms, or of a probe and a receptor atom. */
bt_ad4_pair bt_ad4_pair_law(const bt_ad4_type *first, const bt_ad4_type *second);
/* Whether that law is one of hydrogen bonds. */
bool bt_ad4_hydrogen_bonded(const bt_ad4_type *first, const bt_ad4_type *second);
/* The same with other weights than the built-in ones. */
bt_ad4_pair bt_ad4_weighted_pair_law(const bt_ad4_weights *weights, const bt_ad4_type *first,
                                     const bt_ad4_type *second);
/* The law of exponents m > n whose minimum is -depth at distance. */
bt_ad4_pair bt_ad4_pair_from_well(double distance, double depth, int m, int n);
bt_ad4_weights bt_ad4_default_weights(void);
/* Unsmoothed, unclamped V(r). */
double bt_ad4_pair_energy(const bt_ad4_pair *pair, double r);
/* Mehler-Solmajer distance-dependent dielectric. */
double bt_ad4_dielectric(double r);
/* Its derivative, 1/A. */
double bt_ad4_dielectric_slope(double r);
/* Range of bond lengths (tolerance included) of two bond classes; false: never bonded. */
bool bt_ad4_bond_range(int class1, int class2, double *ret_low, double *ret_high);

#endif
