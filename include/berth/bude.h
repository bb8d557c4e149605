/* bude.h - the second engine: rigid conformations of ligands against a rigid receptor, BUDE's empirical free-energy
 * force field atom by atom, evolutionary Monte Carlo over the six degrees of freedom.
 *
 * Contents
 *   1. Options
 *   2. Receptor and device
 *   3. Ligands            compounds with one or more conformers
 *   4. Docking
 *   5. Poses as files
 *   6. Libraries          compounds as binary records, typed and ready
 *   7. Screens            of any size, resumable
 *
 * Conventions and the examples' error are those of berth.h. A call belongs to one bt_bude, which one thread may use at a time.
 */
#ifndef BERTH_BUDE_H
#define BERTH_BUDE_H

#include <berth/prepare.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------------------------------------------------
 * 1. Options
 *
 *     bt_bude_options bude_options = bt_bude_options_default();
 *     for (int i = 0; i < 3; i++)
 *       bude_options.center[i] = (double[]){2.5, 6.5, -7.5}[i];
 * --------------------------------------------------------------------------------------------------------- */

typedef enum bt_bude_rule_set {
  BT_BUDE_A,   /* parameters of pairs are means; every charge takes part */
  BT_BUDE_B,   /* as A, but no charge term with class -, and class P only with class F */
  BT_BUDE_DECK /* hardness and reaches of the benchmark decks for all types */
} bt_bude_rule_set;

/* Start from bt_bude_options_default(); defaults in brackets. Strings and arrays are borrowed while a bt_bude lives. */
typedef struct bt_bude_options {
  const char *opt_forcefield; /* a .bhff file; NULL: the by-atom table of 2017 that is built in [NULL] */
  bt_bude_rule_set rules;     /* [A] */
  const char *const *aliases; /* "S.x=S.3": types that the force field lacks; NULL: none */
  int n_aliases;

  double center[3], size[3];   /* box of the ligand's middle, Angstrom [-, 15 each] */
  double spacing, angle_step;  /* Angstrom, degrees [1, 10] */
  int generations, population; /* generations that are scored [8]; poses of each [65536] */
  int parents;                 /* best poses that are kept and mutated [100] */
  bool duplicates;             /* parents may be equal [false] */
  uint64_t seed;               /* [42] */
  int poses;                   /* kept of each ligand [1] */
  double separation;           /* RMSD between poses that are kept, Angstrom [1.5] */

  bt_prepare_options ligands; /* format, pH, conformers that are made when one is given (0: none) [20] and their seed;
                               * the rest has no effect */
  bool keep_conformer;        /* the given conformer is docked beside those that are made [false] */

  const char *opt_device;    /* as of bt_dock_options [NULL: the best] */
  int threads;               /* of the CPU; 0: all */
  int poses_per_item, group; /* 0: tuned */
  int batch;                 /* conformations on the device at once; 0: chosen [0] */
  int64_t memory;            /* bytes of the device that may be used; 0: all [0] */
  bool timed;                /* waits for every kernel, so that bt_bude_search_share knows [false] */
  bool (*opt_progress)(void *user, double part); /* of one ligand, 0 to 1; false stops: BT_ERR_CANCELLED */
  void *user;
} bt_bude_options;

bt_bude_options bt_bude_options_default(void);

/* ---------------------------------------------------------------------------------------------------------
 * 2. Receptor and device
 *
 *     bt_bude *bude;
 *     if (bt_bude_open("receptor.mol2", NULL, &bude_options, &bude, &error) != BT_OK)
 *       goto failed;
 * --------------------------------------------------------------------------------------------------------- */

typedef struct bt_bude bt_bude;

/* Reads the force field, types the receptor and opens the device. The receptor is a MOL2 file, whose types are taken as
 * they are, or a molecule from PDBQT or from bt_receptor_prepare, whose types come from its residues; give one of the
 * two. BT_ERR_PARAMETER names an atom whose type the force field lacks, BT_ERR_INPUT an empty receptor. */
bt_status bt_bude_open(const char *opt_mol2_path, const bt_molecule *opt_receptor, const bt_bude_options *options,
                       bt_bude **ret_bude, bt_error *opt_error) BT_MUST_USE;
/* The same without receptor and device: reads ligands and writes libraries only. */
bt_status bt_bude_open_forcefield(const bt_bude_options *options, bt_bude **ret_bude, bt_error *opt_error) BT_MUST_USE;
void bt_bude_close(bt_bude *opt_bude);

