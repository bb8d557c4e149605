/* rdkit.h - what Berth uses of RDKit, as C functions.
 *
 * Everything of RDKit stays behind this header: src/chem/rdkit/ is the only folder that sees its C++. No exception
 * leaves it; failures become a bt_error with RDKit's own reason. A build without RDKit serves the same functions from
 * absent.c, which fail. Atoms and bonds are indices from 0 in RDKit's order, which is the order of the file; hydrogens
 * that are added follow. Several threads may use different molecules, and one bt_smarts, at the same time.
 */
#ifndef BERTH_CHEM_RDKIT_H
#define BERTH_CHEM_RDKIT_H

#include <berth/prepare.h>

#include "base/deadline.h"
#include "chem/builder/shapes.h"

typedef struct bt_rdmol bt_rdmol;
typedef struct bt_smarts bt_smarts;

typedef struct bt_rdatom {
  int element, charge; /* atomic number, 0: any; formal charge, e */
  char symbol[4];
  int hydrogens;            /* that are not atoms of their own */
  int number;               /* as users count: that of MOL2, else its place in the record from 1; 0: not from it */
  bool aromatic, stereo;    /* in an aromatic ring; a tetrahedral stereocenter */
  double file_charge;       /* partial charge in a MOL2 file, NaN elsewhere */
  int residue_number;       /* of a PDB file, as the next four; 0, blank and empty elsewhere */
  char name[8], residue[8]; /* name also of MOL2 */
  char chain, icode;
} bt_rdatom;

typedef struct bt_rdbond {
  int a, b;
  int order;   /* 1, 2, 3; 4: aromatic; 0: any other kind */
  bool stereo; /* double bond with a known side */
} bt_rdbond;

typedef enum bt_rdformat { BT_RD_SDF, BT_RD_SMILES, BT_RD_PDB } bt_rdformat;

/* Reads one record, checks valences and finds aromatic rings. where.line is that of the record's first line, 0 if it
 * has none. The block of a CXSMILES may follow a SMILES. Without opt_template a PDB molecule gets only the bonds that its distances and CONECT records show. */
bt_status bt_rdmol_read(bt_rdformat format, const char *text, size_t size, bt_where where, const char *opt_template,
                        bt_rdmol **ret_mol, bt_error *opt_error) BT_MUST_USE;
/* A molecule of which only elements and coordinates are known: bonds from distances, their orders from lengths, angles
 * and planarity. hydrogens[i]: how many atom i has, -1 where that is not known. No atom is a hydrogen or a metal. Unless
 * hydrogens say otherwise the molecule is as it is drawn without protonation: amines and acids are neutral. */
bt_status bt_rdmol_perceive(const int *elements, const double (*x)[3], const int *hydrogens, int n_atoms,
                            bt_where where, bt_rdmol **ret_mol, bt_error *opt_error) BT_MUST_USE;
/* Makes a molecule of these atoms (element, charge, hydrogens, number, name and file_charge of each) and bonds (orders 1
 * to 3), checks valences and finds aromatic rings. x[n_atoms], Angstrom: if 3D, stereochemistry is taken from it. */
bt_status bt_rdmol_make(const bt_rdatom *atoms, int n_atoms, const bt_rdbond *bonds, int n_bonds, const double (*x)[3],
                        const char *name, bt_where where, bt_rdmol **ret_mol, bt_error *opt_error) BT_MUST_USE;
bt_rdmol *bt_rdmol_copy(const bt_rdmol *mol); /* NULL when memory is exhausted */
void bt_rdmol_destroy(bt_rdmol *opt_mol);

bool bt_rdmol_set_name(bt_rdmol *mol, const char *name);
int bt_rdmol_atom_count(const bt_rdmol *mol);
int bt_rdmol_bond_count(const bt_rdmol *mol);
void bt_rdmol_atoms(const bt_rdmol *mol, bt_rdatom *ret_atoms); /* [atom_count] */
void bt_rdmol_bonds(const bt_rdmol *mol, bt_rdbond *ret_bonds); /* [bond_count] */

/* Keeps the fragment with the most heavy atoms, the first of several. *ret_removed is the SMILES of the others, free()
 * it; NULL when there was one only. BT_ERR_INPUT when this one has a metal that is bonded, or another one has a metal
 * that is not a simple counter-ion: any but Li to Cs, Mg to Ba, Zn and Al, or one of an organometallic compound (bonded
 * to carbon, or beside a carbanion that is not the anion of a C-H acid). */
