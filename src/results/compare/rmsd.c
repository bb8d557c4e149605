/* rmsd.c - distance between two poses of one ligand, without superposition. */
#include "results/compare/rmsd.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/symmetry.h"
#include "results/compare/assignment.h"

struct bt_rmsd {
  const bt_molecule *ligand; /* borrowed */
  bt_rmsd_kind kind;
  bool hydrogens;
  bt_graph *graph;
  bt_symmetry *symmetry; /* GRAPH; NULL: fall back to classes */
  int *class;            /* [graph->n] of CLASSES, and labels of NEAREST */
};

/* ---- creation ---- */

static void label_by_type(const bt_molecule *ligand, const bt_graph *graph, int *label) {
  for (int i = 0; i < graph->n; i++) {
    label[i] = i;
    for (int j = 0; j < i && label[i] == i; j++)
      if (strcmp(ligand->atoms[graph->atom[i]].type, ligand->atoms[graph->atom[j]].type) == 0) label[i] = label[j];
  }
}

/* Ligands docked simultaneously are distinct molecules even if identical. */
static void tell_apart(const bt_molecule *molecule, bt_graph *graph) {
  enum { NO_ELEMENT = 256 };
  for (int i = 0; i < graph->n && molecule->n_joined > 0; i++)
    graph->element[i] += NO_ELEMENT * bt_molecule_root(molecule, molecule->atoms[graph->atom[i]].fragment);
}

static bt_status prepare(bt_rmsd *rmsd, bt_error *opt_error) {
  BT_TRY(bt_graph_create(rmsd->ligand, rmsd->hydrogens, &rmsd->graph, opt_error));
  tell_apart(rmsd->ligand, rmsd->graph);
  rmsd->class = bt_allocate((size_t)rmsd->graph->n, sizeof *rmsd->class);
  if (rmsd->class == NULL) return bt_fail_memory(opt_error);
  if (rmsd->kind == BT_RMSD_NEAREST) label_by_type(rmsd->ligand, rmsd->graph, rmsd->class);
  if (rmsd->kind == BT_RMSD_GRAPH) {
    bool too_many;
    BT_TRY(bt_symmetry_create(rmsd->graph, rmsd->graph, &rmsd->symmetry, &too_many, opt_error));
  }
  if (rmsd->kind == BT_RMSD_GRAPH || rmsd->kind == BT_RMSD_CLASSES)
    return bt_symmetry_classes(rmsd->graph, rmsd->class, opt_error);
  return BT_OK;
}

bt_status bt_rmsd_create(const bt_molecule *ligand, bt_rmsd_kind kind, bool hydrogens, bt_rmsd **ret_rmsd,
                         bt_error *opt_error) {
  bt_rmsd *rmsd = calloc(1, sizeof *rmsd);
  if (rmsd == NULL) return bt_fail_memory(opt_error);
  *rmsd = (bt_rmsd){.ligand = ligand, .kind = kind, .hydrogens = hydrogens};
  bt_status status = prepare(rmsd, opt_error);
  return BT_HAND_OVER(status, rmsd, ret_rmsd, bt_rmsd_destroy);
}

void bt_rmsd_destroy(bt_rmsd *rmsd) {
  if (rmsd == NULL) return;
  bt_graph_destroy(rmsd->graph);
  bt_symmetry_destroy(rmsd->symmetry);
  free(rmsd->class);
  free(rmsd);
}

bool bt_rmsd_is_exact(const bt_rmsd *rmsd) { return rmsd->kind != BT_RMSD_GRAPH || rmsd->symmetry != NULL; }

double bt_rmsd_symmetry(const bt_rmsd *rmsd) {
  return rmsd->symmetry != NULL ? bt_symmetry_count(rmsd->symmetry) : 1.0;
}

/* ---- distances ---- */

static double squared(const double *p, const double *q) {
  double x = p[0] - q[0], y = p[1] - q[1], z = p[2] - q[2];
  return x * x + y * y + z * z;
}

/* Coordinates of the compared atoms one behind the other. */
static void gather(const bt_graph *graph, const double *xyz, double *to) {
  for (int i = 0; i < graph->n; i++) memcpy(to + 3 * (size_t)i, xyz + 3 * (size_t)graph->atom[i], 3 * sizeof *to);
}

static double sum_by_index(int n, const double *x, const double *y) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += squared(x + 3 * (size_t)i, y + 3 * (size_t)i);
  return sum;
}

static double sum_nearest(int n, const int *label, const double *x, const double *y) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    double least = INFINITY;
    for (int j = 0; j < n; j++)
      if (label[j] == label[i]) least = fmin(least, squared(x + 3 * (size_t)i, y + 3 * (size_t)j));
    sum += least;
  }
  return sum;
}

static bt_status sum_by_classes(int n, const int *class, const double *x, const double *y, double *ret_sum,
                                bt_error *opt_error) {
  BT_SCOPED double *cost = bt_allocate((size_t)n * (size_t)n, sizeof *cost);
  BT_SCOPED int *member = bt_allocate((size_t)n, sizeof *member);
  bt_status status = cost != NULL && member != NULL ? BT_OK : bt_fail_memory(opt_error);
  *ret_sum = 0;
  for (int c = 0; status == BT_OK && c < n; c++) {
    int size = 0;
    for (int i = 0; i < n; i++)
      if (class[i] == c) member[size++] = i;
    for (int i = 0; i < size; i++)
      for (int j = 0; j < size; j++)
        cost[(size_t)i * (size_t)size + (size_t)j] = squared(x + 3 * (size_t)member[i], y + 3 * (size_t)member[j]);
    double sum;
    status = bt_assignment_minimum(cost, size, &sum, opt_error);
    if (status == BT_OK) *ret_sum += sum;
  }
  return status;
}

