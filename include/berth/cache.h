/* cache.h - the folder of what is kept between runs: kernels compiled for a device, and how fast they were on it.
 *
 *     if (bt_cache_check(options.opt_device, &error) != BT_OK)
 *       puts(bt_error_format(&error, text, sizeof text)); // and go on without
 *
 * It is $BERTH_CACHE_DIR, else $XDG_CACHE_HOME/berth, else ~/.cache/berth; an empty BERTH_CACHE_DIR switches the cache
 * off. Without a cache everything works, and is compiled and measured anew by each run. Conventions and the example's
 * variables are those of berth.h.
 */
#ifndef BERTH_CACHE_H
#define BERTH_CACHE_H

#include <berth/berth.h>

#ifdef __cplusplus
extern "C" {
#endif

/* BT_OK when the cache can be used, when it is switched off, and where opt_device, as in bt_dock_options, makes no use of
 * it: the processor, or "auto" without a GPU. BT_ERR_USAGE, on every device: others own the folder or can write to it.
 * BT_ERR_IO: it cannot be made or written, or no variable names one. Nothing is made. */
bt_status bt_cache_check(const char *opt_device, bt_error *opt_error) BT_MUST_USE;

#ifdef __cplusplus
}
#endif

#endif
