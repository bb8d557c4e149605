/* dpf.h - AutoDock 4's docking parameter file, read as AutoDock-GPU's --import_dpf reads it.
 *
 * The functions of one job are declared in berth.h; this is the entry for a text in memory.
 */
#ifndef BERTH_FORMATS_AUTODOCK_DPF_H
#define BERTH_FORMATS_AUTODOCK_DPF_H

#include <berth/autodock.h>

/* path is for messages. */
bt_status bt_dpf_parse(const char *path, const char *data, size_t size, bt_dpf **ret_dpf,
                       bt_error *opt_error) BT_MUST_USE;

#endif
