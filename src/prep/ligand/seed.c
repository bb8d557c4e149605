/* seed.c - a pose of the ligand from elsewhere becomes one of its conformers, with the ligand's atoms and torsions.
 *
 * Heavy atoms are those of the pose. Hydrogens are its own where an atom has as many as in the ligand, since it may be
 * protonated otherwise or lack them; others keep their place relative to the atoms around them.
 */
#include <berth/place.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vector.h"
#include "chem/chemistry.h"
#include "chem/glue.h"
#include "chem/symmetry.h"
#include "prep/ligand/rigid.h"

/* All atoms of a molecule, and its heavy atoms: heavy->atom are vertices of all, all->atom those of its chemistry or,
 * if that is not known, of the molecule. */
typedef struct view {
  bt_graph *all, *heavy;
  double (*x)[3]; /* [all->n] Angstrom */
} view;

static void end_view(view *v) {
  bt_graph_destroy(v->all);
  bt_graph_destroy(v->heavy);
  free(v->x);
}

/* ---- 1. graphs ---- */

static int by_vertices(const void *a, const void *b) {
  const int *p = a, *q = b;
  if (p[0] != q[0]) return p[0] < q[0] ? -1 : 1;
  return (p[1] > q[1]) - (p[1] < q[1]);
}

/* The pairs are freed. */
static bt_status complete(bt_graph *graph, bt_pair_list *pairs, bool good, bt_graph **ret_graph, bt_error *opt_error) {
  if (good && pairs->count > 1) qsort(pairs->items, pairs->count, sizeof *pairs->items, by_vertices);
  good = good && bt_pair_list_neighbors(pairs, graph->n, &graph->arena, &graph->first, &graph->neighbor);
  free(pairs->items);
  return BT_HAND_OVER(good ? BT_OK : bt_fail_memory(opt_error), graph, ret_graph, bt_graph_destroy);
}

static bt_status graph_of_chemistry(const bt_chemistry *chemistry, bt_graph **ret_graph, bt_error *opt_error) {
  int n = chemistry->n_atoms, n_bonds = bt_rdmol_bond_count(chemistry->mol);
  BT_SCOPED bt_rdatom *atoms = bt_allocate((size_t)n + 1, sizeof *atoms);
  BT_SCOPED bt_rdbond *bonds = bt_allocate((size_t)n_bonds + 1, sizeof *bonds);
  bt_graph *graph = bt_allocate(1, sizeof *graph);
  if (atoms == NULL || bonds == NULL || graph == NULL) {
    free(graph);
    return bt_fail_memory(opt_error);
  }
  bt_pair_list pairs = {0};
  bt_rdmol_atoms(chemistry->mol, atoms);
  bt_rdmol_bonds(chemistry->mol, bonds);
  BT_NEW(&graph->arena, graph->atom, n);
  BT_NEW(&graph->arena, graph->element, n);
  bool good = !graph->arena.failed;
  for (graph->n = 0; good && graph->n < n; graph->n++) {
    graph->atom[graph->n] = graph->n;
    graph->element[graph->n] = atoms[graph->n].element;
  }
  for (int k = 0; good && k < n_bonds; k++) good = bt_pair_list_add(&pairs, bonds[k].a, bonds[k].b);
  return complete(graph, &pairs, good, ret_graph, opt_error);
}

static bt_status graph_of_heavy(const bt_graph *all, bt_graph **ret_graph, bt_error *opt_error) {
  BT_SCOPED int *vertex = bt_allocate((size_t)all->n + 1, sizeof *vertex);
  bt_graph *graph = bt_allocate(1, sizeof *graph);
  if (vertex == NULL || graph == NULL) {
    free(graph);
    return bt_fail_memory(opt_error);
  }
  bt_pair_list pairs = {0};
  BT_NEW(&graph->arena, graph->atom, all->n);
  BT_NEW(&graph->arena, graph->element, all->n);
  bool good = !graph->arena.failed;
  for (int i = 0; good && i < all->n; i++) {
    vertex[i] = all->element[i] > 1 ? graph->n : -1;
    if (vertex[i] < 0) continue;
    graph->atom[graph->n] = i;
    graph->element[graph->n++] = all->element[i];
    for (int k = all->first[i]; good && k < all->first[i + 1]; k++)
      if (all->neighbor[k] < i && vertex[all->neighbor[k]] >= 0)
        good = bt_pair_list_add(&pairs, vertex[all->neighbor[k]], vertex[i]);
  }
  return complete(graph, &pairs, good, ret_graph, opt_error);
}

