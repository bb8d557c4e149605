/* structure.h - macromolecular structures as their files describe them: PDB and mmCIF, plain or compressed.
 *
 * gemmi reads them (gemmi/structure.cc); a build without it has gemmi/absent.c, which says so. Atoms are in file order
 * with all alternate locations; the choice among them is made later.
 */
#ifndef BERTH_FORMATS_STRUCTURE_H
#define BERTH_FORMATS_STRUCTURE_H

#include "base/status.h"

typedef struct bt_structure_atom {
  double x[3]; /* Angstrom */
  double occupancy, b_factor;
  int serial;
  int element; /* atomic number, deuterium counts as 1; 0: unknown */
  char name[8];
  char altloc; /* '\0': none */
} bt_structure_atom;

typedef struct bt_structure_residue {
  char name[8];
  char chain[8]; /* the author's, "" when blank */
  int number;    /* the author's */
  char icode;    /* ' ': none */
  int sequence;  /* place in the chain's full sequence, from 1; 0: unknown */
  bool hetero;   /* all atoms are HETATM */
  int piece;     /* which chain of those that share this name, from 0 */
  int first_atom, end_atom;
} bt_structure_residue;

/* A bond that the file states: SSBOND, LINK, struct_conn. */
typedef struct bt_structure_link {
  int residue[2];
  char atom[2][8];
} bt_structure_link;

typedef struct bt_structure {
  char *path;
  int n_models; /* in the file */
  int model;    /* the one that is here, from 1; 0: all, joined */
  bool apart;   /* the first two models lie beside each other, as those of an assembly do */
  char *notes;  /* for the user, a line each: chains that were told apart; NULL */
  int n_atoms, n_residues, n_links;
  bt_structure_atom *atoms;
  bt_structure_residue *residues; /* in file order; residues of a chain may not be contiguous */
  bt_structure_link *links;
} bt_structure;

/* Reads one model (from 1) of a file, or joins all of them (0); "-" is standard input. */
bt_status bt_structure_read(const char *path, int model, bt_structure **ret_structure, bt_error *opt_error) BT_MUST_USE;
/* The same from text in memory; data[size] must be readable and NUL. */
bt_status bt_structure_from_memory(const char *path, const char *data, size_t size, int model,
                                   bt_structure **ret_structure, bt_error *opt_error) BT_MUST_USE;
void bt_structure_destroy(bt_structure *opt_structure);

/* "A:HIS57B" (chain, name, number, insertion code) in a buffer of at least 40 bytes; returns the buffer. */
const char *bt_structure_residue_text(const bt_structure_residue *residue, char *buffer, size_t size);

/* What the implementation (gemmi/structure.cc or gemmi/absent.c) provides; the input has already been checked. */
bt_status bt_structure_parse(const char *path, const char *data, size_t size, bool mmcif, int model,
                             bt_structure *structure, bt_error *opt_error) BT_MUST_USE;

#endif
