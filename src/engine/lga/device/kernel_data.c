/* kernel_data.c - sorts atoms by body, bodies into a tree, maps into classes, pairs into rows.
 *
 * A further ligand (bt_part) is attached by three auxiliary bodies: one that slides and two that rotate; the third
 * rotation is that of its root. Each of the four has a marker, an atom without interactions: the first is the center,
 * through which all rotation axes pass, the others lie on their axes.
 */
#include "engine/lga/device/kernel_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "pose/restraints.h"
#include "score/pair.h"
#include "score/score.h"

#include "engine/lga/device/pair_polynomial.inc"

void bt_dock_data_destroy(bt_dock_data *data) {
  if (data == NULL) return;
  bt_arena_destroy(&data->arena);
  free(data);
}

enum { JOINTS = 3, MARKERS = 4 }; /* bodies and atoms that a further ligand has besides its own */

/* The further part whose root a body is; NULL: none. */
static const bt_part *further_part(const bt_ligand *ligand, int body) {
  for (int p = 1; p < ligand->n_parts; p++)
    if (ligand->parts[p].root == body) return &ligand->parts[p];
  return NULL;
}

/* Position and orientation belong to body 0. A covalent ligand has no body that they move, so a body with a single
 * marker without interactions precedes its own: gradients with respect to these genes are zero. */
static int ghosts(const bt_ligand *ligand) { return ligand->tethered ? 1 : 0; }

/* The kernel body that corresponds to a body of the ligand. */
static int body_of(const bt_ligand *ligand, int body) {
  int before = 0;
  for (int p = 1; p < ligand->n_parts; p++) before += ligand->parts[p].root <= body;
  return body + JOINTS * before + ghosts(ligand);
}

/* The joints and markers of a further part, whose root is the body after the joints; next atom is the first marker. */
static int add_joints(const bt_part *part, int root, int next, bt_dock_data *data) {
  for (int k = 0; k <= JOINTS; k++) {
    int b = root - JOINTS + k, marker = next + k;
    bool slides = k == 0;
    bt_kernel_body *to = &data->bodies[b];
    *to = (bt_kernel_body){.parent = slides ? -1 : b - 1, .torsion = -1, .axis_from = -1, .axis_to = -1};
    to->first_atom = marker;
    to->end_atom = marker + 1;
    data->order[marker] = -1;
    data->atoms[marker] = (bt_kernel_atom){.x = k == 1, .y = k == 2, .z = k == 3, .map = -1};
    if (slides) {
      to->slide = BT_GENE_TORSION + part->position;
      for (int c = 0; c < 3; c++) data->torsion_bodies[part->position + c] = b;
      continue;
    }
    to->torsion = part->turn + k - 1;
    data->torsion_bodies[to->torsion] = b;
    to->axis_from = next;
    to->axis_to = marker;
    to->ux = k == 1;
    to->uy = k == 2;
    to->uz = k == 3;
    to->inverse_length = 1;
  }
  return next + MARKERS;
}

/* Atoms body by body; rank[ligand atom] is the kernel atom. */
static void sort_atoms(const bt_ligand *ligand, bt_dock_data *data, int *rank) {
  int next = 0;
  if (ligand->tethered) {
    data->bodies[0] =
        (bt_kernel_body){.parent = -1, .torsion = -1, .axis_from = -1, .axis_to = -1, .first_atom = 0, .end_atom = 1};
    data->atoms[0] = (bt_kernel_atom){.map = -1};
    data->order[next++] = -1;
  }
  for (int b = 0; b < ligand->n_bodies; b++) {
    bt_kernel_body *body = &data->bodies[body_of(ligand, b)];
    const bt_part *further = further_part(ligand, b);
    body->first_atom = next;
    if (further != NULL) {
      next = add_joints(further, body_of(ligand, b), next, data);
      body->first_atom = next - 1; /* its marker */
    }
    for (int i = 0; i < ligand->n_atoms; i++)
      if (ligand->body[i] == b) {
        data->order[next] = i;
        rank[i] = next++;
      }
    body->end_atom = next;
  }
}

