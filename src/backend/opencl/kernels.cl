/* kernels.cl - the entries of a device in OpenCL C; everything else is src/kernel. */
#include "backend/opencl/lane.h"
#include "kernel/kernel.h"
#include "kernel/launch.h"
