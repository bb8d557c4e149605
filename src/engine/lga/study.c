/* study.c - what `berth bench reductions` asks of a device: the cycles of sums, and the values that are added up. */
#include <stdlib.h>

#include "engine/lga/device/layout.h"
#include "base/memory.h"
#include "engine/lga/studies.h"

#ifndef BT_STUDY_REPEATS
#define BT_STUDY_REPEATS 0
#endif

int bt_study_repeats(void) {
  const char *wish = BT_STUDY_REPEATS ? getenv("BERTH_STUDY_REPEATS") : NULL;
  return wish != NULL ? atoi(wish) : 0;
}

bt_status bt_job_study_cycles(bt_job *job, int ligand, int count, float *genes, float *energies,
                                     int64_t *ret_evaluations,
                                     int64_t *ret_sums, int64_t *ret_all, bt_error *opt_error) {
  size_t bytes = (size_t)count * 2 * sizeof(bt_offset); /* a block has at least one pose */
  *ret_evaluations = *ret_sums = *ret_all = 0;
  if (bytes > job->given_bytes)
    return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){0}, "search fewer", "too many poses for one study");
  BT_SCOPED bt_offset *cycles = calloc(1, bytes);
  if (cycles == NULL) return bt_fail_memory(opt_error);
  bt_status status = bt_device_search_given(job, BT_LAUNCH_CYCLES, ligand, count, genes, energies, ret_evaluations,
                                            opt_error);
  if (status == BT_OK)
    status = job->runtime->download(job->device, cycles, &job->arena, (size_t)job->given, bytes, opt_error);
  size_t per_block = bt_layout_block_poses(&job->choices[0]);
  size_t blocks = ((size_t)count + per_block - 1) / per_block;
  bool counted = status == BT_OK && job->choices[0].variant.poses == 1;
  for (size_t b = 0; b < blocks && counted; b++) {
    *ret_sums += cycles[2 * b];
    *ret_all += cycles[2 * b + 1];
  }
  return status;
}

bt_status bt_job_study_sums(bt_job *job, int ligand, int count, const float *genes, float *values,
                                   bt_error *opt_error) {
  const bt_kernel_sizes *sizes = &job->table[ligand].sizes;
  size_t reals = (size_t)BT_LAUNCH_PARTIALS_REALS(sizes->n_atoms, sizes->n_bodies, job->choices[0].variant.team);
  size_t n_genes = (size_t)BT_GENES(sizes->n_torsions);
  size_t room = job->given_bytes / ((reals + n_genes) * sizeof(float));
  int most = room < (size_t)job->given_capacity ? (int)room : job->given_capacity;
  if (most == 0)
    return bt_fail(opt_error, BT_ERR_LIMIT, (bt_where){0}, "use a smaller ligand", "not enough memory for this ligand");
  for (int first = 0; first < count; first += most) {
    int some = count - first < most ? count - first : most;
    size_t genes_bytes = (size_t)some * n_genes * sizeof(float), bytes = (size_t)some * reals * sizeof(float);
    bt_launch with = job->launch;
    with.genes = job->given;
    with.energies = with.genes + (bt_offset)genes_bytes;
    BT_TRY(job->runtime->upload(job->device, &job->arena, (size_t)with.genes, genes + (size_t)first * n_genes,
                                genes_bytes, opt_error));
    BT_TRY(job->runtime->clear(job->device, &job->arena, (size_t)with.energies, bytes, opt_error));
    BT_TRY(bt_device_launch_given(job, BT_LAUNCH_PARTIALS, ligand, some, &with, opt_error));
    BT_TRY(job->runtime->download(job->device, values + (size_t)first * reals, &job->arena, (size_t)with.energies,
                                  bytes, opt_error));
  }
  return BT_OK;
}
