/* cache.h - the cache folder, which keeps kernels compiled for a device, and their timings, between runs.
 *
 *     if (bt_cache_check(options.opt_device, &error) != BT_OK)
 *       puts(bt_error_format(&error, text, sizeof text)); // and continue without a cache
 *
 * It is $BERTH_CACHE_DIR, else $XDG_CACHE_HOME/berth, else ~/.cache/berth; an empty BERTH_CACHE_DIR switches the cache
 * off. Without a cache everything works, but each run compiles and times its kernels anew. Conventions and the
 * example's variables are those of berth.h.
 */
#ifndef BERTH_CACHE_H
#define BERTH_CACHE_H

#include <berth/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* BT_OK if the cache can be used, if it is switched off, and if opt_device (as in bt_dock_options) does not use it: the
 * CPU, or "auto" without a GPU. BT_ERR_USAGE, on every device: the folder belongs to another user, or others can
 * write to it. BT_ERR_IO: it cannot be created or written, or no variable names one. Nothing is created. */
bt_status bt_cache_check(const char *opt_device, bt_error *opt_error) BT_MUST_USE;

#ifdef __cplusplus
}
#endif

#endif
