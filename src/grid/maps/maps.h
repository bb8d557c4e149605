/* maps.h - a set of affinity maps on one regular grid.
 *
 * values[m] points to (npts[0]+1)(npts[1]+1)(npts[2]+1) floats, x fastest, then y, then z; kcal/mol for
 * affinity maps, kcal/mol/e for electrostatics, kcal/mol/|e| for desolvation. All weights are included.
 * Point (0,0,0) lies at low = center - npts/2 * spacing.
 */
#ifndef BERTH_GRID_MAPS_MAPS_H
#define BERTH_GRID_MAPS_MAPS_H

#include <berth/types.h>
#include <stdatomic.h>

struct bt_grid_options;

struct bt_pair_tables;
struct bt_vina_receptor;

struct bt_maps {
  atomic_int sharers;     /* besides the first owner */
  bt_scoring scoring;
  bt_box box;
  double low[3], high[3]; /* first and last grid point, Angstrom */
  char *receptor_name;    /* the MACROMOLECULE line without its last extension */
  char *receptor_file;    /* the MACROMOLECULE line */
  char *gpf_name;         /* the GRID_PARAMETER_FILE line */
  char *fld_path;         /* NULL when computed and never written */
  char *opt_warning;      /* NULL: none */
  int n_types;
  char (*types)[8];
  float **values;         /* [n_types + 2]: affinity maps, then electrostatics, then desolvation */
  struct bt_vina_receptor *receptor; /* Vina's and Vinardo's, when computed: the atoms for exact sums; else NULL */
  struct bt_pair_tables *pair_tables; /* between moving atoms, of all ligands */
};

static inline size_t bt_maps_points(const bt_maps *maps) {
  return (size_t)(maps->box.npts[0] + 1) * (size_t)(maps->box.npts[1] + 1) * (size_t)(maps->box.npts[2] + 1);
}
static inline const float *bt_maps_electrostatic(const bt_maps *maps) { return maps->values[maps->n_types]; }
static inline const float *bt_maps_desolvation(const bt_maps *maps) { return maps->values[maps->n_types + 1]; }

/* The maps have one more owner, who destroys them, too. */
static inline void bt_maps_share(bt_maps *maps) { atomic_fetch_add(&maps->sharers, 1); }

/* Allocates an empty set (values are zero); names are copied. */
bt_status bt_maps_create(const bt_box *box, const char *const *types, int n_types, bt_maps **ret_maps,
                         bt_error *opt_error) BT_MUST_USE;
/* Names computed maps after the receptor's file. */
bt_status bt_maps_name(bt_maps *maps, const bt_molecule *receptor, bt_error *opt_error) BT_MUST_USE;
/* Index of a type, or -1. Exact match first, then AutoDock-GPU's rule: CG0..CG9 use the C map. */
int bt_maps_find(const bt_maps *maps, const char *type);
/* Computes the maps of those types that *maps lacks, and adds them; NULL: makes *maps. Types without parameters are
 * left out, so that ligands without them can be docked. In AutoDock 4's function a donor, HD, is always among them: the
 * last digits of all maps depend on whether there is one. The options must be the same each time. (add.c) */
bt_status bt_maps_add(bt_maps **maps, const bt_molecule *receptor, const char *const *types, int n_types,
                      const struct bt_grid_options *options, bt_error *opt_error) BT_MUST_USE;

#endif
