/* score.h - energies in detail: atom by atom, pair by pair.
 *
 *     bt_atom_info atom = bt_ligand_atom_info(ligand, 0);
 *     bt_pair_energy *pairs = malloc(bt_ligand_pair_count(ligand) * sizeof *pairs);
 *     if (pairs == NULL || bt_score_pairs(ligand, maps, BT_FORM_TABULATED, pairs, &error) != BT_OK)
 *       goto failed;
 *     printf("%s ... : %.3f Angstrom\n", atom.name, pairs[0].distance);
 *     free(pairs);
 *
 * Conventions and the example's variables are those of berth.h.
 */
#ifndef BERTH_SCORE_H
#define BERTH_SCORE_H

#include <berth/types.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { BT_SCORING_COUNT = BT_SCORING_VINA_METALS + 1 };
/* Of files and databases that name none. */
#define BT_SCORING_UNNAMED BT_SCORING_AD4

/* What distinguishes scoring functions from each other, so that nobody has to ask for one of them. */
typedef struct bt_scoring_traits {
  bool charges;       /* atoms have charges: maps of electrostatics and desolvation beside those of types */
  bool sums;          /* energies are sums over the receptor's atoms, on which docked poses are minimized; else of maps */
  bool affinity;      /* free_energy is (inter + intra - unbound) / (1 + w N); else inter + torsional */
  const char *energy; /* what tables call it: "affinity", "free energy" */
  const char *types;  /* some types of maps, as an example: "C_H,N_D,O_A" */
} bt_scoring_traits;

const bt_scoring_traits *bt_scoring_traits_of(bt_scoring scoring);

/* A function's name in options and files ("ad4", "vina", "vinardo"), and its title in text ("AutoDock 4", "Vina",
 * ...). */
const char *bt_scoring_name(bt_scoring scoring);
const char *bt_scoring_title(bt_scoring scoring);
/* The names of all functions in the order of bt_scoring: "ad4|vina|vinardo". */
const char *bt_scoring_choices(void);

/* "simt", "tensor-ec", ...: a bt_reduction as in options and files, then the variants that exist for comparison only;
 * NULL after the last. All of them joined by "|". */
const char *bt_reduction_name(int reduction);
const char *bt_reduction_choices(void);
/* The function of that name; false if there is none. */
bool bt_scoring_find(const char *name, bt_scoring *ret_scoring);

/* An atom as described in its file; the ligand's atoms come first, then those of the flexible residues. */
typedef struct bt_atom_info {
  long serial;
  const char *name, *type, *residue; /* borrowed from the molecule */
  int residue_number;
  char chain;
  bool flexible; /* belongs to a flexible residue */
} bt_atom_info;

bt_atom_info bt_ligand_atom_info(const bt_ligand *ligand, int index);

/* Vina's number of rotors: a bond to a terminal group counts one half. 0 for AutoDock 4. */
double bt_ligand_rotors(const bt_ligand *ligand);

/* Energy of two moving atoms, kcal/mol. i < j are indices as in bt_ligand_atom_info(); the restraint of a ring closure
 * counts as vdw. */
typedef struct bt_pair_energy {
  int i, j;
  double distance; /* Angstrom */
  double vdw, hbond, electrostatic, desolvation;
} bt_pair_energy;

/* The interacting pairs of moving atoms, and their energies in the input pose: first within the ligand, then between
 * ligand and flexible residues, then within and between residues. ret_pairs[bt_ligand_pair_count()]. */
int bt_ligand_pair_count(const bt_ligand *ligand);
bt_status bt_score_pairs(const bt_ligand *ligand, const bt_maps *maps, bt_energy_form form, bt_pair_energy *ret_pairs,
                         bt_error *opt_error) BT_MUST_USE;

/* What a pose written by Berth records of its docking: the line REMARK BERTH grid in PDBQT, the data item berth_grid in
 * SDF. Scored in this grid, with this unbound energy, the pose has the energy of the docking. */
typedef struct bt_docked {
  bt_scoring scoring;
  bt_box box;
  double unbound; /* kcal/mol, for bt_score_set_unbound; NaN in AutoDock 4's function, which has none */
  bt_torsional_count torsional;
} bt_docked;

