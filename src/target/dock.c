/* dock.c - docking any number of ligands: read ahead, maps for their types, one engine or several boxes, results.
 *
 * The first ligands are read ahead so that maps can be computed once for the types of all of them; the others are read
 * while these are docked. A ligand of a new type ends the stream of the engine, and further maps are computed.
 */
#include <limits.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "results/result.h"
#include "target/state.h"

/* A ligand between source and sink. */
typedef struct slot {
  bt_docking docking; /* the first member */
  bt_target_ligand *of;
  bt_ligand *ligand; /* NULL: of->error says why */
  bool refused;      /* by the source */
} slot;

enum { AHEAD = 2048 };                   /* ligands read ahead, at most */
static const double ahead_seconds = 4.0; /* a device should not idle for long while ligands are prepared */

typedef struct bt_target_run {
  bt_target *target;
  const bt_target_stream *stream;
  slot **ahead; /* [n_ahead] read ahead; the first `taken` are with the engine */
  int n_ahead, taken;
  atomic_bool last; /* the source has ended */
  atomic_int given; /* ligands that were passed to the engine */
  int done, tried;  /* those it has finished; those passed to it with earlier maps */
  int site;         /* box at work */
  bool stopped;     /* by the caller */
  bt_error failure; /* what is no ligand's fault */
} run;

/* ---- 1. source ---- */

static void destroy_slot(slot *s) {
  bt_result_destroy(s->docking.result);
  bt_ligand_destroy(s->ligand);
  free(s);
}

static void fail(run *r, const bt_error *error) {
  if (r->failure.status == BT_OK) r->failure = *error;
}

/* Boxes around pockets must have room for the ligand. */
static void note_length(bt_target *target, const bt_molecule *molecule) {
  double low[3], high[3], length2 = 0;
  if (target->options.pockets == 0 || bt_molecule_extent(molecule, NULL, low, high, NULL) != BT_OK) return;
  for (int k = 0; k < 3; k++) length2 += (high[k] - low[k]) * (high[k] - low[k]);
  target->longest = fmax(target->longest, sqrt(length2));
}

/* Everything about a ligand that can be checked without maps. */
static bt_status build(run *r, slot *s, bt_error *error) {
  bt_target *target = r->target;
  const bt_molecule *molecule = s->of->molecule, *rigid = target->receptor->rigid;
  if (rigid != NULL && target->options.ligands.opt_tether == NULL)
    BT_TRY(bt_molecule_check_bond(molecule, rigid, error));
  BT_TRY(bt_ligand_create_as(molecule, target->receptor->flexible, target->protocol.scoring, &s->ligand, error));
  if (s->ligand->n_ligand_atoms == 0)
    return bt_fail(error, BT_ERR_INPUT, (bt_where){.file = molecule->path}, "use a ligand with atoms", "no atoms");
  if ((target->n_boxes == 1 || target->n_receptors > 1) && target->options.pockets == 0 && rigid != NULL)
    BT_TRY(bt_box_fits(&target->boxes[0], s->ligand, error));
  if (target->options.opt_constraints != NULL)
    BT_TRY(bt_ligand_constrain(s->ligand, target->options.opt_constraints, error));
  if (target->options.pockets == 0) BT_TRY(bt_target_check_seeds(s->ligand, target->boxes, target->n_boxes, error));
  s->docking.opt_ligand = s->ligand;
  s->docking.opt_reference = s->of->opt_reference;
  note_length(target, molecule);
  return bt_types_of_ligand(&target->types, s->ligand, error);
}

/* The next ligand of the source, with its error if it cannot be docked; NULL at the end, or after a failure. */
static slot *read_slot(run *r) {
  if (r->last) return NULL;
  bt_target_ligand *of = r->stream->next(r->stream->user);
  if (of == NULL) r->last = true;
  if (of == NULL) return NULL;
  slot *s = bt_allocate(1, sizeof *s);
  if (s == NULL) {
    bt_error error;
    bt_fail_memory(&error);
    fail(r, &error);
    r->last = true;
    return NULL;
  }
  s->of = of;
  s->refused = of->error.status != BT_OK;
  if (of->error.status == BT_OK && build(r, s, &of->error) != BT_OK) s->docking.opt_ligand = NULL;
  s->docking.error = of->error;
  return s;
}