static void fill_bodies(const bt_ligand *ligand, bt_dock_data *data, const int *rank) {
  for (int b = 0; b < ligand->n_bodies; b++) {
    const bt_body *from = &ligand->bodies[b];
    const bt_part *further = further_part(ligand, b);
    bt_kernel_body *to = &data->bodies[body_of(ligand, b)];
    if (further == NULL) {
      to->parent = from->parent < 0 ? -1 : body_of(ligand, from->parent);
      to->torsion = from->torsion;
      to->axis_from = to->axis_to = -1;
    }
    to->immobile = from->immobile;
    double origin[3];
    for (int c = 0; c < 3; c++)
      origin[c] = to->immobile ? data->low[c] : further != NULL ? further->center[c] : ligand->center[c];
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
      if (data->order[k] < 0) continue;
      const double *x = ligand->xyz + 3 * (size_t)data->order[k];
      data->atoms[k].x = (float)(x[0] - origin[0]);
      data->atoms[k].y = (float)(x[1] - origin[1]);
      data->atoms[k].z = (float)(x[2] - origin[2]);
    }
  }
  for (int b = 0; b < data->kernel.sizes.n_bodies; b++) {
    bt_kernel_body *to = &data->bodies[b];
    if (to->axis_from < 0) continue;
    const bt_kernel_atom *from = &data->atoms[to->axis_from]; /* of the parent; a center is the origin of all joints */
    to->x = from->x;
    to->y = from->y;
    to->z = from->z;
  }
}

/* Bodies that move with each one (they follow it), and one fragment per body. */
static bt_status fill_tree(bt_dock_data *data, bt_error *opt_error) {
  int n = data->kernel.sizes.n_bodies;
  BT_SCOPED int *depth = bt_allocate((size_t)n, sizeof *depth);
  bt_kernel_sizes *sizes = &data->kernel.sizes;
  if (depth == NULL) return bt_fail_memory(opt_error);
  sizes->n_gradients = 1;
  sizes->n_fragments = n;
  for (int b = 0; b < n; b++) {
    depth[b] = data->bodies[b].parent < 0 ? 0 : depth[data->bodies[b].parent] + 1;
    if (data->bodies[b].torsion >= 0) data->torsion_bodies[data->bodies[b].torsion] = b;
  }
  for (int b = 0; b < n; b++) {
    bt_kernel_body *body = &data->bodies[b];
    int end = b + 1;
    while (end < n && depth[end] > depth[b]) end++;
    body->end_body = body->end_fragment = end;
    body->first_fragment = b;
    bool single = body->end_atom - body->first_atom < 2;
    data->fragments[b] =
        (bt_kernel_fragment){.body = b,
                             .first_atom = body->first_atom,
                             .end_atom = body->end_atom,
                             .scratch = single ? 3 * sizes->n_atoms + 6 * sizes->n_single++ : 3 * body->first_atom};
  }
  return BT_OK;
}

/* One class of maps per distinct (type, charge); where charges do not matter, one per map, so that ligands can share
 * the maps as they are. */
static void fill_classes(const bt_ligand *ligand, const bt_maps *maps, bt_dock_data *data) {
  bool charged = bt_scoring_traits_of(maps->scoring)->charges;
  int n_classes = 0;
  for (int c = 0; c < maps->n_types && !charged; c++) data->classes[n_classes++] = (bt_kernel_class){.affinity = c};
  for (int k = 0; k < data->kernel.sizes.n_atoms; k++) {
    int i = data->order[k], c = 0;
    data->atoms[k].map = -1;
    if (i < 0 || !ligand->feels_maps[i]) continue;
    bt_kernel_class mine = {bt_maps_find(maps, bt_ligand_map_type(ligand, ligand->type[i])),
                            charged ? (float)ligand->charge[i] : 0.0f};
    while (c < n_classes && (data->classes[c].affinity != mine.affinity || data->classes[c].charge != mine.charge)) c++;
    if (c == n_classes) data->classes[n_classes++] = mine;
    data->atoms[k].map = c;
  }
  data->kernel.sizes.n_classes = n_classes;
  data->grid = (bt_kernel_grid){
      .points_x = maps->box.npts[0] + 1,
      .points_y = maps->box.npts[1] + 1,
      .points_z = maps->box.npts[2] + 1,
      .n_affinity = maps->n_types,
      .charged = charged,
      .affinity = (const float *const *)maps->values,
      .electrostatic = bt_maps_electrostatic(maps),
      .desolvation = bt_maps_desolvation(maps),
  };
}

