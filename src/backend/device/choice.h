/* choice.h - which team size a job gets. */
#ifndef BERTH_BACKEND_DEVICE_CHOICE_H
#define BERTH_BACKEND_DEVICE_CHOICE_H

#include "backend/device/layout.h"

/* Opens the program of the variant that suits the job's ligands and device: the one that was asked for, or else the one
 * that keeps most ranks of most poses running at once. A variant that a ligand is too large for, or that does not build,
 * is passed over; BT_ERR_LIMIT when none is left. */
bt_status bt_device_choose(bt_backend_job *job, const bt_job_options *options, bt_error *opt_error) BT_MUST_USE;

#endif
