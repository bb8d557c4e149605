/* test_macrocycles.c - which rings are opened, and where. */
#include "unit/prep/ligand/prepare.h"

static int count_type(const bt_molecule *molecule, const char *type) {
  int count = 0;
  for (int i = 0; i < molecule->n_atoms; i++) count += strcmp(molecule->atoms[i].type, type) == 0;
  return count;
}

static const bt_atom *find_type(const bt_molecule *molecule, const char *type, int which) {
  for (int i = 0; i < molecule->n_atoms; i++)
    if (strcmp(molecule->atoms[i].type, type) == 0 && which-- == 0) return &molecule->atoms[i];
  return NULL;
}

static void assert_notes(const bt_molecule *molecule, const char *const *notes, int count) {
  assert_int_equal(bt_molecule_note_count(molecule), count);
  for (int i = 0; i < count; i++) assert_string_equal(bt_molecule_note(molecule, i), notes[i]);
}

static void test_cycloheptane(void **state) {
  (void)state;
  needs_rdkit();
  bt_prepare_options options = flat_options();
  bt_molecule *molecule = prepare("C1CCCCCC1", &options);
  assert_int_equal(molecule->n_fragments, 1);
  assert_notes(molecule, (const char *[]){"kept the shape of a ring of 7 atoms"}, 1);
  bt_molecule_destroy(molecule);
  options.smallest_macrocycle = 7;
  molecule = prepare("C1CCCCCC1", &options);
  assert_notes(molecule, (const char *[]){"opened a ring of 7 atoms, which docking bends and closes again"}, 1);
  assert_int_equal(count_type(molecule, "CG0"), 2);
  assert_int_equal(count_type(molecule, "G0"), 2);
  assert_int_equal(molecule->n_fragments - 1, 6);
  assert_int_equal(molecule->torsdof, 0);
  /* a glue point is at the carbon that its own carbon was bonded to */
  for (int k = 0; k < 2; k++) {
    const bt_atom *point = find_type(molecule, "G0", k), *partner = find_type(molecule, "CG0", 1 - k);
    for (int c = 0; c < 3; c++) assert_true(point->x[c] == partner->x[c]);
    assert_int_equal(point->fragment, find_type(molecule, "CG0", k)->fragment);
  }
  bool scored = false;
  for (int i = 0; i < molecule->n_lines; i++)
    scored = scored || strcmp(molecule->lines[i], "REMARK Flexibility Score:    8.900") == 0;
  assert_true(scored);
  bt_molecule_destroy(molecule);
  options.rigid_macrocycles = true;
  molecule = prepare("C1CCCCCC1", &options);
  assert_int_equal(molecule->n_fragments, 1);
  assert_int_equal(molecule->n_atoms, 7);
  assert_notes(molecule, NULL, 0);
  bt_molecule_destroy(molecule);
  options = flat_options();
  options.conformers = 1; /* where one conformer is made, others can be */
  molecule = prepare("C1CCCCCC1", &options);
  assert_notes(molecule, (const char *[]){"kept the shape of a ring of 7 atoms; --conformers makes others"}, 1);
  bt_molecule_destroy(molecule);
}

/* Which rings are opened by default, and the notes on every flexible ring. */
static void test_what_is_said(void **state) {
  (void)state;
  needs_rdkit();
  static const struct {
    const char *smiles, *notes[2];
    int opened;
  } cases[] = {
      {"C1CCCCC1", {NULL}, 0},                          /* a ring of six has few conformations */
      {"CN1CC2=CC=CC=C2C(=NC1)C3=CC=CC=C3", {NULL}, 0}, /* seven, but stiff */
      {"C1CCCCCCC1", {"opened a ring of 8 atoms, which docking bends and closes again"}, 1},
      {"C1CCCC2CCCCCC2C1", {"kept the shape of a ring of 7 atoms"}, 0},
      {"C1CCCCCCC2(CC1)CCCCCC2",
       {"opened a ring of 10 atoms, which docking bends and closes again",
        "kept the shape of a ring of 7 atoms"},
       1},
      /* cyclic ureas as in HIV protease's inhibitors, and lorlatinib */
      {"O=C1N(CC)C(C)C(O)C(O)C(C)N1CC", {"kept the shape of a ring of 7 atoms"}, 0},
      {"CC1C2=C(C=CC(=C2)F)C(=O)N(CC3=NN(C(=C3C4=CC(=C(N=C4)N)O1)C#N)C)C",
       {"kept the shape of a ring of 12 atoms, none of whose bonds can be opened"},
       0},
  };
  bt_prepare_options options = flat_options();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    bt_molecule *molecule = prepare(cases[i].smiles, &options);
    int count = 0;
    while (count < 2 && cases[i].notes[count] != NULL) count++;
    print_message("%s: %s\n", cases[i].smiles,
                  bt_molecule_note_count(molecule) > 0 ? bt_molecule_note(molecule, 0) : "-");
    assert_notes(molecule, cases[i].notes, count);
    assert_int_equal(count_type(molecule, "CG0") / 2, cases[i].opened);
    bt_molecule_destroy(molecule);
  }
}

