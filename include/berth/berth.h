/* berth.h - molecular docking in C: what a docking program needs.
 *
 * Contents
 *   1. Molecules          files -> atoms and torsion trees
 *   2. Maps               AutoGrid affinity maps
 *   3. Ligands            a molecule (and flexible residues) set up for docking
 *   4. Scoring            double-precision energies of a given pose, by any scoring function
 *   5. Docking            Lamarckian genetic algorithm on a device
 *   6. Results            clusters, tables, writers
 *   7. Devices
 *
 * Other headers. target.h is the simple and stable tier; this one and the next are the context tier, whose functions may
 * change between minor versions: engine, maps and results one by one.
 *   target.h    a receptor with boxes and a protocol, opened once, for any number of ligands
 *   types.h     molecules, maps, boxes, energies: what the other headers speak of
 *   status.h    what functions return, and how errors read
 *   score.h     energies atom by atom and pair by pair; bude.h: the second engine
 *   grid.h      a receptor -> maps; maps -> files
 *   prepare.h   SDF, MOL2, SMILES, PDB -> ligands and receptors; libraries of many ligands; poses -> SDF
 *   screen.h    a library of any size -> one database, resumable
 *   search.h    effort levels and local searches by name; place.h: boxes around ligands and residues; format.h: names of files
 *   networks.h  convolutional networks that score poses: which are installed, and installing others
 *   report.h    contacts, complexes and an HTML report of the results
 *   interactions.h  interactions of poses as tables, similarity to a reference, filters
 *   checks.h    whether poses are plausible: geometry, clashes, overlap
 *   autodock.h  parameter files of AutoDock and AutoGrid; vina.h: results in the form of AutoDock Vina
 *
 * Units throughout: Angstrom, kcal/mol, elementary charges, degrees in options and files, radians inside genotypes.
 * Functions that can fail return bt_status and fill an optional bt_error with file, line, atom and remedy. The caller
 * owns what ret_x points to and frees it with the matching _destroy function; opt_x may be NULL; a const pointer is
 * borrowed. Nothing here prints or exits, and there is no global state.
 *
 * Each section opens with an example. Joined in order, and preceded by that of status.h, the examples form a program;
 * its label `failed:` prints the error.
 */
#ifndef BERTH_BERTH_H
#define BERTH_BERTH_H

#include <berth/build.h>
#include <berth/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------------------------------------------------
 * 1. Molecules
 *
 *     bt_molecule **molecules;
 *     int count;
 *     if (bt_molecule_read("ligand.pdbqt", BT_MOLECULE_LIGAND, &molecules, &count, &error) != BT_OK)
 *       goto failed;
 * --------------------------------------------------------------------------------------------------------- */

/* Reads every molecule of a file: one per MODEL, or a single one if there are no MODEL records. path "-" is standard
 * input. The caller frees the list with bt_molecule_list_destroy. */
bt_status bt_molecule_read(const char *path, bt_molecule_kind kind, bt_molecule ***ret_list, int *ret_count,
                           bt_error *opt_error) BT_MUST_USE;

const char *bt_molecule_name(const bt_molecule *molecule); /* file name without folder and .pdbqt */
int bt_molecule_atom_count(const bt_molecule *molecule);
int bt_molecule_conformer_count(const bt_molecule *molecule); /* docked as one ligand (prepare.h, ensemble); 1 or more */

/* Smallest axis-aligned box around all atoms, or residues such as LIG or A:LIG:201 (prepare.h); Angstrom. */
bt_status bt_molecule_extent(const bt_molecule *molecule, const char *opt_residue, double ret_low[3],
                             double ret_high[3], bt_error *opt_error) BT_MUST_USE;

/* ---------------------------------------------------------------------------------------------------------
 * 2. Maps
 *
 *     bt_maps *maps; // bt_maps_compute of grid.h computes them from a receptor
 *     if (bt_maps_read("receptor.maps.fld", NULL, 0, &maps, &error) != BT_OK)
 *       goto failed;
 * --------------------------------------------------------------------------------------------------------- */

/* Chooses the even npts that cover size_angstrom around center. */
bt_box bt_box_from_size(const double center[3], const double size_angstrom[3], double spacing);

