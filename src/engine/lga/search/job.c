/* job.c - jobs on a device: everything stays there from the random populations to the end; the host launches
 * kernels and reads a few bytes per run and generation.
 */
#include "engine/lga/search/job.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/lga/device/calibrate.h"
#include "engine/lga/device/choice.h"
#include "engine/lga/device/device_maps.h"
#include "engine/lga/device/layout.h"
#include "engine/lga/studies.h"

void bt_job_destroy(bt_job *job) {
  if (job == NULL) return;
  if (job->held == &job->own) bt_held_device_close(&job->own);
  bt_arena_destroy(&job->memory);
  free(job->image);
  free(job);
}

/* Kernels for which the schedule is worth a copy; GRADIENT, as local searches are judged by its time. */
static bool evaluates_often(bt_launch_kernel kernel) {
  return kernel == BT_LAUNCH_ADADELTA || kernel == BT_LAUNCH_SOLIS_WETS || kernel == BT_LAUNCH_ADAM ||
         kernel == BT_LAUNCH_GRADIENT || kernel == BT_LAUNCH_CYCLES;
}

bt_status bt_device_launch_blocks(bt_job *job, const bt_device_choice *choice, bt_launch_kernel kernel,
                                  size_t first_block, size_t blocks, bt_launch *with, bt_error *opt_error) {
  if (blocks == 0) return BT_OK;
  with->blocks = job->launch.blocks + (bt_offset)(first_block * sizeof(bt_launch_block));
  with->schedule = choice->schedule;
  with->stream_at = choice->stream_at;
  with->state_at = choice->state_at;
  with->tables_at = choice->tables_at;
  with->schedule_at = evaluates_often(kernel) ? choice->schedule_at : 0;
  with->state_floats = (bt_offset)(job->state_reals * bt_layout_block_poses(choice));
  bt_launch_size size = {blocks, choice->variant.team * choice->variant.poses, choice->local_bytes};
  return job->runtime->launch(job->device, choice->program, (int)kernel, size, &job->arena, &job->maps, with,
                              opt_error);
}

static bt_status launch(bt_job *job, bt_launch_kernel kernel, size_t first_block, size_t blocks, bt_launch *with,
                        bt_error *opt_error) {
  return bt_device_launch_blocks(job, &job->choices[0], kernel, first_block, blocks, with, opt_error);
}

/* PREPARE or FINISH. */
static bt_status launch_runs(bt_job *job, bt_launch_kernel kernel, bt_launch with, bt_error *opt_error) {
  with.count = bt_layout_block_runs(job);
  return launch(job, kernel, job->first_runs, job->n_runs, &with, opt_error);
}

static bt_status job_fill(bt_job *job, const bt_job_options *options, bt_error *opt_error) {
  job->runtime->device_properties(job->opened, &job->properties);
  BT_TRY(bt_held_device_open(job->held, job->runtime, job->opened, opt_error));
  job->device = job->held->opt_device;
  if (job->runtime->opt_use_threads != NULL) job->runtime->opt_use_threads(job->device, options->threads);
  BT_TRY(bt_device_choose(job, options, opt_error));
  BT_TRY(bt_layout_make(job, opt_error));
  size_t bytes = job->arena_bytes + job->maps_floats * sizeof(float);
  size_t free_memory = job->properties.free_memory + job->held->arena.bytes + job->held->maps.bytes;
  size_t memory = job->properties.cpu && job->count == 1 ? SIZE_MAX : free_memory;
  if (options->memory > 0 && options->memory < memory) memory = options->memory;
  size_t largest = job->properties.largest_buffer;
  if (bytes > memory || job->maps_floats * sizeof(float) > largest || job->arena_bytes > largest)
    return bt_fail(opt_error, BT_ERR_MEMORY, (bt_where){0}, "dock fewer ligands at once, or use a smaller box",
                   "%d ligands need %.1f GB on %s, which has %.1f GB free (%.1f GB in one piece)", job->count,
                   (double)bytes * 1e-9, job->properties.name, (double)memory * 1e-9, (double)largest * 1e-9);
  BT_TRY(bt_held_device_reserve(job->held, job->arena_bytes, job->maps_floats * sizeof(float), opt_error));
  job->arena = job->held->arena;
  job->maps = job->held->maps;
  BT_TRY(
      job->runtime->clear(job->device, &job->arena, job->image_bytes, job->arena_bytes - job->image_bytes, opt_error));
  BT_TRY(job->runtime->upload(job->device, &job->arena, 0, job->image, job->image_bytes, opt_error));
  BT_TRY(job->runtime->upload(job->device, &job->arena, (size_t)job->launch.ligands, job->table,
                              (size_t)job->count * sizeof *job->table, opt_error));
  BT_TRY(bt_device_maps_make(job, opt_error));
  if (job->choose_again && options->team == 0) bt_calibrate(job);
  return BT_OK;
}

