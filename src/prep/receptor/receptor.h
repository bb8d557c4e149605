/* receptor.h - shared data of the steps of receptor preparation.
 *
 * In this order: select.c (alternate locations, what is kept), overlap.c (what stands twice), links.c (bonds between
 * residues), bound_waters.c, residues/states.c (a template for each residue), rebuild/rebuild.c (incomplete side
 * chains), hydrogens/hydrogens.c (polar hydrogens), hydrogens/optimize.c (their hydrogen bonds), zinc.c (AD4Zn),
 * write.c (PDBQT), report.c; flexible.c and covalent.c cut out side chains.
 */
#ifndef BERTH_PREP_RECEPTOR_RECEPTOR_H
#define BERTH_PREP_RECEPTOR_RECEPTOR_H

#include <berth/prepare.h>

#include "base/text/text.h"
#include "chem/residue_word.h"
#include "formats/pdbqt/pdbqt.h"
#include "formats/structure.h"
#include "prep/receptor/bound_waters.h"
#include "prep/receptor/residues/templates.h"

/* A heavy atom or a polar hydrogen. */
typedef struct bt_receptor_atom {
  double x[3];
  double occupancy, b_factor;
  double charge;
  int source; /* index into the structure's atoms; -1: built by the preparation */
  int element;
  int in_template; /* index into the template's atoms; -1 for a residue without one */
  int parent;      /* of a hydrogen: index into the residue's atoms; -1 */
  bool given;      /* a hydrogen from the file */
  char name[8], type[8];
} bt_receptor_atom;

typedef enum bt_fate {
  BT_FATE_KEPT,
  BT_FATE_DELETED, /* by request or by rule; the note says which */
  BT_FATE_LIGAND   /* removed as the ligand */
} bt_fate;

/* What is removed unless the user keeps it. */
typedef enum bt_removal { BT_REMOVAL_NONE, BT_REMOVAL_WATER, BT_REMOVAL_ADDITIVE } bt_removal;

typedef struct bt_receptor_residue {
  int source; /* index into the structure's residues */
  bt_fate fate;
  bt_removal removal; /* by rule */
  bt_water_hold water;
  const bt_template *template;
  const char *forced; /* state set by the user, NULL */
  const char *usual;  /* state from a pKa, NULL */
  bool flexible;
  bool tethered; /* its side chain becomes part of covalent ligands */
  bool held; /* kept by the user */
  bool perceived; /* its chemistry was found from its coordinates */
  bool tautomer;                /* HID or HIE, whichever has the better hydrogen bonds */
  bool blunt_first, blunt_last; /* the chain continues, but not in the file */
  int previous, next;           /* neighbors along the chain; -1 */
  int disulfide;                /* the other cysteine; -1 */
  int twin;            /* index of the rest of this residue, under another name; 0: none */
  int bonds;                    /* first bond to another residue, -1; see bt_receptor_next_bond() */
  int n_atoms;
  size_t room;
  bt_receptor_atom *atoms;
  int n_hydrogens; /* in the file, polar and other */
  size_t hydrogen_room;
  double (*hydrogens)[3]; /* coordinates */
  bt_text notes;          /* separated by "; " */
} bt_receptor_residue;

/* A bond between atoms of different residues. */
typedef struct bt_receptor_bond {
  int residue[2], atom[2];
  int next[2]; /* next bond of the residue at each end; -1 */
} bt_receptor_bond;

typedef struct bt_receptor_work {
  const bt_receptor_options *options;
  const bt_structure *structure;
  const bt_templates *templates;
  const char *path, *label;
  char *letters;      /* chain of each of the structure's residues in PDBQT */
  bool has_hydrogens; /* most residues of the file have them */
  int n_residues;
  bt_receptor_residue *residues; /* one for each of the structure */
  int n_bonds;
  size_t bond_room;
  bt_receptor_bond *bonds;
  int n_pseudo;
  size_t pseudo_room;
  bt_receptor_atom *pseudo; /* TZ */
  int *pseudo_residue;      /* residue of its zinc */
  bt_text notes;            /* for the user, each ends with '\n' */
  bt_text rigid_text, flexible_text, pdb, report, json;
  bt_molecule *rigid, *flexible; /* the same content as molecules */
  size_t rigid_room, flexible_room, residue_room, fragment_room; /* of their arrays */
  int n_moved; /* flexible residues with a torsion */
  bt_tether *opt_tether; /* of the tethered residue */
  bt_error *opt_error;
} bt_receptor_work;

