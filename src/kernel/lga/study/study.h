/* study.h - instrumentation for `berth bench reductions`: the cycles that sums take, and their summands.
 *
 * Only where the compat header defines BT_STUDY, and only in dedicated kernels: in all others the compiler sees that
 * both pointers are NULL and removes all of this. BT_CLOCK() is the core's cycle counter, read once the lanes of a wave
 * have converged. The kernels that use it are in study_entries.h.
 */
#ifndef BERTH_KERNEL_LGA_STUDY_STUDY_H
#define BERTH_KERNEL_LGA_STUDY_STUDY_H

/* Alternative builds of the kernels, for bench/scripts/variants.sh (the CMake variable BERTH_KERNEL_DEFINITIONS).
 * BT_STUDY_SEPARATE=1: gradient-based searches evaluate first the energy, then the gradient, each with its own
 * coordinates, maps and pairs. BT_STUDY_UNCACHED=1: where local and global memory share an address space, nothing of a
 * pose, a ligand or its pairs is kept in local memory. BT_STUDY_UNGUARDED=1: a gradient that is not a number reaches
 * the genes in ADADELTA, as in AutoDock-GPU; otherwise it becomes the largest step. =2: in addition individuals outside
 * the box are not redrawn. BT_STUDY_UNCORRECTED=1: the products of two-step-ec in plain TF32, without the low parts
 * and with sums in the tensor cores. BT_STUDY_UNFENCED=1: the sums of `sequential` without AutoDock-GPU's fences. */
#ifndef BT_STUDY_SEPARATE
#define BT_STUDY_SEPARATE 0
#endif
#ifndef BT_STUDY_UNCACHED
#define BT_STUDY_UNCACHED 0
#endif
#ifndef BT_STUDY_UNGUARDED
#define BT_STUDY_UNGUARDED 0
#endif
#ifndef BT_STUDY_UNCORRECTED
#define BT_STUDY_UNCORRECTED 0
#endif
#ifndef BT_STUDY_UNFENCED
#define BT_STUDY_UNFENCED 0
#endif

#ifdef BT_STUDY

typedef struct bt_study {
  long long *cycles;         /* per lane: accumulates the time between BEGIN and END */
  BT_GLOBAL float *partials; /* per pose, see bt_study_partials */
} bt_study;

#define BT_STUDY_BEGIN(scratch)                                                              \
  do {                                                                                       \
    if ((scratch).study.cycles != 0) *(scratch).study.cycles -= (long long)BT_CLOCK();        \
  } while (0)
#define BT_STUDY_END(scratch)                                                                \
  do {                                                                                       \
    if ((scratch).study.cycles != 0) *(scratch).study.cycles += (long long)BT_CLOCK();        \
  } while (0)

#else

#define BT_STUDY_BEGIN(scratch) ((void)0)
#define BT_STUDY_END(scratch) ((void)0)

#endif

#endif
