/* test_strain.c - strain of conformers, and faults of their geometry. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "chem/chemistry.h"
#include "unit/prep/ligand/prepare.h"

typedef struct example {
  bt_molecule *molecule;
  bt_strainer *strainer;
  double (*x)[3]; /* a copy, to be changed */
} example;

static example begin(const char *smiles) {
  bt_prepare_options options = bt_prepare_options_default();
  bt_error error = {0};
  options.as_drawn = true;
  options.opt_format = "smiles";
  example e = {.molecule = prepare(smiles, &options)};
  const bt_chemistry *chemistry = e.molecule->chemistry;
  support_ok(bt_strainer_create(chemistry->mol, (const double(*)[3])chemistry->x, &e.strainer, &error), &error);
  e.x = malloc((size_t)chemistry->n_atoms * sizeof *e.x);
  memcpy(e.x, chemistry->x, (size_t)chemistry->n_atoms * sizeof *e.x);
  return e;
}

static void end(example *e) {
  bt_strainer_destroy(e->strainer);
  bt_molecule_destroy(e->molecule);
  free(e->x);
}

static double strain(example *e, bool free) {
  double energy;
  bt_error error;
  support_ok(bt_strainer_energy(e->strainer, (const double(*)[3])e->x, free, &energy, &error), &error);
  return energy - bt_strainer_relaxed(e->strainer);
}

static unsigned faults(const example *e) {
  unsigned found;
  bt_error error;
  support_ok(bt_strainer_faults(e->strainer, (const double(*)[3])e->x, &found, &error), &error);
  return found;
}

/* Turns the atoms beyond the bond a-b, b's side, by so many degrees. */
static void turn(example *e, int a, int b, double degrees) {
  const bt_chemistry *chemistry = e->molecule->chemistry;
  int n_bonds = bt_rdmol_bond_count(chemistry->mol), count = 1;
  bt_rdbond *bonds = malloc((size_t)n_bonds * sizeof *bonds);
  int *side = malloc((size_t)chemistry->n_atoms * sizeof *side);
  bt_rdmol_bonds(chemistry->mol, bonds);
  side[0] = b;
  for (int k = 0; k < count; k++)
    for (int i = 0; i < n_bonds; i++) {
      int other = bonds[i].a == side[k] ? bonds[i].b : bonds[i].b == side[k] ? bonds[i].a : -1;
      bool known = other < 0 || other == a;
      for (int j = 0; j < count; j++) known = known || side[j] == other;
      if (!known) side[count++] = other;
    }
  double axis[3], length = 0, c = cos(degrees * 3.14159265358979 / 180), s = sin(degrees * 3.14159265358979 / 180);
  for (int k = 0; k < 3; k++) length += pow(axis[k] = e->x[b][k] - e->x[a][k], 2);
  for (int k = 0; k < 3; k++) axis[k] /= sqrt(length);
  for (int i = 1; i < count; i++) {
    double r[3], dot = 0;
    for (int k = 0; k < 3; k++) dot += (r[k] = e->x[side[i]][k] - e->x[b][k]) * axis[k];
    for (int k = 0; k < 3; k++) {
      int l = (k + 1) % 3, m = (k + 2) % 3;
      e->x[side[i]][k] = e->x[b][k] + r[k] * c + (axis[l] * r[m] - axis[m] * r[l]) * s + axis[k] * dot * (1 - c);
    }
  }
  free(bonds);
  free(side);
}

static void test_a_relaxed_conformer_has_none(void **state) {
  (void)state;
  needs_rdkit();
  example e = begin("CCCCc1ccccc1");
  assert_string_equal(bt_strainer_source(e.strainer), "MMFF94s");
  assert_true(strain(&e, true) < 0.5);
  assert_int_equal(faults(&e), 0);
  end(&e);
}

/* Butane's barrier of 5 to 6 kcal/mol, less what 0.3 Angstrom give. */
static void test_a_turned_bond_costs_energy(void **state) {
  (void)state;
  needs_rdkit();
  example e = begin("CC(C)(C)C(C)(C)C");
  turn(&e, 1, 4, 60);
  double eclipsed = strain(&e, false);
  assert_true(eclipsed > 2 && eclipsed < 15);
  end(&e);
}

static void test_amides(void **state) {
  (void)state;
  needs_rdkit();
  static const struct {
    const char *smiles;
    int a, b;
    double degrees;
    unsigned expected;
  } cases[] = {
      {"CC(=O)NCC", 1, 3, 15, 0},
      {"CC(=O)NCC", 1, 3, 60, BT_FAULT_AMIDE},
      {"CC(=O)NCC", 1, 3, 180, 0},
      {"CC(=S)NCC", 1, 3, 60, BT_FAULT_AMIDE},
      {"CCC(=O)OCC", 2, 4, 60, 0},                   /* an ester */
      {"CC(=O)Nc1ccccc1", 3, 4, 90, BT_FAULT_AMIDE}, /* an anilide, planar before */
      {"CC(=O)Nc1ccccc1", 3, 4, 180, 0},
      {"CNC(=O)c1ccccc1", 2, 4, 90, BT_FAULT_AMIDE}, /* a benzamide, 25 degrees before */
      {"CNC(=O)c1c(C)cccc1C", 2, 4, 0, 0},           /* crowded: as it should be */
      {"CCCCC", 1, 2, 60, 0},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    example e = begin(cases[k].smiles);
    turn(&e, cases[k].a, cases[k].b, cases[k].degrees);
    if (faults(&e) != cases[k].expected)
      fail_msg("%s at %g degrees: %u", cases[k].smiles, cases[k].degrees, faults(&e));
    end(&e);
  }
}

static void test_rings_and_stereo(void **state) {
  (void)state;
  needs_rdkit();
  example e = begin("C1CCCCCCCCCCC1");
  assert_int_equal(faults(&e), 0);
  for (int k = 0; k < 3; k++) e.x[0][k] += k == 0 ? 0.6 : 0;
  assert_int_equal(faults(&e) & BT_FAULT_RING, BT_FAULT_RING);
  end(&e);
  e = begin("C[C@H](O)F");
  assert_int_equal(faults(&e), 0);
  for (int i = 0; i < e.molecule->chemistry->n_atoms; i++) e.x[i][2] = -e.x[i][2];
  assert_int_equal(faults(&e), BT_FAULT_STEREO);
  end(&e);
  e = begin("C/C=C/C");
  turn(&e, 1, 2, 180);
  assert_int_equal(faults(&e), BT_FAULT_STEREO);
  end(&e);
  e = begin("CC(O)F"); /* nothing is stated */
  for (int i = 0; i < e.molecule->chemistry->n_atoms; i++) e.x[i][2] = -e.x[i][2];
  assert_int_equal(faults(&e), 0);
  end(&e);
}

static void test_sources(void **state) {
  (void)state;
  needs_rdkit();
  example e = begin("CCB(O)O"); /* MMFF has no boron */
  assert_string_equal(bt_strainer_source(e.strainer), "UFF");
  assert_true(strain(&e, true) < 1);
  end(&e);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_relaxed_conformer_has_none),
      cmocka_unit_test(test_a_turned_bond_costs_energy),
      cmocka_unit_test(test_amides),
      cmocka_unit_test(test_rings_and_stereo),
      cmocka_unit_test(test_sources),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
