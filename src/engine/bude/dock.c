/* dock.c - from options and a compound to its best poses. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "engine/bude/state.h"
#include "forcefield/bude.h"
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
  if (!bude->forcefield->complete) {
    bt_text_printf(&bude->notes, "%.300s has no END; the whole file was read", o->opt_forcefield);
    bt_text_add(&bude->notes, "", 1);
    bude->n_notes++;
  }
  bude->rules = o->rules == BT_BUDE_DECK ? BT_BUDE_RULES_DECK
              : o->rules == BT_BUDE_B    ? BT_BUDE_RULES_B
                                         : BT_BUDE_RULES_A;
  bude->typing = (bt_bude_typing){.forcefield = bude->forcefield,
                                  .label = o->opt_forcefield != NULL ? o->opt_forcefield : "the built-in force field",
                                  .aliases = o->aliases,
                                  .n_aliases = o->n_aliases};
  return BT_OK;
}

bt_status bt_bude_open_forcefield(const bt_bude_options *options, bt_bude **ret_bude, bt_error *opt_error) {
  bt_bude *bude = bt_allocate(1, sizeof *bude);
  if (bude == NULL) return bt_fail_memory(opt_error);
  bude->options = *options;
  bt_status status = open_forcefield(bude, opt_error);
  return BT_HAND_OVER(status, bude, ret_bude, bt_bude_close);
}

static bt_status open_rest(bt_bude *bude, const char *opt_mol2_path, const bt_molecule *opt_receptor,
                           bt_error *opt_error) {
  const bt_bude_options *o = &bude->options;
  double half[3];
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
  bt_bude *bude;
  BT_TRY(bt_bude_open_forcefield(options, &bude, opt_error));
  bt_status status = open_rest(bude, opt_mol2_path, opt_receptor, opt_error);
  return BT_HAND_OVER(status, bude, ret_bude, bt_bude_close);
}

void bt_bude_close(bt_bude *opt_bude) {
  if (opt_bude == NULL) return;
  bt_bude_units_close(opt_bude);
  bt_bude_receptor_destroy(opt_bude->receptor);
  bt_bude_forcefield_destroy(opt_bude->forcefield);
  bt_rules_destroy(opt_bude->opt_rules);
  bt_text_destroy(&opt_bude->notes);
  free(opt_bude);
}

const char *bt_bude_device_name(const bt_bude *bude) { return bude->device.data; }
const char *bt_bude_device_description(const bt_bude *bude) { return bude->description.data; }
int bt_bude_note_count(const bt_bude *bude) { return bude->notes.failed ? 0 : bude->n_notes; }

bt_bude_totals bt_bude_totals_of(const bt_bude *bude) {
  double energies = 0, others = 0;
  for (int k = 0; k < bude->n_units; k++) {
    energies += bude->units[k].parts[0];
    others += bude->units[k].parts[1];
  }
  return (bt_bude_totals){bude->interactions, bude->seconds, others / (energies + others)};
}

const char *bt_bude_note(const bt_bude *bude, int index) {
  const char *at = bude->notes.data;
  for (int i = 0; i < index; i++) at += strlen(at) + 1;
  return at;
}

/* ------------------------------------------------------------------------------------------------- scoring -- */

/* Energy in double precision of a conformer: from[n_heavy][3] in the frame of pose. */
static void score(const bt_bude *bude, const bt_bude_compound *c, const double *xyz, const double pose[6],
                  bt_bude_pose *ret_pose) {
  const bt_bude_receptor *r = bude->receptor;
  bt_bude_energy energy = bt_bude_score(bude->forcefield, bude->rules, (size_t)r->n_atoms, r->xyz, r->types,
                                        (size_t)c->n_heavy, xyz, c->type, pose);
  ret_pose->steric = energy.steric;
  ret_pose->charge = energy.charge;
  ret_pose->desolvation = energy.desolvation;
  ret_pose->energy = energy.total;
}

