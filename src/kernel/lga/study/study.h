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
 * and with sums in the tensor cores. BT_STUDY_UNFENCED=1: the sums of `sequential` without AutoDock-GPU's fences.
 * BT_STUDY_REPEATS=1: generations repeat the part that launch->repeats names, so that its time is what they take
 * longer; nothing else changes. */
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

#ifndef BT_STUDY_REPEATS
#define BT_STUDY_REPEATS 0
#endif

/* Parts of a generation; launch->repeats is a part + 8 * how often it is repeated. Those of a child follow one another:
 * a part is repeated with all that it needs. */
#define BT_STUDY_ELITE 1
#define BT_STUDY_WHEEL 2
#define BT_STUDY_PARENTS 3
#define BT_STUDY_CROSSOVER 4
#define BT_STUDY_MUTATION 5
#define BT_STUDY_ENERGY 6

/* BT_STUDY_AGAIN: how often a part is repeated. BT_STUDY_BREEDS: likewise a child's genes, up to the part at which
 * BT_STUDY_STOPS. The earlier children are other attempts, and each depends on the one before, so that no compiler can
 * share or omit work: launch->run is zero. */
#if BT_STUDY_REPEATS
#define BT_STUDY_AGAIN(launch, part) ((launch)->repeats % 8 == (part) ? (launch)->repeats / 8 : 0)
#define BT_STUDY_BREEDS(launch) \
  ((launch)->repeats % 8 >= BT_STUDY_PARENTS && (launch)->repeats % 8 <= BT_STUDY_MUTATION ? (launch)->repeats / 8 : 0)
#define BT_STUDY_STOPS(launch, again, part) ((again) > 0 && (launch)->repeats % 8 == (part))
#define BT_STUDY_ATTEMPT(launch, again, last) \
  (bt_splat_uint(32u * (unsigned int)(again)) + (bt_int_to_uint(last) & bt_splat_uint((launch)->run)))
#else
#define BT_STUDY_AGAIN(launch, part) ((void)(launch), 0)
#define BT_STUDY_BREEDS(launch) 0
#define BT_STUDY_STOPS(launch, again, part) 0
#define BT_STUDY_ATTEMPT(launch, again, last) ((void)(last), bt_splat_uint(0))
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