/* Reads a .maps.fld file and the maps it names: those of the requested types (all when opt_types is NULL), plus the
 * electrostatic and desolvation maps. BT_ERR_PARAMETER: the .fld file lacks a requested type. */
bt_status bt_maps_read(const char *fld_path, const char *const *opt_types, int n_types, bt_maps **ret_maps,
                       bt_error *opt_error) BT_MUST_USE;

bt_box bt_maps_box(const bt_maps *maps);
int bt_maps_type_count(const bt_maps *maps);
const char *bt_maps_type(const bt_maps *maps, int index);
const char *bt_maps_receptor_name(const bt_maps *maps);

/* ---------------------------------------------------------------------------------------------------------
 * 3. Ligands
 *
 *     bt_ligand *ligand;
 *     if (bt_ligand_create(molecules[0], NULL, &ligand, &error) != BT_OK)
 *       goto failed;
 * --------------------------------------------------------------------------------------------------------- */

/* Builds everything that scoring and docking need: rigid fragments, torsions, list of interacting pairs
 * (AutoDock 4's rules). ligand and opt_flexible are borrowed and must outlive the result. */
bt_status bt_ligand_create(const bt_molecule *ligand, const bt_molecule *opt_flexible, bt_ligand **ret_ligand,
                           bt_error *opt_error) BT_MUST_USE;
/* The same for any scoring function, which must be that of the maps. One molecule serves them all. */
bt_status bt_ligand_create_as(const bt_molecule *ligand, const bt_molecule *opt_flexible, bt_scoring scoring,
                              bt_ligand **ret_ligand, bt_error *opt_error) BT_MUST_USE;

int bt_ligand_atom_count(const bt_ligand *ligand);
int bt_ligand_torsion_count(const bt_ligand *ligand);
/* Name of the record of which it is one of several stereoisomers or states (prepare.h); "": it is the only one. */
const char *bt_ligand_parent(const bt_ligand *ligand);
/* Distinct atom types, the names of the maps that the ligand needs. */
int bt_ligand_type_count(const bt_ligand *ligand);
const char *bt_ligand_type(const bt_ligand *ligand, int index);

/* ---------------------------------------------------------------------------------------------------------
 * 4. Scoring
 *
 *     bt_energy energy;
 *     if (bt_score(ligand, maps, BT_FORM_TABULATED, BT_TORSIONAL_TORSDOF, &energy, NULL, &error) != BT_OK)
 *       goto failed;
 *     printf("%.2f kcal/mol as it stands in the file\n", energy.free_energy);
 * --------------------------------------------------------------------------------------------------------- */

/* Scores the input coordinates of the ligand (and its flexible residues) in double precision.
 * opt_atoms[bt_ligand_atom_count()]. BT_ERR_PARAMETER: a type has no map. BT_ERR_USAGE: maps of another function. */
bt_status bt_score(const bt_ligand *ligand, const bt_maps *maps, bt_energy_form form, bt_torsional_count torsional,
                   bt_energy *ret_energy, bt_atom_energy *opt_atoms, bt_error *opt_error) BT_MUST_USE;

/* ---------------------------------------------------------------------------------------------------------
 * 5. Docking
 *
 *     bt_dock_options options = bt_dock_options_default();
 *     bt_result *result;
 *     options.seed = 42;
 *     if (bt_dock(ligand, maps, NULL, &options, &result, &error) != BT_OK)
 *       goto failed;
 *
 *     bt_engine *engine; // for many ligands: maps and devices are opened once
 *     bt_docking dockings[] = {{.opt_ligand = ligand}};
 *     if (bt_engine_open(maps, &options, &engine, &error) != BT_OK)
 *       goto failed;
 *     if (bt_engine_dock(engine, dockings, 1, &error) == BT_OK && dockings[0].result != NULL)
 *       bt_result_destroy(dockings[0].result);
 *     bt_engine_close(engine);
 * --------------------------------------------------------------------------------------------------------- */

typedef enum bt_selection { BT_SELECT_TOURNAMENT, BT_SELECT_PROPORTIONAL } bt_selection;
typedef enum bt_crossover { BT_CROSS_TWO_POINT, BT_CROSS_UNIFORM } bt_crossover;

