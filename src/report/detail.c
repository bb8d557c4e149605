/* detail.c - everything that a report shows of one ligand, as JSON. */
#include "report/detail.h"

#include <berth/rescore.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/chemistry.h"
#include "chem/element.h"
#include "results/analysis/strain.h"

/* --- molecules as text --------------------------------------------------------------------------------- */

static void add_atoms(bt_text *text, const bt_molecule *molecule, const double *opt_xyz, bool hetero) {
  for (int i = 0; i < molecule->n_atoms; i++) {
    const bt_atom *atom = &molecule->atoms[i];
    int element = bt_element_of_type(atom->type);
    if (element <= 0) continue;
    const char *symbol = bt_element_symbol(element);
    char upper[3] = {symbol[0], (char)toupper((unsigned char)symbol[1]), '\0'}, name[8];
    bool wide = strlen(atom->name) > 3 || symbol[1] != '\0';
    snprintf(name, sizeof name, wide ? "%-4.4s" : " %-3.3s", atom->name);
    const double *x = opt_xyz != NULL ? opt_xyz + 3 * (size_t)i : atom->x;
    bt_text_printf(
        text, "%-6s%5d %s %3.3s %c%4d%c   %8.3f%8.3f%8.3f  1.00  0.00          %2s\n", hetero ? "HETATM" : "ATOM",
        (i + 1) % 100000, name, hetero || atom->resname[0] == '\0' ? "LIG" : atom->resname, hetero ? ' ' : atom->chain,
        hetero ? 1 : ((atom->resnum % 10000) + 10000) % 10000, hetero ? ' ' : atom->icode, x[0], x[1], x[2], upper);
  }
}

bt_status bt_report_add_pdb(bt_json *json, const char *key, const bt_molecule *molecule, const double *opt_xyz,
                            bool hetero, bt_error *opt_error) {
  BT_ENDED_BY(bt_text_destroy) bt_text text = {0};
  add_atoms(&text, molecule, opt_xyz, hetero);
  bt_json_key(json, key);
  bt_json_string(json, text.data != NULL ? text.data : "");
  return bt_text_status(&text, opt_error);
}

static bt_status add_pose_text(bt_json *json, const bt_ligand *ligand, const double *xyz, bt_error *opt_error) {
  if (bt_molecule_has_chemistry(ligand->molecule)) {
    BT_SCOPED char *record = NULL;
    BT_TRY(bt_molecule_sdf(ligand->molecule, (const double(*)[3])(const void *)xyz, NULL, 0, &record, opt_error));
    char *end = strstr(record, "M  END"); /* data items of a library need no place here */
    if (end != NULL) end[6] = '\n', end[7] = '\0';
    bt_json_printf(json, "sdf %s", record);
  } else {
    BT_TRY(bt_report_add_pdb(json, "pdb", ligand->molecule, xyz, true, opt_error));
  }
  if (ligand->opt_flexible == NULL) return BT_OK;
  xyz += 3 * (size_t)ligand->n_ligand_atoms;
  return bt_report_add_pdb(json, "flexible", ligand->opt_flexible, xyz, false, opt_error);
}

/* --- contacts ------------------------------------------------------------------------------------------ */

/* Position of a receptor atom; flexible residues have their own in each pose. */
static const double *place_of(const bt_report_ligand *l, const bt_atom *atom, const double *xyz) {
  const bt_molecule *flexible = l->ligand->opt_flexible;
  if (flexible != NULL && atom >= flexible->atoms && atom < flexible->atoms + flexible->n_atoms)
    return xyz + 3 * (size_t)(l->ligand->n_ligand_atoms + (int)(atom - flexible->atoms));
  return atom->x;
}

