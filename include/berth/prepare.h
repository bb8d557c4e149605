/* prepare.h - ligands and receptors from common chemical formats: SDF, MOL2, SMILES, PDB, mmCIF.
 *
 * Contents
 *   1. Ligands            record by record; needs a build with RDKit
 *   2. Receptors          needs a build with gemmi
 *   3. Libraries          many ligands, prepared once, in one compact file; needs a build with zstd
 *
 * Definitions are in docs/preparation.md and docs/formats.md. Conventions and the examples' error are those of berth.h.
 */
#ifndef BERTH_PREPARE_H
#define BERTH_PREPARE_H

#include <berth/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------------------------------------------------
 * 1. Ligands (docs/preparation.md)
 *
 *     bt_prepare_options prepare = bt_prepare_options_default();
 *     bt_ligand_reader *reader;
 *     bt_molecule *prepared = NULL;
 *     if (bt_ligand_reader_open("ligands.smi", &prepare, &reader, &error) != BT_OK)
 *       goto failed;
 *     while (bt_ligand_reader_next(reader, &prepared, &error) == BT_OK && prepared != NULL) {
 *       puts(bt_molecule_smiles(prepared));
 *       bt_molecule_destroy(prepared);
 *     }
 *     bt_ligand_reader_close(reader);
 * --------------------------------------------------------------------------------------------------------- */

typedef enum bt_charge_model {
  BT_CHARGES_GASTEIGER, /* on all atoms; charges of merged hydrogens are added to their heavy atoms */
  BT_CHARGES_ZERO,
  BT_CHARGES_READ /* from the MOL2 file */
} bt_charge_model;

/* For a molecule without 3D coordinates and with undefined stereocenters or double bonds: */
typedef enum bt_stereo {
  BT_STEREO_ANY,      /* one isomer is generated, and a note names what was undefined */
  BT_STEREO_ENUMERATE /* every isomer becomes a ligand, up to BT_STEREO_MOST per record */
} bt_stereo;
enum { BT_STEREO_MOST = 32, BT_PROTOMERS_MOST = 32 };

/* Where a molecule without 3D coordinates gets them from (docs/preparation.md): */
typedef enum bt_coordinates {
  BT_COORDINATES_AUTO,     /* built for screens and libraries, otherwise embedded */
  BT_COORDINATES_EMBEDDED, /* distance geometry (ETKDG) and a force field (MMFF94s) on the whole molecule */
  BT_COORDINATES_BUILT     /* from its fragments, which are embedded once; the few that cannot be built as above */
} bt_coordinates;

/* A residue that a covalent ligand is bonded to, as returned by bt_prepared_receptor_tether. */
enum { BT_TETHER_ATOMS = 12 }; /* tyrosine, the largest reactive residue, has nine */
typedef struct bt_tether_atom {
  char name[8];
  double x[3]; /* Angstrom */
} bt_tether_atom;
typedef struct bt_tether {
  char residue[40];                      /* A:CYS145 */
  char name[8];                          /* CYS */
  char chain, icode;                     /* ' ' when absent */
  int number;
  int n_atoms;
  bt_tether_atom atoms[BT_TETHER_ATOMS]; /* heavy atoms of the side chain: the reactive one first, CA last */
} bt_tether;

/* Assumed for ligands and receptors whose protonation is neither stated by their files nor set. */
#define BT_USUAL_PH 7.4

