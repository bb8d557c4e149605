/* test_water.c - waters of hydrated docking: how many, how far, at which angle. */
#include <math.h>

#include "unit/prep/ligand/prepare.h"

static void subtract(const double a[3], const double b[3], double out[3]) {
  for (int k = 0; k < 3; k++) out[k] = a[k] - b[k];
}

static double length(const double a[3]) { return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); }

static double angle(const double a[3], const double b[3]) {
  double dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  return acos(fmax(-1, fmin(1, dot / (length(a) * length(b))))) * 180 / M_PI;
}

/* The waters at this distance from the first atom of this type; returns their number. */
static int waters_at(const bt_molecule *molecule, const char *type, double distance, double (*out)[3],
                     double anchor[3]) {
  int count = 0;
  for (int i = 0; i < molecule->n_atoms; i++)
    if (strcmp(molecule->atoms[i].type, type) == 0) {
      memcpy(anchor, molecule->atoms[i].x, 3 * sizeof(double));
      break;
    }
  for (int i = 0; i < molecule->n_atoms; i++) {
    double d[3];
    if (strcmp(molecule->atoms[i].type, "W") != 0) continue;
    subtract(molecule->atoms[i].x, anchor, d);
    if (fabs(length(d) - distance) < 0.003) memcpy(out[count++], d, sizeof d);
  }
  return count;
}

static int count_waters(const bt_molecule *molecule) {
  int count = 0;
  for (int i = 0; i < molecule->n_atoms; i++) count += strcmp(molecule->atoms[i].type, "W") == 0;
  return count;
}

static void test_waters(void **state) {
  (void)state;
  needs_rdkit();
  static const struct {
    const char *smiles, *type;
    double distance;
    int at_anchor, total;
    double between; /* degrees, of two waters */
  } cases[] = {
      {"CC(C)=O", "OA", 3, 2, 2, 120},     {"COC", "OA", 3, 2, 2, 120},    {"CO", "OA", 3, 2, 3, 120},
      {"CC#N", "NA", 2, 1, 1, 0},          {"c1ccncc1", "NA", 3, 1, 1, 0}, {"CN(C)C", "NA", 3, 1, 1, 0},
      {"CSC", "SA", 3, 2, 2, 120},         {"CC[NH3+]", "HD", 2, 1, 3, 0}, {"c1ccsc1", "S", 3, 0, 0, 0},
      {"CC(=O)N(C)C", "OA", 3, 2, 2, 120}, {"CF", "F", 3, 0, 0, 0},
  };
  bt_prepare_options options = bt_prepare_options_default();
  options.opt_format = "smiles";
  options.as_drawn = options.hydrated = true;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    bt_molecule *molecule = prepare(cases[i].smiles, &options);
    double found[64][3], anchor[3];
    int count = waters_at(molecule, cases[i].type, cases[i].distance, found, anchor);
    if (count != cases[i].at_anchor || count_waters(molecule) != cases[i].total)
      fail_msg("%s: %d waters, %d at %s", cases[i].smiles, count_waters(molecule), count, cases[i].type);
    if (count == 2) assert_true(fabs(angle(found[0], found[1]) - cases[i].between) < 0.1);
    bt_molecule_destroy(molecule);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_waters)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
