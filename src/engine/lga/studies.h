/* studies.h - reductions that exist for benchmarks only: values of bt_reduction beyond the public ones. They compute
 * the seven sums of AutoDock-GPU in other ways (kernel/lga/study/seven_sums.h). */
#ifndef BERTH_ENGINE_LGA_STUDIES_H
#define BERTH_ENGINE_LGA_STUDIES_H

#include <berth/types.h>

#define BT_REDUCTION_SEQUENTIAL ((bt_reduction)4)    /* one after the other, with barriers and atomic additions */
#define BT_REDUCTION_TWO_STEP_FP16 ((bt_reduction)5) /* A P, then Q V, as in Schieffer and Peng; half precision */
#define BT_REDUCTION_TWO_STEP_EC ((bt_reduction)6)   /* in TF32 with error correction, Solis-Vasquez et al. 2025 */

/* kernel/lga/study/study.h: whether blocks keep nothing in local memory. */
#ifndef BT_STUDY_UNCACHED
#define BT_STUDY_UNCACHED 0
#endif

/* Likewise: the part that every generation repeats, and how often, as in BERTH_STUDY_REPEATS; 0: none, as in usual
 * builds, which do not ask. */
int bt_study_repeats(void);

#endif
