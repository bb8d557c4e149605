/* restraints.c - see restraints.h; kernel/lga/restrain.h is the same in single precision. */
#include "pose/restraints.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vector.h"

bt_status bt_restraints_create(bt_restraints **ret_restraints, bt_error *opt_error) {
  *ret_restraints = bt_allocate(1, sizeof **ret_restraints);
  return *ret_restraints != NULL ? BT_OK : bt_fail_memory(opt_error);
}

void bt_restraints_destroy(bt_restraints *opt_restraints) {
  if (opt_restraints == NULL) return;
  for (int k = 0; k < opt_restraints->n_constraints; k++) free(opt_restraints->constraints[k].name);
  free(opt_restraints->constraints);
  free(opt_restraints->restraints);
  free(opt_restraints->contacts);
  free(opt_restraints);
}

bt_status bt_restraints_add_constraint(bt_restraints *list, const char *name, bool required, bt_error *opt_error) {
  if (!BT_GROW(list->constraints, &list->constraint_room, list->n_constraints + 1)) return bt_fail_memory(opt_error);
  bt_constraint_state *to = &list->constraints[list->n_constraints];
  *to = (bt_constraint_state){.name = strdup(name), .required = required};
  if (to->name == NULL) return bt_fail_memory(opt_error);
  list->n_constraints++;
  return BT_OK;
}

bt_status bt_restraints_add(bt_restraints *list, double force, double least, double most, bt_error *opt_error) {
  if (!BT_GROW(list->restraints, &list->restraint_room, list->n_restraints + 1)) return bt_fail_memory(opt_error);
  list->restraints[list->n_restraints++] = (bt_restraint){.constraint = list->n_constraints - 1,
                                                          .first = list->n_contacts,
                                                          .end = list->n_contacts,
                                                          .least = least,
                                                          .most = most,
                                                          .force = force};
  return BT_OK;
}

bt_status bt_restraints_add_contact(bt_restraints *list, const bt_restraint_contact *contact, bt_error *opt_error) {
  if (!BT_GROW(list->contacts, &list->contact_room, list->n_contacts + 1)) return bt_fail_memory(opt_error);
  list->contacts[list->n_contacts++] = *contact;
  list->restraints[list->n_restraints - 1].end = list->n_contacts;
  return BT_OK;
}

/* The contact of a restraint that is nearest to being made. */
typedef struct nearest {
  const bt_restraint_contact *contact;
  double r, miss; /* Angstrom */
} nearest;

static nearest find_nearest(const bt_restraints *list, const bt_restraint *restraint, const double *xyz) {
  nearest best = {.r = INFINITY, .miss = INFINITY};
  for (int c = restraint->first; c < restraint->end; c++) {
    const bt_restraint_contact *contact = &list->contacts[c];
    double r = sqrt(bt_v3_distance2(xyz + 3 * (size_t)contact->atom, contact->point));
    double miss = fmax(fmax(restraint->least - r, r - restraint->most), 0.0);
    if (miss < best.miss || (miss == best.miss && r < best.r)) best = (nearest){contact, r, miss};
  }
  return best;
}

static double energy_of(const bt_restraint *restraint, double miss) {
  return restraint->force * (sqrt(miss * miss + BT_RESTRAINT_WIDTH * BT_RESTRAINT_WIDTH) - BT_RESTRAINT_WIDTH);
}

static void pull(const bt_restraint *restraint, const nearest *at, const double *xyz, double *gradient) {
  if (!(at->miss > 0.0) || !(at->r > 0.0)) return;
  double slope = restraint->force * at->miss / sqrt(at->miss * at->miss + BT_RESTRAINT_WIDTH * BT_RESTRAINT_WIDTH);
  double along = at->r > restraint->most ? slope / at->r : -slope / at->r;
  size_t atom = 3 * (size_t)at->contact->atom;
  for (size_t c = 0; c < 3; c++) gradient[atom + c] += along * (xyz[atom + c] - at->contact->point[c]);
}

double bt_restraints_energy(const bt_restraints *opt_restraints, const double *xyz, double *opt_gradient) {
  double energy = 0.0;
  for (int k = 0; opt_restraints != NULL && k < opt_restraints->n_restraints; k++) {
    const bt_restraint *restraint = &opt_restraints->restraints[k];
    nearest at = find_nearest(opt_restraints, restraint, xyz);
    energy += energy_of(restraint, at.miss);
    if (opt_gradient != NULL) pull(restraint, &at, xyz, opt_gradient);
  }
  return energy;
}

bt_constraint_pose bt_restraints_judge(const bt_restraints *restraints, int constraint, const double *xyz) {
  bt_constraint_pose pose = {.miss = -1.0};
  for (int k = 0; k < restraints->n_restraints; k++) {
    const bt_restraint *restraint = &restraints->restraints[k];
    if (restraint->constraint != constraint) continue;
    nearest at = find_nearest(restraints, restraint, xyz);
    pose.energy += energy_of(restraint, at.miss);
    if (at.miss <= pose.miss) continue;
    pose.miss = at.miss;
    pose.distance = at.r;
  }
  return pose;
}

double bt_restraints_miss(const bt_restraints *opt_restraints, const double *xyz, const char **opt_ret_name) {
  double worst = 0.0;
  const char *name = "";
  for (int k = 0; opt_restraints != NULL && k < opt_restraints->n_constraints; k++) {
    if (!opt_restraints->constraints[k].required) continue;
    double miss = bt_restraints_judge(opt_restraints, k, xyz).miss;
    if (!(miss > worst)) continue;
    worst = miss;
    name = opt_restraints->constraints[k].name;
  }
  if (opt_ret_name != NULL) *opt_ret_name = name;
  return worst;
}
