/* berth.h - the public interface of libberth, molecular docking in C.
 *
 * Contents
 *   1. Status and errors
 *   2. Molecules          files -> atoms and torsion trees
 *   3. Maps               AutoGrid affinity maps: read, compute, write
 *   4. Ligands            a molecule (and flexible residues) made ready for docking
 *   5. Scoring            double-precision AutoDock 4 energies of a given pose
 *   6. Docking            Lamarckian genetic algorithm on a back end
 *   7. Results            clusters, tables, writers
 *   8. Devices and benchmarks
 *   9. Preparation        SDF, MOL2, SMILES, PDB -> ligands; poses -> SDF
 *  10. Preparation of receptors
 *  11. Libraries          many ligands, prepared once, in one compact file
 *  12. Screening          a library of any size -> one database, resumable
 *  13. Reports            a page that shows what came out
 *
 * Units everywhere: Angstrom, kcal/mol, elementary charges, degrees in options and files, radians inside
 * genotypes. Functions that can fail return bt_status and fill an optional bt_error with file, line, atom and
 * remedy. A pointer named ret_x is handed to the caller, who frees it with the matching _destroy function;
 * opt_x may be NULL; a const pointer is borrowed. Nothing here prints or exits, and there is no global state.
 */
#ifndef BERTH_BERTH_H
#define BERTH_BERTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__) || defined(__clang__)
#define BT_MUST_USE __attribute__((warn_unused_result))
#define BT_PRINTF(format_index, first_index) __attribute__((format(printf, format_index, first_index)))
#else
#define BT_MUST_USE
#define BT_PRINTF(format_index, first_index)
#endif

#define BT_VERSION "0.1.0"

/* ---------------------------------------------------------------------------------------------------------
 * 1. Status and errors
 * --------------------------------------------------------------------------------------------------------- */

#define BT_STATUS_LIST(X)                                              \
  X(BT_OK, "success")                                                  \
  X(BT_ERR_USAGE, "an option or argument is wrong")                    \
  X(BT_ERR_INPUT, "an input file is malformed")                        \
  X(BT_ERR_PARAMETER, "an atom type has no parameters or no map")      \
  X(BT_ERR_BOX, "the molecule does not fit the box")                   \
  X(BT_ERR_LIMIT, "the input exceeds what this machine can hold")      \
  X(BT_ERR_IO, "a file cannot be read or written")                     \
  X(BT_ERR_MEMORY, "out of memory")                                    \
  X(BT_ERR_DEVICE, "a device failed or is absent")                     \
  X(BT_ERR_CANCELLED, "stopped on request")

typedef enum bt_status {
#define BT_STATUS_ENUM(name, text) name,
  BT_STATUS_LIST(BT_STATUS_ENUM)
#undef BT_STATUS_ENUM
} bt_status;

/* What went wrong, where, and what to do about it. Empty strings and zeros mean "not applicable". */
typedef struct bt_error {
  bt_status status;
  char file[512];
  long line;         /* 1-based line of the file */
  long atom;         /* serial number of the atom in the file */
  char message[512]; /* what: one clause without a full stop */
  char remedy[512];  /* what the user can do: one clause without a full stop */
} bt_error;

/* Names a status ("BT_ERR_INPUT"); explains it in words. */
const char *bt_status_name(bt_status status);
const char *bt_status_text(bt_status status);

/* Writes "file:line: atom N: message; remedy" into buffer and returns buffer. */
const char *bt_error_format(const bt_error *error, char *buffer, size_t size);

/* ---------------------------------------------------------------------------------------------------------
 * 2. Molecules
 * --------------------------------------------------------------------------------------------------------- */

typedef struct bt_molecule bt_molecule;

typedef enum bt_molecule_kind {
  BT_MOLECULE_LIGAND,   /* PDBQT with ROOT, BRANCH and TORSDOF */
  BT_MOLECULE_FLEXIBLE, /* PDBQT with BEGIN_RES ... END_RES */
  BT_MOLECULE_RECEPTOR  /* PDBQT with atoms only */
} bt_molecule_kind;

/* Reads every molecule of a file: one per MODEL, or exactly one without MODEL records. path "-" is standard
 * input. The caller frees the list with bt_molecule_list_destroy. */
bt_status bt_molecule_read(const char *path, bt_molecule_kind kind, bt_molecule ***ret_list, int *ret_count,
                           bt_error *opt_error) BT_MUST_USE;
void bt_molecule_list_destroy(bt_molecule **list, int count);
void bt_molecule_destroy(bt_molecule *molecule);

const char *bt_molecule_name(const bt_molecule *molecule); /* file name without folder and .pdbqt */
int bt_molecule_atom_count(const bt_molecule *molecule);

/* Smallest axis-aligned box around the atoms, Angstrom. resname NULL takes all atoms. */
bt_status bt_molecule_extent(const bt_molecule *molecule, const char *opt_resname, double ret_low[3],
                             double ret_high[3], bt_error *opt_error) BT_MUST_USE;

/* ---------------------------------------------------------------------------------------------------------
 * 3. Maps
 * --------------------------------------------------------------------------------------------------------- */

typedef struct bt_maps bt_maps;

typedef struct bt_box {
  double center[3]; /* Angstrom */
  int npts[3];      /* intervals per axis, even; there are npts + 1 points */
  double spacing;   /* Angstrom */
} bt_box;

/* Replaces the pair law of two types, whichever of them is the probe (AutoGrid's nbp_r_eps and nbp_coeffs). */
typedef struct bt_grid_override {
  char type1[8], type2[8];
  bool coefficients;    /* false: first is the distance of the minimum, second its depth (unweighted, as given) */
  double first, second; /* true: first is A, second is B of A r^-m - B r^-n */
  int m, n;
} bt_grid_override;

/* Map "Z" of a covalently bound ligand: barrier * (1 - exp(-ln 2 (d / half_width)^2)), d from the point. */
typedef struct bt_grid_covalent {
  double half_width, barrier; /* Angstrom, kcal/mol; AutoGrid: 1 and 1000 */
  double point[3];            /* Angstrom */
} bt_grid_covalent;

/* Pair laws of AutoDock4Zn between a ligand and zinc (docs/preparation.md). */
typedef enum bt_zinc_law {
  BT_ZINC_AUTO, /* if the receptor has atoms of type TZ */
  BT_ZINC_ON,
  BT_ZINC_OFF
} bt_zinc_law;

/* Options of bt_maps_compute; start from bt_grid_options_default(). */
typedef struct bt_grid_options {
  bt_box box;
  double smooth;     /* width of the smoothing window, Angstrom; 0.5 */
  double dielectric; /* negative: Mehler-Solmajer; otherwise constant, 0 means 40 */
  int threads;       /* 0: all cores */
  const char *opt_parameter_file;
  double solvation_charge; /* solvation parameter per elementary charge; 0.01097 */
  bool no_electrostatics;  /* the electrostatic map stays zero, as AutoGrid's without `dielectric` */
  bool disorder_h;         /* AutoGrid's option for hydroxyl groups */
  const bt_grid_override *overrides;
  int n_overrides;
  const bt_grid_covalent *opt_covalent; /* needed for type Z only */
  const char *opt_isa;                  /* "avx512", "avx2", "base"; NULL: the best of this CPU */
  bt_zinc_law zinc;                     /* overrides count more */
  bool zinc_unweighted;                 /* depths of AD4Zn as AutoGrid 4.2.6 takes them; 4.2.7 and we weigh them */
  bool no_water_map;                    /* W as any type; else its map comes from those of OA and HD, which are added */
} bt_grid_options;

bt_grid_options bt_grid_options_default(void);

/* Chooses the even npts that cover size_angstrom around center. */
bt_box bt_box_from_size(const double center[3], const double size_angstrom[3], double spacing);

/* Reads a .maps.fld and the maps that it names: those of the wanted types (all when opt_types is NULL), plus
 * the electrostatic and desolvation maps. A wanted type that the .fld lacks is BT_ERR_PARAMETER. */
bt_status bt_maps_read(const char *fld_path, const char *const *opt_types, int n_types, bt_maps **ret_maps,
                       bt_error *opt_error) BT_MUST_USE;
/* Computes AutoGrid 4.2.6's maps of a receptor for the given atom types. */
bt_status bt_maps_compute(const bt_molecule *receptor, const char *const *types, int n_types,
                          const bt_grid_options *options, bt_maps **ret_maps, bt_error *opt_error) BT_MUST_USE;
