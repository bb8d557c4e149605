/* score.c - double-precision AutoDock 4 energies and gradients.
 *
 * Contents: 1. the scorer; 2. atoms in the maps; 3. pairs of moving atoms; 4. energies; 5. the search objective.
 * An atom at p has the map energy M_type(p) + q M_e(p) + |q| M_d(p); maps contain all weights.
 */
#include "score/score.h"

#include <berth/berth.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pose/restraints.h"
#include "score/interpolate.h"
#include "score/pair.h"
#include "score/scorer.h"
#include "forcefield/pair_tables.h"

/* ---- 1. the scorer ---- */

static bt_status fail_no_map(const bt_ligand *ligand, int i, const bt_maps *maps, bt_error *opt_error) {
  const bt_molecule *molecule;
  const bt_atom *atom = bt_ligand_atom(ligand, i, &molecule);
  return bt_fail(opt_error, BT_ERR_PARAMETER, bt_atom_where(molecule, atom),
                 "compute the maps again with this atom type, or provide the receptor as .pdbqt to have them computed",
                 "no map for atom type '%s' in %s", bt_ligand_map_type(ligand, ligand->type[i]),
                 maps->fld_path != NULL ? maps->fld_path : "the computed maps");
}

static bt_status choose_maps(bt_scorer *scorer, bt_error *opt_error) {
  const bt_ligand *ligand = scorer->ligand;
  for (int i = 0; i < ligand->n_atoms; i++) {
    int type = ligand->type[i];
    if (!ligand->feels_maps[i] || scorer->map[type] != NULL) continue;
    int index = bt_maps_find(scorer->maps, bt_ligand_map_type(ligand, type));
    if (index < 0) return fail_no_map(ligand, i, scorer->maps, opt_error);
    scorer->map[type] = scorer->maps->values[index];
  }
  return BT_OK;
}

static bt_status find_tables(bt_scorer *scorer, bt_error *opt_error) {
  const bt_ligand *ligand = scorer->ligand;
  int n = ligand->n_types;
  for (int p = 0; p < ligand->n_pairs; p++) {
    int a = ligand->type[ligand->pairs[p].i], b = ligand->type[ligand->pairs[p].j];
    int at = (a < b ? a : b) * n + (a < b ? b : a);
    if (scorer->tables[at] != NULL) continue;
    scorer->tables[at] = bt_pair_tables_find(scorer->maps->pair_tables, &scorer->laws[at]);
    if (scorer->tables[at] == NULL) return bt_fail_memory(opt_error);
  }
  return BT_OK;
}

static bt_status fill(bt_scorer *scorer, bt_error *opt_error) {
  const bt_ligand *ligand = scorer->ligand;
  size_t n = (size_t)ligand->n_types;
  BT_NEW(&scorer->arena, scorer->map, n);
  if (ligand->vina != NULL) {
    BT_TRY(bt_scorer_fill_vina(scorer, opt_error));
    bool receptor_alone = scorer->maps->receptor != NULL && scorer->maps->n_types == 0;
    return receptor_alone ? bt_arena_status(&scorer->arena, opt_error) : choose_maps(scorer, opt_error);
  }
  BT_NEW(&scorer->arena, scorer->laws, n * n);
  BT_NEW(&scorer->arena, scorer->tables, n * n);
  BT_TRY(bt_arena_status(&scorer->arena, opt_error));
  for (size_t a = 0; a < n; a++)
    for (size_t b = a; b < n; b++)
      scorer->laws[a * n + b] = bt_ad4_pair_law(ligand->parameters[a], ligand->parameters[b]);
  BT_TRY(choose_maps(scorer, opt_error));
  return scorer->form == BT_FORM_TABULATED ? find_tables(scorer, opt_error) : BT_OK;
}

