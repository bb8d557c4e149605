/* core.c - a part of the ligand that lies where it does in another molecule. */
#include <berth/place.h>

#include "base/vector.h"
#include "chem/chemistry.h"
#include "constrain/constrain.h"

enum { SMALLEST = 5 }; /* atoms of a part that two molecules have in common, from which on it is a core */
static const char name[] = "core";

/* The first molecule of a file, or a residue. */
static bt_status read_first(const bt_constraint_options *options, bt_molecule **ret_molecule, bt_error *opt_error) {
  bt_place place;
  BT_TRY(bt_place_find(options->opt_core, options->opt_core_structure, &place, opt_error));
  bt_status status = bt_place_molecule(&place, 1, options->opt_core_template, NULL, ret_molecule, opt_error);
  bt_place_clear(&place);
  if (status == BT_OK && *ret_molecule == NULL)
    status = bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = options->opt_core}, "use a file with a molecule",
                     "it is empty");
  return status;
}

/* A PDBQT file may tell the bonds in its remarks. */
static bt_status check_pose(const char *path, bt_molecule *molecule, bt_error *opt_error) {
  if (molecule->chemistry == NULL) BT_TRY(bt_molecule_find_chemistry(molecule, opt_error));
  const bt_chemistry *chemistry = molecule->chemistry;
  if (chemistry != NULL && chemistry->mol != NULL && !chemistry->embedded) return BT_OK;
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = path}, "use an SDF or MOL2 file with 3D coordinates",
                 "the molecule with the core has no %s", chemistry == NULL ? "bonds" : "pose");
}

/* A ligand that the receptor still holds, where a core has to lie. Prepared coordinates have three decimals. */
static bt_status refuse_in_receptor(const char *path, const bt_molecule *core, const bt_molecule *receptor,
                                    bt_error *opt_error) {
  const double same = 0.01; /* Angstrom */
  for (int k = 0; k < core->n_atoms; k++)
    for (int other = 0; other < receptor->n_atoms; other++)
      if (bt_v3_distance2(core->atoms[k].x, receptor->atoms[other].x) < same * same)
        return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = path, .atom = k + 1},
                       "take that residue out of the receptor (--delete, Receptor(delete=...))",
                       "the receptor has an atom where the core's molecule has one");
  return BT_OK;
}

bt_status bt_constraints_open_core(const bt_constraint_options *options, const bt_molecule *opt_receptor,
                                   bt_constraints *constraints, bt_error *opt_error) {
  const char *path = options->opt_core;
  constraints->core_tolerance = options->core_tolerance;
  constraints->core_optional = options->core_optional;
  if (path == NULL && options->opt_core_smarts == NULL) return BT_OK;
  if (path == NULL)
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "add a file with a molecule that has the core in its place",
                   "the core's pattern needs a molecule");
  if (!(options->core_tolerance > 0))
    return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){0}, "use a tolerance such as 1",
                   "the core's tolerance is not above zero");
  const char *pattern = options->opt_core_smarts;
  if (pattern != NULL) {
    BT_TRY(bt_smarts_create(pattern, &constraints->core_pattern, opt_error));
    constraints->opt_core_smarts = bt_copy_text(pattern, strlen(pattern));
    if (constraints->opt_core_smarts == NULL) return bt_fail_memory(opt_error);
  }
  BT_TRY(read_first(options, &constraints->core, opt_error));
  BT_TRY(check_pose(path, constraints->core, opt_error));
  if (opt_receptor != NULL) BT_TRY(refuse_in_receptor(path, constraints->core, opt_receptor, opt_error));
  const bt_chemistry *chemistry = constraints->core->chemistry;
  BT_SCOPED bt_core_pair *pairs = NULL;
  int count, size;
  if (constraints->core_pattern == NULL) return BT_OK;
  BT_TRY(bt_rdmol_core(chemistry->mol, chemistry->mol, constraints->core_pattern, (bt_where){.file = path}, &pairs,
                       &count, &size, opt_error));
  if (count > 0) return BT_OK;
  return bt_fail(opt_error, BT_ERR_USAGE, (bt_where){.file = path}, "correct the pattern, or use another molecule",
                 "the molecule does not match the core's pattern");
}

static bt_status fail_no_core(const bt_constraints *constraints, const bt_molecule *molecule, int size,
                              bt_error *opt_error) {
  bt_where where = {.file = molecule->path, .line = molecule->record_line};
  const char *remedy = "leave this ligand out, or dock such ligands without the core (--core-missing free)";
  if (constraints->core_pattern != NULL)
    return bt_fail(opt_error, BT_ERR_INPUT, where, remedy, "the ligand does not have the core");
  return bt_fail(opt_error, BT_ERR_INPUT, where, remedy,
                 "the ligand does not have the core: it has a part of %d atoms in common with %s", size,
                 constraints->core->name);
}

static bt_status add_pairs(const bt_constraints *constraints, const bt_chemistry *chemistry, const bt_core_pair *pairs,
                           int count, bt_restraints *list, bt_error *opt_error) {
  BT_TRY(bt_restraints_add_constraint(list, name, true, opt_error));
  for (int k = 0; k < count; k++) {
    if (k == 0 || pairs[k].with != pairs[k - 1].with)
      BT_TRY(bt_restraints_add(list, BT_REQUIRED_FORCE, 0.0, constraints->core_tolerance, opt_error));
    bt_restraint_contact contact = {.atom = bt_chemistry_entry(chemistry, pairs[k].of)};
    if (contact.atom < 0) continue;
    memcpy(contact.point, constraints->core->chemistry->x[pairs[k].with], sizeof contact.point);
    BT_TRY(bt_restraints_add_contact(list, &contact, opt_error));
  }
  return BT_OK;
}

bt_status bt_constraints_apply_core(const bt_constraints *constraints, const bt_ligand *ligand, bt_restraints *list,
                                    bt_error *opt_error) {
  if (constraints->core == NULL) return BT_OK;
  const bt_molecule *molecule = ligand->molecule;
  const bt_chemistry *chemistry = molecule->chemistry;
  bt_where where = {.file = molecule->path, .line = molecule->record_line};
  BT_SCOPED bt_core_pair *pairs = NULL;
  int count, size;
  if (chemistry == NULL)
    return bt_fail(opt_error, BT_ERR_INPUT, where, "use an SDF, MOL2 or SMILES file",
                   "the bonds of the ligand, and so its core, are not known");
  BT_TRY(bt_rdmol_core(constraints->core->chemistry->mol, chemistry->mol, constraints->core_pattern, where, &pairs,
                       &count, &size, opt_error));
  if (count == 0 || (constraints->core_pattern == NULL && size < SMALLEST))
    return constraints->core_optional ? BT_OK : fail_no_core(constraints, molecule, size, opt_error);
  return add_pairs(constraints, chemistry, pairs, count, list, opt_error);
}