/* Ten times a second, from the calling thread; false stops. fraction: of the expected work; best: inter + intra. */
typedef bool (*bt_progress_fn)(void *user, double fraction, int64_t evaluations, double best_energy);

/* Start from bt_dock_options_default(); defaults in brackets. */
struct bt_dock_options {
  int runs;                     /* independent searches [20] */
  int population;               /* individuals per run [30] */
  int64_t evaluations;          /* limit per run, averaged over runs [2,500,000] */
  int64_t generations;          /* limit [42,000] */
  bt_local_search local_search; /* [ADAM] */
  double local_search_rate;     /* fraction of individuals refined per generation [1.0] */
  int local_search_iterations;  /* [0: ADAM 100, or 200 above 12 torsions; others 300] */
  bt_selection selection;       /* [tournament] */
  double tournament_rate;       /* probability that the better individual wins [0.8] */
  bt_crossover crossover;       /* [two-point] */
  double crossover_rate;        /* per offspring [0.8] */
  double mutation_rate;         /* per gene [-1: 0.2, or 0.05 above 12 torsions] */
  double mutation_move;         /* up to +-, Angstrom [6] */
  double mutation_angle;        /* up to +-, degrees [90] */
  int elitism;                  /* best individuals that survive unchanged [1] */
  double sw_move, sw_angle;     /* Solis-Wets spread, Angstrom and degrees [2, 75] */
  double sw_rho_limit;          /* [0.01] */
  int sw_limit;                 /* consecutive successes or failures [4] */
  bool autostop;                /* [true] */
  double autostop_tolerance;    /* kcal/mol [0.15] */
  int autostop_interval;        /* generations between tests [5] */
  int autostop_runs;            /* runs, at most all, that come within 0.5 kcal/mol of the best before any stops [2] */
  bool heuristics;              /* derive the evaluations from the number of torsions [true] */
  double heuristics_share;      /* fraction of the published estimate that is used [0: 0.2 with ADAM, otherwise 1] */
  int64_t heuristics_max;       /* [12,000,000] */
  int heuristics_runs;          /* number of runs that the heuristic assumes [0: the actual number] */
  uint64_t seed;                /* [0: a seed like any other] */
  const char *opt_device;       /* "auto", "cpu", "cpu/avx2", "cuda", "cuda:1", ... (bt_device); "cuda:0,cuda:1" share
                                 * the work; "all": every GPU of the best kind. NULL: auto, the first usable one */
  const char *opt_isa;          /* of the CPU: "avx512", "avx2", "sse2", "neon", "scalar"; NULL: the best */
  int threads;                  /* on the CPU; 0: all cores */
  int team;                     /* lanes that share one pose on a GPU [0: chosen automatically] */
  bt_reduction reduction;       /* [AUTO] */
  double rmsd_tolerance;        /* clustering, Angstrom [2] */
  int poses;                    /* distinct minima kept: the best of the runs and further ones that they passed [9] */
  double energy_range;          /* of further ones, above the best, kcal/mol of inter + intra [6] */
  bool rmsd_symmetry;           /* accounts for molecular symmetry (graph automorphisms) [true]; false: by atom index */
  bool rmsd_autodock;           /* AutoDock's RMSD: all atoms, not only heavy ones; symmetry: nearest atom of the same
                                 * type; 100000 for a reference that does not match [false] */
  bt_torsional_count torsional; /* [TORSDOF] */
  bt_variants variants;         /* poses that stay apart for re-scorers, until bt_result_rank joins them [NONE] */
  bt_progress_fn opt_progress;
  void *opt_progress_user;
};

bt_dock_options bt_dock_options_default(void);

/* Evaluations per run by the heuristic of Santos-Martins et al. for that many torsions and runs; a docking uses the
 * fraction options->heuristics_share of it (before the cap). */
int64_t bt_heuristic_evaluations(bt_local_search method, int torsions, int runs, int64_t maximum);

/* Docks one ligand. Fails with BT_ERR_PARAMETER when a type has no map and with BT_ERR_BOX when the ligand
 * cannot fit the box in any orientation. opt_reference gives the coordinates for the reference RMSD (the input
 * pose otherwise). Poses carry double-precision energies. ligand and maps are borrowed, and must outlive the result. */
