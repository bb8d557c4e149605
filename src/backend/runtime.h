/* runtime.h - the interface of a machine: devices, memory, copies, and kernel launches, independent of engines.
 *
 * Kernels come in modules, which are compiled in variants. An engine describes its modules (bt_module) and requests
 * variants; the build compiles each module with the machine's lane.h and registers the result (bt_kernel_image).
 *
 * Calls of one opened device are made by one thread at a time and take effect in order. Driver libraries are loaded at
 * run time, so that one binary starts everywhere.
 */
#ifndef BERTH_BACKEND_RUNTIME_H
#define BERTH_BACKEND_RUNTIME_H

#include "base/busy.h"
#include "base/status.h"

typedef struct bt_runtime_device bt_runtime_device;   /* an opened device */
typedef struct bt_runtime_program bt_runtime_program; /* the kernels of one variant, loaded; owned by the device */

typedef struct bt_runtime_buffer {
  void *handle; /* device pointer, cl_mem, ...; NULL: none */
  size_t bytes;
} bt_runtime_buffer;

typedef struct bt_runtime_properties {
  char name[128];          /* "NVIDIA H100 80GB HBM3" */
  char driver[64];         /* "CUDA 13.0, driver 580.159", "OpenCL 3.0 PoCL 3.1" */
  size_t memory, free_memory; /* bytes; free_memory = memory if the driver does not report it */
  size_t largest_buffer;   /* of one allocation, bytes */
  size_t local_memory;     /* available to one block, bytes */
  size_t local_memory_core; /* that the blocks of one core share, bytes */
  int cores;               /* multiprocessors, compute units */
  int block_threads;       /* maximum work-items per block */
  int wave;                /* lanes in lockstep; 1: none */
  int lanes;               /* vector width of a CPU core; 0: unknown */
  int registers_core;      /* 0: unknown */
  bool cpu;                /* the host CPU, not an accelerator */
  char reason[256];        /* why it cannot be opened ("this build has no code for sm_50"); "" if it can */
} bt_runtime_properties;

/* Kernels that are compiled together. */
enum { BT_VARIANT_VALUES = 3, BT_ANY_VALUE = -1 };
typedef struct bt_module {
  const char *name;                         /* as named in cmake/Modules.cmake */
  const char *constants[BT_VARIANT_VALUES]; /* macros defined by a variant, "BT_TEAM"; NULL: none further */
  const char *opt_real;                     /* likewise */
  const char *text;                         /* for messages: format of a variant's values, "%d x %d work-items" */
  const char *remedy;                       /* for a variant that does not exist */
  const char *const *entries;               /* names of the kernels; a launch takes an index */
  int n_entries;
  size_t launch_bytes; /* of the structure passed to every kernel */
  int items;           /* maximum work-items of a block; 0: always the product of a variant's first two values */
  bool waits;          /* work-items of a block synchronize even where they share no local memory */
  size_t local_bytes;  /* maximum that a block requests; SIZE_MAX: all of it */
} bt_module;

typedef struct bt_variant {
  int values[BT_VARIANT_VALUES];
  float real; /* a constant where kernels are compiled at run time; elsewhere, and if 0, they read it from memory */
} bt_variant;

/* A variant in this build. */
typedef struct bt_kernel_image {
  const char *module; /* NULL: end of a list */
  int values[BT_VARIANT_VALUES]; /* BT_ANY_VALUE if kernels are compiled at run time for any values */
  const void *opt_code; /* specific to the machine; NULL: this build has none */
} bt_kernel_image;

/* Properties of a variant on a device. */
typedef struct bt_kernel_limits {
  int lanes;        /* vector width: poses per work-item */
  float root_scale; /* bt_root takes the square of a length times this (kernel/lane/lane_math.h) */
  int items;        /* maximum work-items of a block */
  int free_items;   /* likewise, if they do not synchronize */
  size_t local;     /* maximum bytes of local memory of a block; 0: it is ordinary memory */
} bt_kernel_limits;

/* Size of one launch. */
typedef struct bt_launch_size {
  size_t blocks;
  int items;          /* work-items of each */
  size_t local_bytes; /* local memory of each */
} bt_launch_size;

/* A device by name; valid for the lifetime of the program. */
typedef struct bt_backend {
  const char *name; /* "cuda:0", "cpu/avx512"; "cuda" if there is no device */
  const struct bt_runtime *runtime;
  int device; /* -1: there is none */
} bt_backend;