bt_status bt_scorer_create(const bt_ligand *ligand, const bt_maps *maps, bt_energy_form form,
                           bt_torsional_count torsional, bt_scorer **ret_scorer, bt_error *opt_error) {
  *ret_scorer = NULL;
  if (ligand->scoring != maps->scoring)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = ligand->molecule->path},
                   "create the ligand and the maps for the same scoring function",
                   "the ligand and the maps are for different scoring functions");
  bt_scorer *scorer = bt_allocate(1, sizeof *scorer);
  if (scorer == NULL) return bt_fail_memory(opt_error);
  *scorer = (bt_scorer){.ligand = ligand, .maps = maps, .form = form, .torsional = torsional,
                         .closure_width = BT_CLOSURE_WIDTH};
  bt_status status = fill(scorer, opt_error);
  return BT_HAND_OVER(status, scorer, ret_scorer, bt_scorer_destroy);
}

void bt_scorer_destroy(bt_scorer *scorer) {
  if (scorer == NULL) return;
  bt_arena_destroy(&scorer->arena);
  free(scorer);
}

/* ---- 2. atoms in the maps ---- */

static bt_atom_energy atom_in_cell(const bt_scorer *scorer, int i, const double point[3], double *opt_gradient) {
  const bt_ligand *ligand = scorer->ligand;
  const bt_maps *maps = scorer->maps;
  double q = ligand->charge[i], slopes[3][3];
  bt_cell cell = bt_cell_find(maps, point);
  bt_atom_energy energy = {.vdw_hbond = bt_cell_value(maps, scorer->map[ligand->type[i]], &cell, slopes[0]),
                           .electrostatic = q * bt_cell_value(maps, bt_maps_electrostatic(maps), &cell, slopes[1]),
                           .desolvation = fabs(q) * bt_cell_value(maps, bt_maps_desolvation(maps), &cell, slopes[2])};
  if (opt_gradient != NULL)
    for (int k = 0; k < 3; k++) opt_gradient[k] = slopes[0][k] + q * slopes[1][k] + fabs(q) * slopes[2][k];
  return energy;
}

/* AutoDock 4: the faces of the box are outside, and a far atom pays for its distance from the middle. */
static bt_atom_energy atom_tabulated(const bt_scorer *scorer, int i, const double x[3], bool *ret_outside) {
  const bt_maps *maps = scorer->maps;
  double d2 = 0;
  *ret_outside = false;
  for (int k = 0; k < 3; k++) {
    double d = x[k] - maps->box.center[k];
    d2 += d * d;
    if (!(x[k] > maps->low[k] && x[k] < maps->high[k])) *ret_outside = true;
  }
  if (!*ret_outside) return atom_in_cell(scorer, i, x, NULL);
  return (bt_atom_energy){.vdw_hbond = BT_AD4_OUTSIDE_PENALTY * d2, .electrostatic = BT_AD4_OUTSIDE_PENALTY * d2};
}

bool bt_scorer_nearest(const bt_maps *maps, const double x[3], double ret_nearest[3], double ret_away[3]) {
  bool outside = false;
  for (int k = 0; k < 3; k++) {
    ret_nearest[k] = fmin(fmax(x[k], maps->low[k]), maps->high[k]);
    ret_away[k] = x[k] - ret_nearest[k];
    if (ret_away[k] != 0) outside = true; /* also when x is NaN */
  }
  return outside;
}

double bt_scorer_spring(const double away[3], double *opt_gradient) {
  double energy = 0;
  for (int k = 0; k < 3; k++) {
    energy += BT_OUTSIDE_STIFFNESS * away[k] * away[k];
    if (opt_gradient != NULL) opt_gradient[k] += 2 * BT_OUTSIDE_STIFFNESS * away[k];
  }
  return energy;
}

