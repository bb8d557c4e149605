/* test_separate.c - energy and gradient from two evaluations (kernel/lga/study/study.h) equal those from one. */
#define BT_CPU_ISA_scalar 1
#define BT_STUDY_SEPARATE 1
#include "backend/cpu/lane.h"
#include "kernel/lga/kernel.h"

#include "backend/fixture.h"
#include "unit/assert_near.h"

#define MEMBER_ROOM(name, length) +(size_t)(length) + 1
#define MEMBER_PLACE(name, length) scratch.name = at, at += (length) + 1;

/* Of one pose of a processor. */
static size_t room(const bt_kernel_sizes *s) { return 0 BT_SCRATCH_ARRAYS(MEMBER_ROOM, *s, BT_TEAM, BT_TEAM_KIND); }

static bt_pose_scratch place(const bt_kernel_sizes *s, bt_real *at) {
  bt_pose_scratch scratch = {0};
  BT_SCRATCH_ARRAYS(MEMBER_PLACE, *s, BT_TEAM, BT_TEAM_KIND)
  return scratch;
}

static void separate_is_fused(void **state) {
  (void)state;
  const int npts[3] = {20, 20, 20};
  fixture f = fixture_open_in(BERTH_SOURCE_DIR "/examples/1hpv/ligand.pdbqt", NULL, npts);
  bt_kernel_data data = f.data->kernel;
  data.sizes.n_classes = 0; /* pairs alone: maps are folded by a job */
  data.maps = f.maps->values[0]; /* prefetched, not read */
  data.sizes.n_gradients = 1;
  bt_search_parameters parameters = {.wall = 0};
  bt_real limit = bt_splat(8.0f), genes[64];
  size_t n = room(&data.sizes);
  bt_real *memory[2] = {calloc(n, sizeof(bt_real)), calloc(n, sizeof(bt_real))};
  bt_pose_scratch one = place(&data.sizes, memory[0]), two = place(&data.sizes, memory[1]);
  for (int k = 0; k < BT_GENES(data.sizes.n_torsions); k++) genes[k] = bt_splat(0.3f * (float)k);
  genes[BT_GENE_QUATERNION] = genes[BT_GENE_QUATERNION + 1] = genes[BT_GENE_QUATERNION + 2] = bt_splat(0.0f);
  genes[BT_GENE_QUATERNION + 3] = bt_splat(1.0f);
  bt_real fused = bt_pose_gradient(&data, &parameters, limit, genes, one, 1);
  bt_real separate = bt_pose_energy_gradient(&data, &parameters, limit, genes, two);
  assert_true(fused[0] != 0.0f);
  assert_near((double)separate[0], (double)fused[0], 1e-5 * (1 + fabs((double)fused[0])));
  for (int unit = 0; unit < BT_UNITS(data.sizes.n_torsions); unit++) {
    bt_unit_gradient a = bt_pose_gradient_unit(&data, unit, genes[0], genes[1], genes[2], one);
    bt_unit_gradient b = bt_pose_gradient_unit(&data, unit, genes[0], genes[1], genes[2], two);
    assert_near((double)b.x[0], (double)a.x[0], 1e-5 * (1 + fabs((double)a.x[0])));
  }
  assert_near((double)bt_pose_gradient(&data, &parameters, limit, genes, one, 0)[0], 0, 1e-30);
  free(memory[0]);
  free(memory[1]);
  fixture_close(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(separate_is_fused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
