/* dock.c - from options and a compound to its best poses. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "engine/bude/state.h"
#include "forcefield/bude.h"
#include "results/result.h"
#include "score/bude.h"

bt_bude_options bt_bude_options_default(void) {
  bt_bude_options options = {.rules = BT_BUDE_A,
                             .size = {15, 15, 15},
                             .spacing = 1,
                             .angle_step = 10,
                             .generations = 8,
                             .population = 65536,
                             .parents = 100,
                             .seed = 42,
                             .poses = 1,
                             .separation = 1.5,
                             .ligands = bt_prepare_options_default()};
  options.ligands.conformers = 20;
  return options;
}

/* ------------------------------------------------------------------------------------------------ opening -- */

static bt_status check_options(const bt_bude_options *o, bt_error *opt_error) {
  const bt_where where = {0};
  for (int k = 0; k < 3; k++)
    if (!isfinite(o->center[k]) || !isfinite(o->size[k]))
      return bt_fail(opt_error, BT_ERR_USAGE, where, "use finite numbers", "the box is not finite");
  if (o->generations < 1 || o->population < 1 || o->parents < 1)
    return bt_fail(opt_error, BT_ERR_USAGE, where, "use 1 or more of each", "%d generations, %d poses, %d parents",
                   o->generations, o->population, o->parents);
  if (o->poses < 1 || !(o->separation >= 0))
    return bt_fail(opt_error, BT_ERR_USAGE, where, "use 1 or more poses and 0 or more Angstrom",
                   "%d poses that are %g Angstrom apart", o->poses, o->separation);
  if (o->memory < 0)
    return bt_fail(opt_error, BT_ERR_USAGE, where, "use 0 or more bytes", "%lld bytes of memory",
                   (long long)o->memory);
  if (o->ligands.conformers < 0 || o->ligands.conformers > 10000)
    return bt_fail(opt_error, BT_ERR_USAGE, where, "use 0 to 10000", "%d conformers", o->ligands.conformers);
  return BT_OK;
}

static bt_status open_forcefield(bt_bude *bude, bt_error *opt_error) {
  const bt_bude_options *o = &bude->options;
  BT_TRY(check_options(o, opt_error));
  BT_TRY(bt_bude_grid_make(o->size, o->spacing, o->angle_step, &bude->grid, opt_error));
  if (o->opt_forcefield != NULL)
    BT_TRY(bt_bude_forcefield_read(o->opt_forcefield, &bude->forcefield, opt_error));
  else
    BT_TRY(bt_bude_forcefield_builtin(&bude->forcefield, opt_error));
  if (!bude->forcefield->complete)
    snprintf(bude->note, sizeof bude->note, "%.300s has no END; the whole file was read", o->opt_forcefield);
  bude->rules = o->rules == BT_BUDE_DECK ? BT_BUDE_RULES_DECK
              : o->rules == BT_BUDE_B    ? BT_BUDE_RULES_B
                                         : BT_BUDE_RULES_A;
  bude->typing = (bt_bude_typing){.forcefield = bude->forcefield,
                                  .label = o->opt_forcefield != NULL ? o->opt_forcefield : "the built-in force field",
                                  .aliases = o->aliases,
                                  .n_aliases = o->n_aliases};
  return BT_OK;
}

static bt_status open_rest(bt_bude *bude, const char *opt_mol2_path, const bt_molecule *opt_receptor,
                           bt_error *opt_error) {
  const bt_bude_options *o = &bude->options;
  double half[3];
  BT_TRY(open_forcefield(bude, opt_error));
  for (int k = 0; k < 3; k++) half[k] = bude->grid.n[k] / 2 * bude->grid.spacing;
  if ((opt_mol2_path != NULL) == (opt_receptor != NULL))
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "use a MOL2 file or a prepared molecule",
                   "either no receptor or two are given");
  BT_TRY(bt_bude_receptor_create(opt_mol2_path, opt_receptor, &bude->typing, bude->rules, o->center, half,
                                 &bude->receptor, opt_error));
  return bt_bude_units_open(bude, opt_error);
}

