/* target.h - what libberth_omptarget.so offers to the program that opens it: OpenMP's devices, and the kernels in
 * target regions.
 *
 * The library is separate because it needs libgomp, and because code with target regions does not link everywhere.
 */
#ifndef BERTH_BACKEND_OMPTARGET_TARGET_H
#define BERTH_BACKEND_OMPTARGET_TARGET_H

#include <stdbool.h>
#include <stddef.h>

#include "kernel/bude/launch.h"
#include "kernel/ad4/launch.h"

/* X(team, poses), best known first. One rank: blocks are spread over teams and their threads, the poses of a block over
 * the lanes of a thread; with few poses in each, few searches are spread over many threads. Several ranks: a block is a
 * team of team * poses threads that meet at barriers; GPUs give 8 threads to a team of any kernel, more only to those
 * with few registers. */
#define BT_OMPTARGET_VARIANTS(X) X(1, 32) X(1, 16) X(1, 4) X(8, 1) X(4, 2)

/* How to run a kernel. */
typedef struct bt_omptarget_shape {
  int device;         /* OpenMP's number */
  int teams, threads; /* most teams, and threads of each */
  long blocks;
  long slice; /* floats of scratch memory of one block; one slice per thread (one rank) or per team */
} bt_omptarget_shape;

/* Returns when the kernel has run; false if teams do not get as many threads as asked for, and nothing was done.
 * Pointers are the device's, launch is the host's. */
typedef bool (*bt_omptarget_run)(bt_omptarget_shape shape, char *arena, float *maps, float *scratch,
                                 const bt_launch *launch);

/* The BUDE engine's: groups of so many work-items that never wait for each other. X(poses per work-item), 0: all kernels but
 * the energy's. */
typedef void (*bt_omptarget_bude_run)(bt_omptarget_shape shape, int items, char *arena, float *scratch,
                                      const bt_bude_launch *launch);
#define BT_OMPTARGET_BUDE_VARIANTS(X) X(0) X(1) X(2) X(4) X(8)

typedef struct bt_omptarget_table {
  int n_kernels, launch_bytes, ligand_bytes; /* of the launch.h that it was built with */
  const char *build;                         /* "nvptx-none sm_80"; "" when there is code for the host alone */
  int (*device_count)(void);
  int (*host)(void); /* OpenMP's number of the host */
  /* Whether a target region for that device runs there, not on the host. */
  bool (*runs_there)(int device);
  void *(*allocate)(int device, size_t bytes); /* NULL: does not fit */
  void (*release)(int device, void *memory);
  bool (*upload)(int device, void *to, size_t offset, const void *from, size_t bytes);
  bool (*download)(int device, void *to, const void *from, size_t offset, size_t bytes);
  void (*clear)(int device, void *memory, size_t offset, size_t bytes);
  /* NULL: there is no such variant. */
  const bt_omptarget_run *(*kernels)(int team, int poses);
  int n_bude_kernels, bude_launch_bytes; /* of the bude_launch.h that it was built with */
  const bt_omptarget_bude_run *(*bude)(int poses);
} bt_omptarget_table;

/* The one symbol of the library. */
extern const bt_omptarget_table bt_omptarget;
#define BT_OMPTARGET_SYMBOL "bt_omptarget"

#endif