/* ---- 2. sink ---- */

/* A result outlives the target's maps and the slot. */
static bt_status own(bt_target *target, slot *s, bt_error *error) {
  bt_result *result = s->docking.result;
  BT_TRY(bt_result_own_ligand(result, s->ligand, error));
  s->ligand = NULL;
  for (int i = 0; i < target->n_boxes; i++) BT_TRY(bt_result_own_maps(result, target->maps[i], error));
  return BT_OK;
}

/* The search. Where networks choose among poses, they are given as many as by default even if fewer are kept: otherwise
 * the first pose would depend on how many are written. */
static bt_dock_options search_of(const bt_target *target) {
  bt_dock_options search = target->protocol.search;
  int poses = bt_dock_options_default().poses;
  if (search.variants == BT_VARIANTS_SIMILAR && search.poses < poses) search.poses = poses;
  return search;
}

static bt_status judge_scores(bt_target *target, bt_result *result, bt_error *error) {
  const bt_protocol *protocol = &target->protocol;
  int most = result->options.poses;
  result->options.poses = protocol->search.poses;
  bt_error reason = {0};
  if (target->rescoring != NULL) {
    BT_TRY(bt_rescoring_apply(target->rescoring, &result, 1, protocol->rank_by, &reason, error));
    if (reason.status != BT_OK) return (*error = reason).status;
  }
  if (target->n_receptors == 1) BT_TRY(bt_result_judge_waters(result, target->receptor->rigid, error));
  if (protocol->strain == BT_STRAIN_NONE) return BT_OK;
  bool counts = result->ligand->n_conformers > 0 && target->rescoring != NULL && protocol->rank_by == BT_RANK_SUM;
  if (counts) most += most / 2; /* those behind may come to the front */
  BT_TRY(bt_result_judge_strain(result, protocol->strain == BT_STRAIN_ALL ? -1 : most, error));
  return counts ? bt_result_rank(result, protocol->rank_by, error) : BT_OK;
}

/* Scores, then checks of the poses that come first by them. */
static bt_status judge(bt_target *target, bt_result *result, bt_error *error) {
  bt_checks_of checks = target->protocol.checks;
  BT_TRY(judge_scores(target, result, error));
  if (checks == BT_CHECKS_OFF) return BT_OK;
  BT_SCOPED const bt_molecule **rigid = bt_allocate((size_t)target->n_receptors, sizeof *rigid);
  if (rigid == NULL) return bt_fail_memory(error);
  for (int i = 0; i < target->n_receptors; i++) rigid[i] = target->receptors[i]->rigid;
  int count = rigid[0] != NULL ? target->n_receptors : 0; /* maps have no atoms */
  return bt_result_check_poses(result, rigid, count, checks == BT_CHECKS_ENERGY, error);
}

/* What is left to do for a docked ligand. With several boxes, its results in them have their seed poses. */
static bt_status complete(bt_target *target, slot *s, bt_error *error) {
  bt_result *result = s->docking.result;
  const bt_dock_options search = search_of(target);
  if (target->n_boxes == 1) BT_TRY(bt_target_add_seeds(s->ligand, target->maps[0], &search, result, error));
  BT_TRY(own(target, s, error));
  return judge(target, result, error);
}

/* Hands a ligand back to the caller. False stops. */
static bool settle(run *r, slot *s) {
  bt_target_ligand *of = s->of;
  of->error = s->docking.error;
  if (of->error.status == BT_OK && s->docking.result != NULL && complete(r->target, s, &of->error) != BT_OK) {
    bt_result_destroy(s->docking.result);
    s->docking.result = NULL;
  }
  of->result = s->docking.result;
  s->docking.result = NULL;
  if (of->error.status != BT_OK && !s->refused && !bt_status_concerns_ligand(of->error.status)) fail(r, &of->error);
  destroy_slot(s);
  if (!r->stream->done(r->stream->user, of)) r->stopped = true;
  return r->failure.status == BT_OK && !r->stopped;
}