bt_status bt_bude_open(const char *opt_mol2_path, const bt_molecule *opt_receptor, const bt_bude_options *options,
                       bt_bude **ret_bude, bt_error *opt_error) {
  bt_bude *bude = bt_allocate(1, sizeof *bude);
  if (bude == NULL) return bt_fail_memory(opt_error);
  bude->options = *options;
  bt_status status = open_rest(bude, opt_mol2_path, opt_receptor, opt_error);
  return BT_HAND_OVER(status, bude, ret_bude, bt_bude_close);
}

void bt_bude_close(bt_bude *opt_bude) {
  if (opt_bude == NULL) return;
  bt_bude_units_close(opt_bude);
  bt_bude_receptor_destroy(opt_bude->receptor);
  bt_bude_forcefield_destroy(opt_bude->forcefield);
  free(opt_bude);
}

const char *bt_bude_device_name(const bt_bude *bude) { return bude->device.data; }
const char *bt_bude_device_description(const bt_bude *bude) { return bude->description.data; }
const char *bt_bude_note(const bt_bude *bude) { return bude->note; }

bt_bude_totals bt_bude_totals_of(const bt_bude *bude) {
  double energies = 0, others = 0;
  for (int k = 0; k < bude->n_units; k++) {
    energies += bude->units[k].parts[0];
    others += bude->units[k].parts[1];
  }
  return (bt_bude_totals){bude->interactions, bude->sharing->seconds, others / (energies + others)};
}

/* ------------------------------------------------------------------------------------------------- results -- */

static bt_status add_rigid(bt_result *result, const bt_bude_compound *compound, int n, bt_rigid **ret_rigid,
                           bt_error *opt_error) {
  bt_rigid *rigid = bt_allocate(1, sizeof *rigid + (size_t)n * sizeof *rigid->placements);
  if (rigid == NULL) return bt_fail_memory(opt_error);
  *rigid = (bt_rigid){.engine = "bude",
                      .terms = {BT_BUDE_TERMS},
                      .mol2 = compound->mol2,
                      .no_bonds = &compound->no_bonds};
  bt_status status = bt_result_own_rigid(result, rigid, opt_error);
  return BT_HAND_OVER(status, rigid, ret_rigid, free);
}

/* Room for n runs. BT_ERR_INPUT if the reference is another molecule. */
static bt_status create_result(const bt_bude *bude, const bt_bude_compound *compound, const bt_molecule *opt_reference,
                               int n, bt_result **ret_result, bt_rigid **ret_rigid, bt_error *opt_error) {
  bt_ligand *ligand;
  bt_result *result = NULL;
  bt_dock_options options = bt_dock_options_default();
  options.runs = options.poses = n;
  options.seed = bude->options.seed;
  BT_TRY(bt_ligand_create_rigid(compound->molecule, &ligand, opt_error));
  bt_status status = bt_result_create(ligand, NULL, opt_reference, &options, &result, opt_error);
  if (status == BT_OK) status = bt_result_own_ligand(result, ligand, opt_error);
  if (status != BT_OK)
    bt_ligand_destroy(ligand);
  else
    status = add_rigid(result, compound, n, ret_rigid, opt_error);
  if (status == BT_OK) strncpy(result->device, bude->device.data, sizeof result->device - 1);
  return BT_HAND_OVER(status, result, ret_result, bt_result_destroy);
}

/* All atoms of the run, in the receptor's frame. */
static void place(const bt_bude *bude, const bt_bude_compound *compound, const bt_placement *placement, bt_run *run) {
  const double(*x)[3] = bt_bude_compound_x(compound, placement->conformer);
  const int n = compound->mol2->n_atoms;
  if (placement->in_place) {
    memcpy(run->xyz, x, (size_t)n * sizeof *x);
    return;
  }
  double center[3], six[6];
  for (int k = 0; k < 3; k++) {
    six[k] = placement->angles[k] * 3.14159265358979323846 / 180.0;
    six[k + 3] = placement->translation[k] + bude->options.center[k];
  }
  bt_bude_compound_center(compound, placement->conformer, center);
  for (int i = 0; i < n; i++) {
    double from[3] = {x[i][0] - center[0], x[i][1] - center[1], x[i][2] - center[2]};
    bt_bude_transform(six, from, run->xyz + 3 * i);
  }
}