bt_status bt_rdmol_keep_largest(bt_rdmol *mol, bt_where where, char **ret_removed, bt_error *opt_error) BT_MUST_USE;
/* Adds (delta 1) or removes (delta -1) a proton at an atom, with its charge, and checks valences again. Hydrogens that
 * become needed are not atoms yet. */
bt_status bt_rdmol_change_proton(bt_rdmol *mol, int atom, int delta, bt_where where, bt_error *opt_error) BT_MUST_USE;
/* Adds all hydrogens as atoms; with coordinates where the molecule has them. */
bt_status bt_rdmol_add_hydrogens(bt_rdmol *mol, bt_where where, bt_error *opt_error) BT_MUST_USE;
/* Makes the product with a side chain (SMILES, the atom that reacts first): attach is bonded to it, and its bond to
 * opened loses one order; a single bond is broken, and what it cuts off leaves. opened -1: attach becomes an anion.
 * Atoms of the side chain are the last ones, from *ret_first on. No coordinates are left; stereocenters that form or
 * react are open. Hydrogens that become needed are not atoms yet. */
bt_status bt_rdmol_join_side_chain(bt_rdmol *mol, int attach, int opened, const char *side_chain, bt_where where,
                                   int *ret_first, bt_error *opt_error) BT_MUST_USE;
/* The same for a product that is complete except for its bond to the side chain, whose atoms lie at x: the bond takes
 * the place of a hydrogen, and coordinates and stereo stay. */
bt_status bt_rdmol_bond_side_chain(bt_rdmol *mol, int attach, const char *side_chain, const double (*x)[3],
                                   bt_where where, int *ret_first, bt_error *opt_error) BT_MUST_USE;

/* Conformers. A molecule that was read has one, 3D or flat. */
bool bt_rdmol_is_3d(const bt_rdmol *mol);
/* Whether its coordinates are from bt_rdmol_embed. */
bool bt_rdmol_is_embedded(const bt_rdmol *mol);
int bt_rdmol_conformer_count(const bt_rdmol *mol);
/* ret_x[atom_count], Angstrom; zeros if there is no such conformer. */
void bt_rdmol_coordinates(const bt_rdmol *mol, int conformer, double (*ret_x)[3]);
/* Replaces all coordinates of the molecule by these, in 3D. x[atom_count] */
bt_status bt_rdmol_place(bt_rdmol *mol, const double (*x)[3], bt_error *opt_error) BT_MUST_USE;
/* Moves a conformer: x becomes to + rotation (x - from); rotation by rows. */
void bt_rdmol_move(bt_rdmol *mol, int conformer, const double rotation[3][3], const double from[3], const double to[3]);
/* A molecule without coordinates gets those of a drawing. */
bt_status bt_rdmol_draw(bt_rdmol *mol, bt_where where, bt_error *opt_error) BT_MUST_USE;
enum { BT_MOST_EMBEDDED = 400 }; /* heavy atoms: for more, distance geometry takes minutes, and rarely succeeds */

/* Generates count conformers with ETKDGv3 and relaxes them with MMFF94s, or UFF where MMFF lacks an atom. All atoms
 * must be there. Equal seeds give equal conformers, and each has the stereochemistry that the molecule states.
 * *ret_relaxed: whether the force field converged for all of them. The deadline is checked often; what RDKit does in one
 * long call runs in a child process, which is ended. */
bt_status bt_rdmol_embed(bt_rdmol *mol, int count, uint64_t seed, const bt_deadline *opt_deadline, bt_where where,
                         bool *ret_relaxed, bt_error *opt_error) BT_MUST_USE;

/* The same with fewer attempts, for libraries: molecules whose stereochemistry is impossible are given up earlier. */
bt_status bt_rdmol_embed_briefly(bt_rdmol *mol, int count, uint64_t seed, const bt_deadline *opt_deadline,
                                 bt_where where, bool *ret_relaxed, bt_error *opt_error) BT_MUST_USE;

/* Further conformers, behind those that the molecule has. */
bt_status bt_rdmol_embed_more(bt_rdmol *mol, int count, uint64_t seed, const bt_deadline *opt_deadline, bt_where where,
                              bt_error *opt_error) BT_MUST_USE;