/* Writes prefix.maps.fld, prefix.maps.xyz and prefix.TYPE.map; complete or not at all. */
bt_status bt_maps_write(const bt_maps *maps, const char *prefix, bt_error *opt_error) BT_MUST_USE;
void bt_maps_destroy(bt_maps *maps);

bt_box bt_maps_box(const bt_maps *maps);
int bt_maps_type_count(const bt_maps *maps);
const char *bt_maps_type(const bt_maps *maps, int index);
const char *bt_maps_receptor_name(const bt_maps *maps);
/* Where the receptor's file should be: beside the .fld, named as there. free() it; NULL when maps are no files. */
char *bt_maps_receptor_path(const bt_maps *maps);
/* Smallest and largest value of a map; index n_types is the electrostatic map, n_types + 1 that of desolvation. */
void bt_maps_range(const bt_maps *maps, int index, double *ret_lowest, double *ret_highest);

/* How far maps are from others of the same box, in tolerances of 0.002 kcal/mol or 0.1 %, whichever is larger. */
typedef struct bt_maps_difference {
  int64_t values; /* that were compared: all maps, also of electrostatics and desolvation */
  int64_t beyond; /* of them beyond the tolerance */
  double worst;
} bt_maps_difference;

/* BT_ERR_PARAMETER when the reference lacks a type of the maps, BT_ERR_INPUT when it has another box. */
bt_status bt_maps_compare(const bt_maps *maps, const bt_maps *reference, bt_maps_difference *ret_difference,
                          bt_error *opt_error) BT_MUST_USE;

/* What running a grid parameter file gave; destroy it also after a failure. */
typedef struct bt_gpf_result {
  bt_maps *maps;
  char *fld_path;
  char *log;      /* what AutoGrid's .glg tells: input, receptor, maps; without the last line on completion */
  char *warnings; /* one per line, "" when there are none */
} bt_gpf_result;

/* Reads a grid parameter file (.gpf) as AutoGrid 4.2.6 does, computes its maps and writes the files that it names,
 * relative to the working folder. opt_isa as in bt_grid_options. */
bt_status bt_gpf_run(const char *gpf_path, int threads, const char *opt_isa, bt_gpf_result *ret_result,
                     bt_error *opt_error) BT_MUST_USE;
void bt_gpf_result_clear(bt_gpf_result *result);

/* ---------------------------------------------------------------------------------------------------------
 * 4. Ligands
 * --------------------------------------------------------------------------------------------------------- */

typedef struct bt_ligand bt_ligand;

/* Builds everything that scoring and docking need: rigid fragments, torsions, list of interacting pairs
 * (AutoDock 4's rules). ligand and opt_flexible are borrowed and must outlive the result. */
bt_status bt_ligand_create(const bt_molecule *ligand, const bt_molecule *opt_flexible, bt_ligand **ret_ligand,
                           bt_error *opt_error) BT_MUST_USE;
void bt_ligand_destroy(bt_ligand *ligand);

int bt_ligand_atom_count(const bt_ligand *ligand);
int bt_ligand_torsion_count(const bt_ligand *ligand);
/* Distinct atom types, the names of the maps that the ligand needs. */
int bt_ligand_type_count(const bt_ligand *ligand);
const char *bt_ligand_type(const bt_ligand *ligand, int index);

/* An atom as its file describes it; the ligand's atoms come first, then those of the flexible residues. */
typedef struct bt_atom_info {
  long serial;
  const char *name, *type, *residue; /* borrowed from the molecule */
  int residue_number;
  char chain;
  bool flexible; /* belongs to a flexible residue */
} bt_atom_info;

bt_atom_info bt_ligand_atom_info(const bt_ligand *ligand, int index);

/* ---------------------------------------------------------------------------------------------------------
 * 5. Scoring
 * --------------------------------------------------------------------------------------------------------- */

/* Energy terms of one pose, kcal/mol.
 * inter = inter_vdw_hbond + inter_electrostatic + inter_desolvation + inter_moving
 * intra = intra_vdw + intra_hbond + intra_electrostatic + intra_desolvation + intra_flex
 * The first three and the first four are the ligand's own: with the fixed receptor, and within itself. */
typedef struct bt_energy {
  double inter, inter_vdw_hbond, inter_electrostatic, inter_desolvation;
  double intra, intra_vdw, intra_hbond, intra_electrostatic, intra_desolvation;
  double inter_moving;     /* ligand with flexible residues */
  double inter_moving_electrostatic; /* the part of it between charges */
  double intra_flex;       /* flexible residues with the fixed receptor, within and between themselves */
  double intra_flex_fixed; /* the part of intra_flex with the fixed receptor */
  double torsional;        /* 0.2983 * number of torsional degrees of freedom */
  double total;            /* inter + intra + torsional */
  double free_energy;      /* estimated free energy of binding: inter + torsional (unbound = bound model) */
  int atoms_outside;       /* moving atoms outside the maps; then the energies contain penalties */
} bt_energy;

/* Energy of one atom in the maps, kcal/mol, as AutoDock prints it beside each atom. */
typedef struct bt_atom_energy {
  double vdw_hbond, electrostatic, desolvation;
} bt_atom_energy;

typedef enum bt_energy_form {
  BT_FORM_TABULATED, /* AutoDock 4.2.6's own tables: equal to its last printed digit */
  BT_FORM_CONTINUOUS /* the closed forms that the search kernels evaluate */
} bt_energy_form;

typedef enum bt_torsional_count {
  BT_TORSIONAL_TORSDOF, /* the TORSDOF record, as AutoDock 4 */
  BT_TORSIONAL_BRANCHES /* the number of BRANCH records, as AutoDock-GPU */
} bt_torsional_count;

/* Scores the input coordinates of the ligand (and its flexible residues) in double precision.
 * opt_atoms[bt_ligand_atom_count()]. BT_ERR_PARAMETER when a type has no map. */
bt_status bt_score(const bt_ligand *ligand, const bt_maps *maps, bt_energy_form form, bt_torsional_count torsional,
                   bt_energy *ret_energy, bt_atom_energy *opt_atoms, bt_error *opt_error) BT_MUST_USE;

/* Energy of two moving atoms, kcal/mol. i < j are indices as in bt_ligand_atom_info(); the pull of a ring closure
 * counts as vdw. */
typedef struct bt_pair_energy {
  int i, j;
  double distance; /* Angstrom */
  double vdw, hbond, electrostatic, desolvation;
} bt_pair_energy;

/* Pairs of atoms that interact, and their energies in the input pose: first those within the ligand, then ligand
 * with residues, then within and between residues. ret_pairs[bt_ligand_pair_count()]. */
int bt_ligand_pair_count(const bt_ligand *ligand);
bt_status bt_score_pairs(const bt_ligand *ligand, const bt_maps *maps, bt_energy_form form, bt_pair_energy *ret_pairs,
                         bt_error *opt_error) BT_MUST_USE;

/* ---------------------------------------------------------------------------------------------------------
 * 6. Docking
 * --------------------------------------------------------------------------------------------------------- */

typedef enum bt_local_search {
  BT_LS_NONE,
  BT_LS_SOLIS_WETS,
  BT_LS_ADADELTA,
  BT_LS_ADAM
} bt_local_search;

/* How the lanes of a device that share one pose add up. The tensor ones need a device with such units. */
typedef enum bt_reduction {
  BT_REDUCTION_AUTO,
  BT_REDUCTION_SIMT,        /* shuffles and local memory, single precision */
  BT_REDUCTION_TENSOR_FP16, /* Schieffer and Peng 2021: half precision; for the study only */
  BT_REDUCTION_TENSOR_EC    /* TF32 with error correction, Ootomo and Yokota 2022 */
} bt_reduction;

typedef enum bt_selection { BT_SELECT_TOURNAMENT, BT_SELECT_PROPORTIONAL } bt_selection;
typedef enum bt_crossover { BT_CROSS_TWO_POINT, BT_CROSS_UNIFORM } bt_crossover;

/* Called about ten times a second from the calling thread; return false to stop. fraction in [0, 1]. Of a batch:
 * of all its ligands, those that are done included. */
