/* receptor.h - what the steps of preparing a receptor share.
 *
 * In this order: select.c (alternate locations, what stays), links.c (who is bonded to whom), states.c (a template for
 * each residue), rebuild.c (side chains that are not complete), hydrogens.c (polar hydrogens), optimise.c (their
 * hydrogen bonds), zinc.c (AD4Zn), write.c (PDBQT), report.c; flexible.c and covalent.c cut out side chains.
 */
#ifndef BERTH_PREP_RECEPTOR_RECEPTOR_H
#define BERTH_PREP_RECEPTOR_RECEPTOR_H

#include <berth/prepare.h>

#include "base/text.h"
#include "chem/residue_word.h"
#include "formats/pdbqt.h"
#include "formats/structure.h"
#include "prep/receptor/library.h"

/* A heavy atom or a polar hydrogen. */
typedef struct bt_receptor_atom {
  double x[3];
  double occupancy, b_factor;
  double charge;
  int source; /* index into the structure's atoms; -1: placed here */
  int element;
  int in_template; /* index into the template's atoms; -1 for a residue without one */
  int parent;      /* of a hydrogen: index into the residue's atoms; -1 */
  bool given;      /* a hydrogen of the file */
  char name[8], type[8];
} bt_receptor_atom;

typedef enum bt_fate {
  BT_FATE_KEPT,
  BT_FATE_DELETED, /* by request or by rule; the note says which */
  BT_FATE_LIGAND   /* taken out as the ligand */
} bt_fate;

typedef struct bt_receptor_residue {
  int source; /* index into the structure's residues */
  bt_fate fate;
  const bt_template *template;
  const char *forced; /* state set by the user, NULL */
  const char *usual;  /* state from a pKa, NULL */
  bool flexible;
  bool tethered; /* its side chain becomes part of covalent ligands */
  bool held; /* the user keeps it */
  bool tautomer;                /* HID or HIE, whichever has the better hydrogen bonds */
  bool blunt_first, blunt_last; /* the chain goes on but is not in the file */
  int previous, next;           /* residues that the chain's bonds lead to; -1 */
  int disulfide;                /* the other cysteine; -1 */
  int twin;            /* index of the rest of this residue, under another name; 0: none */
  int bonds;                    /* first of those to other residues, -1; bt_receptor_next_bond() */
  int n_atoms;
  size_t room;
  bt_receptor_atom *atoms;
  int n_hydrogens; /* in the file, polar and other */
  size_t hydrogen_room;
  double (*hydrogens)[3]; /* where they are */
  bt_text notes;          /* "; " between them */
} bt_receptor_residue;

/* A bond between atoms of different residues. */
typedef struct bt_receptor_bond {
  int residue[2], atom[2];
  int next[2]; /* bond of the same residue, by end; -1 */
} bt_receptor_bond;

typedef struct bt_receptor_work {
  const bt_receptor_options *options;
  const bt_structure *structure;
  const bt_residue_library *residue_library;
  const char *path, *label;
  char *letters;      /* chain of each of the structure's residues in PDBQT */
  bool has_hydrogens; /* the file has them in most places */
  int n_residues;
  bt_receptor_residue *residues; /* one for each of the structure */
  int n_bonds;
  size_t bond_room;
  bt_receptor_bond *bonds;
  int n_pseudo;
  size_t pseudo_room;
  bt_receptor_atom *pseudo; /* TZ */
  int *pseudo_residue;      /* of the zinc */
  bt_text notes;            /* for the user, '\n' behind each */
  bt_text rigid_text, flexible_text, pdb, report, json;
  bt_molecule *rigid, *flexible; /* of the same lines */
  size_t rigid_room, flexible_room, residue_room, fragment_room; /* of their arrays */
  int n_moved; /* flexible residues with a torsion */
  bt_tether *opt_tether; /* of the tethered residue */
  bt_error *opt_error;
} bt_receptor_work;

/* One sentence about a residue, without a full stop; shown in the report. */
void bt_receptor_note(bt_receptor_residue *residue, const char *format, ...) BT_PRINTF(2, 3);
/* The same, and for the user's attention. */
void bt_receptor_warn(bt_receptor_work *prep, int residue, const char *format, ...) BT_PRINTF(3, 4);
static inline const bt_structure_residue *bt_receptor_source(const bt_receptor_work *prep, int residue) {
  return &prep->structure->residues[prep->residues[residue].source];
}
/* The end of a bond (0, 1) that a residue is, and the residue's next bond. */
static inline int bt_receptor_end(const bt_receptor_work *prep, int residue, int bond) {
  return prep->bonds[bond].residue[0] == residue ? 0 : 1;
}
static inline int bt_receptor_next_bond(const bt_receptor_work *prep, int residue, int bond) {
  return prep->bonds[bond].next[bt_receptor_end(prep, residue, bond)];
}
/* "A:HIS57" in buffer. */
const char *bt_receptor_name(const bt_receptor_work *prep, int residue, char buffer[40]);
bt_status bt_receptor_fail(const bt_receptor_work *prep, const char *remedy, const char *format, ...) BT_PRINTF(3, 4);

/* selector.c: words of the user for residues (chem/residue_word.h), in one structure. */
typedef struct bt_selector {
  bt_span word;
  int reading; /* of the word: the first one that fits any residue */
} bt_selector;
/* False if the word cannot name a residue. It need not fit any. */
bool bt_selector_find(const bt_structure *structure, bt_span word, bt_selector *ret_selector);
/* Says why the word does not name exactly one residue, and which ones may be meant. */
bt_status bt_selector_fail(const bt_structure *structure, const char *label, const bt_selector *selector,
                           bt_error *opt_error) BT_MUST_USE;