/* False if the pose has no such record, or a malformed one. */
bool bt_molecule_docked(const bt_molecule *molecule, bt_docked *ret_docked);

/* The energy that the file of a docked pose states, kcal/mol, to three decimals; false: none. */
bool bt_molecule_docked_energy(const bt_molecule *molecule, double *ret_energy);

/* The docked flexible residues that follow a pose in PDBQT; *ret_flexible is NULL if there are none. */
bt_status bt_molecule_docked_residues(const bt_molecule *molecule, bt_molecule **ret_flexible,
                                      bt_error *opt_error) BT_MUST_USE;

/* ---- Given poses ----
 *
 *     bt_pose_request request = {.opt_receptor = NULL}; // the receptor, if its atoms are known
 *     bt_pose_plan plan;
 *     if (bt_pose_plan_make(molecules[0], &request, &plan, &error) != BT_OK)
 *       goto failed;
 *     bt_energy docked; // with a ligand for plan.scoring and plan.opt_flexible, and maps of plan.box if it has one
 *     bt_status scored = bt_pose_score(ligand, maps, BT_FORM_TABULATED, &plan, &docked, NULL, &error);
 *     bt_pose_plan_clear(&plan);
 */

/* What a program wants of a pose, and has. */
typedef struct bt_pose_request {
  const bt_molecule *opt_receptor; /* the rigid part; NULL: only maps are known, and its atoms cannot be checked */
  const bt_molecule *opt_flexible; /* its side chains that move; NULL: none */
  const bt_scoring *opt_scoring;   /* NULL: the function of the docking, AutoDock 4 for poses without a record */
  const bt_torsional_count *opt_torsional; /* NULL: that of the docking, else TORSDOF */
  bool ignore_docking;             /* score it like the pose of another program: no record but the bond counts */
} bt_pose_request;

/* How to score a pose so that it has the energy of its docking. */
typedef struct bt_pose_plan {
  bt_scoring scoring;
  bt_torsional_count torsional;
  bool recorded;        /* the pose records its docking: box and docked_with are those of it */
  bt_box box;
  bt_scoring docked_with;
  double unbound;       /* of the docking, kcal/mol; NaN: that of the pose itself */
  const bt_molecule *opt_flexible; /* the pose's own residues, or those of the request; create the ligand with them */
  bt_molecule *opt_residues;       /* owned: the pose's own */
} bt_pose_plan;

/* The one place where is decided what the record of a pose means. It is used in full, or the pose is refused with
 * BT_ERR_INPUT and what to give: a receptor without the side chains that moved, or that the ligand is bonded to. */
bt_status bt_pose_plan_make(const bt_molecule *pose, const bt_pose_request *request, bt_pose_plan *ret_plan,
                            bt_error *opt_error) BT_MUST_USE;
void bt_pose_plan_clear(bt_pose_plan *plan);
/* bt_score by the plan. */
bt_status bt_pose_score(const bt_ligand *ligand, const bt_maps *maps, bt_energy_form form, const bt_pose_plan *plan,
                        bt_energy *ret_energy, bt_atom_energy *opt_atoms, bt_error *opt_error) BT_MUST_USE;

/* The residues of the receptor that the pose brings along, as words for bt_receptor_options: "A:ARG8,B:ARG8" and
 * "A:SER62"; "" if there are none. free() both. */
bt_status bt_pose_residues(const bt_molecule *pose, char **ret_flexible, char **ret_covalent,
                           bt_error *opt_error) BT_MUST_USE;
/* BT_ERR_INPUT if the receptor has atoms of the residue that a covalent ligand is bonded to: they are the ligand's. */
bt_status bt_molecule_check_bond(const bt_molecule *ligand, const bt_molecule *receptor,
                                 bt_error *opt_error) BT_MUST_USE;

/* Recomputes Vina's affinity with the intra of another pose, such as the best of a docking, as unbound energy; bt_score
 * subtracts the pose's own. Has no effect on AutoDock 4 energies. */
void bt_score_set_unbound(const bt_ligand *ligand, bt_energy *energy, double unbound);

#ifdef __cplusplus
}
#endif

#endif
