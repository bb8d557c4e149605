/* tables.c - builds the tables of a job: pair energies, dielectric, desolvation, fitted polynomials. */
#include "grid/tables/tables.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "grid/tables/chebyshev.h"
#include "grid/tables/zinc.h"

/* Pairs whose energy depends on directions or competes for the best partner; the others are simply added. */
static bool is_directional(int probe, int receptor) {
  return (bt_ad4_donates(probe) && bt_ad4_accepts(receptor)) || (bt_ad4_accepts(probe) && bt_ad4_donates(receptor));
}

/* An override of the gpf, AD4Zn's law, or that of the force field. The last override that names the pair counts. */
static bt_ad4_pair pair_of(const bt_ad4_table *table, const bt_grid_options *options, const bt_ad4_type *probe,
                           const bt_ad4_type *partner, bool zinc) {
  bt_ad4_pair pair = bt_ad4_weighted_pair_law(&table->weights, probe, partner);
  if (zinc)
    bt_grid_zinc_pair(probe->name, partner->name, options->zinc_unweighted ? 1.0 : table->weights.vdw, &pair);
  for (int i = 0; i < options->n_overrides; i++) {
    const bt_grid_override *o = &options->overrides[i];
    bool named = (strcmp(o->type1, probe->name) == 0 && strcmp(o->type2, partner->name) == 0) ||
                 (strcmp(o->type2, probe->name) == 0 && strcmp(o->type1, partner->name) == 0);
    if (!named) continue;
    if (o->coefficients)
      pair = (bt_ad4_pair){.a = o->first, .b = o->second, .m = o->m, .n = o->n};
    else
      pair = bt_ad4_pair_from_well(o->first, o->second, o->m, o->n);
  }
  return pair;
}

static void store_pair(bt_grid_tables *tables, int probe, int type, bool directional, const double *energy) {
  size_t rows = BT_GRID_ROWS, width = BT_GRID_ROW_WIDTH;
  size_t group = (size_t)probe / width, column = (size_t)probe % width;
  float *row = tables->rows + ((group * (size_t)tables->n_types + (size_t)type) * rows) * width + column;
  float *list = tables->directional + ((size_t)probe * (size_t)tables->n_types + (size_t)type) * rows;
  for (size_t k = 0; k < BT_GRID_OUTSIDE; k++) {
    if (directional)
      list[k] = (float)energy[k];
    else
      row[k * width] = (float)energy[k];
  }
}

static void fill_pairs(bt_grid_tables *tables, const bt_grid_receptor *receptor, const bt_ad4_table *table,
                       const bt_ad4_type *const *probes, const bt_grid_options *options) {
  double energy[BT_GRID_PAIR_ROWS];
  bool zinc = bt_grid_zinc_holds(options, receptor);
  for (int p = 0; p < tables->n_probes; p++)
    for (int t = 0; t < tables->n_types; t++) {
      const bt_ad4_type *partner = receptor->types[t];
      bt_ad4_pair pair = pair_of(table, options, probes[p], partner, zinc);
      bt_grid_pair_table(&pair, options->smooth, energy);
      store_pair(tables, p, t, is_directional(probes[p]->hbond, partner->hbond), energy);
    }
}

typedef struct dielectric {
  double constant; /* 0: Mehler and Solmajer's function */
  double scale;
} dielectric;

static double screened(const void *context, double r) {
  const dielectric *d = context;
  return d->scale / (d->constant > 0.0 ? d->constant : bt_ad4_dielectric(r));
}

/* The same as a function of 1/r. AutoGrid looks epsilon up at the distance cut to 0.01 A, on average 0.005 A nearer. */
static double screened_of_inverse(const void *context, double inverse) {
  return screened(context, inverse > 1e-9 ? 1.0 / inverse - 0.005 : 1e9);
}

