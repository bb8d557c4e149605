/* test_graph.c - elements of AutoDock types, and bonds of real and drawn molecules. */
#include <berth/berth.h>

#include "chem/element.h"
#include "chem/graph.h"
#include "unit/assert_near.h"
#include "unit/pose/molecule_fixture.h"
#include "unit/support.h"

static bt_graph *graph_of(const bt_molecule *molecule, bool hydrogens) {
  bt_graph *graph;
  bt_error error;
  support_ok(bt_graph_create(molecule, hydrogens, &graph, &error), &error);
  return graph;
}

static bool is_bonded(const bt_graph *graph, int i, int j) {
  for (int k = graph->first[i]; k < graph->first[i + 1]; k++)
    if (graph->neighbor[k] == j) return true;
  return false;
}

static void types_stand_for_elements(void **state) {
  (void)state;
  static const struct {
    const char *type;
    int element;
  } known[] = {{"C", 6},  {"A", 6},   {"CG0", 6}, {"G", 6},   {"N", 7}, {"NA", 7},  {"NS", 7},  {"OA", 8},  {"O", 8},
               {"S", 16}, {"SA", 16}, {"HD", 1},  {"H", 1},   {"F", 9}, {"Cl", 17}, {"CL", 17}, {"Br", 35}, {"I", 53},
               {"P", 15}, {"Ca", 20}, {"CA", 20}, {"Zn", 30}, {"B", 5}, {"Si", 14}, {"G0", 0},  {"W", 0},   {"XYZ", 0}};
  for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
    assert_int_equal(bt_element_of_type(known[k].type), known[k].element);
}

/* Nitramide-like chain with N-N and N-O bonds, which AutoDock's own rule does not see; a hydrogen between two heavy
 * atoms belongs to the nearer one. */
static void nitrogen_bonds_are_seen(void **state) {
  (void)state;
  const fixture_atom atoms[] = {{"C", 0, 0, 0, 0},      {"N", 1.46, 0, 0, 0},    {"N", 2.2, 1.18, 0, 0},
                                {"OA", 3.4, 1.1, 0, 0}, {"OA", 1.6, 2.25, 0, 0}, {"HD", 1.96, -0.87, 0, 0}};
  int axes[1][3] = {{-1, -1, -1}};
  fixture f;
  bt_graph *graph = graph_of(fixture_molecule(&f, BT_MOLECULE_LIGAND, atoms, 6, axes, 1), true);
  static const int bonds[][2] = {{0, 1}, {1, 2}, {2, 3}, {2, 4}, {1, 5}};
  assert_int_equal(graph->n, 6);
  assert_int_equal(graph->first[6], 10);
  for (size_t k = 0; k < sizeof bonds / sizeof bonds[0]; k++)
    assert_true(is_bonded(graph, bonds[k][0], bonds[k][1]) && is_bonded(graph, bonds[k][1], bonds[k][0]));
  bt_graph_destroy(graph);
  graph = graph_of(&f.molecule, false);
  assert_int_equal(graph->n, 5);
  bt_graph_destroy(graph);
}

/* A pose that is folded onto itself has the bonds of the unfolded one: fragments are joined by BRANCH only. */
static void bonds_do_not_depend_on_torsions(void **state) {
  (void)state;
  fixture_atom atoms[12];
  int axes[11][3] = {{-1, -1, -1}};
  bt_graph *graphs[2];
  for (int bent = 0; bent < 2; bent++) {
    for (int k = 0; k < 12; k++) {
      int x = bent && k > 6 ? 12 - k : k;
      atoms[k] = (fixture_atom){"C", 1.26 * x, x % 2 * 0.85, bent && k > 6 ? 1.0 : 0.0, k > 0 ? k - 1 : 0};
      if (k >= 2) memcpy(axes[k - 1], (int[3]){k - 2, k - 1, k}, sizeof axes[0]);
    }
    fixture f;
    graphs[bent] = graph_of(fixture_molecule(&f, BT_MOLECULE_LIGAND, atoms, 12, axes, 11), false);
  }
  assert_int_equal(graphs[0]->first[12], 22);
  assert_true(bt_graph_equal(graphs[0], graphs[1]));
  bt_graph_destroy(graphs[0]);
  bt_graph_destroy(graphs[1]);
}

static void opened_rings_are_closed(void **state) {
  (void)state;
  const fixture_atom atoms[] = {{"C", 0, 0, 0, 0},
                                {"CG0", 1.5, 0, 0, 1},
                                {"G0", 1.5, 1.5, 0, 1},
                                {"CG0", -1.5, 0, 0, 2},
                                {"G0", -1.5, 1.5, 0, 2}};
  int axes[3][3] = {{-1, -1, -1}, {0, 0, 1}, {0, 0, 3}};
  fixture f;
  bt_graph *graph = graph_of(fixture_molecule(&f, BT_MOLECULE_LIGAND, atoms, 5, axes, 3), true);
  assert_int_equal(graph->n, 3); /* glue points are not atoms */
  assert_true(is_bonded(graph, 1, 2));
  assert_int_equal(graph->first[3], 6);
  bt_graph_destroy(graph);
}

/* Every ligand is one piece, and its random starts have the crystal pose's bonds. */
static void real_ligands_are_one_piece(void **state) {
  (void)state;
  static const char *const cases[] = {"1ac8", "1jyq", "2brt", "3er5", "7cpa", "1kzk", "1t46", "2bm2", "1y6b", "1opk"};
  for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
    bt_graph *graphs[2];
    for (int k = 0; k < 2; k++) {
      char path[1024], name[128];
      snprintf(name, sizeof name, "data/set42/%s/%s.pdbqt", cases[c], k == 0 ? "flex-xray" : "rand-0");
      support_shared(path, sizeof path, name);
      bt_molecule **list;
      int count;
      bt_error error;
      support_ok(bt_molecule_read(path, BT_MOLECULE_LIGAND, &list, &count, &error), &error);
      graphs[k] = graph_of(list[0], true);
      bt_molecule_list_destroy(list, count);
    }
    const bt_graph *graph = graphs[0];
    int reached = 1, *queue = calloc((size_t)graph->n, sizeof *queue);
    bool *seen = calloc((size_t)graph->n, sizeof *seen);
    seen[0] = true;
    for (int at = 0; at < reached; at++)
      for (int e = graph->first[queue[at]]; e < graph->first[queue[at] + 1]; e++)
        if (!seen[graph->neighbor[e]]) {
          seen[graph->neighbor[e]] = true;
          queue[reached++] = graph->neighbor[e];
        }
    if (reached != graph->n) fail_msg("%s: %d of %d atoms are connected", cases[c], reached, graph->n);
    for (int i = 0; i < graph->n; i++) {
      int bonds = graph->first[i + 1] - graph->first[i], element = graph->element[i];
      int most = element == 1 || element == 9 ? 1 : element == 8 ? 2 : element == 6 || element == 7 ? 4 : 6;
      if (bonds > most) fail_msg("%s: atom %d has %d bonds", cases[c], i + 1, bonds);
    }
    if (!bt_graph_equal(graphs[0], graphs[1])) fail_msg("%s: bonds differ between poses", cases[c]);
    free(queue);
    free(seen);
    bt_graph_destroy(graphs[0]);
    bt_graph_destroy(graphs[1]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(types_stand_for_elements), cmocka_unit_test(nitrogen_bonds_are_seen),
      cmocka_unit_test(bonds_do_not_depend_on_torsions), cmocka_unit_test(opened_rings_are_closed),
      cmocka_unit_test(real_ligands_are_one_piece)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
