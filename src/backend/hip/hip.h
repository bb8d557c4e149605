/* hip.h - AMD GPUs through the HIP runtime. */
#ifndef BERTH_BACKEND_HIP_HIP_H
#define BERTH_BACKEND_HIP_HIP_H

#include "backend/runtime.h"

/* In a build without kernels it has no device and says how to build with them. */
extern const bt_runtime bt_runtime_hip;

#endif
