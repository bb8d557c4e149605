/* builder.c - joins fragments to a molecule.
 *
 * The largest fragment is put down first. Of the others, each is turned so that the cut bond is straight, and about
 * that bond to the first of the usual torsions at which nothing clashes, or else to the best.
 */
#include "chem/builder/builder.h"

#include <math.h>

#include "base/vector.h"
#include "chem/builder/joints.h"

enum {
  ATTEMPTS = 8,
  MOST_ROWS = 100, /* larger fragments take long, and RDKit cannot be interrupted */
  MOST_RINGS = 20
};
/* Angstrom: nonbonded atoms nearer than this clash; by how many of the two are hydrogens. */
static const double contact[3] = {3.3, 2.6, 2.1};
static const double too_near = 0.55;   /* of a contact: such coordinates are not used */
static const double preference = 0.02; /* A^2 of overlap that a less usual torsion has to avoid */

typedef struct part {
  const bt_shape *shape;
  const bt_joint *joints;
  int n_joints;
  double (*local)[3]; /* [n_rows] its coordinates */
  double (*x)[3];     /* [n_rows] where it lies in the molecule */
  bool placed;
} part;

typedef struct build {
  bt_fragmentation cut;
  bt_shapes *shapes;
  bt_arena arena;
  part *parts; /* [n_fragments] */
  int *order;  /* fragments as they are placed */
  double (*x)[3];
  bool *placed;       /* [n_atoms] */
  uint64_t random;    /* 0: the usual torsions */
  double nearest;     /* distance over contact of the nearest atoms of two fragments */
  double (*trial)[3]; /* [rows of the largest fragment] */
} build;

static uint64_t next_random(uint64_t *state) {
  *state = *state * 6364136223846793005U + 1442695040888963407U;
  return *state >> 33;
}

/* ---- shapes ---- */

/* *ret_ready is false if a fragment has no coordinates. */
static bt_status get_parts(build *b, bool *ret_ready, bt_error *opt_error) {
  int most = 0;
  *ret_ready = false;
  BT_NEW(&b->arena, b->parts, b->cut.n_fragments);
  BT_NEW(&b->arena, b->order, b->cut.n_fragments);
  BT_NEW(&b->arena, b->placed, b->cut.structure->n_atoms);
  BT_TRY(bt_arena_status(&b->arena, opt_error));
  for (int f = 0; f < b->cut.n_fragments; f++) {
    part *p = &b->parts[f];
    bt_joint *joints;
    if (b->cut.uses[f].graph.n_vertices + b->cut.uses[f].graph.n_slots > MOST_ROWS) return BT_OK;
    BT_TRY(bt_shapes_get(b->shapes, &b->cut.uses[f].graph, &b->arena, &p->shape, opt_error));
    if (p->shape->n_variants == 0) return BT_OK;
    if (!bt_joints_find(&b->cut, f, &b->arena, &joints, &p->n_joints)) return bt_fail_memory(opt_error);
    p->joints = joints;
    BT_NEW(&b->arena, p->x, p->shape->n_rows);
    BT_NEW(&b->arena, p->local, p->shape->n_rows);
    if (p->shape->n_rows > most) most = p->shape->n_rows;
  }
  BT_NEW(&b->arena, b->trial, most);
  *ret_ready = true;
  return bt_arena_status(&b->arena, opt_error);
}

/* Every combination of ring conformers has its number. */
static void choose_variants(build *b, int conformer) {
  for (int f = 0; f < b->cut.n_fragments; f++) {
    const bt_shape *shape = b->parts[f].shape;
    const float(*x)[3] = (const float(*)[3])shape->x + (ptrdiff_t)(conformer % shape->n_variants) * shape->n_rows;
    for (int r = 0; r < shape->n_rows; r++)
      for (int k = 0; k < 3; k++) b->parts[f].local[r][k] = k == 2 && b->cut.uses[f].mirrored ? -x[r][k] : x[r][k];
    conformer /= shape->n_variants;
  }
}

/* ---- lengths ---- */

static const bt_joint *joint_at(const part *p, int bond) {
  for (int k = 0; k < p->n_joints; k++)
    if (p->joints[k].bond == bond) return &p->joints[k];
  return NULL;
}

static double length_at(const part *p, const bt_joint *joint) {
  return bt_v3_distance(p->local[joint->row], p->local[joint->cap]);
}