static bt_status look(const bt_molecule *molecule, view *v, bt_error *opt_error) {
  const bt_chemistry *chemistry = bt_molecule_has_chemistry(molecule) ? molecule->chemistry : NULL;
  BT_TRY(chemistry != NULL ? graph_of_chemistry(chemistry, &v->all, opt_error)
                           : bt_graph_create(molecule, true, &v->all, opt_error));
  BT_TRY(graph_of_heavy(v->all, &v->heavy, opt_error));
  v->x = bt_allocate((size_t)v->all->n + 1, sizeof *v->x);
  if (v->x == NULL) return bt_fail_memory(opt_error);
  for (int i = 0; i < v->all->n; i++)
    memcpy(v->x[i], chemistry != NULL ? chemistry->x[i] : molecule->atoms[v->all->atom[i]].x, sizeof v->x[i]);
  return BT_OK;
}

/* ---- 2. the pose's atoms ---- */

static bt_status refuse(const bt_molecule *ligand, const bt_molecule *pose, const char *why, bt_error *opt_error) {
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = pose->path, .line = pose->record_line},
                 "use poses of the ligand itself", "seed pose %s: %s as the ligand %s", pose->name, why, ligand->name);
}

/* map[i]: the heavy vertex of the pose that is heavy vertex i of the ligand. */
static bt_status match(const bt_molecule *ligand, const view *own, const bt_molecule *pose, const view *other, int *map,
                       bt_error *opt_error) {
  if (own->heavy->n != other->heavy->n) {
    char why[80];
    snprintf(why, sizeof why, "%d heavy atoms and not the same %d", other->heavy->n, own->heavy->n);
    return refuse(ligand, pose, why, opt_error);
  }
  for (int i = 0; i < own->heavy->n; i++) map[i] = i;
  if (bt_graph_equal(own->heavy, other->heavy)) return BT_OK;
  bt_symmetry *symmetry;
  bool too_many;
  BT_TRY(bt_symmetry_create(own->heavy, other->heavy, &symmetry, &too_many, opt_error));
  if (symmetry == NULL)
    return refuse(
        ligand, pose,
        too_many ? "too symmetric to be matched unless in the same atom order" : "not the same elements and bonds",
        opt_error);
  bt_symmetry_mapping(symmetry, map);
  bt_symmetry_destroy(symmetry);
  return BT_OK;
}

/* The hydrogens of a vertex, in order; returns how many. ret_found[all->n], or NULL to count. */
static int hydrogens_of(const bt_graph *all, int vertex, int *opt_found) {
  int count = 0;
  for (int k = all->first[vertex]; k < all->first[vertex + 1]; k++) {
    if (all->element[all->neighbor[k]] != 1) continue;
    if (opt_found != NULL) opt_found[count] = all->neighbor[k];
    count++;
  }
  return count;
}

/* Points that hold an atom's hydrogens: the atom, its heavy neighbors and, of a single one, the neighbors of that. */
static int list_around(const bt_graph *heavy, int vertex, int *list) {
  int count = 0;
  list[count++] = vertex;
  for (int k = heavy->first[vertex]; k < heavy->first[vertex + 1]; k++) list[count++] = heavy->neighbor[k];
  if (count != 2) return count;
  int only = list[1];
  for (int k = heavy->first[only]; k < heavy->first[only + 1]; k++)
    if (heavy->neighbor[k] != vertex) list[count++] = heavy->neighbor[k];
  return count;
}

typedef struct placing {
  const view *own, *other;
  const int *map;
  double (*x)[3];            /* [own->all->n] of the conformer, as far as known */
  int *mine, *theirs, *list; /* [all->n] */
  double (*from)[3], (*to)[3];
} placing;

static void place_hydrogens(placing *p, int vertex) {
  int a = p->own->heavy->atom[vertex], b = p->other->heavy->atom[p->map[vertex]];
  int count = hydrogens_of(p->own->all, a, p->mine);
  double rotation[3][3];
  if (count == 0) return;
  if (hydrogens_of(p->other->all, b, NULL) == count) {
    hydrogens_of(p->other->all, b, p->theirs);
    for (int k = 0; k < count; k++) memcpy(p->x[p->mine[k]], p->other->x[p->theirs[k]], sizeof *p->x);
    return;
  }
  int points = list_around(p->own->heavy, vertex, p->list);
  for (int k = 0; k < points; k++) {
    memcpy(p->from[k], p->own->x[p->own->heavy->atom[p->list[k]]], sizeof *p->from);
    memcpy(p->to[k], p->other->x[p->other->heavy->atom[p->map[p->list[k]]]], sizeof *p->to);
  }
  bt_rigid_rotation((const double(*)[3])p->from, (const double(*)[3])p->to, points, rotation);
  for (int h = 0; h < count; h++)
    for (int k = 0; k < 3; k++) {
      double *to = &p->x[p->mine[h]][k];
      *to = p->x[a][k];
      for (int l = 0; l < 3; l++) *to += rotation[k][l] * (p->own->x[p->mine[h]][l] - p->own->x[a][l]);
    }
}

