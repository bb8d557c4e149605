/* mma.h - the tensor-core instructions used by tensor.h, and their helpers. Needs sm_80.
 *
 * tests/backend/tensor_emulated.h emulates the same functions on CPU threads, following the description of the
 * instructions, so that all code based on them is tested without a GPU.
 */
#ifndef BERTH_BACKEND_CUDA_MMA_H
#define BERTH_BACKEND_CUDA_MMA_H

#include <cuda_fp16.h>

/* The value of the lane whose index differs in that bit. */
BT_FUNCTION float bt_exchange(float value, int bit) { return __shfl_xor_sync(0xFFFFFFFFu, value, bit); }

BT_FUNCTION float bt_from_bits(unsigned int bits) { return __uint_as_float(bits); }
BT_FUNCTION unsigned int bt_to_bits(float x) { return __float_as_uint(x); }

/* To nearest, ties away from zero; the bits are those of a float. */
BT_FUNCTION unsigned int bt_to_tf32(float x) {
  unsigned int y;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(y) : "f"(x));
  return y;
}

/* Two numbers in half precision, to nearest; the first one in the low bits. */
BT_FUNCTION unsigned int bt_to_halves(float x, float y) {
  __half2 halves = __floats2half2_rn(x, y);
  unsigned int bits;
  memcpy(&bits, &halves, sizeof bits);
  return bits;
}

BT_FUNCTION void bt_from_halves(unsigned int bits, float *ret_x, float *ret_y) {
  __half2 halves;
  memcpy(&halves, &bits, sizeof halves);
  *ret_x = __low2float(halves);
  *ret_y = __high2float(halves);
}

/* d += a b: 16 x 8 by 8 x 8, TF32, accumulated in single precision. */
BT_FUNCTION void bt_mma_tf32(float d[4], const unsigned int a[4], const unsigned int b[2]) {
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
               "{%0, %1, %2, %3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

/* d += a b: 16 x 16 by 16 x 8, half precision throughout. */
BT_FUNCTION void bt_mma_half(unsigned int d[2], const unsigned int a[4], const unsigned int b[2]) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%0, %1};"
               : "+r"(d[0]), "+r"(d[1])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

/* d += a b: 16 x 16 by 16 x 8, operands in half precision, accumulated in single precision. */
BT_FUNCTION void bt_mma_half_single(float d[4], const unsigned int a[4], const unsigned int b[2]) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
               "{%0, %1, %2, %3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

/* The same with BF16 operands. */
BT_FUNCTION void bt_mma_bf16_single(float d[4], const unsigned int a[4], const unsigned int b[2]) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
               "{%0, %1, %2, %3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

/* Two numbers as BF16, to nearest; the first one in the low bits. */
BT_FUNCTION unsigned int bt_to_bf16s(float x, float y) {
  unsigned int bits;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(bits) : "f"(y), "f"(x));
  return bits;
}

/* The left operand of 16 rows by 32 bytes from shared memory: lane l gives the address of row l % 16, from byte
 * 16 (l / 16) on. */
BT_FUNCTION void bt_load_matrix(unsigned int a[4], unsigned int address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
               : "r"(address)
               : "memory");
}
BT_FUNCTION unsigned int bt_local_address(const void *memory) {
  return static_cast<unsigned int>(__cvta_generic_to_shared(memory));
}

#endif
