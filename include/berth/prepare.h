/* prepare.h - ligands and receptors from what chemists have: SDF, MOL2, SMILES, PDB, mmCIF.
 *
 * Contents
 *   1. Ligands            one record after the other; needs a build with RDKit
 *   2. Receptors          needs a build with gemmi
 *   3. Libraries          many ligands, prepared once, in one compact file; needs a build with zstd
 *
 * Definitions are in docs/preparation.md and docs/formats.md. Conventions and the examples' error are those of berth.h.
 */
#ifndef BERTH_PREPARE_H
#define BERTH_PREPARE_H

#include <berth/berth.h>

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

/* Of a molecule without 3D coordinates that leaves stereocentres or the sides of double bonds undefined: */
typedef enum bt_stereo {
  BT_STEREO_ANY,      /* one isomer is made, and a note names what was undefined */
  BT_STEREO_ENUMERATE /* every isomer is a ligand of its own, up to BT_STEREO_MOST of a record */
} bt_stereo;
enum { BT_STEREO_MOST = 32 };

/* A residue that a covalent ligand is bonded to, as bt_prepared_receptor_tether has it. */
enum { BT_TETHER_ATOMS = 12 }; /* tyrosine, the largest residue that reacts, has nine */
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
  bt_tether_atom atoms[BT_TETHER_ATOMS]; /* heavy atoms of the side chain: the one that reacts first, CA last */
} bt_tether;

/* Start from bt_prepare_options_default(); defaults in brackets. */
typedef struct bt_prepare_options {
  bt_ligand_format format;   /* [AUTO] */
  double ph;                 /* protonation for this pH by the rules of data/chem; NaN: as given [NaN] */
  int conformers;            /* made of a molecule without 3D coordinates, one ligand each; 0: none, it stays
                              * as flat as it is drawn, which shows types and torsions but cannot be docked [1] */
  uint64_t seed;             /* of conformers [42] */
  bt_stereo stereo;          /* [ANY] */
  const char *opt_template;  /* SMILES that gives bond orders to a molecule that has none (PDB) [NULL] */
  const char *opt_name_field; /* data item of SDF records that names a ligand, where a record has it [NULL: the title] */
  bt_charge_model charges;   /* [GASTEIGER] */
  bool flexible_amides;      /* amides, amidines, guanidines rotate too [false] */
  bool rigid_macrocycles;    /* no ring is opened [false] */
  int smallest_macrocycle;   /* rings of so many atoms to 33 are opened, 7 at least; with old_rules always 7 [8] */
  bool hydrated;             /* adds waters W for hydrated docking [false] */
  bool old_rules;            /* rotatable bonds and macrocycles as Meeko 0.5 decides, not 0.7 [false] */
  bool keep_hydrogens;       /* non-polar hydrogens stay atoms of type H [false] */
  bool as_docked;            /* poses that Berth wrote as SDF: the rings are opened that were opened in their docking,
                              * unless rigid_macrocycles [false] */
  const bt_tether *opt_tether; /* ligands are bonded to this residue: what is prepared is the product of warhead and side
                              * chain, whose root is the alpha carbon; it is borrowed [NULL] */
  const char *opt_warhead;   /* which one reacts: a name of the table in docs/preparation.md, or a SMARTS of the atom that
                              * gets bonded, the one that its bond is opened to, and more [NULL: the only one] */
  double record_seconds;     /* that a record, and each conformer made of it, may take; longer is BT_ERR_LIMIT. 0: any
                              * time [300] */
  bool (*opt_cancelled)(void *user); /* asked while a record is prepared, by any thread: true ends it with
                                      * BT_ERR_CANCELLED */
  void *opt_cancelled_user;
} bt_prepare_options;

bt_prepare_options bt_prepare_options_default(void);

/* Reads ligands one after the other, so that a file of any length needs the memory of its largest record. */
typedef struct bt_ligand_reader bt_ligand_reader;

/* path: a file, gzipped or not, a folder, a tar archive, a .btl file, or "-" for standard input. options->format is that
 * of standard input (AUTO: PDBQT) and of a file whose name does not tell. options are copied. BT_ERR_USAGE when this
 * build has no RDKit and the format needs it. Molecules from PDBQT and .btl files do not know their bonds yet:
 * bt_molecule_find_chemistry. */
bt_status bt_ligand_reader_open(const char *path, const bt_prepare_options *options, bt_ligand_reader **ret_reader,
                                bt_error *opt_error) BT_MUST_USE;
/* The same from a text, which is copied; label stands for the file in messages. options->format must not be AUTO. */
bt_status bt_ligand_reader_open_text(const char *text, size_t size, const char *label,
                                     const bt_prepare_options *options, bt_ligand_reader **ret_reader,
                                     bt_error *opt_error) BT_MUST_USE;
/* The next ligand, NULL at the end. After any failure but BT_ERR_MEMORY the next call gives the next record; a file that
 * cannot be read on has none. A file without a record is BT_ERR_INPUT. */
