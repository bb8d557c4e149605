/* study.h - what `berth bench reductions` looks at: the cycles that sums take, and the values that they add up.
 *
 * Only where the compat header defines BT_STUDY, and only in kernels of their own: in all others both pointers are NULL
 * as the compiler sees, and nothing of this is left. BT_CLOCK() is the core's cycle counter, read when the lanes of a
 * wave have come together. The kernels that use it are in study_entries.h.
 */
#ifndef BERTH_KERNEL_AD4_STUDY_H
#define BERTH_KERNEL_AD4_STUDY_H

/* Kernels of other builds, for bench/scripts/variants.sh (the CMake variable BERTH_KERNEL_DEFINITIONS).
 * BT_STUDY_SEPARATE=1: searches by gradients evaluate the energy, then the gradient, each with coordinates, maps and
 * pairs of its own. BT_STUDY_UNCACHED=1: where kernels name local and global memory alike, nothing of a pose, a ligand
 * or its pairs is kept in local memory. */
#ifndef BT_STUDY_SEPARATE
#define BT_STUDY_SEPARATE 0
#endif
#ifndef BT_STUDY_UNCACHED
#define BT_STUDY_UNCACHED 0
#endif

#ifdef BT_STUDY

typedef struct bt_study {
  long long *cycles;         /* of the lane: grows by the time between BEGIN and END */
  BT_GLOBAL float *partials; /* of the pose, see bt_study_partials */
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