/* Closed form: sampled at the nearest point of the box, plus a harmonic restraint towards it. */
static bt_atom_energy atom_continuous(const bt_scorer *scorer, int i, const double x[3], bool *ret_outside,
                                      double *opt_gradient) {
  double nearest[3], away[3];
  *ret_outside = bt_scorer_nearest(scorer->maps, x, nearest, away);
  bt_atom_energy energy = atom_in_cell(scorer, i, nearest, opt_gradient);
  for (int k = 0; k < 3 && opt_gradient != NULL; k++)
    if (away[k] != 0) opt_gradient[k] = 0;
  energy.vdw_hbond += bt_scorer_spring(away, opt_gradient);
  return energy;
}

/* ---- 3. pairs of moving atoms ---- */

double bt_scorer_distance2(const double *xyz, const bt_pair *pair, double ret_difference[3]) {
  double r2 = 0;
  for (int k = 0; k < 3; k++) {
    ret_difference[k] = xyz[3 * (size_t)pair->i + (size_t)k] - xyz[3 * (size_t)pair->j + (size_t)k];
    r2 += ret_difference[k] * ret_difference[k];
  }
  return r2;
}

double bt_scorer_closure(const bt_scorer *scorer, double r2, double *opt_slope) {
  double width = scorer->closure_width, r = sqrt(r2 + width * width);
  if (opt_slope != NULL) *opt_slope = r > 0 ? BT_GLUE_FORCE / r : 0;
  return BT_GLUE_FORCE * (r - width);
}

static bt_pair_constants constants_of(const bt_scorer *scorer, const bt_pair *pair, const double **opt_table) {
  const bt_ligand *ligand = scorer->ligand;
  int a = ligand->type[pair->i], b = ligand->type[pair->j], n = ligand->n_types;
  int at = (a < b ? a : b) * n + (a < b ? b : a);
  if (opt_table != NULL) *opt_table = scorer->tables[at];
  return bt_pair_prepare(&scorer->laws[at], ligand->parameters[a], ligand->charge[pair->i], ligand->parameters[b],
                         ligand->charge[pair->j]);
}

bt_pair_energy bt_score_pair(const bt_scorer *scorer, const double *xyz, int index) {
  const bt_pair *pair = &scorer->ligand->pairs[index];
  const double *table;
  double difference[3], r2 = bt_scorer_distance2(xyz, pair, difference);
  if (scorer->vina != NULL)
    return (bt_pair_energy){
        .i = pair->i, .j = pair->j, .distance = sqrt(r2), .vdw = bt_scorer_vina_pair(scorer, pair, r2)};
  bt_pair_constants constants = constants_of(scorer, pair, &table);
  bt_pair_parts parts = scorer->form == BT_FORM_TABULATED ? bt_pair_tabulated(&constants, table, r2)
                                                          : bt_pair_continuous(&constants, r2, NULL);
  bt_pair_energy energy = {.i = pair->i,
                           .j = pair->j,
                           .distance = sqrt(r2),
                           .electrostatic = parts.electrostatic,
                           .desolvation = parts.desolvation};
  if (constants.law->hbond)
    energy.hbond = parts.vdw_hbond;
  else
    energy.vdw = parts.vdw_hbond;
  if (pair->glue) energy.vdw += BT_GLUE_FORCE * energy.distance;
  return energy;
}

/* ---- 4. energies ---- */

static bt_atom_energy atom_in_form(const bt_scorer *scorer, int i, const double x[3], bool *ret_outside) {
  if (scorer->vina != NULL) return bt_scorer_vina_atom(scorer, i, x, ret_outside, NULL);
  return scorer->form == BT_FORM_TABULATED ? atom_tabulated(scorer, i, x, ret_outside)
                                           : atom_continuous(scorer, i, x, ret_outside, NULL);
}

