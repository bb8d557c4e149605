/* lga.c - docking by the Lamarckian genetic algorithm: one ligand, many independent runs on one back end.
 *
 * The algorithm reads in order in bt_dock: check, build, search generation by generation, re-score in double
 * precision, cluster. Morris et al., J. Comput. Chem. 19, 1639 (1998); Santos-Martins et al. 2021.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "backend/backend.h"
#include "base/status.h"
#include "results/result.h"
#include "search/autostop.h"
#include "search/heuristics.h"
#include "search/kernel_data.h"
#include "search/nudge.h"
#include "search/options.h"
#include "search/preflight.h"

/* A pose that lies further out is not one of the box: it keeps AutoDock's penalty and is flagged. */
static const double nudge_limit_angstrom = 0.5;

static double now_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Everything that one docking holds while it runs. */
typedef struct docking {
  const bt_dock_options *options;
  bt_search_parameters parameters;
  bt_dock_data *data;
  bt_scorer *scorer;
  const bt_backend *backend;
  bt_backend_job *job;
  float *energies;      /* [runs * population] */
  int64_t *evaluations; /* [runs] */
  float *genes;         /* [runs * population] individuals */
  bt_result *result;
} docking;

static void docking_close(docking *d) {
  if (d->job != NULL) d->backend->job_destroy(d->job);
  bt_scorer_destroy(d->scorer);
  bt_dock_data_destroy(d->data);
  free(d->energies);
  free(d->evaluations);
  free(d->genes);
}

static bt_status docking_open(docking *d, const bt_ligand *ligand, const bt_maps *maps,
                              const bt_molecule *opt_reference, const bt_dock_options *options, bt_error *opt_error) {
  d->options = options;
  BT_TRY(bt_dock_options_check(options, opt_error));
  BT_TRY(bt_scorer_create(ligand, maps, BT_FORM_TABULATED, options->torsional, &d->scorer, opt_error));
  BT_TRY(bt_preflight(ligand, maps, opt_error));
  BT_TRY(bt_dock_data_create(ligand, maps, &d->data, opt_error));
  d->parameters = bt_search_parameters_make(options, ligand);
  char device[64] = "cpu";
  if (options->opt_isa != NULL) snprintf(device, sizeof device, "cpu/%s", options->opt_isa);
  BT_TRY(bt_backend_find(device, &d->backend, opt_error));
  bt_job_ligand one = {&d->data->kernel, &d->parameters};
  bt_job_options how = {.threads = options->threads};
  BT_TRY(d->backend->job_create(d->backend, &one, 1, &how, &d->job, opt_error));
  d->energies = calloc((size_t)options->runs * (size_t)options->population, sizeof *d->energies);
  d->evaluations = calloc((size_t)options->runs, sizeof *d->evaluations);
  d->genes = calloc((size_t)options->runs * (size_t)options->population * (size_t)BT_GENES(ligand->n_torsions),
                    sizeof *d->genes);
  if (d->energies == NULL || d->evaluations == NULL || d->genes == NULL) return bt_fail_memory(opt_error);
  BT_TRY(bt_result_create(ligand, maps, opt_reference, options, &d->result, opt_error));
  snprintf(d->result->device, sizeof d->result->device, "%s", d->backend->name);
  return BT_OK;
}

/* Moves one individual's pose, with its double-precision energy, into a run of the result. */
static void keep_pose(docking *d, int run, const float *genes, float search_energy, int64_t evaluations) {
  bt_run *to = &d->result->runs[run];
  bt_genes_to_genotype(d->data, genes, &to->genotype);
  bt_genotype_coordinates(d->data->ligand, &to->genotype, to->xyz);
  bt_nudge_inside(d->data->ligand, d->result->maps, nudge_limit_angstrom, &to->genotype, to->xyz);
  bt_score_coordinates(d->scorer, to->xyz, &to->energy, to->atoms);
  to->search_energy = (double)search_energy;
  to->evaluations = evaluations;
}

static bt_status finish(docking *d, bt_result **ret_result, bt_error *opt_error) {
  d->result->evaluations = 0;
  for (int run = 0; run < d->result->n_runs; run++) {
    d->result->evaluations += d->result->runs[run].evaluations;
    const bt_energy *energy = &d->result->runs[run].energy;
    if (!isfinite(energy->total))
      return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = d->data->ligand->molecule->path},
                     "check the maps and the ligand's coordinates",
                     "run %d ended in a pose without a finite energy", run + 1);
  }
  BT_TRY(bt_result_cluster(d->result, opt_error));
  *ret_result = d->result;
  d->result = NULL;
  return BT_OK;
}

/* The index of the best individual of one run; never one whose energy is not a number. */
static int best_individual(const docking *d, int run) {
  const float *energies = d->energies + (size_t)run * (size_t)d->options->population;
  int best = 0;
  for (int i = 1; i < d->options->population; i++)
    if (energies[i] < energies[best] || isnan(energies[best])) best = i;
  return best;
}

/* Evaluations per run so far, averaged over runs. */
static double mean_evaluations(const docking *d) {
  double total = 0;
  for (int run = 0; run < d->options->runs; run++) total += (double)d->evaluations[run];
  return total / d->options->runs;
}

