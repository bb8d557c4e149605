/* bonds.c - which bonds rotate: single bonds outside closed rings, except amides and the like. */

#include "base/memory.h"
#include "prep/ligand/steps/steps.h"

static int bond_between(const bt_prep *prep, int a, int b) {
  for (int k = prep->first[a]; k < prep->first[a + 1]; k++)
    if (prep->neighbor[k] == b) return prep->via[k];
  return -1;
}

static void set_rotor(bt_prep *prep, int a, int b, bool rotor) {
  int bond = bond_between(prep, a, b);
  if (bond >= 0) prep->bonds[bond].rotor = rotor;
}

/* Amide bonds do not rotate, except in tertiary amides with two different substituents: docking has to reach both
 * rotamers. */
static bt_status fix_amides(bt_prep *prep, const bt_smarts *amide, const bt_smarts *tertiary, bt_error *opt_error) {
  BT_SCOPED int *matches = NULL, *tertiary_matches = NULL;
  int count;
  BT_TRY(bt_smarts_match(amide, prep->mol, &matches, &count, opt_error));
  if (count == 0) return BT_OK;
  for (int i = 0; i < count; i++) set_rotor(prep, matches[3 * i], matches[3 * i + 1], false);
  BT_TRY(bt_smarts_match(tertiary, prep->mol, &tertiary_matches, &count, opt_error));
  if (count == 0) return BT_OK;
  BT_SCOPED int *classes = bt_allocate((size_t)prep->n_real, sizeof *classes);
  if (classes == NULL) return bt_fail_memory(opt_error);
  BT_TRY(bt_rdmol_classes(prep->mol, prep->where, classes, opt_error));
  for (int i = 0; i < count; i++) {
    const int *m = &tertiary_matches[5 * i]; /* N, substituent, substituent, C, O */
    if (classes[m[1]] != classes[m[2]]) set_rotor(prep, m[0], m[3], true);
  }
  return BT_OK;
}

/* The bonds on either side of a triple bond share an axis: the triple bond represents both. */
static bt_status fix_alkynes(bt_prep *prep, const bt_rules *rules, bt_error *opt_error) {
  BT_SCOPED int *matches = NULL, *nitriles = NULL;
  int count;
  BT_TRY(bt_smarts_match(rules->alkyne, prep->mol, &matches, &count, opt_error));
  for (int i = 0; i < count; i++) {
    const int *m = &matches[4 * i];
    set_rotor(prep, m[0], m[1], false);
    set_rotor(prep, m[2], m[3], false);
    set_rotor(prep, m[1], m[2], true);
  }
  BT_TRY(bt_smarts_match(rules->nitrile, prep->mol, &nitriles, &count, opt_error));
  for (int i = 0; i < count; i++) set_rotor(prep, nitriles[3 * i], nitriles[3 * i + 1], false);
  return BT_OK;
}

/* A hydrogen, or an atom with fewer than two neighbors besides merged hydrogens. */
static bool is_terminal(const bt_prep *prep, int atom) {
  int kept = 0;
  for (int k = prep->first[atom]; k < prep->first[atom + 1]; k++) kept += !prep->atoms[prep->neighbor[k]].merged;
  return prep->atoms[atom].merged || prep->atoms[atom].element == 1 || kept < 2;
}

bt_status bt_prep_find_rotors(bt_prep *prep, const bt_rules *rules, const bt_prepare_options *options,
                              bt_error *opt_error) {
  for (int i = 0; i < prep->n_bonds; i++) {
    bt_prep_bond *bond = &prep->bonds[i];
    bond->rotor = bond->order == 1 && !prep->atoms[bond->a].merged && !prep->atoms[bond->b].merged;
  }
  if (!options->flexible_amides)
    BT_TRY(fix_amides(prep, options->old_rules ? rules->amide : rules->thioamide,
                      options->old_rules ? rules->tertiary_amide : rules->tertiary_thioamide, opt_error));
  if (!options->old_rules) return fix_alkynes(prep, rules, opt_error);
  for (int i = 0; i < prep->n_bonds; i++) {
    const bt_prep_bond *bond = &prep->bonds[i];
    bool held = bond->a == prep->held || bond->b == prep->held; /* an alpha carbon, which has neighbors elsewhere */
    if (!held && (is_terminal(prep, bond->a) || is_terminal(prep, bond->b))) prep->bonds[i].rotor = false;
  }
  return BT_OK;
}