static void add_map_energies(const bt_scorer *scorer, const double *xyz, bt_energy *energy, bt_atom_energy *opt_atoms) {
  const bt_ligand *ligand = scorer->ligand;
  for (int i = 0; i < ligand->n_atoms; i++) {
    bt_atom_energy atom = {0};
    bool outside = false;
    const double *x = xyz + 3 * (size_t)i;
    if (ligand->feels_maps[i]) atom = atom_in_form(scorer, i, x, &outside);
    if (opt_atoms != NULL) opt_atoms[i] = atom;
    energy->atoms_outside += outside;
    if (i < ligand->n_ligand_atoms) {
      energy->inter_vdw_hbond += atom.vdw_hbond;
      energy->inter_electrostatic += atom.electrostatic;
      energy->inter_desolvation += atom.desolvation;
    } else {
      energy->intra_flex_fixed += atom.vdw_hbond + atom.electrostatic + atom.desolvation;
    }
  }
  energy->intra_flex = energy->intra_flex_fixed;
}

static void add_pair_energies(const bt_scorer *scorer, const double *xyz, bt_energy *energy) {
  for (int p = 0; p < scorer->ligand->n_pairs; p++) {
    bt_pair_energy pair = bt_score_pair(scorer, xyz, p);
    double sum = pair.vdw + pair.hbond + pair.electrostatic + pair.desolvation;
    switch (scorer->ligand->pairs[p].group) {
      case BT_PAIR_LIGAND:
        energy->intra_vdw += pair.vdw;
        energy->intra_hbond += pair.hbond;
        energy->intra_electrostatic += pair.electrostatic;
        energy->intra_desolvation += pair.desolvation;
        break;
      case BT_PAIR_LIGAND_FLEX:
        energy->inter_moving += sum;
        energy->inter_moving_electrostatic += pair.electrostatic;
        break;
      case BT_PAIR_FLEX: energy->intra_flex += sum; break;
    }
  }
}

void bt_score_coordinates(const bt_scorer *scorer, const double *xyz, bt_energy *ret_energy,
                          bt_atom_energy *opt_atoms) {
  const bt_ligand *ligand = scorer->ligand;
  bt_energy energy = {0};
  add_map_energies(scorer, xyz, &energy, opt_atoms);
  add_pair_energies(scorer, xyz, &energy);
  energy.inter = energy.inter_vdw_hbond + energy.inter_electrostatic + energy.inter_desolvation + energy.inter_moving;
  energy.intra =
      energy.intra_vdw + energy.intra_hbond + energy.intra_electrostatic + energy.intra_desolvation + energy.intra_flex;
  int torsions = scorer->torsional == BT_TORSIONAL_TORSDOF ? ligand->torsdof : ligand->n_ligand_torsions;
  energy.torsional = BT_AD4_WEIGHT_TORSIONAL * torsions;
  energy.total = energy.inter + energy.intra + energy.torsional;
  energy.free_energy = energy.inter + energy.torsional;
  bt_score_set_unbound(ligand, &energy, energy.intra);
  *ret_energy = energy;
}

bt_status bt_score(const bt_ligand *ligand, const bt_maps *maps, bt_energy_form form, bt_torsional_count torsional,
                   bt_energy *ret_energy, bt_atom_energy *opt_atoms, bt_error *opt_error) {
  bt_scorer *scorer;
  BT_TRY(bt_scorer_create(ligand, maps, form, torsional, &scorer, opt_error));
  bt_score_coordinates(scorer, ligand->xyz, ret_energy, opt_atoms);
  bt_scorer_destroy(scorer);
  return BT_OK;
}

int bt_ligand_pair_count(const bt_ligand *ligand) { return ligand->n_pairs; }

bt_status bt_score_pairs(const bt_ligand *ligand, const bt_maps *maps, bt_energy_form form, bt_pair_energy *ret_pairs,
                         bt_error *opt_error) {
  bt_scorer *scorer;
  BT_TRY(bt_scorer_create(ligand, maps, form, BT_TORSIONAL_TORSDOF, &scorer, opt_error));
  for (int p = 0; p < ligand->n_pairs; p++) ret_pairs[p] = bt_score_pair(scorer, ligand->xyz, p);
  bt_scorer_destroy(scorer);
  return BT_OK;
}

/* ---- 5. the search objective ---- */