bt_status bt_job_create(const bt_backend *backend, const bt_job_ligand *ligands, int count,
                        const bt_job_options *options, bt_job **ret_job, bt_error *opt_error) {
  bt_job *job = calloc(1, sizeof *job);
  if (job == NULL) return bt_fail_memory(opt_error);
  job->runtime = backend->runtime;
  job->opened = backend->device;
  job->opt_lock = options->opt_lock;
  job->count = count;
  job->maps_wanted = options->maps;
  job->held = options->opt_held != NULL ? options->opt_held : &job->own;
  BT_NEW(&job->memory, job->ligands, count);
  BT_NEW(&job->memory, job->table, count);
  BT_NEW(&job->memory, job->active, count);
  BT_NEW(&job->memory, job->present, count);
  bt_status status = bt_arena_status(&job->memory, opt_error);
  if (status == BT_OK) {
    memcpy(job->ligands, ligands, (size_t)count * sizeof *ligands);
    status = job_fill(job, options, opt_error);
  }
  return BT_HAND_OVER(status, job, ret_job, bt_job_destroy);
}

bt_status bt_job_initialize(bt_job *job, bt_error *opt_error) {
  BT_TRY(bt_layout_blocks(job, NULL, opt_error));
  for (int l = 0; l < job->count; l++) job->present[l] = 0;
  BT_TRY(job->runtime->clear(job->device, &job->arena, job->runs_at, job->runs_bytes, opt_error));
  BT_TRY(job->runtime->clear(job->device, &job->arena, job->autostop_at, job->autostop_bytes, opt_error));
  bt_launch with = job->launch;
  with.present = 0;
  BT_TRY(launch(job, BT_LAUNCH_INITIAL, job->first_initial, job->n_initial, &with, opt_error));
  return launch_runs(job, BT_LAUNCH_FINISH, with, opt_error);
}

/* Searches of one ligand that a round begins or continues. */
static size_t waiting(const bt_job *job, int ligand, int round) {
  if (!job->active[ligand]) return 0;
  if (round == 0) return bt_layout_searches(job->ligands[ligand].parameters);
  const bt_launch_rounds *rounds =
      (const bt_launch_rounds *)(const void *)(job->counters + ((size_t)job->table[ligand].rounds - job->counters_at));
  return (size_t)rounds->left[round];
}

/* One round of local searches. Lanes take the next search when they finish one, so no more blocks are launched than
 * are resident at once. */
static bt_status search_round(bt_job *job, int round, size_t searches, bt_launch *with, bt_error *opt_error) {
  const bt_device_choice *choice = bt_device_choice_for(job, searches);
  size_t per_block = bt_layout_block_poses(choice), wanted = 0, n = 0;
  bt_launch_block *blocks = job->blocks + job->first_search;
  for (int l = 0; l < job->count; l++) wanted += (waiting(job, l, round) + per_block - 1) / per_block;
  for (int l = 0; l < job->count; l++) {
    size_t mine = (waiting(job, l, round) + per_block - 1) / per_block;
    if (choice->room > 0 && wanted > choice->room && mine > 0) {
      mine = mine * choice->room / wanted;
      if (mine == 0) mine = 1;
    }
    for (size_t b = 0; b < mine; b++) blocks[n++] = (bt_launch_block){l, 0};
  }
  BT_TRY(job->runtime->upload(job->device, &job->arena,
                              (size_t)job->launch.blocks + job->first_search * sizeof(bt_launch_block), blocks,
                              n * sizeof *blocks, opt_error));
  with->round = round;
  return bt_device_launch_blocks(job, choice, bt_layout_search_kernel(job->ligands[0].parameters), job->first_search, n,
                                 with, opt_error);
}