/* Coordinates from fragments (chem/builder). The molecule as the builder sees it: structure has room for all atoms and
 * bonds, whose places are those of the molecule. All atoms must be there. */
void bt_rdmol_structure(const bt_rdmol *mol, bt_build_structure *structure);
enum { BT_SHAPES_VERSION = 1 }; /* another one where coordinates become others */
/* Embeds a fragment as bt_rdmol_embed does, and relaxes it; of ring systems the lowest of several conformers. */
bt_status bt_rdkit_make_shape(const bt_fragment_graph *graph, bt_shape *ret_shape, bt_error *opt_error) BT_MUST_USE;
/* A conformer with these coordinates, x[atom_count], Angstrom, behind the others or in their place. *ret_right is false,
 * and nothing changes, where its stereochemistry is not the stated one. */
bt_status bt_rdmol_set_built(bt_rdmol *mol, const double (*x)[3], bool add, bool *ret_right,
                             bt_error *opt_error) BT_MUST_USE;

/* Stereocenters and double bonds that the molecule leaves open, free() it: "C5, C9 and C11=C12", elements and places
 * from 1 in the order of the file; NULL: none. */
bt_status bt_rdmol_open_stereo(const bt_rdmol *mol, bt_where where, char **ret_text, bt_error *opt_error) BT_MUST_USE;
/* Groups of stereocenters that a record gives as racemic or relative (V3000 collections, CXSMILES, chiral flag 0 of a
 * flat molfile), free() it: "C2 and C4 is racemic (&1)", a line each; NULL: none. */
bt_status bt_rdmol_grouped_stereo(const bt_rdmol *mol, char **ret_text, bt_error *opt_error) BT_MUST_USE;
/* The molecule's stereoisomers, at most this many, each once, in a fixed order, with all combinations of what it leaves
 * undefined, and both mirror images of such groups; *ret_all: whether these are all. bt_rdmol_destroy each of ret_isomers[count], and free() it. */
bt_status bt_rdmol_isomers(const bt_rdmol *mol, int most, bt_where where, bt_rdmol ***ret_isomers, int *ret_count,
                           bool *ret_all, bt_error *opt_error) BT_MUST_USE;
/* A copy whose stereochemistry is that of the coordinates x[atom_count], Angstrom, which must be 3D. */
bt_status bt_rdmol_isomer(const bt_rdmol *mol, const double (*x)[3], bt_rdmol **ret_isomer,
                          bt_error *opt_error) BT_MUST_USE;

/* Gasteiger's partial charges, e, after 12 rounds; of Se as of S. An atom without parameters gets NaN, and all others of
 * its molecule 0. */
bt_status bt_rdmol_gasteiger(const bt_rdmol *mol, bt_where where, double *ret_charges, bt_error *opt_error) BT_MUST_USE;
/* Symmetry classes: topologically equivalent atoms have equal numbers. */
bt_status bt_rdmol_classes(const bt_rdmol *mol, bt_where where, int *ret_classes, bt_error *opt_error) BT_MUST_USE;

/* Properties, as RDKit counts them: average molecular weight; rotatable bonds without amides; logP by Crippen; polar
 * surface of N and O, Angstrom^2; donors and acceptors by Lipinski's patterns; rings of the smallest set. */
typedef enum bt_property {
  BT_PROPERTY_WEIGHT,
  BT_PROPERTY_HEAVY,
  BT_PROPERTY_ROTORS,
  BT_PROPERTY_CHARGE,
  BT_PROPERTY_LOGP,
  BT_PROPERTY_TPSA,
  BT_PROPERTY_DONORS,
  BT_PROPERTY_ACCEPTORS,
  BT_PROPERTY_RINGS
} bt_property;
bt_status bt_rdmol_property(const bt_rdmol *mol, bt_property property, bt_where where, double *ret_value,
                            bt_error *opt_error) BT_MUST_USE;
/* Catalogs of patterns: interference with assays (Baell and Holloway, J. Med. Chem. 2010, 53, 2719), and unwanted groups
 * (Brenk et al., ChemMedChem 2008, 3, 435). One thread at a time. */
