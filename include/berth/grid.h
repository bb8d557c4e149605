/* grid.h - affinity maps: computed from a receptor, written as files, compared with others.
 *
 * Contents
 *   1. Computing maps
 *   2. Maps as files
 *   3. Comparing maps
 *   4. Pockets
 *
 * Conventions and the example's error are those of berth.h.
 */
#ifndef BERTH_GRID_H
#define BERTH_GRID_H

#include <berth/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------------------------------------------------
 * 1. Computing maps
 *
 *     bt_molecule **receptor;
 *     int n_receptors;
 *     if (bt_molecule_read("receptor.pdbqt", BT_MOLECULE_RECEPTOR, &receptor, &n_receptors, &error) != BT_OK)
 *       goto failed;
 *     bt_grid_options grid = bt_grid_options_default();
 *     grid.box = bt_box_from_size((double[]){2.5, 6.5, -7.5}, (double[]){22.5, 22.5, 22.5}, 0.375);
 *     bt_maps *computed;
 *     if (bt_maps_compute(receptor[0], (const char *[]){"C", "HD", "OA"}, 3, &grid, &computed, &error) != BT_OK)
 *       goto failed;
 * --------------------------------------------------------------------------------------------------------- */

/* Replaces the pair potential of two types, whichever is the probe (AutoGrid's nbp_r_eps and nbp_coeffs). */
typedef struct bt_grid_override {
  char type1[8], type2[8];
  bool coefficients;    /* false: first is the distance of the minimum, second its depth (as given, unweighted) */
  double first, second; /* true: first is A, second is B of A r^-m - B r^-n */
  int m, n;
} bt_grid_override;

/* Map "Z" of a covalently bound ligand: barrier * (1 - exp(-ln 2 (d / half_width)^2)), d from the point. */
typedef struct bt_grid_covalent {
  double half_width, barrier; /* Angstrom, kcal/mol; AutoGrid: 1 and 1000 */
  double point[3];            /* Angstrom */
} bt_grid_covalent;

/* Pair potentials of AutoDock4Zn between a ligand and zinc (docs/preparation.md). */
typedef enum bt_zinc_law {
  BT_ZINC_AUTO, /* if the receptor has atoms of type TZ */
  BT_ZINC_ON,
  BT_ZINC_OFF
} bt_zinc_law;

/* Treatment of receptor atoms whose element has no AutoDock 4 parameters, such as sodium (docs/preparation.md). */
typedef enum bt_stand_ins {
  BT_STAND_INS_AUTOGRID, /* types as AutoGrid reads them: one without parameters is BT_ERR_PARAMETER, NA is nitrogen */
  BT_STAND_INS_USE,      /* parameters of a similar element stand in; bt_maps_warning names them */
  BT_STAND_INS_REFUSE    /* BT_ERR_PARAMETER, also for selenium and for a sodium ion spelled NA */
} bt_stand_ins;

/* Options of bt_maps_compute; start from bt_grid_options_default(). */
typedef struct bt_grid_options {
  bt_box box;
  double smooth;     /* width of the smoothing window, Angstrom; 0.5 */
  double dielectric; /* negative: Mehler-Solmajer; otherwise constant, 0 means 40 */
  int threads;       /* 0: all cores */
  const char *opt_parameter_file;
  double solvation_charge; /* solvation parameter per elementary charge; 0.01097 */
  bool no_electrostatics;  /* the electrostatic map stays zero, as in AutoGrid without `dielectric` */
  bool disorder_h;         /* AutoGrid's option for hydroxyl groups */
  const bt_grid_override *overrides;
  int n_overrides;
  const bt_grid_covalent *opt_covalent; /* needed for type Z only */
  const char *opt_isa;                  /* "avx512", "avx2", "base"; NULL: the best of this CPU */
  bt_zinc_law zinc;                     /* overrides take precedence */
  bt_stand_ins stand_ins;
  bool zinc_unweighted;                 /* AD4Zn depths without weights, as in AutoGrid 4.2.6 but not 4.2.7 */
  bool no_water_map;                    /* treat W as any type; otherwise its map is derived from those of OA and HD,
                                         * which are added */
  /* For Vina and Vinardo, types are classes such as C_H; only box, threads, opt_isa and stand_ins have an effect. */
  bt_scoring scoring;
} bt_grid_options;

bt_grid_options bt_grid_options_default(void);

/* Computes the maps of AutoGrid 4.2.6 for a receptor and the given atom types. For Vina and Vinardo, types are classes
 * and the list may be empty: bt_score sums over the receptor's atoms. BT_ERR_PARAMETER if these functions meet a TZ
 * pseudo atom. */
bt_status bt_maps_compute(const bt_molecule *receptor, const char *const *types, int n_types,
                          const bt_grid_options *options, bt_maps **ret_maps, bt_error *opt_error) BT_MUST_USE;

/* For maps read from files, the scoring function named in the .fld file. If there is none: Vina if the types are
 * classes such as C_H, otherwise AutoDock 4. */
bt_scoring bt_maps_scoring(const bt_maps *maps);
/* The classes that have maps in a function of Vina's form, for ligands not yet known; NULL after the last, and for
 * AutoDock 4. */
const char *bt_vina_map_type(bt_scoring scoring, int index);