/* Sets where the contacts of each atom end. */
static void end_atoms(bt_kernel_contact *contacts, const bt_kernel_restraint *of) {
  for (int c = of->end - 1; c >= of->first; c--) {
    bool last = c + 1 == of->end || contacts[c + 1].atom != contacts[c].atom;
    contacts[c].end = last ? c + 1 : contacts[c + 1].end;
  }
}

/* rank[ligand atom] is the kernel atom. */
static bt_status fill_restraints(const bt_restraints *opt_restraints, const int *rank, bt_dock_data *data,
                                 bt_error *opt_error) {
  if (opt_restraints == NULL) return BT_OK;
  BT_NEW(&data->arena, data->restraints, opt_restraints->n_restraints);
  BT_NEW(&data->arena, data->contacts, opt_restraints->n_contacts);
  BT_TRY(bt_arena_status(&data->arena, opt_error));
  data->kernel.restraints = data->restraints;
  data->kernel.contacts = data->contacts;
  data->kernel.sizes.n_restraints = opt_restraints->n_restraints;
  for (int k = 0; k < opt_restraints->n_restraints; k++) {
    const bt_restraint *from = &opt_restraints->restraints[k];
    data->restraints[k] =
        (bt_kernel_restraint){.first = from->first,
                              .end = from->end,
                              .force = (float)from->force,
                              .least = (float)from->least,
                              .most = (float)from->most};
  }
  for (int c = 0; c < opt_restraints->n_contacts; c++) {
    const bt_restraint_contact *from = &opt_restraints->contacts[c];
    data->contacts[c] = (bt_kernel_contact){.atom = rank[from->atom],
                                            .x = (float)(from->point[0] - data->low[0]),
                                            .y = (float)(from->point[1] - data->low[1]),
                                            .z = (float)(from->point[2] - data->low[2])};
  }
  for (int k = 0; k < opt_restraints->n_restraints; k++) end_atoms(data->contacts, &data->restraints[k]);
  return BT_OK;
}

static int kind_of(const bt_ligand *ligand, const bt_pair *pair) {
  if (ligand->vina != NULL) return BT_PAIR_KIND_VINA;
  const bt_ad4_type *ti = ligand->parameters[ligand->type[pair->i]], *tj = ligand->parameters[ligand->type[pair->j]];
  return bt_ad4_hydrogen_bonded(ti, tj) ? BT_PAIR_KIND_12_10 : BT_PAIR_KIND_12_6;
}

static double inverse_square(double width) { return width > 0 ? 1 / (width * width) : 0; }

static void fill_vina_pair(const bt_ligand *ligand, const bt_pair *from, bt_kernel_pair *to) {
  const bt_vina_law *law = bt_vina_law_of(ligand->scoring);
  bt_vina_pair pair = bt_vina_pair_of(law, ligand->vina[ligand->type[from->i]], ligand->vina[ligand->type[from->j]]);
  double width = pair.ramp.bad - pair.ramp.good;
  to->distance = (float)pair.radii;
  BT_VINA_GAUSS1(*to) = (float)law->gauss[0].weight;
  BT_VINA_OFFSET1(*to) = (float)law->gauss[0].offset;
  BT_VINA_SHARPNESS1(*to) = (float)inverse_square(law->gauss[0].width);
  BT_VINA_GAUSS2(*to) = (float)law->gauss[1].weight;
  BT_VINA_OFFSET2(*to) = (float)law->gauss[1].offset;
  BT_VINA_SHARPNESS2(*to) = (float)inverse_square(law->gauss[1].width);
  BT_VINA_REPULSION(*to) = (float)law->repulsion;
  if (!(width > 0)) return;
  BT_VINA_RAMP(*to) = (float)(pair.ramp.weight / width);
  BT_VINA_RAMP_TOP(*to) = (float)pair.ramp.bad;
  BT_VINA_RAMP_WIDTH(*to) = (float)width;
}