/* Of a ligand that will not be docked any more: every one that the caller gave is handed back. */
static void hand_back(run *r, slot *s) {
  bt_fail(&s->of->error, BT_ERR_CANCELLED, (bt_where){0}, "", "the docking has stopped");
  (void)r->stream->done(r->stream->user, s->of);
  destroy_slot(s);
}

/* Hands back those read ahead that cannot be docked, and keeps the others. */
static bool settle_refused(run *r) {
  int kept = 0;
  bool on = true;
  for (int i = 0; i < r->n_ahead; i++)
    if (r->ahead[i]->docking.error.status == BT_OK)
      r->ahead[kept++] = r->ahead[i];
    else
      on = settle(r, r->ahead[i]) && on;
  r->n_ahead = kept;
  return on;
}

/* ---- 3. types without maps ---- */

/* Names all missing types at once, before ligands are refused for them. */
static void warn_of_missing(const run *r) {
  char text[512] = "";
  size_t size = 0;
  const bt_target *target = r->target;
  for (int t = 0; t < target->types.count; t++) {
    const char *type = target->types.items[t];
    int users = 0;
    if (bt_maps_find(target->maps[0], type) >= 0) continue;
    for (int i = 0; i < r->n_ahead; i++)
      for (int k = 0; k < r->ahead[i]->ligand->n_map_types; k++)
        users += strcmp(r->ahead[i]->ligand->map_types[k], type) == 0;
    if (users > 0 && size < sizeof text)
      size += (size_t)snprintf(text + size, sizeof text - size, "%s%s (%d ligand%s)", size > 0 ? ", " : "", type, users,
                               users > 1 ? "s" : "");
  }
  if (size > 0)
    bt_target_warn(target, "%s: no map for the atom types %s; these ligands are rejected", target->receptor->path,
                   text);
}

static bool settle_without_maps(run *r) {
  if (r->n_ahead > 1) warn_of_missing(r);
  for (int i = 0; i < r->n_ahead; i++) {
    slot *s = r->ahead[i];
    bool lacks = false;
    for (int k = 0; k < s->ligand->n_map_types; k++)
      lacks |= bt_maps_find(r->target->maps[0], s->ligand->map_types[k]) < 0;
    bt_energy energy; /* the error of scoring names the atom */
    if (lacks)
      (void)!bt_score(s->ligand, r->target->maps[0], BT_FORM_CONTINUOUS, BT_TORSIONAL_TORSDOF, &energy, NULL,
                      &s->docking.error);
  }
  return settle_refused(r);
}

/* ---- 4. one box ---- */

bool bt_target_show(void *user, double fraction, int64_t evaluations, double best_energy) {
  const bt_target *target = user;
  const run *r = target->run;
  if (r->stopped || r->failure.status != BT_OK) return false;
  if (r->stream->opt_progress == NULL) return true;
  if (target->n_boxes > 1) fraction = (r->site + fraction) / target->n_boxes;
  int given = r->given > 0 ? r->given : 1;
  const bt_target_progress progress = {.fraction = (r->tried + fraction * (given - r->tried)) / given,
                                       .given = given,
                                       .done = r->done,
                                       .more = !r->last,
                                       .evaluations = evaluations,
                                       .best_energy = best_energy};
  return r->stream->opt_progress(r->stream->user, &progress);
}

/* bt_docking_stream.next: those read ahead, then the source's; it ends before a ligand whose type has no map yet. */
static bt_docking *give(void *user) {
  run *r = user;
  slot *s;
  if (r->taken < r->n_ahead) {
    s = r->ahead[r->taken++];
  } else {
    r->taken = r->n_ahead = 0;
    if (r->stopped || r->failure.status != BT_OK) return NULL;
    s = read_slot(r);
    if (s == NULL) return NULL;
    if (r->target->types.count != r->target->n_mapped) {
      r->ahead[r->n_ahead++] = s;
      return NULL;
    }
  }
  r->given += s->docking.opt_ligand != NULL;
  return &s->docking;
}

static bool take(void *user, bt_docking *docking) {
  run *r = user;
  r->done += docking->opt_ligand != NULL;
  return settle(r, (slot *)docking);
}

