/* kernel_data.c - atoms sorted by body, maps folded by (type, charge), pairs sorted into rows. */
#include "search/kernel_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

#include "search/pair_polynomial.inc"

void bt_dock_data_destroy(bt_dock_data *data) {
  if (data == NULL) return;
  free(data->atoms);
  free(data->bodies);
  free(data->rows);
  free(data->pairs);
  free(data->glue);
  free(data->maps);
  free(data->order);
  free(data);
}

/* Atoms body by body; rank[ligand atom] is the kernel atom. */
static void sort_atoms(const bt_ligand *ligand, bt_dock_data *data, int *rank) {
  int next = 0;
  for (int b = 0; b < ligand->n_bodies; b++) {
    data->bodies[b].first_atom = next;
    for (int i = 0; i < ligand->n_atoms; i++)
      if (ligand->body[i] == b) {
        data->order[next] = i;
        rank[i] = next++;
      }
    data->bodies[b].end_atom = next;
  }
}

static void fill_bodies(const bt_ligand *ligand, bt_dock_data *data, const int *rank) {
  for (int b = 0; b < ligand->n_bodies; b++) {
    const bt_body *from = &ligand->bodies[b];
    bt_kernel_body *to = &data->bodies[b];
    to->parent = from->parent;
    to->torsion = from->torsion;
    to->axis_from = to->axis_to = -1;
    to->immobile = b == ligand->immobile_body;
    double origin[3];
    for (int c = 0; c < 3; c++) origin[c] = to->immobile ? data->low[c] : ligand->center[c];
    if (from->torsion >= 0) {
      const double *a = ligand->xyz + 3 * (size_t)from->axis_from, *e = ligand->xyz + 3 * (size_t)from->axis_to;
      double axis[3] = {e[0] - a[0], e[1] - a[1], e[2] - a[2]};
      double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
      to->axis_from = rank[from->axis_from];
      to->axis_to = rank[from->axis_to];
      to->ux = (float)(axis[0] / length);
      to->uy = (float)(axis[1] / length);
      to->uz = (float)(axis[2] / length);
      to->inverse_length = (float)(1.0 / length);
      for (int c = 0; c < 3; c++) origin[c] = a[c];
    }
    for (int k = to->first_atom; k < to->end_atom; k++) {
      const double *x = ligand->xyz + 3 * (size_t)data->order[k];
      data->atoms[k].x = (float)(x[0] - origin[0]);
      data->atoms[k].y = (float)(x[1] - origin[1]);
      data->atoms[k].z = (float)(x[2] - origin[2]);
    }
  }
}

/* One folded map per distinct (type, charge): value = affinity + q e + |q| d. */
static bt_status fold_maps(const bt_ligand *ligand, const bt_maps *maps, bt_dock_data *data, bt_error *opt_error) {
  int n = ligand->n_atoms, n_classes = 0;
  int *first = malloc((size_t)n * sizeof *first); /* a kernel atom of each class */
  if (first == NULL) return bt_fail_memory(opt_error);
  for (int k = 0; k < n; k++) {
    int i = data->order[k], c = 0;
    data->atoms[k].map = -1;
    if (!ligand->feels_maps[i]) continue;
    while (c < n_classes && (ligand->type[data->order[first[c]]] != ligand->type[i] ||
                             ligand->charge[data->order[first[c]]] != ligand->charge[i]))
      c++;
    if (c == n_classes) first[n_classes++] = k;
    data->atoms[k].map = c;
  }
  size_t points = bt_maps_points(maps);
  /* Two values of padding: a gather of the corner beyond a degenerate axis never leaves the memory. */
  data->maps = n_classes > 0 ? malloc((points * (size_t)n_classes + 2) * sizeof(float)) : NULL;
  if (n_classes > 0 && data->maps == NULL) {
    free(first);
    return bt_fail(opt_error, BT_ERR_MEMORY, (bt_where){0}, "use a smaller box or a larger spacing",
                   "out of memory for %d folded maps of %zu points", n_classes, points);
  }
  const float *electrostatic = bt_maps_electrostatic(maps), *desolvation = bt_maps_desolvation(maps);
  for (int c = 0; c < n_classes; c++) {
    int i = data->order[first[c]];
    const float *affinity = maps->values[bt_maps_find(maps, ligand->types[ligand->type[i]])];
    double q = ligand->charge[i], magnitude = fabs(q);
    float *folded = data->maps + points * (size_t)c;
    for (size_t k = 0; k < points; k++)
      folded[k] = (float)((double)affinity[k] + q * (double)electrostatic[k] + magnitude * (double)desolvation[k]);
  }
  free(first);
  data->kernel.map_stride = (long)points;
  return BT_OK;
}

