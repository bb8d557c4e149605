/* bound_waters.c - see bound_waters.h. */
#include "prep/receptor/bound_waters.h"

#include <math.h>
#include <string.h>

#include "base/cells.h"
#include "base/memory.h"
#include "base/vector.h"
#include "chem/element.h"
#include "prep/receptor/receptor.h"

/* Angstrom */
static const double BOND = 3.5, METAL = 2.8, DIRECTION = 2.6;
static const double CROWDED = 2.3, CROWDED_METAL = 1.6;
static const double AROUND = 6.0;
static const double NEIGHBOR = 1.75; /* of a bonded heavy atom */

static const double OCCUPIED = 0.5;
static const int BURIED = 25;
static const struct {
  int bonds;
  double b_ratio;
} HOLDS[] = {{3, 1.25}, {2, 0.8}};

enum { MOST_PARTNERS = 32 };

/* The heavy atoms of the receptor. */
typedef struct site {
  bt_cells *cells;
  int count;
  double (*x)[3];
  int *element;
  double *b_factor;
  bt_arena arena;
} site;

/* What is found around one water, or one nitrogen. */
typedef struct survey {
  const site *site;
  bt_water_hold *hold;
  double sum; /* of B factors */
  int n;
  int partner[MOST_PARTNERS];
  double distance[MOST_PARTNERS];
} survey;

static void clear(site *s) {
  bt_cells_destroy(s->cells);
  bt_arena_destroy(&s->arena);
}

static bt_status make_site(const bt_receptor_work *prep, site *s) {
  size_t most = 0;
  for (int i = 0; i < prep->n_residues; i++) most += (size_t)prep->residues[i].n_atoms;
  BT_NEW(&s->arena, s->x, most);
  BT_NEW(&s->arena, s->element, most);
  BT_NEW(&s->arena, s->b_factor, most);
  BT_TRY(bt_arena_status(&s->arena, prep->opt_error));
  for (int i = 0; i < prep->n_residues; i++) {
    const bt_receptor_residue *r = &prep->residues[i];
    if (r->fate != BT_FATE_KEPT || bt_receptor_is_water(prep, i)) continue;
    for (int a = 0; a < r->n_atoms; a++) {
      if (r->atoms[a].element == 1) continue;
      bt_v3_copy(s->x[s->count], r->atoms[a].x);
      s->element[s->count] = r->atoms[a].element;
      s->b_factor[s->count++] = r->atoms[a].b_factor;
    }
  }
  return bt_cells_create((const double(*)[3])s->x, s->count, AROUND, &s->cells, prep->opt_error);
}

/* ------------------------------------------------------------------------------------------------------ Around -- */

static void count_neighbor(void *context, int other, double distance2) {
  survey *v = context;
  (void)other;
  v->n += distance2 > 0.0;
}

/* A nitrogen with three heavy neighbors has neither a hydrogen nor, where it is planar, a free pair. */
static bool is_full_nitrogen(const site *s, int atom) {
  survey v = {.site = s};
  if (s->element[atom] != 7) return false;
  bt_cells_near(s->cells, s->x[atom], NEIGHBOR, count_neighbor, &v);
  return v.n >= 3;
}

static bool is_partner(const site *s, int atom, double distance) {
  int element = s->element[atom];
  if (bt_element_is_metal(element)) return distance <= METAL;
  return distance <= BOND && (element == 7 || element == 8 || element == 16) && !is_full_nitrogen(s, atom);
}

static void look(void *context, int other, double distance2) {
  survey *v = context;
  double distance = sqrt(distance2);
  bool metal = bt_element_is_metal(v->site->element[other]);
  v->hold->around++;
  v->sum += v->site->b_factor[other];
  if (distance < (metal ? CROWDED_METAL : CROWDED)) v->hold->crowded = true;
  if (v->n == MOST_PARTNERS || !is_partner(v->site, other, distance)) return;
  int at = v->n++; /* in the order of their distances */
  for (; at > 0 && v->distance[at - 1] > distance; at--) {
    v->distance[at] = v->distance[at - 1];
    v->partner[at] = v->partner[at - 1];
  }
  v->distance[at] = distance;
  v->partner[at] = other;
}

/* Those that are in a direction of their own. */
static int count_bonds(const survey *v) {
  int count = 0, counted[MOST_PARTNERS];
  for (int i = 0; i < v->n; i++) {
    bool own = true;
    for (int k = 0; k < count && own; k++)
      own = bt_v3_distance(v->site->x[v->partner[i]], v->site->x[counted[k]]) >= DIRECTION;
    if (own) counted[count++] = v->partner[i];
  }
  return count;
}

static bool is_held(const bt_water_hold *h) {
  bool held = false;
  for (size_t k = 0; k < sizeof HOLDS / sizeof HOLDS[0]; k++)
    held = held || (h->bonds >= HOLDS[k].bonds && h->b_ratio <= HOLDS[k].b_ratio);
  return held && h->occupancy >= OCCUPIED && h->around >= BURIED && !h->crowded;
}