/* Start from bt_prepare_options_default(); defaults in brackets. */
typedef struct bt_prepare_options {
  const char *opt_format;    /* "sdf" (V2000 and V3000), "mol2" (types of Corina), "smiles" (one per line, and its name),
                              * "pdb" (one per MODEL; orders from opt_template), "pdbqt" (as prepared); format.h has them
                              * all. [NULL: by the ending] */
  double ph;                 /* protonation at this pH by the rules of data/chem; NaN: as stated by the record's
                              * hydrogens or charges, otherwise that of BT_USUAL_PH, as for a receptor [NaN] */
  bool as_drawn;             /* without ph: keep what is drawn even where nothing is stated [false] */
  int conformers;            /* generated for a molecule without 3D coordinates, one ligand each unless `ensemble`; 0:
                              * none, it stays flat, which suffices to show types and torsions but not to dock [1] */
  uint64_t seed;             /* for conformers [42] */
  bt_stereo stereo;          /* [ANY] */
  const char *opt_template;  /* SMILES that provides the bond orders of a molecule without any (PDB) [NULL] */
  const char *opt_name_field; /* data item of SDF records, or column of tables, that names the ligand, if present
                               * [NULL: the title; the column with a usual heading, such as name or id] */
  bt_charge_model charges;   /* [GASTEIGER] */
  bool flexible_amides;      /* amides, amidines, guanidines rotate as well [false] */
  bool rigid_macrocycles;    /* open no ring [false] */
  int smallest_macrocycle;   /* rings of this many (at least 7) to 33 atoms are opened; with old_rules always 7 [8] */
  bool hydrated;             /* add waters W for hydrated docking [false] */
  bool old_rules;            /* rotatable bonds and macrocycles by the rules of Meeko 0.5, not 0.7 [false] */
  bool keep_hydrogens;       /* keep non-polar hydrogens as atoms of type H [false] */
  bool as_docked;            /* for SDF poses written by Berth: what was docked, as the record describes it: opened
                              * rings (unless rigid_macrocycles), waters, flexible residues, charges [false] */
  bool together;             /* several ligands in one MODEL of a PDBQT file, which were docked together, are one pose
                              * (bt_molecules_join); otherwise they are refused [false] */
  const bt_tether *opt_tether; /* bond ligands to this residue: the product of warhead and side chain is prepared, with
                                * the alpha carbon as root; borrowed [NULL] */
  const char *opt_warhead;   /* which warhead reacts: a name from the table in docs/preparation.md, or a SMARTS: its
                              * first atom is bonded to the residue, its bond to the second loses one order [NULL: the
                              * only one] */
  double record_seconds;     /* time limit for a record, and for each of its conformers; beyond it BT_ERR_LIMIT. 0: no
                              * limit [300] */
  bool (*opt_cancelled)(void *user); /* polled while a record is prepared, from any thread; true ends it with
                                      * BT_ERR_CANCELLED */
  void *opt_cancelled_user;
  bool ensemble;             /* the conformers of a record are one ligand: they share a docking's runs, and their poses
                              * are ranked together. 3D coordinates of the record are the first of them [false] */
  const char *opt_smiles_field; /* column of tables with SMILES [NULL: the one with a usual heading] */
  const char *opt_filter; /* what is left out, with BT_ERR_FILTERED: "weight<=500,logp<5,pains", see docs/formats.md
                           * [NULL: nothing] */
  const char *opt_keep_fields; /* columns of tables and data items of SDF records that a library keeps beside its
                                * ligands and a screen in its database: "price,id", or "all"; of those that a .btl file
                                * has, these [NULL: of tables and SDF none, of a .btl file all] */
  bt_coordinates coordinates; /* of molecules without any [AUTO] */
  int protomers;              /* states of a record that become ligands, at most: protonation near the pH, tautomers; named
                               * NAME_p1, the usual one, NAME_p2, ... if there are several. A screen docks them all and
                               * ranks the record by the best; 1 to BT_PROTOMERS_MOST [1: the usual one] */
} bt_prepare_options;

/* As many are docked together by default: docs/decisions/029-conformers.md. */
enum { BT_DOCKED_CONFORMERS = 4 };

bt_prepare_options bt_prepare_options_default(void);

/* BT_ERR_USAGE names what is no condition of a filter; and `unique`, which only a library as a whole can meet
 * (bt_library_write). */
bt_status bt_filter_check_words(const char *text, bool library, bt_error *opt_error) BT_MUST_USE;

/* Reads ligands one by one: a file of any length needs only the memory of its largest record. */
typedef struct bt_ligand_reader bt_ligand_reader;

/* path: a file, compressed or not, a folder, a tar archive, a .btl file, or "-" for standard input. options->opt_format
 * applies to standard input (NULL: PDBQT) and to files with an unknown extension. options are copied. BT_ERR_USAGE if
 * the format needs RDKit and this build has none. Molecules from PDBQT and .btl files have no bonds until
 * bt_molecule_find_chemistry. */
bt_status bt_ligand_reader_open(const char *path, const bt_prepare_options *options, bt_ligand_reader **ret_reader,
                                bt_error *opt_error) BT_MUST_USE;
/* The same from a text, which is copied; label takes the place of the file name in messages. options->opt_format must not
 * be NULL. */
bt_status bt_ligand_reader_open_text(const char *text, size_t size, const char *label,
                                     const bt_prepare_options *options, bt_ligand_reader **ret_reader,
                                     bt_error *opt_error) BT_MUST_USE;
