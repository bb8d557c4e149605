/* types.c - AutoDock types, partial charges, and the merging of non-polar hydrogens. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "prep/ligand/steps/steps.h"

static bt_where at_atom(const bt_prep *prep, int atom) {
  bt_where where = prep->where;
  where.atom = prep->atoms[atom].number;
  return where;
}

bt_status bt_prep_type(bt_prep *prep, const bt_rules *rules, bt_error *opt_error) {
  for (int i = 0; i < rules->n_types; i++) {
    const bt_type_rule *rule = &rules->types[i];
    BT_SCOPED int *matches = NULL;
    int count, size = bt_smarts_size(rule->smarts);
    BT_TRY(bt_smarts_match(rule->smarts, prep->mol, &matches, &count, opt_error));
    for (int k = 0; k < count; k++) memcpy(prep->atoms[matches[k * size]].type, rule->type, sizeof prep->atoms->type);
  }
  for (int i = 0; i < prep->n_real; i++)
    if (prep->atoms[i].type[0] == '\0')
      return bt_fail(opt_error, BT_ERR_PARAMETER, at_atom(prep, i),
                     "leave this molecule out, or replace the atom by a similar element", "AutoDock has no type for %s",
                     prep->atoms[i].symbol);
  return BT_OK;
}

bt_status bt_prep_charge(bt_prep *prep, bt_charge_model model, bt_error *opt_error) {
  if (model == BT_CHARGES_GASTEIGER) {
    BT_SCOPED double *charges = bt_allocate((size_t)prep->n_real, sizeof *charges);
    if (charges == NULL) return bt_fail_memory(opt_error);
    BT_TRY(bt_rdmol_gasteiger(prep->mol, prep->where, charges, opt_error));
    for (int i = 0; i < prep->n_real; i++) prep->atoms[i].charge = charges[i];
  }
  for (int i = 0; i < prep->n_real; i++) {
    if (model == BT_CHARGES_ZERO) prep->atoms[i].charge = 0;
    if (isfinite(prep->atoms[i].charge)) continue;
    if (model == BT_CHARGES_READ)
      return bt_fail(opt_error, BT_ERR_INPUT, at_atom(prep, i), "use a MOL2 file with charges of all atoms",
                     "the file has no partial charge for %s", prep->atoms[i].symbol);
    return bt_fail(opt_error, BT_ERR_PARAMETER, at_atom(prep, i), "leave this molecule out, or set charges to zero",
                   "Gasteiger's model has no charge for %s", prep->atoms[i].symbol);
  }
  return BT_OK;
}

bt_status bt_prep_merge(bt_prep *prep, bt_error *opt_error) {
  for (int i = 0; i < prep->n_real; i++) {
    bt_prep_atom *atom = &prep->atoms[i];
    if (strcmp(atom->type, "H") != 0) continue;
    int degree = bt_prep_degree(prep, i);
    if (degree != 1)
      return bt_fail(opt_error, BT_ERR_INPUT, at_atom(prep, i), "repair or leave out this record",
                     "a hydrogen has %d bonds", degree);
    bt_prep_atom *parent = &prep->atoms[prep->neighbor[prep->first[i]]];
    if (parent->element == 1) continue; /* molecular hydrogen */
    atom->merged = true;
    parent->charge += atom->charge;
  }
  return BT_OK;
}
