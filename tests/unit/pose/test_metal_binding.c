/* test_metal_binding.c - atoms that bind metals have classes of their own, where the function has a term for them. */
#include <berth/berth.h>
#include <string.h>

#include "pose/ligand.h"
#include "unit/support.h"

#include "unit/prep/ligand/prepare.h"

/* Classes that end in M, in the order of the molecule's atoms: "O_AM N_AM". */
static void expect(bt_scoring scoring, const char *smiles, const char *expected) {
  bt_prepare_options options = flat_options();
  bt_molecule *molecule = prepare(smiles, &options);
  bt_ligand *ligand;
  bt_error error;
  char found[256] = "";
  support_ok(bt_ligand_create_as(molecule, NULL, scoring, &ligand, &error), &error);
  for (int i = 0; i < ligand->n_atoms; i++) {
    const bt_vina_class *class = ligand->vina[ligand->type[i]];
    if (!class->binds_metals) continue;
    if (found[0] != '\0') strcat(found, " ");
    strcat(found, class->name);
  }
  if (strcmp(found, expected) != 0) fail_msg("%s: found '%s', expected '%s'", smiles, found, expected);
  bt_ligand_destroy(ligand);
  bt_molecule_destroy(molecule);
}

static void groups_that_bind_are_found(void **state) {
  (void)state;
  needs_rdkit();
  static const char *const rows[][2] = {
      {"CC(=O)[O-]", "O_AM O_AM"},            /* carboxylate */
      {"CC(=O)C(=O)[O-]", "O_AM O_AM O_AM"},  /* alpha-keto acid */
      {"CC(O)C(=O)[O-]", "O_DAM O_AM O_AM"},  /* alpha-hydroxy acid */
      {"CC(=O)NO", "O_AM O_DAM"},             /* hydroxamic acid */
      {"CP(=O)([O-])[O-]", "O_AM O_AM O_AM"}, /* phosphonate */
      {"NS(=O)(=O)c1ccccc1", "N_DAM"},        /* primary sulfonamide */
      {"CCS", "S_PM"},                        /* thiol */
      {"c1ccncc1", "N_AM"},                   /* pyridine */
      {"Cn1ccnc1", "N_AM"},                   /* imidazole: not the nitrogen with the methyl group */
  };
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) expect(BT_SCORING_VINA_METALS, rows[k][0], rows[k][1]);
}

static void other_groups_are_not(void **state) {
  (void)state;
  needs_rdkit();
  static const char *const rows[] = {
      "CC(C)=O",   "CCO", "COC", "CC(=O)NC", "C[NH+](C)C", "CS(C)(=O)=O", "C[N+](=O)[O-]", "CSC", "CNS(=O)(=O)c1ccccc1",
      "c1cc[nH]c1"};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) expect(BT_SCORING_VINA_METALS, rows[k], "");
}

static void without_the_term_there_are_none(void **state) {
  (void)state;
  needs_rdkit();
  expect(BT_SCORING_VINA, "CC(=O)NO", "");
  expect(BT_SCORING_VINARDO, "NS(=O)(=O)c1ccccc1", "");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(groups_that_bind_are_found),
      cmocka_unit_test(other_groups_are_not),
      cmocka_unit_test(without_the_term_there_are_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
