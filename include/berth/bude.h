/* bude.h - the second engine: rigid conformations of ligands against a rigid receptor, BUDE's empirical free-energy
 * force field atom by atom, evolutionary Monte Carlo over the six degrees of freedom.
 *
 * Contents
 *   1. Options
 *   2. Receptor and device
 *   3. Ligands            compounds with one or more conformers
 *   4. Docking
 *   5. Screens            of any size, resumable
 *
 * Conventions and the examples' error are those of berth.h. A bt_bude may be used by one thread at a time.
 */
#ifndef BERTH_BUDE_H
#define BERTH_BUDE_H

#include <berth/berth.h>
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
  BT_BUDE_A,   /* pair parameters are means; all charges take part */
  BT_BUDE_B,   /* as A, but class - has no charge term, and class P only with class F */
  BT_BUDE_DECK /* hardness and reaches of the benchmark decks for all types */
} bt_bude_rule_set;

/* Start from bt_bude_options_default(); defaults in brackets. Strings and arrays are borrowed for the lifetime of a
 * bt_bude. */
typedef struct bt_bude_options {
  const char *opt_forcefield; /* a .bhff file; NULL: the built-in by-atom table of 2017 [NULL] */
  bt_bude_rule_set rules;     /* [A] */
  const char *const *aliases; /* "S.x=S.3": substitutes for types that the force field lacks; NULL: none */
  int n_aliases;

  double center[3], size[3];   /* box in which the ligand's center moves, Angstrom [-, 15 each] */
  double spacing, angle_step;  /* Angstrom, degrees [1, 10] */
  int generations, population; /* generations scored [8]; poses in each [65536] */
  int parents;                 /* best poses kept for mutation [100] */
  bool duplicates;             /* allow identical parents [false] */
  uint64_t seed;               /* [42] */
  int poses;                   /* kept per ligand [1] */
  double separation;           /* minimum RMSD between kept poses, Angstrom [1.5] */

  bt_prepare_options ligands; /* format, pH, conformers to generate where one is given (0: none) [20] and their seed;
                               * other members have no effect */
  bool keep_conformer;        /* dock the given conformer as well as the generated ones [false] */

  const char *opt_device;    /* as in bt_dock_options; several share the conformers: "cuda:0,cpu" [NULL: the best] */
  int threads;               /* on the CPU; 0: all cores */
  int poses_per_item, group; /* 0: tuned */
  int batch;                 /* conformations on a device at once; 0: chosen automatically [0] */
  int64_t memory;            /* bytes of device memory that may be used; 0: all [0] */
  bool timed;                /* wait for every kernel, for the sake of bt_bude_totals.search_share [false] */
  bool (*opt_progress)(void *user, double part); /* part of one ligand, 0 to 1; false stops with BT_ERR_CANCELLED */
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

/* Reads the force field, types the receptor and opens the device. The receptor is either a MOL2 file, whose types are
 * taken as given, or a molecule from PDBQT or bt_receptor_prepare, whose types are assigned by residue.
 * BT_ERR_PARAMETER names an atom whose type is not in the force field; BT_ERR_INPUT: the receptor is empty. */
bt_status bt_bude_open(const char *opt_mol2_path, const bt_molecule *opt_receptor, const bt_bude_options *options,
                       bt_bude **ret_bude, bt_error *opt_error) BT_MUST_USE;
void bt_bude_close(bt_bude *opt_bude);

const char *bt_bude_device_name(const bt_bude *bude); /* of all of them, with commas between */
const char *bt_bude_device_description(const bt_bude *bude);
/* One of the devices that share the conformers, from 0, and how many it has docked; the name is NULL after the last. */
typedef struct bt_bude_device {
  const char *name;
  int64_t conformers;
} bt_bude_device;
bt_bude_device bt_bude_device_of(const bt_bude *bude, int index);
/* What the user should check; "": nothing. */
const char *bt_bude_note(const bt_bude *bude);

/* ---------------------------------------------------------------------------------------------------------
 * 3. Ligands
 *
 *     const char *path = "ligands.sdf";
 *     bt_bude_reader *reader;
 *     bt_bude_compound *compound;
 *     if (bt_bude_reader_open(bude, &path, 1, NULL, &reader, &error) != BT_OK ||
 *         bt_bude_reader_next(reader, &compound, &error) != BT_OK) // NULL at the end
 *       goto failed;
 * --------------------------------------------------------------------------------------------------------- */

typedef struct bt_bude_reader bt_bude_reader;
typedef struct bt_bude_compound bt_bude_compound;

/* paths: .mol2 (types as given; @<BUDE>CONF blocks are conformers), .sdf, .mol, .smi (also .gz, .bz2, .zst), .btl,
 * folders, archives, patterns; "-" is standard input in options.ligands.opt_format. opt_excluded: a file that folders may hold.
 * Consecutive records of a file with the same name and bonds are conformers of one compound, as are NAME_c1, NAME_c2,
 * ... of a .btl. All but MOL2, and the generation of conformers, need RDKit. bude is borrowed for the lifetime of the
 * reader. */
bt_status bt_bude_reader_open(bt_bude *bude, const char *const *paths, int n_paths, const char *opt_excluded,
                              bt_bude_reader **ret_reader, bt_error *opt_error) BT_MUST_USE;
/* The next compound, NULL at the end. After BT_ERR_INPUT, BT_ERR_PARAMETER or BT_ERR_LIMIT the next call continues with
 * the next record; other failures are final. */
bt_status bt_bude_reader_next(bt_bude_reader *reader, bt_bude_compound **ret_compound, bt_error *opt_error) BT_MUST_USE;
void bt_bude_reader_close(bt_bude_reader *opt_reader);
/* Name of the record last read, even if it failed. */
const char *bt_bude_reader_name(const bt_bude_reader *reader);

void bt_bude_compound_destroy(bt_bude_compound *opt_compound);
/* All its atoms in the first conformer, its name, notes and, where RDKit understands them, bonds. */
const bt_molecule *bt_bude_compound_molecule(const bt_bude_compound *compound);
int bt_bude_compound_heavy_count(const bt_bude_compound *compound); /* the atoms that are scored */
int bt_bude_compound_conformer_count(const bt_bude_compound *compound);

/* ---------------------------------------------------------------------------------------------------------
 * 4. Docking
 *
 *     bt_result *posed;
 *     char *mol2;
 *     if (bt_bude_dock(bude, compound, NULL, &posed, &error) != BT_OK ||
 *         bt_result_text(posed, "mol2", NULL, &mol2, &error) != BT_OK)
 *       goto failed;
 *     printf("conformer %d: %.2f\n%s", bt_bude_placement_of(posed, 0)->conformer,
 *            bt_result_ranked(posed, 0).energy.free_energy, mol2);
 *     free(mol2);
 *     bt_result_destroy(posed); // before the compound
 * --------------------------------------------------------------------------------------------------------- */

/* Searches for poses of all conformers: at most options.poses runs, best first, each a cluster of its own. The compound
 * must outlive the result, whose energies are in double precision, ~ kcal/mol, lower is better: free_energy is the sum
 * of inter_vdw_hbond (BUDE's steric term), inter_electrostatic (charge) and inter_desolvation; search_energy is that of
 * the search, in single precision. Files of poses are MOL2 with the types of the input and, where RDKit understands the
 * bonds, SDF and PDBQT, a ligand prepared in each pose; bt_rescoring_apply scores them (rescore.h). opt_reference: as
 * for bt_dock, compared by heavy atoms. */
bt_status bt_bude_dock(bt_bude *bude, const bt_bude_compound *compound, const bt_molecule *opt_reference,
                       bt_result **ret_result, bt_error *opt_error) BT_MUST_USE;
/* This compound is going to be docked, too: devices that have nothing to do begin with it, while others finish the one
 * before or the caller reads another. Results are the same. It has to be docked before it is destroyed, unless bude is
 * closed instead. */
void bt_bude_announce(bt_bude *bude, const bt_bude_compound *compound);
/* No search: all conformers at the coordinates in their file, in their order. */
bt_status bt_bude_score_in_place(bt_bude *bude, const bt_bude_compound *compound, const bt_molecule *opt_reference,
                                 bt_result **ret_result, bt_error *opt_error) BT_MUST_USE;

/* Where a pose is, by its position as in bt_result_ranked; NULL: there is none, or the result is of another engine. */
const bt_placement *bt_bude_placement_of(const bt_result *result, int position);

/* Of all dockings so far. */
typedef struct bt_bude_totals {
  double interactions; /* atom pairs scored */
  double seconds;      /* spent on the devices */
  double search_share; /* of that time: first generations, mutation, selection, no energies; NaN unless timed */
} bt_bude_totals;
bt_bude_totals bt_bude_totals_of(const bt_bude *bude);

/* ---------------------------------------------------------------------------------------------------------
 * 5. Screens (docs/screening.md)
 *
 *     bt_bude_screen settings = {.opt_mol2_path = "receptor.mol2", .options = bude_options};
 *     bt_screen_options screen = bt_screen_options_default(); // berth/screen.h
 *     screen.opt_engine = "bude";
 *     screen.opt_engine_settings = &settings;
 * --------------------------------------------------------------------------------------------------------- */

/* The engine "bude" of a screen: every record of the screen's library (MOL2, SDF, SMILES, .btl) is a compound; its
 * conformers are generated, and bt_bude_dock docks it. Receptor as for bt_bude_open. The screen's own
 * options determine seed, poses and progress. */
typedef struct bt_bude_screen {
  const char *opt_mol2_path;
  const bt_molecule *opt_receptor;
  bt_bude_options options;
} bt_bude_screen;

#ifdef __cplusplus
}
#endif

#endif
