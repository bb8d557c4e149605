/* fixed_team.h - a team size for tests that compare jobs bit by bit: the automatic choice on a GPU depends on what is
 * docked together.
 */
#ifndef BERTH_TESTS_BACKEND_FIXED_TEAM_H
#define BERTH_TESTS_BACKEND_FIXED_TEAM_H

#include "engine/lga/search/job.h"
#include "engine/lga/device/devices.h"

/* 4 on accelerators that have it, else 0: the back end's own choice. */
static inline int fixed_team(const bt_backend *backend) {
  bt_device_info info = bt_device_describe(backend);
  for (int t = 0; t < info.n_teams && info.accelerator; t++)
    if (info.teams[t] == 4) return 4;
  return 0;
}

#endif