/* Iterations of a round. Below so many atoms an iteration is so short that rounds cost more than idle lanes, and
 * searches by ADAM are all equally long: then no lane waits for the host within a generation. */
enum { ROUND_ITERATIONS = 40, ROUND_ATOMS = 16 };

static bool gathers(const bt_job *job) {
  if (job->ligands[0].parameters->local_search == BT_KERNEL_LS_ADAM) return false;
  for (int l = 0; l < job->count; l++)
    if (job->ligands[l].data->sizes.n_atoms >= ROUND_ATOMS) return job->properties.wave > 1;
  return false;
}

/* The local searches of a generation. Their numbers of iterations differ widely: each round compacts the searches that
 * are still running, so that few lanes idle. */
static bt_status search_generation(bt_job *job, bt_launch *with, bt_error *opt_error) {
  size_t searches = job->searches;
  int round_iterations = gathers(job) ? ROUND_ITERATIONS : 0;
  for (int round = 0; searches > 0; round++) {
    bool last = round_iterations <= 0 || round == BT_LAUNCH_ROUNDS - 1;
    with->round_iterations = last ? 0 : round_iterations;
    BT_TRY(search_round(job, round, searches, with, opt_error));
    if (last) break;
    BT_TRY(job->runtime->download(job->device, job->counters, &job->arena, job->counters_at, job->counters_bytes,
                                  opt_error));
    searches = 0;
    for (int l = 0; l < job->count; l++) searches += waiting(job, l, round + 1);
  }
  return BT_OK;
}

static bt_status generation(bt_job *job, uint32_t number, const bool *opt_active, bt_error *opt_error) {
  BT_TRY(bt_layout_blocks(job, opt_active, opt_error));
  bt_launch with = job->launch;
  with.generation = number;
  with.present = (int)(number - 1) & 1;
  with.repeats = bt_study_repeats();
  BT_TRY(launch_runs(job, BT_LAUNCH_PREPARE, with, opt_error));
  BT_TRY(launch(job, BT_LAUNCH_OFFSPRING, job->first_offspring, job->n_offspring, &with, opt_error));
  BT_TRY(search_generation(job, &with, opt_error));
  with.present = 1 - with.present;
  for (int l = 0; l < job->count; l++)
    if (job->active[l]) job->present[l] = with.present;
  return launch_runs(job, BT_LAUNCH_FINISH, with, opt_error);
}

bt_status bt_job_generation(bt_job *job, uint32_t number, const bool *opt_active, bt_error *opt_error) {
  if (job->opt_lock != NULL) pthread_rwlock_rdlock(job->opt_lock); /* not while another job measures team sizes */
  bt_status status = generation(job, number, opt_active, opt_error);
  if (job->opt_lock != NULL) pthread_rwlock_unlock(job->opt_lock);
  return status;
}

static const bt_launch_run *runs_of(const bt_job *job, int ligand) {
  return (const bt_launch_run *)(const void *)(job->runs + ((size_t)job->table[ligand].runs - job->runs_at));
}

bt_status bt_job_read_progress(bt_job *job, bt_job_progress *progress, bt_error *opt_error) {
  BT_TRY(job->runtime->download(job->device, job->runs, &job->arena, job->runs_at, job->runs_bytes, opt_error));
  for (int l = 0; l < job->count; l++) {
    const bt_launch_run *runs = runs_of(job, l);
    progress[l] = (bt_job_progress){.best_energy = NAN};
    for (int run = 0; run < job->ligands[l].parameters->runs; run++) {
      progress[l].evaluations += runs[run].evaluations;
      progress[l].best_energy = fminf(progress[l].best_energy, runs[run].best_energy);
    }
  }
  return BT_OK;
}

