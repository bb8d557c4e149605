/* backend.h - what a processor must offer: jobs of many runs of many ligands, driven generation by generation.
 *
 * A back end copies or borrows the data until job_destroy; it draws the same random numbers as every other one (they
 * are keyed by meaning, kernel/lane/philox.h) and never orders results by thread.
 */
#ifndef BERTH_BACKEND_BACKEND_H
#define BERTH_BACKEND_BACKEND_H

#include "backend/runtime.h"
#include "base/turns.h"
#include "kernel/ad4/data.h"
#include "kernel/ad4/parameters.h"

/* One ligand of a job. Both are borrowed until job_destroy. */
typedef struct bt_job_ligand {
  const bt_kernel_data *data;
  const bt_search_parameters *parameters;
} bt_job_ligand;

typedef struct bt_job_options {
  int threads;              /* CPU threads; 0: all */
  int team;                 /* lanes that share one pose; 0: the back end chooses */
  bt_reduction reduction;   /* how a team adds up */
  size_t memory;            /* device bytes that the job may take; 0: what is free */
  bt_turns *opt_turns;      /* of the jobs that use the device at the same time; borrowed until job_destroy */
} bt_job_options;

/* What the search must know of one ligand after each generation. */
typedef struct bt_job_progress {
  int64_t evaluations; /* all runs together */
  float best_energy;   /* of all individuals; never NaN unless all are */
} bt_job_progress;

typedef struct bt_backend_job bt_backend_job;

typedef struct bt_backend {
  const char *name; /* "cpu/avx512", "cuda:0" */
  const bt_runtime *runtime;
  int device; /* of the runtime; -1: it has none */
  /* What it is, and whether (or why not) it can be used on this machine. */
  bt_device_info (*describe)(const struct bt_backend *backend);

  /* All ligands are docked in the same box; they may differ in runs and population. BT_ERR_MEMORY: fewer ligands may
   * fit. options->team must be one that the back end has, or 0. */
  bt_status (*job_create)(const struct bt_backend *backend, const bt_job_ligand *ligands, int count,
                          const bt_job_options *options, bt_backend_job **ret_job, bt_error *opt_error);
  void (*job_destroy)(bt_backend_job *job);

  /* Random populations of all runs of all ligands, evaluated. */
  bt_status (*initialize)(bt_backend_job *job, bt_error *opt_error);
  /* One generation of all runs of the ligands for which active[ligand] is true (NULL: of all): elitism, selection,
   * crossover, mutation, evaluation, local search. number >= 1. */
  bt_status (*generation)(bt_backend_job *job, uint32_t number, const bool *opt_active, bt_error *opt_error);

  /* progress[count of ligands]. */
  bt_status (*read_progress)(bt_backend_job *job, bt_job_progress *progress, bt_error *opt_error);
  /* energies[runs * population] of one ligand's current populations; evaluations[runs] since the start. */
  bt_status (*read_energies)(bt_backend_job *job, int ligand, float *energies, int64_t *evaluations,
                             bt_error *opt_error);
  /* genes[runs * population * BT_GENES] of one ligand's current populations. */
  bt_status (*read_genes)(bt_backend_job *job, int ligand, float *genes, bt_error *opt_error);

  /* Energy, and gene gradient [count * BT_DOFS] if asked for, of genes[count * BT_GENES]. */
  bt_status (*evaluate)(bt_backend_job *job, int ligand, int count, const float *genes, float *energies,
                        float *opt_gradients, bt_error *opt_error);
  /* The job's local search from genes[count * BT_GENES], in place; run 0, generation 0; count <= runs * population. */
  bt_status (*local_search)(bt_backend_job *job, int ligand, int count, float *genes, float *energies,
                            int64_t *ret_evaluations, bt_error *opt_error);
  /* words[4 * count]: bt_draw_words of (purpose, run, generation, individual, step) for individual = 0 .. count - 1. */
  bt_status (*draw)(bt_backend_job *job, int ligand, unsigned int purpose, unsigned int run, unsigned int generation,
                    unsigned int step, int count, uint32_t *words, bt_error *opt_error);

  /* One test of the ligands for which test[ligand] is true: have their searches converged (kernel/ad4/autostop.h)? NULL: the
   * caller reads the energies and tests. */
  bt_status (*opt_autostop)(bt_backend_job *job, const bool *test, bool *ret_converged, bt_error *opt_error);

  /* Lanes that share a pose when that many poses are searched at the same time; NULL: one lane is one pose. */
  int (*opt_team)(const bt_backend_job *job, int poses);

  /* For `berth bench reductions`; NULL where nothing is to be studied. A job of one ligand with options->team set. */
  /* As local_search with ADADELTA, counting a core's clock cycles: those of sums over teams, and all. Both 0: this
   * device or team cannot count them. */
  bt_status (*opt_study_cycles)(bt_backend_job *job, int ligand, int count, float *genes, float *energies,
                                int64_t *ret_sums, int64_t *ret_all, bt_error *opt_error);
  /* What a team adds up and what it gets, per pose: [team] energies, [n_atoms][6] gradient and moment (about the
   * ligand's center) of each atom in the order of data->atoms, [n_bodies][6] sums over all atoms that move with a body,
   * and the energy. All 0: as above. */
  bt_status (*opt_study_sums)(bt_backend_job *job, int ligand, int count, const float *genes, float *values,
                              bt_error *opt_error);
} bt_backend;

/* registry.c: all back ends of this build, usable or not (describe says why not). */
int bt_backend_count(void);
const bt_backend *bt_backend_get(int index);
/* By name ("cpu", "cpu/avx2", "cuda", "cuda:1"); NULL or "auto": the first usable one, best first. */
bt_status bt_backend_find(const char *opt_name, const bt_backend **ret_backend, bt_error *opt_error) BT_MUST_USE;

#endif
