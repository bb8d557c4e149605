/* constrain.h - constraints: what a chemist knows about the pose before it is docked.
 *
 *     const char *const wanted[] = {"point:heavy:9,16,9@4", "inside:9,16,9@20"};
 *     bt_constraint_options known = bt_constraint_options_default();
 *     bt_constraints *constraints;
 *     known.required = wanted;
 *     known.n_required = 2;
 *     if (bt_constraints_create(&known, NULL, &constraints, &error) != BT_OK) // or with a receptor: "hbond:A:ASP25"
 *       goto failed;
 *     if (bt_ligand_constrain(ligand, constraints, &error) != BT_OK) // or bt_target_options.opt_constraints
 *       goto failed;
 *     bt_constraints_destroy(constraints);
 *
 * Words. RES is a residue as in all options ("A:ASP25", "25"), ATOM the name of one of its atoms, [...] may be left out:
 *   hbond:RES[/ATOM][@MOST]      a donor of one and an acceptor of the other are at most MOST [3.4] Angstrom apart
 *   contact:RES[/ATOM][@MOST]    any two heavy atoms are, at most [4.0]
 *   metal:RES[/ATOM][@MOST]      N, O or S of the ligand and the metal [2.8]
 *   near:RES/ATOM[@LEAST-MOST]=SMARTS   the first atom of the pattern and that atom [2.5-3.5]
 *   point:KIND:X,Y,Z[@MOST]      an atom of the ligand of that kind and a point [1.5]
 *   empty:X,Y,Z@LEAST            no heavy atom of the ligand comes closer to the point
 *   inside:X,Y,Z@MOST            all its heavy atoms are within that distance of the point
 * Kinds: donor, acceptor, hydrophobic, aromatic, positive, negative, heavy. A core is a part of the ligand that lies
 * where it does in another molecule.
 *
 * A force pulls a pose towards what it does not meet, in the search and in the minimization that follows; energies are
 * those of the scoring function alone (docs/constraints.md). Conventions are those of berth.h.
 */
#ifndef BERTH_CONSTRAIN_H
#define BERTH_CONSTRAIN_H

#include <berth/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Start from bt_constraint_options_default(). */
typedef struct bt_constraint_options {
  size_t size;
  const char *const *required; /* words; poses that do not meet all of them are left out */
  int n_required;
  const char *const *preferred; /* words; poses are drawn to them, and outputs say how far away they are */
  int n_preferred;
  const char *opt_pharmacophore; /* a file of points: KIND X Y Z RADIUS [require|prefer] in each line; # begins a comment */
  const char *opt_core;          /* a place (berth/place.h) whose first molecule, in its pose, has the core */
  const char *opt_core_smarts;   /* the core [the largest part that both molecules have in common] */
  double core_tolerance;         /* by which its atoms may be elsewhere, Angstrom [1] */
  bool core_optional;            /* ligands without the core are docked without it, not refused [false] */
  const char *opt_core_structure; /* PDB or mmCIF file in which opt_core may name residues alone */
  const char *opt_core_template;  /* SMILES with the bond orders of a molecule from such a file */
} bt_constraint_options;

bt_constraint_options bt_constraint_options_default(void);
/* opt_receptor: a receptor's atoms; without them words that name residues are refused. *ret_constraints is NULL where the
 * options name no constraint. BT_ERR_USAGE names the word, BT_ERR_INPUT the file and line, that cannot be used. */
bt_status bt_constraints_create(const bt_constraint_options *options, const bt_molecule *opt_receptor,
                                bt_constraints **ret_constraints, bt_error *opt_error) BT_MUST_USE;
void bt_constraints_destroy(bt_constraints *opt_constraints);
/* All of them in words, those that are preferred in parentheses: "core, hbond:A:ASP25, (contact:A:PHE53)". */
const char *bt_constraints_words(const bt_constraints *constraints);

/* From here on dockings of the ligand keep to the constraints, which may be destroyed. BT_ERR_INPUT where the ligand
 * cannot meet a required one: it has no such atoms, or not the core. One thread per ligand. */
bt_status bt_ligand_constrain(bt_ligand *ligand, const bt_constraints *constraints, bt_error *opt_error) BT_MUST_USE;

/* How a pose of a result meets one of the constraints of its ligand. */
typedef struct bt_constraint_verdict {
  const char *name;
  bool required, met;
  double distance; /* of the two atoms, or atom and point, that are nearest; of a core: the farthest atom; Angstrom */
  double miss;     /* by which that is too short or too long, Angstrom; 0: met */
  double energy;   /* of the force, kcal/mol; no other energy contains it */
} bt_constraint_verdict;
int bt_result_constraint_count(const bt_result *result);
/* pose: from 0, as in bt_result_run; constraint from 0. */
bt_constraint_verdict bt_result_constraint(const bt_result *result, int pose, int constraint);

#ifdef __cplusplus
}
#endif

#endif
