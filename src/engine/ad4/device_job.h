/* device_job.h - the functions of bt_backend for a device behind a bt_runtime. */
#ifndef BERTH_ENGINE_AD4_DEVICE_JOB_H
#define BERTH_ENGINE_AD4_DEVICE_JOB_H

#include "backend/backend.h"
#include "backend/runtime.h"

bt_status bt_device_job_create(const bt_backend *backend, const bt_job_ligand *ligands, int count,
                               const bt_job_options *options, bt_backend_job **ret_job, bt_error *opt_error);
void bt_device_job_destroy(bt_backend_job *job);
bt_status bt_device_job_initialize(bt_backend_job *job, bt_error *opt_error);
bt_status bt_device_job_generation(bt_backend_job *job, uint32_t number, const bool *opt_active, bt_error *opt_error);
bt_status bt_device_job_read_progress(bt_backend_job *job, bt_job_progress *progress, bt_error *opt_error);
bt_status bt_device_job_autostop(bt_backend_job *job, const bool *test, bool *ret_converged, bt_error *opt_error);
bt_status bt_device_job_read_energies(bt_backend_job *job, int ligand, float *energies, int64_t *evaluations,
                                      bt_error *opt_error);
bt_status bt_device_job_read_genes(bt_backend_job *job, int ligand, float *genes, bt_error *opt_error);
bt_status bt_device_job_evaluate(bt_backend_job *job, int ligand, int count, const float *genes, float *energies,
                                 float *opt_gradients, bt_error *opt_error);
bt_status bt_device_job_local_search(bt_backend_job *job, int ligand, int count, float *genes, float *energies,
                                     int64_t *ret_evaluations, bt_error *opt_error);
bt_status bt_device_job_draw(bt_backend_job *job, int ligand, unsigned int purpose, unsigned int run,
                             unsigned int generation, unsigned int step, int count, uint32_t *words,
                             bt_error *opt_error);
int bt_device_job_team(const bt_backend_job *job, int poses);
/* study.c */
bt_status bt_device_job_study_cycles(bt_backend_job *job, int ligand, int count, float *genes, float *energies,
                                     int64_t *ret_sums, int64_t *ret_all, bt_error *opt_error);
bt_status bt_device_job_study_sums(bt_backend_job *job, int ligand, int count, const float *genes, float *values,
                                   bt_error *opt_error);

#endif
