/* device.h - checks the names of devices before any work is done. */
#ifndef BERTH_CLI_DEVICE_H
#define BERTH_CLI_DEVICE_H

#include <berth/berth.h>

/* BT_ERR_USAGE when the processor has no such vector instructions by name, BT_ERR_DEVICE when it cannot run them. */
bt_status cli_isa_check(const char *opt_isa, bt_error *opt_error) BT_MUST_USE;

#endif
