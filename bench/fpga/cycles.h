/* cycles.h - predicts the cycles of the pipeline of pipeline.h on an FPGA from the initiation interval and latency of
 * each stage and its work in a docking. Nothing is measured on hardware.
 */
#ifndef BERTH_BENCH_FPGA_CYCLES_H
#define BERTH_BENCH_FPGA_CYCLES_H

#include "bench/fpga/pipeline.h"

/* A stage processes a pose item by item: it starts an item every interval cycles, and the pose leaves latency cycles
 * after its last item. Pipelined, the next pose starts after the last item of the one before, as long as fewer than
 * depth poses are in the stage; with a depth of 1 it waits until that one has left, as in a kernel with one loop per
 * pose. */
typedef struct fpga_stage {
  int interval, latency;
} fpga_stage;

/* X(name, what the items of a pose are, interval, latency) */
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
  long items[FPGA_STAGE_COUNT]; /* per pose */
} fpga_design;

typedef struct fpga_prediction {
  double cycles, evaluations;    /* of the docking */
  /* fraction of the time in which no other pose could start; for search, of all replicas together */
  double busy[FPGA_STAGE_COUNT];
} fpga_prediction;

/* The design with the defaults above and the ligand's items. Rotations are counted as in AutoDock-GPU's rotation list:
 * each atom once per torsion that moves it, and once with the whole ligand. */
fpga_design fpga_design_of(const bt_kernel_data *data, int n_pairs);
/* Follows every evaluation of the docking through the stages; a replica takes the next search when it is done, and
 * waits for each of its evaluations, since the next depends on it. depth: poses that a stage overlaps. */
fpga_prediction fpga_predict(const fpga_design *design, const bt_search_parameters *parameters, int generations,
                             const fpga_result *result, int replicas, int depth);

#endif
