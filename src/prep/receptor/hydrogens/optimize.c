/* optimize.c - optimizes the hydrogen-bond network: rotatable hydrogens, tautomers, flips.
 *
 * Groups of atoms with a choice of states (movers.c) interact with all others through a simple energy, in kcal/mol:
 * Coulomb with a distance-dependent dielectric of 4 r, a term for hydrogen bonds, and one for clashes. It ranks states
 * of the same atoms and is used for nothing else.
 */
#include <math.h>
#include <stdlib.h>

#include "base/cells.h"
#include "base/memory.h"
#include "prep/network.h"
#include "prep/receptor/hydrogens/movers.h"
#include "base/vector.h"

static const double REACH = 5.5;     /* Angstrom */
static const double FLIP_COST = 2.0; /* a flip must gain at least this */
static const double WORTH_A_NOTE = 3.0;

/* ------------------------------------------------------------------------------------------ Energy of two atoms -- */

static double hydrogen_bond(const bt_probe *h, const bt_probe *acceptor, double d) {
  double to_donor[3], to_acceptor[3];
  if (d > 2.7 || !bt_v3_towards(to_donor, h->x, h->donor) || !bt_v3_towards(to_acceptor, h->x, acceptor->x)) return 0.0;
  double cosine = bt_v3_dot(to_donor, to_acceptor);
  if (cosine > -0.3) return 0.0;
  double near = 1.0 - fabs(d - 1.9) / 0.8;
  return near > 0.0 ? -3.0 * near * cosine * cosine : 0.0;
}

static double clash(double d, double closest) { return d < closest ? 20.0 * (closest - d) * (closest - d) : 0.0; }

static double energy_of(const bt_probe *a, const bt_probe *b) {
  double d2 = bt_v3_distance2(a->x, b->x);
  if (d2 > REACH * REACH) return 0.0;
  double d = sqrt(d2), soft = d < 1.4 ? 1.4 : d;
  double sum = 332.06 / 4.0 * a->charge * b->charge / (soft * soft);
  if (a->role != BT_PROBE_HYDROGEN && b->role == BT_PROBE_HYDROGEN) {
    const bt_probe *swap = a;
    a = b;
    b = swap;
  }
  if (a->role != BT_PROBE_HYDROGEN) return sum + clash(d, 2.4);
  if (b->role == BT_PROBE_HYDROGEN) return sum + clash(d, 2.0);
  if (b->role == BT_PROBE_ACCEPTOR) return sum + hydrogen_bond(a, b, d) + clash(d, 1.6);
  return sum + clash(d, 2.3);
}

/* ------------------------------------------------------------------------------------------- Energies of states -- */

typedef struct bt_scene {
  bt_receptor_work *prep;
  const bt_movers *movers;
  int n_fixed;
  bt_probe *fixed;
  bt_cells *cells; /* of the fixed probes */
  bt_network *network;
} bt_scene;

typedef struct bt_sum {
  const bt_scene *scene;
  const bt_mover *mover;
  const bt_probe *probe;
  double energy;
} bt_sum;

/* Atoms bonded to the group do not move with its states. */
static bool is_excluded(const bt_mover *mover, const bt_probe *fixed) {
  if (fixed->residue != mover->residue) return bt_v3_distance2(fixed->x, mover->center) < 1.9 * 1.9;
  if (mover->whole_side) return !fixed->backbone;
  return bt_v3_distance2(fixed->x, mover->center) < 1.95 * 1.95;
}

static void add_fixed(void *context, int point, double distance2) {
  (void)distance2;
  bt_sum *sum = context;
  const bt_probe *fixed = &sum->scene->fixed[point];
  if (!is_excluded(sum->mover, fixed)) sum->energy += energy_of(sum->probe, fixed);
}

static double energy_alone(const bt_scene *scene, const bt_mover *mover, int state) {
  bt_sum sum = {.scene = scene, .mover = mover};
  const bt_mover_state *s = &mover->states[state];
  for (int p = 0; p < s->n_probes; p++) {
    sum.probe = &s->probes[p];
    bt_cells_near(scene->cells, sum.probe->x, REACH, add_fixed, &sum);
  }
  return sum.energy + s->cost + (s->flipped ? FLIP_COST : 0.0);
}

