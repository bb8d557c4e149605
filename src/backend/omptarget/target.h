/* target.h - the interface of libberth_omptarget.so: OpenMP's devices, and the kernels in target regions.
 *
 * The library is separate because it needs libgomp, and because code with target regions does not link everywhere.
 */
#ifndef BERTH_BACKEND_OMPTARGET_TARGET_H
#define BERTH_BACKEND_OMPTARGET_TARGET_H

#include <stdbool.h>
#include <stddef.h>

/* Where a thread is one lane of the device (Clang): threads of a team, of which a core has one. They limit the
 * registers of a thread: 128 with 512. */
#ifndef BT_OMPTARGET_LANES
#define BT_OMPTARGET_LANES 512
#endif

/* How to run a kernel. */
typedef struct bt_omptarget_shape {
  int device;         /* OpenMP's number */
  int teams, threads; /* maximum number of teams, and threads of each */
  int items;          /* work-items of a block */
  long blocks;
  long slice; /* floats of scratch memory of one block; one slice per thread (one rank) or per team */
} bt_omptarget_shape;

/* Returns when the kernel has run; false if teams have fewer threads than requested, and nothing was done. Pointers are
 * device addresses, except launch. */
typedef bool (*bt_omptarget_run)(bt_omptarget_shape shape, void *arena, void *maps, float *scratch, const void *launch);

/* The kernels of a module for one variant; the library's symbols bt_omptarget_<module>_<value>_... */
typedef struct bt_omptarget_entries {
  int n_entries;
  size_t launch_bytes; /* of the module at build time, for a check */
  bt_omptarget_run run[];
} bt_omptarget_entries;

typedef struct bt_omptarget_table {
  const char *build; /* "nvptx-none sm_80 by GCC"; "" if there is only code for the host */
  int lanes;         /* BT_OMPTARGET_LANES where a thread is a lane of a GPU; 0 where it is a warp (GCC) */
  int (*device_count)(void);
  int (*host)(void); /* OpenMP's number of the host */
  /* Whether a target region for that device runs there, not on the host. */
  bool (*runs_there)(int device);
  void *(*allocate)(int device, size_t bytes); /* NULL: does not fit */
  void (*release)(int device, void *memory);
  bool (*upload)(int device, void *to, size_t offset, const void *from, size_t bytes);
  bool (*download)(int device, void *to, const void *from, size_t offset, size_t bytes);
  void (*clear)(int device, void *memory, size_t offset, size_t bytes);
} bt_omptarget_table;

extern const bt_omptarget_table bt_omptarget;
#define BT_OMPTARGET_SYMBOL "bt_omptarget"

#endif