/* *ret_length is 0 if it is unknown. */
static bt_status get_length(build *b, const part *p, const bt_joint *joint, const part *q, const bt_joint *other,
                            double *ret_length, bt_error *opt_error) {
  *ret_length = 0;
  if (joint->exact && other->exact)
    *ret_length = (length_at(p, joint) + length_at(q, other)) / 2;
  else if (joint->exact || other->exact)
    *ret_length = joint->exact ? length_at(p, joint) : length_at(q, other);
  if (*ret_length > 0) return BT_OK;
  bt_fragment_atom atoms[2];
  bt_fragment_bond bond;
  if (!bt_joint_bond(&b->cut, joint->bond, atoms, &bond)) return BT_OK;
  const bt_fragment_graph graph = {.n_vertices = 2, .n_bonds = 1, .atoms = atoms, .bonds = &bond};
  const bt_shape *shape;
  BT_TRY(bt_shapes_get(b->shapes, &graph, &b->arena, &shape, opt_error));
  double ends[2][3];
  for (int k = 0; k < 6 && shape->n_variants > 0; k++) ends[k / 3][k % 3] = shape->x[k / 3][k % 3];
  if (shape->n_variants > 0) *ret_length = bt_v3_distance(ends[0], ends[1]);
  return BT_OK;
}

/* ---- placing ---- */

static void take_atoms(build *b, int fragment) {
  const bt_fragment_use *use = &b->cut.uses[fragment];
  part *p = &b->parts[fragment];
  for (int r = 0; r < p->shape->n_rows; r++) {
    if (use->outside[r]) continue;
    bt_v3_copy(b->x[use->source[r]], p->x[r]);
    b->placed[use->source[r]] = true;
  }
  p->placed = true;
}

/* Three perpendicular unit vectors: along the axis, and from it towards a point (if any). */
static void make_frame(const double axis[3], const double origin[3], const double *opt_towards, double ret[3][3]) {
  bt_v3_copy(ret[0], axis);
  if (opt_towards != NULL) {
    bt_v3_subtract(ret[1], opt_towards, origin);
    bt_v3_add(ret[1], ret[1], -bt_v3_dot(ret[1], axis), axis);
  }
  if (opt_towards == NULL || bt_v3_dot(ret[1], ret[1]) < 1e-4) bt_v3_across(ret[1], axis);
  bt_v3_unit(ret[1]);
  bt_v3_cross(ret[2], ret[0], ret[1]);
}

/* The fragment's rows at a torsion. from: its own frame about the atom; to: the frame of the molecule's side. */
static void turn(const part *p, const bt_joint *joint, const double from[3][3], const double to[3][3],
                 const double origin[3], double torsion, double (*ret_x)[3]) {
  double frame[3][3]; /* the molecule's, turned */
  for (int k = 0; k < 3; k++) {
    frame[0][k] = to[0][k];
    frame[1][k] = cos(torsion) * to[1][k] + sin(torsion) * to[2][k];
    frame[2][k] = -sin(torsion) * to[1][k] + cos(torsion) * to[2][k];
  }
  for (int r = 0; r < p->shape->n_rows; r++) {
    double d[3];
    bt_v3_subtract(d, p->local[r], p->local[joint->row]);
    bt_v3_copy(ret_x[r], origin);
    for (int k = 0; k < 3; k++) bt_v3_add(ret_x[r], ret_x[r], bt_v3_dot(d, from[k]), frame[k]);
  }
}

/* Overlap of a fragment with what is there, A^2, but for the two atoms that are bonded. *nearest: as in build. */
static double overlap(const build *b, int fragment, const bt_joint *joint, double (*x)[3], double *nearest) {
  const bt_fragment_use *use = &b->cut.uses[fragment];
  const bt_build_atom *atoms = b->cut.structure->atoms;
  double sum = 0;
  *nearest = 1;
  for (int r = 0; r < b->parts[fragment].shape->n_rows; r++) {
    if (r == joint->row || r == joint->cap) continue;
    bool hydrogen = atoms[use->source[r]].element == 1;
    for (int j = 0; j < b->cut.structure->n_atoms; j++) {
      if (!b->placed[j] || j == joint->outside) continue;
      double least = contact[hydrogen + (atoms[j].element == 1)], d2 = bt_v3_distance2(x[r], b->x[j]);
      if (d2 >= least * least) continue;
      double d = sqrt(d2);
      sum += (least - d) * (least - d);
      if (!use->outside[r] && d / least < *nearest) *nearest = d / least;
    }
  }
  return sum;
}