bt_status bt_dock(const bt_ligand *ligand, const bt_maps *maps, const bt_molecule *opt_reference,
                  const bt_dock_options *options, bt_result **ret_result, bt_error *opt_error) BT_MUST_USE;

/* A ligand to dock, and its outcome; entries without a ligand are skipped. */
typedef struct bt_docking {
  const bt_ligand *opt_ligand;
  const bt_molecule *opt_reference; /* as for bt_dock */
  bt_result *result;                /* bt_result_destroy; NULL: see error */
  bt_error error;
} bt_docking;

/* options are copied, maps borrowed. */
bt_status bt_engine_open(const bt_maps *maps, const bt_dock_options *options, bt_engine **ret_engine,
                         bt_error *opt_error) BT_MUST_USE;
/* Docks each ligand as bt_dock would, whatever else is in the batch. A device works on as many ligands at a time as it
 * can hold; several devices share the ligands, or the runs if ligands are fewer than devices. With "auto" the next
 * usable device takes over when one fails (bt_result_warning). BT_OK when every ligand was tried, docked or not;
 * BT_ERR_CANCELLED, BT_ERR_MEMORY, or BT_ERR_DEVICE when no device is left. One thread at a time. */
bt_status bt_engine_dock(bt_engine *engine, bt_docking *dockings, int count, bt_error *opt_error) BT_MUST_USE;
/* Any number of ligands: `next` returns one, whose address must not change (NULL: no more); `done` gets it when it is
 * docked or has an error, which `next` may set. One `done` or bt_progress_fn at a time, from any thread; false
 * stops. */
typedef struct bt_docking_stream {
  int count;  /* number of ligands, all read before the first is docked; -1: read on demand */
  bool ahead; /* when reading on demand: next runs in a thread of its own */
  bt_docking *(*next)(void *user);
  bool (*done)(void *user, bt_docking *docking);
  void *user;
} bt_docking_stream;
bt_status bt_engine_dock_stream(bt_engine *engine, const bt_docking_stream *stream, bt_error *opt_error) BT_MUST_USE;
void bt_engine_close(bt_engine *opt_engine);
/* Local search from the input pose only; the result has one run. "auto" means the CPU here. */
bt_status bt_minimize(const bt_ligand *ligand, const bt_maps *maps, const bt_dock_options *options,
                      bt_result **ret_result, bt_error *opt_error) BT_MUST_USE;

/* ---------------------------------------------------------------------------------------------------------
 * 6. Results
 *
 *     printf("%.2f kcal/mol\n", bt_result_ranked(result, 0).energy.free_energy);
 *     printf("first atom at x = %.3f Angstrom\n", bt_result_coordinates(result, 0)[0]);
 *     if (bt_result_write(result, "poses.pdbqt", NULL, NULL, &error) != BT_OK)
 *       goto failed;
 *     bt_result_destroy(result); // before the ligand and the maps, which it borrows
 * --------------------------------------------------------------------------------------------------------- */

/* A run's best pose, a minimized seed pose, or a further minimum, a rmsd_tolerance or more from all others, of a run's final
 * population. Poses are numbered from 1 as in every output file, first those of the runs and seeds, which count as runs. */
typedef struct bt_run_summary {
  int run;
  bt_energy energy;
  int cluster;         /* 1-based, 1 has the lowest free energy */
  int rank_in_cluster, site; /* 1-based; site: number of its box (bt_result_merge, rescore.h), or of its receptor in an
                              * ensemble (target.h); 0: a single one */
  double cluster_rmsd, reference_rmsd; /* Angstrom; reference_rmsd NaN: neither a pose in the input nor a reference */
  int64_t evaluations;
  double search_energy; /* inter + intra as computed by the device's kernels, kcal/mol; energy is in double precision */
  double search_reference; /* the same in double precision, by the closed forms that the search uses */
  bool further;            /* a further minimum; no run ended in it */
  int conformer;           /* of the ligand, from 1 (bt_molecule_conformer_count) */
  int seed;                /* of a seed pose that was minimized (place.h): its number from 1; 0: the search found it */
} bt_run_summary;