/* Keeps the first n runs. */
static bt_status finish_result(bt_result *result, int n, double started, int64_t evaluations, bt_error *opt_error) {
  bt_result_shorten(result, n);
  result->seconds = bt_seconds() - started;
  result->evaluations = evaluations;
  return bt_result_list(result, opt_error);
}

/* ------------------------------------------------------------------------------------------------- scoring -- */

/* Energy in double precision of a conformer: from[n_heavy][3] in the frame of pose. */
static bt_energy score(const bt_bude *bude, const bt_bude_compound *c, const double *xyz, const double pose[6]) {
  const bt_bude_receptor *r = bude->receptor;
  bt_bude_energy e = bt_bude_score(bude->forcefield, bude->rules, (size_t)r->n_atoms, r->xyz, r->types,
                                   (size_t)c->n_heavy, xyz, c->type, pose);
  return (bt_energy){.inter_vdw_hbond = e.steric,
                     .inter_electrostatic = e.charge,
                     .inter_desolvation = e.desolvation,
                     .inter = e.total,
                     .total = e.total,
                     .free_energy = e.total};
}

/* Heavy atoms relative to an origin. */
static void take_heavy(const bt_bude_compound *c, int conformer, const double origin[3], double *xyz) {
  const double(*x)[3] = bt_bude_compound_x(c, conformer);
  for (int i = 0; i < c->n_heavy; i++)
    for (int k = 0; k < 3; k++) xyz[3 * i + k] = x[c->heavy[i]][k] - origin[k];
}

bt_status bt_bude_score_in_place(bt_bude *bude, const bt_bude_compound *compound, const bt_molecule *opt_reference,
                                 bt_result **ret_result, bt_error *opt_error) {
  static const double pose[6] = {0};
  const int n = compound->mol2->n_conformers;
  const double started = bt_seconds();
  bt_result *result;
  bt_rigid *rigid;
  BT_SCOPED double *xyz = bt_allocate((size_t)compound->n_heavy, 3 * sizeof *xyz);
  if (xyz == NULL) return bt_fail_memory(opt_error);
  BT_TRY(create_result(bude, compound, opt_reference, n, &result, &rigid, opt_error));
  for (int i = 0; i < n; i++) {
    rigid->placements[i] = (bt_placement){.conformer = i, .in_place = true};
    take_heavy(compound, i, bude->options.center, xyz);
    result->runs[i].energy = score(bude, compound, xyz, pose);
    result->runs[i].search_energy = NAN;
    place(bude, compound, &rigid->placements[i], &result->runs[i]);
  }
  bt_status status = finish_result(result, n, started, n, opt_error);
  return BT_HAND_OVER(status, result, ret_result, bt_result_destroy);
}

/* ------------------------------------------------------------------------------------------------- docking -- */

typedef struct docking {
  bt_bude *bude;
  const bt_bude_compound *compound;
  const bt_bude_work *work;
  bt_result *result;
  bt_rigid *rigid; /* its own */
} docking;

static bt_status make_room(const bt_bude_compound *compound, bt_bude_work *work, bt_error *opt_error) {
  BT_NEW(&work->arena, work->atoms, (size_t)work->total * (size_t)compound->n_heavy);
  BT_NEW(&work->arena, work->first, work->total + 1);
  BT_NEW(&work->arena, work->ids, work->total);
  BT_NEW(&work->arena, work->found, (size_t)work->total * (size_t)work->search.parents);
  BT_NEW(&work->arena, work->counts, work->total);
  return bt_arena_status(&work->arena, opt_error);
}

