/* rules.h - the tables of data/chem and the patterns of rotatable bonds, compiled once for many ligands. */
#ifndef BERTH_PREP_LIGAND_RULES_H
#define BERTH_PREP_LIGAND_RULES_H

#include "base/text/text.h"
#include "chem/builder/shapes.h"
#include "chem/rdkit.h"
#include "prep/ligand/filter.h"

typedef struct bt_type_rule {
  char type[8];
  bt_smarts *smarts; /* types the first atom of the pattern */
} bt_type_rule;

typedef struct bt_ion_rule {
  char *group;
  double pka;
  bt_smarts *acid, *base; /* the first atom loses, or takes, a proton */
} bt_ion_rule;

typedef struct bt_rules {
  int n_types, n_ions;
  bt_type_rule *types;                            /* the last match counts */
  bt_ion_rule *ions;                              /* in the order in which they are tried */
  bt_smarts *amide, *thioamide;                   /* N, C: bonds that stay rigid */
  bt_smarts *tertiary_amide, *tertiary_thioamide; /* N, its two substituents, C: exempt when the two differ */
  bt_smarts *alkyne, *nitrile, *conjugated;
  bt_smarts *ion, *hydrogen, *lacking, *polar_hydrogen; /* see bt_prep_protonation_stated */
  bt_tautomer_rules *opt_tautomers;                     /* of further states */
  bt_filter *opt_filter;                                /* of what is left out */
  bt_shapes *opt_shapes; /* of fragments, shared by threads; NULL: coordinates are not built from them */
} bt_rules;

bt_status bt_rules_create(bt_rules **ret_rules, bt_error *opt_error) BT_MUST_USE;
void bt_rules_destroy(bt_rules *opt_rules);

#endif
