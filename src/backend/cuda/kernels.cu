/* kernels.cu - the kernels of src/kernel for CUDA, compiled once per team size (BT_TEAM, BT_POSES). */
#include "backend/cuda/lane.h"
#include "kernel/data.h"

/* A pair as three loads of 16 bytes. */
BT_FUNCTION bt_kernel_pair bt_load_pair(const bt_kernel_pair *from) {
  const float4 *at = reinterpret_cast<const float4 *>(from);
  float4 a = __ldg(at), b = __ldg(at + 1), c = __ldg(at + 2);
  bt_kernel_pair pair = {__float_as_int(a.x), a.y, a.z, a.w, {b.x, b.y, b.z, b.w, c.x, c.y, c.z, c.w}};
  return pair;
}

#include "kernel/kernel.h"
#include "kernel/launch.h"

#include "kernel/entries.h"

extern __shared__ float4 bt_local_memory[];

#define BT_ENTRY(constant, entry)                                                                  \
  extern "C" __global__ void __launch_bounds__(BT_TEAM *BT_POSES) entry(char *arena, float *maps,  \
                                                                       const bt_launch launch) {   \
    entry##_body(arena, maps, &launch, reinterpret_cast<float *>(bt_local_memory));                \
  }
BT_LAUNCH_KERNELS(BT_ENTRY)