/* The radius of the largest conformer. */
static double fill(const bt_bude_compound *c, bt_bude_work *work) {
  double radius = 0;
  for (int i = 0; i < work->total; i++) {
    work->first[i] = (size_t)i * (size_t)c->n_heavy;
    work->ids[i] = bt_bude_compound_id(c, i);
    radius = fmax(radius, bt_bude_compound_atoms(c, i, work->atoms + work->first[i]));
  }
  work->first[work->total] = (size_t)work->total * (size_t)c->n_heavy;
  return radius;
}

/* The compound's work, in line. */
static bt_status begin(bt_bude *bude, const bt_bude_compound *compound, bt_bude_work **ret_work, bt_error *opt_error) {
  const bt_bude_options *o = &bude->options;
  bt_bude_work *work = bt_allocate(1, sizeof *work);
  if (work == NULL) return bt_fail_memory(opt_error);
  *work = (bt_bude_work){.of = compound,
                         .total = compound->mol2->n_conformers,
                         .search = {.grid = bude->grid,
                                    .generations = o->generations,
                                    .population = o->population,
                                    .parents = o->parents < o->population ? o->parents : o->population,
                                    .distinct = !o->duplicates,
                                    .seed = o->seed}};
  bt_status status = make_room(compound, work, opt_error);
  if (status != BT_OK) {
    bt_bude_work_destroy(work);
    return status;
  }
  bt_bude_units_begin(bude, fill(compound, work), work);
  *ret_work = work;
  return BT_OK;
}

void bt_bude_announce(bt_bude *bude, const bt_bude_compound *compound) {
  bt_bude_work *work;
  if (!bt_bude_units_go_on(bude) || bt_bude_units_find(bude, compound) != NULL) return;
  (void)begin(bude, compound, &work, NULL); /* what fails will fail again when it is docked */
}

/* ----------------------------------------------------------------------------------------------- selection -- */

typedef struct candidate {
  double energy;
  int conformer, place; /* in found */
} candidate;

static int compare_candidates(const void *a, const void *b) {
  const candidate *x = a, *y = b;
  if (x->energy != y->energy) return x->energy < y->energy ? -1 : 1;
  if (x->conformer != y->conformer) return x->conformer < y->conformer ? -1 : 1;
  return (x->place > y->place) - (x->place < y->place);
}

