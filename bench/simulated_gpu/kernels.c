/* kernels.c - what the search's kernels would have left in memory: random populations, and evaluations that count. */
#include "simulated_gpu.h"

#include "kernel/lga/launch.h"

typedef struct arguments {
  char *arena;
  const bt_launch *launch;
} arguments;

static float *floats(const arguments *a, bt_offset at) { return (float *)(void *)(a->arena + at); }

static const bt_launch_ligand *ligand_of(const arguments *a, int ligand) {
  return (const bt_launch_ligand *)(const void *)(a->arena + a->launch->ligands) + ligand;
}

/* Uniform in [0, 1): a linear congruential generator is good enough for poses that nobody looks at. */
static float draw(unsigned int *state) {
  *state = *state * 1664525U + 1013904223U;
  return (float)(*state >> 8) / 16777216.0F;
}

/* A pose near the center of the box: in the inner half, and turned at random. */
static void fill_pose(const bt_launch_ligand *l, float *genes, unsigned int *state) {
  const float size[3] = {l->box.size_x, l->box.size_y, l->box.size_z};
  float length = 0;
  for (int k = 0; k < 3; k++) genes[BT_GENE_POSITION + k] = size[k] * (0.25F + 0.5F * draw(state));
  for (int k = BT_GENE_QUATERNION; k < BT_GENE_TORSION; k++) {
    genes[k] = draw(state) - 0.5F;
    length += genes[k] * genes[k];
  }
  if (length < 1e-3F) genes[BT_GENE_QUATERNION] = 1.0F;
  for (int k = BT_GENE_TORSION; k < BT_GENES(l->sizes.n_torsions); k++) genes[k] = 6.28F * draw(state) - 3.14F;
}

/* The populations of a run, on both sides. */
static void fill_run(const arguments *a, const bt_launch_ligand *l, int run) {
  int population = l->parameters.population, genes = BT_GENES(l->sizes.n_torsions);
  unsigned int state = l->parameters.key0 ^ (unsigned int)(run * 7919);
  for (int side = 0; side < 2; side++) {
    for (int i = run * population; i < (run + 1) * population; i++) {
      fill_pose(l, floats(a, l->genes[side]) + (ptrdiff_t)i * genes, &state);
      floats(a, l->energies[side])[i] = -8.0F * draw(&state);
    }
  }
}

/* The first time of a run, its population is made; then every individual of a generation is searched. */
static void finish_run(const arguments *a, const bt_launch_ligand *l, int run) {
  bt_launch_run *state = (bt_launch_run *)(void *)(a->arena + l->runs) + run;
  const bt_search_parameters *p = &l->parameters;
  if (a->launch->generation == 0) {
    fill_run(a, l, run);
    *state = (bt_launch_run){.evaluations = p->population, .best_energy = -8.0F};
    return;
  }
  state->evaluations += p->population + (bt_offset)BT_SEARCHED(p) * p->iterations;
}

static void finish(const arguments *a, unsigned int blocks) {
  const bt_launch_block *table = (const bt_launch_block *)(const void *)(a->arena + a->launch->blocks);
  for (unsigned int b = 0; b < blocks; b++) {
    const bt_launch_ligand *l = ligand_of(a, table[b].ligand);
    for (int run = table[b].first; run < table[b].first + a->launch->count && run < l->parameters.runs; run++)
      finish_run(a, l, run);
  }
}

void simulated_run(int kernel, unsigned int blocks, void **given) {
  arguments a = {.launch = given[2]};
  a.arena = *(char **)given[0];
  if (kernel == BT_LAUNCH_FINISH) finish(&a, blocks);
}