bool bt_selector_fits(const bt_selector *selector, const bt_structure_residue *residue);
/* Calls back for each word of the lists, split at commas. */
typedef bt_status bt_word_use(bt_receptor_work *prep, bt_span word);
bt_status bt_receptor_words(bt_receptor_work *prep, const char *const *list, int count, bt_word_use *use) BT_MUST_USE;

/* select.c */
bt_status bt_receptor_select(bt_receptor_work *prep) BT_MUST_USE;
/* Index of the atom of that name in a residue, -1. */
int bt_receptor_find(const bt_receptor_residue *residue, const char *name);
/* Hydrogens of the file belong to the nearest heavy atom within this reach, Angstrom. */
#define BT_HYDROGEN_REACH 1.45
/* The heavy atom within reach (Angstrom) that is nearest to x; -1: none. */
int bt_receptor_nearest(const bt_receptor_residue *residue, const double x[3], double reach);
/* The alternate location with the highest sum of occupancies, the first of equals; '\0': none. */
char bt_receptor_usual_altloc(const bt_structure *structure, const bt_structure_residue *residue);
bt_receptor_atom *bt_receptor_add_atom(bt_receptor_residue *residue, bt_error *opt_error);
/* links.c */
bt_status bt_receptor_links(bt_receptor_work *prep) BT_MUST_USE;
/* Bonds to other residues that a template does not count on: all but those of chains and disulfides. */
int bt_receptor_outer_bonds(const bt_receptor_work *prep, int residue, int atom);
/* states.c */
bt_status bt_receptor_states(bt_receptor_work *prep) BT_MUST_USE;
/* Gives a residue another template of the same heavy atoms; polar hydrogens are placed anew afterwards. */
void bt_receptor_set_template(bt_receptor_work *prep, int residue, const bt_template *template);
/* rebuild.c: atoms of side chains that the file lacks. */
bt_status bt_receptor_rebuild(bt_receptor_work *prep) BT_MUST_USE;
/* Will an atom that the residue lacks be built? */
bool bt_receptor_rebuilds(const bt_receptor_work *prep, int residue, const bt_template *t, const char *atom);
/* foreign.c: prepares a residue by the user's SMILES for its name; *ret_done is false when there is none. */
bt_status bt_receptor_foreign(bt_receptor_work *prep, int residue, bool *ret_done) BT_MUST_USE;
/* hydrogens.c */
bt_status bt_receptor_hydrogens(bt_receptor_work *prep) BT_MUST_USE;
/* Heavy atoms bonded to an atom, in its residue or in another: coordinates and how many. */
enum { BT_PREP_NEIGHBOURS = 8 };
int bt_receptor_neighbours(const bt_receptor_work *prep, int residue, int atom, double x[BT_PREP_NEIGHBOURS][3]);
/* Places of the count hydrogens of an atom; turn is the angle by which they are turned about its only bond, radians,
 * from the usual place. False when the atoms around it are not all there. */
bool bt_receptor_hydrogen_places(const bt_receptor_work *prep, int residue, int atom, double turn, double x[4][3],
                                 int count);
/* Places all hydrogens of a residue that its template has and the residue lacks. */
bt_status bt_receptor_place_missing(bt_receptor_work *prep, int residue) BT_MUST_USE;
/* optimise.c: turns groups, chooses tautomers of histidine and flips for the best network of hydrogen bonds. */
bt_status bt_receptor_optimise(bt_receptor_work *prep) BT_MUST_USE;
/* zinc.c */
bt_status bt_receptor_zinc(bt_receptor_work *prep) BT_MUST_USE;
/* pka.c: states from pKa values. */
bt_status bt_receptor_pka(bt_receptor_work *prep) BT_MUST_USE;
/* write.c and flexible.c */
bt_status bt_receptor_write(bt_receptor_work *prep) BT_MUST_USE;
bt_status bt_receptor_check_flexible(bt_receptor_work *prep) BT_MUST_USE;
/* Why a side chain cannot move; NULL: it can. *ret_error is false for one that has nothing to turn. */
const char *bt_receptor_obstacle(const bt_receptor_work *prep, int residue, bool *ret_error);
bt_status bt_receptor_write_flexible(bt_receptor_work *prep) BT_MUST_USE;
char bt_receptor_chain_letter(const bt_receptor_work *prep, const bt_structure_residue *residue);
/* A line of PDB. */
void bt_receptor_write_atom(const bt_receptor_work *prep, bt_text *text, int residue, const bt_receptor_atom *atom,
                            int serial);
/* The atom and its line of the rigid part, or of the flexible residues' last fragment. */
bt_status bt_receptor_add_pdbqt(bt_receptor_work *prep, bool flexible, int residue,
                                const bt_receptor_atom *atom) BT_MUST_USE;
/* covalent.c: takes out what the structure shows bonded to the side chain that reacts, unless it is an amino acid. */
void bt_receptor_free_tethered(bt_receptor_work *prep, int residue);
/* Checks the tethered residue and describes it. */
bt_status bt_receptor_check_tethered(bt_receptor_work *prep) BT_MUST_USE;
/* Does the atom go with the moving side chain? */
bool bt_receptor_moves(const bt_receptor_residue *residue, const bt_receptor_atom *atom);
/* report.c */
bt_status bt_receptor_report(bt_receptor_work *prep) BT_MUST_USE;

#endif