static void fill_pair(const bt_ligand *ligand, const bt_pair *from, bt_kernel_pair *to) {
  if (ligand->vina != NULL) {
    fill_vina_pair(ligand, from, to);
    return;
  }
  const bt_ad4_type *ti = ligand->parameters[ligand->type[from->i]], *tj = ligand->parameters[ligand->type[from->j]];
  bt_ad4_pair law = bt_ad4_pair_law(ti, tj);
  bt_pair_constants pair = bt_pair_prepare(&law, ti, ligand->charge[from->i], tj, ligand->charge[from->j]);
  to->distance = (float)law.distance;
  to->a = (float)law.a;
  to->b = (float)law.b;
  for (int k = 0; k < BT_PAIR_POLYNOMIAL_ORDER; k++)
    to->c[k] = (float)(pair.coulomb * electrostatic_polynomial[k] + pair.desolvation * desolvation_polynomial[k]);
}

/* The pairs of one kind as lists of partners per kernel atom. */
typedef struct partners {
  int *first;  /* [n_atoms + 1] into other and pair */
  int *other;  /* kernel atom at the far end */
  int *pair;   /* index into ligand->pairs */
  bool *taken; /* [n_pairs] the pair stands in a row already */
  bt_arena arena;
} partners;

static void partners_free(partners *list) { bt_arena_destroy(&list->arena); }

/* n: of kernel atoms. */
static bt_status partners_make(const bt_ligand *ligand, int n, const int *rank, int kind, partners *ret_list,
                               bt_error *opt_error) {
  size_t ends = 2 * (size_t)ligand->n_pairs;
  int *first = BT_NEW(&ret_list->arena, ret_list->first, n + 1);
  BT_NEW(&ret_list->arena, ret_list->other, ends);
  BT_NEW(&ret_list->arena, ret_list->pair, ends);
  BT_NEW(&ret_list->arena, ret_list->taken, ends);
  BT_TRY(bt_arena_status(&ret_list->arena, opt_error));
  for (int p = 0; p < ligand->n_pairs; p++) {
    if (kind_of(ligand, &ligand->pairs[p]) != kind) continue;
    first[rank[ligand->pairs[p].i]]++;
    first[rank[ligand->pairs[p].j]]++;
  }
  for (int i = 0; i < n; i++) first[i + 1] += first[i]; /* the end of each atom's list ... */
  for (int p = ligand->n_pairs - 1; p >= 0; p--) {      /* ... moves to its beginning while it fills */
    if (kind_of(ligand, &ligand->pairs[p]) != kind) continue;
    int i = rank[ligand->pairs[p].i], j = rank[ligand->pairs[p].j];
    int at_i = --first[i], at_j = --first[j];
    ret_list->other[at_i] = j;
    ret_list->other[at_j] = i;
    ret_list->pair[at_i] = ret_list->pair[at_j] = p;
  }
  return BT_OK;
}

/* Puts up to count open pairs of atom i into a row of its own, and padding behind them. */
static void fill_row(const bt_ligand *ligand, bt_dock_data *data, const partners *list, int *open, int i, int count,
                     bt_kernel_row *row) {
  *row = (bt_kernel_row){.i = i, .first = data->n_pairs};
  for (int s = list->first[i]; s < list->first[i + 1] && count > 0; s++) {
    if (list->taken[list->pair[s]]) continue;
    list->taken[list->pair[s]] = true;
    open[i]--;
    open[list->other[s]]--;
    count--;
    data->pairs[data->n_pairs].j = list->other[s];
    fill_pair(ligand, &ligand->pairs[list->pair[s]], &data->pairs[data->n_pairs++]);
  }
  while ((data->n_pairs - row->first) % BT_PAIR_TILE != 0) data->pairs[data->n_pairs++] = (bt_kernel_pair){.j = i};
  row->end = data->n_pairs;
}

