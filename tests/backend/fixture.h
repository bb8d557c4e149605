/* fixture.h - a ligand of the development set in smooth synthetic maps, ready for kernels. */
#ifndef BERTH_TESTS_BACKEND_FIXTURE_H
#define BERTH_TESTS_BACKEND_FIXTURE_H

#include <berth/vina.h>
#include <math.h>

#include "engine/lga/device/devices.h"
#include "engine/lga/search/job.h"
#include "score/score.h"
#include "engine/lga/device/kernel_data.h"
#include "engine/lga/search/options.h"
#include "unit/support.h"

typedef struct fixture {
  bt_molecule **molecules, **flexible, *opt_joined;
  int n_molecules, n_flexible;
  bt_ligand *ligand;
  bt_maps *maps;
  bt_scorer *scorer;
  bt_dock_data *data;
} fixture;

/* Values that vary like a potential: a few waves per box, amplitude 1 kcal/mol. */
static inline void fixture_fill_maps(bt_maps *maps) {
  for (int m = 0; m < maps->n_types + 2; m++) {
    size_t at = 0;
    for (int k = 0; k <= maps->box.npts[2]; k++)
      for (int j = 0; j <= maps->box.npts[1]; j++)
        for (int i = 0; i <= maps->box.npts[0]; i++)
          maps->values[m][at++] = (float)(sin(0.31 * i + m) + cos(0.27 * j - 0.5 * m) + sin(0.22 * k + 0.11 * i));
  }
}

/* Two copies of the molecule, the second one shifted. */
static inline bt_molecule *fixture_pair(bt_molecule *molecule) {
  bt_error error;
  bt_molecule *joined;
  const bt_molecule *both[] = {molecule, molecule};
  support_ok(bt_molecules_join(both, 2, &joined, &error), &error);
  for (int i = molecule->n_atoms; i < joined->n_atoms; i++) {
    joined->atoms[i].x[0] += 4.1;
    joined->atoms[i].x[2] -= 2.3;
  }
  return joined;
}

/* In maps of npts[3] cells, for one scoring function; pair: two of the ligand at the same time. */
static inline fixture fixture_open_number(const char *ligand_path, const char *opt_flexible_path, const int *npts,
                                          bt_scoring scoring, bool pair) {
  fixture f = {0};
  bt_error error;
  support_ok(bt_molecule_read(ligand_path, BT_MOLECULE_LIGAND, &f.molecules, &f.n_molecules, &error), &error);
  if (opt_flexible_path != NULL)
    support_ok(bt_molecule_read(opt_flexible_path, BT_MOLECULE_FLEXIBLE, &f.flexible, &f.n_flexible, &error), &error);
  if (pair) f.opt_joined = fixture_pair(f.molecules[0]);
  support_ok(bt_ligand_create_as(pair ? f.opt_joined : f.molecules[0], f.n_flexible > 0 ? f.flexible[0] : NULL, scoring,
                                 &f.ligand, &error),
             &error);
  int n_types = scoring == BT_SCORING_AD4 ? f.ligand->n_types : f.ligand->n_map_types;
  const char **types = calloc((size_t)n_types + 1, sizeof *types);
  for (int t = 0; t < n_types; t++)
    types[t] = scoring == BT_SCORING_AD4 ? f.ligand->types[t] : f.ligand->map_types[t];
  bt_box box = {.npts = {npts[0], npts[1], npts[2]}, .spacing = 0.375};
  memcpy(box.center, f.ligand->center, sizeof box.center);
  support_ok(bt_maps_create(&box, types, n_types, &f.maps, &error), &error);
  f.maps->scoring = scoring;
  free(types);
  fixture_fill_maps(f.maps);
  support_ok(bt_scorer_create(f.ligand, f.maps, BT_FORM_CONTINUOUS, BT_TORSIONAL_TORSDOF, &f.scorer, &error), &error);
  support_ok(bt_dock_data_create(f.ligand, f.maps, &f.data, &error), &error);
  return f;
}

static inline fixture fixture_open_as(const char *ligand_path, const char *opt_flexible_path, const int *npts,
                                      bt_scoring scoring) {
  return fixture_open_number(ligand_path, opt_flexible_path, npts, scoring, false);
}

static inline fixture fixture_open_in(const char *ligand_path, const char *opt_flexible_path, const int *npts) {
  return fixture_open_as(ligand_path, opt_flexible_path, npts, BT_SCORING_AD4);
}

static inline fixture fixture_open(const char *ligand_path, const char *opt_flexible_path) {
  return fixture_open_in(ligand_path, opt_flexible_path, (const int[]){60, 56, 50});
}

/* Replaces a random pose by the input pose with small changes, as at the end of a search. */
static inline void fixture_near(const fixture *f, float *pose) {
  bt_error error;
  bt_genotype input;
  int n_genes = BT_GENES(f->ligand->n_torsions);
  float *near = calloc((size_t)n_genes, sizeof *near), *q = pose + BT_GENE_QUATERNION;
  support_ok(bt_genotype_create(f->ligand->n_torsions, &input, &error), &error);
  bt_genotype_identity(f->ligand, &input);
  bt_genotype_to_genes(f->data, &input, near);
  for (int k = 0; k < n_genes; k++) pose[k] = near[k] + 0.01f * (k < 3 ? fmodf(pose[k], 10.0f) : pose[k]);
  float norm = sqrtf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (int k = 0; k < 4; k++) q[k] /= norm;
  free(near);
  bt_genotype_destroy(&input);
}

static inline void fixture_close(fixture *f) {
  bt_dock_data_destroy(f->data);
  bt_scorer_destroy(f->scorer);
  bt_maps_destroy(f->maps);
  bt_ligand_destroy(f->ligand);
  bt_molecule_destroy(f->opt_joined);
  bt_molecule_list_destroy(f->flexible, f->n_flexible);
  bt_molecule_list_destroy(f->molecules, f->n_molecules);
}

#endif
