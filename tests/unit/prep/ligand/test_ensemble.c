/* test_ensemble.c - conformers of a molecule that are docked as one ligand. */
#include <berth/berth.h>

#include "prepare.h"

static bt_prepare_options four(void) {
  bt_prepare_options options = bt_prepare_options_default();
  options.opt_format = "smiles";
  options.conformers = 4;
  options.ensemble = true;
  return options;
}

/* Reads a text with one record: how many ligands become of it. */
static int ligands_of(const char *text, const bt_prepare_options *options, int *ret_conformers) {
  bt_ligand_reader *reader = open_text(text, options);
  int count = 0;
  *ret_conformers = 0;
  for (;;) {
    bt_molecule *molecule;
    bt_error error;
    support_ok(bt_ligand_reader_next(reader, &molecule, &error), &error);
    if (molecule == NULL) break;
    *ret_conformers += bt_molecule_conformer_count(molecule);
    bt_molecule_destroy(molecule);
    count++;
  }
  bt_ligand_reader_close(reader);
  return count;
}

static void they_are_one_ligand(void **state) {
  (void)state;
  needs_rdkit();
  bt_prepare_options options = four();
  int conformers;
  assert_int_equal(ligands_of("OC1CCC(C)CC1CCO x\n", &options, &conformers), 1);
  assert_in_range(conformers, 2, 4);
  options.ensemble = false;
  assert_int_equal(ligands_of("OC1CCC(C)CC1CCO x\n", &options, &conformers), 4);
  assert_int_equal(conformers, 4);
}

/* Docking turns all that distinguishes them. */
static void equal_ones_are_dropped(void **state) {
  (void)state;
  needs_rdkit();
  bt_prepare_options options = four();
  int conformers;
  assert_int_equal(ligands_of("c1ccccc1 x\n", &options, &conformers), 1);
  assert_int_equal(conformers, 1);
}

static void atoms_are_the_same(void **state) {
  (void)state;
  needs_rdkit();
  bt_prepare_options options = four();
  bt_molecule *molecule = prepare("CC1CCN(C(=O)c2ccccc2)CC1CO x\n", &options);
  assert_true(molecule->n_conformers > 0);
  for (int k = 0; k < molecule->n_conformers; k++) {
    const bt_molecule *other = molecule->conformers[k];
    bool moved = false;
    assert_int_equal(other->n_atoms, molecule->n_atoms);
    assert_int_equal(other->n_fragments, molecule->n_fragments);
    assert_string_equal(bt_molecule_smiles(other), bt_molecule_smiles(molecule));
    for (int i = 0; i < other->n_atoms; i++) {
      assert_string_equal(other->atoms[i].type, molecule->atoms[i].type);
      moved = moved || other->atoms[i].x[0] != molecule->atoms[i].x[0];
    }
    assert_true(moved);
  }
  bt_molecule_destroy(molecule);
}

/* Coordinates of a record are its first conformer. */
static void given_coordinates_come_first(void **state) {
  (void)state;
  needs_rdkit();
  bt_prepare_options options = four();
  bt_molecule *made = prepare("OC1CCC(C)CC1CCO x\n", &options);
  char *text;
  bt_error error;
  support_ok(bt_molecule_sdf(made, NULL, NULL, 0, &text, &error), &error);
  options.opt_format = "sdf";
  options.seed = 7;
  bt_molecule *several = prepare(text, &options);
  options.conformers = 1;
  bt_molecule *alone = prepare(text, &options);
  assert_in_range(bt_molecule_conformer_count(several), 2, 4);
  assert_int_equal(bt_molecule_conformer_count(alone), 1);
  for (int i = 0; i < alone->n_atoms; i++)
    assert_memory_equal(several->atoms[i].x, alone->atoms[i].x, sizeof alone->atoms[i].x);
  assert_true(bt_molecule_has_pose(several));
  free(text);
  bt_molecule_destroy(alone);
  bt_molecule_destroy(several);
  bt_molecule_destroy(made);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(they_are_one_ligand), cmocka_unit_test(equal_ones_are_dropped),
                                     cmocka_unit_test(atoms_are_the_same),
                                     cmocka_unit_test(given_coordinates_come_first)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