bt_status bt_ligand_reader_next(bt_ligand_reader *reader, bt_molecule **ret_molecule,
                                bt_error *opt_error) BT_MUST_USE;
void bt_ligand_reader_close(bt_ligand_reader *opt_reader);
/* From now on only the records first to last, from 1; the others are cut out of the file, but not prepared. */
void bt_ligand_reader_select(bt_ligand_reader *reader, int64_t first, int64_t last);
/* How many records have been cut so far. */
int64_t bt_ligand_reader_count(const bt_ligand_reader *reader);
/* Of the record last read, also when it failed: its number from 1, whether its file has no other, its name, and where it
 * stands, such as "lib.btl:ligand 17". */
long bt_ligand_reader_record(const bt_ligand_reader *reader);
bool bt_ligand_reader_alone(const bt_ligand_reader *reader);
const char *bt_ligand_reader_name(const bt_ligand_reader *reader);
const char *bt_ligand_reader_source(const bt_ligand_reader *reader);

/* What preparation did that the user should know ("kept the largest of 2 fragments ..."), one clause each. */
int bt_molecule_note_count(const bt_molecule *molecule);
const char *bt_molecule_note(const bt_molecule *molecule, int index);

/* True when the molecule knows its bonds, so that bt_molecule_sdf works. A PDBQT ligand gets to know them from Meeko's
 * REMARK SMILES lines: bt_molecule_find_chemistry; BT_ERR_INPUT when it has none or they do not fit. */
bool bt_molecule_has_chemistry(const bt_molecule *molecule);
bt_status bt_molecule_find_chemistry(bt_molecule *molecule, bt_error *opt_error) BT_MUST_USE;
/* Canonical isomeric SMILES without hydrogens, "" without chemistry. */
const char *bt_molecule_smiles(const bt_molecule *molecule);

/* The residue that a covalent ligand is bonded to, such as "A:CYS145"; "" for a free one. */
const char *bt_molecule_tether(const bt_molecule *molecule);

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

/* Start from bt_receptor_options_default(); defaults in brackets.
 *
 * Residues are named by words, as everywhere: `HOH` (name), `57` (number), `HIS57`, `A:` (chain), `A:57`, `A:57B` (with
 * insertion code), `A:HIS57`, `A:HIS:57`, `HIS:A:57`; of two readings the first one counts that fits any residue. A word
 * may hold several, separated by commas. */
typedef struct bt_receptor_options {
  int model;                   /* which one of the file, from 1 [1] */
  double ph;                   /* states for this pH: pKa values of propka3 where it is installed, else those of model
                                * compounds; NaN: usual states at pH 7.4 [NaN] */
  bool ignore_hydrogens;       /* those of the file are forgotten and placed anew [false] */
  bool flips;                  /* amides of ASN and GLN and rings of HIS may be turned by 180 degrees [false] */
  bool zinc;                   /* AD4Zn: charge of Zn is 0, tetrahedral pseudo atoms TZ are added [false] */
  bool strict;                 /* elements for which others' parameters would stand in are an error [false] */
  bool keep_incomplete;        /* side chains stay without the atoms that the file lacks, which are rebuilt otherwise
                                * where the main chain is there [false] */
  bool delete_unknown;         /* residues that nothing is known about are deleted, not an error [false] */
  const char *const *keep;     /* residues that would be deleted: waters, additives of crystals; NULL: none */
  const char *const *remove;   /* residues to delete */
  const char *const *states;   /* `A:57:HID`: the template of a residue */
  const char *const *altlocs;  /* `B` for all, `A:57:B` for one residue; the highest occupancy otherwise */
  const char *const *flexible; /* residues whose side chains move, such as `A:ARG8` */
  const char *const *templates; /* `NAME=SMILES` for residues that are not known; needs RDKit */
  const char *const *places;    /* residues that say where: taken out if they are ligands, unless they are in keep */
  int n_keep, n_remove, n_states, n_altlocs, n_flexible, n_templates, n_places;
  const char *opt_covalent; /* a residue that ligands are bonded to: its side chain is left out of the rigid part, for
                             * it becomes part of them (bt_prepared_receptor_tether) [NULL] */
  const char *opt_ligand; /* as in bt_receptor_ligand_pdb; that residue is taken out of the receptor [NULL] */
  const char *opt_pka;    /* a .pka file of propka3, instead of running it [NULL] */
  double pka_seconds;     /* that propka3 may take [600] */
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
/* The residue of opt_covalent, borrowed; NULL without. */
const bt_tether *bt_prepared_receptor_tether(const bt_prepared_receptor *prepared);
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

/* Takes one residue, named as in bt_receptor_options, out of a structure file as PDB text (HETATM, CONECT between close
 * atoms, END). Several residues that fit are an error that lists them. free() the text. */
bt_status bt_receptor_ligand_pdb(const char *path, int model, const char *which, char **ret_text,
                                 bt_error *opt_error) BT_MUST_USE;
/* "0.5.7"; "" when this build reads no structure files. */
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

#ifdef __cplusplus
}
#endif

#endif
