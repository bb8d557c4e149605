/* backend.h - the devices of all back ends of this build, usable or not, in the order in which "auto" tries them. */
#ifndef BERTH_BACKEND_BACKEND_H
#define BERTH_BACKEND_BACKEND_H

#include "backend/runtime.h"

int bt_backend_count(void);
const bt_backend *bt_backend_get(int index);
/* By name ("cpu", "cpu/avx2", "cuda", "cuda:1"); NULL or "auto": the first usable one, best first. */
bt_status bt_backend_find(const char *opt_name, const bt_backend **ret_backend, bt_error *opt_error) BT_MUST_USE;
/* reason is not "" if it cannot be used, including when there is no device. */
void bt_backend_properties(const bt_backend *backend, bt_runtime_properties *ret_properties);

/* For tests of a machine outside the table: its devices, or an entry that says why there is none. */
int bt_backend_count_of(const bt_runtime *runtime);
const bt_backend *bt_backend_get_of(const bt_runtime *runtime, int index);

#endif
