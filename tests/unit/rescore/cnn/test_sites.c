/* test_sites.c - channels and radii of all kinds of atoms that networks tell apart. */
#include "rescore/cnn/sites.h"

#include "formats/pdbqt/pdbqt.h"
#include "unit/assert_near.h"
#include "unit/support.h"

enum { MOST = 8, LIGAND = 14 };

/* An atom at (x, 0, 0). */
typedef struct place {
  const char *type;
  double x;
} place;

static bt_molecule *molecule(const place *places, int n, bool ligand) {
  char text[2000];
  size_t used = 0;
  bt_molecule **list, *first;
  bt_error error;
  int count;
  if (ligand) used += (size_t)snprintf(text, sizeof text, "ROOT\n");
  for (int i = 0; i < n; i++)
    used += (size_t)snprintf(text + used, sizeof text - used,
                             "ATOM  %5d  %-3s LIG A   1    %8.3f   0.000   0.000  1.00  0.00     0.000 %-3s\n", i + 1,
                             places[i].type, places[i].x, places[i].type);
  if (ligand) used += (size_t)snprintf(text + used, sizeof text - used, "ENDROOT\nTORSDOF 0\n");
  support_ok(bt_molecule_from_memory("m.pdbqt", text, used, ligand ? BT_MOLECULE_LIGAND : BT_MOLECULE_RECEPTOR, &list,
                                     &count, &error),
             &error);
  first = list[0];
  assert_int_equal(first->n_atoms, n);
  free(list);
  return first;
}

static bt_cnn_site first_site(const place *places, bool ligand) {
  bt_cnn_site sites[MOST];
  bt_error error;
  int n = 0;
  while (n < MOST && places[n].type != NULL) n++;
  bt_molecule *m = molecule(places, n, ligand);
  support_ok(bt_cnn_sites((const bt_molecule *const *)&m, 1, ligand, sites, &error), &error);
  for (int i = 0; i < n; i++) assert_near(sites[i].x[0], places[i].x, 0);
  bt_molecule_destroy(m);
  return sites[0];
}

/* The first atom's channels in a receptor and, counted from 14, in a ligand, and its radius. */
typedef struct kind {
  place places[MOST];
  int receptor, ligand;
  double radius;
} kind;

static const kind kinds[] = {
    {{{"C", 0}}, 0, 0, 1.9},
    {{{"C", 0}, {"C", 1.5}, {"A", -1.5}, {"HD", 1.1}}, 0, 0, 1.9},
    {{{"C", 0}, {"B", 1.56}}, 0, 0, 1.9},
    {{{"C", 0}, {"N", 1.47}}, 1, 1, 1.9},
    {{{"C", 0}, {"C", 1.5}, {"OA", -1.4}}, 1, 1, 1.9},
    {{{"C", 0}, {"SA", 1.8}}, 1, 1, 1.9},
    {{{"C", 0}, {"Br", 1.94}}, 1, 1, 1.9},
    {{{"C", 0}, {"Fe", 2.0}}, 1, 1, 1.9}, /* another element is any other */
    {{{"C", 0}, {"W", 1.2}}, 0, 0, 1.9},  /* which water of hydrated docking is not */
    {{{"CG0", 0}, {"CG0", 1.5}, {"G0", 1.5}, {"G0", 0}}, 0, 0, 1.9},
    {{{"CG1", 0}, {"NA", 1.4}, {"G1", 1.5}, {"G1", 0}, {"CG1", 1.5}}, 1, 1, 1.9},
    {{{"A", 0}}, 2, 2, 1.9},
    {{{"A", 0}, {"A", 1.4}, {"C", -1.5}}, 2, 2, 1.9},
    {{{"A", 0}, {"NA", 1.34}}, 3, 3, 1.9},
    {{{"A", 0}, {"Cl", 1.74}}, 3, 3, 1.9},
    {{{"N", 0}}, 5, 7, 1.8},
    {{{"N", 0}, {"C", 1.47}}, 5, 7, 1.8},
    {{{"N", 0}, {"HD", 1.01}}, 6, 8, 1.8},
    {{{"NA", 0}, {"A", 1.34}}, 5, 7, 1.8},
    {{{"NA", 0}, {"HD", 1.01}}, 6, 8, 1.8},
    {{{"NS", 0}}, 5, 7, 1.8},
    {{{"OA", 0}, {"C", 1.23}}, 7, 9, 1.7},
    {{{"OA", 0}, {"HD", 0.96}}, 8, 10, 1.7},
    {{{"O", 0}}, 7, 9, 1.7},
    {{{"OS", 0}}, 7, 9, 1.7},
    {{{"S", 0}, {"HD", 1.34}}, 9, 11, 2.0},
    {{{"SA", 0}}, 9, 11, 2.0},
    {{{"P", 0}, {"OA", 1.5}}, 10, 12, 2.1},
    {{{"F", 0}}, 4, 6, 1.5},
    {{{"Cl", 0}}, 4, 5, 1.8},
    {{{"Br", 0}}, 4, 4, 2.0},
    {{{"I", 0}}, 4, 4, 2.2},
    {{{"Ca", 0}}, 11, 13, 1.2},
    {{{"Zn", 0}}, 12, 13, 1.2},
    {{{"Mg", 0}}, 13, 13, 1.2},
    {{{"Mn", 0}}, 13, 13, 1.2},
    {{{"Fe", 0}}, 13, 13, 1.2},
    {{{"Na", 0}}, 13, 13, 1.2}, /* sodium, not nitrogen */
    {{{"B", 0}}, 13, 13, 1.92},
};

