/* contacts.h - which atoms of a pose touch which atoms of the receptor.
 *
 * Reactive, hydrogen-bond and van der Waals contacts are AutoDock-GPU's (its contact analysis), with one deliberate
 * difference: a polar hydrogen makes its nitrogen, oxygen or sulfur the donor on both sides, where AutoDock-GPU's code
 * does that for the receptor alone; `gpu_donors` restores its behavior. Pi stacking, salt bridges and cation-pi are beside them,
 * never among them, so that files for AutoDock-GPU's readers hold its three types only.
 *
 *   acceptor   type NA, NS, OA, OS, SA
 *   donor      N, O or S with a hydrogen HD within 1.041, 1.0289 or 1.3455 Angstrom; an HD that finds none
 *   R          both atoms reactive (type ends in 1, 4 or 7), within `reactive`; only with flexible residues
 *   H          acceptor and donor, within `hbond`
 *   V          neither is a hydrogen, an acceptor or a donor; within `vdw`
 *   pi         ring centers within 5.5 Angstrom, planes within 30 degrees of parallel or of a right angle, one center
 *              at most 2 Angstrom beside the other's axis; Salentin et al., Nucleic Acids Res. 43 (2015) W443
 *   salt       an atom of a cation and one of an anion within 4 Angstrom; Barlow and Thornton, J. Mol. Biol. 168
 *              (1983) 867
 *   cation pi  the middle of a cation within 6 Angstrom of a ring's center and at most 2 Angstrom beside its axis;
 *              Salentin et al.
 *
 * Hydrogen bonds with an angle, halogen bonds, hydrophobic contacts, water bridges and metals are defined in
 * interactions.h.
 */
#ifndef BERTH_RESULTS_ANALYSIS_CONTACTS_H
#define BERTH_RESULTS_ANALYSIS_CONTACTS_H

#include <berth/report.h>

#include "base/text/text.h"
#include "pose/ligand.h"

typedef struct bt_contact_site bt_contact_site;
typedef struct bt_contact_ligand bt_contact_ligand;

typedef struct bt_contact {
  bt_contact_type type;
  int ligand;         /* index of the ligand's atom; of a ring or charge: its first, or its nearest */
  const bt_atom *atom; /* of the receptor or a flexible residue; borrowed */
  double distance;    /* Angstrom; of a ring: between the centers; of a water bridge: between the named atoms */
  double angle;       /* degrees, at the hydrogen, the halogen or the bridging water; 0: the type has none */
  const bt_atom *opt_water; /* oxygen of a bridging water, borrowed; NULL: none */
} bt_contact;

typedef struct bt_contact_list {
  bt_contact *items; /* by type; within a type by the ligand's atom, then the receptor's, of groups first those
                        * of the receptor, then those of flexible residues */
  size_t count, capacity;
} bt_contact_list;

/* What is known of a receptor before any pose; receptor is borrowed. */
bt_status bt_contact_site_create(const bt_molecule *receptor, const bt_contact_options *options,
                                 bt_contact_site **ret_site, bt_error *opt_error) BT_MUST_USE;
void bt_contact_site_destroy(bt_contact_site *opt_site);

/* What is known of a ligand and the residues that move with it; ligand is borrowed. */
bt_status bt_contact_ligand_create(const bt_ligand *ligand, const bt_contact_options *options,
                                   bt_contact_ligand **ret_ligand, bt_error *opt_error) BT_MUST_USE;
void bt_contact_ligand_destroy(bt_contact_ligand *opt_ligand);

/* Appends the contacts of one pose; xyz[3 n_atoms] as in bt_run, Angstrom. Start from an empty list. */
bt_status bt_contacts_find(const bt_contact_site *site, const bt_contact_ligand *ligand, const double *xyz,
                           bt_contact_list *list, bt_error *opt_error) BT_MUST_USE;
void bt_contact_list_clear(bt_contact_list *list);

/* "R", "H", "V"; beside AutoDock-GPU's: "P" pi stacking, "S" salt bridge, "C" cation above a ring, "B" hydrogen bond with
 * an angle, "X" halogen bond, "L" hydrophobic, "W" water bridge, "M" metal. */
/* "hydrogen_bond": as JSON files have it. */
const char *bt_contact_name(bt_contact_type type);
const char *bt_contact_letter(bt_contact_type type);
bool bt_contact_is_autodock(bt_contact_type type);

#endif
