/* restraints.h - forces that hold a ligand where a chemist wants it: the constraints of one ligand, in terms of its
 * atoms.
 *
 * A restraint has contacts, an atom and a point each, one of which should be least to most Angstrom long. The contact
 * that is nearest to this counts. With d, how far it is from it, the energy is
 *
 *     F (sqrt(d^2 + w^2) - w),    0 where a contact is made, nearly F d beyond the width w
 *
 * so that it pulls from any distance without outweighing a clash. A constraint, which is what users name, has one
 * restraint (a hydrogen bond to a residue) or several (each atom of a core). No reported energy contains any of it.
 */
#ifndef BERTH_POSE_RESTRAINTS_H
#define BERTH_POSE_RESTRAINTS_H

#include "base/memory.h"

#define BT_RESTRAINT_WIDTH 0.5 /* w, Angstrom */
#define BT_RESTRAINT_SLACK 0.2 /* Angstrom by which a contact may miss and still is made */

struct bt_ligand;

typedef struct bt_restraint_contact {
  int atom;        /* of the ligand */
  double point[3]; /* Angstrom */
} bt_restraint_contact;

typedef struct bt_restraint {
  int constraint;     /* that it belongs to */
  int first, end;     /* contacts, by atom */
  double least, most; /* Angstrom */
  double force;       /* F, kcal/mol/Angstrom */
} bt_restraint;

typedef struct bt_constraint_state {
  char *name;    /* as users wrote it */
  bool required; /* a pose that does not meet it is none */
} bt_constraint_state;

typedef struct bt_restraints {
  int n_constraints, n_restraints, n_contacts;
  bt_constraint_state *constraints; /* [n_constraints] */
  bt_restraint *restraints;         /* [n_restraints] */
  bt_restraint_contact *contacts;   /* [n_contacts] */
  size_t constraint_room, restraint_room, contact_room;
} bt_restraints;

/* An empty list; bt_restraints_destroy. */
bt_status bt_restraints_create(bt_restraints **ret_restraints, bt_error *opt_error) BT_MUST_USE;
void bt_restraints_destroy(bt_restraints *opt_restraints);
/* A constraint, a restraint of the last constraint, and a contact of the last restraint. The contacts of a restraint
 * are added by atom. */
bt_status bt_restraints_add_constraint(bt_restraints *list, const char *name, bool required,
                                       bt_error *opt_error) BT_MUST_USE;
bt_status bt_restraints_add(bt_restraints *list, double force, double least, double most,
                            bt_error *opt_error) BT_MUST_USE;
bt_status bt_restraints_add_contact(bt_restraints *list, const bt_restraint_contact *contact,
                                    bt_error *opt_error) BT_MUST_USE;

/* Energy of all restraints in a pose, kcal/mol; xyz[3 n_atoms], Angstrom. Adds to opt_gradient[3 n_atoms],
 * kcal/mol/Angstrom. NULL: 0. */
double bt_restraints_energy(const bt_restraints *opt_restraints, const double *xyz, double *opt_gradient);

/* One constraint in a pose. */
typedef struct bt_constraint_pose {
  double miss;     /* of the restraint that is farthest from being met, Angstrom; 0: it is met */
  double distance; /* of its nearest contact, Angstrom */
  double energy;   /* of all its restraints, kcal/mol */
} bt_constraint_pose;
bt_constraint_pose bt_restraints_judge(const bt_restraints *restraints, int constraint, const double *xyz);
/* By how much a pose misses the required constraint that is farthest from being met, Angstrom, and its name; 0 and ""
 * if all are met. A miss within the slack counts as met. */
double bt_restraints_miss(const bt_restraints *opt_restraints, const double *xyz, const char **opt_ret_name);
static inline bool bt_restraints_met(const bt_restraints *opt_restraints, const double *xyz) {
  return bt_restraints_miss(opt_restraints, xyz, NULL) <= BT_RESTRAINT_SLACK;
}

#endif
