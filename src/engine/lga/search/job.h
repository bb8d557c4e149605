/* job.h - jobs of many runs of many ligands on one device, driven generation by generation.
 *
 * A job copies or borrows the data until bt_job_destroy; every device draws the same random numbers (they are keyed by
 * meaning, kernel/lane/philox.h), and results are never ordered by thread.
 */
#ifndef BERTH_ENGINE_LGA_SEARCH_JOB_H
#define BERTH_ENGINE_LGA_SEARCH_JOB_H

#include <berth/types.h>
#include <pthread.h>

#include "backend/backend.h"
#include "kernel/lga/data.h"
#include "kernel/lga/parameters.h"

/* One ligand of a job. Both are borrowed until bt_job_destroy. */
typedef struct bt_job_ligand {
  const bt_kernel_data *data;
  const bt_search_parameters *parameters;
} bt_job_ligand;

/* How a job keeps the maps: one for every type and charge of every ligand, or those of the receptor, from which kernels
 * take three values for one. The numbers are the same but for rounding. */
typedef enum bt_job_maps { BT_JOB_MAPS_AUTO, BT_JOB_MAPS_FOLDED, BT_JOB_MAPS_SHARED } bt_job_maps;

typedef struct bt_job_options {
  int threads;              /* CPU threads; 0: all */
  int team;                 /* lanes that share one pose; 0: what is fastest */
  bt_reduction reduction;   /* how a team adds up */
  bt_job_maps maps;
  size_t memory;            /* device bytes that the job may take; 0: what is free */
  pthread_rwlock_t *opt_lock; /* of the jobs that use the device at the same time; borrowed until bt_job_destroy */
  struct bt_held_device *opt_held; /* of this and the next jobs; likewise, and to be closed when the job fails */
} bt_job_options;

/* What the search must know of one ligand after each generation. */
typedef struct bt_job_progress {
  int64_t evaluations; /* all runs together */
  float best_energy;   /* of all individuals; never NaN unless all are */
} bt_job_progress;

typedef struct bt_job bt_job;

/* All ligands are docked in the same box; they may differ in runs and population. BT_ERR_MEMORY: fewer ligands may
 * fit. options->team must be one that the device has, or 0. */
bt_status bt_job_create(const bt_backend *backend, const bt_job_ligand *ligands, int count,
                        const bt_job_options *options, bt_job **ret_job, bt_error *opt_error) BT_MUST_USE;
void bt_job_destroy(bt_job *job);

/* Random populations of all runs of all ligands, evaluated. */
bt_status bt_job_initialize(bt_job *job, bt_error *opt_error) BT_MUST_USE;
/* Puts an individual, genes[BT_GENES], into the initial population of every run of a ligand, in place of the first, after a
 * local search, since as it was given it may clash. */
bt_status bt_job_start_from(bt_job *job, int ligand, float *genes, bt_error *opt_error) BT_MUST_USE;
/* One generation of all runs of the ligands for which active[ligand] is true (NULL: of all): elitism, selection,
 * crossover, mutation, evaluation, local search. number >= 1. */
bt_status bt_job_generation(bt_job *job, uint32_t number, const bool *opt_active, bt_error *opt_error) BT_MUST_USE;

/* progress[count of ligands]. */
bt_status bt_job_read_progress(bt_job *job, bt_job_progress *progress, bt_error *opt_error) BT_MUST_USE;
/* The current populations of one ligand. */
typedef struct bt_job_population {
  float *energies;      /* [runs * population] */
  float *genes;         /* [runs * population * BT_GENES] */
  int64_t *evaluations; /* [runs] since the start */
} bt_job_population;

/* Those of all ligands for which wanted[ligand] is true, in a few large transfers, into populations[ligand]. */
bt_status bt_job_read_populations(bt_job *job, const bool *wanted, const bt_job_population *populations,
                                  bt_error *opt_error) BT_MUST_USE;
/* energies[runs * population] of one ligand's current populations; evaluations[runs] since the start. */
bt_status bt_job_read_energies(bt_job *job, int ligand, float *energies, int64_t *evaluations,
                               bt_error *opt_error) BT_MUST_USE;
/* genes[runs * population * BT_GENES] of one ligand's current populations. */
bt_status bt_job_read_genes(bt_job *job, int ligand, float *genes, bt_error *opt_error) BT_MUST_USE;

/* Energy, and gene gradient [count * BT_DOFS] if asked for, of genes[count * BT_GENES]. */
bt_status bt_job_evaluate(bt_job *job, int ligand, int count, const float *genes, float *energies, float *opt_gradients,
                          bt_error *opt_error) BT_MUST_USE;
/* The job's local search from genes[count * BT_GENES], in place; run 0, generation 0; count <= runs * population. */
bt_status bt_job_local_search(bt_job *job, int ligand, int count, float *genes, float *energies,
                              int64_t *ret_evaluations, bt_error *opt_error) BT_MUST_USE;
/* words[4 * count]: bt_draw_words of (purpose, run, generation, individual, step) for individual = 0 .. count - 1. */
bt_status bt_job_draw(bt_job *job, int ligand, unsigned int purpose, unsigned int run, unsigned int generation,
                      unsigned int step, int count, uint32_t *words, bt_error *opt_error) BT_MUST_USE;

/* One test of the ligands for which test[ligand] is true: have their searches converged (kernel/lga/autostop.h)? */
bt_status bt_job_autostop(bt_job *job, const bool *test, bool *ret_converged, bt_error *opt_error) BT_MUST_USE;

/* Lanes that share a pose when that many poses are searched at the same time. */
int bt_job_team(const bt_job *job, int poses);

/* study.c: for `berth bench reductions`. A job of one ligand with options->team set. */
/* As local_search with ADADELTA, counting a core's clock cycles: those of sums over teams, and all. Both 0: this device
 * or team cannot count them. */
bt_status bt_job_study_cycles(bt_job *job, int ligand, int count, float *genes, float *energies,
                              int64_t *ret_evaluations, int64_t *ret_sums, int64_t *ret_all,
                              bt_error *opt_error) BT_MUST_USE;
/* What a team adds up and what it gets, per pose: [team] energies, [n_atoms][6] gradient and moment (about the
 * ligand's center) of each atom in the order of data->atoms, [n_bodies][6] sums over all atoms that move with a body,
 * and the energy. All 0: as above. */
bt_status bt_job_study_sums(bt_job *job, int ligand, int count, const float *genes, float *values,
                            bt_error *opt_error) BT_MUST_USE;

#endif