static bool is_hbond(const bt_ligand *ligand, const bt_pair *pair) {
  return bt_ad4_pair_law(ligand->parameters[ligand->type[pair->i]], ligand->parameters[ligand->type[pair->j]]).hbond;
}

static void fill_pair(const bt_ligand *ligand, const bt_pair *from, bt_kernel_pair *to) {
  const bt_ad4_type *ti = ligand->parameters[ligand->type[from->i]], *tj = ligand->parameters[ligand->type[from->j]];
  double qi = ligand->charge[from->i], qj = ligand->charge[from->j];
  bt_ad4_pair law = bt_ad4_pair_law(ti, tj);
  to->distance = (float)law.distance;
  to->a = (float)law.a;
  to->b = (float)law.b;
  double electrostatic = BT_AD4_COULOMB * BT_AD4_WEIGHT_ELECTROSTATIC * qi * qj;
  double desolvation = BT_AD4_WEIGHT_DESOLVATION * (tj->volume * (ti->solvation + BT_AD4_SOLVATION_CHARGE * fabs(qi)) +
                                                    ti->volume * (tj->solvation + BT_AD4_SOLVATION_CHARGE * fabs(qj)));
  for (int k = 0; k < BT_PAIR_POLYNOMIAL_ORDER; k++)
    to->c[k] = (float)(electrostatic * electrostatic_polynomial[k] + desolvation * desolvation_polynomial[k]);
}

/* Rows of 12-6 pairs, then rows of 12-10 pairs, each row all partners of one atom. */
static bt_status fill_rows(const bt_ligand *ligand, bt_dock_data *data, const int *rank, bt_error *opt_error) {
  int n = ligand->n_atoms, n_pairs = ligand->n_pairs, filled = 0, n_rows = 0;
  int *start = calloc((size_t)(n + 1), sizeof *start), *sorted = malloc((size_t)(n_pairs + 1) * sizeof *sorted);
  if (start == NULL || sorted == NULL) {
    free(start);
    free(sorted);
    return bt_fail_memory(opt_error);
  }
  /* counting sort of the pairs by the kernel atom of their lower end */
  for (int p = 0; p < n_pairs; p++) {
    int i = rank[ligand->pairs[p].i], j = rank[ligand->pairs[p].j];
    start[(i < j ? i : j) + 1]++;
  }
  for (int i = 0; i < n; i++) start[i + 1] += start[i];
  for (int p = n_pairs - 1; p >= 0; p--) {
    int i = rank[ligand->pairs[p].i], j = rank[ligand->pairs[p].j], low = i < j ? i : j;
    sorted[--start[low + 1]] = p;
  }
  /* now start[i + 1] is the first pair of atom i, and of atom i + 1 the end of atom i */
  for (int hbond = 0; hbond < 2; hbond++) {
    for (int i = 0; i < n; i++) {
      int end = i + 2 <= n ? start[i + 2] : n_pairs, first = filled;
      for (int s = start[i + 1]; s < end; s++) {
        const bt_pair *pair = &ligand->pairs[sorted[s]];
        if (is_hbond(ligand, pair) != (hbond == 1)) continue;
        int ri = rank[pair->i], rj = rank[pair->j];
        data->pairs[filled].j = ri < rj ? rj : ri;
        fill_pair(ligand, pair, &data->pairs[filled++]);
      }
      if (filled > first) data->rows[n_rows++] = (bt_kernel_row){i, first, filled};
    }
    if (hbond == 0) data->kernel.n_rows_12_6 = n_rows;
  }
  data->kernel.n_rows_12_10 = n_rows - data->kernel.n_rows_12_6;
  data->n_pairs = filled;
  for (int p = 0; p < n_pairs; p++)
    if (ligand->pairs[p].glue)
      data->glue[data->kernel.n_glue++] =
          (bt_kernel_glue){rank[ligand->pairs[p].i], rank[ligand->pairs[p].j]};
  free(start);
  free(sorted);
  return BT_OK;
}

