/* engine.c - opens the engine and decides how many workers each device has; bt_dock. */
#include "engine/lga/engine.h"
#include "engine/lga/device/devices.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/threads.h"
#include "engine/lga/search/heuristics.h"
#include "engine/lga/search/options.h"

enum {
  WORKERS_PER_GPU = 2,        /* ligands of a batch end one after the other: meanwhile another one keeps the GPU busy */
  WORKERS_PER_GPU_STREAM = 6, /* and others prepare or cluster */
  WORKERS_THAT_REFINE = 6,    /* more of them where the host refines poses (decision 039) */
  MOST_LIGANDS = 4096         /* of a batch from a stream, regardless of what the GPU can hold */
};

/* Ligands that fill the devices. */
static int filling(const bt_lga_engine *e, const bt_backend *const *devices, int n_devices, int64_t most) {
  double poses = 0;
  for (int d = 0; d < n_devices; d++) poses += bt_device_describe(devices[d]).poses;
  double wanted = poses / ((double)e->options.runs * e->options.population);
  return wanted < 1 ? 1 : wanted > (double)most ? (int)most : (int)wanted;
}

static bt_status add_workers(struct bt_pipeline *p, bt_unit *unit, int workers, int batch, int threads,
                             bt_error *opt_error) {
  for (int k = 0; k < workers; k++) BT_TRY(bt_pipeline_add_worker(p, unit, batch, threads, opt_error));
  return BT_OK;
}

/* The CPU works on each ligand with all threads. */
static bt_status plan_device(const bt_lga_engine *e, struct bt_pipeline *p, const bt_workload *load,
                             const bt_backend *device, bt_error *opt_error) {
  bt_unit *unit;
  BT_TRY(bt_pipeline_add_unit(p, device->name, &device, 1, &unit, opt_error));
  bool known = load->count >= 0;
  int batch = filling(e, &device, 1, known ? load->count : MOST_LIGANDS);
  bool several = bt_device_describe(device).accelerator && (!known || load->count > batch);
  return add_workers(p, unit, several ? WORKERS_PER_GPU : 1, batch, e->options.threads, opt_error);
}

static int stream_workers(const bt_lga_engine *e) {
  return WORKERS_PER_GPU_STREAM + (bt_scoring_traits_of(e->maps->scoring)->sums ? WORKERS_THAT_REFINE : 0);
}

/* Ligands one after the other: the CPU has a ligand for each thread. */
static bt_status plan_stream(const bt_lga_engine *e, struct bt_pipeline *p, const bt_workload *load,
                             bt_error *opt_error) {
  int threads = e->options.threads > 0 ? e->options.threads : bt_thread_count_default(), gpus = 0;
  for (int d = 0; d < e->devices.count; d++)
    gpus += bt_device_describe(e->devices.items[d]).accelerator;
  int processors = threads > 2 * gpus ? threads - 2 * gpus : 1; /* GPUs need threads that prepare ligands */
  for (int d = 0; d < e->devices.count; d++) {
    const bt_backend *device = e->devices.items[d];
    bool gpu = bt_device_describe(device).accelerator, all_threads = gpu || load->workers > 0;
    int most = load->batch > 0 ? load->batch : MOST_LIGANDS, filled = filling(e, &device, 1, most);
    int batch = load->batch > 0 && load->workers == 0 ? load->batch : all_threads ? filled : 1;
    int workers = gpu ? stream_workers(e) : processors;
    if (load->workers > 0) workers = load->workers * (gpu && most > filled ? WORKERS_PER_GPU : 1);
    bt_unit *unit;
    BT_TRY(bt_pipeline_add_unit(p, device->name, &device, 1, &unit, opt_error));
    BT_TRY(add_workers(p, unit, workers, batch, all_threads ? e->options.threads : 1, opt_error));
  }
  return BT_OK;
}

/* Fewer ligands than devices: all devices share the runs. Otherwise each device has ligands of its own. */
static bt_status plan(bt_engine *engine, struct bt_pipeline *p, const bt_workload *load, bt_error *opt_error) {
  bt_lga_engine *e = (bt_lga_engine *)engine;
  const bt_backend *const *devices = e->devices.items;
  e->last = devices[e->devices.count - 1];
  if (load->count < 0) return plan_stream(e, p, load, opt_error);
  if (load->count < e->devices.count) {
    bt_unit *unit;
    BT_TRY(bt_pipeline_add_unit(p, devices[0]->name, devices, e->devices.count, &unit, opt_error));
    return add_workers(p, unit, 1, filling(e, devices, e->devices.count, load->count), e->options.threads, opt_error);
  }
  for (int d = 0; d < e->devices.count; d++) BT_TRY(plan_device(e, p, load, devices[d], opt_error));
  return BT_OK;
}

