/* scene.h - a docking's result whose clusters are scored again. */
#ifndef BERTH_TESTS_UNIT_RESCORE_SCENE_H
#define BERTH_TESTS_UNIT_RESCORE_SCENE_H

#include <berth/rescore.h>

#include "unit/results/poses.h"

static inline bt_molecule *scene_molecule(const char *name, bt_molecule_kind kind) {
  char path[1024];
  snprintf(path, sizeof path, "%s/examples/1hpv/%s", BERTH_SOURCE_DIR, name);
  bt_molecule **list, *molecule;
  int count;
  bt_error error;
  support_ok(bt_molecule_read(path, kind, &list, &count, &error), &error);
  molecule = list[0];
  free(list);
  return molecule;
}

typedef struct scene {
  bt_molecule *molecule, *receptor;
  bt_ligand *ligand;
  bt_maps *maps; /* of the docking: never looked at */
  bt_box box;
  bt_result *result;
} scene;

enum { RUNS = 5 };

/* A docking in a scoring function that ended at the input pose and beside it. */
static inline scene open_scene(bt_scoring scoring) {
  static const double shift[RUNS] = {0, 12, 0.3, 8, 12.2}, energy[RUNS] = {-9, -11, -8, -10, -10.5};
  scene s = {.molecule = scene_molecule("ligand-crystal.pdbqt", BT_MOLECULE_LIGAND),
             .receptor = scene_molecule("receptor.pdbqt", BT_MOLECULE_RECEPTOR)};
  bt_error error;
  bt_dock_options options = bt_dock_options_default();
  options.runs = RUNS;
  support_ok(bt_ligand_create_as(s.molecule, NULL, scoring, &s.ligand, &error), &error);
  s.box = bt_box_from_size(s.ligand->center, (double[3]){30, 30, 30}, 0.5);
  support_ok(bt_maps_create(&s.box, NULL, 0, &s.maps, &error), &error);
  support_ok(bt_result_create(s.ligand, s.maps, NULL, &options, &s.result, &error), &error);
  for (int r = 0; r < RUNS; r++) {
    bt_run *run = &s.result->runs[r];
    bt_genotype_identity(s.ligand, &run->genotype);
    run->genotype.position[0] += shift[r];
    bt_genotype_coordinates(s.ligand, &run->genotype, run->xyz);
    run->energy.inter = run->energy.free_energy = energy[r];
  }
  support_ok(bt_result_cluster(s.result, &error), &error);
  assert_int_equal(bt_result_cluster_count(s.result), 3);
  return s;
}

static inline void close_scene(scene *s) {
  bt_result_destroy(s->result);
  bt_maps_destroy(s->maps);
  bt_ligand_destroy(s->ligand);
  bt_molecule_destroy(s->molecule);
  bt_molecule_destroy(s->receptor);
}

static inline bt_rescoring *open_rescoring(const scene *s, const char *names, int threads) {
  bt_grid_options grid = bt_grid_options_default();
  const bt_rescore_setting setting = {
      .receptor = s->receptor, .boxes = &s->box, .n_boxes = 1, .grid = &grid, .threads = threads};
  bt_rescoring *rescoring;
  bt_error error;
  support_ok(bt_rescoring_open(names, &setting, &rescoring, &error), &error);
  return rescoring;
}

#endif
