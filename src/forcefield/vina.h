/* vina.h - Vina's and Vinardo's scoring functions: classes of atoms, laws as data, the energy of a pair.
 *
 * Trott and Olson, J. Comput. Chem. 31, 455 (2010); Eberhardt et al., J. Chem. Inf. Model. 61, 3891 (2021); Quiroga and
 * Villarreal, PLoS ONE 11, e0155183 (2016). Weights, radii and rules are those of Vina 1.2.7, whose Vinardo is not that
 * of smina (rotors 0.05846 and not 0.02; one radius of carbon). Energies kcal/mol, distances Angstrom.
 */
#ifndef BERTH_FORCEFIELD_VINA_H
#define BERTH_FORCEFIELD_VINA_H

#include <berth/types.h>

#define BT_VINA_CUTOFF 8.0    /* A: from here on a pair has no energy */
#define BT_VINA_CURL 1000.0   /* kcal/mol: what bt_vina_curl never reaches, in reports and refinement */
#define BT_VINA_STEPS 32.0    /* per A^2: Vina's staircase */
#define BT_VINA_ALLOWANCE 1.1 /* bonds are shorter than this times the sum of the covalent radii */

/* Properties of an atom in the terms. Its name is that of a map, except for closure carbons (CG_H, CG_P, CG3_H, CG3_P),
 * glue points (G) and atoms without a class (none: hydrogens, hydration water). */
typedef struct bt_vina_class {
  char name[8];
  char map[8];      /* the map that atoms of the class feel; "": none */
  int index;        /* in bt_vina_classes() */
  double radius[2]; /* of Vina and Vinardo */
  bool hydrophobic, donor, acceptor;
  bool metal;        /* is bound by such atoms: not Na and K */
  bool binds_metals; /* one of these atoms; the class has a map of its own, such as O_AM */
} bt_vina_class;

enum { BT_VINA_CLASSES = 31 };

const bt_vina_class *bt_vina_classes(void); /* [BT_VINA_CLASSES] */
/* By name, case-sensitive; NULL if there is none. */
const bt_vina_class *bt_vina_class_find(const char *name);
/* The class of an atom of this one in a metal-binding group; itself if there is none. */
const bt_vina_class *bt_vina_class_in_group(const bt_vina_class *class);
/* Atoms with a class take part in the terms; glue points interact with their carbon alone. */
static inline bool bt_vina_has_class(const bt_vina_class *class) { return class->map[0] != '\0'; }
static inline bool bt_vina_is_glue(const bt_vina_class *class) { return class->name[0] == 'G'; }

/* What an AutoDock type is before its neighbors are known. */
typedef enum bt_vina_kind {
  BT_VINA_HYDROGEN,       /* H */
  BT_VINA_POLAR_HYDROGEN, /* HD */
  BT_VINA_CARBON,         /* C_H, or C_P beside a hetero atom */
  BT_VINA_CLOSURE,        /* likewise CG_H or CG_P; it is a hetero atom itself */
  BT_VINA_POLAR,          /* N, O: P, or D beside HD; acceptors A and DA */
  BT_VINA_PLAIN,          /* one class whatever its neighbors */
  BT_VINA_PSEUDO          /* not an atom: ignored, even in bonds */
} bt_vina_kind;

typedef struct bt_vina_input {
  char name[8]; /* AutoDock type, case-sensitive */
  bt_vina_kind kind;
  double covalent; /* radius, only to find bonds */
  char stem[8];    /* the class, or its beginning */
  bool acceptor;   /* of BT_VINA_POLAR */
} bt_vina_input;

/* The input type of an AutoDock type; types that Vina lacks count as what they are derived from (OS as OA, MG as Mg, CX
 * as C, ...). NULL: unknown. */
const bt_vina_input *bt_vina_input_find(const char *type);
/* The class of an atom: has it a bonded hetero atom, a bonded HD? */
const bt_vina_class *bt_vina_classify(const bt_vina_input *input, bool hetero_neighbor, bool polar_hydrogen);
static inline bool bt_vina_is_hydrogen(const bt_vina_input *input) { return input->kind <= BT_VINA_POLAR_HYDROGEN; }
static inline bool bt_vina_is_hetero(const bt_vina_input *input) { return input->kind > BT_VINA_CARBON; }

/* Terms of d = r - (R_i + R_j): weight exp(-((d - offset) / width)^2); weight d^2 for d < 0; and for pairs of two
 * hydrophobic atoms, or of a donor and an acceptor, weight times a ramp that is 1 up to good, 0 from bad on. */
typedef struct bt_vina_gauss {
  double weight, offset, width;
} bt_vina_gauss;

typedef struct bt_vina_ramp {
  double weight, good, bad;
} bt_vina_ramp;

/* A metal and an atom of a metal-binding group (pose/metal_binding.h): a deeper ramp from a shorter sum of radii than
 * those of hydrogen bonds, by which atoms at the distances of coordination overlap by 0.8 A. Weight 0: no such term.
 * Distances: Harding, Acta Cryst. D57 (2001) 401 and D62 (2006) 678. The weight is chosen on poses (decision 035). */
typedef struct bt_vina_coordination {
  double contact, contact_of_sulfur; /* A: in the place of R_i + R_j */
  bt_vina_ramp ramp;
} bt_vina_coordination;

typedef struct bt_vina_law {
  bt_vina_gauss gauss[2];
  double repulsion;
  bt_vina_ramp hydrophobic, hbond;
  bt_vina_coordination coordination;
  double rotor; /* affinity = (inter + intra - unbound) / (1 + rotor N) */
  int column;   /* of bt_vina_class.radius */
} bt_vina_law;

/* NULL for functions of another form. */
const bt_vina_law *bt_vina_law_of(bt_scoring scoring);

/* What the energy of two atoms depends on besides their distance. */
typedef struct bt_vina_pair {
  double radii;      /* R_i + R_j */
  bt_vina_ramp ramp; /* weight 0: neither hydrophobic nor a hydrogen bond; never both */
} bt_vina_pair;

/* A glue point makes the sum of radii 0 and leaves the gaussians alone; the pull of the closure is not included. */
bt_vina_pair bt_vina_pair_of(const bt_vina_law *law, const bt_vina_class *first, const bt_vina_class *second);
/* Closed form; opt_slope becomes dE/dr. At the corners of ramps the slope is that of the flat side. */
double bt_vina_pair_energy(const bt_vina_law *law, const bt_vina_pair *pair, double r, double *opt_slope);
/* Vina's own arithmetic of energies: the mean of the closed form at the ends of the step of r^2. */
double bt_vina_pair_staircase(const bt_vina_law *law, const bt_vina_pair *pair, double r2);

/* e below 0, else e limit / (limit + e); opt_factor becomes the factor of the gradient. */
double bt_vina_curl(double energy, double limit, double *opt_factor);

#endif