static bt_status join_movers(bt_scene *scene, int i, int j) {
  const bt_mover *a = &scene->movers->items[i], *b = &scene->movers->items[j];
  size_t count = (size_t)a->n_states * (size_t)b->n_states;
  BT_SCOPED double *energy = bt_allocate(count, sizeof *energy);
  double largest = 0.0;
  if (energy == NULL) return bt_fail_memory(scene->prep->opt_error);
  for (int s = 0; s < a->n_states; s++)
    for (int t = 0; t < b->n_states; t++) {
      double *e = &energy[s * b->n_states + t];
      for (int p = 0; p < a->states[s].n_probes; p++)
        for (int q = 0; q < b->states[t].n_probes; q++)
          *e += energy_of(&a->states[s].probes[p], &b->states[t].probes[q]);
      largest = fmax(largest, fabs(*e));
    }
  return largest > 0.01 ? bt_network_join(scene->network, i, j, energy, scene->prep->opt_error) : BT_OK;
}

/* -------------------------------------------------------------------------------------------------- Fixed atoms -- */

/* Oxygens of the removed ligand accept hydrogen bonds, its other atoms fill space; whether its nitrogens are donors or
 * acceptors is not known, so they are neither. */
static void add_ligand(bt_scene *scene, double (*x)[3]) {
  const bt_structure *s = scene->prep->structure;
  for (int i = 0; i < s->n_residues; i++) {
    if (scene->prep->residues[i].fate != BT_FATE_LIGAND) continue;
    for (int a = s->residues[i].first_atom; a < s->residues[i].end_atom; a++) {
      int element = s->atoms[a].element;
      if (element == 1 || element == 7) continue;
      bt_probe *probe = &scene->fixed[scene->n_fixed];
      *probe = (bt_probe){.residue = i, .charge = element == 8 ? -0.35 : 0.0};
      probe->role = element == 8 ? BT_PROBE_ACCEPTOR : BT_PROBE_OTHER;
      bt_v3_copy(probe->x, s->atoms[a].x);
      bt_v3_copy(x[scene->n_fixed++], s->atoms[a].x);
    }
  }
}

static bt_status collect_fixed(bt_scene *scene) {
  const bt_receptor_work *prep = scene->prep;
  size_t count = 0;
  for (int i = 0; i < prep->n_residues; i++) {
    const bt_structure_residue *source = bt_receptor_source(prep, i);
    count += (size_t)prep->residues[i].n_atoms + (size_t)(source->end_atom - source->first_atom);
  }
  scene->fixed = bt_allocate(count, sizeof *scene->fixed);
  BT_SCOPED double(*x)[3] = bt_allocate(count, sizeof *x);
  if (scene->fixed == NULL || x == NULL) return bt_fail_memory(prep->opt_error);
  for (int i = 0; i < prep->n_residues; i++) {
    if (prep->residues[i].fate != BT_FATE_KEPT) continue;
    for (int a = 0; a < prep->residues[i].n_atoms; a++) {
      if (bt_movers_own(scene->movers, prep, i, a)) continue;
      scene->fixed[scene->n_fixed] = bt_probe_of(prep, i, a);
      bt_v3_copy(x[scene->n_fixed], scene->fixed[scene->n_fixed].x);
      scene->n_fixed++;
    }
  }
  add_ligand(scene, x);
  return bt_cells_create((const double(*)[3])x, scene->n_fixed, REACH, &scene->cells, prep->opt_error);
}

/* ---------------------------------------------------------------------------------------------------- The whole -- */

typedef struct bt_partner_search {
  bt_scene *scene;
  int mover;
  bt_status status;
} bt_partner_search;

/* Radius of a group about its center, Angstrom. */
static double extent(const bt_mover *mover) { return mover->whole_side ? 3.0 : 1.4; }

