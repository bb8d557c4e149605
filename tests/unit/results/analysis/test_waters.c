/* test_waters.c - waters of hydrated docking: strong, weak, displaced, merged. */
#include "results/analysis/waters.h"

#include "unit/results/analysis/contacts.h"

static double level; /* of the map of W, kcal/mol */
static double constant(double x, double y, double z) {
  (void)x, (void)y, (void)z;
  return level;
}
static double slope(double x, double y, double z) {
  (void)y, (void)z;
  return -0.1 * x;
}

/* Names and states of the waters, with their energies: "W1 strong -0.600\n". */
static void expect_waters(const char *opt_receptor, const char *atoms, double (*fill)(double, double, double),
                          const char *expected) {
  bt_molecule *molecule = molecule_of(atoms, BT_MOLECULE_LIGAND, 0), *receptor = NULL;
  if (opt_receptor != NULL) receptor = molecule_of(opt_receptor, BT_MOLECULE_RECEPTOR, 0);
  bt_ligand *ligand = poses_ligand(molecule, NULL);
  bt_maps *maps = scene_maps(ligand, (double[3]){0}, 60);
  int map = bt_maps_find(maps, "W");
  if (map >= 0) scene_fill(maps, map, fill);
  bt_water_site site;
  bt_water_list list = {0};
  bt_text text = {0};
  bt_error error;
  support_ok(bt_water_site_create(receptor, &site, &error), &error);
  support_ok(bt_waters_judge(&site, ligand, maps, ligand->xyz, &list, &error), &error);
  bt_text_add_string(&text, "");
  for (size_t k = 0; k < list.count; k++) {
    const bt_water *w = &list.items[k];
    bt_text_printf(&text, "%s %s", bt_ligand_atom(ligand, w->atom, NULL)->name, bt_water_name(w->state));
    if (w->state == BT_WATER_MERGED)
      bt_text_printf(&text, " %s\n", bt_ligand_atom(ligand, w->into, NULL)->name);
    else
      bt_text_printf(&text, " %.3f\n", w->energy);
  }
  assert_string_equal(text.data, expected);
  bt_text_destroy(&text);
  bt_water_list_clear(&list);
  bt_water_site_destroy(&site);
  bt_maps_destroy(maps);
  bt_ligand_destroy(ligand);
  bt_molecule_destroy(receptor);
  bt_molecule_destroy(molecule);
}

static void energies_rank(void **state) {
  (void)state;
  static const struct {
    double level;
    const char *expected;
  } cases[] = {{-0.6, "W1 strong -0.600\n"},     {-0.5, "W1 weak -0.500\n"},      {-0.31, "W1 weak -0.310\n"},
               {-0.29, "W1 displaced -0.290\n"}, {-0.2, "W1 displaced -0.200\n"}, {0.0, "W1 displaced 0.000\n"}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    level = cases[k].level;
    expect_waters(NULL, "O1 OA 0 0 0; W1 W 3 0 0", constant, cases[k].expected);
  }
}

static void heavy_atoms_displace(void **state) {
  (void)state;
  const char *ligand = "O1 OA 0 0 0; W1 W 3 0 0";
  level = -1;
  expect_waters("ALA: CB C 5.02 0 0", ligand, constant, "W1 displaced -1.000\n");
  expect_waters("ALA: CB C 5.04 0 0", ligand, constant, "W1 strong -1.000\n");
  expect_waters("SER: HG HD 4 0 0", ligand, constant, "W1 strong -1.000\n");
  expect_waters(" ZN: TZ TZ 4 0 0", ligand, constant, "W1 strong -1.000\n");
  /* of the ligand's own atoms, all but that which the water was placed at */
  expect_waters(NULL, "N1 NA 0 0 0; W1 W 2 0 0", constant, "W1 strong -1.000\n");
  expect_waters(NULL, "N1 NA 0 0 0; W1 W 2 0 0; C1 C 4 0 0", constant, "W1 displaced -1.000\n");
  expect_waters(NULL, "C1 C 4 0 0; N1 NA 0 0 0; W1 W 2 0 0; W2 W -2 0 0", constant,
                "W1 displaced -1.000\nW2 strong -1.000\n");
}

static void near_waters_are_one(void **state) {
  (void)state;
  expect_waters(NULL, "O1 OA 4 0 0; W1 W 7 0 0; W2 W 7 0.9 0", slope, "W1 strong -0.700\nW2 merged W1\n");
  expect_waters(NULL, "O1 OA 4 0 0; W1 W 7 0 0; W2 W 7 1.1 0", slope, "W1 strong -0.700\nW2 strong -0.700\n");
  /* a chain, found in any order; judged at the mean: W2 alone would be strong */
  expect_waters(NULL, "O1 OA -4 0 0; W1 W 4.1 0 0; W2 W 5.7 0 0; W3 W 4.9 0 0", slope,
                "W1 weak -0.490\nW2 merged W1\nW3 merged W1\n");
  expect_waters("ALA: CB C 9 0 0", "O1 OA 0 0 0; W1 W 6.5 0 0; W2 W 7.4 0 0", slope, /* overlap: not part of a mean */
                "W1 strong -0.650\nW2 displaced -0.740\n");
  expect_waters("ALA: CB C 6 2 0", "O1 OA 0 0 0; W1 W 5.6 0 0; W2 W 6.4 0 0", slope, /* their mean overlaps */
                "W1 displaced -0.600\nW2 merged W1\n");
}

static void edges(void **state) {
  (void)state;
  level = -1;
  expect_waters("ALA: CB C 5 0 0", "O1 OA 0 0 0; C1 C 1.4 0 0", constant, "");
  expect_waters(NULL, "O1 OA 0 0 0; W1 W 30 0 0", slope, "W1 strong -1.125\n"); /* out of the box: its face */
}

static void names_are_read(void **state) {
  (void)state;
  bt_water_state found;
  for (int s = 0; s < BT_WATER_STATES; s++) {
    assert_true(bt_water_find(bt_water_name((bt_water_state)s), &found));
    assert_int_equal(found, s);
  }
  assert_false(bt_water_find("wet", &found));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(energies_rank), cmocka_unit_test(heavy_atoms_displace),
                                     cmocka_unit_test(near_waters_are_one), cmocka_unit_test(edges),
                                     cmocka_unit_test(names_are_read)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
