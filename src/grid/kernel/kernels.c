/* kernels.c - the arithmetic of the maps, compiled once per instruction set (BT_GRID_ISA). */
#include "grid/kernel/job.h"
#include "grid/kernel/lanes.h"
#include "grid/kernel/near.h"
#include "grid/kernel/rows.h"
#include "grid/kernel/vina.h"

/* Workspace of a leaf: what does not fit into registers. Aligned for the widest vectors. */
typedef struct workspace {
  int noted[NOTED][BT_LANES];
  hbond tail[]; /* hbonds of every probe, then the sums of every group (at most one group per probe) */
} workspace;

/* Sums at all points of a leaf; points beyond the grid stay zero. */
typedef struct leaf_sums {
  float electrostatic[BT_GRID_LEAF_POINTS]; /* of near and charges */
  float volume[BT_GRID_LEAF_POINTS];        /* sum of V G */
  float solvation[BT_GRID_LEAF_POINTS];     /* sum of (S + c_q |q|) G */
} leaf_sums;

static void start_tile(tile *t, const bt_grid_scene *scene, const bt_grid_leaf *leaf, int first, workspace *space) {
  int n_probes = scene->tables->n_probes;
  *t = (tile){.scene = scene, .leaf = leaf, .first = first, .noted = space->noted, .hbonds = space->tail};
  t->sums = (float(*)[BT_LANES][BT_GRID_ROW_WIDTH])(void *)(space->tail + n_probes);
  t->px = bt_load(&leaf->local[0][first]);
  t->py = bt_load(&leaf->local[1][first]);
  t->pz = bt_load(&leaf->local[2][first]);
  for (int p = 0; p < n_probes; p++)
    t->hbonds[p] = (hbond){.lowest = bt_splat(NO_EXTREME), .highest = bt_splat(-NO_EXTREME)};
  memset(t->sums, 0, (size_t)scene->tables->n_groups * sizeof *t->sums);
}

/* Leaves unrounded sums in the arrays of the leaf; far and affinity are completed by round_leaf(). */
static inline void finish_tile(const tile *t, const sums *sum, bt_grid_leaf *leaf, leaf_sums *all) {
  bt_store(&all->electrostatic[t->first], sum->electrostatic);
  bt_store(&all->volume[t->first], sum->volume);
  bt_store(&all->solvation[t->first], sum->solvation);
  for (int p = 0; p < t->scene->tables->n_probes; p++) {
    float plain[BT_LANES];
    for (int l = 0; l < BT_LANES; l++) plain[l] = t->sums[p / BT_GRID_ROW_WIDTH][l][p % BT_GRID_ROW_WIDTH];
    const hbond *h = &t->hbonds[p];
    /* AutoGrid 4.2.6 adds both extremes, even when they are the same pair */
    bt_real extremes = bt_select(bt_lt(h->lowest, bt_splat(NO_EXTREME)), h->lowest + h->highest, bt_splat(0.0f));
    bt_store(&leaf->affinity[p][t->first], bt_load(plain) + h->sum + extremes);
  }
}

static void round_leaf(const bt_grid_tables *tables, const leaf_sums *all, bt_grid_leaf *leaf) {
  for (int i = 0; i < BT_GRID_LEAF_POINTS; i++) {
    leaf->electrostatic[i] = bt_grid_rounded((double)all->electrostatic[i] + leaf->far[i]);
    leaf->desolvation[i] = bt_grid_rounded(tables->solvation_charge * (double)all->volume[i]);
  }
  for (int p = 0; p < tables->n_probes; p++) {
    double volume = tables->probe_volume[p], solvation = tables->probe_solvation[p];
    float *values = leaf->affinity[p];
    for (int i = 0; i < BT_GRID_LEAF_POINTS; i++) {
      double desolvation = solvation * (double)all->volume[i] + volume * (double)all->solvation[i];
      values[i] = bt_grid_rounded((double)values[i] + desolvation);
    }
  }
}