/* notes.c */
/* A sentence about a residue, without a full stop, for the report. */
void bt_receptor_note(bt_receptor_residue *residue, const char *format, ...) BT_PRINTF(2, 3);
/* The same, also shown to the user. */
void bt_receptor_warn(bt_receptor_work *prep, int residue, const char *format, ...) BT_PRINTF(3, 4);
/* A note that is the same for more than six residues becomes a single note, which names the first three. */
bt_status bt_receptor_gather_notes(bt_receptor_work *prep) BT_MUST_USE;
static inline const bt_structure_residue *bt_receptor_source(const bt_receptor_work *prep, int residue) {
  return &prep->structure->residues[prep->residues[residue].source];
}
/* Which end of a bond (0, 1) a residue is; the residue's next bond. */
static inline int bt_receptor_end(const bt_receptor_work *prep, int residue, int bond) {
  return prep->bonds[bond].residue[0] == residue ? 0 : 1;
}
static inline int bt_receptor_next_bond(const bt_receptor_work *prep, int residue, int bond) {
  return prep->bonds[bond].next[bt_receptor_end(prep, residue, bond)];
}
/* "A:HIS57" in buffer. */
const char *bt_receptor_name(const bt_receptor_work *prep, int residue, char buffer[40]);
bt_status bt_receptor_fail(const bt_receptor_work *prep, const char *remedy, const char *format, ...) BT_PRINTF(3, 4);

/* selector.c: resolves residue names given by the user (chem/residue_word.h) in one structure. */
typedef struct bt_selector {
  bt_span word;
  int reading; /* the first reading of the word that matches any residue */
} bt_selector;
/* False if the word cannot name a residue; one that matches none is accepted. */
bool bt_selector_find(const bt_structure *structure, bt_span word, bt_selector *ret_selector);
/* States why the word does not name exactly one residue, and which ones may be meant. */
bt_status bt_selector_fail(const bt_structure *structure, const char *label, const bt_selector *selector,
                           bt_error *opt_error) BT_MUST_USE;
bool bt_selector_fits(const bt_selector *selector, const bt_structure_residue *residue);
/* Calls use for each word of the lists, split at commas. */
typedef bt_status bt_word_use(bt_receptor_work *prep, bt_span word);
bt_status bt_receptor_words(bt_receptor_work *prep, const char *const *list, int count, bt_word_use *use) BT_MUST_USE;

/* select.c */
bt_status bt_receptor_select(bt_receptor_work *prep) BT_MUST_USE;
/* False for residues that are never ligands, whatever they were named for: those of proteins and nucleic acids, water,
 * heme and iron-sulfur clusters. */
bool bt_receptor_is_ligand_name(const char *name);
/* Index of the atom with this name in a residue, -1. */
int bt_receptor_find(const bt_receptor_residue *residue, const char *name);
/* Hydrogens of the file belong to the nearest heavy atom within this reach, Angstrom. */
#define BT_HYDROGEN_REACH 1.45
/* The heavy atom within reach (Angstrom) that is nearest to x; -1: none. */
int bt_receptor_nearest(const bt_receptor_residue *residue, const double x[3], double reach);
/* The alternate location with the highest sum of occupancies, the first on a tie; '\0': none. */
char bt_receptor_usual_altloc(const bt_structure *structure, const bt_structure_residue *residue);
/* The one that is used: the user's, where the residue has it. */
char bt_receptor_altloc(const bt_receptor_work *prep, const bt_structure_residue *residue);
/* Adds the residue's atoms. */
bt_status bt_receptor_take_atoms(bt_receptor_work *prep, int residue) BT_MUST_USE;
bool bt_receptor_is_water(const bt_receptor_work *prep, int residue);
bt_receptor_atom *bt_receptor_add_atom(bt_receptor_residue *residue, bt_error *opt_error);
/* overlap.c: leaves out residues and atoms that stand in the place of others, or rejects them. */
bt_status bt_receptor_overlaps(bt_receptor_work *prep) BT_MUST_USE;
/* near.c: whether the box is known and the residue, as the file has it, is farther from it than BT_NEAR_BOX. */
#define BT_NEAR_BOX 8.0 /* Angstrom: what energies in the box can depend on */
bool bt_receptor_is_far(const bt_receptor_work *prep, int residue);
bool bt_receptor_is_near(const bt_receptor_work *prep, int residue);
/* Takes the molecule at the center of the box out as the ligand, with a note; after bt_receptor_links(). */
void bt_receptor_take_central(bt_receptor_work *prep);
/* Its center is in the box. */
bool bt_receptor_is_inside(const bt_receptor_work *prep, int residue);
/* bound_waters.c: judges the waters that are removed by rule, and keeps the bound ones if the options say so; after
 * bt_receptor_take_central(). */
