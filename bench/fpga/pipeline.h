/* pipeline.h - a model in C of a docking engine as tasks on an FPGA: single-work-item stages, one thread each,
 * connected by bounded FIFOs. No FPGA is used.
 *
 * After the task-parallel design that Solis-Vasquez et al. describe (IA3 2020, section V): a genetic algorithm,
 * replicas of Solis and Wets' local search, and one chain of pose -> {inter, intra} -> store that scores the poses of
 * all of them. The stages call the functions of src/kernel; results do not depend on the order of scheduling.
 */
#ifndef BERTH_BENCH_FPGA_PIPELINE_H
#define BERTH_BENCH_FPGA_PIPELINE_H

#include "base/memory.h"
#include "kernel/lga/data.h"
#include "kernel/lga/parameters.h"

typedef struct fpga_result {
  float *genes, *energies; /* [runs * population] of the last generation */
  int64_t *evaluations;    /* [runs] */
  int *drawn;              /* [runs * (generations + 1) * population] evaluations of each individual by the GA */
  int *searched;           /* [runs * generations * searches] evaluations of each local search */
  int searches;            /* per run and generation */
} fpga_result;

/* Docks for so many generations with Solis and Wets' search; results are in the arena. data: the ligand's data on the
 * host. depth: capacity of each FIFO. */
bt_status fpga_dock(const bt_kernel_data *data, const bt_search_parameters *parameters, int generations, int replicas,
                    int depth, bt_arena *arena, fpga_result *ret_result, bt_error *opt_error) BT_MUST_USE;

#endif
