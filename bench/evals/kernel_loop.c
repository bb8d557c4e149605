/* kernel_loop.c - evaluates random poses N times and nothing else, for counting instructions (bench/scripts/instructions.sh).
 *
 *   kernel_loop MAPS.fld LIGAND.pdbqt energy|gradient REPEATS [cpu/avx2]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"
#include "base/memory.h"
#include "engine/ad4/kernel_data.h"
#include "engine/ad4/options.h"

enum { POSES = 64 };

static int fail(const bt_error *error) {
  char text[2048];
  fprintf(stderr, "kernel_loop: %s\n", bt_error_format(error, text, sizeof text));
  return 1;
}

int main(int argc, char **argv) {
  if (argc < 5) return fputs("usage: kernel_loop MAPS.fld LIGAND.pdbqt energy|gradient REPEATS [device]\n", stderr), 1;
  bt_error error;
  bt_molecule **molecules;
  bt_ligand *ligand;
  bt_maps *maps;
  bt_dock_data *data;
  const bt_backend *backend;
  bt_backend_job *job;
  int count, repeats = atoi(argv[4]);
  if (bt_molecule_read(argv[2], BT_MOLECULE_LIGAND, &molecules, &count, &error) != BT_OK) return fail(&error);
  if (bt_ligand_create(molecules[0], NULL, &ligand, &error) != BT_OK) return fail(&error);
  BT_SCOPED const char **types = calloc((size_t)bt_ligand_type_count(ligand), sizeof *types);
  for (int i = 0; i < bt_ligand_type_count(ligand); i++) types[i] = bt_ligand_type(ligand, i);
  if (bt_maps_read(argv[1], types, bt_ligand_type_count(ligand), &maps, &error) != BT_OK) return fail(&error);
  if (bt_dock_data_create(ligand, maps, &data, &error) != BT_OK) return fail(&error);
  bt_dock_options options = bt_dock_options_default();
  options.runs = 1;
  options.population = POSES;
  options.seed = 1;
  bt_search_parameters parameters = bt_search_parameters_make(&options, ligand);
  if (bt_backend_find(argc > 5 ? argv[5] : "cpu", &backend, &error) != BT_OK) return fail(&error);
  bt_job_ligand one = {&data->kernel, &parameters};
  bt_job_options how = {.threads = 1};
  if (backend->job_create(backend, &one, 1, &how, &job, &error) != BT_OK) return fail(&error);
  if (backend->initialize(job, &error) != BT_OK) return fail(&error);
  size_t n_genes = (size_t)BT_GENES(ligand->n_torsions);
  float *genes = calloc(POSES * n_genes, sizeof *genes), energies[POSES];
  BT_SCOPED float *gradients = calloc(POSES * (size_t)BT_DOFS(ligand->n_torsions), sizeof *gradients);
  if (backend->read_genes(job, 0, genes, &error) != BT_OK) return fail(&error);
  float *wanted = strcmp(argv[3], "gradient") == 0 ? gradients : NULL;
  for (int r = 0; r < repeats; r++)
    if (backend->evaluate(job, 0, POSES, genes, energies, wanted, &error) != BT_OK) return fail(&error);
  printf("%s %s: %d evaluations, first energy %.4f\n", backend->name, argv[3], POSES * repeats, (double)energies[0]);
  backend->job_destroy(job);
  bt_dock_data_destroy(data);
  bt_maps_destroy(maps);
  bt_ligand_destroy(ligand);
  bt_molecule_list_destroy(molecules, count);
  free(genes);
  return 0;
}
