/* vina.c - double-precision energies for Vina and Vinardo: exact sums over the receptor.
 *
 * inter is the sum over moving atoms of curl(sum over the receptor), intra that over pairs of curl(pair). The search
 * objective has no curl: the repulsion is soft enough.
 */
#include <math.h>
#include <string.h>

#include "grid/vina/vina_receptor.h"
#include "score/interpolate.h"
#include "score/scorer.h"

bt_status bt_scorer_fill_vina(bt_scorer *scorer, bt_error *opt_error) {
  const bt_ligand *ligand = scorer->ligand;
  size_t n = (size_t)ligand->n_types;
  scorer->vina = bt_vina_law_of(ligand->scoring);
  if (BT_NEW(&scorer->arena, scorer->vina_pairs, n * n) == NULL) return bt_fail_memory(opt_error);
  for (size_t a = 0; a < n; a++)
    for (size_t b = 0; b < n; b++)
      scorer->vina_pairs[a * n + b] = bt_vina_pair_of(scorer->vina, ligand->vina[a], ligand->vina[b]);
  return BT_OK;
}

/* ---- 1. atoms ---- */

bt_atom_energy bt_scorer_vina_atom(const bt_scorer *scorer, int i, const double x[3], bool *ret_outside,
                                   double *opt_gradient) {
  const bt_maps *maps = scorer->maps;
  int type = scorer->ligand->type[i];
  double nearest[3], away[3], energy, factor;
  *ret_outside = bt_scorer_nearest(maps, x, nearest, away);
  if (maps->receptor != NULL) {
    bt_energy_form form = opt_gradient != NULL ? BT_FORM_CONTINUOUS : scorer->form;
    energy = bt_vina_receptor_sum(maps->receptor, scorer->ligand->vina[type], x, form, opt_gradient);
  } else {
    bt_cell cell = bt_cell_find(maps, nearest);
    energy = bt_cell_value(maps, scorer->map[type], &cell, opt_gradient);
    for (int k = 0; k < 3 && opt_gradient != NULL; k++)
      if (away[k] != 0) opt_gradient[k] = 0;
  }
  energy = bt_vina_curl(energy, BT_VINA_CURL, &factor);
  for (int k = 0; k < 3 && opt_gradient != NULL; k++) opt_gradient[k] *= factor;
  return (bt_atom_energy){.vdw_hbond = energy + bt_scorer_spring(away, opt_gradient)};
}

/* ---- 2. pairs ---- */

const bt_vina_pair *bt_scorer_vina_constants(const bt_scorer *scorer, const bt_pair *pair) {
  const bt_ligand *ligand = scorer->ligand;
  return &scorer->vina_pairs[ligand->type[pair->i] * ligand->n_types + ligand->type[pair->j]];
}

static double staircase(const bt_scorer *scorer, const bt_pair *pair, double r2) {
  const bt_ligand *ligand = scorer->ligand;
  const bt_vina_receptor *receptor = scorer->maps->receptor;
  const double *steps = NULL;
  if (receptor != NULL && receptor->opt_stairs != NULL)
    steps = bt_vina_stairs_find(receptor->opt_stairs, ligand->vina[ligand->type[pair->i]],
                                ligand->vina[ligand->type[pair->j]]);
  return steps != NULL ? bt_vina_stairs_at(steps, r2)
                       : bt_vina_pair_staircase(scorer->vina, bt_scorer_vina_constants(scorer, pair), r2);
}

double bt_scorer_vina_pair(const bt_scorer *scorer, const bt_pair *pair, double r2) {
  if (pair->glue) return 0; /* Vina does not report ring closures */
  double energy = scorer->form == BT_FORM_TABULATED
                    ? staircase(scorer, pair, r2)
                    : bt_vina_pair_energy(scorer->vina, bt_scorer_vina_constants(scorer, pair), sqrt(r2), NULL);
  return bt_vina_curl(energy, BT_VINA_CURL, NULL);
}

double bt_scorer_vina_search_pair(const bt_scorer *scorer, const bt_pair *pair, double r2, double *opt_slope) {
  double r = fmax(sqrt(r2), BT_AD4_MIN_DISTANCE), slope;
  double energy = bt_vina_pair_energy(scorer->vina, bt_scorer_vina_constants(scorer, pair), r, &slope);
  if (opt_slope != NULL) *opt_slope = slope / r;
  return energy;
}

/* ---- 3. energies ---- */

void bt_score_set_unbound(const bt_ligand *ligand, bt_energy *energy, double unbound) {
  const bt_vina_law *law = bt_vina_law_of(ligand->scoring);
  if (law == NULL) return;
  double bound = energy->inter + energy->intra - unbound;
  energy->unbound = unbound;
  energy->free_energy = bound / (1 + law->rotor * ligand->n_rot);
  energy->torsional = energy->free_energy - bound;
  energy->total = energy->inter + energy->intra + energy->torsional;
}

double bt_scorer_vina_exact_pair(const bt_scorer *scorer, const double *xyz, const bt_pair *pair,
                                 double *opt_gradient) {
  double difference[3], slope, factor, r2 = bt_scorer_distance2(xyz, pair, difference);
  double r = fmax(sqrt(r2), 1e-9);
  double energy = bt_vina_pair_energy(scorer->vina, bt_scorer_vina_constants(scorer, pair), r, &slope);
  if (pair->glue) {
    double pull;
    energy += bt_scorer_closure(scorer, r2, &pull);
    slope += pull * r;
  }
  energy = bt_vina_curl(energy, BT_VINA_CURL, &factor);
  for (int k = 0; k < 3 && opt_gradient != NULL; k++) {
    opt_gradient[3 * (size_t)pair->i + (size_t)k] += factor * slope / r * difference[k];
    opt_gradient[3 * (size_t)pair->j + (size_t)k] -= factor * slope / r * difference[k];
  }
  return energy;
}

double bt_score_exact(const bt_scorer *scorer, const double *xyz, double *opt_gradient) {
  const bt_ligand *ligand = scorer->ligand;
  double energy = 0, unused[3];
  if (opt_gradient != NULL) memset(opt_gradient, 0, 3 * (size_t)ligand->n_atoms * sizeof *opt_gradient);
  for (int i = 0; i < ligand->n_atoms; i++) {
    bool outside;
    size_t at = 3 * (size_t)i;
    if (!ligand->feels_maps[i]) continue;
    energy +=
        bt_scorer_vina_atom(scorer, i, xyz + at, &outside, opt_gradient != NULL ? opt_gradient + at : unused).vdw_hbond;
  }
  for (int p = 0; p < ligand->n_pairs; p++)
    energy += bt_scorer_vina_exact_pair(scorer, xyz, &ligand->pairs[p], opt_gradient);
  return energy;
}