static bt_status dock_one_box(run *r, bt_error *error) {
  bt_target *target = r->target;
  const bt_dock_options search = search_of(target);
  if (target->engine == NULL) BT_TRY(bt_engine_open(target->maps[0], &search, &target->engine, error));
  const bt_docking_stream stream = {
      .count = r->last ? r->n_ahead : -1, .ahead = true, .next = give, .done = take, .user = r};
  return bt_engine_dock_stream(target->engine, &stream, error);
}

/* ---- 5. several boxes ---- */

/* Docks all ligands read ahead into one box; results[i * n_boxes + site] becomes that of ligand i. */
static bt_status dock_into(run *r, bt_result **results, bt_error *error) {
  bt_target *target = r->target;
  BT_SCOPED bt_docking *dockings = bt_allocate((size_t)r->n_ahead, sizeof *dockings);
  if (dockings == NULL) return bt_fail_memory(error);
  for (int i = 0; i < r->n_ahead; i++) dockings[i] = r->ahead[i]->docking;
  bt_engine *engine = NULL;
  const bt_dock_options search = search_of(target);
  BT_TRY(bt_engine_open(target->maps[r->site], &search, &engine, error));
  bt_status status = bt_engine_dock(engine, dockings, r->n_ahead, error);
  bt_engine_close(engine);
  for (int i = 0; i < r->n_ahead; i++) {
    bt_result *result = dockings[i].result;
    results[i * target->n_boxes + r->site] = result;
    if (result == NULL)
      r->ahead[i]->docking.error = dockings[i].error;
    else if (status == BT_OK)
      status = bt_target_add_seeds(r->ahead[i]->ligand, target->maps[r->site], &search, result, error);
  }
  return status;
}

/* Merges the results of a ligand in all boxes; without any, its last error stays. */
static bt_status merge(slot *s, bt_result **results, int n_boxes, bool ensemble, bt_error *error) {
  int found = 0;
  BT_SCOPED int *numbers = bt_allocate((size_t)n_boxes, sizeof *numbers);
  if (numbers == NULL) return bt_fail_memory(error);
  for (int b = 0; b < n_boxes; b++) {
    bt_result *result = results[b];
    results[b] = NULL;
    if (result == NULL) continue;
    results[found] = result;
    numbers[found++] = b + 1;
  }
  if (found == 0) return BT_OK;
  BT_TRY(bt_result_merge(results, numbers, found, error));
  s->docking.error = (bt_error){0};
  s->docking.result = results[0];
  results[0]->ensemble = ensemble;
  results[0] = NULL;
  return BT_OK;
}

static bt_status dock_boxes(run *r, bt_error *error) {
  int n = r->n_ahead, n_boxes = r->target->n_boxes;
  size_t count = (size_t)n * (size_t)n_boxes;
  BT_SCOPED bt_result **results = bt_allocate(count, sizeof *results);
  if (results == NULL) return bt_fail_memory(error);
  r->given += n;
  bt_status status = BT_OK;
  for (r->site = 0; status == BT_OK && r->site < n_boxes; r->site++) status = dock_into(r, results, error);
  for (int i = 0; status == BT_OK && i < n; i++) {
    status = merge(r->ahead[i], results + i * n_boxes, n_boxes, r->target->n_receptors > 1, error);
    if (status != BT_OK) break;
    r->taken++;
    r->done++;
    if (!settle(r, r->ahead[i])) break;
  }
  for (size_t i = 0; i < count; i++) bt_result_destroy(results[i]);
  return status;
}

/* ---- 6. all ---- */

/* Reading two shows whether there is more than one. */
static void read_ahead(run *r) {
  double started = bt_seconds();
  while (r->failure.status == BT_OK && r->n_ahead < AHEAD &&
         (r->n_ahead < 2 || bt_seconds() - started <= ahead_seconds)) {
    slot *s = read_slot(r);
    if (s == NULL) break;
    r->ahead[r->n_ahead++] = s;
  }
}