static void test_which_rings(void **state) {
  (void)state;
  needs_rdkit();
  static const struct {
    const char *smiles;
    int broken, torsdof;
  } cases[] = {
      {"C1CCCCC1", 0, 0},        /* six atoms */
      {"c1ccc2cccc-2cc1", 0, 0}, /* aromatic */
      {"C1CC2CCC1C2", 0, 0},     /* bridged, all small */
      {"C1CC2CCCC(C1)C2", 0, 0}, /* its ring of eight shares all bonds with small ones */
      {"O=C1CCCCCCCCCCCO1", 1, 0},
      {"C1CCCC2CCCCCC2C1", 2, 0},        /* two fused rings */
      {"C1CCCCCCC2(CC1)CCCCCCC2", 2, 0}, /* spiro */
      {"CCCCC1CCCCCCC1", 1, 3},
      {"N1NNNNNNN1", 0, 0},                              /* no carbons to break between */
      {"C1CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC1", 0, 0}, /* 37 atoms */
  };
  bt_prepare_options options = flat_options();
  options.smallest_macrocycle = 7;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    bt_molecule *molecule = prepare(cases[i].smiles, &options);
    int broken = count_type(molecule, "CG0") / 2 + count_type(molecule, "CG1") / 2 + count_type(molecule, "CG2") / 2;
    if (broken != cases[i].broken || molecule->torsdof != cases[i].torsdof)
      fail_msg("%s: %d opened, %d torsions", cases[i].smiles, broken, molecule->torsdof);
    bt_molecule_destroy(molecule);
  }
}

/* The atoms of the SMILES, from 1, between which a ring was opened; 0: none was. */
static void opened_atoms(const bt_molecule *molecule, int ret_atoms[2]) {
  int count = 0;
  ret_atoms[0] = ret_atoms[1] = 0;
  for (int i = 0; i < molecule->n_atoms; i++)
    if (strcmp(molecule->atoms[i].type, "CG0") == 0) ret_atoms[count++] = molecule->chemistry->entry[i] + 1;
  if (ret_atoms[0] <= ret_atoms[1]) return;
  int larger = ret_atoms[0];
  ret_atoms[0] = ret_atoms[1];
  ret_atoms[1] = larger;
}

/* A pose records which rings were opened; impossible records are ignored. */
static void test_as_docked(void **state) {
  (void)state;
  needs_rdkit();
  static const struct {
    const char *item;
    int atoms[2]; /* -1: those of a molecule that says nothing */
  } cases[] = {{"4 5", {4, 5}},     {"14 15", {14, 15}},   {" 5 4 ", {4, 5}},     {"none", {0, 0}},  {"4 6", {-1, -1}},
               {"4", {-1, -1}},     {"9 8", {-1, -1}},     {"99 5", {-1, -1}},    {"0 1", {-1, -1}}, {"", {-1, -1}},
               {"4 5 7", {-1, -1}}, {"4 5 6 7", {-1, -1}}, {"4 5 4 5", {-1, -1}}, {"4-5", {-1, -1}}};
  bt_prepare_options options = bt_prepare_options_default();
  options.opt_format = "smiles";
  bt_molecule *ring = prepare("C1CCCCCCC(=O)NCCCCCC1", &options);
  int usual[2], atoms[2];
  opened_atoms(ring, usual);
  assert_true(usual[0] > 0);
  options.opt_format = "sdf";
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const bt_sdf_tag tag = {"berth_opened", cases[i].item};
    char *record;
    bt_error error;
    assert_int_equal(bt_molecule_sdf(ring, NULL, &tag, 1, &record, &error), BT_OK);
    for (int as_docked = 0; as_docked < 2; as_docked++) {
      options.as_docked = as_docked;
      bt_molecule *pose = prepare(record, &options);
      opened_atoms(pose, atoms);
      const int *expected = as_docked && cases[i].atoms[0] >= 0 ? cases[i].atoms : usual;
      if (atoms[0] != expected[0] || atoms[1] != expected[1])
        fail_msg("'%s': opened %d-%d, not %d-%d", cases[i].item, atoms[0], atoms[1], expected[0], expected[1]);
      bt_molecule_destroy(pose);
    }
    free(record);
  }
  bt_molecule_destroy(ring);
}

/* Buckminsterfullerene has very many rings; nothing may take long or fail. */
static void test_cages(void **state) {
  (void)state;
  needs_rdkit();
  bt_prepare_options options = flat_options();
  bt_molecule *molecule = prepare(
      "c12c3c4c5c1c1c6c7c2c2c8c3c3c9c4c4c%10c5c5c1c1c6c6c%11c7c2c2c7c8c3c3c8c9c4c4c9c%10c5c5c1c1c6c6c%11c2c2c7c3c3c8c4"
      "c4c9c5c1c1c6c2c3c41",
      &options);
  assert_int_equal(molecule->n_fragments, 1);
  bt_molecule_destroy(molecule);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_cycloheptane), cmocka_unit_test(test_which_rings), cmocka_unit_test(test_what_is_said),
      cmocka_unit_test(test_as_docked),    cmocka_unit_test(test_cages),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