static bt_status add_contacts(bt_json *json, const bt_report_ligand *l, const bt_contact_ligand *known,
                              const double *xyz, bt_error *opt_error) {
  bt_contact_list list = {0};
  bt_status status = bt_contacts_find(l->opt_site, known, xyz, &list, opt_error);
  bt_json_printf(json, "contacts [");
  for (size_t k = 0; status == BT_OK && k < list.count; k++) {
    const bt_contact *c = &list.items[k];
    const char chain[2] = {c->atom->chain == ' ' ? '\0' : c->atom->chain, '\0'};
    const double *x = xyz + 3 * (size_t)c->ligand, *y = place_of(l, c->atom, xyz);
    bt_json_printf(json, "[ %s %d %s %s %d %s %s %.2f", bt_contact_letter(c->type), c->ligand + 1,
                   bt_ligand_atom(l->ligand, c->ligand, NULL)->name, c->atom->resname, c->atom->resnum, chain,
                   c->atom->name, c->distance);
    bt_json_printf(json, "%.2f %.2f %.2f %.2f %.2f %.2f", x[0], x[1], x[2], y[0], y[1], y[2]);
    const double *water = c->opt_water != NULL ? c->opt_water->x : NULL; /* a bridge goes by it */
    if (water != NULL) bt_json_printf(json, "%.2f %.2f %.2f", water[0], water[1], water[2]);
    bt_json_close(json, ']');
  }
  bt_json_close(json, ']');
  bt_contact_list_clear(&list);
  return status;
}

/* --- waters of hydrated docking ------------------------------------------------------------------------ */

static void add_waters(bt_json *json, const bt_water_list *waters) {
  bt_json_printf(json, "waters [");
  for (size_t k = 0; k < waters->count; k++) {
    const bt_water *w = &waters->items[k];
    bt_json_printf(json, "[ %d %s %.2f %.2f ]", w->atom + 1, bt_water_name(w->state), w->energy, w->distance);
  }
  bt_json_close(json, ']');
}

/* --- the object ---------------------------------------------------------------------------------------- */

static void add_faults(bt_json *json, unsigned faults) {
  bt_json_printf(json, "faults [");
  for (int k = 0; k < BT_FAULTS; k++)
    if ((faults & bt_fault_bit(k)) != 0) bt_json_string(json, bt_fault_text(k));
  bt_json_close(json, ']');
}

/* Names of the tests that the pose fails; none: it passes. The values of all tests are in the order of bt_check. */
static void add_checks(bt_json *json, const bt_checks *checks) {
  bt_json_printf(json, "checks [");
  for (int k = 0; k < BT_CHECK_COUNT; k++)
    if ((checks->failed & 1U << k) != 0) bt_json_string(json, bt_check_name((bt_check)k));
  bt_json_printf(json, "] tested [");
  for (int k = 0; k < BT_CHECK_COUNT; k++) bt_json_rounded(json, checks->values[k], 3);
  bt_json_close(json, ']');
}

static void add_constraints(bt_json *json, const bt_report_pose *pose) {
  bt_json_printf(json, "constraints [");
  for (int k = 0; k < pose->n_constraints; k++) {
    const bt_report_constraint *c = &pose->constraints[k];
    bt_json_printf(json, "[ %s %hhd %hhd %.2f %.2f %.2f ]", c->name, c->required, c->met, c->distance, c->miss,
                   c->energy);
  }
  bt_json_close(json, ']');
}

/* others: energies by further functions. values: what re-scorers say that has no unit. */
static void add_scores(bt_json *json, const bt_report_pose *pose) {
  if (pose->scores.count > 0) bt_json_printf(json, "others {");
  for (int k = 0; k < pose->scores.count; k++) {
    bt_json_key(json, bt_rescorer_title(pose->scores.items[k].name));
    bt_json_printf(json, "%.2f", pose->scores.items[k].value);
  }
  if (pose->scores.count > 0) bt_json_close(json, '}');
  if (pose->values.count > 0) bt_json_printf(json, "values {");
  for (int k = 0; k < pose->values.count; k++) {
    bt_json_key(json, pose->values.items[k].name);
    bt_json_printf(json, "%.4f", pose->values.items[k].value);
  }
  if (pose->values.count > 0) bt_json_close(json, '}');
}

