/* kernel_loop.c - only evaluates random poses repeatedly, for counting instructions
 * (bench/scripts/instructions.py).
 *
 *   kernel_loop MAPS.fld LIGAND.pdbqt energy|gradient REPEATS [cpu/avx2]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/common/job.h"
#include "bench/common/output.h"

enum { POSES = 64 };

static bt_status run(int argc, char **argv, bench_case *of, bench_job *j, bt_error *error) {
  bench_subject subject;
  int repeats = atoi(argv[4]);
  j->options = bt_dock_options_default();
  j->options.opt_device = argc > 5 ? argv[5] : "cpu";
  j->options.runs = j->options.threads = 1;
  j->options.population = POSES;
  j->options.seed = 1;
  BT_TRY(bench_case_load(argv[1], argv[2], NULL, 0, of, error));
  BT_TRY(bench_job_find(j, &subject, error));
  BT_TRY(bench_job_open(j, error));
  BT_TRY(bench_job_start(j, error));
  BT_TRY(bt_job_initialize(j->job, error));
  BT_SCOPED float *genes = bench_allocate(POSES * (j->n_genes + j->n_dofs), sizeof *genes);
  float energies[POSES], *opt_gradients = strcmp(argv[3], "gradient") == 0 ? genes + POSES * j->n_genes : NULL;
  BT_TRY(bt_job_read_genes(j->job, 0, genes, error));
  for (int r = 0; r < repeats; r++)
    BT_TRY(bt_job_evaluate(j->job, 0, POSES, genes, energies, opt_gradients, error));
  printf("%s %s: %d evaluations, first energy %.4f\n", subject.device, argv[3], POSES * repeats, (double)energies[0]);
  return BT_OK;
}

int main(int argc, char **argv) {
  if (argc < 5) return fputs("usage: kernel_loop MAPS.fld LIGAND.pdbqt energy|gradient REPEATS [device]\n", stderr), 1;
  bt_error error;
  bench_case of = {0};
  bench_job job = {.of = &of};
  bt_status status = run(argc, argv, &of, &job, &error);
  bench_job_close(&job);
  bench_case_free(&of);
  return status != BT_OK ? cli_fail("kernel_loop", &error) : 0;
}
