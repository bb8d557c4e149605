/* kernels.c - which of the compiled grid kernels this CPU can run, and what they share. */
#include <math.h>
#include <string.h>

#include "backend/cpu/cpu.h"
#include "grid/kernel/job.h"

extern const bt_grid_kernels bt_grid_kernels_base;
#if defined(__x86_64__)
extern const bt_grid_kernels bt_grid_kernels_avx2, bt_grid_kernels_avx512;
#endif

/* The best first; "base" is SSE2 on x86-64 and NEON on ARM. */
static const bt_grid_kernels *const compiled[] = {
#if defined(__x86_64__)
    &bt_grid_kernels_avx512,
    &bt_grid_kernels_avx2,
#endif
    &bt_grid_kernels_base,
};

static bool supported(const char *name) {
#define SUPPORTED(isa, index, description, condition) \
  if (strcmp(name, #isa) == 0) return condition;
  BT_CPU_ISAS(SUPPORTED)
  return strcmp(name, "base") == 0;
}

const bt_grid_kernels *bt_grid_kernels_find(const char *opt_isa) {
  for (size_t i = 0; i < sizeof compiled / sizeof compiled[0]; i++) {
    if (opt_isa != NULL && strcmp(opt_isa, compiled[i]->name) != 0) continue;
    if (supported(compiled[i]->name)) return compiled[i];
  }
  return NULL;
}

double bt_grid_exact_distance(const bt_grid_scene *scene, const bt_grid_leaf *leaf, int atom, int point) {
  const double *x = scene->x[atom];
  double dx = x[0] - leaf->x[0][point % BT_GRID_LEAF];
  double dy = x[1] - leaf->x[1][point / BT_GRID_LEAF % BT_GRID_LEAF];
  double dz = x[2] - leaf->x[2][point / (BT_GRID_LEAF * BT_GRID_LEAF)];
  return sqrt(dx * dx + dy * dy + dz * dz);
}
