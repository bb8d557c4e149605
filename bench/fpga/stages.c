/* stages.c - see pipeline.h. Compiled like the scalar kernels (cmake/Bench.cmake). */
#include "backend/cpu/lane.h"
#include "kernel/lga/kernel.h"

#include "bench/fpga/pipe.h"
#include "bench/fpga/pipeline.h"

/* A pose passing through the stages; the genetic algorithm sends search requests in the same form. */
typedef struct token {
  fpga_pipe *reply;
  bt_real *genes, *xyz; /* [n_genes], [3 n_atoms] */
  bt_real inter, intra, energy;
  int individual, number, attempt; /* number: of a search; attempt: times it was redrawn */
  int cost;                        /* evaluations that a search used */
  unsigned int run, generation;
  bool outside; /* some atom is outside the box */
} token;

/* The state of one replica of the local search, and its only token. */
typedef struct replica {
  bt_search_state state;
  token pose;
  fpga_pipe reply;
  void *reply_slots[1];
} replica;

typedef struct pipeline {
  bt_kernel_data data;
  const bt_search_parameters *parameters;
  int generations, replicas, depth, n_genes;
  fpga_result *result;
  float *next_genes, *next_energies, *cumulative, *worst;
  token *tokens; /* [depth] of the genetic algorithm */
  token **free;  /* stack of unused ones */
  int n_free;
  replica *searchers;
  fpga_pipe searches, found, poses, to_inter, to_intra, from_inter, from_intra, scored;
  bt_pose_scratch scratch[3]; /* of pose, inter, intra */
  pthread_mutex_t lock;
  pthread_cond_t decided;
  int go; /* 1: all threads were created; -1: some were not */
} pipeline;

/* ---- Scoring chain ---- */

static bt_pose_scratch scratch_of(const pipeline *p, int stage, const token *t) {
  bt_pose_scratch scratch = p->scratch[stage];
  scratch.xyz = t->xyz;
  return scratch;
}

static void stage_pose(pipeline *p) {
  for (token *t; (t = fpga_pipe_pop(&p->poses)) != NULL;) {
    bt_pose_coordinates(&p->data, t->genes, scratch_of(p, 0, t));
    fpga_pipe_push(&p->to_intra, t);
    fpga_pipe_push(&p->to_inter, t);
  }
  fpga_pipe_close(&p->to_intra);
  fpga_pipe_close(&p->to_inter);
}

static void stage_inter(pipeline *p) {
  for (token *t; (t = fpga_pipe_pop(&p->to_inter)) != NULL;) {
    bt_pose_scratch scratch = scratch_of(p, 1, t);
    t->inter = bt_inter_energy(&p->data, p->parameters, bt_splat(0.0f), scratch, 0);
    t->outside = bt_any(bt_pose_outside(&p->data, scratch)) != 0;
    fpga_pipe_push(&p->from_inter, t);
  }
  fpga_pipe_close(&p->from_inter);
}

static void stage_intra(pipeline *p) {
  bt_stream stream = 0;
  for (token *t; (t = fpga_pipe_pop(&p->to_intra)) != NULL;) {
    t->intra = bt_intra_energy(&p->data, scratch_of(p, 2, t), &stream, bt_splat(0.0f), 0);
    fpga_pipe_push(&p->from_intra, t);
  }
  fpga_pipe_close(&p->from_intra);
}

/* Both halves of a pose arrive in the same order. */
static void stage_store(pipeline *p) {
  for (token *t; (t = fpga_pipe_pop(&p->from_inter)) != NULL;) {
    t = fpga_pipe_pop(&p->from_intra);
    t->energy = t->intra + t->inter;
    fpga_pipe_push(t->reply, t);
  }
}

/* ---- Local search ---- */