static void join_partner(void *context, int point, double distance2) {
  bt_partner_search *search = context;
  const bt_movers *movers = search->scene->movers;
  double reach = REACH + extent(&movers->items[search->mover]) + extent(&movers->items[point]);
  if (point > search->mover && search->status == BT_OK && distance2 < reach * reach)
    search->status = join_movers(search->scene, search->mover, point);
}

/* Joins groups that are close enough to interact. */
static bt_status join_all(bt_scene *scene) {
  const double reach = REACH + 6.0;
  const bt_movers *movers = scene->movers;
  BT_SCOPED double(*x)[3] = bt_allocate((size_t)movers->count, sizeof *x);
  if (x == NULL) return bt_fail_memory(scene->prep->opt_error);
  for (int i = 0; i < movers->count; i++) bt_v3_copy(x[i], movers->items[i].center);
  bt_cells *cells;
  BT_TRY(bt_cells_create((const double(*)[3])x, movers->count, reach, &cells, scene->prep->opt_error));
  bt_partner_search search = {.scene = scene, .status = BT_OK};
  for (; search.status == BT_OK && search.mover < movers->count; search.mover++)
    bt_cells_near(cells, x[search.mover], reach, join_partner, &search);
  bt_cells_destroy(cells);
  return search.status;
}

/* Notes flips that were made, or would have been favorable. */
static void note_flips(bt_scene *scene, const int *states) {
  for (int i = 0; i < scene->movers->count; i++) {
    const bt_mover *mover = &scene->movers->items[i];
    if (mover->states[states[i]].flipped) {
      bt_receptor_warn(scene->prep, mover->residue, "side chain turned by 180 degrees for better hydrogen bonds");
      continue;
    }
    double now = bt_network_energy(scene->network, states, i, states[i]), best = INFINITY;
    for (int s = 0; s < mover->n_states; s++) {
      if (!mover->states[s].flipped) continue;
      bt_network_set(scene->network, i, s, energy_alone(scene, mover, s));
      best = fmin(best, bt_network_energy(scene->network, states, i, s));
    }
    if (!scene->prep->options->flips && best < now - WORTH_A_NOTE)
      bt_receptor_warn(scene->prep, mover->residue,
                       "turning the side chain by 180 degrees would improve its hydrogen bonds; flips are off");
  }
}

static bt_status solve(bt_scene *scene) {
  bt_receptor_work *prep = scene->prep;
  const bt_movers *movers = scene->movers;
  BT_SCOPED int *counts = bt_allocate((size_t)movers->count, sizeof *counts);
  BT_SCOPED int *states = bt_allocate((size_t)movers->count, sizeof *states);
  if (counts == NULL || states == NULL) return bt_fail_memory(prep->opt_error);
  for (int i = 0; i < movers->count; i++) counts[i] = movers->items[i].n_states;
  BT_TRY(bt_network_create(movers->count, counts, &scene->network, prep->opt_error));
  for (int i = 0; i < movers->count; i++)
    for (int s = 0; s < counts[i]; s++) {
      bool forbidden = movers->items[i].states[s].flipped && !prep->options->flips;
      bt_network_set(scene->network, i, s, forbidden ? INFINITY : energy_alone(scene, &movers->items[i], s));
    }
  BT_TRY(join_all(scene));
  BT_TRY(bt_network_solve(scene->network, states, prep->opt_error));
  note_flips(scene, states);
  return bt_movers_apply(prep, movers, states);
}

bt_status bt_receptor_optimize(bt_receptor_work *prep) {
  BT_ENDED_BY(bt_movers_destroy) bt_movers movers = {0};
  bt_scene scene = {.prep = prep, .movers = &movers};
  BT_TRY(bt_movers_find(prep, &movers));
  if (movers.count == 0) return BT_OK;
  bt_status status = collect_fixed(&scene);
  if (status == BT_OK) status = solve(&scene);
  bt_network_destroy(scene.network);
  bt_cells_destroy(scene.cells);
  free(scene.fixed);
  return status;
}