bt_status bt_receptor_bound_waters(bt_receptor_work *prep) BT_MUST_USE;
/* removed.c: notes on waters that are kept by rule, and on waters and additives that were removed, near the box if it
 * is known. */
void bt_receptor_note_removed(bt_receptor_work *prep);
/* links.c */
bt_status bt_receptor_links(bt_receptor_work *prep) BT_MUST_USE;
/* Bonds to other residues that templates do not include: all but chain bonds and disulfides. */
int bt_receptor_outer_bonds(const bt_receptor_work *prep, int residue, int atom);
/* residues/states.c */
bt_status bt_receptor_states(bt_receptor_work *prep) BT_MUST_USE;
/* Assigns a template with the same heavy atoms; polar hydrogens have to be placed again afterwards. */
void bt_receptor_set_template(bt_receptor_work *prep, int residue, const bt_template *template);
/* rebuild/: builds side-chain atoms missing from the file. */
bt_status bt_receptor_rebuild(bt_receptor_work *prep) BT_MUST_USE;
/* True if this missing atom of the residue will be built. */
bool bt_receptor_rebuilds(const bt_receptor_work *prep, int residue, const bt_template *t, const char *atom);
/* residues/user_template.c: prepares a residue from the user's SMILES for its name; *ret_done is false if there is
 * none. */
bt_status bt_receptor_user_template(bt_receptor_work *prep, int residue, bool *ret_done) BT_MUST_USE;
/* hydrogens/hydrogens.c */
bt_status bt_receptor_hydrogens(bt_receptor_work *prep) BT_MUST_USE;
/* Coordinates of the heavy atoms bonded to an atom, in any residue; returns their number. */
enum { BT_PREP_NEIGHBORS = 8 };
int bt_receptor_neighbors(const bt_receptor_work *prep, int residue, int atom, double x[BT_PREP_NEIGHBORS][3]);
/* Positions of an atom's count hydrogens, rotated by turn (radians) from the standard position about its only bond.
 * False when a neighboring atom is missing. */
bool bt_receptor_hydrogen_places(const bt_receptor_work *prep, int residue, int atom, double turn, double x[4][3],
                                 int count);
/* Places all missing hydrogens of a residue's template. */
bt_status bt_receptor_place_missing(bt_receptor_work *prep, int residue) BT_MUST_USE;
/* hydrogens/optimize.c: rotates groups, chooses histidine tautomers and flips side chains for the best hydrogen-bond
 * network. */
bt_status bt_receptor_optimize(bt_receptor_work *prep) BT_MUST_USE;
/* zinc.c */
bt_status bt_receptor_zinc(bt_receptor_work *prep) BT_MUST_USE;
/* residues/pka.c: protonation states from pKa values. */
bt_status bt_receptor_pka(bt_receptor_work *prep) BT_MUST_USE;
/* write.c and flexible.c */
bt_status bt_receptor_write(bt_receptor_work *prep) BT_MUST_USE;
/* residues/states.c: the names of an element's ion among the templates. */
bt_residue_name bt_receptor_ion(const bt_receptor_work *prep, int element);
bt_status bt_receptor_check_flexible(bt_receptor_work *prep) BT_MUST_USE;
/* Why a side chain cannot be flexible; NULL: it can. *ret_error is false if it merely has no torsion. */
const char *bt_receptor_obstacle(const bt_receptor_work *prep, int residue, bool *ret_error);
bt_status bt_receptor_write_flexible(bt_receptor_work *prep) BT_MUST_USE;
char bt_receptor_chain_letter(const bt_receptor_work *prep, const bt_structure_residue *residue);
/* Appends an ATOM or HETATM line of PDB. */
void bt_receptor_write_atom(const bt_receptor_work *prep, bt_text *text, int residue, const bt_receptor_atom *atom,
                            int serial);
/* Adds the atom and its PDBQT line to the rigid part, or to the last fragment of the flexible residues. */
bt_status bt_receptor_add_pdbqt(bt_receptor_work *prep, bool flexible, int residue,
                                const bt_receptor_atom *atom) BT_MUST_USE;
/* covalent.c: removes what is bonded to the reacting side chain in the structure, unless it is an amino acid. */
void bt_receptor_free_tethered(bt_receptor_work *prep, int residue);
/* Checks the tethered residue and describes it. */
bt_status bt_receptor_check_tethered(bt_receptor_work *prep) BT_MUST_USE;
/* True if the atom belongs to the moving side chain. */
bool bt_receptor_moves(const bt_receptor_residue *residue, const bt_receptor_atom *atom);
/* report.c */
bt_status bt_receptor_report(bt_receptor_work *prep) BT_MUST_USE;

#endif