/* The next ligand, NULL at the end. After any failure but BT_ERR_MEMORY the next call returns the next record, if the
 * file can still be read. A file without any record is BT_ERR_INPUT. */
bt_status bt_ligand_reader_next(bt_ligand_reader *reader, bt_molecule **ret_molecule,
                                bt_error *opt_error) BT_MUST_USE;
void bt_ligand_reader_close(bt_ligand_reader *opt_reader);
/* Restricts reading to the records first to last, from 1; the others are skipped without being prepared. */
void bt_ligand_reader_select(bt_ligand_reader *reader, int64_t first, int64_t last);
/* The number of records read or skipped so far. */
int64_t bt_ligand_reader_count(const bt_ligand_reader *reader);
/* Of the record last read, even if it failed: its number from 1, whether it is the only one of its file, its name. */
long bt_ligand_reader_record(const bt_ligand_reader *reader);
bool bt_ligand_reader_alone(const bt_ligand_reader *reader);
const char *bt_ligand_reader_name(const bt_ligand_reader *reader);
/* How many SDF records without atoms were skipped so far. */
long bt_ligand_reader_empty(const bt_ligand_reader *reader);

/* What the user should know of the preparation ("kept the largest of 2 fragments ..."), one clause each. */
int bt_molecule_note_count(const bt_molecule *molecule);
const char *bt_molecule_note(const bt_molecule *molecule, int index);

/* True if the bonds of the molecule are known, as bt_molecule_sdf needs. For a PDBQT ligand, bt_molecule_find_chemistry
 * reads them from Meeko's REMARK SMILES lines; BT_ERR_INPUT if there are none or they do not fit. */
bool bt_molecule_has_chemistry(const bt_molecule *molecule);
bt_status bt_molecule_find_chemistry(bt_molecule *molecule, bt_error *opt_error) BT_MUST_USE;
/* Canonical isomeric SMILES without hydrogens; "" if the bonds are unknown. */
const char *bt_molecule_smiles(const bt_molecule *molecule);

/* False if the coordinates were generated, as for a SMILES or a drawing in 2D: it has no pose of its own. */
bool bt_molecule_has_pose(const bt_molecule *molecule);

/* The residue that a covalent ligand is bonded to, such as "A:CYS145"; "" for a non-covalent one. */
const char *bt_molecule_tether(const bt_molecule *molecule);

/* A data item of an SDF record: "> <name>", value. */
typedef struct bt_sdf_tag {
  const char *name, *value;
} bt_sdf_tag;

/* One SDF record ("$$$$" included) with all hydrogens, bond orders, stereo, name and data items of the input, followed
 * by the given tags. opt_coordinates[bt_molecule_atom_count()], Angstrom, in the order of the PDBQT text; NULL: as
 * prepared. Merged hydrogens move with their neighbors. V3000 above 999 atoms. free() the text. */
bt_status bt_molecule_sdf(const bt_molecule *molecule, const double (*opt_coordinates)[3], const bt_sdf_tag *tags,
                          int n_tags, char **ret_text, bt_error *opt_error) BT_MUST_USE;
/* The molecule as PDBQT text (as read, or as prepared); free() it. bt_molecule_write_pdbqt writes a file. */
bt_status bt_molecule_pdbqt(const bt_molecule *molecule, char **ret_text, bt_error *opt_error) BT_MUST_USE;
bt_status bt_molecule_write_pdbqt(const bt_molecule *molecule, const char *path, bt_error *opt_error) BT_MUST_USE;
/* "2022.09.3"; "" if built without RDKit. */
const char *bt_rdkit_version(void);

/* ---------------------------------------------------------------------------------------------------------
 * 2. Receptors (docs/preparation.md)
 *
 *     bt_receptor_options protein = bt_receptor_options_default();
 *     bt_prepared_receptor *receptor;
 *     protein.opt_ligand = "MK1";
 *     if (bt_receptor_prepare("1hsg.pdb", &protein, &receptor, &error) != BT_OK)
 *       goto failed;
 *     puts(bt_prepared_receptor_report(receptor));
 *     if (bt_molecule_write_pdbqt(bt_prepared_receptor_rigid(receptor), "1hsg.pdbqt", &error) != BT_OK)
 *       goto failed;
 *     bt_prepared_receptor_destroy(receptor);
 * --------------------------------------------------------------------------------------------------------- */

