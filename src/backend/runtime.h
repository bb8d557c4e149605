/* runtime.h - what the driver of an accelerator must offer: memory, copies, launches. Everything else that a device
 * back end does (device/job.c) is the same for CUDA, HIP, OpenCL and OpenMP target.
 *
 * Calls of one opened device are made by one thread at a time and take effect in order. A library that is absent is
 * found out at run time, so that one binary starts everywhere.
 */
#ifndef BERTH_BACKEND_RUNTIME_H
#define BERTH_BACKEND_RUNTIME_H

#include "base/status.h"
#include "kernel/ad4/launch.h"

typedef struct bt_runtime_device bt_runtime_device;   /* an opened device */
typedef struct bt_runtime_program bt_runtime_program; /* the kernels of one variant, loaded; owned by the device */

typedef struct bt_runtime_buffer {
  void *handle; /* device pointer, cl_mem, ...; NULL: none */
  size_t bytes;
} bt_runtime_buffer;

typedef struct bt_runtime_properties {
  char name[128];          /* "NVIDIA H100 80GB HBM3" */
  char driver[64];         /* "CUDA 13.0, driver 580.159", "OpenCL 3.0 PoCL 3.1" */
  size_t memory, free_memory; /* bytes; free_memory = memory when the driver does not say */
  size_t largest_buffer;   /* of one allocation, bytes */
  size_t local_memory;     /* that one block may use, bytes */
  size_t local_memory_core; /* that the blocks of one core share, bytes */
  int cores;               /* multiprocessors, compute units */
  int block_threads;       /* most work-items of one block */
  int wave;                /* lanes in lockstep; 1: none */
  int registers_core;      /* 0: unknown */
  bool cpu;                /* not an accelerator but the host's processor */
  char reason[256];        /* why it cannot be opened ("this build has no code for sm_50"); "" if it should open */
} bt_runtime_properties;

/* Which kernels: compiled or selected per variant. */
typedef struct bt_runtime_variant {
  int team;  /* T: ranks that share a pose */
  int poses; /* P: work-items side by side in a block, each with BT_LANES poses; block = T * P work-items */
  bt_reduction reduction;
} bt_runtime_variant;

struct bt_runtime_bude; /* bude.h */

typedef struct bt_runtime {
  const char *name;        /* "cuda" */
  const char *description; /* "NVIDIA GPUs through the CUDA driver" */
  bool streams;            /* variants of 32 poses read pairs ahead into local memory (kernel/lane/team.h, BT_STREAM) */
  bool local_tables;       /* kernels copy the ligand's tables to local memory (BT_TABLES_LOCAL) */
  bool local_state;        /* kernels may keep their state in local memory (BT_STATE_MAY_BE_LOCAL) */
  /* Variants that this build has, best known first; ends with team = 0. */
  const bt_runtime_variant *variants;

  /* Devices that can be opened; 0 and a reason ("libcuda.so.1 was not found: no NVIDIA driver is installed"). */
  int (*device_count)(char *reason, size_t reason_size);
  void (*device_properties)(int index, bt_runtime_properties *ret_properties);
  bt_status (*open)(int index, bt_runtime_device **ret_device, bt_error *opt_error);
  void (*close)(bt_runtime_device *device);

  /* BT_ERR_MEMORY when it does not fit; the remedy names the size. */
  bt_status (*allocate)(bt_runtime_device *device, size_t bytes, bt_runtime_buffer *ret_buffer, bt_error *opt_error);
  void (*release)(bt_runtime_device *device, bt_runtime_buffer *buffer);
  bt_status (*upload)(bt_runtime_device *device, bt_runtime_buffer *to, size_t offset, const void *from, size_t bytes,
                      bt_error *opt_error);
  /* Waits for everything before it. */
  bt_status (*download)(bt_runtime_device *device, void *to, const bt_runtime_buffer *from, size_t offset,
                        size_t bytes, bt_error *opt_error);
  bt_status (*clear)(bt_runtime_device *device, bt_runtime_buffer *buffer, size_t offset, size_t bytes,
                     bt_error *opt_error);

  /* BT_ERR_DEVICE with the build log when it does not build, BT_ERR_LIMIT when the device cannot run it. */
  bt_status (*program)(bt_runtime_device *device, const bt_runtime_variant *variant, bt_runtime_program **ret_program,
                       bt_error *opt_error);
  /* Poses of one work-item (BT_LANES of its compat header), and blocks of one kernel that fit a core at once with that
   * much local memory (0: unknown). */
  int (*lanes)(const bt_runtime_program *program);
  int (*blocks_per_core)(const bt_runtime_program *program, bt_launch_kernel kernel, size_t local_bytes);
  /* blocks blocks of team * poses work-items, local_bytes of local memory each. Asynchronous where the driver can. */
  bt_status (*launch)(bt_runtime_device *device, bt_runtime_program *program, bt_launch_kernel kernel, size_t blocks,
                      size_t local_bytes, bt_runtime_buffer *arena, bt_runtime_buffer *maps, const bt_launch *launch,
                      bt_error *opt_error);
  bt_status (*synchronize)(bt_runtime_device *device, bt_error *opt_error);
  const struct bt_runtime_bude *opt_bude; /* kernels of the BUDE engine; NULL: there are none */
} bt_runtime;

#endif
