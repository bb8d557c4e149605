/* ionize.c - protonation at a pH by the table data/chem/ionization.csv. */
#include <stdlib.h>

#include "base/memory.h"
#include "prep/ligand/steps.h"

/* Sites decide one after the other, because a charge changes what its neighbours do: an amine beside an ammonium is no
 * longer as basic, a second proton of a phosphate is harder to take. */
static bt_status change_one(bt_rdmol *mol, const bt_smarts *pattern, int delta, bt_where where, bool *ret_changed,
                            bt_error *opt_error) {
  int *matches, count;
  *ret_changed = false;
  BT_TRY(bt_smarts_match(pattern, mol, &matches, &count, opt_error));
  if (count == 0) return BT_OK;
  int atom = matches[0];
  free(matches);
  *ret_changed = true;
  return bt_rdmol_change_protons(mol, &atom, &delta, 1, where, opt_error);
}

bt_status bt_prep_ionize(bt_rdmol *mol, const bt_rules *rules, double ph, bt_where where, char **ret_summary,
                         bt_error *opt_error) {
  bt_text summary = {0};
  bt_status status = BT_OK;
  int limit = bt_rdmol_atom_count(mol);
  for (int i = 0; status == BT_OK && i < rules->n_ions; i++) {
    const bt_ion_rule *rule = &rules->ions[i];
    bool acid = ph > rule->pka, changed = true;
    int sites = 0;
    while (status == BT_OK && changed && sites < limit) {
      status = change_one(mol, acid ? rule->acid : rule->base, acid ? -1 : 1, where, &changed, opt_error);
      if (changed) sites++;
    }
    if (sites > 0)
      bt_text_printf(&summary, "%s%d %s %s", summary.size > 0 ? ", " : "", sites, rule->group,
                     acid ? "lost a proton" : "took a proton");
  }
  if (status == BT_OK && summary.failed) status = bt_fail_memory(opt_error);
  if (status != BT_OK) {
    bt_text_destroy(&summary);
    return status;
  }
  *ret_summary = summary.data;
  return BT_OK;
}