/* Which waters of the file stay: none; those that the receptor holds by three hydrogen bonds, or by two if they are
 * well ordered (docs/preparation.md#waters); all. */
typedef enum bt_waters { BT_WATERS_NONE, BT_WATERS_BOUND, BT_WATERS_ALL } bt_waters;

/* Start from bt_receptor_options_default(); defaults in brackets.
 *
 * Residues are named as everywhere: `HOH` (name), `57` (number), `HIS57`, `A:` (chain), `A:57`, `A:57B` (with insertion
 * code), `A:HIS57`, `A:HIS:57`, `HIS:A:57`; of several readings, the first that matches any residue counts. Several
 * names may be given, separated by commas. */
typedef struct bt_receptor_options {
  int model;                   /* number of the model in the file, from 1; 0: all, as of an assembly [1] */
  double ph;                   /* protonation at this pH: by pKa values from propka3 if it is installed, else from model
                                * compounds; NaN: usual states at pH 7.4 [NaN] */
  bool as_drawn;               /* without ph: keep the protonation of templates (below) as they are drawn [false] */
  bool ignore_hydrogens;       /* discard those of the file and place them anew [false] */
  bool flips;                  /* allow 180-degree flips of ASN and GLN amides and HIS rings [false] */
  bool zinc;                   /* AD4Zn: charge of Zn is 0, tetrahedral pseudo atoms TZ are added [false] */
  bool strict;                 /* elements that need stand-in parameters are an error, and so are residues that no
                                * template describes [false] */
  bool keep_incomplete;        /* do not rebuild missing side-chain atoms of residues whose main chain is complete
                                * [false] */
  bool delete_unknown;         /* delete unknown residues, instead of finding their chemistry from their coordinates
                                * [false] */
  const char *const *keep;     /* residues deleted otherwise: waters, crystallization additives; NULL: none */
  const char *const *remove;   /* residues to delete */
  const char *const *states;   /* `A:57:HID`: the template of a residue */
  const char *const *altlocs;  /* `B` for all, `A:57:B` for one residue; the highest occupancy otherwise */
  const char *const *flexible; /* residues with flexible side chains, such as `A:ARG8` */
  const char *const *templates; /* `NAME=SMILES` for unknown residues, protonated as ligands are; needs RDKit */
  const char *const *places;    /* residues that mark the site: removed if they are ligands, unless listed in keep */
  int n_keep, n_remove, n_states, n_altlocs, n_flexible, n_templates, n_places;
  double box_center[3], box_size[3]; /* of the docking, Angstrom: what is removed near it is named in the notes, what
                                      * cannot be prepared stops nothing if it is far from it, and an unknown molecule
                                      * at its center is taken out as the ligand; sizes 0: not known [0] */
  const char *opt_covalent; /* the residue that ligands are bonded to: its side chain is omitted from the rigid part, as
                             * it becomes part of them (bt_prepared_receptor_tether) [NULL] */
  const char *opt_ligand; /* as in bt_receptor_ligand_pdb; that residue is removed from the receptor [NULL] */
  const char *opt_pka;    /* a .pka file of propka3, instead of running it [NULL] */
  double pka_seconds;     /* time limit for propka3 [600] */
  const bt_molecule *opt_onto; /* another receptor of the same protein, on whose C-alpha atoms around the box this one is
                                * superposed before it is prepared; borrowed [NULL] */
  const char *opt_name;   /* of the receptor in results [NULL: that of the file] */
  bt_waters waters;       /* beside those in keep, and without those in remove. To dock with and without the bound ones,
                           * open both receptors and dock into them as an ensemble (opt_name tells them apart,
                           * bt_prepared_receptor_water_count says whether there are any) [NONE] */
} bt_receptor_options;

bt_receptor_options bt_receptor_options_default(void);

typedef struct bt_prepared_receptor bt_prepared_receptor;

/* Reads a PDB or mmCIF file (also compressed; "-" is standard input) and prepares a receptor. BT_ERR_INPUT names all
 * unknown residues. The caller destroys the result. */
bt_status bt_receptor_prepare(const char *path, const bt_receptor_options *options, bt_prepared_receptor **ret_prepared,
                              bt_error *opt_error) BT_MUST_USE;
void bt_prepared_receptor_destroy(bt_prepared_receptor *opt_prepared);