bt_status bt_job_autostop(bt_job *job, const bool *test, bool *ret_converged, bt_error *opt_error) {
  size_t n = 0;
  bt_launch with = job->launch;
  for (int l = 0; l < job->count; l++) {
    if (!test[l]) continue;
    job->blocks[n++] = (bt_launch_block){l, 0};
    with.present = job->present[l]; /* the same of all that are searched */
  }
  job->n_blocks = 0; /* the tables of a generation are overwritten */
  BT_TRY(job->runtime->upload(job->device, &job->arena, (size_t)job->launch.blocks, job->blocks,
                              n * sizeof *job->blocks, opt_error));
  BT_TRY(launch(job, BT_LAUNCH_AUTOSTOP, 0, n, &with, opt_error));
  BT_TRY(job->runtime->download(job->device, job->converged, &job->arena, job->converged_at,
                                (size_t)job->count * sizeof *job->converged, opt_error));
  for (int l = 0; l < job->count; l++)
    if (test[l]) ret_converged[l] = job->converged[l] != 0;
  return BT_OK;
}

static size_t individuals(const bt_job *job, int ligand) {
  const bt_search_parameters *p = job->ligands[ligand].parameters;
  return (size_t)p->runs * (size_t)p->population;
}

bt_status bt_job_read_energies(bt_job *job, int ligand, float *energies, int64_t *evaluations, bt_error *opt_error) {
  const bt_launch_ligand *at = &job->table[ligand];
  size_t runs = (size_t)job->ligands[ligand].parameters->runs, first = (size_t)at->runs - job->runs_at;
  BT_TRY(job->runtime->download(job->device, energies, &job->arena, (size_t)at->energies[job->present[ligand]],
                                individuals(job, ligand) * sizeof *energies, opt_error));
  BT_TRY(job->runtime->download(job->device, job->runs + first, &job->arena, (size_t)at->runs,
                                runs * sizeof(bt_launch_run), opt_error));
  for (size_t run = 0; run < runs; run++) evaluations[run] = runs_of(job, ligand)[run].evaluations;
  return BT_OK;
}

bt_status bt_job_read_genes(bt_job *job, int ligand, float *genes, bt_error *opt_error) {
  const bt_launch_ligand *at = &job->table[ligand];
  size_t floats = individuals(job, ligand) * (size_t)BT_GENES(at->sizes.n_torsions);
  return job->runtime->download(job->device, genes, &job->arena, (size_t)at->genes[job->present[ligand]],
                                floats * sizeof *genes, opt_error);
}

/* A piece of the arena that belongs to one ligand, and where it is to go; bytes 0: nowhere. */
typedef struct wanted_piece {
  size_t at, bytes;
  void *to;
} wanted_piece;

/* What one transfer may take, and what it may take in vain to save another one. */
static const size_t transfer_bytes = (size_t)16 << 20, vain_bytes = (size_t)128 << 10;

/* Ascending pieces, neighbors together. */
static bt_status download_pieces(bt_job *job, const wanted_piece *pieces, int count, bt_error *opt_error) {
  BT_SCOPED unsigned char *buffer = NULL;
  size_t capacity = 0;
  for (int first = 0, end; first < count; first = end) {
    end = first + 1;
    if (pieces[first].bytes == 0) continue;
    size_t begin = pieces[first].at, last = begin + pieces[first].bytes;
    for (; end < count; end++) {
      if (pieces[end].bytes == 0) continue;
      if (pieces[end].at < last || pieces[end].at > last + vain_bytes ||
          pieces[end].at + pieces[end].bytes > begin + transfer_bytes)
        break;
      last = pieces[end].at + pieces[end].bytes;
    }
    if (!BT_GROW(buffer, &capacity, last - begin)) return bt_fail_memory(opt_error);
    BT_TRY(job->runtime->download(job->device, buffer, &job->arena, begin, last - begin, opt_error));
    for (int k = first; k < end; k++)
      if (pieces[k].bytes > 0) memcpy(pieces[k].to, buffer + (pieces[k].at - begin), pieces[k].bytes);
  }
  return BT_OK;
}

