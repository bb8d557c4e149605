/* hip_runtime.h - AMD's names defined for CUDA, so that nvcc compiles src/backend/hip/kernels.hip. Tests only. */
#ifndef BERTH_TESTS_HIP_RUNTIME_H
#define BERTH_TESTS_HIP_RUNTIME_H

#define __builtin_amdgcn_fence(order, scope) __threadfence_block()
#define __builtin_amdgcn_wave_barrier() __syncwarp()
#define __ballot(flag) __ballot_sync(0xFFFFFFFFu, (flag))

/* not the lane.h of CUDA: these go through the same special function unit, but the formulas stay HIP's */
static __device__ __forceinline__ float __builtin_amdgcn_rcpf(float a) {
  float y;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(a));
  return y;
}
static __device__ __forceinline__ float __builtin_amdgcn_rsqf(float a) {
  float y;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(a));
  return y;
}
static __device__ __forceinline__ float __builtin_amdgcn_sqrtf(float a) {
  float y;
  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(a));
  return y;
}
#define __builtin_amdgcn_fmed3f(x, low, high) fminf(fmaxf((x), (low)), (high))

#endif
