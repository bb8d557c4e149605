/* ionize.c - protonation: as stated by the record, or at a pH, by the table data/chem/ionization.csv. */

#include "base/memory.h"
#include "prep/ligand/steps/steps.h"

/* Sites are changed one at a time, because a charge affects its neighbors: an amine beside an ammonium is no
 * longer as basic, a second proton of a phosphate is harder to remove. */
static bt_status change_one(bt_rdmol *mol, const bt_smarts *pattern, int delta, bt_where where, bool *ret_changed,
                            bt_error *opt_error) {
  BT_SCOPED int *matches = NULL;
  int count = 0;
  *ret_changed = false;
  BT_TRY(bt_smarts_match(pattern, mol, &matches, &count, opt_error));
  *ret_changed = count > 0;
  return count == 0 ? BT_OK : bt_rdmol_change_proton(mol, *matches, delta, where, opt_error);
}

bt_status bt_prep_ionize(bt_rdmol *mol, const bt_rules *rules, double ph, bt_where where, char **ret_summary,
                         bt_error *opt_error) {
  BT_ENDED_BY(bt_text_destroy) bt_text summary = {0};
  int limit = bt_rdmol_atom_count(mol);
  for (int i = 0; i < rules->n_ions; i++) {
    const bt_ion_rule *rule = &rules->ions[i];
    bool acid = ph > rule->pka, changed = true;
    int sites = 0;
    while (changed && sites < limit) {
      BT_TRY(change_one(mol, acid ? rule->acid : rule->base, acid ? -1 : 1, where, &changed, opt_error));
      sites += changed;
    }
    if (sites > 0)
      bt_text_printf(&summary, "%s%s %s", summary.size > 0 ? ", " : "", rule->group,
                     acid ? "deprotonated" : "protonated");
    if (sites > 1) bt_text_printf(&summary, " (%d sites)", sites);
  }
  return summary.size > 0 ? bt_text_take(&summary, ret_summary, opt_error) : bt_text_status(&summary, opt_error);
}

static bt_status has(const bt_rdmol *mol, const bt_smarts *pattern, bool *ret_any, bt_error *opt_error) {
  BT_SCOPED int *matches = NULL;
  int count = 0;
  BT_TRY(bt_smarts_match(pattern, mol, &matches, &count, opt_error));
  *ret_any = count > 0;
  return BT_OK;
}

bt_status bt_prep_protonation_stated(const bt_rdmol *mol, const bt_rules *rules, bool *ret_stated,
                                     bt_error *opt_error) {
  bool hydrogens, lacking, polar;
  BT_TRY(has(mol, rules->ion, ret_stated, opt_error));
  if (*ret_stated) return BT_OK;
  BT_TRY(has(mol, rules->hydrogen, &hydrogens, opt_error));
  BT_TRY(has(mol, rules->lacking, &lacking, opt_error));
  BT_TRY(has(mol, rules->polar_hydrogen, &polar, opt_error));
  *ret_stated = hydrogens && (!lacking || (polar && bt_rdmol_is_3d(mol)));
  return BT_OK;
}