/* All that are wanted are at the same generation, and so in the same of both sides of each ligand's memory. */
bt_status bt_job_read_populations(bt_job *job, const bool *wanted, const bt_job_population *populations,
                                  bt_error *opt_error) {
  BT_SCOPED wanted_piece *pieces = bt_allocate(2 * (size_t)job->count, sizeof *pieces);
  if (pieces == NULL) return bt_fail_memory(opt_error);
  BT_TRY(job->runtime->download(job->device, job->runs, &job->arena, job->runs_at, job->runs_bytes, opt_error));
  for (int l = 0; l < job->count; l++) {
    if (!wanted[l]) continue;
    const bt_launch_ligand *at = &job->table[l];
    size_t floats = individuals(job, l), genes = floats * (size_t)BT_GENES(at->sizes.n_torsions);
    int side = job->present[l];
    pieces[l] = (wanted_piece){(size_t)at->energies[side], floats * sizeof(float), populations[l].energies};
    pieces[job->count + l] = (wanted_piece){(size_t)at->genes[side], genes * sizeof(float), populations[l].genes};
    for (int run = 0; run < job->ligands[l].parameters->runs; run++)
      populations[l].evaluations[run] = runs_of(job, l)[run].evaluations;
  }
  BT_TRY(download_pieces(job, pieces, job->count, opt_error));
  return download_pieces(job, pieces + job->count, job->count, opt_error);
}

bt_status bt_device_launch_given(bt_job *job, bt_launch_kernel kernel, int ligand, int count, bt_launch *with,
                                 bt_error *opt_error) {
  int per_block = (int)bt_layout_block_poses(&job->choices[0]);
  size_t n = 0;
  for (int first = 0; first < count; first += per_block) job->blocks[n++] = (bt_launch_block){ligand, first};
  job->n_blocks = 0; /* the tables of a generation are overwritten */
  BT_TRY(job->runtime->upload(job->device, &job->arena, (size_t)job->launch.blocks, job->blocks,
                              n * sizeof *job->blocks, opt_error));
  with->count = count;
  return launch(job, kernel, 0, n, with, opt_error);
}

static bt_status evaluate_some(bt_job *job, int ligand, int count, const float *genes, float *energies,
                               float *opt_gradients, bt_error *opt_error) {
  int torsions = job->table[ligand].sizes.n_torsions;
  size_t genes_bytes = (size_t)count * (size_t)BT_GENES(torsions) * 4;
  size_t gradient_bytes = (size_t)count * (size_t)BT_DOFS(torsions) * 4;
  bt_launch with = job->launch;
  with.genes = job->given;
  with.energies = with.genes + (bt_offset)genes_bytes;
  with.gradients = with.energies + (bt_offset)count * 4;
  BT_TRY(job->runtime->upload(job->device, &job->arena, (size_t)with.genes, genes, genes_bytes, opt_error));
  BT_TRY(bt_device_launch_given(job, opt_gradients != NULL ? BT_LAUNCH_GRADIENT : BT_LAUNCH_ENERGY, ligand, count,
                                &with, opt_error));
  if (opt_gradients != NULL)
    BT_TRY(job->runtime->download(job->device, opt_gradients, &job->arena, (size_t)with.gradients, gradient_bytes,
                                  opt_error));
  return job->runtime->download(job->device, energies, &job->arena, (size_t)with.energies, (size_t)count * 4,
                                opt_error);
}

bt_status bt_job_evaluate(bt_job *job, int ligand, int count, const float *genes, float *energies, float *opt_gradients,
                          bt_error *opt_error) {
  size_t n_genes = (size_t)BT_GENES(job->table[ligand].sizes.n_torsions);
  size_t n_dofs = (size_t)BT_DOFS(job->table[ligand].sizes.n_torsions);
  for (int first = 0; first < count; first += job->given_capacity) {
    int some = count - first < job->given_capacity ? count - first : job->given_capacity;
    BT_TRY(evaluate_some(job, ligand, some, genes + (size_t)first * n_genes, energies + first,
                         opt_gradients != NULL ? opt_gradients + (size_t)first * n_dofs : NULL, opt_error));
  }
  return BT_OK;
}

bt_status bt_job_local_search(bt_job *job, int ligand, int count, float *genes, float *energies,
                              int64_t *ret_evaluations, bt_error *opt_error) {
  bt_launch_kernel kernel = bt_layout_search_kernel(job->ligands[ligand].parameters);
  return bt_device_search_given(job, kernel, ligand, count, genes, energies, ret_evaluations, opt_error);
}

