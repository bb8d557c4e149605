/* contact_groups.c - aromatic rings and charged groups, from names in proteins and from the graph in ligands. */
#include "results/analysis/contact_groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text/text.h"
#include "base/vector.h"
#include "chem/element.h"
#include "chem/graph.h"

void bt_groups_clear(bt_groups *groups) {
  free(groups->rings);
  free(groups->charged);
  *groups = (bt_groups){0};
}

static bt_status add(bt_groups *groups, const bt_group *group, bt_error *opt_error) {
  bool ring = group->sign == 0;
  bt_group **list = ring ? &groups->rings : &groups->charged;
  size_t *count = ring ? &groups->n_rings : &groups->n_charged;
  if (!BT_GROW(*list, ring ? &groups->ring_room : &groups->charged_room, *count + 1)) return bt_fail_memory(opt_error);
  (*list)[(*count)++] = *group;
  return BT_OK;
}

/* --- receptors ----------------------------------------------------------------------------------------- */

typedef struct template {
  const char *residues; /* names, blanks around each */
  const char *atoms;
  int sign; /* 0: a ring */
}
template;

static const template templates[] = {
    {" PHE TYR ", "CG CD1 CE1 CZ CE2 CD2", 0},
    {" TRP ", "CG CD1 NE1 CE2 CD2", 0},
    {" TRP ", "CD2 CE2 CZ2 CH2 CZ3 CE3", 0},
    {" HIS HID HIE HIP ", "CG ND1 CE1 NE2 CD2", 0},
    {" A G DA DG ", "N1 C2 N3 C4 C5 C6", 0},
    {" A G DA DG ", "C4 C5 N7 C8 N9", 0},
    {" C U DC DT DU ", "N1 C2 N3 C4 C5 C6", 0},
    {" ASP ASH ", "OD1 OD2", -1},
    {" GLU GLH ", "OE1 OE2", -1},
    {" LYS ", "NZ", 1},
    {" ARG ", "NE NH1 NH2", 1},
    {" HIS HID HIE HIP ", "ND1 NE2", 1},
    {" A G C U DA DG DC DT DU ", "OP1 OP2", -1},
};

static bool has_hydrogen(const bt_molecule *receptor, int first, int end, int atom) {
  const bt_atom *a = &receptor->atoms[atom];
  for (int i = first; i < end; i++) {
    const bt_atom *h = &receptor->atoms[i];
    if (bt_element_of_type(h->type) != 1) continue;
    double r2 = 0;
    for (int k = 0; k < 3; k++) r2 += (a->x[k] - h->x[k]) * (a->x[k] - h->x[k]);
    if (r2 < 1.2 * 1.2) return true;
  }
  return false;
}

static int named_atom(const bt_molecule *receptor, int first, int end, bt_span name) {
  for (int i = first; i < end; i++)
    if (bt_span_equals(name, receptor->atoms[i].name)) return i;
  return -1;
}

/* -1: an atom of the template is missing. */
static int find_atoms(const bt_molecule *receptor, int first, int end, const template *t, int *atoms) {
  bt_span rest = bt_span_from(t->atoms);
  int n = 0;
  for (bt_span word; (word = bt_span_word(&rest)).size > 0; n++)
    if ((atoms[n] = named_atom(receptor, first, end, word)) < 0) return -1;
  return n;
}

static bt_status add_residue(const bt_molecule *receptor, int first, int end, bt_groups *groups, bt_error *opt_error) {
  char name[16] = " ";
  strncat(name, receptor->atoms[first].resname, 8);
  strcat(name, " ");
  for (size_t k = 0; k < sizeof templates / sizeof *templates; k++) {
    const template *t = &templates[k];
    int atoms[8] = {0};
    if (strstr(t->residues, name) == NULL) continue;
    int n = find_atoms(receptor, first, end, t, atoms);
    if (n < 0) continue;
    bool histidine = name[1] == 'H', hydrogens = true, any = false;
    for (int i = 0; i < n; i++) {
      bool has = has_hydrogen(receptor, first, end, atoms[i]);
      hydrogens = hydrogens && has;
      any = any || has;
    }
    if ((t->sign > 0 && histidine && !hydrogens) || (t->sign < 0 && any)) continue;
    bt_group group = {.n = n, .sign = t->sign};
    memcpy(group.atoms, atoms, (size_t)n * sizeof *atoms);
    BT_TRY(add(groups, &group, opt_error));
  }
  return BT_OK;
}