int bt_bude_receptor_atom_count(const bt_bude *bude); /* heavy atoms */
const char *bt_bude_device_name(const bt_bude *bude);
const char *bt_bude_device_description(const bt_bude *bude);
/* What a user should look at, one line each. */
int bt_bude_note_count(const bt_bude *bude);
const char *bt_bude_note(const bt_bude *bude, int index);

/* ---------------------------------------------------------------------------------------------------------
 * 3. Ligands
 *
 *     bt_bude_reader *reader;
 *     bt_bude_compound *compound;
 *     if (bt_bude_reader_open(bude, "ligands.sdf", &reader, &error) != BT_OK ||
 *         bt_bude_reader_next(reader, &compound, &error) != BT_OK) // NULL at the end
 *       goto failed;
 * --------------------------------------------------------------------------------------------------------- */

typedef struct bt_bude_reader bt_bude_reader;
typedef struct bt_bude_compound bt_bude_compound;

/* .mol2 (types as they are, @<BUDE>CONF blocks are conformers), .sdf, .mol, .smi (also .gz), or a library; "-" is
 * standard input in options.ligands.format. Records that follow each other with one name and one set of bonds are
 * conformers of one compound. Making conformers, SDF and SMILES need RDKit. bude is borrowed while the reader lives. */
bt_status bt_bude_reader_open(bt_bude *bude, const char *path, bt_bude_reader **ret_reader,
                              bt_error *opt_error) BT_MUST_USE;
bt_status bt_bude_reader_open_text(bt_bude *bude, const char *text, size_t size, const char *label,
                                   bt_ligand_format format, bt_bude_reader **ret_reader,
                                   bt_error *opt_error) BT_MUST_USE;
/* The next compound, NULL at the end. After BT_ERR_INPUT, BT_ERR_PARAMETER or BT_ERR_LIMIT the next call goes on with
 * the next record; other failures are final. */
bt_status bt_bude_reader_next(bt_bude_reader *reader, bt_bude_compound **ret_compound, bt_error *opt_error) BT_MUST_USE;
void bt_bude_reader_close(bt_bude_reader *opt_reader);
/* Of the record last read, also when it failed. */
long bt_bude_reader_record(const bt_bude_reader *reader);
const char *bt_bude_reader_name(const bt_bude_reader *reader);

void bt_bude_compound_destroy(bt_bude_compound *opt_compound);
const char *bt_bude_compound_name(const bt_bude_compound *compound);
int bt_bude_compound_atom_count(const bt_bude_compound *compound);  /* hydrogens included */
int bt_bude_compound_heavy_count(const bt_bude_compound *compound); /* those that are scored */
int bt_bude_compound_conformer_count(const bt_bude_compound *compound);
int bt_bude_compound_note_count(const bt_bude_compound *compound);
const char *bt_bude_compound_note(const bt_bude_compound *compound, int index);

/* ---------------------------------------------------------------------------------------------------------
 * 4. Docking
 *
 *     bt_bude_pose poses[1]; // bude_options.poses
 *     int n_poses;
 *     if (bt_bude_dock(bude, compound, poses, &n_poses, &error) != BT_OK)
 *       goto failed;
 * --------------------------------------------------------------------------------------------------------- */

/* A pose: the conformer, turned about its middle by angles about the fixed x, then y, then z axis, and put at center +
 * translation. Energies are those of double precision. */
typedef struct bt_bude_pose {
  double energy, steric, charge, desolvation; /* energy is their sum; ~ kcal/mol, lower is better */
  double found_energy;                        /* single precision, as the search saw it */
  int conformer;                              /* from 0 */
  int index[6];                               /* descriptor: points of the grid, from 1 */
  double angles[3], translation[3];           /* degrees, Angstrom */
  bool in_place;                              /* scored as it stands in its file */
} bt_bude_pose;

/* Searches for poses of all conformers; ret_poses[options.poses], best first. */
bt_status bt_bude_dock(bt_bude *bude, const bt_bude_compound *compound, bt_bude_pose *ret_poses, int *ret_count,
                       bt_error *opt_error) BT_MUST_USE;
/* As an engine for bt_engine_dock; bude is borrowed. */
bt_status bt_engine_open_bude(bt_bude *bude, bt_engine **ret_engine, bt_error *opt_error) BT_MUST_USE;
/* Energy of a conformer where it stands in its file. */
bt_status bt_bude_score_in_place(bt_bude *bude, const bt_bude_compound *compound, int conformer, bt_bude_pose *ret_pose,
                                 bt_error *opt_error) BT_MUST_USE;
