/* prepare.h - ligands from a text, for the tests of preparation. Include after unit/support.h. */
#ifndef BERTH_TESTS_UNIT_PREP_LIGAND_PREPARE_H
#define BERTH_TESTS_UNIT_PREP_LIGAND_PREPARE_H

#include "chem/chemistry.h"
#include "unit/prep/built.h"
#include "unit/support.h"

static inline void needs_rdkit(void) {
  if (*bt_rdkit_version() == '\0') {
    print_message("skipped: this build has no RDKit\n");
    skip();
  }
}

/* A drawing is enough for types and torsions. */
static inline bt_prepare_options flat_options(void) {
  bt_prepare_options options = bt_prepare_options_default();
  options.conformers = 0;
  options.as_drawn = true;
  options.opt_format = "smiles";
  return options;
}

static inline bt_ligand_reader *open_text(const char *text, const bt_prepare_options *options) {
  bt_ligand_reader *reader = NULL;
  bt_error error = {0};
  char buffer[2048];
  if (bt_ligand_reader_open_text(text, strlen(text), "test", options, &reader, &error) != BT_OK)
    fail_msg("%s", bt_error_format(&error, buffer, sizeof buffer));
  return reader;
}

/* The first ligand of a text; the caller destroys it. */
static inline bt_molecule *prepare(const char *text, const bt_prepare_options *options) {
  bt_ligand_reader *reader = open_text(text, options);
  bt_molecule *molecule = NULL;
  bt_error error = {0};
  char buffer[2048];
  if (bt_ligand_reader_next(reader, &molecule, &error) != BT_OK)
    fail_msg("%s: %s", text, bt_error_format(&error, buffer, sizeof buffer));
  assert_non_null(molecule);
  check_built(molecule);
  bt_ligand_reader_close(reader);
  return molecule;
}

/* Why the first record of a text is refused. */
static inline bt_error refusal(const char *text, const bt_prepare_options *options) {
  bt_ligand_reader *reader = open_text(text, options);
  bt_molecule *molecule = NULL;
  bt_error error = {0};
  bt_status status = bt_ligand_reader_next(reader, &molecule, &error);
  if (status == BT_OK) fail_msg("%s is accepted", text);
  assert_int_equal(status, error.status);
  assert_null(molecule);
  bt_ligand_reader_close(reader);
  return error;
}

/* Types of the heavy atoms in the order of the input, with the HD behind those that have them: "C C OA+HD". */
static inline void types_of(const bt_molecule *molecule, char *out, size_t size) {
  const bt_chemistry *chemistry = molecule->chemistry;
  int n_bonds = bt_rdmol_bond_count(chemistry->mol);
  bt_rdbond *bonds = calloc((size_t)n_bonds + 1, sizeof *bonds);
  bt_rdmol_bonds(chemistry->mol, bonds);
  size_t at = 0;
  out[0] = '\0';
  for (int i = 0; i < chemistry->n_atoms; i++) {
    const bt_atom *atom = NULL;
    int polar = 0;
    for (int e = 0; e < chemistry->n_entries; e++) {
      if (chemistry->entry[e] == i) atom = &molecule->atoms[e];
      for (int b = 0; b < n_bonds; b++)
        if (strcmp(molecule->atoms[e].type, "HD") == 0 && chemistry->entry[e] >= 0 &&
            ((bonds[b].a == i && bonds[b].b == chemistry->entry[e]) ||
             (bonds[b].b == i && bonds[b].a == chemistry->entry[e])))
          polar++;
    }
    if (atom == NULL || strcmp(atom->type, "HD") == 0) continue;
    at += (size_t)snprintf(out + at, size - at, "%s%s", at > 0 ? " " : "", atom->type);
    if (polar > 0) at += (size_t)snprintf(out + at, size - at, polar > 1 ? "+%dHD" : "+HD", polar);
  }
  free(bonds);
}

#endif