bt_status bt_groups_of_receptor(const bt_molecule *receptor, bt_groups *ret_groups, bt_error *opt_error) {
  *ret_groups = (bt_groups){0};
  for (int first = 0, end; first < receptor->n_atoms; first = end) {
    const bt_atom *a = &receptor->atoms[first];
    for (end = first + 1; end < receptor->n_atoms; end++) {
      const bt_atom *b = &receptor->atoms[end];
      if (b->resnum != a->resnum || b->chain != a->chain || b->icode != a->icode || strcmp(b->resname, a->resname) != 0)
        break;
    }
    BT_TRY(add_residue(receptor, first, end, ret_groups, opt_error));
  }
  return BT_OK;
}

/* --- ligands ------------------------------------------------------------------------------------------- */

typedef struct finder {
  const bt_molecule *molecule;
  const bt_graph *graph; /* with the hydrogens of the file */
  bt_groups *groups;
  bt_error *opt_error;
  bt_status status;
  int path[6];
} finder;

static int degree(const bt_graph *g, int i) { return g->first[i + 1] - g->first[i]; }

static int count_neighbors(const bt_graph *g, int i, int element) {
  int count = 0;
  for (int k = g->first[i]; k < g->first[i + 1]; k++) count += g->element[g->neighbor[k]] == element;
  return count;
}

static bool may_be_aromatic(const finder *f, int vertex) {
  const char *type = f->molecule->atoms[f->graph->atom[vertex]].type;
  return f->graph->element[vertex] == 6 ? strcmp(type, "A") == 0 : f->graph->element[vertex] > 6;
}

/* Rings are walked from their lowest vertex towards the lower of its two neighbors, so that each is found once. */
static void walk(finder *f, int depth) {
  const bt_graph *g = f->graph;
  int last = f->path[depth - 1];
  for (int k = g->first[last]; k < g->first[last + 1] && f->status == BT_OK; k++) {
    int next = g->neighbor[k];
    if (next == f->path[0] && depth >= 5 && f->path[1] < f->path[depth - 1]) {
      bt_group ring = {.n = depth};
      int carbons = 0;
      for (int i = 0; i < depth; i++) {
        ring.atoms[i] = g->atom[f->path[i]];
        carbons += g->element[f->path[i]] == 6;
      }
      if (carbons >= 2) f->status = add(f->groups, &ring, f->opt_error);
    }
    bool seen = next <= f->path[0] || depth == 6 || !may_be_aromatic(f, next);
    for (int i = 1; i < depth && !seen; i++) seen = f->path[i] == next;
    if (seen) continue;
    f->path[depth] = next;
    walk(f, depth + 1);
  }
}

/* Terminal oxygens without hydrogens; those on the same center share a charge. */
static void find_acid(finder *f, int center) {
  const bt_graph *g = f->graph;
  bt_group group = {.sign = -1};
  for (int k = g->first[center]; k < g->first[center + 1]; k++)
    if (g->element[g->neighbor[k]] == 8 && degree(g, g->neighbor[k]) == 1 && group.n < 4)
      group.atoms[group.n++] = g->atom[g->neighbor[k]];
  int needed = g->element[center] == 16 ? 3 : 2; /* a sulfone has two and no charge */
  bool carbon_like = g->element[center] == 6 || g->element[center] == 15 || g->element[center] == 16;
  if (carbon_like && group.n >= needed) f->status = add(f->groups, &group, f->opt_error);
}

/* Four neighbors: ammonium. */
static void find_ammonium(finder *f, int vertex) {
  const bt_graph *g = f->graph;
  if (g->element[vertex] != 7 || degree(g, vertex) != 4) return;
  bt_group group = {.atoms = {g->atom[vertex]}, .n = 1, .sign = 1};
  f->status = add(f->groups, &group, f->opt_error);
}

/* A carbon between nitrogens that all have three neighbors: amidinium (two), guanidinium (three). */
static void find_amidinium(finder *f, int center) {
  const bt_graph *g = f->graph;
  bt_group group = {.sign = 1};
  bool full = g->element[center] == 6 && degree(g, center) == 3, hydrogens = false;
  bool double_bond = false; /* to oxygen or sulfur: urea, thiourea */
  for (int k = g->first[center]; k < g->first[center + 1]; k++) {
    int n = g->neighbor[k];
    double_bond = double_bond || g->element[n] == 8 || (g->element[n] == 16 && degree(g, n) == 1);
    if (g->element[n] != 7) continue;
    full = full && degree(g, n) == 3;
    hydrogens = hydrogens || count_neighbors(g, n, 1) == 2;
    if (group.n < 4) group.atoms[group.n++] = g->atom[n];
  }
  if (full && hydrogens && !double_bond && group.n >= 2) f->status = add(f->groups, &group, f->opt_error);
}

/* A CH outside rings of type A between two nitrogens that both have three neighbors: formamidinium. The short bonds
 * distinguish it from a CH2, whose hydrogens are not atoms either. */
