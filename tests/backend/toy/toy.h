/* toy.h - shared by the two halves of the toy back end: kernels.c has the entry points that toy.c launches. */
#ifndef BERTH_TESTS_BACKEND_TOY_TOY_H
#define BERTH_TESTS_BACKEND_TOY_TOY_H

/* Runs one block. */
typedef void (*toy_entry)(void *arena, void *maps, const void *launch, int block, float *local);

extern const toy_entry toy_lga[];

#endif