static void stage_search(pipeline *p, replica *r) {
  const bt_kernel_data *data = &p->data;
  for (token *t; (t = fpga_pipe_pop(&p->searches)) != NULL;) {
    for (int k = 0; k < p->n_genes; k++) r->state.genes[k] = t->genes[k];
    r->state.energy = t->energy;
    bt_solis_wets_begin(&r->state, data->sizes.n_torsions, bt_eq_int(bt_splat_int(0), bt_splat_int(0)), 0);
    bt_mask active;
    t->cost = 0;
    do {
      bt_solis_wets_try(&r->state, data, p->parameters, bt_splat_uint(t->run), bt_splat_uint(t->generation),
                        bt_splat_uint((unsigned int)t->individual), 0);
      fpga_pipe_push(&p->poses, &r->pose);
      fpga_pipe_pop(&r->reply);
      active = bt_solis_wets_judge(&r->state, data, p->parameters, r->pose.energy, 0);
      t->cost++;
    } while (bt_any(active));
    for (int k = 0; k < p->n_genes; k++) t->genes[k] = r->state.genes[k];
    t->energy = r->state.energy;
    fpga_pipe_push(&p->found, t);
  }
  fpga_pipe_close(&p->poses);
}

/* ---- Genetic algorithm ---- */

static void draw(pipeline *p, token *t, int run, bool child) {
  bt_uint of = bt_splat_uint((unsigned int)run), individual = bt_splat_uint((unsigned int)t->individual);
  bt_uint attempt = bt_splat_uint((unsigned int)t->attempt), generation = bt_splat_uint(t->generation);
  if (!child) {
    bt_initial_genes(&p->data, p->parameters, of, individual, attempt, t->genes);
    return;
  }
  bt_parents parents =
      bt_select_parents(p->parameters, p->result->energies, p->cumulative, of, generation, individual, attempt);
  bt_offspring_genes(&p->data, p->parameters, p->result->genes, parents, of, generation, individual, attempt, t->genes);
  bt_mutate_genes(&p->data, p->parameters, of, generation, individual, attempt, t->genes);
}

static void keep(const pipeline *p, const token *t, int run, float *genes, float *energies) {
  size_t slot = (size_t)run * (size_t)p->parameters->population + (size_t)t->individual;
  for (int k = 0; k < p->n_genes; k++) genes[slot * (size_t)p->n_genes + (size_t)k] = bt_lane_get(t->genes[k], 0);
  energies[slot] = bt_lane_get(t->energy, 0);
}

/* Makes and scores the individuals from first on; those outside the box are redrawn. No more are in flight than the
 * FIFO of replies holds, so that store never blocks on the genetic algorithm. */
static void breed(pipeline *p, int run, int generation, int first, float *genes, float *energies) {
  int population = p->parameters->population, away = 0;
  int *costs =
      p->result->drawn + ((size_t)run * (size_t)(p->generations + 1) + (size_t)generation) * (size_t)population;
  for (int next = first; next < population || away > 0;) {
    token *t;
    if (next < population && p->n_free > 0) {
      t = p->free[--p->n_free];
      t->reply = &p->scored;
      t->individual = next++;
      t->attempt = 0;
      t->generation = (unsigned int)generation;
      away++;
    } else {
      t = fpga_pipe_pop(&p->scored);
      if (!t->outside || t->attempt >= p->parameters->redraws) {
        keep(p, t, run, genes, energies);
        p->result->evaluations[run] += costs[t->individual] = t->attempt + 1;
        p->free[p->n_free++] = t;
        away--;
        continue;
      }
      t->attempt++;
    }
    draw(p, t, run, generation > 0);
    fpga_pipe_push(&p->poses, t);
  }
}

static void search(pipeline *p, int run, int generation, float *genes, float *energies) {
  int per_run = p->result->searches, away = 0;
  int *costs =
      p->result->searched + ((size_t)run * (size_t)p->generations + (size_t)(generation - 1)) * (size_t)per_run;
  for (int next = 0; next < per_run || away > 0;) {
    if (next == per_run || p->n_free == 0) {
      token *t = fpga_pipe_pop(&p->found);
      keep(p, t, run, genes, energies);
      p->result->evaluations[run] += costs[t->number] = t->cost;
      p->free[p->n_free++] = t;
      away--;
      continue;
    }
    token *t = p->free[--p->n_free];
    t->number = next;
    t->individual = bt_lane_get_int(bt_population_task(p->parameters, bt_splat_uint((unsigned int)run),
                                                       (unsigned int)generation, bt_splat_int(next++)),
                                    0);
    t->run = (unsigned int)(run + p->parameters->first_run);
    t->generation = (unsigned int)generation;
    size_t slot = (size_t)run * (size_t)p->parameters->population + (size_t)t->individual;
    for (int k = 0; k < p->n_genes; k++) t->genes[k] = bt_splat(genes[slot * (size_t)p->n_genes + (size_t)k]);
    t->energy = bt_splat(energies[slot]);
    fpga_pipe_push(&p->searches, t);
    away++;
  }
}

