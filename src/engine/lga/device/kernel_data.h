/* kernel_data.h - turns a ligand and its maps into the flat arrays that kernels read. */
#ifndef BERTH_ENGINE_LGA_DEVICE_KERNEL_DATA_H
#define BERTH_ENGINE_LGA_DEVICE_KERNEL_DATA_H

#include "base/memory.h"
#include "grid/maps/maps.h"
#include "kernel/lga/data.h"
#include "pose/genotype.h"

/* The arrays of one docking and what maps them back to the ligand. */
typedef struct bt_dock_data {
  bt_kernel_data kernel;
  const bt_ligand *ligand; /* borrowed */
  double low[3];           /* origin of kernel coordinates, Angstrom */
  bt_kernel_atom *atoms;
  bt_kernel_body *bodies;
  bt_kernel_row *rows;
  bt_kernel_pair *pairs;
  bt_kernel_glue *glue;
  bt_kernel_restraint *restraints;
  bt_kernel_contact *contacts;
  bt_kernel_fragment *fragments;
  int *torsion_bodies;
  bt_kernel_class *classes;
  bt_kernel_grid grid;
  int *order; /* [kernel.sizes.n_atoms] ligand atom of each kernel atom; -1: a marker of a further ligand */
  int n_pairs;             /* padding included */
  bt_arena arena;          /* of all arrays */
} bt_dock_data;

/* Points of a map that kernels can address. */
enum { BT_DOCK_MOST_POINTS = INT32_MAX / 4 };

/* Every type that feels the maps must have one (bt_scorer_create checks that first). */
bt_status bt_dock_data_create(const bt_ligand *ligand, const bt_maps *maps, bt_dock_data **ret_data,
                              bt_error *opt_error) BT_MUST_USE;
void bt_dock_data_destroy(bt_dock_data *data);

/* Kernel genes (floats, box frame) to and from a genotype (doubles, absolute). */
void bt_genes_to_genotype(const bt_dock_data *data, const float *genes, bt_genotype *genotype);
void bt_genotype_to_genes(const bt_dock_data *data, const bt_genotype *genotype, float *genes);

#endif