static void judge(const site *s, const bt_structure_atom *oxygen, bt_water_hold *ret_hold) {
  *ret_hold = (bt_water_hold){.judged = true, .occupancy = oxygen->occupancy, .b_factor = oxygen->b_factor};
  survey v = {.site = s, .hold = ret_hold};
  bt_cells_near(s->cells, oxygen->x, AROUND, look, &v);
  ret_hold->bonds = count_bonds(&v);
  double mean = ret_hold->around > 0 ? v.sum / ret_hold->around : 0.0;
  ret_hold->b_ratio = mean > 0.0 ? oxygen->b_factor / mean : 1.0;
  ret_hold->bound = is_held(ret_hold);
}

/* ------------------------------------------------------------------------------------------------------ Waters -- */

/* The atom that stands for a water; NULL: it has none. */
static const bt_structure_atom *oxygen_of(const bt_receptor_work *prep, int i) {
  const bt_structure_residue *r = bt_receptor_source(prep, i);
  char letter = bt_receptor_altloc(prep, r);
  const bt_structure_atom *first = NULL;
  for (int a = r->first_atom; a < r->end_atom; a++) {
    const bt_structure_atom *atom = &prep->structure->atoms[a];
    if (atom->element != 8) continue;
    if (atom->altloc == '\0' || atom->altloc == letter) return atom;
    if (first == NULL) first = atom;
  }
  return first;
}

/* Does a water that the user keeps stand there? */
static bool is_taken(const bt_receptor_work *prep, const double x[3]) {
  for (int i = 0; i < prep->n_residues; i++) {
    const bt_receptor_residue *r = &prep->residues[i];
    if (r->fate != BT_FATE_KEPT || !r->held || !bt_receptor_is_water(prep, i)) continue;
    for (int a = 0; a < r->n_atoms; a++)
      if (bt_v3_distance(r->atoms[a].x, x) < CROWDED) return true;
  }
  return false;
}

static bool comes_first(const bt_water_hold *a, const bt_water_hold *b) {
  if (fabs(a->occupancy - b->occupancy) > 1e-6) return a->occupancy > b->occupancy;
  if (a->bonds != b->bonds) return a->bonds > b->bonds;
  return a->b_factor <= b->b_factor;
}

/* Of bound waters in one place one stays. */
static void settle(bt_receptor_work *prep, const int *waters, int count) {
  for (int i = 0; i < count; i++)
    for (int j = i + 1; j < count; j++) {
      bt_water_hold *a = &prep->residues[waters[i]].water, *b = &prep->residues[waters[j]].water;
      if (!a->bound || !b->bound) continue;
      if (bt_v3_distance(oxygen_of(prep, waters[i])->x, oxygen_of(prep, waters[j])->x) >= CROWDED) continue;
      bt_water_hold *other = comes_first(a, b) ? b : a;
      other->bound = false;
      other->crowded = true;
    }
}

static void explain(bt_receptor_residue *r) {
  const bt_water_hold *h = &r->water;
  bt_receptor_note(r, "%d hydrogen bond%s, %d atoms within %g Angstrom, B factor %.1f, %.2f times theirs%s%s", h->bonds,
                   h->bonds == 1 ? "" : "s", h->around, AROUND, h->b_factor, h->b_ratio,
                   h->occupancy < OCCUPIED ? ", partly occupied" : "", h->crowded ? ", in the place of others" : "");
}

static bt_status keep(bt_receptor_work *prep, int i) {
  bt_receptor_residue *r = &prep->residues[i];
  r->fate = BT_FATE_KEPT;
  r->removal = BT_REMOVAL_NONE;
  bt_text_destroy(&r->notes);
  bt_receptor_note(r, "bound water");
  explain(r);
  return bt_receptor_take_atoms(prep, i);
}

static bt_status judge_all(bt_receptor_work *prep, site *s) {
  BT_SCOPED int *waters = bt_allocate((size_t)prep->n_residues, sizeof *waters);
  int count = 0;
  if (waters == NULL) return bt_fail_memory(prep->opt_error);
  BT_TRY(make_site(prep, s));
  for (int i = 0; i < prep->n_residues; i++) {
    bt_receptor_residue *r = &prep->residues[i];
    if (r->fate != BT_FATE_DELETED || r->removal != BT_REMOVAL_WATER || bt_receptor_is_far(prep, i)) continue;
    const bt_structure_atom *oxygen = oxygen_of(prep, i);
    if (oxygen == NULL) continue;
    judge(s, oxygen, &r->water);
    if (r->water.bound && is_taken(prep, oxygen->x)) {
      r->water.bound = false;
      r->water.crowded = true;
    }
    if (r->water.bound) waters[count++] = i;
  }
  settle(prep, waters, count);
  return BT_OK;
}

bt_status bt_receptor_bound_waters(bt_receptor_work *prep) {
  BT_ENDED_BY(clear) site s = {0};
  BT_TRY(judge_all(prep, &s));
  for (int i = 0; i < prep->n_residues; i++) {
    bt_receptor_residue *r = &prep->residues[i];
    if (!r->water.judged) continue;
    if (r->water.bound && prep->options->waters == BT_WATERS_BOUND)
      BT_TRY(keep(prep, i));
    else
      explain(r);
  }
  return BT_OK;
}
