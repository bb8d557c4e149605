/* choice.c - see choice.h. */
#include "backend/device/choice.h"

/* Ranks of all resident blocks together that keep a core busy, in waves of the device. */
static const int wanted_waves = 16;

static size_t largest_local(const bt_backend_job *job, const bt_runtime_variant *variant, int lanes) {
  size_t largest = 0;
  for (int l = 0; l < job->count; l++) {
    size_t bytes = bt_layout_local_bytes(&job->ligands[l].data->sizes, variant, lanes);
    if (bytes > largest) largest = bytes;
  }
  return largest;
}

static size_t poses_of(const bt_backend_job *job) {
  size_t poses = 0;
  for (int l = 0; l < job->count; l++)
    poses += (size_t)job->ligands[l].parameters->runs * (size_t)job->ligands[l].parameters->population;
  return poses;
}

static bool fits(const bt_backend_job *job, const bt_runtime_variant *variant) {
  return largest_local(job, variant, 1) <= job->properties.local_memory &&
         variant->team * variant->poses <= job->properties.block_threads;
}

/* How far a variant is from keeping every core busy; less is better. */
static double misfit(const bt_backend_job *job, const bt_runtime_variant *v) {
  size_t poses = poses_of(job), cores = (size_t)job->properties.cores;
  size_t blocks = (poses + (size_t)v->poses - 1) / (size_t)v->poses, per_core = (blocks + cores - 1) / cores;
  size_t room = job->properties.local_memory_core / (largest_local(job, v, 1) + 1024);
  if (per_core > room) per_core = room;
  if (per_core == 0) return 1e9;
  double waves = (double)per_core * v->team * v->poses / (job->properties.wave > 0 ? job->properties.wave : 1);
  double ratio = waves / wanted_waves;
  if (job->properties.cpu) return ratio + v->team * v->poses; /* its vectors hold the poses, and waiting is dear */
  return (ratio > 1 ? ratio : 1 / ratio) + (v->poses == 1 ? 100 : 0); /* sharing what poses have in common wins */
}

bt_status bt_device_choose(bt_backend_job *job, const bt_job_options *options, bt_error *opt_error) {
  bool tried[64] = {false};
  bt_error error;
  bt_status last = BT_ERR_LIMIT;
  bt_fail(&error, last, (bt_where){0}, "use --device cpu or another team size",
          "no team size of %s can hold a ligand of this size", job->runtime->name);
  for (;;) {
    int best = -1;
    for (int v = 0; job->runtime->variants[v].team > 0 && v < 64; v++) {
      const bt_runtime_variant *variant = &job->runtime->variants[v];
      if (tried[v] || !fits(job, variant)) continue;
      if (options->team > 0 && variant->team != options->team) continue;
      if (options->reduction != BT_REDUCTION_AUTO && variant->reduction != options->reduction) continue;
      if (options->reduction == BT_REDUCTION_AUTO && variant->reduction != BT_REDUCTION_SIMT) continue;
      if (best < 0 || misfit(job, variant) < misfit(job, &job->runtime->variants[best])) best = v;
    }
    if (best < 0) break;
    tried[best] = true;
    last = job->runtime->program(job->device, &job->runtime->variants[best], &job->program, &error);
    if (last != BT_OK) continue;
    job->variant = job->runtime->variants[best];
    job->lanes = job->runtime->lanes(job->program);
    return BT_OK;
  }
  if (opt_error != NULL) *opt_error = error;
  return last;
}