/* Distributes the pairs of one kind over rows. A pair may go into the row of either atom: repeatedly, the atom with the
 * most unassigned pairs takes as many as fill whole tiles, so padding is rare. open[n_atoms] is scratch. */
static void fill_rows_of_kind(const bt_ligand *ligand, bt_dock_data *data, const partners *list, int *open,
                              int *n_rows) {
  int n = data->kernel.sizes.n_atoms;
  for (int i = 0; i < n; i++) open[i] = list->first[i + 1] - list->first[i];
  for (;;) {
    int most = 0;
    for (int i = 1; i < n; i++)
      if (open[i] > open[most]) most = i;
    if (open[most] == 0) return;
    int count = open[most] < BT_PAIR_TILE ? open[most] : open[most] / BT_PAIR_TILE * BT_PAIR_TILE;
    fill_row(ligand, data, list, open, most, count, &data->rows[(*n_rows)++]);
  }
}

static bt_status fill_rows(const bt_ligand *ligand, bt_dock_data *data, const int *rank, bt_error *opt_error) {
  int n_rows = 0;
  int n_atoms = data->kernel.sizes.n_atoms;
  BT_SCOPED int *open = bt_allocate((size_t)n_atoms, sizeof *open);
  if (open == NULL) return bt_fail_memory(opt_error);
  for (int kind = 0; kind < BT_PAIR_KINDS; kind++) {
    BT_ENDED_BY(partners_free) partners list = {0};
    int before = n_rows;
    BT_TRY(partners_make(ligand, n_atoms, rank, kind, &list, opt_error));
    fill_rows_of_kind(ligand, data, &list, open, &n_rows);
    data->kernel.n_rows[kind] = n_rows - before;
  }
  for (int p = 0; p < ligand->n_pairs; p++)
    if (ligand->pairs[p].glue)
      data->glue[data->kernel.sizes.n_glue++] = (bt_kernel_glue){rank[ligand->pairs[p].i], rank[ligand->pairs[p].j]};
  return BT_OK;
}

static void fill_box(const bt_maps *maps, bt_kernel_box *kernel) {
  const bt_box *box = &maps->box;
  kernel->inverse_spacing = (float)(1.0 / box->spacing);
  kernel->size_x = (float)(box->npts[0] * box->spacing);
  kernel->size_y = (float)(box->npts[1] * box->spacing);
  kernel->size_z = (float)(box->npts[2] * box->spacing);
  kernel->cells_x = (float)(box->npts[0] - 1);
  kernel->cells_y = (float)(box->npts[1] - 1);
  kernel->cells_z = (float)(box->npts[2] - 1);
}