static double best_energy(const docking *d) {
  double best = INFINITY;
  for (size_t i = 0; i < (size_t)d->options->runs * (size_t)d->options->population; i++)
    best = fmin(best, (double)d->energies[i]);
  return best;
}

/* Generations until a limit, convergence, or the user's wish. */
static bt_status search(docking *d, int64_t evaluation_limit, double autostop_minimum, bt_autostop *autostop,
                        bt_error *opt_error) {
  const bt_dock_options *o = d->options;
  size_t slots = (size_t)o->runs * (size_t)o->population;
  double last_report = 0;
  BT_TRY(d->backend->initialize(d->job, opt_error));
  for (int64_t generation = 0;; generation++) {
    BT_TRY(d->backend->read_energies(d->job, 0, d->energies, d->evaluations, opt_error));
    d->result->generations = generation;
    double mean = mean_evaluations(d);
    double fraction = fmax(mean / (double)evaluation_limit, (double)generation / (double)o->generations);
    if (o->opt_progress != NULL && (now_seconds() - last_report > 0.1 || fraction >= 1.0)) {
      last_report = now_seconds();
      if (!o->opt_progress(o->opt_progress_user, fmin(fraction, 1.0), (int64_t)(mean * o->runs), best_energy(d)))
        return bt_fail(opt_error, BT_ERR_CANCELLED, (bt_where){0}, "", "the docking was stopped");
    }
    if (fraction >= 1.0) return BT_OK;
    if (o->autostop && generation % o->autostop_interval == 0) {
      bool converged = bt_autostop_test(autostop, d->energies, slots);
      if (converged && mean >= autostop_minimum) {
        d->result->autostopped = true;
        return BT_OK;
      }
    }
    BT_TRY(d->backend->generation(d->job, (uint32_t)(generation + 1), NULL, opt_error));
  }
}

/* Sets the limits from the heuristic, searches, and takes the best pose of every run. */
static bt_status search_and_keep(docking *d, bt_result **ret_result, bt_error *opt_error) {
  const bt_dock_options *o = d->options;
  int torsions = d->data->ligand->n_torsions;
  int64_t limit = o->evaluations;
  double minimum = 0;
  if (o->heuristics) {
    int64_t estimate = bt_heuristic_evaluations(o->local_search, torsions, o->runs, o->heuristics_max);
    if (estimate < limit) limit = estimate;
    minimum = bt_heuristic_autostop_minimum((double)limit, bt_heuristic_uncapped(o->local_search, torsions, o->runs));
  }
  d->result->options.evaluations = limit;

  bt_autostop autostop;
  BT_TRY(bt_autostop_create(o->autostop_tolerance, o->population, &autostop, opt_error));
  double start = now_seconds();
  bt_status status = search(d, limit, minimum, &autostop, opt_error);
  d->result->seconds = now_seconds() - start;
  bt_autostop_destroy(&autostop);
  BT_TRY(status);

  BT_TRY(d->backend->read_genes(d->job, 0, d->genes, opt_error));
  for (int run = 0; run < o->runs; run++) {
    size_t best = (size_t)run * (size_t)o->population + (size_t)best_individual(d, run);
    keep_pose(d, run, d->genes + best * (size_t)BT_GENES(torsions), d->energies[best], d->evaluations[run]);
  }
  return finish(d, ret_result, opt_error);
}

bt_status bt_dock(const bt_ligand *ligand, const bt_maps *maps, const bt_molecule *opt_reference,
                  const bt_dock_options *options, bt_result **ret_result, bt_error *opt_error) {
  docking d = {0};
  bt_status status = docking_open(&d, ligand, maps, opt_reference, options, opt_error);
  if (status == BT_OK) status = search_and_keep(&d, ret_result, opt_error);
  bt_result_destroy(d.result);
  docking_close(&d);
  return status;
}

static bt_status minimize(docking *d, bt_result **ret_result, bt_error *opt_error) {
  bt_genotype *genotype = &d->result->runs[0].genotype;
  bt_genotype_identity(d->data->ligand, genotype);
  bt_genotype_to_genes(d->data, genotype, d->genes);
  float energy;
  int64_t evaluations;
  double start = now_seconds();
  BT_TRY(d->backend->local_search(d->job, 0, 1, d->genes, &energy, &evaluations, opt_error));
  d->result->seconds = now_seconds() - start;
  keep_pose(d, 0, d->genes, energy, evaluations);
  return finish(d, ret_result, opt_error);
}

bt_status bt_minimize(const bt_ligand *ligand, const bt_maps *maps, const bt_dock_options *options,
                      bt_result **ret_result, bt_error *opt_error) {
  bt_dock_options single = *options;
  single.runs = 1;
  single.population = 2;
  single.elitism = 1;
  single.threads = 1;
  docking d = {0};
  bt_status status = docking_open(&d, ligand, maps, NULL, &single, opt_error);
  if (status == BT_OK) status = minimize(&d, ret_result, opt_error);
  bt_result_destroy(d.result);
  docking_close(&d);
  return status;
}
