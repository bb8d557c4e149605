/* choice.h - which team size a job gets. */
#ifndef BERTH_ENGINE_LGA_DEVICE_CHOICE_H
#define BERTH_ENGINE_LGA_DEVICE_CHOICE_H

#include "engine/lga/device/layout.h"

/* Opens the programs of the variants that suit the job's ligands and device, or of the team size that was asked for. A
 * variant that a ligand is too large for, or that does not build, is skipped; BT_ERR_LIMIT when none is left. */
bt_status bt_device_choose(bt_job *job, const bt_job_options *options, bt_error *opt_error) BT_MUST_USE;
/* Once schedules are made: those of variants that read no pairs ahead go to local memory where there is room for them.
 */
void bt_device_choice_local(bt_job *job);
/* The way to run local searches of that many poses: the fastest as measured (calibrate.h), or as estimated where
 * nothing was. Teams of different size add up in a different order, so a choice affects the last bits, and long
 * searches diverge from there; bt_job_options.team fixes it. */
const bt_device_choice *bt_device_choice_for(const bt_job *job, size_t poses);

#endif
