/* score.c - the energy of a ligand at the coordinates in its file, in maps computed around it from a receptor.
 *
 *     score receptor.pdbqt ligand.pdbqt
 */
#include <berth/berth.h>
#include <berth/grid.h>
#include <stdio.h>
#include <stdlib.h>

static bt_error error;

static void check(bt_status status) {
  char text[2048];
  if (status == BT_OK) return;
  fprintf(stderr, "%s\n", bt_error_format(&error, text, sizeof text));
  exit(EXIT_FAILURE);
}

int main(int argc, char **argv) {
  bt_molecule **receptor, **ligands;
  int n_receptors, n_ligands;
  if (argc != 3) return fprintf(stderr, "usage: score RECEPTOR.pdbqt LIGAND.pdbqt\n"), EXIT_FAILURE;
  check(bt_molecule_read(argv[1], BT_MOLECULE_RECEPTOR, &receptor, &n_receptors, &error));
  check(bt_molecule_read(argv[2], BT_MOLECULE_LIGAND, &ligands, &n_ligands, &error));
  for (int i = 0; i < n_ligands; i++) { /* models of the file */
    bt_ligand *ligand;
    check(bt_ligand_create(ligands[i], NULL, &ligand, &error));

    bt_grid_options grid = bt_grid_options_default();
    double low[3], high[3], middle[3], edges[3];
    check(bt_molecule_extent(ligands[i], NULL, low, high, &error));
    for (int k = 0; k < 3; k++) middle[k] = 0.5 * (low[k] + high[k]), edges[k] = high[k] - low[k] + 8.0;
    grid.box = bt_box_from_size(middle, edges, 0.375);

    const char *types[32];
    int n_types = bt_ligand_type_count(ligand);
    if (n_types > 32) return EXIT_FAILURE;
    for (int t = 0; t < n_types; t++) types[t] = bt_ligand_type(ligand, t);
    bt_maps *maps;
    check(bt_maps_compute(receptor[0], types, n_types, &grid, &maps, &error));

    bt_energy energy;
    check(bt_score(ligand, maps, BT_FORM_TABULATED, BT_TORSIONAL_TORSDOF, &energy, NULL, &error));
    printf("%s: %.2f kcal/mol, of which %.2f with the receptor\n", bt_molecule_name(ligands[i]), energy.free_energy,
           energy.inter);
    bt_maps_destroy(maps);
    bt_ligand_destroy(ligand);
  }
  bt_molecule_list_destroy(ligands, n_ligands);
  bt_molecule_list_destroy(receptor, n_receptors);
  return EXIT_SUCCESS;
}