int bt_result_run_count(const bt_result *result);
int bt_result_pose_count(const bt_result *result); /* runs and further minima */
int bt_result_written(const bt_result *result);    /* clusters whose best poses SDF and PDBQT hold */
/* Poses ordered by cluster, then by estimated free energy; position 0 is the best. */
bt_run_summary bt_result_ranked(const bt_result *result, int position);
/* Its pose: [3 bt_ligand_atom_count()] Angstrom, in the ligand's order; borrowed. NULL: no such position. */
const double *bt_result_coordinates(const bt_result *result, int position);
const bt_ligand *bt_result_ligand(const bt_result *result); /* that was docked; borrowed */
int bt_result_cluster_count(const bt_result *result);
double bt_result_seconds(const bt_result *result);          /* the search alone */
int64_t bt_result_evaluations(const bt_result *result);     /* of all runs */
const char *bt_result_device(const bt_result *result);
const char *bt_result_warning(const bt_result *result); /* names a device that failed; "" if none did */

/* What the header of an output file says of its origin; borrowed while the writer runs, NULL ones omitted. */
typedef struct bt_write_context {
  const char *opt_command_line; /* as typed */
  const char *opt_fld_path;
  const char *opt_ligand_path;
  const char *opt_flexible_path;
  const char *opt_dpf_path;
  const char *opt_receptor_path; /* PDBQT; NULL: the receptor of the maps */
  const char *opt_protonation, *opt_notes; /* of ligand and receptor; on the receptor, a line each; JSON alone has them */
  long record;                   /* number of the ligand's record in its file, from 1; 0: not known; JSON alone has it */
  int rank;                      /* of the ligand among others, from 1; 0: none; in MOL2 and in SDF of BUDE's poses */
} bt_write_context;

/* Formats of results, as "dlg|xml|pdbqt|..."; the word at an index of that list, NULL after the last. */
const char *bt_result_formats(void);
const char *bt_result_format(int index);
/* Writes a file, completely or not at all, in the format of this word; NULL: of the path's ending. All poses, lowest
 * estimated free energy first; what a format has is described in docs/formats.md. An SDF file has the molecule's own
 * bonds, hydrogens, name, stereo and data items: BT_ERR_USAGE without chemistry (bt_molecule_has_chemistry). */
bt_status bt_result_write(const bt_result *result, const char *path, const char *opt_format,
                          const bt_write_context *opt_context, bt_error *opt_error) BT_MUST_USE;
/* The same as a text, freed with free(). */
bt_status bt_result_text(const bt_result *result, const char *format, const bt_write_context *opt_context,
                         char **ret_text, bt_error *opt_error) BT_MUST_USE;
/* The table that `berth dock` prints; allocated, freed with free(). */
bt_status bt_result_table(const bt_result *result, char **ret_text, bt_error *opt_error) BT_MUST_USE;

/* ---------------------------------------------------------------------------------------------------------
 * 7. Devices
 *
 *     for (int i = 0; i < bt_device_count(); i++)
 *       puts(bt_device(i).name); // as in options.opt_device
 * --------------------------------------------------------------------------------------------------------- */

typedef struct bt_device_info {
  char name[64];        /* "cpu/avx512" */
  char description[128];
  bool usable;
  char reason[256];     /* why it cannot be used; empty when usable */
  int lanes;            /* poses evaluated side by side in one thread */
  int threads;          /* threads of the host that compute; 0: does not compute on the host */
  bool accelerator;     /* a GPU or similar */
  char driver[64];      /* with its version; empty for the CPU */
  uint64_t memory;      /* bytes; 0: unknown */
  int cores;            /* cores, multiprocessors or compute units; 0: unknown */
  int poses;            /* number of concurrent poses that keeps it busy */
  int teams[16];        /* numbers of lanes that can share one pose, ascending */
  int n_teams;
  unsigned reductions;  /* bits 1 << BT_REDUCTION_x: the reductions a team can use */
} bt_device_info;

/* All devices of all back ends of this build, in the order in which "auto" tries them. */
int bt_device_count(void);
bt_device_info bt_device(int index);
/* BT_OK if these names are valid as opt_device and opt_isa of a docking on this machine. */
bt_status bt_device_check(const char *opt_device, const char *opt_isa, bt_error *opt_error) BT_MUST_USE;

#ifdef __cplusplus
}
#endif

#endif
