/* layout.h - the state of a device job, and where everything lies in its arena. */
#ifndef BERTH_ENGINE_LGA_DEVICE_LAYOUT_H
#define BERTH_ENGINE_LGA_DEVICE_LAYOUT_H

#include "base/memory.h"
#include "engine/lga/search/job.h"
#include "engine/lga/device/module.h"
#include "engine/lga/device/held_device.h"
#include "engine/lga/device/schedule.h"

/* One way to run the kernels of a job. */
typedef struct bt_device_choice {
  bt_team_variant variant;
  bt_runtime_program *program;
  int lanes;          /* poses of one work-item */
  int schedule;       /* index among the ligands' schedules */
  size_t local_bytes; /* of a block of any ligand, all included */
  /* bytes from its beginning; 0: there is none */
  int stream_at, state_at, tables_at, schedule_at;
  size_t room; /* blocks of a local search that run at once; 0: unknown */
} bt_device_choice;

enum { BT_DEVICE_CHOICES = 10, BT_CALIBRATION_COUNTS = 5 };

/* How long one launch of GRADIENT takes, by choice and number of poses (calibrate.h). */
typedef struct bt_calibration {
  int n_counts;                                                  /* 0: nothing was measured */
  int64_t nanoseconds[BT_DEVICE_CHOICES][BT_CALIBRATION_COUNTS]; /* 0: the choice could not be run */
} bt_calibration;

struct bt_job {
  bt_arena memory; /* of all arrays but the image */
  const bt_runtime *runtime;
  int opened;           /* index of the device */
  bt_held_device *held, own; /* borrowed, or its own */
  bt_runtime_device *device;
  pthread_rwlock_t *opt_lock;                  /* of the jobs on the device; borrowed, NULL: the only one */
  bt_device_choice choices[BT_DEVICE_CHOICES]; /* the first one is for all that is not a local search */
  int n_choices;
  int teams[BT_LAUNCH_SCHEDULES]; /* team size of each schedule */
  int n_schedules;
  bt_runtime_properties properties;
  bool choose_again; /* local searches may run on any choice, not the first one alone */
  bt_calibration calibration;
  int count;               /* ligands */
  bt_job_ligand *ligands;  /* [count] */
  bt_launch_ligand *table; /* [count] as on the device */
  bool *active;            /* [count] in the generation whose blocks are uploaded */
  int *present;            /* [count] which population is the present one */
  char *runs;              /* bt_launch_run of all ligands as last read: runs_bytes from runs_at of the arena */
  size_t runs_at, runs_bytes;
  size_t state_reals; /* state of one pose, of the ligand with most torsions */
  bt_runtime_buffer arena, maps;
  char *image; /* host copy of the arena's constant part, image_bytes */
  size_t image_bytes, image_capacity;
  size_t arena_bytes, maps_floats;
  size_t raw_floats; /* of the maps as read, at the beginning of the maps buffer */
  bt_offset electrostatic, desolvation;
  bt_job_maps maps_wanted;
  bool maps_shared;
  bt_launch launch; /* what is the same for all launches */
  /* Tables of blocks in the arena, filled for the active ligands: */
  bt_launch_block *blocks; /* host copy, [block_capacity] */
  size_t block_capacity, n_blocks;
  size_t first_initial, n_initial, first_offspring, n_offspring, first_runs, n_runs, first_search;
  size_t searches; /* local searches of one generation of the active ligands */
  char *counters;  /* bt_launch_rounds of all ligands as last read: counters_bytes from counters_at of the arena */
  size_t counters_at, counters_bytes;
  size_t autostop_at, autostop_bytes; /* bt_autostop_state of all ligands */
  size_t converged_at;                /* an int of each ligand */
  int *converged;                     /* as last read */
  bt_offset given;                    /* arena memory for given poses, given_bytes */
  size_t given_bytes;
  int given_capacity; /* poses */
};

/* Computes offsets and fills the image and the table. */
bt_status bt_layout_make(bt_job *job, bt_error *opt_error) BT_MUST_USE;
/* The number of searches of one ligand in a generation. */
size_t bt_layout_searches(const bt_search_parameters *parameters);
/* Poses of one block. */
size_t bt_layout_block_poses(const bt_device_choice *choice);
/* Runs that one block prepares or finishes: where nothing waits for work, starting threads would take longer. */
int bt_layout_block_runs(const bt_job *job);
/* Tables of blocks for the ligands that are active. */
bt_status bt_layout_blocks(bt_job *job, const bool *opt_active, bt_error *opt_error) BT_MUST_USE;
/* The local search of all ligands of a job. */
bt_launch_kernel bt_layout_search_kernel(const bt_search_parameters *parameters);
/* job.c: a launch of blocks of the uploaded table; one over given poses of one ligand; a local search of given poses,
 * in place. */
bt_status bt_device_launch_blocks(bt_job *job, const bt_device_choice *choice, bt_launch_kernel kernel,
                                  size_t first_block, size_t blocks, bt_launch *with, bt_error *opt_error) BT_MUST_USE;
bt_status bt_device_launch_given(bt_job *job, bt_launch_kernel kernel, int ligand, int count, bt_launch *with,
                                 bt_error *opt_error) BT_MUST_USE;
bt_status bt_device_search_given(bt_job *job, bt_launch_kernel kernel, int ligand, int count, float *genes,
                                 float *energies, int64_t *ret_evaluations, bt_error *opt_error) BT_MUST_USE;
/* Of what kernels copy to local memory (bt_launch_ligand.table_bytes). */
size_t bt_layout_table_bytes(const bt_kernel_data *data);
/* Whether nothing of a pose is in local memory: the study of kernel/lga/study/study.h. */
bool bt_layout_uncached(const bt_job *job);
/* Local memory of one block for that ligand and variant, bytes. */
size_t bt_layout_local_bytes(const bt_kernel_data *data, const bt_team_variant *variant, int lanes);

#endif