typedef bool (*bt_progress_fn)(void *user, double fraction, int64_t evaluations, double best_energy);
/* Called once per ligand of a batch, as soon as its result or its error is there; return false to stop. Perhaps from
 * another thread than the caller's, but never while this or bt_progress_fn runs. */
typedef bool (*bt_docked_fn)(void *user, int index);

/* Start from bt_dock_options_default(); defaults in brackets. */
typedef struct bt_dock_options {
  int runs;                     /* independent searches [20] */
  int population;               /* individuals per run [30] */
  int64_t evaluations;          /* limit per run, averaged over runs [2,500,000] */
  int64_t generations;          /* limit [42,000] */
  bt_local_search local_search; /* [ADAM] */
  double local_search_rate;     /* share of individuals searched per generation [1.0] */
  int local_search_iterations;  /* [0: ADAM 100, with more than 12 torsions 200; others 300] */
  bt_selection selection;       /* [tournament] */
  double tournament_rate;       /* chance that the better one wins [0.8] */
  bt_crossover crossover;       /* [two-point] */
  double crossover_rate;        /* per offspring [0.8] */
  double mutation_rate;         /* per gene [-1: 0.2, with more than 12 torsions 0.05] */
  double mutation_move;         /* +- Angstrom [6] */
  double mutation_angle;        /* +- degrees [90] */
  int elitism;                  /* best individuals that survive unchanged [1] */
  double sw_move, sw_angle;     /* Solis-Wets spread, Angstrom and degrees [2, 75] */
  double sw_rho_limit;          /* [0.01] */
  int sw_limit;                 /* consecutive successes or failures [4] */
  bool autostop;                /* [true] */
  double autostop_tolerance;    /* kcal/mol [0.15] */
  int autostop_interval;        /* generations between tests [5] */
  bool heuristics;              /* evaluations from the number of torsions [true] */
  double heuristics_share;      /* of the published estimate [0: 0.2 with ADAM, otherwise 1] */
  int64_t heuristics_max;       /* [12,000,000] */
  int heuristics_runs;          /* evaluations as if there were that many runs [0: as many as there are] */
  uint64_t seed;                /* [0: the library leaves it 0] */
  const char *opt_device;       /* "auto", "cpu", "cpu/avx2", "cuda", "cuda:1", ... (bt_device); "cuda:0,cuda:1": they
                                 * share the work; "all": every GPU of the best kind. NULL: auto, the first usable one */
  const char *opt_isa;          /* of the processor: "avx512", "avx2", "sse2", "neon", "scalar"; NULL: the best */
  int threads;                  /* of the processor, 0: all cores */
  int team;                     /* lanes that share one pose on a GPU [0: chosen] */
  bt_reduction reduction;       /* [AUTO] */
  double rmsd_tolerance;        /* clustering, Angstrom [2] */
  bool rmsd_symmetry;           /* graph symmetry [true]; false: by atom index */
  bool rmsd_autodock;           /* AutoDock's RMSD: all atoms and not only heavy ones; symmetry: nearest atom of the
                                 * same type; 100000 for a reference that does not match [false] */
  bt_torsional_count torsional; /* [TORSDOF] */
  bt_progress_fn opt_progress;
  bt_docked_fn opt_docked;
  void *opt_progress_user;      /* of both */
} bt_dock_options;

bt_dock_options bt_dock_options_default(void);

/* Evaluations per run that the heuristic of Santos-Martins et al. allows for n torsions and that many runs; a docking
 * takes options->heuristics_share of it (before the cap). */
int64_t bt_heuristic_evaluations(bt_local_search method, int torsions, int runs, int64_t maximum);

typedef struct bt_result bt_result;

/* Docks one ligand. Fails with BT_ERR_PARAMETER when a type has no map and with BT_ERR_BOX when the ligand
 * cannot fit the box in any orientation. opt_reference gives the coordinates for the reference RMSD (the input
 * pose otherwise). Poses carry double-precision energies. ligand and maps are borrowed, and must outlive the result. */
bt_status bt_dock(const bt_ligand *ligand, const bt_maps *maps, const bt_molecule *opt_reference,
                  const bt_dock_options *options, bt_result **ret_result, bt_error *opt_error) BT_MUST_USE;
/* Docks many ligands, each as bt_dock would: the same result whatever else is in the batch. A device works on as many
 * at a time as it can hold; several devices share the ligands, or the runs when ligands are fewer than devices. With
 * "auto" the next usable device takes over when one fails (bt_result_warning tells).
 * For each ligand either results[i] is set or errors[i] says why not. Returns BT_OK when every ligand was tried,
 * whether or not it could be docked; BT_ERR_CANCELLED, BT_ERR_DEVICE when no device is left, or BT_ERR_USAGE.
 * opt_references[count], whose members may be NULL. */
bt_status bt_dock_batch(const bt_ligand *const *ligands, int count, const bt_maps *maps,
                        const bt_molecule *const *opt_references, const bt_dock_options *options, bt_result **results,
                        bt_error *errors, bt_error *opt_error) BT_MUST_USE;
/* Local search from the input pose only; one run in the result. auto is the processor here. */
bt_status bt_minimize(const bt_ligand *ligand, const bt_maps *maps, const bt_dock_options *options,
                      bt_result **ret_result, bt_error *opt_error) BT_MUST_USE;
void bt_result_destroy(bt_result *result);

/* What an AutoDock 4 docking parameter file (.dpf) asks for: one job per ga_run (or gals_run) line with everything
 * read up to there, and exactly one job when there is no such line. Paths are given as written in the file; relative
 * ones are meant from the folder of the .dpf, as in AutoDock-GPU. Jobs count from 0. */
typedef struct bt_dpf bt_dpf;

/* Keywords that only steer AutoDock's own output or memory are skipped; unknown ones are BT_ERR_INPUT. */
bt_status bt_dpf_read(const char *path, bt_dpf **ret_dpf, bt_error *opt_error) BT_MUST_USE;
void bt_dpf_destroy(bt_dpf *dpf);
int bt_dpf_job_count(const bt_dpf *dpf);
const char *bt_dpf_fld(const bt_dpf *dpf, int job);      /* fld; NULL when absent */
const char *bt_dpf_ligand(const bt_dpf *dpf, int job);   /* move or ligand; NULL when absent, "empty": no ligand */
const char *bt_dpf_flexible(const bt_dpf *dpf, int job); /* flexres; NULL when absent */
/* Overwrites the options that the file sets for this job and leaves the others alone. */
void bt_dpf_apply(const bt_dpf *dpf, int job, bt_dock_options *options);
/* Words of its comments "# --option value", AutoDock-GPU's way to give options per job; "--option", "value", ... */
int bt_dpf_word_count(const bt_dpf *dpf, int job);
const char *bt_dpf_word(const bt_dpf *dpf, int job, int index);
/* What was skipped although it would have mattered, one clause each. */
int bt_dpf_warning_count(const bt_dpf *dpf);
const char *bt_dpf_warning(const bt_dpf *dpf, int index);

/* ---------------------------------------------------------------------------------------------------------
 * 7. Results
 * --------------------------------------------------------------------------------------------------------- */

/* One run's best pose; runs are numbered from 1 as in every output file. */
typedef struct bt_run_summary {
  int run;
  bt_energy energy;
  int cluster;         /* 1-based, 1 has the lowest free energy */
  int rank_in_cluster; /* 1-based */
  double cluster_rmsd, reference_rmsd; /* Angstrom */
  int64_t evaluations;
  double search_energy; /* inter + intra as the device's kernels saw it, kcal/mol; energy is double precision */
  double search_reference; /* what they should have seen: the closed forms that the search follows, in double precision */
} bt_run_summary;

int bt_result_run_count(const bt_result *result);
/* Runs by cluster, then by estimated free energy; position 0 is the best of all. */
bt_run_summary bt_result_ranked(const bt_result *result, int position);
int bt_result_cluster_count(const bt_result *result);
double bt_result_seconds(const bt_result *result);          /* search alone */
int64_t bt_result_evaluations(const bt_result *result);     /* all runs together */
const char *bt_result_device(const bt_result *result);
const char *bt_result_warning(const bt_result *result); /* a device that failed; "" when all went well */

/* How a file introduces itself; strings are borrowed while the writer runs. NULL members are left out. */
typedef struct bt_write_context {
  const char *opt_command_line; /* as typed */
  const char *opt_fld_path;
  const char *opt_ligand_path;
  const char *opt_flexible_path;
  const char *opt_dpf_path;
} bt_write_context;