static double rmsd(const double *a, const double *b, int n) {
  double sum = 0;
  for (int i = 0; i < 3 * n; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sqrt(sum / n);
}

/* A pose in the user's terms, and its heavy atoms relative to the middle of the box. */
static void finish_pose(const docking *d, const candidate *which, double *xyz, double *placed, bt_run *run,
                        bt_placement *ret_placement) {
  const bt_bude_found *found =
      &d->work->found[(size_t)which->conformer * (size_t)d->work->search.parents + (size_t)which->place];
  double pose[6], center[3];
  *ret_placement = (bt_placement){.conformer = which->conformer};
  for (int k = 0; k < 6; k++) {
    pose[k] = found->pose[k];
    ret_placement->index[k] = found->index[k] + 1;
    if (k < 3)
      ret_placement->angles[k] = -180.0 + (found->index[k] + 1) * d->work->search.grid.step;
    else
      ret_placement->translation[k - 3] = pose[k];
  }
  bt_bude_compound_center(d->compound, which->conformer, center);
  take_heavy(d->compound, which->conformer, center, xyz);
  run->energy = score(d->bude, d->compound, xyz, pose);
  run->search_energy = found->energy;
  for (int i = 0; i < d->compound->n_heavy; i++) bt_bude_transform(pose, xyz + 3 * i, placed + 3 * i);
}

/* The best ones that are apart from each other. */
static bt_status choose(const docking *d, candidate *candidates, int n, int *ret_count, bt_error *opt_error) {
  const bt_bude_options *o = &d->bude->options;
  const size_t size = 3 * (size_t)d->compound->n_heavy;
  BT_SCOPED double *xyz = bt_allocate(size, sizeof *xyz);
  BT_SCOPED double *kept = bt_allocate(size * (size_t)d->result->n_runs, sizeof *kept);
  if (xyz == NULL || kept == NULL) return bt_fail_memory(opt_error);
  *ret_count = 0;
  for (int i = 0; i < n && *ret_count < d->result->n_runs; i++) {
    double *mine = kept + size * (size_t)*ret_count;
    bt_run *run = &d->result->runs[*ret_count];
    bt_placement *placement = &d->rigid->placements[*ret_count];
    finish_pose(d, &candidates[i], xyz, mine, run, placement);
    bool far = true;
    for (int j = 0; far && j < *ret_count; j++)
      far = rmsd(mine, kept + size * (size_t)j, d->compound->n_heavy) >= o->separation;
    if (!far || !isfinite(run->energy.free_energy)) continue;
    place(d->bude, d->compound, placement, run);
    (*ret_count)++;
  }
  if (*ret_count == 0)
    return bt_fail(opt_error, BT_ERR_INPUT,
                   (bt_where){.file = d->compound->mol2->path, .line = d->compound->mol2->line},
                   "check the coordinates of the ligand and the receptor", "no pose has a finite energy");
  return BT_OK;
}

static bt_status select_poses(const docking *d, int *ret_count, bt_error *opt_error) {
  BT_SCOPED candidate *candidates =
      bt_allocate((size_t)d->work->total * (size_t)d->work->search.parents, sizeof *candidates);
  if (candidates == NULL) return bt_fail_memory(opt_error);
  int n = 0;
  for (int i = 0; i < d->work->total; i++)
    for (int j = 0; j < d->work->counts[i]; j++)
      candidates[n++] =
          (candidate){d->work->found[(size_t)i * (size_t)d->work->search.parents + (size_t)j].energy, i, j};
  qsort(candidates, (size_t)n, sizeof *candidates, compare_candidates);
  return choose(d, candidates, n, ret_count, opt_error);
}

/* From a work that has ended. */
static bt_status conclude(bt_bude *bude, const bt_bude_compound *compound, const bt_molecule *opt_reference,
                          const bt_bude_work *work, double started, bt_result **ret_result, bt_error *opt_error) {
  const bt_bude_search_options *o = &work->search;
  const int64_t most = (int64_t)work->total * o->parents;
  const int64_t evaluations = (int64_t)work->total * o->generations * o->population;
  const int wanted = bude->options.poses < most ? bude->options.poses : (int)most;
  docking d = {.bude = bude, .compound = compound, .work = work};
  int count = 0;
  BT_TRY(create_result(bude, compound, opt_reference, wanted, &d.result, &d.rigid, opt_error));
  bt_status status = select_poses(&d, &count, opt_error);
  if (status == BT_OK) status = finish_result(d.result, count, started, evaluations, opt_error);
  return BT_HAND_OVER(status, d.result, ret_result, bt_result_destroy);
}

bt_status bt_bude_dock(bt_bude *bude, const bt_bude_compound *compound, const bt_molecule *opt_reference,
                       bt_result **ret_result, bt_error *opt_error) {
  const double started = bt_seconds();
  bt_bude_work *work = bt_bude_units_find(bude, compound);
  if (work == NULL) BT_TRY(begin(bude, compound, &work, opt_error));
  bt_status status = bt_bude_units_finish(bude, work, opt_error);
  if (status == BT_ERR_LIMIT) { /* it is the population or the receptor that is too large, not this ligand */
    status = BT_ERR_USAGE;
    if (opt_error != NULL) opt_error->status = status;
  }
  if (status == BT_OK) status = conclude(bude, compound, opt_reference, work, started, ret_result, opt_error);
  bt_bude_work_destroy(work);
  return status;
}

const bt_placement *bt_bude_placement_of(const bt_result *result, int position) {
  if (result->opt_rigid == NULL || position < 0 || position >= result->n_poses) return NULL;
  return &result->opt_rigid->placements[result->ranking[position]];
}