static void leaf_maps(const bt_grid_scene *scene, bt_grid_leaf *leaf, void *space) {
  bool weakened = scene->tables->acceptors.count > 0 && leaf->end[BT_GRID_HYDROGEN] > leaf->end[BT_GRID_HYDROGEN - 1];
  leaf_sums all = {{0.0f}, {0.0f}, {0.0f}};
  for (int first = 0; first < BT_GRID_LEAF_POINTS; first += BT_LANES) {
    if (first / 16 >= leaf->extent[2] || first / 4 % 4 >= leaf->extent[1]) continue; /* beyond the grid */
    tile t;
    start_tile(&t, scene, leaf, first, space);
    if (weakened) find_nearest(&t);
    sums sum = {{0.0f}, {0.0f}, {0.0f}};
    add_charges(&t, &sum);
    add_kind(&t, &sum, BT_GRID_PLAIN);
    add_kind(&t, &sum, BT_GRID_HYDROGEN);
    add_kind(&t, &sum, BT_GRID_SPHERICAL_DONOR);
    add_kind(&t, &sum, BT_GRID_NITROGEN);
    add_kind(&t, &sum, BT_GRID_OXYGEN);
    add_kind(&t, &sum, BT_GRID_HYDROXYL);
    add_kind(&t, &sum, BT_GRID_SPHERICAL_ACCEPTOR);
    finish_tile(&t, &sum, leaf, &all);
  }
  round_leaf(scene->tables, &all, leaf);
}

enum { AT_ONCE = BT_GRID_NODE_COUNT / BT_LANES < 4 ? BT_GRID_NODE_COUNT / BT_LANES : 4 };

static void far_potential(const bt_grid_tables *tables, int n, const float *x, const float *y, const float *z,
                          const float *charge, bt_grid_nodes *nodes) {
  bt_real scale = bt_splat(tables->far_scale);
  for (int first = 0; first < BT_GRID_NODE_COUNT; first += AT_ONCE * BT_LANES) {
    bt_real sum[AT_ONCE] = {{0.0f}};
    for (int i = 0; i < n; i++) {
      BT_UNROLL
      for (int v = 0; v < AT_ONCE; v++) {
        bt_real dx = bt_splat(x[i]) - bt_load(&nodes->x[0][first + v * BT_LANES]);
        bt_real dy = bt_splat(y[i]) - bt_load(&nodes->x[1][first + v * BT_LANES]);
        bt_real dz = bt_splat(z[i]) - bt_load(&nodes->x[2][first + v * BT_LANES]);
        bt_real inverse = reciprocal_root(dx * dx + dy * dy + dz * dz);
        bt_real screened = polynomial(tables->far, BT_GRID_FAR_DEGREE, inverse * scale - bt_splat(1.0f));
        sum[v] += bt_splat(charge[i]) * inverse * screened;
      }
    }
    for (int v = 0; v < AT_ONCE; v++) {
      float total[BT_LANES];
      bt_store(total, sum[v]);
      for (int l = 0; l < BT_LANES; l++) nodes->potential[first + v * BT_LANES + l] += (double)total[l];
    }
  }
}

#define NAME_OF(isa) #isa
#define KERNELS_OF(isa) bt_grid_kernels_##isa
#define EXPAND(macro, isa) macro(isa)

extern const bt_grid_kernels EXPAND(KERNELS_OF, BT_GRID_ISA);
const bt_grid_kernels EXPAND(KERNELS_OF, BT_GRID_ISA) = {
    .name = EXPAND(NAME_OF, BT_GRID_ISA),
    .workspace = sizeof(workspace),
    .workspace_per_probe = sizeof(hbond) + sizeof(float[BT_LANES][BT_GRID_ROW_WIDTH]),
    .leaf = leaf_maps,
    .far = far_potential,
    .rows = row_sums,
    .vina_point = vina_point,
    .vina_pairs = vina_pairs,
};