/* One line on what may make the energies less reliable than they look, such as stand-in parameters. Empty if there is
 * nothing to report, and for maps read from files. */
const char *bt_maps_warning(const bt_maps *maps);

/* How the box lies relative to the receptor, judged by the first affinity map: the fractions of its points that are
 * within range of any receptor atom (near), and inside the receptor, where a ligand atom costs more than 5 kcal/mol
 * (inside). Around a pocket near is 0.8 or more, and inside 0.35 to 0.9. */
typedef struct bt_box_place {
  double near, inside;
} bt_box_place;
bt_box_place bt_maps_place(const bt_maps *maps);
/* Calls opt_warn with a sentence for each of these: bt_maps_warning, a box that misses the receptor or is inside it. */
void bt_maps_warn(const bt_maps *maps, void (*opt_warn)(void *user, const char *text), void *user);

/* What determines the memory a docking needs, known before a map is computed. */
typedef struct bt_box_load {
  bt_box box;
  bt_scoring scoring;
  int n_types;            /* maps of atom types */
  int n_ligand_types;     /* how many of them one ligand needs, roughly */
  int at_once;            /* ligands docked concurrently in memory of their own, as in a screen on the CPU; 0: 1 */
  const char *opt_device; /* as in bt_dock_options */
} bt_box_load;

/* Bytes: the receptor's maps, and the copies of them that the kernels read, in main memory or on the GPU. */
typedef struct bt_box_memory {
  double maps, copies;
  bool on_card; /* where the copies are */
} bt_box_memory;
bt_box_memory bt_box_memory_of(const bt_box_load *load);
/* BT_ERR_LIMIT if it exceeds this machine's memory, the memory of opt_device, or what the kernels can address. */
bt_status bt_box_memory_check(const bt_box_load *load, bt_error *opt_error) BT_MUST_USE;

/* ---------------------------------------------------------------------------------------------------------
 * 2. Maps as files
 *
 *     if (bt_maps_write(computed, "receptor", &error) != BT_OK) // receptor.maps.fld, receptor.C.map, ...
 *       goto failed;
 * --------------------------------------------------------------------------------------------------------- */

/* Writes prefix.maps.fld, prefix.maps.xyz and prefix.TYPE.map, each completely or not at all. */
bt_status bt_maps_write(const bt_maps *maps, const char *prefix, bt_error *opt_error) BT_MUST_USE;
/* Where the receptor's file should be: beside the .fld file, under the name given there. free() it; NULL for maps that
 * were not read from files. */
char *bt_maps_receptor_path(const bt_maps *maps);

/* ---------------------------------------------------------------------------------------------------------
 * 3. Comparing maps
 *
 *     bt_maps_difference difference;
 *     if (bt_maps_compare(computed, maps, &difference, &error) != BT_OK)
 *       goto failed;
 *     printf("%lld of %lld values differ\n", (long long)difference.beyond, (long long)difference.values);
 *     bt_maps_destroy(computed);
 * --------------------------------------------------------------------------------------------------------- */

/* Smallest and largest value of a map; index n_types is the electrostatic map, n_types + 1 the desolvation map. */
void bt_maps_range(const bt_maps *maps, int index, double *ret_lowest, double *ret_highest);

/* How much maps differ from others of the same box, in units of a tolerance: 0.002 kcal/mol or 0.1 %, whichever is
 * larger. */
typedef struct bt_maps_difference {
  int64_t values; /* compared, of all maps including electrostatics and desolvation */
  int64_t beyond; /* how many of them are beyond the tolerance */
  double worst;
} bt_maps_difference;

/* BT_ERR_PARAMETER if the reference lacks one of the maps' types, BT_ERR_INPUT if its box differs. */
bt_status bt_maps_compare(const bt_maps *maps, const bt_maps *reference, bt_maps_difference *ret_difference,
                          bt_error *opt_error) BT_MUST_USE;

/* ---------------------------------------------------------------------------------------------------------
 * 4. Pockets
 *
 *     bt_pocket *pockets;
 *     int n_pockets;
 *     if (bt_pockets_find(receptor[0], &grid, &pockets, &n_pockets, &error) != BT_OK)
 *       goto failed;
 *     for (int i = 0; i < n_pockets; i++)
 *       printf("%.1f %.1f %.1f\n", pockets[i].center[0], pockets[i].center[1], pockets[i].center[2]);
 *     free(pockets);
 * --------------------------------------------------------------------------------------------------------- */

/* A place where a ligand may bind. */
typedef struct bt_pocket {
  double center[3];        /* Angstrom, weighted by depth */
  double low[3], high[3];  /* corners of the box around its points */
  double volume;           /* Angstrom^3 */
  double buried;           /* fraction of 26 directions that meet the receptor within 10 Angstrom, averaged */
  double score;            /* sum of a carbon's energy gain over its points, times buried^1.5; kcal/mol Angstrom^3 */
} bt_pocket;

/* Finds the pockets of a whole receptor from its carbon map, highest score first; free() the list. Of the options, only
 * threads, opt_parameter_file, stand_ins, zinc and opt_isa have an effect. The receptor needs no charges. */
bt_status bt_pockets_find(const bt_molecule *receptor, const bt_grid_options *options, bt_pocket **ret_pockets,
                          int *ret_count, bt_error *opt_error) BT_MUST_USE;

#ifdef __cplusplus
}
#endif

#endif