bt_status bt_rmsd_distance(const bt_rmsd *rmsd, const double *x, const double *y, double *ret_distance,
                           bt_error *opt_error) {
  int n = rmsd->graph->n;
  BT_SCOPED double *xa = bt_allocate(6 * (size_t)n, sizeof *xa);
  if (xa == NULL) return bt_fail_memory(opt_error);
  double *xb = xa + 3 * (size_t)n;
  gather(rmsd->graph, x, xa);
  gather(rmsd->graph, y, xb);
  bt_status status = BT_OK;
  double sum = 0;
  if (rmsd->kind == BT_RMSD_INDEX)
    sum = sum_by_index(n, xa, xb);
  else if (rmsd->kind == BT_RMSD_NEAREST)
    sum = sum_nearest(n, rmsd->class, xa, xb);
  else if (rmsd->symmetry != NULL)
    sum = bt_symmetry_minimum(rmsd->symmetry, xa, xb);
  else
    status = sum_by_classes(n, rmsd->class, xa, xb, &sum, opt_error);
  *ret_distance = n > 0 ? sqrt(sum / n) : 0.0;
  return status;
}

/* ---- references ---- */

/* True if atom names are unique and the same in both. */
static bool same_names(const bt_molecule *ligand, const bt_graph *graph, const bt_molecule *reference,
                       const bt_graph *other) {
  for (int i = 0; i < graph->n; i++) {
    const char *name = ligand->atoms[graph->atom[i]].name;
    if (graph->element[i] != other->element[i] || strcmp(name, reference->atoms[other->atom[i]].name) != 0)
      return false;
    for (int j = 0; j < i; j++)
      if (strcmp(name, ligand->atoms[graph->atom[j]].name) == 0) return false;
  }
  return true;
}

/* map[i]: the reference's vertex that is the ligand's vertex i. */
static bt_status match(const bt_rmsd *rmsd, const bt_molecule *reference, const bt_graph *other, int *map,
                       bt_error *opt_error) {
  const bt_graph *graph = rmsd->graph;
  bt_where where = {.file = reference->path};
  const char *atoms = rmsd->hydrogens ? "atoms" : "heavy atoms";
  if (other->n != graph->n)
    return bt_fail(opt_error, BT_ERR_INPUT, where, "provide the ligand itself in another pose, or no reference",
                   "the reference has %d %s, the ligand %s has %d", other->n, atoms, rmsd->ligand->name, graph->n);
  for (int i = 0; i < graph->n; i++) map[i] = i;
  bool same_elements = memcmp(graph->element, other->element, (size_t)graph->n * sizeof *graph->element) == 0;
  bool by_order = rmsd->kind == BT_RMSD_INDEX || rmsd->kind == BT_RMSD_NEAREST;
  /* names decide before distances: a badly resolved crystal pose may seem to have other bonds */
  if (bt_graph_equal(graph, other) || (by_order && same_elements) || same_names(rmsd->ligand, graph, reference, other))
    return BT_OK;
  if (by_order)
    return bt_fail(opt_error, BT_ERR_INPUT, where, "use the same atom order, or compare with symmetry",
                   "the %s of the reference are ordered differently from those of the ligand %s", atoms,
                   rmsd->ligand->name);
  bt_symmetry *symmetry;
  bool too_many;
  BT_TRY(bt_symmetry_create(graph, other, &symmetry, &too_many, opt_error));
  if (too_many)
    return bt_fail(opt_error, BT_ERR_INPUT, where, "use the same atom order",
                   "the molecule is too symmetric to find the order of the reference's atoms");
  if (symmetry == NULL)
    return bt_fail(opt_error, BT_ERR_INPUT, where, "provide the ligand itself in another pose, or no reference",
                   "the reference is not the same molecule as the ligand %s: its bonds or elements differ",
                   rmsd->ligand->name);
  bt_symmetry_mapping(symmetry, map);
  bt_symmetry_destroy(symmetry);
  return BT_OK;
}

bt_status bt_rmsd_reference(const bt_rmsd *rmsd, const bt_molecule *reference, double *xyz, bt_error *opt_error) {
  bt_graph *other;
  BT_TRY(bt_graph_create(reference, rmsd->hydrogens, &other, opt_error));
  BT_SCOPED int *map = bt_allocate((size_t)rmsd->graph->n, sizeof *map);
  bt_status status = map != NULL ? match(rmsd, reference, other, map, opt_error) : bt_fail_memory(opt_error);
  if (status == BT_OK) {
    memset(xyz, 0, 3 * (size_t)rmsd->ligand->n_atoms * sizeof *xyz);
    for (int i = 0; i < rmsd->graph->n; i++)
      memcpy(xyz + 3 * (size_t)rmsd->graph->atom[i], reference->atoms[other->atom[map[i]]].x, 3 * sizeof *xyz);
  }
  bt_graph_destroy(other);
  return status;
}
