/* bude.h - the kernels of the BUDE engine. A back end includes its compat header and then this file. With BT_BUDE_POSES
 * > 0 it gets the energy kernel of that variant, with 0 all the others. */
#ifndef BERTH_KERNEL_BUDE_BUDE_H
#define BERTH_KERNEL_BUDE_BUDE_H

#include "kernel/lane/lane_math.h"

#include "launch.h"

#if BT_BUDE_POSES > 0
#include "energy.h"
#else
#include "more.h"
#include "search.h"
#endif

#endif