static void fill_box(const bt_maps *maps, bt_kernel_data *kernel) {
  const bt_box *box = &maps->box;
  kernel->points_x = box->npts[0] + 1;
  kernel->points_xy = (box->npts[0] + 1) * (box->npts[1] + 1);
  kernel->inverse_spacing = (float)(1.0 / box->spacing);
  kernel->size_x = (float)(box->npts[0] * box->spacing);
  kernel->size_y = (float)(box->npts[1] * box->spacing);
  kernel->size_z = (float)(box->npts[2] * box->spacing);
  kernel->cells_x = (float)(box->npts[0] - 1);
  kernel->cells_y = (float)(box->npts[1] - 1);
  kernel->cells_z = (float)(box->npts[2] - 1);
}

bt_status bt_dock_data_create(const bt_ligand *ligand, const bt_maps *maps, bt_dock_data **ret_data,
                              bt_error *opt_error) {
  if (bt_maps_points(maps) > (size_t)INT32_MAX)
    return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){0}, "use a smaller box or a larger spacing",
                   "the maps have %zu points; kernels address at most %d", bt_maps_points(maps), INT32_MAX);
  bt_dock_data *data = calloc(1, sizeof *data);
  int *rank = malloc((size_t)ligand->n_atoms * sizeof *rank);
  size_t pairs = (size_t)ligand->n_pairs + 1, atoms = (size_t)ligand->n_atoms;
  if (data != NULL) {
    data->atoms = calloc(atoms, sizeof *data->atoms);
    data->bodies = calloc((size_t)ligand->n_bodies, sizeof *data->bodies);
    data->rows = calloc(2 * atoms + 1, sizeof *data->rows);
    data->pairs = calloc(pairs, sizeof *data->pairs);
    data->glue = calloc(pairs, sizeof *data->glue);
    data->order = calloc(atoms, sizeof *data->order);
  }
  if (data == NULL || rank == NULL || data->atoms == NULL || data->bodies == NULL || data->rows == NULL ||
      data->pairs == NULL || data->glue == NULL || data->order == NULL) {
    free(rank);
    bt_dock_data_destroy(data);
    return bt_fail_memory(opt_error);
  }
  data->ligand = ligand;
  memcpy(data->low, maps->low, sizeof data->low);
  data->kernel.n_atoms = ligand->n_atoms;
  data->kernel.n_ligand_atoms = ligand->n_ligand_atoms;
  data->kernel.n_bodies = ligand->n_bodies;
  data->kernel.n_torsions = ligand->n_torsions;
  sort_atoms(ligand, data, rank);
  fill_bodies(ligand, data, rank);
  fill_box(maps, &data->kernel);
  bt_status status = fill_rows(ligand, data, rank, opt_error);
  if (status == BT_OK) status = fold_maps(ligand, maps, data, opt_error);
  free(rank);
  if (status != BT_OK) {
    bt_dock_data_destroy(data);
    return status;
  }
  data->kernel.atoms = data->atoms;
  data->kernel.bodies = data->bodies;
  data->kernel.rows = data->rows;
  data->kernel.pairs = data->pairs;
  data->kernel.glue = data->glue;
  data->kernel.maps = data->maps;
  *ret_data = data;
  return BT_OK;
}

void bt_genes_to_genotype(const bt_dock_data *data, const float *genes, bt_genotype *genotype) {
  double norm = 0;
  for (int c = 0; c < 3; c++) genotype->position[c] = data->low[c] + (double)genes[BT_GENE_POSITION + c];
  for (int c = 0; c < 4; c++) norm += (double)genes[BT_GENE_QUATERNION + c] * (double)genes[BT_GENE_QUATERNION + c];
  for (int c = 0; c < 4; c++) genotype->quaternion[c] = (double)genes[BT_GENE_QUATERNION + c] / sqrt(norm);
  for (int k = 0; k < data->ligand->n_torsions; k++) genotype->torsions[k] = (double)genes[BT_GENE_TORSION + k];
}

void bt_genotype_to_genes(const bt_dock_data *data, const bt_genotype *genotype, float *genes) {
  const double two_pi = 6.28318530717958647692;
  for (int c = 0; c < 3; c++) genes[BT_GENE_POSITION + c] = (float)(genotype->position[c] - data->low[c]);
  for (int c = 0; c < 4; c++) genes[BT_GENE_QUATERNION + c] = (float)genotype->quaternion[c];
  for (int k = 0; k < data->ligand->n_torsions; k++) /* kernels expect angles within half a turn */
    genes[BT_GENE_TORSION + k] =
        (float)(genotype->torsions[k] - two_pi * rint(genotype->torsions[k] / two_pi));
}