static void fill_electrostatics(bt_grid_tables *tables, const bt_ad4_table *table,
                                const bt_grid_options *options) {
  dielectric d = {.scale = BT_AUTOGRID_COULOMB * table->weights.electrostatic};
  if (options->no_electrostatics) d.scale = 0.0;
  if (options->dielectric >= 0.0) d.constant = options->dielectric > 0.0 ? options->dielectric : 40.0;
  for (int k = 0; k < BT_GRID_DISTANCE_ROWS; k++) tables->by_distance[k][0] = (float)screened(&d, k / 100.0);
  if (d.constant == 0.0) tables->by_distance[0][0] = (float)d.scale; /* AutoGrid has 1 for epsilon(0) */
  bt_chebyshev_fit(screened_of_inverse, &d, 0.0, 1.0 / BT_AD4_CUTOFF, BT_GRID_FAR_DEGREE, tables->far);
  tables->far_scale = (float)(2.0 * BT_AD4_CUTOFF);
}

static void fill_desolvation(bt_grid_tables *tables, const bt_ad4_table *table) {
  const double sigma = BT_AD4_SOLVATION_SIGMA;
  for (int k = 1; k < BT_GRID_OUTSIDE; k++) {
    double r = k / 100.0;
    tables->by_distance[k][1] = (float)(table->weights.desolvation * exp(-r * r / (2.0 * sigma * sigma)));
  }
  /* row 0 stays zero, as AutoGrid's, and so do all beyond 8 A */
}

/* Weakening of a hydrogen bond by the angle between its bond and that of the closest hydrogen, as a function of
 * cos(angle / 2), in which it is smooth. */
static double ramp(const void *context, double half_cosine) {
  (void)context;
  double angle = 2.0 * acos(fmin(1.0, fmax(-1.0, half_cosine)));
  return 0.5 - 0.5 * cos(angle * 120.0 / 90.0);
}

static void list_probes(bt_arena *arena, const bt_ad4_type *const *probes, int n_probes, int code1, int code2,
                        bt_grid_probe_list *list) {
  BT_NEW(arena, list->probes, n_probes);
  for (int p = 0; p < n_probes && list->probes != NULL; p++)
    if (probes[p]->hbond == code1 || probes[p]->hbond == code2) list->probes[list->count++] = p;
}

bt_status bt_grid_tables_build(const bt_grid_receptor *receptor, const bt_ad4_table *table,
                               const bt_ad4_type *const *probes, int n_probes, const bt_grid_options *options,
                               bt_arena *arena, bt_grid_tables *ret_tables, bt_error *opt_error) {
  bt_grid_tables *t = ret_tables;
  *t = (bt_grid_tables){.n_probes = n_probes,
                        .n_groups = (n_probes + BT_GRID_ROW_WIDTH - 1) / BT_GRID_ROW_WIDTH,
                        .n_types = receptor->n_types,
                        .solvation_charge = options->solvation_charge};
  size_t per_type = BT_GRID_ROWS * sizeof(float), types = (size_t)t->n_types;
  t->rows = bt_arena_allocate(arena, (size_t)t->n_groups * types, per_type * BT_GRID_ROW_WIDTH);
  t->directional = bt_arena_allocate(arena, (size_t)n_probes * types, per_type);
  BT_NEW(arena, t->by_distance, BT_GRID_DISTANCE_ROWS);
  BT_NEW(arena, t->probe_volume, n_probes);
  BT_NEW(arena, t->probe_solvation, n_probes);
  list_probes(arena, probes, n_probes, 3, 5, &t->acceptors);
  list_probes(arena, probes, n_probes, 4, 4, &t->nitrogens);
  list_probes(arena, probes, n_probes, 1, 2, &t->donors);
  BT_TRY(bt_arena_status(arena, opt_error));
  for (int p = 0; p < n_probes; p++) {
    t->probe_volume[p] = probes[p]->volume;
    t->probe_solvation[p] = probes[p]->solvation;
  }
  fill_pairs(t, receptor, table, probes, options);
  fill_electrostatics(t, table, options);
  fill_desolvation(t, table);
  bt_chebyshev_fit(ramp, NULL, 0.0, 1.0, BT_GRID_RAMP_DEGREE, t->ramp);
  return BT_OK;
}
