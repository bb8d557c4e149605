/* constraints.c - from options to constraints, and from constraints to the restraints of a ligand. */
#include "constrain/constrain.h"

#include <stdlib.h>

#include "chem/chemistry.h"

/* ---- 1. creation ---- */

bt_constraint_options bt_constraint_options_default(void) {
  return (bt_constraint_options){.size = sizeof(bt_constraint_options), .core_tolerance = 1.0};
}

void bt_constraint_spec_clear(bt_constraint_spec *spec) {
  for (int k = 0; k < 2; k++) free(spec->links[k].points);
  bt_smarts_destroy(spec->pattern);
  free(spec->name);
  *spec = (bt_constraint_spec){0};
}

bt_status bt_constraint_add_point(bt_constraint_link *link, const double point[3], bt_error *opt_error) {
  if (!BT_GROW(link->points, &link->room, link->n_points + 1)) return bt_fail_memory(opt_error);
  memcpy(link->points[link->n_points++], point, sizeof *link->points);
  return BT_OK;
}

void bt_constraints_destroy(bt_constraints *opt_constraints) {
  if (opt_constraints == NULL) return;
  for (size_t k = 0; k < opt_constraints->n_specs; k++) bt_constraint_spec_clear(&opt_constraints->specs[k]);
  free(opt_constraints->specs);
  bt_molecule_destroy(opt_constraints->core);
  bt_smarts_destroy(opt_constraints->core_pattern);
  free(opt_constraints->opt_core_smarts);
  free(opt_constraints->words);
  free(opt_constraints);
}

static bt_status add_words(bt_constraints *c, const char *const *words, int count, bool required,
                           const bt_molecule *opt_receptor, bt_error *opt_error) {
  for (int k = 0; k < count; k++) {
    bt_constraint_spec spec;
    BT_TRY(bt_constraint_parse(bt_span_from(words[k]), required, opt_receptor, &spec, opt_error));
    if (BT_APPEND(c->specs, c->n_specs, &c->room, spec)) continue;
    bt_constraint_spec_clear(&spec);
    return bt_fail_memory(opt_error);
  }
  return BT_OK;
}

static bt_status write_words(bt_constraints *c, bt_error *opt_error) {
  BT_ENDED_BY(bt_text_destroy) bt_text text = {0};
  if (c->core != NULL) bt_text_printf(&text, "core of %s within %g A", c->core->name, c->core_tolerance);
  for (size_t k = 0; k < c->n_specs; k++)
    bt_text_printf(&text, c->specs[k].required ? "%s%s" : "%s(%s)", text.size > 0 ? ", " : "", c->specs[k].name);
  return bt_text_take(&text, &c->words, opt_error);
}

bt_status bt_constraints_create(const bt_constraint_options *given, const bt_molecule *opt_receptor,
                                bt_constraints **ret_constraints, bt_error *opt_error) {
  bt_constraint_options all = bt_constraint_options_default(), *options = &all;
  bt_copy_sized(&all, sizeof all, given);
  *ret_constraints = NULL;
  bt_constraints *c = bt_allocate(1, sizeof *c);
  if (c == NULL) return bt_fail_memory(opt_error);
  bt_status status = bt_constraints_open_core(options, opt_receptor, c, opt_error);
  if (status == BT_OK) status = add_words(c, options->required, options->n_required, true, opt_receptor, opt_error);
  if (status == BT_OK) status = add_words(c, options->preferred, options->n_preferred, false, opt_receptor, opt_error);
  if (status == BT_OK && options->opt_pharmacophore != NULL)
    status = bt_constraints_read_points(options->opt_pharmacophore, c, opt_error);
  if (status == BT_OK && c->core == NULL && c->n_specs == 0) {
    bt_constraints_destroy(c);
    return BT_OK;
  }
  if (status == BT_OK) status = write_words(c, opt_error);
  return BT_HAND_OVER(status, c, ret_constraints, bt_constraints_destroy);
}

bool bt_constraints_need_bonds(const bt_constraints *constraints) {
  bool needed = constraints->core != NULL;
  for (size_t k = 0; k < constraints->n_specs; k++) needed = needed || constraints->specs[k].pattern != NULL;
  return needed;
}

const char *bt_constraints_words(const bt_constraints *constraints) { return constraints->words; }

/* ---- 2. the atoms of a ligand ---- */

