/* cycles.c - see cycles.h. */
#include "bench/fpga/cycles.h"

/* More poses than MOST_DEPTH in one stage need a latency of as many poses. */
enum { MOST_REPLICAS = 64, MOST_DEPTH = 256 };

fpga_design fpga_design_of(const bt_kernel_data *data, int n_pairs) {
  fpga_design d;
#define DEFAULTS(name, items, interval, latency) d.stages[FPGA_##name] = (fpga_stage){interval, latency};
  FPGA_STAGES(DEFAULTS)
#undef DEFAULTS
  long rotations = data->sizes.n_atoms;
  for (int b = 1; b < data->sizes.n_bodies; b++) {
    const bt_kernel_body *body = &data->bodies[b];
    if (body->torsion >= 0) rotations += data->bodies[body->end_body - 1].end_atom - body->first_atom;
  }
  d.items[FPGA_genetic] = d.items[FPGA_search] = 6 + data->sizes.n_torsions;
  d.items[FPGA_pose] = rotations;
  d.items[FPGA_inter] = data->sizes.n_atoms;
  d.items[FPGA_intra] = n_pairs;
  d.items[FPGA_store] = 1;
  return d;
}

typedef struct clockwork {
  double cycles[FPGA_STAGE_COUNT];           /* from a pose's start to its leaving */
  double issue[FPGA_STAGE_COUNT];            /* until the next pose can start */
  double free[FPGA_STAGE_COUNT];             /* when the stage can take the next pose */
  double left[FPGA_STAGE_COUNT][MOST_DEPTH]; /* when the last poses leave, in a ring */
  int count[FPGA_STAGE_COUNT], depth;
  fpga_prediction sum;
} clockwork;

/* Passes one pose that arrives at a time through a stage; returns when it leaves. */
static double pass(clockwork *c, int stage, double at) {
  double *oldest = &c->left[stage][c->count[stage]++ % c->depth]; /* has left when the pose enters */
  double start = at > c->free[stage] ? at : c->free[stage];
  if (start < *oldest) start = *oldest;
  c->sum.busy[stage] += c->issue[stage];
  c->free[stage] = start + c->issue[stage];
  return *oldest = start + c->cycles[stage];
}

static double score(clockwork *c, double at) {
  double placed = pass(c, FPGA_pose, at);
  double inter = pass(c, FPGA_inter, placed), intra = pass(c, FPGA_intra, placed);
  c->sum.evaluations++;
  return pass(c, FPGA_store, inter > intra ? inter : intra);
}

/* All individuals of a generation, one after another. */
static double breed(clockwork *c, const int *costs, int count, double start) {
  double end = start;
  for (int i = 0; i < count; i++)
    for (int k = 0; k < costs[i]; k++) {
      double scored = score(c, pass(c, FPGA_genetic, start));
      if (scored > end) end = scored;
    }
  return end;
}

/* Each search goes to a free replica; poses are served in order of arrival. */
static double search(clockwork *c, const int *costs, int count, int replicas, double start) {
  double ready[MOST_REPLICAS], end = start;
  int left[MOST_REPLICAS] = {0}, next = 0;
  if (replicas > MOST_REPLICAS) replicas = MOST_REPLICAS;
  for (int r = 0; r < replicas; r++) ready[r] = start + c->cycles[FPGA_search];
  for (;;) {
    int first = -1;
    for (int r = 0; r < replicas; r++) {
      while (left[r] == 0 && next < count) left[r] = costs[next++];
      if (left[r] > 0 && (first < 0 || ready[r] < ready[first])) first = r;
    }
    if (first < 0) return end;
    double scored = score(c, ready[first]);
    left[first]--;
    c->sum.busy[FPGA_search] += c->cycles[FPGA_search] / replicas;
    ready[first] = scored + c->cycles[FPGA_search];
    if (ready[first] > end) end = ready[first];
  }
}

fpga_prediction fpga_predict(const fpga_design *design, const bt_search_parameters *parameters, int generations,
                             const fpga_result *result, int replicas, int depth) {
  clockwork c = {.depth = depth < MOST_DEPTH ? depth : MOST_DEPTH};
  const int *drawn = result->drawn, *searched = result->searched;
  double now = 0;
  for (int s = 0; s < FPGA_STAGE_COUNT; s++) {
    c.issue[s] = (double)design->stages[s].interval * (double)design->items[s];
    c.cycles[s] = c.issue[s] + design->stages[s].latency;
    if (depth == 1) c.issue[s] = c.cycles[s];
  }
  for (int run = 0; run < parameters->runs; run++) {
    for (int g = 0; g <= generations; g++, drawn += parameters->population) {
      now = breed(&c, drawn, parameters->population, now);
      if (g == 0) continue;
      now = search(&c, searched, result->searches, replicas, now);
      searched += result->searches;
    }
  }
  c.sum.cycles = now;
  for (int s = 0; s < FPGA_STAGE_COUNT; s++) c.sum.busy[s] /= now;
  return c.sum;
}
