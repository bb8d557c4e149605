/* randomize.c - a random pose whose own atoms do not clash: AutoDock Vina's --randomize_only. */
#include <berth/vina.h>
#include <math.h>

#include "chem/element.h"
#include "results/result.h"

static const int ATTEMPTS = 10000;

/* Steele, Lea, Flood, OOPSLA 2014: SplitMix64; in [0, 1). */
static double uniform(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static void draw(const bt_ligand *ligand, const bt_maps *maps, uint64_t *state, bt_genotype *genotype) {
  const double turn = 6.283185307179586477;
  for (int k = 0; k < 3; k++) genotype->position[k] = maps->low[k] + uniform(state) * (maps->high[k] - maps->low[k]);
  double part = uniform(state), first = turn * uniform(state), second = turn * uniform(state);
  genotype->quaternion[0] = sqrt(1 - part) * sin(first); /* Shoemake, Graphics Gems III, 1992 */
  genotype->quaternion[1] = sqrt(1 - part) * cos(first);
  genotype->quaternion[2] = sqrt(part) * sin(second);
  genotype->quaternion[3] = sqrt(part) * cos(second);
  for (int t = 0; t < ligand->n_torsions; t++) genotype->torsions[t] = turn * (uniform(state) - 0.5);
  for (int p = 1; p < ligand->n_parts; p++) /* from [-pi, pi] to the box */
    for (int k = 0; k < 3; k++) {
      double *position = &genotype->torsions[ligand->parts[p].position + k];
      *position = maps->low[k] + (*position / turn + 0.5) * (maps->high[k] - maps->low[k]);
    }
}

/* Sum of 1 - (r / 2 R)^2 over pairs nearer than twice the sum R of their covalent radii. */
static double clash(const bt_ligand *ligand, const double *xyz) {
  double sum = 0;
  for (int p = 0; p < ligand->n_pairs; p++) {
    int i = ligand->pairs[p].i, j = ligand->pairs[p].j;
    double reach = 2 * (bt_element_radius(bt_element_of_type(bt_ligand_atom(ligand, i, NULL)->type)) +
                        bt_element_radius(bt_element_of_type(bt_ligand_atom(ligand, j, NULL)->type)));
    double r2 = 0;
    for (int k = 0; k < 3; k++) r2 += (xyz[3 * i + k] - xyz[3 * j + k]) * (xyz[3 * i + k] - xyz[3 * j + k]);
    if (r2 < reach * reach) sum += 1 - r2 / (reach * reach);
  }
  return sum;
}

static void search(bt_result *result, uint64_t seed) {
  const bt_ligand *ligand = result->ligand;
  bt_run *run = &result->runs[0];
  double least = INFINITY;
  uint64_t state = seed, best = seed;
  for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
    uint64_t before = state;
    draw(ligand, result->maps, &state, &run->genotype);
    bt_genotype_coordinates(ligand, &run->genotype, run->xyz);
    double sum = clash(ligand, run->xyz);
    if (sum >= least) continue;
    least = sum;
    best = before;
  }
  draw(ligand, result->maps, &best, &run->genotype); /* the same numbers again */
  bt_genotype_coordinates(ligand, &run->genotype, run->xyz);
}

bt_status bt_randomize(const bt_ligand *ligand, const bt_maps *maps, uint64_t seed, bt_result **ret_result,
                       bt_error *opt_error) {
  bt_dock_options options = bt_dock_options_default();
  options.runs = 1;
  BT_TRY(bt_result_create(ligand, maps, NULL, &options, ret_result, opt_error));
  search(*ret_result, seed);
  return BT_OK;
}