/* Marks the first atoms of all matches. */
static bt_status mark_pattern(const bt_molecule *molecule, const bt_smarts *pattern, bool *marks, bt_error *opt_error) {
  const bt_chemistry *chemistry = molecule->chemistry;
  BT_SCOPED int *matches = NULL;
  int count, size = bt_smarts_size(pattern);
  if (chemistry == NULL)
    return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = molecule->path}, "use an SDF, MOL2 or SMILES file",
                   "the bonds of the ligand are not known, which a constraint by a pattern or charge needs");
  BT_TRY(bt_smarts_match(pattern, chemistry->mol, &matches, &count, opt_error));
  for (int m = 0; m < count; m++) {
    int entry = bt_chemistry_entry(chemistry, matches[m * size]);
    if (entry >= 0) marks[entry] = true;
  }
  return BT_OK;
}

static bt_status mark(const bt_ligand *ligand, const bt_constraint_spec *spec, int link, bool *marks,
                      bt_error *opt_error) {
  bt_atom_kind kind = spec->links[link].kind;
  if (kind == BT_ATOMS_PATTERN) return mark_pattern(ligand->molecule, spec->pattern, marks, opt_error);
  for (int i = 0; i < ligand->n_ligand_atoms; i++) marks[i] = bt_atom_is_of_kind(ligand->molecule, i, kind);
  return BT_OK;
}

static bt_status add_contacts(const bt_constraint_spec *spec, int link, int atom, bt_restraints *list,
                              bt_error *opt_error) {
  for (int p = 0; p < spec->links[link].n_points; p++) {
    bt_restraint_contact contact = {.atom = atom};
    memcpy(contact.point, spec->links[link].points[p], sizeof contact.point);
    BT_TRY(bt_restraints_add_contact(list, &contact, opt_error));
  }
  return BT_OK;
}

static bt_status fail_no_atom(const bt_ligand *ligand, const bt_constraint_spec *spec, bt_error *opt_error) {
  const bt_molecule *molecule = ligand->molecule;
  return bt_fail(opt_error, BT_ERR_INPUT, (bt_where){.file = molecule->path, .line = molecule->record_line},
                 "leave this ligand out, or prefer what it cannot meet (--prefer)",
                 "the ligand has no atom that could meet the constraint %s", spec->name);
}

/* ---- 3. restraints ---- */

static bt_status apply(const bt_constraint_spec *spec, const bt_ligand *ligand, bt_restraints *list,
                       bt_error *opt_error) {
  size_t n = (size_t)ligand->n_ligand_atoms, marked = 0;
  double force = spec->required ? BT_REQUIRED_FORCE : BT_PREFERRED_FORCE;
  BT_SCOPED bool *marks = bt_allocate(2 * n, sizeof *marks);
  if (marks == NULL) return bt_fail_memory(opt_error);
  for (int k = 0; k < spec->n_links; k++)
    if (spec->links[k].n_points > 0) BT_TRY(mark(ligand, spec, k, marks + (size_t)k * n, opt_error));
  for (size_t i = 0; i < 2 * n; i++) marked += marks[i];
  if (marked == 0) return spec->required ? fail_no_atom(ligand, spec, opt_error) : BT_OK;
  BT_TRY(bt_restraints_add_constraint(list, spec->name, spec->required, opt_error));
  if (!spec->every) BT_TRY(bt_restraints_add(list, force, spec->least, spec->most, opt_error));
  for (size_t i = 0; i < n; i++)
    for (int k = 0; k < spec->n_links; k++) {
      if (!marks[(size_t)k * n + i]) continue;
      if (spec->every) BT_TRY(bt_restraints_add(list, force, spec->least, spec->most, opt_error));
      BT_TRY(add_contacts(spec, k, (int)i, list, opt_error));
    }
  return BT_OK;
}

bt_status bt_ligand_constrain(bt_ligand *ligand, const bt_constraints *constraints, bt_error *opt_error) {
  bt_restraints *list;
  BT_TRY(bt_restraints_create(&list, opt_error));
  bt_status status = bt_constraints_apply_core(constraints, ligand, list, opt_error);
  for (size_t k = 0; status == BT_OK && k < constraints->n_specs; k++)
    status = apply(&constraints->specs[k], ligand, list, opt_error);
  if (status != BT_OK) {
    bt_restraints_destroy(list);
    return status;
  }
  bt_ligand_set_restraints(ligand, list);
  return BT_OK;
}
