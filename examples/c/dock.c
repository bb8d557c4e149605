/* dock.c - docks every ligand of a file (PDBQT, SDF, MOL2 or SMILES) with one engine; poses as NAME.out.pdbqt.
 *
 *     dock receptor.maps.fld ligands.pdbqt 20
 */
#include <berth/berth.h>
#include <berth/prepare.h>
#include <stdio.h>
#include <stdlib.h>

static bt_error error;

static void check(bt_status status) {
  char text[2048];
  if (status == BT_OK) return;
  fprintf(stderr, "%s\n", bt_error_format(&error, text, sizeof text));
  exit(EXIT_FAILURE);
}

static void dock(bt_engine *engine, const bt_molecule *molecule) {
  bt_docking docking = {0};
  bt_ligand *ligand;
  char path[512];
  check(bt_ligand_create(molecule, NULL, &ligand, &error));
  docking.opt_ligand = ligand;
  check(bt_engine_dock(engine, &docking, 1, &error)); /* or many at once, which a GPU docks concurrently */
  error = docking.error;
  check(error.status);
  printf("%s: %.2f kcal/mol, %d clusters\n", bt_molecule_name(molecule),
         bt_result_ranked(docking.result, 0).energy.free_energy, bt_result_cluster_count(docking.result));
  snprintf(path, sizeof path, "%s.out.pdbqt", bt_molecule_name(molecule));
  check(bt_result_write_pdbqt(docking.result, path, &error));
  bt_result_destroy(docking.result);
  bt_ligand_destroy(ligand);
}

int main(int argc, char **argv) {
  bt_maps *maps;
  bt_engine *engine;
  bt_ligand_reader *reader;
  bt_molecule *molecule;
  bt_dock_options options = bt_dock_options_default();
  bt_prepare_options prepare = bt_prepare_options_default();
  if (argc != 4) return fprintf(stderr, "usage: dock RECEPTOR.maps.fld LIGANDS RUNS\n"), EXIT_FAILURE;
  options.runs = atoi(argv[3]);
  options.seed = 42;
  check(bt_maps_read(argv[1], NULL, 0, &maps, &error));
  check(bt_engine_open(maps, &options, &engine, &error));
  check(bt_ligand_reader_open(argv[2], &prepare, &reader, &error));
  for (;;) {
    check(bt_ligand_reader_next(reader, &molecule, &error));
    if (molecule == NULL) break;
    dock(engine, molecule);
    bt_molecule_destroy(molecule);
  }
  bt_ligand_reader_close(reader);
  bt_engine_close(engine);
  bt_maps_destroy(maps);
  return EXIT_SUCCESS;
}