/* x[own->all->n] */
static bt_status place(const view *own, const view *other, const int *map, double (*x)[3], bt_error *opt_error) {
  int most = (own->all->n > other->all->n ? own->all->n : other->all->n) + 1;
  BT_ENDED_BY(bt_arena_destroy) bt_arena arena = {0};
  placing p = {.own = own, .other = other, .map = map, .x = x};
  BT_NEW(&arena, p.mine, most);
  BT_NEW(&arena, p.theirs, most);
  BT_NEW(&arena, p.list, most);
  BT_NEW(&arena, p.from, most);
  BT_NEW(&arena, p.to, most);
  BT_TRY(bt_arena_status(&arena, opt_error));
  memcpy(x, own->x, (size_t)own->all->n * sizeof *x);
  for (int i = 0; i < own->heavy->n; i++)
    memcpy(x[own->heavy->atom[i]], other->x[other->heavy->atom[map[i]]], sizeof *x);
  for (int i = 0; i < own->heavy->n; i++) place_hydrogens(&p, i);
  return BT_OK;
}

/* ---- 3. stereochemistry ---- */

/* Of a molecule without chemistry: a carbon whose three or more heavy neighbors all differ is a stereocenter. */
static bt_status compare_centers(const view *own, const double (*x)[3], bool *ret_other, bt_error *opt_error) {
  const double flat = 1.0; /* Angstrom^3; of a tetrahedral carbon about 2.6 */
  const bt_graph *heavy = own->heavy;
  BT_SCOPED int *class = bt_allocate((size_t)heavy->n + 1, sizeof *class);
  if (class == NULL) return bt_fail_memory(opt_error);
  BT_TRY(bt_symmetry_classes(heavy, class, opt_error));
  for (int i = 0; i < heavy->n; i++) {
    const int *around = heavy->neighbor + heavy->first[i];
    int count = heavy->first[i + 1] - heavy->first[i];
    bool differ = heavy->element[i] == 6 && count >= 3;
    for (int k = 0; differ && k < count; k++)
      for (int l = 0; l < k; l++) differ = differ && class[around[k]] != class[around[l]];
    if (!differ) continue;
    int at[4] = {heavy->atom[i]};
    for (int k = 0; k < 3; k++) at[k + 1] = heavy->atom[around[k]];
    double before = bt_v3_volume(own->x[at[0]], own->x[at[1]], own->x[at[2]], own->x[at[3]]);
    double after = bt_v3_volume(x[at[0]], x[at[1]], x[at[2]], x[at[3]]);
    *ret_other = *ret_other || (fabs(before) > flat && fabs(after) > flat && before * after < 0);
  }
  return BT_OK;
}

static bt_status check_stereo(const bt_molecule *ligand, const view *own, const bt_molecule *pose, const double (*x)[3],
                              bt_error *opt_error) {
  bool other = false;
  if (bt_molecule_has_chemistry(ligand)) {
    unsigned faults = 0;
    bt_strainer *strainer;
    BT_TRY(bt_strainer_create(ligand->chemistry->mol, (const double(*)[3])ligand->chemistry->x, &strainer, opt_error));
    bt_status status = bt_strainer_faults(strainer, x, &faults, opt_error);
    bt_strainer_destroy(strainer);
    BT_TRY(status);
    other = (faults & BT_FAULT_STEREO) != 0;
  } else {
    BT_TRY(compare_centers(own, x, &other, opt_error));
  }
  return other ? refuse(ligand, pose, "not the same stereoisomer", opt_error) : BT_OK;
}

/* ---- 4. the conformer ---- */

static bt_status check_ligand(const bt_molecule *ligand, const bt_molecule *pose, bt_error *opt_error) {
  const bt_where where = {.file = pose->path, .line = pose->record_line};
  bool wet = false;
  for (int i = 0; i < ligand->n_atoms; i++) wet = wet || bt_is_hydration_water(ligand->atoms[i].type);
  if (ligand->tether[0] != '\0' || ligand->n_joined > 0 || wet)
    return bt_fail(opt_error, BT_ERR_USAGE, where, "dock it without seed poses", "seed poses of %s cannot be used",
                   wet                    ? "a ligand with hydration waters"
                   : ligand->n_joined > 0 ? "several ligands that are docked together"
                                          : "a covalent ligand");
  if (!bt_molecule_has_pose(pose))
    return bt_fail(opt_error, BT_ERR_INPUT, where, "use a file with 3D coordinates",
                   "seed pose %s has no coordinates in 3D", pose->name);
  return BT_OK;
}

