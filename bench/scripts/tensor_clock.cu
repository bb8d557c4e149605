/* tensor_clock.cu - whether a GPU keeps its clock rate while its tensor cores are in use.
 *
 *   nvcc -arch=sm_90 -O3 -o /tmp/tensor_clock bench/scripts/tensor_clock.cu && /tmp/tensor_clock
 *
 * 396 blocks of 64 lanes multiply and add, with a TF32 product at intervals. Prints the time by the global timer,
 * cycles by the multiprocessor's counter, and their ratio, the clock rate. See docs/benchmarks/reductions.md.
 */
#include <cstdio>
#include <cstdlib>
__device__ unsigned long long ns() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  return t;
}
template <int EVERY> __global__ void spin(float *out, unsigned long long *t, int n) {
  float a = threadIdx.x, b = 1.0001f, c[4] = {0, 0, 0, 0};
  unsigned x = __float_as_uint(1.0f) + 0 * threadIdx.x;
  unsigned long long t0 = ns(); long long c0 = clock64();
  for (int i = 0; i < n; i++) {
#pragma unroll
    for (int k = 0; k < 32; k++) a = fmaf(a, b, 0.5f);
    if (EVERY > 0 && i % EVERY == 0)
      asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
        "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(x), "r"(x), "r"(x), "r"(x), "r"(x), "r"(x));
  }
  long long c1 = clock64(); unsigned long long t1 = ns();
  out[blockIdx.x * blockDim.x + threadIdx.x] = a + c[0];
  if (threadIdx.x == 0 && blockIdx.x == 0) { t[0] = t1 - t0; t[1] = c1 - c0; }
}
template <int E> void go(const char *name, float *o, unsigned long long *t, int n) {
  for (int r = 0; r < 4; r++) { spin<E><<<396, 64>>>(o, t, n); cudaDeviceSynchronize(); }
  unsigned long long h[2]; cudaMemcpy(h, t, 16, cudaMemcpyDeviceToHost);
  printf("%-28s %8.3f ms  %lld cycles  %.3f GHz\n", name, h[0] * 1e-6, (long long)h[1], (double)h[1] / h[0]);
}
int main() {
  float *o; unsigned long long *t; cudaMalloc(&o, 4 * 396 * 64); cudaMalloc(&t, 16);
  for (int n : {4000, 400000}) {
    go<0>("no mma", o, t, n); go<1000>("mma every 1000 x 32 fma", o, t, n); go<100>("mma every 100 x 32 fma", o, t, n);
    go<10>("mma every 10 x 32 fma", o, t, n); go<1>("mma every 32 fma", o, t, n); go<0>("no mma", o, t, n);
  }
}