static void find_formamidinium(finder *f, int center) {
  static const double SINGLE = 1.40; /* Angstrom; 1.31 and 1.47 are usual */
  const bt_graph *g = f->graph;
  const char *type = f->molecule->atoms[g->atom[center]].type;
  int heavy = degree(g, center) - count_neighbors(g, center, 1);
  if (g->element[center] != 6 || strcmp(type, "A") == 0 || heavy != 2 || count_neighbors(g, center, 7) != 2) return;
  bt_group group = {.sign = 1};
  for (int k = g->first[center]; k < g->first[center + 1]; k++) {
    int n = g->neighbor[k];
    if (g->element[n] != 7) continue;
    const bt_atom *atoms = f->molecule->atoms;
    if (degree(g, n) != 3 || bt_v3_distance(atoms[g->atom[center]].x, atoms[g->atom[n]].x) > SINGLE) return;
    group.atoms[group.n++] = g->atom[n];
  }
  f->status = add(f->groups, &group, f->opt_error);
}

static int vertex_of(const bt_graph *g, int atom) {
  int v = 0;
  while (v < g->n && g->atom[v] != atom) v++;
  return v;
}

static bool is_charged(const bt_groups *groups, int atom) {
  bool found = false;
  for (size_t i = 0; i < groups->n_charged; i++)
    for (int k = 0; k < groups->charged[i].n; k++) found = found || groups->charged[i].atoms[k] == atom;
  return found;
}

/* Does the nitrogen's bond out of the ring lead to a hydrogen or an alkyl group? That of indolizine leads to a ring. */
static bool is_substituted(const finder *f, const bt_group *ring, int vertex) {
  const bt_graph *g = f->graph;
  bool found = false;
  for (int k = g->first[vertex]; k < g->first[vertex + 1]; k++) {
    int n = g->neighbor[k];
    bool inside = false;
    for (int i = 0; i < ring->n; i++) inside = inside || ring->atoms[i] == g->atom[n];
    found = found || (!inside && (g->element[n] == 1 || (g->element[n] == 6 && !may_be_aromatic(f, n))));
  }
  return found;
}

/* An oxygen or sulfur without further neighbors: a pyridone's, which has no charge. */
static bool has_carbonyl(const bt_graph *g, int vertex) {
  bool found = false;
  for (int k = g->first[vertex]; k < g->first[vertex + 1]; k++)
    found = found || (degree(g, g->neighbor[k]) == 1 &&
                      (g->element[g->neighbor[k]] == 8 || g->element[g->neighbor[k]] == 16));
  return found;
}

/* Six atoms and one nitrogen with three neighbors, pyridinium; five and two of them, imidazolium. */
static void find_aromatic_cation(finder *f, const bt_group *ring) {
  const bt_graph *g = f->graph;
  bt_group group = {.sign = 1};
  int others = 0; /* than carbons and such nitrogens */
  for (int i = 0; i < ring->n; i++) {
    int v = vertex_of(g, ring->atoms[i]);
    bool full = g->element[v] == 7 && degree(g, v) == 3;
    if (has_carbonyl(g, v) || is_charged(f->groups, ring->atoms[i])) return;
    if (full && !is_substituted(f, ring, v)) return;
    if (full) group.atoms[group.n++] = ring->atoms[i];
    others += !full && g->element[v] != 6 && g->element[v] != 7;
  }
  if (others == 0 && group.n == (ring->n == 6 ? 1 : 2)) f->status = add(f->groups, &group, f->opt_error);
}

bt_status bt_groups_of_ligand(const bt_molecule *ligand, bt_groups *ret_groups, bt_error *opt_error) {
  *ret_groups = (bt_groups){0};
  bt_graph *graph = NULL;
  BT_TRY(bt_graph_create(ligand, true, &graph, opt_error));
  finder f = {.molecule = ligand, .graph = graph, .groups = ret_groups, .opt_error = opt_error};
  for (int i = 0; i < graph->n && f.status == BT_OK; i++) {
    f.path[0] = i;
    if (may_be_aromatic(&f, i)) walk(&f, 1);
    if (f.status == BT_OK) find_acid(&f, i);
    if (f.status == BT_OK) find_ammonium(&f, i);
    if (f.status == BT_OK) find_amidinium(&f, i);
    if (f.status == BT_OK) find_formamidinium(&f, i);
  }
  for (size_t r = 0; r < ret_groups->n_rings && f.status == BT_OK; r++) {
    bt_group ring = ret_groups->rings[r];
    find_aromatic_cation(&f, &ring);
  }
  bt_graph_destroy(graph);
  return f.status;
}
