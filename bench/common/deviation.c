/* deviation.c - see deviation.h. */
#include "bench/common/deviation.h"

#include <math.h>
#include <stdlib.h>

#include "base/status.h"
#include "base/vector.h"

static bool on_cell_face(const bench_pose *p) {
  for (int i = 0; i < 3 * p->ligand->n_atoms; i++) {
    double cell = (p->xyz[i] - p->maps->low[i % 3]) / p->maps->box.spacing;
    if (fabs(cell - rint(cell)) < 1e-4) return true;
  }
  return false;
}

/* Sum over all atoms of |force| |distance from the center|. */
static double moment_of(const bench_pose *p) {
  double moment = 0;
  for (int i = 0; i < p->ligand->n_atoms; i++) {
    double force = 0, distance = 0;
    for (int k = 0; k < 3; k++) {
      double f = p->atom_gradient[3 * i + k], d = p->xyz[3 * i + k] - p->genotype.position[k];
      force += f * f;
      distance += d * d;
    }
    moment += sqrt(force * distance);
  }
  return moment;
}

bt_status bench_pose_create(const bt_ligand *ligand, const bt_maps *maps, const bt_scorer *scorer, bt_search_law law,
                            bench_pose *ret_pose, bt_error *opt_error) {
  size_t n = 3 * (size_t)ligand->n_atoms;
  bench_pose p = {.ligand = ligand, .maps = maps, .scorer = scorer, .law = law};
  BT_TRY(bt_genotype_create(ligand->n_torsions, &p.genotype, opt_error));
  p.xyz = calloc(2 * n + 6 + (size_t)ligand->n_torsions, sizeof *p.xyz);
  if (p.xyz == NULL) {
    bt_genotype_destroy(&p.genotype);
    return bt_fail_memory(opt_error);
  }
  p.atom_gradient = p.xyz + n;
  p.gradient = p.atom_gradient + n;
  *ret_pose = p;
  return BT_OK;
}

void bench_pose_destroy(bench_pose *pose) {
  if (pose->xyz == NULL) return;
  bt_genotype_destroy(&pose->genotype);
  free(pose->xyz);
  pose->xyz = NULL;
}

void bench_pose_set(bench_pose *p, const bt_dock_data *data, const float *genes) {
  bt_genes_to_genotype(data, genes, &p->genotype);
  bt_genotype_coordinates(p->ligand, &p->genotype, p->xyz);
  p->energy = bt_score_objective(p->scorer, p->xyz, p->atom_gradient);
  p->excess = bt_score_excess(p->ligand, p->maps, p->xyz);
  bt_genotype_gradient(p->ligand, &p->genotype, p->xyz, p->atom_gradient, p->gradient);
  p->largest = 0;
  for (int k = 0; k < 6 + p->ligand->n_torsions; k++) p->largest = fmax(p->largest, fabs(p->gradient[k]));
  p->moment = moment_of(p);
  p->on_cell_face = on_cell_face(p);
  /* limiting forces does not make those below the limit more accurate: tolerances stay those of the plain gradient */
  bt_score_search(p->scorer, p->xyz, &p->law, p->atom_gradient);
  bt_genotype_gradient(p->ligand, &p->genotype, p->xyz, p->atom_gradient, p->gradient);
}

double bench_pose_nearest(const bench_pose *p) {
  double nearest = INFINITY;
  for (int i = 0; i < p->ligand->n_pairs; i++) {
    const bt_pair *pair = &p->ligand->pairs[i];
    nearest = fmin(nearest, bt_v3_distance(p->xyz + 3 * pair->i, p->xyz + 3 * pair->j));
  }
  return nearest;
}

double bench_energy_tolerance(int n_pairs, double energy) { return 0.005 + 5e-6 * n_pairs + 0.00025 * fabs(energy); }

/* With a wall, the energy of a pose outside the box is lost in single precision; only the fact that it is outside can
 * be checked. A clash inside can cost as much, so the energy alone cannot tell the two apart. */
static bool is_walled(const bench_pose *p, double energy, bench_deviation *deviation) {
  if (p->law.wall == 0) return false;
  bool lifted = energy >= 0.5 * p->law.wall; /* half of it: atoms inside may attract */
  if (fabs(p->excess) <= 1e-4) return lifted; /* may be on either side in single precision */
  if (p->excess > 0 && !lifted) deviation->energy = INFINITY;
  return p->excess > 0;
}

void bench_deviation_add_energy(const bench_pose *p, float energy, bench_deviation *deviation) {
  if (is_walled(p, (double)energy, deviation)) return;
  double of_energy = fabs((double)energy - p->energy) / bench_energy_tolerance(p->ligand->n_pairs, p->energy);
  deviation->energy = fmax(deviation->energy, isnan(of_energy) ? INFINITY : of_energy);
}

void bench_deviation_add(const bench_pose *p, float energy, const float *gradient, bench_deviation *deviation) {
  double off = 0;
  bench_deviation_add_energy(p, energy, deviation);
  if (p->on_cell_face) return;
  for (int k = 0; k < 6 + p->ligand->n_torsions; k++) {
    double distance = fabs((double)gradient[k] - p->gradient[k]);
    off = fmax(off, isnan(distance) ? INFINITY : distance);
  }
  deviation->gradient = fmax(deviation->gradient, off / (0.02 + 0.0006 * p->largest + 1e-4 * p->moment));
}
