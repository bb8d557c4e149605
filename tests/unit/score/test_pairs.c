/* test_pairs.c - the pairs of real ligands and the energy of each, against what AutoDock 4.2.6 printed. */
#include <berth/berth.h>

#include "unit/support.h"

#include "score/score.h"
#include "unit/assert_near.h"

typedef struct reference_pair {
  int i, j; /* serial numbers */
  double total, electrostatic, vdw, hbond, desolvation;
} reference_pair;

/* Reads the next line of epdb_pairs.tsv; false at its end. */
static bool next_pair(FILE *file, char name[16], reference_pair *ret_pair) {
  char line[512];
  while (fgets(line, sizeof line, file) != NULL) {
    double distance;
    int fields =
        sscanf(line, "%15s %d %d %lf %lf %lf %lf %lf %lf", name, &ret_pair->i, &ret_pair->j, &distance,
               &ret_pair->total, &ret_pair->electrostatic, &ret_pair->vdw, &ret_pair->hbond, &ret_pair->desolvation);
    if (fields == 9) return true;
  }
  return false;
}

/* Energies of pairs do not depend on maps, so empty ones will do. */
static bt_maps *empty_maps(const bt_ligand *ligand) {
  const char *types[32];
  bt_box box = {.npts = {2, 2, 2}, .spacing = 1};
  bt_maps *maps;
  int count = bt_ligand_type_count(ligand);
  for (int t = 0; t < count; t++) types[t] = bt_ligand_type(ligand, t);
  assert_int_equal(bt_maps_create(&box, types, count, &maps, NULL), BT_OK);
  return maps;
}

typedef struct complex {
  char name[16];
  bt_molecule **list;
  int count;
  bt_ligand *ligand;
  bt_maps *maps;
  bt_scorer *scorer;
  int next_pair;
} complex;

static void complex_open(complex *c, const char *name) {
  char path[1024], relative[64];
  bt_error error;
  snprintf(relative, sizeof relative, "data/set42/%s/flex-xray.pdbqt", name);
  support_shared(path, sizeof path, relative);
  *c = (complex){0};
  snprintf(c->name, sizeof c->name, "%s", name);
  support_ok(bt_molecule_read(path, BT_MOLECULE_LIGAND, &c->list, &c->count, &error), &error);
  support_ok(bt_ligand_create(c->list[0], NULL, &c->ligand, &error), &error);
  c->maps = empty_maps(c->ligand);
  support_ok(bt_scorer_create(c->ligand, c->maps, BT_FORM_TABULATED, BT_TORSIONAL_TORSDOF, &c->scorer, &error), &error);
}

static void complex_close(complex *c) {
  if (c->ligand == NULL) return;
  if (c->next_pair != c->ligand->n_pairs) fail_msg("%s: %d pairs too many", c->name, c->ligand->n_pairs - c->next_pair);
  bt_scorer_destroy(c->scorer);
  bt_maps_destroy(c->maps);
  bt_ligand_destroy(c->ligand);
  bt_molecule_list_destroy(c->list, c->count);
}

/* The printed digits are four after the point; a hydrogen bond's energy has a column of its own. */
static void every_pair_has_the_printed_energy(void **state) {
  (void)state;
  const double digit = 0.5e-4 + 1e-9;
  char path[1024], name[16];
  support_shared(path, sizeof path, "reference/epdb_pairs.tsv");
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  complex c = {0};
  reference_pair expected;
  int ligands = 0, pairs = 0;
  while (next_pair(file, name, &expected)) {
    if (strcmp(name, c.name) != 0) {
      complex_close(&c);
      complex_open(&c, name);
      ligands++;
    }
    if (c.next_pair >= c.ligand->n_pairs) fail_msg("%s: pair %d-%d is missing", name, expected.i, expected.j);
    const bt_pair *pair = &c.ligand->pairs[c.next_pair];
    int i = bt_ligand_atom(c.ligand, pair->i, NULL)->serial, j = bt_ligand_atom(c.ligand, pair->j, NULL)->serial;
    if (i != expected.i || j != expected.j) fail_msg("%s: pair %d-%d, not %d-%d", name, i, j, expected.i, expected.j);
    bt_pair_energy energy = bt_score_pair(c.scorer, c.ligand->xyz, c.next_pair++);
    assert_near(energy.electrostatic, expected.electrostatic, digit);
    assert_near(energy.vdw, expected.vdw, digit);
    assert_near(energy.hbond, expected.hbond, digit);
    assert_near(energy.desolvation, expected.desolvation, digit);
    pairs++;
  }
  complex_close(&c);
  fclose(file);
  assert_int_equal(ligands, 27); /* 1ac8 is rigid */
  print_message("%d pairs of %d ligands agree\n", pairs, ligands);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_pair_has_the_printed_energy)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
