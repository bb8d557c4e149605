/* contacts.h - molecules small enough to compute by hand, and their contacts, for the tests of contacts. */
#ifndef BERTH_TESTS_UNIT_RESULTS_CONTACTS_H
#define BERTH_TESTS_UNIT_RESULTS_CONTACTS_H

#include "results/analysis/contacts.h"
#include "unit/results/poses.h"

/* Molecules are written as "ASP: CG C -1.1 0.6 0; OD1 OA 0 0 0": a residue up to the next, name, type, place. */
typedef struct scene {
  const char *receptor, *ligand, *opt_flexible; /* a flexible residue does not turn: all of it is its ROOT */
  const bt_contact_options *opt_options;
  const char *opt_letters; /* contacts of other types are not looked at */
  const char *opt_silicon; /* what type Si is called afterwards: names that no ligand may have */
  double shift;            /* of everything, along all axes */
} scene;

static inline bt_molecule *molecule_of(const char *atoms, bt_molecule_kind kind, double shift) {
  bt_text text = {0};
  char residue[8] = "LIG", name[8], type[8];
  int number = 1, serial = 0;
  if (kind == BT_MOLECULE_FLEXIBLE) bt_text_printf(&text, "BEGIN_RES %.3s A   1\n", atoms);
  if (kind != BT_MOLECULE_RECEPTOR) bt_text_add_string(&text, "ROOT\n");
  for (const char *at = atoms; at != NULL; at = strchr(at, ';')) {
    double x[3];
    at += strspn(at, "; ");
    const char *colon = strchr(at, ':'), *end = strchr(at, ';');
    if (colon != NULL && (end == NULL || colon < end)) {
      number += serial > 0;
      snprintf(residue, sizeof residue, "%.*s", (int)(colon - at), at);
      at = colon + 1;
    }
    assert_int_equal(sscanf(at, "%7s %7s %lf %lf %lf", name, type, &x[0], &x[1], &x[2]), 5);
    bt_text_printf(&text, "ATOM  %5d %-4s %3s A%4d    %8.3f%8.3f%8.3f  1.00  0.00     0.000 %s\n", ++serial, name,
                   residue, number, x[0] + shift, x[1] + shift, x[2] + shift, type);
  }
  if (kind != BT_MOLECULE_RECEPTOR) bt_text_add_string(&text, "ENDROOT\n");
  if (kind == BT_MOLECULE_FLEXIBLE) bt_text_printf(&text, "END_RES %.3s A   1\n", atoms);
  bt_molecule *molecule = poses_molecule("atoms.pdbqt", text.data, kind);
  bt_text_destroy(&text);
  return molecule;
}

static inline void rename_silicon(bt_molecule *opt_molecule, const char *name) {
  for (int i = 0; opt_molecule != NULL && i < opt_molecule->n_atoms; i++)
    if (strcmp(opt_molecule->atoms[i].type, "Si") == 0) strcpy(opt_molecule->atoms[i].type, name);
}

/* Lines of type, names of the ligand's and the other atom, distance: "H N1-O1 3.690". */
static inline void describe(const bt_contact_list *list, const bt_ligand *ligand, const char *letters, bt_text *text) {
  bt_text_add_string(text, "");
  for (size_t i = 0; i < list->count; i++) {
    const bt_contact *c = &list->items[i];
    const char *letter = bt_contact_letter(c->type);
    if (strstr(letters, letter) != NULL)
      bt_text_printf(text, "%s %s-%s %.3f\n", letter, bt_ligand_atom(ligand, c->ligand, NULL)->name, c->atom->name,
                     c->distance);
  }
}

static inline void expect_in(scene s, const char *expected) {
  bt_molecule *receptor = molecule_of(s.receptor, BT_MOLECULE_RECEPTOR, s.shift), *flexible = NULL;
  bt_molecule *molecule = molecule_of(s.ligand, BT_MOLECULE_LIGAND, s.shift);
  if (s.opt_flexible != NULL) flexible = molecule_of(s.opt_flexible, BT_MOLECULE_FLEXIBLE, s.shift);
  bt_ligand *ligand = poses_ligand(molecule, flexible);
  if (s.opt_silicon != NULL) {
    rename_silicon(receptor, s.opt_silicon);
    rename_silicon(molecule, s.opt_silicon);
    rename_silicon(flexible, s.opt_silicon);
  }
  const bt_contact_options usual = bt_contact_options_default();
  const bt_contact_options *options = s.opt_options != NULL ? s.opt_options : &usual;
  bt_contact_site *site;
  bt_contact_ligand *known;
  bt_contact_list list = {0};
  bt_text text = {0};
  bt_error error;
  support_ok(bt_contact_site_create(receptor, options, &site, &error), &error);
  support_ok(bt_contact_ligand_create(ligand, options, &known, &error), &error);
  support_ok(bt_contacts_find(site, known, ligand->xyz, &list, &error), &error);
  describe(&list, ligand, s.opt_letters != NULL ? s.opt_letters : "RHVPSC", &text);
  assert_string_equal(text.data, expected);
  bt_text_destroy(&text);
  bt_contact_list_clear(&list);
  bt_contact_ligand_destroy(known);
  bt_contact_site_destroy(site);
  bt_ligand_destroy(ligand);
  bt_molecule_destroy(flexible);
  bt_molecule_destroy(molecule);
  bt_molecule_destroy(receptor);
}

static inline void expect(const char *receptor, const char *ligand, const char *expected) {
  expect_in((scene){.receptor = receptor, .ligand = ligand}, expected);
}

/* Places at which sums of decimals are rounded differently. */
static const double shifts[] = {0, 0.1, 1.1, 3.3, 12.1, -7.3};
enum { SHIFTS = sizeof shifts / sizeof shifts[0] };

#endif