/* Pairs of atoms that were scored, and the seconds that the device took, of all dockings so far. */
double bt_bude_interactions(const bt_bude *bude);
double bt_bude_search_seconds(const bt_bude *bude);
/* Part of that time in which the device was not computing energies but searching: first generations, mutation,
 * selection. NaN unless options.timed. */
double bt_bude_search_share(const bt_bude *bude);

/* ---------------------------------------------------------------------------------------------------------
 * 5. Poses as files
 *
 *     char *mol2;
 *     if (bt_bude_pose_mol2(bude, compound, &poses[0], 1, &mol2, &error) != BT_OK)
 *       goto failed;
 *     fputs(mol2, stdout);
 *     free(mol2);
 * --------------------------------------------------------------------------------------------------------- */

/* ret_x[bt_bude_compound_atom_count()], Angstrom, in the receptor's frame. */
void bt_bude_pose_coordinates(const bt_bude *bude, const bt_bude_compound *compound, const bt_bude_pose *pose,
                              double (*ret_x)[3]);
/* One MOL2 record; BUDE's own comment lines (Descriptor, Energy) stand before it. free() the text. */
bt_status bt_bude_pose_mol2(const bt_bude *bude, const bt_bude_compound *compound, const bt_bude_pose *pose, int rank,
                            char **ret_text, bt_error *opt_error) BT_MUST_USE;
/* One SDF record with the energies as data items; needs RDKit. free() the text. */
bt_status bt_bude_pose_sdf(const bt_bude *bude, const bt_bude_compound *compound, const bt_bude_pose *pose, int rank,
                           char **ret_text, bt_error *opt_error) BT_MUST_USE;
/* RMSD of heavy atoms to the first conformer of a reference where it stands, Angstrom; atoms that symmetry exchanges
 * may be exchanged. BT_ERR_INPUT when the molecules differ. */
bt_status bt_bude_pose_rmsd(const bt_bude *bude, const bt_bude_compound *compound, const bt_bude_pose *pose,
                            const bt_bude_compound *reference, double *ret_rmsd, bt_error *opt_error) BT_MUST_USE;

/* ---------------------------------------------------------------------------------------------------------
 * 6. Libraries (docs/bude.md)
 *
 *     bt_bude_library *library;
 *     if (bt_bude_library_create(bude, "all.bude", &library, &error) != BT_OK ||
 *         bt_bude_library_add(library, compound, &error) != BT_OK || bt_bude_library_commit(library, &error) != BT_OK)
 *       goto failed;
 * --------------------------------------------------------------------------------------------------------- */

typedef struct bt_bude_library bt_bude_library;

/* Writes aside; commit makes the file appear. bude gives the force field. */
bt_status bt_bude_library_create(const bt_bude *bude, const char *path, bt_bude_library **ret_library,
                                 bt_error *opt_error) BT_MUST_USE;
bt_status bt_bude_library_add(bt_bude_library *library, const bt_bude_compound *compound,
                              bt_error *opt_error) BT_MUST_USE;
/* The library is destroyed, whatever happens. */
bt_status bt_bude_library_commit(bt_bude_library *library, bt_error *opt_error) BT_MUST_USE;
void bt_bude_library_abandon(bt_bude_library *opt_library);

/* ---------------------------------------------------------------------------------------------------------
 * 7. Screens (docs/screening.md)
 *
 *     bt_bude_screen settings = {.opt_mol2_path = "receptor.mol2", .options = bude_options};
 *     bt_screen_options screen = bt_screen_options_default(); // berth/screen.h
 *     screen.opt_engine = "bude";
 *     screen.opt_engine_settings = &settings;
 * --------------------------------------------------------------------------------------------------------- */

/* The engine "bude" of a screen: every record of the screen's library (MOL2, SDF, SMILES) is a compound, which gets
 * conformers and is docked by bt_bude_dock on one device. Receptor as for bt_bude_open. Of the options, the seed is
 * that of the screen's search, poses that of the screen, progress the screen's own. */
typedef struct bt_bude_screen {
  const char *opt_mol2_path;
  const bt_molecule *opt_receptor;
  bt_bude_options options;
} bt_bude_screen;

#ifdef __cplusplus
}
#endif

#endif