typedef struct bt_alerts bt_alerts;
typedef enum bt_alert_kind { BT_ALERTS_PAINS, BT_ALERTS_BRENK } bt_alert_kind;
bt_status bt_alerts_create(bt_alert_kind kind, bt_alerts **ret_alerts, bt_error *opt_error) BT_MUST_USE;
void bt_alerts_destroy(bt_alerts *opt_alerts);
/* The name of the first pattern that the molecule has, free() it; NULL: none. */
bt_status bt_alerts_match(const bt_alerts *alerts, const bt_rdmol *mol, bt_where where, char **ret_name,
                          bt_error *opt_error) BT_MUST_USE;

/* Other tautomers of a molecule, by RDKit's rules: those that its scores rate at least as high as the molecule itself,
 * best first, equal ones by their SMILES; stereochemistry stays. None of a molecule with hydrogens as atoms. At most
 * `most`; bt_rdmol_destroy each of ret_tautomers[count], and free() it. One thread at a time. */
typedef struct bt_tautomer_rules bt_tautomer_rules;
bt_status bt_tautomer_rules_create(bt_tautomer_rules **ret_rules, bt_error *opt_error) BT_MUST_USE;
void bt_tautomer_rules_destroy(bt_tautomer_rules *opt_rules);
bt_status bt_rdmol_tautomers(const bt_rdmol *mol, const bt_tautomer_rules *rules, int most, bt_where where,
                             bt_rdmol ***ret_tautomers, int *ret_count, bt_error *opt_error) BT_MUST_USE;

/* Strain: how far poses lie above a relaxed conformer, in MMFF94s, or UFF where MMFF lacks an atom, without interaction
 * of charges, which water screens. A pose counts after a relaxation in which each heavy atom may move 0.3 Angstrom, so
 * that the noise of bonds and angles does not. The relaxed conformer is the lowest of those that were relaxed without
 * bounds: the molecule as prepared, and some poses. */
typedef struct bt_strainer bt_strainer;
enum {
  BT_FAULT_AMIDE = 1,  /* an amide more than 30 degrees from planar, or an aryl ring more than 60 from its amide */
  BT_FAULT_RING = 2,   /* a bond of a ring 0.3 Angstrom longer or shorter than as prepared */
  BT_FAULT_STEREO = 4, /* a center or double bond is another one than stated */
};
/* x[atom_count]: as prepared, Angstrom. */
bt_status bt_strainer_create(const bt_rdmol *mol, const double (*x)[3], bt_strainer **ret_strainer,
                             bt_error *opt_error) BT_MUST_USE;
void bt_strainer_destroy(bt_strainer *opt_strainer);
/* "MMFF94s", "UFF", or "" where neither has parameters. */
const char *bt_strainer_source(const bt_strainer *strainer);
bt_status bt_strainer_faults(const bt_strainer *strainer, const double (*x)[3], unsigned *ret_faults,
                             bt_error *opt_error) BT_MUST_USE;
/* The energy of a pose, kcal/mol; NaN without parameters. free: relaxes it without bounds as well, as a conformer to
 * compare with. */
bt_status bt_strainer_energy(bt_strainer *strainer, const double (*x)[3], bool free, double *ret_energy,
                             bt_error *opt_error) BT_MUST_USE;
/* The energy of the relaxed conformer so far, kcal/mol. */
double bt_strainer_relaxed(const bt_strainer *strainer);

/* What checks of poses ask for (results/checks/).
 * Bounds of all distances by distance geometry, with 1,5 distances, smoothed by the triangle inequality; both sides of
 * double bonds are allowed, and in macrocycles all torsions. ret_bounds[n * n], Angstrom: i * n + j is the upper bound
 * for i < j, the lower one for i > j. *ret_known false: they contradict each other. */
bt_status bt_rdmol_bounds(const bt_rdmol *mol, double *ret_bounds, bool *ret_known, bt_error *opt_error) BT_MUST_USE;
/* How many stereocenters and double bonds of those that mol states are another one, or flat or twisted, at x. */
bt_status bt_rdmol_wrong_stereo(const bt_rdmol *mol, const double (*x)[3], int *ret_centers, int *ret_bonds,
                                bt_error *opt_error) BT_MUST_USE;
/* The same for what another molecule states, whose heavy atoms may be in another order; of several mappings the one with
 * the fewest. *ret_same false: it is not the same molecule. x: of mol. */
