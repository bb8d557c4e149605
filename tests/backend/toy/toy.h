/* toy.h - what the two halves of the toy machine share: kernels.c has the entries that toy.c launches. */
#ifndef BERTH_TESTS_BACKEND_TOY_TOY_H
#define BERTH_TESTS_BACKEND_TOY_TOY_H

/* Runs one block. */
typedef void (*toy_entry)(void *arena, void *maps, const void *launch, int block, float *local);

extern const toy_entry toy_ad4[];

#endif