static void dock_run(pipeline *p, int run) {
  const bt_search_parameters *of = p->parameters;
  size_t at = (size_t)run * (size_t)of->population, genes_at = at * (size_t)p->n_genes;
  fpga_result *r = p->result;
  breed(p, run, 0, 0, r->genes, r->energies);
  for (int g = 1; g <= p->generations; g++) {
    bt_population_elite(p->n_genes, of->population, of->elitism, r->genes + genes_at, r->energies + at,
                        p->next_genes + genes_at, p->next_energies + at);
    if (of->selection == BT_KERNEL_SELECT_PROPORTIONAL)
      bt_population_wheel(of->population, (unsigned int)g, r->energies + at, p->worst + run * BT_SELECTION_WINDOW,
                          p->cumulative + at);
    breed(p, run, g, of->elitism, p->next_genes, p->next_energies);
    search(p, run, g, p->next_genes, p->next_energies);
    memcpy(r->genes + genes_at, p->next_genes + genes_at,
           (size_t)of->population * (size_t)p->n_genes * sizeof *r->genes);
    memcpy(r->energies + at, p->next_energies + at, (size_t)of->population * sizeof *r->energies);
  }
}

static void stage_genetic(pipeline *p) {
  for (int run = 0; run < p->parameters->runs; run++) dock_run(p, run);
  fpga_pipe_close(&p->searches);
  fpga_pipe_close(&p->poses);
}

/* ---- Threads ---- */

enum { STAGES = 5 };
static void (*const stages[STAGES])(pipeline *) = {stage_pose, stage_inter, stage_intra, stage_store, stage_genetic};

typedef struct work {
  pipeline *of;
  int stage; /* from STAGES on: replicas */
} work;

/* No stage starts before all threads were created, since it would wait for a missing one forever. */
static void *run_stage(void *context) {
  const work *w = context;
  pipeline *p = w->of;
  pthread_mutex_lock(&p->lock);
  while (p->go == 0) pthread_cond_wait(&p->decided, &p->lock);
  int go = p->go;
  pthread_mutex_unlock(&p->lock);
  if (go < 0) return NULL;
  if (w->stage < STAGES)
    stages[w->stage](p);
  else
    stage_search(p, &p->searchers[w->stage - STAGES]);
  return NULL;
}

static bt_status run_all(pipeline *p, bt_arena *arena, bt_error *opt_error) {
  int count = STAGES + p->replicas, started = 0;
  pthread_t *threads;
  work *works;
  BT_NEW(arena, threads, count);
  BT_NEW(arena, works, count);
  BT_TRY(bt_arena_status(arena, opt_error));
  for (; started < count; started++) {
    works[started] = (work){p, started};
    if (pthread_create(&threads[started], NULL, run_stage, &works[started]) != 0) break;
  }
  pthread_mutex_lock(&p->lock);
  p->go = started == count ? 1 : -1;
  pthread_cond_broadcast(&p->decided);
  pthread_mutex_unlock(&p->lock);
  for (int k = 0; k < started; k++) pthread_join(threads[k], NULL);
  return started == count ? BT_OK
                          : bt_fail(opt_error, BT_ERR_MEMORY, (bt_where){0}, "use fewer replicas",
                                    "a pipeline of %d threads could not be started", count);
}

/* ---- Memory ---- */

static void make_token(const pipeline *p, bt_arena *arena, token *t) {
  BT_NEW(arena, t->genes, p->n_genes);
  BT_NEW(arena, t->xyz, 3 * p->data.sizes.n_atoms);
}

static void make_pipe(const pipeline *p, bt_arena *arena, fpga_pipe *pipe, int writers) {
  void **slots;
  BT_NEW(arena, slots, p->depth);
  fpga_pipe_open(pipe, slots, p->depth, writers);
}