/* Heavy atoms relative to an origin. */
static void take_heavy(const bt_bude_compound *c, int conformer, const double origin[3], double *xyz) {
  const double(*x)[3] = bt_bude_compound_x(c, conformer);
  for (int i = 0; i < c->n_heavy; i++)
    for (int k = 0; k < 3; k++) xyz[3 * i + k] = x[c->heavy[i]][k] - origin[k];
}

bt_status bt_bude_score_in_place(bt_bude *bude, const bt_bude_compound *compound, int conformer, bt_bude_pose *ret_pose,
                                 bt_error *opt_error) {
  BT_SCOPED double *xyz = bt_allocate((size_t)compound->n_heavy, 3 * sizeof *xyz);
  if (xyz == NULL) return bt_fail_memory(opt_error);
  *ret_pose = (bt_bude_pose){.conformer = conformer, .in_place = true, .found_energy = NAN};
  take_heavy(compound, conformer, bude->options.center, xyz);
  const double pose[6] = {0};
  score(bude, compound, xyz, pose, ret_pose);
  return BT_OK;
}

/* ------------------------------------------------------------------------------------------------- docking -- */

typedef struct docking {
  bt_bude *bude;
  const bt_bude_compound *compound;
  bt_bude_work work;
  bt_arena arena; /* of all arrays */
} docking;

static bt_status make_room(docking *d, bt_error *opt_error) {
  BT_NEW(&d->arena, d->work.atoms, (size_t)d->work.total * (size_t)d->compound->n_heavy);
  BT_NEW(&d->arena, d->work.first, d->work.total + 1);
  BT_NEW(&d->arena, d->work.ids, d->work.total);
  BT_NEW(&d->arena, d->work.found, (size_t)d->work.total * (size_t)d->work.search.parents);
  BT_NEW(&d->arena, d->work.counts, d->work.total);
  return bt_arena_status(&d->arena, opt_error);
}

/* The receptor's atoms that this ligand can feel; more than before, or far fewer, are a new load. */
static bt_status load_receptor(docking *d, double radius, bt_error *opt_error) {
  bt_bude *bude = d->bude;
  int near = bt_bude_receptor_near(bude->receptor, radius);
  if (near == 0) near = 1; /* a box far from the receptor: energies are 0 */
  if (near <= bude->n_loaded && near > bude->n_loaded * 9 / 10) return BT_OK;
  bude->n_loaded = 0;
  for (int k = 0; k < bude->n_units; k++)
    BT_TRY(bt_bude_engine_set_receptor(bude->units[k].engine, bude->forcefield, bude->rules, bude->receptor->atoms,
                                       (size_t)near, opt_error));
  bude->n_loaded = near;
  return BT_OK;
}

