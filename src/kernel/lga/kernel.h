/* kernel.h - the physics and the search operators, in dependency order.
 *
 * A back end includes its compat header (the lane type, see lane_math.h) and then this file. */
#ifndef BERTH_KERNEL_LGA_KERNEL_H
#define BERTH_KERNEL_LGA_KERNEL_H

#include "data.h"
#include "parameters.h"

#include "kernel/lane/lane_math.h"
#include "kernel/lane/philox.h"

#include "study/study.h"
#include "team.h"

#include "pose.h"

#include "inter.h"
#include "pair.h"
#include "vina.h"
#include "intra.h"
#include "reduction.h"
#include "study/seven_sums.h"

#include "restrain.h"

#include "energy.h"

#include "adadelta.h"
#include "adam.h"
#include "fold.h"
#include "genetic.h"
#include "population.h"
#include "solis_wets.h"

#endif
