/* cycles.h - how many cycles the pipeline of pipeline.h would take on an FPGA, from the initiation interval and latency
 * of each stage and the work that a docking gave it. A prediction; nothing of it is measured on hardware.
 */
#ifndef BERTH_BENCH_FPGA_CYCLES_H
#define BERTH_BENCH_FPGA_CYCLES_H

#include "bench/fpga/pipeline.h"

/* A stage works on a pose item by item: a new item every interval cycles, the pose leaves latency cycles after its last
 * one, and the next pose waits until then, as in a kernel of a single work-item with one loop. */
typedef struct fpga_stage {
  int interval, latency;
} fpga_stage;

/* X(name, items of one pose, interval, latency) */
#define FPGA_STAGES(X)                  \
  X(genetic, "genes", 1, 100)           \
  X(search, "genes", 1, 100)            \
  X(pose, "rotations of atoms", 4, 150) \
  X(inter, "atoms", 8, 200)             \
  X(intra, "pairs", 1, 150)             \
  X(store, "sums", 1, 10)

enum {
#define FPGA_INDEX(name, items, interval, latency) FPGA_##name,
  FPGA_STAGES(FPGA_INDEX)
#undef FPGA_INDEX
      FPGA_STAGE_COUNT
};

typedef struct fpga_design {
  fpga_stage stages[FPGA_STAGE_COUNT];
  long items[FPGA_STAGE_COUNT]; /* of one pose */
} fpga_design;

typedef struct fpga_prediction {
  double cycles, evaluations;    /* of the docking */
  double busy[FPGA_STAGE_COUNT]; /* share of the time; of all replicas together for search */
} fpga_prediction;

/* The design with the defaults above and a ligand's items. Rotations are counted as in a list of AutoDock-GPU: every
 * atom once for each torsion that moves it, and once with the whole ligand. */
fpga_design fpga_design_of(const bt_kernel_data *data, int n_pairs);
/* Follows every evaluation of the docking through the stages, replicas taking the next search when they have done. */
fpga_prediction fpga_predict(const fpga_design *design, const bt_search_parameters *parameters, int generations,
                             const fpga_result *result, int replicas);

#endif