static void make_replica(const pipeline *p, bt_arena *arena, replica *r) {
  int n_torsions = p->data.sizes.n_torsions;
  make_token(p, arena, &r->pose);
  r->pose.reply = &r->reply;
  r->state.trial = r->pose.genes;
  BT_NEW(arena, r->state.genes, p->n_genes);
  BT_NEW(arena, r->state.first, BT_DOFS(n_torsions));
  BT_NEW(arena, r->state.second, BT_DOFS(n_torsions));
  fpga_pipe_open(&r->reply, r->reply_slots, 1, 1);
}

/* One map per combination of type and charge, points in plain order. */
static void fold_maps(pipeline *p, bt_arena *arena) {
  const bt_kernel_grid *grid = p->data.grid;
  long plane = (long)grid->points_x * grid->points_y, points = plane * grid->points_z;
  bt_kernel_box *box = &p->data.box;
  float *maps;
  BT_NEW(arena, maps, (size_t)points * (size_t)p->data.sizes.n_classes);
  box->stride_x = 1;
  box->stride_y = box->corner_y = grid->points_x;
  box->stride_z = box->corner_z = (int)plane;
  box->corner_yz = box->corner_y + box->corner_z;
  box->map_stride = points;
  p->data.maps = maps;
  for (int c = 0; c < p->data.sizes.n_classes && maps != NULL; c++)
    for (long at = 0; at < points; at++)
      maps[c * points + at] = bt_fold_value(grid->affinity[p->data.classes[c].affinity], grid->electrostatic,
                                            grid->desolvation, p->data.classes[c].charge, at);
}

static void make_result(pipeline *p, bt_arena *arena) {
  const bt_search_parameters *of = p->parameters;
  size_t slots = (size_t)of->runs * (size_t)of->population, runs = (size_t)of->runs;
  fpga_result *r = p->result;
  *r = (fpga_result){.searches = bt_population_searched(of)};
  BT_NEW(arena, r->genes, slots * (size_t)p->n_genes);
  BT_NEW(arena, r->energies, slots);
  BT_NEW(arena, r->evaluations, runs);
  BT_NEW(arena, r->drawn, slots * (size_t)(p->generations + 1));
  BT_NEW(arena, r->searched, runs * (size_t)p->generations * (size_t)r->searches);
  BT_NEW(arena, p->next_genes, slots * (size_t)p->n_genes);
  BT_NEW(arena, p->next_energies, slots);
  BT_NEW(arena, p->cumulative, slots);
  BT_NEW(arena, p->worst, runs * BT_SELECTION_WINDOW);
}

static bt_status make(pipeline *p, bt_arena *arena, bt_error *opt_error) {
  const bt_kernel_sizes *sizes = &p->data.sizes;
  make_result(p, arena);
  fold_maps(p, arena);
  BT_NEW(arena, p->tokens, p->depth);
  BT_NEW(arena, p->free, p->depth);
  BT_NEW(arena, p->searchers, p->replicas);
  BT_TRY(bt_arena_status(arena, opt_error));
  for (int k = 0; k < p->depth; k++) {
    make_token(p, arena, &p->tokens[k]);
    p->free[p->n_free++] = &p->tokens[k];
  }
  for (int k = 0; k < 3; k++) BT_NEW(arena, p->scratch[k].atom_gradient, 3 * sizes->n_atoms + 6 * sizes->n_single);
  for (int k = 0; k < p->replicas; k++) make_replica(p, arena, &p->searchers[k]);
  make_pipe(p, arena, &p->searches, 1);
  make_pipe(p, arena, &p->poses, p->replicas + 1);
  fpga_pipe *const others[] = {&p->found, &p->to_inter, &p->to_intra, &p->from_inter, &p->from_intra, &p->scored};
  for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) make_pipe(p, arena, others[k], 1);
  return bt_arena_status(arena, opt_error);
}

bt_status fpga_dock(const bt_kernel_data *data, const bt_search_parameters *parameters, int generations, int replicas,
                    int depth, bt_arena *arena, fpga_result *ret_result, bt_error *opt_error) {
  pipeline p = {.data = *data,
                .parameters = parameters,
                .generations = generations,
                .replicas = replicas,
                .depth = depth,
                .n_genes = BT_GENES(data->sizes.n_torsions),
                .result = ret_result,
                .lock = PTHREAD_MUTEX_INITIALIZER,
                .decided = PTHREAD_COND_INITIALIZER};
  BT_TRY(make(&p, arena, opt_error));
  return run_all(&p, arena, opt_error);
}