static bt_status plan_next(bt_engine *engine, struct bt_pipeline *p, const bt_workload *load, bt_error *opt_error) {
  bt_lga_engine *e = (bt_lga_engine *)engine;
  const bt_backend *next = bt_device_next(e->last);
  if (next == NULL) return BT_OK;
  e->last = next;
  return plan_device(e, p, load, next, opt_error);
}

static void close(bt_engine *engine) {
  bt_lga_engine *e = (bt_lga_engine *)engine;
  bt_device_list_free(&e->devices);
  free(e);
}

/* Evaluations times their cost. */
double bt_lga_work(const bt_engine *engine, const bt_item *item) {
  enum { ATOM = 3 }; /* the map look-ups of an atom cost as much as this many pairs */
  const bt_dock_options *o = &((const bt_lga_engine *)engine)->options;
  const bt_ligand *ligand = item->input;
  double evaluations = (double)bt_heuristic_limit(o, ligand->n_torsions, NULL) * o->runs;
  return evaluations * (ligand->n_pairs + (double)ATOM * ligand->n_atoms);
}

const bt_engine_type bt_lga_engine_type; /* for the registry */

bt_status bt_lga_engine_open(const bt_maps *maps, const bt_dock_options *options, const bt_device_list *devices,
                             bt_lga_engine **ret_engine, bt_error *opt_error) {
  bt_lga_engine *e = bt_allocate(1, sizeof *e);
  if (e == NULL) return bt_fail_memory(opt_error);
  *e = (bt_lga_engine){.engine = {.type = &bt_lga_engine_type,
                                  .next_allowed = devices->next_allowed,
                                  .opt_progress = options->opt_progress,
                                  .opt_progress_user = options->opt_progress_user},
                       .options = *options,
                       .maps = maps,
                       .devices = *devices};
  e->engine.seed = &e->options.seed;
  *ret_engine = e;
  return BT_OK;
}

static bt_status open(const bt_maps *maps, const bt_dock_options *options, bool screen, bt_lga_engine **ret_engine,
                      bt_error *opt_error) {
  bt_device_list devices;
  BT_TRY(bt_dock_options_check(options, opt_error));
  BT_TRY(bt_device_list_make(options->opt_device, options->opt_isa, screen, &devices, opt_error));
  bt_status status = bt_lga_engine_open(maps, options, &devices, ret_engine, opt_error);
  if (status != BT_OK) bt_device_list_free(&devices);
  return status;
}

bt_status bt_engine_open(const bt_maps *maps, const bt_dock_options *options, bt_engine **ret_engine,
                         bt_error *opt_error) {
  bt_lga_engine *e;
  BT_TRY(open(maps, options, false, &e, opt_error));
  *ret_engine = &e->engine;
  return BT_OK;
}

bt_status bt_dock(const bt_ligand *ligand, const bt_maps *maps, const bt_molecule *opt_reference,
                  const bt_dock_options *options, bt_result **ret_result, bt_error *opt_error) {
  bt_engine *engine;
  bt_docking docking = {.opt_ligand = ligand, .opt_reference = opt_reference};
  BT_TRY(bt_engine_open(maps, options, &engine, opt_error));
  bt_status status = bt_engine_dock(engine, &docking, 1, opt_error);
  bt_engine_close(engine);
  *ret_result = docking.result;
  if (status == BT_OK && (status = docking.error.status) != BT_OK && opt_error != NULL) *opt_error = docking.error;
  return status;
}

static bt_status open_screen(const bt_screen_options *options, bt_engine **ret_engine, bt_error *opt_error) {
  bt_lga_engine *e;
  BT_TRY(open(options->maps, &options->search, true, &e, opt_error));
  e->opt_flexible = options->opt_flexible;
  e->opt_constraints = options->opt_constraints;
  e->opt_receptor_pdbqt = options->opt_receptor_pdbqt;
  *ret_engine = &e->engine;
  return BT_OK;
}

const bt_engine_type bt_lga_engine_type = {.name = "autodock",
                                           .unnamed = true,
                                           .terms = {"inter", "intra", "torsional"},
                                           .open_screen = open_screen,
                                           .close = close,
                                           .plan = plan,
                                           .opt_plan_next = plan_next,
                                           .opt_work = bt_lga_work,
                                           .dock = bt_lga_dock,
                                           .opt_leave = bt_lga_leave,
                                           .prepare = bt_lga_prepare,
                                           .destroy_input = bt_lga_destroy_input,
                                           .destroy_output = bt_lga_destroy_output,
                                           .results = true,
                                           .describe = bt_lga_describe,
                                           .keep = bt_lga_keep,
                                           .note = bt_lga_note};