static bt_status add_pose(bt_json *json, const bt_report_ligand *l, const bt_contact_ligand *opt_known,
                          const bt_report_pose *pose, bt_error *opt_error) {
  bt_json_printf(json, "{ run %d cluster %d sub %d free %.2f inter %.2f vdw %.2f elec %.2f moving %.2f", pose->run,
                 pose->cluster, pose->rank_in_cluster, pose->free_energy, pose->inter, pose->vdw, pose->electrostatic,
                 pose->moving);
  bt_json_printf(json, "intra %.2f tors %.2f crmsd %.2f rmsd %.2f", pose->intra, pose->torsional, pose->cluster_rmsd,
                 pose->reference_rmsd);
  if (isfinite(pose->strain)) bt_json_printf(json, "strain %.1f", pose->strain);
  if (pose->faults != 0) add_faults(json, pose->faults);
  if (pose->checks.made) add_checks(json, &pose->checks);
  if (pose->n_constraints > 0) add_constraints(json, pose);
  if (pose->site > 0) bt_json_printf(json, "site %d", pose->site);
  if (pose->receptor > 0) bt_json_printf(json, "receptor %d", pose->receptor);
  if (pose->seed > 0) bt_json_printf(json, "seed %d", pose->seed);
  add_scores(json, pose);
  BT_TRY(add_pose_text(json, l->ligand, pose->xyz, opt_error));
  if (opt_known != NULL && pose->receptor <= 1) BT_TRY(add_contacts(json, l, opt_known, pose->xyz, opt_error));
  if (pose->waters.count > 0) add_waters(json, &pose->waters);
  bt_json_close(json, '}');
  return BT_OK;
}

static bt_status add_depiction(bt_json *json, const bt_molecule *molecule, bt_error *opt_error) {
  BT_SCOPED char *svg = NULL, *smiles = NULL;
  BT_TRY(bt_chemistry_isomer_smiles(molecule->chemistry, &smiles, opt_error));
  bt_json_printf(json, "smiles %s", smiles != NULL ? smiles : bt_molecule_smiles(molecule));
  if (smiles == NULL) return BT_OK;
  if (strcmp(smiles, bt_molecule_smiles(molecule)) != 0)
    bt_json_printf(json, "isomer_of %s", bt_molecule_smiles(molecule));
  bt_rdmol *isomer = NULL;
  BT_TRY(bt_chemistry_isomer(molecule->chemistry, &isomer, opt_error));
  bt_status status = bt_rdmol_depict(isomer, 320, 220, &svg, opt_error);
  bt_rdmol_destroy(isomer);
  if (status == BT_OK) bt_json_printf(json, "svg %s", svg);
  return status;
}

static void add_runs(bt_json *json, const bt_report_ligand *l) {
  bt_json_printf(json, "runs [");
  for (int k = 0; k < l->n_poses; k++) {
    const bt_report_pose *pose = &l->poses[k];
    if (pose->further) continue;
    bt_json_printf(json, "[ %.2f %d %.2f %d ]", pose->free_energy, pose->cluster, pose->reference_rmsd, pose->run);
  }
  bt_json_close(json, ']');
}

static bt_status add_members(bt_json *json, const bt_report_ligand *l, const bt_contact_ligand *opt_known,
                             bt_error *opt_error) {
  BT_TRY(add_depiction(json, l->ligand->molecule, opt_error));
  bt_json_printf(json, "poses [");
  for (int k = 0; k < l->n_shown; k++) BT_TRY(add_pose(json, l, opt_known, &l->poses[k], opt_error));
  bt_json_close(json, ']');
  if (l->all_runs) add_runs(json, l);
  if (l->opt_reference == NULL) return BT_OK;
  return bt_report_add_pdb(json, "reference", l->opt_reference, NULL, true, opt_error);
}

bt_status bt_report_add_detail(bt_json *json, const bt_report_ligand *ligand, bt_error *opt_error) {
  bt_contact_ligand *known = NULL;
  if (ligand->opt_site != NULL) BT_TRY(bt_contact_ligand_create(ligand->ligand, ligand->contacts, &known, opt_error));
  bt_json_open(json, '{');
  bt_status status = add_members(json, ligand, known, opt_error);
  bt_json_close(json, '}');
  bt_contact_ligand_destroy(known);
  return status;
}