/* Writers: the file appears complete or not at all. */
bt_status bt_result_write_dlg(const bt_result *result, const char *path, const bt_write_context *context,
                              bt_error *opt_error) BT_MUST_USE;
bt_status bt_result_write_xml(const bt_result *result, const char *path, const bt_write_context *context,
                              bt_error *opt_error) BT_MUST_USE;
bt_status bt_result_write_pdbqt(const bt_result *result, const char *path, bt_error *opt_error) BT_MUST_USE;
bt_status bt_result_write_json(const bt_result *result, const char *path, bt_error *opt_error) BT_MUST_USE;
bt_status bt_result_write_csv(const bt_result *result, const char *path, bt_error *opt_error) BT_MUST_USE;
/* All poses of the ligand, lowest estimated free energy first, as SDF on the molecule's own bonds: with all hydrogens,
 * name, stereo and data items of the input, and the energies, run, cluster and RMSDs of the pose as data items (docs/
 * formats.md). BT_ERR_USAGE without chemistry (bt_molecule_has_chemistry). Flexible residues are not part of it. */
bt_status bt_result_write_sdf(const bt_result *result, const char *path, bt_error *opt_error) BT_MUST_USE;

/* Contacts of a pose with the receptor (docs/report.md has their definitions). The first three are AutoDock-GPU's. */
typedef enum bt_contact_type {
  BT_CONTACT_REACTIVE,
  BT_CONTACT_HBOND,
  BT_CONTACT_VDW,
  BT_CONTACT_PI,  /* pi stacking */
  BT_CONTACT_SALT /* salt bridge */
} bt_contact_type;

/* Start from bt_contact_options_default(); defaults in brackets. Largest distances, inclusive, Angstrom. */
typedef struct bt_contact_options {
  double reactive, hbond, vdw; /* [2.1, 3.7, 4.0] */
  bool gpu_donors; /* a ligand's donor is its hydrogen, as in AutoDock-GPU's code, not the atom that carries it [false] */
} bt_contact_options;

bt_contact_options bt_contact_options_default(void);
/* Finds the contacts of all poses, so that DLG, XML and JSON files hold them: the first two AutoDock-GPU's types, JSON all
 * of them. receptor is the molecule of the maps, borrowed like them: it must outlive the result. */
bt_status bt_result_find_contacts(bt_result *result, const bt_molecule *receptor, const bt_contact_options *options,
                                  bt_error *opt_error) BT_MUST_USE;

typedef enum bt_complex_format { BT_COMPLEX_PDB, BT_COMPLEX_MMCIF } bt_complex_format;

/* Receptor, flexible residues and ligand of one pose in one file; position as in bt_result_ranked. Atoms are those of the
 * PDBQT files, so hydrogens on carbon are missing; points without an element (TZ, W, G) are left out. */
bt_status bt_result_write_complex(const bt_result *result, int position, const bt_molecule *receptor,
                                  bt_complex_format format, const char *path, bt_error *opt_error) BT_MUST_USE;
/* The table that `berth dock` prints; allocated, freed with free(). */
bt_status bt_result_table(const bt_result *result, char **ret_text, bt_error *opt_error) BT_MUST_USE;

/* ---------------------------------------------------------------------------------------------------------
 * 8. Devices and benchmarks
 * --------------------------------------------------------------------------------------------------------- */

typedef struct bt_device_info {
  char name[64];        /* "cpu/avx512" */
  char description[128];
  bool usable;
  char reason[256];     /* why it cannot be used; empty when usable */
  int lanes;            /* poses evaluated side by side in one thread */
  int threads;          /* of the host, where it computes; 0: not on the host */
  bool accelerator;     /* a GPU and the like */
  char driver[64];      /* and its version; empty for the processor */
  uint64_t memory;      /* bytes; 0: unknown */
  int cores;            /* of the processor, multiprocessors, compute units; 0: unknown */
  int poses;            /* evaluated at once keep it busy */
  int teams[16];        /* numbers of lanes that can share one pose, ascending */
  int n_teams;
  unsigned reductions;  /* bit 1 << BT_REDUCTION_x: how a team can add up */
} bt_device_info;

/* All devices of all back ends of this build, in the order in which auto tries them. */
int bt_device_count(void);
bt_device_info bt_device(int index);
/* BT_OK when these names can be the opt_device and opt_isa of a docking on this machine. */
bt_status bt_device_check(const char *opt_device, const char *opt_isa, bt_error *opt_error) BT_MUST_USE;

/* Commit, compiler and flags of this build. */
const char *bt_build_commit(void);
const char *bt_build_compiler(void);
/* Model name of the processor; "" when the system does not say. */
const char *bt_cpu_name(char *buffer, size_t size);

/* One line of `berth bench evals`. A processor: one thread, process CPU time. A GPU: wall-clock time. */
typedef struct bt_bench_evals_result {
  bool valid;                     /* kernel energies and gradients agree with double precision */
  double worst_energy;            /* largest deviation in units of 0.005 kcal/mol + 5e-6 per pair + 0.00025 |E| */
  double worst_gradient;          /* ... of 0.02 + 0.0006 of the largest component + 1e-4 of all moments */
  double microseconds_energy;     /* one energy of a random pose */
  double microseconds_gradient;   /* one energy and gradient of a random pose */
  double microseconds_solis_wets, microseconds_adadelta, microseconds_adam; /* docking, per evaluation */
  int64_t evaluations_solis_wets, evaluations_adadelta, evaluations_adam;
  char device[64], device_description[128];
  int threads; /* of the processor, 1; 0: it was a GPU */
  int runs, population;
  int poses;   /* evaluated at once */
  int atoms, torsions, pairs;
} bt_bench_evals_result;

/* Checks the kernels on random and near-input poses, then times them and whole dockings of options->evaluations
 * evaluations per run (limits and autostop off). auto is the processor; runs 0: 4, on a GPU 100. */
bt_status bt_bench_evals(const bt_ligand *ligand, const bt_maps *maps, const bt_dock_options *options,
                         bt_bench_evals_result *ret_result, bt_error *opt_error) BT_MUST_USE;

/* Whole dockings on one device: one cell of `berth bench portability`. */
typedef struct bt_bench_docking_result {
  bool valid;              /* energies and gradients agree with double precision, as in bt_bench_evals */
  double worst_energy, worst_gradient; /* largest deviations in those tolerances */
  double energy_deviation; /* largest deviation of an energy below 100 kcal/mol, kcal/mol */
  double best_energy;      /* lowest inter + intra that was found, double precision, kcal/mol */
  int64_t evaluations;     /* of all runs of one docking */
  double seconds, seconds_min, seconds_max; /* of one docking: median, fastest, slowest */
  double setup_seconds;    /* before it: the ligand and its maps go to the device */
  char device[64], device_description[128];
  int threads;             /* of the host; 0: the device is none of its processors */
  int team, team_last;     /* lanes that share a pose while all poses are searched, and when one is left */
  int runs, population;
  int atoms, torsions, pairs;
} bt_bench_docking_result;

/* Docks with the options' local search and options->evaluations evaluations per run (limits and autostop off), repeats
 * times with the same seed. Compares energies and gradients of random poses and of poses of the last populations, and
 * the energies that the search itself kept. auto is the first usable device. */
bt_status bt_bench_docking(const bt_ligand *ligand, const bt_maps *maps, const bt_dock_options *options, int repeats,
                           bt_bench_docking_result *ret_result, bt_error *opt_error) BT_MUST_USE;

/* The best pose of one run so far. */
typedef struct bt_bench_step {
  int run;             /* from 0 */
  int64_t evaluations; /* of this run, when the generation ended that found the pose */
  double energy;       /* inter + intra in double precision, closed forms, kcal/mol */
  double rmsd;         /* to the reference, Angstrom */
} bt_bench_step;

/* Called from the calling thread, run after run, when a generation (or the first population) gave a run a better pose.
 * false: it is enough, the search ends with this generation. */
typedef bool (*bt_bench_step_fn)(void *user, const bt_bench_step *step);