static bt_status dock_some(run *r, bt_error *error) {
  bt_target *target = r->target;
  if (!settle_refused(r) || r->n_ahead == 0) return BT_OK;
  BT_TRY(bt_target_fit_maps(target, error));
  BT_TRY(bt_target_open_rescoring(target, false, error));
  if (!settle_without_maps(r) || r->n_ahead == 0) return BT_OK;
  if (r->stream->opt_started != NULL) BT_TRY(r->stream->opt_started(r->stream->user, r->n_ahead, !r->last, error));
  r->tried = r->given;
  bt_status status = target->n_boxes > 1 ? dock_boxes(r, error) : dock_one_box(r, error);
  if (target->n_boxes > 1 && r->taken == r->n_ahead) r->taken = r->n_ahead = 0;
  return status;
}

bt_status bt_target_dock_stream(bt_target *target, const bt_target_stream *stream, bt_error *opt_error) {
  bt_error error = {0};
  run r = {.target = target, .stream = stream};
  if (target->n_boxes == 0 && target->options.pockets == 0)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = target->receptor->path}, "open it with a box",
                   "the target has no box");
  for (int i = 0; i < target->n_boxes; i++)
    BT_TRY(bt_box_check_in(&target->boxes[i], bt_target_receptor_of(target, i), opt_error));
  r.ahead = bt_allocate(AHEAD, sizeof *r.ahead);
  if (r.ahead == NULL) return bt_fail_memory(opt_error);
  target->run = &r;
  do {
    read_ahead(&r);
    error.status = r.failure.status == BT_OK ? dock_some(&r, &error) : r.failure.status;
  } while (error.status == BT_OK && r.failure.status == BT_OK && !r.stopped && (r.n_ahead > r.taken || !r.last));
  for (int i = r.taken; i < r.n_ahead; i++) hand_back(&r, r.ahead[i]);
  free(r.ahead);
  target->run = NULL;
  /* what made the caller or a ligand's sink stop is the reason why the others were cancelled */
  if (r.failure.status != BT_OK && (error.status == BT_OK || error.status == BT_ERR_CANCELLED)) error = r.failure;
  if (error.status == BT_OK && r.stopped) bt_fail(&error, BT_ERR_CANCELLED, (bt_where){0}, "", "stopped on request");
  if (opt_error != NULL) *opt_error = error;
  return error.status;
}

/* ---- 7. one ligand ---- */

typedef struct single {
  bt_target_ligand ligand;
  bool given;
} single;

static bt_target_ligand *give_single(void *user) {
  single *one = user;
  if (one->given) return NULL;
  one->given = true;
  return &one->ligand;
}

static bool take_single(void *user, bt_target_ligand *ligand) {
  (void)user;
  return ligand != NULL;
}

bt_status bt_target_dock(bt_target *target, const bt_molecule *molecule, bt_result **ret_result, bt_error *opt_error) {
  single one = {.ligand = {.molecule = molecule}};
  const bt_target_stream stream = {.next = give_single, .done = take_single, .user = &one};
  *ret_result = NULL;
  BT_TRY(bt_target_dock_stream(target, &stream, opt_error));
  if (one.ligand.error.status != BT_OK) {
    if (opt_error != NULL) *opt_error = one.ligand.error;
    return one.ligand.error.status;
  }
  *ret_result = one.ligand.result;
  return BT_OK;
}

bt_status bt_target_dock_text(bt_target *target, const char *format, const char *text, bt_result **ret_result,
                              bt_error *opt_error) {
  bt_prepare_options options = target->options.ligands;
  options.opt_format = format;
  bt_ligand_reader *reader;
  bt_molecule *molecule = NULL;
  *ret_result = NULL;
  BT_TRY(bt_ligand_reader_open_text(text, strlen(text), "text", &options, &reader, opt_error));
  bt_status status = bt_ligand_reader_next(reader, &molecule, opt_error);
  bt_ligand_reader_close(reader);
  if (status == BT_OK && molecule == NULL)
    status = bt_fail(opt_error, BT_ERR_INPUT, (bt_where){0}, "use a text with one molecule", "the text is empty");
  if (status == BT_OK) status = bt_target_dock(target, molecule, ret_result, opt_error);
  if (status == BT_OK) status = bt_result_own_molecule(*ret_result, molecule, opt_error);
  if (status == BT_OK) return BT_OK;
  bt_result_destroy(*ret_result);
  *ret_result = NULL;
  bt_molecule_destroy(molecule);
  return status;
}