bt_status bt_rdmol_wrong_stereo_of(const bt_rdmol *stated, const bt_rdmol *mol, const double (*x)[3], bool *ret_same,
                                   int *ret_centers, int *ret_bonds, bt_error *opt_error) BT_MUST_USE;
/* Energy in UFF, kcal/mol, of a pose, and the mean over conformers that are generated and relaxed; NaN where UFF lacks
 * an atom. */
bt_status bt_rdmol_uff_energy(const bt_rdmol *mol, const double (*x)[3], double *ret_energy,
                              bt_error *opt_error) BT_MUST_USE;
bt_status bt_rdmol_uff_mean(const bt_rdmol *mol, int count, uint64_t seed, const bt_deadline *opt_deadline,
                            double *ret_mean, bt_error *opt_error) BT_MUST_USE;

bt_status bt_smarts_create(const char *text, bt_smarts **ret_smarts, bt_error *opt_error) BT_MUST_USE;
void bt_smarts_destroy(bt_smarts *opt_smarts);
int bt_smarts_size(const bt_smarts *smarts); /* atoms of the pattern */
/* All matches, also those of the same atoms in another order: ret_matches[count * size], free() it; NULL for none. */
bt_status bt_smarts_match(const bt_smarts *smarts, const bt_rdmol *mol, int **ret_matches, int *ret_count,
                          bt_error *opt_error) BT_MUST_USE;

/* The part that a molecule has in common with another one: the pattern where both match it, else the largest connected
 * part with equal elements and bond orders, and complete rings, without hydrogens. ret_pairs[count]: an atom of `with`
 * and one of mol that may lie in its place, by both; symmetric parts have several. free() it. *ret_size: atoms of the
 * part, 0: there is none. */
typedef struct bt_core_pair {
  int with, of;
} bt_core_pair;
bt_status bt_rdmol_core(const bt_rdmol *with, const bt_rdmol *mol, const bt_smarts *opt_core, bt_where where,
                        bt_core_pair **ret_pairs, int *ret_count, int *ret_size, bt_error *opt_error) BT_MUST_USE;

/* The Morgan fingerprint of the molecule without hydrogens (Rogers and Hahn, J. Chem. Inf. Model. 50 (2010) 742): radius 2,
 * 2,048 bits, stereochemistry left out. */
typedef struct bt_fingerprint {
  uint64_t bits[32];
} bt_fingerprint;
bt_status bt_rdmol_fingerprint(const bt_rdmol *mol, bt_fingerprint *ret_fingerprint, bt_error *opt_error) BT_MUST_USE;
static inline int bt_count_bits(uint64_t bits) {
  bits -= bits >> 1 & 0x5555555555555555u;
  bits = (bits & 0x3333333333333333u) + (bits >> 2 & 0x3333333333333333u);
  bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0fu;
  return (int)((bits * 0x0101010101010101u) >> 56);
}
/* Tanimoto coefficient; 1 where neither has a bit. */
static inline double bt_fingerprint_similarity(const bt_fingerprint *a, const bt_fingerprint *b) {
  int both = 0, either = 0;
  for (int k = 0; k < 32; k++) {
    both += bt_count_bits(a->bits[k] & b->bits[k]);
    either += bt_count_bits(a->bits[k] | b->bits[k]);
  }
  return either > 0 ? (double)both / either : 1.0;
}

/* Canonical isomeric SMILES of the molecule without the hydrogens that RDKit can leave out; free() it. ret_order[i] is
 * the place of atom i in it, from 0; -1: left out. */
bt_status bt_rdmol_smiles(const bt_rdmol *mol, char **ret_smiles, int *ret_order, bt_error *opt_error) BT_MUST_USE;
/* One SDF record with these coordinates ([atom_count]) and items, the molecule's own first; free() it. */
bt_status bt_rdmol_write_sdf(const bt_rdmol *mol, const double (*x)[3], const bt_sdf_tag *tags, int n_tags,
                             char **ret_text, bt_error *opt_error) BT_MUST_USE;
/* The text of a data item of the SDF record that the molecule was read from; NULL: it has none of that name. */
const char *bt_rdmol_item(const bt_rdmol *mol, const char *name);
/* A drawing of width x height pixels, without hydrogens that need not be shown, as one <svg> element; free() it. */
bt_status bt_rdmol_depict(const bt_rdmol *mol, int width, int height, char **ret_svg, bt_error *opt_error) BT_MUST_USE;

#endif