typedef struct bt_bench_convergence_result {
  bool valid;          /* the search's own energies of these poses agree with double precision, as in bt_bench_evals */
  double worst_energy; /* largest deviation in those tolerances */
  int64_t evaluations; /* of all runs */
  int64_t generations;
  double seconds;      /* of the search and of the looking at it */
  char device[64], device_description[128];
  int threads;         /* of the host; 0: the device is none of its processors */
  int atoms, torsions, pairs;
  double docking_seconds; /* of the search alone, after a generation to warm up: what all these evaluations take */
} bt_bench_convergence_result;

/* Docks as bt_dock with heuristics and autostop off, and tells how every run comes down. Poses that are less than 0.001
 * kcal/mol better than the last one told are not told. opt_progress of the options is called after every generation;
 * BT_ERR_CANCELLED when it returns false. run_evaluations[options->runs] receives what each run used. auto is the first
 * usable device. */
bt_status bt_bench_convergence(const bt_ligand *ligand, const bt_maps *maps, const bt_molecule *opt_reference,
                               const bt_dock_options *options, bt_bench_step_fn step, void *user,
                               int64_t *run_evaluations, bt_bench_convergence_result *ret_result,
                               bt_error *opt_error) BT_MUST_USE;

/* E50: evaluations that one run needs to succeed with a probability of one half (docs/benchmarks/e50.md). */

/* When a run began to be successful, when it ceased to be, began again...: evaluations, ascending; successful at a budget
 * of n when an odd number of them are <= n. */
typedef struct bt_e50_run {
  const int64_t *changes;
  int n_changes;
  int64_t evaluations; /* at which the run was ended */
} bt_e50_run;

typedef struct bt_e50 {
  int runs, successes;      /* runs that end successfully */
  double value, low, high;  /* E50 and its 95 % interval; INFINITY: beyond what was seen */
  bool interpolated;        /* value is that of the curve; else of the memoryless model */
  double by_curve;          /* where the share of successful runs crosses one half; INFINITY when it does not */
  double by_model;          /* p(n) = 1 - 2^(-n / E50), maximum likelihood; INFINITY without a success */
  double shape;             /* Weibull exponent; 1: memoryless, below 1: some runs never come down; NaN: unknown */
  double shape_probability; /* of a likelihood ratio at least this far from shape 1 if the shape is 1; NaN: unknown */
  double counted;           /* value; without a success that of half a success, a lower bound */
} bt_e50;

/* The interval is the percentile interval of 2,000 bootstrap samples of runs, drawn from seed. */
bt_status bt_e50_estimate(const bt_e50_run *runs, int count, uint64_t seed, bt_e50 *ret_e50,
                          bt_error *opt_error) BT_MUST_USE;
/* Seconds until one of many runs that are searched together has succeeded with this chance, in (0, 1), when all of them
 * together make so many evaluations per second: n evaluations of memoryless runs, or of runs that are started anew after
 * E50, succeed with 1 - 2^(-n / E50), however they are spread over runs. NaN when the rate is not known. */
double bt_e50_seconds(double e50, double evaluations_per_second, double chance);
/* E50 of memoryless runs when only the number of those is known that were successful at a budget of evaluations. No
 * success counts as half a one and no failure as half a one, which gives a lower and an upper bound. NaN: impossible. */
double bt_e50_of_hits(int hits, int runs, double evaluations);
/* Share of the runs that are successful at this budget; runs that ended before count as they ended. */
double bt_e50_share(const bt_e50_run *runs, int count, double budget);

/* The runs of one complex with two configurations. */
typedef struct bt_e50_pair {
  const bt_e50_run *first, *second;
  int n_first, n_second;
  double first_cost, second_cost; /* what an evaluation costs, such as seconds: ratios become those of E50 times cost;
                                   * unless both are above 0, it costs both the same */
} bt_e50_pair;

typedef enum bt_e50_verdict {
  BT_E50_UNDECIDED,
  BT_E50_EQUIVALENT,   /* the interval lies within [0.8, 1.25] */
  BT_E50_SECOND_FEWER, /* the interval lies below 1: the second one needs fewer evaluations */
  BT_E50_SECOND_MORE
} bt_e50_verdict;

typedef struct bt_e50_comparison {
  int pairs;               /* complexes in which at least one of the two succeeded */
  double ratio, low, high; /* geometric mean of E50 of the second / of the first, and its 95 % interval */
  double probability;      /* of ratios at least as one-sided if there is no difference: Wilcoxon's signed ranks, exact */
  bt_e50_verdict verdict;
} bt_e50_comparison;

/* Paired over complexes; the interval is that of 2,000 nested bootstrap samples, complexes outside, runs inside. A side
 * without a success counts half a success. opt_ratios[count]: of each pair, NaN where neither succeeded. */
bt_status bt_e50_compare(const bt_e50_pair *pairs, int count, uint64_t seed, double *opt_ratios,
                         bt_e50_comparison *ret_comparison, bt_error *opt_error) BT_MUST_USE;

/* What a program is known to achieve on one complex. */
typedef struct bt_e50_reference_row {
  char *name;          /* of the complex */
  double energy;       /* what success was measured from: inter + intra within 1.0 kcal/mol of it, or below */
  int hits, runs;      /* runs that succeeded, of how many */
  int64_t evaluations; /* per run */
  double seconds;      /* docking time of all runs; NaN: not told */
} bt_e50_reference_row;

typedef struct bt_e50_reference {
  char *program;
  bt_e50_reference_row *rows; /* complexes are different */
  int count;
} bt_e50_reference;

/* Reads a table (docs/benchmarks/e50.md): fields between tabs, a first line with their names, of which complex, reference
 * and PROGRAM_hits are needed and PROGRAM_seconds, runs and evaluations may be there; without the last two a comment,
 * which opens with #, says "100 runs of 1,000,000 evaluations". opt_program: NULL: the first that has hits. A complex with
 * - for its hits or its reference is left out. */
bt_status bt_e50_reference_read(const char *path, const char *opt_program, bt_e50_reference **ret_reference,
                                bt_error *opt_error) BT_MUST_USE;
void bt_e50_reference_destroy(bt_e50_reference *opt_reference);
/* NULL when it is not there. */
const bt_e50_reference_row *bt_e50_reference_find(const bt_e50_reference *reference, const char *name);

/* The runs of one complex beside what is known of it. */
typedef struct bt_e50_match {
  const bt_e50_run *runs; /* successes as the reference defines them */
  int n_runs;
  int64_t evaluations;    /* limit per run that they were searched with */
  double cost;            /* seconds per evaluation, all runs searched together; NaN: unknown */
  const bt_e50_reference_row *reference;
} bt_e50_match;

typedef struct bt_e50_match_result {
  bool same_budget;       /* the runs were given as many evaluations as the reference's, or all have succeeded: hits may be
                           * compared */
  int hits;               /* at the reference's budget; without same_budget at the end */
  double missing;         /* hits that the reference has more, of its number of runs; NaN without same_budget */
  bt_e50 e50;             /* from the times of success */
  double reference_e50;   /* from hits, bt_e50_of_hits */
  double e50_by_hits;     /* the same of the runs; NaN without same_budget */
  double ratio, seconds_ratio;                 /* e50 / reference_e50, both with half a success where there is none; at
                                                * least 1 when the runs have none; NaN where neither has one */
  double ratio_by_hits, seconds_ratio_by_hits; /* from hits on both sides, shares of hits kept half a run of the smaller
                                                * side away from 0 and 1; NaN where neither has a hit */
} bt_e50_match_result;

/* Geometric means of these ratios; first: the reference, second: the runs. */
typedef struct bt_e50_match_summary {
  bt_e50_comparison e50, seconds;
  bt_e50_comparison e50_by_hits, seconds_by_hits;
  int bounds; /* complexes in which all of the reference's runs succeeded: its E50 is at most, and the ratios of e50 and
               * seconds at least, what is told; unless they say "more", nothing is decided */
  bt_e50_comparison e50_no_bounds, seconds_no_bounds; /* without those complexes */
} bt_e50_match_summary;

/* results[count]. Complexes in which neither has a success are left out of the means. Intervals are those of nested
 * bootstrap samples, in which the reference's runs are drawn as well, by its share of hits. */
bt_status bt_e50_match_all(const bt_e50_match *matches, int count, uint64_t seed, bt_e50_match_result *results,
                           bt_e50_match_summary *ret_summary, bt_error *opt_error) BT_MUST_USE;

