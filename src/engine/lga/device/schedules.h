/* schedules.h - the schedules of all ligands of a job, made on all cores of the host. */
#ifndef BERTH_ENGINE_LGA_DEVICE_SCHEDULES_H
#define BERTH_ENGINE_LGA_DEVICE_SCHEDULES_H

#include "engine/lga/search/job.h"
#include "engine/lga/device/schedule.h"

/* ret_schedules[count * n_teams], those of one ligand side by side, for teams[n_teams]. */
bt_status bt_schedules_create(const bt_job_ligand *ligands, int count, const int *teams, int n_teams,
                              bt_schedule **ret_schedules, bt_error *opt_error) BT_MUST_USE;
void bt_schedules_destroy(bt_schedule *schedules, int count);

#endif
