/* tune.c - how many poses a work-item takes, how many work-items a group, how many atoms a part: tried out on the
 * device once and kept in the cache.
 *
 * One quantity is varied after the other, poses first; a CPU has only one. What is in the populations does not
 * matter, since no branch of a kernel depends on it.
 */
#include <berth/build.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/files/cache.h"
#include "engine/bude/engine_internal.h"

static const char cache_kind[] = "bude";
enum { TRIES = 3, FEW_ATOMS = 8 };
static const double LONG = 0.03; /* seconds: enough to compare by */

static int size_class(double size) { return (int)lround(log2(size)); }

/* Receptors, ligands and populations of about the same size share an entry. */
static bt_hash key_of(const bt_bude_engine *engine, const bt_bude_engine_options *asked) {
  const bt_bude_launch *l = &engine->launch;
  int classes[] = {size_class(l->n_receptor),
                   size_class(engine->most_atoms),
                   size_class((double)l->stride * l->n_ligands),
                   asked->poses_per_item,
                   asked->group,
                   asked->part_atoms,
                   (int)asked->without,
                   asked->threads};
  bt_hash key = bt_hash_begin();
  bt_hash_add_text(&key, engine->backend->name);
  bt_hash_add_text(&key, engine->properties.name);
  bt_hash_add_text(&key, engine->properties.driver);
  bt_hash_add_text(&key, bt_build_commit());
  bt_hash_add(&key, classes, sizeof classes);
  return key;
}

static bool remembered(bt_hash key, bt_bude_engine_options *options) {
  char *text;
  size_t size;
  int poses, group, part;
  if (!bt_cache_load(cache_kind, key, &text, &size)) return false;
  bool found =
      sscanf(text, "poses %d group %d part %d", &poses, &group, &part) == 3 && poses > 0 && group > 0 && part > 0;
  free(text);
  if (!found) return false;
  options->poses_per_item = poses;
  options->group = group;
  options->part_atoms = part;
  return true;
}

static void remember(bt_hash key, const bt_bude_engine_options *options) {
  char text[100];
  int size = snprintf(text, sizeof text, "poses %d group %d part %d\n", options->poses_per_item, options->group,
                      options->part_atoms);
  bt_cache_store(cache_kind, key, text, (size_t)size);
}

/* A share of the work, of at most so many interactions: fewer ligands, then fewer poses of one, then the first of its
 * atoms. */
static void shrink(bt_bude_engine *engine, double most) {
  bt_bude_launch *l = &engine->launch;
  double pairs = (double)l->n_receptor * engine->most_atoms;
  double ligands = most / (pairs * l->stride), poses = most / pairs;
  if (ligands < l->n_ligands) l->n_ligands = ligands > 1 ? (int)ligands : 1;
  if (l->n_ligands > 1 || poses >= l->stride) return;
  l->stride = poses > BT_BUDE_STRIDE ? (int)poses / BT_BUDE_STRIDE * BT_BUDE_STRIDE : BT_BUDE_STRIDE;
  double atoms = fmax(FEW_ATOMS, most / ((double)l->n_receptor * l->stride));
  if (atoms < engine->most_atoms) engine->most_atoms = (int)atoms;
}

/* The shortest of some runs; INFINITY where the device or the build does not allow the choice. */
static bt_status try_out(bt_bude_engine *engine, const bt_bude_engine_options *options, double *ret_seconds,
                         bt_error *opt_error) {
  *ret_seconds = INFINITY;
  bt_status status = bt_bude_engine_use(engine, options, opt_error);
  if (status == BT_ERR_LIMIT) return BT_OK;
  for (int i = 0; i <= TRIES && status == BT_OK && !(i > 1 && *ret_seconds > LONG); i++) {
    double began = bt_seconds();
    status = bt_bude_engine_energies(engine, opt_error);
    if (status == BT_ERR_LIMIT) return BT_OK;
    if (status == BT_OK) status = bt_bude_engine_synchronize(engine, opt_error);
    double seconds = bt_seconds() - began;
    if (i > 0 && seconds < *ret_seconds) *ret_seconds = seconds; /* the first run loads and compiles */
  }
  return status;
}

/* Sets *quantity, a member of *best, to the fastest of the choices. */
static bt_status vary(bt_bude_engine *engine, bt_bude_engine_options *best, int *quantity, const int *choices, int n,
                      bt_error *opt_error) {
  double least = INFINITY;
  int chosen = *quantity;
  for (int c = 0; c < n; c++) {
    double seconds;
    *quantity = choices[c];
    BT_TRY(try_out(engine, best, &seconds, opt_error));
    if (!(seconds < least)) continue;
    least = seconds;
    chosen = choices[c];
  }
  *quantity = chosen;
  return BT_OK;
}

static bt_status measure(bt_bude_engine *engine, bt_bude_engine_options *best, const bt_bude_engine_options *asked,
                         bt_error *opt_error) {
  static const int poses[] = {4, 8, 2, 16, 1, 32}, groups[] = {128, 64, 256, 32}, parts[] = {1, 2, 4, 8, INT32_MAX};
  bool fixed_part = asked->part_atoms > 0 || engine->limits.items == 1 || (asked->without & BT_BUDE_WITHOUT_PARTS);
  for (int round = 0; round < 2; round++) { /* the best number of poses may be another in another group */
    if (asked->poses_per_item == 0)
      BT_TRY(vary(engine, best, &best->poses_per_item, poses, sizeof poses / sizeof poses[0], opt_error));
    if (engine->limits.items == 1) break;
    if (!fixed_part) BT_TRY(vary(engine, best, &best->part_atoms, parts, sizeof parts / sizeof parts[0], opt_error));
    if (asked->group == 0)
      BT_TRY(vary(engine, best, &best->group, groups, sizeof groups / sizeof groups[0], opt_error));
  }
  return BT_OK;
}

/* A share that takes some milliseconds, on a slow device too. */
static bt_status shorten(bt_bude_engine *engine, const bt_bude_engine_options *options, bt_error *opt_error) {
  double seconds, most = engine->properties.cpu ? 6e7 : 4e9;
  shrink(engine, most);
  BT_TRY(try_out(engine, options, &seconds, opt_error));
  if (isfinite(seconds) && seconds > LONG) shrink(engine, most * LONG / seconds);
  return BT_OK;
}

bt_status bt_bude_tune(bt_bude_engine *engine, bt_bude_engine_options *options, bt_error *opt_error) {
  bt_bude_engine_options best = *options, asked = *options;
  if (asked.poses_per_item > 0 && asked.group > 0 && asked.part_atoms > 0) return BT_OK;
  bt_hash key = key_of(engine, &asked);
  if (remembered(key, options)) return BT_OK;
  if (best.poses_per_item == 0) best.poses_per_item = 4;
  if (best.group == 0) best.group = engine->limits.items < 128 ? engine->limits.items : 128;
  if (best.part_atoms == 0) best.part_atoms = engine->limits.items == 1 ? engine->most_atoms : 1;
  bt_bude_launch whole = engine->launch;
  int most_atoms = engine->most_atoms;
  bt_status status = shorten(engine, &best, opt_error);
  if (status == BT_OK) status = measure(engine, &best, &asked, opt_error);
  engine->launch = whole;
  engine->most_atoms = most_atoms;
  if (status != BT_OK) return status;
  *options = best;
  remember(key, &best);
  return BT_OK;
}