/* Puts q, whose joint is with p, where its bond points from p. */
static bt_status place(build *b, int f, const bt_joint *joint, int g, bool *ret_ready, bt_error *opt_error) {
  part *p = &b->parts[f], *q = &b->parts[g];
  const bt_joint *own = joint_at(q, joint->bond);
  double length, direction[3], back[3], origin[3], from[3][3], to[3][3], torsions[BT_JOINT_TORSIONS];
  *ret_ready = false;
  if (own == NULL) return BT_OK;
  BT_TRY(get_length(b, p, joint, q, own, &length, opt_error));
  if (!(length > 0) || !bt_v3_towards(direction, p->x[joint->row], p->x[joint->cap])) return BT_OK;
  bt_v3_copy(origin, p->x[joint->row]);
  bt_v3_add(origin, origin, length, direction);
  if (!bt_v3_towards(back, q->local[own->row], q->local[own->cap])) return BT_OK;
  make_frame(back, q->local[own->row], own->reference >= 0 ? q->local[own->reference] : NULL, from);
  for (int k = 0; k < 3; k++) back[k] = -direction[k];
  make_frame(back, p->x[joint->row], joint->reference >= 0 ? p->x[joint->reference] : NULL, to);
  int count = bt_joint_torsions(&b->cut, joint->inside, joint->outside, torsions);
  double best = INFINITY, best_nearest = 1;
  for (int k = 0; k < count; k++) {
    double near, cost;
    int which = b->random != 0 ? (int)(next_random(&b->random) % (uint64_t)count) : k;
    turn(q, own, from, to, origin, torsions[which], b->trial);
    cost = overlap(b, g, own, b->trial, &near) + preference * k;
    if (cost >= best) continue;
    best = cost;
    best_nearest = near;
    memcpy(q->x, b->trial, (size_t)q->shape->n_rows * sizeof *q->x);
    if (best <= preference * k) break; /* nothing clashes */
  }
  if (best_nearest < b->nearest) b->nearest = best_nearest;
  take_atoms(b, g);
  *ret_ready = true;
  return BT_OK;
}

static int largest_part(const build *b) {
  int largest = 0;
  for (int f = 1; f < b->cut.n_fragments; f++)
    if (b->parts[f].shape->n_rows > b->parts[largest].shape->n_rows) largest = f;
  return largest;
}

static bt_status join(build *b, bool *ret_ready, bt_error *opt_error) {
  int count = 0, first = largest_part(b);
  memset(b->placed, 0, (size_t)b->cut.structure->n_atoms * sizeof *b->placed);
  for (int f = 0; f < b->cut.n_fragments; f++) b->parts[f].placed = false;
  b->nearest = 1;
  memcpy(b->parts[first].x, b->parts[first].local, (size_t)b->parts[first].shape->n_rows * sizeof *b->x);
  take_atoms(b, first);
  b->order[count++] = first;
  for (int q = 0; q < count; q++) {
    const part *p = &b->parts[b->order[q]];
    for (int k = 0; k < p->n_joints; k++) {
      int other = b->cut.fragment[p->joints[k].outside];
      if (b->parts[other].placed) continue;
      BT_TRY(place(b, b->order[q], &p->joints[k], other, ret_ready, opt_error));
      if (!*ret_ready) return BT_OK;
      b->order[count++] = other;
    }
  }
  *ret_ready = count == b->cut.n_fragments; /* else it is several molecules */
  return BT_OK;
}

static bt_status run(build *b, int conformer, bool *ret_built, bt_error *opt_error) {
  *ret_built = false;
  BT_TRY(get_parts(b, ret_built, opt_error));
  if (!*ret_built) return BT_OK;
  choose_variants(b, conformer);
  for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
    b->random = conformer + attempt == 0 ? 0 : (uint64_t)conformer * 1000003 + (uint64_t)attempt;
    BT_TRY(join(b, ret_built, opt_error));
    if (!*ret_built || b->nearest >= too_near) return BT_OK;
  }
  *ret_built = false;
  return BT_OK;
}

bt_status bt_build_coordinates(bt_shapes *shapes, const bt_build_structure *structure, int conformer,
                               double (*ret_x)[3], bool *ret_built, bt_error *opt_error) {
  build b = {.shapes = shapes, .x = ret_x};
  *ret_built = false;
  if (structure->n_rings > MOST_RINGS || structure->n_atoms == 0) return BT_OK;
  bool known = bt_fragments_cut(structure, &b.arena, &b.cut);
  bt_status status = bt_arena_status(&b.arena, opt_error);
  if (known && status == BT_OK) status = run(&b, conformer, ret_built, opt_error);
  bt_arena_destroy(&b.arena);
  return status;
}