bt_status bt_device_search_given(bt_job *job, bt_launch_kernel kernel, int ligand, int count, float *genes,
                                 float *energies, int64_t *ret_evaluations, bt_error *opt_error) {
  const bt_search_parameters *p = job->ligands[ligand].parameters;
  const bt_launch_ligand *at = &job->table[ligand];
  if (count > p->runs * p->population)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "use a larger population", "too many poses for one search");
  size_t bytes = (size_t)count * (size_t)BT_GENES(at->sizes.n_torsions) * 4;
  int next = 1 - job->present[ligand];
  BT_SCOPED int *costs = bt_allocate((size_t)count, sizeof *costs);
  if (costs == NULL) return bt_fail_memory(opt_error);
  const struct {
    void *host;
    bt_offset at;
    size_t bytes;
  } arrays[] = {{genes, at->genes[next], bytes},
                {energies, at->energies[next], (size_t)count * 4},
                {costs, at->costs, (size_t)count * 4}};
  bt_launch with = job->launch;
  with.present = job->present[ligand];
  with.energies = job->given; /* where kernels of a study report */
  BT_TRY(bt_job_evaluate(job, ligand, count, genes, energies, NULL, opt_error));
  for (int k = 0; k < 3; k++)
    BT_TRY(job->runtime->upload(job->device, &job->arena, (size_t)arrays[k].at, arrays[k].host, arrays[k].bytes,
                                opt_error));
  BT_TRY(job->runtime->clear(job->device, &job->arena, (size_t)at->rounds, sizeof(bt_launch_rounds), opt_error));
  if (kernel == BT_LAUNCH_CYCLES)
    BT_TRY(job->runtime->clear(job->device, &job->arena, (size_t)job->given, job->given_bytes, opt_error));
  if (p->local_search != BT_KERNEL_LS_NONE)
    BT_TRY(bt_device_launch_given(job, kernel, ligand, count, &with, opt_error));
  for (int k = 0; k < 3; k++)
    BT_TRY(job->runtime->download(job->device, arrays[k].host, &job->arena, (size_t)arrays[k].at, arrays[k].bytes,
                                  opt_error));
  *ret_evaluations = count;
  for (int i = 0; i < count; i++) *ret_evaluations += costs[i];
  return BT_OK;
}

bt_status bt_job_start_from(bt_job *job, int ligand, float *genes, bt_error *opt_error) {
  const bt_search_parameters *p = job->ligands[ligand].parameters;
  const bt_launch_ligand *at = &job->table[ligand];
  size_t bytes = (size_t)BT_GENES(at->sizes.n_torsions) * sizeof *genes, present = (size_t)job->present[ligand];
  float energy;
  int64_t evaluations;
  BT_TRY(bt_job_local_search(job, ligand, 1, genes, &energy, &evaluations, opt_error));
  for (int run = 0; run < p->runs; run++) {
    size_t first = (size_t)run * (size_t)p->population;
    BT_TRY(job->runtime->upload(job->device, &job->arena, (size_t)at->genes[present] + first * bytes, genes, bytes,
                                opt_error));
    BT_TRY(job->runtime->upload(job->device, &job->arena, (size_t)at->energies[present] + first * sizeof energy,
                                &energy, sizeof energy, opt_error));
  }
  return BT_OK;
}

bt_status bt_job_draw(bt_job *job, int ligand, unsigned int purpose, unsigned int run, unsigned int generation,
                      unsigned int step, int count, uint32_t *words, bt_error *opt_error) {
  if (count > job->given_capacity)
    return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){0}, "draw fewer at once", "at most %d draws at once",
                   job->given_capacity);
  bt_launch with = job->launch;
  with.genes = job->given;
  with.purpose = purpose;
  with.run = run;
  with.generation = generation;
  with.step = step;
  BT_TRY(bt_device_launch_given(job, BT_LAUNCH_DRAW, ligand, count, &with, opt_error));
  return job->runtime->download(job->device, words, &job->arena, (size_t)with.genes, (size_t)count * 16, opt_error);
}

int bt_job_team(const bt_job *job, int poses) { return bt_device_choice_for(job, (size_t)poses)->variant.team; }
