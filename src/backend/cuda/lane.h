/* lane.h - the lane type of CUDA: one work-item is one lane. BT_TEAM and BT_POSES come from the build, for modules that
 * have them.
 *
 * Work-item rank * BT_POSES + pose: with 32 poses a warp is one rank of 32 poses, so its lanes read the same ligand
 * data.
 */
#ifndef BERTH_BACKEND_CUDA_LANE_H
#define BERTH_BACKEND_CUDA_LANE_H

#define BT_TEAM_TENSOR_FP16 (BT_REDUCTION == 2) /* of bt_reduction */
#define BT_TEAM_TENSOR_EC (BT_REDUCTION == 3)
#define BT_TEAM_SEQUENTIAL (BT_REDUCTION == 4)
#define BT_TEAM_TWO_STEP_FP16 (BT_REDUCTION == 5)
#define BT_TEAM_TWO_STEP_EC (BT_REDUCTION == 6)
#define BT_TEAM_SEVEN (BT_REDUCTION >= 4)
#define BT_SUMS_OVERFLOW (BT_TEAM_TENSOR_FP16 || BT_TEAM_TWO_STEP_FP16)

#ifndef BT_TEAM /* a module without teams */
#define BT_SYNC() __syncthreads()
#else
#define BT_ITEM (threadIdx.x) /* unsigned: cheaper to divide */
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
static __device__ __forceinline__ int bt_keep(int value) {
  int kept;
  asm volatile("mov.b32 %0, %1;" : "=r"(kept) : "r"(value));
  return kept;
}
#define BT_KEEP(value) bt_keep((int)(value))
#define BT_BLOCK_ANY(flag, scratch) bt_block_any(flag)

/* One pose per block: instrumented kernels read a clock. */
#if BT_POSES == 1
#define BT_STUDY 1
static __device__ __forceinline__ long long bt_clock(void) {
  __syncwarp(__activemask());
  return clock64();
}
#define BT_CLOCK() bt_clock()
#endif
/* Few poses: a team's sum is first reduced by shuffles within each warp, over lanes of the same pose. */
#if BT_POSES < 32 && BT_TEAM * BT_POSES >= 32
#define BT_TEAM_SUM(value, sums, rank) bt_team_shuffle_sum(value, sums)
static __device__ __forceinline__ float bt_team_shuffle_sum(float value, float *sums) {
#pragma unroll
  for (int step = BT_POSES; step < 32; step *= 2) value += __shfl_xor_sync(0xFFFFFFFFu, value, step);
  if (BT_ITEM % 32 < BT_POSES) sums[BT_ITEM / 32 * BT_POSES] = value;
  BT_SYNC();
  float sum = sums[0];
#pragma unroll
  for (int warp = 1; warp < BT_TEAM * BT_POSES / 32; warp++) sum += sums[warp * BT_POSES];
  return sum;
}
#endif
#endif

#include "backend/driver/lane_float.h"

#if BT_POSES == 32 && !BT_STUDY_UNCACHED && defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
/* A warp is one rank: its lanes copy the next pairs into a ring buffer of four pieces of two visits each, two pieces
 * ahead, bypassing L1. Copies past the end of the rank's pairs are never read. */
#define BT_STREAM
#define BT_STREAM_PIECE 288

struct bt_stream {
  const char *from;   /* this lane's 16 bytes of the next piece to copy */
  unsigned int ring;  /* shared address */
  unsigned int visit; /* the next one */
};

BT_FUNCTION void bt_stream_copy(bt_stream *stream, unsigned int piece) {
  unsigned int lane = threadIdx.x % 32;
  if (lane < BT_STREAM_PIECE / 16) {
    unsigned int to = stream->ring + piece % 4 * BT_STREAM_PIECE + lane * 16;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(stream->from) : "memory");
  }
  asm volatile("cp.async.commit_group;" ::: "memory");
  stream->from += BT_STREAM_PIECE;
}

BT_FUNCTION void bt_stream_open(bt_stream *stream, char *memory, const void *pairs) {
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncwarp(); /* all lanes have read the ring's contents */
  stream->from = static_cast<const char *>(pairs) + threadIdx.x % 32 * 16;
  stream->ring = static_cast<unsigned int>(__cvta_generic_to_shared(memory));
  stream->visit = 0;
  for (unsigned int piece = 0; piece < 3; piece++) bt_stream_copy(stream, piece);
}

template <typename pair> BT_FUNCTION void bt_stream_next(bt_stream *stream, pair *pairs) {
  static_assert(6 * sizeof(pair) == BT_STREAM_PIECE, "a visit is three pairs of three times 16 bytes");
  if (stream->visit % 2 == 0) {
    asm volatile("cp.async.wait_group 2;" ::: "memory");
    __syncwarp(); /* all copies have arrived; all lanes have read the previous piece */
    bt_stream_copy(stream, stream->visit / 2 + 3);
  }
  unsigned int at = stream->ring + stream->visit % 8 * (BT_STREAM_PIECE / 2);
  for (int p = 0; p < 3; p++, at += 48) {
    float4 a, b, c;
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(a.x), "=f"(a.y), "=f"(a.z), "=f"(a.w) : "r"(at));
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4+16];" : "=f"(b.x), "=f"(b.y), "=f"(b.z), "=f"(b.w) : "r"(at));
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4+32];" : "=f"(c.x), "=f"(c.y), "=f"(c.z), "=f"(c.w) : "r"(at));
    pairs[p] = {__float_as_int(a.x), a.y, a.z, a.w, {b.x, b.y, b.z, b.w, c.x, c.y, c.z, c.w}};
  }
  stream->visit++;
}
#endif

#if BT_TEAM_TENSOR_EC || BT_TEAM_TENSOR_FP16
#include "backend/cuda/tensor.h"
#endif
#if BT_TEAM_SEVEN
#include "backend/cuda/mma.h"
#define BT_WAVE 32
BT_FUNCTION void bt_wave_sync(void) { __syncwarp(); }
BT_FUNCTION void bt_atomic_add(float *to, float value) { atomicAdd(to, value); }
BT_FUNCTION void bt_device_fence(void) { __threadfence(); }
#endif

#if defined(BT_CNN_PRODUCTS) && BT_CNN_PRODUCTS
#include "backend/cuda/mma.h"
#endif

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
/* Errors of 1e-6 at most: x is the square of a short distance. */
#define BT_EXP_MINUS
BT_FUNCTION bt_real bt_exp_minus(bt_real x) { return __expf(-x); }
/* Of the absolute value, which costs nothing: rounding may have made the square of a very short distance negative. */
#define BT_ROOT_SCALE 1.0f
BT_FUNCTION bt_real bt_root(bt_real q) {
  float root;
  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(fabsf(q)));
  return root;
}
/* Folded into the instruction that produces x as a modifier. */
#define BT_SATURATE(x) __saturatef(x)

#endif