static bt_status find_poses(docking *d, bt_error *opt_error) {
  const bt_bude_compound *c = d->compound;
  double radius = 0;
  for (int i = 0; i < d->work.total; i++) {
    d->work.first[i] = (size_t)i * (size_t)c->n_heavy;
    d->work.ids[i] = bt_bude_compound_id(c, i);
    radius = fmax(radius, bt_bude_compound_atoms(c, i, d->work.atoms + d->work.first[i]));
  }
  d->work.first[d->work.total] = (size_t)d->work.total * (size_t)c->n_heavy;
  double started = bt_seconds();
  BT_TRY(load_receptor(d, radius, opt_error));
  BT_TRY(bt_bude_units_search(d->bude, &d->work, opt_error));
  d->bude->seconds += bt_seconds() - started;
  d->bude->interactions +=
      (double)d->work.total * d->work.search.generations * d->work.search.population * c->n_heavy * d->bude->n_loaded;
  return BT_OK;
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
static void finish_pose(const docking *d, const candidate *which, double *xyz, double *placed, bt_bude_pose *ret_pose) {
  const bt_bude_found *found =
      &d->work.found[(size_t)which->conformer * (size_t)d->work.search.parents + (size_t)which->place];
  double pose[6], center[3];
  *ret_pose = (bt_bude_pose){.conformer = which->conformer, .found_energy = found->energy};
  for (int k = 0; k < 6; k++) {
    pose[k] = found->pose[k];
    ret_pose->index[k] = found->index[k] + 1;
    if (k < 3)
      ret_pose->angles[k] = -180.0 + (found->index[k] + 1) * d->work.search.grid.step;
    else
      ret_pose->translation[k - 3] = pose[k];
  }
  bt_bude_compound_center(d->compound, which->conformer, center);
  take_heavy(d->compound, which->conformer, center, xyz);
  score(d->bude, d->compound, xyz, pose, ret_pose);
  for (int i = 0; i < d->compound->n_heavy; i++) bt_bude_transform(pose, xyz + 3 * i, placed + 3 * i);
}

static bt_status choose(const docking *d, candidate *candidates, int n, bt_bude_pose *ret_poses, int *ret_count,
                        bt_error *opt_error) {
  const bt_bude_options *o = &d->bude->options;
  const size_t size = 3 * (size_t)d->compound->n_heavy;
  BT_SCOPED double *xyz = bt_allocate(size, sizeof *xyz), *kept = bt_allocate(size * (size_t)o->poses, sizeof *kept);
  if (xyz == NULL || kept == NULL) return bt_fail_memory(opt_error);
  *ret_count = 0;
  for (int i = 0; i < n && *ret_count < o->poses; i++) {
    double *mine = kept + size * (size_t)*ret_count;
    bt_bude_pose pose;
    finish_pose(d, &candidates[i], xyz, mine, &pose);
    bool far = true;
    for (int j = 0; far && j < *ret_count; j++)
      far = rmsd(mine, kept + size * (size_t)j, d->compound->n_heavy) >= o->separation;
    if (far && isfinite(pose.energy)) ret_poses[(*ret_count)++] = pose;
  }
  if (*ret_count == 0)
    return bt_fail(opt_error, BT_ERR_INPUT,
                   (bt_where){.file = d->compound->mol2->path, .line = d->compound->mol2->line},
                   "check the coordinates of the ligand and the receptor", "no pose has a finite energy");
  return BT_OK;
}

static bt_status select_poses(const docking *d, bt_bude_pose *ret_poses, int *ret_count, bt_error *opt_error) {
  BT_SCOPED candidate *candidates =
      bt_allocate((size_t)d->work.total * (size_t)d->work.search.parents, sizeof *candidates);
  if (candidates == NULL) return bt_fail_memory(opt_error);
  int n = 0;
  for (int i = 0; i < d->work.total; i++)
    for (int j = 0; j < d->work.counts[i]; j++)
      candidates[n++] = (candidate){d->work.found[(size_t)i * (size_t)d->work.search.parents + (size_t)j].energy, i, j};
  qsort(candidates, (size_t)n, sizeof *candidates, compare_candidates);
  return choose(d, candidates, n, ret_poses, ret_count, opt_error);
}

bt_status bt_bude_dock(bt_bude *bude, const bt_bude_compound *compound, bt_bude_pose *ret_poses, int *ret_count,
                       bt_error *opt_error) {
  const bt_bude_options *o = &bude->options;
  docking d = {.bude = bude,
               .compound = compound,
               .work.total = compound->mol2->n_conformers,
               .work.search = {.grid = bude->grid,
                               .generations = o->generations,
                               .population = o->population,
                               .parents = o->parents < o->population ? o->parents : o->population,
                               .distinct = !o->duplicates,
                               .seed = o->seed}};
  bt_status status = make_room(&d, opt_error);
  if (status == BT_OK) status = find_poses(&d, opt_error);
  if (status == BT_ERR_LIMIT) { /* it is the population or the receptor that is too large, not this ligand */
    status = BT_ERR_USAGE;
    if (opt_error != NULL) opt_error->status = status;
  }
  if (status == BT_OK) status = select_poses(&d, ret_poses, ret_count, opt_error);
  bt_arena_destroy(&d.arena);
  return status;
}
