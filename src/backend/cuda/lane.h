/* lane.h - the lane type of CUDA: one work-item is one lane. BT_TEAM and BT_POSES come from the build.
 *
 * Work-item rank * BT_POSES + pose: with 32 poses a warp is one rank of 32 poses, so that all it reads of the ligand is
 * the same for its lanes.
 */
#ifndef BERTH_BACKEND_CUDA_LANE_H
#define BERTH_BACKEND_CUDA_LANE_H

#define BT_FUNCTION static __device__ __forceinline__
#define BT_GLOBAL
#define BT_SCRATCH
#define BT_STATE
#define BT_UNROLL _Pragma("unroll")
#define BT_LANES 1
#define BT_PAIR_TILE 3
#define BT_TEAM_BLOCKS 1
#define BT_AT(array, index) ((array)[(index) * BT_POSES])
#define BT_ITEM ((int)threadIdx.x)
#define BT_GROUP ((int)blockIdx.x)

typedef float bt_real;
typedef int bt_int;
typedef unsigned int bt_uint;
typedef bool bt_mask;

#if BT_TEAM == 1
#define BT_SYNC() ((void)0)
#elif BT_TEAM * BT_POSES <= 32
#define BT_SYNC() __syncwarp()
#else
#define BT_SYNC() __syncthreads()
#endif

static __device__ __forceinline__ bool bt_block_any(bool flag) {
#if BT_TEAM * BT_POSES <= 32
  bool any = __any_sync(0xFFFFFFFFu, flag);
  __syncwarp();
  return any;
#else
  return __syncthreads_or(flag);
#endif
}
#define BT_BLOCK_ANY(flag, scratch) bt_block_any(flag)
#define BT_ATOMIC_NEXT(counter) atomicAdd((counter), 1)

BT_FUNCTION bt_real bt_splat(float value) { return value; }
BT_FUNCTION bt_int bt_splat_int(int value) { return value; }
BT_FUNCTION bt_uint bt_splat_uint(unsigned int value) { return value; }
BT_FUNCTION bt_int bt_uint_to_int(bt_uint value) { return (int)value; }
BT_FUNCTION bt_uint bt_int_to_uint(bt_int value) { return (unsigned int)value; }
BT_FUNCTION bt_int bt_to_int(bt_real value) { return __float2int_rz(value); }
BT_FUNCTION bt_real bt_to_real(bt_int value) { return __int2float_rn(value); }
BT_FUNCTION bt_int bt_lane_index(void) { return 0; }
BT_FUNCTION bt_mask bt_lt(bt_real a, bt_real b) { return a < b; }
BT_FUNCTION bt_mask bt_eq(bt_real a, bt_real b) { return a == b; }
BT_FUNCTION bt_mask bt_lt_int(bt_int a, bt_int b) { return a < b; }
BT_FUNCTION bt_mask bt_eq_int(bt_int a, bt_int b) { return a == b; }
BT_FUNCTION bt_mask bt_and(bt_mask a, bt_mask b) { return a && b; }
BT_FUNCTION bt_mask bt_or(bt_mask a, bt_mask b) { return a || b; }
BT_FUNCTION bt_mask bt_not(bt_mask a) { return !a; }
BT_FUNCTION int bt_any(bt_mask a) { return a; }
BT_FUNCTION int bt_mask_lane(bt_mask a, int lane) { return (void)lane, a; }
BT_FUNCTION bt_mask bt_mask_none(void) { return false; }
BT_FUNCTION bt_real bt_select(bt_mask mask, bt_real a, bt_real b) { return mask ? a : b; }
BT_FUNCTION bt_real bt_select_zero(bt_mask mask, bt_real a) { return mask ? a : 0.0f; }
BT_FUNCTION bt_int bt_select_int(bt_mask mask, bt_int a, bt_int b) { return mask ? a : b; }
BT_FUNCTION bt_real bt_min(bt_real a, bt_real b) { return fminf(a, b); }
BT_FUNCTION bt_real bt_max(bt_real a, bt_real b) { return fmaxf(a, b); }
BT_FUNCTION bt_real bt_sqrt(bt_real a) { return __fsqrt_rn(a); }
/* The special function unit: 1 and 2 units in the last place; arguments are never denormal. */
BT_FUNCTION bt_real bt_rcp(bt_real a) {
  float y;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(a));
  return y;
}
BT_FUNCTION bt_real bt_rcp_fast(bt_real a) { return bt_rcp(a); }
BT_FUNCTION bt_real bt_rsqrt(bt_real a) {
  float y;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(a));
  return y;
}
BT_FUNCTION bt_real bt_gather(const float *base, bt_int index) { return __ldg(base + index); }
#define BT_GATHER4(base, index, a, b, c, d)                                      \
  do {                                                                           \
    float4 four = __ldg(reinterpret_cast<const float4 *>((base) + (index)));     \
    (a) = four.x, (b) = four.y, (c) = four.z, (d) = four.w;                      \
  } while (0)
BT_FUNCTION void bt_prefetch(const float *base, bt_int index) { (void)base, (void)index; }
BT_FUNCTION bt_uint bt_mulhi(bt_uint a, unsigned int b) { return __umulhi(a, b); }

BT_FUNCTION float bt_lane_get(bt_real value, int lane) { return (void)lane, value; }
BT_FUNCTION int bt_lane_get_int(bt_int value, int lane) { return (void)lane, value; }
BT_FUNCTION void bt_lane_set(bt_real *value, int lane, float to) { (void)lane, *value = to; }
BT_FUNCTION void bt_lane_set_int(bt_int *value, int lane, int to) { (void)lane, *value = to; }
BT_FUNCTION void bt_lane_set_uint(bt_uint *value, int lane, unsigned int to) { (void)lane, *value = to; }

#endif