static void channels_and_radii(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    for (int ligand = 0; ligand < 2; ligand++) {
      bt_cnn_site site = first_site(kinds[k].places, ligand);
      int channel = ligand ? LIGAND + kinds[k].ligand : kinds[k].receptor;
      if (site.channel != channel)
        fail_msg("kind %zu, %s %s: channel %d, not %d", k, kinds[k].places[0].type, ligand ? "ligand" : "receptor",
                 site.channel, channel);
      assert_near(site.radius, kinds[k].radius, 0);
    }
}

static void what_has_no_channel(void **state) {
  (void)state;
  static const place of[][MOST] = {{{"HD", 0}, {"OA", 0.96}},
                                   {{"H", 0}},
                                   {{"HS", 0}},
                                   {{"G0", 0}, {"CG0", 1.5}, {"CG0", 0}, {"G0", 1.5}},
                                   {{"W", 0}, {"C", 3}}};
  for (size_t k = 0; k < sizeof of / sizeof *of; k++)
    for (int ligand = 0; ligand < 2; ligand++) assert_int_equal(first_site(of[k], ligand).channel, -1);
}

/* Up to 1.1 times the sum of the covalent radii, and not beyond. */
static void bonds_by_distance(void **state) {
  (void)state;
  static const struct {
    const char *atom, *other;
    double sum;
    int channel; /* with the bond; one less without */
  } bonds[] = {{"C", "N", 0.77 + 0.75, 1},   {"C", "OA", 0.77 + 0.73, 1}, {"C", "SA", 0.77 + 1.02, 1},
               {"C", "P", 0.77 + 1.06, 1},   {"C", "F", 0.77 + 0.71, 1},  {"A", "Cl", 0.77 + 0.99, 3},
               {"A", "Br", 0.77 + 1.14, 3},  {"A", "I", 0.77 + 1.33, 3},  {"N", "HD", 0.75 + 0.37, 6},
               {"OA", "HD", 0.73 + 0.37, 8}, {"C", "Mg", 0.77 + 1.30, 1}, {"C", "Mn", 0.77 + 1.39, 1},
               {"C", "Zn", 0.77 + 1.31, 1},  {"C", "Ca", 0.77 + 1.74, 1}, {"C", "Fe", 0.77 + 1.25, 1},
               {"C", "Na", 0.77 + 1.75, 1}};
  for (size_t k = 0; k < sizeof bonds / sizeof *bonds; k++)
    for (int far = 0; far < 2; far++) {
      double distance = 1.1 * bonds[k].sum + (far ? 0.002 : -0.002);
      distance = floor(1000 * distance + 0.5) / 1000; /* as a file has it */
      bt_cnn_site site = first_site((const place[MOST]){{bonds[k].atom, 0}, {bonds[k].other, distance}}, false);
      if (site.channel != bonds[k].channel - far)
        fail_msg("%s and %s %s: channel %d", bonds[k].atom, bonds[k].other, far ? "apart" : "bonded", site.channel);
    }
}

/* A receptor and its flexible side chain; a receptor and a ligand would be two calls. */
static void molecules_of_a_call_see_each_other(void **state) {
  (void)state;
  static const place rigid[] = {{"C", 0}, {"N", 5}}, side[] = {{"OA", 1.4}, {"HD", 4}};
  bt_molecule *both[] = {molecule(rigid, 2, false), molecule(side, 2, false)};
  bt_cnn_site sites[4];
  bt_error error;
  support_ok(bt_cnn_sites((const bt_molecule *const *)both, 2, false, sites, &error), &error);
  static const int together[] = {1, 6, 7, -1};
  for (int i = 0; i < 4; i++) assert_int_equal(sites[i].channel, together[i]);
  support_ok(bt_cnn_sites((const bt_molecule *const *)both, 1, false, sites, &error), &error);
  assert_true(sites[0].channel == 0 && sites[1].channel == 5);
  bt_molecule_destroy(both[0]);
  bt_molecule_destroy(both[1]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(channels_and_radii),
      cmocka_unit_test(what_has_no_channel),
      cmocka_unit_test(bonds_by_distance),
      cmocka_unit_test(molecules_of_a_call_see_each_other),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