/* Maximum number of devices of a machine; further ones are not used. */
enum { BT_DEVICE_NAMES = 32 };
/* const bt_backend devices[] = BT_NUMBERED_DEVICES("cuda", bt_runtime_cuda); */
#define BT_NUMBERED_DEVICES(name, runtime)                                                                            \
  {                                                                                                                   \
    {name, &runtime, -1}, BT_EIGHT_DEVICES(name, runtime, 0, 1, 2, 3, 4, 5, 6, 7),                                    \
        BT_EIGHT_DEVICES(name, runtime, 8, 9, 10, 11, 12, 13, 14, 15),                                                \
        BT_EIGHT_DEVICES(name, runtime, 16, 17, 18, 19, 20, 21, 22, 23),                                              \
        BT_EIGHT_DEVICES(name, runtime, 24, 25, 26, 27, 28, 29, 30, 31),                                              \
  }
#define BT_EIGHT_DEVICES(name, runtime, a, b, c, d, e, f, g, h)                                                       \
  {name ":" #a, &runtime, a}, {name ":" #b, &runtime, b}, {name ":" #c, &runtime, c}, {name ":" #d, &runtime, d},     \
      {name ":" #e, &runtime, e}, {name ":" #f, &runtime, f}, {name ":" #g, &runtime, g}, {name ":" #h, &runtime, h}

typedef struct bt_runtime {
  const char *name;        /* "cuda" */
  const char *description; /* "NVIDIA GPUs through the CUDA driver" */
  bool one_item;           /* a block is one work-item, and its local memory is memory like any other */
  bool generic_addresses;  /* local and global memory share an address space */
  bool async_copies;       /* work-items copy to local memory while they compute */
  const bt_kernel_image *images; /* of all modules, in each best known first */
  const bt_backend *devices;     /* the one that stands for none, then at most BT_DEVICE_NAMES */

  /* Devices that can be opened; 0 and a reason ("libcuda.so.1 was not found: no NVIDIA driver is installed"). */
  int (*device_count)(char *reason, size_t reason_size);
  void (*device_properties)(int index, bt_runtime_properties *ret_properties);
  /* False: its devices are all the host CPU. Asked before device_count where that starts a driver's threads. */
  bool (*opt_accelerators)(void);
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

  bt_kernel_limits (*limits)(const bt_runtime_device *device, const bt_module *module, const bt_variant *variant);
  /* Loaded once per device. BT_ERR_DEVICE with the build log when it does not build, BT_ERR_LIMIT when there is no such
   * variant or the device cannot run it. */
  bt_status (*program)(bt_runtime_device *device, const bt_module *module, const bt_variant *variant,
                       bt_runtime_program **ret_program, bt_error *opt_error);
  /* Blocks of a kernel resident on a core at once; 0: unknown. */
  int (*blocks_per_core)(const bt_runtime_program *program, int entry, int items, size_t local_bytes);
  /* Every kernel is given two buffers and *launch, module->launch_bytes. Asynchronous where the driver can. */
  bt_status (*launch)(bt_runtime_device *device, bt_runtime_program *program, int entry, bt_launch_size size,
                      const bt_runtime_buffer *arena, const bt_runtime_buffer *opt_maps, const void *launch,
                      bt_error *opt_error);
  bt_status (*synchronize)(bt_runtime_device *device, bt_error *opt_error);
  int64_t (*opt_clock)(void); /* nanoseconds, by which launches are timed; NULL: the host's monotonic clock */
  /* From now on the times in which the device's kernels run are added, when the host has waited for them; NULL: no
   * longer. Where the driver knows them. */
  void (*opt_measure)(bt_runtime_device *device, bt_busy *opt_busy);
  /* Sets the number of threads, 0: all; where the host's threads do the work. */
  void (*opt_use_threads)(bt_runtime_device *device, int threads);
} bt_runtime;

/* runtime.c: for engines and machines alike. */

/* The next variant of a module in a list, after one or the first; NULL: none is left. */
const bt_kernel_image *bt_image_next(const bt_kernel_image *images, const bt_module *module,
                                     const bt_kernel_image *opt_after);
/* NULL: the build has no such variant. */
const bt_kernel_image *bt_image_find(const bt_kernel_image *images, const bt_module *module, const bt_variant *variant);
/* Work-items per block if all blocks have the same number; else 0. */
int bt_variant_items(const bt_module *module, const bt_variant *variant);
bool bt_variant_same(const bt_variant *a, const bt_variant *b);
/* "4 x 32 work-items" */
void bt_variant_text(const bt_module *module, const bt_variant *variant, char *text, size_t size);
/* BT_ERR_LIMIT: there is no such variant. */
bt_status bt_variant_missing(const char *device, const bt_module *module, const bt_variant *variant,
                             bt_error *opt_error) BT_MUST_USE;

#endif
