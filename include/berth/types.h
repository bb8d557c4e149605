/* types.h - what the headers speak of: molecules, maps, boxes, energies. Conventions are those of berth.h. */
#ifndef BERTH_TYPES_H
#define BERTH_TYPES_H

#include <berth/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bt_molecule bt_molecule;         /* atoms and torsion tree */
typedef struct bt_maps bt_maps;                 /* affinity maps in a box */
typedef struct bt_ligand bt_ligand;             /* a molecule and flexible residues, set up for docking */
typedef struct bt_dock_options bt_dock_options; /* berth.h */
typedef struct bt_engine bt_engine;             /* opened once with maps, devices and settings; docks many times */
typedef struct bt_result bt_result;             /* the poses of one docking */
typedef struct bt_constraints bt_constraints;   /* constrain.h */

void bt_molecule_destroy(bt_molecule *molecule);
void bt_molecule_list_destroy(bt_molecule **list, int count);
void bt_maps_destroy(bt_maps *maps);
void bt_ligand_destroy(bt_ligand *ligand);
void bt_result_destroy(bt_result *result);

typedef enum bt_molecule_kind {
  BT_MOLECULE_LIGAND,   /* PDBQT with ROOT, BRANCH and TORSDOF */
  BT_MOLECULE_FLEXIBLE, /* PDBQT with BEGIN_RES ... END_RES */
  BT_MOLECULE_RECEPTOR  /* PDBQT with atoms only */
} bt_molecule_kind;

/* AutoDock 4.2; Vina 1.2; Vinardo as in Vina 1.2; Vina with a term for the coordination of metals (decision 035). */
typedef enum bt_scoring {
  BT_SCORING_AD4,
  BT_SCORING_VINA,
  BT_SCORING_VINARDO,
  BT_SCORING_VINA_METALS
} bt_scoring;

typedef struct bt_box {
  double center[3]; /* Angstrom */
  int npts[3];      /* intervals per axis, even; there are npts + 1 points */
  double spacing;   /* Angstrom */
} bt_box;

typedef enum bt_local_search { BT_LS_NONE, BT_LS_SOLIS_WETS, BT_LS_ADADELTA, BT_LS_ADAM } bt_local_search;

/* How the lanes that share one pose sum their terms. The tensor variants need a device with tensor cores. */
typedef enum bt_reduction {
  BT_REDUCTION_AUTO,
  BT_REDUCTION_SIMT,        /* shuffles and local memory, single precision */
  BT_REDUCTION_TENSOR_FP16, /* Schieffer and Peng 2023: half precision; for comparison only */
  BT_REDUCTION_TENSOR_EC    /* TF32 with error correction, Ootomo and Yokota 2022 */
} bt_reduction;

typedef enum bt_energy_form {
  BT_FORM_TABULATED, /* the arithmetic of AutoDock 4.2.6 or Vina 1.2, equal to the last printed digit */
  BT_FORM_CONTINUOUS /* the closed forms that the search kernels evaluate */
} bt_energy_form;

/* The TORSDOF record, as in AutoDock 4, or the number of BRANCH records, as in AutoDock-GPU. */
typedef enum bt_torsional_count { BT_TORSIONAL_TORSDOF, BT_TORSIONAL_BRANCHES } bt_torsional_count;

/* Poses within the tolerance of a better one that stay apart for re-scorers to choose from: those of another conformer;
 * or all, with as many further minima again. */
typedef enum bt_variants { BT_VARIANTS_NONE, BT_VARIANTS_CONFORMERS, BT_VARIANTS_SIMILAR } bt_variants;

/* Energy terms of one pose, kcal/mol.
 * inter = inter_vdw_hbond + inter_electrostatic + inter_desolvation + inter_moving
 * intra = intra_vdw + intra_hbond + intra_electrostatic + intra_desolvation + intra_flex
 * All but the last of each are the ligand's own terms. Vina's terms are in inter_vdw_hbond and intra_vdw. */
typedef struct bt_energy {
  double inter, inter_vdw_hbond, inter_electrostatic, inter_desolvation;
  double intra, intra_vdw, intra_hbond, intra_electrostatic, intra_desolvation;
  double inter_moving; /* ligand with flexible residues, and with ligands docked simultaneously */
  double inter_moving_electrostatic; /* its electrostatic part */
  double intra_flex;       /* flexible residues with the rigid receptor, with each other, and within themselves */
  double intra_flex_fixed; /* the part of intra_flex that is with the rigid receptor */
  double unbound;          /* Vina: intra of the unbound ligand, taken from this pose or from the best one; else 0 */
  double torsional;        /* 0.2983 * number of torsional degrees of freedom; Vina: free_energy - (inter + intra - unbound) */
  double total;            /* inter + intra + torsional */
  double free_energy;      /* free energy of binding: inter + torsional; Vina: (inter + intra - unbound) / (1 + w N) */
  int atoms_outside;       /* moving atoms outside the maps; then the energies contain penalties */
} bt_energy;

/* Energy of one atom in the maps, kcal/mol, as AutoDock prints it beside each atom. */
typedef struct bt_atom_energy {
  double vdw_hbond, electrostatic, desolvation;
} bt_atom_energy;

/* Where a pose of a rigid ligand is (bude.h): the conformer, rotated about its center by angles about the fixed x, then
 * y, then z axis, and placed at center + translation. */
typedef struct bt_placement {
  int conformer;                    /* from 0 */
  int index[6];                     /* BUDE's descriptor: grid indices, from 1 */
  double angles[3], translation[3]; /* degrees, Angstrom */
  bool in_place;                    /* at the coordinates in its file */
} bt_placement;

/* Ligands whose rows in a database have changed since they were written. They are omitted; bt_screen_run with resume
 * docks them again. */
typedef struct bt_screen_damage {
  int64_t ligands;
  char lines[4096]; /* one line each, as many as fit: "out/screen.db: ligand lig7 (ordinal 7) is damaged: ..." */
} bt_screen_damage;

#ifdef __cplusplus
}
#endif

#endif