static bt_status fill(bt_dock_data *data, const bt_ligand *ligand, const bt_maps *maps, bt_error *opt_error) {
  int further = ligand->n_parts - 1, markers = MARKERS * further + ghosts(ligand);
  int atoms = ligand->n_atoms + markers, bodies = ligand->n_bodies + JOINTS * further + ghosts(ligand);
  size_t pairs = (size_t)ligand->n_pairs + 4 * BT_PAIR_TILE * (size_t)atoms + 1; /* with padding */
  BT_SCOPED int *rank = bt_allocate((size_t)ligand->n_atoms, sizeof *rank);
  BT_NEW(&data->arena, data->atoms, atoms);
  BT_NEW(&data->arena, data->bodies, bodies);
  BT_NEW(&data->arena, data->rows, pairs);
  BT_NEW(&data->arena, data->pairs, pairs);
  BT_NEW(&data->arena, data->glue, pairs);
  BT_NEW(&data->arena, data->order, atoms);
  BT_NEW(&data->arena, data->fragments, bodies);
  BT_NEW(&data->arena, data->torsion_bodies, ligand->n_torsions + 1);
  BT_NEW(&data->arena, data->classes, atoms + maps->n_types);
  if (rank == NULL || data->arena.failed) return bt_fail_memory(opt_error);
  data->ligand = ligand;
  memcpy(data->low, maps->low, sizeof data->low);
  data->kernel = (bt_kernel_data){.atoms = data->atoms,
                                  .bodies = data->bodies,
                                  .rows = data->rows,
                                  .pairs = data->pairs,
                                  .glue = data->glue,
                                  .fragments = data->fragments,
                                  .torsion_bodies = data->torsion_bodies,
                                  .classes = data->classes,
                                  .grid = &data->grid};
  data->kernel.sizes.n_atoms = atoms;
  data->kernel.sizes.n_ligand_atoms = ligand->n_ligand_atoms + markers;
  data->kernel.sizes.n_confined = bt_score_confined(ligand, maps) + markers;
  data->kernel.sizes.n_bodies = bodies;
  data->kernel.sizes.n_slides = 3 * further;
  data->kernel.sizes.vina = ligand->vina != NULL;
  data->kernel.sizes.n_torsions = ligand->n_torsions;
  sort_atoms(ligand, data, rank);
  fill_bodies(ligand, data, rank);
  fill_box(maps, &data->kernel.box);
  fill_classes(ligand, maps, data);
  BT_TRY(fill_tree(data, opt_error));
  BT_TRY(fill_restraints(ligand->restraints, rank, data, opt_error));
  return fill_rows(ligand, data, rank, opt_error);
}

bt_status bt_dock_data_create(const bt_ligand *ligand, const bt_maps *maps, bt_dock_data **ret_data,
                              bt_error *opt_error) {
  if (bt_maps_points(maps) > (size_t)BT_DOCK_MOST_POINTS)
    return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){0}, "use a smaller box or a larger spacing",
                   "the maps have %zu points; kernels address at most %d", bt_maps_points(maps), BT_DOCK_MOST_POINTS);
  bt_dock_data *data = bt_allocate(1, sizeof *data);
  if (data == NULL) return bt_fail_memory(opt_error);
  bt_status status = fill(data, ligand, maps, opt_error);
  return BT_HAND_OVER(status, data, ret_data, bt_dock_data_destroy);
}

void bt_genes_to_genotype(const bt_dock_data *data, const float *genes, bt_genotype *genotype) {
  double norm = 0;
  for (int c = 0; c < 3; c++) genotype->position[c] = data->low[c] + (double)genes[BT_GENE_POSITION + c];
  for (int c = 0; c < 4; c++) norm += (double)genes[BT_GENE_QUATERNION + c] * (double)genes[BT_GENE_QUATERNION + c];
  for (int c = 0; c < 4; c++) genotype->quaternion[c] = (double)genes[BT_GENE_QUATERNION + c] / sqrt(norm);
  for (int k = 0; k < data->ligand->n_torsions; k++) genotype->torsions[k] = (double)genes[BT_GENE_TORSION + k];
  for (int p = 1; p < data->ligand->n_parts; p++)
    for (int c = 0; c < 3; c++) genotype->torsions[data->ligand->parts[p].position + c] += data->low[c];
}

void bt_genotype_to_genes(const bt_dock_data *data, const bt_genotype *genotype, float *genes) {
  const double two_pi = 6.28318530717958647692;
  for (int c = 0; c < 3; c++) genes[BT_GENE_POSITION + c] = (float)(genotype->position[c] - data->low[c]);
  for (int c = 0; c < 4; c++) genes[BT_GENE_QUATERNION + c] = (float)genotype->quaternion[c];
  for (int k = 0; k < data->ligand->n_torsions; k++) /* kernels expect angles within half a turn */
    genes[BT_GENE_TORSION + k] = (float)(genotype->torsions[k] - two_pi * rint(genotype->torsions[k] / two_pi));
  for (int p = 1; p < data->ligand->n_parts; p++)
    for (int c = 0; c < 3; c++) {
      int k = data->ligand->parts[p].position + c;
      genes[BT_GENE_TORSION + k] = (float)(genotype->torsions[k] - data->low[c]);
    }
}