/* Errors of sums over many poses. A sum's error is |sum - sum in double precision| / sum of |terms|. */
typedef struct bt_bench_reduction_errors {
  double seven_mean, seven_max;       /* net force and torque (3 each) and energy */
  double subtree_mean, subtree_max;   /* force and torque of all atoms that a torsion moves */
  double energy_mean, energy_max;     /* of the energy's sum, kcal/mol */
  double gradient_mean, gradient_max; /* of the gradient in genes: largest component's error / largest component */
  double overflow;                    /* share of poses with a sum that is not finite; left out of the above */
} bt_bench_reduction_errors;

/* One way of adding up. */
typedef struct bt_bench_reduction_row {
  bt_reduction reduction;
  int team;
  bool measured; /* on the device; otherwise reckoned on the host, which gives errors alone */
  char reason[256]; /* why it could not be measured; empty otherwise */
  bt_bench_reduction_errors early, late; /* random poses; the same population five generations later */
  /* Measured only. No time is given unless valid. */
  bool valid;                          /* energies and gradients agree with double precision as in bt_bench_evals */
  double worst_energy, worst_gradient; /* largest deviations in those tolerances */
  double fraction;                     /* of ADADELTA's clock cycles that pass in sums; NaN: not counted */
  int dockings;
  int64_t evaluations;                 /* per run, mean of all dockings */
  double seconds, seconds_min, seconds_max, seconds_deviation; /* of a docking: mean, standard deviation */
  double microseconds;                 /* per evaluation, mean over dockings */
  double best_energy, best_energy_rmsd; /* lowest intermolecular + intramolecular energy of all runs, its RMSD */
  double best_rmsd, best_rmsd_energy;  /* lowest RMSD to the input pose, its energy */
  int successes, runs;                 /* runs within 1 kcal/mol of the lowest energy that any row found; all runs */
} bt_bench_reduction_row;

enum { BT_BENCH_REDUCTION_ROWS = 16 };

typedef struct bt_bench_reductions_result {
  bool valid;             /* of the rows that a docking may use by default: simt and tensor-ec */
  bt_bench_reduction_row rows[BT_BENCH_REDUCTION_ROWS];
  int n_rows;             /* host rows first; then by team: simt, tensor-ec, tensor-fp16 */
  double peak;            /* S: tensor cores' TF32 peak / single-precision peak of this GPU; NaN: unknown */
  char device[64], device_description[128];
  char reason[256];       /* why nothing was measured; empty otherwise */
  int poses, runs, population;
  int64_t evaluations;    /* limit per run */
  int atoms, torsions, bodies, pairs;
} bt_bench_reductions_result;

/* How teams of 64, 128 and 256 lanes add up (or options->team alone): errors on poses of an ADADELTA search, and on a GPU
 * with tensor cores cycles and times of whole dockings (limits and autostop off), repeats of each. auto is the first
 * GPU; on a processor, errors are reckoned number by number. */
bt_status bt_bench_reductions(const bt_ligand *ligand, const bt_maps *maps, const bt_dock_options *options, int repeats,
                              bt_bench_reductions_result *ret_result, bt_error *opt_error) BT_MUST_USE;
/* The paper's model: 1 / (f / S + 1 - f), with f the fraction that S times faster units take over. */
double bt_bench_reductions_model(double fraction, double peak);

/* ---------------------------------------------------------------------------------------------------------
 * 9. Preparation of ligands (docs/preparation.md); needs a build with RDKit
 * --------------------------------------------------------------------------------------------------------- */

typedef enum bt_ligand_format {
  BT_LIGAND_AUTO,   /* by the ending of the name: .sdf .sd .mol .mol2 .smi .smiles .pdb .ent .pdbqt, each also with .gz */
  BT_LIGAND_SDF,    /* V2000 and V3000 */
  BT_LIGAND_MOL2,   /* with the atom types of Corina */
  BT_LIGAND_SMILES, /* one per line: SMILES, blank, name; a first line that is none is a header */
  BT_LIGAND_PDB,    /* one molecule per MODEL; bond orders from opt_template */
  BT_LIGAND_PDBQT   /* taken as prepared */
} bt_ligand_format;

typedef enum bt_charge_model {
  BT_CHARGES_GASTEIGER, /* on all atoms; those of merged hydrogens are added to their atoms */
  BT_CHARGES_ZERO,
  BT_CHARGES_READ /* from the MOL2 file */
} bt_charge_model;

/* Start from bt_prepare_options_default(); defaults in brackets. */
typedef struct bt_prepare_options {
  bt_ligand_format format;   /* [AUTO] */
  double ph;                 /* protonation for this pH by the rules of data/chem; NaN: as given [NaN] */
  int conformers;            /* made of a molecule without 3D coordinates, one ligand each; 0: none, it stays
                              * as flat as it is drawn, which shows types and torsions but cannot be docked [1] */
  uint64_t seed;             /* of conformers [42] */
  const char *opt_template;  /* SMILES that gives bond orders to a molecule that has none (PDB) [NULL] */
  bt_charge_model charges;   /* [GASTEIGER] */
  bool flexible_amides;      /* amides, amidines, guanidines rotate too [false] */
  bool rigid_macrocycles;    /* rings of 7 to 33 atoms stay closed [false] */
  bool hydrated;             /* adds waters W for hydrated docking [false] */
  bool old_rules;            /* rotatable bonds and macrocycles as Meeko 0.5 decides, not 0.7 [false] */
  bool keep_hydrogens;       /* non-polar hydrogens stay atoms of type H [false] */
} bt_prepare_options;

bt_prepare_options bt_prepare_options_default(void);

/* Reads ligands one after the other, so that a file of any length needs the memory of its largest record. */
typedef struct bt_ligand_reader bt_ligand_reader;

/* path "-" is standard input (then give options->format; AUTO takes it for SDF). Files may be gzipped. options are
 * copied. BT_ERR_USAGE when this build has no RDKit and the format needs it. */
bt_status bt_ligand_reader_open(const char *path, const bt_prepare_options *options, bt_ligand_reader **ret_reader,
                                bt_error *opt_error) BT_MUST_USE;
/* The same from a text, which is copied; label stands for the file in messages. options->format must not be AUTO. */
bt_status bt_ligand_reader_open_text(const char *text, size_t size, const char *label,
                                     const bt_prepare_options *options, bt_ligand_reader **ret_reader,
                                     bt_error *opt_error) BT_MUST_USE;
/* The next ligand, NULL at the end. After the failure of one record (BT_ERR_INPUT, BT_ERR_PARAMETER, BT_ERR_LIMIT) the
 * reader goes on: the next call gives the next record. Other failures are final: then every later call returns the
 * end. */
bt_status bt_ligand_reader_next(bt_ligand_reader *reader, bt_molecule **ret_molecule,
                                bt_error *opt_error) BT_MUST_USE;
void bt_ligand_reader_close(bt_ligand_reader *opt_reader);
/* Of the record last read, also when it failed: its number from 1, its first line, its name ("" without one). */
long bt_ligand_reader_record(const bt_ligand_reader *reader);
long bt_ligand_reader_line(const bt_ligand_reader *reader);
const char *bt_ligand_reader_name(const bt_ligand_reader *reader);

/* What preparation did that the user should know ("kept the largest of 2 fragments ..."), one clause each. */
int bt_molecule_note_count(const bt_molecule *molecule);
const char *bt_molecule_note(const bt_molecule *molecule, int index);

/* True when the molecule knows its bonds, so that bt_molecule_sdf works. A PDBQT ligand gets to know them from Meeko's
 * REMARK SMILES lines: bt_molecule_find_chemistry; BT_ERR_INPUT when it has none or they do not fit. */
bool bt_molecule_has_chemistry(const bt_molecule *molecule);
bt_status bt_molecule_find_chemistry(bt_molecule *molecule, bt_error *opt_error) BT_MUST_USE;
/* Canonical isomeric SMILES without hydrogens, "" without chemistry. */
const char *bt_molecule_smiles(const bt_molecule *molecule);

/* A data item of an SDF record: "> <name>", value. */
typedef struct bt_sdf_tag {
  const char *name, *value;
} bt_sdf_tag;

/* One SDF record ("$$$$" included) with all hydrogens, bond orders, stereo, name and data items of the input, and the
 * given tags behind them. opt_coordinates[bt_molecule_atom_count()], Angstrom, in the order of the PDBQT text; NULL: as
 * prepared. Hydrogens that were merged move with the atoms around them. V3000 above 999 atoms. free() the text. */