int bt_score_confined(const bt_ligand *ligand, const bt_maps *maps) {
  for (int i = ligand->n_ligand_atoms; i < ligand->n_atoms; i++)
    for (int k = 0; k < 3 && ligand->feels_maps[i]; k++) {
      double x = ligand->xyz[3 * (size_t)i + (size_t)k];
      if (x < maps->low[k] || x > maps->high[k]) return ligand->n_ligand_atoms;
    }
  return ligand->n_atoms;
}

double bt_score_excess(const bt_ligand *ligand, const bt_maps *maps, const double *xyz) {
  int confined = bt_score_confined(ligand, maps);
  double worst = -INFINITY;
  for (int i = 0; i < 3 * confined; i++)
    if (ligand->feels_maps[i / 3]) worst = fmax(worst, fmax(maps->low[i % 3] - xyz[i], xyz[i] - maps->high[i % 3]));
  return worst;
}

static double atoms_objective(const bt_scorer *scorer, const double *xyz, const bt_search_law *law,
                              double *opt_gradient) {
  const bt_ligand *ligand = scorer->ligand;
  int confined = bt_score_confined(ligand, scorer->maps);
  double energy = 0;
  for (int i = 0; i < ligand->n_atoms; i++) {
    if (!ligand->feels_maps[i]) continue;
    bool outside;
    size_t at = 3 * (size_t)i;
    double *gradient = opt_gradient != NULL ? opt_gradient + at : NULL;
    bt_atom_energy atom = atom_continuous(scorer, i, xyz + at, &outside, gradient);
    energy += atom.vdw_hbond + atom.electrostatic + atom.desolvation;
    if (outside && i < confined) energy += law->wall;
    for (int k = 0; k < 3 && gradient != NULL; k++)
      gradient[k] = fmax(fmin(gradient[k], law->force_limit), -law->force_limit);
  }
  return energy;
}

static double search_pair(const bt_scorer *scorer, const bt_pair *pair, double r2, double *opt_slope) {
  if (scorer->vina != NULL) return bt_scorer_vina_search_pair(scorer, pair, r2, opt_slope);
  bt_pair_constants constants = constants_of(scorer, pair, NULL);
  bt_pair_parts parts = bt_pair_continuous(&constants, r2, opt_slope);
  return parts.vdw_hbond + parts.electrostatic + parts.desolvation;
}

double bt_score_search(const bt_scorer *scorer, const double *xyz, const bt_search_law *law, double *opt_gradient) {
  const bt_ligand *ligand = scorer->ligand;
  if (opt_gradient != NULL) memset(opt_gradient, 0, 3 * (size_t)ligand->n_atoms * sizeof *opt_gradient);
  double energy = atoms_objective(scorer, xyz, law, opt_gradient);
  energy += bt_restraints_energy(ligand->restraints, xyz, opt_gradient);
  for (int p = 0; p < ligand->n_pairs; p++) {
    const bt_pair *pair = &ligand->pairs[p];
    double difference[3], slope, r2 = bt_scorer_distance2(xyz, pair, difference);
    energy += search_pair(scorer, pair, r2, &slope);
    slope = fmax(slope, -law->force_limit / fmax(sqrt(r2), BT_AD4_MIN_DISTANCE));
    if (pair->glue) {
      double pull;
      energy += bt_scorer_closure(scorer, r2, &pull);
      slope += pull;
    }
    if (opt_gradient == NULL) continue;
    for (int k = 0; k < 3; k++) {
      opt_gradient[3 * (size_t)pair->i + (size_t)k] += slope * difference[k];
      opt_gradient[3 * (size_t)pair->j + (size_t)k] -= slope * difference[k];
    }
  }
  return energy;
}

double bt_score_objective(const bt_scorer *scorer, const double *xyz, double *opt_gradient) {
  static const bt_search_law plain = {.wall = 0, .force_limit = INFINITY};
  return bt_score_search(scorer, xyz, &plain, opt_gradient);
}
