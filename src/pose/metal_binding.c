/* metal_binding.c - see metal_binding.h. */
#include "pose/metal_binding.h"

#include "base/vector.h"

enum { MOST_NEIGHBORS = 8 };

/* Atoms, and what each is bonded to but hydrogens. */
typedef struct graph {
  const bt_vina_atoms *atoms;
  const bt_bonds *bonds;
} graph;

typedef struct neighbors {
  int atoms[MOST_NEIGHBORS], count;
} neighbors;

static neighbors heavy_of(const graph *g, int i) {
  neighbors found = {.count = 0};
  for (int a = g->bonds->first[i]; a < g->bonds->first[i + 1]; a++) {
    int j = g->bonds->neighbor[a];
    if (!bt_vina_is_hydrogen(g->atoms->inputs[j]) && found.count < MOST_NEIGHBORS) found.atoms[found.count++] = j;
  }
  return found;
}

/* By the stem of its class, such as "O" or "S_P". */
static bool is_element(const bt_vina_input *input, char element) {
  return input->stem[0] == element && (input->stem[1] == '\0' || input->stem[1] == '_');
}

static bool is(const graph *g, int i, char element) { return is_element(g->atoms->inputs[i], element); }

static bool has_polar_hydrogen(const graph *g, int i) {
  for (int a = g->bonds->first[i]; a < g->bonds->first[i + 1]; a++)
    if (g->atoms->inputs[g->bonds->neighbor[a]]->kind == BT_VINA_POLAR_HYDROGEN) return true;
  return false;
}

/* Oxygens that have no other heavy neighbor: =O, O-, OH. */
static int terminal_oxygens(const graph *g, int i) {
  neighbors of = heavy_of(g, i);
  int count = 0;
  for (int k = 0; k < of.count; k++) count += is(g, of.atoms[k], 'O') && heavy_of(g, of.atoms[k]).count == 1;
  return count;
}

static bool is_among(neighbors list, int atom) {
  for (int k = 0; k < list.count; k++)
    if (list.atoms[k] == atom) return true;
  return false;
}

/* Does a path of one or two atoms lead from a to b beside i? It makes the angle a-i-b part of a ring of five or six
 * together with the bonds of a and b. */
static bool is_closed(const graph *g, int i, int a, int b) {
  neighbors from = heavy_of(g, a), to = heavy_of(g, b);
  for (int p = 0; p < from.count; p++) {
    if (from.atoms[p] == i || from.atoms[p] == b) continue;
    neighbors next = heavy_of(g, from.atoms[p]);
    for (int q = 0; q < next.count; q++) {
      int end = next.atoms[q];
      if (end == a || end == i || end == b) continue;
      if (is_among(to, end)) return true; /* five */
      neighbors last = heavy_of(g, end);
      for (int r = 0; r < last.count; r++)
        if (last.atoms[r] != from.atoms[p] && is_among(to, last.atoms[r])) return true; /* six */
    }
  }
  return false;
}

static bool is_binding_oxygen(const graph *g, int i) {
  neighbors of = heavy_of(g, i);
  if (of.count != 1) return false;
  int center = of.atoms[0];
  if (is(g, center, 'P')) return true;
  bool carbon = is(g, center, 'C'), amide = is(g, center, 'N') && terminal_oxygens(g, center) == 1;
  if (carbon && terminal_oxygens(g, center) >= 2) return true;
  neighbors beside = heavy_of(g, center);
  for (int k = 0; k < beside.count && (carbon || amide); k++) {
    int j = beside.atoms[k];
    if (j == i) continue;
    if (carbon && is(g, j, 'N') && terminal_oxygens(g, j) == 1) return true;
    if (carbon && is(g, j, 'C') && terminal_oxygens(g, j) >= 2) return true;
    if (amide && is(g, j, 'C') && terminal_oxygens(g, j) >= 1) return true;
  }
  return false;
}

static bool is_binding_nitrogen(const graph *g, int i) {
  neighbors of = heavy_of(g, i);
  if (of.count == 1) return is(g, of.atoms[0], 'S') && terminal_oxygens(g, of.atoms[0]) >= 2;
  return of.count == 2 && g->atoms->inputs[i]->acceptor && !has_polar_hydrogen(g, i) &&
         is_closed(g, i, of.atoms[0], of.atoms[1]);
}

bool bt_binds_metals(const bt_vina_atoms *atoms, const bt_bonds *bonds, int atom) {
  graph g = {atoms, bonds};
  if (is(&g, atom, 'O')) return is_binding_oxygen(&g, atom);
  if (is(&g, atom, 'N')) return is_binding_nitrogen(&g, atom);
  return is(&g, atom, 'S') && heavy_of(&g, atom).count == 1;
}

static bool holds_metals(const bt_atom *atom) {
  const bt_vina_input *input = bt_vina_input_find(atom->type);
  return input != NULL && (is_element(input, 'N') || is_element(input, 'O') || is_element(input, 'S'));
}

bool bt_is_binding_metal(const bt_molecule *receptor, int atom) {
  enum { LEAST = 3 };
  const double reach = 2.8; /* Angstrom */
  const bt_atom *metal = &receptor->atoms[atom];
  const bt_vina_input *input = bt_vina_input_find(metal->type);
  if (input == NULL || input->kind != BT_VINA_PLAIN || !bt_vina_classify(input, false, false)->metal) return false;
  int count = 0;
  for (int i = 0; i < receptor->n_atoms && count < LEAST; i++)
    if (i != atom && bt_v3_distance2(receptor->atoms[i].x, metal->x) <= reach * reach)
      count += holds_metals(&receptor->atoms[i]);
  return count >= LEAST;
}