bt_status bt_molecule_sdf(const bt_molecule *molecule, const double (*opt_coordinates)[3], const bt_sdf_tag *tags,
                          int n_tags, char **ret_text, bt_error *opt_error) BT_MUST_USE;
/* The molecule as PDBQT text (as read, or as prepared); free() it. bt_molecule_write_pdbqt writes a file. */
bt_status bt_molecule_pdbqt(const bt_molecule *molecule, char **ret_text, bt_error *opt_error) BT_MUST_USE;
bt_status bt_molecule_write_pdbqt(const bt_molecule *molecule, const char *path, bt_error *opt_error) BT_MUST_USE;
/* "2022.09.3"; "" when this build has none. */
const char *bt_rdkit_version(void);

/* ---------------------------------------------------------------------------------------------------------
 * 10. Preparation of receptors (docs/preparation.md); needs a build with gemmi
 * --------------------------------------------------------------------------------------------------------- */

/* Start from bt_receptor_options_default(); defaults in brackets.
 *
 * Residues are chosen by words such as `HOH` (name), `A:` (chain), `A:57`, `A:57B` (with insertion code), `A:HIS57`,
 * `A:HIS:57`; a word may hold several, separated by commas. */
typedef struct bt_receptor_options {
  int model;                   /* which one of the file, from 1 [1] */
  double ph;                   /* states for this pH: pKa values of propka3 where it is installed, else those of model
                                * compounds; NaN: usual states at pH 7.4 [NaN] */
  bool ignore_hydrogens;       /* those of the file are forgotten and placed anew [false] */
  bool flips;                  /* amides of ASN and GLN and rings of HIS may be turned by 180 degrees [false] */
  bool zinc;                   /* AD4Zn: charge of Zn is 0, tetrahedral pseudo atoms TZ are added [false] */
  bool delete_unknown;         /* residues that nothing is known about are deleted, not an error [false] */
  const char *const *keep;     /* residues that would be deleted: waters, additives of crystals; NULL: none */
  const char *const *remove;   /* residues to delete */
  const char *const *states;   /* `A:57:HID`: the template of a residue */
  const char *const *altlocs;  /* `B` for all, `A:57:B` for one residue; the highest occupancy otherwise */
  const char *const *flexible; /* residues whose side chains move, such as `A:ARG8` */
  const char *const *templates; /* `NAME=SMILES` for residues that are not known; needs RDKit */
  int n_keep, n_remove, n_states, n_altlocs, n_flexible, n_templates;
  const char *opt_ligand; /* as in bt_receptor_ligand_pdb; that residue is taken out of the receptor [NULL] */
  const char *opt_pka;    /* a .pka file of propka3, instead of running it [NULL] */
} bt_receptor_options;

bt_receptor_options bt_receptor_options_default(void);

typedef struct bt_prepared_receptor bt_prepared_receptor;

/* Reads a PDB or mmCIF file (also gzipped; "-" is standard input) and makes a receptor of it. BT_ERR_INPUT names all
 * residues that nothing is known about. The caller destroys the result. */
bt_status bt_receptor_prepare(const char *path, const bt_receptor_options *options, bt_prepared_receptor **ret_prepared,
                              bt_error *opt_error) BT_MUST_USE;
void bt_prepared_receptor_destroy(bt_prepared_receptor *opt_prepared);

/* What was prepared: atoms that stay, side chains that move (NULL without), borrowed. */
const bt_molecule *bt_prepared_receptor_rigid(const bt_prepared_receptor *prepared);
const bt_molecule *bt_prepared_receptor_flexible(const bt_prepared_receptor *prepared);
/* The same as PDBQT text; "" without flexible residues. */
const char *bt_prepared_receptor_rigid_pdbqt(const bt_prepared_receptor *prepared);
const char *bt_prepared_receptor_flexible_pdbqt(const bt_prepared_receptor *prepared);
/* All atoms as PDB text, polar hydrogens included, pseudo atoms not. */
const char *bt_prepared_receptor_pdb(const bt_prepared_receptor *prepared);
/* What was done to every residue: one line each, and as JSON (docs/json.md). */
const char *bt_prepared_receptor_report(const bt_prepared_receptor *prepared);
const char *bt_prepared_receptor_report_json(const bt_prepared_receptor *prepared);
/* What a user should look at: one line each, without line ends. */
int bt_prepared_receptor_note_count(const bt_prepared_receptor *prepared);
const char *bt_prepared_receptor_note(const bt_prepared_receptor *prepared, int index);

/* Takes the residue NAME, NAME:chain or NAME:chain:number out of a structure file as PDB text (HETATM, CONECT between
 * close atoms, END). Several residues that fit are an error that lists them. free() the text. */
bt_status bt_receptor_ligand_pdb(const char *path, int model, const char *which, char **ret_text,
                                 bt_error *opt_error) BT_MUST_USE;
/* "0.5.7"; "" when this build reads no structure files. */
const char *bt_gemmi_version(void);

/* ---------------------------------------------------------------------------------------------------------
 * 11. Libraries (docs/formats.md); .btl files need a build with zstd
 * --------------------------------------------------------------------------------------------------------- */

/* Called in the order of the ligands from the calling thread, for each that is stored (opt_molecule) or rejected (the
 * reason's status is not BT_OK); return false to stop. source: "lib.sdf:record 17". */
typedef bool (*bt_library_fn)(void *user, const char *name, const char *source, const bt_molecule *opt_molecule,
                              const bt_error *reason);

/* Start from bt_library_options_default(); defaults in brackets. */
typedef struct bt_library_options {
  bt_prepare_options prepare; /* [bt_prepare_options_default(); format is that of standard input, AUTO: PDBQT] */
  int threads;                /* 0: all cores [0] */
  bt_library_fn opt_each;
  void *opt_user;
} bt_library_options;

bt_library_options bt_library_options_default(void);

typedef struct bt_library_result {
  int64_t ligands, rejected; /* conformers count each */
  uint64_t bytes;            /* of the file */
} bt_library_result;

/* Prepares all ligands of the paths - files, gzipped or not, folders, tar archives, .btl files, "-" - and writes them to
 * one .btl file, complete or not at all. What cannot be prepared, or not be docked, is rejected and the rest goes on. Not
 * one ligand is BT_ERR_INPUT; BT_ERR_CANCELLED after opt_each returned false. */
bt_status bt_library_write(const char *const *paths, int n_paths, const char *path, const bt_library_options *options,
                           bt_library_result *ret_result, bt_error *opt_error) BT_MUST_USE;

/* Is the path, by its ending, a .btl file or a tar archive? */
bool bt_library_is(const char *path);

/* Reads such a file, or a folder, ligand by ligand. */
typedef struct bt_library_reader bt_library_reader;

bt_status bt_library_reader_open(const char *path, const bt_prepare_options *options, bt_library_reader **ret_reader,
                                 bt_error *opt_error) BT_MUST_USE;
/* The next ligand, NULL at the end. After any failure but BT_ERR_MEMORY the next call gives the next ligand. */
bt_status bt_library_reader_next(bt_library_reader *reader, bt_molecule **ret_molecule,
                                 bt_error *opt_error) BT_MUST_USE;
void bt_library_reader_close(bt_library_reader *opt_reader);
/* Of the ligand last read, also when it failed. */
const char *bt_library_reader_name(const bt_library_reader *reader);
const char *bt_library_reader_source(const bt_library_reader *reader); /* "lib.btl:ligand 17" */

/* ---------------------------------------------------------------------------------------------------------
 * 12. Screening (docs/screening.md); needs a build with SQLite
 * --------------------------------------------------------------------------------------------------------- */

enum { BT_SCREEN_HITS = 5, BT_SCREEN_DEVICES = 64 };

typedef struct bt_screen_hit {
  int64_t ordinal;
  char name[64];
  double free_energy; /* kcal/mol */
} bt_screen_hit;

typedef struct bt_screen_device {
  char name[64];
  int64_t docked; /* by this session */
  double busy;    /* share of this session's time in which it was docking, 0 to 1 */
  bool failed;    /* the others do its work */
} bt_screen_device;