/* Where the carbon lies that closes the ring of a glue point. */
static const double *closing_carbon(const bt_molecule *ligand, const double (*x)[3], int point) {
  int number = bt_glue_point(ligand->atoms[point].type);
  for (int i = 0; i < ligand->n_atoms; i++)
    if (bt_glue_carbon(ligand->atoms[i].type) == number && ligand->atoms[i].fragment != ligand->atoms[point].fragment)
      return x[i];
  return ligand->atoms[point].x;
}

/* all_x[view's all->n] -> x[ligand->n_atoms] */
static void give_atoms(const bt_molecule *ligand, const view *own, const double (*all_x)[3], double (*x)[3]) {
  if (bt_molecule_has_chemistry(ligand)) {
    for (int i = 0; i < ligand->n_atoms; i++)
      if (ligand->chemistry->entry[i] >= 0) memcpy(x[i], all_x[ligand->chemistry->entry[i]], sizeof *x);
  } else {
    for (int v = 0; v < own->all->n; v++) memcpy(x[own->all->atom[v]], all_x[v], sizeof *x);
  }
  for (int i = 0; i < ligand->n_atoms; i++)
    if (bt_glue_point(ligand->atoms[i].type) >= 0)
      memcpy(x[i], closing_carbon(ligand, (const double(*)[3])x, i), sizeof *x);
}

/* The copy is named after the pose. */
static bt_status make(const bt_molecule *ligand, const view *own, const bt_molecule *pose, const double (*all_x)[3],
                      bt_molecule **ret_conformer, bt_error *opt_error) {
  BT_SCOPED double(*x)[3] = bt_allocate((size_t)ligand->n_atoms + 1, sizeof *x);
  if (x == NULL) return bt_fail_memory(opt_error);
  give_atoms(ligand, own, all_x, x);
  bool known = bt_molecule_has_chemistry(ligand);
  BT_TRY(bt_molecule_copy(ligand, (const double(*)[3])x, known ? all_x : NULL, ret_conformer, opt_error));
  bt_molecule *made = *ret_conformer;
  if (made->chemistry != NULL) made->chemistry->embedded = true; /* no RMSD to it */
  free(made->path);
  free(made->name);
  made->path = bt_copy_text(pose->path, strlen(pose->path));
  made->name = bt_copy_text(pose->name, strlen(pose->name));
  made->record_line = pose->record_line;
  if (made->path != NULL && made->name != NULL) return BT_OK;
  bt_molecule_destroy(made);
  return bt_fail_memory(opt_error);
}

static bt_status fit(const bt_molecule *ligand, const bt_molecule *pose, bt_molecule **ret_conformer,
                     bt_error *opt_error) {
  BT_ENDED_BY(end_view) view own = {0}, other = {0};
  BT_TRY(look(ligand, &own, opt_error));
  BT_TRY(look(pose, &other, opt_error));
  BT_SCOPED int *map = bt_allocate((size_t)own.heavy->n + 1, sizeof *map);
  BT_SCOPED double(*x)[3] = bt_allocate((size_t)own.all->n + 1, sizeof *x);
  if (map == NULL || x == NULL) return bt_fail_memory(opt_error);
  BT_TRY(match(ligand, &own, pose, &other, map, opt_error));
  BT_TRY(place(&own, &other, map, x, opt_error));
  BT_TRY(check_stereo(ligand, &own, pose, (const double(*)[3])x, opt_error));
  return make(ligand, &own, pose, (const double(*)[3])x, ret_conformer, opt_error);
}

int bt_molecule_seed_count(const bt_molecule *ligand) {
  int count = 0;
  for (int k = 0; k < ligand->n_conformers; k++) count += ligand->conformers[k]->seed > 0;
  return count;
}

bt_status bt_molecule_add_seed(bt_molecule *ligand, const bt_molecule *pose, bt_error *opt_error) {
  bt_molecule *conformer;
  BT_TRY(check_ligand(ligand, pose, opt_error));
  BT_TRY(fit(ligand, pose, &conformer, opt_error));
  size_t room = (size_t)ligand->n_conformers;
  conformer->seed = bt_molecule_seed_count(ligand) + 1;
  if (BT_APPEND(ligand->conformers, ligand->n_conformers, &room, conformer)) return BT_OK;
  bt_molecule_destroy(conformer);
  return bt_fail_memory(opt_error);
}