/* The prepared receptor: its rigid part, and its flexible side chains (NULL if none); borrowed. */
const bt_molecule *bt_prepared_receptor_rigid(const bt_prepared_receptor *prepared);
const bt_molecule *bt_prepared_receptor_flexible(const bt_prepared_receptor *prepared);
/* The residue of opt_covalent, borrowed; NULL if none. */
const bt_tether *bt_prepared_receptor_tether(const bt_prepared_receptor *prepared);
/* Waters that options.waters kept. */
int bt_prepared_receptor_water_count(const bt_prepared_receptor *prepared);
/* Both parts as PDBQT text; "" if there are no flexible residues. */
const char *bt_prepared_receptor_rigid_pdbqt(const bt_prepared_receptor *prepared);
const char *bt_prepared_receptor_flexible_pdbqt(const bt_prepared_receptor *prepared);
/* All atoms as PDB text, with polar hydrogens, without pseudo atoms. */
const char *bt_prepared_receptor_pdb(const bt_prepared_receptor *prepared);
/* What was done to each residue: one line each, and as JSON (docs/json.md). */
const char *bt_prepared_receptor_report(const bt_prepared_receptor *prepared);
const char *bt_prepared_receptor_report_json(const bt_prepared_receptor *prepared);
/* What the user should check: one line each, without newlines. */
int bt_prepared_receptor_note_count(const bt_prepared_receptor *prepared);
const char *bt_prepared_receptor_note(const bt_prepared_receptor *prepared, int index);

/* Number of models in a structure file, as for options.model. */
bt_status bt_receptor_model_count(const char *path, int *ret_count, bt_error *opt_error) BT_MUST_USE;
/* Extracts one residue, named as in bt_receptor_options, from a structure file as PDB text (HETATM, CONECT between
 * close atoms, END). If several residues match, the error lists them. free() the text. */
bt_status bt_receptor_ligand_pdb(const char *path, int model, const char *which, char **ret_text,
                                 bt_error *opt_error) BT_MUST_USE;
/* Names of up to five molecules of a structure file that may be ligands, as they can be given to bt_receptor_ligand_pdb:
 * "A:XK2:263, B:NAP301"; "" if there is none. free() the text. */
bt_status bt_receptor_ligands(const char *path, int model, char **ret_text, bt_error *opt_error) BT_MUST_USE;
/* "0.5.7"; "" if built without gemmi. */
const char *bt_gemmi_version(void);

/* ---------------------------------------------------------------------------------------------------------
 * 3. Libraries (docs/formats.md)
 *
 *     bt_library_options library = bt_library_options_default();
 *     bt_library_result written;
 *     if (bt_library_write((const char *[]){"vendor.sdf.gz", "more/"}, 2, "all.btl", &library, &written, &error) != BT_OK)
 *       goto failed;
 *     printf("%lld ligands, %lld rejected\n", (long long)written.ligands, (long long)written.rejected);
 * --------------------------------------------------------------------------------------------------------- */

/* Called from the calling thread for each ligand in order, stored (opt_molecule) or rejected (the status of reason is
 * not BT_OK); return false to stop. source: "lib.sdf:record 17". */
typedef bool (*bt_library_fn)(void *user, const char *name, const char *source, const bt_molecule *opt_molecule,
                              const bt_error *reason);

/* Start from bt_library_options_default(); defaults in brackets. */
typedef struct bt_library_options {
  bt_prepare_options prepare; /* [bt_prepare_options_default(); format is for standard input, AUTO: PDBQT] */
  int threads;                /* 0: all cores [0] */
  bt_library_fn opt_each;
  void *opt_user;
} bt_library_options;

bt_library_options bt_library_options_default(void);

typedef struct bt_library_result {
  int64_t ligands, rejected; /* conformers are counted individually */
  int64_t filtered;          /* left out by the filter, BT_ERR_FILTERED for opt_each; not among the rejected */
  uint64_t bytes;            /* of the file */
} bt_library_result;

/* Prepares all ligands of the paths - files, compressed or not, folders, tar archives, .btl files, "-" - and writes them
 * to one .btl file, completely or not at all. Ligands that cannot be prepared or docked are rejected without affecting
 * the others. BT_ERR_INPUT: there is not a single ligand; BT_ERR_CANCELLED: opt_each returned false. */
bt_status bt_library_write(const char *const *paths, int n_paths, const char *path, const bt_library_options *options,
                           bt_library_result *ret_result, bt_error *opt_error) BT_MUST_USE;


#ifdef __cplusplus
}
#endif

#endif