/* Where a screen is. Counts are of all sessions together unless said otherwise. */
typedef struct bt_screen_progress {
  int64_t total;     /* ligands of the library or shard; -1: not known before its end */
  int64_t earlier;   /* finished by earlier sessions */
  int64_t docked, rejected, failed; /* committed to the database */
  int64_t evaluations; /* of this session */
  double seconds;      /* of this session */
  double rate;         /* ligands finished per second, lately */
  double seconds_left; /* NaN: not known */
  int waiting;         /* ligands that are prepared and wait for a device */
  bool ending;         /* no new ligands are taken */
  int n_hits, n_devices;
  bt_screen_hit hits[BT_SCREEN_HITS]; /* the best so far, the best first */
  bt_screen_device devices[BT_SCREEN_DEVICES];
} bt_screen_progress;

typedef enum bt_screen_wish {
  BT_SCREEN_GO_ON,
  BT_SCREEN_FINISH, /* what is being docked is finished and kept, nothing new is begun */
  BT_SCREEN_STOP    /* at once; what is committed is kept */
} bt_screen_wish;

/* Called about ten times a second from the calling thread. */
typedef bt_screen_wish (*bt_screen_watch_fn)(void *user, const bt_screen_progress *progress);
/* A ligand that was not docked, from any thread, one at a time. state: "rejected" or "failed". */
typedef void (*bt_screen_told_fn)(void *user, const char *name, const char *state, const char *reason);
/* Dynamic shares for several processes: the next chunk's number, each number once over all of them; -1: error. */
typedef int64_t (*bt_screen_chunk_fn)(void *user);

/* Start from bt_screen_options_default(); defaults in brackets. Everything is borrowed while bt_screen_run works. */
typedef struct bt_screen_options {
  const char *database;          /* made with its folder's help; complete at any moment */
  bool resume;                   /* go on with the database if it is there */
  const char *const *ligands;    /* files, folders, "-"; in this order */
  int n_ligands;
  bt_prepare_options prepare;
  const struct bt_bude_screen *opt_bude; /* berth/bude.h: its engine, in place of maps, opt_flexible and search, of
                                          * which only the seed counts, which then must not be 0 */
  const bt_maps *maps;           /* ligands with a type that has none are rejected */
  const bt_molecule *opt_flexible;
  const char *opt_receptor_pdbqt; /* kept in the database, so that results can be exported anywhere */
  bt_dock_options search;        /* opt_device: auto or all: every GPU of the best kind and, with all, the processor;
                                  * or a list such as "cuda:0,cuda:1,cpu". seed 0: that of the database, or chosen */
  int shard, shards;             /* this process docks part shard of shards, from 1 [1, 1] */
  int poses;                     /* kept per ligand, leaders of the best clusters [1] */
  int64_t keep;                  /* so many of the best ligands keep their poses and molecules; 0: none, -1: all
                                  * [100,000] */
  int batch;                     /* ligands that a worker takes at a time [0: 512 for a GPU, 1] */
  int readers;                   /* threads that read and prepare [0: as many as the processor has] */
  const char *opt_command_line, *opt_effort; /* for the record */
  bt_screen_watch_fn opt_watch;
  bt_screen_told_fn opt_told;
  bt_screen_chunk_fn opt_chunk;  /* instead of shard and shards */
  const char *opt_done;          /* a database of the same screen, whose ligands are left out */
  void *opt_user;                /* of all three */
} bt_screen_options;

bt_screen_options bt_screen_options_default(void);

/* Docks a library. Every ligand ends in exactly one state: docked, rejected (it could not be read, prepared or fitted
 * into the box) or failed (its docking went wrong), together with its results in one transaction. BT_OK: the library is
 * done; BT_ERR_CANCELLED after a wish to finish or stop; BT_ERR_USAGE when resume is given and the database was begun
 * with other settings, or resume is not given and there is one. After any end the database can be resumed. */
bt_status bt_screen_run(const bt_screen_options *options, bt_screen_progress *ret_progress,
                        bt_error *opt_error) BT_MUST_USE;

/* What a database holds. */
typedef struct bt_screen_summary {
  int64_t docked, rejected, failed;
  int64_t total;     /* -1: not known */
  bool complete;     /* the library or shard was read to its end and all of it is done */
  uint64_t seed;
  int shard, shards;
  int64_t with_poses; /* ligands that kept theirs */
} bt_screen_summary;

bt_status bt_screen_summarize(const char *database, bt_screen_summary *ret_summary, bt_error *opt_error) BT_MUST_USE;
/* A setting such as "command_line" or "spacing"; free() it. NULL when the database has no such key. */
bt_status bt_screen_setting(const char *database, const char *key, char **ret_value, bt_error *opt_error) BT_MUST_USE;

typedef enum bt_screen_format {
  BT_SCREEN_CSV,    /* one row per docked ligand, ranked */
  BT_SCREEN_REJECTS, /* one row per ligand that was not docked, as CSV */
  BT_SCREEN_SDF,    /* poses on the molecules' own bonds, ranked; those without bonds are left out and counted */
  BT_SCREEN_PDBQT,  /* poses, one MODEL each, ranked */
  BT_SCREEN_DLG     /* path is a folder: a docking log per ligand; needs maps */
} bt_screen_format;

typedef struct bt_screen_exported {
  int64_t ligands, poses;
  int64_t without_pose; /* wanted, but their poses were not kept */
  int64_t without_bonds; /* SDF only */
} bt_screen_exported;

/* Writes the `top` best ligands (0: all) by estimated free energy, of equal ones the earlier of the library. */
bt_status bt_screen_export(const char *database, bt_screen_format format, int64_t top, const char *path,
                           const bt_maps *opt_maps, bt_screen_exported *ret_exported, bt_error *opt_error) BT_MUST_USE;
/* The receptor of the maps as PDBQT text; free() it. BT_ERR_USAGE when the screen was given maps. */
bt_status bt_screen_receptor(const char *database, char **ret_pdbqt, bt_box *ret_box, bt_error *opt_error) BT_MUST_USE;
/* Puts the databases of shards or ranks together in one, which must not be there yet. The same screen, settings and
 * library everywhere; a ligand that several hold with the same result is taken once. Shards know whether all of them are
 * there; of dynamic shares the caller says it by all_done. */
bt_status bt_screen_merge(const char *const *databases, int count, const char *database, bool all_done,
                          bt_screen_summary *ret_summary, bt_error *opt_error) BT_MUST_USE;
/* "3.40.1"; "" when this build has none. */
const char *bt_sqlite_version(void);

/* ---------------------------------------------------------------------------------------------------------
 * 13. Reports (docs/report.md)
 * --------------------------------------------------------------------------------------------------------- */

/* Start from bt_report_options_default(); defaults in brackets. */
typedef struct bt_report_options {
  const char *opt_receptor; /* PDBQT; NULL: looked for in the folder, then where the docking log says [NULL] */
  const char *opt_actives;  /* POSIX extended regular expression of the names of actives, for enrichment [NULL] */
  const char *opt_viewer;   /* the JavaScript of NGL; NULL: that of the build, if it has one [NULL] */
  const char *opt_title;    /* NULL: the name of the folder [NULL] */
  const char *opt_fingerprints; /* a CSV file for the interaction fingerprints of all ligands with poses [NULL] */
  int64_t top;              /* so many of the best ligands with poses, depiction and contacts [100] */
  int64_t rows;             /* so many of the best ligands in the table; 0: all [10,000] */
  int poses;                /* of each of the top ligands; 0: all [50] */
  bt_contact_options contacts;
} bt_report_options;

bt_report_options bt_report_options_default(void);

/* What a page shows. */
typedef struct bt_report_summary {
  bool screen;               /* the folder is that of a screen */
  bool receptor, viewer;     /* there is a receptor; the poses can be looked at */
  int64_t ligands, rows, detailed, poses, rejected;
  int64_t unreadable;        /* docking logs that could not be read; opt_error of the last one is in `trouble` */
  bt_error trouble;
  uint64_t bytes;
} bt_report_summary;

/* Writes one HTML file that needs nothing else, for the folder of `berth dock` or `berth screen` (or the database itself).
 * BT_ERR_USAGE when there is nothing to report. */
bt_status bt_report_write(const char *folder, const bt_report_options *options, const char *path,
                          bt_report_summary *ret_summary, bt_error *opt_error) BT_MUST_USE;
/* "NGL 2.4.0"; "" when this build brings no viewer. */
const char *bt_report_viewer(void);

#ifdef __cplusplus
}
#endif

#endif
